"""The calls about the score sheet: begin one, enter, correct and take back a cell, as a file; ask the rules.

What they do goes through the table's own commands: the same checks, the same sentences, the same log.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, url_for
from lastnose.companion.core.errors import BadInput, Missing
from lastnose.companion.core.text import english, text
from lastnose.companion.evening import commands
from lastnose.companion.games.rules.game import RulesAnswer
from lastnose.companion.games.rules.sheet import Cell, SheetFile
from lastnose.companion.views import sheet_file
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web import heavy
from lastnose.web.api.endpoint import Query, answer, api, call, download, raw
from lastnose.web.api.own import may_score
from lastnose.web.api.requests import a_question, a_sheet, new_sheet
from lastnose.web.api.responses import SheetNow
from lastnose.web.context import WebContext
from lastnose.web.language import language


class NewSheet(msgspec.Struct, frozen=True):
    """A game that keeps a sheet, its players in the order of their seats, and its options."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}


class CellWish(msgspec.Struct, frozen=True):
    """What somebody had left: a number of `points`, or the `pieces`, which are then counted.

    With `anyway`, a reason, it is written although the rules say that it cannot be.
    """

    points: int | None = None
    pieces: tuple[str, ...] | None = None
    anyway: str = ""

    def what(self, seat: int) -> dict[str, Any]:
        """Return this as it stands in a move of the game."""
        if (self.points is None) == (self.pieces is None):
            raise BadInput(english("A score is either “points”, a number, or “pieces”, a list."))
        what = {"points": self.points} if self.pieces is None else {"pieces": [*self.pieces]}
        return {"seat": seat, **what, **({"anyway": self.anyway} if self.anyway else {})}


class NewCell(CellWish, frozen=True, kw_only=True):
    """What the player of `seat` had left at the end of `hand`, both from 1."""

    hand: int
    seat: int


class AskedRules(Query, frozen=True, kw_only=True):
    """What is asked `about` some `pieces`, several in one or one each; `hand` 0 is the one being played.

    `table`: what lies on the table, a group each.
    """

    about: str
    pieces: tuple[str, ...]
    hand: int = 0
    table: tuple[str, ...] = ()


_A_CELL = {"hand": 1, "seat": 1}
_NEW = {"hand": 1, "seat": 2, "points": 10}
_ANEW = {**_A_CELL, "points": 5}


@call("GET", "/sheet", SheetNow, may_miss=True)
def sheet() -> SheetNow:
    """Return the score sheet as it stands, and what can be entered now."""
    return _now(WebContext.here().table.snapshot)


@call("POST", "/sheet", SheetNow, takes=NewSheet, needs="host", status=201, like=new_sheet)
def begin(wish: NewSheet) -> SheetNow:
    """Begin a game with a score sheet; a game that is being played ends."""
    sheet_file.check(SheetFile(sheet_file.VERSION, wish.game, wish.players, wish.options, ()))
    return _now(WebContext.here().do(commands.Start(wish.game, wish.players, wish.options)))


@call("PUT", "/sheet/options", SheetNow, takes=dict[str, Any], needs="host", may_miss=True)
def agree(wish: dict[str, Any]) -> SheetNow:
    """Change options of the game; with its first entry they are settled."""
    _sheet()
    return _now(WebContext.here().do(commands.Agree(wish)))


@call("GET", "/sheet.json", SheetFile, may_miss=True)
def sheet_json() -> Response:
    """Return the score sheet as a file, to be kept and taken up again."""
    return download(WebContext.here().table.queries.sheet_json(), "application/json", "sheet.json")


@call("PUT", "/sheet.json", SheetNow, takes=SheetFile, needs="host", like=a_sheet, strict=False)
def take_up(wish: SheetFile) -> SheetNow:
    """Take up a game from the file of its score sheet, with everything written on it."""
    return _now(WebContext.here().do(commands.Import(msgspec.to_builtins(wish))))


@call("GET", "/sheet.csv", "text/csv", may_miss=True)
def sheet_csv() -> Response:
    """Return the score sheet as CSV, to be kept as a file."""
    return download(
        WebContext.here().table.queries.sheet_csv().encode(), "text/csv; charset=utf-8", "sheet.csv"
    )


@call(
    "POST",
    "/sheet/cells",
    SheetNow,
    takes=NewCell,
    needs="player",
    may_miss=True,
    status=201,
    like=_NEW,
)
def enter(wish: NewCell) -> Response:
    """Enter what a player had left at the end of a hand; a cell that is written already is not changed."""
    _sheet()
    may_score(wish.seat)
    move = {"type": "score", "hand": wish.hand, **wish.what(wish.seat)}
    now = _now(WebContext.here().do(commands.Play(move)))
    made = answer(now, 201)
    made.headers["Location"] = url_for("api.cell", hand=wish.hand, seat=wish.seat)
    return made


@call("GET", "/sheet/cells/<int:hand>/<int:seat>", Cell, like=_A_CELL)
def cell(hand: int, seat: int) -> Cell:
    """Return what a player had left at the end of a hand."""
    return _cell(hand, seat)


@call(
    "PUT",
    "/sheet/cells/<int:hand>/<int:seat>",
    SheetNow,
    takes=CellWish,
    needs="player",
    like=_ANEW,
)
def correct(hand: int, seat: int, wish: CellWish) -> SheetNow:
    """Correct a cell that is written; what follows from it is counted again, or it is refused."""
    may_score(seat)
    _cell(hand, seat)
    move = {"type": "correct", "hand": hand, "cells": [wish.what(seat)]}
    return _now(WebContext.here().do(commands.Play(move)))


@call("DELETE", "/sheet/cells/<int:hand>/<int:seat>", SheetNow, needs="player", like=_A_CELL)
def take_back(hand: int, seat: int) -> SheetNow:
    """Empty a cell of the newest hand; what is written of later hands stands on earlier ones."""
    may_score(seat)
    _cell(hand, seat)
    return _now(
        WebContext.here().do(commands.Play({"type": "correct", "hand": hand, "cells": [{"seat": seat}]}))
    )


@call("GET", "/sheet/rules-query", RulesAnswer, asks=AskedRules, may_miss=True, like=a_question)
def rules_query(query: AskedRules) -> Response:
    """Say what the rules say about pieces that somebody holds or has laid; nothing is written."""
    house = WebContext.here()
    game, state = house.table.queries.playing()
    asked = (query.about, query.hand or None, query.pieces, query.table)
    return raw(house.work(heavy.rules_query, game, state, *asked, language()))


# What it was called in version 0.1.
api.add_url_rule("/sheet/counsel", view_func=rules_query, methods=["GET"])


def _sheet() -> Snapshot:
    snapshot = WebContext.here().table.snapshot
    if snapshot.sheet is None:
        raise Missing(text("There is no score sheet in this game."))
    return snapshot


def _now(snapshot: Snapshot) -> SheetNow:
    if snapshot.sheet is None or snapshot.title is None:
        raise Missing(text("There is no score sheet in this game."))
    return SheetNow(
        version=snapshot.version,
        game=snapshot.game,
        title=snapshot.title,
        options=snapshot.options,
        headline=snapshot.headline,
        sheet=snapshot.sheet,
        entries=snapshot.entries,
    )


def _cell(hand: int, seat: int) -> Cell:
    """Return the cell that is written; raise Missing."""
    now = _now(WebContext.here().table.snapshot)
    if not 1 <= hand <= len(now.sheet.lines) or not 1 <= seat <= len(now.sheet.players):
        raise Missing(
            english(
                "There is no hand {hand} with a seat {seat}: this sheet has {hands} hands and {seats} seats.",
                hand=hand,
                seat=seat,
                hands=len(now.sheet.lines),
                seats=len(now.sheet.players),
            )
        )
    found = now.sheet.lines[hand - 1].cells[seat - 1]
    if not found.seq:
        player = now.sheet.players[seat - 1]
        raise Missing(
            english("Nothing is written yet for {player} in hand {hand}.", player=player, hand=hand)
        )
    return found
