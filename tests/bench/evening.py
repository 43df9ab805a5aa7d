"""Plays rounds on a live table with simulated noses, and says when each press was shown."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

import msgspec
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import AnyCommand, Arm, Play, Start
from lastnose.companion.system import host_clock
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.snapshot import Snapshot

WORD = "LASTNOSELAST"
U_NS = 1_000
GAP_NS = 200_000
PATIENCE_S = 10.0
DECIDED = ("verdict", "dead-heat", "void")


class ShownPress(msgspec.Struct, frozen=True):
    """A press, and the first snapshot that shows what came of it: its version, and when it was published."""

    version: int
    pressed_ns: int
    published_ns: int


class EndlessEvening:
    """An endless evening: everybody is last in turn, and before anybody is out another game begins.

    `undecided` counts the rounds in which nobody was said to be last, which ought to be none.
    """

    def __init__(self, table: TableThread, seats: int) -> None:
        assert table.driver is not None
        self._table = table
        self._driver = table.driver
        self._lines = tuple(f"nose.{seat}" for seat in range(1, seats + 1))
        self._played = 0
        self.undecided = 0
        self._shown: queue.SimpleQueue[tuple[Snapshot, int]] = queue.SimpleQueue()
        table.subscribe(lambda snapshot: self._shown.put((snapshot, host_clock.now_ns())))

    def play(self, opener_leads_s: float = 0.0) -> tuple[ShownPress, ShownPress]:
        """Play a round; return how its first press and its last, which decides, were shown.

        All but the opener touch within a millisecond, *opener_leads_s* after the opener. Raises DeviceError
        when the table does not go on.
        """
        self._arm()
        turn = self._played % len(self._lines)
        opener, *others = self._lines[turn + 1 :] + self._lines[: turn + 1]
        self._played += 1
        opened_ns = self._touch([opener])
        first, opened_shown_ns = self._wait(lambda snapshot: snapshot.phase not in ("armed", "ready"))
        time.sleep(opener_leads_s)
        decided_ns = self._touch(others)
        last, decided_shown_ns = self._wait(lambda snapshot: snapshot.phase in DECIDED)
        self.undecided += last.phase != "verdict"
        self._let_go()
        return (
            ShownPress(first.version, opened_ns, opened_shown_ns),
            ShownPress(last.version, decided_ns, decided_shown_ns),
        )

    def _arm(self) -> None:
        """Arm a round; where the evening begins, or somebody would be out, start a game first."""
        if self._played % (len(self._lines) * (len(WORD) - 1)) == 0:
            players = tuple(line.replace("nose.", "Seat ") for line in self._lines)
            self._do(Start("pig", players, {"word": WORD}, rearm_s=None))
        self._do(Arm())
        self._wait(lambda snapshot: snapshot.phase == "armed")

    def _do(self, command: AnyCommand) -> None:
        self._table.submit(command, "bench").result(PATIENCE_S)

    def _touch(self, lines: list[str]) -> int:
        """Touch *lines* in order, the last one now; return when that was."""
        now_ns = host_clock.now_ns()
        for before, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
            self._driver.drive(line, 1, now_ns - before * GAP_NS, StampWorth(U_NS))
        return now_ns

    def _let_go(self) -> None:
        now_ns = host_clock.now_ns()
        for line in self._lines:
            self._driver.drive(line, 0, now_ns, StampWorth(U_NS))
        self._wait(lambda snapshot: not any(row.held for row in snapshot.rows))

    def _wait(
        self, wanted: Callable[[Snapshot], bool], known: Snapshot | None = None, known_ns: int = 0
    ) -> tuple[Snapshot, int]:
        """Return the next snapshot that is *wanted*, with when it was published: *known*, if that is it."""
        if known is not None and wanted(known):
            return known, known_ns
        while True:
            try:
                snapshot, at_ns = self._shown.get(timeout=PATIENCE_S)
            except queue.Empty:
                raise DeviceError(
                    text("The simulated table did not go on within {n} seconds.", n=int(PATIENCE_S))
                ) from None
            if wanted(snapshot):
                return snapshot, at_ns


class CallingEvening(EndlessEvening):
    """An endless game of Snap: everybody is first in turn, and the table rules that it was right."""

    def play(self, opener_leads_s: float = 0.0) -> tuple[ShownPress, ShownPress]:
        """Play a round; return how *Stop!* was shown after its first press, and then the name.

        The others touch *opener_leads_s* later, when it is decided.
        """
        self._arm()
        turn = self._played % len(self._lines)
        first, *others = self._lines[turn:] + self._lines[:turn]
        self._played += 1
        pressed_ns = self._touch([first])
        stop, stop_ns = self._wait(lambda snapshot: snapshot.phase not in ("armed", "ready"))
        name, name_ns = self._wait(lambda snapshot: snapshot.phase in DECIDED, stop, stop_ns)
        self.undecided += name.phase != "verdict"
        time.sleep(opener_leads_s)
        self._touch(others)
        self._let_go()
        if name.ruling is not None:
            self._do(Play({"type": "ruled", "value": "right"}))
        return (
            ShownPress(stop.version, pressed_ns, stop_ns),
            ShownPress(name.version, pressed_ns, name_ns),
        )

    def _arm(self) -> None:
        """Arm a round; in the beginning start the game."""
        if not self._played:
            players = tuple(line.replace("nose.", "Seat ") for line in self._lines)
            self._do(Start("snap", players, {}, rearm_s=None))
        self._do(Arm())
        self._wait(lambda snapshot: snapshot.phase == "armed")
