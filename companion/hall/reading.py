"""Opens the folder of an event to read it, also where nothing can be written, and while its hall runs."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import Timeout
from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.text import text
from lastnose.companion.hall.store import NAME, HallStore
from lastnose.companion.table import log_file


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
