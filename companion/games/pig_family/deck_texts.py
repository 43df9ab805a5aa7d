"""Decks in sentences: which cards to take, which to take away, where the stock goes."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces.cards import RANKS, corner, names, plural, row, shown
from lastnose.companion.games.pieces.deck import Deck, taken_out
from lastnose.companion.games.pig_family.options import ALIKE, AnyOptions

# ---- what lies in the middle of the table, in sentences: one piece less than players (SPN-1, SPN-4)


class RackItem(msgspec.Struct, frozen=True):
    """What is on the rack: `many` of them ("spoons"), `one` ("one spoon"), and the question who has none."""

    many: Text
    one: Text
    who_has_none: Text


def laid_out(ware: RackItem, count: int) -> Text:
    """Return how to lay the rack for a deal."""
    return texts(
        "Lay {one} in the middle, in cradle 1.",
        "Lay {n} {many} in the middle, in cradles 1 to {n}.",
        n=count,
        one=ware.one,
        many=ware.many,
    )


def retired(ware: RackItem, count: int, gone: int) -> Text:
    """Return which cradles stay empty when *gone* players have left and *count* pieces stay."""
    return texts(
        "Take {one} away: cradle {last} stays empty.",
        "Take {n} {many} away: cradles {first} to {last} stay empty.",
        n=gone,
        one=ware.one,
        many=ware.many,
        first=count + 1,
        last=count + gone,
    )


# ---- the deck


def kind(options: AnyOptions) -> Text:
    """Return what one collects (PIG-14)."""
    return ALIKE[options.hand_size]


def start(deck: Deck, options: AnyOptions) -> tuple[Text, ...]:
    """Return how to put *deck* together, and what to collect."""
    return (take(deck), collect(deck.each, kind(options)))


def collect(each: int, alike: Text) -> Text:
    """Return how many cards everybody gets, and what to do with them."""
    return text("Everybody gets {each} cards and collects {kind}.", each=each, kind=alike)


def _split(deck: Deck) -> tuple[int, tuple[str, ...]]:
    """Return how many whole packs *deck* has, and the ranks beyond them."""
    if deck.stock:
        return deck.packs, ()
    packs, over = divmod(len(deck.ranks), len(RANKS))
    return packs, deck.ranks[len(deck.ranks) - over :]


def take(deck: Deck) -> Text:
    """Return which cards to take for *deck*: three of a rank are enough without clubs (PIG-14)."""
    packs, over = _split(deck)
    ranks = names(over) if over else ""
    some = (
        text("all {ranks}, without clubs", ranks=ranks)
        if _clubs_stay(deck)
        else text("all {ranks}", ranks=ranks)
    )
    rest = _plus(some if over else "", deck)
    if packs and rest:
        return text(
            "Take {packs} and, from one more, {cards}: {n} cards.",
            packs=_packs(deck),
            cards=rest,
            n=deck.cards,
        )
    return text("Take {cards}: {n} cards.", cards=rest or _packs(deck), n=deck.cards)


def _clubs_stay(deck: Deck) -> bool:
    """Return whether the clubs stay in their box."""
    return len(deck.suits) == 3


def _packs(deck: Deck) -> Text:
    packs, _ = _split(deck)
    if _clubs_stay(deck):
        return texts("one pack without clubs", "{n} packs without clubs", n=packs)
    return texts("one whole pack", "{n} whole packs", n=packs)


def _plus(cards: str | Text, deck: Deck) -> str | Text:
    """Return *cards* with the odd ones of *deck* after them."""
    if not deck.odd:
        return cards
    odd = row([shown(card) for card in deck.odd])
    return text("{cards}, plus {odd}", cards=cards, odd=odd) if cards else odd


def without(before: Deck, after: Deck) -> Text:
    """Return which cards to take away so that *before* becomes *after* (PIG-8), and what stays."""
    gone = listing(_gone(before, after))
    return text("Take {cards} away: {n} cards stay, {deck}.", cards=gone, n=after.cards, deck=_stays(after))


def away(before: Deck, after: Deck) -> Text:
    """Return which cards to take away, and no more, as short as they can be said."""
    return text("Take {cards} away.", cards=listing(_gone(before, after)))


def _gone(before: Deck, after: Deck) -> list[str | Text]:
    """Return what leaves *before*: whole sets by their rank, other cards one by one."""
    gone = taken_out(before, after)
    parts: list[str | Text] = []
    for rank in dict.fromkeys(card.rank for card in gone):
        cards = [card for card in gone if card.rank == rank]
        whole = text("{n} {ranks}", n=len(cards), ranks=plural(rank))
        parts += [whole] if len(cards) == len(before.suits) else map(shown, cards)
    return parts


def _stays(deck: Deck) -> str | Text:
    """Return the cards of a *deck* without stock, short: whole packs, ranks as printed, odd cards."""
    packs, over = _split(deck)
    parts: list[str | Text] = [_packs(deck)] if packs else []
    if over:
        parts.append(row([corner(rank) for rank in over]))
    return _plus(listing(parts), deck)


def stock(deck: Deck, dealer: str | Text, right: str | Text) -> tuple[Text, ...]:
    """Return who deals, where the stock goes and who discards (PIG-4)."""
    return (
        texts(
            "{dealer} deals. One card is left: the stock, on the dealer’s right.",
            "{dealer} deals. The other {n} cards are the stock, on the dealer’s right.",
            n=deck.stock,
            dealer=dealer,
        ),
        draws(dealer, right),
    )


def draws(dealer: str | Text, right: str | Text) -> Text:
    """Return who draws from the stock and who discards (PIG-4)."""
    return text("{dealer} draws from the stock; {right} discards.", dealer=dealer, right=right)
