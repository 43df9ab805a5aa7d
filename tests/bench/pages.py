"""How long after a press every open page has heard of it, with 1, 50 and 500 viewers.

The table runs in a process of its own with its whole server; this process is the viewers. Both read the same
clock of the machine. Ten presses a second are shown, with their verdicts and releases.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text

from tests.bench.evening import ShownPress
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
from tests.bench.viewers import SPARE_FILES, Audience, MeasuredViewer, allow_files

T = TypeVar("T")
Heard = tuple[ShownPress, int]
AIMS_MS = {500: 50.0}  # by viewers
ROUNDS_PER_S = 5.0
PATIENCE_S = 30.0
COLUMNS = (
    *SPREAD,
    Column("from_snapshot_p99_ms", "99 % from snapshot", "ms"),
    Column("server_mb", "server memory", "mb"),
    Column("server_cpu_percent", "server CPU", "percent"),
)


class Report(msgspec.Struct, frozen=True):
    """What the table's process says of some rounds (see `tests.bench.table_process`)."""

    presses: tuple[ShownPress, ...]
    undecided: int
    cpu_percent: float
    memory_mb: float


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure a table with 1, 50 and 500 viewers; one after the other, each a table of its own."""
    halls = ((1, 5), (50, 5)) if plan.quick else ((1, 50), (50, 50), (500, 50))
    return FigureGroup(
        (FigureTable(COLUMNS, tuple(_row(plan, viewers, rounds) for viewers, rounds in halls)),)
    )


def _row(plan: BenchPlan, viewers: int, rounds: int) -> FigureRow:
    report, heard = watch(plan, viewers, rounds)
    since_press_ns = [at_ns - shown.pressed_ns for shown, at_ns in heard]
    since_snapshot_ns = [at_ns - shown.published_ns for shown, at_ns in heard]
    figures = spread(since_press_ns, p99_aim_ms=AIMS_MS.get(viewers)) | {
        "from_snapshot_p99_ms": Figure(rounded(percentile(since_snapshot_ns, 99) / MS)),
        "server_mb": Figure(rounded(report.memory_mb)),
        "server_cpu_percent": Figure(rounded(report.cpu_percent)),
    }
    return FigureRow(f"viewers_{viewers}", f"{viewers} viewers", figures)


def watch(plan: BenchPlan, viewers: int, rounds: int, question: str = "last") -> tuple[Report, list[Heard]]:
    """Play *rounds* before *viewers*; return the table's report and what they heard (see `hearings`)."""
    allow_files(viewers + SPARE_FILES)
    with running_table(plan, question) as process, Audience(told(process, int), viewers) as hall:
        hall.read_all(0, PATIENCE_S)
        report = play(process, hall, rounds)
        hall.read_all(report.presses[-1].version, PATIENCE_S)
        return report, hearings(report, hall.viewers)


@contextmanager
def running_table(plan: BenchPlan, question: str = "last") -> Iterator[subprocess.Popen[bytes]]:
    """Run the table's process, its log in a temporary folder."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=plan.folder) as folder,
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.table_process", folder, question],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdin is not None
        try:
            yield process
        except BaseException:
            process.terminate()  # it need not play its rounds to the end
            raise
        finally:
            process.stdin.close()


def play(process: subprocess.Popen[bytes], hall: Audience, rounds: int) -> Report:
    """Let the table play *rounds* before the viewers of *hall*; return its report."""
    assert process.stdin is not None
    process.stdin.write(b"%d %f\n" % (rounds, ROUNDS_PER_S))
    process.stdin.flush()
    assert process.stdout is not None
    hall.watch(process.stdout)
    if not hall.read(PATIENCE_S + rounds / ROUNDS_PER_S):
        raise DeviceError(text("The table with {n} viewers did not end its rounds.", n=len(hall.viewers)))
    report = told(process, Report)
    hall.unwatch(process.stdout)
    return report


def told(process: subprocess.Popen[bytes], kind: type[T]) -> T:
    """Return what the table's process says next; raise DeviceError when it has ended instead."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise DeviceError(
            text("The table’s process ended with status {status}: see above why.", status=process.wait())
        )
    return msgspec.json.decode(line, type=kind)


def hearings(report: Report, viewers: list[MeasuredViewer]) -> list[Heard]:
    """Return each press with when each viewer had the snapshot that shows it, or a newer one, whole."""
    heard = ((shown, viewer.heard_ns(shown.version)) for shown in report.presses for viewer in viewers)
    return [(shown, at_ns) for shown, at_ns in heard if at_ns is not None]
