"""What the system tells of itself: names, users, packages, memory, clock."""

from __future__ import annotations

import ctypes
import grp
import os
import pwd
import re
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from companion.doctor.facts import Clock, Package

CONFIG_TXT = ("boot/firmware/config.txt", "boot/config.txt")
LOCKS = ("requirements.lock", "requirements-pi.lock")
TIME_ERROR = 5  # what adjtimex answers while no time server has set the clock
TIMEX_BYTES = 512  # more than any struct timex


def read(path: Path) -> str | None:
    """Return what a file says, stripped; None when it is not there or may not be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\n\0 ")
    except OSError:
        return None


def system_name(root: Path) -> str:
    """Return machine and system as a person calls them."""
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', read(root / "etc/os-release") or "", re.MULTILINE)
    names = [read(root / "proc/device-tree/model"), found[1] if found else "Linux"]
    return ", ".join(name for name in names if name)


def kernel_version(release: str) -> tuple[int, int]:
    """Return the first two numbers of a kernel's release.

    >>> kernel_version("6.6.31+rpt-rpi-v8")
    (6, 6)
    """
    found = re.match(r"(\d+)\.(\d+)", release)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def config_txt(root: Path) -> tuple[str | None, str | None]:
    """Return the path and the text of the Pi's config.txt, None where there is none."""
    for place in CONFIG_TXT:
        config = read(root / place)
        if config is not None:
            return str(root / place), config
    return None, None


def whoami(root: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return this user, the groups of this login, and those of the next one."""
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        user = str(os.geteuid())
    groups = tuple(sorted(filter(None, map(_group_name, {*os.getgroups(), os.getegid()}))))
    lines = [line.split(":") for line in (read(root / "etc/group") or "").splitlines()]
    member = tuple(sorted(line[0] for line in lines if len(line) == 4 and user in line[3].split(",")))
    return user, groups, member


def _group_name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""


def packages(*, pi: bool) -> tuple[Package, ...]:
    """Return the packages of the locks; those of the Pi are looked for on a Pi only."""
    found: dict[str, Package] = {}
    for lock in LOCKS if pi else LOCKS[:1]:
        for name, wanted, conditional in locked(_lock(lock)):
            have = _version(name)
            # Whether a package with a condition is needed here, its own users find out.
            if have is not None or not conditional:
                found[name] = Package(name, wanted, have)
    return tuple(found.values())


def locked(lock: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name, version and whether there is a condition, for each package of a lock.

    >>> list(locked("click==8.3.1 \\\\\\n    --hash=x\\ngpiod==2.5.0 ; sys_platform == 'linux' \\\\\\n"))
    [('click', '8.3.1', False), ('gpiod', '2.5.0', True)]
    """
    for name, wanted, rest in re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)(.*)$", lock, re.MULTILINE):
        yield name, wanted, ";" in rest


def _lock(name: str) -> str:
    """Return a lock: it lies in the installed package, or beside it where the project was cloned."""
    inside = files("companion") / name
    beside = Path(str(files("companion"))).parent / name
    return inside.read_text() if inside.is_file() else read(beside) or ""


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def memory_free_bytes(root: Path) -> int | None:
    """Return how much memory is there for the asking."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", read(root / "proc/meminfo") or "", re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def clock(root: Path) -> Clock:
    """Return how the clocks are."""
    cpus = sorted((root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor"))
    return Clock(
        step_ns=_step_ns(),
        source=read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        synchronised=_synchronised(),
        governors=tuple(sorted({read(cpu) or "?" for cpu in cpus})),
        throttled=_throttled(root),
    )


def _step_ns() -> int:
    """Return the smallest step of CLOCK_MONOTONIC that a thousand readings show."""
    before, smallest = time.monotonic_ns(), 10**9
    for _ in range(1000):
        now = time.monotonic_ns()
        if now > before:
            smallest = min(smallest, now - before)
        before = now
    return smallest


def _synchronised() -> bool | None:
    """Return whether a time server has set the time of day, as the kernel knows it."""
    try:
        answer: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    except (OSError, AttributeError):
        return None
    return None if answer < 0 else answer != TIME_ERROR


def _throttled(root: Path) -> int | None:
    """Return the firmware's word for the supply, as `vcgencmd get_throttled` would.

    Kernels without it may still have a sensor that tells of too little right now.
    """
    for path in sorted((root / "sys/devices/platform").glob("soc*/*firmware/get_throttled")):
        told = read(path)
        if told is not None and re.fullmatch(r"(0x)?[0-9a-fA-F]+", told):
            return int(told, 16)
    for sensor in sorted((root / "sys/class/hwmon").glob("hwmon*")):
        if read(sensor / "name") == "rpi_volt":
            return int(read(sensor / "in0_lcrit_alarm") == "1")
    return None
