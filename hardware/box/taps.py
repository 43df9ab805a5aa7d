"""Taps on simulated boxes count when they were made, not when they arrived: inputs in, corrected ones out.

A contact closes in the box when the tap arrives, and all else takes its course. Here its edge gets the tap's
own time and error. So promises are as late as taps may be; a tap that comes later still breaks them.

Taps of one page share what is wrong with that page's clock, so it stands beside the stamp as the clock's
error, which the judge does not count between two of them. A box has one clock for all its edges: what else
has moved contacts in the last minute (another page, a script) pays for both clocks in its own stamp.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque

import msgspec

from companion.core.model import Edge, Gap, Input, Levels, Watermark
from companion.core.ports import Emit, StampWorth

SPARE_NS = 1_000_000
TOGETHER_NS = 60_000_000_000  # what lies further apart, no error of a page's clock can put in doubt
_NOBODY = ""  # the clock of contacts that no tap has moved


class _Tap(msgspec.Struct, frozen=True):
    """A contact was moved to `level` at `arrived_ns`, because of what happened within `u_ns` of `t_ns`.

    `clock_u_ns` is what all taps of that page are off by alike, as long as nobody else moves contacts.
    """

    level: int
    arrived_ns: int
    t_ns: int
    u_ns: int
    clock_u_ns: int = 0


class _Mover(msgspec.Struct):
    """Who moves contacts: when last, and when and by how much (at the most) its clock's error stood apart."""

    at_ns: int
    apart_ns: int = 0
    clock_u_ns: int = 0


class TapTimes:
    """The taps under way through simulated boxes. For any thread; move and `note` under `lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._delays: dict[str, int | None] = {}
        self._vouched: dict[str, deque[tuple[int, int]]] = {}  # when a clock promised, and what
        self._taps: defaultdict[str, deque[_Tap]] = defaultdict(lambda: deque(maxlen=64))
        self._movers: dict[str, _Mover] = {}
        self._marks: dict[str, int] = {}
        self._floors: dict[str, int] = {}

    def attach(self, clock: str, delay_ns: int | None) -> None:
        """Announce a clock whose taps may arrive up to *delay_ns* late; None: it promises for itself."""
        with self.lock:
            self._delays[clock] = delay_ns
            if delay_ns is None:
                self._vouched.setdefault(clock, deque())
            else:
                self._vouched.pop(clock, None)

    def vouch(self, clock: str, t_ns: int, now_ns: int) -> None:
        """Note that *clock* has promised, at *now_ns*, that no tap from before *t_ns* is still coming."""
        with self.lock:
            promises = self._vouched.get(clock)
            if promises is not None and (not promises or t_ns > promises[-1][1]):
                promises.append((now_ns, t_ns))

    def detach(self, clock: str) -> None:
        """Let a clock go."""
        with self.lock:
            self._delays.pop(clock, None)
            self._vouched.pop(clock, None)

    def note(
        self,
        line: str,
        level: int,
        arrived_ns: int,
        t_ns: int,
        worth: StampWorth,
        *,
        clock: str = _NOBODY,
    ) -> None:
        """Take note that a tap on *clock*, made at *t_ns* within *worth*, moved *line* at *arrived_ns*."""
        with self.lock:
            own_ns, apart_ns = self._errors_of(clock, worth.clock_u_ns, arrived_ns)
            self._taps[line].append(_Tap(level, arrived_ns, t_ns, worth.u_ns + own_ns, apart_ns))

    def _errors_of(self, clock: str, clock_u_ns: int, now_ns: int) -> tuple[int, int]:
        """Return what of a clock's error a stamp bears itself, and what stands apart as the clock's."""
        since_ns = now_ns - TOGETHER_NS
        self._movers = {name: one for name, one in self._movers.items() if one.at_ns > since_ns}
        others = [one for name, one in self._movers.items() if name != clock]
        mover = self._movers.setdefault(clock, _Mover(now_ns))
        mover.at_ns = now_ns
        if not others and clock != _NOBODY:
            mover.apart_ns, mover.clock_u_ns = now_ns, max(mover.clock_u_ns, clock_u_ns)
            return 0, clock_u_ns
        theirs_ns = max((one.clock_u_ns for one in others if one.apart_ns > since_ns), default=0)
        return clock_u_ns + theirs_ns, 0

    def listener(self, emit: Emit) -> Emit:
        """Return an *emit* for a box."""

        def hear(item: Input) -> None:
            with self.lock:
                corrected = self._corrected(item)
            if corrected is not None:
                emit(corrected)

        return hear

    def _corrected(self, item: Input) -> Input | None:
        """Return what the table is told in place of *item*, None for a promise that adds nothing."""
        match item:
            case Edge():
                return self._edge(item)
            case Watermark():
                mark_ns = self._reach_ns(item.t_ns)
                if (
                    mark_ns is None
                    or mark_ns <= self._marks.get(item.source, -1)
                    or mark_ns < self._floors.get(item.source, 0)
                ):
                    return None
                self._marks[item.source] = mark_ns
                return Watermark(mark_ns, item.source)
            case Gap():
                # A tap that got lost in it may be as old as what has not been promised yet.
                from_ns = min(item.from_ns, self._marks.get(item.source, item.from_ns))
                return Gap(from_ns, item.to_ns, item.source)
            case Levels():
                self._floors[item.source] = item.t_ns
                return item

    def _reach_ns(self, t_ns: int) -> int | None:
        """Return up to when no tap is missing any more when a box promises *t_ns*; None: nobody knows.

        What a clock has promised counts once the box has promised what it saw of the taps before that.
        """
        reach_ns = t_ns - max((one for one in self._delays.values() if one is not None), default=0)
        for promises in self._vouched.values():
            while len(promises) > 1 and promises[1][0] + SPARE_NS <= t_ns:
                promises.popleft()
            if not promises or promises[0][0] + SPARE_NS > t_ns:
                return None
            reach_ns = min(reach_ns, promises[0][1])
        return reach_ns

    def _edge(self, edge: Edge) -> Edge:
        taps, claim_ns = self._taps[edge.line], edge.u_ns + edge.clock_u_ns + SPARE_NS
        while taps and taps[0].arrived_ns < edge.t_ns - claim_ns:
            taps.popleft()  # its edge got lost, or it changed nothing
        if not taps or taps[0].level != edge.level or taps[0].arrived_ns > edge.t_ns + claim_ns:
            own_ns, _ = self._errors_of(_NOBODY, 0, edge.t_ns)
            return msgspec.structs.replace(edge, u_ns=edge.u_ns + own_ns) if own_ns else edge
        tap = taps.popleft()
        t_ns = tap.t_ns + edge.t_ns - tap.arrived_ns
        # The levels that stand have been told; nothing happens before them any more.
        counts_ns = max(t_ns, self._floors.get(edge.source, t_ns))
        u_ns = edge.u_ns + tap.u_ns + counts_ns - t_ns
        clock_u_ns = edge.clock_u_ns + tap.clock_u_ns
        return msgspec.structs.replace(edge, t_ns=counts_ns, u_ns=u_ns, clock_u_ns=clock_u_ns)
