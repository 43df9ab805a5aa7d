"""Opens the display that the settings name, through luma.oled; luma is imported only when there is one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Protocol, cast

from PIL import Image

from companion.core.errors import BadInput, CompanionError, DeviceError
from companion.core.text import text
from companion.wiring.profile import OledSettings

NO_OPERATION = 0xE3
MOST_COLUMNS = 132
CHARACTER_DISPLAYS = {"ws0010", "winstar_weh"}
SPI_MHZ = (0.5, 1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)


class Device(Protocol):
    """What we use of a luma device; `show` (display on) doubles as the check that it is still there."""

    mode: str

    def display(self, image: Image.Image) -> None:
        """Send a picture of the device's mode and size."""

    def show(self) -> None:
        """Switch the display on."""

    def cleanup(self) -> None:
        """Blank the display and release its bus."""


DeviceMaker = Callable[[], Device]


def drivers() -> tuple[str, ...]:
    """Return the names of luma's drivers of graphic OLEDs."""
    import luma.oled.device

    return tuple(sorted(set(luma.oled.device.__all__) - CHARACTER_DISPLAYS))


def columns(driver: str) -> tuple[str, ...]:
    """Return where a device of this *driver* keeps the columns at which its glass begins and ends.

    Empty for one that cannot be moved. luma has no setting for it where the picture has one bit a pixel.
    """
    import luma.oled.device

    kind = getattr(luma.oled.device, driver)
    if issubclass(kind, luma.oled.device.ssd1306):
        return ("_colstart", "_colend")
    return ("_page_address_offset",) if kind is luma.oled.device.sh1106 else ()


def failures() -> tuple[type[Exception], ...]:
    """Return what a device raises when it is not there, or not there any more."""
    import luma.core.error

    return (OSError, luma.core.error.Error, CompanionError)


def maker(settings: OledSettings) -> DeviceMaker | None:
    """Return what opens the device, None for the driver "none"; raise BadInput for wrong settings."""
    if settings.driver == "none":
        return None
    if settings.driver not in drivers():
        raise BadInput(
            text(
                "There is no display driver “{driver}” (oled.driver). Choose none or one of: {drivers}.",
                driver=settings.driver,
                drivers=", ".join(drivers()),
            )
        )
    if settings.h_offset and not columns(settings.driver):
        raise BadInput(
            text(
                "oled.h_offset moves the ssd1306, its like and the sh1106, not the {driver}.",
                driver=settings.driver,
            )
        )
    if not 0 <= settings.contrast <= 255:
        raise BadInput(
            text("oled.contrast is {contrast}; it goes from 0 to 255.", contrast=settings.contrast)
        )
    if settings.page_s <= 0:
        raise BadInput(text("oled.page_s is {page_s}; a page needs some time.", page_s=settings.page_s))
    if settings.interface == "spi" and settings.spi_bus_speed not in [mhz * 1_000_000 for mhz in SPI_MHZ]:
        speeds = ", ".join(f"{mhz * 1_000_000:.0f}" for mhz in SPI_MHZ)
        raise BadInput(
            text(
                "oled.spi_bus_speed is {speed}; choose one of: {speeds}.",
                speed=settings.spi_bus_speed,
                speeds=speeds,
            )
        )
    return lambda: _open(settings)


def _open(settings: OledSettings) -> Device:
    """Open bus and device; whatever fails, nothing stays open."""
    import luma.oled.device

    try:
        serial = _spi(settings) if settings.interface == "spi" else _i2c(settings)
    except ImportError as error:  # the libraries for its bus are Linux's
        raise DeviceError(text("This system has no bus for a small screen: say --oled none.")) from error
    try:
        driver = getattr(luma.oled.device, settings.driver)
        device = driver(serial, width=settings.width, height=settings.height, rotate=settings.rotate)
        _move(device, settings)
        device.contrast(settings.contrast)
    except BaseException:
        with contextlib.suppress(*failures()):
            serial.cleanup()
        raise
    return cast(Device, device)


def _move(device: Any, settings: OledSettings) -> None:
    """Let the glass of *device* begin `h_offset` columns further right; raise BadInput for no such column."""
    for place in columns(settings.driver) if settings.h_offset else ():
        column = getattr(device, place) + settings.h_offset
        if not 0 <= column <= MOST_COLUMNS:
            raise BadInput(
                text(
                    "oled.h_offset is {n}: no controller has a column {column}.",
                    n=settings.h_offset,
                    column=column,
                )
            )
        setattr(device, place, column)


def _i2c(settings: OledSettings) -> Any:
    """Open the I2C bus and ask whether anybody is there.

    To be asked first, because luma never forgets a device that it has begun to make.
    """
    from luma.core.interface.serial import i2c

    serial = i2c(port=settings.i2c_port, address=settings.i2c_address)
    try:
        serial.command(NO_OPERATION)
    except BaseException:
        serial.cleanup()
        raise
    return serial


def _spi(settings: OledSettings) -> Any:
    from hardware.outputs.spi import open_spi

    return open_spi(settings)
