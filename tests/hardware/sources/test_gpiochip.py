"""The kernel source against a reader that is told what to see; the real kernel is in tests/kernel."""

from __future__ import annotations

import errno
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.ports import Source
from lastnose.companion.core.text import Text
from lastnose.hardware.sources import gpiochip
from lastnose.hardware.sources.gpiochip import (
    GRACE_NS,
    ChipSession,
    GpioChip,
    KernelEvent,
    Worth,
    find_header_chip,
)

from tests.support.packages import need

MS = 1_000_000
LINES = {"nose.1": 5, "nose.2": 6}


class FakeReader:
    """A request in which time passes only in `wait`; keeps the `Reader` port."""

    def __init__(
        self, script: list[list[KernelEvent] | OSError] | None = None, buffer_size: int = 1024
    ) -> None:
        self.buffer_size = buffer_size
        self.time_ns = [0]
        self.script = script or []
        self.level = {5: 0, 6: 0}
        self.closed = False
        self.waits: list[float] = []
        self.during_levels: Callable[[], None] = lambda: None

    def clock(self) -> int:
        """Return the time; it goes on a little each time one looks."""
        self.time_ns[0] += 1
        return self.time_ns[0]

    @property
    def now_ns(self) -> int:
        """Return the time without letting it go on."""
        return self.time_ns[0]

    def wait(self, timeout_s: float) -> bool:
        """Let the time pass, unless events wait."""
        self.waits.append(timeout_s)
        if self.script:
            return True
        self.time_ns[0] += round(timeout_s * 1e9)
        return False

    def read(self) -> list[KernelEvent]:
        """Return the next batch."""
        batch = self.script.pop(0)
        if isinstance(batch, OSError):
            raise batch
        return batch

    def levels(self) -> dict[int, int]:
        """Return the levels."""
        self.during_levels()
        return dict(self.level)

    def close(self) -> None:
        """Note it."""
        self.closed = True


def session(reader: FakeReader) -> ChipSession:
    """Return a session on *reader* whose first levels stand."""
    made = ChipSession(
        reader, {offset: line for line, offset in LINES.items()}, "gpio", Worth(10_000), reader.clock
    )
    while made.stream.promised_ns is None:
        made.step()
    return made


def steps(made: ChipSession, count: int) -> list[Input]:
    """Return what *count* steps tell."""
    return [item for _ in range(count) for item in made.step()]


def test_the_first_thing_told_is_the_levels() -> None:
    """They stand 5 ms after they were read, and are looked for every 2 ms; from then on 50 are enough."""
    reader = FakeReader()
    reader.level[6] = 1
    made = ChipSession(reader, {5: "nose.1", 6: "nose.2"}, "gpio", Worth(10_000), reader.clock)
    told = steps(made, 5)
    assert isinstance(told[0], Levels)
    assert {"nose.1": 0, "nose.2": 1} == told[0].levels
    assert told[0].t_ns < GRACE_NS
    assert isinstance(told[1], Watermark)
    assert [*[0.002] * 4, 0.05] == reader.waits


def test_an_edge_keeps_the_stamp_of_the_kernel() -> None:
    """Line, level, stamp and declared error arrive as they are; a batch in order of its stamps."""
    reader = FakeReader()
    made = session(reader)
    t_ns = reader.now_ns
    reader.script = [[KernelEvent(t_ns + 20, 6, 1, 2), KernelEvent(t_ns + 10, 5, 1, 1)]]
    assert [
        Edge(t_ns + 10, "gpio", "nose.1", 1, 10_000),
        Edge(t_ns + 20, "gpio", "nose.2", 1, 10_000),
    ] == made.step()


def test_a_promise_rests_on_the_clock_before_the_empty_poll() -> None:
    """50 ms of waiting in vain promise nothing of these 50 ms, and the grace is left out too."""
    reader = FakeReader()
    made = session(reader)
    steps(made, 3)
    before_ns = reader.now_ns + 1
    told = made.step()
    assert reader.now_ns >= before_ns + 50 * MS
    assert [Watermark(before_ns - GRACE_NS, "gpio")] == told


def test_it_looks_again_at_once_after_an_edge_and_often_until_the_verdict() -> None:
    """No wait, then 2 ms at a time until the promises are 40 ms past the edge, then 50 ms."""
    reader = FakeReader()
    made = session(reader)
    reader.script = [[KernelEvent(reader.now_ns, 5, 1, 1)]]
    reader.waits = []
    steps(made, 40)
    assert 0.0 == reader.waits[1]
    assert {0.002} == set(reader.waits[2:20])
    assert 0.05 == reader.waits[-1]


def test_a_dropped_event_becomes_a_gap_and_the_levels_are_read() -> None:
    """Ten numbers are missing: from the last good event to the first after, then how the lines are now."""
    reader = FakeReader()
    made = session(reader)
    t_ns = reader.now_ns
    reader.script = [[KernelEvent(t_ns + 100, 5, 1, 1), KernelEvent(t_ns + 900, 5, 0, 12)]]
    reader.level[6] = 1
    told = steps(made, 30)
    gaps = [item for item in told if isinstance(item, Gap)]
    assert [Gap(t_ns + 100, t_ns + 900, "gpio")] == gaps
    after = told[told.index(gaps[0]) + 1 :]
    levels = [item for item in after if isinstance(item, Levels)]
    assert [{"nose.1": 0, "nose.2": 1}] == [item.levels for item in levels]
    promised_before = [item.t_ns for item in told[: told.index(levels[0])] if isinstance(item, Watermark)]
    assert max(promised_before) <= t_ns + 900


def test_a_bounce_that_the_kernel_swallowed_widens_the_error_only() -> None:
    """Number 1 is missing 30 µs before number 2: no gap, but 30 µs more uncertainty."""
    reader = FakeReader()
    made = session(reader)
    steps(made, 3)
    t_ns = reader.now_ns
    reader.script = [[KernelEvent(t_ns, 6, 1, 1)], [KernelEvent(t_ns + 30_000, 5, 1, 3)]]
    told = steps(made, 30)
    assert [10_000, 40_000] == [item.u_ns for item in told if isinstance(item, Edge)]
    assert [] == [item for item in told if isinstance(item, Gap)]
    assert max(item.t_ns for item in told if isinstance(item, Watermark)) > t_ns + 30_000


def test_levels_are_read_again_when_an_edge_came_meanwhile() -> None:
    """The first reading is doubtful, the second is not."""
    reader = FakeReader()
    made = ChipSession(reader, {5: "nose.1", 6: "nose.2"}, "gpio", Worth(10_000), reader.clock)

    def touch() -> None:
        reader.script = [[KernelEvent(reader.clock(), 5, 1, 1)]]
        reader.level[5] = 1
        reader.during_levels = lambda: None

    reader.during_levels = touch
    told = steps(made, 20)
    assert [{"nose.1": 1, "nose.2": 0}] == [item.levels for item in told if isinstance(item, Levels)]
    assert [] == [item for item in told if isinstance(item, Edge)]


def collect(source: Source) -> tuple[queue.SimpleQueue[Input], queue.SimpleQueue[Text | None]]:
    """Start *source*; return what it tells and reports."""
    inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
    reports: queue.SimpleQueue[Text | None] = queue.SimpleQueue()
    source.start(inputs.put, reports.put)
    return inputs, reports


def gaps_of_outage(source: Source, fail: Callable[[], object], says: str) -> list[Gap]:
    """Let a device *fail* that works; wait for a sentence, None and fresh levels; return the gaps before."""
    inputs, reports = collect(source)
    while not isinstance(inputs.get(timeout=120), Watermark):
        pass
    fail()
    assert says in str(reports.get(timeout=120))
    assert reports.get(timeout=120) is None
    told: list[Input] = []
    while not told or not isinstance(told[-1], Levels):
        told.append(inputs.get(timeout=120))
    source.close()
    return [item for item in told if isinstance(item, Gap)]


def test_a_device_that_goes_away_is_reported_and_taken_again_behind_a_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Opening it takes 40 ms: a touch in these would be told by nobody, so they are in the gap."""
    monkeypatch.setattr("lastnose.hardware.sources.gpiochip.RETRY_S", 0.01)
    first, second = FakeReader(), FakeReader()
    second.time_ns = first.time_ns
    opened_ns: list[int] = []

    def slowly() -> FakeReader:
        first.time_ns[0] += 40 * MS if first.closed else 0
        opened_ns.append(first.now_ns)
        return second if first.closed else first

    source = GpioChip(LINES, open_reader=slowly, clock=first.clock)
    gone = OSError(errno.ENODEV, "No such device")
    (gap,) = gaps_of_outage(source, lambda: first.script.append(gone), "No such device")
    assert opened_ns[-1] <= gap.to_ns
    assert (True, True) == (first.closed, second.closed)


def test_close_releases_the_lines_and_may_be_repeated() -> None:
    """Also when nothing ever happened."""
    reader = FakeReader()
    source = GpioChip(LINES, open_reader=lambda: reader, clock=reader.clock)
    collect(source)
    source.close()
    source.close()
    assert reader.closed
    GpioChip(LINES, open_reader=lambda: reader).close()


def test_without_a_chip_the_sentence_says_what_to_do(tmp_path: Path) -> None:
    """No device at all: the way to play without noses is named."""
    need("gpiod")
    with pytest.raises(DeviceError, match="--source mock"):
        find_header_chip(tmp_path)


def test_a_chip_that_is_not_there_is_named() -> None:
    """The path of the profile is in the sentence."""
    need("gpiod")
    with pytest.raises(DeviceError, match="/dev/gpiochip99"):
        GpioChip(LINES, "/dev/gpiochip99").start(lambda _: None, lambda _: None)


def test_a_chip_that_may_not_be_opened_does_not_hide_the_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one is looked at; when none is the header, the first refusal is told, with what helps."""
    need("gpiod")
    import gpiod

    chips = {"gpiochip0": None, "gpiochip1": "pinctrl-bcm2711"}
    for name in chips:
        (tmp_path / name).touch()

    @contextmanager
    def opened(path: str) -> Iterator[Any]:
        label = chips[Path(path).name]
        if label is None:
            raise PermissionError(13, "Permission denied", path)
        yield SimpleNamespace(get_info=lambda: SimpleNamespace(label=label))

    monkeypatch.setattr(gpiod, "Chip", opened)
    assert str(tmp_path / "gpiochip1") == find_header_chip(tmp_path)
    (tmp_path / "gpiochip1").unlink()
    for roots, says in ((True, "gives it to the group gpio"), (False, "Join the group gpio")):
        monkeypatch.setattr(gpiochip, "_is_roots", lambda _, roots=roots: roots)
        with pytest.raises(DeviceError, match=says):
            find_header_chip(tmp_path)


def test_a_file_that_is_no_chip_is_named(tmp_path: Path) -> None:
    """Whatever the kernel's complaint is, the sentence has the path."""
    need("gpiod")
    fake = tmp_path / "gpiochip0"
    fake.touch()
    with pytest.raises(DeviceError, match="gpiochip0"):
        find_header_chip(tmp_path)
