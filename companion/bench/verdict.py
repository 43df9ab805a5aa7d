"""How long after a press it is judged, stored and published: a live table with its thread and its disk."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.bench.evening import Evening
from companion.bench.figures import SPREAD, Group, Plan, Row, Table, spread
from companion.loop import LiveTable
from companion.store import Store
from companion.text import text
from companion.timing import Settings
from hardware.mock import Mock

SEATS = 4


def measure(plan: Plan) -> Group:
    """Measure the presses that screens wait for, the first and the one that decides; and the disk alone."""
    with live_table(plan.folder) as table:
        evening = Evening(table, SEATS)
        shown = [evening.play() for _ in range(8 if plan.quick else 120)]
    synced_ns = list(sync_times(plan.folder, 8 if plan.quick else 120))
    rows = (
        Row("first_press", text("first press"), spread([o.published_ns - o.pressed_ns for o, _ in shown])),
        Row("verdict", text("verdict"), spread([last.published_ns - last.pressed_ns for _, last in shown])),
        Row("disk", text("the disk’s part"), spread(synced_ns)),
    )
    return Group((Table(SPREAD, rows),))


def sync_times(folder: Path, times: int) -> Iterator[int]:
    """Yield how long the disk of *folder* took to keep a page for good, in ns."""
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(times):
            file.write(bytes(4096))
            file.flush()
            start_ns = time.monotonic_ns()
            os.fsync(file.fileno())
            yield time.monotonic_ns() - start_ns


@contextmanager
def live_table(folder: Path) -> Iterator[LiveTable]:
    """Run a table on simulated noses, its log in a temporary folder inside *folder*."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=folder) as data:
        store = Store(Path(data))
        lines = tuple(f"nose.{seat}" for seat in range(1, SEATS + 1))
        source = Mock(lines)
        table = LiveTable(store, lines, settings=Settings(rearm_ns=None), simulated=True, driver=source)
        try:
            table.start()
            source.start(table.emit, table.reporter("source"))
            yield table
        finally:
            source.close()
            table.stop()
            store.close()
