"""`lastnose token` and what it is good for: `lastnose rename`, in a log and at a table that runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lastnose.companion.evening.commands import Start
from lastnose.companion.evening.events import Started
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.store import Store
from lastnose.web import access as access_module
from lastnose.web.access import make_token, open_access

from tests.support.commands import lastnose
from tests.support.phones import TOKEN, Clock, Phone, make_app
from tests.support.tables import Served, served


def test_a_token_from_the_command_line_commands_the_table(tmp_path: Path) -> None:
    """Printed alone, so that a script can keep it; good at once for a table that is already running."""
    access = open_access(tmp_path, lan=True, now_s=Clock())
    phone = Phone.in_network(make_app(access=access))
    made = lastnose("token", "lamp", "--data", str(tmp_path))
    wish = {"path": "/api/v1/commands", "body": {"type": "arm"}, "csrf": False}
    assert 200 == phone.post(**wish, Authorization=f"Bearer {made.output.strip()}").status_code
    assert 403 == phone.post(**wish).status_code


def test_a_token_that_root_makes_belongs_to_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that runs as somebody else must be able to read it: the folder's owner gets it."""
    given: list[tuple[int, int]] = []
    system = "lastnose.companion.system.private_file.os"
    monkeypatch.setattr(f"{system}.geteuid", lambda: 0)
    monkeypatch.setattr(f"{system}.chown", lambda path, user, group: given.append((user, group)))
    make_token(tmp_path, "board")
    owner = tmp_path.stat()
    assert {(owner.st_uid, owner.st_gid)} == set(given)


def test_tokens_that_are_made_at_once_are_all_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits for the one before, which would not know of it."""
    names, both = ("board", "lamp", "lift", "scores"), threading.Barrier(2)
    write = access_module._write

    def writes(*what: Any) -> None:
        with suppress(threading.BrokenBarrierError):  # nobody else has come so far meanwhile
            both.wait(0.2)
        write(*what)

    monkeypatch.setattr(access_module, "_write", writes)
    with ThreadPoolExecutor(len(names)) as pool:
        made = list(pool.map(lambda name: make_token(tmp_path, name), names))
    assert len(set(made)) == len(names)
    assert set(names) == {token.name for token in access_module.read_tokens(tmp_path)}


def test_json_names_the_token(tmp_path: Path) -> None:
    """Name and token, nothing else."""
    made = lastnose("token", " lamp ", "--data", str(tmp_path), "--json")
    shown = json.loads(made.output)
    assert ({"name", "token"}, "lamp") == (set(shown), shown["name"])


LINES = ("nose.1", "nose.2", "nose.3")
NAMES = ("Jhon", "Björn", "Zoë")
BEGUN = Started(by="host", at=1.0, game="pig", players=NAMES, options={}, lines=LINES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an evening."""
    with closing(Store(tmp_path)) as store:
        store.append(BEGUN)
    return tmp_path


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """A table that runs."""
    with served(LINES) as table:
        table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)
        yield table


def names(folder: Path) -> tuple[str, ...]:
    """Return who is offered there by now."""
    with closing(LogReader(folder)) as reader:
        return reader.known_players()


def test_a_name_is_written_into_the_log_of_a_table_that_does_not_run(folder: Path) -> None:
    """Whoever exports it sees the new name; the next evening offers it."""
    said = lastnose("rename", "jhon", " John ", "--data", str(folder))
    assert (0, "jhon is called John this evening.\n") == (said.exit_code, said.stdout)
    assert ("John", "Björn", "Zoë") == names(folder)
    told = lastnose("rename", "John", "Johann", "--data", str(folder), "--json")
    assert {"was": "John", "name": "Johann"} == json.loads(told.stdout)
    assert ("Johann", "Björn", "Zoë") == names(folder)


@pytest.mark.parametrize(
    ("player", "name", "why"),
    [
        ("Ana", "Anna", "Nobody is called Ana this evening."),
        ("Jhon", "zoë", "“zoë” is there already. Add a letter to one."),
        ("Jhon", " ", "Type a name first."),
        ("Jhon", 41 * "J", "1 to 40"),
    ],
)
def test_a_name_that_cannot_be_is_a_sentence(folder: Path, player: str, name: str, why: str) -> None:
    """Status 2, and nothing is written."""
    said = lastnose("rename", player, name, "--data", str(folder))
    assert (2, "", True) == (said.exit_code, said.stdout, why in said.stderr)
    assert NAMES == names(folder)


@pytest.mark.parametrize("name", [41 * "J", "J\a", "J\udcff"], ids=["long", "bell", "no UTF-8"])
def test_whoever_does_not_play_now_gets_no_name_that_nobody_can_sit_down_with(
    folder: Path, name: str
) -> None:
    """The next game would refuse it: 1 to 40 letters that can be shown."""
    with closing(Store(folder)) as store:
        store.append(msgspec.structs.replace(BEGUN, players=("Ana", "Ben", "Eva")))
    before = names(folder)
    said = lastnose("rename", "Jhon", name, "--data", str(folder))
    assert (2, "") == (said.exit_code, said.stdout)
    assert "Error: A name has 1 to 40 letters on one line." in said.stderr
    assert {"Jhon", "Ana"} < set(names(folder))
    assert before == names(folder)


def test_where_no_evening_is_kept_none_is_begun(tmp_path: Path) -> None:
    """The folder stays empty."""
    said = lastnose("rename", "Jhon", "John", "--data", str(tmp_path))
    assert (2, True) == (said.exit_code, "No evening is kept in" in said.stderr)
    assert [] == list(tmp_path.iterdir())


def test_a_running_table_does_it_itself(table: Served) -> None:
    """By its address and a token of it; what it refuses it says itself."""
    at = ("--at", table.address, "--token", TOKEN)
    assert 0 == lastnose("rename", "Jhon", "John", *at).exit_code
    assert ["John", "Björn", "Zoë"] == [row.player for row in table.table.snapshot.rows]
    said = lastnose("rename", "John", "Zoë", *at)
    assert (2, "Error: “Zoë” is there already. Add a letter to one.\n") == (
        said.exit_code,
        said.stderr,
    )


def test_a_table_whose_log_is_in_use_is_asked_with_a_token_of_its_folder(
    folder: Path, table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This one does not know it: a sentence, and the token is gone again."""
    monkeypatch.setattr("lastnose.companion.cli.rename.HERE", table.address)
    with closing(Store(folder)):
        said = lastnose("rename", "Jhon", "John", "--data", str(folder))
    assert (2, True) == (said.exit_code, "wants a token of its own" in said.stderr)
    assert [] == json.loads((folder / "tokens.json").read_text())


def test_no_other_machine_is_told_a_token_of_this_one(folder: Path) -> None:
    """It is asked for one of that machine's, and none is made."""
    said = lastnose("rename", "Jhon", "John", "--data", str(folder), "--at", "http://192.0.2.1/")
    assert (2, True) == (said.exit_code, "give it with --token" in said.stderr)
    assert not (folder / "tokens.json").exists()
    away = lastnose("rename", "Jhon", "John", "--data", str(folder), "--at", "http://127.0.0.1:9/")
    assert (2, True) == (away.exit_code, "No table answers at http://127.0.0.1:9" in away.stderr)
