"""`lastnose bench`: what it costs on this machine, beside what it should cost at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.bench import GROUPS, choices
from companion.cli.frame import command as define
from companion.cli.frame import json_option, option, print_json, say, speak
from companion.core.text import text

KEPT = Path(".cache") / "bench.json"


@define(
    "bench",
    help=text("Measure speed, memory and timing error, and keep the figures."),
    examples=["lastnose bench", "lastnose bench --quick --only edges --only pages", "lastnose bench --json"],
)
@option(
    "--only",
    type=click.Choice(choices()),
    multiple=True,
    help=text("Measure this group only; may be given more than once."),
)
@option("--quick", is_flag=True, help=text("Measure little: in seconds, and less exactly."))
@option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    default=KEPT,
    show_default=True,
    help=text("Keep the figures in this file; groups not measured now stay as they are there."),
)
@json_option()
def command(only: tuple[str, ...], quick: bool, output: Path, as_json: bool) -> None:
    """Measure, print and keep."""
    from companion import bench
    from companion.bench.figures import BenchPlan, FigureGroup
    from companion.bench.report import lines, verdict

    bench.keep(bench.document({}), output)
    plan = BenchPlan(folder=output.parent, quick=quick)
    measured: dict[str, FigureGroup] = {}
    described: dict[str, dict[str, Any]] = {}
    for name in bench.chosen(only):
        say(text("Measuring: {what} …", what=GROUPS[name]), err=True)
        measured[name] = bench.measure(name, plan)
        described[name] = bench.describe(measured[name], plan)
        bench.keep(bench.document(described), output)
        if not as_json:
            click.echo("\n".join([speak(GROUPS[name]), *lines(measured[name], speak), ""]))
    if as_json:
        print_json(bench.document(described))
    else:
        say(verdict(measured))
        say(text("The figures are kept in {file}.", file=str(output)))
