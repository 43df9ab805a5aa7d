"""A snapshot in, a picture out: every screen of the OLED. Pure drawing that never knows the device.

Each phase is a tuple of pages; the display turns them, round and round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from lastnose.companion.core.ports import JoinInfo
from lastnose.companion.core.text import Text, text
from lastnose.companion.selftest import words
from lastnose.companion.selftest.view import SelfTestView
from lastnose.companion.views.hall import hall_lines
from lastnose.companion.views.snapshot import Clock, PlayerRow, Snapshot, ZeroView
from lastnose.hardware.oled import layout, phase_pages, prompt_pages
from lastnose.hardware.oled.canvas import Canvas, Font
from lastnose.hardware.oled.layout import (
    LARGE,
    NAME_X,
    SMALL,
    Frame,
    Scene,
    ScreenPage,
    Translate,
    dense_cell,
    standing,
    standing_height,
)
from PIL import Image

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
    beside = shown.beside if snapshot.clock is None else _left(snapshot.clock)
    frame = layout.heading(
        canvas,
        translate(shown.title),
        aside="" if beside is None else translate(beside),
        page=(which, len(pages)),
        simulated=translate(text("Simulated")).upper() if _pretends(snapshot) else "",
        alert=bool(snapshot.faults),
        live=snapshot.phase in ("armed", "judging"),
        dense=shown.dense,
        width=shown.width,
    )
    shown.paint(frame)
    return canvas.image(layout.MARGIN)


def _left(clock: Clock) -> Text:
    """Return what is left of a clock, in short: the state of the round stands before it."""
    return Text("{n} s", {"n": clock.left_s}) if clock.left_s else clock.says


def _pretends(snapshot: Snapshot) -> bool:
    """Return whether noses are simulated that count: a written sheet has none, and phones are real."""
    noses = snapshot.watched or snapshot.title is None
    return snapshot.simulated and noses and not snapshot.all_on_phones


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
    pages = _early(scene) + _due(scene)
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
    pages += _awaited(scene) + prompt_pages.ruling(scene) + _hall(scene)
    if phase == "setup" and zero is not None:
        pages += _zero_test(scene, zero)
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
    title = scene.home_title() if scene.snapshot.title is None else scene.round_title()
    pages += _link(scene) + _texts(scene, title, scene.snapshot.faults)
    return tuple(pages) or (phase_pages.headline(scene),)


def _early(scene: Scene) -> list[ScreenPage]:
    """Return who has touched a nose just now while nothing counts."""
    says = scene.snapshot.early
    return [] if says is None else _texts(scene, scene.round_title(), (says,))


def _due(scene: Scene) -> list[ScreenPage]:
    """Return what is done first, as every screen says it; noses and questions have pages of their own."""
    due = scene.snapshot.due
    if due is None or due.kind not in ("settle", "decide", "lay"):
        return []
    return _texts(scene, scene.round_title(), (due.says,))


def _awaited(scene: Scene) -> list[ScreenPage]:
    """Return the phone that is waited for before anybody can be named, for a host with the box alone (F33).

    The host's button is no help: it is heard in its turn, behind that phone.
    """
    duty = scene.snapshot.duty
    if duty is None or scene.snapshot.phase != "judging":
        return []
    wakes = text("Wake it, or go on without it on the host’s page.")
    return _texts(scene, scene.round_title(), (duty.says, wakes))


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
        Text("{part}, {time}", {"part": most.name, "time": most.shown}),
    )
    return _texts(scene, scene.round_title(), says)


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
    title = scene.round_title() if scene.snapshot.stage == "deal" else text("Next round")
    return _texts(scene, title, (*sentences, *scene.snapshot.notes))


# ---- A self-test on the small screen: what is asked for, how it came out, the test picture. Pure drawing.

SQUARE = 4


def draw_selftest(view: SelfTestView, size: tuple[int, int], *, translate: Translate = str) -> Image.Image:
    """Return the picture (mode "1") of *view* on a display of *size* pixels."""
    if view.picture:
        return picture(size)
    canvas = Canvas(size[0] - layout.MARGIN, size[1])
    frame = layout.heading(
        canvas,
        translate(text("Self-test")),
        aside=f"{view.number}/{view.of}",
        page=(view.number - 1, view.of),
        simulated=translate(text("Simulated")).upper() if view.simulated else "",
        alert=any(one.failed for one in view.findings),
        live=view.contact is not None,
        dense=False,
    )
    if view.contact is not None:
        _asked(view, frame, translate)
    elif view.passed is not None:
        _outcome(view, frame, translate)
    else:
        layout.wrapped(frame, [translate(one) for one in (view.prompt, *view.hints)])
    return canvas.image(layout.MARGIN)


def _asked(view: SelfTestView, frame: Frame, translate: Translate) -> None:
    """Draw the contact that is asked for, large, with its wire and pin; or what was heard instead."""
    contact = view.contact
    assert contact is not None
    said = [translate(contact.where)]
    if contact.colour is not None:
        said.insert(0, translate(contact.colour.name))
    if len(view.hints) > 1:
        said = [translate(view.hints[-1])]
    if not frame.roomy:
        first = [] if len(view.hints) > 1 else [translate(contact.label)]
        layout.wrapped(frame, [*first, *said])
        return
    layout.hero(frame.canvas, 0, frame.top, translate(contact.label), frame.width)
    top = frame.top + 2 * LARGE.height + 1
    lines = layout.paragraphs(said, frame.width, SMALL)
    for number, line in enumerate(lines[: (frame.bottom - top) // SMALL.height]):
        frame.canvas.text(0, top + number * SMALL.height, line, SMALL)


def _outcome(view: SelfTestView, frame: Frame, translate: Translate) -> None:
    """Draw how it came out, and what failed."""
    failed = [words.sentence(translate(one.says)) for one in view.findings if one.failed]
    layout.wrapped(frame, [translate(view.prompt), *failed])


def picture(size: tuple[int, int]) -> Image.Image:
    """Return the test picture: a frame on the outermost pixels, a chessboard inside it, all corners marked.

    A column or row that is missing, shifted or doubled shows in the frame or in the chessboard.
    """
    width, height = size
    canvas = Canvas(width, height)
    for x, y, across, down in (
        (0, 0, width, 1),
        (0, height - 1, width, 1),
        (0, 0, 1, height),
        (width - 1, 0, 1, height),
    ):
        canvas.fill(x, y, across, down)
    for row in range((height - 8) // SQUARE):
        for column in range((width - 8) // SQUARE):
            if (row + column) % 2 == 0:
                canvas.fill(4 + column * SQUARE, 4 + row * SQUARE, SQUARE, SQUARE)
    word = f"{width}×{height}"
    across = LARGE.measure(word) + 8
    left, top = (width - across) // 2, (height - LARGE.height - 4) // 2
    canvas.clear(left, top, across, LARGE.height + 4)
    canvas.text(left + 4, top + 2, word, LARGE)
    return canvas.image()
