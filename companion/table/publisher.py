"""What the table shows: the evening, the round in progress and the faults, as snapshots for whoever listens.

One thread changes and publishes; any thread reads `snapshot`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Unpack

import msgspec
from lastnose.companion.core import model
from lastnose.companion.core.model import PAGE_SOURCE, Armed, Edge, Watermark
from lastnose.companion.core.ports import Lamp
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.evening.state import last_judged
from lastnose.companion.games.rules.prompts import Choose, is_timed
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.timing import FOREVER
from lastnose.companion.timing.arming import SETTLE_NS
from lastnose.companion.views.news import cued
from lastnose.companion.views.scoreboard import Lasting, make
from lastnose.companion.views.snapshot import Clock, Live, LiveChanges, Snapshot

SECOND_NS = 1_000_000_000
EARLY_NS = 4_000_000_000  # so long it is said that somebody has touched too early
AFTER_NS = 1_500_000_000  # who touches so soon after a verdict has not seen it yet, or is the last one
Listener = Callable[[Snapshot], None]
Light = Callable[[tuple[Lamp, ...]], None]
Progress = (
    model.ArmingBlocked
    | model.Pressed
    | model.Released
    | model.UnseenChange
    | model.Lifted
    | model.PutBack
    | model.Confirmed
    | model.Phantom
    | model.Noisy
    | model.BrokenPromise
)


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
        timed = next(filter(is_timed, match.asks if match is not None else ()), None)
        if timed is None:
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
        kind: Literal["answer", "prompt"] = "answer" if isinstance(timed, Choose) else "prompt"
        left = _clock(kind, self._began[1] + timed.within_s * SECOND_NS - now_ns, timed.within_s)
        self._show(left)
        if left.left_s or not (isinstance(timed, Choose) and timed.overdue):
            return None
        self._ended = asked
        return timed

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


def _clock(kind: Literal["buzz", "answer", "prompt"], left_ns: int, of_s: int) -> Clock:
    left_s = max(0, -(-left_ns // SECOND_NS))
    if not left_s:
        return Clock(kind, 0, of_s, text("Time!"))
    return Clock(kind, left_s, of_s, texts("{n} second left", "{n} seconds left", n=left_s))


class Publisher:
    """Shows the evening of *record*, and what no log holds: `live`, and the `faults` by their names."""

    def __init__(self, record: EveningRecord, live: Live) -> None:
        self.live = live
        self.faults: dict[str, Text] = {}
        self.snapshot = cued(None, make(record.evening, live))
        self._record = record
        self.shown = Lasting(record.evening)
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
        self.fault("log", self._record.store.adrift)
        evening = self._record.evening
        if self.shown.evening is not evening:
            self.shown, self._changed = Lasting(evening), True
        if self._changed:
            self._changed = False
            self.live = msgspec.structs.replace(self.live, version=self.live.version + 1)
            self.snapshot = cued(self.snapshot, make(evening, self.live, self.shown))
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
        """Light the lamps that are out again when all is known up to *known_ns*, and nobody has pressed."""
        if known_ns > self._since_ns:
            self._publisher.change(stirred=False, opened=False, recalled=self._publisher.live.opened)


class RoundProgress:
    """Tells *publisher* what the referee says between arming and verdict; players come from *record*.

    Whose noses are down, which spoons are gone, who holds the arming up: nothing of it is kept, what counts
    comes with the verdict. *pressed* hears of every press during a zero test, with its line. `decided_ns` is
    when a round was decided: what is touched a moment later was meant for it.
    """

    def __init__(
        self, record: EveningRecord, publisher: Publisher, pressed: Callable[[str, model.Press], None]
    ) -> None:
        self._pressed_at = pressed
        self._record = record
        self._publisher = publisher
        self._line_of: dict[int, str] = {}
        self.decided_ns: int | None = None
        self._early_ns: dict[int, int] = {}  # by seat, when it was touched while nothing counted
        self._locked_ns: dict[int, int] = {}  # by seat, until when its touches do not count
        # Lines that went down in a round that asks who was first: until its verdict nothing tells them apart.
        self._unshown: frozenset[str] = frozenset()

    def bind(self, lines: Mapping[str, int]) -> None:
        """Know whose line is which: *lines* maps them to seats."""
        line_of = {seat: line for line, seat in lines.items()}
        if line_of != self._line_of:  # others sit there: what was shown was of the seats before
            self._line_of = line_of
            self.forget()

    def forget(self) -> None:
        """Show nothing of the round before any more; what was kept from sight of it is shown as it is."""
        nobody: frozenset[int] = frozenset()
        self._publisher.change(
            down=self._publisher.live.down | self._unshown,
            opened=False,
            stirred=False,
            recalled=False,
            blocked=(),
            blocked_lines=(),
            pressed=nobody,
            lifted=nobody,
            phantoms=nobody,
            early=nobody,
            locked=nobody,
        )
        self._unshown = frozenset()
        self._early_ns.clear()
        self._locked_ns.clear()

    def opened(self, armed: model.Armed) -> None:
        """Show how a question was opened: who was too early, and whether somebody has pressed already."""
        within_ns = armed.rules.within_ms * 1_000_000
        closes_ns = armed.from_ns + within_ns if within_ns else 0
        self._locked_ns = dict(armed.barred)
        live = self._publisher.live
        opened = armed.opened or (live.stirred and live.opened)  # stopped, and some have yet to promise
        recalled = live.recalled or (live.opened and not opened)  # only who is left out had pressed
        locked = frozenset(self._locked_ns)
        self._publisher.change(opened=opened, recalled=recalled, closes_ns=closes_ns, locked=locked)
        if live.question == "first":
            self._publisher.stop.opened(armed)
        if armed.early and armed.since_ns is None:
            self._early_ns = {press.seat: armed.t_ns for press in armed.early}
            self._tell_early()

    def elapse(self, now_ns: int) -> None:
        """Take back, in time, that somebody has touched too early, or is locked."""
        if not (self._early_ns or self._locked_ns):
            return
        down = self._publisher.live.down
        self._locked_ns = {seat: until_ns for seat, until_ns in self._locked_ns.items() if until_ns > now_ns}
        self._early_ns = {
            seat: at_ns
            for seat, at_ns in self._early_ns.items()
            if now_ns <= at_ns + EARLY_NS or self._line_of.get(seat) in down
        }
        self._tell_early()

    def _tell_early(self) -> None:
        early, locked = frozenset(self._early_ns), frozenset(self._locked_ns)
        live = self._publisher.live
        if (early, locked) != (live.early, live.locked):
            self._publisher.change(early=early, locked=locked)

    def show(self, said: Progress) -> None:
        """Show what the referee has said."""
        match said:
            case model.ArmingBlocked():
                self._publisher.change(blocked=said.seats, blocked_lines=said.lines)
            case model.Pressed():
                self._pressed(said)
            case model.Released():
                self._freed(said.seat)
            case model.UnseenChange():
                self._seen(said)
            case model.Lifted() | model.PutBack():
                self._spoon_moved(said)
            case model.Confirmed():
                self._counted(said.press.seat)
            case model.Phantom():
                self._publisher.change(phantoms=self._publisher.live.phantoms | {said.press.seat})
            case model.Noisy():
                says = text(
                    "{line} keeps changing: check its button and wires.", line=self._called(said.line)
                )
                self._publisher.fault("noise", says)
            case model.BrokenPromise():
                self._publisher.fault("late", self._too_late(said.line))

    def _too_late(self, line: str) -> Text:
        """Return what to say of a touch on *line* that was told of when it could not be judged any more."""
        player, live = self._player(line), self._publisher.live
        if live.armed and live.opened and live.question == "first":  # nothing tells seats apart yet (F32)
            return text("A touch was reported too late: the round may be void.")
        whose = line if player is None else player
        if not live.armed:
            return text("A touch of {whose} was reported too late and does not count.", whose=whose)
        return text("A touch of {whose} was reported too late: the round may be void.", whose=whose)

    def _called(self, line: str) -> str:
        """Return *line* with the player whose it is, if it is somebody's."""
        player = self._player(line)
        return line if player is None else f"{player} ({line})"

    def _player(self, line: str) -> str | None:
        match = self._record.evening.match
        lines = () if match is None else match.started.lines
        return match.player(lines.index(line) + 1) if match is not None and line in lines else None

    def _pressed(self, said: model.Pressed) -> None:
        seat, live = said.press.seat, self._publisher.live
        line = self._line_of[seat]
        self._shown_down(line, hidden=said.counts or (live.armed and live.opened))
        if live.zero is not None:
            self._pressed_at(line, said.press)
        live = self._publisher.live
        if said.counts:
            self._counted(seat)
        elif live.binding is None and live.zero is None and self._too_early(said.press):
            self._early_ns[seat] = said.press.t_ns
            self._tell_early()
        live = self._publisher.live
        if live.binding is not None:
            others = {player: bound for player, bound in live.bindings.items() if bound != line}
            self._publisher.change(binding=None, bindings={**others, live.binding: line})

    def _shown_down(self, line: str, *, hidden: bool) -> None:
        """Show that *line* is down; *hidden*, by a press that counts where the first is asked, only later."""
        if hidden and self._publisher.live.question == "first":
            self._unshown |= {line}
        else:
            self._publisher.change(down=self._publisher.live.down | {line})

    def _too_early(self, press: model.Press) -> bool:
        """Return whether *press* was meant for a round that is not armed yet: people deal."""
        match = self._record.evening.playing
        if match is None or not match.game.watched or self._publisher.live.armed:
            return False
        newest = next((one.verdict for one in reversed(match.entries) if one.verdict), model.Verdict())
        listed = press.seat in newest.last or (newest.first and match.entries[-1].verdict)  # not ruled on
        if listed and press.seat not in newest.order:
            return False  # it completes the verdict
        return self.decided_ns is None or press.t_ns > self.decided_ns + AFTER_NS

    def _freed(self, seat: int) -> None:
        live = self._publisher.live
        self._unshown -= {self._line_of[seat]}
        if self._locked_ns.get(seat) == FOREVER:  # it was held at the opening, and no more
            del self._locked_ns[seat]
            self._tell_early()
        blocked = tuple(one for one in live.blocked if one != seat)
        self._publisher.change(down=live.down - {self._line_of[seat]}, blocked=blocked)

    def _seen(self, seen: model.UnseenChange) -> None:
        """Show a nose as it was found to be."""
        if not seen.level:
            self._freed(seen.seat)
            return
        self._shown_down(self._line_of[seen.seat], hidden=seen.counts)
        if seen.counts:
            self._counted(seen.seat)

    def _counted(self, seat: int) -> None:
        live = self._publisher.live
        if live.question == "first":  # who it was, the verdict says
            self._publisher.change(opened=True, stirred=False)
            return
        self._publisher.change(opened=True, pressed=live.pressed | {seat}, phantoms=live.phantoms - {seat})

    def _spoon_moved(self, said: model.Lifted | model.PutBack) -> None:
        """Show a spoon as gone or back; a round in which there was only a feint has not opened."""
        live = self._publisher.live
        if isinstance(said, model.Lifted):
            self._publisher.change(opened=True, lifted=live.lifted | {said.lift.cradle})
            return
        lifted = live.lifted - {said.cradle}
        opened = live.opened and not (said.feint and not lifted and not live.pressed)
        self._publisher.change(opened=opened, lifted=lifted)
