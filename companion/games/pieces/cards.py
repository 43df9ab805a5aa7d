"""Cards, and how to write and say them: `7S` in data, `7♠` for the eye. From the ace down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, listing, text

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
SUITS = ("S", "H", "D", "C")
PACK = len(RANKS) * len(SUITS)

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# As people write them: the French corners, signs in outline, and the mark that asks for a coloured sign.
_WRITTEN_RANKS = {"AS": "A", "R": "K", "D": "Q", "V": "J"}
_WRITTEN_SUITS = {**{sign: suit for suit, sign in _SYMBOLS.items()}, "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_WRITTEN = re.compile(r"(AS|[AKQJRDV]|10|[2-9])([SHDC♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]?")
# As printed in the corner of a card, where that differs between languages (French: A R D V).
_CORNERS = {"A": text("A"), "K": text("K"), "Q": text("Q"), "J": text("J")}
_PLURALS = {
    "A": text("aces"),
    "K": text("kings"),
    "Q": text("queens"),
    "J": text("jacks"),
    "10": text("tens"),
    "9": text("nines"),
    "8": text("eights"),
    "7": text("sevens"),
    "6": text("sixes"),
    "5": text("fives"),
    "4": text("fours"),
    "3": text("threes"),
    "2": text("twos"),
}


JOKER_RANK = "Joker"


class Card(msgspec.Struct, frozen=True):
    """A card to be drawn: rank as printed (`A`, `10`, `J`) and suit (`S H D C`); a joker has no suit.

    >>> str(Card("10", "H"))
    '10H'
    """

    rank: str
    suit: str

    def __str__(self) -> str:
        """Return the card as data writes it."""
        return self.rank + self.suit


JOKER = Card(JOKER_RANK, "")


def suit_sign(suit: str) -> str:
    """Return the sign of *suit* (`S H D C`).

    >>> suit_sign("H")
    '♥'
    """
    return _SYMBOLS[suit]


def read_card(written: str) -> Card:
    """Return the card that is *written*; raise BadInput saying what was expected.

    >>> [str(read_card(written)) for written in ("7S", "10♥", "kd", "V♣", "As♠")]
    ['7S', '10H', 'KD', 'JC', 'AS']
    """
    found = _WRITTEN.fullmatch(written.upper())
    if not found:
        raise BadInput(
            text(
                "“{written}” is not a card. Write its rank (A K Q J 10 … 2) and its suit "
                "(S H D C or ♠ ♥ ♦ ♣): 7S, 10♥, KD.",
                written=written[:40],
            )
        )
    rank, suit = found.groups()
    return Card(_WRITTEN_RANKS.get(rank, rank), _WRITTEN_SUITS.get(suit, suit))


def read_cards(written: Iterable[str]) -> tuple[Card, ...]:
    """Return the cards in *written*: one or several in each string, with spaces or commas between.

    >>> " ".join(map(str, read_cards(["7S 10H", "KD,2C"])))
    '7S 10H KD 2C'
    """
    return tuple(read_card(word) for words in written for word in words.replace(",", " ").split())


def corner(rank: str) -> str | Text:
    """Return what is printed in the corner of a card of *rank*."""
    return _CORNERS.get(rank, rank)


def plural(rank: str) -> Text:
    """Return the name of the cards of *rank*.

    >>> str(plural("10"))
    'tens'
    """
    return _PLURALS[rank]


def shown(card: Card) -> Text:
    """Return *card* as the eye reads it.

    >>> str(shown(Card("J", "C")))
    'J♣'
    """
    if card == JOKER:
        return text("Joker")
    return text("{rank}{suit}", rank=corner(card.rank), suit=_SYMBOLS[card.suit])


def row(items: Sequence[str | Text]) -> str | Text:
    """Return *items* (at least one) side by side, as in a hand.

    >>> str(row(["A", "K", "Q"]))
    'A K Q'
    """
    *rest, last = items
    return text("{first} {next}", first=row(rest), next=last) if rest else last


def names(ranks: Sequence[str]) -> str | Text:
    """Return the names of *ranks* (at least one) as a sentence has them.

    >>> str(names(["A", "K", "Q"]))
    'aces, kings and queens'
    """
    return listing([plural(rank) for rank in ranks])
