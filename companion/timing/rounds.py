"""The rounds: what lines and people do comes in, in order of stream time; arms, judges, and reconsiders.

Late evidence has two sides. What it says of the round in progress is a loss, as the law of gaps wants it;
what it says of rounds before is weighed in hindsight, and a verdict that it contradicts does not stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import (
    NO_RULES,
    Armed,
    Contested,
    Edge,
    FirstRules,
    Gap,
    HostPress,
    Input,
    Judged,
    Late,
    Noisy,
    Passthrough,
    Phantom,
    Press,
    Pressed,
    Question,
    Rack,
    RefereeEvent,
    Released,
    UnseenChange,
    Verdict,
    Withdrawn,
)
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.timing.arming import Arming, HostButton
from lastnose.companion.timing.evidence import (
    Again,
    Decided,
    Evidence,
    Hindsight,
    LateEdge,
    as_found,
    held_text,
    is_of_late_edge,
    noise_text,
    withdrawn,
)
from lastnose.companion.timing.first import SHUT_OUT_NS, FirstRound
from lastnose.companion.timing.judge import voided
from lastnose.companion.timing.rack.round import RackLines, RackRound
from lastnose.companion.timing.round import HoldRound, Round
from lastnose.companion.timing.settings import ArmRequest, Request, Settings, VoidRequest
from lastnose.companion.timing.streams import (
    FOREVER,
    NEVER,
    AssumedLevel,
    Change,
    Debouncer,
    LostEdges,
    Stray,
)

HOST_LINE = "host"
MOST_TOUCHES = 64


class RoundHistory:
    """Knows the armed round, and the rounds before it. `again` judges one of those once more.

    `round` is the armed one, `late` the newest verdict in which only the last seat was missing.
    """

    def __init__(self, settings: Settings, debouncer: Debouncer, again: Again | None) -> None:
        self._settings = settings
        self._debouncer = debouncer
        self.evidence = Evidence(debouncer)
        self.rack_lines = RackLines(debouncer, self.evidence)
        self.gate = Arming(settings.rearm_ns)
        self.host = HostButton(settings.long_press_ns)
        self.round: Round | None = None
        self.late: tuple[Round, Verdict] | None = None
        self._armed: Armed | None = None  # the newest round, until something else is bound
        self._late_news: list[tuple[Edge | Gap, bool]] = []  # told while it was armed; whether an edge stays
        self._late_since: list[Edge] = []  # told since it was judged
        self._closed_ns = FOREVER  # from when on nothing that is touched is of the round that was judged
        self._once = False  # it was armed once before, and nothing is to follow it
        self._hold = False
        self._question: Question = "last"
        self._rules = NO_RULES
        self._touches: tuple[Press, ...] = ()  # of no question: they may be false starts
        self._forgives = False  # a question that nobody had begun was voided, and opens again by itself
        self._stay_early: tuple[Press, ...] = ()  # the false starts of that question
        self._down_then: set[str] = set()  # what was down when the newest round was armed
        self._hindsight = Hindsight(again, settings.lockout_ns)
        self._lines: dict[str, int] = {}
        self._line_of: dict[int, str] = {}

    def bind(self, lines: Mapping[str, int]) -> None:
        """Map lines to seats again, while no round is armed."""
        self._lines = dict(lines)
        self._line_of = {seat: line for line, seat in lines.items()}
        self.evidence.bind(self._line_of)
        self.gate.bind(self._line_of)
        self.late = self._armed = None

    def watch(
        self, seats: tuple[int, ...], hold: bool, rack: Rack | None, question: Question, rules: FirstRules
    ) -> None:
        """Watch these seats from the next arming on."""
        if question == "first" and (hold or rack is not None):
            raise ValueError("who was first is asked of plain touches: without hold, without a rack")
        if question == "last" and rules != NO_RULES:
            raise ValueError("teams, locks and an end go with the question who was first")
        self._check(seats, rack, question)
        if rules.lock_ms != self._rules.lock_ms:
            self._touches = ()  # what was touched before is no false start of these rules
        self._hold, self._question, self._rules = hold, question, rules
        self.gate.watch(tuple(seats), rack, rules)

    @property
    def asks_first(self) -> bool:
        """Whether the armed round, or the newest whose list is open, asks who was first."""
        return isinstance(self.round or (self.late and self.late[0]), FirstRound)

    def drop(self) -> None:
        """Forget the armed round and whom to watch."""
        self.round, self.late, self._armed = None, None, None
        self.gate.watch(())

    # What lines do

    def hear(self, at_ns: int, what: object) -> Iterable[RefereeEvent]:
        """Take what the debouncer has put out for *at_ns*, and tell what follows."""
        if isinstance(what, Change):
            return self._press(what) if what.level else self._release(what)
        if isinstance(what, Stray):
            self.gate.stir(what.line, at_ns)
            seat = self._seat(what.line)
            if self.round is not None and seat is not None and self.round.waits(at_ns):
                self.round.stir(seat, what.until_ns)
            return []
        if isinstance(what, Noisy):
            return self._noise(what, at_ns)
        if isinstance(what, AssumedLevel):
            return self._taken_over(what, at_ns)
        if isinstance(what, Gap | LostEdges):
            return self._lost(what, at_ns)
        if isinstance(what, LateEdge):
            if self.round is not None:
                self._late_news.append((what.edge, what.stays))
            else:
                self._late_since.append(what.edge)
            said = self._reconsider(what.edge, at_ns, stays=what.stays)
            return said if not said and self._had_touched(what.edge) else [what.broken, *said]
        return []

    def _had_touched(self, edge: Edge) -> bool:
        """Return whether the touch of *edge*'s nose had counted by then: what it does after is no matter."""
        seat = self._lines.get(edge.line)
        if seat is None or self.round is not None:
            return seat is not None and self.round is not None and self.round.is_done_with(seat, edge.t_ns)
        decided = self._hindsight.newest(self._armed)
        if decided is None or decided.hold or decided.rack is not None:
            return False  # there a later touch or release may still change who was held, or had a spoon
        return any(press.seat == seat and press.t_ns < edge.t_ns for press in decided.verdict.presses)

    def _lost(self, loss: Gap | LostEdges, at_ns: int) -> list[RefereeEvent]:
        """Take a loss: it may undo the armed round or the verdict before, and nothing is armed during it."""
        late = loss.known if isinstance(loss, LostEdges) else loss.late_ns is not None
        waits = self.late[0] if self.late is not None else None  # what is lost may hide who is missing
        self.evidence.lose(self.round or (None if late else waits), loss)
        if isinstance(loss, Gap):
            self.gate.lose(loss.to_ns)
            if loss.late_ns is not None:
                return []  # the late edge itself says more
            if self.round is not None:
                self._late_news.append((loss, False))
            return self._weigh_again() if self._hindsight.trusts else self._reconsider(loss, at_ns)
        why = self.evidence.cuts(self.round, loss) if self.round is not None else None
        if self.round is not None and why is not None:
            return [self._spoil(self.round, why, at_ns)]
        source = self._debouncer.lines[loss.line].source
        gap = Gap(loss.from_ns, loss.to_ns, source, (loss.line,))
        if loss.known:
            return []
        return self._weigh_again() if self._hindsight.trusts else self._reconsider(gap, at_ns)

    def _weigh_again(self) -> list[RefereeEvent]:
        """Say again what is known of who was first, as a round is judged again in which edges are lost."""
        done, verdict = self.late or (None, Verdict())
        if self.round is not None or not isinstance(done, FirstRound):
            return []
        again = done.weighed_again(verdict)
        if again == verdict:
            return []
        self.late = self._open_for_more(done, again)
        return [Late(done.of_ns, again, ())]

    def _reconsider(self, evidence: Edge | Gap, at_ns: int, *, stays: bool = False) -> list[RefereeEvent]:
        """Judge the rounds before again with late *evidence*; say what that leaves of their verdicts."""
        said: list[RefereeEvent] = []
        for decided, verdict, stands in self._hindsight.weigh(evidence, self._since, stays=stays):
            newest = decided.armed is self._armed and self.round is None
            if stands:
                said.append(self._restate(decided, verdict, at_ns, newest=newest))
                continue
            self._hindsight.forget(decided)
            decided.untold.append(evidence)
            inputs = self._handed_out(decided, newest=newest)
            if newest:
                self.late = None
                self.gate.decided(at_ns)
                said.append(Withdrawn(decided.armed.t_ns, withdrawn(verdict, evidence), inputs))
            else:
                said.append(Contested(decided.armed.t_ns, verdict, inputs))
        return said

    def _restate(self, decided: Decided, verdict: Verdict, at_ns: int, *, newest: bool) -> Late:
        """Say again what is known of a round that stands, with evidence that came late, at *at_ns*."""
        inputs = self._handed_out(decided, newest=newest)
        if newest and self.late is not None:
            done, open_still = self.late[0], verdict.margin_ns is None
            self.late = (done, verdict) if open_still or verdict.first else None
            if isinstance(done, FirstRound):
                for press in verdict.presses:  # its train was no longer than this, or the line is noisy
                    done.settle(verdict, press, max(at_ns, press.t_ns) + self._settings.lockout_ns)
        return Late(decided.armed.t_ns, verdict, inputs)

    def _since(self, decided: Decided) -> tuple[Input, ...]:
        """Return what has come since a round was judged, while nothing else has been armed."""
        if decided.armed is not self._armed or self.round is not None:
            return ()
        return self._of_the_round(self.evidence.fresh(), decided)

    def _keep_for_the_round_before(self) -> None:
        """Keep what came after the newest verdict: beside late evidence it may say more of that round."""
        # From here on `fresh` is the new round's: a release of the round before is told only now and then.
        before = self._hindsight.newest(self._armed)
        if before is not None:
            rest = self._since(before)
            before.inputs += rest
            before.untold += rest

    def _handed_out(self, decided: Decided | None, *, newest: bool = True) -> tuple[Input, ...]:
        """Return what no event has handed out of a round yet: of the *newest* also what has come."""
        fresh = self.evidence.hand_out() if newest else ()
        inputs = self._of_the_round(fresh, decided)
        if decided is None:
            return inputs
        decided.inputs += inputs
        late, decided.untold = tuple(one for one in decided.untold if one not in inputs), []
        return (*inputs, *late)

    def _of_the_round(self, items: Iterable[Input], decided: Decided | None) -> tuple[Input, ...]:
        """Return what *items*, that have come since the newest round was *decided*, say of it."""
        from_ns = decided.armed.from_ns if decided is not None and decided.question == "first" else NEVER
        kept: list[Input] = []
        for item in items:
            t_ns = item.from_ns if isinstance(item, Gap) else item.t_ns
            found = as_found(item, from_ns) if is_of_late_edge(item) else item
            if found is not None and t_ns <= self._closed_ns:
                kept.append(found)
        return tuple(kept)

    def _noise(self, noisy: Noisy, at_ns: int) -> list[RefereeEvent]:
        self.gate.noise(noisy.line)
        seat = self._seat(noisy.line)
        concerned = seat is not None or noisy.line in self.rack_lines.of
        if isinstance(self.round, FirstRound) and seat is not None and self.round.is_held(seat):
            concerned = False  # it cannot press before it has come to rest
        if self.round is None or not concerned:
            return [noisy]
        return [noisy, self._spoil(self.round, noise_text(noisy.line), at_ns)]

    def _spoil(self, armed: Round, why: Text, at_ns: int) -> Judged:
        """Void the armed round for what nobody knows of it; one that nobody has begun is armed again.

        Else a table that waits for the host would stand there unarmed, and nobody would have said so.
        """
        judged = self.conclude(armed.void(why), at_ns)
        if not (armed.opened or self._once):
            self._forgives, self._stay_early = True, ()  # who touches meanwhile meant this one: not too early
            if isinstance(armed, FirstRound):
                self._stay_early = armed.false_starts
                at_ns = max(at_ns, armed.lost_until_ns + 1)  # what has voided this one is not of the next
            self.gate.ask(ArmRequest(at_ns, None if armed.seats == self.gate.seats else armed.seats))
        return judged

    def _taken_over(self, what: AssumedLevel, at_ns: int) -> Iterable[RefereeEvent]:
        self.gate.quiet(what.line, what.level, at_ns)
        armed, seat = self.round, self._seat(what.line)
        mine = seat is not None or what.line in self.rack_lines.of
        whose = self._lines.get(what.line)
        seen: list[RefereeEvent] = []
        if whose is not None:
            counts = armed is not None and seat is not None and seat not in armed.presses
            seen.append(UnseenChange(whose, what.level, at_ns, bool(counts and what.level)))
        if armed is None and self.late is not None and what.level and self.late[1].last == (whose,):
            return [*seen, *self._found(*self.late, what, at_ns)]
        if armed is None and not what.level and whose is not None:
            self._let_go(whose, at_ns)
        if armed is None or not mine:
            return seen
        if isinstance(armed, FirstRound) and seat is not None and armed.is_held(seat):
            armed.take_over(seat, what.level, at_ns, at_ns, at_ns)
            return seen
        since_ns = armed.armed_ns if what.since_ns is None else what.since_ns
        if what.level and since_ns <= armed.armed_ns and not (seat is not None and seat in armed.presses):
            return [*seen, self._spoil(armed, held_text(what.line), at_ns)]
        if seat is None:
            return self.rack_lines.taken_over(armed, what, at_ns)
        until_ns = at_ns if what.until_ns is None else what.until_ns
        armed.take_over(seat, what.level, since_ns, until_ns, at_ns)
        return seen

    def _press(self, change: Change) -> Iterable[RefereeEvent]:
        self.gate.press(change.line)
        if change.line == HOST_LINE:
            self.host.press(change.edge.t_ns)
        seat = self._lines.get(change.line)
        if seat is None:
            return self.rack_lines.changed(self.round, change) if change.line in self.rack_lines.of else []
        press = change.press(seat)
        was_open = self.round is not None and self.round.opened
        counts = (
            self.round is not None and seat in self.round.seats and self.round.press(press, change.sure_ns)
        )
        said: list[RefereeEvent] = [Pressed(press, counts, opens=counts and not was_open)]
        if isinstance(self.round, RackRound) and self.round.is_phantom(press):
            said.append(Phantom(press))
        if self.late is not None and isinstance(self.late[0], FirstRound):
            self.late[0].settle(self.late[1], press, change.sure_ns)
        if self.late is not None and self.late[0].completes(self.late[1], seat):
            (done, verdict), self.late = self.late, None
            if done.times(press):
                said.append(self._complete(done, verdict, press, change.sure_ns))
                return said
            if done.question == "first":  # it came when it does not count: the list stays open
                self.late = done, verdict
        if self._question == "first" and not (counts or self.gate.settles(change.line, press.t_ns)):
            self._touches = (*self._touches, press)[-MOST_TOUCHES:]
        return said

    def _complete(self, done: Round, verdict: Verdict, press: Press, sure_ns: int) -> RefereeEvent:
        """Complete a verdict with a press that it was open for, if that agrees with it."""
        decided = self._hindsight.newest(self._armed)
        inputs = self._handed_out(decided)
        stands, completed = True, done.complete(verdict, press, sure_ns)
        if decided is not None:
            completed, stands = self._hindsight.completed(decided, completed)
        if stands and done.agrees(verdict, press):
            self.late = self._open_for_more(done, completed)
            return Late(done.of_ns, completed, inputs)
        if decided is not None:
            self._hindsight.forget(decided)
        self.gate.decided(press.t_ns)
        why = text("A touch came so late and so uncertain that nobody can tell who it was.")
        return Withdrawn(done.of_ns, voided(completed, why), inputs)

    def _found(self, done: Round, verdict: Verdict, what: AssumedLevel, at_ns: int) -> Iterable[RefereeEvent]:
        """Tell what is known of a margin where whom the verdict named is found down, unseen."""
        if isinstance(done, RackRound) or what.since_ns is None:
            return
        self.late = None
        until_ns = at_ns if what.until_ns is None else what.until_ns
        found = done.found(verdict, verdict.last[0], what.since_ns, until_ns)
        decided = self._hindsight.newest(self._armed)
        if found != verdict and decided is not None:
            inputs = self._handed_out(decided)
            found, stands = self._hindsight.completed(decided, found)
            if stands:
                yield Late(done.of_ns, found, inputs)

    def _release(self, change: Change) -> Iterable[RefereeEvent]:
        t_ns = change.edge.t_ns
        self.gate.free(change.line, t_ns)
        if change.line == HOST_LINE:
            return [HostPress(t_ns, long=False)] if self.host.release() else []
        seat = self._lines.get(change.line)
        if seat is None:
            return self.rack_lines.changed(self.round, change) if change.line in self.rack_lines.of else []
        counts = self.round is not None and seat in self.round.seats
        if self.round is not None and counts:
            self.round.release(change.press(seat))
        else:
            self._let_go(seat, t_ns)
        return [Released(seat, t_ns, counts)]

    def _let_go(self, seat: int, at_ns: int) -> None:
        """Tell the question that was judged: soon after that a touch of *seat* may join its list."""
        if self.round is None and self.late is not None and isinstance(self.late[0], FirstRound):
            self.late[0].let_go(seat, at_ns)

    # What the table and the clock do

    def heed(self, at_ns: int, request: Request) -> list[RefereeEvent]:
        """Do what the table asks."""
        if isinstance(request, Passthrough):
            return [request]
        if isinstance(request, VoidRequest):
            return [] if self.round is None else [self.conclude(self.round.void(request.why), at_ns)]
        if request.goes_on and self.round is None and (gone_on := self._go_on(at_ns, request)) is not None:
            return [gone_on]
        self.gate.ask(msgspec.structs.replace(request, t_ns=at_ns))
        self._once = request.again or request.barred is not None
        if self.round is not None and self.round.opened:
            why = text("The next round was armed before this one was decided.")
            return [self.conclude(self.round.void(why), at_ns)]
        self.round = None
        self.rack_lines.of.clear()
        return []

    def open(self, at_ns: int) -> list[RefereeEvent]:
        """Arm a round, or say who holds it up."""
        said = self.gate.open(at_ns)
        if isinstance(said, Armed):
            if not self._once:
                said = self._locked(self._known_apart(said))
            self._keep_for_the_round_before()
            self.round, self.late, self._armed = self._begin(said), None, said
            self._hindsight.end(said.t_ns)
            self._late_news, self._late_since, self._closed_ns = [], [], FOREVER
            self._down_then, self._forgives, self._stay_early = set(self.gate.down), False, ()
            self.evidence.begin(self.round, self.gate.down, self.rack_lines.of)
        return [] if said is None else [said]

    def _known_apart(self, armed: Armed) -> Armed:
        """Return *armed*, a nanosecond later where a question went on just then: it is known by it."""
        before = self._armed
        if before is None or before.since_ns is None or armed.t_ns > before.t_ns:
            return armed
        return msgspec.structs.replace(armed, t_ns=before.t_ns + 1)

    def _locked(self, armed: Armed) -> Armed:
        """Return *armed* with those barred whom a false start, or their team's, still locks (F21, F29)."""
        if not armed.rules.lock_ms:
            return armed
        lock_ns = armed.rules.lock_ms * 1_000_000
        if self._forgives:
            self._touches = ()
        touched = [one for one in self._touches if armed.t_ns < one.t_ns + lock_ns]
        stay = [one for one in self._stay_early if armed.rules.shuts_out or armed.t_ns < one.t_ns + lock_ns]
        early = tuple(
            one
            for one in dict.fromkeys((*armed.early, *stay, *touched))  # what a tape says of it first
            if one.seat in armed.seats and one.t_ns + one.u_ns + one.clock_u_ns < armed.t_ns
        )
        sides, since = armed.rules.sides(armed.seats), dict(armed.barred)
        for seat in armed.seats:
            until_ns = [
                SHUT_OUT_NS if armed.rules.shuts_out else one.t_ns + lock_ns
                for one in early
                if sides[one.seat] == sides[seat]
            ]
            if until_ns:
                since[seat] = max(*until_ns, since.get(seat, 0))
        return msgspec.structs.replace(armed, barred=tuple(sorted(since.items())), early=early)

    def _go_on(self, at_ns: int, request: ArmRequest) -> Armed | None:
        """Let the question that was just judged go on among those who are left (F25); None when it cannot."""
        (done, verdict), before = self.late or (None, Verdict()), self._armed
        if not isinstance(done, FirstRound) or before is None or request.seats is None:
            return None
        if not set(request.seats) <= set(before.seats):
            return None
        self._keep_for_the_round_before()
        rest, armed = self._among(request.seats, at_ns, done, verdict, before)
        self._hindsight.end(armed.t_ns)
        self.evidence.begin(rest, self._down_then, {}, late=self._late_since)
        self.evidence.end(self._closed_ns)
        self._late_news, self._late_since, self._closed_ns = [], [], FOREVER
        return armed

    def close_list(self, at_ns: int) -> None:
        """Let nothing that is touched after *at_ns* join the list of who was first, when it is known."""
        done, verdict = self.late or (None, Verdict())
        if isinstance(done, FirstRound) and verdict.first:
            done.close(at_ns)
            self._hindsight.end(at_ns)
            self._closed_ns = min(self._closed_ns, at_ns)

    def reopen_list(self, at_ns: int) -> list[RefereeEvent]:
        """Let the list of who was first go on: the ruling that closed it is taken back at *at_ns*."""
        (done, verdict), decided = self.late or (None, Verdict()), self._hindsight.newest(self._armed)
        if not isinstance(done, FirstRound) or decided is None or self._closed_ns == FOREVER:
            return []
        done.reopen()
        self._closed_ns = FOREVER
        self._touches = ()  # they were of this question
        again = self._hindsight.reopened(decided, self._since(decided))
        return [] if again == verdict else [self._restate(decided, again, at_ns, newest=True)]

    def go_on_without(self, at_ns: int, seats: Collection[int]) -> Armed | None:
        """Take *seats* out of the armed question: judged again it is as if they had not been asked."""
        done, before = self.round, self._armed
        if not isinstance(done, FirstRound) or before is None:
            return None
        left = tuple(seat for seat in done.seats if seat not in seats)
        if not left:
            return None
        seen = Verdict(presses=tuple(done.presses.values()))
        return self._among(left, at_ns, done, seen, before)[1]

    def _among(
        self, seats: tuple[int, ...], at_ns: int, done: FirstRound, verdict: Verdict, before: Armed
    ) -> tuple[FirstRound, Armed]:
        """Arm what is left of a question when only *seats* are asked any more: the round, and how it was."""
        barred = tuple((seat, t_ns) for seat, t_ns in done.barred if seat in seats)
        at_ns = max(at_ns, before.t_ns + 1)  # by that its verdict is known
        armed = Armed(at_ns, seats, before.rules, barred, done.false_starts, since_ns=before.from_ns)
        rest = done.without(verdict, armed, self._settings.confirm_ns)
        armed = msgspec.structs.replace(armed, opened=rest.opened)
        self.round, self.late, self._armed = rest, None, armed
        return rest, armed

    def decide(self, at_ns: int) -> Judged:
        """End the armed round with its verdict; one that a loss has voided untouched is armed again."""
        assert self.round is not None
        armed, verdict = self.round, self.round.verdict()
        if armed.question == "first" and not armed.opened and verdict.void is not None:
            return self._spoil(armed, verdict.void, at_ns)
        return self.conclude(verdict, at_ns)

    def _begin(self, armed: Armed) -> Round:
        """Return the round to judge by, and note which lines it has besides noses."""
        confirm_ns, rack = self._settings.confirm_ns, self.gate.rack
        self.rack_lines.of.clear()
        if rack is None and self._question == "first":
            return FirstRound(armed, confirm_ns, self.evidence.known)
        if rack is None:
            make = HoldRound if self._hold else Round
            return make(armed.t_ns, armed.seats, confirm_ns, self.evidence.known)
        return self.rack_lines.begin(armed, rack, confirm_ns, self._line_of, self.gate.down)

    def conclude(self, verdict: Verdict, at_ns: int) -> Judged:
        """End the armed round with *verdict*."""
        done, armed, self.round = self.round, self._armed, None
        assert done is not None
        assert armed is not None
        self.rack_lines.of.clear()
        self.late = self._open_for_more(done, verdict)
        self.gate.decided(at_ns)
        inputs = self.evidence.hand_out()
        decided = Decided(
            armed=armed,
            lines=self._lines,
            hold=isinstance(done, HoldRound),
            rack=done.rack if isinstance(done, RackRound) else None,
            verdict=verdict,
            at_ns=at_ns,
            inputs=list(inputs),
            question=done.question,
        )
        self._hindsight.note(decided)
        if self._late_news:
            verdict = self._after_late_news(decided)
        return Judged(verdict, at_ns, inputs)

    @staticmethod
    def _open_for_more(done: Round, verdict: Verdict) -> tuple[Round, Verdict] | None:
        """Return the round with its verdict if what is still to come may complete or move that."""
        if isinstance(done, FirstRound):
            return (done, verdict) if verdict.first or verdict.nobody else None
        return (done, verdict) if any(done.completes(verdict, seat) for seat in done.seats) else None

    def _after_late_news(self, decided: Decided) -> Verdict:
        """Return the verdict of a round; void if it was armed over a hand, as was told while it was armed."""
        for news, stays in self._late_news:
            if self._hindsight.armed_over_a_hand(news, decided, stays=stays):
                self._hindsight.forget(decided)
                self.late = None
                return withdrawn(decided.verdict, news)
        return decided.verdict

    # What is known

    def check(self, seats: tuple[int, ...]) -> None:
        """Raise BadInput when these seats cannot be watched in place of all."""
        self._check(seats, self.gate.rack, self._question)

    def _check(self, seats: tuple[int, ...], rack: Rack | None, question: Question) -> None:
        unbound = [seat for seat in seats if seat not in self._line_of]
        if unbound and (rack is None or rack.confirm != "rack-only"):
            raise BadInput(text("Seat {seat} has no nose. Bind one to it first.", seat=unbound[0]))
        if (len(seats) == 1 and question == "last") or len(set(seats)) < len(seats):
            raise BadInput(english("A round needs at least two seats, each once."))

    def _seat(self, line: str) -> int | None:
        """Return the line's seat if its nose can change anything in this round."""
        seat = self._lines.get(line)
        return seat if self.round is not None and seat is not None and self.round.heeds(seat) else None
