"""Ties it together: inputs and requests in any order in, happenings in stream order out.

Whoever has nothing to answer feeds it and gets all that follows at once (`feed`, `end`). A table answers: a
verdict may change whom to watch, the host's button may void a round. So it puts inputs in with `take`, and
`tell` gives what follows up to the next happening that can be answered, until there is nothing left to tell.

Two streams run in lockstep. Inputs come in order of time out of the sequencer; the changes they make come in
order of their stamps out of the debouncer, and only these arm, decide and void. So nothing depends on how the
watermarks cut the stream into pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from heapq import heapify, heappop, heappush

import msgspec
from lastnose.companion.core.model import (
    NO_RULES,
    Armed,
    BrokenPromise,
    Contested,
    Edge,
    FirstRules,
    Gap,
    HostPress,
    Input,
    Judged,
    Late,
    Levels,
    Passthrough,
    Question,
    Rack,
    RefereeEvent,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.evidence import Decided, LateEdge
from lastnose.companion.timing.rounds import RoundHistory
from lastnose.companion.timing.settings import ArmRequest, Request, Settings, as_armed
from lastnose.companion.timing.streams import CHANGE, FOREVER, NEVER, NEWS, Debouncer, Sequencer

# The order of what falls on one instant: news, requests, a long press, arming, changes, docks, verdicts.
_REQUEST, _HOST, _GATE, _RING, _VERDICT = NEWS + 1, NEWS + 2, NEWS + 3, CHANGE + 1, CHANGE + 2
# What the table may answer, with other seats to watch, a void or a request, before anything else happens.
_ANSWERED = {Judged, Withdrawn, Contested, HostPress, Passthrough}
_JUDGED = Judged, Late, Withdrawn


class Referee:
    """Arms rounds, judges them and tells what happens.

    *lines* maps lines to seats (`{"nose.3": 3}`); the line `host` is the host's button. *sources* are those
    whose watermarks are to be waited for from the start. *reconsiders*: later evidence is weighed again.
    `now_ns` is stream time: how far happenings have been told; before the first input the smallest integer.

    >>> referee = Referee({"nose.1": 1, "nose.2": 2}, Settings())
    >>> referee.watch((1, 2))
    >>> referee.feed(*(Edge(t_ns=n, source="gpio", line=f"nose.{n}", level=1, u_ns=0) for n in (1, 2)))
    []
    >>> [type(said).__name__ for said in referee.feed(Watermark(t_ns=2_000_000, source="gpio"))]
    ['Armed', 'Pressed', 'Pressed', 'Judged']
    """

    def __init__(
        self,
        lines: Mapping[str, int],
        settings: Settings,
        sources: Iterable[str] = (),
        *,
        reconsiders: bool = True,
    ) -> None:
        self._settings = settings
        self._sequencer = Sequencer(sources)
        self._debouncer = Debouncer(settings.confirm_ns, settings.lockout_ns)
        # No method of ours: such a circle would keep all that was heard until the collector comes.
        again = partial(_again, settings) if reconsiders else None
        self._rounds = RoundHistory(settings, self._debouncer, again)
        self._requests: list[tuple[int, int, Request]] = []
        self._count = 0
        self.now_ns = NEVER  # stream time: how far happenings have been told
        self._alarm_ns = NEVER  # when something is due that no line has changed
        self._late_ns: dict[str, int] = {}  # by line, the newest of its edges that came too late
        self._untold = False  # something has come in, or been answered, since all was told
        self._closed_ns: int | None = None  # the end of the stream, once it has ended
        self.bind(lines)

    @property
    def armed(self) -> bool:
        """Whether a round is armed."""
        return self._rounds.round is not None

    @property
    def asked(self) -> bool:
        """Whether a round is to be armed as soon as that can be, and not by the clock."""
        waits = any(isinstance(request, ArmRequest) for _, _, request in self._requests)
        return waits or self._rounds.gate.request is not None

    def bind(self, lines: Mapping[str, int]) -> None:
        """Map lines to seats again, between rounds; levels are kept and nobody is watched until `watch`."""
        if self._rounds.round is not None:
            raise ValueError("lines cannot be bound while a round is armed: drop() it first")
        if len(set(lines.values())) < len(lines):
            raise ValueError(f"two lines are bound to one seat: {dict(lines)}")
        self._rounds.bind(lines)
        self._alarm_ns = NEVER

    def watch(
        self,
        seats: tuple[int, ...],
        hold: bool = False,
        rack: Rack | None = None,
        question: Question = "last",
        rules: FirstRules = NO_RULES,
    ) -> None:
        """Say whom to watch from the next arming on; () arms nothing. One nose alone cannot be last.

        With a *rack* it is spoons that decide, one less than seats. The *question* "first" is about the first
        press; one nose alone can be first, and neither hold nor rack goes with it. *rules* are those of such
        a round.
        """
        self._rounds.watch(seats, hold, rack, question, rules)
        self._alarm_ns = NEVER

    def set_rearm(self, rearm_ns: int | None) -> None:
        """Set the re-arm delay; None: arm only when told."""
        self._rounds.gate.rearm_ns = rearm_ns
        self._alarm_ns = NEVER

    def rest(self, t_ns: int, *, closes: bool) -> None:
        """Count the re-arm delay from *t_ns*: what the last round was worth has only been said then.

        *closes*: so has who was first, and the list of who else has pressed, and when, ends there.
        """
        self._rounds.gate.decided(max(t_ns, self.now_ns))
        if closes:
            self._rounds.close_list(t_ns)
        self._alarm_ns = NEVER

    def reopen(self) -> list[RefereeEvent]:
        """Let the list of who was first go on: its ruling was taken back. Return what has come meanwhile."""
        self._alarm_ns = NEVER
        return self._rounds.reopen_list(self.now_ns)

    def void(self, why: Text) -> Judged | None:
        """End the armed round at once, at stream time, as void; return None when none is armed."""
        if self._rounds.round is None:
            return None
        judged = self._rounds.conclude(self._rounds.round.void(why), self.now_ns)
        self._alarm_ns = NEVER
        return judged

    def go_on_without(self, seats: Collection[int]) -> Armed | None:
        """Take *seats* out of the armed question at once, at stream time, whatever they have touched (F33).

        Return how it goes on; None when no question of who was first is armed, or nobody would be left.
        """
        gone_on = self._rounds.go_on_without(self.now_ns, seats)
        self._alarm_ns, self._untold = NEVER, True
        return gone_on

    def drop(self) -> None:
        """Forget the armed round, what was asked for and whom to watch, without a verdict."""
        self.forget_requests()
        self._rounds.drop()

    def forget_requests(self) -> None:
        """Forget what was asked for: rounds to be armed, or to be void."""
        self._requests = [entry for entry in self._requests if isinstance(entry[2], Passthrough)]
        heapify(self._requests)
        self._rounds.gate.ask(None)
        self._alarm_ns = NEVER

    def feed(self, *items: Input | Request) -> list[RefereeEvent]:
        """Take inputs and requests and return all that follows from them, for those who answer nothing."""
        said: list[RefereeEvent] = []
        for item in items:
            self.take(item)
            said += self._all() if self._untold else ()
        return said

    def end(self) -> list[RefereeEvent]:
        """Close the stream and return the rest, for those who answer nothing."""
        self.close()
        return self._all()

    def take(self, item: Input | Request) -> None:
        """Take an input or a request; `tell` says what follows. Raises BadInput for seats without a nose."""
        if isinstance(item, Edge):
            broken = self._sequencer.add(item)
            if broken is None:
                return
            self._break(broken, item)
        elif isinstance(item, Watermark):
            if not self._sequencer.promise(item):
                return
        elif isinstance(item, Levels | Gap):
            self._sequencer.add_news(item)
        else:
            if isinstance(item, ArmRequest) and item.seats is not None:
                self._rounds.check(item.seats)
            self._count += 1
            heappush(self._requests, (max(item.t_ns, self.now_ns), self._count, item))
            self._alarm_ns = NEVER
        self._untold = True

    def close(self) -> None:
        """Say that nothing more will come: an open round with a press is void; one without vanishes."""
        self._closed_ns = self._rounds.gate.until_ns = self._sequencer.finish()
        self._untold = True

    def tell(self) -> list[RefereeEvent]:
        """Return what has happened up to the next thing that may be answered; nothing when all is told.

        The last is then a verdict, a press of the host's button or a Cue. Before the next call `watch`,
        `void`, `drop`, `set_rearm` and `take` all take effect right behind it.
        """
        return self._advance() if self._untold else []

    def _all(self) -> list[RefereeEvent]:
        said = self._advance()
        while self._untold:
            said += self._advance()
        return said

    # The two streams

    def _advance(self) -> list[RefereeEvent]:
        """Take inputs from the sequencer, and tell what they settle, up to what may be answered."""
        sequencer, debouncer, gate = self._sequencer, self._debouncer, self._rounds.gate
        out, evidence = debouncer.out, self._rounds.evidence
        said: list[RefereeEvent] = []
        while True:
            next_ns = sequencer.peek_ns()
            now_ns = sequencer.low_ns if next_ns is None else next_ns
            if now_ns == NEVER:
                self._untold = False
                return said
            if gate.ready_ns is None:
                gate.ready_ns = now_ns
            settled_ns = debouncer.advance(now_ns)
            due = self._alarm_ns < settled_ns or (out and out[0][0] < settled_ns)
            if due and self._settle(settled_ns, said):
                return said
            if settled_ns > self.now_ns:
                self.now_ns = settled_ns
            if next_ns is None:
                self._untold = False
                return said if self._closed_ns is None else said + self._finish(self._closed_ns)
            item = sequencer.pop()
            if isinstance(item, Edge):
                evidence.add(next_ns, item)
                debouncer.edge(item)
            elif isinstance(item, Levels):
                if not (self._rounds.asks_first and debouncer.outdates(item)):
                    evidence.add(next_ns, item)
                debouncer.levels(item, next_ns, known=item.late_ns is not None)
            else:
                evidence.add(next_ns, item)
                debouncer.gap(item, next_ns)

    def _finish(self, closed_ns: int) -> list[RefereeEvent]:
        """Give up a round that the end of the stream has left open."""
        open_round = self._rounds.round
        if open_round is None:
            return []
        if open_round.opened:
            return [self._rounds.conclude(open_round.void(text("tape ended")), closed_ns)]
        self._rounds.round = None
        return []

    def _settle(self, limit_ns: int, said: list[RefereeEvent]) -> bool:
        """Tell all that falls before *limit_ns*, in order, up to what may be answered; return if any was."""
        out = self._debouncer.out
        while True:
            alarm = self._alarm()
            at_ns, phase = min(alarm, out[0][:2]) if out else alarm
            if at_ns >= limit_ns:
                break
            self.now_ns = max(self.now_ns, at_ns)
            said += self._step(at_ns, phase)
            if said and type(said[-1]) in _ANSWERED:
                self._alarm_ns = NEVER
                return True
        self._alarm_ns = alarm[0]
        if self._rounds.round is None and self._rounds.late is None:
            self._rounds.evidence.forget(limit_ns)
        return False

    def _alarm(self) -> tuple[int, int]:
        """Return when something is due next that no line has changed, and what."""
        armed, host = self._rounds.round, self._rounds.host
        due = FOREVER, _VERDICT
        if armed is None:
            arm_ns = self._rounds.gate.due_ns(self.now_ns)
            if arm_ns is not None:
                due = arm_ns, _GATE
        else:
            if armed.due_ns is not None:
                due = armed.due_ns, _VERDICT
            if armed.ring_ns is not None:
                due = min(due, (armed.ring_ns, _RING))
        if host.due_ns is not None:
            due = min(due, (host.due_ns, _HOST))
        return min(due, (self._requests[0][0], _REQUEST)) if self._requests else due

    def _step(self, at_ns: int, phase: int) -> Iterable[RefereeEvent]:
        if phase in (NEWS, CHANGE):
            return self._rounds.hear(at_ns, heappop(self._debouncer.out)[4])
        if phase == _REQUEST:
            return self._rounds.heed(at_ns, heappop(self._requests)[2])
        if phase == _HOST:
            self._rounds.host.release()
            return [HostPress(at_ns, long=True)]
        if phase == _GATE:
            return self._rounds.open(at_ns)
        if phase == _RING:
            return self._rounds.rack_lines.ring(self._rounds.round, at_ns)
        return [] if self._rounds.round is None else [self._rounds.decide(self.now_ns)]

    def _break(self, broken: BrokenPromise, edge: Edge) -> None:
        """Turn an edge that came too late into a gap, and keep what it says of its line's level."""
        line = self._debouncer.lines.get(edge.line)
        told_ns = self._late_ns.get(edge.line, NEVER)
        self._late_ns[edge.line] = max(told_ns, edge.t_ns)
        stays = told_ns <= edge.t_ns and (line is None or line.last_ns <= edge.t_ns)
        level = edge.level if line is None or line.last_ns <= edge.t_ns else line.raw ^ line.rest
        worth = edge.u_ns, edge.clock_u_ns, edge.wire_u_ns, broken.gap.late_ns
        for news in (broken.gap, Levels({edge.line: level}, edge.t_ns, edge.source, *worth)):
            self._sequencer.add_news(news)
        self._debouncer.emit(max(edge.t_ns, self.now_ns), NEWS, edge.line, LateEdge(broken, edge, stays))


# ---- a stored round is judged again, by the same code, with any settings (law 6)


def rejudge(
    inputs: Iterable[Input],
    armed: Armed,
    lines: Mapping[str, int],
    settings: Settings,
    hold: bool = False,
    rack: Rack | None = None,
    question: Question = "last",
    *,
    reconsiders: bool = True,
) -> Verdict:
    """Judge a round again: *inputs* are those of its Judged, then those of its Late, if any.

    A press that has come late by then completes the verdict. A round that these settings leave open is void.
    """
    referee = Referee(lines, msgspec.structs.replace(settings, rearm_ns=None), reconsiders=reconsiders)
    referee.watch(armed.seats, hold, rack, question, armed.rules)
    return _newest([*referee.feed(as_armed(armed), *inputs), *referee.end()])


def _again(settings: Settings, decided: Decided, inputs: Sequence[Input]) -> Verdict:
    """Judge a round as if all *inputs* had come in time; nobody reconsiders in there."""
    how = decided.hold, decided.rack, decided.question
    return rejudge(inputs, decided.armed, decided.lines, settings, *how, reconsiders=False)


def _newest(said: list[RefereeEvent]) -> Verdict:
    """Return the newest verdict that was *said*, void without any."""
    verdicts = [one.verdict for one in said if isinstance(one, _JUDGED)]
    return verdicts[-1] if verdicts else Verdict(void=text("tape ended"))


class Rejudging:
    """A plain round that asks who was last, judged again as its inputs come: what has settled is kept.

    It says what `rejudge` says of all inputs that it has taken, and is for the one event that most often
    follows: the last one's touch, which is later than all that has settled.
    """

    def __init__(self, armed: Armed, lines: Mapping[str, int], settings: Settings) -> None:
        self._round = armed, lines, settings
        self._referee: Referee | None = None
        self._settled_ns = 0

    def begin(self, inputs: tuple[Input, ...]) -> Verdict:
        """Judge the round by *inputs*, those of its Judged."""
        armed, lines, settings = self._round
        plain = [i for i in inputs if isinstance(i, Edge) or (isinstance(i, Levels) and i.late_ns is None)]
        if len(plain) < len(inputs):
            return rejudge(inputs, armed, lines, settings)
        referee = Referee(lines, msgspec.structs.replace(settings, rearm_ns=None))
        referee.watch(armed.seats, rules=armed.rules)
        newest_ns = max([one.t_ns for one in plain], default=0)
        quiet_ns = settings.confirm_ns + settings.lockout_ns + 1  # no train is open then
        settled_ns = min(newest_ns + quiet_ns, FOREVER)  # a forged stamp may lie at the end of time
        quiet = [Watermark(settled_ns, source) for source in {one.source for one in plain}]
        for one in (as_armed(armed), *plain, *quiet):
            referee.take(one)
        said = referee._all()
        if referee.armed or not any(isinstance(one, Judged) for one in said):
            return rejudge(inputs, armed, lines, settings)
        self._referee, self._settled_ns = referee, settled_ns
        return _newest(said)

    def end(self, before: tuple[Input, ...], inputs: tuple[Input, ...]) -> Verdict:
        """Judge it by *inputs*, too, those of its Late, after those *before*."""
        referee, self._referee = self._referee, None
        later = all(isinstance(one, Edge) and one.t_ns >= self._settled_ns for one in inputs)
        said = [*referee.feed(*inputs), *referee.end()] if referee is not None and later else []
        if any(isinstance(one, Late | Withdrawn) for one in said):
            return _newest(said)
        return rejudge((*before, *inputs), *self._round)
