"""Viewers of the live stream, for tests: plain sockets, so that they can also refuse to read."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

from lastnose.web.server.server import Server


class Stream:
    """One reader of `/events`, as passed on by a proxy of this machine (HTTP/1.0), or *at_home*.

    Use as a context manager.
    """

    def __init__(
        self,
        server: Server,
        *,
        lang: str = "en",
        receive_buffer: int = 0,
        at_home: bool = False,
        **headers: str,
    ) -> None:
        self._socket = socket.socket()
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(120)
        self._socket.connect(("127.0.0.1", server.port))
        version = "1.1" if at_home else "1.0"  # without the chunks of 1.1 its lines are read as they are
        lines = [f"GET /events?lang={lang} HTTP/{version}", f"Host: {headers.pop('Host', 'localhost')}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._file = self._socket.makefile("rb")
        self.status = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def line(self) -> str | None:
        """Return the next line of the stream without its end, None when the stream has ended."""
        if not self.status:
            self.status = int(self._file.readline().split()[1])
            while self._file.readline() not in (b"\r\n", b""):
                pass
        found = self._file.readline()
        return found.decode().rstrip("\n") if found else None

    def message(self) -> dict[str, Any] | None:
        """Return the next message, `{"id": …, "data": …}`; skip heartbeats; None when it has ended."""
        made: dict[str, Any] = {}
        while True:
            line = self.line()
            if line is None:
                return None
            if not line and "data" in made and made.pop("event", "message") == "message":
                return made
            if not line:
                made.clear()
            name, _, value = line.partition(": ")
            if name == "event":
                made["event"] = value
            elif name == "data":
                made["data"] = json.loads(value)
            elif name == "id":
                made["id"] = value

    def state_of_version(self, version: int) -> dict[str, Any]:
        """Return the first state with this version or a newer one."""
        while True:
            found = self.message()
            assert found is not None, "the stream ended"
            if found["data"]["version"] >= version:
                data = found["data"]
                assert isinstance(data, dict)
                return data


def eventually(condition: Any, within_s: float = 120.0) -> bool:
    """Return whether *condition()* becomes true in time."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.005)
    return bool(condition())
