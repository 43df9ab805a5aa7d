"""What goes on when people come or go between two rounds: marks and the deal, by the new seats."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.text import text

LETTERS_STAY = text(
    "Who comes begins with as many letters as whoever has most; who comes back has what they had. The others "
    "keep theirs. Whoever deals next still does, or who sits to their left if they go. Then the table says "
    "which cards you need."
)


class Carried(msgspec.Struct, frozen=True):
    """`marks[i]`: what seat i + 1 has already (letters, say); `out`: who is out; `dealer`: who deals."""

    marks: tuple[int, ...]
    out: tuple[int, ...] = ()
    dealer: int = 1


def passed_on(before: Sequence[str], dealer: int, after: Sequence[str], able: Sequence[int]) -> int:
    """Return the seat in *after* that deals: the old *dealer*, or the first to their left who still can.

    *able* are the seats of *after* that may deal.

    >>> passed_on(("A", "B", "C", "D"), 2, ("A", "C", "D", "E"), (1, 2, 3, 4))
    2
    """
    for step in range(len(before)):
        name = before[(dealer - 1 + step) % len(before)]
        if name in after and after.index(name) + 1 in able:
            return after.index(name) + 1
    return able[0] if able else 1
