"""What a table is told by the hall. Pure."""

from __future__ import annotations

import msgspec
from lastnose.companion.hall.departures import gone_from
from lastnose.companion.hall.games_now import by_hand
from lastnose.companion.hall.no_result import by_appeal
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.table_log import call_of
from lastnose.companion.hall.tally import TableOutcome
from lastnose.companion.hall.wire import HallCall, StuckGame


def call_for(view: HallSnapshot, table: str, at: float, run: str) -> HallCall | None:
    """Return what *table* is to know at wall time *at*, None for one that is not in the hall.

    *run*: see `HallCall`.
    """
    state = view.state
    known = state.tables.get(table)
    if known is None or not known.inside or view.stopped is not None:
        return None
    stuck = tuple(
        _stuck(view, one) for one in view.stuck if one.called is not None and one.called.id == table
    )
    seen = view.seen.get(table)
    refuses = seen.refuses if seen is not None else ""
    quiet = HallCall(
        state.seq, view.event, known.number, says=state.said, at=at, stuck=stuck, refuses=refuses, run=run
    )
    game = view.games.get(known.number)
    if game is None or not (game.to_play or game.to_sign):
        return quiet if game is None else msgspec.structs.replace(quiet, typed=_typed(view, game, table))
    now = state.rounds[game.round - 1]
    if state.machine(now, known.number) is not known:
        return quiet
    players = tuple(state.written(now.number, one) for one in now.at(known.number))
    paused = state.now is not None and state.now.paused_at is not None
    seated = msgspec.structs.replace(quiet, kind=now.kind, round=now.number, players=players, paused=paused)
    if by_hand(state, game):
        return msgspec.structs.replace(seated, by_hand=True)
    call = state.call_of(now, known.number)
    return msgspec.structs.replace(
        seated,
        call=call_of(view.event, call, state.nonce_of(call)),
        again=state.appeals[call].why if call in state.appeals else "",
        game=now.game,
        options=now.options,
        gone=gone_from(state, game),
    )


def _typed(view: HallSnapshot, game: TableOutcome, table: str) -> str:
    """Return the call of a *game* that *table* need not sign off, as its result was typed; else ""."""
    made = game.called
    if game.state != "typed" or made is None or made.id != table or made.signed:
        return ""
    return call_of(view.event, made.call, made.nonce)


def _stuck(view: HallSnapshot, one: TableOutcome) -> StuckGame:
    kind = view.state.rounds[one.round - 1].kind
    back = one.state == "playing" and one.past == "back" and not by_appeal(view.state, one)
    return StuckGame(kind, one.round, back=back, void=one.void, beyond=one.void > 0 and one.beyond)
