"""How near a hand is to its contract: the fewest cards it is short of, and the melds that it has so far.

Cards are taken from the lowest up. Each starts a run or joins its rank's pool; a pool becomes sets, the pair,
or is left. Twos are kept apart: a meld of size k takes up to (k - 1) // 2 of them as wilds, and what naturals
and twos do not fill is missing. The search allows no card to be missing, then one, then two, so the first
answer is the best; failed positions are remembered.

That the missing cards can be had at all needs no look at the packs: melds that want the same card can be
exchanged for others that want one still to be had, or take a wild. The tests hold this against a search that
does count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lastnose.companion.games.swedish_gin.contracts.melds import HIGHEST, TWOS, Contract, Kind
from lastnose.companion.games.swedish_gin.contracts.packed import (
    Core,
    PackedHand,
    at_rank,
    bit,
    cores,
    next_place,
    places_of,
    size,
)


class Part(NamedTuple):
    """What a hand has of one meld that shall be `wanted` cards: `held` naturals, and room for `twos`.

    A set or pair is of the rank at `place`; a run is told by `suit` and `core` (its own 2 is among `twos`).
    A meld without naturals has none of these.
    """

    kind: Kind
    wanted: int
    held: int = 0
    twos: int = 0
    place: int = 0
    suit: int = 0
    core: Core | None = None


class NearestPosition(NamedTuple):
    """Where the search stands.

    `naturals` are undecided; `pool` is what the rank at `place` has for sets; `sets`, `runs` and `pair` are
    still to be begun; `open` places are without a natural in the melds begun; `room` is how many twos can
    fill some of them; `own` says which natural twos stand in runs, two bits a suit.
    """

    naturals: int
    place: int
    pool: int
    sets: int
    runs: int
    pair: bool
    open: int
    room: int
    own: int


Parts = tuple[Part, ...]


def nearest(hand: PackedHand, contract: Contract) -> tuple[int, Parts]:
    """Return how many cards of *contract*, at exactly its size, *hand* lacks, and the parts it has.

    Without the discard: that is for the caller to count.
    """
    for missing in range(max(0, contract.cards - hand.cards), contract.cards + 1):
        parts = fit(hand, contract, missing)
        if parts is not None:
            return missing, parts
    raise AssertionError("a hand of nothing lacks the whole contract and no more")


def fit(hand: PackedHand, contract: Contract, missing: int) -> Parts | None:
    """Return parts of *contract* with which *hand* lacks at most *missing* cards, None if there are none."""
    naturals = hand.naturals
    start = NearestPosition(
        naturals, next_place(naturals), 0, contract.sets, contract.runs, contract.pair, open=0, room=0, own=0
    )
    return _Search(hand, contract, missing).search(start)


class _Search:
    def __init__(self, hand: PackedHand, contract: Contract, missing: int) -> None:
        self.contract = contract
        self.missing = missing
        self.twos = hand.twos
        self.wilds = hand.wilds
        self.failed: set[NearestPosition] = set()
        self.set_gap, self.run_gap = _gaps(hand, contract)

    def search(self, at: NearestPosition) -> Parts | None:
        """Return the parts that finish *at*, None if nothing does."""
        if at in self.failed or self.hopeless(at):
            return None
        if not at.naturals and not at.pool:
            found = self.finish(at)
        elif here := at_rank(at.naturals, at.place):
            found = self.decide_card(at, here)
        else:
            found = self.decide_pool(at)
        if found is None:
            self.failed.add(at)
        return found

    def hopeless(self, at: NearestPosition) -> bool:
        """Return whether too few cards are left for what is still wanted, however they fall."""
        c, fill = self.contract, self.wilds + self.missing
        if at.open - min(at.room, self.wilds) > self.missing:
            return True
        gaps = at.sets * self.set_gap[at.place] + at.runs * self.run_gap[at.place]
        unbegun = at.sets * c.set_size + at.runs * c.run_size + 2 * at.pair
        return at.open + max(gaps, unbegun - at.pool - size(at.naturals)) > fill

    def finish(self, at: NearestPosition) -> Parts | None:
        """Return melds of twos alone, or of nothing, for what has not been begun, if that is enough."""
        melds = tuple(self.of_twos(at))
        room = at.room + sum(meld.twos for meld in melds)
        wanted = at.open + sum(meld.wanted for meld in melds)
        return melds if wanted - min(room, self.wilds) <= self.missing else None

    def of_twos(self, at: NearestPosition) -> Iterator[Part]:
        c = self.contract
        # Twos alone are a set, but there are only eight of them.
        pure = min(at.sets, (TWOS - 2 * at.pair) // c.set_size)
        for number in range(at.sets):
            yield Part("set", c.set_size, twos=c.set_size if number < pure else _wild_room(c.set_size))
        own = self.wilds - size(at.own)
        for number in range(at.runs):
            yield Part("run", c.run_size, twos=_wild_room(c.run_size) + (number < own))
        if at.pair:
            yield Part("pair", 2, twos=2)

    def decide_card(self, at: NearestPosition, here: int) -> Parts | None:
        """Let the lowest card start a run, or join the pool of its rank."""
        suit = ((here & -here).bit_length() - 1) // 2
        naturals, place, pool, sets, runs, pair, open_, room, own = at
        if runs:
            k = self.contract.run_size
            has_own = self.twos[suit] > (own >> 2 * suit & 3)
            # A hole may wait for a card that is missing, so the twos at hand do not bound them.
            for core in cores(places_of(naturals, suit), self.wilds + self.missing, has_own, k):
                # A natural two is a two of the hand, but no wild: it adds to the room.
                takes = min(k - core.held, _wild_room(k) + core.own)
                then = NearestPosition(
                    naturals - (core.packed << 2 * suit),
                    place,
                    pool,
                    sets,
                    runs - 1,
                    pair,
                    open_ + k - core.held,
                    room + takes,
                    own + (core.own << 2 * suit),
                )
                found = self.search(then)
                if found is not None:
                    return (Part("run", k, core.held, takes, suit=suit, core=core), *found)
        return self.search(
            NearestPosition(naturals - bit(place, suit), place, pool + 1, sets, runs, pair, open_, room, own)
        )

    def decide_pool(self, at: NearestPosition) -> Parts | None:
        """Make sets and the pair from the pool of a rank that has been decided, and go on to the next."""
        naturals, place, pool, sets, runs, pair, open_, room, own = at
        onward = next_place(naturals)
        for paired in (min(pool, 2), 0) if pair and pool else (0,):
            for number in range(min(sets, pool - paired), -1, -1):
                melds = self.from_pool(place, pool - paired, number)
                if paired:
                    melds = (*melds, Part("pair", 2, paired, place=place))
                then = NearestPosition(
                    naturals,
                    onward,
                    0,
                    sets - number,
                    runs,
                    pair and not paired,
                    open_ + sum([meld.wanted - meld.held for meld in melds]),
                    room + sum([meld.twos for meld in melds]),
                    own,
                )
                found = self.search(then)
                if found is not None:
                    return melds + found
        return None

    def from_pool(self, place: int, pool: int, sets: int) -> Parts:
        """Return *sets* sets of the rank at *place* that share its *pool* evenly."""
        k = self.contract.set_size
        shares = [min(k, (pool + number) // sets) for number in range(sets)]
        return tuple([Part("set", k, share, min(k - share, _wild_room(k)), place=place) for share in shares])


def _wild_room(meld_size: int) -> int:
    """Return how many wilds a meld of *meld_size* takes: naturals outnumber them (SGR-4)."""
    return (meld_size - 1) // 2


def _gaps(hand: PackedHand, contract: Contract) -> tuple[list[int], list[int]]:
    """Return how many naturals the best set and the best run that begin at each place or above lack."""
    ranks = [0] * (HIGHEST + 2)
    windows = [0] * (HIGHEST + 2)
    masks = [places_of(hand.naturals, suit) for suit in range(4)]
    window = (1 << contract.run_size) - 1
    for place in range(HIGHEST, 0, -1):
        here = size(at_rank(hand.naturals, place)) if place > 2 else 0
        ranks[place] = max(ranks[place + 1], here)
        spread = max((mask >> place & window).bit_count() for mask in masks)
        windows[place] = max(windows[place + 1], spread)
    return (
        [max(0, contract.set_size - best) for best in ranks],
        [max(0, contract.run_size - best) for best in windows],
    )
