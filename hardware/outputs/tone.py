"""A square wave on one line of the kernel, in a process of its own: it delays no judge.

usage: tone.py FD. FD is the line's request, handed down open. Each line of the input is a pitch in hertz, 0
for rest; at its end the line rests, and this ends. Needs nothing but Python, so that it starts at once.
"""

from __future__ import annotations

import os
import select
import struct
import sys
import time
from collections.abc import Callable

# From linux/gpio.h: _IOWR(0xB4, 0x0F, struct gpio_v2_line_values), which is two u64: bits and mask.
SET_VALUES = 0xC010B40F
SPIN_NS = 100_000  # the kernel wakes late: what is left of a half wave is waited for awake


def set_line(request: int, level: int) -> None:
    """Set the only line of the open *request* to *level*; raise OSError when it is gone."""
    import fcntl  # where there is none, nobody has such a line

    fcntl.ioctl(request, SET_VALUES, struct.pack("QQ", level, 1))


def sound(
    set_level: Callable[[int], None],
    next_pitch: Callable[[float | None], int | None],
    now_ns: Callable[[], int],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Sound each pitch until the next one comes; return, at rest, when there are no more.

    *next_pitch* waits so many seconds (None: for ever) and returns a pitch in hertz, 0 for rest, -1 when none
    has come, None when none will.
    """
    pitch: int | None = 0
    level, edge_ns = 0, now_ns()
    while pitch is not None:
        if pitch == 0:
            set_level(0)
            pitch, level, edge_ns = next_pitch(None), 0, now_ns()
            continue
        level = 1 - level
        set_level(level)
        edge_ns = max(edge_ns, now_ns() - 1_000_000) + 500_000_000 // pitch
        left_ns = edge_ns - now_ns() - SPIN_NS
        if left_ns > 0:
            sleep(left_ns / 1e9)
        while now_ns() < edge_ns:
            pass
        news = next_pitch(0)
        pitch = pitch if news == -1 else news
    set_level(0)


def read_pitch(within_s: float | None) -> int | None:
    """Return the newest pitch that the input has (see `sound`)."""
    if not select.select([0], [], [], within_s)[0]:
        return -1
    words = os.read(0, 4096).split()
    return int(words[-1]) if words else None


if __name__ == "__main__":
    line = int(sys.argv[1])
    sound(lambda level: set_line(line, level), read_pitch, time.perf_counter_ns)
