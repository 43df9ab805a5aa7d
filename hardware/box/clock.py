"""A device's ticks in, the host's time out, with bounds that hold (law 1). Pure.

A ping says: the device read this tick at some instant between the host's sending and receiving. Many pings
together leave little room, whatever the delays were and however they were shared between both ways; between
pings the crystal may drift, and that is allowed for. So the claimed error rests on no luck and no symmetry.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Protocol

import msgspec

NOMINAL_PPM = 150.0  # how far from its name a box's crystal may be, and
HOST_PPM = 50.0  # the host's, which its steady clock counts
DRIFT_PPM_PER_S = 0.25  # how fast that may change: a cold box on a warm table
WINDOW = 40
BURST_NS = 400_000_000  # of pings so close together only the quickest is kept
FRESH_NS = 2_500_000_000
STALE_NS = 60_000_000_000
LEAP_NS = 1_000_000  # beyond its claim no crystal strays so far
SLEW_PPM, CALM_PPM = 300.0, 60.0  # how fast an estimate is approached, at first and when the rate is known
COURSE_NS = 20_000_000  # for so long a course is kept
HISTORY = 128
HALF = 1 << 31
MASK32 = (1 << 32) - 1


class Ticks:
    """Ticks of 32 bits in, of 64 out; they may come a little out of order.

    >>> ticks = Ticks()
    >>> [ticks.extend(tick) - 2**32 for tick in (0xFFFF_FFF0, 5, 0xFFFF_FFFF, 7)]
    [-16, 5, -1, 7]
    """

    def __init__(self) -> None:
        self._last: int | None = None

    def extend(self, tick: int) -> int:
        """Return the 64-bit tick nearest to the latest one."""
        if self._last is None:
            self._last = tick
            return tick
        ahead = ((tick - self._last + HALF) & MASK32) - HALF
        wide = self._last + ahead
        self._last = max(self._last, wide)
        return wide


class Sample(msgspec.Struct, frozen=True):
    """The device read `tick` at some instant of `[sent_ns, received_ns]`."""

    sent_ns: int
    received_ns: int
    tick: int

    @property
    def round_ns(self) -> int:
        """How long the ping took."""
        return self.received_ns - self.sent_ns

    @property
    def middle_ns(self) -> int:
        """The middle of what is possible."""
        return (self.sent_ns + self.received_ns) // 2


class ClockReading(msgspec.Struct, frozen=True):
    """A tick on the host's clock: within `u_ns` of `t_ns`."""

    t_ns: int
    u_ns: int


class ClockMap:
    """Learns from samples where ticks lie on the host's clock.

    *tick_hz* is what the device says of itself. *slack_ns* is added to every bound (what the device's own
    reading of its tick may be off). *nominal_ppm*: how far the two clocks' rates may be apart before anything
    is known of them, *drift_ppm_per_s* how fast that may change. Before the first sample `ready` is false.

    >>> clock = ClockMap(5_000_000)
    >>> clock.add(Sample(1_000_000, 1_400_000, 500))
    >>> clock.read(500)
    ClockReading(t_ns=1200000, u_ns=200001)
    """

    def __init__(
        self,
        tick_hz: int,
        *,
        slack_ns: int = 0,
        nominal_ppm: float = NOMINAL_PPM + HOST_PPM,
        drift_ppm_per_s: float = DRIFT_PPM_PER_S,
    ) -> None:
        self.nominal_ns = 1e9 / tick_hz
        self._slack_ns = slack_ns
        self._nominal_ppm, self._drift_ppm_per_s = nominal_ppm, drift_ppm_per_s
        self._samples: deque[Sample] = deque(maxlen=WINDOW)
        self._period_ns = self.nominal_ns
        self.rate_u_ppm = nominal_ppm  # by how much `period_ns` may be off
        self._rejected = 0
        self.version = 0  # counts what has been learnt

    @property
    def ready(self) -> bool:
        """Whether anything is known."""
        return bool(self._samples)

    @property
    def ppm(self) -> float:
        """How much faster than its name the device's clock runs."""
        return (self.nominal_ns / self._period_ns - 1) * 1e6

    @property
    def period_ns(self) -> float:
        """How long a tick takes on the host's clock, as far as is known."""
        return self._period_ns

    @property
    def round_ns(self) -> int | None:
        """The quickest round trip lately."""
        return min((sample.round_ns for sample in self._samples), default=None)

    def sample(self, sent_ns: int, received_ns: int, seen: int, answered: int) -> Sample:
        """Return what a ping says that the device saw at tick *seen* and answered at tick *answered*.

        Between the two it was the device's: by a crystal as fast as can be, that much less is the round trip.
        """
        held_ns = int((answered - seen) * self.nominal_ns * (1 - self._nominal_ppm * 1e-6))
        return Sample(sent_ns, received_ns - held_ns, seen)

    def add(self, sample: Sample) -> None:
        """Take a sample. One that took much longer than usual tells little, and is left out."""
        if sample.round_ns < 0:
            return
        samples = self._samples
        while samples and sample.received_ns - samples[0].received_ns > STALE_NS:
            samples.popleft()
        if self._adds_nothing(sample):
            return
        if samples and sample.received_ns - samples[-1].sent_ns < BURST_NS and len(samples) > 1:
            if sample.round_ns >= samples[-1].round_ns:
                return
            samples.pop()
        elif len(samples) >= 8 and sample.round_ns > 4 * median(one.round_ns for one in samples):
            self._rejected += 1
            if self._rejected < 8:
                return
        else:
            self._rejected = 0
        samples.append(sample)
        self.version += 1
        self._fit()

    def leapt(self, sample: Sample) -> bool:
        """Return whether no crystal explains *sample*: one of both clocks has stood still, or begun again."""
        if not self._samples:
            return False
        at = self.read(sample.tick)
        return max(at.t_ns - sample.received_ns, sample.sent_ns - at.t_ns) > at.u_ns + LEAP_NS

    def _adds_nothing(self, sample: Sample) -> bool:
        """Return whether a far narrower sample than this one is still fresh (the pulses of a sync wire)."""
        return any(
            4 * one.round_ns < sample.round_ns and sample.sent_ns - one.received_ns < FRESH_NS
            for one in list(self._samples)[-4:]
        )

    def read(self, tick: int) -> ClockReading:
        """Return where the 64-bit *tick* lies; raise ValueError before the first sample.

        Bounds that contradict each other never narrow the claim: it has what either side allows.
        """
        if not self._samples:
            raise ValueError("no sample yet")
        samples = list(self._samples)
        low, high = self._bounds(tick, samples)
        kept = len(samples)
        while low > high and kept > 1:  # a sudden change of rate: what is nearest to now is believed first
            kept = kept // 2
            low, high = self._bounds(tick, samples[-kept:])
        if kept < len(samples):
            ends = low, high, *self._bounds(tick, samples[:-kept])
            low, high = min(ends), max(ends)
        u_ns = (high - low) / 2 + self._slack_ns
        return ClockReading(round((low + high) / 2), int(u_ns) + 1)

    def _bounds(self, tick: int, samples: deque[Sample] | list[Sample]) -> tuple[float, float]:
        """Return the earliest and the latest time of *tick* that all *samples* allow."""
        low, high = float("-inf"), float("inf")
        for sample in samples:
            away_ns = (tick - sample.tick) * self._period_ns
            loose_ns = self._loose_ns(abs(away_ns))
            low = max(low, sample.sent_ns + away_ns - loose_ns)
            high = min(high, sample.received_ns + away_ns + loose_ns)
        return low, high

    def loose_ns(self, away_ns: float) -> int:
        """Return by how much the crystal may go astray within *away_ns*."""
        return int(self._loose_ns(away_ns)) + 1

    def _loose_ns(self, away_ns: float) -> float:
        """Return by how much the crystal may have gone astray over *away_ns*."""
        return away_ns * (self.rate_u_ppm + self._drift_ppm_per_s * away_ns / 1e9) * 1e-6

    def _fit(self) -> None:
        """Find the rate by regression over the middles, and bound it by what the samples' ends allow."""
        first, last = self._samples[0], self._samples[-1]
        span = last.tick - first.tick
        if span * self.nominal_ns < 0.9e9:
            return
        limit_ns = 3 * min(sample.round_ns for sample in self._samples) + 1_000
        quick = [sample for sample in self._samples if sample.round_ns <= limit_ns]
        slope = _slope(quick) if len(quick) > 2 else (last.middle_ns - first.middle_ns) / span
        least, most = 0.0, float("inf")
        for one in self._samples:
            for other in (first, last):
                ticks = one.tick - other.tick
                if abs(ticks) * self.nominal_ns < 0.9e9:
                    continue
                early, late = (other, one) if ticks > 0 else (one, other)
                ticks = abs(ticks)
                least = max(least, (late.sent_ns - early.received_ns) / ticks)
                most = min(most, (late.received_ns - early.sent_ns) / ticks)
        widest = self.nominal_ns * self._nominal_ppm * 1e-6
        least, most = max(least, self.nominal_ns - widest), min(most, self.nominal_ns + widest)
        apart = max(0.0, least - most)  # the rate has changed within the window: allow for both, and as much
        least, most = min(least, most) - apart, max(least, most) + apart
        self._period_ns = min(max(slope, least), most)
        spread = max(most - self._period_ns, self._period_ns - least)
        # The bounds are of means over spans that end in different places: allow for drift across the window.
        seconds = span * self.nominal_ns / 1e9
        drifted_ppm = self._drift_ppm_per_s * seconds / 2
        self.rate_u_ppm = min(self._nominal_ppm * 2, spread / self.nominal_ns * 1e6 + drifted_ppm)


def _slope(samples: list[Sample]) -> float:
    """Return nanoseconds a tick by least squares over the middles."""
    mean_tick = sum(sample.tick for sample in samples) / len(samples)
    mean_ns = sum(sample.middle_ns for sample in samples) / len(samples)
    above = sum((s.tick - mean_tick) * (s.middle_ns - mean_ns) for s in samples)
    below = sum((s.tick - mean_tick) ** 2 for s in samples)
    return above / below if below else 0.0


class _Course(msgspec.Struct, frozen=True):
    """From `tick` at `t_ns` on: `steps` ticks of `period_ns`, then ticks of `calm_ns`."""

    tick: int
    t_ns: float
    steps: int
    period_ns: float
    calm_ns: float

    def at(self, tick: float) -> float:
        passed = tick - self.tick
        making_up = min(passed, self.steps)
        return self.t_ns + making_up * self.period_ns + (passed - making_up) * self.calm_ns


class TickMap(Protocol):
    """What a timeline follows: where ticks lie, how fast that may change; `version` counts what is learnt."""

    nominal_ns: float

    @property
    def version(self) -> int: ...
    @property
    def ready(self) -> bool: ...
    @property
    def period_ns(self) -> float: ...
    @property
    def rate_u_ppm(self) -> float: ...

    def read(self, tick: int) -> ClockReading: ...
    def loose_ns(self, away_ns: float) -> int: ...


class Timeline:
    """Times of one device's ticks that never step back: a new estimate is approached, not jumped to.

    Two ticks keep their order, and their distance to 0.07 % (`TIMELINE_PPM`: the steering and what the rate
    may be off at worst), whatever is learnt between them. `read` wants
    ticks that do not go back.
    """

    def __init__(self, clock: TickMap) -> None:
        self.clock = clock
        self.u_ns = 0
        self.latest = 0  # the highest tick read
        self._courses: deque[_Course] = deque(maxlen=HISTORY)
        self._until = 0
        self._version: int | None = None

    def read(self, tick: int) -> ClockReading:
        """Return the time of *tick*, and by how much that may be off; one before the latest counts as it."""
        tick = max(tick, self.latest) if self._courses else tick
        if not self._courses or tick > self._until or self._version != self.clock.version:
            self._turn(tick)
        self.latest = tick
        return ClockReading(round(self._courses[-1].at(tick)), self.u_ns)

    @property
    def begun(self) -> bool:
        """Whether anything was read yet."""
        return bool(self._courses)

    def peek(self, tick: int) -> ClockReading:
        """Return about when *tick* is, without going there."""
        if not self._courses:
            return self.clock.read(tick)
        t_ns, ahead_ns = self.at(tick)
        return ClockReading(t_ns, self.u_ns + ahead_ns)

    def at(self, tick: float) -> tuple[int, int]:
        """Return when *tick* is, without going there, and by how much `read` may still say otherwise.

        Raise ValueError before the first `read`.
        """
        if not self._courses:
            raise ValueError("nothing read yet")
        until_ns = float("inf")
        for course in reversed(self._courses):
            if tick >= course.tick:
                break
            until_ns = course.t_ns
        ahead = max(0.0, tick - self.latest) * self.clock.nominal_ns
        loose_ppm = _slew_ppm(self.clock) + self.clock.rate_u_ppm
        return round(min(course.at(tick), until_ns)), round(ahead * loose_ppm * 1e-6)

    def _turn(self, tick: int) -> None:
        """Take a new course at *tick*, for COURSE_NS, towards what the clock says now."""
        clock, wanted = self.clock, self.clock.read(tick)
        at_ns = self._courses[-1].at(tick) if self._courses else float(wanted.t_ns)
        error_ns = wanted.t_ns - at_ns
        most = _slew_ppm(clock) * 1e-6
        slew = min(max(error_ns / COURSE_NS, -most), most)
        steps = round(COURSE_NS / clock.nominal_ns)
        self._courses.append(_Course(tick, at_ns, steps, clock.period_ns * (1 + slew), clock.period_ns))
        self._until = tick + steps
        self.u_ns = wanted.u_ns + int(abs(error_ns)) + clock.loose_ns(COURSE_NS) + 1
        self._version = clock.version


def _slew_ppm(clock: TickMap) -> float:
    """Return how fast an estimate is approached: gently once the rate is known."""
    return min(SLEW_PPM, max(CALM_PPM, 2 * clock.rate_u_ppm))
