"""`lastnose hall`: what the commands start."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.event_hall import HallSettings
from companion.cli import hall
from companion.hall import commands, keys, membership
from companion.hall.hub import Hall
from companion.hall.membership import MachineComes, MachineIsIn
from companion.hall.store import HallStore
from tests.support.commands import lastnose
from tests.support.halls import arranged


def test_a_simulated_hall_has_a_folder_of_its_own_and_stays_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight tables, unless another number is asked for; none is no number."""
    begun: list[tuple[HallSettings, int]] = []
    monkeypatch.setattr(hall, "_serve", lambda settings, tables: begun.append((settings, tables)))
    monkeypatch.setattr("companion.config.settings.default_data_dir", lambda: tmp_path)
    for words in (["simulate"], ["simulate", "--tables", "20", "--port", "8200"]):
        assert 0 == CliRunner().invoke(hall.command, words).exit_code
    assert [(tmp_path / "rehearsal", 8100, 8), (tmp_path / "rehearsal", 8200, 20)] == [
        (settings.folder, settings.port, tables) for settings, tables in begun
    ]
    assert [False, False] == [settings.lan for settings, _ in begun]
    assert 2 == CliRunner().invoke(hall.command, ["simulate", "--tables", "0"]).exit_code


def test_a_second_hub_comes_in_once_and_goes_on_with_the_message_server_of_its_hall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--watch ADDRESS` joins; later starts know the server; `--take-over` leads; alone it is refused."""
    begun: list[HallSettings] = []
    monkeypatch.setattr(hall, "_serve", lambda settings, tables: begun.append(settings))
    seed = keys.make_seed()

    def ask(address: str, what: str, wish: MachineComes, kind: type[MachineIsIn]) -> MachineIsIn:
        assert ("http://192.0.2.5:8100/", "machines", "hub") == (address, what, wish.kind)
        assert "abcd2345ef" == wish.code
        return kind("abcdefgh", "nats://192.0.2.5:4222", keys.public_key(seed))

    monkeypatch.setattr(membership, "_ask", ask)
    where = ["run", "--folder", str(tmp_path / "spare")]
    refused = CliRunner().invoke(hall.command, [*where, "--take-over"])
    assert "let this machine in" in refused.output
    for words in (["--watch", "http://192.0.2.5:8100/#abcd2345ef"], [], ["--take-over"]):
        assert 0 == CliRunner().invoke(hall.command, [*where, *words]).exit_code
    assert [("nats://192.0.2.5:4222", False)] * 2 + [("nats://192.0.2.5:4222", True)] == [
        (one.engine, one.take_over) for one in begun
    ]
    again = CliRunner().invoke(hall.command, [*where, "--watch", "http://192.0.2.5:8100/#abcd2345ef"])
    assert "has an event already" in again.output
    wrong = CliRunner().invoke(
        hall.command, ["run", "--folder", str(tmp_path / "new"), "--watch", "nats://a"]
    )
    assert "no invitation of a hall" in wrong.output


def test_a_screen_without_a_hall_is_asked_for_the_address(tmp_path: Path) -> None:
    """One sentence; nothing is started, nothing is kept."""
    found = CliRunner().invoke(hall.command, ["screen", "--folder", str(tmp_path / "screen")])
    assert "in no hall yet" in found.output
    assert not (tmp_path / "screen").exists()


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
    todo = {"number": 1, "says": "Under its name has come what no table writes.", "why": "Put it out."}
    found = {"headline": "Welcome", "todos": [todo, {"number": 2, "says": "Slow."}]}
    monkeypatch.setattr(hall, "_asked", lambda address, what: found)
    said = CliRunner().invoke(hall.command, ["status"], standalone_mode=False)
    assert 1 == said.return_value
    assert [
        "Welcome",
        "   1! Under its name has come what no table writes. Put it out.",
        "   2! Slow.",
    ] == said.output.splitlines()


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("waiting", "pas commencé"),
        ("playing", "joue"),
        ("unsigned", "pas signé"),
        ("doubtful", "à regarder"),
        ("counts", "compte"),
        ("typed", "noté à la main"),
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
    done = CliRunner().invoke(hall.command, ["export", str(file), "--folder", str(folder)])
    assert (2, True) == (done.exit_code, "There is no event in" in done.output)
    assert not folder.exists()
    assert not file.exists()


def test_an_event_is_exported_while_its_hall_runs(tmp_path: Path) -> None:
    """All that is in its log by then; the hall goes on, and its folder has nothing new."""
    with closing(HallStore(tmp_path / "cup")) as store:
        running = Hall(store)
        arranged(running, "Ana,Ben,Zoë")
        before = sorted(one.name for one in (tmp_path / "cup").iterdir())
        command = ["export", str(tmp_path / "event.json"), "--folder", str(tmp_path / "cup")]
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
        where = ["--folder", str(tmp_path / "cup")]
        done = CliRunner().invoke(hall.command, ["export", str(tmp_path / name), *where])
        return done.exit_code, done.output

    for name in ("x.pdf", "x"):
        code, says = export(name)
        assert (2, True) == (code, ".json (everything) or .csv (standings)" in says)
        assert not (tmp_path / name).exists()
    assert 0 == export("x.JSON")[0]
    assert 0 == export("x.csv")[0]
    assert b"{" == (tmp_path / "x.JSON").read_bytes()[:1]
    assert b"\xef\xbb\xbfplace," == (tmp_path / "x.csv").read_bytes()[:9]
