"""Who sits where: tables of equal size in which people meet as many others as they can. Pure.

A round is a tuple of tables, a table a tuple of entrants (numbers of your own). The search starts from a plan
in which nobody meets twice, where one is known (`plans`), with families in its columns, whose people never
meet; then it mends what is not as it should be, one swap at a time, and begins again elsewhere where that
does not end well. What cannot be mended (a table seats more than there are tables) it leaves as rare as it
can; `bound` says below what nobody comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random

from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text
from lastnose.companion.hall.plans import plan

Seats = tuple[tuple[int, ...], ...]
APART = 20  # as often as if they had met so often: who should not meet, as of one family
SMALL = 3  # how many repeated meetings a second evening at a small table is worth
TRIED = 48  # other places that are looked at for one person who is to move
PATIENCE = 6_000  # moves in a row that mend nothing, after which the search ends,
A_SEAT = 10  # or so many for each seat of the evening: few people are soon through with each other
MOVES = 20_000  # at most: where people must meet again, more only takes longer
AGAIN = 4  # so often it begins, at most, with fewer people than MANY; twice as often with TRIED or fewer
MANY = 300


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
    best: tuple[int, tuple[Seats, ...]] | None = None
    told = _Told(progress)
    for _ in range(AGAIN * (1 + (len(entrants) <= TRIED)) if len(entrants) < MANY else 1):
        made = _Plan(entrants, tables, rounds, random, before, apart or {})
        made.mend(told)
        cost = made.cost
        if best is None or cost < best[0]:
            best = cost, made.seats()
        if cost <= bound(len(entrants), tables, rounds):
            break
    assert best is not None
    return best[1]


class _Told:
    """Tells how much there was to mend at first, and the least that was ever left."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress = progress
        self._whole = self._left = -1

    def __call__(self, whole: int, left: int) -> None:
        if self._whole < 0:
            self._whole = self._left = whole
        self._left = min(self._left, left)
        if self._progress is not None:
            self._progress(self._whole, self._left)


def bound(people: int, tables: int, rounds: int) -> int:
    """Return how many meetings are second ones at least, in so many rounds of tables of equal size.

    >>> bound(6, 2, 2), bound(56, 8, 5), bound(15, 5, 8), bound(12, 2, 30)
    (2, 0, 15, 834)
    """
    seated = sizes(people, tables)
    meetings_ = rounds * sum(n * (n - 1) // 2 for n in seated)
    # People who sat together: of a table that seats more than there were tables some come from one of those.
    pairs = sum(_at_least_together(n, tables) for n in seated)
    return max(0, meetings_ - people * (people - 1) // 2, (rounds - 1) * pairs)


def _at_least_together(people: int, tables: int) -> int:
    """Return how many pairs of *people* sat at one table, if they came from *tables* of them."""
    each, over = divmod(people, tables)
    return (tables - over) * each * (each - 1) // 2 + over * each * (each + 1) // 2


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


def _by_columns(
    names: list[int], tables: int, apart: Mapping[tuple[int, int], int], random: Random
) -> list[int]:
    """Return *names* in an order of chance, in which those who should be apart are in columns of *tables*."""
    random.shuffle(names)
    near: dict[int, list[int]] = {one: [] for one in names}
    for (one, other), weight in sorted(apart.items(), key=lambda item: item[1]):  # families last, so first
        if one in near and other in near and weight:
            near[one].append(other)
            near[other].append(one)
    order: list[int] = []
    seen: set[int] = set()
    groups = []
    for name in names:
        group, new = [], [name]
        while new:
            one = new.pop()
            if one not in seen:
                seen.add(one)
                group.append(one)
                new += near[one]
        groups.append(group)
    columns: list[list[int]] = [[] for _ in range(-(-len(names) // tables))]
    room = [tables] * (len(columns) - 1) + [len(names) - tables * (len(columns) - 1)]
    for group in sorted(groups, key=len, reverse=True):
        for one in group:
            last = next((n for n, column in enumerate(columns) if column and column[-1] in group), -1)
            most = max(range(len(columns)), key=lambda n: room[n] - len(columns[n]))
            at = last if last >= 0 and len(columns[last]) < room[last] else most
            columns[at].append(one)
    for column in columns:
        order += column
    return order


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
        self._names = _by_columns(list(entrants), tables, apart, random)
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
        columns = -(-n // tables)
        known = islice(plan(tables, columns, full=n == tables * columns), rounds)
        self._rounds = [[[x for x in table if x < n] for table in one] for one in known]
        random.shuffle(self._rounds)
        self._rounds += [self._begin(k) for k in range(len(self._rounds), rounds)]
        for drawn in self._rounds:
            self._count_round(drawn)
            for place in self._at_small_tables(drawn):
                self._small[place] += 1

    def _begin(self, k: int) -> list[list[int]]:
        """Return the arrangement to start round *k* from, of which no plan is known."""
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

    @property
    def cost(self) -> int:
        """How many meetings are second ones, with what else should not be, as many as it is worth."""
        pairs = {
            (min(pair), max(pair))
            for drawn in self._rounds
            for table in drawn
            for pair in combinations(table, 2)
        }
        return sum(self._met[one][other] - 1 for one, other in pairs) + SMALL * sum(
            max(0, n - 1) for n in self._small
        )

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

    def mend(self, progress: Callable[[int, int], None]) -> None:
        """Swap people until nothing is at fault, or nothing has got better for long."""
        faults = self._faults()
        whole, idle, left = len(faults), 0, MOVES
        patience = min(PATIENCE, A_SEAT * len(self._names) * len(self._rounds))
        while faults and idle < patience and left:
            progress(whole, len(faults))
            self._random.shuffle(faults)
            for k, number, place in faults:
                if place in self._rounds[k][number]:
                    gain = self._move(k, number, place)
                    idle = 0 if gain < 0 else idle + 1
                    left -= 1
                if idle >= patience or not left:
                    break
            faults = self._faults()
        progress(whole, len(faults))

    def _move(self, k: int, number: int, place: int) -> int:
        """Swap *place* with whoever is best for it; return by how much the cost changed (never up)."""
        one = self._rounds[k]
        best, found = 1, None
        for there, seat in self._elsewhere(one, number):
            cost = self._cost_of_swap(one, number, place, there, one[there][seat])
            if cost < best:
                best, found = cost, (there, seat)
        if found is None:
            return 0
        there, seat = found
        self._swap(one, number, place, there, seat)
        return best

    def _elsewhere(self, one: list[list[int]], number: int) -> list[tuple[int, int]]:
        """Return places at other tables than *number*: all, from where chance says on, or TRIED of chance."""
        chance = self._random.random
        if len(self._names) > TRIED:
            tables = [int(chance() * len(one)) for _ in range(TRIED)]
            return [(there, int(chance() * len(one[there]))) for there in tables if there != number]
        places = [
            (there, seat) for there, table in enumerate(one) if there != number for seat in range(len(table))
        ]
        begin = int(chance() * len(places))
        return places[begin:] + places[:begin]

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
