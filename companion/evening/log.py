"""The evening as the fold of its `events`; sums are derived, never stored (law 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow
from companion.core.growing import Growing
from companion.core.model import Verdict
from companion.core.text import text
from companion.evening.authors import author
from companion.evening.entries import effective_move, find, replayed, running, toggled
from companion.evening.events import (
    Agreed,
    Amended,
    AnyEvent,
    Finished,
    Forgotten,
    Kept,
    Played,
    Protested,
    Redone,
    RoundArmed,
    RoundJudged,
    Saved,
    SignedOff,
    Started,
    Undone,
    VerdictCompleted,
    VerdictContested,
    VerdictWithdrawn,
    ZeroTested,
)
from companion.evening.going_on import gone_on
from companion.evening.state import Correction, Entry, Evening, LodgedProtest, Match, TakenBack
from companion.games import get_game
from companion.games.rules.sheet import Sheet, SheetRow
from companion.games.rules.variations import Variation, kept

_MOST_UNDONE = 50  # steps that can be put back with one touch; the history puts back any


def variations(events: Iterable[AnyEvent]) -> tuple[Variation, ...]:
    """Return the variations that *events* have saved and not deleted, by name."""
    return kept(
        Variation(event.name, event.game, event.options) if isinstance(event, Saved) else event.name
        for event in events
        if isinstance(event, Saved | Forgotten)
    )


def fold(records: Iterable[tuple[int, AnyEvent]]) -> Evening:
    """Return the evening that *records* (log number, event) tell."""
    return fold_on(Evening(), records)


def fold_on(evening: Evening, records: Iterable[tuple[int, AnyEvent]]) -> Evening:
    """Return *evening* taken on by *records*."""
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
        case RoundArmed():
            return msgspec.structs.replace(evening, open_round=seq, open_seats=event.seats)
        case Undone() | Redone():
            return _toggled(evening, event.of, event.by, isinstance(event, Redone))
        case Amended():
            return _amended(evening, seq, event)
        case Agreed():
            return _agreed(evening, event)
        case VerdictCompleted():
            return _late(evening, seq, event)
        case VerdictWithdrawn():
            return _withdrawn(evening, seq, event)
        case VerdictContested():
            return _contested(evening, seq, event.of, event.verdict)
        case Protested():
            return _protested(evening, event)
        case ZeroTested():
            return msgspec.structs.replace(evening, zeros=(*evening.zeros, event))
        case Kept():
            return _kept(evening, event)
        case SignedOff():
            return _signed_off(evening, event)
        case Saved() | Forgotten():
            return evening
        case _:
            return _appended(evening, seq, event)


def _started(evening: Evening, seq: int, event: Started) -> Evening:
    game = get_game(event.game)
    if len(event.lines) != len(event.players):
        raise BadInput(text("A game has as many lines as players: an empty one for who has no nose."))
    state = game.new(event.players, game.read_options(event.options))
    if event.carried is not None:
        state = game.taken_up(state, event.carried)
    match, before = Match(seq=seq, started=event, states=Growing((state,))), evening.match
    if before is not None:
        match = msgspec.structs.replace(match, number=before.number + 1)
        if event.carried is not None and before.entries and before.entries[-1].ends:
            evening = _parted(evening, before, event.players)
            match = msgspec.structs.replace(
                match,
                number=before.number,
                rounds_before=before.rounds,
                circle_before=before.started.players,
            )
    matches = (*evening.matches, match)
    return msgspec.structs.replace(evening, matches=matches, open_round=0, undone=(), parted={})


def _parted(evening: Evening, before: Match, players: tuple[str, ...]) -> Evening:
    """Return *evening* with *before* not ended, but gone on from with *players*."""
    ending = before.entries[-1]
    entry = msgspec.structs.replace(ending, regrouped=players)
    return _put(evening, len(evening.matches) - 1, before, entry)


def _agreed(evening: Evening, event: Agreed) -> Evening:
    """Play the game as if it had begun with other options; raise when they do not fit.

    Older logs may have them changed later than `check_agreeing` lets; they are read as they were written.
    """
    match, _ = _on_a_sheet(evening)
    game = match.game
    state = game.new(match.started.players, game.read_options(event.options))
    started = msgspec.structs.replace(match.started, options=event.options)
    anew = replayed(msgspec.structs.replace(match, started=started, states=Growing((state,))), match.entries)
    return msgspec.structs.replace(evening, matches=(*evening.matches[:-1], anew), undone=())


def check_agreeing(evening: Evening) -> None:
    """Raise when the game's options are settled: from the first entry on, or without a sheet (CHK-11)."""
    match, sheet = _on_a_sheet(evening)
    game = match.game
    if any(_written(line) for line in sheet.lines):
        settled = text(
            "Something is written already: {game} goes on with the options it began with.", game=game.title
        )
        raise IllegalMove(game.agreed, settled) if game.agreed else NotNow(settled)


def _on_a_sheet(evening: Evening) -> tuple[Match, Sheet]:
    """Return the game that is played and its sheet; raise NotNow without one."""
    match = running(evening)
    sheet = match.game.sheet(match.state)
    if sheet is None:
        raise NotNow(text("Start {game} again to play it with other options.", game=match.game.title))
    return match, sheet


def _written(line: SheetRow) -> bool:
    """Return whether anything has been entered for the hand *line*."""
    return bool(line.marks) or any(cell.points is not None or cell.notes for cell in line.cells)


def _appended(evening: Evening, seq: int, event: RoundJudged | Played | Finished) -> Evening:
    match = evening.match
    if match is None:
        raise BadInput(text("No game has been started yet."))
    if match.finished and not (isinstance(event, Played) and match.asks):
        raise BadInput(text("The game is over: start another, or undo."))
    entry = Entry(seq=seq, by=event.by, at=event.at, place=len(match.entries))
    if isinstance(event, RoundJudged):
        entry = _as_judged(entry, event, evening, match)
        evening = msgspec.structs.replace(evening, open_round=0)
    elif isinstance(event, Played):
        entry = msgspec.structs.replace(entry, move=event.move)
    move = effective_move(entry, match)
    state = match.state if move is None else match.game.play(match.state, move)
    special = {**match.special, entry.place: entry} if entry.ends else match.special
    writers = match.writers if not entry.listed else match.writers | {author(entry.by)}
    made = msgspec.structs.replace(
        match,
        states=match.states.plus(state),
        entries=match.entries.plus(entry),
        special=special,
        writers=writers,
        was=None if entry.number else match.was,
    )
    match = _signed_as(match, made)
    evening = msgspec.structs.replace(evening, matches=(*evening.matches[:-1], match))
    if isinstance(event, RoundJudged):
        return msgspec.structs.replace(evening, undone=()) if event.opened else evening
    return _after_entry_of(evening, event.by)


def _as_judged(entry: Entry, event: RoundJudged, evening: Evening, match: Match) -> Entry:
    return msgspec.structs.replace(
        entry,
        number=1 + match.rounds if event.opened else 0,
        verdict=event.verdict,
        armed_seq=evening.open_round,
        listed=event.opened,
        taped=bool(event.inputs),
        seats=evening.open_seats if evening.open_round else (),
        zero=evening.zero,
    )


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


def _late(evening: Evening, seq: int, event: VerdictCompleted) -> Evening:
    """Take what is known of the round by now; what does not fit what was played is left to the table."""
    index, match, entry = find(evening, event.of)
    changed = msgspec.structs.replace(entry, verdict=event.verdict, late=(*entry.late, seq))
    try:
        return _put(evening, index, match, changed)
    except IllegalMove:
        return _contested(evening, seq, event.of, event.verdict)


def _withdrawn(evening: Evening, seq: int, event: VerdictWithdrawn) -> Evening:
    """Void the round; where the table has built on it already, leave it to the table."""
    index, match, entry = find(evening, event.of)
    changed = msgspec.structs.replace(
        entry, verdict=event.verdict, late=(*entry.late, seq), withdrawn=entry.verdict
    )
    try:
        return _put(evening, index, match, changed)
    except IllegalMove:
        return _contested(evening, seq, event.of, event.verdict)


def _contested(evening: Evening, seq: int, of: int, verdict: Verdict) -> Evening:
    index, match, entry = find(evening, of)
    changed = msgspec.structs.replace(entry, late=(*entry.late, seq), contest=verdict, kept=False)
    return _put(evening, index, match, changed)


def _protested(evening: Evening, event: Protested) -> Evening:
    index, match, entry = find(evening, event.of)
    if entry.seq != event.of or entry.verdict is None or not entry.stands:
        raise BadInput(text("Entry {seq} is no verdict that could be protested.", seq=event.of))
    protest = LodgedProtest(event.by, event.at, event.reason, event.verdict)
    changed = msgspec.structs.replace(entry, protest=protest, kept=False)
    if not protest.upholds(entry.verdict):
        changed = msgspec.structs.replace(changed, contest=event.verdict)
    return _put(evening, index, match, changed)


def _kept(evening: Evening, event: Kept) -> Evening:
    index, match, entry = find(evening, event.of)
    if not (entry.contested or entry.protested):
        raise NotNow(text("Entry {seq} is neither contested nor protested.", seq=event.of))
    return _put(evening, index, match, msgspec.structs.replace(entry, kept=True, kept_why=event.reason))


def _signed_off(evening: Evening, event: SignedOff) -> Evening:
    match = evening.match
    if match is None or match.seq != event.of or not match.finished:
        raise NotNow(text("Only a game that is over can be signed off."))
    if match.signed_by:
        raise NotNow(text("This result is signed off already."))
    signed = msgspec.structs.replace(match, signed_by=event.by)
    return msgspec.structs.replace(evening, matches=(*evening.matches[:-1], signed))


def _amended(evening: Evening, seq: int, event: Amended) -> Evening:
    index, match, entry = find(evening, event.of)
    if entry.seq != event.of or entry.ends:
        raise BadInput(text("Entry {seq} cannot be corrected.", seq=event.of))
    if not entry.stands:
        raise BadInput(text("Entry {seq} was taken back: put it back first.", seq=event.of))
    correction = Correction(seq, event.by, dict(event.move))
    changed = msgspec.structs.replace(entry, corrections=(*entry.corrections, correction))
    return _after_entry_of(_put(evening, index, match, changed), event.by)


def _toggled(evening: Evening, of: int, by: str, stands: bool) -> Evening:
    index, match, entry = find(evening, of)
    changed = toggled(entry, of, stands=stands)
    if changed == entry:
        raise NotNow(text("Entry {seq} is that way already.", seq=of))
    undone = tuple(back for back in evening.undone if back.seq != of)
    if not stands:
        undone = (*undone, TakenBack(of, by))[-_MOST_UNDONE:]
    evening = msgspec.structs.replace(_put(evening, index, match, changed), undone=undone)
    if not entry.regrouped or entry.seq != of:
        return evening
    return _rejoined(evening, index, of) if stands else _split(evening, index, of)


def _split(evening: Evening, index: int, of: int) -> Evening:
    """Take back the match after *index*, to which entry *of* had led; raise NotNow when it was played."""
    matches, taken = evening.matches[: index + 1], evening.matches[index + 1]
    if len(evening.matches) > index + 2 or any(one.stands and one.listed for one in taken.entries):
        raise NotNow(text("Something was played since somebody came or went: take that back first."))
    parted = {**evening.parted, of: taken}
    return msgspec.structs.replace(evening, matches=matches, parted=parted, open_round=0)


def _rejoined(evening: Evening, index: int, of: int) -> Evening:
    """Put the match to which entry *of* had led back after match *index*; raise NotNow when that is over."""
    taken, match = evening.parted.get(of), evening.matches[index]
    ending = next(place for place, one in match.special.items() if one.seq == of)
    later = match.entries[ending + 1 :]
    if taken is None or len(evening.matches) > index + 1 or any(one.listed for one in later):
        raise NotNow(text("Something was played since: say anew who comes or goes."))
    parted = {seq: one for seq, one in evening.parted.items() if seq != of}
    return msgspec.structs.replace(evening, matches=(*evening.matches, taken), parted=parted, open_round=0)


def _put(evening: Evening, index: int, match: Match, entry: Entry) -> Evening:
    """Return *evening* with *entry* as it is now, and everything after it worked out anew."""
    place, former, before = entry.place, match.entries[entry.place], match
    try:
        stood = match.state
        match = replayed(match, (entry, *match.entries[place + 1 :]), place)
        if match.was is None and match.state != stood:
            match = msgspec.structs.replace(match, was=stood)
        changed_by_hand = (former.stands, former.corrections) != (entry.stands, entry.corrections)
        if changed_by_hand:
            match = msgspec.structs.replace(match, writers=_writers(match))
        disputed = (former.contest, former.protest) != (entry.contest, entry.protest)
        if changed_by_hand or disputed or place in match.special:
            match = msgspec.structs.replace(match, special={**match.special, place: entry})
    except IllegalMove as problem:
        why = text("That does not fit what was played afterwards: {why}", why=problem.text)
        raise IllegalMove(problem.rule, why) from problem
    if index == len(evening.matches) - 1:  # only the newest can be signed off again
        match = _signed_as(before, match)
    matches = (*evening.matches[:index], match, *evening.matches[index + 1 :])
    return gone_on(msgspec.structs.replace(evening, matches=matches), index, before)


def _signed_as(before: Match, match: Match) -> Match:
    """Return *match* with the signature of *before* only if that is for the same result."""
    if not match.signed_by or (match.finished and _result(before) == _result(match)):
        return match
    return msgspec.structs.replace(match, signed_by="")


def _result(match: Match) -> tuple[Any, ...]:
    """Return who has won or lost, and the points of everybody."""
    outcome = match.game.outcome(match.state)
    ends = None if outcome is None else (outcome.winners, outcome.losers)
    return ends, *(one.score for one in match.game.standings(match.state))


def _writers(match: Match) -> frozenset[str]:
    """Return the authors of what stands."""
    standing = [entry for entry in match.entries if entry.stands and entry.listed]
    made = [one.by for entry in standing for one in entry.corrections if one.stands]
    return frozenset(map(author, (*(entry.by for entry in standing), *made)))
