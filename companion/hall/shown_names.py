"""How tables and screens write everybody's name: short enough for a table, and no two alike. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lastnose.companion.core.names import alike
from lastnose.companion.hall.roster import LONGEST, Person

CLUB = 12  # letters of a club that stay beside a long name


def shown_names(people: Mapping[int, Person]) -> dict[int, str]:
    """Return the names of *people* by entrant: namesakes get their club, and who is alike still a number.

    >>> shown_names({1: Person("Ann", "Oak"), 2: Person("ann"), 3: Person("Ann (Oak)")})
    {1: 'Ann (Oak)', 2: 'ann', 3: 'Ann (Oak) 2'}
    """
    namesakes = Counter(alike(one.name) for one in people.values())
    out: dict[int, str] = {}
    taken: set[str] = set()
    for entrant in sorted(people):
        one, n = people[entrant], 1
        club = one.club if namesakes[alike(one.name)] > 1 else ""
        name = _fitted(one.name, club)
        while alike(name) in taken:
            n += 1
            name = _fitted(one.name, club, f" {n}")
        taken.add(alike(name))
        out[entrant] = name
    return out


def _fitted(name: str, club: str, number: str = "") -> str:
    """Return *name*, with *club* and *number*, as long as a table takes it: else both are cut."""
    room = LONGEST - len(number)
    if not club:
        return _cut(name, room) + number
    room -= len(" ()")
    shorter = _cut(club, max(room - len(name), min(len(club), CLUB)))
    return f"{_cut(name, room - len(shorter))} ({shorter}){number}"


def _cut(written: str, most: int) -> str:
    return written if len(written) <= most else f"{written[: most - 1].rstrip()}…"


class ShownNames:
    """The names of the newest list, worked out once for whoever asks on any thread."""

    def __init__(self) -> None:
        self._made: tuple[Mapping[int, Person], dict[int, str]] = ({}, {})

    def of(self, people: Mapping[int, Person]) -> dict[int, str]:
        """Return the names of *people* by entrant."""
        made = self._made
        if made[0] is not people:
            made = self._made = people, shown_names(people)
        return made[1]


SHOWN = ShownNames()
