"""A score sheet as it stands: who had what left at the end of which hand. Hands and seats count from 1."""

from __future__ import annotations

from typing import Any

import msgspec

MOST_POINTS = 9999  # of one hand, also of one that cannot be
WHOLE_GAME = 0  # the hand of a mark that is none of a hand


class HandScore(msgspec.Struct, frozen=True):
    """What somebody had left: points, and the pieces counted, None when only a number is known.

    `anyway`: why it was written although the rules say that it cannot be. `note`: a few words beside it.
    `missed`: they were not there; the points are what the table gives them for it, or with `said` what
    people wrote in its place.
    """

    points: int
    pieces: tuple[str, ...] | None = None
    anyway: str = ""
    note: str = ""
    missed: bool = False
    said: bool = False


class Leaver(msgspec.Struct, frozen=True):
    """Somebody who has left with so many `points`, and what they had in each hand (None: not there)."""

    name: str
    points: int
    cells: tuple[HandScore | None, ...]


class HandMark(msgspec.Struct, frozen=True):
    """Something else that happened in a hand: to the whole table (`seat` 0), or to who sits in a seat now.

    What is marked of the whole game stands in hand 0.
    """

    what: str
    hand: int
    seat: int = 0


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="type", omit_defaults=True):
    """The player of `seat` has so many `points` left at the end of `hand`, or these `pieces`.

    With `anyway`, a reason, it is written although it cannot be: the table knows better than the sheet.
    `note`: a few words to stand beside it, in games that take them.
    """

    hand: int
    seat: int
    points: int | None = None
    pieces: tuple[str, ...] | None = None
    anyway: str = ""
    note: str = ""


class CellCorrection(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a cell should have said: the player of `seat` had so many `points` left, or these `pieces`.

    With neither, nothing: it is empty again. `anyway` and `note` are as for Score; without, a note stays.
    """

    seat: int
    points: int | None = None
    pieces: tuple[str, ...] | None = None
    anyway: str = ""
    note: str = ""


class Correct(msgspec.Struct, frozen=True, tag="correct", tag_field="type", omit_defaults=True):
    """What is written of `hand` was wrong: these `cells` at once; others stay.

    `marks` is all that is marked of the whole hand; None: that stays, too.
    """

    hand: int
    cells: tuple[CellCorrection, ...] = ()
    marks: tuple[str, ...] | None = None


class SheetState(msgspec.Struct, frozen=True):
    """A sheet: `cells[h][s]` is what seat s + 1 had left in hand h + 1.

    `first` dealt the first hand; 0 while nobody has said who, and then it is seat 1. Where somebody came or
    went, it deals the first hand since; `dealt` says who dealt those before (0: somebody who left), and
    `left` are who sat there then and do no longer. `earlier` is the sheet before each coming and going:
    what latecomers begin with is worked out again when a hand of then is corrected.
    """

    players: tuple[str, ...]
    options: Any
    cells: tuple[tuple[HandScore | None, ...], ...]
    marks: tuple[HandMark, ...] = ()
    first: int = 0
    dealt: tuple[int, ...] = ()
    left: tuple[Leaver, ...] = ()
    earlier: tuple[Stretch, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.players) + 1))

    @property
    def begun(self) -> bool:
        """Whether anything has been written."""
        return bool(self.marks) or any(cell for row in self.cells for cell in row)

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*; behind the seats come those who left."""
        beyond = seat - len(self.players)
        return self.left[beyond - 1].name if beyond > 0 else self.players[seat - 1]

    def played(self, hand: int) -> tuple[tuple[int, HandScore], ...]:
        """Return what is written of those who played *hand*, by their seats; behind those who left since."""
        here = enumerate(self.cells[hand - 1], start=1)
        gone = enumerate((one.cells[hand - 1] for one in self.left), start=len(self.players) + 1)
        found = [(seat, cell) for seat, cell in here if cell is not None and not cell.missed]
        found += [(seat, cell) for seat, cell in gone if cell and not cell.missed and not cell.anyway]
        return tuple(found)

    def sitting(self, hand: int) -> int:
        """Return how many play *hand*, or did."""
        open_cells = sum(cell is None for cell in self.cells[hand - 1])
        return (
            open_cells
            + len(self.played(hand))
            + sum(bool(cell and cell.anyway) for one in self.left for cell in (one.cells[hand - 1],))
        )

    def cell(self, hand: int, seat: int) -> HandScore | None:
        """Return what *seat* had left in *hand*, None when that is not written yet."""
        return self.cells[hand - 1][seat - 1]

    def marked(self, what: str, hand: int, seat: int = 0) -> int:
        """Return how often *what* is marked in *hand*."""
        return self.marks.count(HandMark(what, hand, seat))

    def marks_of(self, what: str, hand: int) -> tuple[HandMark, ...]:
        """Return where *what* is marked in *hand*, of the whole table or of any seat."""
        return tuple(mark for mark in self.marks if (mark.what, mark.hand) == (what, hand))

    def dealer(self, hand: int) -> int:
        """Return who deals *hand*, or did: the deal passes left; 0 for somebody who left."""
        if hand <= len(self.dealt):
            return self.dealt[hand - 1]
        return (max(self.first, 1) + hand - len(self.dealt) - 2) % len(self.players) + 1

    def starter(self, hand: int) -> int:
        """Return who starts *hand*, or did: the seat to the dealer's left; 0 for somebody who left."""
        return 0 if hand == len(self.dealt) else self.dealer(hand + 1)


Places = tuple[tuple[int, int] | None, ...]


class Stretch(msgspec.Struct, frozen=True):
    """A sheet up to when somebody came or went, without what was `earlier`.

    `sat`: by the seats since then, in which stretch (from 0) that person sat last, and where; None: in none.
    """

    state: SheetState
    sat: Places


def is_complete(state: SheetState, hand: int) -> bool:
    """Return whether everybody has a score in *hand*."""
    return None not in state.cells[hand - 1]


def current(state: SheetState) -> int | None:
    """Return the hand that is being played or written, None when all are complete."""
    return next((hand for hand, row in enumerate(state.cells, start=1) if None in row), None)


def with_cell(state: SheetState, hand: int, seat: int, held: HandScore | None) -> SheetState:
    """Return *state* with the cell of *seat* in *hand* filled, or emptied."""
    row = list(state.cells[hand - 1])
    row[seat - 1] = held
    cells = (*state.cells[: hand - 1], tuple(row), *state.cells[hand:])
    return msgspec.structs.replace(state, cells=cells)


def doubtful(state: SheetState, hand: int) -> bool:
    """Return whether anything in *hand* was written although it cannot be."""
    return any(cell is not None and cell.anyway for cell in state.cells[hand - 1])


def sure(state: SheetState, hand: int) -> SheetState:
    """Return *state* without what was written in *hand* although it cannot be."""
    cells = state.cells[hand - 1]
    for seat, cell in enumerate(cells, start=1):
        if cell is not None and cell.anyway:
            state = with_cell(state, hand, seat, None)
    return state


def totals(state: SheetState, upto: int | None = None) -> tuple[int, ...]:
    """Return the points of every seat in the first *upto* hands, or in all, without what marks bring."""
    rows = state.cells[:upto]
    columns = zip(*rows, strict=True) if rows else ((),) * len(state.players)
    return tuple(sum(cell.points for cell in column if cell is not None) for column in columns)


def until(state: SheetState, hands: int) -> SheetState:
    """Return the sheet as it was after so many *hands*."""
    marks = tuple(mark for mark in state.marks if mark.hand <= hands)
    return msgspec.structs.replace(state, cells=state.cells[:hands], marks=marks)
