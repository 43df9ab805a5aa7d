"""What the firmware does in machine code is what its pure files do: same bytes out, same commands in."""

from __future__ import annotations

import struct
from array import array
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.hardware.box import protocol
from lastnose.hardware.box.protocol import Decoder, Events, Heartbeat, Overrun, Pong
from lastnose.hardware.box.session import Pings

from tests.support import viper

FRAMES = protocol.load("frames")
PINS_NOW = 0x1C00_0005
COUNT = 0x0FFF_FFFF


class Chip:
    """`quick.QuickLink` over a memory where timer, DMA and pins are plain numbers."""

    def __init__(self) -> None:
        self.quick, memory = viper.load()
        self.timer, self.dma = array("I", [0]), array("I", [COUNT])
        self.pins = array("I", [PINS_NOW])
        self.words = array("I", bytes(4 * self.quick.WORDS))
        self.memory = bytearray(8 * 1024)
        for name, where in (("TIMER", self.timer), ("DMA", self.dma), ("PINS", self.pins)):
            self.words[getattr(self.quick, name)] = memory.addressof(where)
        self.sent = b""
        self.came = bytearray()
        self.wire = self.quick.QuickLink(self._ready, self._read_into, self._write, self)

    def _ready(self, _wait: int) -> tuple[int, ...]:
        return (1,) if self.came else ()

    def _read_into(self, buffer: bytearray, count: int) -> None:
        assert count <= len(self.came), "the box would wait for bytes that never come"
        buffer[:count], self.came[:count] = self.came[:count], b""

    def _write(self, data: bytearray, count: int) -> None:
        self.sent += bytes(data[:count])

    def heard(self) -> list[tuple[int, bytes]]:
        """Return the commands that wait, each with what belongs to it."""
        out = []
        while self.came:
            kind = self.wire.hear()
            if kind:
                out.append((kind, self.wire.payload()))
        return out


payloads = st.one_of(st.binary(max_size=224), st.lists(st.sampled_from([0, 1, 255]), max_size=224).map(bytes))


@settings(deadline=None)
@given(payload=payloads, kind=st.integers(1, 6), index=st.integers(0, 2**30 - 1), seq=st.integers(0, 65_535))
def test_a_frame_has_the_bytes_that_the_pure_one_has(payload: bytes, kind: int, index: int, seq: int) -> None:
    """Whatever is in it: full of zeros, and with a block of 254 and more without any."""
    chip = Chip()
    chip.wire._seq = seq
    chip.wire.say(kind, len(payload) // 8, index, payload)
    assert FRAMES.frame(kind, len(payload) // 8, seq, index, payload) == chip.sent


@settings(deadline=None)
@given(
    data=st.lists(
        st.sampled_from([b"\0", b"\xff", bytes(3), b"\1" * 100, b"\2" * 253, b"\3" * 254]), max_size=8
    )
)
def test_stuffing_is_the_pure_one(data: list[bytes]) -> None:
    """Also of more than a frame holds: blocks of 254 and their ends."""
    quick, memory = viper.load()
    given = bytearray(b"".join(data))
    out = bytearray(len(given) + 30)
    begin = memory.addressof(given)
    size = quick.stuff(begin, memory.addressof(out), begin + len(given))
    assert FRAMES.stuff(given) + b"\0" == out[:size]


@pytest.mark.parametrize("first", [0, 900, 1_010, 1_023, 5_000_000])
@pytest.mark.parametrize("count", [1, 28])
def test_events_are_those_of_the_ring(first: int, count: int) -> None:
    """Also across its end, and where the first of all do not count."""
    chip = Chip()
    chip.memory[:] = Random(first).randbytes(len(chip.memory))
    chip.words[chip.quick.SKIPPED] = 7
    chip.wire.prepare(first, count)
    chip.wire.send()
    (told,) = Decoder().feed(chip.sent)
    events = struct.unpack("<2048I", chip.memory)
    at = [(first + 7 + n) % 1024 for n in range(count)]
    assert Events(first, tuple((events[2 * n], events[2 * n + 1]) for n in at)) == told


def test_a_pong_tells_when_its_ping_was_seen_and_how_many_events_there_were() -> None:
    """The timer near its end: 5 ticks to a microsecond, in 32 bits that wrap."""
    chip = Chip()
    chip.words[chip.quick.OFFSET] = 1_000
    chip.dma[0], chip.words[chip.quick.SKIPPED] = COUNT - 91, 3  # 45 whole events
    chip.timer[0] = 0xFFFF_FFF0
    chip.came += protocol.ping(0x04030201)
    assert 0x83 == chip.wire.hear()
    chip.timer[0] = 10  # 26 µs later
    chip.wire.pong()
    chip.wire.send()
    chip.wire.beat(70, 2)
    chip.wire.send()
    chip.wire.overrun(900)
    pong, beat, overrun = Decoder().feed(chip.sent)
    assert Pong(0x04030201, 1_050, 42, 26 * 5) == pong
    assert Heartbeat(1_050, 42, PINS_NOW, 70, 2) == beat
    assert Overrun(900, 1_050, PINS_NOW) == overrun


COMMANDS = [
    protocol.ask(),
    protocol.setup(0x1C7F_FFFF, 28),
    protocol.ping(0x0101_0101),
    protocol.resend(2**31),
    protocol.lamp("armed"),
    protocol.leave(),
]


@settings(deadline=None)
@given(commands=st.lists(st.sampled_from(COMMANDS), max_size=12), damage=st.binary(max_size=30))
def test_commands_are_those_that_the_pure_splitter_hears(commands: list[bytes], damage: bytes) -> None:
    """Also behind what is no command, once the host has asked again: it never waits in vain."""
    chip, wire = Chip(), b"".join(commands)
    chip.came += wire
    pure = [(kind, payload) for kind, _, _, _, payload in FRAMES.Splitter().feed(wire)]
    assert pure == chip.heard()
    chip.came += damage + 2 * protocol.ask()
    told = chip.heard()
    assert (FRAMES.ASK, b"") == told[-1]


def test_the_host_counts_its_pings_without_a_zero_so_that_each_is_read_at_once() -> None:
    """The first 70,000, and over the end."""
    pings = Pings()
    for begin in (0, 0xFEFF_FFFE, 0xFFFF_FFFD):
        pings._number, seen = begin, set()
        for _ in range(300 if begin else 70_000):
            pings._sent.clear()
            pings.send(0, quick=True)
            assert 0 not in pings._number.to_bytes(4, "little")
            seen.add(pings._number)
        assert len(seen) == (300 if begin else 70_000)


def test_pings_yield_to_events_on_their_way_and_follow_soon_when_something_happens() -> None:
    """Every 20 ms, not in bursts; 5 ms after an event, though nothing had happened for long."""
    pings = Pings()
    pings.send(10**10, quick=True, busy=True)
    assert pings.answered(pings._number, 10**10 + 1) == 10**10
    assert 20_000_000 == pings.wait_ns(10**10)
    pings.soon(10**10 + 1_000_000)
    assert 6_000_000 == pings.wait_ns(10**10)
    pings.soon(10**10 + 2_000_000)
    assert 6_000_000 == pings.wait_ns(10**10), "what is due earlier stays so"


def test_a_damaged_command_is_none() -> None:
    """One bit anywhere in a ping."""
    ping = protocol.ping(0x0503_0201)
    for bit in range(8 * (len(ping) - 1)):
        chip = Chip()
        data = bytearray(ping)
        data[bit // 8] ^= 1 << bit % 8
        chip.came += data + bytes(40)
        assert [] == chip.heard(), bit
