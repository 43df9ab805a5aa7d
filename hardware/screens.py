"""A snapshot in, a picture out: every screen of the OLED. Pure drawing that never knows the device.

Each phase is a tuple of pages; the display turns them, round and round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PIL import Image

from companion.games.asks import Show
from companion.scoreboard import Row, Snapshot
from companion.text import Text, text
from hardware import layout, moments
from hardware.layout import SMALL, Frame
from hardware.pixels import Canvas
from hardware.scene import JoinInfo, Page, Scene, Translate

__all__ = ["JoinInfo", "count_pages", "draw"]

FIRST: dict[str, Callable[[Scene], Page]] = {
    "setup": moments.setup,
    "blocked": moments.blocked,
    "judging": moments.judging,
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

    A question comes first when no round is armed before it is answered.
    """
    phase = scene.snapshot.phase
    pages: list[Page] = []
    if scene.snapshot.waits:
        pages += _asked(scene)
    if phase in FIRST:
        pages.append(FIRST[phase](scene))
    if not scene.snapshot.waits:
        pages += _asked(scene)
    if phase == "ready":
        pages += _advice(scene)
    if phase not in ("setup", "blocked", "judging"):
        pages += _standings(scene)
    if phase in ("verdict", "dead-heat", "void"):
        pages += _advice(scene)
    pages += _texts(scene, text("A fault"), scene.snapshot.faults)
    return tuple(pages) or (moments.headline(scene),)


def _standings(scene: Scene) -> list[Page]:
    rows = scene.snapshot.rows
    frame = scene.frame(dense=scene.dense)
    if scene.dense:
        size = 2 * layout.lines_in(frame.height, SMALL)
        paint = partial(_dense_page, scene)
    else:
        size = layout.lines_in(frame.height, layout.text_font(frame))
        paint = partial(_roomy_page, scene)
    parts = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [Page(scene.round_title(), partial(paint, part), dense=scene.dense) for part in parts]


def _fresh(scene: Scene) -> bool:
    """Return whether the newest letter is news; once the next round is armed it is not."""
    return scene.snapshot.phase != "armed"


def _roomy_page(scene: Scene, rows: Sequence[Row], frame: Frame) -> None:
    font = layout.text_font(frame)
    for number, row in enumerate(rows):
        layout.standing(frame, frame.top + number * font.height, row, font, fresh=_fresh(scene))


def _dense_page(scene: Scene, rows: Sequence[Row], frame: Frame) -> None:
    names = layout.short_names([row.player for row in scene.snapshot.rows], 6)
    seats = [row.seat for row in scene.snapshot.rows]
    a_column = layout.lines_in(frame.height, SMALL)
    width = frame.width // 2
    for number, row in enumerate(rows):
        x, y = number // a_column * (width + 1), frame.top + number % a_column * SMALL.height
        layout.dense_cell(frame, x, y, row, names[seats.index(row.seat)], width, fresh=_fresh(scene))


def _asked(scene: Scene) -> list[Page]:
    """Return what the table is asked, short: what is shown, and the question; the page takes the answer."""
    snapshot, pages = scene.snapshot, []
    shown = [step for step in snapshot.steps if isinstance(step, Show)]
    asked = [step.label for step in snapshot.steps if not isinstance(step, Show)]
    if shown or asked:
        lines = shown[-1].lines if shown else ()
        title = shown[-1].title if shown else text("A question")
        pages += _texts(scene, title, (*lines, *asked[:1]))
    for act in snapshot.acts:
        if act.prompt is not None:
            pages += _texts(scene, text("A question"), (act.label, act.prompt))
    return pages


def _texts(scene: Scene, title: Text, messages: Sequence[Text]) -> list[Page]:
    """Return *messages* as pages of wrapped text, none when there are none."""
    frame = scene.frame()
    font = layout.text_font(frame)
    lines = layout.paragraphs(scene.say(messages), frame.width, font)
    a_page = layout.lines_in(frame.height, font)
    parts = [lines[at : at + a_page] for at in range(0, len(lines), a_page)]
    return [Page(title, partial(layout.text_lines, lines=part, font=font)) for part in parts]


def _advice(scene: Scene) -> list[Page]:
    advice = scene.snapshot.advice
    sentences = advice.sentences if advice is not None else ()
    return _texts(scene, text("Next deal"), (*sentences, *scene.snapshot.notes))
