"""Trains of edges become presses and releases (law 2): what an oracle reads, and what minutes do not say."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Gap, Levels, Noisy
from lastnose.companion.timing.streams import AssumedLevel, Change, Debouncer, LostEdges, Stray

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


def test_a_line_that_is_down_again_by_the_end_of_the_lockout_was_never_released() -> None:
    """A second touch within the lockout belongs to the same press."""
    changes = run(Debouncer(CONFIRM, LOCKOUT), pulse(0, 5_000, 10_000, 50_000))
    assert [(0, 1), (50_000, 0)] == levels_and_times(changes)


def test_a_train_longer_than_the_lockout_is_noise_and_then_taken_over() -> None:
    """It is named with the train's first time; when quiet its level holds, without a press."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    edges = pulse(*range(100, 20_801, 900))  # 24 edges, the last a fall at 20,800
    assert [Noisy("nose.1", 100), AssumedLevel("nose.1", 0)] == run(debouncer, edges)
    longest = pulse(*range(100, 20_101, 800))  # exactly the lockout: 26 edges to 20,100
    assert [] == run(Debouncer(CONFIRM, LOCKOUT), longest)
    down = pulse(*range(100, 21_701, 900))  # one more edge: it stays down
    assert [Noisy("nose.1", 100), AssumedLevel("nose.1", 1)] == run(Debouncer(CONFIRM, LOCKOUT), down)


def test_levels_that_contradict_an_open_train_doubt_all_of_it() -> None:
    """Up at 100, down at 600, up at 700; at 900 the nose is down: since 100 nothing is sure."""
    debouncer = Debouncer(CONFIRM, LOCKOUT)
    for edge in pulse(100, 600, 700):
        debouncer.edge(edge)
    debouncer.levels(Levels({"nose.1": 0}, 900, "gpio"), 900)
    expected = [LostEdges("nose.1", 100, 900, u_ns=7), AssumedLevel("nose.1", 0, 100, 900)]
    assert expected == told(debouncer, 901)
    assert [] == run(debouncer, [])


def test_a_gap_soon_after_a_glitch_may_hide_that_it_was_a_light_hand() -> None:
    """Touched at 100, parted at 690, and closed again in the gap: so the touch may have begun at 100."""
    gap = Gap(100 + LOCKOUT, 100 + LOCKOUT + 100, "gpio")
    assert [LostEdges("nose.1", 100, 100 + LOCKOUT + 100, u_ns=7)] == lost_with(gap)


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
