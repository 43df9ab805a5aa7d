"""Taps on simulated boxes: judged by when they were made, as sure as the page that made them."""

from __future__ import annotations

import queue
import time

from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Gap,
    Input,
    Judged,
    Levels,
    Press,
    RefereeEvent,
    Watermark,
    uncertainty_ns,
)
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.timing import Referee, Settings
from lastnose.hardware.box.boxes import SimulatedBoxes, TapTimes

US, MS = 1_000, 1_000_000
NOW = 1_000 * MS


def heard(taps: TapTimes, *items: Input) -> list[Input]:
    """Return what the table is told of *items*."""
    told: list[Input] = []
    emit = taps.listener(told.append)
    for item in items:
        emit(item)
    return told


def edge(line: str, t_ns: int, level: int = 1) -> Edge:
    """Return what a simulated box says: ± 0.1 µs of its own, ± 150 µs of its clock."""
    return Edge(t_ns, "box", line, level, 101, 150 * US)


def test_an_edge_gets_the_time_of_its_tap_and_its_error() -> None:
    """Made 60 ms before it arrived; the box's own error of 40 µs stays in it."""
    taps = TapTimes()
    taps.note("nose.1", 1, NOW, NOW - 60 * MS, StampWorth(700 * US))
    (told,) = heard(taps, edge("nose.1", NOW + 40 * US))
    assert Edge(NOW - 60 * MS + 40 * US, "box", "nose.1", 1, 700_101, 150_000) == told


def test_what_no_tap_has_done_stays_as_it_is() -> None:
    """A storm, a script without a clock; a tap of another line, level or time."""
    taps = TapTimes()
    taps.note("nose.1", 1, NOW, NOW - 60 * MS, StampWorth(0))
    others = [edge("nose.2", NOW), edge("nose.1", NOW, level=0), edge("nose.1", NOW - 5 * MS)]
    assert others == heard(taps, *others)
    late = edge("nose.1", NOW + 5 * MS)
    assert [late] == heard(taps, late), "the edge of that tap got lost"


def stamped(*made: tuple[str, int]) -> list[Edge]:
    """Return the edges of taps on (clock, seconds): each ± 8.5 ms, its device ± 25 ms; none: a script."""
    taps, told = TapTimes(), []
    for number, (clock, at_s) in enumerate(made):
        line, at_ns = f"nose.{number}", NOW + at_s * 1_000 * MS
        if clock:
            taps.note(line, 1, at_ns, at_ns, StampWorth(8_500 * US, 25 * MS), clock=clock)
        told += [one for one in heard(taps, Edge(at_ns, "box", line, 1, 0)) if isinstance(one, Edge)]
    return told


def apart_ns(one: Edge, other: Edge) -> int:
    """Return what the judge takes the order of two edges of one box to be sure to."""
    return uncertainty_ns(
        *(Press(1, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns) for edge in (one, other))
    )


def test_fingers_on_one_page_do_not_pay_for_its_clock() -> None:
    """± 17 ms on one screen, as without a box; not ± 67 ms, which are those of two phones."""
    one, two = stamped(("phone", 0), ("phone", 1))
    assert 17 * MS == apart_ns(one, two)
    assert 67 * MS == apart_ns(*stamped(("phone", 0), ("tablet", 1)))
    assert (
        33_500 * US == apart_ns(*stamped(("phone", 0), ("", 1))) == apart_ns(*stamped(("", 0), ("phone", 1)))
    )


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c", ""]), st.integers(0, 80)), min_size=2, max_size=9))
def test_whoever_else_moves_contacts_two_clocks_are_paid_for(made: list[tuple[str, int]]) -> None:
    """Any two taps within a minute: what their pages' clocks may be off by counts, unless it is one page."""
    made = sorted(made, key=lambda one: one[1])
    edges = stamped(*made)
    for n, (clock, at_s) in enumerate(made):
        for m, (other, then_s) in enumerate(made[:n]):
            if clock != other and at_s - then_s < 60:
                own_ns = sum(33_500 * US for one in (clock, other) if one)
                assert apart_ns(edges[n], edges[m]) >= own_ns


def test_promises_are_as_late_as_taps_may_be() -> None:
    """The slowest page decides; none goes back, and none is said twice."""
    taps = TapTimes()
    assert [Watermark(NOW, "box")] == heard(taps, Watermark(NOW, "box"))
    taps.attach("one", 100 * MS)
    taps.attach("two", 160 * MS)
    assert [] == heard(taps, Watermark(NOW + 160 * MS, "box"))
    assert [Watermark(NOW + 1, "box")] == heard(taps, Watermark(NOW + 160 * MS + 1, "box"))
    assert [Watermark(NOW, "box/2")] == heard(taps, Watermark(NOW + 160 * MS, "box/2"))
    taps.detach("two")
    assert [Watermark(NOW + 60 * MS + 2, "box")] == heard(taps, Watermark(NOW + 160 * MS + 2, "box"))


def test_a_gap_begins_where_taps_may_have_got_lost() -> None:
    """As early as the last promise that was made."""
    taps = TapTimes()
    taps.attach("one", 100 * MS)
    told = heard(taps, Watermark(NOW, "box"), Gap(NOW, NOW + 300 * MS, "box"), Gap(NOW, NOW + 1, "box/2"))
    assert [
        Watermark(NOW - 100 * MS, "box"),
        Gap(NOW - 100 * MS, NOW + 300 * MS, "box"),
        Gap(NOW, NOW + 1, "box/2"),
    ] == told


def test_promises_begin_with_the_levels() -> None:
    """Before those nobody knows how the lines are, so nothing is armed."""
    taps = TapTimes()
    taps.attach("one", 100 * MS)
    marks = [Watermark(NOW + ms * MS, "box") for ms in (0, 99, 100)]
    levels = Levels({"nose.1": 0}, NOW, "box")
    assert [levels, Watermark(NOW, "box")] == heard(taps, levels, *marks)


def test_nothing_is_told_from_before_the_levels_that_stand() -> None:
    """Such a tap counts as made then, and says how far that may be off."""
    taps = TapTimes()
    taps.note("nose.1", 1, NOW + 20 * MS, NOW - 30 * MS, StampWorth(0))
    _, told = heard(taps, Levels({"nose.1": 0}, NOW, "box"), edge("nose.1", NOW + 20 * MS))
    assert Edge(NOW, "box", "nose.1", 1, 101 + 30 * MS, 150 * US) == told


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["nose.1", "nose.2"]), st.integers(0, 99 * MS), st.integers(5 * MS, 99 * MS)
        ),
        max_size=12,
    ),
    st.integers(-150 * US, 150 * US),
)
def test_every_tap_is_found_again(made: list[tuple[str, int, int]], off_ns: int) -> None:
    """However they overtake each other on the way, as long as a line's own keep 5 ms apart."""
    taps = TapTimes()
    arrived_ns, level = NOW, {"nose.1": 0, "nose.2": 0}
    edges, expected = [], []
    for line, late_ns, pause_ns in made:
        arrived_ns += pause_ns
        level[line] ^= 1
        taps.note(line, level[line], arrived_ns, arrived_ns - late_ns, StampWorth(0))
        edges.append(edge(line, arrived_ns + off_ns, level[line]))
        expected.append((line, arrived_ns - late_ns + off_ns))
    assert expected == [(one.line, one.t_ns) for one in heard(taps, *edges) if isinstance(one, Edge)]


def test_two_pages_are_judged_by_when_they_were_tapped() -> None:
    """The first tap arrives last; through firmware, terminal and decoder the verdict knows who was last."""
    boxes = SimulatedBoxes(["sim", "sim"], [{"nose.1": 0, "nose.2": 1}, {"nose.3": 0}], sync_pin=28)
    inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
    boxes.attach("phone", 500 * MS)
    boxes.attach("tablet", 500 * MS)
    boxes.start(inputs.put, lambda _: None)
    sources = ["box/1", "box/2"]
    referee = Referee({f"nose.{n}": n for n in (1, 2, 3)}, Settings(), sources)
    referee.watch((1, 2, 3))
    happenings: list[RefereeEvent] = []
    try:
        while not any(isinstance(one, Armed) for one in happenings):
            happenings += referee.feed(inputs.get(timeout=120))
        now_ns = time.monotonic_ns()
        boxes.drive("nose.3", 1, now_ns - 40 * MS, StampWorth(500 * US, 1 * MS), clock="tablet")
        boxes.drive("nose.1", 1, now_ns - 260 * MS, StampWorth(500 * US, 1 * MS), clock="phone")
        boxes.drive("nose.2", 1, now_ns - 240 * MS, StampWorth(500 * US, 1 * MS), clock="phone")
        while not any(isinstance(one, Judged) for one in happenings):
            happenings += referee.feed(inputs.get(timeout=120))
    finally:
        boxes.close()
    (verdict,) = [one.verdict for one in happenings if isinstance(one, Judged)]
    assert ((3,), None) == (verdict.last, verdict.void)
    order = {press.seat: press.t_ns for press in verdict.presses}
    assert order[1] < order[2]
    assert 20 * MS - 1 * MS < order[2] - order[1] < 20 * MS + 1 * MS
    assert verdict.u_ns is not None
    assert 1_500 * US < verdict.u_ns < 200 * MS, "the error of the pages is in it"
