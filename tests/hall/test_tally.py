"""The results of many tables: right in whatever order they come, and worked out only where they changed."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import product
from statistics import median
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from lastnose.companion.evening.events import RoundJudged, Started, ZeroTested
from lastnose.companion.event import commands
from lastnose.companion.event.state import HallState, chosen
from lastnose.companion.event.table_log import CalledMatch, Sums, TableLog
from lastnose.companion.event.tally import Tally, _Claims, _doubts
from lastnose.companion.link.hub import Hall

from tests.support.halls import arranged, begun, judged_game, let_in, rows, seated, take

NAMES = ",".join(f"P{n}" for n in range(12))


def test_an_entry_of_one_table_leaves_what_is_known_of_the_others_as_it_is(hall: Hall) -> None:
    """Not only equal: the same, for nobody has worked it out again."""
    members = begun(hall, NAMES, tables=4, final=0)
    before = hall.view.outcomes
    names, call = seated(hall, members[1].number)
    take(hall, members[1], rows(judged_game(names, call, 0)[:1]))
    assert [False, True, False, False] == [
        a is not b for a, b in zip(before, hall.view.outcomes, strict=True)
    ]
    hall.refused(members[0].table, "a hole")
    hall.tick()
    assert "a hole" == hall.view.seen[members[0].table].trouble
    before = hall.view.outcomes
    hall.fence()
    assert before is hall.view.outcomes, "nothing of any table has changed"


def test_a_table_far_less_sure_than_the_others_is_to_be_looked_at_once_they_have_played(hall: Hall) -> None:
    """It claims eleven times what each of the others does, and theirs are known when it is signed off."""
    members = begun(hall, NAMES, tables=4, final=0)
    for place, member in enumerate(members, 1):
        game = [
            msgspec.structs.replace(one, verdict=msgspec.structs.replace(one.verdict, u_ns=20_000 * unsure))
            if isinstance(one, RoundJudged)
            else one
            for unsure in [11 if place == 3 else 1]
            for one in judged_game(*seated(hall, member.number), after=0)
        ]
        take(hall, member, rows(tuple(game)))
    doubts = [[str(doubt) for doubt in one.doubts if "less sure" in str(doubt)] for one in hall.view.outcomes]
    assert [[], [], ["Its verdicts are far less sure than those of the other tables."], []] == doubts


def test_far_is_more_than_ten_times_the_median_of_at_least_two_others() -> None:
    """As worked out from the others alone, of all ways in which four tables can claim."""
    for claims in product((None, 1, 2, 10, 15, 20), repeat=4):
        found = _Claims({str(n): one for n, one in enumerate(claims)})
        for n, mine in enumerate(claims):
            others = [one for one in (*claims[:n], *claims[n + 1 :]) if one is not None]
            far = mine is not None and len(others) > 1 and mine > 10 * median(others)
            assert far == found.is_far(str(n)), claims
    assert not found.is_far("nobody")


@pytest.mark.parametrize(
    ("voids", "judged", "looked_at"),
    [(2, 2, False), (3, 3, True), (3, 9, True), (3, 10, False), (4, 12, True), (4, 13, False)],
)
def test_three_rounds_that_did_not_count_are_to_be_looked_at_where_they_are_a_third_of_all(
    voids: int, judged: int, looked_at: bool
) -> None:
    """Beside whatever else there is; a table with a zero test is not asked for one."""
    sums = Sums(1, True, True, True, (), judged, voids, corrected=True, contested=True)
    game = CalledMatch("table", 1, (), zero=True, began=1)
    found = [str(one) for one in _doubts(HallState(), game, sums, strangers=True, far=True)]
    said = f"{voids} of {judged} rounds did not count."
    assert [
        "Other people played there than were drawn.",
        "The game was ended by hand.",
        "Who was last was corrected by hand.",
        "A verdict is contested, and the table has not decided.",
        *([said] if looked_at else []),
        "Its verdicts are far less sure than those of the other tables.",
    ] == found


def _own_game(hall: Hall, log: TableLog) -> TableLog:
    """Let the table begin a game that nobody has called."""
    lines = tuple(f"nose.{n}" for n in range(1, 4))
    begins = Started(by="host", at=9, game="pig", players=("A", "B", "C"), options={}, lines=lines)
    return log.plus(hall.event, log.evening.seq + 1, log.number, begins)


def _another_evening(hall: Hall, log: TableLog) -> TableLog:
    tested = ZeroTested(by="host", at=9, lines=("nose.1", "nose.2"), off_ns=(10,), u_ns=1_000)
    return log.plus(hall.event, log.evening.seq + 1, log.number + 1, tested)


def _unsure(hall: Hall, log: TableLog) -> TableLog:
    return msgspec.structs.replace(log, claims=array("q", 99 * [10**9]).tobytes())


def _unfounded(hall: Hall, log: TableLog) -> TableLog:
    (game,) = next(iter(log.played.values()))
    return msgspec.structs.replace(log, unfounded=frozenset(one.seq for one in game.entries))


@pytest.mark.parametrize("changes", [_own_game, _another_evening, _unsure, _unfounded])
def test_what_says_otherwise_of_a_game_that_is_as_it_was_is_worked_out_again(
    hall: Hall, changes: Callable[[Hall, TableLog], TableLog]
) -> None:
    """A newer game, another evening, verdicts far less sure than others, or edges that do not say them."""
    members = begun(hall, NAMES, tables=4, final=0)
    for member in members:
        take(hall, member, rows(judged_game(*seated(hall, member.number), after=0)))
    logs, id_ = hall.logs, members[1].table
    if changes is not _own_game:  # the newest game is worked out again with every entry
        logs[id_] = _own_game(hall, logs[id_])
    tally, afresh = Tally(), Tally()
    for log in logs.values():
        tally.take(log)
    before = tally.outcomes(hall.state)
    logs[id_] = changes(hall, logs[id_])
    tally.take(logs[id_])
    for log in logs.values():
        afresh.take(log)
    now = tally.outcomes(hall.state)
    assert [False, True, False, False] == [a != b for a, b in zip(before, now, strict=True)]
    assert afresh.outcomes(hall.state) == now


@pytest.mark.parametrize(
    ("played", "machine", "is_"),
    [
        ("ar bs", "a", "a"),
        ("ar bs", "b", "b"),
        ("ar bs", "", "b"),
        ("a bs c", "", "b"),
        ("af bf", "b", "a"),
        ("a bf", "a", "b"),
        ("a b c", "a", "c"),
        ("aso bf", "a", "b"),
        ("ao b c", "a", "c"),
        ("aso", "a", ""),
    ],
)
def test_of_what_machines_have_played_for_a_call_one_is_the_game(played: str, machine: str, is_: str) -> None:
    """The first signed, else finished, else the newest; r: signed, then reopened; o: looked at, and out."""
    tried: Any = [
        SimpleNamespace(id=one[0], began=1, signed="s" in one, reopened="r" in one, finished="f" in one)
        for one in played.split()
    ]
    out = {(one[0], 1) for one in played.split() if "o" in one}
    cleared = {(1, 1): SimpleNamespace(out=out)} if out else {}
    state: Any = SimpleNamespace(
        cleared=cleared, machine=lambda *at: SimpleNamespace(id=machine) if machine else None
    )
    game: Any = SimpleNamespace(round=SimpleNamespace(number=1), number=1)
    found = chosen(state, game, tried)
    assert is_ == ("" if found is None else found.id)


def test_a_table_that_comes_in_leaves_the_standings_as_they_are(hall: Hall) -> None:
    """The very same lines: each of a thousand tables costs what the first did."""
    arranged(hall, NAMES)
    before = hall.view.lines
    assert [1, 2, 3] == [let_in(hall).number for _ in range(3)]
    assert before is hall.view.lines
    hall.do(commands.AddPeople("Late"), "Ann")
    assert 13 == len(hall.view.lines)
