"""Opens what `export` has kept, also years later: a hall's folder made of it again, entry for entry.

Every table's chain is worked out anew, so an entry that was changed since is found. The hall's own log has
its entries as they were; what standings and results follow from them is worked out by the code of today.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import BadInput
from companion.core.text import Text, text
from companion.hall import keys
from companion.hall.events import DECODER as HALL_EVENTS
from companion.hall.store import Cursor, HallStore
from companion.hall.wire import kind_of
from companion.table.log_file import NO_HEAD, LogRow, chained

FORMAT = 1


class ArchivedEntry(msgspec.Struct, frozen=True):
    """An entry of the hall's own log."""

    n: int
    event: msgspec.Raw


class ArchivedRow(msgspec.Struct, frozen=True):
    """A row of a table's log, with the chain up to it."""

    n: int
    evening: int
    head: str
    event: msgspec.Raw


class ArchivedTable(msgspec.Struct, frozen=True):
    """What was here of a table's log."""

    log: tuple[ArchivedRow, ...]


class Archive(msgspec.Struct, frozen=True):
    """What is read of the document; standings and results in it are for who has no Last Nose."""

    lastnose_hall: int
    event: str
    hall: tuple[ArchivedEntry, ...]
    tables: dict[str, ArchivedTable]


def reopen(document: bytes, folder: Path) -> None:
    """Make *folder* the event of *document*, what `export.everything` wrote; raise a CompanionError.

    Nothing is written before all of it has been read.
    """
    found = _read(document)
    own = [(one.n, HALL_EVENTS.decode(one.event)) for one in found.hall]
    rows = [(table, row) for table, kept in found.tables.items() for row in _rows(table, kept)]
    store = HallStore(folder)
    try:
        if store.setting("event") or store.own_head()[0]:
            raise BadInput(
                text("{folder} has an event already: give another one with --folder.", folder=str(folder))
            )
        store.keep("event", found.event)
        store.take(rows, Cursor())
        for n, event in own:
            store.append(n, event)
    finally:
        store.close()


def _read(document: bytes) -> Archive:
    try:
        known: Any = msgspec.json.decode(document)
        version = known.get("lastnose_hall") if isinstance(known, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise BadInput(text("This archive was written by a newer Last Nose: update Last Nose."))
        found = msgspec.json.decode(document, type=Archive)
        for one in found.hall:
            HALL_EVENTS.decode(one.event)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise _no_archive(str(problem)) from problem
    if found.lastnose_hall != FORMAT or not keys.is_id(found.event, keys.EVENT):
        raise _no_archive(text("another kind of file"))
    if [one.n for one in found.hall] != [*range(1, len(found.hall) + 1)]:
        raise _no_archive(text("entries are missing"))
    return found


def _rows(table: str, kept: ArchivedTable) -> list[LogRow]:
    """Return the rows of a table; raise BadInput for one that is not what the table wrote."""
    head, out = NO_HEAD, []
    for n, one in enumerate(kept.log, 1):
        raw = msgspec.json.format(bytes(one.event), indent=-1)  # as the table wrote it: without a blank
        head = chained(head, n, one.evening, raw) if one.evening >= 0 else NO_HEAD
        if one.n != n or one.head != head.hex():
            raise _no_archive(text("entry {seq} is not what was written", seq=n))
        out.append(LogRow(n, one.evening, kind_of(raw), raw, head))
    return out


def _no_archive(why: str | Text) -> BadInput:
    return BadInput(text("This is no archive of a hall that can be opened ({why}).", why=why))
