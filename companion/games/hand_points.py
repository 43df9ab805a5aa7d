"""What a hand costs, game by game. Which games count hands, and how, they say themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.errors import BadInput, CompanionError
from companion.core.text import Text, listing, text
from companion.games import GAMES, AnyGame, get_game
from companion.games.rules.game import Counted


def count_hand(name: str, written: Sequence[str], options: Mapping[str, Any]) -> Counted:
    """Return what the pieces *written* cost in the game called *name*, played with *options*.

    Raises BadInput for a game without hand points, and for an option or a piece that cannot be.

    >>> count_hand("chickenfoot", ["5-5", "1-0", "0-0", "3-1"], {"double_blank": 25}).points
    40
    """
    game = get_game(name)
    counted = game.count_hand(written, game.read_options(options)) if counts(game) else None
    if counted is None:
        raise BadInput(
            text("{game} has no hand points; these have: {games}.", game=game.title, games=counting_games())
        )
    return counted


def counts(game: AnyGame) -> bool:
    """Return whether hands are counted in *game*; one that refuses an empty hand counts none."""
    try:
        return game.count_hand((), game.read_options({})) is not None
    except CompanionError:
        return False


def counting_games() -> str | Text:
    """Return the games with hand points, as a sentence lists them."""
    return listing([name for name, game in GAMES.items() if counts(game)])
