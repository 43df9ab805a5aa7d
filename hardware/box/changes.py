"""What a box's events say: pins and ticks in, edges of the table's lines out; pulses go to the sync wire."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.model import Edge
from hardware.box.clock import ClockMap, ClockReading, Ticks, Timeline
from hardware.box.sync import SyncWire

BLIND_TICKS = 3  # after a change the sampler reads nothing for so long


class Changes:
    """The inputs of one box. *lines* maps lines to GP numbers; *sync_pin* is on the sync *wire*.

    `mask` are the pins to watch. `pins` are as last told, None while not known; `tick` is of the last event.
    """

    def __init__(
        self, name: str, lines: Mapping[str, int], sync_pin: int | None, wire: SyncWire | None
    ) -> None:
        self._name = name
        self._pin_of = dict(lines)
        self._line_at = {1 << pin: line for line, pin in lines.items()}
        self._sync_bit = 0 if sync_pin is None else 1 << sync_pin
        self._wire = wire
        self.mask = sum(1 << pin for pin in lines.values()) | self._sync_bit
        self.begin(None)

    def begin(self, clock: ClockMap | None) -> None:
        """Know nothing; ticks begin anew and lie where *clock* says, None while there is none."""
        self.clock = clock
        self.ticks = Ticks()
        self.pins: int | None = None
        self.tick = 0
        self._timeline = None if clock is None else Timeline(clock)
        if self._wire is not None and self._timeline is not None:
            self._wire.joined(self._name, self._timeline)

    @property
    def tick_ns(self) -> float:
        """How long a tick is called."""
        return self.clock.nominal_ns if self.clock is not None else 0.0

    @property
    def u_ns(self) -> int:
        """What the clock claims now."""
        return self._timeline.u_ns if self._timeline is not None else 0

    def read(self, tick: int) -> tuple[ClockReading, int]:
        """Return where *tick* lies, and what of its error is this box's alone."""
        assert self._timeline is not None
        reading = self._timeline.read(tick)
        return (reading, 0) if self._wire is None else self._wire.read(self._name, tick, reading)

    def anchor(self) -> None:
        """Learn from pulses that the host's own pins have heard as well."""
        if self._wire is not None and self.clock is not None:
            for sample in self._wire.anchors(self._name):
                self.clock.add(sample)

    def levels(self) -> dict[str, int]:
        """Return the levels of all lines as last told; all are contacts to ground."""
        assert self.pins is not None
        return {line: 1 - (self.pins >> pin & 1) for line, pin in self._pin_of.items()}

    def take(self, pins: int, tick: int, not_before_ns: int | None) -> list[Edge]:
        """Take an event (*tick* in 64 bits); return its edges, none of them before *not_before_ns*.

        None: the table has no use for edges now.
        """
        before, self.pins = self.pins, pins
        blind = tick - self.tick <= BLIND_TICKS
        self.tick = tick
        if before is None:
            return []
        changed = (pins ^ before) & self.mask
        if changed & pins & self._sync_bit and self._wire is not None and not blind:
            assert self._timeline is not None
            self._wire.pulse(self._name, tick, self._timeline.peek(tick))
        changed &= ~self._sync_bit
        if not changed or not_before_ns is None:
            return []
        return self._edges(pins, changed, tick, BLIND_TICKS if blind else 1, not_before_ns)

    def _edges(self, pins: int, changed: int, tick: int, window: int, not_before_ns: int) -> list[Edge]:
        """Return an edge for every line that changed, in the middle of the time in which it may have."""
        reading, own_ns = self.read(tick)
        half_ns = round(window * self.tick_ns / 2)
        t_ns = max(reading.t_ns - half_ns, not_before_ns)
        u_ns = half_ns + own_ns + 1
        out: list[Edge] = []
        while changed:
            bit = changed & -changed
            changed ^= bit
            line = self._line_at[bit]
            out.append(Edge(t_ns, self._name, line, 0 if pins & bit else 1, u_ns, reading.u_ns))
        return out
