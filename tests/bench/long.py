"""What a round costs late in a long evening, how soon it is taken up again, and corrected at its first."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

import msgspec
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.table.store import Store

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.long_process import Taken, rounds

LENGTHS, QUICK_LENGTHS = (1, 1_000, 5_000, 20_000), (1, 100)
AT_ONCE = 500  # rounds that the disk is given in one go
AIM_S = 2.0
CORRECTED, CORRECTED_S = 5_000, 1.0  # so many rounds, corrected at the first of them
COLUMNS = (
    Column("restart_s", "taken up again in", "s"),
    Column("round_ms", "CPU a round", "ms"),
    Column("corrected_s", "corrected at round 1 in", "s"),
    Column("memory_mb", "memory", "mb"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Make evenings of each length on the disk; a process of its own takes each up and plays on."""
    lengths = QUICK_LENGTHS if plan.quick else LENGTHS
    return FigureGroup((FigureTable(COLUMNS, tuple(_row(plan.folder, length) for length in lengths)),))


def _row(folder: Path, length: int) -> FigureRow:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=folder) as data:
        fill(Path(data), length)
        taken = take_up(Path(data))
    figures = {
        "restart_s": Figure(rounded(taken.restart_s), AIM_S),
        "round_ms": Figure(rounded(taken.round_ms)),
        "corrected_s": Figure(rounded(taken.corrected_s), CORRECTED_S if length <= CORRECTED else None),
        "memory_mb": Figure(rounded(taken.memory_mb)),
    }
    return FigureRow(str(length), f"after {length} rounds", figures)


def fill(folder: Path, length: int) -> None:
    """Write an evening of so many rounds into the log of *folder*, each with its tape."""
    store = Store(folder)
    try:
        events = rounds(length)
        while batch := tuple(islice(events, AT_ONCE)):
            store.append(*batch)
    finally:
        store.close()


def take_up(folder: Path) -> Taken:
    """Let another process take up the evening of *folder*; raise DeviceError when it does not."""
    words = [sys.executable, "-m", "tests.bench.long_process", str(folder)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise DeviceError(text("The table did not start: {why}", why=why))
    return msgspec.json.decode(done.stdout, type=Taken)
