"""A whole score sheet in one file: three baskets of berries, and whoever has the fewest at the end wins.

It is no game of ours, and only tests register it: page, OLED, log, tape, files, API and command line must
keep its sheet without knowing it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.pieces.cards import RANKS, Card, read_cards
from lastnose.companion.games.rules.game import Advice, OptionField
from lastnose.companion.games.rules.prompts import Choice, MarkHand, Prompt
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.state import Correct, HandMark, HandScore, Score, SheetState, current

BASKETS = (text("raspberries"), text("currants"), text("sloes"))
HEARTS = tuple(str(Card(rank, "H")) for rank in RANKS)
SOUR = "sour"


class Options(msgspec.Struct, frozen=True):
    """What an ace costs."""

    ace: int


class Sour(msgspec.Struct, frozen=True, tag=SOUR, tag_field="type"):
    """Everything in `hand` counts twice."""

    hand: int


class Berries(SheetGame):
    """The game."""

    name = "berries"
    title = text("Berries")
    summary = text("Three baskets. What you hold at the end counts; sour ones count twice.")
    seats = (2, 5)
    emblem = "M8 20a5 5 0 110-10 5 5 0 010 10zM16 15a4 4 0 110-8 4 4 0 010 8z"
    options_type = Options
    move_types = Score | Correct | Sour
    drawn = "cards"
    once = "BRY-1"

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the one option."""
        values = tuple(Choice(n, text("{n} points", n=n), text("For an ace.")) for n in (1, 11))
        return (OptionField("ace", "choice", text("Ace"), text("What it costs."), 1, values, rule="BRY-4"),)

    def hands(self, options: Options) -> int:
        """Return a hand a basket."""
        return len(BASKETS)

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return what is in the basket."""
        return BASKETS[hand - 1]

    def count(self, state: SheetState, pieces: tuple[str, ...]) -> HandScore:
        """Count hearts: 2 to 10 their number, J Q K ten, the ace as agreed."""
        cards = read_cards(pieces)
        for card in cards:
            if card.suit != "H" or cards.count(card) > 1:
                raise BadInput(text("{card} is no berry, or is there twice (BRY-2).", card=str(card)))
        return HandScore(sum(_cost(card, state.options) for card in cards), tuple(map(str, cards)))

    def pieces(self, options: Options) -> tuple[str, ...]:
        """Return the hearts."""
        return HEARTS

    def pieces_left(self, state: SheetState, hand: int) -> tuple[str, ...]:
        """Return the hearts that nobody has."""
        gone = {piece for cell in state.cells[hand - 1] if cell for piece in cell.pieces or ()}
        return tuple(name for name in HEARTS if name not in gone)

    def most(self, state: SheetState, hand: int) -> int:
        """Return what all that are left cost."""
        return self.count(state, self.pieces_left(state, hand)).points

    def most_in_any_hand(self, state: SheetState) -> int:
        """Return twice what all of them cost: they may be sour."""
        return 2 * self.count(state, HEARTS).points

    def check(self, state: SheetState, hand: int) -> None:
        """Refuse two who have nothing, and more than there is."""
        self.check_winner(state, hand)
        for cell in state.cells[hand - 1]:
            if cell and cell.pieces is None and cell.points > self.most(state, hand):
                raise IllegalMove("BRY-3", text("There are not so many berries: {n}.", n=cell.points))

    def marked(self, state: SheetState, move: Any, hand: int) -> HandMark:
        """Make a hand sour, once."""
        if not isinstance(move, Sour) or move.hand != hand or state.marked(SOUR, hand):
            raise IllegalMove("BRY-5", text("That basket is not to be had, or is sour already."))
        return HandMark(SOUR, hand)

    def bonus(self, state: SheetState, seat: int) -> int:
        """Return the second helping of sour hands."""
        sour = [hand for hand in range(1, len(state.cells) + 1) if state.marked(SOUR, hand)]
        return sum(cell.points for hand in sour if (cell := state.cell(hand, seat)))

    def own_asks(self, state: SheetState, hand: int) -> tuple[Prompt, ...]:
        """Ask whether they are sour."""
        if state.marked(SOUR, hand):
            return ()
        return (MarkHand(SOUR, text("Sour"), text("Everything counts twice."), hand),)

    def line_notes(self, state: SheetState, hand: int) -> tuple[Text, ...]:
        """Say so."""
        return (text("sour"),) if state.marked(SOUR, hand) else ()

    def describe(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says."""
        if isinstance(move, Sour):
            return text("Basket {hand} was sour", hand=move.hand)
        return super().describe(before, move, after)

    def advice(self, state: SheetState) -> Advice:
        """Return who deals the hearts."""
        hand = current(state)
        dealer = None if hand is None else state.dealer(hand)
        return Advice((text("Deal all hearts."),), packs=1, ranks=RANKS, cards=13, each=0, dealer=dealer)

    def dealt(self, players: int, options: Options) -> dict[str, Any]:
        """Return what the ace costs."""
        return {"ace": options.ace}


def _cost(card: Card, options: Options) -> int:
    if card.rank == "A":
        return options.ace
    return 10 if card.rank in "JQK" else int(card.rank)


GAME = Berries()
