"""What a row of the sheet cannot be: more than two packs have, or than hands hold (SGR-1, SGR-7, SGR-9)."""

from __future__ import annotations

from collections import Counter

from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.pieces.cards import PACK, RANKS, SUITS, Card, read_cards
from lastnose.companion.games.sheet_game.state import HandScore, SheetState
from lastnose.companion.games.swedish_gin.contracts import melds

PACKS = 2
EACH = 11
TOKENS = 2
MOST_HELD = EACH + 2 * TOKENS  # between turns, with both buys (SGR-9)
STEP = 5
ONE_PACK = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
CARDS = PACKS * PACK


def cards_left(state: SheetState, hand: int) -> tuple[Card, ...]:
    """Return the cards of two packs that nobody has been given in *hand*."""
    left = Counter(ONE_PACK * PACKS) - _given(state, hand)
    return tuple(card for card in ONE_PACK for _ in range(left[card]))


def most_points(state: SheetState, hand: int) -> int:
    """Return the most that one more player can have left in *hand* (SGR-7, SGR-9)."""
    left, numbers = cards_left(state, hand), _numbers(state, hand)
    return min(dearest(left, 1 + some) - sum(numbers[:some]) for some in range(len(numbers) + 1))


def dearest(cards: tuple[Card, ...], hands: int) -> int:
    """Return what the dearest of *cards* cost that so many *hands* can hold."""
    return sum(sorted(map(melds.card_points, cards), reverse=True)[: hands * MOST_HELD])


def check_row(state: SheetState, hand: int) -> None:
    """Raise IllegalMove for a cell of *hand* that cannot be, or cells that cannot be together."""
    for _, cell in state.played(hand):
        _check_cell(cell, dearest(cards_left(state, hand), 1))
    _check_copies(state, hand)
    _check_numbers(state, hand)


def _given(state: SheetState, hand: int) -> Counter[Card]:
    return Counter(card for _, cell in state.played(hand) for card in read_cards(cell.pieces or ()))


def _numbers(state: SheetState, hand: int) -> list[int]:
    """Return the points of those whose cards are not known, the most first."""
    points = [cell.points for _, cell in state.played(hand) if cell.pieces is None and cell.points]
    return sorted(points, reverse=True)


def _check_cell(cell: HandScore, most: int) -> None:
    if cell.points % STEP:
        raise IllegalMove(
            "SGR-7",
            text("Every card costs a multiple of 5, and {points} is none.", points=cell.points),
        )
    if cell.pieces is not None and len(cell.pieces) > MOST_HELD:
        raise IllegalMove(
            "SGR-9",
            melds.too_many(len(cell.pieces), MOST_HELD),
        )
    if cell.pieces is None and cell.points > most:
        raise IllegalMove(
            "SGR-7",
            _too_dear(cell.points, most),
        )


def _check_copies(state: SheetState, hand: int) -> None:
    for card, count in _given(state, hand).items():
        if count > PACKS:
            raise IllegalMove("SGR-1", melds.too_often(card, count))


def _check_numbers(state: SheetState, hand: int) -> None:
    left, numbers = cards_left(state, hand), _numbers(state, hand)
    for some in range(1, len(numbers) + 1):
        whole, most = sum(numbers[:some]), dearest(left, some)
        if whole > most:
            raise IllegalMove("SGR-1", _too_dear(whole, most))


def _too_dear(points: int, most: int) -> Text:
    return text("{points} points are too many: what is left makes {most} at most.", points=points, most=most)
