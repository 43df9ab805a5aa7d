"""The hall's copies of the tables' logs, folded; what cannot be read of one concerns its table alone.

Nobody's verdict is believed, only edges: each row that names who was last is judged again.

A row may be of a newer version, or forged by who has its table's key. Most such rows are refused by the fold.
A row that fits there, and of whose log something cannot be made all the same (a sentence, a photo finish, a
result), is only found by making it. That is done where it is shown, and not here once more for every row: who
meets an error there says so with `doubt`. From then on each row of that one table is tried when it comes.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar

import msgspec
from lastnose import companion
from lastnose.companion.core.decode import check_numbers
from lastnose.companion.core.errors import CompanionError, StoreError
from lastnose.companion.core.model import Armed, Input, Verdict
from lastnose.companion.core.text import must_be_sayable
from lastnose.companion.evening.events import (
    DECODER,
    AnyEvent,
    RoundArmed,
    RoundJudged,
    Started,
    VerdictCompleted,
)
from lastnose.companion.evening.state import Evening, Match, find
from lastnose.companion.event.standings import placings
from lastnose.companion.event.state import HallRound, HallState, HallTable
from lastnose.companion.event.table_log import SUMS, Base, KeptGame, NeedsAll, TableLog, is_over, opened
from lastnose.companion.event.tally import Tally
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.wire import unread
from lastnose.companion.table.log_file import LogRow
from lastnose.companion.timing import Rejudging, Settings, rejudge
from lastnose.companion.views.scoreboard import make, round_view
from lastnose.companion.views.snapshot import Live
from msgspec.structs import replace

KEPT = 3  # rounds of a table whose edges are at hand: what comes late says more of the newest
MOST = 20_000  # edges of a round, more than any has: judging them would take seconds
LONGEST_NS = 1_000_000_000  # of the settings, as for an appeal
T = TypeVar("T")
AT_HAND = 256  # games that are over and were asked for
MOST_WHOLE = 3  # times that a table is folded whole, after which its games stay at hand
BASE, GAME = msgspec.msgpack.Decoder(Base), msgspec.msgpack.Decoder(KeptGame)
ENCODE = msgspec.msgpack.encode
_log = logging.getLogger("lastnose.hall")
TOLD_BY = ("core", "evening", "games", "timing", "event", "link")  # the rooms that say what a log comes to


class _Round:
    """A round whose edges are at hand: how it was armed and judged, and what has come `late`."""

    def __init__(self, armed: Armed, judged: RoundJudged, lines: dict[str, int]) -> None:
        self._armed, self._judged, self._lines = armed, judged, lines
        self._late: tuple[Input, ...] = ()
        self._again: Rejudging | None = None  # what its edges have said up to now, while it is the newest

    def complete(self, inputs: tuple[Input, ...]) -> None:
        """Take *inputs* that came late."""
        self._late += inputs

    def rest(self) -> None:
        """Take that another round was armed: what is still to come late is rare."""
        self._again = None

    def follows(self, told: Verdict) -> bool:
        """Return whether the edges, with what has come late, say what was *told*."""
        if len(self._judged.inputs) + len(self._late) > MOST:
            return False
        judged = self._judged
        if not 0 < judged.confirm_ns <= judged.lockout_ns <= LONGEST_NS:
            return False
        again = self._verdict()
        return again.void is None and (told == again or _same(told, again)) and _same_margin(told, again)

    def _verdict(self) -> Verdict:
        armed, judged, lines, again = self._armed, self._judged, self._lines, self._again
        if again is None:
            settings = Settings(confirm_ns=judged.confirm_ns, lockout_ns=judged.lockout_ns, rearm_ns=None)
            if judged.question != "last" or judged.hold or judged.rack is not None:
                inputs = (*judged.inputs, *self._late)
                return rejudge(inputs, armed, lines, settings, judged.hold, judged.rack, judged.question)
            again = Rejudging(armed, lines, settings)
        self._again = None if self._late else again
        return again.end(judged.inputs, self._late) if self._late else again.begin(judged.inputs)


class TableEdges:
    """The edges of a table's newest rounds."""

    def __init__(self) -> None:
        self._armed: RoundArmed | None = None
        self._rounds: dict[int, _Round] = {}

    def take(self, seq: int, event: AnyEvent, evening: Evening) -> None:
        """Take row *seq*, after which the table's evening is *evening*."""
        if isinstance(event, RoundArmed):
            self._armed = event
            for one in self._rounds.values():
                one.rest()
        elif isinstance(event, RoundJudged):
            armed, self._armed = self._armed, None
            if armed is not None:
                self._rounds[seq] = _Round(armed.armed, event, _lines(evening.matches[-1]))
            while len(self._rounds) > KEPT:
                del self._rounds[next(iter(self._rounds))]
        elif isinstance(event, VerdictCompleted) and event.of in self._rounds:
            self._rounds[event.of].complete(event.inputs)

    def contradict(self, seq: int, event: AnyEvent, before: Evening) -> int:
        """Return the entry of a round that row *seq*, just taken, tells otherwise than its edges do; 0: none.

        *before* is the evening without that row.
        """
        if isinstance(event, RoundJudged):
            return 0 if _follows(self._rounds.get(seq), event.verdict) else seq
        if isinstance(event, VerdictCompleted):
            known = self._rounds.get(event.of)
            follows = _same_last(event, before) if known is None else _follows(known, event.verdict)
            return 0 if follows else event.of
        return 0


def _lines(match: Match) -> dict[str, int]:
    return {line: seat for seat, line in enumerate(match.started.lines, 1) if line}


def _same_last(event: VerdictCompleted, before: Evening) -> bool:
    """Return whether what has come late names whom the round named, of which the edges are not at hand."""
    try:
        known = find(before, event.of)[2].verdict
    except CompanionError:
        return False
    return known is not None and (known.named, known.void) == (event.verdict.named, event.verdict.void)


def _follows(known: _Round | None, told: Verdict) -> bool:
    """Return whether the edges of a round say what was *told* of it; one that names nobody claims nothing."""
    return told.void is not None or not told.named or (known is not None and known.follows(told))


def _same(told: Verdict, again: Verdict) -> bool:
    """Return whether both name the same, and *told* no other order than *again*, which may know more."""
    named = (told.last, told.first, told.opener) == (again.last, again.first, again.opener)
    return named and told.order == again.order[: len(told.order)]


def _same_margin(told: Verdict, again: Verdict) -> bool:
    """Return whether the margin that is *told*, if any, is what the edges give, and no sharper."""
    if told.margin_ns is None:
        return True
    told_u_ns, again_u_ns = told.margin_u_ns, again.margin_u_ns
    if again.margin_ns is None or again_u_ns is None or told_u_ns is None:
        return False
    return abs(told.margin_ns - again.margin_ns) <= again_u_ns <= told_u_ns


class Copies:
    """Folds rows of tables into *tally*, for the event with the id *event*.

    *store* keeps all rows; *note* is told of a table, and why a row of it was `refused`. `have` is the newest
    row of each table that is here.
    """

    def __init__(
        self,
        event: str,
        tally: Tally,
        store: HallStore,
        note: Callable[..., None],
    ) -> None:
        self._event = event
        self._tally = tally
        self._store = store
        self._readmitted = _Readmitted(store.head)
        self._note = note
        self._edges: dict[str, TableEdges] = {}
        self._judged = store.judged()  # up to which row each table was judged again
        self._untried: dict[str, None] = {}  # tables whose log has grown since it was tried, the newest last
        self._doubted: set[str] = set()  # tables of which each row is tried
        self._odd: set[str] = set()  # tables of which nothing more is kept: a row of them was refused
        self._times: dict[str, int] = {}  # how often each table was folded whole
        self._refolded: set[str] = set()  # tables that were folded whole: what is kept of them is
        self._read = _Read(event, store)
        self.have: dict[str, int] = {}

    def open(self, told: Callable[[int, int], None] = lambda done, of: None) -> None:
        """Take all that is in the store, from where what is kept of it ends; *told* is how far it is."""
        self._store.kept_by(code_mark())
        tables = self._store.tables()
        for done, table in enumerate(tables):
            told(done, len(tables))
            n, made, games = self._store.kept(table) or (0, b"", [])
            try:
                if n:
                    self._open(table, BASE.decode(made), [GAME.decode(one) for one in games])
                    self.have[table] = n
            except msgspec.MsgspecError:  # it was spoilt: the rows are read
                self._refolded.add(table)
                n = 0
            self._take({table: self._store.rows(table, n)})

    def _open(self, table: str, base: Base, games: list[KeptGame]) -> None:
        """Take what was kept of *table*; raise MsgspecError for what cannot be read."""
        for one in games:
            SUMS.decode(one.sums)
        if base.whole:
            self._read.forget(table)
        self._tally.take(opened(table, base, games, self._store.unfounded(table), self._read))

    def settled(self, state: HallState) -> HallState:
        """Return *state* with each machine that was let in again in its old place: see `Readmitted`."""
        logs = self._tally.logs
        return self._readmitted.settled(state, self.have, lambda table: frozenset(logs[table].played))

    def took(self, found: list[tuple[str, LogRow]]) -> None:
        """Take rows of any tables."""
        by_table: dict[str, list[LogRow]] = {}
        for table, row in found:
            by_table.setdefault(table, []).append(row)
        self._take(by_table)

    def _take(self, by_table: Mapping[str, list[LogRow]]) -> None:
        """Take the next rows of each table.

        How far they were judged again is kept with what is kept of games that are over, or before: a start
        goes on behind those, and judges none of them.
        """
        judged, keeps = {}, {}
        for table, rows in by_table.items():
            log = self._tally.logs.get(table) or TableLog(table, unfounded=self._store.unfounded(table))
            doubted, keeps[table] = table in self._doubted, _Keeps()
            log = self._folded(log, rows, keeps[table])
            self._tally.take(log)
            if not doubted:
                self._untried.pop(table, None)
                self._untried[table] = None
            if rows and rows[-1].seq > self._judged.get(table, 0):
                judged[table] = rows[-1].seq, log.unfounded
        self._store.has_judged(judged)
        self._judged |= {table: n for table, (n, _) in judged.items()}
        for table, found in keeps.items():
            self._keep(table, found)

    def _keep(self, table: str, keeps: _Keeps) -> None:
        """Keep what *keeps* has of *table*; a disk that does not take it is given all of it the next time."""
        if keeps.base is None or table in self._odd:
            return
        n, head, made = keeps.base
        games = [(one.began, ENCODE(one)) for one in keeps.games]
        try:
            self._store.keep_games(table, n, head, ENCODE(made), games, whole=table in self._refolded)
            self._refolded.discard(table)
        except StoreError as problem:
            _log.warning("table %s: %s", table, problem)
            self._refolded.add(table)

    def _folded(self, log: TableLog, rows: list[LogRow], keeps: _Keeps | None) -> TableLog:
        """Return *log* with *rows*; what does not fit is refused, and the others go on.

        What is to be kept of games that are over goes to *keeps*.
        """
        table, unfounded = log.id, set(log.unfounded)
        before = None
        for row in rows:
            try:
                event = event_of(row.raw)
                if keeps is not None and isinstance(event, Started) and table not in self._odd:
                    log = self._over(log, row.seq, before, keeps)
                grown = log.plus(self._event, row.seq, row.evening, event)
                if contradicts := self._contradicts(row.seq, event, log, grown):
                    unfounded.add(contradicts)
                    grown = replace(grown, unfounded=frozenset(unfounded))
                if table in self._doubted:
                    self._try(grown, log)
                log = grown
            except Exception as problem:  # no single table may end the evening of the others
                if log.is_over:  # it may be about a game that is not at hand
                    log, before = self._whole(log, row.seq, keeps), row
                    unfounded |= log.unfounded
                    continue
                _log.warning("table %s, entry %d: %s", table, row.seq, problem)
                self._odd.add(table)
                self._note(table, refused=unread(row.seq, problem))
            self.have[table] = row.seq
            before = row
        return log

    def _over(self, log: TableLog, seq: int, before: LogRow | None, keeps: _Keeps) -> TableLog:
        """Return *log*, of which another game begins with row *seq*: those before are over."""
        head = before.head if before is not None else self._store.head(log.id, seq - 1)
        if head is None or not log.evening.matches:
            return log
        try:
            over = log.over(self._read)
        except Exception:  # what it came to cannot be worked out: that is found where it is shown
            self._odd.add(log.id)
            return log
        keeps.games += over.kept(TableLog(log.id) if log.id in self._refolded else log)
        keeps.base = seq - 1, head, over.base
        return over

    def _whole(self, log: TableLog, upto: int, keeps: _Keeps | None) -> TableLog:
        """Return *log* up to row *upto*, folded whole: something of a game that is over may have changed."""
        if keeps is not None:
            keeps.base, keeps.games = None, []
        times = self._times[log.id] = self._times.get(log.id, 0) + 1
        if times == MOST_WHOLE:
            self._odd.add(log.id)
        self._refolded.add(log.id)
        self._edges.pop(log.id, None)
        self._read.forget(log.id)
        fresh = TableLog(log.id, unfounded=log.unfounded, whole=True)
        return self._folded(fresh, self._store.rows(log.id, 0, upto), None)

    def _contradicts(self, seq: int, event: AnyEvent, log: TableLog, grown: TableLog) -> int:
        """Return the entry of a round that row *seq* tells otherwise than its edges do; 0: none.

        What was judged again before is not judged once more, as at a start.
        """
        edges = self._edges.get(log.id) or self._edges.setdefault(log.id, TableEdges())
        edges.take(seq, event, grown.evening)
        if seq <= self._judged.get(log.id, 0):
            return 0
        try:
            return edges.contradict(seq, event, log.evening)
        except Exception as problem:  # of edges that no table writes nothing can be said
            _log.warning("table %s, entry %d cannot be judged again: %s", log.id, seq, problem)
            return seq

    def made(self, make: Callable[[], T]) -> T:
        """Return what *make* makes of the logs; a table by whose log it cannot be made is doubted before."""
        while True:
            try:
                return make()
            except Exception:
                if not self.doubt():
                    raise

    def doubt(self) -> bool:
        """Find a table of whose log something cannot be made, and fold it again, without the rows it is by.

        Returns whether there was one; there may be more. A log is tried again only when it has grown.
        """
        while self._untried:
            table, _ = self._untried.popitem()
            try:
                log = self._tally.logs[table]
                self._try(log if log.source is None else self._read.log(table), TableLog(table))
            except Exception:
                self._doubted.add(table)
                self._odd.add(table)
                self._tally.take(TableLog(table, unfounded=self._store.unfounded(table)))
                self._edges.pop(table, None)
                self._take({table: self._store.rows(table)})
                return True
        return False

    def _try(self, log: TableLog, before: TableLog) -> None:
        """Make what a hall makes of *log* and has not made of it *before*; raise what that raises."""
        msgspec.json.encode(make(log.evening, Live(evening=log.number)))
        self._tally.try_out(log)
        known, found = _matches(before), _matches(log)
        for match in found.values():
            was = known.get(match.seq)
            if was is match:
                continue
            placings(match)
            seen = {id(entry) for entry in was.entries} if was is not None else ()
            for entry in match.entries:
                if id(entry) not in seen:
                    msgspec.json.encode(round_view(match, 0, entry))


class _Keeps:
    """What is to be kept of a table: games, and up to which row, with which head, what begins after them."""

    def __init__(self) -> None:
        self.games: list[KeptGame] = []
        self.base: tuple[int, bytes, Base] | None = None


class _Read:
    """Reads games that are over from *store* again, for the event with the id *event*; for any thread."""

    def __init__(self, event: str, store: HallStore) -> None:
        self._event, self._store = event, store
        self._games: OrderedDict[tuple[str, int], tuple[Match, ...]] = OrderedDict()
        self.whole: set[str] = set()  # tables of which games were changed that were over
        self._lock = threading.Lock()

    def forget(self, table: str) -> None:
        """Take that games of *table* have changed."""
        with self._lock:
            self.whole.add(table)
            for key in [one for one in self._games if one[0] == table]:
                del self._games[key]

    def parts(self, table: str, call: int, began: int) -> tuple[Match, ...]:
        """Return the parts of the game of *table* for *call* that began with entry *began*."""
        with self._lock:
            if (table, began) in self._games:
                self._games.move_to_end((table, began))
                return self._games[table, began]
        found = _parts(self._alone(table, began), call, began) or _parts(self.log(table), call, began)
        if not found:  # it was taken back this moment
            raise NeedsAll
        with self._lock:
            self._games[table, began] = found
            while len(self._games) > AT_HAND:
                self._games.popitem(last=False)
        return found

    def evening(self, table: str) -> Evening:
        """Return the whole evening of *table*."""
        return self.log(table).evening

    def _alone(self, table: str, began: int) -> TableLog:
        """Return the log of one game alone, an empty one where games were changed that were over."""
        if table in self.whole:
            return TableLog(table)
        end = self._store.next_of(table, "started", began) or 2**62
        rows = self._store.rows(table, began - 1, end - 1)
        zeros = self._store.rows(table, 0, began - 1, "zero")
        return self._fold(table, [*zeros, *rows])  # those of another evening end with that

    def log(self, table: str) -> TableLog:
        """Return the whole log of *table*."""
        return self._fold(table, self._store.rows(table))

    def _fold(self, table: str, rows: list[LogRow]) -> TableLog:
        log = TableLog(table)
        for row in rows:
            with suppress(Exception):  # what is refused is said where it came
                log = log.plus(self._event, row.seq, row.evening, event_of(row.raw))
        return log


def _parts(log: TableLog, call: int, began: int) -> tuple[Match, ...]:
    """Return the parts of a log's game for *call* that began with entry *began*, or none."""
    return next((one.parts for one in log.played.get(call, ()) if one.began == began), ())


@cache
def code_mark() -> str:
    """Return what tells this code from any other: what is kept of tables is of no use to that."""
    made = hashlib.sha256()
    room = Path(companion.__file__).parent
    for name in TOLD_BY:
        for file in sorted((room / name).rglob("*.py")):
            made.update(str(file.relative_to(room)).encode() + file.read_bytes())
    others = entry_points(group="lastnose.games")
    made.update("\n".join(sorted(f"{one.value} {one.dist and one.dist.version}" for one in others)).encode())
    return f"{companion.__version__} {made.hexdigest()}"


def _matches(log: TableLog) -> dict[int, Match]:
    """Return the matches of a log that a hall may show, by log number, but those of games that are over."""
    games = (one.at_hand for made in log.played.values() for one in made)
    played = {part.seq: part for parts in games if isinstance(parts, tuple) for part in parts}
    return played | {one.seq: one for one in log.evening.matches if not is_over(one)}


def event_of(raw: bytes) -> AnyEvent:
    """Return the event in *raw*, a row of a table; raise what is wrong with one that no table writes.

    Its numbers fit into 64 bits, and what it says can be put into words: why a round was void is a Text.
    """
    check_numbers(raw)
    event = DECODER.decode(raw)
    verdict = getattr(event, "verdict", None)
    if verdict is not None and verdict.void is not None:
        must_be_sayable(verdict.void)
    return event


# ---- Which machine was put out and let in again, under another id: its log goes on where that of the old
# ends. What the old id has played, and every appeal about it, is the new one's: its log has all of it, and
# what the machine's host does about it comes there.


class _Readmitted:
    """Finds them; *head* returns the chain over a table's log up to a number: logs that share it are one."""

    def __init__(self, head: Callable[[str, int], bytes | None]) -> None:
        self._head = head
        self._known: dict[tuple[str, str, int], bool] = {}
        self._made: tuple[HallState, dict[str, str], dict[str, frozenset[int]], HallState] | None = None

    def settled(
        self, state: HallState, have: Mapping[str, int], played: Callable[[str], frozenset[int]]
    ) -> HallState:
        """Return *state* with successors in the place of old machines.

        *have* is how much of each log is here, *played* returns for which calls a table has played.
        """
        successors = {}
        for old in state.tables.values():
            if not old.inside and (found := self._heir(old, state, have)):
                successors[old.id] = found
        if not successors:
            return state
        calls = {old: played(old) for old in successors}
        if self._made is None or self._made[0] is not state or self._made[1:3] != (successors, calls):
            self._made = state, successors, calls, inherited(state, successors, calls)
        return self._made[3]

    def _heir(self, old: HallTable, state: HallState, have: Mapping[str, int]) -> str:
        """Return the id under which *old* was let in again, "" when it was not, or has not sent all again."""
        n = have.get(old.id, 0)
        later = (one for one in state.tables.values() if one.since > old.until)
        longer = (one for one in later if have.get(one.id, 0) >= n)
        same = [(have[one.id], one.since, one.id) for one in longer if self._goes_on(one.id, old.id, n)]
        return max(same)[2] if same else ""

    def _goes_on(self, new: str, old: str, n: int) -> bool:
        """Return whether the log of *new* begins with the *n* entries that *old* has."""
        if (new, old, n) not in self._known:
            head = self._head(old, n)
            self._known[new, old, n] = head is not None and head == self._head(new, n)
        return self._known[new, old, n]


def inherited(
    state: HallState, successors: Mapping[str, str], calls: Mapping[str, frozenset[int]]
) -> HallState:
    """Return *state* with each machine that has one of the *successors* replaced by it, wherever it is named.

    *calls* are those for which each of them has played: where it has not, who has its number now plays.
    """
    rounds = {old: {state.round_of(call) for call in calls[old]} for old in successors}
    return replace(
        state,
        rounds=tuple(
            _inherited(one, {old: new for old, new in successors.items() if one.number in rounds[old]})
            for one in state.rounds
        ),
        appeals={
            seq: replace(one, table=successors.get(one.table, one.table))
            for seq, one in state.appeals.items()
        },
        cleared={
            where: replace(one, out=tuple((successors.get(id_, id_), n) for id_, n in one.out))
            for where, one in state.cleared.items()
        },
    )


def _inherited(one: HallRound, successors: Mapping[str, str]) -> HallRound:
    """Return *one* with successors where the machines before them were, and at no other table."""
    place = {successors[table]: n for n in one.numbers for table in one.ids.get(n, ()) if table in successors}
    if not place:
        return one
    ids = {}
    for n, were in one.ids.items():
        found = [successors.get(table, table) for table in were]
        found = [table for table in found if place.get(table, n) == n]
        ids[n] = tuple(reversed(dict.fromkeys(reversed(found))))  # who came last has the place now
    return replace(one, ids=ids)
