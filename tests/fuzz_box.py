"""A coverage-guided fuzzer for the host's decoder and session: `python tests/fuzz_box.py -max_total_time=5`.

No input is an error, and no event comes from a frame whose CRC is wrong. Run by test_box_fuzz.
"""

from __future__ import annotations

import struct
import sys
from binascii import crc32

import atheris

with atheris.instrument_imports(include=["hardware.box", "companion.timing.clock"]):
    from hardware.box.protocol import Decoder, Events, unstuff
    from hardware.box.session import Session
from companion.errors import DeviceError
from hardware.box.protocol import stuff


def _sound(data: bytes) -> int:
    """Return how many frames of *data* have a right CRC, found by another route than the decoder's."""
    bodies = [unstuff(part) for part in data.split(b"\0")[:-1] if part]
    return sum(
        body is not None and len(body) >= 12 and struct.pack("<I", crc32(body[:-4])) == body[-4:]
        for body in bodies
    )


def one(data: bytes) -> None:
    """Feed noise as it is, then as the body of a frame that is sound but for what it says."""
    told = list(Decoder().feed(data))
    assert sum(isinstance(frame, Events) for frame in told) <= _sound(data)
    session = Session("box", {"nose.1": 0, "spoon.1": 13})
    session.connected()
    now_ns = 1_000_000_000
    for at in range(0, len(data), 24):
        body = data[at : at + 24]
        wire = stuff(body + struct.pack("<I", crc32(body))) + b"\0"
        now_ns += 1_000_000
        session.outgoing(now_ns)
        try:
            session.receive(wire, now_ns)
        except DeviceError:
            return
        session.overdue(now_ns)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
