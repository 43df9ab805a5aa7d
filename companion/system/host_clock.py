"""The one clock of a table: integer nanoseconds that never step back, and how far a reading may be behind.

On Linux it is CLOCK_MONOTONIC, with which the kernel stamps edges. Elsewhere it is the finest of Python's
clocks that never step back: on Windows before Python 3.13 `time.monotonic` stands still for 15.6 ms at a
time, `time.perf_counter` for 100 ns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from math import ceil
from typing import Literal, Protocol

Name = Literal["monotonic", "perf_counter"]

KERNELS_OWN: Name = "monotonic"
_CLOCKS: dict[Name, Callable[[], int]] = {
    "monotonic": time.monotonic_ns,
    "perf_counter": time.perf_counter_ns,
}


class ClockInfo(Protocol):
    """What Python says of a clock (`time.get_clock_info`)."""

    @property
    def resolution(self) -> float:
        """Return the clock's step in seconds."""

    @property
    def monotonic(self) -> bool:
        """Return whether it never steps back."""


def choose(platform: str, told: Callable[[Name], ClockInfo]) -> Name:
    """Return the name of the clock for *platform*, given what is *told* of each.

    >>> choose("linux", time.get_clock_info)
    'monotonic'
    """
    if platform.startswith("linux"):
        return KERNELS_OWN
    usable = [name for name in _CLOCKS if told(name).monotonic]
    return min(usable, key=lambda name: told(name).resolution, default=KERNELS_OWN)


def step_ns(resolution_s: float) -> int:
    """Return a clock's step in whole nanoseconds, one at least.

    >>> step_ns(1e-9), step_ns(1e-7), step_ns(0.015625), step_ns(4.1666e-8)
    (1, 100, 15625000, 42)
    """
    return max(1, ceil(round(resolution_s * 1e9, 3)))


NAME = choose(sys.platform, time.get_clock_info)
now_ns = _CLOCKS[NAME]
STEP_NS = step_ns(time.get_clock_info(NAME).resolution)
# A reading of t was taken at t, or at any of the nanoseconds before the next step.
BEHIND_NS = STEP_NS - 1


def _raw_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


def elapsed_s() -> float:
    """Return seconds since some moment, with the time in which this machine slept.

    `time.monotonic` leaves that out on Linux and macOS, so a laptop that was closed for an hour looks as if
    its wall clock had been set.
    """
    return _elapsed_s()


# Linux counts sleep in CLOCK_BOOTTIME, Windows in `time.monotonic`; macOS has nothing that Python reads.
_elapsed_s: Callable[[], float] = (
    (lambda: time.clock_gettime(time.CLOCK_BOOTTIME)) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)

# A clock that no time server ever slews, None where there is none.
steady_ns: Callable[[], int] | None = _raw_ns if hasattr(time, "CLOCK_MONOTONIC_RAW") else None
