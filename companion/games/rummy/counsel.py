"""Contract help and table judge: what the solver finds, as an answer to be drawn (SGR-2 to SGR-6)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card, corner, read_cards, shown
from companion.contracts import (
    MOST_CARDS,
    Answer,
    Contract,
    Meld,
    completing,
    contract_name,
    get_contract,
    judge_meld,
    rank_above,
    solve,
)
from companion.errors import BadInput
from companion.games.asks import Consult
from companion.games.counsel import Counsel, Group, Piece
from companion.games.rummy.checks import ONE_PACK, PACKS
from companion.text import Text, text, texts

CONTRACT, MELD = "contract", "meld"


def consults(hand: int) -> tuple[Consult, ...]:
    """Return what can be asked while *hand* is played."""
    pieces = tuple(map(str, ONE_PACK))
    return (
        Consult(
            CONTRACT,
            text("Can I lay down?"),
            text("Tap the cards you hold, twice for two alike. Only this phone sees them."),
            hand,
            "cards",
            pieces,
            PACKS,
            MOST_CARDS,
        ),
        Consult(
            MELD,
            text("Is this meld legal?"),
            text("Tap the cards of one meld. The answer names the rule."),
            hand,
            "cards",
            pieces,
            PACKS,
            MOST_CARDS,
        ),
    )


def answer(about: str, hand: int, pieces: Sequence[str], *, extras: bool) -> Counsel:
    """Return what the rules say about *pieces*; raise BadInput for a question or cards that cannot be."""
    contract, cards = get_contract(hand), read_cards(pieces)
    if about not in (CONTRACT, MELD):
        raise BadInput(text("Ask about “{contract}” or “{meld}”.", contract=CONTRACT, meld=MELD))
    if not cards:
        raise BadInput(text("Say which cards: 7S 10H KD 2C."))
    return _contract(contract, cards, extras) if about == CONTRACT else _meld(contract, cards)


def _contract(contract: Contract, cards: tuple[Card, ...], extras: bool) -> Counsel:
    found = solve(contract.number, cards, extras=extras)
    asked = text("Contract {number}: {what}.", number=contract.number, what=contract_name(contract))
    if found.lays:
        return Counsel(True, text("It lays."), "SGR-2", (asked, _rest(found)), _lay_down(contract, found))
    says = texts("It does not lay: {n} card short.", "It does not lay: {n} cards short.", n=found.short)
    groups = tuple(_group(meld, _kind(meld)) for meld in found.parts)
    if found.short != 1:
        return Counsel(False, says, "SGR-2", (asked,), groups)
    draws = tuple(Piece(str(card)) for card in completing(contract.number, cards))
    return Counsel(False, says, "SGR-2", (asked,), (*groups, Group(text("Any of these would do"), draws)))


def _rest(found: Answer) -> Text:
    if not found.left:
        return text("Nothing is left: that closes the hand.")
    return texts("{n} point stays in hand.", "{n} points stay in hand.", n=found.points_left)


def _lay_down(contract: Contract, found: Answer) -> tuple[Group, ...]:
    wanted = contract.sets + contract.runs + contract.pair
    groups = [
        _group(meld, _kind(meld) if number < wanted else _further(meld))
        for number, meld in enumerate(found.melds)
    ]
    if found.discard:
        groups.append(Group(text("Discard"), (Piece(str(found.discard)),)))
    if found.left:
        groups.append(Group(text("Left in hand"), tuple(Piece(str(card)) for card in found.left)))
    return tuple(groups)


def _kind(meld: Meld) -> Text:
    if meld.kind == "run":
        return text("A run")
    return text("A pair") if meld.kind == "pair" else text("A set")


def _further(meld: Meld) -> Text:
    return text("Another run") if meld.kind == "run" else text("Another set")


def _group(meld: Meld, label: Text) -> Group:
    pieces = tuple(
        Piece(str(card), _stands_for(meld, index) if index in meld.wilds else "")
        for index, card in enumerate(meld.cards)
    )
    return Group(label, pieces, meld.missing)


def _stands_for(meld: Meld, index: int) -> Text | str:
    """Return what the wild card at *index* stands for; nothing in a meld that is not whole."""
    naturals = [card for at, card in enumerate(meld.cards) if at not in meld.wilds]
    if meld.missing or not naturals:
        return ""
    if meld.kind == "run":
        return shown(Card(rank_above(meld.first, index), naturals[0].suit))
    return corner(naturals[0].rank)


def _meld(contract: Contract, cards: tuple[Card, ...]) -> Counsel:
    ruling = judge_meld(cards, pair=contract.pair)
    says = text("It is legal.") if ruling.legal else text("It is not legal.")
    groups = (_group(ruling.meld, _kind(ruling.meld)),) if ruling.meld else ()
    return Counsel(ruling.legal, says, ruling.rule, (ruling.why,), groups)
