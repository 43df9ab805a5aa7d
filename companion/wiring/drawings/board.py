"""A board as it lies on the table, each used pin with its wire to a labelled part, grounds on a bus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from companion.core.text import Text, text
from companion.wiring.boards import LAYOUTS, Board
from companion.wiring.drawings import svg
from companion.wiring.drawings.svg import FAINT, INK, PAPER, Page
from companion.wiring.wires import BLACK, CHANNEL, LAMP_DRIVER, Wire, board_name

Speak = Callable[[Text], str]
Side = Literal[-1, 1]

ROWS, PITCH = 20, 32
HALF_GAP = {"pi": 16, "pico": 52, "mock": 16}  # from the middle line to a column of pins
RESISTOR, BOX, BOX_WIDTH, BUS = 86, 196, 108, 324  # along a wire, counted from its pin
WIDTH = 790


def place(board: Board, physical: int) -> tuple[Side, int]:
    """Return the side and the row of a pin, as one looks at the board from above.

    The Pi lies with its header along the right edge and USB at the bottom; the Pico with USB at the top.

    >>> place("pi", 1), place("pi", 40), place("pico", 20), place("pico", 21), place("pico", 40)
    ((-1, 0), (1, 19), (-1, 19), (1, 19), (1, 0))
    """
    if board == "pico":
        return (-1, physical - 1) if physical <= ROWS else (1, 2 * ROWS - physical)
    return (1 if physical % 2 == 0 else -1, (physical - 1) // 2)


_ENDS = {
    "pi": (text("the end with the microSD card"), text("the end with the USB ports")),
    "pico": (text("the end with USB"), text("the end without USB")),
}


class BoardDrawing:
    """One board in the middle of a strip; parts left and right of it in the order of the pins."""

    def __init__(self, page: Page, board: Board, wires: Sequence[Wire], speak: Speak) -> None:
        self.page, self.board, self.speak = page, board, speak
        self.wires = {wire.physical: wire for wire in wires if wire.board == board}
        self.middle = WIDTH / 2

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
        self.page.words(
            self.middle, top - 9, f"{name} ↑ {self.speak(above)}", size=10, anchor="middle", fill=FAINT
        )
        self.page.words(
            self.middle, bottom + 15, f"↓ {self.speak(below)}", size=10, anchor="middle", fill=FAINT
        )
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
        name = self.speak(wire.colour.short)
        self._colour_name(side, y, name)
        if wire.use != "ground":
            self._part(side, y, wire)
        if wire.through == LAMP_DRIVER:
            svg.driver(self.page, self._x(side, RESISTOR), y, "ULN")
        elif wire.through is not None:
            value = "1 kΩ" if wire.through == CHANNEL else self.speak(wire.through)
            svg.resistor(self.page, self._x(side, RESISTOR), y, value)

    def _colour_name(self, side: Side, y: float, name: str) -> None:
        """Write the colour above the wire, next to its part."""
        x = self._x(side, BOX - 4)
        self.page.words(x, y - 5, name, size=9, anchor="start" if side < 0 else "end", fill=FAINT)

    def _part(self, side: Side, y: float, wire: Wire) -> None:
        """Draw the part in its box, and its other end to the bus where it has one."""
        left = min(self._x(side, BOX), self._x(side, BOX + BOX_WIDTH))
        kind = wire.use.partition(".")[0]
        grounded = kind in ("nose", "spoon", "dock", "host", "buzzer")
        if grounded:
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
        names = (wire.to for wire in self.wires.values() if wire.use == "ground")
        label = self.speak(next(names, text("ground bus")))
        middle = (top + bottom) / 2
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
