"""Contracts, melds and what cards are worth in Swedish Gin Rummy: the words that its solver speaks.

Rulings where the rules leave room: a 2 is natural in a run only in its own suit, below the 3; the ace follows
the king and nothing else; equal cards may share a set, never a run (SGR-3, SGR-4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.games.pieces.cards import SUITS, Card, shown

MOST_CARDS = 18  # 15 with both buys and one drawn are 16 (SGR-9); a table with a third buy finds help too
COPIES = 2  # of every card, in two packs (SGR-1)
TWOS = COPIES * len(SUITS)
# A card's place in a run: the 2 at 2, the ace at 14.
PLACES = {**{str(number): number for number in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
RANK_AT = {place: rank for rank, place in PLACES.items()}
LOWEST, HIGHEST = 2, 14
LONGEST = HIGHEST - LOWEST + 1

Kind = Literal["set", "run", "pair"]


class Contract(msgspec.Struct, frozen=True):
    """What must be laid at once (SGR-2): so many sets of one size, runs of one size, and perhaps a pair.

    `rest`: the run is the whole rest of the hand and there is no discard (hand 15); `run_size` is then its
    least.
    """

    number: int
    sets: int = 0
    set_size: int = 3
    runs: int = 0
    run_size: int = 3
    pair: bool = False
    rest: bool = False

    @property
    def cards(self) -> int:
        """How many cards the contract takes."""
        return self.sets * self.set_size + self.runs * self.run_size + 2 * self.pair

    @property
    def picture(self) -> str:
        """How it looks: "=3" a set of three, "/4" a run of four, "/*" a run of all the rest, "=2" a pair."""
        runs = "/*" if self.rest else f"/{self.run_size}"
        groups = [f"={self.set_size}"] * self.sets + [runs] * self.runs
        return " ".join([*groups, "=2"] if self.pair else groups)

    @property
    def buys(self) -> int:
        """How many purchases it takes at least: the asterisks of SGR-2."""
        return max(0, -(-(self.least - 12) // 2))

    @property
    def least(self) -> int:
        """How many cards it takes at least, the compulsory discard among them (SGR-6)."""
        return self.cards + (not self.rest)


CONTRACTS = {
    contract.number: contract
    for contract in (
        Contract(1, sets=2, set_size=3),
        Contract(2, sets=1, set_size=3, runs=1, run_size=4),
        Contract(3, sets=2, set_size=4),
        Contract(4, runs=2, run_size=4),
        Contract(5, sets=2, set_size=3, runs=1, run_size=5),
        Contract(6, sets=1, set_size=4, runs=1, run_size=5),
        Contract(7, sets=2, set_size=5),
        Contract(8, runs=2, run_size=5),
        Contract(9, sets=4, set_size=3),
        Contract(10, runs=3, run_size=4),
        Contract(11, sets=3, set_size=4),
        Contract(12, runs=5, run_size=3),
        Contract(13, sets=5, set_size=3),
        Contract(14, sets=1, set_size=5, runs=1, run_size=5, pair=True),
        Contract(15, sets=2, set_size=3, runs=1, run_size=3, rest=True),
    )
}


class Meld(msgspec.Struct, frozen=True):
    """Cards that lie, or would lie, together.

    A run's cards are in order, its first in the place of rank `first` (empty for sets and pairs). `wilds` are
    the indices of the cards that are wild. `missing`: how many cards it still wants.
    """

    kind: Kind
    cards: tuple[Card, ...]
    wilds: tuple[int, ...] = ()
    first: str = ""
    missing: int = 0


def rank_above(first: str, steps: int) -> str:
    """Return the rank that is so many *steps* above *first* in a run.

    >>> rank_above("10", 4)
    'A'
    """
    return RANK_AT[PLACES[first] + steps]


def get_contract(number: int) -> Contract:
    """Return the contract of hand *number*; raise BadInput when there is none (SGR-2)."""
    try:
        return CONTRACTS[number]
    except KeyError:
        raise BadInput(
            english("There is no contract {number}: the hands go from 1 to 15.", number=number)
        ) from None


def in_turn(held: int) -> int | None:
    """Return how many cards a hand of *held* has in its turn; None if it cannot have so many (SGR-6).

    >>> [in_turn(held) for held in (10, 11, 12, 15, 16, 17)]
    [None, 12, 12, 16, 16, None]
    """
    return held + held % 2 if held in range(11, 17) else None


def contract_name(contract: Contract) -> Text:
    """Return what a contract asks for, in words.

    >>> str(contract_name(CONTRACTS[6])), str(contract_name(CONTRACTS[12]))
    ('1 set of 4 and 1 run of 5', '5 runs of 3')
    """
    sets = texts("{n} set of {size}", "{n} sets of {size}", n=contract.sets, size=contract.set_size)
    runs = texts("{n} run of {size}", "{n} runs of {size}", n=contract.runs, size=contract.run_size)
    if contract.rest:
        return text("{sets} and a run of all the rest", sets=sets)
    if contract.pair:
        return text("{sets}, {runs} and a pair", sets=sets, runs=runs)
    if contract.sets and contract.runs:
        return text("{first} and {last}", first=sets, last=runs)
    return sets if contract.sets else runs


def card_points(card: Card) -> int:
    """Return what a card left in hand costs (SGR-7).

    >>> [card_points(Card(rank, "S")) for rank in ("3", "10", "J", "K", "A", "2")]
    [5, 5, 10, 10, 15, 25]
    """
    return points_at(PLACES[card.rank])


def points_at(place: int) -> int:
    """Return what a card of the rank at *place* costs (SGR-7)."""
    if place == LOWEST:
        return 25
    if place == HIGHEST:
        return 15
    return 10 if place > PLACES["10"] else 5


def hand_points(cards: Iterable[Card]) -> int:
    """Return what the cards left in a hand cost (SGR-7, SGR-8)."""
    return sum(map(card_points, cards))


def check_hand(cards: Sequence[Card]) -> None:
    """Raise BadInput for cards that no hand of two packs can be (SGR-1, SGR-9)."""
    if len(cards) > MOST_CARDS:
        raise BadInput(too_many(len(cards), MOST_CARDS))
    check_copies(cards)


def check_copies(cards: Iterable[Card]) -> None:
    """Raise BadInput for a card that two packs do not have so often (SGR-1)."""
    for card, count in Counter(cards).items():
        if count > COPIES:
            raise BadInput(too_often(card, count))


def too_often(card: Card, count: int) -> Text:
    """Return that *card* is there *count* times."""
    return text("{card} is there {n} times; two packs have it twice.", card=shown(card), n=count)


def too_many(cards: int, most: int) -> Text:
    """Return that no hand has so many *cards* (SGR-9)."""
    return text("{n} cards are too many for one hand: at most {most}.", n=cards, most=most)


def in_order(cards: Iterable[Card]) -> Iterator[Card]:
    """Yield *cards* by rank from the 2 up, then by suit."""
    yield from sorted(cards, key=lambda card: (PLACES[card.rank], SUITS.index(card.suit)))
