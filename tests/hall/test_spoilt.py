"""What no table wrote, sent under its name: said at both ends, put right with a new name, others play on."""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import BadInput
from lastnose.companion.evening.events import Protested, SignedOff
from lastnose.companion.event import commands, messages
from lastnose.companion.event.messages import Presence
from lastnose.companion.i18n import translator
from lastnose.companion.link import engine, wire
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.table.log_file import LogRow

from tests.support.halls import (
    LiveHall,
    arranged,
    begun,
    call_round,
    judged_game,
    let_in,
    live_hall,
    rows,
    screen,
    seated,
    take,
    todos,
    until,
)

DEEP = b'{"type":"x","y":' + 5_000 * b"[" + 5_000 * b"]" + b"}"
BOMB = b'{"type":"x","y":[%s0]}'
NAMED = {wire.SEQ: "1", wire.EVENING: "1", wire.HEAD: "00" * 32}


def refused(hall: Hall) -> list[tuple[int, str]]:
    """Return what the desk says of tables of which something was refused."""
    return [(one.number, str(one.says)) for one in todos(hall, "refused")]


def begin(live: LiveHall) -> None:
    """Let two tables begin."""
    live.add_table()
    live.add_table()
    arranged(live.hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", final=0, rounds=1)
    call_round(live.hall)
    for table in live.tables:
        until(lambda table=table: table.thread.snapshot.hall.match, "the game to begin")
    until(live.level, "the hall to have everything")


def send(live: LiveHall, table: SimulatedTable, payload: bytes, headers: dict[str, str] | None) -> None:
    """Send to the log of *table*, with its key, what it has not written."""
    member = table.member

    async def sent() -> None:
        client = await connect(live.address, member.seed, "thief", f"_INBOX.{member.table}")
        await client.request(
            engine.log_subject(member.event, member.table), payload, timeout=60, headers=headers
        )
        await let_go(client)

    asyncio.run(sent())


def link(table: SimulatedTable) -> str:
    """Return what the pages of *table* say of its link to the hall."""
    hall = table.thread.snapshot.hall
    return "" if hall is None or hall.link is None else str(hall.link)


def told(table: SimulatedTable, words: str) -> None:
    """Let *table* play until it has something to send, and its pages say why it cannot."""

    def says() -> bool:
        table.step()
        return words in link(table)

    until(says, f"the table to say: {words}")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("payload", "headers"),
    [(b'{"type":"x"}', None), (DEEP, NAMED), (b'{"type":"x"}', {**NAMED, wire.SEQ: "9" * 30})],
    ids=["no headers", "too deep", "a number that nobody counts to"],
)
def test_what_no_table_writes_is_said_at_the_desk_and_silences_no_table(
    tmp_path: Path, payload: bytes, headers: dict[str, str] | None
) -> None:
    """Both tables play to the end, also one that is begun again meanwhile; its key can be taken away then."""
    with live_hall(tmp_path) as live:
        begin(live)
        table = live.tables[0]
        for again in (False, True):
            send(live, table, payload, headers)
            until(lambda: refused(live.hall), "the desk to say so")
            assert [(1, "Under its name has come what no table writes.")] == refused(live.hall)
            if again:
                table.close()
                live.tables[0] = SimulatedTable(tmp_path / "table-1", table.member, Random(2), 6)
        live.play()
        until(live.level, "the hall to have everything")
        assert ("", "", None) == (*map(link, live.tables), live.hall.view.engine)
        kept = live.store.rows(table.member.table)
        assert [*range(1, len(kept) + 1)] == [row.seq for row in kept]
        live.hall.do(commands.PutTableOut(1), "Ann")
        live.tables[0].close()
        member = let_in(live.hall, live.address)
        (tmp_path / "table-1" / "hall.json").unlink(missing_ok=True)
        live.tables[0] = SimulatedTable(tmp_path / "table-1", member, Random(1), 6)
        until(live.level, "all of its log to be there under its new name")
        assert [] == refused(live.hall)
        assert kept == live.store.rows(member.table)[: len(kept)]


@pytest.mark.heavy
def test_a_table_does_not_go_on_behind_an_entry_whose_words_were_changed(tmp_path: Path) -> None:
    """Its number and chain are those of the table's own newest entry: what it says is not."""
    with live_hall(tmp_path) as live:
        begin(live)
        table = live.tables[0]
        (newest,) = live.store.rows(table.member.table)[-1:]
        _, headers = wire.packed([newest], 0, "stranger")
        del headers[wire.EXPECTED]
        send(live, table, b'{"type":"x"}', headers)
        told(table, "can take nothing more")
        until(lambda: refused(live.hall), "the desk to say so")
        assert [(1, "What it sends does not follow what is here.")] == refused(live.hall)


@pytest.mark.heavy
def test_a_table_cannot_let_the_server_speak_where_it_may_not_itself(tmp_path: Path) -> None:
    """The server answers wherever the asker says: to its own API, the hall's log, or to other tables."""
    with live_hall(tmp_path) as live:
        begin(live)
        event, (thief, other) = live.hall.event, live.tables
        stream, log = engine.stream_of(event), engine.log_subject(event, thief.member.table)
        forged = messages.HallCall(rev=99, event=event, number=2, says="Go home")
        aims = [
            (b"", f"$JS.API.STREAM.DELETE.{stream}"),
            (b'{"type":"x"}', engine.log_subject(event, other.member.table)),
            (b"{}", engine.own_subject(event)),
            (msgspec.json.encode(forged), engine.call_subject(event)),
        ]
        before = live.store.cursor.created

        async def attack() -> None:
            client = await connect(live.address, thief.member.seed, "thief", f"_INBOX.{thief.member.table}")
            for payload, aim in aims:
                await client.request(log, payload, timeout=60)
                await client.publish(log, payload, reply=aim)
                await client.publish(f"{engine.NEWEST}.{stream}.{log}", b"", reply=aim)
                await client.flush()
            await let_go(client)

        asyncio.run(attack())
        until(lambda: refused(live.hall), "the desk to say so")

        def played() -> bool:
            other.step()
            return live.hall.view.outcomes[1].state in ("counts", "doubtful")

        until(played, "the other table to have a result")
        live.hall.do(commands.Announce("Pizza"), "Ann")
        until(lambda: live.service.fence.sent == live.hall.state.seq, "the hall's own log to be sent")
        shown = other.thread.snapshot.hall
        assert (1, "") == (len(refused(live.hall)), link(other))
        assert shown is not None and "Go home" not in str(shown)
        assert (before, None) == (live.store.cursor.created, live.hall.view.engine)


@pytest.mark.heavy
def test_a_hall_goes_on_when_its_own_log_ends_with_what_no_hub_wrote(tmp_path: Path) -> None:
    """It is said, and is no loop: the tables' evening goes on."""
    with live_hall(tmp_path) as live:
        begin(live)

        async def send_own() -> None:
            client = await connect(live.address, live.service._seed, "thief")
            await client.request(engine.own_subject(live.hall.event), b"{}", timeout=60)
            await let_go(client)

        asyncio.run(send_own())
        live.hall.do(commands.Announce("Pizza"), "Ann")
        until(lambda: "what no hub wrote" in str(live.hall.view.engine), "the desk to say so")
        live.play()


@pytest.mark.parametrize(
    ("trouble", "says", "why"),
    [
        (messages.ANOTHER, "What it sends does not follow what is here.", "asks to be let in again"),
        (messages.UNREADABLE, "Under its name has come what no table writes.", "Somebody may have its key"),
        (messages.HOLE, "What it sends does not follow what is here.", "asks to be let in again"),
        ("entry 7 cannot be read: x", "It has sent what this hall cannot read.", "entry 7 cannot be read: x"),
    ],
)
def test_the_desk_says_why_nothing_is_taken_and_how_it_goes_on(
    hall: Hall, trouble: str, says: str, why: str
) -> None:
    """Whether the hall has refused it, or the table says so itself."""
    hall.refused(let_in(hall).table, trouble)
    hall.heard(let_in(hall).table, Presence(n=3, trouble=trouble))
    hall.tick()
    assert [(1, says), (2, says)] == refused(hall)
    assert all(why in str(one.why) for one in todos(hall, "refused"))


def test_of_two_machines_with_one_key_the_desk_goes_on_to_say_that_nothing_can_be_taken_of_one(
    store: HallStore,
) -> None:
    """As where a table's folder was copied: both speak in turn, and one says that all is well. Then it is."""
    now = [100.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)
    for trouble in (messages.ANOTHER, "", "", messages.ANOTHER, ""):
        hall.heard(member.table, Presence(n=3, trouble=trouble))
        hall.tick()
        assert [(1, "What it sends does not follow what is here.")] == refused(hall)
        now[0] += 5
    now[0] += 2.0
    hall.heard(member.table, Presence(n=3))
    hall.tick()
    assert [] == refused(hall)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b'{"type":"armed","by":"x","at":0}', "L’entrée 1 ne peut pas être lue (il manque t_ns)."),
        (b'{"type":"whatever"}', "L’entrée 1 ne peut pas être lue (type ne peut pas valoir 'whatever')."),
        (
            b'{"type":"armed","by":"x","at":"0","t_ns":0,"seats":[]}',
            "L’entrée 1 ne peut pas être lue (at doit être un nombre, pas un texte).",
        ),
        (
            b'{"type":',
            "L’entrée 1 ne peut pas être lue (ce n’est pas du JSON valable\u00a0: Input data was truncated).",
        ),
        (
            b'{"type":"undone","by":"x","at":0,"of":99}',
            "L’entrée 1 ne peut pas être lue (Il n’y a pas d’entrée 99 ce soir.)",
        ),
    ],
)
def test_the_desk_says_in_its_language_why_an_entry_cannot_be_read(hall: Hall, raw: bytes, why: str) -> None:
    """What is missing, of another kind, unknown or no JSON; what only a programmer can tell comes behind."""
    member = let_in(hall)
    hall.took([(member.table, LogRow(1, 1, "x", raw, b"x" * 32))])
    hall.tick()
    (todo,) = todos(hall, "refused")
    assert todo.why is not None
    assert translator("fr")(todo.why).startswith(why)


def test_rows_that_follow_end_the_trouble_and_an_entry_that_cannot_be_read_stays(hall: Hall) -> None:
    """What is missing may come yet; what was written stays written."""
    one, other = let_in(hall), let_in(hall)
    hall.refused(one.table, messages.HOLE)
    hall.refused(other.table, "entry 7 cannot be read: x")
    hall.refused(one.table, "")
    hall.refused(other.table, "")
    hall.tick()
    assert [(2, "It has sent what this hall cannot read.")] == refused(hall)


def test_a_table_is_told_how_much_of_what_it_sends_the_hall_cannot_take(hall: Hall) -> None:
    """Nothing more behind a hole; all but one entry of a newer version; all when rows follow again."""
    table = let_in(hall).table

    def told() -> str:
        hall.tick()
        call = hall.call_for(table)
        return call.refuses

    assert "" == told()
    hall.refused(table, messages.HOLE)
    assert messages.ALL == told()
    hall.refused(table, "")
    assert "" == told()
    hall.took([(table, LogRow(1, 1, "x", b'{"type":"of-another-year"}', b"x" * 32))])
    hall.tick()
    assert messages.SOME == told()


@pytest.mark.heavy
def test_a_presence_that_cannot_be_read_is_said_at_desk_and_table_which_is_told_its_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a table of another version; until one comes that can be read."""
    with live_hall(tmp_path) as live:
        table = live.add_table()

        def said() -> list[str]:
            hall = table.thread.snapshot.hall
            return [] if hall is None else [str(one) for one in hall.stuck]

        def unreadable(payload: bytes) -> Presence:
            return decode_json(payload.replace(b'"n":', b'"n":-0.5,"m":'), Presence)

        monkeypatch.setattr(wire, "presence_of", unreadable)
        until(said, "the table to be told")
        assert said()[0].startswith("The hall cannot read all that this table sends: play on")
        (todo,) = [one for one in screen(live.hall).todos if one.number == 1]
        assert "It has sent what this hall cannot read." == str(todo.says)
        assert str(todo.why).startswith("Why: n must be a whole number")
        arranged(live.hall, "Aya,Noor,Tom", final=0, rounds=1, tables=1)
        call_round(live.hall)
        until(lambda: table.thread.snapshot.hall.match, "the game to begin")
        monkeypatch.undo()
        until(lambda: not said() and not refused(live.hall), "all to be well")


@pytest.mark.parametrize(
    "payload",
    [
        DEEP,
        b'{"type":"x","y":' + 100 * b"[" + 100 * b"]" + b"}",
        b'{"type":"x"',
        b'{"type":"x","y":"\xff"}',
        b'{"type": "x"}',
        b'{"type":"x"}\n',
    ],
)
def test_a_row_that_no_table_writes_is_refused_before_it_is_kept(payload: bytes) -> None:
    """One too deep ended the reading of all tables; one with a blank made an archive that does not open."""
    with pytest.raises(BadInput, match="not a row of a table’s log"):
        wire.unpacked(payload, NAMED)


@pytest.mark.parametrize(
    ("payload", "more"),
    [
        (BOMB % (b"[]," * 6_000_000), {wire.PACKED: "zlib"}),
        (201 * b'{"type":"x"}', {wire.SIZES: 201 * " 12"}),
        (2 * b'{"type":"x"}', {wire.SIZES: "36 -24 12"}),
        (2 * b'{"type":"x"}', {wire.SIZES: "24 0"}),
    ],
    ids=["a bomb", "more rows than go in one", "a row that ends before it begins", "an empty row"],
)
def test_a_message_that_would_keep_the_hall_busy_is_refused_before_it_is_looked_at(
    payload: bytes, more: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes were minutes in which no table was heard."""
    monkeypatch.delattr(wire, "_check")
    sent = zlib.compress(payload) if more.get(wire.PACKED) else payload
    with pytest.raises(BadInput, match="not a row of a table’s log"):
        wire.unpacked(sent, {**NAMED, wire.SEQ: "300", **more})


def test_a_large_row_of_many_lists_is_looked_at_in_steps_that_do_not_grow_with_their_number() -> None:
    """As deep as is allowed, and one deeper; brackets in words are none, nor is what ends too early."""
    many = BOMB % (b'{"a":[98,' + 98 * b"[" + 98 * b"]" + b"]}," + 200_000 * b'[{}],"\\"[",')
    assert [True, False] == [wire._is_shallow(many, deepest) for deepest in (102, 101)]
    assert not wire._is_shallow(b"]" * 200 + b"[" * 200)


def test_what_a_table_says_of_itself_has_a_length() -> None:
    """It is on every page of the desk: a megabyte of one table would be there for all."""
    said = msgspec.json.encode(Presence(n=1, says="x" * 15_000))
    assert 1 == wire.presence_of(said).n
    with pytest.raises(BadInput, match="more of itself than 16000 bytes"):
        wire.presence_of(msgspec.json.encode(Presence(n=1, trouble="x" * 16_000)))


def test_of_a_protest_no_more_is_shown_than_anybody_reads(hall: Hall) -> None:
    """What is needed at the desk is on all of its pages."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0)
    start, armed, judged, *_ = judged_game(*seated(hall), 0)
    reason = "I was first. " * 10_000
    protest = Protested(by="A", at=3, of=3, reason=reason, verdict=judged.verdict)
    take(hall, member, rows((start, armed, judged, protest)))
    (todo,) = todos(hall, "appeal")
    assert reason[:500] == str(todo.why)


def test_how_far_the_hall_has_read_is_known_again_whatever_a_message_is_called(store: HallStore) -> None:
    """Its name comes from the table, and may have blanks in it."""
    assert Cursor("", 0) == store.cursor
    (row,) = rows((SignedOff(by="host", at=2, of=1),))
    store.take([("a", row)], Cursor("today", 1, "a name of three"))
    assert Cursor("today", 1, "a name of three") == store.cursor


def test_a_table_that_floods_the_hall_is_put_out_and_the_desk_says_so_until_another_has_its_number(
    hall: Hall,
) -> None:
    """It is out at once, and nothing of the others changes; after a restart the desk says it still."""
    one, other = let_in(hall), let_in(hall)
    before = hall.state.seq
    for table in (one.table, one.table, "nobody"):
        hall.flooded(table)
    assert before + 1 == hall.state.seq
    for again in (hall, Hall(hall._store)):
        assert (2,) == again.state.numbers()
        (todo,) = todos(again, "refused")
        assert (1, True) == (
            todo.number,
            "It was removed: under its name has come what no table writes." in str(todo.says),
        )
    let_in(hall)
    assert ((1, 2), []) == (hall.state.numbers(), refused(hall))
    assert other.table in hall.state.tables
    hall.fence()
    hall.flooded(other.table)
    assert (1, 2) == hall.state.numbers(), "another hub leads, and says so there"


@pytest.mark.heavy
@pytest.mark.parametrize("said", [b'{"n":0}', b"x" * 15_000], ids=["sense", "nonsense"])
def test_a_thief_who_never_stops_talking_is_cut_off_and_others_are_heard(tmp_path: Path, said: bytes) -> None:
    """Six hundred words in ten looks are six times what a table can have to say; no row of it is touched."""
    with live_hall(tmp_path) as live:
        begin(live)
        table, other = live.tables
        member = table.member

        async def talk() -> None:
            client = await connect(live.address, member.seed, "thief", f"_INBOX.{member.table}")
            for _ in range(200):
                for _ in range(100):
                    await client.publish(engine.now_subject(member.event, member.table), said)
                with suppress(Exception):
                    await client.flush(5)
                if not client.is_connected or 1 not in live.hall.state.numbers():
                    break
            await let_go(client)

        asyncio.run(talk())
        until(lambda: 1 not in live.hall.state.numbers(), "the table to be put out")
        until(lambda: other.member.table in live.hall.view.there, "the other to be heard")


@pytest.mark.heavy
def test_a_thief_who_fills_the_disk_is_cut_off_soon_and_the_servers_own_log_stays_small(
    tmp_path: Path,
) -> None:
    """Garbage as fast as it goes: the hall puts the key out, and another table plays on."""
    with live_hall(tmp_path) as live:
        begin(live)
        table, other = live.tables
        member = table.member

        async def flood() -> None:
            client = await connect(live.address, member.seed, "thief", f"_INBOX.{member.table}")
            sent = 0
            while client.is_connected and sent < 300:
                await client.publish(engine.log_subject(member.event, member.table), b"x" * 900_000)
                with suppress(Exception):
                    await client.flush(5)
                sent += 1
            await let_go(client)

        asyncio.run(flood())
        until(lambda: 1 not in live.hall.state.numbers(), "the table to be put out")

        def played() -> bool:
            other.step()
            return live.hall.view.outcomes[1].state in ("counts", "doubtful")

        until(played, "the other table to have a result")
        assert (tmp_path / "hall" / engine.LOG).stat().st_size <= engine.LOG_BYTES


@pytest.mark.parametrize("why", messages.SPOILT)
def test_a_hub_that_is_begun_again_knows_that_a_removed_table_needs_a_new_name(
    tmp_path: Path, why: str
) -> None:
    """It was told to ask under a new one: the hub may end before it does."""
    store = HallStore(tmp_path)
    hall = Hall(store)
    spoilt, sound = let_in(hall), let_in(hall)
    hall.refused(spoilt.table, why)
    hall.tick()
    for number in (1, 2):
        hall.do(commands.PutTableOut(number), "Ann")
    for hub in (hall, Hall(store)):
        assert [hub.needs_new_name(one.table) for one in (spoilt, sound)] == [True, False]
    store.close()
