"""A table's log as far as the hall has it, what the table has made of calls, and appeals against it. Pure.

Of games that are over only what they came to is at hand, so that a long event costs no more than a short one:
their entries are read again when somebody asks for them, or changes one. Which decision about a verdict
holds: the newest.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from operator import attrgetter
from statistics import median
from sys import intern
from typing import Any, ClassVar, NoReturn, Protocol, cast

import msgspec
from lastnose.companion.evening.events import AnyEvent, ZeroTested
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import Amending, Entry, Evening, Match, is_void
from lastnose.companion.event.standings import Placing, common, placings
from msgspec.structs import replace

_encode = msgspec.msgpack.encode
MOST = 2**63 - 1


class NeedsAll(Exception):
    """Something is asked of a game that is over, and not at hand: the log is to be folded whole."""


class Sums(msgspec.Struct, frozen=True, array_like=True):
    """What a game has come to, as far as the hall asks for it again and again.

    `newest` is the log number with which its newest part began. `judged` rounds stand, `voids` of them do not
    count; that, and what was `corrected` or is `contested`, is only looked at of a game that is finished or
    over. `closest` is the entry of its closest sure verdict, 0 for none, with a margin of `closest_ns`.
    """

    newest: int
    signed: bool
    finished: bool
    ended: bool
    placed: tuple[Placing, ...] | None
    judged: int = 0
    voids: int = 0
    corrected: bool = False
    contested: bool = False
    protested: bool = False
    closest: int = 0
    closest_ns: int = 0


class OverGames(Protocol):
    """Where the entries of games are that are over."""

    def parts(self, table: str, call: int, began: int) -> tuple[Match, ...]:
        """Return the parts of the game of *table* for *call* that began with entry *began*."""

    def evening(self, table: str) -> Evening:
        """Return the whole evening of *table*."""


class CalledMatch(msgspec.Struct, frozen=True, dict=True):
    """The game that table `id` has made of a call, which is an entry of the hall's log.

    `at_hand` are its matches, the oldest first: where somebody came or went the same game goes on in
    another. Of one that is over it is what it came to, encoded, and `source` has its matches. `zero`: the
    evening has a zero test. `reopened`: the table's host had signed it off, and what was corrected or taken
    back there since has not been signed. `nonce`: see `events.Called`. It `began` with that log number.
    """

    id: str
    call: int
    at_hand: tuple[Match, ...] | bytes
    zero: bool
    began: int
    reopened: bool = False
    nonce: str = ""
    source: OverGames | None = None

    @property
    def parts(self) -> tuple[Match, ...]:
        if isinstance(self.at_hand, tuple):
            return self.at_hand
        assert self.source is not None
        return self.source.parts(self.id, self.call, self.began)

    @property
    def sums(self) -> Sums:
        """What it has come to."""
        return SUMS.decode(self.at_hand) if isinstance(self.at_hand, bytes) else self._summed

    @cached_property
    def _summed(self) -> Sums:
        match = self.parts[-1]
        if match.finished:
            return summed(self.parts)
        protested = any(one.protested for part in self.parts for one in part.special.values())
        return Sums(match.seq, match.signed_by != "", False, match.ended, None, protested=protested)

    @cached_property
    def closest(self) -> tuple[int, int]:
        """The margin of its closest sure verdict, in ns, and its entry; 0 and 0 without any."""
        sums = self.sums if isinstance(self.at_hand, bytes) else summed(self.parts)
        return sums.closest_ns, sums.closest

    def over(self, source: OverGames) -> CalledMatch:
        """Return it with what it has come to alone, as it is over; *source* has its matches."""
        if isinstance(self.at_hand, bytes):
            return self
        return replace(self, at_hand=_encode(summed(self.at_hand)), source=source)

    @property
    def match(self) -> Match:
        """Its newest part."""
        return self.parts[-1]

    @property
    def entries(self) -> Iterator[Entry]:
        """Those of all parts."""
        return chain.from_iterable(part.entries for part in self.parts)

    def part_of(self, entry: Entry) -> Match:
        return next(part for part in reversed(self.parts) if part.seq < entry.seq)

    @property
    def finished(self) -> bool:
        """Whether the match has a result."""
        return self.sums.finished

    @property
    def signed(self) -> bool:
        """Whether the table's host has signed it off."""
        return self.sums.signed


SUMS = msgspec.msgpack.Decoder(Sums)


def summed(parts: tuple[Match, ...]) -> Sums:
    """Return what a game of *parts* has come to."""
    match, entries = parts[-1], [entry for part in parts for entry in part.entries]
    judged = [one for one in entries if one.number and one.stands]
    sure = [one for one in entries if is_sure(one)]
    closest = min(sure, key=margin_ns, default=None)
    return Sums(
        newest=match.seq,
        signed=match.signed_by != "",
        finished=match.finished,
        ended=match.ended,
        placed=placings(*parts),
        judged=len(judged),
        voids=sum(map(is_void, judged)),
        corrected=any(e.correction is not None and e.correction.get("type") == "last" for e in judged),
        contested=any(one.contested for one in judged),
        protested=any(one.protested for one in entries),
        closest=0 if closest is None else closest.seq,
        closest_ns=0 if closest is None else margin_ns(closest),
    )


def is_sure(entry: Entry) -> bool:
    """Return whether *entry* is a verdict that names one who was last, and stands as it was judged."""
    verdict = entry.verdict
    if verdict is None or not entry.stands or entry.correction is not None:
        return False
    return (
        verdict.void is None
        and len(verdict.last) == 1
        and verdict.margin_ns is not None
        and verdict.u_ns is not None
    )


def margin_ns(entry: Entry) -> int:
    """Return the margin of a sure verdict."""
    assert entry.verdict is not None
    assert entry.verdict.margin_ns is not None
    return entry.verdict.margin_ns


class OverMatch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match of a game that is over, of which only this is at hand; NeedsAll for whatever else is asked."""

    seq: int
    number: int
    call: str
    parting: bool
    special: ClassVar[Mapping[int, Entry]] = {}  # what its table is asked of it, the table's own screens say

    @property
    def started(self) -> OverMatch:
        """What is at hand of its beginning: the call."""
        return self

    def __getattr__(self, name: str) -> NoReturn:
        raise NeedsAll(name)


def is_over(match: object) -> bool:
    """Return whether of *match* only that is at hand what an `OverMatch` has."""
    return isinstance(match, OverMatch)


class Base(msgspec.Struct, frozen=True, array_like=True):
    """A table's evening before a game begins, of which the games before are over: see `TableLog.over`."""

    number: int
    seq: int
    people: tuple[str, ...]
    formerly: dict[str, int]
    zeros: tuple[ZeroTested, ...]
    amended: dict[int, Amending]
    claims: bytes
    matches: tuple[OverMatch, ...]
    whole: bool


class KeptGame(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A game that is over, as it is stored: see `CalledMatch`."""

    call: int
    began: int
    zero: bool
    reopened: bool
    nonce: str
    sums: bytes


class TableLog(msgspec.Struct, frozen=True):
    """A table's log as far as the hall has it: its fold, and its games for each call, by the call's entry.

    There are several, the oldest first, where a table has begun a game for the same call once more.
    `unfounded` are rounds whose verdicts do not follow from their edges: see `TableEdges`. Of games that are
    over only that is at hand what they came to; of their matches `evening` has an `OverMatch`, and `source`
    has all. `claims` are those of their verdicts. `whole`: entries were changed after their game was over.
    """

    id: str
    evening: Evening = Evening()
    number: int = 0  # of the evening in the table's log
    played: dict[int, tuple[CalledMatch, ...]] = {}
    unfounded: frozenset[int] = frozenset()
    source: OverGames | None = None
    claims: bytes = b""
    whole: bool = False

    @property
    def claim(self) -> int | None:
        """The median of what the verdicts of this evening claim, in ns; None without any."""
        found = [*memoryview(self.claims).cast("q"), *_claims(self.evening.matches)]
        return int(median(found)) if found else None

    @property
    def is_over(self) -> bool:
        """Whether matches of the evening are not at hand."""
        return any(is_over(one) for one in self.evening.matches[:1])

    def over(self, source: OverGames) -> TableLog:
        """Return the log without what is not needed of its games, each of which is over; *source* has all."""
        evening, made = self.evening, {}
        for call, games in self.played.items():
            over = tuple(one.over(source) for one in games)
            made[call] = games if common(games, over) == len(games) else over
        matches = tuple(
            one
            if is_over(one)
            else OverMatch(one.seq, one.number, intern(one.started.call), one.parting is not None)
            for one in evening.matches
        )
        return replace(
            self,
            evening=replace(evening, matches=matches),
            played=made,
            source=source,
            claims=self.claims + array("q", (min(one, MOST) for one in _claims(evening.matches))).tobytes(),
        )

    @property
    def base(self) -> Base:
        """What is to be stored of it, but for its games; it is `over`."""
        evening, matches = self.evening, cast("tuple[OverMatch, ...]", self.evening.matches)
        return Base(
            self.number,
            evening.seq,
            evening.people,
            evening.formerly,
            evening.zeros,
            evening.amended,
            self.claims,
            matches,
            self.whole,
        )

    def kept(self, before: TableLog) -> list[KeptGame]:
        """Return what is to be stored of its games that are over, but were not yet in the log *before*."""
        return [
            KeptGame(one.call, one.began, one.zero, one.reopened, one.nonce, one.at_hand)
            for call, games in self.played.items()
            if games is not (known := before.played.get(call, ()))
            for one in games
            if isinstance(one.at_hand, bytes) and one not in known
        ]

    def plus(self, event: str, seq: int, evening: int, item: AnyEvent) -> TableLog:
        """Return the log with one more row; *event* is the id of the hall's event.

        Raises a CompanionError when the row does not follow from those before, NeedsAll where it is about a
        game that is not at hand.
        """
        other = evening != self.number
        was = Evening() if other else self.evening
        folded = apply(was, seq, item)
        if folded.matches is was.matches and folded.zeros is was.zeros and not other:  # a round was armed
            return replace(self, evening=folded)
        same = _unchanged(was, folded)
        if any(is_over(one) for one in folded.matches[same : same + 1]):
            raise NeedsAll
        found = self._games(event, folded, same)
        played, start = self.played, folded.matches[0].seq if folded.matches else seq
        first = next((one.matches[same].seq for one in (folded, was) if same < len(one.matches)), seq)
        gone = {entry_of(event, match.started.call)[0] for match in was.matches[same:]} - {0}
        for number in found.keys() | gone:
            known, games = played.get(number, ()), found.get(number, [])
            before = tuple(one for one in known if one.began < first)
            if not games and not any(one.began >= start for one in before):
                continue  # nothing of this evening is left of it: what it was stays known
            if not _same(known, (*before, *games)):
                played = played | {number: (*before, *games)}
        claims = b"" if other else self.claims
        return replace(self, evening=folded, number=evening, played=played, claims=claims)

    def _games(self, event: str, folded: Evening, same: int) -> dict[int, list[CalledMatch]]:
        """Return the called games of *folded*, by call, but those of its first *same* matches."""
        found: dict[int, list[CalledMatch]] = {}
        parts: tuple[Match, ...] = ()
        for match in folded.matches[same:]:  # an older one, too: what was corrected counts as it is now
            parts = (*parts, match)
            if match.parting:
                continue
            number, nonce = entry_of(event, match.started.call)
            if number:
                reopened = _reopened(self.played.get(number, ()), parts)
                zero = folded.zero is not None
                made = CalledMatch(self.id, number, parts, zero, parts[0].seq, reopened, nonce)
                found.setdefault(number, []).append(made)
            parts = ()
        return found

    def past(self, newest: int) -> str:
        """Return "" if the match that began with entry *newest* goes on. Else nothing more comes of it.

        "back": but its entries can be taken back and put back, as those of this evening can; else "over".
        """
        if self.evening.match is not None and self.evening.match.seq == newest:
            return ""
        matches = self.evening.matches
        at = bisect_left(matches, newest, key=attrgetter("seq"))
        return "back" if at < len(matches) and matches[at].seq == newest else "over"


def _unchanged(was: Evening, folded: Evening) -> int:
    """Return how many matches at the beginning are as they were: whole games, under the same zero test.

    So a row costs as much at the end of a long evening as at its beginning.
    """
    if (was.zero is None) is not (folded.zero is None):
        return 0
    n = common(was.matches, folded.matches)
    while n and folded.matches[n - 1].parting:
        n -= 1
    return n


def _reopened(known: tuple[CalledMatch, ...], parts: tuple[Match, ...]) -> bool:
    if parts[-1].signed_by:
        return False
    return any(one.began == parts[0].seq and (one.signed or one.reopened) for one in known)


def _same(known: tuple[CalledMatch, ...], made: tuple[CalledMatch, ...]) -> bool:
    pairs = zip(known, made, strict=False)
    return len(known) == len(made) and all(_alike(a, b) for a, b in pairs)


def _alike(one: CalledMatch, other: CalledMatch) -> bool:
    if one is other or isinstance(one.at_hand, bytes) or isinstance(other.at_hand, bytes):
        return one is other
    parts = zip(one.at_hand, other.at_hand, strict=False)
    same = len(one.at_hand) == len(other.at_hand) and one.zero is other.zero
    return same and all(a is b for a, b in parts)


def _claims(matches: Iterable[Match]) -> list[int]:
    """Return what the verdicts of those of *matches* claim that are at hand, in ns."""
    return [
        entry.verdict.u_ns
        for match in matches
        if not is_over(match)
        for entry in match.entries
        if entry.verdict is not None and entry.verdict.u_ns is not None
    ]


def opened(
    table: str, base: Base, games: Iterable[KeptGame], unfounded: frozenset[int], source: OverGames
) -> TableLog:
    """Return the log of *table* that was stored: see `TableLog.over`."""
    matches: Any = tuple(replace(one, call=intern(one.call)) for one in base.matches)
    evening = Evening(
        seq=base.seq,
        matches=matches,
        zeros=base.zeros,
        people=base.people,
        formerly=base.formerly,
        amended=base.amended,
    )
    played: dict[int, tuple[CalledMatch, ...]] = {}
    for one in games:
        nonce = intern(one.nonce)
        made = CalledMatch(table, one.call, one.sums, one.zero, one.began, one.reopened, nonce, source)
        played[one.call] = (*played.get(one.call, ()), made)
    return TableLog(table, evening, base.number, played, unfounded, source, base.claims, base.whole)


def call_of(event: str, seq: int, nonce: str = "") -> str:
    """Return how a table writes down by which entry of the hall's log it was called: no two calls are alike.

    *nonce* is that of the entry, empty in older logs.

    >>> call_of("abcdefgh", 3, "k7"), call_of("abcdefgh", 3)
    ('abcdefgh.3.k7', 'abcdefgh.3')
    """
    return f"{event}.{seq}.{nonce}" if nonce else f"{event}.{seq}"


def entry_of(event: str, call: str) -> tuple[int, str]:
    """Return the entry that *call* names, and its nonce; 0 when it is of another event or of none.

    >>> [entry_of("abcdefgh", call) for call in ("abcdefgh.3.k7", "abcdefgh.3", "zzzzzzzz.3.k7", "")]
    [(3, 'k7'), (3, ''), (0, ''), (0, '')]
    """
    whose, _, rest = call.partition(".")
    number, _, nonce = rest.partition(".")
    return (int(number), nonce) if whose == event and number.isdecimal() else (0, "")


def called_by(call: str) -> int:
    """Return the entry that *call* names, whichever event it is of; 0 when it names none.

    >>> called_by("abcdefgh.3.k7"), called_by("")
    (3, 0)
    """
    return entry_of(call.partition(".")[0], call)[0]


class HallAppeal(msgspec.Struct, frozen=True):
    """An appeal against verdict `entry` of `table`; `decision` is empty while nobody has decided.

    `call` is the entry for which its game was played in `round`: that which called the round then, or the
    appeal by which the game is played again. `decided` is the entry that decided the appeal, 0 before.
    `entry` is 0 of a game that the desk lets be played again without one. `nonce`: see `events.Called`.
    """

    seq: int
    table: str
    entry: int
    reason: str
    by: str
    round: int = 0
    call: int = 0
    decision: str = ""
    why: str = ""
    decided: int = 0
    nonce: str = ""


def decided(appeals: Iterable[HallAppeal], call: int, table: str) -> dict[int, HallAppeal]:
    """Return what was decided last about each verdict of what *table* has played for *call*, by its entry."""
    mine = (one for one in appeals if (one.call, one.table) == (call, table) and one.decision)
    return {one.entry: one for one in sorted(mine, key=lambda one: one.decided)}


def taken_out(appeals: Iterable[HallAppeal], played: CalledMatch) -> set[int]:
    """Return the entries of the verdicts of *played* that were decided to be void."""
    told = decided(appeals, played.call, played.id)
    return {entry for entry, appeal in told.items() if appeal.decision == "void"}


def called_again(appeals: Iterable[HallAppeal], call: int, tables: Collection[str]) -> int:
    """Return the appeal by which what *tables* have played for *call* is played again; 0: there is none.

    Of several the first to be decided: those after it are about a game that does not count any more. It stays
    the same when its decision is taken back and made once more: what was played for it counts again.
    """
    since: dict[tuple[str, int], HallAppeal] = {}
    for one in sorted(appeals, key=lambda one: one.decided):
        if one.call != call or one.table not in tables or not one.decision:
            continue
        if one.decision != "again":
            since.pop((one.table, one.entry), None)
        elif one.seq > call:
            since.setdefault((one.table, one.entry), one)
    return min(since.values(), key=lambda one: one.decided).seq if since else 0
