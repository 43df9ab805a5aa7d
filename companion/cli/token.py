"""`lastnose token`: make a token with which another program may use the API."""

from __future__ import annotations

from pathlib import Path

import click
from lastnose.companion.cli.frame import argument, data_option, define, json_option, print_json


@define(
    "token",
    examples=["lastnose token scoreboard", "lastnose token lamp-bridge --json"],
)
@argument("name")
@json_option
@data_option
def command(name: str, as_json: bool, data_dir: Path | None) -> None:
    """Make the token and print it."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.web.access import make_token

    token = make_token(data_dir or default_data_dir(), name)
    if as_json:
        print_json({"name": name.strip(), "token": token})
    else:
        click.echo(token)
