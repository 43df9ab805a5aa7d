"""The file of a hall: what a row costs its disk, and files of before."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from lastnose.companion.core.errors import StoreError
from lastnose.companion.i18n import translator
from lastnose.companion.link.store import NAME, Cursor, HallStore
from lastnose.companion.table.log_file import LogRow

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
