"""Who leads, and who cannot win any more, whatever happens."""

from __future__ import annotations

from functools import lru_cache

from companion.core.text import Text, listing, text, texts
from companion.games.sheet_game.hooks import AnySheetGame
from companion.games.sheet_game.state import SheetState, current, until


@lru_cache(maxsize=8)  # standings, notes and sheet of one state ask for the same
def cannot_win(game: AnySheetGame, state: SheetState) -> tuple[int, ...]:
    """Return who cannot win any more, whatever happens: only where that is certain.

    Somebody else's worst is better than their best. Where points go down as well, nothing is certain.
    """
    hand = current(state)
    if hand is None or game.lowest_points < 0:
        return ()
    whole, hands = game.totals(state), range(hand, len(state.cells) + 1)
    later = (len(state.cells) - hand) * game.most_in_any_hand(state)
    least, most = game.least(state, hand), game.most(state, hand)
    seats = [
        (seat, whole[seat - 1], cell is None) for seat, cell in enumerate(state.cells[hand - 1], start=1)
    ]
    worst = {seat: points + later + most * writes for seat, points, writes in seats}
    best = {
        seat: points + least * writes + game.best_bonus(state, seat, hands) for seat, points, writes in seats
    }
    return tuple(seat for seat in best if any(worst[other] < best[seat] for other in worst if other != seat))


def lead(game: AnySheetGame, state: SheetState, hand: int) -> Text:
    """Return who leads after the complete hands; while *hand* is being written, who led before it."""
    found = game.totals(until(state, hand - 1))
    best = game.best(state, found)
    leaders = [state.player(seat) for seat in state.seats if found[seat - 1] == best]
    ahead = _ahead(leaders, sorted(abs(points - best) for points in found)[1])
    if any(state.cells[hand - 1]):
        return game.said.after(hand - 1, ahead)
    return ahead


def _ahead(leaders: list[str], gap: int) -> Text:
    if len(leaders) > 1:
        return text("{players} lead together.", players=listing(leaders))
    return texts("{player} leads by {n} point.", "{player} leads by {n} points.", n=gap, player=leaders[0])
