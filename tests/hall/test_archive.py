"""An archive opens again years later, and nothing in it can have been changed unseen."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from random import Random

import hypothesis.strategies as st
import pytest
from click.testing import CliRunner
from hypothesis import given
from lastnose.companion.cli import hall as cli
from lastnose.companion.core.errors import BadInput, Missing, StoreError
from lastnose.companion.event import commands
from lastnose.companion.event.messages import Presence
from lastnose.companion.link.hub import Hall, everything
from lastnose.companion.link.service import look
from lastnose.companion.link.store import Cursor, HallStore, reopen
from lastnose.companion.table import log_file

from tests.support.commands import lastnose
from tests.support.halls import arranged, call_round, decide, judged_game, let_in, rows, screen, seated, take

# Written by that version; never written again. That of another: python -m tests.hall.test_archive
FROZEN = Path(__file__).parent / "archives" / "event-0.2.0.json"


def an_event(folder: Path) -> bytes:
    """Return the archive of a small evening: two tables, results from paper, an appeal, a final."""
    with closing(HallStore(folder)) as store:
        hall = Hall(store, random=Random(4), wall_s=lambda: 1_795_000_000.0)
        members = [let_in(hall), let_in(hall)]
        arranged(hall, "name,club\nAya,Ouest\nNoor,\nTom,\nEwa,\nКофи,\nZoë,Ouest\n", rounds=1, final=3)
        call_round(hall)
        names, call = seated(hall, 1)
        take(hall, members[0], rows(judged_game(names, call, 0)))
        now = hall.state.now
        for number in (1, 2):
            places = tuple((one,) for one in sorted(now.at(number)))
            hall.do(commands.TypeResult(1, number, places, "from paper"), "Ann")
        decide(hall, "stands")
        call_round(hall)
        final = hall.state.now
        number = final.numbers[0]
        places = tuple((one,) for one in sorted(final.at(number), reverse=True))
        hall.do(commands.TypeResult(2, number, places, "from paper"), "Ann")
        return everything(hall)


def test_the_archive_of_an_older_version_opens_with_its_standings_and_photo_finishes(tmp_path: Path) -> None:
    """Everybody has the points and the place that the file tells; the appealed verdict is judged again."""
    told = json.loads(FROZEN.read_bytes())
    reopen(FROZEN.read_bytes(), tmp_path / "again")
    with closing(HallStore(tmp_path / "again")) as store:
        hall = Hall(store)
        lines = hall.view.lines
        assert [(one["place"], one["name"], Fraction(one["points"])) for one in told["standings"]] == [
            (line.place, hall.state.shown(line.entrant), line.points) for line in lines
        ]
        # By hand: of three at a table the first has 1, the second 1/2, the last 0; the final of all who had
        # points was typed the other way round, and who has nothing shares the fifth place.
        assert [(1, "1/2"), (2, "1/2"), (3, "1"), (4, "1"), (5, "0"), (5, "0")] == [
            (line.place, str(line.points)) for line in lines
        ]
        appeal = next(iter(hall.state.appeals.values()))
        assert ("stands", "It was Tom.") == (appeal.decision, appeal.reason)
        shown = look(hall, appeal.table, appeal.entry)
        assert 412_000 == shown.round.finish.margin_ns


@pytest.mark.parametrize("where", ["all", "entry", "row", "cut"])
def test_an_archive_that_is_nested_far_too_deeply_is_refused_in_a_sentence(
    tmp_path: Path, where: str
) -> None:
    """Wherever it is, also in one that was cut: nothing is written, and no traceback."""
    deep = b"[" * 1_000_000 + b"]" * 1_000_000
    kept = an_event(tmp_path / "first")
    told = {
        "all": deep,
        "entry": kept.replace(b'"by": "Ann"', b'"by": "Ann", "more": ' + deep, 1),
        "row": kept.replace(b'"by": "hall"', b'"by": "hall", "more": ' + deep),
        "cut": kept[:-2] + b', "more": ' + deep[:1_000_000],
    }[where]
    assert told != kept
    with pytest.raises(BadInput, match=r"This is not an archive of a hall that can be opened \(.*deep"):
        reopen(told, tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_of_a_table_that_the_hall_does_not_know_there_is_nothing_to_look_at(
    hall: Hall, store: HallStore
) -> None:
    """Also where its rows have come before it was let in."""
    (row,) = rows(judged_game(("A", "B", "C"), "", 0)[:1])
    store.take([("ghost", row)], Cursor("", 1))
    for entry in (1, 2):
        with pytest.raises(Missing, match=f"The hall has no entry {entry} of this table"):
            look(hall, "ghost", entry)


def test_what_is_opened_and_kept_again_is_the_same(tmp_path: Path) -> None:
    """Byte for byte: nothing is lost on the way there and back."""
    kept = an_event(tmp_path / "first")
    reopen(kept, tmp_path / "second")
    with closing(HallStore(tmp_path / "second")) as store:
        assert kept == everything(Hall(store))


def test_nobody_waits_for_the_tables_of_an_archive_but_for_those_that_come_since(tmp_path: Path) -> None:
    """Of an evening that was not played to its end: no link of it is away. One that is heard is a table."""
    store = HallStore(tmp_path / "first")
    hall = Hall(store, random=Random(4))
    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", rounds=1, final=3)
    tables = [let_in(hall).table for _ in range(2)]
    call_round(hall)
    kept = everything(hall)
    store.close()
    reopen(kept, tmp_path / "second")
    now = [0.0]
    with closing(HallStore(tmp_path / "second")) as store:
        again = Hall(store, now_s=lambda: now[0])
        assert ([], [True, True]) == away(again)
        late = let_in(again)
        assert ([3], [True, True, False]) == away(again)
        again.heard(tables[0], Presence(n=0))
        again.heard(late.table, Presence(n=0))
        now[0] = 60.0
        again.look_at_tables()
        again.tick()
        assert ([1, 3], [False, True, False]) == away(again)


def away(hall: Hall) -> tuple[list[int], list[bool]]:
    """Return which tables the desk says are away, and of each table whether it is the archive's."""
    shown = screen(hall)
    return [one.number for one in shown.todos if one.kind == "away"], [one.archived for one in shown.tables]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"Ouest"', b'"Ouest', "not an archive"),
        (b'"lastnose_hall": 1', b'"lastnose_hall": 2', "newer Last Nose"),
        (b'"lastnose_hall": 1', b'"something": 1', "not an archive"),
        (b'"t_ns": 502000', b'"t_ns": 502001', "entry 3 is not what was written"),
        (b'"type": "announced"', b'"type": "sung"', "not an archive"),
    ],
)
def test_an_archive_that_was_changed_is_refused_in_a_sentence_and_nothing_is_written(
    tmp_path: Path, old: bytes, new: bytes, says: str
) -> None:
    """A digit of a stamp, a missing sign, another format: each is found before the folder is made."""
    kept = FROZEN.read_bytes()
    changed = kept.replace(old, new, 1)
    if changed == kept:
        changed = kept.replace(b'"type": "arranged"', b'"type": "sung"', 1)
    with pytest.raises(BadInput, match=says):
        reopen(changed, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def cut_to(kept: bytes, rows: int) -> bytes:
    """Return archive *kept* as it is when copying broke off in the row after so many of its tables' rows."""
    at = kept.index(b'"tables": {', kept.index(b'"hall": ['))
    for _ in range(rows + 1):
        at = kept.index(b'"head"', at + 1)
    return kept[: at + 20]


def test_an_archive_that_was_cut_says_what_is_missing_and_opens_with_what_is_there(tmp_path: Path) -> None:
    """In the middle of a table's fourth row of five; the command tells it by its status, too."""
    kept = an_event(tmp_path / "first")
    n = len(json.loads(kept)["hall"])
    file = tmp_path / "event.json"
    file.write_bytes(cut_to(kept, 3))
    words = ["open", str(file), "--data", str(tmp_path / "again")]
    done = lastnose("hall", *words)
    assert 1 == done.exit_code
    assert (
        f"This archive is cut: {n} of {n} entries of the hall’s log and 3 of 5 of its tables’" in done.output
    )
    with closing(HallStore(tmp_path / "again")) as store:
        hall = Hall(store)
        assert (n, [3]) == (hall.state.seq, [one for one in hall.view.have.values() if one])
        assert json.loads(kept)["standings"] == json.loads(everything(hall))["standings"]


def test_an_archive_that_was_cut_in_the_halls_own_log_or_with_care_says_so(tmp_path: Path) -> None:
    """The last entries left out leave a sound file; an older archive does not say how many there were."""
    kept = an_event(tmp_path / "first")
    told = json.loads(kept)
    n = len(told["hall"])
    told["hall"] = told["hall"][:-2]
    says = reopen(json.dumps(told, ensure_ascii=False).encode(), tmp_path / "left-out")
    assert f"{n - 2} of {n} entries of the hall’s log and 5 of 5" in str(says)
    third = kept.index(b'"n": 4', kept.index(b'"hall": ['))
    assert f"cut: 3 of {n} entries" in str(reopen(kept[:third], tmp_path / "broken"))
    old = FROZEN.read_bytes()
    says = reopen(cut_to(old, 2), tmp_path / "old")
    assert (
        f"cut: {len(json.loads(old)['hall'])} of ? entries of the hall’s log and 2 of ? of its tables’"
        in str(says)
    )
    assert reopen(old, tmp_path / "whole") is None


@given(at=st.integers(0, 20_000))
def test_an_archive_that_was_cut_anywhere_opens_or_is_refused_in_a_sentence(
    at: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And what it says is there is what it has."""
    old = FROZEN.read_bytes()
    where = tmp_path_factory.mktemp("cut") / "again"
    try:
        says = reopen(old[: at * len(old) // 20_000], where)
    except BadInput as problem:
        assert "not an archive of a hall" in str(problem)
        return
    with closing(HallStore(where)) as store:
        hall = Hall(store)
        have, rows_ = hall.state.seq, sum(hall.view.have.values())
        assert says is None or f"{have} of ? entries of the hall’s log and {rows_} of ?" in str(says)


def test_an_event_on_a_disk_that_cannot_be_written_is_exported_with_its_last_entries(tmp_path: Path) -> None:
    """As after a crash: its newest entry is only in SQLite's file beside. No lock can be made there."""
    kept = an_event(tmp_path / "first")
    store = HallStore(tmp_path / "first")
    Hall(store).do(commands.Announce("The last word"), "Ann")
    folder = tmp_path / "card"
    folder.mkdir()
    for one in ("hall.sqlite", "hall.sqlite-wal"):
        (folder / one).write_bytes((tmp_path / "first" / one).read_bytes())
    store.close()
    (folder / "lock").mkdir()  # no lock can be taken there, as on a disk that is mounted to be read
    before = sorted(one.name for one in folder.iterdir())
    file = tmp_path / "event.json"
    done = CliRunner().invoke(cli.command, ["export", str(file), "--data", str(folder)])
    assert (0, True) == (done.exit_code, b"The last word" in file.read_bytes()), done.output
    assert len(json.loads(kept)["hall"]) + 1 == len(json.loads(file.read_bytes())["hall"])
    assert before == sorted(one.name for one in folder.iterdir())
    (folder / "hall.sqlite").unlink()
    done = CliRunner().invoke(cli.command, ["export", str(file), "--data", str(folder)])
    assert "There is no event in" in done.output


def disk_takes(made: bytes, folder: Path) -> bool:
    """Return whether there was room for all of the archive *made* in *folder*."""
    try:
        reopen(made, folder)
    except StoreError as problem:
        assert "is full: free some space" in str(problem)
        return False
    return True


def test_an_archive_that_a_full_disk_did_not_take_is_opened_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much of it there was room for: a part of an evening is no event, and nobody has to clean up."""
    connect, room = log_file.connect, 3

    def small(path: Path, mode: str) -> sqlite3.Connection:
        db = connect(path, mode)
        db.execute(f"PRAGMA max_page_count = {room}")
        return db

    with closing(HallStore(tmp_path / "made")) as store:
        hall = Hall(store)
        arranged(hall, ",".join(f"Player {n}" for n in range(400)))
        made = everything(hall)
    monkeypatch.setattr(log_file, "connect", small)
    while not disk_takes(made, tmp_path / "again"):
        room += 1
    monkeypatch.undo()
    with closing(HallStore(tmp_path / "again")) as store:
        assert made == everything(Hall(store))
    assert room > 10


def test_a_folder_with_an_event_is_not_written_over(tmp_path: Path) -> None:
    """The command says it, and the event stays."""
    file = tmp_path / "event.json"
    file.write_bytes(an_event(tmp_path / "first"))
    words = ["open", str(file), "--data", str(tmp_path / "first")]
    assert "has an event already" in CliRunner().invoke(cli.command, words).output
    words[-1] = str(tmp_path / "second")
    assert 0 == CliRunner().invoke(cli.command, words).exit_code
    missing = CliRunner().invoke(cli.command, ["open", str(tmp_path / "none.json"), *words[2:]])
    assert "cannot be read" in missing.output


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        FROZEN.parent.mkdir(exist_ok=True)
        FROZEN.write_bytes(an_event(Path(folder) / "hall"))
