"""Every page against axe, of any severity, and by keyboard alone: themes, widths, zoom, languages.

`python -m tests.support.page_audit [PART…] [--language fr-FR] [--look "320 px"] [--only WORDS]` serves
scenes and prints what it finds, a line a finding; on stderr a line a scene says how far it is. The moments of
a game are a part under its name, `games` those of all. Without a part it takes all of them: the better part
of an hour on a small machine. `--keep FOLDER` also writes a picture of each, for eyes: is a text too long?
`tests/web/browser/test_layout.py` asks the same of a few scenes.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from lastnose.companion.core.model import Press
from lastnose.companion.evening.events import Finished, RoundArmed, RoundJudged, Started
from lastnose.companion.event import commands
from lastnose.companion.games import GAMES
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.companion.timing import judge
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.hall.server import HallServer
from lastnose.web.server.server import Server

from tests.support.game_moments import moments
from tests.support.halls import arranged, let_in, rows, seated, take
from tests.support.phones import make_access
from tests.web.browser.conftest import Stage
from tests.web.browser.scenes import CLOSE, SCENES


class Look(NamedTuple):
    """How a page is looked at: the width of the window, its zoom, and what the reader has asked for."""

    name: str
    width: int
    height: int
    zoom: float = 1
    dark: bool = False
    forced: bool = False

    def context(self, language: str) -> dict[str, Any]:
        """Return what makes a browser look so; a zoom leaves less of the width, as in a browser."""
        return {
            "viewport": {"width": round(self.width / self.zoom), "height": round(self.height / self.zoom)},
            "device_scale_factor": self.zoom,
            "color_scheme": "dark" if self.dark else "light",
            "forced_colors": "active" if self.forced else "none",
            "reduced_motion": "reduce",
            "locale": language,
        }


LOOKS = (
    Look("desktop", 1280, 900),
    Look("phone, dark", 360, 740, dark=True),
    Look("320 px", 320, 568),
    Look("zoom 200 %", 1280, 900, zoom=2),
    Look("forced colours", 1280, 900, forced=True),
    Look("forced colours, dark phone", 360, 740, dark=True, forced=True),
)

_TABBABLE = """() => {
    const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const root = document.querySelector("dialog:modal") ?? document; // all else is inert behind it
    const all = [...root.querySelectorAll(wanted)].filter((one) =>
        !one.disabled && one.tabIndex >= 0 && one.type !== "hidden" && !one.closest("[inert]")
        && one.checkVisibility({ visibilityProperty: true }));
    const group = (one) => one.type === "radio" ? one.form?.id + one.name : null;
    const seen = new Set();
    window.wanted = all.filter((one) => {
        const key = group(one);
        if (!key) return true;
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
    });
    window.reached = new Set();
    document.activeElement?.blur?.();
    return window.wanted.length;
}"""
_REACHED = """() => {
    const one = document.activeElement;
    const ringed = (style) => style.outlineStyle !== "none" || style.boxShadow !== "none";
    const around = [one, one.closest("label"), one.parentElement].filter(Boolean);
    const shown = one.matches(":focus-visible") && around.some((each) => ringed(getComputedStyle(each)));
    window.reached.add(one.type === "radio" ? one.form?.id + one.name : one);
    return [one.outerHTML.slice(0, 90), one === document.body || shown];
}"""
_MISSED = """() => window.wanted.filter((one) =>
    !window.reached.has(one.type === "radio" ? one.form?.id + one.name : one))
    .map((one) => one.outerHTML.slice(0, 90))"""

# Too wide for the window, targets under 44 px on a phone, text under 12 px, a typewriter's apostrophe. Links
# inside a sentence are as high as its line (WCAG 2.5.5 has the same exception).
_SEEN = """(phone) => {
    const found = [];
    const name = (one) => one.outerHTML.slice(0, 100);
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && !one.closest(".unseen, .sr, [inert]");
    const room = document.documentElement;
    const wide = Math.max(room.scrollWidth, document.body.scrollWidth);
    if (wide > innerWidth) found.push(`scrolls sideways: ${wide} of ${innerWidth} px`);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const one = node.parentElement;
        if (!node.data.trim() || /^(SCRIPT|STYLE|TEMPLATE)$/.test(one.tagName) || !seen(one)) continue;
        const words = node.data.trim();
        if (/'/.test(words) && !one.closest("code, pre, kbd")) found.push(`straight apostrophe: ${words}`);
        const size = parseFloat(getComputedStyle(one).fontSize);
        const scaled = one.closest("svg[viewBox], .board, .paper"); // as its screen or paper allows
        if (size && size < 11.9 && !scaled) found.push(`text of ${size} px: ${name(one)}`);
    }
    if (!phone) return found;
    const root = document.querySelector("dialog:modal") ?? document;
    for (const one of root.querySelectorAll("a[href], button, input, select, textarea, summary, label")) {
        const bare = one.matches("label") && !one.querySelector("input");
        if (bare || one.type === "hidden" || !seen(one)) continue;
        const inside = one.matches("input") && one.closest("label") || one;
        const box = inside.getBoundingClientRect();
        if (!box.width || !box.height || box.bottom < 0 && box.top < -99) continue;
        const inline = one.matches("a") && getComputedStyle(one).display === "inline";
        if (!inline && (box.height < 43.5 || box.width < 43.5))
            found.push(`${Math.round(box.width)} x ${Math.round(box.height)} px to tap: ${name(one)}`);
    }
    return found;
}"""


def axe_source() -> str:
    """Return the script of axe-core."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


# In forced colours Chromium draws text in the reader's colour, but says the page's own of its fill, which is
# what axe asks for.
_FILLS = """() => {
    if (!matchMedia("(forced-colors: active)").matches) return;
    for (const one of document.body.querySelectorAll("*"))
        one.style.setProperty("-webkit-text-fill-color", getComputedStyle(one).color);
}"""


def violations(page: Any) -> list[str]:
    """Return what axe finds on *page*, of any severity, best practices too, each with its first place.

    Contrast is measured in forced colours, too.
    """
    page.evaluate(_FILLS)
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe_source())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")["violations"]
    return [f"{one['impact']} {one['id']} ({len(one['nodes'])}): {_place(one['nodes'][0])}" for one in found]


def _place(node: Any) -> str:
    why = node["failureSummary"].splitlines()
    return f"{node['html'][:110]} {why[1].strip()[:150] if len(why) > 1 else ''}"


def seen(page: Any, *, phone: bool) -> list[str]:
    """Return what the eye or the thumb meets on *page*: see `_SEEN`."""
    return list(dict.fromkeys(page.evaluate(_SEEN, phone)))


def keyboard(page: Any) -> list[str]:
    """Return what Tab does not reach on *page*, and what it reaches without showing so."""
    number = page.evaluate(_TABBABLE)
    unseen: dict[str, None] = {}
    for _ in range(number + 3):
        page.keyboard.press("Tab")
        element, shown = page.evaluate(_REACHED)
        if not shown:
            unseen[element] = None
    missed = [f"not reached by Tab: {element}" for element in page.evaluate(_MISSED)]
    return missed + [f"focus is not shown: {element}" for element in unseen]


LANGUAGES = ("en-GB", "fr-FR")
PLAIN = (
    *("/appeal", "/history", "/history/11", "/history/12", "/statistics", "/statistics?evenings=all"),
    *("/zero", "/help"),
)
ACCESS = ("/join", "/host", "/devices", "/away", "/nothing-here")
HALL = (
    *("/", "/board", "/where", "/standings", "/overlay/headline", "/overlay/standings", "/overlay/tables"),
    *("/print/cards", "/print/signs", "/print/winners", "/print/lists", "/results"),
    *("/results?show=sheets", "/results?show=prizes"),
    *("/print/certificates?most=2&says=Bravo&sign=Ann", "/join"),
)
# A heading that stays empty is for axe to find.
_DRAWN = """async () => {
    const told = () => document.querySelector("h1")?.textContent !== "";
    for (let i = 0; i < 60 && !told(); i++) await new Promise((done) => setTimeout(done, 50));
}"""
# Drawn, and nothing on its way from one colour to another any more.
_STILL = """async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await drawn();
    for (const one of document.getAnimations()) {
        if (one.effect.getComputedTiming().endTime < 2000) one.finish();
    }
    await drawn();
}"""
_CLICK = "(where) => document.querySelector(where)?.click()"


class Shown(NamedTuple):
    """One thing to look at: an address, what the table shows there, and what is clicked, or typed, first."""

    name: str
    path: str
    snapshot: Snapshot | None = None
    clicks: tuple[str, ...] = ()
    typed: str = ""


def _table() -> Iterator[Shown]:
    for name, scene in SCENES.items():
        yield Shown(name, "/", scene)


def _game(game: str) -> Iterator[Shown]:
    for name, scene in moments(game).items():
        yield Shown(name, "/", scene)


def _views() -> Iterator[Shown]:
    for view in ("host", "figures"):
        for name in ("close", "armed", "blocked", "won", "crowd", "asked"):
            yield Shown(f"{name}, {view}", "/", SCENES[name], (f".tabs [data-view={view}]",))


def _dialogs() -> Iterator[Shown]:
    host = ".tabs [data-view=host]"
    for name in ("void", "rearm", "people", "finish", "restart", "phones"):
        yield Shown(f"dialog {name}", "/", CLOSE, (host, f"[data-do={name}]"))
    yield Shown("dialog of an act", "/", CLOSE, (host, ".moves button"))
    yield Shown("how sure", "/", CLOSE, (".proof button",))
    yield Shown("the result", "/", SCENES["won"], ("#keep button",))
    for game in ("swedish-gin", "chickenfoot"):
        last = list(moments(game).values())[-2]
        yield Shown(f"{game}, a hand corrected", "/", last, ("#sheet tbody button",))
    yield Shown("a new evening", "/history", None, ("#new-evening",))
    yield Shown("a round corrected", "/history/11", None, ("#correct",))


def _board() -> Iterator[Shown]:
    for name, scene in SCENES.items():
        yield Shown(name, "/board", scene)
    for game in ("vatra", "pig-10", "swedish-gin", "chickenfoot", "score-pad"):
        for name, scene in moments(game).items():
            yield Shown(name, "/board", scene)


def _nose() -> Iterator[Shown]:
    for name in ("setup", "armed", "judging", "close", "heat", "won"):
        yield Shown(name, "/nose", SCENES[name])
    for name in ("armed", "judging", "close", "heat", "void", "won"):
        yield Shown(f"{name}, seated", "/nose", SCENES[name], (".m-seats button",))


def _setup() -> Iterator[Shown]:
    yield Shown("the first page", "/", SCENES["setup"])
    yield Shown("another game", "/setup", CLOSE)
    for game in GAMES:
        yield Shown(game, "/setup", CLOSE, (f"[name=game][value={game}]",))


def _pages() -> Iterator[Shown]:
    yield from (Shown(path, path, CLOSE) for path in (*PLAIN, *(f"/help/{game}" for game in GAMES)))


def _access() -> Iterator[Shown]:
    yield from (Shown(path, path, CLOSE) for path in ACCESS)


def _hall() -> Iterator[Shown]:
    yield from (Shown(path, path) for path in HALL)
    for name in ("arrange", "comes", "leaves", "invite"):
        yield Shown(f"dialog {name}", "/", None, (f"#{name}",))
    yield Shown("one table", "/", None, ("#tables button",))
    yield Shown("an appeal", "/", None, ("#needs li:last-child button",))
    yield Shown("my seat", "/where", typed="Zoë")
    yield Shown("not on the list", "/where", typed="Yvonne")


PARTS: dict[str, Callable[[], Iterator[Shown]]] = {
    "table": _table,
    **{game: partial(_game, game) for game in GAMES},
    "views": _views,
    "dialogs": _dialogs,
    "board": _board,
    "nose": _nose,
    "setup": _setup,
    "pages": _pages,
    "access": _access,
    "hall": _hall,
}


def whole(parts: list[str]) -> list[str]:
    """Return the *parts* that were asked for, each game's in the place of `games`; all when none was."""
    wanted = parts or list(PARTS)
    return [one for part in wanted for one in (GAMES if part == "games" else (part,))]


class Auditor:
    """Looks at scenes in one language, on one page of *browser*."""

    def __init__(self, browser: Any, language: str, stage: Stage | None, address: str) -> None:
        self._stage = stage
        self._address = address
        self._context = browser.new_context(**LOOKS[0].context(language))
        self._context.set_default_timeout(60_000)
        self.page = self._context.new_page()

    def close(self) -> None:
        """Close the page."""
        self._context.close()

    def show(self, one: Shown) -> None:
        """Go where *one* is to be seen, and open what can be unfolded."""
        page = self.page
        page.evaluate("() => { try { localStorage.clear(); sessionStorage.clear(); } catch { /* blank */ } }")
        page.goto("about:blank")  # before the scene changes: some pages follow it elsewhere
        if self._stage is not None and one.snapshot is not None:
            self._stage.set(one.snapshot)
        page.goto(self._address + one.path)
        page.evaluate(_DRAWN)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for place in one.clicks:
            page.evaluate(_CLICK, place)
            page.wait_for_timeout(150)
        if one.typed:
            page.locator("main input").first.fill(one.typed)
            page.wait_for_timeout(150)

    def look(self, look: Look) -> None:
        """Let the window and what its reader wants be those of *look*."""
        how = look.context("")
        self.page.set_viewport_size(how["viewport"])
        self.page.emulate_media(
            color_scheme=how["color_scheme"],
            forced_colors=how["forced_colors"],
            reduced_motion=how["reduced_motion"],
        )
        self.page.evaluate(_STILL)
        self.page.wait_for_timeout(50)

    def findings(self, look: Look) -> list[str]:
        """Return what is wrong with what is shown."""
        self.look(look)
        found = violations(self.page) + seen(self.page, phone=look.width < 600)
        return found + (keyboard(self.page) if look is LOOKS[0] else [])


def audit(auditor: Auditor, one: Shown, looks: tuple[Look, ...], keep: Path | None = None) -> Iterator[str]:
    """Give what is wrong with *one* in *looks*; a picture of each goes to *keep*, the look's name behind."""
    auditor.show(one)
    for look in looks:
        for says in auditor.findings(look):
            yield f"{one.name} [{look.name}] {says}"
        if keep is not None:
            words = re.sub(r"\W+", "-", f"{keep.name} {look.name}").strip("-")
            auditor.page.screenshot(path=keep.with_name(f"{words}.png"), full_page=True)


def played_hall(store: HallStore) -> Hall:
    """Return a hall in its second round: a result that counts, one to be looked at, an appeal, a message."""
    hall = Hall(store, random=Random(3))
    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti,Maximiliane-Theodora,Zoë", minutes=20)
    members = [let_in(hall), let_in(hall)]
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    for member in members:
        names, call = seated(hall, member.number)
        lines = tuple(f"nose.{seat}" for seat in range(1, len(names) + 1))
        begun = Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call)
        seats = tuple(range(1, len(names) + 1))
        verdict = judge([Press(seat, 100_000_000 * seat, 10_000, "gpio") for seat in seats])
        judged = RoundJudged(by="box", at=1, verdict=verdict, confirm_ns=1, lockout_ns=1, inputs=())
        armed = RoundArmed(by="box", at=1, t_ns=0, seats=seats)
        take(hall, member, rows((begun, armed, judged, Finished(by="host", at=2))))
    now = hall.state.now
    assert now is not None
    places = tuple((one,) for one in now.at(members[0].number))
    hall.do(commands.TypeResult(1, members[0].number, places, "Typed from paper."), "Ann")
    hall.do(commands.Object(members[1].number, 3, "It was Tom."), "Ann")
    hall.do(commands.Announce("Pizza at eight; don’t touch the noses."), "Ann")
    return hall


@contextmanager
def served_table() -> Iterator[tuple[Stage, str]]:
    """Serve a stage; give it and its address."""
    stage = Stage(CLOSE)
    server = Server(stage, make_access(), port=0)
    server.start()
    try:
        yield stage, f"http://127.0.0.1:{server.port}"
    finally:
        server.stop()


@contextmanager
def served_hall() -> Iterator[tuple[None, str]]:
    """Serve a hall in which something is going on; give its address."""
    with tempfile.TemporaryDirectory() as folder:
        store = HallStore(Path(folder) / "hall")
        hall = played_hall(store)
        server = HallServer(hall, make_access(), port=0, engine=lambda host: f"nats://{host}:4222")
        server.start()
        try:
            yield None, f"http://127.0.0.1:{server.port}"
        finally:
            server.stop()
            store.close()


def run(parts: list[str], languages: list[str], looks: tuple[Look, ...], only: str, keep: Path | None) -> int:
    """Print what is found, and write pictures into the folder *keep*, if there is one; return how much."""
    from playwright.sync_api import sync_playwright

    count = number = 0
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        stack.callback(browser.close)
        for part in parts:
            with served_hall() if part == "hall" else served_table() as (stage, address):
                for language in languages:
                    auditor = Auditor(browser, language, stage, address)
                    for one in PARTS[part]():
                        if only not in one.name:
                            continue
                        number += 1
                        begun_s = time.monotonic()
                        picture = keep / f"{language} {part} {one.name.replace('/', ' ')}" if keep else None
                        for says in audit(auditor, one, looks, picture):
                            count += 1
                            print(f"{part}, {language}: {says}", flush=True)
                        took_s = time.monotonic() - begun_s
                        print(f"{number}. {part}, {language}: {one.name} ({took_s:.0f} s)", file=sys.stderr)
                    auditor.close()
    print(f"{count} findings in {number} scenes, each in {len(looks)} looks: {' '.join(parts)}", flush=True)
    return count


def main() -> int:
    """Read what is asked, and do it; 1 when there is a finding."""
    parser = argparse.ArgumentParser(description="Every page against axe, and by keyboard alone.")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of games, {', '.join(PARTS)} (all of them)"
    )
    parser.add_argument("--language", action="append", help="en-GB, fr-FR or bs-BA (English and French)")
    parser.add_argument(
        "--look", action="append", choices=[look.name for look in LOOKS], help="(all of them)"
    )
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a picture of each scene in each look")
    given = parser.parse_args()
    parts = whole(given.parts)
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}: {', '.join(PARTS)}")
    looks = tuple(look for look in LOOKS if given.look is None or look.name in given.look)
    return int(run(parts, given.language or list(LANGUAGES), looks, given.only, given.keep) > 0)


if __name__ == "__main__":
    sys.exit(main())
