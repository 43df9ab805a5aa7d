"""The wiring: a tape played as a table, and what comes down when something cannot be had."""

from __future__ import annotations

import json
import threading
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app import App, hears
from companion.commands import Start
from companion.config import RunSettings, load_profile
from companion.errors import DeviceError, TapeError
from companion.ports import Signal
from companion.profile import read_profile
from companion.snapshot import Snapshot
from companion.text import text
from hardware.oled import Oled
from tests.fakes import VERDICT

WITHIN_S = 20
LINES = [
    '{"tape":1,"game":"pig","players":["North","East","South"],"options":{"word":"OINK"}}',
    '{"arm":0}',
    *(
        json.dumps({"t_ns": t, "source": "gpio", "line": f"nose.{n}", "level": 1, "u_ns": 10_000})
        for n, t in ((1, 1_000_000), (2, 1_300_000), (3, 1_712_000))
    ),
]


def settings_for(tmp_path: Path, lines: list[str]) -> RunSettings:
    """A run that plays a tape at once."""
    tape = tmp_path / "a.jsonl"
    tape.write_text("\n".join(lines), encoding="utf-8")
    return RunSettings(
        source="replay",
        profile=load_profile("mock"),
        data_dir=tmp_path / "data",
        port=0,
        tape=tape,
        speed=0,
    )


def test_a_tape_is_played_to_the_screens_and_leaves_no_evening_behind(tmp_path: Path) -> None:
    """The verdict of the tape is on the page; its noses cannot be tapped; the log has not been touched."""
    app = App(settings_for(tmp_path, LINES))
    (url,) = app.start()
    try:
        decided = threading.Event()
        found: list[Snapshot] = []

        def listen(snapshot: Snapshot) -> None:
            if snapshot.phase == "verdict":
                found.append(snapshot)
                decided.set()

        app.table.subscribe(listen)
        listen(app.table.snapshot)
        assert decided.wait(WITHIN_S)
        assert str(found[0].headline) == "South was last: O"
        assert str(found[0].proof[0]) == "412 µs behind East, sure to ± 20 µs."
        assert found[0].simulated
        with urllib.request.urlopen(url, timeout=WITHIN_S) as page:
            html = page.read().decode()
        assert 'id="noses"' not in html
        assert 'id="players"' in html
    finally:
        app.stop()
    assert not (tmp_path / "data" / "lastnose.sqlite").exists()


def test_a_network_that_comes_late_is_shown_to_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi may start before its router: the small screen then shows the way, and so does the page."""
    address: list[str] = []
    told: list[Any] = []
    shown = threading.Event()
    monkeypatch.setattr("companion.app.ADDRESS_S", 0.01)
    monkeypatch.setattr("web.server.lan_address", lambda: address[0] if address else None)

    def join(self: Oled, info: Any) -> None:
        told.append(info)
        if info.pin is not None:
            shown.set()

    monkeypatch.setattr(Oled, "join", join)
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0, lan=True))
    (url,) = app.start()
    try:
        assert app.join_address is None
        assert [None] == [info.pin for info in told[:1]]
        address.append("192.0.2.2")
        assert shown.wait(WITHIN_S)
        port = url.rstrip("/").rpartition(":")[2]
        assert f"http://192.0.2.2:{port}/join#{app.access.pin}" == app.join_address
        with urllib.request.urlopen(url, timeout=WITHIN_S) as page:
            assert f"http://192.0.2.2:{port}/join" in page.read().decode()
    finally:
        app.stop()


@pytest.mark.parametrize(
    "lines",
    [["{}"], [LINES[0].replace("pig", "whist")], [LINES[0].replace("OINK", "")]],
)
def test_a_tape_that_does_not_fit_starts_nothing(tmp_path: Path, lines: list[str]) -> None:
    """One error that names the file, and the port is free again: a second run says the same."""
    for _ in range(2):
        with pytest.raises(TapeError, match=r"a\.jsonl: "):
            App(settings_for(tmp_path, lines)).start()


def test_a_move_of_a_tape_that_does_not_fit_is_said_on_the_screens(tmp_path: Path) -> None:
    """It is left out, and not in silence."""
    talked = '{"move":{"type":"talked","seat":1},"t_ns":900000}'
    app = App(settings_for(tmp_path, [*LINES[:2], talked, *LINES[2:]]))
    app.start()
    try:
        said = threading.Event()

        def listen(snapshot: Snapshot) -> None:
            if any("everybody may talk" in str(fault) for fault in snapshot.faults):
                said.set()

        app.table.subscribe(listen)
        listen(app.table.snapshot)
        assert said.wait(WITHIN_S)
    finally:
        app.stop()


HOME = """
name = "home"
board = "pi"
[pins]
noses = [5, 6, 12]
{lamps}
buzzer = 18
"""


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
    monkeypatch.setattr("hardware.lamps.PretendRegisters", missing)
    monkeypatch.setattr("hardware.sound.mock_factory", missing)
    app = App(home_settings(tmp_path, "leds = { data = 10, clock = 11, latch = 8 }"))
    said = threading.Event()
    app.start()
    try:
        app.table.subscribe(
            lambda snapshot: said.set() if len(snapshot.faults) == 2 and snapshot.phase == "armed" else None
        )
        app.table.submit(Start("pig", ("North", "East", "South")), "host").result(WITHIN_S)
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
