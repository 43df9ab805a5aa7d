"""Opens the folder of an event to read it, also where nothing can be written: a disk that is mounted so."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import Timeout

from companion.core.errors import StoreError
from companion.hall.store import NAME, HallStore
from companion.table import log_file


@contextmanager
def store_to_read(folder: Path) -> Iterator[HallStore]:
    """Give the store of *folder*, of a copy of it where nothing can be written; raise StoreError.

    What SQLite has beside its file is copied with it: a hall that was killed has its last entries there.
    """
    with TemporaryDirectory(prefix="lastnose-") as copy:
        try:
            store = HallStore(folder)
        except StoreError as problem:
            if not _not_writable(problem.__cause__) or not (folder / NAME).exists():
                raise
            for one in (folder / NAME, folder / f"{NAME}-wal"):
                if one.exists():
                    shutil.copyfile(one, Path(copy) / one.name)
            store = HallStore(Path(copy))
        try:
            yield store
        finally:
            store.close()


def _not_writable(cause: BaseException | None) -> bool:
    if isinstance(cause, sqlite3.Error):
        return log_file.code(cause) in log_file.UNREACHABLE
    return isinstance(cause, OSError) and not isinstance(cause, Timeout)
