"""Who has left the event while a table waits for them or plays with them: what is said of it. Pure."""

from __future__ import annotations

from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games import get_game
from lastnose.companion.hall.games_now import by_hand
from lastnose.companion.hall.pictures import TablePicture
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.state import HallState
from lastnose.companion.hall.tally import TableOutcome
from lastnose.companion.hall.todo import Todo

LETS_GO = text("Somebody comes or goes")


def gone_from(state: HallState, one: TableOutcome) -> tuple[str, ...]:
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


def todo_of_gone(view: HallSnapshot, table: TablePicture) -> Todo | None:
    """Return that *table* has people who have left, and how it goes on without them."""
    game = view.games.get(table.number)
    gone = gone_from(view.state, game) if game is not None else ()
    if game is None or not gone:
        return None
    played = view.state.rounds[game.round - 1]
    others = len(_circle(game)) - len(gone)
    if played.kind != "heat" and table.state == "waiting":
        why = text("Take its call back, and draw it again: the next of the list plays.")
    elif others < get_game(played.game).seats[0]:
        why = text("Too few are left for the game then: let them settle it, and type its result.")
    else:
        why = text("Gone already? Its host lets them go: “{button}”.", button=LETS_GO)
    return Todo("gone", table.number, _says(gone), why, round=game.round)


def said_of_gone(kind: str, players: tuple[str, ...]) -> tuple[Text, ...]:
    """Return what the table itself is told of *players* of a round of *kind* who have left the event."""
    if not players:
        return ()
    why = text("Gone already? This table’s host lets them go: “{button}”.", button=LETS_GO)
    if kind != "heat":
        why = text("Ask the desk how it goes on.")
    return (_says(players), why)


def _circle(game: TableOutcome) -> tuple[object, ...]:
    return game.entrants if game.called is None else game.called.match.started.players


def _says(players: tuple[str, ...]) -> Text:
    return texts(
        "{players} has left the event, and has a seat at this table.",
        "{players} have left the event, and have seats at this table.",
        n=len(players),
        players=listing(players),
    )
