"""A table in a hall: sends the rows of its log as they are, says that it is there, and hears its calls.

It keeps no state about the message server. Connected, it asks for the newest message of its own subject,
compares the chain with its own log, and sends from there; after any error or silence it asks again. What
the disk does not have is not sent. It has a thread of its own, and only a table that is in a hall has it.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lastnose.companion import __version__
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.event import messages
from lastnose.companion.event.messages import HallCall, Presence
from lastnose.companion.link import engine, wire
from lastnose.companion.link.client import LoopThread, connect, let_go, refused
from lastnose.companion.link.engine import NoLink
from lastnose.companion.link.membership import Membership
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, LogRow
from msgspec.structs import replace

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ANSWER_S = 3.0  # how long an answer of the server is waited for
MANY = 500  # rows that are read from the disk at once
WRONG_LAST = 10071  # how the server numbers that it has another message there: another writer was faster
BEAT_S = 5.0  # how often a table says that it is there
AGAIN_S = 1.0  # how long after trouble it is asked again
SOON_S = 0.1  # how soon after a change presence is told again
ANOTHER_LOG = text("The hall can take nothing more of this table: play on, and ask the organiser.")
_log = logging.getLogger("lastnose.hall")


class AnotherHistory(Exception):
    """The server has entry `n` of this log, and this log has it not, or another: nothing can follow it."""

    def __init__(self, n: int) -> None:
        super().__init__(f"another history at entry {n}")
        self.n = n


class NotAnEntry(Exception):
    """What the server has is no entry of the hall's own log."""


class NotKept(ConnectionError):
    """The server takes nothing more: of one whose disk was full that stays so until it is begun again."""


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
        if theirs.raws:
            mine = self._rows(theirs.first - 1, len(theirs.raws))
            same = tuple(row.raw for row in mine) == theirs.raws and mine[-1].head == theirs.head
        else:
            same = not theirs.seq or [row.head for row in self._rows(theirs.seq - 1, 1)] == [theirs.head]
        if not same:
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


def _why(problem: Exception) -> Text:
    """Return what a table is told of a link that is not there."""
    if isinstance(problem, NoLink):
        return text(
            "No link to the hall: {why} The table plays on, and sends everything later.", why=problem.text
        )
    if isinstance(problem, NotKept):
        return text(
            "The hall’s message server keeps nothing more: the table plays on, and sends everything later. "
            "Tell the organiser."
        )
    if refused(problem):
        return text("The hall does not let this table in: it plays on alone, and asks the desk.")
    return text("No link to the hall: the table plays on, and sends everything later.")


class Uplink:
    """Sends the log in *folder* to the hall of *membership*.

    `heard` is called with each call of the hall that is new, `linked` with whether the hall has everything,
    `shut_out` when its server does not let the table in; all on the uplink's thread. `changed` tells it that
    there may be something to send.
    """

    def __init__(
        self,
        folder: Path,
        membership: Membership,
        *,
        heard: Callable[[HallCall], None],
        linked: Callable[[Text | None], None],
        presence: Callable[[], Presence],
        shut_out: Callable[[], None] = lambda: None,
    ) -> None:
        self._path = folder / log_file.NAME
        self._membership = membership
        subject = engine.log_subject(membership.event, membership.table)
        self._sender = LogSender(membership.event, subject, membership.table, self._rows)
        self._heard = heard
        self._linked = linked
        self._shut_out = shut_out
        self._presence = presence
        self._thread = LoopThread("hall", self._live, closing=self._close)
        self._news = asyncio.Event()
        self._nc: Client | None = None
        self._db: sqlite3.Connection | None = None
        self._trouble = ""
        self._unkept = False

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def changed(self) -> None:
        """Look whether there is something to send; may be called on any thread."""
        self._thread.call(self._news.set)

    def stop(self) -> None:
        """End; return within 2 s. What was not sent is sent the next time."""
        self._thread.stop(2)

    async def _close(self) -> None:
        if self._db is not None:
            self._db.close()
        if self._nc is not None:
            await let_go(self._nc)

    async def _live(self) -> None:
        """Send, ask again after trouble, until cancelled."""
        beating = None
        try:
            while True:
                try:
                    await self._connect()
                    beating = beating or asyncio.create_task(self._beat())
                    await self._send_all()
                except AnotherHistory:
                    self._say(ANOTHER_LOG, messages.ANOTHER)
                    await asyncio.sleep(BEAT_S)
                except Exception as problem:  # the client raises kinds of its own for every part of a link
                    _log.debug("the hall cannot be reached: %r", problem)
                    self._say(_why(problem), unkept=isinstance(problem, NotKept))
                    if refused(problem):
                        self._shut_out()
                    await asyncio.sleep(AGAIN_S)
        finally:
            if beating is not None:
                beating.cancel()

    def _say(self, trouble: Text | None, word: str = "", *, unkept: bool = False) -> None:
        self._trouble, self._unkept = word, unkept
        self._linked(trouble)

    async def _connect(self) -> None:
        if self._nc is not None and self._nc.is_connected:
            return
        if self._nc is not None:
            await let_go(self._nc)
            self._nc = None
        member = self._membership
        self._nc = await connect(
            member.engine, member.seed, f"table {member.table}", f"_INBOX.{member.table}"
        )
        for table in (member.table, "all"):
            await self._nc.subscribe(engine.call_subject(member.event, table), cb=self._hear)

    async def _hear(self, message: Msg) -> None:
        if message.headers:  # the hall sends none: another table has let the server answer to here
            return
        try:
            self._heard(msgspec.json.decode(message.data, type=HallCall))
        except msgspec.MsgspecError as problem:
            _log.warning("the hall said what cannot be read: %s", problem)
        self._news.set()

    def _rows(self, after: int, most: int) -> list[LogRow]:
        """Return the next rows of our own log on the disk; raise StoreError."""
        try:
            if self._db is None:
                self._db = log_file.connect(self._path, "ro")
            found = log_file.rows(self._db, after=after)
            return [row for row, _ in zip(found, range(most), strict=False)]
        except sqlite3.Error as problem:
            if self._db is not None:
                self._db.close()
            self._db = None
            raise log_file.as_store_error(problem, self._path) from problem

    async def _send_all(self) -> None:
        """Send what the hall has not, and go on with all that comes."""
        assert self._nc is not None
        n, s = await self._sender.ask(self._nc)
        while True:
            self._news.clear()
            n, s = await self._sender.send(self._nc, n, s)
            self._say(None)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), BEAT_S)
            if self._nc is None or not self._nc.is_connected:
                raise ConnectionError

    async def _beat(self) -> None:
        """Say that we are there, and soon after every change."""
        member = self._membership
        subject = engine.now_subject(member.event, member.table)
        told: Presence | None = None
        quiet_s = BEAT_S
        while True:
            now = replace(self._presence(), version=__version__, trouble=self._trouble, unkept=self._unkept)
            quiet_s += SOON_S
            if (now != told or quiet_s >= BEAT_S) and self._nc is not None and self._nc.is_connected:
                with suppress(Exception):
                    await self._nc.publish(subject, msgspec.json.encode(now))
                    told, quiet_s = now, 0.0
            await asyncio.sleep(SOON_S)
