"""Which game's rules are asked for, and with which options: those in the address, else those being played."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request

from companion.core.decode import decode_json
from companion.core.errors import Malformed, Missing
from companion.core.text import Text, text
from companion.games import GAMES, AnyGame, OptionField
from web.api.endpoint import Unreadable
from web.context import WebContext


def found_game(name: str) -> AnyGame:
    """Return the game called *name*; raise Missing."""
    if name not in GAMES:
        raise Missing(text("There is no game “{name}” at this table.", name=name[:40]))
    return GAMES[name]


def asked_options(game: AnyGame) -> Any:
    """Return the options of *game* in the query (`?options={"stock":true}`), else the table's, or the usual.

    Raises Unreadable or BadInput when they are not options of the game.
    """
    written = request.args.get("options")
    snapshot = WebContext.here().table.snapshot
    if written is None:
        return game.read_options(snapshot.options if snapshot.game == game.name else {})
    try:
        raw = decode_json(written, dict[str, Any])
    except Malformed as error:
        raise Unreadable(text("These options cannot be read: {why}.", why=error.text)) from error
    return game.read_options(raw)


def house_rules(game: AnyGame, options: object) -> tuple[tuple[Text, Text | str], ...]:
    """Return what *options* change of the usual: the option's label and what it is set to."""
    chosen = msgspec.to_builtins(options)
    changed = (field for field in game.option_fields() if chosen.get(field.key) != field.default)
    return tuple((field.label, _value(field, chosen.get(field.key))) for field in changed)


def _value(field: OptionField, value: object) -> Text | str:
    if field.kind == "flag":
        return text("yes") if value else text("no")
    return next((choice.label for choice in field.choices if choice.value == value), str(value))
