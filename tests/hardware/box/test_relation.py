"""The tick of now from the microsecond timer: right to its slack, over the end of either counter."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lastnose.hardware.box import protocol

relation: Any = protocol.load("relation")
MASK32 = 0xFFFFFFFF
START = st.sampled_from([0, 1 << 32, (1 << 32) - 300, 5 * (1 << 32) - 2_000]) | st.integers(0, 1 << 40)


@given(
    started=START,
    base=st.integers(0, MASK32),
    takes=st.lists(
        st.tuples(st.integers(0, 500), st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=16
    ),
    later=st.integers(0, 5_000_000_000),
)
def test_the_tick_of_now_is_right_to_its_slack(
    started: int, base: int, takes: list[tuple[int, int, int]], later: int
) -> None:
    """A tick is a fifth of a microsecond; *base* is the tick at 0; times in ticks between two readings."""
    learnt = relation.Relation(5)
    assert not learnt.known
    now = started
    for pause, before, after in takes:
        t0 = now = now + pause
        tick = now = now + before
        t1 = now = now + after
        learnt.take((tick + base) & MASK32, t0 // 5 & MASK32, t1 // 5 & MASK32)
    assert learnt.known
    now += later
    off = (learnt.tick(now // 5 & MASK32) - now - base + (1 << 31) & MASK32) - (1 << 31)
    assert abs(off) <= learnt.slack
    narrowest = min(before + after for _, before, after in takes)
    assert learnt.slack <= narrowest // 2 + 13


def test_nothing_is_known_before_the_first_tick() -> None:
    """The slack is then the most there is."""
    assert (False, 60_000) == (relation.Relation(5).known, relation.Relation(5).slack)
