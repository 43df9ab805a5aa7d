"""The hall's copies of the tables' logs, folded; what cannot be read of one concerns its table alone.

A row may be of a newer version, or forged by who has its table's key. Most such rows are refused by the fold.
A row that fits there, and of whose log something cannot be made all the same (a sentence, a photo finish, a
result), is only found by making it. That is done where it is shown, and not here once more for every row: who
meets an error there says so with `doubt`. From then on each row of that one table is tried when it comes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import msgspec

from companion.core.decode import check_numbers
from companion.core.text import must_be_sayable
from companion.evening.events import DECODER, AnyEvent
from companion.evening.state import Match
from companion.hall.edges import TableEdges
from companion.hall.heirs import Heirs
from companion.hall.results import placings
from companion.hall.state import HallState
from companion.hall.store import HallStore
from companion.hall.table_log import TableLog
from companion.hall.tally import Tally
from companion.hall.wire import unread
from companion.table.log_file import LogRow
from companion.views.scoreboard import make, round_view
from companion.views.snapshot import Live

T = TypeVar("T")
_log = logging.getLogger("lastnose.hall")


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
        self._heirs = Heirs(store.head)
        self._note = note
        self._edges: dict[str, TableEdges] = {}
        self._judged = store.judged()  # up to which row each table was judged again
        self._untried: dict[str, None] = {}  # tables whose log has grown since it was tried, the newest last
        self._doubted: set[str] = set()  # tables of which each row is tried
        self.have: dict[str, int] = {}

    def settled(self, state: HallState) -> HallState:
        """Return *state* with each machine that was let in anew in its old place: see `Heirs`."""
        logs = self._tally.logs
        return self._heirs.settled(state, self.have, lambda table: frozenset(logs[table].played))

    def took(self, found: list[tuple[str, LogRow]]) -> None:
        """Take rows of any tables."""
        by_table: dict[str, list[LogRow]] = {}
        for table, row in found:
            by_table.setdefault(table, []).append(row)
        for table, rows in by_table.items():
            self.fold(table, rows)

    def fold(self, table: str, rows: list[LogRow]) -> None:
        """Take the next *rows* of *table*; what does not fit is refused, and the others go on."""
        log = self._tally.logs.get(table)
        if log is None:
            log = TableLog(table, unfounded=self._store.unfounded(table))
        doubted = table in self._doubted
        unfounded = set(log.unfounded)
        for row in rows:
            try:
                event = event_of(row.raw)
                grown = log.plus(self._event, row.seq, row.evening, event)
                if contradicts := self._contradicts(row.seq, event, log, grown):
                    unfounded.add(contradicts)
                    grown = msgspec.structs.replace(grown, unfounded=frozenset(unfounded))
                if doubted:
                    self._try(grown, log)
                log = grown
            except Exception as problem:  # no single table may end the evening of the others
                _log.warning("table %s, entry %d: %s", table, row.seq, problem)
                self._note(table, refused=unread(row.seq, problem))
            self.have[table] = row.seq
        self._tally.take(log)
        if rows and rows[-1].seq > self._judged.get(table, 0):
            self._store.has_judged(table, rows[-1].seq, unfounded)
            self._judged[table] = rows[-1].seq
        if not doubted:
            self._untried.pop(table, None)
            self._untried[table] = None

    def _contradicts(self, seq: int, event: AnyEvent, log: TableLog, grown: TableLog) -> int:
        """Return the entry of a round that row *seq* tells otherwise than its edges do; 0: none.

        What was judged again before is not judged once more, as at a start.
        """
        edges = self._edges.setdefault(log.id, TableEdges())
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
        """Find a table of whose log something cannot be made, and fold it anew, without the rows it is by.

        Returns whether there was one; there may be more. A log is tried again only when it has grown.
        """
        while self._untried:
            table, _ = self._untried.popitem()
            try:
                self._try(self._tally.logs[table], TableLog(table))
            except Exception:
                self._doubted.add(table)
                self._tally.take(TableLog(table, unfounded=self._store.unfounded(table)))
                self._edges.pop(table, None)
                self.fold(table, self._store.rows(table))
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


def _matches(log: TableLog) -> dict[int, Match]:
    """Return the matches of a log that a hall may show, by log number."""
    played = {part.seq: part for made in log.played.values() for one in made for part in one.parts}
    return played | {one.seq: one for one in log.evening.matches}


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
