"""What the tables' logs say of the hall's rounds: results, what is doubtful in them, the standings. Pure.

A table's log is folded by the same code as at the table (`companion.evening.log`), so a correction or a
withdrawn verdict there corrects the standings here by itself. Which round a table plays now is the newest, or
an earlier one of which it has no result.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.evening.state import is_void
from lastnose.companion.event.events import Cleared
from lastnose.companion.event.standings import (
    Placing,
    Scores,
    StandingLine,
    TableResult,
    common,
    standings,
    typed_placings,
)
from lastnose.companion.event.state import HallRound, HallState, TableGame, chosen, missed, tried_for
from lastnose.companion.event.table_log import CalledMatch, Sums, TableLog, called_by, decided, taken_out
from lastnose.companion.games import get_game

BEYOND = text(
    "By an appeal a deal does not count, and its table cannot play on: type the result, or let it be played "
    "again."
)
VOIDS = 3  # rounds that do not count, from which on somebody should look, if they are a third of all
FAR = 10  # times the median claim of the other tables


class TableOutcome(msgspec.Struct, frozen=True, gc=False):
    """How round `round` stands at table `number`.

    `state` is "waiting", "playing", "unsigned", "doubtful", "counts" or "typed"; `result` is there once
    the match has one; `doubts` say why somebody should look before it is announced. `other` says that another
    machine has sent another result, and nobody has looked at that; `others` are all that other machines have
    sent. `past`: see `TableLog.past`. `void` is the first round of its game that does not count by an appeal,
    and that its host has not taken out; 0: none. `beyond`: its table cannot play that game on, as it has
    begun another since, or is out. `unfounded` are rounds of it whose verdicts do not follow from their
    edges, and about which nobody has decided.
    """

    round: int
    number: int
    entrants: tuple[int, ...]
    state: str
    result: TableResult | None = None
    doubts: tuple[Text, ...] = ()
    called: CalledMatch | None = None
    other: Text | None = None
    others: tuple[CalledMatch, ...] = ()
    past: str = ""
    void: int = 0
    beyond: bool = False
    unfounded: tuple[int, ...] = ()
    protested: bool = False

    @property
    def lacks(self) -> bool:
        """Whether somebody who was drawn has no place in its result: that never counts."""
        return self.result is not None and len(self.result.placings) < len(self.entrants)

    @property
    def open(self) -> bool:
        """Whether it has no result that counts."""
        return self.state not in ("counts", "typed")

    @property
    def to_play(self) -> bool:
        """Whether its game has still to be played to its end, and will be."""
        return self.state in ("waiting", "playing") and not self.stuck

    @property
    def to_clear(self) -> tuple[Text, ...]:
        """What an organiser has seen who says now that its result counts."""
        return self.doubts if self.other is None or self.state == "doubtful" else (*self.doubts, self.other)

    @property
    def mark(self) -> str:
        """What tells what is to be looked at from anything else that could be."""
        assert self.result is not None
        said = msgspec.json.encode((merits(self.result), [str(one) for one in self.to_clear]))
        return f"{zlib.crc32(said):08x}"

    @property
    def to_sign(self) -> bool:
        """Whether the table's host can sign its result off."""
        return self.state == "unsigned" and not self.stuck

    @property
    def stuck(self) -> bool:
        """Whether it has no result, and its table something newer: only the newest game goes on."""
        return self.past != "" and self.state in ("playing", "unsigned")


class Tally:
    """How every table of every called round stands; only what has changed is worked out again.

    `logs` are those of the tables, as far as they are here.
    """

    def __init__(self) -> None:
        self.logs: dict[str, TableLog] = {}
        self._state: HallState | None = None
        # What each table may play, or has played, by the entry that called it.
        self._games: dict[str, dict[int, tuple[TableGame, ...]]] = {}
        self._grown: dict[str, set[int] | None] = {}  # tables whose log has changed, and for which calls
        self._far: set[str] = set()  # tables whose verdicts are far less sure than those of others
        self._due: list[TableGame] = []  # to be worked out; stays so when one of them cannot be
        self._known: dict[tuple[int, int], TableOutcome] = {}  # by round and number, in the order of calling
        self._claims = _Claims({})
        self._unclaimed: set[str] = set()  # tables whose claim is to be worked out again
        self._made: tuple[TableOutcome, ...] = ()
        self._scores = Scores()
        self.heat_lines: tuple[StandingLine, ...] = ()  # of the newest standings, as if no final was played
        self._lines: tuple[tuple[TableOutcome, ...], HallState, tuple[StandingLine, ...]] | None = None
        self._last: tuple[tuple[StandingLine, ...], tuple[StandingLine, ...]] | None = None

    def take(self, log: TableLog) -> None:
        """Take what has become of a table's log."""
        was, self.logs[log.id] = self.logs.get(log.id), log
        changed, known = _calls_changed(was, log), self._grown.get(log.id, set())
        if changed is None or changed:
            self._grown[log.id] = None if changed is None or known is None else known | changed
            self._unclaimed.add(log.id)

    def try_out(self, log: TableLog) -> None:
        """Work out what *log* makes of its table's games; raise what that raises."""
        _Claims({log.id: log.claim})
        for game in self._played_by(log.id, None):
            assert self._state is not None
            _outcome(self._state, game, (log,), self._far)

    def outcomes(self, state: HallState) -> tuple[TableOutcome, ...]:
        """Return the outcome of each table and round, in the order in which they were called."""
        if state is not self._state:
            self._begin(state)
        self._due = self._all_due()
        self._grown.clear()
        for game in self._due:
            sent = tuple(self.logs[table] for table in game.tables if table in self.logs)
            self._known[game.round.number, game.number] = _outcome(state, game, sent, self._far)
        if self._due or len(self._made) != len(self._known):
            self._made = tuple(self._known.values())
        self._due = []
        return self._made

    def _begin(self, state: HallState) -> None:
        """Follow *state*: what it says otherwise than the one before is due to be worked out."""
        was, same, changed = self._state, 0, set[int]()
        if was is not None and not self._due and _seats_alike(was, state):
            same = common(was.called, state.called)
            changed = _numbers_of(was.typed, state.typed) | _numbers_of(was.cleared, state.cleared)
        if was is not None:
            for one in was.called[same:]:
                self._forget(one)
        moved = {table for table in self._games if changed and state.tables[table].number in changed}
        self._state, self._due = state, []
        for game in _games_of(state.called[:same] if changed else ()):
            if game.number in changed or not moved.isdisjoint(game.tables):
                self._due.append(game)
        for game in _games_of(state.called[same:]):
            where = game.round.number, game.number
            self._known[where] = TableOutcome(*where, game.entrants, "waiting")
            for table in game.tables:
                games = self._games.setdefault(table, {})
                games[game.round.seq] = (*games.get(game.round.seq, ()), game)
            self._due.append(game)

    def _forget(self, one: HallRound) -> None:
        """Take that round *one* is no more, or another one."""
        for number in one.numbers:
            del self._known[one.number, number]
        for games in self._games.values():
            games.pop(one.seq, None)

    def _all_due(self) -> list[TableGame]:
        """Return what is to be worked out: also by what a table's log says now, or by how sure it is."""
        due = {(game.round.number, game.number): game for game in self._due}
        tables: dict[str, set[int] | None] = {table: set() for game in self._due for table in game.tables}
        tables |= {table: calls for table, calls in self._grown.items() if table in self._games}
        while tables:
            table, calls = tables.popitem()
            for game in self._played_by(table, None if self._sureness_changed(table) else calls):
                where = game.round.number, game.number
                if where not in due:
                    due[where] = game
                    tables |= {other: set() for other in {*game.tables} - {*tables, table}}
        return list(due.values())

    def _played_by(self, table: str, calls: set[int] | None) -> Iterator[TableGame]:
        """Yield the games of *table* that are, or were first, for *calls*; all where it is None."""
        games, appeals = self._games.get(table, {}), self._state.appeals if self._state is not None else {}
        for call in games if calls is None else calls:
            first = call
            while first in appeals:  # played again: see `HallState.call_of`
                first = appeals[first].call
            yield from games.get(first, ())

    def _sureness_changed(self, table: str) -> bool:
        """Return whether its verdicts are far less sure than others now, or no more: of all its games."""
        was, now = table in self._far, self._all_claims().is_far(table)
        (self._far.add if now else self._far.discard)(table)
        return was is not now

    def lines(self, state: HallState, found: tuple[TableOutcome, ...]) -> tuple[StandingLine, ...]:
        """Return the standings; worked out only when a result, a round or the list has changed."""
        decided = tuple(one for one in found if not one.open)
        known = self._lines
        if known is None or not (_all_are(known[0], decided) and _ranks_alike(known[1], state)):
            self.heat_lines = _before_the_final(state, found, self._scores)
            known = self._lines = decided, state, _with_final(state, found, self.heat_lines)
        return known[2]

    def last_lines(self, state: HallState, found: tuple[TableOutcome, ...]) -> tuple[StandingLine, ...]:
        """Return the standings when all is played: who has played nothing does not any more."""
        lines = self.lines(state, found)
        if self._last is None or self._last[0] is not lines:
            nobody = msgspec.structs.replace(state, there=frozenset())
            self._last = lines, _with_final(state, found, _before_the_final(nobody, found, self._scores))
        return self._last[1]

    def _all_claims(self) -> _Claims:
        """Return what each table's verdicts claim: only asked for when a table was called."""
        if self._unclaimed:
            made = {table: self.logs[table].claim for table in self._unclaimed}
            self._unclaimed.clear()
            self._claims = _Claims(self._claims.of | made)
        return self._claims


def _calls_changed(was: TableLog | None, now: TableLog) -> set[int] | None:
    """Return for which calls *now* has other games than *was*, or a newest one; None: perhaps for all.

    An outcome rests on the game, on whether its table has a newer one, and on which rounds are unfounded.
    """
    if was is None or was.number != now.number or was.unfounded != now.unfounded:
        return None
    calls = was.played.keys() | now.played.keys()
    changed = {call for call in calls if was.played.get(call) is not now.played.get(call)}
    same = was.evening.matches is now.evening.matches and was.claims is now.claims  # a round was armed
    newest = {log.evening.matches[-1].started.call for log in (was, now) if log.evening.matches and not same}
    return changed | set(map(called_by, newest))


def _games_of(called: Iterable[HallRound]) -> Iterator[TableGame]:
    for one in called:
        for number, seats in zip(one.numbers, one.seats, strict=True):
            yield TableGame(one, number, seats)


def _all_are(ones: Sequence[object], others: Sequence[object]) -> bool:
    return len(ones) == len(others) == common(ones, others)


def _seats_alike(was: HallState, now: HallState) -> bool:
    """Return whether nothing differs of what all outcomes rest on besides logs and what was called."""
    return all(getattr(was, part) is getattr(now, part) for part in ("tables", "appeals", "people"))


def _ranks_alike(was: HallState, now: HallState) -> bool:
    """Return whether nothing differs of what standings rest on besides results."""
    return _all_are(was.rounds, now.rounds) and all(
        getattr(was, part) is getattr(now, part) for part in ("arrangement", "people", "there", "from_round")
    )


class _Claims:
    """What each table's verdicts claim, in ns, None of one without any."""

    def __init__(self, of: Mapping[str, int | None]) -> None:
        self.of = dict(of)
        self._sorted = sorted(one for one in self.of.values() if one is not None)

    def is_far(self, table: str) -> bool:
        """Return whether *table* claims far more than the median of the others, of which there are two."""
        mine, others = self.of.get(table), len(self._sorted) - 1
        if mine is None or others < 2:
            return False
        at = bisect_left(self._sorted, mine)
        low, high = (self._sorted[n if n < at else n + 1] for n in ((others - 1) // 2, others // 2))
        return 2 * mine > FAR * (low + high)


def _outcome(
    state: HallState,
    game: TableGame,
    sent: tuple[TableLog, ...],
    far: Collection[str],
) -> TableOutcome:
    """Return how *game* stands by what its tables have *sent*; *far*: see `_Claims.is_far`."""
    tried = tried_for(state, game, sent)
    played = chosen(state, game, tried)
    found = _played(state, game, played, sent, tried)
    typed = state.typed.get((found.round, found.number))
    if typed is not None:
        result = TableResult(found.round, found.number, typed_placings(typed.places))
        return msgspec.structs.replace(found, state="typed", result=result)
    if played is None or (placed := (sums := played.sums).placed) is None:
        return found
    result = _result(game, placed)
    strangers = not len(result.placings) == len(found.entrants) == len(placed)
    doubts = _to_be_void(found) + _of_edges(found)
    doubts += _doubts(state, played, sums, strangers=strangers, far=played.id in far)
    cleared = _cleared(state, found, played)
    seen = not doubts or _looked_at(cleared, result, doubts)
    kind = "unsigned" if not sums.signed else "counts" if seen else "doubtful"
    other = _other(state, game, result, found.others) if found.others else None
    other = None if other is not None and _looked_at(cleared, result, (other,)) else other
    return msgspec.structs.replace(found, state=kind, result=result, doubts=doubts, other=other)


def _played(
    state: HallState,
    game: TableGame,
    played: CalledMatch | None,
    sent: tuple[TableLog, ...],
    tried: list[CalledMatch],
) -> TableOutcome:
    """Return the outcome of *game* but for its result: that *played* of what was *tried* is it."""
    one, number, entrants = game
    if played is None:
        return TableOutcome(one.number, number, entrants, "waiting")
    machine, sums = state.machine(one, number), played.sums
    mine = machine is not None and machine.id == played.id
    past = next(log.past(sums.newest) for log in sent if log.id == played.id) if mine else ""
    typed = (one.number, number) in state.typed
    return TableOutcome(
        one.number,
        number,
        entrants,
        "playing",
        called=played,
        others=tuple(p for p in tried if p.id != played.id and p.signed),
        past="" if typed else past,
        void=_to_take_out(state, played),
        beyond=not typed and (not mine or past != ""),
        unfounded=() if typed else _unfounded(state, played, sent),
        protested=sums.protested,
    )


def _to_take_out(state: HallState, played: CalledMatch | None) -> int:
    """Return the first round of *played* that counts although the last appeal to it took it out; 0: none."""
    if played is None:
        return 0
    void = taken_out(state.appeals.values(), played) if state.appeals else ()
    if not void:
        return 0
    found = (e for e in played.entries if e.seq in void and e.number and e.stands and not is_void(e))
    return next((entry.number for entry in found), 0)


def _to_be_void(found: TableOutcome) -> tuple[Text, ...]:
    """Return that a round of a game has still to be taken out by an appeal, and who can do what about it."""
    if not found.void:
        return ()
    if found.beyond:
        return (BEYOND,)
    return (said_of_void(found.void),)


def said_of_void(number: int) -> Text:
    """Return that round *number* of a game has to be taken out at its table."""
    return text("Round {n} of its game does not count, by an appeal: its host has to take it out.", n=number)


def _unfounded(state: HallState, played: CalledMatch, sent: tuple[TableLog, ...]) -> tuple[int, ...]:
    """Return the rounds of *played* that hold, do not follow from their edges, and wait for a decision."""
    known = next(log.unfounded for log in sent if log.id == played.id)
    if not known:
        return ()
    told = decided(state.appeals.values(), played.call, played.id)
    return tuple(
        e.seq
        for e in played.entries
        if e.seq in known and e.seq not in told and e.stands and e.correction is None and not is_void(e)
    )


def _of_edges(found: TableOutcome) -> tuple[Text, ...]:
    """Return that rounds of a game do not follow from their edges."""
    n = len(found.unfounded)
    if not n:
        return ()
    return (
        texts(
            "Of {n} round the edges say otherwise than its verdict.",
            "Of {n} rounds the edges say otherwise than their verdicts.",
            n=n,
        ),
    )


def _result(game: TableGame, placed: tuple[Placing, ...]) -> TableResult:
    """Return the places of those who were drawn, among themselves."""
    by_name = {alike(game.round.names[entrant]): entrant for entrant in game.entrants}
    known = [(by_name[alike(one.player)], one) for one in placed if alike(one.player) in by_name]
    places = sorted(one.place for _, one in known)
    among = ((who, _placing(1 + places.index(one.place), one.letters, one.deals)) for who, one in known)
    return TableResult(game.round.number, game.number, tuple(among))


@lru_cache(maxsize=4096)
def _placing(place: int, letters: int, deals: int) -> Placing:
    """Return a placing of who is known by number: the same for all, as there are so many."""
    return Placing("", place, letters, deals)


def _other(
    state: HallState, game: TableGame, result: TableResult, played: tuple[CalledMatch, ...]
) -> Text | None:
    """Return in words that another machine has *played* to another end than *result*, None if none has."""
    places = {entrant: one.place for entrant, one in result.placings}
    for one in played:
        found = _result(game, one.sums.placed or ()).placings
        if {entrant: placing.place for entrant, placing in found} != places:
            first = [state.written(game.round.number, who) for who, placing in found if placing.place == 1]
            return text(
                "Another machine has sent another result: there {players} came first.", players=listing(first)
            )
    return None


def merits(result: TableResult) -> tuple[tuple[int, int, int], ...]:
    """Return everybody's place and letters: (entrant, place, letters)."""
    return tuple(sorted((entrant, one.place, one.letters) for entrant, one in result.placings))


def _cleared(state: HallState, found: TableOutcome, played: CalledMatch) -> Cleared | None:
    """Return what an organiser has looked at of *played*, None where that was another game."""
    cleared = state.cleared.get((found.round, found.number))
    return cleared if cleared is not None and cleared.call in (0, played.call) else None


def _looked_at(cleared: Cleared | None, result: TableResult, doubts: tuple[Text, ...]) -> bool:
    """Return whether it was this *result*, with these *doubts*, that the organiser has *cleared*."""
    if cleared is None or not cleared.found:
        return cleared is not None
    return cleared.found == merits(result) and {str(one) for one in doubts} <= set(cleared.doubts)


def _doubts(
    state: HallState,
    played: CalledMatch,
    sums: Sums,
    *,
    strangers: bool,
    far: bool,
) -> tuple[Text, ...]:
    """Return why else a result should be looked at before anybody is told of it."""
    out: list[Text] = []
    if strangers:
        out.append(text("Other people played there than were drawn."))
    if sums.ended:
        out.append(text("The game was ended by hand."))
    if sums.corrected:
        out.append(text("Who was last was corrected by hand."))
    if sums.contested:
        out.append(text("A verdict is contested, and the table has not decided."))
    if sums.voids >= VOIDS and 3 * sums.voids >= sums.judged:
        out.append(text("{n} of {all} rounds did not count.", n=sums.voids, all=sums.judged))
    if far:
        out.append(text("Its verdicts are far less sure than those of the other tables."))
    if sums.judged and not played.zero and not any(n == _number(state, played) for _, n in state.cleared):
        out.append(text("This table has made no zero test."))
    return tuple(out)


def _number(state: HallState, played: CalledMatch) -> int:
    return state.tables[played.id].number if played.id in state.tables else 0


def _numbers_of(was: Mapping[tuple[int, int], object], now: Mapping[tuple[int, int], object]) -> set[int]:
    """Return the tables of which *now* says otherwise than *was*."""
    if was is now:
        return set()
    return {
        number for one, number in was.keys() | now.keys() if was.get((one, number)) != now.get((one, number))
    }


def counted(found: tuple[TableOutcome, ...]) -> tuple[TableResult, ...]:
    return tuple(one.result for one in found if not one.open and one.result is not None)


def _before_the_final(
    state: HallState, found: tuple[TableOutcome, ...], scores: Scores
) -> tuple[StandingLine, ...]:
    """Return the standings after the heats; a final, and what leads to it, has an order of its own."""
    heats = {one.number for one in state.rounds if one.kind == "heat"}
    guests = frozenset(number for number, person in state.people.items() if person.guest)
    arrangement = state.arrangement
    return standings(
        sorted(state.people),
        [one for one in counted(found) if one.round in heats],
        guests=guests,
        absent=_absent(state, found),
        missed=missed(state),
        mean_for_missed=arrangement is not None and arrangement.late == "mean",
        came_to=_came_to(state),
        scores=scores,
    )


def _absent(state: HallState, found: tuple[TableOutcome, ...]) -> frozenset[int]:
    """Return who is not there, has no result that counts, a final's either, and may get none any more."""
    gone = frozenset(state.people) - state.there
    if not gone:
        return gone
    played = {entrant for one in counted(found) for entrant, _ in one.placings}
    playing = {entrant for one in found if one.open for entrant in one.entrants}
    return gone - played - playing


def closing(state: HallState) -> tuple[HallRound, ...]:
    """Return the final, and the ties before it, if no other round was called since."""
    heats = [place for place, one in enumerate(state.called, 1) if one.kind == "heat"]
    return state.called[heats[-1] if heats else 0 :]


def _came_to(state: HallState) -> dict[int, int]:
    """Return the last round to which each was called, if only the better half goes on."""
    if state.arrangement is None or state.arrangement.format != "knock-out":
        return {}
    return {entrant: one.number for one in state.called for table in one.seats for entrant in table}


def _with_final(
    state: HallState, found: tuple[TableOutcome, ...], lines: tuple[StandingLine, ...]
) -> tuple[StandingLine, ...]:
    """Put who played the final before the others, in its order."""
    finals = {one.number for one in closing(state) if one.kind == "final"}
    results = [one for one in counted(found) if one.round in finals]
    if not results:
        return lines
    place = {entrant: placing.place for entrant, placing in results[-1].placings}
    last = text("The final")
    first = sorted((one for one in lines if one.entrant in place), key=lambda one: place[one.entrant])
    ahead = [place[one.entrant] for one in first if one.place is not None]  # a guest has no place here either
    rest = [one for one in lines if one.entrant not in place]
    top = [
        msgspec.structs.replace(one, place=1 + sum(mine < place[one.entrant] for mine in ahead), decided=last)
        if one.place is not None
        else one
        for one in first
    ]
    ranked = sorted(one.place for one in rest if one.place is not None)
    return (
        *top,
        *(
            one
            if one.place is None
            else msgspec.structs.replace(one, place=len(ahead) + 1 + bisect_left(ranked, one.place))
            for one in rest
        ),
    )


def without_noses(game: str) -> bool:
    """Return whether *game* keeps a score sheet: nobody is asked to touch a nose."""
    return game != "" and not get_game(game).watched


def by_hand(state: HallState, outcome: TableOutcome) -> bool:
    """Return whether too few sit at a table for its game: they settle it by hand, and it is typed."""
    return len(outcome.entrants) < get_game(state.rounds[outcome.round - 1].game).seats[0]


def games_now(state: HallState, found: tuple[TableOutcome, ...]) -> dict[int, TableOutcome]:
    """Return the outcome of the game that each table is called for, or has played last, by its number.

    An appeal can be decided so that a game of an earlier round is played again: its table plays it as soon as
    the newest round waits neither for that table nor for anybody who sits there.
    """
    newest = state.now
    if newest is None:
        return {}
    games = {one.number: one for one in found if one.round == newest.number}
    busy = {entrant for one in games.values() if one.to_play for entrant in one.entrants}
    taken = {one.number for one in games.values() if one.to_play or one.to_sign}
    for one in found:
        if one.round == newest.number or not one.to_play or one.number in taken:
            continue
        if busy.isdisjoint(one.entrants):
            games[one.number] = one
            taken.add(one.number)
            busy.update(one.entrants)
    return games
