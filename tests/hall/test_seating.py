"""Who sits where: nobody twice in a round, tables of equal size, few meet again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.event import seating
from lastnose.companion.event.seating import (
    APART,
    Element,
    Seats,
    _elements,
    _fields,
    _part,
    _Plan,
    _plus,
    _times,
    amended,
    bound,
    draw,
    plan,
    repeats,
    sizes,
)

from tests.support.examples import examples


@pytest.fixture(autouse=True)
def soon_drawn() -> None:
    """Look here as long as at an event."""


def again(rounds: Sequence[Seats]) -> int:
    """Return how many meetings are second ones, from how often each two sat side by side at all."""
    sat = Counter(
        frozenset((one, other)) for drawn in rounds for table in drawn for one in table for other in table
    )
    return sum(n // 2 - 1 for pair, n in sat.items() if len(pair) == 2)


def least(people: int, tables: int, rounds: int) -> int:
    """Return a bound by what one person meets: so many beside them a round, of so many others there are."""
    small, large = people // tables, -(-people // tables)
    beside = (large * (large - 1) * (people - tables * small) if large > small else 0) + small * (
        small - 1
    ) * (tables if large == small else tables - (people - tables * small))
    all_ = math.ceil(rounds * beside / 2)  # meetings of the evening
    return max(0, all_ - people * (people - 1) // 2)


def must_be_seated(rounds: Sequence[Seats], people: Sequence[int], tables: int) -> None:
    """Fail unless each round seats everybody once, at so many tables whose sizes differ by one at most."""
    for drawn in rounds:
        assert sorted(people) == sorted(who for table in drawn for who in table)
        assert tables == len(drawn)
        assert max(map(len, drawn)) - min(map(len, drawn)) <= 1


@pytest.mark.parametrize(
    ("people", "tables", "rounds"),
    [
        (20, 5, 5),  # 5 is a prime
        (35, 7, 7),
        (32, 8, 5),
        (100, 20, 6),
        (56, 8, 5),  # in the field of eight
        (64, 8, 9),  # its whole plane: the columns are the ninth round
        (48, 8, 8),
        (15, 5, 7),  # Kirkman's girls
        (27, 9, 13),
        (16, 4, 5),
        (65, 13, 13),
        (143, 13, 12),
        (44, 11, 11),
        (36, 12, 16),
        (38, 8, 7),
        (100, 9, 1),
    ],
)
def test_nobody_meets_twice_by_a_plan_that_is_known(people: int, tables: int, rounds: int) -> None:
    """Looked at another way; whatever chance has dealt."""
    for seed in range(2):
        drawn = draw(range(people), tables, rounds, random=Random(seed))
        must_be_seated(drawn, range(people), tables)
        assert (0, 0) == (again(drawn), repeats(drawn))


@pytest.mark.parametrize(
    ("people", "tables", "rounds"),
    [
        (7, 3, 2),  # 0 1 2 / 3 4 / 5 6, then 0 3 5 / 1 4 / 2 6
        (7, 3, 3),
        (21, 5, 5),
        (23, 5, 3),
        (39, 7, 6),
        (26, 6, 3),  # six is no field
    ],
)
def test_nobody_meets_twice_so_that_others_sit_less_often_at_a_small_table(
    people: int, tables: int, rounds: int
) -> None:
    """Some tables have one seat less; a fair share of them is worth less than new faces for all."""
    for seed in range(examples(10, least=1)):
        drawn = draw(range(people), tables, rounds, random=Random(seed))
        must_be_seated(drawn, range(people), tables)
        assert 0 == again(drawn)


def test_a_family_sits_apart_also_where_nobody_meets_twice() -> None:
    """Four of one family among 21 at five tables: in no round two of them, and nobody else meets again."""
    family = dict.fromkeys(combinations(range(4), 2), APART)
    drawn = draw(range(21), 5, 5, random=Random(1), apart=family)
    assert 0 == again(drawn)
    assert not any(len({0, 1, 2, 3} & set(table)) > 1 for one in drawn for table in one)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7, 13])
def test_every_plan_seats_all_and_lets_nobody_meet_twice(columns: int) -> None:
    """For all numbers of tables up to 20: each place once a round, each two at most once in all."""
    for tables in range(max(2, columns), 21):
        for full in (True, False):
            people = range(tables * columns - (not full))
            met: set[frozenset[int]] = set()
            for one in plan(tables, columns, full=full):
                seats = tuple(tuple(who for who in table if who in people) for table in one)
                must_be_seated([seats], people, tables)
                pairs = [frozenset(pair) for table in seats for pair in combinations(table, 2)]
                assert not met.intersection(pairs), (tables, columns)
                met.update(pairs)


@settings(max_examples=examples(16), deadline=None)
@given(st.integers(1, 8), st.integers(2, 6), st.integers(0, 5), st.integers(1, 6), st.integers(0, 99))
def test_everybody_sits_once_a_round_and_no_evening_is_below_its_bounds(
    tables: int, each: int, over: int, rounds: int, seed: int
) -> None:
    """Tables differ by one at most; both ways of counting agree, and the search's bound is not the lower."""
    people = tables * each + min(over, tables - 1)
    drawn = draw(range(people), tables, rounds, random=Random(seed))
    must_be_seated(drawn, range(people), tables)
    assert repeats(drawn) == again(drawn)
    assert least(people, tables, rounds) <= bound(people, tables, rounds) <= again(drawn)


def test_families_sit_apart_in_every_round_of_an_evening_that_a_plan_is_known_for() -> None:
    """Eight families of four among 48 at eight tables, eight rounds: each in a column, and never together."""
    family: dict[tuple[int, int], int] = {}
    for n in range(8):
        family |= dict.fromkeys(combinations(range(4 * n, 4 * n + 4), 2), 20)
    drawn = draw(range(48), 8, 8, random=Random(4), apart=family)
    assert 0 == again(drawn)
    together = [pair for one in drawn for table in one for pair in combinations(sorted(table), 2)]
    assert not set(together) & family.keys()


@pytest.mark.parametrize(
    ("people", "tables", "rounds", "least"),
    [
        (6, 2, 2, 2),  # of the second round's six meetings at least two are repeated
        (8, 2, 3, 8),  # two of each old table meet again at each new one: 4 pairs a round
        (9, 3, 5, 9),  # 45 meetings of 36 pairs
        (16, 4, 6, 24),  # 144 of 120
    ],
)
def test_what_must_meet_again_is_rare(people: int, tables: int, rounds: int, least: int) -> None:
    """Few people are drawn as well as can be, whatever chance deals."""
    for seed in range(examples(10, least=1)):
        assert least == repeats(draw(range(people), tables, rounds, random=Random(seed)))


@pytest.mark.heavy
def test_260_people_at_20_tables_meet_far_fewer_than_by_chance() -> None:
    """Thirteen a table, six rounds: 9,360 meetings of 33,670 pairs; by chance some 1,040 are repeated."""
    drawn = draw(range(260), 20, 6, random=Random(1))
    must_be_seated(drawn, range(260), 20)
    assert repeats(drawn) <= 20


def test_seats_at_small_tables_are_shared_out_where_nobody_meets_again_for_that() -> None:
    """Fifteen at four tables: one table of three a round, in four rounds twelve seats for fifteen people."""
    drawn = draw(range(15), 4, 4, random=Random(5))
    small = Counter(who for one in drawn for table in one if len(table) == 3 for who in table)
    assert (0, {1}) == (repeats(drawn), set(small.values()))


@pytest.mark.parametrize(
    ("people", "tables", "rounds", "least"),
    [(10, 3, 2, 1), (17, 4, 3, 2), (17, 4, 4, 3), (7, 3, 4, 1), (9, 2, 3, 12)],
)
def test_as_few_meet_again_as_can_be_where_tables_differ_in_size(
    people: int, tables: int, rounds: int, least: int
) -> None:
    """Of 7 and 9 by trying all. Elsewhere one table has more people than there are tables: after the first
    round two of them have sat together, once a round.
    """
    for seed in range(examples(10, least=1)):
        drawn = draw(range(people), tables, rounds, random=Random(seed))
        must_be_seated(drawn, range(people), tables)
        assert least == repeats(drawn)


def test_families_are_kept_apart() -> None:
    """Three of one family among twelve at four tables: never at one table."""
    family = dict.fromkeys(combinations((0, 1, 2), 2), 20)
    drawn = draw(range(12), 4, 4, random=Random(2), apart=family)
    assert not any(len({0, 1, 2} & set(table)) > 1 for one in drawn for table in one)


def test_what_was_played_before_counts_when_the_rest_is_drawn_again() -> None:
    """Two rounds played, one has left, one has come: the next round repeats none of what can be spared."""
    before = draw(range(25), 5, 2, random=Random(4))
    people = [one for one in range(26) if one != 7]
    (drawn,) = draw(people, 5, 1, random=Random(4), before=before)
    kept = tuple(tuple(tuple(who for who in table if who != 7) for table in one) for one in before)
    assert 0 == repeats((*kept, drawn))


def test_those_who_have_met_more_often_than_a_byte_counts_meet_others() -> None:
    """Three hundred rounds of the same four pairs: the next has none of them."""
    pairs = ((0, 1), (2, 3), (4, 5), (6, 7))
    (drawn,) = draw(range(8), 4, 1, random=Random(3), before=(pairs,) * 300)
    assert not {frozenset(one) for one in pairs} & {frozenset(one) for one in drawn}


def test_too_few_for_so_many_tables_is_said() -> None:
    """Nobody plays alone."""
    with pytest.raises(BadInput, match="5 people are too few for 3 tables"):
        draw(range(5), 3, 1, random=Random(1))


def test_progress_is_told_to_the_end() -> None:
    """How much was wrong, and how much still is."""
    told: list[tuple[int, int]] = []
    draw(range(47), 9, 5, random=Random(1), progress=lambda whole, left: told.append((whole, left)))
    assert all(whole == told[0][0] and left <= whole for whole, left in told)


def test_a_draw_in_which_little_gets_better_tells_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve at two tables for thirty rounds: 360 seats are at fault, and each of 30 moves is 12 of them."""
    left = list[int]()
    monkeypatch.setattr(seating, "MOVES", 30)
    draw(range(12), 2, 30, random=Random(1), progress=lambda whole, most: left.append(most))
    assert [*range(360, 0, -12)] == [*dict.fromkeys(left)]


def test_a_draw_that_can_get_no_better_ends_after_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve at two tables for thirty rounds: thirty moves do not part all who meet again."""
    moves, really = list[int](), _Plan._move
    monkeypatch.setattr(seating, "MOVES", 30)
    monkeypatch.setattr(_Plan, "_move", lambda *at: moves.append(at[3]) or really(*at))
    draw(range(12), 2, 30, random=Random(1))
    assert 30 == len(moves)


def test_more_rounds_than_strangers_are_drawn_all_the_same() -> None:
    """Twelve at two tables for thirty rounds must meet again and again: the best found is drawn."""
    rounds = draw(tuple(range(12)), 2, 30, random=Random(1))
    assert [[*range(12)]] * 30 == [sorted(one for table in seats for one in table) for seats in rounds]


def moved(before: tuple[Seats, ...], after: tuple[Seats, ...]) -> list[int]:
    """Return for each round how many who sit in both have another table."""
    pairs = zip(before, after, strict=True)
    tables = [[{who: k for k, table in enumerate(one) for who in table} for one in both] for both in pairs]
    return [sum(old[who] != new[who] for who in old.keys() & new.keys()) for old, new in tables]


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(2, 6), st.integers(3, 6), st.integers(1, 4), st.data())
def test_after_the_draw_who_comes_or_goes_moves_almost_nobody(
    tables: int, each: int, rounds: int, data: st.DataObject
) -> None:
    """One newcomer moves nobody, one leaver one other at the most, and many no more than sizes need."""
    people = tables * each + data.draw(st.integers(0, tables - 1))
    drawn = draw(range(people), tables, rounds, random=Random(1))
    came = amended(drawn, range(people + 1), {})
    must_be_seated(came, range(people + 1), tables)
    assert [0] * rounds == moved(drawn, came)
    for old, new in zip(drawn, came, strict=True):
        assert all(after[: len(before)] == before for before, after in zip(old, new, strict=True))
    gone = data.draw(st.sets(st.integers(0, people - 1), max_size=people - 2 * tables))
    left = [one for one in range(people) if one not in gone]
    fewer = amended(drawn, left, {})
    for before, after, others in zip(drawn, fewer, moved(drawn, fewer), strict=True):
        assert sorted(left) == sorted(who for table in after for who in table)
        assert sorted(sizes(len(left), tables)) == sorted(map(len, after))
        stay = [sum(who not in gone for who in table) for table in before]
        too_many = sum(max(0, n - -(-len(left) // tables)) for n in stay)
        too_few = sum(max(0, len(left) // tables - n) for n in stay)
        assert others == max(too_many, too_few)


def test_who_comes_after_the_draw_sits_with_those_they_meet_least() -> None:
    """The newcomer 4 has met 0 once and 1 twice: first 2 and 3 (0 to 3), then 0 and 2 (1 + 1 to 2 + 1)."""
    drawn = (((0, 1), (2, 3)), ((0, 2), (1, 3)))
    found = amended(drawn, range(5), {(0, 4): 1, (1, 4): 2})
    assert (((0, 1), (2, 3, 4)), ((0, 2, 4), (1, 3))) == found


def test_who_comes_in_the_place_of_another_is_seated_apart_from_their_family() -> None:
    """2 goes, 4 comes, of the family of 3: somebody of the other table changes places with 4."""
    (found,) = amended((((0, 1), (2, 3)),), (0, 1, 3, 4), {(3, 4): 20})
    assert {3, 4} not in map(set, found)
    assert [{0, 1, 3, 4}, 2, 2] == [set(found[0] + found[1]), *map(len, found)]


def test_two_of_a_family_who_had_to_share_a_table_are_parted_once_the_third_of_them_has_gone() -> None:
    """0, 1 and 3 are a family, at two tables; without 3 one change of places lets 0 and 1 sit apart."""
    apart = {(0, 1): 20, (0, 3): 20, (1, 3): 20}
    (found,) = amended((((0, 1, 2), (3, 4, 5)),), (0, 1, 2, 4, 5), apart)
    assert ((4, 1, 2), (0, 5)) == found


@pytest.mark.parametrize("tables", [4, 8, 9, 12, 13, 16, 25, 27])
def test_what_the_plans_are_reckoned_in_is_reckoned_as_in_school(tables: int) -> None:
    """Zero and one do what they do, order and brackets are no matter; in a field no product is nothing."""
    fields = _fields(tables)
    all_, random = list(_elements(fields)), Random(tables)
    zero, one = (0,) * len(all_[0]), tuple(int(not n) for _, power in fields for n in range(power))

    def times(a: Element, b: Element) -> Element:
        return _times(fields, a, b)

    assert tables == len(set(all_))
    for a in all_:
        assert (zero, a) == (times(a, zero), times(a, one))
        assert len(fields) > 1 or a == zero or tables == len({times(a, b) for b in all_})
    for a, b, c in ([random.choice(all_) for _ in range(3)] for _ in range(60)):
        assert times(a, b) == times(b, a)
        assert times(a, times(b, c)) == times(times(a, b), c)
        assert times(a, _plus(fields, b, c)) == _plus(fields, times(a, b), times(a, c))


@pytest.mark.parametrize("seed", range(20))
def test_who_should_not_sit_with_somebody_changes_places_with_whom_that_costs_least(seed: int) -> None:
    """Of all at tables with fewer such people, one by one; nobody moves where it would cost as much."""
    random = Random(seed)
    people = list(range(9))
    cost = {pair: random.choice((0, 1, 2, APART)) for pair in combinations(people, 2)}
    tables = [people[:3], people[3:6], people[6:]]

    def again(one: int, table: Iterable[int]) -> int:
        return sum(cost[min(one, other), max(one, other)] for other in table if other != one)

    def costs(sits: Iterable[Sequence[int]]) -> int:
        return sum(cost[pair] for table in sits for pair in combinations(sorted(table), 2))

    here, *near = [sum(cost[0, other] == APART for other in table if other) for table in tables]
    others = [who for table, n in zip(tables[1:], near, strict=True) for who in table if n < here]
    swaps = [[[{0: who, who: 0}.get(one, one) for one in table] for table in tables] for who in others]
    before = costs(tables)
    best = min([before, *map(costs, swaps)])
    assert (best < before) is _part(0, tables[0], tables, cost, again)
    assert best == costs(tables)
