"""What a phone's touch may be off by against another phone's: the usual bound, or what a zero test measured.

How late each of two phones tells of a touch differs by up to twice `LATENCY_U_NS` as long as nobody has
measured it (`companion.core.touch`). A zero test of two phones gives the most that they seemed to differ by
when both were touched at once: for these two, this evening, that takes the bound's place, wider or narrower.
Phones that were tested with a common third differ by no more than both did from it. Each phone gets a share;
the shares of two add up to what those two may differ by. As long as one that plays is untested, and a nose
that any page may touch is, the usual bound counts for all; only those who were seen further apart than that
have more.

Beside wires a phone's lateness itself counts: `LATE_NS` is taken off its stamps, sure to `LATE_U_NS`. A zero
test against a wire measures it: the middle of what was seen is taken off from then on, sure to half of its
width and `FINGERS_NS`, for this phone alone, whatever else plays. For a finger that is always first is in
every pair alike, and no number of pairs shows it: people cannot tell the order of two touches that are less
than about 20 ms apart, so who means to touch both at once may always be off by as much.

A test that finds a phone later than any can be, or earlier than its touch, is refused: either the two were
not touched at once, or the phone is like no other. Nobody knows which, so until a calmer test its claim has
room for both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec
from lastnose.companion.core.touch import LATE_NS, LATE_U_NS, LATENCY_U_NS
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.views.snapshot import ZeroView

MOST_PHONES = 64
FINGERS_NS = 20_000_000  # by which one of a person's fingers may always be first, unnoticed
_USUAL_NS = 2 * LATENCY_U_NS


class PhoneWorth(msgspec.Struct, frozen=True):
    """What a phone's stamps are worth: `late_ns` is taken off them before they count.

    `share_ns` is its share of what two phones may differ by, `wire_ns` what it and a wire may (None: none).
    """

    late_ns: int = 0
    share_ns: int = LATENCY_U_NS
    wire_ns: int | None = None


class PhoneClaims:
    """The zero tests of this evening with phones, by the ids that phones give themselves.

    *wires*: the noses that are no phones'. `settle` fixes what the phones that play are worth until it is
    called again.
    """

    def __init__(self, wires: Collection[str] = ()) -> None:
        self._wires = frozenset(wires)
        self._apart_ns: dict[frozenset[str], int] = {}
        self._joined: dict[str, frozenset[str]] = {}  # the phones that tests join to one another
        self._late_ns: dict[str, tuple[int, int]] = {}  # the least and the most that a phone may be late
        self._refused: dict[str, int] = {}  # how late a test that was refused had found a phone
        self._last: tuple[int, float] | None = None
        self._playing: frozenset[str] = frozenset()
        self._settled: dict[str, PhoneWorth] = {}
        self._usual = PhoneWorth(LATE_NS, LATENCY_U_NS, LATE_U_NS) if wires else PhoneWorth()

    def settle(self, phones: Collection[str]) -> None:
        """Fix what *phones* are worth, which are all that play now; one without an id is untested."""
        self._playing = frozenset(phones)
        shares = self.shares_ns(phones)
        beside_none = {phone: PhoneWorth(share_ns=share) for phone, share in shares.items()}
        worths = self._beside_wires(phones) if self._wires else beside_none
        self._settled = {} if {*worths.values()} <= {self._usual} else worths

    def worth(self, phone: str) -> PhoneWorth:
        """Return what *phone* is worth; one that comes late makes up for the narrow ones, and for wide tests.

        >>> claims = PhoneClaims(wires=("nose.1",))
        >>> claims.worth("a")
        PhoneWorth(late_ns=50000000, share_ns=25000000, wire_ns=50000000)
        >>> claims._late_ns["a"] = -8_000_000, 48_000_000
        >>> claims.settle("a")
        >>> claims.worth("a").late_ns, claims.worth("a").wire_ns
        (20000000, 28000000)
        """
        if phone in self._playing:
            return self._settled.get(phone, self._usual)
        share_ns = self._usual.share_ns
        if phone in self._refused:
            late_ns, bound_ns = self._lateness(phone)
            return PhoneWorth(late_ns, bound_ns + LATE_U_NS, bound_ns)
        if self._settled:
            share_ns = LATE_U_NS if self._wires else _USUAL_NS
        wide_ns = (apart for pair, apart in self._apart_ns.items() if phone in pair and apart > _USUAL_NS)
        return msgspec.structs.replace(self._usual, share_ns=max(share_ns, *wide_ns, 0))

    def _beside_wires(self, phones: Collection[str]) -> dict[str, PhoneWorth]:
        """Return what *phones* are worth beside wires.

        What is taken off two phones may differ: that widens what they may differ by. Where it is less, what
        both may be off by against a wire counts between them too; and where one is like no other.
        """
        late = {phone: self._lateness(phone) for phone in phones}
        shares = self.shares_ns(phones) or dict.fromkeys(phones, LATENCY_U_NS)
        shares = {phone: share + abs(late[phone][0] - LATE_NS) for phone, share in shares.items()}
        bounds = {phone: bound for phone, (_, bound) in late.items()}
        best = bounds if self._refused.keys() & late.keys() else min((shares, bounds), key=_widest)
        return {phone: PhoneWorth(late[phone][0], best[phone], bounds[phone]) for phone in phones}

    def _lateness(self, phone: str) -> tuple[int, int]:
        """Return how late *phone* tells of a touch, and what that may be wrong by."""
        least, most = self._late_ns.get(phone, (LATE_NS - LATE_U_NS, LATE_NS + LATE_U_NS))
        late_ns = max(0, (least + most) // 2)
        return late_ns, max(most - late_ns, late_ns - least)

    def learn(self, evening: int, zero: ZeroView | None, phones: Mapping[str, str]) -> bool:
        """Learn of a finished test, and return whether it measured a phone. Each evening begins again.

        *phones* names the phone that owns a line. What an earlier run has left is for `remember`.
        """
        kept = zero.at if zero is not None else self._last[1] if self._last is not None else 0.0
        before, self._last = self._last, (evening, kept)
        if before is None or before[0] != evening:
            self._apart_ns.clear()
            self._joined.clear()
            self._late_ns.clear()
            self._refused.clear()
        if zero is None or not kept or before is None or before == self._last or not zero.off_ns:
            return False
        return self._measure(zero, phones)

    def remember(self, tests: Iterable[ZeroTested]) -> None:
        """Take over what the *tests* of this evening, before the table was started again, had made wider.

        What they had made narrower has to be measured again; of a phone beside a wire only what was refused
        makes anything wider.

        >>> claims = PhoneClaims()
        >>> claims.remember([ZeroTested(by="box", at=1, lines=("nose.1", "nose.2"), off_ns=(4, -90_000_000),
        ...                             u_ns=64_000_000, phones=("a", "b"))])
        >>> sum(claims.shares_ns("ab").values())
        90000000
        """
        then = PhoneClaims(self._wires)
        for test in tests:
            then.settle({*test.phones} - {""})
            then._measure(test, dict(zip(test.lines, test.phones, strict=True)))
        self._apart_ns |= {pair: apart for pair, apart in then._apart_ns.items() if apart > _USUAL_NS}
        self._late_ns |= {phone: then._late_ns[phone] for phone in then._refused}
        self._refused |= then._refused

    def _measure(self, zero: ZeroView | ZeroTested, phones: Mapping[str, str]) -> bool:
        """Take the figures of a test, as they were before anything was taken off the stamps."""
        one, other = (phones.get(line, "") for line in zero.lines)
        late = [self.worth(phone).late_ns if phone else 0 for phone in (one, other)]
        off_ns = [off + late[1] - late[0] for off in zero.off_ns]
        if one and other and one != other and len(self._apart_ns) < MOST_PHONES:
            self._apart_ns[frozenset((one, other))] = max(map(abs, off_ns))
            both = self._joined.get(one, frozenset((one,))) | self._joined.get(other, frozenset((other,)))
            self._joined |= dict.fromkeys(both, both)
        if one and zero.lines[1] in self._wires:
            self._find_late(one, -max(off_ns), -min(off_ns))
        if other and zero.lines[0] in self._wires:
            self._find_late(other, min(off_ns), max(off_ns))
        wired = not self._wires.isdisjoint(zero.lines)
        return bool(one or other) if wired else bool(one and other and one != other)

    def _find_late(self, phone: str, least_ns: int, most_ns: int) -> None:
        """Take that *phone* seemed so late, at the least and at the most, unless that cannot be.

        >>> claims = PhoneClaims(wires=("nose.1",))
        >>> claims._find_late("a", 130_000_000, 150_000_000)
        >>> claims.refused_ns("a"), claims._late_ns["a"]
        (150000000, (0, 170000000))
        """
        if phone not in self._late_ns and len(self._late_ns) >= MOST_PHONES:
            return
        self._refused.pop(phone, None)
        found = least_ns - FINGERS_NS, most_ns + FINGERS_NS
        soonest, latest = LATE_NS - LATE_U_NS, LATE_NS + LATE_U_NS
        if least_ns < soonest - FINGERS_NS or most_ns > latest + FINGERS_NS:
            late = most_ns > latest + FINGERS_NS
            self._refused[phone] = most_ns if late else least_ns
            found = min(found[0], soonest), max(found[1], latest)
        self._late_ns[phone] = found

    def refused_ns(self, phone: str) -> int | None:
        """Return how late the last test of *phone* found it, where that cannot be and was refused."""
        return self._refused.get(phone)

    def shares_ns(self, phones: Collection[str]) -> dict[str, int]:
        """Return the share of each of *phones*; nothing when the usual bound counts, `LATENCY_U_NS` each.

        >>> claims = PhoneClaims()
        >>> claims._apart_ns = {frozenset("ab"): 12_000_000, frozenset("bc"): 9_000_000}
        >>> sorted(claims.shares_ns("abc").items())
        [('a', 12000000), ('b', 0), ('c', 9000000)]
        >>> claims.shares_ns("abx")
        {}
        """
        if len(phones) < 2:
            return {}
        found = [
            shares
            for one in sorted(phones)
            if (shares := self._from(one)) and all(p in shares for p in phones)
        ]
        if not found:
            return self._wider_ns(phones)
        best = min(({one: shares[one] for one in phones} for shares in found), key=_widest)
        measured_wide = any(
            apart > _USUAL_NS for pair, apart in self._apart_ns.items() if pair <= set(phones)
        )
        return best if measured_wide or _widest(best) < _USUAL_NS else {}

    def untied(self, phone: str, owners: Mapping[str, str]) -> tuple[str, ...]:
        """Return the noses of *owners* (by nose) that were tested, but by no chain of tests with *phone*."""
        joined = self._joined.get(phone)
        if joined is None:
            return ()
        return tuple(sorted(nose for nose, other in owners.items() if other in self._joined.keys() - joined))

    def _wider_ns(self, phones: Collection[str]) -> dict[str, int]:
        """Return the usual shares of *phones*, more for tested pairs that were further apart.

        >>> claims = PhoneClaims()
        >>> claims._apart_ns = {frozenset("ab"): 90_000_000, frozenset("bc"): 9_000_000}
        >>> sorted(claims._wider_ns("abcx").items())
        [('a', 45000000), ('b', 45000000), ('c', 25000000), ('x', 25000000)]
        """
        wide = {
            pair: apart for pair, apart in self._apart_ns.items() if apart > _USUAL_NS and pair <= set(phones)
        }
        shares = dict.fromkeys(phones, LATENCY_U_NS)
        for pair, apart in wide.items():
            shares |= {phone: max(shares[phone], -(-apart // 2)) for phone in pair}
        return shares if wide else {}

    def _from(self, first: str) -> dict[str, int]:
        """Return how far each phone may be from *first*, over any number of tests."""
        far = {first: 0}
        for _ in self._apart_ns:
            for pair, apart in self._apart_ns.items():
                for one in pair & far.keys():
                    (other,) = pair - {one}
                    far[other] = min(far.get(other, far[one] + apart), far[one] + apart)
        return far


def _widest(shares: Mapping[str, int]) -> int:
    """Return the most that two of *shares* add up to."""
    return sum(sorted(shares.values())[-2:])
