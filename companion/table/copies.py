"""Consistent copies of the log in a second place, another card or a USB stick; a good copy is never lost.

A copy is made beside the last one with SQLite's backup API, checked, and then takes its place. One of
another history than ours (its head is not in our chain) is kept under a number.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from companion.core.decode import decode_json
from companion.core.errors import Malformed, StoreError, reason
from companion.core.ports import Report
from companion.core.text import text
from companion.system.private_file import write_private
from companion.table import log_file

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
    if not place.is_dir():
        raise StoreError(
            text(
                "There is no folder {folder} for the copy of the evenings: is the stick plugged in?",
                folder=str(place),
            )
        )
    try:
        return _copy(data, place, at)
    except (sqlite3.Error, OSError) as problem:
        why = reason(problem)
        raise StoreError(
            text("The evenings cannot be copied to {folder} ({why}).", folder=str(place), why=why)
        ) from problem


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
    target, draft = place / COPY, place / f"{COPY}.new"
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
        target.replace(_numbered(place))
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


def _numbered(place: Path) -> Path:
    number = 1
    while (kept := place / f"lastnose-copy-{number}.sqlite").exists():
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
