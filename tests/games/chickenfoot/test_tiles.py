"""What hands of tiles can be, by trying all (CHK-3, CHK-8, CHK-11); the rest is in Chickenfoot's minutes."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.games.chickenfoot.game import GAME, Blocked
from lastnose.companion.games.pieces.dominoes import hand_points, tiles_of
from lastnose.companion.games.sheet_game.state import Score, SheetState, current

from tests.support.examples import examples


def table(players: int, **options: Any) -> SheetState:
    """Return an empty sheet."""
    return GAME.new(("North", "East", "South")[:players], GAME.read_options(options))


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
