"""The hall as the fold of its own log. Pure. What the tables have decided comes from their logs (`tally`).

A round of a table is what one game came to, of all that its machines have sent: `chosen` says which.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.errors import BadInput, Missing, NotNow
from lastnose.companion.core.text import english, text
from lastnose.companion.event import events
from lastnose.companion.event.events import AnyHallEvent, Arrangement
from lastnose.companion.event.roster import SHOWN, Person
from lastnose.companion.event.seating import Seats
from lastnose.companion.event.table_log import CalledMatch, HallAppeal, TableLog, called_again
from msgspec.structs import replace


class HallTable(msgspec.Struct, frozen=True):
    """A table that was let in: its random id, its number in the hall, its public key, and if it is in.

    `since` is the entry that let it in last, `until` the one that put it out; `floods`: the hall did that.
    `spoilt`: it was put out as nothing more could be taken under its id.
    """

    id: str
    number: int
    key: str
    inside: bool = True
    since: int = 0
    until: int = 0
    floods: bool = False
    spoilt: bool = False


class HallRound(msgspec.Struct, frozen=True):
    """A round as drawn and, once `called`, as it is played: the table of seats[i] is numbers[i].

    `seq` is the entry of the hall's log that called it, `names` how the tables write its people, `ids` which
    tables have been each of its numbers: one that takes another's place in the round comes after it.
    When it was drawn `there` were there of those `people`, and `made` was arranged.
    `called_at` is wall time; the clock has stood still for `paused_s`, and since `paused_at` if that is set.
    """

    number: int
    kind: str
    seats: Seats
    seq: int = 0
    numbers: tuple[int, ...] = ()
    game: str = ""
    options: dict[str, Any] = {}
    called_at: float = 0.0
    paused_s: float = 0.0
    paused_at: float | None = None
    names: dict[int, str] = {}
    ids: dict[int, tuple[str, ...]] = {}
    rests_on: tuple[int, ...] = ()
    there: frozenset[int] = frozenset()
    people: dict[int, Person] = {}
    made: Arrangement | None = None
    nonce: str = ""

    @property
    def called(self) -> bool:
        """Whether it is played."""
        return bool(self.numbers)

    @property
    def seated(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The number of each table, and who sits there; before the call tables are counted."""
        return tuple(zip(self.numbers or range(1, len(self.seats) + 1), self.seats, strict=True))

    @property
    def entrants(self) -> frozenset[int]:
        """Everybody who sits at a table."""
        return frozenset(chain.from_iterable(self.seats))

    @property
    def tables(self) -> dict[int, int]:
        """The number of the table where each entrant sits."""
        return {entrant: number for number, table in self.seated for entrant in table}

    def at(self, number: int) -> tuple[int, ...]:
        """Return who sits at table *number*, nobody when it has a free round."""
        return next((table for n, table in self.seated if n == number), ())


class HallState(msgspec.Struct, frozen=True):
    """Everything that the hall's log says.

    `there` are entrants who play on; `from_round[e]` the first round that e could be drawn for.
    `given` is the highest number that anybody was ever given, also by what was taken back.
    `said` is the announcement, `typed` the results by hand (by round and table), `back` what was taken back,
    `nonces` those of calls among that.
    """

    seq: int = 0
    arrangement: Arrangement | None = None
    people: dict[int, Person] = {}
    there: frozenset[int] = frozenset()
    from_round: dict[int, int] = {}
    given: int = 0
    tables: dict[str, HallTable] = {}
    rounds: tuple[HallRound, ...] = ()
    said: str = ""
    typed: dict[tuple[int, int], events.Typed] = {}
    cleared: dict[tuple[int, int], events.Cleared] = {}
    appeals: dict[int, HallAppeal] = {}
    back: frozenset[int] = frozenset()
    nonces: dict[int, str] = {}
    list_closed: bool = False

    @property
    def called(self) -> tuple[HallRound, ...]:
        """The rounds that have been called."""
        return tuple(one for one in self.rounds if one.called)

    @property
    def ahead(self) -> tuple[HallRound, ...]:
        """The rounds that are drawn, and were not called yet."""
        return tuple(one for one in self.rounds if not one.called)

    @property
    def heats(self) -> tuple[HallRound, ...]:
        """The rounds that have been called, but a final and what leads to it."""
        return tuple(one for one in self.called if one.kind == "heat")

    @property
    def planned(self) -> tuple[HallRound, ...]:
        """The rounds that were called, and those drawn ahead, no more than are arranged now."""
        ahead, made = self.ahead, self.arrangement
        if made is not None and made.format == "mixed":
            left = made.rounds - len(self.heats)
            ahead = tuple(one for n, one in enumerate(ahead) if one.kind != "heat" or n < left)
        return self.called + ahead

    @property
    def now(self) -> HallRound | None:
        """The newest round that was called."""
        return self.called[-1] if self.called else None

    def table(self, number: int) -> HallTable:
        """Return the table with *number* that is in; raise Missing."""
        for one in self.tables.values():
            if one.number == number and one.inside:
                return one
        raise Missing(english("There is no table {n} in this hall.", n=number))

    def number_for(self, table: str) -> int:
        """Return the number of *table* if it comes in: the one that it had, if nobody else has it.

        Else the first that is free, one for which the newest round waits before others.
        """
        known = self.tables.get(table)
        taken = {one.number for one in self.tables.values() if one.inside}
        if known is not None and (known.inside or known.number not in taken):
            return known.number
        wanted: tuple[int, ...] = self.now.numbers if self.now is not None else ()
        return next(n for n in chain(wanted, range(1, len(taken) + 2)) if n not in taken)

    def machine(self, one: HallRound, number: int) -> HallTable | None:
        """Return the table that plays as *number* of round *one*, None when it was put out."""
        known = (self.tables[table] for table in one.ids.get(number, ()))
        return next((table for table in known if table.inside and table.number == number), None)

    def call_of(self, one: HallRound, number: int) -> int:
        """Return for which entry table *number* plays round *one*: see `HallAppeal.call`."""
        call, tables = one.seq, one.ids.get(number, ())
        if not self.appeals:
            return call
        while again := called_again(self.appeals.values(), call, tables):
            call = again
        return call

    def nonce_of(self, call: int) -> str:
        """Return what a game says beside *call*, the entry for which it is played: see `events.Called`.

        Also of one that was taken back.
        """
        again, back = self.appeals.get(call), self.nonces.get(call, "")
        return again.nonce if again else next((one.nonce for one in self.called if one.seq == call), back)

    def round_of(self, call: int) -> int:
        """Return the round that is played for entry *call*, 0 when there is none."""
        again = self.appeals.get(call)
        if again is not None:
            return self.round_of(again.call) if again.decision == "again" and again.call < call else 0
        return next((one.number for one in self.called if one.seq == call), 0)

    def number_of(self, appeal: HallAppeal) -> int:
        """Return as which number the table of *appeal* has played its game, 0 when that is called no more."""
        called = (one for one in self.called if one.number == appeal.round)
        return next((n for one in called for n in one.numbers if appeal.table in one.ids.get(n, ())), 0)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the tables that are in."""
        return tuple(sorted(one.number for one in self.tables.values() if one.inside))

    def written(self, number: int, entrant: int) -> str:
        """Return the name under which *entrant* plays round *number*, whatever they are called since."""
        return self.rounds[number - 1].names.get(entrant) or self.shown(entrant)

    def shown(self, entrant: int) -> str:
        """Return the name of *entrant* as tables and screens write it: see `shown_names`."""
        return SHOWN(self.people)[entrant]


def fold(records: Iterable[tuple[int, AnyHallEvent]]) -> HallState:
    """Return the hall that *records* (log number, event) tell, without what was taken back.

    Raises NotNow when something that holds rests on what was taken back.
    """
    found = list(records)
    back: set[int] = set()
    for _, event in found:
        if isinstance(event, events.EntryTakenBack):
            back.add(event.of)
        elif isinstance(event, events.EntryRenewed):
            back.discard(event.of)
    state = HallState()
    for seq, event in found:
        if seq not in back:
            state = apply(state, seq, event)
        elif isinstance(event, events.PeopleJoined):
            state = replace(state, given=max(state.given, event.last))
        elif isinstance(event, events.Called | events.CalledAgain | events.VerdictAppealed):
            state = replace(state, nonces=state.nonces | {seq: event.nonce})
    newest = found[-1][0] if found else 0
    return replace(state, seq=newest, back=frozenset(back))


def apply(state: HallState, seq: int, event: AnyHallEvent) -> HallState:
    """Return the hall after *event*, which has log number *seq*; raise NotNow when it does not follow."""
    state = replace(state, seq=seq)
    match event:
        case events.EventArranged():
            return replace(state, arrangement=event.arrangement)
        case events.PeopleJoined():
            return _joined(state, event)
        case events.Renamed():
            _must(event.entrant in state.people)
            return replace(state, people=state.people | {event.entrant: event.person})
        case events.Went():
            return replace(state, there=state.there - set(event.entrants))
        case events.CameBack():
            return _came_back(state, event)
        case events.Admitted():
            return _admitted(state, event)
        case events.PutOut():
            return _put_out(state, event)
        case events.Drawn():
            return _drawn(state, event)
        case events.Called():
            return _called(state, event)
        case events.ChangeSeen() | events.Paused() | events.ClockSet():
            return _in_round(state, event)
        case events.Announced():
            return replace(state, said=event.says)
        case events.ListClosed():
            return replace(state, list_closed=event.closed)
        case events.Typed() | events.Cleared():
            return _looked_at(state, event)
        case events.VerdictAppealed():
            return _appealed(state, event)
        case events.CalledAgain():
            return _again(state, event)
        case events.AppealDecided():
            return _decided(state, event)
    return state


def _must(holds: bool) -> None:
    if not holds:
        raise NotNow(text("Later entries rest on this one: take those back first."))


def _joined(state: HallState, event: events.PeopleJoined) -> HallState:
    added = dict(enumerate(event.people, event.first))
    return replace(
        state,
        given=max(state.given, event.last),
        people=state.people | added,
        there=state.there | added.keys(),
        from_round=state.from_round | dict.fromkeys(added, len(state.called) + 1),
    )


def _came_back(state: HallState, event: events.CameBack) -> HallState:
    came = set(event.entrants) & state.people.keys() - state.there
    sat = {entrant for called in state.called for entrant in called.entrants}
    late = dict.fromkeys(came - sat, len(state.called) + 1)  # who had not come has missed what was played
    return replace(state, there=state.there | came, from_round=state.from_round | late)


def _admitted(state: HallState, event: events.Admitted) -> HallState:
    _must(all(t.id == event.table or t.number != event.number for t in state.tables.values() if t.inside))
    table = HallTable(event.table, event.number, event.key, since=state.seq)
    rounds = tuple(_with_machine(one, table) for one in state.rounds)
    return replace(state, tables=state.tables | {table.id: table}, rounds=rounds)


def _put_out(state: HallState, event: events.PutOut) -> HallState:
    if event.table not in state.tables:
        return state
    put_out = replace(state.tables[event.table], inside=False, until=state.seq)
    table = replace(put_out, floods=event.floods, spoilt=event.spoilt)
    return replace(state, tables=state.tables | {table.id: table})


def _with_machine(one: HallRound, table: HallTable) -> HallRound:
    """Return *one* with *table* in the place of what had its number; who played as another stays."""
    elsewhere = any(table.id in one.ids.get(n, ()) for n in one.numbers if n != table.number)
    if elsewhere or table.number not in one.numbers:
        return one
    before = tuple(known for known in one.ids.get(table.number, ()) if known != table.id)
    return replace(one, ids=one.ids | {table.number: (*before, table.id)})


def _drawn(state: HallState, event: events.Drawn) -> HallState:
    _must(event.first == len(state.called) + 1)
    _must(all(one in state.people for seats in event.rounds for table in seats for one in table))
    at = HallRound(0, event.kind, (), there=state.there, people=state.people, made=state.arrangement)
    drawn = replace(at, rests_on=event.rests_on)
    rounds = (replace(drawn, number=n, seats=seats) for n, seats in enumerate(event.rounds, event.first))
    return replace(state, rounds=(*state.called, *rounds))


def _in_round(state: HallState, event: events.ChangeSeen | events.Paused | events.ClockSet) -> HallState:
    number = event.round if isinstance(event, events.ChangeSeen) else len(state.called)
    if not 1 <= number <= len(state.called):
        return state
    now = state.rounds[number - 1]
    if isinstance(event, events.ChangeSeen):
        now = replace(now, rests_on=event.rests_on)
    elif isinstance(event, events.ClockSet):
        since = None if now.paused_at is None else now.paused_at + event.by_s
        now = replace(now, called_at=now.called_at + event.by_s, paused_at=since)
    elif event.stands and now.paused_at is None:
        now = replace(now, paused_at=event.at)
    elif not event.stands and now.paused_at is not None:
        now = replace(now, paused_s=now.paused_s + event.at - now.paused_at, paused_at=None)
    return _with_round(state, now)


def _looked_at(state: HallState, event: events.Typed | events.Cleared) -> HallState:
    """Return *state* with what was looked at or typed of a game.

    Nothing of a round whose call was taken back, or of others than sit there: it was called otherwise then.
    """
    game = event.round, event.number
    if event.round > len(state.called):
        return state
    if isinstance(event, events.Cleared):
        return replace(state, cleared=state.cleared | {game: event})
    typed = {key: one for key, one in state.typed.items() if key != game}
    here = sorted(chain.from_iterable(event.places)) == sorted(state.rounds[event.round - 1].at(event.number))
    return replace(state, typed=typed | {game: event} if here else typed)


def _with_round(state: HallState, now: HallRound) -> HallState:
    """Return *state* with *now* in the place of the round of its number."""
    return replace(state, rounds=(*state.rounds[: now.number - 1], now, *state.rounds[now.number :]))


def _called(state: HallState, event: events.Called) -> HallState:
    index = event.round - 1
    _must(index == len(state.called) and index < len(state.rounds))
    drawn = state.rounds[index]
    _must(len(drawn.seats) == len(event.numbers))
    now = replace(
        drawn,
        seq=state.seq,
        numbers=event.numbers,
        game=event.game or (state.arrangement.game if state.arrangement is not None else ""),
        options=event.options,
        nonce=event.nonce,
        called_at=event.at,
        names={entrant: state.shown(entrant) for entrant in drawn.tables},
        ids={one.number: (one.id,) for one in state.tables.values() if one.inside},
    )
    if index:  # of a hundred rounds most have the same people and tables
        before = state.rounds[index - 1]
        now = replace(
            now,
            names=before.names if before.names == now.names else now.names,
            ids=before.ids if before.ids == now.ids else now.ids,
        )
    return _with_round(state, now)


def _appealed(state: HallState, event: events.VerdictAppealed) -> HallState:
    call = event.call or next((one.seq for one in state.called if one.number == event.round), 0)
    made = HallAppeal(
        state.seq, event.table, event.entry, event.reason, event.by, event.round, call, nonce=event.nonce
    )
    return replace(state, appeals=state.appeals | {made.seq: made})


def _again(state: HallState, event: events.CalledAgain) -> HallState:
    """Return *state* in which a game is to be played again: as after an appeal that was decided so."""
    _must(event.round <= len(state.called) and event.number in state.rounds[event.round - 1].ids)
    one = state.rounds[event.round - 1]
    table, call = one.ids[event.number][-1], state.call_of(one, event.number)
    made = HallAppeal(
        state.seq,
        table,
        0,
        event.reason,
        event.by,
        event.round,
        call,
        decision="again",
        why=event.reason,
        decided=state.seq,
        nonce=event.nonce,
    )
    return replace(state, appeals=state.appeals | {made.seq: made})


def _decided(state: HallState, event: events.AppealDecided) -> HallState:
    if event.appeal not in state.appeals:
        return state
    appeal = state.appeals[event.appeal]
    made = replace(appeal, decision=event.decision, why=event.reason, decided=state.seq)
    return replace(state, appeals=state.appeals | {event.appeal: made})


def needed(state: HallState) -> Arrangement:
    """Return what was arranged; raise BadInput when nothing was."""
    if state.arrangement is None:
        raise BadInput(text("No event is set up yet"))
    return state.arrangement


def missed(state: HallState) -> Mapping[int, int]:
    """Return how many heats were called before each entrant came."""
    heats = [one.number for one in state.heats]
    before = {one: bisect_left(heats, number) for one, number in state.from_round.items()}
    return {one: number for one, number in before.items() if number}


class TableGame(NamedTuple):
    """Who plays as table `number` of a round."""

    round: HallRound
    number: int
    entrants: tuple[int, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The ids of the tables that are, or were, this one."""
        return self.round.ids.get(self.number, ())


def tried_for(state: HallState, game: TableGame, sent: tuple[TableLog, ...]) -> list[CalledMatch]:
    """Return what was played for the call of *game*, the oldest first; see `HallState.call_of`.

    Who was let in later has sent later what it had played: a result that counts is not taken away by that.
    """
    call = state.call_of(game.round, game.number)
    nonce = game.round.nonce if call == game.round.seq else state.nonce_of(call)
    logs = sorted(sent, key=lambda log: state.tables[log.id].since)
    return [p for log in logs for p in log.played.get(call, ()) if p.nonce == nonce]


def chosen(state: HallState, game: TableGame, tried: list[CalledMatch]) -> CalledMatch | None:
    """Return which of what was *tried* is the game: the first that is signed off, or else has a result.

    What somebody has looked at and let lose against another stays out; and a machine at which its host has
    taken back or corrected what was signed off keeps its place until that is signed again.
    """
    cleared = state.cleared.get((game.round.number, game.number))
    machine = state.machine(game.round, game.number)
    kept = [p for p in tried if cleared is None or (p.id, p.began) not in cleared.out]
    if len(kept) < 2:
        return kept[0] if kept else None
    signed = [p for p in kept if p.signed or (p.reopened and machine is not None and machine.id == p.id)]
    best = signed or [p for p in kept if p.finished] or kept[-1:]
    return best[0] if best else None
