"""Contract help and table judge: what the solver finds, as an answer to be drawn (SGR-2 to SGR-6)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.pieces.cards import Card, corner, read_cards, row, shown
from lastnose.companion.games.rules.game import Calculation, Group, Piece, RulesAnswer
from lastnose.companion.games.rules.prompts import RulesQuery
from lastnose.companion.games.swedish_gin.checks import ONE_PACK, PACKS
from lastnose.companion.games.swedish_gin.contracts import meld_judge, melds, solve
from lastnose.companion.games.swedish_gin.contracts.adding import Addition
from lastnose.companion.games.swedish_gin.contracts.melds import Contract, Meld
from lastnose.companion.games.swedish_gin.contracts.solve import Solution

# ---- whether a hand lays its contract, asked without a table (SGR-2 to SGR-6)


class ContractQuery(msgspec.Struct, frozen=True):
    """A hand and the number of its contract; one of 11, 13 or 15 cards still draws.

    Without `extras` further sets and runs wait for a later turn. `table`: the melds that lie there, one each.
    With `laid` the contract lies already: what can be added and laid then, the drawn card included?
    """

    number: int
    cards: tuple[str, ...]
    extras: bool = True
    table: tuple[str, ...] = ()
    laid: bool = False


def _answer(query: ContractQuery) -> solve.ContractAnswer:
    found = solve.asked(query.number, query.cards, extras=query.extras, table=query.table, laid=query.laid)
    return solve.write(*found)


_CONTRACT = Calculation(
    name="contract",
    says="Say whether a hand lays its contract, how, and else how many cards it is short.",
    takes=ContractQuery,
    gives=solve.ContractAnswer,
    answer=_answer,
    example={"number": 4, "cards": ["3S", "4S", "5S", "6S", "8H", "9H", "10H", "2C", "KD", "KS", "9D", "4C"]},
)
CALCULATIONS: tuple[Calculation, ...] = (_CONTRACT,)


# ---- the same and more, asked at a sheet

CONTRACT, LAID, MELD = "contract", "laid", "meld"


def rules_queries(hand: int) -> tuple[RulesQuery, ...]:
    """Return what can be asked while *hand* is played."""
    lying = text("Melds on the table")
    return (
        _rules_query(
            CONTRACT,
            hand,
            text("Can I lay down?"),
            text("Tap the cards you hold, twice for two alike. Only this phone sees them."),
            lying,
        ),
        _rules_query(
            LAID,
            hand,
            text("What can I still lay?"),
            text("Once your contract is down: tap the cards you hold, the drawn one too."),
            lying,
        ),
        _rules_query(
            MELD,
            hand,
            text("Is this meld legal?"),
            text("Tap the cards of one meld. The answer names the rule."),
        ),
    )


def _rules_query(about: str, hand: int, label: Text, explain: Text, lying: Text | None = None) -> RulesQuery:
    pieces = tuple(map(str, ONE_PACK))
    return RulesQuery(about, label, explain, hand, "cards", pieces, PACKS, melds.MOST_CARDS, lying=lying)


def answer(
    about: str, hand: int, pieces: Sequence[str], *, extras: bool, table: Sequence[str] = ()
) -> RulesAnswer:
    """Return what the rules say about *pieces*; raise BadInput for a question or cards that cannot be."""
    contract, cards = melds.get_contract(hand), read_cards(pieces)
    if about not in (CONTRACT, LAID, MELD):
        known = listing([f"“{one}”" for one in (CONTRACT, LAID, MELD)])
        raise BadInput(english("Ask about one of these: {known}.", known=known))
    if not cards:
        raise BadInput(text("Say which cards: 7S 10H KD 2C."))
    if about == MELD:
        return _meld(contract, cards)
    found, draws = solve.asked(hand, pieces, extras=extras, table=table, laid=about == LAID)
    if about == LAID:
        return _after(found)
    return _contract(contract, len(cards), found, draws)


def _contract(contract: Contract, held: int, found: Solution, draws: tuple[Card, ...]) -> RulesAnswer:
    asked = text("Contract {number}: {what}.", number=contract.number, what=melds.contract_name(contract))
    lines = (asked, *drawing(found)) if found.drawing else (asked,)
    count = counted(contract, held)
    if found.lays:
        closes = not found.left and melds.in_turn(held) is None  # of a hand half tapped nobody knows
        lines = lines if found.drawing or closes else (*lines, rest(found))
        laid = (*(_group(meld, _kind(meld)) for meld in found.melds), *_rest_groups(found))
        return RulesAnswer(True, verdict(found), "SGR-2", (*lines, *count), laid)
    groups = [_group(meld, _kind(meld)) for meld in found.parts]
    if draws:
        groups.append(Group(text("Any of these would do"), tuple(Piece(str(card)) for card in draws)))
    return RulesAnswer(False, verdict(found), "SGR-2", (*lines, *count), tuple(groups))


def verdict(found: Solution) -> Text:
    """Return yes or no, in a sentence."""
    if found.lays:
        return text("You can lay down once you have drawn.") if found.drawing else text("You can lay down.")
    return texts(
        "You cannot lay down yet: {n} card short.", "You cannot lay down yet: {n} cards short.", n=found.short
    )


def drawing(found: Solution) -> tuple[Text, ...]:
    """Return what is to be known of a card that will still be drawn (SGR-6)."""
    if found.lays:
        return ()
    return (
        texts(
            "{n} of the {unseen} cards that you may draw lets you lay down.",
            "{n} of the {unseen} cards that you may draw let you lay down.",
            n=found.lets,
            unseen=found.unseen,
        ),
    )


def counted(contract: Contract, held: int) -> tuple[Text, ...]:
    """Return what the number of cards *held* before the contract lies says: a miscount, or a buy too few."""
    in_turn = melds.in_turn(held)
    if in_turn is None:
        return (
            text(
                "Before the contract is down a hand has 11, 13 or 15 cards, and one more in its turn: "
                "here are {n}.",
                n=held,
            ),
        )
    wants = max(0, -(-(contract.least - in_turn) // 2))
    if not wants:
        return ()
    return (
        texts(
            "This contract takes {cards} cards, the discard among them: you want {n} more buy.",
            "This contract takes {cards} cards, the discard among them: you want {n} more buys.",
            n=wants,
            cards=contract.least,
        ),
    )


def rest(found: Solution) -> Text:
    """Return what stays in a hand that is in its turn."""
    if not found.left:
        return text("Nothing is left: that closes the hand.")
    return texts("{n} point stays in hand.", "{n} points stay in hand.", n=found.points_left)


def _after(found: Solution) -> RulesAnswer:
    """Return what can be laid and added once the contract lies (SGR-5)."""
    good = bool(found.melds or found.added)
    says = text("You can lay or add this.") if good else text("Nothing can be laid or added.")
    groups = (*(_group(meld, _kind(meld)) for meld in found.melds), *_rest_groups(found))
    return RulesAnswer(good, says, "SGR-5", (rest(found),), groups)


def _rest_groups(found: Solution) -> tuple[Group, ...]:
    """Return what goes to melds on the table, the discard, and what is left."""
    groups = [_added(one) for one in found.added]
    if found.discard and not found.drawing:
        groups.append(Group(text("Discard"), (Piece(str(found.discard)),)))
    if left := kept(found):
        groups.append(Group(text("Left in hand"), tuple(Piece(str(card)) for card in left)))
    return tuple(groups)


def kept(found: Solution) -> tuple[Card, ...]:
    """Return what stays in hand; before the draw also what would be thrown, for it may be another card."""
    return (*found.left, found.discard) if found.drawing and found.discard else found.left


def _added(one: Addition) -> Group:
    pieces = tuple(
        Piece(str(card), corner(rank) if rank else "")
        for card, rank in zip(one.cards, one.stands_for, strict=True)
    )
    return Group(text("To {meld}", meld=row([*map(shown, one.meld.cards)])), pieces)


def _kind(meld: Meld) -> Text:
    if meld.kind == "run":
        return text("A run")
    return text("A pair") if meld.kind == "pair" else text("A set")


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
        return shown(Card(melds.rank_above(meld.first, index), naturals[0].suit))
    return corner(naturals[0].rank)


def _meld(contract: Contract, cards: tuple[Card, ...]) -> RulesAnswer:
    ruling = meld_judge.judge_meld(cards, pair=contract.pair)
    says = text("It is legal.") if ruling.legal else text("It is not legal.")
    groups = (_group(ruling.meld, _kind(ruling.meld)),) if ruling.meld else ()
    return RulesAnswer(ruling.legal, says, ruling.rule, (ruling.why,), groups)
