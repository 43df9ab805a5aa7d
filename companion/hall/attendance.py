"""Which tables have lately said that they are there, and what they have written and does not come. Pure.

What is done about that ends the message server for a moment, for all tables; and what a table says may be
forged. So for one table alone it is done ever more rarely, and an organiser is told who it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from lastnose.companion.hall.snapshot import TableSeen

AWAY_S = 12.0  # a table that has said nothing for so long is not there
BEHIND_S = 10.0  # how long what a table has written may take to come
AGAIN_S = 30.0  # how long what is done about it may take to help
VAIN = 3  # so often something was done for a table before it is told
RAREST = 10  # so often the pause is doubled


class Attendance:
    """Knows when each table spoke last, who spoke longest ago first: only who falls silent costs anything."""

    def __init__(self) -> None:
        self._spoke_s: dict[str, float] = {}
        self._there: frozenset[str] | None = None  # None: somebody has come since it was asked

    def heard(self, table: str, now_s: float) -> None:
        """Take that *table* speaks at *now_s*, which never goes back."""
        if self._spoke_s.pop(table, None) is None:
            self._there = None
        self._spoke_s[table] = now_s

    def there(self, now_s: float) -> frozenset[str]:
        """Return who has lately spoken."""
        while self._spoke_s:
            table, spoke_s = next(iter(self._spoke_s.items()))
            if spoke_s > now_s - AWAY_S:
                break
            del self._spoke_s[table]
            self._there = None
        if self._there is None:
            self._there = frozenset(self._spoke_s)
        return self._there


class Overdue:
    """Knows which tables lack entries, since when, and how often something was done about it.

    `vain` are those for which that has not helped.
    """

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, float]] = {}  # how many entries of a table are here, and since when
        self._tries: dict[str, int] = {}  # never forgotten: who forges can make it look as if it had helped
        self._tried_s = float("-inf")
        self.vain: frozenset[str] = frozenset()

    def look(self, found: Iterable[tuple[str, TableSeen, int]], now_s: float) -> bool:
        """Return whether it is time to do something; of each table there is *found*: how many are here."""
        late = [table for table, seen, have in found if self._is_late(table, seen, have, now_s)]
        self.vain = frozenset(one for one in late if self._tries.get(one, 0) >= VAIN)
        doublings = self._tries.get(late[0], 0) - 1 if len(late) == 1 else 0
        pause_s = AGAIN_S * 2 ** min(max(doublings, 0), RAREST)
        if not late or now_s < self._tried_s + pause_s:
            return False
        self._tried_s = now_s
        for table in late:
            self._tries[table] = self._tries.get(table, 0) + 1
        return True

    def _is_late(self, table: str, seen: TableSeen, have: int, now_s: float) -> bool:
        """Return whether *table* has long had more than has come, and nothing of it comes.

        One that says what its trouble is, or whose rows are refused, is not waited for.
        """
        if seen.presence is None or seen.trouble or seen.presence.n <= have:
            self._since.pop(table, None)
            return False
        had, since_s = self._since.get(table, (-1, now_s))
        if had != have:
            self._since[table] = have, now_s
            return False
        return now_s >= since_s + BEHIND_S
