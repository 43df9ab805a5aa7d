"""Spoons: who has none, and the hog of a deal; minutes and umpire hold the rest."""

from __future__ import annotations

import pytest
from lastnose.companion.core.model import Lift, Press, Verdict
from lastnose.companion.evening.events import RoundJudged
from lastnose.companion.games import get_game
from lastnose.companion.testing.scenario import Scenario

from tests.support.evenings import PlayedGame

SPOONS = get_game("spoons")


def test_the_answer_is_an_entry_that_can_be_taken_back() -> None:
    """SPN-6 on a whole table: undo asks again."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="rack-only")
    box = table.table
    box.record.append(RoundJudged(by="box", at=0.0, verdict=Verdict(), confirm_ns=1, lockout_ns=1))
    assert ["no-spoon"] == [act.move for act in table.snapshot.acts]
    table.move(type="no-spoon", seat=2)
    assert "X" == table.letters("East")
    table.undo()
    assert "" == table.letters("East")
    assert ["no-spoon"] == [act.move for act in table.snapshot.acts]
    table.move(type="no-spoon", seat=3)
    assert ["", "", "X"] == [table.letters(player) for player in table.players]


def test_whoever_loses_a_deal_is_the_hog_until_the_next() -> None:
    """PIG-13: in the sentence, beside the name, and in no other game."""
    table = Scenario("hog", ["North", "East", "South"])
    for seats in (("North", "East", "South"), ("South", "North", "East")):
        for at, player in enumerate(seats):
            table.press(player, at_us=at * 100)
        table.judge()
        shown = table.snapshot
        assert f"Before: {seats[-1]} is the hog: H" == str(shown.proof[-1])
        assert [["the hog"] if row.player == seats[-1] else [] for row in shown.rows] == [
            [str(note) for note in row.notes] for row in shown.rows
        ]
    plain = Scenario("pig", ["North", "East", "South"])
    for at, player in enumerate(("North", "East", "South")):
        plain.press(player, at_us=at * 100)
    plain.judge()
    assert "Before: South was last: P" == str(plain.snapshot.proof[-1])
    assert not any(row.notes for row in plain.snapshot.rows)


@pytest.mark.parametrize(
    "left_open",
    [
        Verdict(order=(1,), presses=(Press(1, 50, 10, "gpio"),), feints=(Lift(2, 90, 10, "gpio"),)),
        Verdict(lifts=(Lift(2, 90, 10, "gpio"),)),
        Verdict(phantoms=(Press(1, 50, 10, "gpio"),)),
    ],
)
def test_where_feints_or_lost_edges_leave_it_open_the_table_is_asked_who_has_none(left_open: Verdict) -> None:
    """SPN-7: the round is over, and says nobody; the answer counts as the verdict does."""
    evening = PlayedGame(SPOONS, 4)
    evening.do(left_open)
    assert (1, 2, 3, 4) == evening.seats("no-spoon")
    evening.do({"type": "no-spoon", "seat": 3})
    assert [(), (), ("X",), ()] == [one.letters for one in SPOONS.standings(evening.state)]
