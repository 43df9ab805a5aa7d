"""A stored round is judged again, by the same code, with any settings (law 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from lastnose.companion.core.model import Armed, Input, Judged, Late, Question, Rack, Verdict, Withdrawn
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
    said = [*referee.feed(as_armed(armed), *inputs), *referee.end()]
    verdicts = [one.verdict for one in said if isinstance(one, Judged | Late | Withdrawn)]
    return verdicts[-1] if verdicts else Verdict(void=text("tape ended"))
