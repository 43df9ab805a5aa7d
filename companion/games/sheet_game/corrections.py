"""A hand that was written wrong, as it should have been: several cells at once, and what is marked of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from companion.core.errors import IllegalMove
from companion.core.text import Text, listing, text
from companion.games.rules.prompts import CorrectHand, Prompt
from companion.games.sheet_game.hooks import AnySheetGame
from companion.games.sheet_game.state import (
    MOST_POINTS,
    CellCorrection,
    Correct,
    HandMark,
    HandScore,
    Score,
    SheetState,
    sure,
    with_cell,
)

LONGEST_REASON = 80


@cache
def worth(game: AnySheetGame, options: Any) -> dict[str, int]:
    """Return what each piece costs."""
    nobody = SheetState(players=(), options=options, cells=())
    return {piece: game.count(nobody, (piece,)).points for piece in game.pieces(options)}


def corrected(game: AnySheetGame, state: SheetState, move: Correct) -> SheetState:
    """Return the sheet with the cells and marks of a hand as they should have been."""
    check_place(game, state, move.hand, *(cell.seat for cell in move.cells))
    after = state
    for cell in move.cells:
        if state.cell(move.hand, cell.seat) is None:
            raise IllegalMove(game.once, game.said.nothing_of(move.hand, state.player(cell.seat)))
        after = with_cell(after, move.hand, cell.seat, _rewritten(game, state, move.hand, cell))
    if move.marks is not None:
        after = msgspec.structs.replace(after, marks=_marks_after(game, state, move.hand, move.marks))
    game.check(sure(after, move.hand), move.hand)
    return after


def check_place(game: AnySheetGame, state: SheetState, hand: int, *seats: int) -> None:
    """Raise IllegalMove for a cell that the sheet does not have."""
    for seat in seats:
        if seat not in state.seats:
            raise IllegalMove(game.once, text("There is no seat {seat} in this game.", seat=seat))
    if not 1 <= hand <= len(state.cells):
        raise IllegalMove(game.once, game.said.not_there(hand, len(state.cells)))


def _rewritten(game: AnySheetGame, state: SheetState, hand: int, cell: CellCorrection) -> HandScore | None:
    """Return what a corrected cell says; raise IllegalMove for an empty one that later hands stand on."""
    if cell.points is not None or cell.pieces is not None:
        before = state.cell(hand, cell.seat)
        after = held(game, state, cell)
        if before is not None and before.missed:  # what is given for it, and no hand of theirs
            after = msgspec.structs.replace(after, missed=True)
        return after if after.note or before is None else msgspec.structs.replace(after, note=before.note)
    if any(map(any, state.cells[hand:])) or any(mark.hand > hand for mark in state.marks):
        raise IllegalMove(game.once, game.said.followed(hand))
    return None


def _marks_after(
    game: AnySheetGame, state: SheetState, hand: int, wanted: tuple[str, ...]
) -> tuple[HandMark, ...]:
    """Return all marks, those of the whole *hand* being the *wanted* ones."""
    known = [str(choice.value) for choice in game.hand_marks(state.options)]
    for what in wanted:
        if what not in known:
            raise IllegalMove(game.once, text("“{what}” cannot be said of a hand in this game.", what=what))
    others = tuple(mark for mark in state.marks if mark.hand != hand or mark.what not in known)
    return others + tuple(
        mark
        for what in known
        if what in wanted
        for mark in state.marks_of(what, hand) or (game.mark_of(state, what, hand),)
    )


def held(game: AnySheetGame, state: SheetState, written: Score | CellCorrection) -> HandScore:
    """Return what is *written*, pieces counted; raise IllegalMove for less than nothing."""
    why = " ".join(written.anyway.split())[:LONGEST_REASON]
    if written.points is None:
        return msgspec.structs.replace(game.count(state, written.pieces or ()), anyway=why)
    if not game.lowest_points <= written.points <= MOST_POINTS:
        raise IllegalMove(game.once, _points_allowed(game))
    note = " ".join(written.note.split())[:LONGEST_REASON] if game.noted else ""
    return HandScore(written.points, anyway=why, note=note)


def _points_allowed(game: AnySheetGame) -> Text:
    if game.lowest_points < 0:
        return text("Points go from {least} to {most}.", least=game.lowest_points, most=MOST_POINTS)
    return text("What is left in a hand is 0 or more, at most {most}.", most=MOST_POINTS)


def rewrite(game: AnySheetGame, state: SheetState) -> tuple[Prompt, ...]:
    """Ask what was written wrong, once something is written."""
    written = tuple(hand for hand, row in enumerate(state.cells, start=1) if any(row))
    if not written:
        return ()
    explain = text("The totals follow; the log keeps what was written before.")
    label = game.said.correct()
    costs, marks = worth(game, state.options), game.hand_marks(state.options)
    return (
        CorrectHand(
            "correct",
            label,
            explain,
            written,
            game.lowest_points,
            game.step,
            game.drawn,
            tuple(costs),
            tuple(costs.values()),
            game.copies,
            marks,
        ),
    )


def describe(game: AnySheetGame, state: SheetState, move: Correct) -> Text:
    """Return what a correction says: the cells as they should have been."""
    cells = [
        text("{player} {points}", player=state.player(cell.seat), points=what.points if what else "–")
        for cell in move.cells
        for what in (_rewritten(game, state, move.hand, cell),)
    ]
    if not cells:
        return game.said.corrected(move.hand)
    return game.said.corrected_to(move.hand, listing(cells))
