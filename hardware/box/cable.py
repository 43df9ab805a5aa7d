"""The cable between a simulated box and its host, where the system has no pseudo-terminals: all in memory.

The box's end sends and receives without waiting; the host's end is a `Port`. Like a real one it holds so much
and no more, belongs to one opener at a time, and breaks when it is pulled.
"""

from __future__ import annotations

import threading
from typing import Protocol

from companion.core.errors import DeviceError
from companion.core.text import text
from hardware.box.ports import Port

HOLDS = 4096  # bytes each way, as a pseudo-terminal does
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
        """Return the host's end; raise DeviceError."""
        with self._changed:
            ends = self._ends
            if ends is None:
                raise DeviceError(
                    text(
                        "There is no port {port}. Say lastnose box list to see the ones there are.",
                        port=self.name,
                    )
                )
            if ends.held:
                raise DeviceError(
                    text("{port} is in use: is a second Last Nose, or a terminal, running?", port=self.name)
                )
            ends.held = True
            return _MemoryPort(ends, self._changed)

    def receive(self) -> bytes:
        """Return what has come from the host."""
        with self._changed:
            if self._ends is None:
                return b""
            data, self._ends.to_box = bytes(self._ends.to_box), bytearray()
            self._changed.notify_all()
            return data

    def send(self, data: bytes) -> int:
        """Send as much as there is room for."""
        with self._changed:
            if self._ends is None:
                return 0
            room = max(0, HOLDS - len(self._ends.to_host))
            self._ends.to_host += data[:room]
            self._changed.notify_all()
            return min(room, len(data))

    def wait(self, wait_s: float, *, for_room: bool) -> None:
        """Wait for the host, or for `wake`."""

        def something() -> bool:
            ends = self._ends
            if self._woken or ends is None:
                return self._woken
            return len(ends.to_host) < HOLDS if for_room else bool(ends.to_box)

        with self._changed:
            self._changed.wait_for(something, wait_s)
            self._woken = False

    def wake(self) -> None:
        """Let whoever waits go on."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        """Pull it for good."""
        self.unplug()


class _MemoryPort:
    """The host's end of a cable in memory; keeps `Port`."""

    def __init__(self, ends: _Ends, changed: threading.Condition) -> None:
        self._ends = ends
        self._changed = changed
        self._closed = False

    def read(self, wait_s: float) -> bytes:
        """Return what has come."""
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
        """Give the port back."""
        with self._changed:
            if not self._closed:
                self._closed, self._ends.held = True, False
                self._changed.notify_all()

    def _must_be_there(self) -> None:
        if self._ends.pulled or self._closed:
            raise OSError("the cable has been pulled")
