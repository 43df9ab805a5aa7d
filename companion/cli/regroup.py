"""`lastnose regroup`: somebody comes or goes between two rounds of a running table."""

from __future__ import annotations

import random
from pathlib import Path

import click

from companion.cli.frame import command as define
from companion.cli.frame import data_option, json_option, language, option, print_json
from companion.cli.live_table import TableState, base_of, sent, state_of
from companion.cli.watch_words import said, standing
from companion.core.errors import BadInput
from companion.core.text import listing, text


@define(
    "regroup",
    help=text(
        "Let somebody come or go between two rounds of a running table, or seat the same people anew. "
        "Letters stay, who comes begins with as many as whoever has most, and the host’s undo takes it back."
    ),
    examples=[
        "lastnose regroup --comes Zoë",
        "lastnose regroup --goes Björn --comes 'Zoë, Дима'",
        "lastnose regroup --mixed --json",
    ],
)
@option("--comes", metavar="NAME", multiple=True, help=text("Who comes, one or a list; may be said again."))
@option("--goes", metavar="NAME", multiple=True, help=text("Who goes; again for each further one."))
@option("--mixed", is_flag=True, help=text("Draw the seats by lot."))
@option(
    "--at",
    "address",
    metavar="ADDRESS",
    default="http://127.0.0.1:8080/",
    help=text("The table’s address, as its terminal shows it; otherwise http://127.0.0.1:8080/."),
)
@option(
    "--token",
    envvar="LASTNOSE_TOKEN",
    help=text(
        "An API token of the table (lastnose token), or $LASTNOSE_TOKEN. On the table’s own machine none is "
        "needed."
    ),
)
@json_option()
@data_option()
def command(
    comes: tuple[str, ...],
    goes: tuple[str, ...],
    mixed: bool,
    address: str,
    token: str | None,
    as_json: bool,
    data_dir: Path | None,
) -> None:
    """Send who plays from now on, and show how it stands."""
    if not (comes or goes or mixed):
        raise BadInput(text("Say who comes, who goes, or that seats are mixed."))
    base, spoken = base_of(address), language()
    players = circle(state_of(base, spoken), comes, goes)
    if mixed:
        random.SystemRandom().shuffle(players)
    wish = {"type": "regroup", "players": players}
    if token is not None:
        state = sent(base, spoken, wish, token)
    else:
        from companion.config.settings import default_data_dir
        from web.access_files import passing_token

        with passing_token(data_dir or default_data_dir(), "lastnose regroup") as lent:
            state = sent(base, spoken, wish, lent)
    if as_json:
        print_json(state)
        return
    click.echo(said(state))
    for row in state["rows"]:
        click.echo(f"  {row['seat']:>2}  {row['player']}  {standing(row)}".rstrip())


def circle(state: TableState, comes: tuple[str, ...], goes: tuple[str, ...]) -> list[str]:
    """Return who sits around the table of *state* when *comes* have come and *goes* have gone.

    Raises BadInput for somebody who goes and does not sit there.
    """
    now = [str(row["player"]) for row in state["rows"]]
    if not now:
        raise BadInput(text("No game is being played: start one first."))
    for name in goes:
        if name not in now:
            raise BadInput(
                text(
                    "“{name}” does not sit at this table. There are: {players}.",
                    name=name,
                    players=listing(now),
                )
            )
    return [*(name for name in now if name not in goes), *comes]
