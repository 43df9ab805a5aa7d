"""A tape played to the table as if it happened now: its times moved by one constant, at its own pace."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.ports import Emit, Report
from lastnose.companion.system import host_clock
from lastnose.companion.timing.tape import ArmRecord, Entry, MoveRecord, Tape, with_watermarks
from lastnose.hardware.sources.stream import Threaded

NAME = "replay"
TICK_S = 0.02
LEAD_NS = 500_000_000


class Replay(Threaded):
    """The inputs of *tape*; keeps the `Source` port. Nobody real presses: it says SIMULATED.

    *command* takes the `ArmRecord` and `MoveRecord` entries at their time. *speed* 2 plays twice as fast
    (times keep their distances), None at once. A source that makes no promises on the tape is given the
    clock's; at the end of the tape all go on with it.
    """

    simulated = True

    def __init__(
        self,
        tape: Tape,
        *,
        command: Callable[[ArmRecord | MoveRecord], None] | None = None,
        speed: float | None = 1.0,
        clock: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        super().__init__(NAME)
        self._command = command or (lambda _: None)
        self._speed = speed
        self._clock = clock
        self._entries = tape.entries

    def start(self, emit: Emit, report: Report) -> None:
        """Begin to play half a second from now."""
        self._spawn(self._run, emit, self._clock() + LEAD_NS)

    def _run(self, emit: Emit, begin_ns: int) -> None:
        player = TapePlayer(self._entries, begin_ns, at_once=self._speed is None)
        for levels in player.first():
            emit(levels)
        while not self._closing.is_set():
            for item in player.until(self._tape_now_ns(begin_ns)):
                if isinstance(item, ArmRecord | MoveRecord):
                    self._command(item)
                else:
                    emit(item)
            self._closing.wait(TICK_S)

    def _tape_now_ns(self, begin_ns: int) -> int:
        passed_ns = self._clock() - begin_ns
        return begin_ns + (passed_ns if self._speed is None else round(passed_ns * self._speed))


class TapePlayer:
    """Say what of a tape is to be told by when; its earliest time is moved to *begin_ns*, all with it."""

    def __init__(self, entries: tuple[Entry, ...], begin_ns: int, *, at_once: bool = False) -> None:
        first_ns = min((_time_ns(entry) for entry in entries), default=begin_ns)
        self._entries = [_moved(entry, begin_ns - first_ns) for entry in entries]
        self._end_ns = max(
            (_time_ns(e) for e in self._entries if not isinstance(e, Watermark)), default=begin_ns
        )
        self._begin_ns = begin_ns
        self._at_once = at_once
        self._next = 0
        named = [entry.source for entry in self._entries if not isinstance(entry, ArmRecord | MoveRecord)]
        self.sources = tuple(dict.fromkeys(named)) or (NAME,)
        self._promising = {entry.source for entry in self._entries if isinstance(entry, Watermark)}
        self._ahead = {
            source: self._earliest(source) for source in self.sources if source not in self._promising
        }

    def first(self) -> Iterator[Levels]:
        """Yield levels for every source whose tape does not begin with them."""
        for source in self.sources:
            told = [e for e in self._entries if isinstance(e, Edge | Levels | Gap) and e.source == source]
            if not told or not isinstance(told[0], Levels):
                yield Levels({}, self._begin_ns, source)

    def until(self, now_ns: int) -> Iterator[Input | ArmRecord | MoveRecord]:
        """Yield the entries that have come by *now_ns*, then what can be promised."""
        if self._at_once and self._next == 0:
            self._next = len(self._entries)
            yield from with_watermarks(self._entries)
        while self._next < len(self._entries) and self._due_ns(self._entries[self._next]) <= now_ns:
            self._next += 1
            yield self._entries[self._next - 1]
        over = self._next == len(self._entries)
        for source in self.sources:
            if over:
                yield Watermark(now_ns, source)
            elif source not in self._promising:
                yield Watermark(min(now_ns, self._ahead[source][self._next]), source)

    def _due_ns(self, entry: Entry) -> int:
        """Return when *entry* is told: a gap when it is over, a promise beyond the tape's end at the end."""
        if isinstance(entry, Gap):
            return entry.to_ns
        return min(entry.t_ns, self._end_ns) if isinstance(entry, Watermark) else entry.t_ns

    def _earliest(self, source: str) -> list[int]:
        """Return, for each place on the tape, the earliest time that *source* still has from there on."""
        earliest_ns = self._end_ns
        out: list[int] = []
        for entry in reversed(self._entries):
            if isinstance(entry, Edge | Levels | Gap) and entry.source == source:
                earliest_ns = min(earliest_ns, _time_ns(entry))
            out.append(earliest_ns)
        return out[::-1]


def _time_ns(entry: Entry) -> int:
    return entry.from_ns if isinstance(entry, Gap) else entry.t_ns


def _moved(entry: Entry, by_ns: int) -> Entry:
    if isinstance(entry, Gap):
        return Gap(entry.from_ns + by_ns, entry.to_ns + by_ns, entry.source)
    return msgspec.structs.replace(entry, t_ns=entry.t_ns + by_ns)
