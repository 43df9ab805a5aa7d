"""Tones on a line of the kernel: half waves worked out by hand, and the process that makes them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from lastnose.hardware.outputs import tone

US = 1000


class Bench:
    """A line, a clock that only sleeping and looking move, and pitches that come at their times (µs)."""

    def __init__(self, orders: list[tuple[int, int | None]], wakes_late_us: int = 0) -> None:
        self.orders = [(at_us * US, pitch) for at_us, pitch in orders]
        self.t_ns = 0
        self.late_ns = wakes_late_us * US
        self.edges: list[tuple[int, int]] = []
        self.slept_ns = 0

    def set_level(self, level: int) -> None:
        """Note the edge."""
        self.edges.append((self.t_ns // US, level))

    def now_ns(self) -> int:
        """Look at the clock, which takes a microsecond."""
        self.t_ns += US
        return self.t_ns

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        self.slept_ns += round(seconds * 1e9)
        self.t_ns += round(seconds * 1e9) + self.late_ns

    def next_pitch(self, within_s: float | None) -> int | None:
        """Return the newest order that has come by now."""
        if within_s is None:
            self.t_ns = max(self.t_ns, self.orders[0][0])
        pitch: int | None = -1
        while self.orders and self.orders[0][0] <= self.t_ns:
            pitch = self.orders.pop(0)[1]
        return pitch

    def run(self) -> list[tuple[int, int]]:
        """Return every edge as (µs, level)."""
        tone.sound(self.set_level, self.next_pitch, self.now_ns, self.sleep)
        return self.edges


@pytest.mark.parametrize("late_us", [0, 80])
def test_a_pitch_is_as_many_waves_a_second(late_us: int) -> None:
    """2 kHz for 10 ms: an edge every 250 µs, however late the kernel wakes, to 4 µs."""
    edges = Bench([(0, 2000), (10_000, 0), (10_500, None)], late_us).run()
    waves = edges[1:-2]
    assert [1, 0] * 20 == [level for _, level in waves][:40]
    start_us = waves[0][0]
    for number, (at_us, _) in enumerate(waves):
        assert 0 <= at_us - start_us - 250 * number <= 4


def test_most_of_a_wave_is_slept_through() -> None:
    """All but 100 µs of each half: of 250 ms at 100 Hz, at least 240 ms."""
    bench = Bench([(0, 100), (250_000, None)])
    bench.run()
    assert bench.slept_ns > 240_000 * US


def test_between_tones_and_at_the_end_the_line_rests() -> None:
    """A buzzer behind a transistor would draw current."""
    edges = Bench([(0, 1000), (3_000, 0), (9_000, 500), (12_000, None)]).run()
    assert (edges[0][1], edges[-1][1]) == (0, 0)
    rest = next(at for at, (at_us, level) in enumerate(edges) if at_us >= 3_000 and level == 0)
    assert [] == [edge for edge in edges[rest + 1 :] if edge[0] < 9_000 and edge[1] == 1]


def test_the_process_needs_no_package_and_a_line_that_is_gone_ends_it() -> None:
    """Started as the buzzer starts it: isolated, without site-packages."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", tone.__file__, "0"], input=b"2000\n", capture_output=True, check=False
    )
    assert 1 == done.returncode
    assert b"OSError" in done.stderr
