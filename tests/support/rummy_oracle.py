"""Contracts of Swedish Gin Rummy by brute force: every subset of a small hand, every meld of two packs.

Slow and plain on purpose, and it shares no code with the solver but Card and the contracts' numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.swedish_gin.contracts.melds import Contract

ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "SHDC"
POINTS = {"A": 15, "K": 10, "Q": 10, "J": 10, "2": 25}


def points(card: Card) -> int:
    """Return what a card costs."""
    return POINTS.get(card.rank, 5)


def is_set(cards: Sequence[Card]) -> bool:
    """Return whether *cards* are a set as they lie."""
    naturals = [card for card in cards if card.rank != "2"]
    if len(cards) < 3:
        return False
    return not naturals or (len({card.rank for card in naturals}) == 1 and 2 * len(naturals) > len(cards))


def run_patterns(cards: Sequence[Card]) -> Iterator[list[bool]]:
    """Yield each way in which *cards* are a run as they lie: for each place, whether it is natural."""
    length = len(cards)
    if length < 3:
        return
    for suit, start in product(SUITS, range(len(ORDER) - length + 1)):
        window = [Card(rank, suit) for rank in ORDER[start : start + length]]
        naturals = Counter(card for card in cards if card.rank != "2")
        if any(count > 1 or card not in window for card, count in naturals.items()):
            continue
        for two_is_natural in {False, Card("2", suit) in window and Card("2", suit) in cards}:
            pattern = [card in naturals or (card.rank == "2" and two_is_natural) for card in window]
            if 2 * sum(pattern) > length:
                yield pattern


def can_be(cards: Sequence[Card], kind: str, size: int) -> bool:
    """Return whether *cards*, as they lie in the end, began as a legal meld of exactly *size*."""
    if kind == "set":
        return is_set(cards) and any(map(is_set, combinations(cards, size)))
    return any(
        2 * sum(pattern[first : first + size]) > size
        for pattern in run_patterns(cards)
        for first in range(len(pattern) - size + 1)
    )


def fewest_points(cards: Sequence[Card], contract: Contract, extras: bool = True) -> int | None:
    """Return the points that stay in hand after the best lay-down and a discard, None if it does not lay."""
    every = [
        tuple(card for bit, card in enumerate(cards) if mask >> bit & 1) for mask in range(1 << len(cards))
    ]
    sets = [len(held) >= contract.set_size and can_be(held, "set", contract.set_size) for held in every]
    runs = [len(held) >= contract.run_size and can_be(held, "run", contract.run_size) for held in every]
    melds = [is_set(held) or any(run_patterns(held)) for held in every]
    pairs = [len(held) == 2 and len({card.rank for card in held}) == 1 for held in every]

    @cache
    def lefts(mask: int, set_slots: int, run_slots: int, pair: bool) -> frozenset[int]:
        """Return every mask of cards that may stay in hand."""
        if not mask:
            return frozenset() if set_slots or run_slots or pair else frozenset({0})
        lowest = mask & -mask
        found = {lowest | left for left in lefts(mask - lowest, set_slots, run_slots, pair)}
        part = mask
        while part:
            if part & lowest:
                rest = mask - part
                if melds[part] and extras:
                    found |= lefts(rest, set_slots, run_slots, pair)
                if set_slots and sets[part]:
                    found |= lefts(rest, set_slots - 1, run_slots, pair)
                if run_slots and runs[part]:
                    found |= lefts(rest, set_slots, run_slots - 1, pair)
                if pair and pairs[part]:
                    found |= lefts(rest, set_slots, run_slots, False)
            part = part - 1 & mask
        return frozenset(found)

    left_points = [
        sum(map(points, every[left])) - max(map(points, every[left]))
        for left in lefts((1 << len(cards)) - 1, contract.sets, contract.runs, contract.pair)
        if left
    ]
    return min(left_points, default=None)


Want = tuple[Counter[Card], int]  # naturals (a two in its own place among them), and how many wilds


def _wanted(kind: str, size: int) -> Iterator[Want]:
    """Yield every meld of exactly *size* that two packs can make."""
    if kind == "pair":
        for rank in ORDER:
            for suits in combinations(SUITS * 2, 2):
                yield Counter(Card(rank, suit) for suit in suits), 0
        return
    if kind == "set":
        for rank, wilds in product(ORDER, range((size - 1) // 2 + 1)):
            if rank != "2" or not wilds:
                for suits in combinations_with_replacement(SUITS, size - wilds):
                    yield Counter(Card(rank, suit) for suit in suits), wilds
        return
    for suit, start in product(SUITS, range(len(ORDER) - size + 1)):
        window = [Card(rank, suit) for rank in ORDER[start : start + size]]
        for wilds in range((size - 1) // 2 + 1):
            for naturals in combinations(window, size - wilds):
                yield Counter(naturals), wilds


def short_of(cards: Sequence[Card], contract: Contract) -> int:
    """Return how many cards of *contract* are not in the hand, at the fewest, by way of every meld there is.

    Counts the packs: no card more than twice, no more than eight twos.
    """
    held = Counter(cards)
    slots = [("set", contract.set_size)] * contract.sets + [("run", contract.run_size)] * contract.runs
    slots += [("pair", 2)] * contract.pair
    twos = sum(count for card, count in held.items() if card.rank == "2")

    def lacking(want: Counter[Card], wilds: int) -> int | None:
        own = sum(count for card, count in want.items() if card.rank == "2")
        if max(want.values(), default=0) > 2 or own + wilds > 8:
            return None
        new = sum(max(0, count - held[card]) for card, count in want.items())
        own_new = sum(max(0, count - held[card]) for card, count in want.items() if card.rank == "2")
        spare = twos - (own - own_new)
        return new + max(0, wilds - spare)

    found: dict[tuple[frozenset[tuple[Card, int]], int], Want] = {(frozenset(), 0): (Counter(), 0)}
    for kind, size in slots:
        after: dict[tuple[frozenset[tuple[Card, int]], int], Want] = {}
        for (want, wilds), (more, more_wilds) in product(found.values(), list(_wanted(kind, size))):
            both = want + more
            if lacking(both, wilds + more_wilds) is not None:
                after[frozenset(both.items()), wilds + more_wilds] = (both, wilds + more_wilds)
        found = after
    return min(lack for want in found.values() if (lack := lacking(*want)) is not None)


Lying = tuple[str, list[str]]  # a suit and the ranks of its run without wilds in order; or no suit, and a set


def _takes(meld: Lying, cards: Sequence[Card]) -> bool:
    """Return whether a meld on the table may have *cards* added and is still legal."""
    suit, ranks = meld
    twos = sum(card.rank == "2" for card in cards)
    if not suit:
        others = {card.rank for card in cards if card.rank != "2"}
        if ranks[0] == "2":
            return not others
        return others <= {ranks[0]} and len(ranks) + len(cards) - twos > twos
    size = len(ranks) + len(cards)
    for start in range(len(ORDER) - size + 1):
        window = ORDER[start : start + size]
        if ranks[0] not in window or ranks[-1] not in window:
            continue
        places = Counter(Card(rank, suit) for rank in window if rank not in ranks)
        naturals = [card for card in cards if card.rank != "2"]
        if Counter(naturals) - places:
            continue
        for own in (0, 1) if Card("2", suit) in cards and Card("2", suit) in places else (0,):
            if len(ranks) + len(naturals) + own > twos - own:
                return True
    return False


def fewest_after(cards: Sequence[Card], table: Sequence[Lying]) -> int:
    """Return the points that stay when all that can be is laid or added, and the dearest card discarded."""
    every = [
        tuple(card for bit, card in enumerate(cards) if mask >> bit & 1) for mask in range(1 << len(cards))
    ]
    melds = [is_set(held) or any(run_patterns(held)) for held in every]
    takes = [[_takes(meld, held) for held in every] for meld in table]

    @cache
    def lefts(mask: int, index: int) -> frozenset[int]:
        """Return every mask of cards that may stay, the melds before *index* having been added to."""
        if index == len(table):
            return own(mask)
        found = lefts(mask, index + 1)
        part = mask
        while part:
            if takes[index][part]:
                found |= lefts(mask - part, index + 1)
            part = part - 1 & mask
        return found

    @cache
    def own(mask: int) -> frozenset[int]:
        found = frozenset({mask})
        part = mask
        while part:
            if melds[part]:
                found |= own(mask - part)
            part = part - 1 & mask
        return found

    return min(
        sum(map(points, every[left])) - max(map(points, every[left]))
        for left in lefts((1 << len(cards)) - 1, 0)
        if left
    )
