"""Takes up an evening in a process of its own, as `tests.bench.long` starts it, and plays on.

usage: python -m tests.bench.long_process FOLDER. It prints what that cost as JSON.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.evening.commands import Amend, Start
from lastnose.companion.evening.events import AnyEvent, RoundArmed, RoundJudged
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.timing import Settings

from tests.bench.processes import memory_mb

PLAYERS = ("North", "East", "South", "West")
LINES = tuple(f"nose.{seat}" for seat in range(1, 5))
MS, BOUNCES, PLAYED = 1_000_000, 3, 21
DIFFERENT = 100  # rounds that are played for an evening on the disk; all others are those again


class Taken(msgspec.Struct):
    """What it cost: processor time until the table was there, for half of the rounds, for a correction of the
    first round with all others behind it; resident memory.
    """

    restart_s: float
    round_ms: float
    corrected_s: float
    memory_mb: float


class RoundPlayer:
    """Plays rounds of a game that never ends on *table*, in a time of its own: everybody is last in turn."""

    def __init__(self, store: Store | MemoryStore) -> None:
        self.now_ns = 0
        self._random = random.Random(1)
        self.table = Table(store, LINES, settings=Settings(rearm_ns=500 * MS), clock_ns=lambda: self.now_ns)
        self.table.feed(Levels(dict.fromkeys(LINES, 0), 0, "gpio", 1_000))
        self._wait(1_000)

    def start(self) -> None:
        """Begin the game."""
        self.table.execute(Start("vatra", PLAYERS), "host")
        self._wait(1_000)

    def play(self, number: int) -> None:
        """Play a round: all touch, contacts bounce, all let go, and the table arms itself."""
        for level in (1, 0):
            for seat in range(number, number + 4):
                for _ in range(BOUNCES):
                    self._edge(seat % 4, level)
                    self._edge(seat % 4, 1 - level)
                self._edge(seat % 4, level)
                self._wait(30)
            self._wait(100)
        self._wait(1_000)
        self.table.publish()

    def correct(self) -> None:
        """Say of the first round that somebody else was last, and let all screens show what came of it."""
        first = self.table.record.evening.matches[0].entries[1]
        (was,) = first.verdict.last  # type: ignore[union-attr]
        self.table.execute(Amend(first.seq, {"type": "last", "seats": [was % 4 + 1]}), "host")
        self.table.publish()

    def _edge(self, nose: int, level: int) -> None:
        self.now_ns += MS // 10 + self._random.randrange(MS // 20)
        self.table.feed(Edge(self.now_ns, "gpio", LINES[nose], level, 1_000))

    def _wait(self, ms: int) -> None:
        self.now_ns += ms * MS
        self.table.feed(Watermark(self.now_ns, "gpio"))


def rounds(length: int) -> Iterator[AnyEvent]:
    """Yield the events of an evening of so many rounds: some that were played, again and again."""
    store = MemoryStore()
    player = RoundPlayer(store)
    player.start()
    for number in range(min(length, DIFFERENT)):
        player.play(number)
    begun, *played = (event for _, event in store.events())
    rounds_of = [event for event in played if isinstance(event, RoundArmed | RoundJudged)]
    rounds_of = rounds_of[: 2 * min(length, DIFFERENT)]
    yield begun
    for number in range(2 * length):
        yield rounds_of[number % len(rounds_of)]


def main(folder: Path) -> None:
    """Take up the evening of *folder*, play some rounds, and print what it cost."""
    start_s = time.process_time()
    store = Store(folder)
    player = RoundPlayer(store)
    restart_s = time.process_time() - start_s
    costs_s = []
    for number in range(PLAYED):
        before_s = time.process_time()
        player.play(number)
        costs_s.append(time.process_time() - before_s)
    before_s = time.process_time()
    player.correct()
    corrected_s = time.process_time() - before_s
    gc.collect()
    taken = Taken(restart_s, 1_000 * median(costs_s), corrected_s, memory_mb(os.getpid()))
    store.close()
    sys.stdout.buffer.write(msgspec.json.encode(taken))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
