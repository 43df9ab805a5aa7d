"""When all spoons are gone the screens say what their holders do, and who has not (SPN-6)."""

from __future__ import annotations

import pytest
from lastnose.companion.core.model import Rack
from lastnose.companion.evening.events import Started
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import Evening
from lastnose.companion.views.scoreboard import make
from lastnose.companion.views.snapshot import Live

LINES = ("nose.1", "nose.2", "nose.3", "nose.4")


@pytest.mark.parametrize(
    ("confirm", "says"),
    [("confirm", "All are gone: touch your nose!"), ("dock", "All are gone: into your docks!")],
)
def test_holders_touch_and_who_has_not_is_named(confirm: str, says: str) -> None:
    """Three spoons for four; North has touched, so three are named, and one of them has none."""
    options = {"confirm": confirm}
    began = Started(
        by="host",
        at=1.0,
        game="spoons",
        players=("North", "East", "South", "West"),
        options=options,
        lines=LINES,
    )
    evening = apply(Evening(), 1, began)
    rack = Rack((1, 2, 3), confirm, 300)  # type: ignore[arg-type]
    live = Live(opened=True, armed=True, rack=rack, pressed=frozenset({1}))
    still = make(evening, _with(live, lifted=frozenset({1, 2})))
    assert "Taken: 2 of 3" == str(still.headline)
    gone = make(evening, _with(live, lifted=frozenset({1, 2, 3})))
    assert says == str(gone.headline)
    assert ["Not yet: East, South and West. One of them has none.", "Confirmed: 1 of 3"] == [
        str(line) for line in gone.proof
    ]


def _with(live: Live, lifted: frozenset[int]) -> Live:
    return Live(opened=True, armed=True, rack=live.rack, pressed=live.pressed, lifted=lifted)
