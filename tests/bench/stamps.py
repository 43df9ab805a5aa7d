"""What a stamp by this machine's own clock is worth: the clock's steps, and how late a woken thread reads."""

from __future__ import annotations

import os
import threading
import time
from itertools import pairwise

from lastnose.companion.system import host_clock

from tests.bench.figures import (
    US,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    percentile,
    rounded,
)

APART_S = 0.001
COLUMNS = (
    Column("p50_us", "half within", "us"),
    Column("p99_us", "99 % within", "us"),
    Column("max_us", "slowest", "us"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure what no wiring takes part in; `lastnose selftest` measures the table's own lines."""
    readings = [host_clock.now_ns() for _ in range(10_000)]
    rows = (
        FigureRow("clock", "from one reading of the clock to the next", _figures(steps_ns(readings))),
        FigureRow("wake", "a thread that was waiting wakes", _figures(wakes_ns(50 if plan.quick else 2_000))),
    )
    return FigureGroup((FigureTable(COLUMNS, rows),))


def steps_ns(readings: list[int]) -> list[int]:
    """Return how far each of *readings* is from the one before.

    >>> steps_ns([5, 5, 8])
    [0, 3]
    """
    return [after - before for before, after in pairwise(readings)]


def wakes_ns(count: int) -> list[int]:
    """Return how long after a byte was sent the thread that waits for it read the clock, *count* times."""
    reader, writer = os.pipe()
    woken_ns: list[int] = []

    def wait() -> None:
        while os.read(reader, 1):
            woken_ns.append(host_clock.now_ns())

    waiting = threading.Thread(target=wait, name="bench")
    waiting.start()
    sent_ns = []
    try:
        for _ in range(count):
            time.sleep(APART_S)
            sent_ns.append(host_clock.now_ns())
            os.write(writer, b".")
    finally:
        os.close(writer)
        waiting.join()
        os.close(reader)
    return [woken - sent for sent, woken in zip(sent_ns, woken_ns, strict=True)]


def _figures(times_ns: list[int]) -> dict[str, Figure]:
    return {
        "p50_us": Figure(rounded(percentile(times_ns, 50) / US)),
        "p99_us": Figure(rounded(percentile(times_ns, 99) / US)),
        "max_us": Figure(rounded(max(times_ns) / US)),
    }
