"""Somebody comes or goes in a game of a hall: it stays one game, with all that was played before."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import Amend, Play, Regroup, SignOff, Undo
from lastnose.companion.evening.events import Protested, ZeroTested
from lastnose.companion.event import commands, history
from lastnose.companion.event.calls import said_of_call
from lastnose.companion.event.pictures import Finishes
from lastnose.companion.event.tally import TableOutcome
from lastnose.companion.link.hub import Hall

from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, decide, screen, todos

ZERO = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=(10,) * 20, u_ns=1_000)


@pytest.fixture
def table(hall: Hall) -> TableOfHall:
    """Return a table that has begun a game of five, A to E, in which a letter is enough."""
    return of_word(hall, "P")


def of_word(hall: Hall, word: str) -> TableOfHall:
    """Return a table that has begun a game of five, A to E, for *word*."""
    arranged(hall, "A,B,C,D,E", tables=1, rounds=1, final=0, options={"word": word})
    made = TableOfHall(hall, noses=6)
    made.table.record.append(ZERO)
    call_round(hall)
    made.begin()
    return made


def seat(table: TableOfHall, name: str) -> int:
    """Return where *name* sits now."""
    return table.table.record.evening.matches[-1].started.players.index(name) + 1


def out(table: TableOfHall, *names: str) -> None:
    """Give *names* a letter, one after the other."""
    for name in names:
        table.do(Play({"type": "false-opener", "seat": seat(table, name)}))


def judged(table: TableOfHall, names: str) -> int:
    """Let a round be judged that they touched in this order; return its entry."""
    return table.judged(*(seat(table, name) for name in names))


def outcome(hall: Hall) -> TableOutcome:
    """Return that of the only game."""
    (found,) = hall.view.outcomes
    return found


def placed(hall: Hall) -> dict[str, int]:
    """Return the places that the game has come to."""
    result = outcome(hall).result
    return {hall.state.shown(entrant): one.place for entrant, one in result.placings}


def doubts(hall: Hall) -> list[str]:
    """Return what is to be looked at."""
    return list(map(str, outcome(hall).doubts))


COMINGS = {
    "one goes and comes back": ("ABCE", "ABCDE"),
    "other seats": ("CDEAB",),
    "who was out was not named": ("ABD",),
    "not named, and named again": ("ABDC", "BADEC"),
}


@pytest.mark.parametrize("circles", COMINGS.values(), ids=COMINGS)
def test_who_went_out_later_comes_before_who_went_out_before_them_whoever_came_or_went_since(
    hall: Hall, table: TableOfHall, circles: tuple[str, ...]
) -> None:
    """E out first, then C; after that people change, D goes out, then B: A wins."""
    out(table, "E", "C")
    for names in circles:
        table.do(Regroup(tuple(names)))
    out(table, "D", "B")
    table.do(SignOff())
    assert {"A": 1, "B": 2, "D": 3, "C": 4, "E": 5} == placed(hall)
    assert ("counts", []) == (outcome(hall).state, doubts(hall))


def test_who_went_while_still_in_has_no_place_and_a_newcomer_no_points(
    hall: Hall, table: TableOfHall
) -> None:
    """B goes, Zoë comes and wins: A, C, D and E have the places of four. It never counts so: it is typed."""
    out(table, "E")
    table.do(Regroup(("A", "C", "D", "E", "Zoë")))
    out(table, "D", "C", "A")
    table.do(SignOff())
    assert {"A": 1, "C": 2, "D": 3, "E": 4} == placed(hall)
    with pytest.raises(NotNow, match="Not everybody who was drawn has a place: it does not count"):
        hall.do(commands.Clear(1, 1), "Ann")
    assert ["Other people played there than were drawn."] == doubts(hall)
    (todo,) = todos(hall, "doubtful")
    assert ("Type its result…", "Play again") == (str(todo.button), str(todo.other))
    assert "doubtful" == outcome(hall).state
    number = {hall.state.shown(one): one for one in hall.state.people}
    hall.do(commands.TypeResult(1, 1, tuple((number[name],) for name in "ACDEB"), "B went"), "Ann")
    points = {hall.state.shown(line.entrant): line.points for line in hall.view.lines if line.rounds}
    assert {"A": 1, "C": Fraction(3, 4), "D": Fraction(1, 2), "E": Fraction(1, 4), "B": 0} == points


def test_a_game_that_is_played_again_counts_and_what_was_before_does_not(
    hall: Hall, table: TableOfHall
) -> None:
    """The table is called once more, is told why, and its people are those who were drawn."""
    out(table, "E")
    table.do(Regroup(("A", "C", "D", "E", "Zoë")))
    out(table, "D", "C", "A")
    table.do(SignOff())
    first = table.call.call
    (todo,) = todos(hall, "doubtful")
    assert todo.other_command is not None
    hall.do(msgspec.convert(todo.other_command, commands.AnyHallCommand), "Ann")
    assert "Round 1, table 1: This table’s game is played again" == str(
        history.newest(hall.own(), hall.state)[0].says
    )
    call = table.call
    assert call.call not in ("", first)
    told = ["This game is played again: Other people played there than were drawn."]
    assert told == [str(one) for one in said_of_call(call)], "nobody has appealed"
    assert ("waiting", None) == (outcome(hall).state, outcome(hall).result)
    with pytest.raises(NotNow, match="Something has just changed"):
        hall.do(commands.PlayAgain(1, 1, "once more"), "Ann")
    table.begin()
    out(table, "E", "D", "C", "B")
    table.do(SignOff())
    assert ("counts", {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}) == (outcome(hall).state, placed(hall))
    hall.do(commands.TakeBack(hall.state.seq), "Ann")
    assert "doubtful" == outcome(hall).state


def test_a_result_that_came_while_the_desk_pressed_play_again_is_not_thrown_away(
    hall: Hall, table: TableOfHall
) -> None:
    """B had gone; the table's host lets B come back and plays on: the button meant another result."""
    out(table, "E")
    table.do(Regroup(tuple("ACDE")))
    out(table, "D", "C")
    table.do(SignOff())
    (todo,) = todos(hall, "doubtful")
    again = msgspec.convert(todo.other_command, commands.AnyHallCommand)
    table.do(*[Undo()] * 3, Regroup(tuple("ABCDE")))
    out(table, "D", "C", "B")
    table.do(SignOff())
    assert "counts" == outcome(hall).state
    with pytest.raises(NotNow, match="Something has just changed"):
        hall.do(again, "Ann")
    assert {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5} == placed(hall)


def test_deals_of_before_and_after_somebody_came_are_counted_once_and_void_ones_never(hall: Hall) -> None:
    """One void round of three before, one of two after: three deals."""
    table = of_word(hall, "PI")
    table.do(Amend(judged(table, "ABCDE"), {"type": "void"}))
    judged(table, "ABCED")
    judged(table, "ABCED")
    table.do(Regroup(tuple("BACDE")))
    table.do(Amend(judged(table, "ABCE"), {"type": "void"}))
    judged(table, "ABCE")
    table.end()
    result = outcome(hall).result
    assert {3} == {one.deals for _, one in result.placings}


def test_what_was_doubtful_before_somebody_came_stays_so(hall: Hall, table: TableOfHall) -> None:
    """The entry of before is looked at like one of now."""
    table.do(Amend(judged(table, "ABCDE"), {"type": "last", "seats": [seat(table, "D")]}))
    table.do(Regroup(tuple("BACDE")))
    out(table, "E", "C", "B")
    table.do(SignOff())
    assert ["Who was last was corrected by hand."] == doubts(hall)


def test_a_verdict_of_before_somebody_came_can_be_protested_and_appealed_and_is_shown(
    hall: Hall, table: TableOfHall
) -> None:
    """The desk has its photo finish, the board the closest, and the table's dialog the newest verdict."""
    entry = judged(table, "ABCDE")
    (newest,) = (one for one in table.table.record.evening.matches[-1].entries if one.seq == entry)
    assert newest.verdict is not None
    table.table.record.append(Protested(by="host", at=3, of=entry, verdict=newest.verdict))
    table.do(Regroup(tuple("BACDE")))
    shown = screen(hall)
    assert ["Protest: E was last: P"] == [str(one.says) for one in shown.todos if one.kind == "appeal"]
    assert [entry] == [one.verdict for one in shown.tables]
    assert "Closest so far, table 1: 100.000 ms ± 0.076 ms" == str(Finishes().closest(hall.view))
    hall.do(commands.Object(1, entry, "It was D."), "Ann")
    (appeal,) = todos(hall, "appeal")
    assert "Appeal: E was last: P" == str(appeal.says)
    assert appeal.finish is not None


def test_a_table_with_a_protest_is_shown_like_one_with_an_appeal_until_it_is_decided(
    hall: Hall, table: TableOfHall
) -> None:
    """Board and list of tables: the hall sees why nobody plays on there."""
    entry = judged(table, "ABCDE")
    (newest,) = (one for one in table.table.record.evening.matches[-1].entries if one.seq == entry)

    def appeals() -> list[bool]:
        return [one.appeal for one in screen(hall).tables]

    assert [False] == appeals()
    assert newest.verdict is not None
    table.table.record.append(Protested(by="host", at=3, of=entry, verdict=newest.verdict))
    table.do(Regroup(tuple("BACDE")))
    assert [True] == appeals()
    decide(hall, "stands", entry)
    assert [False] == appeals()


def test_a_verdict_of_before_somebody_came_that_does_not_count_is_taken_out_by_the_host(
    hall: Hall, table: TableOfHall
) -> None:
    """E was out by it, and is back in the game, which goes on between A and E."""
    entry = judged(table, "ABCDE")
    table.do(Regroup(tuple("BACDE")))
    decide(hall, "void", entry)
    out(table, "D", "C", "B")
    table.do(SignOff())
    says = "Round 1 of its game does not count, by an appeal: its host has to take it out."
    assert ("doubtful", [says]) == (outcome(hall).state, doubts(hall))
    assert [1] == [one.void for one in table.call.stuck]
    table.do(Amend(entry, {"type": "void"}))
    assert ("playing", ()) == (outcome(hall).state, table.call.stuck)
    out(table, "A")
    table.do(SignOff())
    assert {"E": 1, "A": 2, "B": 3, "C": 4, "D": 5} == placed(hall)


def test_a_game_in_which_somebody_came_after_the_appealed_verdict_is_played_again_as_a_whole(
    hall: Hall, table: TableOfHall
) -> None:
    """What went on after the change is not the game that is played again."""
    entry = judged(table, "ABCDE")
    table.do(Regroup(tuple("BACDE")))
    out(table, "D", "C", "B")
    table.do(SignOff())
    decide(hall, "again", entry)
    assert "waiting" == outcome(hall).state
    table.begin()
    out(table, "A", "B", "C", "D")
    table.do(SignOff())
    assert ("counts", {"E": 1, "D": 2, "C": 3, "B": 4, "A": 5}) == (outcome(hall).state, placed(hall))
