"""A snapshot in, a picture out: every screen of the OLED. Pure drawing that never knows the device.

Each phase is a tuple of pages; the display turns them, round and round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PIL import Image

from companion.core.ports import JoinInfo
from companion.core.text import Text, text
from companion.views.hall import hall_lines
from companion.views.snapshot import PlayerRow, Snapshot, ZeroView
from hardware.oled import layout, phase_pages, prompt_pages
from hardware.oled.layout import NAME_X, SMALL, Frame, dense_cell, standing, standing_height
from hardware.oled.scene import Scene, ScreenPage, Translate
from hardware.oled.text.canvas import Canvas, Font

_SENTENCE = re.compile(r"(?<=[.!?…]) +")


def pages_of_sentences(
    messages: Sequence[str], width: int, height: int, font: Font
) -> list[tuple[list[str], Font]]:
    """Return *messages* as pages of whole sentences, each with its lines and the font that they go in.

    A sentence that is longer than a page in *font* goes in the smaller one; if that is not enough, its lines
    are shared out evenly, so that no page holds a last word alone.
    """
    pages: list[tuple[list[str], Font]] = []
    for message in messages:
        before: list[str] = []  # what stands on the page above this message
        said = ""
        for number, sentence in enumerate(_SENTENCE.split(message)):
            if number == 0 and pages and pages[-1][1] is font:
                before = pages[-1][0]
            longer = f"{said} {sentence}" if said else sentence
            lines = [*before, *font.wrap(longer, width)]
            if (before or said) and layout.lines_height(lines, font) <= height:
                pages[-1], said = (lines, font), longer
                continue
            before, said = [], sentence
            alone = _alone(sentence, width, height, font)
            pages += alone
            if alone[-1][1] is not font or len(alone) > 1:
                said = ""
    return pages


def _alone(sentence: str, width: int, height: int, font: Font) -> list[tuple[list[str], Font]]:
    """Return the pages of one *sentence*."""
    for one in (font, SMALL):
        lines = one.wrap(sentence, width)
        if layout.lines_height(lines, one) <= height:
            return [(lines, one)]
    most = layout.lines_that_fit(lines, SMALL, height)
    count = -(-len(lines) // most)
    ends = [len(lines) * part // count for part in range(count + 1)]
    return [(lines[start:end], SMALL) for start, end in pairwise(ends)]


UNDER_WAY = ("armed", "judging", "blocked")
FIRST: dict[str, Callable[[Scene], ScreenPage]] = {
    "setup": phase_pages.setup,
    "blocked": phase_pages.blocked,
    "judging": phase_pages.judging,
    "verdict": phase_pages.verdict,
    "dead-heat": phase_pages.dead_heat,
    "void": phase_pages.void,
    "won": phase_pages.won,
}


def draw(
    snapshot: Snapshot,
    size: tuple[int, int],
    *,
    page: int = 0,
    dense: bool = False,
    translate: Translate = str,
    join: JoinInfo | None = None,
) -> Image.Image:
    """Return the picture (mode "1") of *snapshot* on a display of *size* pixels.

    *page* turns round and round through `count_pages`; *dense* puts the standings in two columns.
    """
    scene = Scene(snapshot, _inner(size), dense, translate, join)
    pages = _pages(scene)
    which = page % len(pages)
    shown = pages[which]
    canvas = Canvas(*scene.size)
    frame = layout.heading(
        canvas,
        translate(shown.title),
        page=(which, len(pages)),
        simulated=translate(text("SIMULATED")) if snapshot.simulated else "",
        alert=bool(snapshot.faults),
        live=snapshot.phase in ("armed", "judging"),
        dense=shown.dense,
        width=shown.width,
    )
    shown.paint(frame)
    return canvas.image(layout.MARGIN)


def _inner(size: tuple[int, int]) -> tuple[int, int]:
    """Return what of a display of *size* is drawn on: all but the margin at the left."""
    return size[0] - layout.MARGIN, size[1]


def count_pages(
    snapshot: Snapshot,
    size: tuple[int, int],
    *,
    dense: bool = False,
    translate: Translate = str,
    join: JoinInfo | None = None,
) -> int:
    """Return how many pages the present moment has."""
    return len(_pages(Scene(snapshot, _inner(size), dense, translate, join)))


def _pages(scene: Scene) -> tuple[ScreenPage, ...]:
    """Return the pages of the scene's phase: the moment, questions, standings, the deck, the doubt, faults.

    A question comes first when no round is armed before it is answered, and what a step has shown is news. A
    round, or a zero test, that is under way is watched and nothing else.
    """
    phase = scene.snapshot.phase
    pages = _early(scene)
    if (zero := scene.snapshot.zero) is not None and not zero.at:
        return tuple(_zero_test(scene, zero))
    decided = phase in ("verdict", "dead-heat", "void", "won")
    if scene.snapshot.waits:
        pages += prompt_pages.news(scene) + prompt_pages.questions(scene) + prompt_pages.beside(scene)
    elif decided:
        pages += prompt_pages.news(scene)
    if phase == "playing":
        pages += prompt_pages.pages(scene) + prompt_pages.beside(scene)
    if phase == "setup":
        pages += phase_pages.wifi(scene)
    pages += [FIRST[phase](scene)] if phase in FIRST else []
    pages += _hall(scene)
    if phase == "setup" and zero is not None:
        pages += _zero_test(scene, zero)
    if phase == "blocked" and any(row.held for row in scene.snapshot.rows):
        pages += _missing(scene)
    if decided and not scene.snapshot.waits:
        pages += prompt_pages.questions(scene) + prompt_pages.beside(scene)
    if phase == "ready":
        pages += _advice(scene)
    if phase not in ("setup", "blocked", "judging"):
        pages += _standings(scene)
    if phase == "playing" or scene.snapshot.dealing:
        pages += _advice(scene)
    if phase in ("ready", "armed") and not scene.snapshot.waits:
        pages += prompt_pages.questions(scene)
    if phase in ("verdict", "dead-heat", "void") and not scene.snapshot.waits:
        pages += _advice(scene)
    pages += _doubt(scene) if decided else []
    pages += _link(scene) + _texts(scene, text("A fault"), scene.snapshot.faults)
    return tuple(pages) or (phase_pages.headline(scene),)


def _early(scene: Scene) -> list[ScreenPage]:
    """Return who has touched a nose just now while nothing counts."""
    says = scene.snapshot.early
    return [] if says is None else _texts(scene, scene.round_title(), (says,))


def _hall(scene: Scene) -> list[ScreenPage]:
    """Return what the hall of the table wants: that people come, or that they hear the organiser's word.

    A table for which nothing is called shows its number.
    """
    hall, phase = scene.snapshot.hall, scene.snapshot.phase
    if hall is None or phase in UNDER_WAY:
        return []
    idle = [phase_pages.table_number(scene, hall.number)] if phase == "setup" and hall.title is None else []
    asks = hall_lines(hall, phase, scene.snapshot.round_no) if phase in ("ready", "setup") else ()
    called = (hall.title,) if phase == "setup" and hall.title is not None else ()
    messages = [*scene.say((*called, *asks)), *([hall.says] if hall.says else [])]
    return idle + _sentences(scene, text("Table {n}", n=hall.number), messages)


def _link(scene: Scene) -> list[ScreenPage]:
    """Return what is wrong with the link to the hall, and with games that count in it, in words.

    Nothing while a round is under way.
    """
    hall = scene.snapshot.hall
    if hall is None or scene.snapshot.phase in UNDER_WAY:
        return []
    wrong = (*((hall.link,) if hall.link is not None else ()), *hall.stuck)
    return _texts(scene, text("Table {n}", n=hall.number), wrong) if wrong else []


def _zero_test(scene: Scene, zero: ZeroView) -> list[ScreenPage]:
    """Return what is to be done in a zero test, or what came of it."""
    said = tuple(one for one in (zero.says, zero.claim) if one is not None)
    return _texts(scene, text("Zero test"), said) if said else []


def _doubt(scene: Scene) -> list[ScreenPage]:
    """Return what the ± of a margin is made of, in short: its largest part, by name; not of a clear one."""
    finish = scene.snapshot.finish
    if finish is None or finish.margin_ns is None or finish.budget is None or not finish.budget.shares:
        return []
    if finish.closeness == "clear":
        return []
    most = max(finish.budget.shares, key=lambda share: share.u_ns)
    says = (
        text("± {sure}, mostly:", sure=finish.budget.shown),
        text("{part}, {time}", part=most.name, time=most.shown),
    )
    return _texts(scene, scene.round_title(), says)


def _missing(scene: Scene) -> list[ScreenPage]:
    """Return what is not in the rack, when noses are held as well."""
    missing = any(cradle.used and cradle.lifted for cradle in scene.snapshot.rack)
    return _texts(scene, scene.round_title(), scene.snapshot.proof) if missing else []


def _standings(scene: Scene) -> list[ScreenPage]:
    rows = scene.snapshot.rows
    frame = scene.frame(dense=scene.dense)
    if scene.dense:
        size = 2 * layout.lines_in(frame.height, _dense_font(rows))
        parts = [list(rows[at : at + size]) for at in range(0, len(rows), size)]
    else:
        parts = _shared_out(scene, frame)
    paint = _dense_page if scene.dense else _roomy_page
    return [ScreenPage(scene.round_title(), partial(paint, scene, part), dense=scene.dense) for part in parts]


def _shared_out(scene: Scene, frame: Frame) -> list[list[PlayerRow]]:
    """Return the rows page by page, as many as go on each; one with a note takes a second line."""
    parts: list[list[PlayerRow]] = []
    used = frame.height
    for row in scene.snapshot.rows:
        height = _row_height(scene, row, frame)
        if not parts or used + height > frame.height:
            parts.append([])
            used = 0
        parts[-1].append(row)
        used += height
    return parts


def _row_height(scene: Scene, row: PlayerRow, frame: Frame) -> int:
    note = _note(scene, row, frame)
    below = SMALL.suited(note).height if note else 0
    return standing_height(row, layout.text_font(frame), frame.width) + below


def _note(scene: Scene, row: PlayerRow, frame: Frame) -> str:
    """Return what there is to say more about a player, empty when it has no room on one line."""
    said = "  ".join(scene.say(row.notes))
    return said if SMALL.measure(said) <= frame.width - NAME_X else ""


def _fresh(scene: Scene) -> bool:
    """Return whether the newest letter is news; once the next round is armed it is not."""
    return scene.snapshot.phase != "armed"


def _roomy_page(scene: Scene, rows: Sequence[PlayerRow], frame: Frame) -> None:
    font, y = layout.text_font(frame), frame.top
    for row in rows:
        standing(frame, y, row, font, fresh=_fresh(scene))
        note = _note(scene, row, frame)
        frame.canvas.text(NAME_X, y + standing_height(row, font, frame.width), note, SMALL.suited(note))
        y += _row_height(scene, row, frame)


def _dense_font(rows: Sequence[PlayerRow]) -> Font:
    """Return the smallest font that writes all names: how high a line is."""
    return layout.tallest([SMALL.suited(row.player) for row in rows])


def _dense_page(scene: Scene, rows: Sequence[PlayerRow], frame: Frame) -> None:
    names = layout.short_names([row.player for row in scene.snapshot.rows], 6 * SMALL.width, SMALL)
    seats = [row.seat for row in scene.snapshot.rows]
    font = _dense_font(scene.snapshot.rows)
    a_column = layout.lines_in(frame.height, font)
    width = frame.width // 2
    for number, row in enumerate(rows):
        x, y = number // a_column * (width + 1), frame.top + number % a_column * font.height
        name = names[seats.index(row.seat)]
        dense_cell(frame, x, y + font.base - SMALL.base, row, name, width, fresh=_fresh(scene))


def _texts(scene: Scene, title: Text, messages: Sequence[Text]) -> list[ScreenPage]:
    """Return *messages* as pages of whole sentences, none when there are none."""
    return _sentences(scene, title, scene.say(messages))


def _sentences(scene: Scene, title: Text, messages: Sequence[str]) -> list[ScreenPage]:
    """Return *messages*, in the reader's language, as pages of whole sentences."""
    frame = scene.frame()
    font = layout.text_font(frame)
    parts = pages_of_sentences(messages, frame.width, frame.height, font)
    return [ScreenPage(title, partial(layout.text_lines, lines=lines, font=one)) for lines, one in parts]


def _advice(scene: Scene) -> list[ScreenPage]:
    advice = scene.snapshot.advice
    sentences = advice.sentences if advice is not None else ()
    return _texts(scene, text("Next deal"), (*sentences, *scene.snapshot.notes))
