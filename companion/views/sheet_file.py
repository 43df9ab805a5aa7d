"""A score sheet as a file: every move as JSON, to be read back in, and the cells as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.core.decode import misfit
from lastnose.companion.core.errors import BadInput, Missing
from lastnose.companion.core.names import tidy
from lastnose.companion.core.text import text
from lastnose.companion.evening import log
from lastnose.companion.evening.authors import HOST, signature
from lastnose.companion.evening.events import Played, Seated, Started
from lastnose.companion.evening.state import Evening, Match, effective_move
from lastnose.companion.games import AnyGame, get_game
from lastnose.companion.games.rules.sheet import Sheet, SheetFile, SheetRank, SheetRow
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.state import Correct, Score

VERSION = 1
SEATED = "seated"  # of what stands among the moves: these `players` sat there from then on
_T = TypeVar("_T")


def sheet_of(evening: Evening) -> Sheet:
    """Return the sheet of the newest game; raise Missing when none is kept."""
    found = signed_sheet(evening) if evening.matches else None
    if found is None:
        raise Missing(text("There is no score sheet in this game."))
    return found


def to_json(evening: Evening) -> bytes:
    """Return the sheet as JSON that `check` takes back; what was undone is not in it.

    Everybody who came or went is: what they begin with, who deals and whose a mark is follow from that.
    """
    sheet_of(evening)
    game = _stretches(evening)
    made: list[tuple[dict[str, Any], str]] = []
    for match in game:
        if match is not game[0] and match.seating is not None:
            made.append(({"type": SEATED, "players": match.started.players}, match.seating.by))
        standing = ((effective_move(entry, match), entry.by) for entry in match.entries if not entry.ends)
        made += [(msgspec.to_builtins(move), by) for move, by in standing if move is not None]
    started = game[0].started
    moves, writers = tuple(move for move, _ in made), tuple(by for _, by in made)
    whole = SheetFile(VERSION, started.game, started.players, started.options, moves, writers)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def to_csv(evening: Evening) -> str:
    """Return a line a hand, a column a player, who wrote each cell, the totals last; in English."""
    sheet = sheet_of(evening)
    names = sheet.players
    rows: list[list[str | int | float]] = [
        ["hand", "about", *names, "notes", *(f"{name} written by" for name in names)]
    ]
    for line in sheet.lines:
        points = ["" if cell.points is None else cell.points for cell in line.cells]
        writers = [cell.by for cell in line.cells]
        rows.append([line.hand, str(line.title), *points, _notes(line, names), *writers])
    rows.append(["total", "", *sheet.totals, "", *("" for _ in names)])
    return as_csv(rows)


def _notes(line: SheetRow, players: tuple[str, ...]) -> str:
    """Return what else happened in a hand, and to whom.

    Points that a mark brings stand in no cell; so the sum of a column is not always its total.
    """
    whose = zip(players, line.cells, strict=True)
    theirs = [f"{player}: {', '.join(map(str, cell.notes))}" for player, cell in whose if cell.notes]
    return "; ".join([*map(str, line.notes), *theirs])


def read(raw: dict[str, Any]) -> SheetFile:
    """Return the sheet in *raw*; raise BadInput when it is none, or of a newer format."""
    if isinstance(raw.get("sheet"), int) and raw["sheet"] != VERSION:
        raise BadInput(
            text(
                "This has format {found}; this Last Nose reads {known}. Update Last Nose first.",
                found=raw["sheet"],
                known=VERSION,
            )
        )
    return _read(raw, SheetFile)


def _read(raw: object, kind: type[_T]) -> _T:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise BadInput(text("This is not a score sheet: {why}.", why=misfit(error))) from None


def check(sheet: SheetFile, by: str = HOST, at: float = 0.0) -> tuple[Played | Seated, ...]:
    """Return what *sheet* tells, as the log keeps it; raise a CompanionError for what does not fit."""
    game = get_game(sheet.game)
    if not isinstance(game, SheetGame):
        raise BadInput(text("There is no score sheet in this game."))
    options = msgspec.to_builtins(game.read_options(sheet.options))
    players = tuple(map(tidy, sheet.players))
    begins = Started(
        by=by, at=at, game=game.name, players=players, options=options, lines=("",) * len(players)
    )
    evening, made = log.apply(Evening(), 1, begins), []
    for seq, raw in enumerate(sheet.moves, start=2):
        event = _told(game, raw, by, at)
        evening = log.apply(evening, seq, event)
        made.append(event)
    return tuple(made)


def _told(game: AnyGame, raw: dict[str, Any], by: str, at: float) -> Played | Seated:
    """Return a move of *game*, or who sat there from then on; raise BadInput."""
    if raw.get("type") != SEATED:
        return Played(by=by, at=at, move=msgspec.to_builtins(game.read_move(raw)))
    players = tuple(map(tidy, _read(raw.get("players"), tuple[str, ...])))
    return Seated(by=by, at=at, players=players, lines=("",) * len(players))


# ---- the score sheet of a game with who wrote which cell, from the log


def signed_sheet(evening: Evening) -> Sheet | None:
    """Return the sheet of the newest game, each cell with its newest entry and who made it; None without."""
    match = evening.matches[-1]
    sheet = match.now.sheet
    if sheet is None:
        return None
    written = _written(_stretches(evening))

    def signed(line: SheetRow) -> SheetRow:
        cells = list(line.cells)
        for at, (cell, person) in enumerate(zip(line.cells, match.circle, strict=True)):
            if cell.points is not None:
                seq, by = written.get((line.hand, person), (0, ""))
                cells[at] = msgspec.structs.replace(cell, seq=seq, by=by)
        return msgspec.structs.replace(line, cells=tuple(cells))

    lines = tuple(map(signed, sheet.lines))
    writers = {
        by: signature(by) for by in sorted({cell.by for line in lines for cell in line.cells if cell.by})
    }
    # A hand that is being written counts in the places already; who leads, and stands where, is told without.
    totals, places = sheet.totals, match.now.places
    complete = [line for line in lines if line.complete]
    if complete:
        totals = tuple(cell.total or 0 for cell in complete[-1].cells)
        places = tuple(1 + sorted(sheet.behind).index(points) for points in sheet.behind)
    order = sorted(zip(places, range(1, len(totals) + 1), totals, strict=True))
    ranks = tuple(SheetRank(seat, place, total) for place, seat, total in order)
    return msgspec.structs.replace(sheet, lines=lines, writers=writers, ranks=ranks)


def _stretches(evening: Evening) -> list[Match]:
    """Return the newest game from one change of who sits where to the next."""
    return [evening.matches[at] for at in evening.game_at(len(evening.matches) - 1)]


def _written(game: Sequence[Match]) -> dict[tuple[int, int], tuple[int, str]]:
    """Return log number and author of what stands in each cell, by hand and person."""
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for match, entry in ((one, entry) for one in game for entry in one.entries):
        move = effective_move(entry, match)
        by = next((made.by for made in reversed(entry.corrections) if made.stands), entry.by)
        if isinstance(move, Score | Correct):
            cells = (move,) if isinstance(move, Score) else move.cells
            found |= {(move.hand, match.circle[cell.seat - 1]): (entry.seq, by) for cell in cells}
    return found
