"""The host's steady clock beside the one it stamps with: a time server slews the latter by up to 500 ppm.

Boxes are compared with CLOCK_MONOTONIC_RAW, which nobody sets, and what they tell is put into the host's time
(CLOCK_MONOTONIC) afterwards: straight between readings of both clocks, and as unsure as these readings and a
change of pace between two of them leave it. Where there is no steady clock, the host's own serves as both.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import msgspec

from companion.core.model import Edge, Gap, Input, Levels, Watermark
from companion.core.ports import Emit
from companion.system import host_clock
from hardware.box.clock import ClockReading

EVERY_NS = 10_000_000  # how often both clocks are read at least, while anybody asks for the time
BASE_NS = 60_000_000  # a pace is compared with that of so long before
KEPT = 4_096
TRIES, QUICK_NS = 5, 1_000
MOST_PPM = 1_100  # the kernel steers by 500 ppm, and slews by 500 more

AnInput = TypeVar("AnInput", bound=Input)


class _Pair(msgspec.Struct, frozen=True, gc=False):
    """Both clocks at one instant; the host's within `u_ns`."""

    steady_ns: int
    host_ns: int
    u_ns: int


class SteadyClock:
    """What a steady clock says, and where on the host's clock that lies. Times never step back on either.

    *steady* None: there is none, and the host's times are taken as they are.
    """

    def __init__(
        self,
        host: Callable[[], int] = host_clock.now_ns,
        steady: Callable[[], int] | None = host_clock.steady_ns,
    ) -> None:
        self._host = host
        self._steady = steady
        self._lock = threading.Lock()
        self._pairs: deque[_Pair] = deque(maxlen=KEPT)
        if steady is not None:
            self._read_both(steady)

    def now_ns(self) -> int:
        """Return the time by the steady clock."""
        if self._steady is None:
            return self._host()
        now_ns = self._steady()
        with self._lock:
            if now_ns - self._pairs[-1].steady_ns >= EVERY_NS:
                self._read_both(self._steady)
        return now_ns

    def host(self, steady_ns: int) -> ClockReading:
        """Return where on the host's clock *steady_ns* lies."""
        if self._steady is None:
            return ClockReading(steady_ns, 0)
        with self._lock:
            if steady_ns > self._pairs[-1].steady_ns:
                self._read_both(self._steady)
            return self._between(steady_ns, lambda pair: pair.steady_ns, lambda pair: pair.host_ns)

    def steady(self, host_ns: int) -> ClockReading:
        """Return where on the steady clock *host_ns* lies."""
        if self._steady is None:
            return ClockReading(host_ns, 0)
        with self._lock:
            if host_ns > self._pairs[-1].host_ns:
                self._read_both(self._steady)
            return self._between(host_ns, lambda pair: pair.host_ns, lambda pair: pair.steady_ns)

    def told(self, item: AnInput) -> AnInput:
        """Return an input whose times are the steady clock's as the host has it."""
        if self._steady is None:
            return item
        match item:
            case Edge():
                at = self.host(item.t_ns)
                return msgspec.structs.replace(item, t_ns=at.t_ns, clock_u_ns=item.clock_u_ns + at.u_ns)
            case Levels():
                at = self.host(item.t_ns)
                clock_u_ns = item.clock_u_ns + (at.u_ns if item.u_ns is not None else 0)
                return msgspec.structs.replace(item, t_ns=at.t_ns, clock_u_ns=clock_u_ns)
            case Gap():
                begin, end = self.host(item.from_ns), self.host(item.to_ns)
                return msgspec.structs.replace(
                    item, from_ns=begin.t_ns - begin.u_ns, to_ns=end.t_ns + end.u_ns
                )
            case Watermark():
                return msgspec.structs.replace(item, t_ns=self.host(item.t_ns).t_ns)

    def listener(self, emit: Emit) -> Emit:
        """Return an *emit* for who tells times of the steady clock."""
        return lambda item: emit(self.told(item))

    def _read_both(self, steady: Callable[[], int]) -> None:
        """Read the steady clock between two readings of the host's, as quickly as can be had."""
        best: _Pair | None = None
        for _ in range(TRIES):
            before_ns = self._host()
            steady_ns = steady()
            after_ns = self._host()
            u_ns = (after_ns - before_ns + 1) // 2 + 1
            if best is None or u_ns < best.u_ns:
                best = _Pair(steady_ns, before_ns + (after_ns - before_ns) // 2, u_ns)
            if best.u_ns <= QUICK_NS:
                break
        assert best is not None
        if self._pairs:  # neither clock may stand still between two pairs
            last = self._pairs[-1]
            if best.steady_ns <= last.steady_ns:
                return
            best = msgspec.structs.replace(best, host_ns=max(best.host_ns, last.host_ns + 1))
        self._pairs.append(best)

    def _between(self, at_ns: int, x: Callable[[_Pair], int], y: Callable[[_Pair], int]) -> ClockReading:
        """Return what lies at *at_ns* on the line through the pairs, from axis *x* to axis *y*."""
        pairs = self._pairs
        place = bisect_right(pairs, at_ns, key=x)
        if place in (0, len(pairs)):
            edge = pairs[0] if place == 0 else pairs[-1]
            away_ns = at_ns - x(edge)
            return ClockReading(y(edge) + away_ns, edge.u_ns + abs(away_ns) * MOST_PPM // 1_000_000 + 1)
        a, b = pairs[place - 1], pairs[place]
        span_ns = x(b) - x(a)
        t_ns = y(a) + (y(b) - y(a)) * (at_ns - x(a)) // span_ns
        return ClockReading(t_ns, max(a.u_ns, b.u_ns) + self._bend_ns(place - 1, a, b) + 1)

    def _bend_ns(self, place: int, a: _Pair, b: _Pair) -> int:
        """Return by how much the pace may have bent between *a*, which is at *place*, and *b*.

        If it changed once in between, no point lies further off the straight line than this pace, against the
        one before, makes over the whole of it.
        """
        before = place
        while before > 0 and a.steady_ns - self._pairs[before].steady_ns < BASE_NS:
            before -= 1
        span_ns = b.steady_ns - a.steady_ns
        ahead_ns = b.host_ns - a.host_ns - span_ns
        if before == place:
            return span_ns * MOST_PPM // 1_000_000 + abs(ahead_ns)
        base = self._pairs[before]
        base_span_ns = a.steady_ns - base.steady_ns
        base_ahead_ns = a.host_ns - base.host_ns - base_span_ns
        return abs(ahead_ns - base_ahead_ns * span_ns // base_span_ns)
