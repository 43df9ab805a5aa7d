"""`lastnose wiring`: the drawing of a profile, or its table of wires."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from companion.cli import completion
from companion.cli.frame import argument, json_option, language, option, print_json, speak
from companion.cli.frame import command as define
from companion.core.errors import BadInput, reason
from companion.core.text import Text, text
from companion.wiring.booklet import booklet
from companion.wiring.drawings.levers import input_sheets, input_table
from companion.wiring.drawings.sheets import channel_sheet, sheets
from companion.wiring.profile import Profile, load_profile
from companion.wiring.wires import HEADINGS, Wire, as_csv, as_markdown, rows, wires


@define(
    "wiring",
    help=text(
        "Draw a profile’s wiring (.svg), tabulate it (.md, .csv), or write a booklet to build it by (.html)."
    ),
    examples=[
        "lastnose wiring home6 -o wiring.svg",
        "lastnose wiring home6 --sheet board -o board.svg",
        "lastnose wiring home4-screws -o booklet.html --lang fr",
        "lastnose wiring my-table.toml -o wiring.csv",
    ],
)
@argument("profile", metavar="NAME|FILE", shell_complete=completion.profiles)
@option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help=text("The file: .svg, .md, .csv or .html; without it the table is printed."),
)
@option(
    "--sheet",
    type=click.Choice(["wires", "board", "channel"]),
    default="wires",
    help=text("All wires, the inputs’ strip board or connectors hole by hole, or the circuit of one input."),
)
@json_option()
def command(profile: str, output: Path | None, sheet: str, as_json: bool) -> None:
    """Write the drawing or the table."""
    found = load_profile(profile)
    if as_json:
        print_json([_described(wire) for wire in wires(found)])
    if output is None:
        if not as_json:
            click.echo(as_markdown(*_table(found, sheet), speak), nl=False)
        return
    for path, content in _files(found, output, sheet).items():
        try:
            path.write_text(content, encoding="utf-8")
        except OSError as error:
            raise BadInput(
                text("{path} cannot be written ({reason}).", path=str(path), reason=reason(error))
            ) from None
        click.echo(str(path), err=as_json)


def _files(profile: Profile, output: Path, sheet: str) -> dict[Path, str]:
    """Return the contents by file; a second page is called after the first."""
    tables: dict[str, Callable[..., str]] = {".md": as_markdown, ".csv": as_csv}
    suffix = output.suffix.lower()
    if suffix in tables and sheet != "channel":
        return {output: tables[suffix](*_table(profile, sheet), speak)}
    if suffix == ".html":
        return {output: booklet(profile, speak, language())}
    if suffix != ".svg":
        raise BadInput(
            text(
                "{path}: the name must end in .svg for a drawing, .md or .csv for a table, .html for "
                "a booklet.",
                path=str(output),
            )
        )
    draw = {"wires": sheets, "board": input_sheets}
    pages = [channel_sheet(speak)] if sheet == "channel" else draw[sheet](profile, speak)
    return {
        output.with_stem(output.stem + (f"-{number}" if number > 1 else "")): page
        for number, page in enumerate(pages, start=1)
    }


def _table(profile: Profile, sheet: str) -> tuple[tuple[Text, ...], list[tuple[Text | str, ...]]]:
    if sheet == "board":
        return input_table(profile)
    return HEADINGS, rows(profile)


def _described(wire: Wire) -> dict[str, object]:
    return {
        "use": wire.use,
        "board": wire.board,
        "pin": wire.physical,
        "name": wire.pin,
        "wire": speak(wire.colour.name),
        "to": speak(wire.to),
        "through": speak(wire.through) if wire.through else None,
    }
