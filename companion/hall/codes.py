"""One-time codes that let something into the hall; only their hashes are kept, and not for long."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall import keys

MOST = 64  # codes that wait
LIFE_S = 12 * 3600.0
BESIDE_TABLES = ("screen", "hub")


class OneTimeCodes:
    """Codes that were given out and not used yet. *now_s* is a monotonic clock; not for several threads."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._waiting: dict[str, tuple[str, float]] = {}  # by hash: what it lets in, and since when

    def give(self, kind: str) -> str:
        """Return a new code for a "table", or one of `BESIDE_TABLES`; raise BadInput for anything else."""
        if kind not in ("table", *BESIDE_TABLES):
            raise BadInput(text("A hall lets in tables, screens and second hubs."))
        code = keys.random_id(keys.CODE)
        fresh = {one: kept for one, kept in self._waiting.items() if self._now_s() - kept[1] < LIFE_S}
        while len(fresh) >= MOST:
            fresh.pop(next(iter(fresh)))
        self._waiting = {**fresh, keys.hashed(code): (kind, self._now_s())}
        return code

    def use(self, code: str, kind: str) -> None:
        """Use *code* up; raise BadInput for one that is none, or lets something else in."""
        kept = self._waiting.get(keys.hashed(code))
        if kept is None or kept[0] != kind:
            raise BadInput(text("This code is used up, or was never given: ask the hall for another."))
        del self._waiting[keys.hashed(code)]
