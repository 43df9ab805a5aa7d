"""Lifts and touches in, out come the seats of which nobody can be sure that they have a spoon. Pure.

A touch is valid while lifts exceed the valid touches before it (SPN-6), so what counts is their *order*. Two
of them may have come either way round when they are no further apart than `w` (law 4). Every order that this
allows is a world, and a seat is sure of its spoon when it has one in all of them.

The worlds are not walked through; they are too many. Each touch is bounded instead: it is surely valid when
the lifts that surely came before it exceed the most touches of others that may have been valid before it;
surely a phantom when the lifts that may have come before it do not exceed the surely valid touches that
surely came before it. The bounds help each other until nothing changes any more. They may doubt too much
where touches without a spoon crowd together, never too little.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from lastnose.companion.core.model import Lift, Press
from lastnose.companion.timing.judge import Span, uncertainty_ns


class Interval(msgspec.Struct, frozen=True):
    """A lift or touch that came somewhere in `[first_ns, last_ns]`, both as stamped unless edges are lost.

    `counts`: it does, if all stamps are taken at their word. `sure`: it does in every world.
    """

    mark: Press | Lift
    first_ns: int
    last_ns: int
    counts: bool = True
    sure: bool = True


class Unsure(msgspec.Struct, frozen=True):
    """The seats that may be without a spoon, and the latest touch of each that may have been valid.

    `spans`: by seat, from when to when the touch may have come that gave it its spoon, if it may have one.
    """

    seats: frozenset[int]
    touches: dict[int, Press]
    spans: dict[int, Span] = {}


def surely_before(one: Interval, other: Interval) -> bool:
    """Return whether *one* came before *other* in every world.

    >>> a, b = Press(1, 0, 10, "gpio"), Lift(1, 20, 10, "gpio")
    >>> first = Interval(a, 0, 0)
    >>> surely_before(first, Interval(b, 20, 20)), surely_before(first, Interval(b, 21, 21))
    (False, True)
    """
    return other.first_ns - one.last_ns > uncertainty_ns(one.mark, other.mark)


def unsure(
    seats: Collection[int],
    lifts: Sequence[Interval],
    touches: Sequence[Interval],
    *,
    lifts_as_stamped: bool = False,
) -> Unsure:
    """Return which of *seats* may be without a spoon, there being one less of them.

    *lifts_as_stamped*: leave no doubt on which side of a touch a lift came.
    """
    bounds = _Bounds(len(seats) - 1, lifts, touches, lifts_as_stamped=lifts_as_stamped)
    while bounds.tighten():
        pass
    has_one = {bounds.seat[n] for n in bounds.valid}
    chance: dict[int, Press] = {}
    for n in sorted(range(len(touches)), key=lambda n: touches[n].last_ns):
        mark = touches[n].mark
        if n not in bounds.phantom and isinstance(mark, Press):
            chance[bounds.seat[n]] = mark
    return Unsure(frozenset(seats) - has_one, chance, _spans(bounds, touches))


def may_be_over(seats: Collection[int], lifts: Sequence[Interval], touches: Sequence[Interval]) -> bool:
    """Return whether all of *seats* but one may have a spoon: by the last touch of each that may be valid.

    >>> touches = [Interval(Press(1, 5, 10, "gpio"), 5, 5), Interval(Press(2, 90, 10, "gpio"), 90, 90)]
    >>> lifts = [Interval(Lift(1, 0, 10, "gpio"), 0, 0), Interval(Lift(2, 100, 10, "gpio"), 100, 100)]
    >>> may_be_over((1, 2, 3), lifts, touches), may_be_over((1, 2, 3), lifts[:1], touches)
    (True, False)
    """
    bounds = _Bounds(len(seats) - 1, lifts, touches, lifts_as_stamped=False)
    while bounds.tighten():
        pass
    latest: dict[int, Interval] = {}
    for n in sorted(range(len(touches)), key=lambda n: touches[n].last_ns):
        if n not in bounds.phantom:
            latest[bounds.seat[n]] = touches[n]
    count = 0
    for touch in sorted(latest.values(), key=lambda one: one.last_ns):
        count += sum(1 for one in lifts if not surely_before(touch, one)) > count
    return count >= len(seats) - 1


def _spans(bounds: _Bounds, touches: Sequence[Interval]) -> dict[int, Span]:
    """Return by seat when its first valid touch may have come: no later than one that surely was valid."""
    spans: dict[int, Span] = {}
    for seat in set(bounds.seat):
        may = [n for n, of in enumerate(bounds.seat) if of == seat and n not in bounds.phantom]
        sure_ns = min((touches[n].last_ns for n in may if n in bounds.valid), default=None)
        may = [n for n in may if sure_ns is None or touches[n].first_ns <= sure_ns]
        marks = [mark for n in may if isinstance(mark := touches[n].mark, Press)]
        if marks:
            last_ns = max(touches[n].last_ns for n in may) if sure_ns is None else sure_ns
            mark = max(marks, key=lambda one: one.u_ns)
            spans[seat] = mark, min(touches[n].first_ns for n in may), last_ns
    return spans


class _Bounds:
    """What is sure of each touch, by its number: `valid` or `phantom`. Both only grow."""

    def __init__(
        self, spoons: int, lifts: Sequence[Interval], touches: Sequence[Interval], *, lifts_as_stamped: bool
    ) -> None:
        self.valid: set[int] = set()
        self.phantom: set[int] = set()
        self.seat = [touch.mark.seat if isinstance(touch.mark, Press) else 0 for touch in touches]
        self._sure = [touch.sure for touch in touches]
        self._least: list[int] = []  # lifts before each touch
        self._most: list[int] = []
        for touch in touches:
            if lifts_as_stamped:
                least = most = sum(1 for one in lifts if one.counts and one.mark.t_ns <= touch.mark.t_ns)
            else:
                least = sum(1 for one in lifts if one.sure and surely_before(one, touch))
                most = sum(1 for one in lifts if not surely_before(touch, one))
            self._least.append(min(spoons, least))
            self._most.append(min(spoons, most))
        everyone = range(len(touches))
        others = [[m for m in everyone if self.seat[m] != self.seat[n]] for n in everyone]
        self._before = [[m for m in others[n] if surely_before(touches[m], touches[n])] for n in everyone]
        self._not_after = [
            [m for m in others[n] if not surely_before(touches[n], touches[m])] for n in everyone
        ]

    def tighten(self) -> bool:
        """Look at every touch again; return whether anything is sure that was not."""
        known = len(self.valid) + len(self.phantom)
        open_ones = [n for n in range(len(self.seat)) if n not in self.valid and n not in self.phantom]
        valid = {n for n in open_ones if self._sure[n] and self._least[n] > self._most_valid(n)}
        phantom = {n for n in open_ones if self._most[n] <= self._least_valid(n)}
        self.valid |= valid
        self.phantom |= phantom
        return len(self.valid) + len(self.phantom) > known

    def _least_valid(self, n: int) -> int:
        """Return how many others surely had a spoon when touch *n* came."""
        return len({self.seat[m] for m in self._before[n] if m in self.valid})

    def _most_valid(self, n: int) -> int:
        """Return how many others may have had one: each needs a lift more than those before."""
        chances: dict[int, int] = {}
        for m in self._not_after[n]:
            if m not in self.phantom:
                chances[self.seat[m]] = max(chances.get(self.seat[m], 0), self._most[m])
        count = 0
        for lifts in sorted(chances.values()):
            count += lifts > count
        return count
