"""`lastnose watch`: standings and verdicts in the terminal, for whoever hosts over SSH."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress

import click

from companion.cli.frame import command as define
from companion.cli.frame import json_option, language, option, speak
from companion.cli.live_table import TableState, base_of, follow, state_of
from companion.cli.watch_words import decided, pretended, said, standings, where
from companion.core.text import text


@define(
    "watch",
    help=text(
        "Show standings and verdicts in the terminal, live, until Ctrl-C. Into a pipe: a line a verdict, or "
        "a JSON document a line."
    ),
    examples=[
        "lastnose watch",
        "lastnose watch --at http://lastnose.local/",
        "lastnose watch --once --json",
    ],
)
@option(
    "--at",
    "address",
    metavar="ADDRESS",
    default="http://127.0.0.1:8080/",
    help=text("The table’s address, as its terminal shows it; otherwise http://127.0.0.1:8080/."),
)
@option("--once", is_flag=True, help=text("Show how it stands now, and end."))
@json_option()
def command(address: str, once: bool, as_json: bool) -> None:
    """Show the table until it is enough."""
    base, spoken = base_of(address), language()
    now = state_of(base, spoken)
    later: Iterator[TableState | None] = iter(()) if once else follow(base, spoken)
    with suppress(KeyboardInterrupt):
        if as_json:
            _as_json(now, later)
        elif once or not sys.stdout.isatty():
            _as_lines(now, later)
        else:
            _as_screen(now, later)


def _as_json(now: TableState, later: Iterator[TableState | None]) -> None:
    """Print *now*, and what follows it, as a document a line."""
    _print(now)
    for state in later:
        if state is not None and state["version"] != now["version"]:
            _print(state)


def _print(state: TableState) -> None:
    click.echo(json.dumps(state, ensure_ascii=False, separators=(",", ":")))


def _as_lines(now: TableState, later: Iterator[TableState | None]) -> None:
    """Print how it stands, then a line whenever something new is decided, or the table goes or comes."""
    click.echo("  ".join(word for word in (where(now), pretended(now)) if word))
    for line in (said(now), *standings(now)):
        click.echo(line)
    before, away = decided(now), False
    for state in later:
        if state is None:
            if not away:
                click.echo(speak(text("The table is away. Trying again…")))
            away = True
            continue
        away, found = False, decided(state)
        if found is not None and found != before:
            click.echo(said(state))
        before = found or before


def _as_screen(now: TableState, later: Iterator[TableState | None]) -> None:
    from companion.cli.watch_screen import WatchScreen

    with WatchScreen() as screen:
        screen.show(now)
        for state in later:
            screen.show(state)
