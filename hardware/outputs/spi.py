"""SPI for luma without a compiler: the kernel's spidev file and two pins for `spidev` and RPi.GPIO."""

from __future__ import annotations

import fcntl
import os
import struct
from typing import Any

from lastnose.companion.wiring.profile import OledSettings
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.sources.factories import GpioPin, PinFactory, let_go

# From linux/spi/spidev.h: _IOW('k', 1, u8) and _IOW('k', 4, u32).
SET_MODE = 0x40016B01
SET_SPEED = 0x40046B04


class SpiFile:
    """What luma uses of `spidev.SpiDev`, on `/dev/spidevPORT.DEVICE`: every write is one transfer."""

    def __init__(self, folder: str = "/dev") -> None:
        self._folder = folder
        self._file = -1

    def open(self, port: int, device: int) -> None:
        """Open the device file; raise OSError when it is not there."""
        self._file = os.open(f"{self._folder}/spidev{port}.{device}", os.O_RDWR | os.O_CLOEXEC)

    def writebytes(self, data: list[int]) -> None:
        """Send *data*."""
        os.write(self._file, bytes(data))

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def _set(self, request: int, packed: bytes) -> None:
        fcntl.ioctl(self._file, request, packed)

    mode = property(None, lambda self, mode: self._set(SET_MODE, struct.pack("B", mode)))
    max_speed_hz = property(None, lambda self, speed_hz: self._set(SET_SPEED, struct.pack("I", speed_hz)))


class OutputPins:
    """What luma uses of RPi.GPIO, on gpiozero pins: the lines "data/command" and "reset"."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, factory: PinFactory) -> None:
        self._factory = factory
        self._pins: dict[int, GpioPin] = {}

    def setup(self, pin: int, direction: str) -> None:
        """Take *pin* as an output."""
        self._pins[pin] = self._factory.pin(pin)
        self._pins[pin].function = "output"

    def output(self, pin: int, level: int) -> None:
        """Set *pin* to *level*."""
        self._pins[pin].state = level

    def close(self) -> None:
        """Release the pins."""
        while self._pins:
            self._pins.popitem()[1].close()
        let_go(self._factory)


def open_spi(settings: OledSettings, *, folder: str = "/dev", factory: PinFactory | None = None) -> Any:
    """Open luma's SPI interface on the settings' port and pins; raise OSError or DeviceError.

    *folder* and *factory* (gpiozero's) are for tests.
    """
    from luma.core.interface.serial import spi

    pins = OutputPins(real_factory() if factory is None else factory)

    class Spi(spi):  # type: ignore[misc]
        def cleanup(self) -> None:
            super().cleanup()
            pins.close()

    file = SpiFile(folder)
    try:
        return Spi(
            spi=file,
            gpio=pins,
            port=settings.spi_port,
            device=settings.spi_device,
            bus_speed_hz=settings.spi_bus_speed,
            gpio_DC=settings.gpio_data_command,
            gpio_RST=settings.gpio_reset,
        )
    except BaseException:
        file.close()
        pins.close()
        raise
