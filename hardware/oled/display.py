"""Shows the latest snapshot on an OLED, in a thread of its own; a display that fails is reported and retried.

`show` never blocks: the latest snapshot wins. What has not changed is not sent again. `png` is drawn when
it is asked for and never carries PIN or QR. With the driver "none" there is no thread, and `png` is all.
"""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable
from typing import Any, Protocol, cast

from lastnose.companion.core.errors import BadInput, CompanionError, DeviceError
from lastnose.companion.core.ports import JoinInfo, Report
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.selftest.view import SelfTestView
from lastnose.companion.system import host_clock
from lastnose.companion.views.snapshot import Snapshot
from lastnose.companion.wiring.profile import OledSettings
from lastnose.hardware.oled.layout import Translate
from lastnose.hardware.oled.screens import count_pages, draw, draw_selftest
from lastnose.hardware.outputs.worker import SECOND_NS, Retrying, Worker
from PIL import Image

# ---- Opens the display that the settings name, through luma.oled; luma is imported only when there is one.

NO_OPERATION = 0xE3
MOST_COLUMNS = 132


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
    for problem in settings.problems():
        raise BadInput(problem)
    return lambda: _open(settings)


def _open(settings: OledSettings) -> Device:
    """Open bus and device; whatever fails, nothing stays open."""
    import luma.oled.device

    try:
        serial = _spi(settings) if settings.interface == "spi" else _i2c(settings)
    except ImportError as error:  # the libraries for its bus are Linux's
        raise DeviceError(text("This system has no bus for a small screen: use --oled none.")) from error
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
                english(
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
    from lastnose.hardware.outputs.spi import open_spi

    return open_spi(settings)


CHECK_NS = SECOND_NS


class Oled:
    """The display of a table (companion.core.ports.Display).

    *report* hears a Text when the display fails and None when it is well again. *make_device* and
    *clock_ns* are for tests. Raises BadInput when the settings name a driver or speed that does not exist.
    """

    def __init__(
        self,
        settings: OledSettings,
        *,
        translate: Translate = str,
        report: Report,
        make_device: DeviceMaker | None = None,
        clock_ns: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        turned = settings.rotate % 2 == 1
        self.size = (settings.height, settings.width) if turned else (settings.width, settings.height)
        self._dense = settings.dense
        self._page_ns = round(settings.page_s * SECOND_NS)
        self._translate = translate
        self._report = report
        self._clock_ns = clock_ns
        self._lock = threading.Lock()
        self._snapshot: Snapshot | SelfTestView | None = None
        self._join: JoinInfo | None = None
        self._since_ns = 0
        self._worker: Worker | None = None
        make = make_device if make_device is not None else maker(settings)
        if make is not None:
            self._panel = Panel(make, report)
            self._worker = Worker("oled", self._bring, self._panel.close, clock_ns)

    def show(self, snapshot: object) -> None:
        """Show *snapshot* (or a moment of a self-test) soon; a new moment begins at its first page."""
        assert isinstance(snapshot, Snapshot | SelfTestView)
        with self._lock:
            if self._snapshot is None or _moment(snapshot) != _moment(self._snapshot):
                self._since_ns = self._clock_ns()
            self._snapshot = snapshot
        self._wake()

    def join(self, join: JoinInfo | None) -> None:
        """Tell the set-up screen how phones find the table; with a QR code it shows one."""
        with self._lock:
            self._join = join
        self._wake()

    def png(self) -> bytes:
        """Return what is shown now as a PNG, without PIN and QR."""
        with self._lock:
            snapshot, join = self._snapshot, self._join
        image = self._draw(snapshot, None if join is None else join.public(), self._clock_ns())
        stream = io.BytesIO()
        image.save(stream, "PNG", optimize=True)
        return stream.getvalue()

    def close(self) -> None:
        """Blank the screen and release it within a second; may be called twice."""
        if self._worker is not None:
            self._worker.close()

    def _wake(self) -> None:
        if self._worker is not None:
            self._worker.wake()

    def _draw(
        self, snapshot: Snapshot | SelfTestView | None, join: JoinInfo | None, now_ns: int
    ) -> Image.Image:
        if snapshot is None:
            return Image.new("1", self.size)
        if isinstance(snapshot, SelfTestView):
            return draw_selftest(snapshot, self.size, translate=self._translate)
        pages = count_pages(snapshot, self.size, dense=self._dense, translate=self._translate, join=join)
        page = page_at(now_ns - self._since_ns, pages, self._page_ns)
        return draw(snapshot, self.size, page=page, dense=self._dense, translate=self._translate, join=join)

    def _bring(self, now_ns: int) -> int:
        """Draw what is newest; return when a page is due, or the display wants a check."""
        with self._lock:
            snapshot, join = self._snapshot, self._join
        self._panel.show(self._draw(snapshot, join, now_ns), now_ns)
        into_page_ns = (self._clock_ns() - self._since_ns) % self._page_ns
        return self._clock_ns() + min(CHECK_NS, self._page_ns - into_page_ns)


def page_at(elapsed_ns: int, pages: int, page_ns: int) -> int:
    """Return the page to show *elapsed_ns* into a moment with *pages* pages; the first stays twice as long.

    >>> [page_at(second * 10**9, 3, 10**9) for second in range(9)]
    [0, 0, 1, 2, 0, 0, 1, 2, 0]
    """
    return max(0, elapsed_ns // page_ns % (pages + 1) - 1)


def _moment(snapshot: Snapshot | SelfTestView) -> tuple[object, ...]:
    if isinstance(snapshot, SelfTestView):
        return ("self-test",)
    return snapshot.phase, snapshot.seq, snapshot.round_no, snapshot.evening


class Panel:
    """A device that may fail: sends pictures that are new, checks that it is there, and tries again.

    Time is an argument; *report* is called once a failure and once (with None) when it is over.
    """

    def __init__(self, make: DeviceMaker, report: Report) -> None:
        self._kept: Retrying[Device] = Retrying(
            make, lambda device: device.cleanup(), _unreachable, report, failures
        )
        self._sent: bytes | None = None
        self._check_at_ns = 0

    def show(self, image: Image.Image, now_ns: int) -> None:
        """Bring *image* to the device unless it is there already or the device rests after a failure."""
        if not self._kept.open:
            self._sent = None
        self._kept.use(lambda device: self._send(device, image, now_ns), now_ns)

    def close(self) -> None:
        """Blank the device and release it."""
        self._kept.close()

    def _send(self, device: Device, image: Image.Image, now_ns: int) -> None:
        picture = image.tobytes()
        if picture != self._sent:
            device.display(image.convert(device.mode))
            self._sent = picture
        elif now_ns >= self._check_at_ns:
            device.show()
        else:
            return
        self._check_at_ns = now_ns + CHECK_NS


def _unreachable(why: Text | str) -> Text:
    return text("The small screen cannot be reached ({why}). Check its cable; the game goes on.", why=why)
