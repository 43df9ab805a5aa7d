"""Photo finishes that the hall shows: the newest, the closest, and the one that ended the final. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.core.text import Text, text
from companion.core.units import duration, uncertainty
from companion.evening.state import Entry
from companion.hall.snapshot import HallSnapshot
from companion.hall.tally import TableOutcome
from companion.views.scoreboard import round_view
from companion.views.snapshot import PhotoFinish
from companion.views.zero import with_zero


class HallFinish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verdict that stands, at table `number` of round `round`: its sentence, and its photo finish.

    `entry` is its number in the table's log.
    """

    round: int
    number: int
    entry: int
    says: Text
    finish: PhotoFinish


class Finishes:
    """Knows the sure verdicts of every table; only what has changed is looked at again."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], tuple[TableOutcome, tuple[Entry, ...]]] = {}
        self._known: tuple[tuple[int, int, int], ...] = ()  # as they came: tables' clocks may be wrong
        self._newest: tuple[int, int, int] | None = None
        self._shown: tuple[TableOutcome, Entry, HallFinish | None] | None = None

    def newest(self, view: HallSnapshot) -> HallFinish | None:
        """Return what came in last of the round played in *view*; of several at once the closest."""
        now = view.state.now
        playing = [one for one in view.outcomes if now is not None and one.round == now.number]
        found = {(one.round, one.number, e.seq): (one, e) for one in playing for e in self._sure(one)}
        fresh = [key for key in found if key not in self._known]
        if fresh:
            self._newest = min(fresh, key=lambda key: _margin_ns(found[key][1]))
        elif self._newest not in found:
            self._newest = next((key for key in reversed(self._known) if key in found), None)
        self._known = (*(key for key in self._known if key in found), *fresh)
        return self._finish(*found[self._newest]) if self._newest is not None else None

    def _finish(self, outcome: TableOutcome, entry: Entry) -> HallFinish | None:
        known = self._shown
        if known is None or known[0] is not outcome or known[1] is not entry:
            known = self._shown = outcome, entry, _finish(outcome, entry)
        return known[2]

    def closest(self, view: HallSnapshot) -> Text | None:
        """Return the closest verdict of the event, where it was sure."""
        found = [(_margin_ns(e), one.number, e) for one in view.outcomes for e in self._sure(one)]
        if not found:
            return None
        margin, number, entry = min(found, key=lambda one: one[:2])
        assert entry.verdict is not None
        claim = entry.verdict.margin_u_ns or entry.verdict.u_ns
        return text(
            "Closest so far, table {n}: {margin} ± {sure}",
            n=number,
            margin=duration(margin),
            sure=uncertainty(claim or 0),
        )

    def _sure(self, outcome: TableOutcome) -> tuple[Entry, ...]:
        known = self._of.get((outcome.round, outcome.number))
        if known is None or known[0] is not outcome:
            known = self._of[outcome.round, outcome.number] = outcome, tuple(_sure(outcome))
        return known[1]


def decisive(view: HallSnapshot) -> HallFinish | None:
    """Return the verdict that ended the final, None while there is none (or it was no photo finish)."""
    finals = {one.number for one in view.state.rounds if one.kind == "final"}
    played = (one for one in view.outcomes if one.round in finals and one.result)
    ends = [(one, entry) for one in played for entry in _sure(one)]
    return _finish(*max(ends, key=lambda pair: (pair[0].round, pair[1].seq))) if ends else None


def _sure(outcome: TableOutcome) -> Iterator[Entry]:
    """Yield the verdicts of a table that name one who was last, and stand."""
    for entry in outcome.called.match.entries if outcome.called is not None else ():
        verdict = entry.verdict
        if verdict is None or not entry.stands or verdict.void is not None or len(verdict.last) != 1:
            continue
        if verdict.margin_ns is not None and verdict.u_ns is not None:
            yield entry


def _margin_ns(entry: Entry) -> int:
    assert entry.verdict is not None
    assert entry.verdict.margin_ns is not None
    return entry.verdict.margin_ns


def _finish(outcome: TableOutcome, entry: Entry) -> HallFinish | None:
    assert outcome.called is not None
    made = round_view(outcome.called.match, 0, entry)
    finish = with_zero(made.finish, outcome.called.zero)
    if finish is None:
        return None
    return HallFinish(outcome.round, outcome.number, entry.seq, made.headline, finish)
