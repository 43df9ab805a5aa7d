"""The file of the log, one function at a time: its boundaries, and what is left when something fails."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lastnose.companion.core.errors import StoreError
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, DamagedLog, LogRow

LARGEST = 9_007_199_254_740_992  # 2 to the 53rd: what every language that reads JSON can count to


def row(seq: int, evening: int = 1, raw: bytes = b"{}") -> LogRow:
    """Return a row with any head."""
    return LogRow(seq, evening, "saved", raw, b"head")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the log is."""
    return tmp_path / log_file.NAME


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection to a new log."""
    with closing(log_file.connect(path, "rwc")) as made:
        log_file.prepare(made, path)
        yield made


@pytest.mark.parametrize(
    ("evening", "read"),
    [(0, 0), (1, 1), (LARGEST, LARGEST), (LARGEST + 1, 0), (-1, 0), ("text", 0), (1.5, 0), (None, 0)],
)
def test_an_evening_that_cannot_be_is_read_as_none(evening: object, read: int) -> None:
    """So it can be written into eight bytes, and fits no chain."""
    assert read == log_file.as_row(7, evening, "saved", b"", b"").evening


@pytest.mark.parametrize(
    ("written", "found"), [((1,), 1), ((1, 2, 7), 7), ((LARGEST,), LARGEST), ((5, 3), 5)]
)
def test_the_newest_evening_is_the_one_with_the_largest_number(
    db: sqlite3.Connection, path: Path, written: tuple[int, ...], found: int
) -> None:
    """Up to the largest that can be."""
    for number in written:
        db.execute("INSERT OR IGNORE INTO evening VALUES (?)", (number,))
    assert found == log_file.newest_evening(db, path)


@pytest.mark.parametrize("number", [0, -3, LARGEST + 1, None])
def test_a_log_without_an_evening_that_can_be_is_damaged(
    db: sqlite3.Connection, path: Path, number: int | None
) -> None:
    """None at all, or one that nobody has counted to."""
    db.execute("DELETE FROM evening")
    if number is not None:
        db.execute("INSERT INTO evening VALUES (?)", (number,))
    with pytest.raises(DamagedLog, match="it cannot be read"):
        log_file.newest_evening(db, path)


def test_rows_bring_their_evenings_with_them(db: sqlite3.Connection, path: Path) -> None:
    """Two of evening 4 are taken into a log whose own evening is 2."""
    log_file.write(db, [row(1, 4), row(2, 4)], 2)
    assert 4 == log_file.newest_evening(db, path)
    assert [(1,), (2,), (4,)] == db.execute("SELECT id FROM evening ORDER BY id").fetchall()


def test_rows_are_asked_for_by_number_and_by_evening(db: sqlite3.Connection) -> None:
    """Three of one evening, one of the next."""
    log_file.write(db, [row(1), row(2), row(3), row(4, 2)], 2)
    assert [3, 4] == [one.seq for one in log_file.rows(db, after=2)]
    assert [2, 3] == [one.seq for one in log_file.rows(db, after=1, evening=1)]
    assert [4] == [one.seq for one in log_file.rows(db, evening=2)]
    assert (1, 4, None) == tuple(log_file.first(db, evening) for evening in (1, 2, 3))


def test_the_newest_row_may_be_asked_for_before_another(db: sqlite3.Connection) -> None:
    """Of none the head is zeros."""
    assert (0, NO_HEAD) == log_file.newest(db)
    log_file.write(db, [row(1)._replace(head=b"one"), row(2)._replace(head=b"two")], 1)
    assert (2, b"two") == log_file.newest(db)
    assert (1, b"one") == log_file.newest(db, before=2)
    assert (0, NO_HEAD) == log_file.newest(db, before=1)


def test_what_cannot_be_written_takes_all_back_and_the_next_is_written(db: sqlite3.Connection) -> None:
    """The second row has a number that is there already; neither it nor the first, nor its evening, stays."""
    log_file.write(db, [row(1)], 1)
    with pytest.raises(sqlite3.IntegrityError):
        log_file.write(db, [row(2, 9), row(1)], 9)
    assert not db.in_transaction
    assert [(1,)] == db.execute("SELECT id FROM evening").fetchall()
    log_file.write(db, [row(2)], 1)
    assert [1, 2] == [one.seq for one in log_file.rows(db)]


def test_a_log_is_on_disk_before_anybody_hears_of_it_and_closed_by_any_thread(path: Path) -> None:
    """SQLite's own words for it: journal ahead, and 2, which is FULL; who only reads changes neither."""
    db = log_file.connect(path, "rwc")
    assert ("wal", 2) == tuple(
        db.execute(f"PRAGMA {what}").fetchone()[0] for what in ("journal_mode", "synchronous")
    )
    complaints: list[Exception] = []

    def close() -> None:
        try:
            db.close()
        except sqlite3.Error as problem:
            complaints.append(problem)

    thread = threading.Thread(target=close)
    thread.start()
    thread.join(120)
    assert [] == complaints


def test_a_file_that_is_no_log_is_not_opened(path: Path, db: sqlite3.Connection) -> None:
    """Neither what is no database at all, nor the next format; this one is."""
    assert 2 == log_file.format_of(db, path)
    db.execute("PRAGMA user_version = 3")
    with pytest.raises(log_file.NewerLog):
        log_file.format_of(db, path)
    other = path.with_name("other.sqlite")
    other.write_text("shopping list " * 100)
    with pytest.raises(sqlite3.DatabaseError):
        log_file.connect(other)


def first_format(path: Path, *numbers: int) -> sqlite3.Connection:
    """Return a connection to a log as the first format had it, with rows of these numbers."""
    db = log_file.connect(path, "rwc")
    db.executescript(log_file.SCHEMA.replace(",\n    head BLOB", "") + "PRAGMA user_version = 1;")
    db.executemany("INSERT INTO event VALUES (?, 1, 'saved', ?)", [(number, b"{}") for number in numbers])
    return db


def test_an_older_log_that_cannot_have_heads_stays_as_it_was(path: Path) -> None:
    """It has a column of that name already: nothing is begun that is not taken back."""
    with closing(first_format(path, 1)) as db:
        db.execute("ALTER TABLE event ADD COLUMN head BLOB")
        with pytest.raises(sqlite3.OperationalError, match="duplicate column"):
            log_file.prepare(db, path)
        assert not db.in_transaction
        assert 1 == log_file.format_of(db, path)
        assert [b"None"] == [found.head for found in log_file.rows(db)]


@pytest.mark.parametrize(
    ("log", "ahead", "shared", "is_damage"),
    [
        (b"", b"x", None, True),
        (b"", b"", b"x", False),
        (b"", None, b"x", False),
        (b"y", b"xx", b"x", False),
        (b"", None, None, False),
    ],
)
def test_an_empty_log_beside_what_was_written_ahead_of_it_is_damaged(
    path: Path, log: bytes, ahead: bytes | None, shared: bytes | None, is_damage: bool
) -> None:
    """A single byte of the journal is enough; the index beside it holds nothing of value."""
    path.write_bytes(log)
    for beside, found in zip(log_file.beside(path), (ahead, shared), strict=True):
        if found is not None:
            beside.write_bytes(found)
    if is_damage:
        with pytest.raises(DamagedLog, match="it is empty"):
            log_file.must_not_be_emptied(path)
    else:
        log_file.must_not_be_emptied(path)


def test_what_sqlite_finds_wrong_is_said_in_words_of_ours(db: sqlite3.Connection, path: Path) -> None:
    """Its own words are the cause; a sound file passes."""
    log_file.must_be_sound(db, path)
    told: Any = SimpleNamespace(
        execute=lambda _: SimpleNamespace(fetchone=lambda: ("row 3 missing\n  from index event_by_type",))
    )
    with pytest.raises(DamagedLog, match=r"is damaged \(it cannot be read\)") as caught:
        log_file.must_be_sound(told, path)
    assert "row 3 missing" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    ("number", "says", "kind"),
    [
        (sqlite3.SQLITE_FULL, "is full: free some space", StoreError),
        (sqlite3.SQLITE_CORRUPT, "is damaged", DamagedLog),
        (sqlite3.SQLITE_CORRUPT_INDEX, "is damaged", DamagedLog),
        (sqlite3.SQLITE_NOTADB, "is damaged", DamagedLog),
        (sqlite3.SQLITE_BUSY, "cannot be used: told", StoreError),
        (None, "cannot be used: told", StoreError),
    ],
)
def test_what_sqlite_cannot_do_is_said_with_what_helps(
    path: Path, number: int | None, says: str, kind: type[StoreError]
) -> None:
    """By the primary code: the low eight bits of a longer one."""
    problem = sqlite3.OperationalError("told")
    if number is not None:
        problem.sqlite_errorcode = number
    found = log_file.as_store_error(problem, path)
    assert kind is type(found)
    assert (number or 0) & 255 == log_file.code(problem)
    assert says in str(found)


def test_a_folder_is_made_with_those_above_it_and_taken_by_one(tmp_path: Path) -> None:
    """Until its lock is let go, by any thread."""
    folder = tmp_path / "a" / "b"
    lock = log_file.own(folder)
    with pytest.raises(StoreError, match="Another lastnose uses"):
        log_file.own(folder)
    thread = threading.Thread(target=lock.release)
    thread.start()
    thread.join(120)
    log_file.own(folder).release()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="Cannot write to"):
        log_file.own(tmp_path / "file")


def test_rows_of_a_log_with_a_gap_are_chained_again_and_a_changed_is_found(
    db: sqlite3.Connection,
) -> None:
    """Each head is made of the one before; whose is another is named by its number."""
    chained = log_file.rechained([row(1), row(4), row(5)])
    one = log_file.chained(NO_HEAD, 1, 1, b"{}")
    four = log_file.chained(one, 4, 1, b"{}")
    assert [one, four, log_file.chained(four, 5, 1, b"{}")] == [found.head for found in chained]
    assert log_file.broken_at(chained, NO_HEAD) is None
    assert log_file.broken_at(chained[1:], one) is None
    assert 4 == log_file.broken_at(chained[1:], NO_HEAD)
    assert 4 == log_file.broken_at([chained[0], chained[1]._replace(raw=b"[]"), chained[2]], NO_HEAD)


def test_a_damaged_log_is_set_aside_with_what_was_written_ahead_under_the_first_free_name(path: Path) -> None:
    """The second time the name ends in 2; what is not there is not missed; identities tell them apart."""
    path.write_bytes(b"log")
    was, ahead = log_file.identities(path)
    assert was is not None
    assert ahead is None
    assert path.with_name("lastnose.damaged-1.sqlite") == log_file.set_aside(path)
    assert (None, None) == log_file.identities(path)
    assert was == log_file.identity(path.with_name("lastnose.damaged-1.sqlite"))
    path.write_bytes(b"another")
    log_file.beside(path)[0].write_bytes(b"ahead")
    assert (log_file.identity(path), log_file.identity(log_file.beside(path)[0])) == log_file.identities(path)
    assert None not in log_file.identities(path)
    second = path.with_name("lastnose.damaged-2.sqlite")
    assert second == log_file.set_aside(path)
    assert (b"another", b"ahead") == (second.read_bytes(), log_file.beside(second)[0].read_bytes())
    assert [] == [one for one in (path, *log_file.beside(path)) if one.exists()]
    log_file.beside(path)[0].write_bytes(b"ahead alone")
    third = path.with_name("lastnose.damaged-3.sqlite-wal")
    assert third == log_file.set_aside(path), "what is told to people is there"
    assert b"ahead alone" == third.read_bytes()
