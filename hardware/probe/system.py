"""What the system tells of itself: names, users, clock and supply."""

from __future__ import annotations

import ctypes
import grp
import os
import pwd
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.system import host_clock
from companion.system.doctor.facts import ClockFacts

CONFIG_TXT = ("boot/firmware/config.txt", "boot/config.txt")
TIMEX_BYTES = 512  # more than any struct timex
CRYSTAL_PPM = 100.0
SLEW_WATCH_S = 0.2  # two readings to 0.2 µs each, so far apart, tell 2 ppm


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


def clock(root: Path) -> ClockFacts:
    """Return how the clocks are."""
    return ClockFacts(
        step_ns=host_clock.STEP_NS,
        source=read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        slew_ppm=_slew_ppm(),
        throttled=_throttled(root),
    )


def slew_ppm(pairs: Sequence[tuple[int, int]], set_ppm: float) -> float:
    """Return how fast the clock is slewed, from readings of the steady clock and it.

    *set_ppm* is what the kernel makes up for all the time. No crystal needs more than 100: some time servers
    slew by setting it, for a while.

    >>> round(slew_ppm([(0, 0), (200_000_000, 200_092_400)], -38.0))
    500
    """
    (steady_ns, host_ns), (steady_end_ns, host_end_ns) = pairs[0], pairs[-1]
    span_ns = steady_end_ns - steady_ns
    always_ppm = max(-CRYSTAL_PPM, min(CRYSTAL_PPM, set_ppm))
    return (host_end_ns - host_ns - span_ns) / span_ns * 1e6 - always_ppm


def _slew_ppm() -> float | None:
    """Watch both clocks for a fifth of a second; return how far apart they run beyond the kernel's rule."""
    timex = ctypes.create_string_buffer(TIMEX_BYTES)
    try:
        answer: int = ctypes.CDLL(None).adjtimex(timex)
    except (OSError, AttributeError):
        return None
    if answer < 0 or host_clock.steady_ns is None:
        return None
    # struct timex: int modes, then longs: offset, freq (in 2**-16 ppm), …
    long_bytes = ctypes.sizeof(ctypes.c_long)
    frequency = ctypes.c_long.from_buffer(timex, 2 * long_bytes).value / (1 << 16)
    pairs = [_both_clocks(host_clock.steady_ns)]
    time.sleep(SLEW_WATCH_S)
    pairs.append(_both_clocks(host_clock.steady_ns))
    return slew_ppm(pairs, frequency)


def _both_clocks(steady: Callable[[], int]) -> tuple[int, int]:
    """Return the steady clock and the one that stamps at one instant, the quickest of some readings."""
    tries = []
    for _ in range(20):
        before_ns = host_clock.now_ns()
        steady_ns = steady()
        after_ns = host_clock.now_ns()
        tries.append((after_ns - before_ns, steady_ns, before_ns + (after_ns - before_ns) // 2))
    _, steady_ns, host_ns = min(tries)
    return steady_ns, host_ns


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
