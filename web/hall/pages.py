"""The pages of a hall for people: the desk, the screens, and what is printed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from math import cos, pi, sin
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal
from flask import Blueprint, Flask, Response, redirect, request
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.event import reports
from lastnose.companion.event.formats import EXPLAINED, FORMATS, said_of, usual_options
from lastnose.companion.event.pictures import HallFinish, decisive
from lastnose.companion.event.roster import LONGEST, LONGEST_GROUP, bare
from lastnose.companion.event.screen import ListedPerson
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.state import HallRound
from lastnose.companion.games import GAMES, get_game
from lastnose.companion.i18n import gettext_for, translator
from lastnose.companion.link.hub import Hall
from lastnose.web import auth
from lastnose.web.access import Access
from lastnose.web.api.responses import GameInfo
from lastnose.web.app import bare_app
from lastnose.web.encoding import game_info
from lastnose.web.hall.api import ASK, JOIN, api, take_in
from lastnose.web.hall.context import HallContext
from lastnose.web.hall.result_file import so_far
from lastnose.web.language import language
from lastnose.web.name_fonts import name_fonts
from lastnose.web.page import asked_scale, render
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

pages = Blueprint("pages", __name__)
papers = Blueprint("papers", __name__)  # for organisers alone
SeatsByRound = list[tuple[Text, dict[int, tuple[int, int, int]]]]

DAYS = {"en": "en_GB"}  # as the table's pages write dates: the day before the month
CARDS = 300  # that a browser shows at once, also on a small machine
WIRED_NS = 1_000_000  # what is surer than this did not come from phones


def page(name: str, plain: dict[str, Any] | None = None, part: str = "", **context: object) -> Response:
    """Return the page *name*; *context* reaches it as JSON that is safe in a script, *plain* as it is.

    Of what the hall shows it has, and follows, a *part* alone.
    """
    here = HallContext.here()
    screen = here.screen()
    script = "host" if name == "join" else f"hall-{name}"  # the PIN's form is the same as a table's
    return render(
        f"hall/{name}.html",
        script,
        here.encoded(screen, f"{language()}/{part}" if part else language()),
        context,
        screen=screen,
        whose=auth.visitor().by,
        followed=part,
        points=lambda number: format_decimal(number, "0.00", locale=language()),
        **(plain or {}),
    )


@pages.get("/")
def desk() -> AnyResponse:
    """Show the organiser's desk; who has not joined sees where they sit."""
    if not auth.visitor().may_control:
        return redirect("/where", 302)
    formats = [{"name": name, "title": FORMATS[name], "says": EXPLAINED[name]} for name in FORMATS]
    games = [_as_in_a_hall(game_info(game)) for game in GAMES.values()]
    limits: dict[str, object] = {"longest": LONGEST, "longest_group": LONGEST_GROUP}
    limits["pin"] = auth.the_access().pin
    return page("desk", plain=limits, games=games, formats=formats)


@pages.get("/where")
def where() -> Response:
    """Say where somebody sits."""
    return page("where", plain={"longest": LONGEST}, part="where")


@pages.get("/print/cards")
def cards() -> Response:
    """Show a seating card for everybody, one round a row, to print: those of one `part`, all or a `round`."""
    here = HallContext.here()
    state = here.hall.view.state
    made, final = state.arrangement, any(one.kind == "final" for one in state.rounds)
    people = sorted((one for one in here.screen().people if one.there), key=_by_name)
    parts = [people[n : n + CARDS] for n in range(0, len(people), CARDS)]
    part = min(max(request.args.get("part", 1, type=int), 1), max(len(parts), 1))
    seats = _seats(here.hall.state.planned)
    only = min(max(request.args.get("round", 0, type=int), 0), len(seats))
    plain = {
        "cards": _cards(parts[part - 1] if parts else [], seats[only - 1 : only] if only else seats),
        "parts": [(one[0].name, one[-1].name) for one in parts],
        "part": part,
        "rounds": [title for title, _ in seats],
        "only": only,
        "day": _day(here.hall.view),
        "final": made.final if made is not None and not final else 0,
        "qr": here.code("where"),
    }
    return page("cards", plain=plain)


@pages.get("/print/signs")
def signs() -> Response:
    """Show a sign for each table, to print."""
    return page("signs", plain={"qr": HallContext.here().code("where")})


@papers.before_request
def _must_organise() -> AnyResponse | None:
    """Let who has not joined do that first."""
    return None if auth.visitor().may_control else redirect("/join", 302)


@papers.get("/print/lists")
def lists() -> Response:
    """Show who sits where in a round, to be hung up: `by` name or table."""
    state = HallContext.here().hall.view.state
    only = request.args.get("round", 0, type=int)
    found = reports.wall_list(state, only)
    plain = {
        "found": found,
        "by": "table" if request.args.get("by") == "table" else "name",
        "by_name": sorted(found.seats, key=lambda one: bare(one.name)) if found is not None else (),
        "rounds": [(one.number, said_of(one.kind, one.number)) for one in state.planned],
        "only": only,
    }
    return page("lists", plain=plain)


@papers.get("/results")
def results() -> Response:
    """Show one part of the results: everybody by rounds, a knock-out, prizes, or every table's sheet."""
    hall, say = HallContext.here().hall, gettext_for(language())
    parts = {
        "matrix": say("Points"),
        "sheets": say("All tables"),
        "bracket": say("Bracket"),
        "prizes": say("Prizes"),
    }
    shown = request.args.get("show", "matrix")
    shown = shown if shown in parts else "matrix"
    called = hall.view.state.called
    only = request.args.get("round", called[-1].number if called else 0, type=int)
    plain = {
        "found": hall.made(lambda view: reports.report(view, shown, only)),
        "shown": shown,
        "heading": parts[shown],
        "parts_shown": list(parts.items()),
        "rounds": [(one.number, said_of(one.kind, one.number)) for one in called],
        "only": only,
        "so_far": so_far(hall.view),
    }
    return page("results", plain=plain)


@papers.get("/print/winners")
def winners() -> Response:
    """Show who has won, for whoever reads it out: from the last prize to the first."""
    return page("winners", plain={"so_far": so_far(HallContext.here().hall.view)})


@papers.get("/print/certificates")
def certificates() -> Response:
    """Show a certificate for each of the best, to print; `says` and `sign` are the organiser's own words."""
    hall = HallContext.here().hall
    finish = hall.made(decisive)
    view = hall.view
    plain = {
        "most": min(max(request.args.get("most", 3, type=int), 1), 100),
        "says": request.args.get("says", "")[:300],
        "signs": request.args.get("sign", "")[:120],
        "ranked": sum(1 for line in view.lines if line.place is not None),
        "day": _day(view),
        "played": _played(view),
        "how": _how(finish),
        "so_far": so_far(view),
        "table": finish.number if finish is not None else 0,
        "qr": HallContext.here().code("standings"),
    }
    return page("certificates", plain=plain, finish=finish)


@pages.get("/board")
def board() -> Response:
    """Show the hall to a whole room."""
    return page("board", plain={"qr": HallContext.here().code("where")})


@pages.get("/standings")
def standings() -> Response:
    """Show the standings, to read and to print."""
    return page("standings")


@pages.get("/overlay/<name>")
def overlay(name: str) -> Response:
    """Show one thing on a transparent ground, to be mixed into a picture: `?scale=1.5`, `?says=no`."""
    if name not in ("standings", "tables", "headline"):
        raise Missing(english("There are overlays for headline, standings and tables."))
    quiet = request.args.get("says") == "no"
    return page("overlay", plain={"shown": name, "scale": asked_scale(), "quiet": quiet})


@pages.get("/join")
def join() -> Response:
    """Ask for the PIN, or take it from the fragment of the address, which never reaches us."""
    return page("join")


def _as_in_a_hall(game: GameInfo) -> GameInfo:
    """Return *game* with the options that it has at a hall's tables when nobody chooses any."""
    usual = usual_options(game.name)
    fields = (replace(one, default=usual.get(one.key, one.default)) for one in game.options)
    return replace(game, options=tuple(fields))


def _day(view: HallSnapshot) -> str:
    """Return the day on which the first round was called, today before."""
    called = view.state.called
    day = datetime.fromtimestamp(called[0].called_at) if called else datetime.now()
    return format_date(day.date(), "full", locale=DAYS.get(language(), language()))


def _played(view: HallSnapshot) -> str:
    """Return in words what was played: the game, rounds and tables, and the final."""
    say = translator(language())
    made, called = view.state.arrangement, view.state.called
    heats = sum(1 for one in called if one.kind == "heat")
    games = dict.fromkeys(one.game for one in called) or ([made.game] if made is not None else [])
    tables = max((len(one.numbers) for one in called), default=0)
    final = max((len(seats) for one in called if one.kind == "final" for seats in one.seats), default=0)
    parts = [
        *(say(get_game(game).title) for game in games),
        say(texts("{n} round", "{n} rounds", n=heats)) if heats else "",
        say(texts("{n} table", "{n} tables", n=tables)) if tables else "",
        say(text("a final of {n}", n=final)) if final else "",
    ]
    return ", ".join(part for part in parts if part)


def _how(finish: HallFinish | None) -> str:
    """Return in words what the photo finish on a certificate is."""
    if finish is None:
        return ""
    say = translator(language())
    parts = [say(text("The last round of the final: {verdict}.", verdict=finish.says))]
    budget = finish.finish.budget
    if budget is not None and budget.zero is not None:
        parts.append(say(budget.zero))
    if finish.finish.u_ns is not None and finish.finish.u_ns < WIRED_NS:
        parts.append(say(text("Judged by buttons and wires, not by eye.")))
    return "\n".join([parts[0], " ".join(parts[1:])]).strip()


@cache
def _ring(seats: int) -> tuple[tuple[float, float], ...]:
    """Return where the seats of a table stand around it in a picture of 100 by 100, the first at the top."""
    angles = [2 * pi * seat / seats for seat in range(seats)]
    return tuple((round(50 + 43 * sin(one), 1), round(50 - 43 * cos(one), 1)) for one in angles)


def _by_name(one: ListedPerson) -> tuple[str, int]:
    """Return what *one* is sorted by: as whoever gives cards out looks for them, without accents."""
    return bare(one.name), one.entrant


def _seats(planned: tuple[HallRound, ...]) -> SeatsByRound:
    """Return for each drawn round its name, and table, seat and size of the table by entrant."""
    return [
        (
            said_of(one.kind, one.number),
            {
                entrant: (number, seat, len(table))
                for number, table in one.seated
                for seat, entrant in enumerate(table, 1)
            },
        )
        for one in planned
    ]


def _cards(people: list[ListedPerson], seats: SeatsByRound) -> list[dict[str, Any]]:
    """Return for each of *people* their table and seat of each round of *seats*."""

    def rows(one: ListedPerson) -> list[dict[str, Any]]:
        return [
            {"title": title, "table": found[0], "seat": found[1], "ring": _ring(found[2])}
            for title, table in seats
            if (found := table.get(one.entrant)) is not None
        ]

    return [{"name": one.name, "club": one.club, "rows": rows(one)} for one in people]


def create_hall_app(
    hall: Hall,
    access: Access,
    *,
    engine: Callable[[str], str],
    address: Callable[[], str | None],
    names: tuple[str, ...] = (),
    cookie: str = "lastnose-hall",
) -> Flask:
    """Return the app that serves *hall*.

    *engine* tells the message server's address for a table that reaches us under a host name, *address* that
    of our own pages in the network, None when there is none.
    """
    app = bare_app(access, names, cookie, frozenset({JOIN, ASK}))
    app.extensions["lastnose.hall"] = HallContext(hall, engine, address)
    for part in (api, pages, papers, name_fonts):
        app.register_blueprint(part)
    app.add_url_rule("/api/v1/join", "join", take_in, methods=["POST"])
    return app
