"""What a hand can do about its contract, as data writes it: for programs, on the command line and the API."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.cards import Card, read_cards
from companion.contracts.solve import Answer, completing, solve
from companion.errors import BadInput
from companion.text import text


class Written(msgspec.Struct, frozen=True):
    """An answer in written cards; `draws` are those of which one would do when the hand is one short."""

    lays: bool
    melds: tuple[tuple[str, ...], ...]
    discard: str | None
    points_left: int
    short: int
    left: tuple[str, ...]
    draws: tuple[str, ...]


def asked(number: int, written: Sequence[str], *, extras: bool = True) -> tuple[Answer, tuple[Card, ...]]:
    """Return what the cards *written* can do about contract *number*, and which draws would complete it.

    Raises BadInput for a contract, a card or a hand that cannot be.
    """
    hand = read_cards(written)
    if not hand:
        raise BadInput(text("Say which cards you hold: 7S 10H KD 2C."))
    answer = solve(number, hand, extras=extras)
    return answer, completing(number, hand) if answer.short == 1 else ()


def write(answer: Answer, draws: Sequence[Card]) -> Written:
    """Return *answer* and *draws* as data writes them."""
    return Written(
        lays=answer.lays,
        melds=tuple(tuple(map(str, meld.cards)) for meld in answer.melds),
        discard=str(answer.discard) if answer.discard else None,
        points_left=answer.points_left,
        short=answer.short,
        left=tuple(map(str, answer.left)),
        draws=tuple(map(str, draws)),
    )
