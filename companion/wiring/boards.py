"""The boards that a table is wired to: their pins as they lie, and what each wants of who uses it. Pure.

Sources: the Raspberry Pi's 40-pin header and its boot state (GPIO0 to 8 pulled up, 9 to 27 down); the Pico's
datasheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from lastnose.companion.core.text import Text, text

Board = Literal["pi", "pico", "mock"]

# Every pin in its order: a number is a GPIO, a word is what it says. Odd pins are one row, even the other.
PI_HEADER: tuple[int | str, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
# From 1 down the left edge (USB above), from 21 up the right one.
PICO_EDGES: tuple[int | str, ...] = (
    *(0, 1, "GND", 2, 3, 4, 5, "GND", 6, 7, 8, 9, "GND", 10, 11, 12, 13, "GND", 14, 15),
    *(16, 17, "GND", 18, 19, 20, 21, "GND", 22, "RUN", 26, 27, "AGND", 28, "VREF", "3V3"),
    *("3V3_EN", "GND", "VSYS", "VBUS"),
)
LAYOUTS: dict[Board, tuple[int | str, ...]] = {"pi": PI_HEADER, "pico": PICO_EDGES}

MOCK_PINS = 84  # three boards of 28, in memory
PULLED_UP_AT_BOOT = range(9)
FIXED_PULL_UPS = (2, 3)
CONSOLE = (14, 15)
EEPROM = (0, 1)
SPI_SELECTS = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}
LAMP_PINS = {"led data": 10, "led clock": 11, "led latch": 8}
SPI_USES = (*LAMP_PINS, "oled MOSI", "oled clock", "oled select")
CONTACTS = ("nose.", "spoon.", "dock.", "host")


class Use(msgspec.Struct, frozen=True):
    """What a pin is for: `name` as `nose.3`, `led latch` or `oled SDA`, on which board, and the pin."""

    name: str
    board: Board
    pin: int

    @property
    def contact(self) -> bool:
        """Whether it is a contact to ground that is watched."""
        return self.name.startswith(CONTACTS)

    @property
    def listens(self) -> bool:
        """Whether something outside is to pull it low and let it go: a contact, or the sync wire."""
        return self.contact or self.name == "sync"


def pin_name(board: Board, pin: int) -> str:
    """Return how the board calls a pin.

    >>> pin_name("pi", 5), pin_name("pico", 5)
    ('GPIO5', 'GP5')
    """
    return f"GP{pin}" if board == "pico" else f"GPIO{pin}"


def physical_pin(board: Board, pin: int) -> int | None:
    """Return the place of a pin on its board, counted from 1; None in memory and inside the board.

    >>> physical_pin("pi", 5), physical_pin("pico", 28), physical_pin("pico", 25)
    (29, 34, None)
    """
    layout = LAYOUTS.get(board, ())
    return layout.index(pin) + 1 if pin in layout else None


def boot_pull(board: Board, pin: int) -> Literal["up", "down", "none"]:
    """Return what holds a pin until software takes it.

    >>> boot_pull("pi", 8), boot_pull("pi", 9), boot_pull("pico", 0)
    ('up', 'down', 'down')
    """
    if board == "mock":
        return "none"
    return "up" if board == "pi" and pin in PULLED_UP_AT_BOOT else "down"


class Bus(msgspec.Struct, frozen=True):
    """A bus that the profile switches on, and the pins that the kernel takes with it, used or not."""

    spi: int
    device: int
    taken: dict[str, int]


def problems(uses: Sequence[Use], buses: Sequence[Bus] = ()) -> Iterator[Text]:
    """Yield why pins cannot serve: not there, taken, or not the one that the chip offers."""
    taken: dict[tuple[Board, int], str] = {}
    for use in uses:
        there = range(MOCK_PINS) if use.board == "mock" else LAYOUTS[use.board]
        if use.pin not in there:
            yield text(
                "{use} is on {pin}, but there are only {pins}.",
                use=use.name,
                pin=pin_name(use.board, use.pin),
                pins="GP0–GP22, GP26–GP28" if use.board == "pico" else "GPIO0–GPIO27",
            )
        elif other := taken.get((use.board, use.pin)):
            yield text(
                "{use} and {other} are both on {pin}.",
                use=other,
                other=use.name,
                pin=pin_name(use.board, use.pin),
            )
        taken.setdefault((use.board, use.pin), use.name)
    yield from _lamp_problems(uses)
    for bus in buses:
        for name, pin in bus.taken.items():
            if other := taken.get(("pi", pin)):
                yield text(
                    "{use} is on GPIO{pin}, which SPI bus {bus} takes for its {name}.",
                    use=other,
                    pin=pin,
                    bus=bus.spi,
                    name=name,
                )


def _lamp_problems(uses: Sequence[Use]) -> Iterator[Text]:
    """Yield what keeps the lamp chain off the Pi's first SPI bus, which drives it."""
    for use in uses:
        wanted = LAMP_PINS.get(use.name)
        if wanted is not None and use.board == "pi" and use.pin != wanted:
            yield text(
                "{use} is on GPIO{pin}, but the lamps are chained on SPI, which has it on GPIO{wanted}.",
                use=use.name,
                pin=use.pin,
                wanted=wanted,
            )


def warnings(uses: Sequence[Use]) -> Iterator[Text]:
    """Yield what works only with care, a sentence for each pin or pair of pins."""
    on_the_pi = {use.pin: use for use in uses if use.board == "pi"}
    for pin in FIXED_PULL_UPS:
        if pin in on_the_pi and on_the_pi[pin].listens:
            yield text(
                "{use} is on GPIO{pin}, which is pulled up with 1.8 kΩ on the board: behind the usual 1 kΩ a "
                "closed contact reads 1.2 V, and that is not low. Put 220 Ω there, or take another pin.",
                use=on_the_pi[pin].name,
                pin=pin,
            )
    if both := _names(on_the_pi, CONSOLE):
        yield text(
            "{uses} on GPIO14 and 15, where the serial console is: take console=serial0,115200 out of "
            "cmdline.txt, and wire nothing there before that.",
            uses=both,
        )
    if both := _names(_inputs(on_the_pi), EEPROM):
        yield text(
            "{uses} on GPIO0 and 1: a HAT would be looked for there at every start, so no HAT can be used.",
            uses=both,
        )
    for use in on_the_pi.values():
        if use.name.startswith(("lamp.", "buzzer")) and boot_pull("pi", use.pin) == "up":
            yield text(
                "{use} is on GPIO{pin}, which is pulled up at start: a lamp glows, or a buzzer behind a "
                "transistor sounds, until the table runs. Take one of GPIO9 to 27 for it.",
                use=use.name,
                pin=use.pin,
            )


def _inputs(used: Mapping[int, Use]) -> dict[int, Use]:
    """Return those that listen: a display's bus may well be on the EEPROM's pins."""
    return {pin: use for pin, use in used.items() if use.listens}


def _names(used: Mapping[int, Use], pins: Sequence[int]) -> str:
    """Return what is on *pins*, as it is listed."""
    return ", ".join(used[pin].name for pin in pins if pin in used)


def config_lines(uses: Sequence[Use], buses: Sequence[Bus] = (), *, i2c_port: int | None = None) -> list[str]:
    """Return the lines that the Pi's config.txt needs for these pins, in order.

    >>> config_lines([Use("nose.1", "pi", 5)])
    []
    >>> config_lines([Use("led data", "pi", 10), Use("spoon.4", "pi", 7), Use("spoon.5", "pi", 9)])
    ['dtparam=spi=on', 'dtoverlay=spi0-1cs,no_miso']
    """
    used = {use.pin: use for use in uses if use.board == "pi"}
    lines = [{0: "dtparam=i2c_vc=on", 1: "dtparam=i2c_arm=on"}[i2c_port]] if i2c_port in (0, 1) else []
    if any(use.name in LAMP_PINS for use in used.values()) or any(bus.spi == 0 for bus in buses):
        lines += _first_spi({pin for pin, use in used.items() if use.name not in SPI_USES})
    lines += [f"dtoverlay=spi1-{bus.device + 1}cs" for bus in buses if bus.spi == 1]
    if _names(used, CONSOLE):
        lines.append("enable_uart=0")
    if _names(_inputs(used), EEPROM):
        lines += ["force_eeprom_read=0", "disable_poe_fan=1"]
    return lines


def _first_spi(others: set[int]) -> list[str]:
    """Return the lines for SPI 0 when pins *others* are used by something else."""
    lines = ["dtparam=spi=on"]
    if others & {7, 9}:
        overlay = "spi0-1cs" if 7 in others else "spi0-2cs"
        lines.append(f"dtoverlay={overlay}{',no_miso' if 9 in others else ''}")
    return lines
