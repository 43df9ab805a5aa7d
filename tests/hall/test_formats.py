"""Who plays on, and where: knock-out, the final and the ties before it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.event import commands, events, formats
from lastnose.companion.event.changes import said_after
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.history import newest
from lastnose.companion.event.roster import Person
from lastnose.companion.event.state import HallAppeal, HallRound
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from msgspec.structs import replace

from tests.support.halls import arranged, begun, call_round, screen, todos


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
    """Two tables of three, then one of four; when one of the four has gone home, the round is drawn again."""
    begun(hall, "A,B,C,D,E,F", format="knock-out", final=0)
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


def test_printed_cards_stay_right_when_somebody_comes_late(hall: Hall) -> None:
    """Two rounds of three tables of four are drawn; the desk says why it amends that."""
    arranged(hall, ",".join("ABCDEFGHIJKL"), tables=3, most=6)
    hall.do(commands.Draw(), "Ann")
    before = [one.seats for one in hall.state.rounds]
    hall.do(commands.AddPeople("Late"), "Ann")
    assert "Amend the draw: Round 1" == str(hall.view.step.says)
    (todo,) = screen(hall).todos
    assert ("draw", "1 person has come or gone since the draw.") == (todo.kind, str(todo.says))
    late = max(hall.state.people)
    hall.do(commands.Leave((late,)), "Ann")
    assert "Call: Round 1" == str(hall.view.step.says)
    hall.do(commands.Return((late,)), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert "Call: Round 1" == str(hall.view.step.says)
    for old, one in zip(before, hall.state.rounds, strict=True):
        assert [4, 4, 5] == sorted(map(len, one.seats))
        assert list(old) == [tuple(who for who in table if who != late) for table in one.seats]
    hall.do(commands.Draw(), "Ann")
    assert [list(old) for old in before] != [list(one.seats) for one in hall.state.rounds], "drawn again"


def of_family(hall: Hall, family: str, *who: int) -> None:
    """Write down that these people are of this family."""
    for one in who:
        name = hall.state.people[one].name
        hall.do(commands.Rewrite(one, Person(name, family=family)), "Ann")


@pytest.mark.parametrize("format_", ["mixed", "free"])
def test_a_family_that_is_written_down_after_the_draw_is_parted_before_the_call(
    hall: Hall, format_: str
) -> None:
    """Of two who sit together one changes places with one other; the desk says whom it is about."""
    arranged(hall, ",".join("ABCDEFGHI"), tables=3, rounds=1, format=format_)
    hall.do(commands.Draw(), "Ann")
    (old,) = [one.seats for one in hall.state.rounds]
    one, other, _ = old[0]
    of_family(hall, "Oak", one, old[1][0])
    assert "Call: Round 1" == str(hall.view.step.says), "they sit apart"
    of_family(hall, "oak", other)
    assert "Amend the draw: Round 1" == str(hall.view.step.says)
    (todo,) = screen(hall).todos
    names = " and ".join(hall.state.shown(who) for who in sorted((one, other)))
    assert f"Family: who should not sit at one table ({names})" == str(todo.says)
    with pytest.raises(NotNow):
        hall.do(commands.CallRound(), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert ("Call: Round 1", ()) == (str(hall.view.step.says), screen(hall).todos)
    new = hall.state.rounds[0].seats
    assert not any({one, other} <= set(table) or {one, old[1][0]} <= set(table) for table in new)
    assert 2 == sum(who not in before for before, now in zip(old, new, strict=True) for who in now)


def test_a_family_of_more_than_there_are_tables_does_not_keep_a_round_from_its_call(hall: Hall) -> None:
    """Three at two tables: it is amended once, and two still sit together. Nor does one that is no more."""
    arranged(hall, ",".join("ABCDEF"), tables=2, rounds=1)
    hall.do(commands.Draw(), "Ann")
    of_family(hall, "Oak", *hall.state.rounds[0].seats[0])
    assert "draw" == hall.view.step.kind
    hall.do(commands.Draw(), "Ann")
    assert "call" == hall.view.step.kind
    of_family(hall, "", 1, 2, 3, 4, 5, 6)
    assert "call" == hall.view.step.kind


def test_who_wins_the_last_table_of_a_knock_out_wins_it_whatever_came_before(hall: Hall) -> None:
    """Four go on of two tables of three. Last there comes who won before: fourth, though before those out."""
    begun(hall, "A,B,C,D,E,F", format="knock-out", final=0)
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
    assert f"{hall.state.shown(b)} wins!" == str(screen(hall).headline)
    assert {"Round 2"} == {str(line.decided) for line in hall.view.lines if line.entrant in (b, e, d, a)}


def test_who_is_level_at_the_cut_of_a_knock_out_goes_on_with_the_better_half(hall: Hall) -> None:
    """Neither by lot nor by the order of the seats: of three with a shared second place nobody is out."""
    begun(hall, "A,B,C,D,E,F", format="knock-out", final=0)
    (a, b, c), (d, e, f) = (hall.state.rounds[0].at(number) for number in (1, 2))
    hall.do(commands.TypeResult(1, 1, ((a,), (b, c)), "paper"), "Ann")
    hall.do(commands.TypeResult(1, 2, ((d,), (e,), (f,)), "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert sorted((a, b, c, d, e)) == sorted(one for table in hall.state.rounds[1].seats for one in table)


def test_one_letter_settles_a_tie_and_two_who_tie_are_both_in_the_final(hall: Hall) -> None:
    """Pig takes three: so two who tie for the last seat make the final larger."""
    begun(hall, "A,B,C,D,E,F,G,H", rounds=1, final=3)
    for number in (1, 2):
        places = tuple((one,) for one in hall.state.rounds[0].at(number))
        hall.do(commands.TypeResult(1, number, places, "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert ("final", 4) == (hall.state.rounds[1].kind, len(hall.state.rounds[1].seats[0]))


def heats(hall: Hall, tables: int, **arrangement: Any) -> None:
    """Play one round of twelve at *tables* by hand: who sits first at a table wins it, and so on."""
    begun(hall, "A,B,C,D,E,F,G,H,I,J,K,L", tables=tables, rounds=1, **arrangement)
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


def test_twelve_who_are_level_for_four_seats_play_the_tie_at_tables_of_four(hall: Hall) -> None:
    """All shared the first place. Who wins a table of the tie is in; three seconds play for the last seat."""
    begun(hall, "A,B,C,D,E,F,G,H,I,J,K,L", tables=3, rounds=1, final=4, most=4)
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


@pytest.mark.parametrize(
    ("names", "game", "most", "final", "fewer", "sizes", "step"),
    [
        ("A,B,C,D,E,F,G", "pig", 4, 4, 3, [3, 4], "draw"),
        ("A,B,C,D,E,F,G", "pig", 4, 4, 4, [3, 4], "call"),
        ("A,B,C,D,E,F", "chickenfoot", 2, 2, 2, [3], "call"),
    ],
)
def test_a_tie_is_drawn_again_where_one_of_its_tables_is_too_large_by_now(
    hall: Hall, names: str, game: str, most: int, final: int, fewer: int, sizes: list[int], step: str
) -> None:
    """All who won are level for the final. Three play at one table, even where two are the most."""
    begun(hall, names, game=game, tables=3, rounds=1, final=final, most=most)
    first = hall.state.rounds[0]
    for number in first.numbers:
        people = first.at(number)
        places = (people,) if game == "pig" else tuple((one,) for one in people)
        hall.do(commands.TypeResult(1, number, places, "paper"), "Ann")
    hall.do(commands.Draw(), "Ann")
    tie = hall.state.rounds[1]
    assert ("tie", sizes) == (tie.kind, sorted(map(len, tie.seats)))
    made = replace(hall.state.arrangement, most=fewer, final=min(final, fewer))
    hall.do(commands.Arrange(made), "Ann")
    assert step == hall.view.step.kind


def test_people_who_make_no_tables_of_the_size_that_was_wished_are_told_before_the_draw(hall: Hall) -> None:
    """Five at tables of three or four: neither three and two, which is no Pig, nor five at one table."""
    arranged(hall, "A,B,C,D,E", tables=2, rounds=1, final=0, most=4)
    with pytest.raises(
        BadInput, match="5 people do not fit at 2 tables of 3 to 4: give more or larger tables"
    ):
        hall.do(commands.Draw(), "Ann")
    hall.do(commands.Leave((1, 2, 3)), "Ann")
    with pytest.raises(BadInput, match="At least 3 people must be there"):
        hall.do(commands.Draw(), "Ann")
    with pytest.raises(BadInput, match="At most 4 sit at a table: not more in the final"):
        arranged(hall, "Z", most=4, final=6)


@given(places=st.lists(st.integers(1, 6), min_size=1, max_size=8), seats=st.integers(0, 8))
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


def test_a_knock_out_is_drawn_again_when_others_would_go_on(hall: Hall) -> None:
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


def test_a_knock_outs_earlier_result_that_changes_calls_nothing_again_and_the_desk_says_so(
    hall: Hall,
) -> None:
    """A round of two tables of three, then one of four. The first table's order is turned round too late."""
    begun(hall, "A,B,C,D,E,F", format="knock-out", final=0)
    a, b, c = hall.state.rounds[0].at(1)
    finish(hall, 1)
    call_round(hall)
    called = hall.state.rounds[1].seats

    def changed() -> list[tuple[str, str]]:
        todos = screen(hall).todos
        return [(str(one.says), str(one.why)) for one in todos if one.kind == "changed"]

    def typed(*order: int) -> str:
        command = commands.TypeResult(1, 1, tuple((one,) for one in order), "read wrong")
        before = hall.view
        return str(said_after(before, hall.do(command, "Ann"), command))

    assert "None" == typed(a, b, c)
    assert "Places on the list change. The rounds that were called stay as they are." == typed(b, a, c)
    assert [] == changed(), "both go on all the same"
    typed(c, b, a)
    name = hall.state.shown
    why = f"By the results of now, in: {name(c)}; out: {name(a)}. The round stays as it was called; "
    why += "to draw it again, take its call back."
    assert [("Round 2: the list has changed since it was drawn.", why)] == changed()
    assert called == hall.state.rounds[1].seats
    typed(a, b, c)
    assert [] == changed(), "as it was"
    typed(c, b, a)
    hall.do(commands.SeeChange(2), "Ann")
    assert [] == changed()
    with pytest.raises(NotNow, match="Something has just changed"):
        hall.do(commands.SeeChange(2), "Ann")
    typed(a, b, c)
    assert f"in: {name(a)}; out: {name(c)}." in changed()[0][1]
    hall.do(commands.TypeResult(1, 1, ((a,), (b, c)), "level"), "Ann")
    assert changed()[0][1].startswith(f"By the results of now, in: {name(a)}; out: –. The round")


def test_who_lets_an_earlier_game_be_played_again_is_told_what_that_changes(hall: Hall) -> None:
    """Not when it is of the round that is played, nor where all rounds are drawn at the start."""
    view = hall.view
    for format_, number, said in (("knock-out", 1, True), ("knock-out", 2, False), ("mixed", 1, False)):
        appeal = HallAppeal(9, "t", 3, "", "Ann", number)
        rounds = tuple(HallRound(n, "heat", ((1, 2, 3),), numbers=(1,)) for n in (1, 2))
        state = replace(
            view.state, arrangement=Arrangement("Cup", format=format_), rounds=rounds, appeals={9: appeal}
        )
        after = replace(view, state=state)
        told = said_after(view, after, commands.Decide(9, "again", "bumped"))
        assert said == ("The rounds that were called stay" in str(told))
        assert said_after(view, after, commands.Decide(9, "stands", "seen")) is None


@pytest.mark.parametrize("kind", ["swiss", "ladder"])
def test_an_older_evening_of_a_format_that_is_drawn_no_more_is_read_and_played_on_in_another(
    store: HallStore, kind: str
) -> None:
    """Its log says the format; its rounds and its list are as they were, and its final can still be drawn."""
    hall = Hall(store)
    begun(hall, "A,B,C,D,E,F,G,H", rounds=3, final=0)
    finish(hall, 1)
    made = hall.state.arrangement
    seq = hall.state.seq + 1
    store.append(seq, events.EventArranged(by="Ann", at=0, arrangement=replace(made, format=kind)))
    old = Hall(store)
    assert [line.place for line in hall.view.lines] == [line.place for line in old.view.lines]
    shown = screen(old)
    assert f"A format no longer on offer ({kind})" == str(shown.format)
    assert ("arrange", "Set up the event") == (old.view.step.kind, str(old.view.step.says))
    for wish in (commands.Draw(), commands.CallRound()):
        with pytest.raises(NotNow, match=r"no longer on offer|Something has just changed"):
            old.do(wish, "Ann")
    with pytest.raises(BadInput, match="There is no format"):
        old.do(commands.Arrange(replace(made, format=kind, rounds=2)), "Ann")
    store.append(
        seq + 1, events.EventArranged(by="A", at=0, arrangement=replace(made, format=kind, rounds=1))
    )
    assert "over" == Hall(store).view.step.kind
    old = Hall(store)
    old.do(commands.Arrange(made), "Ann")
    old.do(commands.Draw(), "Ann")
    old.do(commands.CallRound(), "Ann")


def test_families_sit_apart_in_a_knock_out_after_its_first_round_too(hall: Hall) -> None:
    """Two of each family go on, who had been apart: as many tables as it takes to part them are there."""
    written = "name,family\n" + "".join(f"P{n},F{n % 6}\n" for n in range(24))
    begun(hall, written, tables=6, format="knock-out", final=0, most=4)
    families = {number: person.family for number, person in hall.state.people.items()}
    finish(hall, 1)
    hall.do(commands.Draw(), "Ann")
    seats = hall.state.rounds[1].seats
    kin = [[families[one] for one in table] for table in seats]
    least = sum(max(0, n - len(seats)) for n in Counter(one for table in kin for one in table).values())
    assert least == sum(len(table) - len(set(table)) for table in kin)


def test_who_draws_is_told_how_many_meet_again(hall: Hall) -> None:
    """Six at two tables: in the second round at least two meetings are second ones; in the first none is."""
    arranged(hall, "A,B,C,D,E,F", rounds=2, final=0)
    before = hall.view
    after = hall.do(commands.Draw(), "Ann")
    told = said_after(before, after, commands.Draw())
    assert "Second meetings: 2; fewer than 2 cannot be." == str(told)
    one = replace(after.state, rounds=after.state.rounds[:1])
    assert "Second meetings: 0." == str(said_after(before, replace(after, state=one), commands.Draw()))


def test_a_knock_out_in_which_too_few_are_left_is_over(hall: Hall) -> None:
    """Two of twelve are there: nobody asks for a draw that cannot be made."""
    heats(hall, 3, final=0, format="knock-out", most=4)
    hall.do(commands.Leave(tuple(sorted(hall.state.people))[:10]), "Ann")
    assert "over" == hall.view.step.kind


def test_two_who_are_level_for_the_last_seat_of_a_full_final_settle_it_by_hand(hall: Hall) -> None:
    """Two tables' orders alike, four for the final at tables of four, one of the first four leaves.

    Two are too few for Pig. Their table is called to no game, and the desk has the way on.
    """
    tables = begun(hall, "A,B,C,D,E,F,G,H", rounds=1, final=4, most=4)
    finish(hall, 1)
    hall.do(commands.Leave(hall.state.rounds[0].at(1)[:1]), "Ann")
    hall.do(commands.Draw(), "Ann")
    (level,) = hall.state.rounds[1].seats
    assert ("tie", {hall.state.rounds[0].at(n)[2] for n in (1, 2)}) == (hall.state.rounds[1].kind, set(level))
    hall.do(commands.CallRound(), "Ann")
    calls = [call for one in tables if (call := hall.call_for(one.table)) is not None]
    names = [hall.state.shown(one) for one in level]
    assert [("", True, names), ("", False, [])] == [(c.call, c.by_hand, [*c.players]) for c in calls]
    assert [True, False] == [one.by_hand for one in screen(hall).tables]
    (todo,) = todos(hall, "open")
    assert f"For the final’s last seats: {' and '.join(names)} are too few for Pig." == str(todo.says)
    assert ("Type its result…", 2) == (str(todo.button), todo.round)
    places = ((level[1],), (level[0],))
    hall.do(commands.TypeResult(2, todo.number, places, "one deal of rummy"), "Ann")
    assert ("Ann", "one deal of rummy") == (hall.own()[-1][1].by, hall.state.typed[2, todo.number].reason)
    assert "For the final’s last seats, table 1: This result counts" == str(
        newest(hall.own(), hall.state)[0].says
    )
    hall.do(commands.Draw(), "Ann")
    (final,) = hall.state.rounds[2].seats
    assert (4, True, False) == (len(final), level[1] in final, level[0] in final)
    hall.do(commands.CallRound(), "Ann")
    with pytest.raises(BadInput, match="The final: table 7 does not play"):
        hall.do(commands.Clear(3, 7), "Ann")


def test_five_who_are_level_at_tables_of_four_play_at_three_and_by_hand_at_two(hall: Hall) -> None:
    """All ten share the first place, and five of them leave: at one table there is no room for five."""
    begun(hall, "A,B,C,D,E,F,G,H,I,J", tables=3, rounds=1, final=4, most=4)
    for number in hall.state.rounds[0].numbers:
        hall.do(commands.TypeResult(1, number, (hall.state.rounds[0].at(number),), "paper"), "Ann")
    hall.do(commands.Leave((1, 2, 3, 4, 5)), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert ("tie", [2, 3]) == (hall.state.rounds[1].kind, sorted(map(len, hall.state.rounds[1].seats)))
    hall.do(commands.CallRound(), "Ann")
    assert [2] == [len(hall.state.rounds[1].at(one.number)) for one in todos(hall, "open")]


def test_fewer_rounds_or_tables_that_are_arranged_later_hold_for_what_is_drawn_already(hall: Hall) -> None:
    """It got late: of five rounds that are drawn the fourth is not called, and the final comes."""
    begun(hall, "A,B,C,D,E,F,G,H,I", tables=3, rounds=5, final=3)
    for number in (1, 2):
        finish(hall, number)
        hall.do(commands.CallRound(), "Ann")
    finish(hall, 3)
    made = hall.state.arrangement
    hall.do(commands.PutTableOut(3), "Ann")
    with pytest.raises(NotNow, match="arrange fewer"):
        hall.do(commands.CallRound(), "Ann")
    hall.do(commands.Arrange(replace(made, tables=2)), "Ann")
    assert "draw" == hall.view.step.kind
    hall.do(commands.Draw(), "Ann")
    assert [2, 2] == [len(one.seats) for one in hall.state.rounds[3:]]
    hall.do(commands.Arrange(replace(made, tables=2, rounds=3)), "Ann")
    assert str(hall.view.step.says) in ("Draw: The final", "Draw: For the final’s last seats")
    hall.do(commands.Draw(), "Ann")
    assert 4 == len(hall.state.rounds)


@pytest.mark.parametrize(
    ("kind", "people", "most", "sizes"),
    [
        ("final", 6, 4, [6]),
        ("tie", 6, 6, [6]),
        ("tie", 6, 5, [3, 3]),
        ("tie", 3, 2, [3]),
        ("tie", 4, 2, [2, 2]),
        ("tie", 2, 6, [2]),
    ],
)
def test_a_final_is_one_table_and_a_tie_too_where_it_is_large_enough(
    kind: str, people: int, most: int, sizes: list[int]
) -> None:
    """There are three tables; two are enough for a tie, and three who are level stay together."""
    who = tuple(range(1, people + 1))
    field = formats.DrawField(
        who, {one: Person(str(one)) for one in who}, (), (), {}, tables=3, most=most, least=3
    )
    (drawn,) = formats._beside_heats(kind, who, field, Random(1))
    assert sizes == [len(table) for table in drawn]
    assert [*who] == sorted(one for table in drawn for one in table)
