"""Which round each table plays now: the newest, or an earlier one of which it has no result. Pure."""

from __future__ import annotations

from lastnose.companion.games import get_game
from lastnose.companion.hall.state import HallState
from lastnose.companion.hall.tally import TableOutcome


def without_noses(game: str) -> bool:
    """Return whether *game* keeps a score sheet: nobody is asked to touch a nose."""
    return game != "" and not get_game(game).watched


def by_hand(state: HallState, outcome: TableOutcome) -> bool:
    """Return whether too few sit at a table for its game: they settle it by hand, and it is typed."""
    return len(outcome.entrants) < get_game(state.rounds[outcome.round - 1].game).seats[0]


def games_now(state: HallState, found: tuple[TableOutcome, ...]) -> dict[int, TableOutcome]:
    """Return the outcome of the game that each table is called for, or has played last, by its number.

    An appeal can be decided so that a game of an earlier round is played again: its table plays it as soon as
    the newest round waits neither for that table nor for anybody who sits there.
    """
    newest = state.now
    if newest is None:
        return {}
    games = {one.number: one for one in found if one.round == newest.number}
    busy = {entrant for one in games.values() if one.to_play for entrant in one.entrants}
    taken = {one.number for one in games.values() if one.to_play or one.to_sign}
    for one in found:
        free = one.number not in taken and busy.isdisjoint(one.entrants)
        if one.round != newest.number and one.to_play and free:
            games[one.number] = one
            taken.add(one.number)
            busy.update(one.entrants)
    return games
