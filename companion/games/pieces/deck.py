"""Which cards a table needs: packs, ranks from the ace down, odd cards, stock (PIG-1, 3, 4, 14)."""

from __future__ import annotations

import msgspec
from lastnose.companion.games.pieces.cards import PACK, RANKS, SUITS, Card


class Deck(msgspec.Struct, frozen=True):
    """The cards in play.

    `ranks` lists a rank once for each whole set of it, from the ace down and again from the next pack's ace;
    `suits` are the suits of a set; `odd` the cards beyond whole sets; `each` the hand, `stock` what the deal
    leaves. With a stock the deck is whole packs and `ranks` names each rank once.
    """

    packs: int
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    odd: tuple[Card, ...]
    cards: int
    each: int
    stock: int = 0


def sets_for(players: int, each: int) -> Deck:
    """Return the deck without stock for *players* with *each* (3, 4 or 5) cards (PIG-3, PIG-14).

    Hands of three take three cards of a rank (the clubs stay in the box), others four.

    >>> sets_for(7, 4).ranks
    ('A', 'K', 'Q', 'J', '10', '9', '8')
    >>> [str(card) for card in sets_for(5, 5).odd]
    ['8S']
    """
    suits = SUITS[: min(each, len(SUITS))]
    cards = players * each
    whole, odd = divmod(cards, len(suits))
    ranks = tuple(RANKS[index % len(RANKS)] for index in range(whole))
    over = tuple(Card(RANKS[whole % len(RANKS)], suit) for suit in suits[:odd])
    packs = -(-(whole + bool(odd)) // len(RANKS))
    return Deck(packs=packs, ranks=ranks, suits=suits, odd=over, cards=cards, each=each)


def packs_for(players: int, each: int) -> Deck:
    """Return the fewest whole packs that leave a stock when *players* get *each* cards (PIG-1, PIG-4).

    >>> [packs_for(players, 4).packs for players in (12, 13, 25, 26)]
    [1, 2, 2, 3]
    """
    packs = players * each // PACK + 1
    cards = packs * PACK
    return Deck(
        packs=packs, ranks=RANKS, suits=SUITS, odd=(), cards=cards, each=each, stock=cards - players * each
    )


def cards_of(deck: Deck) -> tuple[Card, ...]:
    """Return the cards of a *deck* without stock, set by set, the odd ones last."""
    return tuple(Card(rank, suit) for rank in deck.ranks for suit in deck.suits) + deck.odd


def taken_out(before: Deck, after: Deck) -> tuple[Card, ...]:
    """Return the cards that leave *before* to make the smaller *after*: the lowest still in play (PIG-8).

    Decks of one hand size begin alike, so these are the end of the list: the second pack goes first.

    >>> " ".join(map(str, taken_out(sets_for(4, 5), sets_for(3, 5))))
    'JC 10S 10H 10D 10C'
    """
    return cards_of(before)[after.cards :] if after.cards < before.cards else ()
