"""What a match has decided: who came in which place, and how many letters each took. Pure."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec
from lastnose.companion.core.names import alike
from lastnose.companion.evening.entries import is_void
from lastnose.companion.evening.state import Match
from lastnose.companion.games import Standing


class Placing(msgspec.Struct, frozen=True):
    """One player's result of a match: `place` counts from 1, and players who cannot be told apart share it.

    `letters` were taken in `deals` rounds that counted; both 0 in games without letters.
    """

    player: str
    place: int
    letters: int = 0
    deals: int = 0


class _Stood(NamedTuple):
    """How a player stood when last seen at the table, and at which state of the game they went out."""

    player: str
    standing: Standing
    out_at: int


def placings(*parts: Match) -> tuple[Placing, ...] | None:
    """Return every player's placing, None while the game goes on: by seat, then of who was out and has gone.

    Winners come first, then who is still in by letters or score, then the others: the later out, the better,
    through all *parts* of the game (see `CalledMatch`). Who went while still in has no place.
    """
    match = parts[-1]
    if not match.finished:
        return None
    went_out, never = _went_out(parts), 1 + sum(len(part.states) for part in parts)
    there = [_Stood(match.player(one.seat), one, never) for one in match.now.standings]
    stood = [went_out.pop(alike(one.player), one) for one in there]
    stood += went_out.values()
    ranks, sign = _ranks(match), -1 if match.now.highest else 1
    keys = [
        (ranks.get(player, 1), -out_at, sign * (one.score or 0), len(one.letters))
        for player, one, out_at in stood
    ]
    counted = (one for part in parts for one in part.entries if one.stands and one.number)
    deals = sum(1 for one in counted if not is_void(one))
    return tuple(
        Placing(
            player=player,
            place=1 + sum(1 for other in keys if other < mine),
            letters=len(one.letters),
            deals=deals if one.word else 0,
        )
        for (player, one, _), mine in zip(stood, keys, strict=True)
    )


def _ranks(match: Match) -> dict[str, int]:
    """Return 0 for who has won; where nobody has, 2 for who has lost."""
    outcome = match.now.outcome
    if outcome is None:
        return {}
    if outcome.winners:
        return {match.player(seat): 0 for seat in outcome.winners}
    return {match.player(seat): 2 for seat in outcome.losers}


def _went_out(parts: tuple[Match, ...]) -> dict[str, _Stood]:
    """Return who is out, by name, and when they went out for good."""
    found: dict[str, _Stood] = {}
    now = 0  # counts the states of all parts
    for part in parts:
        names = [alike(player) for player in part.started.players]
        for state in part.states:
            now += 1
            for one in part.game.moment(state).standings:
                known = found.pop(names[one.seat - 1], None)
                if one.out:
                    since = now if known is None else known.out_at
                    found[names[one.seat - 1]] = _Stood(part.player(one.seat), one, since)
    return found


def typed_placings(places: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, Placing], ...]:
    """Return the placings that groups of entrants, best first, come to."""
    out: list[tuple[int, Placing]] = []
    for group in places:
        before = len(out)
        out += [(entrant, Placing("", before + 1)) for entrant in group]
    return tuple(out)


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
