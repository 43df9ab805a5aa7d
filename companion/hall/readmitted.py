"""Which machine was put out and let in again, under another id: its log goes on where that of the old ends.

What the old id has played, and every appeal about it, is the new one's: its log has all of it, and what the
machine's host does about it comes there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from lastnose.companion.hall.state import HallRound, HallState, HallTable


class Readmitted:
    """Finds them; *head* returns the chain over a table's log up to a number: logs that share it are one."""

    def __init__(self, head: Callable[[str, int], bytes | None]) -> None:
        self._head = head
        self._known: dict[tuple[str, str, int], bool] = {}
        self._made: tuple[HallState, dict[str, str], dict[str, frozenset[int]], HallState] | None = None

    def settled(
        self, state: HallState, have: Mapping[str, int], played: Callable[[str], frozenset[int]]
    ) -> HallState:
        """Return *state* with successors in the place of old machines.

        *have* is how much of each log is here, *played* returns for which calls a table has played.
        """
        successors = {}
        for old in state.tables.values():
            if not old.inside and (found := self._heir(old, state, have)):
                successors[old.id] = found
        if not successors:
            return state
        calls = {old: played(old) for old in successors}
        if self._made is None or self._made[0] is not state or self._made[1:3] != (successors, calls):
            self._made = state, successors, calls, inherited(state, successors, calls)
        return self._made[3]

    def _heir(self, old: HallTable, state: HallState, have: Mapping[str, int]) -> str:
        """Return the id under which *old* was let in anew, "" when it was not, or has not sent all again."""
        n = have.get(old.id, 0)
        later = (one for one in state.tables.values() if one.since > old.until)
        longer = (one for one in later if have.get(one.id, 0) >= n > 0)
        same = [(have[one.id], one.since, one.id) for one in longer if self._goes_on(one.id, old.id, n)]
        return max(same)[2] if same else ""

    def _goes_on(self, new: str, old: str, n: int) -> bool:
        """Return whether the log of *new* begins with the *n* entries that *old* has."""
        if (new, old, n) not in self._known:
            head = self._head(old, n)
            self._known[new, old, n] = head is not None and head == self._head(new, n)
        return self._known[new, old, n]


def inherited(
    state: HallState, successors: Mapping[str, str], calls: Mapping[str, frozenset[int]]
) -> HallState:
    """Return *state* with each machine that has one of the *successors* replaced by it, wherever it is named.

    *calls* are those for which each of them has played: where it has not, who has its number now plays.
    """
    rounds = {old: {state.round_of(call) for call in calls[old]} for old in successors}
    return msgspec.structs.replace(
        state,
        rounds=tuple(
            _inherited(one, {old: new for old, new in successors.items() if one.number in rounds[old]})
            for one in state.rounds
        ),
        appeals={
            seq: msgspec.structs.replace(one, table=successors.get(one.table, one.table))
            for seq, one in state.appeals.items()
        },
        cleared={
            where: msgspec.structs.replace(
                one, out=tuple((successors.get(id_, id_), n) for id_, n in one.out)
            )
            for where, one in state.cleared.items()
        },
    )


def _inherited(one: HallRound, successors: Mapping[str, str]) -> HallRound:
    """Return *one* with successors where the machines before them were, and at no other table."""
    place = {successors[table]: n for n in one.numbers for table in one.ids.get(n, ()) if table in successors}
    if not place:
        return one
    ids = {}
    for n, were in one.ids.items():
        found = [successors.get(table, table) for table in were]
        found = [table for table in found if place.get(table, n) == n]
        ids[n] = tuple(reversed(dict.fromkeys(reversed(found))))  # who came last has the place now
    return msgspec.structs.replace(one, ids=ids)
