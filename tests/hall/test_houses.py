"""A house with a message server of its own, joined as a leaf node: docs/event/far.md for real."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.app.event_hall import SimulatedTable
from companion.evening.commands import Start
from companion.hall import engine
from companion.hall.hub import Hall
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.table import log_file
from tests.support.hall_pages import pages_of, post
from tests.support.halls import free_port, let_in, need_server, until

MAIN = """
server_name: main
listen: "127.0.0.1:{main}"
jetstream: {{ store_dir: "main", domain: MAIN, sync_interval: always }}
leafnodes: {{ listen: "127.0.0.1:{leaf}", no_advertise: true
              authorization: {{ user: north, password: "a long secret", account: HALL }} }}
include "accounts.conf"
"""
NORTH = """
server_name: north
listen: "127.0.0.1:{north}"
jetstream: {{ store_dir: "north", domain: NORTH, sync_interval: always }}
leafnodes: {{ remotes: [ {{ url: "nats-leaf://north:a%20long%20secret@127.0.0.1:{leaf}", account: HALL }} ] }}
include "accounts.conf"
"""


@contextmanager
def server(folder: Path, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server with the configuration *name*."""
    with (folder / f"{name}.log").open("ab") as log:
        child = subprocess.Popen(
            [engine.find_server(), "-c", f"{name}.conf"], cwd=folder, stdout=log, stderr=log
        )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


@pytest.mark.heavy
def test_a_house_whose_link_is_away_plays_on_and_the_hall_gets_everything_in_order(tmp_path: Path) -> None:
    """The table sends to its own house's server; the hall reads from the main one, which gathers."""
    need_server()
    ports = {name: free_port() for name in ("main", "north", "leaf")}
    (tmp_path / "main.conf").write_text(MAIN.format(**ports), encoding="utf-8")
    (tmp_path / "north.conf").write_text(NORTH.format(**ports), encoding="utf-8")
    store = HallStore(tmp_path)
    hall = Hall(store)
    far = f"nats://127.0.0.1:{ports['north']}"
    member = msgspec.structs.replace(let_in(hall), engine=far)
    address = f"nats://127.0.0.1:{ports['main']}"
    service = HallService(tmp_path, store, hall, address=address, domains=("NORTH",))
    service.start()  # it writes who may come in, and waits for the servers
    folder = tmp_path / "table"
    table = SimulatedTable(folder, member, Random(1), 4)
    try:
        table.thread.submit(Start("pig", ("A", "B", "C", "D"), {"word": "LASTNOSE"}), "host").result(60)

        def play(deals: int) -> None:
            for _ in range(deals):
                table.step()

        def level() -> bool:
            return hall.view.have.get(member.table) == table.thread.snapshot.seq

        with server(tmp_path, "north"):
            with server(tmp_path, "main"):
                play(3)
                until(level, "the hall to have everything")
            play(3)
            until(lambda: table.inside._uplink.sent == table.thread.snapshot.seq, "the house to have it")
            with server(tmp_path, "main"):
                until(level, "the hall to have everything again")
        db = log_file.connect(folder / log_file.NAME, "ro")
        assert list(log_file.rows(db)) == store.rows(member.table)
        db.close()
    finally:
        table.close()
        service.stop()
        store.close()


def test_the_desk_of_a_hall_of_houses_says_what_to_type_and_where_to_look(tmp_path: Path) -> None:
    """A table that was let in before and is not heard may send to the main server; a screen reads from it."""
    store = HallStore(tmp_path)
    hall = Hall(store)
    HallService(tmp_path, store, hall, address="nats://127.0.0.1:9", domains=("NORTH", "SOUTH"))
    let_in(hall)
    client = pages_of(hall).test_client()
    made = post(client, "invitations", {"kind": "table"})
    assert f"lastnose hall join {made['address']} --engine nats://HOUSE:4222" == made["line"]
    screen = post(client, "invitations", {"kind": "screen"})
    assert f"lastnose hall screen {screen['address']}" == screen["line"]
    (todo,) = client.get("/api/v1/hall/state").json["todos"]
    assert "the message server of its house (NORTH, SOUTH)" in todo["why"]
    store.close()
