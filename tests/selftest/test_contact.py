"""A contact on trial: each fault that wiring can have, injected, and named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge
from lastnose.companion.selftest.contact import trains_of

from tests.support.selftest_rig import LINES, MS, Rig


@pytest.fixture
def rig() -> Rig:
    """Return a sound table whose first nose is asked for."""
    made = Rig()
    made.wait(2_200)
    assert "nose.1" == made.asked
    return made


def outcome(rig: Rig, line: str = "nose.1") -> str:
    """Return what came of *line*."""
    return rig.course.readings[line].outcome


def test_a_clean_touch_is_good_and_the_next_is_asked_for(rig: Rig) -> None:
    """With its figures: one edge off, one edge back."""
    rig.touch("nose.1")
    reading = rig.course.readings["nose.1"]
    assert ("ok", 1) == (reading.outcome, reading.presses)
    assert reading.away is not None
    assert (1, 0, 10_000) == (reading.away.edges, reading.away.span_ns, reading.away.u_ns)
    assert "nose.2" == rig.asked


def test_a_spoon_is_lifted_and_laid_back() -> None:
    """It rests closed, at 1."""
    rig = Rig()
    rig.go_through()
    assert "ok" == outcome(rig, "spoon.1")
    assert [0, 1] == [edge.level for edge in rig.course.readings["spoon.1"].trace]
    assert rig.course.passed


def test_springs_bounce_and_that_is_good(rig: Rig) -> None:
    """For 4 ms; the judge bears 20."""
    for at_us, level in ((0, 1), (900, 0), (1_500, 1), (3_200, 0), (4_000, 1)):
        rig.edge("nose.1", level, at_us)
    rig.wait(100)
    rig.back("nose.1")
    rig.wait(400)
    reading = rig.course.readings["nose.1"]
    assert reading.away is not None
    assert ("ok", 5, 4 * MS) == (reading.outcome, reading.away.edges, reading.away.span_ns)


@pytest.mark.parametrize(("span_us", "expected"), [(9_000, "ok"), (12_000, "bouncy"), (24_000, "bouncing")])
def test_long_bouncing_is_told_and_too_long_fails(rig: Rig, span_us: int, expected: str) -> None:
    """Half the lockout of 20 ms is worth a word, more than the lockout is too much."""
    for number in range(0, 9, 2):
        rig.edge("nose.1", 1, number * span_us / 8)
        if number < 8:
            rig.edge("nose.1", 0, (number + 1) * span_us / 8)
    rig.wait(100)
    rig.back("nose.1")
    rig.wait(400)
    assert expected == outcome(rig)


def test_a_nose_that_opens_again_quicker_than_a_finger_bounces(rig: Rig) -> None:
    """15 ms after it closed, for 10 ms: the debouncer takes that for a release."""
    for at_ms, level in ((0, 1), (15, 0), (25, 1), (120, 0)):
        rig.edge("nose.1", level, at_ms * 1_000)
    rig.wait(600)
    assert "bouncing" == outcome(rig)
    (finding,) = rig.course.findings
    assert [(0, 1), (15, 0), (25, 1), (120, 0)] == [(seen.t_ns // MS, seen.level) for seen in finding.trace]


def test_two_touches_of_a_person_are_good(rig: Rig) -> None:
    """200 ms apart."""
    rig.away("nose.1")
    rig.wait(100)
    rig.back("nose.1")
    rig.wait(200)
    rig.touch("nose.1")
    assert ("ok", 2) == (outcome(rig), rig.course.readings["nose.1"].presses)


def test_a_line_that_never_rests_is_bouncing(rig: Rig) -> None:
    """50 Hz of mains on a broken wire: after ten seconds it is enough."""
    for number in range(1_100):
        rig.edge("nose.1", 1 - number % 2)
        rig.wait(10)
        if rig.asked != "nose.1":
            break
    assert "bouncing" == outcome(rig)
    assert len(rig.course.readings["nose.1"].trace) <= 200


def test_a_contact_that_flickers_three_times_is_weak(rig: Rig) -> None:
    """Closed for 2 ms: nobody touches so shortly; it is asked for again twice."""
    for number in range(3):
        assert number == sum("very short" in str(hint) for hint in rig.course.view.hints) * number
        rig.away("nose.1")
        rig.back("nose.1", 2_000)
        rig.wait(400)
    assert "weak" == outcome(rig)


def test_a_wire_on_a_free_pin_is_found_at_the_second_touch() -> None:
    """Once could be somebody else's hand."""
    rig = Rig(wiring={"nose.1": ("spare.17",)})
    rig.wait(2_200)
    rig.touch("nose.1")
    assert "nose.1" == rig.asked
    assert "That was GPIO17 (pin 11). Once more: nose 1." == str(rig.course.view.hints[-1])
    rig.touch("nose.1")
    reading = rig.course.readings["nose.1"]
    assert ("wrong", "spare.17") == (reading.outcome, reading.heard)


def test_a_wrong_nose_pressed_once_is_forgiven(rig: Rig) -> None:
    """Then the right one."""
    rig.touch("nose.4")
    assert "nose.1" == rig.asked
    rig.touch("nose.1")
    assert "ok" == outcome(rig)


def test_silence_is_told_after_half_a_minute_or_at_once_when_somebody_says_so(rig: Rig) -> None:
    """And leaving a contact out is neither good nor bad."""
    rig.wait(29_000)
    assert "nose.1" == rig.asked
    rig.wait(2_000)
    assert "silent" == outcome(rig)
    rig.course.say("nothing")
    assert "silent" == outcome(rig, "nose.2")
    rig.course.say("skip")
    assert "skipped" == outcome(rig, "nose.3")
    assert not rig.course.passed


@pytest.mark.parametrize("line", ["nose.1", "spoon.1"])
def test_a_contact_that_is_away_before_it_is_touched_is_stuck(line: str) -> None:
    """The prompt says so; if it is let go meanwhile, it is tested."""
    rig = Rig(held=[line])
    rig.wait(2_200)
    while rig.asked != line:
        rig.touch(rig.asked or "")
    assert "already" in str(rig.course.view.hints[-1])
    rig.wait(31_000)
    assert "stuck" == outcome(rig, line)


def test_a_contact_that_was_freed_in_time_is_tested() -> None:
    """Somebody had an elbow on it."""
    rig = Rig()
    rig.away("nose.1")
    rig.wait(2_500)
    assert "It is closed already: let go of it." == str(rig.course.view.hints[-1])
    rig.back("nose.1")
    rig.wait(500)
    rig.touch("nose.1")
    assert "ok" == outcome(rig)


def test_a_contact_that_does_not_come_back_is_stuck(rig: Rig) -> None:
    """Ten seconds are a long touch."""
    rig.away("nose.1")
    rig.wait(9_900)
    assert "nose.1" == rig.asked
    rig.wait(300)
    assert "stuck" == outcome(rig)
    (finding,) = rig.course.findings
    assert "nose 1: stuck." == str(finding.says)
    assert str(finding.remedy).startswith("It stays closed: ")


def test_lines_that_go_along_are_bridged_and_those_that_flicker_are_crosstalk() -> None:
    """Both are named."""
    rig = Rig(wiring={"nose.1": ("nose.1", "nose.3", "spare.17")})
    rig.wait(2_200)
    rig.touch("nose.1")
    reading = rig.course.readings["nose.1"]
    assert ("bridged", ("nose.3", "spare.17")) == (reading.outcome, reading.others)
    rig.away("nose.2")
    rig.away("nose.4", 40)
    rig.back("nose.4", 90)
    rig.wait(100)
    rig.back("nose.2")
    rig.wait(400)
    reading = rig.course.readings["nose.2"]
    assert ("crosstalk", ("nose.4",)) == (reading.outcome, reading.others)
    assert {"nose.2", "nose.4"} == {edge.line for edge in reading.trace}


def test_a_free_pin_that_flickers_is_nobody_s_concern(rig: Rig) -> None:
    """A loose wire of the ribbon hears its neighbour."""
    rig.away("nose.1")
    rig.away("spare.17", 20)
    rig.back("spare.17", 60)
    rig.wait(100)
    rig.back("nose.1")
    rig.wait(500)
    assert "ok" == outcome(rig)


@pytest.mark.parametrize(("lift_us", "expected"), [(3_000, "ok"), (24_000, "bouncing")])
def test_a_spoon_may_rattle_when_laid_back_but_not_when_taken(lift_us: int, expected: str) -> None:
    """It hops in its cradle; only the lift decides anything."""
    rig = Rig()
    rig.wait(2_200)
    for _ in range(4):
        rig.course.say("skip")
    assert "spoon.1" == rig.asked
    for number in range(9):
        rig.edge("spoon.1", number % 2, number * lift_us / 8)
    rig.wait(200)
    for at_ms, level in ((0, 1), (12, 0), (25, 1), (34, 0), (60, 1)):
        rig.edge("spoon.1", level, at_ms * 1_000)
    rig.wait(600)
    assert expected == outcome(rig, "spoon.1")


def test_somebody_who_plays_with_another_nose_is_no_crosstalk(rig: Rig) -> None:
    """Ten milliseconds apart."""
    rig.away("nose.4")
    rig.away("nose.1", 10_000)
    rig.wait(200)
    rig.back("nose.4")
    rig.back("nose.1", 12_000)
    rig.wait(600)
    assert "ok" == outcome(rig)


def test_a_voltage_that_crawls_is_told_and_does_not_fail(rig: Rig) -> None:
    """Eight changes in 70 µs on opening: no spring does that."""
    rig.away("nose.1")
    rig.wait(100)
    for number in range(9):
        rig.edge("nose.1", number % 2, number * 9)
    rig.wait(400)
    assert "slow" == outcome(rig)
    assert not rig.course.readings["nose.1"].failed


def test_a_line_that_moves_with_all_hands_off_is_named_and_disturbs_no_other() -> None:
    """Four changes in the two seconds of rest; the contacts beside it are still good."""
    rig = Rig()
    for number in range(6):
        rig.edge("nose.4", 1 - number % 2, number * 90_000)
    rig.wait(2_200)
    (finding,) = rig.course.findings
    assert str(finding.says).startswith("nose 4 changed 6 times while nobody touched it.")
    rig.edge("nose.4", 1)
    rig.edge("nose.1", 1, 50)
    rig.wait(100)
    rig.edge("nose.1", 0)
    rig.wait(500)
    assert "ok" == outcome(rig)


@given(st.lists(st.tuples(st.sampled_from(LINES), st.integers(0, 1), st.integers(0, 400)), max_size=40))
def test_whatever_comes_it_ends_within_its_patience(edges: list[tuple[str, int, int]]) -> None:
    """No edges, however wild, hold up a contact for longer than 10 s of holding and 30 s of waiting."""
    rig = Rig()
    rig.wait(2_200)
    for line, level, pause_ms in edges:
        rig.wait(pause_ms)
        rig.edge(line, level)
    before = rig.course.view.number
    rig.wait(41_000)
    assert rig.course.view.number > before or rig.asked is None


@given(st.permutations(range(12)), st.integers(1, 6))
def test_edges_may_arrive_in_any_order(order: list[int], gap_ms: int) -> None:
    """Sources hand over one line after the other; trains are made of stamps."""
    made = [Edge(number * gap_ms * MS, "x", "nose.1", number % 2, 0) for number in range(12)]
    shuffled = [made[number] for number in order]
    assert trains_of(made, "nose.1") == trains_of(shuffled, "nose.1")
    assert len(trains_of(made, "nose.1")) == (1 if gap_ms < 5 else 12)
