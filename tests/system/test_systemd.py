"""What a table says to systemd: ready with the page, alive with the judge, and few lines of one kind."""

from __future__ import annotations

import logging
import socket
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from lastnose.companion.app.app import App
from lastnose.companion.config.settings import RunSettings, load_profile
from lastnose.companion.core.text import text
from lastnose.companion.system.systemd import Every, LogLimit, Notifier, Watchdog, limit_logs, notifier
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.web.server.server import Server

WITHIN_S = 120


class Manager:
    """systemd's end of the line."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.settimeout(WITHIN_S)

    def hear(self) -> list[str]:
        """Wait for a message; return its lines."""
        return self._socket.recv(4096).decode().split("\n")

    def hears_nothing_for(self, s: float) -> bool:
        """Whether it stays quiet."""
        self._socket.settimeout(s)
        try:
            self._socket.recv(4096)
        except TimeoutError:
            return True
        finally:
            self._socket.settimeout(WITHIN_S)
        return False

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """A manager on a socket file."""
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.close()


def test_what_is_told_arrives_as_one_message(manager: Manager) -> None:
    """A line each."""
    Notifier(manager.address).tell("READY=1", "STATUS=The page is up")
    assert ["READY=1", "STATUS=The page is up"] == manager.hear()


def test_an_address_without_a_file_works_too(tmp_path: Path) -> None:
    """“@” stands for a name in the kernel's own space."""
    manager = Manager(f"@{tmp_path}/notify")
    Notifier(manager.address).tell("READY=1")
    assert ["READY=1"] == manager.hear()
    manager.close()


def test_a_manager_that_has_gone_is_no_error_of_the_table(tmp_path: Path) -> None:
    """The game goes on."""
    Notifier(str(tmp_path / "nobody")).tell("WATCHDOG=1")


@pytest.mark.parametrize("usec", ["", "0", "soon", "-5"])
def test_no_watchdog_means_no_heartbeat(usec: str) -> None:
    """As systemd says it, and as nobody should."""
    found = notifier({"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": usec})
    assert found is not None
    assert found.watchdog_s is None
    Watchdog(found, lambda within_s: pytest.fail("asked")).start()


def test_the_heart_beats_only_while_all_is_well(manager: Manager) -> None:
    """A judge that does not answer is not covered for; one that answers again is."""
    well = threading.Event()
    well.set()
    asked: list[float] = []

    def answer(within_s: float) -> bool:
        asked.append(within_s)
        return well.is_set()

    heart = Watchdog(Notifier(manager.address, watchdog_s=0.06), answer)
    heart.start()
    assert [["WATCHDOG=1"]] * 2 == [manager.hear(), manager.hear()]
    well.clear()
    assert any(manager.hears_nothing_for(0.2) for _ in range(50))  # after what was under way
    assert manager.hears_nothing_for(0.1)
    well.set()
    assert ["WATCHDOG=1"] == manager.hear()
    heart.stop()
    heart.stop()
    assert {0.02} == set(asked)


def test_a_tables_thread_answers_for_itself() -> None:
    """Before it runs and after it has ended it does not; while it is busy, not in time."""
    table = TableThread(Table(MemoryStore(), ("nose.1",), clock_ns=lambda: 0))
    assert not table.answers(0.01)
    table.start()
    assert table.answers(WITHIN_S)
    busy, let_go = threading.Event(), threading.Event()

    def think(snapshot: object) -> None:
        busy.set()
        let_go.wait(WITHIN_S)

    table.subscribe(think)
    table.reporter("oled")(None)
    table.reporter("oled")(text("Last Nose"))
    assert busy.wait(WITHIN_S)
    assert not table.answers(0.01)
    let_go.set()
    assert table.answers(WITHIN_S)
    table.stop()
    assert not table.answers(0.01)


def test_every_calls_at_once_and_again_until_it_is_stopped() -> None:
    """Also when it is stopped twice."""
    twice = threading.Event()
    calls: list[int] = []

    def call() -> None:
        calls.append(1)
        if len(calls) == 2:
            twice.set()

    every = Every(0.001, call, name="test")
    every.start()
    assert twice.wait(WITHIN_S)
    every.stop()
    count = len(calls)
    every.stop()
    assert count == len(calls)


@pytest.mark.parametrize("dead", ["judge", "page"])
def test_a_table_without_its_judge_or_its_page_says_no_more_that_it_is_well(
    manager: Manager, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dead: str
) -> None:
    """The process lives on, and that is not enough."""
    servers: list[Server] = []
    real = Server.start

    def start(self: Server) -> tuple[str, ...]:
        servers.append(self)
        return real(self)

    monkeypatch.setattr(Server, "start", start)
    monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
    monkeypatch.setenv("WATCHDOG_USEC", "90000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0))
    app.start()
    try:
        assert "READY=1" == manager.hear()[0]
        assert [["WATCHDOG=1"]] * 3 == [manager.hear() for _ in range(3)]
        if dead == "judge":
            app.table.stop()
        else:
            servers[0].stop()
        assert any(manager.hears_nothing_for(0.2) for _ in range(30))
    finally:
        app.stop()


def test_a_table_is_ready_when_its_page_is_and_says_that_it_stops(
    manager: Manager, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """READY with the address and without the PIN, then the heart, at last STOPPING; in this order."""
    monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0))
    (url,) = app.start()
    try:
        assert ["READY=1", f"STATUS=The page is at {url}"] == manager.hear()
        with urllib.request.urlopen(url, timeout=WITHIN_S) as page:
            assert 200 == page.status
        assert ["WATCHDOG=1"] == manager.hear()
    finally:
        app.stop()
    said = manager.hear()
    while said == ["WATCHDOG=1"]:
        said = manager.hear()
    assert ["STOPPING=1"] == said
    assert manager.hears_nothing_for(0.05)


def test_of_a_thousand_lines_a_minute_twenty_are_written_and_the_rest_are_counted() -> None:
    """Each kind for itself, whatever stands in its place holders; a minute later the first tells."""
    now_s = [0.0]
    limit = LogLimit(now_s=lambda: now_s[0])
    written = []

    def write(message: str, *args: object) -> None:
        record = logging.LogRecord("x", logging.WARNING, __file__, 1, message, args, None)
        if limit.filter(record):
            written.append(record.getMessage())

    for number in range(1000):
        write("no room for %d", number)
    write("something else")
    assert [*(f"no room for {number}" for number in range(20)), "something else"] == written
    now_s[0] = 60.5
    write("no room for %d", 7)
    write("no room for %d", 8)
    assert ["no room for 7 (980 more like this left out)", "no room for 8"] == written[-2:]


def test_kinds_do_not_pile_up() -> None:
    """A message that is new each time fills no memory."""
    limit = LogLimit(now_s=lambda: 0.0)
    for number in range(5000):
        limit.filter(logging.LogRecord("x", logging.WARNING, __file__, 1, f"kind {number}", (), None))
    assert len(limit._seen) <= 201


def test_a_logger_is_limited_once() -> None:
    """Two servers in one process share it."""
    for _ in range(2):
        limit_logs("lastnose.test.limit")
    assert 1 == len(logging.getLogger("lastnose.test.limit").filters)
