"""`lastnose deal`: which cards or tiles a game needs, without a table."""

from __future__ import annotations

import click
from lastnose.companion.cli import completion
from lastnose.companion.cli.frame import argument, define, json_option, option, print_json, speak
from lastnose.companion.cli.table_options import any_option, gathered, set_option
from lastnose.companion.core.text import text
from lastnose.companion.games import deal, get_game


@define(
    "deal",
    examples=[
        "lastnose deal pig --players 7",
        "lastnose deal pig --players 13 --stock --json",
        "lastnose deal chickenfoot --players 4 --set 9",
    ],
)
@argument("game", shell_complete=completion.games)
@option("--players", type=int, required=True, help=text("How many play."))
@option("--stock", is_flag=True, help=text("Play with whole packs and a stock."))
@option("--hand-size", type=int, help=text("How many cards everybody holds."))
@option("--travel-card", is_flag=True, help=text("The travel card"))
@set_option
@any_option
@json_option
def command(
    game: str,
    players: int,
    stock: bool,
    hand_size: int | None,
    travel_card: bool,
    highest: int | None,
    more: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the deck advice."""
    flags = {
        "stock": stock or None,
        "hand_size": hand_size,
        "travel_card": travel_card or None,
        "set": highest,
    }
    played = get_game(game)
    advice = deal(played, players, played.read_options(gathered(flags, more)))
    advice["sentences"] = [speak(sentence) for sentence in advice["sentences"]]
    if as_json:
        print_json(advice)
    else:
        click.echo("\n".join(advice["sentences"] or [speak(text("There is nothing to do."))]))
