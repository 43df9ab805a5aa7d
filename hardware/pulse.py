"""An output that is wired to an input, to measure how sure stamps are; simulated as well."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from companion.errors import DeviceError
from companion.ports import Driver
from companion.selftest.skew import Write
from companion.text import text
from hardware.factories import let_go, real_factory
from hardware.lasting import as_device_error

PRETEND_LATE_NS = 20_000


class Pulse(Protocol):
    """What moves a line and says when."""

    def write(self, level: int) -> Write:
        """Make the line read *level* (active low: 1 pulls it down); return when that was."""

    def close(self) -> None:
        """Release the pin."""


class RealPulse:
    """A pin through gpiozero. The clock is read right before and right after the write."""

    def __init__(self, pin: int, factory: Any, clock: Callable[[], int] = time.monotonic_ns) -> None:
        from gpiozero import DigitalOutputDevice

        self._factory = factory
        self._clock = clock
        with as_device_error():
            try:
                self._device = DigitalOutputDevice(pin, initial_value=True, pin_factory=factory)
            except BaseException:
                let_go(factory)
                raise

    def write(self, level: int) -> Write:
        """Make the line read *level*."""
        pin = self._device.pin
        before_ns = self._clock()
        pin.state = not level
        return Write(level, before_ns, self._clock())

    def close(self) -> None:
        """Release the pin."""
        with as_device_error():
            self._device.close()
            let_go(self._factory)


class PretendPulse:
    """Simulated: the line changes 20 µs after the write."""

    def __init__(self, driver: Driver, line: str, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._driver = driver
        self._line = line
        self._clock = clock

    def write(self, level: int) -> Write:
        """Make the line read *level*."""
        before_ns = self._clock()
        self._driver.drive(self._line, level, before_ns + PRETEND_LATE_NS, u_ns=1_000)
        return Write(level, before_ns, self._clock())

    def close(self) -> None:
        """Do nothing."""


def make_pulse(pin: int, driver: Driver | None, line: str) -> Pulse:
    """Return what moves *line*: *pin*, or the *driver* of simulated lines; raise DeviceError."""
    if driver is not None:
        return PretendPulse(driver, line)
    try:
        return RealPulse(pin, real_factory())
    except DeviceError as error:
        raise DeviceError(
            text("The output GPIO{pin} cannot be had: {why}", pin=pin, why=error.text)
        ) from error
