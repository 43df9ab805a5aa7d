"""The mapping of a device's clock: its claim holds, whatever delays, drift and losses do."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.hardware.box.clock import ClockMap, ClockReading, Sample, Ticks, Timeline

from tests.support.examples import examples

HZ = 5_000_000
MS, S = 1_000_000, 1_000_000_000
STEP_NS = 10 * MS


class Crystal:
    """A device's clock: *ppm* says how much too fast it runs at a time in seconds. The truth to test by."""

    def __init__(self, ppm: Callable[[float], float], seconds: float, begin: int = 0) -> None:
        self.ticks = [float(begin)]
        for step in range(int(seconds * S / STEP_NS) + 2):
            rate = HZ * (1 + ppm(step * STEP_NS / S) * 1e-6)
            self.ticks.append(self.ticks[-1] + rate * STEP_NS / S)

    def tick(self, t_ns: int) -> int:
        """Return what the device reads at *t_ns*."""
        step, rest = divmod(t_ns, STEP_NS)
        return int(self.ticks[step] + (self.ticks[step + 1] - self.ticks[step]) * rest / STEP_NS)

    def time_ns(self, tick: int) -> float:
        """Return when the device reads *tick*."""
        step = max(0, bisect_left(self.ticks, tick) - 1)
        return (step + (tick - self.ticks[step]) / (self.ticks[step + 1] - self.ticks[step])) * STEP_NS


Delay = Callable[[Random], int]


def usual(chance: Random) -> int:
    """One way over USB: 60 to 160 µs, now and then milliseconds."""
    return chance.randrange(60_000, 160_000) + (chance.randrange(8 * MS) if chance.random() < 0.05 else 0)


DELAYS: dict[str, tuple[Delay, Delay]] = {
    "jitter": (usual, usual),
    "slow there": (lambda chance: usual(chance) + 400_000, usual),
    "slow back": (usual, lambda chance: usual(chance) + 900_000),
    "busy": (
        lambda chance: chance.randrange(50_000, 5 * MS),
        lambda chance: chance.randrange(50_000, 5 * MS),
    ),
}
CRYSTALS: dict[str, Callable[[float], float]] = {
    "true": lambda s: 0.0,
    "100 ppm fast": lambda s: 100.0,
    "100 ppm slow": lambda s: -100.0,
    "warming": lambda s: -20 + 0.15 * s,
    "breathing": lambda s: 10.0 * (1 if int(s / 40) % 2 else -1) * (s % 40) / 40,
}


def claims(
    crystal: Crystal,
    seconds: int,
    there: Delay,
    back: Delay,
    *,
    lost: float = 0.0,
    seed: int = 1,
    wired: bool = False,
) -> list[tuple[float, ClockReading]]:
    """Return what is claimed of ticks over *seconds*, each with the truth: a burst a second, and reads.

    *wired*: every second the host hears a pulse as well, stamped to ± 10 µs.
    """
    chance = Random(seed)
    timeline = Timeline(ClockMap(HZ))
    out: list[tuple[float, ClockReading]] = []
    for second in range(seconds):
        now_ns = second * S
        for _ in range(8):
            read_ns = now_ns + there(chance)
            received_ns = read_ns + back(chance)
            if chance.random() >= lost:
                timeline.clock.add(Sample(now_ns, received_ns, crystal.tick(read_ns)))
            now_ns = received_ns + 50_000
        if wired and second:
            middle_ns = now_ns + chance.randrange(-10_000, 10_001)
            timeline.clock.add(Sample(middle_ns - 10_000, middle_ns + 10_000, crystal.tick(now_ns)))
        for part in (100, 300, 550, 800, 999):
            tick = crystal.tick(second * S + part * MS)
            if timeline.clock.ready:
                out.append((crystal.time_ns(tick), timeline.read(tick)))
    return out


def holding(told: list[tuple[float, ClockReading]]) -> float:
    """Return the share of claims in which the truth lies."""
    return sum(abs(reading.t_ns - truth) <= reading.u_ns for truth, reading in told) / len(told)


# Quickly each crystal with the usual delays, and each kind of delay with a crystal that drifts.
EVERY_PAIR = pytest.mark.parametrize(
    ("crystal", "delays"),
    [
        pytest.param(
            *(crystal, delays), marks=() if crystal == "warming" or delays == "jitter" else pytest.mark.heavy
        )
        for crystal in CRYSTALS
        for delays in DELAYS
    ],
)


@EVERY_PAIR
def test_the_truth_lies_within_the_claim(crystal: str, delays: str) -> None:
    """In at least 99.9 % of readings over three minutes, however the delay is shared between the ways."""
    told = claims(Crystal(CRYSTALS[crystal], 182), 180, *DELAYS[delays])
    assert holding(told) >= 0.999


@pytest.mark.parametrize("crystal", CRYSTALS)
def test_the_claim_is_not_too_modest(crystal: str) -> None:
    """With a quickest round trip of about 150 µs it is below 200 µs, once the rate is known."""
    told = claims(Crystal(CRYSTALS[crystal], 182), 180, usual, usual)[100:]
    assert max(reading.u_ns for _, reading in told) < 200_000


@EVERY_PAIR
def test_pulses_on_a_wire_are_worth_ten_times_as_much_and_the_claim_holds(crystal: str, delays: str) -> None:
    """After a minute it is mostly below 20 µs, however the USB delays; with steps of 20 ppm below 70."""
    told = claims(Crystal(CRYSTALS[crystal], 182), 180, *DELAYS[delays], wired=True)
    assert holding(told) >= 0.999
    most_ns = 70_000 if crystal == "breathing" else 20_000
    assert median(reading.u_ns for _, reading in told[300:]) < most_ns


def test_silence_widens_the_claim() -> None:
    """A minute without a ping: the crystal may have gone astray, and that is said."""
    crystal = Crystal(CRYSTALS["warming"], 200)
    timeline = Timeline(ClockMap(HZ))
    for second in range(60):
        t_ns = second * S
        timeline.clock.add(Sample(t_ns, t_ns + 200_000, crystal.tick(t_ns + 60_000)))
    before = timeline.read(crystal.tick(60 * S))
    tick = crystal.tick(120 * S)
    later = timeline.read(tick)
    assert before.u_ns < 200_000 < later.u_ns
    assert abs(later.t_ns - crystal.time_ns(tick)) <= later.u_ns


@settings(max_examples=examples(25), deadline=None)
@given(
    ppm=st.floats(-100, 100),
    ramp=st.floats(-0.2, 0.2),
    skew_us=st.integers(-3_000, 3_000),
    lost=st.floats(0, 0.8),
    seed=st.integers(0, 1 << 16),
)
def test_any_crystal_and_any_asymmetry(ppm: float, ramp: float, skew_us: int, lost: float, seed: int) -> None:
    """Drift to 100 ppm, ramps to 0.2 ppm a second, one way up to 3 ms slower than the other."""
    forth, back = max(0, skew_us) * 1_000, max(0, -skew_us) * 1_000
    told = claims(
        Crystal(lambda s: ppm + ramp * s, 62),
        60,
        lambda chance: usual(chance) + forth,
        lambda chance: usual(chance) + back,
        lost=lost,
        seed=seed,
    )
    assert not told or holding(told) >= 0.999


@settings(max_examples=examples(25), deadline=None)
@given(seed=st.integers(0, 1 << 16), gaps=st.lists(st.integers(1, 200_000), min_size=5, max_size=60))
def test_ticks_keep_order_and_distance_whatever_is_learnt_between(seed: int, gaps: list[int]) -> None:
    """Every other tick a ping arrives; distances are right to 0.05 % and a nanosecond."""
    crystal, chance = Crystal(lambda s: 60.0, 30), Random(seed)
    timeline = Timeline(ClockMap(HZ))
    now_ns, former = 0, None
    for number, gap in enumerate(gaps):
        now_ns += gap * 200
        if number % 2 == 0:
            read_ns = now_ns + usual(chance)
            timeline.clock.add(Sample(now_ns, read_ns + usual(chance), crystal.tick(read_ns)))
        tick = crystal.tick(now_ns)
        reading = timeline.read(tick)
        if former is not None:
            true_ns = crystal.time_ns(tick) - crystal.time_ns(former[0])
            assert abs(reading.t_ns - former[1] - true_ns) <= true_ns * 5e-4 + 1.01
            assert reading.t_ns >= former[1]
        former = tick, reading.t_ns


def test_the_rate_is_found() -> None:
    """To 2 ppm after a minute."""
    crystal = Crystal(lambda s: 42.0, 62)
    clock, chance = ClockMap(HZ), Random(3)
    for second in range(60):
        read_ns = second * S + usual(chance)
        clock.add(Sample(second * S, read_ns + usual(chance), crystal.tick(read_ns)))
    assert 42 == pytest.approx(clock.ppm, abs=2)


def test_slow_pings_are_left_out_until_all_are_slow() -> None:
    """A hub that has become slow is believed after a while."""
    clock = ClockMap(HZ)
    for second in range(10):
        clock.add(Sample(second * S, second * S + 100_000, second * HZ))
    clock.add(Sample(10 * S, 10 * S + 50 * MS, 10 * HZ))
    assert 10 == clock.version
    for second in range(11, 22):
        clock.add(Sample(second * S, second * S + 50 * MS, second * HZ))
    assert clock.version > 10


def test_wide_samples_are_left_out_while_a_far_narrower_one_is_fresh() -> None:
    """For two and a half seconds; then they are better than nothing."""
    clock = ClockMap(HZ)
    clock.add(Sample(0, 20_000, 0))
    clock.add(Sample(1 * S, 1 * S + 81_000, 1 * HZ))
    assert 1 == clock.version
    clock.add(Sample(1 * S, 1 * S + 79_000, 1 * HZ))
    assert 2 == clock.version
    clock.add(Sample(5 * S, 5 * S + 5 * MS, 5 * HZ))
    assert 3 == clock.version


def test_slack_of_the_device_is_in_the_claim() -> None:
    """What its own reading may be off by."""
    clock = ClockMap(HZ, slack_ns=5_000)
    clock.add(Sample(0, 1_000, 0))
    assert ClockReading(500, 5_501) == clock.read(0)


@given(steps=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=20), start=st.integers(0, 2**32 - 1))
def test_32_bits_become_64(steps: list[int], start: int) -> None:
    """As long as less than half a turn lies between two."""
    ticks, true = Ticks(), start
    assert start == ticks.extend(start)
    for step in steps:
        true += step
        assert true == ticks.extend(true & 0xFFFF_FFFF)


def test_without_a_sample_nothing_is_claimed() -> None:
    """Nor is anything thought to be ready."""
    clock = ClockMap(HZ)
    assert not clock.ready
    with pytest.raises(ValueError, match="no sample"):
        clock.read(0)


@pytest.mark.parametrize("ppm", [-150, 0, 150])
def test_what_the_device_took_is_not_in_the_round_trip(ppm: int) -> None:
    """3 ms of 3.4 were its own: 0.2 ms are claimed and not 1.7, and the truth lies within."""
    clock = ClockMap(HZ)
    seen_ns, answered_ns = 1_010_000, 4_010_000
    ticks = [round(t_ns * HZ / 1e9 * (1 + ppm * 1e-6)) for t_ns in (seen_ns, answered_ns)]
    sample = clock.sample(1_000_000, 4_400_000, *ticks)
    assert 400_000 <= sample.round_ns <= 401_500
    clock.add(sample)
    reading = clock.read(ticks[0])
    assert abs(reading.t_ns - seen_ns) <= reading.u_ns <= 201_000
