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
- The list grows until the table has ruled, or arms again; what comes late and could have been first takes the
  verdict back → test_first.test_what_is_touched_after_the_ruling_does_not_join_the_list,
  → test_first.test_a_late_edge_surely_after_the_first_only_joins_the_list,
  → test_first.test_a_late_edge_that_could_have_been_first_takes_the_verdict_back
- What comes before the opening, in the lock of a false start, or while a hand is down from before does not
  count, by the stamp → test_first.test_a_touch_surely_before_the_opening_is_a_false_start,
  → test_first.test_a_nose_held_at_the_opening_blocks_nobody_and_its_hold_is_no_press
- Who is next is judged over the same touches, by the same law; so is that nobody was in time
  → test_first.test_in_the_queue_nobody_is_named_within_w_either,
  → test_first.test_in_the_queue_is_who_was_listed_before_its_touch_had_settled,
  → test_first.test_nobody_is_as_strict_as_a_name
- A team is first if nobody of another could have been
  → test_first.test_two_of_a_team_within_w_are_no_dead_heat_and_the_margin_is_to_another_team
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from lastnose.companion.core.model import Armed, Press, Question, Verdict
from lastnose.companion.timing.arming import SETTLE_NS
from lastnose.companion.timing.judge import (
    NO_SIDES,
    Span,
    could_be_last,
    in_order,
    judge,
    may_differ,
    spread_of,
    uncertainty_ns,
    with_spread,
)
from lastnose.companion.timing.round import MOVEMENT_NS, Known, LostPresses, Round, unseen_text
from lastnose.companion.timing.streams import FOREVER

SHUT_OUT_NS = FOREVER - 1  # from when on touches count of who is out of the question


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
    """Decided as soon as nobody who has not pressed could still be first, or nobody has in time.

    A seat that was found down, its press unseen, is not named: that press may have come at any time in there.
    What an opening decrees goes by the stamp: what comes before it, or before a seat is free to play (F20 to
    F23), or after the end (F26) does not count.
    """

    question: Question = "first"
    _horizon_ns: int  # up to when it is known who has not pressed
    _reach_ns: int  # by when that decides, with the presses as they are

    def __init__(self, armed: Armed, confirm_ns: int, known: Known) -> None:
        super().__init__(armed.from_ns, armed.seats, confirm_ns, known)
        self.of_ns = armed.t_ns
        self._asked_ns = armed.t_ns if armed.asked_ns is None else armed.asked_ns  # no verdict before that
        self._rules = armed.rules
        self._sides = armed.rules.sides(armed.seats) if armed.rules.teams else NO_SIDES
        self._plays_ns = self.armed_ns + armed.rules.guess_ms * 1_000_000  # what comes sooner was guessed
        self._from_ns = dict(armed.barred)  # by seat, where that is not the opening
        self._early = self._false_starts = armed.early
        self._parted_ns: dict[int, int] = {}  # by seat, when it was let go: a contact may close once more
        within_ns = armed.rules.within_ms * 1_000_000
        self._until_ns = self.armed_ns + within_ns if within_ns else FOREVER
        self._ends_ns = self._until_ns
        self._shut_out(self.armed_ns)
        self._set_due(self.armed_ns)

    @property
    def barred(self) -> tuple[tuple[int, int], ...]:
        """The seats whose touches count from a time of their own on only, as that is known now."""
        return tuple(self._from_ns.items())

    @property
    def false_starts(self) -> tuple[Press, ...]:
        """What was pressed before the opening, or was guessed: it locks."""
        return self._false_starts

    @property
    def lost_until_ns(self) -> int:
        """Up to when its edges may be lost; a source that has fallen silent for good is not waited for."""
        return max([self.of_ns, *(one.to_ns for one in self._doubts if one.to_ns < FOREVER)])

    def without(self, verdict: Verdict, armed: Armed, confirm_ns: int) -> FirstRound:
        """Return the round as *armed* has it go on: with all that is known of who is left (F25).

        Who has pressed says its *verdict*: judged again with late evidence it may list what came by that.
        """
        rest = FirstRound(armed, confirm_ns, self._known)
        left = set(armed.seats)
        rest.presses = {press.seat: press for press in verdict.presses if press.seat in left}
        rest.opened = bool(rest.presses)
        rest._early += tuple(one for one in self._early if one.seat in left and one not in armed.early)
        rest._sure = dict.fromkeys(rest.presses, armed.t_ns) | self._sure
        rest._parted_ns = dict(self._parted_ns)
        missing = left - rest.presses.keys()
        rest._unseen = {seat: span for seat, span in self._unseen.items() if seat in missing}
        rest._doubts = [doubt for doubt in self._doubts if doubt.seat in left]
        rest._stirred = {seat: until_ns for seat, until_ns in self._stirred.items() if seat in left}
        rest._set_due(armed.t_ns)
        return rest

    def press(self, press: Press, sure_ns: int) -> bool:
        """Take a press; one before its seat was free to play, or after the end, does not count."""
        if not self.times(press):
            self._guessed(press)
            locked = {self._sides.get(one.seat, one.seat) for one in self._false_starts}
            locks = self._sides.get(press.seat, press.seat) in locked and press not in self._early
            if press.t_ns <= self._ends_ns and locks:
                self._early = (*self._early, press)
            return False
        return super().press(press, sure_ns)

    def _guessed(self, press: Press) -> None:
        """Bar the side of whoever pressed surely sooner after the opening than anybody can react (DUEL-5).

        Not of a seat that is not free to play yet for another reason: that prolongs nothing (F21, F23).
        """
        sure_ns = press.t_ns + press.u_ns + press.clock_u_ns
        free = self._from_ns.get(press.seat, self.armed_ns) <= press.t_ns and not self._just_let_go(press)
        if not (sure_ns < self._plays_ns and free):
            return
        self._false_starts = (*self._false_starts, press)
        until_ns = SHUT_OUT_NS if self._rules.shuts_out else press.t_ns + self._rules.lock_ms * 1_000_000
        side = self._sides.get(press.seat, press.seat)
        for seat in self.seats:
            if self._sides.get(seat, seat) == side and not self.is_held(seat):
                self._from_ns[seat] = max(until_ns, self._from_ns.get(seat, self.armed_ns))
        self._shut_out(press.t_ns)
        if self.presses or self._ends_ns <= press.t_ns:
            self._set_due(press.t_ns)

    def _shut_out(self, at_ns: int) -> None:
        """End the time to press at *at_ns* if all sides are out of the question by then."""
        out = {self._sides.get(one.seat, one.seat) for one in self._false_starts if self._rules.shuts_out}
        if out and out >= {self._sides.get(seat, seat) for seat in self.seats}:
            self._until_ns = self._ends_ns = min(self._until_ns, at_ns)

    def times(self, press: Press) -> bool:
        """Return whether *press* may be of the list: its stamp lies in its seat's window (F20, F26)."""
        since_ns = self._counts_from(press.seat)
        return since_ns <= press.t_ns <= self._ends_ns and not self._just_let_go(press)

    def _just_let_go(self, press: Press) -> bool:
        """Return whether *press* is but the contact of a hand that parts."""
        parted_ns = self._parted_ns.get(press.seat)
        return parted_ns is not None and press.t_ns < parted_ns + MOVEMENT_NS

    def release(self, mark: Press) -> None:
        """Take a release."""
        if self.is_held(mark.seat):
            self.let_go(mark.seat, mark.t_ns)
            if self.presses:
                self._set_due(mark.t_ns)
            return
        self.let_go(mark.seat, mark.t_ns)
        super().release(mark)

    def let_go(self, seat: int, t_ns: int) -> None:
        """Learn that a nose was let go: whoever held it at the opening plays from 150 ms after it on (F22).

        After a touch that did not count its contact may close once more, and that is no press.
        """
        if self.is_held(seat):
            self._from_ns[seat] = self._free_ns(seat, t_ns)
        else:
            self._parted_ns[seat] = t_ns

    def take_over(self, seat: int, level: int, since_ns: int, until_ns: int, now_ns: int) -> None:
        """Learn that a nose is down (or up) without having seen how; a held one that is up was let go."""
        since_ns = max(since_ns, self._counts_from(seat))
        if self._counts_from(seat) == FOREVER:
            if not level:
                self.let_go(seat, now_ns)
        elif until_ns >= since_ns and since_ns <= self._ends_ns:
            super().take_over(seat, level, since_ns, until_ns, now_ns)

    def _free_ns(self, seat: int, freed_ns: int) -> int:
        """Return from when on touches of *seat* count, which was held, and let go at *freed_ns*."""
        lock_ns, side = self._rules.lock_ms * 1_000_000, self._sides.get(seat, seat)
        locks = [one.t_ns for one in self._false_starts if self._sides.get(one.seat, one.seat) == side]
        if locks and self._rules.shuts_out:
            return SHUT_OUT_NS
        return max([freed_ns + SETTLE_NS, *(t_ns + lock_ns for t_ns in locks)])

    def is_held(self, seat: int) -> bool:
        """Return whether *seat* has been down since the opening, as far as is known: it cannot press."""
        return self._counts_from(seat) == FOREVER

    def verdict(self) -> Verdict:
        """Judge. Raises nothing: what cannot be told is void, with its reason."""
        doubts = self._that_matter()
        if not self.presses and (doubts or self._unseen):
            return self.void(doubts[0].why if doubts else unseen_text())
        if not self.presses:
            return Verdict(nobody=True, asked=self.seats, early=self._early)
        seen = in_order(self.presses.values())
        self._horizon_ns = max(self._reach_ns, seen[-1].t_ns)
        return self._judged(could_be_first(seen))

    def weighed_again(self, verdict: Verdict) -> Verdict:
        """Return *verdict* beside what has been lost since."""
        self.presses = {one.seat: one for one in verdict.presses}
        if verdict.nobody:
            return self.verdict()
        return self._judged(verdict.first)

    def _judged(self, first: tuple[int, ...]) -> Verdict:
        if (self._doubts or self._unseen) and may_differ(first, self._mirror(), self._sides):
            return self.void(self._doubts[0].why if self._doubts else unseen_text())
        return self._listed()

    def completes(self, verdict: Verdict, seat: int) -> bool:
        """Return whether a press of *seat* still joins the list of *verdict*."""
        return (
            verdict.void is None and bool(verdict.first) and seat in self.seats and seat not in verdict.order
        )

    def settle(self, verdict: Verdict, press: Press, sure_ns: int) -> None:
        """Learn from when on *press* is sure that *verdict* lists already: it was judged again meanwhile."""
        if press in verdict.presses:
            self._sure[press.seat] = min(sure_ns, self._sure.get(press.seat, sure_ns))

    def close(self, at_ns: int) -> None:
        """Let nothing that is touched after *at_ns* join the list any more."""
        self._ends_ns = min(self._ends_ns, at_ns)

    def reopen(self) -> None:
        """Let the list go on that was closed."""
        self._ends_ns = self._until_ns

    def agrees(self, verdict: Verdict, press: Press) -> bool:
        """Return whether *press*, which came after *verdict*, leaves who was first as it was."""
        return self._whole(could_be_first([*verdict.presses, press])) == verdict.first

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

    def _that_matter(self) -> list[LostPresses]:
        """Return the losses that may hide a press that counts."""
        return [
            one
            for one in self._doubts
            if one.to_ns >= self._counts_from(one.seat) and one.from_ns <= self._ends_ns
        ]

    def _counts_from(self, seat: int) -> int:
        """Return from when on touches of *seat* count."""
        return max(self._from_ns.get(seat, self._plays_ns), self._plays_ns)

    def _span(self, mark: Press) -> Span:
        """Return the mark with the earliest and the latest time at which its press may have come (law 5).

        What is lost after the end of the time to press hides nothing that counts.
        """
        mark, first_ns, last_ns = super()._span(mark)
        if mark.t_ns > self._ends_ns and first_ns > self._ends_ns:
            return mark, mark.t_ns, last_ns
        return mark, first_ns, last_ns

    def waits(self, at_ns: int) -> bool:
        """Return whether what happens at *at_ns* may still decide; else it is only not to be told yet."""
        return not self.presses or at_ns <= self._reach_ns

    def stir(self, seat: int, until_ns: int) -> None:
        """Learn that the seat's contact met and parted again: the decision waits for what becomes of it."""
        self._stirred[seat] = until_ns
        if self.presses and seat not in self.presses:
            self._set_due(self.armed_ns)

    # When it is due

    def _set_due(self, now_ns: int) -> None:
        """Set when it can be decided, not before *now_ns*; without a press, when a loss has begun."""
        now_ns = max(now_ns, self._asked_ns)
        if self.presses:
            self._reach_ns = min(self._reach(), self._ends_ns)
            self.due_ns = max(now_ns, self._reach_ns)
            return
        lost_ns = [doubt.from_ns for doubt in self._that_matter()]
        lost_ns += [since_ns for since_ns, _ in self._unseen.values()]
        due_ns = min([*lost_ns, self._ends_ns])
        if due_ns == self._ends_ns:  # a spark may still turn out to have been a press in time
            due_ns = max([due_ns, *self._stirred.values()])
        self.due_ns = None if due_ns == FOREVER else max(now_ns, due_ns)

    def _reach(self) -> int:
        """Return until when somebody who has not pressed could still be first.

        For each of them the press that shuts it out soonest counts, by confirmation time and `w`; a press of
        which edges are lost at its latest. Who may play only after that is not waited for.
        """
        reach = [
            min(self._until(one) + uncertainty_ns(one, mark) for one in self.presses.values())
            for mark in (self._mark(seat) for seat in self.seats if seat not in self.presses)
        ]
        missing = [seat for seat in self.seats if seat not in self.presses]
        open_still = [ns for seat, ns in zip(missing, reach, strict=True) if self._counts_from(seat) <= ns]
        if not open_still:
            return max(press.t_ns for press in self.presses.values())
        stirred = [until_ns for seat, until_ns in self._stirred.items() if seat not in self.presses]
        return max([max(open_still) + self._confirm_ns, *stirred])

    # What is said

    def _listed(self) -> Verdict:
        """Return who was first by the stamps, with margin and rival as all explanations allow (law 8)."""
        seen = [_mirrored(press) for press in self.presses.values()]
        if len(seen) > 1:
            verdict = judge(seen, self._sides)
        else:
            verdict = Verdict(order=(seen[0].seat,), last=(seen[0].seat,), presses=tuple(seen))
        verdict = msgspec.structs.replace(verdict, last=self._whole(verdict.last))
        missing = [self._mark(seat) for seat in self.seats if seat not in self.presses]
        if missing or (self._doubts and len(seen) > 1):
            verdict = with_spread(verdict, spread_of(verdict.last, self._mirror(), self._sides))
        elif self._sides and len(seen) > 1:  # of a team whoever was earliest by the stamps need not have been
            spans = {press.seat: (press, press.t_ns, press.t_ns) for press in seen}
            mine = [seat for seat in verdict.last if seat in spans]
            verdict = with_spread(verdict, spread_of(mine, spans, self._sides))
        missing = [mark for mark in missing if mark.seat not in verdict.last]
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
            early=self._early,
        )

    def _whole(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Return with each of *seats* the rest of its team (F27)."""
        if not self._sides:
            return seats
        named = {self._sides[seat] for seat in seats}
        return tuple(sorted(seat for seat in self.seats if self._sides[seat] in named))

    def _mirror(self) -> dict[int, Span]:
        """Return the spans of all seats with time turned round; nobody else has pressed up to the horizon."""
        turned: dict[int, Span] = {}
        for seat in self.seats:
            mark, early_ns, late_ns = self._span(self._mark(seat))
            if seat not in self.presses:
                early_ns = min(early_ns, self._horizon_ns)
            turned[seat] = _mirrored(mark), -late_ns, -early_ns
        return turned
