"""Commands in and frames out over a port, the pure way: for a simulated box, and to hold `quick.py` to.

A *port* has `read()` (bytes that wait, perhaps none) and `write(bytes)`; of a sampler (see box.py) only
`now`, `written`, `copy` and `pins` are used.
"""

import struct

import frames

MASK32 = 0xFFFFFFFF


class PlainLink:
    """The latest command, and the frame to be sent next."""

    def __init__(self, port, sampler):
        self._port = port
        self._sampler = sampler
        self._splitter = frames.Splitter()
        self._heard = []
        self._ready = b""
        self._seq = 0
        self._seen = 0
        self._index = 0
        self._payload = b""

    def hear(self):
        """Return the kind of the next command, 0 when there is none."""
        if not self._heard:
            data = self._port.read()
            if not data:
                return 0
            self._seen = self._sampler.now()
            self._heard = self._splitter.feed(data)
        if not self._heard:
            return 0
        kind, _, _, self._index, self._payload = self._heard.pop(0)
        return kind

    def index(self):
        """Return the index of the latest command."""
        return self._index

    def length(self):
        """Return how many bytes belong to its type."""
        return len(self._payload)

    def payload(self):
        """Return them."""
        return self._payload

    def pong(self):
        """Prepare the answer to the ping: when it was seen, when answered, how many events by then."""
        now = self._sampler.now()  # before `written`: what happened until now is counted
        self._ready = self._framed(
            frames.PONG, 0, self._sampler.written(), self._payload + struct.pack("<II", self._seen, now)
        )

    def beat(self, overruns, stalls):
        """Prepare to say how many events there are and how the pins are; as in a PONG, the tick is first."""
        s = self._sampler
        now = s.now()
        written = s.written()
        self._ready = self._framed(
            frames.HEARTBEAT,
            0,
            written,
            struct.pack("<IIII", now, s.pins(), overruns & MASK32, stalls & MASK32),
        )

    def overrun(self, index):
        """Say that what comes next is event *index*, and how the pins are now."""
        s = self._sampler
        self.say(frames.OVERRUN, 0, index, struct.pack("<II", s.now(), s.pins()))

    def prepare(self, first, count):
        """Make the frame of *count* events from *first* on; `send` sends it."""
        self._ready = self._framed(frames.EVENTS, count, first, self._sampler.copy(first, count))

    def send(self):
        """Send what was prepared."""
        self._seq = (self._seq + 1) & 0xFFFF
        self._port.write(self._ready)

    def say(self, kind, count, index, payload):
        """Send a frame."""
        self._ready = self._framed(kind, count, index, payload)
        self.send()

    def _framed(self, kind, count, index, payload):
        return frames.frame(kind, count, self._seq, index, payload)
