"""The box's side of the protocol: commands in, frames out. Pure but for its port and its sampler.

The same object runs on the Pico, behind the simulated box of the host and in the tests.

A *port* has `read()` (bytes that wait, perhaps none) and `write(bytes)`. A *sampler* has
`mask`, `start(mask, pulse_pin)`, `stop()`, `written()` (events so far), `copy(first, count)` (a copy of their
bytes in the ring), `now()` (tick), `pins()`, `stalled()` (since asked last), `pulse(level)`, and says `hz`,
`slack` (ticks by which `now` may differ from the ticks of events) and `size` (events that the ring keeps).
"""

import struct

import frames

VERSION = (1, 0, 0)
MARGIN = 32  # events of the ring that may be overwritten while they are read
HEARTBEAT_S = 1
LINK_LOST_S = 3
FAULT_S = 10  # how long the LED tells of a loss
NO_PIN = 255
MASK32 = 0xFFFFFFFF

# What the LED says.
DARK, IDLE, ARMED, LINK_LOST, FAULT = 0, 1, 2, 3, 4


def after(a, b):
    """Return by how much the 32-bit count *a* is ahead of *b*, negative when it is behind."""
    return ((a - b + 0x80000000) & MASK32) - 0x80000000


class Box:
    """Answer the host and tell it every event, a loss, and once a second that all is well."""

    def __init__(self, port, sampler, boot, serial, lamp=None):
        self.port = port
        self.sampler = sampler
        self.boot = boot
        self.serial = serial
        self.lamp = lamp or (lambda state: None)
        self.leaves = False
        self._splitter = frames.Splitter()
        self._seq = 0
        self._next = 0  # the event to be told next
        self._told = 0  # the highest that was: behind it while some are told again
        self._overruns = 0
        self._stalls = 0
        self._wanted = IDLE
        self._shown = None
        self._linked = False
        self._faulty = False  # something was lost lately
        self._fault = self._heard = self._beat = self._half = sampler.now()
        self._pulse_pin = NO_PIN
        self._level = 0

    def poll(self):
        """Do what is due; return whether there was anything to do."""
        busy = False
        for kind, _count, _seq, index, payload in self._splitter.feed(self.port.read()):
            self._heard = self.sampler.now()
            self._linked = True
            self._obey(kind, index, payload)
            busy = True
        now = self.sampler.now()
        if self._linked and after(now, self._heard) > LINK_LOST_S * self.sampler.hz:
            self._linked = False  # nobody reads: a write would wait, and then be dropped
        if self.sampler.mask:
            self._keep(now)
            if self._linked:
                busy = self._tell() or busy
        self._show()
        return busy

    def close(self):
        """Stop sampling and leave the LED dark."""
        self.sampler.stop()
        self.lamp(DARK)

    # What the host says

    def _obey(self, kind, index, payload):
        if kind == frames.PING and len(payload) == 4:
            now = self.sampler.now()  # before `written`: what happened until now is counted
            self._send(frames.PONG, 0, self.sampler_written(), payload + struct.pack("<I", now))
        elif kind == frames.ASK:
            self._hello()
        elif kind == frames.SETUP and len(payload) == 5:
            self._set_up(payload)
        elif kind == frames.RESEND:
            self._resend(index)
        elif kind == frames.LAMP and len(payload) == 1:
            self._wanted = payload[0]
        elif kind == frames.LEAVE:
            self.leaves = True
            self._send(frames.BYE, 0, 0, b"")

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
        self._beat = self._half = self._heard = self.sampler.now()

    def _resend(self, index):
        """Go back to event *index*, or say from where on there are events.

        A late request may ask for what the host has had long since: it must not cost what has not been told.
        """
        if not self.sampler.mask or after(self._told, index) < 0:
            return
        oldest = self._oldest()
        if after(index, oldest) < 0:
            self._overrun(oldest)
        else:
            self._next = index

    def _oldest(self):
        """Return the oldest event that will still be there when it is sent."""
        return self.sampler.written() - (self.sampler.size - 2 * MARGIN)

    # What the box says

    def _hello(self):
        s = self.sampler
        self._send(
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
            now = s.now()
            self._lost(now)
        if self._faulty and after(now, self._fault) > FAULT_S * s.hz:
            self._faulty = False
        if after(now, self._beat) >= HEARTBEAT_S * s.hz:
            self._beat = now
            if self._linked:
                self._heartbeat()
        if self._pulse_pin != NO_PIN and after(now, self._half) >= s.hz // 2:
            self._half = now
            self._level ^= 1
            s.pulse(self._level)

    def sampler_written(self):
        """Return how many events there are, 0 while nothing is watched."""
        return self.sampler.written() if self.sampler.mask else 0

    def _heartbeat(self):
        s = self.sampler
        now = s.now()
        written = s.written()
        counts = self._overruns & MASK32, self._stalls & MASK32
        self._send(frames.HEARTBEAT, 0, written, struct.pack("<IIII", now, s.pins(), *counts))

    def _tell(self):
        """Send the events that wait, a frame at a time; return whether there were any."""
        s = self.sampler
        waiting = after(s.written(), self._next)
        if waiting <= 0:
            return False
        if waiting > s.size - MARGIN:
            self._skip()
            return True
        count = min(waiting, frames.MAX_EVENTS)
        data = s.copy(self._next, count)
        if after(s.written(), self._next) > s.size - MARGIN // 2:  # overwritten while it was read
            self._skip()
            return True
        self._send(frames.EVENTS, count, self._next, data)
        self._next = (self._next + count) & MASK32
        if after(self._next, self._told) > 0:
            self._told = self._next
        return True

    def _skip(self):
        """Leave out what was overwritten, or soon will be.

        While some are told again, those after them come first: the host asks once more for what it lacks.
        """
        if after(self._told, self._next) > 0 and after(self._told, self._oldest()) >= 0:
            self._next = self._told
        else:
            self._overrun(self.sampler.written() - self.sampler.size // 2)

    def _overrun(self, index):
        """Say that the events before *index* are gone, and how the pins are now."""
        s = self.sampler
        now = s.now()
        lost = after(index, self._told)
        if lost > 0:
            self._overruns += lost
            self._told = index & MASK32
            self._lost(now)
        self._next = index & MASK32
        self._send(frames.OVERRUN, 0, self._next, struct.pack("<II", now, s.pins()))

    def _lost(self, now):
        self._faulty = True
        self._fault = now

    def _send(self, kind, count, index, payload):
        data = frames.frame(kind, count, self._seq, index, payload)
        self._seq = (self._seq + 1) & 0xFFFF
        self.port.write(data)

    def _show(self):
        state = self._wanted
        if self._faulty:
            state = FAULT
        if not self._linked:
            state = LINK_LOST
        if state != self._shown:
            self._shown = state
            self.lamp(state)
