"""What goes over the wire between tables and hall. Pure.

Rows of a table's log are sent as their bytes, with number, evening and the chain up to the last as headers.
What has gathered while a message was under way goes together in the next: one message, one write to the disk
of the server. Presence and calls are small JSON objects.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.decode import decode_json, why_not
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import call_game_as_today
from lastnose.companion.core.text import Text, must_be_sayable, text
from lastnose.companion.hall import keys
from lastnose.companion.table.log_file import LogRow, chained

SEQ, EVENING, HEAD, SIZES, PACKED = "Ln-Seq", "Ln-Evening", "Ln-Head", "Ln-Sizes", "Ln-Packed"
MARK = "Ln-Mark"  # who leads: of the hub's own log
MESSAGE_ID, EXPECTED = "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence"
ANOTHER, UNREADABLE, HOLE = "another history", "unreadable", "a hole"
SOME, ALL = "some", "all"  # how much of what a table sends the hall cannot take
SPOILT = (ANOTHER, HOLE)  # why nothing can follow under a table's name: it needs a new one
DEEPEST = 100  # lists and objects in each other; no row of a table has ten
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
LARGE = 200_000  # bytes from which on rows are sent compressed: a server takes a megabyte
LARGEST = 16_000_000  # of a message, unpacked: three times what a server's megabyte of edges comes to
MANY = 200  # rows in a message
LONGEST = 16_000  # bytes that a table says of itself: it is on every page of the desk


class NearHall(msgspec.Struct, frozen=True):
    """A hall of this network: where its pages are, and what its event is called, "" without a name."""

    address: str
    title: str


class StuckGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of this table that has no result, and gets none by itself: of which round.

    `back`: an entry of it was taken back or corrected here, and can be put back. `void`: that round of it
    does not count, by an appeal, and is to be taken out here; 0: none. `beyond`: not here, where another game
    has begun since.
    """

    kind: str
    round: int
    back: bool = False
    void: int = 0
    beyond: bool = False


class HallCall(msgspec.Struct, frozen=True, tag_field="type", tag="call", omit_defaults=True):
    """What the hall wants of a table: its number, what it is told, and the round that it is called for.

    `rev` is the number of the hall's log that it follows from: a table says which it has. `call` is empty
    between rounds and in a round that the table sits out; another for a game that is to be played again. `at`
    is the hall's wall time.
    `by_hand`: the `players` of this round are too few for its game, and settle it; nothing is called.
    `stuck` are games of this table that count in the hall and get no result by themselves. `refuses` is how
    much of what this table sends the hall cannot take: `SOME`, `ALL`, or "" for nothing. `paused`: the
    clock of the round stands still. `gone` are those of the `players` who have left the event, and are still
    in the game. `again` is why an appeal has it played again, "" when none has. `typed` is
    the call whose game's result the desk has typed before it was signed off here, "" for none. `run` is
    random at each start of the hub: only of one run a lower `rev` is older.
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
    at: float = 0.0
    by_hand: bool = False
    stuck: tuple[StuckGame, ...] = ()
    refuses: str = ""
    paused: bool = False
    gone: tuple[str, ...] = ()
    again: str = ""
    typed: str = ""
    run: str = ""

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)

    @property
    def mark(self) -> str:
        """What tells it from a call that says anything else, whenever that was said."""
        said = msgspec.json.encode(msgspec.structs.replace(self, rev=0, at=0.0))
        return f"{zlib.crc32(said):08x}"


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table says of itself every few seconds.

    `n` is the newest number of its log and `head` the chain up to it; `rev`, `call` and `heard` (see
    `HallCall.mark`) what it was told; `here` the seats that have touched their nose for this call. `trouble`
    is why it can send nothing, `cannot` why it does not begin the game of this call. `ahead_s`: its wall
    clock is so far ahead of the hall's, in s; 0 when it is as good as right. `unkept`: its
    message server takes nothing more.
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
    cannot: Text | str = ""
    simulated: bool = False
    ahead_s: int = 0
    unkept: bool = False
    heard: str = ""

    def knows(self, call: HallCall) -> bool:
        """Return whether the table was told *call*; an older one does not say all that it has heard."""
        same = self.heard == call.mark if self.heard else self.call == call.call
        return same and self.rev == call.rev


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
        raise BadInput(text("This is not a row of a table’s log ({why}).", why=why_not(problem))) from problem
    if not len(raws) <= seq < 2**62 or not evenings <= evening < 2**62 or len(head) != 32:
        raise BadInput(text("This is not a row of a table’s log ({why}).", why=f"{seq}, {evening}"))
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
        raise BadInput(text("a table says more of itself than {n} bytes", n=LONGEST))
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
    raise BadInput(text("{subject} is no subject of this event.", subject=subject))
