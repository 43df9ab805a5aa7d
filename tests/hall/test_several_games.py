"""Several games for one table and round: another machine has played, too, or it is played again."""

from __future__ import annotations

from random import Random

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import Finish, Redo, SignOff, Undo
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.event import commands, events
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, decide, take, todos

ZERO = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=(10,) * 20, u_ns=1_000)


@pytest.fixture(autouse=True)
def called(hall: Hall) -> TableOfHall:
    """Return the only table, called for round 1 of two, in which three need one letter."""
    arranged(hall, "A,B,C", tables=1, rounds=2, final=0, options={"word": "P"})
    table = machine(hall)
    call_round(hall)
    return table


def machine(hall: Hall) -> TableOfHall:
    """Return a machine that is let in and has made its zero test."""
    made = TableOfHall(hall)
    made.table.record.append(ZERO)
    return made


def play(table: TableOfHall, winner: str) -> int:
    """Play what *table* is called for; return the first verdict."""
    table.begin()
    return play_on(table, winner)


def play_on(table: TableOfHall, winner: str) -> int:
    """Play the game that has begun, until *winner* has won and the host has signed it off."""
    match = table.table.record.evening.matches[-1]
    seats = [n for n in range(1, 4) if n != match.started.players.index(winner) + 1]
    first = table.judged(*(n for n in range(1, 4) if n != seats[0]), seats[0])
    table.judged(*(n for n in range(1, 4) if n not in seats), seats[1])
    table.do(SignOff())
    return first


def play_of(table: TableOfHall) -> int:
    """Return the first verdict of the newest game of *table*."""
    return next(one.seq for one in table.table.record.evening.matches[-1].entries if one.verdict is not None)


def played(hall: Hall) -> tuple[str, str, str]:
    """Return how round 1 stands, who has won it, and what is to be done next."""
    found = hall.view.outcomes[0]
    places = found.result.placings if found.result is not None else ()
    won = [hall.state.shown(entrant) for entrant, one in places if one.place == 1]
    return found.state, "".join(won), hall.view.step.kind


@pytest.fixture
def both(hall: Hall, called: TableOfHall) -> tuple[TableOfHall, TableOfHall]:
    """Return the machine whose result counts (A has won), and the one that it replaced, whose B has won.

    That one was away, and has sent it later, as number 2.
    """
    called.begin()
    called.away = True
    play_on(called, "B")
    hall.do(commands.PutTableOut(1), "Ann")
    second = machine(hall)
    play(second, "A")
    assert ("counts", "A", "call") == played(hall)
    key = hall.state.tables[called.member.table].key
    assert 2 == hall.admit(hall.invite(), called.member.table, key)
    called.away = False
    called.send()
    assert (("counts", "A", "call"), 1) == (played(hall), len(todos(hall, "twice")))
    return second, called


@pytest.mark.parametrize("looked", [False, True])
def test_a_result_that_lost_does_not_count_while_the_other_is_being_corrected(
    hall: Hall, both: tuple[TableOfHall, TableOfHall], looked: bool
) -> None:
    """Nor does the next round begin with it; what is signed off then is looked at once more."""
    counting, _ = both
    if looked:
        hall.do(commands.Clear(1, 1), "Ann")
        assert 0 == len(todos(hall, "twice"))
    counting.do(Undo(None))
    assert ("playing", "", "wait") == played(hall)
    assert counting.call.call == counting.table.record.evening.matches[-1].started.call
    counting.do(Redo(None), SignOff())
    assert (("counts", "A", "call"), 0 if looked else 1) == (played(hall), len(todos(hall, "twice")))


def test_a_result_that_was_rejected_stays_out_when_the_machine_that_counted_is_put_out(
    hall: Hall, both: tuple[TableOfHall, TableOfHall]
) -> None:
    """Its host had taken the last deal back; who has its place now plays, and that counts."""
    counting, _ = both
    hall.do(commands.Clear(1, 1), "Ann")
    counting.do(Undo(None))
    hall.do(commands.PutTableOut(1), "Ann")
    assert ("playing", "", "wait") == played(hall)
    play(machine(hall), "C")
    assert ("counts", "C", "call") == played(hall)


def test_a_result_that_was_rejected_stays_out_when_its_machine_is_let_in_again(
    hall: Hall, both: tuple[TableOfHall, TableOfHall]
) -> None:
    """Under another id, with the same log."""
    counting, back = both
    hall.do(commands.Clear(1, 1), "Ann")
    hall.do(commands.PutTableOut(2), "Ann")
    found = back.come_again()
    take(hall, back.member, found)
    assert (("counts", "A", "call"), 0) == (played(hall), len(todos(hall, "twice")))
    counting.do(Undo(None))
    hall.do(commands.PutTableOut(1), "Ann")
    assert ("playing", "", "wait") == played(hall)


def test_a_game_that_is_played_again_is_not_replaced_by_what_another_machine_has_sent(
    hall: Hall, both: tuple[TableOfHall, TableOfHall]
) -> None:
    """Whoever has played it before: the table is called, and what it plays then counts, unasked."""
    counting, back = both
    decided = decide(hall, "again", play_of(counting), table=counting.member.table)
    assert ("waiting", "", "wait") == played(hall)
    ((appeal, made),) = hall.state.appeals.items()
    assert (f"{hall.event}.{appeal}.{made.nonce}", "") == (counting.call.call, back.call.call)
    play(counting, "C")
    assert (("counts", "C", "call"), 0) == (played(hall), len(todos(hall, "twice")))
    hall.do(commands.TakeBack(decided), "Ann")
    assert ("counts", "A", "call") == played(hall)
    hall.do(commands.Decide(appeal, "again", "The strip is clear"), "Ann")
    assert ("counts", "C", "call") == played(hall), "decided once more: what was played for it counts"


def test_a_game_that_was_played_again_can_be_appealed_and_played_a_third_time(
    hall: Hall, called: TableOfHall
) -> None:
    """A decision about the first game, which does not count any more, changes nothing."""
    first = play(called, "A")
    hall.do(
        commands.Object(1, called.table.record.evening.matches[-1].entries[-1].seq, "It was close."), "Ann"
    )
    late = hall.state.seq
    decide(hall, "again", first, table=called.member.table)
    second = play(called, "B")
    hall.do(commands.Object(1, second, "It was so close."), "Ann")
    newest = hall.state.seq
    assert [1, 1] == [one.round for one in todos(hall, "appeal")]
    hall.do(commands.Decide(late, "again", "The strip says so."), "Ann")
    assert ("counts", "B", "call") == played(hall)
    hall.do(commands.Decide(newest, "again", "The strip says so."), "Ann")
    assert ("waiting", "", "wait") == played(hall)
    play(called, "C")
    assert ("counts", "C", "call") == played(hall)


def test_an_appeal_that_names_no_call_is_about_the_one_of_its_round(
    hall: Hall, store: HallStore, called: TableOfHall
) -> None:
    """As archives of 0.2.0 have it; the table is called again."""
    first = play(called, "A")
    seq = hall.state.seq
    table = called.member.table
    store.append(
        seq + 1, events.VerdictAppealed(by="Ann", at=0, table=table, entry=first, reason="x", round=1)
    )
    store.append(seq + 2, events.AppealDecided(by="Ann", at=0, appeal=seq + 1, decision="again", reason="y"))
    older = Hall(store, random=Random(1))
    assert ("waiting", "", "wait") == played(older)
    told = older.call_for(table)
    assert f"{hall.event}.{seq + 1}" == told.call


def test_what_is_played_again_is_looked_at_again_though_it_ends_alike(
    hall: Hall, called: TableOfHall
) -> None:
    """Both games were ended by hand after C was last: an organiser has looked at the first only."""
    for number, state in enumerate(("counts", "doubtful")):
        called.begin()
        verdict = called.judged(1, 2, 3)
        called.do(Finish(), SignOff())
        if not number:
            assert "doubtful" == played(hall)[0]
            hall.do(commands.Clear(1, 1), "Ann")
        assert state == played(hall)[0]
        if not number:
            decide(hall, "again", verdict, table=called.member.table)
    (appeal,) = hall.state.appeals
    hall.do(commands.TakeBack(hall.state.appeals[appeal].decided), "Ann")
    assert "counts" == played(hall)[0], "it was looked at"


@pytest.mark.parametrize("decision", ["again", "void"])
def test_a_game_whose_result_was_typed_is_not_decided_otherwise_without_a_word(
    hall: Hall, called: TableOfHall, decision: str
) -> None:
    """What was typed counts until it is taken back: then it is played again."""
    verdict = play(called, "A")
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "The power went."), "Ann")
    typed = hall.state.seq
    with pytest.raises(NotNow, match="was typed, and counts"):
        decide(hall, decision, verdict, table=called.member.table)
    appeal = hall.state.seq
    hall.do(commands.TakeBack(typed), "Ann")
    hall.do(commands.Decide(appeal, decision, "The strip says so."), "Ann")
    assert {"again": "waiting", "void": "doubtful"}[decision] == played(hall)[0]
