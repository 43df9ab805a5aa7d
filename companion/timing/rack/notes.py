"""What happened in a round with a rack, and what it may mean: stamps at their word, or all that is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec
from lastnose.companion.core.model import Lift, Press, Rack
from lastnose.companion.timing.judge import in_order, uncertainty_ns
from lastnose.companion.timing.rack.bounds import Interval, Unsure, may_be_over, unsure
from lastnose.companion.timing.round import Known, LostPresses, Round

DOCK_NS = 1_000_000_000
ASK_NS = 10_000_000_000  # so long after the last that happened people are asked, where feints leave it open


class NotedLift(msgspec.Struct, eq=False):
    """A lift, when it had settled, and when (and how surely) the spoon came back."""

    lift: Lift
    sure_ns: int
    since_ns: int
    back: Lift | None = None


class NotedTouch(msgspec.Struct, eq=False):
    """A touch and when it had settled. One in a dock is `held` until it has lasted long enough."""

    press: Press
    sure_ns: int
    since_ns: int
    held: bool = False


class NominalRound(NamedTuple):
    """The round with all stamps taken at their word. `after`: the first touch too late for a spoon."""

    valid: tuple[Press, ...]
    phantoms: tuple[Press, ...]
    after: Press | None


class RackNotes(Round):
    """Notes lifts, touches and losses of a round; `round` says what each means (law 4, 5)."""

    def __init__(
        self,
        armed_ns: int,
        seats: tuple[int, ...],
        confirm_ns: int,
        known: Known,
        rack: Rack,
        has_dock: Callable[[int], bool],
    ) -> None:
        super().__init__(armed_ns, seats, confirm_ns, known)
        self._has_dock = has_dock
        self.rack = rack
        self.cradles = rack.spoons[: len(seats) - 1]
        self._feint_ns = rack.feint_ms * 1_000_000
        self._lifts: list[NotedLift] = []
        self._out: dict[int, NotedLift] = {}
        self._touches: list[NotedTouch] = []
        self._holding: dict[int, NotedTouch] = {}
        self._stirs: list[tuple[Press | Lift, int]] = []  # what happened, and to which cradle (0: a touch)
        self._rest: dict[int, int] = {}  # by seat, the level of its dock with nothing in it

    def _is_feint(self, one: NotedLift) -> bool:
        """Return whether a lift was a feint, all stamps taken at their word (SPN-7)."""
        back = one.back
        if back is None or back.t_ns - one.lift.t_ns > self._feint_ns:
            return False
        return not any(
            cradle != one.lift.cradle and one.lift.t_ns <= mark.t_ns <= back.t_ns
            for mark, cradle in self._stirs
        )

    def _may_differ(self, one: NotedLift) -> bool:
        """Return whether it is open, by law 4, if a lift that was soon put back was a feint."""
        back = one.back
        if back is None or back.t_ns - one.lift.t_ns > self._feint_ns:
            return False
        maybe = False
        for mark, cradle in self._stirs:
            if cradle != one.lift.cradle:
                after_ns, before_ns = mark.t_ns - one.lift.t_ns, back.t_ns - mark.t_ns
                lift_w, back_w = uncertainty_ns(mark, one.lift), uncertainty_ns(mark, back)
                if after_ns > lift_w and before_ns > back_w:
                    return False
                maybe |= after_ns >= -lift_w and before_ns >= -back_w
        return maybe

    def _play(self) -> NominalRound:
        """Go through all stamps in their order.

        A touch has the spoon that a lift within `w` of it may have freed before: doubt about their order may
        not cost a player the round, which would wait for a second touch that nobody knows of. What that doubt
        means for who was last is weighed when the round is judged.
        """
        lifts = [one.lift for one in self._lifts if not self._is_feint(one)]
        valid: dict[int, Press] = {}
        phantoms: list[Press] = []
        after: Press | None = None
        for press in in_order([one.press for one in self._touches]):
            gone = sum(1 for one in lifts if one.t_ns - press.t_ns <= uncertainty_ns(one, press))
            if press.seat in valid:
                continue
            if len(valid) == len(self.seats) - 1:
                after = after or press
            elif gone > len(valid):
                valid[press.seat] = press
            else:
                phantoms.append(press)
        return NominalRound(tuple(valid.values()), tuple(phantoms), after)

    def _may_be_over(self) -> bool:
        """Return whether all but one may have a spoon by what was seen of rack and touches.

        Each lift counts that may be no feint, as early as it may have come, and each touch as late; so does
        one that was lost. A touch that was lost does not: people see who is missing, and it is made again.
        """
        lifts = [moment for one in self._lifts if (moment := self._lift_moment(one, doubts=True)) is not None]
        lifts += [self._lost_lift(doubtful) for doubtful in self._doubts if doubtful.cradle]
        touches = [self._touch_moment(one, doubts=True) for one in self._touches]
        return may_be_over(self.seats, lifts, touches)

    def _unsure(self, *, doubts: bool, lifts_as_stamped: bool = False) -> Unsure:
        """Return who may be without a spoon: by law 4 alone, or with all that may be lost as well."""
        lifts = [moment for one in self._lifts if (moment := self._lift_moment(one, doubts)) is not None]
        touches = [self._touch_moment(one, doubts) for one in self._touches]
        for doubtful in self._doubts if doubts else ():
            span = max(doubtful.from_ns, self.armed_ns), doubtful.to_ns
            if doubtful.cradle:
                lifts.append(self._lost_lift(doubtful))
            elif doubtful.seat in self.seats:
                touches.append(Interval(self._worth(doubtful.seat), *span, counts=False, sure=False))
        return unsure(self.seats, lifts, touches, lifts_as_stamped=lifts_as_stamped)

    def _touch_moment(self, one: NotedTouch, doubts: bool) -> Interval:
        t_ns = one.press.t_ns
        if not doubts:
            return Interval(one.press, t_ns, t_ns)
        cut = self._cutting(one.press.seat, 0, t_ns, one.sure_ns)
        first_ns = min([t_ns, one.since_ns, *(max(gap.from_ns, self.armed_ns) for gap in cut)])
        stayed = self.rack.confirm != "dock" or not self._cutting(one.press.seat, 0, t_ns, t_ns + DOCK_NS)
        return Interval(
            one.press, first_ns, max([t_ns, *(gap.to_ns for gap in cut)]), sure=stayed and not cut
        )

    def _lift_moment(self, one: NotedLift, doubts: bool) -> Interval | None:
        """Return a lift to weigh, None for what was a feint in every world."""
        t_ns, feint = one.lift.t_ns, self._is_feint(one)
        open_ = self._may_differ(one)
        if not doubts:
            return (
                None
                if feint and not open_
                else Interval(one.lift, t_ns, t_ns, not feint, not feint and not open_)
            )
        until_ns = t_ns + self._feint_ns if one.back is None else min(one.back.t_ns, t_ns + self._feint_ns)
        open_ |= any(
            gap.from_ns <= until_ns and gap.to_ns > t_ns and (feint or gap.cradle == one.lift.cradle)
            for gap in self._doubts
        )
        # Of a lift that nobody saw it is open how long before it came: it may have lasted.
        open_ |= feint and one.back is not None and one.back.t_ns - one.since_ns > self._feint_ns
        if feint and not open_:
            return None
        cut = self._cutting(0, one.lift.cradle, t_ns, one.sure_ns)
        first_ns = min([t_ns, one.since_ns, *(max(gap.from_ns, self.armed_ns) for gap in cut)])
        last_ns = max([t_ns, *(gap.to_ns for gap in cut)])
        return Interval(one.lift, first_ns, last_ns, not feint, not (feint or open_ or cut))

    def _cutting(self, seat: int, cradle: int, t_ns: int, sure_ns: int) -> list[LostPresses]:
        """Return the losses that cut the train of a seat or a cradle stamped *t_ns*."""
        return [
            gap
            for gap in self._doubts
            if (gap.cradle == cradle if cradle else gap.seat == seat)
            and gap.from_ns < sure_ns
            and t_ns <= gap.to_ns
        ]

    def _worth(self, seat: int) -> Press:
        """Return what a touch of the seat is worth; the worst that was seen while nothing has said so."""
        known = self._known(seat)
        if known is not None:
            return known
        marks: list[Press | Lift] = [mark for mark, _ in self._stirs]
        return Press(
            seat=seat,
            t_ns=0,
            u_ns=max((mark.u_ns for mark in marks), default=0),
            source="",
            clock_u_ns=max((mark.clock_u_ns for mark in marks), default=0),
        )

    def _lost_lift(self, doubtful: LostPresses) -> Interval:
        """Return a lift that may have been lost."""
        span = max(doubtful.from_ns, self.armed_ns), doubtful.to_ns
        return Interval(self._lift_worth(doubtful.cradle), *span, counts=False, sure=False)

    def _lift_worth(self, cradle: int) -> Lift:
        marks = [one.lift for one in self._lifts]
        return Lift(
            cradle=cradle,
            t_ns=0,
            u_ns=max((mark.u_ns for mark in marks), default=0),
            source="",
            clock_u_ns=max((mark.clock_u_ns for mark in marks), default=0),
        )
