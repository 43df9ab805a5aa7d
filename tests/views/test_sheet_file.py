"""A score sheet as a file, and written on by several phones at a table."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow, StoreError
from lastnose.companion.evening.commands import Agree, Amend, Finish, Import, Play, Regroup, Start, Undo
from lastnose.companion.evening.log import Agreed, fold
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.full_disk import FullDisk

THREE = ("North", "=East", "South")


def table() -> Table:
    """Return a table with one nose, and a sheet for three begun: the first hand and a cell."""
    made = Table(MemoryStore(), ("nose.1",), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("chickenfoot", THREE, {"set": 6}), "host")
    write(made, 1, 2, points=12)
    write(made, 1, 1, points=0)
    write(made, 1, 3, by="phone 3", pieces=["0-0", "3-1"])
    write(made, 2, 3, points=7)
    return made


def write(made: Table, hand: int, seat: int, by: str = "phone 2", **what: Any) -> Any:
    """Fill a cell in."""
    return made.execute(Play({"type": "score", "hand": hand, "seat": seat, **what}), by)


def totals(made: Table) -> tuple[int, ...]:
    """Return the totals as shown."""
    assert made.snapshot.sheet is not None
    return made.snapshot.sheet.totals


def test_phones_fill_different_columns_and_each_cell_says_who_wrote_it() -> None:
    """Nobody's entry is lost; the same cell twice is refused."""
    made = table()
    shown = made.snapshot
    assert shown.sheet is not None
    assert ["phone 2", "phone 2", "phone 3"] == [cell.by for cell in shown.sheet.lines[0].cells]
    assert ("Hand 2: double 5", (0, 12, 61)) == (str(shown.headline), totals(made))
    with pytest.raises(IllegalMove, match="Correct that entry"):
        write(made, 2, 3, points=8)


def test_ranks_are_those_after_the_whole_hands_while_another_is_written() -> None:
    """Whoever has written first is not behind for it: after hand 1 North has 0, East 12, South 54."""

    def ranks() -> list[tuple[int, int, int]]:
        assert made.snapshot.sheet is not None
        return [(one.seat, one.place, one.total) for one in made.snapshot.sheet.ranks]

    made = table()
    write(made, 2, 1, points=20)
    assert ((20, 12, 61), [(1, 1, 0), (2, 2, 12), (3, 3, 54)]) == (totals(made), ranks())
    write(made, 2, 2, points=0)
    assert [(2, 1, 12), (1, 2, 20), (3, 3, 61)] == ranks()


def test_who_wrote_a_cell_is_known_after_somebody_came() -> None:
    """South sits first then; nobody wrote what West begins with, until the host puts it right."""
    made = table()
    made.execute(Undo(), "host")
    made.execute(Regroup(("South", "West", "North", "=East")), "host")
    given = {"type": "correct", "hand": 1, "cells": [{"seat": 2, "points": 30}]}
    for by in ("", "host"):
        assert made.snapshot.sheet is not None
        assert ["phone 3", by, "phone 2", "phone 2"] == [one.by for one in made.snapshot.sheet.lines[0].cells]
        assert made.queries.sheet_csv().splitlines()[1].endswith(f",phone 3,{by},phone 2,phone 2")
        made.execute(Play(given), "host")


def test_an_earlier_cell_is_corrected_or_refused_with_the_reason() -> None:
    """Totals follow; what cannot be (two who went out) is refused, and nothing has changed."""
    made = table()
    assert made.snapshot.sheet is not None
    seq = made.snapshot.sheet.lines[0].cells[1].seq
    made.execute(Amend(seq, {"type": "score", "hand": 1, "seat": 2, "points": 21}), "host")
    assert (0, 21, 61) == totals(made)
    with pytest.raises(IllegalMove, match="cannot both have nothing left"):
        made.execute(Amend(seq, {"type": "score", "hand": 1, "seat": 2, "points": 0}), "host")
    assert (0, 21, 61) == totals(made)
    made.execute(Undo(made.snapshot.sheet.lines[1].cells[2].seq), "phone 2")
    assert (0, 21, 54) == totals(made)
    assert "host" == made.snapshot.sheet.lines[0].cells[1].by
    whole = {"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 8}, {"seat": 2, "points": 0}]}
    shown = made.execute(Play(whole), "phone 3 Élodie").sheet
    assert shown is not None
    assert ["phone 3 Élodie", "phone 3 Élodie", "phone 3"] == [cell.by for cell in shown.lines[0].cells]
    assert ("Élodie", "phone 3") == (str(shown.writers["phone 3 Élodie"]), str(shown.writers["phone 3"]))
    assert (8, 0, 54) == totals(made)


def test_a_sheet_goes_into_a_file_and_back() -> None:
    """With what was tapped and corrected; what was taken back is not in it."""
    made = table()
    made.execute(Undo(), "host")
    kept = json.loads(made.queries.sheet_json())
    assert ("chickenfoot", [*THREE], 3) == (kept["game"], kept["players"], len(kept["moves"]))
    other = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    other.execute(Import(kept), "host")
    assert (0, 12, 54) == totals(other)
    again = json.loads(other.queries.sheet_json())
    assert ["phone 2", "phone 2", "phone 3"] == kept["by"]
    assert {**kept, "by": ["host", "host", "host"]} == again


def test_a_disk_without_room_for_all_of_a_sheet_takes_nothing_of_it() -> None:
    """Either the game has begun with its hands, or it has not begun: not without them."""
    kept, store = json.loads(table().queries.sheet_json()), FullDisk()
    other = Table(store, (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    for room in (0, 1):
        store.room = room
        with suppress(StoreError):
            other.execute(Import(kept), "host")
        found = other.record.evening.match
        assert (found is None) == (store.newest() == 0)
        assert found is None or (0, 12, 61) == totals(other)


def test_a_sheet_is_read_by_a_spreadsheet() -> None:
    """A line a hand, the totals last; no name is taken for a formula."""
    lines = table().queries.sheet_csv().splitlines()
    assert (
        "hand,about,North,'=East,South,notes,North written by,'=East written by,South written by" == lines[0]
    )
    assert "1,double 6,0,12,54,North went out,phone 2,phone 2,phone 3" == lines[1]
    assert "total,,0,12,61,,,," == lines[-1]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sheet": 2}, "format 2"),
        ({"game": "bridge"}, "There is no game"),
        ({"game": "pig", "options": {}, "moves": []}, "There is no score sheet in this game"),
        ({"players": "North"}, "not a score sheet"),
        ({"moves": [{"type": "score", "hand": 2, "seat": 1, "points": 0}]}, "Hand 1 comes first"),
        ({"moves": [{"type": "nothing"}]}, "does not know this move"),
        ({"moves": [{"type": "seated", "players": 3}]}, "not a score sheet"),
        ({"moves": [{"type": "seated", "players": ["North"]}]}, "players, not 1"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_whole(change: dict[str, Any], why: str) -> None:
    """One sentence, and the table is as it was."""
    made = table()
    before = made.snapshot
    with pytest.raises(CompanionError, match=why):
        made.execute(Import({**json.loads(made.queries.sheet_json()), **change}), "host")
    assert before is made.snapshot


def test_a_sheet_of_another_game_does_not_end_the_one_being_played() -> None:
    """First that one is ended; a sheet of the same game may take its place at once."""
    made, gin = table(), {"sheet": 1, "game": "swedish-gin", "players": [*THREE], "options": {}, "moves": []}
    with pytest.raises(NotNow, match="Chickenfoot is being played, and this is a sheet of Swedish Gin Rummy"):
        made.execute(Import(gin), "host")
    made.execute(Import(json.loads(made.queries.sheet_json())), "host")
    assert (0, 12, 61) == totals(made)
    made.execute(Finish(), "host")
    assert "swedish-gin" == made.execute(Import(gin), "host").game


def agreed(made: Table, **options: Any) -> Any:
    """Change options."""
    return made.execute(Agree(options), "host")


def test_options_are_agreed_on_before_the_first_entry() -> None:
    """CHK-11. From then on they are settled, until it is taken back; log, file and screens know them."""
    made = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("chickenfoot", THREE, {"set": 6}), "host")
    shown = agreed(made, double_blank=25)
    assert {"set": 6, "double_blank": 25}.items() <= shown.options.items()
    assert 10 == len(agreed(made, set=9).sheet.lines)
    with pytest.raises(BadInput, match=r"is 50 or 25, not 30"):
        agreed(made, double_blank=30)
    write(made, 1, 3, pieces=["0-0", "3-1"])
    assert (0, 0, 29) == totals(made)
    for options in ({"double_blank": 50}, {"little_chick": True}):
        with pytest.raises(IllegalMove, match="Something is written already") as refused:
            agreed(made, **options)
        assert "CHK-11" == refused.value.rule
    before = made.snapshot
    assert before is agreed(made, double_blank=25)  # as it is
    made.execute(Undo(), "host")
    assert 50 == agreed(made, double_blank=50).options["double_blank"]
    assert made.record.evening == fold(made.record.store.events())
    assert 9 == json.loads(made.queries.sheet_json())["options"]["set"]


def test_what_has_no_points_is_an_entry_too() -> None:
    """A buy, a hand that is blocked; who deals first is none. Nothing has changed."""
    made = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("swedish-gin", THREE), "host")
    made.execute(Play({"type": "deals-first", "seat": 3}), "host")
    assert agreed(made, exact_cut=True).options["exact_cut"]
    made.execute(Play({"type": "bought", "hand": 1, "seat": 2}), "host")
    before = made.snapshot
    with pytest.raises(NotNow, match="Something is written already"):
        agreed(made, extras=False)
    made.execute(Start("chickenfoot", THREE), "host")
    made.execute(Play({"type": "blocked", "hand": 1}), "host")
    with pytest.raises(IllegalMove, match="Something is written already"):
        agreed(made, set=6)
    assert before is not made.snapshot


def test_a_log_with_options_changed_later_is_still_read() -> None:
    """As older evenings have them: a tile of a hand is counted with the options that came after it."""
    made = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("chickenfoot", THREE), "host")
    write(made, 1, 3, pieces=["0-0", "3-1"])
    match = made.record.evening.match
    assert match is not None
    options = {**match.started.options, "double_blank": 25}
    older = fold([*made.record.store.events(), (99, Agreed(by="host", at=1.0, options=options))]).match
    assert older is not None
    assert (0, 0, 29) == older.now.sheet.totals


def test_only_a_sheet_can_be_agreed_on_again() -> None:
    """Other games are started again; without a game there is nothing to agree on."""
    made = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"), clock_ns=lambda: 0, wall_s=lambda: 1.0)
    with pytest.raises(NotNow, match="No game is being played"):
        agreed(made, hold=True)
    made.execute(Start("pig", THREE), "host")
    with pytest.raises(NotNow, match="Start Pig again"):
        agreed(made, hold=True)


def test_a_game_without_a_sheet_has_no_file() -> None:
    """It says so."""
    made = Table(MemoryStore(), ("nose.1", "nose.2"), clock_ns=lambda: 0, wall_s=lambda: 1.0)
    with pytest.raises(BadInput, match="no score sheet"):
        made.queries.sheet_json()


def contracts() -> Table:
    """Return a table with the first hand of a sheet of contracts: a buy, an exact cut, tapped cards."""
    made = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("swedish-gin", THREE, {"exact_cut": True}), "host")
    made.execute(Play({"type": "deals-first", "seat": 3}), "host")
    made.execute(Play({"type": "bought", "hand": 1, "seat": 2}), "host")
    made.execute(Play({"type": "exact-cut", "hand": 1}), "host")
    write(made, 1, 1, points=0)
    write(made, 1, 2, pieces=["KS", "KS"])
    write(made, 1, 3, points=5)
    return made


def test_buys_and_cuts_go_into_the_files() -> None:
    """JSON takes them up again; CSV says why a column does not add up to its total."""
    made = contracts()
    assert (0, 20, -95) == totals(made)
    other = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    other.execute(Import(json.loads(made.queries.sheet_json())), "host")
    assert (0, 20, -95) == totals(other)
    assert [json.loads(made.queries.sheet_json())[key] for key in ("moves", "options")] == [
        json.loads(other.queries.sheet_json())[key] for key in ("moves", "options")
    ]
    lines = made.queries.sheet_csv().splitlines()
    assert lines[1].startswith("1,2 sets of 3,0,20,5,'=East: 1 buy; South: Exact cut,")
    assert lines[-1].startswith("total,,0,20,-95,")


def test_an_exact_cut_counts_in_the_ranks_with_its_hand() -> None:
    """After hand 1 South leads with -95; North cuts for hand 2, and is 100 lower as soon as it is written."""
    made = contracts()
    made.execute(Play({"type": "exact-cut", "hand": 2}), "host")
    sheet = made.snapshot.sheet
    assert sheet is not None
    assert ((-100, 20, -95), (3,)) == (sheet.totals, sheet.leaders)
    assert [(3, 1, -95), (1, 2, 0), (2, 3, 20)] == [(one.seat, one.place, one.total) for one in sheet.ranks]


def test_what_was_marked_before_somebody_came_is_in_the_file_and_still_theirs() -> None:
    """South's exact cut, East's buy; West comes with (0 + 20 - 95) / 3 = -25, and North deals hand 2."""
    made = contracts()
    made.execute(Regroup((*THREE, "West")), "host")
    made.execute(Play({"type": "bought", "hand": 2, "seat": 4}), "host")
    other = Table(MemoryStore(), (), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    other.execute(Import(json.loads(made.queries.sheet_json())), "host")
    for one in (made, other):
        sheet = one.snapshot.sheet
        assert sheet is not None
        assert ((0, 20, -95, -25), [3, 1]) == (sheet.totals, [line.dealer for line in sheet.lines[:2]])
        notes = [[str(note) for note in cell.notes] for line in sheet.lines[:2] for cell in line.cells]
        assert [[], ["1 buy"], ["Exact cut"], ["not here: The average"], [], [], [], ["1 buy"]] == notes
