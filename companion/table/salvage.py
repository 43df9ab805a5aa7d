"""Read rows from the pages of a damaged log, without SQLite: whatever leaf is whole gives its rows.

The layout is SQLite's file format (https://sqlite.org/fileformat2.html, sections 1.6, 2, 4). Pages that were
written ahead come before those of the file; nothing is ever deleted from a log, so no row can be an old one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.evening.events import DECODER
from companion.table.log_file import MOST_NUMBER, NO_HEAD, LogRow, beside, chained

USUAL_PAGE = 4096
MAGIC = b"SQLite format 3\0"
TABLE_LEAF = 0x0D
WAL_HEADER, FRAME_HEADER = 32, 24
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of an integer by its serial type


def salvage(path: Path) -> list[LogRow]:
    """Return the rows that can be read as they were written from the log at *path*, by number.

    No connection to it may be open.
    """
    raw = path.read_bytes() if path.is_file() else b""
    ahead = beside(path)[0]
    wal = ahead.read_bytes() if ahead.is_file() else b""
    size = _page_bytes(raw, wal)
    pages = {number + 1: raw[at : at + size] for number, at in enumerate(range(0, len(raw), size))}
    newer = dict(_frames(wal, size))
    found: dict[int, LogRow] = {}
    for row in (*_rows(pages, pages), *_rows(newer, {**pages, **newer})):
        known = found.get(row.seq)
        if known is None or known.head == NO_HEAD:
            found[row.seq] = row
    return _unchanged([found[seq] for seq in sorted(found)])


def _page_bytes(raw: bytes, wal: bytes) -> int:
    """Return the size of a page: as the file says, or what was written ahead of it, or what is usual."""
    told = 0
    if raw.startswith(MAGIC):
        told = int.from_bytes(raw[16:18], "big")
    elif len(wal) >= WAL_HEADER:
        told = int.from_bytes(wal[8:12], "big")
    told = 65536 if told == 1 else told
    return told if 512 <= told <= 65536 and not told & (told - 1) else USUAL_PAGE


def _frames(wal: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of the pages that were written ahead, oldest first, up to the last commit."""
    salts, waiting = wal[16:24], []
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, commits = struct.unpack(">II", wal[at : at + 8])
        if wal[at + 8 : at + 16] != salts:
            return
        waiting.append((number, wal[at + FRAME_HEADER : at + FRAME_HEADER + size]))
        if commits:
            yield from waiting
            waiting.clear()


def _rows(leaves: dict[int, bytes], pages: dict[int, bytes]) -> Iterator[LogRow]:
    """Yield every row of the table of events that stands in *leaves*; *pages* has what overflows."""
    for number, page in leaves.items():
        start = 100 if number == 1 else 0
        if len(page) < 512 or page[start] != TABLE_LEAF:
            continue
        cells = int.from_bytes(page[start + 3 : start + 5], "big")
        table = page[start + 8 : start + 8 + 2 * cells]
        for at in (int.from_bytes(table[i : i + 2], "big") for i in range(0, len(table), 2)):
            try:
                row = _row(*_payload(page, at, pages))
            except (ValueError, IndexError, msgspec.DecodeError):
                continue
            if row is not None:
                yield row


class _Number(NamedTuple):
    value: int
    ends: int


def _varint(raw: bytes, at: int) -> _Number:
    """Return the number that begins at *at*; raise IndexError."""
    value = 0
    for count in range(9):
        byte = raw[at + count]
        if count == 8:
            return _Number(value << 8 | byte, at + 9)
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return _Number(value, at + count + 1)
    raise AssertionError


def _payload(page: bytes, at: int, pages: dict[int, bytes]) -> tuple[int, bytes]:
    """Return number and record of the cell at *at*; raise ValueError or IndexError for none."""
    length, at = _varint(page, at)
    seq, at = _varint(page, at)
    usable = len(page)
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    here = length
    if length > most:
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
    parts = [page[at : at + here]]
    missing = length - here
    following = int.from_bytes(page[at + here : at + here + 4], "big") if missing else 0
    while missing > 0:
        more = pages.get(following, b"")
        if len(more) < usable:
            raise ValueError("an overflow page is missing")
        parts.append(more[4 : 4 + min(missing, usable - 4)])
        missing -= usable - 4
        following = int.from_bytes(more[:4], "big")
    return seq, b"".join(parts)


def _row(seq: int, record: bytes) -> LogRow | None:
    """Return the row of a record, None for one of another table; raise ValueError for damage."""
    ends, at = _varint(record, 0)
    kinds = []
    while at < ends:
        kind, at = _varint(record, at)
        kinds.append(kind)
    if len(kinds) not in (4, 5) or kinds[0] != 0 or kinds[2] % 2 == 0 or kinds[3] < 12 or kinds[3] % 2:
        return None
    evening = 1
    if kinds[1] in INTEGERS:
        evening = int.from_bytes(record[at : at + INTEGERS[kinds[1]]], "big")
        at += INTEGERS[kinds[1]]
    elif kinds[1] != 9:  # 9 stands for the number 1
        return None
    name = record[at : (at := at + (kinds[2] - 13) // 2)].decode()
    raw = record[at : (at := at + (kinds[3] - 12) // 2)]
    head = record[at : at + 32] if kinds[4:] == [12 + 2 * 32] else NO_HEAD
    known = DECODER.decode(raw).__struct_config__.tag == name
    if not known or not 1 <= seq <= MOST_NUMBER or evening > MOST_NUMBER:
        return None
    return LogRow(seq, evening, name, raw, head)


def _unchanged(found: Sequence[LogRow]) -> list[LogRow]:
    """Return rows without those that the chain shows to be other than what was written.

    Of a row that fits neither the one before nor the one after, only what it says can have changed; where it
    fits the one after, only its own head has. One whose predecessor is lost may be anything, and stays.
    """
    out: list[LogRow] = []
    heads: tuple[bytes, ...] = (NO_HEAD,)  # of the row before: as it stands, and as worked out
    for row, before, after in zip(found, (None, *found), (*found[1:], None), strict=False):
        follows = row.seq == 1 + (before.seq if before is not None else 0)
        made = [_next_head(head, row) for head in heads] if follows else []
        fits = row.head in made
        fits_after = after is not None and any(_next_head(head, after) == after.head for head in made)
        if fits or fits_after or not follows or row.head == NO_HEAD:
            out.append(row)
        heads = (row.head,) if fits else (row.head, *made[:1])
    return out


def _next_head(head: bytes, row: LogRow) -> bytes:
    return chained(head, row.seq, row.evening, row.raw)


def gaps(found: Iterable[int]) -> list[tuple[int, int]]:
    """Return from which number to which there is none.

    >>> gaps([1, 2, 5, 6, 9])
    [(3, 4), (7, 8)]
    """
    out, after = [], 1
    for number in found:
        if number > after:
            out.append((after, number - 1))
        after = number + 1
    return out
