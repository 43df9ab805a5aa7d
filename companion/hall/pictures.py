"""A table as the hall sees it: who sits there, what it shows, whether it is heard. Pure."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.evening.state import Entry
from lastnose.companion.hall.games_now import by_hand, without_noses
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.state import HallState, HallTable
from lastnose.companion.hall.tally import TableOutcome
from lastnose.companion.views.hall import gathering
from lastnose.companion.views.snapshot import Snapshot


class HallSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place at a table: who sits there, and how it stands."""

    entrant: int
    name: str
    out: bool = False
    last: bool = False
    winner: bool = False
    here: bool = False


class TablePicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as the hall sees it.

    `state` is that of its outcome in `round`, "waiting" also until all are here, "doubtful"
    also while it is stuck, or "free" when it sits out;
    `there` whether it is heard; it has sent `have` of `n` entries. `inside` is False for people whose table
    was put out: no machine has its place. `says` is its newest sentence; `left` how many still play;
    `verdict` the log number of its newest one that stands, and can be appealed, with the machine that has
    `judged_by` as id: another may have its place since. `sheet`: its game is played without noses; `by_hand`:
    its people are too few for one, and settle it themselves. `archived`: it is of an archive that was opened,
    and nobody waits for it.
    """

    number: int
    id: str
    state: str
    there: bool
    have: int
    n: int
    seats: tuple[HallSeat, ...] = ()
    left: int = 0
    says: Text | None = None
    trouble: str = ""
    appeal: bool = False
    verdict: int = 0
    judged_by: str = ""
    simulated: bool = False
    round: int = 0
    inside: bool = True
    sheet: bool = False
    by_hand: bool = False
    archived: bool = False


def picture(
    view: HallSnapshot,
    table: HallTable,
    outcome: TableOutcome | None,
    shown: Snapshot | None,
) -> TablePicture:
    """Return *table*, which itself shows *shown*."""
    seen = view.seen.get(table.id)
    presence = seen.presence if seen is not None else None
    have = view.have.get(table.id, 0)
    seats = _seats(view.state, outcome, shown, presence.here if presence is not None else ())
    open_ = [one for one in view.state.appeals.values() if one.table == table.id and not one.decision]
    state = "free" if outcome is None else "doubtful" if outcome.stuck else outcome.state
    if state == "playing" and presence is not None and shown is not None:
        coming = gathering(presence.phase, shown.round_no) and not all(one.here for one in seats)
        state = "waiting" if coming else state
    verdict = _newest_verdict(outcome)
    return TablePicture(
        number=table.number,
        id=table.id,
        state=state,
        there=table.inside and table.id in view.there,
        have=have,
        n=max(have, presence.n if presence is not None else 0),
        seats=seats,
        left=sum(1 for one in seats if not one.out),
        says=shown.headline if shown is not None else None,
        trouble=seen.trouble if seen is not None and table.inside else "",
        appeal=bool(open_) or (outcome is not None and open_protest(view.state, outcome) is not None),
        verdict=verdict,
        judged_by=outcome.called.id if verdict and outcome is not None and outcome.called is not None else "",
        simulated=presence is not None and presence.simulated,
        round=outcome.round if outcome is not None else 0,
        inside=table.inside,
        sheet=outcome is not None and without_noses(view.state.rounds[outcome.round - 1].game),
        by_hand=outcome is not None and outcome.to_play and by_hand(view.state, outcome),
        archived=table.id in view.archived,
    )


def _seats(
    state: HallState, outcome: TableOutcome | None, shown: Snapshot | None, here: tuple[int, ...]
) -> tuple[HallSeat, ...]:
    if outcome is None:
        return ()
    rows = {row.player: row for row in shown.rows} if shown is not None else {}
    marks = shown.finish.marks if shown is not None and shown.finish is not None else ()
    lasts = {mark.player for mark in marks if mark.last}
    won = {e for e, p in outcome.result.placings if p.place == 1} if outcome.result is not None else set()

    def seat(place: int, entrant: int) -> HallSeat:
        name = state.shown(entrant)
        played_as = state.written(outcome.round, entrant)
        row = rows.get(played_as)
        return HallSeat(
            entrant=entrant,
            name=name,
            out=(row is not None and row.out) or (bool(won) and entrant not in won),
            last=played_as in lasts and not won,
            winner=entrant in won,
            here=place in here,
        )

    return tuple(seat(place, entrant) for place, entrant in enumerate(outcome.entrants, 1))


def open_protest(state: HallState, one: TableOutcome) -> Entry | None:
    """Return the newest protest of a table that its host has not decided, and no appeal speaks of."""
    if one.called is None or not one.protested:
        return None
    entry = next(entry for entry in reversed([*one.called.entries]) if entry.protested)
    known = any((a.table, a.entry) == (one.called.id, entry.seq) for a in state.appeals.values())
    return None if known else entry


def _newest_verdict(outcome: TableOutcome | None) -> int:
    if outcome is None or outcome.called is None:
        return 0
    newest = (entry for part in reversed(outcome.called.parts) for entry in reversed(part.entries))
    return next((entry.seq for entry in newest if entry.verdict is not None and entry.stands), 0)
