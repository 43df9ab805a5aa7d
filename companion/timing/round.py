"""One armed round: presses, releases and doubts in, and when it is decided, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec
from lastnose.companion.core.model import Press, Question, Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.judge import (
    UNPRESSED_NS,
    Span,
    closest_rival,
    could_be_last,
    in_order,
    judge,
    may_differ,
    spread_of,
    uncertainty_ns,
    voided,
    with_spread,
)

Known = Callable[[int], Press | None]
MOVEMENT_NS = 20_000_000  # one movement of a hand, in which a contact may close more than once


class LostPresses(msgspec.Struct, frozen=True):
    """Edges of this seat, or of this cradle (0: none), may be lost in `[from_ns, to_ns]`.

    A stamp that may begin it is worth `u_ns`, where that is more than others of its line.
    """

    seat: int
    from_ns: int
    to_ns: int
    why: Text
    cradle: int = 0
    u_ns: int = 0


class Round:
    """A round in which the first press of a seat counts, and releases do not.

    `due_ns` is when the verdict can be given, once every press up to then is known; `ring_ns` when the round
    wants to be rung before that (only one with a rack does). `opened`: something has counted. `known(seat)`
    tells what the stamps of the seat's line are worth, as a press; None while not known. Its verdict is known
    by `of_ns`.
    """

    question: Question = "last"

    def __init__(self, armed_ns: int, seats: tuple[int, ...], confirm_ns: int, known: Known) -> None:
        self.armed_ns = self.of_ns = armed_ns
        self.seats = seats
        self.due_ns: int | None = None
        self.ring_ns: int | None = None
        self.opened = False
        self.presses: dict[int, Press] = {}
        self._confirm_ns = confirm_ns
        self._known = known
        self._sure: dict[int, int] = {}
        self._unseen: dict[int, tuple[int, int]] = {}  # down, but its press is lost somewhere in there
        self._doubts: list[LostPresses] = []
        self._stirred: dict[int, int] = {}  # until when a press of the seat may have begun earlier

    def press(self, press: Press, sure_ns: int) -> bool:
        """Take a press of a watched seat, settled at *sure_ns*; return whether it counts."""
        if press.seat in self.presses:
            return False
        self.presses[press.seat] = press
        self.opened = True
        self._sure[press.seat] = sure_ns
        self._unseen.pop(press.seat, None)
        self._set_due(press.t_ns)
        return True

    def heeds(self, seat: int) -> bool:
        """Return whether the nose of a watched seat can change anything in this round."""
        return seat in self.seats

    def is_done_with(self, seat: int, at_ns: int) -> bool:
        """Return whether nothing that the seat's nose does from *at_ns* on can change anything here."""
        return seat in self.presses and at_ns >= self._sure[seat]

    def release(self, mark: Press) -> None:
        """Take a release (*mark*: its stamp and what that is worth).

        Soon after a nose was found down it leaves open whether that was a touch, or a spark or a light hand.
        """
        since_ns, until_ns = self._unseen.get(mark.seat, (mark.t_ns, mark.t_ns))
        if mark.seat in self._unseen and mark.t_ns - until_ns < MOVEMENT_NS:
            del self._unseen[mark.seat]
            why = unseen_text()
            self._doubts.append(LostPresses(mark.seat, since_ns, mark.t_ns + MOVEMENT_NS, why))

    def waits(self, at_ns: int) -> bool:
        """Return whether what happens at *at_ns* may still decide."""
        return True

    def stir(self, seat: int, until_ns: int) -> None:
        """Learn that the seat's contact met and parted again: the decision waits for what becomes of it."""
        self._stirred[seat] = until_ns
        if self.due_ns is not None and seat not in self.presses:
            self.due_ns = max(self.due_ns, until_ns)

    def take_over(self, seat: int, level: int, since_ns: int, until_ns: int, now_ns: int) -> None:
        """Learn that a nose is down (or up) without having seen how."""
        if level and seat not in self.presses:
            self._unseen[seat] = max(since_ns, self.armed_ns), max(until_ns, self.armed_ns)
            self._set_due(now_ns)

    def doubt(self, doubtful: LostPresses) -> None:
        """Take a time in which edges of a watched seat may be lost."""
        if doubtful.to_ns >= self.armed_ns:
            self._doubts.append(doubtful)
            if self.due_ns is not None and len(self.presses) < len(self.seats):
                self.due_ns = max(self.due_ns, self._reach())

    def void(self, why: Text) -> Verdict:
        """Return a void verdict with the order as far as it is known."""
        presses = in_order(self.presses.values())
        return Verdict(order=tuple(press.seat for press in presses), presses=presses, void=why)

    def verdict(self) -> Verdict:
        """Judge. Raises nothing: what cannot be told is void, with its reason."""
        marks = [self._mark(seat) for seat in self.seats]
        last = could_be_last(marks)
        verdict = self._judge(last)
        if not (self._doubts or self._unseen):
            return verdict  # nothing is lost: the stamps say it all
        why = self._doubt_that_matters(last, marks)
        if why:
            return voided(verdict, why)
        return self._weighed(verdict, {mark.seat: self._span(mark) for mark in marks}) if last else verdict

    def _weighed(self, verdict: Verdict, spans: Mapping[int, Span]) -> Verdict:
        """Return *verdict* with margin, rival and opener as all explanations allow them (law 8).

        Without a loss the stamps say it all: their `w` is the whole doubt.
        """
        verdict = msgspec.structs.replace(verdict, opener_unsure=False, rival_unsure=False)  # of before
        all_seen = len(verdict.presses) == len(spans)
        if not all_seen or any(first_ns != last_ns for _, first_ns, last_ns in spans.values()):
            verdict = with_spread(verdict, spread_of(verdict.last, spans))
        return msgspec.structs.replace(verdict, opener_unsure=self._opener_unsure(verdict, spans))

    def completes(self, verdict: Verdict, seat: int) -> bool:
        """Return whether a press of *seat* would complete *verdict*: it was last and has not pressed."""
        return verdict.last == (seat,) and seat not in verdict.order and bool(verdict.presses)

    def agrees(self, verdict: Verdict, press: Press) -> bool:
        """Return whether *press*, which came after *verdict*, leaves who is named as it was."""
        return could_be_last([*verdict.presses, press]) == verdict.last

    def times(self, press: Press) -> bool:
        """Return whether *press* says when the missing seat came: where noses need not be held, each does."""
        return True

    def complete(self, verdict: Verdict, press: Press, sure_ns: int) -> Verdict:
        """Complete a verdict in which only the last seat was missing with its late *press*.

        What was lost between the two may hide an earlier one of it: the round has been told of that as well.
        """
        self._sure[press.seat] = sure_ns
        completed = self._completed(verdict, press)
        if not (self._doubts or self._unseen):
            return completed
        spans = {one.seat: self._span(one) for one in completed.presses}
        spans |= {seat: self._span(self._mark(seat)) for seat in verdict.unseen}
        return self._weighed(completed, spans)

    def found(self, verdict: Verdict, seat: int, since_ns: int, until_ns: int) -> Verdict:
        """Return a verdict whose missing *seat* was found down: it pressed some time in between, unseen."""
        self._unseen[seat] = since_ns, until_ns
        return self._weighed(verdict, {one: self._span(self._mark(one)) for one in self.seats})

    @staticmethod
    def _completed(verdict: Verdict, press: Press) -> Verdict:
        """Return *verdict* with the *press* of the seat that was missing, all stamps at their word."""
        rival = closest_rival(press, verdict.presses)
        return msgspec.structs.replace(
            verdict,
            order=(*verdict.order, press.seat),
            margin_ns=press.t_ns - rival.t_ns,
            at_least_ns=None,
            u_ns=uncertainty_ns(press, rival),
            presses=(*verdict.presses, press),
        )

    def _set_due(self, now_ns: int) -> None:
        if len(self.presses) == len(self.seats):
            self.due_ns = now_ns
        elif self.due_ns is None and len(self.presses) + len(self._unseen) >= len(self.seats) - 1:
            self.due_ns = max(now_ns, self._reach())

    def _reach(self) -> int:
        """Return the time after which the missing press could change nothing any more.

        That is the latest press, by the confirmation time and `w`; with sources of different worth an earlier
        press may reach further than the latest, so it is the furthest of all, doubtful ones at their latest.
        A doubt without an end (a page that has fallen silent) is not waited for: no time would take it away.
        """
        marks = [self._mark(seat) for seat in self.seats]
        missing = [mark for mark in marks if mark.seat not in self.presses]
        pressed = [mark for mark in marks if mark.t_ns != UNPRESSED_NS]
        reach = max(
            (self._until(one) + uncertainty_ns(one, mark) for one in pressed for mark in missing),
            default=self.armed_ns,
        )
        stirred = [until_ns for seat, until_ns in self._stirred.items() if seat not in self.presses]
        return max([reach + self._confirm_ns, *stirred])

    def _until(self, mark: Press) -> int:
        """Return the latest time at which the press may have come, its own where there is no end to that."""
        if not (self._doubts or self._unseen):
            return mark.t_ns
        until_ns = self._span(mark)[2]
        return until_ns if until_ns < UNPRESSED_NS else mark.t_ns

    def _mark(self, seat: int) -> Press:
        """Return the seat's press, or one that stands for it: as late as it may be."""
        press = self.presses.get(seat)
        if press is not None:
            return press
        t_ns = self._unseen[seat][1] if seat in self._unseen else UNPRESSED_NS
        known = self._known(seat)
        if known is not None:
            return msgspec.structs.replace(known, t_ns=t_ns)
        presses = self.presses.values()
        return Press(
            seat=seat,
            t_ns=t_ns,
            u_ns=max((press.u_ns for press in presses), default=0),
            source="",
            clock_u_ns=max((press.clock_u_ns for press in presses), default=0),
        )

    def _judge(self, last: tuple[int, ...]) -> Verdict:
        """Return the verdict that *last* were last; margin and `w` as far as they are known."""
        if len(self.presses) == len(self.seats):
            return judge(self.presses.values())
        presses = in_order(self.presses.values())
        verdict = Verdict(
            order=tuple(press.seat for press in presses),
            last=last,
            dead_heat=len(last) > 1,
            presses=presses,
            unseen=tuple(sorted(self._unseen.keys() - set(last))),
        )
        missing = next((seat for seat in last if seat not in self.presses), None)
        if missing is not None and presses:
            mark = self._mark(missing)
            u_ns = uncertainty_ns(mark, closest_rival(mark, presses))
            return msgspec.structs.replace(verdict, u_ns=u_ns)
        if len(presses) < 2:
            return verdict
        pair = judge(presses)
        return msgspec.structs.replace(verdict, margin_ns=pair.margin_ns, u_ns=pair.u_ns)

    def _doubt_that_matters(self, last: tuple[int, ...], marks: Iterable[Press]) -> Text | None:
        """Return why what is lost or unseen leaves open who was last; None where it does not."""
        if not may_differ(last, {mark.seat: self._span(mark) for mark in marks}):
            return None
        return self._doubts[0].why if self._doubts else unseen_text()

    def _opener_unsure(self, verdict: Verdict, spans: Mapping[int, Span]) -> bool:
        """Return whether somebody else may have opened, where edges are lost (law 5)."""
        if verdict.opener is None:
            return False  # the stamps themselves say so
        first = in_order(verdict.presses)[0]
        first_ns = spans[first.seat][2]
        return any(
            early_ns - first_ns <= uncertainty_ns(first, mark)
            for mark, early_ns, _ in spans.values()
            if mark.seat != first.seat
        )

    def _counts_from(self, seat: int) -> int:
        """Return from when on touches of *seat* count."""
        return self.armed_ns

    def _span(self, mark: Press) -> Span:
        """Return the mark with the earliest and the latest time at which its press may have come (law 5)."""
        first = last = mark.t_ns
        if mark.seat in self._unseen:
            first = self._unseen[mark.seat][0]
        sure_ns = self._sure.get(mark.seat, UNPRESSED_NS)
        for doubtful in self._doubts:
            since_ns = self._counts_from(mark.seat)
            if doubtful.seat == mark.seat and sure_ns > doubtful.from_ns and doubtful.to_ns >= since_ns:
                begun, more = max(doubtful.from_ns, since_ns), max(0, doubtful.u_ns - mark.u_ns)
                first = min(first, begun - more)
                last = max(last, doubtful.to_ns, begun + more)
        return mark, first, last


def unseen_text() -> Text:
    """Return why a round is void in which a nose was found down, and when decides."""
    return text("A nose is down, but nobody saw when it was pressed, and that could change the verdict.")
