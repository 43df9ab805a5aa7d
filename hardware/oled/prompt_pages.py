"""What the table is asked, on the small screen: what is shown, the cards turned, the question, its choices.

Phones take the answer; here everybody can read it. What does not fit one page goes on to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.pieces.cards import Card, corner, shown, suit_sign
from lastnose.companion.games.rules.prompts import Choose, ChooseSeat, Keypad, Show, Step
from lastnose.companion.games.rules.sheet import SheetRow
from lastnose.hardware.oled import layout
from lastnose.hardware.oled.canvas import Canvas, Font
from lastnose.hardware.oled.layout import LARGE, SMALL, Frame, Scene, ScreenPage

CARD_WIDTH, CARD_HEIGHT = 16, 24
ALL = 99
QUESTION = text("A question")


class Asked(msgspec.Struct, frozen=True):
    """What is shown and asked together, in the reader's language; `cards` turned so far, the newest last."""

    title: Text
    lines: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    question: str = ""
    choices: tuple[str, ...] = ()


class _Strip(NamedTuple):
    """A piece of a page: its height, and what draws it from a given row; `foot`: it stands at the bottom."""

    height: int
    paint: Callable[[Frame, int], None]
    foot: bool = False


class _Look(NamedTuple):
    """How a page may be set: fonts of text, question and choices, and how many lines of choices."""

    text: Font
    question: Font
    choices: Font
    choice_lines: int


# From the best to the least that will do.
_LOOKS = (
    _Look(LARGE, LARGE, LARGE, ALL),
    _Look(LARGE, LARGE, SMALL, ALL),
    _Look(SMALL, LARGE, SMALL, ALL),
    _Look(SMALL, SMALL, SMALL, ALL),
    _Look(SMALL, LARGE, SMALL, 1),
    _Look(SMALL, SMALL, SMALL, 1),
)


def news(scene: Scene) -> list[ScreenPage]:
    """Return the pages that show something and ask nothing."""
    return _all_pages(scene, [one for one in _steps(scene) if not one.question])


def questions(scene: Scene) -> list[ScreenPage]:
    """Return the pages that ask in steps, with what is shown above each question."""
    return _all_pages(scene, [one for one in _steps(scene) if one.question])


def ruling(scene: Scene) -> list[ScreenPage]:
    """Return the page that asks what it was worth to be first, with what the host's button says."""
    asked = scene.snapshot.ruling
    if asked is None:
        return []
    labels = scene.say([choice.label for choice in asked.choices[:2]])
    how = text("Host button: short is “{right}”, long “{wrong}”.", right=labels[0], wrong=labels[1])
    found = Asked(QUESTION, tuple(scene.say([how])), (), scene.translate(asked.label))
    return _all_pages(scene, [found])


def beside(scene: Scene) -> list[ScreenPage]:
    """Return the pages that ask for a seat beside the verdict."""
    return _all_pages(scene, [_of_seats(scene, act) for act in scene.snapshot.acts if act.prompt is not None])


def _steps(scene: Scene) -> list[Asked]:
    """Return the steps put together: what is shown, with the questions that follow it."""
    found: list[Asked] = []
    for step in scene.snapshot.steps:
        if isinstance(step, Show):
            found.append(_shown(scene, step))
        else:
            above = found.pop() if found else Asked(QUESTION)
            found.append(_with_question(scene, above, step))
    return found


def _shown(scene: Scene, step: Show) -> Asked:
    """Return what *step* shows; a title in a script that is too tall for the heading is its first line."""
    title, lines = scene.translate(step.title), scene.say(step.lines)
    if SMALL.suited(title) is layout.TALL:
        return Asked(scene.round_title(), (title, *lines), step.cards)
    return Asked(step.title, tuple(lines), step.cards)


def _with_question(scene: Scene, above: Asked, step: Step) -> Asked:
    """Return *above* with what *step* asks; of a second question only the choices are told."""
    labels = [choice.label for choice in step.choices] if isinstance(step, Choose) else []
    choices = (*above.choices, *scene.say(labels))
    question = above.question or (scene.translate(step.label) if not isinstance(step, Show) else "")
    return msgspec.structs.replace(above, question=question, choices=choices)


def _of_seats(scene: Scene, act: ChooseSeat) -> Asked:
    names = tuple(row.player for row in scene.snapshot.rows if row.seat in act.seats)
    lines = scene.say([act.prompt] if act.prompt is not None else [])
    return Asked(QUESTION, tuple(lines), (), scene.translate(act.label), names)


# From what is asked to pages.


def _all_pages(scene: Scene, asked: Sequence[Asked]) -> list[ScreenPage]:
    return [page for one in asked for page in _pages(scene, one)]


def _pages(scene: Scene, asked: Asked) -> list[ScreenPage]:
    """Return *asked* as pages: together what fits together; text that is too long for one is cut up."""
    frame = scene.frame()
    blank = Asked(asked.title)
    parts = [
        *(msgspec.structs.replace(blank, lines=lines) for lines in _chunks(asked.lines, frame)),
        msgspec.structs.replace(blank, cards=asked.cards),
        msgspec.structs.replace(blank, question=asked.question, choices=asked.choices),
    ]
    pages: list[Asked] = []
    for part in (part for part in parts if part != blank):
        together = _joined(pages[-1], part) if pages else part
        if pages and _fitting(scene, together, frame) is not None:
            pages[-1] = together
        else:
            pages.append(part)
    stage = scene.snapshot.stage_says if asked.title == QUESTION else None
    head, beside = (asked.title, None) if stage is None else (stage, asked.title)
    return [ScreenPage(head, partial(_paint, scene, part), beside) for part in pages or [blank]]


def _chunks(lines: tuple[str, ...], frame: Frame) -> list[tuple[str, ...]]:
    """Return *lines* as they are when a page can hold them, else broken into what one page holds each."""
    broken = layout.paragraphs(lines, frame.width, SMALL)
    if layout.lines_height(broken, SMALL) <= frame.height:
        return [lines]
    return [tuple(part) for part in layout.lines_by_page(broken, SMALL, frame.height)]


def _joined(above: Asked, below: Asked) -> Asked:
    return Asked(
        above.title,
        (*above.lines, *below.lines),
        (*above.cards, *below.cards),
        above.question or below.question,
        (*above.choices, *below.choices),
    )


def _fitting(scene: Scene, asked: Asked, frame: Frame) -> list[_Strip] | None:
    """Return the strips of *asked* in the best look that fits *frame*, None when none does."""
    for look in _LOOKS:
        strips = _strips(scene, asked, frame, look)
        if sum(strip.height for strip in strips) <= frame.height:
            return strips
    return None


def _paint(scene: Scene, asked: Asked, frame: Frame) -> None:
    """Draw the strips from the top, the question and its choices at the bottom."""
    strips = _fitting(scene, asked, frame) or _strips(scene, asked, frame, _LOOKS[-1])
    top = frame.top
    below = sum(strip.height for strip in strips if strip.foot)
    for strip in strips:
        if strip.foot and any(not one.foot for one in strips):
            top = max(top, frame.bottom - below)
        strip.paint(frame, top)
        top += strip.height
        below -= strip.height if strip.foot else 0


# The strips.


def _strips(scene: Scene, asked: Asked, frame: Frame, look: _Look) -> list[_Strip]:
    strips = []
    if asked.lines:
        lines = layout.paragraphs(asked.lines, frame.width, look.text)
        strips.append(_Strip(layout.lines_height(lines, look.text), partial(_text, lines, look.text)))
    if asked.cards:
        strips.append(_card_strip(scene, asked.cards, frame))
    if asked.question:
        strips.append(_question_strip(asked.question, frame, look.question))
    if asked.choices:
        lines = _choice_lines(asked.choices, frame, look)
        strips.append(
            _Strip(layout.lines_height(lines, look.choices), partial(_text, lines, look.choices), foot=True)
        )
    return strips


def _text(lines: Sequence[str], font: Font, frame: Frame, y: int) -> None:
    layout.draw_lines(frame.canvas, 0, y, lines, font)


def _choice_lines(choices: Sequence[str], frame: Frame, look: _Look) -> list[str]:
    """Return *choices* side by side with dots between; what has no room ends in an ellipsis."""
    font = look.choices
    whole = [
        choice.replace(" ", "\u00a0") if font.measure(choice) <= frame.width else choice for choice in choices
    ]
    said = " ".join(choice + "\u00a0·" for choice in whole[:-1])
    said = f"{said} {whole[-1]}" if said else whole[-1]
    if look.choice_lines == 1:
        return [font.fit(said, frame.width)]
    return [line.removesuffix("\u00a0·") for line in font.wrap(said, frame.width)]


def _question_strip(question: str, frame: Frame, font: Font) -> _Strip:
    """Return *question* dark on a lit ground."""
    lines = font.wrap(question, frame.width - 2)
    return _Strip(layout.lines_height(lines, font) + 1, partial(_question, lines, font), foot=True)


def _question(lines: Sequence[str], font: Font, frame: Frame, y: int) -> None:
    layout.draw_lines(frame.canvas, 1, y, lines, font)
    skip = 1 if font is LARGE else 0
    frame.canvas.invert(0, y + skip, frame.width, layout.lines_height(lines, font) - skip)


def _card_strip(scene: Scene, cards: tuple[Card, ...], frame: Frame) -> _Strip:
    if not frame.roomy:
        said = scene.say([shown(card) for card in cards])
        return _Strip(SMALL.height, partial(_card_line, said))
    return _Strip(CARD_HEIGHT, partial(_cards, scene, cards), foot=True)


def _card_line(said: Sequence[str], frame: Frame, y: int) -> None:
    """Draw the newest cards that fit a line, the very newest inverse."""
    first = 0
    while SMALL.measure(" ".join(said[first:])) > frame.width and first < len(said) - 1:
        first += 1
    newest = said[-1]
    before = "".join(one + " " for one in said[first:-1])
    x = frame.canvas.text(0, y, before, SMALL)
    frame.canvas.text(x, y, newest, SMALL)
    frame.canvas.invert(x - 1, y, SMALL.measure(newest) + 1, SMALL.height)


def _cards(scene: Scene, cards: tuple[Card, ...], frame: Frame, y: int) -> None:
    """Draw the newest cards that fit side by side, the very newest lit; how many came before stands first."""
    a_row = frame.width // CARD_WIDTH
    x, first = 0, 0
    if len(cards) > a_row:
        first = len(cards) - a_row + 1
        frame.canvas.text(0, y + 8, f"+{first}", SMALL)
        x = CARD_WIDTH
    for card in cards[first:]:
        _card(scene, card, frame, x, y)
        x += CARD_WIDTH
    frame.canvas.invert(x - CARD_WIDTH + 1, y + 1, CARD_WIDTH - 3, CARD_HEIGHT - 2)


def _card(scene: Scene, card: Card, frame: Frame, x: int, y: int) -> None:
    """Draw the outline of a card with its rank above its suit; a joker is a star."""
    canvas, wide = frame.canvas, CARD_WIDTH - 1
    canvas.fill(x + 1, y, wide - 2, CARD_HEIGHT)
    canvas.fill(x, y + 1, wide, CARD_HEIGHT - 2)
    canvas.clear(x + 1, y + 1, wide - 2, CARD_HEIGHT - 2)
    if not card.suit:
        canvas.pattern(x + 4, y + 8, layout.STAR)
        return
    rank = corner(card.rank)
    said = scene.translate(rank) if isinstance(rank, Text) else rank
    canvas.text(x + (wide - LARGE.measure(said) + 1) // 2, y, said, LARGE)
    canvas.text(x + 5, y + 10, suit_sign(card.suit), LARGE)


# ---- what is filled in on phones


ALIKE, IN_A_ROW, OPEN = "=", "/", 4  # groups: one of any number shows so many
CARD_WIDE, CARD_HIGH, CARD_STEP, GROUP_GAP = 7, 10, 5, 4
HALF, PIP = 21, 3
_TILE = re.compile(r"(\d+)-(\d+)")
# Where pips stand on a half, in thirds, up to nine; beyond, how many stand in each of three rows.
_PIPS = ("", "5", "19", "159", "1379", "13579", "134679", "1345679", "12346789", "123456789")
_ROWS = ((4, 2, 4), (4, 3, 4), (4, 4, 4), (4, 5, 4), (5, 4, 5), (5, 5, 5))


class Picture(NamedTuple):
    """A picture: how large it is, and what draws it with its top left at a place of a canvas."""

    width: int
    height: int
    draw: Callable[[Canvas, int, int], None]


def read(written: str) -> Picture | None:
    """Return the picture that is *written* ("9-9", "=3 /4"), None for none that is known.

    >>> read("=3 =3").width, read("15-15").height, read("")
    (38, 21, None)
    """
    tile = _TILE.fullmatch(written)
    if tile:
        halves = (int(tile[1]), int(tile[2]))
        return Picture(2 * HALF - 1, HALF, lambda canvas, x, y: _tile(canvas, x, y, halves))
    groups = written.split() if written[:1] in (ALIKE, IN_A_ROW) else []
    if not groups:
        return None
    wide = sum((_size(group) - 1) * CARD_STEP + CARD_WIDE for group in groups)
    high = CARD_HIGH + max(map(_climb, groups))
    return Picture(
        wide + (len(groups) - 1) * GROUP_GAP, high, lambda canvas, x, y: _groups(canvas, x, y, groups)
    )


def _size(group: str) -> int:
    return OPEN if group.endswith("*") else int(group[1:])


def _climb(group: str) -> int:
    return _size(group) - 1 if group[0] == IN_A_ROW else 0


def _groups(canvas: Canvas, x: int, y: int, groups: list[str]) -> None:
    """Draw groups of cards: alike they lie level, in a row they climb."""
    highest = max(map(_climb, groups))
    for group in groups:
        for number in range(_size(group)):
            top = y + highest - (number if group[0] == IN_A_ROW else 0)
            _box(canvas, x, top, CARD_WIDE, CARD_HIGH)
            if group[0] == ALIKE:
                canvas.fill(x + 2, top + 2, 2, 2)
            if number == OPEN - 1 and group.endswith("*"):
                canvas.text(x + CARD_WIDE + 1, top, "…", SMALL)
            x += CARD_STEP
        x += CARD_WIDE - CARD_STEP + GROUP_GAP


def _box(canvas: Canvas, x: int, y: int, width: int, height: int) -> None:
    canvas.fill(x, y, width, height)
    canvas.clear(x + 1, y + 1, width - 2, height - 2)


def _tile(canvas: Canvas, x: int, y: int, halves: tuple[int, int]) -> None:
    """Draw a tile that lies, its halves beside each other."""
    for number, pips in enumerate(halves):
        left = x + number * (HALF - 1)
        _box(canvas, left, y, HALF, HALF)
        for across, down in _places(pips):
            canvas.fill(left + across, y + down, PIP if pips < len(_PIPS) else 2, PIP)


def _places(pips: int) -> list[tuple[int, int]]:
    """Return where the pips of a half stand, from its top left."""
    if pips < len(_PIPS):
        return [(3 + (int(at) - 1) % 3 * 6, 3 + (int(at) - 1) // 3 * 6) for at in _PIPS[pips]]
    rows = enumerate(_ROWS[pips - len(_PIPS)])
    return [(9 + 3 * (2 * n + 1 - count) // 2, 3 + row * 6) for row, count in rows for n in range(count)]


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
    picture = read(line.picture) if line is not None else None
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
    return ScreenPage(
        scene.round_title(), partial(_paint_entry, label, sign, scene.say(scene.snapshot.proof))
    )


def _paint_entry(label: str, sign: str, messages: Sequence[str], frame: Frame) -> None:
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
