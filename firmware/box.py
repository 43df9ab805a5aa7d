"""The box's side of the protocol: commands in, frames out. Pure but for its port and its sampler.

The same object runs on the Pico, behind the simulated box of the host and in the tests.

A *sampler* has `mask`, `start(mask, pulse_pin)`, `stop()`, `written()` (events so far), `copy(first, count)`
(a copy of their bytes in the ring), `now()` (tick), `time()` (of 1,024 µs each, 22 bits), `pins()`,
`stalled()` (since asked last), `pulse(level)`, and says `hz`, `slack` (ticks by which `now` may differ from
the ticks of events) and `size` (events that the ring keeps). A *wire* is what plain.py and quick.py have;
without one, *port* is given one.

What is done in every round allocates nothing in MicroPython, where an integer beyond 30 bits would: so counts
of events are not masked (a sampler stalls long before they end), and times are coarse.
"""

import struct

import frames
import plain

VERSION = (1, 1, 0)
MARGIN = 32  # events of the ring that may be overwritten while they are read
HEARTBEAT = 977  # of 1,024 µs: a second
HALF = 488
SILENCE = 2930  # of the host: the link is lost
FAULT_LASTS = 9766  # how long the LED tells of a loss
MAX_EVENTS = frames.MAX_EVENTS
NO_PIN = 255
MASK32 = 0xFFFFFFFF

# What the LED says.
DARK, IDLE, ARMED, LINK_LOST, FAULT = 0, 1, 2, 3, 4


def since(time, now):
    """Return how long ago *time* was, both of 22 bits."""
    return (now - time) & 0x3FFFFF


class Box:
    """Answer the host and tell it every event, a loss, and once a second that all is well."""

    def __init__(self, port, sampler, boot, serial, lamp=None, wire=None):
        self.wire = wire or plain.PlainLink(port, sampler)
        self.sampler = sampler
        self.boot = boot
        self.serial = serial
        self.lamp = lamp or (lambda state: None)
        self.leaves = False
        self._next = 0  # the event to be told next
        self._told = 0  # the highest that was: behind it while some are told again
        self._overruns = 0
        self._stalls = 0
        self._wanted = IDLE
        self._shown = None
        self._now = -1  # when chores were done
        self._linked = False
        self._faulty = False  # something was lost lately
        self._fault = self._heard = self._beat = self._half = sampler.time()
        self._pulse_pin = NO_PIN
        self._level = 0

    def poll(self):
        """Do what is due; return whether there was anything to do."""
        s = self.sampler
        busy = False
        kind = self.wire.hear()
        if kind:
            self._heard = s.time()
            self._linked = busy = True
            self._obey(kind)
        now = s.time()
        if now != self._now:
            self._now = now
            self._chores(now)
        if self._linked and s.mask:
            first = self._next
            waiting = s.written() - first
            if waiting > 0:
                self._tell(first, waiting)
                return True
        return busy

    def _chores(self, now):
        """Do what need not be done more often than every millisecond."""
        if self._linked and since(self._heard, now) > SILENCE:
            self._linked = False  # nobody reads: a write would wait, and then be dropped
        if self.sampler.mask:
            self._keep(now)
        self._show()

    def close(self):
        """Stop sampling and leave the LED dark."""
        self.sampler.stop()
        self.lamp(DARK)

    # What the host says

    def _obey(self, kind):
        wire = self.wire
        if kind == frames.PING:
            if wire.length() == 4:
                wire.pong()
                self._promise()
        elif kind == frames.ASK:
            self._hello()
        elif kind == frames.SETUP and wire.length() == 5:
            self._set_up(wire.payload())
        elif kind == frames.RESEND:
            self._resend(wire.index())
        elif kind == frames.LAMP and wire.length() == 1:
            self._wanted = wire.payload()[0]
        elif kind == frames.LEAVE:
            self.leaves = True
            wire.say(frames.BYE, 0, 0, b"")

    def _set_up(self, payload):
        """Take the pins to watch; the same ones again change nothing, so that the time base lives on."""
        mask, pulse_pin = struct.unpack("<IB", payload)
        if mask != self.sampler.mask or pulse_pin != self._pulse_pin:
            self.sampler.stop()
            self._pulse_pin = pulse_pin
            self._restart(mask)
        self._hello()

    def _restart(self, mask):
        self.boot = (self.boot + 1) & MASK32
        self._next = self._told = self._overruns = 0
        self.sampler.start(mask, self._pulse_pin)
        self._beat = self._half = self._heard = self.sampler.time()

    def _resend(self, index):
        """Go back to event *index*, or say from where on there are events.

        A late request may ask for what the host has had long since: it must not cost what has not been told.
        """
        if not self.sampler.mask or index > self._told:
            return
        oldest = self._oldest()
        if index < oldest:
            self._overrun(oldest)
        else:
            self._next = index

    def _oldest(self):
        """Return the oldest event that will still be there when it is sent."""
        return self.sampler.written() - (self.sampler.size - 2 * MARGIN)

    # What the box says

    def _hello(self):
        s = self.sampler
        self.wire.say(
            frames.HELLO,
            0,
            0,
            struct.pack(
                "<IBBBBIIHB", self.boot, *VERSION, frames.PROTOCOL, s.hz, s.mask, s.slack, self._pulse_pin
            )
            + self.serial,
        )

    def _keep(self, now):
        """Restart after a stall, beat the heart and drive the sync pulse."""
        s = self.sampler
        if s.stalled():
            self._stalls += 1
            s.stop()
            self._restart(s.mask_before)
            if self._linked:
                self._hello()
            now = s.time()
            self._lost(now)
        if self._faulty and since(self._fault, now) > FAULT_LASTS:
            self._faulty = False
        if since(self._beat, now) >= HEARTBEAT:
            self._beat = now
            if self._linked:
                self.wire.beat(self._overruns, self._stalls)
                self._promise()
        if self._pulse_pin != NO_PIN and since(self._half, now) >= HALF:
            self._half = now
            self._level ^= 1
            s.pulse(self._level)

    def _promise(self):
        """Send a count of events with its tick, unless one is missing; then the next round begins again."""
        if not self.sampler.stalled():
            self.wire.send()

    def _tell(self, first, waiting):
        """Send the events that wait from *first* on, a frame at a time."""
        s = self.sampler
        size = s.size
        if waiting > size - MARGIN:
            self._skip()
            return
        if waiting > MAX_EVENTS:
            waiting = MAX_EVENTS
        self.wire.prepare(first, waiting)
        if s.written() - first > size - MARGIN // 2:  # overwritten while it was read
            self._skip()
            return
        self.wire.send()
        self._next = first = first + waiting
        if first > self._told:
            self._told = first

    def _skip(self):
        """Leave out what was overwritten, or soon will be.

        While some are told again, those after them come first: the host asks once more for what it lacks.
        """
        if self._next < self._told and self._told >= self._oldest():
            self._next = self._told
        else:
            self._overrun(self.sampler.written() - self.sampler.size // 2)

    def _overrun(self, index):
        """Say that the events before *index* are gone, and how the pins are now."""
        lost = index - self._told
        if lost > 0:
            self._overruns += lost
            self._told = index
            self._lost(self.sampler.time())
        self._next = index
        self.wire.overrun(index)

    def _lost(self, now):
        self._faulty = True
        self._fault = now

    def _show(self):
        state = self._wanted
        if self._faulty:
            state = FAULT
        if not self._linked:
            state = LINK_LOST
        if state != self._shown:
            self._shown = state
            self.lamp(state)
