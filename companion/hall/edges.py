"""Nobody's verdict is believed, only edges: each row that names who was last is judged again. Pure."""

from __future__ import annotations

from typing import NamedTuple

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.model import Armed, Input, Verdict
from lastnose.companion.evening.entries import find
from lastnose.companion.evening.events import AnyEvent, RoundArmed, RoundJudged, VerdictCompleted
from lastnose.companion.evening.state import Evening, Match
from lastnose.companion.timing import Settings, rejudge

KEPT = 3  # rounds of a table whose edges are at hand: what comes late says more of the newest
MOST = 20_000  # edges of a round, more than any has: judging them would take seconds
LONGEST_NS = 1_000_000_000  # of the settings, as for an appeal


class _Round(NamedTuple):
    armed: Armed
    judged: RoundJudged
    lines: dict[str, int]
    inputs: tuple[Input, ...]


class TableEdges:
    """The edges of a table's newest rounds."""

    def __init__(self) -> None:
        self._armed: RoundArmed | None = None
        self._rounds: dict[int, _Round] = {}

    def take(self, seq: int, event: AnyEvent, evening: Evening) -> None:
        """Take row *seq*, after which the table's evening is *evening*."""
        if isinstance(event, RoundArmed):
            self._armed = event
        elif isinstance(event, RoundJudged):
            match, armed = evening.match, self._armed
            self._armed = None
            if match is not None and armed is not None:
                made = armed.armed
                self._rounds[seq] = _Round(made, event, _lines(match), event.inputs)
            while len(self._rounds) > KEPT:
                del self._rounds[next(iter(self._rounds))]
        elif isinstance(event, VerdictCompleted) and event.of in self._rounds:
            known = self._rounds[event.of]
            self._rounds[event.of] = known._replace(inputs=(*known.inputs, *event.inputs))

    def contradict(self, seq: int, event: AnyEvent, before: Evening) -> int:
        """Return the entry of a round that row *seq*, just taken, tells otherwise than its edges do; 0: none.

        *before* is the evening without that row.
        """
        if isinstance(event, RoundJudged):
            return 0 if _follows(self._rounds.get(seq), event.verdict) else seq
        if isinstance(event, VerdictCompleted):
            known = self._rounds.get(event.of)
            follows = _same_last(event, before) if known is None else _follows(known, event.verdict)
            return 0 if follows else event.of
        return 0


def _lines(match: Match) -> dict[str, int]:
    return {line: seat for seat, line in enumerate(match.started.lines, 1) if line}


def _same_last(event: VerdictCompleted, before: Evening) -> bool:
    """Return whether what has come late names whom the round named, of which the edges are not at hand."""
    try:
        known = find(before, event.of)[2].verdict
    except CompanionError:
        return False
    return known is not None and (known.named, known.void) == (event.verdict.named, event.verdict.void)


def _follows(known: _Round | None, told: Verdict) -> bool:
    """Return whether the edges of a round say what was *told* of it; one that names nobody claims nothing."""
    if told.void is not None or not told.named:
        return True
    if known is None or len(known.inputs) > MOST:
        return False
    judged = known.judged
    if not 0 < judged.confirm_ns <= judged.lockout_ns <= LONGEST_NS:
        return False
    settings = Settings(confirm_ns=judged.confirm_ns, lockout_ns=judged.lockout_ns, rearm_ns=None)
    again = rejudge(
        known.inputs, known.armed, known.lines, settings, judged.hold, judged.rack, judged.question
    )
    return (
        again.void is None
        and (told.last, told.first, told.opener) == (again.last, again.first, again.opener)
        and told.order == again.order[: len(told.order)]
    )
