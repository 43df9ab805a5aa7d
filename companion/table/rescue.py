"""A damaged log in, a sound one with all that can be read out; the damaged one is kept beside it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import msgspec

from companion.core.errors import CompanionError, StoreError, reason
from companion.core.text import Text, listing, text
from companion.evening import log
from companion.evening.events import DECODER
from companion.evening.state import Evening
from companion.table import log_file
from companion.table.log_file import DamagedLog, LogRow
from companion.table.reader import LogReader
from companion.table.salvage import gaps, salvage
from companion.table.store import Store

OURS = b"CREATE TABLE event"  # stands in the schema of every log


class Rescued(msgspec.Struct, frozen=True):
    """What came of it: how many entries were read, which numbers are lost (from, to), where the old file is.

    `unfit` are entries that could be read, but say nothing without those that are lost.
    """

    file: str
    kept: str
    read: int
    lost: tuple[tuple[int, int], ...]
    unfit: tuple[int, ...]
    evenings: tuple[int, ...]

    @property
    def sentence(self) -> Text:
        """What a table is told of it."""
        if not self.read:
            return text(
                "Nothing of the damaged log could be read, so a new one was begun. The damaged file is "
                "{kept}; a copy on a stick (--backup) can be laid in its place.",
                kept=self.kept,
            )
        if not self.lost and not self.unfit:
            return text(
                "The log was damaged: entries 1 to {n} were read into a new one. Check that the last round "
                "is there. The damaged file is {kept}.",
                n=self.read,
                kept=self.kept,
            )
        which = [f"{a}–{b}" if a < b else str(a) for a, b in self.lost[:5]] + [str(n) for n in self.unfit[:5]]
        return text(
            "The log was damaged: {read} entries were read into a new one, and entries {which} of evening "
            "{evenings} are lost, so check the scores. The damaged file is {kept}.",
            read=self.read,
            which=listing(which + (["…"] if len(self.lost) > 5 or len(self.unfit) > 5 else [])),
            evenings=listing([str(evening) for evening in self.evenings]),
            kept=self.kept,
        )


def is_sound(folder: Path) -> bool:
    """Return whether the log in *folder*, which must be there, can be read as it was written."""
    try:
        reader = LogReader(folder)
    except DamagedLog:
        return False
    try:
        reader.must_be_sound()
        for evening in range(1, reader.evening + 1):
            reader.evening = evening
            log.fold(reader.events())
    except CompanionError:
        return False
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


def rescue(folder: Path) -> Rescued:
    """Read what can be read of the log in *folder* into a new one in its place, and keep the damaged file.

    Raises StoreError, with nothing changed, when a table uses the folder or nothing can be read.
    """
    path = folder / log_file.NAME
    if not path.is_file():
        raise StoreError(
            text("No evening is kept in {folder}: name another folder with --data.", folder=str(folder))
        )
    lock = log_file.own(folder)
    try:
        return _rescue(path)
    except OSError as problem:
        raise StoreError(
            text("{file} cannot be read: {why}.", file=str(path), why=reason(problem))
        ) from problem
    finally:
        lock.release()


def _rescue(path: Path) -> Rescued:
    found = salvage(path)
    if not found and OURS not in path.read_bytes():
        raise StoreError(
            text(
                "{file} is not a Last Nose log: move it away, or give another folder with --data.",
                file=str(path),
            )
        )
    fitting = [row for _, rows in groupby(found, lambda row: row.evening) for row in _fitting(list(rows))]
    kept = {row.seq for row in fitting}
    fresh = path.with_name(f"{path.name}.new")
    for file in (fresh, *log_file.beside(fresh)):
        file.unlink(missing_ok=True)
    db = log_file.connect(fresh, "rwc")
    try:
        log_file.prepare(db, fresh)
        log_file.write(db, log_file.rechained(fitting), found[-1].evening if found else 1)
    finally:
        db.close()  # the last connection puts all into the one file
    aside = log_file.set_aside(path)
    fresh.replace(path)
    lost = tuple(gaps(row.seq for row in found))
    unfit = tuple(row.seq for row in found if row.seq not in kept)
    return Rescued(str(path), str(aside), len(fitting), lost, unfit, _evenings(found, lost, unfit))


def _fitting(rows: list[LogRow]) -> list[LogRow]:
    """Return of one evening's rows those that mean something without the ones that are lost."""
    evening, out = Evening(), []
    for row in rows:
        try:
            evening = log.apply(evening, row.seq, DECODER.decode(row.raw))
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
