"""How soon after it was started the table has answered with its first page."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.processes import RunningTable

AIM_S = 1.0
COLUMNS = (Column("median_s", "median", "s"), Column("max_s", "slowest", "s"))


def measure(plan: BenchPlan) -> FigureGroup:
    """Start a simulated table five times, each in a fresh folder."""
    times_s = [first_page_s(plan.folder) for _ in range(2 if plan.quick else 5)]
    figures = {
        "median_s": Figure(rounded(median(times_s)), AIM_S),
        "max_s": Figure(rounded(max(times_s))),
    }
    return FigureGroup((FigureTable(COLUMNS, (FigureRow("first_page", "first page", figures),)),))


def first_page_s(folder: Path) -> float:
    """Start a table; return how many seconds passed from then until its first page was there."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=folder) as data:
        start_s = time.monotonic()
        with RunningTable(Path(data)) as table:
            table.first_page()
            return time.monotonic() - start_s
