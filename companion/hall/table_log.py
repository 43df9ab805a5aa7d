"""A table's log as far as the hall has it, and what the table has made of the hall's calls. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from operator import is_
from statistics import median

import msgspec

from companion.evening.events import AnyEvent, ZeroTested
from companion.evening.log import apply
from companion.evening.state import Entry, Evening, Match


class CalledMatch(msgspec.Struct, frozen=True):
    """The game that table `id` has made of a call, which is an entry of the hall's log.

    `parts` are its matches, the oldest first: where somebody came or went the same game goes on in another.
    `zero` is the zero test of the evening, None when none was made. `reopened`: the table's host had signed
    it off, and what was corrected or taken back there since has not been signed. `nonce`: see
    `events.Called`.
    """

    id: str
    call: int
    parts: tuple[Match, ...]
    zero: ZeroTested | None
    reopened: bool = False
    nonce: str = ""

    @property
    def match(self) -> Match:
        """Its newest part."""
        return self.parts[-1]

    @property
    def began(self) -> int:
        """The log number with which it began."""
        return self.parts[0].seq

    @property
    def entries(self) -> Iterator[Entry]:
        """Those of all parts."""
        return chain.from_iterable(part.entries for part in self.parts)

    def part_of(self, entry: Entry) -> Match:
        """Return the part that has *entry*."""
        return next(part for part in reversed(self.parts) if part.seq < entry.seq)

    @property
    def finished(self) -> bool:
        """Whether the match has a result."""
        return self.match.finished

    @property
    def signed(self) -> bool:
        """Whether the table's host has signed it off."""
        return self.match.signed_by != ""


class TableLog(msgspec.Struct, frozen=True):
    """A table's log as far as the hall has it: its fold, and its games for each call, by the call's entry.

    There are several, the oldest first, once a game was played again, in older logs for the same call.
    `unfounded` are rounds whose verdicts do not follow from their edges: see `TableEdges`.
    """

    id: str
    evening: Evening = Evening()
    number: int = 0  # of the evening in the table's log
    played: dict[int, tuple[CalledMatch, ...]] = {}
    unfounded: frozenset[int] = frozenset()

    @property
    def claim(self) -> int | None:
        """The median of what the verdicts of this evening claim, in ns; None without any."""
        found = [
            entry.verdict.u_ns
            for match in self.evening.matches
            for entry in match.entries
            if entry.verdict is not None and entry.verdict.u_ns is not None
        ]
        return int(median(found)) if found else None

    def plus(self, event: str, seq: int, evening: int, item: AnyEvent) -> TableLog:
        """Return the log with one more row; *event* is the id of the hall's event.

        Raises a CompanionError when the row does not follow from those before.
        """
        was = Evening() if evening != self.number else self.evening
        folded = apply(was, seq, item)
        same = _unchanged(was, folded)
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
        return msgspec.structs.replace(self, evening=folded, number=evening, played=played)

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
                anew = _reopened(self.played.get(number, ()), parts)
                made = CalledMatch(self.id, number, parts, folded.zero, anew, nonce)
                found.setdefault(number, []).append(made)
            parts = ()
        return found

    def past(self, match: Match) -> str:
        """Return "" for the newest *match* of the table: it goes on. Else nothing more comes of it by itself.

        "back": but its entries can be taken back and put back, as those of this evening can; else "gone".
        """
        if self.evening.match is not None and self.evening.match.seq == match.seq:
            return ""
        return "back" if any(one.seq == match.seq for one in self.evening.matches) else "gone"


def _unchanged(was: Evening, folded: Evening) -> int:
    """Return how many matches at the beginning are as they were: whole games, under the same zero test.

    So a row costs as much at the end of a long evening as at its beginning.
    """
    if was.zero is not folded.zero:
        return 0
    same = [*map(is_, was.matches, folded.matches)]
    n = len(same) if all(same) else same.index(False)
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
    parts = zip(one.parts, other.parts, strict=False)
    return len(one.parts) == len(other.parts) and one.zero is other.zero and all(a is b for a, b in parts)


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
