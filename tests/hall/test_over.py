"""Of games that are over only what they came to is at hand: nothing is told otherwise for that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from lastnose import companion
from lastnose.companion.core.errors import CompanionError, StoreError
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Undo
from lastnose.companion.evening.events import AnyEvent
from lastnose.companion.evening.state import Entry
from lastnose.companion.event import reports
from lastnose.companion.event.screen import Screens
from lastnose.companion.event.table_log import TableLog, summed
from lastnose.companion.event.tally import Tally
from lastnose.companion.link import copies
from lastnose.companion.link.copies import Copies
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import NAME, Cursor, HallStore
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained

from tests.hall.test_table_log import EVENT, written
from tests.support.examples import examples
from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, rows

TABLE = "abcdefghjk"


def _rows(found: list[tuple[int, AnyEvent]]) -> list[LogRow]:
    """Return the rows of (evening, event)."""
    n, head, out = 0, NO_HEAD, []
    for evening, event in found:
        ((_, _, kind, raw, _),) = rows((event,))
        n, head = n + 1, chained(head, n + 1, evening, raw)
        out.append(LogRow(n, evening, kind, raw, head))
    return out


def _plain(entries: Iterable[Entry]) -> object:
    """Return *entries* to compare: people get the numbers in which they come, wherever they were."""
    numbers: dict[int, int] = {}

    def told(one: Any) -> Any:
        if isinstance(one, dict):
            return {
                part: [numbers.setdefault(person, len(numbers)) for person in found]
                if part == "circle"
                else told(found)
                for part, found in one.items()
            }
        return [told(part) for part in one] if isinstance(one, list | tuple) else one

    plain = [msgspec.structs.replace(one, zero=None) for one in entries]
    return told(msgspec.to_builtins(plain, enc_hook=str))


def _same(log: TableLog, whole: TableLog) -> None:
    """Fail unless *log*, of which games are over, tells what *whole* tells."""
    assert log.evening.seq == whole.evening.seq
    assert log.claim == whole.claim
    assert log.played.keys() == whole.played.keys()
    for call, games in whole.played.items():
        assert len(games) == len(log.played[call])
        for one, found in zip(games, log.played[call], strict=True):
            for part in ("began", "reopened", "nonce", "zero"):
                assert getattr(one, part) == getattr(found, part), part
            assert (summed(one.parts) if isinstance(found.at_hand, bytes) else one.sums) == found.sums
            assert one.closest == found.closest
            assert whole.past(one.sums.newest) == log.past(found.sums.newest)
            assert _plain(one.entries) == _plain(found.entries)
            assert [part.started for part in one.parts] == [part.started for part in found.parts]
            assert [part.signed_by for part in one.parts] == [part.signed_by for part in found.parts]


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_log_whose_games_are_over_tells_what_the_whole_log_tells(seed: int, tmp_path: Path) -> None:
    """Random logs, in pieces, corrected long after, in two evenings; opened again between."""
    rng = Random(seed)
    store = HallStore(tmp_path)
    made, whole = Copies(EVENT, Tally(), store, lambda *_, **__: None), TableLog(TABLE)
    left = _rows(written(seed))
    while left:
        n = rng.randint(1, 12)
        piece, left = left[:n], left[n:]
        store.take([(TABLE, row) for row in piece], Cursor())
        made.took([(TABLE, row) for row in piece])
        for row in piece:
            try:
                whole = whole.plus(EVENT, row.seq, row.evening, copies.event_of(row.raw))
            except CompanionError:
                continue
        _same(made._tally.logs[TABLE], whole)
        if rng.random() < 0.4:
            store.close()
            store = HallStore(tmp_path)
            made = Copies(EVENT, Tally(), store, lambda *_, **__: None)
            made.open()
            _same(made._tally.logs[TABLE], whole)
    store.close()


def _told(hall: Hall) -> tuple[object, ...]:
    """Return what a hall says of its results."""
    view = hall.view
    plain = [(one.round, one.number, one.state, one.result, one.doubts) for one in view.outcomes]
    return plain, view.lines, reports.sheets(view), reports.matrix(view)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Hall, HallStore, TableOfHall]:
    """Return a hall whose only table has played two rounds, and plays the third."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store, random=Random(3))
    arranged(hall, "A,B,C", tables=1, final=0, rounds=3, format="mixed")
    table = TableOfHall(hall)
    for n in range(3):
        call_round(hall)
        table.begin()
        table.judged(1, 2, 3)
        if n < 2:
            table.judged(2, 3, 1, apart_ms=7)
            table.end()
    return hall, store, table


def test_a_start_goes_on_from_what_was_kept_and_reads_the_newest_game_alone(
    played: tuple[Hall, HallStore, TableOfHall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games of seven entries are not looked at again, and all that is told is the same."""
    hall, store, _ = played
    told = _told(hall)
    folded: list[int] = []
    plus = TableLog.plus

    def counted(self: TableLog, event: str, seq: int, evening: int, item: AnyEvent) -> TableLog:
        folded.append(seq)
        return plus(self, event, seq, evening, item)

    monkeypatch.setattr(TableLog, "plus", counted)
    again = Hall(store, random=Random(3))
    (log,) = again.logs.values()
    newest = log.evening.match
    assert newest.seq == folded[0]
    assert 3 == len(folded), "begun, armed, judged"
    assert told == _told(again)
    store.close()


def test_a_table_in_its_third_game_is_shown_without_reading_the_first_two(
    played: tuple[Hall, HallStore, TableOfHall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is shown: what a screen asks of games that are over would be read from the disk each time."""
    hall, store, table = played
    screens, asked = Screens(), []
    monkeypatch.setattr(copies._Read, "evening", lambda self, table: asked.append(table))
    for last in (1, 2):
        table.judged(*(seat for seat in (1, 2, 3) if seat != last), last, apart_ms=9)
        (log,) = hall.logs.values()
        assert log.source is not None, "its first two games are over"
        assert screens.shown(log).rows[last - 1].letters
    assert [] == asked
    store.close()


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE base SET head = x'00'",
        "UPDATE setting SET value = 'old' WHERE name = 'kept by'",
        "UPDATE base SET made = x'91'",
        "UPDATE game SET made = x'91'",
    ],
)
def test_what_was_kept_is_never_the_truth(
    played: tuple[Hall, HallStore, TableOfHall], spoil: str, tmp_path: Path
) -> None:
    """Of other rows, or made by other code: it is left, though it is wrong, and the rows are read."""
    hall, store, _ = played
    told = _told(hall)
    store.close()
    with sqlite3.connect(tmp_path / "hall" / NAME) as db:
        for call, began, *rest, sums in [
            msgspec.msgpack.decode(made) for (made,) in db.execute("SELECT made FROM game")
        ]:
            wrong = [*msgspec.msgpack.decode(sums)[:4], None, 0, 0, False, False, False, 0, 0]
            made = msgspec.msgpack.encode([call, began, *rest, msgspec.msgpack.encode(wrong)])
            db.execute("UPDATE game SET made = ? WHERE began = ?", (made, began))
        db.execute(spoil)
    db.close()
    store = HallStore(tmp_path / "hall")
    assert told == _told(Hall(store, random=Random(3)))
    store.close()


def test_a_disk_that_does_not_take_what_is_kept_is_given_all_of_it_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first game is not kept when it is over; after the second both are."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store, random=Random(3))
    arranged(hall, "A,B,C", tables=1, final=0, rounds=3, format="mixed")
    table = TableOfHall(hall)
    full = [True]
    keep = HallStore.keep_games

    def keeps(self: HallStore, *what: Any, **how: Any) -> None:
        if full:
            full.pop()
            raise StoreError(text("full"))
        keep(self, *what, **how)

    monkeypatch.setattr(HallStore, "keep_games", keeps)
    kept = []
    for _ in range(3):
        call_round(hall)
        table.begin()
        found = store.kept(table.member.table)
        kept.append(0 if found is None else len(found[2]))
        table.judged(1, 2, 3)
        table.end()
    assert [0, 0, 2] == kept
    assert _told(hall) == _told(Hall(store, random=Random(3)))
    store.close()


def test_what_is_taken_back_in_a_game_that_is_over_counts_at_once_and_at_the_next_start(
    played: tuple[Hall, HallStore, TableOfHall],
) -> None:
    """The table's host takes back how the first game ended: it has no result any more."""
    hall, store, table = played
    first, before = hall.view.outcomes[0], _told(hall)
    assert isinstance(first.called.at_hand, bytes)
    ended = [*first.called.entries][-1].seq
    table.do(Undo(ended))
    assert ("counts", "playing") == (first.state, hall.view.outcomes[0].state)
    told = _told(hall)
    assert before != told == _told(Hall(store, random=Random(3)))
    store.close()


def test_as_many_games_that_are_over_as_are_at_hand_are_read_once(
    played: tuple[Hall, HallStore, TableOfHall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two games one is at hand: whichever was asked for last. A change of the table lets all go."""
    _, store, table = played
    read, name, asked = copies._Read(EVENT, store), table.member.table, list[int]()
    monkeypatch.setattr(copies, "AT_HAND", 1)
    monkeypatch.setattr(copies, "_parts", lambda log, call, began: asked.append(began) or (began,))
    for began in (1, 1, 8, 8, 1):
        assert (began,) == read.parts(name, 1, began)
    assert [1, 8, 1] == asked
    read.forget("another")
    read.parts(name, 1, 1)
    assert [1, 8, 1] == asked
    read.forget(name)
    read.parts(name, 1, 1)
    assert [1, 8, 1, 1] == asked
    store.close()


def test_how_far_the_reading_is_is_told(played: tuple[Hall, HallStore, TableOfHall]) -> None:
    """By tables."""
    _, store, _ = played
    heard: list[tuple[int, int]] = []
    Hall(store, random=Random(3), told=lambda *far: heard.append(far))
    assert [(0, 1)] == heard
    store.close()


def test_what_another_version_of_a_game_of_others_has_kept_is_of_no_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its rules may have changed: what its games came to is worked out again."""

    def mark(*versions: str) -> str:
        found = [
            type("One", (), {"value": f"game{at}:GAME", "dist": type("Dist", (), {"version": version})})
            for at, version in enumerate(versions)
        ]
        monkeypatch.setattr(copies, "entry_points", lambda group: found)
        copies.code_mark.cache_clear()
        return copies.code_mark()

    assert all((Path(companion.__file__).parent / room).is_dir() for room in copies.TOLD_BY)
    assert 4 == len({mark(), mark("1.0"), mark("1.1"), mark("1.0", "1.1")})
    assert mark("1.0") == mark("1.0")
    copies.code_mark.cache_clear()
