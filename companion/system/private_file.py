"""Files that only their owner reads: secrets, and what is configured with them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
            give_to_owner(Path(draft))
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
        give_to_owner(guard)
    except OSError as error:
        turn.release()
        raise StoreError(unwritable(path, error)) from error
    try:
        yield
    finally:
        turn.release()


def make_private(path: Path) -> None:
    """Make an empty file at *path*, readable by its owner only, if none is there and it can be made.

    Made as root, it belongs to whoever the folder belongs to, as in `write_private`.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        give_to_owner(path)


def give_to_owner(path: Path) -> None:
    """Let *path*, if root has made it, belong to whoever its folder belongs to."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # on Windows nobody is root
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
