"""The games: each is one file, pure, and registered here. Page, OLED and log know only the Game protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, GameFailed, IllegalMove
from lastnose.companion.core.names import game_today, nearest
from lastnose.companion.core.text import Text, listing, must_be_sayable, text
from lastnose.companion.games.chickenfoot.game import GAME as CHICKENFOOT
from lastnose.companion.games.first_family.duel import GAME as REACTION_DUEL
from lastnose.companion.games.first_family.quiz import GAME as QUIZ
from lastnose.companion.games.first_family.slap import RATSCREW, SLAPJACK
from lastnose.companion.games.first_family.snap import GAME as SNAP
from lastnose.companion.games.magarac import GAME as MAGARAC
from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.pig10 import GAME as PIG10
from lastnose.companion.games.pig_family import DONKEY, FORKS_AND_KNIVES, HOG, PIG, SPOONS
from lastnose.companion.games.rules.base import AnyGame, Game, Moment, Plain
from lastnose.companion.games.rules.carried import Circle
from lastnose.companion.games.rules.checks import check_count
from lastnose.companion.games.rules.game import (
    Advice,
    Chance,
    Counted,
    OptionField,
    Outcome,
    Section,
    Standing,
)
from lastnose.companion.games.rules.prompts import Choice, Prompt
from lastnose.companion.games.score_pad import GAME as SCORE_PAD
from lastnose.companion.games.swedish_gin.game import GAME as SWEDISH_GIN
from lastnose.companion.games.vatra.game import GAME as VATRA

__all__ = [
    "GAMES",
    "TIE_BREAK",
    "Absent",
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
    "deal",
    "game_named",
    "get_game",
    "guarded",
    "is_others",
    "register",
]

GAMES: dict[str, AnyGame] = {}
TIE_BREAK = REACTION_DUEL.name
"""The game by which those who have won together find out who it is."""


def register(game: AnyGame) -> AnyGame:
    """Add *game* to the registry; raise ValueError when its name is taken."""
    if game.name in GAMES:
        raise ValueError(f"two games are called {game.name}")
    GAMES[game.name] = game
    return game


def get_game(name: str) -> AnyGame:
    """Return the game called *name*; raise BadInput that lists the games."""
    try:
        return GAMES[game_today(name)]
    except KeyError:
        meant = nearest(name, GAMES)
        if meant is not None:
            raise BadInput(
                text("There is no game “{name}”. Did you mean {meant}?", name=name[:40], meant=meant)
            ) from None
        raise BadInput(
            text("There is no game “{name}”. Choose one of: {games}.", name=name[:40], games=", ".join(GAMES))
        ) from None


# ---- a game of a log whose rules of then are not here: its evening can be read, not played on


class Absent(Plain[Any, int, Any]):
    """Stands in for a game of another package that is gone, or has *changed* so that a log does not fit it.

    Options and moves stay as they are written.
    """

    watched = False
    seats = (1, 26)

    def __init__(self, name: str, changed: bool) -> None:
        self.name = name
        called = GAMES[name].title if changed else name
        self.title = text("{game} (not installed)", game=called)
        self.summary = text(
            "{game} is not here as it was played: install that version, or start another game.",
            game=called,
        )

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return nothing: nobody can set it up."""
        return ()

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        return dict(raw)

    def read_move(self, raw: Mapping[str, Any]) -> Any:
        return dict(raw)

    def new(self, players: tuple[str, ...], options: Any) -> int:
        """Return how many play."""
        return len(players)

    def play(self, state: int, move: Any) -> int:
        """Return *state*: what a move does there nobody knows here."""
        return state

    def gone_on(self, state: int, players: tuple[str, ...], sat: Circle) -> int:
        """Return how many play on."""
        return len(players)

    def standings(self, state: int) -> tuple[Standing, ...]:
        """Return the seats."""
        return tuple(Standing(seat) for seat in range(1, state + 1))

    def outcome(self, state: int) -> Outcome | None:
        """Return None: nobody knows."""
        return None

    def asks(self, state: int) -> tuple[Prompt, ...]:
        return ()

    def notes(self, state: int) -> tuple[Text, ...]:
        """Return what can be done."""
        return (self.summary,)


_absent = cache(Absent)


def game_named(name: str, changed: bool = False) -> AnyGame:
    """Return the game called *name* that a log tells of; `Absent` if it is not here, or has *changed*."""
    game = None if changed else GAMES.get(name)
    return game or _absent(name, changed)


# ---- a game of another package, whose errors are not to end a table


class _Guarded:
    """Another package's game. What it raises that is no refusal is a GameFailed, and nothing has changed.

    A state is taken only if all that screens read of it can be read; only words go without.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of the game itself: a score sheet is one."""
        return type(self._game)

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._game, name)
        if not callable(part):
            return part
        return partial(self._worded if name in _WORDS else self._tried, part)

    def new(self, players: tuple[str, ...], options: Any) -> Any:
        """Return the state at the start."""
        return self._taken(self._tried(self._game.new, players, options))

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after *move*."""
        after = self._taken(self._tried(self._game.play, state, move), state)
        self._read(state, after)  # as after an undo
        return after

    def gone_on(self, state: Any, players: tuple[str, ...], sat: Circle) -> Any:
        """Return the state in which *players* go on."""
        return self._taken(self._tried(self._game.gone_on, state, players, sat))

    def moment(self, state: Any, lies: Any = None) -> Moment:
        """Return what *state* means; each part of it is asked of this, and not of the game itself."""
        now: Moment = self._tried(self._game.moment, state, lies)
        return now.of(cast("Plain[Any, Any, Any]", self))

    def _taken(self, state: Any, *before: Any) -> Any:
        """Return *state*, which is new, once it could be read by itself, as repeated, and after *before*."""
        for lies in (None, state, *before):
            self._read(state, lies)
        return state

    def _read(self, state: Any, lies: Any) -> None:
        """Read every part of a moment (see `Moment`)."""
        now = self.moment(state, lies)
        for part in (name for kind in type(now).__mro__ for name in vars(kind) if name[0] != "_"):
            found = self._tried(getattr, now, part)
            if not callable(found):
                self._tried(msgspec.json.encode, found)  # as pages get it

    def _tried(self, does: Callable[..., Any], *args: Any, **more: Any) -> Any:
        try:
            return _sayable(does, *args, **more)
        except CompanionError:
            raise
        except (Exception, SystemExit) as problem:
            why = f"{type(problem).__name__} {problem}".strip()
            told = text("{game} has failed: {why}. Tell who made it.", game=self._game.title, why=why)
            raise GameFailed(told) from problem

    def _worded(self, does: Callable[..., Text], *args: Any) -> Text:
        try:
            return cast("Text", _sayable(does, *args))
        except (Exception, SystemExit):
            return self._game.title


_WORDS = {"describe", "headline", "ending"}


def _sayable(does: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """Return what *does* says, or raise what it refuses; ValueError for what nobody could be told."""
    try:
        said = does(*args, **more)
    except CompanionError as refusal:
        must_be_sayable(refusal.text)
        raise
    must_be_sayable(said)
    return said


def guarded(game: AnyGame) -> AnyGame:
    """Return *game*, of another package, as the table plays it: its errors refuse a move, and no more."""
    return cast("AnyGame", _Guarded(game))


def is_others(game: AnyGame) -> bool:
    """Return whether *game* is of another package, which may have changed since a log was written."""
    return isinstance(game, _Guarded)


_NOSES = (PIG, HOG, DONKEY, SPOONS, FORKS_AND_KNIVES, MAGARAC, VATRA)
_FIRST = (QUIZ, SNAP, SLAPJACK, RATSCREW, REACTION_DUEL)
for _game in (*_NOSES, *_FIRST, PIG10, SWEDISH_GIN, CHICKENFOOT, SCORE_PAD):
    register(_game)


def deal(game: AnyGame, players: int, options: Any) -> dict[str, Any]:
    """Return what to deal as data: the advice at the start, for people without names, and the game's own.

    The fields are those of DealAdvice, and what `dealt` adds. Raises BadInput for too few or too many.
    """
    check_count(game.title, players, game.seats)
    begun = game.new(tuple(str(seat) for seat in range(1, players + 1)), options)
    found, own = game.moment(begun).advice, game.dealt(players, options)
    figures = {"packs": found.packs, "ranks": [*found.ranks], "cards": found.cards, "each": found.each}
    sentences = own.get("sentences", [*found.sentences])
    return {**figures, "spoons": None, "dealer": None, **own, "sentences": sentences}


# ---- what a hand costs, game by game. Which games count hands, and how, they say themselves


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
