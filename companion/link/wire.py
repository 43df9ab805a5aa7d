"""How a table's log goes over the wire to the hall.

Rows of a table's log are sent as their bytes, with number, evening and the chain up to the last as headers.
What has gathered while a message was under way goes together in the next: one message, one write to the disk
of the server. What else is said (presence and calls) is in `event.messages`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

import msgspec
from lastnose.companion.core.decode import decode_json, why_not
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, english, must_be_sayable, text
from lastnose.companion.event.messages import Presence
from lastnose.companion.link import keys
from lastnose.companion.table.log_file import LogRow, chained

SEQ, EVENING, HEAD, SIZES, PACKED = "Ln-Seq", "Ln-Evening", "Ln-Head", "Ln-Sizes", "Ln-Packed"
MARK = "Ln-Mark"  # who leads: of the hub's own log
MESSAGE_ID, EXPECTED = "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence"
DEEPEST = 100  # lists and objects in each other; no row of a table has ten
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
LARGE = 200_000  # bytes from which on rows are sent compressed: a server takes a megabyte
LARGEST = 16_000_000  # of a message, unpacked: three times what a server's megabyte of edges comes to
MANY = 200  # rows in a message
LONGEST = 16_000  # bytes that a table says of itself: it is on every page of the desk


class Parcel(NamedTuple):
    """The rows of one message: those of one evening up to number `seq`; `head` is the chain up to there."""

    seq: int
    evening: int
    raws: tuple[bytes, ...]
    head: bytes

    @property
    def first(self) -> int:
        """The number of the first row."""
        return self.seq - len(self.raws) + 1

    def after(self, n: int, head: bytes) -> list[LogRow] | None:
        """Return the rows after row *n*, whose head is *head*; None when they do not follow from it."""
        out: list[LogRow] = []
        for seq, raw in enumerate(self.raws, self.first):
            if seq > n:
                head = chained(head, seq, self.evening, raw)
                out.append(LogRow(seq, self.evening, kind_of(raw), raw, head))
        return out if not out or head == self.head else None


def parcels(rows: Sequence[LogRow]) -> Iterator[list[LogRow]]:
    """Yield *rows*, cut into what goes in one message each."""
    for _, same in groupby(rows, key=lambda row: row.evening):
        made: list[LogRow] = []
        size = 0
        for row in same:
            if made and (size + len(row.raw) > LARGE or len(made) == MANY):
                yield made
                made, size = [], 0
            made.append(row)
            size += len(row.raw)
        yield made


def packed(rows: Sequence[LogRow], after: int, table: str) -> tuple[bytes, dict[str, str]]:
    """Return payload and headers of *rows*, after message *after* of *table* (0: it is the first)."""
    last = rows[-1]
    headers = {SEQ: str(last.seq), EVENING: str(last.evening), HEAD: last.head.hex(), EXPECTED: str(after)}
    # Two tables may write the same, and one may have to write it again behind what it never wrote.
    headers[MESSAGE_ID] = f"{table}:{last.head.hex()[:16]}:{last.seq}:{after}"
    if len(rows) > 1:
        headers[SIZES] = " ".join(str(len(row.raw)) for row in rows)
    payload = b"".join(row.raw for row in rows)
    if len(payload) < LARGE:
        return payload, headers
    return zlib.compress(payload), {**headers, PACKED: "zlib"}


def mark_of(n: int, head: bytes, after: int) -> dict[str, str]:
    """Return the headers of a message of no rows, behind row *n* with its *head*, after message *after*."""
    return {SEQ: str(n), EVENING: "0", HEAD: head.hex(), EXPECTED: str(after)}


def unpacked(payload: bytes, headers: Mapping[str, str], evenings: int = 1) -> Parcel:
    """Return the rows of a message; raise BadInput for what no table has written.

    *evenings*: the least number of one; the hall's own log has 0, and messages of no rows: see `mark_of`.
    """
    try:
        seq, evening = int(headers[SEQ]), int(headers[EVENING])
        head = bytes.fromhex(headers[HEAD])
        if not payload and not evenings and headers.get(MARK):
            raws: tuple[bytes, ...] = ()
        else:
            raws = _cut(inflated(payload) if headers.get(PACKED) == "zlib" else payload, headers.get(SIZES))
        for raw in raws:
            _check(raw)
    except (KeyError, ValueError, zlib.error, msgspec.MsgspecError, RecursionError) as problem:
        raise BadInput(
            english("This is not a row of a table’s log ({why}).", why=why_not(problem))
        ) from problem
    if not len(raws) <= seq < 2**62 or not evenings <= evening < 2**62 or len(head) != 32:
        raise BadInput(english("This is not a row of a table’s log ({why}).", why=f"{seq}, {evening}"))
    return Parcel(seq, evening, raws, head)


def _check(raw: bytes) -> None:
    """Raise unless *raw* is JSON as a table writes it, without a blank: an archive has it back only then."""
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and not _is_shallow(raw):
        raise ValueError("too deep")  # some Pythons read what others cannot
    kind_of(raw)
    if not raw.isascii():
        raw.decode()
    if msgspec.json.format(raw, indent=-1) != raw:
        raise ValueError("blanks")


def _is_shallow(raw: bytes, deepest: int = DEEPEST) -> bool:
    """Return whether no more lists and objects of *raw*, which may be no JSON, stand in each other.

    >>> [_is_shallow(b'{"a":[[],{"b":"[[[[["}]}', deepest) for deepest in (2, 3)]
    [False, True]
    """
    left = _STRING.sub(b"", raw).translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(deepest):
        if not left:
            break
        left = left.replace(b"[]", b"")  # the innermost of all that there are
    return not left


def _cut(payload: bytes, sizes: str | None) -> tuple[bytes, ...]:
    if sizes is None:
        return (payload,)
    found = [int(size) for size in sizes.split()]
    if sum(found) != len(payload) or not 0 < len(found) <= MANY or min(found) < 1:
        raise ValueError(f"{sizes}: {len(payload)}")
    return tuple(payload[end - size : end] for size, end in zip(found, accumulate(found), strict=True))


def kind_of(raw: bytes) -> str:
    """Return the type of the event *raw*; raise what the decoder raises."""
    return _KIND.decode(raw).type


class _Kind(msgspec.Struct):
    type: str


_KIND = msgspec.json.Decoder(_Kind)


def inflated(payload: bytes) -> bytes:
    """Return *payload* uncompressed; raise zlib.error, and ValueError when it is larger than `LARGEST`."""
    engine = zlib.decompressobj()
    raw = engine.decompress(payload, LARGEST)
    if engine.unconsumed_tail:
        raise ValueError("too large")
    return raw


def presence_of(payload: bytes) -> Presence:
    """Return the presence in *payload*; raise BadInput for what no table says of itself."""
    if len(payload) > LONGEST:
        raise BadInput(english("a table says more of itself than {n} bytes", n=LONGEST))
    found = decode_json(payload, Presence)
    if isinstance(found.cannot, Text):
        try:
            must_be_sayable(found.cannot)
        except ValueError as problem:
            raise BadInput(Text("{why}", {"why": str(problem)})) from problem
    return found


def unread(seq: int, problem: Exception) -> Text:
    """Return that entry *seq* of a table's log cannot be read, and why."""
    return text("Entry {seq} cannot be read ({why}).", seq=seq, why=why_not(problem))


def table_of(subject: str, event: str) -> str:
    """Return the table that a subject (`ln.E.T.log`, `ln.E.T.now`) belongs to; raise BadInput.

    >>> table_of("ln.abcdefgh.jkmnpqrstu.log", "abcdefgh")
    'jkmnpqrstu'
    """
    parts = subject.split(".")
    if len(parts) == 4 and parts[1] == event and keys.is_id(parts[2], keys.TABLE):
        return parts[2]
    raise BadInput(english("{subject} is no subject of this event.", subject=subject))
