"""Photo finishes on the hall's screens and certificates: only of verdicts that count as they were judged."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from lastnose.companion.evening.commands import Amend, Redo, SignOff, Undo
from lastnose.companion.event import commands, pictures
from lastnose.companion.event.pictures import decisive
from lastnose.companion.link.hub import Hall

from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, decide, screen


@pytest.fixture
def tables(hall: Hall) -> tuple[TableOfHall, TableOfHall]:
    """Return two tables of three, each with one verdict: closer at the first, later at the second."""
    arranged(hall, "A,B,C,D,E,F", tables=2, rounds=1, final=0)
    first, second = TableOfHall(hall), TableOfHall(hall)
    call_round(hall)
    for table, apart_ms in ((first, 5), (second, 9)):
        table.begin()
        table.judged(1, 2, 3, apart_ms=apart_ms)
    return first, second


def shown(hall: Hall) -> tuple[str, int]:
    """Return the closest, and which table has the newest."""
    seen = screen(hall)
    return str(seen.closest).partition("ms")[0], 0 if seen.newest is None else seen.newest.number


@pytest.mark.parametrize("move", [{"type": "void"}, {"type": "last", "seats": [2]}], ids=["void", "last"])
def test_a_verdict_that_its_host_corrects_is_forgotten_and_comes_back_with_the_correction_taken_back(
    hall: Hall, tables: tuple[TableOfHall, TableOfHall], move: dict[str, object]
) -> None:
    """Nobody was last by so little any more."""
    first, second = tables
    before = ("Closest so far, table 1: 5.000 ", 1)
    assert before == shown(hall)
    first.do(Amend(3, move))
    assert ("Closest so far, table 2: 9.000 ", 2) == shown(hall)
    first.do(Undo(first.table.record.evening.seq))
    assert before == shown(hall)
    second.do(Undo(3))
    first.do(Undo(3))
    assert ("None", 0) == shown(hall)
    first.do(Redo(3))
    assert before == shown(hall)


def test_a_verdict_that_an_appeal_takes_out_is_forgotten_before_its_host_does_it(
    hall: Hall, tables: tuple[TableOfHall, TableOfHall]
) -> None:
    """From the decision on; what else the table had stays, and taken back, it is shown as before."""
    first, _ = tables
    first.judged(1, 2, 3, apart_ms=7)
    before = shown(hall)
    decide(hall, "void")
    assert "Closest so far, table 1: 7.000 " == shown(hall)[0]
    hall.do(commands.TakeBack(hall.state.seq), "Ann")
    assert before == shown(hall)


def play(hall: Hall, table: TableOfHall) -> None:
    """Play the round that is called, of three who need one letter, to its end."""
    table.begin()
    table.judged(1, 2, 3)
    table.judged(1, 2)
    table.do(SignOff())
    if "doubtful" in {one.state for one in hall.view.outcomes}:
        hall.do(commands.Clear(hall.state.now.number, 1), "Ann")


@pytest.fixture
def final(hall: Hall) -> TableOfHall:
    """Return the only table, at which a heat and the final have been played."""
    arranged(hall, "A,B,C", tables=1, rounds=1, final=3, options={"word": "P"}, final_options={"word": "P"})
    table = TableOfHall(hall)
    for _ in range(2):
        call_round(hall)
        play(hall, table)
    return table


def test_the_certificate_shows_the_verdict_that_ended_the_final_that_decides(
    hall: Hall, final: TableOfHall
) -> None:
    """One more heat is set up: the final of before decides nothing any more, nor when the second is typed."""
    found = decisive(hall.view)
    assert (2, "over") == (found.round, hall.view.step.kind)
    hall.do(commands.Arrange(msgspec.structs.replace(hall.state.arrangement, rounds=2)), "Ann")
    call_round(hall)
    assert decisive(hall.view) is None
    play(hall, final)
    call_round(hall)
    assert ("final", None) == (hall.state.rounds[-1].kind, decisive(hall.view))
    places = tuple((one,) for one in hall.state.rounds[-1].seats[0])
    hall.do(commands.TypeResult(4, 1, places, "from paper"), "Ann")
    assert ("over", None) == (hall.view.step.kind, decisive(hall.view))
    hall.do(commands.TypeResult(4, 1, (), ""), "Ann")
    play(hall, final)
    found = decisive(hall.view)
    assert 4 == found.round


def test_the_certificate_shows_no_earlier_verdict_where_the_last_was_corrected_by_hand(
    hall: Hall, final: TableOfHall
) -> None:
    """It would stand there as the one that ended the final."""
    newest = final.table.record.evening.matches[-1].entries[-1].seq
    final.do(Amend(newest, {"type": "last", "seats": [1]}))
    assert decisive(hall.view) is None


@pytest.mark.parametrize(
    ("ats", "after_s"),
    [
        ((110, 117), 17),
        ((110, 90, 95), 15),  # set back by a clock that is right again
        ((110, 110.5), 10.5),
        ((3700,), 3600),
        ((3701,), 0),
        ((110, 9000, 9004), 14),
    ],
)
def test_a_table_has_played_for_as_long_as_its_clock_went_without_being_set(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, ats: tuple[float, ...], after_s: float
) -> None:
    """From its beginning at 100 to the newest verdict that is sure, in two parts; what was not counts too."""
    entries = [SimpleNamespace(at=at, seq=seq) for seq, at in enumerate(ats, 1)]
    unsure = SimpleNamespace(at=ats[-1] + 5, seq=9)
    parts = [SimpleNamespace(started=SimpleNamespace(at=at), entries=[]) for at in (100, 200)]
    parts[0].entries, parts[1].entries = entries[:1], [*entries[1:], unsure]
    monkeypatch.setattr(pictures, "is_sure", lambda entry: entry.seq in (len(ats), 1))
    found = pictures._newest(hall.state, SimpleNamespace(called=SimpleNamespace(parts=parts, call=1, id="a")))
    assert (len(ats), after_s) == (found.newest.seq, found.after_s)


def test_the_hall_shows_as_last_whom_the_table_itself_does(
    hall: Hall, tables: tuple[TableOfHall, TableOfHall]
) -> None:
    """Whoever has the letter; in a dead heat nobody, and so as long as a round is void."""
    first, _ = tables

    def red() -> list[int]:
        table = next(one for one in screen(hall).tables if one.number == 1)
        return [place for place, seat in enumerate(table.seats, 1) if seat.last]

    assert [3] == red()
    first.do(Amend(3, {"type": "last", "seats": [2]}))
    assert [2] == red()
    first.do(Amend(3, {"type": "void"}))
    assert [] == red()
    first.judged(1, 2, 3, apart_ms=0)
    assert [] == red()
