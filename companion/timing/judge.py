"""Presses in, verdict out: who could be last, and how sure that is (law 4). A pure function of stamps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import msgspec
from lastnose.companion.core.model import Press, Verdict, length_u_ns, uncertainty_ns
from lastnose.companion.core.text import Text

__all__ = [
    "UNPRESSED_NS",
    "MarginRange",
    "Span",
    "closest_rival",
    "could_be_last",
    "in_order",
    "judge",
    "may_differ",
    "spread_of",
    "uncertainty_ns",
    "voided",
    "with_spread",
]
UNPRESSED_NS = 2**62  # the time of a press that has not come
Span = tuple[Press, int, int]  # a press (for its uncertainty), the earliest and the latest it may have come
NO_SIDES: Mapping[int, int] = {}  # everybody plays alone


def could_be_last(presses: Collection[Press]) -> tuple[int, ...]:
    """Return the seats that could have been last, ascending: those that nobody surely came after (law 4)."""
    latest_first = in_order(presses)[::-1]  # the latest refutes most at once
    last = []
    for one in latest_first:
        for other in latest_first:
            if other.t_ns - one.t_ns > uncertainty_ns(one, other):
                break
        else:
            last.append(one.seat)
    return tuple(sorted(last))


_by_time = attrgetter("t_ns", "seat")


def in_order(presses: Collection[Press]) -> tuple[Press, ...]:
    """Return the presses by time; equal times by seat, which decides nothing."""
    return tuple(sorted(presses, key=_by_time))


def closest_rival(last: Press, others: Sequence[Press]) -> Press:
    """Return the press that comes closest to making *last* doubtful: least `(t_last - t_j) - w(last, j)`."""
    return min(
        others,
        key=lambda other: (last.t_ns - other.t_ns - uncertainty_ns(last, other), -other.t_ns, other.seat),
    )


def _of_one(seat: int, other: int, sides: Mapping[int, int]) -> bool:
    """Return whether two seats are one side: the same, or of one team."""
    return seat == other or (seat in sides and sides[seat] == sides.get(other))


def judge(presses: Collection[Press], sides: Mapping[int, int] = NO_SIDES) -> Verdict:
    """Judge presses, at least two, by law 4; *sides* says, where some play as a team, by seat for which.

    Of a team that is last alone the margin is to the closest rival of another, None where there is none.

    In a dead heat the pair behind `margin_ns` and `u_ns` is the latest press and its closest rival among the
    seats that could be last, so margin ≤ u. Otherwise it is the last press and its closest rival among those
    it is surely later than (always the one before it, if clocks agree with themselves), so margin > u.

    >>> verdict = judge([Press(1, 0, 10, "gpio"), Press(2, 90, 10, "gpio"), Press(3, 100, 10, "gpio")])
    >>> verdict.last, verdict.dead_heat, verdict.margin_ns, verdict.u_ns
    ((2, 3), True, 10, 20)
    """
    order = in_order(presses)
    last = could_be_last(presses)
    latest = order[-1]
    dead_heat = any(not _of_one(latest.seat, seat, sides) for seat in last)
    others = [other for other in order[:-1] if not _of_one(latest.seat, other.seat, sides)]
    beaten = [other for other in others if latest.t_ns - other.t_ns > uncertainty_ns(latest, other)]
    rivals = [other for other in others if other.seat in last] if dead_heat else beaten or others
    verdict = Verdict(
        order=tuple(press.seat for press in order), last=last, dead_heat=dead_heat, presses=order
    )
    if not rivals:
        return verdict
    rival = closest_rival(latest, rivals)
    return msgspec.structs.replace(
        verdict, margin_ns=latest.t_ns - rival.t_ns, u_ns=uncertainty_ns(latest, rival)
    )


def may_differ(last: Collection[int], spans: Mapping[int, Span], sides: Mapping[int, int] = NO_SIDES) -> bool:
    """Say whether moving doubtful presses, singly or together, could make *last* another set (law 5).

    Where some play as a team, as *sides* says, it is a set of teams.

    Whether a seat could be last hangs on `t_j - t_i` alone: it is likeliest with its own press as late and
    all others as early as may be, and least likely the other way round. So the ends of the intervals suffice,
    and each seat needs only the one placing that is best or worst for it.
    """

    def late(seat: int, other: int) -> bool:
        """Could *seat* still be last beside *other*, at its best?"""
        mine, theirs = spans[seat], spans[other]
        return theirs[1] - mine[2] <= uncertainty_ns(mine[0], theirs[0])

    def sure(seat: int, other: int) -> bool:
        """Could *seat* still be last beside *other*, even at its worst?"""
        mine, theirs = spans[seat], spans[other]
        return theirs[2] - mine[1] <= uncertainty_ns(mine[0], theirs[0])

    def rivals(seat: int) -> list[int]:
        return [other for other in spans if not _of_one(seat, other, sides)]

    def named(seat: int) -> bool:
        return any(_of_one(seat, one, sides) for one in last)

    def leaves(seat: int) -> bool:
        """Could all of the side of *seat* be out of it at once, each at its worst?"""
        mine = [one for one in spans if _of_one(seat, one, sides)]
        return all(any(not sure(one, other) for other in rivals(one)) for one in mine)

    if any(all(late(seat, other) for other in rivals(seat)) for seat in spans if not named(seat)):
        return True
    # A single last stays in the set as long as nobody joins it: somebody is always last.
    alone = all(_of_one(one, other, sides) for one in last for other in last)
    return not alone and any(leaves(seat) for seat in last if seat in spans)


def voided(verdict: Verdict, why: Text) -> Verdict:
    """Return *verdict* as one that names nobody, for *why*; who pressed, and when, stays in it."""
    return msgspec.structs.replace(
        verdict,
        last=(),
        first=(),
        dead_heat=False,
        void=why,
        unseen=(),
        at_least_ns=None,
        nobody=False,
    )


class MarginRange(NamedTuple):
    """What every explanation allows of a margin: from `low_ns` to `high_ns`, None for no end (law 8).

    `rival_sure`: the same seat is last but one in all of them.
    """

    low_ns: int
    high_ns: int | None
    rival_sure: bool


def spread_of(
    last: Collection[int], spans: Mapping[int, Span], sides: Mapping[int, int] = NO_SIDES
) -> MarginRange:
    """Return the spread of the margin, *last* being sure: of one seat behind the others, or of a dead heat.

    A margin is the last press less the latest of the others. It is least where the last press is as early
    as may be and some other as late; most where it is as late and all others as early. Only who surely comes
    before a third in all explanations is never last but one, whatever its own stamp is worth.
    """

    def apart(seat: int, other: int) -> tuple[int, int]:
        """Return the least and the most by which *seat* may be later than *other*."""
        (mine, first_ns, last_ns), (theirs, early_ns, late_ns) = spans[seat], spans[other]
        w = uncertainty_ns(mine, theirs)
        return first_ns - late_ns - w, last_ns - early_ns + w

    def others(seat: int) -> list[int]:
        return [one for one in spans if not _of_one(seat, one, sides)]

    # Of a dead heat each may be the one: by as much as the likeliest for it.
    if any(not _of_one(one, other, sides) for one in last for other in last):
        high_ns = max(min(apart(seat, other)[1] for other in others(seat)) for seat in last)
        return MarginRange(0, None if high_ns > UNPRESSED_NS // 2 else high_ns, rival_sure=False)
    # Of a team whoever is latest is the one.
    foreign = others(next(iter(last)))
    if not foreign:
        return MarginRange(0, None, rival_sure=False)
    rivals = [one for one in foreign if all(apart(two, one)[0] <= 0 for two in foreign if two != one)]
    low_ns = max(min(apart(seat, one)[0] for one in rivals) for seat in last)
    high_ns = min(max(apart(seat, one)[1] for seat in last) for one in foreign)
    high = None if any(spans[seat][2] >= UNPRESSED_NS for seat in last) else high_ns
    return MarginRange(max(0, low_ns), high, rival_sure=len(rivals) == 1)


def with_spread(verdict: Verdict, spread: MarginRange) -> Verdict:
    """Return *verdict* with a margin that contains *spread*: its stamps' where that does, else the middle.

    >>> verdict = Verdict(last=(2,), margin_ns=1_400, u_ns=20, presses=(Press(1, 0, 10, "gpio"),))
    >>> wide = with_spread(verdict, MarginRange(200, 1_420, True))
    >>> wide.margin_ns, wide.u_ns
    (810, 610)
    >>> with_spread(verdict, MarginRange(1_380, 1_420, True)) == verdict
    True
    >>> unknown = with_spread(verdict, MarginRange(200, None, True))
    >>> unknown.margin_ns, unknown.at_least_ns
    (None, 199)
    """
    low_ns, high_ns, rival_sure = spread
    changes: dict[str, object] = {"rival_unsure": not verdict.dead_heat and not rival_sure}
    if verdict.rival is None:  # the presses themselves say so
        changes["rival_unsure"] = False
    if high_ns is None or verdict.margin_ns is None:  # who is last has not pressed, as far as anybody saw
        changes["margin_ns"] = None
        at_least_ns = low_ns - length_u_ns(low_ns, steered=verdict.is_steered)
        if not verdict.dead_heat and 0 < low_ns < UNPRESSED_NS // 2:
            changes["at_least_ns"] = at_least_ns
    elif verdict.u_ns is not None:
        margin_ns, u_ns = verdict.margin_ns, verdict.u_ns
        if verdict.dead_heat:
            changes["u_ns"] = max(u_ns, high_ns - margin_ns)
        elif low_ns < margin_ns - u_ns or high_ns > margin_ns + u_ns:
            changes |= {"margin_ns": (low_ns + high_ns) // 2, "u_ns": high_ns - (low_ns + high_ns) // 2}
    return msgspec.structs.replace(verdict, **changes)
