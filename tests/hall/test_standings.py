"""Points and standings of an event, worked out by hand, and against a slow and obvious judge."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import Finished, Played, Started
from lastnose.companion.evening.log import fold
from lastnose.companion.event.standings import Placing, Scores, StandingLine, TableResult, placings, standings

from tests.support.examples import examples
from tests.support.halls import judged_game

F = Fraction


def result(round_: int, number: int, *places: tuple[int, int]) -> TableResult:
    """Return a table's result: (entrant, place) each, nine deals, no letters."""
    return TableResult(round_, number, tuple((one, Placing(str(one), place)) for one, place in places))


def shown(lines: tuple[StandingLine, ...]) -> list[tuple[int, int | None]]:
    """Return entrant and place of each line."""
    return [(line.entrant, line.place) for line in lines]


def test_a_round_that_did_not_count_is_no_deal() -> None:
    """Two rounds, of which one is void: one letter of one deal."""
    started, armed, judged, finished, _ = judged_game(("A", "B", "C"), "", 0)
    void = msgspec.structs.replace(judged, verdict=Verdict(order=(), last=(), void=text("Too early.")))
    evening = fold(enumerate((started, armed, void, armed, judged, finished), 1))
    assert evening.match is not None
    found = placings(evening.match)
    assert [(0, 1), (0, 1), (1, 1)] == [(one.letters, one.deals) for one in found]


def score(seat: int, points: int) -> Played:
    """Return what *seat* wrote in the first round of a sheet."""
    return Played(by="host", at=1, move={"type": "score", "hand": 1, "seat": seat, "points": points})


@pytest.mark.parametrize(
    ("game", "options", "by_place"),
    [
        ("score-pad", {"wins": "highest"}, ["B", "C", "A"]),
        ("score-pad", {"wins": "lowest"}, ["A", "C", "B"]),
        ("chickenfoot", {}, ["A", "C", "B"]),
    ],
)
def test_a_sheet_that_is_ended_by_hand_counts_as_its_game_does(
    game: str, options: dict[str, str], by_place: list[str]
) -> None:
    """A has 0, B 50, C 30 points when the table ends it: nobody has won, and yet it is known who leads."""
    lines = ("nose.1", "nose.2", "nose.3")
    started = Started(by="host", at=0, game=game, players=("A", "B", "C"), options=options, lines=lines)
    written = (score(1, 0), score(2, 50), score(3, 30))
    evening = fold(enumerate((started, *written, Finished(by="host", at=2)), 1))
    assert evening.match is not None
    found = sorted(placings(evening.match) or (), key=lambda one: one.place)
    assert [(name, place) for place, name in enumerate(by_place, 1)] == [
        (one.player, one.place) for one in found
    ]


def test_the_most_cards_win_a_pig_10_that_is_ended_by_hand() -> None:
    """A lays 7, B lays 3: ten, and two cards for B. A is second of two."""
    started = Started(
        by="host", at=0, game="pig-10", players=("A", "B"), options={}, lines=("nose.1", "nose.2")
    )
    moves = (
        {"type": "starts", "seat": 1},
        {"type": "lay", "seat": 1, "key": 7, "value": 7},
        {"type": "lay", "seat": 2, "key": 3, "value": 10},
    )
    played = (Played(by="host", at=1, move=move) for move in moves)
    evening = fold(enumerate((started, *played, Finished(by="host", at=2)), 1))
    assert evening.match is not None
    assert [("A", 2), ("B", 1)] == [(one.player, one.place) for one in placings(evening.match) or ()]


def test_who_beat_the_other_at_a_common_table_comes_first() -> None:
    """1 and 2 have 1 + 1/2 and 1/2 + 1 points; they met once, and 1 won there."""
    found = standings(
        [1, 2, 3, 4, 5],
        [
            result(1, 1, (1, 1), (2, 2), (3, 3)),
            result(2, 1, (4, 1), (1, 2), (5, 3)),
            result(2, 2, (2, 1), (3, 2)),
        ],
    )
    assert [(1, 1), (2, 2)] == shown(found)[:2]
    assert "at common tables" == str(found[0].decided)


def test_who_never_met_is_told_apart_by_first_places() -> None:
    """One point each: 1 and 6 won a table, 2 was second twice; 1 and 6 never met."""
    found = standings(
        [1, 2, 3, 4, 5, 6],
        [
            result(1, 1, (1, 1), (3, 2), (4, 3)),
            result(1, 2, (5, 1), (2, 2), (6, 3)),
            result(2, 1, (3, 1), (5, 2), (1, 3)),
            result(2, 2, (6, 1), (2, 2), (4, 3)),
        ],
    )
    level = [line for line in found if line.points == 1]
    assert ({1, 6}, 2) == ({line.entrant for line in level[:2]}, level[2].entrant)
    assert "more first places" == str(level[1].decided)


def test_letters_a_deal_decide_after_first_places() -> None:
    """Each won a table of their own; 2 took one letter in nine deals, 1 took two."""
    one = TableResult(1, 1, ((1, Placing("1", 1, 2, 9)), (3, Placing("3", 2, 3, 9))))
    two = TableResult(1, 2, ((2, Placing("2", 1, 1, 9)), (4, Placing("4", 2, 3, 9))))
    found = standings([1, 2, 3, 4], [one, two])
    assert [2, 1] == [line.entrant for line in found][:2]
    assert "fewer letters a deal" == str(found[0].decided)


def test_who_is_level_in_all_shares_a_place_and_the_next_is_left_out() -> None:
    """Two winners of two like tables: first, first, third, third."""
    found = standings([1, 2, 3, 4], [result(1, 1, (1, 1), (2, 2)), result(1, 2, (3, 1), (4, 2))])
    assert [(1, 1), (3, 1), (2, 3), (4, 3)] == shown(found)


def test_guests_stand_where_their_points_put_them_and_have_no_place() -> None:
    """The guest won; the second is first of the list."""
    found = standings([1, 2, 3], [result(1, 1, (1, 1), (2, 2), (3, 3))], guests=frozenset({1}))
    assert [(1, None), (2, 1), (3, 2)] == shown(found)


def test_who_never_came_has_no_place_and_nobody_stands_before_them() -> None:
    """3 was last at a table, 4 and the guest 5 at none: only 3 has a place, and nothing had to decide it."""
    found = standings(
        [1, 2, 3, 4, 5],
        [result(1, 1, (1, 1), (2, 2), (3, 3))],
        guests=frozenset({5}),
        absent=frozenset({4, 5}),
    )
    assert [(1, 1), (2, 2), (3, 3), (4, None), (5, None)] == shown(found)
    assert [None] * 3 + ["played no round"] * 2 == [
        None if line.decided is None else str(line.decided) for line in found
    ]


def test_missed_rounds_count_nothing_or_the_mean_of_ones_own() -> None:
    """Two rounds of three missed, 1/2 in the other: 1/2, or 3/2."""
    played = [result(3, 1, (2, 1), (1, 2), (3, 3))]
    assert F(1, 2) == next(
        one.points for one in standings([1, 2, 3], played, missed={1: 2}) if one.entrant == 1
    )
    with_mean = standings([1, 2, 3], played, missed={1: 2}, mean_for_missed=True)
    assert F(3, 2) == next(one.points for one in with_mean if one.entrant == 1)


def test_who_met_stronger_people_comes_first_as_soon_as_those_have_won() -> None:
    """1 beat 3 and 2 beat 4: level. Then 3 beats 5, and 6 beats 4: half a point a round of 3, none of 4."""
    kept, first = Scores(), [result(1, 1, (1, 1), (3, 2)), result(1, 2, (2, 1), (4, 2))]
    assert [(1, 1), (2, 1)] == shown(standings([1, 2, 3, 4, 5, 6], first, scores=kept))[:2]
    both = [*first, result(2, 1, (3, 1), (5, 2)), result(2, 2, (6, 1), (4, 2))]
    found = standings([1, 2, 3, 4, 5, 6], both, scores=kept)
    assert [(1, 1), (3, 1), (2, 3), (6, 3)] == shown(found)[:4]
    assert "stronger opponents" == str(found[1].decided)


@st.composite
def events(draw: st.DrawFn) -> tuple[list[int], list[TableResult]]:
    """Return entrants and the results of some rounds, with shared places."""
    n = draw(st.integers(3, 9))
    rounds = draw(st.integers(1, 4))
    out = []
    for number in range(rounds):
        order = draw(st.permutations(range(n)))
        cut = draw(st.integers(2, n))
        for table, people in enumerate((order[:cut], order[cut:])):
            if len(people) > 1:
                places = draw(
                    st.lists(st.integers(1, len(people)), min_size=len(people), max_size=len(people))
                )
                fair = [1 + sum(other < mine for other in places) for mine in places]
                letters = draw(st.lists(st.integers(0, 3), min_size=len(people), max_size=len(people)))
                out.append(
                    TableResult(
                        number + 1,
                        table + 1,
                        tuple(
                            (p, Placing(str(p), f, m, 5))
                            for p, f, m in zip(people, fair, letters, strict=True)
                        ),
                    )
                )
    return list(range(n)), out


def test_a_typed_result_tells_nothing_of_letters_so_nobody_stands_before_others_by_it() -> None:
    """Two tables of two, level in all but letters: those of the second were never counted."""
    played = TableResult(
        1, 1, ((0, Placing("", 1, letters=1, deals=4)), (1, Placing("", 2, letters=3, deals=4)))
    )
    typed = TableResult(1, 2, ((2, Placing("", 1)), (3, Placing("", 2))))
    found = standings([0, 1, 2, 3], [played, typed])
    assert {0: 1, 2: 1, 1: 3, 3: 3} == {line.entrant: line.place for line in found}


@settings(max_examples=examples(60), deadline=None)
@given(events(), st.data())
def test_what_results_came_and_went_before_leaves_no_trace(
    event: tuple[list[int], list[TableResult]], data: st.DataObject
) -> None:
    """Some of the results in any order, then others, each time for others, too: as from nothing."""
    entrants, results = event
    kept = Scores()
    last = {one: table.round for table in results for one, _ in table.placings}
    came_to = data.draw(st.sampled_from([last, {}]))
    for _ in range(data.draw(st.integers(2, 5))):
        some = data.draw(st.lists(st.sampled_from(results), unique=True))
        there = [one for one in entrants if one not in data.draw(st.sets(st.sampled_from(entrants)))]
        assert standings(there, some, came_to=came_to, scores=kept) == standings(there, some, came_to=came_to)


@settings(max_examples=examples(60), deadline=None)
@given(events())
def test_standings_are_those_of_a_slow_and_obvious_judge(event: tuple[list[int], list[TableResult]]) -> None:
    """Points first, from sums by another formula; then each tie split by the criteria one after the other."""
    entrants, results = event
    won: dict[int, list[Fraction]] = {one: [] for one in entrants}
    for table in results:
        n = len(table.placings)
        for one, placing in table.placings:
            beaten = sum(other.place > placing.place for _, other in table.placings)
            level = sum(other.place == placing.place for _, other in table.placings) - 1
            won[one].append(F(2 * beaten + level, 2 * (n - 1)))
            assert won[one][-1] == table.points()[one]
    found = standings(entrants, results)
    assert sorted(entrants) == sorted(line.entrant for line in found)
    assert all(line.points == sum(won[line.entrant]) for line in found)
    for above, below in pairwise(found):
        assert above.points >= below.points
        assert (above.place == below.place) <= (above.points == below.points)
    for line in found:
        assert line.place is not None
        assert line.place <= 1 + sum(other.points > line.points for other in found) + sum(
            other.points == line.points for other in found
        )
        assert line.place >= 1 + sum(other.points > line.points for other in found)
