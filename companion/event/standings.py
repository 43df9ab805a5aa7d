"""What a match has decided, and who leads by that. Pure, with exact fractions.

What decides, in this order: points; points at common tables, where those who are level have all met; first
places; letters a deal; how strong the people were whom one has met. Who is level in all of it shares a place.
Times are never compared: they come from different boxes. In a knock-out, before all this: how far one
came, and one's points there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from operator import is_
from typing import NamedTuple

import msgspec
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.state import Match, is_void
from lastnose.companion.games import Standing

_Score = Mapping[int, Fraction]
PLAYED_NONE = text("played no round")
DECIDES = (
    text("at common tables"),
    text("more first places"),
    text("fewer letters a deal"),
    text("stronger opponents"),
)


class Placing(msgspec.Struct, frozen=True, gc=False):
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


class TableResult(msgspec.Struct, frozen=True, gc=False):
    """A counted result: the placing of each entrant at table `number` of `round`."""

    round: int
    number: int
    placings: tuple[tuple[int, Placing], ...]

    def points(self) -> dict[int, Fraction]:
        """Return everybody's points."""
        found = tuple(placing for _, placing in self.placings)
        return {entrant: points(placing, found) for entrant, placing in self.placings}


class StandingLine(msgspec.Struct, frozen=True, gc=False):
    """One entrant's line of the standings. `place` is shared by who is level.

    It is None for a guest, and for who has played nothing and does not any more. `decided` says what puts
    them before those with the same points who come after; None where points do.
    """

    entrant: int
    place: int | None
    points: Fraction
    rounds: int
    firsts: int
    letters: int
    deals: int
    decided: Text | None = None


def common(ones: Sequence[object], others: Sequence[object]) -> int:
    """Return how many things both begin with: the same, not only alike."""
    same = [*map(is_, ones, others)]
    return same.index(False) if False in same else len(same)


def standings(
    entrants: Sequence[int],
    results: Sequence[TableResult],
    *,
    guests: frozenset[int] = frozenset(),
    absent: frozenset[int] = frozenset(),
    missed: Mapping[int, int] | None = None,
    mean_for_missed: bool = False,
    came_to: Mapping[int, int] | None = None,
    scores: Scores | None = None,
) -> tuple[StandingLine, ...]:
    """Return a line for each of *entrants*, the best first, guests where their points put them.

    Who is *absent* has played nothing and does not any more: they are below, without a place.
    *missed* says how many rounds were played before somebody came: they count nothing, or with
    *mean_for_missed* as much as the mean of their own. *came_to* says, in a knock-out, the last round
    of each. *scores* are those of earlier standings, from which it goes on.
    """
    tally = scores or Scores()
    tally.count(entrants, results)
    total = {
        one: tally.sum(one) + (tally.mean(one) * (missed or {}).get(one, 0) if mean_for_missed else 0)
        for one in entrants
    }
    went = {one: tally.went(one, (came_to or {}).get(one, 0)) for one in entrants}
    ranked = _groups([one for one in entrants if one not in guests | absent], went)
    groups = [part for group in ranked for part in _ordered(group, total, tally)]
    places: dict[int, tuple[int, Text | None]] = {}
    order: list[int] = []
    for group, why in groups:
        places |= dict.fromkeys(group, (len(order) + 1, why))
        order += group
    worth = {one: (went[one], total[one]) for one in entrants}
    for guest in sorted((guests - absent) & set(entrants), key=lambda one: worth[one]):
        at = next((i for i, one in enumerate(order) if worth[one] <= worth[guest]), len(order))
        order.insert(at, guest)
    lines = [tally.line(one, total[one], *places.get(one, (None, None))) for one in order]
    lines = [_in_round(line, (came_to or {}).get(line.entrant, 0)) for line in lines]
    return (*lines, *(tally.line(one, NOTHING, None, PLAYED_NONE) for one in entrants if one in absent))


def _in_round(line: StandingLine, number: int) -> StandingLine:
    """Return *line*, saying that its place is that of a later round of a knock-out than the first."""
    said = line.decided or text("Round {n}", n=number)
    return msgspec.structs.replace(line, decided=said) if number > 1 else line


NOTHING = Fraction(0)


class Scores:
    """What results say of each entrant; of other results only what differs is counted.

    Points are counted in parts, of which `unit` are one point.
    """

    def __init__(self) -> None:
        self.unit = 2
        self.parts: defaultdict[int, int] = defaultdict(int)
        self.rounds: defaultdict[int, int] = defaultdict(int)
        self.firsts: defaultdict[int, int] = defaultdict(int)
        self.letters: defaultdict[int, int] = defaultdict(int)
        self.deals: defaultdict[int, int] = defaultdict(int)
        self.at: defaultdict[int, list[TableResult]] = defaultdict(list)
        self._results: Sequence[TableResult] = ()
        self._entrants: frozenset[int] = frozenset()
        self._strength: dict[int, Fraction] = {}

    def count(self, entrants: Sequence[int], results: Sequence[TableResult]) -> None:
        """Count *results*, in the place of those before, for *entrants*."""
        was, self._results, self._entrants = self._results, results, frozenset(entrants)
        self._strength.clear()
        same = common(was, results)
        old, new = was[same:], results[same:]
        after = common(old[::-1], new[::-1])
        for result in old[: len(old) - after]:
            self._count(result, -1)
        for result in new[: len(new) - after]:
            self._count(result, 1)

    def _count(self, result: TableResult, sign: int) -> None:
        self._divide(2 * max(1, len(result.placings) - 1))
        won = self.won(result)
        for one, placing in result.placings:
            self.parts[one] += sign * won[one]
            self.rounds[one] += sign
            self.firsts[one] += sign * (placing.place == 1)
            self.letters[one] += sign * placing.letters
            self.deals[one] += sign * placing.deals
            (self.at[one].append if sign > 0 else self.at[one].remove)(result)

    def _divide(self, by: int) -> None:
        """Make parts so small that *by* of them are a point, or some times as many."""
        times = lcm(self.unit, by) // self.unit
        if times > 1:
            self.unit *= times
            for one in self.parts:
                self.parts[one] *= times

    def won(self, result: TableResult) -> dict[int, int]:
        """Return how many parts each has won at a table: see `points`."""
        n, places = len(result.placings), [placing.place for _, placing in result.placings]
        if n < 2:
            return {one: self.unit for one, _ in result.placings}
        half = self.unit // (2 * (n - 1))
        return {one: (2 * (n - p.place) - places.count(p.place) + 1) * half for one, p in result.placings}

    def sum(self, one: int) -> Fraction:
        """Return the points of *one*."""
        return Fraction(self.parts[one], self.unit) if self.parts[one] else NOTHING

    def went(self, one: int, came_to: int) -> Fraction:
        """Return how far *one* went who *came_to* that round: more than any points, 0 where there is none."""
        if not came_to:
            return NOTHING
        newest = (self.won(table)[one] for table in self.at[one] if table.round == came_to)
        return 2 * came_to + Fraction(next(newest, 0), self.unit)

    def mean(self, one: int) -> Fraction:
        """Return the points a round of *one*."""
        return self.sum(one) / self.rounds[one] if self.rounds[one] else Fraction(0)

    def fewer_letters(self, group: Sequence[int]) -> dict[int, Fraction] | None:
        """Return who of *group* took fewer letters a deal, None if somebody's were only typed."""
        if not all(self.deals[one] for one in group):
            return None
        return {one: -Fraction(self.letters[one], self.deals[one]) for one in group}

    def strength(self, one: int) -> Fraction:
        """Return the mean of the points a round of all whom *one* has met."""
        if not self.at[one]:
            return NOTHING
        if one not in self._strength:
            parts: dict[int, int] = {}  # of those who have played so many rounds
            met = 0
            for other in self.met(one):
                met += 1
                played = self.rounds[other]
                parts[played] = parts.get(played, 0) + self.parts[other]
            found = (Fraction(had, played * self.unit) for played, had in parts.items() if played)
            self._strength[one] = sum(found, Fraction(0)) / max(1, met)
        return self._strength[one]

    def met(self, one: int) -> Iterator[int]:
        """Yield whom *one* has met, as often as they have met."""
        for table in self.at[one]:
            for other, _ in table.placings:
                if other != one and other in self._entrants:
                    yield other

    def common(self, group: Sequence[int]) -> dict[int, Fraction] | None:
        """Return points won at tables with others of *group*, None unless they have all met each other."""
        members = set(group)
        if any(not members - {one} <= set(self.met(one)) for one in group):
            return None
        out = {}
        for one in group:
            met = (table for table in self.at[one] if sum(who in members for who, _ in table.placings) > 1)
            shared = [self.won(table)[one] for table in met]
            out[one] = Fraction(sum(shared), self.unit * max(1, len(shared)))
        return out

    def line(self, one: int, total: Fraction, place: int | None, why: Text | None) -> StandingLine:
        return StandingLine(
            entrant=one,
            place=place,
            points=total,
            rounds=self.rounds[one],
            firsts=self.firsts[one],
            letters=self.letters[one],
            deals=self.deals[one],
            decided=why,
        )


def _ordered(ranked: Sequence[int], total: _Score, tally: Scores) -> list[tuple[list[int], Text | None]]:
    """Return groups of who share a place, the best first, with what put them before who comes after."""
    criteria: tuple[Callable[[list[int]], _Score | None], ...] = (
        tally.common,
        lambda group: {one: Fraction(tally.firsts[one]) for one in group},
        tally.fewer_letters,
        lambda group: {one: tally.strength(one) for one in group},
    )

    def split(group: list[int], level: int) -> list[tuple[list[int], Text | None]]:
        if len(group) == 1 or level == len(criteria) or not any(map(tally.rounds.get, group)):
            return [(group, None)]  # who has no result at all is told from nobody
        score = criteria[level](group)
        parts = [group] if score is None else _groups(group, score)
        out: list[tuple[list[int], Text | None]] = []
        for number, part in enumerate(parts):
            found = split(part, level + 1)
            if number + 1 < len(parts):
                found[-1] = found[-1][0], DECIDES[level]
            out += found
        return out

    return [part for group in _groups(ranked, total) for part in split(group, 0)]


def _groups(members: Sequence[int], score: _Score) -> list[list[int]]:
    """Return *members* in groups of equal *score*, the highest first; each in its former order."""
    order = sorted(members, key=lambda one: -score[one])
    return [list(group) for _, group in groupby(order, key=lambda one: score[one])]
