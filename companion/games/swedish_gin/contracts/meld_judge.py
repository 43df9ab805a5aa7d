"""The table judge: is this meld legal as it lies, and which rule says so (SGR-3, SGR-4, SGR-5)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.pieces.cards import SUITS, Card, shown
from lastnose.companion.games.swedish_gin.contracts.arrange import lay_run
from lastnose.companion.games.swedish_gin.contracts.melds import (
    HIGHEST,
    LONGEST,
    LOWEST,
    PLACES,
    Meld,
    check_hand,
    in_order,
)
from lastnose.companion.games.swedish_gin.contracts.packed import Core, core_of

# The rules of a meld, as the help of the game says them and the judge answers with them.
SET_AND_RUN = text(
    "A set has at least three cards of one rank. A run has at least three cards of one suit in order, each "
    "once; the ace comes after the king."
)
WILD = text("A two is wild for any card. In each meld natural cards outnumber wilds.")
TWOS_ALONE = text("Twos alone are a set, and below its own three a two is natural.")


class Ruling(msgspec.Struct, frozen=True):
    """Whether a meld is legal, the rule's identifier, why, and how it lies if it is."""

    legal: bool
    rule: str
    why: Text
    meld: Meld | None = None


def judge_meld(cards: Sequence[Card], *, pair: bool = False) -> Ruling:
    """Return whether *cards*, in whatever order, are a set or a run; with *pair* (hand 14) two may be a pair.

    >>> from lastnose.companion.games.pieces.cards import read_cards
    >>> ruling = judge_meld(read_cards(["2S 2H 2C 3S 3D"]))
    >>> ruling.rule, str(ruling.why)
    ('SGR-4', 'A two is wild for any card. In each meld natural cards outnumber wilds.')
    """
    check_hand(cards)
    naturals = tuple(in_order(card for card in cards if PLACES[card.rank] != LOWEST))
    twos = tuple(in_order(card for card in cards if PLACES[card.rank] == LOWEST))
    if pair and len(cards) == 2:
        return _pair(tuple(cards))
    if len(cards) < 3:
        return _illegal("SGR-5", SET_AND_RUN)
    if not naturals:
        return Ruling(True, "SGR-4", TWOS_ALONE, Meld("set", twos))
    if len(naturals) > 1 and len({card.rank for card in naturals}) == 1:
        return _set(naturals, twos)
    return _run(naturals, twos)


def _illegal(rule: str, why: Text) -> Ruling:
    return Ruling(False, rule, why)


def _pair(cards: tuple[Card, ...]) -> Ruling:
    if cards[0].rank != cards[1].rank:
        return _illegal("SGR-2", text("A pair is two cards of one rank; a two is not wild in it."))
    return Ruling(True, "SGR-2", text("A pair"), Meld("pair", cards))


def _set(naturals: tuple[Card, ...], twos: tuple[Card, ...]) -> Ruling:
    if len(naturals) <= len(twos):
        return _illegal("SGR-4", WILD)
    wilds = tuple(range(len(naturals), len(naturals) + len(twos)))
    why = text("A set")
    return Ruling(True, "SGR-4" if twos else "SGR-3", why, Meld("set", (*naturals, *twos), wilds))


def _run(naturals: tuple[Card, ...], twos: tuple[Card, ...]) -> Ruling:
    if len({card.suit for card in naturals}) > 1:
        return _illegal("SGR-3", SET_AND_RUN)
    if len(naturals) > len({*naturals}) or len(naturals) + len(twos) > LONGEST:
        return _illegal("SGR-3", SET_AND_RUN)
    return _in_one_suit(naturals, twos)


def _in_one_suit(naturals: tuple[Card, ...], twos: tuple[Card, ...]) -> Ruling:
    """Rule on different cards of one suit, and twos: one of their suit may be natural, in its own place."""
    places = sum(1 << PLACES[card.rank] for card in naturals)
    own = Card("2", naturals[0].suit)
    if own in twos:
        wilds = list(twos)
        wilds.remove(own)
        ruling = _as_it_lies(core_of(places | 1 << LOWEST), (own, *naturals), tuple(wilds))
        if ruling.legal or ruling.rule == "SGR-4":
            return ruling
    return _as_it_lies(core_of(places), naturals, twos)


def _as_it_lies(core: Core, naturals: tuple[Card, ...], wilds: tuple[Card, ...]) -> Ruling:
    holes = core.span - core.naturals
    if holes > len(wilds):
        return _gap(naturals, holes - len(wilds))
    if len(wilds) >= core.naturals:
        return _illegal("SGR-4", WILD)
    meld = lay_run(core, SUITS.index(naturals[0].suit), wilds)
    return Ruling(True, "SGR-4" if wilds else "SGR-3", text("A run"), meld)


def _gap(naturals: tuple[Card, ...], missing: int) -> Ruling:
    low, high = naturals[0], naturals[-1]
    if PLACES[high.rank] == HIGHEST and PLACES[low.rank] <= LOWEST + 2:
        return _illegal("SGR-3", SET_AND_RUN)
    why = texts(
        "Not consecutive: {n} card is missing between {low} and {high}.",
        "Not consecutive: {n} cards are missing between {low} and {high}.",
        n=missing,
        low=shown(low),
        high=shown(high),
    )
    return _illegal("SGR-3", why)
