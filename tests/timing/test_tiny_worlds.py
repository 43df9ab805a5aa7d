"""Small rounds against every explanation written out: nothing is said that one of them denies (law 8)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Gap, Input, Judged, Levels, Rack, Verdict, Watermark
from lastnose.companion.timing import ArmRequest, Referee, Settings

from tests.support.campaign import listen, rounds_of
from tests.support.examples import examples
from tests.support.explanations import outside
from tests.support.simulator import Evening
from tests.support.simulator_modes import MODES
from tests.support.tiny_worlds import Found, explain

US, MS, S = 1_000, 1_000_000, 1_000_000_000
KINDS: dict[str, type[Evening]] = {"plain": Evening, "hold": MODES["hold"], "confirm": MODES["confirm"]}
FAULTS = ("sources", "lost", "late", "threads")
MOST_SEATS = 3
NOSES = {"nose.1": 1, "nose.2": 2, "nose.3": 3}
RACK = Rack((1, 2))
ASKED_AFTER_NS = 10 * S


def too_sharp(verdict: Verdict, found: Found) -> list[str]:
    """Return what a verdict says though a world denies it.

    In a dead heat nobody is named, and with a rack its margin is that of two touches for one spoon.
    """
    if verdict.void is not None or not verdict.last:
        return []
    if verdict.dead_heat:
        left_out = ["last"] if not found.possible.lasts <= set(verdict.last) else []
        return left_out + ([] if found.open_in_some or verdict.lifts else outside(verdict, found.possible))
    named = ["last"] if found.possible.lasts != set(verdict.last) else []
    return named + (["open"] if found.open_in_some else outside(verdict, found.possible))


def weighed(evening: Evening) -> list[str]:
    """Return what is wrong with the verdicts of an evening: too sharp, or a rack that waits for ever."""
    evidence = [sent.item for sent in evening.sent if sent.item is not None]
    wrong: list[str] = []
    for told in rounds_of(listen(evening)) if len(evening.seats) <= MOST_SEATS else []:
        how = {"hold": evening.hold, "rack": evening.rack}
        found = explain(told.armed.t_ns, told.until_ns, evening.watched, evening.seats, evidence, **how)
        if found is None or not told.stands:
            continue
        if told.verdict is not None:
            wrong += too_sharp(told.verdict, found)
        elif evening.rack is not None and not found.open_in_some:
            wrong.append("waits")
    return wrong


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(80), deadline=None)
@given(seed=st.integers(0, 2**48), faults=st.sets(st.sampled_from(FAULTS), max_size=2))
def test_no_world_denies_what_a_verdict_says_and_no_rack_waits_for_ever(
    kind: str, seed: int, faults: set[str]
) -> None:
    """Last, rival, opener and margin; who has a spoon in all worlds is not waited for."""
    assert [] == weighed(KINDS[kind](seed, tuple(sorted(faults)), 1))


@pytest.mark.parametrize("seed", [32, 46, 55, 70, 86, 91])
def test_a_rack_whose_lift_was_told_too_late_is_not_waited_for(seed: int) -> None:
    """The spoon was gone, one had touched, it was back: the table is asked (each waited for ever once)."""
    assert [] == weighed(MODES["confirm"](seed, ("late",), 1))


def test_what_lost_edges_leave_open_stays_open_when_the_missing_spoon_is_touched_for() -> None:
    """A lift and a touch of seat 2 may be in the loss of one box: who opened was named all the same, once."""
    assert [] == weighed(MODES["confirm"](100293, ("lost", "sources"), 1))


@st.composite
def rushes(draw: st.DrawFn) -> list[Edge]:
    """Return lifts, returns and touches of three at two spoons, on top of each other as stamps go."""
    edges: list[Edge] = []
    free_ns: dict[str, int] = {}
    away: dict[str, int] = {}
    t_ns = 2 * S
    for _ in range(draw(st.integers(3, 9))):
        t_ns += draw(
            st.sampled_from((0, 5 * US, 15 * US, 25 * US, 100 * MS, 150 * MS, 299_990 * US, 400 * MS))
        )
        line = draw(st.sampled_from(("spoon.1", "spoon.2", *NOSES)))
        if t_ns < free_ns.get(line, 0):
            continue
        away[line] = away.get(line, 0) ^ 1
        edges.append(Edge(t_ns, "gpio", line, away[line] ^ line.startswith("spoon"), 10 * US))
        free_ns[line] = t_ns + 30 * MS
    return edges


def of_the_rack(edges: list[Edge]) -> tuple[Found, Verdict | None]:
    """Return what all worlds say of a rush, and the verdict within ten seconds of its last edge."""
    rest: list[Input] = [Levels(dict.fromkeys(NOSES, 0) | {"spoon.1": 1, "spoon.2": 1}, 0, "gpio", 10 * US)]
    referee = Referee(NOSES, Settings(rearm_ns=None), ["gpio"])
    referee.watch((1, 2, 3), rack=RACK)
    said = referee.feed(*rest, ArmRequest(1 * S), *edges)
    last_ns = max((edge.t_ns for edge in edges), default=2 * S)
    said += referee.feed(Watermark(last_ns + ASKED_AFTER_NS + 100 * MS, "gpio"))
    found = explain(1 * S, 2**61, [*NOSES, "spoon.1", "spoon.2"], (1, 2, 3), [*rest, *edges], rack=RACK)
    assert found is not None
    return found, next((one.verdict for one in said if isinstance(one, Judged)), None)


@settings(max_examples=examples(200), deadline=None)
@given(rushes())
def test_every_rack_round_that_may_be_over_ends_or_asks_within_ten_seconds(edges: list[Edge]) -> None:
    """Each stamp is good to 10 µs; whatever order that leaves open, who waits is told how long."""
    found, verdict = of_the_rack(edges)
    assert verdict is not None or not found.over_in_some
    assert verdict is None or [] == too_sharp(verdict, found)


def test_who_touched_twice_may_have_a_spoon_by_either_touch() -> None:
    """1 and 2 touched at once for the first spoon; 1 once more after the second: then both may have one."""
    told = [(2_000, "spoon.1", 0), (2_000, "nose.1", 1), (2_000, "nose.2", 1)]
    told += [(2_100, "spoon.2", 0), (2_100, "nose.1", 0), (2_200, "nose.1", 1)]
    found, verdict = of_the_rack([Edge(at * MS, "gpio", line, level, 10 * US) for at, line, level in told])
    assert (True, True) == (found.open_in_some, found.over_in_some)
    assert (None, ()) == (verdict and verdict.void, verdict and verdict.last)


def test_the_worlds_of_two_touches_and_a_loss_are_those_that_one_counts_by_hand() -> None:
    """1 touched at 100 ms, 2 at 100.015: either was first. A loss from 1 s on: 3 may have come in it."""
    noses = {"nose.1": 0, "nose.2": 0, "nose.3": 0}
    rest: list[Input] = [Levels(noses, 0, "gpio", 10 * US)]
    pressed = [(1, 100 * MS), (2, 100_015 * US), (3, 2 * S)]
    touches = [Edge(t_ns, "gpio", f"nose.{seat}", 1, 10 * US) for seat, t_ns in pressed]
    found = explain(1, 9 * S, [*noses], (1, 2, 3), [*rest, *touches])
    assert found is not None
    assert ({3}, {1, 2}, {1, 2}) == found.possible[:3]
    assert (2 * S - 100_015 * US - 20 * US, 2 * S - 100_005 * US + 10 * US) == found.possible[3:]
    lost = explain(
        1, 9 * S, [*noses], (1, 2, 3), [*rest, *touches, Gap(1 * S, 1_500 * MS, "gpio", ("nose.3",))]
    )
    assert lost is not None
    assert 1 * S - 10 * US - 100_025 * US == lost.possible.low_ns
