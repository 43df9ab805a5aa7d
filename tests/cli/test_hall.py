"""`lastnose hall`: what the commands start."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from lastnose.companion.app.event_hall import HallSettings
from lastnose.companion.cli import hall, main
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.event import commands
from lastnose.companion.link import engine
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.commands import lastnose
from tests.support.halls import arranged


def test_a_simulated_hall_has_a_folder_of_its_own_and_stays_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight tables, unless another number is asked for; none is no number."""
    begun: list[tuple[HallSettings, int]] = []
    monkeypatch.setattr(hall, "_serve", lambda settings, tables: begun.append((settings, tables)))
    monkeypatch.setattr("lastnose.companion.config.settings.default_data_dir", lambda: tmp_path)
    for words in (["simulate"], ["simulate", "--tables", "20", "--port", "8200"]):
        assert 0 == CliRunner().invoke(hall.command, words).exit_code
    assert [(tmp_path / "rehearsal", 8100, 8), (tmp_path / "rehearsal", 8200, 20)] == [
        (settings.folder, settings.port, tables) for settings, tables in begun
    ]
    assert [False, False] == [settings.lan for settings, _ in begun]
    assert 2 == CliRunner().invoke(hall.command, ["simulate", "--tables", "0"]).exit_code


def test_status_tells_the_trouble_of_the_message_server_before_anything_is_set_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its status is 1 then, as JSON too; 0 when nothing is wrong."""
    found = {"headline": "No event is set up yet"}
    monkeypatch.setattr(hall, "_asked", lambda address, what: found)
    assert 0 == lastnose("hall", "status").exit_code
    found["engine"] = "The message server cannot be reached."
    said = lastnose("hall", "status")
    assert (1, "No event is set up yet\n    ! The message server cannot be reached.\n") == (
        said.exit_code,
        said.stdout,
    )
    assert 1 == lastnose("hall", "status", "--json").exit_code


def test_status_says_of_each_thing_that_needs_somebody_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to do stands there; the status is 1."""
    todo = {"number": 1, "says": "Under its name has come what no table writes.", "why": "Remove it."}
    found = {"headline": "Welcome", "todos": [todo, {"number": 2, "says": "Slow."}]}
    monkeypatch.setattr(hall, "_asked", lambda address, what: found)
    said = CliRunner().invoke(hall.command, ["status"], standalone_mode=False)
    assert 1 == said.return_value
    assert [
        "Welcome",
        "   1! Under its name has come what no table writes. Remove it.",
        "   2! Slow.",
    ] == said.output.splitlines()


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("waiting", "pas commencé"),
        ("playing", "joue"),
        ("unsigned", "pas signé"),
        ("doubtful", "à vérifier"),
        ("counts", "compte"),
        ("typed", "saisi à la main"),
        ("free", "prêt"),
    ],
)
def test_status_says_how_a_table_stands_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch, state: str, said: str
) -> None:
    """Whatever the API calls it."""
    found = {"headline": "Bonjour", "tables": [{"number": 3, "have": 4, "n": 4, "state": state, "says": ""}]}
    monkeypatch.setattr(hall, "_asked", lambda address, what: found)
    assert said in lastnose("--lang", "fr", "hall", "status").stdout


def test_nothing_is_exported_from_a_folder_without_an_event(tmp_path: Path) -> None:
    """A folder that was mistyped is not made, nor is a file that says that nobody came."""
    folder, file = tmp_path / "typo", tmp_path / "event.json"
    done = CliRunner().invoke(hall.command, ["export", str(file), "--data", str(folder)])
    assert (2, True) == (done.exit_code, "There is no event in" in done.output)
    assert not folder.exists()
    assert not file.exists()


def test_an_event_is_exported_while_its_hall_runs(tmp_path: Path) -> None:
    """All that is in its log by then; the hall goes on, and its folder has nothing new."""
    with closing(HallStore(tmp_path / "cup")) as store:
        running = Hall(store)
        arranged(running, "Ana,Ben,Zoë")
        before = sorted(one.name for one in (tmp_path / "cup").iterdir())
        command = ["export", str(tmp_path / "event.json"), "--data", str(tmp_path / "cup")]
        done = CliRunner().invoke(hall.command, command)
        assert (0, True) == (done.exit_code, "Written" in done.output)
        assert before == sorted(one.name for one in (tmp_path / "cup").iterdir())
        running.do(commands.AddPeople("Late"), "Ann")
    made = json.loads((tmp_path / "event.json").read_text())
    assert "Zoë" in json.dumps(made, ensure_ascii=False)
    assert "Late" not in json.dumps(made)


def test_an_event_is_exported_as_what_its_ending_says_and_as_nothing_else(tmp_path: Path) -> None:
    """The endings that are known are named; nothing is written under another one, nor without one."""
    HallStore(tmp_path / "cup").close()

    def export(name: str) -> tuple[int, str]:
        where = ["--data", str(tmp_path / "cup")]
        done = CliRunner().invoke(hall.command, ["export", str(tmp_path / name), *where])
        return done.exit_code, done.output

    for name in ("x.pdf", "x"):
        code, says = export(name)
        assert (2, True) == (
            code,
            "(.json), its standings (.csv), or all results as one page (.html)" in says,
        )
        assert not (tmp_path / name).exists()
    assert 0 == export("x.JSON")[0]
    assert 0 == export("x.csv")[0]
    assert b"{" == (tmp_path / "x.JSON").read_bytes()[:1]
    assert b"\xef\xbb\xbfplace," == (tmp_path / "x.csv").read_bytes()[:9]


NEEDS_A_SERVER = (("hall", "run"), ("hall", "simulate"))
NEEDS_A_CLIENT = (
    *NEEDS_A_SERVER,
    ("hall", "join", "http://127.0.0.1:9/#abcdefghjk"),
    ("run", "--source", "mock", "--hall", "http://127.0.0.1:9/#abcdefghjk"),
)


@pytest.mark.parametrize("words", NEEDS_A_SERVER, ids=" ".join)
def test_without_a_message_server_one_sentence_says_so_and_nothing_is_begun(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None beside this Python, of the package or of the system: exit 2, and no folder is made."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    said = CliRunner().invoke(main, ["--lang", "en", *words, "--data", str(tmp_path / "new")])
    assert (2, 1) == (said.exit_code, said.stderr.count("\n"))
    assert "A hall needs nats-server 2.10.23 or newer. It comes with “make hall”" in said.stderr
    assert ("", []) == (said.stdout, list(tmp_path.iterdir()))


@pytest.mark.parametrize("part", ["nats.aio.client", "nacl.signing"])
@pytest.mark.parametrize("words", NEEDS_A_CLIENT, ids=lambda words: " ".join(words[:2]))
def test_without_what_speaks_to_a_hall_one_sentence_names_it_and_nothing_is_asked(
    words: tuple[str, ...], part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the hall's address is tried: its sentence would be another."""
    monkeypatch.setitem(sys.modules, part, None)
    said = CliRunner().invoke(main, ["--lang", "en", *words])
    assert (2, "") == (said.exit_code, said.stdout)
    assert (
        f"Error: The Python package {part.partition('.')[0]} is missing here: install Last Nose again"
        in said.stderr
    )
    assert 1 == said.stderr.count("\n")


def test_the_server_of_the_debian_package_is_taken_before_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's may be too old: Debian 12 has 2.9."""
    packaged = tmp_path / "nats-server"
    packaged.write_text("#!/bin/sh\necho nats-server: v2.15.1\n")
    packaged.chmod(0o755)
    old = tmp_path / "path" / "nats-server"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho nats-server: v2.9.10\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    monkeypatch.setattr(engine, "PACKAGED", str(packaged))
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert packaged == engine.find_server()
    monkeypatch.setattr(engine, "PACKAGED", str(tmp_path / "none"))
    with pytest.raises(DeviceError, match=r"needs nats-server 2\.10\.23 or newer"):
        engine.find_server()
