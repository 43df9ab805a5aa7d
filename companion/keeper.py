"""Keeps the rounds: inputs in, the referee's word stored, a snapshot out.

An event is durable before the snapshot shows it. What the disk does not take is kept, said, and tried again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from companion import log, model
from companion.authors import BOX
from companion.cues import cued
from companion.errors import StoreError
from companion.games.asks import Watch
from companion.model import Happening, Input
from companion.ports import Driver
from companion.records import Records
from companion.scoreboard import make
from companion.snapshot import Live, Snapshot
from companion.store import EventStore
from companion.text import Text, text
from companion.timing import Referee, Request, Settings

Listener = Callable[[Snapshot], None]


class Keeper(Records):
    """The referee, the log and what to show, without the wishes of people (`companion.table` adds those).

    `lines` are the nose lines of the profile, `cradles` how many its rack has (None: any number, as on a
    tape), `settings` its debounce, `sources` those to be waited for.
    `clock_ns` is CLOCK_MONOTONIC or a scenario's own time; `wall_s` the time of day in seconds.
    """

    def __init__(
        self,
        store: EventStore,
        lines: tuple[str, ...],
        *,
        settings: Settings | None = None,
        simulated: bool = False,
        driver: Driver | None = None,
        profile_name: str = "",
        cradles: int | None = None,
        sources: tuple[str, ...] = (),
        clock_ns: Callable[[], int] = time.monotonic_ns,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self.lines = lines
        self.driver = driver
        self.profile_name = profile_name
        self.cradles = cradles
        self.settings = settings or Settings()
        self._sources = sources
        self._clock_ns = clock_ns
        self._wall_s = wall_s
        self._listeners: list[Listener] = []
        self._faults: dict[str, Text] = {}
        self._inbox: deque[Input | Request] = deque()
        self._stream: Iterator[Happening] | None = None
        self._unsaved: model.Judged | model.Armed | model.Late | None = None
        self._dirty = False
        self._line_of: dict[int, str] = {}
        self._watched = Watch(())
        self._armed: Watch | None = None
        super().__init__(store)
        self._live = Live(evening=store.evening, simulated=simulated, rearm_ns=self.settings.rearm_ns)
        self._resume()
        self.snapshot = cued(None, make(self.evening, self._live))

    # ---- coming back after a stop

    def _resume(self) -> None:
        """Take up the evening of the store; a round that a power cut left open is void."""
        self.evening = log.fold(self.store.events())
        run = self.evening.run
        if run is not None and not run.finished:
            self.settings = msgspec.structs.replace(self.settings, rearm_ns=run.started.rearm_ns)
            self._change(rearm_ns=run.started.rearm_ns)
        self.referee = Referee(self._identity(), self.settings, self._sources)
        if self.evening.open_round:
            why = text("The table was switched off in the middle of the round.")
            self._append(self._judged_event(model.Verdict(void=why), (), opened=True))
        self._bind_run()
        self._watch()

    def _identity(self) -> dict[str, int]:
        return {line: number for number, line in enumerate(self.lines, 1)}

    def _bind_run(self) -> None:
        run = self.evening.run
        if run is not None and not run.finished:
            self._bind({line: seat for seat, line in enumerate(run.started.lines, 1) if line})
        else:
            self._bind(self._identity())

    def _bind(self, lines: dict[str, int]) -> None:
        """Tell the referee which line is whose; no round may be armed."""
        self.referee.bind(lines)
        self._line_of = {seat: line for line, seat in lines.items()}

    # ---- inputs

    def feed(self, item: Input | Request) -> None:
        """Take an input of a source, or a request; what follows from it is stored and shown."""
        self._inbox.append(item)
        self._pump()

    def _pump(self) -> None:
        """Work off what has come in; stop at an event that cannot be stored, and go on from there later."""
        while True:
            if self._unsaved is not None and not self._save(self._unsaved):
                return
            happening = next(self._stream, None) if self._stream is not None else None
            if happening is not None:
                self._happened(happening)
            elif self._inbox:
                self._stream = self.referee.feed(self._inbox.popleft())
            else:
                self._stream = None
                return

    @property
    def waits_for_disk(self) -> bool:
        """Whether an event could not be stored; call `retry` from time to time."""
        return self._unsaved is not None

    def retry(self) -> None:
        """Try again to store what the disk did not take."""
        self._pump()

    def take(self, happening: Happening) -> None:
        """Take what the referee has said elsewhere (of a tape)."""
        self._happened(happening)

    def _happened(self, happening: Happening) -> None:
        match happening:
            case model.Armed() | model.Judged() | model.Late():
                self._save(happening)
            case model.Blocked():
                self._change(blocked=happening.seats, blocked_lines=happening.lines)
            case model.Pressed():
                self._pressed(happening)
            case model.Released():
                self._change(
                    down=self._live.down - {self._line_of[happening.seat]},
                    blocked=tuple(seat for seat in self._live.blocked if seat != happening.seat),
                )
            case model.Lifted() | model.PutBack():
                self._spoon_moved(happening)
            case model.Confirmed():
                self._counted(happening.press.seat)
            case model.Phantom():
                self._change(phantoms=self._live.phantoms | {happening.press.seat})
            case model.HostPress():
                self._host_pressed(happening)
            case model.Noisy():
                self._fault(
                    "noise",
                    text(
                        "{line} keeps changing: check its button and wires.",
                        line=self._called(happening.line),
                    ),
                )
            case model.BrokenPromise():
                self._fault(
                    "late",
                    text(
                        "An edge of {line} came too late to be judged; the round may be void.",
                        line=self._called(happening.line),
                    ),
                )

    def _called(self, line: str) -> str:
        """Return *line* with the player whose it is, if it is somebody's."""
        run = self.evening.run
        seat = next((seat for seat, one in self._line_of.items() if one == line), None)
        if run is None or seat is None:
            return line
        return f"{run.player(seat)} ({line})"

    def _save(self, happening: model.Armed | model.Judged | model.Late) -> bool:
        """Store what the referee said; on failure keep it, say so and return False."""
        try:
            self._store(happening)
        except StoreError as problem:
            self._unsaved = happening
            self._fault("disk", problem.text)
            return False
        self._unsaved = None
        self._fault("disk", None)
        return True

    def _store(self, happening: model.Armed | model.Judged | model.Late) -> None:
        match happening:
            case model.Armed():
                self._append(log.Armed(by=BOX, at=self._wall_s(), t_ns=happening.t_ns, seats=happening.seats))
                self._armed = msgspec.structs.replace(self._watched, seats=happening.seats)
                self._fault("noise", None)
                self._fault("late", None)
                self._clean(armed=True, asked=False, rack=self._armed.rack)
            case model.Judged():
                verdict = happening.verdict
                opened = bool(verdict.presses or verdict.lifts) or self._live.opened
                self._append(self._judged_event(verdict, happening.inputs, opened=opened))
                self._disarmed()
                self._watch()
            case model.Late():
                of = self.last_judged()
                if of:
                    event = log.Late(
                        by=BOX, at=self._wall_s(), of=of, verdict=happening.verdict, inputs=happening.inputs
                    )
                    self._append(event)

    def _judged_event(self, verdict: model.Verdict, inputs: tuple[Input, ...], *, opened: bool) -> log.Judged:
        return log.Judged(
            by=BOX,
            at=self._wall_s(),
            verdict=verdict,
            confirm_ns=self.settings.confirm_ns,
            lockout_ns=self.settings.lockout_ns,
            hold=self._armed.hold if self._armed else False,
            rack=self._armed.rack if self._armed else None,
            opened=opened,
            inputs=inputs,
        )

    def _disarmed(self) -> None:
        self._armed = None
        self._clean(armed=False)

    def _clean(self, **changes: Any) -> None:
        """Show nothing of the round before any more, and make *changes*."""
        nobody: frozenset[int] = frozenset()
        self._change(opened=False, pressed=nobody, lifted=nobody, phantoms=nobody)
        self._change(blocked=(), blocked_lines=(), **changes)

    def _pressed(self, happening: model.Pressed) -> None:
        seat = happening.press.seat
        line = self._line_of[seat]
        self._change(down=self._live.down | {line})
        if happening.counts:
            self._counted(seat)
        if self._live.binding is not None:
            others = {player: bound for player, bound in self._live.bindings.items() if bound != line}
            self._change(binding=None, bindings={**others, self._live.binding: line})

    def _counted(self, seat: int) -> None:
        live = self._live
        self._change(opened=True, pressed=live.pressed | {seat}, phantoms=live.phantoms - {seat})

    def _spoon_moved(self, happening: model.Lifted | model.PutBack) -> None:
        """Show a spoon as gone or back; a round in which there was only a feint has not opened."""
        live = self._live
        if isinstance(happening, model.Lifted):
            self._change(opened=True, lifted=live.lifted | {happening.lift.cradle})
            return
        lifted = live.lifted - {happening.cradle}
        opened = live.opened and not (happening.feint and not lifted and not live.pressed)
        self._change(opened=opened, lifted=lifted)

    def _host_pressed(self, happening: model.HostPress) -> None:
        """Do what the host button asks."""
        raise NotImplementedError

    # ---- keeping referee and log together

    def _append(self, *events: log.AnyEvent) -> None:
        """Check that *events* fit, keep them, and take the evening on."""
        trial = self.evening
        for event in events:
            trial = log.apply(trial, trial.seq + 1, event)
        evening = self.evening
        for seq, event in zip(self.store.append(*events), events, strict=True):
            evening = log.apply(evening, seq, event)
        self.evening = evening
        self._dirty = True

    def _end_round(self, why: Text) -> None:
        """Void the round that is armed, if one is, and store that."""
        if self._armed is None:
            return
        judged = self.referee.void(why)
        if judged is not None:
            self._store(judged)

    def _watch(self) -> None:
        """Tell the referee whom the game wants watched in the next round."""
        run = self.evening.run
        asked = run.asks if run is not None else ()
        self._watched = next((ask for ask in asked if isinstance(ask, Watch)), Watch(()))
        self.referee.watch(self._watched.seats, self._watched.hold, self._watched.rack)

    # ---- what is shown

    def _change(self, **changes: Any) -> None:
        self._live = msgspec.structs.replace(self._live, **changes)
        self._dirty = True

    def _fault(self, name: str, says: Text | None) -> None:
        """Show *says* as the fault of *name* until it is None again."""
        if self._faults.get(name) == says:
            return
        if says is None:
            del self._faults[name]
        else:
            self._faults[name] = says
        self._change(faults=tuple(self._faults.values()))

    report = _fault

    def publish(self) -> Snapshot:
        """Make the snapshot anew if anything changed, and hand it to every listener."""
        if self._dirty:
            self._dirty = False
            self._live = msgspec.structs.replace(self._live, version=self._live.version + 1)
            self.snapshot = cued(self.snapshot, make(self.evening, self._live))
            for listener in tuple(self._listeners):
                listener(self.snapshot)
        return self.snapshot

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every new snapshot, on the table's thread; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
