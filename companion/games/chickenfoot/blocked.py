"""The blocked-hand helper: what can still be played on a double, from what lies on the table (CHK-12)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.core.errors import BadInput
from companion.core.text import Text, text, texts
from companion.games.pieces import dominoes
from companion.games.pieces.dominoes import FEET, STARTING_FEET, Feet, Tile
from companion.games.rules.game import Group, Piece, RulesAnswer
from companion.games.rules.prompts import RulesQuery

BLOCKED = "blocked"


def consult(hand: int, highest: int) -> RulesQuery:
    """Return the question that can be asked while *hand* is played; each hand stands for its double."""
    by_hand = _by_hand(highest)
    return RulesQuery(
        BLOCKED,
        text("Is it blocked?"),
        text("Choose a double, and tap every tile of its number that lies on the table."),
        hand,
        "tiles",
        by_hand[hand - 1],
        1,
        highest,
        by_hand,
    )


def answer(about: str, suit: int, pieces: Sequence[str], highest: int, *, starting: bool) -> RulesAnswer:
    """Return what can still be played on the double *suit*; raise BadInput for what cannot lie there.

    *starting*: the hand began with it, or may have: it takes six tiles instead of three (CHK-4).
    """
    if about != BLOCKED:
        raise BadInput(text("Ask about “{blocked}”.", blocked=BLOCKED))
    seen = dominoes.read_tiles(pieces)
    found = dominoes.feet(highest, suit, seen, starting=starting)
    groups = (Group(text("Not on the table yet"), tuple(Piece(str(each)) for each in found.left)),)
    return RulesAnswer(
        not found.pending, _says(found), "CHK-12", _lines(found, suit, starting), groups if found.left else ()
    )


@cache
def _by_hand(highest: int) -> tuple[tuple[str, ...], ...]:
    """Return the tiles beside the double of each hand, as data writes them."""
    suits = [dominoes.preferred_double(highest, number) for number in range(1, highest + 2)]
    return tuple(tuple(map(str, _others(suit, highest))) for suit in suits)


def _others(suit: int, highest: int) -> tuple[Tile, ...]:
    """Return the tiles of *suit* but its double, which lies there anyway."""
    return tuple(each for each in dominoes.suit_of(suit, highest) if not each.double)


def _says(found: Feet) -> Text:
    if not found.pending:
        return text("It can be completed.")
    if found.left:
        return text("It depends.")
    return text("It cannot be completed any more, unless it has all its tiles already.")


def _unless(starting: bool) -> Text:
    """Return the one case in which nothing has to come any more."""
    n = STARTING_FEET if starting else FEET
    return text("If {n} tiles lie on it, it is complete, and play goes on elsewhere.", n=n)


def _lines(found: Feet, suit: int, starting: bool) -> tuple[Text, ...]:
    left = len(found.left)
    told = texts(
        "{n} tile with a {suit} is not on the table yet.",
        "{n} tiles with a {suit} are not on the table yet.",
        n=left,
        suit=suit,
    )
    takes = text(
        "A double takes {feet} tiles, the one that begins the hand {first}.", feet=FEET, first=STARTING_FEET
    )
    if not found.pending:
        return (told, takes)
    if left:
        limit = texts(
            "Count what lies on it: if it wants more than {n} tile, nobody can complete it.",
            "Count what lies on it: if it wants more than {n} tiles, nobody can complete it.",
            n=left,
        )
        return (told, takes, limit, _until())
    lying = text("Every tile with the number {suit} lies on the table.", suit=suit)
    return (lying, takes, _unless(starting), _until())


def _until() -> Text:
    return text("It is blocked once nobody can draw; until then, whoever plays their last tile still wins.")
