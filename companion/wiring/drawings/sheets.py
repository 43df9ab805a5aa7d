"""The pages for a profile: the board as it lies on the table, its wires, and the circuits beside it.

One of A4 up to eight seats, two beyond; and the input channel by itself.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Literal

from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.boards import LAYOUTS, Board, pin_name
from lastnose.companion.wiring.drawings import svg
from lastnose.companion.wiring.drawings.svg import FAINT, INK, PAPER, Page, Point
from lastnose.companion.wiring.profile import Profile
from lastnose.companion.wiring.wires import (
    BLACK,
    LAMP_DRIVER,
    RED,
    TO_GROUND,
    VOLTS,
    Colour,
    Wire,
    board_name,
    colour_of,
    wires,
)

Speak = Callable[[Text], str]
Side = Literal[-1, 1]

ROWS, PITCH = 20, 32
HALF_GAP = {"pi": 16, "pico": 52, "mock": 16}  # from the middle line to a column of pins
RESISTOR, BOX, BOX_WIDTH, BUS = 86, 196, 108, 324  # along a wire, counted from its pin
BOARD_WIDTH = 790


def place(board: Board, physical: int) -> tuple[Side, int]:
    """Return the side and the row of a pin, as one looks at the board from above.

    The Pi lies with its header along the right edge and USB at the bottom; the Pico with USB at the top.

    >>> place("pi", 1), place("pi", 40), place("pico", 20), place("pico", 21), place("pico", 40)
    ((-1, 0), (1, 19), (-1, 19), (1, 19), (1, 0))
    """
    if board == "pico":
        return (-1, physical - 1) if physical <= ROWS else (1, 2 * ROWS - physical)
    return (1 if physical % 2 == 0 else -1, (physical - 1) // 2)


_ENDS = {"pi": ("microSD", "USB"), "pico": ("USB", "")}


class BoardDrawing:
    """One board in the middle of a strip; parts left and right of it in the order of the pins."""

    def __init__(self, page: Page, board: Board, wires: Sequence[Wire], speak: Speak) -> None:
        self.page, self.board, self.speak = page, board, speak
        self.wires = {wire.physical: wire for wire in wires if wire.board == board}
        self.middle = BOARD_WIDTH / 2

    def draw(self) -> None:
        """Draw it from the upper left corner of where the page stands."""
        self._body()
        for side in (-1, 1):
            self._buses(side)
        for physical, wire in self.wires.items():
            self._wire(physical, wire)
        for physical in range(1, 2 * ROWS + 1):
            self._pin(physical)

    def _x(self, side: Side, along: float) -> float:
        """Return the place that is *along* from the pins of that side, outwards."""
        return self.middle + side * (HALF_GAP[self.board] + along)

    def _y(self, row: int) -> float:
        return 50 + row * PITCH

    def _body(self) -> None:
        half = HALF_GAP[self.board] + (17 if self.board == "pi" else 10)
        top, bottom = self._y(0) - 26, self._y(ROWS - 1) + 26
        green = "#dcefe0"
        self.page.box(
            self.middle - half, top, 2 * half, bottom - top, fill=green, stroke="#5a8a66", round_by=8
        )
        above, below = _ENDS[self.board]
        name = self.speak(board_name(self.board))
        self.page.words(self.middle, top - 9, f"{name} ↑ {above}", size=10, anchor="middle", fill=FAINT)
        if below:
            self.page.words(self.middle, bottom + 15, f"↓ {below}", size=10, anchor="middle", fill=FAINT)
        if self.board == "pico":
            self.page.box(self.middle - 20, top - 4, 40, 26, fill="#c9c9c9", round_by=2)
            self.page.words(self.middle, top + 13, "USB", size=9, anchor="middle")

    def _pin(self, physical: int) -> None:
        side, row = place(self.board, physical)
        what, wire = LAYOUTS[self.board][physical - 1], self.wires.get(physical)
        x, y = self._x(side, 0), self._y(row)
        used = wire is not None
        fill = {"3V3": "#f7c5c0", "5V": "#f2a097", "GND": "#c4c4c4", "AGND": "#c4c4c4"}.get(
            str(what), "#f5e8b8"
        )
        self.page.box(
            x - 12,
            y - 12,
            24,
            24,
            fill=fill if used else PAPER,
            stroke=INK if used else "#a8a8a8",
            round_by=2,
        )
        colour = INK if used else "#8a8a8a"
        self.page.words(x, y + 4, str(physical), size=11, anchor="middle", fill=colour, bold=used)
        name = f"{'GP' if self.board == 'pico' else 'GPIO'}{what}" if isinstance(what, int) else what
        inside = self.board == "pico"
        along = -16 if inside else 18
        anchor: Literal["start", "end"] = "end" if (side < 0) != inside else "start"
        lift = 4 if inside or not used else -5
        self.page.words(self._x(side, along), y + lift, name, size=10, anchor=anchor, fill=colour, bold=used)

    def _wire(self, physical: int, wire: Wire) -> None:
        side, row = place(self.board, physical)
        y = self._y(row)
        end = BUS if wire.use == "ground" else BOX
        self.page.wire([(self._x(side, 12), y), (self._x(side, end), y)], wire.colour)
        name = self.speak(wire.colour.name)
        self._colour_name(side, y, name)
        if wire.use != "ground":
            self._part(side, y, wire)
        if wire.through == LAMP_DRIVER:
            svg.driver(self.page, self._x(side, RESISTOR), y, "ULN")
        elif wire.through is not None:
            svg.resistor(self.page, self._x(side, RESISTOR), y, wire.through)

    def _colour_name(self, side: Side, y: float, name: str) -> None:
        """Write the colour above the wire, next to its part."""
        x = self._x(side, BOX - 4)
        self.page.words(x, y - 5, name, size=9, anchor="start" if side < 0 else "end", fill=FAINT)

    def _part(self, side: Side, y: float, wire: Wire) -> None:
        """Draw the part in its box, and its other end to the bus where it has one."""
        left = min(self._x(side, BOX), self._x(side, BOX + BOX_WIDTH))
        kind = wire.use.partition(".")[0]
        if _grounded(wire):
            bus = self._x(side, BUS)
            self.page.line([(self._x(side, BOX + BOX_WIDTH), y), (bus, y)], width=2.4)
            self.page.dot(bus, y, 4)
        fill = "#fff4f2" if wire.use in ("3V3", "5V") else "#f6f6f2"
        self.page.box(left, y - 13, BOX_WIDTH, 26, fill=fill)
        drawn = _SIGNS.get(kind)
        if drawn is not None:
            drawn(self.page, left + 18, y)
        indent = 34 if drawn else 8
        lines = _halves(self.speak(wire.to), int((BOX_WIDTH - indent) / 6.9))
        for number, line in enumerate(lines):
            down = 4 if len(lines) == 1 else -1.5 + 10.5 * number
            self.page.words(left + indent, y + down, line, size=11 if len(lines) == 1 else 9, bold=True)

    def _buses(self, side: Side) -> None:
        """Draw the ground bus of a side, from its first to its last end, with its name."""
        rows = [
            place(self.board, physical)[1]
            for physical, wire in self.wires.items()
            if place(self.board, physical)[0] == side and _grounded(wire)
        ]
        if not rows:
            return
        x, top, bottom = self._x(side, BUS), self._y(min(rows)) - 14, self._y(max(rows)) + 14
        self.page.line([(x, top), (x, bottom)], colour=BLACK.fill, width=7)
        middle, label = (top + bottom) / 2, self.speak(TO_GROUND)
        self.page.words(x + (-9 if side < 0 else 17), middle, label, anchor="middle", bold=True, upright=True)


_SIGNS = {
    "nose": svg.button,
    "host": svg.button,
    "spoon": svg.reed,
    "dock": svg.reed,
    "buzzer": svg.piezo,
    "lamp": svg.lamp,
}


def _grounded(wire: Wire) -> bool:
    return wire.use == "ground" or wire.use.startswith(("nose.", "spoon.", "dock.", "host", "buzzer"))


def _halves(label: str, room: int) -> list[str]:
    """Return *label* on one line, or on two broken at the space nearest to the middle.

    >>> _halves("nose 1", 11), _halves("OLED: MOSI (SDA, D1)", 11)
    (['nose 1'], ['OLED: MOSI', '(SDA, D1)'])
    """
    spaces = [at for at, letter in enumerate(label) if letter == " "]
    if len(label) <= room or not spaces:
        return [label]
    at = min(spaces, key=lambda space: abs(space - len(label) / 2))
    return [label[:at], label[at + 1 :]]


WIDTH = 370
ROOM = 64  # letters of a note on a line
CHANNEL_NOTES_Y, LAMPS_NOTES_Y = 188, 302

PULL_UP_OHM = Text("{value} kΩ", {"value": 4.7})
POWER_OFF = text(
    "Wire with the power off, and check before you plug in. 3.3 V only: 5 V on a pin kills the board."
)
OLED_PRINT = text("OLED: VCC to 3.3 V, GND to ground. Read the print on yours: makers swap the two.")
CHANNEL_NOTES = (
    text("The basic kit has the 1 kΩ alone: the pin’s own pull-up then holds the line."),
    text("4.7 kΩ and 1 nF (C0G) keep 3 m of cable quiet, and presses true to 0.2 µs."),
    text("Never 100 nF: it would move a press by 42 µs, a release by 3.4 ms."),
)


def frame(page: Page, height: float, title: str, width: float = WIDTH) -> None:
    """Draw a panel's frame with its title, from its upper left corner."""
    page.box(0, 0, width, height, fill="#fdfdfb", stroke="#b9b9b0", round_by=6)
    page.words(12, 20, title, size=13, bold=True)


def channel(page: Page, speak: Speak) -> None:
    """Draw the circuit of one input: pull-up, series resistor, small capacitor, contact to ground."""
    frame(page, channel_height(speak), speak(text("One input channel")))
    y = 102
    page.box(14, y - 17, 64, 34, fill="#f5e8b8")
    page.words(46, y + 4, speak(text("pin")), size=11, anchor="middle")
    page.line([(78, y), (128, y)])
    _pull_up_and_capacitor(page, speak, y)
    page.line([(128, y), (182, y)])
    svg.resistor(page, 202, y, "1 kΩ")
    page.line([(222, y), (240, y)])
    page.wire(_twist(y + 40, -40), BLACK)
    page.wire(_twist(y, 40), colour_of("nose.2"))
    page.words(284, y - 12, speak(text("twisted, up to 3 m")), size=9.5, anchor="middle", fill=FAINT)
    svg.contact(page, 334, y)
    page.line([(240, y + 40), (222, y + 40), (222, y + 52)])
    svg.ground(page, 222, y + 52)
    _notes(page, speak, CHANNEL_NOTES, CHANNEL_NOTES_Y)


def _twist(y: float, across: float) -> list[Point]:
    """Return one wire of a twisted pair from the board's side to the contact: over to the other, and back."""
    return [(240, y), (250, y), (276, y + across), (292, y + across), (318, y), (334, y)]


def channel_height(speak: Speak) -> float:
    """Return how high the panel of the input channel is."""
    return CHANNEL_NOTES_Y + _room(speak, CHANNEL_NOTES)


def _pull_up_and_capacitor(page: Page, speak: Speak, y: float) -> None:
    x = 112
    svg.supply(page, x, y - 58, speak(VOLTS))
    page.line([(x, y - 58), (x, y - 46)])
    svg.resistor(page, x, y - 28, speak(PULL_UP_OHM), upright=True)
    page.line([(x, y - 10), (x, y)])
    page.dot(x, y)
    page.line([(x, y), (x, y + 10)])
    svg.capacitor(page, x, y + 28, "1 nF")
    page.line([(x, y + 46), (x, y + 52)])
    svg.ground(page, x, y + 52)


def lamps(page: Page, speak: Speak, seats: int, pins: Sequence[int] = ()) -> None:
    """Draw the lamps on 5 V, a ULN2803A for every eight: from their *pins*, or from a chain of 74HC595."""
    chips = -(-seats // 8)
    driven = f"{chips} × {'ULN2803A' if pins else '(74HC595 + ULN2803A)'}"
    title = text("{n} lamps on {chips}", n=seats, chips=driven)
    frame(page, lamps_height(speak, seats, pins), speak(title))
    if not pins:
        _register(page, speak, more=chips > 1)
    page.box(206, 62, 66, 200)
    page.words(239, 55, "ULN2803A", size=10.5, anchor="middle", bold=True)
    for number in range(1, 9):
        y = 56 + 22 * number
        if pins:
            _from_pin(page, y, number, pins)
        else:
            _from_register(page, y, number)
        page.words(210, y + 4, str(number), size=9)
        page.words(268, y + 4, str(19 - number), size=9, anchor="end")
        _lamp(page, y, number, bright=number <= seats)
    page.line([(352, 66), (352, 78 + 22 * 7)], colour=RED.fill, width=2.4)
    page.words(352, 60, "5 V", size=10, anchor="middle", fill=RED.fill, bold=True)
    page.line([(272, 254), (352, 254), (352, 232)], colour=RED.fill, width=2)
    page.words(268, 258, "COM 10", size=9, anchor="end")
    page.line([(239, 262), (239, 270)], width=2)
    svg.ground(page, 239, 270)
    page.words(256, 277, "GND 9", size=9)
    _notes(page, speak, _lamp_notes(seats, pins), LAMPS_NOTES_Y)


def _from_register(page: Page, y: float, number: int) -> None:
    """Draw the line from an output of the 74HC595, with its name and pin."""
    pin = 15 if number == 1 else number - 1
    page.line([(166, y), (206, y)])
    page.words(163, y + 4, f"Q{'ABCDEFGH'[number - 1]} {pin}", size=9, anchor="end")


def _from_pin(page: Page, y: float, number: int, pins: Sequence[int]) -> None:
    """Draw the wire from the pin of a lamp in its colour."""
    if number <= len(pins):
        page.words(84, y + 4, pin_name("pi", pins[number - 1]), size=10, anchor="end", bold=True)
        page.wire([(92, y), (206, y)], colour_of(f"lamp.{number}"))


def _register(page: Page, speak: Speak, *, more: bool) -> None:
    """Draw the 74HC595 with the three wires from the board in their colours."""
    page.box(74, 62, 92, 200)
    page.words(120, 55, "74HC595", size=10.5, anchor="middle", bold=True)
    signals = (("led data", "14 SER"), ("led clock", "11 SRCLK"), ("led latch", "12 RCLK"))
    for number, (use, name) in enumerate(signals):
        y = 78 + 22 * number
        page.wire([(14, y), (74, y)], colour_of(use))
        page.words(78, y + 4, name, size=9)
    for number, name in enumerate(("16 VCC", "10 SRCLR")):
        _tied(page, 74, 152 + 20 * number, name, RED, speak(VOLTS))
    for number, name in enumerate(("8 GND", "13 OE")):
        _tied(page, 74, 200 + 20 * number, name, BLACK, speak(TO_GROUND))
    page.words(78, 254, "9 QH′", size=9)
    if more:
        page.line([(74, 250), (60, 250), (60, 272)])
        page.words(14, 283, "→ 14 SER", size=9, fill=FAINT)


def _tied(page: Page, x: float, y: float, pin: str, colour: Colour, to: str) -> None:
    page.line([(x - 16, y), (x, y)], colour=colour.fill, width=2.4)
    page.words(x - 19, y + 4, to, size=9, anchor="end", fill=colour.fill)
    page.words(x + 4, y + 4, pin, size=9)


def _lamp(page: Page, y: float, number: int, *, bright: bool) -> None:
    """Draw one lamp between its output and 5 V; those without a seat are left out."""
    if not bright:
        return
    page.line([(272, y), (282, y)])
    svg.lamp(page, 290, y)
    page.words(279, y - 5, str(number), size=8.5, anchor="middle", bold=True)
    page.line([(297, y), (306, y)])
    page.box(306, y - 5.5, 34, 11, round_by=0)
    page.words(323, y + 3.2, "220 Ω", size=8, anchor="middle")
    page.line([(340, y), (352, y)])


def _lamp_notes(seats: int, pins: Sequence[int]) -> list[Text]:
    chain = [
        text("Lamp 1 is on QA of the first 74HC595, to which SER goes; SRCLK and RCLK go to all."),
        text("100 nF from VCC to ground, right at each 74HC595. Its supply is 3.3 V, never 5 V."),
    ]
    notes = [
        *([] if pins else chain),
        text("Lamps are drawn from 5 V through the ULN2803A, never from a pin of the board."),
    ]
    if seats > 8:
        further = text("Lamps {first} to {last} go to the next chip in the same way.", first=9, last=seats)
        notes.insert(0 if pins else 1, further)
    return notes


def lamps_height(speak: Speak, seats: int, pins: Sequence[int] = ()) -> float:
    """Return how high the panel of the lamps is."""
    return LAMPS_NOTES_Y + _room(speak, _lamp_notes(seats, pins))


def notes_height(speak: Speak, said: Sequence[Text]) -> float:
    """Return how much of a page these notes need, frame included."""
    return 38 + _room(speak, said)


def notes(page: Page, speak: Speak, title: Text, said: Sequence[Text]) -> None:
    """Write notes in a frame of their own."""
    frame(page, notes_height(speak, said), speak(title))
    _notes(page, speak, said, 38)


def _wrapped(sentence: str) -> list[str]:
    """Break a note into lines, never between a number and its unit.

    >>> _wrapped("x" * 60 + " 3.4 ms.")[1]
    '3.4\\xa0ms.'
    """
    whole = re.sub(r"(\d) (V|m|mm|Ω|kΩ|nF|µs|ms)\b", "\\1\u00a0\\2", sentence)
    return textwrap.wrap(whole, ROOM)


def _room(speak: Speak, said: Sequence[Text]) -> float:
    return sum(12.5 * len(_wrapped(speak(note))) + 3 for note in said)


def _notes(page: Page, speak: Speak, said: Sequence[Text], y: float) -> None:
    """Write notes from the line at *y*, each with a dot."""
    for note in said:
        for number, line in enumerate(_wrapped(speak(note))):
            if number == 0:
                page.dot(15, y - 3.5, 2, fill=INK)
            page.words(23, y, line, size=9.6)
            y += 12.5
        y += 3


A4 = (1188, 840)
ONE_PAGE_SEATS = 8
TOP = 84
PANELS_X, PANELS_Y = 806, 22

Panel = tuple[float, Callable[[Page], None]]


def sheets(profile: Profile, speak: Speak) -> list[str]:
    """Return the wiring of *profile* as pages of SVG; raise BadInput for one that is wired only in memory."""
    must_be_wired(profile)
    if len(profile.pins.noses) <= ONE_PAGE_SEATS and profile.board == "pi":
        beside = [*_channel(profile, speak), *_lamps(profile, speak), _mind(profile, speak)]
        return [_sheet(profile, speak, "pi", beside)]
    beside = _channel(profile, speak)
    if profile.board != "pico":
        beside.append(_mind(profile, speak))
    first = _sheet(profile, speak, profile.board, beside, number=1)
    return [first, _second(profile, speak)]


def must_be_wired(profile: Profile) -> None:
    """Raise BadInput for a profile that is wired only in memory."""
    if profile.board == "mock":
        raise BadInput(
            text("The profile {name} exists only in memory: there is nothing to wire.", name=profile.name)
        )


def _second(profile: Profile, speak: Speak) -> str:
    """Return the second page: the Pi beside a Pico, or a big table's lamps and list of wires."""
    if profile.board == "pico":
        return _sheet(profile, speak, "pi", [*_lamps(profile, speak), _mind(profile, speak)], number=2)
    return _list_sheet(profile, speak)


def title(profile: Profile) -> Text:
    """Return what stands on every page of *profile*."""
    return text("Last Nose: build {name}", name=profile.name)


def titled_page(profile: Profile, speak: Speak, what: Text, number: int | None = None) -> Page:
    """Return a page of A4 with its title, *what* is on it, and its *number* where it is one of two."""
    page = Page(*A4, speak(title(profile)))
    page.words(36, 40, speak(title(profile)), size=20, bold=True)
    page.words(36, 60, speak(what), size=11.5, fill=FAINT)
    if number is not None:
        words = speak(text("page {n} of {count}", n=number, count=2))
        page.words(PANELS_X - 24, 40, words, anchor="end", fill=FAINT)
    return page


def _sheet(
    profile: Profile, speak: Speak, on: Board, beside: Sequence[Panel], *, number: int | None = None
) -> str:
    """Return a page with a board and its parts, and panels in a column at the right."""
    what = text("{board} from above. Every contact closes to ground. 3.3 V only.", board=board_name(on))
    page = titled_page(profile, speak, what, number)
    with page.moved(10, TOP):
        BoardDrawing(page, on, wires(profile), speak).draw()
    _stack(page, beside, PANELS_X, PANELS_Y)
    return page.svg()


def _stack(page: Page, beside: Sequence[Panel], x: float, y: float) -> None:
    for height, draw in beside:
        with page.moved(x, y):
            draw(page)
        y += height + 10


def _channel(profile: Profile, speak: Speak) -> list[Panel]:
    """Return the circuit of one input; without a soldering iron it is a resistor, which the wires show."""
    return [(channel_height(speak), lambda page: channel(page, speak))] if profile.soldered else []


def _lamps(profile: Profile, speak: Speak) -> list[Panel]:
    seats, pins = len(profile.pins.noses), profile.pins.lamps
    if profile.pins.leds is None and not pins:
        return []
    return [(lamps_height(speak, seats, pins), lambda page: lamps(page, speak, seats, pins))]


def _mind(profile: Profile, speak: Speak) -> Panel:
    """Return what to mind: safety, the colours, config.txt, and the profile's own warnings."""
    said = [POWER_OFF]
    if profile.oled.driver != "none":
        said.append(OLED_PRINT)
    if profile.pins.sync is not None:
        said.append(sync_wire(profile, speak))
    if lines := profile.config_lines():
        said.append(Text(f"config.txt: {'  '.join(lines)}"))
    said += profile.warnings()
    return notes_height(speak, said), lambda page: notes(page, speak, text("Mind"), said)


def sync_wire(profile: Profile, speak: Speak) -> Text:
    """Return where the sync wire goes, of a profile that has one."""
    (wire,) = (wire for wire in wires(profile) if wire.use == "sync")
    return text(
        "Only beside another box, or the Pi’s own pins: pin {pin} to the sync pin there through 1 kΩ, ground "
        "to ground.",
        pin=f"{wire.physical} ({speak(wire.to)})",
    )


def _list_sheet(profile: Profile, speak: Speak) -> str:
    """Return a page with the list of wires, and the lamps where there are any."""
    page = titled_page(profile, speak, text("Every wire at a pin"), 2)
    found = wires(profile)
    half = -(-len(found) // 2)
    for column, part in enumerate((found[:half], found[half:])):
        with page.moved(36 + column * 385, 100):
            for number, wire in enumerate(part):
                y = 40 * number
                page.wire([(92, y), (150, y)], wire.colour)
                page.words(0, y + 4, str(wire.physical), size=12, bold=True)
                page.words(26, y + 4, wire.pin, size=11)
                page.words(158, y, speak(wire.to), size=12, bold=True)
                page.words(158, y + 12, speak(wire.colour.name), size=9, fill=FAINT)
    _stack(page, _lamps(profile, speak), PANELS_X, PANELS_Y)
    return page.svg()


def channel_sheet(speak: Speak) -> str:
    """Return the schematic of one input channel by itself."""
    page = Page(WIDTH + 24, channel_height(speak) + 24, speak(text("One input channel")))
    with page.moved(12, 12):
        channel(page, speak)
    return page.svg()


# ---- Pictures of a booklet's steps


def meter(speak: Speak) -> str:
    """Draw a multimeter whose leads are at the lugs of a button."""
    page = Page(420, 230, speak(text("The parts")))
    page.box(20, 20, 130, 190, fill="#f2c500", round_by=12)
    page.box(38, 38, 94, 46, fill="#e4efe0")
    page.words(85, 69, "0.00 Ω", size=18, anchor="middle", bold=True)
    page.dot(85, 140, 30, fill="#3a3a3a", stroke=INK)
    page.line([(85, 140), (104, 120)], colour="#ffffff", width=4)
    for colour, y, end in (("#d0021b", 178, 106), ("#1a1a1a", 196, 134)):
        page.dot(138, y, 5, fill=colour, stroke=INK)
        page.line([(138, y), (215, y), (265, end), (318, end)], colour=colour, width=3.4)
    page.box(318, 80, 60, 80, fill="#ececec")
    page.dot(378, 120, 34, fill="#d8d8d8", stroke=INK)
    page.dot(378, 120, 22, fill="#d0021b", stroke=INK)
    page.words(322, 110, "NO", size=10)
    page.words(322, 138, "COM", size=10)
    return page.svg()


def screen(lines: Sequence[str], title: str) -> str:
    """Draw a screen with *lines* on it; *title* is for who does not see it."""
    page = Page(460, 62 + 24 * len(lines), title)
    page.box(14, 14, 432, 34 + 24 * len(lines), fill="#20242a", round_by=8)
    for number, line in enumerate(lines):
        page.words(32, 46 + 24 * number, line.replace("  ", "\u2003"), size=14, fill="#f4f4f0")
    return page.svg()
