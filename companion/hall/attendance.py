"""Which tables have lately said that they are there. Pure: time is an argument."""

from __future__ import annotations

AWAY_S = 12.0  # a table that has said nothing for so long is not there


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
