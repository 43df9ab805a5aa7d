"""Whose entry undo takes back: one's own or the box's, the host anybody's; and what redo puts back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.evening.authors import author, given_name, named
from lastnose.companion.evening.commands import Amend, Play, Start, Undo
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.views.snapshot import Step

ONE, TWO = "phone 0001", "phone 0002"
PLAYERS = ("North", "East", "South")


def table() -> Table:
    """Return a sheet for three, begun by the host."""
    made = Table(MemoryStore(), ("nose.1",), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("chickenfoot", PLAYERS, {"set": 6}), "host")
    return made


def write(made: Table, seat: int, points: int, by: str, hand: int = 1) -> None:
    """Fill a cell in."""
    made.execute(Play({"type": "score", "hand": hand, "seat": seat, "points": points}), by)


def row(made: Table, hand: int = 1) -> list[int | None]:
    """Return the points of a hand."""
    assert made.snapshot.sheet is not None
    return [cell.points for cell in made.snapshot.sheet.lines[hand - 1].cells]


def says(step: Step | None) -> str | None:
    """Return what a step would do."""
    return None if step is None else str(step.says)


def test_a_phone_takes_back_its_own_newest_entry() -> None:
    """Not that of the phone beside it, although it is newer."""
    made = table()
    write(made, 1, 12, ONE)
    write(made, 2, 9, TWO)
    assert "Hand 1, North: 12" == says(made.snapshot.undos.get(ONE))
    assert "Hand 1, East: 9" == says(made.snapshot.undo)
    made.execute(Undo(), ONE)
    assert [None, 9, None] == row(made)
    with pytest.raises(BadInput, match="Nothing here is yours"):
        made.execute(Undo(), ONE)
    assert [None, 9, None] == row(made)


def test_an_entry_that_was_taken_back_is_not_corrected() -> None:
    """The correction would be lost without a word."""
    made = table()
    write(made, 1, 12, ONE)
    seq = made.record.evening.seq
    made.execute(Undo(), ONE)
    with pytest.raises(BadInput, match="put it back first"):
        made.execute(Amend(seq, {"type": "score", "hand": 1, "seat": 1, "points": 8}), TWO)


@given(st.from_regex(r"phone [0-9a-f]{4}|host", fullmatch=True), st.text(max_size=40))
def test_no_name_makes_one_somebody_else(whose: str, name: str) -> None:
    """Whatever it is made of; and it comes out as it went in, tidied and cut."""
    by = named(whose, name)
    assert whose == author(by)
    assert given_name(by) == given_name(named(whose, given_name(by)))
    assert len(by) <= len(whose) + 21
