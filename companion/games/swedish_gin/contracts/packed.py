"""A hand as the solver holds it: counts of the naturals from 3 to ace in one integer, twos by suit beside it.

Two bits a card, eight a rank, from the 3 of spades up; so the lowest card is the lowest bit that is set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
from lastnose.companion.games.pieces.cards import SUITS, Card
from lastnose.companion.games.swedish_gin.contracts.melds import HIGHEST, LONGEST, LOWEST, PLACES, RANK_AT

# ---- the natural cards of a run, and how many wilds they accept: what the solver chooses runs from

# A run is decided by the places of its naturals. Holes between them must be filled with wilds; more wilds go
# to its ends as long as naturals outnumber them (SGR-4) and the suit has places.


class Core(NamedTuple):
    """The naturals of a run: a mask of their `places` (bit 2 for a natural two), their number and their span.

    `held` counts those from the 3 up, which `packed` are as cards of the first suit; `own` is 1 with the 2 of
    its suit in its own place, else 0. `most_wilds` is how many wilds it accepts.
    """

    places: int
    naturals: int
    span: int
    held: int
    packed: int
    own: int
    most_wilds: int

    @property
    def first(self) -> int:
        """The place of its first natural."""
        return (self.places & -self.places).bit_length() - 1

    def least_wilds(self, run_size: int) -> int:
        """Return how many wilds make it a run of at least *run_size*, or more than it accepts if none do."""
        return max(self.span, run_size) - self.naturals

    def holds(self, run_size: int) -> bool:
        """Return whether *run_size* places in a row, as they lie, are a run by themselves.

        A contract's run is legal at exactly its size before it grows: natural, wild, natural, wild, natural
        is a run of five and no run of four and one more.
        """
        window = (1 << run_size) - 1
        return self.span <= run_size or any(
            2 * (self.places >> place & window).bit_count() > run_size
            for place in range(self.first, self.first + self.span - run_size + 1)
        )


@lru_cache(maxsize=4096)
def cores(places: int, wilds: int, own_two: bool, longest: int = LONGEST) -> tuple[Core, ...]:
    """Return the cores that start with the lowest of *places*, those with most naturals first.

    *places*: a mask of where the suit has naturals from the 3 up. *wilds*: how many twos may fill holes; with
    *own_two* one of them is of the suit and may stand in its place. *longest*: how far a core may span.
    """
    start = (places & -places).bit_length() - 1
    found: list[Core] = []

    def grow(mask: int, naturals: int, first: int, last: int, wilds: int) -> None:
        found.append(core_of(mask))
        for place in range(last + 1, min(HIGHEST, first + longest - 1) + 1):
            if place - first - naturals > wilds:
                break
            if places >> place & 1:
                grow(mask | 1 << place, naturals + 1, first, place, wilds)

    grow(1 << start, 1, start, start, wilds)
    if own_two and start - LOWEST <= min(wilds, longest - 1):
        grow(1 << LOWEST | 1 << start, 2, LOWEST, start, wilds - 1)
    return tuple(sorted(found, key=lambda core: (-core.naturals, core.span)))


def core_of(places: int) -> Core:
    """Return the core whose naturals stand at *places* (a mask)."""
    first, last = (places & -places).bit_length() - 1, places.bit_length() - 1
    packed = sum(bit(place, 0) for place in range(3, last + 1) if places >> place & 1)
    own, naturals = places >> LOWEST & 1, places.bit_count()
    most_wilds = min(naturals - 1, LONGEST - naturals)
    return Core(places, naturals, last - first + 1, naturals - own, packed, own, most_wilds)


# ---- the hand

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
