"""Games that may get no result: of an earlier round, or of a table that was put out."""

from __future__ import annotations

import pytest
from lastnose.companion.event import commands
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership

from tests.support.halls import (
    arranged,
    call_round,
    call_to,
    decide,
    judged_game,
    known,
    let_in,
    play_called,
    rows,
    screen,
    states,
    take,
    todos,
    type_result,
)


@pytest.fixture
def hall(hall: Hall) -> Hall:
    """Return a hall of six people at two tables, three rounds and no final."""
    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", rounds=3, final=0)
    return hall


def called_to(hall: Hall, member: Membership) -> int:
    """Return the round that *member* is called for, 0 for none."""
    call = call_to(hall, member)
    return call.round if call.call else 0


def left_over(hall: Hall) -> list[tuple[int, int, str, str]]:
    """Return what the desk is told of games that may get no result: round, table, and both sentences."""
    return [
        (one.round, one.number, str(one.says), str(one.why))
        for one in screen(hall).todos
        if one.kind == "open"
    ]


@pytest.fixture
def again(hall: Hall) -> tuple[Membership, Membership]:
    """Give two tables that are called for round 2, when table 1 has to play round 1 again."""
    both = let_in(hall), let_in(hall)
    call_round(hall)
    for one in both:
        play_called(hall, one)
    call_round(hall)
    decide(hall, "again")
    return both


def test_a_game_of_an_earlier_round_is_called_again_once_its_table_and_people_are_free(
    hall: Hall, again: tuple[Membership, Membership]
) -> None:
    """Round 2 goes first; as people of both its tables sat at table 1, both must have played."""
    first, second = again
    people = hall.state.rounds[0].at(1)
    assert all({*people} & {*hall.state.rounds[1].at(number)} for number in (1, 2))
    players = ", ".join(map(hall.state.shown, people))
    says = "Round 1 has no result here."
    waits = [(1, 1, says, f"It is called for that game once these have played: {players}.")]
    assert ([2, 2], waits) == ([called_to(hall, one) for one in again], left_over(hall))
    assert "Round 1: 1 table has no result yet" == str(hall.view.step.says), "those of round 2 play"
    play_called(hall, first)
    left = ", ".join(hall.state.shown(one) for one in people if one in hall.state.rounds[1].at(2))
    waits = [(1, 1, says, f"It is called for that game once these have played: {left}.")]
    assert ([0, 2], waits) == ([called_to(hall, one) for one in again], left_over(hall))
    play_called(hall, second)
    assert [1, 0] == [called_to(hall, one) for one in again]
    assert [(1, 1, says, f"It is called for that game: {players}.")] == left_over(hall)
    shown = screen(hall)
    assert "Round 1: 1 table has no result yet" == str(shown.headline)
    assert [(1, people), (2, hall.state.rounds[1].at(2))] == [
        (one.round, tuple(seat.entrant for seat in one.seats)) for one in shown.tables
    ]
    assert "Round 1: 1 table has no result yet" == str(hall.view.step.says)
    play_called(hall, first)
    assert ("call", []) == (hall.view.step.kind, left_over(hall))
    assert [2, 2] == [one.round for one in screen(hall).tables]
    call_round(hall)
    assert [3, 3] == [called_to(hall, one) for one in again]


def test_a_table_whose_host_has_yet_to_sign_off_the_newest_round_is_called_for_no_other(
    hall: Hall, again: tuple[Membership, Membership]
) -> None:
    """All people are free, but a game that began now would take the place of the one to be signed off."""
    first, second = again
    play_called(hall, second)
    call = call_to(hall, first)
    before = known(hall, first)
    take(hall, first, rows(judged_game(call.players, call.call, before[0])[:-1], before))
    assert (2, 1, "unsigned") in states(hall)
    assert 2 == called_to(hall, first)


def test_what_was_played_before_the_decision_does_not_count_for_the_game_that_is_played_again(
    hall: Hall, again: tuple[Membership, Membership]
) -> None:
    """The table is called by the appeal: what it has played for the call of the round is another game."""
    for one in again:
        play_called(hall, one)
    call = hall.call_for(again[0].table)
    ((appeal, made),) = hall.state.appeals.items()
    assert (1, f"{hall.event}.{appeal}.{made.nonce}") == (call.round, call.call)
    assert (1, 1, "waiting") in states(hall)


def test_the_result_of_an_earlier_round_can_be_typed_and_the_event_goes_on(
    hall: Hall, again: tuple[Membership, Membership]
) -> None:
    """Its table is not called for it any more; what was typed stands on the list, by round."""
    for one in again:
        play_called(hall, one)
    type_result(hall, 1, 1)
    assert ("call", []) == (hall.view.step.kind, left_over(hall))
    assert [0, 0] == [called_to(hall, one) for one in again]
    places = {one.entrant: one.typed for one in screen(hall).people}
    people = hall.state.rounds[0].at(1)
    assert [(1, 0, 0), (2, 0, 0), (3, 0, 0)] == [places[one] for one in people]
    hall.do(commands.TypeResult(1, 1, (), ""), "Ann")
    assert {()} == {one.typed for one in screen(hall).people}
    assert 1 == called_to(hall, again[0])


def test_a_machine_that_takes_the_place_of_another_plays_its_game_of_an_earlier_round_too(
    hall: Hall, again: tuple[Membership, Membership]
) -> None:
    """The first table has played round 2 and broken; the fresh one is called for what was left."""
    for one in again:
        play_called(hall, one)
    hall.do(commands.PutTableOut(1), "Ann")
    fresh = let_in(hall)
    assert (1, 1) == (fresh.number, called_to(hall, fresh))
    play_called(hall, fresh)
    assert "call" == hall.view.step.kind


@pytest.fixture
def put_out(hall: Hall) -> Membership:
    """Give the table that goes on when table 2 of three was put out in mid-round; table 1 was before it."""
    tables = [let_in(hall) for _ in range(3)]
    hall.do(commands.PutTableOut(1), "Ann")
    call_round(hall)
    assert (2, 3) == hall.state.rounds[0].numbers
    play_called(hall, tables[1])
    hall.do(commands.PutTableOut(3), "Ann")
    return tables[1]


NO_MACHINE = (
    "Round 1 has no result here.",
    "Type its result, or let a machine in: it takes this number, and is called.",
)


def test_the_people_of_a_table_that_was_put_out_stay_on_the_desk(hall: Hall, put_out: Membership) -> None:
    """Without a machine, which needs somebody; nothing is said of a link that it need not have."""
    shown = screen(hall)
    assert [(2, True), (3, False)] == [(one.number, one.inside) for one in shown.tables]
    gone = shown.tables[1]
    assert hall.state.rounds[0].at(3) == tuple(seat.entrant for seat in gone.seats)
    assert ("waiting", False, "") == (gone.state, gone.there, gone.trouble)
    assert [(1, 3, *NO_MACHINE)] == left_over(hall)
    assert ["away", "open"] == sorted(one.kind for one in shown.todos), "table 2 never spoke"


def test_the_result_of_a_table_that_was_put_out_is_typed(hall: Hall, put_out: Membership) -> None:
    """It stays on the desk until the next call, so that a slip in typing can be corrected."""
    type_result(hall, 1, 3)
    assert ("call", []) == (hall.view.step.kind, left_over(hall))
    assert [(2, True), (3, False)] == [(one.number, one.inside) for one in screen(hall).tables]
    let_in(hall)
    call_round(hall)
    assert all(one.inside for one in screen(hall).tables)


def test_the_next_machine_takes_the_number_for_which_the_round_waits(hall: Hall, put_out: Membership) -> None:
    """Number 1 is free, too, but nobody sits there."""
    fresh = let_in(hall)
    assert (3, 1) == (fresh.number, called_to(hall, fresh))
    assert [] == left_over(hall)
    play_called(hall, fresh)
    assert "call" == hall.view.step.kind
    assert 1 == let_in(hall).number


def test_a_result_that_nobody_can_sign_off_any_more_is_named(hall: Hall) -> None:
    """Table 1 has played to the end and was put out before its host signed."""
    first = let_in(hall)
    let_in(hall)
    call_round(hall)
    call = call_to(hall, first)
    take(hall, first, rows(judged_game(call.players, call.call, 0)[:-1]))
    assert (1, 1, "unsigned") in states(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    assert [(1, 1, *NO_MACHINE)] == left_over(hall)
    assert not todos(hall, "unsigned")
    fresh = let_in(hall)
    assert (1, 1) == (fresh.number, called_to(hall, fresh))
    play_called(hall, fresh)
    assert (1, 1, "counts") in states(hall)
