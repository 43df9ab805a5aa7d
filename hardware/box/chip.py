"""A buzzer box that exists only in memory: the real firmware, a pretended sampler and line.

Its time is what it is given, so that a test needs no waiting. Whoever uses it says SIMULATED.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import msgspec
from lastnose.hardware.box import protocol

HZ = 5_000_000
SIZE = 1024
MASK32 = (1 << 32) - 1
ALL_HIGH = MASK32
SLACK_TICKS = 10
_EVENT = struct.Struct("<II")


class SampledLine:
    """The wire between box and host; faults are switched on by setting `cuts` and the like."""

    def __init__(self) -> None:
        self.to_box = bytearray()
        self.to_host = bytearray()
        self.open = True
        self.corrupt: Callable[[bytes], bytes] | None = None  # what becomes of a frame on its way to the host

    def read(self) -> bytes:
        """Return what the host has written."""
        data, self.to_box = bytes(self.to_box), bytearray()
        return data

    def write(self, data: bytes) -> None:
        """Take what the box says."""
        if self.open:
            self.to_host += data if self.corrupt is None else self.corrupt(data)

    def taken(self) -> bytes:
        """Return what has come for the host."""
        data, self.to_host = bytes(self.to_host), bytearray()
        return data


class Storm(msgspec.Struct):
    """*pins* change in turn from `begin_ns` to `end_ns`, each every `every_ns`; `told` are done.

    >>> storm = Storm((4, 7), 1_000, 5_000, 1_000)
    >>> [(storm.pin(n), storm.at_ns(n)) for n in range(3)], storm.due(1_999), storm.due(9_000)
    ([(4, 1000), (7, 1500), (4, 2000)], 2, 9)
    """

    pins: tuple[int, ...]
    begin_ns: int
    end_ns: int
    every_ns: int
    told: int = 0

    def pin(self, number: int) -> int:
        """Return which pin change *number* is of, from 0."""
        return self.pins[number % len(self.pins)]

    def at_ns(self, number: int) -> int:
        """Return when change *number* is."""
        return self.begin_ns + number * self.every_ns // len(self.pins)

    def due(self, t_ns: int) -> int:
        """Return how many changes there are by *t_ns*."""
        passed_ns = min(t_ns, self.end_ns) - self.begin_ns
        return max(0, -(-(passed_ns + 1) * len(self.pins) // self.every_ns))

    def flips(self, first: int, count: int) -> int:
        """Return the pins whose level *count* changes from *first* on turn over in all."""
        whole, rest = divmod(count, len(self.pins))
        mask = sum(1 << pin for pin in self.pins) if whole % 2 else 0
        for number in range(first, first + rest):
            mask ^= 1 << self.pin(number)
        return mask


class SimulatedSampler:
    """Keeps the last SIZE changes of pins that are set by hand; what firmware/box.py asks of a sampler.

    *clock* gives the time in nanoseconds; `ppm` is how much too fast the crystal runs.
    """

    hz = HZ
    size = SIZE
    slack = SLACK_TICKS

    def __init__(self, clock: Callable[[], int], begin_tick: int = 0) -> None:
        self.mask = self.mask_before = 0
        self.levels = ALL_HIGH
        self.on_pulse: list[Callable[[int, int], None]] = []  # who else hears the sync pulse: level, when
        self._clock = clock
        self._words = 0
        self._memory = bytearray(8 * SIZE)
        self._ring = protocol.load("ring").Ring(self._memory, lambda: self._words)
        self._storm: Storm | None = None
        self._stalled = False
        self.pulse_pin = 255
        self._ppm = 0.0
        self._base = float(begin_tick)
        self._base_ns = clock()

    @property
    def ppm(self) -> float:
        """How much too fast the crystal runs."""
        return self._ppm

    @ppm.setter
    def ppm(self, ppm: float) -> None:
        now_ns = self._clock()
        self._base, self._base_ns, self._ppm = self._exact(now_ns), now_ns, ppm

    def _exact(self, t_ns: int) -> float:
        return self._base + (t_ns - self._base_ns) * HZ / 1e9 * (1 + self._ppm * 1e-6)

    def tick(self, t_ns: int) -> int:
        """Return the tick at a time, 32 bits."""
        return int(self._exact(t_ns)) & MASK32

    def start(self, mask: int, pulse_pin: int) -> None:
        """Watch the pins of *mask*."""
        self.mask = self.mask_before = mask
        self.pulse_pin = pulse_pin
        if pulse_pin != 255:
            self.levels &= ~(1 << pulse_pin)
        self._words, self._stalled = 0, False
        self._ring.begin()
        self._note(self._clock())

    def stop(self) -> None:
        """Watch nothing."""
        self.mask = 0

    def _note(self, t_ns: int) -> None:
        # The sampler reads at the next tick.
        tick = (self.tick(t_ns) + 1) & MASK32
        _EVENT.pack_into(self._memory, self._words // 2 % SIZE * 8, self.levels & self.mask, tick)
        self._words += 2

    def set(self, pin: int, high: int, t_ns: int) -> None:
        """Set a pin at a time, not before the one set last; the same level again is no change."""
        self._rage(t_ns)
        before = self.levels
        self.levels = before | 1 << pin if high else before & ~(1 << pin)
        if (self.levels ^ before) & self.mask:
            self._note(t_ns)

    def flood(self, changes: int, pin: int) -> None:
        """Let a pin change so often that the ring runs over."""
        t_ns = self._clock()
        for _ in range(changes):
            self.levels ^= 1 << pin
            self._note(t_ns)

    def storm(self, storm: Storm) -> None:
        """Let many pins change on and on, from now or later; nobody else moves these meanwhile."""
        self._storm = storm

    def _rage(self, t_ns: int) -> None:
        """Write what the storm has done by *t_ns*; of more than the ring holds, only what is left there."""
        storm = self._storm
        if storm is None:
            return
        due = storm.due(t_ns)
        unseen = max(0, due - storm.told - SIZE)
        if unseen:
            self.levels ^= storm.flips(storm.told, unseen)
            self._words += 2 * unseen
        for number in range(storm.told + unseen, due):
            self.levels ^= 1 << storm.pin(number)
            self._note(storm.at_ns(number))
        storm.told = due
        if t_ns > storm.end_ns:
            self._storm = None

    def stall(self) -> None:
        """Let a change be lost in the chip."""
        self._stalled = True

    def written(self) -> int:
        """Return how many changes there were."""
        self._rage(self._clock())
        return int(self._ring.written())

    def copy(self, first: int, count: int) -> bytes:
        """Return a copy of changes as they lie in the ring."""
        return bytes(self._ring.copy(first, count))

    def now(self) -> int:
        """Return the tick of now."""
        return self.tick(self._clock())

    def time(self) -> int:
        """Return the time in 1,024 µs, 22 bits."""
        return self._clock() // 1_024_000 & 0x3FFFFF

    def pins(self) -> int:
        """Return the pins as they are."""
        self._rage(self._clock())
        return self.levels & self.mask

    def stalled(self) -> bool:
        """Return whether a change was lost."""
        return self._stalled

    def pulse(self, level: int) -> None:
        """Drive the sync wire."""
        t_ns = self._clock()
        self.set(self.pulse_pin, level, t_ns)
        for hear in self.on_pulse:
            hear(level, t_ns)


class Chip:
    """Sampler, line and firmware put together. `boots` counts how often it was switched on."""

    def __init__(
        self, clock: Callable[[], int], *, serial: str = "E66038B713000001", begin_tick: int = 0
    ) -> None:
        self.clock = clock
        self.serial = serial
        self.line = SampledLine()
        self.lamp = -1
        self.boots = 0
        self.sampler: SimulatedSampler
        self.box: Any
        self.begin_tick = begin_tick
        self.reboot()

    def reboot(self) -> None:
        """Switch it off and on: ticks and events begin again; pins stay as they are, held from outside."""
        before = getattr(self, "sampler", None)
        self.boots += 1
        self.sampler = SimulatedSampler(self.clock, self.begin_tick)
        if before is not None:
            self.sampler.levels, self.sampler.ppm = before.levels, before.ppm
            self.sampler.on_pulse = before.on_pulse
        self.line.to_box.clear()
        boot = (self.boots * 0x9E3779B1) & MASK32
        module = protocol.load("box")
        self.box = module.Box(self.line, self.sampler, boot, bytes.fromhex(self.serial), self._light)

    def _light(self, state: int) -> None:
        self.lamp = state

    def press(self, pin: int, t_ns: int | None = None) -> None:
        """Close the contact of a pin to ground."""
        self.sampler.set(pin, 0, self.clock() if t_ns is None else t_ns)

    def release(self, pin: int, t_ns: int | None = None) -> None:
        """Open it."""
        self.sampler.set(pin, 1, self.clock() if t_ns is None else t_ns)
