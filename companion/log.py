"""The evening as the fold of its events (`companion.events`); sums are derived, never stored (law 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.authors import author
from companion.errors import BadInput, CompanionError, IllegalMove, NotNow
from companion.events import (
    DECODER,
    ENCODER,
    Agreed,
    Amended,
    AnyEvent,
    Armed,
    Event,
    Finished,
    Forgotten,
    Judged,
    Late,
    Played,
    Redone,
    Saved,
    Started,
    Undone,
)
from companion.games import Game, get_game
from companion.games.asks import Ask
from companion.games.variations import Variation, kept
from companion.model import Verdict
from companion.text import text

_MOST_UNDONE = 50  # steps that can be put back with one touch; the history puts back any

__all__ = [
    "DECODER",
    "ENCODER",
    "Agreed",
    "Amended",
    "AnyEvent",
    "Armed",
    "Correction",
    "Entry",
    "Evening",
    "Event",
    "Finished",
    "Forgotten",
    "Judged",
    "Late",
    "Played",
    "Redone",
    "Run",
    "Saved",
    "Started",
    "TakenBack",
    "Undone",
    "apply",
    "corrected",
    "effective_move",
    "find",
    "fold",
    "is_void",
    "replayed",
    "toggled",
    "variations",
    "voidable",
]


class Correction(msgspec.Struct, frozen=True):
    """An amendment of an entry, by whom, and whether it stands."""

    seq: int
    by: str
    move: dict[str, Any]
    stands: bool = True


class TakenBack(msgspec.Struct, frozen=True):
    """What could be put back: the log number of an entry or amendment, and who took it back."""

    seq: int
    by: str


class Entry(msgspec.Struct, frozen=True):
    """A judged round, a move or an early finish, as it stands now.

    `verdict` is what was judged (completed by late presses), `move` what the table played; both None for a
    finish. `number` counts the listed rounds of the game, 0 for what is no round; `late` are the log
    numbers of its late presses.
    """

    seq: int
    by: str
    at: float
    number: int = 0
    verdict: Verdict | None = None
    move: dict[str, Any] | None = None
    armed_seq: int = 0
    late: tuple[int, ...] = ()
    listed: bool = True
    stands: bool = True
    corrections: tuple[Correction, ...] = ()

    @property
    def ends(self) -> bool:
        """Whether this is an early finish."""
        return self.verdict is None and self.move is None

    @property
    def correction(self) -> dict[str, Any] | None:
        """The amendment that holds now."""
        return next((c.move for c in reversed(self.corrections) if c.stands), None)


class Run(msgspec.Struct, frozen=True):
    """One game of the evening: how it began, its entries, and the game's state before them and after each."""

    seq: int
    started: Started
    states: tuple[Any, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def game(self) -> Game:
        """The rules."""
        return get_game(self.started.game)

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.states[-1]

    @property
    def ended(self) -> bool:
        """Whether the table ended it."""
        return any(e.stands and e.ends for e in self.entries)

    @property
    def finished(self) -> bool:
        """Whether the table ended it, or its rules did."""
        return self.ended or self.game.outcome(self.state) is not None

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What the table is asked now; when the rules have ended the game, what may still change that."""
        return () if self.ended else self.game.asks(self.state)

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*."""
        return self.started.players[seat - 1]


class Evening(msgspec.Struct, frozen=True):
    """All that has happened since the evening began.

    `open_round` is the log number of an `Armed` not judged yet, 0 when there is none. `undone` lists what can
    be put back, the newest last; a new round empties it, a new entry takes out what its author took back and
    what does not fit any more.
    """

    seq: int = 0
    runs: tuple[Run, ...] = ()
    open_round: int = 0
    undone: tuple[TakenBack, ...] = ()

    @property
    def run(self) -> Run | None:
        """The newest game."""
        return self.runs[-1] if self.runs else None


def effective_move(entry: Entry, run: Run) -> Any:
    """Return what *entry* does to the game now, or None when it does nothing.

    Raises BadInput when an amendment is not a move of the game.
    """
    if not entry.stands:
        return None
    correction = entry.correction
    if correction is not None:
        return corrected(entry, correction, run)
    if entry.verdict is not None:
        return None if entry.verdict.void is not None else entry.verdict
    return None if entry.move is None else run.game.read_move(entry.move)


def corrected(entry: Entry, move: Mapping[str, Any], run: Run) -> Any:
    """Return the move that an amendment stands for; None when the entry is not to count."""
    kind = move.get("type")
    if kind == "void":
        return None
    if kind != "last":
        return run.game.read_move(move)
    seats = move.get("seats")
    known = range(1, len(run.started.players) + 1)
    if not isinstance(seats, list | tuple) or not seats or any(s not in known for s in seats):
        raise BadInput(
            text("Say which seats were last, as numbers from 1 to {n}.", n=len(run.started.players))
        )
    judged = entry.verdict or Verdict()
    order = (*(s for s in judged.order if s not in seats), *(s for s in judged.order if s in seats))
    return Verdict(
        order=order,
        last=tuple(sorted(set(seats))),
        dead_heat=len(set(seats)) > 1,
        presses=judged.presses,
        unseen=judged.unseen,
    )


def replayed(run: Run, entries: tuple[Entry, ...]) -> Run:
    """Return *run* with *entries*, every state worked out anew.

    Raises IllegalMove or BadInput when they do not fit each other.
    """
    states = [run.states[0]]
    for entry in entries:
        move = effective_move(entry, run)
        states.append(states[-1] if move is None else run.game.play(states[-1], move))
    return msgspec.structs.replace(run, states=tuple(states), entries=entries)


def variations(events: Iterable[AnyEvent]) -> tuple[Variation, ...]:
    """Return the variations that *events* have saved and not deleted, by name."""
    return kept(
        Variation(event.name, event.game, event.options) if isinstance(event, Saved) else event.name
        for event in events
        if isinstance(event, Saved | Forgotten)
    )


def fold(records: Iterable[tuple[int, AnyEvent]]) -> Evening:
    """Return the evening that *records* (log number, event) tell."""
    evening = Evening()
    for seq, event in records:
        evening = apply(evening, seq, event)
    return evening


def apply(evening: Evening, seq: int, event: AnyEvent) -> Evening:
    """Return the evening after *event*, which has log number *seq*.

    Raises a CompanionError, and changes nothing, when the event does not fit.
    """
    evening = msgspec.structs.replace(evening, seq=seq)
    match event:
        case Started():
            return _started(evening, seq, event)
        case Armed():
            return msgspec.structs.replace(evening, open_round=seq)
        case Undone() | Redone():
            return _toggled(evening, event.of, event.by, isinstance(event, Redone))
        case Amended():
            return _amended(evening, seq, event)
        case Agreed():
            return _agreed(evening, event)
        case Late():
            return _late(evening, seq, event)
        case Saved() | Forgotten():
            return evening
        case _:
            return _appended(evening, seq, event)


def _started(evening: Evening, seq: int, event: Started) -> Evening:
    game = get_game(event.game)
    state = game.new(event.players, game.read_options(event.options))
    run = Run(seq=seq, started=event, states=(state,))
    return msgspec.structs.replace(evening, runs=(*evening.runs, run), open_round=0, undone=())


def _agreed(evening: Evening, event: Agreed) -> Evening:
    """Play the game as if it had begun with other options; raise when they are settled, or do not fit."""
    run = evening.run
    if run is None or run.finished:
        raise NotNow(text("No game is being played: start one first."))
    game = run.game
    sheet = game.sheet(run.state)
    if sheet is None:
        raise NotNow(text("Start {game} again to play it with other options.", game=game.title))
    if sheet.lines[0].complete:
        settled = text(
            "The first hand is scored: {game} goes on with the options it began with.", game=game.title
        )
        raise IllegalMove(game.agreed, settled) if game.agreed else NotNow(settled)
    state = game.new(run.started.players, game.read_options(event.options))
    started = msgspec.structs.replace(run.started, options=event.options)
    anew = replayed(msgspec.structs.replace(run, started=started, states=(state,)), run.entries)
    return msgspec.structs.replace(evening, runs=(*evening.runs[:-1], anew), undone=())


def _appended(evening: Evening, seq: int, event: Judged | Played | Finished) -> Evening:
    run = evening.run
    if run is None:
        raise BadInput(text("No game has been started yet."))
    if run.finished and not (isinstance(event, Played) and run.asks):
        raise BadInput(text("The game is over: start another, or undo."))
    entry = Entry(seq=seq, by=event.by, at=event.at)
    if isinstance(event, Judged):
        number = 1 + sum(1 for e in run.entries if e.verdict is not None and e.listed) if event.opened else 0
        entry = msgspec.structs.replace(
            entry, number=number, verdict=event.verdict, armed_seq=evening.open_round, listed=event.opened
        )
        evening = msgspec.structs.replace(evening, open_round=0)
    elif isinstance(event, Played):
        entry = msgspec.structs.replace(entry, move=event.move)
    move = effective_move(entry, run)
    state = run.state if move is None else run.game.play(run.state, move)
    run = msgspec.structs.replace(run, states=(*run.states, state), entries=(*run.entries, entry))
    evening = msgspec.structs.replace(evening, runs=(*evening.runs[:-1], run))
    if isinstance(event, Judged):
        return msgspec.structs.replace(evening, undone=()) if event.opened else evening
    return _after_entry_of(evening, event.by)


def _after_entry_of(evening: Evening, by: str) -> Evening:
    """Return *evening* with only that to be put back which others took back and which still fits."""
    left = tuple(back for back in evening.undone if author(back.by) != author(by) and _fits(evening, back))
    return msgspec.structs.replace(evening, undone=left)


def _fits(evening: Evening, back: TakenBack) -> bool:
    try:
        _toggled(evening, back.seq, back.by, stands=True)
    except CompanionError:
        return False
    return True


def _late(evening: Evening, seq: int, event: Late) -> Evening:
    index, run, entry = find(evening, event.of)
    changed = msgspec.structs.replace(entry, verdict=event.verdict, late=(*entry.late, seq))
    return _put(evening, index, run, changed)


def _amended(evening: Evening, seq: int, event: Amended) -> Evening:
    index, run, entry = find(evening, event.of)
    if entry.seq != event.of or entry.ends:
        raise BadInput(text("Entry {seq} cannot be corrected.", seq=event.of))
    if not entry.stands:
        raise BadInput(text("Entry {seq} was taken back: put it back first.", seq=event.of))
    correction = Correction(seq, event.by, dict(event.move))
    changed = msgspec.structs.replace(entry, corrections=(*entry.corrections, correction))
    return _after_entry_of(_put(evening, index, run, changed), event.by)


def _toggled(evening: Evening, of: int, by: str, stands: bool) -> Evening:
    index, run, entry = find(evening, of)
    changed = toggled(entry, of, stands=stands)
    if changed == entry:
        raise NotNow(text("Entry {seq} is that way already.", seq=of))
    undone = tuple(back for back in evening.undone if back.seq != of)
    if not stands:
        undone = (*undone, TakenBack(of, by))[-_MOST_UNDONE:]
    return msgspec.structs.replace(_put(evening, index, run, changed), undone=undone)


def toggled(entry: Entry, of: int, *, stands: bool) -> Entry:
    """Return *entry* with itself, or its amendment with log number *of*, taken back or put back."""
    if entry.seq == of:
        return msgspec.structs.replace(entry, stands=stands)
    corrections = tuple(
        msgspec.structs.replace(made, stands=stands) if made.seq == of else made for made in entry.corrections
    )
    return msgspec.structs.replace(entry, corrections=corrections)


def _put(evening: Evening, index: int, run: Run, entry: Entry) -> Evening:
    """Return *evening* with *entry* as it is now, and everything after it worked out anew."""
    place = next(n for n, one in enumerate(run.entries) if one.seq == entry.seq)
    rest = (entry, *run.entries[place + 1 :])
    try:
        changed = replayed(msgspec.structs.replace(run, states=run.states[place:]), rest)
        run = msgspec.structs.replace(
            run, states=(*run.states[:place], *changed.states), entries=(*run.entries[:place], *rest)
        )
    except IllegalMove as problem:
        why = text("That does not fit what was played afterwards: {why}", why=problem.text)
        raise IllegalMove(problem.rule, why) from problem
    runs = (*evening.runs[:index], run, *evening.runs[index + 1 :])
    return msgspec.structs.replace(evening, runs=runs)


def find(evening: Evening, seq: int) -> tuple[int, Run, Entry]:
    """Return the game (its index and run) and the entry that *seq* is, or is an amendment of."""
    for index, run in enumerate(evening.runs):
        for entry in run.entries:
            if entry.seq == seq or any(c.seq == seq for c in entry.corrections):
                return index, run, entry
    raise BadInput(text("There is no entry {seq} this evening.", seq=seq))


def is_void(entry: Entry) -> bool:
    """Return whether *entry* is a judged round that does not count."""
    correction = entry.correction
    if correction is not None:
        return correction.get("type") == "void"
    return entry.verdict is not None and entry.verdict.void is not None


def voidable(run: Run) -> Entry | None:
    """Return the newest round of *run* if it can be taken out of the count: it counts, and there is one."""
    listed = [entry for entry in run.entries if entry.verdict is not None and entry.listed and entry.stands]
    return None if not listed or is_void(listed[-1]) else listed[-1]
