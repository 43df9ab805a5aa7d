"""How many functions of the product a step goes through, in how many files: what its reader has to read.

Nothing here is time: the same code gives the same figures on any machine. Run as a program it prints them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import msgspec
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.evening.commands import Play, Start
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

PRODUCT = str(Path(__file__).resolve().parents[2] / "companion")
MS = 1_000_000
NOSES = tuple(f"nose.{seat}" for seat in range(1, 5))
FOUR = ("Ana", "Ben", "Cléo", "Dino")


class Trip(msgspec.Struct, frozen=True):
    """What was gone through: calls, different functions, their files, and steps from one file to another."""

    calls: int
    functions: int
    files: int
    changes: int
    most: tuple[tuple[str, int], ...] = ()


class _Trace:
    """Counts while it is the profiler: the product's own functions, and what they hand to each other."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self.changes = 0
        self._file = ""

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PRODUCT) and code.co_name[0] != "<":
            self.calls[code] += 1
            self.changes += code.co_filename != self._file
            self._file = code.co_filename

    def trip(self) -> Trip:
        """Return what was counted."""
        most = tuple(
            (f"{Path(code.co_filename).relative_to(PRODUCT)}:{code.co_qualname}", n)
            for code, n in self.calls.most_common(60)
        )
        files = {code.co_filename for code in self.calls}
        return Trip(self.calls.total(), len(self.calls), len(files), self.changes, most)


@contextmanager
def traced() -> Iterator[_Trace]:
    """Count what happens inside."""
    trace, before = _Trace(), sys.getprofile()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(before)


class _Table:
    """A table with four noses, moved by raw edges in a time of its own."""

    def __init__(self, game: str, options: dict[str, Any] | None = None) -> None:
        self.now_ns = 0
        self.table = Table(
            MemoryStore(), NOSES, simulated=True, clock_ns=lambda: self.now_ns, wall_s=lambda: 100.0
        )
        self.table.feed(Levels({}, 0, "gpio"))
        self.wait(1)
        self.table.execute(Start(game, FOUR, options or {}), "host")
        self.wait(10)

    def wait(self, ms: float) -> None:
        self.now_ns += round(ms * MS)
        self.table.feed(Watermark(self.now_ns, "gpio"))
        self.table.publish()

    def press(self, number: int, level: int = 1) -> None:
        self.table.feed(Edge(self.now_ns, "gpio", f"nose.{number}", level, 1_000))
        self.wait(30)

    def round(self, *numbers: int) -> None:
        for level, after_ms in ((1, 100), (0, 3_100)):
            for number in numbers:
                self.press(number, level)
            self.wait(after_ms)


def verdict() -> Trip:
    """Trace the verdict of a fourth round of Pig: fold, store, publish."""
    table = _Table("pig")
    for last in (4, 3, 2):
        table.round(*(seat for seat in range(1, 5) if seat != last), last)
    for seat in (1, 2):
        table.press(seat)
    table.table.feed(Edge(table.now_ns, "gpio", "nose.3", 1, 1_000))
    with traced() as trace:
        table.wait(30)
    assert table.table.snapshot.phase == "verdict", table.table.snapshot.phase
    return trace.trip()


def publish() -> Trip:
    """Trace one more snapshot of a moment that has not changed."""
    table = _Table("pig")
    table.round(1, 2, 3, 4)
    return _published(table)


def _published(table: _Table) -> Trip:
    table.table.publisher.change(dealt=False)
    table.table.publish()
    table.table.publisher.change(dealt=False)
    with traced() as trace:
        table.table.publish()
    return trace.trip()


def tile() -> Trip:
    """Trace what a hand of one tile brings to a Chickenfoot sheet with three hands written."""
    table = _Table("chickenfoot")
    hands = (("9-8", "8-7", "7-6"), ("6-5", "5-4", "4-3"), ("3-2", "2-1", "1-0"))
    for hand, held in enumerate(hands, start=1):
        _score(table, hand, 1, points=0)
        for seat, piece in enumerate(held, start=2):
            _score(table, hand, seat, pieces=[piece])
    _score(table, 4, 1, points=0)
    table.table.publish()
    with traced() as trace:
        _score(table, 4, 2, pieces=["5-3"])
        table.table.publish()
    return trace.trip()


def _score(table: _Table, hand: int, seat: int, **left: Any) -> None:
    table.table.execute(Play({"type": "score", "hand": hand, "seat": seat, **left}), "host")


TRIPS: dict[str, Callable[[], Trip]] = {"verdict": verdict, "publish": publish, "tile": tile}


def main() -> None:
    """Print every trip; of those that are named also what it called most."""
    for name, walk in TRIPS.items():
        trip = walk()
        counts = f"{trip.calls} calls, {trip.functions} functions, {trip.files} files, {trip.changes} changes"
        print(f"{name}: {counts}")
        if name in sys.argv[1:]:
            print("\n".join(f"  {n:5}  {what}" for what, n in trip.most))


if __name__ == "__main__":
    main()
