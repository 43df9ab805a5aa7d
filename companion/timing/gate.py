"""Says when the next round can be armed, and who holds it up."""

from __future__ import annotations

from collections.abc import Mapping

from companion.model import Armed, Blocked
from companion.timing.requests import ArmRequest


class Gate:
    """Knows which lines are down, and arms by itself or when told. Times are stream time.

    By itself: from `ready_ns` on, when all watched noses have been free for `rearm_ns`. When told: the
    instant all are free.
    """

    def __init__(self, rearm_ns: int | None) -> None:
        self.seats: tuple[int, ...] = ()
        self.hold = False
        self.ready_ns: int | None = None
        self.until_ns: int | None = None  # no arming by itself after this: the tape has ended
        self.request: ArmRequest | None = None
        self.down: set[str] = set()
        self._noisy: set[str] = set()
        self._freed_ns: dict[str, int] = {}
        self._lines: dict[int, str] = {}
        self._rearm_ns = rearm_ns
        self._told: tuple[int, ...] = ()

    def bind(self, lines: Mapping[str, int]) -> None:
        """Take another map of lines to seats; what is down stays down."""
        self._lines = {seat: line for line, seat in lines.items()}

    def set_rearm(self, rearm_ns: int | None) -> None:
        """Set how long noses must be free before it arms by itself; None: only when told."""
        self._rearm_ns = rearm_ns

    def decided(self, at_ns: int) -> None:
        """Note that a round was decided."""
        self.ready_ns = at_ns + (self._rearm_ns or 0)
        self._told = ()

    def press(self, line: str) -> None:
        """Note that a line is down."""
        self.down.add(line)

    def free(self, line: str, t_ns: int) -> None:
        """Note that a line is at rest since *t_ns*."""
        self.down.discard(line)
        self._noisy.discard(line)
        self._freed_ns[line] = t_ns
        if not self._blocking(self._wanted()):
            self._told = ()

    def noise(self, line: str) -> None:
        """Note that nobody knows whether a line is down, until it is quiet."""
        self._noisy.add(line)

    def quiet(self, line: str, level: int, t_ns: int) -> None:
        """Note a line's level as it was taken over."""
        self._noisy.discard(line)
        if level:
            self.press(line)
        else:
            self.free(line, t_ns)

    def due_ns(self, seen_ns: int) -> int | None:
        """Return when there is next something to say, not before *seen_ns*; None: nothing as things stand."""
        seats = self._wanted()
        blocking = self._blocking(seats)
        if self.request is not None:
            at_ns = self.request.t_ns
        elif not seats or self._rearm_ns is None or self.ready_ns is None:
            return None
        elif blocking:
            at_ns = self.ready_ns
        else:
            freed_ns = [self._freed_ns[line] for line in self._lines_of(seats) if line in self._freed_ns]
            at_ns = max([self.ready_ns, *(t_ns + self._rearm_ns for t_ns in freed_ns)])
        at_ns = max(at_ns, seen_ns)
        if blocking and blocking == self._told:
            return None
        if self.request is None and self.until_ns is not None and at_ns > self.until_ns:
            return None
        return at_ns

    def open(self, at_ns: int) -> Armed | Blocked | None:
        """Arm, or say who holds it up; None when a request has nothing to watch."""
        seats = self._wanted()
        blocking = self._blocking(seats)
        if blocking:
            self._told = blocking
            return Blocked(at_ns, blocking)
        self._told, self.request = (), None
        return Armed(at_ns, seats) if seats else None

    def _wanted(self) -> tuple[int, ...]:
        if self.request is not None and self.request.seats is not None:
            return self.request.seats
        return self.seats

    def _lines_of(self, seats: tuple[int, ...]) -> list[str]:
        return [self._lines[seat] for seat in seats]

    def _blocking(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            seat
            for seat in seats
            if self._lines.get(seat) in self.down or self._lines.get(seat) in self._noisy
        )


class HostButton:
    """Tells a short press from a long one. A button that was down before anyone looked is neither."""

    def __init__(self, long_press_ns: int) -> None:
        self._long_press_ns = long_press_ns
        self.due_ns: int | None = None

    def press(self, t_ns: int) -> None:
        """Note that it went down: at `due_ns` it has been held long enough."""
        self.due_ns = t_ns + self._long_press_ns

    def release(self) -> bool:
        """Note that it came up; return whether that was a short press."""
        short = self.due_ns is not None
        self.due_ns = None
        return short
