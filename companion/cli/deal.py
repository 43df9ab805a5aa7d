"""`lastnose deal`: which cards a game needs, without a table."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.frame import argument, json_option, option, print_json, speak
from companion.cli.frame import command as define
from companion.errors import BadInput
from companion.games import Game, get_game
from companion.text import Text, text

_HAS_NONE = {
    "stock": text("{game} has no stock."),
    "hand_size": text("{game} has hands of one size only."),
    "travel_card": text("{game} has no travel card."),
}


@define(
    "deal",
    help=text("Say which cards a game needs: packs, ranks, hands, stock."),
    examples=["lastnose deal pig --players 7", "lastnose deal pig --players 13 --stock --json"],
)
@argument("game")
@option("--players", type=int, required=True, help=text("How many play."))
@option("--stock", is_flag=True, help=text("Play with whole packs and a stock."))
@option("--hand-size", type=int, help=text("How many cards everybody gets."))
@option("--travel-card", is_flag=True, help=text("Add the travel card."))
@json_option()
def command(
    game: str, players: int, stock: bool, hand_size: int | None, travel_card: bool, as_json: bool
) -> None:
    """Print the deck advice."""
    played = get_game(game)
    wanted = {"stock": stock or None, "hand_size": hand_size, "travel_card": travel_card or None}
    raw = {key: value for key, value in wanted.items() if value is not None}
    advice = played.deal(players, _options(played, raw))
    advice["sentences"] = [speak(sentence) for sentence in advice["sentences"]]
    if as_json:
        print_json(advice)
    else:
        click.echo("\n".join(advice["sentences"]))


def _options(game: Game, raw: dict[str, Any]) -> Any:
    """Return the options of *game*; say in plain words which one it does not have."""
    known = {field.key for field in game.option_fields()}
    for key in raw:
        if key not in known:
            message = _HAS_NONE[key]
            raise BadInput(Text(message.id, {"game": game.title}))
    return game.read_options(raw)
