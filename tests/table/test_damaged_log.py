"""A log that is damaged or gone: what is said, what is read out of it, and that the evening goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import StoreError
from lastnose.companion.evening.events import AnyEvent, Finished, Saved, Started
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import DamagedLog, LogRow, NewerLog, salvage
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import COPY, copy_log, is_sound, open_store, rescue
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table

from tests.support.examples import examples

START = Started(
    by="host",
    at=1.0,
    game="pig",
    players=("North", "Élodie", "Zoë"),
    options={},
    lines=("nose.1", "nose.2", "nose.3"),
)
END = Finished(by="host", at=2.0)
PAGE = 4096


def saved(number: int, size: int = 40) -> Saved:
    """Return an event that fits any evening, with *size* letters in it."""
    return Saved(by="host", at=float(number), name=f"v{number}", game="pig", options={"word": "W" * size})


def filled(folder: Path, events: int = 60, size: int = 300) -> list[AnyEvent]:
    """Keep a log of several pages in *folder*, closed, and return what is in it."""
    all_of_it: list[AnyEvent] = [START, *(saved(n, size) for n in range(events)), END]
    with closing(Store(folder)) as store:
        store.append(*all_of_it)
    return all_of_it


def zero(file: Path, page: int) -> None:
    """Put zeros in the place of a page, as a dying card does; pages count from 1."""
    raw = bytearray(file.read_bytes())
    raw[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    file.write_bytes(raw)


# ---- the chain


def test_the_chain_is_the_one_that_is_written_down(tmp_path: Path) -> None:
    """Worked out here by hand: SHA-256 of head, number and evening in 8 bytes each, and JSON."""
    import hashlib

    with closing(Store(tmp_path)) as store:
        store.append(START)
        store.new_evening()
        store.append(END)
    with closing(log_file.connect(tmp_path / "lastnose.sqlite", "ro")) as db:
        one, two = log_file.rows(db)
    first = hashlib.sha256(bytes(32) + bytes(7) + b"\1" + bytes(7) + b"\1" + msgspec.json.encode(START))
    second = hashlib.sha256(first.digest() + bytes(7) + b"\2" + bytes(7) + b"\2" + msgspec.json.encode(END))
    assert [first.digest(), second.digest()] == [one.head, two.head]


def test_a_log_of_the_first_format_gets_its_chain_when_it_is_opened(tmp_path: Path) -> None:
    """With all that is in it; who only reads it needs no chain."""
    filled(tmp_path, 3)
    file = tmp_path / "lastnose.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        heads = [head for (head,) in db.execute("SELECT head FROM event ORDER BY seq")]
        db.execute("ALTER TABLE event DROP COLUMN head")
        db.execute("PRAGMA user_version = 1")
    with closing(LogReader(tmp_path)) as reader:
        reader.must_be_sound()
        assert 5 == len(list(reader.events()))
    with closing(Store(tmp_path)) as store:
        assert 5 == len(list(store.events()))
        store.append(END)
    with closing(log_file.connect(file, "ro")) as db:
        assert heads == [row.head for row in log_file.rows(db)][:5]


def test_an_entry_changed_behind_sqlites_back_is_found(tmp_path: Path) -> None:
    """It is sound for SQLite and reads as an event; the chain knows better."""
    filled(tmp_path, 3)
    file = tmp_path / "lastnose.sqlite"
    raw = file.read_bytes()
    assert 1 == raw.count(b'"North"')
    file.write_bytes(raw.replace(b'"North"', b'"Norma"'))
    with pytest.raises(DamagedLog, match="entry 1 is not what was written"):
        Store(tmp_path)
    with closing(LogReader(tmp_path)) as reader, pytest.raises(DamagedLog, match="entry 1 is not"):
        reader.must_be_sound()


def test_an_entry_whose_text_is_no_text_any_more_is_damage(tmp_path: Path) -> None:
    """One flipped bit in a name, found by the campaign: a sentence, and the rescue leaves it out."""
    filled(tmp_path, 3)
    file = tmp_path / "lastnose.sqlite"
    file.write_bytes(file.read_bytes().replace(b'"v1"', b'"v\xd7"', 1))
    with (
        closing(LogReader(tmp_path)) as reader,
        pytest.raises(DamagedLog, match="entry 3 is not what was written"),
    ):
        reader.variations()
    store, said = open_store(tmp_path)
    with closing(store):
        assert [1, 2, 4, 5] == [seq for seq, _ in store.events()]
    assert "entries 3 of evening 1 are lost" in str(said)


def test_a_log_that_a_newer_version_has_written_is_no_damage_and_stays_as_it_is(tmp_path: Path) -> None:
    """Its chain is whole, so an entry that is unknown here was written so: no rescue leaves it out."""
    filled(tmp_path, 3)
    with closing(log_file.connect(tmp_path / log_file.NAME)) as db:
        seq, head = log_file.newest(db)
        cheered = b'{"type":"cheered","by":"host","at":3.0}'
        row = LogRow(seq + 1, 1, "cheered", cheered, log_file.chained(head, seq + 1, 1, cheered))
        log_file.write(db, [row], 1)
    for opens in (open_store, is_sound):
        with pytest.raises(NewerLog, match="was written by a newer Last Nose: update"):
            opens(tmp_path)
    assert [] == [*tmp_path.glob("lastnose.damaged*")]
    with closing(log_file.connect(tmp_path / log_file.NAME, "ro")) as db:
        assert (row.seq, row.head) == log_file.newest(db)


def test_what_root_makes_or_rescues_belongs_to_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sudo lastnose rescue`: a service that runs as the folder's owner could not open its log any more."""
    given: set[tuple[str, int, int]] = set()
    system = "lastnose.companion.system.private_file.os"
    monkeypatch.setattr(f"{system}.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(f"{system}.chown", lambda path, *to: given.add((path.name, *to)), raising=False)
    filled(tmp_path, 3)
    (tmp_path / "lastnose.sqlite").write_bytes(b"")
    rescue(tmp_path)
    owner = tmp_path.stat()
    made = ("lock", "lastnose.sqlite", "lastnose.newest", "lastnose.sqlite.new")
    assert {(name, owner.st_uid, owner.st_gid) for name in made} == given


@contextmanager
def cut_short(file: Path) -> Iterator[None]:
    """Let the power go once the damaged *file* is away, and before the new one is in its place."""
    moves = Path.replace

    def move(self: Path, target: Path) -> Path:
        if target == file:
            raise KeyboardInterrupt
        return moves(self, target)

    with pytest.MonkeyPatch.context() as cut, pytest.raises(KeyboardInterrupt):
        cut.setattr(Path, "replace", move)
        yield
    assert not file.exists()


def test_a_rescue_that_the_power_cuts_short_at_its_end_loses_nothing(tmp_path: Path) -> None:
    """Of five entries four were whole."""
    filled(tmp_path, 3)
    file = tmp_path / "lastnose.sqlite"
    file.write_bytes(file.read_bytes().replace(b'"v1"', b'"v\xd7"', 1))
    with cut_short(file):
        open_store(tmp_path)
    store, said = open_store(tmp_path)
    with closing(store):
        assert [1, 2, 4, 5] == [seq for seq, _ in store.events()]
    assert "entries 3 of evening 1 are lost" in str(said)


def test_what_the_chain_shows_to_be_changed_is_not_rescued(tmp_path: Path) -> None:
    """Entry 3 reads as another name: it is left out and named; a head that was changed costs no entry."""
    filled(tmp_path, 5)
    file = tmp_path / "lastnose.sqlite"
    with closing(sqlite3.connect(file)) as db:
        (head,) = db.execute("SELECT head FROM event WHERE seq = 5").fetchone()
    raw = file.read_bytes()
    assert 1 == raw.count(head)
    file.write_bytes(raw.replace(b'"v1"', b'"v8"', 1).replace(head, head[:-1] + bytes([head[-1] ^ 1])))
    store, said = open_store(tmp_path)
    with closing(store):
        assert [1, 2, 4, 5, 6, 7] == [seq for seq, _ in store.events()]
        assert "v8" not in {one.name for one in store.variations()}
    assert "entries 3 of evening 1 are lost" in str(said)


def test_the_first_and_the_last_entry_are_held_to_the_chain_too(tmp_path: Path) -> None:
    """Before the first comes nothing, which is known; after the last nothing speaks for it."""
    filled(tmp_path, 2)
    file = tmp_path / "lastnose.sqlite"
    file.write_bytes(file.read_bytes().replace(b'"North"', b'"Norma"').replace(b'"at":2.0', b'"at":9.0'))
    assert [2, 3] == [row.seq for row in salvage(file)]


@pytest.mark.parametrize("value", ["5", "'text'", "-1", "9223372036854775807"])
@pytest.mark.parametrize("column", ["json", "head", "evening", "seq"])
@pytest.mark.parametrize("seq", [1, 4])
def test_a_value_of_another_kind_is_damage_like_any_other(
    tmp_path: Path, column: str, value: str, seq: int
) -> None:
    """SQLite keeps anything in any column: in the campaign a flipped bit made an entry a number."""
    filled(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / "lastnose.sqlite")) as db, db:
        with suppress(sqlite3.IntegrityError):  # only a whole number is a number of an entry
            db.execute(f"UPDATE event SET {column} = {value} WHERE seq = ?", (seq,))
        changed = db.total_changes
    assert is_sound(tmp_path) == (not changed)
    store, said = open_store(tmp_path)
    with closing(store):
        store.append(saved(9))
        names = {event.name for _, event in store.events() if isinstance(event, Saved)}
        assert "v9" in names <= {"v0", "v1", "v9"}
    assert (said is not None) == bool(changed)
    assert is_sound(tmp_path)


def test_a_log_without_an_evening_is_damage(tmp_path: Path) -> None:
    """Its entries say which they belong to."""
    filled(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / "lastnose.sqlite")) as db, db:
        db.execute("DELETE FROM evening")
    with closing(LogReader(tmp_path)) as reader:
        assert (1, 4) == (reader.evening, len(list(reader.events())))
    store, said = open_store(tmp_path)
    with closing(store):
        assert 4 == len(list(store.events()))
    assert "entries 1 to 4 were read into a new one" in str(said)


# ---- damage


def pages_of(folder: Path) -> int:
    """Return how many pages the log has."""
    return (folder / "lastnose.sqlite").stat().st_size // PAGE


@pytest.mark.parametrize("page", range(1, 9))
def test_a_zeroed_page_costs_what_stood_on_it_and_no_more(tmp_path: Path, page: int) -> None:
    """Opening says so in a sentence; the rescue keeps the file, reads the rest, and the table goes on."""
    written = filled(tmp_path)
    file = tmp_path / "lastnose.sqlite"
    assert pages_of(tmp_path) > 8
    zero(file, page)
    damaged = file.read_bytes()
    with pytest.raises(DamagedLog, match=r"is damaged \(.*\): run lastnose rescue") as caught:
        Store(tmp_path)
    assert len(str(caught.value)) < 500
    with suppress(StoreError), closing(LogReader(tmp_path)) as reader:
        list(reader.events())
    done = rescue(tmp_path)
    assert Path(done.kept).read_bytes() == damaged
    lost = sum(last - first + 1 for first, last in done.lost)
    assert lost <= 12  # of 62: a leaf holds 11 of these
    assert done.read + lost + len(done.unfit) == len(written)
    with closing(Store(tmp_path)) as store:
        kept = dict(store.events())
        assert kept.items() <= dict(enumerate(written, 1)).items()
        assert done.read == len(kept)
        store.append(saved(1000))
    assert is_sound(tmp_path)


def test_a_log_of_which_nothing_can_be_read_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """A short evening stands on one page: it is kept aside, a new log is begun, and the copy is named."""
    with closing(Store(tmp_path)) as store:
        store.append(Saved(by="host", at=1.0, name="v", game="pig", options={}))
    path = tmp_path / log_file.NAME
    raw = bytearray(path.read_bytes())
    at = raw.index(b'"saved"') // 4096 * 4096
    raw[at : at + 4096] = bytes(4096)
    path.write_bytes(raw)
    store, says = open_store(tmp_path)
    with closing(store):
        assert "a copy on a stick (--backup)" in str(says)
        store.append(Saved(by="host", at=2.0, name="w", game="pig", options={}))
        assert [2.0] == [event.at for _, event in store.events()]
    assert raw in [file.read_bytes() for file in tmp_path.iterdir() if "damaged" in file.name]


def test_a_log_of_which_nothing_can_be_read_is_taken_from_its_copy_alone(tmp_path: Path) -> None:
    """Its newest entry is noted beside it: the copy of another log is not taken for it."""
    for mine in (True, False):
        data, stick = tmp_path / f"data-{mine}", tmp_path / f"stick-{mine}"
        stick.mkdir()
        with closing(Store(data)) as store:
            store.append(saved(1))
        copy_log(data, stick, 1.0)
        if not mine:
            with closing(Store(tmp_path / "other")) as store:
                store.append(saved(2))
            shutil.copy(tmp_path / "other" / log_file.NAME, stick / COPY)
        (data / log_file.NAME).write_bytes(b"")
        store, _ = open_store(data)
        with closing(store):
            assert ([saved(1)] if mine else []) == [event for _, event in store.events()]


def test_what_was_written_ahead_is_rescued_too(tmp_path: Path) -> None:
    """A table was killed, then its file was cut to nothing: all is beside it, for its owner alone."""
    live, dead = tmp_path / "live", tmp_path / "dead"
    with closing(Store(live)) as store:
        store.append(START, *(saved(n, 3000) for n in range(20)))
        shutil.copytree(live, dead)
    (dead / "lastnose.sqlite").write_bytes(b"")
    for file in dead.iterdir():
        file.chmod(0o644)
    with pytest.raises(DamagedLog, match="it is empty"):
        Store(dead)
    store, said = open_store(dead)
    with closing(store):
        assert 21 == len(list(store.events()))
    assert "entries 1 to 21 were read" in str(said)
    assert [0o600] * 3 == [0o777 & file.stat().st_mode for file in dead.glob("lastnose.damaged*")]


@given(st.data())
@settings(max_examples=examples(40))
def test_bytes_changed_anywhere_never_end_in_anything_but_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Opened, or refused as damaged and rescued; what is read then was written."""
    folder = tmp_path_factory.mktemp("log")
    written = filled(folder, 20)
    file = folder / "lastnose.sqlite"
    raw = bytearray(file.read_bytes())
    for at, value in data.draw(
        st.lists(st.tuples(st.integers(0, len(raw) - 1), st.integers(0, 255)), max_size=30)
    ):
        raw[at] = value
    file.write_bytes(raw)
    try:
        store, _ = open_store(folder)
    except StoreError:
        return
    with closing(store):
        for seq, event in store.events():
            assert type(written[seq - 1]) is type(event)
        store.append(saved(1))


@pytest.mark.parametrize("page", [512, 1024, 65536])
def test_a_sound_log_gives_all_its_rows_without_sqlite(tmp_path: Path, page: int) -> None:
    """Entries of each length up to where they overflow a small page three times, each width of a number.

    Also while they are written ahead, before older pages that were, and before some that are not whole yet.
    """
    events = [saved(1, size) for size in range(1, 1600)]
    numbers = [*range(1, 1600), *(2**n for n in range(11, 54)), 2**53 + 1]
    evenings = [1] * 1600 + [2**n for n in range(7, 54, 2)]
    evenings += [2**53 + 1] + [1] * (len(numbers) - len(evenings) - 1)
    made = zip(numbers, evenings, cycle(events))
    rows = log_file.rechained(LogRow(n, of, "saved", msgspec.json.encode(one), b"") for n, of, one in made)
    there = [row for row in rows if max(row.seq, row.evening) <= 2**53]
    assert len(rows) - 2 == len(there)
    file = tmp_path / "live" / log_file.NAME
    file.parent.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        for pragma in (
            f"page_size = {page}",
            "journal_mode = WAL",
            "wal_autocheckpoint = 0",
            "cache_size = 1",
        ):
            db.execute(f"PRAGMA {pragma}")
        log_file.prepare(db, file)
        log_file.write(db, rows[:1200], 1)
        ahead = Path(shutil.copytree(file.parent, tmp_path / "ahead")) / log_file.NAME
        ahead.write_bytes(b"")
        assert rows[:1200] == salvage(ahead)
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        log_file.write(db, rows[1200:], 1)
        db.execute("BEGIN")
        db.execute("UPDATE event SET type = 'started' WHERE seq > 500")
        assert there == salvage(Path(shutil.copytree(file.parent, tmp_path / "open")) / log_file.NAME)
        db.execute("ROLLBACK")
    assert there == salvage(file)
    header, *_ = log_file.beside(ahead)
    file.write_bytes(bytes(page) + file.read_bytes()[page:])  # how large a page is stands nowhere else then
    log_file.beside(file)[0].write_bytes(header.read_bytes()[:32])
    assert there == salvage(file)


def test_an_entry_that_goes_on_in_a_circle_for_ever_is_none(tmp_path: Path) -> None:
    """It says 2^60 bytes, 489 + (2^60 - 489) mod 4092 of them here; the page after it is its own next."""
    filled(tmp_path, 60, 60)
    file = tmp_path / "lastnose.sqlite"
    kept = salvage(file)
    leaf, circle = bytearray(PAGE), pages_of(tmp_path) + 2
    leaf[:10] = bytes([log_file.TABLE_LEAF, 0, 0, 0, 1, 0, 0, 0, 0, 10])
    leaf[10:20] = b"\x88" + 7 * b"\x80" + b"\0" + b"\1"  # a length in nine bytes, and that it is entry 1
    here = 489 + (2**60 - 489) % 4092
    leaf[20 + here : 24 + here] = circle.to_bytes(4, "big")
    with file.open("ab") as pages:
        pages.write(leaf + circle.to_bytes(4, "big") + bytes(PAGE - 4))
    assert kept == salvage(file)


# ---- a log that goes while it is used


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table of three noses in the middle of a game, with its log in a folder of its own."""
    store = Store(tmp_path / "data")
    table = Table(store, ("nose.1", "nose.2", "nose.3"), clock_ns=lambda: 0, wall_s=lambda: 5.0)
    store.append(saved(0))
    store.new_evening()
    play(table, START)
    yield table
    store.close()


def play(table: Table, event: AnyEvent) -> None:
    """Let something happen at the table."""
    table.record.append(event)
    table.publish()


def told(table: Table) -> str:
    """Return what all screens show as out of order."""
    return " ".join(map(str, table.snapshot.faults))


def test_another_tables_card_is_left_alone(table: Table, tmp_path: Path) -> None:
    """Ours stays in memory, and when the table stops, in a folder that its log names."""
    shutil.rmtree(tmp_path / "data")
    with closing(Store(tmp_path / "data")) as other:
        other.append(saved(7), saved(8))
    play(table, saved(1))
    table.retry()
    assert table.waits_for_disk
    with closing(LogReader(tmp_path / "data")) as reader:
        assert [(1, saved(7)), (2, saved(8))] == list(reader.events())


def test_an_evening_without_a_place_is_left_where_it_can_be_found(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among the temporary files, whole; closing twice makes one folder, not two."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "data").rename(tmp_path / "pulled")
    (tmp_path / "data").write_text("no folder can be made here")
    play(table, saved(1))
    table.record.store.close()
    table.record.store.close()
    (left,) = (tmp_path / "temporary").iterdir()
    assert str(left) in caplog.text
    with closing(LogReader(left)) as reader:
        reader.must_be_sound()
        assert [START, saved(1)] == [event for _, event in reader.events()]


def damage(table: Table, file: Path) -> None:
    """Turn the pages of *file* into zeros while *table* plays, which finds out."""
    assert isinstance(table.record.store, Store)
    table.record.store._db().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as raw:
        raw.write(bytes(file.stat().st_size))
    table.record.store._close_connections()  # what SQLite holds in memory would hide it for a while
    play(table, saved(1))
    assert "the evening goes on in memory" in told(table)
    table.retry()


def test_a_log_that_is_damaged_in_mid_evening_does_not_end_it(table: Table, tmp_path: Path) -> None:
    """The table says so, goes on, and makes a sound one at the next try."""
    damage(table, tmp_path / "data" / "lastnose.sqlite")
    table.retry()  # and repairs it
    play(table, saved(99))
    assert "" == told(table)
    table.record.store.close()
    with closing(LogReader(tmp_path / "data")) as reader:
        reader.must_be_sound()
        kept = [event for _, event in reader.events()]
    assert [START, saved(1), saved(99)] == kept


def test_power_that_goes_as_a_table_makes_its_damaged_log_again_takes_nothing(
    table: Table, tmp_path: Path
) -> None:
    """All that was in memory is in the new one, which is not in its place yet."""
    file = tmp_path / "data" / "lastnose.sqlite"
    damage(table, file)
    play(table, saved(7))
    store = table.record.store
    assert isinstance(store, Store)
    with cut_short(file):
        table.retry()
    assert store._lock is not None
    store._lock.release()  # as if it had been killed
    found, _ = open_store(tmp_path / "data")
    with closing(found):
        assert [START, saved(1), saved(7)] == [event for _, event in found.events()]
