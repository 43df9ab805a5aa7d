"""Who is there: whoever has spoken within the last twelve seconds, whatever the others do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.event.snapshot import AWAY_S, Attendance

STEPS = st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 2 * AWAY_S), st.booleans()), max_size=40)


@given(STEPS)
def test_who_has_lately_spoken_is_there_and_nobody_else(steps: list[tuple[str, float, bool]]) -> None:
    """Asked at any time, however often: as reckoned from everything that was ever said."""
    found, said, now_s = Attendance(), [], 0.0
    for who, later_s, asks in steps:
        now_s += later_s
        if asks:
            assert {one for one, then_s in said if now_s - AWAY_S < then_s} == found.there(now_s)
        found.heard(who, now_s)
        said.append((who, now_s))
    assert {one for one, then_s in said if now_s - AWAY_S < then_s} == found.there(now_s)


def test_who_is_there_is_the_same_set_as_long_as_nobody_comes_or_goes() -> None:
    """A thousand tables that speak change nothing."""
    found = Attendance()
    found.heard("a", 1.0)
    first = found.there(1.0)
    found.heard("a", 5.0)
    assert first is found.there(5.0)
