"""A self-test at work: a source, the outputs and a page around a course. Nothing here judges anything."""

from __future__ import annotations

import os
import platform
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec
from lastnose.companion import __version__
from lastnose.companion.app import Running, log_trouble
from lastnose.companion.app.sources import WiredSource, make_source, open_display, open_outputs
from lastnose.companion.config.settings import (
    SIMULATED,
    Lateness,
    RunSettings,
    device_tree,
    load_calibration,
    machine_name,
    on_a_pi,
    save_calibration,
)
from lastnose.companion.core.errors import BadInput, CompanionError, DeviceError, NotNow, unwritable
from lastnose.companion.core.model import Input
from lastnose.companion.core.ports import Driver, Report, Source, StampWorth
from lastnose.companion.core.text import Text, text
from lastnose.companion.selftest.course import Course
from lastnose.companion.selftest.measurements import OutputWrite
from lastnose.companion.selftest.plan import TestPlan
from lastnose.companion.selftest.report import as_html, as_json
from lastnose.companion.selftest.view import SelfTestView, Word
from lastnose.companion.system import host_clock
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.outputs.worker import as_device_error
from lastnose.hardware.sources.factories import PinFactory, let_go
from lastnose.web.access import Access, open_access

if TYPE_CHECKING:
    from lastnose.hardware.sources.stream import Handed

# ---- The report of a self-test with when, where and on what it was made, and its files.

Form = Literal["html", "json"]
Speak = Callable[[Text], str]

_HEADS: dict[str, Text] = {
    "at": text("Time"),
    "source": text("Source"),
    "serial": text("serial number"),
    "firmware": text("firmware"),
    "machine": text("machine"),
    "version": text("Last Nose"),
    "faults": text("devices"),
}


def about(
    settings: RunSettings, boxes: Sequence[tuple[str, str]], faults: Sequence[Text], speak: Speak
) -> dict[str, str]:
    """Return when, where and with what it is tested now, and what devices complained of.

    Of *boxes* with serial numbers and firmware, or of this machine's pins.
    """
    real = on_a_pi()
    name = device_tree("model") if real else platform.node()
    pins = (device_tree("serial-number") if real and settings.source not in SIMULATED else "", "")
    serial, firmware = (", ".join(dict.fromkeys(one)) for one in zip(*(boxes or (pins,)), strict=True))
    return {
        "at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "source": settings.source,
        "serial": serial,
        "firmware": firmware,
        "machine": f"{name}, {platform.system()} {platform.release()}, Python {platform.python_version()}",
        "version": __version__,
        "faults": " ".join(dict.fromkeys(speak(fault) for fault in faults)),
    }


def written(course: Course, facts: dict[str, str], speak: Speak, language: str) -> dict[Form, bytes]:
    """Return the report for people and for programs."""
    heads = [(_HEADS[key], value) for key, value in facts.items() if value]
    data = msgspec.json.encode(as_json(course, speak, **facts))
    return {
        "html": as_html(course, speak, heads, language).encode(),
        "json": msgspec.json.format(data, indent=2) + b"\n",
    }


def keep(folder: Path, course: Course, facts: dict[str, str], speak: Speak, language: str) -> list[Path]:
    """Write the report into *folder*, named after time and profile; raise BadInput when that fails."""
    profile = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in course.plan.profile)
    stem = f"{facts['at'][:19].replace(':', '-')}-{profile}"
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, content in written(course, facts, speak, language).items():
            paths.append(folder / f"{stem}.{form}")
            paths[-1].write_bytes(content)
    except OSError as error:
        raise BadInput(unwritable(folder, error)) from None
    return paths


def keep_calibration(settings: RunSettings, course: Course, at: str) -> Path | None:
    """Write what *course* has measured into the table's calibration; return its file, None when nothing was.

    Raises BadInput.
    """
    late_ns, lag = course.lag.late_ns, course.lag
    if late_ns is None:
        return None
    lateness = Lateness(machine_name(), lag.load, max(lag.rest_ns, lag.load_ns) / 1_000, late_ns / 1_000)
    known = load_calibration(settings.data_dir, settings.profile.name, settings.source)
    made = msgspec.structs.replace(known, lateness=lateness, at=at, version=__version__)
    return save_calibration(settings.data_dir, made)


_WORK = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


class BusyCores:
    """As many processes as there are cores, from `begin` to `end`; they do not outlive this one."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def going_on(self) -> bool:
        """Whether the machine is being kept busy."""
        return bool(self._processes)

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if not self._processes:
            words = [sys.executable, "-I", "-S", "-c", _WORK]
            self._processes = [  # in a group of their own: Ctrl-C is for the self-test, which ends them
                subprocess.Popen(words, process_group=0) for _ in range(os.cpu_count() or 1)
            ]

    def end(self) -> None:
        """End it and wait for that; may be called twice."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        self._processes = []


TICK_S = 0.05
QUICK_S = 0.002
ANSWER_S = 5.0
Listener = Callable[[SelfTestView], None]
Pulse = Callable[[int], OutputWrite]


class _Said:
    def __init__(self, word: Word) -> None:
        self.word = word
        self.future: Future[SelfTestView] = Future()


class SelfTestRun(Running):
    """A running self-test. `say` may be called from any thread; *listen* hears every view on its own.

    `start` returns the addresses of the page, none with *page* false; `wait` returns when somebody is done.
    """

    def __init__(
        self, settings: RunSettings, plan: TestPlan, *, page: bool = True, listen: Listener | None = None
    ) -> None:
        super().__init__()
        self.settings = settings
        self.plan = plan
        self.course: Course
        self.table: TableThread | None = None
        self.access: Access
        self.driver: Driver | None = None
        self.simulated = False
        self.faults: list[Text] = []
        self._page = page
        self._listen = listen
        self._inbox: queue.SimpleQueue[Input | _Said | None] = queue.SimpleQueue()
        self._show: list[Listener] = []
        self._pulse: Pulse | None = None
        self._handed: Handed | None = None
        self._source: Source | None = None
        self._busy = BusyCores()
        self._alone = False
        self._shown = -1
        self._over = threading.Event()

    @property
    def boxes(self) -> tuple[tuple[str, str], ...]:
        """Serial number and firmware of each box that is listened to."""
        from lastnose.hardware.box.boxes import Boxes

        return self._source.identities() if isinstance(self._source, Boxes) else ()

    @property
    def view(self) -> SelfTestView:
        """The newest view."""
        return self.course.view

    def say(self, word: Word) -> SelfTestView:
        """Do what a person chose; return what is shown then. Raise NotNow when it does not fit."""
        said = _Said(word)
        self._inbox.put(said)
        try:
            return said.future.result(ANSWER_S)
        except TimeoutError:
            raise NotNow(text("The self-test has ended.")) from None

    def report(self, form: Form, speak: Speak, language: str) -> bytes:
        """Return the report as it stands, put into words by *speak*."""
        facts = about(self.settings, self.boxes, self.faults, speak)
        return written(self.course, facts, speak, language)[form]

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is over; return whether it is."""
        return self._over.wait(timeout_s)

    def leave(self) -> None:
        """Let `wait` return."""
        self._over.set()

    def alone(self) -> None:
        """Know that nobody can answer: it ends with the first question that is not about a contact."""
        self._alone = not self._page

    # ---- opening

    def _start(self) -> tuple[str, ...]:
        (source, self.driver, _, self._handed), spares = self._probe()
        self._source = source
        self._stack.callback(source.close)
        self.simulated = source.simulated
        if not spares:
            self.plan = msgspec.structs.replace(self.plan, spares=())
        self.course = Course(self.plan, host_clock.now_ns(), simulated=self.simulated)
        urls = self._start_table()
        self._start_outputs()
        thread = threading.Thread(target=self._run, name="self-test", daemon=True)
        thread.start()
        self._stack.callback(thread.join, 2)
        self._stack.callback(self._inbox.put, None)
        return urls

    def _probe(self) -> tuple[WiredSource, bool]:
        """Start the source with the free pins, or without them when somebody has one of those."""
        spares = {one.line: int(one.line.partition(".")[2]) for one in self.plan.spares}
        while True:
            wired = make_source(self.settings, None, lambda _: None, spares)
            try:
                wired.source.start(self._inbox.put, self._reporter("source"))
            except DeviceError:
                wired.source.close()
                if not spares:
                    raise
                spares = {}
            else:
                return wired, bool(spares)

    def _start_table(self) -> tuple[str, ...]:
        """Start a table without an evening, for the page, and the page itself."""
        settings = self.settings
        self.access = open_access(settings.data_dir, lan=settings.lan, now_s=time.monotonic)
        table = Table(MemoryStore(), settings.noses, simulated=self.simulated)
        self.table = TableThread(table, driver=self.driver, profile_name=settings.profile.name)
        self.table.start()
        self._stack.callback(self.table.stop)
        display = open_display(self.settings, self._reporter, self._stack)
        self._show.append(display.show)
        if not self._page:
            return ()
        from lastnose.web.server.server import Server

        server = Server(self.table, self.access, port=settings.port, screen=display, selftest=self)
        self._stack.callback(server.stop)
        return server.start()

    def _start_outputs(self) -> None:
        """Start lamps, buzzer and the output of a measurement, where there are any."""
        view, simulated = self.course.view, self.simulated
        show, _ = open_outputs(self.settings, self._reporter, self._stack, view, simulated=simulated)
        self._show.append(show)
        if self.plan.wired is not None:
            pin, lines = self.plan.wired
            pulse = make_pulse(pin, self.driver, lines)
            self._stack.callback(pulse.close)
            self._stack.callback(self._busy.end)
            self._pulse = pulse.write

    def _reporter(self, name: str) -> Report:
        """Return how the device *name* tells its trouble, which is kept for the report."""

        def report(says: Text | None) -> None:
            log_trouble(name, says, self.settings.language)
            if says is not None:
                self.faults.append(says)
            if self.table is not None:
                self.table.reporter(name)(says)

        return report

    # ---- at work

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._over.set()

    def _work(self) -> None:
        while True:
            try:
                item = self._inbox.get(
                    timeout=QUICK_S if self._pulse and self.view.step == "wired" else TICK_S
                )
            except queue.Empty:
                pass
            else:
                if item is None:
                    return
                self._feed(item)
            self._tick()

    def _feed(self, item: Input | _Said) -> None:
        if not isinstance(item, _Said):
            self.course.feed(item)
            return
        try:
            self.course.say(item.word)
        except CompanionError as problem:
            item.future.set_exception(problem)
        else:
            item.future.set_result(self.course.view)

    def _tick(self) -> None:
        """Let time pass, move the output if that is due, and show what is new."""
        self.course.advance(host_clock.now_ns())
        if self._handed is not None:
            self.course.handed(self._handed.events, self._handed.most_ns)
        if self.course.wants_load:
            self._busy.begin()
        elif self._busy.going_on:
            self._busy.end()
        level = self.course.wants_write
        if level is not None and self._pulse is not None:
            self.course.wrote(self._pulse(level))
        view = self.course.view
        if view.version != self._shown:
            self._shown = view.version
            for show in self._show:
                show(view)
            if self._listen is not None:
                self._listen(view)
        measured = self.plan.measured_only and view.step == "done"
        unheard = self._alone and view.step in ("lamps", "screen", "sounds", "done")
        if self.course.left or measured or unheard:
            self._over.set()


# ---- An output that is wired to an input, to measure how sure stamps are; simulated as well.

PRETEND_LATE_NS = 20_000


class WiredOutput(Protocol):
    """What moves lines and says when."""

    def write(self, level: int) -> OutputWrite:
        """Make the lines read *level* (active low: 1 pulls them down); return when that was."""

    def close(self) -> None:
        """Release the pin."""


class RealPulse:
    """A wired output through gpiozero. The clock is read right before and right after the write."""

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
    """A simulated one: the lines change 20 µs after the write."""

    def __init__(self, driver: Driver, lines: Sequence[str]) -> None:
        self._driver = driver
        self._lines = tuple(lines)

    def write(self, level: int) -> OutputWrite:
        before_ns = host_clock.now_ns()
        for line in self._lines:
            self._driver.drive(line, level, before_ns + PRETEND_LATE_NS, StampWorth(1_000))
        return OutputWrite(level, before_ns, host_clock.now_ns())

    def close(self) -> None:
        """Do nothing."""


def make_pulse(pin: int, driver: Driver | None, lines: Sequence[str]) -> WiredOutput:
    """Return what moves *lines*: *pin*, or the *driver* of simulated lines; raise DeviceError."""
    if driver is not None:
        return PretendPulse(driver, lines)
    try:
        return RealPulse(pin, real_factory())
    except DeviceError as error:
        raise DeviceError(text("{what}: {says}", what=f"GPIO{pin}", says=error.text)) from error
