"""What a match has decided: who came in which place, and how many letters each took. Pure."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.evening.entries import is_void
from companion.evening.state import Match
from companion.games import Standing


class Placing(msgspec.Struct, frozen=True):
    """One player's result of a match: `place` counts from 1, and players who cannot be told apart share it.

    `letters` were taken in `deals` rounds that counted; both 0 in games without letters.
    """

    player: str
    place: int
    letters: int = 0
    deals: int = 0


def placings(match: Match) -> tuple[Placing, ...] | None:
    """Return every player's placing by seat, None while the match goes on.

    Winners come first, then who is still in by letters or score, then the others: the later out, the better.
    """
    if not match.finished:
        return None
    standings = match.game.standings(match.state)
    keys = _merits(match, standings)
    counted = (one for one in match.entries if one.stands and one.number and not is_void(one))
    deals = match.rounds_before + sum(1 for _ in counted)
    return tuple(
        Placing(
            player=match.player(one.seat),
            place=1 + sum(1 for other in keys if other < key),
            letters=len(one.letters),
            deals=deals if one.word else 0,
        )
        for one, key in zip(standings, keys, strict=True)
    )


def _merits(match: Match, standings: tuple[Standing, ...]) -> list[tuple[int, ...]]:
    """Return a key for each seat, the smaller the better."""
    outcome = match.game.outcome(match.state)
    winners = outcome.winners if outcome is not None else ()
    losers = outcome.losers if outcome is not None else ()
    sign = -1 if _more_is_better(match) else 1
    last = len(match.states)
    left = _left_at(match)

    def key(one: Standing) -> tuple[int, ...]:
        return (
            0 if one.seat in winners else 2 if one.seat in losers and not winners else 1,
            last - left.get(one.seat, last),
            sign * (one.score or 0),
            len(one.letters),
        )

    return [key(one) for one in standings]


def _left_at(match: Match) -> dict[int, int]:
    """Return for each seat that is out when it went out for good, as an index of the match's states."""
    found: dict[int, int] = {}
    for index, state in enumerate(match.states):
        for one in match.game.standings(state):
            if not one.out:
                found.pop(one.seat, None)
            else:
                found.setdefault(one.seat, index)
    return found


def _more_is_better(match: Match) -> bool:
    """Return whether a high score is good, by the game and what was agreed."""
    game = match.game
    return game.highest(game.read_options(match.started.options))


def points(placing: Placing, found: tuple[Placing, ...]) -> Fraction:
    """Return (n - place)/(n - 1) of *placing* among *found*: 1 for who is first, 0 for who is last.

    Players who share places share their points: each has the mean of the places that they hold.

    >>> three = tuple(Placing(name, place) for name, place in (("a", 1), ("b", 2), ("c", 2)))
    >>> [str(points(one, three)) for one in three]
    ['1', '1/4', '1/4']
    """
    n = len(found)
    if n < 2:
        return Fraction(1)
    sharing = sum(1 for one in found if one.place == placing.place)
    mean = placing.place + Fraction(sharing - 1, 2)
    return (n - mean) / (n - 1)
