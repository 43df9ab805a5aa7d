"""A real browser for the pages: Debian's chromium; what it asks for is written down."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.companion.system.workshop import Workshop
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.companion.views.snapshot import RoundView
from lastnose.web import bundle, delivery
from lastnose.web.hall.server import HallServer
from lastnose.web.server.server import Server

from tests.support.fakes import TAPE, FakeTable
from tests.support.phones import make_access
from tests.support.tables import served
from tests.web.browser.scenes import CLOSE, CROWD, EDGES, rounds

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium")
# A page that is closed while it loads itself again may never say that it is (crbug.com/536385539): without
# the first of these features it does. The last two open two pages of their own beside each of ours, for the
# address bar. What Playwright leaves out stays out: the last such list counts.
LEFT_OUT = (
    "RenderDocument,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,PaintHolding,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    f"--disable-component-update --disable-sync --disable-features={LEFT_OUT}"
)
# Somebody of the network. What a service worker fetches lacks this header, and would come from a host.
WATCHER = {"extra_http_headers": {"X-Forwarded-For": "192.0.2.77"}, "service_workers": "block"}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WITHIN_MS = 60_000
LINES = tuple(f"nose.{number}" for number in range(1, 27))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file of heavy tests where those are left out; what is asked for by name is read even so."""
    if config.option.markexpr != "not heavy" or not collection_path.match("test_*.py"):
        return None
    return "pytest.mark.journey" not in collection_path.read_text("utf-8") or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is in this folder; all but a journey a page is heavy; say what is missing."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("journey") is None:
                item.add_marker(pytest.mark.heavy)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="there is no chromium: apt install chromium"))


def expect(shown: Any) -> Any:
    """Return what can be expected of *shown*, a place on a page: it is waited for."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=WITHIN_MS)
    return expected(shown)


@pytest.fixture(autouse=True)
def at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what takes long be worked out here: a worker makes way for whatever else the machine does."""

    monkeypatch.setattr(Workshop, "_begun", lambda _: None)


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Believe touches that are old by the time they are told: other tests share the machine."""
    for name in ("_HANDED_NS", "_VOWED_NS"):
        monkeypatch.setattr(f"lastnose.web.taps.{name}", 10_000_000_000)


@pytest.fixture(autouse=True, scope="module")
def patient_pages() -> Iterator[None]:
    """Let a page wait half a second for taps that a busy browser has still to hand over.

    A tap that comes after the page's word that none will makes the round void, rightly, and here of the
    machine's mood. How soon a page may promise is held by tests/javascript.
    """

    def patient(name: str, changed_ns: int) -> bundle.Module:
        made = as_it_is(name, changed_ns)
        if name != "lib/touches.js":
            return made
        body, changed = re.subn(r"GRACE_MS = \d+;", "GRACE_MS = 500;", made.body)
        assert 2 == changed
        return msgspec.structs.replace(made, body=body)

    as_it_is = bundle._read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "_read", patient)
        delivery._script.cache_clear()
        yield
    delivery._script.cache_clear()


_running: list[Any] = []  # the browser that is open
_ending = ExitStack()


@pytest.fixture
def chromium() -> Any:
    """Return a browser without windows: that of the test before, of this file or of another journey."""
    from playwright.sync_api import sync_playwright

    if not _running:
        playwright = _ending.enter_context(sync_playwright())
        _running.append(playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split()))
        _ending.callback(_running[0].close)
    return _running[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Close the browser before any other test: its loop must not meet another's."""
    try:
        yield
    finally:
        both = [one for one in (item, nextitem) if one is not None and one.get_closest_marker("journey")]
        if nextitem is None or (nextitem.path != item.path and len(both) < 2):
            _running.clear()
            _ending.close()


def settle(page: Any) -> None:
    """Wait until the page has drawn what it knows."""
    # As functions: the page's policy forbids to evaluate a string once more when it does not hold at once.
    page.wait_for_function("() => document.querySelector('h1')?.textContent !== ''")
    page.wait_for_function(
        "() => [...document.querySelectorAll('photo-finish')].every(e => !e.clientWidth || e.firstChild)"
    )
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Visit:
    """A page that is open, and what it asked for and complained about."""

    def __init__(self, page: Any, may_complain: bool) -> None:
        self.page = page
        self.may_complain = may_complain
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        blocked = message.text.startswith("Service Worker registration blocked by Playwright")  # as was asked
        if message.type in ("error", "warning") and not blocked:
            self.complaints.append(f"{message.text} ({message.location['url']})")


class Visits:
    """The pages that a test has open, each in a browser of its own."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._open: list[tuple[Any, Visit]] = []

    def __call__(
        self, address: str, *, may_complain: bool = False, size: tuple[int, int] = (1280, 900), **how: Any
    ) -> Visit:
        """Open *address* in so many px; unless it *may_complain*, an error in its console fails the test."""
        viewport = dict(zip(("width", "height"), size, strict=True))
        context = self._chromium.new_context(**{"viewport": viewport, "locale": "en-GB", **how})
        context.set_default_timeout(WITHIN_MS)
        made = Visit(context.new_page(), may_complain)
        self._open.append((context, made))
        made.page.goto(address)
        return made

    def drawn(self, address: str, **how: Any) -> Any:
        """Open *address*, and return the page once it has drawn what it knows."""
        page = self(address, **how).page
        settle(page)
        return page

    def close(self) -> None:
        """Close the pages, then say what they complained about."""
        left = [made for _, made in self._open]
        while self._open:
            self._open.pop()[0].close()
        assert [] == [said for made in left if not made.may_complain for said in made.complaints]


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visits]:
    """Return how to open a page."""
    visits = Visits(chromium)
    yield visits
    visits.close()


class Stage(FakeTable):
    """A table on which scenes are set."""

    lines = LINES
    visits: Visits
    address = ""

    def visit(self, path: str = "/", **how: Any) -> Visit:
        """Open a page of it."""
        return self.visits(self.address + path, **how)

    def drawn(self, path: str = "/", **how: Any) -> Any:
        """Open a page of it, and return that once it has drawn what it knows."""
        return self.visits.drawn(self.address + path, **how)

    def known_players(self) -> tuple[str, ...]:
        return CROWD

    def rounds(self) -> tuple[RoundView, ...]:
        return rounds()

    def listed_round(self, seq: int) -> RoundView:
        return next(one for one in rounds() if one.seq == seq)

    def edges(self, seq: int) -> tuple[TapeEdge, ...]:
        return EDGES

    def tape(self, seq: int) -> str:
        return TAPE

    def appeal(self, seq: int, confirm_ns: int, lockout_ns: int) -> RoundView:
        return rounds()[1]

    def set(self, scene: Any) -> None:
        """Show *scene* as the next version."""
        fields = {name: getattr(scene, name) for name in scene.__struct_fields__ if name != "version"}
        self.show(**fields)


@pytest.fixture(scope="module")
def theatre() -> Iterator[tuple[Stage, Server]]:
    """Serve one stage for a file of tests."""
    stage = Stage(CLOSE)
    server = Server(stage, make_access(), port=0)
    server.start()
    yield stage, server
    server.stop()


@pytest.fixture
def stage(theatre: tuple[Stage, Server], visit: Visits) -> Stage:
    """Return a table that shows a close round, and has been asked nothing so far, by nobody."""
    stage, server = theatre
    assert server._house is not None
    for phone in server._house.pages.phones:  # of the test before: that it has left may be on its way still
        server._house.pages.forget(phone.line)
    stage.visits, stage.address = visit, f"http://127.0.0.1:{server.port}"
    stage.set(CLOSE)
    stage.commands.clear()
    stage.driver.driven.clear()
    return stage


@pytest.fixture
def evening(visit: Visits, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve a real table on simulated noses, with an empty log; return its address without a slash.

    It waits a second for late taps, and ten for a page's word: other tests share the machine.
    """
    for name in (
        "lastnose.web.taps._SHORTEST_DELAY_NS",
        "lastnose.web.taps.LONGEST_DELAY_NS",
        "lastnose.hardware.sources.mock.FIRST_NS",
    ):
        monkeypatch.setattr(name, 1_000_000_000)
    monkeypatch.setattr("lastnose.web.page_sources.PATIENCE_NS", 10_000_000_000)
    with served(LINES, spoons=25, rearm_ns=3_000_000_000, tokens=False) as evening:
        yield evening.address
        visit.close()


class OpenHall(NamedTuple):
    """A hall in which nothing has happened, and the address of its pages without a slash."""

    hall: Hall
    address: str
    visits: Visits

    def visit(self, path: str = "/", **how: Any) -> Visit:
        """Open one of its pages."""
        return self.visits(self.address + path, **how)


@pytest.fixture
def opened(visit: Visits, tmp_path: Path) -> Iterator[OpenHall]:
    """Serve a hall."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store, random=Random(3))
    server = HallServer(hall, make_access(), port=0, engine=lambda host: f"nats://{host}:4222")
    server.start()
    yield OpenHall(hall, f"http://127.0.0.1:{server.port}", visit)
    visit.close()
    server.stop()
    store.close()
