"""The frame of every command: translated help with an example, one sentence for an error, results as JSON.

Write a command with `@define(...)`, `option(...)` and `argument(...)` from here; give help as `text("…")`.
A command returns None or 0 when it is done, and 1 when the answer is no.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from gettext import bindtextdomain, textdomain
from gettext import gettext as _
from importlib.resources import files
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from lastnose.companion.core.errors import (
    BadInput,
    CompanionError,
    Malformed,
    NoSuchProfile,
    NotNow,
    full,
    reason,
    unwritable,
    where_kept,
)
from lastnose.companion.core.names import nearest
from lastnose.companion.core.text import Text, text
from lastnose.companion.i18n import DOMAIN, LANGUAGES, catalogue, language_of, translator

GROUPS: tuple[tuple[Text, dict[str, Text]], ...] = (
    (
        text("Play"),
        {
            "run": text("Start the table and its page."),
            "watch": text("Show standings and verdicts in the terminal, live."),
            "rename": text("Change somebody’s name in all of the evening."),
        },
    ),
    (
        text("Ask"),
        {
            "games": text("List the games and their options."),
            "deal": text("Say which cards or tiles a game needs."),
            "points": text("Count a hand: cards as 7S 10H KD 2C or 7♠ 10♥ K♦ 2♣, tiles as 5-5."),
            "contract": text("Say whether and how a hand can lay down in Swedish Gin Rummy."),
            "replay": text("Judge a tape and print its rounds."),
        },
    ),
    (
        text("Build"),
        {
            "profiles": text("List, explain, check and draw wirings, and what to buy for one."),
            "box": text("Find, flash and watch buzzer boxes."),
            "selftest": text("Test the wiring, nose by nose, and write a report."),
            "setup-pi": text(
                "Set this machine up as a table that starts by itself, change what is named, or take it all "
                "back."
            ),
            "doctor": text("Say what is wrong with this machine, and what to do; nothing is changed."),
        },
    ),
    (
        text("Event"),
        {
            "hall": text("An evening of many tables: seat people, follow every table, keep the list."),
            "zero": text("Make the zero test before an evening."),
            "export": text("Write an evening as CSV, a line a round, or as JSON, every event."),
        },
    ),
    (
        text("Programs"),
        {
            "token": text(
                "Make a token for a program that uses the API; delete its entry in tokens.json to end it."
            ),
            "rescue": text("Repair a damaged log; the damaged file is kept beside it."),
        },
    ),
)
COMMANDS = {name: line for _, group in GROUPS for name, line in group.items()}

OURS = ("lastnose",)  # a part of these that is missing is a mistake of ours
PIPE_COLUMNS = 1_000
MOST_LETTERS = 1_000  # of a sentence of click's: what was typed may stand in it
F = TypeVar("F", bound=Callable[..., Any])


def language() -> str:
    """Return the language of the command: the environment's, into which `--lang` has been put."""
    return language_of(os.environ)


def speak(message: Text) -> str:
    """Return *message* in the language of the command."""
    return translator(language())(message)


def say(message: Text, *, err: bool = False) -> None:
    """Print *message* in the language of the command."""
    click.echo(speak(message), err=err)


def say_pin(pin: str, data_dir: Path, *, err: bool = False, hall: bool = False) -> None:
    """Show *pin* to who looks at a terminal; a log or a pipe learns only where it is kept.

    The desk of a *hall* shows it, and no small screen.
    """
    if (sys.stderr if err else sys.stdout).isatty():
        say(text("PIN for phones that set up and host: {pin}", pin=pin), err=err)
        return
    file = str(data_dir / "access.json")
    desk = text("The PIN for other organisers is on the desk, and in {file}.", file=file)
    screen = text(
        "The PIN for phones that set up and host is in {file}, and on the small screen if there is one.",
        file=file,
    )
    say(desk if hall else screen, err=err)


def print_json(value: object) -> None:
    """Print *value* (structs, dicts, lists) as one indented JSON document.

    What is not UTF-8 in the name of a file is a question mark in it, as in a terminal.
    """
    try:
        document = msgspec.json.encode(value)
    except UnicodeEncodeError:
        document = msgspec.json.encode(_in_utf8(msgspec.to_builtins(value)))
    click.echo(msgspec.json.format(document, indent=2))


def _in_utf8(found: Any) -> Any:
    """Return *found* with a question mark for every sign that UTF-8 does not have."""
    if isinstance(found, dict):
        return {_in_utf8(name): _in_utf8(one) for name, one in found.items()}
    if isinstance(found, list):
        return [_in_utf8(one) for one in found]
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else found


def print_table(headings: Sequence[Text], lines: Iterable[Sequence[Text | str]]) -> None:
    """Print a table in columns: as wide as the terminal, cells in several lines; into a pipe a line a row."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings:
        table.add_column(speak(heading), overflow="fold")
    for line in lines:
        table.add_row(*(cell if isinstance(cell, str) else speak(cell) for cell in line))
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)
    with console.capture() as drawn:
        console.print(table)
    click.echo("\n".join(row.rstrip() for row in drawn.get().splitlines()))


class Option(click.Option):
    """An option whose help is a Text. *former* names of it are taken too, and not listed."""

    def __init__(
        self, declarations: Sequence[str], *, help: Text, former: Sequence[str] = (), **settings: Any
    ) -> None:
        super().__init__([*declarations, *former], help=help.id, **settings)
        self.message = help
        self._former = former

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return flags and translated help."""
        self.help = speak(self.message)
        taken = self.opts
        self.opts = [name for name in taken if name not in self._former]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = taken


class Span(click.FloatRange):
    """A number within limits. Python's NaN is no number here: click finds it inside any limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number that *value* is."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            wrong = _("{value!r} is not a valid {number_type}.")
            self.fail(wrong.format(value=value, number_type=self.name), param, ctx)
        return number


class PathName(click.Path[Path]):
    """A file or folder. The empty name that an unset variable leaves is none: not the present folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path that *value* is."""
        if value == "":
            missing = _("{name} {filename!r} does not exist.")
            self.fail(missing.format(name=self.name.capitalize(), filename=""), param, ctx)
        return super().convert(value, param, ctx)


class CliCommand(click.Command):
    """A command whose help is a Text, with examples that can be typed as they stand."""

    def __init__(self, name: str | None, *, help: Text, examples: Sequence[str], **settings: Any) -> None:
        settings.setdefault("context_settings", {}).setdefault("help_option_names", ["-h", "--help"])
        super().__init__(name, help=help.id, **settings)
        self.message = help
        self.examples = tuple(examples)
        # It has been obeyed before options are read.
        speaks = text("Speak this language; otherwise the one of LANG.")
        self.params.append(Option(["--lang"], type=click.Choice(LANGUAGES), expose_value=False, help=speaks))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the language first, wherever `--lang` stands, so that help and errors speak it too."""
        wish = _wanted_language(args)
        if wish in LANGUAGES:
            catalogue(wish)  # a missing one is told of in the language spoken so far
            os.environ["LANGUAGE"] = wish
            _name_kinds()
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it was told wrong is said with where its help is."""
        try:
            return super().invoke(ctx)
        except (NotNow, Malformed):
            raise
        except (BadInput, NoSuchProfile) as error:
            raise click.UsageError(speak(error.text), ctx) from error

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return `--help`, described in the language of the command."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = speak(text("Show this message and exit."))
        return found

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the translated help."""
        self.help = speak(self.message)
        super().format_help_text(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, one a line."""
        if self.examples:
            with formatter.section(speak(text("Examples"))):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def define(name: str, **about: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command: `@define("deal", examples=["lastnose deal pig"])`; *about* is for its class.

    Where no help is given, it is the command's line in `lastnose --help`.
    """
    return click.command(name, **{"cls": CliCommand, "help": COMMANDS.get(name), **about})


def option(*declarations: str, help: Text, **settings: Any) -> Callable[[F], F]:
    """Add an option with translated help; *settings* are click's own."""
    return click.option(*declarations, cls=Option, help=help, **settings)


def argument(*declarations: str, **settings: Any) -> Callable[[F], F]:
    """Add an argument; *settings* are click's own."""
    return click.argument(*declarations, **settings)


CSV = text("Print a table for spreadsheets, and no JSON.")


A_FILE = PathName(exists=True, dir_okay=False, path_type=Path)
FILE = PathName(dir_okay=False, path_type=Path)  # which may be there, or be written
FILE_OR_DASH = PathName(dir_okay=False, allow_dash=True, path_type=Path)
FOLDER = PathName(file_okay=False, path_type=Path)
A_FOLDER = PathName(exists=True, file_okay=False, path_type=Path)
# Every command with results has this flag.
json_option = option("--json", "as_json", is_flag=True, help=text("Print the result as JSON."))
data_option = option(
    "--data",
    "data_dir",
    type=FOLDER,
    help=text("The folder of the evening’s log; otherwise $LASTNOSE_DATA or the user’s data folder."),
)


def _wanted_language(args: Sequence[str]) -> str | None:
    """Return what follows `--lang` in *args*.

    >>> _wanted_language(["pig", "--lang=fr"]), _wanted_language(["--lang", "en"]), _wanted_language([])
    ('fr', 'en', None)
    """
    for at, word in enumerate(args):
        if word == "--":
            break
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
        if word == "--lang" and at + 1 < len(args):
            return args[at + 1]
    return None


# Click names a path when it is made, in whatever language is spoken then.
_KINDS: dict[type[click.ParamType[Any]] | PathName, Text] = {
    **dict.fromkeys((A_FILE, FILE, FILE_OR_DASH), text("file")),
    **dict.fromkeys((FOLDER, A_FOLDER), text("directory")),
    type(click.INT): text("whole number"),
    type(click.FLOAT): text("number"),
    click.IntRange: text("whole number"),
    click.FloatRange: text("number"),
}


def _name_kinds() -> None:
    """Let click call what it expected by its name in our language."""
    for kind, name in _KINDS.items():
        kind.name = translator(os.environ["LANGUAGE"])(name)


@contextmanager
def _clicks_own_words() -> Iterator[None]:
    """Let click find its own words ("Usage:", "No such option") in our catalogue, and tidy up afterwards."""
    bindtextdomain(DOMAIN, str(files("lastnose.companion.i18n") / "locale"))
    before_domain, before_language = textdomain(), os.environ.get("LANGUAGE")
    textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language_of(os.environ)
    _name_kinds()
    try:
        yield
    finally:
        for kind, name in _KINDS.items():
            kind.name = str(name)
        textdomain(before_domain)
        if before_language is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before_language


def run_and_exit(run: Callable[[], Any]) -> None:
    """Call *run* and leave with its exit status; an error becomes one sentence on stderr and status 2."""
    try:
        catalogue(language())
    except CompanionError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    with _clicks_own_words():
        status = _run(run)
    sys.exit(status)


def _run(run: Callable[[], Any]) -> int:
    """Return the exit status of *run*, with what went wrong said on stderr."""
    try:
        result = run()
    except CompanionError as error:
        _complain(speak(error.text))
        return 2
    except ModuleNotFoundError as error:
        package = (error.name or OURS[0]).partition(".")[0]
        if package in OURS:
            raise
        _complain(
            speak(
                text(
                    "The Python package {name} is missing here: install Last Nose again, as its README says.",
                    name=package,
                )
            )
        )
        return 2
    except click.Abort:
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        _complain(_one_sentence(_said(error)), getattr(error, "ctx", None))
        return 2
    except OSError as error:
        _complain(speak(_unusable(error)))
        return 2
    return result if isinstance(result, int) else 0


def _said(error: click.ClickException) -> str:
    """Return what click finds wrong, of its guesses the best: it would sort them by the alphabet."""
    if isinstance(error, click.NoSuchOption):
        # All options have dashes in common.
        bare = {one.lstrip("-"): one for one in error.possibilities or ()}
        meant = nearest(error.option_name.lstrip("-"), bare)
        error = click.NoSuchOption(error.option_name, possibilities=[bare[meant]] if meant else None)
    elif isinstance(error, click.exceptions.NoSuchCommand):
        possibilities = (error.possibilities or [])[:1]
        error = click.exceptions.NoSuchCommand(error.command_name, possibilities=possibilities)
    return error.format_message()


def _unusable(error: OSError) -> Text:
    """Return what to say of a file, or of something else of the system, that nobody was prepared for."""
    if error.filename is None:
        return Text("{why}", {"why": reason(error)})
    return text("{file} cannot be used: {why}", file=str(error.filename), why=reason(error))


def _complain(sentence: str, ctx: click.Context | None = None) -> None:
    """Say what is wrong on stderr, and (of a command that was typed wrong) where its help is."""
    said = speak(text("Error: {sentence}", sentence=sentence))
    if ctx is not None:
        said += " " + speak(text("Try {command} for help.", command=f"{ctx.command_path} --help"))
    click.echo(said, err=True)


def _one_sentence(message: str) -> str:
    """Return a message of click's as one line that ends like a sentence.

    >>> _one_sentence("Choose from:\\n\\ta, b")
    'Choose from: a, b.'
    """
    said = " ".join(re.split(r"[^\S\u00a0]+", message.strip()))  # what holds words together stays
    said = said if said.endswith((".", "?", "!", "…")) else f"{said}."
    return said if len(said) <= MOST_LETTERS else f"{said[: MOST_LETTERS - 1]}…"


def bad_option(name: str, why: Text) -> BadInput:
    """Return the error for an option that cannot be taken: `raise bad_option("--players", text("…"))`."""
    return BadInput(text("{what}: {says}", what=name, says=why))


def write_out(file: Path, made: bytes, kept: Path) -> None:
    """Write *file*, whole or not at all; raise BadInput, also for one in the folder *kept*, and for a log."""
    from tempfile import TemporaryDirectory

    file = file.resolve()
    try:
        if kept.resolve() in file.parents or (file.is_file() and _is_database(file)):
            raise BadInput(where_kept(file))
        if file.exists() and not file.is_file():  # a device, a pipe; a folder refuses
            file.write_bytes(made)
            return
        with TemporaryDirectory(dir=file.parent, prefix=".lastnose-") as folder:
            draft = Path(folder) / file.name
            draft.write_bytes(made)
            draft.replace(file)
    except OSError as problem:
        raise BadInput(
            full(file) if problem.errno == errno.ENOSPC else unwritable(file, problem)
        ) from problem


def _is_database(file: Path) -> bool:
    from lastnose.companion.table.log_file import MAGIC

    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


# ---- a command of several


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
