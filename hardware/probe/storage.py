"""Where the evening is kept and shown: the data folder, its log, the port, the service. Nothing is locked."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from companion.config.calibration import calibration_file, load_calibration, machine_name
from companion.core.errors import CompanionError
from companion.system.doctor.facts import Folder, LateFacts, LogFacts, PageFacts, Wanted
from companion.table.copies import last_copy
from companion.table.reader import LogReader
from hardware.probe.system import read

UNIT = "usr/lib/systemd/system/lastnose.service"


def folder(data: Path) -> Folder:
    """Return how the data folder is, or the folder in which it would be made."""
    there = data
    while not os.access(there, os.F_OK) and there != there.parent:
        there = there.parent
    return Folder(str(there), os.access(there, os.W_OK | os.X_OK), shutil.disk_usage(there).free)


def evening(data: Path, root: Path = Path("/")) -> LogFacts:
    """Return how the log in *data* is; it may be in use meanwhile."""
    held_by = _holder(data / "lock", read(root / "proc/locks") or "")
    file = data / "lastnose.sqlite"
    try:
        file.stat()  # since Python 3.14 `exists` says no where it may not look
    except (FileNotFoundError, NotADirectoryError):
        return LogFacts("none", held_by=held_by)
    except PermissionError:
        return LogFacts("closed", held_by=held_by)
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):  # SQLite wants its index beside the log
        return LogFacts("closed", held_by=held_by)
    try:
        store = LogReader(data)
        try:
            store.must_be_sound()
        finally:
            store.close()
    except CompanionError as error:
        return LogFacts("bad", error.text, held_by=held_by)
    copied = last_copy(data)
    if copied is None:
        return LogFacts("sound", held_by=held_by)
    age_s = max(0.0, time.time() - copied.at)
    return LogFacts("sound", held_by=held_by, copied_s=age_s, copy=copied.file)


def lateness(data: Path, wanted: Wanted) -> LateFacts | None:
    """Return how late interrupt threads were when they were measured; None when nobody has."""
    if wanted.profile is None:
        return None
    path = str(calibration_file(data, wanted.profile.name, wanted.source))
    try:
        found = load_calibration(data, wanted.profile.name, wanted.source).lateness
    except CompanionError as error:
        return LateFacts(path, why=error.text)
    if found is None:
        return None
    return LateFacts(path, found.late_us, found.machine, found.machine == machine_name())


def _holder(lock: Path, locks: str) -> int | None:
    """Return the process that has *lock*, from what the kernel lists in /proc/locks."""
    try:
        inode = lock.stat().st_ino
    except OSError:
        return None
    found = re.search(rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+\w+:\w+:{inode}\s", locks)
    return int(found[1]) if found else None


def page(port: int) -> PageFacts:
    """Return whether a page could be served at *port*."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            return PageFacts(port, error.strerror or str(error))
    return PageFacts(port)


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
