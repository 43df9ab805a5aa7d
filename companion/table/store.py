"""The log of a running table. What `append` has returned survives a power cut, or `adrift` says why not.

One process owns a data folder (a lock file says so); one thread writes, any thread reads. The evening that is
played is held in memory too, packed, so that no damage to the file can end it. A store that has only the
memory serves tapes and scenarios; `reader` reads the log of others.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import BadInput, Malformed, StoreError
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.evening.events import (
    ENCODER,
    AnyEvent,
    Finished,
    Forgotten,
    NameChanged,
    Saved,
    Seated,
    Started,
)
from lastnose.companion.evening.log import variations
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.system.private_file import make_private
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, FolderLock, LogRow, decoded, salvage
from lastnose.companion.table.memory_store import last_begun, names_of

# ---- What a folder knows of its log beside the log itself, so that entries that are missing are missed.
#
# Number, evening and head of the newest entry stand in a small file, written and made durable after the entry
# itself is: it is never ahead of the log, and behind it by one entry at most.

NEWEST = "lastnose.newest"
_LENGTH = 160  # bytes: one length always, so that a new one covers the old one


class Newest(msgspec.Struct, frozen=True):
    """The newest entry: `seq` 0 while there is none."""

    seq: int
    evening: int
    head: str = ""


def note(path: Path, seq: int, evening: int, head: bytes) -> None:
    """Write down which entry is the newest of the log at *path*; where that fails the log is still whole."""
    body = msgspec.json.encode(Newest(seq, evening, "" if head == NO_HEAD else head.hex()))
    file = path.with_name(NEWEST)
    make_private(file)
    with suppress(OSError):
        handle = os.open(file, os.O_WRONLY)
        try:
            os.write(handle, body.ljust(_LENGTH - 1) + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)


def newest(path: Path) -> Newest | None:
    """Return what is known of the newest entry of the log at *path*, None when nothing is."""
    with suppress(OSError, Malformed):
        return decode_json(path.with_name(NEWEST).read_bytes(), Newest)
    return None


def was_kept(path: Path) -> bool:
    """Return whether there has been anything in the log at *path*.

    Of one that an older version kept other files know: its copy was noted, its evening had a PIN.
    """
    told = newest(path)
    if told is not None:
        return told.seq > 0
    if path.with_name("copied.json").is_file():
        return True
    with suppress(OSError, Malformed):
        return decode_json(path.with_name("access.json").read_bytes(), _Pin).evening > 0
    return False


class _Pin(msgspec.Struct, frozen=True):
    evening: int = 0


def must_be_there(path: Path) -> None:
    """Raise DamagedLog where a log should be and is not, is empty, or is no file; nothing is opened."""
    for file in (path, *log_file.beside(path)):
        if file.is_dir():
            raise log_file.damaged(path, english("{file} is a folder", file=file.name))
    log_file.must_not_be_emptied(path)
    with suppress(OSError):
        if path.stat().st_size > 0:
            return
    if was_kept(path):
        why = text("it is empty") if path.exists() else text("it is gone")
        raise log_file.damaged(path, why)


def must_be_whole(path: Path) -> None:
    """Raise DamagedLog for a log at *path* that lacks its newest entries; the file stays as it is.

    Read without writing: whoever opened it to write would give up what SQLite cannot read of what was
    written ahead.
    """
    if path.is_file():
        db = log_file.connect(path, "ro")
        try:
            must_have_newest(db, path)
        finally:
            db.close()


def must_have_newest(db: sqlite3.Connection, path: Path) -> None:
    """Raise DamagedLog when the log at *path*, open in *db*, lacks its newest entries."""
    told = newest(path)
    if told is None or not told.seq:
        return
    seq = 0
    if log_file.format_of(db, path):
        (seq,) = db.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
    if seq < told.seq:
        n = told.seq - seq
        which = f"{seq + 1}–{told.seq}" if n > 1 else str(told.seq)
        missing = texts("entry {which} is missing", "entries {which} are missing", n=n, which=which)
        raise log_file.damaged(path, missing)


_log = logging.getLogger("lastnose")
NAMES = 200  # so many games back are names remembered


class Store:
    """The log in `lastnose.sqlite` of a data folder, write-ahead with full synchronisation.

    When the file has gone, is damaged or cannot be written, the evening goes on in memory: `adrift` says so,
    and `settle` writes all of it as soon as there is a place. A full disk is no such thing: `append` refuses.
    """

    evening: int

    def __init__(self, folder: Path) -> None:
        self.path = folder / log_file.NAME
        self.adrift: Text | None = None
        self._damaged = False
        self._saved: list[LogRow] = []  # what was read of a file that is gone or damaged, until it is written
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._lock: FolderLock | None = log_file.own(folder)
        try:
            self._open()
        except BaseException:
            self._let_go()
            raise

    # ---- opening

    def _open(self) -> None:
        """Open the file, make it if it is not there, check it, and take up the newest evening."""
        must_be_there(self.path)
        try:
            must_be_whole(self.path)
            db = self._db("rwc")
            log_file.prepare(db, self.path)
            log_file.must_be_sound(db, self.path)
            self.evening = log_file.newest_evening(db, self.path)
            self._base = log_file.newest(db, log_file.first(db, self.evening))
            self._rows = list(self._checked(log_file.rows(db, after=self._base[0], evening=self.evening)))
            self._must_be_whole(db)
            self._read_offered(db)
        except sqlite3.Error as problem:
            raise log_file.as_store_error(problem, self.path) from problem
        self._ours = log_file.identities(self.path)
        self._note()

    def _note(self) -> None:
        """Write down beside the log which entry is its newest, now that it is durable."""
        seq, head = self._newest()
        note(self.path, seq, self.evening, head)

    def _newest(self) -> tuple[int, bytes]:
        return (self._rows[-1].seq, self._rows[-1].head) if self._rows else self._base

    def _must_be_whole(self, db: sqlite3.Connection) -> None:
        """Raise DamagedLog when the file has an entry that was read with no evening."""
        odd = "seq < 1 OR seq > ? OR (seq = ? AND evening NOT BETWEEN 1 AND ?)"
        values = self.newest(), self._base[0], self.evening - 1
        found = db.execute(f"SELECT seq FROM event WHERE {odd} LIMIT 1", values).fetchone()
        if found is not None:
            raise log_file.damaged(self.path, text("entry {seq} is not what was written", seq=found[0]))

    def _checked(self, found: Iterable[LogRow]) -> Iterator[LogRow]:
        """Yield rows of this evening as they were written; raise DamagedLog at the first that is not."""
        head = self._base[1]
        for row in found:
            head = log_file.chained(head, row.seq, row.evening, row.raw)
            if row.head != head:
                raise log_file.damaged(self.path, text("entry {seq} is not what was written", seq=row.seq))
            decoded(self.path, row.seq, row.raw)
            yield row

    def _read_offered(self, db: sqlite3.Connection) -> None:
        """Take from all evenings what is offered again: players and variations."""
        made = "SELECT seq, json FROM event WHERE type IN ('saved', 'forgotten') ORDER BY seq"
        self._games = list(log_file.sat_down(db, self.path, NAMES))[::-1]
        self._made = [decoded(self.path, *row) for row in db.execute(made).fetchall()]

    def _db(self, mode: str = "rw") -> sqlite3.Connection:
        """Return this thread's own connection."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None or db not in self._connections:
            db = log_file.connect(self.path, mode)
            with self._guard:
                self._connections.append(db)
            self._local.db = db
        return db

    # ---- writing

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* and return their log numbers; raise StoreError and keep none.

        They are durable, unless `adrift` says why not.
        """
        found = self._numbered(events)
        self._write(found)
        self._rows += found
        sat = ((self.evening, one) for one in events if isinstance(one, Started | Seated | NameChanged))
        self._games = [*self._games, *sat][-NAMES:]
        self._made += [event for event in events if isinstance(event, Saved | Forgotten)]
        if self.adrift is None:
            self._note()
        return tuple(row.seq for row in found)

    def newest(self) -> int:
        """Return the log number of the newest event of all evenings, 0 when there is none."""
        return self._rows[-1].seq if self._rows else self._base[0]

    def new_evening(self, *last: Finished) -> int:
        """Begin another evening, of which *last* ends the one before, and return its number.

        Raises StoreError, and neither has happened.
        """
        found = self._numbered(last)
        self._write(found, self.evening + 1)
        self._rows += found
        self.evening += 1
        if self.adrift is None:
            self._forget_earlier()
            self._note()
        return self.evening

    def _numbered(self, events: tuple[AnyEvent, ...]) -> list[LogRow]:
        """Return *events* as the rows that come next."""
        seq, head = self._newest()
        out: list[LogRow] = []
        for event in events:
            seq, raw = seq + 1, ENCODER.encode(event)
            head = log_file.chained(head, seq, self.evening, raw)
            out.append(LogRow(seq, self.evening, str(event.__struct_config__.tag), raw, head))
        return out

    def _write(self, found: list[LogRow], evening: int | None = None) -> None:
        """Write rows, or that a new evening began; raise StoreError, but where the file is the trouble."""
        if self.adrift is not None or self._has_gone():
            return
        try:
            log_file.write(self._db(), found, self.evening if evening is None else evening)
        except sqlite3.Error as problem:
            self._cast_off(problem)

    def _has_gone(self) -> bool:
        """Return whether the files are no longer those that were opened, and say so in `adrift`."""
        main, ahead = log_file.identities(self.path)
        if main == self._ours[0] and (ahead == self._ours[1] or self._ours[1] is None):
            self._ours = main, ahead
            return False
        self._drift(text("it is gone"))
        return True

    def _cast_off(self, problem: sqlite3.Error) -> None:
        """Go on in memory when the file is the trouble; otherwise raise StoreError."""
        if log_file.code(problem) not in log_file.DAMAGED | log_file.UNREACHABLE:
            raise log_file.as_store_error(problem, self.path) from problem
        self._damaged = log_file.code(problem) in log_file.DAMAGED
        self._drift(str(problem))

    def _drift(self, why: Text | str) -> None:
        says = text(
            "{file} cannot be written ({why}): the evening goes on in memory until it can.",
            file=str(self.path),
            why=why,
        )
        if self.adrift is None:
            _log.warning("%s", says)
        self.adrift = says

    def _forget_earlier(self) -> None:
        """Hold only this evening's rows."""
        first = next(
            (at for at, row in enumerate(self._rows) if row.evening == self.evening), len(self._rows)
        )
        if first:
            self._base = self._rows[first - 1].seq, self._rows[first - 1].head
            self._rows = [row for row in self._rows if row.evening == self.evening]

    # ---- coming back to a place

    def settle(self) -> None:
        """Try to write what is in memory only; `adrift` says whether that has worked."""
        if self.adrift is None:
            return
        try:
            if log_file.identity(self.path.parent / "lock") is None:
                self._take_lock_again()
            self._save(self._still_readable())
            self._close_connections()
            if self._damaged and self.path.exists():
                self._save(salvage(self.path))
                log_file.renew(self.path, lambda db: self._write_back(db, self._saved))
            db = self._db("rwc")
            log_file.prepare(db, self.path)
            self._write_back(db, self._saved)
        except (sqlite3.Error, StoreError, OSError) as problem:
            if isinstance(problem, sqlite3.Error):
                self._damaged = log_file.code(problem) in log_file.DAMAGED
            self._close_connections()
            return
        self._damaged, self.adrift, self._saved = False, None, []
        self._ours = log_file.identities(self.path)
        self._forget_earlier()
        self._note()
        _log.warning("%s has all of the evening again.", self.path)

    def _take_lock_again(self) -> None:
        """Take the lock of a folder that has gone and may be made again; raise StoreError."""
        if self._lock is not None:
            self._lock.release()
        self._lock = None
        self._lock = log_file.own(self.path.parent)

    def _save(self, found: list[LogRow]) -> None:
        """Keep *found* if it is more than what an earlier try has read: the next may find the file empty."""
        self._saved = max(self._saved, found, key=len)

    def _still_readable(self) -> list[LogRow]:
        """Return the rows of a file that was deleted and is still open here, as far as it can be read."""
        if self._damaged or self.path.exists() or not self._connections:
            return []
        try:
            return list(log_file.rows(self._connections[0]))
        except sqlite3.Error:
            return []

    def _write_back(self, db: sqlite3.Connection, before: list[LogRow]) -> None:
        """Add to the file what it lacks; raise StoreError when it is another log than ours."""
        seq, head = log_file.newest(db)
        heads = dict([self._base, *((row.seq, row.head) for row in self._rows)])
        if seq == 0 and self._base[0] > 0:
            held = self._rows[0].seq if self._rows else self._base[0] + 1
            whole = log_file.rechained([*(row for row in before if row.seq < held), *self._rows])
            log_file.write(db, whole, self.evening)
            self._rows, self._base = whole, (0, log_file.NO_HEAD)
        elif heads.get(seq) == head:
            log_file.write(db, [row for row in self._rows if row.seq > seq], self.evening)
        else:
            raise StoreError(english("{file} is another table’s log.", file=str(self.path)))

    # ---- reading

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events in order."""
        for row in tuple(self._rows):
            if row.evening == self.evening:
                yield row.seq, decoded(self.path, row.seq, row.raw)

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*, whole; raise BadInput when there is none."""
        held = self._rows
        at = bisect_left(held, seq, key=lambda row: row.seq)
        if at < len(held) and held[at].seq == seq:
            return decoded(self.path, seq, held[at].raw)
        found = None
        if seq <= self._base[0] and self.adrift is None:
            try:
                found = self._db().execute("SELECT json FROM event WHERE seq = ?", (seq,)).fetchone()
            except sqlite3.Error as problem:
                raise log_file.as_store_error(problem, self.path) from problem
        if found is None:
            raise BadInput(english("There is no entry {seq} in the log.", seq=seq))
        return decoded(self.path, seq, found[0])

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first, each once."""
        return names_of(reversed(self._games))

    def last_game(self) -> Started | None:
        """Return how the newest game of all evenings began, None when none ever did."""
        return last_begun(reversed(self._games))

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""
        return variations(tuple(self._made))

    # ---- the end

    def close(self) -> None:
        """Close every connection and let go of the lock; may be called twice.

        An evening that no place was found for is left in a folder of its own among the temporary files.
        """
        self.settle()
        if self.adrift is not None:
            self._leave_behind()
        self._let_go()

    def _leave_behind(self) -> None:
        with suppress(sqlite3.Error, OSError):
            path = Path(tempfile.mkdtemp(prefix="lastnose-")) / log_file.NAME
            db = log_file.connect(path, "rwc")
            try:
                log_file.prepare(db, path)
                log_file.write(db, log_file.rechained(self._rows), self.evening)
            finally:
                db.close()
            _log.warning("The evening found no place and was left in %s.", path)
        self.adrift = None

    def _close_connections(self) -> None:
        with self._guard:
            for db in self._connections:
                with suppress(sqlite3.Error):
                    db.close()
            self._connections.clear()

    def _let_go(self) -> None:
        self._close_connections()
        if self._lock is not None:
            self._lock.release()
