"""Sends a log to its subject in the message server: asks what is there, compares, goes on from there.

It keeps no state about the server: after any error or silence ask again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.hall import engine, wire
from lastnose.companion.table.log_file import NO_HEAD, LogRow

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ANSWER_S = 3.0  # how long an answer of the server is waited for
MANY = 500  # rows that are read from the disk at once
WRONG_LAST = 10071  # how the server numbers that it has another message there: another writer was faster


class AnotherHistory(Exception):
    """The server has entry `n` of this log, and this log has it not, or another: nothing can follow it."""

    def __init__(self, n: int) -> None:
        super().__init__(f"another history at entry {n}")
        self.n = n


class NotAnEntry(Exception):
    """What the server has is no entry of the hall's own log."""


class NotKept(ConnectionError):
    """The server takes nothing more: of one whose disk was full that stays so until it is begun anew."""


class LogSender:
    """Sends the log that *rows* reads (after which number, how many at most) under *name* to *subject*.

    *evenings*: the least number of one; the hall's own log has 0. *mark* says who writes: see `Fence`.
    """

    def __init__(
        self,
        event: str,
        subject: str,
        name: str,
        rows: Callable[[int, int], list[LogRow]],
        evenings: int = 1,
        mark: str = "",
    ) -> None:
        self._newest = f"$JS.API.DIRECT.GET.{engine.stream_of(event)}.{subject}"
        self._subject = subject
        self._name = name
        self._rows = rows
        self._evenings = evenings
        self._mark = {wire.MARK: mark} if mark else {}
        self.theirs = ""  # the mark of who wrote the newest message there
        self.sent = 0  # the newest number that the server is known to have

    async def ask(self, nc: Client) -> tuple[int, int]:
        """Return the number of the newest row that the server has, and its number there; 0 for none.

        Raises AnotherHistory or NotAnEntry.
        """
        found = await nc.request(self._newest, b"", timeout=ANSWER_S)
        headers = found.headers or {}
        if headers.get("Status") == "404":
            self.theirs = ""
            return 0, 0
        self.theirs = headers.get(wire.MARK, "")
        try:
            theirs = wire.unpacked(found.data, headers, self._evenings)
        except BadInput as problem:
            if not self._evenings:
                raise NotAnEntry(str(problem)) from problem
            # Whoever has a table's key has sent it, and nobody takes it: the table's own rows come after it.
            return self.sent, int(headers["Nats-Sequence"])
        if not theirs.raws:
            if theirs.seq and [row.head for row in self._rows(theirs.seq - 1, 1)] != [theirs.head]:
                raise AnotherHistory(theirs.seq)
            self.sent = theirs.seq
            return theirs.seq, int(headers["Nats-Sequence"])
        mine = self._rows(theirs.first - 1, len(theirs.raws))
        if tuple(row.raw for row in mine) != theirs.raws or mine[-1].head != theirs.head:
            raise AnotherHistory(theirs.seq)
        self.sent = theirs.seq
        return theirs.seq, int(headers["Nats-Sequence"])

    async def send(self, nc: Client, n: int, s: int) -> tuple[int, int]:
        """Send all that comes after row *n*, which is message *s*; return the newest of both then."""
        while rows := self._rows(n, MANY):
            for parcel in wire.parcels(rows):
                n, s = await self.put(nc, parcel, s)
        return n, s

    async def put(self, nc: Client, rows: list[LogRow], s: int) -> tuple[int, int]:
        """Send *rows* as the message after *s*; raise ConnectionError when the server has another there."""
        payload, headers = wire.packed(rows, s, self._name)
        headers |= self._mark
        s = _acknowledged(await nc.request(self._subject, payload, timeout=ANSWER_S, headers=headers))
        self.sent = rows[-1].seq
        return self.sent, s

    async def put_mark(self, nc: Client, n: int, s: int) -> int:
        """Send nothing but our mark, behind row *n*, as the message after *s*; return its number there."""
        head = self._rows(n - 1, 1)[0].head if n else NO_HEAD
        headers = wire.mark_of(n, head, s) | self._mark
        return _acknowledged(await nc.request(self._subject, b"", timeout=ANSWER_S, headers=headers))


def _acknowledged(answer: Msg) -> int:
    """Return the number that the server gave a message; raise ConnectionError when it did not take it."""
    said: dict[str, Any] = msgspec.json.decode(answer.data)
    error = said.get("error")
    if error is None and "seq" in said:
        return int(said["seq"])
    if isinstance(error, dict) and error.get("err_code") not in (None, WRONG_LAST):
        raise NotKept(str(error.get("description")))
    raise ConnectionError(str(error))
