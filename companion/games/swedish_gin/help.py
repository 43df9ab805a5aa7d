"""The rules of Swedish Gin Rummy in the product's own words: the deal, and the help page."""

from __future__ import annotations

from collections.abc import Sequence

from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.rules.game import Diagram, Section
from lastnose.companion.games.swedish_gin.checks import EACH
from lastnose.companion.games.swedish_gin.contracts import meld_judge, solve
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, contract_name

# ---- contracts drawn as groups of cards for the help page (SGR-2)

_WIDE, _HIGH, _STEP, _RISE, _GAP, _LINE = 13, 18, 9, 2, 8, 34


def groups(says: Text, lines: Sequence[tuple[int, str]]) -> Diagram:
    """Return numbered lines of groups of cards (see `Line.picture`): runs climb."""
    parts, widest = [], 0
    for index, (number, picture) in enumerate(lines):
        base, x = index * _LINE + 26, 26
        parts.append(f'<text class="dg-number" x="20" y="{base - 4}">{number}</text>')
        for group in picture.split():
            climbs, size = group[0] == "/", 6 if group.endswith("*") else int(group[1:])
            for card in range(size):
                y = base - _HIGH - (card * _RISE if climbs else 0) + (2 if climbs else 0)
                kind = "dg-open" if group.endswith("*") and card > 2 else "dg-face"
                left = x + card * _STEP
                parts.append(
                    f'<rect class="{kind}" x="{left}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="2.5"/>'
                )
                if not climbs:
                    parts.append(f'<circle class="dg-mark" cx="{left + 4.6}" cy="{y + 5}" r="2"/>')
            x += (size - 1) * _STEP + _WIDE + _GAP
        widest = max(widest, x)
    return Diagram(says, widest, len(lines) * _LINE, "".join(parts))


# ---- the words


CUT = text(
    "A dealer who lifts exactly the right number of cards in one go takes 100 off their score, even below "
    "zero."
)


AT_ONCE = text("Other melds may be laid down in the same turn as the contract.")
TOKEN = text(
    "A token buys the top discard, if another player threw it, with the top of the stock: at any moment."
)


def lifted(players: int) -> int:
    """Return how many cards a dealer needs (SGR-10).

    >>> lifted(4)
    45
    """
    return EACH * players + 1


def dealing(players: int) -> tuple[Text, ...]:
    """Return how to deal for *players* (SGR-1)."""
    deal = text(
        "Shuffle two packs without jokers. Deal {each} each, turn one up: {n} cards.",
        each=EACH,
        n=lifted(players),
    )
    return (deal,) if 3 <= players <= 6 else (deal, text("Three to six players are best."))


def sections(*, exact_cut: bool, extras: bool) -> tuple[Section, ...]:
    """Return the rules as a table with these options plays them."""
    return (
        Section(text("How to play"), _goes(extras)),
        *(_contracts(hands) for hands in _HALVES),
        Section(text("Sets and runs"), _MELDS),
        Section(text("Buying"), _BUYING),
        Section(text("Points"), (*_POINTS, CUT) if exact_cut else _POINTS),
    )


def _goes(extras: bool) -> tuple[Text, ...]:
    return (
        text(
            "Two packs without jokers. Fifteen hands, each with its contract. Eleven cards each, one begins "
            "the discard pile; the rest is the stock. The player on the dealer’s left starts."
        ),
        text("In turn, clockwise: draw from the stock or the discard pile, then discard one."),
        text("Lay the whole contract at once. Only then add to melds, or lay others of three or more."),
        AT_ONCE if extras else text("Other melds wait for a later turn; adding to your own does not."),
        solve.ALL_AT_ONCE,
        text("If the stock runs out, the discards but the top one make a new one."),
        text(
            "The first player to get rid of every card goes out and ends the hand. Whoever started a hand "
            "deals the next. You may stop after any hand and go on another day."
        ),
    )


_HALVES = (range(1, 9), range(9, 16))


def _contracts(hands: range) -> Section:
    title = text("Contracts {first} to {last}: sets lie level, runs climb.", first=hands[0], last=hands[-1])
    picture = groups(title, [(hand, CONTRACTS[hand].picture) for hand in hands])
    return Section(title, tuple(map(_contract, hands)), picture)


def _contract(hand: int) -> Text:
    contract = CONTRACTS[hand]
    what = contract_name(contract)
    if contract.buys:
        what = text("{first}, {next}", first=what, next=at_least(contract.buys))
    return text("Hand {hand}: {what}.", hand=hand, what=what)


def at_least(buys: int) -> Text:
    """Return how many purchases a contract takes (SGR-2)."""
    return texts("at least {n} buy", "at least {n} buys", n=buys)


_MELDS = (
    meld_judge.SET_AND_RUN,
    meld_judge.WILD,
    meld_judge.TWOS_ALONE,
    text(
        "Wilds on the table are not swapped out. Nothing is added to the pair of hand 14. In that pair a two "
        "is not wild: the source does not say, that is our reading."
    ),
)
_BUYING = (
    text("Everybody has two tokens a hand."),
    TOKEN,
    text(
        "If several players want it, whoever’s turn it is comes first, then the next in turn order. Buying "
        "in your own turn ends it, without a discard."
    ),
)
_POINTS = (
    text("Left in hand: 3 to 10 cost 5, jack, queen and king 10, an ace 15, a two 25."),
    text("Whoever went out scores 0. The lowest total wins; a tie is shared."),
    text("Of 3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦ the source says 115; it is 125."),
)
