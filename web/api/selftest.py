"""The calls of a self-test, which is there while `lastnose selftest` runs: what it shows, and answers."""

from __future__ import annotations

import msgspec
from flask import Response

from companion.core.errors import Missing
from companion.core.text import text
from companion.i18n import translator
from companion.selftest.view import SelfTestView, Word
from web.api.endpoint import call, download
from web.context import WebContext
from web.language import language
from web.protocols import SelfTestLike


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the words that the self-test offers now."""

    word: Word


def the_selftest() -> SelfTestLike:
    """Return the self-test under way; raise Missing when there is none."""
    found = WebContext.here().selftest
    if found is None:
        raise Missing(text("No self-test is under way. Start one with: lastnose selftest"))
    return found


@call("GET", "/selftest", SelfTestView, may_miss=True)
def show() -> SelfTestView:
    """Return what the self-test shows now."""
    return the_selftest().view


@call("POST", "/selftest", SelfTestView, takes=Answer, needs="host", may_miss=True, like={"word": "skip"})
def answer(wish: Answer) -> SelfTestView:
    """Answer the self-test, and return what it shows then."""
    return the_selftest().say(wish.word)


@call("GET", "/selftest/report.html", "text/html", may_miss=True)
def report() -> Response:
    """Return the report of the self-test as it stands, for people."""
    made = the_selftest().report("html", translator(language()), language())
    return download(made, "text/html; charset=utf-8", "selftest.html")


@call("GET", "/selftest/report.json", "application/json", may_miss=True)
def report_data() -> Response:
    """Return the report of the self-test as it stands, for programs."""
    made = the_selftest().report("json", translator(language()), language())
    return download(made, "application/json", "selftest.json")
