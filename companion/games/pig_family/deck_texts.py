"""Decks in sentences: which cards to take, which to take away, where the stock goes."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces.cards import RANKS, corner, names, plural, row, shown
from lastnose.companion.games.pieces.deck import Deck, cards_of, taken_out
from lastnose.companion.games.pig_family.options import AnyOptions

# ---- what lies in the middle of the table, in sentences: one piece less than players (SPN-1, SPN-4)


class RackItem(msgspec.Struct, frozen=True):
    """What is on the rack: `many` of them ("spoons"), `one` ("one spoon"), and the question who has none."""

    many: Text
    one: Text
    who_has_none: Text


def laid_out(ware: RackItem, count: int) -> Text:
    """Return how to lay the rack for the first deal."""
    return texts(
        "Lay {one} in the middle, in cradle 1: one fewer than there are players.",
        "Lay {n} {many} in the middle, in cradles 1 to {n}: one fewer than there are players.",
        n=count,
        one=ware.one,
        many=ware.many,
    )


def laid_back(ware: RackItem, count: int) -> Text:
    """Return that the *count* pieces of the round before go back into their cradles."""
    return texts("Lay {one} back.", "Lay the {n} {many} back.", n=count, one=ware.one, many=ware.many)


def retired(ware: RackItem, count: int, gone: int) -> Text:
    """Return which cradles stay empty when *gone* players have left and *count* pieces stay."""
    if gone == 1:
        return text("Take {one} away: cradle {last} stays empty.", one=ware.one, last=count + 1)
    return text(
        "Take {gone} {many} away: cradles {first} to {last} stay empty.",
        gone=gone,
        many=ware.many,
        first=count + 1,
        last=count + gone,
    )


# ---- the deck


def kind(options: AnyOptions) -> Text:
    """Return what one collects (PIG-14)."""
    return text("three of a kind") if options.hand_size == 3 else text("four of a kind")


def start(deck: Deck, options: AnyOptions) -> tuple[Text, ...]:
    """Return how to put *deck* together, and what to collect."""
    aside = (text("Put all clubs aside: three cards of a rank are enough."),) if _without_clubs(deck) else ()
    collect = text("Everybody gets {each} cards and collects {kind}.", each=deck.each, kind=kind(options))
    return (*aside, take(deck), collect)


def _split(deck: Deck) -> tuple[int, tuple[str, ...]]:
    """Return how many whole packs *deck* has, and the ranks beyond them."""
    if deck.stock:
        return deck.packs, ()
    packs, over = divmod(len(deck.ranks), len(RANKS))
    return packs, deck.ranks[len(deck.ranks) - over :]


def take(deck: Deck) -> Text:
    """Return which cards to take for *deck*."""
    packs, over = _split(deck)
    rest = _plus(text("all {ranks}", ranks=names(over)) if over else "", deck)
    if _without_clubs(deck):
        return _take_without_clubs(deck, packs, rest)
    if not packs:
        return text("From one pack, take {cards}: {n} cards.", cards=rest, n=deck.cards)
    if not rest:
        return text("Take {packs}: {n} cards.", packs=_packs(packs), n=deck.cards)
    return text(
        "Take {packs} and, from one more, {cards}: {n} cards.", packs=_packs(packs), cards=rest, n=deck.cards
    )


def _without_clubs(deck: Deck) -> bool:
    """Return whether three cards of a rank are enough (PIG-14)."""
    return len(deck.suits) == 3


def _take_without_clubs(deck: Deck, packs: int, rest: str | Text) -> Text:
    if not packs:
        return text("From one pack without clubs, take {cards}: {n} cards.", cards=rest, n=deck.cards)
    whole = _packs_without_clubs(packs)
    if not rest:
        return text("Take {packs}: {n} cards.", packs=whole, n=deck.cards)
    return text(
        "Take {packs} and, from one more without clubs, {cards}: {n} cards.",
        packs=whole,
        cards=rest,
        n=deck.cards,
    )


def _packs_without_clubs(count: int) -> Text:
    return texts("one pack without clubs", "{n} packs without clubs", n=count)


def _packs(count: int) -> Text:
    return texts("one whole pack", "{n} whole packs", n=count)


def _plus(cards: str | Text, deck: Deck) -> str | Text:
    """Return *cards* with the odd ones of *deck* after them."""
    if not deck.odd:
        return cards
    odd = row([shown(card) for card in deck.odd])
    return text("{cards}, plus {odd}", cards=cards, odd=odd) if cards else odd


def without(before: Deck, after: Deck) -> Text:
    """Return which cards to take away so that *before* becomes *after* (PIG-8), and what stays."""
    gone = listing(_gone(before, after))
    return text("Take {cards} away: {n} cards stay, {deck}.", cards=gone, n=after.cards, deck=stays(after))


def away(before: Deck, after: Deck) -> Text:
    """Return which cards to take away, and no more, as short as they can be said."""
    return text("Take {cards} away.", cards=listing(_gone(before, after)))


def _gone(before: Deck, after: Deck) -> list[str | Text]:
    """Return what leaves *before*: whole sets by their rank, other cards one by one."""
    gone = taken_out(before, after)
    parts: list[str | Text] = []
    for rank in dict.fromkeys(card.rank for card in gone):
        cards = [card for card in gone if card.rank == rank]
        parts += (
            [_whole_set(before, rank, len(cards))] if len(cards) == len(before.suits) else map(shown, cards)
        )
    return parts


def _whole_set(before: Deck, rank: str, count: int) -> Text:
    """Return the set of *rank* in a sentence: “the” only when no more of them are in play."""
    all_of_them = sum(card.rank == rank for card in cards_of(before)) == count
    number = text("three") if count == 3 else text("four")
    if all_of_them:
        return text("the {number} {ranks}", number=number, ranks=plural(rank))
    return text("{number} {ranks}", number=number, ranks=plural(rank))


def stays(deck: Deck) -> str | Text:
    """Return the cards of a *deck* without stock, short: whole packs, ranks as printed, odd cards."""
    packs, over = _split(deck)
    whole = _packs_without_clubs(packs) if _without_clubs(deck) else _packs(packs)
    parts: list[str | Text] = [whole] if packs else []
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
        text("{dealer} draws from the stock; {right} discards.", dealer=dealer, right=right),
    )
