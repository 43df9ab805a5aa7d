"""The calls that settle an argument without a table: what a hand costs, whether it lays, what to deal."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from flask import Response
from lastnose.companion.core.text import Text
from lastnose.companion.games import GAMES, get_game
from lastnose.companion.games import deal as deal_of
from lastnose.companion.games.rules.game import Calculation, DealAdvice, GuideStep
from lastnose.companion.table.table import SystemChance
from lastnose.web import heavy
from lastnose.web.api.endpoint import Query, call, raw
from lastnose.web.api.requests import a_deal, a_guide, a_hand
from lastnose.web.api.responses import HandPoints
from lastnose.web.context import WebContext
from lastnose.web.language import language


class HandQuery(Query, frozen=True, kw_only=True):
    """A hand of `game`: `pieces` as data writes them, several in one or one each; `options` of the game."""

    game: str
    pieces: tuple[str, ...] = ()
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class DealQuery(Query, frozen=True, kw_only=True):
    """How many play `game`, and its `options`."""

    game: str
    players: int
    options: dict[str, Any] = msgspec.field(default_factory=dict)


@call("GET", "/points", HandPoints, asks=HandQuery, like=a_hand)
def points(query: HandQuery) -> Response:
    """Count what the cards or tiles left in a hand cost."""
    asked = query.game, query.pieces, query.options
    return raw(WebContext.here().work(heavy.points, *asked, language()))


def _as_there(field: msgspec.structs.FieldInfo) -> Any:
    """Return *field* with the default that it has, if any."""
    if field.required:
        return msgspec.field()
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    return msgspec.field(default=field.default)


def _offer(one: Calculation) -> None:
    """Make what a game can work out a call, its struct's fields the query."""
    fields = msgspec.structs.fields(one.takes)
    parts = [(field.name, field.type, _as_there(field)) for field in fields]
    made = msgspec.defstruct(one.takes.__name__, parts, bases=(Query,), frozen=True, kw_only=True)
    asks = cast("type[Query]", made)

    def calculation(query: msgspec.Struct) -> Response:
        asked = {field.name: getattr(query, field.name) for field in fields}
        return raw(WebContext.here().work(heavy.calculate, one.name, asked, language()))

    calculation.__name__ = one.name
    calculation.__doc__ = one.says
    call("GET", f"/{one.name}", one.gives, asks=asks, like=one.example)(calculation)


for _game in GAMES.values():
    for _calculation in _game.calculations:
        _offer(_calculation)


class GuideQuery(Query, frozen=True, kw_only=True):
    """Who plays `game`, in the order they sit, and its `options`."""

    game: str
    players: tuple[str, ...] = ()
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class FirstSteps(msgspec.Struct, frozen=True):
    """What these people do before the first deal; nothing where a game has no steps.

    `deals` says who deals, None while that is drawn by lot.
    """

    steps: tuple[GuideStep, ...]
    deals: Text | None


@call("GET", "/guide", FirstSteps, asks=GuideQuery, like=a_guide)
def guide(query: GuideQuery) -> FirstSteps:
    """Say what to do before the first deal, step by step: which cards to take, who deals."""
    game = get_game(query.game)
    state = game.new(query.players, game.read_options(query.options))
    found = game.moment(state).guide
    if found is None:
        return FirstSteps((), None)
    *steps, deal = found.before
    by_lot = game.by_chance(state, None, SystemChance()) is not None
    return FirstSteps(tuple(steps), None if by_lot else deal.says)


@call("GET", "/deal", DealAdvice, asks=DealQuery, like=a_deal)
def deal(query: DealQuery) -> dict[str, Any]:
    """Say which cards or tiles a game needs."""
    game = get_game(query.game)
    return deal_of(game, query.players, game.read_options(query.options))
