"""The calls about the table itself: what it shows, what was played, and commands to it."""

from __future__ import annotations

import io
import time
from typing import Any

from flask import Response

from companion.authors import given_name
from companion.commands import AnyCommand
from companion.errors import Missing
from companion.games import GAMES
from companion.snapshot import RoundView, Snapshot
from companion.statistics import Figures
from companion.text import text
from web import auth
from web.answers import (
    Appealed,
    ClockTime,
    Driven,
    Games,
    Joined,
    Named,
    OneRound,
    Players,
    Rounds,
    State,
    Variations,
)
from web.calls import call, download, raw
from web.house import House
from web.speech import language
from web.taps import PageClock, Taps
from web.view import game_info
from web.wishes import Appeal, PhoneName, PinTry

_A_ROUND = {"seq": 3}
_AN_APPEAL = {**_A_ROUND, "confirm_us": 1000, "lockout_us": 20_000}
_A_PAGE = {"page": "p1", "rtt_ns": 2_000_000}
_SOME_TAPS = {"page": "p1", "clock_u_ns": 1_000_000, "taps": []}


@call("GET", "/state", Snapshot)
def state() -> Response:
    """Return everything that screens show now."""
    house = House.here()
    return raw(house.views.state(house.table.snapshot, language()))


@call("GET", "/games", Games)
def games() -> Games:
    """Return the games, their options and how many can play."""
    return Games(tuple(map(game_info, GAMES.values())))


@call("GET", "/variations", Variations)
def variations() -> Variations:
    """Return the variations that tables have saved: a name, a game, its options."""
    return Variations(House.here().table.variations())


@call("GET", "/players", Players)
def players() -> Players:
    """Return the names of earlier evenings, and the nose lines of this table."""
    table = House.here().table
    return Players(table.known_players(), table.lines, table.profile_name)


@call("GET", "/rounds", Rounds)
def rounds() -> Rounds:
    """Return the rounds of this evening."""
    return Rounds(House.here().table.rounds())


@call("GET", "/rounds/<int:seq>", OneRound, like=_A_ROUND)
def one_round(seq: int) -> OneRound:
    """Return one round of this evening."""
    return OneRound(find_round(seq))


@call("GET", "/rounds/<int:seq>/tape", "application/jsonl", like=_A_ROUND)
def tape(seq: int) -> Response:
    """Return the raw edges of a round as a tape (JSON Lines), to be kept as a file."""
    find_round(seq)
    found = House.here().table.tape(seq)
    return download(found.encode(), "application/jsonl", f"round-{seq}.jsonl")


@call("POST", "/rounds/<int:seq>/appeal", Appealed, takes=Appeal, like=_AN_APPEAL)
def appeal(seq: int, wish: Appeal) -> Appealed:
    """Judge a round again with other debounce settings; what is stored does not change."""
    stored = find_round(seq)
    judged = House.here().table.appeal(seq, wish.confirm_us * 1000, wish.lockout_us * 1000)
    return Appealed(judged, stored)


@call("GET", "/statistics", Figures)
def statistics() -> Figures:
    """Return the figures of this evening: games, players, how fast and how close."""
    return House.here().table.statistics()


@call("GET", "/export.json", dict[str, Any])
def export_json() -> Response:
    """Return the evening as JSON, to be kept as a file."""
    return download(House.here().table.export_json(), "application/json", "evening.json")


@call("GET", "/export.csv", "text/csv")
def export_csv() -> Response:
    """Return the evening as CSV, to be kept as a file."""
    return download(House.here().table.export_csv().encode(), "text/csv; charset=utf-8", "evening.csv")


@call("POST", "/commands", State, takes=AnyCommand, joined=True, like={"type": "undo"})
def commands(wish: AnyCommand) -> Response:
    """Do what the command says; answer with the new state when it is safely stored."""
    house = House.here()
    snapshot = house.do(wish)
    return raw(b'{"state":' + house.views.state(snapshot, language()) + b"}")


@call("POST", "/join", Joined, takes=PinTry, like={"pin": "2718"})
def join(wish: PinTry) -> Joined:
    """Let a phone join with the PIN; the answer sets its cookie."""
    return Joined(auth.join(wish.pin))


@call("POST", "/phone", Named, takes=PhoneName, joined=True, like={"name": "Kitchen"})
def rename(wish: PhoneName) -> Named:
    """Give this phone a name, so that sheet and history say whose entries it makes."""
    by = auth.rename(wish.name)
    return Named(by, given_name(by))


@call("GET", "/clock", ClockTime)
def clock() -> Response:
    """Return the host's monotonic clock."""
    return raw(clock_json())


def clock_json() -> bytes:
    """Return the body of GET clock."""
    return b'{"t_ns":%d}' % time.monotonic_ns()


@call("POST", "/clock", ClockTime, takes=PageClock, joined=True, like=_A_PAGE)
def attach_clock(wish: PageClock) -> Response:
    """Announce the clock of a page whose taps will follow, or that the page leaves."""
    House.here().pages.introduce(wish)
    return raw(clock_json())


@call("POST", "/taps", Driven, takes=Taps, joined=True, like=_SOME_TAPS)
def taps(wish: Taps) -> Driven:
    """Press and release simulated noses."""
    House.here().pages.drive(wish)
    return Driven(len(wish.taps))


@call("GET", "/openapi.json", dict[str, Any])
def openapi() -> Response:
    """Return the description of this API."""
    from web.openapi import document

    return raw(document())


@call("GET", "/qr.svg", "image/svg+xml", joined=True, may_miss=True)
def qr() -> Response:
    """Return the way to join as a QR code, for those who may show it to others."""
    address = House.here().join_address
    if address is None:
        raise Missing(text("Phones cannot reach this table. Start it with --lan to let them in."))
    return _drawn_code(f"{address}#{auth.the_access().pin}")


@call("GET", "/wifi.svg", "image/svg+xml", joined=True, may_miss=True)
def wifi() -> Response:
    """Return the way into the table's Wi-Fi as a QR code, for those who may show it to others."""
    network = House.here().wifi
    if network is None:
        raise Missing(text("This table has no Wi-Fi of its own: lastnose install --access-point makes one."))
    return _drawn_code(network.code)


def _drawn_code(says: str) -> Response:
    """Return a QR code as a picture that no cache keeps."""
    import segno

    drawn = io.BytesIO()
    code = segno.make(says, error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, scale=4, border=2, light="#fff")
    return Response(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def find_round(seq: int) -> RoundView:
    """Return round *seq* of this evening; raise Missing when there is none."""
    for found in House.here().table.rounds():
        if found.seq == seq:
            return found
    raise Missing(text("There is no round {seq} this evening.", seq=seq))
