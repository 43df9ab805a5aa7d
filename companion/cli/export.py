"""`lastnose export`: an evening of the log as CSV or JSON, also while its table is running."""

from __future__ import annotations

from pathlib import Path

import click
from lastnose.companion.cli.frame import FILE_OR_DASH, data_option, define, json_option, option, write_out
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text


@define(
    "export",
    examples=[
        "lastnose export > evening.csv",
        "lastnose export --evening 3 --json --output evening.json",
    ],
)
@json_option
@option("--evening", metavar="N", type=int, help=text("Which evening, from 1; otherwise the latest."))
@data_option
@option(
    "--output",
    "-o",
    type=FILE_OR_DASH,
    default="-",
    help=text("The file to write."),
)
def command(as_json: bool, evening: int | None, data_dir: Path | None, output: Path) -> None:
    """Read the log and write it out."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.companion.table.memory_store import EveningRecord
    from lastnose.companion.table.queries import EveningQueries
    from lastnose.companion.table.reader import LogReader

    folder = data_dir or default_data_dir()
    store = LogReader(folder)
    try:
        store.must_be_sound()
        if evening is not None:
            if not 1 <= evening <= store.evening:
                raise BadInput(
                    text("There is no evening {n}: they go from 1 to {last}.", n=evening, last=store.evening)
                )
            store.evening = evening
        queries = EveningQueries(EveningRecord(store))
        made = queries.export_json() if as_json else queries.export_csv().encode()
    finally:
        store.close()
    if output == Path("-"):
        click.echo(made, nl=False)
    else:
        write_out(output, made, folder)
