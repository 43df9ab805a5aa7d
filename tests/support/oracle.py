"""A second opinion on timing, written another way: whole lists at once, no streams, no deadlines, no state.

It knows the truth (or all edges of the evening) and works out what law 2, 4 and 5 say of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Stamp(NamedTuple):
    """A press as recorded: its time, its own error, its clock and that clock's error."""

    t: int
    u: int
    source: str = "gpio"
    c: int = 0


def w(a: Stamp, b: Stamp) -> int:
    """Return what the distance of two stamps may be wrong by (law 4)."""
    return a.u + b.u + (a.c + b.c if a.source != b.source else 0)


def last_of(stamps: Mapping[int, Stamp | None]) -> set[int]:
    """Return the seats that could be last: take away everyone who is surely earlier than somebody.

    None: never pressed, and so surely later than everybody who did.
    """
    never = {seat for seat, stamp in stamps.items() if stamp is None}
    if never:
        return never
    pressed = {seat: stamp for seat, stamp in stamps.items() if stamp is not None}
    beaten = {
        a
        for a, b in itertools.permutations(pressed, 2)
        if pressed[b].t > pressed[a].t + w(pressed[a], pressed[b])
    }
    return set(pressed) - beaten


def changes(
    edges: Sequence[tuple[int, int]], confirm: int, lockout: int
) -> tuple[list[tuple[int, int]], bool]:
    """Return the presses (t, 1) and releases (t, 0) of one line that rests at first, and whether it is noisy.

    *edges*: all its (t, level), by time. Cuts the line's life into trains, then reads the trains as a list.
    """
    cuts = [0] + [i for i in range(1, len(edges)) if edges[i][0] - edges[i - 1][0] >= confirm] + [len(edges)]
    trains = [edges[a:b] for a, b in itertools.pairwise(cuts) if a < b]
    if any(train[-1][0] - train[0][0] > lockout for train in trains):
        return [], True
    settled = [(train[0][0], train[-1][1]) for train in trains]
    found: list[tuple[int, int]] = []
    while settled:
        # At rest: the next train that leaves the line active is a press.
        settled = list(itertools.dropwhile(lambda train: train[1] == 0, settled))
        if not settled:
            break
        pressed = settled[0][0]
        found.append((pressed, 1))
        # Down: what begins within the lockout counts by how it ends; afterwards the next train to rest does.
        within = [train for train in settled if train[0] < pressed + lockout]
        after = settled[len(within) :]
        if within[-1][1] == 0:
            released = list(itertools.takewhile(lambda train: train[1] == 0, reversed(within)))[-1][0]
            settled = after
        else:
            later = list(itertools.dropwhile(lambda train: train[1] == 1, after))
            if not later:
                break
            released, settled = later[0][0], later[1:]
        found.append((released, 0))
    return found, False


def can_change(
    stamps: Mapping[int, Stamp | None],
    doubtful: Mapping[int, Iterable[int]],
    unpressed: Mapping[int, Stamp],
) -> bool:
    """Say whether placing *doubtful* presses at any of their times, in any combination, changes who is last.

    *unpressed*: by seat what a stamp of it is worth, if it never pressed.
    """
    said = last_of(stamps)
    seats = list(doubtful)
    places = [[stamps[seat] and stamps[seat].t, *doubtful[seat]] for seat in seats]
    for combination in itertools.product(*places):
        moved = dict(stamps)
        for seat, t in zip(seats, combination, strict=True):
            old = stamps[seat]
            if t is not None:
                moved[seat] = (old or unpressed[seat])._replace(t=t)
        if last_of(moved) != said:
            return True
    return False
