"""What somebody begins with who comes later, where that is points: the option, and what help says of it."""

from __future__ import annotations

from collections.abc import Sequence

from lastnose.companion.core.text import Text, text
from lastnose.companion.games.rules.game import OptionField
from lastnose.companion.games.rules.prompts import Choice

KEY = "latecomers"
AVERAGE, WORST, ZERO = "average", "worst", "zero"


def field(nothing: Text, usual: str = AVERAGE) -> OptionField:
    """Return the option what somebody begins with who comes later; *nothing* explains 0 points."""
    return OptionField(
        KEY,
        "choice",
        text("Latecomers"),
        text("What somebody begins with who comes later."),
        usual,
        (
            Choice(AVERAGE, text("The average"), text("As many points as the others have on average.")),
            Choice(WORST, text("Like the last"), text("As many points as whoever is worst off.")),
            Choice(ZERO, text("Nothing"), nothing),
        ),
    )


def begins(kind: str) -> Text:
    """Return the sentence of the rules about *kind*."""
    return {
        ZERO: text("Who comes later begins with no points."),
        AVERAGE: text("Who comes later begins with as many points as the others have on average."),
        WORST: text("Who comes later begins with as many points as whoever is worst off."),
    }[kind]


def given(kind: str, points: Sequence[int]) -> int:
    """Return the points of who comes when the others have *points*, and most are wanted; halves go up.

    >>> [given(kind, (20, 0, 0)) for kind in (ZERO, AVERAGE, WORST)]
    [0, 7, 0]
    """
    if kind == AVERAGE:
        return (2 * sum(points) + len(points)) // (2 * len(points))
    return min(points) if kind == WORST else 0
