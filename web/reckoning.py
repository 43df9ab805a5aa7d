"""The calls that settle an argument without a table: what a hand costs, whether it lays, what to deal."""

from __future__ import annotations

from typing import Any

import msgspec

from companion import contracts
from companion.games import get_game
from companion.games.game import DealAdvice
from companion.points import count_hand
from web.answers import HandPoints
from web.calls import Query, call
from web.examples import a_deal, a_hand


class HandQuery(Query, frozen=True, kw_only=True):
    """A hand of `game`: `pieces` as data writes them, several in one or one each; `options` of the game."""

    game: str
    pieces: tuple[str, ...] = ()
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class ContractQuery(Query, frozen=True, kw_only=True):
    """A hand, the drawn card included, and the number of its contract.

    Without `extras` further sets and runs wait for a later turn.
    """

    number: int
    cards: tuple[str, ...]
    extras: bool = True


class DealQuery(Query, frozen=True, kw_only=True):
    """How many play `game`, and its `options`."""

    game: str
    players: int
    options: dict[str, Any] = msgspec.field(default_factory=dict)


@call("GET", "/points", HandPoints, asks=HandQuery, like=a_hand)
def points(query: HandQuery) -> HandPoints:
    """Count what the cards or tiles left in a hand cost."""
    counted = count_hand(query.game, query.pieces, query.options)
    return HandPoints(counted.points, query.game, counted.pieces)


_LAYS = {"number": 4, "cards": ["3S", "4S", "5S", "6S", "8H", "9H", "10H", "2C", "KD", "KS", "9D", "4C"]}


@call("GET", "/contract", contracts.Written, asks=ContractQuery, like=_LAYS)
def contract(query: ContractQuery) -> contracts.Written:
    """Say whether a hand lays its contract, how, and else how many cards it is short."""
    return contracts.write(*contracts.asked(query.number, query.cards, extras=query.extras))


@call("GET", "/deal", DealAdvice, asks=DealQuery, like=a_deal)
def deal(query: DealQuery) -> dict[str, Any]:
    """Say which cards or tiles a game needs."""
    game = get_game(query.game)
    return game.deal(query.players, game.read_options(query.options))
