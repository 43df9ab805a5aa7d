"""Evenings out of a folder: exported beside a table, rescued, read from media that nobody can write to."""

from __future__ import annotations

import csv
import ctypes
import errno
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import Finished, Started
from lastnose.companion.evening.log import Saved
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


def test_a_pipe_is_written_to_and_stays_one(running: Path, tmp_path: Path) -> None:
    """As any device: nothing takes its place."""
    pipe = tmp_path.with_name("pipe")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert 0 == export(running, "-o", str(pipe)).exit_code
        assert os.read(reader, 1_000).startswith(b"game,round,entry")
    finally:
        os.close(reader)
    assert pipe.is_fifo()


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


def fill(folder: Path) -> None:
    """Keep two hundred entries in *folder*."""
    with closing(Store(folder)) as store:
        store.append(*(Saved(by="host", at=1.0, name=f"v{n}", game="pig", options={}) for n in range(200)))


def test_a_sound_log_is_left_alone(tmp_path: Path) -> None:
    """Status 0, a sentence, and the same file."""
    fill(tmp_path)
    before = (tmp_path / "lastnose.sqlite").read_bytes()
    told = lastnose("rescue", str(tmp_path))
    assert (0, True) == (told.exit_code, "The log of the evenings is sound." in told.stdout)
    assert before == (tmp_path / "lastnose.sqlite").read_bytes()


@pytest.mark.parametrize("copied", [False, True])
def test_a_sound_log_that_the_rules_of_today_refuse_is_left_alone(tmp_path: Path, copied: bool) -> None:
    """Two could play Pig once: status 2, why, and the same file; no copy has what it lacks either."""
    refused = msgspec.structs.replace(FIRST, game="pig", players=("A", "B"), lines=("nose.1", "nose.2"))
    with closing(Store(tmp_path)) as store:
        store.append(refused)
    before = (tmp_path / "lastnose.sqlite").read_bytes()
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(before)
    told = lastnose("rescue", str(tmp_path), *(("--copy", str(copy)) if copied else ()))
    reason = "or name another folder with --data. Reason: Pig is for 3 to 26 players, not 2."
    for said in (told, lastnose("export", "--data", str(tmp_path))):
        assert (2, "") == (said.exit_code, said.stdout)
        assert "lastnose.sqlite is sound, but the rules of Last Nose" in said.stderr
        assert reason in said.stderr
    assert before == (tmp_path / "lastnose.sqlite").read_bytes()


def test_export_names_the_damage_and_rescue_mends_it(tmp_path: Path) -> None:
    """One sentence and status 2 before; afterwards the rest can be exported."""
    fill(tmp_path)
    file = tmp_path / "lastnose.sqlite"
    raw = bytearray(file.read_bytes())
    page = raw.index(b'"v100"') // 4096  # the table's own page comes before that of any index
    raw[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(raw)
    refused = lastnose("export", "--data", str(tmp_path), "--json")
    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "lastnose.sqlite is damaged" in refused.stderr
    assert f"run lastnose rescue {tmp_path}" in refused.stderr
    told = json.loads(lastnose("rescue", str(tmp_path), "--json").stdout)
    assert not told["sound"]
    ((first, last),) = told["lost"]
    assert 200 == told["read"] + last - first + 1
    assert Path(told["kept"]).read_bytes() == raw
    document = json.loads(lastnose("export", "--data", str(tmp_path), "--json").stdout)
    assert told["read"] == len(document["events"])
    assert lastnose("rescue", str(tmp_path)).exit_code == 0


def test_a_folder_without_an_evening_is_named(tmp_path: Path) -> None:
    """And nothing is made there."""
    told = lastnose("rescue", str(tmp_path))
    log = tmp_path / "lastnose.sqlite"
    said = f"Error: {log} cannot be read (No such file or directory).\n"
    assert (2, said) == (told.exit_code, told.stderr)
    assert [] == list(tmp_path.iterdir())


TAPE = Path(__file__).parent.parent / "tapes" / "pig_three.jsonl"
ONE = Saved(by="host", at=1.0, name="x", game="pig", options={})


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write to *folder* or what is in it, root neither."""
    for file in (*folder.iterdir(), folder):
        file.chmod(0o555 if file.is_dir() else 0o444)
    try:
        with modes_hold():
            yield
    finally:
        folder.chmod(0o755)


@contextmanager
def modes_hold() -> Iterator[None]:
    """Let the modes of files hold for root too: this thread, and what it starts, pass none by (capset(2)).

    It stays root: the program may lie where nobody else may read.
    """
    if os.geteuid():
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("here root may write everywhere")
    libc = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, our own thread
    before = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; again for the numbers from 32 on
    assert 0 == libc.capget(head, before)
    meanwhile = (ctypes.c_uint32 * 6)(*before)
    meanwhile[0] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    assert 0 == libc.capset(head, meanwhile)
    try:
        yield
    finally:
        assert 0 == libc.capset(head, before)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders of Windows are not closed by their mode")
@pytest.mark.parametrize("how", ["closed", "killed", "copied"])
def test_export_reads_an_evening_from_read_only_media(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was cleanly closed, one whose machine lost its power, and a copy of that without its index."""
    with closing(Store(tmp_path / "live")) as store:
        store.append(ONE)
        shutil.copytree(tmp_path / "live", tmp_path / "killed")
    shutil.copytree(tmp_path / "killed", tmp_path / "copied", ignore=shutil.ignore_patterns("*-shm"))
    shutil.copytree(tmp_path / "live", tmp_path / "closed")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "temporary").chmod(0o777)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    lastnose("export", "--data", str(tmp_path / "live"))  # all is imported before rights are given up
    folder = tmp_path / how
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with read_only(folder):
        told = lastnose("export", "--json", "--data", str(folder))
    assert 0 == told.exit_code, told.stderr
    assert ["x"] == [event["name"] for event in json.loads(told.stdout)["events"]]
    assert before == {file.name: file.read_bytes() for file in folder.iterdir()}
    assert [] == list((tmp_path / "temporary").iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders of Windows are not closed by their mode")
def test_replay_reads_a_tape_from_read_only_media(tmp_path: Path) -> None:
    """It writes nothing beside it."""
    tapes = sorted(TAPE.parent.glob("*.jsonl"))
    folder = tmp_path / "stick"
    folder.mkdir()
    shutil.copy(tapes[0], folder / "tape.jsonl")
    said = lastnose("replay", str(tapes[0]))
    with read_only(folder):
        told = lastnose("replay", str(folder / "tape.jsonl"))
    assert (0, said.stdout) == (told.exit_code, told.stdout)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders of Windows are not closed by their mode")
@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("hall", "leave", "--data", "{here}"), "hall.json"),
        (("token", "bob", "--data", "{here}"), "tokens.json"),
        (("profiles", "wiring", "home6", "-o", "{here}/w.svg"), "w.svg"),
        (("run", "--source", "mock", "--port", "0", "--data", "{here}"), ""),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_what_has_to_write_names_the_file_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], file: str
) -> None:
    """No traceback, no number of the system's, exit 2."""
    here, elsewhere = tmp_path / "stick", tmp_path / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    for known in ("lock", "hall.json"):
        (here / known).write_text("{}")
    if words[0] != "run":
        lastnose(*(word.format(here=elsewhere) for word in words))  # what is imported has to be readable
    with read_only(here):
        told = lastnose(*(word.format(here=here) for word in words))
    assert 2 == told.exit_code, told.exception
    (said,) = told.stderr.splitlines()
    assert said.startswith("Error: ")
    assert str(here / file) in said
    assert "Permission denied" in said
    assert "Errno" not in said


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "x" * 200_000),
        ("x" * 200_000,),
        ("run", "--source", "mock", "--profile", "x" * 200_000),
        ("deal", "pig", "--players", "9" * 4000),
    ],
    ids=["replay", "command", "profile", "number"],
)
def test_no_sentence_is_longer_than_a_screen(words: tuple[str, ...]) -> None:
    """However long what was typed: 80 × 24 letters hold it, on one line."""
    told = lastnose(*words)
    assert 2 == told.exit_code
    assert len(told.stderr) <= 80 * 24 / 1.5
    assert 1 == len(told.stderr.splitlines())


def test_what_came_from_outside_stands_on_one_line_of_a_sentence() -> None:
    """A file's name may have anything in it."""
    said = str(BadInput(text("{what}: {says}", what="a\nb\x1b[2J", says=text("{x}", x="y" * 10_000))))
    assert said.startswith("a b [2J: yyy")
    assert len(said) < 300
