"""Stamps of one change in, figures out: how far apart they are, and what error to declare. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from companion.core.model import Edge
from companion.selftest.samples import standard_uncertainty, supported_share, upper_bound
from companion.selftest.trains import trains_of

# Two stamps of one change are no further apart than this, even behind a capacitor.
SAME_NS = 10_000_000
# Two buttons under one bar close within this time, however it is laid on.
SAME_HAND_NS = 100_000_000
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
    declare, None with too few pairs; `standard_ns` GUM's u of a stamp, `bound_ns` what 95 of 100 are within
    of their median with 95 % confidence, None where samples are too few to say so.
    """

    how: How
    lines: tuple[str, ...]
    closing: Spread | None
    opening: Spread | None
    u_ns: int | None
    loaded: bool = False
    standard_ns: float | None = None
    bound_ns: int | None = None

    @property
    def slow(self) -> bool:
        """Whether opening takes so much longer than closing that a large capacitor must be there."""
        if self.closing is None or self.opening is None:
            return False
        return self.opening.median_ns - self.closing.median_ns > SLOW_NS or self.opening.width_ns > SLOW_NS

    @property
    def changes(self) -> int:
        """How many changes it rests on."""
        return sum(one.pairs for one in (self.closing, self.opening) if one is not None)

    @property
    def share(self) -> float:
        """The share of all changes that its extremes speak for, with 95 % confidence."""
        return supported_share(self.changes)


class Apart(msgspec.Struct, frozen=True):
    """How much later nose *line* closes than *against* under one bar: so many presses, in ns.

    `bound_ns`: 95 of 100 presses are no further apart, with 95 % confidence; None with too few of them.
    """

    line: str
    against: str
    found: Spread
    bound_ns: int | None


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
    found = _pairs(tuple(edges), lines, SAME_NS)
    both = [abs(value) for values in found.values() for value in values]
    u_ns = _declare(both, max(both, default=0))
    return Timed("tied", lines, spread(found[1]), spread(found[0]), u_ns, bound_ns=upper_bound(both))


def measure_apart(edges: Iterable[Edge], line: str, against: str) -> Apart | None:
    """Compare how two buttons close under one bar; None when they never did together."""
    values = _pairs(tuple(edges), (against, line), SAME_HAND_NS)[1]
    found = spread(values)
    return None if found is None else Apart(line, against, found, upper_bound([*map(abs, values)]))


def _pairs(edges: Sequence[Edge], lines: tuple[str, str], same_ns: int) -> dict[int, list[int]]:
    """Return by level how much later the second of *lines* changed than the first, each change once."""
    one, other = (trains_of(edges, line) for line in lines)
    found: dict[int, list[int]] = {0: [], 1: []}
    for train in one:
        near = [
            mate.t_ns - train.t_ns
            for mate in other
            if mate.level == train.level and abs(mate.t_ns - train.t_ns) <= same_ns
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
    # A write that was held up shows in how far its stamps are behind: the usual one is what nobody sees.
    took = sorted(write.after_ns - write.before_ns for write in writes)
    within_ns = took[len(took) // 2] if took else 0
    each = {line: _behind(writes, edges, line) for line in lines}
    made = [_timed("wired", (line,), found, within_ns, loaded) for line, found in each.items()]
    if len(each) > 1:
        pooled = {level: [ns for found in each.values() for ns in found[level]] for level in (0, 1)}
        made.append(_timed("pins", tuple(lines), pooled, within_ns, loaded))
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


def _timed(
    how: How, lines: tuple[str, ...], found: Mapping[int, Sequence[int]], within_ns: int, loaded: bool
) -> Timed:
    closing, opening = spread(found[1]), spread(found[0])
    widest_ns = max((one.width_ns for one in (closing, opening) if one is not None), default=0)
    apart = [
        value - half.median_ns
        for values, half in ((found[1], closing), (found[0], opening))
        if half is not None
        for value in values
    ]
    return Timed(
        how,
        lines,
        closing,
        opening,
        _declare([*found[0], *found[1]], widest_ns),
        loaded,
        standard_uncertainty(apart, within_ns),
        upper_bound([*map(abs, apart)]),
    )


def _declare(values: Sequence[int], seen_ns: int) -> int | None:
    """Return *seen_ns* rounded up to half a microsecond, at least one; None when *values* are too few.

    Fewer than `SUPPORTED` do not show that a stamp is better than one that nobody has measured.
    """
    if len(values) < ENOUGH:
        return None
    least_ns = LEAST_U_NS if len(values) >= SUPPORTED else UNMEASURED_U_NS
    return max(least_ns, -(-seen_ns // 500) * 500)
