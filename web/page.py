"""What a page has at the table as in the hall: its scripts' words, its reader, its languages, its headers."""

from __future__ import annotations

import re
from functools import cache

from flask import Blueprint, Response, make_response, redirect, render_template, request
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import english
from lastnose.companion.i18n import LANGUAGES, gettext_for, language_name
from lastnose.web import auth
from lastnose.web.access import COOKIE_LIFE_S
from lastnose.web.bundle import STATIC, scripts
from lastnose.web.encoding import for_page, to_json
from lastnose.web.language import COOKIE, language
from werkzeug.wrappers import Response as AnyResponse

# ---- The sentences that the scripts of a page say, so that each page gets those and no others.
#
# A script says a sentence with `t("…")`; a page's scripts are its own and whatever they import.

SAID = re.compile(r'(?<![\w.])t\(\s*"((?:[^"\\]|\\.)*)"')


def said_in(script: str) -> tuple[str, ...]:
    """Return what a script says, in its order.

    >>> said_in('put(head, t("Whose hand?")); t("{n} points", { n })')
    ('Whose hand?', '{n} points')
    """
    return tuple(SAID.findall(script))


def scripts_of(page: str) -> frozenset[str]:
    """Return the paths of the scripts that *page* may load, also of those that come when they are needed."""
    return frozenset(scripts(f"pages/{page}.js"))


@cache
def words_of(page: str) -> tuple[str, ...]:
    """Return the sentences that the scripts of *page* say, sorted."""
    return tuple(
        sorted({said for name in scripts_of(page) for said in said_in((STATIC / name).read_text("utf-8"))})
    )


languages = Blueprint("languages", __name__)


def render(template: str, page: str, state: bytes, scripted: dict[str, object], **plain: object) -> Response:
    """Return the page *page*, made of *template*, that begins with *state* (JSON).

    *scripted* reaches it as JSON that is safe in a script (bytes are JSON already), *plain* as it is.
    """
    spoken = language()
    auth.know_device()
    made = {
        key: for_page(value if isinstance(value, bytes) else to_json(value, spoken))
        for key, value in scripted.items()
    }
    body = render_template(
        template,
        page=page,
        lang=spoken,
        words={} if spoken == "en" else {said: gettext_for(spoken)(said) for said in words_of(page)},
        languages=[(code, language_name(code)) for code in LANGUAGES],
        state=for_page(state),
        can_control=auth.visitor().may_control,
        role=auth.visitor().role,
        device=auth.visitor().device,
        seat=guest.id if (guest := auth.my_guest()) is not None else "",
        lan=auth.the_access().lan,
        **made,
        **plain,
    )
    answer = make_response(body)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Language"] = spoken
    answer.vary.update(("Cookie", "Accept-Language"))
    return answer


@languages.route("/lang/<code>", methods=["GET", "POST"])
def choose(code: str) -> AnyResponse:
    """Remember the reader's language and go back to the page at `next`."""
    if code not in LANGUAGES:
        raise Missing(english("The pages speak {languages}.", languages=", ".join(LANGUAGES)))
    answer = redirect(_here(request.values.get("next", "")), 303)
    answer.set_cookie(COOKIE, code, max_age=12 * COOKIE_LIFE_S, httponly=True, samesite="Lax")
    return answer


def _here(path: str) -> str:
    """Return *path* when it is a place on this site, the first page otherwise.

    >>> _here("/board"), _here("//evil.example"), _here("https://evil.example"), _here("/\\\\evil.example")
    ('/board', '/', '/', '/')
    """
    outside = not path.startswith("/") or path[1:2] in ("/", "\\") or any(ord(sign) < 33 for sign in path)
    return "/" if outside else path


def asked_scale() -> float:
    """Return how large the address wants an overlay: from a quarter to eight times."""
    return min(max(request.args.get("scale", 1.0, type=float), 0.25), 8.0)
