"""Who sits where: tables of equal size in which people meet as many others as they can. Pure.

A round is a tuple of tables, a table a tuple of entrants (numbers of your own). The search starts from
an arrangement in which entrant (column, row) sits in round k at table row + k × column, where nobody meets
twice if the number of tables is a prime that no table outnumbers; then it mends what is not as it should be,
one swap at a time. What cannot be mended (a table seats more than there are tables) it leaves as rare as it
can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from companion.core.errors import BadInput
from companion.core.text import text

Seats = tuple[tuple[int, ...], ...]
APART = 20  # as often as if they had met so often: who should not meet, as of one family
SMALL = 3  # how many repeated meetings a second evening at a small table is worth
TRIED = 48  # other places that are looked at for one person who is to move
PATIENCE = 6_000  # moves in a row that mend nothing, after which the search ends
MOVES = 20_000  # at most: where people must meet again, more only takes longer


def sizes(people: int, tables: int) -> tuple[int, ...]:
    """Return how many sit at each table: they differ by one at most.

    >>> sizes(47, 9)
    (6, 6, 5, 5, 5, 5, 5, 5, 5)
    """
    each, over = divmod(people, tables)
    return tuple(each + (number < over) for number in range(tables))


def meetings(rounds: Iterable[Seats]) -> Iterator[tuple[int, int]]:
    """Yield who meets whom in *rounds*, the smaller number first, as often as they do.

    >>> list(meetings([((3, 1), (2, 4)), ((1, 3),)]))
    [(1, 3), (2, 4), (1, 3)]
    """
    return (pair for one in rounds for table in one for pair in combinations(sorted(table), 2))


def repeats(rounds: Iterable[Seats]) -> int:
    """Return how many meetings are of two people who had met before.

    >>> repeats([((1, 2), (3, 4)), ((1, 2), (4, 3)), ((1, 3), (2, 4))])
    2
    """
    met: set[tuple[int, int]] = set()
    again = 0
    for pair in meetings(rounds):
        again += pair in met
        met.add(pair)
    return again


def draw(
    entrants: Sequence[int],
    tables: int,
    rounds: int,
    *,
    random: Random,
    before: Sequence[Seats] = (),
    apart: Mapping[tuple[int, int], int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Seats, ...]:
    """Return *rounds* rounds for *entrants* at *tables* tables.

    *before* are rounds played already; *apart* says of pairs (the smaller number first) how many repeated
    meetings it is worth that they do not meet. *progress* is told how much there was to mend and how much
    is left. The same *random* draws the same. Raises BadInput for tables with fewer than two people.
    """
    if len(entrants) < 2 * tables or tables < 1:
        raise BadInput(
            text(
                "{n} people are too few for {tables} tables: at each at least two play.",
                n=len(entrants),
                tables=tables,
            )
        )
    plan = _Plan(entrants, tables, rounds, random, before, apart or {})
    plan.mend(progress)
    return plan.seats()


def amended(
    drawn: Sequence[Seats], entrants: Sequence[int], weights: Mapping[tuple[int, int], int]
) -> tuple[Seats, ...]:
    """Return the rounds *drawn* for *entrants*, in which all keep table and seat but for very few.

    Who has gone leaves a chair empty; who has come sits at a smallest table, with those they meet least;
    then some change tables until sizes differ by one at most. *weights* says of pairs (the smaller number
    first) how often they have met, and what keeps them apart as if they had.
    """
    out: list[Seats] = []
    for k, one in enumerate(drawn):
        met = Counter(weights)
        met.update(meetings((*out, *drawn[k + 1 :])))
        out.append(_amended(one, entrants, met))
    return tuple(out)


def _amended(drawn: Seats, entrants: Sequence[int], met: Mapping[tuple[int, int], int]) -> Seats:
    def again(one: int, table: Iterable[int]) -> int:
        return sum(met[min(one, other), max(one, other)] for other in table if other != one)

    there, seated = set(entrants), {one for table in drawn for one in table}
    tables = [[one for one in table if one in there] for table in drawn]
    for one in (one for one in entrants if one not in seated):
        table = min(tables, key=lambda table: (len(table), again(one, table)))
        table.append(one)
        _part(one, table, tables, again)
    while len(most := max(tables, key=len)) > len(least := min(tables, key=len)) + 1:
        one = min(most, key=lambda one: again(one, least) - again(one, most))
        most.remove(one)
        least.append(one)
    return tuple(map(tuple, tables))


def _part(
    one: int, table: list[int], tables: list[list[int]], again: Callable[[int, Iterable[int]], int]
) -> None:
    """Let *one*, at *table*, change places with somebody where that parts who should not meet at all."""
    if again(one, table) < APART:
        return

    def cost(other: int, there: list[int]) -> int:
        mine, theirs = set(table) - {one} | {other}, set(there) - {other} | {one}
        return again(one, theirs) + again(other, mine) - again(one, table) - again(other, there)

    swaps = ((cost(other, there), other, there) for there in tables if there is not table for other in there)
    best, other, there = min(swaps, key=lambda swap: swap[0], default=(0, one, table))
    if best < 0:
        table[table.index(one)], there[there.index(other)] = other, one


class _Plan:
    """The rounds that are being drawn, with how often each pair meets in them and before.

    Entrants are known by their place in `_names`; `_met[a][b]` is how often a and b meet, with what keeps
    them apart as if they had met already.
    """

    def __init__(
        self,
        entrants: Sequence[int],
        tables: int,
        rounds: int,
        random: Random,
        before: Sequence[Seats],
        apart: Mapping[tuple[int, int], int],
    ) -> None:
        self._names = list(entrants)
        random.shuffle(self._names)
        self._random = random
        self._tables = tables
        n = len(self._names)
        places = {name: place for place, name in enumerate(self._names)}
        self._met = [bytearray(n) for _ in range(n)]
        for (one, other), weight in apart.items():
            if one in places and other in places:
                self._count(places[one], places[other], min(weight, 40))
        self._small = [0] * n  # evenings at a small table
        for old in before:
            self._count_round([[places[name] for name in table if name in places] for table in old])
            least = max(map(len, old), default=0)
            for table in old:
                if len(table) < least:
                    for name in table:
                        if name in places:
                            self._small[places[name]] += 1
        self._rounds = [self._begin(k) for k in range(rounds)]
        for drawn in self._rounds:
            self._count_round(drawn)
            for place in self._at_small_tables(drawn):
                self._small[place] += 1

    def _begin(self, k: int) -> list[list[int]]:
        """Return the arrangement to start round *k* from."""
        tables: list[list[int]] = [[] for _ in range(self._tables)]
        for place in range(len(self._names)):
            column, row = divmod(place, self._tables)
            tables[(row + k * column) % self._tables].append(place)
        return tables

    def _at_small_tables(self, one: list[list[int]]) -> Iterator[int]:
        most = max(map(len, one))
        for table in one:
            if len(table) < most:
                yield from table

    def _count(self, one: int, other: int, by: int) -> None:
        self._met[one][other] += by
        self._met[other][one] += by

    def _count_round(self, tables: list[list[int]]) -> None:
        for table in tables:
            for one, other in combinations(table, 2):
                self._count(one, other, 1)

    def seats(self) -> tuple[Seats, ...]:
        """Return the rounds, in an order at each table that is left to chance."""
        out: list[Seats] = []
        for one in self._rounds:
            for table in one:
                self._random.shuffle(table)
            out.append(tuple(tuple(self._names[place] for place in table) for table in one))
        return tuple(out)

    # ---- mending

    def _faults(self) -> list[tuple[int, int, int]]:
        """Return (round, table, entrant) for who meets somebody again, or is at a small table again."""
        found = []
        for k, one in enumerate(self._rounds):
            most = max(map(len, one))
            for number, table in enumerate(one):
                for place in table:
                    met = self._met[place]
                    if any(met[other] > 1 for other in table if other != place) or (
                        len(table) < most and self._small[place] > 1
                    ):
                        found.append((k, number, place))
        return found

    def mend(self, progress: Callable[[int, int], None] | None) -> None:
        """Swap people until nothing is at fault, or nothing has got better for long."""
        faults = self._faults()
        whole, idle, left = len(faults), 0, MOVES
        while faults and idle < PATIENCE and left:
            if progress is not None:
                progress(whole, len(faults))
            self._random.shuffle(faults)
            for k, number, place in faults:
                if place in self._rounds[k][number]:
                    gain = self._move(k, number, place)
                    idle = 0 if gain < 0 else idle + 1
                    left -= 1
                if idle >= PATIENCE or not left:
                    break
            faults = self._faults()
        if progress is not None:
            progress(whole, len(faults))

    def _move(self, k: int, number: int, place: int) -> int:
        """Swap *place* with whoever is best for it; return by how much the cost changed (never up)."""
        one = self._rounds[k]
        best, found = 1, None
        for _ in range(TRIED):
            there = self._random.randrange(len(one))
            if there == number:
                continue
            seat = self._random.randrange(len(one[there]))
            cost = self._cost_of_swap(one, number, place, there, one[there][seat])
            if cost < best:
                best, found = cost, (there, seat)
        if found is None:
            return 0
        there, seat = found
        self._swap(one, number, place, there, seat)
        return best

    def _cost_of_swap(self, one: list[list[int]], here: int, a: int, there: int, b: int) -> int:
        """Return what it costs to let *a* (at *here*) and *b* (at *there*) change places."""
        met_a, met_b = self._met[a], self._met[b]
        cost = 0
        for x in one[here]:
            if x != a:
                cost += met_b[x] - met_a[x] + 1
        for x in one[there]:
            if x != b:
                cost += met_a[x] - met_b[x] + 1
        if len(one[here]) != len(one[there]):
            small, big = (a, b) if len(one[here]) < len(one[there]) else (b, a)
            cost += SMALL * (self._small[big] - self._small[small] + 1)
        return cost

    def _swap(self, one: list[list[int]], here: int, a: int, there: int, seat: int) -> None:
        b = one[there][seat]
        mine, theirs = one[here], one[there]
        for x in mine:
            if x != a:
                self._count(a, x, -1)
                self._count(b, x, 1)
        for x in theirs:
            if x != b:
                self._count(b, x, -1)
                self._count(a, x, 1)
        mine[mine.index(a)] = b
        theirs[seat] = a
        if len(mine) != len(theirs):
            small, big = (a, b) if len(mine) < len(theirs) else (b, a)
            self._small[small] -= 1
            self._small[big] += 1
