"""What is arranged again while an event goes on: what was drawn ahead and does not fit is drawn again."""

from __future__ import annotations

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.event import commands
from lastnose.companion.event.changes import OtherDraw, other_draws
from lastnose.companion.event.formats import options_of
from lastnose.companion.event.messages import Presence
from lastnose.companion.event.once import Once
from lastnose.companion.event.roster import Person
from lastnose.companion.games import get_game
from lastnose.companion.link.hub import Hall

from tests.support.halls import arranged, call_round, let_in, screen

TWELVE = ",".join(f"P{n}" for n in range(1, 13))


def arrange(hall: Hall, **wishes: object) -> None:
    """Set the event up again, but for *wishes* as before."""
    made = msgspec.structs.replace(hall.state.arrangement, **wishes)
    hall.do(commands.Arrange(made), "Ann")


def play(hall: Hall, rounds: int = 1) -> None:
    """Draw where it is due, call, and type results: at each table in the order of their numbers."""
    for _ in range(rounds):
        call_round(hall)
        now = hall.state.called[-1]
        for table in now.numbers:
            places = tuple((one,) for one in sorted(now.at(table)))
            hall.do(commands.TypeResult(now.number, table, places, "paper"), "Ann")


def step(hall: Hall) -> str:
    """Return what the desk's button says."""
    return str(hall.view.step.says)


def opened(hall: Hall, names: str = TWELVE, tables: int = 2, **wishes: object) -> None:
    """Arrange an event for which *tables* are let in."""
    arranged(hall, names, tables=tables, **wishes)
    for _ in range(tables):
        let_in(hall)


def test_an_evening_of_mixed_rounds_is_shortened(hall: Hall) -> None:
    """Of five drawn, three are played: then comes the final, and where there is none, all is played."""
    opened(hall, rounds=5, final=4)
    play(hall, 3)
    assert "Call: Round 4" == step(hall)
    arrange(hall, rounds=3)
    assert "Draw: The final" == step(hall)
    assert 3 == len(screen(hall).rounds), "nobody is sent to rounds 4 and 5"
    arrange(hall, rounds=3, final=0)
    assert "All is played." == step(hall)
    with pytest.raises(NotNow, match="All is played"):
        hall.do(commands.CallRound(), "Ann")
    arrange(hall, rounds=3, final=4)
    play(hall)
    assert ["heat", "heat", "heat", "final"] == [one.kind for one in hall.state.called]
    assert "All is played." == step(hall)


def test_fewer_tables_are_arranged_when_one_breaks(hall: Hall) -> None:
    """Three of four people were drawn; with two tables it is two of six, and they are called."""
    opened(hall, tables=3, rounds=4)
    play(hall)
    hall.do(commands.PutTableOut(3), "Ann")
    with pytest.raises(NotNow, match="let more in, or arrange fewer"):
        hall.do(commands.CallRound(), "Ann")
    arrange(hall, tables=2)
    assert "Draw: Round 2" == step(hall)
    play(hall)
    assert [6, 6] == [len(table) for table in hall.state.called[-1].seats]
    hall.do(commands.PutTableOut(1), "Ann")
    arrange(hall, tables=1)
    assert "Draw: Round 3" == step(hall)
    with pytest.raises(BadInput, match="12 people do not fit at 1 table of 3 to 6"):
        hall.do(commands.Draw(), "Ann")


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"tables": 3}, "Draw: Round 2"),
        ({"tables": 3, "most": 4}, "Draw: Round 2"),
        ({"format": "free"}, "Draw: Round 2"),
        ({"format": "knock-out"}, "Draw: Round 2"),
        ({"most": 13}, "Call: Round 2"),
        ({"rounds": 3}, "Call: Round 2"),
        ({"rounds": 9}, "Call: Round 2"),
        ({"minutes": 20, "late": "mean", "final": 5}, "Call: Round 2"),
    ],
)
def test_rounds_drawn_ahead_stay_while_they_fit_what_is_arranged(
    hall: Hall, wishes: dict[str, object], says: str
) -> None:
    """Twelve at two tables of six, four rounds, of which one is played."""
    opened(hall, rounds=4, final=4)
    play(hall)
    ahead = hall.state.rounds[1:]
    arrange(hall, **wishes)
    assert says == step(hall)
    assert ahead == hall.state.rounds[1:]
    if says.startswith("Draw"):
        with pytest.raises(NotNow, match="Something has just changed"):
            hall.do(commands.CallRound(), "Ann")


def test_a_knock_out_is_drawn_again_for_another_number_of_tables(hall: Hall) -> None:
    """Eighteen at three tables; nine go on, at two tables of at most six, or at three of three."""
    opened(hall, ",".join(f"P{n}" for n in range(18)), tables=3, format="knock-out", final=0)
    play(hall)
    hall.do(commands.Draw(), "Ann")
    assert [3, 3, 3] == [len(table) for table in hall.state.rounds[1].seats]
    arrange(hall, tables=2, most=9)
    assert "Draw: Round 2" == step(hall)
    hall.do(commands.Draw(), "Ann")
    assert [9] == [len(table) for table in hall.state.rounds[1].seats]
    assert "Call: Round 2" == step(hall)


@pytest.mark.parametrize("away", [10, 11, 12])
def test_no_final_is_drawn_for_fewer_people_than_its_game_needs(hall: Hall, away: int) -> None:
    """Pig needs three. Who comes back is in it; who leaves after the draw ends it."""
    opened(hall, rounds=1, final=4)
    play(hall)
    hall.do(commands.Leave(tuple(range(1, away + 1))), "Ann")
    assert "All is played: fewer than 3 are there for a final." == step(hall)
    with pytest.raises(NotNow, match="All is played"):
        hall.do(commands.Draw(), "Ann")
    hall.do(commands.Return(tuple(range(1, 4))), "Ann")
    hall.do(commands.Draw(), "Ann")
    assert "Call: The final" == step(hall)
    hall.do(commands.Leave(tuple(range(1, 13))), "Ann")
    assert "over" == hall.view.step.kind


def test_an_evening_of_guests_has_no_final(hall: Hall) -> None:
    """They play, and nobody of them has a place."""
    opened(hall, "name,guest\n" + "\n".join(f"P{n},x" for n in range(6)), rounds=1, final=3)
    play(hall)
    assert "over" == hall.view.step.kind


def changed(hall: Hall) -> list[tuple[str, str]]:
    """Return what the desk is told of rounds that were drawn by another list: both sentences."""
    todos = screen(hall).todos
    return [(str(one.says), str(one.why)) for one in todos if one.kind == "changed"]


def typed(hall: Hall, *order: int) -> None:
    """Type the result of the first round's only table again."""
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in order), "read wrong"), "Ann")


def test_the_desk_is_told_of_a_final_that_others_would_play_by_a_corrected_heat(hall: Hall) -> None:
    """1, 2, 3 of six are called to it. Who leaves or comes and what is set up later changes nothing."""
    opened(hall, ",".join(f"P{n}" for n in range(1, 7)), tables=1, rounds=1, final=3)
    play(hall)
    call_round(hall)
    called = hall.state.seq
    hall.do(commands.Leave((3,)), "Ann")
    hall.do(commands.AddPeople("Late"), "Ann")
    arrange(hall, final=4)
    typed(hall, 2, 1, 3, 6, 5, 4)
    assert [] == changed(hall), "the same three"
    typed(hall, 1, 2, 4, 3, 5, 6)
    title = "The final: the list has changed since it was drawn."
    stays = "The round stays as it was called; to draw it again, take its call back."
    assert [(title, f"By the results of now, in: P4; out: P3. {stays}")] == changed(hall)
    hall.do(commands.SeeChange(2), "Ann")
    assert [] == changed(hall)
    hall.do(commands.TypeResult(2, 1, ((3,), (2,), (1,)), "paper"), "Ann")
    assert [] == changed(hall), "its own result changes nothing of who plays it"
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3, 4), (5,), (6,)), "level"), "Ann")
    assert [(title, f"By the results of now, in: P4; out: –. {stays}")] == changed(hall)
    hall.do(commands.TypeResult(1, 1, ((1,), (2, 3, 4, 5), (6,)), "level"), "Ann")
    first = "By the results of now: For the final’s last seats, P2, P3, P4 and P5."
    assert [(title, f"{first} {stays}")] == changed(hall)
    hall.do(commands.Return((3,)), "Ann")
    typed(hall, 1, 2, 4, 3, 5, 6)
    arrange(hall, final=3)
    hall.do(commands.TakeBack(called), "Ann")
    assert "Draw: The final" == step(hall)
    hall.do(commands.Draw(), "Ann")
    assert {1, 2, 4} == set(hall.state.rounds[1].seats[0])


def test_the_desk_is_told_of_a_tie_that_others_would_play(hall: Hall) -> None:
    """1 is in the final of three; 2 to 5 are level for two seats. Then 2 to 6, then 3 to 5, then nobody."""
    opened(hall, ",".join(f"P{n}" for n in range(1, 7)), tables=1, rounds=1, final=3)
    call_round(hall)
    hall.do(commands.TypeResult(1, 1, ((1,), (2, 3, 4, 5), (6,)), "paper"), "Ann")
    call_round(hall)
    stays = "The round stays as it was called; to draw it again, take its call back."
    assert [] == changed(hall)
    hall.do(commands.TypeResult(1, 1, ((1,), (2, 3, 4, 5, 6)), "read wrong"), "Ann")
    ((title, why),) = changed(hall)
    assert "For the final’s last seats: the list has changed since it was drawn." == title
    assert f"By the results of now, in: P6; out: –. {stays}" == why
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3, 4, 5), (6,)), "read wrong"), "Ann")
    assert [f"By the results of now, in: –; out: P2. {stays}"] == [why for _, why in changed(hall)]
    typed(hall, 1, 2, 3, 4, 5, 6)
    assert [f"By the results of now: The final, P1, P2 and P3. {stays}"] == [why for _, why in changed(hall)]
    hall.do(commands.TypeResult(2, 1, ((2,), (3,), (4,), (5,)), "paper"), "Ann")
    call_round(hall)
    assert [] == changed(hall), "1, 2 and 3 play the final"
    hall.do(commands.TypeResult(1, 1, ((1, 2, 3, 4, 5, 6),), "read wrong"), "Ann")
    assert [f"By the results of now, in: P4; out: P1. {stays}"] == [why for _, why in changed(hall)]


def test_who_becomes_a_guest_after_the_final_leaves_its_places_to_the_others(hall: Hall) -> None:
    """1 wins before 2, 3 and 4; as a guest they are nobody's winner. Then it is 2 who shares with 3."""
    opened(hall, ",".join(f"P{n}" for n in range(1, 7)), tables=1, rounds=1, final=4)
    play(hall, 2)

    def places() -> list[tuple[int, int | None]]:
        return [(line.entrant, line.place) for line in hall.view.lines]

    assert [(n, n) for n in range(1, 7)] == places()
    hall.do(commands.Rewrite(1, Person("P1", guest=True)), "Ann")
    assert [(1, None), *((n, n - 1) for n in range(2, 7))] == places()
    assert "P2 wins!" == str(screen(hall).headline)
    hall.do(commands.TypeResult(2, 1, ((1,), (2, 3), (4,)), "read wrong"), "Ann")
    assert [(1, None), (2, 1), (3, 1), (4, 3), (5, 4), (6, 5)] == places()


def test_a_final_is_drawn_again_for_another_number_of_people(hall: Hall) -> None:
    """Two tables of six: two have won, two were second, two third."""
    opened(hall, rounds=1, final=4)
    play(hall)
    hall.do(commands.Draw(), "Ann")
    assert [4] == [len(table) for table in hall.state.rounds[1].seats]
    arrange(hall, final=6)
    assert "Draw: The final" == step(hall)
    hall.do(commands.Draw(), "Ann")
    assert [6] == [len(table) for table in hall.state.rounds[1].seats]
    assert "Call: The final" == step(hall)


def test_a_tie_is_drawn_again_for_smaller_tables(hall: Hall) -> None:
    """All twelve shared the first place: they play at two tables of six, or at three of four."""
    opened(hall, tables=3, rounds=1, final=4)
    call_round(hall)
    for table in hall.state.called[0].numbers:
        hall.do(commands.TypeResult(1, table, (hall.state.called[0].at(table),), "paper"), "Ann")
    arrange(hall, tables=2)
    hall.do(commands.Draw(), "Ann")
    assert [6, 6] == [len(table) for table in hall.state.rounds[1].seats]
    assert "Call: For the final’s last seats" == step(hall)
    arrange(hall, tables=3, most=4)
    assert "Draw: For the final’s last seats" == step(hall)
    hall.do(commands.Draw(), "Ann")
    assert [4, 4, 4] == [len(table) for table in hall.state.rounds[1].seats]


def test_another_round_after_the_final_leads_to_another_final(hall: Hall) -> None:
    """6 wins the final of all six; of the next two rounds 1 wins both, and the list is theirs until then."""
    opened(hall, ",".join(f"P{n}" for n in range(1, 7)), tables=1, rounds=1, final=6)
    play(hall)
    call_round(hall)
    hall.do(commands.TypeResult(2, 1, tuple((n,) for n in range(6, 0, -1)), "paper"), "Ann")
    assert ("All is played.", 6) == (step(hall), hall.view.lines[0].entrant)
    arrange(hall, rounds=2)
    assert "Draw: Round 3" == step(hall)
    play(hall)
    assert ("Draw: The final", 1) == (step(hall), hall.view.lines[0].entrant)
    play(hall)
    assert "All is played." == step(hall)
    assert ["heat", "final", "heat", "final"] == [one.kind for one in hall.state.called]


@pytest.mark.parametrize("options", [{}, {"losses": "three"}, {"losses": "word", "word": "OI"}])
def test_a_tie_is_settled_with_one_loss_also_where_three_were_said_in_so_many_words(
    hall: Hall, options: dict[str, str]
) -> None:
    """Spoons counts three losses, or letters of a word: in a tie it is one letter."""
    arranged(hall, TWELVE, game="spoons", options=options)
    game = get_game("spoons")
    tie = game.new(("A", "B", "C"), game.read_options(options_of(hall.state, "tie")))
    assert [1, 1, 1] == [len(one.word) for one in game.standings(tie)]


def test_what_would_be_drawn_otherwise_is_worked_out_when_a_result_changes_and_not_for_a_tables_word(
    hall: Hall,
) -> None:
    """The same object while a table only says that it is there; another as soon as a result is another."""
    opened(hall, ",".join(f"P{n}" for n in range(1, 7)), tables=1, rounds=1, final=3)
    play(hall)
    call_round(hall)
    watch = Once(other_draws)

    def seen() -> tuple[OtherDraw, ...]:
        return watch(hall.view.state, hall.view.outcomes, hall.view.heat_lines)

    before, known = hall.view, seen()
    assert () == known
    (table,) = hall.state.tables
    hall.heard(table, Presence(n=0))
    hall.tick()
    assert before is not hall.view
    assert known is seen()
    typed(hall, 1, 2, 4, 3, 5, 6)
    assert [(2, (1, 2, 4))] == [(one.number, one.rests_on) for one in seen()]
