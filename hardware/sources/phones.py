"""Noses on phones beside noses on wires: lines that only pages touch, and both sources as one."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.ports import Emit, Report, Source, StampWorth
from companion.core.touch import LATE_U_NS, LATENCY_U_NS, TOUCH_U_NS
from hardware.sources.mock import Mock

PHONES = "phones"
CLOCK_U_NS = 10_000_000  # of a phone that has not said how well it knows the time


def phone_lines(lines: Mapping[str, int]) -> Mock:
    """Return what pages can touch at a table with wires: *lines*, and nothing else there is.

    Who has not touched yet is reckoned as the worst that an untested phone may be.
    """
    worth = StampWorth(TOUCH_U_NS["touch"], LATENCY_U_NS + CLOCK_U_NS, LATE_U_NS + CLOCK_U_NS)
    return Mock(lines, name=PHONES, worth=worth)


class WithPhones:
    """A *wired* source with *phones* beside it; keeps the `Source` port. It is as simulated as its wires."""

    def __init__(self, wired: Source, phones: Mock) -> None:
        self.name, self.simulated = wired.name, wired.simulated
        self._wired, self._phones = wired, phones

    def start(self, emit: Emit, report: Report) -> None:
        """Start both; raise DeviceError, with none left open, when a pin or a box cannot be had."""
        self._wired.start(emit, report)
        try:
            self._phones.start(emit, report)
        except BaseException:
            self._wired.close()
            raise

    def close(self) -> None:
        """Let both go."""
        self._phones.close()
        self._wired.close()
