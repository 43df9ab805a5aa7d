"""Every wire of a table: from which pin, to what, in which colour; drawing, table and BOM read it here.

Red is power and black is ground, and no signal wears either. Noses are plain, spoons have a black stripe,
docks a red one, lamps on pins of their own a turquoise one, and the short wires inside the box a white one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from lastnose.companion.core import csv_file
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.boards import LAYOUTS, Board, physical_pin, pin_name
from lastnose.companion.wiring.profile import Profile


class Colour(msgspec.Struct, frozen=True):
    """A wire's colour: its name, how it is drawn, and the stripe on it."""

    name: Text
    fill: str
    stripe: str | None = None


class Wire(msgspec.Struct, frozen=True):
    """A wire: its use (`nose.3`, `ground`), where it begins, what it goes to, and through what."""

    use: str
    board: Board
    pin: str
    physical: int
    colour: Colour
    to: Text
    through: str | None = None


SEAT_COLOURS: tuple[tuple[Text, str], ...] = (
    (text("brown"), "#8a5a2b"),
    (text("orange"), "#f58220"),
    (text("yellow"), "#f2c500"),
    (text("green"), "#2e9e3f"),
    (text("blue"), "#1f6fd1"),
    (text("violet"), "#8b3fc0"),
    (text("grey"), "#8d9296"),
    (text("white"), "#ffffff"),
    (text("pink"), "#f49ac1"),
    (text("light blue"), "#7fd0ef"),
    (text("light green"), "#a6dc6a"),
    (text("beige"), "#dcc69a"),
    (text("dark blue"), "#233a7d"),
)
RED = Colour(text("red"), "#d0021b")
BLACK = Colour(text("black"), "#1a1a1a")
_STRIPES: dict[str, Colour] = {
    "spoon": BLACK,
    "dock": RED,
    "lamp": Colour(text("turquoise"), "#12b5b0"),
    "inside": Colour(text("white"), "#ffffff"),
}
_INSIDE = {
    "host": 5,
    "buzzer": 6,
    "sync": 0,
    "led data": 1,
    "led clock": 4,
    "led latch": 3,
    "oled SDA": 8,
    "oled SCL": 2,
    "oled MOSI": 8,
    "oled clock": 2,
    "oled select": 10,
    "oled data/command": 11,
    "oled reset": 12,
}


def colour_of(use: str) -> Colour:
    """Return the colour of the wire for *use*; above thirteen seats the colours begin again.

    >>> str(colour_of("nose.2").name), str(colour_of("spoon.2").name), str(colour_of("led clock").name)
    ('orange', 'orange/black', 'blue/white')
    """
    kind, _, number = use.partition(".")
    if number:
        place = (int(number) - 1) % len(SEAT_COLOURS)
    else:
        kind, place = "inside", _INSIDE[use]
    name, fill = SEAT_COLOURS[place]
    if kind not in _STRIPES:
        return Colour(name, fill)
    stripe = _STRIPES[kind]
    both = Text("{colour}/{stripe}", {"colour": name, "stripe": stripe.name})
    return Colour(both, fill, stripe.fill)


def part_of(use: str) -> Text:
    """Return the part at the other end of the wire, as a label has it."""
    kind, _, number = use.partition(".")
    if number:
        return _NUMBERED[kind](int(number))
    return _PARTS[use]


_NUMBERED: dict[str, Callable[[int], Text]] = {
    "nose": lambda n: text("nose {n}", n=n),
    "spoon": lambda n: text("spoon {n}", n=n),
    "dock": lambda n: text("dock {n}", n=n),
    "lamp": lambda n: text("lamp {n}", n=n),
}
_PARTS: dict[str, Text] = {
    "host": text("host button"),
    "buzzer": text("buzzer"),
    "sync": text("sync wire"),
    "led data": Text("74HC595: SER"),
    "led clock": Text("74HC595: SRCLK"),
    "led latch": Text("74HC595: RCLK"),
    "oled SDA": Text("OLED: SDA"),
    "oled SCL": Text("OLED: SCL"),
    "oled MOSI": Text("OLED: MOSI (SDA, D1)"),
    "oled clock": Text("OLED: CLK (SCL, D0)"),
    "oled select": Text("OLED: CS"),
    "oled data/command": Text("OLED: D/C"),
    "oled reset": Text("OLED: RES"),
    "oled VCC": Text("OLED: VCC"),
    "oled GND": Text("OLED: GND"),
}
VOLTS, FIVE_VOLTS, TO_GROUND = Text("{volts} V", {"volts": 3.3}), Text("5 V"), text("ground")
CHANNEL, LAMP_DRIVER = "1 kΩ", "ULN2803A"
_THROUGH = {"buzzer": "220 Ω", "lamp": LAMP_DRIVER, "sync": CHANNEL}


def wires(profile: Profile) -> tuple[Wire, ...]:
    """Return every wire that ends on a pin: signals in the order of the profile, then power and ground."""
    return (*_signals(profile), *_supplies(profile))


def _signals(profile: Profile) -> Iterator[Wire]:
    for use in profile.uses():
        physical = physical_pin(use.board, use.pin)
        if physical is None:
            continue
        through = CHANNEL if use.contact else _THROUGH.get(use.name.partition(".")[0])
        yield Wire(
            use.name,
            use.board,
            pin_name(use.board, use.pin),
            physical,
            colour_of(use.name),
            part_of(use.name),
            through,
        )


# A ground pin for the bus of each side, one with a free pin or an outer contact beside it; the further ones
# are for the connectors of a table that is not soldered. Pin 9 of the Pi is for its OLED.
GROUNDS: dict[Board, tuple[int, ...]] = {
    "pi": (39, 34, 25, 20, 14, 30, 6),
    "pico": (18, 38, 3, 8, 13, 23, 28),
    "mock": (),
}
BUSES, OLED_GROUND = 2, 9
CONTACTS_A_CONNECTOR = 4  # of five holes: one is for the wire to the board


def _supplies(profile: Profile) -> Iterator[Wire]:
    """Yield one wire for each bus: 3.3 V and 5 V where something wants it, ground on both sides."""
    if not profile.soldered:
        yield from _screwed_supplies(profile)
        return
    contacts: Board = "pico" if profile.board == "pico" else "pi"
    on_the_pi = profile.oled.driver != "none" or profile.pins.leds is not None
    lit = profile.pins.leds is not None or bool(profile.pins.lamps)
    for board in dict.fromkeys(use.board for use in profile.uses()):
        if board == "mock":
            continue
        if board == contacts or on_the_pi:
            yield Wire("3V3", board, "3V3", _first(board, "3V3"), RED, VOLTS)
        if board == "pi" and lit:
            yield Wire("5V", board, "5V", _first(board, "5V"), RED, FIVE_VOLTS)
        for pin in GROUNDS[board][:BUSES]:
            yield Wire("ground", board, "GND", pin, BLACK, TO_GROUND)


def _screwed_supplies(profile: Profile) -> Iterator[Wire]:
    """Yield a wire for each ground connector, and the display's own two."""
    if profile.oled.driver != "none" and profile.board != "mock":
        yield Wire("oled VCC", "pi", "3V3", _first("pi", "3V3"), RED, part_of("oled VCC"))
        yield Wire("oled GND", "pi", "GND", OLED_GROUND, BLACK, part_of("oled GND"))
    connectors = -(-len(profile.lines) // CONTACTS_A_CONNECTOR)
    for pin in GROUNDS[profile.board][:connectors]:
        yield Wire("ground", profile.board, "GND", pin, BLACK, TO_GROUND)


def _first(board: Board, name: str) -> int:
    return LAYOUTS[board].index(name) + 1


HEADINGS = (
    text("board"),
    text("pin"),
    text("name"),
    text("wire"),
    text("goes to"),
    text("through"),
)
_BOARDS: dict[Board, Text] = {"pi": Text("Raspberry Pi"), "pico": Text("Pico"), "mock": text("in memory")}


def board_name(board: Board) -> Text:
    """Return how a board is called."""
    return _BOARDS[board]


def rows(profile: Profile) -> list[tuple[Text | str, ...]]:
    """Return the wiring table, a row for each wire, in the order of HEADINGS."""
    return [
        (
            board_name(wire.board),
            str(wire.physical),
            wire.pin,
            wire.colour.name,
            wire.to,
            wire.through or "",
        )
        for wire in wires(profile)
    ]


def as_markdown(
    headings: tuple[Text, ...], lines: list[tuple[Text | str, ...]], speak: Callable[[Text], str]
) -> str:
    """Return a table in Markdown, its cells put into words by *speak*."""
    cells = [[_said(cell, speak) for cell in line] for line in (headings, *lines)]
    head, *body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in cells]
    return "\n".join([head, "|" + " --- |" * len(headings), *body]) + "\n"


def as_csv(
    headings: tuple[Text, ...], lines: list[tuple[Text | str, ...]], speak: Callable[[Text], str]
) -> str:
    """Return a table as CSV with a heading."""
    return csv_file.as_csv([[_said(cell, speak) for cell in line] for line in (headings, *lines)], "\n")


def _said(cell: Text | str, speak: Callable[[Text], str]) -> str:
    return cell if isinstance(cell, str) else speak(cell)
