"""Opens what `export` has kept, also years later: a hall's folder made of it again, entry for entry.

Every table's chain is worked out anew, so an entry that was changed since is found. The hall's own log has
its entries as they were; what standings and results follow from them is worked out by the code of today.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.decode import why_not
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.hall import keys
from lastnose.companion.hall.events import DECODER as HALL_EVENTS
from lastnose.companion.hall.store import ARCHIVED, Cursor, HallStore
from lastnose.companion.hall.wire import kind_of
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained

FORMAT = 1

_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
# Where a comma ends something whole: an entry of the hall's log, a row of a table's, a table, a part of all.
_BETWEEN = (b"{[", b"{{{[", b"{{", b"{")
_CLOSED_BY = {b"{": b"}", b"[": b"]"}


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


class Holds(msgspec.Struct, frozen=True):
    """How many entries there were when the archive was written: of the hall's log, and of each table's."""

    hall: int = 0
    tables: dict[str, int] = {}


class Archive(msgspec.Struct, frozen=True):
    """What is read of the document; standings and results in it are for who has no Last Nose.

    One of before `holds` was written does not say what is missing of it.
    """

    lastnose_hall: int
    event: str
    hall: tuple[ArchivedEntry, ...]
    tables: dict[str, ArchivedTable] = {}
    holds: Holds | None = None


def reopen(document: bytes, folder: Path) -> Text | None:
    """Make *folder* the event of *document*, what `export.everything` wrote; raise a CompanionError.

    Nothing is written before all of it has been read. Returns what is missing of one that was cut; what is
    whole of it is opened.
    """
    found, broken = _read(document)
    own = [(one.n, HALL_EVENTS.decode(one.event)) for one in found.hall]
    try:
        rows = [(table, row) for table, kept in found.tables.items() for row in _rows(table, kept)]
    except RecursionError as problem:
        raise _no_archive(why_not(problem)) from problem
    store = HallStore(folder)
    try:
        if store.setting("event") or store.own_head()[0]:
            raise BadInput(
                text("{folder} has an event already: give another one with --data.", folder=str(folder))
            )
        store.keep("event", found.event)
        store.keep(ARCHIVED, str(len(own)))
        store.take(rows, Cursor())
        for table, kept in found.tables.items():  # what was judged long ago stays as it is
            store.has_judged(table, len(kept.log), ())
        for n, event in own:
            store.append(n, event)
    finally:
        store.close()
    return _missing(found, broken=broken)


def _missing(found: Archive, *, broken: bool) -> Text | None:
    """Return what is missing of *found*, which ended in the middle if it is *broken*; None: nothing is."""
    have, rows = len(found.hall), sum(len(one.log) for one in found.tables.values())
    if found.holds is None:
        if not broken:
            return None
        return text(
            "This archive is cut: {have} entries of the hall’s log and {rows} of its tables’ are whole in "
            "it, and were opened.",
            have=have,
            rows=rows,
        )
    n, all_rows = found.holds.hall, sum(found.holds.tables.values())
    if (have, rows) == (n, all_rows):
        return None
    return text(
        "This archive is cut: {have} of {n} entries of the hall’s log and {rows} of {all} of its tables’ are "
        "whole in it, and were opened.",
        have=have,
        n=n,
        rows=rows,
        all=all_rows,
    )


def _read(document: bytes) -> tuple[Archive, bool]:
    """Return what is in *document*, and whether that ends in the middle; raise BadInput."""
    broken = False
    try:
        msgspec.json.decode(document, type=msgspec.Raw)
    except RecursionError as problem:
        raise _no_archive(why_not(problem)) from problem
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        whole = _whole_part(document) if "truncated" in str(problem) else None
        document, broken = (whole, True) if whole is not None else (document, False)
    return _read_whole(document), broken


def _read_whole(document: bytes) -> Archive:
    try:
        known: Any = msgspec.json.decode(document)
        version = known.get("lastnose_hall") if isinstance(known, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise BadInput(text("This archive was written by a newer Last Nose: update Last Nose."))
        found = msgspec.json.decode(document, type=Archive)
        for one in found.hall:
            HALL_EVENTS.decode(one.event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise _no_archive(why_not(problem)) from problem
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


def _no_archive(why: Text) -> BadInput:
    return BadInput(text("This is not an archive of a hall that can be opened ({why}).", why=why))


def _whole_part(document: bytes) -> bytes | None:
    """Return *document*, the beginning of JSON, up to what is whole, and closed; None if it is no such one.

    A copy may have broken off, or a disk been full.

    >>> _whole_part(b'{"hall": [{"n": 1}, {"n": 2}, {"n"')
    b'{"hall": [{"n": 1}, {"n": 2}]}'
    >>> _whole_part(b"[]"), _whole_part(b'{"hall": "')
    (None, None)
    """
    open_ = kept = b""
    end = 0
    for found in _SIGNS.finditer(document):
        sign = found[0]
        if sign in _CLOSED_BY:
            open_ += sign
        elif sign in (b"]", b"}"):
            open_ = open_[:-1]
        elif sign == b"," and open_ in _BETWEEN:
            end, kept = found.start(), open_
    if not open_ or not end:
        return None
    return document[:end] + b"".join(_CLOSED_BY[bytes([one])] for one in reversed(kept))
