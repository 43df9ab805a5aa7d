"""A machine comes into a hall over its pages: both ends of the call, and what answers that is no hall."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
import zeroconf
from lastnose.companion.core.errors import BadInput
from lastnose.companion.event import commands, messages
from lastnose.companion.link import membership
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.web.hall.server import HallServer

from tests.support.phones import make_access


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Hall, Callable[[], str]]]:
    """Return a hall, and what makes the line with a new code for a table."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store)
    server = HallServer(hall, make_access(), port=0, engine=lambda host: f"nats://{host}:4222")
    server.start()
    yield hall, lambda: f"http://127.0.0.1:{server.port}/#{hall.invite()}"
    server.stop()
    store.close()


def test_a_table_that_comes_in_twice_is_the_same_and_after_it_left_another(
    served: tuple[Hall, Callable[[], str]], tmp_path: Path
) -> None:
    """What was spoilt under its old name is refused until it has left; the code is not used up by that."""
    hall, line = served
    first = membership.join(tmp_path, line())
    assert (first.event, 1, "nats://127.0.0.1:4222") == (hall.event, first.number, first.engine)
    assert first == membership.join(tmp_path, line()) == membership.load(tmp_path)
    hall.refused(first.table, messages.HOLE)
    hall.do(commands.PutTableOut(1), "Ann")
    address = line()
    with pytest.raises(BadInput, match=r"Nothing more can be taken .* lastnose hall leave"):
        membership.join(tmp_path, address)
    assert membership.leave(tmp_path)
    second = membership.join(tmp_path, address)
    assert (1, True) == (second.number, second.table != first.table and second.seed != first.seed)


@pytest.mark.parametrize(
    ("name", "on", "problem"),
    [
        ("kitchen.example.org", None, None),
        ("kitchen", ["10.0.0.5"], None),
        ("kitchen", None, OSError("no network")),
        ("", None, None),
        (".", None, None),
    ],
)
def test_a_hall_is_announced_under_its_machines_name_or_another_until_it_ends(
    monkeypatch: pytest.MonkeyPatch, name: str, on: list[str] | None, problem: Exception | None
) -> None:
    """Two machines may have one name; and no network, or one that lets nothing through, is no trouble."""
    did, daemons = Queue[object](), list[bool]()

    class Network:
        def __init__(self, interfaces: object, ip_version: object) -> None:
            daemons.append(threading.current_thread().daemon)
            did.put(interfaces)
            if on is None and problem is not None:
                raise problem

        def register_service(self, info: Any, allow_name_change: bool) -> None:
            did.put((info.name, info.server, info.port, info.parsed_addresses(), allow_name_change))
            if name == ".":
                raise RuntimeError

        def close(self) -> None:
            did.put("closed")

    monkeypatch.setattr("zeroconf.Zeroconf", Network)
    monkeypatch.setattr("socket.gethostname", lambda: "kitchen.local")
    end = membership.announce(8100, ["10.0.0.5"], name=name, on=on)
    assert (on or zeroconf.InterfaceChoice.All) == did.get(timeout=5)
    if problem is None:
        called = "hall" if name == "." else "kitchen"
        announced = f"{called}-8100.{membership.SERVICE}", f"{called}.local.", 8100, ["10.0.0.5"], True
        assert announced == did.get(timeout=5)
    assert did.empty() or name == "."
    end()
    assert (["closed"] if problem is None else []) == [did.get_nowait() for _ in range(did.qsize())]
    assert [True] == daemons


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """Serve *body* to whoever asks; give the line of such a hall."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *said: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/#abcd2345ef"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (200, b"<html>a router</html>", "is not a hall that this Last Nose understands."),
        (200, b'{"event": "abcdefgh"}', "is not a hall that this Last Nose understands."),
        (200, b'{"event": "abcdefgh", "number": "one", "engine": "x"}', "is not a hall that"),
        (422, b'{"error": "This code is used up."}', "This code is used up."),
        (502, b"gone", "502 Bad Gateway"),
        (403, b'{"error": "Changes come from the pages themselves."}', "is not a hall that"),  # a table
        (404, b"<html>Not found</html>", "is not a hall that"),
        (501, b"<html>Unsupported method</html>", "is not a hall that"),
    ],
)
def test_what_is_no_hall_is_said_and_nothing_is_remembered(
    tmp_path: Path, status: int, body: bytes, says: str
) -> None:
    """One sentence, whatever answers."""
    with answering(status, body) as line, pytest.raises(BadInput) as problem:
        membership.join(tmp_path, line)
    assert says in str(problem.value)
    assert membership.load(tmp_path) is None
