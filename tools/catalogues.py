"""Find all that a person can read; `python -m tools.catalogues --update` merges what is new.

With `--places` every message is listed with where it is said, in the order in which people meet them.
Without either, or with `--language bs` alone, it lists what a language lacks: messages not translated or not
sure, and fields that are missing or mistyped. A language that is offered and has no catalogue yet gets an
empty one.

Python is read as a syntax tree: the calls of `text`, `texts`, `_` and `ngettext`; their messages must be
literal. Templates are read by Jinja's own extractor, scripts for their calls of `t`. Click's own words stand
in CLICK, so that `--help` is translated whole.
"""

from __future__ import annotations

import argparse
import ast
import string
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from lastnose.companion.i18n import LANGUAGES
from lastnose.web.page import said_in

from tests.support.sources import ROOT, SAYS, sources

PACKAGES = ("companion", "web", "hardware")
LOCALE = ROOT / "companion" / "i18n" / "locale"

MessageId = str | tuple[str, str]

# What click says itself in the help and the errors of our commands.
CLICK: tuple[MessageId, ...] = (
    "Usage:",
    "Options",
    "default: {default}",
    "required",
    "No such command {name!r}.",
    "No such option {name!r}.",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    "Missing command.",
    "Missing argument",
    "Missing option",
    "Invalid value for {param_hint}: {message}",
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
    "file",
    "directory",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is a directory.",
    "{name} {filename!r} is not readable.",
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    "Option {name!r} does not take a value.",
)


class Found(msgspec.Struct, frozen=True):
    """A message in the sources. `given`: the fields the call fills in, None when that cannot be read."""

    message: MessageId
    where: str
    given: frozenset[str] | None = None


def fields(message: str) -> set[str]:
    """Return the names of the fields of *message*.

    >>> sorted(fields("{player} was last by {margin}"))
    ['margin', 'player']
    """
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


def _python_messages(path: Path) -> Iterator[Found]:
    """Yield the messages of a Python file; raise ValueError for one that is not literal."""
    for node in sources()[path].says:
        assert isinstance(node.func, ast.Name)
        wanted = SAYS[node.func.id]
        where = f"{path.relative_to(ROOT)}:{node.lineno}"
        literals = [
            argument.value
            for argument in node.args[:wanted]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
        if len(literals) < wanted:
            raise ValueError(f"{where}: the message of {node.func.id}() must be a literal")
        names = [keyword.arg for keyword in node.keywords]
        given = None if None in names else frozenset(str(name) for name in names)
        yield Found(literals[0] if wanted == 1 else (literals[0], literals[1]), where, given)


def _template_messages(path: Path) -> Iterator[Found]:
    """Yield the messages of a template."""
    keywords: dict[str, tuple[int, ...] | None] = {"_": None, "gettext": None, "ngettext": (1, 2)}
    with path.open("rb") as stream:
        for line, message, _, _ in extract("jinja2", stream, keywords, (), {"silent": "false"}):
            where = f"{path.relative_to(ROOT)}:{line}"
            yield Found((message[0], message[1]) if isinstance(message, tuple) else message, where)


def _script_messages(path: Path) -> Iterator[Found]:
    """Yield what a script says."""
    for message in said_in(path.read_text(encoding="utf-8")):
        yield Found(message, str(path.relative_to(ROOT)))


@cache
def found_messages() -> tuple[Found, ...]:
    """Return every message of the sources; they are read once."""
    found = [Found(message, "click") for message in CLICK]
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            found += _python_messages(path)
    for path in sorted((ROOT / "web" / "templates").rglob("*.html")):
        found += _template_messages(path)
    for path in sorted((ROOT / "web" / "static").rglob("*.js")):
        found += _script_messages(path)
    return tuple(found)


def catalogues() -> dict[str, Path]:
    """Return the file of every language."""
    return {path.parent.parent.name: path for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))}


def read_catalogue(path: Path) -> Catalog:
    """Read a .po file."""
    with path.open("rb") as stream:
        return read_po(stream, locale=path.parent.parent.name, abort_invalid=True)


def write_catalogue(path: Path, catalogue: Catalog) -> None:
    """Write a .po file: sorted, one line a message, without places, so that changes read well."""
    with path.open("wb") as stream:
        write_po(
            stream,
            catalogue,
            width=0,
            no_location=True,
            sort_output=True,
            omit_header=False,
            ignore_obsolete=True,
        )


def update(path: Path) -> tuple[list[str], list[str]]:
    """Merge the messages of the sources into a catalogue; return what is new and what has gone."""
    catalogue = read_catalogue(path)
    wanted = {found.message for found in found_messages()}
    have = {_id_of(message) for message in catalogue if message.id}
    for message_id in sorted(wanted - have, key=str):
        catalogue.add(message_id, ("",) * catalogue.num_plurals if isinstance(message_id, tuple) else "")
    for message_id in have - wanted:
        catalogue.delete(message_id)
    write_catalogue(path, catalogue)
    return sorted(map(str, wanted - have)), sorted(map(str, have - wanted))


def sides(message: MessageId | Sequence[str] | None) -> tuple[str, ...]:
    """Return the forms of a message or of its translation."""
    return (message,) if isinstance(message, str) else tuple(message or ())


def problems(path: Path) -> Iterator[tuple[MessageId, str]]:
    """Yield each message of a catalogue that is not translated whole, not sure, or has other fields."""
    catalogue = read_catalogue(path)
    have = {_id_of(message): message for message in catalogue if message.id}
    for missing in sorted({found.message for found in found_messages()} - set(have), key=str):
        yield missing, "is not in the catalogue"
    for message_id, message in have.items():
        forms = sides(message.string)
        wanted = catalogue.num_plurals if isinstance(message_id, tuple) else 1
        if len(forms) != wanted or not all(forms):
            yield message_id, "is not translated"
        elif message.fuzzy:
            yield message_id, "is not sure (fuzzy)"
        # Only a count may be left to the word (“one”).
        optional = {"n"} if isinstance(message_id, tuple) else set()
        for form in filter(None, forms):
            if all((fields(form) ^ fields(side)) - optional for side in sides(message_id)):
                yield message_id, f"has other fields: {form!r}"


def _id_of(message: Message) -> MessageId:
    first, *more = sides(message.id)
    return (first, more[0]) if more else first


# In which order people meet what is said: on pages, of the table and its games, in the hall, in a terminal.
MET = (
    *("web/templates", "web/static", "companion/views", "companion/games", "companion/evening"),
    *("companion/table", "web", "companion/event", "companion/link", "web/hall"),
    *("companion/cli", "companion/selftest", "companion/system", "hardware"),
)


def places() -> Iterator[str]:
    """Yield each message with where it is said, and below it what each language says instead."""
    where: dict[MessageId, list[str]] = {}
    for found in found_messages():
        where.setdefault(found.message, []).append(found.where)
    others = {
        name: {_id_of(one): one.string for one in read_catalogue(path) if one.id}
        for name, path in catalogues().items()
    }
    for message in sorted(where, key=lambda message: min((_met(place), place) for place in where[message])):
        yield f"{' / '.join(sides(message))}  [{', '.join(where[message])}]"
        for name, known in others.items():
            yield f"    {name}: {' / '.join(sides(known.get(message)))}"
    yield f"{len(where)} messages"


def _met(place: str) -> int:
    """Return when people come to *place*: by the longest name of MET that it begins with."""
    fits = [name for name in MET if place.startswith(f"{name}/")]
    return MET.index(max(fits, key=len)) if fits else len(MET)


def begin(language: str) -> Path:
    """Make an empty catalogue for *language*, which has none yet."""
    path = LOCALE / language / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_catalogue(path, Catalog(locale=language, project="lastnose", fuzzy=False))
    return path


def main() -> int:
    """List what the catalogues lack, or merge it into them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--update", action="store_true", help="merge new messages, drop the ones that have gone"
    )
    options.add_argument("--places", action="store_true", help="list every message with where it is said")
    options.add_argument("--language", choices=sorted({*LANGUAGES} - {"en"}), help="only this one")
    wish = options.parse_args()
    if wish.places:
        print("\n".join(places()))
        return 0
    if wish.update:
        for language in set(LANGUAGES) - {"en"} - set(catalogues()):
            begin(language)
    chosen = {name: path for name, path in catalogues().items() if wish.language in (None, name)}
    if wish.update:
        for language, path in chosen.items():
            new, gone = update(path)
            print(f"{language}: {len(new)} new, {len(gone)} gone")
    wrong = [f"{name}: {message} {what}" for name, path in chosen.items() for message, what in problems(path)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
