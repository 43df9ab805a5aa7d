"""The JSON API under `/api/v1`: what is there, what was played, and commands to the table."""

from __future__ import annotations

import io
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Any, TypeVar, cast

import msgspec
from flask import Blueprint, Response, request

from companion.commands import AnyCommand
from companion.errors import BadInput, StoreError
from companion.games import GAMES
from companion.snapshot import RoundView, Snapshot
from companion.text import text
from web import auth
from web.house import House
from web.speech import language
from web.taps import PageClock, Taps
from web.view import game_view, to_json
from web.wishes import Appeal, PinTry

api = Blueprint("api", __name__, url_prefix="/api/v1")

_ANSWER_WITHIN_S = 10.0
_LOOK_EVERY_S = 0.2
_T = TypeVar("_T")


def answer(value: Any, status: int = 200) -> Response:
    """Return *value* as JSON in the reader's language, never cached."""
    return Response(
        to_json(value, language()), status, mimetype="application/json", headers={"Cache-Control": "no-store"}
    )


def asked(kind: type[_T]) -> _T:
    """Return the body of the request as *kind*; raise BadInput that says what does not fit."""
    if request.mimetype != "application/json":
        raise BadInput(text("Send JSON, with the header Content-Type: application/json."))
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except msgspec.MsgspecError as error:
        raise BadInput(text("This request cannot be read: {why}.", why=str(error).rstrip("."))) from error


@api.get("/state")
def state() -> Response:
    """Return everything that screens show now."""
    house = House.here()
    return _json(house.views.state(house.table.snapshot, language()))


@api.get("/games")
def games() -> Response:
    """Return the games, their options and how many can play."""
    return answer({"games": [game_view(game) for game in GAMES.values()]})


@api.get("/variations")
def variations() -> Response:
    """Return the variations that tables have saved: a name, a game, its options."""
    return answer({"variations": House.here().table.variations()})


@api.get("/players")
def players() -> Response:
    """Return the names of earlier evenings, and the nose lines of this table."""
    table = House.here().table
    return answer({"players": table.known_players(), "lines": table.lines, "profile": table.profile_name})


@api.get("/rounds")
def rounds() -> Response:
    """Return the rounds of this evening."""
    return answer({"rounds": House.here().table.rounds()})


@api.get("/rounds/<int:seq>")
def one_round(seq: int) -> Response:
    """Return one round of this evening."""
    return answer({"round": find_round(seq)})


@api.get("/rounds/<int:seq>/tape")
def tape(seq: int) -> Response:
    """Return the raw edges of a round as a tape (JSON Lines), to be kept as a file."""
    found = House.here().table.tape(seq)
    return _download(found.encode(), "application/jsonl", f"round-{seq}.jsonl")


@api.post("/rounds/<int:seq>/appeal")
def appeal(seq: int) -> Response:
    """Judge a round again with other debounce settings; what is stored does not change."""
    wish = asked(Appeal)
    judged = House.here().table.appeal(seq, wish.confirm_us * 1000, wish.lockout_us * 1000)
    return answer({"round": judged, "stored": find_round(seq)})


@api.get("/statistics")
def statistics() -> Response:
    """Return the figures of this evening: games, players, how fast and how close."""
    return answer(House.here().table.statistics())


@api.get("/export.json")
def export_json() -> Response:
    """Return the evening as JSON, to be kept as a file."""
    return _download(House.here().table.export_json(), "application/json", "evening.json")


@api.get("/export.csv")
def export_csv() -> Response:
    """Return the evening as CSV, to be kept as a file."""
    return _download(House.here().table.export_csv().encode(), "text/csv; charset=utf-8", "evening.csv")


@api.get("/sheet.json")
def sheet_json() -> Response:
    """Return the score sheet as JSON, to be kept as a file and imported again."""
    return _download(House.here().table.sheet_json(), "application/json", "sheet.json")


@api.get("/sheet.csv")
def sheet_csv() -> Response:
    """Return the score sheet as CSV, to be kept as a file."""
    return _download(House.here().table.sheet_csv().encode(), "text/csv; charset=utf-8", "sheet.csv")


@api.post("/commands")
@auth.controls
def commands() -> Response:
    """Do what the command says; answer with the new state when it is safely stored."""
    command = asked(cast("type[AnyCommand]", AnyCommand))
    house = House.here()
    snapshot = _result(house.table.submit(command, auth.visitor().by), house)
    return _json(b'{"state":' + house.views.state(snapshot, language()) + b"}")


@api.post("/join")
def join() -> Response:
    """Let a phone join with the PIN; the answer sets its cookie."""
    return answer({"phone": auth.join(asked(PinTry).pin)})


@api.get("/clock")
def clock() -> Response:
    """Return the host's monotonic clock."""
    return _json(clock_json())


def clock_json() -> bytes:
    """Return the body of GET clock."""
    return b'{"t_ns":%d}' % time.monotonic_ns()


@api.post("/clock")
@auth.controls
def attach_clock() -> Response:
    """Announce the clock of a page whose taps will follow, or that the page leaves."""
    wish = asked(PageClock)
    House.here().pages.introduce(wish)
    return _json(clock_json())


@api.post("/taps")
@auth.controls
def taps() -> Response:
    """Press and release simulated noses."""
    wish = asked(Taps)
    House.here().pages.drive(wish)
    return answer({"taps": len(wish.taps)})


@api.get("/openapi.json")
def openapi() -> Response:
    """Return the description of this API."""
    from web.openapi import document

    return _json(document())


@api.get("/qr.svg")
@auth.controls
def qr() -> Response:
    """Return the way to join as a QR code, for those who may show it to others."""
    address = House.here().join_address
    if address is None:
        raise BadInput(text("Phones cannot reach this table. Start it with --lan to let them in."))
    import segno

    drawn = io.BytesIO()
    code = segno.make(f"{address}#{auth.the_access().pin}", error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, scale=4, border=2, light="#fff")
    return Response(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def find_round(seq: int) -> RoundView:
    """Return round *seq* of this evening; raise BadInput when there is none."""
    for found in House.here().table.rounds():
        if found.seq == seq:
            return found
    raise NoSuchRound(text("There is no round {seq} this evening.", seq=seq))


class NoSuchRound(BadInput):
    """The evening has no such round."""


def _result(future: Future[Snapshot], house: House) -> Snapshot:
    """Return what the table answers; raise its refusal, or StoreError when it does not answer in time."""
    deadline = time.monotonic() + _ANSWER_WITHIN_S
    while time.monotonic() < deadline and not house.closing.is_set():
        try:
            return future.result(timeout=_LOOK_EVERY_S)
        except NotYet:
            continue
    raise StoreError(text("The table has not answered yet. Look at what it shows before you try again."))


def _json(body: bytes) -> Response:
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})


def _download(body: bytes, content_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, content_type=content_type, headers=headers)
