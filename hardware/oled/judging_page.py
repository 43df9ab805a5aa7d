"""A round under way, on the small screen: who has pressed, and what is left in the rack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.text import text
from companion.views.snapshot import Cradle, PlayerRow
from hardware.oled import layout
from hardware.oled.layout import LARGE, SMALL, Frame
from hardware.oled.scene import Scene, ScreenPage
from hardware.oled.text.canvas import Canvas, Font

RACK_HEIGHT = 13
PITCH = 12
NARROWEST = 30  # pixels of a column, for a name that can still be told from others


def judging(scene: Scene) -> ScreenPage:
    """Return every player who is in; those who have pressed are inverse."""
    playing = [row for row in scene.snapshot.rows if not row.out]
    rack = _in_use(scene.snapshot.rack)
    if rack:
        return _rack(scene, playing, rack)
    down = sum(1 for row in playing if row.pressed)
    title = text("{n} of {of}", n=down, of=len(playing))
    return ScreenPage(title, partial(_grid, playing), dense=len(playing) > 8)


def _rack(scene: Scene, playing: Sequence[PlayerRow], rack: Sequence[Cradle]) -> ScreenPage:
    """Return what is left in the rack and who has confirmed; the headline alone where nobody can (SPN-6)."""
    title = text("{n} of {of}", n=sum(1 for cradle in rack if cradle.lifted), of=len(rack))
    if not scene.snapshot.proof:
        return ScreenPage(title, partial(_rack_alone, rack, scene.translate(scene.snapshot.headline)))
    return ScreenPage(title, partial(_rack_and_names, rack, playing), dense=len(playing) > 6)


def _rack_alone(rack: Sequence[Cradle], says: str, frame: Frame) -> None:
    """Draw the rack large and a sentence below it."""
    font = layout.best_font(says, frame.width)
    room = frame.height - font.height - 2
    _draw(frame.canvas, frame.top + 1, frame.width, room, rack, most_pitch=2 * PITCH)
    frame.canvas.text(0, frame.bottom - font.height, font.fit(says, frame.width), font)


def _rack_and_names(rack: Sequence[Cradle], playing: Sequence[PlayerRow], frame: Frame) -> None:
    """Draw the rack in a strip, and below it the players: inverse with a spoon, a cross for a phantom."""
    high = RACK_HEIGHT if frame.height >= 3 * LARGE.height else SMALL.height
    _draw(frame.canvas, frame.top, frame.width, high - 1, rack)
    _grid(playing, Frame(frame.canvas, frame.top + high))


def _grid(rows: Sequence[PlayerRow], frame: Frame) -> None:
    few = len(rows) <= min(8, 2 * layout.lines_in(frame.height, LARGE))
    font: Font = LARGE if few and frame.height >= 3 * LARGE.height else SMALL
    line, names = _names(rows, font, frame)
    a_column = layout.lines_in(frame.height, line)
    width = frame.width // _columns(rows, line, frame)
    names = layout.short_names(names, width - 2, font)
    for number, (row, name) in enumerate(zip(rows, names, strict=True)):
        x, y = number // a_column * width, frame.top + number % a_column * line.height
        base = y + line.base
        frame.canvas.text(x + 1, base - font.base, name, font)
        if row.phantom:
            frame.canvas.clear(x + width - 10, y, 9, line.height)
            frame.canvas.pattern(x + width - 9, base - (8 if font is LARGE else 7), layout.OUT)
        if row.pressed:
            skip = 1 if line is LARGE else 0
            frame.canvas.invert(x, y + skip, width - 1, line.height - skip)


def _names(rows: Sequence[PlayerRow], font: Font, frame: Frame) -> tuple[Font, list[str]]:
    """Return the font that gives the height of a line, and the names.

    Where lines that high leave too little width, a name that needs one becomes the number of its seat.
    """
    names = [row.player for row in rows]
    tallest = layout.tallest([font, *map(font.suited, names)])
    if frame.width // _columns(rows, tallest, frame) >= NARROWEST:
        return tallest, names
    return font, [row.player if font.suited(row.player) is font else str(row.seat) for row in rows]


def _columns(rows: Sequence[PlayerRow], line: Font, frame: Frame) -> int:
    return max(1, -(-len(rows) // layout.lines_in(frame.height, line)))


# The rack.


def _in_use(cradles: Sequence[Cradle]) -> tuple[Cradle, ...]:
    """Return the cradles that count in this round; what has been retired is not drawn."""
    return tuple(cradle for cradle in cradles if cradle.used)


def _draw(
    canvas: Canvas, y: int, width: int, height: int, cradles: Sequence[Cradle], *, most_pitch: int = PITCH
) -> None:
    """Draw *cradles* in the middle of *width*: full ones with a tall piece in them, empty ones as a cup."""
    pitch = min(most_pitch, width // max(1, len(cradles)))
    piece = max(1, pitch // 2)
    left = (width - pitch * len(cradles)) // 2 + (pitch - piece) // 2
    for number, cradle in enumerate(cradles):
        _cradle(canvas, left + number * pitch, y, piece, height, lifted=cradle.lifted)


def _cradle(canvas: Canvas, x: int, y: int, width: int, height: int, *, lifted: bool) -> None:
    """Draw the cup, and in it the piece with a rounded head."""
    bottom = y + height
    canvas.fill(x - 1, bottom - 1, width + 2, 1)
    canvas.fill(x - 1, bottom - 3, 1, 2)
    canvas.fill(x + width, bottom - 3, 1, 2)
    if lifted:
        return
    round_head = width > 2
    canvas.fill(x + round_head, y, width - 2 * round_head, 1)
    canvas.fill(x, y + 1, width, height - 3)
