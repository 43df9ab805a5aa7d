"""The reader's language, from what a request says."""

from __future__ import annotations

import pytest
from lastnose.web.language import language_of
from werkzeug.datastructures import Headers
from werkzeug.sansio.request import Request


def asks(query: str = "", **headers: str) -> Request:
    """Return a request with this query and these headers."""
    named = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    return Request("GET", "http", None, "", "/", query.encode(), named, None)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("de;q=1.0, fr;q=0.5, en;q=0.4", "fr"),
        ("de-CH, fr-CH;q=0.9, en;q=0.8", "fr"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("fr;q=0, en", "en"),
        ("fr;q=0", "en"),
        ("fr;q=x, en;q=0.1", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_browsers_best_wish_that_we_speak_wins(accepted: str, language: str) -> None:
    """By weight, then in its order; what it refuses or what cannot be read does not count."""
    assert language == language_of(asks(Accept_Language=accepted))


@pytest.mark.parametrize(
    ("query", "cookie", "language"),
    [
        ("", "lang=fr", "fr"),
        ("lang=en", "lang=fr", "en"),
        ("lang=xx", "lang=fr", "fr"),
        ("lang=xx", "lang=yy", "fr"),
        ("x=1", 'a"b; =; lang=en', "en"),
        ("lang=%ff", "", "fr"),
    ],
)
def test_what_was_asked_for_comes_before_what_is_remembered(query: str, cookie: str, language: str) -> None:
    """The address before the cookie before the browser (here French); what is none of ours is passed over."""
    assert language == language_of(asks(query, Cookie=cookie, Accept_Language="fr"))
