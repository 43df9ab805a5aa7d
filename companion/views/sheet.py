"""The score sheet of a game with who wrote which cell, from the log. Pure."""

from __future__ import annotations

import msgspec

from companion.evening.authors import signature
from companion.evening.entries import effective_move
from companion.evening.state import Match
from companion.games.rules.sheet import Sheet, SheetRow
from companion.games.sheet_game import Correct, Score


def signed_sheet(match: Match) -> Sheet | None:
    """Return the sheet of *match*, each cell with its newest entry and who made it; None without a sheet."""
    sheet = match.now.sheet
    if sheet is None:
        return None
    written = _written(match)

    def signed(line: SheetRow) -> SheetRow:
        cells = list(line.cells)
        for at, cell in enumerate(cells):
            if cell.points is not None:
                seq, by = written.get((line.hand, at + 1), (0, ""))
                cells[at] = msgspec.structs.replace(cell, seq=seq, by=by)
        return msgspec.structs.replace(line, cells=tuple(cells))

    lines = tuple(map(signed, sheet.lines))
    writers = {
        by: signature(by) for by in sorted({cell.by for line in lines for cell in line.cells if cell.by})
    }
    return msgspec.structs.replace(sheet, lines=lines, writers=writers)


def _written(match: Match) -> dict[tuple[int, int], tuple[int, str]]:
    """Return log number and author of what stands in each cell, by hand and seat."""
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for entry in match.entries:
        move = effective_move(entry, match)
        by = next((made.by for made in reversed(entry.corrections) if made.stands), entry.by)
        if isinstance(move, Score):
            found[move.hand, move.seat] = entry.seq, by
        elif isinstance(move, Correct):
            found |= {(move.hand, cell.seat): (entry.seq, by) for cell in move.cells}
    return found
