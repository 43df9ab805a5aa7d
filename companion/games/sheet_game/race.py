"""Who leads, and who cannot win any more, whatever happens."""

from __future__ import annotations

from companion.core.text import Text, listing, text, texts
from companion.games.sheet_game.hooks import AnySheetGame
from companion.games.sheet_game.state import SheetState, current, until


def cannot_win(game: AnySheetGame, state: SheetState) -> tuple[int, ...]:
    """Return who cannot win any more, whatever happens: only where that is certain.

    Somebody else's worst is better than their best. Where points go down as well, nothing is certain.
    """
    hand = current(state)
    if hand is None or game.lowest_points < 0:
        return ()
    worst = [_worst(game, state, seat, hand) for seat in state.seats]
    return tuple(
        seat
        for seat in state.seats
        if any(worst[other - 1] < _best(game, state, seat, hand) for other in state.seats if other != seat)
    )


def _worst(game: AnySheetGame, state: SheetState, seat: int, hand: int) -> int:
    """Return the highest total that *seat* can end with."""
    now = game.most(state, hand) if state.cell(hand, seat) is None else 0
    later = (len(state.cells) - hand) * game.most_in_any_hand(state)
    return game.totals(state)[seat - 1] + now + later


def _best(game: AnySheetGame, state: SheetState, seat: int, hand: int) -> int:
    """Return the lowest total that *seat* can end with."""
    now = game.least(state, hand) if state.cell(hand, seat) is None else 0
    hands = range(hand, len(state.cells) + 1)
    return game.totals(state)[seat - 1] + now + game.best_bonus(state, seat, hands)


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
