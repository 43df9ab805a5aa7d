"""Figures with their aims, in rows and columns; and how many of what make one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any

import msgspec

US, MS, MB = 1_000, 1_000_000, 1_000_000

# How an amount in a unit is written; "" is a plain number.
UNITS: dict[str, str] = {
    "us": "{amount} µs",
    "ms": "{amount} ms",
    "s": "{amount} s",
    "mb": "{amount} MB",
    "kb": "{amount} kB",
    "percent": "{amount} %",
    "per_s": "{amount} a second",
    "": "{amount}",
}


class BenchPlan(msgspec.Struct, frozen=True):
    """How much to measure. *folder* keeps the evenings meanwhile: its disk is measured too."""

    folder: Path
    quick: bool = False


class Column(msgspec.Struct, frozen=True):
    """A kind of figure. `key` carries the unit for programs, `unit` (of UNITS) says how to write it."""

    key: str
    label: str
    unit: str


class Figure(msgspec.Struct, frozen=True):
    """What was measured, and what it should be at most."""

    value: float
    aim: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without one.

        >>> Figure(9.8, aim=10).met, Figure(10.2, aim=10).met, Figure(3).met
        (True, False, None)
        """
        return None if self.aim is None else self.value <= self.aim


class FigureRow(msgspec.Struct, frozen=True):
    """The figures of one case, by the key of their column; a column without a figure is absent."""

    key: str
    label: str
    figures: dict[str, Figure]

    def values(self) -> dict[str, float]:
        """Return the figures as plain numbers."""
        return {key: figure.value for key, figure in self.figures.items()}

    def aims(self) -> Iterator[tuple[str, float]]:
        """Yield the figures that have an aim, with it."""
        yield from ((key, figure.aim) for key, figure in self.figures.items() if figure.aim is not None)


class FigureTable(msgspec.Struct, frozen=True):
    """Rows with the same columns."""

    columns: tuple[Column, ...]
    rows: tuple[FigureRow, ...]


class FigureGroup(msgspec.Struct, frozen=True):
    """What belongs together. `details` is what only programs read."""

    tables: tuple[FigureTable, ...] = ()
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = {}

    def all_figures(self) -> Iterator[Figure]:
        """Yield every figure."""
        for table in self.tables:
            for row in table.rows:
                yield from row.figures.values()

    @property
    def met(self) -> bool | None:
        """Whether every aim is met; None when there is none."""
        known = [figure.met for figure in self.all_figures() if figure.met is not None]
        return all(known) if known else None


def percentile(values: Sequence[int], percent: float) -> int:
    """Return the smallest of *values* that at least *percent* of them do not exceed (nearest rank).

    >>> percentile([40, 10, 30, 20], 50), percentile(range(1, 201), 99), percentile([7], 99)
    (20, 198, 7)
    """
    return sorted(values)[max(0, ceil(percent / 100 * len(values)) - 1)]


def rounded(value: float) -> float:
    """Round *value* to four figures, which is more than a machine repeats.

    >>> rounded(7.123456), rounded(138_123.4), rounded(12)
    (7.123, 138100, 12)
    """
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short


SPREAD = (
    Column("p50_ms", "half within", "ms"),
    Column("p99_ms", "99 % within", "ms"),
    Column("max_ms", "slowest", "ms"),
)


def spread(
    times_ns: Sequence[int], *, p50_aim_ms: float | None = None, p99_aim_ms: float | None = None
) -> dict[str, Figure]:
    """Return the figures of the SPREAD columns.

    >>> {key: figure.value for key, figure in spread([1_000_000, 2_000_000, 9_000_000]).items()}
    {'p50_ms': 2, 'p99_ms': 9, 'max_ms': 9}
    """
    return {
        "p50_ms": Figure(rounded(percentile(times_ns, 50) / MS), p50_aim_ms),
        "p99_ms": Figure(rounded(percentile(times_ns, 99) / MS), p99_aim_ms),
        "max_ms": Figure(rounded(max(times_ns) / MS)),
    }
