"""Texts in, sentences out: everything a person reads is put into their language here, with gettext.

English is the message id itself, so only the other languages have a catalogue. Messages carry `{name}` fields
(str.format) in Python and in templates alike.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Protocol

from companion.errors import CompanionError
from companion.text import Text, text

LANGUAGES: tuple[str, ...] = ("en", "fr")
DOMAIN = "messages"


class Ngettext(Protocol):
    """Choose between singular and plural by *n*, and fill in the fields."""

    def __call__(self, singular: str, plural: str, n: int, /, **fields: object) -> str:
        """Return the sentence for *n*; `{n}` is filled in as well."""


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the translations of *language*; raise CompanionError when they have not been compiled."""
    if language == "en":
        return gettext.NullTranslations()
    compiled = files("companion") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with compiled.open("rb") as stream:
            return gettext.GNUTranslations(stream)
    except FileNotFoundError:
        raise CompanionError(
            text("{path} is missing: type “make setup” to compile the translations.", path=str(compiled))
        ) from None


def translator(language: str) -> Callable[[Text], str]:
    """Return a function that puts a Text, and the Texts inside it, into *language*.

    >>> from companion.text import texts
    >>> translator("en")(text("South was last: {cards}.", cards=texts("{n} card", "{n} cards", n=4)))
    'South was last: 4 cards.'
    """
    found, point = catalogue(language), "," if language == "fr" else "."

    def put(value: float | str | Text) -> str:
        if isinstance(value, Text):
            return translate(value)
        return str(value).replace(".", point) if isinstance(value, float) else str(value)

    def translate(message: Text) -> str:
        if message.plural is not None:
            pattern = found.ngettext(message.id, message.plural, int(str(message.params["n"])))
        else:
            pattern = found.gettext(message.id) if message.id else ""
        return pattern.format(**{name: put(value) for name, value in message.params.items()})

    return translate


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


def choose_language(wish: str | None, default: str = "en") -> str:
    """Return the first of our languages that *wish* (an Accept-Language header or a LANG value) asks for.

    >>> choose_language("de-CH, fr-CH;q=0.9, en;q=0.8")
    'fr'
    >>> choose_language("fr_FR.UTF-8"), choose_language("C.UTF-8"), choose_language(None, "fr")
    ('fr', 'en', 'fr')
    """
    ranked = []
    for place, part in enumerate((wish or "").split(",")):
        tag, _, quality = part.partition(";q=")
        language = tag.strip().lower().replace("_", "-").partition("-")[0].partition(".")[0]
        weight = _quality(quality)
        if language in LANGUAGES and weight > 0:
            ranked.append((-weight, place, language))
    return min(ranked)[2] if ranked else default


def _quality(value: str) -> float:
    """Return the weight of a language tag: 1 when none is given, 0 when it cannot be read."""
    try:
        return float(value) if value.strip() else 1.0
    except ValueError:
        return 0.0


def language_of(environ: Mapping[str, str]) -> str:
    """Return the language that the environment asks for, as gettext reads it.

    >>> language_of({"LANG": "fr_CA.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "fr_FR"}), language_of({})
    ('fr', 'en', 'en')
    """
    if environ.get("LANGUAGE"):
        return choose_language(environ["LANGUAGE"].replace(":", ","))
    return choose_language(environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG"))
