"""A hand as the solver holds it: counts of the naturals from 3 to ace in one integer, twos by suit beside it.

Two bits a card, eight a rank, from the 3 of spades up; so the lowest card is the lowest bit that is set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from companion.games.pieces.cards import SUITS, Card
from companion.games.swedish_gin.contracts.melds import HIGHEST, LOWEST, PLACES, RANK_AT

_ONES = int("01" * 48, 2)
_RANK = 0xFF


class PackedHand(msgspec.Struct, frozen=True):
    """The naturals, packed, and how many twos there are of each suit."""

    naturals: int
    twos: tuple[int, int, int, int]

    @property
    def wilds(self) -> int:
        """How many twos there are."""
        return sum(self.twos)

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return size(self.naturals) + self.wilds


def pack(cards: Iterable[Card]) -> PackedHand:
    """Return *cards* packed."""
    naturals, twos = 0, Counter[int]()
    for card in cards:
        suit, place = SUITS.index(card.suit), PLACES[card.rank]
        if place == LOWEST:
            twos[suit] += 1
        else:
            naturals += bit(place, suit)
    return PackedHand(naturals, (twos[0], twos[1], twos[2], twos[3]))


def bit(place: int, suit: int) -> int:
    """Return one card of the rank at *place* (3 to 14), packed."""
    return 1 << (8 * (place - 3) + 2 * suit)


def size(naturals: int) -> int:
    """Return how many cards *naturals* are."""
    return (naturals & _ONES).bit_count() + 2 * (naturals >> 1 & _ONES).bit_count()


def at_rank(naturals: int, place: int) -> int:
    """Return the eight bits of the rank at *place*."""
    return naturals >> 8 * (place - 3) & _RANK


def next_place(naturals: int) -> int:
    """Return the place of the lowest card, one above the ace when there is none."""
    return ((naturals & -naturals).bit_length() - 1) // 8 + 3 if naturals else HIGHEST + 1


def places_of(naturals: int, suit: int) -> int:
    """Return a mask of the places at which *suit* has a card: bit 3 for the 3, bit 14 for the ace."""
    mask = 0
    for place, eight in enumerate(naturals.to_bytes(12, "little"), 3):
        if eight >> 2 * suit & 3:
            mask |= 1 << place
    return mask


def cards_at(eight: int, place: int) -> Iterator[Card]:
    """Yield the cards that the *eight* bits of a rank stand for."""
    for suit, letter in enumerate(SUITS):
        yield from [Card(RANK_AT[place], letter)] * (eight >> 2 * suit & 3)


def unpack(naturals: int) -> Iterator[Card]:
    """Yield the cards that *naturals* stand for, the lowest first."""
    for place in range(3, HIGHEST + 1):
        yield from cards_at(at_rank(naturals, place), place)
