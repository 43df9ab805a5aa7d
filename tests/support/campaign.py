"""Plays simulated evenings against the judge and counts: wrong lasts, and what was needless."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from lastnose.companion.core.model import (
    Armed,
    Contested,
    Edge,
    Gap,
    Input,
    Judged,
    Late,
    Levels,
    RefereeEvent,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.core.text import text
from lastnose.companion.timing import ArmRequest, Referee, Settings

from tests.support.explanations import NEVER_NS, outside
from tests.support.simulator import Evening
from tests.support.slow_judge import possible
from tests.support.slow_modes import NOT_DECIDED, Rules
from tests.support.slow_modes import possible_lasts as possible_lasts_of

MOST_SEATS = 4  # for more there are too many explanations to go through
MANUAL = Settings(rearm_ns=None)
WAITED = text("The next round was armed before this one was decided.")


class Told(NamedTuple):
    """One round as it stands at the end of the evening, and until when it lasted.

    `verdict` is what was told of it last, `judged` what was told first.
    """

    armed: Armed
    until_ns: int
    judged: Judged | None
    stands: bool
    verdict: Verdict | None


def listen(evening: Evening) -> list[RefereeEvent]:
    """Return what a referee says of an evening, every input at its time of arrival."""
    referee = Referee(evening.lines, MANUAL, [source.name for source in evening.sources])
    referee.watch(evening.seats, evening.hold, evening.rack, evening.question, evening.rules)
    said: list[RefereeEvent] = []
    for at_ns, item in evening.sent:
        said += referee.feed(ArmRequest(at_ns) if item is None else item)
    return said + referee.end()


def evidence_of(evening: Evening) -> list[Input]:
    """Return what the sources have sent."""
    return [sent.item for sent in evening.sent if isinstance(sent.item, Edge | Levels | Gap | Watermark)]


def rounds_of(said: list[RefereeEvent]) -> list[Told]:
    """Return the rounds of an evening, with what was made of them later."""
    at = [n for n, one in enumerate(said) if isinstance(one, Armed)]
    shaken = {one.of_ns for one in said if isinstance(one, Withdrawn | Contested)}
    found = []
    for n, end in zip(at, [*at[1:], len(said)][: len(at)], strict=True):
        armed, until = said[n], said[end] if end < len(said) else None
        assert isinstance(armed, Armed)
        judged = next((one for one in said[n:end] if isinstance(one, Judged)), None)
        until_ns = until.t_ns if isinstance(until, Armed) else NEVER_NS
        later = [one.verdict for one in said if isinstance(one, Late) and one.of_ns == armed.t_ns]
        verdict = None if judged is None else [judged.verdict, *later][-1]
        found.append(Told(armed, until_ns, judged, armed.t_ns not in shaken, verdict))
    return found


def _needless(evening: Evening, told: Told, verdict: Verdict) -> Counter[str]:
    """Hold a verdict to the slow judge: what it may not say, and what it need not have left open."""
    evidence = evidence_of(evening)
    first = evening.question == "first"
    found = possible(told.armed.t_ns, told.until_ns, evening.lines, evidence, first=first)
    lasts = found.lasts
    if verdict.void is not None:
        return Counter({"needless void": len(lasts) == 1})
    counts = Counter({f"{what} against the law": 1 for what in outside(verdict, found)})
    if verdict.dead_heat:
        counts += Counter(
            {"needless dead heat": len(lasts) == 1, "against the law": not lasts <= set(verdict.named)}
        )
        return counts
    return counts + Counter({"against the law": lasts != set(verdict.named)})


def _needless_of_mode(evening: Evening, told: Told, verdict: Verdict) -> Counter[str]:
    """Count what a round of held noses or of spoons left open though its slow reading knows one last only.

    That is an outline: it is held to nothing else, who is named the truth decides.
    """
    if verdict.void is None and not verdict.dead_heat:
        return Counter()
    evidence = evidence_of(evening)
    rules = Rules(evening.seats, evening.hold, evening.rack)
    lasts = possible_lasts_of(told.armed.t_ns, told.until_ns, evening.watched, rules, evidence)
    sure = len(lasts) == 1 and NOT_DECIDED not in lasts
    return Counter({"needless void" if verdict.void is not None else "needless dead heat": sure})


def weigh(evening: Evening) -> Counter[str]:
    """Count the rounds of an evening by what became of them."""
    counts: Counter[str] = Counter()
    for told in rounds_of(listen(evening)):
        counts["rounds"] += 1
        truth = evening.truly_named(told.armed.t_ns, told.until_ns)
        verdict = told.verdict
        if told.stands and (verdict is None or verdict.void == WAITED):
            counts["waited"] += bool(truth) and not evening.faults
        if verdict is None:
            counts["open"] += 1
            continue
        plain = not evening.hold and evening.rack is None
        if len(evening.seats) <= MOST_SEATS and told.stands:
            counts += (_needless if plain else _needless_of_mode)(evening, told, verdict)
        if told.stands and verdict.void is None:
            truly = evening.truly(told.armed.t_ns, told.until_ns)
            counts += Counter() if truly is None else Counter(outside(verdict, truly))
        if not told.stands:
            counts["withdrawn"] += 1
        elif verdict.void is not None:
            counts["void"] += 1
        elif not verdict.last and evening.rack is not None and evening.rack.confirm != "rack-only":
            counts["asked"] += 1  # nobody is named: the table says who has no spoon
        elif verdict.dead_heat:
            counts["dead heat"] += 1
            counts["wrong"] += not truth <= set(verdict.named)
        else:
            counts["named"] += 1
            counts["wrong"] += truth != set(verdict.named)
    return counts
