"""The lines of a kernel GPIO device: found, requested and read, or refused with a sentence that helps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.core.errors import DeviceError, reason
from companion.core.text import text

if TYPE_CHECKING:
    import gpiod

EVENT_BUFFER_SIZE = 1024
HEADER_LABELS = ("pinctrl-bcm2711", "pinctrl-bcm2835", "pinctrl-rp1")


class KernelEvent(NamedTuple):
    """An edge as the kernel tells it: `level` is active (1) or at rest (0), `seqno` counts over all lines."""

    t_ns: int
    offset: int
    level: int
    seqno: int


class Reader(Protocol):
    """The lines of one request. Every call may raise OSError when the device is gone.

    `buffer_size` is how many events the kernel keeps before it drops the oldest.
    """

    buffer_size: int

    def wait(self, timeout_s: float) -> bool:
        """Wait until events can be read; return False when none came in *timeout_s*."""

    def read(self) -> list[KernelEvent]:
        """Return the events that wait, at least one."""

    def levels(self) -> dict[int, int]:
        """Return the level of every line now, by offset."""

    def close(self) -> None:
        """Release the lines."""


class KernelReader:
    """The lines through libgpiod 2: both edges, CLOCK_MONOTONIC, no debounce, pulled up, active low."""

    def __init__(
        self, lines: Mapping[str, int], chip: str | None, *, event_buffer_size: int = EVENT_BUFFER_SIZE
    ) -> None:
        gpiod = import_gpiod()
        self.buffer_size = event_buffer_size
        self._active = gpiod.line.Value.ACTIVE
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE
        path = chip or find_header_chip()
        settings = gpiod.LineSettings(
            direction=gpiod.line.Direction.INPUT,
            edge_detection=gpiod.line.Edge.BOTH,
            bias=gpiod.line.Bias.PULL_UP,
            active_low=True,
            event_clock=gpiod.line.Clock.MONOTONIC,
        )
        self._offsets = tuple(lines.values())
        try:
            with gpiod.Chip(path) as device:
                check_free(device, lines, path)
                self._request = device.request_lines(
                    {self._offsets: settings}, consumer="lastnose", event_buffer_size=event_buffer_size
                )
        except OSError as error:
            raise explain(error, path) from error

    def wait(self, timeout_s: float) -> bool:
        """Wait until events can be read."""
        return bool(self._request.wait_edge_events(timeout_s))

    def read(self) -> list[KernelEvent]:
        """Return the events that wait."""
        rising = self._rising
        return [
            KernelEvent(
                event.timestamp_ns, event.line_offset, int(event.event_type is rising), event.global_seqno
            )
            for event in self._request.read_edge_events(EVENT_BUFFER_SIZE)
        ]

    def levels(self) -> dict[int, int]:
        """Return the level of every line now."""
        values = self._request.get_values(self._offsets)
        return {
            offset: int(value is self._active) for offset, value in zip(self._offsets, values, strict=True)
        }

    def close(self) -> None:
        """Release the lines."""
        self._request.release()


def find_header_chip(devices: Path = Path("/dev")) -> str:
    """Return the device of the 40-pin header, by its chip's label; raise DeviceError when there is none."""
    gpiod = import_gpiod()
    labels: dict[str, str] = {}
    refused: list[DeviceError] = []
    for path in sorted(devices.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                labels[str(path)] = chip.get_info().label
        except OSError as error:
            refused.append(explain(error, str(path)))
    for path_name, label in labels.items():
        if label in HEADER_LABELS:
            return path_name
    if refused:
        raise refused[0]
    if labels:
        raise DeviceError(
            text(
                "None of the GPIO chips here ({chips}) is a Raspberry Pi’s header. "
                "To play without noses, say --source mock.",
                chips=", ".join(f"{path} {label}" for path, label in labels.items()),
            )
        )
    raise DeviceError(
        text("This machine has no GPIO pins (no /dev/gpiochip*). To play without noses, say --source mock.")
    )


def import_gpiod() -> Any:
    """Return the module; raise DeviceError when it is not installed."""
    try:
        import gpiod
    except ImportError as error:
        raise DeviceError(
            text("The library for the pins is missing (gpiod 2.4): run make pi in the folder of Last Nose.")
        ) from error
    return gpiod


def check_free(device: gpiod.Chip, lines: Mapping[str, int], path: str) -> None:
    """Raise DeviceError that names the first line which is missing or in use."""
    count = device.get_info().num_lines
    for line, offset in lines.items():
        if offset >= count:
            raise DeviceError(
                text(
                    "{line} is on GPIO{pin}, but {chip} ends at GPIO{last}.",
                    line=line,
                    pin=offset,
                    chip=path,
                    last=count - 1,
                )
            )
        info = device.get_line_info(offset)
        if info.used:
            raise DeviceError(
                text(
                    "GPIO{pin} ({line}) is in use by “{consumer}”. "
                    "Stop that program (is a second Last Nose running?), then try again.",
                    pin=offset,
                    line=line,
                    consumer=info.consumer or "?",
                )
            )


def _is_roots(path: str) -> bool:
    """Return whether *path* has no group but root's."""
    return Path(path).exists() and Path(path).stat().st_gid == 0


def explain(error: OSError, path: str) -> DeviceError:
    """Return what the *error* of the chip at *path* means, and what helps."""
    if isinstance(error, PermissionError):
        if _is_roots(path):
            return DeviceError(
                text(
                    "{chip} belongs to root alone: the Debian package (make deb) gives it to the group gpio.",
                    chip=path,
                )
            )
        return DeviceError(
            text(
                "No permission to use {chip}. Join the group gpio (sudo usermod -aG gpio $USER), "
                "then log in again.",
                chip=path,
            )
        )
    if isinstance(error, FileNotFoundError):
        return DeviceError(
            text(
                "There is no {chip}. Is this a Raspberry Pi? To play without noses, say --source mock.",
                chip=path,
            )
        )
    return DeviceError(text("{chip} does not give its lines: {why}.", chip=path, why=reason(error)))
