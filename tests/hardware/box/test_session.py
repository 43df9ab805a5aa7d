"""A box and its session with the real firmware between them: every edge is told, or its loss is."""

from __future__ import annotations

import struct
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Gap, Levels, Watermark
from lastnose.hardware.box import protocol
from lastnose.hardware.box.protocol import Decoder, Pong
from lastnose.hardware.box.session import BoxSession
from lastnose.hardware.box.sync import SyncWire

from tests.support.box_rig import MS, STEP_NS, US, Rig, S, World
from tests.support.examples import examples

LINES = {"nose.1": 0, "nose.2": 1, "spoon.1": 13}


def ready(**settings: object) -> tuple[World, Rig]:
    """Return a rig whose levels stand."""
    world = World()
    rig = Rig(world, LINES, **settings)  # type: ignore[arg-type]
    world.run(300 * MS)
    return world, rig


def test_levels_come_first_and_say_what_stamps_are_worth() -> None:
    """Contacts to ground: an open nose is 0, an open spoon reed 0 too."""
    world = World()
    rig = Rig(world, LINES)
    rig.chip.press(1)
    world.run(300 * MS)
    first = rig.told[0]
    assert isinstance(first, Levels)
    assert {"nose.1": 0, "nose.2": 1, "spoon.1": 0} == first.levels
    assert 101 == first.u_ns
    assert 0 < first.clock_u_ns < 1 * MS
    assert [] == rig.gaps()
    rig.check_promises()


def test_an_edge_is_where_it_was_to_what_it_says() -> None:
    """Stamp error and clock error together hold the truth; distances on the box hold to 0.2 µs."""
    world, rig = ready()
    times = []
    for number in range(20):
        t_ns = world.now_ns
        rig.chip.press(0, t_ns)
        world.run(7 * MS)
        rig.chip.release(0)
        world.run(30 * MS)
        times.append(t_ns)
        assert number + 1 == len(rig.edges()) // 2
    presses = [edge for edge in rig.edges() if edge.level]
    for edge, t_ns in zip(presses, times, strict=True):
        assert abs(edge.t_ns - t_ns) <= edge.u_ns + edge.clock_u_ns
        assert (101, "nose.1", "box") == (edge.u_ns, edge.line, edge.source)
    rig.check_promises()


def test_two_presses_keep_their_distance_to_a_tick() -> None:
    """412 µs apart, whatever the clock's own error."""
    world, rig = ready()
    rig.chip.press(0)
    rig.chip.press(1, world.now_ns + 412 * US)
    world.run(60 * MS)
    one, other = rig.edges()
    assert 412_000 == pytest.approx(other.t_ns - one.t_ns, abs=one.u_ns + other.u_ns)


def test_pins_that_change_in_one_tick_are_a_true_tie() -> None:
    """One event, two edges, one time."""
    world, rig = ready()
    sampler = rig.chip.sampler
    sampler.levels &= ~1
    sampler.set(1, 0, world.now_ns)
    world.run(60 * MS)
    one, other = rig.edges()
    assert (one.t_ns, one.u_ns) == (other.t_ns, other.u_ns)
    assert {"nose.1", "nose.2"} == {one.line, other.line}


def test_an_edge_amid_the_telling_of_another_is_worth_less() -> None:
    """Three ticks after an event the sampler looks again: ± 300 ns."""
    world, rig = ready()
    rig.chip.press(0)
    rig.chip.press(1, world.now_ns + 600)
    world.run(60 * MS)
    assert [101, 301] == [edge.u_ns for edge in rig.edges()]


def test_promises_follow_quickly_after_a_press() -> None:
    """Within 15 ms one has passed it, so that a verdict can be given; however quiet it was before."""
    for quiet_ms in range(0, 40, 7):
        world, rig = ready()
        world.run(S + quiet_ms * MS)
        t_ns = world.now_ns
        rig.chip.press(0)
        world.run(15 * MS)
        assert [item for item in rig.told if isinstance(item, Watermark) and item.t_ns > t_ns + MS], quiet_ms


@pytest.mark.parametrize("begin", [2**32 - 3 * 5_000_000, 2**32 - 1, 2**31 - 5_000_000])
def test_ticks_go_on_over_their_end(begin: int) -> None:
    """859 s after the start the counter begins again; edges before and after keep their distance."""
    world, rig = ready(begin_tick=begin)
    t_ns = world.now_ns
    for _ in range(60):
        rig.chip.press(0)
        world.run(50 * MS)
        rig.chip.release(0)
        world.run(50 * MS)
    edges = rig.edges()
    assert 120 == len(edges)
    assert edges[-1].t_ns - edges[0].t_ns == pytest.approx(5_950 * MS, rel=2e-4)
    assert abs(edges[0].t_ns - t_ns) < MS
    assert [] == rig.gaps()
    rig.check_promises()


def play(world: World, rig: Rig, chance: Random, edges: int, pause_ns: int) -> list[tuple[int, str, int]]:
    """Move lines at random; return what happened as (time, line, level)."""
    out = []
    state = dict.fromkeys(LINES, 0)
    for _ in range(edges):
        line = chance.choice(list(LINES))
        state[line] ^= 1
        (rig.chip.press if state[line] else rig.chip.release)(LINES[line])
        out.append((world.now_ns, line, state[line]))
        world.run(chance.randrange(STEP_NS, pause_ns))
    return out


def check_told(rig: Rig, true: list[tuple[int, str, int]]) -> None:
    """Every edge that happened is told in order, or lies in a gap; what is told, happened."""
    rig.check_promises()
    edges = rig.edges()
    told = {(edge.line, edge.level, at): edge for at, edge in enumerate(edges)}
    assert len(told) == len(edges)
    rest = list(edges)
    for t_ns, line, level in true:
        match = next(
            (
                e
                for e in rest
                if (e.line, e.level) == (line, level) and abs(e.t_ns - t_ns) <= e.u_ns + e.clock_u_ns
            ),
            None,
        )
        if match is not None:
            rest.remove(match)
        else:
            assert any(gap.from_ns - MS <= t_ns <= gap.to_ns + MS for gap in rig.gaps()), (t_ns, line, level)
    assert [] == rest


@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 1 << 16), loss=st.sampled_from([0.0, 0.05, 0.3]), bad=st.sampled_from([0.0, 0.2]))
def test_frames_lost_and_damaged_on_the_way_cost_no_edge(seed: int, loss: float, bad: float) -> None:
    """What is missing is asked for again; nothing is told twice, early or wrongly."""
    world, rig = ready(seed=seed)
    chance = Random(seed)
    rig.lose = lambda: chance.random() < loss

    def corrupt(data: bytes) -> bytes:
        if chance.random() >= bad:
            return data
        at = chance.randrange(len(data))
        return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]

    rig.chip.line.corrupt = corrupt
    true = play(world, rig, chance, 60, 8 * MS)
    rig.lose, rig.chip.line.corrupt = lambda: False, None
    world.run(600 * MS)
    check_told(rig, true)
    if loss == bad == 0.0:
        assert [] == rig.gaps()
        assert len(true) == len(rig.edges())


def test_a_ring_that_ran_over_is_a_gap_and_then_levels() -> None:
    """3,000 changes at once: a gap from the last promise, how the lines are, and edges again."""
    world, rig = ready()
    rig.chip.sampler.flood(3_000, 0)
    rig.chip.press(1)
    t_ns = world.now_ns
    world.run(300 * MS)
    (gap,) = rig.gaps()
    assert gap.from_ns <= t_ns <= gap.to_ns
    after = rig.told[rig.told.index(gap) + 1]
    assert isinstance(after, Levels)
    assert {"nose.1": 0, "nose.2": 1, "spoon.1": 0} == after.levels
    rig.chip.release(1)
    world.run(50 * MS)
    assert ("nose.2", 0) == (rig.edges()[-1].line, rig.edges()[-1].level)
    assert rig.session.counts.overruns == 0 or rig.session.counts.overruns > 1_000
    rig.check_promises()


def test_a_late_request_for_what_is_gone_costs_no_event() -> None:
    """The host has had those events long since; what it has not had is told all the same."""
    world, rig = ready()
    sampler = rig.chip.sampler
    for number in range(1_500):
        sampler.set(0, number % 2, world.now_ns)
        if number % 300 == 299:
            world.run(20 * MS)
    for number in range(700):
        sampler.set(0, number % 2, world.now_ns)
    rig.chip.line.to_box += protocol.resend(1)
    world.run(200 * MS)
    assert [] == rig.gaps()
    assert 2_200 == len(rig.edges())
    assert 0 == rig.chip.box._overruns
    rig.check_promises()


@pytest.mark.parametrize("index", [1, 900])
def test_events_that_come_while_old_ones_are_sent_again_cost_none(index: int) -> None:
    """The host asked, then had them after all; the box goes back for nothing, and 700 more changes come."""
    world, rig = ready(paced=True)
    sampler = rig.chip.sampler
    for number in range(1_500):
        sampler.set(0, number % 2, world.now_ns)
        if number % 300 == 299:
            world.run(40 * MS)
    rig.chip.line.to_box += protocol.resend(index)
    world.run(3 * MS)
    for number in range(700):
        sampler.set(0, number % 2, world.now_ns)
    world.run(300 * MS)
    assert [] == rig.gaps()
    assert 2_200 == len(rig.edges())
    rig.check_promises()


def test_a_stall_in_the_chip_starts_a_new_time_base_and_is_a_gap() -> None:
    """The box cannot say what it missed, so it says that it missed something."""
    world, rig = ready()
    rig.chip.sampler.stall()
    world.run(500 * MS)
    assert 1 == len(rig.gaps())
    rig.chip.press(0)
    world.run(50 * MS)
    assert 1 == len(rig.edges())
    assert 1 == rig.session.counts.reboots
    rig.check_promises()


def test_a_reboot_is_a_gap_and_everything_goes_on() -> None:
    """A new boot number; the clock is learnt again; the nose pressed meanwhile is in the levels."""
    world, rig = ready()
    rig.chip.press(0)
    world.run(50 * MS)
    rig.chip.reboot()
    rig.chip.press(1)
    world.run(S)
    assert 1 <= len(rig.gaps())
    levels = [item for item in rig.told if isinstance(item, Levels)]
    assert {"nose.1": 1, "nose.2": 1, "spoon.1": 0} == levels[-1].levels
    rig.chip.release(0)
    t_ns = world.now_ns
    world.run(50 * MS)
    assert abs(rig.edges()[-1].t_ns - t_ns) < MS
    rig.check_promises()


def test_a_gap_reaches_to_the_last_lost_edge_however_wrong_the_clock_is() -> None:
    """4 ms there and none back: the clock is 2 ms early, and says so. A nose moves through a restart."""
    world, rig = ready(there_ns=4 * MS)
    rig.chip.reboot()
    moved = []
    while not moved or not any(isinstance(item, Levels) for item in rig.told[1:]):
        (rig.chip.release if len(moved) % 2 else rig.chip.press)(0)
        moved.append(world.now_ns)
        world.run(STEP_NS)
    world.run(300 * MS)
    told = len(rig.edges())
    first, lost_ns = moved[0], moved[len(moved) - told - 1]
    levels = [item for item in rig.told if isinstance(item, Levels)][-1]
    assert levels.t_ns < lost_ns, "by itself the levels' time would end the gap too early"
    gaps = rig.gaps()
    assert gaps[0].from_ns <= first
    assert lost_ns <= gaps[-1].to_ns <= lost_ns + 2 * (levels.u_ns or 0) + 2 * levels.clock_u_ns
    rig.check_promises()


def test_a_firmware_of_the_protocol_before_is_understood() -> None:
    """Its PONG has one tick: what the box itself takes stays in the round trip."""
    world = World()
    rig = Rig(world, LINES)
    frames = protocol.load("frames")
    say = rig.chip.box.wire.say

    def as_before(kind: int, count: int, index: int, payload: bytes) -> None:
        if kind == frames.HELLO:
            payload = payload[:7] + b"\1" + payload[8:]
        say(kind, count, index, payload)

    def pong() -> None:
        sampler = rig.chip.sampler
        payload = struct.pack("<I", sampler.now())
        say(frames.PONG, 0, sampler.written(), rig.chip.box.wire.payload() + payload)

    rig.chip.box.wire.say, rig.chip.box.wire.pong = as_before, pong
    rig.chip.box._promise = lambda: None
    world.run(300 * MS)
    assert rig.session.hello is not None
    assert 1 == rig.session.hello.protocol
    rig.chip.press(0)
    world.run(50 * MS)
    assert ["nose.1"] == [edge.line for edge in rig.edges()]
    rig.check_promises()


def test_a_pulled_cable_is_a_gap_up_to_the_new_levels() -> None:
    """While it is away, gap and promise follow each other; afterwards edges are told again."""
    world, rig = ready()
    rig.unplug()
    world.run(200 * MS)
    rig.told += rig.session.away(world.now_ns)
    world.run(800 * MS)
    rig.told += rig.session.away(world.now_ns)
    rig.plug()
    rig.chip.press(0)
    world.run(400 * MS)
    gaps = rig.gaps()
    assert 3 == len(gaps)
    assert [gap.to_ns for gap in gaps[:-1]] == [gap.from_ns for gap in gaps[1:]]
    levels = [item for item in rig.told if isinstance(item, Levels)]
    assert 1 == levels[-1].levels["nose.1"]
    assert rig.told.index(gaps[-1]) < rig.told.index(levels[-1])
    rig.check_promises()


def test_a_hiccup_of_the_port_loses_nothing() -> None:
    """Same box, same time base, back within moments: what happened meanwhile is asked for, and no gap."""
    world, rig = ready()
    rig.unplug()
    world.run(40 * MS)
    rig.chip.press(0)
    t_ns = world.now_ns
    world.run(40 * MS)
    rig.plug(rebooted=False)
    world.run(300 * MS)
    assert [] == rig.gaps()
    (edge,) = rig.edges()
    assert abs(edge.t_ns - t_ns) <= edge.u_ns + edge.clock_u_ns
    rig.check_promises()


def test_a_host_that_comes_back_finds_the_same_time_base() -> None:
    """A new session on a box that runs: the sampler is not started again, and the levels are right."""
    world, rig = ready()
    rig.chip.press(1)
    world.run(50 * MS)
    boot = rig.chip.box.boot
    other = Rig(world, LINES)
    other.chip = rig.chip
    world.rigs.remove(rig)
    world.run(300 * MS)
    assert boot == rig.chip.box.boot
    first = other.told[0]
    assert isinstance(first, Levels)
    assert {"nose.1": 0, "nose.2": 1, "spoon.1": 0} == first.levels


def told_within_a_millisecond(world: World, rig: Rig) -> bool:
    """Press; return whether that is told, no further off than it claims, which is less than 1 ms."""
    t_ns = world.now_ns
    rig.chip.press(0)
    world.run(60 * MS)
    rig.chip.release(0)
    world.run(60 * MS)
    presses = [edge for edge in rig.edges() if edge.level and abs(edge.t_ns - t_ns) < MS]
    return [True] == [abs(edge.t_ns - t_ns) <= edge.u_ns + edge.clock_u_ns < MS for edge in presses]


@pytest.mark.parametrize("minutes", [7, 8, 14, 22])
def test_a_host_that_comes_back_after_minutes_knows_what_time_it_is(minutes: int) -> None:
    """When a nose moved last is told in 32 bits, which begin again every 859 s: that may be long ago."""
    world, rig = ready()
    rig.chip.press(1)
    world.run(50 * MS)
    world.rigs.remove(rig)
    world.now_ns += minutes * 60 * S
    other = Rig(world, LINES)
    other.chip = rig.chip
    world.run(300 * MS)
    assert told_within_a_millisecond(world, other)
    assert {"nose.1": 0, "nose.2": 1, "spoon.1": 0} == next(
        item.levels for item in other.told if isinstance(item, Levels)
    )
    other.check_promises()


@pytest.mark.parametrize("minutes", [1, 8, 12, 25])
def test_a_box_that_went_on_while_it_was_away_is_heard_again(minutes: int) -> None:
    """A hub with power of its own: the same box, the same time base, and perhaps more than 32 bits later."""
    world, rig = ready()
    rig.unplug()
    world.run(S)
    rig.told += rig.session.away(world.now_ns)
    world.now_ns += minutes * 60 * S
    rig.told += rig.session.away(world.now_ns)
    rig.plug(rebooted=False)
    world.run(300 * MS)
    assert told_within_a_millisecond(world, rig)
    assert 0 == rig.session.counts.reboots
    rig.check_promises()


@pytest.mark.parametrize("slept_ms", [500, 600_000, 3_600_000])
def test_a_host_that_slept_learns_the_time_of_its_box_again(slept_ms: int) -> None:
    """Its own clock stood still and the box's did not: a gap, and edges where they were."""
    world, rig = ready()
    rig.chip.sampler._base += slept_ms * MS // 200
    rig.chip.press(1)
    t_ns = world.now_ns
    world.run(300 * MS)
    assert all(abs(edge.t_ns - t_ns) <= edge.u_ns + edge.clock_u_ns for edge in rig.edges())
    (gap,) = rig.gaps()
    assert gap.from_ns <= t_ns <= gap.to_ns
    assert told_within_a_millisecond(world, rig)
    rig.check_promises()


def test_a_heartbeat_promises_nothing() -> None:
    """It waited while the host slept, and nobody can know yet that the box's clock went on half a second."""
    world, rig = ready()
    rig.chip.sampler._base += 500 * MS // 200
    rig.chip.line.taken()
    rig.chip.box.wire.beat(0, 0)
    rig.chip.box._promise()
    assert [] == rig.session.receive(rig.chip.line.taken(), world.now_ns)


def test_no_ping_has_the_number_of_one_before_the_box_began_again() -> None:
    """The answer to that one may still be on its way, and would say that a later time was seen earlier."""
    world = World()
    session = BoxSession("box", LINES)
    session.connected()
    pings = []
    for boot in (7, 8):
        frames = protocol.load("frames")
        hello = struct.pack("<IBBBBIIHB", boot, 1, 1, 0, 2, 5_000_000, 1 | 2 | 1 << 13, 9, 255) + bytes(8)
        session.receive(frames.frame(frames.HELLO, 0, boot, 0, hello), world.now_ns)
        world.now_ns += 10 * MS
        pings.append(session.outgoing(world.now_ns))
    assert 2 == len(set(pings))


def test_the_box_stops_talking_when_nobody_listens_and_shows_it() -> None:
    """Three seconds without a word from the host; the LED says link lost, then idle again."""
    world, rig = ready()
    assert 1 == rig.chip.lamp
    rig.unplug()
    for _ in range(40):
        world.run(100 * MS)
        rig.chip.box.poll()
    rig.chip.line.taken()
    rig.chip.press(0)
    rig.chip.box.poll()
    assert b"" == rig.chip.line.taken()
    assert 3 == rig.chip.lamp
    rig.plug(rebooted=False)
    world.run(300 * MS)
    assert 1 == rig.chip.lamp
    assert ["nose.1"] == [edge.line for edge in rig.edges()], "it was asked for"


@pytest.mark.parametrize("number", [0, 3])
def test_another_firmware_is_refused_with_what_to_do(number: int) -> None:
    """One sentence, with both versions."""
    frames = protocol.load("frames")
    world = World()
    rig = Rig(world, LINES)
    hello = struct.pack("<IBBBBIIHB", 7, 0, 9, 0, number, 5_000_000, 0, 9, 255) + bytes(8)
    with pytest.raises(DeviceError, match="lastnose box flash, or update Last Nose if") as said:
        rig.session.receive(frames.frame(frames.HELLO, 0, 0, 0, hello), world.now_ns)
    assert "0.9.0" in str(said.value)
    assert "1.1.0" in str(said.value)


def test_a_pong_counts_what_happened_before_it() -> None:
    """The tick is read first: an event that comes between is in the count, never after the promise."""
    _, rig = ready()
    rig.chip.press(0)

    rig.chip.line.to_box += protocol.ping(77)
    rig.chip.box.poll()
    (pong,) = [
        told for told in Decoder().feed(rig.chip.line.taken()) if isinstance(told, Pong) and told.id == 77
    ]
    assert rig.chip.sampler.written() == pong.written
    assert rig.chip.sampler.now() >= pong.tick


# ---- several boxes


def pair(seed: int = 1) -> tuple[World, Rig, Rig]:
    """Return two boxes at one table, the second over a slow hub, on a sync wire."""
    world = World()
    wire = SyncWire("box/1")
    one = Rig(world, {"nose.1": 0}, name="box/1", sync_pin=28, drives=True, wire=wire, ppm=60, seed=seed)
    two = Rig(
        world,
        {"nose.2": 0},
        name="box/2",
        sync_pin=28,
        wire=wire,
        ppm=-45,
        there_ns=500 * US,
        seed=seed + 1,
        serial="E66038B713000002",
    )
    one.chip.sampler.on_pulse.append(lambda level, t_ns: two.chip.sampler.set(28, level, t_ns))
    return world, one, two


@pytest.mark.parametrize("seed", [1, 2])
def test_with_a_sync_wire_two_boxes_agree_to_microseconds(seed: int) -> None:
    """Their edges say so, and the truth lies within."""
    world, one, two = pair(seed)
    world.run(20 * S)
    for _ in range(5):
        t_ns = world.now_ns
        one.chip.press(0, t_ns)
        two.chip.press(0, t_ns + 30 * US)
        world.run(40 * MS)
        one.chip.release(0)
        two.chip.release(0)
        world.run(370 * MS)
        first = [edge for edge in one.edges() if edge.level][-1]
        second = [edge for edge in two.edges() if edge.level][-1]
        w_ns = first.u_ns + second.u_ns
        assert abs(second.t_ns - first.t_ns - 30 * US) <= w_ns
        assert w_ns < 10 * US


def test_a_sync_wire_that_is_pulled_out_is_noticed() -> None:
    """From second to second the edges are worth less, down to what USB is worth; put back, more again."""
    world, one, two = pair()
    world.run(15 * S)

    def worth() -> int:
        two.chip.press(0)
        world.run(50 * MS)
        two.chip.release(0)
        world.run(50 * MS)
        return two.edges()[-1].u_ns

    assert worth() < 10 * US
    heard, one.chip.sampler.on_pulse = one.chip.sampler.on_pulse, []
    world.run(5 * S)
    assert 20 * US < worth() < 300 * US
    world.run(40 * S)
    assert worth() > 200 * US
    one.chip.sampler.on_pulse = heard
    world.run(3 * S)
    assert worth() < 20 * US
    assert [] == two.gaps()
    two.check_promises()


def test_gap_is_of_the_box_that_has_it() -> None:
    """The other box's lines are not in doubt."""
    world, one, two = pair()
    world.run(2 * S)
    one.chip.sampler.flood(3_000, 0)
    world.run(400 * MS)
    assert ["box/1"] == [gap.source for gap in one.gaps()]
    assert [] == [item for item in two.told if isinstance(item, Gap)]
