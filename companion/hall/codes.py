"""One-time codes that let a table into the hall; only their hashes are kept, and not for long."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall import keys

MOST = 64  # codes that wait
LIFE_S = 12 * 3600.0


class OneTimeCodes:
    """Codes that were given out and not used yet. *now_s* is a monotonic clock; not for several threads."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._waiting: dict[str, float] = {}  # by hash: since when

    def give(self) -> str:
        """Return a new code."""
        code = keys.random_id(keys.CODE)
        fresh = {one: kept for one, kept in self._waiting.items() if self._now_s() - kept < LIFE_S}
        while len(fresh) >= MOST:
            fresh.pop(next(iter(fresh)))
        self._waiting = {**fresh, keys.hashed(code): self._now_s()}
        return code

    def use(self, code: str) -> None:
        """Use *code* up; raise BadInput for one that is none."""
        if self._waiting.pop(keys.hashed(code), None) is None:
            raise BadInput(text("This code is used up, or was never given: ask the hall for another."))
