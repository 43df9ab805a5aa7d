"""Appeals against verdicts, and which decision about a verdict holds: the newest. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class HallAppeal(msgspec.Struct, frozen=True):
    """An appeal against verdict `entry` of `table`; `decision` is empty while nobody has decided.

    `call` is the entry that called its `round` then: called anew, the round is another one. `decided` is the
    entry that decided it, 0 before.
    """

    seq: int
    table: str
    entry: int
    reason: str
    by: str
    at: float
    round: int = 0
    call: int = 0
    decision: str = ""
    why: str = ""
    decided_by: str = ""
    decided: int = 0


def decided(appeals: Iterable[HallAppeal], call: int, table: str) -> dict[int, HallAppeal]:
    """Return what was decided last about each verdict of what *table* has played for *call*, by its entry."""
    mine = (one for one in appeals if (one.call, one.table) == (call, table) and one.decision)
    return {one.entry: one for one in sorted(mine, key=lambda one: one.decided)}
