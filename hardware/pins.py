"""Pins through gpiozero, whatever pin factory is configured: edges with honest errors, promises that hold.

lgpio brings the kernel's stamp along. A level told twice means that an edge took the place of another before
the kernel had looked: its stamp may be late by as much. RPi.GPIO and what else there may be stamp in a Python
callback, so the lines are also read all the time: an edge happened after its line was last seen otherwise,
and not after its callback began. That time is its declared error.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import DeviceError
from companion.model import Edge, Input
from companion.ports import Emit, Report
from companion.text import Text, text
from hardware.factories import FactoryMaker, Stamping, factory_maker, is_mock, open_factory, stamping_of
from hardware.stream import SWALLOW_NS, Backlog, Stream

KERNEL_U_NS = 10_000
KERNEL_BUFFER_EVENTS = 16
DELAY_NS = 20_000_000
SAMPLE_NS, SAMPLE_IDLE_NS = 2_000_000, 20_000_000
SAMPLE_FOR_NS = 5_000_000_000
IDLE_NS, QUICK_NS = 50_000_000, 2_000_000
QUICK_FOR_NS = 40_000_000
GLITCH_NS = 1_000_000
STUCK_NS = 500_000_000
RETRY_S = 0.5


class _Line:
    """What is known of one line: the level last told, and when it was last seen at either level."""

    def __init__(self, pin: Any, start_ns: int) -> None:
        self.pin = pin
        self.told = 0
        self.matched_ns = start_ns
        self.edge_ns = start_ns
        self.seen_ns = [start_ns, start_ns]
        self.backlog = Backlog(KERNEL_BUFFER_EVENTS, start_ns)
        self.handler: Callable[[float, Any], None] | None = None


class Pins:
    """Buttons from a pin to ground through a gpiozero factory; keeps the `Source` port.

    *lines* maps a line's name to its BCM number. *factory* is `lgpio`, `rpigpio`, a callable that returns a
    factory, or None for the one gpiozero is set to use. *u_ns* is the least error declared of a stamp: 10 µs
    for lgpio; a software stamp declares the time since its line was last seen otherwise, at least *u_ns*.
    *delay_ns* is the longest that a press and its release may wait for their callbacks unnoticed.
    *sample_ns* is how often the lines are read where stamps are software, for some seconds after an edge;
    when nobody has touched anything for a while, every 20 ms will do.
    """

    simulated = False

    def __init__(
        self,
        lines: Mapping[str, int],
        factory: str | FactoryMaker | None = None,
        *,
        name: str = "pins",
        u_ns: int | None = None,
        delay_ns: int = DELAY_NS,
        sample_ns: int = SAMPLE_NS,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.name = name
        self._numbers = dict(lines)
        self._make = factory if callable(factory) else factory_maker(factory)
        self._u_ns = u_ns
        self._delay_ns = delay_ns
        self._sample_ns = sample_ns
        self._clock = clock
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._factory: Any = None
        self._lines: dict[str, _Line] = {}
        self._stream = Stream(name)
        self._stamping = Stamping.OURS
        self._emit: Emit = _nowhere
        self._started_ns = 0
        self._edge_ns: int | None = None
        self._quiet_ns = 0

    def start(self, emit: Emit, report: Report) -> None:
        """Take the pins and begin; raise DeviceError when they cannot be had."""
        self._emit = emit
        self._claim()
        self._thread = threading.Thread(
            target=self._run, args=(report,), name=f"source-{self.name}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Release the pins."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(0.5)
        self._release()

    # Pins

    def _claim(self) -> None:
        self._factory = open_factory(self._make)
        if is_mock(self._factory) and not self.simulated:
            raise DeviceError(
                text("gpiozero is set to simulated pins. If that is what you want, say --source mock.")
            )
        self._stamping = stamping_of(self._factory)
        self._started_ns = self._clock()
        for line, number in self._numbers.items():
            try:
                self._lines[line] = self._take_line(line, number)
            except Exception as error:  # the libraries have no common base for "taken"
                self._release()
                raise DeviceError(
                    text(
                        "GPIO{pin} ({line}) cannot be had: {why}. Stop what else uses it "
                        "(is a second Last Nose running?), then try again.",
                        pin=number,
                        line=line,
                        why=str(error) or type(error).__name__,
                    )
                ) from error

    def _take_line(self, line: str, number: int) -> _Line:
        known = _Line(self._pin(number), self._clock())
        known.pin.function = "input"
        known.pin.pull = "up"
        known.pin.bounce = None
        known.told = _active(known.pin.state)
        # The pin keeps only a weak reference to its handler.
        known.handler = lambda ticks, state: self._changed(line, known, ticks, state)
        known.pin.when_changed = known.handler
        return known

    def _pin(self, number: int) -> Any:
        return self._factory.pin(number)

    def _release(self) -> None:
        lines, self._lines = self._lines, {}
        for line in lines.values():
            line.pin.when_changed = None
        factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()

    # Edges, on the library's thread

    def _changed(self, name: str, line: _Line, ticks: float, state: Any) -> None:
        handed_ns = self._clock()
        level = _active(state)
        kernel = self._stamping is Stamping.KERNEL
        t_ns = handed_ns if self._stamping is Stamping.OURS else round(ticks * 1e9)
        with self._lock:
            if kernel:
                hole = line.backlog.take(t_ns, handed_ns)
                u_ns = KERNEL_U_NS if self._u_ns is None else self._u_ns
                if level == line.told:
                    u_ns += min(t_ns - line.edge_ns, SWALLOW_NS)
            else:
                hole = _hidden(line, level, t_ns)
                before = 1 - level if level != line.told else level
                u_ns = max(self._u_ns or 0, t_ns - line.seen_ns[before])
                line.seen_ns[level] = t_ns
            line.told, line.edge_ns = level, t_ns
            self._edge_ns = t_ns
            if hole is not None:
                self._send(self._stream.lost(*hole))
            self._send(self._stream.edge(Edge(t_ns, self.name, name, level, u_ns)))
        self._wake.set()

    def _send(self, items: list[Input]) -> None:
        for item in items:
            self._emit(item)

    # Promises, on a thread of our own

    def _run(self, report: Report) -> None:
        while not self._closing.is_set():
            try:
                self._scan()
            except Exception as error:  # the libraries have no common base for "gone"
                report(_gone(error))
                if not self._reopen():
                    return
                report(None)
            self._pause()

    def _pause(self) -> None:
        """Wait until the lines are to be read again; where stamps are software, that is all the time."""
        if self._stamping is Stamping.KERNEL:
            self._wake.clear()
            every_ns = self._promise_every_ns()
            self._wake.wait(every_ns / 1e9) if every_ns == IDLE_NS else self._closing.wait(every_ns / 1e9)
        else:
            lately = self._edge_ns is not None and self._clock() < self._edge_ns + SAMPLE_FOR_NS
            self._closing.wait((self._sample_ns if lately else SAMPLE_IDLE_NS) / 1e9)

    def _scan(self) -> None:
        """Read every line. While all are as they were told, nothing that happened before is still coming."""
        from_ns = self._clock()
        levels: dict[str, int] = {}
        for name, line in self._lines.items():
            at_ns = self._clock()
            levels[name] = level = _active(line.pin.state)
            line.seen_ns[level] = max(at_ns, line.seen_ns[level])
            if line.told == level:
                line.matched_ns = at_ns
        to_ns = self._clock()
        with self._lock:
            self._give_up_waiting(to_ns)
            if self._stream.wants_levels:
                self._stream.levels(levels, from_ns, to_ns)
                for name, line in self._lines.items():
                    line.told = levels[name]
            if to_ns - self._quiet_ns >= self._promise_every_ns():
                self._quiet_ns = to_ns
                self._send(self._stream.quiet(self._matched_ns() - self._delay_ns))

    def _matched_ns(self) -> int:
        return min((line.matched_ns for line in self._lines.values()), default=self._started_ns)

    def _give_up_waiting(self, now_ns: int) -> None:
        """Take an edge for lost when its line has long been other than it was told."""
        for line in self._lines.values():
            if now_ns - line.matched_ns > STUCK_NS:
                self._send(self._stream.lost(line.matched_ns, now_ns))
                line.matched_ns = now_ns

    def _promise_every_ns(self) -> int:
        """Return how long the next promise may wait: not long until the verdict on an edge is out."""
        promised_ns = self._stream.promised_ns
        settled = promised_ns is not None and (
            self._edge_ns is None or promised_ns > self._edge_ns + QUICK_FOR_NS
        )
        return IDLE_NS if settled and not self._stream.wants_levels else QUICK_NS

    def _reopen(self) -> bool:
        """Try until the pins are back; return False when the source was closed meanwhile."""
        wait_s = RETRY_S
        while not self._closing.wait(wait_s):
            with self._lock:
                now_ns = self._clock()
                self._send(self._stream.outage(self._stream.promised_ns or now_ns, now_ns))
            try:
                self._release()
                self._claim()
            except Exception:  # still gone; the first report stands until it is back
                wait_s = min(wait_s * 2, 5.0)
            else:
                return True
        return False


def _active(state: Any) -> int:
    """Return the level of a line that is active when low."""
    return 0 if state else 1


def _hidden(line: _Line, level: int, t_ns: int) -> tuple[int, int] | None:
    """Return when a pulse that may have been a press was missed: both its callbacks saw its end."""
    seen_ns = line.seen_ns[level]
    return (seen_ns, t_ns) if level == line.told and t_ns - seen_ns > GLITCH_NS else None


def _gone(error: Exception) -> Text:
    why = str(error) or type(error).__name__
    return text("The pins stopped answering ({why}). Trying again; this round may not count.", why=why)


def _nowhere(_: Input) -> None:
    raise RuntimeError("the source has not been started")
