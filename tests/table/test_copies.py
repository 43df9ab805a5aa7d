"""Copies of the log in a second place: whole, checked, and never at the cost of a good one."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.text import Text
from lastnose.companion.evening.log import Saved
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NAME
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import COPY, Copied, Copier, copy_log, is_copied, last_copy
from lastnose.companion.table.store import Store


def saved(number: int) -> Saved:
    """Return an event that fits any evening."""
    return Saved(by="host", at=float(number), name=f"v{number}", game="pig", options={})


def numbers(file: Path, tmp_path: Path) -> list[int]:
    """Return the events of a copy, put back as a log of its own."""
    place = tmp_path / f"back-{file.name}-{len(list(tmp_path.iterdir()))}"
    place.mkdir()
    (place / NAME).write_bytes(file.read_bytes())
    with closing(LogReader(place)) as reader:
        reader.must_be_sound()
        return [int(event.at) for _, event in reader.events()]


def test_a_copy_has_what_is_durable_while_the_table_runs(tmp_path: Path) -> None:
    """One file, that can be put in the place of the log; when and where is kept beside the log."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    with closing(Store(data)) as store:
        store.append(saved(1), saved(2))
        file = copy_log(data, stick, 77.0)
        assert [stick / COPY] == [file] == list(stick.iterdir())
        assert [1, 2] == numbers(file, tmp_path)
        store.append(saved(3))
        copy_log(data, stick, 78.0)
        assert [1, 2, 3] == numbers(file, tmp_path)
        assert Copied(78.0, str(file)) == last_copy(data)
    assert [stick / COPY] == list(stick.iterdir())


def test_the_copy_of_another_history_is_kept(tmp_path: Path) -> None:
    """A new card, and the old stick: what only the stick has, stays."""
    stick = tmp_path / "stick"
    stick.mkdir()
    for folder, events in (("old", [saved(1), saved(2)]), ("new", [saved(3)])):
        with closing(Store(tmp_path / folder)) as store:
            store.append(*events)
        copy_log(tmp_path / folder, stick, 1.0)
    assert [1, 2] == numbers(stick / "lastnose-copy-1.sqlite", tmp_path)
    assert [3] == numbers(stick / COPY, tmp_path)


def test_two_tables_that_take_turns_at_one_stick_do_not_fill_it(tmp_path: Path) -> None:
    """Three times each: there are 1 to 3 of one, 10 to 30 of the other, and what that had before."""
    stick = tmp_path / "stick"
    stick.mkdir()
    for at in (1, 2, 3):
        for folder, number in (("one", at), ("other", 10 * at)):
            with closing(Store(tmp_path / folder)) as store:
                store.append(saved(number))
            copy_log(tmp_path / folder, stick, float(at))
    kept = [stick / f"lastnose-copy-{number}.sqlite" for number in (1, 2)]
    assert {stick / COPY, *kept} == {*stick.iterdir()}
    assert [[10, 20, 30], [1, 2, 3], [10, 20]] == [numbers(one, tmp_path) for one in (stick / COPY, *kept)]


def test_two_tables_may_copy_to_one_stick_at_one_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one does so while the first checks its own: both are there, and each is whole."""
    stick, checked = tmp_path / "stick", log_file.must_be_sound
    stick.mkdir()
    for folder, number in (("one", 1), ("other", 2)):
        with closing(Store(tmp_path / folder)) as store:
            store.append(saved(number))

    def meanwhile(*one: Any) -> None:
        monkeypatch.setattr(log_file, "must_be_sound", checked)
        copy_log(tmp_path / "other", stick, 1.0)
        checked(*one)

    monkeypatch.setattr(log_file, "must_be_sound", meanwhile)
    copy_log(tmp_path / "one", stick, 1.0)
    assert [2] == numbers(stick / "lastnose-copy-1.sqlite", tmp_path)
    assert [1] == numbers(stick / COPY, tmp_path)
    assert len(list(stick.iterdir())) == 2


def test_a_damaged_log_does_not_replace_its_good_copy(tmp_path: Path) -> None:
    """The copy is checked before it takes the place."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    with closing(Store(data)) as store:
        store.append(*(saved(n) for n in range(200)))
    copy_log(data, stick, 1.0)
    good = (stick / COPY).read_bytes()
    raw = bytearray((data / NAME).read_bytes())
    raw[2 * 4096 : 3 * 4096] = bytes(4096)
    (data / NAME).write_bytes(raw)
    with pytest.raises(StoreError, match="is damaged"):
        copy_log(data, stick, 2.0)
    assert good == (stick / COPY).read_bytes()
    assert [stick / COPY] == list(stick.iterdir())


def test_a_stick_that_is_not_there_is_told_once_and_found_later(tmp_path: Path) -> None:
    """No folder is made in its place: that would be a copy on the same card."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    with closing(Store(data)) as store:
        store.append(saved(1))
        heard: list[Text | None] = []
        copier = Copier(data, stick, heard.append, lambda: 9.0)
        copier.copy()
        copier.copy()
        assert not stick.exists()
        assert last_copy(data) is None
        stick.mkdir()
        copier.copy()
        copier.copy()
    assert ["is the stick plugged in?", None] == [
        None if says is None else str(says).partition(": ")[2] for says in heard
    ]


def test_a_place_with_a_name_that_no_disk_takes_is_one_without_a_stick(tmp_path: Path) -> None:
    """As it may be typed: a sentence, and the thread that copies goes on."""
    with closing(Store(tmp_path / "data")) as store:
        store.append(saved(1))
        with pytest.raises(StoreError):
            copy_log(tmp_path / "data", tmp_path / ("x" * 300), 9.0)


def test_a_stick_that_is_plugged_in_late_is_found_by_the_thread_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asks once more: it tries again until there is one."""
    stick, found = tmp_path / "stick", threading.Event()
    monkeypatch.setattr("lastnose.companion.table.rescue.AGAIN_S", 0.0)
    with closing(Store(tmp_path / "data")) as store:
        store.append(saved(1))
        copier = Copier(tmp_path / "data", stick, lambda says: stick.mkdir() if says else found.set())
        copier.start()
        assert found.wait(5)
        copier.stop()
    assert [1] == numbers(stick / COPY, tmp_path)


def test_the_thread_copies_at_the_start_when_asked_and_at_the_end(tmp_path: Path) -> None:
    """What was appended last is on the stick when the table has stopped."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    with closing(Store(data)) as store:
        copier = Copier(data, stick, lambda _: None)
        copier.start()
        store.append(saved(1))
        copier.ask()
        store.append(saved(2))
        copier.stop()
    assert [1, 2] == numbers(stick / COPY, tmp_path)


def test_what_is_copied_already_is_not_copied_again_at_the_end(tmp_path: Path) -> None:
    """A table where nothing has happened since the last copy stops without waiting for the stick."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    times = iter((1.0, 2.0, 3.0))
    with closing(Store(data)) as store:
        store.append(saved(1))
        assert not is_copied(data, stick)
        copy_log(data, stick, next(times))
        assert is_copied(data, stick)
        copier = Copier(data, stick, lambda _: None, lambda: next(times))
        copier._thread.start()
        copier.stop()
        assert Copied(1.0, str(stick / COPY)) == last_copy(data)
        store.append(saved(2))
        assert not is_copied(data, stick)
        copier = Copier(data, stick, lambda _: None, lambda: next(times))
        copier._thread.start()
        copier.stop()
        assert Copied(2.0, str(stick / COPY)) == last_copy(data)


def test_a_stick_that_never_answers_holds_up_no_end_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last copy is given up, said so, and the one before is whole."""
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    heard: list[str] = []
    hangs, answers = threading.Event(), threading.Event()

    def never(path: Path) -> None:
        hangs.set()
        answers.wait()

    with closing(Store(data)) as store:
        store.append(saved(1))
        copy_log(data, stick, 1.0)
        store.append(saved(2))
        monkeypatch.setattr("lastnose.companion.table.rescue._sync", never)
        copier = Copier(data, stick, lambda says: heard.append(str(says)), last_s=0.0)
        copier.start()
        hangs.wait()
        copier.stop()
        assert [1] == numbers(stick / COPY, tmp_path)
        assert [f"{stick} was too slow for a last copy"] == [says.partition(":")[0] for says in heard]
        answers.set()
        copier._thread.join()


def test_a_note_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    """The doctor goes on without it."""
    (tmp_path / "copied.json").write_text("[" * 2000)
    assert last_copy(tmp_path) is None
