"""The games: each is one file, pure, and registered here. Page, OLED and log know only the Game protocol."""

from __future__ import annotations

from companion.core.errors import BadInput, IllegalMove
from companion.core.names import nearest
from companion.core.text import text
from companion.games.chickenfoot.game import GAME as CHICKENFOOT
from companion.games.magarac import GAME as MAGARAC
from companion.games.pieces.cards import Card
from companion.games.pig10.game import GAME as PIG10
from companion.games.pig_family.games import DONKEY, FORKS_AND_KNIVES, HOG, PIG, SPOONS
from companion.games.rules.base import AnyGame, Game
from companion.games.rules.game import Advice, Chance, OptionField, Outcome, Section, Standing
from companion.games.rules.prompts import Choice
from companion.games.score_pad import GAME as SCORE_PAD
from companion.games.swedish_gin.game import GAME as SWEDISH_GIN
from companion.games.vatra.game import GAME as VATRA

__all__ = [
    "GAMES",
    "Advice",
    "AnyGame",
    "Card",
    "Chance",
    "Choice",
    "Game",
    "IllegalMove",
    "OptionField",
    "Outcome",
    "Section",
    "Standing",
    "get_game",
    "register",
]

GAMES: dict[str, AnyGame] = {}


def register(game: AnyGame) -> AnyGame:
    """Add *game* to the registry; raise ValueError when its name is taken."""
    if game.name in GAMES:
        raise ValueError(f"two games are called {game.name}")
    GAMES[game.name] = game
    return game


def get_game(name: str) -> AnyGame:
    """Return the game called *name*; raise BadInput that lists the games."""
    try:
        return GAMES[name]
    except KeyError:
        meant = nearest(name, GAMES)
        if meant is not None:
            raise BadInput(
                text("There is no game “{name}”. Did you mean {meant}?", name=name[:40], meant=meant)
            ) from None
        raise BadInput(
            text("There is no game “{name}”. Choose one of: {games}.", name=name[:40], games=", ".join(GAMES))
        ) from None


_NOSES = (PIG, HOG, DONKEY, SPOONS, FORKS_AND_KNIVES, MAGARAC, VATRA)
for _game in (*_NOSES, PIG10, SWEDISH_GIN, CHICKENFOOT, SCORE_PAD):
    register(_game)
