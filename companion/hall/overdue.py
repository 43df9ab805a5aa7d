"""What tables say that they have written, and has not come: when something is to be done about it. Pure."""

from __future__ import annotations

from companion.hall.snapshot import TableSeen

BEHIND_S = 10.0  # how long what a table has written may take to come
AGAIN_S = 30.0  # how long what is done about it may take to help


class Overdue:
    """Knows by table how many of its entries had come, and when to do something if no more have by then."""

    def __init__(self) -> None:
        self._due: dict[str, tuple[int, float]] = {}

    def look(self, table: str, seen: TableSeen, have: int, now_s: float) -> bool:
        """Return whether it is time, for *table*, of which *have* entries are here, *seen* as it is.

        A table that says what its trouble is, or whose rows are refused, is not waited for.
        """
        if seen.presence is None or seen.trouble or seen.presence.n <= have:
            self._due.pop(table, None)
            return False
        had, due_s = self._due.get(table, (-1, now_s))
        if had != have:
            self._due[table] = have, now_s + BEHIND_S
            return False
        if now_s < due_s:
            return False
        self._due[table] = have, now_s + AGAIN_S
        return True
