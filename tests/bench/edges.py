"""What an edge costs on its way through debounce, sequence and judge: bouncing presses with watermarks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import msgspec
from lastnose.companion.core.model import Edge, Input, Judged, Watermark
from lastnose.companion.timing import Referee, Settings

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded

SEATS = (4, 13, 26)
AIM_US = 10.0
MS = 1_000_000
BOUNCE_NS = (0, 40_000, 110_000, 160_000, 270_000)  # where a contact closes or opens within one touch
REACTION_NS = 40 * MS
ROUND_NS = 3_000 * MS
HOLD_NS = 1_200 * MS
REARM_NS = 500 * MS
GRACE_NS, QUICK_NS, IDLE_NS, QUICK_FOR_NS = 5 * MS, 2 * MS, 50 * MS, 40 * MS
COLUMNS = (
    Column("us_an_edge", "an edge", "us"),
    Column("edges_per_s", "edges", "per_s"),
)


class Run(msgspec.Struct, frozen=True):
    """What came of some rounds: how many edges, how long they took, and who was last in each."""

    edges: int
    took_ns: int
    last: tuple[tuple[int, ...], ...]


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure tables of 4, 13 and 26 seats, the least of seven runs: what else goes on can only add."""
    rows = tuple(_row(seats, 400 if plan.quick else 4_000) for seats in SEATS)
    return FigureGroup((FigureTable(COLUMNS, rows),))


def _row(seats: int, edges: int) -> FigureRow:
    inputs = tuple(rounds(seats, max(1, edges // (seats * 2 * len(BOUNCE_NS)))))
    ns = min(run.took_ns / run.edges for run in (judge(seats, inputs) for _ in range(7)))
    figures = {
        "us_an_edge": Figure(rounded(ns / 1_000), AIM_US),
        "edges_per_s": Figure(rounded(1e9 / ns)),
    }
    return FigureRow(f"seats_{seats}", f"{seats} seats", figures)


def judge(seats: int, inputs: tuple[Input, ...]) -> Run:
    """Judge *inputs* and return what processor time that took, without making them."""
    numbers = range(1, seats + 1)
    referee = Referee({f"nose.{seat}": seat for seat in numbers}, Settings(rearm_ns=REARM_NS), ("bench",))
    referee.watch(tuple(numbers))
    last = []
    start_ns = time.process_time_ns()
    for item in inputs:
        for happening in referee.feed(item):
            if isinstance(happening, Judged):
                last += [happening.verdict.last]
    took_ns = time.process_time_ns() - start_ns
    return Run(sum(isinstance(item, Edge) for item in inputs), took_ns, tuple(last))


def rounds(seats: int, count: int) -> Iterator[Input]:
    """Yield *count* rounds of bouncing presses and releases, with the promises of a live source.

    Everybody reacts to whoever was before; in round r (from 0) seat r % *seats* + 1 is last.
    """
    chance = Random(seats)
    edges: list[Edge] = []
    for number in range(count):
        at_ns = (number + 1) * ROUND_NS
        order = [(number + turn) % seats + 1 for turn in range(1, seats + 1)]
        for seat in order:
            at_ns += chance.randrange(MS, REACTION_NS)
            edges += _touch(seat, at_ns, 1)
            edges += _touch(seat, at_ns + HOLD_NS, 0)
    edges.sort(key=lambda edge: edge.t_ns)
    yield from _with_promises(edges)


def _touch(seat: int, at_ns: int, level: int) -> Iterator[Edge]:
    for turn, after_ns in enumerate(BOUNCE_NS):
        yield Edge(at_ns + after_ns, "bench", f"nose.{seat}", level if turn % 2 == 0 else 1 - level, 1_000)


def _with_promises(edges: list[Edge]) -> Iterator[Input]:
    """Yield *edges* with a watermark every 2 ms while something happens, and every 50 ms at rest."""
    now_ns = last_ns = 0
    for edge in edges:
        while now_ns < edge.t_ns:
            yield Watermark(now_ns - GRACE_NS, "bench")
            now_ns += QUICK_NS if now_ns < last_ns + QUICK_FOR_NS else IDLE_NS
        yield edge
        last_ns = edge.t_ns
    yield Watermark(last_ns + ROUND_NS, "bench")
