"""What a row of a Chickenfoot sheet cannot be, one cell at a time and all together (CHK-3, CHK-8, CHK-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.games.pieces import dominoes
from lastnose.companion.games.pieces.dominoes import DOUBLE_BLANK_POINTS, Tile, tile_points
from lastnose.companion.games.sheet_game.state import SheetState

# ---- hands of dominoes that are possible one by one and not together: the tiles both would need (CHK-11)


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

    >>> from lastnose.companion.games.pieces.dominoes import tiles_of
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


# ---- what the hands of one sheet say together


def double(state: SheetState, hand: int) -> Tile:
    """Return the preferred double of *hand*."""
    suit = dominoes.preferred_double(state.options.set, hand)
    return dominoes.tile(suit, suit)


def left(state: SheetState, hand: int) -> tuple[Tile, ...]:
    """Return the tiles that may be in a hand whose tiles are not known."""
    gone: set[Tile] = {*_given(state, hand)}
    if state.options.start == "standard":
        gone.add(double(state, hand))  # it lies on the table
    return tuple(tile for tile in dominoes.tiles_of(state.options.set) if tile not in gone)


def _given(state: SheetState, hand: int) -> dict[Tile, int]:
    """Return who has been given which tile in *hand*; the last one who was."""
    return {
        tile: seat for seat, cell in state.played(hand) for tile in dominoes.read_tiles(cell.pieces or ())
    }


def check_tapped(state: SheetState, hand: int) -> None:
    """Raise IllegalMove for a tile in two hands, or in one although it started the hand."""
    owner: dict[Tile, int] = {}
    for seat, cell in state.played(hand):
        for tile in dominoes.read_tiles(cell.pieces or ()):
            if tile in owner:
                both = listing([state.player(owner[tile]), state.player(seat)])
                raise IllegalMove(
                    "CHK-11", text("{players} cannot both hold {tile}.", players=both, tile=str(tile))
                )
            owner[tile] = seat
    first = double(state, hand)
    if state.options.start == "standard" and first in owner:
        raise _on_the_table()
    if sum(tile.double for tile in owner) == state.options.set + 1:
        raise _on_the_table()


def _on_the_table() -> IllegalMove:
    return IllegalMove("CHK-3", text("The double that started this hand is on the table, in nobody’s hand."))


def check_won(state: SheetState, hand: int, out: Sequence[int]) -> None:
    """Raise IllegalMove for more tiles in hands than there can be when somebody has played all of theirs.

    Only where the rules say how many are drawn (CHK-2); elsewhere it is told as a doubt.
    """
    if out and state.options.set == dominoes.USUAL_SET and _too_many(state, hand):
        raise IllegalMove("CHK-8", _too_much(state.player(out[0])))


def doubts(state: SheetState, hand: int, winner: int) -> tuple[Text, ...]:
    """Return what is improbable of *hand*, which *winner* won, without being impossible."""
    if state.options.set == dominoes.USUAL_SET:
        return ()
    whole = sum(_typed(state, hand).values())
    if not _too_many(state, hand) and whole <= _most_in_hands(state, hand, left(state, hand)):
        return ()
    return (_too_much(state.player(winner)),)


def _too_much(winner: str) -> Text:
    return text("{player} has played every tile: the others have too much. Count again.", player=winner)


def _too_many(state: SheetState, hand: int) -> bool:
    return len(_given(state, hand)) > _in_hands(state, hand)


def _in_hands(state: SheetState, hand: int) -> int:
    """Return how many tiles can be in hands when one player has played all that everybody draws."""
    highest = state.options.set
    return len(dominoes.tiles_of(highest)) - dominoes.tiles_each(highest, state.sitting(hand))


def check_numbers(state: SheetState, hand: int, out: Sequence[int]) -> None:
    """Raise IllegalMove for numbers that the tiles that are left cannot make, each alone or all together."""
    wanted = sorted((points, seat) for seat, points in _typed(state, hand).items())
    if not wanted:
        return
    tiles, blank = left(state, hand), state.options.double_blank
    most = _most(state, hand, tiles, out)
    whole = sum(points for points, _ in wanted)
    if whole > most:
        raise IllegalMove(
            "CHK-11",
            text("{points} points are too many: what is left makes {most} at most.", points=whole, most=most),
        )
    wrong = dominoes.unreachable(tiles, [points for points, _ in wanted], blank)
    if wrong is not None:
        raise IllegalMove("CHK-11", text("No tiles that are left add up to {points}.", points=wrong))
    clash = clashing(tiles, [points for points, _ in wanted], blank)
    if clash is not None:
        raise IllegalMove("CHK-11", _together(state, wanted[: clash.hands], clash.twice))


def check_blocked(state: SheetState, hand: int) -> None:
    """Raise IllegalMove for a blocked hand in which of every number a tile must be in a hand (CHK-8).

    What is not known may be anything: hands that are not written, and those of which only a number is.
    """
    known, points = _given(state, hand), sorted(_typed(state, hand).values())
    for suit in range(state.options.set + 1):
        if not any(_has(tile, suit) for tile in known):
            others = [tile for tile in left(state, hand) if not _has(tile, suit)]
            if _can_make(others, points, state.options.double_blank):
                return
    raise IllegalMove(
        "CHK-8",
        text(
            "The hand was not blocked: for that, all tiles of one number must be on the table, and "
            "somebody still holds one of every number."
        ),
    )


def _has(tile: Tile, suit: int) -> bool:
    return suit in (tile.high, tile.low)


def _can_make(tiles: Sequence[Tile], points: Sequence[int], blank: int) -> bool:
    """Return whether separate *tiles* can add up to each of *points*; True where that takes too long."""
    enough = sum(points) <= dominoes.hand_points(tiles, blank)
    reached = enough and dominoes.unreachable(tiles, points, blank) is None
    return reached and clashing(tiles, points, blank) is None


def _most(state: SheetState, hand: int, tiles: Sequence[Tile], out: Sequence[int]) -> int:
    """Return what all hands whose tiles are not known can hold together."""
    blank = state.options.double_blank
    costs = sorted((dominoes.tile_points(tile, blank) for tile in tiles), reverse=True)
    if out and state.options.set == dominoes.USUAL_SET:
        return _most_in_hands(state, hand, tiles)
    if state.options.start == "standard":
        return sum(costs)
    # One double lies on the table: nobody knows which, so the cheapest.
    doubles = [dominoes.tile_points(tile, blank) for tile in tiles if tile.double]
    return sum(costs) - min(doubles, default=0)


def _most_in_hands(state: SheetState, hand: int, tiles: Sequence[Tile]) -> int:
    """Return what the dearest of *tiles* cost that fit into hands when one player has played all."""
    costs = sorted((dominoes.tile_points(tile, state.options.double_blank) for tile in tiles), reverse=True)
    return sum(costs[: max(0, _in_hands(state, hand) - len(_given(state, hand)))])


def _typed(state: SheetState, hand: int) -> dict[int, int]:
    """Return the points above 0 that were typed as a number in *hand*, by seat."""
    cells = state.played(hand)
    return {seat: cell.points for seat, cell in cells if cell.pieces is None and cell.points}


def _together(state: SheetState, wanted: Sequence[tuple[int, int]], twice: Sequence[Tile]) -> Text:
    return text(
        "{players} cannot have {points} left in one hand: {tiles} would be needed twice.",
        players=listing([state.player(seat) for _, seat in wanted]),
        points=listing([str(points) for points, _ in wanted]),
        tiles=listing([*map(str, twice)]),
    )
