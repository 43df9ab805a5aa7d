"""A table's own variation: a game with options, under a name. Only data, to be saved and shared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.core.errors import BadInput
from companion.core.names import can_be_shown
from companion.core.text import text
from companion.games import get_game
from companion.games.rules.checks import MAX_NAME


class Variation(msgspec.Struct, frozen=True):
    """A game as a table likes it: `options` are those of the game, all of them."""

    name: str
    game: str
    options: dict[str, Any]


def check_variation(name: str, game: str, options: Mapping[str, Any]) -> Variation:
    """Return the variation, its name tidied and its options complete; raise BadInput that says what is wrong.

    >>> check_variation(" Our  Pig ", "pig", {"word": "SOW"}).name
    'Our Pig'
    """
    tidy = " ".join(name.split())
    if not tidy:
        raise BadInput(text("A variation needs a name: give it one."))
    if len(tidy) > MAX_NAME:
        raise BadInput(text("The name of a variation has at most {most} characters.", most=MAX_NAME))
    if not can_be_shown(tidy):
        raise BadInput(text("The name of a variation cannot have control characters: type it again."))
    checked = get_game(game).read_options(options)
    return Variation(tidy, game, msgspec.to_builtins(checked))


def same_name(one: str, other: str) -> bool:
    """Tell whether two names are the same to a reader (capitals make no difference)."""
    return _key(one) == _key(other)


def kept(saved: Iterable[Variation | str]) -> tuple[Variation, ...]:
    """Return the variations that *saved* leaves, by name: the later one wins, a name alone deletes."""
    by_name: dict[str, Variation] = {}
    for one in saved:
        if isinstance(one, str):
            by_name.pop(_key(one), None)
        else:
            by_name[_key(one.name)] = one
    return tuple(by_name[key] for key in sorted(by_name))


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
