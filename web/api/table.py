"""The calls about the table itself: what it shows, what was played, and commands to it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from lastnose.companion.core.errors import Missing, NotNow
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import AnyCommand, NewEvening
from lastnose.companion.games import GAMES
from lastnose.companion.i18n import translator
from lastnose.companion.link.door import DoorView, HallDoor
from lastnose.companion.selftest.view import SelfTestView, Word
from lastnose.companion.system import host_clock
from lastnose.companion.table.replay import packed
from lastnose.companion.views.preview import Foreseen
from lastnose.companion.views.snapshot import RoundView, Snapshot
from lastnose.companion.views.statistics import Figures, Glance
from lastnose.web import auth, heavy
from lastnose.web.api.endpoint import call, download, raw
from lastnose.web.api.own import may_do, may_touch, own_nose
from lastnose.web.api.requests import Appeal, ChangeWish, FreedNose, HallAddress, PackedTape, a_tape
from lastnose.web.api.responses import (
    Appealed,
    ClockTime,
    Games,
    NearHalls,
    OneRound,
    Players,
    RoundEdges,
    Rounds,
    Seats,
    State,
    Variations,
)
from lastnose.web.context import SelfTestLike, WebContext
from lastnose.web.encoding import game_info
from lastnose.web.language import language
from lastnose.web.taps import Heard, PageClock, Taps

MOST_EDGES = 500  # of a round, to be read; its tape has all
_A_ROUND = {"seq": 3}
_AN_APPEAL = {**_A_ROUND, "confirm_us": 1000, "lockout_us": 20_000}
_A_PAGE = {"page": "p1", "owns": "nose.1"}
_SOME_TAPS = {"page": "p1", "clock_u_ns": 1_000_000, "taps": []}


@call("GET", "/state", Snapshot)
def state() -> Response:
    """Return everything that screens show now."""
    house = WebContext.here()
    return raw(house.views.state(house.table.snapshot, language()))


@call("GET", "/games", Games)
def games() -> Games:
    """Return the games, their options and how many can play."""
    return Games(tuple(map(game_info, GAMES.values())))


@call("GET", "/variations", Variations)
def variations() -> Variations:
    """Return the variations that tables have saved: a name, a game, its options."""
    return Variations(WebContext.here().table.queries.variations())


@call("GET", "/players", Players)
def players() -> Players:
    """Return the names of earlier evenings, to who has not joined those of this one; and the nose lines."""
    house = WebContext.here()
    return Players(house.known_players(), house.table.lines, house.table.profile_name)


@call("GET", "/rounds", Rounds)
def rounds() -> Response:
    """Return the rounds of this evening."""
    return raw(b'{"rounds":' + WebContext.here().look_back("rounds") + b"}")


@call("GET", "/rounds/<int:seq>", OneRound, like=_A_ROUND)
def one_round(seq: int) -> OneRound:
    """Return one round of this evening."""
    return OneRound(find_round(seq))


@call("GET", "/rounds/<int:seq>/tape", "application/jsonl", like=_A_ROUND)
def tape(seq: int) -> Response:
    """Return the raw edges of a round as a tape (JSON Lines), to be kept as a file."""
    find_round(seq)
    found = WebContext.here().table.queries.tape(seq)
    return download(found.encode(), "application/jsonl", f"round-{seq}.jsonl")


@call("GET", "/rounds/<int:seq>/edges", RoundEdges, like=_A_ROUND)
def edges(seq: int) -> RoundEdges:
    """Return the lines of a round's tape for people to read, the first 500 of them."""
    find_round(seq)
    found = WebContext.here().table.queries.edges(seq)
    link = f"/appeal#{packed(WebContext.here().table.queries.tape(seq))}"
    return RoundEdges(found[:MOST_EDGES], len(found), link)


@call("POST", "/judge", Rounds, takes=PackedTape, like=a_tape)
def judge(wish: PackedTape) -> Response:
    """Judge a tape that somebody brings, as this table would; nothing is stored."""
    return raw(WebContext.here().work(heavy.judge, wish.tape, language()))


@call("POST", "/rounds/<int:seq>/appeal", Appealed, takes=Appeal, like=_AN_APPEAL)
def appeal(seq: int, wish: Appeal) -> Appealed:
    """Judge a round again with other debounce settings; what is stored does not change."""
    stored = find_round(seq)
    judged = WebContext.here().table.queries.appeal(seq, wish.confirm_us * 1000, wish.lockout_us * 1000)
    return Appealed(judged, stored)


@call("GET", "/statistics", Figures)
def statistics() -> Response:
    """Return the figures of this evening: games, players, how fast and how close."""
    return raw(WebContext.here().look_back("statistics"))


@call("GET", "/statistics/glance", Glance)
def statistics_at_a_glance() -> Response:
    """Return of this evening's figures what stands beside a game: shares, reactions, the closest finish."""
    return raw(WebContext.here().look_back("statistics-glance"))


@call("GET", "/statistics/all", Figures)
def statistics_of_all() -> Response:
    """Return the figures of all evenings in this table's log; players are known by their names."""
    return raw(WebContext.here().look_back("statistics-all"))


@call("GET", "/statistics.csv", "text/csv")
def statistics_csv() -> Response:
    """Return the figures of this evening as CSV, a line a player, to be kept as a file."""
    found = WebContext.here().look_back("statistics.csv")
    return download(found, "text/csv; charset=utf-8", "figures.csv")


@call("GET", "/statistics/all.csv", "text/csv")
def statistics_of_all_csv() -> Response:
    """Return the figures of all evenings as CSV, a line a player, to be kept as a file."""
    found = WebContext.here().look_back("statistics-all.csv")
    return download(found, "text/csv; charset=utf-8", "figures-of-all-evenings.csv")


@call("GET", "/export.json", dict[str, Any])
def export_json() -> Response:
    """Return the evening as JSON, to be kept as a file."""
    return download(WebContext.here().look_back("export.json"), "application/json", "evening.json")


@call("GET", "/export.csv", "text/csv")
def export_csv() -> Response:
    """Return the evening as CSV, to be kept as a file."""
    found = WebContext.here().look_back("export.csv")
    return download(found, "text/csv; charset=utf-8", "evening.csv")


@call("POST", "/commands", State, takes=AnyCommand, needs="player", like={"type": "undo"})
def commands(wish: AnyCommand) -> Response:
    """Do what the command says; answer with the new state when it is safely stored."""
    house = WebContext.here()
    may_do(wish)
    if isinstance(wish, NewEvening):
        auth.the_access().devices.heir = auth.visitor().device
    snapshot = house.do(wish)
    return raw(b'{"state":' + house.views.state(snapshot, language()) + b"}")


@call("POST", "/preview", Foreseen, takes=ChangeWish, needs="player", may_miss=True, like={"type": "undo"})
def preview(wish: ChangeWish) -> Foreseen:
    """Return what a correction, an undo or a redo would change behind it; nothing changes."""
    return WebContext.here().table.queries.foreseen(wish.wish(), auth.visitor().by)


@call("GET", "/clock", ClockTime)
def clock() -> Response:
    """Return the host's monotonic clock."""
    return raw(clock_json())


def clock_json() -> bytes:
    """Return the body of GET clock."""
    return b'{"t_ns":%d}' % host_clock.now_ns()


@call("POST", "/clock", ClockTime, takes=PageClock, needs="player", like=_A_PAGE, strict=False)
def attach_clock(wish: PageClock) -> Response:
    """Announce the clock of a page whose taps will follow, or that the page leaves."""
    may_touch((wish.owns,) if wish.owns else ())
    WebContext.here().pages.introduce(wish, auth.visitor().device)
    return raw(clock_json())


@call("POST", "/phones/free", Seats, takes=FreedNose, needs="host", like={"line": "nose.1"})
def free(wish: FreedNose) -> Seats:
    """Let a nose be touched on any page again: its phone owns it no more. Return those that own theirs."""
    pages = WebContext.here().pages
    pages.forget(wish.line)
    return Seats(pages.phones)


@call("POST", "/taps", Heard, takes=Taps, like=_SOME_TAPS, strict=False)
def taps(wish: Taps) -> Heard:
    """Press and release simulated noses, and promise that nothing earlier is still coming.

    Who has just lost a seat may end what the page had begun. A touch with a number is answered by that, also
    of a nose that is not the phone's (any more).
    """
    pages, device = WebContext.here().pages, auth.visitor().device
    if wish.taps or not pages.knows(wish.page, device):
        auth.must_be("player")
    may_touch(tap.line for tap in wish.taps if not tap.no)
    return pages.drive(wish, device, own_nose())


@call("GET", "/openapi.json", dict[str, Any])
def openapi() -> Response:
    """Return the description of this API."""
    from lastnose.web.api.openapi import document

    return raw(document())


def find_round(seq: int) -> RoundView:
    """Return round *seq* of this evening; raise Missing when there is none."""
    return WebContext.here().table.queries.listed_round(seq)


# ---- The calls of a self-test, which is there while `lastnose selftest` runs: what it shows, and answers.


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


def the_door() -> HallDoor:
    """Return the way of this table into a hall; raise NotNow where it has none."""
    door = WebContext.here().door
    if door is None:
        raise NotNow(text("A tape that is played comes into no hall."))
    return door


@call("GET", "/hall", DoorView, needs="host")
def hall() -> DoorView:
    """Return which hall the table is in, or asks to come into."""
    door = WebContext.here().door
    return door.view if door is not None else DoorView("out")


@call("POST", "/hall", DoorView, takes=HallAddress, needs="host", like={"address": "http://192.0.2.2:8100/"})
def join_hall(wish: HallAddress) -> DoorView:
    """Come into a hall by its invitation; without a code ask its desk."""
    return the_door().come(wish.address)


@call("GET", "/hall/near", NearHalls, needs="host")
def near_halls() -> NearHalls:
    """Return the halls that announce themselves in this network; it takes two seconds."""
    if WebContext.here().door is None:
        return NearHalls(())
    from lastnose.companion.link.membership import find_halls

    return NearHalls(find_halls())


@call("POST", "/hall/leave", DoorView, needs="host")
def leave_hall() -> DoorView:
    """Leave the hall, or ask no more; the table plays on alone."""
    return the_door().leave()
