"""The pages for people. What changes on them comes through `/events` and the API."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, request
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import BadInput, Malformed, Missing
from lastnose.companion.core.names import game_today
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.authors import author, given_name, signature
from lastnose.companion.games import GAMES, AnyGame, OptionField
from lastnose.web import auth
from lastnose.web.api.endpoint import Unreadable
from lastnose.web.api.table import find_round, the_door, the_selftest
from lastnose.web.context import WebContext
from lastnose.web.encoding import game_info
from lastnose.web.language import language
from lastnose.web.page import asked_scale, render
from werkzeug.wrappers import Response as AnyResponse

pages = Blueprint("pages", __name__)


def page(name: str, plain: dict[str, Any] | None = None, **context: object) -> Response:
    """Return the page *name*; *context* reaches it as JSON that is safe in a script, *plain* as it is.

    Bytes in *context* are JSON already.
    """
    house = WebContext.here()
    join_address, snapshot = house.join_address, house.table.snapshot
    by, may_control = auth.visitor().by, auth.visitor().may_control
    pretended = {"simulated": snapshot.simulated and snapshot.watched and bool(snapshot.rows)}
    return render(
        f"{name}.html",
        name,
        house.views.state(snapshot, language()),
        context,
        whose=author(by),
        owner=given_name(by),
        signature=signature(author(by)),
        drivable=bool(house.taps),
        taps=" ".join(house.taps) if house.wires else None,
        join_address=join_address,
        qr=join_address is not None,
        invites=join_address is not None and may_control,
        wifi=house.wifi,
        screen=house.screen is not None,
        **pretended | (plain or {}),
    )


@pages.get("/")
def table() -> AnyResponse:
    """Show the live table; before the first game who plays; or the self-test that has its place."""
    house = WebContext.here()
    if house.selftest is not None:
        return redirect("/selftest", 302)
    first = house.table.snapshot.phase == "setup" and auth.visitor().may_control
    return setup() if first else page("table")


@pages.get("/selftest")
def selftest() -> Response:
    """Show the self-test that is under way."""
    found = the_selftest()
    return page("selftest", {"simulated": found.view.simulated}, view=found.view)


@pages.get("/setup")
def setup() -> Response:
    """Show the way to start a game."""
    house = WebContext.here()
    return page(
        "setup",
        games=[game_info(game) for game in GAMES.values()],
        players=house.known_players(),
        last=house.table.queries.last_game() if auth.visitor().may_control else None,
        variations=house.table.queries.variations(),
        lines=house.table.lines,
    )


@pages.get("/zero")
def zero() -> Response:
    """Show the zero test: the one that is going on, the last one, and how to make one."""
    return page("zero", lines=WebContext.here().table.lines)


@pages.get("/hall")
def hall() -> AnyResponse:
    """Let the table come into a hall, or leave it."""
    if not auth.visitor().may_control:
        return redirect("/host?next=/hall", 302)
    return page("door", view=the_door().view)


@pages.get("/board")
def board() -> Response:
    """Show the table to a whole room."""
    return page("board")


@pages.get("/overlay/<name>")
def overlay(name: str) -> Response:
    """Show one thing on a transparent ground, to be mixed into a picture: `?scale=1.5`."""
    if name not in ("verdict", "standings"):
        raise Missing(english("There are overlays for verdict and standings."))
    return page("overlay", plain={"shown": name, "scale": asked_scale()})


@pages.get("/nose")
def nose() -> Response:
    """Let a phone be the nose of a seat."""
    return page("nose", lines=[line for line in WebContext.here().taps if line.startswith("nose.")])


@pages.get("/appeal")
def appeal() -> Response:
    """Show the round whose tape stands in the address, behind the #: no server ever sees that by itself."""
    return page("appeal")


@pages.get("/history")
def history() -> Response:
    """Show the rounds of this evening."""
    return page("history", rounds=WebContext.here().look_back("rounds"))


@pages.get("/history/<int:seq>")
def one_round(seq: int) -> Response:
    """Show one round: its strip, its tape, its appeal."""
    return page("round", round=find_round(seq))


@pages.get("/statistics")
def statistics() -> Response:
    """Show the evening in figures, or with `evenings=all` in the address all of them."""
    every = request.args.get("evenings") == "all"
    figures = WebContext.here().look_back("statistics-all" if every else "statistics")
    return page("statistics", plain={"every": every}, figures=figures)


@pages.get("/help")
def rulebooks() -> Response:
    """List the rules of every game."""
    return page("rules", plain={"games": tuple(GAMES.values())})


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
            "comings": game.comings,
            "house_rules": house_rules(game, options),
        },
    )


@pages.get("/join")
def join() -> AnyResponse:
    """Ask for a name, which is a seat; who has one goes there."""
    house = WebContext.here()
    auth.know_device()
    if auth.my_guest() is not None:
        return redirect("/nose" if house.taps else "/", 302)
    return page("join", players=house.known_players())


@pages.get("/host")
def host() -> AnyResponse:
    """Ask for the PIN, or take it from the fragment of the address, which never reaches us."""
    return redirect("/", 302) if auth.visitor().may_control else page("host")


@pages.get("/devices")
def devices() -> AnyResponse:
    """Show a host every phone, what it may do, and how it is."""
    return page("devices") if auth.visitor().may_control else redirect("/host?next=/devices", 302)


@pages.get("/oled.png")
def oled() -> Response:
    """Show what the small screen shows."""
    screen = WebContext.here().screen
    if screen is None:
        raise Missing(english("This table has no small screen."))
    return Response(screen.png(), mimetype="image/png", headers={"Cache-Control": "no-store"})


# ---- Which game's rules are asked for, and with which options: those in the address, else those being
# played.


def found_game(name: str) -> AnyGame:
    """Return the game called *name*; raise Missing."""
    name = game_today(name)
    if name not in GAMES:
        raise Missing(english("There is no game “{name}” at this table.", name=name[:40]))
    return GAMES[name]


def asked_options(game: AnyGame) -> Any:
    """Return the options of *game* in the query (`?options={"stock":true}`), else the table's, or the usual.

    Raises Unreadable or BadInput when they are not options of the game.
    """
    written = request.args.get("options")
    snapshot = WebContext.here().table.snapshot
    if written is None:
        with suppress(BadInput):  # else the game has changed since it was begun
            return game.read_options(snapshot.options if snapshot.game == game.name else {})
        return game.read_options({})
    try:
        raw = decode_json(written, dict[str, Any])
    except Malformed as error:
        raise Unreadable(english("These options cannot be read: {why}.", why=error.text)) from error
    return game.read_options(raw)


def house_rules(game: AnyGame, options: object) -> tuple[tuple[Text, Text | str], ...]:
    """Return what *options* change of the usual: the option's label and what it is set to."""
    chosen = msgspec.to_builtins(options)
    changed = (field for field in game.option_fields() if chosen.get(field.key) != field.default)
    return tuple((field.label, _value(field, chosen.get(field.key))) for field in changed)


def _value(field: OptionField, value: object) -> Text | str:
    if field.kind == "flag":
        return text("yes") if value else text("no")
    return next((choice.label for choice in field.choices if choice.value == value), str(value))
