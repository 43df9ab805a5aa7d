"""Chickenfoot: what its minutes do not say of tiles, blocked hands and corrections (CHK-1 to CHK-12)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Verdict
from lastnose.companion.games import deal
from lastnose.companion.games.chickenfoot.game import GAME, Blocked
from lastnose.companion.games.pieces.dominoes import hand_points, tiles_of
from lastnose.companion.games.rules.prompts import EnterScore, RulesQuery
from lastnose.companion.games.sheet_game.state import CellCorrection, Correct, Score, SheetState

from tests.support.sheets import fill, refusal

NAMES = ("North", "East", "South", "West")
write = partial(fill, GAME)
refused = partial(refusal, GAME)


def table(players: int = 4, **options: Any) -> SheetState:
    """Return an empty sheet."""
    return GAME.new(NAMES[:players], GAME.read_options(options))


def test_players_draw_what_the_rule_says() -> None:
    """CHK-2: four players 11 tiles; other sets say that it is our own suggestion."""
    found = deal(GAME, 4, GAME.read_options({"set": 9}))
    assert (11, 55, 11) == (found["tiles_each"], found["cards"], found["boneyard"])
    assert [
        "Everybody draws 11 tiles.",
        "The double 9 starts.",
        "Look well: whoever holds it plays it. If nobody does, everybody draws one tile, until it turns up.",
    ] == [str(sentence) for sentence in found["sentences"]]
    small = GAME.advice(table(2, set=6)).sentences
    assert "For this set that is our own suggestion: draw as many as you like." == str(small[1])
    with pytest.raises(
        BadInput, match="7 players are too many for a double-6 set: the tiles would not go round"
    ):
        GAME.new(tuple(f"P{n}" for n in range(7)), GAME.read_options({"set": 6}))


def test_the_helper_says_what_a_double_can_still_get() -> None:
    """CHK-12: of the ten 6s of a double-9 set seven lie on the table, so two are left beside the double."""
    state = write(table(), 0, 5, 6, 7)
    seen = ["6-0", "6-1", "6-2", "6-3", "6-4", "9-6", "8-6"]
    found = GAME.answer_query(state, "blocked", 4, seen)
    says = "If it still needs more than 2 tiles, nobody can complete it."
    assert (False, says, "CHK-12") == (found.good, str(found.says), found.rule)
    assert ["6-5", "7-6"] == [piece.name for piece in found.groups[0].pieces]
    assert "A double takes 3 tiles, the one that begins the hand 6." == str(found.lines[0])
    whole = GAME.answer_query(state, "blocked", 4, [*seen, "6-5", "7-6", "6-6"])
    assert ("If it still needs any tile, nobody can complete it.", ()) == (str(whole.says), whole.groups)
    assert "Until then a last tile that fits still wins" in str(whole.lines[-1])
    assert "It can be completed." == str(GAME.answer_query(state, "blocked", 4, seen[:6]).says)


def test_the_double_that_began_the_hand_takes_six() -> None:
    """CHK-4: hand 2 began with the 8-8; in the alternative start any double may have begun it."""
    state = write(table(), 0, 5, 6, 7)
    seen = ["8-0", "8-1", "8-2", "8-3"]
    needs = "If it still needs more than 5 tiles, nobody can complete it."
    assert (needs, "It can be completed.") == (
        str(GAME.answer_query(state, "blocked", 2, seen).says),
        str(GAME.answer_query(state, "blocked", None, seen[:3]).says),
    )
    other = write(table(start="alternative"), 0, 5, 6, 7)
    assert needs == str(GAME.answer_query(other, "blocked", 4, ["6-0", "6-1", "6-2", "6-3"]).says)
    with pytest.raises(BadInput, match="has no 8 on it"):
        GAME.answer_query(state, "blocked", 2, ["7-6"])
    with pytest.raises(BadInput, match="Ask about “blocked”"):
        GAME.answer_query(state, "meld", 2, ["8-6"])
    ask = next(ask for ask in GAME.asks(state) if isinstance(ask, RulesQuery))
    assert (2, 9) == (ask.hand, len(ask.pieces))
    assert all("8" in piece.split("-") for piece in ask.pieces)
    assert ("9-0", "6-0") == (ask.by_hand[0][0], ask.by_hand[3][0])


def test_a_number_must_be_one_that_tiles_can_make() -> None:
    """CHK-11: a double-9 set without its 9-9 has 495 + 50 - 18; few tiles make few numbers."""
    most = hand_points(tiles_of(9)) - 18
    assert 527 == most
    ask = next(ask for ask in GAME.asks(table()) if isinstance(ask, EnterScore))
    assert (most, 54, "tiles") == (ask.most, len(ask.pieces), ask.drawn)
    assert ("CHK-11", "528 points are too many: what is left makes 527 at most.") == refused(
        table(), Score(1, 1, points=528)
    )
    assert "CHK-11" == refused(write(table(), 300), Score(1, 2, points=228))[0]
    everything = " ".join(str(tile) for tile in tiles_of(6) if str(tile) not in ("6-6", "2-0", "5-5"))
    small = write(table(set=6), everything)
    assert ("CHK-11", "No tiles that are left add up to 3.") == refused(small, Score(1, 2, points=3))
    assert 12 == GAME.totals(write(small, None, 12, 0))[1]


def test_a_cell_is_written_once_and_hands_in_turn() -> None:
    """A second phone is told who has what; the hand to come waits."""
    state = write(table(), 0, 12)
    assert ("CHK-11", "Hand 1: East has 12 already. Correct that entry.") == refused(
        state, Score(1, 2, points=12)
    )
    assert ("CHK-11", "Hand 1 comes first: it is not complete.") == refused(state, Score(2, 3, points=1))
    assert "CHK-11" == refused(state, Score(11, 3, points=1))[0]
    assert "CHK-11" == refused(state, Score(1, 5, points=1))[0]
    assert "CHK-11" == refused(state, Score(1, 3, points=-1))[0]
    assert "CHK-11" == refused(state, Verdict(last=(1,)))[0]


def fix(hand: int, *cells: tuple[int, int], marks: tuple[str, ...] | None = None) -> Correct:
    """Return the correction of *hand* that gives seats their points."""
    return Correct(hand, tuple(CellCorrection(seat, points) for seat, points in cells), marks)


def test_an_earlier_hand_may_have_been_blocked_or_not() -> None:
    """CHK-8: the mark is corrected together with the numbers."""
    state = write(table(3), 0, 12, 9)
    blocked = GAME.play(state, fix(1, (1, 5), marks=("blocked",)))
    assert (("blocked",), (5, 12, 9)) == (GAME.sheet(blocked).lines[0].marks, GAME.totals(blocked))
    assert "CHK-8" == refused(blocked, fix(1, (2, 0)))[0]
    assert "CHK-8" == refused(blocked, fix(1, marks=()))[0]
    back = GAME.play(blocked, fix(1, (2, 0), marks=()))
    assert (5, 0, 9) == GAME.totals(back)
    assert GAME.play(state, fix(1, (1, 0))) == state


def test_what_is_not_there_is_not_corrected() -> None:
    """Neither an empty cell, a hand that the set has not, a seat, nor a word the game does not know."""
    state = write(table(3), 4)
    assert "That has just changed: look again." == refused(state, fix(1, (2, 5)))[1]
    assert "There are 10 hands, and no 11." == refused(state, fix(11))[1]
    assert "There is no seat 4" in refused(state, fix(1, (4, 5)))[1]
    assert "cannot be said of a hand" in refused(state, fix(1, marks=("won",)))[1]
    assert "Points go from 0 to " in refused(state, fix(1, (1, -1)))[1]
    with pytest.raises(BadInput, match="either “points”"):
        GAME.read_move({"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 3, "pieces": []}]})
    move = GAME.read_move({"type": "correct", "hand": 1, "cells": [{"seat": 1, "pieces": ["5-5", "1-0"]}]})
    assert (11, "Hand 1 corrected: North 11") == (
        GAME.totals(GAME.play(state, move))[0],
        str(GAME.describe(state, move, state)),
    )


def test_who_cannot_win_any_more_is_said_only_where_that_is_certain() -> None:
    """A double-6 set holds 218, 168 in the last hand (0-0 lies on the table): 169 behind is too much."""
    state = table(2, set=6)
    assert 218 == hand_points(tiles_of(6))
    for _ in range(6):
        state = write(state, 0, 28)
    assert ((0, 168), ()) == (GAME.totals(state), GAME.cannot_win(state))
    assert [()] * 2 == [standing.notes for standing in GAME.standings(state)]
    assert ["North leads by 168 points."] == [str(note) for note in GAME.notes(state)]
    behind = write(table(2, set=6), 0, 29)
    for _ in range(5):
        behind = write(behind, 0, 28)
    assert (169, (2,)) == (GAME.totals(behind)[1], GAME.cannot_win(behind))
    assert "East cannot win any more." == str(GAME.notes(behind)[1])
    assert (2,) == GAME.sheet(behind).cannot_win


def test_of_a_game_that_is_over_the_first_hand_is_asked_about() -> None:
    """CHK-12: a double-6 set began with the 6-6; three 6s beside it leave it open, four do not surely."""
    state = table(2, set=6)
    for _ in range(7):
        state = write(state, 0, 5)
    assert GAME.outcome(state) is not None
    for hand in (None, 1):
        assert GAME.answer_query(state, "blocked", hand, ["6-0", "6-1", "6-2"])
    with pytest.raises(BadInput, match="has no 6 on it"):
        GAME.answer_query(state, "blocked", None, ["5-4"])


def test_one_wrong_cell_of_a_correction_is_enough_to_refuse_it() -> None:
    """A number or pieces, never both, in each cell."""
    cells = [{"seat": 1, "points": 5}, {"seat": 2, "points": 5, "pieces": ["5-0"]}]
    with pytest.raises(BadInput, match="either “points”, a number, or “pieces”"):
        GAME.read_move({"type": "correct", "hand": 1, "cells": cells})


def test_moves_come_from_json_and_say_what_is_missing() -> None:
    """As the page and the import send them."""
    raw = {"type": "score", "hand": 1, "seat": 2, "pieces": ["5-3"]}
    assert Score(1, 2, pieces=("5-3",)) == GAME.read_move(raw)
    assert raw == json.loads(msgspec.json.encode(GAME.read_move(raw)))
    assert Blocked(3) == GAME.read_move({"type": "blocked", "hand": 3})
    for wrong in ({}, {"points": 3, "pieces": []}):
        with pytest.raises(BadInput, match="either “points”, a number, or “pieces”, a list"):
            GAME.read_move({"type": "score", "hand": 1, "seat": 1, **wrong})
    with pytest.raises(BadInput, match="Chickenfoot does not know this move"):
        GAME.read_move({"type": "bought", "seat": 1})
    with pytest.raises(BadInput, match="points must be a whole number, not a decimal number"):
        GAME.read_move({"type": "score", "hand": 1, "seat": 1, "points": 2.5})
