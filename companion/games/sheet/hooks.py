"""What a score sheet must be told by its game, and what follows from the cells at once."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from companion.errors import IllegalMove
from companion.games.asks import Ask, Choice
from companion.games.game import OptionField
from companion.games.plain import Plain
from companion.games.sheet.state import Held, Mark, Score, State, totals
from companion.text import Text, listing, text


class SheetHooks(Plain):
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

    def dealer(self, state: State, hand: int) -> int | None:
        """Return who deals *hand*, None where nobody does."""
        return state.dealer(hand)

    def starter(self, state: State, hand: int) -> int | None:
        """Return who starts *hand*, None where that is seen at the table only."""
        return state.starter(hand)

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

    def totals(self, state: State) -> tuple[int, ...]:
        """Return everybody's total."""
        return tuple(points + self.bonus(state, seat) for seat, points in enumerate(totals(state), start=1))
