"""What a correction would change behind it is told before it is done."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.evening.commands import Amend, Arm, Changing, Play, Redo, Regroup, Start, Undo
from lastnose.companion.table.table import Table
from lastnose.companion.views.preview import foreseen

from tests.table.test_regroup import early, letters, table
from tests.table.test_table import FOUR, Box


def entries(made: Table) -> list[int]:
    """Return the log numbers of what history lists."""
    return [view.seq for view in made.queries.rounds()]


def told(made: Table, wish: Changing) -> tuple[bool, list[str]]:
    """Return whether *wish* would fit, and what would come of it."""
    found = foreseen(made.record.evening, wish)
    return found.fits, [str(line) for line in found.says]


def give(seat: int) -> dict[str, object]:
    """Return the move that gives a letter to *seat*."""
    return {"type": "false-opener", "seat": seat}


def test_what_changes_behind_is_told_and_nothing_has_changed() -> None:
    """Of Ana's two the first was Björn's: her second is her first, and both have a P."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1, 1)
    first, _ = entries(made)
    before = made.record.evening
    assert (True, ["Ana gets a letter: P", "Ana: P, and not PI", "Björn: P, and not nothing"]) == told(
        made, Amend(first, give(2))
    )
    assert before is made.record.evening
    made.execute(Amend(first, give(2)), "host")
    assert {"Ana": "P", "Björn": "P", "Ines": ""} == letters(made)


def test_each_round_that_would_no_longer_fit_is_told_with_why() -> None:
    """Word X: South went out in round 1; had it been North, he would not have been there in 2 and 3."""
    box = Box()
    box.do(Start("pig", (*FOUR, "Eva"), {"word": "X"}))
    for order in ((1, 2, 4, 5, 3), (1, 2, 4, 5), (1, 2, 4)):
        box.wait(3_100)
        box.round(*order)
    box.table.publish()
    first = entries(box.table)[0]
    assert (
        False,
        ["Round 2: North is out already.", "Round 3: North is out already."],
    ) == told(box.table, Amend(first, {"type": "last", "seats": [1]}))


def test_that_somebody_never_came_is_told_through_the_circles() -> None:
    """Zoë has a letter of her own: she did come. Taken back with it she never did."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1)
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    early(made, 4)
    came, got = entries(made)[-2:]
    assert (False, ["Zoë does not sit there."]) == told(made, Undo(came))
    assert (True, ["Zoë: P, and not PI"]) == told(made, Undo(got))
    made.execute(Undo(got), "host")
    assert (True, []) == told(made, Undo(came))
    assert (True, ["Zoë: PI, and not P"]) == told(made, Redo(got))


def test_the_end_of_a_game_is_told() -> None:
    """Word X of three: with Ines and Björn out Ana has won; without Ines she has not."""
    made = table("pig", "Ana", "Björn", "Ines", word="X", winners=1)
    early(made, 2, 3)
    _, second = entries(made)
    assert (True, ["Ines: nothing, and not X, out", "The game would not be over."]) == told(
        made, Undo(second)
    )
    made.execute(Undo(second), "host")
    assert (True, ["Ines: X, out, and not nothing", "The game would be over.", "Ana wins!"]) == told(
        made, Redo(second)
    )


def test_what_is_not_there_or_cannot_be_is_said() -> None:
    """Of a seat that nobody has, of nothing at all, and of no entry."""
    made = table("pig", "Ana", "Björn", "Ines")
    with pytest.raises(NotNow, match="nothing to take back"):
        foreseen(made.record.evening, Undo())
    early(made, 1)
    (entry,) = entries(made)
    assert (False, ["There is no seat 9 in this game."]) == told(made, Amend(entry, give(9)))
    with pytest.raises(BadInput, match="no entry 99"):
        foreseen(made.record.evening, Undo(99))


def test_a_correction_of_a_hand_is_told_by_its_totals_or_by_what_is_against_it() -> None:
    """Hand 1 of Chickenfoot: Ana went out, Björn had 20, Ines 30. No: Björn went out, and Ana had 8."""
    made = table("chickenfoot", "Ana", "Björn", "Ines")
    for seat, points in ((1, 0), (2, 20), (3, 30)):
        made.execute(Play({"type": "score", "hand": 1, "seat": seat, "points": points}), "host")
    before = made.record.evening
    turned = [{"seat": 1, "points": 8}, {"seat": 2, "points": 0}]
    assert (True, ["Ana: 8, and not 0", "Björn: 0, and not 20"]) == told(
        made, Play({"type": "correct", "hand": 1, "cells": turned})
    )
    fits, (why,) = told(made, Play({"type": "correct", "hand": 1, "cells": turned[1:]}))
    assert not fits
    assert "a hand ends when the first is out" in why
    assert before is made.record.evening


def test_rounds_between_a_correction_and_what_it_corrects_are_told_when_it_is_taken_back() -> None:
    """Ana, Ana; the first was Björn's. Without that Ana's second is her second again."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1, 1)
    first, _ = entries(made)
    made.execute(Amend(first, give(2)), "host")
    assert (True, ["Ana gets a letter: I", "Ana: PI, and not P", "Björn: nothing, and not P"]) == told(
        made, Undo()
    )


def test_nobody_comes_or_goes_by_an_undo_while_a_round_is_under_way_and_that_is_told_before() -> None:
    """Zoë came; then Ana has touched in a round. That she came is not taken back before it has ended."""
    box = Box()
    box.do(Start("pig", ("Ana", "Björn", "Ines")))
    box.do(Regroup(("Ana", "Björn", "Ines", "Zoë")))
    came = entries(box.table)[-1]
    assert box.table.queries.foreseen(Undo(came), "host").fits
    box.do(Arm())
    box.wait(10)
    box.edge(1, 1)
    box.wait(30)
    box.table.publish()
    told_before = box.table.queries.foreseen(Undo(came), "host")
    assert (False, ["A round is under way: let it end first."]) == (
        told_before.fits,
        [str(line) for line in told_before.says],
    )
    with pytest.raises(NotNow, match="A round is under way: let it end first"):
        box.do(Undo(came))
