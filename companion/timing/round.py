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
# A contact that is let go may close again for so long; so does one hold as long before it is sure to be one.
CHATTER_NS = 20_000_000


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


class HoldRound(Round):
    """A nose must stay down, a new touch begins another hold (PIG-5); decided when all but one are held.

    That is when they are first held together, each timed from its present hold.

    A release and a press that could have come in either order leave open whether all were held together:
    such a round is void when that press made, or would have made, all but one. It suffices to look at that
    press: were all but one held together in truth, then every release that was stamped before the last of
    their presses truly came after it, so it lies within `w` of it; and the other way round.
    """

    def __init__(
        self,
        armed_ns: int,
        seats: tuple[int, ...],
        confirm_ns: int,
        known: Callable[[int], Press | None],
    ) -> None:
        super().__init__(armed_ns, seats, confirm_ns, known)
        self._held: dict[int, Press] = {}
        self._released: dict[int, Press] = {}  # by seat, the stamp of its last release
        self._together: tuple[int, ...] = ()  # the seats that were held together at the deciding instant
        self._ambiguous = False
        self._chattered: set[int] = set()

    def press(self, press: Press, sure_ns: int) -> bool:
        """Take a press: it begins a hold. Once all but one were together only the missing seat's counts."""
        if self.due_ns is not None:
            if press.seat in self._together or not self.times(press):
                return False
            return super().press(press, sure_ns)
        self._held[press.seat] = press
        self.opened = True
        self._unseen.pop(press.seat, None)
        self._sure[press.seat] = sure_ns
        near = {
            seat
            for seat, mark in self._released.items()
            if press.t_ns - mark.t_ns <= uncertainty_ns(mark, press) and seat != press.seat
        }
        together = {*self._held, *self._unseen}
        if len(together) >= len(self.seats) - 1:
            self._ambiguous = bool(near) or self._chatters(press.t_ns)
            self._decide(press.t_ns)
        elif len(together | near) >= len(self.seats) - 1:
            self._ambiguous = True
            self.presses = dict(self._held)
            self.due_ns = press.t_ns
        return True

    def is_done_with(self, seat: int, at_ns: int) -> bool:
        """Return that nobody is done: here releases count."""
        return False

    def release(self, mark: Press) -> None:
        """Take a release: it ends the hold, or comes too close to the deciding presses to tell."""
        if self.due_ns is not None:
            self._ambiguous |= mark.seat in self._together and any(
                mark.t_ns - press.t_ns <= uncertainty_ns(mark, press)
                for seat, press in self.presses.items()
                if seat in self._together and seat != mark.seat
            )
            return
        self._held.pop(mark.seat, None)
        self._unseen.pop(mark.seat, None)
        self._released[mark.seat] = mark

    def stir(self, seat: int, until_ns: int) -> None:
        """Learn of a short opening, too: the decision waits for whether the hand has let go with it."""
        super().stir(seat, until_ns)
        if self.due_ns is not None and seat in self._together:
            self.due_ns = max(self.due_ns, until_ns)

    def take_over(self, seat: int, level: int, since_ns: int, until_ns: int, now_ns: int) -> None:
        """Learn that a nose is down (or up) without having seen how."""
        if self.due_ns is not None:
            return
        if not level:
            self._held.pop(seat, None)
            self._unseen.pop(seat, None)
        elif seat not in self._held:
            self._unseen[seat] = max(since_ns, self.armed_ns), max(until_ns, self.armed_ns)
            if len(self._held) + len(self._unseen) >= len(self.seats) - 1:
                self._decide(now_ns)

    def void(self, why: Text) -> Verdict:
        """Return a void verdict with those who are held now, in order."""
        presses = in_order((self.presses or self._held).values())
        return Verdict(order=tuple(press.seat for press in presses), presses=presses, void=why)

    def verdict(self) -> Verdict:
        """Judge as any round, unless nobody can tell who was held together."""
        if self._ambiguous:
            return self.void(
                text(
                    "A nose was let go so close to the deciding touch that nobody can tell "
                    "whether all were held together."
                )
            )
        return super().verdict()

    def _chatters(self, now_ns: int) -> bool:
        """Return whether a hold that counts may be the chatter of a contact that was let go just before."""
        return any(
            press.t_ns - self._released[seat].t_ns < CHATTER_NS > now_ns - press.t_ns
            for seat, press in self._held.items()
            if seat in self._released
        )

    def times(self, press: Press) -> bool:
        """Return whether *press* says when its seat came, or may be the chatter of a contact just let go.

        Surely after all others, its seat is last in either case, by a margin that is open from then on: which
        of its touches was the first, nobody can tell (law 8).
        """
        if press.seat in self._chattered:
            return False
        released = self._released.get(press.seat)
        if released is None or press.t_ns - released.t_ns >= CHATTER_NS:
            return True
        after = all(press.t_ns - one.t_ns > uncertainty_ns(one, press) for one in self.presses.values())
        if after:
            self._chattered.add(press.seat)
        self._ambiguous |= not after  # level with the others, or not come at all: no margin holds both
        return not after

    def _decide(self, now_ns: int) -> None:
        """All but one are together: keep their presses, and wait for a close press or release."""
        self._together = tuple(sorted({*self._held, *self._unseen}))
        self.presses = dict(self._held)
        held = self.presses.values()
        closest = max(
            (one.t_ns + uncertainty_ns(one, other) for one in held for other in held), default=now_ns
        )
        stirred = [until_ns for seat, until_ns in self._stirred.items() if seat in self._together]
        self.due_ns = max(now_ns, self._reach(), closest + self._confirm_ns, *stirred)

    def _set_due(self, now_ns: int) -> None:
        """Leave `due_ns` as it is: with hold a release may still come close."""

    def _doubt_that_matters(self, last: tuple[int, ...], marks: Iterable[Press]) -> Text | None:
        """Doubt any round with lost edges: a lost release could move the deciding instant."""
        return self._doubts[0].why if self._doubts else super()._doubt_that_matters(last, marks)
