"""A score sheet as it stands: who had what left at the end of which hand. Hands and seats count from 1."""

from __future__ import annotations

from typing import Any

import msgspec


class Held(msgspec.Struct, frozen=True):
    """What somebody had left: points, and the pieces counted, None when only a number is known."""

    points: int
    pieces: tuple[str, ...] | None = None


class Mark(msgspec.Struct, frozen=True):
    """Something else that happened in a hand: to the whole table (`seat` 0) or to one seat."""

    what: str
    hand: int
    seat: int = 0


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="type", omit_defaults=True):
    """The player of `seat` has so many `points` left at the end of `hand`, or these `pieces`."""

    hand: int
    seat: int
    points: int | None = None
    pieces: tuple[str, ...] | None = None


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a cell should have said: the player of `seat` had so many `points` left, or these `pieces`.

    With neither, nothing: it is empty again.
    """

    seat: int
    points: int | None = None
    pieces: tuple[str, ...] | None = None


class Correct(msgspec.Struct, frozen=True, tag="correct", tag_field="type", omit_defaults=True):
    """What is written of `hand` was wrong: these `cells` at once; others stay.

    `marks` is all that is marked of the whole hand; None: that stays, too.
    """

    hand: int
    cells: tuple[Written, ...] = ()
    marks: tuple[str, ...] | None = None


class State(msgspec.Struct, frozen=True):
    """A sheet: `cells[h][s]` is what seat s + 1 had left in hand h + 1.

    `first` dealt the first hand; 0 while nobody has said who, and then it is seat 1.
    """

    players: tuple[str, ...]
    options: Any
    cells: tuple[tuple[Held | None, ...], ...]
    marks: tuple[Mark, ...] = ()
    first: int = 0

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat."""
        return tuple(range(1, len(self.players) + 1))

    @property
    def begun(self) -> bool:
        """Whether anything has been written."""
        return bool(self.marks) or any(cell for row in self.cells for cell in row)

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*."""
        return self.players[seat - 1]

    def cell(self, hand: int, seat: int) -> Held | None:
        """Return what *seat* had left in *hand*, None when that is not written yet."""
        return self.cells[hand - 1][seat - 1]

    def marked(self, what: str, hand: int, seat: int = 0) -> int:
        """Return how often *what* is marked in *hand*."""
        return self.marks.count(Mark(what, hand, seat))

    def dealer(self, hand: int) -> int:
        """Return who deals *hand*: the deal passes left."""
        return (max(self.first, 1) + hand - 2) % len(self.players) + 1

    def starter(self, hand: int) -> int:
        """Return who starts *hand*: the seat to the dealer's left."""
        return self.dealer(hand + 1)


def is_complete(state: State, hand: int) -> bool:
    """Return whether everybody has a score in *hand*."""
    return all(cell is not None for cell in state.cells[hand - 1])


def current(state: State) -> int | None:
    """Return the hand that is being played or written, None when all are complete."""
    return next((hand for hand in range(1, len(state.cells) + 1) if not is_complete(state, hand)), None)


def dealt(state: State, hand: int, seat: int, held: Held | None) -> State:
    """Return *state* with the cell of *seat* in *hand* filled, or emptied."""
    row = list(state.cells[hand - 1])
    row[seat - 1] = held
    cells = (*state.cells[: hand - 1], tuple(row), *state.cells[hand:])
    return msgspec.structs.replace(state, cells=cells)


def totals(state: State, upto: int | None = None) -> tuple[int, ...]:
    """Return the points of every seat in the first *upto* hands, or in all, without what marks bring."""
    rows = state.cells[:upto]
    columns = zip(*rows, strict=True) if rows else ((),) * len(state.players)
    return tuple(sum(cell.points for cell in column if cell is not None) for column in columns)


def until(state: State, hands: int) -> State:
    """Return the sheet as it was after so many *hands*."""
    marks = tuple(mark for mark in state.marks if mark.hand <= hands)
    return msgspec.structs.replace(state, cells=state.cells[:hands], marks=marks)
