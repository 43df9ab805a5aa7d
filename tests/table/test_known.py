"""A log that lacks entries, is empty or gone, and what the files beside it know of it."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion import __version__
from lastnose.companion.core.errors import StoreError
from lastnose.companion.evening.events import Saved, Started
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import DamagedLog
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import COPY, copy_log, is_sound, open_store, rescue
from lastnose.companion.table.store import NEWEST, Store
from lastnose.companion.table.table import Table
from lastnose.hardware.probe import evening
from lastnose.web.access import make_token, open_access

from tests.support.examples import examples

ENTRIES = 167
LOG, AHEAD = "lastnose.sqlite", "lastnose.sqlite-wal"


def saved(number: int) -> Saved:
    """Return an event that fits any evening."""
    return Saved(by="host", at=float(number), name=f"v{number}", game="pig", options={"word": "W" * 300})


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a power cut leaves it: the newest entries stand in what was written ahead."""
    live, dead = tmp_path_factory.mktemp("live"), tmp_path_factory.mktemp("dead") / "data"
    with closing(Store(live)) as store:
        for number in range(ENTRIES):
            store.append(saved(number))
        shutil.copytree(live, dead)
    assert (dead / AHEAD).stat().st_size > 100_000
    return dead


def opened(folder: Path) -> tuple[list[int], str]:
    """Return the numbers of what a table reads there when it starts, and what it is told."""
    store, said = open_store(folder)
    with closing(store):
        return [seq for seq, _ in store.events()], str(said or "")


def accounted(folder: Path, cut: str) -> None:
    """Open a log of which *cut* was damaged: each entry is read, or named among those that are lost."""
    before = {file.name: file.read_bytes() for file in (folder / LOG, folder / AHEAD)}
    found, said = opened(folder)
    if len(found) == ENTRIES:
        return
    kept = folder / "lastnose.damaged-1.sqlite"
    assert before[cut] == (kept if cut == LOG else log_file.beside(kept)[0]).read_bytes()
    if found:
        lost = sorted({*range(1, ENTRIES + 1)} - {*found})
        assert f"{len(found)} entries were read into a new one" in said
        assert f"{lost[0]}–" in said or f"entries {lost[0]} " in said
    else:
        assert "Nothing of the damaged log could be read" in said
    assert is_sound(folder)
    assert (found, "") == opened(folder), "told once"


@settings(max_examples=examples(25), deadline=None)
@given(st.floats(0, 1), st.integers(1, 600), st.sampled_from([LOG, AHEAD]))
def test_whatever_a_dying_card_overwrites_nothing_is_lost_in_silence(
    killed: Path, tmp_path_factory: pytest.TempPathFactory, place: float, length: int, name: str
) -> None:
    """Zeros at any place of the log, or of what was written ahead of it."""
    folder = tmp_path_factory.mktemp("at") / "data"
    shutil.copytree(killed, folder)
    raw = bytearray((folder / name).read_bytes())
    at = int(place * (len(raw) - 1))
    raw[at : at + length] = bytes(len(raw[at : at + length]))
    (folder / name).write_bytes(raw)
    accounted(folder, name)


@settings(max_examples=examples(25), deadline=None)
@given(st.floats(0, 1), st.sampled_from([LOG, AHEAD]))
def test_wherever_a_file_is_cut_nothing_is_lost_in_silence(
    killed: Path, tmp_path_factory: pytest.TempPathFactory, place: float, name: str
) -> None:
    """To nothing, to all but the last byte, in the middle of a page."""
    folder = tmp_path_factory.mktemp("cut") / "data"
    shutil.copytree(killed, folder)
    raw = (folder / name).read_bytes()
    (folder / name).write_bytes(raw[: int(place * (len(raw) - 1))])
    accounted(folder, name)


def test_what_was_written_ahead_may_be_gone_altogether(killed: Path, tmp_path: Path) -> None:
    """SQLite opens what is left, and finds it sound."""
    shutil.copytree(killed, tmp_path / "data")
    (tmp_path / "data" / AHEAD).unlink()
    with pytest.raises(DamagedLog, match=r"entr.* missing|it has no evening|cannot read|gone"):
        Store(tmp_path / "data")
    found, said = opened(tmp_path / "data")
    assert len(found) < ENTRIES
    assert f"–{ENTRIES}" in said or "Nothing" in said


def test_of_a_first_evening_all_may_have_been_written_ahead_and_be_gone(tmp_path: Path) -> None:
    """Only the header of the file is there: that is damage, and the command rescues what a table does."""
    with closing(Store(tmp_path)) as store:
        store.append(saved(1), saved(2))
    (tmp_path / LOG).unlink()
    with closing(sqlite3.connect(tmp_path / LOG)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    assert 4096 == (tmp_path / LOG).stat().st_size
    for kind in (Store, LogReader):
        with pytest.raises(DamagedLog, match="entries 1–2 are missing"):
            kind(tmp_path)
    assert not is_sound(tmp_path)
    assert "Nothing of the damaged log could be read" in str(rescue(tmp_path).sentence)
    assert is_sound(tmp_path)


def test_an_empty_database_in_which_nothing_was_ever_kept_has_no_evening(tmp_path: Path) -> None:
    """One sentence, not one of SQLite's."""
    with closing(sqlite3.connect(tmp_path / LOG)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(StoreError, match="No evening is kept in"):
        LogReader(tmp_path)


# ---- an empty log, or none


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("knows", ["newest", "copied", "pin"])
def test_an_empty_or_missing_log_is_no_new_evening_where_other_files_know_one(
    tmp_path: Path, knows: str, empty: bool
) -> None:
    """The note of the newest entry; of an older version the note of a copy, or the PIN of its evening."""
    with closing(Store(tmp_path)) as store:
        store.append(saved(1), saved(2))
    if knows != "newest":
        (tmp_path / NEWEST).unlink()
    if knows == "pin":
        open_access(tmp_path, lan=False, now_s=float, evening=1)
    if knows == "copied":
        (tmp_path / "copied.json").write_text('{"at": 1.0, "file": "/nowhere/lastnose-copy.sqlite"}')
    (tmp_path / LOG).unlink()
    if empty:
        (tmp_path / LOG).write_bytes(b"")
    with pytest.raises(DamagedLog, match="it is empty" if empty else "it is gone"):
        Store(tmp_path)
    found, said = opened(tmp_path)
    assert [] == found
    assert ("Nothing of the damaged log" if empty else "is gone, and a new log was begun") in said
    assert ([], "") == opened(tmp_path), "told once"


def test_a_folder_in_which_nothing_was_ever_kept_begins_in_silence(tmp_path: Path) -> None:
    """Also when a token was made there, and when a table was started and nothing played."""
    make_token(tmp_path, "lamp")
    assert ([], "") == opened(tmp_path)
    (tmp_path / LOG).unlink()
    assert ([], "") == opened(tmp_path)


def test_a_log_cut_to_an_older_one_is_missed_by_who_only_reads_it_too(tmp_path: Path) -> None:
    """An old copy was laid in its place: entry 3 is missing."""
    with closing(Store(tmp_path)) as store:
        store.append(saved(1), saved(2))
    old = (tmp_path / LOG).read_bytes()
    with closing(Store(tmp_path)) as store:
        store.append(saved(3))
    (tmp_path / LOG).write_bytes(old)
    assert not is_sound(tmp_path)
    with closing(LogReader(tmp_path)) as reader, pytest.raises(DamagedLog, match="entry 3 is missing"):
        reader.must_be_sound()
    assert [1, 2] == opened(tmp_path)[0]


# ---- the copy


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """A log of six entries, the first four of which are on a stick."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    with closing(Store(data)) as store:
        store.append(*map(saved, range(4)))
        copy_log(data, stick, 1.0)
        store.append(*map(saved, range(4, 6)))
    yield data, stick / COPY


def test_what_the_last_copy_has_is_taken_from_there(copied: tuple[Path, Path]) -> None:
    """Of a log that was cut to its first two entries; five and six are lost, and said to be."""
    data, copy = copied
    with closing(log_file.connect(data / LOG)) as db:
        db.execute("DELETE FROM event WHERE seq > 2")
    done = rescue(data)
    assert (4, 2, ((5, 6),), str(copy)) == (done.read, done.copied, done.lost, done.copy)
    assert [1, 2, 3, 4] == opened(data)[0]


def test_a_copy_that_may_be_of_another_log_is_offered(copied: tuple[Path, Path]) -> None:
    """The log is gone: nothing shows that the copy is of it. Said so, it is taken, whole."""
    data, copy = copied
    (data / LOG).unlink()
    found, said = opened(data)
    assert [] == found
    assert f"run lastnose rescue {data} --copy {copy}." in said
    assert 4 == rescue(data, copy).copied
    assert ([1, 2, 3, 4], "") == opened(data)


def test_a_copy_of_another_log_is_refused(copied: tuple[Path, Path], tmp_path: Path) -> None:
    """One sentence, and nothing has changed."""
    data, copy = copied
    with closing(Store(tmp_path / "other")) as store:
        store.append(saved(77))
    before = (data / LOG).read_bytes()
    with pytest.raises(StoreError, match="is not a copy of this log"):
        rescue(data, tmp_path / "other" / LOG)
    with pytest.raises(StoreError, match="is the stick plugged in"):
        rescue(data, copy.with_name("none.sqlite"))
    assert before == (data / LOG).read_bytes()


# ---- folders where files should be, locks, rights


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_folder_in_the_place_of_what_is_written_ahead_is_named_and_rescued(
    tmp_path: Path, ending: str
) -> None:
    """One sentence for who reads it; for the table all is read into a new log."""
    with closing(Store(tmp_path)) as store:
        store.append(saved(1), saved(2))
    (tmp_path / f"{LOG}{ending}").mkdir()
    (tmp_path / f"{LOG}{ending}" / "x").write_bytes(b"x")
    for kind in (Store, LogReader):
        with pytest.raises(DamagedLog, match=f"{LOG}{ending} is a folder"):
            kind(tmp_path)
    assert not is_sound(tmp_path)
    assert [1, 2] == opened(tmp_path)[0]
    assert is_sound(tmp_path)


def test_a_folder_in_the_place_of_the_new_log_is_a_sentence(tmp_path: Path) -> None:
    """Nothing is moved before it is known that the new one can be written."""
    with closing(Store(tmp_path)) as store:
        store.append(saved(1))
    (tmp_path / LOG).write_bytes((tmp_path / LOG).read_bytes()[:5000])
    (tmp_path / f"{LOG}.new").mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        rescue(tmp_path)
    assert 5000 == (tmp_path / LOG).stat().st_size


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
def test_a_second_table_is_refused_though_somebody_deleted_the_lock(tmp_path: Path) -> None:
    """The folder itself is locked, too; when the first ends it is free."""
    with closing(Store(tmp_path)) as store:
        (tmp_path / "lock").unlink()
        with pytest.raises(StoreError, match="Another lastnose uses"):
            Store(tmp_path)
        store.append(saved(1))
    assert ([1], "") == opened(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such rights there")
def test_nobody_but_their_owner_reads_what_is_kept(tmp_path: Path) -> None:
    """With the laxest mask, and a log of an older version that all could read: databases, copies, tokens."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    mask = os.umask(0)
    try:
        with closing(Store(data)) as store:
            store.append(saved(1))
        (data / LOG).chmod(0o644)
        with closing(Store(data)) as store:
            store.append(saved(2))
            copy_log(data, stick, 1.0)
            make_token(data, "lamp")
            open_access(data, lan=False, now_s=float, evening=1)
            files = [*data.iterdir(), *stick.iterdir()]
            rights = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
        (data / LOG).write_bytes((data / LOG).read_bytes()[:6000])
        opened(data)
        rights |= {file.name: stat.S_IMODE(file.stat().st_mode) for file in data.glob("lastnose*")}
    finally:
        os.umask(mask)
    assert {LOG, AHEAD, f"{LOG}-shm", COPY, "tokens.json", NEWEST, "access.json", "lock"} < {*rights}
    assert "lastnose.damaged-1.sqlite" in rights
    assert {0o600} == {*rights.values()}, rights


WRITER = """
import sys
from lastnose.companion.evening.events import Saved
from lastnose.companion.table.store import Store
from pathlib import Path
store = Store(Path(sys.argv[1]))
for number in range(1, 100_000):
    store.append(Saved(by="host", at=1.0, name=f"v{number}", game="pig", options={}))
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_table_killed_at_once_has_all_that_it_has_confirmed(tmp_path: Path, after: int) -> None:
    """kill -9 while it writes: all that it said to have kept is there, and nothing is said to be missing."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(after)]
        os.kill(writer.pid, signal.SIGKILL)
        told += writer.stdout.readlines()
    whole = [int(line) for line in told if line.endswith(b"\n")]
    found, said = opened(tmp_path)
    assert ("", whole) == (said, found[: len(whole)])
    assert len(found) - len(whole) <= 1


def test_a_copy_with_nothing_in_it_is_called_empty_and_not_another_log(
    copied: tuple[Path, Path], tmp_path: Path
) -> None:
    """A file of no bytes, and the log of a table that was never played at."""
    data, copy = copied
    with closing(Store(tmp_path / "other")):
        pass
    copy.write_bytes(b"")
    for empty in (copy, tmp_path / "other" / LOG):
        with pytest.raises(StoreError, match=f"{empty.name} cannot be read .it is empty"):
            rescue(data, empty)
    copy.write_bytes(b"\xff\xd8 a photograph")
    with pytest.raises(StoreError, match="is not a copy of this log"):
        rescue(data, copy)


def test_a_rescue_in_a_wrong_folder_leaves_nothing_there(copied: tuple[Path, Path], tmp_path: Path) -> None:
    """Neither a lock nor the folder itself, whatever was wrong."""
    _, copy = copied
    others = tmp_path / "photographs"
    others.mkdir()
    (others / LOG).write_bytes(b"an album of another program")
    with pytest.raises(StoreError, match="is not a Last Nose log"):
        rescue(others)
    assert [others / LOG] == [*others.iterdir()]
    copy.write_bytes(b"")
    for wrong in (copy, copy.with_name("none.sqlite")):
        with pytest.raises(StoreError):
            rescue(tmp_path / "mistyped", wrong)
    assert not (tmp_path / "mistyped").exists()


# ---- a log that the rules of today refuse


def test_a_log_that_todays_rules_refuse_is_called_sound_and_is_left_as_it_is(tmp_path: Path) -> None:
    """Who starts, reads or rescues it hears which version refuses it, what to do, and the game's reason."""
    two = Started(by="host", at=1.0, game="pig", players=("A", "B"), options={}, lines=("nose.1", "nose.2"))
    with closing(Store(tmp_path)) as store:
        store.append(two)
    before = (tmp_path / LOG).read_bytes()
    told = f"lastnose.sqlite is sound, but .* Last Nose {__version__} refuse .*--data. Reason: .*players"
    with closing(Store(tmp_path)) as store, pytest.raises(StoreError, match=told):
        Table(store, ("nose.1", "nose.2"), simulated=True)
    with closing(LogReader(tmp_path)) as reader, pytest.raises(StoreError, match=told):
        EveningRecord(reader)
    with pytest.raises(StoreError, match=told):
        is_sound(tmp_path)
    found = evening(tmp_path)
    assert ("bad", True) == (found.state, "is sound, but" in str(found.why))
    assert before == (tmp_path / LOG).read_bytes()
