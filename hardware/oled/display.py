"""Shows the latest snapshot on an OLED, in a thread of its own; a display that fails is reported and retried.

`show` never blocks: the latest snapshot wins. What has not changed is not sent again. `png` is drawn when
it is asked for and never carries PIN or QR. With the driver "none" there is no thread, and `png` is all.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable

from PIL import Image

from companion.core.ports import JoinInfo, Report
from companion.core.text import Text, text
from companion.selftest.view import SelfTestView
from companion.system import host_clock
from companion.views.snapshot import Snapshot
from companion.wiring.profile import OledSettings
from hardware.oled import selftest_pages
from hardware.oled.luma_device import Device, DeviceMaker, failures, maker
from hardware.oled.scene import Translate
from hardware.oled.screens import count_pages, draw
from hardware.outputs.retrying import SECOND_NS, Retrying
from hardware.outputs.worker import Worker

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
            return selftest_pages.draw(snapshot, self.size, translate=self._translate)
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
