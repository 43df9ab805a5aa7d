"""Make the pictures of README and documents again, of the real pages: `python -m tools.pictures [NAME…]`.

Each is a scene of real table or hall and a browser that looks at it, in English and in French (`table.png`,
`table.fr.png`), light, as small as it may be. Look at what was made before you keep it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from lastnose.companion.app.selftest import SelfTestRun
from lastnose.companion.cli.selftest import make_plan
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.model import Edge, Input, Levels, Press
from lastnose.companion.evening import events as log
from lastnose.companion.evening.commands import Play, Start
from lastnose.companion.i18n import translator
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.companion.table.log_file import NO_HEAD
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.timing import judge
from lastnose.companion.wiring.profile import load_profile
from lastnose.hardware.oled.screens import draw
from lastnose.hardware.sources.mock import DELAY_NS
from lastnose.web.hall.server import HallServer
from PIL import Image

from tests.support.halls import begun, judged_game, rows, seated, take
from tests.support.phones import make_access
from tests.support.tables import Served, served

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
LINES = tuple(f"nose.{number}" for number in range(1, 6))
WIDE, PHONE, SCREEN = (1100, 760), (390, 780), (1280, 720)
COLOURS = 128
US = 1_000


class Looking:
    """A browser that makes the pictures of one language."""

    def __init__(self, browser: Any, language: str) -> None:
        self._browser = browser
        self.language = language
        self._ending = "" if language == "en" else f".{language}"

    @contextmanager
    def page(self, address: str, size: tuple[int, int]) -> Iterator[Any]:
        """Open *address* on a screen of *size*."""
        view = {"width": size[0], "height": size[1]}
        how = {"viewport": view, "locale": LOCALES[self.language], "color_scheme": "light"}
        context = self._browser.new_context(**how, reduced_motion="reduce")
        page = context.new_page()
        page.goto(address)
        page.wait_for_timeout(1500)  # fonts, and what moves on its own
        try:
            yield page
        finally:
            context.close()

    def path(self, name: str, ending: str = "png") -> Path:
        """Return the file of the picture called *name*."""
        return PICTURES / f"{name}{self._ending}.{ending}"

    def keep(self, name: str, png: bytes) -> None:
        """Write a picture, with as many colours as a page has."""
        with Image.open(BytesIO(png)) as shown:
            few = shown.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(self.path(name), optimize=True)


def judged(t_us: tuple[int, ...], at: float) -> tuple[log.RoundArmed, log.RoundJudged]:
    """Return a round of wired noses: seat after seat was touched at these times, each sure to 10 µs."""
    presses = [Press(seat, t * US, 10_000, "gpio", 0, 2_000, 2_000) for seat, t in enumerate(t_us, start=1)]
    seats = tuple(press.seat for press in presses)
    tape: list[Input] = [Levels({f"nose.{seat}": 0 for seat in seats}, 0, "gpio", 10_000)]
    tape += [Edge(press.t_ns, "gpio", f"nose.{press.seat}", 1, 10_000) for press in presses]
    verdict = log.RoundJudged(
        by="box",
        at=at,
        verdict=judge(presses),
        confirm_ns=1_000_000,
        lockout_ns=20_000_000,
        inputs=tuple(tape),
    )
    return log.RoundArmed(by="box", at=at, t_ns=0, seats=seats), verdict


def evening() -> MemoryStore:
    """Return an evening of wired noses after three rounds; the last was close."""
    players = ("North", "East", "South", "Zoë", "Björn")
    store = MemoryStore()
    store.append(
        log.Started(by="host", at=2.0, game="pig", players=players, options={}, lines=LINES),
        *judged((10_000, 90_000, 122_412, 61_300, 340_800), 3.0),
        *judged((210_000, 95_000, 402_100, 61_300, 340_800), 4.0),
        *judged((10_000, 122_000, 122_412, 61_300, 84_800), 5.0),
    )
    return store


def table(looking: Looking) -> None:
    """The table's page after a close verdict, what its doubt is made of, the board, and the small screen."""
    with served(LINES, store=evening(), tokens=False) as house:
        with looking.page(house.address, WIDE) as page:
            looking.keep("table", page.screenshot())
        with looking.page(house.address, PHONE) as page:
            page.locator(".how-sure:visible").first.click()
            page.wait_for_timeout(800)
            looking.keep("doubt", page.screenshot())
        with looking.page(f"{house.address}/board", SCREEN) as page:
            page.wait_for_timeout(12_000)  # the replay in slow motion
            looking.keep("board", page.screenshot())
        small = draw(house.table.snapshot, (128, 64), translate=translator(looking.language))
        small.convert("1").resize((512, 256)).save(looking.path("oled"), optimize=True)


def sheet(looking: Looking) -> None:
    """The sheet of Chickenfoot on a phone, in its fourth hand."""
    with served(LINES[:4], tokens=False) as house:
        players = ("North", "East", "South", "Zoë")
        house.table.submit(Start("chickenfoot", players, {}, LINES[:4]), "host").result(60)
        for hand, points in enumerate(((0, 23, 41, 12), (17, 0, 8, 30), (5, 44, 0, 19)), start=1):
            for seat, count in enumerate(points, start=1):
                move = {"type": "score", "hand": hand, "seat": seat, "points": count}
                house.table.submit(Play(move), "host").result(60)
        with looking.page(house.address, PHONE) as page:
            looking.keep("sheet", page.screenshot())


def hall(looking: Looking) -> None:
    """The desk and the board of a hall with two tables, one of which has played."""
    people = "Anaïs, Jean, Paul, Marie, Björn, Zoë, Seán, Ines"
    with tempfile.TemporaryDirectory() as folder:
        store = HallStore(Path(folder))
        house = Hall(store, random=Random(3))
        server = HallServer(house, make_access(), port=0, engine=lambda host: f"nats://{host}:4222")
        server.start()
        try:
            members = begun(house, people, tables=2, final=4, rounds=2)
            names, call = seated(house)
            take(house, members[0], rows(judged_game(names, call, 0)[:3], (0, NO_HEAD)))
            address = f"http://127.0.0.1:{server.port}"
            with looking.page(f"{address}/", WIDE) as page:
                looking.keep("hall-desk", page.screenshot())
            with looking.page(f"{address}/board", SCREEN) as page:
                page.wait_for_timeout(12_000)
                looking.keep("hall-board", page.screenshot())
        finally:
            server.stop()
            store.close()


def selftest(looking: Looking) -> None:
    """The self-test of `home4` on a page, after two noses whose wires were swapped."""
    with tempfile.TemporaryDirectory() as folder:
        settings = RunSettings("mock", load_profile("home4"), Path(folder), port=0)
        run = SelfTestRun(settings, make_plan(settings, None, None))
        address = run.start()[0]
        try:
            with looking.page(address, (WIDE[0], 860)) as page:
                page.wait_for_timeout(4000)  # hands off: it watches what moves by itself
                for touched in (2, 2, 1, 1):
                    page.locator(f'[data-line="nose.{touched}"]').hover()
                    page.mouse.down()
                    page.wait_for_timeout(150)
                    page.mouse.up()
                    page.wait_for_timeout(1500)
                page.mouse.move(0, 0)
                page.wait_for_timeout(500)
                looking.keep("selftest", page.screenshot())
        finally:
            run.stop()


def verdict(looking: Looking) -> None:
    """A round on the page, from the deal to the verdict, as it moves."""
    frames: list[tuple[Image.Image, int]] = []
    with served(LINES[:4], tokens=False, late_ns=DELAY_NS) as house:
        house.table.submit(Start("pig", ("North", "East", "South", "Zoë"), {}, LINES[:4]), "host").result(60)
        with looking.page(house.address, (800, 600)) as page:

            def frame(shown_ms: int) -> None:
                with Image.open(BytesIO(page.screenshot())) as shot:
                    frames.append((shot.convert("RGB"), shown_ms))

            _play(page, frame, house)
    first, *others = [shot for shot, _ in frames]
    first.save(
        looking.path("verdict", "webp"),
        save_all=True,
        append_images=others,
        duration=[shown_ms for _, shown_ms in frames],
        loop=0,
        quality=70,
        method=6,
    )


def _play(page: Any, frame: Callable[[int], None], house: Served) -> None:
    """Arm, touch one nose after the other, and look at each; then let go, and look at the verdict."""
    frame(1800)
    page.locator("[data-do=arm]:visible").first.click()
    page.locator("#verdict[data-phase=armed]").wait_for()
    page.wait_for_timeout(300)
    frame(1200)
    for key in "241":
        page.keyboard.down(key)
        page.wait_for_timeout(250)
        if key != "1":
            frame(450)
    page.locator("#verdict[data-phase=verdict]").wait_for()
    frame(250)
    page.keyboard.down("3")
    for _ in range(6):
        page.wait_for_timeout(200)
        frame(200)
    for key in "2413":
        page.keyboard.up(key)
    page.wait_for_timeout(1500)
    frame(3500)


SCENES: dict[str, Callable[[Looking], None]] = {
    "table": table,
    "sheet": sheet,
    "hall": hall,
    "selftest": selftest,
    "verdict": verdict,
}


def main() -> int:
    """Make the scenes that are named, or all."""
    from playwright.sync_api import sync_playwright

    chosen = sys.argv[1:] or list(SCENES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for language in LOCALES:
            for name in chosen:
                SCENES[name](Looking(browser, language))
        browser.close()
    sizes = {path.name: path.stat().st_size for path in sorted(PICTURES.iterdir())}
    print("\n".join(f"{size // 1000:>5} kB  {name}" for name, size in sizes.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
