"""More changes than a box can tell: each is told in its turn, or lies in a gap. Nothing is lost unnoticed."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from box_rig import MS, US, Rig, World
from box_storms import check_storm
from companion.model import Edge, Gap, Input, Levels, Watermark
from companion.text import Text
from hardware.box.chip import Storm
from hardware.box.ports import SerialPort
from hardware.box.simulated import SimulatedBox
from hardware.box.source import Box

PINS = (*range(23), 26, 27, 28)
LINES = {f"nose.{number}": pin for number, pin in enumerate(PINS, start=1)}
TEN_KHZ_NS = 50 * US  # from edge to edge


def raging(pins: int, every_ns: int, lasts_ns: int, *, seed: int = 1, loss: float = 0.0) -> tuple[Rig, Storm]:
    """Return a rig as slow as a Pico after a storm, and the storm; *loss*: the share of what it says."""
    world = World()
    rig = Rig(world, LINES, paced=True, seed=seed)
    world.run(300 * MS)
    chance = Random(seed)
    rig.lose = lambda: chance.random() < loss
    begin_ns = world.now_ns + 1 * MS
    storm = Storm(PINS[:pins], begin_ns, begin_ns + lasts_ns, every_ns)
    rig.chip.sampler.storm(storm)
    world.run(lasts_ns + 100 * MS)
    rig.lose = lambda: False
    world.run(600 * MS)
    return rig, storm


def test_26_inputs_at_10_khz_each_lie_in_a_gap_and_the_table_goes_on() -> None:
    """520,000 changes a second, twelve times what a Pico can encode: gaps, then levels, then edges again."""
    rig, storm = raging(26, TEN_KHZ_NS, 300 * MS)
    total = storm.due(storm.end_ns)
    assert 156_001 == total
    assert check_storm(storm, rig.told, LINES) < total
    gaps = rig.gaps()
    assert gaps[0].from_ns <= storm.begin_ns + 3 * MS
    assert gaps[-1].to_ns >= storm.end_ns - 3 * MS
    levels = [item for item in rig.told if isinstance(item, Levels)]
    last = {line: 1 - (rig.chip.sampler.levels >> pin & 1) for line, pin in LINES.items()}
    assert last == levels[-1].levels
    told = len(rig.edges())
    rig.chip.press(PINS[3]) if not last["nose.4"] else rig.chip.release(PINS[3])
    rig.world.run(50 * MS)
    assert told + 1 == len(rig.edges())
    rig.world.run(1_100 * MS)
    counts = rig.session.counts
    assert total + 2 == counts.events + counts.overruns, "those that came and those that the box says it lost"
    rig.check_promises()


@pytest.mark.parametrize(
    ("pins", "every_ns"),
    [(1, TEN_KHZ_NS), (26, 2 * MS), (26, 715 * US)],
    ids=["one at 10 kHz", "all at 250 Hz", "all at 700 Hz"],
)
def test_what_the_box_can_tell_is_told_to_the_last_change(pins: int, every_ns: int) -> None:
    """Up to 36,000 changes a second: no gap."""
    rig, storm = raging(pins, every_ns, 300 * MS)
    assert [] == rig.gaps()
    assert storm.due(storm.end_ns) == check_storm(storm, rig.told, LINES)
    rig.check_promises()


def test_a_burst_that_fits_the_ring_is_told_whole() -> None:
    """900 changes within 1.8 ms: all 26 noses touched at once, each bouncing 35 times."""
    rig, storm = raging(26, TEN_KHZ_NS, 1_730 * US)
    total = storm.due(storm.end_ns)
    assert 900 <= total < 960
    assert [] == rig.gaps()
    assert total == check_storm(storm, rig.told, LINES)


@settings(max_examples=12, deadline=None)
@example(pins=6, every_ns=50_000, lasts_ns=32_508_333, seed=0, loss=0.0)
@given(
    pins=st.integers(1, 26),
    every_ns=st.integers(50 * US, 5 * MS),
    lasts_ns=st.integers(1 * MS, 120 * MS),
    seed=st.integers(0, 1 << 16),
    loss=st.sampled_from([0.0, 0.2]),
)
def test_at_any_rate_every_change_is_told_in_its_turn_or_lies_in_a_gap(
    pins: int, every_ns: int, lasts_ns: int, seed: int, loss: float
) -> None:
    """From one input at 200 Hz to 26 at 10 kHz, with frames lost on the way or not."""
    rig, storm = raging(pins, every_ns, lasts_ns, seed=seed, loss=loss)
    check_storm(storm, rig.told, LINES)
    rig.check_promises()


def test_a_loss_that_is_not_told_is_found_by_these_tests() -> None:
    """One edge taken out, or exchanged with its neighbour, or a gap kept back: each is seen."""
    rig, storm = raging(4, TEN_KHZ_NS * 4, 20 * MS)
    check_storm(storm, rig.told, LINES)
    at = [n for n, item in enumerate(rig.told) if isinstance(item, Edge)][40]
    one, two = rig.told[at], rig.told[at + 1]
    for wrong in ([two], [two, one], [one, one, two]):
        with pytest.raises(AssertionError):
            check_storm(storm, [*rig.told[:at], *wrong, *rig.told[at + 2 :]], LINES)
    rig, storm = raging(26, TEN_KHZ_NS, 50 * MS)
    with pytest.raises(AssertionError):
        check_storm(storm, [item for item in rig.told if not isinstance(item, Gap)], LINES)


def test_a_storm_through_a_pseudo_terminal_is_told_or_lies_in_a_gap() -> None:
    """26 inputs at 10 kHz each for 0.3 s, in real time: firmware, terminal, reader thread and decoder."""
    told: list[Input] = []
    reports: list[Text | None] = []
    with SimulatedBox() as simulated:
        source = Box(lambda: SerialPort(simulated.port), LINES)
        source.start(told.append, reports.append)
        try:
            wait_for(lambda: source.session.settled)
            storm = simulated.storm(300 * MS)
            wait_for(lambda: time.monotonic_ns() > storm.end_ns and source.session.settled)
            wait_for(lambda: isinstance(told[-1], Watermark) and told[-1].t_ns > storm.end_ns)
        finally:
            source.close()
    assert 26 == len(storm.pins)
    levels = [item for item in told if isinstance(item, Levels)]
    assert {0} == set(levels[-1].levels.values()), "in the end all is as it was"
    assert check_storm(storm, told, LINES) < storm.due(storm.end_ns)
    assert [] == reports


def test_a_host_that_does_not_read_for_a_while_is_told_what_it_missed() -> None:
    """The chip hangs in its write, then drops: the ring runs over, and a gap says so."""
    told: list[Input] = []
    with SimulatedBox() as simulated:
        port = Deaf(simulated.port)
        source = Box(lambda: port, LINES)
        source.start(told.append, lambda _: None)
        try:
            wait_for(lambda: source.session.settled)
            port.deaf_until = time.monotonic() + 0.8
            storm = simulated.storm(200 * MS, TEN_KHZ_NS * 20)
            wait_for(lambda: time.monotonic() > port.deaf_until and source.session.settled)
            wait_for(lambda: isinstance(told[-1], Watermark) and told[-1].t_ns > storm.end_ns)
        finally:
            source.close()
    assert [] != [item for item in told if isinstance(item, Gap)]
    check_storm(storm, told, LINES)


class Deaf(SerialPort):
    """A port at which nobody reads for a while."""

    deaf_until = 0.0

    def read(self, wait_s: float) -> bytes:
        """Return what has come, or nothing."""
        if time.monotonic() < self.deaf_until:
            time.sleep(min(wait_s, 0.01))
            return b""
        return super().read(wait_s)


def wait_for(wanted: Callable[[], bool]) -> None:
    """Wait until it is so."""
    until = time.monotonic() + 20
    while not wanted():
        assert time.monotonic() < until
        time.sleep(0.005)
