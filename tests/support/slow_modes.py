"""Held noses, spoons, docks and the rack alone, read slowly: who is last in what the evidence may mean.

The likeliest reading takes every stamp at its word and fills no gap. Others depart from it in up to two ways:
a change that came as early or as late as its stamp allows, a loss that hid one more touch, or a shorter one.
So what is found is possible, and what is not found may be: whoever counts what was needless by it counts
rather too much.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lastnose.companion.core.model import Edge, Gap, Input, Levels, Rack, rest_level

from tests.support.explanations import NEVER_NS
from tests.support.slow_judge import CONFIRM_NS, LOCKOUT_NS

FEINT_NS, DOCKED_NS = 300_000_000, 1_000_000_000
MOST_EVENTS_IN_A_GAP = 4
TENTHS = (0, -10, 10, -6, 6, -3, 3)  # of what a clock may be wrong by: between its ends orders may turn twice
NOT_DECIDED = frozenset({-1})
RACK_EMPTY: frozenset[int] = frozenset()


class Rules(NamedTuple):
    """How rounds are played: held together, or with a rack."""

    seats: tuple[int, ...]
    hold: bool
    rack: Rack | None


class Change(NamedTuple):
    """A line that leaves its rest (`away` 1) or comes back, as stamped; `lost`: nobody saw when."""

    t_ns: int
    away: int
    lost: bool = False


class Line(NamedTuple):
    """What a line shows in a round, and what may be meant instead: other changes of the whole line.

    `rest` is its level with no hand at it: of a dock the one that it has at the arming. `edges` bounce.
    """

    name: str
    rest: int
    clock: str
    u_ns: int
    c_ns: int
    edges: tuple[Change, ...]
    changes: tuple[Change, ...]
    others: tuple[tuple[Change, ...], ...]


World = Mapping[str, tuple[Change, ...]]


def possible_lasts(
    armed_ns: int, until_ns: int, lines: Sequence[str], rules: Rules, evidence: Sequence[Input]
) -> set[frozenset[int]]:
    """Return who is last in one explanation or another; it stops at the second answer.

    *lines*: those that are watched. NOT_DECIDED stands for a round that did not end, RACK_EMPTY for one of
    the rack alone that did.
    """
    read = [_line(name, armed_ns, until_ns, evidence) for name in lines]
    read = [_with_gaps(line, read, armed_ns, until_ns, evidence) for line in read]
    clocks = {line.clock: line.c_ns for line in read}
    found: set[frozenset[int]] = set()
    for tenths in itertools.product(*(TENTHS if c_ns else (0,) for c_ns in clocks.values())):
        offset = {clock: tenth * clocks[clock] // 10 for clock, tenth in zip(clocks, tenths, strict=True)}
        placed = [_moved(line, offset[line.clock]) for line in read]
        for world in _worlds(placed):
            for backwards in (False, True):
                found.add(_last(world, rules, armed_ns, backwards=backwards))
                if len(found) > 1:
                    return found
    return found


def _moved(line: Line, by_ns: int) -> Line:
    def move(changes: tuple[Change, ...]) -> tuple[Change, ...]:
        return tuple(one._replace(t_ns=one.t_ns + by_ns) for one in changes)

    return line._replace(changes=move(line.changes), others=tuple(move(one) for one in line.others))


def _worlds(lines: Sequence[Line]) -> Iterator[World]:
    """Yield the likeliest world, and those that depart from it in one or two lines or stamps."""
    base = {line.name: line.changes for line in lines}
    yield base
    departures = [(line.name, other) for line in lines for other in (*line.others, *_shifted(line, lines))]
    for name, changes in departures:
        yield {**base, name: changes}
    for (one, changes), (other, more) in itertools.combinations(departures, 2):
        if one != other:
            yield {**base, one: changes, other: more}


def _shifted(line: Line, lines: Sequence[Line]) -> Iterator[tuple[Change, ...]]:
    """Yield a line with one change as early or as late as its stamp allows, where that may matter."""
    for n, change in enumerate(line.changes):
        near = any(
            abs(one.t_ns - change.t_ns) <= 2 * (line.u_ns + other.u_ns + line.c_ns + other.c_ns)
            for other in lines
            if other.name != line.name
            for one in other.changes
        )
        for sign in (-1, 1) if near and line.u_ns and not change.lost else ():
            moved = change._replace(t_ns=change.t_ns + sign * line.u_ns)
            yield (*line.changes[:n], moved, *line.changes[n + 1 :])


# What a line shows


def _line(name: str, armed_ns: int, until_ns: int, evidence: Sequence[Input]) -> Line:
    source, u_ns, c_ns = "", 0, 0
    for item in evidence:
        if isinstance(item, Levels) and name in item.levels and item.u_ns is not None:
            source, u_ns, c_ns = item.source, item.u_ns, item.clock_u_ns
    edges = sorted(
        (one for one in evidence if isinstance(one, Edge) and one.line == name), key=lambda one: one.t_ns
    )
    rest = _at_arming(name, armed_ns, edges, evidence) if name.startswith("dock.") else rest_level(name)
    within = tuple(Change(one.t_ns, one.level ^ rest) for one in edges if armed_ns <= one.t_ns < until_ns)
    return Line(name, rest, source.partition("/")[0], u_ns, c_ns, within, _debounced(within), ())


def _at_arming(name: str, armed_ns: int, edges: Sequence[Edge], evidence: Sequence[Input]) -> int:
    """Return the level of a dock; what nobody has told yet its first change shows."""
    told = [(one.t_ns, one.level) for one in edges]
    told += [
        (one.t_ns, one.levels[name]) for one in evidence if isinstance(one, Levels) and name in one.levels
    ]
    before = edges[0].level ^ 1 if edges else rest_level(name)
    return max((one for one in told if one[0] <= armed_ns), default=(0, before))[1]


def _debounced(edges: Sequence[Change]) -> tuple[Change, ...]:
    """Return the changes, from rest on: a train has its first time and its last level (law 2).

    For the lockout after a touch no other begins, and its end counts only if the line then rests.
    """
    edges = sorted(edges)
    changes: list[Change] = []
    first: Change | None = None
    locked_ns = 0
    for n, edge in enumerate(edges):
        first = first or edge
        if n + 1 < len(edges) and edges[n + 1].t_ns - edge.t_ns < CONFIRM_NS:
            continue
        rests = [one.away for one in edges if one.t_ns < max(locked_ns, edge.t_ns + 1)][-1] == 0
        now = changes[-1].away if changes else 0
        if edge.away != now and (rests if now else first.t_ns >= locked_ns):
            changes.append(Change(first.t_ns, edge.away, first.lost))
            locked_ns = first.t_ns + LOCKOUT_NS if edge.away else locked_ns
        first = None
    return tuple(changes)


def _with_gaps(
    line: Line, lines: Sequence[Line], armed_ns: int, until_ns: int, evidence: Sequence[Input]
) -> Line:
    """Return the line with what losses may have hidden of it."""
    own = {item.source for item in evidence if isinstance(item, Levels) and line.name in item.levels}
    others: list[tuple[Change, ...]] = []
    edges = line.edges
    for gap in (one for one in evidence if isinstance(one, Gap) and one.source in own):
        since_ns, end_ns = max(gap.from_ns, armed_ns), min(gap.to_ns, until_ns)
        if since_ns > end_ns or (gap.lines is not None and line.name not in gap.lines):
            continue
        times = _times(since_ns, end_ns, line, lines)
        told = _told(line, gap, evidence)
        level = next((one.away for one in reversed(edges) if one.t_ns <= end_ns), 0)
        if told is not None and told != level:
            others += [_debounced([*edges, Change(t_ns, told, lost=True)]) for t_ns in times[1:]]
            edges = (*edges, Change(times[0], told, lost=True))
            level = told
        for begin_ns, back_ns in itertools.combinations(times, 2):
            if back_ns - begin_ns >= CONFIRM_NS:
                pulse = Change(begin_ns, 1 - level, lost=True), Change(back_ns, level, lost=True)
                others.append(_debounced([*edges, *pulse]))
        edges = tuple(sorted(edges))
    return line._replace(changes=_debounced(edges), others=tuple(dict.fromkeys(others)))


def _times(since_ns: int, end_ns: int, line: Line, lines: Sequence[Line]) -> list[int]:
    """Return the times in a loss that could make a difference: its ends, and beside what others did in it."""
    theirs = sorted(
        one.t_ns
        for other in lines
        if other.name != line.name
        for one in other.changes
        if since_ns < one.t_ns < end_ns
    )[:MOST_EVENTS_IN_A_GAP]
    beside = [t_ns + step for t_ns in theirs for step in (-1, 1)]
    return sorted({since_ns, *beside, max(since_ns, end_ns - CONFIRM_NS), end_ns})


def _told(line: Line, gap: Gap, evidence: Sequence[Input]) -> int | None:
    """Return whether a line was found away from rest after a loss, None when nobody said."""
    after = [
        item
        for item in evidence
        if isinstance(item, Levels) and line.name in item.levels and gap.to_ns <= item.t_ns <= gap.to_ns + 1
    ]
    return after[0].levels[line.name] ^ line.rest if after else None


# What the rules make of it


def _last(world: World, rules: Rules, armed_ns: int, *, backwards: bool) -> frozenset[int]:
    """Return who is last in a world. What falls on one instant is taken in one order, or *backwards*."""
    happened = sorted(
        (one.t_ns, name if not backwards else "".join(chr(0x10FFFF - ord(c)) for c in name), one.away, name)
        for name, changes in world.items()
        for one in changes
    )
    moments = [(t_ns, name, away) for t_ns, _, away, name in happened if t_ns >= armed_ns - 1_000_000]
    if rules.rack is None:
        return _held_together(moments, rules.seats)
    return _of_the_rack(moments, rules.seats, rules.rack)


def _held_together(moments: Sequence[tuple[int, str, int]], seats: Sequence[int]) -> frozenset[int]:
    held: set[int] = set()
    for _, name, away in moments:
        (held.add if away else held.discard)(_number(name))
        if len(held) == len(seats) - 1:
            return frozenset(seats) - held
    return NOT_DECIDED


def _of_the_rack(moments: Sequence[tuple[int, str, int]], seats: Sequence[int], rack: Rack) -> frozenset[int]:
    touched = {"confirm": "nose", "dock": "dock", "rack-only": ""}[rack.confirm]
    deeds = [one for one in moments if one[1].startswith("spoon.") or _counts(one, moments, touched)]
    lying = have = 0
    without = set(seats)
    for n, (t_ns, name, away) in enumerate(deeds):
        if name.startswith("spoon."):
            after = deeds[n + 1] if n + 1 < len(deeds) else (NEVER_NS, "", 0)
            lying += away and not (after[1:] == (name, 0) and after[0] - t_ns <= FEINT_NS)
        elif _number(name) in without and lying > have and len(without) > 1:
            have += 1
            without.discard(_number(name))
    if rack.confirm == "rack-only":
        return RACK_EMPTY if lying >= len(seats) - 1 else NOT_DECIDED
    return frozenset(without) if len(without) == 1 else NOT_DECIDED


def _counts(one: tuple[int, str, int], moments: Sequence[tuple[int, str, int]], touched: str) -> bool:
    """Return whether a change is a touch that counts: in a dock once it has lasted for a second."""
    t_ns, name, away = one
    if not away or not touched or not name.startswith(f"{touched}."):
        return False
    if touched == "nose":
        return True
    freed = [other[0] for other in moments if other[1] == name and not other[2] and other[0] > t_ns]
    return min(freed, default=NEVER_NS) - t_ns >= DOCKED_NS


def _number(name: str) -> int:
    return int(name.rpartition(".")[2])
