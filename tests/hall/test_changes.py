"""What changes while an event goes on: names, tables that are replaced, rounds called too early."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from companion.core.errors import NotNow
from companion.core.model import Verdict
from companion.evening.commands import Play, Redo, Regroup, Start, Undo
from companion.evening.events import Amended, AnyEvent, Finished, RoundArmed, RoundJudged, SignedOff, Started
from companion.hall import commands, keys
from companion.hall.hub import Hall
from companion.hall.membership import Membership
from companion.hall.results import placings
from companion.hall.roster import Person
from companion.hall.store import HallStore
from companion.hall.tally import TableLog, call_of
from companion.table.log_file import NO_HEAD, LogRow, chained
from companion.table.memory_store import MemoryStore
from companion.table.table import Table
from tests.support.halls import arranged, let_in, rows, take


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    """Return the folder of a new event."""
    made = HallStore(tmp_path)
    yield made
    made.close()


@pytest.fixture
def hall(store: HallStore) -> Hall:
    """Return a hall."""
    return Hall(store, random=Random(1))


def call_round(hall: Hall) -> None:
    """Draw and call the next round."""
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")


def played(hall: Hall, store: HallStore, member: Membership) -> None:
    """Let *member* play what it is called for: ended by hand and signed off, so all share the first place."""
    call = hall.call_for(member.table)
    assert call is not None
    lines = tuple(f"nose.{seat}" for seat in range(1, len(call.players) + 1))
    events = (
        Started(by="hall", at=0, game="pig", players=call.players, options={}, lines=lines, call=call.call),
        Finished(by="host", at=1),
        SignedOff(by="host", at=2, of=len(store.rows(member.table)) + 1),
    )
    take(hall, store, member, rows(events, store.heads().get(member.table, (0, NO_HEAD))))


def points(hall: Hall) -> dict[int, Fraction]:
    """Return everybody's points."""
    return {line.entrant: line.points for line in hall.view.lines}


def cleared(hall: Hall) -> None:
    """Let everything count that somebody has to look at."""
    for one in hall.view.outcomes:
        if one.state == "doubtful":
            hall.do(commands.Clear(one.round, one.number), "Ann")


def test_who_is_renamed_keeps_their_points(hall: Hall, store: HallStore) -> None:
    """Also who is written with their club because a namesake has come; three share 1/2 each."""
    arranged(hall, "name,club\nAya,Blue\nNoor,\nTom,", tables=1, final=0)
    member = let_in(hall)
    call_round(hall)
    played(hall, store, member)
    cleared(hall)
    half = Fraction(1, 2)
    assert {1: half, 2: half, 3: half} == points(hall)
    hall.do(commands.Rewrite(2, Person("Noor Haddad")), "Ann")
    hall.do(commands.AddPerson(Person("Aya", "Red")), "Ann")
    assert "Aya (Blue)" == hall.state.shown(1)
    assert {1: half, 2: half, 3: half, 4: 0} == points(hall)
    assert ["counts"] == [one.state for one in hall.view.outcomes]


def test_who_is_renamed_while_their_table_plays_plays_on_under_the_old_name(
    hall: Hall, store: HallStore
) -> None:
    """The table is not called anew, and its result is theirs."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    member = let_in(hall)
    call_round(hall)
    before = hall.call_for(member.table)
    hall.do(commands.Rewrite(2, Person("Noor Haddad")), "Ann")
    after = hall.call_for(member.table)
    assert before is not None
    assert after is not None
    assert (before.call, before.players) == (after.call, after.players)
    played(hall, store, member)
    cleared(hall)
    assert {Fraction(1, 2)} == set(points(hall).values())


def test_the_results_of_a_table_that_was_put_out_stay_when_another_takes_its_number(
    hall: Hall, store: HallStore
) -> None:
    """Table 1 plays round 1 and is put out; the next one gets its number, the first comes back as 2."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    first = let_in(hall)
    call_round(hall)
    played(hall, store, first)
    cleared(hall)
    before = points(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    assert 1 == let_in(hall).number
    assert before == points(hall)
    again = hall.admit(hall.invite(), first.table, keys.public_key(first.seed))
    assert (2, before) == (again, points(hall))


def test_a_table_that_replaces_another_in_mid_round_is_called_and_its_result_counts(
    hall: Hall, store: HallStore
) -> None:
    """The first has begun the match and is broken; what it still sends later does not count."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    broken = let_in(hall)
    call_round(hall)
    call = hall.call_for(broken.table)
    assert call is not None
    lines = ("nose.1", "nose.2", "nose.3")
    begun = Started(
        by="hall", at=0, game="pig", players=call.players, options={}, lines=lines, call=call.call
    )
    take(hall, store, broken, rows((begun,)))
    assert "playing" == hall.view.outcomes[0].state
    hall.do(commands.PutTableOut(1), "Ann")
    fresh = let_in(hall)
    assert 1 == fresh.number
    assert hall.call_for(broken.table) is None
    played(hall, store, fresh)
    cleared(hall)
    assert ("counts", fresh.table) == (
        hall.view.outcomes[0].state,
        getattr(hall.view.outcomes[0].called, "id", None),
    )


def test_a_round_called_too_early_is_taken_back_drawn_anew_and_called_anew(
    hall: Hall, store: HallStore
) -> None:
    """What its tables have begun, and what was typed, was of the first call and counts for nothing."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    member = let_in(hall)
    call_round(hall)
    early = hall.state.seq
    first = hall.call_for(member.table)
    played(hall, store, member)
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    hall.do(commands.TakeBack(early), "Ann")
    hall.do(commands.AddPerson(Person("Ewa")), "Ann")
    call_round(hall)
    second = hall.call_for(member.table)
    assert first is not None
    assert second is not None
    assert (first.call != second.call, 4) == (True, len(second.players))
    assert ["waiting"] == [one.state for one in hall.view.outcomes]
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        hall.do(commands.Renew(early), "Ann")


@pytest.mark.parametrize("entry", ["people", "draw", "put out"])
def test_what_later_entries_rest_on_is_not_taken_back(hall: Hall, store: HallStore, entry: str) -> None:
    """People who sit at a table, the draw that was called, the number that another table has now."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    seqs = {"people": hall.state.seq}
    let_in(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    seqs["put out"] = hall.state.seq
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    seqs["draw"] = hall.state.seq
    hall.do(commands.CallRound(), "Ann")
    before = hall.state
    with pytest.raises(NotNow, match="Later entries rest on this one: take those back first"):
        hall.do(commands.TakeBack(seqs[entry]), "Ann")
    assert before == hall.state
    assert len(list(store.own())) == before.seq


def test_a_table_that_sends_nonsense_ends_nobody_elses_evening(hall: Hall, store: HallStore) -> None:
    """Its rows are kept as they are, the hall says so, now and after a restart."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    member = let_in(hall)
    found, head = [], NO_HEAD
    for n, raw in enumerate(
        (
            b'{"type":"armed","by":"x","at":0}',
            b'{"type":"undone","by":"x","at":0,"of":99}',
            b'{"type":"started","by":"x","at":0,"game":"pig","players":[],"options":{},"lines":[]}',
            b'{"type":"played","by":"x","at":0,"move":{"type":"zap"}}',
            b'{"type":"whatever"}',
        ),
        1,
    ):
        head = chained(head, n, 1, raw)
        found.append(LogRow(n, 1, "x", raw, head))
    take(hall, store, member, found)
    assert 5 == hall.view.have[member.table]
    assert "cannot be read" in hall.view.seen[member.table].refused
    again = Hall(store)
    assert 5 == again.view.have[member.table]
    assert "cannot be read" in again.view.seen[member.table].refused


def test_the_hall_follows_a_match_to_whoever_came_and_back() -> None:
    """D comes in the middle of the call: the match goes on; taken back, the one before counts again."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3", "nose.4"), simulated=True, wall_s=lambda: 1.0)
    table.execute(Start("pig", ("A", "B", "C"), {}, call=call_of("abcdefgh", 5)), "hall")
    table.execute(Play({"type": "false-opener", "seat": 1}), "host")
    seen = []
    for wish in (Regroup(("A", "B", "C", "D")), Undo(None), Redo(None)):
        table.execute(wish, "host")
        log = TableLog("t")
        for seq, event in table.record.store.events():
            log = log.plus("abcdefgh", seq, 1, event)
        called = log.played[5]
        seen.append((called.match.started.players, called.finished))
    four, three = (("A", "B", "C", "D"), False), (("A", "B", "C"), False)
    assert [four, three, four] == seen


def test_a_correction_of_a_match_before_the_last_two_reaches_the_hall() -> None:
    """Three matches for three calls; in the first, long over, the round is taken out of the count."""
    names, lines = ("A", "B", "C"), ("nose.1", "nose.2", "nose.3")
    log = TableLog("t")
    n = 0

    def tell(*found: AnyEvent) -> None:
        nonlocal log, n
        for event in found:
            n += 1
            log = log.plus("abcdefgh", n, 1, event)

    for call in (5, 6, 7):
        tell(
            Started(
                by="hall",
                at=0,
                game="pig",
                players=names,
                options={},
                lines=lines,
                call=call_of("abcdefgh", call),
            ),
            RoundArmed(by="box", at=0, t_ns=0, seats=(1, 2, 3)),
            RoundJudged(
                by="box", at=0, verdict=Verdict(order=(1, 2, 3), last=(3,)), confirm_ns=1, lockout_ns=2
            ),
            Finished(by="host", at=0),
        )
    assert [0, 0, 1] == [one.letters for one in placings(log.played[5].match) or ()]
    tell(Amended(by="host", at=0, of=3, move={"type": "void", "reason": "misdeal"}))
    assert [0, 0, 0] == [one.letters for one in placings(log.played[5].match) or ()]
