"""The games: each is one file, pure, and registered here. Page, OLED and log know only the Game protocol."""

from __future__ import annotations

from companion.cards import Card
from companion.errors import BadInput, IllegalMove
from companion.games.asks import Choice
from companion.games.chickenfoot import GAME as CHICKENFOOT
from companion.games.donkey import GAME as DONKEY
from companion.games.forks_and_knives import GAME as FORKS_AND_KNIVES
from companion.games.game import Advice, Chance, Game, OptionField, Outcome, Section, Standing
from companion.games.hog import GAME as HOG
from companion.games.magarac import GAME as MAGARAC
from companion.games.pig import GAME as PIG
from companion.games.pig10 import GAME as PIG10
from companion.games.spoons import GAME as SPOONS
from companion.games.swedish_gin import GAME as SWEDISH_GIN
from companion.games.vatra import GAME as VATRA
from companion.text import text

__all__ = [
    "GAMES",
    "Advice",
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

GAMES: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Add *game* to the registry; raise ValueError when its name is taken."""
    if game.name in GAMES:
        raise ValueError(f"two games are called {game.name}")
    GAMES[game.name] = game
    return game


def get_game(name: str) -> Game:
    """Return the game called *name*; raise BadInput that lists the games."""
    try:
        return GAMES[name]
    except KeyError:
        raise BadInput(
            text("There is no game “{name}”. Choose one of: {games}.", name=name[:40], games=", ".join(GAMES))
        ) from None


for _game in (PIG, HOG, DONKEY, SPOONS, FORKS_AND_KNIVES, MAGARAC, VATRA, PIG10, SWEDISH_GIN, CHICKENFOOT):
    register(_game)
