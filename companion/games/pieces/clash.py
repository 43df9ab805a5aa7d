"""Hands of dominoes that are possible one by one and not together: the tiles both would need (CHK-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.games.pieces.dominoes import DOUBLE_BLANK_POINTS, Tile, tile_points


class Clash(msgspec.Struct, frozen=True):
    """The first so many `hands` of totals cannot be together: these tiles would be needed `twice`."""

    hands: int
    twice: tuple[Tile, ...]


_PATIENCE = 20_000  # ways that are looked at before we leave the sheet in peace


def clashing(
    tiles: Iterable[Tile], totals: Sequence[int], double_blank: int = DOUBLE_BLANK_POINTS[0]
) -> Clash | None:
    """Return why no separate *tiles* add up to each of *totals*, the lowest first; None if some do (CHK-11).

    Also None when that would take too long to find out, which a few low totals never do.

    >>> from companion.games.pieces.dominoes import tiles_of
    >>> found = clashing(tiles_of(9), [1, 1, 40])
    >>> found.hands, str(found.twice[0])
    (2, '1-0')
    """
    search = _Apart({each: tile_points(each, double_blank) for each in tiles})
    totals = sorted(totals)
    for hands in range(2, len(totals) + 1):
        if search.apart(totals[:hands], frozenset()) is False:
            return Clash(hands, search.overlap(totals[:hands]))
        if search.patience <= 0:
            return None
    return None


class _Apart:
    """The search for tiles that hands do not share; it gives up when its patience ends."""

    def __init__(self, costs: dict[Tile, int]) -> None:
        self.costs = sorted(costs.items(), key=lambda item: -item[1])
        self.patience = _PATIENCE

    def apart(self, totals: Sequence[int], gone: frozenset[Tile]) -> bool | None:
        """Return whether each of *totals* can be made without the tiles *gone*, None when patience ended."""
        if not totals:
            return True
        for way in self.ways(totals[0], gone):
            found = self.apart(totals[1:], gone.union(way))
            if found is not False:
                return found
        return None if self.patience <= 0 else False

    def ways(self, total: int, gone: frozenset[Tile], start: int = 0) -> Iterator[tuple[Tile, ...]]:
        """Yield tiles that add up to *total*, the dearest first."""
        for index in range(start, len(self.costs)):
            each, cost = self.costs[index]
            self.patience -= 1
            if self.patience <= 0:
                return
            if cost > total or each in gone:
                continue
            if cost == total:
                yield (each,)
            else:
                yield from ((each, *more) for more in self.ways(total - cost, gone, index + 1))

    def overlap(self, totals: Sequence[int]) -> tuple[Tile, ...]:
        """Return the fewest tiles that the last of *totals* shares with some way to make the others."""
        self.patience = _PATIENCE
        best: tuple[Tile, ...] = ()
        for others in self.all_ways(totals[:-1], frozenset()):
            for way in self.ways(totals[-1], frozenset()):
                shared = tuple(each for each in way if each in others)
                if not best or len(shared) < len(best):
                    best = shared
        return best

    def all_ways(self, totals: Sequence[int], gone: frozenset[Tile]) -> Iterator[frozenset[Tile]]:
        """Yield the tiles of each way to make all *totals* apart."""
        if not totals:
            yield gone
            return
        for way in self.ways(totals[0], gone):
            yield from self.all_ways(totals[1:], gone.union(way))
