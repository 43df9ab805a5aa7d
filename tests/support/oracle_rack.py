"""A second opinion on spoons, written another way: every order that law 4 allows is walked through.

It knows lifts and touches as stamped (no feints, no gaps) and says who is last in each world.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.support.oracle import Stamp, w


class Event(NamedTuple):
    """A lift (seat 0) or a touch of a seat."""

    seat: int
    stamp: Stamp


UNDECIDED = 0


def orders(events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield every order in which nothing comes before what was surely earlier."""
    if not events:
        yield ()
        return
    for n, event in enumerate(events):
        rest = [*events[:n], *events[n + 1 :]]
        if all(event.stamp.t - other.stamp.t <= w(event.stamp, other.stamp) for other in rest):
            yield from ((event, *later) for later in orders(rest))


def last_in(order: Sequence[Event], seats: Sequence[int]) -> int:
    """Return who is left when the others have spoons in this order; UNDECIDED when more than one is."""
    lying, without = 0, list(seats)
    for event in order:
        if event.seat == 0:
            lying += 1
        elif lying > 0 and event.seat in without and len(without) > 1:
            lying -= 1
            without.remove(event.seat)
    return without[0] if len(without) == 1 else UNDECIDED


def phantoms_in(order: Sequence[Event], seats: Sequence[int]) -> list[int]:
    """Return the seats that touched with nothing to be had while more than one was without, in order."""
    lying, without, found = 0, list(seats), []
    for event in order:
        if event.seat == 0:
            lying += 1
        elif event.seat in without and len(without) > 1:
            if lying > 0:
                lying -= 1
                without.remove(event.seat)
            else:
                found.append(event.seat)
    return found


def lasts(events: Sequence[Event], seats: Sequence[int], most: int = 20_000) -> set[int] | None:
    """Return who is last in some world; None when there are too many worlds to walk through."""
    found: set[int] = set()
    for n, order in enumerate(orders(sorted(events, key=lambda event: event.stamp.t))):
        if n >= most:
            return None
        found.add(last_in(order, seats))
    return found


def as_stamped(events: Sequence[Event], seats: Sequence[int]) -> int:
    """Return who is last with every stamp taken at its word; of equal stamps lifts first, then by seat."""
    return last_in(sorted(events, key=lambda event: (event.stamp.t, event.seat)), seats)


def swapped(events: Sequence[Event]) -> bool:
    """Say whether any two of different kind or seat may have come the other way round."""
    return any(
        abs(a.stamp.t - b.stamp.t) <= w(a.stamp, b.stamp)
        for a, b in itertools.combinations(events, 2)
        if (a.seat, b.seat) != (0, 0)
    )
