"""What goes on when people come or go between two rounds: who sat where, who deals, what latecomers have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.rules.game import OptionField
from lastnose.companion.games.rules.prompts import Choice

LETTERS_STAY = text(
    "A newcomer starts with as many letters or crosses as the worst-off player. Anyone who comes back "
    "has what they had. The others keep theirs. The next dealer stays the same, or is the player to "
    "their left if they leave. Then the table says which cards you need."
)

SOMEBODY_STAYS = text("Somebody who still plays has to stay: else begin another game.")


class Sat(msgspec.Struct, frozen=True):
    """Where somebody sat last in a game: its `state` then, and their `seat` in it.

    `here`: they sit there until now, and `state` is the newest.
    """

    state: Any
    seat: int
    here: bool = True


Circle = Sequence[Sat | None]  # by the new seats; None for who has never sat there


def staying(sat: Circle) -> dict[int, int]:
    """Return the new seat of everybody who sits there until now, by their seat before.

    >>> staying((Sat(None, 3), None, Sat(None, 1), Sat(None, 2, here=False)))
    {3: 1, 1: 3}
    """
    return {one.seat: seat for seat, one in enumerate(sat, start=1) if one is not None and one.here}


def passed_on(dealer: int, of: int, here: Mapping[int, int], able: Sequence[int]) -> int:
    """Return the new seat that deals: the old *dealer*, or the first to their left who still can.

    *of* sat there before, *here* maps their seats to the new ones, *able* are the new seats that may deal.

    >>> passed_on(2, 4, {1: 1, 3: 2, 4: 3}, (1, 2, 3, 4))
    2
    """
    for step in range(of):
        seat = here.get((dealer - 1 + step) % of + 1)
        if seat is not None and seat in able:
            return seat
    return able[0] if able else 1


# ---- what somebody begins with who comes later, where that is points

KEY = "latecomers"
AVERAGE, WORST, ZERO = "average", "worst", "zero"
GIVEN = {AVERAGE: text("The average"), WORST: text("Like the last"), ZERO: text("Nothing")}


def latecomers_field(usual: str = AVERAGE) -> OptionField:
    """Return the option what a latecomer starts with."""
    return OptionField(
        KEY,
        "choice",
        text("Latecomers"),
        text("What a latecomer starts with."),
        usual,
        (
            Choice(AVERAGE, GIVEN[AVERAGE], latecomers_begin(AVERAGE)),
            Choice(WORST, GIVEN[WORST], latecomers_begin(WORST)),
            Choice(ZERO, GIVEN[ZERO], latecomers_begin(ZERO)),
        ),
    )


def latecomers_begin(kind: str) -> Text:
    """Return the sentence of the rules about *kind*."""
    return {
        ZERO: text("A latecomer starts with no points."),
        AVERAGE: text("A latecomer starts with as many points as the others have on average."),
        WORST: text("A latecomer starts with as many points as whoever is worst off."),
    }[kind]


def latecomer_points(kind: str, points: Sequence[int]) -> int:
    """Return the points of who comes when the others have *points*, and most are wanted; halves go up.

    >>> [latecomer_points(kind, (20, 0, 0)) for kind in (ZERO, AVERAGE, WORST)]
    [0, 7, 0]
    """
    if kind == AVERAGE:
        return (2 * sum(points) + len(points)) // (2 * len(points))
    return min(points) if kind == WORST else 0
