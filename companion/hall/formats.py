"""What is played next: mixed heats, Swiss, knock-out by tables, ladder or free play, and the final. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

import msgspec

from companion.core.errors import BadInput, NotNow
from companion.core.text import Text, text, texts
from companion.hall import seating
from companion.hall.roster import Person, key
from companion.hall.seating import Seats
from companion.hall.standings import StandingLine
from companion.hall.state import HallState

FAMILY, CLUB = seating.APART, 1  # how many repeated meetings it is worth that two of them do not meet
FORMATS = {
    "mixed": text("Mixed heats and a final"),
    "swiss": text("Swiss: equals meet"),
    "knock-out": text("Knock-out by tables"),
    "ladder": text("Ladder, for fun"),
    "free": text("Free play"),
}
EXPLAINED = {
    "mixed": text("Everybody meets as many others as possible; the best of the list play a final."),
    "swiss": text("After each round, people with about the same points sit together."),
    "knock-out": text("The better half of each table goes on, until one table is left."),
    "ladder": text("The first third of a table moves up, the last third down. For fun, not for a title."),
    "free": text("Who is there plays at any table; the list counts what was played."),
}


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

    def place(self, entrant: int) -> int:
        """Return the place of *entrant* in the newest round; who had none comes last."""
        return self.lasts.get(entrant, len(self.people) + 1)


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
                groups.setdefault(key(part(person)), []).append(number)
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
    if kind == "knock-out":
        return _knock_out(field, random)
    tables = tables_for(len(field.entrants), field.tables, field.most, field.least)
    return _swiss(field, tables, random) if kind == "swiss" else _ladder(field, tables)


def rests_on(kind: str, field: DrawField) -> tuple[int, ...]:
    """Return by whom a round of *kind* is drawn: the list, places at tables, or who has gone on."""
    if not field.before or kind not in ("swiss", "knock-out", "ladder"):
        return ()
    if kind == "knock-out":
        return better_halves(field.before[-1], field.lasts)
    if kind == "swiss":
        return tuple(_in_order(field))
    return tuple(one for table in field.before[-1] for one in sorted(table, key=field.place))


def _in_order(field: DrawField) -> list[int]:
    there = set(field.entrants)
    ranked = [line.entrant for line in field.lines if line.entrant in there]
    return ranked + [one for one in field.entrants if one not in set(ranked)]


def _swiss(field: DrawField, tables: int, random: Random) -> Seats:
    """Cut the list into tables; let neighbours on it change places where that spares a second meeting."""
    order = _in_order(field)
    sizes = seating.sizes(len(order), tables)
    weights = apart({one: field.people[one] for one in order})
    met: dict[tuple[int, int], int] = dict(weights)
    for pair in seating.meetings(field.before):
        met[pair] = met.get(pair, 0) + 1

    def cut(people: Sequence[int]) -> list[list[int]]:
        out, at = [], 0
        for size in sizes:
            out.append(list(people[at : at + size]))
            at += size
        return out

    def cost(people: Sequence[int]) -> int:
        again = sum(met.get(pair, 0) for table in cut(people) for pair in combinations(sorted(table), 2))
        moved = sum(abs(place - ranks[one]) for place, one in enumerate(people))
        return again * len(order) + moved

    ranks = {one: place for place, one in enumerate(order)}
    now, reach = cost(order), 2 * max(sizes)
    for _ in range(40 * len(order)):
        one = random.randrange(len(order))
        other = min(len(order) - 1, one + random.randrange(1, reach))
        order[one], order[other] = order[other], order[one]
        then = cost(order)
        if then > now:
            order[one], order[other] = order[other], order[one]
        else:
            now = then
    return tuple(tuple(table) for table in cut(order))


def _knock_out(field: DrawField, random: Random) -> Seats:
    through, tables = goes_on(field)
    return seating.draw(through, tables, 1, random=random, before=field.before)[0]


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


def _ladder(field: DrawField, tables: int) -> Seats:
    """Move the first third of each table up and the last third down; table 1 is the top."""
    there = set(field.entrants)
    steps: list[tuple[float, int, int]] = []
    for number, table in enumerate(field.before[-1]):
        ordered = sorted((one for one in table if one in there), key=field.place)
        third = len(ordered) // 3
        for place, one in enumerate(ordered):
            moves = -1 if place < third else 1 if place >= len(ordered) - third else 0
            steps.append((number + moves, place, one))
    sat = {one for _, _, one in steps}
    steps += [(len(field.before[-1]), 0, one) for one in field.entrants if one not in sat]
    order = [one for _, _, one in sorted(steps)]
    out, at = [], 0
    for size in seating.sizes(len(order), tables):
        out.append(tuple(order[at : at + size]))
        at += size
    return tuple(out)


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
