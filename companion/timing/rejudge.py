"""A stored round is judged again, by the same code, with any settings (law 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Input,
    Judged,
    Late,
    Levels,
    Question,
    Rack,
    RefereeEvent,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.core.text import text
from lastnose.companion.timing.referee import Referee
from lastnose.companion.timing.settings import Settings, as_armed


def rejudge(
    inputs: Iterable[Input],
    armed: Armed,
    lines: Mapping[str, int],
    settings: Settings,
    hold: bool = False,
    rack: Rack | None = None,
    question: Question = "last",
) -> Verdict:
    """Judge a round again: *inputs* are those of its Judged, then those of its Late, if any.

    A press that has come late by then completes the verdict. A round that these settings leave open is void.
    """
    referee = Referee(lines, msgspec.structs.replace(settings, rearm_ns=None))
    referee.watch(armed.seats, hold, rack, question, armed.rules)
    return _newest([*referee.feed(as_armed(armed), *inputs), *referee.end()])


class Rejudging:
    """A plain round that asks who was last, judged again as its inputs come: what has settled is kept.

    It says what `rejudge` says of all inputs that it has taken, and is for the one event that most often
    follows: the last one's touch, which is later than all that has settled.
    """

    def __init__(self, armed: Armed, lines: Mapping[str, int], settings: Settings) -> None:
        self._round = armed, lines, settings
        self._referee: Referee | None = None
        self._settled_ns = 0

    def begin(self, inputs: tuple[Input, ...]) -> Verdict:
        """Judge the round by *inputs*, those of its Judged."""
        armed, lines, settings = self._round
        if not all(isinstance(one, Edge) or _is_news(one) for one in inputs):
            return rejudge(inputs, armed, lines, settings)
        referee = Referee(lines, msgspec.structs.replace(settings, rearm_ns=None))
        referee.watch(armed.seats, rules=armed.rules)
        newest_ns = max((one.t_ns for one in inputs if isinstance(one, Edge | Levels)), default=0)
        settled_ns = newest_ns + settings.confirm_ns + settings.lockout_ns + 1  # no train is open then
        quiet = (Watermark(settled_ns, source) for source in {one.source for one in inputs})
        said = referee.feed(as_armed(armed), *inputs, *quiet)
        if referee.armed or not any(isinstance(one, Judged) for one in said):
            return rejudge(inputs, armed, lines, settings)
        self._referee, self._settled_ns = referee, settled_ns
        return _newest(said)

    def end(self, before: tuple[Input, ...], inputs: tuple[Input, ...]) -> Verdict:
        """Judge it by *inputs*, too, those of its Late, after those *before*."""
        referee, self._referee = self._referee, None
        later = all(isinstance(one, Edge) and one.t_ns >= self._settled_ns for one in inputs)
        said = [*referee.feed(*inputs), *referee.end()] if referee is not None and later else []
        if any(isinstance(one, Late | Withdrawn) for one in said):
            return _newest(said)
        return rejudge((*before, *inputs), *self._round)


def _is_news(item: Input) -> bool:
    return isinstance(item, Levels) and item.late_ns is None


def _newest(said: list[RefereeEvent]) -> Verdict:
    """Return the newest verdict that was *said*, void without any."""
    verdicts = [one.verdict for one in said if isinstance(one, Judged | Late | Withdrawn)]
    return verdicts[-1] if verdicts else Verdict(void=text("tape ended"))
