"""Who sits where: tables of equal size in which people meet as many others as they can. Pure.

A round is a tuple of tables, a table a tuple of entrants (numbers of your own). The search starts from a plan
in which nobody meets twice, where one is known, with families in its columns, whose people never
meet; then it repairs what is not as it should be, one swap at a time, and begins again elsewhere where that
does not end well. What cannot be repaired (a table seats more than there are tables) it leaves as rare as it
can; `bound` says below what nobody comes.

Plans are known by finite fields, and stored. Who is drawn is a column and a row. In round k the person in
column c and row r sits at table r + k × c. In a field (a prime number of tables, or a power of one: 4, 5, 7,
8, 9, 11, 13, 16 …) two of different columns meet in exactly one of as many rounds as there are tables, and
two of one column never. Where the number of tables is a product, the same is done in each factor, for as many
rounds, or columns, as the smallest factor has.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from random import Random

from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text

Element = tuple[int, ...]  # of a product of fields: the coefficients of each, one behind the other
Round = tuple[tuple[int, ...], ...]  # the places at each table; a place is column × tables + row
# x to the power of the second number, in the field of its power, as a polynomial of lower degree.
REDUCED = {
    (2, 2): (1, 1),
    (2, 3): (1, 1, 0),
    (2, 4): (1, 1, 0, 0),
    (2, 5): (1, 0, 1, 0, 0),
    (2, 6): (1, 1, 0, 0, 0, 0),
    (3, 2): (2, 0),
    (3, 3): (2, 1, 0),
    (5, 2): (3, 0),
    (7, 2): (6, 0),
}
# Fifteen girls walk out three abreast for seven days (Kirkman, 1850).
STORED = {
    (5, 3): """
        012 37b 49e 5ac 68d
        034 179 2cd 58e 6ab
        056 18a 2be 39d 47c
        078 1bd 245 3ae 69c
        09a 1ce 236 48b 57d
        0bc 135 289 4ad 67e
        0de 146 27a 38c 59b
    """
}
Seats = tuple[tuple[int, ...], ...]
APART = 20  # as often as if they had met so often: who should not meet, as of one family
SMALL = 0.001  # how many repeated meetings a second round at a small table is worth: it only breaks ties
TRIED = 48  # other places that are looked at for one person who is to move
PATIENCE = 6_000  # moves in a row that improve nothing, after which the search ends,
A_SEAT = 10  # or so many for each seat of the evening: few people are soon through with each other
MOVES = 20_000  # at most: where people must meet again, more only takes longer
AGAIN, ENOUGH = 4, 400  # so often it begins, at most, and again until it has seated so many
MANY = 300  # people: then once


def plan(tables: int, columns: int, *, full: bool = True) -> Iterator[Round]:
    """Yield rounds of *tables* tables for *columns* × *tables* people, in all of which nobody meets twice.

    As many as are known. Without *full* only those in which tables differ by one when some of the last
    column are left out.

    >>> [len(list(plan(*one))) for one in ((8, 7), (8, 8), (8, 6), (5, 3), (4, 4), (12, 3), (6, 6), (8, 2))]
    [8, 9, 8, 7, 5, 16, 2, 15]
    """
    if full and (tables, columns) in STORED:
        days = STORED[tables, columns].split("\n")[1:-1]
        yield from (tuple(tuple(int(who, 16) for who in walk) for walk in day.split()) for day in days)
        return
    yield from (_round(tables, columns, by) for by in _factors(tables, columns))
    if full and 1 < columns <= _smallest(tables) and tables % columns == 0:
        # Of one column nobody has met: all columns are now seated for themselves, side by side.
        for one in plan(tables // columns, columns) if tables > columns else [(tuple(range(tables)),)]:
            yield tuple(
                tuple(column * tables + row for row in table) for column in range(columns) for table in one
            )


def _round(tables: int, columns: int, by: Element) -> Round:
    fields = _fields(tables)
    rows = list(_elements(fields))
    numbers = {row: n for n, row in enumerate(rows)}
    sits: list[list[int]] = [[] for _ in range(tables)]
    for column, element in enumerate(islice(_apart_first(tables), columns)):
        moved = _times(fields, by, element)
        for n, row in enumerate(rows):
            sits[numbers[_plus(fields, row, moved)]].append(column * tables + n)
    return tuple(map(tuple, sits))


def _factors(tables: int, columns: int) -> Iterator[Element]:
    """Yield by what columns are multiplied in each round: differences of those, or of columns, are units."""
    if columns <= tables:
        few = columns > _smallest(tables)
        yield from islice(_apart_first(tables), _smallest(tables) if few else tables)


def _apart_first(tables: int) -> Iterator[Element]:
    """Yield the elements of the ring, first as many as the smallest field has that differ in every field."""
    fields = _fields(tables)
    columns = [list(_field_elements(field)) for field in fields]
    diagonal = [tuple(x for column in columns for x in column[n]) for n in range(_smallest(tables))]
    yield from diagonal
    known = set(diagonal)
    yield from (one for one in _elements(fields) if one not in known)


def _fields(tables: int) -> tuple[tuple[int, int], ...]:
    """Return the fields (prime, power) whose product has so many elements.

    >>> _fields(12), _fields(13), _fields(81)
    (((2, 2), (3, 1)), ((13, 1),), ((3, 1), (3, 1), (3, 1), (3, 1)))
    """
    out: list[tuple[int, int]] = []
    left, prime = tables, 2
    while left > 1:
        power = 0
        while left % prime == 0:
            left, power = left // prime, power + 1
        if power:
            known = power == 1 or (prime, power) in REDUCED
            out += [(prime, power)] if known else [(prime, 1)] * power
        prime += 1
    return tuple(out) or ((1, 1),)


def _smallest(tables: int) -> int:
    return min(int(prime**power) for prime, power in _fields(tables))


def _field_elements(field: tuple[int, int]) -> Iterator[Element]:
    prime, power = field
    return product(range(prime), repeat=power)


def _elements(fields: tuple[tuple[int, int], ...]) -> Iterator[Element]:
    return (tuple(x for part in parts for x in part) for parts in product(*map(_field_elements, fields)))


def _plus(fields: tuple[tuple[int, int], ...], one: Element, other: Element) -> Element:
    primes = (prime for prime, power in fields for _ in range(power))
    return tuple((a + b) % prime for a, b, prime in zip(one, other, primes, strict=True))


def _times(fields: tuple[tuple[int, int], ...], one: Element, other: Element) -> Element:
    out: list[int] = []
    at = 0
    for prime, power in fields:
        out += _field_times(prime, power, one[at : at + power], other[at : at + power])
        at += power
    return tuple(out)


def _field_times(prime: int, power: int, one: Element, other: Element) -> list[int]:
    """Return the product of two polynomials, the constant first, reduced."""
    made = [0] * (2 * power - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            made[i + j] += a * b
    for high in range(2 * power - 2, power - 1, -1):
        for n, by in enumerate(REDUCED[prime, power]):
            made[high - power + n] += made[high] * by
        made[high] = 0
    return [x % prime for x in made[:power]]


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

    Nobody meets again where that is possible; then seats at small tables are shared out. *before* are rounds
    played already; *apart* says of pairs (the smaller number first) how many repeated meetings it is worth
    that they do not meet. *progress* is told how much there was to improve and how much is left. The same
    *random* draws the same. Raises BadInput for tables with fewer than two people.
    """
    if len(entrants) < 2 * tables or tables < 1:
        raise BadInput(
            text(
                "{n} people are too few for {tables} tables: at each at least two play.",
                n=len(entrants),
                tables=tables,
            )
        )
    told, least = _Told(progress), bound(len(entrants), tables, rounds)
    best: tuple[float, tuple[Seats, ...]] | None = None
    for _ in range(max(AGAIN, ENOUGH // len(entrants)) if len(entrants) < MANY else 1):
        made = _Plan(entrants, tables, rounds, random, before, apart or {})
        made.improve(told)
        cost = made.cost
        if best is None or cost < best[0]:
            best = cost, made.seats()
        if cost < least + 1:
            break
    assert best is not None
    return best[1]


class _Told:
    """Tells how much there was to improve at first, and the least that was ever left."""

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
    then some change tables until sizes differ by one at most, and others change places until no change parts
    more who should not meet at all. *weights* says of pairs (the smaller number first) how often they have
    met, and what keeps them apart as if they had.
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
        min(tables, key=lambda table: (len(table), again(one, table))).append(one)
    while len(most := max(tables, key=len)) > len(least := min(tables, key=len)) + 1:
        one = min(most, key=lambda one: again(one, least) - again(one, most))
        most.remove(one)
        least.append(one)
    while sum(_part(one, table, tables, met, again) for table in tables for one in tuple(table)):
        pass  # each change has made it better
    return tuple(map(tuple, tables))


def _part(
    one: int,
    table: list[int],
    tables: list[list[int]],
    met: Mapping[tuple[int, int], int],
    again: Callable[[int, Iterable[int]], int],
) -> bool:
    """Let *one*, at *table*, change places with somebody, and return True, where that parts a family."""

    def near(there: list[int]) -> int:
        return sum(met[min(one, other), max(one, other)] >= APART for other in there if other != one)

    def cost(other: int, there: list[int]) -> int:
        mine, theirs = set(table) - {one} | {other}, set(there) - {other} | {one}
        return again(one, theirs) + again(other, mine) - again(one, table) - again(other, there)

    here = near(table)
    better = [there for there in tables if near(there) < here] if here else []
    swaps = ((cost(other, there), other, there) for there in better for other in there)
    best, other, there = min(swaps, key=lambda swap: swap[0], default=(0, one, table))
    if best < 0:
        table[table.index(one)], there[there.index(other)] = other, one
    return best < 0


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


def _at_small_tables(one: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield who sits at a table that is smaller than others."""
    most = max(map(len, one), default=0)
    for table in one:
        if len(table) < most:
            yield from table


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
        self._met = [array("H", bytes(2 * n)) for _ in range(n)]
        for (one, other), weight in apart.items():
            if one in places and other in places:
                self._count(places[one], places[other], min(weight, 40))
        self._small = [0] * n  # evenings at a small table
        for old in before:
            self._count_round([[places[name] for name in table if name in places] for table in old])
            for name in _at_small_tables(old):
                if name in places:
                    self._small[places[name]] += 1
        columns = -(-n // tables)
        known = islice(plan(tables, columns, full=n == tables * columns), rounds)
        self._rounds = [[[x for x in table if x < n] for table in one] for one in known]
        random.shuffle(self._rounds)
        self._rounds += [self._begin(k) for k in range(len(self._rounds), rounds)]
        for drawn in self._rounds:
            self._count_round(drawn)
            for place in _at_small_tables(drawn):
                self._small[place] += 1

    def _begin(self, k: int) -> list[list[int]]:
        """Return the arrangement to start round *k* from, of which no plan is known."""
        tables: list[list[int]] = [[] for _ in range(self._tables)]
        for place in range(len(self._names)):
            column, row = divmod(place, self._tables)
            tables[(row + k * column) % self._tables].append(place)
        return tables

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
    def cost(self) -> float:
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

    def improve(self, progress: Callable[[int, int], None]) -> None:
        """Swap people until nothing is at fault, or nothing has got better for long."""
        faults = self._faults()
        whole, idle, left = len(faults), 0, MOVES
        patience = min(PATIENCE, A_SEAT * len(self._names) * len(self._rounds))
        while faults and idle < patience and left:
            self._random.shuffle(faults)
            for k, number, place in faults:
                # Often: whoever is told may give the draw up. What is left of the moves is left at most.
                progress(whole, min(len(faults), whole * left // MOVES))
                if place in self._rounds[k][number]:
                    gain = self._move(k, number, place)
                    idle = 0 if gain < 0 else idle + 1
                    left -= 1
                if idle >= patience or not left:
                    break
            faults = self._faults()
        progress(whole, len(faults))

    def _move(self, k: int, number: int, place: int) -> float:
        """Swap *place* with whoever is best for it; return by how much the cost changed (never up)."""
        one = self._rounds[k]
        best, found = SMALL / 2, None
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

    def _cost_of_swap(self, one: list[list[int]], here: int, a: int, there: int, b: int) -> float:
        """Return what it costs to let *a* (at *here*) and *b* (at *there*) change places."""
        met_a, met_b = self._met[a], self._met[b]
        cost = 0.0
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
