"""Phones beside wired noses, as `lastnose run --phones` puts them together: pins, boxes, threads, HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from lastnose.companion.app.sources import WiredSource, make_source
from lastnose.companion.config.settings import RunSettings, run_settings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.ports import Source
from lastnose.companion.evening.commands import Arm, Start
from lastnose.companion.evening.events import RoundJudged, VerdictCompleted
from lastnose.companion.system import host_clock
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.companion.timing import Settings
from lastnose.hardware.box.boxes import Boxes
from lastnose.hardware.sources.mock import WithPhones, phone_lines
from lastnose.hardware.sources.pins import PinSource

from tests.support.phones import Phone, make_app
from tests.support.streams import eventually

MS = 1_000_000
NAMES = ("North", "East", "South")
WIRES = ("nose.1", "nose.2")
SEATS = (*WIRES, "nose.3")


def made(settings: RunSettings) -> WiredSource:
    """Return the source of *settings*, not started."""
    return make_source(settings, None, lambda _: None)


def test_phones_are_numbered_on_from_the_wires() -> None:
    """Four pins and two phones are six seats; only the last two can be touched on pages."""
    settings = run_settings(pi=True, profile="home4", phones=2)
    assert tuple(f"nose.{n}" for n in range(1, 7)) == settings.noses
    assert tuple(f"nose.{n}" for n in range(1, 5)) == settings.wired_noses
    wired = made(settings)
    assert wired.driver is not None
    assert ("nose.5", "nose.6") == wired.driver.lines()
    assert not wired.source.simulated
    beside = run_settings(pi=True, boxes=("sim",), beside="mock:2", phones=1)
    assert ("nose.16",) == tuple(beside.phone_lines)
    assert 16 == len(beside.noses)


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ({"source": "mock", "profile": "mock:3"}, 3),
        ({"source": "box", "boxes": ("sim",)}, 13),
        ({"source": "box", "boxes": ("sim",), "beside": "mock:2"}, 15),
    ],
)
def test_where_all_noses_are_simulated_phones_are_some_more_of_them(
    asked: dict[str, Any], lines: int
) -> None:
    """Every nose can be touched on a page then, as before."""
    wired = made(run_settings(pi=False, phones=2, **asked))
    assert wired.driver is not None
    assert {f"nose.{n}" for n in range(1, lines + 3)} <= {*wired.driver.lines()}


def test_without_phones_a_wired_table_is_what_it_was() -> None:
    """The same source, nothing to touch on pages, no thread of anybody's."""
    before = {one.name for one in threading.enumerate()}
    wired = made(run_settings(pi=True, profile="home4"))
    assert not isinstance(wired.source, WithPhones)
    assert wired.driver is None
    assert before == {one.name for one in threading.enumerate()}


def test_too_many_and_phones_at_a_tape_are_refused() -> None:
    """One clear sentence for each."""
    with pytest.raises(BadInput, match="These boxes, pins and phones have 27 noses; a table has at most 26"):
        run_settings(pi=True, profile="home8", phones=19)
    from pathlib import Path

    with pytest.raises(BadInput, match="--phones does not go with --source replay"):
        run_settings(source="replay", tape=Path("a.jsonl"), phones=1)


class MockPins(PinSource):
    """Pins of gpiozero's mock factory as if somebody had wired them."""

    simulated = True


def pins() -> tuple[Source, Callable[[int, int], None]]:
    """Return two wired pins, and what presses them."""
    factory = MockFactory()
    source = PinSource({"nose.1": 5, "nose.2": 6}, lambda: factory)
    source.__class__ = MockPins

    def press(seat: int, level: int) -> None:
        pin = factory.pin(4 + seat)
        pin.drive_low() if level else pin.drive_high()

    return source, press


def box() -> tuple[Source, Callable[[int, int], None]]:
    """Return a simulated box, as if it were real, and what presses its noses."""
    boxes = Boxes(("sim",), ({"nose.1": 0, "nose.2": 1},))
    return boxes, lambda seat, level: boxes.simulated_box(0).set(seat - 1, level) and None


class Mixed:
    """A running table of two wires and a phone, asked over HTTP."""

    def __init__(self, table: TableThread, store: MemoryStore, press: Callable[[int, int], None]) -> None:
        self.table, self.press, self._store = table, press, store
        app = make_app(table)
        self.pages = app.extensions["lastnose.house"].pages
        table.subscribe(self.pages.follow)
        self.web = Phone(app)
        self.csrf = self.web.get("/csrf").get_data(as_text=True)

    def taps(self, *changes: tuple[str, int, int]) -> Any:
        """Let the phone tell its changes (line, level, time), and promise up to now; return the answer."""
        told = [{"line": line, "level": level, "t_ns": t_ns} for line, level, t_ns in changes]
        now_ns = host_clock.now_ns()
        body = {"page": "p", "clock_u_ns": MS, "taps": told, "promised_ns": now_ns}
        return self.web.post("/api/v1/taps", body, csrf=False, X_CSRFToken=self.csrf)

    def comes_to(self, what: Callable[[], object]) -> bool:
        """Wait for *what*, while the phone promises."""
        return eventually(lambda: self.taps().status_code == 200 and bool(what()))

    def raced(self) -> tuple[Verdict | None, int]:
        """Press both wires, touch the phone 300 ms later; return the verdict on all three, and that time.

        None when the machine was held up so long that the round was decided, or void, without the touch.
        """
        before = len(self.verdicts)
        self.table.submit(Arm(), "host").result(120)
        assert self.comes_to(lambda: self.table.snapshot.phase == "armed")

        def whole() -> list[Verdict]:
            return [one for one in self.verdicts[before:] if len(one.presses) == 3 and one.void is None]

        def told() -> bool:
            both = all(row.pressed for row in self.table.snapshot.rows[:2])
            return both or len(self.verdicts) > before  # shown for a moment: South is last until it touches

        for seat in (1, 2):
            self.press(seat, 1)
        assert self.comes_to(told)
        later_ns = host_clock.now_ns() + 300 * MS
        assert self.comes_to(lambda: host_clock.now_ns() > later_ns)
        touched_ns = host_clock.now_ns()  # after all that it has promised
        self.taps(("nose.3", 1, touched_ns))  # refused to who was not heard of for too long
        assert self.comes_to(lambda: whole() or host_clock.now_ns() > touched_ns + 3_000 * MS)
        for seat in (1, 2):
            self.press(seat, 0)
        self.taps(("nose.3", 0, host_clock.now_ns()))
        assert self.comes_to(lambda: not any(row.held for row in self.table.snapshot.rows))
        return next(iter(whole()), None), touched_ns

    @property
    def verdicts(self) -> list[Verdict]:
        """Return the verdicts so far, completed ones too."""
        judged = [event for _, event in self._store.events()]
        return [event.verdict for event in judged if isinstance(event, RoundJudged | VerdictCompleted)]


@contextmanager
def mixed(wires: tuple[Source, Callable[[int, int], None]]) -> Iterator[Mixed]:
    """Run such a table."""
    phones, store = phone_lines({"nose.3": 0}), MemoryStore()
    source = WithPhones(wires[0], phones)
    table = TableThread(Table(store, SEATS, settings=Settings(rearm_ns=None)), driver=phones)
    table.start()
    try:
        with closing(source):
            source.start(table.emit, table.reporter("source"))
            yield Mixed(table, store, wires[1])
    finally:
        table.stop()


@pytest.mark.parametrize("wires", [pins, box])
def test_a_phone_plays_with_wires_over_http(
    wires: Callable[[], tuple[Source, Callable[[int, int], None]]],
) -> None:
    """Both wires, then the phone by its own clock, 300 ms later: last, sure to ± 60 ms and a little."""
    with mixed(wires()) as at:
        at.table.submit(Start("pig", NAMES, {}, SEATS), "host").result(120)
        owned = {"page": "p", "owns": "nose.3", "phone": "south"}
        assert 200 == at.web.post("/api/v1/clock", owned).status_code
        refused = at.web.post("/api/v1/clock", owned | {"page": "q", "owns": "nose.1"})
        assert (422, "nose.1 is wired: press it, no page can.") == (
            refused.status_code,
            refused.get_json()["error"],
        )
        assert 422 == at.taps(("nose.2", 1, host_clock.now_ns())).status_code
        rounds = (at.raced() for _ in range(10))
        verdict, touched_ns = next(((told, when) for told, when in rounds if told is not None), (None, 0))
        assert verdict is not None, "no machine is held up ten times in a row"
        assert (3,) == verdict.last
        mine = next(press for press in verdict.presses if press.seat == 3)
        assert touched_ns - 50 * MS == mine.t_ns
        assert 59.5 * MS <= (verdict.u_ns or 0) <= 100 * MS


def test_the_page_of_such_a_table_offers_its_phones_noses_only() -> None:
    """My nose is there, and knows the line that it can be; the table page gets the lines it can touch."""
    with mixed(box()) as at:
        at.table.submit(Start("pig", NAMES, {}, SEATS), "host").result(120)
        assert 'id="lines">["nose.3"]<' in at.web.get("/nose").get_data(as_text=True)
        html = at.web.get("/").get_data(as_text=True)
        assert 'data-taps="nose.3"' in html
        assert 'data-do="lay"' not in html
