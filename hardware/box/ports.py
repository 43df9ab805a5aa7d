"""Serial ports: the ones with a buzzer box are found by USB number, opened, or refused in a sentence."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from lastnose.companion.core.errors import DeviceError, no_permission, reason
from lastnose.companion.core.ports import FoundBox
from lastnose.companion.core.text import Text, text

USB_IDS = {(0x2E8A, 0x0005): "MicroPython", (0x2E8A, 0x0003): "bootloader"}
BAUD = 115_200  # USB does not care
# So long pyserial waits by itself; to change it is to set the port up again, so a wait is made of many.
SLICE_S = 0.005
WINDOWS_ERRORS = {"FileNotFoundError": errno.ENOENT, "PermissionError": errno.EBUSY}


class Port(Protocol):
    """A line to a box. Every call may raise OSError when it is gone."""

    def read(self, wait_s: float) -> bytes:
        """Return what has come, after waiting for it for at most *wait_s*; nothing: b""."""

    def write(self, data: bytes) -> None:
        """Send *data*."""

    def close(self) -> None:
        """Give the port back."""


class SerialPort:
    """A `Port` through pyserial, for us alone."""

    def __init__(self, device: str) -> None:
        import serial

        try:
            self._serial: Any = serial.Serial(device, BAUD, timeout=SLICE_S, write_timeout=1, exclusive=True)
        except Exception as error:
            told = error if isinstance(error, OSError) else OSError(*error.args)
            if told is not error and type(error).__module__ != "termios":  # whose error is none of the system
                raise
            raise DeviceError(refusal(device, told)) from error

    def read(self, wait_s: float) -> bytes:
        end_s = time.monotonic() + wait_s
        while True:
            waiting = self._serial.in_waiting
            left_s = end_s - time.monotonic()
            if waiting or left_s <= 0:
                return bytes(self._serial.read(waiting))
            first = bytes(self._serial.read(1))
            if first:
                return first + bytes(self._serial.read(self._serial.in_waiting))

    def write(self, data: bytes) -> None:
        self._serial.write(data)

    def close(self) -> None:
        self._serial.close()


def find_ports() -> list[FoundBox]:
    """Return the ports whose USB number is a Pico's, by name."""
    from serial.tools.list_ports import comports

    return sorted(
        (
            FoundBox(port.device, (port.serial_number or "").upper(), USB_IDS[port.vid, port.pid])
            for port in comports()
            if (port.vid, port.pid) in USB_IDS
        ),
        key=lambda found: found.port,
    )


def choose_port(found: Iterable[FoundBox], serial: str | None, taken: Iterable[str] = ()) -> str:
    """Return the port of the box with this *serial* number, or of one that is not *taken*.

    Of several that is the one with the lowest number: ports are numbered otherwise after each start.
    Raise DeviceError that says what is there instead.
    """
    boxes = [one for one in found if one.kind == "MicroPython" and one.port not in set(taken)]
    twins = sorted({one.serial for one in boxes if [o.serial for o in boxes].count(one.serial) > 1})
    if twins:
        raise two_of(twins[0])
    fitting = [one for one in boxes if serial is None or one.serial == serial.upper()]
    if len(fitting) == 1 or (fitting and serial is None):
        return min(fitting, key=lambda one: (one.serial, one.port)).port
    if serial is not None and boxes:
        raise DeviceError(
            text(
                "No box with the serial number {serial} is plugged in; there is {others}.",
                serial=serial,
                others=", ".join(f"{one.serial} ({one.port})" for one in boxes),
            )
        )
    raise DeviceError(
        text(
            "No buzzer box is plugged in. Look at its cable, or run lastnose box list; to try "
            "without one, name it sim."
        )
    )


def two_of(serial: str) -> DeviceError:
    """Return the error for two boxes with one *serial* number."""
    return DeviceError(
        text(
            "Two boxes have the serial number {serial}, and their results could not be told apart: "
            "unplug one.",
            serial=serial,
        )
    )


def refusal(device: str, error: OSError) -> Text:
    """Return the sentence for a port that cannot be opened because of *error*."""
    number = error.errno or _told_by_windows(error)
    if number in (errno.EACCES, errno.EPERM):
        return no_permission(device, _group_of(device))
    if number in (errno.EBUSY, errno.EAGAIN) or "lock" in str(error):
        return text("{port} is in use: is a second Last Nose, or a terminal, running?", port=device)
    gone = number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or not Path(device).exists()
    if gone or "ioctl" in str(error):
        return text(
            "{port} is not a serial port. Run lastnose box list to see the ones there are.", port=device
        )
    return text("{host} cannot be reached: {why}.", host=device, why=reason(error))


def _told_by_windows(error: OSError) -> int | None:
    """Return the number of an error that pyserial has put into words only: a COM port in use is “denied”.

    >>> _told_by_windows(OSError("could not open port 'COM3': FileNotFoundError(2, '…', None, 2)"))
    2
    """
    return next((number for name, number in WINDOWS_ERRORS.items() if f"{name}(" in str(error)), None)


def _group_of(device: str) -> str:
    """Return the group that may use *device*; on Debian and most others that is dialout, and never root."""
    try:
        group = Path(device).group()
    except (KeyError, OSError, NotImplementedError):
        group = "root"
    return "dialout" if group == "root" else group
