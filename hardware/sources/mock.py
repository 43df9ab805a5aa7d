"""Simulated noses: the same pins on gpiozero's mock factory, moved by scripts, pages and tapes.

Every edge has exactly the time that its driver gives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from gpiozero.pins.mock import MockFactory, MockPin
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark, rest_level
from lastnose.companion.core.ports import Emit, Report, Source, StampWorth
from lastnose.companion.core.text import english, text
from lastnose.companion.core.touch import LATE_U_NS, LATENCY_U_NS, TOUCH_U_NS
from lastnose.companion.system import host_clock
from lastnose.companion.timing import FOREVER
from lastnose.hardware.sources.pins import PinSource

BOARD_PINS = 28
BOARD_REVISION = "a02082"
DELAY_NS = 5_000_000
FIRST_NS = 250_000_000  # how far back a clock that promises for itself may begin
IDLE_NS, QUICK_NS = 50_000_000, 2_000_000  # as real pins promise
QUICK_FOR_NS = 150_000_000  # twice what one page may be waited for


class ExactPin(MockPin):  # type: ignore[misc]
    """A mock pin that changes at the time it is told, not at the time of the call."""

    t_ns = 0
    _state: bool

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        self._state = value
        self._last_change = self.t_ns / 1e9
        return True


class _Stamp(NamedTuple):
    source: str
    t_ns: int
    worth: StampWorth


class MockClock:
    """A clock that stamps simulated edges (a script, a page): how late they come, what it promised.

    `delay_ns` None: only it knows what is still coming.
    """

    def __init__(self, delay_ns: int | None) -> None:
        self.delay_ns = delay_ns
        self.promised_ns: int | None = None


class Mock(PinSource):
    """Simulated pins; keeps the `Source` and the `Driver` port.

    *lines* are names, or names with numbers; numbers from 28 are on a second simulated board. *scripted*:
    time is what `promise` says, and there is no thread; otherwise promises follow the real clock,
    *delay_ns* late. *worth*: what a stamp of its lines is worth as long as none has come.
    """

    simulated = True

    def __init__(
        self,
        lines: Mapping[str, int] | Iterable[str],
        *,
        name: str = "mock",
        scripted: bool = False,
        delay_ns: int = DELAY_NS,
        worth: StampWorth | None = None,
        clock: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        numbers = lines if isinstance(lines, Mapping) else {line: n for n, line in enumerate(lines)}
        super().__init__(numbers, _board, name=name, clock=clock)
        self._scripted = scripted
        self._boards: dict[int, Any] = {}
        self._clocks = {name: MockClock(delay_ns)}
        self._stamp = _Stamp(name, 0, StampWorth(0))
        self._worth = worth
        self._emit: Emit = _nowhere
        self._lock = threading.RLock()
        self._woken = threading.Event()
        self._edge_ns: int | None = None
        self._told_ns = 0  # of how the lines stood at the start, or of what was expected since
        self._reached_ns = 0  # what all clocks had promised, whatever has been announced since

    def start(self, emit: Emit, report: Report) -> None:
        """Take the simulated pins; nobody touches them yet, and every spoon lies in the rack."""
        self._emit = emit
        self._claim()
        for line, pin in self._pins.items():
            if rest_level(line):
                self._known_pin(line).drive_low()
            self._hear(pin, partial(self._changed, line))
        self._told_ns = 0 if self._scripted else self._clock()
        levels = {line: rest_level(line) for line in self._pins}
        emit(Levels(levels, self._told_ns, self.name, *(self._worth or (None,))))
        if not self._scripted:
            self._spawn(self._keep_promising)

    # Driver

    def lines(self) -> tuple[str, ...]:
        """Return the lines that can be driven."""
        return tuple(self._numbers)

    def attach(self, clock: str, delay_ns: int | None) -> None:
        """Announce *clock*, whose edges may arrive up to *delay_ns* late; again to change the delay.

        None: it promises for itself, with `vouch`, and is waited for until it does.
        """
        with self._lock:
            self._stream_ns()
            known = self._clocks.setdefault(clock, MockClock(delay_ns))
            known.delay_ns = delay_ns
            if not self._scripted and self._pins:
                self._promise(clock, self._clock() - (FIRST_NS if delay_ns is None else delay_ns))

    def vouch(self, clock: str, t_ns: int) -> None:
        """Pass on that *clock* promises: nothing of it earlier than *t_ns* is still coming."""
        with self._lock:
            if clock in self._clocks and self._pins:
                self._promise(clock, t_ns)

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        """Say that edges of *lines* by *clock* may be lost between the times."""
        with self._lock:
            if clock in self._clocks and self._pins:
                self._emit(Gap(from_ns, to_ns, clock, lines))

    def detach(self, clock: str) -> None:
        """Let *clock* go for good: no verdict waits for it any more, and its name is not used again."""
        with self._lock:
            if clock != self.name and self._clocks.pop(clock, None) is not None and self._pins:
                self._emit(Watermark(FOREVER, clock))

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        """Set *line* to *level* at exactly *t_ns*; a level it already has is no edge.

        Raises BadInput when there is no such line or clock, or *level* is neither 0 nor 1.
        """
        with self._lock:
            self._stamp = _Stamp(self._known_clock(clock), t_ns, worth)
            pin = self._known_pin(line)
            if level not in (0, 1):
                raise BadInput(english("{line} can be 1 (closed) or 0, not {level}.", line=line, level=level))
            pin.t_ns = t_ns
            pin.drive_low() if level else pin.drive_high()
        self._woken.set()

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        """Say which clock alone can touch *lines* next, and *worth* of its stamps; None: any may.

        It takes effect where the stream is; told of those that have not changed since: the others' own edges
        say who touches them.
        """
        with self._lock:
            if not self._pins or any(known.promised_ns is None for known in self._clocks.values()):
                return ()
            at_ns = max(self._told_ns + 1, self._stream_ns())  # the newest word counts
            pins = {line: self._known_pin(line) for line in lines}
            levels = {line: 0 if pin.state else 1 for line, pin in pins.items() if pin.t_ns <= at_ns}
            if levels:
                self._told_ns = at_ns
                self._emit(Levels(levels, at_ns, clock or self.name, *worth, expected=True))
            return tuple(levels)

    def promise(self, t_ns: int) -> None:
        """Promise, for a script with its own time, that nothing earlier than *t_ns* is still coming."""
        if not self._scripted:
            raise no_time_of_its_own()
        with self._lock:
            for clock in tuple(self._clocks):
                self._promise(clock, t_ns)

    # Pins

    def _pin(self, number: int) -> Any:
        board = number // BOARD_PINS
        if board not in self._boards:
            self._boards[board] = self._factory if board == 0 else _board()
        return self._boards[board].pin(number % BOARD_PINS)

    def _release(self) -> None:
        super()._release()
        for board in self._boards.values():
            board.close()
        self._boards.clear()

    def _known_pin(self, line: str) -> ExactPin:
        if line not in self._numbers:
            raise no_such_line(line, self._numbers)
        if line not in self._pins:
            raise BadInput(text("The simulated noses are not in use: the table is not running."))
        pin = self._pins[line]
        assert isinstance(pin, ExactPin)
        return pin

    def _known_clock(self, clock: str | None) -> str:
        if clock is None:
            return self.name
        if clock not in self._clocks:
            raise BadInput(
                text("The clock “{clock}” has not been announced. Load the page again.", clock=clock)
            )
        return clock

    def _changed(self, line: str, ticks: float, state: object) -> None:
        stamp, level = self._stamp, 0 if state else 1
        self._edge_ns = stamp.t_ns if self._edge_ns is None else max(self._edge_ns, stamp.t_ns)
        u_ns, clock_u_ns, wire_u_ns = stamp.worth
        self._emit(Edge(stamp.t_ns, stamp.source, line, level, u_ns, clock_u_ns, wire_u_ns=wire_u_ns))

    # Promises

    def _keep_promising(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                now_ns = self._clock()
                for clock, known in tuple(self._clocks.items()):
                    if known.delay_ns is not None:
                        self._promise(clock, now_ns - known.delay_ns)
            self._woken.clear()
            if self._settled():
                self._woken.wait(IDLE_NS / 1e9)
            else:
                self._closing.wait(QUICK_NS / 1e9)

    def _settled(self) -> bool:
        """Return whether every clock has promised well past the last edge."""
        edge_ns = self._edge_ns
        return edge_ns is None or all(
            known.promised_ns is not None and known.promised_ns > edge_ns + QUICK_FOR_NS
            for known in self._clocks.values()
            if known.delay_ns is not None
        )

    def _stream_ns(self) -> int:
        """Return up to when all clocks have promised, or had before another was announced."""
        promised = [known.promised_ns for known in self._clocks.values() if known.promised_ns is not None]
        self._reached_ns = max(self._reached_ns, min(promised, default=0))
        return self._reached_ns

    def _promise(self, clock: str, t_ns: int) -> None:
        known = self._clocks[clock]
        if known.promised_ns is None or t_ns > known.promised_ns:
            known.promised_ns = t_ns
            item: Input = Watermark(t_ns, clock)
            self._emit(item)


def no_such_line(line: str, lines: Iterable[str]) -> BadInput:
    """Return the error for a *line* that is none of the simulated *lines*."""
    said = "There is no simulated line “{line}”. There are: {lines}."
    return BadInput(english(said, line=line, lines=", ".join(lines)))


def no_time_of_its_own() -> BadInput:
    """Return the error for a promise to lines that no script moves."""
    return BadInput(english("These simulated noses follow the real clock; only a script can set the time."))


def _nowhere(_: Input) -> None:
    raise RuntimeError("the source has not been started")


def _board() -> Any:
    return MockFactory(BOARD_REVISION, ExactPin)


# ---- Noses on phones beside noses on wires: lines that only pages touch, and both sources as one.

PHONES = "phones"
CLOCK_U_NS = 10_000_000  # of a phone that has not said how well it knows the time


def phone_lines(lines: Mapping[str, int]) -> Mock:
    """Return what pages can touch where nothing is simulated: *lines*, and nothing else there is.

    Who has not touched yet is reckoned as the worst that an untested phone may be.
    """
    worth = StampWorth(TOUCH_U_NS["touch"], LATENCY_U_NS + CLOCK_U_NS, LATE_U_NS + CLOCK_U_NS)
    return Mock(lines, name=PHONES, worth=worth)


class WithPhones:
    """A *wired* source with *phones* beside it; keeps the `Source` port. It is as simulated as its wires.

    Without wires (None) nothing is simulated: what is touched on a page is a real touch.
    """

    def __init__(self, wired: Source | None, phones: Mock) -> None:
        self.name = phones.name if wired is None else wired.name
        self.simulated = wired is not None and wired.simulated
        self._wired, self._phones = wired, phones

    def start(self, emit: Emit, report: Report) -> None:
        """Start both; raise DeviceError, with none left open, when a pin or a box cannot be had."""
        if self._wired is not None:
            self._wired.start(emit, report)
        try:
            self._phones.start(emit, report)
        except BaseException:
            self._close_wired()
            raise

    def close(self) -> None:
        """Let both go."""
        self._phones.close()
        self._close_wired()

    def _close_wired(self) -> None:
        if self._wired is not None:
            self._wired.close()
