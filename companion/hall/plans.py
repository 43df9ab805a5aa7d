"""Plans in which nobody meets twice, where one is known: by finite fields, and stored. Pure.

Who is drawn is a column and a row. In round k the person in column c and row r sits at table r + k × c. In a
field (a prime number of tables, or a power of one: 4, 5, 7, 8, 9, 11, 13, 16 …) two of different columns meet
in exactly one of as many rounds as there are tables, and two of one column never. Where the number of tables
is a product, the same is done in each factor, for as many rounds, or columns, as the smallest factor has.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

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
