"""The table's thread: one queue for inputs, wishes and reports, answered through futures."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import Arm, Rearm, Start
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.snapshot import Snapshot

from tests.support.streams import eventually

WITHIN_S = 120


@pytest.fixture
def live() -> Iterator[TableThread]:
    """A table of three noses on its own thread, with a time of its own."""
    table = TableThread(Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"), clock_ns=lambda: 0))
    table.start()
    yield table
    table.stop()


def shown(table: TableThread, phase: str) -> Snapshot:
    """Wait for a snapshot of *phase*."""
    seen = threading.Event()
    found: list[Snapshot] = []

    def listen(snapshot: Snapshot) -> None:
        if snapshot.phase == phase:
            found.append(snapshot)
            seen.set()

    end = table.subscribe(listen)
    listen(table.snapshot)
    assert seen.wait(WITHIN_S), table.snapshot
    end()
    return found[0]


def test_a_wish_is_answered_with_the_snapshot_that_shows_it(live: TableThread) -> None:
    """The future is done when the event is stored."""
    snapshot = live.submit(Start("pig", ("N", "E", "S")), "host").result(WITHIN_S)
    assert [row.player for row in snapshot.rows] == ["N", "E", "S"]
    assert live.queries.known_players() == ("N", "E", "S")


def test_a_refusal_reaches_who_asked_and_the_table_goes_on(live: TableThread) -> None:
    """The sentence comes through the future."""
    with pytest.raises(BadInput, match="No game is being played"):
        live.submit(Arm(), "host").result(WITHIN_S)
    assert live.submit(Rearm(5.0), "host").result(WITHIN_S).rearms_in_ns == 5_000_000_000


def test_a_wish_that_was_given_up_is_not_carried_out(live: TableThread) -> None:
    """Who cancels in time gets nothing done, and the thread lives on."""
    gate = threading.Event()
    reached = threading.Event()

    def hold(snapshot: Snapshot) -> None:
        reached.set()
        gate.wait(WITHIN_S)

    end = live.subscribe(hold)
    first = live.submit(Rearm(4.0), "host")
    assert reached.wait(WITHIN_S)
    second = live.submit(Rearm(9.0), "host")
    assert second.cancel()
    gate.set()
    assert first.result(WITHIN_S).rearms_in_ns == 4_000_000_000
    end()
    assert live.submit(Rearm(4.5), "host").result(WITHIN_S).rearms_in_ns == 4_500_000_000


def test_edges_become_a_verdict_that_every_listener_sees(live: TableThread) -> None:
    """Through the queue, from any thread."""
    live.emit(Levels({}, 0, "gpio"))
    live.submit(Start("pig", ("N", "E", "S")), "host").result(WITHIN_S)
    live.emit(Watermark(1_000_000, "gpio"))
    shown(live, "armed")
    for number in (1, 2, 3):
        live.emit(Edge(2_000_000 + number * 1_000, "gpio", f"nose.{number}", 1, 100))
    live.emit(Watermark(100_000_000, "gpio"))
    assert str(shown(live, "verdict").headline) == "S was last: P"


def test_a_device_in_trouble_is_shown_until_it_is_well(live: TableThread) -> None:
    """The game goes on meanwhile."""
    report = live.reporter("oled")
    report(text("The display is gone."))
    assert [str(f) for f in live.submit(Rearm(3.0), "host").result(WITHIN_S).faults] == [
        "The display is gone."
    ]
    report(None)
    assert live.submit(Rearm(3.0), "host").result(WITHIN_S).faults == ()


def test_a_full_disk_is_tried_again_without_being_asked() -> None:
    """The first try fails, the thread's own second one stores the verdict."""

    class Once(MemoryStore):
        tries = 0

        def append(self, *events: object) -> tuple[int, ...]:
            if type(events[0]).__name__ == "RoundJudged":
                self.tries += 1
                if self.tries == 1:
                    raise StoreError(text("The disk is full."))
            return super().append(*events)  # type: ignore[arg-type]

    table = TableThread(Table(Once(), ("nose.1", "nose.2", "nose.3"), clock_ns=lambda: 0))
    table.retry_s = 0.01
    table.start()
    try:
        table.emit(Levels({}, 0, "gpio"))
        table.submit(Start("pig", ("N", "E", "S")), "host").result(WITHIN_S)
        table.emit(Watermark(1_000_000, "gpio"))
        for number in (1, 2, 3):
            table.emit(Edge(2_000_000 + number * 1_000, "gpio", f"nose.{number}", 1, 100))
        table.emit(Watermark(100_000_000, "gpio"))
        assert str(shown(table, "verdict").headline) == "S was last: P"
    finally:
        table.stop()


def test_a_source_that_is_never_silent_does_not_keep_the_table_from_its_log() -> None:
    """A folder that is back is written to while promises come faster than the table would try again."""
    tries = threading.Event()

    class Away(MemoryStore):
        adrift: Text | None = text("The folder is gone.")

        def settle(self) -> None:
            self.adrift = None
            tries.set()

    table = TableThread(Table(Away(), ("nose.1",), clock_ns=lambda: 0))
    table.retry_s = 0.5
    table.start()
    over = threading.Event()

    def promise() -> None:
        t_ns = 0
        while not over.wait(0.005):
            t_ns += 1
            table.emit(Watermark(t_ns, "mock"))

    promising = threading.Thread(target=promise)
    promising.start()
    try:
        assert tries.wait(60)
        assert eventually(lambda: table.snapshot.faults == ())
    finally:
        over.set()
        promising.join()
        table.stop()
