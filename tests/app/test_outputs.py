"""Lamps and buzzer of a table: simulated where it is, said once where they are missing, and heard once."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lastnose.companion.app.app import App
from lastnose.companion.app.sources import hears
from lastnose.companion.config.neighbours import HookSettings, Neighbours
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.ports import Signal
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Arm, Start

from tests.support.fakes import VERDICT
from tests.support.ports import post_server
from tests.support.profiles import read_profile

WITHIN_S = 120


HOME = """
name = "home"
board = "pi"
[pins]
noses = [5, 6, 12]
{lamps}
buzzer = 18
"""


def test_neighbours_hear_of_a_table_from_its_start_and_a_dead_one_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook hears what the host does; one whose port is closed is said by its number and its host alone."""
    heard, said, news = list[Any](), list[str](), threading.Condition()

    def warning(form: str, *words: str) -> None:
        with news:
            said.append(form % words)
            news.notify_all()

    monkeypatch.setattr("lastnose.companion.app.app._log.warning", warning)

    def answer(request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        with news:
            heard.append(msgspec.json.decode(body))
            news.notify_all()
        request.send_response(204)
        request.end_headers()

    with post_server(answer) as gone:
        pass
    with post_server(answer) as url:
        hooks = tuple(HookSettings(f"{one}/hidden", "sixteen letters!") for one in (url, gone))
        settings = msgspec.structs.replace(
            home_settings(tmp_path, "lamps = [17, 27, 22]"), neighbours=Neighbours("Table 4", hook=hooks)
        )
        app = App(settings)
        app.start()
        try:
            app.table.submit(Start("pig", ("North", "East", "South")), "host").result(WITHIN_S)
            app.table.submit(Arm(), "host").result(WITHIN_S)
            with news:
                assert news.wait_for(lambda: "opened" in [one["event_type"] for one in heard], WITHIN_S)
                dead = "Webhook 2 (127.0.0.1) cannot be reached: "
                assert news.wait_for(lambda: any(dead in one for one in said), WITHIN_S)
        finally:
            app.stop()
    assert {"Table 4"} == {one["table"] for one in heard}
    assert heard[-1]["stage"] == "on"
    assert not [one for one in said if "hidden" in one or "sixteen" in one or "Webhook 1" in one]
    for thread in threading.enumerate():
        if thread.name in ("neighbours", "hook"):
            thread.join(WITHIN_S)
            assert not thread.is_alive()


@pytest.mark.parametrize("lamps", ["lamps = [17, 27, 22]", "leds = { data = 10, clock = 11, latch = 8 }"])
def test_lamps_and_buzzer_of_a_simulated_table_are_simulated_too(tmp_path: Path, lamps: str) -> None:
    """A laptop has no SPI and no pins, and nothing is amiss."""
    app = App(home_settings(tmp_path, lamps))
    app.start()
    try:
        threads = {thread.name for thread in threading.enumerate()}
        assert {"lamps", "buzzer"} <= threads
        app.table.submit(Start("pig", ("North", "East", "South")), "host").result(WITHIN_S)
        assert () == app.table.snapshot.faults
    finally:
        app.stop()
    assert not {"lamps", "buzzer"} & {thread.name for thread in threading.enumerate()}


def test_lamps_and_a_buzzer_that_are_missing_are_said_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """On the screens and in the log; the round is armed all the same."""
    monkeypatch.setattr("lastnose.hardware.outputs.lamps.PretendRegisters", missing)
    monkeypatch.setattr("lastnose.hardware.outputs.buzzer.mock_factory", missing)
    app = App(home_settings(tmp_path, "leds = { data = 10, clock = 11, latch = 8 }"))
    said = threading.Event()
    app.start()
    try:
        app.table.subscribe(
            lambda snapshot: said.set() if len(snapshot.faults) == 2 and snapshot.phase == "armed" else None
        )
        app.table.submit(Start("pig", ("North", "East", "South")), "host").result(WITHIN_S)
        app.table.submit(Arm(), "host").result(WITHIN_S)
        assert said.wait(WITHIN_S)
        assert {
            "The buzzer cannot be reached; the page has tones, and the game goes on. Reason: nothing there",
            "The lamps cannot be reached; the page shows them, and the game goes on. Reason: nothing there",
        } == {str(fault) for fault in app.table.snapshot.faults}
        assert 2 == len(caplog.messages)
    finally:
        app.stop()


def test_signals_are_played_once_and_those_of_before_are_not() -> None:
    """A screen changes more often than something is to be heard."""
    played: list[tuple[Signal, ...]] = []
    old = msgspec.structs.replace(VERDICT, signals=("armed",), signalled=3)
    hear = hears(played.append, old)
    hear(old)
    for version, signals in ((4, ("opened",)), (4, ("opened",)), (7, ("decided", "letter"))):
        hear(msgspec.structs.replace(old, signals=signals, signalled=version))
    assert [("opened",), ("decided", "letter")] == played


def home_settings(tmp_path: Path, lamps: str) -> RunSettings:
    """A run of a home table on simulated noses, with its own lamps and buzzer."""
    profile = read_profile(HOME.format(lamps=lamps), "home.toml")
    return RunSettings(source="mock", profile=profile, data_dir=tmp_path, port=0)


def missing(*_: object) -> Any:
    """Be a device that is not there."""
    raise DeviceError(text("nothing there"))
