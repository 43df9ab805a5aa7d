"""Why a game that was called has no result and may get none, and what helps. Pure."""

from __future__ import annotations

from typing import NamedTuple

from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.evening.entries import is_void
from lastnose.companion.games import get_game
from lastnose.companion.hall.appeals import taken_out
from lastnose.companion.hall.departures import said_of_gone
from lastnose.companion.hall.formats import said_of, title_of
from lastnose.companion.hall.games_now import by_hand
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.state import HallState
from lastnose.companion.hall.tally import TableOutcome
from lastnose.companion.hall.wire import ALL, HallCall, StuckGame

TYPE_IT = text("Type its result…")


class NoResult(NamedTuple):
    """What is missing, why or what helps, and the button that types it where that is not the last resort."""

    says: Text
    why: Text
    button: Text | None = None


def no_result(view: HallSnapshot, one: TableOutcome) -> NoResult | None:
    """Return what an organiser is told of a game that gets no result by itself; None when it may."""
    state = view.state
    played = state.rounds[one.round - 1]
    title = title_of(state, one.round)
    if one.to_play and by_hand(state, one):
        return _by_hand(view, one)
    if state.machine(played, one.number) is None and (one.to_play or one.state == "unsigned"):
        says = text("{round} has no result here, and no machine has this place any more.", round=title)
        return NoResult(
            says, text("Type its result, or let a machine in: it takes this number, and is called.")
        )
    says = text("{round} has no result here.", round=title)
    if one.stuck:
        return NoResult(says, _why_stuck(view.state, one), TYPE_IT)
    if played is state.now or not one.to_play:
        return None
    players = ", ".join(state.written(one.round, entrant) for entrant in one.entrants)
    if view.games.get(one.number) is one:
        return NoResult(says, text("It is called for that game: {players}.", players=players))
    busy = {entrant for game in view.games.values() if game.to_play for entrant in game.entrants}
    if waits := busy.intersection(one.entrants):  # else for who has yet to sign off at its table
        players = ", ".join(state.written(one.round, who) for who in one.entrants if who in waits)
    return NoResult(
        says, text("It is called for that game once these have played: {players}.", players=players)
    )


def _why_stuck(state: HallState, one: TableOutcome) -> Text:
    """Return why nothing more comes of a game from its table, and what helps."""
    if one.state == "unsigned":
        return text(
            "Another game began at table {n} before its host had signed that one off: type its result.",
            n=one.number,
        )
    if one.past == "gone":
        return text(
            "Another evening began at table {n} before that game was over: type its result.", n=one.number
        )
    if by_appeal(state, one):
        return text("By an appeal a deal was taken out there: type its result, or let it be played again.")
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


def _by_hand(view: HallSnapshot, one: TableOutcome) -> NoResult:
    """Return that the people of a table are too few for its game, and how the evening goes on."""
    state = view.state
    played, newest = state.rounds[one.round - 1], state.now
    says = text(
        "{round}: {players} are too few for {game}.",
        round=title_of(state, one.round),
        players=listing([state.written(one.round, entrant) for entrant in one.entrants]),
        game=get_game(played.game).title,
    )
    why = text(
        "Let them settle it by hand: one deal of another game, or else a lot. Then type who comes first, and "
        "how: it is kept with your name."
    )
    if newest is not None and newest is not played and newest.kind != "heat":
        why = text(
            "{why} What was called since stays as it is: if others should play it, the desk says so.", why=why
        )
    return NoResult(says, why, text("Type who comes first…"))


def said_of_call(call: HallCall) -> tuple[Text, ...]:
    """Return what a table says of *call* besides who plays: a pause, why again, who left, what has no end."""
    pause = (text("The hall is taking a break: the round’s clock is stopped."),) if call.paused else ()
    typed = (text("The hall’s desk has typed the result of this game: it counts so."),) if call.typed else ()
    stuck = (*typed, *said_of_refusal(call.refuses), *map(said_of_stuck, call.stuck))
    again = (text("By an appeal this game is played again: {why}", why=call.again),) if call.again else ()
    return (*pause, *again, *said_of_gone(call.kind, call.gone), *stuck)


def said_of_refusal(refuses: str) -> tuple[Text, ...]:
    """Return what a table says of it that the hall cannot take all, or nothing more, of what it sends."""
    if not refuses:
        return ()
    if refuses == ALL:
        return (text("The hall can take nothing more of this table: play on, and ask the organiser."),)
    return (
        text(
            "The hall cannot read all that this table sends: play on, and tell the desk, which says what "
            "it is."
        ),
    )


def said_of_stuck(game: StuckGame) -> Text:
    """Return what the table itself says of a *game* that it cannot go on with."""
    title = said_of(game.kind, game.round)
    if game.void and game.beyond:
        return text(
            "{round}: by an appeal round {n} of the game does not count. The hall’s desk types the result, "
            "or lets it be played again.",
            round=title,
            n=game.void,
        )
    if game.void:
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
