"""The pages for people. What changes on them comes through `/events` and the API."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.access import COOKIE_LIFE_S
from companion.authors import author, given_name, signature
from companion.errors import Missing
from companion.games import GAMES
from companion.i18n import LANGUAGES, gettext_for
from companion.text import text
from web import auth
from web.api import find_round
from web.house import House
from web.rules import asked_options, found_game, house_rules
from web.selftest import the_selftest
from web.speech import COOKIE, language
from web.view import for_page, game_info, to_json
from web.words import words_of

pages = Blueprint("pages", __name__)


def page(name: str, plain: dict[str, Any] | None = None, **context: Any) -> Response:
    """Return the page *name*; *context* reaches it as JSON that is safe in a script, *plain* as it is."""
    house = House.here()
    auth.keep_joined()
    join_address = house.join_address
    spoken = language()
    made = {key: for_page(to_json(value, spoken)) for key, value in context.items()}
    snapshot = house.table.snapshot
    body = render_template(
        f"{name}.html",
        page=name,
        lang=spoken,
        words={} if spoken == "en" else {said: gettext_for(spoken)(said) for said in words_of(name)},
        languages=LANGUAGES,
        state=for_page(house.views.state(snapshot, spoken)),
        can_control=auth.visitor().may_control,
        whose=author(auth.visitor().by),
        owner=given_name(auth.visitor().by),
        signature=signature(author(auth.visitor().by)),
        simulated=snapshot.simulated,
        watched=snapshot.watched and bool(snapshot.rows),
        drivable=house.table.driver is not None,
        lan=auth.the_access().lan,
        join_address=join_address,
        qr=join_address is not None and auth.visitor().may_control,
        wifi=house.wifi,
        screen=house.screen is not None,
        **made,
        **(plain or {}),
    )
    answer = make_response(body)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Language"] = spoken
    answer.vary.update(("Cookie", "Accept-Language"))
    return answer


@pages.get("/")
def table() -> AnyResponse:
    """Show the live table, or the self-test that has its place."""
    return redirect("/selftest", 302) if House.here().selftest is not None else page("table")


@pages.get("/selftest")
def selftest() -> Response:
    """Show the self-test that is under way."""
    found = the_selftest()
    return page("selftest", view=found.view)


@pages.get("/setup")
def setup() -> Response:
    """Show the way to start a game."""
    house = House.here()
    return page(
        "setup",
        games=[game_info(game) for game in GAMES.values()],
        players=house.table.known_players(),
        variations=house.table.variations(),
        lines=house.table.lines,
    )


@pages.get("/board")
def board() -> Response:
    """Show the table to a whole room."""
    return page("board")


@pages.get("/history")
def history() -> Response:
    """Show the rounds of this evening."""
    return page("history", rounds=House.here().table.rounds())


@pages.get("/history/<int:seq>")
def one_round(seq: int) -> Response:
    """Show one round: its strip, its tape, its appeal."""
    return page("round", round=find_round(seq))


@pages.get("/statistics")
def statistics() -> Response:
    """Show the evening in figures."""
    return page("statistics", figures=House.here().table.statistics())


@pages.get("/help/<name>")
def rules(name: str) -> Response:
    """Show the rules of a game as this table plays them, or with the `options` in the address (JSON)."""
    game = found_game(name)
    options = asked_options(game)
    return page(
        "help",
        plain={
            "title": game.title,
            "summary": game.summary,
            "emblem": game.emblem,
            "sections": game.help(options),
            "house_rules": house_rules(game, options),
        },
    )


@pages.get("/join")
def join() -> Response:
    """Ask for the PIN, or take it from the fragment of the address, which never reaches us."""
    return page("join")


@pages.get("/oled.png")
def oled() -> Response:
    """Show what the small screen shows."""
    screen = House.here().screen
    if screen is None:
        raise Missing(text("This table has no small screen."))
    return Response(screen.png(), mimetype="image/png", headers={"Cache-Control": "no-store"})


@pages.route("/lang/<code>", methods=["GET", "POST"])
def choose(code: str) -> AnyResponse:
    """Remember the reader's language and go back to the page at `next`."""
    if code not in LANGUAGES:
        raise Missing(text("The pages speak {languages}.", languages=", ".join(LANGUAGES)))
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
