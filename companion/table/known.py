"""What a folder knows of its log beside the log itself, so that entries that are missing are missed.

Number, evening and head of the newest entry stand in a small file, written after each entry is durable: it is
never ahead of the log, and behind it only after a power cut.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.decode import decode_json
from companion.core.errors import Malformed
from companion.core.text import text
from companion.table import log_file
from companion.table.log_file import NO_HEAD

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
    with suppress(OSError):
        handle = os.open(path.with_name(NEWEST), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.write(handle, body.ljust(_LENGTH - 1) + b"\n")
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
            raise log_file.damaged(path, text("{file} is a folder", file=file.name))
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
    told = newest(path)
    if told is None or not told.seq or not path.is_file():
        return
    db = log_file.connect(path, "ro")
    try:
        seq = 0
        if log_file.format_of(db, path):
            (seq,) = db.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
    finally:
        db.close()
    if seq < told.seq:
        missing = (
            text("entry {first} is missing", first=told.seq)
            if seq + 1 == told.seq
            else text("entries {first} to {last} are missing", first=seq + 1, last=told.seq)
        )
        raise log_file.damaged(path, missing)
