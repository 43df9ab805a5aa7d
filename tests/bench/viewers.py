"""Many open pages, as the server sees them: readers of the live stream that note when they heard what."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.system import host_clock, systemd

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

_VERSION = re.compile(rb'data: \{"version":(\d+)')
_REQUEST = b"GET /events?lang=en HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n"
SPARE_FILES = 100


class MeasuredViewer:
    """One reader. `heard` has every version that has come whole, with when."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.sendall(_REQUEST % port)
        self.socket.setblocking(False)
        self.heard: list[tuple[int, int]] = []
        self._rest = b""

    def take(self, received: bytes, at_ns: int) -> None:
        """Take what came at *at_ns*."""
        whole, end, self._rest = (self._rest + received).rpartition(b"\n\n")
        if end:
            self.heard += [(int(version), at_ns) for version in _VERSION.findall(whole)]

    def heard_ns(self, version: int) -> int | None:
        """Return when *version*, or a newer one in its place, was heard first; None: not yet."""
        return next((at_ns for heard, at_ns in self.heard if heard >= version), None)


class Audience:
    """All viewers of the page at *port*, read by one thread: whoever calls `read`."""

    def __init__(self, port: int, viewers: int) -> None:
        allow_files(viewers + SPARE_FILES)
        self._selector = selectors.DefaultSelector()
        self.viewers: list[MeasuredViewer] = []
        try:
            for _ in range(viewers):
                viewer = MeasuredViewer(port)
                self.viewers.append(viewer)
                self._selector.register(viewer.socket, selectors.EVENT_READ, viewer)
        except OSError as problem:
            self.close()
            raise DeviceError(
                text("The page did not let {n} viewers in: {why}.", n=viewers, why=str(problem))
            ) from problem

    def __enter__(self) -> Audience:
        """Return the hall."""
        return self

    def __exit__(self, *_: object) -> None:
        """Send everybody home."""
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._selector.close()
        for viewer in self.viewers:
            viewer.socket.close()

    def watch(self, file: FileDescriptorLike) -> None:
        """Let `read` end when *file* has something to say."""
        self._selector.register(file, selectors.EVENT_READ)

    def unwatch(self, file: FileDescriptorLike) -> None:
        """Listen to viewers only."""
        self._selector.unregister(file)

    def read(self, within_s: float, done: Callable[[], bool] = lambda: False) -> bool:
        """Read until *done*, or the watched file speaks; return False when *within_s* is over."""
        end_s = time.monotonic() + within_s
        while not done():
            if time.monotonic() > end_s:
                return False
            for key, _ in self._selector.select(0.05):
                if key.data is None:
                    return True
                received = key.data.socket.recv(65536)
                if not received:
                    raise DeviceError(text("The page closed a live stream."))
                key.data.take(received, host_clock.now_ns())
        return True

    def read_all(self, version: int, within_s: float) -> None:
        """Read until everybody has heard *version*; raise DeviceError when *within_s* is over."""
        waiting = list(self.viewers)

        def done() -> bool:
            while waiting and waiting[-1].heard and waiting[-1].heard[-1][0] >= version:
                waiting.pop()
            return not waiting

        if not self.read(within_s, done):
            raise DeviceError(
                text(
                    "{n} viewers did not hear the newest within {s} seconds.", n=len(waiting), s=int(within_s)
                )
            )


def allow_files(wanted: int) -> None:
    """Raise this process's limit of open files to *wanted*; raise DeviceError when the system forbids it."""
    most = systemd.allow_files(wanted)
    if most < wanted:
        raise DeviceError(
            text(
                "This needs {wanted} open files, and the system allows {most}: raise “ulimit -Hn”.",
                wanted=wanted,
                most=most,
            )
        )
