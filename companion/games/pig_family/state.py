"""Where a game of the family stands, and the moves of the table. Seats count from 1."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.model import Verdict
from lastnose.companion.games.pieces.deck import Deck, packs_for, sets_for
from lastnose.companion.games.pig_family.options import AnyOptions


class Talked(msgspec.Struct, frozen=True, tag="talked", tag_field="type"):
    """The player of `seat` talked to somebody who is out (PIG-12)."""

    seat: int


class FalseOpener(msgspec.Struct, frozen=True, tag="false-opener", tag_field="type"):
    """The player of `seat` touched the nose without the cards for it (PIG-15)."""

    seat: int


class NoSpoon(msgspec.Struct, frozen=True, tag="no-spoon", tag_field="type"):
    """The rack is empty, and the player of `seat` has nothing of it (SPN-6)."""

    seat: int


Move = Verdict | Talked | FalseOpener | NoSpoon


class PigState(msgspec.Struct, frozen=True, gc=False):
    """The game between two deals.

    `letters[i]` is how many letters seat i + 1 has; `out` the seats that have left, in that order; `left`
    those that left with the last move. `dealer` deals next. `deals` counts the deals that counted. `opened`
    is the seat that opened the one deal that decides (PIG-10), None before. `waiting`: the rack is empty, and
    the table is to say who was last (SPN-6); `answer`: whom it named for the last round. `lost`: who was last
    in the newest deal that counted (PIG-13).
    """

    players: tuple[str, ...]
    options: AnyOptions
    letters: tuple[int, ...]
    out: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    dealer: int = 1
    deals: int = 0
    opened: int | None = None
    waiting: bool = False
    answer: int | None = None
    lost: tuple[int, ...] = ()


def seats_in(state: PigState) -> tuple[int, ...]:
    """Return the seats still in, in the order of the table."""
    return tuple(seat for seat in range(1, len(state.players) + 1) if seat not in state.out)


def next_in(state: PigState, seat: int) -> int:
    """Return the first seat still in to the left of *seat*."""
    still_in = seats_in(state)
    return min((other for other in still_in if other > seat), default=min(still_in))


def deck(players: int, seated: int, options: AnyOptions) -> Deck:
    """Return the deck for *players* still in of *seated* who began; with a stock it stays (PIG-8)."""
    if not options.stock:
        return sets_for(players, options.hand_size)
    first = packs_for(seated, options.hand_size)
    return msgspec.structs.replace(first, stock=first.cards - players * options.hand_size)
