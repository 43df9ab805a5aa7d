"""Texts in, sentences out: everything a person reads is put into their language here, with gettext.

English is the message id itself, so only the other languages have a catalogue. Messages carry `{name}` fields
(str.format) in Python and in templates alike.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, Protocol, get_args

from babel import Locale
from babel.numbers import get_decimal_symbol
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.text import Text, english, fields_of, true_minus

Language = Literal["en", "fr", "bs"]
LANGUAGES: tuple[str, ...] = get_args(Language)
DOMAIN = "messages"
_OTHERS = 5  # takes the form for many in each of them


class Ngettext(Protocol):
    """Choose between singular and plural by *n*, and fill in the fields."""

    def __call__(self, singular: str, plural: str, n: int, /, **fields: object) -> str:
        """Return the sentence for *n*; `{n}` is filled in as well."""


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the translations of *language*; raise CompanionError when they have not been compiled."""
    if language == "en":
        return gettext.NullTranslations()
    compiled = files("lastnose.companion.i18n") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with compiled.open("rb") as stream:
            return gettext.GNUTranslations(stream)
    except FileNotFoundError:
        raise CompanionError(
            english("{path} is missing: type “make setup” to compile the translations.", path=str(compiled))
        ) from None


def add_catalogue(language: str, written: bytes) -> None:
    """Let the messages of a catalogue (.po) of another package be translated as well; ours come first.

    A `translator` that was made before knows them too. Raises what babel raises for one that cannot be read.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled, read = io.BytesIO(), read_po(io.BytesIO(written), locale=language, abort_invalid=True)
    for message in read:
        known = set().union(*map(fields_of, _each(message.id)))
        for said in _each(message.string) if message.id else ():
            if not fields_of(said) <= known:
                raise ValueError(said)
    write_mo(compiled, read)
    compiled.seek(0)
    catalogue(language).add_fallback(gettext.GNUTranslations(compiled))


def _each(said: str | Iterable[str] | None) -> Iterable[str]:
    """Return the forms of a message: one, or as many as it has for different numbers."""
    return [said] if isinstance(said, str) else said or ()


def translator(language: str) -> Callable[[Text], str]:
    """Return a function that puts a Text, and the Texts inside it, into *language*.

    >>> from lastnose.companion.core.text import text, texts
    >>> translator("en")(text("South was last: {cards}.", cards=texts("{n} card", "{n} cards", n=4)))
    'South was last: 4 cards.'
    """
    found, point = catalogue(language), get_decimal_symbol(language)

    def put(value: float | str | Text) -> str:
        if isinstance(value, Text):
            return translate(value)
        if isinstance(value, str):
            return value
        return true_minus(value).replace(".", point)

    def translate(message: Text) -> str:
        if message.plural is not None:
            pattern = _form(found, message.id, message.plural, abs(int(str(message.params["n"]))))
        else:
            pattern = found.gettext(message.id) if message.id else ""
        return pattern.format(**{name: put(value) for name, value in message.params.items()})

    return translate


def _form(found: gettext.NullTranslations, one: str, many: str, n: int) -> str:
    """Return what is said for *n*. A form without the number means exactly 1, though 21 may take it, too.

    >>> _form(catalogue("fr"), "one whole pack", "{n} whole packs", 0)
    '{n} jeux de cartes entiers'
    """
    pattern, others = found.ngettext(one, many, n), found.ngettext(one, many, _OTHERS)
    return others if n != 1 and "{n}" in others and "{n}" not in pattern else pattern


def gettext_for(language: str) -> Callable[..., str]:
    """Return the `_` of templates: translates a message and, when fields are given, fills them in.

    >>> gettext_for("en")("{player} was last", player="South")
    'South was last'
    >>> gettext_for("en")("{player} was last")
    '{player} was last'
    """
    found = catalogue(language)

    def translate(message: str, /, **fields: object) -> str:
        pattern = found.gettext(message) if message else ""
        return pattern.format(**fields) if fields else pattern

    return translate


def ngettext_for(language: str) -> Ngettext:
    """Return the `ngettext` of templates.

    >>> ngettext_for("en")("{n} nose", "{n} noses", 3)
    '3 noses'
    """
    found = catalogue(language)

    def translate(singular: str, plural: str, n: int, /, **fields: object) -> str:
        return found.ngettext(singular, plural, n).format(n=n, **fields)

    return translate


@cache
def language_name(language: str) -> str:
    """Return what *language* calls itself.

    >>> [language_name(language) for language in LANGUAGES]
    ['English', 'Français', 'Bosanski']
    """
    return str(Locale.parse(language).get_language_name(language)).capitalize()


def choose_language(wished: Iterable[str], default: str = "en") -> str:
    """Return the first of our languages among *wished*, as browsers (`fr-CH`) or systems (`fr_FR`) name them.

    >>> choose_language(["de-CH", "fr-CH", "en"])
    'fr'
    >>> choose_language(["fr_FR.UTF-8"]), choose_language(["C.UTF-8"]), choose_language([], "fr")
    ('fr', 'en', 'fr')
    """
    spoken = (re.split("[-_.@]", tag)[0].lower() for tag in wished)
    return next((language for language in spoken if language in LANGUAGES), default)


def language_of(environ: Mapping[str, str]) -> str:
    """Return the language that the environment asks for, as gettext reads it.

    >>> language_of({"LANG": "fr_CA.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "fr_FR"}), language_of({})
    ('fr', 'en', 'en')
    """
    wishes = (environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    return choose_language(next(filter(None, wishes), "").split(":"))
