"""A snapshot in, a picture out: every screen of the OLED. Pure drawing that never knows the device.

Each phase is a tuple of pages; the display turns them, round and round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PIL import Image

from companion.snapshot import Row, Snapshot
from companion.text import Text, text
from hardware import asked, entries, judging, layout, moments
from hardware.layout import SMALL, Frame
from hardware.pixels import Canvas, Font
from hardware.scene import JoinInfo, Page, Scene, Translate, WifiInfo
from hardware.standing import NAME_X, dense_cell, standing, standing_height

__all__ = ["JoinInfo", "WifiInfo", "count_pages", "draw"]

FIRST: dict[str, Callable[[Scene], Page]] = {
    "setup": moments.setup,
    "blocked": moments.blocked,
    "judging": judging.judging,
    "verdict": moments.verdict,
    "dead-heat": moments.dead_heat,
    "void": moments.void,
    "won": moments.won,
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
    pages = _pages(Scene(snapshot, size, dense, translate, join))
    which = page % len(pages)
    shown = pages[which]
    canvas = Canvas(*size)
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
    return canvas.image()


def count_pages(
    snapshot: Snapshot,
    size: tuple[int, int],
    *,
    dense: bool = False,
    translate: Translate = str,
    join: JoinInfo | None = None,
) -> int:
    """Return how many pages the present moment has."""
    return len(_pages(Scene(snapshot, size, dense, translate, join)))


def _pages(scene: Scene) -> tuple[Page, ...]:
    """Return the pages of the scene's phase: the moment, questions, standings, the deck, faults.

    A question comes first when no round is armed before it is answered, and what a step has shown is news. A
    round under way is watched and nothing else.
    """
    phase = scene.snapshot.phase
    pages: list[Page] = []
    decided = phase in ("verdict", "dead-heat", "void", "won")
    if scene.snapshot.waits:
        pages += asked.news(scene) + asked.questions(scene) + asked.beside(scene)
    elif decided:
        pages += asked.news(scene)
    if phase == "playing":
        pages += entries.pages(scene) + asked.beside(scene)
    if phase == "setup":
        pages += moments.wifi(scene)
    if phase in FIRST:
        pages.append(FIRST[phase](scene))
    if phase == "blocked" and any(row.held for row in scene.snapshot.rows):
        pages += _missing(scene)
    if decided and not scene.snapshot.waits:
        pages += asked.questions(scene) + asked.beside(scene)
    if phase == "ready":
        pages += _advice(scene)
    if phase not in ("setup", "blocked", "judging"):
        pages += _standings(scene)
    if phase == "playing":
        pages += _advice(scene)
    if phase in ("ready", "armed") and not scene.snapshot.waits:
        pages += asked.questions(scene)
    if phase in ("verdict", "dead-heat", "void") and not scene.snapshot.waits:
        pages += _advice(scene)
    pages += _texts(scene, text("A fault"), scene.snapshot.faults)
    return tuple(pages) or (moments.headline(scene),)


def _missing(scene: Scene) -> list[Page]:
    """Return what is not in the rack, when noses are held as well."""
    missing = any(cradle.used and cradle.lifted for cradle in scene.snapshot.rack)
    return _texts(scene, scene.round_title(), scene.snapshot.proof) if missing else []


def _standings(scene: Scene) -> list[Page]:
    rows = scene.snapshot.rows
    frame = scene.frame(dense=scene.dense)
    if scene.dense:
        size = 2 * layout.lines_in(frame.height, _dense_font(rows))
        parts = [list(rows[at : at + size]) for at in range(0, len(rows), size)]
    else:
        parts = _shared_out(scene, frame)
    paint = _dense_page if scene.dense else _roomy_page
    return [Page(scene.round_title(), partial(paint, scene, part), dense=scene.dense) for part in parts]


def _shared_out(scene: Scene, frame: Frame) -> list[list[Row]]:
    """Return the rows page by page, as many as go on each; one with a note takes a second line."""
    parts: list[list[Row]] = []
    used = frame.height
    for row in scene.snapshot.rows:
        height = _row_height(scene, row, frame)
        if not parts or used + height > frame.height:
            parts.append([])
            used = 0
        parts[-1].append(row)
        used += height
    return parts


def _row_height(scene: Scene, row: Row, frame: Frame) -> int:
    note = _note(scene, row, frame)
    below = SMALL.suited(note).height if note else 0
    return standing_height(row, layout.text_font(frame), frame.width) + below


def _note(scene: Scene, row: Row, frame: Frame) -> str:
    """Return what there is to say more about a player, empty when it has no room on one line."""
    said = "  ".join(scene.say(row.notes))
    return said if SMALL.measure(said) <= frame.width - NAME_X else ""


def _fresh(scene: Scene) -> bool:
    """Return whether the newest letter is news; once the next round is armed it is not."""
    return scene.snapshot.phase != "armed"


def _roomy_page(scene: Scene, rows: Sequence[Row], frame: Frame) -> None:
    font, y = layout.text_font(frame), frame.top
    for row in rows:
        standing(frame, y, row, font, fresh=_fresh(scene))
        note = _note(scene, row, frame)
        frame.canvas.text(NAME_X, y + standing_height(row, font, frame.width), note, SMALL.suited(note))
        y += _row_height(scene, row, frame)


def _dense_font(rows: Sequence[Row]) -> Font:
    """Return the smallest font that writes all names: how high a line is."""
    return layout.tallest([SMALL.suited(row.player) for row in rows])


def _dense_page(scene: Scene, rows: Sequence[Row], frame: Frame) -> None:
    names = layout.short_names([row.player for row in scene.snapshot.rows], 6 * SMALL.width, SMALL)
    seats = [row.seat for row in scene.snapshot.rows]
    font = _dense_font(scene.snapshot.rows)
    a_column = layout.lines_in(frame.height, font)
    width = frame.width // 2
    for number, row in enumerate(rows):
        x, y = number // a_column * (width + 1), frame.top + number % a_column * font.height
        name = names[seats.index(row.seat)]
        dense_cell(frame, x, y + font.base - SMALL.base, row, name, width, fresh=_fresh(scene))


def _texts(scene: Scene, title: Text, messages: Sequence[Text]) -> list[Page]:
    """Return *messages* as pages of wrapped text, none when there are none."""
    frame = scene.frame()
    font = layout.text_font(frame)
    lines = layout.paragraphs(scene.say(messages), frame.width, font)
    parts = layout.lines_by_page(lines, font, frame.height)
    return [Page(title, partial(layout.text_lines, lines=part, font=font)) for part in parts]


def _advice(scene: Scene) -> list[Page]:
    advice = scene.snapshot.advice
    sentences = advice.sentences if advice is not None else ()
    return _texts(scene, text("Next deal"), (*sentences, *scene.snapshot.notes))
