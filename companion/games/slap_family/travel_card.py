"""The deck of a game in turns: four of a rank a player, and the travel card (MAG-1, MAG-8)."""

from __future__ import annotations

import msgspec

from companion.core.text import Text, text
from companion.games.pieces.cards import JOKER, Card, shown
from companion.games.pieces.deck import Deck, cards_of, sets_for

SEVEN = Card("7", "D")


def travel_card(players: int) -> Card:
    """Return the travel card for *players*: the seven of diamonds, a joker once the sevens are in play.

    >>> str(travel_card(7)), str(travel_card(8))
    ('7D', 'Joker')
    """
    return JOKER if SEVEN in cards_of(sets_for(players, 4)) else SEVEN


def deck_of(players: int, *, travels: bool) -> Deck:
    """Return the deck for *players*; a card that *travels* is the odd one: 4N + 1 cards.

    >>> deck_of(4, travels=True).cards
    17
    """
    deck = sets_for(players, 4)
    if not travels:
        return deck
    return msgspec.structs.replace(deck, odd=(travel_card(players),), cards=deck.cards + 1)


class Travelling(msgspec.Struct, frozen=True):
    """What to say of the travel card: before the deal, with it, and when everybody has cards."""

    added: Text
    goes_to: Text
    shown: Text


def travelling(players: int, starter: str | Text) -> Travelling:
    """Return what to say of the travel card; *starter* gets the card too many."""
    card, n = travel_card(players), deck_of(players, travels=True).cards
    found = (
        text("Add a joker as the travel card, as the sevens are in play: {n} cards in all.", n=n)
        if card == JOKER
        else text("Add the {card} as the travel card: {n} cards in all.", card=shown(card), n=n)
    )
    return Travelling(
        found,
        text("The extra card goes to {starter}, who starts and has five cards.", starter=starter),
        text("Whoever holds the travel card shows it round, then shuffles it into their hand, unseen."),
    )


def travel_notes() -> tuple[Text, ...]:
    """Return what holds while a travel card is in play: refusing, and the hand it spoils."""
    return (
        text("A card offered may be refused unseen; the next one offered must be another, and is taken."),
        text("Four of a kind with the travel card is not enough: pass the travel card on first."),
    )
