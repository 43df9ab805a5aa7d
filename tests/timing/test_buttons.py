"""Where hands are judged, what buttons differ by is in every error: nobody loses by a slow button."""

from __future__ import annotations

from typing import Any

from companion.core.model import Edge, Levels, Verdict
from companion.evening.commands import Start
from companion.timing.buttons import Buttons
from companion.views.budget import budget_of
from tests.table.test_table import FOUR, Box

MS = 1_000_000
BOUNDS = {"nose.1": 0, "nose.2": 2 * MS, "nose.3": 3 * MS, "nose.4": 0}


def verdict_of(gap_ms: float, *, hands: bool) -> Verdict:
    """Return the verdict of a round in which nose 3 is pressed so long after nose 2, the others before."""
    more: dict[str, Any] = {"buttons": Buttons(BOUNDS)} if hands else {}
    box = Box(**more)
    box.table.feed(Levels(dict.fromkeys(BOUNDS, 0), 0, "gpio", 1_000))
    box.do(Start("pig", FOUR))
    box.wait(500)
    for seat in (1, 4, 2):
        box.wait(50)
        box.table.feed(Edge(box.now_ns, "gpio", f"nose.{seat}", 1, 1_000))
    box.wait(gap_ms)
    box.table.feed(Edge(box.now_ns, "gpio", "nose.3", 1, 1_000))
    box.wait(200)
    assert ("hands" if hands else "contacts") == box.table.publish().judges
    match = box.table.record.evening.match
    assert match is not None
    found = match.entries[-1].verdict
    assert found is not None
    return found


def test_a_margin_within_what_the_buttons_differ_by_is_a_dead_heat_of_hands() -> None:
    """Noses 2 and 3 differ from nose 1 by 2 and 3 ms at most, so by 5 ms from each other: w is 5.002 ms."""
    assert ((2, 3), True) == _named(verdict_of(5.0, hands=True))
    assert ((3,), False) == _named(verdict_of(5.003, hands=True))
    assert ((3,), False) == _named(verdict_of(5.0, hands=False))
    assert ((3,), False) == _named(verdict_of(0.003, hands=False))


def test_the_budget_says_what_the_buttons_add() -> None:
    """5 ms of 5.002; and that travel is not in it is said of contacts only."""
    hands = budget_of(judged := verdict_of(5.0, hands=True), judged.u_ns)
    assert hands is not None
    assert {"stamp": 2_000, "button": 5 * MS} == {
        share.kind: share.u_ns for share in hands.shares if share.u_ns
    }
    assert 5_002_000 == hands.u_ns == sum(share.u_ns for share in hands.shares)
    assert ["The buttons are in it: this table judges hands."] == [str(note) for note in hands.notes]
    contacts = budget_of(judged := verdict_of(0.5, hands=False), judged.u_ns)
    assert contacts is not None
    assert "button" not in [share.kind for share in contacts.shares]
    assert 1 == len(contacts.notes)


def _named(verdict: Verdict) -> tuple[tuple[int, ...], bool]:
    return verdict.last, verdict.dead_heat


def test_levels_are_worth_what_the_slowest_button_makes_of_a_stamp() -> None:
    """Who has not pressed may yet have, as late as the worst button lets."""
    levels = Buttons(BOUNDS).widened(Levels(dict.fromkeys(BOUNDS, 0), 5, "gpio", 1_000))
    assert isinstance(levels, Levels)
    assert 3 * MS + 1_000 == levels.u_ns
    unsaid = Levels(dict.fromkeys(BOUNDS, 0), 5, "gpio")
    assert unsaid == Buttons(BOUNDS).widened(unsaid)


def test_other_lines_and_the_time_of_a_touch_stay_as_they_are() -> None:
    """Only the error grows."""
    edge = Edge(7, "gpio", "nose.3", 1, 1_000, contact_u_ns=400)
    wide = Buttons(BOUNDS).widened(edge)
    assert Edge(7, "gpio", "nose.3", 1, 3 * MS + 1_000, contact_u_ns=400, button_u_ns=3 * MS) == wide
    spoon = Edge(7, "gpio", "spoon.3", 0, 1_000)
    assert spoon == Buttons(BOUNDS).widened(spoon)
