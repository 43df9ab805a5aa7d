"""What every score sheet shares: hands, cells, totals, who can still win. A sheet game is one file more."""

from companion.games.score_sheet import Cell, Line, Sheet
from companion.games.sheet.game import SheetGame
from companion.games.sheet.state import Held, Mark, Score, State, current, dealt, is_complete, totals

__all__ = [
    "Cell",
    "Held",
    "Line",
    "Mark",
    "Score",
    "Sheet",
    "SheetGame",
    "State",
    "current",
    "dealt",
    "is_complete",
    "totals",
]
