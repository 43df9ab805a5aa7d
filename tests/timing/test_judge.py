"""Who could be last, and how sure that is (law 4); what lost edges could change (law 5)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Press
from lastnose.companion.timing import judge, uncertainty_ns
from lastnose.companion.timing.judge import UNPRESSED_NS, could_be_last, may_differ

from tests.support import oracle
from tests.support.examples import examples


def press(seat: int, t_ns: int, u_ns: int = 10, source: str = "gpio", clock_u_ns: int = 0) -> Press:
    """Return a press; its stamp is 10 ns good unless said otherwise."""
    return Press(seat, t_ns, u_ns, source, clock_u_ns)


@pytest.mark.parametrize(
    ("presses", "last", "margin_ns", "u_ns"),
    [
        # 21 ns apart with w = 20: clear. Exactly w is not enough to tell them apart: margin ≤ u.
        ([press(2, 121), press(1, 100), press(3, 0)], (2,), 21, 20),
        ([press(1, 100), press(2, 120), press(3, 0)], (1, 2), 20, 20),
        # Not of neighbours: 1's stamp is worth little, and may be after 3; 2 between them surely was not.
        ([press(1, 0, 200), press(2, 50, 1), press(3, 100, 1)], (1, 3), 100, 201),
        # The rival comes closest to a tie: 2 is nearer in time, but 1's stamp is coarse: 100 − 91 < 50 − 2.
        ([press(1, 0, 90), press(2, 50, 1), press(3, 100, 1)], (3,), 100, 91),
        # Its pair is of its seats: with clocks whose error grew, 3 seems close to 1, but is surely before 2.
        (
            [press(1, 10, 1, "box", 1), press(2, 9, 0, clock_u_ns=2), press(3, 7, 0, clock_u_ns=6)],
            (1, 2),
            1,
            4,
        ),
    ],
)
def test_the_latest_is_last_unless_somebody_is_within_w(
    presses: list[Press], last: tuple[int, ...], margin_ns: int, u_ns: int
) -> None:
    """Each by hand: who could be last, the margin to whoever comes closest, and what it is sure to."""
    verdict = judge(presses)
    assert (last, margin_ns, u_ns) == (verdict.last, verdict.margin_ns, verdict.u_ns)
    assert (len(last) > 1) == verdict.dead_heat
    assert [one.seat for one in sorted(presses, key=lambda one: one.t_ns)] == [*verdict.order]


@pytest.mark.parametrize("turned", [False, True])
def test_equal_times_are_always_a_dead_heat(turned: bool) -> None:
    """Not even perfect stamps, and never the order of seats, decide a tie."""
    presses = [press(1, 100, 0), press(2, 100, 0), press(3, 0, 0)]
    verdict = judge(presses[::-1] if turned else presses)
    assert ((1, 2), True, 0, 0) == (verdict.last, verdict.dead_heat, verdict.margin_ns, verdict.u_ns)
    assert (3, 1, 2) == verdict.order


def test_clocks_count_only_between_sources() -> None:
    """500 ns of mapping error on either clock: 1,020 between sources, 20 within one."""
    near = [press(1, 0, clock_u_ns=500), press(2, 1_020, source="box", clock_u_ns=500)]
    assert 1_020 == uncertainty_ns(*near)
    assert (1, 2) == judge(near).last
    assert (2,) == judge([press(1, 0, clock_u_ns=500), press(2, 21, clock_u_ns=500)]).last


def test_the_margin_of_a_team_is_to_whom_its_latest_is_surely_behind_if_there_is_anybody() -> None:
    """2 is surely behind 1, its mate 3 with a coarse stamp is not: 101 < 201; but behind 4 it is."""
    sides = {1: -1, 2: 1, 3: 1, 4: -4}
    presses = [press(1, 100, 1), press(2, 200, 1), press(3, 201, 200)]
    verdict = judge(presses, sides)
    assert ((2, 3), False, 101, 201) == (verdict.last, verdict.dead_heat, verdict.margin_ns, verdict.u_ns)
    verdict = judge([*presses, press(4, -200, 1)], sides)
    assert ((2, 3), False, 401, 201) == (verdict.last, verdict.dead_heat, verdict.margin_ns, verdict.u_ns)


def stamps_of(rng: random.Random, seats: int) -> dict[int, oracle.Stamp]:
    """Return small random stamps: many ties, three sources, each with one clock error."""
    clocks = {source: rng.randint(0, 4) for source in "abc"}
    return {
        seat: oracle.Stamp(rng.randint(0, 12), rng.choice([0, 0, 1, 2, 5]), source, clocks[source])
        for seat, source in enumerate(rng.choices("abc", k=seats), start=1)
    }


def presses_of(stamps: dict[int, oracle.Stamp]) -> list[Press]:
    """Return them as presses."""
    return [Press(seat, stamp.t, stamp.u, stamp.source, stamp.c) for seat, stamp in stamps.items()]


@settings(max_examples=examples(400), deadline=None)
@given(st.integers(0, 2**48))
def test_could_be_last_is_who_nobody_surely_beats(seed: int) -> None:
    """The oracle takes away who is surely earlier than somebody; margin ≤ u exactly in a dead heat."""
    rng = random.Random(seed)
    stamps = stamps_of(rng, rng.randint(2, 8))
    presses = presses_of(stamps)
    rng.shuffle(presses)
    verdict = judge(presses)
    assert oracle.last_of(stamps) == set(verdict.last)
    assert verdict.margin_ns is not None and verdict.u_ns is not None
    assert verdict.dead_heat == (verdict.margin_ns <= verdict.u_ns)
    assert verdict.presses[-1].seat in verdict.last


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**48))
def test_doubts_matter_exactly_if_some_placing_of_some_of_them_does(seed: int) -> None:
    """Every whole time of every span is tried, in every combination."""
    rng = random.Random(seed)
    stamps: dict[int, oracle.Stamp | None] = {**stamps_of(rng, rng.randint(2, 4))}
    worth = {seat: stamp for seat, stamp in stamps.items() if stamp}
    if rng.random() < 0.4:
        stamps[rng.choice(list(stamps))] = None
    doubtful, spans = {}, {}
    for seat, stamp in stamps.items():
        t = UNPRESSED_NS if stamp is None else stamp.t
        mark = Press(seat, t, worth[seat].u, worth[seat].source, worth[seat].c)
        spans[seat] = mark, t, t
        if rng.random() < 0.6:
            begin = rng.randint(0, 12)
            end = begin + rng.randint(0, 4)
            doubtful[seat] = range(begin, end + 1)
            spans[seat] = mark, min(t, begin), max(t, end)
    last = could_be_last([mark for mark, _, _ in spans.values()])
    assert oracle.last_of(stamps) == set(last)
    assert oracle.can_change(stamps, doubtful, worth) == may_differ(last, spans)


def test_nobody_opened_when_the_first_two_came_within_what_their_stamps_may_be_wrong_by() -> None:
    """10 µs each: 20 µs apart is open, a ns more is not; two clocks may differ by a ms more."""
    cases = [(20_000, "gpio", None), (20_001, "gpio", 2), (1_020_000, "box", None)]
    for second_ns, source, opener in cases:
        presses = [
            Press(2, 0, 10_000, "gpio", 500_000),
            Press(1, second_ns, 10_000, source, 500_000),
            Press(3, 9_000_000, 10_000, "gpio", 500_000),
        ]
        assert opener == judge(presses).opener


def test_a_third_press_that_is_known_worse_may_have_been_the_first_as_well() -> None:
    """2 came 50 µs after 1 for sure, 3 is known to 200 µs only and came 100 µs after."""
    presses = [Press(1, 0, 10, "gpio"), Press(2, 50_000, 10, "gpio"), Press(3, 100_000, 200_000, "gpio")]
    assert None is judge(presses).opener


def test_the_length_of_a_margin_is_less_sure_than_the_order() -> None:
    """0.2 µs decide the order; 520 ms (and 0.2 µs) on a clock that may run 550 ppm fast or slow: 286.2 µs."""
    verdict = judge([Press(1, 0, 100, "gpio"), Press(2, 520_000_000, 100, "gpio")])
    assert ((2,), 200, 286_201) == (verdict.last, verdict.u_ns, verdict.margin_u_ns)
