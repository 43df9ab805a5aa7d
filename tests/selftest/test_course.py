"""The whole self-test: whatever is wrong with the wiring is found, named, and nothing else is."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Edge, Gap, Watermark
from lastnose.companion.core.text import text
from lastnose.companion.selftest.measurements import OutputWrite
from lastnose.companion.selftest.plan import contacts_of, read_pair, read_wired, spare_pins
from lastnose.companion.selftest.report import as_html, as_json, proposed
from lastnose.companion.timing import FOREVER
from lastnose.companion.wiring.profile import load_profile

from tests.support.selftest_rig import LINES, MS, Rig, plan_of

NOSES = LINES[:4]
SPARES = ("spare.17", "spare.27")
FAULTS = ("dead", "spare", "swap", "bridge", "stuck")


@st.composite
def boxes(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, tuple[str, ...]], list[str]]:
    """Draw faults for some contacts: what each has, how touches go astray, and what is held."""
    order = draw(st.permutations(NOSES))
    spares = list(SPARES)
    faults: dict[str, str] = {}
    wiring: dict[str, tuple[str, ...]] = {}
    held: list[str] = []
    queue = list(order)
    while queue:
        line = queue.pop()
        fault = draw(st.sampled_from(("none", *FAULTS)))
        if fault == "dead":
            faults[line], wiring[line] = "silent", ()
        elif fault == "spare" and spares:
            faults[line], wiring[line] = "wrong-pin", (spares.pop(),)
        elif fault == "swap" and queue:
            other = queue.pop()
            faults[line] = faults[other] = "swapped"
            wiring[line], wiring[other] = (other,), (line,)
        elif fault == "bridge" and queue:
            other = queue.pop()
            faults[line] = faults[other] = "bridged"
            wiring[line] = wiring[other] = (line, other)
        elif fault == "stuck":
            faults[line] = "stuck"
            held.append(line)
            wiring[line] = ()
    return faults, wiring, held


@given(boxes())
def test_every_injected_fault_is_found_and_no_other(
    box: tuple[dict[str, str], dict[str, tuple[str, ...]], list[str]],
) -> None:
    """Dead, on a free pin, swapped, bridged, stuck: in any mixture."""
    faults, wiring, held = box
    rig = Rig(wiring=wiring, held=held)
    rig.go_through()
    named = {line: finding.kind for finding in rig.course.findings for line in finding.lines}
    assert faults == named
    assert rig.course.passed == (not faults)
    assert "done" == rig.course.view.step
    assert rig.course.view.passed == (not faults)


def test_three_wires_in_a_ring_are_each_told_where_they_belong() -> None:
    """No pair is swapped: nose 1 is heard on 2, 2 on 3, 3 on 1."""
    ring = {"nose.1": ("nose.2",), "nose.2": ("nose.3",), "nose.3": ("nose.1",)}
    rig = Rig(wiring=ring)
    rig.go_through()
    assert ["wrong-pin"] * 3 == [finding.kind for finding in rig.course.findings]
    first = rig.course.findings[0]
    assert "nose 1: heard elsewhere." == str(first.says)
    assert "It is heard at nose 2, GPIO6 (pin 31): move its brown wire to GPIO5 (pin 29)." == str(
        first.remedy
    )


def test_a_swap_names_both_wires() -> None:
    """So that one can stand at the board with the report."""
    rig = Rig(wiring={"nose.1": ("spoon.2",), "spoon.2": ("nose.1",)})
    rig.go_through()
    (finding,) = rig.course.findings
    assert (
        "nose 1 and spoon 2 are swapped: at the board, exchange the wires at GPIO5 (pin 29), brown, and "
        "GPIO24 (pin 18), orange/black." == str(finding.says)
    )


def test_steps_are_the_contacts_then_what_else_there_is() -> None:
    """Rest, seven contacts, three questions, the end; each question takes yes or no."""
    rig = Rig(plan_of(lamps=4, screen=True, buzzer=True))
    assert ("rest", 1, 12) == (rig.course.view.step, rig.course.view.number, rig.course.view.of)
    rig.go_through()
    for step in ("lamps", "screen", "sounds"):
        assert step == rig.course.view.step
        assert (step == "screen") == rig.course.view.picture
        rig.course.say("yes")
    assert ("done", True) == (rig.course.view.step, rig.course.view.passed)
    rig.course.say("leave")
    assert rig.course.left


def test_a_no_fails_and_can_be_taken_back() -> None:
    """One step back, and yes."""
    rig = Rig(plan_of(screen=True, lamps=4))
    rig.go_through()
    rig.course.say("no")
    assert ["lamps"] == [finding.kind for finding in rig.course.findings]
    rig.course.say("back")
    rig.course.say("yes")
    assert () == rig.course.findings
    rig.course.say("skip")
    assert not rig.course.view.passed
    assert ("screen",) == rig.course.left_out


def test_the_lamp_of_the_nose_that_is_asked_for_is_lit_and_then_each_in_turn() -> None:
    """Each for 700 ms, round and round."""
    rig = Rig(plan_of(lamps=4))
    rig.wait(2_200)
    assert ["on", "off", "off", "off"] == [lamp.light for lamp in rig.course.view.lamps]
    rig.go_through()
    walk = []
    for _ in range(5):
        walk.append([lamp.seat for lamp in rig.course.view.lamps if lamp.light == "on"])
        rig.wait(700)
    assert [[1], [2], [3], [4], [1]] == walk


def test_tunes_are_played_one_after_the_other_while_the_question_stands() -> None:
    """Every second and a half the next; each is heard once."""
    rig = Rig(plan_of(buzzer=True))
    rig.go_through()
    heard = []
    for _ in range(6):
        rig.wait(100)
        heard.append((rig.course.view.signals, rig.course.view.signalled))
        rig.wait(1_400)
    names = ["armed", "opened", "decided", "dead-heat", "letter", "armed"]
    assert [((name,), number) for number, name in enumerate(names, start=1)] == heard


def test_a_word_that_does_not_fit_is_refused() -> None:
    """Nothing has changed."""
    rig = Rig()
    before = rig.course.view
    with pytest.raises(BadInput, match="yes"):
        rig.course.say("yes")
    assert before == rig.course.view


def test_stopping_early_is_not_passing() -> None:
    """Though nothing failed so far."""
    rig = Rig()
    rig.wait(2_200)
    rig.touch("nose.1")
    rig.course.say("stop")
    assert ("done", False) == (rig.course.view.step, rig.course.view.passed)
    assert "Stopped before the end." == str(rig.course.view.prompt)


def test_going_back_asks_the_contact_before_again() -> None:
    """Its new result takes the place of the old one."""
    rig = Rig()
    rig.wait(2_200)
    rig.course.say("nothing")
    assert "silent" == rig.course.readings["nose.1"].outcome
    rig.course.say("back")
    rig.touch("nose.1")
    assert "ok" == rig.course.readings["nose.1"].outcome


def test_admitted_losses_are_told_and_watermarks_are_not() -> None:
    """A doubt, no failure; nobody waits for a clock that has gone for good."""
    rig = Rig()
    rig.course.feed(Watermark(FOREVER, "phone"))
    rig.course.feed(Gap(rig.now_ns - 5 * MS, rig.now_ns, "gpio"))
    rig.go_through()
    (finding,) = rig.course.findings
    assert ("lost", False) == (finding.kind, finding.failed)
    assert rig.course.passed


def test_edges_that_come_late_on_a_busy_machine_are_waited_for() -> None:
    """A bounce told in three parts, a second apart, is one; a source that is mute for 5 s holds up nobody."""
    rig = Rig()
    rig.wait(2_200)
    began_ns = rig.now_ns
    bounce = [
        Edge(began_ns + number * 2 * MS, "gpio", "nose.1", 1 - number % 2, 10_000) for number in range(13)
    ]
    edges = [*bounce, Edge(began_ns + 90 * MS, "gpio", "nose.1", 0, 10_000)]
    rig.course.feed(Watermark(began_ns, "gpio"))
    for part in (edges[:4], edges[4:8], edges[8:]):
        rig.wait(1_000)
        for edge in part:
            rig.course.feed(edge)
    rig.wait(1_000)
    assert "nose.1" == rig.asked
    rig.course.feed(Watermark(rig.now_ns, "gpio"))
    rig.wait(50)
    assert "bouncing" == rig.course.readings["nose.1"].outcome
    assert "nose.2" == rig.asked
    rig.touch("nose.2")
    assert "nose.2" == rig.asked
    rig.wait(5_000)
    assert "ok" == rig.course.readings["nose.2"].outcome


def test_tied_lines_are_compared_and_the_error_proposed() -> None:
    """Twenty presses, the second stamp 1 to 3 µs behind on closing, 0.6 µs before on opening."""
    rig = Rig(plan_of(tied=("nose.1", "nose.2")))
    rig.go_through()
    assert "tied" == rig.course.view.step
    for number in range(20):
        rig.edge("nose.1", 1)
        rig.edge("nose.2", 1, 1 + number % 3)
        rig.wait(100)
        rig.edge("nose.1", 0)
        rig.edge("nose.2", 0, -0.6)
        rig.wait(100)
    assert "40 of 40" == str(rig.course.view.hints[0])
    rig.wait(300)
    (timed,) = rig.course.timed
    assert timed.closing is not None
    assert timed.opening is not None
    assert (20, 2_000, 1_000, 3_000) == msgspec.structs.astuple(timed.closing)
    assert (20, -600, -600, -600) == msgspec.structs.astuple(timed.opening)
    assert (10_000, 10_000, False) == (timed.u_ns, proposed(rig.course), timed.slow), "40 support no less"
    assert rig.course.passed


def _wired(rig: Rig, opening_us: float, also: str = "", handed: tuple[int, int] = (0, 0)) -> None:
    """Let the output move its line until the course has enough; stamps come 30 to 33 µs after the write.

    A line that it moves *also* is stamped 4 µs later; events are *handed* over so late at rest and when busy.
    """
    number = 0
    for _ in range(6_000):
        rig.course.handed(number, max(handed[: 1 + rig.course.wants_load]))
        level = rig.course.wants_write
        if level is not None:
            number += 1
            rig.course.wrote(OutputWrite(level, rig.now_ns, rig.now_ns + 12_000))
            late_us = 30 + number // 2 % 4 if level else opening_us + number // 2 % 4
            at_ns = rig.now_ns + round(late_us * 1_000)
            rig.course.feed(Edge(at_ns, "gpio", "nose.1", level, 10_000))
            if also:
                rig.course.feed(Edge(at_ns + 4_000, "gpio", also, level, 10_000))
        rig.now_ns += 5 * MS
        rig.course.advance(rig.now_ns)
        if rig.course.view.step != "wired":
            return
    raise AssertionError("no end")


@pytest.mark.parametrize(("opening_us", "slow"), [(31.0, False), (3_400.0, True)])
def test_an_output_wired_to_an_input_tells_latency_jitter_and_a_capacitor(
    opening_us: float, slow: bool
) -> None:
    """600 writes at rest and 600 busy; what is common to all is no error; 100 nF delay opening by 3.4 ms."""
    rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=1_200))
    rig.go_through()
    _wired(rig, opening_us)
    assert [False, True] == [timed.loaded for timed in rig.course.timed]
    for timed in rig.course.timed:
        assert timed.closing is not None
        assert timed.opening is not None
        assert (300, 30_000, 33_000) == (timed.closing.pairs, timed.closing.least_ns, timed.closing.most_ns)
        assert round(opening_us * 1_000) == timed.opening.least_ns
        assert 3_000 == timed.u_ns
        assert slow == timed.slow
    assert slow == ("slow" in [finding.kind for finding in rig.course.findings])


def test_all_lines_on_one_output_tell_the_difference_between_pins() -> None:
    """Nose 2 is stamped 4 µs after nose 1, always: alone each is sure, together they are 4 µs wide."""
    rig = Rig(plan_of(wired=(17, ("nose.1", "nose.2")), changes=1_200))
    rig.go_through()
    _wired(rig, 30, also="nose.2")
    found = {(timed.how, timed.lines): timed for timed in rig.course.timed if timed.loaded}
    assert [3_000, 3_000, 7_000] == [
        found[key].u_ns
        for key in (
            ("wired", ("nose.1",)),
            ("wired", ("nose.2",)),
            ("pins", ("nose.1", "nose.2")),
        )
    ]
    assert 7_000 == proposed(rig.course)


def test_few_changes_never_propose_less_than_what_is_declared_unmeasured() -> None:
    """200 changes that are never 1 µs off speak for 98.5 % of all only; 300 for 99 %."""
    for changes, u_ns in ((400, 10_000), (600, 3_000)):
        rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=changes))
        rig.go_through()
        _wired(rig, 30)
        assert [u_ns, u_ns] == [timed.u_ns for timed in rig.course.timed]


def test_how_late_events_are_handed_over_is_measured_at_rest_and_under_load() -> None:
    """0.2 ms at rest; 0.9 ms under load, of 600 events; twice the latest is declared."""
    rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=1_200))
    rig.go_through()
    _wired(rig, 30, handed=(200_000, 900_000))
    # The event of the write at which the cores are kept busy counts among those under load.
    assert (599, 200_000, 601, 900_000) == msgspec.structs.astuple(rig.course.lag)
    assert 1_800_000 == rig.course.lag.late_ns
    few = Rig(plan_of(wired=(17, ("nose.1",)), changes=400))
    few.go_through()
    _wired(few, 30, handed=(200_000, 900_000))
    assert (201, None) == (few.course.lag.load, few.course.lag.late_ns)


def test_a_wired_output_that_goes_nowhere_is_told() -> None:
    """No figures out of nothing."""
    rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=100))
    rig.go_through()
    for number in range(100):
        rig.course.wrote(OutputWrite(1 - number % 2, rig.now_ns, rig.now_ns))
    rig.wait(3_000)
    assert ["few"] == [finding.kind for finding in rig.course.findings]
    assert proposed(rig.course) is None
    assert not rig.course.passed


def test_report_has_the_contacts_what_was_found_and_the_traces() -> None:
    """On paper and as data alike."""
    rig = Rig(wiring={"nose.1": ("spare.17",), "nose.2": ("nose.2", "nose.3")})
    rig.go_through()
    paper = as_html(rig.course, str, [(text("machine"), "a <Pi>")], "en")
    assert "<h1>Self-test of four</h1>" in paper
    assert "<dt>machine</dt><dd>a &lt;Pi&gt;</dd>" in paper
    assert "<b>Not all is well yet.</b>" in paper
    assert "<tr><td>nose 1</td><td>GPIO5 (pin 29)</td><td>brown</td><td>heard elsewhere</td>" in paper
    spoon = ["spoon 1", "GPIO23 (pin 16)", "brown/black", "good", "1", "1 / 1", "0 µs"]
    assert spoon in [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in paper.split("<tr>")]
    assert "<li><b>Nose 2: takes others along.</b> With nose 3: " in paper
    assert "     0.003 ms  nose.3 closes" in paper
    assert "Simulated" not in paper
    data = msgspec.json.decode(msgspec.json.encode(as_json(rig.course, str, source="gpiochip")))
    assert ("gpiochip", "four", False) == (data["source"], data["profile"], data["passed"])
    assert "spare.17" == data["contacts"][0]["heard"]
    assert [0, "nose.2", 1] == data["contacts"][1]["trace"][0]
    assert ["wrong-pin", "bridged"] == [one["kind"] for one in data["findings"]]


def test_report_says_how_sure_the_stamps_are_and_how_late_interrupts() -> None:
    """Its last lines are those of the profile, as one copies them there."""
    rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=1_200, measured_only=True))
    rig.wait(2_200)
    _wired(rig, 30, handed=(200_000, 900_000))
    paper = as_html(rig.course, str, [], "en")
    assert "<li>closes: 300 pairs, median 32 µs, from 30 µs to 33 µs</li>" in paper
    assert "<p>Moved by an output, the machine busy: nose.1</p>" in paper
    assert "200 µs after their stamps" in paper
    assert "900 µs while it was busy (601 events)" in paper
    assert "<pre>u_us = 3\nlate_us = 1800</pre>" in paper


def test_free_pins_leave_console_eeprom_and_buses_alone() -> None:
    """What is on the Pi's header and nowhere in the profile; a full Pico has none."""
    assert {4, 17, 20, 26} == set(spare_pins(load_profile("home6")).values())
    assert {} == spare_pins(load_profile("pico-party"))
    assert {} == spare_pins(load_profile("mock"))
    assert not {0, 1, 2, 3, 14, 15} & set(spare_pins(load_profile("mock:4")).values())


def test_lines_of_a_second_box_have_the_colours_of_its_own_numbers() -> None:
    """Nose 14 is brown, as nose 1 of the first."""
    profile = load_profile("pico-party")
    (contact,) = contacts_of(profile, {"nose.14": 0})
    assert contact.colour is not None
    assert ("nose 14", "GP0", "brown") == (str(contact.label), contact.pin, str(contact.colour.name))


@pytest.mark.parametrize("words", ["nose.1", "nose.1,nose.9", "nose.1,nose.1", ""])
def test_lines_to_tie_are_two_of_the_table(words: str) -> None:
    """Anything else is refused."""
    with pytest.raises(BadInput, match="--tied"):
        read_pair(words, LINES, what="--tied")
    assert ("nose.1", "spoon.2") == read_pair("nose.1, spoon.2", LINES, what="--tied")


@pytest.mark.parametrize("words", ["17", "x:nose.1", "17:nose.9", "5:nose.1"])
def test_an_output_is_a_free_pin_and_a_line(words: str) -> None:
    """Pin 5 is nose 1's own."""
    with pytest.raises(BadInput, match="--wired"):
        read_wired(words, LINES, [5])
    assert (17, ("nose.1",)) == read_wired("17:nose.1", LINES, [5])
    assert (17, ("nose.1", "nose.2")) == read_wired("17: nose.1, nose.2", LINES, [5])
    assert (17, tuple(LINES)) == read_wired("17:all", LINES, [5])
