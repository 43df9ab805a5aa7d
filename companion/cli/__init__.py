"""The command line: one file a command, loaded when it is called.

`companion/cli/<name>.py` exposes its click command as `command`; its line in `lastnose --help` stands in
`frame`, so that help needs none of them.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click
from lastnose.companion import __version__
from lastnose.companion.cli.frame import COMMANDS, GROUPS, CliCommand, Option, run_and_exit, speak
from lastnose.companion.core.text import text

FORMER = ("wiring", "bom")  # now members of `profiles`; until version 0.3 they can be typed as before


class Main(CliCommand, click.Group):
    """The group: knows the names of its commands, loads one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of a first evening."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load and return the command called *cmd_name*."""
        if cmd_name in FORMER:
            former: click.Command = import_module("lastnose.companion.cli.profiles").command.commands[
                cmd_name
            ]
            return former
        if cmd_name not in COMMANDS:
            return None
        from lastnose.companion.config.plugins import load_games

        load_games()
        found: click.Command = import_module(f"lastnose.companion.cli.{cmd_name.replace('-', '_')}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a command, by what they are for, without loading any."""
        widest = max(map(len, COMMANDS))
        for title, commands in GROUPS:
            formatter.write(f"\n{speak(text('{group}:', group=title))}\n")
            with formatter.indentation():
                formatter.write_dl([(f"{name:<{widest}}", speak(line)) for name, line in commands.items()])

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run and exit: 0 done, 1 the answer is no, 2 bad input with one sentence on stderr."""
        settings["standalone_mode"] = False
        if os.environ.get("NO_COLOR"):
            settings["color"] = False
        _be_in_some_zone()
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # what a terminal has no sign for
        run_and_exit(lambda: super(Main, self).main(*arguments, **settings))


def _be_in_some_zone() -> None:
    """Be in UTC where TZ names a file that describes no zone: babel would take it for the end."""
    try:
        import_module("babel.localtime")
    except (OSError, ValueError):
        os.environ["TZ"] = "UTC"


main = Main(
    "lastnose",
    help=text("Last Nose: a table companion that says who was last, and how sure it is."),
    examples=["lastnose run --source mock", "lastnose deal pig --players 7"],
)
click.version_option(
    __version__, message="%(prog)s %(version)s", cls=Option, help=text("Show the version and exit.")
)(main)
