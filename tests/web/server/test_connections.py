"""Deadlines, caps and who makes way, one request at a time: by themselves, and over real sockets."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from functools import wraps
from typing import Any

import pytest
from lastnose.web.hosts import LARGEST_BODY
from lastnose.web.server import application as application_module
from lastnose.web.server.application import Breath, Gate, heavy_paths
from lastnose.web.server.connections import Connections, ConnectionTiming, Pace, Room, room_here
from lastnose.web.server.server import Server

from tests.support.fakes import FakeTable
from tests.support.phones import TOKEN, TOKENS, Clock, make_access
from tests.support.streams import Stream, eventually
from tests.support.tables import started

CLOCK = b"GET /api/v1/clock HTTP/1.1\r\nHost: localhost\r\n\r\n"


class FakeLink:
    """A connection that only remembers whether it was ended."""

    def __init__(self, clock: Clock, host: str, port: int) -> None:
        self.client: tuple[str, int] | None = (host, port)
        self.timing = ConnectionTiming(Pace(), clock)
        self.ended = False

    def end(self) -> None:
        self.ended = True


class Lobby:
    """Connections with a clock that moves when told."""

    def __init__(self, most: int, most_of_one: int = 100, reserve: int = 2) -> None:
        self.clock = Clock()
        self.connections = Connections(Room(most, most_of_one, reserve), self.clock)
        self._port = 0

    def opens(self, host: str = "192.0.2.1", path: str | None = None) -> FakeLink:
        """Open a connection, a second later; let it ask for *path*."""
        self.clock.now_s += 1
        self._port += 1
        link = FakeLink(self.clock, host, self._port)
        self.connections.opened(link)
        if path is not None:
            link.timing.asks()
            link.timing.answers(path)
        return link


@pytest.fixture
def clock() -> Clock:
    """Return the clock of the server's patience."""
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Iterator[Server]:
    """Return a running server that often looks at its connections."""
    pace = Pace(tick_s=0.01)
    running = Server(FakeTable(), make_access(tokens=TOKENS), port=0, pace=pace, now_s=clock)
    running.start()
    yield running
    running.stop()


def answer_of(connection: socket.socket) -> bytes:
    """Return what comes until the other side ends the connection."""
    found = b""
    try:
        while more := connection.recv(65536):
            found += more
    except ConnectionResetError:
        pass
    return found


def test_who_rests_longest_makes_way_for_a_newcomer() -> None:
    """Neither a stream nor what is just being answered is ended, however old."""
    lobby = Lobby(4)
    stream, busy = lobby.opens(path="/events"), lobby.opens(path="/")
    half, idle = lobby.opens(), lobby.opens()
    lobby.clock.now_s += 1
    half.timing.asks()
    newcomer = lobby.opens()
    assert [False, False, False, True, False] == [
        link.ended for link in (stream, busy, half, idle, newcomer)
    ], "who asked a moment ago rests shorter than who has not yet asked at all"
    assert 4 == len(lobby.connections)
    lobby.opens()
    assert half.ended


def test_where_all_are_busy_a_newcomer_is_one_too_many() -> None:
    """A few more are let in, to be told so or to be known; beyond these nobody."""
    lobby = Lobby(2, reserve=1)
    known = [lobby.opens(path="/events") for _ in range(2)]
    extra = lobby.opens(path="/events")
    beyond = lobby.opens()
    assert [False, False, True] == [lobby.connections.is_extra(link.client) for link in (*known, extra)]
    assert [False, False, False, True] == [link.ended for link in (*known, extra, beyond)]
    lobby.connections.closed(extra)
    assert not lobby.connections.is_extra(extra.client)


def test_one_address_cannot_take_the_place_of_all() -> None:
    """Its own oldest goes, others stay; this machine itself may have as many as there are."""
    lobby = Lobby(100, most_of_one=3)
    other = lobby.opens("192.0.2.9")
    greedy = [
        lobby.opens("2001:db8::1"),
        lobby.opens("2001:db8::2"),
        *(lobby.opens("2001:db8::3") for _ in "ab"),
    ]
    assert [True, False, False, False] == [link.ended for link in greedy]
    assert not other.ended
    assert not any(lobby.opens("127.0.0.1").ended for _ in range(9))
    streams = [lobby.opens("192.0.2.5", "/events") for _ in range(4)]
    assert [False, False, False, True] == [lobby.connections.is_extra(link.client) for link in streams]


def test_places_are_free_again_when_connections_end() -> None:
    """Closing one that was ended already changes nothing."""
    lobby = Lobby(1)
    first = lobby.opens()
    second = lobby.opens()
    lobby.connections.closed(first)
    assert (True, 1) == (first.ended, len(lobby.connections))
    lobby.connections.closed(second)
    assert 0 == len(lobby.connections)


def test_every_stage_has_its_time() -> None:
    """20 s for the first byte, 20 for a request, 60 more for its answer, 65 to rest; a stream has none."""
    lobby = Lobby(9)
    started_s = lobby.clock.now_s + 1
    link = lobby.opens()
    timing, seen = link.timing, []
    seen.append(timing.deadline_s)
    lobby.clock.now_s += 5
    timing.asks()
    seen.append(timing.deadline_s)
    lobby.clock.now_s += 5
    timing.asks()
    seen.append(timing.deadline_s)
    timing.answers("/")
    seen.append(timing.deadline_s)
    timing.rests()
    seen.append(timing.deadline_s)
    timing.asks()
    seen.append(timing.deadline_s)
    assert [started_s + after_s for after_s in (20, 25, 25, 90, 75, 30)] == seen
    timing.answers("/events")
    assert timing.deadline_s is None
    timing.rests()
    lobby.clock.now_s += 65
    lobby.connections.look_after()
    assert not link.ended
    lobby.clock.now_s += 1
    lobby.connections.look_after()
    assert link.ended


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
@pytest.mark.parametrize("at_once", [False, True], ids=["after the answer", "together with the first"])
def test_a_second_request_that_does_not_come_whole_is_cut(
    server: Server, clock: Clock, begun: bytes, at_once: bool
) -> None:
    """A whole request, then the beginning of another: it has 20 s as the first one had, not 65 to rest."""
    with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
        connection.sendall(CLOCK + begun if at_once else CLOCK)
        answer = b""
        while not answer.endswith(b"}"):  # head and body may come one by one
            more = connection.recv(4096)
            assert more
            answer += more
        assert answer.startswith(b"HTTP/1.1 200")
        if not at_once:
            connection.sendall(begun)
        (link,) = server._connections._open.values()
        assert eventually(lambda: link.timing.stage == "asking")
        clock.now_s += 21
        assert b"" == answer_of(connection)


def test_a_body_that_does_not_come_is_refused_and_the_connection_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """408, and the end; the same where nobody reads the body."""
    monkeypatch.setattr(application_module, "_BODY_WITHIN_S", 0.01)
    for path in (b"/api/v1/commands", b"/api/v1/clock"):
        with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
            connection.sendall(
                b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
            )
            said = answer_of(connection)
        assert b" 408 " in said.partition(b"\r\n")[0]
        assert b"connection: close" in said.lower()


def test_a_body_too_large_is_refused_in_a_sentence_and_the_connection_closed(server: Server) -> None:
    """413 reaches the phone although it was still sending."""
    with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
        size = LARGEST_BODY + 200_000
        head = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size
        connection.sendall(head + b"x" * size)
        said = answer_of(connection)
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"256 KB" in said
    assert b"connection: close" in said.lower()


def test_a_body_that_says_it_will_be_too_large_is_refused_before_it_comes(server: Server) -> None:
    """Ten gigabytes are announced and none is sent: 413 at once, not 408 after a while."""
    head = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
        connection.sendall(head)
        said = answer_of(connection)
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"256 KB" in said


def test_a_body_in_chunks_is_read_like_any_other_and_refused_where_it_is_too_large(server: Server) -> None:
    """Programs that do not know a length beforehand send so: a tape of "x" is judged, and is none."""
    head = b"POST /api/v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"Authorization: Bearer %s\r\nConnection: close\r\n" % TOKEN.encode()
    whole = b'{"tape":"x"}'
    with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
        connection.sendall(head + b"Content-Length: 12\r\n\r\n" + whole)
        said = answer_of(connection)
    bodies = {}
    for size in (len(whole), LARGEST_BODY + 1):
        with socket.create_connection(("127.0.0.1", server.port), 120) as connection:
            chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (size, whole.ljust(size))
            connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
            bodies[size] = answer_of(connection)
    assert said.startswith(b"HTTP/1.1 422 ")
    assert said.rpartition(b"\r\n")[2] == bodies[len(whole)].rpartition(b"\r\n")[2]
    assert bodies[LARGEST_BODY + 1].startswith(b"HTTP/1.1 413 ")


def test_where_it_is_full_strangers_are_told_and_the_table_itself_gets_through() -> None:
    """Two places, taken by viewers: a page and an API call are refused in a sentence, a token is not."""
    room = Room(most=2, most_of_one=99, reserve=5)
    with ExitStack() as stack:
        running = stack.enter_context(
            started(Server(FakeTable(), make_access(tokens=TOKENS), port=0, room=room))
        )
        for _ in range(2):
            stack.enter_context(Stream(running)).message()
        assert eventually(lambda: running.viewers == 2)
        for path, more, status, says in (
            (
                "/",
                "Accept: text/html\r\nAccept-Language: fr\r\nX-Real-IP: 192.0.2.7",
                503,
                "Trop de demandes à la fois",
            ),
            ("/api/v1/state", "X-Real-IP: 192.0.2.7", 503, '"error":"Too many ask at once'),
            ("/events", "X-Real-IP: 192.0.2.7", 503, "Too many ask at once"),
            (
                "/api/v1/state",
                f"X-Real-IP: 192.0.2.7\r\nAuthorization: Bearer {TOKEN}",
                200,
                '"version":7',
            ),
            ("/api/v1/state", "X-Nothing: special", 200, '"version":7'),
        ):
            with socket.create_connection(("127.0.0.1", running.port), 120) as asking:
                head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n\r\n"
                asking.sendall(head.encode())
                said = answer_of(asking).decode()
            assert (f"HTTP/1.1 {status} ", True) == (said[:13], says in said)


def test_the_room_is_as_large_as_the_files_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,500 connections where the system lets us, fewer where it does not, never none."""
    for files, most, of_one, reserve in (
        (1_000_000, 1500, 64, 60),
        (1024, 844, 64, 60),
        (256, 76, 19, 60),
        (64, 8, 4, 23),
        (24, 3, 4, 3),
        (16, 2, 4, 2),
    ):
        monkeypatch.setattr("lastnose.web.server.connections.allow_files", lambda wanted, found=files: found)
        assert Room(most, of_one, reserve) == room_here()


LITTLE = """
import resource, sys, time
files = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
from tests.support.fakes import FakeTable
from tests.support.phones import make_access
from lastnose.web.server.server import Server
running = Server(FakeTable(), make_access(), port=0)
running.start()
print(running.port, flush=True)
sys.stdin.read()
running.stop()
"""


@pytest.mark.heavy
@pytest.mark.parametrize("files", [200, 24])
@pytest.mark.skipif(sys.platform == "win32", reason="no limit of files to run into")
def test_a_thousand_half_requests_neither_stop_the_page_nor_fill_the_log(files: int) -> None:
    """A table with room for few files: each half request comes in, an older one goes, a phone is answered."""
    with ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", LITTLE, str(files)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        )
        assert process.stdin is not None
        port = int(process.stdout.readline())
        for _ in range(300):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port), 120))
            half.sendall(CLOCK)
            assert half.recv(4096)
            half.sendall(b"G")
        with socket.create_connection(("127.0.0.1", port), 120) as phone:
            phone.sendall(CLOCK)
            assert phone.recv(4096).startswith(b"HTTP/1.1 200")
        _, complaints = process.communicate(timeout=120)
        assert len(complaints) < 4000, complaints[-4000:]


class Visits:
    """Requests to a gate, in the order in which they get through; each stays inside until told to go."""

    def __init__(self, **breath: Any) -> None:
        self.gate = Gate(Breath(**{"rest_s": 0.0, "slow_s": 0.0, "patience_s": 3600.0, **breath}))
        self.passed: list[str] = []
        self.refused: list[str] = []
        self.go = asyncio.Event()
        self.inside = 0
        self.most_inside = 0

    async def visit(self, name: str, address: str = "192.0.2.1") -> None:
        """Go through the gate."""
        async with self.gate.passing(address) as may:
            if not may:
                self.refused.append(name)
                return
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
            self.passed.append(name)
            await self.go.wait()
            self.inside -= 1

    async def arrive(self, *visits: tuple[str, str]) -> list[asyncio.Task[None]]:
        """Let *visits* (a name and an address each) come one after the other, up to the gate."""
        tasks = []
        for name, address in visits:
            tasks.append(asyncio.create_task(self.visit(name, address)))
            for _ in range(3):
                await asyncio.sleep(0)
        return tasks


def played(scene: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Return a test that plays *scene* to its end."""
    return wraps(scene)(lambda: asyncio.run(asyncio.wait_for(scene(), 30)))


@played
async def test_addresses_take_turns_however_many_one_of_them_sends() -> None:
    """Never two at a time; a phone that asks once comes second, not behind the loop of another."""
    visits = Visits()
    a, b = "192.0.2.1", "192.0.2.2"
    tasks = await visits.arrive(("a1", a), ("a2", a), ("a3", a), ("a4", a), ("b1", b))
    visits.go.set()
    await asyncio.gather(*tasks)
    assert ["a1", "a2", "b1", "a3", "a4"] == visits.passed
    assert 1 == visits.most_inside
    await asyncio.sleep(0.001)
    assert not visits.gate._taken


@played
async def test_one_address_waits_with_few_and_all_with_more() -> None:
    """Beyond two of one address, and beyond three in all, they are refused; this machine has no limit."""
    visits = Visits(most_of_one=2, most=5)
    a, b, own = "192.0.2.1", "192.0.2.2", "127.0.0.1"
    names = [("a1", a), ("a2", a), ("a3", a), ("a4", a), ("b1", b), ("o1", own), ("o2", own), ("o3", own)]
    tasks = await visits.arrive(*names)
    await asyncio.sleep(0.001)
    assert (["a4", "o3"], 5) == (visits.refused, visits.gate.waiting)
    visits.go.set()
    await asyncio.gather(*tasks)


@played
async def test_who_waits_too_long_is_refused_and_leaves_no_trace() -> None:
    """Its place in the queue is free again."""
    visits = Visits(patience_s=0.001)
    tasks = await visits.arrive(("a1", "192.0.2.1"), ("b1", "192.0.2.2"))
    await tasks[1]
    assert (["b1"], 0) == (visits.refused, visits.gate.waiting)
    visits.go.set()
    await tasks[0]


@played
async def test_who_goes_away_while_waiting_or_just_let_in_holds_nobody_up() -> None:
    """A phone that closes the page."""
    visits = Visits()
    first, second, third, fourth = await visits.arrive(
        *((name, f"192.0.2.{number}") for number, name in enumerate("abcd", 1))
    )
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    await asyncio.sleep(0.001)
    assert ["a", "c"] == visits.passed
    visits.gate._open()  # fourth is let in, and goes at that very moment
    fourth.cancel()
    await asyncio.gather(fourth, return_exceptions=True)
    visits.go.set()
    await third
    await visits.visit("e")
    assert ["a", "c", "e"] == visits.passed


@pytest.mark.parametrize(
    ("path", "heavy"),
    [
        ("/api/v1/sheet/rules-query", True),
        ("/api/v1/export.csv", True),
        ("/api/v1/contract", True),
        ("/api/v1/rounds", True),
        ("/api/v1/rounds/7/tape", True),
        ("/statistics", True),
        ("/history", True),
        ("/oled.png", True),
        ("/api/v1/commands", False),
        ("/api/v1/taps", False),
        ("/api/v1/clock", False),
        ("/api/v1/sheet", False),
        ("/api/v1/join", False),
        ("/static/pages/statistics.js", False),
        ("/", False),
    ],
)
def test_only_what_takes_long_goes_through_the_gate(path: str, heavy: bool) -> None:
    """What people do at the table never waits behind it."""
    assert heavy == bool(heavy_paths().match(path))
