"""Trouble with a real message server: each is one sentence where it was caused, and nothing is lost."""

from __future__ import annotations

import asyncio
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import AsyncMock, Mock

import pytest
from lastnose.companion import __version__
from lastnose.companion.core.errors import BadInput, DeviceError, StoreError
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Redo, Undo
from lastnose.companion.event.messages import Presence, ServersSeen
from lastnose.companion.link import engine, keys, service
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.service import HallService
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.uplink import AnotherHistory, NotAnEntry, NotKept
from lastnose.companion.table import log_file

from tests.support.halls import LiveHall, arranged, call_round, let_in, live_hall, need_server, todos, until
from tests.support.ports import free_port

if TYPE_CHECKING:
    from nats.aio.client import Client


def begin(live: LiveHall) -> None:
    """Let one table play with three."""
    live.add_table()
    arranged(live.hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
    call_round(live.hall)
    table = live.tables[0]
    until(lambda: table.thread.snapshot.hall and table.thread.snapshot.hall.match, "the game to begin")
    until(live.level, "the hall to have everything")


@pytest.mark.heavy
def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(tmp_path: Path) -> None:
    """Of the hall; its tables play on meanwhile, linked as before: how much of them is missing is told."""
    with live_hall(tmp_path) as live:
        begin(live)
        table, link = live.tables[0].member.table, live.service._nc
        db = live.store._db
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")

        def full() -> bool:
            live.tables[0].step()
            return "full" in str(live.hall.view.engine)

        until(full, "the disk to be full")
        assert "free some space; nothing is lost" in str(live.hall.view.engine)
        until(lambda: live.hall.view.seen_of(table).presence.n > live.hall.view.have[table], "its numbers")
        db.execute("PRAGMA max_page_count = 1000000")
        until(live.level, "the hall to have everything")
        assert link is live.service._nc
        until(lambda: not live.hall.view.engine, "the trouble to be over")


@pytest.mark.heavy
def test_a_table_that_comes_in_is_known_to_the_message_server_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However rarely the hall looks after that: until then the table would be told that it is not let in."""
    with live_hall(tmp_path) as live:
        look, looked = live.hall.look_at_tables, list[bool]()

        def looks(**how: bool) -> bool:
            looked.append(True)
            return look(**how)

        monkeypatch.setattr(live.hall, "look_at_tables", looks)
        monkeypatch.setattr(service, "LOOK_S", 3600)
        until(lambda: looked, "the last look for an hour")
        live.add_table()


@pytest.mark.heavy
def test_a_damaged_file_of_a_hall_is_refused_and_an_older_copy_catches_up(tmp_path: Path) -> None:
    """What the tables wrote since comes from the message server."""
    with live_hall(tmp_path) as live:
        begin(live)
        file = live.store.path
        live.close()
        copy = file.with_name("copy")
        shutil.copy(file, copy)
        live.open()
        for _ in range(4):
            live.tables[0].step()
        until(live.level, "the hall to have everything")
        live.close()
        whole = file.read_bytes()
        file.write_bytes(whole[:4096] + bytes(4096) + whole[8192:])
        with pytest.raises(StoreError, match=r"is damaged .* put the newest copy of its folder back"):
            HallStore(file.parent)
        for beside in log_file.beside(file):
            beside.unlink(missing_ok=True)
        copy.replace(file)
        live.open()
        until(live.level, "the hall to have everything")


@pytest.mark.heavy
def test_a_forged_presence_does_not_reach_the_hall_and_nonsense_ends_nothing(tmp_path: Path) -> None:
    """A table may speak for itself alone; what it says must be readable."""
    with live_hall(tmp_path) as live:
        one, other = live.add_table(), live.add_table()
        event = live.hall.event

        async def attack() -> None:
            client = await connect(live.address, one.member.seed, "thief", f"_INBOX.{one.member.table}")
            forged = b'{"type":"presence","n":999,"phase":"forged","version":"666"}'
            await client.publish(engine.now_subject(event, other.member.table), forged)
            for nonsense in (b"", b"\xff", b'{"n":"x"}', b"[" * 50_000, b'{"n":1e400}'):
                await client.publish(engine.now_subject(event, one.member.table), nonsense)
            await client.flush()
            await let_go(client)

        asyncio.run(attack())
        arranged(live.hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", final=0, rounds=1)
        call_round(live.hall)
        live.play()
        seen = live.hall.view.seen[other.member.table].presence
        assert ("forged", "666") != (seen.phase, seen.version)


@pytest.mark.heavy
def test_a_result_that_is_taken_back_does_not_begin_the_game_again(tmp_path: Path) -> None:
    """Even where the hall's call arrives before the table has shown what was taken back."""
    with live_hall(tmp_path) as live:
        begin(live)
        live.play()
        table = live.tables[0]
        until(lambda: table.thread.snapshot.hall and not table.thread.snapshot.hall.call, "the call to end")
        before = table.thread.snapshot
        assert "won" == before.phase
        table.thread.submit(Undo(), "host").result(timeout=60)
        until(lambda: table.inside._call.call, "the hall to call again")
        table.inside._follow(before)
        table.thread.submit(Redo(), "host").result(timeout=60)
        assert [1] == [match.number for match in table.thread.queries.evening.matches]


@pytest.mark.heavy
def test_a_stream_that_was_put_back_and_grew_again_is_read_from_its_beginning(tmp_path: Path) -> None:
    """It is as long as the hall has read, and yet another: its last message tells."""
    with live_hall(tmp_path) as live:
        begin(live)
        live.add_table()
        until(lambda: not live.hall.view.engine, "the server to answer")
        cursor = live.store.cursor
        assert cursor.mark
        live.close()
        store = HallStore(tmp_path / "hall")
        store.take([], cursor._replace(mark="0123456789abcdef:1"))
        store.close()
        live.open()
        until(lambda: live.service.reader.duplicates, "the stream to be read again")
        live.tables[0].step()
        until(live.level, "the hall to have everything")
        assert live.store.cursor.mark != "0123456789abcdef:1"


def test_a_server_that_is_too_old_is_refused_by_what_it_says_itself(
    tmp_path: Path, store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the one that is here were."""
    need_server()
    monkeypatch.setattr(engine, "OLDEST", (99, 0, 0))
    with pytest.raises(DeviceError, match=r"needs nats-server 99\.0\.0 or newer"):
        HallService(tmp_path, store, Hall(store))


def test_a_table_of_another_version_is_said_and_plays_on(hall: Hall) -> None:
    """One that does not say its version is not."""
    one, other = let_in(hall), let_in(hall)
    hall.heard(one.table, Presence(n=0, version="9.9.9"))
    hall.heard(other.table, Presence(n=0, version=__version__))
    hall.tick()
    (found,) = todos(hall, "version")
    assert (1, f"It runs Last Nose 9.9.9, the hall {__version__}.") == (found.number, str(found.says))


@pytest.mark.heavy
def test_a_server_that_keeps_nothing_more_is_begun_again_and_all_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a full disk: its tables play on, and are connected, but what they send is refused."""
    with live_hall(tmp_path) as live:
        begin(live)
        server = live.service.engine
        before = server.pid
        found = iter([True])
        monkeypatch.setattr(live.hall, "look_at_tables", lambda **_: next(found, False))
        until(lambda: server.pid not in (before, None), "another server")
        live.play()
        assert live.level()


@pytest.mark.heavy
def test_why_a_server_cannot_begin_is_said_in_its_own_words(tmp_path: Path) -> None:
    """Its port is taken, as by another hall: which option names another stands before it."""
    need_server()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = engine.Engine(engine.find_server(), tmp_path)
        written = engine.configuration(
            "abcdefgh",
            keys.public_key(keys.make_seed()),
            {},
            store=tmp_path / "stream",
            host="127.0.0.1",
            port=port,
        )
        server.configure(written)
        with pytest.raises(DeviceError, match=r"^--engine-port: .*address already in use"):
            for _ in range(100):
                server.start()
                until(lambda: server.pid is None, "the server to end")


@pytest.mark.heavy
def test_a_server_that_begins_slowly_is_not_ended_by_a_table_that_comes_in_meanwhile(tmp_path: Path) -> None:
    """Until it listens for it, the signal to read its configuration again is one to end."""
    need_server()
    slow = tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\nsleep 0.6\nexec {engine.find_server()} "$@"\n', "utf-8")
    slow.chmod(0o755)
    server, hub = engine.Engine(slow, tmp_path), keys.public_key(keys.make_seed())
    stream, port = tmp_path / "stream", free_port()

    def configure(tables: dict[str, str]) -> None:
        server.configure(
            engine.configuration("abcdefgh", hub, tables, store=stream, host="127.0.0.1", port=port)
        )

    configure({})
    server.start()
    try:
        before = server.pid
        configure({"table": keys.public_key(keys.make_seed())})
        until(lambda: server.pid != before or "Reload" in server.log.read_text("utf-8"), "it to read that")
        assert before == server.pid
    finally:
        server.stop()


def test_a_server_that_cannot_be_told_to_read_who_may_come_in_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows: `nats-server --signal reload=7` means a service of that name, and would let no table in."""
    server = engine.Engine(tmp_path / "nats-server", tmp_path)
    asked: list[Path] = []
    monkeypatch.delattr("signal.SIGHUP", raising=False)
    monkeypatch.setattr(engine.Engine, "pid", property(lambda one: 7))
    monkeypatch.setattr(engine.Engine, "restart", lambda one: asked.append(one.config))
    server.configure("{}")
    assert [tmp_path / "nats.conf"] == asked


def test_a_server_that_answers_nothing_for_long_is_stuck_like_one_that_refuses(
    store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose disk has just become full does not say so before it is begun again."""
    log = service.Fence(store, Hall(store))
    asked = []

    async def ask(nc: object) -> tuple[int, int]:
        asked.append(log.is_stuck())
        raise TimeoutError if len(asked) < 12 else asyncio.CancelledError

    monkeypatch.setattr(log._sender, "ask", ask)
    monkeypatch.setattr(service, "SOON_S", 0)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(log.run(cast("Client", SimpleNamespace(is_connected=True))))
    assert [False] * 6 + [True] + [False] * 4 + [True] == asked


def test_what_the_server_does_not_keep_of_the_halls_own_log_is_told_until_it_keeps_it(
    store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full twice, then all is well: that is told once. What is no entry stays told."""
    hall, said, found = Hall(store), list[str](), list[int]()
    log = service.Fence(store, hall)
    outcomes = iter((None, NotKept(), NotKept(), None, None, AnotherHistory(3), TimeoutError(), NotAnEntry()))

    async def once(nc: object) -> None:
        if (outcome := next(outcomes, asyncio.CancelledError())) is not None:
            raise outcome

    monkeypatch.setattr(log, "_once", once)
    monkeypatch.setattr(hall, "engine_trouble", lambda says: said.append(str(says)))
    monkeypatch.setattr(hall, "compared", found.append)
    for pause in ("SOON_S", "ASK_S"):
        monkeypatch.setattr(service, pause, 0)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(log.run(cast("Client", SimpleNamespace(is_connected=True))))
    starts = [one[:23] for one in said]
    assert ([str(service.FULL)[:23]] * 2 + ["None", "The message server’s co"], [3]) == (starts, found)


REFUSED, NO_TLS = ConnectionError("nats: 'Authorization Violation'"), engine.NoLink(text("it speaks no TLS."))
REACHED = "The message server cannot be reached: "
COPY = "The message server does not let this hall in: copy accounts.conf to it"


@pytest.mark.parametrize(
    ("problem", "accounts", "says"),
    [
        (REFUSED, engine.ACCOUNTS, COPY),
        (REFUSED, None, REACHED + "it does not answer."),
        (OSError("gone"), engine.ACCOUNTS, REACHED + "it does not answer."),
        (NO_TLS, engine.ACCOUNTS, REACHED + "it speaks no TLS."),
        (NO_TLS, None, REACHED + "it speaks no TLS."),
        (StoreError(text("full")), engine.ACCOUNTS, "full"),
        (StoreError(text("full")), None, "full"),
    ],
)
def test_the_desk_is_told_of_a_message_server_what_it_can_do_about_it(
    problem: Exception, accounts: str | None, says: str
) -> None:
    """To copy a file helps where another runs the server, and that one does not know the hall."""
    assert str(service._said(problem, Path(accounts) if accounts else None)).startswith(says)


@pytest.mark.parametrize(("ours", "pem"), [(True, Path("pem")), (True, None), (False, Path("pem"))])
def test_a_hall_connects_again_after_every_trouble_and_lets_the_old_link_go(
    tmp_path: Path,
    hall: Hall,
    store: HallStore,
    monkeypatch: pytest.MonkeyPatch,
    ours: bool,
    pem: Path | None,
) -> None:
    """It says what the trouble is until there is a link; only our own server is known by our certificate."""
    made = HallService(tmp_path, store, hall, address="nats://10.0.0.1")
    made._ours, made._tls = ours, pem and (pem, Path("key"))
    old, new = AsyncMock(connected_server_version="2.0.0"), AsyncMock(connected_server_version="2.99.0")
    links = iter((OSError("gone"), old, new, new))
    made_stream = AsyncMock()
    ends = iter((ConnectionError("cut"), asyncio.CancelledError()))
    did, sends = list[object](), list[str]()

    async def link(address: str, seed: str, name: str, own: Path | None) -> object:
        assert ("nats://10.0.0.1", "hall", pem if ours else None) == (address, name, own)
        if isinstance(found := next(links), Exception):
            raise found
        return found

    async def run(nc: object) -> None:
        sends.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            sends.append("ended")

    async def read(nc: object) -> None:
        await really(0)
        did.append("reads")
        raise next(ends)

    async def note(what: object) -> None:
        did.append(what)

    really = asyncio.sleep
    for where, name, what in (
        (service, "connect", link),
        (service, "let_go", note),
        (asyncio, "sleep", note),
        (made.fence, "run", run),
        (made.reader, "make_stream", made_stream),
        (made.reader, "read", read),
        (made._watch, "look", lambda: did.append("looks")),
        (hall, "engine_trouble", lambda says: did.append(says and str(says)[:37])),
    ):
        monkeypatch.setattr(where, name, what)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(made._live())
    reached, pause_s = REACHED[:37], service.AGAIN_S
    linked: list[object] = [None, "looks", "reads"]
    needs = "A hall needs nats-server 2.10.23 or newer"[:37]
    assert [reached, pause_s, needs, old, pause_s, *linked, reached, new, pause_s, *linked] == did
    assert ["begun", "ended"] * 2 == sends
    assert [(new, 1)] * 2 == [call.args for call in made_stream.mock_calls]
    hears = [call.args[0] for call in new.subscribe.mock_calls]
    assert [engine.now_subject(hall.event, "*")] * 2 == hears


@pytest.mark.parametrize("ours", [True, False])
def test_a_server_is_looked_after_again_and_again_whatever_trouble_there_is(
    tmp_path: Path, hall: Hall, store: HallStore, monkeypatch: pytest.MonkeyPatch, ours: bool
) -> None:
    """One of our own is begun again when it ended, and takes nothing; what tables said is forgotten."""
    made = HallService(tmp_path, store, hall, address="nats://10.0.0.1")
    did: list[object] = []
    server = Mock(look_after=lambda: turn == 2, restart=lambda: did.append("restart"))
    made.engine = server if ours else None
    troubles = {5: StoreError(text("full")), 6: OSError("gone"), 7: ValueError("odd")}
    turn, configured = 1, Mock()

    def look(*, keeps: bool) -> bool:
        assert keeps
        if turn in troubles:
            raise troubles[turn]
        return turn == 3

    async def rest() -> None:
        nonlocal turn
        did.append((turn, made._news.is_set(), made._words["a"]))
        made._news.clear()
        turn += 1
        if turn == 11:
            raise asyncio.CancelledError

    for where, name, what in (
        (hall, "look_at_tables", look),
        (hall, "engine_trouble", lambda says: did.append(str(says))),
        (made, "_configure", configured),
        (made.fence, "is_stuck", lambda: turn == 4),
        (made.reader, "read_again", lambda: did.append("read again")),
        (service._log, "warning", lambda *says: did.append(says[0][:18])),
        (made._comes, "wait", rest),
    ):
        monkeypatch.setattr(where, name, what)
    made._words["a"] = 9
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(made._look_after())
    again = ["restart"] * ours
    assert [
        (1, True, 9),
        *["nats-server had en"] * ours,
        (2, True, 9),
        "a table has sent w",
        "read again",
        *again,
        (3, True, 9),
        *again,
        (4, True, 9),
        "full",
        (5, False, 9),
        "The message server cannot be run (gone).",
        (6, False, 9),
        (7, False, 9),
        (8, True, 9),
        (9, True, 9),
        (10, True, 0),
    ] == did
    assert 10 == configured.call_count


def test_tables_are_told_once_what_several_orders_have_changed_and_nothing_where_nothing_is_new(
    tmp_path: Path, hall: Hall, store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of which the link breaks keeps nothing from the others."""
    made = HallService(tmp_path, store, hall, address="nats://10.0.0.1")
    begun, told, sends = list[Any](), list[str](), list[None]()
    tables = [let_in(hall).table for _ in range(2)]

    async def tell(table: str, presence: Presence) -> None:
        told.append(table)
        raise ConnectionError

    for where, name, what in (
        (made._thread, "begin", begun.append),
        (made._thread, "call", lambda changed: changed()),
        (made.fence, "changed", lambda: sends.append(None)),
        (made, "_tell", tell),
    ):
        monkeypatch.setattr(where, name, what)
    for table in tables:
        hall.heard(table, Presence(n=0))
    hall.tick()
    made.tell_all()
    hall.heard(tables[0], Presence(n=1))
    hall.tick()
    made.tell_all()
    assert (1, 1) == (len(begun), len(sends)), "what a table says of itself is no news"
    arranged(hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
    made.tell_all()
    for work in begun:
        asyncio.run(work())
    assert (2, 2, sorted(tables)) == (len(begun), len(sends), sorted(told))


def test_a_server_beyond_the_house_is_refused_and_one_that_never_had_the_event_is_said(
    tmp_path: Path, store: HallStore
) -> None:
    """That it is the first is known once a server was asked, and until it has made the stream."""
    hall = Hall(store)
    made = HallService(tmp_path, store, hall, address="nats://8.8.8.8:4222")
    with pytest.raises(BadInput, match="outside this house"):
        made.start()
    firsts = []
    for created in ("", "today"):
        made.reader._cursor = made.reader._cursor._replace(created=created)
        for found in (ServersSeen(), ServersSeen("key", {"nats://8.8.8.8": "newest"})):
            made._servers_seen(found)
            firsts.append(hall.view.servers.first)
    assert [False, True, False, False] == firsts
