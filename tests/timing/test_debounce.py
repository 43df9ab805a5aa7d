"""Trains of edges become presses and releases: stamped early, confirmed late (law 2)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.model import Edge, Gap, Levels, Noisy
from companion.timing.debounce import AssumedLevel, Change, Debouncer, LostEdges, Stray
from tests.support import oracle
from tests.support.examples import examples

CONFIRM, LOCKOUT = 1_000, 20_000  # a thousandth of the real ones: easier to read
FAR = 10**9


def pulse(*times: int, line: str = "nose.1", first: int = 1) -> list[Edge]:
    """Return edges of one line at *times*, their levels alternating from *first*."""
    return [Edge(t, "gpio", line, (first + n) % 2, 7) for n, t in enumerate(times)]


def run(debouncer: Debouncer, edges: list[Edge], until: int = FAR) -> list[object]:
    """Feed edges by time, let everything settle, and return what came out, in order."""
    for edge in sorted(edges, key=lambda edge: edge.t_ns):
        debouncer.advance(edge.t_ns)
        debouncer.edge(edge)
    debouncer.advance(until)
    return told(debouncer, until)


def told(debouncer: Debouncer, now_ns: int) -> list[object]:
    """Return, and take out, what is settled at *now_ns*."""
    settled = sorted(entry for entry in debouncer.out if entry[0] < debouncer.settled_ns(now_ns))
    debouncer.out[:] = sorted(entry for entry in debouncer.out if entry not in settled)
    return [entry[4] for entry in settled if not isinstance(entry[4], Stray)]


def levels_and_times(changes: list[object]) -> list[tuple[int, int]]:
    """Return (stamp, level) of changes."""
    return [(change.edge.t_ns, change.level) for change in changes if isinstance(change, Change)]


def test_press_is_stamped_with_its_first_edge() -> None:
    """Bounces move nothing: up at 100, quiet from 900 on, and the stamp is 100 with its own worth."""
    (change,) = run(Debouncer(CONFIRM, LOCKOUT), pulse(100, 300, 350, 800, 900))
    assert isinstance(change, Change)
    assert (100, 7, 1) == (change.edge.t_ns, change.edge.u_ns, change.level)
    assert 1_900 == change.sure_ns


def test_a_glitch_is_no_press_and_locks_nothing() -> None:
    """Up and down again within a train: the press 1,000 after its end counts at once."""
    changes = run(Debouncer(CONFIRM, LOCKOUT), pulse(100, 600) + pulse(1_600))
    assert [(1_600, 1)] == levels_and_times(changes)


def test_edges_a_confirmation_time_apart_are_two_trains() -> None:
    """A train is edges *less* than confirm_ns apart: 999 joins, 1,000 does not."""
    assert [(999, 1)] == levels_and_times(run(Debouncer(CONFIRM, LOCKOUT), pulse(999, 30_000 - 1, 30_000)))
    joined = run(Debouncer(CONFIRM, LOCKOUT), pulse(100, 1_099, 2_098))
    assert [(100, 1)] == levels_and_times(joined)
    parted = run(Debouncer(CONFIRM, LOCKOUT), pulse(100, 1_100 - 1, 2_099))
    assert [(2_099, 1)] == levels_and_times(parted)


def test_a_short_tap_releases_at_its_own_first_edge_once_the_lockout_is_over() -> None:
    """Pressed at 0, released at 5,000 with a bounce: known at 20,000, stamped 5,000."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    edges = pulse(0) + pulse(5_000, 5_200, 5_300, first=0)
    assert [(0, 1)] == levels_and_times(run(debouncer, edges, until=19_999))
    assert 5_000 == debouncer.settled_ns(19_999)
    debouncer.advance(20_000)
    assert [(5_000, 0)] == levels_and_times(told(debouncer, 20_000))


def test_a_line_that_is_down_again_by_the_end_of_the_lockout_was_never_released() -> None:
    """A second touch within the lockout belongs to the same press."""
    changes = run(Debouncer(CONFIRM, LOCKOUT), pulse(0, 5_000, 10_000, 50_000))
    assert [(0, 1), (50_000, 0)] == levels_and_times(changes)


def test_a_train_open_at_the_end_of_the_lockout_is_waited_for() -> None:
    """Released at 5,000; a train from 19,500 ends at rest at 20,400: the release stands, at 5,000."""
    changes = run(Debouncer(CONFIRM, LOCKOUT), pulse(0) + pulse(5_000, first=0) + pulse(19_500, 20_400))
    assert [(0, 1), (5_000, 0)] == levels_and_times(changes)
    again = run(Debouncer(CONFIRM, LOCKOUT), pulse(0) + pulse(5_000, first=0) + pulse(19_500, 20_000, 20_400))
    assert [(0, 1)] == levels_and_times(again)


def test_a_press_right_at_the_end_of_the_lockout_is_a_new_one() -> None:
    """The lockout is over at 20,000 sharp."""
    changes = run(Debouncer(CONFIRM, LOCKOUT), pulse(0, 5_000, 20_000))
    assert [(0, 1), (5_000, 0), (20_000, 1)] == levels_and_times(changes)


def test_a_repeated_level_belongs_to_the_train_and_changes_nothing() -> None:
    """Kernels report those: 1, 1, 1 is one press, and its train lasts to the last of them."""
    repeated = [Edge(t, "gpio", "nose.1", 1, 7) for t in (0, 800, 1_600)]
    (change,) = run(Debouncer(CONFIRM, LOCKOUT), repeated)
    assert isinstance(change, Change)
    assert (0, 2_600) == (change.edge.t_ns, change.sure_ns)


def test_a_train_longer_than_the_lockout_is_noise_and_then_taken_over() -> None:
    """It is named with the train's first time; when quiet its level holds, without a press."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    edges = pulse(*range(100, 20_801, 900))  # 24 edges, the last a fall at 20,800
    assert [Noisy("nose.1", 100), AssumedLevel("nose.1", 0)] == run(debouncer, edges)
    longest = pulse(*range(100, 20_101, 800))  # exactly the lockout: 26 edges to 20,100
    assert [] == run(Debouncer(CONFIRM, LOCKOUT), longest)
    down = pulse(*range(100, 21_701, 900))  # one more edge: it stays down
    assert [Noisy("nose.1", 100), AssumedLevel("nose.1", 1)] == run(Debouncer(CONFIRM, LOCKOUT), down)


def test_changes_wait_for_earlier_open_trains_of_other_lines() -> None:
    """Nose 2 is quiet first, but nose 1 began earlier: both come out in the order of their stamps."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    edges = pulse(100, 900, 1_700) + pulse(200, line="nose.2")
    assert [] == run(debouncer, edges, until=2_699)
    assert 100 == debouncer.settled_ns(2_699)
    debouncer.advance(2_700)
    assert [(100, 1), (200, 1)] == levels_and_times(told(debouncer, 2_700))
    assert 2_700 == debouncer.settled_ns(2_700)


def test_first_levels_are_taken_over_without_a_press() -> None:
    """A nose that is held when the source begins is down, but nobody pressed."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    debouncer.levels(Levels({"nose.1": 1, "nose.2": 0}, 50, "gpio"), 50)
    assert [AssumedLevel("nose.1", 1)] == told(debouncer, 60)
    changes = run(debouncer, pulse(30_000, first=0))
    assert [(30_000, 0)] == levels_and_times(changes)


def test_levels_that_agree_leave_an_open_train_alone() -> None:
    """The press goes on to be confirmed, with its first edge."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    debouncer.edge(pulse(100)[0])
    debouncer.levels(Levels({"nose.1": 1}, 700, "gpio"), 700)
    debouncer.advance(FAR)
    (change,) = told(debouncer, FAR)
    assert isinstance(change, Change)
    assert 1_100 == change.sure_ns


def test_levels_that_contradict_mean_lost_edges_since_the_last_news() -> None:
    """Nobody said so, but between 2,100 (the release) and 90,000 the nose must have gone down."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    assert [(100, 1), (2_100, 0)] == levels_and_times(run(debouncer, pulse(100, 2_100), until=80_000))
    debouncer.levels(Levels({"nose.1": 1}, 90_000, "gpio"), 90_000)
    expected = [LostEdges("nose.1", 2_100, 90_000), AssumedLevel("nose.1", 1, 2_100, 90_000)]
    assert expected == told(debouncer, 90_001)


def test_a_gap_says_when_the_contradicting_edges_were_lost() -> None:
    """The source admits [60,000, 70,000]: the doubt is no wider than that."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    run(debouncer, pulse(100, 2_100), until=80_000)
    gap = Gap(60_000, 70_000, "gpio")
    debouncer.gap(gap, 80_000)
    debouncer.levels(Levels({"nose.1": 1}, 90_000, "gpio"), 90_000)
    expected = [gap, LostEdges("nose.1", 60_000, 70_000), AssumedLevel("nose.1", 1, 60_000, 70_000)]
    assert expected == told(debouncer, 90_001)


def test_two_gaps_before_the_levels_are_one_loss() -> None:
    """Whichever is told first, a line heard of since is known to have changed between 60,000 and 75,000."""
    early, late = Gap(60_000, 70_000, "gpio"), Gap(65_000, 75_000, "gpio")
    for gaps in ((early, late), (late, early)):
        debouncer = Debouncer(CONFIRM, LOCKOUT)
        for gap in gaps:
            debouncer.gap(gap, 80_000)
        debouncer.levels(Levels({"nose.1": 1}, 90_000, "gpio"), 90_000)
        assert [*gaps, AssumedLevel("nose.1", 1, 60_000, 75_000)] == told(debouncer, 90_001)


def test_levels_that_contradict_an_open_train_doubt_all_of_it() -> None:
    """Up at 100, down at 600, up at 700; at 900 the nose is down: since 100 nothing is sure."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    for edge in pulse(100, 600, 700):
        debouncer.edge(edge)
    debouncer.levels(Levels({"nose.1": 0}, 900, "gpio"), 900)
    expected = [LostEdges("nose.1", 100, 900), AssumedLevel("nose.1", 0, 100, 900)]
    assert expected == told(debouncer, 901)
    assert [] == run(debouncer, [])


@pytest.mark.parametrize("known_at", [700, 5_000])
def test_a_gap_that_cuts_a_train_doubts_all_of_it(known_at: int) -> None:
    """Up at 100, down at 600, lost from 650 on: a glitch to the eye, but perhaps a press at 100."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    for edge in pulse(100, 600):
        debouncer.edge(edge)
    debouncer.advance(known_at)
    gap = Gap(650, 690, "gpio")
    debouncer.gap(gap, known_at)
    assert [gap, LostEdges("nose.1", 100, 690)] == [
        one for one in run(debouncer, []) if not isinstance(one, Change)
    ]


def test_a_gap_leaves_settled_lines_and_other_sources_alone() -> None:
    """The glitch was over by more than a lockout before the gap, and nose 2 hangs on another source."""
    assert [] == lost_with(Gap(100 + LOCKOUT + 1, 100 + LOCKOUT + 100, "gpio"))


def test_a_gap_soon_after_a_glitch_may_hide_that_it_was_a_light_hand() -> None:
    """Touched at 100, parted at 690, and closed again in the gap: so the touch may have begun at 100."""
    gap = Gap(100 + LOCKOUT, 100 + LOCKOUT + 100, "gpio")
    assert [LostEdges("nose.1", 100, 100 + LOCKOUT + 100)] == lost_with(gap)


def lost_with(gap: Gap) -> list[LostEdges]:
    """Return what is lost with *gap*, after a glitch of nose 1 at 100; nose 2 is of another source."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    run(debouncer, pulse(100, 600), until=gap.from_ns - 50)
    debouncer.edge(Edge(gap.from_ns - 40, "box", "nose.2", 1, 0))
    debouncer.gap(gap, gap.to_ns + 100)
    said = [one for one in run(debouncer, []) if not isinstance(one, Change)]
    assert gap in said
    return [one for one in said if isinstance(one, LostEdges)]


def random_edges(rng: random.Random, line: str) -> list[Edge]:
    """Return a dense life of one line: bursts, pauses around the two limits, repeated levels."""
    t, edges = rng.randint(0, 50), []
    for _ in range(rng.randint(1, 40)):
        edges.append(Edge(t, "gpio", line, rng.choice([0, 1]), 0))
        t += rng.choice([1, 5, 9, 10, 11, 25, 60, 99, 100, 101, 150, 400])
    return edges


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**48))
def test_any_edges_make_the_changes_the_oracle_reads(seed: int) -> None:
    """Several lines at once, told piece by piece: by stamp, and as the oracle reads each line."""
    rng = random.Random(seed)
    lines = {f"nose.{n}": random_edges(rng, f"nose.{n}") for n in range(1, rng.randint(2, 4))}
    expected = {
        name: oracle.changes([(edge.t_ns, edge.level) for edge in edges], confirm=10, lockout=100)
        for name, edges in lines.items()
    }
    debouncer = Debouncer(10, 100)
    found: list[object] = []
    settled_ns = 0
    for edge in sorted((edge for edges in lines.values() for edge in edges), key=lambda edge: edge.t_ns):
        debouncer.advance(edge.t_ns)
        assert settled_ns <= debouncer.settled_ns(edge.t_ns)
        assert edge.t_ns - 2 * 100 - 10 <= debouncer.settled_ns(edge.t_ns)
        settled_ns = debouncer.settled_ns(edge.t_ns)
        found += told(debouncer, edge.t_ns)
        debouncer.edge(edge)
    debouncer.advance(FAR)
    found += told(debouncer, FAR)
    for name, (changes, noisy) in expected.items():
        assert noisy == any(isinstance(one, Noisy) and one.line == name for one in found)
        if not noisy:
            assert changes == levels_and_times(
                [one for one in found if isinstance(one, Change) and one.line == name]
            )
    stamps = [
        one.edge.t_ns if isinstance(one, Change) else one.t_ns
        for one in found
        if isinstance(one, Change | Noisy)
    ]
    assert sorted(stamps) == stamps
