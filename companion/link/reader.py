"""The hall reads the tables' logs: in order, once, from its own cursor.

The server's consumer is thrown away with the connection; what counts is the cursor beside the rows. Whatever
does not follow (a hole, a stream that is shorter than it was, or another one) is read again from the
beginning, which changes nothing that is there already. The folder of an event is opened to be read, also
where nothing can be written, and while its hall runs.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
from filelock import Timeout
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.text import text
from lastnose.companion.event import messages
from lastnose.companion.link import engine, wire
from lastnose.companion.link.client import rest
from lastnose.companion.link.store import NAME, Cursor, HallStore
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, LogRow

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ANSWER_S = 5.0
LOOK_S = 5.0  # how often the stream itself is looked at
BATCH = 2_000  # messages of one transaction
WASTE = 8_000_000  # bytes of a table that are nothing, after which it is put out: none comes near it
# What of a table is taken before it is put out, in bytes and entries: ten times what a long evening comes to.
QUOTA, ENTRIES = 100_000_000, 200_000
# What comes so soon after a batch is read together, as each batch has its price: a large hall rests longer.
GATHER_S, GATHER_EACH_S, GATHER_MOST_S = 0.02, 0.001, 0.2
KEPT: dict[str, Any] = {  # how every stream of an event keeps what it has
    "retention": "limits",
    "storage": "file",
    "discard": "new",
    "max_age": 0,
    "deny_delete": True,
    "deny_purge": True,
    "allow_direct": True,
    "duplicate_window": 120_000_000_000,
}
_log = logging.getLogger("lastnose.hall")
T = TypeVar("T")


@contextmanager
def store_to_read(folder: Path) -> Iterator[HallStore]:
    """Give the store of *folder*, of a copy of it where its hall runs or nothing can be written.

    What SQLite has beside its file is copied with it: a hall that was killed has its last entries there.
    Raise StoreError.
    """
    with TemporaryDirectory(prefix="lastnose-") as copy:
        try:
            store = HallStore(folder)
        except StoreError as problem:
            cause = problem.__cause__
            if not (folder / NAME).exists() or not (isinstance(cause, Timeout) or _not_writable(cause)):
                raise
            if isinstance(cause, Timeout):
                _copy_of_running(folder / NAME, Path(copy) / NAME)
            else:
                for one in (folder / NAME, folder / f"{NAME}-wal"):
                    if one.exists():
                        shutil.copyfile(one, Path(copy) / one.name)
            store = HallStore(Path(copy))
        try:
            yield store
        finally:
            store.close()


def _copy_of_running(source: Path, target: Path) -> None:
    """Copy the file of a hall that writes into it as it is at one moment; raise StoreError."""
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as its,
            closing(sqlite3.connect(target)) as ours,
        ):
            its.backup(ours)
    except sqlite3.Error as problem:
        raise StoreError(
            text("{file} cannot be used: {why}", file=str(source), why=str(problem))
        ) from problem


def _not_writable(cause: BaseException | None) -> bool:
    if isinstance(cause, sqlite3.Error):
        return log_file.code(cause) in log_file.UNREACHABLE
    return isinstance(cause, OSError) and not isinstance(cause, Timeout)


class StartAgain(Exception):
    """What came does not follow from what is there: the stream must be read from its beginning."""


class Silent(Exception):
    """The stream has more than its consumer sends: in a cluster the server that it was on may be gone."""


class Silence:
    """Tells a consumer that sends nothing from one that is slow: twice behind, and nothing came between."""

    def __init__(self) -> None:
        self._newest = 0  # what the stream had when nothing had come

    def came(self) -> None:
        """Take that something has come."""
        self._newest = 0

    def is_sure(self, newest: int, read: int) -> bool:
        """Take that nothing has come for a while: the stream has *newest*, and *read* were read."""
        known, self._newest = self._newest, newest
        return known > read


class Gathered(Generic[T]):
    """What comes, in batches: the first at once, and after a *rest* together what has come meanwhile.

    The rest is given the size of the batch before it. There is none after a batch as large as one may be:
    there is more to catch up with.
    """

    def __init__(self, rest: Callable[[int], Awaitable[None]]) -> None:
        self._rest = rest
        self._queue: asyncio.Queue[T] = asyncio.Queue()
        self._rests_after = 0  # messages; 0: no rest
        self.put = self._queue.put

    async def next(self) -> list[T] | None:
        """Return what has come, as soon as something has; None after a while without anything."""
        if self._rests_after:
            await self._rest(self._rests_after)
        try:
            async with asyncio.timeout(LOOK_S):
                batch = [await self._queue.get()]
        except TimeoutError:
            self._rests_after = 0
            return None
        while len(batch) < BATCH and not self._queue.empty():
            batch.append(self._queue.get_nowait())
        self._rests_after = len(batch) % BATCH
        return batch


def gather_s(count: int) -> float:
    """Return for how long messages lie after a batch of *count*, in seconds.

    >>> [gather_s(count) for count in (1, 10, 500)]
    [0.021, 0.03, 0.2]
    """
    return min(GATHER_S + count * GATHER_EACH_S, GATHER_MOST_S)


class StreamReader:
    """Reads the stream of *event* into *store*.

    `took` is called with the rows of every batch that is kept now, be there any or none; `refused` with a
    table, and why a row of it was not taken, "" when rows follow again. *own* takes entries of the hall's own
    log, with the mark of who wrote them; `flooded` is called with a table that sends what is nothing, and far
    too much of it. Everything belongs to the loop's thread.
    """

    def __init__(
        self,
        event: str,
        store: HallStore,
        took: Callable[[list[tuple[str, LogRow]]], None],
        refused: Callable[[str, str], None],
        own: Callable[[wire.Parcel, str], bool] = lambda parcel, mark: True,
        flooded: Callable[[str], None] = lambda table: None,
    ) -> None:
        self._event = event
        self._store = store
        self._took = took
        self._refused = refused
        self._own = own
        self._flooded = flooded
        self._waste: dict[str, int] = {}  # of each table, in bytes
        self._taken: dict[str, tuple[int, int]] = {}  # of each table, in bytes and entries, since the start
        self._heads = store.heads()
        self._cursor = store.cursor
        self._looked = self._cursor.seq  # up to which message of the stream waste was counted
        self._holes: set[str] = (
            set()
        )  # tables for which all was read again, once: whoever has a key makes holes
        self._spoilt: set[str] = set()  # tables of which something was refused, and nothing has followed
        self._own_hole = False  # reading again has not helped with the hall's own log
        self._again = False
        self.duplicates = 0

    async def make_stream(self, nc: Client, replicas: int) -> None:
        """Make the stream of the event, unless it is there."""
        name = engine.stream_of(self._event)
        subjects = [engine.own_subject(self._event), engine.log_subject(self._event, "*")]
        wish = {"name": name, "num_replicas": replicas, "subjects": subjects, **KEPT}
        made = await _api(nc, f"STREAM.CREATE.{name}", wish)
        if "error" not in made:
            return
        found = await _api(nc, f"STREAM.INFO.{name}", {})
        if "error" in found:
            raise ConnectionError(str(made["error"]))

    async def read(self, nc: Client) -> None:
        """Read until the connection breaks; raise ConnectionError then."""
        while True:
            try:
                await self._read_on(nc)
            except StartAgain:
                _log.warning("the stream of the tables is read again from its beginning")
                self._cursor = Cursor(self._cursor.created)
            except Silent:
                _log.warning("nothing comes of what the stream has: its consumer is made again")

    @property
    def has_begun(self) -> bool:
        """Whether a message server has ever had the stream."""
        return self._cursor.created != ""

    def read_again(self) -> None:
        """Read the stream from its beginning, soon: something is in it that was not taken."""
        self._again = True

    async def _read_on(self, nc: Client) -> None:
        gathered: Gathered[Msg] = Gathered(lambda count: rest(nc, gather_s(count)))
        inbox = nc.new_inbox()
        subscription = await nc.subscribe(inbox, cb=gathered.put)
        try:
            await self._check_stream(nc)
            await self._consume(nc, inbox)
            expected = 1
            known, silence = self._cursor, Silence()
            while True:
                batch = await gathered.next()
                if self._again:
                    self._again = False
                    raise StartAgain
                if batch is None:
                    if not nc.is_connected:
                        raise ConnectionError
                    if silence.is_sure(await self._check_stream(nc), self._cursor.seq):
                        raise Silent
                    continue
                silence.came()
                for message in batch:
                    # The consumer's own numbering tells whether the connection has lost one.
                    if numbers_of(message.reply).consumer != expected:
                        raise ConnectionError("messages were lost on the way")
                    expected += 1
                if known.seq:  # the message that was read last comes once more, if the stream is the same
                    if _mark_of(batch.pop(0)) != known.mark:
                        raise StartAgain
                    known = Cursor()
                if batch:
                    self._take(batch)
        finally:
            if nc.is_connected:
                await subscription.unsubscribe()

    async def _consume(self, nc: Client, inbox: str) -> None:
        """Ask for everything from the cursor on: that message once more, to see that it is still the same."""
        name = engine.stream_of(self._event)
        config = {
            "deliver_subject": inbox,
            "deliver_policy": "by_start_sequence",
            "opt_start_seq": self._cursor.seq or 1,
            "ack_policy": "none",
            "max_deliver": 1,
            "mem_storage": True,
            "num_replicas": 1,
            "inactive_threshold": 60_000_000_000,
        }
        made = await _api(nc, f"CONSUMER.CREATE.{name}", {"stream_name": name, "config": config})
        if "error" in made:
            raise ConnectionError(str(made["error"]))

    async def _check_stream(self, nc: Client) -> int:
        """Return its newest number; raise StartAgain when it is another than was read, or shorter."""
        found = await _api(nc, f"STREAM.INFO.{engine.stream_of(self._event)}", {})
        if "error" in found:
            raise ConnectionError(str(found["error"]))
        created, newest = str(found["created"]), int(found["state"]["last_seq"])
        if self._cursor.created and (created != self._cursor.created or newest < self._cursor.seq):
            self._cursor, self._looked = Cursor(created), 0
            raise StartAgain
        self._cursor = self._cursor._replace(created=created)
        return newest

    def _take(self, batch: list[Msg]) -> None:
        """Keep what follows, in one transaction; raise StartAgain at a hole."""
        fresh: list[tuple[str, LogRow]] = []
        heads: dict[str, tuple[int, bytes]] = {}  # of the tables that have rows in this batch
        read, hole = None, None
        for message in batch:
            found = self._rows_of(message)
            if found is None:
                read = message
                self._wasted(message)
                continue
            table, parcel = found
            n, head = heads.get(table) or self._heads.get(table, (0, NO_HEAD))
            if parcel.first > n + 1 and table not in self._holes:
                hole = table
                break
            rows = parcel.after(n, head) if parcel.first <= n + 1 else None
            if rows:
                fresh += [(table, row) for row in rows]
                self._count(table, rows)
                heads[table] = parcel.seq, parcel.head
                if table in self._spoilt:
                    self._spoilt.discard(table)
                    self._refused(table, "")
            elif rows is None:
                self._refuse(table, messages.ANOTHER)
                self._wasted(message)
            else:
                self.duplicates += 1
            read = message
        cursor = self._cursor if read is None else _cursor_at(self._cursor, read)
        self._store.take(fresh, cursor)
        self._heads |= heads
        self._cursor = cursor
        self._took(fresh)
        if hole is not None:
            self._holes.add(hole)  # a hole that is in the stream itself is said, not read for ever
            self._refuse(hole, messages.HOLE)
            raise StartAgain

    def _wasted(self, message: Msg) -> None:
        """Count what is nothing, by the table under whose name it came, but not what is read again.

        Who was put out for it and is let in again may send as much once more, and no more than that.
        """
        if (number := numbers_of(message.reply).stream) <= self._looked:
            return
        self._looked = number
        with suppress(BadInput):
            table = wire.table_of(message.subject, self._event)
            waste = self._waste.get(table, 0) + len(message.data)
            self._waste[table] = waste if waste <= WASTE else 0
            if waste > WASTE:
                self._flooded(table)

    def _count(self, table: str, rows: list[LogRow]) -> None:
        """Count what is taken of *table*, and put it out when that is more than any writes."""
        size, count = self._taken.get(table, (0, 0))
        was_much = size > QUOTA or count > ENTRIES
        for row in rows:
            size, count = size + len(row.raw), count + 1
        self._taken[table] = size, count
        if not was_much and (size > QUOTA or count > ENTRIES):
            self._flooded(table)

    def _refuse(self, table: str, why: str) -> None:
        self._spoilt.add(table)
        self._refused(table, why)

    def _rows_of(self, message: Msg) -> tuple[str, wire.Parcel] | None:
        """Return a table and its rows; None for what is no table's, or unreadable, and dealt with."""
        table = ""
        try:
            if message.subject != engine.own_subject(self._event):
                table = wire.table_of(message.subject, self._event)
                return table, wire.unpacked(message.data, message.headers or {})
            parcel = wire.unpacked(message.data, message.headers or {}, evenings=0)
        except BadInput as problem:
            if table not in self._spoilt:  # once: whoever has its key may send any number
                _log.warning("message %d: %s", numbers_of(message.reply).stream, problem)
            if table:
                self._refuse(table, messages.UNREADABLE)
            return None
        if not self._own(parcel, (message.headers or {}).get(wire.MARK, "")) and not self._own_hole:
            self._own_hole = True
            raise StartAgain
        return None


def _cursor_at(before: Cursor, message: Msg) -> Cursor:
    return Cursor(before.created, numbers_of(message.reply).stream, _mark_of(message))


def _mark_of(message: Msg) -> str:
    return (message.headers or {}).get(wire.MESSAGE_ID, "")


class Numbers(NamedTuple):
    """A message's number in the stream, and among those that its consumer has sent."""

    stream: int
    consumer: int


def numbers_of(reply: str) -> Numbers:
    """Return what stands in a message's *reply*: the client would read a date and more of each as well.

    >>> numbers_of("$JS.ACK.TABLES-abcdefgh.iJmG.1.412.7.1763900000000000000.0")
    Numbers(stream=412, consumer=7)
    >>> numbers_of("$JS.ACK._.hash.TABLES-abcdefgh.iJmG.1.412.7.1763900000000000000.0.token")
    Numbers(stream=412, consumer=7)
    """
    fields = reply.split(".")
    at = 5 if len(fields) == 9 else 7  # the newer form begins with a domain and an account
    return Numbers(int(fields[at]), int(fields[at + 1]))


async def _api(nc: Client, what: str, wish: dict[str, Any]) -> dict[str, Any]:
    """Ask the server's own interface."""
    answer = await nc.request(f"$JS.API.{what}", msgspec.json.encode(wish), timeout=ANSWER_S)
    found: dict[str, Any] = msgspec.json.decode(answer.data)
    return found
