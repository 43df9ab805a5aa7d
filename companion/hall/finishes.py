"""Photo finishes that the hall shows: the newest, the closest, and the one that ended the final. Pure."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import measured
from lastnose.companion.evening.entries import is_void
from lastnose.companion.evening.state import Entry
from lastnose.companion.hall.appeals import taken_out
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.state import HallState
from lastnose.companion.hall.table_log import CalledMatch, is_sure, margin_ns
from lastnose.companion.hall.tally import TableOutcome, closing
from lastnose.companion.views.scoreboard import round_view
from lastnose.companion.views.snapshot import PhotoFinish

HOUR_S = 3600.0


class HallFinish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verdict that stands, at table `number` of round `round`: its sentence, and its photo finish.

    `entry` is its number in the table's log.
    """

    round: int
    number: int
    entry: int
    says: Text
    finish: PhotoFinish


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
        self._close: dict[tuple[int, int], tuple[CalledMatch, tuple[int, int]]] = {}
        self._appeals: object = None  # those that were looked at
        self._shown: tuple[TableOutcome, Entry, HallFinish | None] | None = None

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
            elif made is not None and (close := self._closest(one, made))[1]:
                found.append((close[0], one.number, one.round, close[1], made))
        if not found:
            return None
        margin, number, _, seq, made = min(found, key=lambda one: one[:4])
        verdict = next(entry.verdict for entry in made.entries if entry.seq == seq)
        assert verdict is not None
        time, sure_to = measured(margin, verdict.margin_u_ns or verdict.u_ns or 0)
        return text("Closest so far, table {n}: {margin} ± {sure}", n=number, margin=time, sure=sure_to)

    def _closest(self, one: TableOutcome, made: CalledMatch) -> tuple[int, int]:
        """Return margin and entry of the closest verdict of *one*; only what has changed is looked at."""
        known = self._close.get((one.round, one.number))
        if known is None or known[0] is not made:
            known = self._close[one.round, one.number] = made, made.closest
        return known[1]

    def _finish(self, outcome: TableOutcome, entry: Entry) -> HallFinish | None:
        known = self._shown
        if known is None or known[0] is not outcome or known[1] is not entry:
            known = self._shown = outcome, entry, _finish(outcome, entry)
        return known[2]


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
    return HallFinish(outcome.round, outcome.number, entry.seq, made.headline, finish)
