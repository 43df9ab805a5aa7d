"""What a self-test measures beside contacts: edges and writes in, figures out once they do. Pure."""

from __future__ import annotations

from typing import Protocol

from companion.core.model import Edge
from companion.selftest.contact import MS
from companion.selftest.plan import TestPlan
from companion.selftest.skew import (
    ENOUGH,
    Apart,
    OutputWrite,
    Timed,
    measure_apart,
    measure_tied,
    measure_wired,
)
from companion.selftest.trains import trains_of

QUIET_NS = 300 * MS
WRITE_NS = 12 * MS
AFTER_NS = 400 * MS


class Measurement(Protocol):
    """One that is going on: `take` its edges until it is `done`."""

    def take(self, edge: Edge) -> None:
        """Take an edge of any line."""

    def done(self, told_ns: int) -> bool:
        """Return whether it has enough; all edges up to *told_ns* have been taken."""

    @property
    def progress(self) -> tuple[int, int]:
        """How many there are of how many."""


class Together:
    """Two lines that move as one: tied together, or two buttons under one bar. *of* is how often."""

    def __init__(self, lines: tuple[str, str], of: int, level: int | None = None) -> None:
        self._lines = lines
        self._level = level
        self._of = of
        self._edges: list[Edge] = []

    def take(self, edge: Edge) -> None:
        """Take an edge."""
        if edge.line in self._lines:
            self._edges.append(edge)

    def done(self, told_ns: int) -> bool:
        """Return whether both have moved often enough and rest."""
        return self.progress[0] >= self._of and told_ns - self._edges[-1].t_ns > QUIET_NS

    @property
    def progress(self) -> tuple[int, int]:
        """How often both have moved."""
        each = (trains_of(self._edges, line) for line in self._lines)
        return min(sum(self._level in (None, train.level) for train in trains) for trains in each), self._of

    def tied(self) -> Timed:
        """Return what tied lines say."""
        return measure_tied(self._edges, self._lines)

    def apart(self) -> Apart | None:
        """Return what two buttons say, the second against the first."""
        return measure_apart(self._edges, self._lines[1], self._lines[0])


class Wired:
    """An output that moves *lines*, *of* times: half of them at rest, half while the machine is busy."""

    def __init__(self, lines: tuple[str, ...], of: int, since_ns: int) -> None:
        self.writes: list[OutputWrite] = []
        self._lines = lines
        self._of = of
        self._since_ns = since_ns
        self._edges: list[Edge] = []

    def take(self, edge: Edge) -> None:
        """Take an edge."""
        if edge.line in self._lines:
            self._edges.append(edge)

    def done(self, told_ns: int) -> bool:
        """Return whether all has been written, and what follows has been heard."""
        return len(self.writes) >= self._of and told_ns - self.writes[-1].after_ns > AFTER_NS

    @property
    def progress(self) -> tuple[int, int]:
        """How many changes have been made."""
        return len(self.writes), self._of

    @property
    def wants_load(self) -> bool:
        """Whether the machine is to be kept busy now."""
        return len(self.writes) >= self._of // 2

    def wants_write(self, now_ns: int) -> int | None:
        """Return the level that the lines are to read now, None when it is not time."""
        if len(self.writes) >= self._of:
            return None
        before_ns = self.writes[-1].after_ns if self.writes else self._since_ns
        return (len(self.writes) + 1) % 2 if now_ns - before_ns >= WRITE_NS else None

    def timed(self) -> tuple[Timed, ...]:
        """Return what it says, at rest and under load."""
        half = self._of // 2
        parts = ((self.writes[:half], False), (self.writes[half:], True))
        return tuple(
            one
            for writes, loaded in parts
            for one in measure_wired(writes, self._edges, self._lines, loaded=loaded)
        )


def measurement_of(step: str, plan: TestPlan, line: str | None, now_ns: int) -> Measurement | None:
    """Return the measurement of a step, None when it is none; *line* is the nose whose spread it is."""
    if step == "tied" and plan.tied is not None:
        return Together(plan.tied, 2 * ENOUGH)
    if step == "wired" and plan.wired is not None:
        return Wired(plan.wired[1], plan.changes, now_ns)
    if step == "spread" and line is not None:
        return Together((plan.spread[line], line), plan.presses, level=1)
    return None
