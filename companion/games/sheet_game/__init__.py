"""What every score sheet shares: hands, cells, totals, who can still win. A sheet game is one file more."""

from lastnose.companion.games.rules.carried import AVERAGE
from lastnose.companion.games.rules.sheet import Cell, Sheet, SheetRow
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.latecomers import field as latecomers_field
from lastnose.companion.games.sheet_game.state import (
    CellCorrection,
    Correct,
    HandMark,
    HandScore,
    Score,
    SheetState,
    current,
    is_complete,
    sure,
    totals,
    with_cell,
)

__all__ = [
    "AVERAGE",
    "Cell",
    "CellCorrection",
    "Correct",
    "HandMark",
    "HandScore",
    "Score",
    "Sheet",
    "SheetGame",
    "SheetRow",
    "SheetState",
    "current",
    "is_complete",
    "latecomers_field",
    "sure",
    "totals",
    "with_cell",
]
