"""A table's own variation: a game with options, under a name. Only data, to be saved and shared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import alike, can_be_shown
from lastnose.companion.core.text import text
from lastnose.companion.games import get_game
from lastnose.companion.games.rules.checks import MAX_NAME


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
    if not tidy or len(tidy) > MAX_NAME or not can_be_shown(tidy):
        raise BadInput(text("A name has 1 to {n} letters on one line.", n=MAX_NAME))
    checked = get_game(game).read_options(options)
    return Variation(tidy, game, msgspec.to_builtins(checked))


def kept(saved: Iterable[Variation | str]) -> tuple[Variation, ...]:
    """Return the variations that *saved* leaves, by name: the later one wins, a name alone deletes."""
    by_name: dict[str, Variation] = {}
    for one in saved:
        if isinstance(one, str):
            by_name.pop(alike(one), None)
        else:
            by_name[alike(one.name)] = one
    return tuple(by_name[key] for key in sorted(by_name))
