"""What the hall's screens show, made from the hall as it stands: names for numbers, first things first. Pure.

A table's letters, sentences and photo finish are made from its log by the code that makes them at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_not
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.state import Evening
from lastnose.companion.event import formats
from lastnose.companion.event.changes import other_draws
from lastnose.companion.event.once import Once
from lastnose.companion.event.pictures import Finishes, HallFinish, TablePicture, picture
from lastnose.companion.event.roster import bare
from lastnose.companion.event.snapshot import HallSnapshot, Todo
from lastnose.companion.event.standings import StandingLine, typed_placings
from lastnose.companion.event.state import HallRound, HallState, HallTable
from lastnose.companion.event.table_log import NeedsAll, TableLog
from lastnose.companion.event.tally import TableOutcome, counted, without_noses
from lastnose.companion.event.todos import todos_of
from lastnose.companion.games import get_game
from lastnose.companion.views.scoreboard import make
from lastnose.companion.views.snapshot import Live, Snapshot

MANY = 6  # people of one name that a phone is shown


class Ranked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the standings. `points` to two decimals; `place` None for a guest."""

    entrant: int
    name: str
    place: int | None
    points: float
    rounds: int
    club: str = ""
    decided: Text | None = None


class ListedPerson(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody on the list; `there`: plays on. `tables[i]` is the table in round i + 1, 0: none.

    `from_round` is the first that they could be drawn for, 0 where they came too late for any.
    `plain` is the name without the club that `name` has for a namesake, empty where they are the same.
    `typed[i]` is the place that was typed for that round, 0: none.
    """

    entrant: int
    name: str
    club: str = ""
    family: str = ""
    guest: bool = False
    there: bool = True
    from_round: int = 1
    tables: tuple[int, ...] = ()
    plain: str = ""
    typed: tuple[int, ...] = ()


class RoundPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round: its name, and when it was called. `stands_s`: its clock was stopped after so long."""

    number: int
    kind: str
    title: Text
    called: bool = False
    called_at: float = 0.0
    stands_s: float | None = None
    paused_s: float = 0.0


class HallScreen(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that the hall's pages show. `seq` is the newest entry of the hall's log that it rests on.

    `engine`: what is wrong with the message server, None when nothing is. `sheet`: the game that is set up is
    played without noses. `list_closed`: nobody puts themselves on the list.
    """

    version: int
    seq: int
    event: str
    name: str
    headline: Text
    step: str
    step_says: Text
    ready: bool
    tables: tuple[TablePicture, ...] = ()
    todos: tuple[Todo, ...] = ()
    standings: tuple[Ranked, ...] = ()
    people: tuple[ListedPerson, ...] = ()
    rounds: tuple[RoundPicture, ...] = ()
    arrangement: dict[str, Any] = {}
    game: Text | None = None
    format: Text | None = None
    says: str = ""
    engine: Text | None = None
    closest: Text | None = None
    newest: HallFinish | None = None
    over: bool = False
    sheet: bool = False
    list_closed: bool = False


class WhereScreen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody's phone shows of a hall but for its own person: it is small, however many there are.

    `numbers` are those of the tables; `arranged`: the event is set up.
    """

    version: int
    seq: int
    name: str
    headline: Text
    step: str
    rounds: tuple[RoundPicture, ...] = ()
    numbers: tuple[int, ...] = ()
    says: str = ""
    arranged: bool = False
    over: bool = False
    sheet: bool = False
    list_closed: bool = False


class Whereabouts(msgspec.Struct, frozen=True):
    """People of a name, the tables where they sit or sat, and their lines of the standings."""

    people: tuple[ListedPerson, ...]
    tables: tuple[TablePicture, ...]
    standings: tuple[Ranked, ...]


def where_screen(screen: HallScreen) -> WhereScreen:
    """Return what of *screen* everybody's phone shows."""
    return WhereScreen(
        version=screen.version,
        seq=screen.seq,
        name=screen.name,
        headline=screen.headline,
        step=screen.step,
        rounds=screen.rounds,
        numbers=tuple(one.number for one in screen.tables),
        says=screen.says,
        arranged=bool(screen.arrangement),
        over=screen.over,
        sheet=screen.sheet,
        list_closed=screen.list_closed,
    )


def whereabouts(screen: HallScreen, name: str) -> Whereabouts:
    """Return who *name* may be: their very name, with or without a club; without accents; or a part of it."""
    wanted = alike(name)
    if not wanted:
        return Whereabouts((), (), ())
    ways: tuple[Callable[[ListedPerson], bool], ...] = (
        lambda one: wanted in (alike(one.name), alike(one.plain or one.name)),
        lambda one: bare(name) in (bare(one.name), bare(one.plain or one.name)),
        lambda one: bare(name) in bare(one.name),
    )
    found = next((some for way in ways if (some := [*filter(way, screen.people)])), [])[:MANY]
    who = {one.entrant for one in found}
    now = sum(1 for one in screen.rounds if one.called)
    sat = {number for one in found for number in one.tables[max(0, now - 1) : now + 1]}
    tables = tuple(
        one for one in screen.tables if one.number in sat or any(seat.entrant in who for seat in one.seats)
    )
    lines = tuple(one for one in screen.standings if one.entrant in who)
    return Whereabouts(tuple(found), tables, lines)


class _KnownPicture(NamedTuple):
    """The picture of a table, and what it rests on."""

    made_of: tuple[object, ...]
    told: tuple[object, ...]
    picture: TablePicture


class Screens:
    """Makes the screen of a view; only what has changed is made again, the rest are the same objects."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Evening, Snapshot]] = {}
        self._pictures: dict[str, _KnownPicture] = {}
        self._finishes = Finishes()
        self._changes = Once(other_draws)
        self._told = Once(_told)

    def screen(self, view: HallSnapshot, logs: Mapping[str, TableLog]) -> HallScreen:
        """Return what to show of *view*."""
        state = view.state
        pictures = tuple(
            self._picture(view, one, logs.get(one.id), view.game_of(one.number)) for one in _tables(view)
        )
        made = state.arrangement
        return HallScreen(
            version=view.version,
            seq=state.seq,
            event=view.event,
            name=made.name if made is not None else "",
            headline=_headline(view),
            step=view.step.kind,
            step_says=view.step.says,
            ready=view.step.ready,
            tables=pictures,
            todos=todos_of(view, pictures, logs, self._changes(state, view.outcomes, view.heat_lines)),
            standings=tuple(_ranked(state, line) for line in view.lines) if counted(view.outcomes) else (),
            engine=view.engine,
            closest=self._finishes.closest(view),
            newest=self._finishes.newest(view),
            over=view.step.kind == "over",
            **self._told(state),
        )

    def shown(self, log: TableLog) -> Snapshot:
        """Return what the table itself shows, but for what only it can know."""
        known = self._tables.get(log.id)
        if known is None or known[0] is not log.evening:
            live = Live(evening=log.number)
            try:
                made = make(log.evening, live)
            except NeedsAll:
                assert log.source is not None
                made = make(log.source.evening(log.id), live)
            known = self._tables[log.id] = log.evening, made
        return known[1]

    def _picture(
        self, view: HallSnapshot, table: HallTable, log: TableLog | None, outcome: TableOutcome
    ) -> TablePicture:
        plays = outcome.called is not None and not outcome.stuck
        shown = self.shown(log) if log is not None and plays else None
        seen = view.seen_of(table.id)
        heard = table.id in view.there, table.id in view.archived
        told = seen.presence, seen.refused, view.have.get(table.id), heard
        made_of = view.state, outcome, shown
        known = self._pictures.get(table.id)
        if known is None or known.told != told or any(map(is_not, known.made_of, made_of)):
            made = picture(view, table, outcome, shown)
            known = self._pictures[table.id] = _KnownPicture(made_of, told, made)
        return known.picture


def _told(state: HallState) -> dict[str, Any]:
    """Return what screens show that follows from the hall's own log alone."""
    made = state.arrangement
    return {
        "people": _people(state),
        "rounds": tuple(_round(one) for one in state.planned),
        "arrangement": msgspec.to_builtins(made) if made is not None else {},
        "game": get_game(made.game).title if made is not None else None,
        "sheet": made is not None and without_noses(made.game),
        "format": formats.named(made.format) if made is not None else None,
        "says": state.said,
        "list_closed": state.list_closed,
    }


def _tables(view: HallSnapshot) -> list[HallTable]:
    """Return the tables by number: those that are in, and those that were put out and have people to play."""
    state = view.state
    tables = {one.number: one for one in state.tables.values() if one.inside}
    for number, game in view.games.items():
        if number not in tables:
            table = state.rounds[game.round - 1].ids[number][-1]
            tables[number] = HallTable(table, number, "", inside=False)
    return [tables[number] for number in sorted(tables)]


def _headline(view: HallSnapshot) -> Text:
    if view.state.arrangement is None:
        return text("No event is set up yet")
    if view.step.kind == "over":
        best = [line for line in view.lines if line.place == 1]
        if len(best) == 1:
            return text("{player} wins!", player=view.state.shown(best[0].entrant))
        return text("All is played.")
    newest = view.state.now
    if newest is None:
        drawn = view.state.planned
        return (
            text("{round} is drawn", round=formats.said_of(drawn[0].kind, 1))
            if drawn
            else Text("{name}", {"name": view.state.arrangement.name})
        )
    open_ = [one for one in view.outcomes if one.open]
    if open_ and all(one.round != newest.number for one in open_):
        newest = view.state.rounds[open_[0].round - 1]
    title = formats.said_of(newest.kind, newest.number)
    mine = [one for one in open_ if one.round == newest.number]
    if not mine:
        return text("{round}: all tables have a result", round=title)
    if newest.paused_at is not None:
        return text("{what}: {says}", what=title, says=text("Pause"))
    left = sum(1 for one in mine if one.to_play)
    if not left:
        return text("{round}: all tables have played, and results are being looked at", round=title)
    return formats.said_of_open(title, left)


def _ranked(state: HallState, line: StandingLine) -> Ranked:
    return Ranked(
        entrant=line.entrant,
        name=state.shown(line.entrant),
        place=line.place,
        points=round(float(line.points), 2),
        rounds=line.rounds,
        club=state.people[line.entrant].club,
        decided=line.decided,
    )


def _too_late(state: HallState) -> frozenset[int]:
    """Return who came after the first round of a knock-out, or after the last round before the final."""
    made, called = state.arrangement, state.called
    if made is None or not called or made.format == "free":
        return frozenset()
    if made.format != "knock-out" and len(state.heats) < made.rounds:
        return frozenset()
    sat = {entrant for played in called for entrant in played.entrants}
    return frozenset(one for one, number in state.from_round.items() if number > 1 and one not in sat)


def _people(state: HallState) -> tuple[ListedPerson, ...]:
    places = {
        (typed.round, entrant): placing.place
        for typed in state.typed.values()
        for entrant, placing in typed_placings(typed.places)
    }
    rounds, too_late = state.planned, _too_late(state)
    tables = [one.tables for one in rounds]
    typed = [one.number for one in rounds] if places else []
    return tuple(
        ListedPerson(
            entrant=number,
            name=state.shown(number),
            club=person.club,
            family=person.family,
            guest=person.guest,
            there=number in state.there,
            from_round=0 if number in too_late else state.from_round[number],
            tables=tuple(one.get(number, 0) for one in tables),
            plain=person.name if person.name != state.shown(number) else "",
            typed=tuple(places.get((one, number), 0) for one in typed),
        )
        for number, person in sorted(state.people.items())
    )


def _round(one: HallRound) -> RoundPicture:
    stands = None if one.paused_at is None else one.paused_at - one.called_at - one.paused_s
    return RoundPicture(
        number=one.number,
        kind=one.kind,
        title=formats.said_of(one.kind, one.number),
        called=one.called,
        called_at=one.called_at,
        stands_s=stands,
        paused_s=one.paused_s,
    )
