"""What an event has come to, as papers and files tell it. One pure projection of the hall as it stands.

A sheet is one game of one table, with why everybody has the place that they have; the matrix is everybody by
rounds; the bracket a knock-out; the lists say who sits where; prizes are places by category; a season adds
up the places of several evenings. Each is a struct, and can be had as rows for a spreadsheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import msgspec
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.evening.state import Entry, Match
from lastnose.companion.event.formats import said_of
from lastnose.companion.event.roster import Person
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import HallRound, HallState
from lastnose.companion.event.table_log import CalledMatch
from lastnose.companion.event.tally import TableOutcome, counted
from lastnose.companion.views.sentences import behind

Worth = TypeVar("Worth", int, Fraction)
Rows = list[tuple[str | int | float, ...]]
BEST = 3  # of a club or family count for its sum
PRIZES = 3  # places of a category
FIGURES = 4  # digits of points that a file has


def _shared_places(worth: Sequence[Worth]) -> list[int]:
    """Return the place of each by what it is worth, the most first; equals share theirs.

    >>> _shared_places([3, 7, 3, 1])
    [2, 1, 2, 4]
    """
    places: dict[Worth, int] = {}
    for place, one in enumerate(sorted(worth, reverse=True), start=1):
        places.setdefault(one, place)
    return [places[one] for one in worth]


# ---- a table's game


class SheetLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entrant's result: `place` None without one, `why` what it rests on."""

    entrant: int
    name: str
    club: str = ""
    place: int | None = None
    points: float | None = None
    letters: int = 0
    deals: int = 0
    why: Text | None = None


class TableSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game of table `number` in round `round`; `state` and `doubts` are those of its outcome.

    `note`: why its result was typed, None where it was not.
    """

    round: int
    title: Text
    number: int
    state: str
    lines: tuple[SheetLine, ...] = ()
    doubts: tuple[Text, ...] = ()
    note: Text | None = None


class TableSheets(msgspec.Struct, frozen=True):
    """All sheets, in the order in which their rounds were called."""

    sheets: tuple[TableSheet, ...]


def sheet(view: HallSnapshot, one: TableOutcome) -> TableSheet:
    """Return the sheet of *one*: the best first, then who has no place, by seats."""
    state, typed = view.state, view.state.typed.get((one.round, one.number))
    placed = dict(one.result.placings) if one.result is not None else {}
    points = one.result.points() if one.result is not None else {}
    whys = _whys(one.called) if one.called is not None and typed is None else {}
    lines = [
        SheetLine(
            entrant=entrant,
            name=state.shown(entrant),
            club=state.people[entrant].club,
            place=placed[entrant].place if entrant in placed else None,
            points=round(float(points[entrant]), FIGURES) if entrant in points else None,
            letters=placed[entrant].letters if entrant in placed else 0,
            deals=placed[entrant].deals if entrant in placed else 0,
            why=whys.get(alike(state.written(one.round, entrant))),
        )
        for entrant in one.entrants
    ]
    lines.sort(key=lambda line: line.place or len(lines) + 1)
    note = None if typed is None else text("Typed at the desk: {why}", why=typed.reason or "–")
    title = said_of(state.rounds[one.round - 1].kind, one.round)
    return TableSheet(one.round, title, one.number, one.state, tuple(lines), one.doubts, note)


def sheet_of(view: HallSnapshot, round_: int, number: int) -> TableSheet | None:
    """Return the sheet of table *number* in round *round_*, None where it does not play."""
    found = view.outcome_of(round_, number)
    return None if found is None else sheet(view, found)


def sheets(view: HallSnapshot, number: int = 0) -> TableSheets:
    """Return the sheets of round *number*, 0: of all rounds."""
    return TableSheets(tuple(sheet(view, one) for one in view.outcomes if number in (0, one.round)))


def _whys(played: CalledMatch) -> dict[str, Text]:
    """Return what the place of each player of *played* rests on, by their names' keys."""
    went: dict[str, Text] = {}
    for part in played.parts:
        names = [alike(player) for player in part.started.players]
        for place in range(len(part.states)):
            entry = part.entries[place - 1] if place else None
            for one in part.moment(place).standings:
                if not one.out:
                    went.pop(names[one.seat - 1], None)
                elif names[one.seat - 1] not in went:
                    went[names[one.seat - 1]] = _went_out(part, entry)
    match = played.match
    if match.finished:
        for seat, player in enumerate(match.started.players, 1):
            if alike(player) not in went:
                went[alike(player)] = _stayed(match, seat)
    return went


def _went_out(part: Match, entry: Entry | None) -> Text:
    if entry is None or not entry.number:
        return text("out")
    how = behind(part, entry)
    out = text("out in round {n}", n=entry.number)
    if how is None:
        return out
    return Text("{out}, {how}", {"out": out, "how": how})


def _stayed(match: Match, seat: int) -> Text:
    """Return how *seat* stood at the end, who was not out."""
    one = next(standing for standing in match.now.standings if standing.seat == seat)
    if one.score is not None:
        return texts("{n} point", "{n} points", n=one.score)
    outcome, still = match.now.outcome, text("in until the end")
    if outcome is not None:
        return text("lost the game") if not outcome.winners and seat in outcome.losers else still
    return (
        Text("{still}, {letters}", {"still": still, "letters": "".join(one.letters)})
        if one.letters
        else still
    )


# ---- everybody by rounds


class RoundPoints(msgspec.Struct, frozen=True, omit_defaults=True):
    """One person's round: at `table` (0: at none), with `points` once they count, in `place` of `of`.

    `kind`: "points", "plays" (no result yet), "late" (had not come), "free" (sat out, or had left).
    """

    kind: str
    table: int = 0
    points: float | None = None
    place: int = 0
    of: int = 0


class MatrixRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person: `place` in the standings, None for a guest; `cells` by rounds, `total` of all that counts."""

    entrant: int
    name: str
    place: int | None
    total: float
    cells: tuple[RoundPoints, ...]
    club: str = ""
    shared: bool = False
    decided: Text | None = None


class Matrix(msgspec.Struct, frozen=True):
    """Everybody by rounds, the best first. Points of a final are in its cells, and in no total."""

    rounds: tuple[Text, ...]
    rows: tuple[MatrixRow, ...]


def matrix(view: HallSnapshot) -> Matrix:
    """Return the points of everybody in every round that was called."""
    state = view.state
    called = state.called
    won: dict[tuple[int, int], RoundPoints] = {}
    for one in view.outcomes:
        for entrant in one.entrants:
            won[one.round, entrant] = RoundPoints("plays", one.number)
        if one.result is not None and not one.open:
            points = one.result.points()
            for entrant, placing in one.result.placings:
                won[one.round, entrant] = RoundPoints(
                    kind="points",
                    table=one.number,
                    points=round(float(points[entrant]), FIGURES),
                    place=placing.place,
                    of=len(points),
                )
    sharing = Counter(line.place for line in view.lines)

    def row(line: StandingLine) -> MatrixRow:
        late = state.from_round[line.entrant]
        empty = [RoundPoints("late" if one.number < late else "free") for one in called]
        return MatrixRow(
            entrant=line.entrant,
            name=state.shown(line.entrant),
            place=line.place,
            total=round(float(line.points), FIGURES),
            cells=tuple(
                won.get((one.number, line.entrant), none) for one, none in zip(called, empty, strict=True)
            ),
            club=state.people[line.entrant].club,
            shared=line.place is not None and sharing[line.place] > 1,
            decided=line.decided,
        )

    return Matrix(tuple(said_of(one.kind, one.number) for one in called), tuple(map(row, view.lines)))


# ---- a knock-out


class BracketPerson(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody at a table: their `place` there (0: none yet), and the table of the next round (0: none)."""

    name: str
    place: int = 0
    on: int = 0


class BracketTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of a round, the best first once there is a result; `open`: it still plays."""

    number: int
    people: tuple[BracketPerson, ...]
    open: bool = False


class BracketRound(msgspec.Struct, frozen=True):
    """A round of a knock-out."""

    title: Text
    tables: tuple[BracketTable, ...]


class Bracket(msgspec.Struct, frozen=True):
    """A knock-out by rounds; none for another format."""

    rounds: tuple[BracketRound, ...]


def bracket(view: HallSnapshot) -> Bracket:
    """Return the rounds of a knock-out that are drawn, with who goes on from each table to which."""
    state = view.state
    if state.arrangement is None or state.arrangement.format != "knock-out":
        return Bracket(())
    planned = state.planned  # behind the last comes nothing
    known = {(one.round, one.number): one for one in view.outcomes}

    def table(one: HallRound, on: dict[int, int], number: int, seats: Sequence[int]) -> BracketTable:
        found = known.get((one.number, number))
        counted = found.result if found is not None and not found.open else None
        places = {e: p.place for e, p in counted.placings} if counted is not None else {}
        people = sorted(seats, key=lambda entrant: places.get(entrant, len(seats) + 1))
        return BracketTable(
            number,
            tuple(BracketPerson(state.shown(e), places.get(e, 0), on.get(e, 0)) for e in people),
            open=counted is None,
        )

    return Bracket(
        tuple(
            BracketRound(
                said_of(one.kind, one.number),
                tuple(table(one, on, number, seats) for number, seats in one.seated),
            )
            for one, on in zip(planned, (*(after.tables for after in planned[1:]), {}), strict=False)
        )
    )


# ---- lists for the wall


class ListedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits where in a round."""

    name: str
    table: int
    seat: int
    club: str = ""


class WallList(msgspec.Struct, frozen=True):
    """Who sits where in the round `title`, by tables and seats."""

    title: Text
    seats: tuple[ListedSeat, ...]


def wall_list(state: HallState, number: int = 0) -> WallList | None:
    """Return who sits where in round *number*, 0: in the newest that is drawn; None before any is."""
    planned = {one.number: one for one in state.planned}
    one = planned.get(number) or next((one for one in planned.values() if not one.called), state.now)
    if one is None:
        return None
    seats = [
        ListedSeat(state.shown(entrant), table, seat, state.people[entrant].club)
        for table, people in sorted(one.seated)
        for seat, entrant in enumerate(people, 1)
    ]
    return WallList(said_of(one.kind, one.number), tuple(seats))


# ---- prizes


class PrizeLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has a prize: a person, or a club or family with the `members` that counted for its `points`."""

    place: int
    name: str
    points: float
    says: Text | None = None
    members: tuple[str, ...] = ()


class Category(msgspec.Struct, frozen=True):
    """The first places of a category: "all", "youngest", "family" or "club"."""

    kind: str
    title: Text
    lines: tuple[PrizeLine, ...]


class Prizes(msgspec.Struct, frozen=True):
    """The prizes of an event, by category; a category that nobody is in is left out. Guests win none."""

    categories: tuple[Category, ...]


def prizes(view: HallSnapshot, *, best: int = BEST, places: int = PRIZES) -> Prizes:
    """Return who has the first *places* of each category; of a club or family the *best* few count."""
    state = view.state
    ranked = [line for line in view.lines if line.place is not None]

    def person(line: StandingLine, place: int, says: Text | None) -> PrizeLine:
        return PrizeLine(place, state.shown(line.entrant), round(float(line.points), FIGURES), says)

    everybody = [person(line, line.place or 0, line.decided) for line in ranked]
    born = sorted(
        (line for line in ranked if state.people[line.entrant].born),
        key=lambda line: -state.people[line.entrant].born,
    )
    years = [state.people[line.entrant].born for line in born]
    youngest = [
        person(line, place, Text("{year}", {"year": str(year)}))
        for line, year, place in zip(born, years, _shared_places(years), strict=True)
    ]
    found = (
        ("all", text("All"), everybody),
        ("youngest", text("The youngest"), youngest),
        ("family", text("Families"), _groups(view, ranked, lambda who: who.family, best)),
        ("club", text("Clubs and teams"), _groups(view, ranked, lambda who: who.club, best)),
    )
    first = (
        Category(kind, title, tuple(line for line in lines if line.place <= places))
        for kind, title, lines in found
    )
    return Prizes(tuple(one for one in first if one.lines))


def _groups(
    view: HallSnapshot, ranked: Sequence[StandingLine], group: Callable[[Person], str], best: int
) -> list[PrizeLine]:
    """Return the sums of the *best* few of each group of two or more, the highest first."""
    members: dict[str, list[StandingLine]] = {}
    for line in ranked:
        named = group(view.state.people[line.entrant])
        if named:
            members.setdefault(alike(named), []).append(line)
    sums = []
    for lines in members.values():
        if len(lines) > 1:
            counted = sorted(lines, key=lambda line: -line.points)[:best]
            sums.append((sum((line.points for line in counted), Fraction(0)), counted))
    sums.sort(key=lambda one: -one[0])
    return [
        PrizeLine(
            place=place,
            name=group(view.state.people[counted[0].entrant]),
            points=round(float(total), FIGURES),
            members=tuple(view.state.shown(line.entrant) for line in counted),
        )
        for (total, counted), place in zip(sums, _shared_places([total for total, _ in sums]), strict=True)
    ]


# ---- a season


class Finisher(NamedTuple):
    """Somebody's place of an evening; None without one."""

    name: str
    club: str
    place: int | None


class SeasonLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody's season: `points` of all evenings, and what each gave; None where they were not placed."""

    place: int
    name: str
    points: float
    evenings: tuple[float | None, ...]
    club: str = ""


class Season(msgspec.Struct, frozen=True):
    """Several evenings, added up by a table of points by place."""

    evenings: tuple[str, ...]
    lines: tuple[SeasonLine, ...]


def finishers(view: HallSnapshot) -> list[Finisher]:
    """Return the places of an evening, the best first; who has played nothing has none."""
    people = view.state.people
    played = {entrant for one in counted(view.outcomes) for entrant, _ in one.placings}
    return [
        Finisher(who.name, who.club, line.place if line.entrant in played else None)
        for line in view.lines
        for who in (people[line.entrant],)
    ]


def season(evenings: Sequence[tuple[str, Sequence[Finisher]]], worth: Sequence[int]) -> Season:
    """Return the season of *evenings* (name, places), where place n is worth *worth[n - 1]*, else nothing.

    Who shares places shares what those are worth. Somebody is the same by name and club; two of one name and
    club in an evening, as older ones may have, are two.

    >>> one = [Finisher("Ann", "", 1), Finisher("Bob", "", 2), Finisher("Cid", "", 2)]
    >>> [(line.place, line.name, line.points) for line in season([("May", one)], (10, 6, 3)).lines]
    [(1, 'Ann', 10.0), (2, 'Bob', 4.5), (2, 'Cid', 4.5)]
    """
    won: dict[tuple[str, str, int], list[Fraction | None]] = {}
    named: dict[tuple[str, str, int], Finisher] = {}
    for n, (_, found) in enumerate(evenings):
        sharing = Counter(one.place for one in found)
        alikes = Counter[tuple[str, str]]()
        for one in found:
            if one.place is None:
                continue
            key = alike(one.name), alike(one.club)
            alikes[key] += 1
            who = *key, alikes[key]
            named[who] = one
            shared = sharing[one.place]
            held = sum(worth[one.place - 1 : one.place - 1 + shared])
            won.setdefault(who, [None] * len(evenings))[n] = Fraction(held, shared)
    totals = {who: sum((one or Fraction(0) for one in each), Fraction(0)) for who, each in won.items()}
    order = sorted(won, key=lambda who: (-totals[who], who))
    lines = tuple(
        SeasonLine(
            place=place,
            name=named[who].name,
            points=round(float(totals[who]), FIGURES),
            evenings=tuple(None if one is None else round(float(one), FIGURES) for one in won[who]),
            club=named[who].club,
        )
        for who, place in zip(order, _shared_places([totals[who] for who in order]), strict=True)
    )
    return Season(tuple(name for name, _ in evenings), lines)


# ---- as rows, for a spreadsheet; headings are names of fields, in English like those of the standings


Report = TableSheets | Matrix | Bracket | WallList | Prizes | Season


def report(view: HallSnapshot, what: str, number: int = 0) -> Report | None:
    """Return "sheets", "matrix", "bracket", "seats" or "prizes", of round *number* where it has rounds.

    Number 0: of all rounds, or the newest; None where no round is drawn.
    """
    match what:
        case "sheets":
            return sheets(view, number)
        case "bracket":
            return bracket(view)
        case "seats":
            return wall_list(view.state, number)
        case "prizes":
            return prizes(view)
    return matrix(view)


def rows_of(found: Report) -> Rows:
    """Return *found* as rows, the first with the headings."""
    match found:
        case TableSheets():
            head = ("round", "table", "state", "place", "name", "club", "points", "letters", "deals", "why")
            return [head, *(_sheet_row(one, line) for one in found.sheets for line in one.lines)]
        case Matrix():
            rounds = [part for one in found.rounds for part in (str(one), f"{one}: table")]
            return [("place", "name", "club", *rounds, "points"), *map(_matrix_row, found.rows)]
        case Bracket():
            return [
                ("round", "table", "place", "name", "goes to table"),
                *(
                    (str(one.title), table.number, who.place or "", who.name, who.on or "")
                    for one in found.rounds
                    for table in one.tables
                    for who in table.people
                ),
            ]
        case WallList():
            return [
                ("round", "table", "seat", "name", "club"),
                *((str(found.title), one.table, one.seat, one.name, one.club) for one in found.seats),
            ]
        case Prizes():
            heading = ("category", "place", "name", "points", "members", "says")
            return [heading, *(_prize_row(one, line) for one in found.categories for line in one.lines)]
        case Season():
            return [
                ("place", "name", "club", *found.evenings, "points"),
                *(
                    (line.place, line.name, line.club, *map(_or, line.evenings), line.points)
                    for line in found.lines
                ),
            ]


def _sheet_row(one: TableSheet, line: SheetLine) -> tuple[str | int | float, ...]:
    where, who = (one.round, one.number, one.state), (_or(line.place), line.name, line.club)
    why = "" if line.why is None else str(line.why)
    return (*where, *who, _or(line.points), line.letters, line.deals, why)


def _matrix_row(row: MatrixRow) -> tuple[str | int | float, ...]:
    cells = [part for cell in row.cells for part in (_or(cell.points), cell.table or "")]
    return (_or(row.place), row.name, row.club, *cells, row.total)


def _prize_row(one: Category, line: PrizeLine) -> tuple[str | int | float, ...]:
    says = "" if line.says is None else str(line.says)
    return (one.kind, line.place, line.name, line.points, ", ".join(line.members), says)


def _or(value: float | None) -> int | float | str:
    return "" if value is None else value
