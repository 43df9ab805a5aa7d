"""Whose entry undo takes back: one's own or the box's, the host anybody's; and what redo puts back."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.evening import log
from lastnose.companion.evening.authors import author, given_name, named
from lastnose.companion.evening.commands import Amend, Play, Redo, Start, Undo
from lastnose.companion.evening.events import Amended, RoundJudged, Started
from lastnose.companion.evening.state import Evening
from lastnose.companion.evening.undo import authors, redoable, undoable
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


def test_the_host_takes_back_the_newest_of_anybody() -> None:
    """And so does whoever names the entry, as the history does."""
    made = table()
    write(made, 1, 12, ONE)
    write(made, 2, 9, TWO)
    made.execute(Undo(), "host East")
    assert [12, None, None] == row(made)
    cell = made.snapshot.sheet.lines[0].cells[0] if made.snapshot.sheet else None
    made.execute(Undo(cell.seq if cell else 0), TWO)
    assert [None, None, None] == row(made)
    with pytest.raises(BadInput, match="nothing to take back"):
        made.execute(Undo(), ONE)


def test_a_phone_puts_back_what_it_took_back_itself() -> None:
    """Each phone has its own, across what others write meanwhile; the host puts back anybody's."""
    made = table()
    write(made, 1, 12, ONE)
    write(made, 2, 9, TWO)
    made.execute(Undo(), ONE)
    made.execute(Undo(), TWO)
    write(made, 3, 0, "phone 0003")
    assert ("Hand 1, North: 12", "Hand 1, East: 9") == tuple(
        says(made.snapshot.redos[by]) for by in (ONE, TWO)
    )
    made.execute(Redo(), ONE)
    assert [12, None, 0] == row(made)
    with pytest.raises(BadInput, match="nothing to take back or to put back"):
        made.execute(Redo(), ONE)
    made.execute(Redo(), "host")
    assert [12, 9, 0] == row(made)


def test_undo_is_refused_when_others_have_built_on_it() -> None:
    """With the reason; nothing has changed."""
    made = table()
    write(made, 1, 0, ONE)
    write(made, 2, 9, TWO)
    write(made, 3, 4, TWO)
    write(made, 1, 7, TWO, hand=2)
    assert ONE not in made.snapshot.undos
    with pytest.raises(IllegalMove, match="Hand 1 comes first"):
        made.execute(Undo(), ONE)
    assert ([0, 9, 4], [7, None, None]) == (row(made), row(made, 2))


def test_what_somebody_else_corrected_is_no_longer_ones_own() -> None:
    """Undo of the first writer would take the correction with it: it goes further back."""
    made = table()
    write(made, 1, 12, ONE)
    write(made, 2, 9, ONE)
    made.execute(Amend(made.record.evening.seq, {"type": "score", "hand": 1, "seat": 2, "points": 8}), TWO)
    assert "Hand 1, North: 12" == says(made.snapshot.undos[ONE])
    made.execute(Undo(), TWO)
    assert [12, 9, None] == row(made)
    made.execute(Undo(), ONE)
    assert [12, None, None] == row(made)


def test_an_entry_that_was_taken_back_is_not_corrected() -> None:
    """The correction would be lost without a word."""
    made = table()
    write(made, 1, 12, ONE)
    seq = made.record.evening.seq
    made.execute(Undo(), ONE)
    with pytest.raises(BadInput, match="put it back first"):
        made.execute(Amend(seq, {"type": "score", "hand": 1, "seat": 1, "points": 8}), TWO)


def test_a_name_changes_nothing_of_whose_an_entry_is() -> None:
    """The phone keeps its entries under any name."""
    made = table()
    write(made, 1, 12, ONE)
    made.execute(Undo(), f"{ONE} Élodie")
    assert [None, None, None] == row(made)


@given(st.from_regex(r"phone [0-9a-f]{4}|host", fullmatch=True), st.text(max_size=40))
def test_no_name_makes_one_somebody_else(whose: str, name: str) -> None:
    """Whatever it is made of; and it comes out as it went in, tidied and cut."""
    by = named(whose, name)
    assert whose == author(by)
    assert given_name(by) == given_name(named(whose, given_name(by)))
    assert len(by) <= len(whose) + 21


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_undo_of_one_phone_leaves_the_cells_of_the_others(order: tuple[int, ...]) -> None:
    """In whatever order they wrote, and in whatever order they take back."""
    made = table()
    for seat in (1, 2, 3):
        write(made, seat, [0, 11, 12, 13][seat], f"phone 000{seat}")
        if seat == 2:
            made.execute(Play({"type": "blocked", "hand": 1}), "host")
    for gone in order:
        before = row(made)
        made.execute(Undo(), f"phone 000{gone}")
        assert [None if seat == gone else before[seat - 1] for seat in (1, 2, 3)] == row(made)
        assert log.fold(made.record.store.events()).matches == made.record.evening.matches


def test_undo_is_offered_where_it_fits() -> None:
    """At a pad each card rests on the one before: only who laid the last is offered to take it back."""
    made = Table(MemoryStore(), ("nose.1",), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    made.execute(Start("pig-10", ("North", "East")), "host")
    made.execute(Play({"type": "starts", "seat": 1}), ONE)
    for seat, key, value, by in ((1, 4, 4, ONE), (2, 3, 7, TWO)):
        made.execute(Play({"type": "lay", "seat": seat, "key": key, "value": value}), by)
    assert {TWO: "East lays 3. The pile is worth 7."} == {
        by: says(step) for by, step in made.snapshot.undos.items()
    }
    made.execute(Undo(), TWO)
    assert "North lays 4. The pile is worth 4." == says(made.snapshot.undos[ONE])
    with pytest.raises(BadInput, match="Nothing here is yours"):
        made.execute(Undo(), TWO)


def test_a_round_is_the_boxs_and_what_the_table_made_of_it_is_not() -> None:
    """Anybody takes back the newest round; one that a phone has voided only by that phone, or by name."""
    started = Started(
        by="host", at=0.0, game="pig", players=PLAYERS, options={}, lines=("nose.1", "nose.2", "nose.3")
    )
    voided = Amended(by=ONE, at=2.0, of=3, move={"type": "void", "reason": ""})
    evening = log.fold(enumerate((started, judged(2), judged(3), voided), 1))
    assert (4, 2, 4) == tuple(undoable(evening, by) for by in (ONE, TWO, "host"))


def judged(last: int) -> RoundJudged:
    """Return a round in which *last* was last of three."""
    order = (*(seat for seat in (1, 2, 3) if seat != last), last)
    presses = tuple(Press(seat, n * 1_000_000, 1_000, "gpio") for n, seat in enumerate(order))
    verdict = Verdict(order, (last,), 1_000_000, 2_000, presses=presses)
    return RoundJudged(by="box", at=1.0, verdict=verdict, confirm_ns=1_000_000, lockout_ns=20_000_000)


def test_undo_takes_back_nothing_before_a_game() -> None:
    """There is no entry 1 yet, nor anybody who has written one."""
    assert (0, ()) == (undoable(Evening()), authors(Evening()))


def test_authors_are_told_in_order_and_redo_is_ones_own() -> None:
    """Two phones write, one takes back: it may put that back, and the other has nothing to put back."""
    made = table()
    write(made, 1, 5, TWO)
    write(made, 2, 0, ONE)
    assert (ONE, TWO) == authors(made.record.evening)
    made.execute(Undo(), TWO)
    assert redoable(made.record.evening, TWO)
    assert 0 == redoable(made.record.evening, ONE)
