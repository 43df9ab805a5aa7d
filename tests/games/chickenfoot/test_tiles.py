"""What a row of a Chickenfoot sheet cannot be, and what is written all the same (CHK-3, CHK-8, CHK-11)."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.games.chickenfoot.game import GAME, Blocked
from lastnose.companion.games.pieces.dominoes import hand_points, tiles_of
from lastnose.companion.games.sheet_game.state import CellCorrection, Correct, Score, current

from tests.games.chickenfoot.test_chickenfoot import table
from tests.support.examples import examples
from tests.support.sheets import fill, refusal

write = partial(fill, GAME)
refused = partial(refusal, GAME)


def test_hands_that_are_possible_only_one_by_one_are_refused() -> None:
    """CHK-11: only 1-0 makes 1; 2 is made by 2-0 and by 1-1, 3 by 3-0, by 2-1, or by 2-0 with 1-0."""
    state = write(table(), 0, 1)
    assert (
        "CHK-11",
        "East and South cannot have 1 and 1 left in one hand: 1-0 would be needed twice.",
    ) == refused(state, Score(1, 3, points=1))
    assert (0, 1, 3, 0) == GAME.totals(write(state, None, None, 3))
    # 1 takes 1-0; of 2, 2 and 2 two are made by 2-0 and 1-1, and then nothing is left.
    assert "CHK-11" == refused(write(table(), None, 2, 2, None), Score(1, 1, points=2))[0]
    # With 1, 2 and 2 gone, 3 has its 3-0 and 2-1 still: two of them, not three.
    six = GAME.new(tuple(f"P{n}" for n in range(6)), GAME.read_options({"set": 12}))
    taken = write(six, 1, 2, 2, 3, 3)
    assert "1, 2, 2, 3, 3 and 3 left in one hand" in refused(taken, Score(1, 6, points=3))[1]


def numbers(tile: str) -> set[str]:
    """Return the numbers on a tile."""
    return set(tile.split("-"))


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), st.integers(0, 5), st.data())
def test_hands_of_real_tiles_are_never_refused(sizes: list[int], lies: int, data: st.DataObject) -> None:
    """Deal tiles without a number that lies on the table, type their sums: somebody holds them."""
    able = [tile for tile in tiles_of(6) if not numbers(str(tile)) & {"6", str(lies)}]
    tiles = data.draw(st.permutations(able))[: sum(sizes)]
    state, at = GAME.play(table(len(sizes), set=6), Blocked(1)), 0
    for seat, size in enumerate(sizes, start=1):
        held = tiles[at : at + size]
        if held:
            typed = data.draw(st.booleans())
            pieces = None if typed else tuple(map(str, held))
            state = GAME.play(state, Score(1, seat, hand_points(held) if typed else None, pieces))
        at += size
    if len(tiles) == sum(sizes):
        assert 2 == current(state)


NOT_ALL_LIE = (
    "The hand was not blocked: for that, all tiles of one number must be on the table, and "
    "somebody still holds one of every number."
)
NOT_BLOCKED = ("CHK-8", NOT_ALL_LIE)


@pytest.mark.parametrize(
    ("third", "can"), [("1-0", False), ("1-1", True), ("9-0 1-1", False), ("0-0 9-9 8-8", True)]
)
def test_a_hand_is_blocked_only_when_all_tiles_of_some_number_lie(third: str, can: bool) -> None:
    """CHK-8: a double whose remaining tiles are all played; the first two hold all numbers but 0 and 1."""
    state = write(GAME.play(table(3, start="alternative"), Blocked(1)), "9-8 7-6", "5-4 3-2")
    move = Score(1, 3, pieces=tuple(third.split()))
    if can:
        assert 2 == current(GAME.play(state, move))
    else:
        assert NOT_BLOCKED == refused(state, move)


def test_a_hand_cannot_be_called_blocked_over_tiles_of_every_number() -> None:
    """CHK-8: said when the tiles are written already; what the table knows better does not count."""
    state = write(table(3), "9-8 7-6 5-4", "3-2 1-0")
    assert NOT_BLOCKED == refused(state, Blocked(1))
    doubted = GAME.play(
        write(table(3), "9-8 7-6 5-4"), Score(1, 2, pieces=("3-2", "1-0"), anyway="we saw it")
    )
    assert GAME.play(doubted, Blocked(1)).marked("blocked", 1)
    every = tuple(str(tile) for tile in tiles_of(6) if not tile.double)
    blocked = GAME.play(table(2, set=6), Blocked(1))
    assert NOT_BLOCKED == refused(blocked, Score(1, 1, pieces=every))


def some_number_can_lie(known: set[str], totals: tuple[int, int], highest: int) -> bool:
    """Return whether two hands can have *totals* without a tile of some number, nor one that is *known*."""
    for lies in range(highest + 1):
        if any(str(lies) in numbers(tile) for tile in known):
            continue
        makes = {(0, 0)}
        for high in range(highest + 1):
            for low in range(high + 1):
                if lies not in (high, low) and f"{high}-{low}" not in {*known, f"{highest}-{highest}"}:
                    worth = high + low or 50
                    makes |= {(a + worth, b) for a, b in makes} | {(a, b + worth) for a, b in makes}
        if totals in makes:
            return True
    return False


@settings(max_examples=examples(40), deadline=None)
@given(
    st.sets(st.sampled_from([f"{high}-{low}" for high in range(6) for low in range(high + 1)]), max_size=6),
    st.integers(1, 90),
    st.integers(1, 90),
)
@example({"5-4"}, 84, 85)
@example({"5-4"}, 85, 85)
def test_numbers_that_could_be_are_never_refused_in_a_blocked_hand(
    known: set[str], one: int, other: int
) -> None:
    """CHK-8: every way in which two hands can have so much, for every number that may lie there.

    Without 6-6 and 5-4 the set holds 197, without the ones 169; any other number takes more out.
    """
    known = known or {"1-0"}
    state = GAME.play(table(3, set=6), Blocked(1))
    could = some_number_can_lie(known, (one, other), 6)
    try:
        state = GAME.play(state, Score(1, 1, pieces=tuple(known)))
        state = GAME.play(GAME.play(state, Score(1, 2, points=one)), Score(1, 3, points=other))
    except IllegalMove:
        assert not could
    else:
        assert could


def test_all_doubles_are_never_in_hands() -> None:
    """CHK-3: after the alternative start nobody knows which double lies on the table, but one does."""
    seven = " ".join(f"{n}-{n}" for n in range(7))
    state = table(set=6, start="alternative")
    assert (
        "double that started this hand is on the table"
        in refused(state, Score(1, 1, pieces=tuple(seven.split())))[1]
    )
    assert 42 + 50 - 12 == GAME.totals(write(state, seven.replace("6-6", "")))[0]
    # 218 is all there is; the cheapest double, 1-1, may be the one that lies there.
    assert "what is left makes 216 at most" in refused(state, Score(1, 1, points=217))[1]


def test_who_went_out_has_played_what_was_drawn() -> None:
    """CHK-2 and CHK-8: of 55 tiles each of two drew 21, so 34 at most are in the other hand."""
    state = write(table(2), 0)
    tiles = [str(tile) for tile in tiles_of(9) if str(tile) != "9-9"]
    assert (
        "CHK-8",
        "North has played every tile: the others have too much. Count again.",
    ) == refused(state, Score(1, 2, pieces=tuple(tiles)))
    assert "CHK-11" == refused(state, Score(1, 2, points=500))[0]
    assert GAME.play(state, Score(1, 2, pieces=tuple(tiles[:34])))
    assert "CHK-8" == refused(write(table(2), None, " ".join(tiles)), Score(1, 1, points=0))[0]


def test_where_the_draw_is_our_suggestion_it_is_only_a_doubt() -> None:
    """The table may have drawn fewer: it is written, and said."""
    tiles = " ".join(str(tile) for tile in tiles_of(6) if str(tile) != "6-6")
    state = write(table(2, set=6), 0, tiles)
    assert [
        "North went out",
        "North has played every tile: the others have too much. Count again.",
    ] == [str(note) for note in GAME.sheet(state).lines[0].notes]


@pytest.mark.parametrize(("points", "doubted"), [(173, False), (174, True)])
def test_a_number_dearer_than_what_fits_into_hands_is_doubted(points: int, doubted: bool) -> None:
    """Two of double-6 draw 11 each, 17 are left: 50 of 0-0, 11, 2 × 10, 2 × 9, 3 × 8, 3 × 7, 4 × 6, 5."""
    notes = [str(note) for note in GAME.sheet(write(table(2, set=6), 0, points)).lines[0].notes]
    says = "North has played every tile: the others have too much. Count again."
    assert ["North went out", *([says] if doubted else [])] == notes


def test_the_table_may_write_all_the_same() -> None:
    """With a reason, which is kept; the others of the hand are checked without that cell."""
    move = GAME.read_move({"type": "score", "hand": 1, "seat": 2, "points": 1, "anyway": "a tile was lost"})
    state = GAME.play(write(table(3), 1), move)
    assert (1, 1, 0) == GAME.totals(state)
    assert ["all the same: a tile was lost"] == [
        str(note) for note in GAME.sheet(state).lines[0].cells[1].notes
    ]
    assert 2 == current(write(state, None, None, 7))  # nor is it asked who went out
    later = GAME.play(
        write(table(3), 0, 3, 4), Correct(1, (CellCorrection(2, 0, anyway="both laid their last tile"),))
    )
    assert (0, 0, 4) == GAME.totals(later)
    assert "Points go from 0 to " in refused(table(), Score(1, 1, points=-5, anyway="why not"))[1]
