"""`lastnose export`: an evening as CSV or JSON, beside a running table."""

from __future__ import annotations

import csv
import errno
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from lastnose.companion.evening.events import Finished, Started
from lastnose.companion.table.store import Store

from tests.support.commands import lastnose

FIRST = Started(
    by="host",
    at=1.0,
    game="pig",
    players=("North", "=East", "Élodie"),
    options={},
    lines=("nose.1", "nose.2", "nose.3"),
)
SECOND = Started(
    by="host", at=9.0, game="pig", players=("A", "B", "C"), options={}, lines=("nose.1", "nose.2", "nose.3")
)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    """A folder with two evenings, held by a running table."""
    with closing(Store(tmp_path)) as store:
        store.append(FIRST, Finished(by="host", at=2.0))
        store.new_evening()
        store.append(SECOND)
        yield tmp_path


def export(folder: Path, *words: str) -> Result:
    """Run `lastnose export` on *folder*."""
    return lastnose("export", "--data", str(folder), *words)


def test_csv_is_a_line_a_round_under_its_heading(running: Path) -> None:
    """The first evening has one entry: its end."""
    header, line = csv.reader(export(running, "--evening", "1").stdout.splitlines())
    assert ["game", "round", "entry"] == header[:3]
    assert ["pig", "", "2"] == line[:3]
    assert "The game was ended here." == line[header.index("sentence")]


def test_json_has_every_event_of_the_latest_evening(running: Path) -> None:
    """Without --evening the one that is being played."""
    document = json.loads(export(running, "--json").stdout)
    assert 2 == document["evening"]
    assert [(3, "started", ["A", "B", "C"])] == [
        (event["seq"], event["type"], event["players"]) for event in document["events"]
    ]


def test_output_goes_to_a_file_whole_or_not_at_all(running: Path, tmp_path: Path) -> None:
    """An evening that does not exist leaves the file as it was."""
    target = tmp_path.with_name(f"{tmp_path.name}.json")
    assert 0 == export(running, "--json", "-o", str(target)).exit_code
    before = target.read_bytes()
    assert 2 == json.loads(before)["evening"]
    assert 2 == export(running, "--evening", "9", "-o", str(target)).exit_code
    assert before == target.read_bytes()


@pytest.mark.parametrize("name", ["lastnose.sqlite", "new.csv", "link/access.json", "../copy.sqlite"])
def test_nothing_is_written_over_evenings_nor_beside_them(running: Path, name: str) -> None:
    """Not through a link, nor over a log that is kept elsewhere, whatever it is called."""
    (running / "link").symlink_to(running)
    (running / "access.json").write_text("{}")
    copy = running.parent / "copy.sqlite"
    copy.write_bytes(b"SQLite format 3\0")
    target = running / name
    before = target.read_bytes() if target.exists() else None
    done = export(running, "-o", str(target))
    assert (2, True) == (done.exit_code, "The evenings are kept in" in done.stderr)
    assert before == (target.read_bytes() if target.exists() else None)


def test_a_file_that_cannot_be_written_is_named_as_it_was_typed(running: Path, tmp_path: Path) -> None:
    """A folder; and where the disk is full, that, with what to do."""
    folder = tmp_path.with_name("folder")
    folder.mkdir()
    assert f"'{folder}' is a directory." in export(running, "-o", str(folder)).stderr


def test_a_full_disk_is_named_with_what_to_do(
    running: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there stays, and nothing beside it."""
    target = tmp_path.parent / "elsewhere" / "evening.csv"
    target.parent.mkdir()
    target.write_text("before")

    def fill(path: Path, content: bytes) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    done = lastnose("export", "--data", str(running), "-o", str(target))
    assert f"Error: The disk with {target} is full: free some space; nothing is lost. {HELPED}" == done.stderr
    assert ("before", [target]) == (target.read_text(), [*target.parent.iterdir()])


HELPED = "Try lastnose export --help for help.\n"


@pytest.mark.parametrize("evening", ["0", "3", "-1"])
def test_an_evening_that_does_not_exist_is_one_sentence(running: Path, evening: str) -> None:
    """It says which there are."""
    result, shown = export(running, "--evening", evening), evening.replace("-", "−")
    assert (2, "", f"Error: There is no evening {shown}: they go from 1 to 2. {HELPED}") == (
        result.exit_code,
        result.stdout,
        result.stderr,
    )


@pytest.mark.parametrize("seq", [1, 2, 3])
def test_of_a_damaged_log_nothing_is_exported_but_how_it_is_mended(tmp_path: Path, seq: int) -> None:
    """Whichever entry is gone: not half an evening, nor that no game is being played."""
    with closing(Store(tmp_path)) as store:
        store.append(FIRST, Finished(by="host", at=2.0), SECOND)
    with closing(sqlite3.connect(tmp_path / "lastnose.sqlite")) as log:
        log.execute("DELETE FROM event WHERE seq = ?", (seq,))
        log.commit()
    for done in (export(tmp_path), export(tmp_path, "--json")):
        assert (2, "") == (done.exit_code, done.stdout)
        assert f"run lastnose rescue {tmp_path}" in done.stderr


def test_a_folder_without_an_evening_is_one_sentence(tmp_path: Path) -> None:
    """Nothing is made there."""
    result = export(tmp_path)
    assert (2, "") == (result.exit_code, result.stdout)
    assert f"Error: No evening is kept in {tmp_path}: name another folder with --data.\n" == result.stderr
    assert [] == list(tmp_path.iterdir())
