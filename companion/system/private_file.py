"""Files that only their owner reads: secrets, and what is configured with them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from lastnose.companion.core.errors import StoreError, unwritable

_LONGEST_TURN_S = 10


def write_private(path: Path, body: bytes) -> None:
    """Replace *path* at one stroke with *body*, durably, readable by its owner only; raise StoreError.

    Written as root, the file belongs to whoever the folder belongs to: the table that reads it runs as that.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            _give_away(Path(draft))
            Path(draft).replace(path)
        except OSError:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(unwritable(path, error)) from error


@contextmanager
def in_turn(path: Path) -> Iterator[None]:
    """Let one process at a time read and replace *path* in here; raise StoreError where none can."""
    guard = path.with_suffix(".lock")
    turn = FileLock(guard, timeout=_LONGEST_TURN_S, mode=0o600)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        turn.acquire()
        _give_away(guard)
    except OSError as error:
        turn.release()
        raise StoreError(unwritable(path, error)) from error
    try:
        yield
    finally:
        turn.release()


def _give_away(path: Path) -> None:
    """Give what root has made to whoever the folder belongs to."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # on Windows nobody is root
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
