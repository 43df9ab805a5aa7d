"""A simulated box on a cable in memory, with faults to switch on: the whole host side runs against it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from errno import EBUSY, ENODEV
from random import Random
from typing import Protocol

import msgspec
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.text import english
from lastnose.companion.system import host_clock
from lastnose.hardware.box.chip import Chip, Storm
from lastnose.hardware.box.ports import Port, refusal

HOLDS = 4096  # bytes each way, as the kernel holds of a serial port
WRITE_S = 1.0


class Cable(Protocol):
    """A box's end of its cable. `name` is the port's, for people."""

    name: str

    def plug(self) -> None:
        """Put the cable in."""

    def unplug(self) -> None:
        """Pull the cable: whoever holds the port learns of it by an OSError."""

    def open_port(self) -> Port:
        """Return the host's end; raise DeviceError when it is out, or in use."""

    def receive(self) -> bytes:
        """Return what has come from the host."""

    def send(self, data: bytes) -> int:
        """Send as much of *data* as there is room for; return how much that was."""

    def wait(self, wait_s: float, *, for_room: bool) -> None:
        """Wait for bytes from the host, or else for room to send, or for `wake`."""

    def wake(self) -> None:
        """Let whoever waits go on."""

    def close(self) -> None:
        """Pull it for good."""


class _Ends:
    """What is on the way while a cable is plugged in; guarded by the cable's condition."""

    def __init__(self) -> None:
        self.to_box = bytearray()
        self.to_host = bytearray()
        self.held = False
        self.pulled = False


class MemoryCable:
    """A cable within this process; keeps `Cable`."""

    def __init__(self) -> None:
        self.name = "memory"
        self._changed = threading.Condition()
        self._ends: _Ends | None = None
        self._woken = False

    def plug(self) -> None:
        """Put the cable in, empty."""
        with self._changed:
            if self._ends is None:
                self._ends = _Ends()

    def unplug(self) -> None:
        """Pull it: what is on the way is lost."""
        with self._changed:
            if self._ends is not None:
                self._ends.pulled, self._ends = True, None
                self._changed.notify_all()

    def open_port(self) -> Port:
        with self._changed:
            ends = self._ends
            if ends is None or ends.held:
                raise DeviceError(refusal(self.name, OSError(ENODEV if ends is None else EBUSY, "")))
            ends.held = True
            return _MemoryPort(ends, self._changed)

    def receive(self) -> bytes:
        with self._changed:
            if self._ends is None:
                return b""
            data, self._ends.to_box = bytes(self._ends.to_box), bytearray()
            self._changed.notify_all()
            return data

    def send(self, data: bytes) -> int:
        with self._changed:
            if self._ends is None:
                return 0
            room = max(0, HOLDS - len(self._ends.to_host))
            self._ends.to_host += data[:room]
            self._changed.notify_all()
            return min(room, len(data))

    def wait(self, wait_s: float, *, for_room: bool) -> None:
        def something() -> bool:
            ends = self._ends
            if self._woken or ends is None:
                return self._woken
            return len(ends.to_host) < HOLDS if for_room else bool(ends.to_box)

        with self._changed:
            self._changed.wait_for(something, wait_s)
            self._woken = False

    def wake(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        self.unplug()


class _MemoryPort:
    """The host's end of a cable in memory; keeps `Port`."""

    def __init__(self, ends: _Ends, changed: threading.Condition) -> None:
        self._ends = ends
        self._changed = changed
        self._closed = False

    def read(self, wait_s: float) -> bytes:
        ends = self._ends
        with self._changed:
            self._changed.wait_for(lambda: ends.to_host or ends.pulled or self._closed, wait_s)
            self._must_be_there()
            data, ends.to_host = bytes(ends.to_host), bytearray()
            self._changed.notify_all()
            return data

    def write(self, data: bytes) -> None:
        """Send *data*, waiting for room if need be."""
        ends = self._ends
        with self._changed:
            while data:
                there = self._changed.wait_for(
                    lambda: len(ends.to_box) < HOLDS or ends.pulled or self._closed, WRITE_S
                )
                self._must_be_there()
                if not there:
                    raise TimeoutError("the box does not read")
                room = HOLDS - len(ends.to_box)
                ends.to_box += data[:room]
                data = data[room:]
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            if not self._closed:
                self._closed, self._ends.held = True, False
                self._changed.notify_all()

    def _must_be_there(self) -> None:
        if self._ends.pulled or self._closed:
            raise OSError("the cable has been pulled")


# ---- the box at its end


POLL_S = 0.02
DROPS_AFTER_NS = 500_000_000  # so long a write of MicroPython's USB waits for a host that does not read
STORM_NS, STORM_EVERY_NS = 1_000_000_000, 50_000
PREFIX = "sim"


class Faults(msgspec.Struct, frozen=True):
    """What goes wrong: one frame in `corrupt` is damaged, one in `lose` lost; every `reboot`, `unplug`,
    `overrun`, `stall` or `storm` seconds that happens; `drift` is the crystal's error in ppm. 0: never.

    In a storm every input toggles at 10 kHz, for a second.
    """

    corrupt: int = 0
    lose: int = 0
    reboot: int = 0
    unplug: int = 0
    overrun: int = 0
    stall: int = 0
    storm: int = 0
    drift: int = 0


NO_FAULTS = Faults()


def read_faults(spec: str) -> Faults:
    """Return the faults of `sim:corrupt=20,drift=80`; raise BadInput for what is no fault.

    >>> read_faults("sim:corrupt=20,drift=-80")
    Faults(corrupt=20, lose=0, reboot=0, unplug=0, overrun=0, stall=0, storm=0, drift=-80)
    """
    chosen: dict[str, int] = {}
    for part in filter(None, spec.removeprefix(PREFIX).removeprefix(":").split(",")):
        name, _, value = part.partition("=")
        digits = value.removeprefix("-") if name == "drift" else value
        if name not in Faults.__struct_fields__ or not digits.isdecimal():
            raise BadInput(
                english(
                    "--box {spec}: “{part}” is not a fault with its number. Write sim:corrupt=20,drift=80; "
                    "there are {names}.",
                    spec=spec,
                    part=part,
                    names=", ".join(Faults.__struct_fields__),
                )
            )
        chosen[name] = int(value)
    return Faults(**chosen)


class SimulatedBox:
    """A box that pretends, on a port of its own (`port` is its name); usable as a context manager.

    Faults can be switched while it runs: set `faults`, or call `reboot`, `unplug`, `plug` and so on.
    """

    def __init__(
        self,
        *,
        faults: Faults = NO_FAULTS,
        serial: str = "E66038B713000001",
        cable: Cable | None = None,
    ) -> None:
        self.faults = faults
        self.serial = serial
        self.chip = Chip(host_clock.now_ns, serial=serial)
        self._chance = Random(1)
        self._cable = cable or MemoryCable()
        self.port = self._cable.name
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._plugged = False
        self._due_ns: dict[str, int] = {}
        self._unsent = b""  # the chip waits until the host has read so much
        self._stuck_ns = 0
        self.chip.line.corrupt = self._spoil
        self.chip.sampler.ppm = faults.drift
        self.plug()
        self._thread = threading.Thread(target=self._run, name="simulated-box", daemon=True)
        self._thread.start()

    def __enter__(self) -> SimulatedBox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the port away."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._cable.wake()
        self._thread.join(1.0)
        self.unplug()
        self._cable.close()

    def open_port(self) -> Port:
        """Open the host's end of its cable; raise DeviceError when it is unplugged, or in use."""
        return self._cable.open_port()

    # ---- hands

    def set(self, pin: int, level: int) -> int:
        """Close (1) or open (0) the contact of a pin, now; return when that was."""
        with self._lock:
            t_ns = host_clock.now_ns()
            self.chip.sampler.set(pin, 1 - level, t_ns)
        self._cable.wake()
        return t_ns

    def hear(self, other: SimulatedBox, pin: int) -> None:
        """Lay the sync wire: what *other* drives arrives on this box's *pin* too."""

        def heard(level: int, t_ns: int) -> None:
            with self._lock:
                self.chip.sampler.set(pin, level, t_ns)

        other.tell_pulses(heard)

    def tell_pulses(self, hear: Callable[[int, int], None]) -> None:
        """Tell *hear* of each change of the sync wire that this box drives: its level, and when."""
        with self._lock:
            self.chip.sampler.on_pulse.append(hear)

    # ---- faults

    def reboot(self) -> None:
        """Switch the chip off and on; the port stays."""
        with self._lock:
            self.chip.reboot()

    def unplug(self) -> None:
        """Pull the cable: the port is gone."""
        with self._lock:
            if self._plugged:
                self._cable.unplug()
                self._plugged, self._unsent = False, b""
        self._cable.wake()

    def plug(self) -> None:
        """Put the cable back: a new start, at the same port."""
        with self._lock:
            if not self._plugged:
                self._cable.plug()
                self._plugged = True
                self.chip.reboot()
        self._cable.wake()

    def overrun(self, changes: int = 3_000, pin: int = 0) -> None:
        """Let a loose wire flood the ring."""
        with self._lock:
            self.chip.sampler.flood(changes, pin)
        self._cable.wake()

    def stall(self) -> None:
        """Let the chip lose a change."""
        with self._lock:
            self.chip.sampler.stall()

    def storm(self, lasts_ns: int = STORM_NS, every_ns: int = STORM_EVERY_NS) -> Storm:
        """Let every watched input change each *every_ns*, from now on; return the storm."""
        with self._lock:
            sampler = self.chip.sampler
            pins = tuple(pin for pin in range(32) if sampler.mask >> pin & 1 and pin != sampler.pulse_pin)
            now_ns = host_clock.now_ns()
            # An even number of changes each: in the end all is as it was.
            storm = Storm(pins, now_ns, now_ns + lasts_ns - lasts_ns % (2 * every_ns) - 1, every_ns)
            if pins:
                sampler.storm(storm)
        self._cable.wake()
        return storm

    # ---- the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            self._misfortunes()
            with self._lock:
                busy = self._serve()
            self._cable.wait(0 if busy else POLL_S, for_room=bool(self._unsent))

    def _serve(self) -> bool:
        """Let the firmware do one round of its loop; return whether there is more to do at once."""
        if not self._plugged:
            return False
        line = self.chip.line
        if not self._send():
            return False  # the firmware hangs in its write
        line.to_box += self._cable.receive()
        busy = bool(self.chip.box.poll())
        self._unsent, self._stuck_ns = line.taken(), host_clock.now_ns()
        return self._send() and busy

    def _send(self) -> bool:
        """Send what waits; return whether that is over: sent, or dropped after too long."""
        while self._unsent:
            sent = self._cable.send(self._unsent)
            if sent:
                self._unsent = self._unsent[sent:]
            elif host_clock.now_ns() - self._stuck_ns < DROPS_AFTER_NS:
                return False
            else:
                self._unsent = b""
        return True

    def _spoil(self, data: bytes) -> bytes:
        faults, chance = self.faults, self._chance
        if faults.lose and chance.randrange(faults.lose) == 0:
            return b""
        if faults.corrupt and chance.randrange(faults.corrupt) == 0:
            at = chance.randrange(len(data))
            return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]
        return data

    def _misfortunes(self) -> None:
        """Let happen what is due every few seconds."""
        now_ns = host_clock.now_ns()
        if not self._plugged and self.faults.unplug and now_ns > self._due_ns.get("plug", 0):
            self.plug()
        for name in ("reboot", "unplug", "overrun", "stall", "storm"):
            every_ns = getattr(self.faults, name) * 1_000_000_000
            if not every_ns:
                continue
            if now_ns > self._due_ns.setdefault(name, now_ns + every_ns):
                self._due_ns[name] = now_ns + every_ns
                self._due_ns["plug"] = now_ns + 1_000_000_000
                getattr(self, name)()
