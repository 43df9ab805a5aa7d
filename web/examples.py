"""Examples for the description of the API, from whatever games there are: to be tried at once."""

from __future__ import annotations

from typing import Any

from companion.games import GAMES, Game
from companion.games.asks import Points

PLAYERS = ("North", "East", "South")


def _sheet_game() -> tuple[Game, Points]:
    """Return a game that keeps a sheet, and what it asks first."""
    for game in GAMES.values():
        if game.seats[0] <= len(PLAYERS) <= game.seats[1]:
            for ask in game.asks(game.new(PLAYERS, game.read_options({}))):
                if isinstance(ask, Points):
                    return game, ask
    raise LookupError("no game keeps a sheet")


def new_sheet() -> dict[str, Any]:
    """Return a sheet to begin."""
    return {"game": _sheet_game()[0].name, "players": [*PLAYERS]}


def a_hand() -> dict[str, Any]:
    """Return a hand to count."""
    game, ask = _sheet_game()
    return {"game": game.name, "pieces": [*ask.pieces[:3]]}


def a_deal() -> dict[str, Any]:
    """Return a deal to ask for."""
    return {"game": next(iter(GAMES)), "players": len(PLAYERS)}


def a_sheet() -> dict[str, Any]:
    """Return the file of a sheet with one cell written."""
    first = {"type": "score", "hand": 1, "seat": 1, "points": 0}
    return {"sheet": 1, **new_sheet(), "options": {}, "moves": [first]}
