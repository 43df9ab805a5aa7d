"""The wire between box and host: both ends joined, cut at every byte, damaged, and fed with noise."""

from __future__ import annotations

import struct
from binascii import crc32
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.hardware.box import protocol
from lastnose.hardware.box.protocol import (
    Bye,
    Decoder,
    Events,
    Fault,
    Heartbeat,
    Hello,
    Overrun,
    Pong,
    Told,
    ask,
    lamp,
    leave,
    ping,
    resend,
    setup,
)

from tests.support.examples import examples

frames: Any = protocol.load("frames")
WORD = st.integers(0, 2**32 - 1)
PAIRS = st.lists(st.tuples(WORD, WORD), min_size=1, max_size=28)


def events_frame(seq: int, index: int, pairs: list[tuple[int, int]]) -> bytes:
    """Return EVENTS as the box sends it."""
    payload = b"".join(struct.pack("<II", *pair) for pair in pairs)
    return bytes(frames.frame(frames.EVENTS, len(pairs), seq, index, payload))


SAMPLES: list[tuple[bytes, Told]] = [
    (
        frames.frame(
            frames.HELLO,
            0,
            0,
            0,
            struct.pack("<IBBBBIIHB", 7, 1, 2, 3, 1, 5_000_000, 0x0FFF, 9, 28) + bytes(range(0xE6, 0xEE)),
        ),
        Hello(7, (1, 2, 3), 1, 5_000_000, 0x0FFF, 9, 28, "E6E7E8E9EAEBECED"),
    ),
    (events_frame(1, 0, [(0, 0), (0x80000001, 0xFFFFFFFF)]), Events(0, ((0, 0), (0x80000001, 0xFFFFFFFF)))),
    (frames.frame(frames.HEARTBEAT, 0, 2, 2, struct.pack("<IIII", 500, 3, 0, 1)), Heartbeat(500, 2, 3, 0, 1)),
    (frames.frame(frames.PONG, 0, 3, 2, struct.pack("<II", 9, 501)), Pong(9, 501, 2)),
    (frames.frame(frames.OVERRUN, 0, 4, 77, struct.pack("<II", 600, 1)), Overrun(77, 600, 1)),
    (frames.frame(frames.BYE, 0, 5, 0, b""), Bye()),
    (frames.frame(frames.PONG, 0, 3, 2, struct.pack("<III", 9, 2**32 - 7, 501)), Pong(9, 501, 2, 508)),
]
WIRE = b"".join(data for data, _ in SAMPLES)
TOLD = [told for _, told in SAMPLES]


def feed(*parts: bytes) -> list[Told]:
    """Return all that a fresh decoder tells."""
    decoder = Decoder()
    return [told for part in parts for told in decoder.feed(part)]


def test_frames_come_through_wherever_the_stream_is_cut() -> None:
    """The firmware's encoder into the host's decoder, split at every byte."""
    for cut in range(len(WIRE) + 1):
        assert TOLD == feed(WIRE[:cut], WIRE[cut:]), cut


COMMANDS = {
    ask(): (frames.ASK, 0, b""),
    setup(0x1FFF, 28): (frames.SETUP, 0, struct.pack("<IB", 0x1FFF, 28)),
    setup(1): (frames.SETUP, 0, struct.pack("<IB", 1, 255)),
    ping(2**32 + 5): (frames.PING, 2**32 - 1, struct.pack("<I", 5)),
    resend(9_000): (frames.RESEND, 9_000, b""),
    lamp("armed"): (frames.LAMP, 0, b"\x02"),
    leave(): (frames.LEAVE, 0, b""),
}


def test_commands_come_through_wherever_they_are_cut() -> None:
    """The host's encoder into the firmware's splitter."""
    wire = b"".join(COMMANDS)
    for cut in range(len(wire) + 1):
        splitter = frames.Splitter()
        told = [*splitter.feed(wire[:cut]), *splitter.feed(wire[cut:])]
        assert list(COMMANDS.values()) == [(kind, index, payload) for kind, _, _, index, payload in told], cut
        assert 0 == splitter.damaged, cut


def blocks_undone(stuffed: bytes) -> bytes:
    """Return what was stuffed, by another route: cut into blocks, and joined with the zeros between them."""
    blocks = []
    while stuffed:
        blocks.append(stuffed[: stuffed[0]])
        stuffed = stuffed[stuffed[0] :]
    return b"".join(block[1:] + b"\0" * (len(block) < 255) for block in blocks[:-1]) + blocks[-1][1:]


@given(data=st.binary(max_size=600))
def test_stuffing_has_no_zero_and_is_undone(data: bytes) -> None:
    """As the paper undoes it, too: block by block, each with the zero that its length stands for."""
    stuffed = frames.stuff(data)
    assert 0 not in stuffed
    assert data == frames.unstuff(stuffed) == blocks_undone(stuffed)


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        (b"", "01"),
        (b"\0", "0101"),
        (b"\0\0", "010101"),
        (b"\x11\x22\0\x33", "0311220233"),
        (b"\x11\0\0\0", "0211010101"),
        (bytes(range(1, 255)), "ff" + bytes(range(1, 255)).hex() + "01"),
    ],
)
def test_stuffing_is_the_one_of_the_paper(plain: bytes, stuffed: str) -> None:
    """Examples worked out by hand; after 254 bytes without zero comes a new block."""
    assert stuffed == frames.stuff(plain).hex()
    assert plain == frames.unstuff(bytes.fromhex(stuffed))
    assert frames.unstuff(b"\x05a") is None


@settings(max_examples=examples(60), deadline=None)
@given(pairs=PAIRS, index=WORD, seq=st.integers(0, 65_535), cut=st.integers(0, 300))
def test_any_events_come_through(pairs: list[tuple[int, int]], index: int, seq: int, cut: int) -> None:
    """Whatever pins and ticks are."""
    wire = events_frame(seq, index, pairs)
    assert [Events(index, tuple(pairs))] == feed(wire[:cut], wire[cut:])


@settings(max_examples=examples(200), deadline=None)
@given(data=st.data(), pairs=PAIRS)
def test_no_event_is_taken_from_a_damaged_frame(data: st.DataObject, pairs: list[tuple[int, int]]) -> None:
    """Any one byte changed, lost or put in: the frame is a fault, and the next one is read again."""
    wire = bytearray(events_frame(0, 5, pairs))
    at = data.draw(st.integers(0, len(wire) - 2))
    how = data.draw(st.sampled_from(["change", "lose", "add"]))
    if how == "change":
        wire[at] ^= data.draw(st.integers(1, 255))
    elif how == "lose":
        del wire[at]
    else:
        wire.insert(at, data.draw(st.integers(0, 255)))
    told = feed(bytes(wire), *(frame for frame, _ in SAMPLES[5:]))
    taken = [one for one in told if isinstance(one, Events)]
    assert [one for one in taken if one != Events(5, tuple(pairs))] == []
    assert Bye() in told


@settings(max_examples=examples(300), deadline=None)
@given(parts=st.lists(st.binary(max_size=400), max_size=5))
def test_noise_is_never_an_event_and_never_an_error(parts: list[bytes]) -> None:
    """Both ends take anything."""
    splitter = frames.Splitter()
    assert [] == [told for part in parts for told in splitter.feed(part)]
    assert [] == [told for told in feed(*parts) if not isinstance(told, Fault)]


def test_a_sequence_that_goes_back_is_a_new_beginning() -> None:
    """A box that has started again counts from 0: nothing was skipped, and 65,000 least of all."""
    frames = protocol.load("frames")
    wire = [frames.frame(frames.BYE, 0, seq, 0, b"") for seq in (700, 701, 0, 1, 3)]
    assert [Bye(), Bye(), Bye(), Bye(), Fault("skipped"), Bye()] == list(Decoder().feed(b"".join(wire)))


def test_skipped_frames_are_counted() -> None:
    """Numbers go on after 65,535; from 65,534 to 1 two are missing."""
    told = feed(events_frame(65_534, 0, [(1, 1)]), events_frame(1, 5, [(1, 2)]))
    assert [Events(0, ((1, 1),)), Fault("skipped", 2), Events(5, ((1, 2),))] == told


def test_a_frame_that_never_ends_is_one_fault() -> None:
    """Memory does not grow, and the next frame is read."""
    assert [Fault("damaged"), Bye()] == feed(b"\x07" * 5_000, b"\x07" * 5_000 + b"\0", SAMPLES[5][0])


@pytest.mark.parametrize("body", [b"\x63" + bytes(7), b"\x02\x02" + bytes(6) + bytes(8), b"\x04" + bytes(7)])
def test_a_frame_of_unknown_kind_or_length_is_a_fault(body: bytes) -> None:
    """With a right CRC: a newer firmware, or none of ours."""
    wire = frames.stuff(body + struct.pack("<I", crc32(body))) + b"\0"
    assert [Fault("unknown")] == feed(wire)
