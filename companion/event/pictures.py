"""A table as the hall sees it, and the photo finishes that it shows. Pure.

Who sits there, what it shows, whether it is heard; the newest finish, the closest, and the final's.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import measured
from lastnose.companion.evening.state import Entry, is_void
from lastnose.companion.event.once import Once
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.state import HallState, HallTable
from lastnose.companion.event.table_log import CalledMatch, is_sure, margin_ns, taken_out
from lastnose.companion.event.tally import TableOutcome, by_hand, closing, without_noses
from lastnose.companion.views.hall import gathering
from lastnose.companion.views.scoreboard import round_view
from lastnose.companion.views.snapshot import PhotoFinish, Snapshot

HOUR_S = 3600.0


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
    its people are too few for one, and settle it themselves. `archived`: it was not heard yet, and nobody
    waits for it: see `HallSnapshot`.
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
    view: HallSnapshot, table: HallTable, outcome: TableOutcome, shown: Snapshot | None
) -> TablePicture:
    """Return *table*, whose game is *outcome*, and which itself shows *shown*."""
    seen, have = view.seen_of(table.id), view.have.get(table.id, 0)
    presence = seen.presence
    seats = _seats(view.state, outcome, shown, presence.here)
    open_ = [one for one in view.state.appeals.values() if one.table == table.id and not one.decision]
    state = "doubtful" if outcome.stuck else outcome.state
    if state == "playing" and shown is not None:
        coming = gathering(presence.phase, shown.round_no) and not all(one.here for one in seats)
        state = "waiting" if coming else state
    verdict = _newest_verdict(outcome)
    return TablePicture(
        number=table.number,
        id=table.id,
        state=state,
        there=table.inside and table.id in view.there,
        have=have,
        n=max(have, presence.n),
        seats=seats,
        left=sum(1 for one in seats if not one.out),
        says=shown.headline if shown is not None else None,
        trouble=seen.trouble if table.inside else "",
        appeal=bool(open_) or open_protest(view.state, outcome) is not None,
        verdict=verdict,
        judged_by=outcome.called.id if verdict and outcome.called is not None else "",
        simulated=presence.simulated,
        round=outcome.round,
        inside=table.inside,
        sheet=outcome.round > 0 and without_noses(view.state.rounds[outcome.round - 1].game),
        by_hand=outcome.to_play and by_hand(view.state, outcome),
        archived=table.id in view.archived,
    )


def _seats(
    state: HallState, outcome: TableOutcome, shown: Snapshot | None, here: tuple[int, ...]
) -> tuple[HallSeat, ...]:
    rows = {row.player: row for row in shown.rows} if shown is not None else {}
    lasts = shown.last if shown is not None else ()
    won = {e for e, p in outcome.result.placings if p.place == 1} if outcome.result is not None else set()

    def seat(place: int, entrant: int) -> HallSeat:
        name = state.shown(entrant)
        row = rows.get(state.written(outcome.round, entrant))
        return HallSeat(
            entrant=entrant,
            name=name,
            out=(row is not None and row.out) or (bool(won) and entrant not in won),
            last=row is not None and row.seat in lasts and not won,
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


def _newest_verdict(outcome: TableOutcome) -> int:
    if outcome.called is None:
        return 0
    newest = (entry for part in reversed(outcome.called.parts) for entry in reversed(part.entries))
    return next((entry.seq for entry in newest if entry.verdict is not None and entry.stands), 0)


class HallFinish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verdict that stands, at table `number` of round `round`: its sentence, and its photo finish.

    `entry` is its number in the table's log, `letter` the one that it gives, "" for none.
    """

    round: int
    number: int
    entry: int
    says: Text
    finish: PhotoFinish
    letter: str = ""


class _Newest(NamedTuple):
    """The newest sure verdict of an outcome; it came `after_s` of its game."""

    outcome: TableOutcome
    newest: Entry | None = None
    after_s: float = 0.0


class Finishes:
    """Knows the newest verdict of every table; only what has changed is looked at again.

    What is shown follows from the logs alone: a hub that was begun later, or is a second one, shows the same.
    """

    def __init__(self) -> None:
        self._of: dict[int, _Newest] = {}  # by table
        self._appeals: object = None  # those that were looked at
        self._finish = Once(_finish)

    def newest(self, view: HallSnapshot) -> HallFinish | None:
        """Return the newest of the round played in *view*; of several at once the closest.

        Tables' clocks may be wrong: it is that for which its table had then played longest, from the call on.
        """
        playing = 0 if view.state.now is None else view.state.now.number
        if view.state.appeals is not self._appeals:
            self._appeals, self._of = view.state.appeals, {}
        self._of = {
            one.number: known
            if (known := self._of.get(one.number)) is not None and known.outcome is one
            else _newest(view.state, one)
            for one in view.outcomes
            if one.round == playing
        }
        of_round = self._of.values()
        found = [(one.after_s, -margin_ns(one.newest), one) for one in of_round if one.newest is not None]
        if not found:
            return None
        *_, known = max(found, key=lambda one: one[:2])
        assert known.newest is not None
        return self._finish(known.outcome, known.newest)

    def closest(self, view: HallSnapshot) -> Text | None:
        """Return the closest verdict of the event, where it was sure."""
        appeals = view.state.appeals.values()
        void = {(one.table, one.call) for one in appeals if one.decision == "void"}
        found: list[tuple[int, int, int, int, CalledMatch]] = []
        for one in view.outcomes:
            made = one.called
            if made is not None and void and (made.id, made.call) in void:
                out = taken_out(appeals, made)
                sure = [entry for entry in made.entries if is_sure(entry) and entry.seq not in out]
                found += [(margin_ns(entry), one.number, one.round, entry.seq, made) for entry in sure]
            elif made is not None and (close := made.closest)[1]:
                found.append((close[0], one.number, one.round, close[1], made))
        if not found:
            return None
        margin, number, _, seq, made = min(found, key=lambda one: one[:4])
        verdict = next(entry.verdict for entry in made.entries if entry.seq == seq)
        assert verdict is not None
        time, sure_to = measured(margin, verdict.margin_u_ns or verdict.u_ns or 0)
        return text("Closest so far, table {n}: {margin} ± {sure}", n=number, margin=time, sure=sure_to)


def decisive(view: HallSnapshot) -> HallFinish | None:
    """Return the verdict that ended the final, None while there is none, or where its result was typed."""
    finals = {one.number for one in closing(view.state) if one.kind == "final"}
    played = [one for one in view.outcomes if one.round in finals and one.result]
    newest = max(played, key=lambda one: one.round, default=None)
    if newest is None or newest.called is None or newest.state == "typed":
        return None
    out = taken_out(view.state.appeals.values(), newest.called)
    judged = [
        e for e in newest.called.entries if e.number and e.stands and not is_void(e) and e.seq not in out
    ]
    return _finish(newest, judged[-1]) if judged and is_sure(judged[-1]) else None


def _newest(state: HallState, outcome: TableOutcome) -> _Newest:
    """Return the newest verdict of a table."""
    made = _Newest(outcome)
    if outcome.called is None:
        return made
    out = taken_out(state.appeals.values(), outcome.called)
    parts = outcome.called.parts
    after_s, at = 0.0, parts[0].started.at
    for entry in (one for part in parts for one in part.entries):
        if 0 <= entry.at - at <= HOUR_S:  # else the table's clock was set
            after_s += entry.at - at
        at = entry.at
        if is_sure(entry) and entry.seq not in out:
            made = _Newest(outcome, entry, after_s)
    return made


def _finish(outcome: TableOutcome, entry: Entry) -> HallFinish | None:
    assert outcome.called is not None
    made = round_view(outcome.called.part_of(entry), 0, entry)
    finish = made.finish
    if finish is None:
        return None
    letter = str(made.headline.params.get("letter", ""))
    return HallFinish(outcome.round, outcome.number, entry.seq, made.headline, finish, letter)
