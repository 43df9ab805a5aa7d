"""What a table is told by the hall, and why a game that was called may get no result. Pure.

Also who has left the event while a table waits for them or plays with them.
"""

from __future__ import annotations

from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.evening.state import is_void
from lastnose.companion.event.formats import said_of, title_of
from lastnose.companion.event.messages import ALL, HallCall, StuckGame
from lastnose.companion.event.pictures import TablePicture
from lastnose.companion.event.snapshot import HallSnapshot, Todo
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import call_of, taken_out
from lastnose.companion.event.tally import BEYOND, TableOutcome, by_hand
from lastnose.companion.games import get_game
from msgspec.structs import replace

GONE = text("Gone already? The table’s host lets them go: “{button}”.", button=text("Somebody comes or goes"))
TYPE_IT = text("Type its result…")


def left_from(state: HallState, one: TableOutcome) -> tuple[str, ...]:
    """Return under which names those play game *one* who have left the event and are still in it."""
    left = [entrant for entrant in one.entrants if entrant not in state.there]
    if not left or not one.to_play or by_hand(state, one):
        return ()
    names = [state.written(one.round, entrant) for entrant in left]
    if one.called is None:
        return tuple(names)
    match = one.called.match
    playing = {alike(match.player(seat)) for seat in match.now.playing}
    return tuple(name for name in names if alike(name) in playing)


def todo_of_left(view: HallSnapshot, table: TablePicture) -> Todo | None:
    """Return that *table* has people who have left, and how it goes on without them."""
    game = view.game_of(table.number)
    left = left_from(view.state, game)
    if not left:
        return None
    played = view.state.rounds[game.round - 1]
    there = game.entrants if game.called is None else game.called.match.started.players
    others = len(there) - len(left)
    if played.kind != "heat" and table.state == "waiting":
        why = text("Take its call back, and draw it again: the next of the list plays.")
    elif others < get_game(played.game).seats[0]:
        why = text("Too few are left for the game then: let them settle it, and type its result.")
    else:
        why = GONE
    return Todo("left", table.number, _says(left), why, round=game.round)


def said_of_left(kind: str, players: tuple[str, ...]) -> tuple[Text, ...]:
    """Return what the table itself is told of *players* of a round of *kind* who have left the event."""
    if not players:
        return ()
    why = GONE
    if kind != "heat":
        why = text("Ask the desk how it goes on.")
    return (_says(players), why)


def _says(players: tuple[str, ...]) -> Text:
    return texts(
        "{players} has left the event, and has a seat at this table.",
        "{players} have left the event, and have seats at this table.",
        n=len(players),
        players=listing(players),
    )


def no_result(view: HallSnapshot, one: TableOutcome) -> Todo | None:
    """Return what an organiser is told of a game that gets no result by itself; None when it may.

    What is missing, why or what helps, and the button that types it where that is not the last resort.
    """
    if one.state in ("doubtful", "counts", "typed"):
        return None
    state = view.state
    played = state.rounds[one.round - 1]
    if one.to_play and by_hand(state, one):
        return _settled_by_hand(view, one)
    says = text("{round} has no result here.", round=title_of(state, one.round))
    missing = Todo("open", one.number, says, round=one.round)
    if state.machine(played, one.number) is None and (one.to_play or one.state == "unsigned"):
        why = text("Type its result, or let a machine in: it takes this number, and is called.")
        return replace(missing, why=why)
    if one.stuck:
        return replace(missing, why=_why_stuck(state, one), button=TYPE_IT)
    if played is state.now or not one.to_play:
        return None
    busy = {entrant for game in view.games.values() if game.to_play for entrant in game.entrants}
    names = {entrant: state.written(one.round, entrant) for entrant in one.entrants}
    if view.game_of(one.number) is one:
        why = text("It is called for that game: {players}.", players=", ".join(names.values()))
        return replace(missing, why=why)
    # for who is busy, or else for who has yet to sign off at its table
    waits = [name for entrant, name in names.items() if entrant in busy] or names.values()
    why = text("It is called for that game once these have played: {players}.", players=", ".join(waits))
    return replace(missing, why=why)


def _why_stuck(state: HallState, one: TableOutcome) -> Text:
    """Return why nothing more comes of a game from its table, and what helps."""
    if one.state == "unsigned" or one.past == "over":
        return text(
            "Another game began at table {n} before that one was signed off: type its result.", n=one.number
        )
    if by_appeal(state, one):
        return BEYOND
    return text(
        "An entry of that game was taken back or corrected at table {n}: put it back there, in its history, "
        "or type its result.",
        n=one.number,
    )


def by_appeal(state: HallState, one: TableOutcome) -> bool:
    """Return whether a round of a game was taken out as an appeal wants it: nobody is to put that back."""
    if one.called is None:
        return False
    void = taken_out(state.appeals.values(), one.called)
    return any(e.seq in void and (is_void(e) or not e.stands) for e in one.called.entries)


def _settled_by_hand(view: HallSnapshot, one: TableOutcome) -> Todo:
    """Return that the people of a table are too few for its game, and how the evening goes on."""
    state = view.state
    says = text(
        "{round}: {players} are too few for {game}.",
        round=title_of(state, one.round),
        players=listing([state.written(one.round, entrant) for entrant in one.entrants]),
        game=get_game(state.rounds[one.round - 1].game).title,
    )
    why = text(
        "Let them settle it by hand: one deal of another game, or else a lot. Then type who comes first, and "
        "how: it is kept with your name."
    )
    return Todo("open", one.number, says, why, TYPE_IT, round=one.round)


def said_of_call(call: HallCall) -> tuple[Text, ...]:
    """Return what a table says of *call* besides who plays: a pause, why again, who left, what has no end."""
    says: list[Text] = []
    if call.paused:
        says.append(text("The hall is taking a break: the round’s clock is stopped."))
    if call.again:
        says.append(text("This game is played again: {why}", why=call.again))
    says += said_of_left(call.kind, call.left)
    if call.typed:
        says.append(text("The hall’s desk has typed the result of this game: it counts so."))
    if call.refuses == ALL:
        says.append(text("The hall can take nothing more of this table: play on, and ask the organiser."))
    elif call.refuses:
        says.append(
            text(
                "The hall cannot read all that this table sends: play on, and tell the desk, which says what "
                "it is."
            )
        )
    return (*says, *map(said_of_stuck, call.stuck))


def said_of_stuck(game: StuckGame) -> Text:
    """Return what the table itself says of a *game* that it cannot go on with."""
    title = said_of(game.kind, game.round)
    if game.void and not game.beyond:
        return text(
            "{round}: by an appeal round {n} of the game does not count. Take it out in the history, "
            "then sign the result off again.",
            round=title,
            n=game.void,
        )
    if not game.back:
        return text("{round}: no result of this table. Let the hall’s desk type it.", round=title)
    return text(
        "{round}: no result any more, as an entry was taken back or corrected here. Put it back in the "
        "history, or let the hall’s desk type the result.",
        round=title,
    )


def call_for(view: HallSnapshot, table: str, at: float, run: str) -> HallCall | None:
    """Return what *table* is to know at wall time *at*, None for one that is not in the hall.

    *run*: see `HallCall`.
    """
    state = view.state
    known = state.tables.get(table)
    if known is None or not known.inside or view.stopped is not None:
        return None
    stuck = tuple(
        _stuck(view, one) for one in view.stuck if one.called is not None and one.called.id == table
    )
    refuses = view.seen_of(table).refuses
    quiet = HallCall(
        state.seq, view.event, known.number, says=state.said, at=at, stuck=stuck, refuses=refuses, run=run
    )
    game = view.game_of(known.number)
    if not (game.to_play or game.to_sign):
        return replace(quiet, typed=_typed(view, game, table))
    now = state.rounds[game.round - 1]
    if state.machine(now, known.number) is not known:
        return quiet
    players = tuple(state.written(now.number, one) for one in now.at(known.number))
    paused = state.called[-1].paused_at is not None
    seated = replace(quiet, kind=now.kind, round=now.number, players=players, paused=paused)
    if by_hand(state, game):
        return replace(seated, by_hand=True)
    call = state.call_of(now, known.number)
    return replace(
        seated,
        call=call_of(view.event, call, state.nonce_of(call)),
        again=state.appeals[call].why if call in state.appeals else "",
        game=now.game,
        options=now.options,
        left=left_from(state, game),
    )


def _typed(view: HallSnapshot, game: TableOutcome, table: str) -> str:
    """Return the call of a *game* that *table* need not sign off, as its result was typed; else ""."""
    made = game.called
    if game.state != "typed" or made is None or made.id != table or made.signed:
        return ""
    return call_of(view.event, made.call, made.nonce)


def _stuck(view: HallSnapshot, one: TableOutcome) -> StuckGame:
    kind = view.state.rounds[one.round - 1].kind
    back = one.state == "playing" and one.past == "back" and not by_appeal(view.state, one)
    return StuckGame(kind, one.round, back=back, void=one.void, beyond=one.void > 0 and one.beyond)
