"""Nobody stays named last against later evidence; what is lost, early or odd never decides (laws 3 to 5)."""

from __future__ import annotations

import msgspec
import pytest
from lastnose.companion.core.model import (
    Armed,
    BrokenPromise,
    Contested,
    Edge,
    FirstRules,
    Gap,
    HostPress,
    Judged,
    Late,
    Levels,
    Pressed,
    UnseenChange,
    Withdrawn,
)
from lastnose.companion.timing import ArmRequest, Referee, Settings, rejudge
from lastnose.companion.timing.evidence import as_found

from tests.timing.test_referee import LINES, MS, REST, US, WHY, S, Table, U, down, kinds, until, up

PAGE = "page.k3"


def of(table: Table, kind: type) -> list:  # type: ignore[type-arg]
    """Return what was said of a kind."""
    return [one for one in table.said if isinstance(one, kind)]


# After the verdict


def one_late_tap() -> Table:
    """Seats 2 and 3 press at 1.5 s and 1.55 s; 1 is named; then comes its tap of 1 s, which is too late."""
    table = Table(sources=["gpio", PAGE], rearm_ns=None, rest=False)
    table.feed(ArmRequest(0), REST)
    table.feed(Levels({"nose.1": 0}, 0, PAGE, U, MS), down(2, 1_500 * MS), down(3, 1_550 * MS))
    table.feed(until(2 * S, PAGE), until(2 * S))
    assert (1,) == table.verdict().last
    table.feed(Edge(1 * S, PAGE, "nose.1", 1, U, MS), until(2_010 * MS, PAGE), until(2_010 * MS))
    return table


def test_a_tap_that_came_too_late_withdraws_the_verdict_that_it_contradicts() -> None:
    """1 was first, not last: the round is void with a reason, and tells who pressed when."""
    table = one_late_tap()
    (withdrawn,) = of(table, Withdrawn)
    verdict = withdrawn.verdict
    assert (0, (), (1, 2, 3)) == (withdrawn.of_ns, verdict.last, verdict.order)
    assert "A tap on a page came too late and contradicts the verdict." == str(verdict.void)
    assert ["Judged", "BrokenPromise", "Withdrawn", "UnseenChange"] == kinds(table.said)[-4:]


def test_the_tape_says_since_when_a_nose_is_down_that_a_page_told_of_too_late() -> None:
    """Page k3 leaves at 1 s; k4 opens and tells at 1.512 s that 1 was touched at 1.5 s: 2 is last.

    Taken as news of nobody knows when, 1 might have been down when the round was armed, and it would be void.
    """
    noses = {"nose.1": 1, "nose.2": 2}
    referee = Referee(noses, Settings(rearm_ns=None), [PAGE, "gpio"])
    referee.watch((1, 2))
    said = referee.feed(Levels(dict.fromkeys(noses, 0), 0, PAGE, U, MS), ArmRequest(0), until(1 * S))
    said += referee.feed(until(2**63 - 1, PAGE), until(1_512 * MS))
    said += referee.feed(
        Edge(1_500 * MS, "page.k4", "nose.1", 1, U, MS), until(3 * S), until(3 * S, "page.k4")
    )
    (armed,) = [one for one in said if isinstance(one, Armed)]
    (judged,) = [one for one in said if isinstance(one, Judged)]
    assert ((2,), (1,), None) == (judged.verdict.last, judged.verdict.unseen, judged.verdict.void)
    assert judged.verdict == rejudge(judged.inputs, armed, noses, Settings(rearm_ns=None))


@pytest.mark.parametrize("expected", [True, False])
def test_what_is_only_expected_hides_no_touch_that_is_told_too_late(*, expected: bool) -> None:
    """Page k3 leaves at 1 s; k4 tells at 1.512 s that 1 was touched at 1.5 s. Nobody has looked at 1.505 s.

    So 1 is down, and was before 2. Had somebody looked, two would be missing yet.
    """
    noses = {"nose.1": 1, "nose.2": 2, "nose.3": 3}
    referee = Referee(noses, Settings(rearm_ns=None), [PAGE, "gpio"])
    referee.watch((1, 2, 3))
    said = referee.feed(Levels(dict.fromkeys(noses, 0), 0, PAGE, U, MS), ArmRequest(0), until(1 * S))
    said += referee.feed(until(2**63 - 1, PAGE), until(1_510 * MS))
    said += referee.feed(
        Levels(dict.fromkeys(noses, 0), 1_505 * MS, "gpio", U, 9 * MS, expected=expected),
        Edge(1_500 * MS, "page.k4", "nose.1", 1, U, MS),
        Edge(1_700 * MS, "page.k4", "nose.2", 1, U, MS),
        until(3 * S),
        until(3 * S, "page.k4"),
    )
    judged = [one.verdict.last for one in said if isinstance(one, Judged)]
    assert ([(3,)] if expected else []) == judged


def test_the_tape_of_a_withdrawn_round_judges_as_the_evidence_says() -> None:
    """With the late tap in its place seat 3 was last, by 50 ms."""
    table = one_late_tap()
    inputs = (*of(table, Judged)[0].inputs, *of(table, Withdrawn)[0].inputs)
    again = rejudge(inputs, Armed(0, (1, 2, 3)), LINES, table.settings)
    assert ((3,), 50 * MS) == (again.last, again.margin_ns)


@pytest.mark.parametrize("others", [(), (2,)], ids=["in the round", "after the verdict"])
def test_a_late_release_of_who_had_touched_is_not_told_as_late(others: tuple[int, ...]) -> None:
    """Seat 1 touches at 1 s and lets go at 1.9 s, told after the promise of 2 s; its touch counts."""
    table = Table(sources=["gpio", PAGE], rearm_ns=None, rest=False)
    table.feed(ArmRequest(0), REST, Levels({"nose.1": 0}, 0, PAGE, U, MS))
    table.feed(Edge(1 * S, PAGE, "nose.1", 1, U, MS), *(down(seat, 1_500 * MS) for seat in others))
    table.feed(until(2 * S, PAGE), until(2 * S))
    table.feed(Edge(1_900 * MS, PAGE, "nose.1", 0, U, MS), until(3 * S, PAGE), until(3 * S))
    assert [] == of(table, BrokenPromise)
    assert len(others) == len(of(table, Judged))
    table.feed(*(down(seat, 3_500 * MS) for seat in {2} - {*others}), until(4 * S, PAGE), until(4 * S))
    assert ((3,), None) == (table.verdict().last, table.verdict().void)
    assert (False, 1) == [(one.level, one.seat) for one in of(table, UnseenChange)][-1]


@pytest.mark.parametrize("hold", [False, True])
def test_a_late_release_that_may_change_something_is_told(hold: bool) -> None:
    """One that may end the touch before it has settled, and one of a game in which noses are to be held."""
    table = Table(hold=hold, rest=False)
    table.feed(REST, down(1, 1 * S), until(2 * S))
    table.feed(up(1, 1_900 * MS if hold else 1 * S + 10 * US), until(3 * S))
    assert 1 == len(of(table, BrokenPromise))


def test_after_the_next_arming_the_round_before_is_contested_with_both_verdicts() -> None:
    """People have played on: they decide. The round in progress goes on; seat 1's nose is free again."""
    table = Table(sources=["gpio", PAGE], rearm_ns=500 * MS)
    table.feed(Levels({"nose.1": 0}, 0, PAGE, U, MS), down(2, 1_500 * MS), down(3, 1_550 * MS))
    table.feed(up(2, 2 * S), up(3, 2 * S), until(4 * S, PAGE), until(4 * S))
    assert [0, 2_500 * MS] == [one.t_ns for one in of(table, Armed)]
    table.feed(Edge(1 * S, PAGE, "nose.1", 1, U, MS), Edge(1_200 * MS, PAGE, "nose.1", 0, U, MS))
    table.feed(until(5 * S, PAGE), until(5 * S))
    (contested,) = of(table, Contested)
    assert (0, (3,), (1, 2, 3)) == (contested.of_ns, contested.verdict.last, contested.verdict.order)
    assert [] == of(table, Withdrawn)


def test_a_verdict_is_withdrawn_once() -> None:
    """1's tap at 1 s comes too late, and then one of 1.2 s that says the same: the round is void already."""
    table = one_late_tap()
    table.feed(Edge(1_200 * MS, PAGE, "nose.1", 0, U, MS), until(3 * S, PAGE), until(3 * S))
    table.feed(Gap(900 * MS, 1_100 * MS, "gpio"), until(4 * S, PAGE), until(4 * S))
    assert 1 == len(of(table, Withdrawn))


def test_a_verdict_that_a_late_press_has_withdrawn_is_not_weighed_again() -> None:
    """3's tap was too close to 2's press; then the box owns up to a loss in which 3 may have pressed."""
    table = Table(sources=["gpio"], rearm_ns=None, rest=False)
    table.feed(ArmRequest(0), REST, down(1, 1 * S), down(2, 2 * S), until(2_010 * MS))
    table.feed(Edge(2_020 * MS, PAGE, "nose.3", 1, 30 * MS), until(3 * S, PAGE), until(3 * S))
    table.feed(Gap(1_400 * MS, 1_500 * MS, "gpio", ("nose.3",)), until(4 * S, PAGE), until(4 * S))
    assert ["Judged", "Pressed", "Withdrawn"] == kinds(table.said)[-3:]


@pytest.mark.parametrize(("until_ms", "void"), [(99, False), (100, True)])
def test_a_loss_that_ends_as_the_round_is_armed_may_have_hidden_a_press(until_ms: int, void: bool) -> None:
    """1 is missing and named; the loss is told afterwards, and ends at the arming or just before it."""
    table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0, "nose.3": 0}, 0, "gpio", U))
    table.feed(ArmRequest(100 * MS), down(2, 1_500 * MS), down(3, 1_550 * MS))
    table.feed(until(2 * S), until(2 * S, "box"))
    table.feed(Gap(50 * MS, until_ms * MS, "box"), until(3 * S), until(3 * S, "box"))
    assert void == bool(of(table, Withdrawn))


def test_after_a_withdrawn_verdict_the_delay_before_arming_begins_again() -> None:
    """1 is missing and named; the box owns up at 2 s to 0.9 to 1.1 s: armed again 500 ms after that."""
    table = Table(sources=["gpio", "box"], rearm_ns=500 * MS, rest=False)
    table.feed(
        ArmRequest(0), Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0, "nose.3": 0}, 0, "gpio", U)
    )
    table.feed(down(2, 1_500 * MS), down(3, 1_550 * MS), up(2, 1_600 * MS), up(3, 1_600 * MS))
    table.feed(until(2 * S), until(2 * S, "box"))
    table.feed(Gap(900 * MS, 1_100 * MS, "box"), until(5 * S), until(5 * S, "box"))
    assert 1 == len(of(table, Withdrawn))
    assert [0, 2_500 * MS] == [one.t_ns for one in of(table, Armed)][:2]


def test_a_press_after_the_lines_were_bound_again_completes_nothing() -> None:
    """1 is missing and named; its nose is bound again, and then somebody touches it."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(0), down(2, 1 * S), down(3, 2 * S), until(3 * S))
    assert (1,) == table.verdict().last
    table.referee.bind(LINES)
    table.feed(down(1, 4 * S), until(5 * S))
    assert "Pressed" == kinds(table.said)[-1]


def test_a_nose_whose_release_came_too_late_is_shown_as_free() -> None:
    """Else it would be held through the next round, and block it."""
    table = Table(sources=["gpio", PAGE], rearm_ns=None)
    table.feed(Edge(1 * S, PAGE, "nose.1", 1, U), until(2 * S, PAGE), until(2 * S))
    table.feed(Edge(1_500 * MS, PAGE, "nose.1", 0, U), until(3 * S, PAGE), until(3 * S))
    assert [Pressed, UnseenChange] == [
        type(one) for one in table.said if isinstance(one, Pressed | UnseenChange)
    ]
    assert [Armed] == [type(one) for one in table.feed(ArmRequest(4 * S), until(5 * S, PAGE), until(5 * S))]


# Across the arming


def test_a_hand_that_was_down_before_a_loss_across_the_arming_is_no_press() -> None:
    """The box is cut off from 0.5 to 1.5 s, North's hand goes down at 0.7 s: nothing is armed until then."""
    table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0, "nose.3": 0}, 0, "gpio", U))
    table.feed(ArmRequest(1 * S), Gap(500 * MS, 1_500 * MS, "box"), Levels({"nose.1": 1}, 1_500 * MS, "box"))
    table.feed(down(2, 2 * S), until(9 * S), until(9 * S, "box"))
    assert [] == of(table, Armed)
    table.feed(up(1, 10 * S, "box"), up(2, 10 * S), until(11 * S), until(11 * S, "box"))
    assert [10_150 * MS] == [one.t_ns for one in of(table, Armed)]


def test_a_source_that_has_fallen_silent_is_a_gap_for_its_lines_and_holds_up_no_arming() -> None:
    """Its page carries nose 3, which is missing: void. Had it carried nose 1, which has pressed: decided."""
    for line, void in [("nose.3", True), ("nose.1", False)]:
        table = Table(sources=["gpio", PAGE], rearm_ns=500 * MS)
        table.feed(down(1, 1 * S), down(2, 2 * S), Gap(1_500 * MS, 2**63 - 1, PAGE, (line,)))
        table.feed(until(2**63 - 1, PAGE), until(3 * S))
        assert void == (table.verdict().void is not None)
        table.feed(up(1, 3_100 * MS), up(2, 3_100 * MS), until(9 * S))
        assert 3_600 * MS == of(table, Armed)[-1].t_ns


# What is a touch?


@pytest.mark.parametrize("hold", [False, True])
def test_the_chatter_of_a_release_at_the_arming_is_no_press(hold: bool) -> None:
    """Let go at 2 s, closed again for 1.2 ms after 1.2 ms: asked at 2.001 s, armed 150 ms after the last."""
    table = Table(rearm_ns=None, hold=hold)
    table.feed(down(1, 1 * S), *(Edge(2 * S + n * 1_200 * US, "gpio", "nose.1", n % 2, U) for n in range(3)))
    table.feed(ArmRequest(2_001 * MS), until(3 * S))
    (armed,) = of(table, Armed)
    assert 2_002_400 * US + 150 * MS == armed.t_ns
    assert [] == [one for one in of(table, Pressed) if one.counts]


def test_a_press_lost_before_the_first_leaves_open_who_opened() -> None:
    """2's nose was cut off from 0.5 to 0.6 s and is pressed at 2 s: it may have opened; 3 was last anyway."""
    for gap, opener in [((500 * MS, 600 * MS), None), ((1_100 * MS, 1_200 * MS), 1)]:
        table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
        table.feed(Levels({"nose.2": 0}, 0, "box", U), Levels({"nose.1": 0, "nose.3": 0}, 0, "gpio", U))
        table.feed(ArmRequest(100 * MS), Gap(*gap, "box"), down(1, 1 * S), down(2, 2 * S, "box"))
        table.feed(down(3, 2_500 * MS), until(9 * S), until(9 * S, "box"))
        assert ((3,), opener) == (table.verdict().last, table.verdict().opener)


def test_without_a_loss_two_who_open_together_leave_no_doubt_of_the_verdict() -> None:
    """5 µs between 1 and 2 with 10 µs each; only lost edges make the opener unsure."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(0), down(1, 1 * S), down(2, 1 * S + 5 * US), down(3, 2 * S), until(3 * S))
    assert ((3,), False) == (table.verdict().last, table.verdict().opener_unsure)


def test_one_nose_found_down_of_two_decides_without_a_press() -> None:
    """The box finds 1 down after a loss within the round; nobody has been seen to open, and 2 is last."""
    table = Table(seats=(1, 2), sources=["gpio", "box"], rearm_ns=None, rest=False)
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0}, 0, "gpio", U))
    table.feed(ArmRequest(1 * S), until(1_050 * MS), until(1_050 * MS, "box"))
    table.feed(Gap(1_100 * MS, 1_500 * MS, "box"), Levels({"nose.1": 1}, 1_500 * MS, "box"))
    table.feed(until(9 * S), until(9 * S, "box"))
    assert ((2,), (), (1,)) == (table.verdict().last, table.verdict().order, table.verdict().unseen)


def test_a_spark_on_a_line_of_nobody_delays_no_verdict() -> None:
    """The host's button flickers for 0.3 ms as seat 3 presses; the verdict bears the time that it would."""
    times = []
    for flicker in ((), (1_550_200_000, 1_550_500_000)):
        table = Table(rearm_ns=None)
        sparks = [Edge(t_ns, "gpio", "host", 1 - n, U) for n, t_ns in enumerate(flicker)]
        table.feed(ArmRequest(0), down(2, 1_500 * MS), down(3, 1_550 * MS), *sparks, until(3 * S))
        times.append(of(table, Judged)[0].t_ns)
    assert times[0] == times[1] < 1_552 * MS


def test_who_is_not_watched_may_let_go_whenever_they_like() -> None:
    """4 is out: its release 5 µs before the touch that decides leaves open nothing of the hold."""
    table = Table(hold=True, rearm_ns=None)
    table.feed(ArmRequest(0), down(4, 1 * S), down(1, 1_500 * MS), up(4, 2 * S - 5 * US), down(2, 2 * S))
    table.feed(until(9 * S))
    assert ((3,), None) == (table.verdict().last, table.verdict().void)


def test_the_time_of_a_press_of_the_host_is_the_time_it_is_answered_at() -> None:
    """Held since 1 s, long at 2 s: a round voided for it ends then, however far the stream has come."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(0), Edge(1 * S, "gpio", "host", 1, U), until(1_100 * MS))
    ended: list[int] = []

    def answer() -> None:
        judged = table.referee.void(WHY)
        ended.extend([table.referee.now_ns, judged.t_ns if judged else 0])

    table.answer(until(9 * S), HostPress, answer)
    assert [2 * S, 2 * S] == ended


def test_levels_of_unknown_worth_stay_so_in_what_is_kept_of_a_round() -> None:
    """A source that says nothing of its stamps' worth is handed out as it came."""
    unknown = Levels({"nose.1": 0, "nose.2": 0}, 0, "gpio")
    table = Table(seats=(1, 2), rest=False, rearm_ns=None)
    table.feed(unknown, until(1 * S), ArmRequest(1 * S), down(1, 2 * S), until(9 * S))
    (judged,) = of(table, Judged)
    assert Levels({"nose.1": 0, "nose.2": 0}, 1 * S, "gpio") == judged.inputs[0]


def test_levels_that_come_late_do_not_undo_what_has_happened_since() -> None:
    """A loss of 0.5 to 0.6 s is told at 2 s: free then. Nose 1, touched at 1.9 s, is held all the same."""
    table = Table(rearm_ns=None)
    table.feed(down(1, 1_900 * MS), until(1_950 * MS))
    table.feed(Gap(500 * MS, 600 * MS, "gpio"), Levels(dict(REST.levels), 600 * MS, "gpio", U), until(2 * S))
    table.feed(ArmRequest(2_010 * MS), until(3 * S))
    assert [] == of(table, Armed), "a hand is on nose 1"
    table.feed(up(1, 3_001 * MS), until(4 * S))
    assert 1 == len(of(table, Armed))


def test_a_touch_that_is_told_after_the_arming_it_came_before_takes_the_verdict_back() -> None:
    """Nose 2 is let go after the arming, and that chatters into a press; its touch before is told at last."""
    for told, stands in ((False, True), (True, False)):
        table = Table(sources=["gpio", PAGE], rearm_ns=None, rest=False)
        table.feed(Levels({"nose.1": 0, "nose.2": 0, "nose.3": 0}, 0, "gpio", U), ArmRequest(1 * S))
        table.feed(until(2 * S), until(2 * S, PAGE))
        table.feed(up(2, 2_500 * MS), down(2, 2_500 * MS + 600 * US), up(2, 2_502 * MS))
        table.feed(down(3, 2_600 * MS), until(3 * S), until(3 * S, PAGE))
        assert (1,) == table.verdict().last
        if told:
            table.feed(down(2, 900 * MS), until(3_100 * MS), until(3_100 * MS, PAGE))
        assert stands == (not of(table, Withdrawn))


def test_an_edge_after_the_decision_may_still_tell_when_a_touch_before_it_began() -> None:
    """A light hand: 0.2 ms closed, open, closed 9 ms later. That it opened is told too late: a dead heat."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(0), down(3, 900 * MS), down(1, 1 * S), down(2, 1 * S + 180 * US))
    table.feed(down(1, 1 * S + 9 * MS), until(2 * S))
    assert (2,) == table.verdict().last
    table.feed(up(1, 1 * S + 210 * US), until(2_100 * MS))
    (withdrawn,) = of(table, Withdrawn)
    assert (1, 2) == (*withdrawn.verdict.last,) or withdrawn.verdict.void is not None


def test_what_follows_a_loss_or_a_spark_within_150_ms_is_the_end_of_a_touch_and_no_press() -> None:
    """Asked at 1 s, 1 lets go meanwhile: the loss ends at 1.02 s, the stray closure begins at 0.99 s."""
    before = (
        ([Gap(900 * MS, 1_020 * MS, "gpio"), Levels({"nose.1": 0}, 1_020 * MS + 1, "gpio", U)], 1_170 * MS),
        ([down(1, 990 * MS), up(1, 990 * MS + 300 * US)], 1_140 * MS),
    )
    for moved, armed_ns in before:
        table = Table(rearm_ns=None)
        table.feed(ArmRequest(1 * S), *moved, down(1, 1_030 * MS), up(1, 1_030 * MS + 900 * US), until(9 * S))
        (armed,) = of(table, Armed)
        assert max(armed_ns, 1_030 * MS + 150 * MS) == armed.t_ns


def test_who_was_seen_to_let_go_but_not_to_touch_is_not_named() -> None:
    """The release of 1.2 s is told too late, before or after the verdict: 1 may have been first."""
    for told_first in (True, False):
        table = Table(sources=["gpio", PAGE], rearm_ns=None, rest=False)
        table.feed(REST, Levels({"nose.1": 0}, 0, PAGE, U, MS), ArmRequest(100 * MS))
        freed = Edge(1_200 * MS, PAGE, "nose.1", 0, U, MS)
        table.feed(until(1_300 * MS, PAGE), *([freed] if told_first else []))
        table.feed(down(2, 1_500 * MS), down(3, 1_550 * MS), until(2 * S), until(2 * S, PAGE))
        assert told_first == (table.verdict().void is not None)
        table.feed(*([] if told_first else [freed]), until(3 * S), until(3 * S, PAGE))
        assert told_first != bool(of(table, Withdrawn))


def test_what_agreed_with_a_verdict_is_weighed_with_what_comes_after_it() -> None:
    """Held: 1 since 1 s, 3 since 1.5 s: 2 was last, and 1 ms after. But then 1 had let go at 1.4 s."""
    table = Table(hold=True, rearm_ns=None)
    table.feed(ArmRequest(0), down(1, 1 * S), down(3, 1_500 * MS), until(2 * S))
    assert (2,) == table.verdict().last
    table.feed(down(2, 1_501 * MS), until(2_100 * MS))
    assert [] == of(table, Withdrawn)
    table.feed(up(1, 1_400 * MS), until(2_200 * MS))
    (withdrawn,) = of(table, Withdrawn)
    completed = [item for late in of(table, Late) for item in late.inputs]
    assert {down(2, 1_501 * MS), up(1, 1_400 * MS)} <= {*completed, *withdrawn.inputs}
    inputs = (*of(table, Judged)[0].inputs, *completed, *withdrawn.inputs)
    assert (1,) == rejudge(inputs, Armed(0, (1, 2, 3)), LINES, table.settings, hold=True).last


def test_the_chatter_of_a_release_holds_nothing_for_sure() -> None:
    """1 lets go at 2 s and closes again after 2 ms for 1.5 ms; 2 comes meanwhile, or 20 ms after."""
    for touched_ns, void in ((2_003 * MS, True), (2_022 * MS, False)):
        table = Table(hold=True, rearm_ns=None)
        table.feed(ArmRequest(0), down(1, 1 * S), up(1, 2 * S), down(1, 2_002 * MS), up(1, 2_003_500 * US))
        table.feed(down(2, touched_ns), down(3, 2_100 * MS), until(9 * S))
        assert void == (table.verdict().void is not None)
        assert void or (1,) == table.verdict().last


def test_the_chatter_of_a_release_is_no_dead_heat_with_who_made_the_others_complete() -> None:
    """3 lets go at 2 s and chatters from 2.0013 s on; 2 comes at 2.0021 s: level with 3, or 3 never came."""
    for chatter_us, void in (((1_300, 2_293, 3_890, 4_246, 4_803, 6_041), True), ((), False)):
        table = Table(hold=True, rearm_ns=None, seats=(1, 2, 3, 4))
        table.feed(ArmRequest(0), down(1, 1 * S), down(3, 1_500 * MS), up(3, 2 * S), down(4, 2_000_500 * US))
        closes = [down, up] * 3
        table.feed(*(edge(3, 2 * S + n * US) for edge, n in zip(closes, chatter_us, strict=False)))
        table.feed(down(2, 2_002_102 * US), until(9 * S))
        assert void == (table.verdict().void is not None)
        assert void or ((3,), None) == (table.verdict().last, table.verdict().margin_ns)


def test_a_loss_told_late_moves_the_end_of_a_round_for_the_next_one() -> None:
    """1 at 1 s, 2 at 1.1 s, and 3 is missing. A loss cut 1's train and lasted till 1.8 s: still 3.

    Then a loss of 1.5 to 1.6 s is told, for 3: with both, either may have been last.
    """
    table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0, "nose.3": 0}, 0, "gpio", U))
    table.feed(ArmRequest(0), down(1, 1 * S, "box"), down(2, 1_100 * MS), until(2 * S), until(2 * S, "box"))
    assert (3,) == table.verdict().last
    table.feed(Gap(1 * S + 500 * US, 1_800 * MS, "box"), until(3 * S), until(3 * S, "box"))
    assert [] == of(table, Withdrawn)
    table.feed(Gap(1_500 * MS, 1_600 * MS, "gpio"), until(4 * S), until(4 * S, "box"))
    assert 1 == len(of(table, Withdrawn))


def test_who_lets_go_after_the_arming_was_down_if_a_loss_before_it_is_told_meanwhile() -> None:
    """Nose 1 is let go at 1.2 s, and that chatters into a press; told at 1.3 s: 0.4 to 0.5 s was lost."""
    for told in (True, False):
        table = Table(rearm_ns=None)
        table.feed(ArmRequest(1 * S), up(1, 1_200 * MS), down(1, 1_202 * MS), until(1_300 * MS))
        table.feed(*([Gap(400 * MS, 500 * MS, "gpio")] if told else []), down(2, 1_500 * MS), until(2 * S))
        assert told == (table.verdict().void is not None)
        assert told or (3,) == table.verdict().last


def test_a_nose_found_down_that_opens_at_once_may_have_been_a_light_hand() -> None:
    """3 is found down at 1.5 s, opens 0.2 or 20 ms later, closes after 2.6 ms; 2 is pressed meanwhile."""
    for opened_ns, void in ((1_500_200 * US, True), (1_520 * MS, False)):
        table = Table(rearm_ns=None)
        lost = (
            Gap(1_499_900 * US, 1_500 * MS, "gpio", ("nose.3",)),
            Levels({"nose.3": 1}, 1_500 * MS, "gpio", U),
        )
        table.feed(ArmRequest(0), down(1, 1 * S), *lost, up(3, opened_ns), down(2, 1_500_300 * US))
        table.feed(down(3, opened_ns + 2_600 * US), until(9 * S))
        assert void == (table.verdict().void is not None)
        assert void or (2,) == table.verdict().last


def test_a_loss_that_agreed_is_weighed_again_with_the_press_that_completes() -> None:
    """2 pressed at 1 s, cut off until 1.02 s: it may have been down at 1.02 s only, and 3 came at 1.01 s."""
    for told in (False, True):
        table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
        table.feed(Levels({"nose.2": 0}, 0, "box", U), Levels({"nose.1": 0, "nose.3": 0}, 0, "gpio", U))
        table.feed(ArmRequest(100 * MS), down(1, 900 * MS), down(2, 1 * S, "box"))
        table.feed(until(1_001_500 * US), until(1_001_500 * US, "box"))
        assert (3,) == table.verdict().last
        table.feed(*([Gap(1 * S + 500 * US, 1_020 * MS, "box")] if told else []), down(3, 1_010 * MS))
        table.feed(until(3 * S), until(3 * S, "box"))
        assert (Withdrawn if told else Late) is type(of(table, (Late, Withdrawn))[-1])  # type: ignore[arg-type]


def test_who_opened_stays_open_when_the_missing_seat_presses_at_last() -> None:
    """What was lost of 1 from 1 to 1.2 s may have been before 2, who is seen to press first, at 1.5 s."""
    table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
    rest = {"nose.2": 0, "nose.3": 0}
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels(rest, 0, "gpio", U), ArmRequest(0))
    lost = Gap(1 * S, 1_200 * MS, "box", ("nose.1",)), Levels({"nose.1": 0}, 1_200 * MS, "box", U)
    table.feed(*lost, down(2, 1_500 * MS), Edge(1_600 * MS, "box", "nose.1", 1, U))
    table.feed(until(2 * S, "box"), until(2 * S))
    assert ((3,), None) == (table.verdict().last, table.verdict().opener)
    table.feed(down(3, 3 * S), until(4 * S, "box"), until(4 * S))
    (late,) = of(table, Late)
    assert ((3,), None, None) == (late.verdict.last, late.verdict.opener, late.verdict.rival)


def test_a_press_completes_nothing_where_what_came_late_left_no_stamp_to_measure_from() -> None:
    """1 presses at 2 s. Told too late: it was found down at 1.2 s already. Then 2 comes, at 4 s."""
    table = Table(sources=["gpio", "box"], rearm_ns=None, rest=False)
    table.feed(Levels({"nose.1": 0}, 0, "box", U), Levels({"nose.2": 0}, 0, "gpio", U))
    table.referee.watch((1, 2))
    table.feed(ArmRequest(0), Edge(1_600 * MS, "box", "nose.1", 0, U), Edge(2 * S, "box", "nose.1", 1, U))
    table.feed(until(3 * S, "box"), until(3 * S))
    assert ((2,), (1,)) == (table.verdict().last, table.verdict().order)
    lost = Gap(1_100 * MS, 1_200 * MS, "box", ("nose.1",)), Levels({"nose.1": 1}, 1_200 * MS, "box", U)
    table.feed(*lost, down(2, 4 * S), until(5 * S, "box"), until(5 * S))
    (late,) = of(table, Late)
    assert ((2,), (), None) == (late.verdict.last, late.verdict.order, late.verdict.margin_ns)


def test_what_was_found_in_a_round_is_found_so_again() -> None:
    """A log keeps it so: a release of 0.5 s, told at 2 s in a round armed at 1 s, frees the nose at 2 s."""
    told = Levels({"nose.1": 0}, 500 * MS, PAGE, U, MS, late_ns=2 * S)
    found = as_found(told, 1 * S)
    assert found is not None
    assert (2 * S, found) == (found.t_ns, as_found(found, 1 * S))
    assert as_found(msgspec.structs.replace(told, t_ns=1_500 * MS), 1 * S) is None


def test_a_round_that_was_armed_before_is_armed_just_then_again_whatever_is_lost() -> None:
    """At 1 s, and not when the loss is over that goes on until 5 s."""
    for barred, armed in (((), [1 * S]), (None, [])):
        referee = Referee({"nose.1": 1, "nose.2": 2}, Settings(rearm_ns=None))
        referee.watch((1, 2), question="first", rules=FirstRules(skips_held=True))
        lost = Gap(500 * MS, 5 * S, "gpio", ("nose.2",))
        request = ArmRequest(1 * S, (1,), barred=barred)
        said = referee.feed(Levels({"nose.1": 0, "nose.2": 0}, 0, "gpio", U), lost, request, until(2 * S))
        assert armed == [one.t_ns for one in said if isinstance(one, Armed)]


def test_a_spark_after_it_was_decided_changes_nothing_of_a_question_that_went_on_later() -> None:
    """1 is first at 1.2 s; asked among these at 8 s. Nose 2 sparks at 5 s: 1 was alone as long."""
    spark = Edge(5 * S, "gpio", "nose.2", 1, U), Edge(5 * S + 500 * US, "gpio", "nose.2", 0, U)
    alone = []
    for more in ((), spark):
        referee = Referee({"nose.1": 1, "nose.2": 2}, Settings(rearm_ns=None))
        referee.watch((1, 2), question="first", rules=FirstRules(skips_held=True))
        request = ArmRequest(1 * S, (1, 2), again=True, barred=(), asked_ns=8 * S)
        said = referee.feed(request, REST, down(1, 1_200 * MS), *more, until(9 * S))
        alone += [(one.t_ns, one.verdict.at_least_ns) for one in said if isinstance(one, Judged)]
    assert 2 == len(alone)
    assert alone[0] == alone[1]
