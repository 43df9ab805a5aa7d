"""A hall with its tables: how soon a deal is on every hall page, and what killing its parts loses.

The hall is `lastnose hall run` in a process of its own, with its message server; this process is its
simulated tables and the viewers of its board. A deal is timed from before its first press until the page
shows that the hall has everything that the table wrote of it: judging, disk and message server are in it.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.bench.figures import (
    SPREAD,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    rounded,
    spread,
)
from companion.bench.measured_hall import WITHIN_S, MeasuredHall
from companion.bench.processes import cpu_s, memory_mb
from companion.bench.viewers import Audience, MeasuredViewer
from companion.core.errors import DeviceError
from companion.core.text import text
from companion.hall.engine import find_server
from companion.hall.store import HallStore
from companion.system import host_clock
from companion.table import log_file

PUT_BACK_S = 15.0
DEALS_PER_S = 10.0  # of all tables together
_HAVE = re.compile(rb'"id":"(\w+)","state":"[a-z]+","there":\w+,"have":(\d+)')
_SHOWN = re.compile(rb'data: \{"version":(\d+)([^\n]*)')


class Witness:
    """The first viewer's messages: from which version on the page has which entry of which table."""

    def __init__(self, viewer: MeasuredViewer) -> None:
        self._viewer = viewer
        self._whole = b""
        self.have: list[tuple[int, dict[str, int]]] = []
        self._take, viewer.take = viewer.take, self.take  # type: ignore[method-assign]

    def take(self, received: bytes, at_ns: int) -> None:
        """Take what came at *at_ns*."""
        whole, end, rest = (self._whole + received).rpartition(b"\n\n")
        self._whole = rest
        for version, said in _SHOWN.findall(whole if end else b""):
            found = {table.decode(): int(n) for table, n in _HAVE.findall(said)}
            self.have.append((int(version), found))
        self._take(received, at_ns)

    def version(self, table: str, n: int) -> int | None:
        """Return the first version that has entry *n* of *table*."""
        return next((version for version, have in self.have if have.get(table, 0) >= n), None)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure a hall with its viewers, then kill its parts."""
    find_server()
    tables, viewers, deals, kills = (4, 5, 20, (2, 1)) if plan.quick else (20, 50, 300, (10, 5))
    with tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder:
        hall = MeasuredHall(Path(folder), tables)
        try:
            hall.call()
            shown = _shown(hall, viewers, deals)
            killed = _killed(hall, *kills, put_back_s=1.0 if plan.quick else PUT_BACK_S)
            hall.end()
            killed.figures.update(_compared(hall))
        finally:
            hall.close()
    return FigureGroup((shown, FigureTable(KILLED, (killed,))))


COSTS = (
    Column("hall_mb", text("hall memory"), "mb"),
    Column("hall_cpu_percent", text("hall CPU"), "percent"),
)
KILLED = (
    Column("entries", text("entries"), ""),
    Column("lost", text("lost"), ""),
    Column("wrong", text("twice or out of order"), ""),
    Column("level_s", text("level again, slowest"), "s"),
)


def _shown(hall: MeasuredHall, viewers: int, deals: int) -> FigureTable:
    """Let *deals* be played before *viewers*; return how soon everybody saw each."""
    played: list[tuple[str, int, int]] = []
    over = threading.Event()

    def play() -> None:
        for number in range(deals):
            table = hall.tables[number % len(hall.tables)]
            at_ns = host_clock.now_ns()
            if table.step() == "played":
                played.append((table.member.table, table.thread.snapshot.seq, at_ns))
            time.sleep(max(0.0, 1 / DEALS_PER_S - (host_clock.now_ns() - at_ns) / 1e9))
        over.set()

    with Audience(hall.port, viewers) as audience:
        witness = Witness(audience.viewers[0])
        audience.read(1.0)
        before_s, start_s = cpu_s(hall.process.pid), time.monotonic()
        thread = threading.Thread(target=play)
        thread.start()
        audience.read(WITHIN_S + deals / DEALS_PER_S, over.is_set)
        thread.join()
        percent = 100 * (cpu_s(hall.process.pid) - before_s) / (time.monotonic() - start_s)
        audience.read(2.0)
    waits = []
    for table, n, at_ns in played:
        version = witness.version(table, n)
        heard = [None if version is None else one.heard_ns(version) for one in audience.viewers]
        if version is None or None in heard:
            raise DeviceError(text("A deal never came to the hall’s page."))
        waits += [one - at_ns for one in heard if one is not None]
    figures = spread(waits, p99_aim_ms=100.0) | {
        "hall_mb": Figure(rounded(memory_mb(hall.process.pid)), 150.0),
        "hall_cpu_percent": Figure(rounded(percent)),
    }
    label = text("{tables} tables, {viewers} viewers", tables=len(hall.tables), viewers=viewers)
    return FigureTable((*SPREAD, *COSTS), (FigureRow("deal_to_page", label, figures),))


def _killed(hall: MeasuredHall, engines: int, hubs: int, *, put_back_s: float) -> FigureRow:
    """Kill message server and hall, put the server's store back; the tables play all the time."""
    waits = []
    closing = threading.Event()

    def play() -> None:
        while not closing.is_set():
            for table in hall.tables:
                table.step()
                closing.wait(1 / DEALS_PER_S / 2)

    def disturbed(do: Callable[[], None]) -> None:
        closing.clear()
        thread = threading.Thread(target=play)
        thread.start()
        try:
            do()
            time.sleep(1)
        finally:
            closing.set()
            thread.join()
        waits.append(hall.wait(hall.level))

    for do in (*[hall.kill_engine] * engines, *[hall.reopen] * hubs, lambda: hall.put_back(put_back_s)):
        disturbed(do)
    label = text(
        "message server killed {engines} times, hall {hubs}, store put back once", engines=engines, hubs=hubs
    )
    return FigureRow("killed", label, {"level_s": Figure(rounded(max(waits)), WITHIN_S)})


def _compared(hall: MeasuredHall) -> dict[str, Figure]:
    """Compare the tables' own files with what the hall has kept."""
    entries = lost = wrong = 0
    store = HallStore(hall.folder)
    try:
        for number, table in enumerate(hall.tables, 1):
            db = log_file.connect(hall.folder.with_name(f"table-{number}") / log_file.NAME, "ro")
            ours, theirs = list(log_file.rows(db)), store.rows(table.member.table)
            db.close()
            entries += len(ours)
            lost += len(set(ours) - set(theirs))
            wrong += len(theirs) - len(set(ours) & set(theirs))
    finally:
        store.close()
    return {"entries": Figure(entries), "lost": Figure(lost, 0), "wrong": Figure(wrong, 0)}
