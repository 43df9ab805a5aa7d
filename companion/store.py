"""The log on disk: SQLite, append and read. What `append` has returned survives a power cut.

One process owns a data folder (a lock file says so); one thread writes; any thread reads through a connection
of its own. An in-memory store of the same shape serves tapes and scenarios.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TextIO

import msgspec

from companion.errors import BadInput, StoreError
from companion.games.variations import Variation
from companion.log import DECODER, ENCODER, AnyEvent, Started, variations
from companion.text import text

VERSION = 1
SCHEMA = """
CREATE TABLE evening (id INTEGER PRIMARY KEY);
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evening (id),
    type TEXT NOT NULL,
    json BLOB NOT NULL
);
CREATE INDEX event_by_type ON event (type);
INSERT INTO evening VALUES (1);
"""


class EventStore(Protocol):
    """What the table needs of a store. Log numbers count from 1 over all evenings."""

    evening: int

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* durably and return their log numbers; raise StoreError and keep none."""

    def new_evening(self) -> int:
        """Begin another evening and return its number."""

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events in order."""

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*, whole; raise BadInput when there is none."""

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first, each once."""

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""

    def close(self) -> None:
        """Let go of the file."""


def _names(started: Iterator[Started]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for event in started:
        for player in event.players:
            seen.setdefault(player.casefold(), player)
    return tuple(seen.values())


class MemoryStore:
    """A store that forgets: for tapes, scenarios and tests."""

    def __init__(self) -> None:
        self.evening = 1
        self._kept: list[tuple[int, AnyEvent]] = []

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* and return their numbers."""
        first = len(self._kept) + 1
        self._kept.extend((self.evening, event) for event in events)
        return tuple(range(first, len(self._kept) + 1))

    def new_evening(self) -> int:
        """Begin another evening."""
        self.evening += 1
        return self.evening

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events."""
        yield from ((n, e) for n, (evening, e) in enumerate(self._kept, 1) if evening == self.evening)

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*."""
        if not 1 <= seq <= len(self._kept):
            raise BadInput(text("There is no entry {seq} in the log.", seq=seq))
        return self._kept[seq - 1][1]

    def known_players(self) -> tuple[str, ...]:
        """Return the names, the most recent first."""
        return _names(e for _, e in reversed(self._kept) if isinstance(e, Started))

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations."""
        return variations(e for _, e in self._kept)

    def close(self) -> None:
        """Nothing is held."""


class Store:
    """The log in `lastnose.sqlite` of a data folder, write-ahead with full synchronisation.

    With *to_read* nothing is written or locked, so that the log of a running table can be read beside it.
    """

    def __init__(self, folder: Path, *, to_read: bool = False) -> None:
        self.path = folder / "lastnose.sqlite"
        self.evening = 1
        self._to_read = to_read
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._lock: TextIO | None = None
        if to_read:
            self._must_exist(folder)
        else:
            self._own(folder)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _must_exist(self, folder: Path) -> None:
        if not self.path.is_file():
            raise StoreError(
                text("No evening is kept in {folder}: name another folder with --data.", folder=str(folder))
            )

    def _own(self, folder: Path) -> None:
        """Make *folder* and take its lock."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / "lock").open("a")
        except OSError as problem:
            raise StoreError(
                text(
                    "Cannot write to {folder} ({why}): give another with --data.",
                    folder=str(folder),
                    why=str(problem),
                )
            ) from problem
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            lock.close()
            raise StoreError(
                text(
                    "Another lastnose uses {folder}: stop it first, or give this one a folder with --data.",
                    folder=str(folder),
                )
            ) from problem
        self._lock = lock

    def _open(self) -> None:
        try:
            db = self._db()
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise StoreError(
                    text(
                        "{file} was written by a newer Last Nose (format {theirs}, this one reads {ours}): "
                        "update Last Nose, or give another folder with --data.",
                        file=str(self.path),
                        theirs=version,
                        ours=VERSION,
                    )
                )
            if version == 0:
                db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            (self.evening,) = db.execute("SELECT max(id) FROM evening").fetchone()
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem

    def _failed(self, problem: sqlite3.Error) -> StoreError:
        if "full" in str(problem):
            return StoreError(
                text("The disk with {file} is full: free some space; nothing is lost.", file=str(self.path))
            )
        if isinstance(problem, sqlite3.DatabaseError) and "not a database" in str(problem):
            return StoreError(
                text(
                    "{file} is not a Last Nose log: move it away, or give another folder with --data.",
                    file=str(self.path),
                )
            )
        return StoreError(text("{file} cannot be used: {why}", file=str(self.path), why=str(problem)))

    def _db(self) -> sqlite3.Connection:
        """Return this thread's own connection."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            mode = "ro" if self._to_read else "rwc"
            address = f"{self.path.absolute().as_uri()}?mode={mode}"
            db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
            with self._guard:
                self._connections.append(db)
            if not self._to_read:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = FULL")
            self._local.db = db
        return db

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* durably and return their log numbers; raise StoreError and keep none."""
        db = self._db()
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                numbers = tuple(self._insert(db, event) for event in events)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem
        return numbers

    def _insert(self, db: sqlite3.Connection, event: AnyEvent) -> int:
        row = (self.evening, type(event).__struct_config__.tag, ENCODER.encode(event))
        number = db.execute("INSERT INTO event (evening, type, json) VALUES (?, ?, ?)", row).lastrowid
        assert number is not None
        return number

    def new_evening(self) -> int:
        """Begin another evening and return its number."""
        try:
            self._db().execute("INSERT INTO evening VALUES (?)", (self.evening + 1,))
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem
        self.evening += 1
        return self.evening

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events in order."""
        query = "SELECT seq, json FROM event WHERE evening = ? ORDER BY seq"
        rows = self._db().execute(query, (self.evening,))
        for seq, raw in rows:
            yield seq, self._decoded(seq, raw)

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*, whole; raise BadInput when there is none."""
        row = self._db().execute("SELECT json FROM event WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise BadInput(text("There is no entry {seq} in the log.", seq=seq))
        return self._decoded(seq, row[0])

    def _decoded(self, seq: int, raw: bytes) -> AnyEvent:
        try:
            return DECODER.decode(raw)
        except msgspec.DecodeError as problem:
            raise StoreError(
                text(
                    "{file}: entry {seq} cannot be read: {why}",
                    file=str(self.path),
                    seq=seq,
                    why=str(problem),
                )
            ) from problem

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first, each once."""
        rows = self._db().execute(
            "SELECT seq, json FROM event WHERE type = 'started' ORDER BY seq DESC LIMIT 200"
        )
        events = (self._decoded(seq, raw) for seq, raw in rows)
        return _names(event for event in events if isinstance(event, Started))

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""
        query = "SELECT seq, json FROM event WHERE type IN ('saved', 'forgotten') ORDER BY seq"
        return variations(self._decoded(seq, raw) for seq, raw in self._db().execute(query))

    def close(self) -> None:
        """Close every connection and let go of the lock; may be called twice."""
        with self._guard:
            for db in self._connections:
                db.close()
            self._connections.clear()
        if self._lock is not None:
            self._lock.close()
