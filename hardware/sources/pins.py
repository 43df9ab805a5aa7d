"""Pins through gpiozero, whatever pin factory is configured; `watch` says what their edges are worth."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Input
from lastnose.companion.core.ports import Emit, Report
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.hardware.sources.factories import (
    FactoryMaker,
    GpioPin,
    Stamping,
    factory_maker,
    is_mock,
    open_factory,
    stamping_of,
    wrong_factory,
)
from lastnose.hardware.sources.stream import LATE_NS, Backlog, Handed, Stream, Threaded

KERNEL_BUFFER_EVENTS = 16
IDLE_NS, QUICK_NS = 50_000_000, 4_000_000
QUICK_FOR_NS = 40_000_000
SAMPLE_IDLE_NS = 5_000_000
SAMPLE_FOR_NS = 5_000_000_000
# No touch of a nose is shorter; what is, and was not seen, was a glitch.
TOUCH_NS = 10_000_000
DELAY_MOST_NS = 300_000_000
LATENESS_FOR_NS = 10_000_000_000
STUCK_NS = 2_000_000_000


class _Line:
    """What is known of one line: what was told of it, and when it was last seen at either level.

    `told` is what the table believes, `called` what the last callback said: the lines are read after a loss.
    """

    def __init__(self, pin: GpioPin, start_ns: int) -> None:
        self.pin = pin
        self.told = self.called = level_of(pin.state)
        self.edge_ns = start_ns
        self.matched_ns = start_ns
        self.seen_ns = [start_ns, start_ns]
        self.read_ns = start_ns
        self.blind: tuple[int, int] | None = None
        self.backlog = Backlog(KERNEL_BUFFER_EVENTS, start_ns)

    def read(self, level: int, at_ns: int) -> None:
        """Note that the line was seen at *level*, and whether a whole touch may have gone unseen before."""
        if at_ns - self.read_ns > TOUCH_NS:
            self.blind = (self.blind[0] if self.blind else self.read_ns, at_ns)
        self.read_ns = max(at_ns, self.read_ns)
        self.seen_ns[level] = max(at_ns, self.seen_ns[level])


class Watch:
    """Turn the callbacks of pins into inputs, sent to *emit*.

    The library calls `changed` from its thread; ours calls `scan` every `pause_ns`. *u_ns* is the error of a
    kernel stamp and the least error of any other. *delay_ns* is the longest that both edges of a press may
    wait for their callbacks; when callbacks were lately slow, it is more. *sample_ns* is how often to scan
    where stamps are software; *late_ns* how late an interrupt thread may be.
    """

    def __init__(
        self,
        source: str,
        stamping: Stamping,
        emit: Emit,
        clock: Callable[[], int],
        *,
        u_ns: int,
        delay_ns: int,
        sample_ns: int,
        late_ns: int = LATE_NS,
        handed: Handed | None = None,
    ) -> None:
        self.woken = threading.Event()
        self._source = source
        self._stamping = stamping
        self._emit = emit
        self._clock = clock
        self._u_ns = u_ns
        self._delay_ns = delay_ns
        self._sample_ns = sample_ns
        self._thread_ns = late_ns
        self._handed = handed or Handed()
        self._lock = threading.Lock()
        self._lines: dict[str, _Line] = {}
        self._stream = Stream(source)
        self._edge_ns: int | None = None
        self._late_ns = 0
        self._late_at_ns = 0
        self._quiet_ns = clock() - IDLE_NS

    def add(self, pins: Mapping[str, GpioPin]) -> None:
        """Watch *pins*, in place of those before; they must be inputs by now."""
        start_ns = self._clock()
        self._lines = {name: _Line(pin, start_ns) for name, pin in pins.items()}

    def changed(self, name: str, ticks: float, state: object) -> None:
        """Take an edge of line *name*: the factory's time of it and the pin's state, high or low."""
        handed_ns = self._clock()
        level = level_of(state)
        t_ns = handed_ns if self._stamping is Stamping.OURS else round(ticks * 1e9)
        line = self._lines[name]
        with self._lock:
            if self._stamping is Stamping.KERNEL:
                self._handed.note(handed_ns - t_ns)
                hole = line.backlog.take(t_ns, handed_ns)
                # Without numbers nobody sees that an edge took the place of another: it may always have.
                late_ns = max(0, min(t_ns - line.edge_ns, self._thread_ns))
                u_ns = self._u_ns + late_ns
                edge = Edge(t_ns, self._source, name, level, u_ns, contact_u_ns=late_ns)
                self._learn_lateness(handed_ns - t_ns, handed_ns)
            else:
                from_ns, hole = _since(line, level, t_ns)
                u_ns = (t_ns - from_ns + 1) // 2
                sure_ns = max(self._u_ns, u_ns) + host_clock.BEHIND_NS
                edge = Edge(t_ns - u_ns, self._source, name, level, sure_ns)
                self._learn_lateness(2 * u_ns, handed_ns)
            line.told = line.called = level
            line.edge_ns = self._edge_ns = t_ns
            if hole is not None:
                self._send(self._stream.lost(*hole))
            self._send(self._stream.edge(edge))
        self.woken.set()

    def _learn_lateness(self, late_ns: int, now_ns: int) -> None:
        """Remember how late callbacks have lately been."""
        if late_ns >= self._late_ns or now_ns - self._late_at_ns > LATENESS_FOR_NS:
            self._late_ns, self._late_at_ns = late_ns, now_ns

    def _delay_now_ns(self, now_ns: int) -> int:
        """Return how much to leave for callbacks that are on their way: twice what they lately took."""
        lately = now_ns - self._late_at_ns < LATENESS_FOR_NS
        return max(self._delay_ns, min(2 * self._late_ns, DELAY_MOST_NS) if lately else 0)

    def scan(self) -> None:
        """Read every line. While all are as they were told, nothing that happened before is still coming."""
        from_ns = self._clock()
        levels: dict[str, int] = {}
        for name, line in self._lines.items():
            levels[name] = level = level_of(line.pin.state)
            line.read(level, from_ns)
            if line.told == level:
                line.matched_ns = from_ns
        to_ns = self._clock()
        with self._lock:
            self._give_up_waiting(to_ns)
            if self._stream.wants_levels:
                self._stream.levels(levels, from_ns, to_ns)
                for name, line in self._lines.items():
                    line.told = levels[name]
            if to_ns - self._quiet_ns >= self._promise_every_ns():
                self._quiet_ns = to_ns
                matched_ns = min((line.matched_ns for line in self._lines.values()), default=from_ns)
                self._send(self._stream.quiet(matched_ns - self._delay_now_ns(to_ns)))

    def away(self) -> None:
        """Say that the pins do not answer: whatever happens meanwhile is lost."""
        self._send_lost(self._stream.outage)

    def back(self) -> None:
        """Say that the pins answer again: what happened up to now is lost."""
        self._send_lost(self._stream.lost)

    def _send_lost(self, lost: Callable[[int, int], list[Input]]) -> None:
        with self._lock:
            now_ns = self._clock()
            promised_ns = self._stream.promised_ns
            self._send(lost(now_ns if promised_ns is None else promised_ns, now_ns))

    def pause_ns(self) -> int:
        """Return how long the next scan may wait."""
        if self._stamping is Stamping.KERNEL:
            return self._promise_every_ns()
        lately = self._edge_ns is not None and self._clock() < self._edge_ns + SAMPLE_FOR_NS
        return self._sample_ns if lately else SAMPLE_IDLE_NS

    def rests(self) -> bool:
        """Return whether an edge is to end the pause: nothing has been touched for a while."""
        return self._stamping is Stamping.KERNEL and self._promise_every_ns() == IDLE_NS

    def _promise_every_ns(self) -> int:
        """Return how long the next promise may wait: not long until the verdict on an edge is out."""
        promised_ns = self._stream.promised_ns
        settled = promised_ns is not None and (
            self._edge_ns is None or promised_ns > self._edge_ns + QUICK_FOR_NS
        )
        return IDLE_NS if settled and not self._stream.wants_levels else QUICK_NS

    def _give_up_waiting(self, now_ns: int) -> None:
        """Take an edge for lost when its line has long been other than it was told."""
        for line in self._lines.values():
            if now_ns - line.matched_ns > STUCK_NS:
                self._send(self._stream.lost(line.matched_ns, now_ns))
                line.matched_ns = now_ns

    def _send(self, items: list[Input]) -> None:
        for item in items:
            self._emit(item)


def level_of(state: object) -> int:
    """Return the level of a line that is active when low."""
    return 0 if state else 1


def _since(line: _Line, level: int, t_ns: int) -> tuple[int, tuple[int, int] | None]:
    """Return since when an edge called at *t_ns* may have happened, and when a touch was missed.

    A level told twice: both callbacks of a pulse saw its end, and the pulse may have been a whole touch if
    nobody looked for so long.
    """
    otherwise_ns = line.seen_ns[1 - level]
    line.read(level, t_ns)
    blind, line.blind = line.blind, None
    if level != line.called:
        return otherwise_ns, None
    return max(line.edge_ns, t_ns - TOUCH_NS), blind


KERNEL_U_NS = 10_000
DELAY_NS = 20_000_000
SAMPLE_NS = 2_000_000
RETRY_S, RETRY_MOST_S = 0.5, 5.0


class PinSource(Threaded):
    """Buttons from a pin to ground through a gpiozero factory; keeps the `Source` port.

    *lines* maps a line's name to its BCM number. *factory* is `lgpio`, `rpigpio`, a callable that returns a
    factory, or None for the one gpiozero is set to use; *stamping* says how a factory stamps that we do
    not know. *u_ns* is the least error declared of a stamp: 10 µs for the kernel's; a software stamp
    declares half the time since its line was last seen otherwise. *late_ns* is how late an interrupt
    thread may be (5 ms until measured), which a kernel's stamp declares too, as nothing here shows merged
    edges. *delay_ns* is the longest that a press and its release may wait for their callbacks unnoticed.
    Where stamps are software the lines are read every `SAMPLE_NS`, for some seconds after an edge; when
    nobody touches anything, every 5 ms will do.
    """

    simulated = False

    def __init__(
        self,
        lines: Mapping[str, int],
        factory: str | FactoryMaker | None = None,
        *,
        name: str = "pins",
        u_ns: int | None = None,
        late_ns: int | None = None,
        delay_ns: int = DELAY_NS,
        stamping: Stamping | None = None,
        clock: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        super().__init__(name)
        self._numbers = dict(lines)
        self._make = factory if callable(factory) else factory_maker(factory)
        self._u_ns = u_ns
        self._late_ns = LATE_NS if late_ns is None else late_ns
        self._delay_ns = delay_ns
        self._stamping = stamping
        self._clock = clock
        self.handed = Handed()
        self._factory: Any = None
        self._pins: dict[str, GpioPin] = {}
        # A pin keeps only a weak reference to its handler.
        self._handlers: list[Callable[[float, Any], None]] = []

    def start(self, emit: Emit, report: Report) -> None:
        """Take the pins and begin; raise DeviceError when they cannot be had."""
        self._claim()
        stamping = self._stamping or stamping_of(self._factory)
        watch = Watch(
            self.name,
            stamping,
            emit,
            self._clock,
            u_ns=self._u_ns if self._u_ns is not None else KERNEL_U_NS if stamping is Stamping.KERNEL else 0,
            delay_ns=self._delay_ns,
            sample_ns=SAMPLE_NS,
            late_ns=self._late_ns,
            handed=self.handed,
        )
        self._listen(watch)
        self._spawn(self._run, watch, report)

    def close(self) -> None:
        """Release the pins."""
        super().close()
        self._release()

    def _run(self, watch: Watch, report: Report) -> None:
        while not self._closing.is_set():
            try:
                watch.scan()
            except Exception as error:  # the libraries have no common base for "gone"
                report(_gone(error))
                if not self._reopen(watch):
                    return
                report(None)
            if watch.rests():
                watch.woken.wait(watch.pause_ns() / 1e9)
            else:
                self._closing.wait(watch.pause_ns() / 1e9)
            watch.woken.clear()

    def _reopen(self, watch: Watch) -> bool:
        """Try until the pins are back; return False when the source was closed meanwhile."""
        wait_s = RETRY_S
        while not self._closing.wait(wait_s):
            try:
                self._release()
                self._claim()
                self._listen(watch)
            except Exception:  # still gone; the first report stands until it is back
                watch.away()
                wait_s = min(wait_s * 2, RETRY_MOST_S)
            else:
                watch.back()
                return True
        return False

    def _claim(self) -> None:
        """Open the factory and make every line an input with its pull-up."""
        self._factory = open_factory(self._make)
        if is_mock(self._factory) and not self.simulated:
            raise DeviceError(wrong_factory("mock"))
        for line, number in self._numbers.items():
            try:
                pin = self._pin(number)
                pin.function = "input"
                pin.pull = "up"
                pin.bounce = None
            except Exception as error:  # the libraries have no common base for "taken"
                self._release()
                raise _taken(line, number, error) from error
            self._pins[line] = pin

    def _listen(self, watch: Watch) -> None:
        """Let every pin tell *watch* of its edges."""
        watch.add(self._pins)
        for line, pin in self._pins.items():
            try:
                self._hear(pin, partial(watch.changed, line))
            except Exception as error:  # as above: some libraries take the line only now
                self._release()
                raise _taken(line, self._numbers[line], error) from error

    def _hear(self, pin: GpioPin, handler: Callable[[float, Any], None]) -> None:
        self._handlers.append(handler)
        pin.when_changed = handler

    def _pin(self, number: int) -> GpioPin:
        pin: GpioPin = self._factory.pin(number)
        return pin

    def _release(self) -> None:
        pins, self._pins = self._pins, {}
        for pin in pins.values():
            pin.when_changed = None
        self._handlers.clear()
        factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()


def _why(error: Exception) -> str:
    return str(error).strip("'") or type(error).__name__


def _taken(line: str, number: int, error: Exception) -> DeviceError:
    return DeviceError(
        text(
            "GPIO{pin} ({line}) is in use: {why}. Stop that program (is a second Last Nose running?), "
            "then try again.",
            pin=number,
            line=line,
            why=_why(error),
        )
    )


def _gone(error: Exception) -> Text:
    return text(
        "The pins stopped answering ({why}). Trying again; this round may not count.", why=_why(error)
    )
