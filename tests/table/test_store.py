"""The log on disk: durable, whole, locked, and honest about what it cannot do."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.evening.events import Finished, NameChanged, Played, Seated, Started
from lastnose.companion.table.log_file import VERSION
from lastnose.companion.table.memory_store import EventStore, MemoryStore
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import open_store
from lastnose.companion.table.store import Store

START = Started(
    by="host", at=1.0, game="pig", players=("North", "Élodie"), options={}, lines=("nose.1", "nose.2")
)
END = Finished(by="host", at=2.0)

Open = Callable[[], Store]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Open the store of the test's folder, as often as asked; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(Store(tmp_path)))


def test_several_events_are_kept_all_or_none(opened: Open) -> None:
    """An event that cannot be written takes its companions with it."""
    store = opened()
    bad = Played(by="host", at=1.0, move={"type": object()})
    with pytest.raises(TypeError):
        store.append(START, bad)
    assert list(store.events()) == []
    assert store.append(END) == (1,)


def test_who_was_called_otherwise_is_offered_under_that_name(opened: Open) -> None:
    """Jhon is John, and North and Élodie change names; in another evening somebody else may be a Jhon."""
    store = opened()
    game = msgspec.structs.replace(START, players=("Jhon", "Ana"))
    store.append(game)
    store.new_evening()
    store.append(msgspec.structs.replace(START, players=("Jhon", "Élodie", "North")))
    for was, name in (
        ("jhon", "Johann"),
        ("Johann", "John"),
        ("North", "X"),
        ("Élodie", "North"),
        ("X", "Élodie"),
    ):
        store.append(NameChanged(by="host", at=2.0, was=was, name=name))
    late = Seated(by="host", at=3.0, players=("John", "X"), lines=("", ""))
    store.append(late)
    store.close()
    store = opened()
    assert ("John", "X", "North", "Élodie", "Jhon", "Ana") == store.known_players()
    last = store.last_game()
    assert last is not None
    assert late.players == last.players
    store.append(NameChanged(by="host", at=4.0, was="X", name="Xenia"))
    assert ("John", "Xenia") == store.last_game().players  # type: ignore[union-attr]
    reader = LogReader(store.path.parent)
    assert store.known_players() == reader.known_players()
    assert store.last_game() == reader.last_game()
    reader.close()


def test_the_log_of_a_running_table_can_be_read_beside_it(opened: Open, tmp_path: Path) -> None:
    """Reading takes no lock, sees what is durable, and cannot write."""
    owner = opened()
    owner.append(START)
    with closing(LogReader(tmp_path)) as reader:
        assert list(reader.events()) == [(1, START)]
        owner.append(END)
        assert list(reader.events()) == [(1, START), (2, END)]
        with pytest.raises(StoreError, match="is only read here"):
            reader.append(END)
    owner.append(END)


def test_reading_makes_no_folder_and_no_file(tmp_path: Path) -> None:
    """A folder without an evening is named, and left as it is."""
    with pytest.raises(StoreError, match=f"No evening is kept in {tmp_path / 'none'}"):
        LogReader(tmp_path / "none")
    assert [] == list(tmp_path.iterdir())


def test_a_file_that_is_no_database_is_refused(opened: Open, tmp_path: Path) -> None:
    """A text file in its place is named."""
    (tmp_path / "lastnose.sqlite").write_text("shopping list " * 100)
    with pytest.raises(StoreError, match=r"is damaged \(it cannot be read\)"):
        opened()
    with pytest.raises(StoreError, match="is not a Last Nose log"):
        open_store(tmp_path)


def test_a_full_disk_says_so_and_keeps_nothing_half(opened: Open) -> None:
    """A limit on the file's pages stands in for a full disk: SQLite reports the same error."""
    store = opened()
    store.append(START)
    pages = store._db().execute("PRAGMA page_count").fetchone()[0]
    store._db().execute(f"PRAGMA max_page_count = {pages}")
    big = Played(by="host", at=1.0, move={"type": "x", "note": "n" * 100_000})
    with pytest.raises(StoreError, match="is full: free some space"):
        store.append(END, big)
    assert list(store.events()) == [(1, START)]
    store._db().execute("PRAGMA max_page_count = 1000000")
    store.append(END)
    assert list(store.events()) == [(1, START), (2, END)]


def test_a_start_on_a_full_disk_says_so(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """What SQLite lacks is room for the index beside the log, and it calls that an error of the disk."""
    opened().close()
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE

    def no_room(*_: object) -> None:
        raise problem

    monkeypatch.setattr("lastnose.companion.table.log_file.connect", no_room)
    with pytest.raises(StoreError, match="is full: free some space"):
        opened()


def test_the_very_next_format_is_refused_and_this_one_is_not(opened: Open, tmp_path: Path) -> None:
    """One more than ours is a newer one already."""
    opened().close()
    opened().close()
    with closing(sqlite3.connect(tmp_path / "lastnose.sqlite")) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="was written by a newer Last Nose: update"):
        opened()


@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_both_stores_tell_the_same_of_two_evenings(opened: Open, kind: str) -> None:
    """Numbers go on from 1, events are one evening's, names are the most recent first, any event is there."""
    store: EventStore = MemoryStore() if kind == "memory" else opened()
    again = msgspec.structs.replace(START, players=("Zoé", "north"))
    assert (1,) == store.append(START)
    assert [(1, START)] == list(store.events())
    assert (1, 2, 2) == (store.evening, store.new_evening(END), store.evening)
    assert (3,) == store.append(again)
    assert [(3, again)] == list(store.events())
    assert [START, END, again] == [store.event(seq) for seq in (1, 2, 3)]
    assert ("Zoé", "north", "Élodie") == store.known_players()
    for seq in (0, 4):
        with pytest.raises(BadInput, match=f"There is no entry {seq} in the log"):
            store.event(seq)
    assert 3 == store.new_evening()
    assert [] == list(store.events())


def test_closing_lets_go_of_every_connection(opened: Open, tmp_path: Path) -> None:
    """The one of this thread and the one of another, and of all files; a second time nothing happens."""
    store = opened()
    store.append(START)
    used = [store._db()]
    thread = threading.Thread(target=lambda: used.append(store._db()))
    thread.start()
    thread.join()
    store.close()
    store.close()
    assert not [one for one in Path("/proc/self/fd").glob("*") if str(tmp_path) in str(one.resolve())]
    assert used[0] is not used[1]
    for db in used:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            db.execute("SELECT 1")


def test_an_entry_that_cannot_be_read_is_named(opened: Open, tmp_path: Path) -> None:
    """Which file, which entry, and why."""
    store = opened()
    store.append(START)
    with closing(sqlite3.connect(tmp_path / "lastnose.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE event SET json = '{}' WHERE seq = 1")
    unread = pytest.raises(StoreError, match=r"lastnose\.sqlite is damaged \(entry 1 is not what was written")
    with closing(LogReader(tmp_path)) as reader, unread:
        list(reader.events())
    assert [(1, START)] == list(store.events())


def test_an_evening_that_cannot_be_begun_is_told_and_not_counted(opened: Open, tmp_path: Path) -> None:
    """Who only reads cannot begin one."""
    opened().close()
    with closing(LogReader(tmp_path)) as reader:
        with pytest.raises(StoreError, match="is only read here"):
            reader.new_evening()
        assert 1 == reader.evening
