"""The budget of a verdict: lines that add up to the ±, and a margin weighed against it in one sentence."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import around, uncertainty
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing.judge import judge
from lastnose.companion.views.photo_finish import _as_shown, budget_of
from lastnose.companion.views.sentences import budget_lines, doubt_text
from lastnose.companion.views.snapshot import Budget, Mark, PhotoFinish


def lines(budget: Budget | None) -> list[tuple[str, int, str]]:
    """Kind, share and explanation of each line."""
    assert budget is not None
    return [(share.kind, share.u_ns, str(share.how)) for share in budget.shares]


def read(shown: Text) -> Decimal:
    """Nanoseconds, of a time as people read it; what is less than the last figure adds nothing."""
    if str(shown).startswith("<"):
        return Decimal(0)
    amount, unit = str(shown).split()
    return Decimal(amount) * {"µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}[unit]


def made(*presses: Press) -> list[tuple[str, int, str]]:
    """The lines of the verdict on *presses*."""
    verdict = judge(presses)
    return lines(budget_of(verdict, verdict.u_ns))


def test_two_stamps_of_one_clock_are_split_by_cause() -> None:
    """10 µs and 14.5 µs: 5 + 5 the stamps' own, 2 + 2 between pins, 3 + 7.5 contact; together 24.5 µs."""
    one = Press(1, 0, 10_000, "gpio", skew_u_ns=2_000, contact_u_ns=3_000)
    two = Press(2, 412_000, 14_500, "gpio", skew_u_ns=2_000, contact_u_ns=7_500)
    assert made(one, two) == [
        ("stamp", 10_000, "2 × 5 µs"),
        ("skew", 4_000, "2 × 2 µs"),
        ("contact", 10_500, "7.5 µs + 3 µs: it bounced, or its interrupt was late"),
        ("rate", 0, "one clock for both, over 412 µs"),
    ]


def test_the_error_between_two_clocks_is_a_line_of_its_own() -> None:
    """10 and 1 µs of the stamps, 500 µs of the box's clock; 511 µs in all."""
    assert made(Press(1, 0, 10_000, "gpio"), Press(2, 9_000_000, 1_000, "box/1", 500_000)) == [
        ("stamp", 11_000, "1 µs + 10 µs"),
        ("clock", 500_000, "1 × 500 µs"),
    ]


def test_what_browser_and_screen_add_is_a_line_of_its_own() -> None:
    """Two phones, each good for 8 ms, whose clocks are known to 2 and 3 ms."""
    one = Press(1, 0, 8_000_000, "page.a", 2_000_000)
    two = Press(2, 90_000_000, 8_000_000, "page.b", 3_000_000)
    assert made(one, two) == [
        ("page", 16_000_000, "2 × 8 ms"),
        ("clock", 5_000_000, "3 ms + 2 ms: the clocks, and how late each device reports"),
    ]


def test_fingers_on_one_screen_are_told_from_keys() -> None:
    """A screen at 60 Hz is good for 8.5 ms a finger, a keyboard at 125 Hz for 4 ms; a page has one clock."""
    for u_ns, why in (
        (8_500_000, "2 × 8.5 ms: a screen feels for fingers 60 times a second"),
        (4_000_000, "2 × 4 ms: a keyboard or mouse is asked every 8 ms"),
    ):
        pair = (Press(1, 0, u_ns, "page.a", 20_000_000), Press(2, 50_000_000, u_ns, "page.a", 20_000_000))
        assert made(*pair)[0] == ("page", 2 * u_ns, why)


def notes(*sources: str) -> list[str]:
    """What the budget of two presses says is not in it."""
    verdict = judge([Press(seat, seat * 10**9, 1_000, source) for seat, source in enumerate(sources, 1)])
    budget = budget_of(verdict, verdict.u_ns)
    assert budget is not None
    return [str(note) for note in budget.notes]


@pytest.mark.parametrize("way", [1, -1])
def test_where_lost_edges_leave_the_margin_open_its_pair_is_who_comes_closest(way: int) -> None:
    """30 ± 25 ms between the team of 1 and 4 and seat 2, at 50 ms, first or last: 3, of the box, is far."""
    box = {"source": "box/1", "clock_u_ns": 500_000}
    presses = (
        Press(1, 0, 10_000, "gpio"),
        Press(4, way * 10_000_000, 1_000, **box),
        Press(2, way * 50_000_000, 10_000, "gpio"),
        Press(3, way * 400_000_000, 1_000, **box),
    )
    named = {"first": (1, 4)} if way > 0 else {"last": (1, 4)}
    verdict = Verdict(margin_ns=30_000_000, u_ns=25_000_000, presses=presses, **named)
    assert lines(budget_of(verdict, verdict.u_ns)) == [
        ("stamp", 20_000, "2 × 10 µs"),
        ("lost", 24_980_000, "a touch may be among them"),
        ("rate", 0, "one clock for both, over 30 ms"),
    ]


def test_what_is_not_in_it_is_named_by_what_the_stamps_came_from() -> None:
    """Buttons have a way to go before they close; of screens we have others' figures."""
    (buttons,), (pages,) = notes("gpio", "gpio"), notes("page.a", "page.a")
    assert "this table judges contacts" in buttons
    assert "others have measured" in pages
    assert [buttons, pages] == notes("gpio", "page.a")


def test_a_round_that_was_judged_with_its_buttons_still_adds_up() -> None:
    """Of an older version: the buttons differ by 40 and 50 µs, a line of its own."""
    pair = [
        Press(seat, seat * 10**9, u + 1_000, "gpio", button_u_ns=u) for seat, u in ((1, 40_000), (2, 50_000))
    ]
    verdict = judge(pair)
    budget = budget_of(verdict, verdict.u_ns)
    assert ("button", 90_000) in [(kind, u_ns) for kind, u_ns, _ in lines(budget)]
    assert budget is not None
    assert () == budget.notes


@given(st.lists(st.integers(0, 10**10), min_size=1, max_size=6))
def test_the_lines_add_up_as_they_are_shown_too(shares: list[int]) -> None:
    """Read back from what people read: the figures that a verdict says; no line is off by over a step."""
    _, sure_ns, step = around(0, sum(shares))
    total, lines = _as_shown((sure_ns, step), shares)
    assert str(total) == str(uncertainty(sum(shares)))
    assert 0 <= read(total) - sum(shares) < step
    assert read(total) == sum(map(read, lines))
    assert all(abs(read(line) - share) <= step for line, share in zip(lines, shares, strict=True))


def test_a_press_that_has_not_come_is_a_line_too() -> None:
    """Sure to 20 µs: 10 of the one that came."""
    verdict = Verdict((1,), (2,), None, 20_000, presses=(Press(1, 0, 10_000, "gpio"),))
    assert lines(budget_of(verdict, 20_000)) == [
        ("stamp", 10_000, "1 × 10 µs"),
        ("stamp", 10_000, "the most it may be worth"),
    ]


def test_no_claim_has_no_budget() -> None:
    """A round that is void without a pair."""
    assert budget_of(Verdict(), None) is None


def test_the_length_of_a_long_margin_counts_the_pace_of_the_clock() -> None:
    """520 ms at 550 ppm are 286 µs more than the 20 µs that decide the order."""
    verdict = judge((Press(1, 0, 10_000, "gpio"), Press(2, 520_000_000, 10_000, "gpio")))
    assert lines(budget_of(verdict, 306_000)) == [
        ("stamp", 20_000, "2 × 10 µs"),
        ("rate", 286_000, "one clock for both, over 520 ms"),
    ]


Stamped = tuple[int, tuple[int, int, int], str, int]
a_press: st.SearchStrategy[Stamped] = st.tuples(
    st.integers(0, 10**9),
    st.tuples(*[st.integers(0, 10**6)] * 3),
    st.sampled_from(["gpio", "box/1", "box/2", "page.a", "page.b"]),
    st.integers(0, 10**6),
)


@given(st.lists(a_press, min_size=2, max_size=6), st.integers(0, 10**6))
def test_the_lines_always_add_up_to_what_is_shown(what: list[Stamped], more_ns: int) -> None:
    """Whatever the sources, and with or without the pace of the clock; never in one lump."""
    verdict = judge(
        [
            Press(seat, t_ns, sum(parts), source, clock, parts[1], parts[2])
            for seat, (t_ns, parts, source, clock) in enumerate(what, 1)
        ]
    )
    assert verdict.u_ns is not None
    for u_ns in (verdict.u_ns, verdict.u_ns + more_ns):
        budget = budget_of(verdict, u_ns)
        assert budget is not None
        assert sum(share.u_ns for share in budget.shares) == budget.u_ns == u_ns
        assert all(share.u_ns >= 0 and str(share.how) != "both together" for share in budget.shares)
    shares = budget_of(verdict, verdict.u_ns)
    assert shares is not None
    assert all(share.u_ns == 0 for share in shares.shares if share.kind == "rate")


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


def test_a_round_that_people_corrected_makes_no_claim_of_how_sure_it_is() -> None:
    """The box saw South last by 600 µs; that says nothing of East, whom the table names instead."""
    table = Scenario("pig", ["North", "East", "South"])
    for name, at_us in (("North", 0), ("East", 300), ("South", 900)):
        table.press(name, at_us=at_us)
    table.judge()

    def says() -> str:
        finish = table.table.queries.rounds()[-1].finish
        assert finish is not None and finish.budget is not None
        return str(finish.budget.says)

    assert says().startswith("South was last, by at least ")
    table.amend({"type": "last", "seats": [2]})
    assert "How sure is it?" == says()
