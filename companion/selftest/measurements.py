"""What a self-test measures beside contacts: edges and writes in, figures out once they do. Pure.

Stamps of one change are compared: how far apart they are is what error to declare of one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

import msgspec
from lastnose.companion.core.model import Edge
from lastnose.companion.selftest.contact import MS, trains_of
from lastnose.companion.selftest.plan import TestPlan

QUIET_NS = 300 * MS
WRITE_NS = 12 * MS
AFTER_NS = 400 * MS
# Two stamps of one change are no further apart than this, even behind a capacitor.
SAME_NS = 10_000_000
ENOUGH = 20
# So many changes let the largest speak for 99 of 100; fewer may not lower what is declared unmeasured.
SUPPORTED = 299
LEAST_U_NS, UNMEASURED_U_NS = 1_000, 10_000
# What a pull-up and a small capacitor take at most; a large one takes milliseconds.
SLOW_NS = 100_000
# A thread may be later than the latest that was seen: twice that is declared, and never less than this.
LEAST_LATE_NS, LATE_EVENTS = 100_000, 500

How = Literal["tied", "wired", "pins"]


class OutputWrite(msgspec.Struct, frozen=True):
    """An output was set so that its line should read *level*; it happened between two looks at the clock."""

    level: int
    before_ns: int
    after_ns: int


class Spread(msgspec.Struct, frozen=True):
    """How far apart stamps are, in ns: how many pairs, the median, the extremes."""

    pairs: int
    median_ns: int
    least_ns: int
    most_ns: int

    @property
    def width_ns(self) -> int:
        """From one extreme to the other."""
        return self.most_ns - self.least_ns


class Timed(msgspec.Struct, frozen=True):
    """A measurement: *how* it was made, its *lines*, the spreads of closing and opening, *loaded* or at rest.

    Of tied lines a spread is that of the second stamp behind the first, of a wired output that of the stamp
    behind the moment before the write; "pins" is of all lines on one output, as one. `u_ns` is the error to
    declare, None with too few pairs.
    """

    how: How
    lines: tuple[str, ...]
    closing: Spread | None
    opening: Spread | None
    u_ns: int | None
    loaded: bool = False

    @property
    def slow(self) -> bool:
        """Whether opening takes so much longer than closing that a large capacitor must be there."""
        if self.closing is None or self.opening is None:
            return False
        return self.opening.median_ns - self.closing.median_ns > SLOW_NS or self.opening.width_ns > SLOW_NS


class Lag(msgspec.Struct, frozen=True):
    """How long after its stamp the latest event was in our hands, at rest and under load, of so many each.

    No interrupt thread was later than that. `late_ns` is what to declare, None with too few events.
    """

    rest: int = 0
    rest_ns: int = 0
    load: int = 0
    load_ns: int = 0

    @property
    def late_ns(self) -> int | None:
        """Twice the latest, as the next may be later."""
        if self.load < LATE_EVENTS:
            return None
        return max(LEAST_LATE_NS, 2 * max(self.rest_ns, self.load_ns))


def spread(values: Sequence[int]) -> Spread | None:
    """Return the spread of *values*.

    >>> spread([300, 100, 200])
    Spread(pairs=3, median_ns=200, least_ns=100, most_ns=300)
    """
    if not values:
        return None
    ranked = sorted(values)
    return Spread(len(ranked), ranked[len(ranked) // 2], ranked[0], ranked[-1])


def measure_tied(edges: Iterable[Edge], lines: tuple[str, str]) -> Timed:
    """Compare two lines that hang on one wire: the first edges of their trains are of one change.

    The error to declare is the largest difference seen, which is twice what these stamps would need (law 4
    adds both errors).
    """
    found = _pairs(tuple(edges), lines)
    both = [abs(value) for values in found.values() for value in values]
    return Timed("tied", lines, spread(found[1]), spread(found[0]), _declare(both, max(both, default=0)))


def _pairs(edges: Sequence[Edge], lines: tuple[str, str]) -> dict[int, list[int]]:
    """Return by level how much later the second of *lines* changed than the first, each change once."""
    one, other = (trains_of(edges, line) for line in lines)
    found: dict[int, list[int]] = {0: [], 1: []}
    for train in one:
        near = [
            mate.t_ns - train.t_ns
            for mate in other
            if mate.level == train.level and abs(mate.t_ns - train.t_ns) <= SAME_NS
        ]
        if near:
            found[train.level].append(min(near, key=abs))
    return found


def measure_wired(
    writes: Sequence[OutputWrite], edges: Iterable[Edge], lines: Sequence[str], *, loaded: bool = False
) -> tuple[Timed, ...]:
    """Compare the stamps of *lines* with the writes that caused them; of several, all as one at the end.

    What is common to all is no error, for it delays all alike: the error to declare is from the quickest to
    the slowest, within closing and within opening.
    """
    edges = tuple(edges)
    each = {line: _behind(writes, edges, line) for line in lines}
    made = [_timed("wired", (line,), found, loaded) for line, found in each.items()]
    if len(each) > 1:
        pooled = {level: [ns for found in each.values() for ns in found[level]] for level in (0, 1)}
        made.append(_timed("pins", tuple(lines), pooled, loaded))
    return tuple(made)


def _behind(writes: Sequence[OutputWrite], edges: Iterable[Edge], line: str) -> dict[int, list[int]]:
    """Return by level how long after each write its stamp was."""
    trains = {level: [one for one in trains_of(edges, line) if one.level == level] for level in (0, 1)}
    found: dict[int, list[int]] = {0: [], 1: []}
    for write in writes:
        those = trains[write.level]
        at = bisect_left(those, write.before_ns, key=lambda train: train.t_ns)
        if at < len(those) and those[at].t_ns - write.before_ns <= SAME_NS:
            found[write.level].append(those[at].t_ns - write.before_ns)
    return found


def _timed(how: How, lines: tuple[str, ...], found: Mapping[int, Sequence[int]], loaded: bool) -> Timed:
    closing, opening = spread(found[1]), spread(found[0])
    widest_ns = max((one.width_ns for one in (closing, opening) if one is not None), default=0)
    return Timed(how, lines, closing, opening, _declare([*found[0], *found[1]], widest_ns), loaded)


def _declare(values: Sequence[int], seen_ns: int) -> int | None:
    """Return *seen_ns* rounded up to half a microsecond, at least one; None when *values* are too few.

    Fewer than `SUPPORTED` do not show that a stamp is better than one that nobody has measured.
    """
    if len(values) < ENOUGH:
        return None
    least_ns = LEAST_U_NS if len(values) >= SUPPORTED else UNMEASURED_U_NS
    return max(least_ns, -(-seen_ns // 500) * 500)


# ---- while it goes on


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
    """Two lines tied together, which move as one. *of* is how often."""

    def __init__(self, lines: tuple[str, str], of: int) -> None:
        self._lines = lines
        self._of = of
        self._edges: list[Edge] = []

    def take(self, edge: Edge) -> None:
        if edge.line in self._lines:
            self._edges.append(edge)

    def done(self, told_ns: int) -> bool:
        """Return whether both have moved often enough and rest."""
        return self.progress[0] >= self._of and told_ns - self._edges[-1].t_ns > QUIET_NS

    @property
    def progress(self) -> tuple[int, int]:
        """How often both have moved."""
        return min(len(trains_of(self._edges, line)) for line in self._lines), self._of

    def tied(self) -> Timed:
        """Return what tied lines say."""
        return measure_tied(self._edges, self._lines)


class Wired:
    """An output that moves *lines*, *of* times: half of them at rest, half while the machine is busy."""

    def __init__(self, lines: tuple[str, ...], of: int, since_ns: int) -> None:
        self.writes: list[OutputWrite] = []
        self._lines = lines
        self._of = of
        self._since_ns = since_ns
        self._edges: list[Edge] = []

    def take(self, edge: Edge) -> None:
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


def measurement_of(step: str, plan: TestPlan, now_ns: int) -> Measurement | None:
    """Return the measurement of a step, None when it is none."""
    if step == "tied" and plan.tied is not None:
        return Together(plan.tied, 2 * ENOUGH)
    if step == "wired" and plan.wired is not None:
        return Wired(plan.wired[1], plan.changes, now_ns)
    return None
