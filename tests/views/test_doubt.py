"""A margin weighed against its ±, in one sentence; the budget as lines for a terminal."""

from __future__ import annotations

import pytest
from lastnose.companion.core.model import Press
from lastnose.companion.core.text import text
from lastnose.companion.timing.judge import judge
from lastnose.companion.views.photo_finish import budget_of
from lastnose.companion.views.sentences import budget_lines, doubt_text
from lastnose.companion.views.snapshot import Budget, Mark, PhotoFinish


def said(margin_ns: int | None, u_ns: int, *, heat: bool = False, missing: bool = False) -> str:
    """What is said of Zoë, who came so much later than North."""
    marks = (Mark(1, "North", 0, u_ns // 2, heat), Mark(2, "Zoë", margin_ns or 0, u_ns // 2, True))
    if missing:
        return str(doubt_text(PhotoFinish(marks[:1], ((2, "Zoë"),), None, u_ns, False)))
    return str(doubt_text(PhotoFinish(marks, (), margin_ns, u_ns, heat)))


@pytest.mark.parametrize(
    ("margin_ns", "u_ns", "says"),
    [
        (20_001, 20_000, "Zoë was last, by more than the uncertainty."),
        (39_999, 20_000, "Zoë was last, by more than the uncertainty."),
        (40_000, 20_000, "Zoë was last, by at least 2 times the uncertainty."),
        (412_000, 20_227, "Zoë was last, by at least 20 times the uncertainty."),
        (19_999_999, 20_000, "Zoë was last, by at least 999 times the uncertainty."),
        (20_000_000, 20_000, "Zoë was last, by at least 1000 times the uncertainty."),
        (19_000, 20_000, "How sure is it?"),
    ],
)
def test_the_margin_is_told_in_whole_doubts_never_more_than_there_are(
    margin_ns: int, u_ns: int, says: str
) -> None:
    """412 µs are 20.37 times 20.227 µs: twenty."""
    assert says == said(margin_ns, u_ns)


def test_a_dead_heat_and_an_absence_have_sentences_of_their_own() -> None:
    """Neither has a margin to boast of."""
    assert "Too close to tell: 12 µs apart, and sure only to ± 20 µs." == said(12_000, 20_000, heat=True)
    assert "Everybody else was there; Zoë was not yet." == said(None, 20_000, missing=True)


def test_a_terminal_tells_the_budget_line_by_line() -> None:
    """20 µs of two stamps and 0.2 µs of the clock's pace over 412 µs; what is not in it."""
    verdict = judge((Press(1, 0, 10_000, "gpio"), Press(2, 412_000, 10_000, "gpio")))
    budget = budget_of(verdict, verdict.margin_u_ns)
    assert budget is not None
    assert [
        "Uncertainty: ± 21 µs",
        "Stamp: 20 µs (2 × 10 µs)",
        "Pace of the clock: 1 µs (one clock for both, over 412 µs)",
    ] == [str(line) for line in budget_lines(budget)][:3]
    bare = Budget(1, (), text("1 µs"), notes=(text("Not this."),))
    assert ["Uncertainty: ± 1 µs", "Not this."] == [str(line) for line in budget_lines(bare)]
