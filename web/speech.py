"""The reader's language: asked for in the address, else remembered by the phone, else the browser's."""

from __future__ import annotations

from flask import request

from companion.i18n import LANGUAGES, choose_language

COOKIE = "lang"


def pick(asked: str | None, remembered: str | None, accepted: str | None) -> str:
    """Return the first of the three that is one of our languages, English when none is.

    >>> pick(None, "fr", "en"), pick("en", "fr", "fr"), pick("xx", None, "fr-CH"), pick(None, None, None)
    ('fr', 'en', 'fr', 'en')
    """
    for language in (asked, remembered):
        if language in LANGUAGES:
            return str(language)
    return choose_language(accepted)


def language() -> str:
    """Return the language of the reader of this request."""
    return pick(request.args.get("lang"), request.cookies.get(COOKIE), request.headers.get("Accept-Language"))
