"""Contracts drawn as groups of cards for the help page (SGR-2)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.text import Text
from companion.games.rules.diagram import Diagram

_WIDE, _HIGH, _STEP, _RISE, _GAP, _LINE = 13, 18, 9, 2, 8, 34


def groups(says: Text, lines: Sequence[tuple[int, str]]) -> Diagram:
    """Return numbered lines of groups of cards (see `Line.picture`): runs climb."""
    parts, widest = [], 0
    for index, (number, picture) in enumerate(lines):
        base, x = index * _LINE + 26, 26
        parts.append(f'<text class="dg-number" x="20" y="{base - 4}">{number}</text>')
        for group in picture.split():
            climbs, size = group[0] == "/", 6 if group.endswith("*") else int(group[1:])
            for card in range(size):
                y = base - _HIGH - (card * _RISE if climbs else 0) + (2 if climbs else 0)
                kind = "dg-open" if group.endswith("*") and card > 2 else "dg-face"
                left = x + card * _STEP
                parts.append(
                    f'<rect class="{kind}" x="{left}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="2.5"/>'
                )
                if not climbs:
                    parts.append(f'<circle class="dg-mark" cx="{left + 4.6}" cy="{y + 5}" r="2"/>')
            x += (size - 1) * _STEP + _WIDE + _GAP
        widest = max(widest, x)
    return Diagram(says, widest, len(lines) * _LINE, "".join(parts))
