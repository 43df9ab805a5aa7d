"""“Cannot win any more” against every way in which a sheet can still be filled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.chickenfoot.game import GAME as CHICKENFOOT
from lastnose.companion.games.chickenfoot.game import Blocked
from lastnose.companion.games.rules.game import OptionField
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.state import Score, SheetState, current

from tests.support.examples import examples

MOST = 2
HANDS = 3


class NoOptions(msgspec.Struct, frozen=True):
    """Nothing to choose."""


class Small(SheetGame):
    """Three hands of 0 to 2 points, in which exactly one has 0: small enough to try everything."""

    name = "small"
    title = text("Small")
    seats = (2, 4)
    options_type = NoOptions
    drawn = "tiles"
    once = "SMALL-1"

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return none."""
        return ()

    def hands(self, options: Any) -> int:
        """Return three."""
        return HANDS

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return a word."""
        return text("Hand")

    def pieces_left(self, state: SheetState, hand: int) -> tuple[str, ...]:
        """Return none: only numbers."""
        return ()

    def most(self, state: SheetState, hand: int) -> int:
        """Return 2."""
        return MOST

    def most_in_any_hand(self, state: SheetState) -> int:
        """Return 2."""
        return MOST

    def check(self, state: SheetState, hand: int) -> None:
        """Refuse two who are out, more than 2, and nobody who is out."""
        self.check_winner(state, hand)
        row = state.cells[hand - 1]
        if any(cell is not None and cell.points > MOST for cell in row):
            raise IllegalMove("SMALL-1", text("Two at most."))
        if None not in row and not self.went_out(state, hand):
            raise IllegalMove("SMALL-1", text("Who was out?"))


SMALL = Small()


def endings(game: SheetGame, state: SheetState, values: list[int]) -> Iterator[SheetState]:
    """Yield every sheet that *state* can become when each empty cell gets one of *values*."""
    hand = current(state)
    if hand is None:
        yield state
        return
    empty = [seat for seat in state.seats if state.cell(hand, seat) is None]
    for points in product(values, repeat=len(empty)):
        try:
            after = state
            for seat, each in zip(empty, points, strict=True):
                after = game.play(after, Score(hand, seat, points=each))
        except IllegalMove:
            continue
        yield from endings(game, after, values)


def winners(game: SheetGame, ends: Iterator[SheetState]) -> set[int]:
    """Return who wins some of *ends*."""
    found: set[int] = set()
    for end in ends:
        outcome = game.outcome(end)
        assert outcome is not None
        found |= {*outcome.winners}
    return found


@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_it_is_said_of_those_who_win_no_ending(data: st.DataObject) -> None:
    """Where everything can be tried: never too early, and between two hands not too late either."""
    players = data.draw(st.integers(2, 3))
    state = SMALL.new(("North", "East", "South")[:players], NoOptions())
    for _ in range(data.draw(st.integers(players, HANDS * players))):
        hand = current(state)
        if hand is None:
            break
        seat = data.draw(st.sampled_from([s for s in state.seats if state.cell(hand, s) is None]))
        wishes = data.draw(st.permutations(range(MOST + 1)))
        state = next(after for points in wishes if (after := tried(state, hand, seat, points)) is not None)
    assume(current(state) is not None)
    still = winners(SMALL, endings(SMALL, state, list(range(MOST + 1))))
    said = {*SMALL.cannot_win(state)}
    assert set() == still & said
    if not any(state.cells[(current(state) or 0) - 1]):
        assert {*state.seats} == still | said


def tried(state: SheetState, hand: int, seat: int, points: int) -> SheetState | None:
    """Return the sheet after a cell, None when it cannot be."""
    try:
        return SMALL.play(state, Score(hand, seat, points=points))
    except IllegalMove:
        return None


@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_nobody_is_told_who_could_still_win_with_real_tiles(data: st.DataObject) -> None:
    """The last hand of a double-6 game of two, from as far behind as may be."""
    state = CHICKENFOOT.new(("North", "East"), CHICKENFOOT.read_options({"set": 6}))
    for hand in range(1, 7):
        behind = data.draw(st.sampled_from((1, 5, 20, 30, 36, 45)))
        for seat, points in ((1, 0), (2, behind)):
            state = CHICKENFOOT.play(state, Score(hand, seat, points=points))
    begun = data.draw(st.sampled_from(("not", "out", "held", "blocked")))
    if begun == "blocked":
        state = CHICKENFOOT.play(state, Blocked(7))
    elif begun != "not":
        points = 0 if begun == "out" else data.draw(st.integers(1, 40))
        state = CHICKENFOOT.play(state, Score(7, data.draw(st.integers(1, 2)), points=points))
    # What decides: each at the best and at the worst, and all between that two can have together.
    values = [0, 1, 2, *range(3, 220, 9), *range(160, 169), 218]
    still = winners(CHICKENFOOT, endings(CHICKENFOOT, state, values))
    assert set() == still & {*CHICKENFOOT.cannot_win(state)}
