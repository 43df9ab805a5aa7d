"""How long after a press it is judged, stored and published: a live table with its thread and its disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lastnose.companion.system import host_clock
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.companion.timing import Settings
from lastnose.hardware.box.boxes import SimulatedBoxes
from lastnose.hardware.sources.mock import Mock

from tests.bench.evening import EndlessEvening
from tests.bench.figures import SPREAD, BenchPlan, FigureGroup, FigureRow, FigureTable, spread

SEATS = 4


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure the presses that screens wait for, the first and the one that decides; and the disk alone."""
    lines = tuple(f"nose.{seat}" for seat in range(1, SEATS + 1))
    with live_table(plan.folder, lines, Mock(lines)) as table:
        evening = EndlessEvening(table, SEATS)
        shown = [evening.play() for _ in range(8 if plan.quick else 120)]
    synced_ns = list(sync_times(plan.folder, 8 if plan.quick else 120))
    rows = (
        FigureRow("first_press", "first press", spread([o.published_ns - o.pressed_ns for o, _ in shown])),
        FigureRow("verdict", "verdict", spread([last.published_ns - last.pressed_ns for _, last in shown])),
        FigureRow("disk", "the disk’s part", spread(synced_ns)),
    )
    return FigureGroup((FigureTable(SPREAD, rows),))


def sync_times(folder: Path, times: int) -> Iterator[int]:
    """Yield how long the disk of *folder* took to keep a page for good, in ns."""
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(times):
            file.write(bytes(4096))
            file.flush()
            start_ns = host_clock.now_ns()
            os.fsync(file.fileno())
            yield host_clock.now_ns() - start_ns


@contextmanager
def live_table(folder: Path, lines: tuple[str, ...], source: Mock | SimulatedBoxes) -> Iterator[TableThread]:
    """Run a table that watches *lines* of *source*, its log in a temporary folder inside *folder*."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=folder) as data:
        store = Store(Path(data))
        table = TableThread(
            Table(store, lines, settings=Settings(rearm_ns=None), simulated=True), driver=source
        )
        try:
            table.start()
            source.start(table.emit, table.reporter("source"))
            yield table
        finally:
            source.close()
            table.stop()
            store.close()
