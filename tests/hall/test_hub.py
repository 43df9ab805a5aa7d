"""The hall's own log and commands: what is refused, what can be taken back, what survives a restart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core.errors import BadInput, CompanionError, DeviceError, NotNow
from companion.hall import commands, engine, keys, wire
from companion.hall.commands import AnyHallCommand
from companion.hall.events import Arrangement
from companion.hall.hub import Hall
from companion.hall.roster import Person
from companion.hall.store import HallStore
from companion.table.log_file import NO_HEAD, LogRow, chained
from tests.support.halls import arranged, let_in, take


@pytest.fixture
def store(tmp_path: Path) -> HallStore:
    """Return the folder of a new event."""
    return HallStore(tmp_path)


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
    again = Hall(HallStore(tmp_path))
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
    again = Hall(HallStore(tmp_path)).view
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


def test_an_engine_that_is_too_old_is_refused_with_what_to_do() -> None:
    """Debian's of the year before, too."""
    with pytest.raises(DeviceError, match=r"2\.10\.23 or newer is needed"):
        engine.must_be_new_enough("nats-server: v2.9.10")
    assert (2, 10, 23) == engine.must_be_new_enough("nats-server: v2.10.23")


@pytest.mark.parametrize("address", ["nats://8.8.8.8:4222", "http://127.0.0.1", "nats://", "nats:x"])
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
        payload, headers = wire.packed(row, 0)
        assert row == wire.unpacked(payload, headers)
        assert len(payload) < 250_000
        assert wire.follows(row, NO_HEAD)
        assert not wire.follows(row._replace(evening=2), NO_HEAD)


@pytest.mark.parametrize(
    "headers", [{}, {"Ln-Seq": "x"}, {"Ln-Seq": "1", "Ln-Evening": "1", "Ln-Head": "00"}]
)
def test_a_message_that_no_table_wrote_is_refused(headers: dict[str, str]) -> None:
    """In one sentence, whatever is missing."""
    with pytest.raises(BadInput, match="no row of a table’s log"):
        wire.unpacked(b'{"type":"saved"}', headers)
