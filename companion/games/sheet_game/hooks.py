"""What a score sheet must be told by its game, and what follows from the cells at once."""

from __future__ import annotations

from types import UnionType
from typing import Any, ClassVar, Literal

from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.game import MoveT, OptionField, OptionsT
from lastnose.companion.games.rules.prompts import Choice, Prompt
from lastnose.companion.games.sheet_game.state import (
    MOST_POINTS,
    Correct,
    HandMark,
    HandScore,
    Score,
    SheetState,
    totals,
)

# ---- what a sheet says of a hand, in the words of its game: some count rounds instead

COMINGS = text(
    "A latecomer starts with what this table gives latecomers. Anyone who comes back has "
    "what they had, and the same for what they missed. Anyone who leaves keeps their points, "
    "and is not ranked. The next dealer stays the same, or is the player to their left if "
    "they leave."
)


class SaidOfHands:
    def line(self, hand: int) -> Text:
        """Return what *hand* is called, to begin a sentence with."""
        return text("Hand {n}", n=hand)

    def after(self, hand: int, lead: Text | str) -> Text:
        """Return who led after *hand*."""
        return text("{what}: {says}", what=self.line(hand), says=lead)

    def written(self, hand: int, player: str, points: int) -> Text:
        return text("{line}, {player}: {points}", line=self.line(hand), player=player, points=points)

    def written_before(self, hand: int, player: str, points: int) -> Text:
        """Return why nothing more is written of *player* in *hand*."""
        return text(
            "{line}: {player} has {points} already. Correct that entry.",
            line=self.line(hand),
            player=player,
            points=points,
        )

    def comes_first(self, hand: int) -> Text:
        """Return that *hand* is still to be completed."""
        return text("{line} comes first: it is not complete.", line=self.line(hand))

    def followed(self, hand: int) -> Text:
        """Return why *hand* cannot be emptied."""
        return text("{line} is followed by others: say what it should have been.", line=self.line(hand))

    def corrected(self, hand: int, cells: Text | str) -> Text:
        return text("{line} corrected: {cells}", line=self.line(hand), cells=cells)

    def half_written(self, hand: int) -> Text:
        """Return why nobody can come or go now."""
        return text("{line} is half written: complete it, then people can come and go.", line=self.line(hand))


class SaidOfRounds(SaidOfHands):
    def line(self, hand: int) -> Text:
        return text("Round {n}", n=hand)


# ---- what a game may say otherwise


class SheetHooks(Plain[OptionsT, SheetState, Score | Correct | MoveT]):
    """A base for score-sheet games: fill in what is abstract, and say differently what is different.

    `MoveT` are the moves that a game has besides those of every sheet.
    """

    name: str
    title: Text
    seats: tuple[int, int]
    move_types: type | UnionType = Score
    options_type: type[OptionsT]
    drawn: Literal["tiles", "cards"]
    step: int = 1
    copies: int = 1
    watched = False
    lowest_points: ClassVar[int] = 0
    said: ClassVar[SaidOfHands] = SaidOfHands()
    noted: ClassVar[bool] = False  # whether a few words may stand beside points
    explain: ClassVar[Text] = text(
        "What everybody has left: tap it, or say the number. Whoever went out has 0."
    )
    comings: Text | None = COMINGS
    once: ClassVar[str]  # the rule that a hand is written once, and has one winner

    def option_fields(self) -> tuple[OptionField, ...]:
        raise NotImplementedError

    def hands(self, options: OptionsT) -> int:
        """Return how many hands the game has."""
        raise NotImplementedError

    def open_end(self, options: OptionsT) -> bool:
        """Return whether nobody knows yet how many hands it will be."""
        return False

    def best(self, state: SheetState, found: tuple[int, ...]) -> int:
        """Return the best of the totals *found*."""
        return max(found) if self.highest(state) else min(found)

    def asks_for(self, state: SheetState, hand: int) -> Text:
        """Return what is written now, for the largest type."""
        return text("Hand {hand}: {title}", hand=hand, title=self.line_title(state, hand))

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return what *hand* is about."""
        raise NotImplementedError

    def picture(self, state: SheetState, hand: int) -> str:
        """Return what stands for *hand* (see `Line.picture`), or nothing."""
        return ""

    def count(self, state: SheetState, pieces: tuple[str, ...]) -> HandScore:
        """Return what *pieces* cost; raise BadInput for one that cannot be, as all where only points are."""
        raise BadInput(english("This sheet does not know what pieces cost: say the points."))

    def pieces(self, options: OptionsT) -> tuple[str, ...]:
        """Return every piece there is, once; each is there `copies` times. None: only points are said."""
        return ()

    def pieces_left(self, state: SheetState, hand: int) -> tuple[str, ...]:
        """Return the pieces that nobody has been given in *hand*."""
        return ()

    def least(self, state: SheetState, hand: int) -> int:
        """Return the fewest points that whoever is not written yet can have left in *hand*."""
        return self.step if self.went_out(state, hand) else 0

    def most(self, state: SheetState, hand: int) -> int:
        """Return the most points that one player can have left in *hand*."""
        return MOST_POINTS

    def most_in_any_hand(self, state: SheetState) -> int:
        """Return the most points that one player can ever have left."""
        return MOST_POINTS

    def check(self, state: SheetState, hand: int) -> None:
        """Raise IllegalMove when what is written of *hand* cannot be; *state* has the newest cell in it."""
        self.check_winner(state, hand)

    def bonus(self, state: SheetState, seat: int) -> int:
        """Return what marks add to the total of *seat*."""
        return 0

    def best_bonus(self, state: SheetState, seat: int, hands: range) -> int:
        """Return the least that marks can still add for *seat* in *hands*."""
        return 0

    def marked(self, state: SheetState, move: Verdict | MoveT, hand: int) -> HandMark:
        """Return the mark that *move* of the game's own makes in *hand*; raise IllegalMove."""
        raise IllegalMove(self.once, english("In this game points decide, not noses."))

    def hand_marks(self, options: OptionsT) -> tuple[Choice, ...]:
        """Return what a correction may say of a whole hand."""
        return ()

    def mark_of(self, state: SheetState, what: str, hand: int) -> HandMark:
        """Return what a correction marks that says *what* of *hand*, or raise IllegalMove."""
        return HandMark(what, hand)

    def own_asks(self, state: SheetState, hand: int) -> tuple[Prompt, ...]:
        """Return what else is asked of *hand*."""
        return ()

    def cell_notes(self, state: SheetState, hand: int, seat: int) -> tuple[Text, ...]:
        """Return what else happened to *seat* in *hand*."""
        return ()

    def line_hint(self, state: SheetState, hand: int) -> Text | None:
        """Return what is to be known of *hand* before it is played."""
        return None

    def line_notes(self, state: SheetState, hand: int) -> tuple[Text, ...]:
        """Return what else happened in *hand*."""
        return ()

    def dealer(self, state: SheetState, hand: int) -> int | None:
        """Return who deals *hand*, None where nobody does who is here."""
        return state.dealer(hand) or None

    def starter(self, state: SheetState, hand: int) -> int | None:
        """Return who starts *hand*, None where that is seen at the table only, or they have left."""
        return state.starter(hand) or None

    def check_winner(self, state: SheetState, hand: int) -> None:
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

    def went_out(self, state: SheetState, hand: int) -> tuple[int, ...]:
        """Return who has 0 in *hand*."""
        return tuple(seat for seat, cell in state.played(hand) if cell.points == 0)

    def totals(self, state: SheetState) -> tuple[int, ...]:
        """Return everybody's total."""
        return tuple(points + self.bonus(state, seat) for seat, points in enumerate(totals(state), start=1))


AnySheetGame = SheetHooks[Any, Any]
