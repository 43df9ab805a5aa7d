"""Two hosts who correct one round at once: the later one is told of the other's word before it holds."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import Amend, Undo

from tests.table.test_table import FOUR, Box, Start


def last(*seats: int) -> dict[str, object]:
    """A correction: these were last."""
    return {"type": "last", "seats": [*seats]}


@pytest.fixture
def box() -> Box:
    """A table with one judged round, in which South was last."""
    made = Box()
    made.do(Start("pig", FOUR))
    made.round(1, 2, 4, 3)
    return made


def test_a_correction_begun_before_anothers_is_held_back_until_it_is_pressed_again(box: Box) -> None:
    """Both had opened the round as judged; what the first one made of it is said, and by whom."""
    queries = box.table.queries
    seq = queries.last_judged()
    assert queries.round(seq).held == 0
    box.table.execute(Amend(seq, last(4), over=0), "phone 3f9a Ana")
    with pytest.raises(NotNow, match=r"Ana has changed this meanwhile: West was last: P\. Press once more"):
        box.do(Amend(seq, last(1), over=0))
    assert box.letters() == ["", "", "", "P"]
    box.do(Amend(seq, last(1), over=queries.round(seq).held))
    assert box.letters() == ["P", "", "", ""]


def test_a_correction_of_one_that_was_taken_back_meanwhile_is_held_back_too(box: Box) -> None:
    """Who took it back is named."""
    queries = box.table.queries
    seq = queries.last_judged()
    box.do(Amend(seq, last(4)))
    seen = queries.round(seq).held
    box.table.execute(Undo(seen), "phone 3f9a Ana")
    with pytest.raises(NotNow, match="Ana has changed this meanwhile: South was last: P"):
        box.do(Amend(seq, last(1), over=seen))


def test_a_correction_that_saw_nothing_holds_whatever_held(box: Box) -> None:
    """As a program's does, and one of an older version."""
    seq = box.table.queries.last_judged()
    box.do(Amend(seq, last(4)))
    box.do(Amend(seq, last(2)))
    assert box.letters() == ["", "P", "", ""]
