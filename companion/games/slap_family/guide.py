"""The steps of a game in turns: cards, deal, passing in turn, slap and shout (MAG-1 to MAG-3, MAG-8)."""

from __future__ import annotations

from companion.core.text import Text, text
from companion.games.pieces.cards import SUITS, Card
from companion.games.pieces.deck import Deck
from companion.games.rules.guide import Guide, GuideStep


def guide(deck: Deck, dealer: str, starter: str, *, deals: int, extra: tuple[Text, ...]) -> Guide:
    """Return what to do: *deck* without its travel card, *extra* what to say of that."""
    cards = tuple(Card(rank, SUITS[place % len(SUITS)]) for place, rank in enumerate(deck.ranks))
    take = GuideStep(
        text("Take these, all four suits: {n} cards.", n=deck.cards), text("take"), cards, stacks=True
    )
    return Guide(
        before=(
            *(() if deals else (take,)),
            *(GuideStep(line, text("take")) for line in extra),
            GuideStep(text("{dealer} deals all cards, clockwise.", dealer=dealer), text("deal")),
        ),
        then=(
            GuideStep(text("{player} starts: one card to the left, in turn.", player=starter), text("pass")),
            GuideStep(text("Four of a kind? Slap, and shout “Vatra!”"), text("slap")),
        ),
        ready=text("Everybody has four: play"),
        now=text("{player} starts.", player=starter),
        proof=(
            text("One card to the left, in turn."),
            text("Four of a kind?"),
            text("Slap the nose and shout “Vatra!” So must everybody, and somebody will be last."),
        ),
    )
