"""An output that is wired to an input, to measure how sure stamps are; simulated as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.ports import Driver, StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.selftest.measurements import OutputWrite
from lastnose.companion.system import host_clock
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.outputs.worker import as_device_error
from lastnose.hardware.sources.factories import PinFactory, let_go

PRETEND_LATE_NS = 20_000


class Pulse(Protocol):
    """What moves lines and says when."""

    def write(self, level: int) -> OutputWrite:
        """Make the lines read *level* (active low: 1 pulls them down); return when that was."""

    def close(self) -> None:
        """Release the pin."""


class RealPulse:
    """A `Pulse` through gpiozero. The clock is read right before and right after the write."""

    def __init__(self, pin: int, factory: PinFactory, clock: Callable[[], int] = host_clock.now_ns) -> None:
        from gpiozero import DigitalOutputDevice

        self._factory = factory
        self._clock = clock
        with as_device_error():
            try:
                self._device = DigitalOutputDevice(pin, initial_value=True, pin_factory=factory)
            except BaseException:
                let_go(factory)
                raise

    def write(self, level: int) -> OutputWrite:
        pin = self._device.pin
        before_ns = self._clock()
        pin.state = not level
        return OutputWrite(level, before_ns, self._clock())

    def close(self) -> None:
        with as_device_error():
            self._device.close()
            let_go(self._factory)


class PretendPulse:
    """A simulated `Pulse`: the lines change 20 µs after the write."""

    def __init__(
        self, driver: Driver, lines: Sequence[str], clock: Callable[[], int] = host_clock.now_ns
    ) -> None:
        self._driver = driver
        self._lines = tuple(lines)
        self._clock = clock

    def write(self, level: int) -> OutputWrite:
        before_ns = self._clock()
        for line in self._lines:
            self._driver.drive(line, level, before_ns + PRETEND_LATE_NS, StampWorth(1_000))
        return OutputWrite(level, before_ns, self._clock())

    def close(self) -> None:
        """Do nothing."""


def make_pulse(pin: int, driver: Driver | None, lines: Sequence[str]) -> Pulse:
    """Return what moves *lines*: *pin*, or the *driver* of simulated lines; raise DeviceError."""
    if driver is not None:
        return PretendPulse(driver, lines)
    try:
        return RealPulse(pin, real_factory())
    except DeviceError as error:
        raise DeviceError(text("{what}: {says}", what=f"GPIO{pin}", says=error.text)) from error
