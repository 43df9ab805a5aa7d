"""Small drawings for the help pages: what a picture says better than a sentence. SVG that styles give colour.

Classes: `dg-face` is a card or a tile, `dg-mark` what is printed on it, `dg-go` where something goes,
`dg-later` what comes after, `dg-open` what may go on.
"""

from __future__ import annotations

from math import cos, pi, sin

import msgspec

from companion.core.text import Text


class Diagram(msgspec.Struct, frozen=True):
    """A drawing: what it shows in words, its size, and what is inside the `svg` element."""

    says: Text
    width: int
    height: int
    inside: str


def round_table(says: Text, *, at_once: bool, seats: int = 6) -> Diagram:
    """Return a table from above, a card going from each seat to its left; in turn, only the first one's."""
    parts = ['<circle class="dg-table" cx="100" cy="100" r="48"/>']
    for seat in range(seats):
        here, there = _at(seat, seats, 78), _at(seat + 0.5, seats, 78)
        parts.append(f'<circle class="dg-seat" cx="{here[0]}" cy="{here[1]}" r="13"/>')
        kind = "dg-way" if at_once or seat == 0 else "dg-way dg-later"
        turn = round(360 * (seat + 0.5) / seats)
        parts.append(
            f'<g class="{kind}" transform="translate({there[0]} {there[1]}) rotate({turn})">'
            '<rect class="dg-face" x="-6" y="-8" width="12" height="16" rx="2"/>'
            '<path class="dg-go" d="M-4 -13H8M4 -17L9 -13L4 -9"/></g>'
        )
    return Diagram(says, 200, 200, "".join(parts))


def _at(seat: float, seats: int, radius: int) -> tuple[float, float]:
    """Return where *seat* sits: the first on top, on to the left of each, which is clockwise from above."""
    angle = 2 * pi * seat / seats - pi / 2
    return round(100 + radius * cos(angle), 1), round(100 + radius * sin(angle), 1)
