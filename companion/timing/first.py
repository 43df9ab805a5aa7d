"""A round that asks who was first: the law of the last, read in a mirror (law 9).

Turn time round, and the first press is the last one; what two stamps may be wrong by stays as it is. So who
could be first, whether lost edges could change that, and what the margin may be, `judge` answers for stamps
with their signs turned. What has no mirror image is when it can be said: what comes later than the first
press by more than `w` could not have been first any more, so nobody has to be waited for.

- Nobody is first unless every explanation says so; two within `w` are a dead heat
  → test_first.test_two_presses_within_w_are_a_dead_heat_and_the_next_nanosecond_is_not
- Decided when every source's watermark has passed, for each seat without a press, the press that shuts it out
  soonest, by `w` and `confirm_ns` → test_first.test_it_is_due_when_whoever_has_not_pressed_can_not_be_first,
  → test_first.test_a_press_when_it_is_due_is_judged_and_the_next_nanosecond_only_joins_the_list
- A loss before anybody has pressed voids the round at once, and it is armed again; one that begins later than
  `w` after the first press voids nothing → test_first.test_a_loss_before_the_first_press_voids_at_once,
  → test_first.test_a_loss_matters_exactly_when_it_could_hide_an_earlier_press
- The list grows until the next arming; what comes late and could have been first takes the verdict back
  → test_first.test_a_late_edge_surely_after_the_first_only_joins_the_list,
  → test_first.test_a_late_edge_that_could_have_been_first_takes_the_verdict_back
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.core.model import Press, Question, Verdict
from companion.core.text import Text, text
from companion.timing.judge import (
    Span,
    could_be_last,
    in_order,
    judge,
    may_differ,
    spread_of,
    uncertainty_ns,
    with_spread,
)
from companion.timing.round import LostPresses, Round


def could_be_first(presses: Collection[Press]) -> tuple[int, ...]:
    """Return the seats that could have been first, ascending: those that nobody surely came before (law 9).

    >>> could_be_first([Press(1, 100, 10, "gpio"), Press(2, 120, 10, "gpio"), Press(3, 121, 10, "gpio")])
    (1, 2)
    """
    return could_be_last([_mirrored(press) for press in presses])


def _mirrored(press: Press) -> Press:
    """Return the press as it would be with time turned round."""
    return msgspec.structs.replace(press, t_ns=-press.t_ns)


class FirstRound(Round):
    """Decided as soon as nobody who has not pressed could still be first.

    A seat that was found down, its press unseen, is not named: that press may have come at any time in there.
    """

    question: Question = "first"
    _horizon_ns: int  # up to when it is known who has not pressed

    def verdict(self) -> Verdict:
        """Judge. Raises nothing: what cannot be told is void, with its reason."""
        if not self.presses:
            return self.void(self._doubts[0].why if self._doubts else _unseen_text())
        seen = in_order(self.presses.values())
        self._horizon_ns = seen[-1].t_ns if self.due_ns is None else max(self.due_ns, seen[-1].t_ns)
        return self._judged(could_be_first(seen))

    def weighed_again(self, verdict: Verdict) -> Verdict:
        """Return *verdict* beside what has been lost since."""
        self.presses = {one.seat: one for one in verdict.presses}
        return self._judged(verdict.first)

    def _judged(self, first: tuple[int, ...]) -> Verdict:
        if (self._doubts or self._unseen) and may_differ(first, self._mirror()):
            return self.void(self._doubts[0].why if self._doubts else _unseen_text())
        return self._listed()

    def completes(self, verdict: Verdict, seat: int) -> bool:
        """Return whether a press of *seat* still joins the list of *verdict*."""
        return verdict.void is None and bool(verdict.first) and seat not in verdict.order

    def agrees(self, verdict: Verdict, press: Press) -> bool:
        """Return whether *press*, which came after *verdict*, leaves who was first as it was."""
        return could_be_first([*verdict.presses, press]) == verdict.first

    def complete(self, verdict: Verdict, press: Press, sure_ns: int) -> Verdict:
        """Let *press*, which came later than could decide, join the list of a verdict."""
        self.presses = {one.seat: one for one in (*verdict.presses, press)}
        self._sure[press.seat] = sure_ns
        self._unseen.pop(press.seat, None)
        self._horizon_ns = press.t_ns
        return self._listed()

    def doubt(self, doubtful: LostPresses) -> None:
        """Take a time in which edges of a watched seat may be lost; before any press nobody can be named."""
        if doubtful.to_ns >= self.armed_ns:
            self._doubts.append(doubtful)
            self._set_due(self.armed_ns)

    def stir(self, seat: int, until_ns: int) -> None:
        """Learn that the seat's contact met and parted again: the decision waits for what becomes of it."""
        self._stirred[seat] = until_ns
        if self.presses and seat not in self.presses:
            self._set_due(self.armed_ns)

    def close_text(self) -> Text:
        """Return why a verdict does not stand that a press has contradicted."""
        return text("A touch came so late and so uncertain that nobody can tell who was first.")

    # When it is due

    def _set_due(self, now_ns: int) -> None:
        """Set when it can be decided, not before *now_ns*; without a press, when a loss has begun."""
        if len(self.presses) == len(self.seats):
            self.due_ns = now_ns
        elif self.presses:
            self.due_ns = max(now_ns, self._reach())
        else:
            lost_ns = [doubt.from_ns for doubt in self._doubts]
            lost_ns += [since_ns for since_ns, _ in self._unseen.values()]
            self.due_ns = max(now_ns, min(lost_ns, default=now_ns)) if lost_ns else None

    def _reach(self) -> int:
        """Return until when somebody who has not pressed could still be first.

        For each of them the press that shuts it out soonest counts, by confirmation time and `w`; a press of
        which edges are lost at its latest.
        """
        missing = [self._mark(seat) for seat in self.seats if seat not in self.presses]
        reach = max(
            min(self._until(one) + uncertainty_ns(one, mark) for one in self.presses.values())
            for mark in missing
        )
        stirred = [until_ns for seat, until_ns in self._stirred.items() if seat not in self.presses]
        return max([reach + self._confirm_ns, *stirred])

    # What is said

    def _listed(self) -> Verdict:
        """Return who was first by the stamps, with margin and rival as all explanations allow (law 8)."""
        seen = [_mirrored(press) for press in self.presses.values()]
        if len(seen) > 1:
            verdict = judge(seen)
        else:
            verdict = Verdict(order=(seen[0].seat,), last=(seen[0].seat,), presses=tuple(seen))
        missing = [self._mark(seat) for seat in self.seats if seat not in self.presses]
        if missing or (self._doubts and len(seen) > 1):
            verdict = with_spread(verdict, spread_of(verdict.last, self._mirror()))
        if missing and len(seen) == 1:  # what the press of a rival will have
            u_ns = max(uncertainty_ns(seen[0], mark) for mark in missing)
            verdict = msgspec.structs.replace(verdict, u_ns=u_ns)
        presses = in_order(self.presses.values())
        return msgspec.structs.replace(
            verdict,
            order=tuple(press.seat for press in presses),
            first=verdict.last,
            last=(),
            presses=presses,
            unseen=tuple(sorted(self._unseen)),
        )

    def _mirror(self) -> dict[int, Span]:
        """Return the spans of all seats with time turned round; nobody else has pressed up to the horizon."""
        turned: dict[int, Span] = {}
        for seat in self.seats:
            mark, early_ns, late_ns = self._span(self._mark(seat))
            if seat not in self.presses:
                early_ns = min(early_ns, self._horizon_ns)
            turned[seat] = _mirrored(mark), -late_ns, -early_ns
        return turned


def _unseen_text() -> Text:
    return text("A nose is down, but nobody saw when it was pressed, and that could change who was first.")
