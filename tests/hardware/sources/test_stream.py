"""Raw edges in, inputs out: levels first, losses as gaps, promises that hold."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Gap, Levels, Watermark
from lastnose.hardware.sources.stream import SWALLOW_EVENTS, Backlog, Sequence, Stream

from tests.support.examples import examples

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
    assert 0 == sequence.error_ns(1, 1_000_000, "nose.1")
    assert 40_000 == sequence.error_ns(3, 1_040_000, "nose.2")
    assert sequence.quiet(2_000_000) is None


def test_any_line_may_be_the_victim_of_a_late_thread() -> None:
    """Seat 1 presses at 0 and bounces at 900 µs, its thread 0.9 ms late; seat 2 presses at 620 µs.

    Number 1 is missing. Nothing tells whose it was: both stamps may be as late, so neither was surely last.
    """
    sequence = Sequence(-100_000, 1024, late_ns=5_000_000)
    sequence.take(2, 620_000)
    sequence.take(3, 900_000)
    assert 720_000 == sequence.error_ns(2, 620_000, "nose.2")
    assert 1_000_000 == sequence.error_ns(3, 900_000, "nose.1")


def test_what_a_line_told_after_its_first_event_is_its_own() -> None:
    """Its thread has run, so what follows took no missing number's place; nor did what came before it."""
    sequence = Sequence(0, 1024, late_ns=5_000_000)
    for seqno, t_ns in ((1, 1_000_000), (3, 1_200_000), (4, 1_300_000), (5, 1_400_000)):
        sequence.take(seqno, t_ns)
    assert [0, 200_000, 0, 400_000] == [
        sequence.error_ns(seqno, t_ns, line)
        for seqno, t_ns, line in (
            (1, 1_000_000, "nose.2"),
            (3, 1_200_000, "nose.1"),
            (4, 1_300_000, "nose.1"),
            (5, 1_400_000, "nose.2"),
        )
    ]


def test_a_kernel_thread_is_later_than_measured_for_nobody() -> None:
    """The event before was long ago: the error is what the thread may have needed to wake up, as measured."""
    sequence = Sequence(0, 1024, late_ns=150_000)
    sequence.take(1, 1_000_000)
    sequence.take(3, 900_000_000)
    sequence.take(4, 900_140_000)
    sequence.take(5, 900_200_000)
    assert sequence.error_ns(3, 900_000_000, "nose.1") == 150_000
    assert sequence.error_ns(4, 900_140_000, "nose.2") == 150_000
    assert sequence.error_ns(5, 900_200_000, "nose.3") == 0


def test_a_hole_is_kept_until_no_late_thread_can_fill_it() -> None:
    """All up to 2 ms have arrived; a thread 5 ms late may still tell of what happened at 1 ms."""
    sequence = Sequence(0, 1024)
    sequence.take(1, 1_000_000)
    sequence.take(3, 1_040_000)
    assert sequence.quiet(2_000_000) is None
    sequence.take(4, 4_000_000)
    assert 3_000_000 == sequence.error_ns(4, 4_000_000, "nose.2")
    assert sequence.quiet(6_050_000) is None
    sequence.take(5, 6_060_000)
    assert 0 == sequence.error_ns(5, 6_060_000, "nose.3")


@settings(max_examples=examples(200))
@given(st.data())
def test_the_truth_lies_within_the_error_whoever_is_late(data: st.DataObject) -> None:
    """Four lines whose threads are up to 400 µs late: each first edge lies in its stamp's claim."""
    late_ns = 400_000
    times = sorted(data.draw(st.lists(st.integers(1, 3_000_000), min_size=1, max_size=25, unique=True)))
    queue: list[tuple[int, int, int, str, int]] = []  # run, number, stamp, line, its first edge
    waiting: dict[str, tuple[int, int, int, int]] = {}
    for number, t_ns in enumerate(times, 1):
        line = data.draw(st.sampled_from("abcd"))
        run_ns, first_ns, *_ = waiting.get(line, (0, 0, 0, 0))
        if run_ns > t_ns:
            waiting[line] = (run_ns, first_ns, number, t_ns)
        else:
            if run_ns:
                queue.append((run_ns, waiting[line][2], waiting[line][3], line, first_ns))
            waiting[line] = (t_ns + data.draw(st.integers(1, late_ns)), t_ns, number, t_ns)
    queue += [(run, number, stamp, line, first) for line, (run, first, number, stamp) in waiting.items()]
    sequence = Sequence(0, 1024, late_ns)
    queue.sort()
    while queue:
        size = data.draw(st.integers(1, len(queue)))
        batch, queue = queue[:size], queue[size:]
        for _, number, stamp_ns, _, _ in batch:
            sequence.take(number, stamp_ns)
        for _, number, stamp_ns, line, first_ns in sorted(batch, key=lambda told: told[2]):
            assert 0 <= stamp_ns - first_ns <= sequence.error_ns(number, stamp_ns, line)
        if queue:
            sequence.quiet(batch[-1][0] - late_ns)


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


@settings(max_examples=examples(200), deadline=None)
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
