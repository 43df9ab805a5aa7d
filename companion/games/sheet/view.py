"""The sheet as screens and printers draw it."""

from __future__ import annotations

from companion.games.score_sheet import Cell, Line, Sheet
from companion.games.sheet.hooks import SheetHooks
from companion.games.sheet.race import cannot_win
from companion.games.sheet.state import State, current, is_complete, until


def drawn(game: SheetHooks, state: State) -> Sheet:
    """Return the sheet to be drawn or printed."""
    hand = current(state)
    hands = len(state.cells) if hand is None else hand - 1
    found = game.totals(until(state, hands))
    leaders = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
    lines = tuple(_line(game, state, hand) for hand in range(1, len(state.cells) + 1))
    return Sheet(
        state.players,
        lines,
        game.totals(state),
        leaders if hands else (),
        tuple(points - min(found) for points in found),
        cannot_win(game, state),
    )


def _line(game: SheetHooks, state: State, hand: int) -> Line:
    complete = is_complete(state, hand)
    running = game.totals(until(state, hand))
    cells = tuple(
        Cell(
            points=cell.points if cell else None,
            total=running[seat - 1] if complete else None,
            pieces=(cell.pieces or ()) if cell else (),
            notes=game.cell_notes(state, hand, seat),
        )
        for seat, cell in enumerate(state.cells[hand - 1], start=1)
    )
    return Line(
        hand=hand,
        title=game.line_title(state, hand),
        picture=game.picture(state, hand),
        dealer=game.dealer(state, hand),
        starter=game.starter(state, hand),
        cells=cells,
        complete=complete,
        current=hand == current(state),
        notes=game.line_notes(state, hand),
        marks=_marks(game, state, hand),
        hint=game.line_hint(state, hand),
    )


def _marks(game: SheetHooks, state: State, hand: int) -> tuple[str, ...]:
    """Return what is marked of the whole *hand*."""
    known = (str(choice.value) for choice in game.hand_marks(state.options))
    return tuple(what for what in known if state.marked(what, hand))
