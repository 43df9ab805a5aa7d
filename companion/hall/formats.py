"""What is played next: mixed heats, knock-out by tables or free play, and the final. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.hall import seating
from lastnose.companion.hall.roster import Person
from lastnose.companion.hall.seating import Seats
from lastnose.companion.hall.standings import StandingLine
from lastnose.companion.hall.state import HallState

FAMILY, CLUB = seating.APART, 1  # how many repeated meetings it is worth that two of them do not meet
FORMATS = {
    "mixed": text("Mixed heats and a final"),
    "knock-out": text("Knock-out by tables"),
    "free": text("Free play"),
}
EXPLAINED = {
    "mixed": text("Everybody meets as many others as possible; the best of the list play a final."),
    "knock-out": text("The better half of each table goes on, until one table is left."),
    "free": text("Whoever is there plays at any table; the list counts what was played."),
}


def named(format_: str) -> Text:
    """Return what *format_* is called, also one of an older event that is drawn no more."""
    return FORMATS.get(format_) or text("A format no longer on offer ({name})", name=format_)


class DrawField(msgspec.Struct, frozen=True):
    """What a draw starts from.

    `entrants` are those who are there; `people` all by number, `lines` the standings, `before` the rounds so
    far with who was drawn to them, `lasts` the places (by entrant) of the newest round. `least` to `most`
    people play at a table.
    """

    entrants: tuple[int, ...]
    people: Mapping[int, Person]
    lines: tuple[StandingLine, ...]
    before: tuple[Seats, ...]
    lasts: Mapping[int, int]
    tables: int
    most: int
    least: int


def tables_for(people: int, tables: int, most: int, least: int) -> int:
    """Return how many tables *people* fill: all, but none with fewer than three if it can be helped.

    Raises BadInput when they do not fit, at tables of *least* to *most*.
    """
    if people > tables * most:
        raise BadInput(
            texts(
                "{people} people do not fit at {n} table of {most}: give more tables, or larger ones.",
                "{people} people do not fit at {n} tables of {most}: give more tables, or larger ones.",
                n=tables,
                people=people,
                most=most,
            )
        )
    if people < least:
        raise BadInput(text("At least {n} people must be there to draw a round.", n=least))
    found = max(1, min(tables, people // 3), -(-people // most))
    if people // found < least:
        raise BadInput(
            text(
                "{n} people make no tables of {least} to {most}: let more sit at a table.",
                n=people,
                least=least,
                most=most,
            )
        )
    return found


def apart(people: Mapping[int, Person]) -> dict[tuple[int, int], int]:
    """Return which pairs should not meet, and how much that is worth."""
    found: dict[tuple[int, int], int] = {}
    for part, weight in ((_club, CLUB), (_family, FAMILY)):
        groups: dict[str, list[int]] = {}
        for number, person in people.items():
            if part(person):
                groups.setdefault(alike(part(person)), []).append(number)
        for group in groups.values():
            for pair in combinations(sorted(group), 2):
                found[pair] = found.get(pair, 0) + weight
    return found


def _club(person: Person) -> str:
    return person.club


def _family(person: Person) -> str:
    return person.family


def draw_heats(
    field: DrawField,
    rounds: int,
    random: Random,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Seats, ...]:
    """Return *rounds* mixed rounds."""
    tables = tables_for(len(field.entrants), field.tables, field.most, field.least)
    return seating.draw(
        field.entrants,
        tables,
        rounds,
        random=random,
        before=field.before,
        apart=apart({one: field.people[one] for one in field.entrants}),
        progress=progress,
    )


def amended(drawn: tuple[Seats, ...], field: DrawField) -> tuple[Seats, ...]:
    """Return the rounds *drawn* for who is there now: see `seating.amended`."""
    weights = Counter(apart({one: field.people[one] for one in field.entrants}))
    weights.update(seating.meetings(field.before))
    return seating.amended(drawn, field.entrants, weights)


def draw_next(kind: str, field: DrawField, random: Random) -> Seats:
    """Return the next round of a format that is drawn round by round; raise NotNow when there is none."""
    if not field.before or kind == "free":
        return draw_heats(field, 1, random)[0]
    through, tables = goes_on(field)
    keep = apart({one: field.people[one] for one in through})
    return seating.draw(through, tables, 1, random=random, before=field.before, apart=keep)[0]


def rests_on(kind: str, field: DrawField) -> tuple[int, ...]:
    """Return by whom a round of *kind* is drawn: in a knock-out who has gone on, else nobody."""
    if not field.before or kind != "knock-out":
        return ()
    return better_halves(field.before[-1], field.lasts)


def _in_order(field: DrawField) -> list[int]:
    there = set(field.entrants)
    ranked = [line.entrant for line in field.lines if line.entrant in there]
    return ranked + [one for one in field.entrants if one not in set(ranked)]


def goes_on(field: DrawField) -> tuple[list[int], int]:
    """Return who plays on in a knock-out, and at how many tables; raise NotNow when it is over.

    It is the better half of each table, and who is level with its last; one table is the last. A table that
    would be too small for a game is filled up, or the best fill one table fewer.
    """
    if len(field.before[-1]) == 1:
        raise NotNow(text("That was the last table: the knock-out is over."))
    there = set(field.entrants)
    sat = {one for table in field.before[-1] for one in table if one in there}
    through = [one for one in better_halves(field.before[-1], field.lasts) if one in there]
    n = len(through)
    tables = 1 if n <= field.most else max(-(-n // field.most), min(field.tables, n // 3))
    filled = _filled(field, through, [one for one in _in_order(field) if one in sat - set(through)], tables)
    nobody_out = n < len(filled) == len(sat)
    if len(filled) < tables * field.least or (nobody_out and tables > 1):
        tables -= 1
        pool = through if n >= tables * field.least else filled
        filled = [one for one in _in_order(field) if one in pool][: tables * field.most]
    if not tables:
        raise NotNow(text("Fewer than {n} people are left: the knock-out is over.", n=field.least))
    return filled, tables


def better_halves(seats: Seats, places: Mapping[int, int]) -> tuple[int, ...]:
    """Return the better half of each table by its *places*, with who is level with the last of it."""
    out: list[int] = []
    worst = max(places.values(), default=0) + 1
    for table in seats:
        last = sorted(places.get(one, worst) for one in table)[(len(table) - 1) // 2]
        out += [one for one in table if places.get(one, worst) <= last]
    return tuple(out)


def _filled(field: DrawField, through: list[int], out: list[int], tables: int) -> list[int]:
    """Return *through* with the first of *out*, if *tables* would else be too small for a game."""
    short = tables * field.least - len(through)
    if short <= 0 or not out:
        return through
    place = {line.entrant: line.place for line in field.lines}
    edge = place.get(out[min(short, len(out)) - 1])
    level = [one for n, one in enumerate(out) if n < short or (edge is not None and place.get(one) == edge)]
    room = tables * field.most - len(through)
    return through + (level if len(level) <= room else out[:short])


def finalists(
    lines: Sequence[StandingLine], there: frozenset[int], size: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return who is in the final of *size*, who must play for its last seats, and how many those are.

    Who shares a place across the cut is neither drawn by lot nor by time: they play a deal of one letter.
    """
    places = {line.entrant: line.place for line in lines if line.place is not None and line.entrant in there}
    return settled(tuple(places), places, size)


def settled(
    tied: tuple[int, ...], places: Mapping[int, int], seats: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return who of *tied* got one of *seats* by their *places*, who is still level, and for how many seats.

    Who did not play for a seat comes after those who did.
    """
    last = max(places.values(), default=0) + 1
    order = sorted(tied, key=lambda one: places.get(one, last))
    if len(order) <= seats:
        return tuple(order), (), 0
    edge = places.get(order[seats - 1], last) if seats else 0
    if not seats or places.get(order[seats], last) != edge:
        return tuple(order[:seats]), (), 0
    through = tuple(one for one in order if places.get(one, last) < edge)
    return through, tuple(one for one in order if places.get(one, last) == edge), seats - len(through)


def said_of(kind: str, number: int) -> Text:
    """Return what a round is called."""
    if kind == "final":
        return text("The final")
    return text("For the final’s last seats") if kind == "tie" else text("Round {n}", n=number)


def title_of(state: HallState, number: int) -> Text:
    """Return what round *number* is called."""
    return said_of(next((one.kind for one in state.rounds if one.number == number), "heat"), number)
