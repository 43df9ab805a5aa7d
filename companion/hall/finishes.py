"""Photo finishes that the hall shows: the newest, the closest, and the one that ended the final. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from companion.core.text import Text, text
from companion.core.units import duration, uncertainty
from companion.evening.state import Entry
from companion.hall.snapshot import HallSnapshot
from companion.hall.tally import TableOutcome
from companion.views.scoreboard import round_view
from companion.views.snapshot import PhotoFinish


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
    """The sure verdicts of an outcome, by log number, and the closest of them."""

    outcome: TableOutcome
    entries: dict[int, Entry]
    closest: Entry | None


class Finishes:
    """Knows the sure verdicts of every table, in the order in which they came: tables' clocks may be wrong.

    Only what has changed is looked at again.
    """

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], _TableVerdicts] = {}
        self._come: dict[tuple[int, int, int], None] = {}
        self._seen: tuple[TableOutcome, ...] | None = None
        self._newest: tuple[int, int, int] | None = None
        self._shown: tuple[TableOutcome, Entry, HallFinish | None] | None = None

    def newest(self, view: HallSnapshot) -> HallFinish | None:
        """Return what came in last of the round played in *view*; of several at once the closest."""
        self._follow(view)
        now = view.state.now
        playing = 0 if now is None else now.number
        if self._newest not in self._come or self._newest is None or self._newest[0] != playing:
            self._newest = next((key for key in reversed(self._come) if key[0] == playing), None)
        if self._newest is None:
            return None
        known = self._of[self._newest[:2]]
        return self._finish(known.outcome, known.entries[self._newest[2]])

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
        return text(
            "Closest so far, table {n}: {margin} ± {sure}",
            n=number,
            margin=duration(margin_ns),
            sure=uncertainty(claim or 0),
        )

    def _follow(self, view: HallSnapshot) -> None:
        """Take what has changed since the view before."""
        if view.outcomes is self._seen:
            return
        self._seen = view.outcomes
        playing = 0 if view.state.now is None else view.state.now.number
        fresh: list[tuple[tuple[int, int, int], Entry]] = []
        for one in view.outcomes:
            where = one.round, one.number
            known = self._of.get(where)
            if known is not None and known.outcome is one:
                continue
            entries = {entry.seq: entry for entry in _sure(one)}
            self._of[where] = _TableVerdicts(
                one, entries, min(entries.values(), key=_margin_ns, default=None)
            )
            before = known.entries if known is not None else {}
            fresh += [((*where, seq), entries[seq]) for seq in entries if seq not in before]
            for gone in before.keys() - entries.keys():
                self._come.pop((*where, gone), None)
        self._come |= dict.fromkeys(key for key, _ in fresh)
        fresh = [one for one in fresh if one[0][0] == playing]
        if fresh:
            self._newest = min(fresh, key=lambda one: _margin_ns(one[1]))[0]

    def _finish(self, outcome: TableOutcome, entry: Entry) -> HallFinish | None:
        known = self._shown
        if known is None or known[0] is not outcome or known[1] is not entry:
            known = self._shown = outcome, entry, _finish(outcome, entry)
        return known[2]


def decisive(view: HallSnapshot) -> HallFinish | None:
    """Return the verdict that ended the final, None while there is none, or where its result was typed."""
    finals = {one.number for one in view.state.rounds if one.kind == "final"}
    played = (one for one in view.outcomes if one.round in finals and one.result and one.state != "typed")
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
    finish = made.finish
    if finish is None:
        return None
    return HallFinish(outcome.round, outcome.number, entry.seq, made.headline, finish)
