"""The hall's own log and commands: what is refused, what can be taken back, what survives a restart."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from companion.core.errors import BadInput, CompanionError, DeviceError, NotNow, StoreError
from companion.evening.events import SignedOff
from companion.hall import commands, engine, formats, keys, wire
from companion.hall.commands import AnyHallCommand
from companion.hall.events import Arrangement
from companion.hall.hub import Hall
from companion.hall.roster import Person
from companion.hall.screen import Screens
from companion.hall.service import REST_S, HallService
from companion.hall.store import Cursor, HallStore
from companion.hall.wire import Presence
from companion.table.log_file import NO_HEAD, LogRow, chained
from tests.support.halls import arranged, let_in, rows, take


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    """Return the folder of a new event."""
    store = HallStore(tmp_path)
    yield store
    store.close()


@pytest.fixture
def hall(store: HallStore) -> Hall:
    """Return a hall."""
    return Hall(store, random=Random(1))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (commands.Arrange(Arrangement(name=" ")), "Give the event a name."),
        (commands.Arrange(Arrangement(name="x", game="whist")), "There is no game"),
        (commands.Arrange(Arrangement(name="x", most=2)), "Pig is played by 3 to 26 at a table."),
        (commands.Arrange(Arrangement(name="x", format="lottery")), "There is no format “lottery”."),
        (commands.Arrange(Arrangement(name="x", rounds=0)), "1 to 30 rounds"),
        (commands.Arrange(Arrangement(name="x", late="never")), "A missed round counts"),
        (commands.Leave((1,)), "This event is not set up yet"),
        (commands.Draw(), "This event is not set up yet"),
        (commands.Pause(), "No round has been called"),
        (commands.Clear(1, 1), "Table 1 does not play in round 1."),
        (commands.PutTableOut(1), "There is no table 1 in this hall."),
        (commands.Decide(1, "stands", "so"), "There is no open appeal 1."),
        (commands.TakeBack(1), "There is no entry 1 in the log."),
        (commands.AddPeople("?!"), "there is no name on this line."),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(
    hall: Hall, command: AnyHallCommand, says: str
) -> None:
    """Of an empty hall."""
    with pytest.raises(CompanionError) as problem:
        hall.do(command, "Ann")
    assert says in str(problem.value)
    assert 0 == hall.state.seq


@pytest.mark.parametrize("command", [commands.Leave(()), commands.Return(())])
def test_nobody_who_leaves_or_comes_back_is_nobody_of_the_list(hall: Hall, command: AnyHallCommand) -> None:
    """It is not player 0 who is missing."""
    arranged(hall, "A,B,C")
    with pytest.raises(BadInput, match=r"^Say who: nobody was named\.$"):
        hall.do(command, "Ann")


def test_forty_who_left_come_back_with_one_touch(hall: Hall) -> None:
    """The entry is taken back; taken back twice is refused, renewed it holds again."""
    arranged(hall, ",".join(f"P{n}" for n in range(60)))
    hall.do(commands.Leave(tuple(range(1, 41))), "Ann")
    assert 20 == len(hall.state.there)
    entry = hall.state.seq
    hall.do(commands.TakeBack(entry), "Ann")
    assert 60 == len(hall.state.there)
    with pytest.raises(NotNow, match="that way already"):
        hall.do(commands.TakeBack(entry), "Ann")
    hall.do(commands.Renew(entry), "Ann")
    assert 20 == len(hall.state.there)


def test_a_latecomer_is_drawn_from_the_next_round_on(hall: Hall) -> None:
    """Rounds drawn before they came are drawn anew, those called stay."""
    arranged(hall, "A,B,C,D,E,F", rounds=3)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    called = hall.state.rounds[0].seats
    hall.do(commands.AddPerson(Person("Late")), "Ann")
    assert (7, 2) == (max(hall.state.people), hall.state.from_round[7])
    for number in hall.state.rounds[0].numbers:
        people = hall.state.rounds[0].at(number)
        hall.do(commands.TypeResult(1, number, tuple((one,) for one in people), "paper"), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Draw(), "Ann")
    assert called == hall.state.rounds[0].seats
    assert all(7 in {one for table in drawn.seats for one in table} for drawn in hall.state.rounds[1:])


def finish(hall: Hall, number: int) -> tuple[int, ...]:
    """Type a result at each table of round *number*: who sits first won; return the better half of each."""
    better: tuple[int, ...] = ()
    called = hall.state.rounds[number - 1]
    for table in called.numbers:
        people = called.at(table)
        hall.do(commands.TypeResult(number, table, tuple((one,) for one in people), "paper"), "Ann")
        better += people[: -(-len(people) // 2)]
    return better


def test_a_knock_out_goes_on_with_the_better_half_of_each_table_until_one_has_won(hall: Hall) -> None:
    """Two tables of three, then one of four; when one of the four has gone home, the round is drawn anew."""
    arranged(hall, "A,B,C,D,E,F", format="knock-out", final=0)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    through = finish(hall, 1)
    assert 4 == len(through)
    hall.do(commands.Draw(), "Ann")
    assert [sorted(through)] == [sorted(table) for table in hall.state.rounds[1].seats]
    assert "call" == hall.view.step.kind
    hall.do(commands.Leave(through[:1]), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Return(through[:1]), "Ann")
    (out, *_) = set(hall.state.people) - set(through)
    hall.do(commands.Leave((out,)), "Ann")
    assert "call" == hall.view.step.kind, "who is out may go home"
    hall.do(commands.CallRound(), "Ann")
    finish(hall, 2)
    assert "over" == hall.view.step.kind


def test_who_wins_the_last_table_of_a_knock_out_wins_it_whatever_came_before(
    hall: Hall,
) -> None:
    """Four go on of two tables of three. Last there comes who won before: fourth, though before those out."""
    arranged(hall, "A,B,C,D,E,F", format="knock-out", final=0)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    (a, b, c), (d, e, f) = (hall.state.rounds[0].at(number) for number in (1, 2))
    finish(hall, 1)
    hall.do(commands.Draw(), "Ann")
    assert [1, 1, 3, 3, 5, 5] == sorted(line.place or 0 for line in hall.view.lines), "so far"
    hall.do(commands.CallRound(), "Ann")
    (number,) = hall.state.rounds[1].numbers
    hall.do(commands.TypeResult(2, number, ((b,), (e,), (d,), (a,)), "paper"), "Ann")
    ranked = {line.entrant: (line.place, line.points) for line in hall.view.lines}
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert {b: (1, half + 1), e: (2, half + 2 * third), d: (3, 1 + third), a: (4, Fraction(1))} == {
        one: ranked[one] for one in (b, e, d, a)
    }
    assert {5, 6} >= {ranked[c][0], ranked[f][0]}
    assert f"{hall.state.shown(b)} wins!" == str(Screens().screen(hall.view, {}).headline)
    assert {"in round 2"} == {str(line.decided) for line in hall.view.lines if line.entrant in (b, e, d, a)}


def test_who_is_level_at_the_cut_of_a_knock_out_goes_on_with_the_better_half(hall: Hall) -> None:
    """Neither by lot nor by the order of the seats: of three with a shared second place nobody is out."""
    arranged(hall, "A,B,C,D,E,F", format="knock-out", final=0)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    (a, b, c), (d, e, f) = (hall.state.rounds[0].at(number) for number in (1, 2))
    hall.do(commands.TypeResult(1, 1, ((a,), (b, c)), "paper"), "Ann")
    hall.do(commands.TypeResult(1, 2, ((d,), (e,), (f,)), "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert sorted((a, b, c, d, e)) == sorted(one for table in hall.state.rounds[1].seats for one in table)


def test_a_typed_result_needs_everybody_once_and_a_reason(hall: Hall) -> None:
    """And is forgotten for what the table says when it is emptied."""
    arranged(hall, "A,B,C", tables=1, final=0, rounds=1)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    for places, why in ((((1,), (2,)), "x"), (((1,), (2,), (2,)), "x"), (((1,), (2,), (3,)), " ")):
        with pytest.raises(BadInput):
            hall.do(commands.TypeResult(1, 1, places, why), "Ann")
    hall.do(commands.TypeResult(1, 1, ((2,), (1, 3)), "paper"), "Ann")
    assert [(2, 1), (1, 2), (3, 2)] == [(line.entrant, line.place) for line in hall.view.lines]
    hall.do(commands.TypeResult(1, 1, (), ""), "Ann")
    assert {0} == {line.points for line in hall.view.lines}


def test_all_is_as_it_was_after_a_restart(hall: Hall, store: HallStore, tmp_path: Path) -> None:
    """The event's id, its people, its draw, what was taken back."""
    arranged(hall, "A,B,C,D,E,F")
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.Announce("Pizza"), "Ann")
    hall.do(commands.TakeBack(hall.state.seq), "Ann")
    before, event = hall.state, hall.event
    store.close()
    with closing(HallStore(tmp_path)) as kept:
        again = Hall(kept)
    assert (event, before) == (again.event, again.state)


def test_an_entry_of_a_newer_version_is_kept_and_said_also_after_a_restart(
    hall: Hall, store: HallStore, tmp_path: Path
) -> None:
    """Nobody can say what it means; the rows behind it are taken all the same."""
    member = let_in(hall)
    raw = b'{"type":"of-another-year"}'
    take(hall, store, member, [LogRow(1, 1, "of-another-year", raw, chained(NO_HEAD, 1, 1, raw))])
    says = hall.view.seen[member.table].refused
    assert says.startswith("entry 1 cannot be read: ")
    store.close()
    with closing(HallStore(tmp_path)) as kept:
        again = Hall(kept).view
    assert (says, 1) == (again.seen[member.table].refused, again.have[member.table])


def test_one_letter_settles_a_tie_and_two_who_tie_are_both_in_the_final(hall: Hall) -> None:
    """Pig takes three: so two who tie for the last seat make the final larger."""
    arranged(hall, "A,B,C,D,E,F,G,H", tables=2, rounds=1, final=3)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    for number in (1, 2):
        places = tuple((one,) for one in hall.state.rounds[0].at(number))
        hall.do(commands.TypeResult(1, number, places, "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert ("final", 4) == (hall.state.rounds[1].kind, len(hall.state.rounds[1].seats[0]))


def heats(hall: Hall, tables: int, **arrangement: Any) -> None:
    """Play one round of twelve at *tables* by hand: who sits first at a table wins it, and so on."""
    arranged(hall, "A,B,C,D,E,F,G,H,I,J,K,L", tables=tables, rounds=1, **arrangement)
    for _ in range(tables):
        let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    finish(hall, 1)


def test_who_leaves_after_the_draw_of_the_final_is_not_called_to_it_and_the_next_moves_up(hall: Hall) -> None:
    """Of one table's order: the first four, then the fifth for who has left; back in time is back in."""
    heats(hall, 1, final=4, most=13)
    order = hall.state.rounds[0].at(hall.state.rounds[0].numbers[0])
    hall.do(commands.Draw(), "Ann")
    assert set(order[:4]) == set(hall.state.rounds[1].seats[0])
    hall.do(commands.Leave(order[1:2]), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Return(order[1:2]), "Ann")
    assert "call" == hall.view.step.kind
    hall.do(commands.Leave(order[1:2]), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert {order[0], *order[2:5]} == set(hall.state.rounds[1].seats[0])
    assert "call" == hall.view.step.kind


def test_who_is_level_after_the_tie_plays_another_and_the_list_decides_nothing(hall: Hall) -> None:
    """Three seats, four who won a table each: first they share the first place, then there is an order."""
    heats(hall, 4, final=3)
    (a, b, c, d) = firsts = tuple(hall.state.rounds[0].at(number)[0] for number in (1, 2, 3, 4))
    hall.do(commands.Draw(), "Ann")
    assert ("tie", set(firsts)) == (hall.state.rounds[1].kind, set(hall.state.rounds[1].seats[0]))
    for number, places in ((2, ((a, b, c, d),)), (3, ((b,), (c,), (d,), (a,)))):
        hall.do(commands.CallRound(), "Ann")
        (table,) = hall.state.rounds[number - 1].numbers
        hall.do(commands.TypeResult(number, table, places, "paper"), "Ann")
        hall.do(commands.Draw(), "Ann")
    assert ["heat", "tie", "tie", "final"] == [one.kind for one in hall.state.rounds]
    assert {b, c, d} == set(hall.state.rounds[3].seats[0])


def test_the_desk_says_why_a_table_does_not_begin_its_game_until_it_has(hall: Hall) -> None:
    """As the table says it; the others of the round are not spoken of."""
    arranged(hall, "A,B,C,D,E,F", tables=2, rounds=1, final=0)
    one, other = let_in(hall), let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")

    def idle() -> list[tuple[int, str, str]]:
        hall.tick()
        todos = Screens().screen(hall.view, hall.logs).todos
        return [(todo.number, str(todo.says), str(todo.why)) for todo in todos if todo.kind == "idle"]

    hall.heard(one.table, Presence(n=0, cannot="There are 2 noses for 3 players."))
    hall.heard(other.table, Presence(n=0))
    assert [(1, "It does not begin its game.", "There are 2 noses for 3 players.")] == idle()
    hall.heard(one.table, Presence(n=0))
    assert [] == idle()


def test_twelve_who_are_level_for_four_seats_play_the_tie_at_tables_of_four(hall: Hall) -> None:
    """All shared the first place. Who wins a table of the tie is in; three seconds play for the last seat."""
    arranged(hall, "A,B,C,D,E,F,G,H,I,J,K,L", tables=3, rounds=1, final=4, most=4)
    for _ in range(3):
        let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    for number in hall.state.rounds[0].numbers:
        hall.do(commands.TypeResult(1, number, (hall.state.rounds[0].at(number),), "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    tie = hall.state.rounds[1]
    assert ("tie", [4, 4, 4]) == (tie.kind, [len(table) for table in tie.seats])
    hall.do(commands.CallRound(), "Ann")
    finish(hall, 2)
    hall.do(commands.Draw(), "Ann")
    again = hall.state.rounds[2]
    assert ("tie", {table[1] for table in tie.seats}) == (again.kind, set(again.seats[0]))


def test_people_who_make_no_tables_of_the_size_that_was_wished_are_told_before_the_draw(hall: Hall) -> None:
    """Five at tables of three or four: neither three and two, which is no Pig, nor five at one table."""
    arranged(hall, "A,B,C,D,E", tables=2, rounds=1, final=0, most=4)
    with pytest.raises(BadInput, match="5 people make no tables of 3 to 4: let more sit at a table"):
        hall.do(commands.Draw(), "Ann")
    hall.do(commands.Leave((1, 2, 3)), "Ann")
    with pytest.raises(BadInput, match="At least 3 people must be there"):
        hall.do(commands.Draw(), "Ann")
    with pytest.raises(BadInput, match="At most 4 sit at a table: not more in the final"):
        arranged(hall, "Z", most=4, final=6)


@given(
    places=st.lists(st.integers(1, 6), min_size=1, max_size=8),
    seats=st.integers(0, 8),
)
def test_a_tie_lets_through_who_is_before_all_others_and_leaves_who_is_level(
    places: list[int], seats: int
) -> None:
    """Nobody is through who has another before or beside them for whom there is no seat."""
    by = dict(enumerate(places))
    through, level, left = formats.settled(tuple(by), by, seats)
    assert len(through) + left == min(seats, len(by))
    assert all(by[one] < by[other] for one in through for other in by if other not in {*through, *level})
    assert len({by[one] for one in level}) <= 1
    assert (left == 0) == (level == ())
    assert len(level) > left or level == ()


def test_no_table_of_a_knock_out_is_too_small_for_its_game(hall: Hall) -> None:
    """Six of twelve go on, one leaves: five make no two tables of Pig, so the thirds, who are level, play."""
    heats(hall, 3, final=0, format="knock-out", most=4)
    called = hall.state.rounds[0]
    tables = [called.at(number) for number in called.numbers]
    through = {one for table in tables for one in table[:2]}
    hall.do(commands.Leave((tables[0][0],)), "Ann")
    hall.do(commands.Draw(), "Ann")
    seats = hall.state.rounds[1].seats
    assert [4, 4] == sorted(map(len, seats))
    thirds = {table[2] for table in tables}
    assert thirds | through - {tables[0][0]} == {one for table in seats for one in table}


@given(st.data())
def test_a_knock_out_always_comes_to_one_table_of_a_size_that_its_game_takes(data: st.DataObject) -> None:
    """Whoever leaves meanwhile: each table has from three to the most people, and each round fewer."""
    most = data.draw(st.integers(3, 6), label="most")
    n = data.draw(st.integers(3, 24), label="people")
    tables = -(-n // most)
    assume(n // tables >= 3)
    people = {one: Person(f"P{one}") for one in range(1, n + 1)}
    numbers = iter(people)
    now = tuple(tuple(islice(numbers, size)) for size in formats.seating.sizes(n, tables))
    there = set(people)
    while len(now) > 1:
        lasts = {one: place for table in now for place, one in enumerate(table, start=1)}
        there -= set(data.draw(st.lists(st.sampled_from(sorted(people)), max_size=1)))
        field = formats.DrawField(tuple(sorted(there)), people, (), (now,), lasts, tables, most, 3)
        try:
            seats = formats.draw_next("knock-out", field, Random(0))
        except NotNow:
            assert len({one for table in now for one in table} & there) < 3
            return
        assert all(3 <= len(table) <= most for table in seats)
        assert sum(map(len, seats)) < sum(map(len, now))
        now = seats


def test_a_knock_out_is_drawn_anew_when_others_would_go_on(hall: Hall) -> None:
    """A result that is corrected, somebody who comes back: before the call the draw follows."""
    heats(hall, 3, final=0, format="knock-out", most=4)
    called = hall.state.rounds[0]
    first = called.at(called.numbers[0])
    hall.do(commands.Draw(), "Ann")
    assert first[0] in {one for table in hall.state.rounds[1].seats for one in table}
    upside_down = tuple((one,) for one in reversed(first))
    hall.do(commands.TypeResult(1, called.numbers[0], upside_down, "read wrong"), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Draw(), "Ann")
    assert first[0] not in {one for table in hall.state.rounds[1].seats for one in table}
    assert "call" == hall.view.step.kind
    hall.do(commands.Leave(first[-1:]), "Ann")
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.Return(first[-1:]), "Ann")
    assert "draw" == hall.view.step.kind, "who comes back before the call had gone on"


@pytest.mark.parametrize("kind", ["swiss", "ladder"])
def test_a_round_that_rests_on_results_is_drawn_anew_when_one_is_corrected(hall: Hall, kind: str) -> None:
    """Not by a correction that changes nothing of the order."""
    arranged(hall, "A,B,C,D,E,F,G,H", format=kind, rounds=3, tables=2, final=0)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    finish(hall, 1)
    hall.do(commands.Draw(), "Ann")
    assert "call" == hall.view.step.kind
    order = hall.state.rounds[0].at(1)
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in order), "once more"), "Ann")
    assert "call" == hall.view.step.kind
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in reversed(order)), "read wrong"), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Draw(), "Ann")
    assert "call" == hall.view.step.kind
    hall.do(commands.CallRound(), "Ann")


def test_a_knock_out_in_which_too_few_are_left_is_over(hall: Hall) -> None:
    """Two of twelve are there: nobody asks for a draw that cannot be made."""
    heats(hall, 3, final=0, format="knock-out", most=4)
    hall.do(commands.Leave(tuple(sorted(hall.state.people))[:10]), "Ann")
    assert "over" == hall.view.step.kind


def test_a_final_that_a_shared_place_makes_larger_than_any_table_is_refused_with_what_to_do(
    hall: Hall,
) -> None:
    """Two tables' orders alike, four for the final, and one of the first four leaves: two are level."""
    arranged(hall, "A,B,C,D,E,F,G,H", tables=2, rounds=1, final=4, most=4)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    finish(hall, 1)
    hall.do(commands.Leave(hall.state.rounds[0].at(1)[:1]), "Ann")
    with pytest.raises(NotNow, match=r"5 people are in the final: .* Let 5 sit at a table"):
        hall.do(commands.Draw(), "Ann")


def test_a_folder_in_which_a_hall_runs_is_refused_by_the_option_that_a_hall_has(store: HallStore) -> None:
    """A table has --data, a hall --folder."""
    with pytest.raises(StoreError, match=r"Another lastnose uses .* a folder with --folder"):
        HallStore(store.path.parent)


def test_an_engine_that_is_too_old_is_refused_with_what_to_do() -> None:
    """Debian's of the year before, too."""
    with pytest.raises(DeviceError, match=r"2\.10\.23 or newer is needed"):
        engine.must_be_new_enough("nats-server: v2.9.10")
    assert (2, 10, 23) == engine.must_be_new_enough("nats-server: v2.10.23")


@pytest.mark.parametrize(
    "address", ["nats://8.8.8.8:4222", "http://127.0.0.1", "nats://", "nats:x", "nats://127.0.0.1:99999"]
)
def test_plain_nats_does_not_leave_the_house(address: str) -> None:
    """TLS may."""
    with pytest.raises(BadInput):
        engine.must_be_safe(address)
    engine.must_be_safe("nats://192.168.1.5:4222")
    engine.must_be_safe("tls://8.8.8.8:4222")


def test_a_slip_in_a_key_is_noticed() -> None:
    """In its public half, and in the seed."""
    seed = keys.make_seed()
    public = keys.public_key(seed)
    assert (58, 56, True) == (len(seed), len(public), keys.is_public_key(public))
    wrong = public[:-1] + ("A" if public[-1] != "A" else "B")
    assert not keys.is_public_key(wrong)
    with pytest.raises(BadInput, match="join again"):
        keys.public_key(seed[:20] + ("A" if seed[20] != "A" else "B") + seed[21:])


def test_a_row_goes_over_the_wire_as_it_is() -> None:
    """A small one plain, a large one packed; a changed one does not follow."""
    for size in (1, 300_000):
        raw = b'{"type":"saved","x":"' + b"a" * size + b'"}'
        row = LogRow(1, 1, "saved", raw, chained(NO_HEAD, 1, 1, raw))
        payload, headers = wire.packed([row], 0, "jkmnpqrstu")
        parcel = wire.unpacked(payload, headers)
        assert [row] == parcel.after(0, NO_HEAD)
        assert len(payload) < 250_000
        assert parcel._replace(evening=2).after(0, NO_HEAD) is None


def test_rows_that_gathered_go_in_one_message_and_come_out_as_they_were() -> None:
    """Also when the hall has the first of them already; not when its own are others."""
    found = rows(tuple(SignedOff(by="host", at=0, of=n) for n in range(5)))
    (sent,) = wire.parcels(found)
    payload, headers = wire.packed(sent, 7, "jkmnpqrstu")
    assert ("5", "7") == (headers[wire.SEQ], headers[wire.EXPECTED])
    # What two tables wrote alike are two messages: a server takes an id once.
    assert headers[wire.MESSAGE_ID] != wire.packed(sent, 7, "kkmnpqrstu")[1][wire.MESSAGE_ID]
    parcel = wire.unpacked(payload, headers)
    assert found == parcel.after(0, NO_HEAD)
    assert found[3:] == parcel.after(3, found[2].head)
    assert [] == parcel.after(5, found[4].head)
    assert parcel.after(3, found[1].head) is None
    with pytest.raises(BadInput, match="no row of a table’s log"):
        wire.unpacked(payload[:-1], headers)


def test_a_message_has_rows_of_one_evening_and_no_more_than_a_server_takes() -> None:
    """450 rows of one evening and one of the next are 200, 200, 50 and 1; two of 150 kB are two messages."""

    def row(seq: int, evening: int, size: int) -> LogRow:
        return LogRow(seq, evening, "saved", b"x" * size, NO_HEAD)

    many = [*(row(n, 1, 10) for n in range(1, 451)), row(451, 2, 10)]
    assert [200, 200, 50, 1] == [len(one) for one in wire.parcels(many)]
    assert [1, 1] == [len(one) for one in wire.parcels([row(1, 1, 150_000), row(2, 1, 150_000)])]


@pytest.mark.parametrize(
    "headers", [{}, {"Ln-Seq": "x"}, {"Ln-Seq": "1", "Ln-Evening": "1", "Ln-Head": "00"}]
)
def test_a_message_that_no_table_wrote_is_refused(headers: dict[str, str]) -> None:
    """In one sentence, whatever is missing."""
    with pytest.raises(BadInput, match="no row of a table’s log"):
        wire.unpacked(b'{"type":"saved"}', headers)


def test_what_a_table_says_it_sent_and_never_came_is_read_again_once(store: HallStore) -> None:
    """After ten seconds; once for an entry, and not while the table says what its trouble is."""
    now = [100.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)

    def asked(after_s: float, n: int, trouble: str = "") -> bool:
        now[0] += after_s
        hall.heard(member.table, Presence(n=n, trouble=trouble))
        return hall.look_at_tables()

    assert [False] * 3 == [asked(0, 2), asked(9, 2), asked(0.5, 2)]
    assert asked(1, 2)
    assert not asked(11, 2)
    assert [False] * 3 == [asked(0, 3, "another history"), asked(60, 3, "another history"), asked(0, 1)]


def test_a_draw_is_made_beside_the_lock_with_its_progress(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile tables are heard, a second draw is refused, and a draw for other people does not count."""
    arranged(hall, ",".join(f"P{n}" for n in range(12)), tables=3, rounds=3)
    member = let_in(hall)
    said: list[str] = []
    hall.subscribe(lambda view: said.append(str(view.step.says)))
    meanwhile: list[Callable[[], object]] = [lambda: None]
    drawn = formats.draw_heats

    def slow(*given: Any, **more: Any) -> Any:
        progress = given[3]
        progress(40, 30)
        other = threading.Thread(target=lambda: hall.heard(member.table, Presence(n=0)))
        other.start()
        other.join(10)
        assert not other.is_alive(), "the lock is held"
        with pytest.raises(NotNow, match="being made already"):
            hall.do(commands.Draw(), "Ben")
        meanwhile[0]()
        return drawn(*given, **more)

    monkeypatch.setattr(formats, "draw_heats", slow)
    hall.do(commands.Draw(), "Ann")
    assert "Drawing: 25 %" in said
    assert (3, "Call: Round 1") == (len(hall.state.rounds), str(hall.view.step.says))
    meanwhile[0] = lambda: hall.do(commands.AddPeople("Late"), "Ben")
    with pytest.raises(NotNow, match="draw again"):
        hall.do(commands.Draw(), "Ann")
    assert 12 == sum(map(len, hall.state.rounds[0].seats))
    assert "Draw: Round 1" == str(hall.view.step.says)


def test_a_table_that_falls_silent_is_shown_so(store: HallStore) -> None:
    """Nobody has to do anything for it: twelve seconds after its last word a new view says it."""
    now = [0.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)
    hall.heard(member.table, Presence(n=0))
    hall.look_at_tables()
    hall.tick()
    version = hall.view.version
    now[0] = 11.9
    hall.look_at_tables()
    hall.tick()
    assert (version, True) == (hall.view.version, member.table in hall.view.there)
    now[0] = 12.1
    hall.look_at_tables()
    hall.tick()
    assert (version + 1, False) == (hall.view.version, member.table in hall.view.there)


def test_a_table_that_speaks_in_a_quiet_hall_is_there_whenever_somebody_looks(store: HallStore) -> None:
    """Nothing changes for a minute: no new view is made, and what the old one shows is still right."""
    now = [0.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)
    for now[0] in map(float, range(0, 61, 4)):
        hall.heard(member.table, Presence(n=0))
        hall.look_at_tables()
        hall.tick()
    (shown,) = Screens().screen(hall.view, hall.logs).tables
    assert shown.there


def test_copies_of_tables_rows_wait_for_no_disk_and_the_halls_own_log_does_again(store: HallStore) -> None:
    """Also after a transaction that failed: the next entry of the hall's own log is durable (FULL is 2)."""
    (row,) = rows((SignedOff(by="host", at=2, of=1),))
    said: list[str] = []
    store._open.set_trace_callback(said.append)
    store.take([("a", row)], Cursor("today", 1, "first"))
    assert ["PRAGMA synchronous = NORMAL", "BEGIN IMMEDIATE"] == said[:2]
    with pytest.raises(StoreError):
        store.take([("a", row)], Cursor("today", 2, "second"))
    assert (2,) == store._open.execute("PRAGMA synchronous").fetchone()
    assert Cursor("today", 1, "first") == store.cursor


def test_a_hall_rests_after_its_own_work_not_for_what_a_busy_machine_kept_from_it(
    hall: Hall, store: HallStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Showing that had to wait for a processor does not make the next entry wait four times as long."""
    service = HallService(tmp_path, store, hall, address="nats://127.0.0.1:4222")
    rested_s: list[float] = []

    async def rest(for_s: float) -> None:
        rested_s.append(for_s)
        raise asyncio.CancelledError

    async def once() -> None:
        service._news.set()
        await service._tick()

    monkeypatch.setattr(hall, "tick", lambda: threading.Event().wait(0.05))
    monkeypatch.setattr(asyncio, "sleep", rest)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(once())
    assert [REST_S] == rested_s
