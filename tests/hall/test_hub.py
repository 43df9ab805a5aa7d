"""The hall's own log and commands: what is refused, what can be taken back, what survives a restart."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, CompanionError, DeviceError, NotNow, StoreError
from lastnose.companion.evening.authors import WATCHER
from lastnose.companion.evening.events import SignedOff, Undone
from lastnose.companion.event import commands, formats
from lastnose.companion.event.commands import AnyHallCommand
from lastnose.companion.event.events import Arrangement, CameBack
from lastnose.companion.event.messages import HallCall, Presence
from lastnose.companion.event.roster import Person
from lastnose.companion.event.screen import Screens
from lastnose.companion.event.seating import _Plan
from lastnose.companion.event.state import needed
from lastnose.companion.link import engine, keys, wire
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.service import REST_S, HallService
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained
from msgspec.structs import replace

from tests.support.halls import (
    arranged,
    begun,
    call_round,
    judged_game,
    known,
    let_in,
    rows,
    screen,
    seated,
    take,
)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (commands.Arrange(Arrangement(name=" ")), "Give the event a name."),
        (commands.Arrange(Arrangement(name="x", game="whist")), "There is no game"),
        (commands.Arrange(Arrangement(name="x", most=2)), "Pig is played by 3 to 26 at a table."),
        (commands.Arrange(Arrangement(name="x", format="lottery")), "There is no format “lottery”."),
        (commands.Arrange(Arrangement(name="x", rounds=0)), "1 to 30 rounds"),
        (commands.Arrange(Arrangement(name="x", late="never")), "A missed round counts"),
        (commands.Leave((1,)), "No event is set up yet"),
        (commands.Draw(), "No event is set up yet"),
        (commands.Pause(), "Something has just changed"),
        (commands.Clear(1, 1), "Round 1: table 1 does not play."),
        (commands.PutTableOut(1), "There is no table 1 in this hall."),
        (commands.Decide(1, "stands", "so"), "Something has just changed"),
        (commands.TakeBack(1), "There is no entry 1 in the log."),
        (commands.AddPeople("?!"), "“?!” is not a name"),
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


def test_only_who_is_there_leaves_and_only_who_has_left_comes_back(hall: Hall) -> None:
    """Of several, those are named to whom it applies; of nobody it is refused, and nothing is written."""
    arranged(hall, "A,B,C")
    hall.do(commands.Leave((2,)), "Ann")
    seq = hall.state.seq
    for command in (commands.Leave((2,)), commands.Return((1, 3))):
        with pytest.raises(NotNow, match="Something has just changed"):
            hall.do(command, "Ann")
    assert seq == hall.state.seq
    hall.do(commands.Return((1, 2, 3)), "Ann")
    newest = dict(hall.own())[hall.state.seq]
    assert isinstance(newest, CameBack) and (2,) == newest.entrants


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
    """Rounds drawn before they came are drawn again, those called stay."""
    begun(hall, "A,B,C,D,E,F", rounds=3)
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
    begun(hall, "A,B,C", tables=1, final=0, rounds=1)
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
    take(hall, member, [LogRow(1, 1, "of-another-year", raw, chained(NO_HEAD, 1, 1, raw))])
    says = str(hall.view.seen[member.table].refused)
    assert "Entry 1 cannot be read (type cannot be 'of-another-year')." == says
    store.close()
    with closing(HallStore(tmp_path)) as kept:
        again = Hall(kept).view
    assert (says, 1) == (str(again.seen[member.table].refused), again.have[member.table])


def test_the_desk_says_why_a_table_does_not_begin_its_game_until_it_has(hall: Hall) -> None:
    """As the table says it; the others of the round are not spoken of."""
    one, other = begun(hall, "A,B,C,D,E,F", rounds=1, final=0)

    def idle() -> list[tuple[int, str]]:
        hall.tick()
        todos = screen(hall).todos
        return [(todo.number, str(todo.says)) for todo in todos if todo.kind == "idle"]

    hall.heard(one.table, Presence(n=0, cannot="There are 2 noses for 3 players."))
    hall.heard(other.table, Presence(n=0))
    assert [(1, "There are 2 noses for 3 players.")] == idle()
    hall.heard(one.table, Presence(n=0))
    assert [] == idle()


def test_a_folder_in_which_a_hall_runs_is_refused_by_the_option_that_a_hall_has(store: HallStore) -> None:
    """In a hall as at a table."""
    with pytest.raises(StoreError, match=r"Another lastnose uses .* a folder with --data"):
        HallStore(store.path.parent)


def test_an_engine_that_is_too_old_is_refused_with_what_to_do() -> None:
    """Debian's of the year before, too."""
    with pytest.raises(DeviceError, match=r"needs nats-server 2\.10\.23 or newer"):
        engine.must_be_new_enough("nats-server: v2.9.10")
    assert (2, 10, 23) == engine.must_be_new_enough("nats-server: v2.10.23")


def test_a_message_server_that_ends_with_an_error_is_not_called_too_old(tmp_path: Path) -> None:
    """It lacks a library, or is for another machine: its own words say more than what to install."""
    server = tmp_path / "nats-server"
    server.write_text("#!/bin/sh\nexit 3\n")
    server.chmod(0o755)
    with pytest.raises(DeviceError, match=r"cannot be run .*status 3"):
        engine.check_version(server)


@pytest.mark.parametrize(
    "address", ["nats://8.8.8.8:4222", "http://127.0.0.1", "nats://", "nats:x", "nats://127.0.0.1:99999"]
)
def test_plain_nats_does_not_leave_the_house(address: str) -> None:
    """TLS may."""
    with pytest.raises(BadInput):
        engine.must_be_safe(address)
    engine.must_be_safe("nats://192.168.1.5:4222")
    engine.must_be_safe("tls://8.8.8.8:4222")


def test_a_server_of_our_own_keeps_what_it_says_it_has_and_writes_8_mb_of_log_at_most(tmp_path: Path) -> None:
    """All of it beside the stream; TLS where there is a certificate."""
    key, pair = keys.public_key(keys.make_seed()), (tmp_path / "pem", tmp_path / "key")
    for tls in (None, pair):
        written = engine.configuration("cup", key, {}, store=tmp_path / "s", host="h", port=7, tls=tls)
        made = msgspec.json.decode(written)
        assert 8_000_000 == made["logfile_size_limit"] * made["logfile_max_num"]
        assert {"store_dir": str(tmp_path / "s"), "sync_interval": "always"} == made["jetstream"]
        files = {tmp_path / "nats.pid", tmp_path / "nats.log"}
        assert ("h:7", files) == (made["listen"], {Path(made[one]) for one in ("pid_file", "log_file")})
        assert made.get("tls") == (tls and {"cert_file": str(pair[0]), "key_file": str(pair[1])})


def test_a_slip_in_a_key_is_noticed() -> None:
    """In its public half, and in the seed."""
    seed = keys.make_seed()
    public = keys.public_key(seed)
    assert (58, 56, True) == (len(seed), len(public), keys.is_public_key(public))
    wrong = public[:-1] + ("A" if public[-1] != "A" else "B")
    assert not keys.is_public_key(wrong)
    with pytest.raises(BadInput, match="join the hall again"):
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
    with pytest.raises(BadInput, match="not a row of a table’s log"):
        wire.unpacked(payload[:-1], headers)


def test_a_message_has_rows_of_one_evening_and_no_more_than_a_server_takes() -> None:
    """450 rows of one evening and one of the next are 200, 200, 50 and 1; 200 kB go in one."""

    def row(seq: int, evening: int, size: int) -> LogRow:
        return LogRow(seq, evening, "saved", b"x" * size, NO_HEAD)

    many = [*(row(n, 1, 10) for n in range(1, 451)), row(451, 2, 10)]
    assert [200, 200, 50, 1] == [len(one) for one in wire.parcels(many)]
    for sizes, together in (((150_000,) * 2, [1, 1]), ((100_000,) * 3, [2, 1]), ((1, 200_000), [1, 1])):
        found = [row(n, 1, size) for n, size in enumerate(sizes, 1)]
        assert together == [len(one) for one in wire.parcels(found)]


RAW = b'{"type":"saved"}'
SENT = {wire.SEQ: "2", wire.EVENING: "1", wire.HEAD: "00" * 32, wire.SIZES: "16 16"}
MANY_SENT = {**SENT, wire.SEQ: "201"}


@pytest.mark.parametrize(
    ("headers", "rows"),
    [
        *(({name: said for name, said in SENT.items() if name != gone}, 2) for gone in SENT),
        *(({**SENT, wire.SEQ: wrong}, 2) for wrong in ("x", "", "1", "-2", str(2**62))),
        *(({**SENT, wire.EVENING: wrong}, 2) for wrong in ("x", "0", "-1", str(2**62))),
        *(({**SENT, wire.HEAD: wrong}, 2) for wrong in ("x", "", "00" * 31, "00" * 33)),
        *(({**SENT, wire.SIZES: wrong}, 2) for wrong in ("", "x", "16 15", "16 17", "15 17")),
        *(({**SENT, wire.SIZES: wrong}, 2) for wrong in ("0 16 16", "16 16 0", "33 -1", "48 -16")),
        ({**SENT, wire.SIZES: ""}, 0),
        ({**MANY_SENT, wire.SIZES: "16 " * 201}, 201),
        ({**SENT, wire.PACKED: "zlib"}, 2),
    ],
)
def test_a_message_that_no_table_wrote_is_refused(headers: dict[str, str], rows: int) -> None:
    """In one sentence, whatever is missing, or more or less than any table has."""
    with pytest.raises(BadInput, match="not a row of a table’s log"):
        wire.unpacked(RAW * rows, headers)


@pytest.mark.parametrize(
    ("headers", "rows", "evenings"),
    [
        (SENT, 2, 1),
        ({**SENT, wire.SEQ: str(2**62 - 1), wire.EVENING: str(2**62 - 1)}, 2, 1),
        ({**SENT, wire.EVENING: "0"}, 2, 0),
        ({**MANY_SENT, wire.SIZES: "16 " * 200}, 200, 1),
    ],
)
def test_as_many_and_as_late_rows_as_there_can_be_come_out_of_a_message(
    headers: dict[str, str], rows: int, evenings: int
) -> None:
    """The numbers are those of the newest of them."""
    found = wire.unpacked(RAW * rows, headers, evenings)
    assert (int(headers[wire.SEQ]), int(headers[wire.EVENING])) == (found.seq, found.evening)
    assert (RAW,) * rows == found.raws


def test_a_draw_is_made_beside_the_lock_with_its_progress(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile tables are heard, a second draw is refused, and one for other rounds does not count."""
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
        with pytest.raises(NotNow, match="Something has just changed"):
            hall.do(commands.Draw(), "Ben")
        meanwhile[0]()
        return drawn(*given, **more)

    monkeypatch.setattr(formats, "draw_heats", slow)
    hall.do(commands.Draw(), "Ann")
    assert "Drawing: 25 %" in said
    assert (3, "Call: Round 1") == (len(hall.state.rounds), str(hall.view.step.says))
    other_rounds = replace(needed(hall.state), rounds=2)
    meanwhile[0] = lambda: hall.do(commands.Arrange(other_rounds), "Ben")
    with pytest.raises(NotNow, match="Something has just changed"):
        hall.do(commands.Draw(), "Ann")
    assert 3 == len(hall.state.rounds)


def test_who_comes_or_goes_while_a_draw_is_made_is_drawn_in_or_out_and_the_draw_is_not_lost(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twelve at three tables one goes and two come: all thirteen sit, and the round can be called.

    Who is written as of one family meanwhile does not sit together; all others keep their tables.
    """
    arranged(hall, ",".join(f"P{n}" for n in range(1, 13)), tables=3, rounds=3)
    for _ in range(3):
        let_in(hall)
    drawn, plans = formats.draw_heats, []

    def slow(*given: Any, **more: Any) -> Any:
        plans.append(made := drawn(*given, **more))
        one, other = made[0][0][:2]
        hall.do(commands.AddPerson(Person("Late")), WATCHER)
        hall.do(commands.Leave((made[0][1][0],)), "Ben")
        hall.do(commands.AddPerson(Person("Later")), WATCHER)
        for who in (one, other):
            hall.do(commands.Rewrite(who, Person(f"P{who}", family="Oak")), "Ben")
        return made

    monkeypatch.setattr(formats, "draw_heats", slow)
    hall.do(commands.Draw(), "Ann")
    assert (1, "Call: Round 1") == (len(plans), str(hall.view.step.says))
    for one, before in zip(hall.state.rounds, plans[0], strict=True):
        assert one.entrants == hall.state.there
        assert [4, 4, 5] == sorted(map(len, one.seats))
        family = {n for n, person in hall.state.people.items() if person.family}
        assert 2 == sum(not family.isdisjoint(table) for table in one.seats)
        kept = sum(len(set(table) & set(was)) for table, was in zip(one.seats, before, strict=True))
        assert kept >= 9
    call_round(hall)


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
    (shown,) = screen(hall).tables
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


def test_a_table_is_told_its_call_until_it_knows_it_and_nobody_else_is_told_any(
    hall: Hall, store: HallStore, tmp_path: Path
) -> None:
    """Nor is anybody while there is no server."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0)
    service = HallService(tmp_path, store, hall, address="nats://127.0.0.1:4222")
    link, call = AsyncMock(), hall.call_for(member.table)
    assert call is not None
    for nc, table, presence in (
        (None, member.table, Presence(1)),
        (link, "nobody", Presence(1)),
        (link, member.table, Presence(1, heard=call.mark)),
        (link, member.table, Presence(1, heard="another")),
    ):
        service._nc = nc
        asyncio.run(service._tell(table, presence))
    link.publish.assert_called_once()
    subject, payload = link.publish.call_args.args
    told = msgspec.json.decode(payload, type=HallCall)
    assert (engine.call_subject(hall.event, member.table), call.mark) == (subject, told.mark)


def test_a_called_table_shows_who_is_here_until_its_first_deal_and_who_keeps_the_others_waiting(
    hall: Hall,
) -> None:
    """Its game has begun in the log as soon as it is called; the desk needs who sits there."""
    members = begun(hall, "A,B,C,D,E,F,G,H,I", tables=3, final=0)
    for member in members:
        names, call = seated(hall, member.number)
        take(hall, member, rows(judged_game(names, call, 0)[:1]))

    def shown(*here: int, phase: str = "ready") -> tuple[str, list[bool]]:
        hall.heard(members[0].table, Presence(n=1, here=here, phase=phase))
        hall.tick()
        table = screen(hall).tables[0]
        return table.state, [seat.here for seat in table.seats]

    assert ("waiting", [True, False, False]) == shown(1)
    assert ("waiting", [True, True, False]) == shown(1, 2, phase="blocked")
    assert ("playing", [True, True, False]) == shown(1, 2, phase="armed"), "its host began without the third"
    for member in members[1:]:
        hall.heard(member.table, Presence(n=1, here=(1, 2, 3), phase="armed"))
    hall.tick()
    shown(1)
    todos = screen(hall).todos
    assert [(1, "Slow: its game has not begun.")] == [(one.number, str(one.says)) for one in todos]


def test_a_table_that_was_let_in_and_never_came_is_not_said_to_play_on(store: HallStore) -> None:
    """It may run since before it was let in; one that was heard once is only away."""
    now_s = 0.0
    hall = Hall(store, random=Random(1), now_s=lambda: now_s)
    never, once = let_in(hall), let_in(hall)
    hall.heard(once.table, Presence(n=0))
    now_s = 60.0
    hall.tick()
    said = {one.number: str(one.says) for one in screen(hall).todos}
    assert {
        never.number: "It was let in, and has not come yet.",
        once.number: "Its link is down. It plays on.",
    } == said


def test_no_table_is_missed_before_it_has_had_the_time_to_be_heard(tmp_path: Path) -> None:
    """A hub is begun again: its three tables speak every few seconds, and after twelve one is missing.

    Also at a desk that has been looking since it began.
    """
    screens = Screens()
    with closing(HallStore(tmp_path)) as store:
        tables = [let_in(Hall(store)).table for _ in range(3)]
        now_s = 100.0
        again = Hall(store, now_s=lambda: now_s)

        def missed() -> list[tuple[int, str]]:
            again.look_at_tables()
            again.tick()
            return [(one.number, str(one.says)) for one in screens.screen(again.view, again.logs).todos]

        assert [] == missed()
        for one in tables[:2]:
            again.heard(one, Presence(n=0))
        now_s = 111.0
        for one in tables[:2]:
            again.heard(one, Presence(n=0))
        assert [] == missed()
        now_s = 112.5
        assert [(3, "It was let in, and has not come yet.")] == missed()
        again.heard(tables[2], Presence(n=0))
        now_s = 130.0
        assert [(0, "Tables 1, 2, 3 have no link. They play on. Look at the network first.")] == missed()


def test_results_that_wait_for_a_signature_are_not_tables_that_still_play(hall: Hall) -> None:
    """One of two tables is at its end, then both."""
    members = begun(hall, "A,B,C,D,E,F", final=0)
    said = []
    for member in members:
        names, call = seated(hall, member.number)
        take(hall, member, rows(judged_game(names, call, 0)[:4]))
        said.append(str(screen(hall).headline))
    assert [
        "Round 1: 1 table has no result yet",
        "Round 1: all tables have played, and results are being looked at",
    ] == said


def test_a_verdict_that_the_tables_host_took_back_is_not_the_one_to_appeal(hall: Hall) -> None:
    """The one before it is; without another there is none."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0)
    names, call = seated(hall)
    take(hall, member, rows(judged_game(names, call, 0)[:3]))
    assert 3 == screen(hall).tables[0].verdict
    told = rows((Undone(by="host", at=4, of=3),), known(hall, member))
    take(hall, member, told)
    assert 0 == screen(hall).tables[0].verdict


def test_nobody_is_asked_to_look_at_tables_that_went_home_after_the_last_result(hall: Hall) -> None:
    """Until then a table that is not heard is told; an archive opened years later has none that is."""
    begun(hall, "A,B,C", tables=1, rounds=1, final=0)

    def told() -> list[str]:
        return [one.kind for one in screen(hall).todos]

    assert ["away"] == told()
    people = hall.state.rounds[0].at(1)
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in people), "paper"), "Ann")
    assert ("over", []) == (hall.view.step.kind, told())


def test_a_draw_is_given_up_at_its_next_move_when_its_hub_ends(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of one that takes long: nothing is drawn, and nobody waits for it."""
    arranged(hall, ",".join("ABCDEFGHIJKL"), tables=2, rounds=5, most=6)
    moves, really = list[int](), _Plan._move

    def move(*at: Any) -> int:
        moves.append(at[3])
        if len(moves) == 3:
            hall.end()
        return really(*at)

    monkeypatch.setattr(_Plan, "_move", move)
    with pytest.raises(NotNow):
        hall.do(commands.Draw(), "Ann")
    assert (3, (), "draw") == (len(moves), hall.state.rounds, hall.view.step.kind)
