"""Dominoes: the tiles of a set, how to read and count them, and what Chickenfoot needs to know of them. Pure.

A set is called by its highest double: 6, 9, 12 or 15 (CHK-1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, english, listing, text

SETS = (6, 9, 12, 15)
USUAL_SET = 9
DOUBLE_BLANK_POINTS = (50, 25)  # the first unless agreed otherwise (CHK-9)
FEET = 3  # tiles that a double must get before play goes on elsewhere (CHK-4)
STARTING_FEET = 6  # and the starting double
# With double-9, 42 ÷ players are drawn, and ten players at most play (CHK-2).
_DRAWN, _USUAL_TILES, _FEWEST_EACH = 42, 55, 4

_WRITTEN = re.compile(r"(\d{1,2})[-–—:|/](\d{1,2})")


class Tile(msgspec.Struct, frozen=True, order=True):
    """A tile, the higher half first.

    >>> str(Tile(3, 1))
    '3-1'
    """

    high: int
    low: int

    def __str__(self) -> str:
        """Return the tile as data writes it."""
        return f"{self.high}-{self.low}"

    @property
    def double(self) -> bool:
        """Whether both halves are alike."""
        return self.high == self.low


def tile(one: int, other: int) -> Tile:
    """Return the tile with these halves, in whatever order."""
    return Tile(max(one, other), min(one, other))


def written(tiles: Iterable[Tile]) -> tuple[str, ...]:
    """Return *tiles* as data writes them.

    >>> written(read_tiles(["5-5 0-1"]))
    ('5-5', '1-0')
    """
    return tuple(f"{each.high}-{each.low}" for each in tiles)


def read_tile(written: str) -> Tile:
    """Return the tile that is *written*; raise BadInput saying what was expected.

    >>> str(read_tile("5-5")), str(read_tile("0-1"))
    ('5-5', '1-0')
    """
    found = _WRITTEN.fullmatch(written)
    if not found:
        raise BadInput(
            text("“{written}” is not a tile. Write its two halves: 5-5, 3-1, 0-0.", written=written[:40])
        )
    return tile(*map(int, found.groups()))


def read_tiles(written: Iterable[str]) -> tuple[Tile, ...]:
    """Return the tiles in *written*: one or several in each string, with spaces or commas between."""
    return tuple(read_tile(word) for words in written for word in words.replace(",", " ").split())


def check_set(highest: int) -> None:
    """Raise BadInput when there is no double-*highest* set (CHK-1)."""
    if highest not in SETS:
        raise BadInput(
            text(
                "There is no double-{highest} set. Choose one of: {sets}.",
                highest=highest,
                sets=listing([str(known) for known in SETS]),
            )
        )


@cache
def tiles_of(highest: int) -> tuple[Tile, ...]:
    """Return the tiles of the double-*highest* set, suit by suit (CHK-1).

    >>> [len(tiles_of(highest)) for highest in SETS]
    [28, 55, 91, 136]
    """
    return tuple(Tile(high, low) for high in range(highest + 1) for low in range(high + 1))


@cache
def suit_of(suit: int, highest: int) -> tuple[Tile, ...]:
    """Return the tiles of the double-*highest* set with *suit* on a half, its double among them.

    >>> " ".join(map(str, suit_of(5, 6)))
    '5-0 5-1 5-2 5-3 5-4 5-5 6-5'
    """
    return tuple(tile(suit, other) for other in range(highest + 1))


def check_tiles(tiles: Sequence[Tile], highest: int) -> None:
    """Raise BadInput for a tile that is not in the double-*highest* set, or there twice (CHK-1, CHK-11)."""
    check_set(highest)
    for each, count in Counter(tiles).items():
        if each.high > highest or count > 1:
            raise BadInput(not_so(each, highest))


def not_so(each: Tile, highest: int) -> Text:
    """Return that the double-*highest* set does not have the tile *each*, or not so often."""
    return text(
        "A double-{highest} set has every tile once, up to {highest}-{highest}: look at {tile} again.",
        highest=highest,
        tile=str(each),
    )


def tile_points(each: Tile, double_blank: int = DOUBLE_BLANK_POINTS[0]) -> int:
    """Return what a tile left in hand costs: its pips, and *double_blank* for 0-0 (CHK-9)."""
    return each.high + each.low or double_blank


def hand_points(tiles: Iterable[Tile], double_blank: int = DOUBLE_BLANK_POINTS[0]) -> int:
    """Return what the tiles left in a hand cost (CHK-9).

    >>> hand_points(read_tiles(["5-5 1-0 0-0 3-1"])), hand_points(read_tiles(["5-5 1-0 3-1"]))
    (65, 15)
    """
    pips = [each.high + each.low for each in tiles]
    return sum(pips) + double_blank * pips.count(0)  # only the double blank has none


@cache
def preferred_double(highest: int, hand: int) -> int:
    """Return the suit of the double with which *hand* (from 1) should start: the highest first (CHK-1)."""
    check_set(highest)
    if not 1 <= hand <= highest + 1:
        raise BadInput(
            english(
                "A double-{highest} set has {n} hands; there is no hand {hand}.",
                highest=highest,
                n=highest + 1,
                hand=hand,
            )
        )
    return highest - hand + 1


def most_players(highest: int) -> int:
    """Return how many can play with the double-*highest* set: ten with double-9 (CHK-2).

    With the other sets as many as get four tiles each, like those ten: our own suggestion.

    >>> [most_players(highest) for highest in SETS]
    [6, 10, 19, 29]
    """
    if highest == USUAL_SET:
        return 10
    players = 2
    while _drawn(highest, players + 1) >= _FEWEST_EACH:
        players += 1
    return players


def tiles_each(highest: int, players: int) -> int:
    """Return how many tiles each of *players* draws (CHK-2).

    With double-9, 42 ÷ players, halves up. The other sets have no such rule; there 42 grows with the set.

    >>> [tiles_each(9, players) for players in range(2, 11)]
    [21, 14, 11, 8, 7, 6, 5, 5, 4]
    """
    check_set(highest)
    if not 2 <= players <= most_players(highest):
        if players < 2:
            raise BadInput(english("Chickenfoot is for 2 players or more, not {n}.", n=players))
        raise BadInput(
            text(
                "{n} players are too many for a double-{highest} set: the tiles would not go round. Be "
                "{most} at most, or take a larger set.",
                highest=highest,
                n=players,
                most=most_players(highest),
            )
        )
    return _drawn(highest, players)


def _drawn(highest: int, players: int) -> int:
    tiles = (highest + 1) * (highest + 2) // 2
    wanted, shares = 2 * _DRAWN * tiles, _USUAL_TILES * players
    return (wanted + shares) // (2 * shares)


def unreachable(
    tiles: Iterable[Tile], totals: Iterable[int], double_blank: int = DOUBLE_BLANK_POINTS[0]
) -> int | None:
    """Return the first of *totals* to which no choice of *tiles* adds up, None when each can be (CHK-11).

    >>> unreachable(read_tiles(["3-1 5-5"]), [0, 4, 10, 14]), unreachable(read_tiles(["3-1 5-5"]), [4, 9, 5])
    (None, 9)
    """
    sums = 1  # bit n: some of them, or none, add up to n
    for each in tiles:
        sums |= sums << tile_points(each, double_blank)
    return next((total for total in totals if not sums >> total & 1), None)


class Feet(msgspec.Struct, frozen=True):
    """What can still be played on a double: the tiles `left` of its suit, and how many it `wants`.

    `pending`: fewer are left than it wants, so nobody can complete it. `blocked`: nobody can play at all any
    more (CHK-8). A pending block can still be won by playing one's last tile (CHK-12).
    """

    left: tuple[Tile, ...]
    wants: int
    pending: bool
    blocked: bool


def feet(
    highest: int,
    suit: int,
    seen: Sequence[Tile],
    *,
    laid: int = 0,
    starting: bool = False,
    boneyard_empty: bool = False,
) -> Feet:
    """Return what can still be played on the double of *suit* (CHK-4, CHK-12).

    *seen* are the tiles of its suit on the table, *laid* how many of them lie on the double; a *starting*
    double takes six, any other three. Raises BadInput for tiles that cannot lie there.

    >>> found = feet(9, 6, read_tiles(["6-6 6-0 6-1 6-2 6-3 6-4 9-6 8-6"]))
    >>> " ".join(map(str, found.left)), found.wants, found.pending
    ('6-5 7-6', 3, True)
    """
    double = tile(suit, suit)
    check_tiles(seen, highest)
    check_tiles([double], highest)
    for each in seen:
        if suit not in (each.high, each.low):
            raise BadInput(english("{tile} has no {suit} on it.", tile=str(each), suit=suit))
    played = {*seen} - {double}
    whole = STARTING_FEET if starting else FEET
    if not 0 <= laid <= min(whole, len(played)):
        raise BadInput(
            english(
                "{n} tiles cannot lie on the double {suit}: {seen} of its suit are on the table, and it "
                "takes {whole}.",
                n=laid,
                suit=suit,
                seen=len(played),
                whole=whole,
            )
        )
    left = tuple(each for each in suit_of(suit, highest) if each not in played and each != double)
    pending = len(left) < whole - laid
    return Feet(left, whole - laid, pending, blocked=pending and not left and boneyard_empty)
