"""A machine that was put out and let in again, under another id: what it has played is its own as before."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import Amend, SignOff, Undo
from lastnose.companion.evening.events import Amended, SignedOff
from lastnose.companion.event import commands
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.hall_tables import TableOfHall, playing
from tests.support.halls import arranged, call_round, let_in, rows, states, take


def winners(hall: Hall) -> list[str]:
    """Return who is first."""
    found = [one.result for one in hall.view.outcomes if one.result is not None]
    return [hall.state.shown(who) for one in found for who, placing in one.placings if placing.place == 1]


@pytest.fixture
def played(hall: Hall) -> tuple[TableOfHall, int]:
    """Give the table that has played round 1, and the entry of its verdict, which has decided the game."""
    table = playing(hall, rounds=2, options={"word": "P"})
    table.judged(1, 2, 3)
    verdict = table.judged(1, 2)
    table.do(SignOff())
    hall.do(commands.Clear(1, 1), "Ann")
    assert [(1, 1, "counts")] == states(hall)
    return table, verdict


def let_in_again(hall: Hall, table: TableOfHall) -> None:
    """Put *table* out, and let it in again."""
    hall.do(commands.PutTableOut(1), "Ann")
    found = table.come_again()
    take(hall, table.member, found)


def test_a_correction_at_a_machine_that_was_let_in_again_corrects_what_it_had_played(
    hall: Hall, store: HallStore, played: tuple[TableOfHall, int]
) -> None:
    """Nothing is said of another machine: it is the same one."""
    table, verdict = played
    before = winners(hall)
    let_in_again(hall, table)
    assert ([(1, 1, "counts")], before) == (states(hall), winners(hall))
    settled = hall._copies.settled
    assert settled(hall.state) is settled(hall.state) is not hall.state, "it is worked out once"
    table.do(Amend(verdict, {"type": "last", "seats": [1]}), SignOff())
    (one,) = hall.view.outcomes
    assert (None, table.member.table) == (one.other, one.called and one.called.id)
    assert before != winners(hall)
    table.do(Undo(verdict))
    assert [(1, 1, "playing")] == states(hall)
    assert Hall(store).view.outcomes == hall.view.outcomes


@pytest.mark.parametrize("lodged", ["before", "after"])
@pytest.mark.parametrize(("decision", "state"), [("again", "waiting"), ("void", "doubtful")])
def test_an_appeal_to_what_a_machine_played_holds_after_it_was_let_in_again(
    hall: Hall, played: tuple[TableOfHall, int], lodged: str, decision: str, state: str
) -> None:
    """It was lodged about the old id, or is about the new one; the table is told under the new one."""
    table, verdict = played
    old = table.member.table
    if lodged == "before":
        hall.do(commands.Object(1, verdict, "No.", table=old), "Ann")
    let_in_again(hall, table)
    if lodged == "after":
        hall.do(commands.Object(1, verdict, "No."), "Ann")
    (appeal,) = hall.view.state.appeals.values()
    assert table.member.table == appeal.table
    hall.do(commands.Decide(appeal.seq, decision, "The strip says so."), "Ann")
    assert [(1, 1, state)] == states(hall)
    assert (decision == "again", [2] * (decision == "void")) == (
        table.call.call != "",
        [one.void for one in table.call.stuck],
    )
    if decision == "again":
        table.begin()
        assert [(1, 1, "playing")] == states(hall)


def test_the_old_copy_counts_until_all_of_it_has_come_again(
    hall: Hall, played: tuple[TableOfHall, int]
) -> None:
    """No result is gone for the moment in which its game is half sent."""
    table, _ = played
    before = winners(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    for row in table.come_again():
        take(hall, table.member, [row])
        assert ([(1, 1, "counts")], before) == (states(hall), winners(hall))
    (one,) = hall.view.outcomes
    assert table.member.table == (one.called and one.called.id)


def test_a_machine_let_in_again_with_another_number_has_what_it_played_where_it_played_it(hall: Hall) -> None:
    """Another has its number by now; under its own it has played nothing of that round."""
    arranged(hall, "A,B,C,D,E,F", rounds=2, tables=2, most=3, final=0, options={"word": "P"})
    first, _ = TableOfHall(hall), let_in(hall)
    call_round(hall)
    first.begin()
    first.judged(1, 2, 3)
    first.judged(1, 2)
    first.do(SignOff())
    hall.do(commands.Clear(1, 1), "Ann")
    for number in (1, 2):
        hall.do(commands.PutTableOut(number), "Ann")
    other, found = let_in(hall), first.come_again()
    assert (1, 2) == (other.number, first.member.number)
    take(hall, first.member, found)
    assert [(1, 1, "counts"), (1, 2, "waiting")] == states(hall)
    one, _ = hall.view.outcomes
    assert first.member.table == (one.called and one.called.id)


def test_a_card_restored_from_an_image_does_not_take_the_place_of_what_counts(
    hall: Hall, played: tuple[TableOfHall, int]
) -> None:
    """Its log parts from the one that was sent: what its game has come to there is said, no more."""
    table, verdict = played
    before, old = winners(hall), table.member.table
    hall.do(commands.PutTableOut(1), "Ann")
    found = table.come_again()[:verdict]
    away = Amended(by="host", at=9, of=verdict, move={"type": "last", "seats": [1]})
    more = (away, *(SignedOff(by="host", at=at, of=1) for at in (10, 11)))
    take(hall, table.member, found + rows(more, (found[-1].seq, found[-1].head)))
    (one,) = hall.view.outcomes
    assert ([(1, 1, "counts")], before, old) == (states(hall), winners(hall), one.called and one.called.id)
    assert one.other is not None


def test_two_machines_let_in_again_in_the_other_order_play_on_under_their_new_numbers(hall: Hall) -> None:
    """Round 1 stays what each had played; round 2, for which both had waited, goes by the numbers."""
    arranged(hall, "Aya,Noor,Tom,Uma,Ida,Ben", rounds=2, tables=2, most=3, final=0, options={"word": "P"})
    one, two = tables = TableOfHall(hall), TableOfHall(hall)
    call_round(hall)
    for number, table in enumerate(tables, 1):
        table.begin()
        table.judged(1, 2, 3)
        table.judged(1, 2)
        table.do(SignOff())
        hall.do(commands.Clear(1, number), "Ann")
    call_round(hall)
    assert [(1, 1, "counts"), (1, 2, "counts"), (2, 1, "waiting"), (2, 2, "waiting")] == states(hall)
    before = winners(hall)
    for number in (1, 2):
        hall.do(commands.PutTableOut(number), "Ann")
    found = [(table, table.come_again()) for table in (two, one)]
    for table, sent in found:
        take(hall, table.member, sent)
    assert [2, 1] == [table.member.number for table in tables]
    assert before == winners(hall)
    for table in tables:
        assert (2, True) == (table.call.round, table.call.call != "")
        table.begin()
        table.judged(1, 2, 3)
        table.judged(1, 2)
        table.do(SignOff())
    assert [(2, 1, "counts"), (2, 2, "counts")] == states(hall)[2:]


def test_a_machine_with_a_copy_of_anothers_log_is_not_that_one_when_it_is_put_out(
    hall: Hall, played: tuple[TableOfHall, int]
) -> None:
    """A second card was written from the first one’s after a game, and both tables are in."""
    table, _ = played
    old = table.member.table
    copied = table.come_again()
    take(hall, table.member, copied)
    assert (2, [(1, 1, "counts")]) == (table.member.number, states(hall))
    hall.do(commands.PutTableOut(1), "Ann")
    (one,) = hall.view.outcomes
    assert ("counts", old) == (one.state, one.called and one.called.id)


def test_who_decides_otherwise_about_a_machine_let_in_again_is_told_that_another_has_decided(
    hall: Hall, played: tuple[TableOfHall, int]
) -> None:
    """The appeal was lodged about the old id; both dialogs show the game under the new one."""
    table, verdict = played
    hall.do(commands.Object(1, verdict, "No.", table=table.member.table), "Ann")
    appeal = hall.state.seq
    let_in_again(hall, table)
    opened = hall.state.seq
    hall.do(commands.Decide(appeal, "stands", "It was so."), "Ann", opened=opened)
    with pytest.raises(NotNow, match="Ann has changed this meanwhile: The verdict stands"):
        hall.do(commands.Object(1, verdict, "No.", table=table.member.table), "Bob", opened=opened)
