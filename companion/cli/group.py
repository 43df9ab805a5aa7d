"""A command of several, as in `lastnose profiles check FILE`; its members are commands of the frame."""

from __future__ import annotations

import click

from companion.cli.frame import CliCommand, speak
from companion.core.text import text


class CliGroup(CliCommand, click.Group):
    """A group whose help is a Text, and whose members say their own."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a member, translated."""
        members = [self.commands[name] for name in self.list_commands(ctx)]
        lines = [
            (str(member.name), speak(member.message)) for member in members if isinstance(member, CliCommand)
        ]
        with formatter.section(speak(text("Commands"))):
            formatter.write_dl(lines)
