"""How soon a deal at a table is on every page of the hall, with 20 tables of thirteen and 50 viewers.

The hall is `lastnose hall run` in a process of its own, with its message server; this process is its
simulated tables and the viewers of its board. A deal is timed from before its first press until a page has
the first entry that the table wrote of it, its verdict: judging, both disks and the message server are in it.
What of that the table itself took, before anything was sent, stands beside it.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.link.engine import find_server
from lastnose.companion.system import host_clock
from lastnose.companion.views.snapshot import Snapshot

from tests.bench.figures import (
    MS,
    SPREAD,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    percentile,
    rounded,
    spread,
)
from tests.bench.measured_hall import WITHIN_S, MeasuredHall
from tests.bench.processes import cpu_s, memory_mb
from tests.bench.viewers import Audience, MeasuredViewer

DEALS_PER_S = 10.0  # of all tables together
_HAVE = re.compile(rb'"id":"(\w+)","state":"[a-z]+","there":\w+,"have":(\d+)')
_SHOWN = re.compile(rb'data: \{"version":(\d+)([^\n]*)')
COLUMNS = (
    *SPREAD,
    Column("table_ms", "99 % written at the table", "ms"),
    Column("sent_kb", "sent to a viewer a deal", "kb"),
    Column("hall_ms", "hall’s processor time a deal", "ms"),
    Column("hall_mb", "hall memory", "mb"),
)


class Witness:
    """The first viewer's messages: from which version on the page has which entry of which table."""

    def __init__(self, viewer: MeasuredViewer) -> None:
        self._viewer = viewer
        self._whole = b""
        self.have: list[tuple[int, dict[str, int]]] = []
        self.bytes = 0
        self._take, viewer.take = viewer.take, self.take  # type: ignore[method-assign]

    def take(self, received: bytes, at_ns: int) -> None:
        """Take what came at *at_ns*."""
        self.bytes += len(received)
        whole, end, rest = (self._whole + received).rpartition(b"\n\n")
        self._whole = rest
        for version, said in _SHOWN.findall(whole if end else b""):
            found = {table.decode(): int(n) for table, n in _HAVE.findall(said)}
            self.have.append((int(version), found))
        self._take(received, at_ns)

    def version(self, table: str, n: int) -> int | None:
        """Return the first version that has entry *n* of *table*."""
        return next((version for version, have in self.have if have.get(table, 0) >= n), None)


class TimedDeal(NamedTuple):
    """A deal: its table, the first entry written of it, the time before its first press, and of writing."""

    table: str
    entry: int
    at_ns: int
    written_ns: int


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure a hall with its viewers."""
    find_server()
    tables, viewers, deals = (4, 5, 20) if plan.quick else (20, 50, 300)
    with tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder:
        hall = MeasuredHall(Path(folder), tables)
        try:
            hall.call()
            return FigureGroup((_shown(hall, viewers, deals),))
        finally:
            hall.close()


def _play(hall: MeasuredHall, deals: int, over: threading.Event) -> list[TimedDeal]:
    played: list[TimedDeal] = []
    try:
        for number in range(deals):
            start_ns = host_clock.now_ns()
            deal = _deal(hall.tables[number % len(hall.tables)])
            if deal is not None:
                played.append(deal)
            time.sleep(max(0.0, 1 / DEALS_PER_S - (host_clock.now_ns() - start_ns) / 1e9))
    finally:
        over.set()
    return played


def _deal(table: SimulatedTable) -> TimedDeal | None:
    """Let *table* do the next thing; return its times when that was a deal."""
    shown: list[tuple[int, int]] = []

    def note(snapshot: Snapshot) -> None:
        shown.append((snapshot.seq, host_clock.now_ns()))

    before, at_ns = table.thread.snapshot, host_clock.now_ns()
    leave = table.thread.subscribe(note)
    done = table.step()
    leave()
    written_ns = next((then_ns for seq, then_ns in shown if seq > before.seq), None)
    if done != "played" or before.phase != "armed" or written_ns is None:
        return None
    return TimedDeal(table.member.table, before.seq + 1, at_ns, written_ns)


def _shown(hall: MeasuredHall, viewers: int, deals: int) -> FigureTable:
    """Let *deals* be played before *viewers*; return how soon everybody saw each."""
    played: list[TimedDeal] = []
    over = threading.Event()
    with Audience(hall.port, viewers) as audience:
        witness = Witness(audience.viewers[0])
        audience.read(1.0)
        before_s, before_bytes = cpu_s(hall.process.pid), witness.bytes
        thread = threading.Thread(target=lambda: played.extend(_play(hall, deals, over)))
        thread.start()
        audience.read(WITHIN_S + deals / DEALS_PER_S, over.is_set)
        thread.join()
        worked_s, sent = cpu_s(hall.process.pid) - before_s, witness.bytes - before_bytes
        audience.read(2.0)
    waits: list[int] = []
    for deal in played:
        version = witness.version(deal.table, deal.entry)
        heard = [None if version is None else one.heard_ns(version) for one in audience.viewers]
        if version is None or None in heard:
            raise DeviceError(text("A deal never came to the hall’s page."))
        waits += [one - deal.at_ns for one in heard if one is not None]
    if not waits:
        raise DeviceError(text("A deal never came to the hall’s page."))
    figures = spread(waits, p99_aim_ms=100.0) | {
        "table_ms": Figure(rounded(percentile([one.written_ns - one.at_ns for one in played], 99) / MS)),
        "sent_kb": Figure(rounded(sent / 1_000 / len(played))),
        "hall_ms": Figure(rounded(1_000 * worked_s / len(played))),
        "hall_mb": Figure(rounded(memory_mb(hall.process.pid)), 150.0),
    }
    label = f"{len(hall.tables)} tables, {viewers} viewers"
    return FigureTable(COLUMNS, (FigureRow("deal_to_page", label, figures),))
