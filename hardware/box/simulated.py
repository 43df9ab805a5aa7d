"""A simulated box behind a pseudo-terminal, with faults to switch on: the whole host side runs against it."""

from __future__ import annotations

import contextlib
import os
import select
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec

from companion.errors import BadInput
from companion.text import text
from hardware.box.chip import Chip, Storm

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
        if name not in Faults.__struct_fields__ or not value.removeprefix("-").isdigit():
            raise BadInput(
                text(
                    "--box {spec}: “{part}” is no fault with its number. Say sim:corrupt=20,drift=80; "
                    "there are {names}.",
                    spec=spec,
                    part=part,
                    names=", ".join(Faults.__struct_fields__),
                )
            )
        chosen[name] = int(value)
    return Faults(**chosen)


class SimulatedBox:
    """A box that pretends, on a port of its own (`port` is its path); usable as a context manager.

    Faults can be switched while it runs: set `faults`, or call `reboot`, `unplug`, `plug` and so on.
    """

    def __init__(
        self, *, faults: Faults = NO_FAULTS, serial: str = "E66038B713000001", seed: int = 1
    ) -> None:
        self.faults = faults
        self.serial = serial
        self.chip = Chip(time.monotonic_ns, serial=serial)
        self._chance = Random(seed)
        self._folder = tempfile.TemporaryDirectory(prefix="lastnose-box-")
        self.port = str(Path(self._folder.name) / "port")
        self._lock = threading.RLock()
        self._wake_read, self._wake_write = os.pipe()
        self._closing = threading.Event()
        self._ends: tuple[int, int] | None = None
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
        self._wake()
        self._thread.join(1.0)
        self.unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._folder.cleanup()

    # ---- hands

    def set(self, pin: int, level: int) -> int:
        """Close (1) or open (0) the contact of a pin, now; return when that was."""
        with self._lock:
            t_ns = time.monotonic_ns()
            self.chip.sampler.set(pin, 1 - level, t_ns)
        self._wake()
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
            if self._ends is not None:
                Path(self.port).unlink(missing_ok=True)
                for end in self._ends:
                    os.close(end)
                self._ends, self._unsent = None, b""
        self._wake()

    def plug(self) -> None:
        """Put the cable back: a new start, at the same path."""
        with self._lock:
            if self._ends is None:
                master, slave = os.openpty()
                tty.setraw(slave)
                os.set_blocking(master, False)
                self._ends = master, slave
                Path(self.port).symlink_to(os.ttyname(slave))
                self.chip.reboot()
        self._wake()

    def overrun(self, changes: int = 3_000, pin: int = 0) -> None:
        """Let a loose wire flood the ring."""
        with self._lock:
            self.chip.sampler.flood(changes, pin)
        self._wake()

    def stall(self) -> None:
        """Let the chip lose a change."""
        with self._lock:
            self.chip.sampler.stall()

    def storm(self, lasts_ns: int = STORM_NS, every_ns: int = STORM_EVERY_NS) -> Storm:
        """Let every watched input change each *every_ns*, from now on; return the storm."""
        with self._lock:
            sampler = self.chip.sampler
            pins = tuple(pin for pin in range(32) if sampler.mask >> pin & 1 and pin != sampler.pulse_pin)
            now_ns = time.monotonic_ns()
            # An even number of changes each: in the end all is as it was.
            storm = Storm(pins, now_ns, now_ns + lasts_ns - lasts_ns % (2 * every_ns) - 1, every_ns)
            if pins:
                sampler.storm(storm)
        self._wake()
        return storm

    # ---- the thread

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b".")

    def _run(self) -> None:
        while not self._closing.is_set():
            self._misfortunes()
            with self._lock:
                busy = self._serve()
                master = [] if self._ends is None else [self._ends[0]]
                heard, stuck = ([], master) if self._unsent else (master, [])
            try:
                ready, _, _ = select.select([self._wake_read, *heard], stuck, [], 0 if busy else POLL_S)
            except (OSError, ValueError):
                continue  # unplugged meanwhile
            if self._wake_read in ready:
                os.read(self._wake_read, 1024)

    def _serve(self) -> bool:
        """Let the firmware do one round of its loop; return whether there is more to do at once."""
        if self._ends is None:
            return False
        master, line = self._ends[0], self.chip.line
        if not self._send(master):
            return False  # the firmware hangs in its write
        with contextlib.suppress(OSError):  # nothing to read
            line.to_box += os.read(master, 4096)
        busy = bool(self.chip.box.poll())
        self._unsent, self._stuck_ns = line.taken(), time.monotonic_ns()
        return self._send(master) and busy

    def _send(self, master: int) -> bool:
        """Send what waits; return whether that is over: sent, or dropped after too long."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(master, self._unsent) :]
        except BlockingIOError:
            if time.monotonic_ns() - self._stuck_ns < DROPS_AFTER_NS:
                return False
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
        now_ns = time.monotonic_ns()
        if self._ends is None and self.faults.unplug and now_ns > self._due_ns.get("plug", 0):
            self.plug()
        for name in ("reboot", "unplug", "overrun", "stall", "storm"):
            every_ns = getattr(self.faults, name) * 1_000_000_000
            if not every_ns:
                continue
            if now_ns > self._due_ns.setdefault(name, now_ns + every_ns):
                self._due_ns[name] = now_ns + every_ns
                self._due_ns["plug"] = now_ns + 1_000_000_000
                getattr(self, name)()
