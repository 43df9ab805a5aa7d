"""The file of the log: SQLite, a row an event, chained by SHA-256. Opened, checked, read and written here.

`head` of a row is SHA-256 over the head before it (32 zero bytes before the first), its log number and its
evening (8 bytes each, big-endian) and its JSON. So two logs with the same head are the same up to there, and
a row that was changed behind SQLite's back is found.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from filelock import FileLock, Timeout
from lastnose.companion.core.errors import StoreError, full, reason
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.events import DECODER, AnyEvent
from lastnose.companion.system.private_file import give_to_owner, make_private

NAME = "lastnose.sqlite"
VERSION = 2
SCHEMA = """
CREATE TABLE evening (id INTEGER PRIMARY KEY);
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evening (id),
    type TEXT NOT NULL,
    json BLOB NOT NULL,
    head BLOB
);
CREATE INDEX event_by_type ON event (type);
INSERT INTO evening VALUES (1);
"""
NO_HEAD = bytes(32)
MOST_NUMBER = 2**53  # of an entry, or an evening
UNREADABLE = text("it cannot be read")  # what that says itself, in English, is the error's cause
FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}  # no room in it, or for the index beside it
# What SQLite says when the file itself is the trouble: going on in memory helps, waiting does not.
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
UNREACHABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


class DamagedLog(StoreError):
    """A log that is there and cannot be read as it was written."""


class NewerLog(StoreError):
    """A log that a newer version has written."""


class InUse(StoreError):
    """A folder that another process has."""


class LogRow(NamedTuple):
    """A row of the log: `raw` is the event's JSON, `head` the chain up to it."""

    seq: int
    evening: int
    type: str
    raw: bytes
    head: bytes


def chained(head: bytes, seq: int, evening: int, raw: bytes) -> bytes:
    """Return the head after a row.

    >>> chained(NO_HEAD, 1, 1, b"{}").hex()[:16]
    'd6e3dfe5dbc15fc0'
    """
    numbers = seq.to_bytes(8, "big") + evening.to_bytes(8, "big")
    return hashlib.sha256(head + numbers + raw).digest()


def as_row(seq: int, evening: object, kind: object, raw: object, head: object) -> LogRow:
    """Return a row as it stands in the file; what is of another kind than was written fits no chain.

    >>> as_row(1, 1, "saved", b"{}", None).head, as_row(1, "x", "saved", 5, b"").raw
    (b'None', b'5')
    """
    number = evening if isinstance(evening, int) and 0 <= evening <= MOST_NUMBER else 0
    return LogRow(seq, number, str(kind), _as_bytes(raw), _as_bytes(head))


def _as_bytes(found: object) -> bytes:
    return found if isinstance(found, bytes) else repr(found).encode()


def code(problem: sqlite3.Error) -> int:
    """Return SQLite's primary result code of *problem*, 0 when it has none."""
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF


def as_store_error(problem: sqlite3.Error, path: Path) -> StoreError:
    """Return *problem* with the log at *path* as a sentence that says what to do."""
    if getattr(problem, "sqlite_errorcode", 0) in FULL:
        return StoreError(full(path))
    if code(problem) in DAMAGED:
        return damaged(path, UNREADABLE)
    return StoreError(text("{file} cannot be used: {why}", file=str(path), why=str(problem)))


def none_kept(path: Path) -> Text:
    """Return what to say where there is no log at *path*, or one that nothing was ever written to."""
    return text("No evening is kept in {folder}: name another folder with --data.", folder=str(path.parent))


def damaged(path: Path, why: Text) -> DamagedLog:
    """Return the error for a log at *path* that cannot be read as it was written."""
    return DamagedLog(
        text(
            "{file} is damaged ({why}): run lastnose rescue {folder}, which keeps it and reads what it can.",
            file=str(path),
            why=why,
            folder=str(path.parent),
        )
    )


def newer(path: Path) -> NewerLog:
    """Return the error for a file that is as a newer version has written it."""
    return NewerLog(text("{file} was written by a newer Last Nose: update Last Nose.", file=str(path)))


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Return a connection to the file: *mode* is "ro", "rw", or "rwc" to make it; raise sqlite3.Error."""
    if mode != "ro":
        keep_private(path, make=mode == "rwc")
    address = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    if mode != "ro":
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            db.close()
            raise
    return db


def keep_private(path: Path, *, make: bool = False) -> None:
    """Let only their owner read the log at *path* and what SQLite keeps beside it; *make* it if need be.

    SQLite gives what it makes beside a file the rights of that file.
    """
    if make:  # that it cannot be made is for SQLite to say
        make_private(path)
    for file in (path, *beside(path)):
        with suppress(OSError):
            if file.is_file() and file.stat().st_mode & 0o077:
                file.chmod(0o600)


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file, or bring those of an older one up to date; raise StoreError."""
    version = format_of(db, path)
    if version == 0:
        db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    elif version == 1:
        db.execute("BEGIN IMMEDIATE")
        try:
            db.execute("ALTER TABLE event ADD COLUMN head BLOB")
            head = NO_HEAD
            for row in list(rows(db)):
                head = chained(head, row.seq, row.evening, row.raw)
                db.execute("UPDATE event SET head = ? WHERE seq = ?", (head, row.seq))
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def format_of(db: sqlite3.Connection, path: Path) -> int:
    """Return the format of the file, 0 for an empty one; raise NewerLog for a newer one than ours."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise newer(path)
    return int(version)


class FolderLock:
    """What one process holds of a folder: a lock file, and the folder itself where the system can lock that.

    The file may be deleted by somebody who tidies up; the folder cannot while it is used.
    """

    def __init__(self, folder: Path) -> None:
        """Take it; raise Timeout when another process has it, OSError when it cannot be taken."""
        # Whoever closes the store may be another thread than the one that opened it.
        self._file = FileLock(folder / "lock", timeout=0, mode=0o600, thread_local=False)
        self._file.acquire()
        self._folder: int | None = None
        try:
            give_to_owner(folder / "lock")
            self._folder = _locked(folder)
        except BaseException:
            self._file.release()
            raise

    def release(self) -> None:
        """Let go of it; may be called twice."""
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None
        self._file.release()


def _locked(folder: Path) -> int | None:
    """Return a handle of *folder*, locked; None where the system cannot lock folders."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as problem:
        os.close(handle)
        raise Timeout(str(folder)) from problem
    except OSError:
        os.close(handle)
        return None
    return handle


def own(folder: Path) -> FolderLock:
    """Make *folder* and return its lock, taken; raise StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
    except Timeout as problem:
        raise InUse(
            text(
                "Another lastnose uses {folder}: stop it first, or give this one a folder with --data.",
                folder=str(folder),
            )
        ) from problem
    except OSError as problem:
        raise StoreError(
            text(
                "Cannot write to {folder} ({why}): give another with --data.",
                folder=str(folder),
                why=reason(problem),
            )
        ) from problem
    return lock


def must_not_be_emptied(path: Path) -> None:
    """Raise DamagedLog for a file cut to nothing beside what was written last: SQLite would delete that."""
    with suppress(OSError):
        if path.stat().st_size == 0 and beside(path)[0].stat().st_size > 0:
            raise damaged(path, text("it is empty"))


def must_be_sound(db: sqlite3.Connection, path: Path) -> None:
    """Raise DamagedLog when SQLite finds something wrong in the file, sqlite3.Error when it cannot look."""
    (told,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise damaged(path, UNREADABLE) from sqlite3.DatabaseError(told)


def decoded(path: Path, seq: int, raw: bytes) -> AnyEvent:
    """Return entry *seq* of the log at *path*; raise DamagedLog, or NewerLog if it is what was written."""
    try:
        return DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as problem:  # not all are msgspec's own
        if _is_as_written(path, seq):
            raise newer(path) from problem
        raise damaged(path, text("entry {seq} is not what was written", seq=seq)) from problem


def _is_as_written(path: Path, seq: int) -> bool:
    """Return whether entry *seq* of the log at *path* follows from the one before it."""
    try:
        with closing(connect(path, "ro")) as db:
            before, head = newest(db, seq)
            row = next(rows(db, after=before), None)
    except sqlite3.Error:
        return False
    return row is not None and row.seq == seq and broken_at([row], head) is None


def sat_down(db: sqlite3.Connection, path: Path, most: int) -> Iterator[tuple[int, AnyEvent]]:
    """Yield evening and event of the newest *most* that say who sits there, the newest first."""
    kinds = "type IN ('started', 'seated', 'renamed')"
    query = f"SELECT evening, seq, json FROM event WHERE {kinds} ORDER BY seq DESC LIMIT ?"
    for evening, seq, raw in db.execute(query, (most,)):
        yield evening, decoded(path, seq, raw)


def rows(db: sqlite3.Connection, *, after: int = 0, evening: int | None = None) -> Iterator[LogRow]:
    """Yield the rows after log number *after*, those of one evening if it is said."""
    where, values = ("", ()) if evening is None else (" AND evening = ?", (evening,))
    query = f"SELECT seq, evening, type, json, head FROM event WHERE seq > ?{where} ORDER BY seq"
    for row in db.execute(query, (after, *values)):
        yield as_row(*row)


def first(db: sqlite3.Connection, evening: int) -> int | None:
    """Return the number of the first row of an evening, None when it has none yet."""
    found = db.execute("SELECT seq FROM event WHERE evening = ? ORDER BY seq LIMIT 1", (evening,)).fetchone()
    return None if found is None else int(found[0])


def newest(db: sqlite3.Connection, before: int | None = None) -> tuple[int, bytes]:
    """Return number and head of the last row, or of the last one *before* a number; (0, NO_HEAD): none."""
    query = "SELECT seq, head FROM event WHERE seq < ? ORDER BY seq DESC LIMIT 1"
    found = db.execute(query, (2**62 if before is None else before,)).fetchone()
    return (0, NO_HEAD) if found is None else (int(found[0]), _as_bytes(found[1]))


def newest_evening(db: sqlite3.Connection, path: Path) -> int:
    """Return the number of the newest evening; raise DamagedLog when there is none that can be."""
    (found,) = db.execute("SELECT max(id) FROM evening").fetchone()
    if not isinstance(found, int) or not 1 <= found <= MOST_NUMBER:
        raise damaged(path, UNREADABLE)
    return found


def broken_at(found: Iterable[LogRow], head: bytes) -> int | None:
    """Return the log number of the first row that is not what was written, None when all are.

    *head* is that before the first of them.
    """
    for row in found:
        head = chained(head, row.seq, row.evening, row.raw)
        if row.head != head:
            return row.seq
    return None


def rechained(found: Iterable[LogRow]) -> list[LogRow]:
    """Return rows with the heads of a log that has only these; those of a log without a gap stay."""
    out: list[LogRow] = []
    head = NO_HEAD
    for row in found:
        head = chained(head, row.seq, row.evening, row.raw)
        out.append(row._replace(head=head))
    return out


def write(db: sqlite3.Connection, found: Iterable[LogRow], evening: int) -> None:
    """Add rows, with the evenings that they belong to and *evening*, all or none; raise sqlite3.Error."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute("INSERT OR IGNORE INTO evening VALUES (?)", (evening,))
        for row in found:
            db.execute("INSERT OR IGNORE INTO evening VALUES (?)", (row.evening,))
            db.execute("INSERT INTO event (seq, evening, type, json, head) VALUES (?, ?, ?, ?, ?)", row)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def identities(path: Path) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return the identity of the log at *path*, and that of what SQLite writes ahead of it."""
    return identity(path), identity(beside(path)[0])


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at *path* from another in its place, None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def beside(path: Path) -> tuple[Path, ...]:
    """Return the files that SQLite keeps beside the log at *path*."""
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))


def set_aside(path: Path) -> Path:
    """Rename the log at *path*, and what was written ahead of it; return the first that was there."""
    number = 1
    while any(map(Path.exists, ((aside := _damaged(path, number)), *beside(aside)))):
        number += 1
    keep_private(path)
    names = zip((path, *beside(path)), (aside, *beside(aside)), strict=True)
    moved = [(old, new) for old, new in names if old.exists()]
    for old, new in moved:
        old.replace(new)
    return moved[0][1] if moved else aside


def unfinished(path: Path) -> Path:
    """Return where `renew` leaves the new log when the power goes before it takes the place of *path*."""
    return path.with_name(f"{path.name}.new")


def renew(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path | None:
    """Let a new log, which *fill* writes, take the place of the damaged one; return where that is then.

    None where none was there. Raises sqlite3.Error, StoreError or OSError, and the damaged one has stayed.
    """
    fresh = unfinished(path)
    for file in (fresh, *beside(fresh)):
        file.unlink(missing_ok=True)
    db = connect(fresh, "rwc")
    try:
        prepare(db, fresh)
        fill(db)
    finally:
        db.close()  # the last connection puts all into the one file
    aside = set_aside(path) if any(file.exists() for file in (path, *beside(path))) else None
    fresh.replace(path)
    return aside


def _damaged(path: Path, number: int) -> Path:
    return path.with_name(f"lastnose.damaged-{number}.sqlite")


# ---- Read rows from the pages of a damaged log, without SQLite: whatever leaf is whole gives its rows.
#
# The layout is SQLite's file format (https://sqlite.org/fileformat2.html, sections 1.6, 2, 4). Pages that
# were written ahead come before those of the file; nothing is ever deleted from a log, so no row can be an
# old one.

USUAL_PAGE = 4096
MAGIC = b"SQLite format 3\0"
TABLE_LEAF = 0x0D
WAL_HEADER, FRAME_HEADER = 32, 24
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of an integer by its serial type


def salvage(path: Path) -> list[LogRow]:
    """Return the rows that can be read as they were written from the log at *path*, by number.

    No connection to it may be open.
    """
    raw = path.read_bytes() if path.is_file() else b""
    ahead = beside(path)[0]
    wal = ahead.read_bytes() if ahead.is_file() else b""
    size = _page_bytes(raw, wal)
    pages = {number + 1: raw[at : at + size] for number, at in enumerate(range(0, len(raw), size))}
    newer = dict(_frames(wal, size))
    found: dict[int, LogRow] = {}
    for row in (*_rows(pages, pages), *_rows(newer, {**pages, **newer})):
        known = found.get(row.seq)
        if known is None or known.head == NO_HEAD:
            found[row.seq] = row
    return _unchanged([found[seq] for seq in sorted(found)])


def _page_bytes(raw: bytes, wal: bytes) -> int:
    """Return the size of a page: as the file says, or what was written ahead of it, or what is usual."""
    told = 0
    if raw.startswith(MAGIC):
        told = int.from_bytes(raw[16:18], "big")
    elif len(wal) >= WAL_HEADER:
        told = int.from_bytes(wal[8:12], "big")
    told = 65536 if told == 1 else told
    return told if 512 <= told <= 65536 and not told & (told - 1) else USUAL_PAGE


def _frames(wal: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of the pages that were written ahead, oldest first, up to the last commit."""
    salts, waiting = wal[16:24], []
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, commits = struct.unpack(">II", wal[at : at + 8])
        if wal[at + 8 : at + 16] != salts:
            return
        waiting.append((number, wal[at + FRAME_HEADER : at + FRAME_HEADER + size]))
        if commits:
            yield from waiting
            waiting.clear()


def _rows(leaves: dict[int, bytes], pages: dict[int, bytes]) -> Iterator[LogRow]:
    """Yield every row of the table of events that stands in *leaves*; *pages* has what overflows."""
    for number, page in leaves.items():
        start = 100 if number == 1 else 0
        if len(page) < 512 or page[start] != TABLE_LEAF:
            continue
        cells = int.from_bytes(page[start + 3 : start + 5], "big")
        table = page[start + 8 : start + 8 + 2 * cells]
        for at in (int.from_bytes(table[i : i + 2], "big") for i in range(0, len(table), 2)):
            try:
                row = _row(*_payload(page, at, pages))
            except (ValueError, IndexError, msgspec.DecodeError):
                continue
            if row is not None:
                yield row


class _Number(NamedTuple):
    value: int
    ends: int


def _varint(raw: bytes, at: int) -> _Number:
    """Return the number that begins at *at*; raise IndexError."""
    value = 0
    for count in range(9):
        byte = raw[at + count]
        if count == 8:
            return _Number(value << 8 | byte, at + 9)
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return _Number(value, at + count + 1)
    raise AssertionError


def _payload(page: bytes, at: int, pages: dict[int, bytes]) -> tuple[int, bytes]:
    """Return number and record of the cell at *at*; raise ValueError or IndexError for none."""
    length, at = _varint(page, at)
    seq, at = _varint(page, at)
    usable = len(page)
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    here = length
    if length > most:
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
    parts = [page[at : at + here]]
    missing = length - here
    if missing > usable * len(pages):  # and where pages that overflow lead round in a circle, there is no end
        raise ValueError("an entry is longer than its file")
    following = int.from_bytes(page[at + here : at + here + 4], "big") if missing else 0
    while missing > 0:
        more = pages.get(following, b"")
        if len(more) < usable:
            raise ValueError("an overflow page is missing")
        parts.append(more[4 : 4 + min(missing, usable - 4)])
        missing -= usable - 4
        following = int.from_bytes(more[:4], "big")
    return seq, b"".join(parts)


def _row(seq: int, record: bytes) -> LogRow | None:
    """Return the row of a record, None for one of another table; raise ValueError for damage."""
    ends, at = _varint(record, 0)
    kinds = []
    while at < ends:
        kind, at = _varint(record, at)
        kinds.append(kind)
    if len(kinds) not in (4, 5) or kinds[0] != 0 or kinds[2] % 2 == 0 or kinds[3] < 12 or kinds[3] % 2:
        return None
    evening = 1
    if kinds[1] in INTEGERS:
        evening = int.from_bytes(record[at : at + INTEGERS[kinds[1]]], "big")
        at += INTEGERS[kinds[1]]
    elif kinds[1] != 9:  # 9 stands for the number 1
        return None
    name = record[at : (at := at + (kinds[2] - 13) // 2)].decode()
    raw = record[at : (at := at + (kinds[3] - 12) // 2)]
    head = record[at : at + 32] if kinds[4:] == [12 + 2 * 32] else NO_HEAD
    known = DECODER.decode(raw).__struct_config__.tag == name
    if not known or not 1 <= seq <= MOST_NUMBER or evening > MOST_NUMBER:
        return None
    return LogRow(seq, evening, name, raw, head)


def _unchanged(found: Sequence[LogRow]) -> list[LogRow]:
    """Return rows without those that the chain shows to be other than what was written.

    Of a row that fits neither the one before nor the one after, only what it says can have changed; where it
    fits the one after, only its own head has. One whose predecessor is lost may be anything, and stays.
    """
    out: list[LogRow] = []
    heads: tuple[bytes, ...] = (NO_HEAD,)  # of the row before: as it stands, and as worked out
    for row, before, after in zip(found, (None, *found), (*found[1:], None), strict=False):
        follows = row.seq == 1 + (before.seq if before is not None else 0)
        made = [_next_head(head, row) for head in heads] if follows else []
        fits = row.head in made
        fits_after = after is not None and any(_next_head(head, after) == after.head for head in made)
        if fits or fits_after or not follows or row.head == NO_HEAD:
            out.append(row)
        heads = (row.head,) if fits else (row.head, *made[:1])
    return out


def _next_head(head: bytes, row: LogRow) -> bytes:
    return chained(head, row.seq, row.evening, row.raw)


def gaps(found: Iterable[int]) -> list[tuple[int, int]]:
    """Return from which number to which there is none.

    >>> gaps([1, 2, 5, 6, 9])
    [(3, 4), (7, 8)]
    """
    out, after = [], 1
    for number in found:
        if number > after:
            out.append((after, number - 1))
        after = number + 1
    return out
