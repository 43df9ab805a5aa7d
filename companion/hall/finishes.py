"""Photo finishes that the hall shows: the newest, the closest, and the one that ended the final. Pure."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.core.text import Text, text
from companion.core.units import measured
from companion.evening.entries import is_void
from companion.evening.state import Entry
from companion.hall.appeals import taken_out
from companion.hall.snapshot import HallSnapshot
from companion.hall.state import HallState
from companion.hall.tally import TableOutcome, closing
from companion.views.scoreboard import round_view
from companion.views.snapshot import PhotoFinish

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


class _TableVerdicts(NamedTuple):
    """The closest and the newest sure verdict of an outcome; the newest came `after_s` of its game."""

    outcome: TableOutcome
    closest: Entry | None = None
    newest: Entry | None = None
    after_s: float = 0.0


class Finishes:
    """Knows the closest and the newest verdict of every table; only what has changed is looked at again.

    What is shown follows from the logs alone: a hub that was begun later, or is a second one, shows the same.
    """

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], _TableVerdicts] = {}
        self._seen: tuple[TableOutcome, ...] | None = None
        self._shown: tuple[TableOutcome, Entry, HallFinish | None] | None = None

    def newest(self, view: HallSnapshot) -> HallFinish | None:
        """Return the newest of the round played in *view*; of several at once the closest.

        Tables' clocks may be wrong: it is that for which its table had then played longest, from the call on.
        """
        self._follow(view)
        playing = 0 if view.state.now is None else view.state.now.number
        of_round = (self._of[one.round, one.number] for one in view.outcomes if one.round == playing)
        found = [(one.after_s, -_margin_ns(one.newest), one) for one in of_round if one.newest is not None]
        if not found:
            return None
        *_, known = max(found, key=lambda one: one[:2])
        assert known.newest is not None
        return self._finish(known.outcome, known.newest)

    def closest(self, view: HallSnapshot) -> Text | None:
        """Return the closest verdict of the event, where it was sure."""
        self._follow(view)
        known = (self._of[one.round, one.number] for one in view.outcomes)
        found = [(_margin_ns(one.closest), one.outcome.number, one.closest) for one in known if one.closest]
        if not found:
            return None
        margin_ns, number, entry = min(found, key=lambda one: one[:2])
        assert entry.verdict is not None
        claim = entry.verdict.margin_u_ns or entry.verdict.u_ns
        time, sure = measured(margin_ns, claim or 0)
        return text("Closest so far, table {n}: {margin} ± {sure}", n=number, margin=time, sure=sure)

    def _follow(self, view: HallSnapshot) -> None:
        """Take what has changed since the view before."""
        if view.outcomes is self._seen:
            return
        self._seen = view.outcomes
        for one in view.outcomes:
            where = one.round, one.number
            if where not in self._of or self._of[where].outcome is not one:
                self._of[where] = _verdicts(view.state, one)

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
    return _finish(newest, judged[-1]) if judged and _is_sure(judged[-1]) else None


def _verdicts(state: HallState, outcome: TableOutcome) -> _TableVerdicts:
    """Return the closest and the newest verdict of a table."""
    made = _TableVerdicts(outcome)
    if outcome.called is None:
        return made
    out = taken_out(state.appeals.values(), outcome.called)
    after_s, at = 0.0, outcome.called.parts[0].started.at
    for entry in outcome.called.entries:
        if 0 <= entry.at - at <= HOUR_S:  # else the table's clock was set
            after_s += entry.at - at
        at = entry.at
        if _is_sure(entry) and entry.seq not in out:
            closest = entry if made.closest is None else min(made.closest, entry, key=_margin_ns)
            made = _TableVerdicts(outcome, closest, entry, after_s)
    return made


def _is_sure(entry: Entry) -> bool:
    """Return whether *entry* is a verdict that names one who was last, and stands as it was judged."""
    verdict = entry.verdict
    if verdict is None or not entry.stands or entry.correction is not None:
        return False
    return (
        verdict.void is None
        and len(verdict.last) == 1
        and verdict.margin_ns is not None
        and verdict.u_ns is not None
    )


def _margin_ns(entry: Entry) -> int:
    assert entry.verdict is not None
    assert entry.verdict.margin_ns is not None
    return entry.verdict.margin_ns


def _finish(outcome: TableOutcome, entry: Entry) -> HallFinish | None:
    assert outcome.called is not None
    made = round_view(outcome.called.part_of(entry), 0, entry)
    finish = made.finish
    if finish is None:
        return None
    return HallFinish(outcome.round, outcome.number, entry.seq, made.headline, finish)
