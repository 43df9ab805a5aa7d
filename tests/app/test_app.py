"""The wiring: a tape played as a table, and what comes down when something cannot be had."""

from __future__ import annotations

import json
import threading
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.app.app import App
from lastnose.companion.config.settings import RunSettings, load_profile, run_settings
from lastnose.companion.core.errors import TapeError
from lastnose.companion.evening.commands import Arm, NewEvening, Start
from lastnose.companion.table.log_file import connect, rows
from lastnose.companion.table.rescue import COPY, is_copied
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.oled.display import Oled

from tests.support.streams import eventually

WITHIN_S = 120
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
        assert str(found[0].proof[0]) == "0.4 ms behind East: clear."
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
    monkeypatch.setattr("lastnose.companion.app.app.ADDRESS_S", 0.01)
    monkeypatch.setattr(
        "lastnose.web.server.page_server.lan_address", lambda: address[0] if address else None
    )

    def join(self: Oled, info: Any) -> None:
        told.append(info)
        if info.pin is not None:
            shown.set()

    monkeypatch.setattr(Oled, "join", join)
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0, lan=True))
    (url,) = app.start()
    try:
        assert app.host_address is None
        assert [None] == [info.pin for info in told[:1]]
        address.append("192.0.2.2")
        assert shown.wait(WITHIN_S)
        port = url.rstrip("/").rpartition(":")[2]
        assert f"http://192.0.2.2:{port}/host#{app.access.secret}" == app.host_address
        with urllib.request.urlopen(url, timeout=WITHIN_S) as page:
            assert f"http://192.0.2.2:{port}/join" in page.read().decode()
    finally:
        app.stop()


def test_an_evening_that_begins_has_a_pin_of_its_own_on_every_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, also on the small screen; after a restart of the same evening it is still the same."""
    told: list[Any] = []
    shown = threading.Event()
    monkeypatch.setattr("lastnose.web.server.page_server.lan_address", lambda: "192.0.2.2")

    def join(self: Oled, info: Any) -> None:
        told.append(info.pin)
        if told[0] != info.pin:
            shown.set()

    monkeypatch.setattr(Oled, "join", join)
    settings = RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0, lan=True)
    app = App(settings)
    app.start()
    try:
        old, secret = app.access.pin, app.access.secret
        app.table.submit(NewEvening(), "host").result(WITHIN_S)
        assert shown.wait(WITHIN_S)
        assert old == told[0]
        assert old != told[-1] == app.access.pin
        assert app.access.secret in (app.host_address or "")
        assert secret != app.access.secret
    finally:
        app.stop()
    again = App(settings)
    again.start()
    again.stop()
    assert app.access.pin == again.access.pin


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


def test_the_last_copy_has_what_the_table_wrote_while_it_stopped(tmp_path: Path) -> None:
    """An armed round that nobody touched is taken back at the end (judged void): the stick knows that too."""
    stick = tmp_path / "stick"
    stick.mkdir()
    app = App(run_settings(source="mock", data_dir=tmp_path / "data", port=0, lan=False, backup=stick))
    app.start()
    try:
        app.table.submit(Start("pig", ("North", "East", "South"), rearm_s=None), "test").result(WITHIN_S)
        app.table.submit(Arm(), "test").result(WITHIN_S)
        assert eventually(lambda: app.table.snapshot.phase == "armed")
    finally:
        app.stop()
    assert is_copied(tmp_path / "data", stick)
    with closing(connect(stick / COPY, "ro")) as copy:
        assert ["started", "armed", "judged"] == [row.type for row in rows(copy)]
