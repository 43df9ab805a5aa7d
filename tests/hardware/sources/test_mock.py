"""Simulated noses: exact times, several clocks, and promises as a script or the real clock makes them."""

from __future__ import annotations

import queue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Edge, Input, Levels, Watermark
from lastnose.companion.core.ports import Driver, Source, StampWorth
from lastnose.hardware.sources.mock import Mock

from tests.support.examples import examples

MS = 1_000_000
NOSES = tuple(f"nose.{seat}" for seat in range(1, 27))


def scripted(lines: tuple[str, ...] = NOSES) -> tuple[Mock, list[Input]]:
    """Return started noses in script time, and what they tell after the levels."""
    told: list[Input] = []
    mock = Mock(lines, scripted=True)
    mock.start(told.append, lambda _: None)
    rest = {line: int(line.startswith("spoon.")) for line in lines}
    assert [Levels(rest, 0, "mock")] == told
    told.clear()
    return mock, told


def test_it_keeps_both_ports_and_says_that_it_is_simulated() -> None:
    """A source and a driver in one; never taken for real."""
    mock, _ = scripted()
    source: Source = mock
    driver: Driver = mock
    assert source.simulated
    assert NOSES == driver.lines()
    mock.close()
    mock.close()


@settings(max_examples=examples(50), deadline=None)
@given(t_ns=st.integers(0, 2**62), u_ns=st.integers(0, 10**9))
def test_every_time_is_exact(t_ns: int, u_ns: int) -> None:
    """To the nanosecond, however long the machine has been up."""
    mock, told = scripted(("nose.1",))
    mock.drive("nose.1", 1, t_ns, StampWorth(u_ns))
    assert [Edge(t_ns, "mock", "nose.1", 1, u_ns)] == told


def test_a_level_that_a_nose_has_is_no_edge() -> None:
    """Two pages may hold the same nose: that is what a pin does."""
    mock, told = scripted()
    mock.drive("nose.1", 1, 10, StampWorth(1))
    mock.drive("nose.1", 1, 20, StampWorth(1))
    mock.drive("nose.1", 0, 30, StampWorth(1))
    assert [(10, 1), (30, 0)] == [(item.t_ns, item.level) for item in told if isinstance(item, Edge)]


def test_an_edge_may_come_earlier_than_the_one_before() -> None:
    """Order is the judge's business."""
    mock, told = scripted()
    mock.drive("nose.1", 1, 100, StampWorth(1))
    mock.drive("nose.2", 1, 50, StampWorth(1))
    mock.drive("nose.1", 0, 20, StampWorth(1))
    assert [100, 50, 20] == [item.t_ns for item in told if isinstance(item, Edge)]


def test_more_lines_than_a_board_has_are_on_a_second_one() -> None:
    """26 noses and a rack of 25 spoons."""
    lines = (*NOSES, *(f"spoon.{n}" for n in range(1, 26)), "host")
    mock, told = scripted(lines)
    for at, line in enumerate(lines):
        mock.drive(line, 1 - line.startswith("spoon."), at, StampWorth(0))
    assert list(lines) == [item.line for item in told if isinstance(item, Edge)]


def test_a_page_stamps_with_its_own_clock() -> None:
    """Source and error of the clock travel with the edge; a promise is made for every clock."""
    mock, told = scripted()
    mock.attach("page.ab12", 100 * MS)
    mock.drive("nose.3", 1, 5, StampWorth(7, 9), clock="page.ab12")
    mock.promise(50)
    assert [
        Edge(5, "page.ab12", "nose.3", 1, 7, 9),
        Watermark(50, "mock"),
        Watermark(50, "page.ab12"),
    ] == told


def test_whom_to_expect_is_told_of_lines_whose_level_is_known_by_then() -> None:
    """Nose 2 changes after the 50 up to which both clocks have promised."""
    mock, told = scripted(("nose.1", "nose.2", "nose.3"))
    mock.attach("page.a", 100 * MS)
    mock.expect(("nose.1",), "page.a", StampWorth(7, 9))
    assert [] == told, "nobody has promised anything yet"
    mock.drive("nose.1", 1, 50, StampWorth(7))
    mock.drive("nose.2", 1, 51, StampWorth(7))
    mock.promise(50)
    told.clear()
    mock.expect(("nose.1", "nose.2"), "page.a", StampWorth(7, 9))
    mock.expect(("nose.3",), None, StampWorth(8, 10))
    assert [
        Levels({"nose.1": 1}, 50, "page.a", 7, 9, expected=True),
        Levels({"nose.3": 0}, 51, "mock", 8, 10, expected=True),
    ] == told, "the second word is the newer one"


def test_whom_to_expect_is_told_where_the_stream_is_also_when_a_clock_comes_that_begins_before() -> None:
    """The stream is at 1,895 ms, the page's clock begins at 1,650: what is told keeps its place on a tape."""
    now_ns = 900 * MS
    told: list[Input] = []
    mock = Mock(("nose.1", "nose.2"), clock=lambda: now_ns)
    mock.start(told.append, lambda _: None)
    now_ns = 1_900 * MS
    mock.attach("mock", 5 * MS)  # by its own thread it would promise a little later
    mock.attach("page.a", None)  # from 1,650 ms on
    assert ("nose.1", "nose.2") == mock.expect(("nose.1", "nose.2"), None, StampWorth(7, 9))
    assert [(1_895 * MS, True)] == [(one.t_ns, one.expected) for one in told[1:] if isinstance(one, Levels)]
    mock.close()


def test_strangers_are_refused_by_name() -> None:
    """A line, a clock or a level that there is not."""
    mock, told = scripted(("nose.1",))
    with pytest.raises(BadInput, match=r"nose\.9"):
        mock.drive("nose.9", 1, 0, StampWorth(0))
    with pytest.raises(BadInput, match=r"page\.x"):
        mock.drive("nose.1", 1, 0, StampWorth(0), clock="page.x")
    with pytest.raises(BadInput, match="not 2"):
        mock.drive("nose.1", 2, 0, StampWorth(0))
    mock.close()
    with pytest.raises(BadInput, match="not running"):
        mock.drive("nose.1", 1, 0, StampWorth(0))
    assert [] == told


def test_a_page_that_leaves_holds_nothing_up() -> None:
    """Its last promise is for ever."""
    mock, told = scripted()
    mock.attach("page.a", MS)
    mock.detach("page.a")
    assert "page.a" == told[-1].source
    with pytest.raises(BadInput):
        mock.drive("nose.1", 1, 0, StampWorth(0), clock="page.a")


def live(now_ns: list[int]) -> tuple[Mock, queue.SimpleQueue[Input]]:
    """Return started noses that follow the clock *now_ns*."""
    told: queue.SimpleQueue[Input] = queue.SimpleQueue()
    mock = Mock(("nose.1",), delay_ns=5 * MS, clock=lambda: now_ns[0])
    mock.start(told.put, lambda _: None)
    assert Levels({"nose.1": 0}, now_ns[0], "mock") == told.get(timeout=120)
    return mock, told


def test_live_promises_follow_the_clock_of_each_source() -> None:
    """Now less the delay: 5 ms for scripts here, 80 ms for that page."""
    now_ns = [1_000 * MS]
    mock, told = live(now_ns)
    assert Watermark(995 * MS, "mock") == told.get(timeout=120)
    mock.attach("page.a", 80 * MS)
    assert Watermark(920 * MS, "page.a") == told.get(timeout=120)
    now_ns[0] = 2_000 * MS
    assert {Watermark(1_995 * MS, "mock"), Watermark(1_920 * MS, "page.a")} == {
        told.get(timeout=120),
        told.get(timeout=120),
    }
    mock.close()


def test_live_noses_have_no_script_time() -> None:
    """A promise by hand would break the clock's."""
    mock, _ = live([0])
    with pytest.raises(BadInput, match="real clock"):
        mock.promise(5)
    mock.close()
