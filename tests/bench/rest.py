"""What a simulated table takes while nobody plays: memory, and its share of one core."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.processes import RunningTable, cpu_percent, memory_mb
from tests.bench.viewers import Audience

AIM_MB = 70.0
COLUMNS = (
    Column("memory_mb", "memory", "mb"),
    Column("cpu_percent", "CPU", "percent"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure a table that has served its first page, without a viewer and with one."""
    settle_s, during_s = (0.2, 0.5) if plan.quick else (3.0, 5.0)
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=plan.folder) as data,
        RunningTable(Path(data)) as table,
    ):
        table.first_page()
        time.sleep(settle_s)
        pid = table.process.pid
        alone = _row("no_viewer", "without a viewer", pid, during_s)
        with Audience(table.port, 1) as hall:
            hall.read_all(0, settle_s + 10)
            watched = _row("one_viewer", "with one viewer", pid, during_s)
    return FigureGroup((FigureTable(COLUMNS, (alone, watched)),))


def _row(key: str, label: str, pid: int, during_s: float) -> FigureRow:
    cpu = Figure(rounded(cpu_percent(pid, during_s)))
    return FigureRow(key, label, {"memory_mb": Figure(rounded(memory_mb(pid)), AIM_MB), "cpu_percent": cpu})
