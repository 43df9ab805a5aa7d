"""Dominoes: sets, reading, points, tiles to draw, what a total can be, what a double still wants."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.games.pieces.dominoes import (
    SETS,
    Tile,
    check_tiles,
    feet,
    hand_points,
    most_players,
    preferred_double,
    read_tile,
    read_tiles,
    suit_of,
    tile,
    tiles_each,
    tiles_of,
    unreachable,
)


def test_a_set_has_every_pair_of_halves_once() -> None:
    """CHK-1: 28, 55, 91 and 136 tiles; pips of a double-9 set are 45 eleven times."""
    assert [28, 55, 91, 136] == [len(set(tiles_of(highest))) for highest in SETS]
    assert 11 * 45 == sum(each.high + each.low for each in tiles_of(9))
    assert all(each.high >= each.low for each in tiles_of(15))


def test_a_suit_has_one_tile_more_than_the_highest_double() -> None:
    """Every suit is as long as every other, and each tile but a double is in two."""
    assert {10} == {len(set(suit_of(suit, 9))) for suit in range(10)}
    assert set(suit_of(4, 9)) == {each for each in tiles_of(9) if 4 in (each.high, each.low)}


@pytest.mark.parametrize("written", ["3-1", "1-3", "1–3", "3|1", "3:1"])
def test_tiles_are_read_in_either_order(written: str) -> None:
    """The higher half is written first."""
    assert "3-1" == str(read_tile(written))
    assert Tile(3, 1) == tile(1, 3)


@pytest.mark.parametrize("written", ["", "5", "5-", "5-5-5", "a-b", "5 5", "100-1", "-1-2"])
def test_what_is_no_tile_says_what_is_expected(written: str) -> None:
    """One sentence with an example."""
    with pytest.raises(BadInput, match=r"is not a tile\. Write its two halves: 5-5, 3-1, 0-0\."):
        read_tile(written)


def test_points_are_pips_and_fifty_for_the_double_blank() -> None:
    """CHK-9: the worked example: 65, 40 with the double blank at 25, 15 without it."""
    tiles = read_tiles(["5-5", "1-0", "0-0", "3-1"])
    assert (65, 40) == (hand_points(tiles), hand_points(tiles, 25))
    assert 15 == hand_points(read_tiles(["5-5, 1-0, 3-1"]))
    assert 0 == hand_points([])


def test_hands_start_with_the_highest_double_and_go_down() -> None:
    """CHK-1: one hand a suit."""
    assert [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] == [preferred_double(9, hand) for hand in range(1, 11)]
    for hand in (0, 11):
        with pytest.raises(BadInput, match=rf"has 10 hands; there is no hand {hand}"):
            preferred_double(9, hand)
    with pytest.raises(BadInput):
        preferred_double(8, 1)


def test_tiles_to_draw_are_those_of_the_sheet() -> None:
    """CHK-2: 42 over the players, halves up (four players: 10.5 makes 11)."""
    expected = {2: 21, 3: 14, 4: 11, 5: 8, 6: 7, 7: 6, 8: 5, 9: 5, 10: 4}
    assert expected == {players: tiles_each(9, players) for players in range(2, 11)}


def test_tiles_of_other_sets_grow_with_the_set() -> None:
    """A double-6 set is 28/55 of a double-9: 42 become 21.4; nobody draws more than there is."""
    assert [11, 7, 5, 4, 4] == [tiles_each(6, players) for players in range(2, 7)]
    assert [35, 17] == [tiles_each(12, players) for players in (2, 4)]
    for highest in SETS:
        most = most_players(highest)
        assert all(tiles_each(highest, n) * n < len(tiles_of(highest)) for n in range(2, most + 1))
        with pytest.raises(
            BadInput, match=f"{most + 1} players are too many .* would not go round. Be {most}"
        ):
            tiles_each(highest, most + 1)
    with pytest.raises(BadInput, match="for 2 players or more, not 1"):
        tiles_each(9, 1)


def test_a_set_that_does_not_exist_is_refused() -> None:
    """CHK-1 names four."""
    with pytest.raises(BadInput, match=r"There is no double-8 set\. Choose one of: 6, 9, 12 and 15"):
        tiles_each(8, 4)


@pytest.mark.parametrize(
    ("tiles", "sentence"),
    [
        ("9-9 10-3", r"up to 9-9: look at 10-3 again"),
        ("5-3 3-5", r"every tile once, up to 9-9: look at 5-3 again"),
    ],
)
def test_tiles_that_cannot_be_are_refused(tiles: str, sentence: str) -> None:
    """A tile of a larger set, and one tile twice."""
    with pytest.raises(BadInput, match=sentence):
        check_tiles(read_tiles([tiles]), 9)


@given(st.lists(st.sampled_from(tiles_of(6)), unique=True, max_size=9), st.sampled_from([50, 25]))
def test_reachable_totals_are_those_of_every_choice(tiles: list[Tile], double_blank: int) -> None:
    """CHK-11: by trying every choice of the tiles."""
    choices = (choice for n in range(len(tiles) + 1) for choice in combinations(tiles, n))
    expected = {sum(each.high + each.low or double_blank for each in choice) for choice in choices}
    most = max(expected)
    assert expected == {n for n in range(most + 2) if unreachable(tiles, [n], double_blank) is None}


def test_a_double_wants_three_and_says_which_tiles_are_left() -> None:
    """CHK-12: eight of ten sixes are seen, two are left, the double wants three: it stays open."""
    seen = read_tiles(["6-6 6-0 6-1 6-2 6-3 6-4 9-6 8-6"])
    found = feet(9, 6, seen)
    assert (["6-5", "7-6"], 3, True, False) == (
        [*map(str, found.left)],
        found.wants,
        found.pending,
        found.blocked,
    )
    with_one = feet(9, 6, [*seen, tile(6, 5)], laid=2)
    assert (1, False) == (with_one.wants, with_one.pending)


def test_a_hand_is_blocked_when_nothing_is_left_and_nobody_can_draw() -> None:
    """CHK-8: all sixes are played, the double has two, the boneyard is empty."""
    every = suit_of(6, 9)
    assert feet(9, 6, every, laid=2).pending
    assert not feet(9, 6, every, laid=2).blocked
    assert feet(9, 6, every, laid=2, boneyard_empty=True).blocked
    assert not feet(9, 6, every, laid=3, boneyard_empty=True).blocked


def test_the_starting_double_wants_six() -> None:
    """CHK-4: the next six plays go on it."""
    seen = read_tiles(["9-9 9-1 9-2"])
    assert (4, 7, False) == (
        (found := feet(9, 9, seen, laid=2, starting=True)).wants,
        len(found.left),
        found.pending,
    )


@pytest.mark.parametrize(
    ("seen", "laid", "sentence"),
    [
        ("6-6 5-4", 0, r"5-4 has no 6 on it"),
        ("6-6 6-5", 2, r"2 tiles cannot lie on the double 6: 1 of its suit are on the table"),
        ("6-0 6-1 6-2 6-3 6-4", 4, r"it takes 3"),
        ("6-6 12-6", 0, r"up to 9-9: look at 12-6 again"),
    ],
)
def test_what_cannot_lie_there_is_refused(seen: str, laid: int, sentence: str) -> None:
    """Tiles of another suit, and more feet than tiles."""
    with pytest.raises(BadInput, match=sentence):
        feet(9, 6, read_tiles([seen]), laid=laid)
