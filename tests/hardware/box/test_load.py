"""More changes than a box can tell: each is told in its turn, or lies in a gap. Nothing is lost unnoticed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.hardware.box.chip import Storm
from lastnose.hardware.box.ports import SerialPort
from lastnose.hardware.box.simulated import SimulatedBox

from tests.support import box_rig
from tests.support.box_rig import MS, US, Rig, World
from tests.support.box_storms import check_storm
from tests.support.boxes import listening
from tests.support.examples import examples
from tests.support.pico import PtyCable
from tests.support.streams import eventually

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
    """520,000 changes a second, far more than a Pico can encode: gaps, then levels, then edges again."""
    rig, storm = raging(26, TEN_KHZ_NS, 300 * MS)
    total = storm.due(storm.end_ns)
    assert 156_001 == total
    assert check_storm(storm, rig.told, LINES) < total
    gaps = rig.gaps()
    assert gaps[0].from_ns <= storm.begin_ns + 3 * MS
    assert storm.end_ns - 3 * MS <= gaps[-1].to_ns <= storm.end_ns + 150 * MS
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
    [(1, TEN_KHZ_NS), (26, 2 * MS), (26, 1_250 * US)],
    ids=["one at 10 kHz", "all at 250 Hz", "all at 400 Hz"],
)
def test_what_the_box_can_tell_is_told_to_the_last_change(pins: int, every_ns: int) -> None:
    """20,800 changes a second of a box half as slow again as was measured: no gap."""
    rig, storm = raging(pins, every_ns, 300 * MS)
    assert [] == rig.gaps()
    assert storm.due(storm.end_ns) == check_storm(storm, rig.told, LINES)
    rig.check_promises()


def test_a_hall_of_bouncing_buttons_is_told_within_100_ms_and_asked_for_once() -> None:
    """884 changes a microsecond apart: the host does not ask for what is on its way."""
    world = World()
    rig = Rig(world, LINES, paced=True)
    world.run(300 * MS)
    asked = rig.session.counts.resends
    begin_ns = world.now_ns + 1 * MS
    storm = Storm(PINS, begin_ns, begin_ns + 883 * US, 26 * US)
    rig.chip.sampler.storm(storm)
    world.run(101 * MS)
    assert 884 == storm.due(storm.end_ns) == len(rig.edges())
    marks = [item.t_ns for item in rig.told if isinstance(item, Watermark)]
    assert marks[-1] > storm.end_ns, "and the verdict can be given"
    assert asked == rig.session.counts.resends
    assert [] == rig.gaps()


def test_events_that_arrive_slowly_are_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """884 changes in 0.2 s over the wire, counted long before they come: each frame comes once."""
    monkeypatch.setattr(box_rig, "BYTE_NS", 25 * US)
    world = World()
    rig = Rig(world, LINES, paced=True)
    world.run(300 * MS)
    asked, had = rig.session.counts.resends, rig.session.counts.events
    begin_ns = world.now_ns + 1 * MS
    storm = Storm(PINS, begin_ns, begin_ns + 883 * US, 26 * US)
    rig.chip.sampler.storm(storm)
    world.run(400 * MS)
    assert 884 == rig.session.counts.events - had == len(rig.edges())
    assert asked == rig.session.counts.resends


def test_a_burst_that_fits_the_ring_is_told_whole() -> None:
    """900 changes within 1.8 ms: all 26 noses touched at once, each bouncing 35 times."""
    rig, storm = raging(26, TEN_KHZ_NS, 1_730 * US)
    total = storm.due(storm.end_ns)
    assert 900 <= total < 960
    assert [] == rig.gaps()
    assert total == check_storm(storm, rig.told, LINES)


@settings(max_examples=examples(12), deadline=None)
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
    with SimulatedBox(cable=PtyCable()) as simulated, listening(simulated, LINES) as heard:
        storm = simulated.storm(300 * MS)
        assert eventually(lambda: time.monotonic_ns() > storm.end_ns and heard.source.session.settled)
        standing = Standing(heard.told, storm.end_ns)
        heard.until(standing.known_after)
    assert 26 == len(storm.pins)
    assert dict.fromkeys(LINES, 0) == standing.levels, "in the end all is as it was"
    assert check_storm(storm, heard.told, LINES) < storm.due(storm.end_ns)
    assert heard.reports.empty()


def test_a_host_that_does_not_read_for_a_while_is_told_what_it_missed() -> None:
    """The chip hangs in its write, then drops: the ring runs over, and a gap says so."""
    with SimulatedBox(cable=PtyCable()) as simulated:
        port = Deaf(simulated.port)
        with listening(simulated, LINES, lambda: port) as heard:
            port.deaf_until = time.monotonic() + 0.8
            storm = simulated.storm(200 * MS, TEN_KHZ_NS * 20)
            assert eventually(lambda: time.monotonic() > port.deaf_until and heard.source.session.settled)
            heard.until(lambda item: isinstance(item, Watermark) and item.t_ns > storm.end_ns)
    assert [] != [item for item in heard.told if isinstance(item, Gap)]
    check_storm(storm, heard.told, LINES)


class Standing:
    """How the lines stand by what is told, until a time has passed that lies in no gap."""

    def __init__(self, told: Iterable[Input], end_ns: int) -> None:
        self._end_ns = end_ns
        self._lost = False
        self.levels: dict[str, int] = {}
        for item in told:
            self.known_after(item)

    def known_after(self, item: Input) -> bool:
        """Take *item*; return whether it promises the end, with nothing lost since the last levels."""
        if isinstance(item, Edge):
            self.levels[item.line] = item.level
        elif isinstance(item, Levels):
            self.levels |= item.levels
        self._lost = isinstance(item, Gap) or (self._lost and not isinstance(item, Levels))
        return isinstance(item, Watermark) and item.t_ns > self._end_ns and not self._lost


class Deaf(SerialPort):
    """A port at which nobody reads for a while."""

    deaf_until = 0.0

    def read(self, wait_s: float) -> bytes:
        """Return what has come, or nothing."""
        if time.monotonic() < self.deaf_until:
            time.sleep(min(wait_s, 0.01))
            return b""
        return super().read(wait_s)
