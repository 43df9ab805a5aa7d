"""From what the solver counted to cards: which two stands where, what is left, and which is the discard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastnose.companion.games.pieces.cards import SUITS, Card
from lastnose.companion.games.swedish_gin.contracts.laydown import Laid
from lastnose.companion.games.swedish_gin.contracts.melds import (
    HIGHEST,
    LOWEST,
    RANK_AT,
    Meld,
    card_points,
    in_order,
)
from lastnose.companion.games.swedish_gin.contracts.nearest import Part
from lastnose.companion.games.swedish_gin.contracts.packed import (
    Core,
    PackedHand,
    at_rank,
    bit,
    cards_at,
    unpack,
)

_ORDER = ("set", "run", "pair")


class _Table:
    """The cards of a hand, to be taken away meld by meld."""

    def __init__(self, hand: PackedHand, runs: Sequence[tuple[Core, int]]) -> None:
        """Set aside the naturals of *runs* (core and suit), their own twos among them."""
        self.naturals = hand.naturals - sum(core.packed << 2 * suit for core, suit in runs)
        twos = list(hand.twos)
        for core, suit in runs:
            twos[suit] -= core.own
        self.twos = [Card("2", SUITS[suit]) for suit, count in enumerate(twos) for _ in range(count)]

    def take(self, place: int, count: int) -> tuple[Card, ...]:
        """Take *count* cards of the rank at *place*."""
        taken = tuple(cards_at(at_rank(self.naturals, place), place))[:count] if count else ()
        self.naturals -= sum(bit(place, SUITS.index(card.suit)) for card in taken)
        return taken

    def take_twos(self, count: int) -> tuple[Card, ...]:
        """Take *count* twos that stand in no run of their own suit, or as many as there are."""
        taken, self.twos = self.twos[:count], self.twos[count:]
        return tuple(taken)

    def rest(self) -> tuple[Card, ...]:
        """Return what has not been taken."""
        return tuple(in_order([*unpack(self.naturals), *self.twos]))


class Arranged(NamedTuple):
    """What a plan comes to: the `melds`, the contract's first, the `discard`, and what is `left`.

    `added` says which naturals and which twos go to which melds on the table.
    """

    melds: tuple[Meld, ...]
    discard: Card
    left: tuple[Card, ...]
    added: tuple[tuple[int, tuple[Card, ...], tuple[Card, ...]], ...] = ()


def arrange(hand: PackedHand, plan: Sequence[Laid]) -> Arranged:
    """Return the melds of *plan*, the discard, and what stays in hand."""
    plan = sorted(plan, key=lambda laid: not laid.wanted)
    table = _Table(hand, [(laid.core, laid.suit) for laid in plan if laid.core])
    naturals = [table.take(laid.place, laid.held) for laid in plan]
    own = [laid.core is not None and bool(laid.core.own) for laid in plan]
    spare = len(table.twos) - sum(laid.least - mine for laid, mine in zip(plan, own, strict=True))
    if not table.naturals:
        spare -= 1  # the discard
    melds, added = [], []
    for laid, taken, mine in zip(plan, naturals, own, strict=True):
        more = min(spare, laid.most - laid.least)
        spare -= more
        twos = table.take_twos(laid.least - mine + more)
        if laid.joins is None:
            melds.append(_meld(laid, taken, twos))
        elif laid.core or taken or twos:
            added.append((laid.joins, taken or _naturals(laid), twos))
    rest = table.rest()
    discard = max(rest, key=card_points)
    left = list(rest)
    left.remove(discard)
    return Arranged(tuple(melds), discard, tuple(left), tuple(added))


def _naturals(laid: Laid | Part) -> tuple[Card, ...]:
    """Return the naturals of a run's core, those of its own suit's two among them."""
    places = laid.core.places if laid.core else 0
    return tuple(
        Card(RANK_AT[place], SUITS[laid.suit]) for place in range(LOWEST, HIGHEST + 1) if places >> place & 1
    )


def _meld(laid: Laid, taken: tuple[Card, ...], twos: tuple[Card, ...]) -> Meld:
    if laid.core:
        return lay_run(laid.core, laid.suit, twos)
    wilds = () if laid.place == LOWEST else range(len(taken), len(taken) + len(twos))
    return Meld(laid.kind, (*taken, *twos), tuple(wilds))


def lay_run(core: Core, suit: int, twos: Sequence[Card]) -> Meld:
    """Return the run of *core*: *twos* fill its holes, then lengthen it, upwards first."""
    first = core.first
    last = first + core.span - 1
    more = len(twos) - (core.span - core.naturals)
    above = min(more, HIGHEST - last)
    first, last = first - (more - above), last + above
    wild = iter(twos)
    natural = [bool(core.places >> place & 1) for place in range(first, last + 1)]
    cards = tuple(
        Card(RANK_AT[first + index], SUITS[suit]) if is_natural else next(wild)
        for index, is_natural in enumerate(natural)
    )
    wilds = tuple(index for index, is_natural in enumerate(natural) if not is_natural)
    return Meld("run", cards, wilds, RANK_AT[first])


def arrange_parts(hand: PackedHand, parts: Sequence[Part]) -> tuple[Meld, ...]:
    """Return what *hand* has of each meld of its contract; a complete one lies as it would on the table."""
    parts = sorted(parts, key=lambda part: _ORDER.index(part.kind))
    table = _Table(hand, [(part.core, part.suit) for part in parts if part.core])
    return tuple(_part(table, part) for part in parts)


def _part(table: _Table, part: Part) -> Meld:
    own = part.core is not None and bool(part.core.own)
    taken = table.take(part.place, part.held) if not part.core else ()
    twos = table.take_twos(part.twos - own)
    missing = part.wanted - part.held - own - len(twos)
    if part.core and not missing:
        return lay_run(part.core, part.suit, twos)
    if part.core:
        taken = _naturals(part)
    pure = not taken and part.twos >= part.wanted
    wilds = () if pure else range(len(taken), len(taken) + len(twos))
    return Meld(part.kind, (*taken, *twos), tuple(wilds), missing=missing)
