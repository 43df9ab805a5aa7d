"""Rates people over the evenings of several events by their places at tables; no standings follow from it.

Each game that counts is one match of openskill's Plackett-Luce model (Weng and Lin, 2011, JMLR 12): who
shares a place is level, and guests are left out. People are known by name as at an event: namesakes by their
club too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall.archive import reopen
from companion.hall.hub import Hall
from companion.hall.roster import Person, key
from companion.hall.standings import TableResult
from companion.hall.store import HallStore
from companion.hall.tally import counted


class PlayedEvent(msgspec.Struct, frozen=True):
    """What an archive tells of an event: when it `began` (wall time in seconds), who came, what counts."""

    event: str
    began: float
    people: Mapping[int, Person]
    results: tuple[TableResult, ...]


class RatedPerson(msgspec.Struct, frozen=True):
    """Somebody's strength, `mu` ± `sigma`, after so many `games`; `rating` is mu − 3 sigma."""

    name: str
    rating: float
    mu: float
    sigma: float
    games: int


def played(document: bytes) -> PlayedEvent:
    """Return what *document*, an archive, tells; raise a CompanionError for one that cannot be opened."""
    with TemporaryDirectory(prefix="lastnose-") as folder:
        missing = reopen(document, Path(folder))
        if missing is not None:
            raise BadInput(missing)
        store = HallStore(Path(folder))
        try:
            view = Hall(store).view
        finally:
            store.close()
    began = view.state.called[0].called_at if view.state.called else 0.0
    return PlayedEvent(view.event, began, view.state.people, counted(view.outcomes))


def rated(played_events: Iterable[PlayedEvent]) -> tuple[RatedPerson, ...]:
    """Return everybody who has played, the best first; the events count in the order of their evenings.

    Raises BadInput for an event that is there twice, and without openskill.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as problem:
        raise BadInput(
            text(
                "A rating needs openskill. It comes with “make hall”, the package lastnose-hall "
                "or pip install openskill."
            )
        ) from problem
    evenings = sorted(played_events, key=lambda one: (one.began, one.event))
    if len({one.event for one in evenings}) < len(evenings):
        raise BadInput(text("Two of these archives are of one event: give the newer one only."))
    names, games, model = _Names(evenings), Counter[tuple[str, str]](), PlackettLuce()
    strengths: dict[tuple[str, str], Any] = {}  # of openskill's ratings
    for who, places in names.matches():
        games.update(who)
        before = [[strengths.get(one) or model.rating()] for one in who]
        after = model.rate(before, ranks=[float(place) for place in places])
        strengths.update({one: team[0] for one, team in zip(who, after, strict=True)})
    found = [
        RatedPerson(names.shown[one], float(now.ordinal()), float(now.mu), float(now.sigma), games[one])
        for one, now in strengths.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.rating, key(one.name))))


class _Names:
    """Who is who over all evenings. `shown` has the newest spelling of everybody's name."""

    def __init__(self, evenings: list[PlayedEvent]) -> None:
        self._evenings = evenings
        self._alike = {
            name
            for evening in evenings
            for name, people in Counter(key(one.name) for one in evening.people.values()).items()
            if people > 1
        }
        self.shown: dict[tuple[str, str], str] = {}
        for evening in evenings:
            for one in evening.people.values():
                name, club = self._of(one)
                self.shown[name, club] = f"{one.name} ({one.club})" if club else one.name

    def _of(self, one: Person) -> tuple[str, str]:
        """Return the name of *one*, and the club where it tells namesakes apart."""
        name = key(one.name)
        return name, key(one.club) if name in self._alike else ""

    def matches(self) -> Iterable[tuple[list[tuple[str, str]], list[int]]]:
        """Yield who played and their places, game by game; one with fewer than two people is left out."""
        for evening in self._evenings:
            for result in evening.results:
                ranked = [
                    (self._of(evening.people[entrant]), placing.place)
                    for entrant, placing in result.placings
                    if not evening.people[entrant].guest
                ]
                if len(ranked) > 1:
                    yield [who for who, _ in ranked], [place for _, place in ranked]
