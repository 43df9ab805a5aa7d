"""Small rounds, every explanation written out: the third opinion on what a verdict may say (law 4, 5 and 8).

It knows the shape of inputs and the rules of the games, and nothing of the judge or of the other oracles. A
world is a list of changes in their true order: every stamp at either end of its bounds and in the middle of
them, every clock too, every loss empty or with changes anywhere in a grid. Contacts that bounce are left to
the others: here each edge is a change. Where there are too many worlds some are drawn, the plainest first.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lastnose.companion.core.model import Edge, Gap, Input, Levels, Rack, rest_level

from tests.support.explanations import NEVER_NS, Possible, together

MOST_WORLDS = 4_000
APART_NS = 25_000_000  # of one line's changes: quicker hands are for the debouncer's own tests
FEINT_NS = 300_000_000


class Change(NamedTuple):
    """A line leaves its rest (`away`) or comes back, as stamped, which may be wrong by `u_ns`."""

    t_ns: int
    away: int
    u_ns: int


class Line(NamedTuple):
    """All that a line may have done in a round, the plainest first; its clock is off by up to `c_ns`."""

    name: str
    clock: str
    c_ns: int
    ways: tuple[tuple[Change, ...], ...]


class Happening(NamedTuple):
    """A change at its true time in one world, with its stamp."""

    t_ns: int
    kind: str
    number: int
    away: int
    stamp_ns: int


class Found(NamedTuple):
    """What the worlds say together, and whether the round was still open in some of them."""

    possible: Possible
    open_in_some: bool
    over_in_some: bool


def explain(
    armed_ns: int,
    until_ns: int,
    lines: Sequence[str],
    seats: tuple[int, ...],
    evidence: Sequence[Input],
    *,
    hold: bool = False,
    rack: Rack | None = None,
) -> Found | None:
    """Return what every world says of a round; None where the grid has no world that fits the evidence."""
    read = [_line(name, armed_ns, until_ns, lines, evidence) for name in lines]
    if not all(line.ways for line in read):
        return None
    told: list[dict[int, int]] = []
    open_ = False
    for happened in _worlds(read):
        for order in (happened, _turned(happened)):
            if hold:
                moments = _held(order, seats)
            elif rack is not None:
                moments = _spoons(order, seats)
            else:
                moments = _touched(order, seats)
            if moments is None:
                open_ = True
            else:
                told.append(moments)
    return Found(together(told), open_, bool(told))


# What a line may have done


def _line(name: str, armed_ns: int, until_ns: int, lines: Sequence[str], evidence: Sequence[Input]) -> Line:
    worth = next(
        one for one in evidence if isinstance(one, Levels) and name in one.levels and one.u_ns is not None
    )
    u_ns, rest = worth.u_ns or 0, rest_level(name)
    seen = sorted(
        Change(one.t_ns, one.level ^ rest, one.u_ns)
        for one in evidence
        if isinstance(one, Edge) and one.line == name and armed_ns <= one.t_ns < until_ns
    )
    gaps = [
        (max(one.from_ns, armed_ns), min(one.to_ns, until_ns - 1), _found_after(name, rest, one, evidence))
        for one in evidence
        if isinstance(one, Gap)
        and one.source == worth.source
        and (one.lines is None or name in one.lines)
        and one.to_ns >= armed_ns
        and one.from_ns < until_ns
    ]
    others = [
        one.t_ns for one in evidence if isinstance(one, Edge) and one.line != name and one.line in lines
    ]
    hidden = [_hidden(since_ns, end_ns, u_ns, others) for since_ns, end_ns, _ in gaps]
    told = [(end_ns, level) for _, end_ns, level in gaps if level is not None]
    ways = dict.fromkeys(
        way
        for lost in itertools.product(*hidden)
        if (way := _fitting(seen, [one for times in lost for one in times], told)) is not None
    )
    plainest_first = tuple(sorted(ways, key=len))
    return Line(name, worth.source.partition("/")[0], worth.clock_u_ns, plainest_first)


def _found_after(name: str, rest: int, gap: Gap, evidence: Sequence[Input]) -> int | None:
    """Return how a line was found after a loss, None when nobody said."""
    found = [
        one.levels[name] ^ rest
        for one in evidence
        if isinstance(one, Levels) and name in one.levels and gap.to_ns <= one.t_ns <= gap.to_ns + 1
    ]
    return found[0] if found else None


def _hidden(since_ns: int, end_ns: int, u_ns: int, others: Sequence[int]) -> list[tuple[Change, ...]]:
    """Return up to three changes of either direction, in a grid of a loss; which fit is for `_fitting`."""
    steps = (-APART_NS, -1, 1, APART_NS)
    beside = {t_ns + step for t_ns in others for step in steps if since_ns < t_ns + step < end_ns}
    times = sorted({since_ns, end_ns, (since_ns + end_ns) // 2, *sorted(beside)[:8]})
    return [
        tuple(Change(t_ns, -1, u_ns) for t_ns in some)
        for n in range(4)
        for some in itertools.combinations(times, n)
        if all(two - one >= APART_NS for one, two in itertools.pairwise(some))
    ]


def _fitting(
    seen: Sequence[Change], lost: Sequence[Change], told: Sequence[tuple[int, int]]
) -> tuple[Change, ...] | None:
    """Return what was seen and lost together, each a change from the one before; None: that cannot be."""
    level, made = 0, list[Change]()
    for one in sorted([*seen, *lost]):
        level ^= 1
        if one.away not in (-1, level) or (made and one.t_ns - made[-1].t_ns < APART_NS):
            return None
        made.append(one._replace(away=level))
    for at_ns, found in told:
        if sum(1 for one in made if one.t_ns <= at_ns) % 2 != found:
            return None
    return tuple(made)


# All worlds, or some of them


def _worlds(lines: Sequence[Line]) -> Iterator[list[Happening]]:
    clocks = {line.clock: line.c_ns for line in lines}
    signs = {clock: (0, -1, 1) if c_ns else (0,) for clock, c_ns in clocks.items()}
    for ways, offsets, errors in _choices(lines, list(signs.values())):
        offset = {clock: sign * clocks[clock] for clock, sign in zip(signs, offsets, strict=True)}
        happened = []
        wrong = iter(errors)
        for line, way in zip(lines, ways, strict=True):
            kind, _, number = line.name.rpartition(".")
            for one in way:
                t_ns = one.t_ns + offset[line.clock] + next(wrong) * one.u_ns
                happened.append(Happening(t_ns, kind, int(number), one.away, one.t_ns))
        yield sorted(happened)


def _choices(
    lines: Sequence[Line], offsets: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[tuple[Change, ...], ...], tuple[int, ...], tuple[int, ...]]]:
    most = max(sum(len(line.ways[-1]) for line in lines), 1)
    count = math.prod(len(line.ways) for line in lines) * math.prod(map(len, offsets))
    if count * 3**most <= MOST_WORLDS:
        for ways in itertools.product(*(line.ways for line in lines)):
            errors = itertools.product((0, -1, 1), repeat=sum(map(len, ways)))
            for some, wrong in itertools.product(itertools.product(*offsets), errors):
                yield ways, some, wrong
        return
    draw = random.Random(str(lines))
    for n in range(MOST_WORLDS):
        rare = n % 2  # every other world has all lines as plain as may be
        ways = tuple(draw.choice(line.ways) if rare else line.ways[0] for line in lines)
        wrong = tuple(draw.choice((-1, 1, -1, 1, 0)) for _ in range(sum(map(len, ways))))
        yield ways, tuple(map(draw.choice, offsets)), wrong


def _turned(happened: Sequence[Happening]) -> list[Happening]:
    """Return the same world, with what falls on one instant the other way round."""
    return [
        one for _, same in itertools.groupby(happened, key=lambda one: one.t_ns) for one in reversed([*same])
    ]


# What the rules make of a world: when each seat touched for good, None as long as the round is open


def _touched(happened: Sequence[Happening], seats: tuple[int, ...]) -> dict[int, int] | None:
    """A nose is a seat's from its first touch on (PIG-5)."""
    first: dict[int, int] = {}
    for one in happened:
        if one.away:
            first.setdefault(one.number, one.t_ns)
    if len(first) < len(seats) - 1:
        return None
    return {seat: first.get(seat, NEVER_NS) for seat in seats}


def _held(happened: Sequence[Happening], seats: tuple[int, ...]) -> dict[int, int] | None:
    """All but one are held together; the missing seat's next touch is its own (PIG-5, hold)."""
    held: dict[int, int] = {}
    for n, one in enumerate(happened):
        if one.away:
            held[one.number] = one.t_ns
        else:
            held.pop(one.number, None)
        if len(held) == len(seats) - 1:
            (missing,) = {*seats} - held.keys()
            came = [later.t_ns for later in happened[n:] if later.away and later.number == missing]
            return {**held, missing: min(came, default=NEVER_NS)}
    return None


def _spoons(happened: Sequence[Happening], seats: tuple[int, ...]) -> dict[int, int] | None:
    """A touch is good while more spoons are gone than were touched for; a feint is none (SPN-6, SPN-7)."""
    gone, have, late = 0, dict[int, int](), dict[int, int]()
    for n, one in enumerate(happened):
        if one.kind == "spoon":
            gone += bool(one.away) and not _feint(happened[n:], have)
        elif one.away and one.number not in have:
            if len(have) == len(seats) - 1:
                late.setdefault(one.number, one.t_ns)
            elif gone > len(have):
                have[one.number] = one.t_ns
    if len(have) < len(seats) - 1:
        return None
    (missing,) = {*seats} - have.keys()
    return {**have, missing: late.get(missing, NEVER_NS)}


def _feint(happened: Sequence[Happening], have: dict[int, int]) -> bool:
    """Whether the lift that comes first is back at once, and nobody but who has one stirred meanwhile."""
    lift, *rest = happened
    for one in rest:
        if one.kind == "nose" and (not one.away or one.number in have):
            continue
        return one.kind == "spoon" and one.number == lift.number and one.stamp_ns - lift.stamp_ns <= FEINT_NS
    return False
