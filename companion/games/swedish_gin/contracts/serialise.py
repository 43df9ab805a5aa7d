"""What a hand can do about its contract, as data writes it: for programs, on the command line and the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from companion.core.errors import BadInput
from companion.core.text import text
from companion.games.pieces.cards import Card, read_cards
from companion.games.swedish_gin.contracts.melds import COPIES, get_contract
from companion.games.swedish_gin.contracts.solve import Solution, after, completing, draws_that_let, help_with


class Added(msgspec.Struct, frozen=True):
    """Cards that go `to` a meld on the table."""

    to: tuple[str, ...]
    cards: tuple[str, ...]


class ContractAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer in written cards; `draws` are those of which one would do when a card is wanted.

    With `drawing` a card will still be drawn: of the `unseen` cards `lets` would let the hand lay, and it
    `lays` if all would. What is not there is left out.
    """

    lays: bool
    melds: tuple[tuple[str, ...], ...]
    discard: str | None
    points_left: int
    short: int
    left: tuple[str, ...]
    draws: tuple[str, ...]
    added: tuple[Added, ...] = ()
    drawing: bool = False
    lets: int = 0
    unseen: int = 0


def asked(
    number: int,
    written: Sequence[str],
    *,
    extras: bool = True,
    table: Sequence[str] = (),
    laid: bool = False,
) -> tuple[Solution, tuple[Card, ...]]:
    """Return what the cards *written* can do about contract *number*, and which draws would complete it.

    *table*: the melds that lie there, one each. With *laid* the contract lies already, and it is what can
    still be laid and added. Raises BadInput for a contract, a card, a hand or a table that cannot be.
    """
    hand = read_cards(written)
    melds = [cards for meld in table if (cards := read_cards([meld]))]
    if not hand:
        raise BadInput(text("Say which cards you hold: 7S 10H KD 2C."))
    if laid:
        return after(number, hand, melds), ()
    answer = help_with(number, hand, extras=extras, table=melds)
    return answer, wanted(number, hand, answer, melds)


def wanted(
    number: int, hand: Sequence[Card], answer: Solution, table: Sequence[Sequence[Card]]
) -> tuple[Card, ...]:
    """Return the cards one of which would do, of those that can still come; none if any would or no one."""
    if answer.drawing:
        found = () if answer.lays else draws_that_let(number, hand, answer)
    else:
        found = completing(number, hand) if answer.short == 1 else ()
        if len(hand) < get_contract(number).least:  # the card to be thrown is missing: any would do
            found = ()
    gone = Counter([*hand, *(card for meld in table for card in meld)])
    return tuple(card for card in found if gone[card] < COPIES)


def write(answer: Solution, draws: Sequence[Card]) -> ContractAnswer:
    """Return *answer* and *draws* as data writes them."""
    return ContractAnswer(
        lays=answer.lays,
        melds=tuple(_cards(meld.cards) for meld in answer.melds),
        discard=str(answer.discard) if answer.discard else None,
        points_left=answer.points_left,
        short=answer.short,
        left=_cards(answer.left),
        draws=_cards(draws),
        added=tuple(Added(_cards(one.meld.cards), _cards(one.cards)) for one in answer.added),
        drawing=answer.drawing,
        lets=answer.lets,
        unseen=answer.unseen,
    )


def _cards(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))
