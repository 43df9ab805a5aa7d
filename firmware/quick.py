"""What `plain.py` does, on the Pico: in machine code over buffers made once, so that nothing is allocated.

Viper's integers have 32 bits and wrap; addresses are passed as integers, as it takes four arguments at most.
"""

import struct
from array import array

import frames
import micropython
from uctypes import addressof

# What a sampler keeps in `words`, in this order: where timer, DMA's count, FDEBUG and the pins are read; the
# tick at the timer's 0; the events that do not count; whether ticks of now are known; the timer when a
# command was first seen.
TIMER, DMA, FDEBUG, PINS, OFFSET, SKIPPED, KNOWN, SEEN = 0, 1, 2, 3, 4, 5, 6, 7
WORDS = 8
LONGEST = 24  # no command's block of COBS is longer
ROOM = 48  # for a command
BODY = 8 + 8 * frames.MAX_EVENTS + 4


def crc_table():
    """Return what each byte does to a CRC-32."""
    out = array("I", bytes(1024))
    for number in range(256):
        crc = number
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
        out[number] = crc
    return out


@micropython.viper
def seal(crc: int, at: int, end: int, table: int):
    """Write the CRC-32 of the bytes from *at* to *end* behind them; *crc* is -1."""
    while at < end:
        crc = ptr32(table)[(crc ^ ptr8(at)[0]) & 255] ^ ((crc >> 8) & 0xFFFFFF)
        at += 1
    crc ^= -1
    out = ptr8(end)
    out[0] = crc & 255
    out[1] = (crc >> 8) & 255
    out[2] = (crc >> 16) & 255
    out[3] = (crc >> 24) & 255


@micropython.viper
def sealed(crc: int, at: int, end: int, table: int) -> int:
    """Return 1 if the four bytes at *end* are the CRC-32 of those from *at* on, else 0; *crc* is -1."""
    while at < end:
        crc = ptr32(table)[(crc ^ ptr8(at)[0]) & 255] ^ ((crc >> 8) & 0xFFFFFF)
        at += 1
    crc ^= -1
    told = ptr8(end)
    if told[0] != crc & 255 or told[1] != (crc >> 8) & 255:
        return 0
    if told[2] != (crc >> 16) & 255 or told[3] != (crc >> 24) & 255:
        return 0
    return 1


@micropython.viper
def stuff(at: int, out: int, end: int) -> int:
    """Write the bytes from *at* to *end* to *out* without zeros (COBS), and a zero; return how many."""
    begin = out
    hole = out
    out += 1
    while at < end:
        byte = ptr8(at)[0]
        at += 1
        if byte:
            ptr8(out)[0] = byte
            out += 1
            if out - hole == 255:
                ptr8(hole)[0] = 255
                hole = out
                out += 1
        else:
            ptr8(hole)[0] = out - hole
            hole = out
            out += 1
    ptr8(hole)[0] = out - hole
    ptr8(out)[0] = 0
    return out + 1 - begin


@micropython.viper
def lay(ring: ptr32, body: ptr32, first: int, count: int):
    """Copy *count* events from the ring of 1,024, from *first* on, behind a frame's head."""
    at = first * 2
    end = at + count * 2
    to = 2
    while at < end:
        body[to] = ring[at & 2047]
        at += 1
        to += 1


@micropython.viper
def head(body: ptr32, kind: int, seq: int, index: int):
    """Write a frame's head; *kind* has the count above its 8 bits."""
    body[0] = kind | (seq << 16)
    body[1] = index


@micropython.viper
def see(words: ptr32):
    """Note when a command was first seen."""
    words[7] = ptr32(words[0])[0]


@micropython.viper
def stamp_pong(words: ptr32, heard: ptr32, body: ptr32):
    """Write the ping's number, when it was seen, the tick of now, and only then how many events there are."""
    body[2] = heard[2]
    body[3] = words[7] * 5 + words[4]
    body[4] = ptr32(words[0])[0] * 5 + words[4]
    body[1] = ((0x0FFFFFFF - ptr32(words[1])[0]) >> 1) - words[5]


@micropython.viper
def stamp(words: ptr32, body: ptr32):
    """Write the tick of now, then how many events there are, and how the pins are."""
    body[2] = ptr32(words[0])[0] * 5 + words[4]
    body[1] = ((0x0FFFFFFF - ptr32(words[1])[0]) >> 1) - words[5]
    body[3] = ptr32(words[3])[0]


@micropython.viper
def take(raw: ptr8, body: ptr8, length: int, code: int) -> int:
    """Put a block of COBS behind *length* bytes; return the new length, -1 when it has a zero inside."""
    at = 0
    while at < code - 1:
        byte = raw[at]
        if byte == 0:
            return -1
        body[length] = byte
        length += 1
        at += 1
    if raw[at]:
        body[length] = 0
        length += 1
    return length


class QuickLink:
    """As in `plain.py`, over USB: *read_into(buffer, count)* waits until so many bytes are there."""

    def __init__(self, ready, read_into, write, sampler):
        self.damaged = 0
        self._ready = ready  # an iterator over what can be read now
        self._read_into = read_into
        self._write = write
        self._words = sampler.words
        self._ring = sampler.memory
        self._table = crc_table()
        self._raw = bytearray(LONGEST + 1)
        self._heard = bytearray(ROOM + LONGEST)
        self._length = 0
        self._skips = False
        self._body = bytearray(BODY)
        self._out = bytearray(frames.MAX_FRAME)
        self._size = 0
        self._seq = 0
        self._table_at = addressof(self._table)
        self._heard_at = addressof(self._heard)
        self._body_at = addressof(self._body)
        self._out_at = addressof(self._out)

    # Commands

    def hear(self):
        """Return the kind of the next command, 0 when there is none."""
        for _ in self._ready(0):
            see(self._words)
            return self._command()
        return 0

    def _command(self):
        """Read a frame: each block's first byte tells how many more bytes must come.

        A zero byte ends a frame. After damage bytes are left out until there is one.
        """
        raw, read_into = self._raw, self._read_into
        read_into(raw, 1)
        code = raw[0]
        if self._skips:
            self._skips = code != 0
            return 0
        length = 0
        while code:
            if code > LONGEST or length + code > ROOM:
                return self._damage(True)
            read_into(raw, code)
            length = take(raw, self._heard, length, code)
            code = raw[code - 1]
            if length < 0:
                return self._damage(code != 0)
        if not length:
            return 0
        self._length = length - 4
        if length < 12 or not sealed(-1, self._heard_at, self._heard_at + self._length, self._table_at):
            return self._damage(False)
        return self._heard[0]

    def _damage(self, skips):
        self.damaged += 1
        self._skips = skips
        return 0

    def index(self):
        """Return the index of the latest command."""
        return struct.unpack_from("<I", self._heard, 4)[0]

    def length(self):
        """Return how many bytes belong to its type."""
        return self._length - 8

    def payload(self):
        """Return them."""
        return bytes(self._heard[8 : self._length])

    # Frames

    def pong(self):
        """Prepare the answer to the ping: when it was seen, when answered, how many events by then."""
        head(self._body, frames.PONG, self._seq, 0)
        stamp_pong(self._words, self._heard, self._body)
        self._close(20)

    def beat(self, overruns, stalls):
        """Prepare to say how many events there are and how the pins are; as in a PONG, the tick is first."""
        head(self._body, frames.HEARTBEAT, self._seq, 0)
        struct.pack_into("<II", self._body, 16, overruns, stalls)
        stamp(self._words, self._body)
        self._close(24)

    def overrun(self, index):
        """Say that what comes next is event *index*, and how the pins are now."""
        stamp(self._words, self._body)
        head(self._body, frames.OVERRUN, self._seq, index)
        self._close(16)
        self.send()

    def prepare(self, first, count):
        """Make the frame of *count* events from *first* on; `send` sends it."""
        head(self._body, frames.EVENTS | count << 8, self._seq, first)
        lay(self._ring, self._body, first + self._words[SKIPPED], count)
        self._close(8 + 8 * count)

    def send(self):
        """Send what was prepared."""
        self._seq = (self._seq + 1) & 0xFFFF
        self._write(self._out, self._size)

    def say(self, kind, count, index, payload):
        """Send a frame."""
        head(self._body, kind | count << 8, self._seq, index)
        self._body[8 : 8 + len(payload)] = payload
        self._close(8 + len(payload))
        self.send()

    def _close(self, length):
        """Add the CRC to the body and stuff it."""
        begin = self._body_at
        seal(-1, begin, begin + length, self._table_at)
        self._size = stuff(begin, self._out_at, begin + length + 4)
