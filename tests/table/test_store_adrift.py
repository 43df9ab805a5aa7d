"""What the store holds while its file cannot be had, and what of it is on disk afterwards, row by row."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from lastnose.companion.core.errors import StoreError
from lastnose.companion.evening.events import AnyEvent, Saved, Started
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import DamagedLog, NewerLog
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.store import NAMES, Store


def saved(number: int) -> Saved:
    """Return an event that fits any evening."""
    return Saved(by="host", at=float(number), name=f"v{number}", game="pig", options={})


def started(player: str) -> Started:
    """Return the start of a match in which *player* plays."""
    return Started(by="host", at=1.0, game="pig", players=(player,), options={}, lines=("nose.1",))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the folder of the log."""
    return tmp_path / "data"


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    """Return a store with two events of an evening before, and an evening with nothing yet."""
    with closing(Store(data)) as store:
        store.append(saved(1), saved(2))
        store.new_evening()
        yield store


def on_disk(data: Path, evening: int | None = None) -> list[AnyEvent]:
    """Return the events of the newest evening, or of another, as somebody else reads them; they are sound."""
    with closing(LogReader(data)) as reader:
        reader.must_be_sound()
        reader.evening = evening or reader.evening
        return [event for _, event in reader.events()]


class Trouble:
    """Lets writing fail with an error of SQLite's, as often as told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._write = log_file.write
        self._left = 0
        self._number = 0
        monkeypatch.setattr(log_file, "write", self._write_or_fail)

    def comes(self, number: int) -> None:
        """Let the next writing fail with this number."""
        self._left, self._number = 1, number

    def _write_or_fail(self, *arguments: object) -> None:
        if self._left:
            self._left -= 1
            problem = sqlite3.OperationalError("so it is")
            problem.sqlite_errorcode = self._number
            raise problem
        self._write(*arguments)  # type: ignore[arg-type]


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> Trouble:
    """Return what makes writing fail."""
    return Trouble(monkeypatch)


def test_while_nothing_could_be_written_nothing_is_until_all_of_it_can(
    data: Path, store: Store, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    """A row that fails keeps those after it off the disk too; said once; the sound file is not set aside."""
    trouble.comes(sqlite3.SQLITE_IOERR)
    with caplog.at_level(logging.WARNING, "lastnose"):
        store.append(saved(3))
        store.append(saved(4))
    assert "cannot be written (so it is): the evening goes on in memory" in str(store.adrift)
    assert 1 == len(caplog.records)
    assert [] == on_disk(data)
    caplog.clear()
    assert 3 == store.new_evening()
    store.append(saved(5))
    store.settle()
    assert store.adrift is None
    assert "lastnose.sqlite has all of the evening again." in caplog.text
    assert [5] == [row.seq for row in store._rows]
    assert [[saved(3), saved(4)], [saved(5)]] == [on_disk(data, evening) for evening in (2, 3)]
    assert ["lastnose.sqlite"] == [file.name for file in data.glob("*.sqlite")]


def test_a_log_once_damaged_and_mended_is_not_set_aside_again(
    data: Path, store: Store, trouble: Trouble
) -> None:
    """When the sound one is deleted later, all evenings are read out of it once more."""
    trouble.comes(sqlite3.SQLITE_CORRUPT)
    store.append(saved(3))
    store.settle()
    assert {"lastnose.sqlite", "lastnose.damaged-1.sqlite"} == {file.name for file in data.glob("*.sqlite")}
    shutil.rmtree(data)
    store.append(saved(4))
    store.settle()
    assert store.adrift is None
    assert ["lastnose.sqlite"] == [file.name for file in data.glob("*.sqlite")]
    store.close()
    assert [saved(3), saved(4)] == on_disk(data)
    assert [saved(1), saved(2)] == on_disk(data, 1)


def test_a_damaged_log_that_is_deleted_is_written_again(data: Path, store: Store, trouble: Trouble) -> None:
    """There is nothing to set aside."""
    trouble.comes(sqlite3.SQLITE_CORRUPT)
    store.append(saved(3))
    shutil.rmtree(data)
    store.settle()
    assert store.adrift is None
    store.close()
    assert [saved(3)] == on_disk(data)


SAME, OTHER = (1, 1), (1, 2)


@pytest.mark.parametrize(
    ("opened", "then", "gone"),
    [
        ((SAME, SAME), [(SAME, SAME)], False),
        ((SAME, SAME), [(OTHER, SAME)], True),
        ((SAME, SAME), [(None, None)], True),
        ((SAME, SAME), [(SAME, OTHER)], True),
        ((SAME, SAME), [(SAME, None)], True),
        ((SAME, None), [(SAME, None), (SAME, SAME), (SAME, SAME)], False),
        ((SAME, None), [(OTHER, None)], True),
        ((SAME, None), [(SAME, SAME), (SAME, OTHER)], True),
        ((SAME, None), [(SAME, SAME), (SAME, None)], True),
    ],
)
def test_files_that_are_no_longer_those_that_were_opened_are_gone(
    data: Path, store: Store, monkeypatch: pytest.MonkeyPatch, opened: object, then: list[object], gone: bool
) -> None:
    """The log itself, or what was written ahead of it, which may come later: no more is written."""
    monkeypatch.setattr(store, "_ours", opened)
    for found in then:
        assert store.adrift is None
        monkeypatch.setattr(log_file, "identities", lambda path, found=found: found)
        store.append(saved(3))
    assert gone is (store.adrift is not None)
    monkeypatch.undo()
    assert len(then) - gone == len(on_disk(data))


def test_without_a_place_twice_only_this_evening_is_left_and_it_is_whole(
    data: Path, store: Store, tmp_path: Path
) -> None:
    """The first try closes the file that was still open; nothing is refused, and the new log is sound."""
    store.append(saved(3))
    shutil.rmtree(data)
    data.write_text("no folder can be made here")
    store.append(saved(4))
    for _ in range(2):
        store.settle()
        assert store.adrift is not None
    data.unlink()
    store.settle()
    assert store.adrift is None
    assert [(3, saved(3)), (4, saved(4))] == list(store.events())
    assert (5,) == store.append(saved(5))
    store.close()
    assert [saved(3), saved(4), saved(5)] == on_disk(data)
    with closing(Store(data)) as again:
        assert 5 == again.newest()


def test_where_all_is_lost_the_next_evening_begins_a_chain_of_its_own(data: Path, store: Store) -> None:
    """Nothing of this evening, nothing left of those before: the first row is the first."""
    shutil.rmtree(data)
    data.write_text("no folder can be made here")
    store.new_evening()
    for _ in range(2):
        store.settle()
    data.unlink()
    store.settle()
    assert (1,) == store.append(saved(3))
    store.close()
    with closing(Store(data)) as again:
        assert [saved(3)] == [event for _, event in again.events()]


def test_names_are_remembered_for_two_hundred_games(data: Path) -> None:
    """The one of the game before these is offered no more, now or after opening again."""
    with closing(Store(data)) as store:
        store.append(*(started(f"P{number}") for number in range(201)))
        store.append(*(saved(number) for number in range(201)))
        names = store.known_players()
    assert (200, 200, "P200", "P1") == (NAMES, len(names), names[0], names[-1])
    with closing(Store(data)) as again:
        assert names == again.known_players()
        assert started("P200") == again.last_game()


def test_an_entry_that_is_chained_and_says_nothing_is_refused_at_the_start(data: Path) -> None:
    """It is what was written, and yet no event of this version: better now than in mid evening."""
    with closing(Store(data)) as store:
        store.append(saved(1))
        last = store._rows[-1]
        raw = b'{"type":"played"}'
        row = log_file.LogRow(2, 1, "played", raw, log_file.chained(last.head, 2, 1, raw))
        log_file.write(store._db(), [row], 1)
    with pytest.raises(NewerLog):
        Store(data)


def test_a_file_that_counts_pages_it_has_not_is_damaged(data: Path) -> None:
    """Every row can be read, and yet SQLite would write where it must not: byte 36 counts free pages."""
    with closing(Store(data)) as store:
        store.append(saved(1))
    raw = bytearray((data / "lastnose.sqlite").read_bytes())
    raw[36:40] = (5).to_bytes(4, "big")
    (data / "lastnose.sqlite").write_bytes(raw)
    with pytest.raises(DamagedLog, match="is damaged"):
        Store(data)


def test_an_earlier_entry_that_the_file_does_not_give_is_no_unknown_number(store: Store) -> None:
    """The sentence is about the file, not about what was asked."""
    store._db().close()
    with pytest.raises(StoreError, match=r"lastnose\.sqlite cannot be used"):
        store.event(1)
