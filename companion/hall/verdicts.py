"""A verdict that is appealed: its photo finish, its raw edges, and what judging its tape again says."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.errors import CompanionError, Malformed, Missing
from lastnose.companion.core.text import Text, text
from lastnose.companion.hall.copies import event_of
from lastnose.companion.hall.hub import Hall
from lastnose.companion.hall.wire import unread
from lastnose.companion.table.memory_store import EveningRecord, MemoryStore
from lastnose.companion.table.queries import EveningQueries
from lastnose.companion.views.snapshot import RoundView


class AppealView(msgspec.Struct, frozen=True):
    """A verdict as its table's history shows it, and once more as judging its tape again has it.

    `upheld`: both say the same. `tape` are its raw edges, as a tape (JSON Lines) for `lastnose replay`.
    """

    number: int
    round: RoundView
    again: Text
    upheld: bool
    tape: str


def look(hall: Hall, table: str, entry: int) -> AppealView:
    """Return verdict *entry* of *table*; raise Missing when the hall has none, or cannot read it."""
    try:
        return _look(hall, table, entry)
    except Exception as problem:
        if isinstance(problem, CompanionError) and not isinstance(problem, Malformed):
            raise
        # Of a row that no table writes: the hall has said so, and gone on.
        raise Missing(unread(entry, problem)) from problem


def _look(hall: Hall, table: str, entry: int) -> AppealView:
    known = hall.state.tables.get(table)
    rows = hall.rows(table)
    evening = next((row.evening for row in rows if row.seq == entry), None)
    if known is None or evening is None:
        raise Missing(text("The hall has no entry {seq} of this table.", seq=entry))
    # The numbers of its log must stay what they are: what is of other evenings is there, and not folded.
    store = MemoryStore()
    for row in rows:
        store.evening = row.evening
        store.append(event_of(row.raw))
    store.evening = evening
    queries = EveningQueries(EveningRecord(store))
    shown, verdict = queries.round(entry), queries.judged_again(entry)
    stored = next(one for match in queries.evening.matches for one in match.entries if one.seq == entry)
    judged = stored.verdict
    upheld = judged is not None and (judged.named, judged.void is None) == (
        verdict.named,
        verdict.void is None,
    )
    match = next(one for one in queries.evening.matches if stored in one.entries)
    names = [match.player(seat) for seat in verdict.named]
    again = (
        text("Judged again: it does not count.")
        if verdict.void is not None or not names
        else text("Judged again: {players}, as before.", players=", ".join(names))
        if upheld
        else text("Judged again: {players}.", players=", ".join(names))
    )
    return AppealView(known.number, shown, again, upheld, queries.tape(entry))
