"""What the tables' logs say of the hall's rounds: results, what is doubtful in them, the standings. Pure.

A table's log is folded by the same code as at the table (`companion.evening.log`), so a correction or a
withdrawn verdict there corrects the standings here by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

import msgspec

from companion.core.text import Text, text
from companion.evening.entries import is_void
from companion.evening.events import AnyEvent, ZeroTested
from companion.evening.log import apply
from companion.evening.state import Evening, Match
from companion.hall.events import Cleared
from companion.hall.results import Placing, placings
from companion.hall.roster import key
from companion.hall.standings import StandingLine, TableResult, standings
from companion.hall.state import HallRound, HallState, missed

VOIDS = 3  # rounds that do not count, from which on somebody should look, if they are a third of all
FAR = 10  # times the median claim of the other tables


class CalledMatch(msgspec.Struct, frozen=True):
    """What table `id` has made of a call (its entry in the hall's log): its newest match for it.

    `zero` is the zero test of the evening, None when none was made.
    """

    id: str
    call: int
    match: Match
    zero: ZeroTested | None

    @property
    def finished(self) -> bool:
        """Whether the match has a result."""
        return self.match.finished

    @property
    def signed(self) -> bool:
        """Whether the table's host has signed it off."""
        return self.match.signed_by != ""


class TableLog(msgspec.Struct, frozen=True):
    """A table's log as far as the hall has it: its fold, and its match for each call, by the call's entry."""

    id: str
    evening: Evening = Evening()
    number: int = 0  # of the evening in the table's log
    played: dict[int, CalledMatch] = {}

    def plus(self, event: str, seq: int, evening: int, item: AnyEvent) -> TableLog:
        """Return the log with one more row; *event* is the id of the hall's event.

        Raises a CompanionError when the row does not follow from those before.
        """
        fresh = evening != self.number
        folded = apply(Evening() if fresh else self.evening, seq, item)
        played, parted = self.played, {one.seq for one in folded.parted.values()}
        for match in folded.matches:  # an older one, too: what was corrected counts as it is now
            number = entry_of(event, match.started.call)
            known, made = played.get(number), CalledMatch(self.id, number, match, folded.zero)
            newer = known is None or known.match.seq <= match.seq or known.match.seq in parted
            if number and newer and not match.parting and not _same(known, made):
                played = played | {number: made}
        return msgspec.structs.replace(self, evening=folded, number=evening, played=played)


def _same(known: CalledMatch | None, made: CalledMatch) -> bool:
    return known is not None and known.match is made.match and known.zero is made.zero


def call_of(event: str, seq: int) -> str:
    """Return how a table writes down by which entry of the hall's log it was called: no two calls are alike.

    >>> call_of("abcdefgh", 3), entry_of("abcdefgh", "abcdefgh.3"), entry_of("abcdefgh", "zzzzzzzz.3")
    ('abcdefgh.3', 3, 0)
    """
    return f"{event}.{seq}"


def entry_of(event: str, call: str) -> int:
    """Return the entry that *call* names, 0 when it is of another event or of none."""
    whose, _, number = call.rpartition(".")
    return int(number) if whose == event and number.isdecimal() else 0


class TableOutcome(msgspec.Struct, frozen=True):
    """How round `round` stands at table `number`.

    `state` is "waiting", "playing", "unsigned", "doubtful", "counts" or "typed"; `result` is there once
    the match has one; `doubts` say why somebody should look before it is announced.
    """

    round: int
    number: int
    entrants: tuple[int, ...]
    state: str
    result: TableResult | None = None
    doubts: tuple[Text, ...] = ()
    called: CalledMatch | None = None

    @property
    def open(self) -> bool:
        """Whether it has no result that counts."""
        return self.state not in ("counts", "typed")

    @property
    def to_play(self) -> bool:
        """Whether its game has still to be played to its end."""
        return self.state in ("waiting", "playing")


class _Game(NamedTuple):
    """Who plays as table `number` of a round."""

    round: HallRound
    number: int
    entrants: tuple[int, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The ids of the tables that are, or were, this one."""
        return self.round.ids.get(self.number, ())


class Tally:
    """How every table of every called round stands; only what has changed is worked out again.

    `logs` are those of the tables, as far as they are here.
    """

    def __init__(self) -> None:
        self.logs: dict[str, TableLog] = {}
        self._state: HallState | None = None
        self._games: dict[str, list[_Game]] = {}  # those that each table may play, or have played
        self._grown: set[str] = set()  # tables whose log has changed since outcomes were asked for
        self._due: list[_Game] = []  # to be worked out; stays so when one of them cannot be
        self._known: dict[tuple[int, int], TableOutcome] = {}  # by round and number, in the order of calling
        self._claims: dict[str, int | None] = {}
        self._unclaimed: set[str] = set()  # tables whose claim is to be worked out again
        self._made: tuple[TableOutcome, ...] = ()
        self.heat_lines: tuple[StandingLine, ...] = ()  # of the newest standings, as if no final was played
        self._lines: tuple[tuple[TableOutcome, ...], HallState, tuple[StandingLine, ...]] | None = None
        self._last: tuple[tuple[StandingLine, ...], tuple[StandingLine, ...]] | None = None

    def take(self, log: TableLog) -> None:
        """Take what has become of a table's log."""
        self.logs[log.id] = log
        self._grown.add(log.id)
        self._unclaimed.add(log.id)

    def try_out(self, log: TableLog) -> None:
        """Work out what *log* makes of its table's games; raise what that raises."""
        for game in self._games.get(log.id, ()):
            assert self._state is not None
            _outcome(self._state, game, (log,), lambda: {log.id: _claim(log)})

    def outcomes(self, state: HallState) -> tuple[TableOutcome, ...]:
        """Return the outcome of each table and round, in the order in which they were called."""
        if state is not self._state:
            self._state, self._known, self._games = state, {}, {}
            self._due = [
                _Game(one, *at) for one in state.called for at in zip(one.numbers, one.seats, strict=True)
            ]
            for game in self._due:
                for table in game.tables:
                    self._games.setdefault(table, []).append(game)
        else:
            self._due += [game for table in self._grown for game in self._games.get(table, ())]
        self._grown.clear()
        for game in self._due:
            sent = tuple(self.logs[table] for table in game.tables if table in self.logs)
            self._known[game.round.number, game.number] = _outcome(state, game, sent, self._all_claims)
        if self._due or len(self._made) != len(self._known):
            self._made = tuple(self._known.values())
        self._due = []
        return self._made

    def lines(self, state: HallState, found: tuple[TableOutcome, ...]) -> tuple[StandingLine, ...]:
        """Return the standings; only worked out when a result or the hall's own log has changed."""
        decided = tuple(one for one in found if not one.open)
        known = self._lines
        if (
            known is None
            or known[1] is not state
            or len(known[0]) != len(decided)
            or any(a is not b for a, b in zip(known[0], decided, strict=True))
        ):
            self.heat_lines = before_the_final(state, found)
            known = self._lines = decided, state, _with_final(state, found, self.heat_lines)
        return known[2]

    def last_lines(self, state: HallState, found: tuple[TableOutcome, ...]) -> tuple[StandingLine, ...]:
        """Return the standings when all is played: who has played nothing does not any more."""
        lines = self.lines(state, found)
        if self._last is None or self._last[0] is not lines:
            nobody = msgspec.structs.replace(state, there=frozenset())
            self._last = lines, _with_final(state, found, before_the_final(nobody, found))
        return self._last[1]

    def _all_claims(self) -> dict[str, int | None]:
        """Return what each table's verdicts claim: only asked for when there is a result to compare."""
        for table in self._unclaimed:
            self._claims[table] = _claim(self.logs[table])
        self._unclaimed.clear()
        return self._claims


def _outcome(
    state: HallState,
    game: _Game,
    sent: tuple[TableLog, ...],
    claims: Callable[[], Mapping[str, int | None]],
) -> TableOutcome:
    one, number, entrants = game
    found = TableOutcome(one.number, number, entrants, "waiting")
    tried = [log.played[one.seq] for log in sent if one.seq in log.played]
    # What was played before an appeal was decided so is played again.
    tried = [p for p in tried if p.match.seq > state.again_after(one.seq, p.id)]
    done = [p for p in tried if p.finished]
    best = [p for p in done if p.signed] or done or tried[-1:]
    played = best[0] if best else None
    found = msgspec.structs.replace(found, called=played)
    typed = state.typed.get((one.number, number))
    if typed is not None:
        result = TableResult(one.number, number, typed_placings(typed.places))
        return msgspec.structs.replace(found, state="typed", result=result)
    if played is None:
        return found
    placed = placings(played.match)
    if placed is None:
        return msgspec.structs.replace(found, state="playing")
    by_name = {key(one.names[entrant]): entrant for entrant in entrants}
    known = tuple((by_name[key(p.player)], p) for p in placed if key(p.player) in by_name)
    result = TableResult(one.number, number, known)
    doubts = _doubts(
        state, played, claims(), strangers=len(known) != len(entrants) or len(placed) != len(known)
    )
    seen = _looked_at(state.cleared.get((one.number, number)), result, doubts)
    kind = "unsigned" if not played.signed else "doubtful" if doubts and not seen else "counts"
    return msgspec.structs.replace(found, state=kind, result=result, doubts=doubts)


def merits(result: TableResult) -> tuple[tuple[int, int, int], ...]:
    """Return everybody's place and letters: (entrant, place, letters)."""
    return tuple(sorted((entrant, one.place, one.letters) for entrant, one in result.placings))


def _looked_at(cleared: Cleared | None, result: TableResult, doubts: tuple[Text, ...]) -> bool:
    """Return whether it was this *result*, with these *doubts*, that the organiser has *cleared*."""
    if cleared is None or not cleared.found:
        return cleared is not None
    return cleared.found == merits(result) and {str(one) for one in doubts} <= set(cleared.doubts)


def typed_placings(places: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, Placing], ...]:
    """Return the placings that groups of entrants, best first, come to."""
    out: list[tuple[int, Placing]] = []
    for group in places:
        before = len(out)
        out += [(entrant, Placing("", before + 1)) for entrant in group]
    return tuple(out)


def _doubts(
    state: HallState, played: CalledMatch, claims: Mapping[str, int | None], *, strangers: bool
) -> tuple[Text, ...]:
    """Return why a result should be looked at before anybody is told of it."""
    out: list[Text] = []
    judged = [entry for entry in played.match.entries if entry.number and entry.stands]
    voids = sum(map(is_void, judged))
    if strangers:
        out.append(text("Other people played there than were drawn."))
    if played.match.ended:
        out.append(text("The game was ended by hand."))
    if any(e.correction is not None and e.correction.get("type") == "last" for e in judged):
        out.append(text("Who was last was corrected by hand."))
    if any(entry.contested for entry in judged):
        out.append(text("A verdict is contested, and the table has not decided."))
    if voids >= VOIDS and 3 * voids >= len(judged):
        out.append(text("{n} of {all} rounds did not count.", n=voids, all=len(judged)))
    others = [claim for one, claim in claims.items() if one != played.id and claim is not None]
    mine = claims.get(played.id)
    if mine is not None and len(others) >= 2 and mine > FAR * median(others):
        out.append(text("Its verdicts are far less sure than those of the other tables."))
    if judged and played.zero is None and not any(n == _number(state, played) for _, n in state.cleared):
        out.append(text("This table has made no zero test."))
    return tuple(out)


def _number(state: HallState, played: CalledMatch) -> int:
    return state.tables[played.id].number if played.id in state.tables else 0


def _claim(log: TableLog) -> int | None:
    """Return the median of what the verdicts of this evening claim, in ns; None without any."""
    found = [
        entry.verdict.u_ns
        for match in log.evening.matches
        for entry in match.entries
        if entry.verdict is not None and entry.verdict.u_ns is not None
    ]
    return int(median(found)) if found else None


def counted(found: tuple[TableOutcome, ...]) -> tuple[TableResult, ...]:
    """Return the results that count."""
    return tuple(one.result for one in found if not one.open and one.result is not None)


def before_the_final(state: HallState, found: tuple[TableOutcome, ...]) -> tuple[StandingLine, ...]:
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
    )


def _absent(state: HallState, found: tuple[TableOutcome, ...]) -> frozenset[int]:
    """Return who is not there, has no result that counts, a final's either, and may get none any more."""
    played = {entrant for one in counted(found) for entrant, _ in one.placings}
    playing = {entrant for one in found if one.open for entrant in one.entrants}
    return frozenset(state.people) - state.there - played - playing


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
    last = text("in the final")
    first = sorted((one for one in lines if one.entrant in place), key=lambda one: place[one.entrant])
    ahead = [place[one.entrant] for one in first if one.place is not None]  # a guest has no place here either
    rest = [one for one in lines if one.entrant not in place]
    top = [
        msgspec.structs.replace(one, place=1 + sum(mine < place[one.entrant] for mine in ahead), decided=last)
        if one.place is not None
        else one
        for one in first
    ]
    ranked = [one for one in rest if one.place is not None]
    renumbered = {
        one.entrant: len(ahead) + 1 + sum(1 for other in ranked if (other.place or 0) < (one.place or 0))
        for one in ranked
    }
    return (
        *top,
        *(msgspec.structs.replace(one, place=renumbered.get(one.entrant)) for one in rest),
    )
