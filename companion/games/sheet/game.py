"""The behaviour of every score sheet: write cells in any order, count, see who can still win, end.

Lowest total wins and equal is shared. A game says how its hands are called, how pieces are counted and what
cannot be (`hooks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.errors import BadInput, IllegalMove
from companion.games.asks import Ask, Points
from companion.games.game import Counted, Outcome, Standing
from companion.games.score_sheet import Sheet
from companion.games.setup import check_options, check_players
from companion.games.sheet import correcting, race, view
from companion.games.sheet.hooks import SheetHooks
from companion.games.sheet.state import Correct, Score, State, current, dealt
from companion.misfits import misfit
from companion.text import Text, listing, text


class SheetGame(SheetHooks):
    """A score-sheet game but for what `SheetHooks` leaves open."""

    # ---- set-up

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        """Check *raw* and return the options."""
        return self.options_type(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Any:
        """Check *raw* and return the move."""
        try:
            move = msgspec.convert(raw, self.move_types | Correct)
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

    def new(self, players: tuple[str, ...], options: Any) -> State:
        """Return an empty sheet."""
        names = check_players(self.title, players, self.seats)
        return State(names, options, cells=((None,) * len(names),) * self.hands(options))

    def count_hand(self, written: Sequence[str], options: Any) -> Counted:
        """Return what the pieces *written* cost; raise BadInput for one that cannot be."""
        held = self.count(State(players=(), options=options, cells=()), tuple(written))
        return Counted(held.points, held.pieces or ())

    # ---- play

    def play(self, state: State, move: Any) -> State:
        """Return the sheet after *move*; raise IllegalMove naming the rule."""
        if isinstance(move, Correct):
            return correcting.corrected(self, state, move)
        hand = current(state)
        if hand is None:
            raise IllegalMove(self.once, text("The last hand is written: the game is over."))
        if isinstance(move, Score):
            return self._scored(state, move, hand)
        mark = self.marked(state, move, hand)
        return msgspec.structs.replace(state, marks=(*state.marks, mark))

    def _scored(self, state: State, move: Score, hand: int) -> State:
        correcting.check_place(self, state, move.hand, move.seat)
        written = state.cell(move.hand, move.seat)
        if written is not None:
            raise IllegalMove(
                self.once,
                text(
                    "{player} has {points} in hand {hand} already: correct that entry.",
                    player=state.player(move.seat),
                    points=written.points,
                    hand=move.hand,
                ),
            )
        if move.hand != hand:
            raise IllegalMove(self.once, text("Hand {hand} comes first: it is not complete.", hand=hand))
        after = dealt(state, hand, move.seat, correcting.held(self, state, move))
        self.check(after, hand)
        return after

    def outcome(self, state: State) -> Outcome | None:
        """Return who has the lowest total once every hand is complete; equal is shared."""
        if current(state) is not None:
            return None
        found = self.totals(state)
        winners = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
        why = text("The lowest total after {n} hands: {points}.", n=len(state.cells), points=min(found))
        return Outcome(winners=winners, losers=(), why=why)

    def cannot_win(self, state: State) -> tuple[int, ...]:
        """Return who cannot win any more, whatever happens: only where that is certain."""
        return race.cannot_win(self, state)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return the totals, and who cannot win any more."""
        over = self.cannot_win(state)
        hopeless = (text("cannot win any more"),)
        return tuple(
            Standing(seat=seat, score=points, notes=hopeless if seat in over else ())
            for seat, points in enumerate(self.totals(state), start=1)
        )

    # ---- what is asked and shown

    def asks(self, state: State) -> tuple[Ask, ...]:
        """Return the cells of this hand that are still empty, and what else is asked of it."""
        hand = current(state)
        rewrite = correcting.rewrite(self, state)
        if hand is None:
            return rewrite
        seats = tuple(seat for seat in state.seats if state.cell(hand, seat) is None)
        left = self.pieces_left(state, hand)
        worth = correcting.worth(self, state.options)
        ask = Points(
            "score",
            text("Hand {hand}: {title}", hand=hand, title=self.line_title(state, hand)),
            text("What everybody has left: tap it, or say the number. Who went out has 0."),
            hand,
            seats,
            0,
            self.most(state, hand),
            self.step,
            self.drawn,
            left,
            tuple(worth[piece] for piece in left),
        )
        return (ask, *self.own_asks(state, hand), *rewrite)

    def sheet(self, state: State) -> Sheet:
        """Return the sheet to be drawn or printed."""
        return view.drawn(self, state)

    def notes(self, state: State) -> tuple[Text, ...]:
        """Return who leads and by how much, and who cannot win any more."""
        hand = current(state)
        if hand is None or hand == 1:
            return ()
        over = [state.player(seat) for seat in self.cannot_win(state)]
        hopeless = (text("{players} cannot win any more.", players=listing(over)),) if over else ()
        return (race.lead(self, state, hand), *hopeless)

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says of a cell, or of a correction."""
        if isinstance(move, Correct):
            return correcting.said(self, before, move)
        if not isinstance(move, Score):
            return None
        held = correcting.held(self, before, move)  # an entry that was taken back is in no cell
        return text(
            "Hand {hand}, {player}: {points}",
            hand=move.hand,
            player=before.player(move.seat),
            points=held.points,
        )
