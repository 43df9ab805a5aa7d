"""What a hand can do about its contract: whether and how it lays, how many cards short it is, what helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from companion.cards import SUITS, Card
from companion.contracts.arrange import arrange, arrange_parts
from companion.contracts.fit import Parts, fit, nearest
from companion.contracts.laydown import lay_down
from companion.contracts.melds import (
    COPIES,
    LONGEST,
    PLACES,
    Contract,
    Meld,
    check_hand,
    get_contract,
    hand_points,
    in_order,
)
from companion.contracts.packed import pack


class Answer(msgspec.Struct, frozen=True):
    """What a hand can do about a contract.

    When it `lays`: the best lay-down's `melds`, the contract's first, the `discard` (None in hand 15), and
    what is `left` with its points. When it does not: no melds, everything left, `short` cards have to come,
    and `parts` are what it has of the contract.
    """

    lays: bool
    melds: tuple[Meld, ...]
    discard: Card | None
    left: tuple[Card, ...]
    points_left: int
    short: int
    parts: tuple[Meld, ...] = ()


def solve(number: int, cards: Sequence[Card], *, extras: bool = True) -> Answer:
    """Return what *cards*, the drawn one included, can do about contract *number* (SGR-2 to SGR-6).

    Exact. The discard of hands 1 to 14 is compulsory, so the contract takes one card more than its own. With
    `extras=False` further sets and runs wait for a later turn (a house rule); melds still grow. `short` is
    the fewest new cards with which a hand of at least as many cards would lay; any others may be thrown for
    them. Raises BadInput for a contract or a hand that cannot be.
    """
    contract = get_contract(number)
    check_hand(cards)
    if contract.rest:
        return _all_at_once(contract, cards)
    hand = pack(cards)
    missing, parts = nearest(hand, contract)
    short = missing + (contract.cards - missing == hand.cards)
    if short:
        return _not_yet(cards, short, arrange_parts(hand, parts))
    best = lay_down(hand, contract, extras=extras)
    assert best is not None, "a contract that fits and leaves a card can be laid"
    melds, discard, left = arrange(hand, best[1])
    return Answer(True, melds, discard, left, best[0], 0)


def completing(number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards each of which would let *cards* lay contract *number*, from the 2 up.

    None when the hand lays already, or is more than one card short. In hand 15 a card that is in the way may
    be thrown for it.
    """
    contract = get_contract(number)
    check_hand(cards)
    if _lays(contract, cards):
        return ()
    bases = [(whole, base) for whole, base in _one_short(contract, cards) if fit(pack(base), whole, 1)]
    held = Counter(cards)
    return tuple(
        card
        for card in _EVERY_CARD
        if held[card] < COPIES and any(fit(pack((*base, card)), whole, 0) for whole, base in bases)
    )


_EVERY_CARD = tuple(in_order(Card(rank, suit) for rank in PLACES for suit in SUITS))


def _lays(contract: Contract, cards: Sequence[Card]) -> bool:
    """Return whether *cards* lay *contract*, a discard kept back where there is one."""
    if contract.rest:
        whole = _whole(contract, len(cards))
        return whole is not None and fit(pack(cards), whole, 0) is not None
    return len(cards) > contract.cards and fit(pack(cards), contract, 0) is not None


def _one_short(contract: Contract, cards: Sequence[Card]) -> Iterator[tuple[Contract, Sequence[Card]]]:
    """Yield what one card more could make a hand that lays, and the contract it would then have to be."""
    if not contract.rest:
        if len(cards) >= contract.cards:
            yield contract, cards
        return
    longer, whole = _whole(contract, len(cards) + 1), _whole(contract, len(cards))
    if longer:
        yield longer, cards
    if whole:
        for thrown in dict.fromkeys(cards):
            others = list(cards)
            others.remove(thrown)
            yield whole, others


def _whole(contract: Contract, cards: int) -> Contract | None:
    """Return hand 15's *contract* for a hand of so many cards, None if its run would be too long or short."""
    run_size = cards - contract.sets * contract.set_size
    return replace(contract, run_size=run_size) if contract.run_size <= run_size <= LONGEST else None


def _all_at_once(contract: Contract, cards: Sequence[Card]) -> Answer:
    hand = pack(cards)
    short = contract.cards + len(cards)
    parts: Parts = ()
    # A longer hand may be nearer: its run takes more wilds. It lacks at least what it is longer by.
    for count in range(max(len(cards), contract.cards), contract.cards + LONGEST):
        whole = _whole(contract, count)
        if whole is None or count - len(cards) >= short:
            break
        missing, found = nearest(hand, whole)
        if missing < short:
            short, parts = missing, found
    melds = arrange_parts(hand, parts)
    return _not_yet(cards, short, melds) if short else Answer(True, melds, None, (), 0, 0)


def _not_yet(cards: Sequence[Card], short: int, parts: tuple[Meld, ...]) -> Answer:
    return Answer(False, (), None, tuple(in_order(cards)), hand_points(cards), short, parts)
