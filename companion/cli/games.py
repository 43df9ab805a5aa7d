"""`lastnose games`: the games, who can play them, and their options."""

from __future__ import annotations

from typing import Any

import click
from lastnose.companion.cli.frame import define, json_option, print_json, say, speak
from lastnose.companion.config.plugins import load_games
from lastnose.companion.core.text import text
from lastnose.companion.games import GAMES, AnyGame, OptionField


@define(
    "games",
    examples=["lastnose games", "lastnose games --json"],
)
@json_option
def command(as_json: bool) -> None:
    """Print the games."""
    for trouble in load_games():
        say(trouble, err=True)
    described = [_described(game) for game in GAMES.values()]
    if as_json:
        print_json(described)
    else:
        click.echo("\n\n".join(_written(game) for game in described))


def _described(game: AnyGame) -> dict[str, Any]:
    least, most = game.seats
    return {
        "name": game.name,
        "title": speak(game.title),
        "players": [least, most],
        "for": speak(game.crowd or text("{least} to {most} players", least=least, most=most)),
        "summary": speak(game.summary),
        "options": [_option(field) for field in game.option_fields()],
    }


def _option(field: OptionField) -> dict[str, Any]:
    return {
        "key": field.key,
        "kind": field.kind,
        "default": field.default,
        "choices": [choice.value for choice in field.choices],
        "label": speak(field.label),
        "explain": speak(field.explain) if field.explain is not None else None,
    }


def _written(game: dict[str, Any]) -> str:
    lines = [f"{game['name']}: {game['title']}, {game['for']}", f"  {game['summary']}"]
    lines += [
        f"  {option['key']}={_values(option)}  {option['explain'] or option['label']}"
        for option in game["options"]
    ]
    return "\n".join(lines)


def _values(option: dict[str, Any]) -> str:
    """Return what *option* can be, the default first.

    >>> _values({"kind": "choice", "default": 4, "choices": [3, 4, 5]})
    '4|3|5'
    """
    default = option["default"]
    if option["kind"] == "flag":
        return "false|true"
    if option["kind"] == "number":
        return f"{default}…"
    values = [default, *(value for value in option["choices"] if value != default)]
    return "|".join(map(str, values))
