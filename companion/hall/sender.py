"""Sends a log to its subject in the message server: asks what is there, compares, goes on from there.

It keeps no state about the server: after any error or silence ask again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from companion.hall import engine, wire
from companion.table.log_file import LogRow

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ANSWER_S = 3.0  # how long an answer of the server is waited for
MANY = 500  # rows that are read from the disk at once


class AnotherHistory(Exception):
    """The server has entry `n` of this log, and this log has it not, or another."""

    def __init__(self, n: int) -> None:
        super().__init__(f"another history at entry {n}")
        self.n = n


class LogSender:
    """Sends the log that *rows* reads (after which number, how many at most) under *name* to *subject*."""

    def __init__(self, event: str, subject: str, name: str, rows: Callable[[int, int], list[LogRow]]) -> None:
        self._newest = f"$JS.API.DIRECT.GET.{engine.stream_of(event)}.{subject}"
        self._subject = subject
        self._name = name
        self._rows = rows
        self.sent = 0  # the newest number that the server is known to have

    async def ask(self, nc: Client) -> tuple[int, int]:
        """Return the number of the newest row that the server has, and its number there; 0 for none.

        Raises AnotherHistory.
        """
        found = await nc.request(self._newest, b"", timeout=ANSWER_S)
        headers = found.headers or {}
        if headers.get("Status") == "404":
            return 0, 0
        n, head = int(headers[wire.SEQ]), headers[wire.HEAD]
        mine = self._rows(n - 1, 1)
        if not mine or mine[0].seq != n or mine[0].head.hex() != head:
            raise AnotherHistory(n)
        self.sent = n
        return n, int(headers["Nats-Sequence"])

    async def send(self, nc: Client, n: int, s: int) -> tuple[int, int]:
        """Send all that comes after row *n*, which is message *s*; return the newest of both then."""
        while rows := self._rows(n, MANY):
            for parcel in wire.parcels(rows):
                n, s = await self.put(nc, parcel, s)
        return n, s

    async def put(self, nc: Client, rows: list[LogRow], s: int) -> tuple[int, int]:
        """Send *rows* as the message after *s*; raise ConnectionError when the server has another there."""
        payload, headers = wire.packed(rows, s, self._name)
        s = _acknowledged(await nc.request(self._subject, payload, timeout=ANSWER_S, headers=headers))
        self.sent = rows[-1].seq
        return self.sent, s


def _acknowledged(answer: Msg) -> int:
    """Return the number that the server gave a message; raise ConnectionError when it did not take it."""
    said: dict[str, Any] = msgspec.json.decode(answer.data)
    if "error" in said or "seq" not in said:
        raise ConnectionError(str(said.get("error")))
    return int(said["seq"])
