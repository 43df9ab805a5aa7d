"""One box's bytes in, inputs for the table and bytes for the box out. No port, thread or clock.

Events are taken in the order of their numbers only: a missing one is asked for again, and what the box no
longer has becomes a Gap. A promise rests on a Pong or Heartbeat whose events have all come.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.errors import DeviceError
from companion.model import Edge, Gap, Input, Levels, Watermark
from companion.text import Text, text
from companion.timing.clock import HALF, MASK32, ClockMap, Reading, Sample, Ticks, Timeline
from hardware.box import firmware, protocol
from hardware.box.protocol import (
    PROTOCOL,
    Decoder,
    Events,
    Fault,
    Heartbeat,
    Hello,
    Overrun,
    Pong,
)
from hardware.box.sync import Wire

BLIND_TICKS = 3  # after a change the sampler reads nothing for so long
MARGIN_TICKS = 12  # an event may be counted this long after its tick
QUICK_NS, IDLE_NS = 5_000_000, 40_000_000  # between pings while something happens, and at rest
QUICK_FOR_NS = 60_000_000
BURST, BURST_EVERY_NS = 8, 1_000_000_000
AGAIN_NS = 60_000_000
OUTAGE_NS = 300_000_000
PING_LOST_NS = 50_000_000


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


class Session:
    """Everything about one box but its port.

    *lines* maps lines to GP numbers. *sync_pin* is on the sync wire, and this box drives it if *drives*; what
    is learnt there goes through *wire*, which all boxes of a table share.
    """

    def __init__(
        self,
        name: str,
        lines: Mapping[str, int],
        *,
        sync_pin: int | None = None,
        drives: bool = False,
        wire: Wire | None = None,
    ) -> None:
        self.name = name
        self.hello: Hello | None = None
        self.counts = Counts()
        self.clock: ClockMap | None = None
        self._pin_of = dict(lines)
        self._line_at = {1 << pin: line for line, pin in lines.items()}
        self._sync_bit = 0 if sync_pin is None else 1 << sync_pin
        self._pulse_pin = sync_pin if drives else None
        self._mask = sum(1 << pin for pin in lines.values()) | self._sync_bit
        self._wire = wire
        self._decoder = Decoder()
        self._out: list[bytes] = []
        self._promised_ns: int | None = None
        self._boot: int | None = None
        self._gap_ns: int | None = None
        self._asked_ns: int | None = None
        self._unsettled_ns = 0
        self._forget()

    # ---- to be called by whoever has the port

    def connected(self) -> None:
        """Begin on a port that has just been opened."""
        self._decoder = Decoder()
        self._sent.clear()
        self.hello = None
        self._asked_ns = None
        self._next_ping_ns = 0

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
                    out += self._promise(told.tick, told.written, now_ns)
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
        elif now_ns >= self._next_ping_ns:
            self._ping(now_ns)
        out, self._out = b"".join(self._out), []
        return out

    def wait_ns(self, now_ns: int) -> int:
        """Return how long nothing is due, if nothing comes."""
        if self.hello is None:
            return AGAIN_NS
        return max(0, self._next_ping_ns - now_ns)

    def overdue(self, now_ns: int) -> list[Input]:
        """Return what the table is told because the box has kept silent, or flooded us, for too long."""
        if self._promised_ns is None or self._settled or now_ns - self._unsettled_ns < OUTAGE_NS:
            return []
        self._unsettled_ns = now_ns
        return self.away(now_ns)

    def quality(self) -> dict[str, float]:
        """Return what is known of the clock: round trip and claimed error in µs, rate in ppm."""
        clock, timeline = self.clock, self._timeline
        if clock is None or timeline is None or not clock.ready:
            raise DeviceError(text("The box has not answered a single ping."))
        return {
            "round_trip_us": (clock.round_ns or 0) / 1_000,
            "ppm": clock.ppm,
            "ppm_u": clock.rate_u_ppm,
            "clock_u_us": timeline.u_ns / 1_000,
        }

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
        self._settled, self._unknown = False, True
        from_ns, self._promised_ns = self._promised_ns, max(self._promised_ns, now_ns)
        self._gap_ns, self._unsettled_ns = self._promised_ns, now_ns
        return [Gap(from_ns, self._promised_ns, self.name), Watermark(self._promised_ns, self.name)]

    # ---- greeting

    def _forget(self) -> None:
        """Know nothing of the box's ticks and events."""
        self.clock = None
        self._ticks = Ticks()
        self._timeline: Timeline | None = None
        self._next: int | None = None  # the number of the event wanted next
        self._pins: int | None = None  # as last told, None while not known
        self._tick = 0  # of the last event
        self._settled = False  # levels stand, and edges are told as they come
        self._unknown = True  # the state has to be learnt anew
        self._gap_ns = self._promised_ns
        self._mute_tick: int | None = None
        self._waiting: list[tuple[int, int, int]] = []  # promises: tick, written, since when
        self._resent_ns = 0
        self._unsettled_ns = 0
        self._edge_ns = 0
        self._heard_ns = 0
        self._asked_ns = None
        self._sent: dict[int, int] = {}
        self._number = 0
        self._next_ping_ns = 0
        self._burst_ns = 0
        self._in_burst = 0

    def _greeted(self, hello: Hello, now_ns: int) -> None:
        if hello.protocol != PROTOCOL:
            raise DeviceError(_other_firmware(hello))
        wanted = protocol.NO_PIN if self._pulse_pin is None else self._pulse_pin
        if hello.mask != self._mask or hello.pulse_pin != wanted:
            if self._asked_ns is None or now_ns != self._asked_ns:
                self._asked_ns = now_ns
                self._out.append(protocol.setup(self._mask, self._pulse_pin))
            return
        before, self.hello = self._boot, hello
        self._heard_ns = now_ns
        if before != hello.boot:
            if before is not None:
                self.counts.reboots += 1
            asked = self._asked_ns
            self._forget()
            self._asked_ns = asked
            self._unsettled_ns = self._heard_ns = now_ns
            self._boot = hello.boot
            slack_ns = round(hello.slack * 1e9 / hello.tick_hz)
            self.clock = ClockMap(hello.tick_hz, slack_ns=slack_ns)
            self._timeline = Timeline(self.clock)
            if self._wire is not None:
                self._wire.joined(self.name, self._timeline)
        elif self._next is not None and not self._unknown:
            self._again(now_ns)
        else:
            self._next = None

    # ---- pings

    def _ping(self, now_ns: int) -> None:
        self._number = (self._number + 1) & MASK32
        self._sent[self._number] = now_ns
        for number in [n for n, sent_ns in self._sent.items() if now_ns - sent_ns > 20 * PING_LOST_NS]:
            del self._sent[number]
        self._out.append(protocol.ping(self._number))
        self._next_ping_ns = now_ns + self._pause_ns(now_ns)
        if now_ns - self._burst_ns >= BURST_EVERY_NS:
            self._burst_ns, self._in_burst = now_ns, BURST

    def _pause_ns(self, now_ns: int) -> int:
        if self._waiting and now_ns - self._waiting[0][2] > AGAIN_NS and self._next is not None:
            self._again(now_ns)
        quick = not self._settled or now_ns < self._edge_ns + QUICK_FOR_NS
        return QUICK_NS if quick else IDLE_NS

    def _pong(self, pong: Pong, now_ns: int) -> list[Input]:
        sent_ns = self._sent.pop(pong.id, None)
        if sent_ns is None or self.clock is None:
            return []
        self._heard_ns = now_ns
        if not pong.written or (self._next is not None and _after(pong.written, self._next) < 0):
            self._doubt(now_ns)  # the box has begun anew without the port noticing
            return []
        self.clock.add(Sample(sent_ns, now_ns, self._ticks.extend(pong.tick)))
        if self._in_burst:
            self._in_burst -= 1
            self._next_ping_ns = now_ns
        if self._next is None and pong.written:
            self._next = (pong.written - 1) & MASK32  # the latest event says how all pins are
            self._again(now_ns)
        return self._promise(pong.tick, pong.written, now_ns)

    # ---- events

    def _events(self, frame: Events, now_ns: int) -> list[Input]:
        if self._next is None or self.clock is None or not self.clock.ready:
            return []
        ahead = _after(frame.index, self._next)
        if ahead > 0:
            self._again(now_ns)
            return []
        out: list[Input] = []
        for pins, tick in frame.events[-ahead:] if ahead else frame.events:
            out += self._event(pins, self._ticks.extend(tick))
            self._next = (self._next + 1) & MASK32
        if frame.events[-ahead:] if ahead else frame.events:
            self._edge_ns = now_ns
        return out + self._release(now_ns)

    def _event(self, pins: int, tick: int) -> list[Input]:
        self.counts.events += 1
        before, self._pins = self._pins, pins
        blind = tick - self._tick <= BLIND_TICKS
        self._tick = tick
        if before is None:
            return []
        changed = (pins ^ before) & self._mask
        if changed & self._sync_bit and pins & self._sync_bit and self._wire is not None and not blind:
            assert self._timeline is not None
            self._wire.pulse(self.name, tick, self._timeline.peek(tick))
        if not self._settled or not changed & ~self._sync_bit:
            return []
        return self._edges(pins, changed, tick, BLIND_TICKS if blind else 1)

    def _edges(self, pins: int, changed: int, tick: int, window: int) -> list[Input]:
        """Return an edge for every line that changed, in the middle of the time in which it may have."""
        reading, own_ns = self._read(tick)
        half_ns = round(window * self._tick_ns() / 2)
        t_ns = max(reading.t_ns - half_ns, self._promised_ns or 0)
        u_ns = half_ns + own_ns + 1
        out: list[Input] = []
        while changed:
            bit = changed & -changed
            changed ^= bit
            line = self._line_at.get(bit)
            if line is not None:
                out.append(Edge(t_ns, self.name, line, 0 if pins & bit else 1, u_ns, reading.u_ns))
        return out

    def _read(self, tick: int) -> tuple[Reading, int]:
        """Return where *tick* lies, and what of its error is this box's alone."""
        assert self._timeline is not None
        reading = self._timeline.read(tick)
        return (reading, 0) if self._wire is None else self._wire.read(self.name, tick, reading)

    def _tick_ns(self) -> float:
        return self.clock.nominal_ns if self.clock is not None else 0.0

    # ---- losses

    def _again(self, now_ns: int) -> None:
        """Ask for the wanted event again, not too often."""
        if self._next is not None and now_ns - self._resent_ns > AGAIN_NS // 2:
            self._resent_ns = now_ns
            self.counts.resends += 1
            self._out.append(protocol.resend(self._next))

    def _doubt(self, now_ns: int) -> None:
        """Ask who is there, and take everything since the last promise for lost."""
        self.hello, self._asked_ns, self._unknown = None, None, True
        self._sent.clear()
        if self._settled:
            self._settled, self._gap_ns, self._unsettled_ns = False, self._promised_ns, now_ns

    def _overrun(self, frame: Overrun) -> None:
        if self._next is None or self.clock is None or _after(frame.index, self._next) <= 0:
            return
        self._next = frame.index
        self._pins = frame.pins
        self._mute_tick = self._ticks.extend(frame.tick)
        if self._settled:
            self._settled, self._gap_ns = False, self._promised_ns
            self._unsettled_ns = self._heard_ns

    # ---- promises

    def _promise(self, tick: int, written: int, now_ns: int) -> list[Input]:
        if self._next is None or self.clock is None or not self.clock.ready:
            return []
        self._waiting.append((self._ticks.extend(tick), written, now_ns))
        return self._release(now_ns)

    def _release(self, now_ns: int) -> list[Input]:
        """Return the promise that can be given now; the first after a loss says how the lines are."""
        assert self._next is not None
        best: int | None = None
        while self._waiting and _after(self._waiting[0][1], self._next) <= 0:
            best = self._waiting.pop(0)[0]
        if best is None:
            if self._waiting and now_ns - self._waiting[0][2] > AGAIN_NS:
                self._again(now_ns)
            return []
        slack = self.hello.slack if self.hello else 0
        reading, own_ns = self._read(best)
        t_ns = reading.t_ns - round((MARGIN_TICKS + BLIND_TICKS + slack) * self._tick_ns())
        if self._promised_ns is not None and t_ns <= self._promised_ns:
            return []
        if self._settled:
            self._promised_ns = t_ns
            return [Watermark(t_ns, self.name)]
        if self._pins is None or (self._mute_tick is not None and best <= self._mute_tick):
            return []
        if self._tick > best:  # what came with it is in the levels, though it happened after the promise
            reading, own_ns = self._read(self._tick)
            t_ns = reading.t_ns
        return self._settle(t_ns, reading.u_ns, own_ns)

    def _settle(self, t_ns: int, clock_u_ns: int, own_ns: int) -> list[Input]:
        assert self._pins is not None
        levels = {line: 1 - (self._pins >> pin & 1) for line, pin in self._pin_of.items()}
        out: list[Input] = []
        if self._gap_ns is not None:
            out.append(Gap(self._gap_ns, t_ns, self.name))
        u_ns = round(self._tick_ns() / 2) + own_ns + 1
        self._settled, self._unknown, self._gap_ns, self._mute_tick = True, False, None, None
        self._promised_ns = t_ns
        return [*out, Levels(levels, t_ns, self.name, u_ns, clock_u_ns), Watermark(t_ns, self.name)]


def _after(a: int, b: int) -> int:
    """Return by how much the 32-bit count *a* is ahead of *b*, negative when it is behind."""
    return ((a - b + HALF) & MASK32) - HALF


def _other_firmware(hello: Hello) -> Text:
    versions = {
        "theirs": ".".join(map(str, hello.version)),
        "ours": ".".join(map(str, firmware.version())),
    }
    if hello.protocol < PROTOCOL:
        return text(
            "The box has firmware {theirs}, too old for this Last Nose: "
            "say lastnose box flash to give it {ours}.",
            **versions,
        )
    return text(
        "The box has firmware {theirs}, newer than this Last Nose speaks ({ours}): update Last Nose, "
        "or say lastnose box flash to go back.",
        **versions,
    )
