"""A starting double and a double with its claws, drawn for the help page (CHK-4)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.text import Text
from companion.games.rules.diagram import Diagram


def foot(says: Text) -> Diagram:
    """Return a starting double with six tiles around it, and a double with its three claws."""
    six = [_tile(110, 75, 0, 5, 5)]
    six += [
        _tile(110 + x, 75 + y, turn, 5, n)
        for n, (x, y, turn) in zip((0, 1, 2, 3, 4, 6), _AROUND, strict=True)
    ]
    claws = [_tile(330, 40, 90, 3, 3)]
    claws += [_tile(330 + x, 86, turn, 3, n) for n, (x, turn) in enumerate(((-32, 30), (0, 0), (32, -30)))]
    return Diagram(says, 400, 150, "".join((*six, *claws)))


_AROUND = ((-28, -44, 155), (0, -52, 180), (28, -44, 205), (-28, 44, 25), (0, 52, 0), (28, 44, -25))


def _tile(x: float, y: float, turn: float, high: int, low: int) -> str:
    """Return a tile around its middle, the half with *high* pips on top before it is turned by degrees."""
    pips = [*_pips(high, -10), *_pips(low, 10)]
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect class="dg-face" x="-10" y="-20" width="20" height="40" rx="4"/>'
        '<path class="dg-line" d="M-8 0H8"/>'
        f"{''.join(pips)}</g>"
    )


_PLACES = {
    0: (),
    1: ((0, 0),),
    2: ((-4, -4), (4, 4)),
    3: ((-4, -4), (0, 0), (4, 4)),
    4: ((-4, -4), (4, -4), (-4, 4), (4, 4)),
    5: ((-4, -4), (4, -4), (0, 0), (-4, 4), (4, 4)),
    6: ((-4, -5), (4, -5), (-4, 0), (4, 0), (-4, 5), (4, 5)),
}


def _pips(n: int, middle: int) -> Iterable[str]:
    return (f'<circle class="dg-mark" cx="{x}" cy="{middle + y}" r="1.7"/>' for x, y in _PLACES[n])
