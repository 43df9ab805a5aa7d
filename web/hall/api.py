"""The calls of a hall: what its screens show, what organisers ask, how tables come in, what can be kept."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request

from companion.core.errors import NotNow
from companion.core.text import Text, text
from companion.evening.authors import given_name
from companion.hall import export
from companion.hall.aftermath import said_after
from companion.hall.commands import AddPerson, AnyHallCommand
from companion.hall.membership import TableComes, TableIsIn
from companion.hall.roster import Person
from companion.hall.screen import HallScreen
from companion.hall.told import Done, newest
from companion.hall.verdicts import AppealView, look
from web import auth
from web.api.endpoint import Api, Query, download, raw
from web.api.openapi import document
from web.api.requests import PhoneName, PinTry
from web.api.responses import Joined, Named
from web.encoding import to_json
from web.hall.context import HallContext
from web.heavy import qr_code
from web.language import language

HALL = Api("hall", "/api/v1/hall")
api, call = HALL.blueprint, HALL.call
JOIN = "/api/v1/hall/tables"  # a table that comes in has no page, and so no page's token


class Invitation(msgspec.Struct, frozen=True):
    """A one-time code, the address with it, and what to type there; `qr` draws the address (SVG)."""

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
    return raw(here.state(here.screen(), language()))


@call(
    "POST",
    "/commands",
    HallAnswer,
    takes=HallWish,
    needs="host",
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
    return raw(b'{"state":' + here.state(here.screen(view), language()) + says + b"}")


@call("GET", "/done", HallDone, needs="host")
def done() -> HallDone:
    """Return what was done last in words: each entry can be taken back, or was."""
    hall = HallContext.here().hall
    return HallDone(newest(hall.own(), hall.view.state))


@call("POST", "/invitations", Invitation, needs="host")
def invite() -> Invitation:
    """Make a one-time code that lets one table in."""
    here = HallContext.here()
    code = here.hall.invite()
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
    """Let a table in for its one-time code."""
    here = HallContext.here()
    server = here.engine(request.host.rpartition(":")[0] or request.host)
    number = here.hall.admit(wish.code, wish.table, wish.key)
    return TableIsIn(here.hall.event, number, server)


@call("GET", "/verdict", AppealView, asks=AskedVerdict, may_miss=True, like={"table": "b", "entry": 3})
def verdict(query: AskedVerdict) -> AppealView:
    """Return a verdict with its photo finish and its raw edges, judged again from its tape."""
    return look(HallContext.here().hall, query.table, query.entry)


@call("GET", "/standings.csv", "text/csv", needs="host")
def standings_csv() -> Response:
    """Return the standings as a table, to be kept as a file."""
    found = export.standings_csv(HallContext.here().hall.view)
    return download(found.encode("utf-8-sig"), "text/csv; charset=utf-8", "standings.csv")


@call("GET", "/export.json", dict[str, Any], needs="host")
def export_json() -> Response:
    """Return everything: the hall's log, every table's, and the standings, to be kept as a file."""
    return download(export.everything(HallContext.here().hall), "application/json", "event.json")


@call("POST", "/join", Joined, takes=PinTry, like={"pin": "2718"})
def join(wish: PinTry) -> Joined:
    """Let this phone or computer organise, for the hall's PIN or the secret of its QR code."""
    return Joined(auth.become_host(wish.pin))


@call("POST", "/phone", Named, takes=PhoneName, needs="host", like={"name": "Ann"}, by_token=False)
def rename(wish: PhoneName) -> Named:
    """Give this organiser a name for the hall's log; a program goes by its token's name."""
    by = auth.rename(wish.name)
    return Named(by, given_name(by))


@call("POST", "/here", HallAnswer, takes=Person, like={"name": "Zoë"})
def here_i_am(wish: Person) -> Response:
    """Put oneself onto the list, on one's own phone, until the first round is called."""
    here = HallContext.here()
    if here.hall.state.called:
        raise NotNow(text("The first round has been called: ask at the desk, please."))
    if here.hall.state.list_closed and not auth.visitor().may_control:
        raise NotNow(text("The list is closed: ask at the desk, please."))
    here.at_the_door(request.remote_addr or "")
    view = here.hall.do(AddPerson(msgspec.structs.replace(wish, guest=False)), auth.visitor().by)
    return raw(b'{"state":' + here.state(here.screen(view), language()) + b"}")


@call("GET", "/openapi.json", dict[str, Any])
def openapi() -> Response:
    """Return this description."""
    return raw(document(HALL))
