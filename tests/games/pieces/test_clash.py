"""Totals of dominoes that cannot be together, against every way to share out a small set."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.chickenfoot.tiles import clashing
from lastnose.companion.games.pieces.dominoes import Tile, tile_points

from tests.support.examples import examples

SMALL = (Tile(0, 0), Tile(1, 0), Tile(1, 1), Tile(2, 0), Tile(2, 1), Tile(2, 2))


def shares(hands: int) -> set[tuple[int, ...]]:
    """Return the totals of that many hands in every way in which each tile is in one of them, or in none."""
    found = set()
    for owners in product(range(hands + 1), repeat=len(SMALL)):
        totals = [0] * (hands + 1)
        for each, owner in zip(SMALL, owners, strict=True):
            totals[owner] += tile_points(each)
        found.add(tuple(sorted(totals[1:])))
    return found


POSSIBLE = {hands: shares(hands) for hands in (2, 3)}


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=3))
def test_totals_clash_where_no_share_of_the_tiles_makes_them(totals: list[int]) -> None:
    """Every total alone can be made of some tiles here, up to the 10 that all but the blank cost."""
    made = tuple(sorted(totals)) in POSSIBLE[len(totals)]
    assert made is (clashing(SMALL, totals) is None)


def test_the_tiles_that_two_hands_would_share_are_named() -> None:
    """Only 1-0 makes 1; two hands of 1 both need it, whatever the third holds."""
    found = clashing(SMALL, [4, 1, 1])
    assert found is not None
    assert 2 == found.hands
    assert (Tile(1, 0),) == found.twice


def test_of_what_a_hand_holds_only_the_shared_tiles_are_named() -> None:
    """3 is made of 1-1 and 1-0 here, and only 1-0 makes 1."""
    found = clashing((Tile(1, 0), Tile(1, 1)), [3, 1])
    assert found is not None
    assert (Tile(1, 0),) == found.twice


def test_of_three_hands_the_last_meets_both_others() -> None:
    """2 is 1-1 or 2-0: two hands have both of them, so a third shares one, whichever it is."""
    found = clashing(SMALL, [2, 2, 2])
    assert found is not None
    assert 3 == found.hands
    assert found.twice in ((Tile(1, 1),), (Tile(2, 0),))


def test_as_few_tiles_as_can_be_are_named() -> None:
    """6 takes all three tiles; 3 is 2-1, which shares one, or 1-1 and 1-0, which share two."""
    found = clashing((Tile(1, 0), Tile(1, 1), Tile(2, 1)), [3, 6])
    assert found is not None
    assert (Tile(2, 1),) == found.twice
