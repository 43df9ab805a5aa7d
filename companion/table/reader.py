"""The log of others, read: beside a running table, from a card that cannot be written, evening by evening."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.events import AnyEvent, Finished, Started
from lastnose.companion.evening.log import variations
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.table import log_file, store
from lastnose.companion.table.log_file import decoded
from lastnose.companion.table.memory_store import last_begun, names_of
from lastnose.companion.table.store import NAMES


class LogReader:
    """The log in `lastnose.sqlite` of a data folder, for one thread; nothing there is written or locked.

    `evening` is the newest, and may be set to another. It keeps the `EventStore` port, and refuses to write.
    """

    adrift: Text | None = None

    def __init__(self, folder: Path) -> None:
        self.path = folder / log_file.NAME
        store.must_be_there(self.path)
        if not self.path.is_file():
            raise StoreError(log_file.none_kept(self.path))
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._db: sqlite3.Connection | None = None
        try:
            self._db = self._connect()
            self.format = self._known_format(self._db)
            (evening,) = self._db.execute("SELECT max(id) FROM evening").fetchone()
        except sqlite3.Error as problem:
            self.close()
            raise log_file.as_store_error(problem, self.path) from problem
        except BaseException:
            self.close()
            raise
        self.evening = int(evening or 1)

    def _known_format(self, db: sqlite3.Connection) -> int:
        """Return the format of the file; raise StoreError for an empty one.

        A table that is killed in its first evening leaves one when what was written ahead is gone.
        """
        found = log_file.format_of(db, self.path)
        if not found:
            store.must_be_whole(self.path)
            raise StoreError(log_file.none_kept(self.path))
        return found

    def _connect(self) -> sqlite3.Connection:
        """Return a connection, also where SQLite cannot put its index beside the log."""
        db = log_file.connect(self.path, "ro")
        try:
            db.execute("SELECT max(id) FROM evening").fetchone()
        except sqlite3.Error as problem:
            if log_file.code(problem) not in log_file.UNREACHABLE:
                return db
            db.close()
            return self._connect_apart()
        return db

    def _connect_apart(self) -> sqlite3.Connection:
        """Read a log that was closed as it stands; one that was not, from a copy."""
        ahead = log_file.beside(self.path)[0]
        if not (ahead.exists() and ahead.stat().st_size):
            address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        self._copy = tempfile.TemporaryDirectory(prefix="lastnose-")
        for file in (self.path, ahead):
            shutil.copy(file, self._copy.name)
        return log_file.connect(Path(self._copy.name) / log_file.NAME, "rw")

    def _asked(self, query: str, *values: int | str) -> list[tuple[int, bytes]]:
        assert self._db is not None
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as problem:
            raise log_file.as_store_error(problem, self.path) from problem

    def must_be_sound(self) -> None:
        """Raise DamagedLog unless SQLite and the chain of all rows find it as it was written."""
        assert self._db is not None
        try:
            store.must_have_newest(self._db, self.path)
            log_file.must_be_sound(self._db, self.path)
            broken = None
            if self.format > 1:
                broken = log_file.broken_at(log_file.rows(self._db), log_file.NO_HEAD)
        except sqlite3.Error as problem:
            raise log_file.as_store_error(problem, self.path) from problem
        if broken is not None:
            raise log_file.damaged(self.path, text("entry {seq} is not what was written", seq=broken))

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield the evening's events in order."""
        for seq, raw in self._asked(
            "SELECT seq, json FROM event WHERE evening = ? ORDER BY seq", self.evening
        ):
            yield seq, decoded(self.path, seq, raw)

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*, whole; raise BadInput when there is none."""
        for _, raw in self._asked("SELECT seq, json FROM event WHERE seq = ?", seq):
            return decoded(self.path, seq, raw)
        raise BadInput(english("There is no entry {seq} in the log.", seq=seq))

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first, each once."""
        return names_of(self._sat_down())

    def last_game(self) -> Started | None:
        """Return how the newest game of all evenings began, None when none ever did."""
        return last_begun(self._sat_down())

    def _sat_down(self) -> Iterator[tuple[int, AnyEvent]]:
        assert self._db is not None
        try:
            yield from log_file.sat_down(self._db, self.path, NAMES)
        except sqlite3.Error as problem:
            raise log_file.as_store_error(problem, self.path) from problem

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""
        found = self._asked("SELECT seq, json FROM event WHERE type IN ('saved', 'forgotten') ORDER BY seq")
        return variations([decoded(self.path, seq, raw) for seq, raw in found])

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Refuse."""
        raise StoreError(english("{file} is only read here.", file=str(self.path)))

    def newest(self) -> int:
        """Refuse: nothing comes after."""
        raise StoreError(english("{file} is only read here.", file=str(self.path)))

    def new_evening(self, *last: Finished) -> int:
        """Refuse."""
        raise StoreError(english("{file} is only read here.", file=str(self.path)))

    def settle(self) -> None:
        """Nothing is to be written."""

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        if self._db is not None:
            self._db.close()
        if self._copy is not None:
            with suppress(OSError):
                self._copy.cleanup()
