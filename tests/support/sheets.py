"""How tests fill the sheet of a game, and hear why a move is refused."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.state import Score, SheetState, current


def fill(game: SheetGame, state: SheetState, *cells: int | str | None) -> SheetState:
    """Fill the present hand by seat: points, pieces, or None for a cell that stays empty."""
    hand = current(state)
    assert hand
    for seat, cell in enumerate(cells, start=1):
        if isinstance(cell, str):
            state = game.play(state, Score(hand, seat, pieces=tuple(cell.split())))
        elif cell is not None:
            state = game.play(state, Score(hand, seat, points=cell))
    return state


def refusal(game: SheetGame, state: SheetState, move: Any) -> tuple[str, str]:
    """Return the rule and the sentence with which *move* is refused."""
    with pytest.raises(IllegalMove) as caught:
        game.play(state, move)
    return caught.value.rule, str(caught.value)
