"""Lifts and touches in, and when everybody but one has a spoon, the verdict (SPN-1 to SPN-7).

A rack has a spoon less than players. Spoons rest closed: a lift is the release of a cradle's line, stamped
with its train's first edge, and debounced as a press is. It tells *that* a spoon went; who has it, a *touch*
tells: of the seat's nose, or in the seat's dock once held for 1 s, or nobody (`Rack.confirm`). A touch is
valid while lifts exceed the valid touches before it, else a phantom. The round is decided at the valid touch
that leaves one seat without: the seat that is last, by as much as its own touch came later, if it did.

A lift that is put back within `feint_ms`, with nothing else lifted, put back or touched in between, was a
feint and no lift. Feints and docks are only known later, so everything is worked out again from all stamps,
in their order, whenever something comes: they delay the decision, never move a stamp.

Where law 4 is asked (`w`: what two stamps may be wrong by together):

- Touch against touch. Two within `w` may have come either way round, so either may have had the spoon that
  only one of them could have. That is a *dead heat* for it: of the seats that may be without a spoon, each
  in some world. For the last spoon it is what law 4 says of noses.
- Touch against lift. A touch within `w` of the lift that it needs may have been a phantom, a phantom within
  `w` of the next lift may have been valid. If that could change who is last, the round is void: it is no
  race between two seats, and nobody could have won it.
- Feints. Something within `w` of the lift or the putting back may have come in between or not. The lift may
  then count or not; if that matters, the round is void as above.
- A round that may be over for all that, or for what was lost (law 5), but is not by the stamps, has nothing
  to wait for: ten seconds after the last that happened at noses or rack it ends, and the table is asked who
  has no spoon (as when only the rack is watched).
- The limits of 300 ms and 1 s are compared as stamped: they are no race.

Law 5: edges of a nose, dock or spoon lost in a gap may have been a touch or a lift anywhere in it, may move
those whose trains it cut, and may have spoilt or made a feint. If that could change who is last, it is void.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
from lastnose.companion.core.model import (
    Armed,
    Confirmed,
    Lift,
    Lifted,
    Phantom,
    Press,
    PutBack,
    Rack,
    RefereeEvent,
    Verdict,
    dock_beside,
    rest_level,
)
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.evidence import Evidence
from lastnose.companion.timing.judge import UNPRESSED_NS, Span, closest_rival, in_order, uncertainty_ns
from lastnose.companion.timing.rack.bounds import Interval, Unsure
from lastnose.companion.timing.rack.notes import (
    ASK_NS,
    DOCK_NS,
    NominalRound,
    NotedLift,
    NotedTouch,
    RackNotes,
)
from lastnose.companion.timing.round import LostPresses, Round
from lastnose.companion.timing.streams import AssumedLevel, Change, Debouncer


def cradles(rack: Rack, seats: Sequence[int]) -> tuple[int, ...]:
    """Return the cradles in use for *seats*: one less than those; what is retired is ignored (SPN-4).

    >>> cradles(Rack((1, 2, 3, 4)), (2, 3, 5))
    (1, 2)
    """
    return rack.spoons[: len(seats) - 1]


class RackRound(RackNotes):
    """An armed round in which spoons count.

    `due_ns` is when the verdict can be given, once everything up to then is known; `ring_ns` when the next
    dock has been held for long enough. `opened`: a spoon went, or was confirmed. `has_dock(seat)` tells
    whether the seat has a dock of its own, not one wired in parallel with its nose.
    """

    # What the lines do

    def lift(self, lift: Lift, sure_ns: int) -> bool:
        """Take the lift of a spoon in use; return whether it is the first thing that counts."""
        return self._lift(lift, sure_ns, lift.t_ns)

    def put_back(self, mark: Lift) -> bool:
        """Take a spoon's return (*mark*: its stamp and what that is worth); return whether it was a feint."""
        taken = self._out.pop(mark.cradle, None)
        if taken is None:
            return False
        taken.back = mark
        self._stirs.append((mark, mark.cradle))
        self._look(mark.t_ns)
        return self._is_feint(taken)

    def completes(self, verdict: Verdict, seat: int) -> bool:
        """Return whether a touch of *seat*, which was last, still tells by how much: where noses confirm."""
        return self.rack.confirm == "confirm" and super().completes(verdict, seat)

    def heeds(self, seat: int) -> bool:
        """Return whether the seat's nose confirms its spoon, by itself or in parallel with a dock."""
        parallel = self.rack.confirm == "dock" and seat in self.seats and not self._has_dock(seat)
        return parallel or (self.rack.confirm == "confirm" and seat in self.seats)

    def is_done_with(self, seat: int, at_ns: int) -> bool:
        """Return that nobody is done: a spoon may come back."""
        return False

    def press(self, press: Press, sure_ns: int) -> bool:
        """Take a touch of a nose; return whether it confirms a spoon at once."""
        if self.rack.confirm == "confirm":
            return self._touch(press, sure_ns, press.t_ns)
        if self.heeds(press.seat):
            self._hold(press, sure_ns, press.t_ns)
        return False

    def release(self, mark: Press) -> None:
        """Take the release of a nose: in parallel with a dock, the spoon is gone from it."""
        self._let_go(mark.seat, mark.t_ns)

    def begin_empty(self, levels: Mapping[int, int]) -> None:
        """Take the levels that docks have at the arming, by seat: they are empty then."""
        self._rest.update(levels)

    def dock(self, mark: Press, level: int, sure_ns: int) -> None:
        """Take a change of a seat's dock to *level*; the first of one not heard of leaves it taken."""
        if self.rack.confirm != "dock":
            return
        if level == self._rest.setdefault(mark.seat, 1 - level):
            self._let_go(mark.seat, mark.t_ns)
        else:
            self._hold(mark, sure_ns, mark.t_ns)

    def ring(self, at_ns: int) -> tuple[Press, bool] | None:
        """Return a touch that has been held long enough by now and whether it is valid; call when due."""
        ripe = [one for one in self._touches if one.held and one.press.t_ns + DOCK_NS <= at_ns]
        if not ripe:
            return None
        ripe[0].held = False
        self._look(at_ns)
        press = ripe[0].press
        return press, press in self._play().valid

    def is_phantom(self, press: Press) -> bool:
        """Return whether a touch came without a spoon, or too late for one."""
        played = self._play()
        return press in played.phantoms or press == played.after

    # What was not seen as it happened: its doubt comes before it

    def take_over(self, seat: int, level: int, since_ns: int, until_ns: int, now_ns: int) -> None:
        """Learn that a nose is down (or up) without having seen how."""
        if not self.heeds(seat):
            return
        if not level:
            self._let_go(seat, now_ns)
            return
        since_ns, until_ns = max(since_ns, self.armed_ns), max(until_ns, self.armed_ns)
        press = msgspec.structs.replace(self._worth(seat), t_ns=until_ns)
        if self.rack.confirm == "dock":
            self._hold(press, since_ns, since_ns)
        else:
            self._touch(press, since_ns, since_ns)

    def take_over_spoon(self, mark: Lift, away: bool, since_ns: int) -> None:
        """Learn that a spoon is away (or back) by the time of *mark* without having seen how."""
        if away and mark.cradle not in self._out:
            since_ns = max(since_ns, self.armed_ns)
            self._lift(mark, since_ns, since_ns)
        elif not away:
            self.put_back(mark)

    def take_over_dock(self, mark: Press, level: int, since_ns: int) -> None:
        """Learn the level of a seat's dock by the time of *mark* without having seen it change."""
        since_ns = max(since_ns, self.armed_ns)
        self.dock(mark, level, since_ns)
        for one in self._touches:
            if one.press is mark:
                one.since_ns = since_ns

    def doubt(self, doubtful: LostPresses) -> None:
        """Take a time in which edges of a seat or a cradle may be lost."""
        if doubtful.to_ns >= self.armed_ns:
            self._doubts.append(doubtful)
            if self.due_ns is None and self._stirs:
                self._look(max(mark.t_ns for mark, _ in self._stirs))

    # What follows

    def void(self, why: Text) -> Verdict:
        """Return a void verdict with the order as far as it is known."""
        played = self._play()
        return self._shown(played, played.valid, void=why)

    def verdict(self) -> Verdict:
        """Judge. Raises nothing: what cannot be told is void, with its reason."""
        self._touches = [one for one in self._touches if not one.held]
        played = self._play()
        if self.rack.confirm == "rack-only":
            return self._shown(played, ())
        if len(played.valid) < len(self.seats) - 1:
            asked = self._shown(played, played.valid)  # only the table knows, also who was the first
            return msgspec.structs.replace(asked, opener_unsure=True)
        # Asked three times: what the stamps allow; what losses would allow besides (law 5: void, if others
        # could be last); and what it would be were lifts as stamped: doubt of a lift is no race of two seats.
        law = self._unsure(doubts=False)
        if self._doubts and self._unsure(doubts=True).seats != law.seats:
            return self.void(self._doubts[0].why)
        if self._unsure(doubts=False, lifts_as_stamped=True).seats != law.seats:
            return self.void(_too_close_text())
        if len(law.seats) > 1:
            verdict = self._dead_heat(played, law)
            return verdict if verdict.void is not None else self._weighed_by_rack(verdict)
        (last,) = law.seats
        if played.after is not None:
            verdict = self._shown(played, played.valid, last=(last,))
            return self._weighed_by_rack(self._completed(verdict, played.after))
        rival = closest_rival(msgspec.structs.replace(self._worth(last), t_ns=2**62), played.valid)
        u_ns = uncertainty_ns(self._worth(last), rival)
        return self._weighed_by_rack(self._shown(played, played.valid, last=(last,), u_ns=u_ns))

    def complete(self, verdict: Verdict, press: Press, sure_ns: int) -> Verdict:
        """Complete a verdict in which only the last seat was missing with its late *press*."""
        self._touches.append(NotedTouch(press, sure_ns, press.t_ns))
        return self._weighed_by_rack(self._completed(verdict, press))

    def _weighed_by_rack(self, verdict: Verdict) -> Verdict:
        """Return *verdict* with margin, rival and opener as every explanation allows them (law 8).

        Which touch gave a seat its spoon may be open, besides when it came. Of who is last that touch counts
        which came when no spoon was left, so not before the last of the others' may have come.
        """
        spans = {seat: span for seat, span in self._unsure(doubts=True).spans.items() if seat in self.seats}
        if not verdict.dead_heat:
            (last,) = verdict.last
            others = [span for seat, span in spans.items() if seat != last]
            gone_ns = max(first_ns for _, first_ns, _ in others)
            spans[last] = self._too_late(last, gone_ns, pressed=last in verdict.order)
        return self._weighed(verdict, spans)

    def _too_late(self, seat: int, gone_ns: int, *, pressed: bool) -> Span:
        """Return when *seat* may first have touched after *gone_ns*, which is as stamped by others."""
        moments = [self._touch_moment(one, doubts=True) for one in self._touches if one.press.seat == seat]
        lost = [one for one in self._doubts if one.seat == seat and not one.cradle]
        mark = max([self._worth(seat), *(_press(one) for one in moments)], key=lambda one: one.u_ns)
        # Twice `w`: `gone_ns` is a stamp, wrong by up to w, and so may be the touch that is held against it.
        reach_ns = 2 * max(uncertainty_ns(mark, one.press) for one in self._touches)
        after = [one for one in moments if one.last_ns >= gone_ns - reach_ns]
        firsts = [one.first_ns for one in after]
        firsts += [max(one.from_ns, self.armed_ns) for one in lost if one.to_ns >= gone_ns - reach_ns]
        surely = [one.last_ns for one in after if one.sure or one.first_ns == one.last_ns]
        last_ns = max(surely or [one.last_ns for one in after]) if pressed else UNPRESSED_NS
        return mark, min(firsts, default=UNPRESSED_NS), last_ns

    def _dead_heat(self, played: NominalRound, law: Unsure) -> Verdict:
        """Return that the seats of *law* cannot be told apart, if each has a touch that may be valid."""
        had = {press.seat: press for press in played.valid}
        marks = {seat: had.get(seat) or law.touches.get(seat) for seat in law.seats}
        touches = in_order([mark for mark in marks.values() if mark is not None])
        if len(touches) < len(law.seats):
            return self.void(_too_close_text())
        *others, latest = touches
        rival = closest_rival(latest, others)
        margin_ns, u_ns = latest.t_ns - rival.t_ns, uncertainty_ns(latest, rival)
        if margin_ns > u_ns:
            return self.void(_too_close_text())
        presses = in_order([*played.valid, *(one for one in touches if one.seat not in had)])
        return self._shown(
            played,
            presses,
            last=tuple(sorted(law.seats)),
            margin_ns=margin_ns,
            u_ns=u_ns,
            dead_heat=True,
        )

    def _shown(
        self,
        played: NominalRound,
        presses: Sequence[Press],
        *,
        last: tuple[int, ...] = (),
        margin_ns: int | None = None,
        u_ns: int | None = None,
        dead_heat: bool = False,
        void: Text | None = None,
    ) -> Verdict:
        feints = {id(one) for one in self._lifts if self._is_feint(one)}
        lifts = sorted(self._lifts, key=lambda one: (one.lift.t_ns, one.lift.cradle))
        return Verdict(
            order=tuple(press.seat for press in presses),
            last=last,
            margin_ns=margin_ns,
            u_ns=u_ns,
            dead_heat=dead_heat,
            void=void,
            presses=tuple(presses),
            lifts=tuple(one.lift for one in lifts if id(one) not in feints),
            feints=tuple(one.lift for one in lifts if id(one) in feints),
            phantoms=tuple(one for one in played.phantoms if one not in presses),
        )

    # Noting

    def _lift(self, lift: Lift, sure_ns: int, since_ns: int) -> bool:
        taken = NotedLift(lift, sure_ns, since_ns)
        self._lifts.append(taken)
        self._out[lift.cradle] = taken
        self._stirs.append((lift, lift.cradle))
        opens = not self.opened
        self._look(lift.t_ns)
        return opens

    def _touch(self, press: Press, sure_ns: int, since_ns: int, *, held: bool = False) -> bool:
        had_one = any(one.seat == press.seat for one in self._play().valid)
        touch = NotedTouch(press, sure_ns, since_ns, held)
        self._touches.append(touch)
        if held:
            self._holding[press.seat] = touch
        if not had_one:
            self._stirs.append((press, 0))
        self._look(press.t_ns)
        return not had_one and press in self._play().valid

    def _hold(self, press: Press, sure_ns: int, since_ns: int) -> None:
        if press.seat not in self._holding:
            self._touch(press, sure_ns, since_ns, held=True)

    def _let_go(self, seat: int, t_ns: int) -> None:
        """End a touch in a dock: it never was one, if it has not lasted long enough."""
        touch = self._holding.pop(seat, None)
        if touch is not None and t_ns - touch.press.t_ns < DOCK_NS:
            self._touches.remove(touch)
            self._look(t_ns)

    def _look(self, now_ns: int) -> None:
        """Work out again whether the round has opened, and when it is decided and the next dock rings."""
        waiting = [one.press.t_ns + DOCK_NS for one in self._touches if one.held]
        self.ring_ns = min(waiting, default=None)
        played = self._play()
        self.opened = bool(played.valid) or any(not self._is_feint(one) for one in self._lifts)
        self.due_ns = None
        if self.rack.confirm == "rack-only":
            if len(self._out) == len(self.cradles):
                emptied_ns = max(one.lift.t_ns for one in self._out.values())
                self.due_ns = max(now_ns, emptied_ns + self._feint_ns)
        elif len(played.valid) == len(self.seats) - 1:
            self.due_ns = self._decided_ns(played, now_ns)
        elif self._may_be_over():
            self.due_ns = max([now_ns, *(mark.t_ns for mark, _ in self._stirs)]) + ASK_NS

    def _decided_ns(self, played: NominalRound, now_ns: int) -> int:
        """Return when nothing can change any more who has the last spoon, docks held long enough too."""
        reach_ns = now_ns
        if played.after is None:
            (missing,) = set(self.seats) - {one.seat for one in played.valid}
            mark = self._worth(missing)
            furthest_ns = max(one.t_ns + uncertainty_ns(one, mark) for one in played.valid)
            reach_ns = max(now_ns, furthest_ns + self._confirm_ns)
        held = [one.press.t_ns + DOCK_NS for one in self._touches if one.held and one.press.t_ns <= reach_ns]
        return max(reach_ns, *held) if held else reach_ns


def _press(touch: Interval) -> Press:
    assert isinstance(touch.mark, Press)
    return touch.mark


def _too_close_text() -> Text:
    return text("Touches and lifts came so close together that nobody can tell who had one and who had not.")


class RackLines:
    """Knows the lines of the armed rack: `of` has the seat (of a dock) and cradle of each, one of them 0."""

    def __init__(self, debouncer: Debouncer, evidence: Evidence) -> None:
        self.of: dict[str, tuple[int, int]] = {}
        self._debouncer = debouncer
        self._evidence = evidence
        self._line_of: Mapping[int, str] = {}

    def begin(
        self, armed: Armed, rack: Rack, confirm_ns: int, line_of: Mapping[int, str], down: Collection[str]
    ) -> RackRound:
        """Return the round to judge by; *line_of* has each seat's nose, *down* what is away from rest."""
        self._line_of = line_of
        rack_round = RackRound(armed.t_ns, armed.seats, confirm_ns, self._worth, rack, self._has_dock)
        self.of = {f"spoon.{cradle}": (0, cradle) for cradle in rack_round.cradles}
        if rack.confirm == "dock":
            docks = {seat: dock_beside(line_of[seat]) for seat in armed.seats}
            self.of |= {dock: (seat, 0) for seat, dock in docks.items()}
            rack_round.begin_empty(
                {
                    seat: int(dock in down) ^ rest_level(dock)
                    for seat, dock in docks.items()
                    if dock in self._debouncer.lines
                }
            )
        return rack_round

    def changed(self, armed: Round | None, change: Change) -> Iterator[RefereeEvent]:
        """Take a change of a spoon or dock of the armed rack."""
        (seat, cradle), edge = self.of[change.line], change.edge
        if not isinstance(armed, RackRound):
            return
        if seat:
            armed.dock(change.press(seat), change.level ^ rest_level(change.line), change.sure_ns)
            return
        mark = Lift(cradle, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns)
        if change.level:
            yield Lifted(mark, armed.lift(mark, change.sure_ns))
        else:
            yield PutBack(cradle, edge.t_ns, armed.put_back(mark))

    def taken_over(self, armed: Round | None, what: AssumedLevel, at_ns: int) -> Iterator[RefereeEvent]:
        """Take the level of a spoon or dock of the armed rack that nobody saw change."""
        seat, cradle = self.of[what.line]
        if not isinstance(armed, RackRound):
            return
        since_ns = armed.armed_ns if what.since_ns is None else what.since_ns
        until_ns = max(at_ns if what.until_ns is None else what.until_ns, armed.armed_ns)
        worth = self._evidence.known(seat, what.line) or Press(seat, 0, 0, "")
        if seat and what.until_ns is not None and what.until_ns < armed.armed_ns:
            armed.begin_empty({seat: what.level ^ rest_level(what.line)})  # it was so at the arming already
            return
        if seat:
            press = msgspec.structs.replace(worth, t_ns=until_ns)
            armed.take_over_dock(press, what.level ^ rest_level(what.line), since_ns)
            return
        mark = Lift(cradle, until_ns, worth.u_ns, worth.source, worth.clock_u_ns)
        opens = not armed.opened
        armed.take_over_spoon(mark, bool(what.level), since_ns)
        yield Lifted(mark, opens) if what.level else PutBack(cradle, until_ns, feint=False)

    def ring(self, armed: Round | None, at_ns: int) -> Iterator[RefereeEvent]:
        """Tell of a dock in which a spoon has lain for long enough."""
        if isinstance(armed, RackRound):
            rung = armed.ring(at_ns)
            if rung is not None:
                yield Confirmed(rung[0]) if rung[1] else Phantom(rung[0])

    def _has_dock(self, seat: int) -> bool:
        """Return whether the seat has a dock that has shown itself."""
        return dock_beside(self._line_of[seat]) in self._debouncer.lines

    def _worth(self, seat: int) -> Press | None:
        """Return what a touch of the seat is worth: in its dock, if that is known and counts, or a nose."""
        nose = self._line_of.get(seat, "")
        docked = self._evidence.known(seat, dock_beside(nose)) if dock_beside(nose) in self.of else None
        return docked or self._evidence.known(seat, nose)
