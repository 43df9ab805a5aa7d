"""A sheet for any other game: rounds, plus and minus points, lowest or highest wins, a limit, notes.

The game itself is not known here: nothing is counted but what is written.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.rules.carried import AVERAGE
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.game import OptionField, Outcome, Section
from lastnose.companion.games.rules.prompts import Choice, MarkHand, Prompt
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.hooks import SaidOfHands, SaidOfRounds
from lastnose.companion.games.sheet_game.latecomers import field as latecomers_field
from lastnose.companion.games.sheet_game.state import (
    MOST_POINTS,
    WHOLE_GAME,
    Correct,
    HandMark,
    Score,
    SheetState,
    current,
)

MOST_ROUNDS = 99
MOST_LIMIT = 100_000
ENDED = "last-round"


class Options(msgspec.Struct, frozen=True):
    """What a table has agreed on; 0 rounds or a limit of 0: none."""

    wins: str
    rounds: int
    limit: int
    latecomers: str = AVERAGE


class LastRound(msgspec.Struct, frozen=True, tag=ENDED, tag_field="type"):
    """The round before `hand` was the last one."""

    hand: int


class ScorePad(SheetGame[Options, LastRound]):
    name = "score-pad"
    title = text("Score pad")
    summary = text(
        "For any other game: points a round, plus or minus. The sheet adds up and keeps who leads."
    )
    seats = (2, 26)
    crowd: Text | None = text("2 players or more; here {most} at most", most=26)
    emblem = (
        "M3.5 2h14v7.5h-1.6V6H11.2v12H9.7V6H5.1v14.4h7V22H3.5zM6.5 8h2v1.6h-2zM6.5 11h2v1.6h-2z"
        "M12.5 8h2v1.6h-2zM20.6 9.3l2 2l-7.9 8l-2.7.7l.7-2.7z"
    )
    options_type = Options
    move_types = Score | LastRound
    drawn = "cards"
    once = "PAD-1"
    lowest_points = -MOST_POINTS
    noted = True
    said: ClassVar[SaidOfHands] = SaidOfRounds()
    explain = text(
        "After each round say what it brought to everybody, on any phone: plus or minus. Enter goes on to "
        "the next player."
    )

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return who wins, after how many rounds, at which limit."""
        return (
            OptionField(
                "wins",
                "choice",
                text("Who wins"),
                text("Equal totals share the place."),
                "highest",
                (
                    Choice("highest", text("The highest total"), text("The highest total wins.")),
                    Choice("lowest", text("The lowest total"), text("The lowest total wins.")),
                ),
                at_hand=True,
            ),
            OptionField(
                "rounds",
                "number",
                text("Rounds"),
                text("How many are played; 0 for as many as you like."),
                0,
                least=0,
                most=MOST_ROUNDS,
                at_hand=True,
            ),
            OptionField(
                "limit",
                "number",
                text("Limit"),
                text("The game ends with the round in which somebody reaches it; 0 for none."),
                0,
                least=0,
                most=MOST_LIMIT,
                at_hand=True,
            ),
            latecomers_field(),
        )

    def hands(self, options: Options) -> int:
        """Return the rounds that were agreed; without, one: the others are added as they come."""
        return options.rounds or 1

    # ---- the sheet

    def highest(self, state: SheetState) -> bool:
        """Return whether points are what one wants."""
        return bool(state.options.wins == "highest")

    def open_end(self, options: Options) -> bool:
        """Return whether nobody knows yet how many rounds it will be."""
        return not options.rounds

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return which round it is."""
        return text("Round {n}", n=hand)

    def asks_for(self, state: SheetState, hand: int) -> Text:
        """Return which round it is."""
        return self.line_title(state, hand)

    def dealer(self, state: SheetState, hand: int) -> None:
        """Return nobody: that is the table's business."""

    def starter(self, state: SheetState, hand: int) -> None:
        """Return nobody: that is the table's business."""

    def least(self, state: SheetState, hand: int) -> int:
        """Return the least that can be written."""
        return -MOST_POINTS

    def check(self, state: SheetState, hand: int) -> None:
        """Take whatever is written."""

    # ---- play

    def play(self, state: SheetState, move: Verdict | Score | Correct | LastRound) -> SheetState:
        """Return the sheet after *move*, with an empty round below while the game goes on."""
        if isinstance(move, LastRound):
            return self._ended(state, move)
        return self._with_room(super().play(state, move))

    def _ended(self, state: SheetState, move: LastRound) -> SheetState:
        hand = current(state)
        if hand != move.hand or hand == 1 or any(state.cells[hand - 1]):
            raise IllegalMove(self.once, CHANGED)
        cells = state.cells[: hand - 1]
        return msgspec.structs.replace(state, cells=cells, marks=(*state.marks, HandMark(ENDED, WHOLE_GAME)))

    def _with_room(self, state: SheetState) -> SheetState:
        """Return *state* with as many empty rounds below as there are to come."""
        written = [row for row in state.cells if any(row)]
        open_row = bool(written) and None in written[-1]
        marked = any(mark.what == ENDED for mark in state.marks)
        done = msgspec.structs.replace(state, cells=tuple(written))
        if not open_row and (marked or self._reached(done)):
            return done
        wanted = state.options.rounds or len(written) + (not open_row)
        empty = (None,) * len(state.players)
        return msgspec.structs.replace(done, cells=(*written, *(empty,) * (wanted - len(written))))

    def _reached(self, state: SheetState) -> bool:
        limit: int = state.options.limit
        return limit > 0 and any(points >= limit for points in self.totals(state))

    def outcome(self, state: SheetState) -> Outcome | None:
        """Return who has the best total once the game is over; equal is shared."""
        if current(state) is not None:
            return None
        found = self.totals(state)
        best = self.best(state, found)
        winners = tuple(seat for seat in state.seats if found[seat - 1] == best)
        return Outcome(winners=winners, losers=(), why=text("The best total: {points}.", points=best))

    def own_asks(self, state: SheetState, hand: int) -> tuple[Prompt, ...]:
        """Ask between two rounds whether that was the last one."""
        if hand == 1 or any(state.cells[hand - 1]):
            return ()
        return (MarkHand(ENDED, text("That was the last round"), _wins(state.options), hand),)

    def describe(
        self, before: SheetState, move: Score | Correct | LastRound, after: SheetState
    ) -> Text | None:
        """Return what history says."""
        if isinstance(move, LastRound):
            return text("That was the last round")
        return super().describe(before, move, after)

    # ---- around the table

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return how the sheet is kept."""
        ends = [text("It is over when you say so, between two rounds.")]
        if options.rounds:
            ends.append(
                texts("It is over after {n} round.", "It is over after {n} rounds.", n=options.rounds)
            )
        if options.limit:
            ends.append(
                texts(
                    "It is over with the round in which somebody reaches {n} point.",
                    "It is over with the round in which somebody reaches {n} points.",
                    n=options.limit,
                )
            )
        keeping = (
            self.explain,
            text("A note may stand beside the points: a bid, a bonus, a bet. Mistakes can be corrected."),
        )
        return (
            Section(text("How to play"), keeping),
            Section(text("Who wins"), (_wins(options), text("Equal totals share the place."), *ends)),
        )


def _wins(options: Options) -> Text:
    return text("The highest total wins.") if options.wins == "highest" else text("The lowest total wins.")


GAME = ScorePad()
