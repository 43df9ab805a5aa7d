"""Appeals against verdicts, and which decision about a verdict holds: the newest. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec
from lastnose.companion.hall.table_log import CalledMatch


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
    at: float
    round: int = 0
    call: int = 0
    decision: str = ""
    why: str = ""
    decided_by: str = ""
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


def again_after(appeals: Iterable[HallAppeal], call: int, table: str) -> int:
    """Return after which of its entries *table* played a game of *call* again, in older logs; 0: none."""
    made = decided(appeals, call, table).values()
    return max((one.entry for one in made if one.decision == "again"), default=0)
