"""Ties it together: inputs and requests in any order in, happenings in stream order out.

Two streams run in lockstep. Inputs come in order of time out of the sequencer; the changes they make come in
order of their stamps out of the debouncer, and only these arm, decide and void. So nothing depends on how the
watermarks cut the stream into pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

from companion.errors import BadInput
from companion.model import (
    Armed,
    BrokenPromise,
    Cue,
    Edge,
    Gap,
    Happening,
    HostPress,
    Input,
    Judged,
    Late,
    Levels,
    Noisy,
    Phantom,
    Press,
    Pressed,
    Rack,
    Released,
    Verdict,
    Watermark,
)
from companion.text import Text, text
from companion.timing.debounce import CHANGE, NEWS, Change, Debouncer, Doubt, TakenOver
from companion.timing.evidence import Evidence
from companion.timing.gate import Gate, HostButton
from companion.timing.hold import HoldRound
from companion.timing.rack import RackRound
from companion.timing.rack_lines import RackLines
from companion.timing.requests import ArmRequest, Request, Settings, VoidRequest
from companion.timing.round import Round
from companion.timing.sequencer import FOREVER, NEVER, Sequencer

HOST_LINE = "host"
# The order of what falls on one instant: news, requests, a long press, arming, changes, docks, verdicts.
_REQUEST, _HOST, _GATE, _RING, _VERDICT = NEWS + 1, NEWS + 2, NEWS + 3, CHANGE + 1, CHANGE + 2


class Referee:
    """Arms rounds, judges them and tells what happens.

    *lines* maps lines to seats (`{"nose.3": 3}`); the line `host` is the host's button. *sources* are those
    whose watermarks are to be waited for from the start.

    >>> referee = Referee({"nose.1": 1, "nose.2": 2}, Settings())
    >>> referee.watch((1, 2))
    >>> inputs = [Edge(t_ns=n, source="gpio", line=f"nose.{n}", level=1, u_ns=0) for n in (1, 2)]
    >>> [type(said).__name__ for one in inputs for said in referee.feed(one)]
    []
    >>> [type(said).__name__ for said in referee.feed(Watermark(t_ns=2_000_000, source="gpio"))]
    ['Armed', 'Pressed', 'Pressed', 'Judged']
    """

    def __init__(self, lines: Mapping[str, int], settings: Settings, sources: Iterable[str] = ()) -> None:
        self._settings = settings
        self._sequencer = Sequencer(sources)
        self._debouncer = Debouncer(settings.confirm_ns, settings.lockout_ns)
        self._evidence = Evidence(self._debouncer)
        self._rack = RackLines(self._debouncer, self._evidence)
        self._gate = Gate(settings.rearm_ns)
        self._host = HostButton(settings.long_press_ns)
        self._requests: list[tuple[int, int, Request]] = []
        self._count = 0
        self._round: Round | None = None
        self._hold = False
        self._late: tuple[Round, Verdict] | None = None
        self._seen_ns = NEVER  # how far happenings have been told
        self._alarm_ns = NEVER  # when something is due that no line has changed
        self._lines: dict[str, int] = {}
        self._line_of: dict[int, str] = {}
        self.bind(lines)

    @property
    def armed(self) -> bool:
        """Whether a round is armed."""
        return self._round is not None

    @property
    def now_ns(self) -> int:
        """Stream time: how far happenings have been told. Before the first input the smallest of integers."""
        return self._seen_ns

    def bind(self, lines: Mapping[str, int]) -> None:
        """Map lines to seats anew, between rounds; levels are kept and nobody is watched until `watch`."""
        if self._round is not None:
            raise ValueError("lines cannot be bound while a round is armed: drop() it first")
        if len(set(lines.values())) < len(lines):
            raise ValueError(f"two lines are bound to one seat: {dict(lines)}")
        self._lines = dict(lines)
        self._line_of = {seat: line for line, seat in lines.items()}
        self._evidence.bind(lines)
        self._gate.bind(lines)
        self._late = None
        self._alarm_ns = NEVER

    def watch(self, seats: tuple[int, ...], hold: bool = False, rack: Rack | None = None) -> None:
        """Say whom to watch from the next arming on; () arms nothing. One nose alone cannot be last.

        With a *rack* it is spoons that decide, one less than seats.
        """
        self._check(seats, rack)
        self._hold = hold
        self._gate.watch(tuple(seats), rack)
        self._alarm_ns = NEVER

    def set_rearm(self, rearm_ns: int | None) -> None:
        """Set the re-arm delay; None: arm only when told."""
        self._gate.set_rearm(rearm_ns)
        self._alarm_ns = NEVER

    def void(self, why: Text) -> Judged | None:
        """End the armed round at once, at stream time, as void; return None when none is armed."""
        if self._round is None:
            return None
        (judged,) = self._conclude(self._round.void(why), self._seen_ns)
        self._alarm_ns = NEVER
        return judged

    def drop(self) -> None:
        """Forget the armed round, what was asked for and whom to watch, without a verdict."""
        self._round, self._late = None, None
        self._requests = [entry for entry in self._requests if isinstance(entry[2], Cue)]
        heapify(self._requests)
        self._gate.watch(())
        self._alarm_ns = NEVER

    def feed(self, item: Input | Request) -> Iterator[Happening]:
        """Take an input or a request and tell what follows from it, lazily.

        `watch` may be called between two happenings; requests may be fed there too.
        """
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
                self._check(item.seats, self._gate.rack)
            self._count += 1
            heappush(self._requests, (max(item.t_ns, self._seen_ns), self._count, item))
            self._alarm_ns = NEVER
        yield from self._run()

    def end(self) -> Iterator[Happening]:
        """Tell the rest: nothing more will come. An open round with a press is void; one without vanishes."""
        last_ns = self._sequencer.finish()
        self._gate.until_ns = last_ns
        yield from self._run()
        open_round = self._round
        if open_round is not None and open_round.opened:
            yield from self._conclude(open_round.void(text("tape ended")), last_ns)
        self._round = None

    # The two streams

    def _run(self) -> Iterator[Happening]:
        sequencer, debouncer = self._sequencer, self._debouncer
        out = debouncer.out
        while True:
            next_ns = sequencer.peek_ns()
            now_ns = sequencer.low_ns if next_ns is None else next_ns
            if now_ns == NEVER:
                return
            if self._gate.ready_ns is None:
                self._gate.ready_ns = now_ns
            debouncer.advance(now_ns)
            settled_ns = debouncer.settled_ns(now_ns)
            if self._alarm_ns < settled_ns or (out and out[0][0] < settled_ns):
                yield from self._tell(settled_ns)
                continue  # the caller may have fed something in between
            self._seen_ns = max(self._seen_ns, settled_ns)
            if next_ns is None:
                return
            self._take(next_ns)

    def _take(self, now_ns: int) -> None:
        item = self._sequencer.pop()
        self._evidence.add(now_ns, item)
        if isinstance(item, Edge):
            self._debouncer.edge(item)
        elif isinstance(item, Levels):
            self._debouncer.levels(item, now_ns)
        else:
            self._debouncer.gap(item, now_ns)

    def _tell(self, limit_ns: int) -> Iterator[Happening]:
        """Tell everything that falls before *limit_ns*, in order."""
        while True:
            at_ns, phase = self._next()
            if at_ns >= limit_ns:
                break
            self._seen_ns = max(self._seen_ns, at_ns)
            yield from self._step(at_ns, phase)
        self._alarm_ns = self._next(alarms_only=True)[0]
        if self._round is None and self._late is None:
            self._evidence.forget(limit_ns)

    def _next(self, alarms_only: bool = False) -> tuple[int, int]:
        due = [(FOREVER, _VERDICT)]
        out = self._debouncer.out
        if out and not alarms_only:
            due.append((out[0][0], out[0][1]))
        if self._requests:
            due.append((self._requests[0][0], _REQUEST))
        if self._host.due_ns is not None:
            due.append((self._host.due_ns, _HOST))
        armed = self._round
        if armed is None:
            arm_ns = self._gate.due_ns(self._seen_ns)
            if arm_ns is not None:
                due.append((arm_ns, _GATE))
        else:
            if armed.due_ns is not None:
                due.append((armed.due_ns, _VERDICT))
            if armed.ring_ns is not None:
                due.append((armed.ring_ns, _RING))
        return min(due)

    def _step(self, at_ns: int, phase: int) -> Iterator[Happening]:
        if phase in (NEWS, CHANGE):
            yield from self._hear(at_ns, heappop(self._debouncer.out)[4])
        elif phase == _REQUEST:
            yield from self._heed(at_ns, heappop(self._requests)[2])
        elif phase == _HOST:
            self._host.release()
            yield HostPress(at_ns, long=True)
        elif phase == _GATE:
            yield from self._open(at_ns)
        elif phase == _RING:
            yield from self._rack.ring(self._round, at_ns)
        elif self._round is not None:
            yield from self._conclude(self._round.verdict(), at_ns)

    # What lines do

    def _hear(self, at_ns: int, what: Any) -> Iterator[Happening]:
        if isinstance(what, Change):
            yield from self._press(what) if what.level else self._release(what)
        elif isinstance(what, Noisy):
            self._gate.noise(what.line)
            noisy_round = self._round
            yield what
            concerned = self._seat(what.line) is not None or what.line in self._rack.of
            if noisy_round is not None and self._round is noisy_round and concerned:
                yield from self._conclude(noisy_round.void(_noise_text(what.line)), at_ns)
        elif isinstance(what, TakenOver):
            self._gate.quiet(what.line, what.level, at_ns)
            seat = self._seat(what.line)
            if self._round is not None and seat is not None:
                since_ns = self._round.armed_ns if what.since_ns is None else what.since_ns
                until_ns = at_ns if what.until_ns is None else what.until_ns
                self._round.take_over(seat, what.level, since_ns, until_ns, at_ns)
            elif what.line in self._rack.of:
                yield from self._rack.taken_over(self._round, what, at_ns)
        elif isinstance(what, Gap | Doubt):
            self._evidence.lose(self._round, what)
        elif isinstance(what, BrokenPromise):
            yield what

    def _press(self, change: Change) -> Iterator[Happening]:
        self._gate.press(change.line)
        if change.line == HOST_LINE:
            self._host.press(change.edge.t_ns)
        seat = self._lines.get(change.line)
        if seat is None:
            if change.line in self._rack.of:
                yield from self._rack.changed(self._round, change)
            return
        press = _stamp(seat, change.edge)
        was_open = self._round is not None and self._round.opened
        counts = (
            self._round is not None and seat in self._round.seats and self._round.press(press, change.sure_ns)
        )
        opens = counts and not was_open
        late = self._late
        phantom = isinstance(self._round, RackRound) and self._round.is_phantom(press)
        yield Pressed(press, counts, opens)
        if phantom:
            yield Phantom(press)
        if late is not None and self._late is late and late[1].last == (seat,):
            self._late = None
            yield Late(late[0].complete(late[1], press), self._evidence.hand_out())

    def _release(self, change: Change) -> Iterator[Happening]:
        t_ns = change.edge.t_ns
        self._gate.free(change.line, t_ns)
        if change.line == HOST_LINE and self._host.release():
            yield HostPress(t_ns, long=False)
        seat = self._lines.get(change.line)
        if seat is None:
            if change.line in self._rack.of:
                yield from self._rack.changed(self._round, change)
            return
        counts = self._round is not None and seat in self._round.seats
        if self._round is not None and counts:
            self._round.release(_stamp(seat, change.edge))
        yield Released(seat, t_ns, counts)

    def _break(self, broken: BrokenPromise, edge: Edge) -> None:
        """Turn an edge that came too late into a gap, and keep what it says of its line's level."""
        self._sequencer.add_news(broken.gap)
        line = self._debouncer.lines.get(edge.line)
        level = line.raw ^ line.rest if line is not None and line.last_ns > edge.t_ns else edge.level
        levels = Levels({edge.line: level}, edge.t_ns, edge.source, edge.u_ns, edge.clock_u_ns)
        self._sequencer.add_news(levels)
        self._debouncer.emit(max(edge.t_ns, self._seen_ns), NEWS, edge.line, broken)

    # What the table and the clock do

    def _heed(self, at_ns: int, request: Request) -> Iterator[Happening]:
        if isinstance(request, Cue):
            yield request
        elif isinstance(request, VoidRequest):
            if self._round is not None:
                yield from self._conclude(self._round.void(request.why), at_ns)
        else:
            self._gate.ask(ArmRequest(at_ns, request.seats))
            if self._round is not None and self._round.opened:
                why = text("The next round was armed before this one was decided.")
                yield from self._conclude(self._round.void(why), at_ns)
            self._round = None
            self._rack.of.clear()

    def _open(self, at_ns: int) -> Iterator[Happening]:
        said = self._gate.open(at_ns)
        if isinstance(said, Armed):
            self._round, self._late = self._begin(said), None
            self._evidence.begin(self._round, self._gate.down, self._rack.of)
        if said is not None:
            yield said

    def _begin(self, armed: Armed) -> Round:
        """Return the round to judge by, and note which lines it has besides noses."""
        confirm_ns, rack = self._settings.confirm_ns, self._gate.rack
        self._rack.of.clear()
        if rack is None:
            make: type[Round] = HoldRound if self._hold else Round
            return make(armed.t_ns, armed.seats, confirm_ns, self._evidence.known)
        return self._rack.begin(armed, rack, confirm_ns, self._line_of)

    def _conclude(self, verdict: Verdict, at_ns: int) -> Iterator[Judged]:
        done, self._round = self._round, None
        self._rack.of.clear()
        missing = len(verdict.last) == 1 and verdict.last[0] not in verdict.order
        with_noses = not isinstance(done, RackRound) or done.rack.confirm == "confirm"
        completes = done is not None and missing and with_noses and verdict.presses
        self._late = (done, verdict) if done is not None and completes else None
        self._gate.decided(at_ns)
        yield Judged(verdict, at_ns, self._evidence.hand_out())

    # What is known

    def _check(self, seats: tuple[int, ...], rack: Rack | None) -> None:
        unbound = [seat for seat in seats if seat not in self._line_of]
        if unbound and (rack is None or rack.confirm != "rack-only"):
            raise BadInput(text("Seat {seat} has no nose. Bind one to it first.", seat=unbound[0]))
        if len(seats) == 1 or len(set(seats)) < len(seats):
            raise BadInput(text("A round needs at least two seats, each once."))

    def _seat(self, line: str) -> int | None:
        """Return the line's seat if it is watched in this round."""
        seat = self._lines.get(line)
        return seat if self._round is not None and seat in self._round.seats else None


def _noise_text(line: str) -> Text:
    return text("The line {line} would not come to rest. Look at its button and cable.", line=line)


def _stamp(seat: int, edge: Edge) -> Press:
    return Press(seat, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns)
