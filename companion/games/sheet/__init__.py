"""What every score sheet shares: hands, cells, totals, who can still win. A sheet game is one file more."""

from companion.games.score_sheet import Cell, Line, Sheet
from companion.games.sheet.game import SheetGame
from companion.games.sheet.state import (
    Correct,
    Held,
    Mark,
    Score,
    State,
    Written,
    current,
    dealt,
    is_complete,
    totals,
)

__all__ = [
    "Cell",
    "Correct",
    "Held",
    "Line",
    "Mark",
    "Score",
    "Sheet",
    "SheetGame",
    "State",
    "Written",
    "current",
    "dealt",
    "is_complete",
    "totals",
]
