"""Message servers that somebody else runs: who may come in has to be copied to them, and the desk says so."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.cli.hall import _tell_accounts
from lastnose.companion.evening.commands import Start
from lastnose.companion.event import commands
from lastnose.companion.event.messages import Presence, ServersSeen
from lastnose.companion.link import engine, keys
from lastnose.companion.link.client import witness
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.service import HallService
from lastnose.companion.link.store import HallStore

from tests.support.halls import free_port, let_in, need_server, screen, todos, until

SERVER = """
server_name: theirs
listen: "127.0.0.1:{port}"
jetstream: {{ store_dir: "{folder}/stream", sync_interval: always, max_file_store: {most} }}
include "accounts.conf"
"""


@contextmanager
def theirs(folder: Path, port: int, most: str = "1GB") -> Iterator[subprocess.Popen[bytes]]:
    """Run a server as an organiser sets one up, that keeps *most* on its disk."""
    written = SERVER.format(port=port, folder=folder, most=most)
    (folder / "server.conf").write_text(written, encoding="utf-8")
    with (folder / "server.log").open("ab") as log:
        child = subprocess.Popen(
            [engine.find_server(), "-c", "server.conf"], cwd=folder, stdout=log, stderr=log
        )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def needs(hall: Hall) -> dict[str, tuple[str, str]]:
    """Return what the organiser is to do, by its kind."""
    hall.tick()
    shown = screen(hall).todos
    return {one.kind: (str(one.says), str(one.why)) for one in shown}


@pytest.mark.heavy
def test_the_desk_says_that_accounts_are_to_be_copied_until_every_server_has_read_them(
    tmp_path: Path,
) -> None:
    """One that came in is not heard before, one that was put out is in until then; a server is gone."""
    need_server()
    desk, server = tmp_path / "desk", tmp_path / "server"
    server.mkdir()
    port = free_port()
    mine, gone = f"nats://127.0.0.1:{port}", f"nats://127.0.0.1:{free_port()}"
    store = HallStore(desk)
    hall = Hall(store)
    service = HallService(desk, store, hall, address=f"{mine},{gone}")

    def copy() -> None:
        (server / engine.ACCOUNTS).write_bytes((desk / engine.ACCOUNTS).read_bytes())

    def stands(standing: str) -> bool:
        return {mine: standing, gone: "silent"} == {**hall.view.servers.servers}

    def shows(*kinds: str) -> None:
        until(lambda: set(kinds) == set(needs(hall)), f"{kinds}, not {needs(hall)}")

    service.start()
    copy()
    table = None
    try:
        with theirs(server, port) as child:
            until(lambda: stands("newest"), "the server to have everything")
            says, _ = needs(hall)["servers"]
            assert f"These message servers do not answer: {gone}. The hall goes on with the others." == says
            member = let_in(hall, mine)
            table = SimulatedTable(tmp_path / "table", member, Random(1), 4)
            shows("servers", "accounts", "away")
            assert f"Not yet at {mine}." in needs(hall)["accounts"][1]
            assert "Has its message server read accounts.conf?" in needs(hall)["away"][1]
            copy()
            child.send_signal(signal.SIGHUP)
            shows("servers")
            hall.do(commands.PutTableOut(1), "Ann")
            shows("servers", "accounts")
            copy()
            child.send_signal(signal.SIGHUP)
            shows("servers")
    finally:
        if table is not None:
            table.close()
        service.stop()
        store.close()


@pytest.mark.heavy
def test_a_server_that_does_not_know_the_hub_is_said_with_the_file_that_it_lacks(tmp_path: Path) -> None:
    """As at the very first start."""
    need_server()
    server = tmp_path / "server"
    server.mkdir()
    other = engine.accounts("abcdefgh", keys.public_key(keys.make_seed()), {})
    (server / engine.ACCOUNTS).write_text(engine.written(other), encoding="ascii")
    port = free_port()
    store = HallStore(tmp_path / "desk")
    hall = Hall(store)
    service = HallService(tmp_path / "desk", store, hall, address=f"nats://127.0.0.1:{port}")
    service.start()
    try:
        with theirs(server, port):
            until(lambda: "copy accounts.conf to it, and reload it" in str(hall.view.engine), "the sentence")
            until(lambda: "accounts" in needs(hall), "the todo")
    finally:
        service.stop()
        store.close()


@pytest.mark.heavy
def test_a_server_of_somebody_else_that_keeps_nothing_more_is_named_until_it_is_begun_with_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk says of which tables; table and hall say it of themselves; all comes in the end, once."""
    need_server()
    for rhythm in ("uplink.BEAT_S", "service.ASK_S", "client.LOOK_S"):
        monkeypatch.setattr(f"lastnose.companion.link.{rhythm}", 0.2)
    desk, server = tmp_path / "desk", tmp_path / "server"
    server.mkdir()
    port = free_port()
    store = HallStore(desk)
    hall = Hall(store)
    service = HallService(desk, store, hall, address=f"nats://127.0.0.1:{port}")
    member = let_in(hall, f"nats://127.0.0.1:{port}")
    service.start()
    (server / engine.ACCOUNTS).write_bytes((desk / engine.ACCOUNTS).read_bytes())
    table = None
    try:
        with theirs(server, port, "2KB"):
            until(lambda: service.fence.sent, "the hall to have sent what it has")
            folder = tmp_path / "table"
            table = SimulatedTable(folder, member, Random(1), 4)
            until(lambda: member.table in hall.view.there, "the table to be there")
            for n in range(20):
                hall.do(commands.Announce(f"{n} " + "x" * 200), "Ann")
                start = Start("pig", tuple(f"{n}{name}" for name in "ABCD"), {})
                table.thread.submit(start, "host").result(60)
            until(lambda: "keeps nothing more" in str(hall.view.engine), "the hall's own word")
            until(lambda: "full" in needs(hall), "the table's")
            says, why = needs(hall)["full"]
            assert says.startswith(
                "The message server keeps nothing more: is its disk full? Make room there;"
            )
            assert "Table 1" == why
            shown = table.thread.snapshot.hall
            assert str(shown.link).startswith("The hall’s message server keeps nothing more")
        with theirs(server, port):
            mine = table
            until(lambda: hall.view.have.get(member.table) == mine.thread.snapshot.seq, "everything")
            until(lambda: hall.state.seq == service.fence.sent, "the hall's own log to be there")
            until(lambda: "full" not in needs(hall) and hall.view.engine is None, "the trouble to be over")
            assert [*range(1, mine.thread.snapshot.seq + 1)] == [one.seq for one in store.rows(member.table)]
    finally:
        if table is not None:
            table.close()
        service.stop()
        store.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Return a hall with a table that was heard once."""
    store = HallStore(tmp_path)
    made = Hall(store)
    made.heard(let_in(made).table, Presence(n=0))
    yield made
    store.close()


def seen(version: str, *standings: str) -> ServersSeen:
    """Return so many servers."""
    return ServersSeen(version, {f"nats://10.0.0.{n}": one for n, one in enumerate(standings, 1)})  # type: ignore[misc]


def test_a_hub_that_does_not_lead_is_not_told_of_accounts(hall: Hall) -> None:
    """Its own file is nobody's; and a server that all have lost is said by the link itself."""
    hall.servers_seen(seen("1", "older", "newest"))
    assert {"accounts"} == set(needs(hall))
    hall.fence()
    hall.servers_seen(seen("2", "older", "newest"))
    assert "accounts" not in needs(hall)
    hall.servers_seen(seen("2", "silent", "silent"))
    assert "servers" not in needs(hall)


def test_a_hall_does_not_go_on_with_the_one_server_that_is_left_of_three(hall: Hall) -> None:
    """One that is gone is one of three; of two each is named, and nothing is promised."""
    hall.servers_seen(seen("1", "newest", "silent", "newest"))
    says = [str(one.says) for one in todos(hall, "servers")]
    assert ["These message servers do not answer: nats://10.0.0.2. The hall goes on with the others."] == says
    hall.servers_seen(seen("1", "silent", "newest", "silent"))
    says = [str(one.says) for one in todos(hall, "servers")]
    assert ["nats://10.0.0.1 does not answer.", "nats://10.0.0.3 does not answer."] == says


def test_at_the_very_first_start_nothing_has_changed(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is new: what is to be done with it is said, also while no server runs, until one has it."""
    _tell_accounts(hall, Path("/x/accounts.conf"))
    for standing in ("silent", "older"):
        hall.servers_seen(msgspec.structs.replace(seen("1", standing), first=True))
        says, _ = needs(hall)["accounts"]
        assert says.startswith("accounts.conf says who may come in: copy it to every message server, beside")
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith(
        "/x/accounts.conf: accounts.conf says who may come in: copy it to every message server"
    )
    hall.servers_seen(msgspec.structs.replace(seen("1", "newest", "silent"), first=True))
    assert "accounts" not in needs(hall)


def test_the_terminal_says_each_version_once_and_when_all_have_read_it(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that is gone has not read it."""
    _tell_accounts(hall, Path("/x/accounts.conf"))

    def says(*found: ServersSeen) -> list[str]:
        for one in found:
            hall.servers_seen(one)
        return capsys.readouterr().out.splitlines()

    assert [] == says(seen("1", "newest", "newest"))
    (said,) = says(seen("2", "older", "older"), seen("2", "newest", "older"))
    assert said.startswith("/x/accounts.conf: accounts.conf has changed: copy it to every message server")
    assert 1 == len(says(seen("3", "older", "older")))
    assert [] == says(seen("3", "newest", "silent"))
    assert ["Every message server has read accounts.conf."] == says(seen("3", "newest", "newest"))


def test_the_witness_of_the_same_accounts_is_the_same_and_of_others_another() -> None:
    """So a hub that begins again finds what it wrote before."""
    seed, key = keys.make_seed(), keys.public_key(keys.make_seed())
    one = engine.accounts("abcdefgh", key, {})
    assert witness(seed, one) == witness(seed, engine.accounts("abcdefgh", key, {}))
    assert witness(seed, one) != witness(seed, engine.accounts("abcdefgh", key, {"a": key}))
    assert witness(seed, one) != witness(keys.make_seed(), one)
    assert keys.is_public_key(keys.public_key(witness(seed, one)))
