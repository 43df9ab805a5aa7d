"""A damaged log in, a sound one with all that can be read out; the damaged one is kept beside it."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import groupby
from pathlib import Path
from zlib import crc32

import msgspec
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import CompanionError, Malformed, StoreError, reason, unreadable
from lastnose.companion.core.ports import Report
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.evening import log
from lastnose.companion.evening.events import DECODER
from lastnose.companion.evening.state import Evening
from lastnose.companion.system.private_file import write_private
from lastnose.companion.table import log_file, store
from lastnose.companion.table.log_file import DamagedLog, LogRow, NewerLog, gaps, salvage
from lastnose.companion.table.memory_store import refused
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.store import Store

# ---- Consistent copies of the log in a second place, another card or a USB stick; a good copy is never lost.
#
# A copy is made beside the last one with SQLite's backup API, checked, and then takes its place. One of
# another history than ours (its head is not in our chain) is kept under a number, one for each history: two
# tables may take turns at one stick.

COPY = "lastnose-copy.sqlite"
NOTE = "copied.json"  # in the data folder: when and where the last copy was made
AGAIN_S = 60.0  # a stick that is plugged in late is found within this time
LAST_S = 5.0  # a table that stops waits so long for its last copy


class Copied(msgspec.Struct, frozen=True):
    """When the last copy was made, in seconds of wall time, and its file."""

    at: float
    file: str


def last_copy(folder: Path) -> Copied | None:
    """Return what is known of the last copy of the log in the data *folder*, None when there is none."""
    try:
        return decode_json((folder / NOTE).read_bytes(), Copied)
    except (OSError, Malformed):
        return None


def copy_log(data: Path, place: Path, at: float) -> Path:
    """Copy the log of the folder *data* to the folder *place* at the wall time *at* (s); raise StoreError."""
    try:
        return _copy(data, place, at)
    except (sqlite3.Error, OSError) as problem:
        why = reason(problem)
        raise StoreError(
            text("The evenings cannot be copied to {folder} ({why}).", folder=str(place), why=why)
        ) from problem


def _not_there(place: Path) -> Text:
    return text("{place} is not there: is the stick plugged in?", place=str(place))


def is_copied(data: Path, place: Path) -> bool:
    """Return whether the copy in *place* has all that the log of *data* has."""
    try:
        with (
            closing(log_file.connect(data / log_file.NAME, "ro")) as ours,
            closing(log_file.connect(place / COPY, "ro")) as copy,
        ):
            return log_file.newest(ours) == log_file.newest(copy)
    except sqlite3.Error:
        return False


def _copy(data: Path, place: Path, at: float) -> Path:
    if not place.is_dir():
        raise StoreError(_not_there(place))
    # By its folder: two tables may copy at one time, and what the power has cut short is replaced.
    target, draft = place / COPY, place / f"{COPY}.{crc32(bytes(data.resolve())):08x}.new"
    draft.unlink(missing_ok=True)
    try:
        log_file.keep_private(draft, make=True)
        with (
            closing(log_file.connect(data / log_file.NAME, "ro")) as ours,
            closing(sqlite3.connect(draft)) as copy,
        ):
            ours.backup(copy, pages=256, sleep=0.01)
            copy.execute("PRAGMA journal_mode = DELETE")
            log_file.must_be_sound(copy, data / log_file.NAME)
            another = target.exists() and not _goes_on(target, copy)
        _sync(draft)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    if another:
        target.replace(_aside(target))
    draft.replace(target)
    if os.name != "nt":
        _sync(place)
    _note(data / NOTE, Copied(at, str(target)))
    return target


def _goes_on(target: Path, fresh: sqlite3.Connection) -> bool:
    """Return whether the log in *fresh* is the one of the copy *target*, grown."""
    try:
        with closing(log_file.connect(target, "ro")) as old:
            seq, head = log_file.newest(old)
    except sqlite3.Error:
        return False
    return seq == 0 or log_file.newest(fresh, seq + 1) == (seq, head)


def _aside(target: Path) -> Path:
    """Return where the copy *target* is kept beside another: in the place of one that it has grown from."""
    number = 1
    while (kept := target.with_name(f"lastnose-copy-{number}.sqlite")).exists():
        with suppress(sqlite3.Error), closing(log_file.connect(target, "ro")) as grown:
            if _goes_on(kept, grown):
                break
        number += 1
    return kept


def _sync(path: Path) -> None:
    """Wait until the disk has *path*."""
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _note(path: Path, copied: Copied) -> None:
    write_private(path, msgspec.json.encode(copied))


class Copier:
    """Copies the log of *data* to *place* when asked, on a thread of its own; *report* hears of trouble.

    What failed is tried again every `AGAIN_S`; the end waits for `last_s` at most.
    """

    def __init__(
        self,
        data: Path,
        place: Path,
        report: Report,
        wall_s: Callable[[], float] = time.time,
        last_s: float = LAST_S,
    ) -> None:
        self._data, self._place, self._report, self._wall_s = data, place, report, wall_s
        self._last_s = last_s
        self._asked = threading.Semaphore(0)
        self._stopping = False
        self._failed = False
        self._thread = threading.Thread(target=self._run, name="copies", daemon=True)

    def start(self) -> None:
        """Make the first copy, and wait for wishes."""
        self.ask()
        self._thread.start()

    def ask(self) -> None:
        """Have a copy made soon."""
        self._asked.release()

    def stop(self) -> None:
        """Have what is new copied and end; a place that takes too long for that keeps the copy before."""
        self._stopping = True
        self.ask()
        self._thread.join(self._last_s)
        if self._thread.is_alive():
            self._report(
                text(
                    "{folder} was too slow for a last copy: it keeps the one before, and gets what is new at "
                    "the next start.",
                    folder=str(self._place),
                )
            )

    def _run(self) -> None:
        last = False
        while not last:
            self._asked.acquire(timeout=AGAIN_S if self._failed else None)
            last = self._stopping
            while self._asked.acquire(blocking=False):
                last = self._stopping
            if not (last and is_copied(self._data, self._place)):
                self.copy()

    def copy(self) -> None:
        """Make a copy now, and tell when that fails, or works again."""
        try:
            copy_log(self._data, self._place, self._wall_s())
        except StoreError as problem:
            if not self._failed:
                self._report(problem.text)
            self._failed = True
        else:
            if self._failed:
                self._report(None)
            self._failed = False


OURS = b"CREATE TABLE event"  # stands in the schema of every log


class Rescued(msgspec.Struct, frozen=True):
    """What came of it: how many entries were read, which numbers are lost (from, to), where the old file is.

    `unfit` are entries that could be read, but say nothing without those that are lost. `copied` of them were
    read from `copy`; with none, that is the last copy made, which may have more (empty: none is known).
    """

    file: str
    kept: str
    read: int
    lost: tuple[tuple[int, int], ...]
    unfit: tuple[int, ...]
    evenings: tuple[int, ...]
    copied: int = 0
    copy: str = ""

    @property
    def sentence(self) -> Text:
        """What a table is told of it."""
        if self.copy and (self.lost or not self.read) and not self.copied:
            return Text("{said} {offer}", {"said": self._said, "offer": self._offer})
        return self._said

    @property
    def _offer(self) -> Text:
        return text(
            "Its last copy is {copy}: end this table and run lastnose rescue {folder} --copy {copy}.",
            copy=self.copy,
            folder=str(Path(self.file).parent),
        )

    @property
    def _said(self) -> Text:
        if not self.read and not self.kept:
            return text(
                "{file} is gone, and a new log was begun. A copy on a stick (--backup) can be laid in its "
                "place.",
                file=self.file,
            )
        if not self.read:
            return text(
                "Nothing of the damaged log could be read, so a new one was begun. The damaged file is "
                "{kept}; a copy on a stick (--backup) can be laid in its place.",
                kept=self.kept,
            )
        if not self.lost and not self.unfit and self.copied:
            return text(
                "The log was damaged: entries 1 to {n} were read into a new one, {copied} of them from the "
                "copy {copy}. Check that the last round is there. The damaged file is {kept}.",
                n=self.read,
                copied=self.copied,
                copy=self.copy,
                kept=self.kept or "–",
            )
        if not self.lost and not self.unfit:
            return text(
                "The log was damaged: entries 1 to {n} were read into a new one. Check that the last round "
                "is there. The damaged file is {kept}.",
                n=self.read,
                kept=self.kept or "–",
            )
        which = [f"{a}–{b}" if a < b else str(a) for a, b in self.lost[:5]] + [str(n) for n in self.unfit[:5]]
        return text(
            "The log was damaged: {read} entries were read into a new one, and entries {which} of evening "
            "{evenings} are lost, so check the scores. The damaged file is {kept}.",
            read=self.read,
            which=listing(which + (["…"] if len(self.lost) > 5 or len(self.unfit) > 5 else [])),
            evenings=listing([str(evening) for evening in self.evenings]),
            kept=self.kept or "–",
        )


SOUND = text("The log of the evenings is sound.")


def is_sound(folder: Path) -> bool:
    """Return whether the log in *folder*, which must be there, can be read as it was written, and wholly.

    Raises NewerLog, and StoreError where all is as it was written, but the rules of today refuse it: a rescue
    would leave that out.
    """
    try:
        reader = LogReader(folder)
    except DamagedLog:
        return False
    try:
        reader.must_be_sound()
        for evening in range(1, reader.evening + 1):
            reader.evening = evening
            log.fold(reader.events())
    except NewerLog:
        raise
    except StoreError:
        return False
    except CompanionError as problem:
        raise refused(reader.path, problem) from problem
    finally:
        reader.close()
    return True


def open_store(folder: Path) -> tuple[Store, Text | None]:
    """Return the store of *folder*, and if need be what came of a rescue before; raise StoreError."""
    try:
        return Store(folder), None
    except DamagedLog:
        done = rescue(folder)
        return Store(folder), done.sentence


def rescue(folder: Path, copy: Path | None = None) -> Rescued:
    """Read what can be read of the log in *folder* into a new one in its place, and keep the damaged file.

    What it lacks is taken from *copy*; without being told, from the last copy that was made if it is surely
    one of this log. Raises StoreError, with nothing changed, when a table uses the folder, nothing can be
    read, or *copy* is of another log.
    """
    path = folder / log_file.NAME
    here = path.is_file() or any(file.is_file() for file in log_file.beside(path)) or store.was_kept(path)
    if not here and copy is None:
        raise StoreError(unreadable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))))
    try:
        if not (folder / "lock").exists():  # no table was ever here: what is refused leaves nothing behind
            _readable(path, copy)
        lock = log_file.own(folder)
        try:
            return _rescue(path, copy)
        finally:
            lock.release()
    except (OSError, sqlite3.Error) as problem:
        raise StoreError(
            text("{file} cannot be read ({why}).", file=str(path), why=reason(problem))
        ) from problem


def _readable(path: Path, copy: Path | None) -> tuple[list[LogRow], list[LogRow], str]:
    """Return the rows of the log at *path*, those with what a copy has besides, and that copy.

    Raises StoreError when either is another file.
    """
    # Where the power went as the new log was to take the place of the damaged one, it is all there is.
    own = max(salvage(path), salvage(log_file.unfinished(path)), key=len)
    another = path.is_file() and path.stat().st_size > 0 and OURS not in path.read_bytes()
    if not own and another and not store.was_kept(path):
        raise StoreError(
            text(
                "{file} is not a Last Nose log: move it away, or give another folder with --data.",
                file=str(path),
            )
        )
    return own, *_with_copy(path, own, copy)


def _rescue(path: Path, copy: Path | None) -> Rescued:
    own, found, source = _readable(path, copy)
    fitting = [row for _, rows in groupby(found, lambda row: row.evening) for row in _fitting(list(rows))]
    kept = {row.seq for row in fitting}
    told = store.newest(path)
    lost = tuple(gaps([*(row.seq for row in found), *([told.seq + 1] if told is not None else [])]))
    chain, evening = log_file.rechained(fitting), found[-1].evening if found else 1
    aside = str(log_file.renew(path, lambda db: log_file.write(db, chain, evening)) or "")
    seq, head = (chain[-1].seq, chain[-1].head) if chain else (0, log_file.NO_HEAD)
    store.note(path, seq, evening, head)
    unfit = tuple(row.seq for row in found if row.seq not in kept)
    evenings = _evenings(found, lost, unfit)
    copied = len(found) - len(own)
    return Rescued(str(path), aside, len(fitting), lost, unfit, evenings, copied, source)


def _with_copy(path: Path, own: list[LogRow], copy: Path | None) -> tuple[list[LogRow], str]:
    """Return the rows that were read with those that a copy has besides, and that copy, "" for none.

    Raises StoreError when *copy* is not there or is of another log.
    """
    if copy is not None and not copy.is_file():
        raise StoreError(_not_there(copy))
    last = last_copy(path.parent)
    file = copy or (Path(last.file) if last is not None else None)
    if file is None:
        return own, ""
    if not file.is_file():
        return own, str(file)
    others, heads, told = salvage(file), {row.seq: row.head for row in own}, store.newest(path)
    common = [row for row in others if row.seq in heads]
    another = any(row.head != heads[row.seq] for row in common)
    if copy is not None and not others and _has_no_entry(copy):
        raise StoreError(text("{file} cannot be read ({why}).", file=str(copy), why=text("it is empty")))
    if copy is not None and (another or not others):
        raise StoreError(text("{file} is not a copy of this log.", file=str(file)))
    same = bool(common) or (
        told is not None and any((r.seq, r.head.hex()) == (told.seq, told.head) for r in others)
    )
    if another or not (same or copy is not None):
        return own, str(file)
    return sorted([*own, *(row for row in others if row.seq not in heads)]), str(file)


def _has_no_entry(copy: Path) -> bool:
    """Return whether *copy*, of which nothing can be read, is a file of nothing, or a log of nothing."""
    if not copy.stat().st_size:
        return True
    try:
        with closing(log_file.connect(copy, "ro")) as db:
            return log_file.format_of(db, copy) > 0 and next(log_file.rows(db), None) is None
    except sqlite3.Error:
        return False


def _fitting(rows: list[LogRow]) -> list[LogRow]:
    """Return of one evening's rows those that mean something without the ones that are lost."""
    evening, out = Evening(), []
    for row in rows:
        try:
            evening = log.fold_on(evening, ((row.seq, DECODER.decode(row.raw)),))
        except (CompanionError, LookupError, AssertionError):
            continue
        out.append(row)
    return out


def _evenings(
    found: list[LogRow], lost: tuple[tuple[int, int], ...], unfit: tuple[int, ...]
) -> tuple[int, ...]:
    """Return of which evenings entries are lost."""
    of = {row.seq: row.evening for row in found}
    hit = {of[seq] for seq in unfit}
    for first, last in lost:
        before = of.get(first - 1, 1)
        hit |= {*range(before, of.get(last + 1, before) + 1)}
    return tuple(sorted(hit))
