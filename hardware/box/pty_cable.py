"""A simulated box's cable as a pseudo-terminal: any program can open its port. For systems that have them."""

from __future__ import annotations

import contextlib
import os
import select
import tempfile
import tty
from pathlib import Path

from lastnose.hardware.box.ports import Port, SerialPort


class PtyCable:
    """A cable whose host's end is a terminal at the path `name`; keeps `Cable`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lastnose-box-")
        self.name = str(Path(self._folder.name) / "port")
        self._wake_read, self._wake_write = os.pipe()
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        """Put the cable in: a new terminal at the same path."""
        if self._ends is None:
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._ends = master, slave
            Path(self.name).symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Pull it."""
        if self._ends is not None:
            Path(self.name).unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def open_port(self) -> Port:
        """Return the host's end; raise DeviceError."""
        return SerialPort(self.name)

    def receive(self) -> bytes:
        """Return what has come from the host."""
        with contextlib.suppress(OSError):  # nothing to read
            if self._ends is not None:
                return os.read(self._ends[0], 4096)
        return b""

    def send(self, data: bytes) -> int:
        """Send as much as there is room for."""
        try:
            return 0 if self._ends is None else os.write(self._ends[0], data)
        except BlockingIOError:
            return 0

    def wait(self, wait_s: float, *, for_room: bool) -> None:
        """Wait for the host, or for `wake`."""
        ends = self._ends
        master = [] if ends is None else [ends[0]]
        heard, stuck = ([], master) if for_room else (master, [])
        try:
            ready, _, _ = select.select([self._wake_read, *heard], stuck, [], wait_s)
        except (OSError, ValueError):
            return  # unplugged meanwhile
        if self._wake_read in ready:
            os.read(self._wake_read, 1024)

    def wake(self) -> None:
        """Let whoever waits go on."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b".")

    def close(self) -> None:
        """Pull it for good."""
        self.unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._folder.cleanup()
