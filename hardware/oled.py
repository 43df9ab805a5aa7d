"""Shows the latest snapshot on an OLED, in a thread of its own; a display that fails is reported and retried.

`show` never blocks: the latest snapshot wins. What has not changed is not sent again. `png` is drawn when
it is asked for and never carries PIN or QR. With the driver "none" there is no thread, and `png` is all.
"""

from __future__ import annotations

import contextlib
import io
import threading
import time
from collections.abc import Callable

from PIL import Image

from companion.errors import CompanionError
from companion.ports import Report
from companion.profile import OledSettings
from companion.snapshot import Snapshot
from companion.text import text
from hardware.luma_device import Device, DeviceMaker, failures, maker
from hardware.scene import Translate
from hardware.screens import JoinInfo, count_pages, draw

SECOND_NS = 1_000_000_000
CHECK_NS = SECOND_NS
FIRST_RETRY_NS = SECOND_NS
LONGEST_RETRY_NS = 8 * SECOND_NS
CLOSE_S = 1.0


class Oled:
    """The display of a table (companion.ports.Display).

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
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        turned = settings.rotate % 2 == 1
        self.size = (settings.height, settings.width) if turned else (settings.width, settings.height)
        self._dense = settings.dense
        self._page_ns = round(settings.page_s * SECOND_NS)
        self._translate = translate
        self._report = report
        self._clock_ns = clock_ns
        self._wake = threading.Condition()
        self._snapshot: Snapshot | None = None
        self._join: JoinInfo | None = None
        self._since_ns = 0
        self._changed = False
        self._closed = False
        self._panel: Panel | None = None
        self._thread: threading.Thread | None = None
        make = make_device if make_device is not None else maker(settings)
        if make is not None:
            self._panel = Panel(make, report)
            self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
            self._thread.start()

    def show(self, snapshot: object) -> None:
        """Show *snapshot* soon; a new moment of the game begins at its first page."""
        assert isinstance(snapshot, Snapshot)
        with self._wake:
            if self._snapshot is None or _moment(snapshot) != _moment(self._snapshot):
                self._since_ns = self._clock_ns()
            self._snapshot = snapshot
            self._changed = True
            self._wake.notify()

    def join(self, join: JoinInfo | None) -> None:
        """Tell the set-up screen how phones find the table; with a QR code it shows one."""
        with self._wake:
            self._join = join
            self._changed = True
            self._wake.notify()

    def png(self) -> bytes:
        """Return what is shown now as a PNG, without PIN and QR."""
        with self._wake:
            snapshot, join = self._snapshot, self._join
        image = self._draw(snapshot, None if join is None else join.public(), self._clock_ns())
        stream = io.BytesIO()
        image.save(stream, "PNG", optimize=True)
        return stream.getvalue()

    def close(self) -> None:
        """Blank the screen and release it within a second; may be called twice."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _draw(self, snapshot: Snapshot | None, join: JoinInfo | None, now_ns: int) -> Image.Image:
        if snapshot is None:
            return Image.new("1", self.size)
        pages = count_pages(snapshot, self.size, dense=self._dense, translate=self._translate, join=join)
        page = page_at(now_ns - self._since_ns, pages, self._page_ns)
        return draw(snapshot, self.size, page=page, dense=self._dense, translate=self._translate, join=join)

    def _run(self) -> None:
        """Draw whatever is newest, whenever it changes, a page is due, or the display wants a check."""
        assert self._panel is not None
        while True:
            with self._wake:
                if not self._changed and not self._closed:
                    self._wake.wait(self._pause_s())
                if self._closed:
                    break
                snapshot, join, self._changed = self._snapshot, self._join, False
            now_ns = self._clock_ns()
            self._panel.show(self._draw(snapshot, join, now_ns), now_ns)
        self._panel.close()

    def _pause_s(self) -> float:
        """Return how long nothing will change by itself."""
        into_page = (self._clock_ns() - self._since_ns) % self._page_ns
        return min(CHECK_NS, self._page_ns - into_page) / SECOND_NS


def page_at(elapsed_ns: int, pages: int, page_ns: int) -> int:
    """Return the page to show *elapsed_ns* into a moment with *pages* pages; the first stays twice as long.

    >>> [page_at(second * 10**9, 3, 10**9) for second in range(9)]
    [0, 0, 1, 2, 0, 0, 1, 2, 0]
    """
    return max(0, elapsed_ns // page_ns % (pages + 1) - 1)


def _moment(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.phase, snapshot.seq, snapshot.round_no, snapshot.evening


class Panel:
    """A device that may fail: sends pictures that are new, checks that it is there, and tries again.

    Time is an argument; *report* is called once a failure and once (with None) when it is over.
    """

    def __init__(self, make: DeviceMaker, report: Report) -> None:
        self._make = make
        self._report = report
        self._device: Device | None = None
        self._sent: bytes | None = None
        self._said: str | None = None
        self._check_at_ns = 0
        self._retry_at_ns: int | None = None
        self._retry_ns = FIRST_RETRY_NS

    def show(self, image: Image.Image, now_ns: int) -> None:
        """Bring *image* to the device unless it is there already or the device rests after a failure."""
        if self._device is None and self._retry_at_ns is not None and now_ns < self._retry_at_ns:
            return
        try:
            self._send(image, now_ns)
        except failures() as error:
            self._fail(error, now_ns)
            return
        if self._said is not None:
            self._said = None
            self._report(None)
        self._retry_ns, self._retry_at_ns = FIRST_RETRY_NS, None

    def close(self) -> None:
        """Blank the device and release it."""
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(*failures()):
                device.cleanup()

    def _send(self, image: Image.Image, now_ns: int) -> None:
        if self._device is None:
            self._device = self._make()
            self._sent = None
        picture = image.tobytes()
        if picture != self._sent:
            self._device.display(image.convert(self._device.mode))
            self._sent = picture
        elif now_ns >= self._check_at_ns:
            self._device.show()
        else:
            return
        self._check_at_ns = now_ns + CHECK_NS

    def _fail(self, error: Exception, now_ns: int) -> None:
        self.close()
        self._retry_at_ns = now_ns + self._retry_ns
        self._retry_ns = min(2 * self._retry_ns, LONGEST_RETRY_NS)
        why = error.text if isinstance(error, CompanionError) else str(error) or type(error).__name__
        if str(why) != self._said:
            self._said = str(why)
            self._report(
                text(
                    "The small screen cannot be reached ({why}). Check its cable; the game goes on.", why=why
                )
            )


def time_rendering(snapshot: Snapshot, *, times: int = 200, size: tuple[int, int] = (128, 64)) -> list[int]:
    """Return how long each of *times* drawings of *snapshot* took, in nanoseconds; its pages take turns."""
    pages = count_pages(snapshot, size)
    taken = []
    for turn in range(times):
        start = time.perf_counter_ns()
        draw(snapshot, size, page=turn % pages)
        taken.append(time.perf_counter_ns() - start)
    return taken
