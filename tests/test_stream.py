"""Raw edges in, inputs out: levels first, losses as gaps, promises that hold."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.model import Edge, Gap, Levels, Watermark
from hardware.stream import SWALLOW_EVENTS, SWALLOW_NS, Backlog, Sequence, Stream

MS = 1_000_000


def edge(t_ns: int, line: str = "nose.1", level: int = 1) -> Edge:
    """Return an edge of the source under test."""
    return Edge(t_ns, "gpio", line, level, 10)


def started(at_ns: int = 0) -> Stream:
    """Return a stream whose first levels stand, read at *at_ns*."""
    stream = Stream("gpio")
    stream.levels({"nose.1": 0}, at_ns, at_ns + 1)
    stream.quiet(at_ns + 1)
    return stream


def test_levels_come_before_any_edge() -> None:
    """An edge that came while the first levels were settling is told after them."""
    stream = Stream("gpio")
    stream.levels({"nose.1": 0}, 100, 110)
    assert [] == stream.edge(edge(150))
    assert [Levels({"nose.1": 0}, 100, "gpio"), edge(150), Watermark(120, "gpio")] == stream.quiet(120)


def test_levels_do_not_stand_before_everything_of_their_time_has_arrived() -> None:
    """The reading ended at 110; a quiet spell up to 109 does not prove that no edge fell into it."""
    stream = Stream("gpio")
    stream.levels({"nose.1": 0}, 100, 110)
    assert [] == stream.quiet(109)
    assert [Levels({"nose.1": 0}, 100, "gpio"), Watermark(110, "gpio")] == stream.quiet(110)


def test_levels_are_read_again_when_an_edge_fell_into_the_reading() -> None:
    """Nobody knows whether the reading saw that edge."""
    stream = Stream("gpio")
    stream.levels({"nose.1": 0}, 100, 110)
    stream.edge(edge(105))
    assert [] == stream.quiet(200)
    assert stream.wants_levels
    stream.levels({"nose.1": 1}, 210, 220)
    assert [Levels({"nose.1": 1}, 210, "gpio"), Watermark(230, "gpio")] == stream.quiet(230)


def test_nothing_is_promised_past_a_loss_until_the_lines_were_read_again() -> None:
    """After a gap the table learns first how the lines are."""
    stream = started()
    assert [Gap(300, 500, "gpio")] == stream.lost(300, 500)
    assert stream.wants_levels
    assert [Watermark(500, "gpio")] == stream.quiet(900)
    stream.levels({"nose.1": 1}, 910, 920)
    assert [Levels({"nose.1": 1}, 910, "gpio"), Watermark(950, "gpio")] == stream.quiet(950)


def test_an_edge_before_the_levels_are_handed_in_counts_as_in_their_reading() -> None:
    """Callbacks come on another thread: the edge may arrive between the reading and its telling."""
    stream = started()
    stream.lost(300, 500)
    stream.edge(edge(605))
    stream.levels({"nose.1": 1}, 600, 610)
    assert [Watermark(500, "gpio")] == stream.quiet(700)
    assert stream.wants_levels


def test_promises_never_go_back() -> None:
    """A lower horizon is no news."""
    stream = started(100)
    assert [Watermark(200, "gpio")] == stream.quiet(200)
    assert [] == stream.quiet(150)


def test_an_outage_voids_what_is_going_on_without_holding_it_up() -> None:
    """While the device is away, gap and promise follow each other."""
    stream = started()
    assert [Gap(1, 700, "gpio"), Watermark(700, "gpio")] == stream.outage(1, 700)
    assert stream.wants_levels


def test_a_missing_number_widens_the_error_of_what_took_its_place() -> None:
    """Number 2 was overtaken by 3 on its line, 40 µs after event 1: the stamp may be 40 µs late."""
    sequence = Sequence(0, 1024)
    sequence.take(1, 1_000_000)
    sequence.take(3, 1_040_000)
    assert 40_000 == sequence.error_ns(1_040_000)
    assert 0 == sequence.error_ns(1_000_000)
    assert sequence.quiet(2_000_000) is None


def test_a_kernel_thread_is_not_thought_to_have_slept_for_seconds() -> None:
    """The event before was long ago: the error is what the thread may have needed to wake up."""
    sequence = Sequence(0, 1024)
    sequence.take(1, 1_000_000)
    sequence.take(3, 900_000_000)
    assert sequence.error_ns(900_000_000) == SWALLOW_NS


def test_many_missing_numbers_are_a_loss() -> None:
    """From the last good event to the first one after."""
    sequence = Sequence(0, 1024)
    sequence.take(1, 1_000_000)
    sequence.take(SWALLOW_EVENTS + 3, 1_500_000)
    assert sequence.quiet(1_400_000) is None
    assert (1_000_000, 1_500_000) == sequence.quiet(1_500_000)
    assert sequence.quiet(9_000_000) is None


def test_one_missing_number_is_a_loss_when_the_buffer_was_full() -> None:
    """The kernel dropped its oldest event to make room."""
    sequence = Sequence(0, 4)
    for seqno, t_ns in ((2, 200), (3, 300), (4, 400), (5, 500)):
        sequence.take(seqno, t_ns)
    assert (0, 200) == sequence.quiet(100)


def test_exchanged_neighbours_are_no_loss() -> None:
    """Two lines' threads may queue their events the other way round."""
    sequence = Sequence(0, 1024)
    for seqno in (2, 1, 3):
        sequence.take(seqno, seqno * 100)
    assert sequence.pending_ns() is None
    assert sequence.quiet(10_000) is None


def test_numbers_go_on_after_the_largest() -> None:
    """The kernel counts in 32 bits."""
    sequence = Sequence(0, 1024)
    sequence.take(0xFFFF_FFFF, 100)
    sequence.quiet(200)
    sequence.take(0, 300)
    sequence.take(1, 400)
    assert sequence.pending_ns() is None


class KernelBuffer:
    """A line's buffer as the kernel keeps it, read now and then: the truth to test by."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.waiting: list[int] = []
        self.handed: list[tuple[int, int]] = []
        self.dropped: list[int] = []

    def happen(self, t_ns: int) -> None:
        """Queue an edge, dropping the oldest when there is no room."""
        if len(self.waiting) == self.depth:
            self.dropped.append(self.waiting.pop(0))
        self.waiting.append(t_ns)

    def read(self, now_ns: int) -> None:
        """Hand over what waits."""
        self.handed += [(t_ns, now_ns) for t_ns in self.waiting]
        self.waiting = []


@settings(max_examples=200, deadline=None)
@given(
    steps=st.lists(st.tuples(st.integers(1, 50), st.booleans()), min_size=1, max_size=120),
    depth=st.integers(2, 6),
)
def test_no_overrun_of_a_small_buffer_goes_unnoticed(steps: list[tuple[int, bool]], depth: int) -> None:
    """Whatever was dropped lies in one of the gaps; and without a full buffer there is none."""
    buffer, now_ns, fullest = KernelBuffer(depth), 0, 0
    for wait_ns, reads in steps:
        now_ns += wait_ns
        if reads:
            buffer.read(now_ns)
        else:
            buffer.happen(now_ns)
            fullest = max(fullest, len(buffer.waiting))
    buffer.read(now_ns + 1)
    backlog = Backlog(depth, 0)
    gaps = [gap for t_ns, at_ns in buffer.handed if (gap := backlog.take(t_ns, at_ns)) is not None]
    assert all(any(low <= t_ns <= high for low, high in gaps) for t_ns in buffer.dropped)
    if fullest < depth:
        assert [] == gaps
