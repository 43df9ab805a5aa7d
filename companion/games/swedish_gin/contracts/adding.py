"""What a hand can add to melds on the table, together with all that it lays itself: the fewest points left.

Exact (SGR-4, SGR-5). Naturals of a set's rank join it; runs are lengthened at their ends, holes on the way
filled with twos. Each way to lengthen the runs is tried, and the rest is left to the search of the lay-down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text
from lastnose.companion.games.pieces.cards import SUITS, Card, row, shown
from lastnose.companion.games.swedish_gin.contracts.arrange import Arranged
from lastnose.companion.games.swedish_gin.contracts.laydown import (
    NEVER,
    Laid,
    LayDownPosition,
    Plan,
    Search,
    begin,
    with_twos,
)
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld
from lastnose.companion.games.swedish_gin.contracts.melds import (
    HIGHEST,
    LONGEST,
    LOWEST,
    PLACES,
    RANK_AT,
    Contract,
    Kind,
    Meld,
)
from lastnose.companion.games.swedish_gin.contracts.packed import PackedHand, core_of, next_place, places_of

MOST_MELDS = 24


class Lying(NamedTuple):
    """A meld on the table: a set of the rank at `place`, or a run of `suit` from `first` to `last`.

    `room`: how many twos more it would take as it lies.
    """

    kind: Kind
    meld: Meld
    room: int
    place: int = 0
    suit: int = 0
    first: int = 0
    last: int = 0


class Addition(NamedTuple):
    """The `cards` that are added to `meld`, and for each the rank that it stands for if it is wild there."""

    meld: Meld
    cards: tuple[Card, ...]
    stands_for: tuple[str, ...]


def lying(cards: Sequence[Card], *, pair: bool = False) -> Lying:
    """Return the meld that *cards* are on the table, a run in the order given where it lies so.

    Raises BadInput that says why they are none.

    >>> from lastnose.companion.games.pieces.cards import read_cards
    >>> [lying(read_cards([written])).last for written in ("5S 6S 7S 2H", "2H 5S 6S 7S")]
    [8, 7]
    """
    ruling = judge_meld(cards, pair=pair)
    meld = ruling.meld
    if meld is None:
        raise BadInput(
            text("{cards} is not a meld on the table: {why}", cards=row([*map(shown, cards)]), why=ruling.why)
        )
    if meld.kind == "pair":
        return Lying("pair", meld, 0)
    if meld.kind == "set":
        naturals = len(meld.cards) - len(meld.wilds)
        place = PLACES[meld.cards[0].rank]
        return Lying("set", meld, NEVER if place == LOWEST else naturals - 1 - len(meld.wilds), place=place)
    meld = _in_order_given(cards, meld)
    first, wilds, size = PLACES[meld.first], len(meld.wilds), len(meld.cards)
    suit = next(SUITS.index(card.suit) for at, card in enumerate(meld.cards) if at not in meld.wilds)
    room = min(size - wilds - 1 - wilds, LONGEST - size)
    return Lying("run", meld, room, suit=suit, first=first, last=first + size - 1)


def _in_order_given(cards: Sequence[Card], meld: Meld) -> Meld:
    """Return the run *meld* with its wilds where *cards* have them, if in that order they are a run."""
    firsts = {PLACES[card.rank] - at for at, card in enumerate(cards) if PLACES[card.rank] != LOWEST}
    if len(firsts) != 1:
        return meld
    first = firsts.pop()
    if not LOWEST <= first <= HIGHEST - len(cards) + 1:
        return meld
    suit = next(card.suit for card in cards if PLACES[card.rank] != LOWEST)
    wilds = tuple(
        at
        for at, card in enumerate(cards)
        if PLACES[card.rank] == LOWEST and not (first + at == LOWEST and card.suit == suit)
    )
    return Meld("run", tuple(cards), wilds, RANK_AT[first])


def lay_and_add(hand: PackedHand, contract: Contract, table: Sequence[Lying], *, extras: bool) -> Plan | None:
    """Return the fewest points that stay in *hand* with melds on the *table* to add to, and what is laid.

    *contract* is laid first; one that wants nothing has been laid before. One card is discarded (SGR-6).
    """
    joined = {meld.place: number for number, meld in reversed([*enumerate(table)]) if meld.kind == "set"}
    runs = [(number, meld) for number, meld in enumerate(table) if meld.kind == "run"]
    search = _Adding(Search(hand, contract, extras, joined), hand, runs)
    # What the melds take as they lie: twos, without any natural.
    sets = tuple(
        Laid("set", 0, 0, meld.room, place=meld.place, joins=number)
        for number, meld in enumerate(table)
        if meld.kind == "set"
    )
    start = with_twos(begin(hand, contract), 0, sum(laid.most for laid in sets))
    cost, laid = search.best(0, start)
    return None if cost >= NEVER else (cost, (*laid, *sets))


class _Adding:
    """Every way to lengthen the runs on the table, one after the other, and what is best for the rest."""

    def __init__(self, search: Search, hand: PackedHand, runs: Sequence[tuple[int, Lying]]) -> None:
        self.search = search
        self.hand = hand
        self.runs = runs
        self.known: dict[tuple[int, LayDownPosition], Plan] = {}

    def best(self, index: int, at: LayDownPosition) -> Plan:
        """Return the best plan from *at*, the runs before *index* having been decided."""
        if index == len(self.runs):
            return self.search.best(at._replace(place=next_place(at.naturals)))
        if (index, at) in self.known:
            return self.known[index, at]
        best: Plan = (NEVER, ())
        for laid, then in self.ways(*self.runs[index], at):
            cost, more = self.best(index + 1, then)
            if cost < best[0]:
                best = cost, (laid, *more)
                if cost == 0:
                    break
        self.known[index, at] = best
        return best

    def ways(self, number: int, meld: Lying, at: LayDownPosition) -> Iterator[tuple[Laid, LayDownPosition]]:
        """Yield what may be added to the run *meld*, and where the search then stands."""
        suit = meld.suit
        places = places_of(at.naturals, suit)
        if self.hand.twos[suit] > (at.own >> 2 * suit & 3):
            places |= 1 << LOWEST
        size, wilds = len(meld.meld.cards), len(meld.meld.wilds)
        for mask, holes in sorted(_ends(meld, places, at.spare), key=lambda way: -way[0].bit_count()):
            added = mask.bit_count()
            most = min(size + added - 2 * wilds - 1, LONGEST - size - added)
            if holes > most:
                continue
            core = core_of(mask) if mask else None
            own = core.own if core else 0
            if holes + own > at.spare:
                continue
            laid = Laid("run", 0, holes + own, most + own, suit=suit, core=core, joins=number)
            then = at._replace(
                naturals=at.naturals - (core.packed << 2 * suit if core else 0),
                own=at.own + (own << 2 * suit),
            )
            yield laid, with_twos(then, laid.least, laid.most)


def _ends(meld: Lying, places: int, wilds: int) -> Iterator[tuple[int, int]]:
    """Yield which of *places* lengthen the run *meld*, and the holes that they leave, *wilds* at most."""
    below = [*_stretches(places, range(meld.first - 1, LOWEST - 1, -1), wilds)]
    for over, holes in _stretches(places, range(meld.last + 1, HIGHEST + 1), wilds):
        yield from ((over | under, holes + more) for under, more in below if holes + more <= wilds)


def _stretches(places: int, outward: range, wilds: int) -> Iterator[tuple[int, int]]:
    """Yield which of *places* are taken on the way *outward*, and the holes before the last that is."""
    ways = [(0, 0, 0)]  # what is taken, the holes before the last taken, the holes since
    yield 0, 0
    for place in outward:
        further = []
        for mask, holes, since in ways:
            if places >> place & 1:
                further.append((mask | 1 << place, holes + since, 0))
                yield mask | 1 << place, holes + since
            if holes + since < wilds:
                further.append((mask, holes, since + 1))
        ways = further


def additions(table: Sequence[Lying], arranged: Arranged) -> tuple[Addition, ...]:
    """Return what is added to each meld of the *table* that something is added to, as it comes to lie."""
    found = []
    for number, meld in enumerate(table):
        added = [one for one in arranged.added if one[0] == number]
        naturals = [card for _, cards, _ in added for card in cards]
        twos = [card for _, _, cards in added for card in cards]
        if naturals or twos:
            found.append(
                _lengthened(meld, naturals, twos) if meld.kind == "run" else _joined(meld, naturals, twos)
            )
    return tuple(found)


def _joined(meld: Lying, naturals: list[Card], twos: list[Card]) -> Addition:
    wild = "" if meld.place == LOWEST else RANK_AT[meld.place]
    return Addition(meld.meld, (*naturals, *twos), ("",) * len(naturals) + (wild,) * len(twos))


def _lengthened(meld: Lying, naturals: list[Card], twos: list[Card]) -> Addition:
    """Return a run's addition from the lowest place up: twos fill holes, then lengthen it upwards."""
    at = {PLACES[card.rank]: card for card in naturals}
    low, high = min([meld.first, *at]), max([meld.last, *at])
    holes = [
        place for place in range(low, high + 1) if not meld.first <= place <= meld.last and place not in at
    ]
    ends = [*range(high + 1, HIGHEST + 1), *range(low - 1, LOWEST - 1, -1)]
    wild = dict(zip([*holes, *ends], twos, strict=False))
    cards = {**at, **wild}
    order = sorted(cards)
    return Addition(
        meld.meld,
        tuple(cards[place] for place in order),
        tuple(RANK_AT[place] if place in wild else "" for place in order),
    )
