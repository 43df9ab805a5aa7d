"""`lastnose points`: what a hand costs at the end of a deal."""

from __future__ import annotations

from lastnose.companion.cli import completion
from lastnose.companion.cli.frame import argument, define, json_option, option, print_json, say
from lastnose.companion.cli.table_options import any_option, gathered, set_option
from lastnose.companion.core.text import text, texts
from lastnose.companion.games import count_hand


@define(
    "points",
    examples=[
        "lastnose points chickenfoot 5-5 1-0 0-0 3-1",
        "lastnose points swedish-gin 7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C --json",
    ],
)
@argument("game", shell_complete=completion.counting_games)
@argument("pieces", nargs=-1)
@option("--double-blank", type=int, help=text("What the double blank costs: 50, or 25 by agreement."))
@set_option
@any_option
@json_option
def command(
    game: str,
    pieces: tuple[str, ...],
    double_blank: int | None,
    highest: int | None,
    more: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the points."""
    options = gathered({"double_blank": double_blank, "set": highest}, more)
    counted = count_hand(game, pieces, options)
    if as_json:
        print_json({"points": counted.points, "game": game, "pieces": counted.pieces})
    else:
        say(texts("{n} point", "{n} points", n=counted.points))
