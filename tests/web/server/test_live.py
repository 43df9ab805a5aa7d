"""The live stream and the server around it, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import http.client
import ipaddress
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import pytest
from flask import Flask
from lastnose.companion.config.settings import Wifi
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.access import Token
from lastnose.web.auth import _signer
from lastnose.web.encoding import Views
from lastnose.web.hosts import HEADERS, LARGEST_BODY
from lastnose.web.server import addresses
from lastnose.web.server.application import Application
from lastnose.web.server.connections import Connections, Pace
from lastnose.web.server.live import AT_ONCE, Hub, Message, Outlet
from lastnose.web.server.server import Server

from tests.support.fakes import VERDICT, FakeTable
from tests.support.phones import Clock, make_access
from tests.support.streams import Stream, eventually
from tests.support.tables import started


@pytest.fixture
def server(table: FakeTable) -> Iterator[Server]:
    """Return a running server with a quick pulse."""
    running = Server(table, make_access(), port=0, pace=Pace(heartbeat_s=0.05, patience_s=3600, tick_s=0.01))
    running.start()
    yield running
    running.stop()


def fetch(server: Server, path: str, **more: object) -> tuple[int, bytes]:
    """Return status and body of *path*."""
    headers = more.pop("headers", {})
    assert isinstance(headers, dict)
    data = more.pop("data", None)
    assert data is None or isinstance(data, bytes)
    wish = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", data=data, headers=headers)
    try:
        with urllib.request.urlopen(wish, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def command_of(server: Server, token: bytes) -> None:
    """Send a command, and take whatever comes of it."""
    headers = {"Authorization": f"Bearer {token.decode()}", "Content-Type": "application/json"}
    with contextlib.suppress(OSError, http.client.HTTPException):
        fetch(server, "/api/v1/commands", data=b'{"type":"arm"}', headers=headers)


def test_newest_snapshot_comes_at_once_and_every_newer_one_after_it(table: FakeTable, server: Server) -> None:
    """The whole state each time, its log number as id, the retry time first."""
    with Stream(server) as stream:
        assert "retry: 1000" == stream.line()
        first = stream.message()
        assert first is not None
        assert ("12", 7, "South was last: P") == (
            first["id"],
            first["data"]["version"],
            first["data"]["headline"],
        )
        table.show(seq=13, phase="armed")
        second = stream.message()
        assert ("13", 8, "armed") == (second["id"], second["data"]["version"], second["data"]["phase"])


def test_every_viewer_reads_in_their_own_language(table: FakeTable, server: Server) -> None:
    """By the address, by the cookie, by the browser, in this order."""
    table.show(headline=text("There is nothing to take back or to put back."))
    with (
        Stream(server, lang="fr") as asked,
        Stream(server, lang="", Cookie="a=b; lang=fr") as remembered,
        Stream(server, lang="", Accept_Language="fr-FR") as accepted,
        Stream(server, lang="en", Cookie="lang=fr") as english,
    ):
        said = [stream.state_of_version(8)["headline"] for stream in (asked, remembered, accepted, english)]
    assert "There is nothing to take back or to put back." == said[3] != said[0]
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("last", ["3", "12", "99", "x"])
def test_a_stream_taken_up_again_begins_with_the_newest(server: Server, last: str) -> None:
    """Several snapshots share a log number, so the newest always comes, whatever was seen before."""
    with Stream(server, Last_Event_ID=last) as stream:
        assert 7 == stream.state_of_version(0)["version"]


def test_before_the_first_event_a_message_has_no_id() -> None:
    """There is no log number to come back to."""
    empty = FakeTable(type(VERDICT)(1, 0, 1, "setup", True, text("Who plays?"), ()))
    with started(Server(empty, make_access(), port=0)) as running, Stream(running) as stream:
        message = stream.message()
        assert message is not None
        assert "id" not in message


def test_a_silent_stream_shows_that_it_lives(server: Server) -> None:
    """An event of its own now and then, which a page can see, so that a dead connection is noticed."""
    with Stream(server) as stream:
        stream.message()
        event, data, end = (stream.line() for _ in range(3))
        assert ("event: beat", "") == (event, end)
        assert data.startswith("data: ")
        assert 1_700_000_000_000 < int(data.removeprefix("data: ")), "the wall time in ms, for wrong clocks"


def test_a_page_hears_what_its_device_may_do_as_it_changes(table: FakeTable, server: Server) -> None:
    """An event of its own, to that device only; no message is lost over it."""
    devices = server._access.devices
    app = Flask("signing")
    app.config["SESSION_COOKIE_NAME"] = f"lastnose-{server.port}"
    app.secret_key = server._access.key
    key = devices.new_key()
    cookie = f"lastnose-{server.port}={_signer(app).dumps({'device': key})}"
    device = devices.id_of(key)

    def heard(stream: Stream) -> str | None:
        while stream.line() != "event: you":
            pass
        return stream.line()

    passed_on = {"X_Forwarded_For": "192.0.2.77", "Cookie": cookie}
    with Stream(server, **passed_on) as stream:
        stream.message()
        assert "data: watcher" == heard(stream)
        devices.make_host(device)
        assert (heard(stream) or "").startswith("data: host ")
        devices.only("")
        assert "data: watcher" == heard(stream)
        devices.remove(device)
        assert "data: removed" == heard(stream)
        table.show()
        stream.state_of_version(8)


def test_twenty_viewers_all_see_the_last_of_many_snapshots(table: FakeTable, server: Server) -> None:
    """A hundred snapshots at full speed: everybody ends with the newest, in order, and is gone afterwards."""
    seen: list[list[int]] = [[] for _ in range(20)]

    def read(place: int) -> None:
        with Stream(server, lang="fr" if place % 2 else "en") as stream:
            while not seen[place] or seen[place][-1] < 107:
                message = stream.message()
                seen[place].append(message["data"]["version"])

    readers = [threading.Thread(target=read, args=(place,)) for place in range(20)]
    for reader in readers:
        reader.start()
    assert eventually(lambda: server.viewers == 20)
    for _ in range(100):
        table.show()
    for reader in readers:
        reader.join(120)
    assert [107] * 20 == [versions[-1] for versions in seen]
    assert all(versions == sorted(set(versions)) for versions in seen)
    assert eventually(lambda: server.viewers == 0)


def test_who_stops_reading_is_dropped_and_holds_nobody_up(table: FakeTable) -> None:
    """One viewer never reads: the others get every change while it stays; then it is dropped."""
    long = "x" * 200_000
    running = Server(table, make_access(), port=0, pace=Pace(heartbeat_s=3600, patience_s=3600, tick_s=0.01))
    running.start()
    with Stream(running, receive_buffer=4096), Stream(running) as reader:
        assert eventually(lambda: running.viewers == 2)
        for n in range(1, 40):
            table.show(headline=text("{n} {long}", n=n, long=long))
            reader.state_of_version(7 + n)
        assert 2 == running.viewers, "nobody's patience has ended"
        running._hub._pace = Pace(heartbeat_s=3600, patience_s=0, tick_s=0.01)
        assert eventually(lambda: running.viewers == 1)
        table.show()
        reader.state_of_version(table.snapshot.version)
    running.stop()


def test_a_viewer_who_leaves_is_forgotten(server: Server) -> None:
    """Closing the page frees its place."""
    with Stream(server) as stream:
        stream.message()
        assert 1 == server.viewers
    assert eventually(lambda: server.viewers == 0)


def test_there_is_an_end_to_how_many_can_watch(table: FakeTable, server: Server) -> None:
    """Beyond the most, a viewer is turned away instead of the table choking."""
    server._hub._most = 1
    away = {"X_Real_IP": "192.0.2.7"}
    with Stream(server) as first:
        first.message()
        with Stream(server, **away) as second, Stream(server, at_home=True) as own:
            assert second.message() is None
            assert own.message() is not None, "the table's own machine gets through"
            assert (200, 503) == (first.status, second.status)


def test_stream_and_clock_refuse_a_foreign_name(server: Server) -> None:
    """What is answered outside of Flask has the same guard."""
    with Stream(server, Host="evil.example") as stream:
        assert stream.message() is None
        assert 421 == stream.status
    assert 421 == fetch(server, "/api/v1/clock", headers={"Host": "evil.example"})[0]
    refused = fetch(server, "/events?lang=fr", headers={"Host": "evil.example", "Accept": "text/plain"})
    assert (421, True) == (refused[0], "ne porte pas ce nom" in refused[1].decode()), refused[1].decode()
    assert 421 == fetch(server, "/api/v1/state", headers={"Host": "evil.example"})[0]


@pytest.mark.parametrize(
    "path", ["/events", "/api/v1/clock", "/api/v1/state?lang=fr", "/static/no%2Fthing", ""]
)
@pytest.mark.parametrize("scheme", ["http", "HTTPS"])
def test_a_request_for_a_whole_address_is_one_for_its_path(server: Server, scheme: str, path: str) -> None:
    """As programs write it that were told of a proxy; the name in it counts, whatever Host says."""

    def status(host: str, target: str) -> int:
        way = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        with contextlib.closing(way):
            way.request("GET", target, headers={"Host": host})
            return way.getresponse().status

    here = f"127.0.0.1:{server.port}"
    assert status(here, path or "/") == status("evil.example", f"{scheme}://{here}{path}") != 421
    assert 421 == status(here, f"{scheme}://evil.example{path}")


@pytest.mark.parametrize("path", ["/events", "/api/v1/clock", "/api/v1/state", "/nothing"])
def test_every_answer_has_the_guarding_headers(server: Server, path: str) -> None:
    """Whoever answers, Flask or the server itself."""
    way = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    way.request("GET", path)
    got = way.getresponse().headers
    assert {name: got[name] for name in HEADERS} == HEADERS
    way.close()


def test_the_stream_is_only_read(server: Server) -> None:
    """POST /events is not a thing."""
    assert 405 == fetch(server, "/events", data=b"")[0]


def test_answers_do_not_wait_for_an_acknowledgement(server: Server) -> None:
    """On a connection that is kept, answers come before Nagle would let them go (after 40 ms)."""
    way = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)

    def quick() -> bool:
        began_ns = time.monotonic_ns()
        way.request("GET", "/api/v1/clock")
        way.getresponse().read()
        return time.monotonic_ns() - began_ns < 30_000_000

    for _ in range(20):
        quick()  # the first ones are acknowledged at once
    assert eventually(quick), "of many not one"
    way.close()


def test_flask_answers_behind_the_same_port(server: Server) -> None:
    """State, clock and refusals through the whole stack; a body that is too large never reaches a thread."""
    assert b'"version":7' in fetch(server, "/api/v1/state")[1]
    assert fetch(server, "/api/v1/clock")[1].startswith(b'{"t_ns":')
    assert 404 == fetch(server, "/api/v1/rounds/99")[0]
    status, said = fetch(server, "/api/v1/commands?lang=fr", data=b"x" * (LARGEST_BODY + 1))
    assert (413, {"error": "This request is larger than the 256 KB that are allowed.", "rule": None}) == (
        status,
        msgspec.json.decode(said),
    )
    assert 403 == fetch(server, "/api/v1/commands", data=b"{}")[0]


def stages(server: Server) -> list[str]:
    """Return what each connection is doing."""
    return [link.timing.stage for link in tuple(server._connections._open.values())]


def test_a_connection_that_asks_for_nothing_is_closed(table: FakeTable) -> None:
    """Half a request line is nothing; a page that has asked before may stay."""
    clock = Clock()
    slow = Server(table, make_access(), port=0, pace=Pace(tick_s=0.01), now_s=clock)
    with (
        started(slow) as running,
        Stream(running) as stream,
        socket.create_connection(("127.0.0.1", running.port), 120) as silent,
    ):
        stream.message()
        silent.sendall(b"GET / HT")
        assert eventually(lambda: "asking" in stages(running))
        clock.now_s += 21
        with contextlib.suppress(ConnectionResetError):
            assert b"" == silent.recv(1)
        table.show()
        stream.state_of_version(8)


def test_a_stop_ends_whatever_goes_on(table: FakeTable) -> None:
    """Readers, a viewer that does not read, half a request, a command that the table never answers.

    Nobody's patience would end them.
    """
    board = Token("board", hashlib.sha256(b"t").hexdigest())
    pace = Pace(heartbeat_s=3600, patience_s=3600, first_request_s=3600)
    running = Server(table, make_access(tokens=(board,)), port=0, pace=pace)
    running.start()
    table.silent = True
    asking = threading.Thread(target=command_of, args=(running, b"t"))
    asking.start()
    assert eventually(lambda: table.commands)
    with Stream(running), Stream(running, receive_buffer=4096) as stuck, Stream(running) as reader:
        assert eventually(lambda: running.viewers == 3)
        table.show(headline=text("{long}", long="x" * 8_000_000))
        with socket.create_connection(("127.0.0.1", running.port)) as half:
            half.sendall(b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
            reader.state_of_version(8)
            running.stop()
            running.stop()
        assert stuck is not None
    asking.join(120)
    assert not asking.is_alive()
    assert eventually(lambda: not any(thread.name.startswith("page") for thread in threading.enumerate()))
    assert [] == table.listeners
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", running.port), timeout=1)


def test_an_answer_that_comes_after_the_end_goes_nowhere() -> None:
    """Nothing is put into a loop that is closed, and nothing is complained about when the program leaves."""
    asked, go_on = threading.Event(), threading.Event()
    sent: list[Message] = []

    def slow(environ: Any, start_response: Any) -> list[bytes]:
        asked.set()
        assert go_on.wait(60)
        start_response("200 OK", [])
        return [b"late"]

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": "/",
            "scheme": "http",
            "query_string": b"",
            "headers": [],
            "client": ("127.0.0.1", 9),
            "server": ("127.0.0.1", 80),
        }
        hub: Any = None
        answering = Application(slow, hub, pool, Connections(), lambda *_: True, lambda _: True)
        asking = asyncio.create_task(answering(scope, receive, send))
        await asyncio.to_thread(asked.wait, 60)
        assert not asking.done()

    pool = ThreadPoolExecutor(1)
    asyncio.run(ask())
    go_on.set()
    pool.shutdown()
    gc.collect()  # what nobody waited for is complained of here, and a complaint is an error
    assert [] == sent


def test_a_port_can_be_taken_again_at_once(table: FakeTable) -> None:
    """A restart after a crash does not wait for old connections."""
    first = Server(table, make_access(), port=0)
    first.start()
    with Stream(first) as stream:
        stream.message()
        first.stop()
    again = Server(table, make_access(), port=first.port)
    assert (f"http://127.0.0.1:{first.port}/",) == again.start()
    again.stop()


@pytest.mark.parametrize("port", [None, 99_999])
def test_a_port_that_cannot_be_had_is_one_sentence(table: FakeTable, port: int | None) -> None:
    """It names the port and the option; nothing is left running."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        running = Server(table, make_access(), port=port or taken.getsockname()[1])
        with pytest.raises(DeviceError, match=r"Choose another with --port\."):
            running.start()
        running.stop()
    assert [] == table.listeners


def test_in_a_network_the_address_for_phones_is_told(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own address first, the network's second; without a network only the first."""
    for address, count in (("192.0.2.2", 2), (None, 1)):
        monkeypatch.setattr("lastnose.web.server.page_server.lan_address", lambda found=address: found)
        running = Server(table, make_access(lan=True), port=0)
        urls = running.start()
        running.stop()
        assert count == len(urls)
        assert urls[0] == f"http://127.0.0.1:{running.port}/"
        assert urls[1:] == ((f"http://{address}:{running.port}/",) if address else ())


def test_names_and_the_own_wifi_lead_phones_here(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Wi-Fi's own address is the one that its phones can reach; names stand behind it."""
    monkeypatch.setattr("lastnose.web.server.page_server.lan_address", lambda: "192.0.2.2")
    network = Wifi("Last Nose", "amber-7-falcon", "10.42.7.1")
    running = Server(table, make_access(lan=True), port=0, names=("nose.local",), wifi=network)
    _, *urls = running.start()
    try:
        assert [f"http://10.42.7.1:{running.port}/", f"http://nose.local:{running.port}/"] == urls
        assert running.alive
        for host, status in (("nose.local", 200), ("nose-2.local", 200), ("other.local", 421)):
            assert status == fetch(running, "/api/v1/state", headers={"Host": host})[0]
        running.port = 80
        assert ("http://127.0.0.1/", "http://10.42.7.1/", "http://nose.local/") == running.urls
    finally:
        running.stop()
    assert not running.alive


def test_a_network_that_leads_nowhere_has_an_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """No way out, as behind a router without internet: the first interface with an address serves."""
    monkeypatch.setattr("lastnose.web.server.addresses._way_out", lambda: None)
    monkeypatch.setattr(
        "lastnose.web.server.addresses.interface_addresses", lambda: iter(["10.0.0.7", "10.1.0.7"])
    )
    assert "10.0.0.7" == addresses.lan_address()
    monkeypatch.setattr("lastnose.web.server.addresses.interface_addresses", lambda: iter([]))
    assert addresses.lan_address() is None


def test_the_interfaces_of_this_machine_are_told_without_its_loop() -> None:
    """Whatever they are here."""
    for found in addresses.interface_addresses():
        assert not ipaddress.IPv4Address(found).is_loopback


def test_publishing_never_waits_and_outlives_the_loop() -> None:
    """Before the loop runs and after it has closed, a snapshot is taken without complaint."""
    hub = Hub(Views(), lambda client: None)
    snapshot: Snapshot = VERDICT
    hub.publish(snapshot)

    async def briefly() -> None:
        task = asyncio.create_task(hub.run())
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(briefly())
    hub.publish(snapshot)
    assert 0 == hub.viewers


class Outlets:
    """Connections that note what is pushed, by viewer; those in `full` can take nothing."""

    def __init__(self) -> None:
        self.pushed: list[tuple[object, bytes]] = []
        self.full: set[object] = set()

    def find(self, client: object) -> Outlet:
        """Return the connection of *client*."""
        return PushedTo(self, client)


class PushedTo:
    """One of `Outlets`."""

    def __init__(self, outlets: Outlets, client: object) -> None:
        self._outlets = outlets
        self._client = client

    @property
    def free(self) -> bool:
        """Whether it takes something."""
        return self._client not in self._outlets.full

    def push(self, written: bytes) -> None:
        """Take it."""
        self._outlets.pushed.append((self._client, written))

    def end(self) -> None:
        """Do nothing."""


def test_what_comes_in_between_is_read_before_everybody_has_the_newest() -> None:
    """Players first, then some at a time; who cannot take anything gets it from a task of its own."""
    outlets, watching = Outlets(), 2 * AT_ONCE
    players, stuck = {3, 30, 49}, 7
    sent: dict[int, list[bytes]] = {number: [] for number in range(watching)}
    seen: list[int] = []

    async def show() -> None:
        hub = Hub(Views(), outlets.find, at_home=lambda scope, headers: scope["client"] in players)
        tasks = [asyncio.create_task(hub.run())]
        for number in range(watching):
            scope = {"type": "http", "method": "GET", "path": "/events", "scheme": "http", "client": number}
            scope |= {"headers": [], "query_string": b"lang=en", "server": None, "http_version": "1.1"}
            tasks.append(asyncio.create_task(hub.serve(scope, asyncio.Event().wait, partial(take, number))))
        while not all(len(parts) == 1 for parts in sent.values()):
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        outlets.full.add(stuck)
        hub.publish(VERDICT)
        while len(sent[stuck]) < 2 or len(outlets.pushed) < watching - 1:
            await asyncio.sleep(0)
            seen.append(len(outlets.pushed))
        for task in tasks:
            task.cancel()

    async def take(number: int, message: Message) -> None:
        if message["type"] == "http.response.body":
            sent[number].append(message["body"])

    asyncio.run(show())
    assert players == {client for client, _ in outlets.pushed[:3]}
    assert {AT_ONCE, AT_ONCE - 1} & set(seen), "others have had their turn when the first had theirs"
    assert set(range(watching)) - {stuck} == {client for client, _ in outlets.pushed}
    (chunk,) = {written for _, written in outlets.pushed}
    size, _, rest = chunk.partition(b"\r\n")
    assert (int(size, 16), b"\r\n") == (len(rest) - 2, rest[-2:])
    assert rest[:-2] == sent[stuck][1]


def test_a_stream_in_chunks_is_read_by_anybody_who_speaks_the_protocol(
    table: FakeTable, server: Server
) -> None:
    """Python's own client takes the chunks apart; every snapshot is whole, and they come in order."""
    way = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    way.request("GET", "/events?lang=en")
    answer = way.getresponse()
    assert answer.chunked
    versions: list[int] = []
    while not versions or versions[-1] < 27:
        line = answer.readline()
        if line.startswith(b'data: {"version"'):
            versions.append(msgspec.json.decode(line.removeprefix(b"data: "))["version"])
            table.show(headline=text("{long}", long="x" * 300 * len(versions)))
    assert versions == sorted(set(versions))
    way.close()


@pytest.mark.parametrize(("version", "expected"), [("1.1", 200), ("1.0", 403)])
def test_what_an_old_proxy_asks_in_this_machines_name_is_asked_by_nobody_at_home(
    server: Server, version: str, expected: int
) -> None:
    """nginx, told no more than where the table is, passes a phone's request on as if this machine asked."""
    with socket.create_connection(("127.0.0.1", server.port), 120) as passed_on:
        head = f"GET /api/v1/devices HTTP/{version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        passed_on.sendall(head.encode())
        assert f" {expected} " in passed_on.makefile("rb").readline().decode()


def test_silent_pages_are_found_without_a_thread_of_their_own(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's own loop looks for them; a table alone has that one thread, and workers when asked."""
    looked = threading.Event()
    monkeypatch.setattr("lastnose.web.page_sources.Pages.look", lambda pages: looked.set())
    monkeypatch.setattr("lastnose.web.server.server.LOOK_EVERY_S", 0.01)
    before = set(threading.enumerate())
    with started(Server(table, make_access(), port=0)):
        assert looked.wait(120)
        assert ["web"] == [thread.name for thread in set(threading.enumerate()) - before]
