"""Presses in, verdict out: who could be last, and how sure that is (law 4). A pure function of stamps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.core.model import Press, Verdict, uncertainty_ns

__all__ = [
    "UNPRESSED_NS",
    "closest_rival",
    "could_be_last",
    "in_order",
    "judge",
    "may_differ",
    "uncertainty_ns",
]
UNPRESSED_NS = 2**62  # the time of a press that has not come


def could_be_last(presses: Collection[Press]) -> tuple[int, ...]:
    """Return the seats that could have been last, ascending: those that nobody surely came after (law 4)."""
    latest_first = in_order(presses)[::-1]  # the latest refutes most at once
    return tuple(
        sorted(
            one.seat
            for one in presses
            if all(other.t_ns - one.t_ns <= uncertainty_ns(one, other) for other in latest_first)
        )
    )


def in_order(presses: Collection[Press]) -> tuple[Press, ...]:
    """Return the presses by time; equal times by seat, which decides nothing."""
    return tuple(sorted(presses, key=lambda press: (press.t_ns, press.seat)))


def closest_rival(last: Press, others: Sequence[Press]) -> Press:
    """Return the press that comes closest to making *last* doubtful: least `(t_last - t_j) - w(last, j)`."""
    return min(
        others,
        key=lambda other: (last.t_ns - other.t_ns - uncertainty_ns(last, other), -other.t_ns, other.seat),
    )


def judge(presses: Collection[Press]) -> Verdict:
    """Judge presses, at least two, by law 4.

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
    dead_heat = len(last) > 1
    rivals = [
        other
        for other in order[:-1]
        if (other.seat in last if dead_heat else latest.t_ns - other.t_ns > uncertainty_ns(latest, other))
    ]
    rival = closest_rival(latest, rivals)
    return Verdict(
        order=tuple(press.seat for press in order),
        last=last,
        margin_ns=latest.t_ns - rival.t_ns,
        u_ns=uncertainty_ns(latest, rival),
        dead_heat=dead_heat,
        presses=order,
    )


def may_differ(last: Collection[int], spans: Mapping[int, tuple[Press, int, int]]) -> bool:
    """Say whether moving doubtful presses, singly or together, could make *last* another set (law 5).

    *spans*: by seat its press (for its uncertainty), and the earliest and the latest it may have come.
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

    joins = any(
        all(late(seat, other) for other in spans if other != seat) for seat in spans if seat not in last
    )
    # A single last stays in the set as long as nobody joins it: somebody is always last.
    leaves = len(last) > 1 and any(not sure(seat, other) for seat in last for other in spans if other != seat)
    return joins or leaves
