"""Inputs come out in order of time, as far as every source has promised."""

from __future__ import annotations

import pytest
from lastnose.companion.core.model import Edge, Gap, Levels, Watermark
from lastnose.companion.timing.streams import FOREVER, Item, Sequencer


def edge(t_ns: int, line: str = "nose.1", source: str = "gpio") -> Edge:
    """Return a rising edge."""
    return Edge(t_ns, source, line, 1, 0)


def drain(sequencer: Sequencer) -> list[Item]:
    """Return everything that is released."""
    items = []
    while sequencer.peek_ns() is not None:
        items.append(sequencer.pop())
    return items


def test_nothing_comes_out_before_a_promise() -> None:
    """An edge waits: an earlier one may still come."""
    sequencer = Sequencer()
    sequencer.add(edge(5))
    assert [] == drain(sequencer)


def test_edges_come_out_in_order_of_time_whatever_their_arrival() -> None:
    """Arrival order means nothing between watermarks."""
    sequencer = Sequencer()
    for t_ns in (7, 3, 5):
        sequencer.add(edge(t_ns))
    sequencer.promise(Watermark(6, "gpio"))
    assert [edge(3), edge(5)] == drain(sequencer)


def test_an_edge_at_the_watermark_itself_still_waits() -> None:
    """The promise is “nothing earlier”: another edge of the same time may follow."""
    sequencer = Sequencer()
    sequencer.add(edge(6, "nose.2"))
    sequencer.promise(Watermark(6, "gpio"))
    assert [] == drain(sequencer)
    assert sequencer.add(edge(6, "nose.1")) is None
    sequencer.promise(Watermark(7, "gpio"))
    assert [edge(6, "nose.1"), edge(6, "nose.2")] == drain(sequencer)


def test_the_slowest_source_holds_everybody_back() -> None:
    """Stream time is the least watermark of all known sources."""
    sequencer = Sequencer(["gpio", "box"])
    sequencer.add(edge(1))
    assert not sequencer.promise(Watermark(10, "gpio"))
    assert [] == drain(sequencer)
    assert sequencer.promise(Watermark(2, "box"))
    assert [edge(1)] == drain(sequencer)


def test_a_source_that_leaves_holds_nobody_back() -> None:
    """Its last word is a watermark at the end of time."""
    sequencer = Sequencer(["gpio", "page"])
    sequencer.add(edge(1))
    sequencer.promise(Watermark(10, "gpio"))
    assert sequencer.promise(Watermark(FOREVER, "page"))
    assert [edge(1)] == drain(sequencer)
    assert sequencer.add(edge(10, source="page")) is None, "and it may come back"
    assert sequencer.add(edge(9, source="page")) is not None


def test_when_all_sources_have_left_everything_is_released() -> None:
    """Nobody can send anything any more."""
    sequencer = Sequencer(["gpio"])
    sequencer.add(edge(1))
    sequencer.promise(Watermark(FOREVER, "gpio"))
    assert [edge(1)] == drain(sequencer)


def test_a_watermark_that_goes_back_changes_nothing() -> None:
    """A promise stays given."""
    sequencer = Sequencer()
    sequencer.promise(Watermark(10, "gpio"))
    assert not sequencer.promise(Watermark(5, "gpio"))
    assert 10 == sequencer.low_ns


def test_an_edge_older_than_its_watermark_is_a_broken_promise() -> None:
    """It becomes a gap from the edge to the watermark, though other sources lag behind."""
    sequencer = Sequencer(["gpio", "box"])
    sequencer.promise(Watermark(10, "gpio"))
    broken = sequencer.add(edge(4))
    assert broken is not None
    assert (Gap(4, 10, "gpio", late_ns=4), "nose.1") == (broken.gap, broken.line)
    assert sequencer.add(edge(4, "nose.2", "box")) is None


def test_a_new_source_may_not_speak_of_the_past() -> None:
    """A source unknown until now is held to stream time."""
    sequencer = Sequencer(["gpio"])
    sequencer.promise(Watermark(10, "gpio"))
    broken = sequencer.add(edge(9, source="page"))
    assert broken is not None
    assert Gap(9, 10, "page", late_ns=10) == broken.gap
    assert sequencer.add(edge(10, source="page")) is None


def test_levels_from_the_past_take_their_place_at_stream_time() -> None:
    """News of levels is never refused."""
    sequencer = Sequencer(["gpio"])
    sequencer.promise(Watermark(10, "gpio"))
    sequencer.add_news(Levels({"nose.1": 1}, 3, "gpio"))
    sequencer.add(edge(10))
    sequencer.promise(Watermark(11, "gpio"))
    assert [Levels({"nose.1": 1}, 3, "gpio"), edge(10)] == drain(sequencer)


@pytest.mark.parametrize("turned", [False, True])
def test_equal_times_come_out_in_an_order_of_their_own(turned: bool) -> None:
    """Gaps, levels, edges by line; two edges of one line and source as they came."""
    up, down = edge(5), Edge(5, "gpio", "nose.1", 0, 0)
    others: list[Item] = [edge(5, "nose.2"), Levels({"nose.3": 0}, 5, "gpio"), Gap(5, 6, "gpio")]
    sequencer = Sequencer()
    for item in [*(reversed(others) if turned else others), up, down]:
        if isinstance(item, Edge):
            sequencer.add(item)
        else:
            sequencer.add_news(item)
    sequencer.promise(Watermark(6, "gpio"))
    assert [Gap(5, 6, "gpio"), Levels({"nose.3": 0}, 5, "gpio"), up, down, edge(5, "nose.2")] == drain(
        sequencer
    )


def test_finish_releases_everything_and_tells_the_latest_time() -> None:
    """At the end of a tape all watermarks have passed."""
    sequencer = Sequencer(["gpio", "box"])
    sequencer.add(edge(5))
    sequencer.promise(Watermark(3, "gpio"))
    assert 5 == sequencer.finish()
    assert [edge(5)] == drain(sequencer)
