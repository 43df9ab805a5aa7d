"""The evening as the fold of its `events`; sums are derived, never stored (law 6)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import reduce

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.names import alike, tidy
from lastnose.companion.core.text import english, text
from lastnose.companion.evening.authors import author
from lastnose.companion.evening.events import (
    Agreed,
    Amended,
    AnyEvent,
    Finished,
    Forgotten,
    Kept,
    NameChanged,
    Played,
    Protested,
    Redone,
    RoundArmed,
    RoundDropped,
    RoundJudged,
    Saved,
    Seated,
    SignedOff,
    Started,
    Undone,
    VerdictCompleted,
    VerdictContested,
    VerdictWithdrawn,
    ZeroTested,
)
from lastnose.companion.evening.lobby import checked
from lastnose.companion.evening.people import identified, renamed
from lastnose.companion.evening.replay import (
    STRICT,
    Player,
    began_again,
    begun,
    called,
    passed_over,
    put,
    signed_as,
)
from lastnose.companion.evening.state import (
    Amending,
    Correction,
    Entry,
    Evening,
    LodgedProtest,
    Match,
    Seating,
    TakenBack,
    effective_move,
    find,
    running,
    toggled,
)
from lastnose.companion.games import Absent, game_named, is_others
from lastnose.companion.games.rules.sheet import Sheet, SheetRow
from lastnose.companion.games.rules.variations import Variation, kept

NOT_TO_SIGN = text("The game is not over, or signed off already.")
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
    """Return *evening* taken on by *records*, which are in a log.

    Older versions looked at one match only when something was corrected: what does not fit in a later one is
    passed over, and says so. A game of another package that refuses by now what it took then has changed: all
    of it is told without rules (`Absent`), and counts again with those of then.
    """
    for seq, event in records:
        try:
            evening = apply(evening, seq, event, written=True)
        except CompanionError as problem:
            evening = _without_rules(evening, seq, event, problem)
    return evening


def _without_rules(evening: Evening, seq: int, event: AnyEvent, problem: CompanionError) -> Evening:
    """Return *evening* after *event*, with the game that refuses it bare; raise *problem* if it is ours."""
    evening = msgspec.structs.replace(evening, seq=seq)
    if isinstance(event, Started):
        if not is_others(game_named(event.game)):
            raise problem
        return _started(evening, seq, event, changed=True)
    firsts = {match.number: index for index, match in reversed([*enumerate(evening.matches)])}
    games = [index for index in firsts.values() if is_others(evening.matches[index].game)]
    for changed in (*([index] for index in games), games):  # one of them, the newest first; else all
        with suppress(CompanionError):
            return apply(reduce(_told_bare, changed, evening), seq, event, written=True)
    of = getattr(event, "of", 0)
    match = find(evening, of)[1] if of else evening.match
    if match is None or not isinstance(match.game, Absent):
        raise problem
    return evening  # what only rules can take, such as other options


def _told_bare(evening: Evening, index: int) -> Evening:
    """Return *evening* with the game that match *index* begins told without its rules."""
    first = evening.matches[index]
    assert first.seating is not None
    made = began_again(
        evening, index, begun(first.seating, msgspec.structs.replace(first, changed=True))
    ).matches
    return msgspec.structs.replace(evening, matches=(*made[:-1], msgspec.structs.replace(made[-1], was=None)))


def apply(evening: Evening, seq: int, event: AnyEvent, *, written: bool = False) -> Evening:
    """Return the evening after *event*, which has log number *seq*.

    Raises a CompanionError, and changes nothing, when the event does not fit; *written*: see `fold_on`.
    """
    evening = msgspec.structs.replace(evening, seq=seq)
    match event:
        case Started():
            return _started(evening, seq, event)
        case Seated():
            return _seated(evening, seq, event)
        case NameChanged():
            return _renamed(evening, event)
        case RoundArmed():
            left = _left_out(evening, event)
            return msgspec.structs.replace(evening, open_round=seq, open_seats=event.seats, open_left=left)
        case RoundJudged() | Played() | Finished():
            return _appended(evening, seq, event, written=written)
        case RoundDropped():
            return msgspec.structs.replace(evening, open_round=0)
        case Undone() | Redone() | Amended():
            return _revised(evening, seq, event, written=written)
        case Agreed():
            return _agreed(evening, event)
        case VerdictCompleted() | VerdictWithdrawn():
            return _late(evening, seq, event)
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


def _revised(evening: Evening, seq: int, event: Undone | Redone | Amended, *, written: bool) -> Evening:
    """Return *evening* with an entry changed; one of its newest game may be what is asked about."""
    if find(evening, event.of)[1].number == evening.matches[-1].number:
        evening = msgspec.structs.replace(evening, revised=seq)
    if isinstance(event, Amended):
        return amend(evening, seq, event, written=written)
    return toggle(evening, event.of, event.by, stands=isinstance(event, Redone), written=written)


def _started(evening: Evening, seq: int, event: Started, *, changed: bool = False) -> Evening:
    if len(event.lines) != len(event.players):
        raise BadInput(
            english("A game has as many lines as players: an empty one for a player without a nose.")
        )
    before = evening.match
    if event.carried is not None and before is not None and before.entries and before.entries[-1].ends:
        return _sat_down(evening, _older_seating(before, seq, event), replacing=True)
    game = game_named(event.game, changed)
    game.new(event.players, game.read_options(event.options))  # in the names as they were typed
    people, circle = identified(evening.people, event.players)
    seating = Entry(
        seq=seq,
        by=event.by,
        at=event.at,
        listed=False,
        place=-1,
        seated=Seating(seq, circle, event.players, event.lines, event.rearm_ns),
    )
    number = 1 if before is None else before.number + 1
    match = begun(seating, Match(seq=seq, started=event, states=(), number=number, changed=changed))
    matches = (*evening.matches, match)
    return msgspec.structs.replace(evening, matches=matches, people=people, open_round=0, undone=())


def _older_seating(before: Match, seq: int, event: Started) -> Entry:
    """Return the end of the match *before*, in an older log, as the change of seats that it was."""
    seated = Seating(seq, (), event.players, event.lines, event.rearm_ns)
    return msgspec.structs.replace(before.entries[-1], seated=seated)


def _seated(evening: Evening, seq: int, event: Seated) -> Evening:
    match = running(evening)
    entry = Entry(seq=seq, by=event.by, at=event.at, place=len(match.entries))
    seated = Seating(seq, (), event.players, event.lines, event.rearm_ns)
    return _sat_down(evening, msgspec.structs.replace(entry, seated=seated), replacing=False)


def _sat_down(evening: Evening, entry: Entry, *, replacing: bool) -> Evening:
    """Return *evening* gone on with those whom *entry* names; *replacing*: the newest entry was no more."""
    before, seated = evening.matches[-1], entry.seated
    assert seated is not None
    people, circle = identified(evening.people, seated.players)
    entry = msgspec.structs.replace(entry, seated=msgspec.structs.replace(seated, circle=circle))
    if replacing:
        special = {at: one for at, one in before.special.items() if at != entry.place}
        before = msgspec.structs.replace(
            before,
            entries=before.entries[: entry.place],
            states=before.states[: entry.place + 1],
            special=special,
        )
    player = Player((*evening.matches[:-1], before), people, meant=entry.seq)
    player.play((entry,))
    return msgspec.structs.replace(
        evening, matches=tuple(player.matches), people=people, open_round=0, undone=()
    )


def _renamed(evening: Evening, event: NameChanged) -> Evening:
    """Return *evening* with a person called otherwise, from its beginning on."""
    person, people = renamed(evening.people, event.was, event.name)
    formerly = {**evening.formerly, alike(event.was): person}
    evening = msgspec.structs.replace(evening, people=people, formerly=formerly)
    return called(evening, person, people[person - 1])


def check_renaming(evening: Evening, was: str, name: str) -> str:
    """Return *name* as it is kept for who is called *was*; raise BadInput for one that nobody can go by.

    Raises NotNow for who has played in a hall's game, which knows its people by their names.
    """
    in_hall = {person for match in evening.matches if match.started.call for person in match.circle}
    if any(alike(evening.people[person - 1]) == alike(was) for person in in_hall):
        raise NotNow(text("{player} plays in a hall: names are changed at its desk.", player=was))
    return checked(name)


def _agreed(evening: Evening, event: Agreed) -> Evening:
    """Play the game as if it had begun with other options; raise when they do not fit.

    Older logs may have them changed later than `check_agreeing` lets; they are read as they were written.
    """
    _on_a_sheet(evening)
    index = evening.game_at(len(evening.matches) - 1).start
    first = evening.matches[index]
    assert first.seating is not None
    started = msgspec.structs.replace(first.started, options=event.options)
    renewed = begun(first.seating, msgspec.structs.replace(first, started=started))
    return msgspec.structs.replace(began_again(evening, index, renewed), undone=())


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
    sheet = match.now.sheet
    if sheet is None:
        raise NotNow(english("Start {game} again to play it with other options.", game=match.game.title))
    return match, sheet


def _written(line: SheetRow) -> bool:
    """Return whether anything has been entered for the hand *line*."""
    return bool(line.marks) or any(cell.points is not None or cell.notes for cell in line.cells)


def _appended(
    evening: Evening, seq: int, event: RoundJudged | Played | Finished, *, written: bool
) -> Evening:
    match = evening.match
    if match is None:
        raise BadInput(text("No game is being played: start one first."))
    if match.finished and not (isinstance(event, Played) and match.asks):
        raise BadInput(text("The game is over: start another, or undo."))
    entry = Entry(
        seq=seq,
        by=event.by,
        at=event.at,
        place=len(match.entries),
        under=match.seq,
        circle=match.circle,
    )
    if isinstance(event, RoundJudged):
        entry = _as_judged(entry, event, evening, match)
        evening = msgspec.structs.replace(evening, open_round=0)
    elif isinstance(event, Played):
        entry = msgspec.structs.replace(entry, move=event.move)
    state, entry = _made_of(entry, match, written=written)
    special = match.special
    if entry.ends or entry.unfit is not None:
        special = {**special, entry.place: entry}
    writers = match.writers if not entry.listed else match.writers | {author(entry.by)}
    made = msgspec.structs.replace(
        match,
        states=(*match.states, state),
        entries=(*match.entries, entry),
        special=special,
        writers=writers,
        was=None if entry.number else match.was,
    )
    if match.signed_by:
        made = signed_as(match, made)
    evening = msgspec.structs.replace(evening, matches=(*evening.matches[:-1], made))
    if isinstance(event, RoundJudged):
        return msgspec.structs.replace(evening, undone=()) if event.opened else evening
    return _after_entry_of(evening, event.by)


def _made_of(entry: Entry, match: Match, *, written: bool) -> tuple[object, Entry]:
    """Return the state after *entry*, and the entry.

    A move that is *written* already, by an older version, stands all the same, if the game has that, so that
    what follows still counts; else it is passed over.
    """
    move = effective_move(entry, match)
    try:
        return match.state if move is None else match.game.play(match.state, move), entry
    except IllegalMove as problem:
        if not written or entry.move is None or is_others(match.game):
            raise
        refused = problem
    anyway = _all_the_same(entry, refused.rule)
    try:
        return match.game.play(match.state, effective_move(anyway, match)), anyway
    except CompanionError:
        return match.state, passed_over(entry, refused.text)


def _all_the_same(entry: Entry, rule: str) -> Entry:
    """Return *entry* with a move that was written although *rule* says that it cannot be."""
    move = {**(entry.move or {}), "anyway": rule}
    if isinstance(cells := move.get("cells"), list):
        move["cells"] = [{**cell, "anyway": rule} for cell in cells if isinstance(cell, dict)]
    return msgspec.structs.replace(entry, move=move)


def _left_out(evening: Evening, event: RoundArmed) -> tuple[int, ...]:
    """Return without whom a question that was open goes on as *event* has it."""
    if not evening.open_round or event.since_ns is None:
        return ()
    return tuple(sorted({*evening.open_left, *evening.open_seats} - {*event.seats}))


def _as_judged(entry: Entry, event: RoundJudged, evening: Evening, match: Match) -> Entry:
    return msgspec.structs.replace(
        entry,
        number=1 + match.rounds if event.opened else 0,
        verdict=event.verdict,
        question=event.question,
        armed_seq=evening.open_round,
        listed=event.opened,
        taped=bool(event.inputs),
        seats=evening.open_seats if evening.open_round else (),
        left_out=evening.open_left if evening.open_round else (),
        zero=evening.zero,
    )


def _after_entry_of(evening: Evening, by: str) -> Evening:
    """Return *evening* with only that to be put back which others took back and which still fits."""
    left = tuple(back for back in evening.undone if author(back.by) != author(by) and _fits(evening, back))
    return msgspec.structs.replace(evening, undone=left)


def _fits(evening: Evening, back: TakenBack) -> bool:
    try:
        toggle(evening, back.seq, back.by, stands=True)
    except CompanionError:
        return False
    return True


def _late(evening: Evening, seq: int, event: VerdictCompleted | VerdictWithdrawn) -> Evening:
    """Take what is known of the round by now, or that it is void.

    What does not fit what was played, or where the table has built on it already, is left to the table.
    """
    index, _, entry = find(evening, event.of)
    entry = entry.written
    withdrawn = entry.verdict if isinstance(event, VerdictWithdrawn) else entry.withdrawn
    changed = msgspec.structs.replace(
        entry, verdict=event.verdict, late=(*entry.late, seq), withdrawn=withdrawn
    )
    try:
        return put(evening, index, changed)
    except CompanionError:
        return _contested(evening, seq, event.of, event.verdict)


def _contested(evening: Evening, seq: int, of: int, verdict: Verdict) -> Evening:
    index, _, entry = find(evening, of)
    entry = entry.written
    changed = msgspec.structs.replace(entry, late=(*entry.late, seq), contest=verdict, kept=False)
    return put(evening, index, changed)


def _protested(evening: Evening, event: Protested) -> Evening:
    index, _, entry = find(evening, event.of)
    entry = entry.written
    if entry.seq != event.of or entry.verdict is None or not entry.stands:
        raise BadInput(english("Entry {seq} is not a verdict that could be protested.", seq=event.of))
    protest = LodgedProtest(event.by, event.at, event.reason, event.verdict)
    changed = msgspec.structs.replace(entry, protest=protest, kept=False)
    if not protest.upholds(entry.verdict):
        changed = msgspec.structs.replace(changed, contest=event.verdict)
    return put(evening, index, changed)


def _kept(evening: Evening, event: Kept) -> Evening:
    index, _, entry = find(evening, event.of)
    entry = entry.written
    if not (entry.contested or entry.protested):
        raise NotNow(english("Entry {seq} is neither contested nor protested.", seq=event.of))
    return put(evening, index, msgspec.structs.replace(entry, kept=True, kept_why=event.reason))


def _signed_off(evening: Evening, event: SignedOff) -> Evening:
    match = evening.match
    if match is None or match.seq != event.of or not match.finished or match.signed_by:
        raise NotNow(NOT_TO_SIGN)
    signed = msgspec.structs.replace(match, signed_by=event.by)
    return msgspec.structs.replace(evening, matches=(*evening.matches[:-1], signed))


def amend(
    evening: Evening, seq: int, event: Amended, *, passing: int = STRICT, written: bool = False
) -> Evening:
    """Return *evening* with an entry corrected, and everything behind it played again.

    Raises a CompanionError for what does not fit any more, but from match *passing* on.
    """
    index, match, entry = find(evening, event.of)
    entry = entry.written
    # A move names nobody who was last; older versions took that, and gave a letter too many.
    named = event.move.get("type") == "last" and match.game.watched
    if entry.seq != event.of or entry.ends or (named and entry.move is not None and not written):
        raise BadInput(english("Entry {seq} cannot be corrected.", seq=event.of))
    if not entry.stands:
        raise BadInput(text("Entry {seq} was taken back: put it back first.", seq=event.of))
    correction = Correction(seq, event.by, dict(event.move), circle=match.circle)
    people = evening.people
    if entry.seating is not None:
        people, seated = _seats_corrected(people, entry.seating, event)
        correction = msgspec.structs.replace(correction, seated=seated)
    changed = msgspec.structs.replace(entry, corrections=(*entry.corrections, correction))
    amended = {**evening.amended, seq: Amending(entry.seq, author(event.by))}
    evening = msgspec.structs.replace(evening, people=people, amended=amended)
    made = put(evening, index, changed, index + 1 if written else passing)
    return _after_entry_of(made, event.by)


def _seats_corrected(
    people: tuple[str, ...], seating: Seating, event: Amended
) -> tuple[tuple[str, ...], Seating]:
    """Return who has really sat there, and *people* with whoever is new."""
    players = event.move.get("players")
    if event.move.get("type") != "seats" or not isinstance(players, list | tuple):
        raise BadInput(english("Entry {seq} cannot be corrected.", seq=event.of))
    names = tuple(tidy(str(name)) for name in players)
    who_sat = BadInput(text("Say who sat in each of the {n} seats, nobody twice.", n=len(seating.players)))
    if len(names) != len(seating.players) or not all(names):
        raise who_sat
    people, circle = identified(people, names)
    if len(set(circle)) < len(circle):
        raise who_sat
    return people, msgspec.structs.replace(seating, circle=circle, players=names)


def toggle(
    evening: Evening, of: int, by: str, *, stands: bool, passing: int = STRICT, written: bool = False
) -> Evening:
    """Return *evening* with entry or amendment *of* taken back or put back, and all behind it played again.

    Raises a CompanionError for what does not fit any more, but from match *passing* on.
    """
    index, _, entry = find(evening, of)
    entry = entry.written
    if entry.place < 0 and of == entry.seq:
        raise BadInput(text("There is no entry {seq} this evening.", seq=of))
    changed = toggled(entry, of, stands=stands)
    if changed == entry:
        raise NotNow(text("Entry {seq} is that way already.", seq=of))
    undone = tuple(back for back in evening.undone if back.seq != of)
    if not stands:
        undone = (*undone, TakenBack(of, by))[-_MOST_UNDONE:]
    if of in evening.amended:
        amended = {**evening.amended, of: evening.amended[of]._replace(stands=stands)}
        evening = msgspec.structs.replace(evening, amended=amended)
    made = put(evening, index, changed, index + 1 if written else passing)
    return msgspec.structs.replace(made, undone=undone)
