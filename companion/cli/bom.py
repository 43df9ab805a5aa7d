"""`lastnose bom`: what to buy for a profile."""

from __future__ import annotations

import click

from companion.cli import completion
from companion.cli.frame import argument, bad_option, json_option, option, print_json, speak
from companion.cli.frame import command as define
from companion.core.text import text
from companion.wiring.bom import HEADINGS, Item, bill, rows
from companion.wiring.profile import load_profile
from companion.wiring.wires import as_csv, as_markdown


@define(
    "bom",
    help=text("List what to buy for a profile: parts, spares, and what may replace them."),
    examples=["lastnose bom home6", "lastnose bom pico-party --csv"],
)
@argument("profile", metavar="NAME|FILE", shell_complete=completion.profiles)
@option("--csv", "comma_separated", is_flag=True, help=text("Print it as CSV, for a spreadsheet."))
@json_option()
def command(profile: str, comma_separated: bool, as_json: bool) -> None:
    """Print the bill."""
    if comma_separated and as_json:
        raise bad_option("--csv", text("one form at a time; leave --json out."))
    items = bill(load_profile(profile))
    if as_json:
        print_json([_described(item) for item in items])
        return
    write = as_csv if comma_separated else as_markdown
    click.echo(write(HEADINGS, rows(items), speak), nl=False)


def _described(item: Item) -> dict[str, object]:
    return {
        "part": speak(item.part),
        "for": speak(item.each),
        "needed": item.needed,
        "spare": item.spare,
        "buy": item.buy,
        "instead": speak(item.instead) if item.instead else None,
    }
