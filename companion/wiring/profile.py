"""A table as it is wired: profiles in TOML, read and checked. They are the one source of truth for pins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from lastnose.companion.core.decode import decode_toml, fit
from lastnose.companion.core.errors import Malformed, NoSuchProfile, ProfileError, unreadable
from lastnose.companion.core.names import nearest
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.wiring.boards import (
    CONTACTS,
    SPI_SELECTS,
    Board,
    Bus,
    Use,
    config_lines,
    problems,
    warnings,
)

MAX_SEATS = 26
SIMULATED = re.compile(r"mock:\d{1,3}")  # no table of more is made to be judged
MOST_LATE_US = 100_000
# luma's drivers of graphic OLEDs, and those of them whose glass can begin at another column.
MOVABLE = ("sh1106", "ssd1305", "ssd1306", "ssd1309", "ssd1315", "ssd1316")
DRIVERS = (
    *("ch1115", "sh1106", "sh1107", "ssd1305", "ssd1306", "ssd1309", "ssd1315", "ssd1316", "ssd1322"),
    *("ssd1322_nhd", "ssd1325", "ssd1327", "ssd1331", "ssd1351", "ssd1362", "ssd1363"),
)
I2C_ADDRESSES = range(0x08, 0x78)  # of seven bits, without those that are reserved
SIDES = range(1, 1025)  # pixels; the longest of luma's displays has 256
SPI_HZ = (500_000, *(mhz * 1_000_000 for mhz in (1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)))


class ProfileTiming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[timing]` of a profile. `u_us`: the error of a stamp; None leaves it to the source.

    `skew_us`: how much of it is the difference between pins. `late_us`: how late an interrupt thread of this
    machine may be, None until the self-test has measured it.
    """

    confirm_us: int = 1_000
    lockout_us: int = 20_000
    u_us: float | None = None
    skew_us: float = 0.0
    late_us: float | None = None

    @property
    def confirm_ns(self) -> int:
        """How long a line must be quiet before its level counts (law 2)."""
        return self.confirm_us * 1_000

    @property
    def lockout_ns(self) -> int:
        """How long after a press no other begins (law 2)."""
        return self.lockout_us * 1_000

    @property
    def u_ns(self) -> int | None:
        """The declared error of a stamp, None for the source's own."""
        return None if self.u_us is None else round(self.u_us * 1_000)

    @property
    def skew_ns(self) -> int:
        """How much of the declared error is the difference between pins."""
        return round(self.skew_us * 1_000)

    @property
    def late_ns(self) -> int | None:
        """How late an interrupt thread may be, None while nobody has measured it."""
        return None if self.late_us is None else round(self.late_us * 1_000)


class OledSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[oled]` of a profile; the keys are luma's own. `driver` "none": no display.

    `h_offset`: by how many columns the glass begins further right in the controller's memory than the driver
    believes; a picture that stands two columns off wants 2 or -2. Ours are `dense` (standings in two columns,
    for thirteen and more) and `page_s` (how long a page stays).
    """

    driver: str = "none"
    interface: Literal["i2c", "spi"] = "i2c"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    spi_bus_speed: int = 8_000_000
    gpio_data_command: int = 24
    gpio_reset: int = 25
    width: int = 128
    height: int = 64
    rotate: Literal[0, 1, 2, 3] = 0
    contrast: int = 255
    h_offset: int = 0
    dense: bool = False
    page_s: float = 3.0

    def pins(self) -> dict[str, int]:
        """Return the pins that the display takes, by what they do."""
        if self.driver == "none":
            return {}
        if self.interface == "i2c":
            known = {0: (0, 1), 1: (2, 3)}.get(self.i2c_port)
            return dict(zip(("oled SDA", "oled SCL"), known, strict=True)) if known else {}
        mosi, clock = ((10, 11), (20, 21))[self.spi_port == 1]
        return {
            "oled MOSI": mosi,
            "oled clock": clock,
            "oled select": SPI_SELECTS.get((self.spi_port, self.spi_device), 8),
            "oled data/command": self.gpio_data_command,
            "oled reset": self.gpio_reset,
        }

    def bus(self) -> Bus | None:
        """Return the SPI bus that the display switches on, with the pins it takes beside its own."""
        if (
            self.driver == "none"
            or self.interface == "i2c"
            or (self.spi_port, self.spi_device) not in SPI_SELECTS
        ):
            return None
        # The kernel's driver takes the selects below it too, whether anything hangs on them or not.
        selects = {
            f"select {device}": SPI_SELECTS[self.spi_port, device] for device in range(self.spi_device)
        }
        return Bus(self.spi_port, self.spi_device, ({"MISO": 19} if self.spi_port == 1 else {}) | selects)

    def problems(self) -> Iterator[Text]:
        """Yield why no such display can be opened, or no picture of it be drawn."""
        yield from _outside("width", self.width, SIDES)
        yield from _outside("height", self.height, SIDES)
        if round(self.page_s * 1e9) < 1:
            yield english("oled.page_s is {page_s}; a page needs some time.", page_s=self.page_s)
        if self.driver == "none":
            return
        if self.driver not in DRIVERS:
            yield text(
                "There is no display driver “{driver}” (oled.driver). Choose none or one of: {drivers}.",
                driver=self.driver,
                drivers=", ".join(DRIVERS),
            )
        elif self.h_offset and self.driver not in MOVABLE:
            yield english(
                "oled.h_offset moves the ssd1306, its like and the sh1106, not the {driver}.",
                driver=self.driver,
            )
        yield from self._spi_problems() if self.interface == "spi" else self._i2c_problems()
        yield from _outside("contrast", self.contrast, range(256))

    def _i2c_problems(self) -> Iterator[Text]:
        yield from _outside("i2c_address", self.i2c_address, I2C_ADDRESSES, hex)

    def _spi_problems(self) -> Iterator[Text]:
        if (self.spi_port, self.spi_device) not in SPI_SELECTS:
            yield english(
                "oled.spi_port {port} has no device {device}: SPI 0 has devices 0 and 1, SPI 1 has 0 to 2.",
                port=self.spi_port,
                device=self.spi_device,
            )
        if self.spi_bus_speed not in SPI_HZ:
            yield english(
                "oled.spi_bus_speed is {speed}; choose one of: {speeds}.",
                speed=self.spi_bus_speed,
                speeds=", ".join(map(str, SPI_HZ)),
            )


def _outside(key: str, value: int, allowed: range, write: Callable[[int], str] = str) -> Iterator[Text]:
    """Yield that the display's *key* has a *value* which is not *allowed*."""
    if value not in allowed:
        ends = {"n": write(value), "first": write(allowed[0]), "last": write(allowed[-1])}
        yield english("oled.{key} is {n}; it goes from {first} to {last}.", key=key, **ends)


class Leds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The three wires of the lamp chain (74HC595)."""

    data: int
    clock: int
    latch: int


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[pins]` of a profile, noses and spoons in the order of their seats and places.

    BCM numbers; of a Pico its GP numbers. Lamps hang on a chain (`leds`) or on a pin for each nose (`lamps`),
    at the Pi. `sync`: the wire that boxes, and a Pi beside them, share.
    """

    noses: tuple[int, ...]
    host: int | None = None
    spoons: tuple[int, ...] = ()
    docks: tuple[int, ...] = ()
    leds: Leds | None = None
    lamps: tuple[int, ...] = ()
    buzzer: int | None = None
    sync: int | None = None

    def named(self) -> Iterator[tuple[str, int]]:
        """Yield every use of a pin: its name (`nose.3`, `host`, `led latch`) and the pin."""
        for kind, pins in (("nose", self.noses), ("spoon", self.spoons), ("dock", self.docks)):
            yield from ((f"{kind}.{number}", pin) for number, pin in enumerate(pins, start=1))
        if self.host is not None:
            yield "host", self.host
        if self.buzzer is not None:
            yield "buzzer", self.buzzer
        yield from ((f"lamp.{number}", pin) for number, pin in enumerate(self.lamps, start=1))
        if self.leds is not None:
            yield from (("led data", self.leds.data), ("led clock", self.leds.clock))
            yield "led latch", self.leds.latch
        if self.sync is not None:
            yield "sync", self.sync


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is wired: the one source of truth for pins.

    `board` is where the contacts end: the Pi's header, a Pico's edges (lamps, buzzer and display stay on the
    Pi that listens to it), or nowhere but in memory. `soldered`: over a strip board; if not, over screw
    terminals and lever connectors, which serve contacts and a display.
    """

    name: str
    board: Board
    pins: Pins
    soldered: bool = True
    timing: ProfileTiming = ProfileTiming()
    oled: OledSettings = OledSettings()

    @property
    def lines(self) -> dict[str, int]:
        """The lines that are watched, with their pins: noses, spoons, docks and the host button.

        All are contacts to ground, active low; spoons and docks rest closed.
        """
        return {name: pin for name, pin in self.pins.named() if name.startswith(CONTACTS)}

    @property
    def sync_line(self) -> dict[str, int]:
        """The line of the sync wire with its pin, if there is one; only boxes drive it."""
        return {} if self.pins.sync is None else {"sync": self.pins.sync}

    def uses(self) -> tuple[Use, ...]:
        """Return what every pin is for, on whichever board it is."""
        beside: Board = "pi" if self.board == "pico" else self.board
        wired = [
            Use(name, self.board if name.startswith((*CONTACTS, "sync")) else beside, pin)
            for name, pin in self.pins.named()
        ]
        return (*wired, *(Use(name, beside, pin) for name, pin in self.oled.pins().items()))

    def problems(self) -> list[Text]:
        """Return every reason why it cannot be used, a sentence each; none for a sound profile."""
        pins = problems(self.uses(), self._buses())
        return [
            *_seat_problems(self),
            *_lamp_problems(self.pins),
            *_solder_problems(self),
            *pins,
            *self.oled.problems(),
            *_timing_problems(self.timing),
        ]

    def warnings(self) -> list[Text]:
        """Return what works only with care, a sentence each."""
        return [*warnings(self.uses()), *_bus_warnings(self.oled)]

    def config_lines(self) -> list[str]:
        """Return the lines that the Pi's config.txt needs, in order."""
        if self.board == "mock":
            return []
        i2c = self.oled.driver != "none" and self.oled.interface == "i2c"
        return config_lines(self.uses(), self._buses(), i2c_port=self.oled.i2c_port if i2c else None)

    def _buses(self) -> tuple[Bus, ...]:
        found = self.oled.bus()
        return () if found is None else (found,)


def built_in_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with the package."""
    found = (files("lastnose.hardware") / "profiles").iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in found if entry.name.endswith(".toml")))


def load_profile(name_or_path: str) -> Profile:
    """Return the built-in profile of that name, `mock:N` of N seats, or the one in that file.

    Raise ProfileError for one that cannot be used.

    >>> home = load_profile("home4").lines
    >>> home["nose.1"], home["spoon.3"], home["host"]
    (5, 25, 21)
    >>> len(load_profile("mock:5").pins.noses)
    5
    """
    profile, problems = examined(name_or_path)
    return sound_profile(profile, problems, name_or_path)


def examined(name_or_path: str) -> tuple[Profile | None, list[Text]]:
    """Return the profile, None for what is none, and all that is wrong with it; raise NoSuchProfile."""
    if SIMULATED.fullmatch(name_or_path):
        made = _mock(name_or_path)
        return made, made.problems()
    return judged(_written(name_or_path))


def _written(name_or_path: str) -> str:
    """Return the TOML of a profile; raise NoSuchProfile."""
    if name_or_path in built_in_profiles():
        source = files("lastnose.hardware") / "profiles" / f"{name_or_path}.toml"
        return source.read_text(encoding="utf-8")
    try:
        return Path(name_or_path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        meant = nearest(name_or_path, built_in_profiles())
        if meant is not None:
            raise NoSuchProfile(
                text("There is no profile “{name}”. Did you mean {meant}?", name=name_or_path, meant=meant)
            ) from None
        raise NoSuchProfile(
            text(
                "There is no profile “{name}”: give the path of a .toml file or one of {names}.",
                name=name_or_path,
                names=", ".join([*built_in_profiles(), "mock:N"]),
            )
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise NoSuchProfile(unreadable(name_or_path or ".", error)) from None


def judged(toml: str) -> tuple[Profile | None, list[Text]]:
    """Return the profile that *toml* describes, None for what is none, and all that is wrong with it."""
    try:
        profile = fit(decode_toml(toml), Profile)
    except Malformed as error:
        return None, [Text("{why}.", {"why": error.text})]
    return profile, profile.problems()


def _mock(name: str) -> Profile:
    """Return the simulated table of `mock:N` seats: N noses, a spoon less, and a host button."""
    seats = int(name.removeprefix("mock:"))
    spoons = tuple(range(2 + MAX_SEATS, 1 + MAX_SEATS + seats))
    return Profile(name, "mock", Pins(noses=tuple(range(2, 2 + seats)), spoons=spoons, host=0))


def sound_profile(profile: Profile | None, problems: list[Text], file: str) -> Profile:
    """Return *profile*; raise ProfileError with the first of its *problems*, naming *file*, key and pin."""
    for problem in problems:
        raise ProfileError(text("{what}: {says}", what=file, says=problem))
    assert profile is not None
    return profile


def _seat_problems(profile: Profile) -> Iterator[Text]:
    """Yield too few or many noses."""
    seats = len(profile.pins.noses)
    if not 1 <= seats <= MAX_SEATS:
        yield text("pins.noses has {n} pins; a table has 1 to {most} noses.", n=seats, most=MAX_SEATS)


def _lamp_problems(pins: Pins) -> Iterator[Text]:
    """Yield lamps that are wired twice over, or not one for each nose."""
    if pins.lamps and (pins.leds is not None or len(pins.lamps) != len(pins.noses)):
        yield text(
            "Lamps are wired by pins.leds, or by pins.lamps with a pin for each nose in its order: "
            "{noses}, not {lamps}.",
            lamps=len(pins.lamps),
            noses=len(pins.noses),
        )


def _solder_problems(profile: Profile) -> Iterator[Text]:
    """Yield what hangs on chips and resistors that are soldered, where nothing is to be."""
    pins = profile.pins
    for key, there in (
        ("leds", pins.leds),
        ("lamps", pins.lamps or None),
        ("buzzer", pins.buzzer),
        ("sync", pins.sync),
    ):
        if there is not None and not profile.soldered:
            yield text(
                "pins.{key} wants a soldering iron, and soldered is false: leave one of them out. "
                "The page has lamps and sound.",
                key=key,
            )


def _bus_warnings(oled: OledSettings) -> Iterator[Text]:
    if oled.driver != "none" and oled.interface == "i2c" and oled.i2c_port not in (0, 1):
        yield english(
            "oled.i2c_port is {port}: which pins that bus has depends on the Pi, so they are not checked "
            "here, and config.txt needs the bus’s own dtoverlay.",
            port=oled.i2c_port,
        )


def _timing_problems(timing: ProfileTiming) -> Iterator[Text]:
    """Yield times that cannot work together."""
    if not 0 < timing.confirm_us < timing.lockout_us:
        yield english(
            "timing.confirm_us is {confirm} and timing.lockout_us {lockout}; "
            "confirming must take more than 0 and less than the lockout.",
            confirm=timing.confirm_us,
            lockout=timing.lockout_us,
        )
    if timing.u_us is not None and timing.u_us < 0:
        yield english("timing.u_us is {u}; an error cannot be less than 0.", u=timing.u_us)
    if not 0 <= timing.skew_us <= (10.0 if timing.u_us is None else max(0.0, timing.u_us)):
        yield english("timing.skew_us is {u}; it is a part of u_us, so from 0 to that.", u=timing.skew_us)
    if timing.late_us is not None and not 0 <= timing.late_us <= MOST_LATE_US:
        yield english(
            "timing.late_us is {u}; it must be from 0 to {most}.", u=timing.late_us, most=MOST_LATE_US
        )
