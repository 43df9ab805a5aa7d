"""The sheet as screens and printers draw it."""

from __future__ import annotations

import msgspec

from companion.core.text import Text, text
from companion.games.rules.sheet import Cell, Sheet, SheetRow
from companion.games.sheet_game import latecomers
from companion.games.sheet_game.hooks import AnySheetGame
from companion.games.sheet_game.race import cannot_win
from companion.games.sheet_game.state import HandScore, SheetState, current, is_complete, until


def drawn(game: AnySheetGame, state: SheetState) -> Sheet:
    """Return the sheet to be drawn or printed."""
    hand = current(state)
    hands = len(state.cells) if hand is None else hand - 1
    found = game.totals(until(state, hands))
    best = game.best(state, found)
    leaders = tuple(seat for seat in state.seats if found[seat - 1] == best)
    reached = max((mark.hand for mark in state.marks), default=0)
    lines = tuple(
        _line(game, state, at, current=at == hand)
        if hand is None or at <= hand or any(row) or at <= reached
        else _to_come(game, state, at)
        for at, row in enumerate(state.cells, start=1)
    )
    return Sheet(
        state.players,
        lines,
        game.totals(state),
        leaders if hands else (),
        tuple(abs(points - best) for points in found),
        cannot_win(game, state),
        highest=game.highest(state),
        open_end=game.open_end(state.options),
        plain=game.noted,
        left=_left(game, state, sum(line.complete for line in lines)),
    )


def _left(game: AnySheetGame, state: SheetState, played: int) -> Text:
    """Return how many hands are left; where nobody knows, how many were *played*."""
    if game.open_end(state.options):
        return text("rounds played: {n}", n=played)
    return game.said.left(len(state.cells) - played)


def _to_come(game: AnySheetGame, state: SheetState, hand: int) -> SheetRow:
    """Return a line of which nothing is written yet, nor marked."""
    return SheetRow(
        hand=hand,
        title=game.line_title(state, hand),
        picture=game.picture(state, hand),
        dealer=game.dealer(state, hand),
        starter=game.starter(state, hand),
        cells=(Cell(),) * len(state.players),
        complete=False,
        current=False,
        hint=game.line_hint(state, hand),
    )


def _line(game: AnySheetGame, state: SheetState, hand: int, *, current: bool) -> SheetRow:
    complete = is_complete(state, hand)
    running = game.totals(until(state, hand)) if complete else ()
    cells = tuple(
        Cell(
            points=cell.points if cell else None,
            total=running[seat - 1] if complete else None,
            pieces=(cell.pieces or ()) if cell else (),
            notes=_notes(game, state, hand, seat, cell),
        )
        for seat, cell in enumerate(state.cells[hand - 1], start=1)
    )
    return msgspec.structs.replace(
        _to_come(game, state, hand),
        cells=cells,
        complete=complete,
        current=current,
        notes=(*game.line_notes(state, hand), *latecomers.row_notes(state, hand)),
        marks=_marks(game, state, hand),
    )


def _notes(
    game: AnySheetGame, state: SheetState, hand: int, seat: int, cell: HandScore | None
) -> tuple[Text, ...]:
    """Return what else happened to *seat* in *hand*, and why it was written all the same."""
    missed = latecomers.missed_note(state) if cell and cell.missed else ()
    said = (*missed, *game.cell_notes(state, hand, seat))
    if cell and cell.note:
        said = (*said, text("“{note}”", note=cell.note))
    return (*said, text("all the same: {why}", why=cell.anyway)) if cell and cell.anyway else said


def _marks(game: AnySheetGame, state: SheetState, hand: int) -> tuple[str, ...]:
    """Return what is marked of the whole *hand*."""
    known = (str(choice.value) for choice in game.hand_marks(state.options))
    return tuple(what for what in known if state.marks_of(what, hand))
