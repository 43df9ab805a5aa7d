"""What pins that tell of their edges in callbacks are worth: honest errors, no loss unnoticed, true promises.

lgpio brings the kernel's stamp along, but no numbers: an edge that took the place of another before the
kernel's thread had run shows nothing of it, so every stamp may be as late as a thread (`late_ns`). Other
libraries stamp in a Python callback, so the lines are also read all the time: an edge happened after its line
was last seen otherwise, and not after its callback began. It is stamped with the middle of that time, and
half of it is its declared error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.core.model import Edge, Input
from companion.core.ports import Emit
from companion.system import host_clock
from hardware.sources.factories import GpioPin, Stamping
from hardware.sources.stream import LATE_NS, Backlog, Handed, Stream

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
    where stamps are software; *late_ns* how late an interrupt thread may be;
    *behind_ns* by how much a reading of *clock* may be behind.
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
        behind_ns: int = host_clock.BEHIND_NS,
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
        self._behind_ns = behind_ns
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
                edge = Edge(t_ns - u_ns, self._source, name, level, max(self._u_ns, u_ns) + self._behind_ns)
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
        with self._lock:
            now_ns = self._clock()
            promised_ns = self._stream.promised_ns
            self._send(self._stream.outage(now_ns if promised_ns is None else promised_ns, now_ns))

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
