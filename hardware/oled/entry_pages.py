"""What is filled in on phones, as the small screen shows it: the pad of whose turn it is, and its sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.text import Text, text
from companion.games.rules.prompts import Keypad
from companion.games.rules.sheet import SheetRow
from hardware.oled import hand_pictures, layout
from hardware.oled.hand_pictures import Picture
from hardware.oled.layout import LARGE, SMALL, Frame
from hardware.oled.scene import Scene, ScreenPage

TRIPLE = 3 * LARGE.height
GAP = 2  # rows between the last line and the picture below it


def pages(scene: Scene) -> list[ScreenPage]:
    """Return what the table is at: a page for each pad, else the moment itself."""
    pads = [entry for entry in scene.snapshot.entries if isinstance(entry, Keypad)]
    return [_pad(scene, pad) for pad in pads] or [moment(scene)]


def moment(scene: Scene) -> ScreenPage:
    """Return what is being written, who deals, what the hand looks like, and who leads."""
    snapshot = scene.snapshot
    lines = snapshot.sheet.lines if snapshot.sheet is not None else ()
    line = next((line for line in lines if line.current), None)
    dealing = scene.say(_dealing(snapshot.sheet.players, line)) if snapshot.sheet and line else []
    head, rest = scene.translate(snapshot.headline), [*dealing, *scene.say(snapshot.proof)]
    picture = hand_pictures.read(line.picture) if line is not None else None
    return ScreenPage(scene.round_title(), partial(_moment, head, rest, picture))


def _dealing(players: tuple[str, ...], line: SheetRow) -> tuple[Text, ...]:
    if not line.dealer or not line.starter:
        return ()
    dealer, starter = players[line.dealer - 1], players[line.starter - 1]
    return (text("{dealer} deals, {starter} starts.", dealer=dealer, starter=starter),)


def _moment(head: str, rest: Sequence[str], picture: Picture | None, frame: Frame) -> None:
    """Draw the sentence and the lines below it; where there is room, the picture at the foot."""
    if picture is None or not frame.roomy or picture.width > frame.width:
        layout.wrapped(frame, [head, *rest])
        return
    foot = frame.bottom - picture.height
    picture.draw(frame.canvas, 0, foot)
    foot -= GAP
    for font in (LARGE, SMALL):
        lines = font.wrap(head, frame.width)
        below = frame.top + layout.lines_height(lines, font)
        more = _whole(rest, frame.width, foot - below)
        if more or (below <= foot and not rest) or font is SMALL:
            break
    layout.text_lines(Frame(frame.canvas, frame.top, below), lines, font)
    layout.text_lines(Frame(frame.canvas, below, foot), more, SMALL)


def _whole(messages: Sequence[str], width: int, room: int) -> list[str]:
    """Return the lines of as many *messages* as go into *room* to their ends."""
    lines: list[str] = []
    for message in messages:
        wanted = lines + SMALL.wrap(message, width)
        if layout.lines_height(wanted, SMALL) > room:
            break
        lines = wanted
    return lines


def _pad(scene: Scene, pad: Keypad) -> ScreenPage:
    """Return whose turn it is, the sum large, and what there is to know of it."""
    label = scene.translate(pad.label)
    sign = scene.translate(pad.sign) if isinstance(pad.sign, Text) else pad.sign
    return ScreenPage(scene.round_title(), partial(_paint, label, sign, scene.say(scene.snapshot.proof)))


def _paint(label: str, sign: str, messages: Sequence[str], frame: Frame) -> None:
    """Draw the label, and the sum beside the messages if it is short, else above them."""
    canvas, wide = frame.canvas, 3 * LARGE.measure(sign)
    if not frame.roomy:
        layout.wrapped(frame, [f"{label}: {sign}" if sign else label, *messages])
        return
    top = layout.top_line(frame, label)
    if wide > frame.width // 3 or frame.bottom - top < TRIPLE:
        layout.hero(canvas, 0, top - 2, sign, frame.width)
        layout.wrapped(frame, messages, top=top + 23)
        return
    canvas.text(frame.width - wide, top - 2, sign, LARGE, (3, 3))
    lines = layout.paragraphs(messages, frame.width - wide - 4, SMALL)
    lines = lines[: layout.lines_that_fit(lines, SMALL, frame.bottom - top)]
    layout.draw_lines(canvas, 0, top + 2, lines, SMALL)
