"""Appeals: which verdict they are about, whose decision holds, and what can be done after one."""

from __future__ import annotations

import re

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import Amend, SignOff
from lastnose.companion.event import commands
from lastnose.companion.event.calls import said_of_call, said_of_stuck
from lastnose.companion.event.changes import said_after
from lastnose.companion.event.messages import Presence
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.service import look
from lastnose.companion.link.wire import presence_of

from tests.support.hall_tables import TableOfHall, playing
from tests.support.halls import (
    arranged,
    begun,
    call_round,
    call_to,
    decide,
    judged_game,
    let_in,
    play_called,
    rows,
    screen,
    seated,
    states,
    take,
    todos,
)


@pytest.fixture
def replaced(hall: Hall) -> tuple[Membership, Membership]:
    """Give a machine that was put out after round 1, and another that has its number and played round 2."""
    (first,) = begun(hall, "Aya,Noor,Tom", tables=1, rounds=3, most=3, final=0)
    play_called(hall, first)
    hall.do(commands.PutTableOut(1), "Ann")
    second = let_in(hall)
    call_round(hall)
    play_called(hall, second)
    return first, second


def test_an_appeal_is_about_the_machine_that_it_names_though_another_has_its_number(
    hall: Hall, replaced: tuple[Membership, Membership]
) -> None:
    """Logs look alike: entry 3 of both is a verdict, one of round 1, one of round 2."""
    first, second = replaced
    hall.do(commands.Object(1, 3, "Tom was first.", table=first.table), "Ann")
    (todo,) = todos(hall, "appeal")
    assert (1, 1, first.table, 3) == (todo.round, todo.number, todo.table, todo.entry)
    hall.do(commands.Decide(hall.state.seq, "again", "The strip says so."), "Ann")
    assert [(1, 1, "waiting"), (2, 1, "counts")] == states(hall)
    call = call_to(hall, second)
    assert 1 == call.round


def test_a_machine_that_is_out_and_has_no_successor_can_be_appealed(hall: Hall) -> None:
    """Its table has nobody else: the decision is made all the same."""
    (first,) = begun(hall, "Aya,Noor,Tom", tables=1, rounds=1, most=3, final=0)
    play_called(hall, first)
    hall.do(commands.PutTableOut(1), "Ann")
    decide(hall, "again", table=first.table)
    assert [(1, 1, "waiting")] == states(hall)


def test_an_appeal_that_names_only_a_number_two_machines_have_had_is_refused(
    hall: Hall, replaced: tuple[Membership, Membership]
) -> None:
    """It is taken where only one of them has such a verdict."""
    before = hall.state
    with pytest.raises(BadInput, match="Two machines have been table 1: say which by its id"):
        hall.do(commands.Object(1, 3, "Tom was first."), "Ann")
    for wrong in (commands.Object(1, 4, "No."), commands.Object(1, 3, "No.", table="nobody")):
        with pytest.raises(BadInput, match=r"Entry \d of table 1 is not a verdict of this event"):
            hall.do(wrong, "Ann")
    assert before is hall.state


def test_a_table_shows_which_machine_has_judged_its_newest_verdict(hall: Hall) -> None:
    """The one that has its number by now has no such entry: what is appealed there is found."""
    (first,) = begun(hall, "Aya,Noor,Tom", tables=1, rounds=1, most=3, final=0)
    play_called(hall, first)
    hall.do(commands.PutTableOut(1), "Ann")
    second = let_in(hall)
    (table,) = screen(hall).tables
    assert (second.table, 3, first.table) == (table.id, table.verdict, table.judged_by)
    assert 1 == look(hall, table.judged_by, table.verdict).number
    hall.do(commands.Object(table.number, table.verdict, "Tom was first.", table=table.judged_by), "Ann")
    hall.do(commands.Decide(hall.state.seq, "stands", "It was so."), "Ann")
    assert [(1, 1, "counts")] == states(hall)


def test_each_verdict_of_an_event_is_looked_at_by_itself(hall: Hall) -> None:
    """Of two games of two rounds: who was last in that one, and in no other."""
    arranged(hall, "Aya,Noor,Tom", tables=1, rounds=2, most=3, final=0)
    table, judged = TableOfHall(hall), dict[int, tuple[int, str]]()
    for game in (1, 2):
        call_round(hall)
        table.begin()
        for order in ((1, 2, 3), (3, 1, 2)):
            judged[table.judged(*order)] = game, table.table.record.evening.matches[-1].player(order[-1])
        table.end()
    for entry, (game, last) in judged.items():
        found = look(hall, table.member.table, entry)
        told = f"Judged again: {last}, as before."
        assert (entry, game, told, True) == (
            found.round.seq,
            found.round.game,
            str(found.again),
            found.upheld,
        )


@pytest.fixture
def played(hall: Hall) -> Membership:
    """Give a table that has played round 1, which counts."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, rounds=2, most=3, final=0)
    play_called(hall, member)
    return member


def test_a_verdict_has_one_open_appeal_and_a_second_is_told_of_the_first(
    hall: Hall, played: Membership
) -> None:
    """Of another verdict there may be one; once the first is decided there may be another."""
    hall.do(commands.Object(1, 3, "Tom was pushed."), "Ann")
    first = hall.state.seq
    says = "Ann has appealed this verdict already: “Tom was pushed.”. Decide that appeal."
    with pytest.raises(NotNow, match=re.escape(says)):
        hall.do(commands.Object(1, 3, "Noor was pushed.", table=played.table), "Bob")
    hall.do(commands.Decide(first, "stands", "No."), "Bob")
    hall.do(commands.Object(1, 3, "Noor was pushed."), "Bob")


@pytest.mark.parametrize("renewed", [False, True])
@pytest.mark.parametrize(
    ("decisions", "state"),
    [
        (("void", "stands"), "counts"),
        (("stands", "void"), "doubtful"),
        (("again", "stands"), "counts"),
        (("again", "void"), "doubtful"),
        (("void", "again"), "waiting"),
    ],
)
def test_of_two_decisions_about_a_verdict_the_one_made_last_holds(
    hall: Hall, played: Membership, decisions: tuple[str, str], state: str, renewed: bool
) -> None:
    """Whichever of their appeals was lodged first: the first decision may be taken back, and made again."""
    hall.do(commands.Object(1, 3, "Tom was pushed."), "Ann")
    first = hall.state.seq
    hall.do(commands.Decide(first, "stands", "No."), "Ann")
    decide(hall, decisions[0], by="Bob")
    if renewed:
        hall.do(commands.TakeBack(first + 1), "Ann")
        hall.do(commands.Decide(first, decisions[1], "Yes."), "Ann")
    else:
        decide(hall, decisions[1])
    assert [(1, 1, state)] == states(hall)


def test_who_decides_about_a_verdict_in_a_dialog_is_told_that_another_has_decided_meanwhile(
    hall: Hall, played: Membership
) -> None:
    """Both had it open. Pressed once more theirs holds; who appeals and decides alone is told nothing."""
    decide(hall, "stands", table=played.table)
    opened = hall.state.seq
    hall.do(commands.Object(1, 3, "Tom was pushed.", table=played.table), "Ann", opened=opened)
    hall.do(commands.Decide(hall.state.seq, "again", "The strip says so."), "Ann", opened=opened)
    says = "Ann has changed this meanwhile: This table’s game is played again (The strip says so.)."
    with pytest.raises(NotNow, match=re.escape(says)):
        hall.do(commands.Object(1, 3, "No.", table=played.table), "Bob", opened=opened)
    opened = hall.state.seq
    hall.do(commands.Object(1, 3, "No.", table=played.table), "Bob", opened=opened)
    both = hall.state.seq
    hall.do(commands.Decide(both, "stands", "It was so."), "Bob", opened=opened)
    with pytest.raises(NotNow, match="Bob has changed this meanwhile: The verdict stands"):
        hall.do(commands.Decide(both, "void", "No."), "Ann", opened=opened)
    assert [(1, 1, "counts")] == states(hall)
    decide(hall, "again", table=played.table, by="Cid")
    with pytest.raises(NotNow, match="Cid has changed this meanwhile: This table’s game is played again"):
        hall.do(commands.Object(1, 3, "No.", table=played.table), "Ann", opened=opened)
    with pytest.raises(BadInput):
        hall.do(commands.Object(1, 3, "No."), "Ann", opened=hall.state.seq + 1)


def test_it_counts_is_said_of_what_was_looked_at_and_of_nothing_that_comes_later(hall: Hall) -> None:
    """Nothing to look at: before there is a result, and once it counts; another doubt is another thing."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, rounds=1, most=3, final=0)
    before, nothing = hall.state, "Something has just changed"
    with pytest.raises(NotNow, match=nothing):
        hall.do(commands.Clear(1, 1), "Ann")
    names, call = seated(hall)
    take(hall, member, rows(judged_game(names, call, 0)))
    (todo,) = todos(hall, "doubtful")
    decide(hall, "void")
    with pytest.raises(NotNow, match="Something has just changed"):
        hall.do(commands.Clear(1, 1, todo.command["mark"]), "Ann")
    hall.do(commands.TakeBack(hall.state.seq), "Ann")
    assert before.cleared == hall.state.cleared
    hall.do(commands.Clear(1, 1, todo.command["mark"]), "Ann")
    assert [(1, 1, "counts")] == states(hall)
    with pytest.raises(NotNow, match=nothing):
        hall.do(commands.Clear(1, 1), "Ann")


def to_do(hall: Hall) -> list[tuple[str, str, str, str, bool]]:
    """Return what the desk is to do about results: kind, both sentences, button, if that is a command."""
    found = (one for one in screen(hall).todos if one.kind in ("doubtful", "open"))
    return [(o.kind, str(o.says), str(o.why), str(o.button), o.command is not None) for o in found]


def decided_void(hall: Hall, entry: int, table: str) -> str:
    """Take the deal of *entry* out by an appeal; return what the organiser is told at once."""
    hall.do(commands.Object(1, entry, "Tom was pushed.", table=table), "Ann")
    before, command = hall.view, commands.Decide(hall.state.seq, "void", "So it was.")
    hall.do(command, "Ann")
    return str(said_after(before, hall.view, command))


BEYOND = (
    "By an appeal a deal does not count, and its table cannot play on: type the result, or let it be played "
    "again."
)


def test_who_takes_a_deal_out_is_told_that_the_table_does_it(hall: Hall, played: Membership) -> None:
    """As long as the game is its table's newest."""
    says = "Round 1 of its game does not count, by an appeal: its host has to take it out."
    assert says == decided_void(hall, 3, played.table)


def test_of_two_tables_it_is_told_of_the_one_that_a_decision_is_about(hall: Hall) -> None:
    """The other has not begun; nor is who decides told of the decisions that others made about it."""
    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", rounds=1, tables=2, most=3, final=0)
    first, second = TableOfHall(hall), TableOfHall(hall)
    call_round(hall)
    second.begin()
    verdict = second.judged(1, 2, 3)
    says = "Round 1 of its game does not count, by an appeal: its host has to take it out."
    hall.do(commands.Object(2, verdict, "Tom was pushed."), "Ann")
    before, command = hall.view, commands.Decide(hall.state.seq, "void", "So it was.")
    opened = hall.state.seq
    hall.do(command, "Ann")
    assert says == str(said_after(before, hall.view, command))
    first.begin()
    for order in ((1, 2, 3), (1, 3, 2)):
        entry = first.judged(*order)
        hall.do(commands.Object(1, entry, "No."), "Bob")
        hall.do(commands.Decide(hall.state.seq, "stands", "It was so."), "Bob")
    with pytest.raises(NotNow, match="Ann has changed this meanwhile"):
        hall.do(commands.Object(2, verdict, "No.", table=second.member.table), "Cid", opened=opened)


@pytest.mark.parametrize("new_one", [False, True])
def test_nobody_is_asked_to_take_a_deal_out_at_a_machine_that_is_out(
    hall: Hall, played: Membership, new_one: bool
) -> None:
    """The desk says what can be done, and its button does that."""
    hall.do(commands.PutTableOut(1), "Ann")
    if new_one:
        let_in(hall)
    says = BEYOND
    assert says == decided_void(hall, 3, played.table)
    assert [("doubtful", BEYOND, "Round 1", "Type its result…", False)] == to_do(hall)


def test_a_deal_of_an_earlier_game_that_an_appeal_takes_out_leads_into_no_circle(hall: Hall) -> None:
    """Neither desk nor table ask to sign off what cannot be, or to put back what the appeal took out."""
    table = playing(hall, rounds=2, options={"word": "P"})
    verdict = table.judged(1, 2, 3)
    table.judged(1, 2)
    table.do(SignOff())
    hall.do(commands.Clear(1, 1), "Ann")
    call_round(hall)
    table.begin()
    said = decided_void(hall, verdict, table.member.table)
    assert said == BEYOND
    assert [("doubtful", BEYOND, "Round 1", "Type its result…", False)] == to_do(hall)
    told = "Round 1: no result of this table. Let the hall’s desk type it."
    assert [told] == [str(said_of_stuck(one)) for one in table.call.stuck]
    table.do(Amend(verdict, {"type": "void"}))
    assert [("open", "Round 1 has no result here.", BEYOND, "Type its result…", False)] == to_do(hall)
    assert [told] == [str(said_of_stuck(one)) for one in table.call.stuck]


def test_a_table_is_told_why_its_game_is_played_again(hall: Hall, played: Membership) -> None:
    """With the reason that the organiser gave; a game that is played for the first time has none."""
    hall.do(commands.Object(1, 3, "Tom was pushed."), "Ann")
    appeal = hall.state.seq
    hall.do(commands.Decide(appeal, "again", "Tom was pushed, says Ann."), "Ann")
    call = call_to(hall, played)
    says = "This game is played again: Tom was pushed, says Ann."
    assert [says] == [str(one) for one in said_of_call(call)]
    hall.do(commands.TakeBack(hall.state.seq), "Ann")
    call_round(hall)
    call = call_to(hall, played)
    assert (2, ()) == (call.round, said_of_call(call))


def test_a_deal_that_does_not_count_is_not_taken_out_by_an_appeal(hall: Hall) -> None:
    """Its host has done that: it may still be decided that it stands so, or that all is played again."""
    table = playing(hall, rounds=2)
    verdict = table.judged(1, 2, 3)
    hall.do(commands.Object(1, verdict, "Tom was pushed."), "Ann")
    appeal = hall.state.seq
    table.do(Amend(verdict, {"type": "void"}))
    with pytest.raises(NotNow, match="That deal does not count as it is"):
        hall.do(commands.Decide(appeal, "void", "So it was."), "Ann")
    hall.do(commands.Decide(appeal, "stands", "So it was."), "Ann")


def test_what_a_table_says_why_it_does_not_begin_is_read_in_the_language_of_the_desk() -> None:
    """It travels as a template with its fields, and one that formats what it should not is refused."""
    why = text("The hall’s game cannot be played here: {why}", why=text("The disk is full."))
    sent = msgspec.json.encode(Presence(3, cannot=why))
    assert why == presence_of(sent).cannot
    assert "full" == presence_of(msgspec.json.encode(Presence(3, cannot="full"))).cannot, "of an older table"
    for bad in (Text("{why:>99999}", {"why": ""}), Text("{why.x}", {"why": ""}), Text("{other}", {})):
        with pytest.raises(BadInput, match=re.escape(bad.id)):
            presence_of(msgspec.json.encode(Presence(3, cannot=bad)))


def test_a_table_is_told_that_the_result_of_its_game_was_typed_while_it_plays(hall: Hall) -> None:
    """Until that is taken back; who has signed off before is told nothing."""
    table = playing(hall, rounds=2, options={"word": "P"})
    call = table.call.call
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "The box is broken."), "Ann")
    assert ("", call) == (table.call.call, table.call.typed)
    hall.do(commands.TypeResult(1, 1, ()), "Ann")
    assert (call, "") == (table.call.call, table.call.typed)
    table.end()
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "From paper."), "Ann")
    assert ("", "") == (table.call.call, table.call.typed)


@pytest.mark.parametrize("places", [((1,), (), (2,), (3,)), ((),), ((1, 2, 3), ())])
def test_a_place_that_nobody_has_is_no_place_of_a_typed_result(
    hall: Hall, places: tuple[tuple[int, ...], ...]
) -> None:
    """Programs may send one: it is refused, and no result is typed."""
    playing(hall, rounds=2, options={"word": "P"})
    seq = hall.state.seq
    with pytest.raises(BadInput, match="Give everybody at table 1 one place"):
        hall.do(commands.TypeResult(1, 1, places, "paper"), "Ann")
    assert seq == hall.state.seq
