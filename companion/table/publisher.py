"""What the table shows: the evening, the round in progress and the faults, as snapshots for whoever listens.

One thread changes and publishes; any thread reads `snapshot`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Unpack

import msgspec
from lastnose.companion.core.model import PAGE_SOURCE, Armed, Edge, Watermark
from lastnose.companion.core.ports import Lamp
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.evening.entries import last_judged
from lastnose.companion.games.rules.prompts import Choose, is_ruling
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.timing import FOREVER
from lastnose.companion.timing.arming import SETTLE_NS
from lastnose.companion.views.news import cued
from lastnose.companion.views.scoreboard import Lasting, make
from lastnose.companion.views.snapshot import Clock, Live, LiveChanges, Snapshot

SECOND_NS = 1_000_000_000
Listener = Callable[[Snapshot], None]
Light = Callable[[tuple[Lamp, ...]], None]


class TableClock:
    """Counts down what is left to buzz or to answer, by the time of the table: no browser's.

    The time to answer begins when the table first asks about a verdict, and once for each (F36).
    """

    def __init__(self, record: EveningRecord, publisher: Publisher) -> None:
        self._record, self._publisher = record, publisher
        self._began: tuple[int, int] | None = None  # the verdict that is asked about, and since when
        self._ended = 0  # the verdict of which the time to answer is over, also if that is taken back

    def follow(self, now_ns: int) -> Choose | None:
        """Show what is left at *now_ns*; return what is asked once the box itself is to answer it."""
        live, match = self._publisher.live, self._record.evening.match
        ruling = next(filter(is_ruling, match.asks if match is not None else ()), None)
        if ruling is None or not ruling.within_s:
            shown = None
            if live.armed and live.closes_ns and match is not None and not live.opened:
                noses = match.now.noses
                of_s = noses.rules.within_ms // 1_000 if noses is not None else 0
                shown = _clock("buzz", live.closes_ns - now_ns, of_s)
            self._show(shown)
            return None
        asked = last_judged(self._record.evening)
        if self._began is None or self._began[0] != asked:
            self._began = asked, now_ns
        if self._ended == asked:
            self._show(None)
            return None
        left = _clock("answer", self._began[1] + ruling.within_s * SECOND_NS - now_ns, ruling.within_s)
        self._show(left)
        if left.left_s or not ruling.overdue:
            return None
        self._ended = asked
        return ruling

    def _show(self, clock: Clock | None) -> None:
        if clock != self._publisher.live.clock:
            self._publisher.change(clock=clock)

    def wakes_in_s(self, now_ns: int) -> float | None:
        """Return in how many seconds after *now_ns* it shows another, None while none runs."""
        live = self._publisher.live
        if live.clock is None or not live.clock.left_s:
            return None
        began = self._began[1] + live.clock.of_s * SECOND_NS if self._began is not None else 0
        ends_ns = live.closes_ns if live.clock.kind == "buzz" else began
        return max(0.0, (ends_ns - now_ns) / SECOND_NS - (live.clock.left_s - 1))


def _clock(kind: Literal["buzz", "answer"], left_ns: int, of_s: int) -> Clock:
    """Return the clock that has *left_ns* of *of_s*."""
    left_s = max(0, -(-left_ns // SECOND_NS))
    if not left_s:
        return Clock(kind, 0, of_s, text("Time!"))
    if kind == "buzz":
        says = texts("{n} second to press", "{n} seconds to press", n=left_s)
    else:
        says = texts("{n} second to answer", "{n} seconds to answer", n=left_s)
    return Clock(kind, left_s, of_s, says)


class Publisher:
    """Shows the evening of *record*, and what no log holds: `live`, and the `faults` by their names."""

    def __init__(self, record: EveningRecord, live: Live) -> None:
        self.live = live
        self.faults: dict[str, Text] = {}
        self.snapshot = cued(None, make(record.evening, live))
        self._record = record
        self._shown = Lasting(record.evening)
        self._changed = False
        self._listeners: list[Listener] = []
        self._lights: list[Light] = []
        self.stop = Stop(self)

    def change(self, **changes: Unpack[LiveChanges]) -> None:
        """Show these *changes* with the next snapshot."""
        self.live = msgspec.structs.replace(self.live, **changes)
        self._changed = True

    def fault(self, name: str, says: Text | None) -> None:
        """Show *says* as the fault of *name* until it is None again."""
        if self.faults.get(name) == says:
            return
        if says is None:
            del self.faults[name]
        else:
            self.faults[name] = says
        self.change(faults=tuple(self.faults.values()))

    def publish(self) -> Snapshot:
        """Make the snapshot again if anything changed, and hand it to every listener."""
        self.fault("log", self._record.adrift)
        evening = self._record.evening
        if self._shown.evening is not evening:
            self._shown, self._changed = Lasting(evening), True
        if self._changed:
            self._changed = False
            self.live = msgspec.structs.replace(self.live, version=self.live.version + 1)
            self.snapshot = cued(self.snapshot, make(evening, self.live, self._shown))
            if self.live.stirred:
                self.snapshot = msgspec.structs.replace(self.snapshot, lamps=self.dark)
            for listener in tuple(self._listeners):
                listener(self.snapshot)
        return self.snapshot

    def darken(self) -> None:
        """Put all lamps out at once, before anything is worked out: somebody may have pressed."""
        for light in tuple(self._lights):
            light(self.dark)
        self.change(stirred=True)

    @property
    def dark(self) -> tuple[Lamp, ...]:
        """The lamps of the seats, all off."""
        return tuple(msgspec.structs.replace(lamp, light="off") for lamp in self.snapshot.lamps)

    def lines(self, seats: tuple[int, ...]) -> dict[int, str]:
        """Return the nose of each of *seats* in the game that is played."""
        match = self._record.evening.match
        return {} if match is None else {seat: match.started.lines[seat - 1] for seat in seats}

    def lights(self, light: Light) -> Callable[[], None]:
        """Call *light* with lamps that change before a snapshot tells why; return what ends that."""
        self._lights.append(light)
        return lambda: self._lights.remove(light)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every new snapshot, on the table's thread; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class Stop:
    """Puts the lamps out at an edge that may be the first press, and lights them again if it was none.

    What an edge was is known only when all sources have promised, which takes longer than an eye may wait
    (F35). A line does so once a round, lest one that keeps changing makes all lamps flicker. As soon as the
    line's own source says that it was a press (a page's is one at once) every screen says "Stop!" (F32):
    whose it was, and whether others were sooner, is for the slowest source to say.
    """

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._since_ns = 0
        self._newest: Edge | None = None  # of the line that has put the lamps out
        self._heard: set[str] = set()
        self._from_ns: dict[str, int] = {}  # by line, from when on its touches count

    def opened(self, armed: Armed) -> None:
        """Take how a question was opened, or goes on."""
        if armed.since_ns is None:
            self._heard = set()
        plays_ns, barred = armed.from_ns + armed.rules.guess_ms * 1_000_000, dict(armed.barred)
        lines = self._publisher.lines(armed.seats)
        self._from_ns = {line: max(plays_ns, barred.get(seat, 0)) for seat, line in lines.items()}

    def take(self, item: object, confirm_ns: int) -> None:
        """Take an input as it comes, where who is first is asked, before anything is worked out."""
        live = self._publisher.live
        if not live.armed or live.opened:
            return
        if live.stirred and isinstance(item, Edge | Watermark) and self._pressed(item, confirm_ns):
            self._publisher.change(opened=True)
        elif isinstance(item, Edge):
            self._edge(item)

    def _edge(self, edge: Edge) -> None:
        live = self._publisher.live
        from_ns = self._from_ns.get(edge.line, FOREVER)
        if live.stirred:
            if self._newest is not None and edge.line == self._newest.line:
                self._newest = edge
        elif not edge.level:
            if from_ns == FOREVER and edge.line in self._from_ns:  # it was held, and plays from now on
                self._from_ns[edge.line] = edge.t_ns + SETTLE_NS
        elif from_ns <= edge.t_ns <= (live.closes_ns or FOREVER) and edge.line not in self._heard:
            self._heard.add(edge.line)
            self._since_ns, self._newest = edge.t_ns, edge
            self._publisher.darken()
            if edge.source.startswith(PAGE_SOURCE):
                self._publisher.change(opened=True)

    def _pressed(self, item: Edge | Watermark, confirm_ns: int) -> bool:
        """Return whether by *item* the contact has stayed closed for long enough."""
        last = self._newest
        if last is None or not last.level or item.source != last.source:
            return False
        of_it = isinstance(item, Watermark) or item.line == last.line
        return of_it and item.t_ns > last.t_ns + confirm_ns

    def elapse(self, known_ns: int) -> None:
        """Light the lamps again when all is known up to *known_ns*, and nobody has pressed."""
        if self._publisher.live.stirred and known_ns > self._since_ns:
            self._publisher.change(stirred=False, opened=False)
