"""The law written down as it reads, slow and obvious: every explanation of the evidence is gone through.

Nobody is last unless every explanation that the declared errors allow says so: each press anywhere in its
bounds, each clock wherever it may be, each doubtful edge there or not, each gap filled or empty. So it is
with who was first and who was last but one, and a margin is what the explanations reach from end to end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lastnose.companion.core.model import Edge, Gap, Input, Levels

from tests.support.explanations import NEVER_NS, Possible, mirrored, together

CONFIRM_NS, LOCKOUT_NS = 1_000_000, 20_000_000


class Reading(NamedTuple):
    """One way to read a seat's line: when it was pressed as stamped, and what that stamp is worth."""

    t_ns: int
    u_ns: int
    clock: str
    c_ns: int


def possible_lasts(
    armed_ns: int, until_ns: int, lines: dict[str, int], evidence: Sequence[Input]
) -> set[int]:
    """Return the seats that are last in one explanation or another; of equal times both are."""
    return possible(armed_ns, until_ns, lines, evidence).lasts


def possible(
    armed_ns: int, until_ns: int, lines: dict[str, int], evidence: Sequence[Input], *, first: bool = False
) -> Possible:
    """Return what one explanation or another says of a round, going through all of them.

    *first*: read with time running backwards, so that `lasts` are those who may have been first.
    """
    readings = {seat: list(_readings(armed_ns, until_ns, line, evidence)) for line, seat in lines.items()}
    return (mirrored if first else together)(
        dict(zip(readings, moments, strict=True))
        for read in itertools.product(*readings.values())
        for moments in _moments(read)
    )


def explained(
    windows: Mapping[int, tuple[int, int]], lines: Mapping[str, int], evidence: Sequence[Input]
) -> Iterator[dict[int, int]]:
    """Yield each explanation of a question, by seat when it touched, each in one of *windows* of its own.

    What began before its window, and is still going on in it, is no touch of it.
    """
    readings = {}
    for line, seat in lines.items():
        if seat not in windows:
            continue
        from_ns, until_ns = windows[seat]
        kept: list[Input] = [edge for train in touches(line, evidence, from_ns, until_ns) for edge in train]
        kept += [one for one in evidence if isinstance(one, Gap) and one.from_ns < until_ns]
        kept += [one for one in evidence if isinstance(one, Levels) and one.t_ns < until_ns]
        readings[seat] = list(_readings(from_ns, NEVER_NS, line, kept))
    for read in itertools.product(*readings.values()):
        for moments in _moments(read):
            yield dict(zip(readings, moments, strict=True))


def touches(line: str, evidence: Sequence[Input], from_ns: int, until_ns: int) -> list[list[Edge]]:
    """Return the trains of a line that begin in a window, but for what a contact does on being let go."""
    edges = [one for one in evidence if isinstance(one, Edge) and one.line == line]
    gaps = [one for one in evidence if isinstance(one, Gap) and edges and one.source == edges[0].source]
    kept, freed_ns, down, before_ns = [], -NEVER_NS, False, -NEVER_NS
    for train in trains(edges):
        first_ns = train[0].t_ns
        # What was lost in between may have let it go.
        down = down and not any(one.from_ns <= first_ns and one.to_ns >= before_ns for one in gaps)
        chatters = bool(train[-1].level) and (down or first_ns < freed_ns)
        if from_ns <= first_ns < until_ns and not chatters:
            kept.append(train)
        if down and not train[-1].level:
            freed_ns = first_ns + LOCKOUT_NS
        down, before_ns = bool(train[-1].level), train[-1].t_ns
    return kept


def _moments(read: Sequence[Reading]) -> Iterator[tuple[int, ...]]:
    """Yield when the presses came, with every error at either end of its bounds: there it matters."""
    clocks = sorted({one.clock for one in read})
    worst = {clock: max(one.c_ns for one in read if one.clock == clock) for clock in clocks}
    own = sorted({one.u_ns for one in read}) != [0]
    for signs in itertools.product((-1, 1), repeat=len(read) if own else 0):
        for offsets in itertools.product(*({-worst[clock], worst[clock]} for clock in clocks)):
            offset = dict(zip(clocks, offsets, strict=True))
            yield tuple(
                NEVER_NS
                if one.t_ns == NEVER_NS
                else one.t_ns + offset[one.clock] + (signs[n] * one.u_ns if own else 0)
                for n, one in enumerate(read)
            )


def _readings(armed_ns: int, until_ns: int, line: str, evidence: Sequence[Input]) -> Iterator[Reading]:
    edges = sorted(
        (one for one in evidence if isinstance(one, Edge) and one.line == line), key=lambda one: one.t_ns
    )
    source, u_ns, c_ns = _worth(line, evidence)
    # The stamp of a late interrupt thread is worth less than others of its source, and says so itself.
    stamps = {edge.t_ns: edge.u_ns for edge in edges}
    pressed = _pressed([edge for edge in edges if armed_ns <= edge.t_ns < until_ns])
    # Who is found down must have pressed before: then only a loss by then can explain it.
    found_ns = min(
        (
            one.t_ns
            for one in evidence
            if isinstance(one, Levels)
            and one.levels.get(line)
            and armed_ns < one.t_ns < min(until_ns, *(pressed[:1] or [until_ns]))
        ),
        default=None,
    )
    pressed = [] if found_ns is not None else pressed
    settled_ns = found_ns or (pressed[-1] if pressed else NEVER_NS)
    for t_ns in pressed[:-1] or ([] if found_ns is not None else [NEVER_NS]):
        yield Reading(t_ns, stamps.get(t_ns, u_ns), source.partition("/")[0], c_ns)
    for gap in (one for one in evidence if isinstance(one, Gap) and one.source == source):
        if gap.lines is not None and line not in gap.lines:
            continue
        if armed_ns <= gap.to_ns and gap.from_ns < min(settled_ns, until_ns):
            for t_ns in (max(gap.from_ns, armed_ns), gap.to_ns):
                yield Reading(t_ns, u_ns, source.partition("/")[0], c_ns)


def _pressed(edges: Sequence[Edge]) -> list[int]:
    """Return every time at which the touch may have begun, and then when it had settled; nothing without."""
    stray_ns: list[int] = []
    for train in trains(edges):
        if not train[-1].level:
            stray_ns.append(train[0].t_ns)
            continue
        first_ns = train[0].t_ns
        times = [t_ns for t_ns in stray_ns if t_ns >= first_ns - LOCKOUT_NS] + [first_ns]
        opened_ns = None
        for before, edge in itertools.pairwise(train):
            if not before.level and opened_ns is None:
                opened_ns = before.t_ns
            if edge.level and before.level:
                opened_ns = before.t_ns
            if edge.level and opened_ns is not None and edge.t_ns - opened_ns > CONFIRM_NS // 2:
                times.append(edge.t_ns)
            if edge.level:
                opened_ns = None
        return [*times, train[-1].t_ns + CONFIRM_NS]
    return []


def trains(edges: Iterable[Edge]) -> list[list[Edge]]:
    """Return the edges of a line in trains: those less than the confirmation apart, by time (law 2)."""
    found: list[list[Edge]] = []
    for edge in sorted(edges, key=lambda one: one.t_ns):
        if found and edge.t_ns - found[-1][-1].t_ns < CONFIRM_NS:
            found[-1].append(edge)
        else:
            found.append([edge])
    return found


def _worth(line: str, evidence: Iterable[Input]) -> tuple[str, int, int]:
    for one in evidence:
        if isinstance(one, Levels) and line in one.levels and one.u_ns is not None:
            return one.source, one.u_ns, one.clock_u_ns
    raise AssertionError(f"nothing says what {line} is worth")
