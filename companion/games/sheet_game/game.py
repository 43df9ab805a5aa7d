"""The behaviour of every score sheet: write cells in any order, count, see who can still win, end.

Lowest total wins and equal is shared. A game says how its hands are called, how pieces are counted and what
cannot be (`hooks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
from lastnose.companion.core.decode import misfit
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.rules.carried import Circle
from lastnose.companion.games.rules.checks import CHANGED, check_options, check_players
from lastnose.companion.games.rules.game import Counted, MoveT, OptionsT, Outcome, Standing
from lastnose.companion.games.rules.prompts import CorrectHand, EnterScore, Prompt
from lastnose.companion.games.rules.sheet import Cell, Sheet, SheetRow
from lastnose.companion.games.sheet_game import latecomers
from lastnose.companion.games.sheet_game.hooks import AnySheetGame, SheetHooks
from lastnose.companion.games.sheet_game.state import (
    MOST_POINTS,
    CellCorrection,
    Correct,
    HandMark,
    HandScore,
    Score,
    SheetState,
    current,
    is_complete,
    sure,
    until,
    with_cell,
)

# ---- who leads, and who cannot win any more, whatever happens


@lru_cache(maxsize=8)  # standings, notes and sheet of one state ask for the same
def cannot_win(game: AnySheetGame, state: SheetState) -> tuple[int, ...]:
    """Return who cannot win any more, whatever happens: only where that is certain.

    Somebody else's worst is better than their best. Where points go down as well, nothing is certain.
    """
    hand = current(state)
    if hand is None or game.lowest_points < 0:
        return ()
    whole, hands = game.totals(state), range(hand, len(state.cells) + 1)
    later = (len(state.cells) - hand) * game.most_in_any_hand(state)
    least, most = game.least(state, hand), game.most(state, hand)
    seats = [
        (seat, whole[seat - 1], cell is None) for seat, cell in enumerate(state.cells[hand - 1], start=1)
    ]
    worst = {seat: points + later + most * writes for seat, points, writes in seats}
    best = {
        seat: points + least * writes + game.best_bonus(state, seat, hands) for seat, points, writes in seats
    }
    return tuple(seat for seat in best if any(worst[other] < best[seat] for other in worst if other != seat))


def lead(game: AnySheetGame, state: SheetState, hand: int) -> Text:
    """Return who leads after the complete hands; while *hand* is being written, who led before it."""
    found = game.totals(until(state, hand - 1))
    best = game.best(state, found)
    leaders = [state.player(seat) for seat in state.seats if found[seat - 1] == best]
    ahead = _ahead(leaders, sorted(abs(points - best) for points in found)[1])
    if any(state.cells[hand - 1]):
        return game.said.after(hand - 1, ahead)
    return ahead


def _ahead(leaders: list[str], gap: int) -> Text:
    if len(leaders) > 1:
        return text("{players} lead together.", players=listing(leaders))
    return texts("{player} leads by {n} point.", "{player} leads by {n} points.", n=gap, player=leaders[0])


# ---- the sheet as screens and printers draw it


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
    return text("still to play: {n}", n=len(state.cells) - played)


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
    missed = (latecomers.missed_note(state, cell),) if cell and cell.missed else ()
    said = (*missed, *game.cell_notes(state, hand, seat))
    if cell and cell.note:
        said = (*said, text("“{note}”", note=cell.note))
    return (*said, text("all the same: {why}", why=cell.anyway)) if cell and cell.anyway else said


def _marks(game: AnySheetGame, state: SheetState, hand: int) -> tuple[str, ...]:
    """Return what is marked of the whole *hand*."""
    known = (str(choice.value) for choice in game.hand_marks(state.options))
    return tuple(what for what in known if state.marks_of(what, hand))


# ---- a hand that was written wrong, as it should have been: several cells at once, and what is marked of it

LONGEST_REASON = 80


@cache
def worth_of_pieces(game: AnySheetGame, options: Any) -> dict[str, int]:
    """Return what each piece costs."""
    nobody = SheetState(players=(), options=options, cells=())
    return {piece: game.count(nobody, (piece,)).points for piece in game.pieces(options)}


def corrected(game: AnySheetGame, state: SheetState, move: Correct) -> SheetState:
    """Return the sheet with the cells and marks of a hand as they should have been."""
    check_place(game, state, move.hand, *(cell.seat for cell in move.cells))
    after = state
    for cell in move.cells:
        if state.cell(move.hand, cell.seat) is None:
            raise IllegalMove(game.once, CHANGED)
        after = with_cell(after, move.hand, cell.seat, _rewritten(game, state, move.hand, cell))
    if move.marks is not None:
        after = msgspec.structs.replace(after, marks=_marks_after(game, state, move.hand, move.marks))
    if move.hand <= len(state.dealt):
        after = latecomers.played_again(game, state, after, move)
    game.check(sure(after, move.hand), move.hand)
    return after


def check_place(game: AnySheetGame, state: SheetState, hand: int, *seats: int) -> None:
    """Raise IllegalMove for a cell that the sheet does not have."""
    for seat in seats:
        if seat not in state.seats:
            raise IllegalMove(game.once, english("There is no seat {seat} in this game.", seat=seat))
    if not 1 <= hand <= len(state.cells):
        raise IllegalMove(
            game.once, english("There are {n} hands, and no {hand}.", n=len(state.cells), hand=hand)
        )


def _rewritten(game: AnySheetGame, state: SheetState, hand: int, cell: CellCorrection) -> HandScore | None:
    """Return what a corrected cell says; raise IllegalMove for an empty one that later hands stand on."""
    if cell.points is not None or cell.pieces is not None:
        before = state.cell(hand, cell.seat)
        after = held_by(game, state, cell)
        if before is not None and before.missed:  # what is given for it, and no hand of theirs
            after = msgspec.structs.replace(after, missed=True, said=True)
        return after if after.note or before is None else msgspec.structs.replace(after, note=before.note)
    followed = hand <= len(state.dealt) or any(map(any, state.cells[hand:]))
    if followed or any(mark.hand > hand for mark in state.marks):
        raise IllegalMove(game.once, game.said.followed(hand))
    return None


def _marks_after(
    game: AnySheetGame, state: SheetState, hand: int, wanted: tuple[str, ...]
) -> tuple[HandMark, ...]:
    """Return all marks, those of the whole *hand* being the *wanted* ones."""
    known = [str(choice.value) for choice in game.hand_marks(state.options)]
    for what in wanted:
        if what not in known:
            raise IllegalMove(
                game.once, english("“{what}” cannot be said of a hand in this game.", what=what)
            )
    others = tuple(mark for mark in state.marks if mark.hand != hand or mark.what not in known)
    return others + tuple(
        mark
        for what in known
        if what in wanted
        for mark in state.marks_of(what, hand) or (game.mark_of(state, what, hand),)
    )


def held_by(game: AnySheetGame, state: SheetState, written: Score | CellCorrection) -> HandScore:
    """Return what is *written*, pieces counted; raise IllegalMove for less than nothing."""
    why = " ".join(written.anyway.split())[:LONGEST_REASON]
    if written.points is None:
        return msgspec.structs.replace(game.count(state, written.pieces or ()), anyway=why)
    if not game.lowest_points <= written.points <= MOST_POINTS:
        least, most = game.lowest_points, MOST_POINTS
        raise IllegalMove(game.once, text("Points go from {least} to {most}.", least=least, most=most))
    note = " ".join(written.note.split())[:LONGEST_REASON] if game.noted else ""
    return HandScore(written.points, anyway=why, note=note)


def correct_hand(game: AnySheetGame, state: SheetState) -> tuple[Prompt, ...]:
    """Ask what was written wrong, once something is written."""
    written = tuple(hand for hand, row in enumerate(state.cells, start=1) if any(row))
    if not written:
        return ()
    explain = text("The totals follow; the log keeps what was written before.")
    costs, marks = worth_of_pieces(game, state.options), game.hand_marks(state.options)
    return (
        CorrectHand(
            "correct",
            text("Correct an entry"),
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
        marks = game.hand_marks(state.options)
        cells = [mark.label for mark in marks if mark.value in (move.marks or ())]
    return game.said.corrected(move.hand, listing(cells) or "–")


# ---- the game


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
                english(
                    "{game} does not know this move: “score” needs hand, seat and points or pieces ({why}).",
                    game=self.title,
                    why=misfit(error),
                )
            ) from None
        wrong = isinstance(move, Score) and (move.points is None) == (move.pieces is None)
        if isinstance(move, Correct):
            wrong = any(None not in (cell.points, cell.pieces) for cell in move.cells)
        if wrong:
            raise BadInput(english("A score is either “points”, a number, or “pieces”, a list."))
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
            return corrected(self, state, move)
        hand = current(state)
        if hand is None:
            raise IllegalMove(self.once, text("The game is over."))
        if isinstance(move, Score):
            return self._scored(state, move, hand)
        mark = self.marked(state, move, hand)
        return msgspec.structs.replace(state, marks=(*state.marks, mark))

    def _scored(self, state: SheetState, move: Score, hand: int) -> SheetState:
        check_place(self, state, move.hand, move.seat)
        written = state.cell(move.hand, move.seat)
        if written is not None:
            raise IllegalMove(
                self.once,
                self.said.written_before(move.hand, state.player(move.seat), written.points),
            )
        if move.hand != hand:
            raise IllegalMove(self.once, self.said.comes_first(hand))
        after = with_cell(state, hand, move.seat, held_by(self, state, move))
        self.check(sure(after, hand), hand)
        return after

    def outcome(self, state: SheetState) -> Outcome | None:
        """Return who has the lowest total once every hand is complete; equal is shared."""
        if current(state) is not None:
            return None
        found = self.totals(state)
        winners = tuple(seat for seat in state.seats if found[seat - 1] == min(found))
        why = text("The best total: {points}.", points=min(found))
        return Outcome(winners=winners, losers=(), why=why)

    def cannot_win(self, state: SheetState) -> tuple[int, ...]:
        """Return who cannot win any more, whatever happens: only where that is certain."""
        return cannot_win(self, state)

    def standings(self, state: SheetState) -> tuple[Standing, ...]:
        """Return the totals."""
        return tuple(
            Standing(seat=seat, score=points, notes=latecomers.fewer(state, seat))
            for seat, points in enumerate(self.totals(state), start=1)
        )

    # ---- what is asked and shown

    def asks(self, state: SheetState) -> tuple[Prompt, ...]:
        """Return the cells of this hand that are still empty, and what else is asked of it."""
        hand = current(state)
        correct = correct_hand(self, state)
        if hand is None:
            return correct
        seats = tuple(seat for seat in state.seats if state.cell(hand, seat) is None)
        left = self.pieces_left(state, hand)
        worth = worth_of_pieces(self, state.options)
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
        return (ask, *self.own_asks(state, hand), *correct)

    def sheet(self, state: SheetState) -> Sheet:
        """Return the sheet to be drawn or printed."""
        return drawn(self, state)

    def notes(self, state: SheetState) -> tuple[Text, ...]:
        """Return who leads and by how much, and who cannot win any more."""
        hand, gone = current(state), latecomers.beside(state)
        if hand is None or hand == 1:
            return gone
        over = [state.player(seat) for seat in self.cannot_win(state)]
        hopeless = (text("{players} cannot win any more.", players=listing(over)),) if over else ()
        return (lead(self, state, hand), *hopeless, *gone)

    def describe(self, before: SheetState, move: Score | Correct | MoveT, after: SheetState) -> Text | None:
        """Return what history says of a cell, or of a correction."""
        if isinstance(move, Correct):
            return describe(self, before, move)
        if not isinstance(move, Score):
            return None
        held = held_by(self, before, move)  # an entry that was taken back is in no cell
        return self.said.written(move.hand, before.player(move.seat), held.points)
