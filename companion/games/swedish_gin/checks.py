"""What a row of the sheet cannot be: more than two packs have, or than hands hold (SGR-1, SGR-7, SGR-9)."""

from __future__ import annotations

from collections import Counter

from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import listing, text
from lastnose.companion.games.pieces.cards import PACK, RANKS, SUITS, Card, read_cards, shown
from lastnose.companion.games.sheet_game import HandScore, SheetState
from lastnose.companion.games.swedish_gin import contracts

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
    return min(dearest(left, 1), dearest(left, 1 + len(numbers)) - sum(numbers))


def dearest(cards: tuple[Card, ...], hands: int) -> int:
    """Return what the dearest of *cards* cost that so many *hands* can hold."""
    return sum(sorted(map(contracts.card_points, cards), reverse=True)[: hands * MOST_HELD])


def check_row(state: SheetState, hand: int) -> None:
    """Raise IllegalMove for a cell of *hand* that cannot be, or cells that cannot be together."""
    for seat, cell in state.played(hand):
        _check_cell(state.player(seat), cell, dearest(cards_left(state, hand), 1))
    _check_copies(state, hand)
    _check_numbers(state, hand)


def _given(state: SheetState, hand: int) -> Counter[Card]:
    return Counter(card for _, cell in state.played(hand) for card in read_cards(cell.pieces or ()))


def _numbers(state: SheetState, hand: int) -> list[int]:
    """Return the points of those whose cards are not known."""
    return [cell.points for _, cell in state.played(hand) if cell.pieces is None and cell.points]


def _check_cell(player: str, cell: HandScore, most: int) -> None:
    if cell.points % STEP:
        raise IllegalMove(
            "SGR-7",
            text("Every card costs a multiple of 5, and {points} is none.", points=cell.points),
        )
    if cell.pieces is not None and len(cell.pieces) > MOST_HELD:
        raise IllegalMove(
            "SGR-9",
            text(
                "{player} cannot hold {n} cards: with both buys it is {most}.",
                player=player,
                n=len(cell.pieces),
                most=MOST_HELD,
            ),
        )
    if cell.pieces is None and cell.points > most:
        raise IllegalMove(
            "SGR-7",
            text(
                "{points} points are more than the dearest {n} cards that are left: {most}.",
                points=cell.points,
                n=MOST_HELD,
                most=most,
            ),
        )


def _check_copies(state: SheetState, hand: int) -> None:
    for card, count in _given(state, hand).items():
        if count > PACKS:
            cells = state.played(hand)
            holders = [state.player(seat) for seat, cell in cells if str(card) in (cell.pieces or ())]
            raise IllegalMove(
                "SGR-1",
                text(
                    "{card} is there twice only, and {players} would hold {n}.",
                    card=shown(card),
                    players=listing(holders),
                    n=count,
                ),
            )


def _check_numbers(state: SheetState, hand: int) -> None:
    numbers = _numbers(state, hand)
    most = dearest(cards_left(state, hand), len(numbers))
    if sum(numbers) > most:
        raise IllegalMove(
            "SGR-1",
            text(
                "{points} points together are more than {hands} hands can hold of what is left: {most}.",
                points=sum(numbers),
                hands=len(numbers),
                most=most,
            ),
        )
