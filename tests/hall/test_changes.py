"""What changes while an event goes on: names, tables that are replaced, rounds called too early."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.evening.commands import Play, Redo, Regroup, Start, Undo
from lastnose.companion.evening.events import (
    Amended,
    AnyEvent,
    Finished,
    RoundArmed,
    RoundJudged,
    SignedOff,
    Started,
)
from lastnose.companion.event import commands, events
from lastnose.companion.event.calls import said_of_stuck
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.orders import Order
from lastnose.companion.event.roster import Person
from lastnose.companion.event.standings import placings
from lastnose.companion.event.state import fold, needed
from lastnose.companion.event.table_log import TableLog, call_of
from lastnose.companion.event.tally import Tally
from lastnose.companion.link import keys
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.store import HallStore
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.halls import (
    arranged,
    begun,
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
)


def played(hall: Hall, store: HallStore, member: Membership) -> None:
    """Let *member* play what it is called for: ended by hand and signed off, so all share the first place."""
    call = call_to(hall, member)
    lines = tuple(f"nose.{seat}" for seat in range(1, len(call.players) + 1))
    told = (
        Started(by="hall", at=0, game="pig", players=call.players, options={}, lines=lines, call=call.call),
        Finished(by="host", at=1),
        SignedOff(by="host", at=2, of=len(store.rows(member.table)) + 1),
    )
    take(hall, member, rows(told, known(hall, member)))


def points(hall: Hall) -> dict[int, Fraction]:
    """Return everybody's points."""
    return {line.entrant: line.points for line in hall.view.lines}


def cleared(hall: Hall) -> None:
    """Let everything count that somebody has to look at."""
    for one in hall.view.outcomes:
        if one.state == "doubtful":
            hall.do(commands.Clear(one.round, one.number), "Ann")


def taken_back_call(hall: Hall) -> int:
    """Let a table in, call the round and take that back; return the entry of that call."""
    let_in(hall)
    call_round(hall)
    first = hall.state.seq
    hall.do(commands.TakeBack(first), "Ann")
    return first


def test_who_is_renamed_keeps_their_points(hall: Hall, store: HallStore) -> None:
    """Also who is written with their club because a namesake has come; three share 1/2 each."""
    (member,) = begun(hall, "name,club\nAya,Blue\nNoor,\nTom,", tables=1, final=0)
    played(hall, store, member)
    cleared(hall)
    half = Fraction(1, 2)
    assert {1: half, 2: half, 3: half} == points(hall)
    hall.do(commands.Rewrite(2, Person("Noor Haddad")), "Ann")
    hall.do(commands.AddPerson(Person("Aya", "Red")), "Ann")
    assert "Aya (Blue)" == hall.state.shown(1)
    assert {1: half, 2: half, 3: half, 4: 0} == points(hall)
    assert ["counts"] == [one.state for one in hall.view.outcomes]


def test_who_is_renamed_while_their_table_plays_plays_on_under_the_old_name(
    hall: Hall, store: HallStore
) -> None:
    """The table is not called again, and its result is theirs."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    before = hall.call_for(member.table)
    hall.do(commands.Rewrite(2, Person("Noor Haddad")), "Ann")
    after = hall.call_for(member.table)
    assert (before.call, before.players) == (after.call, after.players)
    played(hall, store, member)
    cleared(hall)
    assert {Fraction(1, 2)} == set(points(hall).values())


def test_the_results_of_a_table_that_was_put_out_stay_when_another_takes_its_number(
    hall: Hall, store: HallStore
) -> None:
    """Table 1 plays round 1 and is put out; the next one gets its number, the first comes back as 2."""
    (first,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    played(hall, store, first)
    cleared(hall)
    before = points(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    assert 1 == let_in(hall).number
    assert before == points(hall)
    again = hall.admit(hall.invite(), first.table, keys.public_key(first.seed))
    assert (2, before) == (again, points(hall))


def test_a_table_that_replaces_another_in_mid_round_is_called_and_its_result_counts(
    hall: Hall, store: HallStore
) -> None:
    """The first has begun the match and is broken; what it still sends later does not count."""
    (broken,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    call = call_to(hall, broken)
    lines = ("nose.1", "nose.2", "nose.3")
    start = Started(
        by="hall", at=0, game="pig", players=call.players, options={}, lines=lines, call=call.call
    )
    take(hall, broken, rows((start,)))
    assert "playing" == hall.view.outcomes[0].state
    hall.do(commands.PutTableOut(1), "Ann")
    fresh = let_in(hall)
    assert 1 == fresh.number
    assert hall.call_for(broken.table) is None
    played(hall, store, fresh)
    cleared(hall)
    assert ("counts", fresh.table) == (
        hall.view.outcomes[0].state,
        getattr(hall.view.outcomes[0].called, "id", None),
    )


def test_a_round_called_too_early_is_taken_back_drawn_again_and_called_again(
    hall: Hall, store: HallStore
) -> None:
    """What its tables have begun, and what was typed, was of the first call and counts for nothing."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    early = hall.state.seq
    first = hall.call_for(member.table)
    played(hall, store, member)
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    hall.do(commands.TakeBack(early), "Ann")
    hall.do(commands.AddPerson(Person("Ewa")), "Ann")
    call_round(hall)
    second = hall.call_for(member.table)
    assert (first.call != second.call, 4) == (True, len(second.players))
    assert ["waiting"] == [one.state for one in hall.view.outcomes]
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        hall.do(commands.Renew(early), "Ann")


def test_no_call_is_lost_that_was_only_taken_back_whatever_was_played_for_it(hall: Hall) -> None:
    """That of a round, and of a game to be played again: the desk says nothing, nor once that is called."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
    play_called(hall, member)
    hall.do(commands.PlayAgain(1, 1, "Tom was away"), "Ann")
    again = hall.state.seq
    play_called(hall, member)
    hall.do(commands.TakeBack(again), "Ann")
    assert [] == todos(hall, "unknown")
    hall.do(commands.TakeBack(hall.state.called[0].seq), "Ann")
    assert ([], []) == (states(hall), todos(hall, "unknown"))
    call_round(hall)
    assert ([(1, 1, "waiting")], []) == (states(hall), todos(hall, "unknown"))


def test_what_was_typed_of_others_than_sit_there_counts_for_nothing_when_an_older_call_holds_again(
    hall: Hall,
) -> None:
    """Tom was left out of the second call, for which it was typed: at the first he would lack a place."""
    arranged(hall, "Aya,Noor,Ewa,Tom", tables=1, final=0)
    first = taken_back_call(hall)
    hall.do(commands.Leave((4,)), "Ann")
    call_round(hall)
    second = hall.state.seq
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    for entry in (second, second - 1, second - 2):
        hall.do(commands.TakeBack(entry), "Ann")
    hall.do(commands.Renew(first), "Ann")
    assert [((1, 2, 3, 4), "waiting", None)] == [
        (tuple(sorted(one.entrants)), one.state, one.result) for one in hall.view.outcomes
    ]


def test_a_removal_does_not_hold_again_once_its_table_was_called(hall: Hall, store: HallStore) -> None:
    """Its result would be gone, and no page could show a round with a table that no machine was."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    member = let_in(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    removed = hall.state.seq
    hall.do(commands.TakeBack(removed), "Ann")
    call_round(hall)
    played(hall, store, member)
    cleared(hall)
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        hall.do(commands.Renew(removed), "Ann")
    assert [(1, 1, "counts")] == states(hall)
    assert [1] == [table.number for table in screen(hall).tables]


def test_a_game_is_not_to_be_played_again_at_a_table_that_an_older_call_does_not_have(
    hall: Hall, store: HallStore
) -> None:
    """The second call had two tables, and at the second a game was to be played again; the first had one."""
    arranged(hall, "A,B,C,D,E,F", tables=1, final=0)
    first = taken_back_call(hall)
    second = let_in(hall)
    arrangement = msgspec.structs.replace(needed(hall.state), tables=2)
    hall.do(commands.Arrange(arrangement), "Ann")
    call_round(hall)
    called = hall.state.seq
    played(hall, store, second)
    hall.do(commands.PlayAgain(1, 2, "a cup fell"), "Ann")
    again = hall.state.seq
    for entry in (again, called, called - 1):
        hall.do(commands.TakeBack(entry), "Ann")
    hall.do(commands.Renew(first), "Ann")
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        hall.do(commands.Renew(again), "Ann")


@pytest.mark.parametrize("entry", ["people", "draw", "put out"])
def test_what_later_entries_rest_on_is_not_taken_back(hall: Hall, store: HallStore, entry: str) -> None:
    """People who sit at a table, the draw that was called, the number that another table has now."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    seqs = {"people": hall.state.seq}
    let_in(hall)
    hall.do(commands.PutTableOut(1), "Ann")
    seqs["put out"] = hall.state.seq
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    seqs["draw"] = hall.state.seq
    hall.do(commands.CallRound(), "Ann")
    before = hall.state
    with pytest.raises(NotNow, match="Later entries rest on this one: take those back first"):
        hall.do(commands.TakeBack(seqs[entry]), "Ann")
    assert before == hall.state
    assert len(list(store.own())) == before.seq


def test_a_round_is_played_as_the_game_for_which_it_was_called(hall: Hall) -> None:
    """Another game is set up for what comes: round 1, decided to be played again, stays Pig with its word."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0, options={"word": "OI"})
    before = hall.call_for(member.table)
    found = rows(judged_game(before.players, before.call, 0)) if before is not None else []
    take(hall, member, found)
    hall.do(commands.Clear(1, 1), "Ann")
    other = msgspec.structs.replace(hall.state.arrangement, game="score-pad", options={})
    hall.do(commands.Arrange(other), "Ann")
    decide(hall, "again")
    again = hall.call_for(member.table)
    assert ("pig", {"winners": 1, "word": "OI"}) == (again.game, again.options)
    assert before.call != again.call
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    call_round(hall)
    after = call_to(hall, member)
    assert ("score-pad", {}) == (after.game, after.options)


def test_a_deal_that_an_appeal_takes_out_counts_no_more_and_the_table_is_told_until_its_host_does_it(
    hall: Hall, store: HallStore
) -> None:
    """The decision taken back, the result counts as before; decided again it waits for the table."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    call = call_to(hall, member)
    found = rows(judged_game(call.players, call.call, 0))
    take(hall, member, found)
    hall.do(commands.Clear(1, 1), "Ann")
    said = "Round 1 of its game does not count, by an appeal: its host has to take it out."
    for decision, state in (("void", "doubtful"), ("stands", "counts"), ("void", "doubtful")):
        decide(hall, decision)
        assert (state, decision == "void") == (
            hall.view.outcomes[0].state,
            said in map(str, hall.view.outcomes[0].doubts),
        )
        told = call_to(hall, member)
        assert [1] * (decision == "void") == [one.void for one in told.stuck]
        if decision == "void":
            assert "Take it out in the history" in str(said_of_stuck(told.stuck[0]))
            assert (state, said) == (Hall(store).view.outcomes[0].state, str(hall.view.outcomes[0].doubts[0]))
            hall.do(commands.TakeBack(hall.state.seq), "Ann")
            assert "counts" == hall.view.outcomes[0].state
            hall.do(commands.Decide(hall.state.seq - 2, decision, "The strip says so."), "Ann")
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    settled = call_to(hall, member)
    assert ("typed", ()) == (hall.view.outcomes[0].state, settled.stuck)
    hall.do(commands.TypeResult(1, 1, (), ""), "Ann")
    out = (Amended(by="host", at=9, of=3, move={"type": "void"}), SignedOff(by="host", at=10, of=1))
    take(hall, member, rows(out, (found[-1].seq, found[-1].head)))
    assert said not in map(str, hall.view.outcomes[0].doubts)
    after = call_to(hall, member)
    assert () == after.stuck


def test_a_round_of_an_older_log_is_played_as_what_was_arranged_when_it_was_called(hall: Hall) -> None:
    """There no call names its game; what was set up then is not taken back any more."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    let_in(hall)
    hall.do(commands.Arrange(Arrangement("Hog Cup", game="hog", tables=1, final=0)), "Ann")
    settled = hall.state.seq
    call_round(hall)
    hall.do(commands.Arrange(Arrangement("Pig Cup", tables=1, final=0)), "Ann")
    older = [
        (seq, msgspec.structs.replace(one, game="") if isinstance(one, events.Called) else one)
        for seq, one in hall.own()
    ]
    state = fold(older)
    assert ["hog"] == [one.game for one in state.called]
    order = Order("Ann", 1.0, state, hall.view, {}, lambda: older, Random(1))
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        order.event_of(commands.TakeBack(settled))


def test_it_counts_holds_for_the_result_that_was_looked_at(hall: Hall, store: HallStore) -> None:
    """The third was last, without a zero test: looked at. Then the table says that it was the first."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0)
    call = call_to(hall, member)
    found = rows(judged_game(call.players, call.call, 0))
    take(hall, member, found)
    hall.do(commands.Clear(1, 1), "Ann")
    assert "counts" == hall.view.outcomes[0].state
    first = Amended(by="host", at=9, of=3, move={"type": "last", "seats": [1]})
    take(hall, member, rows((first,), (found[-1].seq, found[-1].head)))
    assert "doubtful" == hall.view.outcomes[0].state
    assert "Who was last was corrected by hand." in map(str, hall.view.outcomes[0].doubts)
    hall.do(commands.Clear(1, 1), "Ann")
    assert "counts" == hall.view.outcomes[0].state
    assert Hall(store).view.outcomes[0].state == "counts"
    older = [
        (seq, msgspec.structs.replace(one, found=(), doubts=()) if isinstance(one, events.Cleared) else one)
        for seq, one in hall.own()
    ][:-1]
    tally = Tally()
    tally.take(hall.logs[member.table])
    assert ["counts"] == [one.state for one in tally.outcomes(fold(older))], "an older log"


def test_who_was_on_the_list_and_came_late_gets_the_mean_like_who_was_added_late(hall: Hall) -> None:
    """Two rounds missed, the third won: with the mean of their own that is 1 + 2 × 1 points."""
    arranged(hall, "A,B,C,D,E", tables=1, most=7, final=0, rounds=3, late="mean")
    let_in(hall)
    hall.do(commands.Leave((5,)), "Ann")
    for number in (1, 2):
        call_round(hall)
        hall.do(commands.TypeResult(number, 1, ((1,), (2,), (3,), (4,)), "paper"), "Ann")
    hall.do(commands.Leave((1,)), "Ann")
    hall.do(commands.Return((1, 5)), "Ann")
    assert {1: 1, 5: 3} == {one: hall.state.from_round[one] for one in (1, 5)}
    call_round(hall)
    hall.do(commands.TypeResult(3, 1, ((5,), (1,), (2,), (3,), (4,)), "paper"), "Ann")
    assert 3 == points(hall)[5]
    assert Fraction(11, 4) == points(hall)[1], "1 + 1 + 3/4: nothing was missed"


def test_who_comes_after_a_final_has_missed_the_heats_and_not_the_final(hall: Hall) -> None:
    """Two heats, a final, a third heat that the late one wins: 1 + 2 × 1 points."""
    arranged(hall, "A,B,C,D", tables=1, most=7, final=3, rounds=2, late="mean")
    let_in(hall)
    for number in (1, 2):
        call_round(hall)
        hall.do(commands.TypeResult(number, 1, ((1,), (2,), (3,), (4,)), "paper"), "Ann")
    call_round(hall)
    assert "final" == hall.state.called[-1].kind
    hall.do(commands.TypeResult(3, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    hall.do(commands.AddPeople("Late"), "Ann")
    hall.do(commands.Arrange(msgspec.structs.replace(needed(hall.state), rounds=3)), "Ann")
    call_round(hall)
    assert "heat" == hall.state.called[-1].kind
    hall.do(commands.TypeResult(4, 1, ((5,), (1,), (2,), (3,), (4,)), "paper"), "Ann")
    assert 3 == points(hall)[5]


@pytest.mark.parametrize(("format_", "rounds"), [("knock-out", 2), ("mixed", 1), ("mixed", 2)])
def test_the_desk_says_who_came_too_late_to_play(hall: Hall, format_: str, rounds: int) -> None:
    """After the first round of a knock-out, or after the last before the final."""
    begun(hall, "A,B,C,D,E,F", format=format_, rounds=rounds, final=3)
    hall.do(commands.AddPeople("Late"), "Ann")
    shown = {one.name: one.from_round for one in screen(hall).people}
    assert ((2 if (format_, rounds) == ("mixed", 2) else 0), 1) == (shown["Late"], shown["A"])


def test_the_set_up_is_not_taken_back_under_a_round(hall: Hall) -> None:
    """Its tables would be called to nothing."""
    begun(hall, "A,B,C", tables=1, final=0)
    with pytest.raises(NotNow, match="Later entries rest on this one"):
        hall.do(commands.TakeBack(1), "Ann")


def test_people_who_are_taken_back_and_renewed_lose_their_numbers_to_nobody(
    hall: Hall, store: HallStore
) -> None:
    """Three and then three more; while those are taken back two others come, as 7 and 8."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    hall.do(commands.AddPeople("Ewa,Kofi,Siti"), "Ann")
    joined = hall.state.seq
    hall.do(commands.TakeBack(joined), "Ann")
    hall.do(commands.AddPeople("Ines,Dima"), "Ann")
    hall.do(commands.Renew(joined), "Ann")
    everybody = ["Aya", "Noor", "Tom", "Ewa", "Kofi", "Siti", "Ines", "Dima"]
    assert dict(enumerate(everybody, 1)) == {n: one.name for n, one in hall.state.people.items()}
    assert set(range(1, 9)) == hall.state.there
    hall.do(commands.TakeBack(joined + 2), "Ann")
    assert Hall(store).state == hall.state
    hall.do(commands.AddPerson(Person("Lea")), "Ann")
    assert "Lea" == hall.state.people[9].name


@pytest.mark.parametrize("back", [False, True], ids=["renewed", "taken-back"])
def test_nobody_is_on_the_list_twice_by_an_entry_that_holds_again_or_is_taken_back(
    hall: Hall, *, back: bool
) -> None:
    """Aya was added once more since, or has been written Ewa by mistake and was added once more since."""
    arranged(hall, "Aya,Noor,Tom")
    entry = hall.state.seq
    if back:
        hall.do(commands.Rewrite(1, Person("Ewa")), "Ann")
        entry = hall.state.seq
    else:
        hall.do(commands.TakeBack(entry), "Ann")
    hall.do(commands.AddPerson(Person("Aya")), "Ann")
    before = hall.state
    with pytest.raises(BadInput, match=r"^Aya is there already: two people of one name need two clubs\.$"):
        hall.do(commands.TakeBack(entry) if back else commands.Renew(entry), "Ann")
    assert before is hall.state


def test_who_was_on_an_older_list_twice_keeps_nobody_from_taking_anything_back(
    hall: Hall, store: HallStore
) -> None:
    """Two Ayas of one club, as a hub let them come once; that an announcement is taken back is none of it."""
    arranged(hall, "Aya,Noor,Tom")
    store.append(3, events.PeopleJoined(by="Ann", at=0, first=4, people=(Person("Aya"),)))
    older = Hall(store)
    older.do(commands.Announce("Pizza"), "Ann")
    older.do(commands.TakeBack(4), "Ann")
    assert ("", 4) == (older.state.said, len(older.state.people))


def test_a_table_that_sends_nonsense_ends_nobody_elses_evening(hall: Hall, store: HallStore) -> None:
    """Its rows are kept as they are, the hall says so, now and after a restart."""
    arranged(hall, "Aya,Noor,Tom", tables=1, final=0)
    member = let_in(hall)
    found, head = [], NO_HEAD
    for n, raw in enumerate(
        (
            b'{"type":"armed","by":"x","at":0}',
            b'{"type":"undone","by":"x","at":0,"of":99}',
            b'{"type":"started","by":"x","at":0,"game":"pig","players":[],"options":{},"lines":[]}',
            b'{"type":"played","by":"x","at":0,"move":{"type":"zap"}}',
            b'{"type":"whatever"}',
        ),
        1,
    ):
        head = chained(head, n, 1, raw)
        found.append(LogRow(n, 1, "x", raw, head))
    take(hall, member, found)
    assert 5 == hall.view.have[member.table]
    assert "cannot be read" in hall.view.seen[member.table].trouble
    again = Hall(store)
    assert 5 == again.view.have[member.table]
    assert "cannot be read" in again.view.seen[member.table].trouble


def test_the_hall_follows_a_match_to_whoever_came_and_back() -> None:
    """D comes in the middle of the call: the match goes on; taken back, the one before counts again."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3", "nose.4"), simulated=True, wall_s=lambda: 1.0)
    table.execute(Start("pig", ("A", "B", "C"), {}, call=call_of("abcdefgh", 5)), "hall")
    table.execute(Play({"type": "false-opener", "seat": 1}), "host")
    seen = []
    for wish in (Regroup(("A", "B", "C", "D")), Undo(None), Redo(None)):
        table.execute(wish, "host")
        log = TableLog("t")
        for seq, event in table.record.store.events():
            log = log.plus("abcdefgh", seq, 1, event)
        called = log.played[5][-1]
        seen.append((called.match.started.players, called.finished))
    four, three = (("A", "B", "C", "D"), False), (("A", "B", "C"), False)
    assert [four, three, four] == seen


def test_a_correction_of_a_match_before_the_last_two_reaches_the_hall() -> None:
    """Three matches for three calls; in the first, long over, the round is taken out of the count."""
    names, lines = ("A", "B", "C"), ("nose.1", "nose.2", "nose.3")
    log = TableLog("t")
    n = 0

    def tell(*found: AnyEvent) -> None:
        nonlocal log, n
        for event in found:
            n += 1
            log = log.plus("abcdefgh", n, 1, event)

    for call in (5, 6, 7):
        tell(
            Started(
                by="hall",
                at=0,
                game="pig",
                players=names,
                options={},
                lines=lines,
                call=call_of("abcdefgh", call),
            ),
            RoundArmed(by="box", at=0, t_ns=0, seats=(1, 2, 3)),
            RoundJudged(
                by="box", at=0, verdict=Verdict(order=(1, 2, 3), last=(3,)), confirm_ns=1, lockout_ns=2
            ),
            Finished(by="host", at=0),
        )
    assert [0, 0, 1] == [one.letters for one in placings(log.played[5][-1].match) or ()]
    tell(Amended(by="host", at=0, of=3, move={"type": "void", "reason": "misdeal"}))
    assert [0, 0, 0] == [one.letters for one in placings(log.played[5][-1].match) or ()]
