"""What a hand can do about its contract: whether and how it lays, how many cards short it is, what helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import english, text
from lastnose.companion.games.pieces.cards import SUITS, Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.adding import (
    MOST_MELDS,
    Addition,
    Lying,
    additions,
    lay_and_add,
    lying,
)
from lastnose.companion.games.swedish_gin.contracts.arrange import arrange, arrange_parts
from lastnose.companion.games.swedish_gin.contracts.laydown import lay_down
from lastnose.companion.games.swedish_gin.contracts.melds import (
    COPIES,
    LONGEST,
    MOST_CARDS,
    PLACES,
    Contract,
    Meld,
    check_copies,
    check_hand,
    get_contract,
    hand_points,
    in_order,
    in_turn,
)
from lastnose.companion.games.swedish_gin.contracts.nearest import Parts, fit, nearest
from lastnose.companion.games.swedish_gin.contracts.packed import pack
from msgspec.structs import replace


class Solution(msgspec.Struct, frozen=True):
    """What a hand can do about a contract.

    When it `lays`: the best lay-down's `melds`, the contract's first, the `discard` (None in hand 15), and
    what is `left` with its points; `added` goes to melds on the table. When it does not: no melds, everything
    left, `short` cards have to come, and `parts` are what it has of the contract.

    Between turns a card will still be drawn (`drawing`): `lets` of the `unseen` cards would let it lay, and
    it `lays` if all would. What it lays, throws and keeps is then told without the card that is drawn.
    """

    lays: bool
    melds: tuple[Meld, ...]
    discard: Card | None
    left: tuple[Card, ...]
    points_left: int
    short: int
    parts: tuple[Meld, ...] = ()
    added: tuple[Addition, ...] = ()
    drawing: bool = False
    lets: int = 0
    unseen: int = 0


ALL_AT_ONCE = text("In hand 15 everything goes down at once, without a discard.")
BETWEEN_TURNS = (11, 13, 15)  # cards, until one lays down (SGR-6)
_ALL_CARDS = COPIES * 52
_NOTHING_WANTED = Contract(0)
Cards = Sequence[Card]


def read_table(melds: Sequence[Cards], held: Cards, *, pair: bool = False) -> tuple[Lying, ...]:
    """Return the *melds* on the table; raise BadInput for one that is none, or cards that cannot be there."""
    if len(melds) > MOST_MELDS:
        raise BadInput(english("{n} melds are too many: say at most {most}.", n=len(melds), most=MOST_MELDS))
    check_copies([*held, *(card for meld in melds for card in meld)])
    return tuple(lying(meld, pair=pair) for meld in melds)


def help_with(number: int, cards: Cards, *, extras: bool = True, table: Sequence[Cards] = ()) -> Solution:
    """Return what *cards* can do about contract *number*, in turn or between turns (SGR-6).

    A hand of 11, 13 or 15 is between turns: one card is still to be drawn. *table*: the melds that lie there.
    Raises BadInput for a contract, a hand or a table that cannot be.
    """
    found = solve(number, cards, extras=extras, table=table)
    if len(cards) not in BETWEEN_TURNS:
        return found
    gone = Counter([*cards, *(card for meld in table for card in meld)])
    draws = draws_that_let(number, cards, found)
    lets = sum(COPIES - gone[card] for card in draws)
    unseen = _ALL_CARDS - gone.total()
    told = replace(found, drawing=True, lays=lets == unseen, lets=lets, unseen=unseen)
    if found.lays and not told.lays:  # hand 15: it would lay, and the card that is drawn may be in the way
        return replace(_not_yet(cards, 1, found.melds), drawing=True, lets=lets, unseen=unseen)
    if told.lays and not found.lays:  # only the card to be thrown is missing, and it will be drawn
        return replace(told, melds=found.parts, parts=(), left=(), points_left=0, short=0)
    return told


def draws_that_let(number: int, cards: Cards, found: Solution) -> tuple[Card, ...]:
    """Return the cards each of which, drawn, would let *cards*, of which *found* was said, lay at once."""
    contract = get_contract(number)
    if contract.rest:
        return tuple(card for card in _EVERY_CARD if _fits(cards, card) and _lays(contract, (*cards, card)))
    if found.lays:
        return _EVERY_CARD
    return completing(number, cards) if found.short == 1 else ()


def _fits(cards: Cards, card: Card) -> bool:
    """Return whether there is still a *card* that is not among *cards*."""
    return Counter(cards)[card] < COPIES


def after(number: int, cards: Cards, table: Sequence[Cards] = ()) -> Solution:
    """Return what *cards*, the drawn one included, can still lay once contract *number* lies (SGR-5).

    What goes to which meld of the *table*, further melds, the discard, and the cheapest rest. Raises BadInput
    for a hand or a table that cannot be.
    """
    contract = get_contract(number)
    check_hand(cards)
    if contract.rest:
        raise BadInput(ALL_AT_ONCE)
    return _laid(cards, _NOTHING_WANTED, read_table(table, cards, pair=contract.pair), extras=True)


def solve(number: int, cards: Cards, *, extras: bool = True, table: Sequence[Cards] = ()) -> Solution:
    """Return what *cards*, the drawn one included, can do about contract *number* (SGR-2 to SGR-6).

    Exact. The discard of hands 1 to 14 is compulsory, so the contract takes one card more than its own. With
    `extras=False` further sets and runs wait for a later turn (a house rule); melds still grow. `short` is
    the fewest new cards with which a hand of at least as many cards would lay; any others may be thrown for
    them. *table*: the melds that lie there, to which cards may be added. Raises BadInput for a contract, a
    hand or a table that cannot be.
    """
    contract = get_contract(number)
    check_hand(cards)
    lain = read_table(table, cards, pair=contract.pair)
    if contract.rest:
        return _all_at_once(contract, cards)
    hand = pack(cards)
    missing, parts = nearest(hand, contract)
    short = missing + (contract.cards - missing == hand.cards)
    if short:
        return _not_yet(cards, short, arrange_parts(hand, parts))
    return _laid(cards, contract, lain, extras=extras)


def _laid(cards: Cards, contract: Contract, table: Sequence[Lying], *, extras: bool) -> Solution:
    hand = pack(cards)
    best = (
        lay_and_add(hand, contract, table, extras=extras)
        if table
        else lay_down(hand, contract, extras=extras)
    )
    assert best is not None, "a contract that fits and leaves a card can be laid"
    arranged = arrange(hand, best[1])
    return Solution(
        True,
        arranged.melds,
        arranged.discard,
        arranged.left,
        best[0],
        0,
        added=additions(table, arranged),
    )


def completing(number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards each of which would let *cards* lay contract *number*, from the 2 up.

    None when the hand lays already, or is more than one card short. In hand 15, which throws nothing when it
    lies, a hand in its turn throws another for it; between turns it comes to the others.
    """
    contract = get_contract(number)
    check_hand(cards)
    if _lays(contract, cards):
        return ()
    bases = [(whole, base) for whole, base in _one_short(contract, cards) if fit(pack(base), whole, 1)]
    held = Counter(cards)
    return tuple(
        card
        for card in _EVERY_CARD
        if held[card] < COPIES and any(fit(pack((*base, card)), whole, 0) for whole, base in bases)
    )


_EVERY_CARD = tuple(in_order(Card(rank, suit) for rank in PLACES for suit in SUITS))


def _lays(contract: Contract, cards: Sequence[Card]) -> bool:
    """Return whether *cards* lay *contract*, a discard kept back where there is one."""
    if contract.rest:
        whole = _whole(contract, len(cards))
        return whole is not None and fit(pack(cards), whole, 0) is not None
    return len(cards) > contract.cards and fit(pack(cards), contract, 0) is not None


def _one_short(contract: Contract, cards: Sequence[Card]) -> Iterator[tuple[Contract, Sequence[Card]]]:
    """Yield what one card more could make a hand that lays, and the contract it would then have to be."""
    if not contract.rest:
        if len(cards) >= contract.cards:
            yield contract, cards
        return
    turn = in_turn(len(cards))  # None: cards that are still being tapped may be either
    longer, whole = _whole(contract, len(cards) + 1), _whole(contract, len(cards))
    if longer and turn != len(cards):
        yield longer, cards
    if whole and turn in (None, len(cards)):
        for thrown in dict.fromkeys(cards):
            others = list(cards)
            others.remove(thrown)
            yield whole, others


def _whole(contract: Contract, cards: int) -> Contract | None:
    """Return hand 15's *contract* for a hand of so many cards, None if its run would be too long or short."""
    run_size = cards - contract.sets * contract.set_size
    return replace(contract, run_size=run_size) if contract.run_size <= run_size <= LONGEST else None


def _all_at_once(contract: Contract, cards: Sequence[Card]) -> Solution:
    hand, now = pack(cards), _whole(contract, len(cards))
    lying = fit(hand, now, 0) if now is not None else None
    if lying is not None:
        return Solution(True, arrange_parts(hand, lying), None, (), 0, 0)
    short = contract.cards + len(cards)
    parts: Parts = ()
    for count, least in _sizes(contract, len(cards)):
        whole = _whole(contract, count)
        if whole is None or least >= short:
            break
        missing, found = nearest(hand, whole)
        if max(missing, least) < short:
            short, parts = max(missing, least), found
    return _not_yet(cards, short, arrange_parts(hand, parts))


def _sizes(contract: Contract, held: int) -> Iterator[tuple[int, int]]:
    """Yield how many cards a hand of *held* may have when it lies whole, and how many have to come for that.

    In its turn a hand has 12, 14 or 16 (SGR-6): one card comes for another, or with a buy three for one. A
    longer hand may be nearer, as its run takes more wilds.
    """
    turn = in_turn(held)
    if turn is None:
        yield from ((n, n - held) for n in range(max(held, contract.cards), contract.cards + LONGEST))
        return
    for count in range(turn, MOST_CARDS + 1, 2):
        yield count, count - held + (held == turn < count)


def _not_yet(cards: Sequence[Card], short: int, parts: tuple[Meld, ...]) -> Solution:
    return Solution(False, (), None, tuple(in_order(cards)), hand_points(cards), short, parts)


# ---- what a hand can do about its contract, as data writes it: for programs, on the command line and the API


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
    melds = [read_cards([meld]) for meld in table]
    if not hand or not all(melds):
        raise BadInput(text("Say which cards: 7S 10H KD 2C."))
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
