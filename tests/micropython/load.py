"""A box under load in a time of its own, which goes on while its firmware works. For MicroPython and CPython.

`run` returns what the box said. What happened follows from the number of an event: `event`.
"""

import struct

import box
import frames
import ring

# What a Pico takes, each half as much again as measured in an emulator of the chip (firmware/README.md):
# any call of the sampler with what is done around it; the making of a byte of a frame, and its way into USB;
# tidying memory up, which is not even due in a round.
CALL_NS, BYTE_NS, WRITE_NS, PAUSE_NS = 40_000, 1_900, 2_400, 9_300_000
TICK_NS = 200


def event(number, lines, every_ns):
    """Return (pins, tick) after change *number*, from 1 on: *lines* change in turn, each every *every_ns*."""
    rounds, line = divmod(number, lines)
    changed = (1 << line) - 1
    pins = changed if rounds % 2 == 0 else ((1 << lines) - 1) ^ changed
    return pins, (number * every_ns // lines // TICK_NS) & 0xFFFFFFFF


class Pico:
    """Sampler and port of a box. Every call takes its time, and now and then memory is tidied up."""

    hz = 5_000_000
    slack = 5

    def __init__(self, lines, every_ns, commands, ping_ns):
        self.mask = self.mask_before = 0
        self.now_ns = 0
        self.said = []
        self._load = lines, every_ns
        self._memory = bytearray(8 * 1024)
        self._words = 0
        self._ring = ring.Ring(self._memory, lambda: self._words)
        self.size = self._ring.size
        self._begin_ns = 0
        self._commands = commands
        self._ping_ns = ping_ns
        self._next_ping_ns = ping_ns
        self._chance = 1

    def _pass(self, ns):
        """Let time pass, and changes with it."""
        self._chance = (self._chance * 1103515245 + 12345) & 0x7FFFFFFF
        if self._chance >> 20 & 1023 == 0:
            ns += PAUSE_NS
        self.now_ns += ns
        if not self.mask:
            return
        lines, every_ns = self._load
        due = (self.now_ns - self._begin_ns) * lines // every_ns + 1
        for number in range(max(self._words // 2, due - self.size), due):
            struct.pack_into("<II", self._memory, number % self.size * 8, *event(number, lines, every_ns))
        self._words = 2 * due

    # The port

    def read(self):
        self._pass(CALL_NS)
        if self._commands:
            return self._commands.pop(0)
        if self.now_ns < self._next_ping_ns:
            return b""
        self._next_ping_ns = self.now_ns + self._ping_ns
        return frames.frame(frames.PING, 0, 0, 0, struct.pack("<I", self.now_ns & 0xFFFFFFFF))

    def write(self, data):
        self._pass((BYTE_NS + WRITE_NS) * len(data))
        self.said.append(data)

    # The sampler

    def start(self, mask, pulse_pin):
        self.mask = self.mask_before = mask
        self._begin_ns, self._words = self.now_ns, 2
        self._ring.begin()

    def stop(self):
        self.mask = 0

    def written(self):
        self._pass(CALL_NS)
        return self._ring.written()

    def copy(self, first, count):
        self._pass(CALL_NS)
        data = self._ring.copy(first, count)
        self._pass(CALL_NS)
        return data

    def now(self):
        self._pass(CALL_NS)
        return (self.now_ns - self._begin_ns) // TICK_NS & 0xFFFFFFFF

    def time(self):
        self._pass(CALL_NS)
        return self.now_ns // 1_024_000 & 0x3FFFFF

    def pins(self):
        self._pass(CALL_NS)
        return 0

    def stalled(self):
        self._pass(CALL_NS)
        return False


def run(lines, every_ns, lasts_ns, ping_ns=5_000_000):
    """Return what a box says within *lasts_ns*, as bytes, and what its LED shows at last."""
    setup = frames.frame(frames.SETUP, 0, 0, 0, struct.pack("<IB", (1 << lines) - 1, box.NO_PIN))
    pico = Pico(lines, every_ns, [setup], ping_ns)
    lamps = []
    served = box.Box(pico, pico, 1, bytes(8), lamps.append)
    while pico.now_ns < lasts_ns:
        served.poll()
    return b"".join(pico.said), lamps[-1]
