"""The calls of a hall: what its screens show, what organisers ask, how tables come in, what can be kept."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import Response, request
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.core.errors import Missing, NotNow
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.authors import given_name
from lastnose.companion.event import reports
from lastnose.companion.event.changes import said_after
from lastnose.companion.event.commands import AddPerson, AnyHallCommand
from lastnose.companion.event.history import Done, newest
from lastnose.companion.event.roster import Person
from lastnose.companion.event.screen import HallScreen, Whereabouts, WhereScreen, whereabouts
from lastnose.companion.link import hub
from lastnose.companion.link.membership import TableAnswer, TableAsks, TableComes, TableIsIn
from lastnose.companion.link.service import AppealView, look
from lastnose.web import auth
from lastnose.web.access import WrongPin
from lastnose.web.api.endpoint import Api, Query, download, raw
from lastnose.web.api.openapi import document
from lastnose.web.api.requests import PhoneName, PinTry
from lastnose.web.api.responses import Joined, Named
from lastnose.web.encoding import to_json
from lastnose.web.hall.context import HallContext
from lastnose.web.hall.result_file import result_file
from lastnose.web.heavy import qr_code
from lastnose.web.language import language
from msgspec.structs import replace

HALL = Api("hall", "/api/v1/hall")
api, call = HALL.blueprint, HALL.call
# A table that comes in, or asks to, has no page, and so no page's token.
JOIN, ASK = "/api/v1/hall/tables", "/api/v1/hall/asks"


class WantedCode(msgspec.Struct, frozen=True):
    """The code of the evening, or in its place another."""

    renew: bool = False


class Invitation(msgspec.Struct, frozen=True):
    """The code of the evening, the address with it, and what to type there; `qr` draws the address (SVG)."""

    code: str
    address: str
    line: str
    qr: str


class HallWish(msgspec.Struct, frozen=True):
    """A command, and up to which entry of the hall's log the page had seen: who comes later is told.

    `opened` is the entry that it had seen when it opened what the command writes whole (`arrange`, `rewrite`,
    `type-result`) or decides (`appeal`, `decide`): what is not any more as it was then is not overwritten.
    """

    command: AnyHallCommand
    seen: int | None = None
    opened: int | None = None


class LetIn(msgspec.Struct, frozen=True):
    """Tables that are to be let in, by their ids."""

    tables: tuple[str, ...]


class HallAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the hall shows after a command, and what there is to say: how a list was read, what changes."""

    state: HallScreen
    says: Text | None = None


class HallDone(msgspec.Struct, frozen=True):
    """What was done last, the newest first."""

    entries: tuple[Done, ...]


class AskedVerdict(Query, frozen=True, kw_only=True):
    """A verdict that an appeal is about."""

    table: str
    entry: int


@call("GET", "/state", HallScreen)
def state() -> Response:
    """Return everything that the hall's screens show now."""
    here = HallContext.here()
    return raw(here.state(here.hall.view, language()))


@call(
    "POST",
    "/commands",
    HallAnswer,
    takes=HallWish,
    needs="host",
    may_miss=True,
    like={"command": {"type": "announce", "says": "Pizza"}},
)
def commands(wish: HallWish) -> Response:
    """Do what an organiser asks; what was shown as done is on the disk."""
    here = HallContext.here()
    told: list[Text] = []
    before = here.hall.view
    view = here.hall.do(wish.command, auth.visitor().by, wish.seen, told.append, opened=wish.opened)
    after = said_after(before, view, wish.command)
    told += [after] if after is not None else []
    says = b"".join(b',"says":' + to_json(one, language()) for one in told)
    return raw(b'{"state":' + here.state(view, language()) + says + b"}")


@call("GET", "/done", HallDone, needs="host")
def done() -> HallDone:
    """Return what was done last in words: each entry can be taken back, or was."""
    hall = HallContext.here().hall
    return HallDone(newest(hall.own(), hall.view.state))


@call("POST", "/invitations", Invitation, takes=WantedCode, needs="host", like={"renew": True})
def invite(wish: WantedCode) -> Invitation:
    """Return the code that lets tables in this evening, or when it is to `renew` another."""
    here = HallContext.here()
    code = here.hall.invite(renew=wish.renew)
    address = f"{here.address() or request.host_url}#{code}"
    return Invitation(code, address, f"lastnose run --hall {address}", qr_code(address).decode())


@call(
    "POST",
    "/tables",
    TableIsIn,
    takes=TableComes,
    like={"code": "a", "table": "b", "key": "U"},
    strict=False,
)
def come_in(wish: TableComes) -> TableIsIn:
    """Let a table in for the code of the evening."""
    hall, server = HallContext.here().hall, _server()
    number = hall.admit(wish.code, wish.table, wish.key, request.remote_addr or "")
    return TableIsIn(hall.event, number, server)


def _server() -> str:
    """Return the message server's address for who reaches our pages as this request did."""
    return HallContext.here().engine(request.host.rpartition(":")[0] or request.host)


@call("POST", "/asks", TableAnswer, takes=TableAsks, like={"table": "b", "key": "U"}, strict=False)
def asks(wish: TableAsks) -> TableAnswer:
    """Take that a table asks to be let in; it asks again until the desk has answered."""
    hall = HallContext.here().hall
    if hall.needs_new_name(wish.table):
        return TableAnswer(spoilt=True)
    number = hall.ask(wish.table, wish.key, wish.name, request.remote_addr or "")
    return TableAnswer(hall.event, number, _server()) if number else TableAnswer()


@call("POST", "/let-in", HallScreen, takes=LetIn, needs="host", like={"tables": ["b"]})
def let_in(wish: LetIn) -> Response:
    """Let tables in that ask at the door."""
    here = HallContext.here()
    here.hall.let_in(wish.tables, auth.visitor().by)
    return raw(here.state(here.hall.view, language()))


@call("GET", "/verdict", AppealView, asks=AskedVerdict, may_miss=True, like={"table": "b", "entry": 3})
def verdict(query: AskedVerdict) -> AppealView:
    """Return a verdict with its photo finish and its raw edges, judged again from its tape."""
    return look(HallContext.here().hall, query.table, query.entry)


class AskedName(Query, frozen=True, kw_only=True):
    """A name, or a part of one."""

    name: Annotated[str, msgspec.Meta(max_length=100)]


class AskedPerson(Query, frozen=True, kw_only=True):
    """Somebody on the list."""

    entrant: int


class AskedSheet(Query, frozen=True, kw_only=True):
    """The game of a table in a round."""

    round: int
    number: int


class AskedRound(Query, frozen=True, kw_only=True):
    """A round; 0: all of them, or the newest that is drawn."""

    round: int = 0


class AskedRows(Query, frozen=True, kw_only=True):
    """What is wanted as rows, and of which round (see `AskedRound`)."""

    what: Literal["sheets", "matrix", "bracket", "seats", "prizes"]
    round: int = 0


@call("GET", "/where", Whereabouts, asks=AskedName, like={"name": "Zoë"})
def where(query: AskedName) -> Whereabouts:
    """Return who of a name there is, and where they sit."""
    return whereabouts(HallContext.here().screen(), query.name)


@call("GET", "/summary", WhereScreen)
def summary() -> Response:
    """Return what everybody's phone shows of the hall, but for its own person."""
    here = HallContext.here()
    return raw(here.state(here.hall.view, f"{language()}/where"))


@call("GET", "/person", Person, asks=AskedPerson, needs="host", may_miss=True, like={"entrant": 1})
def person(query: AskedPerson) -> Person:
    """Return somebody as the organiser has written them down."""
    found = HallContext.here().hall.state.people.get(query.entrant)
    if found is None:
        raise Missing(english("There is no number {n} on the list.", n=query.entrant))
    return found


@call(
    "GET",
    "/sheet",
    reports.TableSheet,
    asks=AskedSheet,
    needs="host",
    may_miss=True,
    like={"round": 1, "number": 1},
)
def sheet(query: AskedSheet) -> reports.TableSheet:
    """Return the game of a table: places, points, and what each rests on."""
    found = HallContext.here().hall.made(lambda view: reports.sheet_of(view, query.round, query.number))
    if found is None:
        raise Missing(english("Table {n} does not play in round {round}.", n=query.number, round=query.round))
    return found


def _report(what: str, number: int = 0) -> reports.Report:
    """Return a report, of round *number* where it has rounds; raise Missing before any is drawn."""
    found = HallContext.here().hall.made(lambda view: reports.report(view, what, number))
    if found is None:
        raise Missing(text("No round is drawn yet."))
    return found


@call("GET", "/sheets", reports.TableSheets, asks=AskedRound, needs="host", like={"round": 1})
def sheets(query: AskedRound) -> reports.Report:
    """Return the games of all tables."""
    return _report("sheets", query.round)


@call("GET", "/matrix", reports.Matrix, needs="host")
def matrix() -> reports.Report:
    """Return the points of everybody in every round."""
    return _report("matrix")


@call("GET", "/bracket", reports.Bracket)
def bracket() -> reports.Report:
    """Return a knock-out by rounds: who goes on from which table to which."""
    return _report("bracket")


@call("GET", "/seats", reports.WallList, asks=AskedRound, needs="host", may_miss=True, like={"round": 1})
def seats(query: AskedRound) -> reports.Report:
    """Return who sits where in a round."""
    return _report("seats", query.round)


@call("GET", "/prizes", reports.Prizes, needs="host")
def prizes() -> reports.Report:
    """Return the prizes by category: all, the youngest, families, clubs."""
    return _report("prizes")


@call("GET", "/results.csv", "text/csv", asks=AskedRows, needs="host", may_miss=True, like={"what": "matrix"})
def results_csv(query: AskedRows) -> Response:
    """Return sheets, matrix, bracket, seats or prizes as a table, to be kept as a file."""
    return _csv(as_csv(reports.rows_of(_report(query.what, query.round))), f"{query.what}.csv")


@call("GET", "/results.html", "text/html", needs="host")
def results_html() -> Response:
    """Return all results as one page that can be put anywhere."""
    spoken = language()
    made = HallContext.here().hall.made(lambda view: result_file(view, spoken))
    return download(made.encode(), "text/html; charset=utf-8", "results.html")


@call("GET", "/standings.csv", "text/csv", needs="host")
def standings_csv() -> Response:
    """Return the standings as a table, to be kept as a file."""
    return _csv(hub.standings_csv(HallContext.here().hall.view), "standings.csv")


def _csv(written: str, name: str) -> Response:
    return download(written.encode("utf-8-sig"), "text/csv; charset=utf-8", name)


@call("GET", "/export.json", dict[str, Any], needs="host")
def export_json() -> Response:
    """Return everything: the hall's log, every table's, and the standings, to be kept as a file."""
    return download(hub.everything(HallContext.here().hall), "application/json", "event.json")


@call("POST", "/join", Joined, takes=PinTry, like={"pin": "2718"})
def take_in(wish: PinTry) -> Joined:
    """Let this phone or computer organise, for the hall's PIN or the secret of its QR code."""
    try:
        return Joined(auth.become_host(wish.pin))
    except WrongPin as problem:
        says = text("That is not the PIN. The organiser’s desk and the terminal show it.")
        raise WrongPin(says) from problem


@call("POST", "/phone", Named, takes=PhoneName, needs="host", like={"name": "Ann"}, by_token=False)
def rename(wish: PhoneName) -> Named:
    """Give this organiser a name for the hall's log; a program goes by its token's name."""
    by = auth.rename(wish.name)
    return Named(by, given_name(by))


@call("POST", "/here", WhereScreen, takes=Person, like={"name": "Zoë"})
def here_i_am(wish: Person) -> Response:
    """Put oneself onto the list, on one's own phone, until the first round is called."""
    here = HallContext.here()
    state = here.hall.state
    if state.called or (state.list_closed and not auth.visitor().may_control):
        raise NotNow(text("This name is not on the list: ask at the desk, please."))
    here.at_the_door(request.remote_addr or "")
    view = here.hall.do(AddPerson(replace(wish, guest=False)), auth.visitor().by)
    return raw(here.state(view, f"{language()}/where"))


@call("GET", "/openapi.json", dict[str, Any])
def openapi() -> Response:
    """Return this description."""
    return raw(document(HALL))
