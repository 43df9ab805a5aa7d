"""Stamps of one change in, figures out: how far apart they are, and what error to declare. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.model import Edge
from companion.selftest.trains import trains_of

# Two stamps of one change are no further apart than this, even behind a capacitor.
SAME_NS = 10_000_000
ENOUGH = 20
LEAST_U_NS = 1_000
# What a pull-up and a small capacitor take at most; a large one takes milliseconds.
SLOW_NS = 100_000


class Write(msgspec.Struct, frozen=True):
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
    """A measurement: *how* ("tied" or "wired"), its *lines*, and the spreads of closing and opening.

    Of tied lines a spread is that of the second stamp behind the first, of a wired output that of the stamp
    behind the moment before the write. `u_ns` is the error to declare, None with too few pairs.
    """

    how: str
    lines: tuple[str, ...]
    closing: Spread | None
    opening: Spread | None
    u_ns: int | None

    @property
    def slow(self) -> bool:
        """Whether opening takes so much longer than closing that a large capacitor must be there."""
        if self.closing is None or self.opening is None:
            return False
        return self.opening.median_ns - self.closing.median_ns > SLOW_NS or self.opening.width_ns > SLOW_NS


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
    known = tuple(edges)
    one, other = (trains_of(known, line) for line in lines)
    found: dict[int, list[int]] = {0: [], 1: []}
    for train in one:
        near = [
            mate.t_ns - train.t_ns
            for mate in other
            if mate.level == train.level and abs(mate.t_ns - train.t_ns) <= SAME_NS
        ]
        if near:
            found[train.level].append(min(near, key=abs))
    both = [abs(value) for values in found.values() for value in values]
    return Timed("tied", lines, spread(found[1]), spread(found[0]), _declare(both, max(both, default=0)))


def measure_wired(writes: Sequence[Write], edges: Iterable[Edge], line: str) -> Timed:
    """Compare the stamps of *line* with the writes that caused them.

    What is common to all is no error, for it delays all alike: the error to declare is from the quickest to
    the slowest, within closing and within opening.
    """
    trains = trains_of(edges, line)
    found: dict[int, list[int]] = {0: [], 1: []}
    for write in writes:
        late = [
            train.t_ns - write.before_ns
            for train in trains
            if train.level == write.level and 0 <= train.t_ns - write.before_ns <= SAME_NS
        ]
        if late:
            found[write.level].append(min(late))
    closing, opening = spread(found[1]), spread(found[0])
    widest_ns = max((one.width_ns for one in (closing, opening) if one is not None), default=0)
    return Timed("wired", (line,), closing, opening, _declare([*found[0], *found[1]], widest_ns))


def _declare(values: Sequence[int], seen_ns: int) -> int | None:
    """Return *seen_ns* rounded up to half a microsecond, at least one; None when *values* are too few."""
    if len(values) < ENOUGH:
        return None
    return max(LEAST_U_NS, -(-seen_ns // 500) * 500)
