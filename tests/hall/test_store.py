"""The file of a hall: what a row costs its disk, and files of before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.core.errors import StoreError
from lastnose.companion.i18n import translator
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import NAME, Cursor, HallStore, _as_store_error
from lastnose.companion.table.log_file import NO_HEAD, DamagedLog, LogRow, NewerLog, chained

from tests.support.halls import begun, play_called, states

TABLES = [f"table{number:05}" for number in range(400)]


def written(n: int) -> LogRow:
    """Return a row of the usual length."""
    return LogRow(n, 1, "judged", b'{"type":"judged","said":"%s"}' % (b"x" * 570), bytes([n]) * 32)


def taken(store: HallStore, most: int) -> int:
    """Let every table send *most* rows, forty tables at a time, and return how many pages were written."""
    store._open.execute("PRAGMA wal_autocheckpoint = 0")
    for n in range(1, most + 1):
        for at in range(0, len(TABLES), 40):
            store.take([(table, written(n)) for table in TABLES[at : at + 40]], Cursor("today", n, "mark"))
    (_, pages, _) = store._open.execute("PRAGMA wal_checkpoint").fetchone()
    return int(pages)


def test_rows_of_many_tables_share_their_pages(store: HallStore) -> None:
    """Each is a seventh of a page; with what finds it again it writes less than half of one."""
    assert taken(store, 5) < 5 * len(TABLES) / 2


@pytest.mark.parametrize("at", [0, 4096])
def test_a_damaged_file_is_said_in_one_language(tmp_path: Path, at: int) -> None:
    """Whether SQLite does not know it or finds something wrong inside: what that says is the cause."""
    store = HallStore(tmp_path)
    store.take([("a", written(n)) for n in range(1, 60)], Cursor("today", 1, "mark"))
    store.close()
    raw = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(raw[:at] + 4096 * b"x" + raw[at + 4096 :])
    with pytest.raises(StoreError) as caught:
        HallStore(tmp_path)
    assert "hall.sqlite est endommagé (il est illisible)" in translator("fr")(caught.value.text)
    assert isinstance(caught.value.__cause__, sqlite3.Error)


def test_what_is_kept_of_tables_is_found_by_number_and_kind(store: HallStore) -> None:
    """Of two tables, whose ids begin alike: an entry of another is never among them."""
    kinds = {"a": ("started", "judged", "started", "judged"), "ab": ("zero", "started")}
    made = {
        table: [LogRow(n, 1, kind, b"{}", table.encode() + bytes([n])) for n, kind in enumerate(found, 1)]
        for table, found in kinds.items()
    }
    store.take([(table, row) for table, rows in made.items() for row in rows], Cursor())
    assert ["a", "ab"] == store.tables()
    assert {"a": (4, b"a\x04"), "ab": (2, b"ab\x02")} == store.heads()
    assert [b"a\x01", b"a\x04", None, None] == [store.head("a", n) for n in (1, 4, 5, 0)]
    assert [1, 3, 3, 0] == [store.next_of("a", "started", after) for after in range(4)]
    assert [0, 2, 0] == [store.next_of("ab", kind, 0) for kind in ("judged", "started", "saved")]
    asked = ((), (1,), (1, 3), (4,), (0, 0), (0, 4, "judged"), (2, 4, "judged"), (2, 3, "judged"))
    found = [[row.seq for row in store.rows("a", *how)] for how in asked]
    assert [[1, 2, 3, 4], [2, 3, 4], [2, 3], [], [], [2, 4], [4], []] == found
    assert made["ab"] == store.rows("ab")


@pytest.mark.parametrize(
    ("code", "damaged"),
    [("SQLITE_CORRUPT", True), ("SQLITE_NOTADB", True), ("SQLITE_FULL", False), ("SQLITE_IOERR", False)],
)
def test_a_file_is_called_damaged_for_what_is_wrong_in_it_alone(
    tmp_path: Path, code: str, damaged: bool
) -> None:
    """A disk that is full or gone is said as that: an older copy of the file helps nobody then."""
    problem = sqlite3.OperationalError("so it is")
    problem.sqlite_errorcode = getattr(sqlite3, code)
    found = _as_store_error(problem, tmp_path / NAME)
    assert (damaged, damaged) == (isinstance(found, DamagedLog), "is damaged" in str(found))


def test_an_entry_of_a_newer_version_is_said_as_that(store: HallStore) -> None:
    """It follows from the one before it, so it is what was written."""
    cheered = b'{"type":"cheered","by":"host","at":1.0}'
    store.append_row(LogRow(1, 0, "cheered", cheered, chained(NO_HEAD, 1, 0, cheered)))
    with pytest.raises(NewerLog, match="was written by a newer Last Nose: update"):
        list(store.own())


@pytest.mark.parametrize("lacks", [("base", "game"), ("judged", "unfounded", "base", "game")])
def test_the_file_of_an_older_hall_opens_with_its_evening(tmp_path: Path, lacks: tuple[str, ...]) -> None:
    """Before it was kept what games had come to, and which verdicts follow, a file had no tables for it."""
    with closing(HallStore(tmp_path)) as store:
        hall = Hall(store, random=Random(1))
        for member in begun(hall, "Ann,Bob,Cid,Dan,Eve,Fay"):
            play_called(hall, member)
        assert [(1, 1, "counts"), (1, 2, "counts")] == states(hall)
        told = hall.view.lines
    with closing(sqlite3.connect(tmp_path / NAME)) as db:
        db.executescript("".join(f"DROP TABLE {one};" for one in lacks))
    with closing(HallStore(tmp_path)) as store:
        hall = Hall(store)
        assert [(1, 1, "counts"), (1, 2, "counts")] == states(hall)
        assert told == hall.view.lines
