"""Pins through gpiozero, whatever pin factory is configured; `watch` says what their edges are worth."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from companion.core.errors import DeviceError
from companion.core.ports import Emit, Report
from companion.core.text import Text, text
from companion.system import host_clock
from hardware.sources.factories import (
    FactoryMaker,
    GpioPin,
    Stamping,
    factory_maker,
    is_mock,
    open_factory,
    stamping_of,
)
from hardware.sources.pin_stream import Watch
from hardware.sources.stream import LATE_NS, Handed

KERNEL_U_NS = 10_000
DELAY_NS = 20_000_000
SAMPLE_NS = 2_000_000
RETRY_S, RETRY_MOST_S = 0.5, 5.0


class PinSource:
    """Buttons from a pin to ground through a gpiozero factory; keeps the `Source` port.

    *lines* maps a line's name to its BCM number. *factory* is `lgpio`, `rpigpio`, a callable that returns a
    factory, or None for the one gpiozero is set to use; *stamping* says how a factory stamps that we do
    not know. *u_ns* is the least error declared of a stamp: 10 µs for the kernel's; a software stamp
    declares half the time since its line was last seen otherwise. *late_ns* is how late an interrupt
    thread may be (5 ms until measured), which a kernel's stamp declares too, as nothing here shows merged
    edges. *delay_ns* is the longest that a press and its release may wait for their callbacks unnoticed.
    *sample_ns* is how often the lines are read where stamps are software, for some seconds after an edge;
    when nobody touches anything, every 5 ms will do.
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
        sample_ns: int = SAMPLE_NS,
        stamping: Stamping | None = None,
        clock: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        self.name = name
        self._numbers = dict(lines)
        self._make = factory if callable(factory) else factory_maker(factory)
        self._u_ns = u_ns
        self._late_ns = LATE_NS if late_ns is None else late_ns
        self._delay_ns = delay_ns
        self._sample_ns = sample_ns
        self._stamping = stamping
        self._clock = clock
        self.handed = Handed()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
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
            sample_ns=self._sample_ns,
            late_ns=self._late_ns,
            handed=self.handed,
        )
        self._listen(watch)
        self._spawn(lambda: self._run(watch, report))

    def close(self) -> None:
        """Release the pins."""
        self._closing.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(0.5)
        self._release()

    def _spawn(self, work: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=work, name=f"source-{self.name}", daemon=True)
        self._thread.start()

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
            watch.away()
            try:
                self._release()
                self._claim()
                self._listen(watch)
            except Exception:  # still gone; the first report stands until it is back
                wait_s = min(wait_s * 2, RETRY_MOST_S)
            else:
                return True
        return False

    def _claim(self) -> None:
        """Open the factory and make every line an input with its pull-up."""
        self._factory = open_factory(self._make)
        if is_mock(self._factory) and not self.simulated:
            raise DeviceError(
                text("gpiozero is set to simulated pins. If that is what you want, say --source mock.")
            )
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
            "GPIO{pin} ({line}) cannot be had: {why}. Stop what else uses it "
            "(is a second Last Nose running?), then try again.",
            pin=number,
            line=line,
            why=_why(error),
        )
    )


def _gone(error: Exception) -> Text:
    return text(
        "The pins stopped answering ({why}). Trying again; this round may not count.", why=_why(error)
    )
