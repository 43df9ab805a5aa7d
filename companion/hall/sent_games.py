"""Which game it is that a table plays in a round, of all that its machines have sent. Pure."""

from __future__ import annotations

from typing import NamedTuple

from lastnose.companion.hall.appeals import again_after
from lastnose.companion.hall.state import HallRound, HallState
from lastnose.companion.hall.table_log import CalledMatch, TableLog


class TableGame(NamedTuple):
    """Who plays as table `number` of a round."""

    round: HallRound
    number: int
    entrants: tuple[int, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The ids of the tables that are, or were, this one."""
        return self.round.ids.get(self.number, ())


def tried_for(state: HallState, game: TableGame, sent: tuple[TableLog, ...]) -> list[CalledMatch]:
    """Return what was played for the call of *game*, the oldest first; see `HallState.call_of`.

    Who was let in later has sent later what it had played: a result that counts is not taken away by that.
    """
    one = game.round
    first, call = one.seq, state.call_of(game.round, game.number)
    logs = sorted(sent, key=lambda log: state.tables[log.id].since)
    nonce = one.nonce if call == first else state.nonce_of(call)
    tried = [p for log in logs for p in log.played.get(call, ()) if p.nonce == nonce]
    if call == first:
        return tried
    again = {log.id: again_after(state.appeals.values(), first, log.id) for log in logs}
    older = (p for log in logs if again[log.id] for p in log.played.get(first, ()) if p.nonce == one.nonce)
    return [*(played for played in older if played.began > again[played.id]), *tried]


def chosen(state: HallState, game: TableGame, tried: list[CalledMatch]) -> CalledMatch | None:
    """Return which of what was *tried* is the game: the first that is signed off, or else has a result.

    What somebody has looked at and let lose against another stays out; and a machine at which its host has
    taken back or corrected what was signed off keeps its place until that is signed again.
    """
    cleared = state.cleared.get((game.round.number, game.number))
    machine = state.machine(game.round, game.number)
    kept = [p for p in tried if cleared is None or (p.id, p.began) not in cleared.out]
    if len(kept) < 2:
        return kept[0] if kept else None
    signed = [p for p in kept if p.signed or (p.reopened and machine is not None and machine.id == p.id)]
    best = signed or [p for p in kept if p.finished] or kept[-1:]
    return best[0] if best else None
