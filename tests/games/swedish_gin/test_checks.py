"""What the hands of one deal of Swedish Gin Rummy cannot be together (SGR-1, SGR-7, SGR-9)."""

from __future__ import annotations

from itertools import permutations

import pytest
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.games.rules.prompts import EnterScore
from lastnose.companion.testing.scenario import Scenario


def written(*points: int) -> Scenario:
    """Return a sheet on which four players, in order, have so many *points* left in the first hand."""
    sheet = Scenario("swedish-gin", ["A", "B", "C", "D"])
    for seat, left in enumerate(points, start=1):
        sheet.move(type="score", hand=1, seat=seat, points=left)
    return sheet


def test_two_hands_that_hold_too_much_are_refused_whatever_a_third_holds() -> None:
    """The dearest thirty cards are 8 twos, 8 aces and 14 court cards: 200 + 120 + 140 are 460, not 470."""
    for points in permutations((0, 5, 230, 240)):
        with pytest.raises(IllegalMove, match="470 points are too many: what is left makes 460 at most"):
            written(*points)
    assert [0, 5, 230, 230] == [row.score for row in written(0, 5, 230, 230).snapshot.rows]


def test_the_pad_offers_no_more_than_the_dearest_other_hand_leaves() -> None:
    """Of the 460 that two hands can hold 230 are written; a third hand, of 5 points, takes none of them."""
    (pad,) = (one for one in written(0, 5, 230).snapshot.entries if isinstance(one, EnterScore))
    assert 230 == pad.most
