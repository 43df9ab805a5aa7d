"""What several explanations of one round say together: who was last, last but one and first, and by how much.

Explanations may be what evidence allows, or the ways in which people could see what truly happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lastnose.companion.core.model import Verdict

NEVER_NS = 2**61  # the time of a touch that never came


class Possible(NamedTuple):
    """The seats that were last, last but one and first in one explanation or another.

    `low_ns` and `high_ns`: the least and the most by which the last came after all others, None where some
    explanation has no end to it.
    """

    lasts: set[int]
    rivals: set[int]
    openers: set[int]
    low_ns: int
    high_ns: int | None


def together(explanations: Iterable[Mapping[int, int]]) -> Possible:
    """Return what *explanations* say, each the times at which the seats touched; of equal times all count.

    >>> together([{1: 0, 2: 50, 3: 90}, {1: 0, 2: 95, 3: 90}])
    Possible(lasts={2, 3}, rivals={2, 3}, openers={1}, low_ns=5, high_ns=40)
    """
    lasts, rivals, openers = set[int](), set[int](), set[int]()
    low_ns, high_ns = NEVER_NS, 0
    for moments in explanations:
        times = sorted(moments.values())
        lasts |= {seat for seat, moment in moments.items() if moment == times[-1]}
        rivals |= {seat for seat, moment in moments.items() if moment == times[-2]}
        openers |= {seat for seat, moment in moments.items() if moment == times[0]}
        low_ns, high_ns = min(low_ns, times[-1] - times[-2]), max(high_ns, times[-1] - times[-2])
    return Possible(lasts, rivals, openers, low_ns, None if high_ns > NEVER_NS // 2 else high_ns)


def mirrored(explanations: Iterable[Mapping[int, int]]) -> Possible:
    """Return what *explanations* say of who was first, as if time ran backwards: then the first is the last.

    >>> mirrored([{1: 0, 2: 50, 3: 90}, {1: 45, 2: 50, 3: 90}])
    Possible(lasts={1}, rivals={2}, openers={3}, low_ns=5, high_ns=50)
    """
    return together({seat: -moment for seat, moment in moments.items()} for moments in explanations)


def outside(verdict: Verdict, found: Possible, sides: Mapping[int, int] | None = None) -> list[str]:
    """Return what a verdict says more sharply than the explanations that were *found*.

    Where it says who was first they are `mirrored`. Where teams play, they are of *sides*, and so is whom the
    verdict names.
    """

    def of(seat: int) -> int:
        return seat if sides is None else sides[seat]

    too_sharp = []
    openers = found.lasts if verdict.first else found.openers
    if verdict.opener is not None and openers != {of(verdict.opener)}:
        too_sharp.append("opener")
    if verdict.rival is not None and found.rivals != {of(verdict.rival)}:
        too_sharp.append("rival")
    if verdict.span_ns is not None:
        low_ns, high_ns = verdict.span_ns
        beyond = high_ns is not None and (found.high_ns is None or found.high_ns > high_ns)
        if found.low_ns < low_ns or beyond:
            too_sharp.append("margin")
    return too_sharp
