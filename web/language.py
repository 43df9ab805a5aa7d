"""The reader's language: asked for in the address, else remembered by the phone, else the browser's."""

from __future__ import annotations

from flask import request
from lastnose.companion.i18n import LANGUAGES, choose_language
from werkzeug.sansio.request import Request

COOKIE = "lang"


def language_of(asking: Request) -> str:
    """Return the language of who asks, English when it is none of ours."""
    for language in (asking.args.get("lang"), asking.cookies.get(COOKIE)):
        if language in LANGUAGES:
            return str(language)
    return choose_language(tag for tag, quality in asking.accept_languages if quality > 0)


def language() -> str:
    """Return the language of the reader of the request that Flask answers."""
    return language_of(request)
