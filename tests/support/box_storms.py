"""Whether a storm of changes was told honestly: every change in its turn, or within a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from lastnose.companion.core.model import Edge, Gap, Input
from lastnose.hardware.box.chip import Storm

TICKS_NS = 3_000


class Stretch(msgspec.Struct):
    """What was told without a loss between two gaps, which end and begin at these times."""

    after_ns: float
    before_ns: float
    edges: list[Edge]


def stretches(told: Iterable[Input]) -> list[Stretch]:
    """Return what was told, parted at its gaps."""
    out = [Stretch(float("-inf"), float("inf"), [])]
    for item in told:
        if isinstance(item, Gap):
            out[-1].before_ns = min(out[-1].before_ns, item.from_ns)
            out.append(Stretch(item.to_ns, float("inf"), []))
        elif isinstance(item, Edge):
            out[-1].edges.append(item)
    return out


def check_storm(storm: Storm, told: Sequence[Input], lines: dict[str, int]) -> int:
    """Return how many of the storm's changes were told; fail where one is missing, wrong or told twice.

    *told* is everything from before the storm until after it; nothing else moved the lines.
    """
    line_of = {pin: line for line, pin in lines.items()}
    total = storm.due(storm.end_ns)
    count = 0
    for stretch in stretches(told):
        w_ns = max((e.u_ns + e.clock_u_ns for e in stretch.edges), default=1_000_000) + TICKS_NS
        certain = _between(storm, total, stretch.after_ns + w_ns, stretch.before_ns - w_ns)
        if not stretch.edges:
            assert not certain, f"{len(certain)} changes were not told, and no gap says so"
            continue
        starts = [n for n in range(total) if _is(storm, n, stretch.edges[0], w_ns, line_of)]
        assert any(
            _runs(storm, start, stretch.edges, w_ns, line_of)
            and (not certain or (start <= certain[0] and certain[-1] < start + len(stretch.edges)))
            for start in starts
        ), f"{len(stretch.edges)} edges, {len(certain)} certain, after {stretch.after_ns}"
        count += len(stretch.edges)
    return count


def _between(storm: Storm, total: int, from_ns: float, to_ns: float) -> range:
    """Return the numbers of the changes within a time."""
    first = 0 if from_ns < storm.begin_ns else min(total, storm.due(int(min(from_ns, storm.end_ns))))
    last = total if to_ns > storm.end_ns else storm.due(int(max(to_ns, storm.begin_ns - 1)))
    return range(first, max(first, last))


def _is(storm: Storm, number: int, edge: Edge, w_ns: int, line_of: dict[int, str]) -> bool:
    """Return whether *edge* may be change *number*: its line and level, and its time to what it claims."""
    return (
        abs(storm.at_ns(number) - edge.t_ns) <= w_ns
        and edge.line == line_of[storm.pin(number)]
        and edge.level == 1 - number // len(storm.pins) % 2
    )


def _runs(storm: Storm, start: int, edges: Sequence[Edge], w_ns: int, line_of: dict[int, str]) -> bool:
    return all(_is(storm, start + at, edge, w_ns, line_of) for at, edge in enumerate(edges))
