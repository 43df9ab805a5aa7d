"""Heavy work is done in another process, says the same there, and nothing of it is started before."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from lastnose.companion.core.errors import Busy
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Start
from lastnose.companion.system.workshop import Workshop
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.web.server.server import Server

from tests.support.fakes import FakeTable
from tests.support.phones import Phone, make_access, make_app
from tests.web.server.test_live import fetch

HAND = "number=1&cards=3S&cards=4S&cards=3H&cards=3D&cards=9C"
PATHS = (
    "/api/v1/statistics",
    "/api/v1/statistics/glance",
    "/api/v1/statistics/all",
    "/api/v1/statistics.csv",
    "/api/v1/statistics/all.csv",
    "/api/v1/rounds",
    "/api/v1/export.json",
    "/api/v1/export.csv",
    f"/api/v1/contract?{HAND}",
    "/api/v1/sheet/rules-query?about=meld&pieces=3S&pieces=3H&pieces=3D&lang=fr",
    "/api/v1/sheet/rules-query?about=nonsense&pieces=3S",
    "/api/v1/contract?number=99&cards=3S",
    "/api/v1/points?game=swedish-gin&pieces=3S&pieces=KD",
    "/api/v1/points?game=swedish-gin&pieces=5-5&lang=bs",
    "/api/v1/qr.svg",
    "/api/v1/wifi.svg",
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableThread]:
    """Return a running table with a sheet that has two hands."""
    store = Store(tmp_path)
    made = TableThread(Table(store, ("nose.1", "nose.2"), simulated=True))
    made.start()
    made.submit(Start("swedish-gin", ("Zoé", "East", "South"), {}), "test").result(120)
    yield made
    made.stop()
    store.close()


@pytest.fixture
def workshop() -> Iterator[Workshop]:
    """Return a second process, which ends with the test."""
    made = Workshop(within_s=120)
    yield made
    made.close()


def test_what_is_worked_out_elsewhere_is_what_would_be_worked_out_here(
    table: TableThread, workshop: Workshop
) -> None:
    """Figures, history, exports, contract help and its refusals: byte by byte."""
    here, there = Phone(make_app(table)), Phone(make_app(table, workshop=workshop))
    for path in PATHS:
        expected, found = here.get(path), there.get(path)
        assert (expected.status_code, expected.data) == (found.status_code, found.data), path
    named = [one.get("/statistics").data.count("Zoé".encode()) for one in (here, there)]
    assert named[0] == named[1] > 0
    assert workshop.pid is not None


def test_the_figures_are_those_of_now(table: TableThread, workshop: Workshop) -> None:
    """What is kept in memory is forgotten as soon as the log goes on."""
    browser = Phone(make_app(table, workshop=workshop))
    before = browser.get("/api/v1/export.json").json["events"]
    assert before == browser.get("/api/v1/export.json").json["events"]
    table.submit(Start("swedish-gin", ("North", "East", "South"), {}), "test").result(120)
    assert len(before) < len(browser.get("/api/v1/export.json").json["events"])


def test_a_log_that_cannot_be_read_beside_the_table_is_no_reason_to_say_nothing(
    table: TableThread, workshop: Workshop, tmp_path: Path
) -> None:
    """The table knows its evening by heart."""
    browser = Phone(make_app(table, workshop=workshop))
    for file in tmp_path.glob("lastnose.sqlite*"):
        file.unlink()
    assert 200 == browser.get("/api/v1/statistics").status_code


def test_a_table_alone_stays_light(table: TableThread) -> None:
    """The second process begins with the first question that takes long."""
    server = Server(table, make_access(), port=0)
    server._workshop._within_s = 120
    server.start()
    try:
        for path in ("/", "/api/v1/state", "/help/pig"):
            assert 200 == fetch(server, path)[0]
        assert server._workshop.pid is None
        assert 200 == fetch(server, f"/api/v1/contract?{HAND}")[0]
        assert server._workshop.pid is not None
    finally:
        server.stop()
    assert server._workshop.pid is None


def test_while_heavy_questions_wait_the_table_answers(
    table: TableThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty of them at once, the worker asleep: commands and the state come through all the same."""
    server = Server(table, make_access(), port=0)
    go = threading.Event()
    monkeypatch.setattr(server._workshop, "do", lambda *_: go.wait(120) and b"{}")
    server.start()
    asked: list[int] = []
    questions = [
        threading.Thread(target=lambda: asked.append(fetch(server, "/api/v1/statistics")[0]))
        for _ in range(20)
    ]
    try:
        for question in questions:
            question.start()
        assert 200 == fetch(server, "/api/v1/state")[0]
        assert 200 == fetch(server, "/api/v1/games")[0]
        assert [] == asked
        go.set()
        for question in questions:
            question.join(120)
        assert 200 in asked
        assert {200, 503} >= set(asked)
    finally:
        go.set()
        server.stop()


def test_busy_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with when to come back."""

    def refuse(*_: object) -> bytes:
        raise Busy(text("Busy."))

    workshop = Workshop(within_s=120)
    monkeypatch.setattr(workshop, "do", refuse)
    answer = Phone(make_app(FakeTable(), workshop=workshop)).get(f"/api/v1/contract?{HAND}")
    assert (503, "3") == (answer.status_code, answer.headers["Retry-After"])
    assert "Busy." == json.loads(answer.data)["error"]
