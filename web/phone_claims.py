"""What a phone's touch may be off by against another phone's: the usual bound, or what a zero test measured.

How late each of two phones tells of a touch differs by up to twice `LATENCY_U_NS` as long as nobody has
measured it (`companion.core.touch`). A zero test of two phones gives the most that they seemed to differ by
when both were touched at once: for these two, this evening, that takes the bound's place, wider or narrower.
Phones that were tested with a common third differ by no more than both did from it. Each phone gets a share;
the shares of two add up to what those two may differ by. As long as one that plays is untested, the usual
bound counts for all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.touch import LATENCY_U_NS
from companion.views.snapshot import ZeroView

MOST_PHONES = 64
_USUAL_NS = 2 * LATENCY_U_NS


class PhoneClaims:
    """The zero tests of this evening between phones, by the ids that phones give themselves."""

    def __init__(self) -> None:
        self._apart_ns: dict[frozenset[str], int] = {}
        self._last: tuple[int, float] | None = None

    def learn(self, evening: int, zero: ZeroView | None, phones: Mapping[str, str]) -> None:
        """Learn of a finished test; *phones* names the phone that owns a line. Each evening begins anew.

        What an earlier run of the table has left says nothing: nobody knows which phones those were.
        """
        kept = zero.at if zero is not None else self._last[1] if self._last is not None else 0.0
        before, self._last = self._last, (evening, kept)
        if before is None or before[0] != evening:
            self._apart_ns.clear()
        if zero is None or not kept or before is None or before == self._last or not zero.off_ns:
            return
        pair = frozenset(phones.get(line, "") for line in zero.lines)
        if len(pair) == 2 and "" not in pair and len(self._apart_ns) < MOST_PHONES:
            self._apart_ns[pair] = max(map(abs, zero.off_ns))

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
            return {}
        best = min(({one: shares[one] for one in phones} for shares in found), key=_widest)
        measured_wide = any(
            apart > _USUAL_NS for pair, apart in self._apart_ns.items() if pair <= set(phones)
        )
        return best if measured_wide or _widest(best) < _USUAL_NS else {}

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
