"""The steps of a game in turns: cards, deal, passing in turn, slap and shout (MAG-1 to MAG-3, MAG-8)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pieces.cards import SUITS, Card
from companion.games.pieces.deck import Deck
from companion.games.rules.guide import Guide, GuideStep
from companion.games.slap_family.travel_card import Travelling


def guide(deck: Deck, dealer: str, starter: str, *, taken: bool, travel: Travelling | None) -> Guide:
    """Return what to do: *deck* is without its travel card, of which *travel* speaks; *taken*: it is there.

    Only who has cards can show the travel card: that comes after the deal, before the first card is passed.
    """
    cards = tuple(Card(rank, SUITS[place % len(SUITS)]) for place, rank in enumerate(deck.ranks))
    take = GuideStep(
        text("Take these, all four suits: {n} cards.", n=deck.cards), text("take"), cards, stacks=True
    )
    return Guide(
        before=(
            *(() if taken else (take,)),
            *((GuideStep(travel.added, text("take")),) if travel and not taken else ()),
            *((GuideStep(travel.goes_to, text("deal")),) if travel else ()),
            GuideStep(text("{dealer} deals all cards, clockwise.", dealer=dealer), text("deal")),
        ),
        then=(
            *((GuideStep(travel.shown, text("show")),) if travel else ()),
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
