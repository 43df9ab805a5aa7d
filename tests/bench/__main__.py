"""`make bench`: what Last Nose costs on this machine, beside what it should cost at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from lastnose.companion.core.errors import BadInput

from tests import bench
from tests.bench.figures import BenchPlan, FigureGroup
from tests.bench.report import lines, verdict

KEPT = Path(".cache") / "bench.json"


@click.command()
@click.option(
    "--only", type=click.Choice(bench.choices()), multiple=True, help="Measure this group; may be repeated."
)
@click.option("--quick", is_flag=True, help="Measure little: in seconds, and less exactly.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    default=KEPT,
    show_default=True,
    help="Keep the figures in this file; groups not measured now stay as they are there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def main(only: tuple[str, ...], quick: bool, output: Path, as_json: bool) -> None:
    """Measure speed, memory and timing error, print and keep the figures."""
    try:
        _measure(only, quick, output, as_json)
    except BadInput as problem:
        click.echo(str(problem), err=True)
        raise SystemExit(2) from None


def _measure(only: tuple[str, ...], quick: bool, output: Path, as_json: bool) -> None:
    bench.keep(bench.document({}), output)
    plan = BenchPlan(folder=output.parent, quick=quick)
    measured: dict[str, FigureGroup] = {}
    described: dict[str, dict[str, Any]] = {}
    for name in bench.chosen(only):
        click.echo(f"Measuring: {bench.GROUPS[name]} …", err=True)
        measured[name] = bench.measure(name, plan)
        described[name] = bench.describe(measured[name], plan)
        bench.keep(bench.document(described), output)
        if not as_json:
            click.echo("\n".join([bench.GROUPS[name], *lines(measured[name]), ""]))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(bench.document(described)), indent=2))
    else:
        click.echo(verdict(measured))
        click.echo(f"The figures are kept in {output}.")


if __name__ == "__main__":
    main()
