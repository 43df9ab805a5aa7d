"""The behaviour of every score sheet: write cells in any order, count, see who can still win, end.

Lowest total wins and equal is shared. A game says how its hands are called, how pieces are counted and what
cannot be (`hooks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.decode import misfit
from companion.core.errors import BadInput, IllegalMove
from companion.core.model import Verdict
from companion.core.text import Text, listing, text
from companion.games.rules.carried import Circle
from companion.games.rules.checks import check_options, check_players
from companion.games.rules.game import Counted, MoveT, OptionsT, Outcome, Standing
from companion.games.rules.prompts import EnterScore, Prompt
from companion.games.rules.sheet import Sheet
from companion.games.sheet_game import corrections, latecomers, race, view
from companion.games.sheet_game.hooks import SheetHooks
from companion.games.sheet_game.state import Correct, Score, SheetState, current, sure, with_cell


class SheetGame(SheetHooks[OptionsT, MoveT]):
    """A score-sheet game but for what `SheetHooks` leaves open."""

    # ---- set-up

    def read_options(self, raw: Mapping[str, Any]) -> OptionsT:
        """Check *raw* and return the options."""
        return self.options_type(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Score | Correct | MoveT:
        """Check *raw* and return the move."""
        try:
            move: Score | Correct | MoveT = msgspec.convert(raw, self.move_types | Correct)
        except msgspec.ValidationError as error:
            raise BadInput(
                text(
                    "{game} does not know this move: “score” needs hand, seat and points or pieces ({why}).",
                    game=self.title,
                    why=misfit(error),
                )
            ) from None
        wrong = isinstance(move, Score) and (move.points is None) == (move.pieces is None)
        if isinstance(move, Correct):
            wrong = any(None not in (cell.points, cell.pieces) for cell in move.cells)
        if wrong:
            raise BadInput(text("A score is either “points”, a number, or “pieces”, a list."))
        return move

    def new(self, players: tuple[str, ...], options: OptionsT) -> SheetState:
        """Return an empty sheet."""
        names = check_players(self.title, players, self.seats)
        return SheetState(names, options, cells=((None,) * len(names),) * self.hands(options))

    def count_hand(self, written: Sequence[str], options: OptionsT) -> Counted | None:
        """Return what the pieces *written* cost, None without any; raise BadInput for one that cannot be."""
        if not self.pieces(options):
            return None
        held = self.count(SheetState(players=(), options=options, cells=()), tuple(written))
        return Counted(held.points, held.pieces or ())

    def gone_on(self, state: SheetState, players: tuple[str, ...], sat: Circle) -> SheetState:
        """Return the sheet with *players* by their new seats, whoever came with what the table gives them."""
        return latecomers.gone_on(self, state, self.new(players, state.options), sat)

    # ---- play

    def play(self, state: SheetState, move: Verdict | Score | Correct | MoveT) -> SheetState:
        """Return the sheet after *move*; raise IllegalMove naming the rule."""
        if isinstance(move, Correct):
            return corrections.corrected(self, state, move)
        hand = current(state)
        if hand is None:
            raise IllegalMove(self.once, text("The last hand is written: the game is over."))
        if isinstance(move, Score):
            return self._scored(state, move, hand)
        mark = self.marked(state, move, hand)
        return msgspec.structs.replace(state, marks=(*state.marks, mark))

    def _scored(self, state: SheetState, move: Score, hand: int) -> SheetState:
        corrections.check_place(self, state, move.hand, move.seat)
        written = state.cell(move.hand, move.seat)
        if written is not None:
            raise IllegalMove(
                self.once,
                self.said.written_before(move.hand, state.player(move.seat), written.points),
            )
        if move.hand != hand:
            raise IllegalMove(self.once, self.said.comes_first(hand))
        after = with_cell(state, hand, move.seat, corrections.held(self, state, move))
        self.check(sure(after, hand), hand)
        return after

    def outcome(self, state: SheetState) -> Outcome | None:
        """Return who has the lowest total once every hand is complete; equal is shared."""
        if current(state) is not None:
            return None
        found = self.totals(state)
        winners = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
        why = text("The lowest total after {n} hands: {points}.", n=len(state.cells), points=min(found))
        return Outcome(winners=winners, losers=(), why=why)

    def cannot_win(self, state: SheetState) -> tuple[int, ...]:
        """Return who cannot win any more, whatever happens: only where that is certain."""
        return race.cannot_win(self, state)

    def standings(self, state: SheetState) -> tuple[Standing, ...]:
        """Return the totals, and who cannot win any more."""
        over = self.cannot_win(state)
        hopeless = (text("cannot win any more"),)
        return tuple(
            Standing(
                seat=seat,
                score=points,
                notes=(*latecomers.fewer(state, seat), *(hopeless if seat in over else ())),
            )
            for seat, points in enumerate(self.totals(state), start=1)
        )

    # ---- what is asked and shown

    def asks(self, state: SheetState) -> tuple[Prompt, ...]:
        """Return the cells of this hand that are still empty, and what else is asked of it."""
        hand = current(state)
        rewrite = corrections.rewrite(self, state)
        if hand is None:
            return rewrite
        seats = tuple(seat for seat in state.seats if state.cell(hand, seat) is None)
        left = self.pieces_left(state, hand)
        worth = corrections.worth(self, state.options)
        ask = EnterScore(
            "score",
            self.asks_for(state, hand),
            self.explain,
            hand,
            seats,
            self.lowest_points,
            self.most(state, hand),
            self.step,
            self.drawn,
            left,
            tuple(worth[piece] for piece in left),
            self.noted,
        )
        return (ask, *self.own_asks(state, hand), *rewrite)

    def sheet(self, state: SheetState) -> Sheet:
        """Return the sheet to be drawn or printed."""
        return view.drawn(self, state)

    def notes(self, state: SheetState) -> tuple[Text, ...]:
        """Return who leads and by how much, and who cannot win any more."""
        hand, gone = current(state), latecomers.beside(state)
        if hand is None or hand == 1:
            return gone
        over = [state.player(seat) for seat in self.cannot_win(state)]
        hopeless = (text("{players} cannot win any more.", players=listing(over)),) if over else ()
        return (race.lead(self, state, hand), *hopeless, *gone)

    def describe(self, before: SheetState, move: Score | Correct | MoveT, after: SheetState) -> Text | None:
        """Return what history says of a cell, or of a correction."""
        if isinstance(move, Correct):
            return corrections.describe(self, before, move)
        if not isinstance(move, Score):
            return None
        held = corrections.held(self, before, move)  # an entry that was taken back is in no cell
        return self.said.written(move.hand, before.player(move.seat), held.points)
