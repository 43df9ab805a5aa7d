"""The log on disk: durable, whole, locked, and honest about what it cannot do."""

import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.errors import BadInput, StoreError
from companion.log import Finished, Played, Started
from companion.store import MemoryStore, Store

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


def test_what_was_appended_is_there_after_reopening(opened: Open) -> None:
    """Events come back equal, in order, with their numbers."""
    store = opened()
    store.append(START)
    store.append(END)
    store.close()
    assert list(opened().events()) == [(1, START), (2, END)]


def test_several_events_are_kept_all_or_none(opened: Open) -> None:
    """An event that cannot be written takes its companions with it."""
    store = opened()
    bad = Played(by="host", at=1.0, move={"type": object()})
    with pytest.raises(TypeError):
        store.append(START, bad)
    assert list(store.events()) == []
    assert store.append(END) == (1,)


def test_a_new_evening_hides_the_old_events_but_remembers_the_names(opened: Open) -> None:
    """Names of earlier evenings are offered, the most recent first and each once."""
    store = opened()
    store.append(START)
    store.new_evening()
    again = Started(
        by="host", at=3.0, game="pig", players=("élodie", "Zoé"), options={}, lines=("nose.1", "nose.2")
    )
    (seq,) = store.append(again)
    store.close()
    store = opened()
    assert store.evening == 2
    assert list(store.events()) == [(seq, again)]
    assert store.known_players() == ("élodie", "Zoé", "North")


def test_a_second_process_on_the_same_folder_is_refused(opened: Open) -> None:
    """The sentence says what to do."""
    first = opened()
    with pytest.raises(StoreError, match="Another lastnose uses"):
        opened()
    first.close()
    opened().close()


def test_the_log_of_a_running_table_can_be_read_beside_it(opened: Open, tmp_path: Path) -> None:
    """Reading takes no lock, sees what is durable, and cannot write."""
    owner = opened()
    owner.append(START)
    with closing(Store(tmp_path, to_read=True)) as reader:
        assert list(reader.events()) == [(1, START)]
        owner.append(END)
        assert list(reader.events()) == [(1, START), (2, END)]
        with pytest.raises(StoreError, match="readonly"):
            reader.append(END)
    owner.append(END)


def test_reading_makes_no_folder_and_no_file(tmp_path: Path) -> None:
    """A folder without an evening is named, and left as it is."""
    with pytest.raises(StoreError, match=f"No evening is kept in {tmp_path / 'none'}"):
        Store(tmp_path / "none", to_read=True)
    assert [] == list(tmp_path.iterdir())


def test_a_file_from_a_newer_version_is_refused_and_left_alone(opened: Open, tmp_path: Path) -> None:
    """Nothing is written to it."""
    opened().close()
    file = tmp_path / "lastnose.sqlite"
    db = sqlite3.connect(file)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match=r"newer Last Nose \(format 99"):
        opened()
    db = sqlite3.connect(file)
    assert db.execute("PRAGMA user_version").fetchone() == (99,)
    db.close()


def test_a_file_that_is_no_database_is_refused(opened: Open, tmp_path: Path) -> None:
    """A text file in its place is named."""
    (tmp_path / "lastnose.sqlite").write_text("shopping list " * 100)
    with pytest.raises(StoreError, match="is not a Last Nose log"):
        opened()


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


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    place = tmp_path / "taken"
    place.write_text("")
    with pytest.raises(StoreError, match="Cannot write to"):
        Store(place)


def test_an_unknown_number_is_bad_input(opened: Open) -> None:
    """In both stores."""
    with pytest.raises(BadInput):
        opened().event(7)
    with pytest.raises(BadInput):
        MemoryStore().event(7)


def test_every_append_that_returned_survives_kill_9(opened: Open, tmp_path: Path) -> None:
    """A process is killed in the middle of appending; what it had reported is all there."""
    script = textwrap.dedent(
        f"""
        import sys
        from pathlib import Path
        from companion.log import Played
        from companion.store import Store
        store = Store(Path({str(tmp_path)!r}))
        n = 0
        while True:
            n += 1
            store.append(Played(by="box", at=float(n), move={{"type": "n", "n": n}}))
            sys.stdout.write(f"{{n}}\\n")
            sys.stdout.flush()
        """
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    reported = [int(process.stdout.readline()) for _ in range(50)]
    process.kill()
    reported += [int(line) for line in process.stdout.read().splitlines() if line.strip()]
    process.wait()
    process.stdout.close()
    kept = [event.move["n"] for _, event in opened().events() if isinstance(event, Played)]
    assert kept[: len(reported)] == reported
    assert len(kept) - len(reported) in (0, 1)
