"""The behaviour of every score sheet: write cells in any order, count, see who can still win, end.

Lowest total wins and equal is shared. A game says how its hands are called, how pieces are counted and what
cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Literal

import msgspec

from companion.errors import BadInput, IllegalMove
from companion.games.asks import Ask, Choice, Points, Rewrite
from companion.games.game import Counted, OptionField, Outcome, Standing
from companion.games.plain import Plain
from companion.games.score_sheet import Cell, Line, Sheet
from companion.games.setup import check_options, check_players
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
from companion.text import Text, listing, text, texts


@cache
def _worth(game: SheetGame, options: Any) -> dict[str, int]:
    """Return what each piece costs."""
    nobody = State(players=(), options=options, cells=())
    return {piece: game.count(nobody, (piece,)).points for piece in game.pieces(options)}


class SheetGame(Plain):
    """A base for score-sheet games: fill in what is abstract, and say differently what is different."""

    name: str
    title: Text
    seats: tuple[int, int]
    move_types: Any = Score
    options_type: Any
    drawn: Literal["tiles", "cards"]
    step: int = 1
    copies: int = 1
    watched = False
    once: ClassVar[str]  # the rule that a hand is written once, and has one winner

    # ---- what a game says

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options."""
        raise NotImplementedError

    def hands(self, options: Any) -> int:
        """Return how many hands the game has."""
        raise NotImplementedError

    def line_title(self, state: State, hand: int) -> Text:
        """Return what *hand* is about."""
        raise NotImplementedError

    def picture(self, state: State, hand: int) -> str:
        """Return what stands for *hand* (see `Line.picture`), or nothing."""
        return ""

    def count(self, state: State, pieces: tuple[str, ...]) -> Held:
        """Return what *pieces* cost; raise BadInput for one that cannot be."""
        raise NotImplementedError

    def pieces(self, options: Any) -> tuple[str, ...]:
        """Return every piece there is, once; each is there `copies` times."""
        raise NotImplementedError

    def pieces_left(self, state: State, hand: int) -> tuple[str, ...]:
        """Return the pieces that nobody has been given in *hand*."""
        raise NotImplementedError

    def least(self, state: State, hand: int) -> int:
        """Return the fewest points that whoever is not written yet can have left in *hand*."""
        return self.step if self.went_out(state, hand) else 0

    def most(self, state: State, hand: int) -> int:
        """Return the most points that one player can have left in *hand*."""
        raise NotImplementedError

    def most_in_any_hand(self, state: State) -> int:
        """Return the most points that one player can ever have left."""
        raise NotImplementedError

    def check(self, state: State, hand: int) -> None:
        """Raise IllegalMove when what is written of *hand* cannot be; *state* has the newest cell in it."""
        raise NotImplementedError

    def bonus(self, state: State, seat: int) -> int:
        """Return what marks add to the total of *seat*."""
        return 0

    def best_bonus(self, state: State, seat: int, hands: range) -> int:
        """Return the least that marks can still add for *seat* in *hands*."""
        return 0

    def marked(self, state: State, move: Any, hand: int) -> Mark:
        """Return the mark that *move* of the game's own makes in *hand*; raise IllegalMove."""
        raise IllegalMove(self.once, text("In this game points decide, not noses."))

    def hand_marks(self, options: Any) -> tuple[Choice, ...]:
        """Return what a correction may say of a whole hand."""
        return ()

    def own_asks(self, state: State, hand: int) -> tuple[Ask, ...]:
        """Return what else is asked of *hand*."""
        return ()

    def cell_notes(self, state: State, hand: int, seat: int) -> tuple[Text, ...]:
        """Return what else happened to *seat* in *hand*."""
        return ()

    def line_hint(self, state: State, hand: int) -> Text | None:
        """Return what is to be known of *hand* before it is played."""
        return None

    def line_notes(self, state: State, hand: int) -> tuple[Text, ...]:
        """Return what else happened in *hand*."""
        return ()

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
                    why=str(error),
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
            return self._corrected(state, move)
        hand = current(state)
        if hand is None:
            raise IllegalMove(self.once, text("The last hand is written: the game is over."))
        if isinstance(move, Score):
            return self._scored(state, move, hand)
        mark = self.marked(state, move, hand)
        return msgspec.structs.replace(state, marks=(*state.marks, mark))

    def _check_place(self, state: State, hand: int, *seats: int) -> None:
        """Raise IllegalMove for a cell that the sheet does not have."""
        for seat in seats:
            if seat not in state.seats:
                raise IllegalMove(self.once, text("There is no seat {seat} in this game.", seat=seat))
        if not 1 <= hand <= len(state.cells):
            raise IllegalMove(
                self.once, text("There is no hand {hand}: there are {n}.", hand=hand, n=len(state.cells))
            )

    def _scored(self, state: State, move: Score, hand: int) -> State:
        self._check_place(state, move.hand, move.seat)
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
        after = dealt(state, hand, move.seat, self._held(state, move))
        self.check(after, hand)
        return after

    def _corrected(self, state: State, move: Correct) -> State:
        """Return the sheet with the cells and marks of a hand as they should have been."""
        self._check_place(state, move.hand, *(cell.seat for cell in move.cells))
        after = state
        for cell in move.cells:
            if state.cell(move.hand, cell.seat) is None:
                raise IllegalMove(
                    self.once,
                    text(
                        "{player} has nothing in hand {hand} yet: there is nothing to correct.",
                        player=state.player(cell.seat),
                        hand=move.hand,
                    ),
                )
            after = dealt(after, move.hand, cell.seat, self._rewritten(state, move.hand, cell))
        if move.marks is not None:
            after = msgspec.structs.replace(after, marks=self._marks_after(state, move.hand, move.marks))
        self.check(after, move.hand)
        return after

    def _rewritten(self, state: State, hand: int, cell: Written) -> Held | None:
        """Return what a corrected cell says; raise IllegalMove for an empty one that later hands stand on."""
        if cell.points is not None or cell.pieces is not None:
            return self._held(state, cell)
        if any(map(any, state.cells[hand:])) or any(mark.hand > hand for mark in state.marks):
            raise IllegalMove(
                self.once, text("Hand {hand} is followed by others: say what it should have been.", hand=hand)
            )
        return None

    def _marks_after(self, state: State, hand: int, wanted: tuple[str, ...]) -> tuple[Mark, ...]:
        """Return all marks, those of the whole *hand* being the *wanted* ones."""
        known = [str(choice.value) for choice in self.hand_marks(state.options)]
        for what in wanted:
            if what not in known:
                raise IllegalMove(
                    self.once, text("“{what}” cannot be said of a hand in this game.", what=what)
                )
        of_hand = {Mark(what, hand) for what in known}
        others = tuple(mark for mark in state.marks if mark not in of_hand)
        return (*others, *(Mark(what, hand) for what in known if what in wanted))

    def _held(self, state: State, written: Score | Written) -> Held:
        if written.points is None:
            return self.count(state, written.pieces or ())
        if written.points < 0:
            raise IllegalMove(self.once, text("What is left in a hand is 0 or more."))
        return Held(written.points)

    def check_winner(self, state: State, hand: int) -> None:
        """Raise IllegalMove when two went out in *hand*."""
        out = self.went_out(state, hand)
        if len(out) > 1:
            raise IllegalMove(
                self.once,
                text(
                    "{players} cannot both have nothing left: a hand ends when the first is out.",
                    players=listing([state.player(seat) for seat in out]),
                ),
            )

    def went_out(self, state: State, hand: int) -> tuple[int, ...]:
        """Return who has 0 in *hand*."""
        cells = enumerate(state.cells[hand - 1], start=1)
        return tuple(seat for seat, cell in cells if cell is not None and cell.points == 0)

    # ---- totals

    def totals(self, state: State) -> tuple[int, ...]:
        """Return everybody's total."""
        return tuple(points + self.bonus(state, seat) for seat, points in enumerate(totals(state), start=1))

    def outcome(self, state: State) -> Outcome | None:
        """Return who has the lowest total once every hand is complete; equal is shared."""
        if current(state) is not None:
            return None
        found = self.totals(state)
        winners = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
        why = text("The lowest total after {n} hands: {points}.", n=len(state.cells), points=min(found))
        return Outcome(winners=winners, losers=(), why=why)

    def cannot_win(self, state: State) -> tuple[int, ...]:
        """Return who cannot win any more, whatever happens: only where that is certain.

        Somebody else's worst is better than their best.
        """
        hand = current(state)
        if hand is None:
            return ()
        worst = [self._worst(state, seat, hand) for seat in state.seats]
        return tuple(
            seat
            for seat in state.seats
            if any(worst[other - 1] < self._best(state, seat, hand) for other in state.seats if other != seat)
        )

    def _worst(self, state: State, seat: int, hand: int) -> int:
        """Return the highest total that *seat* can end with."""
        now = self.most(state, hand) if state.cell(hand, seat) is None else 0
        later = (len(state.cells) - hand) * self.most_in_any_hand(state)
        return self.totals(state)[seat - 1] + now + later

    def _best(self, state: State, seat: int, hand: int) -> int:
        """Return the lowest total that *seat* can end with."""
        now = self.least(state, hand) if state.cell(hand, seat) is None else 0
        hands = range(hand, len(state.cells) + 1)
        return self.totals(state)[seat - 1] + now + self.best_bonus(state, seat, hands)

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
        rewrite = self._rewrite(state)
        if hand is None:
            return rewrite
        seats = tuple(seat for seat in state.seats if state.cell(hand, seat) is None)
        left = self.pieces_left(state, hand)
        worth = _worth(self, state.options)
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

    def _rewrite(self, state: State) -> tuple[Ask, ...]:
        """Ask what was written wrong, once something is written."""
        written = tuple(hand for hand, row in enumerate(state.cells, start=1) if any(row))
        if not written:
            return ()
        explain = text("The totals follow; the log keeps what was written before.")
        label = text("Correct a hand")
        worth, marks = _worth(self, state.options), self.hand_marks(state.options)
        return (
            Rewrite(
                "correct",
                label,
                explain,
                written,
                0,
                self.step,
                self.drawn,
                tuple(worth),
                tuple(worth.values()),
                self.copies,
                marks,
            ),
        )

    def sheet(self, state: State) -> Sheet:
        """Return the sheet to be drawn or printed."""
        hands = self._complete(state)
        found = self.totals(self._until(state, hands))
        leaders = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
        lines = tuple(self._line(state, hand) for hand in range(1, len(state.cells) + 1))
        return Sheet(
            state.players,
            lines,
            self.totals(state),
            leaders if hands else (),
            tuple(points - min(found) for points in found),
            self.cannot_win(state),
        )

    def _complete(self, state: State) -> int:
        """Return how many hands are complete."""
        hand = current(state)
        return len(state.cells) if hand is None else hand - 1

    def _until(self, state: State, hands: int) -> State:
        """Return the sheet as it was after so many *hands*."""
        marks = tuple(mark for mark in state.marks if mark.hand <= hands)
        return msgspec.structs.replace(state, cells=state.cells[:hands], marks=marks)

    def _line(self, state: State, hand: int) -> Line:
        complete = is_complete(state, hand)
        running = self.totals(self._until(state, hand))
        cells = tuple(
            Cell(
                points=cell.points if cell else None,
                total=running[seat - 1] if complete else None,
                pieces=(cell.pieces or ()) if cell else (),
                notes=self.cell_notes(state, hand, seat),
            )
            for seat, cell in enumerate(state.cells[hand - 1], start=1)
        )
        return Line(
            hand=hand,
            title=self.line_title(state, hand),
            picture=self.picture(state, hand),
            dealer=self.dealer(state, hand),
            starter=self.starter(state, hand),
            cells=cells,
            complete=complete,
            current=hand == current(state),
            notes=self.line_notes(state, hand),
            marks=self._marks(state, hand),
            hint=self.line_hint(state, hand),
        )

    def _marks(self, state: State, hand: int) -> tuple[str, ...]:
        """Return what is marked of the whole *hand*."""
        known = (str(choice.value) for choice in self.hand_marks(state.options))
        return tuple(what for what in known if state.marked(what, hand))

    def dealer(self, state: State, hand: int) -> int | None:
        """Return who deals *hand*, None where nobody does."""
        return state.dealer(hand)

    def starter(self, state: State, hand: int) -> int | None:
        """Return who starts *hand*, None where that is seen at the table only."""
        return state.starter(hand)

    def notes(self, state: State) -> tuple[Text, ...]:
        """Return who leads and by how much, and who cannot win any more."""
        hand = current(state)
        if hand is None or hand == 1:
            return ()
        over = [state.player(seat) for seat in self.cannot_win(state)]
        hopeless = (text("{players} cannot win any more.", players=listing(over)),) if over else ()
        return (self._lead(state, hand), *hopeless)

    def _lead(self, state: State, hand: int) -> Text:
        """Return who leads after the complete hands; while *hand* is being written, who led before it."""
        found = self.totals(self._until(state, hand - 1))
        leaders = [state.player(seat) for seat in state.seats if found[seat - 1] == min(found)]
        if any(state.cells[hand - 1]):
            return text("After hand {hand}: {lead}", hand=hand - 1, lead=_ahead(leaders, found))
        return _ahead(leaders, found)

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says of a cell, or of a correction."""
        if isinstance(move, Correct):
            return self._said_corrected(before, move)
        if not isinstance(move, Score):
            return None
        held = self._held(before, move)  # an entry that was taken back is in no cell
        return text(
            "Hand {hand}, {player}: {points}",
            hand=move.hand,
            player=before.player(move.seat),
            points=held.points,
        )

    def _said_corrected(self, state: State, move: Correct) -> Text:
        """Return what a correction says: the cells as they should have been."""
        cells = [
            text("{player} {points}", player=state.player(cell.seat), points=held.points if held else "–")
            for cell in move.cells
            for held in (self._rewritten(state, move.hand, cell),)
        ]
        if not cells:
            return text("Hand {hand} corrected", hand=move.hand)
        return text("Hand {hand} corrected: {cells}", hand=move.hand, cells=listing(cells))


def _ahead(leaders: list[str], totals: tuple[int, ...]) -> Text:
    if len(leaders) > 1:
        return text("{players} lead together.", players=listing(leaders))
    gap = sorted(totals)[1] - min(totals)
    return texts("{player} leads by {n} point.", "{player} leads by {n} points.", n=gap, player=leaders[0])
