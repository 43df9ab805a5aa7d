"""What goes over the wire between tables and hall. Pure.

A row of a table's log is sent as its bytes, with its number, its evening and the chain up to it as headers.
Presence and calls are small JSON objects.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall import keys
from companion.table.log_file import LogRow, chained

SEQ, EVENING, HEAD, PACKED = "Ln-Seq", "Ln-Evening", "Ln-Head", "Ln-Packed"
MESSAGE_ID, EXPECTED = "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence"
LARGE = 200_000  # bytes from which on a row is sent compressed: a server takes a megabyte
LARGEST = 64_000_000  # of a row, unpacked


class HallCall(msgspec.Struct, frozen=True, tag_field="type", tag="call", omit_defaults=True):
    """What the hall wants of a table: its number, what it is told, and the round that it is called for.

    `rev` is the number of the hall's log that it follows from: a table says which it has. `call` is empty
    between rounds and in a round that the table sits out. A match of the table counts for it if its log
    number is larger than `after`: what was played before is to be played again.
    """

    rev: int
    event: str
    number: int
    call: str = ""
    kind: str = ""
    round: int = 0
    game: str = ""
    options: dict[str, Any] = {}
    players: tuple[str, ...] = ()
    says: str = ""
    after: int = 0


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table says of itself every few seconds.

    `n` is the newest number of its log and `head` the chain up to it; `rev` and `call` what it has heard;
    `here` the seats that have touched their nose for this call. `trouble` is why it can send nothing.
    """

    n: int
    head: str = ""
    rev: int = 0
    call: str = ""
    here: tuple[int, ...] = ()
    phase: str = ""
    says: str = ""
    version: str = ""
    trouble: str = ""
    simulated: bool = False


def packed(row: LogRow, after: int) -> tuple[bytes, dict[str, str]]:
    """Return payload and headers of *row*, after message *after* of its subject (0: it is the first)."""
    headers = {SEQ: str(row.seq), EVENING: str(row.evening), HEAD: row.head.hex(), EXPECTED: str(after)}
    headers[MESSAGE_ID] = f"{row.head.hex()[:16]}:{row.seq}"
    if len(row.raw) < LARGE:
        return row.raw, headers
    return zlib.compress(row.raw), {**headers, PACKED: "zlib"}


def unpacked(payload: bytes, headers: Mapping[str, str]) -> LogRow:
    """Return the row of a message; raise BadInput for what no table has written."""
    try:
        seq, evening = int(headers[SEQ]), int(headers[EVENING])
        head = bytes.fromhex(headers[HEAD])
        raw = _inflated(payload) if headers.get(PACKED) == "zlib" else payload
        kind = msgspec.json.decode(raw, type=_Kind).type
    except (KeyError, ValueError, zlib.error, msgspec.MsgspecError) as problem:
        raise BadInput(text("This is no row of a table’s log ({why}).", why=str(problem))) from problem
    if not 0 < seq < 2**62 or not 0 < evening < 2**62 or len(head) != 32:
        raise BadInput(text("This is no row of a table’s log ({why}).", why=f"{seq}, {evening}"))
    return LogRow(seq, evening, kind, raw, head)


class _Kind(msgspec.Struct):
    type: str


def _inflated(payload: bytes) -> bytes:
    engine = zlib.decompressobj()
    raw = engine.decompress(payload, LARGEST)
    if engine.unconsumed_tail:
        raise ValueError("too large")
    return raw


def follows(row: LogRow, head: bytes) -> bool:
    """Return whether *row* is what its table wrote after the row whose head is *head*."""
    return chained(head, row.seq, row.evening, row.raw) == row.head


def table_of(subject: str, event: str) -> str:
    """Return the table that a subject (`ln.E.T.log`, `ln.E.T.now`) belongs to; raise BadInput.

    >>> table_of("ln.abcdefgh.jkmnpqrstu.log", "abcdefgh")
    'jkmnpqrstu'
    """
    parts = subject.split(".")
    if len(parts) == 4 and parts[1] == event and keys.is_id(parts[2], keys.TABLE):
        return parts[2]
    raise BadInput(text("{subject} is no subject of this event.", subject=subject))
