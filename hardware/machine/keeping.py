"""Where the evening is kept and shown: the data folder, its log, the port, the service. Nothing is locked."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import subprocess
from pathlib import Path

from companion import log
from companion.doctor.facts import Evening, Folder, Page
from companion.errors import CompanionError
from companion.store import Store
from companion.text import Text, text
from hardware.machine.system import read

UNIT = "etc/systemd/system/lastnose.service"


def folder(data: Path) -> Folder:
    """Return how the data folder is, or the folder in which it would be made."""
    there = data
    while not os.access(there, os.F_OK) and there != there.parent:
        there = there.parent
    return Folder(str(there), os.access(there, os.W_OK | os.X_OK), shutil.disk_usage(there).free)


def evening(data: Path, root: Path = Path("/")) -> Evening:
    """Return how the log in *data* is; it may be in use meanwhile."""
    held_by = _holder(data / "lock", read(root / "proc/locks") or "")
    file = data / "lastnose.sqlite"
    try:
        if not file.exists():
            return Evening("none", held_by=held_by)
    except PermissionError:
        return Evening("closed", held_by=held_by)
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):  # SQLite wants its index beside the log
        return Evening("closed", held_by=held_by)
    try:
        store = Store(data, to_read=True)
        try:
            problem = _integrity(file)
            open_round = bool(log.fold(store.events()).open_round)
        finally:
            store.close()
    except (CompanionError, sqlite3.Error) as error:
        why = error.text if isinstance(error, CompanionError) else _broken(file, str(error))
        return Evening("bad", why, held_by=held_by)
    if problem is not None:
        return Evening("bad", _broken(file, problem), held_by=held_by)
    return Evening("sound", open_round=open_round, held_by=held_by)


def _broken(file: Path, why: str) -> Text:
    return text("{file} is damaged: {why}.", file=str(file), why=why)


def _integrity(file: Path) -> str | None:
    """Return what SQLite finds wrong in *file*, None when it is sound."""
    db = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (told,) = db.execute("PRAGMA quick_check(1)").fetchone()
    finally:
        db.close()
    return None if told == "ok" else str(told).splitlines()[0]


def _holder(lock: Path, locks: str) -> int | None:
    """Return the process that has *lock*, from what the kernel lists in /proc/locks."""
    try:
        inode = lock.stat().st_ino
    except OSError:
        return None
    found = re.search(rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+\w+:\w+:{inode}\s", locks)
    return int(found[1]) if found else None


def page(port: int) -> Page:
    """Return whether a page could be served at *port*."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            return Page(port, error.strerror or str(error))
    return Page(port)


def service(root: Path = Path("/")) -> str | None:
    """Return what systemd says of our service, None when it is not installed.

    One that ends and is begun again and again has "failed", whatever its state is meanwhile.
    """
    if not (root / UNIT).exists():
        return None
    ask = ["systemctl", "show", "--property=ActiveState,SubState", "lastnose"]
    try:
        told = subprocess.run(ask, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    said = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    return "failed" if said.get("SubState") == "auto-restart" else said.get("ActiveState", "unknown")
