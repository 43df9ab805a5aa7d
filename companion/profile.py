"""A table as it is wired: profiles in TOML, read and checked. They are the one source of truth for pins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from companion.errors import ProfileError
from companion.misfits import misfit
from companion.text import Text, text

MAX_SEATS = 26
BOARD_PINS = 28
MOCK_BOARDS = 3


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[timing]` of a profile. `u_us`: the error of a stamp; None leaves it to the source."""

    confirm_us: int = 1_000
    lockout_us: int = 20_000
    u_us: float | None = None

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


class OledSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[oled]` of a profile; the keys are luma's own. `driver` "none": no display.

    Ours are `dense` (standings in two columns, for thirteen and more) and `page_s` (how long a page stays).
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
    dense: bool = False
    page_s: float = 3.0

    def pins(self) -> dict[str, int]:
        """Return the pins that the display takes, by what they do."""
        if self.driver == "none":
            return {}
        if self.interface == "i2c":
            sda, scl = {0: (0, 1), 1: (2, 3)}.get(self.i2c_port, (2, 3))
            return {"oled SDA": sda, "oled SCL": scl}
        chip_select = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}
        mosi, clock = ((10, 11), (20, 21))[self.spi_port == 1]
        return {
            "oled MOSI": mosi,
            "oled clock": clock,
            "oled select": chip_select.get((self.spi_port, self.spi_device), 8),
            "oled data/command": self.gpio_data_command,
            "oled reset": self.gpio_reset,
        }


class Leds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The three wires of the lamp chain (74HC595)."""

    data: int
    clock: int
    latch: int


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[pins]` of a profile, as BCM numbers; noses and spoons in the order of their seats and places."""

    noses: tuple[int, ...]
    host: int | None = None
    spoons: tuple[int, ...] = ()
    docks: tuple[int, ...] = ()
    leds: Leds | None = None
    buzzer: int | None = None

    def named(self) -> Iterator[tuple[str, int]]:
        """Yield every use of a pin: its name (`nose.3`, `host`, `led latch`) and the pin."""
        for kind, pins in (("nose", self.noses), ("spoon", self.spoons), ("dock", self.docks)):
            yield from ((f"{kind}.{number}", pin) for number, pin in enumerate(pins, start=1))
        if self.host is not None:
            yield "host", self.host
        if self.buzzer is not None:
            yield "buzzer", self.buzzer
        if self.leds is not None:
            yield from (("led data", self.leds.data), ("led clock", self.leds.clock))
            yield "led latch", self.leds.latch


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is wired: the one source of truth for pins."""

    name: str
    board: Literal["pi", "mock"]
    pins: Pins
    timing: Timing = Timing()
    oled: OledSettings = OledSettings()

    @property
    def lines(self) -> dict[str, int]:
        """The lines that are watched, with their pins: noses, spoons, docks and the host button.

        All are contacts to ground, active low; spoons and docks rest closed.
        """
        watched = ("nose.", "spoon.", "dock.", "host")
        return {name: pin for name, pin in self.pins.named() if name.startswith(watched)}


def built_in_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with the package."""
    found = (files("hardware") / "profiles").iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in found if entry.name.endswith(".toml")))


def load_profile(name_or_path: str) -> Profile:
    """Return the built-in profile of that name, or the one in that file; raise ProfileError.

    >>> home = load_profile("home4").lines
    >>> home["nose.1"], home["spoon.3"], home["host"]
    (5, 25, 21)
    """
    if name_or_path in built_in_profiles():
        source = files("hardware") / "profiles" / f"{name_or_path}.toml"
        return read_profile(source.read_text(encoding="utf-8"), f"{name_or_path}.toml")
    try:
        return read_profile(Path(name_or_path).read_text(encoding="utf-8"), name_or_path)
    except FileNotFoundError:
        raise ProfileError(
            text(
                "There is no profile “{name}”: give the path of a .toml file or one of {names}.",
                name=name_or_path,
                names=", ".join(built_in_profiles()),
            )
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _error(name_or_path, text("it cannot be read ({reason}).", reason=str(error))) from None


def read_profile(toml: str, file: str) -> Profile:
    """Read and check a profile; raise ProfileError naming *file*, key and pin."""
    try:
        raw = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise _error(file, text("it is not TOML ({reason}).", reason=str(error))) from None
    try:
        profile = msgspec.convert(raw, Profile)
    except msgspec.ValidationError as error:
        raise _error(file, text("{what}.", what=misfit(error))) from None
    _check_pins(profile, file)
    _check_timing(profile.timing, file)
    return profile


def _error(file: str, what: Text) -> ProfileError:
    return ProfileError(text("The profile {file} cannot be used: {what}", file=file, what=what))


def _check_pins(profile: Profile, file: str) -> None:
    """Raise ProfileError for too few or many noses, a pin that does not exist, or one with two purposes."""
    seats = len(profile.pins.noses)
    if not 1 <= seats <= MAX_SEATS:
        raise _error(
            file,
            text("pins.noses has {n} pins; a table has 1 to {most} noses.", n=seats, most=MAX_SEATS),
        )
    taken: dict[int, str] = {}
    for use, pin in [*profile.pins.named(), *profile.oled.pins().items()]:
        if pin not in range(BOARD_PINS * (MOCK_BOARDS if profile.board == "mock" else 1)):
            raise _error(
                file, text("{use} is on GPIO{pin}, but the header has GPIO0 to GPIO27.", use=use, pin=pin)
            )
        if pin in taken:
            raise _error(
                file, text("{use} and {other} are both on GPIO{pin}.", use=taken[pin], other=use, pin=pin)
            )
        taken[pin] = use


def _check_timing(timing: Timing, file: str) -> None:
    """Raise ProfileError for times that cannot work together."""
    if not 0 < timing.confirm_us < timing.lockout_us:
        raise _error(
            file,
            text(
                "timing.confirm_us is {confirm} and timing.lockout_us {lockout}; "
                "confirming must take more than 0 and less than the lockout.",
                confirm=timing.confirm_us,
                lockout=timing.lockout_us,
            ),
        )
    if timing.u_us is not None and timing.u_us < 0:
        raise _error(file, text("timing.u_us is {u}; an error cannot be less than 0.", u=timing.u_us))
