"""Punishment by cards, a step at a time: a card is named, an end chosen, and the deck turned (MAG-9).

The real deck is told card by card; a virtual one comes shuffled with the move that chooses the end.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import Text, english, listing, text
from lastnose.companion.games.pieces.cards import JOKER, SUITS, Card, shown, suit_sign
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.prompts import Choice, Choose, ChooseCard, Show, Step


class NameCard(msgspec.Struct, frozen=True, tag="name-card", tag_field="type"):
    """Whoever was last names a card (`QS`)."""

    card: str


class FromEnd(msgspec.Struct, frozen=True, tag="from-end", tag_field="type", omit_defaults=True):
    """From which end the deck is turned. `order` is the shuffled virtual deck, from the top."""

    value: Literal["top", "bottom"]
    order: tuple[str, ...] = ()


class Turned(msgspec.Struct, frozen=True, tag="turned", tag_field="type"):
    """A card of the real deck was turned: its suit, a joker, or the named card itself."""

    value: Literal["S", "C", "D", "H", "joker", "appeared"]


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="type"):
    """Turn the next card of the virtual deck, or all up to the named one."""

    value: Literal["next", "all"]


class Punishment(msgspec.Struct, frozen=True):
    """How far the punishment of `seat` has come.

    `turned` lists what punished or not, in order: cards of the virtual deck, suits (or "joker") of the real
    one. `order` is the virtual deck from the end it is turned from.
    """

    seat: int
    card: str = ""
    end: str = ""
    order: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    over: bool = False

    @property
    def suits(self) -> tuple[int, ...]:
        """How often each of `SUITS` has punished; a joker does not."""
        drawn = [one[-1] for one in self.turned]
        return tuple(drawn.count(suit) for suit in SUITS)


def named(punishment: Punishment, card: str, deck: tuple[Card, ...], travel: Card | None) -> Punishment:
    """Return *punishment* with the card named; it must be in *deck*, and not the *travel* card."""
    if punishment.card:
        raise IllegalMove("MAG-9", CHANGED)
    if card not in (str(one) for one in deck if one != travel):
        raise IllegalMove("MAG-9", english("{card} cannot be named: only a card in play can.", card=card))
    return msgspec.structs.replace(punishment, card=card)


def from_end(punishment: Punishment, move: FromEnd, deck: tuple[Card, ...], *, virtual: bool) -> Punishment:
    """Return *punishment* with the end chosen; a virtual deck must hold exactly the cards of *deck*."""
    if not punishment.card or punishment.end:
        raise IllegalMove("MAG-9", CHANGED)
    order = move.order if move.value == "top" else move.order[::-1]
    if virtual and sorted(order) != sorted(map(str, deck)):
        raise IllegalMove(
            "MAG-9", english("The shuffled deck is missing: “order” lists every card in play once.")
        )
    return msgspec.structs.replace(punishment, end=move.value, order=order if virtual else ())


def turned(punishment: Punishment, value: str, deck: tuple[Card, ...]) -> Punishment:
    """Return *punishment* after a card of the real *deck* was turned; it must be one that still can come."""
    if not punishment.end or punishment.order:
        raise IllegalMove("MAG-9", CHANGED)
    if value == "appeared":
        return msgspec.structs.replace(punishment, over=True)
    left = _left(punishment, deck)
    if not left[value]:
        what = suit_sign(value) if value in SUITS else text("Joker")
        raise IllegalMove("MAG-9", text("No other {card} is left in this deck: look again.", card=what))
    return msgspec.structs.replace(punishment, turned=(*punishment.turned, value))


def _left(punishment: Punishment, deck: tuple[Card, ...]) -> Counter[str]:
    """Return how many cards of each suit, or jokers, can still be turned before the named one."""
    others = Counter(card.suit or "joker" for card in deck if str(card) != punishment.card)
    return others - Counter(punishment.turned)


def turn(punishment: Punishment, value: str) -> Punishment:
    """Return *punishment* after one card, or all, of the virtual deck was turned."""
    if not punishment.order:
        raise IllegalMove("MAG-9", CHANGED)
    before = punishment.order.index(punishment.card)
    count = len(punishment.order) if value == "all" else len(punishment.turned) + 1
    return msgspec.structs.replace(
        punishment, turned=punishment.order[: min(count, before)], over=count > before
    )


# ---- what is shown and asked


def steps(
    punishment: Punishment, player: str, by: tuple[Text, ...], deck: tuple[Card, ...], travel: Card | None
) -> tuple[Step, ...]:
    """Return the screen for the punishment of *player*; *by* says who does it."""
    if not punishment.card:
        cards = tuple(card for card in deck if card != travel)
        label = text("{player}, name a card", player=player)
        return (Show(_title(player), (*by, PALM)), ChooseCard("name-card", label, TURNING, cards), mercy())
    until = _until(punishment.card)
    if not punishment.end:
        return (Show(_title(player), (until, *by)), _ends(player))
    lines = (until, _END[punishment.end], counts(punishment.suits))
    show = Show(_title(player), lines, _cards(punishment))
    if punishment.order:
        return (show, _turning())
    return (show, _suits(_left(punishment, deck)))


def done(punishment: Punishment, player: str) -> Show:
    """Return what stays on the screen when the named card has appeared."""
    lines = (_appeared(punishment.card), counts(punishment.suits))
    return Show(_title(player), lines, _cards(punishment))


def mercy() -> Choose:
    """Return the question whether to let it be, or whether it has been done without the table."""
    explain = text("Mercy is not counted.")
    return Choose(
        "mercy",
        text("Or without these steps"),
        explain,
        (
            Choice("mercy", text("Mercy")),
            Choice("done", text("Done already")),
        ),
    )


PALM = text("Palm on the table. Do not hit too hard: whoever hits hard is hit hard one day.")
TURNING = text(
    "Cards are turned from that end until the named one appears. Each before it punishes by its suit; the "
    "named card itself does not punish, and neither does a joker."
)


def counts(suits: tuple[int, ...]) -> Text:
    """Return how often each of `SUITS` has punished.

    >>> str(counts((2, 0, 1, 3)))
    '♠ 2  ♥ 0  ♦ 1  ♣ 3'
    """
    spades, hearts, diamonds, clubs = suits
    return text(
        "♠ {spades}  ♥ {hearts}  ♦ {diamonds}  ♣ {clubs}",
        spades=spades,
        hearts=hearts,
        diamonds=diamonds,
        clubs=clubs,
    )


def card_of(written: str) -> Card:
    """Return the card that is *written* so.

    >>> card_of("10H"), card_of("Joker") == JOKER
    (Card(rank='10', suit='H'), True)
    """
    return JOKER if written == str(JOKER) else Card(written[:-1], written[-1])


def meanings() -> dict[str, tuple[Text, Text]]:
    """Return, by suit, how its punishment is called and how it is done."""
    return {
        "S": (
            text("♠ Hammer"),
            text("A blow with the side of the fist. Never knuckles or fingers: bones break."),
        ),
        "C": (text("♣ Cross"), text("Fingers drawn twice across the hand, in a cross.")),
        "D": (text("♦ Twist"), text("A twist of the skin on the back of the hand.")),
        "H": (text("♥ Pat"), text("A pat, as for a cat.")),
    }


def _title(player: str) -> Text:
    return text("{player} was last", player=player)


def _until(card: str) -> Text:
    return text("Until {card} appears.", card=shown(card_of(card)))


def _appeared(card: str) -> Text:
    return text("{card} appeared: it is over.", card=shown(card_of(card)))


_END = {"top": text("From the top"), "bottom": text("From the bottom")}


def _seen(punishment: Punishment) -> tuple[str, ...]:
    """Return what has been turned, the named card as well."""
    return (*punishment.turned, punishment.card) if punishment.over else punishment.turned


def _cards(punishment: Punishment) -> tuple[Card, ...]:
    return tuple(card_of(one) for one in _seen(punishment)) if punishment.order else ()


def _ends(player: str) -> Choose:
    return Choose(
        "from-end",
        text("{player}, from which end?", player=player),
        None,
        tuple(Choice(end, label) for end, label in _END.items()),
    )


def _suits(left: Counter[str]) -> Choose:
    """Return the question what was turned: of what is *left*, or the named card."""
    choices = [Choice(suit, label, explain) for suit, (label, explain) in meanings().items() if left[suit]]
    if left["joker"]:
        choices.append(Choice("joker", text("Joker")))
    choices.append(Choice("appeared", text("The card!")))
    return Choose(
        "turned", text("What was turned?"), text("Tap the suit of every card turned."), tuple(choices)
    )


def _turning() -> Choose:
    choices = (Choice("next", text("Next card")), Choice("all", text("All of them")))
    return Choose("turn", text("Turn the deck"), None, choices)


def describe(move: NameCard | FromEnd | Turned | Turn, act: Punishment | None) -> Text | None:
    """Return what history says of a step of *act*."""
    match move:
        case NameCard(card):
            return _until(card)
        case FromEnd(value):
            return _END[value]
        case Turned("appeared") if act is not None:
            return _appeared(act.card)
        case Turned(value):
            return meanings()[value][0] if value in SUITS else text("Joker")
        case Turn(value):
            return text("Next card") if value == "next" else text("All of them")


def turned_up(before: Punishment, after: Punishment) -> Text:
    """Return what history says of the virtual deck: which cards came up between *before* and *after*."""
    new = _seen(after)[len(_seen(before)) :]
    return text("Turned: {cards}", cards=listing([shown(card_of(one)) for one in new]))
