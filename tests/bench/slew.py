"""How far a box's stamps are off while a time server slews the host's clock, beside what they claim.

The clocks are reckoned, not read: a box with a crystal 40 ppm fast and a sync wire to the Pi's pins, which
stamp to ± 10 µs, and a host clock that is slewed for ten of forty seconds.
"""

from __future__ import annotations

from lastnose.hardware.box.clock import ClockMap, Sample
from lastnose.hardware.box.sync import SteadyClock

US, MS, S = 1_000, 1_000_000, 1_000_000_000
SLEWED_PPM = (50, 500)  # what chrony does gently, and the most that the kernel does
BEGIN_S, FROM_S, TO_S, END_S = 1_000, 12, 22, 40
CRYSTAL, STAMP_NS, READING_NS = 1.00004, 10 * US, 60


class SlewedClocks:
    """The steady clock and the host's, which runs *ppm* fast in between; each reading takes 60 ns."""

    def __init__(self, ppm: float) -> None:
        self.steady_ns = BEGIN_S * S
        self._ppm = ppm
        self.both = SteadyClock(self._read_host, self._read_steady)

    def host_of(self, steady_ns: int) -> int:
        """Return what the host's clock says at a steady time."""
        slewed_ns = min(max(steady_ns - (BEGIN_S + FROM_S) * S, 0), (TO_S - FROM_S) * S)
        return steady_ns + round(slewed_ns * self._ppm / 1_000_000)

    def _read_host(self) -> int:
        return self.host_of(self._read_steady())

    def _read_steady(self) -> int:
        self.steady_ns += READING_NS
        return self.steady_ns


def slewed_presses(ppm: float) -> list[tuple[int, int]]:
    """Return of presses all along how far their stamps are off, and what they claim to be off at most."""
    clocks, box = SlewedClocks(ppm), ClockMap(5_000_000)
    told: list[tuple[int, int]] = []
    for second in range(END_S):
        clocks.steady_ns = max(clocks.steady_ns, (BEGIN_S + second) * S)
        clocks.both.now_ns()
        pulse_ns = clocks.steady_ns
        at = clocks.both.steady(clocks.host_of(pulse_ns) + (second % 3 - 1) * STAMP_NS)
        box.add(Sample(at.t_ns - at.u_ns - STAMP_NS, at.t_ns + at.u_ns + STAMP_NS, _tick(pulse_ns)))
        for part_ms in range(20, 1_000, 20):
            clocks.steady_ns = max(clocks.steady_ns, (BEGIN_S + second) * S + part_ms * MS)
            clocks.both.now_ns()
            if part_ms % 140 == 0:
                pressed_ns = clocks.steady_ns - 3 * MS
                reading = box.read(_tick(pressed_ns))
                stamp = clocks.both.host(reading.t_ns)
                told.append((abs(stamp.t_ns - clocks.host_of(pressed_ns)), reading.u_ns + stamp.u_ns))
    return told


def _tick(steady_ns: int) -> int:
    return round((steady_ns - 900 * S) * CRYSTAL / 200)
