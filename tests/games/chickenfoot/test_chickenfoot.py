"""Chickenfoot, rule by rule (CHK-1 to CHK-12), and what every sheet does."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInput
from companion.core.model import Verdict
from companion.games.chickenfoot.game import GAME, Blocked
from companion.games.pieces.dominoes import hand_points, tiles_of
from companion.games.rules.prompts import CorrectHand, EnterScore, MarkHand, RulesQuery
from companion.games.sheet_game import CellCorrection, Correct, Score, SheetState, current
from tests.support.examples import examples
from tests.support.sheets import fill, refusal

NAMES = ("North", "East", "South", "West")
write = partial(fill, GAME)
refused = partial(refusal, GAME)


def table(players: int = 4, **options: Any) -> SheetState:
    """Return an empty sheet."""
    return GAME.new(NAMES[:players], GAME.read_options(options))


def test_hands_go_down_from_the_highest_double() -> None:
    """CHK-1: ten hands with double-9, seven with double-6."""
    lines = GAME.sheet(table()).lines
    assert ["9-9", "8-8", "7-7", "6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"] == [
        line.picture for line in lines
    ]
    assert ("double 9", True, False) == (str(lines[0].title), lines[0].current, lines[1].current)
    assert {6: 7, 12: 13, 15: 16} == {size: len(table(set=size).cells) for size in (6, 12, 15)}


def test_players_draw_what_the_rule_says() -> None:
    """CHK-2: four players 11 tiles; other sets say that it is our own suggestion."""
    found = GAME.deal(4, GAME.read_options({"set": 9}))
    assert (11, 55, 11) == (found["tiles_each"], found["cards"], found["boneyard"])
    assert [
        "Everybody draws 11 tiles.",
        "Whoever holds the double 9 starts with it. If nobody does, all draw one.",
    ] == [str(sentence) for sentence in found["sentences"]]
    small = GAME.advice(table(2, set=6)).sentences
    assert "For this set that is our own suggestion: draw as many as you like." == str(small[1])
    with pytest.raises(
        BadInput, match="7 players are too many for a double-6 set: the tiles would not go round"
    ):
        GAME.new(tuple(f"P{n}" for n in range(7)), GAME.read_options({"set": 6}))


def test_a_hand_is_written_by_tiles_or_as_a_number() -> None:
    """CHK-9: 5-5, 1-0, 0-0 and 3-1 are 65; 40 with the double blank at 25."""
    state = write(table(), 0, "5-5 0-1 0-0 3-1", 12, 7)
    assert (0, 65, 12, 7) == GAME.totals(state)
    assert ("5-5", "1-0", "0-0", "3-1") == GAME.sheet(state).lines[0].cells[1].pieces
    assert 40 == GAME.totals(write(table(double_blank=25), 0, "5-5 0-1 0-0 3-1"))[1]
    assert 2 == current(state)


def test_two_cannot_both_be_out() -> None:
    """CHK-11: a hand ends when the first is out."""
    rule, sentence = refused(write(table(), 0), Score(1, 2, points=0))
    assert "CHK-11" == rule
    assert "North and East cannot both have nothing left" in sentence
    assert "CHK-11" == refused(write(table(), 0), Score(1, 2, pieces=()))[0]


def test_nobody_out_needs_a_blocked_hand() -> None:
    """CHK-8: the last cell waits for the word; then everybody scores."""
    state = write(table(), 5, 6, 7)
    assert ("CHK-8", "Nobody has 0: say first that the hand was blocked, or who went out.") == refused(
        state, Score(1, 4, points=8)
    )
    state = GAME.play(state, Blocked(1))
    assert "CHK-8" == refused(state, Blocked(1))[0]
    assert ("CHK-8", "The hand was blocked: West holds a tile at least.") == refused(
        state, Score(1, 4, points=0)
    )
    state = write(state, None, None, None, 8)
    assert (2, ["blocked"]) == (current(state), [str(note) for note in GAME.sheet(state).lines[0].notes])


def test_a_hand_that_somebody_won_is_not_blocked() -> None:
    """CHK-8, and the other way round."""
    state = write(table(), 0)
    assert ("CHK-8", "North went out: the hand was not blocked.") == refused(state, Blocked(1))
    assert "CHK-8" == refused(state, Blocked(2))[0]
    assert not any(isinstance(ask, MarkHand) for ask in GAME.asks(state))
    assert any(isinstance(ask, MarkHand) for ask in GAME.asks(table()))


def test_the_helper_says_what_a_double_can_still_get() -> None:
    """CHK-12: of the ten 6s of a double-9 set seven lie on the table, so two are left beside the double."""
    state = write(table(), 0, 5, 6, 7)
    seen = ["6-0", "6-1", "6-2", "6-3", "6-4", "9-6", "8-6"]
    found = GAME.answer_query(state, "blocked", 4, seen)
    assert (False, "It depends.", "CHK-12") == (found.good, str(found.says), found.rule)
    assert ["6-5", "7-6"] == [piece.name for piece in found.groups[0].pieces]
    assert "if it wants more than 2 tiles, nobody can complete it" in str(found.lines[2])
    whole = GAME.answer_query(state, "blocked", 4, [*seen, "6-5", "7-6", "6-6"])
    assert ("It cannot be completed any more, unless it has all its tiles already.", ()) == (
        str(whole.says),
        whole.groups,
    )
    assert "If 3 tiles lie on it, it is complete, and play goes on elsewhere." == str(whole.lines[2])
    assert "until then, whoever plays their last tile still wins" in str(whole.lines[-1])
    assert "It can be completed." == str(GAME.answer_query(state, "blocked", 4, seen[:6]).says)


def test_the_double_that_began_the_hand_takes_six() -> None:
    """CHK-4: hand 2 began with the 8-8; in the alternative start any double may have begun it."""
    state = write(table(), 0, 5, 6, 7)
    seen = ["8-0", "8-1", "8-2", "8-3"]
    assert ("It depends.", "It can be completed.") == (
        str(GAME.answer_query(state, "blocked", 2, seen).says),
        str(GAME.answer_query(state, "blocked", None, seen[:3]).says),
    )
    other = write(table(start="alternative"), 0, 5, 6, 7)
    assert "It depends." == str(GAME.answer_query(other, "blocked", 4, ["6-0", "6-1", "6-2", "6-3"]).says)
    with pytest.raises(BadInput, match="has no 8 on it"):
        GAME.answer_query(state, "blocked", 2, ["7-6"])
    with pytest.raises(BadInput, match="Ask about “blocked”"):
        GAME.answer_query(state, "meld", 2, ["8-6"])
    ask = next(ask for ask in GAME.asks(state) if isinstance(ask, RulesQuery))
    assert (2, 9) == (ask.hand, len(ask.pieces))
    assert all("8" in piece.split("-") for piece in ask.pieces)
    assert ("9-0", "6-0") == (ask.by_hand[0][0], ask.by_hand[3][0])


def test_a_tile_is_in_one_hand_only() -> None:
    """CHK-11: nor is the double that began the hand in any."""
    state = write(table(), 0, "5-3 2-1")
    assert ("CHK-11", "East and South cannot both hold 5-3.") == refused(
        state, Score(1, 3, pieces=("6-4", "3-5"))
    )
    assert ("CHK-3", "The 9-9 began this hand: it lies on the table.") == refused(
        state, Score(1, 3, pieces=("9-9",))
    )
    other = write(table(start="alternative"), 0, "9-9")
    assert 18 == GAME.totals(other)[1]
    with pytest.raises(BadInput, match=r"5-3 is there 2 times"):
        GAME.play(table(), Score(1, 1, pieces=("5-3", "3-5")))
    with pytest.raises(BadInput, match=r"12-1 is not in a double-9 set"):
        GAME.play(table(), Score(1, 1, pieces=("12-1",)))


def test_a_number_must_be_one_that_tiles_can_make() -> None:
    """CHK-11: a double-9 set without its 9-9 has 495 + 50 - 18; few tiles make few numbers."""
    most = hand_points(tiles_of(9)) - 18
    assert 527 == most
    ask = next(ask for ask in GAME.asks(table()) if isinstance(ask, EnterScore))
    assert (most, 54, "tiles") == (ask.most, len(ask.pieces), ask.drawn)
    assert ("CHK-11", "528 points are more than the tiles that are left hold: 527.") == refused(
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
    assert ("CHK-11", "East has 12 in hand 1 already: correct that entry.") == refused(
        state, Score(1, 2, points=12)
    )
    assert ("CHK-11", "Hand 1 comes first: it is not complete.") == refused(state, Score(2, 3, points=1))
    assert "CHK-11" == refused(state, Score(11, 3, points=1))[0]
    assert "CHK-11" == refused(state, Score(1, 5, points=1))[0]
    assert "CHK-11" == refused(state, Score(1, 3, points=-1))[0]
    assert "CHK-11" == refused(state, Verdict(last=(1,)))[0]


def test_several_phones_fill_columns_of_one_hand_in_any_order() -> None:
    """The order of the cells makes no difference."""
    one = write(table(), 0, "5-3", 7, 9)
    other = table()
    for seat, cell in ((4, 9), (2, "5-3"), (1, 0), (3, 7)):
        other = write(other, *[cell if seat == at else None for at in range(1, 5)])
    assert one == other


def test_the_lowest_total_wins_and_equal_is_shared() -> None:
    """CHK-10: after the last hand, not before."""
    state = table(3, set=6)
    for number in range(7):
        assert GAME.outcome(state) is None
        state = write(state, *((0, 1, 2) if number % 2 else (1, 0, 3)))
    assert (4, 3, 18) == GAME.totals(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert ((2,), "The lowest total after 7 hands: 3.") == (outcome.winners, str(outcome.why))
    assert [CorrectHand] == [type(ask) for ask in GAME.asks(state)]
    assert "CHK-11" == refused(state, Score(7, 1, points=0))[0]


def fix(hand: int, *cells: tuple[int, int], marks: tuple[str, ...] | None = None) -> Correct:
    """Return the correction of *hand* that gives seats their points."""
    return Correct(hand, tuple(CellCorrection(seat, points) for seat, points in cells), marks)


def test_who_went_out_of_an_earlier_hand_may_have_been_another() -> None:
    """CHK-11 holds of the hand as it should have been, not of each cell on the way; later hands stay."""
    state = write(write(table(3), 0, 12, 9), 7, 0, None)
    assert "CHK-11" == refused(state, fix(1, (2, 0)))[0]
    assert "CHK-8" == refused(state, fix(1, (1, 12)))[0]
    fixed = GAME.play(state, fix(1, (1, 12), (2, 0)))
    assert (12 + 7, 0, 9) == GAME.totals(fixed)
    assert 2 == current(fixed)
    assert "East went out" == str(GAME.sheet(fixed).lines[0].notes[0])


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
    assert "East has nothing in hand 1 yet" in refused(state, fix(1, (2, 5)))[1]
    assert "There is no hand 11" in refused(state, fix(11))[1]
    assert "There is no seat 4" in refused(state, fix(1, (4, 5)))[1]
    assert "cannot be said of a hand" in refused(state, fix(1, marks=("won",)))[1]
    assert "0 or more" in refused(state, fix(1, (1, -1)))[1]
    with pytest.raises(BadInput, match="either “points”"):
        GAME.read_move({"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 3, "pieces": []}]})
    move = GAME.read_move({"type": "correct", "hand": 1, "cells": [{"seat": 1, "pieces": ["5-5", "1-0"]}]})
    assert (11, "Hand 1 corrected: North 11") == (
        GAME.totals(GAME.play(state, move))[0],
        str(GAME.describe(state, move, state)),
    )


def test_a_cell_of_the_newest_hand_is_emptied() -> None:
    """Also of a complete one, as long as nothing stands on it."""
    state = write(table(3), 0, 12, 9)
    emptied = GAME.play(state, Correct(1, (CellCorrection(2),)))
    assert (1, (0, 0, 9)) == (current(emptied), GAME.totals(emptied))
    assert "Hand 1 corrected: East –" == str(GAME.describe(state, Correct(1, (CellCorrection(2),)), emptied))
    later = write(state, None, 5)
    assert "Hand 1 is followed by others" in refused(later, Correct(1, (CellCorrection(2),)))[1]


def test_the_last_hand_can_be_corrected_when_all_is_over() -> None:
    """And somebody else has won."""
    state = table(2, set=6)
    for _ in range(7):
        state = write(state, 0, 1)
    assert GAME.outcome(state).winners == (1,)  # type: ignore[union-attr]
    state = GAME.play(state, fix(7, (1, 20), (2, 0)))
    assert GAME.outcome(state).winners == (2,)  # type: ignore[union-attr]


def test_equal_totals_share_the_game() -> None:
    """CHK-10: three each after six hands, and two each in the last, which is blocked."""
    state = table(2, set=6)
    for number in range(6):
        state = write(state, *((0, 1) if number % 2 else (1, 0)))
    outcome = GAME.outcome(write(GAME.play(state, Blocked(7)), 2, 2))
    assert outcome is not None
    assert (1, 2) == outcome.winners


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
    assert "cannot win any more" == str(GAME.standings(behind)[1].notes[0])
    assert "East cannot win any more." == str(GAME.notes(behind)[1])
    assert (2,) == GAME.sheet(behind).cannot_win


def test_in_a_blocked_hand_everybody_holds_a_tile() -> None:
    """CHK-8: East, equal before, is one behind at the best once North is known to have more than one."""
    state = table(2, set=6)
    for _ in range(3):
        state = write(write(state, 0, 5), 5, 0)
    assert (15, 15) == GAME.totals(state)
    blocked = GAME.play(state, Blocked(7))
    assert (1, 0) == (GAME.least(blocked, 7), GAME.least(state, 7))


def test_running_totals_and_who_leads() -> None:
    """A total a complete hand; the leader and the gap."""
    state = write(write(table(3), 0, 10, 20), 30, 0, 5)
    assert [[0, 10, 20], [30, 10, 25]] == [
        [cell.total for cell in line.cells] for line in GAME.sheet(state).lines[:2]
    ]
    assert [None] * 3 == [cell.total for cell in GAME.sheet(state).lines[2].cells]
    assert ["East leads by 15 points."] == [str(note) for note in GAME.notes(state)]
    assert (2,) == GAME.sheet(state).leaders
    assert () == GAME.notes(table())


def test_who_led_before_is_said_while_a_hand_is_being_written() -> None:
    """Two may lead together; once the first cell of the next hand is there, it is of the hand before."""
    begun = write(write(table(3), 0, 10, 20), 30)
    assert ["After hand 1: North leads by 10 points."] == [str(note) for note in GAME.notes(begun)]
    level = write(write(table(3), 0, 10, 30), 10, 0, 5)
    assert ["North and East lead together."] == [str(note) for note in GAME.notes(level)]


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


def test_options_change_what_is_read_aloud() -> None:
    """CHK-7: the little chick only where it is played."""
    lines = [str(line) for section in GAME.help(GAME.read_options({})) for line in section.lines]
    chick = [
        str(line)
        for section in GAME.help(GAME.read_options({"little_chick": True}))
        for line in section.lines
    ]
    assert not any("Little chick" in line for line in lines)
    assert any("Little chick" in line for line in chick)
    assert all(len(line) <= 220 and line[-1] in ".!?”" for line in chick)


def test_history_tells_every_entry() -> None:
    """A line a cell."""
    state, after = table(), write(table(), 0)
    assert "Hand 1, North: 0" == str(GAME.describe(state, Score(1, 1, points=0), after))
    assert "Hand 1 was blocked" == str(GAME.describe(state, Blocked(1), state))


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_any_sheet_can_be_filled_to_its_end(data: st.DataObject) -> None:
    """Tiles dealt from one set, by tapping or as a number: every hand is taken, and totals are the sum."""
    state = table(data.draw(st.integers(2, 4)), set=6, double_blank=data.draw(st.sampled_from([50, 25])))
    expected = [0] * len(state.players)
    chance = data.draw(st.randoms(use_true_random=False))
    while (hand := current(state)) is not None:
        tiles = [tile for tile in tiles_of(6) if tile != tiles_of(6)[-1] or hand > 1]
        tiles = [tile for tile in tiles if str(tile) != GAME.picture(state, hand)]
        chance.shuffle(tiles)
        winner = chance.choice(state.seats)
        for seat in chance.sample(state.seats, len(state.seats)):
            held = [] if seat == winner else [tiles.pop() for _ in range(chance.randint(1, 5))]
            points = hand_points(held, state.options.double_blank)
            expected[seat - 1] += points
            pieces = tuple(map(str, held))
            tapped = chance.random() < 0.5
            move = Score(hand, seat, pieces=pieces) if tapped else Score(hand, seat, points=points)
            assert seat in next(ask for ask in GAME.asks(state) if isinstance(ask, EnterScore)).seats
            state = GAME.play(state, move)
        over = GAME.cannot_win(state)
        assert set(over) < set(state.seats)
    assert tuple(expected) == GAME.totals(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert all(expected[seat - 1] == min(expected) for seat in outcome.winners)
