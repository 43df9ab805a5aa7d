"""Directives that write what the program itself says: rules, options, the API, a module's own page.

What they write is in the language of the site by the catalogues of the program: it is never stale, and needs
no translation here.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from docutils import nodes
from lastnose.companion.cli import COMMANDS
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import GAMES, AnyGame
from lastnose.companion.i18n import translator
from lastnose.companion.wiring import bom
from lastnose.companion.wiring.drawings.levers import input_sheets, input_table
from lastnose.companion.wiring.drawings.sheets import sheets
from lastnose.companion.wiring.profile import load_profile
from lastnose.companion.wiring.wires import HEADINGS, as_markdown, rows
from lastnose.web.api.endpoint import TABLE, load
from lastnose.web.api.openapi import document
from lastnose.web.hall.api import HALL
from sphinx.util.docutils import SphinxDirective


class FromProgram(SphinxDirective):
    """A directive that writes Markdown, and what no Markdown can say as nodes."""

    def say(self, message: Text) -> str:
        """Return *message* in the language of the site, as Markdown."""
        said = translator(self.config.language or "en")(message)
        for sign in "\\`*_[]<>#":
            said = said.replace(sign, "\\" + sign)
        return said

    def heading(self, kind: type[nodes.TextElement], title: Text) -> nodes.TextElement:
        """Return a title or rubric, which the catalogues of the program have translated."""
        said = translator(self.config.language or "en")(title)
        return kind(said, said, translatable=False)

    def written(self, markdown: str) -> list[nodes.Node]:
        """Return *markdown* read."""
        read = self.parse_text_to_nodes(markdown, allow_section_headings=True)
        for node in read:
            for one in node.findall(nodes.TextElement):
                one["translatable"] = False
        return read


class Rules(FromProgram):
    """`{rules}`: every game: what it is, for how many, its rules with their drawings, its house rules."""

    def run(self) -> list[nodes.Node]:
        """Write a section a game."""
        return [self._game(game) for game in GAMES.values()]

    def _game(self, game: AnyGame) -> nodes.section:
        section = nodes.section(ids=[game.name], names=[game.name])
        section += self.heading(nodes.title, game.title)
        self.state.document.note_explicit_target(section, section)
        least, most = game.seats
        crowd = game.crowd or text("{least} to {most} players", least=least, most=most)
        section.extend(self.written(f"{self.say(game.summary)}\n\n*{self.say(crowd)}.*"))
        for part in game.help(game.read_options({})):
            section += self.heading(nodes.rubric, part.title)
            if part.diagram is not None:
                section += self._drawing(part.diagram)
            section.extend(self.written("\n\n".join(self.say(line) for line in part.lines)))
        section.extend(self._options(game))
        return section

    def _drawing(self, diagram: Any) -> nodes.raw:
        says = html.escape(translator(self.config.language or "en")(diagram.says))
        size = f'viewBox="0 0 {diagram.width} {diagram.height}" width="{diagram.width}"'
        drawn = f'<svg {size} role="img" aria-label="{says}">{diagram.inside}</svg>'
        return nodes.raw("", f'<figure class="diagram">{drawn}</figure>', format="html")

    def _options(self, game: AnyGame) -> list[nodes.Node]:
        fields = game.option_fields()
        if not fields:
            return []
        rows = []
        for field in fields:
            says = "" if field.explain is None else self.say(field.explain)
            choices = " · ".join(self.say(choice.label) for choice in field.choices)
            more = f"{says} {choices}".strip()
            rows.append(f"- **{self.say(field.label)}** (`{field.key}`)" + (f"  \n  {more}" if more else ""))
        return [
            self.heading(nodes.rubric, text("House rules")),
            *self.written("\n".join(rows)),
        ]


class Kit(FromProgram):
    """`{kit} home6`: what is built of a profile: drawing, wires, strip board, what to buy."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write them, as the commands do."""
        name, say = self.arguments[0], translator(self.config.language or "en")
        profile = load_profile(name)
        wires = as_markdown(HEADINGS, rows(profile), say)
        board = as_markdown(*input_table(profile), say)
        buy = as_markdown(bom.HEADINGS, bom.rows(bom.bill(profile)), say)
        return [
            *self._drawn(f"{name}-wiring", sheets(profile, say)),
            *self.written(wires),
            *self._drawn(f"{name}-board", input_sheets(profile, say)),
            *self.written(board),
            *self.written(buy),
        ]

    def _drawn(self, name: str, pages: Sequence[str]) -> list[nodes.Node]:
        """Return the drawings, each to look at and to keep as a file that prints at true size."""
        found: list[nodes.Node] = []
        for number, page in enumerate(pages, start=1):
            file = f"{name}{f'-{number}' if number > 1 else ''}.svg"
            data = "data:image/svg+xml;base64," + b64encode(page.encode()).decode()
            shown = f'<a class="drawing" href="{data}" download="{file}"><img src="{data}" alt="{file}"></a>'
            found.append(nodes.raw("", shown, format="html"))
        return found


class HttpApi(FromProgram):
    """`{http-api} table` or `hall`: every call, with what it needs and gives, from its own description."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write a row a call."""
        load()
        described = json.loads(document({"table": TABLE, "hall": HALL}[self.arguments[0]]))
        rows = ["| call | what it does | who |", "| --- | --- | --- |"]
        for path, calls in described["paths"].items():
            for method, call in calls.items():
                who = (call.get("description") or "").partition("\n")[0]
                cells = (f"`{method.upper()} {path}`", call["summary"], who)
                rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        return self.written("\n".join(rows))


class Docstring(FromProgram):
    """`{docstring} companion.timing`: what a module says of itself at its top, as Markdown."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write it."""
        return self.written(import_module(self.arguments[0]).__doc__ or "")


def _examples(app: Any, ctx: Any, lines: list[str]) -> None:
    """Put a command's examples below its options."""
    examples = getattr(ctx.command, "examples", ())
    if examples:
        lines[:] = [".. code-block:: sh", "", *(f"   {example}" for example in examples), ""]


def _no_help_of_click(app: Any, ctx: Any, lines: list[str]) -> None:
    """Show the line of `lastnose --help` where a command has no longer one."""
    name = ctx.command.name
    if not any(line.strip() for line in lines) and name in COMMANDS:
        lines[:] = [str(COMMANDS[name]), ""]


def setup(app: Any) -> dict[str, bool]:
    """Name the directives."""
    app.add_directive("rules", Rules)
    app.add_directive("kit", Kit)
    app.add_directive("http-api", HttpApi)
    app.add_directive("docstring", Docstring)
    app.connect("sphinx-click-process-epilog", _examples)
    app.connect("sphinx-click-process-description", _no_help_of_click)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
