"""What is filled in on phones, as the small screen shows it: the pad of whose turn it is, and its sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.games.asks import Pad
from companion.games.score_sheet import Line
from companion.text import Text, text
from hardware import layout
from hardware.layout import LARGE, SMALL, Frame
from hardware.scene import Page, Scene

TRIPLE = 3 * LARGE.height
# Groups of cards in a picture: alike or in a row; one of any number shows so many.
ALIKE, IN_A_ROW, OPEN = "=", "/", 4
GROUPS = (ALIKE, IN_A_ROW)
CARD_WIDE, CARD_HIGH, CARD_STEP, GROUP_GAP = 7, 10, 5, 4


def pages(scene: Scene) -> list[Page]:
    """Return what the table is at: a page for each pad, else the moment itself."""
    pads = [entry for entry in scene.snapshot.entries if isinstance(entry, Pad)]
    return [_pad(scene, pad) for pad in pads] or [moment(scene)]


def moment(scene: Scene) -> Page:
    """Return what is being written, who deals, what the hand looks like, and who leads."""
    snapshot = scene.snapshot
    lines = snapshot.sheet.lines if snapshot.sheet is not None else ()
    line = next((line for line in lines if line.current), None)
    dealing = scene.say(_dealing(snapshot.sheet.players, line)) if snapshot.sheet and line else []
    head, rest = scene.translate(snapshot.headline), [*dealing, *scene.say(snapshot.proof)]
    groups = line.picture.split() if line is not None and line.picture[:1] in GROUPS else []
    return Page(scene.round_title(), partial(_moment, head, rest, groups))


def _dealing(players: tuple[str, ...], line: Line) -> tuple[Text, ...]:
    if not line.dealer or not line.starter:
        return ()
    dealer, starter = players[line.dealer - 1], players[line.starter - 1]
    return (text("{dealer} deals, {starter} starts.", dealer=dealer, starter=starter),)


def _moment(head: str, rest: Sequence[str], groups: Sequence[str], frame: Frame) -> None:
    """Draw the sentence and the lines below it; where there is room, the groups of cards at the foot."""
    if not groups or not frame.roomy or _width(groups) > frame.width:
        layout.wrapped(frame, [head, *rest])
        return
    foot = frame.bottom - CARD_HIGH - max(_climb(group) for group in groups)
    _draw_groups(frame, foot, groups)
    for font in (LARGE, SMALL):
        lines = font.wrap(head, frame.width)
        below = frame.top + len(lines) * font.height
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
        if len(wanted) * SMALL.height > room:
            break
        lines = wanted
    return lines


def _size(group: str) -> int:
    return OPEN if group.endswith("*") else int(group[1:])


def _climb(group: str) -> int:
    return _size(group) - 1 if group[0] == IN_A_ROW else 0


def _width(groups: Sequence[str]) -> int:
    cards = sum((_size(group) - 1) * CARD_STEP + CARD_WIDE for group in groups)
    return cards + (len(groups) - 1) * GROUP_GAP


def _draw_groups(frame: Frame, top: int, groups: Sequence[str]) -> None:
    """Draw groups of cards in little: alike they lie level, in a row they climb (see `Line.picture`)."""
    canvas, x = frame.canvas, 0
    highest = max(_climb(group) for group in groups)
    for group in groups:
        for number in range(_size(group)):
            y = top + highest - (number if group[0] == IN_A_ROW else 0)
            canvas.fill(x, y, CARD_WIDE, CARD_HIGH)
            canvas.clear(x + 1, y + 1, CARD_WIDE - 2, CARD_HIGH - 2)
            if group[0] == ALIKE:
                canvas.fill(x + 2, y + 2, 2, 2)
            if number == OPEN - 1 and group.endswith("*"):
                canvas.text(x + CARD_WIDE + 1, y, "…", SMALL)
            x += CARD_STEP
        x += CARD_WIDE - CARD_STEP + GROUP_GAP


def _pad(scene: Scene, pad: Pad) -> Page:
    """Return whose turn it is, the sum large, and what there is to know of it."""
    label = scene.translate(pad.label)
    sign = scene.translate(pad.sign) if isinstance(pad.sign, Text) else pad.sign
    return Page(scene.round_title(), partial(_paint, label, sign, scene.say(scene.snapshot.proof)))


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
