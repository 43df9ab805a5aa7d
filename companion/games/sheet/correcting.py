"""A hand that was written wrong, as it should have been: several cells at once, and what is marked of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from companion.errors import IllegalMove
from companion.games.asks import Ask, Rewrite
from companion.games.sheet.hooks import SheetHooks
from companion.games.sheet.state import Correct, Held, Mark, Score, State, Written, dealt
from companion.text import Text, listing, text


@cache
def worth(game: SheetHooks, options: Any) -> dict[str, int]:
    """Return what each piece costs."""
    nobody = State(players=(), options=options, cells=())
    return {piece: game.count(nobody, (piece,)).points for piece in game.pieces(options)}


def corrected(game: SheetHooks, state: State, move: Correct) -> State:
    """Return the sheet with the cells and marks of a hand as they should have been."""
    check_place(game, state, move.hand, *(cell.seat for cell in move.cells))
    after = state
    for cell in move.cells:
        if state.cell(move.hand, cell.seat) is None:
            raise IllegalMove(
                game.once,
                text(
                    "{player} has nothing in hand {hand} yet: there is nothing to correct.",
                    player=state.player(cell.seat),
                    hand=move.hand,
                ),
            )
        after = dealt(after, move.hand, cell.seat, _rewritten(game, state, move.hand, cell))
    if move.marks is not None:
        after = msgspec.structs.replace(after, marks=_marks_after(game, state, move.hand, move.marks))
    game.check(after, move.hand)
    return after


def check_place(game: SheetHooks, state: State, hand: int, *seats: int) -> None:
    """Raise IllegalMove for a cell that the sheet does not have."""
    for seat in seats:
        if seat not in state.seats:
            raise IllegalMove(game.once, text("There is no seat {seat} in this game.", seat=seat))
    if not 1 <= hand <= len(state.cells):
        raise IllegalMove(
            game.once, text("There is no hand {hand}: there are {n}.", hand=hand, n=len(state.cells))
        )


def _rewritten(game: SheetHooks, state: State, hand: int, cell: Written) -> Held | None:
    """Return what a corrected cell says; raise IllegalMove for an empty one that later hands stand on."""
    if cell.points is not None or cell.pieces is not None:
        return held(game, state, cell)
    if any(map(any, state.cells[hand:])) or any(mark.hand > hand for mark in state.marks):
        raise IllegalMove(
            game.once, text("Hand {hand} is followed by others: say what it should have been.", hand=hand)
        )
    return None


def _marks_after(game: SheetHooks, state: State, hand: int, wanted: tuple[str, ...]) -> tuple[Mark, ...]:
    """Return all marks, those of the whole *hand* being the *wanted* ones."""
    known = [str(choice.value) for choice in game.hand_marks(state.options)]
    for what in wanted:
        if what not in known:
            raise IllegalMove(game.once, text("“{what}” cannot be said of a hand in this game.", what=what))
    of_hand = {Mark(what, hand) for what in known}
    others = tuple(mark for mark in state.marks if mark not in of_hand)
    return (*others, *(Mark(what, hand) for what in known if what in wanted))


def held(game: SheetHooks, state: State, written: Score | Written) -> Held:
    """Return what is *written*, pieces counted; raise IllegalMove for less than nothing."""
    if written.points is None:
        return game.count(state, written.pieces or ())
    if written.points < 0:
        raise IllegalMove(game.once, text("What is left in a hand is 0 or more."))
    return Held(written.points)


def rewrite(game: SheetHooks, state: State) -> tuple[Ask, ...]:
    """Ask what was written wrong, once something is written."""
    written = tuple(hand for hand, row in enumerate(state.cells, start=1) if any(row))
    if not written:
        return ()
    explain = text("The totals follow; the log keeps what was written before.")
    label = text("Correct a hand")
    costs, marks = worth(game, state.options), game.hand_marks(state.options)
    return (
        Rewrite(
            "correct",
            label,
            explain,
            written,
            0,
            game.step,
            game.drawn,
            tuple(costs),
            tuple(costs.values()),
            game.copies,
            marks,
        ),
    )


def said(game: SheetHooks, state: State, move: Correct) -> Text:
    """Return what a correction says: the cells as they should have been."""
    cells = [
        text("{player} {points}", player=state.player(cell.seat), points=what.points if what else "–")
        for cell in move.cells
        for what in (_rewritten(game, state, move.hand, cell),)
    ]
    if not cells:
        return text("Hand {hand} corrected", hand=move.hand)
    return text("Hand {hand} corrected: {cells}", hand=move.hand, cells=listing(cells))
