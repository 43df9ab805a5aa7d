"""Frames of the buzzer box: bodies in, bytes for the wire out, and back. Pure, for MicroPython and CPython.

On the wire a frame is COBS(body + CRC-32) and one zero byte. A body is type u8, count u8, seq u16, index
u32, little endian, and what belongs to its type; see firmware/README.md.
"""

import struct
from binascii import crc32

PROTOCOL = 2
HELLO, EVENTS, HEARTBEAT, PONG, OVERRUN, BYE = 1, 2, 3, 4, 5, 6
ASK, SETUP, PING, RESEND, LAMP, LEAVE = 0x81, 0x82, 0x83, 0x84, 0x85, 0x86
MAX_EVENTS = 28  # so that a whole frame is one block of COBS, most of the time
MAX_FRAME = 300
_HEAD = "<BBHI"


def stuff(data):
    """Return *data* without zero bytes (COBS)."""
    out = bytearray()
    for part in bytes(data).split(b"\0"):
        while len(part) >= 254:
            out.append(255)
            out.extend(part[:254])
            part = part[254:]
        out.append(len(part) + 1)
        out.extend(part)
    return bytes(out)


def unstuff(data):
    """Return what `stuff` was given; None when *data* cannot be that."""
    out = bytearray()
    at, end = 0, len(data)
    while at < end:
        code = data[at]
        after = at + code
        if code == 0 or after > end:
            return None
        out.extend(data[at + 1 : after])
        at = after
        if code < 255 and at < end:
            out.append(0)
    return bytes(out)


def frame(kind, count, seq, index, payload):
    """Return a frame for the wire, with its closing zero."""
    body = struct.pack(_HEAD, kind, count, seq & 0xFFFF, index & 0xFFFFFFFF) + bytes(payload)
    return stuff(body + struct.pack("<I", crc32(body) & 0xFFFFFFFF)) + b"\0"


def unframe(data):
    """Return (type, count, seq, index, payload) of a frame without its zero; None when it is damaged."""
    body = unstuff(data)
    if body is None or len(body) < 12:
        return None
    if struct.unpack("<I", body[-4:])[0] != crc32(body[:-4]) & 0xFFFFFFFF:
        return None
    kind, count, seq, index = struct.unpack(_HEAD, body[:8])
    return kind, count, seq, index, body[8:-4]


class Splitter:
    """Bytes in, whole frames out. Damaged and endless ones are dropped: the other side asks again."""

    def __init__(self):
        self._held = bytearray()
        self._skips = False
        self.damaged = 0

    def feed(self, data):
        """Take bytes; return the frames that are whole now, as `unframe` tells them."""
        out = []
        parts = bytes(data).split(b"\0")
        for part in parts[:-1]:
            self._hold(part)
            if self._held and not self._skips:
                told = unframe(self._held)
                if told is None:
                    self.damaged += 1
                else:
                    out.append(told)
            elif self._skips:
                self.damaged += 1
            self._held = bytearray()
            self._skips = False
        self._hold(parts[-1])
        return out

    def _hold(self, part):
        if len(self._held) + len(part) > MAX_FRAME:
            self._held = bytearray()
            self._skips = True
        if not self._skips:
            self._held.extend(part)
