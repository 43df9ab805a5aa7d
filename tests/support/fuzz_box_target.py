"""What a fuzzer does with the box's host side. No input is an error; no event comes from a wrong CRC."""

from __future__ import annotations

import struct
from binascii import crc32

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Input, Watermark
from lastnose.hardware.box import protocol
from lastnose.hardware.box.protocol import Decoder, Events
from lastnose.hardware.box.session import BoxSession

FRAMES = protocol.load("frames")
LONGEST = 40
MASK = 0x2001
STEP_MS = 21  # longer than a ping waits while events are on their way
STEP_TICKS = STEP_MS * 5_000


def bodies() -> list[bytes]:
    """Return what a box says at first, and some more: a greeting, a pong, events, an overrun, a heartbeat."""
    hello = struct.pack("<IBBBBIIHB", 7, 1, 1, 0, 2, 5_000_000, MASK, 9, 255)
    pongs = [
        struct.pack("<BBHIIII", 4, 0, 2 + n, 1, 0x0101_0101 + n, n * STEP_TICKS, n * STEP_TICKS + 400)
        for n in range(5)
    ]
    return [
        struct.pack("<BBHI", 1, 0, 0, 0) + hello,
        pongs[0],
        struct.pack("<BBHIII", 2, 1, 3, 0, MASK, 100),
        *pongs[1:],
        struct.pack("<BBHIII", 4, 0, 7, 1, 0x0101_0106, 6 * STEP_TICKS),
        struct.pack("<BBHIII", 2, 1, 8, 1, 1, 6 * STEP_TICKS + 9_000),
        struct.pack("<BBHIII", 5, 0, 9, 9, 6 * STEP_TICKS + 9_900, 1),
        struct.pack("<BBHIIIII", 3, 0, 10, 9, 6 * STEP_TICKS + 12_000, 1, 7, 0),
    ]


def seeds() -> list[bytes]:
    """Return inputs to begin with: each body by itself, all of them in a row, and a whole frame."""
    frames = protocol.load("frames")
    said = [bytes([len(body)]) + body for body in bodies()]
    return [*said, b"".join(said[6:]), frames.frame(frames.EVENTS, 1, 0, 0, struct.pack("<II", 1, 2))]


def sound(data: bytes) -> int:
    """Return how many frames of *data* have a right CRC, found by another route than the decoder's."""
    bodies = [FRAMES.unstuff(part) for part in data.split(b"\0")[:-1] if part]
    return sum(
        body is not None and len(body) >= 12 and struct.pack("<I", crc32(body[:-4])) == body[-4:]
        for body in bodies
    )


def one(data: bytes) -> None:
    """Feed noise as it is, then as bodies of frames that are sound but for what they say."""
    told = list(Decoder().feed(data))
    assert sum(isinstance(frame, Events) for frame in told) <= sound(data)
    session = BoxSession("box", {"nose.1": 0, "spoon.1": 13})
    session.connected()
    now_ns = 1_000_000_000
    for body in bodies()[:7]:
        now_ns = said(session, body, now_ns, STEP_MS)
    assert session.settled
    at = 0
    while at < len(data):
        pause_ms, size = divmod(data[at], LONGEST)
        try:
            now_ns = said(session, data[at + 1 : at + 1 + size], now_ns, 1 + 60 * pause_ms)
        except DeviceError:
            return
        at += 1 + size


def said(session: BoxSession, body: bytes, now_ns: int, pause_ms: int) -> int:
    """Let the box say *body* in a sound frame after *pause_ms*; return when that is, in nanoseconds."""
    session.outgoing(now_ns)
    now_ns += pause_ms * 1_000_000
    told: list[Input] = session.receive(FRAMES.stuff(body + struct.pack("<I", crc32(body))) + b"\0", now_ns)
    marks = [item.t_ns for item in [*told, *session.overdue(now_ns)] if isinstance(item, Watermark)]
    assert marks == sorted(marks)
    assert all(mark_ns <= now_ns for mark_ns in marks)
    return now_ns
