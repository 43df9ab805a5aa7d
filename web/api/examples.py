"""Examples for the description of the API, from whatever games there are: to be tried at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games import GAMES, AnyGame
from companion.games.rules.prompts import EnterScore, RulesQuery

PLAYERS = ("North", "East", "South")


def _sheets() -> Iterator[tuple[AnyGame, EnterScore, RulesQuery | None]]:
    """Yield the games that keep a sheet, with what they ask first, and of what they give counsel."""
    for game in GAMES.values():
        if game.seats[0] <= len(PLAYERS) <= game.seats[1]:
            asks = game.moment(game.new(PLAYERS, game.read_options({}))).asks
            consult = next((ask for ask in asks if isinstance(ask, RulesQuery)), None)
            yield from ((game, ask, consult) for ask in asks if isinstance(ask, EnterScore))


def _sheet() -> tuple[AnyGame, EnterScore, RulesQuery | None]:
    """Return a game that keeps a sheet, one that also gives counsel if there is any."""
    return max(_sheets(), key=lambda found: found[2] is not None)


def new_sheet() -> dict[str, Any]:
    """Return a sheet to begin."""
    return {"game": _sheet()[0].name, "players": [*PLAYERS]}


def a_hand() -> dict[str, Any]:
    """Return a hand to count."""
    game, ask, _ = _sheet()
    return {"game": game.name, "pieces": [*ask.pieces[:3]]}


def a_question() -> dict[str, Any]:
    """Return something to ask the rules, nothing when no game gives counsel."""
    consult = _sheet()[2]
    return {} if consult is None else {"about": consult.about, "pieces": [*consult.pieces[:3]]}


def a_deal() -> dict[str, Any]:
    """Return a deal to ask for."""
    return {"game": next(iter(GAMES)), "players": len(PLAYERS)}


def a_guide() -> dict[str, Any]:
    """Return who plays what, to ask for the steps before the first deal."""
    return {"game": next(iter(GAMES)), "players": [*PLAYERS]}


def a_sheet() -> dict[str, Any]:
    """Return the file of a sheet with one cell written."""
    first = {"type": "score", "hand": 1, "seat": 1, "points": 0}
    return {"sheet": 1, **new_sheet(), "options": {}, "moves": [first]}
