"""What a hand costs, game by game: how its pieces are read, checked and counted.

A game with hand points adds itself to HAND_POINTS; the command line and the API know no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion import contracts, dominoes
from companion.cards import read_cards
from companion.errors import BadInput
from companion.text import Text, listing, text


class Counted(msgspec.Struct, frozen=True):
    """A hand's points and the pieces they were counted from, as data writes them."""

    points: int
    pieces: tuple[str, ...]


class HandPoints(msgspec.Struct, frozen=True):
    """How one game counts a hand: `options` are the names that `count` takes besides the written pieces."""

    title: Text
    options: tuple[str, ...]
    count: Callable[..., Counted]


def _count_tiles(
    written: Sequence[str], *, double_blank: int | None = None, set: int | None = None
) -> Counted:
    """Count tiles: pips, and 50 or 25 for the double blank (CHK-9)."""
    tiles = dominoes.read_tiles(written)
    dominoes.check_tiles(tiles, dominoes.USUAL_SET if set is None else set)
    blank = dominoes.DOUBLE_BLANK_POINTS[0] if double_blank is None else double_blank
    if blank not in dominoes.DOUBLE_BLANK_POINTS:
        raise BadInput(text("The double blank costs 50 or 25, not {points} (CHK-9).", points=blank))
    return Counted(dominoes.hand_points(tiles, blank), tuple(map(str, tiles)))


def _count_cards(written: Sequence[str]) -> Counted:
    """Count cards: 3 to 10 five each, J Q K ten, ace 15, a 2 25 (SGR-7)."""
    cards = read_cards(written)
    contracts.check_hand(cards)
    return Counted(contracts.hand_points(cards), tuple(map(str, cards)))


HAND_POINTS: dict[str, HandPoints] = {
    "swedish-gin": HandPoints(text("Swedish Gin Rummy"), (), _count_cards),
    "chickenfoot": HandPoints(text("Chickenfoot"), ("double_blank", "set"), _count_tiles),
}

_HAS_NONE = {
    "double_blank": text("{game} has no double blank."),
    "set": text("{game} is not played with dominoes."),
}


def count_hand(game: str, written: Sequence[str], options: Mapping[str, Any]) -> Counted:
    """Return what the pieces *written* cost in *game*; raise BadInput for a piece or option that cannot be.

    >>> count_hand("chickenfoot", ["5-5", "1-0", "0-0", "3-1"], {"double_blank": 25}).points
    40
    """
    counting = HAND_POINTS[game]
    for name in options:
        if name not in counting.options:
            raise BadInput(Text(_HAS_NONE[name].id, {"game": counting.title}))
    return counting.count(written, **options)


def counting_games() -> str | Text:
    """Return the games with hand points, as a sentence lists them."""
    return listing(list(HAND_POINTS))
