"""The sync wire: the same pulses on the clocks of several boxes and of the host, so that these compare.

The first box of a table leads. Every other one learns from the pulses where its ticks lie among the leader's,
to a fraction of a microsecond. If the Pi's own pins hear the wire too, the leader learns from them where its
ticks lie on the host's clock, to what those stamps are worth. What both boxes' mappings over USB say is a
bound as well: what counts is what wire and USB allow together, so the wire never makes it worse, and without
pulses USB alone serves. Edges say how well it is known.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import msgspec
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.ports import Emit
from lastnose.companion.system import host_clock
from lastnose.hardware.box.clock import (
    DRIFT_PPM_PER_S,
    NOMINAL_PPM,
    ClockMap,
    ClockReading,
    Sample,
    Timeline,
)

# ---- The host's steady clock beside the one it stamps with: a time server slews the latter by up to 500 ppm.
#
# Boxes are compared with CLOCK_MONOTONIC_RAW, which nobody sets, and what they tell is put into the host's
# time (CLOCK_MONOTONIC) afterwards: straight between readings of both clocks, and as unsure as these readings
# and a change of pace between two of them leave it. Where there is no steady clock, the host's own serves as
# both.

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


NEAR_NS = 1_000_000  # beyond both claims: pulses are a second apart, so nearer than this it is the same one
FRESH_NS = 3_500_000_000  # so old a pulse that the host's own pins heard may be
TICK_NS = 200
PULSE_U_NS = 300  # a tick on either clock, and some
UNREAD_NS = 5_000_000  # what the first claim of a leader may be that nobody has heard yet
HOST_PULSE_U_NS = 1_000  # a tick and the wire


class _Follower:
    """What is known of a box that is not the leader: its ticks on the leader's own time."""

    def __init__(self, timeline: Timeline | None = None) -> None:
        self.timeline = timeline  # over USB
        self.pulses: deque[tuple[int, ClockReading]] = deque(maxlen=8)  # tick, about when

    def follow(self, lead: Timeline | None) -> None:
        """Know nothing of the leader's ticks but by USB."""
        # Two crystals, each as far off as one may be, and each by its own warmth.
        self.clock = ClockMap(
            1_000_000_000 // TICK_NS, nominal_ppm=2 * NOMINAL_PPM, drift_ppm_per_s=2 * DRIFT_PPM_PER_S
        )
        self.course: Timeline | None = None
        if lead is not None and self.timeline is not None:
            self.course = Timeline(_AmongLeaders(self.clock, self.timeline, lead))


class _AmongLeaders:
    """Where a box's ticks lie among the leader's (each called TICK_NS): what wire and USB both allow.

    The bounds of either hold by themselves, so the truth is in both; where they contradict each other, as
    ones do that were made in a moment of change, the claim has what either allows.
    """

    nominal_ns = float(TICK_NS)

    def __init__(self, wire: ClockMap, own: Timeline, lead: Timeline) -> None:
        self._wire, self._own, self._lead = wire, own.clock, lead

    @property
    def ready(self) -> bool:
        """Whether anything is known."""
        return self._wire.ready or (self._own.ready and self._lead.clock.ready)

    @property
    def version(self) -> int:
        """Counts what has been learnt by either."""
        return self._wire.version + self._own.version + self._lead.clock.version

    @property
    def period_ns(self) -> float:
        """How long a tick of the box takes in the leader's time."""
        if self._wire.rate_u_ppm <= self._usb_rate_u_ppm:
            return self._wire.period_ns
        return TICK_NS * self._own.period_ns / self._lead.clock.period_ns

    @property
    def rate_u_ppm(self) -> float:
        """By how much that may be off."""
        return min(self._wire.rate_u_ppm, self._usb_rate_u_ppm)

    @property
    def _usb_rate_u_ppm(self) -> float:
        return self._own.rate_u_ppm + self._lead.clock.rate_u_ppm

    def loose_ns(self, away_ns: float) -> int:
        """Return by how much the two crystals may go astray from each other within *away_ns*."""
        return int(away_ns * (self.rate_u_ppm + 2 * DRIFT_PPM_PER_S * away_ns / 1e9) * 1e-6) + 1

    def read(self, tick: int) -> ClockReading:
        """Return where *tick* lies in the leader's time."""
        told = [self._wire.read(tick)] if self._wire.ready else []
        told += [self._by_usb(tick)] if self._own.ready and self._lead.clock.ready else []
        low, high = max(one.t_ns - one.u_ns for one in told), min(one.t_ns + one.u_ns for one in told)
        if low > high:
            low, high = min(one.t_ns - one.u_ns for one in told), max(one.t_ns + one.u_ns for one in told)
        return ClockReading((low + high) // 2, (high - low + 1) // 2 + 1)

    def _by_usb(self, tick: int) -> ClockReading:
        """Return which of the leader's ticks was when *tick* was, by both mappings onto the host's time."""
        own, clock = self._own.read(tick), self._lead.clock
        at = self._lead.latest
        for _ in range(2):  # straight on from where the leader is; once more takes off what bends
            lead = clock.read(at)
            at += round((own.t_ns - lead.t_ns) / clock.period_ns)
        u_ns = own.u_ns + lead.u_ns + TICK_NS
        return ClockReading(at * TICK_NS, u_ns + u_ns // 1_000)  # the leader's are not true ones


class SyncWire:
    """What all boxes of a table know of each other; used from their threads.

    Their times are those of *steady*; only a pulse that the host's own pins hear comes in the host's time.
    """

    def __init__(self, leader: str, steady: SteadyClock | None = None) -> None:
        self.leader = leader
        self._steady = steady or SteadyClock(steady=None)
        self._lock = threading.Lock()
        self._boxes: dict[str, _Follower] = {}
        self._host: deque[ClockReading] = deque(maxlen=8)
        self._anchored_ns: int | None = None

    def joined(self, name: str, timeline: Timeline) -> None:
        """Take note that box *name* begins a new time base."""
        with self._lock:
            box = self._boxes[name] = _Follower(timeline)
            if name != self.leader:
                lead = self._boxes.get(self.leader)
                box.follow(None if lead is None else lead.timeline)
                return
            for other in self._boxes.values():
                other.follow(timeline)
                other.pulses.clear()

    def host_pulse(self, t_ns: int, u_ns: int) -> None:
        """Take a pulse that an input of the host itself saw within *u_ns* of *t_ns*."""
        at = self._steady.steady(t_ns)
        with self._lock:
            self._host.append(ClockReading(at.t_ns, u_ns + at.u_ns))

    def anchors(self, name: str) -> list[Sample]:
        """Return what the host's own pins have told of the ticks of box *name* since it was asked last."""
        with self._lock:
            if name != self.leader or not self._host:
                return []
            out: list[Sample] = []
            for host in tuple(self._host):
                for tick, about in self._boxes[name].pulses:
                    # USB's claim holds, so what lies outside it is no pulse of ours.
                    if abs(host.t_ns - about.t_ns) <= host.u_ns + about.u_ns + HOST_PULSE_U_NS:
                        u_ns = host.u_ns + HOST_PULSE_U_NS
                        out.append(Sample(host.t_ns - u_ns, host.t_ns + u_ns, tick))
                        self._host.remove(host)
                        self._anchored_ns = host.t_ns
                        break
            return out

    def anchored(self, host_ns: int) -> bool:
        """Return whether the host's own pins have heard a pulse of the leader lately, seen from *host_ns*."""
        now_ns = self._steady.steady(host_ns).t_ns
        with self._lock:
            return self._anchored_ns is not None and now_ns - self._anchored_ns <= FRESH_NS

    def pulse(self, name: str, tick: int, about: ClockReading) -> None:
        """Take a pulse that box *name* saw at *tick*, by USB's mapping at *about*."""
        with self._lock:
            self._boxes[name].pulses.append((tick, about))
            lead = self._boxes.get(self.leader)
            if lead is None:
                return
            for other, box in self._boxes.items():
                if other != self.leader and name in (other, self.leader):
                    self._pair(lead, box)

    def _pair(self, lead: _Follower, box: _Follower) -> None:
        for tick, about in tuple(box.pulses):
            same = [
                lead_tick
                for lead_tick, one in lead.pulses
                if abs(one.t_ns - about.t_ns) <= one.u_ns + about.u_ns + NEAR_NS
            ]
            if same:
                box.pulses.remove((tick, about))
                lead_ns = same[-1] * TICK_NS
                box.clock.add(Sample(lead_ns - PULSE_U_NS, lead_ns + PULSE_U_NS, tick))

    def read(self, name: str, tick: int, own: ClockReading) -> tuple[ClockReading, int]:
        """Return where *tick* of box *name* lies, and what of its error is that box's alone.

        *own* is what its mapping over USB says. The error of the leader's mapping is shared by all boxes.
        """
        with self._lock:
            lead = self._boxes.get(self.leader)
            if name == self.leader or lead is None or lead.timeline is None:
                return own, 0
            led, course = lead.timeline, self._boxes[name].course
            if course is None or not led.clock.ready:
                return ClockReading(own.t_ns, own.u_ns), own.u_ns + UNREAD_NS
            there = course.read(tick)
            if not led.begun:  # it will begin within its claim of that, on which side nobody knows
                at = led.peek(round(there.t_ns / TICK_NS))
                return at, there.u_ns + 2 * at.u_ns
            t_ns, ahead_ns = led.at(there.t_ns / TICK_NS)
            return ClockReading(t_ns, led.u_ns), there.u_ns + ahead_ns

    def offset(self, name: str) -> tuple[int, int] | None:
        """Return how far the USB mapping of *name* is ahead of what the pulses say, and to what that is."""
        with self._lock:
            lead, box = self._boxes.get(self.leader), self._boxes.get(name)
            if lead is None or box is None or lead.timeline is None or box.timeline is None:
                return None
            if not box.clock.ready or name == self.leader:
                return None
            tick = box.timeline.latest
            there = box.clock.read(tick)
            t_ns, ahead_ns = lead.timeline.at(there.t_ns / TICK_NS)
            return box.timeline.peek(tick).t_ns - t_ns, there.u_ns + ahead_ns

    def listener(self, line: str, emit: Emit) -> Emit:
        """Return an *emit* for a source of the host that has the wire on *line*: pulses go no further.

        A contact to ground is active when low, and a pulse begins with a rise.
        """

        def hear(item: Input) -> None:
            match item:
                case Edge() if item.line == line:
                    if item.level == 0:
                        self.host_pulse(item.t_ns, item.u_ns + item.clock_u_ns)
                case Levels():
                    others = {name: level for name, level in item.levels.items() if name != line}
                    emit(msgspec.structs.replace(item, levels=others))
                case _:
                    emit(item)

        return hear
