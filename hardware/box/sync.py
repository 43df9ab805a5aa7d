"""The sync wire: the same pulses on the clocks of several boxes, so that these share one time base.

The first box of a table leads. Every other one learns from the pulses where its ticks lie among the leader's,
to a fraction of a microsecond. Without pulses its own mapping over USB serves, and its edges say how much
worse that is.
"""

from __future__ import annotations

import threading
from collections import deque

from companion.timing.clock import ClockMap, Reading, Sample, Timeline

APART_NS = 240_000_000  # pulses are a second apart: nearer than this it is the same one
FRESH_NS = 3_500_000_000
TICK_NS = 200
PULSE_U_NS = 300  # a tick on either clock, and some


class _Follower:
    """What is known of a box that is not the leader: its ticks on the leader's own time."""

    def __init__(self) -> None:
        self.timeline: Timeline | None = None  # over USB
        self.pulses: deque[tuple[int, int]] = deque(maxlen=8)  # tick, about when
        self.begin()

    def begin(self) -> None:
        """Know nothing of the leader's ticks."""
        self.clock = ClockMap(1_000_000_000 // TICK_NS)
        self.course = Timeline(self.clock)
        self.at_ns: int | None = None


class Wire:
    """What all boxes of a table know of each other; used from their threads."""

    def __init__(self, leader: str) -> None:
        self.leader = leader
        self._lock = threading.Lock()
        self._boxes: dict[str, _Follower] = {}

    def joined(self, name: str, timeline: Timeline) -> None:
        """Take note that box *name* begins a new time base."""
        with self._lock:
            self._boxes[name] = box = _Follower()
            box.timeline = timeline
            if name == self.leader:
                for other in self._boxes.values():
                    other.begin()
                    other.pulses.clear()

    def pulse(self, name: str, tick: int, about_ns: int) -> None:
        """Take a pulse that box *name* saw at *tick*, about at *about_ns*."""
        with self._lock:
            self._boxes[name].pulses.append((tick, about_ns))
            lead = self._boxes.get(self.leader)
            if lead is None:
                return
            for other, box in self._boxes.items():
                if other != self.leader and name in (other, self.leader):
                    self._pair(lead, box)

    def _pair(self, lead: _Follower, box: _Follower) -> None:
        for tick, about_ns in tuple(box.pulses):
            same = [one for one in lead.pulses if abs(one[1] - about_ns) < APART_NS]
            if same:
                box.pulses.remove((tick, about_ns))
                lead_ns = same[-1][0] * TICK_NS
                box.clock.add(Sample(lead_ns - PULSE_U_NS, lead_ns + PULSE_U_NS, tick))
                box.at_ns = about_ns

    def read(self, name: str, tick: int, own: Reading) -> tuple[Reading, int]:
        """Return where *tick* of box *name* lies, and what of its error is that box's alone.

        *own* is what its mapping over USB says. The error of the leader's mapping is shared by all boxes.
        """
        with self._lock:
            lead = self._boxes.get(self.leader)
            if name == self.leader or lead is None or lead.timeline is None:
                return own, 0
            box = self._boxes[name]
            led = lead.timeline
            if box.at_ns is None or abs(own.t_ns - box.at_ns) > FRESH_NS or not led.clock.ready:
                shared_ns = led.u_ns
                return Reading(own.t_ns, shared_ns), own.u_ns + shared_ns
            there = box.course.read(tick)
            t_ns, ahead_ns = led.at(there.t_ns / TICK_NS)
            return Reading(t_ns, led.u_ns), there.u_ns + ahead_ns

    def offset(self, name: str) -> tuple[int, int] | None:
        """Return how far the USB mapping of *name* is ahead of what the pulses say, and to what that is."""
        with self._lock:
            lead, box = self._boxes.get(self.leader), self._boxes.get(name)
            if lead is None or box is None or lead.timeline is None or box.timeline is None:
                return None
            if not box.clock.ready or name == self.leader:
                return None
            tick = box.timeline.latest
            there = box.clock.read(tick)
            t_ns, ahead_ns = lead.timeline.at(there.t_ns / TICK_NS)
            return box.timeline.peek(tick) - t_ns, there.u_ns + ahead_ns
