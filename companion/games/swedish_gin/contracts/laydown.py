"""The best lay-down: the contract and what else may be laid in the same turn, with the fewest points left.

Cards are taken from the lowest up. Each starts a run or joins its rank's pool; a pool becomes sets, the pair,
the discard, or is left. A meld accepts a range of wilds, so twos are only counted: `spare` are those no meld
needs, `room` is how many of them the melds would take. Positions seen before are not searched again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lastnose.companion.games.swedish_gin.contracts.melds import Contract, Kind, points_at
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

_TWO = 25
NEVER = 1 << 30
_LEAST = 3  # of a further set or run (SGR-5)


class Laid(NamedTuple):
    """A meld of the lay-down: which naturals it has and how many twos it takes, from `least` to `most`.

    A set or pair is of `held` cards of the rank at `place` (2: twos alone, with no naturals). A run is told
    by `suit` and `core`; its own 2, if it has one, is among its twos. `wanted`: its size in the contract, 0
    for a further meld. `joins`: the number of the meld on the table that it is added to, none for a meld of
    its own.
    """

    kind: Kind
    wanted: int
    least: int
    most: int
    held: int = 0
    place: int = 0
    suit: int = 0
    core: Core | None = None
    joins: int | None = None


class LayDownPosition(NamedTuple):
    """Where the search stands.

    `naturals` are undecided; `pool` is what the rank at `place` has for sets; `sets`, `runs` and `pair` are
    still to be laid; `own` says which natural twos stand in runs, two bits a suit; `thrown`: whether the
    discard has been chosen.
    """

    naturals: int
    place: int
    pool: int
    sets: int
    runs: int
    pair: bool
    spare: int
    room: int
    own: int
    thrown: bool


# What a step adds: points that stay in hand, a meld or none, and where the search then stands.
Step = tuple[int, tuple[Laid, ...], LayDownPosition]
Plan = tuple[int, tuple[Laid, ...]]


def lay_down(hand: PackedHand, contract: Contract, *, extras: bool = True) -> Plan | None:
    """Return the fewest points that stay in *hand* when *contract* is laid, and the melds, or None.

    One card is discarded (SGR-6). Without *extras* no further set or run is laid, melds still grow.
    """
    cost, melds = Search(hand, contract, extras).best(begin(hand, contract))
    return None if cost >= NEVER else (cost, melds)


def begin(hand: PackedHand, contract: Contract) -> LayDownPosition:
    """Return where the search begins."""
    c, naturals = contract, hand.naturals
    return LayDownPosition(
        naturals, next_place(naturals), 0, c.sets, c.runs, c.pair, hand.wilds, 0, 0, thrown=False
    )


class Search:
    """The search, which remembers what it has found of every position.

    `joined`: for the place of each rank that lies as a set on the table, the number of that set.
    """

    def __init__(
        self, hand: PackedHand, contract: Contract, extras: bool, joined: Mapping[int, int] | None = None
    ) -> None:
        self.hand = hand
        self.contract = contract
        self.extras = extras
        self.joined = joined or {}
        self.known: dict[LayDownPosition, Plan] = {}

    def best(self, at: LayDownPosition) -> Plan:
        """Return the fewest points left from *at* on, and the melds."""
        if not at.naturals and not at.pool:
            return self.finish(at)
        if at in self.known:
            return self.known[at]
        best: Plan = (NEVER, ())
        if not self.hopeless(at):
            for left, melds, then in self.steps(at):
                if left < best[0]:
                    cost, more = self.best(then)
                    if left + cost < best[0]:
                        best = left + cost, melds + more
        self.known[at] = best
        return best

    def hopeless(self, at: LayDownPosition) -> bool:
        """Return whether too few cards are left for what is still to be laid."""
        c = self.contract
        wanted = at.sets * c.set_size + at.runs * c.run_size + 2 * at.pair
        return wanted > at.spare + at.pool + size(at.naturals)

    def steps(self, at: LayDownPosition) -> Iterator[Step]:
        here = at_rank(at.naturals, at.place)
        return self.card_steps(at, here) if here else self.pool_steps(at)

    def finish(self, at: LayDownPosition) -> Plan:
        """Return what becomes of the twos when no natural is left to decide."""
        c, spare, room = self.contract, at.spare, at.room
        melds: list[Laid] = []
        if at.runs:
            return NEVER, ()
        if at.pair:
            spare -= 2
            melds.append(Laid("pair", 2, 2, 2, place=2))
        for _ in range(at.sets):
            spare -= c.set_size
            room = NEVER
            melds.append(Laid("set", c.set_size, c.set_size, NEVER, place=2))
        spare -= not at.thrown
        if spare < 0:
            return NEVER, ()
        if self.extras and spare > room and spare >= _LEAST:
            melds.append(Laid("set", 0, _LEAST, NEVER, place=2))
            room = NEVER
        return _TWO * max(0, spare - room), tuple(melds)

    def card_steps(self, at: LayDownPosition, here: int) -> Iterator[Step]:
        """Let the lowest card start a run, or join the pool of its rank."""
        suit = ((here & -here).bit_length() - 1) // 2
        own = self.hand.twos[suit] > (at.own >> 2 * suit & 3)
        for core in cores(places_of(at.naturals, suit), at.spare, own) if at.runs or self.extras else ():
            for laid in self.roles(at, suit, core):
                then = at._replace(
                    naturals=at.naturals - (core.packed << 2 * suit),
                    runs=at.runs - (laid.wanted > 0),
                    own=at.own + (core.own << 2 * suit),
                )
                yield 0, (laid,), with_twos(then, laid.least, laid.most)
        yield 0, (), at._replace(naturals=at.naturals - bit(at.place, suit), pool=at.pool + 1)

    def roles(self, at: LayDownPosition, suit: int, core: Core) -> Iterator[Laid]:
        """Yield *core* as a run of the contract and, where that is worth it, as a further run."""
        k, most = self.contract.run_size, core.most_wilds
        further = core.least_wilds(_LEAST)
        wilds = core.least_wilds(k)
        in_contract = at.runs and core.holds(k) and wilds <= most
        for wanted, least in ((k, wilds), (0, further)):
            if (wanted and not in_contract) or (
                not wanted and (not self.extras or (in_contract and further == wilds))
            ):
                continue
            if least <= most and least + core.own <= at.spare:
                yield Laid("run", wanted, least + core.own, most + core.own, suit=suit, core=core)

    def pool_steps(self, at: LayDownPosition) -> Iterator[Step]:
        """Make sets, the pair and the discard from the pool of a rank, or leave it, and go on to the next."""
        then = at._replace(place=next_place(at.naturals), pool=0)
        for pair in (True, False) if at.pair and at.pool >= 2 else (False,):
            melds = (Laid("pair", 2, 0, 0, 2, at.place),) if pair else ()
            paired = then._replace(pair=at.pair and not pair)
            for thrown in (False, True) if not at.thrown and at.pool > 2 * pair else (False,):
                pool = at.pool - 2 * pair - thrown
                for left, sets, position in self.set_steps(
                    paired._replace(thrown=at.thrown or thrown), at.place, pool
                ):
                    yield left, melds + sets, position

    def set_steps(self, then: LayDownPosition, place: int, pool: int) -> Iterator[Step]:
        """Make the contract's sets from *pool*, or one further set, or leave it."""
        k = self.contract.set_size
        for number in range(1, then.sets + 1):
            sets = tuple(_set(k, place, (pool + extra) // number) for extra in range(number))
            least, most = sum(laid.least for laid in sets), sum(laid.most for laid in sets)
            if all(laid.least <= laid.most for laid in sets) and least <= then.spare:
                yield 0, sets, with_twos(then._replace(sets=then.sets - number), least, most)
        if self.extras and pool > 1:
            further = _set(_LEAST, place, pool)._replace(wanted=0)
            if further.least <= then.spare:
                yield 0, (further,), with_twos(then, further.least, further.most)
        if pool and place in self.joined:
            added = Laid("set", 0, 0, pool, pool, place, joins=self.joined[place])
            yield 0, (added,), with_twos(then, 0, pool)
        else:
            yield pool * points_at(place), (), then


def _set(wanted: int, place: int, count: int) -> Laid:
    """Return a set with *count* naturals: as many wilds as it wants, and fewer than naturals (SGR-4)."""
    return Laid("set", wanted, max(0, wanted - count), count - 1, count, place)


def with_twos(at: LayDownPosition, least: int, most: int) -> LayDownPosition:
    """Return *at* after a meld that needs *least* twos and accepts *most*; room beyond need is not kept."""
    spare = at.spare - least
    return at._replace(spare=spare, room=min(spare, at.room + most - least))
