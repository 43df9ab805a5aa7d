"""Games that count in the hall and get no result by themselves: what the desk and their table say of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.evening.commands import NewEvening, Play, Redo, SignOff, Start, Undo
from lastnose.companion.evening.events import AnyEvent
from lastnose.companion.event import commands
from lastnose.companion.event.messages import HallCall, Presence, StuckGame
from lastnose.companion.link.hub import Hall
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.hall_tables import playing
from tests.support.halls import (
    arranged,
    begun,
    call_round,
    call_to,
    judged_game,
    known,
    let_in,
    live_hall,
    rows,
    screen,
    seated,
    take,
    todos,
    until,
)

NOSES = ("nose.1", "nose.2", "nose.3")


def needed(hall: Hall, kind: str = "open") -> list[tuple[int, int, str, str, str]]:
    """Return what the desk has to do of this *kind*: round, table, both sentences, and the button."""
    return [
        (one.round, one.number, str(one.says), str(one.why), str(one.button)) for one in todos(hall, kind)
    ]


def typed(hall: Hall, number: int, *, places: bool = True) -> None:
    """Type the result of table 1 in round *number*, or take that back."""
    people = tuple((one,) for one in hall.state.rounds[number - 1].at(1)) if places else ()
    hall.do(commands.TypeResult(number, 1, people, "from paper" if places else ""), "Ann")


TYPE_IT = "Type its result…"
TAKEN_BACK = (
    "An entry of that game was taken back or corrected at table 1: put it back there, in its history, or "
    "type its result."
)
BACK = (StuckGame("heat", 1, back=True),)


@pytest.mark.parametrize("game", ["pig", "chickenfoot"])
def test_an_entry_of_an_earlier_game_that_is_taken_back_at_its_table_is_no_dead_end(
    hall: Hall, game: str
) -> None:
    """While the next round is played, and after it: its table is told of it. It is put back, or typed."""
    table = playing(hall, rounds=2, game=game)
    last = table.end()
    call_round(hall)
    table.begin()
    table.do(Undo(last))
    todo = [(1, 1, "Round 1 has no result here.", TAKEN_BACK, TYPE_IT)]
    assert (todo, 2, BACK) == (needed(hall), table.call.round, table.call.stuck)
    table.end()
    assert (todo, "", BACK) == (needed(hall), table.call.call, table.call.stuck)
    assert "Round 1: 1 table has no result yet" == str(hall.view.step.says)
    table.do(Redo(last))
    assert ([], "over", ()) == (needed(hall), hall.view.step.kind, table.call.stuck)
    table.do(Undo(last))
    assert todo == needed(hall)
    typed(hall, 1)
    assert ([], "over", ()) == (needed(hall), hall.view.step.kind, table.call.stuck)


def test_the_newest_game_is_stuck_too_where_another_was_begun_at_its_table(hall: Hall) -> None:
    """It counted, and they play one of their own: the picture of the table shows nothing of that."""
    table = playing(hall, rounds=1)
    last = table.end()
    assert "over" == hall.view.step.kind
    table.do(Start("pig", ("Aya", "Noor", "Kofi"), {}), Undo(last))
    assert [(1, 1, "Round 1 has no result here.", TAKEN_BACK, TYPE_IT)] == needed(hall)
    assert ("", BACK) == (table.call.call, table.call.stuck)
    assert [("doubtful", None)] == [(one.state, one.says) for one in screen(hall).tables]
    table.do(Redo(last))
    assert ("over", "counts") == (hall.view.step.kind, screen(hall).tables[0].state)


def test_nobody_is_sent_to_the_history_of_an_evening_that_is_over(hall: Hall) -> None:
    """What is taken back is put back in the same evening, or never."""
    table = playing(hall, rounds=2)
    last = table.end()
    call_round(hall)
    table.begin()
    table.do(Undo(last))
    table.end()
    table.do(NewEvening(), Start("pig", ("Aya", "Noor", "Kofi"), {}))
    why = "Another game began at table 1 before that one was signed off: type its result."
    assert [(1, 1, "Round 1 has no result here.", why, TYPE_IT)] == needed(hall)
    assert (StuckGame("heat", 1),) == table.call.stuck


def test_a_game_that_gave_way_to_the_next_round_cannot_be_signed_off_any_more(hall: Hall) -> None:
    """Its result was typed while it was played; when that is taken back its host has no way to sign it."""
    table = playing(hall, rounds=2)
    typed(hall, 1)
    call_round(hall)
    table.begin()
    assert [] == needed(hall)
    typed(hall, 1, places=False)
    why = "Another game began at table 1 before that one was signed off: type its result."
    assert [(1, 1, "Round 1 has no result here.", why, TYPE_IT)] == needed(hall)
    assert (2, (StuckGame("heat", 1),)) == (table.call.round, table.call.stuck)
    assert [] == needed(hall, "unsigned")


def test_what_two_settle_by_hand_is_asked_for_again_when_it_is_taken_back_under_the_final(hall: Hall) -> None:
    """While the final is played, and after it; it is typed again, and others who would play it are named."""
    begun(hall, "A,B,C,D,E,F", rounds=1, tables=2, most=3, final=3)
    for number in (1, 2):
        people = hall.state.rounds[0].at(number)
        hall.do(commands.TypeResult(1, number, tuple((one,) for one in people), "from paper"), "Ann")
    while hall.view.step.kind in ("draw", "call") and "tie" != hall.state.rounds[-1].kind:
        call_round(hall)
    now = hall.state.now
    (level,) = now.seats
    assert ("tie", 2) == (now.kind, len(level))
    number = now.numbers[0]
    says = needed(hall)[0][2]
    hall.do(commands.TypeResult(2, number, ((level[0],), (level[1],)), "by lot"), "Ann")
    call_round(hall)
    final = hall.state.now
    assert "final" == final.kind
    hall.do(commands.TypeResult(2, number, (), ""), "Ann")
    why = (
        "Let them settle it by hand: one deal of another game, or else a lot. Then type who comes first, and "
        "how: it is kept with your name."
    )
    todo = (2, number, says, why, "Type its result…")
    assert [todo] == needed(hall)
    order = tuple((one,) for one in final.seats[0])
    hall.do(commands.TypeResult(3, final.numbers[0], order, "from paper"), "Ann")
    assert [todo] == needed(hall)
    hall.do(commands.TypeResult(2, number, ((level[1],), (level[0],)), "by lot"), "Ann")
    assert ([], 1) == (needed(hall), len(needed(hall, "changed")))


def other_game(names: tuple[str, ...], call: str, first: int) -> tuple[AnyEvent, ...]:
    """Return a game in which the one in seat *first* has won, signed off."""
    table = Table(MemoryStore(), NOSES, simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    table.execute(Start("chickenfoot", names, {}, call=call), "hall")
    for hand in range(1, 11):
        for seat in (1, 2, 3):
            points = 0 if seat == first else 10
            table.execute(Play({"type": "score", "hand": hand, "seat": seat, "points": points}), "host")
    table.execute(SignOff(), "host")
    return tuple(event for _, event in table.record.store.events())


def winners(hall: Hall) -> list[str]:
    """Return who is first at each table."""
    found = [one.result for one in hall.view.outcomes if one.result is not None]
    return [hall.state.shown(who) for one in found for who, placing in one.placings if placing.place == 1]


@pytest.mark.parametrize("back_as", [1, 2])
def test_a_machine_that_comes_back_does_not_take_away_a_result_that_counts(hall: Hall, back_as: int) -> None:
    """Under another number, or under its own when the other is out. What it sent is said."""
    (first,) = begun(hall, "A,B,C", tables=1, rounds=1, most=3, final=0, game="chickenfoot")
    names, call = seated(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    second = let_in(hall)
    take(hall, second, rows(other_game(names, call, 1)))
    assert ("over", [names[0]]) == (hall.view.step.kind, winners(hall))
    if back_as == 1:
        hall.do(commands.PutTableOut(1), "Ann")
    assert back_as == hall.admit(hall.invite(), first.table, hall.state.tables[first.table].key)
    take(hall, first, rows(other_game(names, call, 2)))
    assert ("over", [names[0]]) == (hall.view.step.kind, winners(hall))
    says = f"Another machine has sent another result: there {names[1]} came first."
    why = "Round 1: the result that counted stays. If the other is right, type it."
    assert [(1, 1, says, why, "It counts")] == needed(hall, "twice")
    hall.do(commands.Clear(1, 1), "Ann")
    assert ([], "over", [names[0]]) == (needed(hall, "twice"), hall.view.step.kind, winners(hall))


def test_a_machine_that_sends_the_same_result_is_nothing_to_look_at(hall: Hall) -> None:
    """Both have written the same paper."""
    (first,) = begun(hall, "A,B,C", tables=1, rounds=1, most=3, final=0, game="chickenfoot")
    names, call = seated(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    take(hall, let_in(hall), rows(other_game(names, call, 1)))
    hall.admit(hall.invite(), first.table, hall.state.tables[first.table].key)
    take(hall, first, rows(other_game(names, call, 1)))
    assert ("over", []) == (hall.view.step.kind, needed(hall, "twice"))


def test_the_game_whose_verdict_stands_counts_again_when_the_decision_to_play_it_again_is_taken_back(
    hall: Hall,
) -> None:
    """The appeal shows its verdict as before, though another game was played since."""
    (member,) = begun(hall, "A,B,C", tables=1, rounds=1, most=3, final=0)
    names, call = seated(hall)
    take(hall, member, rows(judged_game(names, call, 0)))
    hall.do(commands.Clear(1, 1), "Ann")
    before = [(line.place, line.entrant) for line in hall.view.lines]
    hall.do(commands.Object(1, 3, "It was somebody else."), "Ann")
    appeal = hall.state.seq
    says = [str(one.says) for one in todos(hall, "appeal")]
    hall.do(commands.Decide(appeal, "again", "The strip is broken."), "Ann")
    decided, after = hall.state.seq, known(hall, member)
    again = call_to(hall, member)
    turned = (names[1], names[2], names[0])  # the third in its circle is last
    take(hall, member, rows(judged_game(turned, again.call, after[0]), after))
    hall.do(commands.Clear(1, 1), "Ann")
    assert before != [(line.place, line.entrant) for line in hall.view.lines]
    hall.do(commands.TakeBack(decided), "Ann")
    assert says == [str(one.says) for one in todos(hall, "appeal")]
    assert says[0].startswith("Appeal: ")
    hall.do(commands.Decide(appeal, "stands", "The strip was whole."), "Ann")
    hall.do(commands.Clear(1, 1), "Ann")
    assert before == [(line.place, line.entrant) for line in hall.view.lines]
    assert "over" == hall.view.step.kind


def test_a_table_is_told_what_it_has_not_heard_though_nothing_was_written_at_the_hall() -> None:
    """What is stuck follows from the tables' logs. One of an older version says its call alone.

    An entry that says nothing new to it, as that another table has come in, is not told.
    """
    quiet = HallCall(8, "cup", 1, at=4.0)
    stuck = HallCall(8, "cup", 1, at=5.0, stuck=BACK)
    told = Presence(n=3, rev=8, heard=quiet.mark)
    later = HallCall(8, "cup", 1, at=9.0)
    assert [True, True, False] == [told.knows(call) for call in (quiet, later, stuck)]
    others = HallCall(9, "cup", 1), HallCall(8, "cup", 1, players=("Aya", "Tom"), by_hand=True)
    assert [True, True, False] == [told.knows(call) for call in (quiet, *others)]
    older = Presence(n=3, rev=8)
    assert [True, True, False] == [
        older.knows(call) for call in (quiet, stuck, HallCall(8, "cup", 1, "cup.8"))
    ]


@pytest.mark.heavy
def test_a_table_that_plays_nothing_is_told_of_its_stuck_game_over_the_network(tmp_path: Path) -> None:
    """Nothing was written at the hall: it follows from the table's own log, and comes back to it."""
    with live_hall(tmp_path) as live:
        table = live.add_table(seats=3)
        arranged(live.hall, "Aya,Noor,Tom", rounds=2, tables=1, most=3, final=0, options={"word": "P"})
        for _ in range(2):
            call_round(live.hall)
            live.play()
        assert "over" == live.hall.view.step.kind
        first = table.thread.queries.evening.matches[0]
        last = next(one.seq for one in reversed(first.entries) if one.stands)

        def stuck() -> int:
            hall = table.thread.snapshot.hall
            return 0 if hall is None else len(hall.stuck)

        table.thread.submit(Undo(last), "host").result(60)
        until(lambda: stuck() == 1, "the table to hear of it")
        assert 1 == len(needed(live.hall))
        table.thread.submit(Redo(last), "host").result(60)
        until(lambda: stuck() == 0, "the table to hear that it counts again")
        assert "over" == live.hall.view.step.kind
