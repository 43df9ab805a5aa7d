"""What it costs a table to be in a hall: the same table alone, and in one, in turn."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lastnose.companion.link.engine import find_server

from tests.bench.evening import ShownPress
from tests.bench.figures import (
    MS,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    percentile,
    rounded,
)
from tests.bench.measured_hall import MeasuredHall
from tests.bench.pages import Report, play, told
from tests.bench.viewers import Audience

TURNS = 8
COLUMNS = (
    Column("p50_ms", "half within", "ms"),
    Column("of_alone", "of alone", "percent"),
    Column("cpu_percent", "table CPU", "percent"),
    Column("memory_mb", "memory", "mb"),
    Column("more_mb", "more than alone", "mb"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Let two tables play in turn, one of them in a hall: what else the machine does meets both."""
    find_server()
    turns, rounds = (2, 5) if plan.quick else (TURNS, 25)
    with (
        tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder,
        closing(MeasuredHall(Path(folder), 0)) as hall,
        _table(Path(folder) / "alone") as alone,
        _table(hall.folder_of(hall.member(1))) as inside,
        Audience(told(alone, int), 1) as by_alone,
        Audience(told(inside, int), 1) as by_inside,
    ):
        found: dict[str, list[Report]] = {"alone": [], "inside": []}
        for _ in range(turns):
            found["alone"].append(play(alone, by_alone, rounds))
            found["inside"].append(play(inside, by_inside, rounds))
    base, other = _figures(found["alone"]), _figures(found["inside"])
    share = 100 * other["p50_ms"] / base["p50_ms"]
    rows = (
        FigureRow("alone", "a table alone", {key: Figure(value) for key, value in base.items()}),
        FigureRow(
            "inside",
            "the same in a hall",
            {key: Figure(value) for key, value in other.items()}
            | {
                "of_alone": Figure(rounded(share), 105),
                "more_mb": Figure(rounded(max(0.0, other["memory_mb"] - base["memory_mb"])), 8),
            },
        ),
    )
    return FigureGroup((FigureTable(COLUMNS, rows),))


def _figures(reports: list[Report]) -> dict[str, float]:
    waits = [_wait_ns(shown) for report in reports for shown in report.presses]
    return {
        "p50_ms": rounded(percentile(waits, 50) / MS),
        "cpu_percent": rounded(sum(one.cpu_percent for one in reports) / len(reports)),
        "memory_mb": rounded(reports[-1].memory_mb),
    }


def _wait_ns(shown: ShownPress) -> int:
    return shown.published_ns - shown.pressed_ns


@contextmanager
def _table(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a table with its data in *folder*: in a hall, if that says so."""
    folder.mkdir(exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.table_process", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        try:
            yield process
        finally:
            process.stdin.close()
