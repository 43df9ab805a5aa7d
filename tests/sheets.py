"""How tests fill the sheet of a game, and hear why a move is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import IllegalMove
from companion.games.sheet import Score, SheetGame, State, current


def fill(game: SheetGame, state: State, *cells: int | str | None) -> State:
    """Fill the present hand by seat: points, pieces, or None for a cell that stays empty."""
    hand = current(state)
    assert hand
    for seat, cell in enumerate(cells, start=1):
        if isinstance(cell, str):
            state = game.play(state, Score(hand, seat, pieces=tuple(cell.split())))
        elif cell is not None:
            state = game.play(state, Score(hand, seat, points=cell))
    return state


def refusal(game: SheetGame, state: State, move: Any) -> tuple[str, str]:
    """Return the rule and the sentence with which *move* is refused."""
    with pytest.raises(IllegalMove) as caught:
        game.play(state, move)
    return caught.value.rule, str(caught.value)
