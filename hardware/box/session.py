"""One box's bytes in, inputs for the table and bytes for the box out. No port, thread or clock.

Events are taken in the order of their numbers only: a missing one is asked for again, and what the box no
longer has becomes a Gap. A promise rests on a Pong whose events have all come: when that was is known.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.text import text
from lastnose.hardware.box import protocol
from lastnose.hardware.box.clock import HALF, LEAP_NS, MASK32, ClockMap, ClockReading, Ticks, Timeline
from lastnose.hardware.box.protocol import (
    OLDEST,
    PROTOCOL,
    Decoder,
    Events,
    Fault,
    Heartbeat,
    Hello,
    Overrun,
    Pong,
)
from lastnose.hardware.box.sync import SyncWire

QUICK_NS, BUSY_NS, IDLE_NS = 5_000_000, 20_000_000, 40_000_000
BURST, BURST_EVERY_NS = 8, 1_000_000_000
LOST_NS = 1_000_000_000


class Pings:
    """The pings of one box that are under way, and when the next is due."""

    def __init__(self) -> None:
        self._sent: dict[int, int] = {}
        self._number = 0
        self._next_ns = 0
        self._burst_ns = 0
        self._in_burst = 0

    def begin(self) -> None:
        """Ping at once; what was asked before is not answered any more, and no number comes twice."""
        self._sent.clear()
        self._next_ns = self._burst_ns = 0

    def wait_ns(self, now_ns: int) -> int:
        """Return how long no ping is due."""
        return max(0, self._next_ns - now_ns)

    def send(self, now_ns: int, *, quick: bool, busy: bool = False) -> bytes:
        """Return a ping that counts as sent at *now_ns*; the next follows soon if it is to be *quick*.

        *busy*: events are on their way, and pings yield to them.
        """
        self._number = _number_after(self._number)
        self._sent[self._number] = now_ns
        for number in [n for n, sent_ns in self._sent.items() if now_ns - sent_ns > LOST_NS]:
            del self._sent[number]
        self._next_ns = now_ns + (BUSY_NS if busy else QUICK_NS if quick else IDLE_NS)
        if busy:
            self._in_burst = 0
        elif now_ns - self._burst_ns >= BURST_EVERY_NS:
            self._burst_ns, self._in_burst = now_ns, BURST
        return protocol.ping(self._number)

    def soon(self, now_ns: int) -> None:
        """Something happened: do not wait for as long as while nothing does."""
        self._next_ns = min(self._next_ns, now_ns + QUICK_NS)

    def answered(self, number: int, now_ns: int) -> int | None:
        """Return when ping *number* was sent, None when it is not awaited; in a burst the next is due now."""
        sent_ns = self._sent.pop(number, None)
        if sent_ns is not None and self._in_burst:
            self._in_burst -= 1
            self._next_ns = now_ns
        return sent_ns


def _number_after(number: int) -> int:
    """Return the next number, of four bytes none of which is zero."""
    number += 1
    for byte in (0, 8, 16, 24):
        if not number >> byte & 0xFF:
            number += 1 << byte
    return number if number < 1 << 32 else 0x01010101


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
        """Know nothing; ticks begin again and lie where *clock* says, None while there is none."""
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

    def leapt(self, tick: int, now_ns: int) -> bool:
        """Return whether *tick* (32 bits) of a new event is nowhere between the one before and *now_ns*."""
        if self.pins is None or self._timeline is None:
            return False
        wide = self.ticks.extend(tick)
        at = self._timeline.peek(wide)
        return wide < self.tick or at.t_ns - at.u_ns > now_ns + LEAP_NS

    def take(self, pins: int, tick: int, not_before_ns: int | None) -> list[Edge]:
        """Take an event (*tick* in 64 bits); return its edges, none of them before *not_before_ns*.

        None: the table has no use for edges now.
        """
        assert self.pins is not None
        changed, self.pins = (pins ^ self.pins) & self.mask, pins
        blind = tick - self.tick <= BLIND_TICKS
        self.tick = tick
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


# ---- the session


MARGIN_TICKS = 12  # an event may be counted this long after its tick
QUICK_FOR_NS = 60_000_000  # after an event pings are quick
AGAIN_NS = 60_000_000
OUTAGE_NS = 300_000_000
ENOUGH = (
    4  # answers before levels stand: the first comes late, and a clock that begins badly is put right slowly
)


class Counts(msgspec.Struct):
    """What has come over the wire, and what was wrong with it."""

    events: int = 0
    damaged: int = 0
    unknown: int = 0
    skipped: int = 0
    overruns: int = 0
    stalls: int = 0
    resends: int = 0
    reboots: int = 0


class BoxSession:
    """Everything about one box but its port.

    *lines* maps lines to GP numbers. *sync_pin* is on the sync wire, and this box drives it if *drives*; what
    is learnt there goes through *wire*, which all boxes of a table share. *behind_ns*: by how much the times
    that are passed in may be behind.
    """

    def __init__(
        self,
        name: str,
        lines: Mapping[str, int],
        *,
        sync_pin: int | None = None,
        drives: bool = False,
        wire: SyncWire | None = None,
        behind_ns: int = 0,
    ) -> None:
        self.name = name
        self.hello: Hello | None = None
        self.counts = Counts()
        self._behind_ns = behind_ns
        self._changes = Changes(name, lines, sync_pin, wire)
        self._pulse_pin = sync_pin if drives else None
        self._decoder = Decoder()
        self._pings = Pings()
        self._out: list[bytes] = []
        self._promised_ns: int | None = None
        self._boot: int | None = None
        self._gap_ns: int | None = None
        self._settled = False
        self._asked_ns: int | None = None
        self._unsettled_ns = 0
        self._forget()

    # ---- to be called by whoever has the port

    def connected(self) -> None:
        """Begin on a port that has just been opened."""
        self._decoder = Decoder()
        self._pings.begin()
        self.hello = None
        self._asked_ns = None

    def receive(self, data: bytes, now_ns: int) -> list[Input]:
        """Take bytes that were read by *now_ns*; raise DeviceError when this box cannot be used."""
        out: list[Input] = []
        for told in self._decoder.feed(data):
            if not isinstance(told, Fault):
                self._heard_ns = now_ns
            match told:
                case Events():
                    out += self._events(told, now_ns)
                case Pong():
                    out += self._pong(told, now_ns)
                case Heartbeat():
                    self.counts.overruns, self.counts.stalls = told.overruns, told.stalls
                case Overrun():
                    self._overrun(told)
                case Hello():
                    self._greeted(told, now_ns)
                case Fault():
                    setattr(self.counts, told.what, getattr(self.counts, told.what) + told.count)
        return out

    def outgoing(self, now_ns: int) -> bytes:
        """Return what is to be written now; a ping counts as sent at *now_ns*."""
        if self.hello is None:
            if self._asked_ns is None or now_ns - self._asked_ns > 3 * AGAIN_NS:
                self._asked_ns = now_ns
                self._out.append(protocol.ask())
        elif not self._pings.wait_ns(now_ns):
            self._ping(now_ns)
        out, self._out = b"".join(self._out), []
        return out

    def wait_ns(self, now_ns: int) -> int:
        """Return how long nothing is due, if nothing comes."""
        if self.hello is None:
            return AGAIN_NS
        return self._pings.wait_ns(now_ns)

    def overdue(self, now_ns: int) -> list[Input]:
        """Return what the table is told because the box has kept silent, or flooded us, for too long."""
        if self._promised_ns is None or self._settled or now_ns - self._unsettled_ns < OUTAGE_NS:
            return []
        self._unsettled_ns = now_ns
        return self.away(now_ns)

    def quality(self) -> dict[str, float]:
        """Return what is known of the clock: round trip and claimed error in µs, rate in ppm."""
        clock = self.clock
        if clock is None or not clock.ready:
            raise DeviceError(text("The box has not answered a single ping."))
        return {
            "round_trip_us": (clock.round_ns or 0) / 1_000,
            "ppm": clock.ppm,
            "ppm_u": clock.rate_u_ppm,
            "clock_u_us": self._changes.u_ns / 1_000,
        }

    @property
    def clock(self) -> ClockMap | None:
        """Where the box's ticks lie, None before its greeting."""
        return self._changes.clock

    @property
    def settled(self) -> bool:
        """Whether levels stand and edges are told as they come."""
        return self._settled

    def silent_ns(self, now_ns: int) -> int:
        """Return for how long the box has not answered."""
        return now_ns - self._heard_ns if self._heard_ns else 0

    def away(self, now_ns: int) -> list[Input]:
        """Return what the table is told while the box is away: a gap since the last promise, up to now."""
        if self._promised_ns is None:
            return []
        from_ns = self._lost_ns()
        self._settled, self._unknown = False, True
        self._promised_ns = max(self._promised_ns, now_ns)
        self._gap_ns, self._unsettled_ns = self._promised_ns, now_ns
        return [
            Gap(min(from_ns, now_ns), self._promised_ns, self.name),
            Watermark(self._promised_ns, self.name),
        ]

    # ---- greeting

    def _forget(self) -> None:
        """Know nothing of the box's ticks and events."""
        self._gap_ns = None if self._promised_ns is None else self._lost_ns()
        self._changes.begin(None)
        self._pings.begin()
        self._next: int | None = None  # the number of the event wanted next
        self._settled = False  # levels stand, and edges are told as they come
        self._unknown = True  # the state has to be learnt again
        self._mute_tick: int | None = None
        self._waiting: list[tuple[int, int, int]] = []  # promises: tick, written, since when
        self._resent_ns = 0
        self._unsettled_ns = 0
        self._edge_ns = 0
        self._answers = 0
        self._heard_ns = 0
        self._asked_ns = None

    def _greeted(self, hello: Hello, now_ns: int) -> None:
        if not OLDEST <= hello.protocol <= PROTOCOL:
            raise DeviceError(protocol.other_firmware(hello, protocol.version()))
        wanted = protocol.NO_PIN if self._pulse_pin is None else self._pulse_pin
        if hello.mask != self._changes.mask or hello.pulse_pin != wanted:
            if self._asked_ns is None or now_ns != self._asked_ns:
                self._asked_ns = now_ns
                self._out.append(protocol.setup(self._changes.mask, self._pulse_pin))
            return
        before, self.hello = self._boot, hello
        if before == hello.boot and self._next is not None and not self._unknown:
            self._again(now_ns)
            return
        if before not in (None, hello.boot):
            self.counts.reboots += 1
        self._begin(hello, now_ns)

    def _begin(self, hello: Hello, now_ns: int) -> None:
        """Begin with a new time base: the box has started, or was away, and ticks may have wrapped."""
        asked_ns = self._asked_ns
        self._forget()
        self._asked_ns = asked_ns
        self._unsettled_ns = self._heard_ns = now_ns
        self._boot = hello.boot
        slack_ns = round(hello.slack * 1e9 / hello.tick_hz) + self._behind_ns
        self._changes.begin(ClockMap(hello.tick_hz, slack_ns=slack_ns))

    # ---- pings

    def _ping(self, now_ns: int) -> None:
        self._again_if_stuck(now_ns)
        quick = not self._settled or now_ns < self._edge_ns + QUICK_FOR_NS
        self._out.append(self._pings.send(now_ns, quick=quick, busy=bool(self._waiting)))

    def _pong(self, pong: Pong, now_ns: int) -> list[Input]:
        sent_ns = self._pings.answered(pong.id, now_ns)
        if sent_ns is None or self.clock is None:
            return []
        if not pong.written or (self._next is not None and _after(pong.written, self._next) < 0):
            self._doubt(now_ns)  # the box has begun again without the port noticing
            return []
        self._answers += 1
        tick = self._changes.ticks.extend(pong.tick)
        sample = self.clock.sample(sent_ns, now_ns, tick - pong.held, tick)
        if self.clock.leapt(sample):
            self._doubt(now_ns)
            return []
        self.clock.add(sample)
        self._changes.anchor()
        if self._next is None:
            self._next = (pong.written - 1) & MASK32  # the latest event says how all pins are
            self._mute_tick = tick
            self._again(now_ns)
        self._waiting.append((tick, pong.written, now_ns))
        return self._release(now_ns)

    # ---- events

    def _events(self, frame: Events, now_ns: int) -> list[Input]:
        if self._next is None or self.clock is None or not self.clock.ready:
            return []
        behind = _after(self._next, frame.index)
        if behind < 0:
            self._again(now_ns)
            return []
        out: list[Input] = []
        changes, events = self._changes, frame.events[behind:]
        if events and changes.leapt(events[-1][1], now_ns):
            self._doubt(now_ns)
            return []
        for pins, tick in events:
            self.counts.events += 1
            if changes.pins is None:  # how old the first one is, 32 bits do not tell
                changes.pins = pins
            else:
                not_before_ns = (self._promised_ns or 0) if self._settled else None
                out += changes.take(pins, changes.ticks.extend(tick), not_before_ns)
            self._next = (self._next + 1) & MASK32
            self._edge_ns = now_ns
        if not self._waiting:
            self._pings.soon(now_ns)
        return out + self._release(now_ns)

    # ---- losses

    def _again(self, now_ns: int) -> None:
        """Ask for the wanted event again, not too often."""
        if self._next is not None and now_ns - self._resent_ns > AGAIN_NS // 2:
            self._resent_ns = now_ns
            self.counts.resends += 1
            self._out.append(protocol.resend(self._next))

    def _again_if_stuck(self, now_ns: int) -> None:
        """Ask again for events that were counted long ago, unless those before them still arrive."""
        if self._waiting and now_ns - max(self._waiting[0][2], self._edge_ns) > AGAIN_NS:
            self._again(now_ns)

    def _doubt(self, now_ns: int) -> None:
        """Ask who is there, and take everything since the last promise for lost."""
        self.hello, self._asked_ns, self._unknown, self._next = None, None, True, None
        self._pings.begin()
        if self._settled:
            self._gap_ns, self._settled, self._unsettled_ns = self._lost_ns(), False, now_ns

    def _lost_ns(self) -> int:
        """Return since when edges may be lost: on the host's clock the promise may lie that much earlier."""
        assert self._promised_ns is not None
        if self._settled:
            return self._promised_ns - self._changes.u_ns
        return self._promised_ns if self._gap_ns is None else self._gap_ns

    def _overrun(self, frame: Overrun) -> None:
        if self._next is None or self.clock is None or _after(frame.index, self._next) <= 0:
            return
        self._next = frame.index
        self._changes.pins = frame.pins
        self._mute_tick = self._changes.ticks.extend(frame.tick)
        if self._settled:
            self._gap_ns, self._settled = self._lost_ns(), False
            self._unsettled_ns = self._heard_ns

    # ---- promises

    def _release(self, now_ns: int) -> list[Input]:
        """Return the promise that can be given now; the first after a loss says how the lines are."""
        assert self._next is not None
        if self._answers < ENOUGH:
            return []
        best: int | None = None
        while self._waiting and _after(self._waiting[0][1], self._next) <= 0:
            best = self._waiting.pop(0)[0]
        if best is None:
            self._again_if_stuck(now_ns)
            return []
        slack = self.hello.slack if self.hello else 0
        changes = self._changes
        reading, own_ns = changes.read(best)
        t_ns = reading.t_ns - round((MARGIN_TICKS + BLIND_TICKS + slack) * changes.tick_ns) - self._behind_ns
        t_ns = min(t_ns, now_ns)  # whatever a box says of its ticks, nobody can promise the future
        if self._promised_ns is not None and t_ns <= self._promised_ns:
            return []
        if self._settled:
            self._promised_ns = t_ns
            return [Watermark(t_ns, self.name)]
        if changes.pins is None or (self._mute_tick is not None and best <= self._mute_tick):
            return []
        if changes.tick > best:  # what came with it is in the levels, though it happened after the promise
            reading, own_ns = changes.read(changes.tick)
            t_ns = min(reading.t_ns, now_ns)
        return self._settle(t_ns, reading.u_ns, own_ns)

    def _settle(self, t_ns: int, clock_u_ns: int, own_ns: int) -> list[Input]:
        out: list[Input] = []
        u_ns = round(self._changes.tick_ns / 2) + own_ns + 1
        if self._gap_ns is not None:
            # Where the levels lie on the host's clock is known to this; what is lost may lie as much later.
            out.append(Gap(self._gap_ns, t_ns + u_ns + clock_u_ns, self.name))
        self._settled, self._unknown, self._gap_ns, self._mute_tick = True, False, None, None
        self._promised_ns = t_ns
        levels = Levels(self._changes.levels(), t_ns, self.name, u_ns, clock_u_ns)
        return [*out, levels, Watermark(t_ns, self.name)]


def _after(a: int, b: int) -> int:
    """Return by how much the 32-bit count *a* is ahead of *b*, negative when it is behind."""
    return ((a - b + HALF) & MASK32) - HALF
