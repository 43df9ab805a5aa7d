"""Evenings and tapes on media that nobody can write to; and sentences that fit a screen."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lastnose.companion.cli import main
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import text
from lastnose.companion.evening.log import Saved
from lastnose.companion.table.store import Store

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


def run(*words: str) -> Result:
    """Run lastnose."""
    return CliRunner().invoke(main, ["--lang", "en", *words])


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders of Windows are not closed by their mode")
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "killed"])
def test_export_reads_an_evening_from_read_only_media(
    tmp_path: Path, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was cleanly closed, and one whose machine lost its power."""
    with closing(Store(tmp_path / "live")) as store:
        store.append(ONE)
        shutil.copytree(tmp_path / "live", tmp_path / "killed")
    shutil.copytree(tmp_path / "live", tmp_path / "closed")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "temporary").chmod(0o777)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    run("export", "--data", str(tmp_path / "live"))  # all is imported before rights are given up
    folder = tmp_path / ("closed" if closed else "killed")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with read_only(folder):
        told = run("export", "--json", "--data", str(folder))
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
    said = run("replay", str(tapes[0]))
    with read_only(folder):
        told = run("replay", str(folder / "tape.jsonl"))
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
        run(*(word.format(here=elsewhere) for word in words))  # what is imported has to be readable
    with read_only(here):
        told = run(*(word.format(here=here) for word in words))
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
    told = run(*words)
    assert 2 == told.exit_code
    assert len(told.stderr) <= 80 * 24 / 1.5
    assert 1 == len(told.stderr.splitlines())


def test_what_came_from_outside_stands_on_one_line_of_a_sentence() -> None:
    """A file's name may have anything in it."""
    said = str(BadInput(text("{what}: {says}", what="a\nb\x1b[2J", says=text("{x}", x="y" * 10_000))))
    assert said.startswith("a b [2J: yyy")
    assert len(said) < 300
