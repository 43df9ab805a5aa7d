"""Taps on simulated boxes count when they were made, not when they arrived: inputs in, corrected ones out.

A contact closes in the box when the tap arrives, and all else takes its course. Here its edge gets the tap's
own time and error. So promises are as late as taps may be; a tap that comes later still breaks them.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque

import msgspec

from companion.model import Edge, Gap, Input, Levels, Watermark
from companion.ports import Emit

SPARE_NS = 1_000_000


class _Tap(msgspec.Struct, frozen=True):
    """A contact was moved to `level` at `arrived_ns`, because of what happened within `u_ns` of `t_ns`."""

    level: int
    arrived_ns: int
    t_ns: int
    u_ns: int


class TapTimes:
    """The taps under way through simulated boxes. For any thread; move and `note` under `lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._delays: dict[str, int] = {}
        self._taps: defaultdict[str, deque[_Tap]] = defaultdict(lambda: deque(maxlen=64))
        self._marks: dict[str, int] = {}
        self._floors: dict[str, int] = {}

    def attach(self, clock: str, delay_ns: int) -> None:
        """Announce a clock whose taps may arrive up to *delay_ns* late."""
        with self.lock:
            self._delays[clock] = delay_ns

    def detach(self, clock: str) -> None:
        """Let a clock go."""
        with self.lock:
            self._delays.pop(clock, None)

    def note(self, line: str, level: int, arrived_ns: int, t_ns: int, u_ns: int) -> None:
        """Take note that *line* was moved at *arrived_ns* because of a tap within *u_ns* of *t_ns*."""
        with self.lock:
            self._taps[line].append(_Tap(level, arrived_ns, t_ns, u_ns))

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
                mark_ns = item.t_ns - max(self._delays.values(), default=0)
                if mark_ns <= self._marks.get(item.source, -1) or mark_ns < self._floors.get(item.source, 0):
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

    def _edge(self, edge: Edge) -> Edge:
        taps, claim_ns = self._taps[edge.line], edge.u_ns + edge.clock_u_ns + SPARE_NS
        while taps and taps[0].arrived_ns < edge.t_ns - claim_ns:
            taps.popleft()  # its edge got lost, or it changed nothing
        if not taps or taps[0].level != edge.level or taps[0].arrived_ns > edge.t_ns + claim_ns:
            return edge
        tap = taps.popleft()
        t_ns = tap.t_ns + edge.t_ns - tap.arrived_ns
        # The levels that stand have been told; nothing happens before them any more.
        counts_ns = max(t_ns, self._floors.get(edge.source, t_ns))
        u_ns = edge.u_ns + tap.u_ns + counts_ns - t_ns
        return msgspec.structs.replace(edge, t_ns=counts_ns, u_ns=u_ns)
