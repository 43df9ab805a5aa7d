"""A time server slews the host's clock while a box is compared with it: every claim must still hold."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Gap, Levels, Watermark
from lastnose.hardware.box.clock import ClockMap, Sample
from lastnose.hardware.box.sync import SteadyClock

from tests.support.box_rig import MS, US, Rig, S, World
from tests.support.examples import examples

LINES = {"nose.1": 0}
Pace = tuple[tuple[int, float], ...]  # from this steady time on, so many ppm fast


def slewed(pace: Pace) -> Callable[[int], int]:
    """Return the host's clock as a function of the steady one, that agree at the first time."""
    starts = [at_ns for at_ns, _ in pace]
    ahead = [0.0]
    for (begin_ns, ppm), (end_ns, _) in pairwise(pace):
        ahead.append(ahead[-1] + (end_ns - begin_ns) * ppm * 1e-6)

    def host_ns(steady_ns: int) -> int:
        place = max(0, bisect_right(starts, steady_ns) - 1)
        begin_ns, ppm = pace[place]
        return steady_ns + round(ahead[place] + (steady_ns - begin_ns) * ppm * 1e-6)

    return host_ns


class Clocks:
    """Both clocks; each reading of either takes *reading_ns*."""

    def __init__(self, pace: Pace, reading_ns: int = 60, begin_ns: int = 1_000 * S) -> None:
        self.now = begin_ns
        self.host_of = slewed(pace)
        self._reading_ns = reading_ns
        self.clock = SteadyClock(self._read_host, self._read_steady)

    def _read_host(self) -> int:
        self.now += self._reading_ns
        return self.host_of(self.now)

    def _read_steady(self) -> int:
        self.now += self._reading_ns
        return self.now


@pytest.mark.parametrize("ppm", [50.0, -50.0, 500.0, -500.0])
def test_a_box_beside_the_pins_keeps_its_claim_while_the_clock_is_slewed(ppm: float) -> None:
    """Ten seconds at 50 and at 500 ppm, with a wire to the pins: these were 93 µs and 1.5 ms off, for 21."""
    begin_ns = 1_000 * S
    clocks = Clocks(((begin_ns, -12.0), (begin_ns + 12 * S, ppm), (begin_ns + 22 * S, -12.0)))
    box = ClockMap(5_000_000)
    told = []
    for second in range(40):
        clocks.now = begin_ns + second * S
        clocks.clock.now_ns()
        pulse_ns = clocks.now
        at = clocks.clock.steady(clocks.host_of(pulse_ns) + (second % 3 - 1) * 9 * US)  # stamped to ± 10 µs
        box.add(Sample(at.t_ns - at.u_ns - 10 * US, at.t_ns + at.u_ns + 10 * US, _tick(pulse_ns)))
        for part in range(20, 1_000, 20):
            clocks.now = max(clocks.now, begin_ns + second * S + part * MS)
            clocks.clock.now_ns()
            if part % 140 == 0:
                pressed_ns = clocks.now - 3 * MS
                reading = box.read(_tick(pressed_ns))
                stamp = clocks.clock.host(reading.t_ns)
                told.append((stamp.t_ns - clocks.host_of(pressed_ns), reading.u_ns + stamp.u_ns))
    assert all(abs(off_ns) <= u_ns for off_ns, u_ns in told)
    late = [u_ns for _, u_ns in told[100:]]
    assert max(late) < 40 * US
    assert sorted(late)[len(late) // 2] < 25 * US


def _tick(steady_ns: int) -> int:
    """The box's tick, of a crystal 40 ppm fast."""
    return round((steady_ns - 900 * S) * 1.00004 / 200)


@pytest.mark.parametrize("ppm", [50.0, 500.0])
def test_a_whole_session_in_steady_time_tells_the_hosts_time(ppm: float) -> None:
    """Through firmware, cable and session: edges, levels and promises in the host's time, in their order."""
    world = World()
    begin_ns = world.now_ns
    host_of = slewed(((begin_ns, 0.0), (begin_ns + 4 * S, ppm)))
    clock = SteadyClock(lambda: host_of(world.now_ns), lambda: world.now_ns)
    rig = Rig(world, LINES)
    pressed = []
    for number in range(60):
        world.run(150 * MS)
        clock.now_ns()
        (rig.chip.release if number % 2 else rig.chip.press)(0)
        pressed.append(world.now_ns)
        world.run(30 * MS)
        clock.now_ns()
    told = [clock.told(item) for item in rig.told]
    edges = [item for item in told if isinstance(item, Edge)]
    assert len(edges) == len(pressed)
    for edge, at_ns in zip(edges, pressed, strict=True):
        assert abs(edge.t_ns - host_of(at_ns)) <= edge.u_ns + edge.clock_u_ns
    promised_ns = 0
    for item in told:
        if isinstance(item, Watermark):
            assert item.t_ns >= promised_ns
            promised_ns = item.t_ns
        elif isinstance(item, Edge):
            assert item.t_ns >= promised_ns
    assert isinstance(told[0], Levels)


@settings(max_examples=examples(60), deadline=None)
@given(
    ppms=st.lists(st.floats(-500, 500), min_size=1, max_size=4),
    every_ms=st.integers(1, 60),
    reading_ns=st.integers(1, 900),
    back_ms=st.integers(0, 500),
)
def test_a_time_on_either_clock_is_found_on_the_other(
    ppms: list[float], every_ms: int, reading_ns: int, back_ms: int
) -> None:
    """Wherever the slewing begins and ends: within the claim, in order, and there and back again."""
    begin_ns = 1_000 * S
    clocks = Clocks(tuple((begin_ns + n * S // 2, ppm) for n, ppm in enumerate(ppms)), reading_ns)
    found: list[tuple[int, int]] = []
    for _ in range(2_000 // every_ms):
        clocks.now += every_ms * MS
        clocks.clock.now_ns()
        asked_ns = max(begin_ns + 100, clocks.now - back_ms * MS)
        there = clocks.clock.host(asked_ns)
        assert abs(there.t_ns - clocks.host_of(asked_ns)) <= there.u_ns + 1
        back = clocks.clock.steady(there.t_ns)
        assert abs(back.t_ns - asked_ns) <= there.u_ns + back.u_ns + 2
        found.append((asked_ns, there.t_ns))
    found.sort()
    assert all(one[1] <= other[1] for one, other in pairwise(found))


def test_without_a_steady_clock_times_are_taken_as_they_are() -> None:
    """On systems that have none."""
    clock = SteadyClock(lambda: 77, None)
    edge = Edge(5, "box", "nose.1", 1, 101, 7)
    assert (clock.now_ns(), clock.told(edge)) == (77, edge)


def test_a_loss_reaches_as_far_as_the_conversion_is_unsure() -> None:
    """Never less than what was lost."""
    begin_ns = 1_000 * S
    clocks = Clocks(((begin_ns, 0.0), (begin_ns + S, 500.0)))
    clocks.now += 2 * S
    gap = clocks.clock.told(Gap(begin_ns + S // 2, begin_ns + 3 * S // 2, "box"))
    assert gap.from_ns <= begin_ns + S // 2
    assert gap.to_ns >= clocks.host_of(begin_ns + 3 * S // 2)


def test_bounds_that_contradict_each_other_widen_the_claim() -> None:
    """The third pulse lies 400 µs further than any crystal's pace can have it: in between lies everything."""
    clock = ClockMap(1_000_000)
    for at_ns, late_ns in ((0, 0), (450 * MS, 0), (880 * MS, 400 * US)):
        clock.add(Sample(at_ns + late_ns, at_ns + late_ns + 10 * US, at_ns // 1_000))
    between = clock.read(665_000)
    assert between.t_ns - between.u_ns <= 665 * MS
    assert between.t_ns + between.u_ns >= 665 * MS + 410 * US
    assert 220 * US < between.u_ns < 300 * US


def test_a_pace_that_contradicts_the_one_before_makes_the_rate_less_sure() -> None:
    """Four seconds even, then 400 µs in one: whichever of the two goes on, it is in the claim."""
    clock = ClockMap(1_000_000)
    for second in range(4):
        clock.add(Sample(second * S, second * S + 10 * US, second * 1_000_000))
    before_ns = clock.read(4_000_000).u_ns
    clock.add(Sample(4 * S + 400 * US, 4 * S + 410 * US, 4_000_000))
    after = clock.read(5_000_000)
    assert 4 * before_ns < after.u_ns
    assert after.t_ns - after.u_ns <= 5 * S + 400 * US <= after.t_ns + after.u_ns
