"""What the hall keeps on disk: its own log, a copy of every table's, and how far the message server was read.

SQLite; what a method has written is durable when it returns, but for copies of tables' rows: tables and
message server have them, and what a power cut takes is read again, for the cursor went with it. The hall's
own log never rests on rows that may go: what is durable of this file is its beginning. A table's rows come in
order and once: the key is (table, n), and each row's head must follow from the one before (see
`companion.table.log_file`). They lie as they came, beside the key: where they lay in its order, of a thousand
tables that play each row would be in another page, which is written whole.

What `hub` exports is opened again, also years later, entry for entry. Every table's chain is worked out
then, so an entry that was changed since is found. The hall's own log has its entries as they were; what
standings and results follow from them is worked out by the code of today.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.decode import why_not
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.event.events import DECODER, ENCODER, Admitted, AnyHallEvent
from lastnose.companion.link import keys
from lastnose.companion.link.wire import kind_of
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, DamagedLog, LogRow, chained

NAME = "hall.sqlite"
ARCHIVED = "archived"  # the setting that says up to which entry an archive was opened
VERSION = 1
SCHEMA = f"""
BEGIN;
CREATE TABLE own (seq INTEGER PRIMARY KEY, json BLOB NOT NULL, head BLOB NOT NULL);
CREATE TABLE row (
    "table" TEXT NOT NULL, n INTEGER NOT NULL, evening INTEGER NOT NULL, type TEXT NOT NULL,
    json BLOB NOT NULL, head BLOB NOT NULL, PRIMARY KEY ("table", n)
);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = {VERSION};
COMMIT;
"""
# What follows from those, which the file of an older hall may lack.
# `judged`, `unfounded`: which rows of tables were judged again, and what came of it. `base` and
# `game` follow from tables' rows up to row n, of head: never the truth, and dropped when the code is another.
DERIVED = """
CREATE TABLE IF NOT EXISTS judged ("table" TEXT PRIMARY KEY, n INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS unfounded ("table" TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY ("table", n));
CREATE TABLE IF NOT EXISTS base (
    "table" TEXT PRIMARY KEY, n INTEGER NOT NULL, head BLOB NOT NULL, made BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS game (
    "table" TEXT NOT NULL, began INTEGER NOT NULL, made BLOB NOT NULL, PRIMARY KEY ("table", began)
);
"""
JUDGED = 'INSERT INTO judged VALUES (?, ?) ON CONFLICT ("table") DO UPDATE SET n = excluded.n'
UNFOUNDED = "INSERT OR REPLACE INTO unfounded VALUES (?, ?)"
KEPT_BY = "kept by"  # the setting that says by which code
CHECKED = 200_000_000  # bytes up to which a file is looked through whole at each start
FORMAT = 1
_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
# Where a comma ends something whole: an entry of the hall's log, a row of a table's, a table, a part of all.
_BETWEEN = (b"{[", b"{{{[", b"{{", b"{")
_CLOSED_BY = {b"{": b"}", b"[": b"]"}


class Cursor(NamedTuple):
    """How far the stream that was `created` then was read: up to its message `seq`, whose id is `mark`."""

    created: str = ""
    seq: int = 0
    mark: str = ""


def _damaged(path: Path, why: Text) -> DamagedLog:
    """Return the error for a hall's file that cannot be read as it was written."""
    return DamagedLog(
        text(
            "{file} is damaged ({why}): put the newest copy of its folder back; what the tables have written "
            "since comes again from the message server.",
            file=str(path),
            why=why,
        )
    )


def _as_store_error(problem: sqlite3.Error, path: Path) -> StoreError:
    if log_file.code(problem) in log_file.DAMAGED:
        return _damaged(path, log_file.UNREADABLE)
    return log_file.as_store_error(problem, path)


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables that a new file lacks, or an older one; raise StoreError for a newer one than ours."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise log_file.newer(path)
    if version == 0:
        db.executescript(SCHEMA)
    db.executescript(DERIVED)


class HallStore:
    """The folder of one event; one process owns it, any thread may use it."""

    def __init__(self, folder: Path) -> None:
        """Open *folder*, or begin one; raise StoreError."""
        self._lock = log_file.own(folder)
        self.path = folder / NAME
        self._guard = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._due: dict[str, tuple[int, frozenset[int]]] = {}  # judged again, and not written yet
        try:
            db = self._db = log_file.connect(self.path, "rwc")
            _prepare(db, self.path)
            whole = self.path.stat().st_size < CHECKED
            checks = ["1"] if whole else ["own", "setting", "judged", "unfounded", "base", "game"]
            told = {db.execute(f"PRAGMA quick_check({one})").fetchone()[0] for one in checks} - {"ok"}
            if told:
                raise _damaged(self.path, log_file.UNREADABLE) from sqlite3.DatabaseError(told.pop())
        except sqlite3.Error as problem:
            self.close()
            raise _as_store_error(problem, self.path) from problem
        except StoreError:
            self.close()
            raise

    @property
    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            raise StoreError(english("{file} has been closed.", file=str(self.path)))
        return self._db

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        with self._guard:
            if self._db is not None:
                self._db.close()
                self._db = None
        self._lock.release()

    # ---- the hall's own log

    def append(self, seq: int, event: AnyHallEvent) -> None:
        """Keep *event* as entry *seq*; raise StoreError and keep nothing."""
        raw = ENCODER.encode(event)
        head = chained(self.own_head()[1], seq, 0, raw)
        self.append_row(LogRow(seq, 0, str(event.__struct_config__.tag), raw, head))

    def append_row(self, row: LogRow) -> None:
        """Keep *row* as the next of the hall's own log; raise StoreError and keep nothing."""
        self._all("INSERT INTO own VALUES (?, ?, ?)", (row.seq, row.raw, row.head))

    def own_head(self) -> tuple[int, bytes]:
        """Return number and head of the newest entry of the hall's own log."""
        found = self._all("SELECT seq, head FROM own ORDER BY seq DESC LIMIT 1")
        return found[0] if found else (0, NO_HEAD)

    def own_rows(self, after: int, most: int) -> list[LogRow]:
        """Return the next entries of the hall's own log as they were written; its evening is 0."""
        query = "SELECT seq, json, head FROM own WHERE seq > ? ORDER BY seq LIMIT ?"
        return [LogRow(seq, 0, kind_of(raw), raw, head) for seq, raw, head in self._all(query, (after, most))]

    def own(self) -> Iterator[tuple[int, AnyHallEvent]]:
        """Yield the hall's own events; raise StoreError for one that is not what was written."""
        head = NO_HEAD
        for seq, raw, kept in self._all("SELECT seq, json, head FROM own ORDER BY seq"):
            head = chained(head, seq, 0, raw)
            if head != kept:
                raise _damaged(self.path, text("entry {seq} is not what was written", seq=seq))
            try:
                event = DECODER.decode(raw)
            except msgspec.MsgspecError as problem:
                raise log_file.newer(self.path) from problem
            yield seq, event

    def archived_tables(self) -> frozenset[str]:
        """Return which tables had come in when the archive was written that this folder was made of."""
        n = int(self.setting(ARCHIVED) or 0)
        return frozenset(event.table for seq, event in self.own() if seq <= n and isinstance(event, Admitted))

    # ---- the tables' logs

    def heads(self) -> dict[str, tuple[int, bytes]]:
        """Return number and head of the newest row of every table."""
        query = 'SELECT n, head FROM row WHERE "table" = ? ORDER BY n DESC LIMIT 1'
        return {table: self._all(query, (table,))[0] for table in self.tables()}

    def head(self, table: str, n: int) -> bytes | None:
        """Return the chain over the log of *table* up to row *n*, None when that is not here."""
        found = self._all('SELECT head FROM row WHERE "table" = ? AND n = ?', (table, n))
        return found[0][0] if found else None

    def take(self, found: Iterable[tuple[str, LogRow]], cursor: Cursor) -> None:
        """Keep rows of tables that follow from those kept, and how far was read; all or nothing.

        Nobody waits for the disk: three in a row, the table's and the server's too, made pages late.
        """
        at = f"{cursor.created} {cursor.seq} {cursor.mark}"
        self._write(
            ("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?)", [(table, *row) for table, row in found]),
            ("INSERT OR REPLACE INTO setting VALUES ('cursor', ?)", [(at,)]),
        )

    def _write(self, *queries: tuple[str, Sequence[Sequence[Any]]]) -> None:
        """Write all or nothing, with what was judged again; do not wait for the disk; raise StoreError."""
        with self._guard:
            db, due = self._open, self._due.items()
            judged = [(table, n) for table, (n, _) in due]
            unfounded = [(table, one) for table, (_, rounds) in due for one in rounds]
            try:
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute("BEGIN IMMEDIATE")
                for query, values in (*queries, (JUDGED, judged), (UNFOUNDED, unfounded)):
                    db.executemany(query, values)
                db.execute("COMMIT")
                self._due.clear()
            except sqlite3.Error as problem:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise _as_store_error(problem, self.path) from problem
            finally:
                db.execute("PRAGMA synchronous = FULL")

    def rows(self, table: str, after: int = 0, upto: int = 2**62, kind: str = "") -> list[LogRow]:
        """Return the rows of *table* after number *after*, up to number *upto*, of one *kind* or of all."""
        query = 'SELECT n, evening, type, json, head FROM row WHERE "table" = ? AND n > ? AND n <= ?'
        query += " AND type = ? ORDER BY n" if kind else " ORDER BY n"
        values = (table, after, upto, kind) if kind else (table, after, upto)
        return [LogRow(*found) for found in self._all(query, values)]

    def next_of(self, table: str, kind: str, after: int) -> int:
        """Return the number of the next row of *table* of a *kind* after number *after*, 0: there is none."""
        query = 'SELECT n FROM row WHERE "table" = ? AND n > ? AND type = ? ORDER BY n LIMIT 1'
        found = self._all(query, (table, after, kind))
        return int(found[0][0]) if found else 0

    def tables(self) -> list[str]:
        """Return the ids of all tables that have sent anything."""
        step = 'SELECT min("table") FROM row'  # from one to the next, and not through all rows
        query = f"""WITH RECURSIVE one(t) AS ({step} UNION ALL
            SELECT (SELECT min("table") FROM row WHERE "table" > t) FROM one WHERE t IS NOT NULL)
            SELECT t FROM one WHERE t IS NOT NULL"""
        return [table for (table,) in self._all(query)]

    def begin(
        self, made: Archive, own: Iterable[tuple[int, AnyHallEvent]], rows: Iterable[tuple[str, LogRow]]
    ) -> None:
        """Keep the event that is archived in *made*, whose logs are *own* and *rows*; all or nothing."""
        unchained = (LogRow(seq, 0, "", ENCODER.encode(event), NO_HEAD) for seq, event in own)
        entries = [(row.seq, row.raw, row.head) for row in log_file.rechained(unchained)]
        # What was judged long ago stays as it is.
        judged = [(table, len(kept.log)) for table, kept in made.tables.items()]
        unfounded = [(table, n) for table, kept in made.tables.items() for n in kept.unfounded]
        self._write(
            ("INSERT INTO own VALUES (?, ?, ?)", entries),
            ("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?)", [(table, *row) for table, row in rows]),
            ("INSERT INTO setting VALUES (?, ?)", [("event", made.event), (ARCHIVED, str(len(entries)))]),
            (JUDGED, judged),
            (UNFOUNDED, unfounded),
        )

    # ---- what follows from them

    def kept_by(self, code: str) -> None:
        """Drop what other code than *code* has kept; raise StoreError."""
        if self.setting(KEPT_BY) != code:
            self._write(("DELETE FROM base", [()]), ("DELETE FROM game", [()]))
            self.keep(KEPT_BY, code)

    def kept(self, table: str) -> tuple[int, bytes, list[bytes]] | None:
        """Return what is kept of *table*: the row it goes up to, the beginning after it, the games before.

        None where nothing is, or what does not go with the rows that are there.
        """
        for n, head, made in self._all('SELECT n, head, made FROM base WHERE "table" = ?', (table,)):
            if self.head(table, n) == head:
                games = self._all('SELECT made FROM game WHERE "table" = ? ORDER BY began', (table,))
                return n, made, [game for (game,) in games]
        return None

    def keep_games(
        self, table: str, n: int, head: bytes, made: bytes, games: Iterable[tuple[int, bytes]], *, whole: bool
    ) -> None:
        """Keep what follows from *table*'s rows up to *n*, and more games, or with *whole* all of them.

        Nobody waits for the disk: what a power cut takes is worked out once more. Raise StoreError.
        """
        added = [(table, began, game) for began, game in games]
        self._write(
            ('DELETE FROM game WHERE "table" = ?', [(table,)] if whole else []),
            ("INSERT OR REPLACE INTO game VALUES (?, ?, ?)", added),
            ("INSERT OR REPLACE INTO base VALUES (?, ?, ?, ?)", [(table, n, head, made)]),
        )

    def judged(self) -> dict[str, int]:
        """Return up to which row each table's verdicts were judged again."""
        due = {table: n for table, (n, _) in self._due.items()}
        return dict(self._all('SELECT "table", n FROM judged')) | due

    def unfounded(self, table: str) -> frozenset[int]:
        """Return the rounds of *table* whose verdicts do not follow from their edges."""
        _, due = self._due.get(table, (0, frozenset[int]()))  # first: it may be written meanwhile
        return due.union(n for (n,) in self._all('SELECT n FROM unfounded WHERE "table" = ?', (table,)))

    def has_judged(self, found: Mapping[str, tuple[int, frozenset[int]]]) -> None:
        """Note of each table up to which row it was judged again, and which rounds do not follow.

        It goes with what is written next: what a kill takes before that is judged once more.
        """
        with self._guard:
            self._due |= found

    @property
    def cursor(self) -> Cursor:
        """How far the stream was read."""
        created, seq, mark = [*self.setting("cursor").split(" ", 2), "", "", ""][:3]
        return Cursor(created, int(seq or 0), mark)

    # ---- small things

    def setting(self, name: str) -> str:
        """Return what was kept under *name*, "" if nothing was."""
        found = self._all("SELECT value FROM setting WHERE name = ?", (name,))
        return str(found[0][0]) if found else ""

    def keep(self, name: str, value: str) -> None:
        """Keep *value* under *name*; raise StoreError."""
        self._all("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    def _all(self, query: str, values: Sequence[str | int | bytes] = ()) -> list[tuple[Any, ...]]:
        """Return all that the database answers; raise StoreError."""
        with self._guard:
            try:
                return self._open.execute(query, values).fetchall()
            except sqlite3.Error as problem:
                raise _as_store_error(problem, self.path) from problem


class ArchivedEntry(msgspec.Struct, frozen=True):
    """An entry of the hall's own log."""

    n: int
    event: msgspec.Raw


class ArchivedRow(msgspec.Struct, frozen=True):
    """A row of a table's log, with the chain up to it."""

    n: int
    evening: int
    head: str
    event: msgspec.Raw


class ArchivedTable(msgspec.Struct, frozen=True):
    """What was here of a table's log, and which of its rounds did not follow from their edges."""

    log: tuple[ArchivedRow, ...]
    unfounded: tuple[int, ...] = ()


class Holds(msgspec.Struct, frozen=True):
    """How many entries there were when the archive was written: of the hall's log, and of each table's."""

    hall: int = 0
    tables: dict[str, int] = {}


class Archive(msgspec.Struct, frozen=True):
    """What is read of the document; standings and results in it are for who has no Last Nose.

    One of before `holds` was written does not say what is missing of it.
    """

    lastnose_hall: int
    event: str
    hall: tuple[ArchivedEntry, ...]
    tables: dict[str, ArchivedTable] = {}
    holds: Holds | None = None


def reopen(document: bytes, folder: Path) -> Text | None:
    """Make *folder* the event of *document*, what `hub.everything` wrote; raise a CompanionError.

    Nothing is written before all of it has been read. Returns what is missing of one that was cut; what is
    whole of it is opened.
    """
    found, broken = _read(document)
    own = [(one.n, DECODER.decode(one.event)) for one in found.hall]
    try:
        rows = [(table, row) for table, kept in found.tables.items() for row in _rows(table, kept)]
    except RecursionError as problem:
        raise _no_archive(why_not(problem)) from problem
    store = HallStore(folder)
    try:
        if store.setting("event") or store.own_head()[0]:
            raise BadInput(
                text("{folder} has an event already: give another one with --data.", folder=str(folder))
            )
        store.begin(found, own, rows)
    finally:
        store.close()
    return _missing(found, broken=broken)


def _missing(found: Archive, *, broken: bool) -> Text | None:
    """Return what is missing of *found*, which ended in the middle if it is *broken*; None: nothing is."""
    have, rows = len(found.hall), sum(len(one.log) for one in found.tables.values())
    all_, all_rows = "?", "?"
    if found.holds is not None:
        all_, all_rows = str(found.holds.hall), str(sum(found.holds.tables.values()))
        broken = (str(have), str(rows)) != (all_, all_rows)
    if not broken:
        return None
    return text(
        "This archive is cut: {have} of {n} entries of the hall’s log and {rows} of {all} of its tables’ are "
        "whole in it, and were opened.",
        have=have,
        n=all_,
        rows=rows,
        all=all_rows,
    )


def _read(document: bytes) -> tuple[Archive, bool]:
    """Return what is in *document*, and whether that ends in the middle; raise BadInput."""
    try:
        msgspec.json.decode(document, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        whole = _whole_part(document) if "truncated" in str(problem) else None
        if whole is not None:
            return _read_whole(whole), True
    return _read_whole(document), False


def _read_whole(document: bytes) -> Archive:
    try:
        known: Any = msgspec.json.decode(document)
        version = known.get("lastnose_hall") if isinstance(known, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise BadInput(log_file.newer(Path("event.json")).text)
        found = msgspec.json.decode(document, type=Archive)
        for one in found.hall:
            DECODER.decode(one.event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise _no_archive(why_not(problem)) from problem
    if found.lastnose_hall != FORMAT or not keys.is_id(found.event, keys.EVENT):
        raise _no_archive(text("another kind of file"))
    if [one.n for one in found.hall] != [*range(1, len(found.hall) + 1)]:
        raise _no_archive(log_file.UNREADABLE)
    return found


def _rows(table: str, kept: ArchivedTable) -> list[LogRow]:
    """Return the rows of a table; raise BadInput for one that is not what the table wrote."""
    head, out = NO_HEAD, []
    for n, one in enumerate(kept.log, 1):
        raw = msgspec.json.format(bytes(one.event), indent=-1)  # as the table wrote it: without a blank
        head = chained(head, n, one.evening, raw) if one.evening >= 0 else NO_HEAD
        if one.n != n or one.head != head.hex():
            raise _no_archive(text("entry {seq} is not what was written", seq=n))
        out.append(LogRow(n, one.evening, kind_of(raw), raw, head))
    return out


def _no_archive(why: Text) -> BadInput:
    return BadInput(text("This is not an archive of a hall that can be opened ({why}).", why=why))


def _whole_part(document: bytes) -> bytes | None:
    """Return *document*, the beginning of JSON, up to what is whole, and closed; None if it is no such one.

    A copy may have broken off, or a disk been full.

    >>> _whole_part(b'{"hall": [{"n": 1}, {"n": 2}, {"n"')
    b'{"hall": [{"n": 1}, {"n": 2}]}'
    >>> _whole_part(b"[]"), _whole_part(b'{"hall": "')
    (None, None)
    """
    open_ = kept = b""
    end = 0
    for found in _SIGNS.finditer(document):
        sign = found[0]
        if sign in _CLOSED_BY:
            open_ += sign
        elif sign in (b"]", b"}"):
            open_ = open_[:-1]
        elif sign == b"," and open_ in _BETWEEN:
            end, kept = found.start(), open_
    if not open_ or not end:
        return None
    return document[:end] + b"".join(_CLOSED_BY[bytes([one])] for one in reversed(kept))
