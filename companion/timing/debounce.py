"""Edges in order of time in, changes in order of their stamps out: stamp early, confirm late (law 2).

A change is held back until no line has an open train with an earlier first edge, so `settled_ns` lags by at
most the lockout (and a train's end). Lines that rest closed (spoons, docks) are read the other way round:
in here 1 is away from rest, so that a lift is debounced as a press is.
"""

from __future__ import annotations

from heapq import heappop, heappush

import msgspec

from companion.model import Edge, Gap, Levels, Noisy, rest_level
from companion.timing.sequencer import NEVER

# The order of what falls on one instant: news of levels and losses, (requests, arming,) changes of lines.
NEWS, CHANGE = 0, 4


class Change(msgspec.Struct, frozen=True, gc=False):
    """A line's confirmed change: away from rest (`level` 1) or back.

    `edge` is the first of its train, `sure_ns` when the train had settled.
    """

    line: str
    level: int
    edge: Edge
    sure_ns: int


class TakenOver(msgspec.Struct, frozen=True, gc=False):
    """A line is known to be away from rest (`level` 1) or not without a press.

    It changed in `[since_ns, until_ns]`, if known.
    """

    line: str
    level: int
    since_ns: int | None = None
    until_ns: int | None = None


class Doubt(msgspec.Struct, frozen=True, gc=False):
    """Edges of this line were lost in `[from_ns, to_ns]`, though its source may not have said so."""

    line: str
    from_ns: int
    to_ns: int


class Line:
    """What is known of one line. `level` is confirmed, `raw` the last seen; `u_ns` None while not known.

    Both are 1 away from `rest`.
    """

    __slots__ = (
        "clock_u_ns",
        "first",
        "gap",
        "glitch",
        "last_ns",
        "level",
        "lock_ns",
        "noisy",
        "pending",
        "raw",
        "rest",
        "source",
        "u_ns",
    )

    def __init__(self, source: str, level: int, t_ns: int, rest: int) -> None:
        self.source = source
        self.rest = rest
        self.u_ns: int | None = None
        self.clock_u_ns = 0
        self.level = level
        self.raw = level
        self.first: Edge | None = None  # of the open train
        self.last_ns = t_ns
        self.lock_ns = NEVER  # no new press, and no release, before
        self.pending: Edge | None = None  # a release that waits for the end of the lockout
        self.noisy = False
        self.glitch = (NEVER, NEVER)  # begin and end of the last train that changed nothing
        self.gap: tuple[int, int] | None = None  # that ended after the last news


class Debouncer:
    """Debounces every line. The caller keeps the order: `advance(t)` and then the item at t.

    `out` is a heap of `(stamp_ns, phase, line, n, Change | Noisy | TakenOver | Doubt | Gap)`; its phase is
    CHANGE for a change or noise, NEWS for the rest. Everything stamped before `settled_ns(t)` is in it.
    """

    def __init__(self, confirm_ns: int, lockout_ns: int) -> None:
        self.lines: dict[str, Line] = {}
        self.out: list[tuple[int, int, str, int, object]] = []
        self._confirm_ns = confirm_ns
        self._lockout_ns = lockout_ns
        self._due: list[tuple[int, str]] = []
        self._open: dict[str, int] = {}  # line -> stamp that is not decided yet
        self._count = 0

    def settled_ns(self, now_ns: int) -> int:
        """Return the time before which all changes are known, when all edges before *now_ns* are."""
        return min(self._open.values()) if self._open else now_ns

    def open_trains(self) -> dict[str, int]:
        """Return by line when its open train began."""
        return {name: line.first.t_ns for name, line in self.lines.items() if line.first and not line.noisy}

    def emit(self, stamp_ns: int, phase: int, line: str, what: object) -> None:
        """Put something into `out` at its stamp."""
        self._count += 1
        heappush(self.out, (stamp_ns, phase, line, self._count, what))

    def advance(self, now_ns: int) -> None:
        """Decide every train that has been quiet long enough by *now_ns*; end lockouts."""
        due = self._due
        while due and due[0][0] <= now_ns:
            at, name = heappop(due)
            line = self.lines[name]
            real = self._due_ns(line)
            if real is None:
                continue
            if real > at:
                heappush(due, (real, name))
            elif line.first is not None:
                self._close(name, line, line.first, at)
            else:
                self._release(name, line, at)

    def edge(self, edge: Edge) -> None:
        """Take an edge: it begins a train or belongs to the open one. A repeated level is an edge as well."""
        name, t_ns = edge.line, edge.t_ns
        line = self.lines.get(name)
        if line is None:
            line = self.lines[name] = _unheard_of(edge)
        line.source, line.u_ns, line.clock_u_ns = edge.source, edge.u_ns, edge.clock_u_ns
        line.raw, line.last_ns = edge.level ^ line.rest, t_ns
        if line.gap is not None and line.gap[1] <= t_ns:
            line.gap = None
        first = line.first
        if first is None:
            line.first = edge
            self._open.setdefault(name, t_ns)
            heappush(self._due, (t_ns + self._confirm_ns, name))
        elif t_ns - first.t_ns > self._lockout_ns and not line.noisy:
            line.noisy, line.pending = True, None
            del self._open[name]
            self.emit(first.t_ns, CHANGE, name, Noisy(name, first.t_ns))

    def gap(self, gap: Gap, now_ns: int) -> None:
        """Remember that edges of the source's lines may be lost; trains open then are doubtful whole."""
        settled_ns = self.settled_ns(now_ns)
        self.emit(settled_ns, NEWS, "", gap)
        for name, line in self.lines.items():
            if line.source != gap.source:
                continue
            since, until = line.gap or (gap.from_ns, gap.to_ns)
            line.gap = min(since, gap.from_ns), max(until, gap.to_ns)
            begun_ns, ended_ns = line.glitch
            if line.first is not None and not line.noisy:
                self.emit(settled_ns, NEWS, name, Doubt(name, line.first.t_ns, gap.to_ns))
            elif ended_ns > gap.from_ns:
                self.emit(settled_ns, NEWS, name, Doubt(name, begun_ns, gap.to_ns))

    def levels(self, levels: Levels, now_ns: int) -> None:
        """Take levels over without a press. Where they contradict what is known, edges were lost."""
        for name, level in levels.levels.items():
            line = self.lines.get(name)
            rest = rest_level(name) if line is None else line.rest
            value = level ^ rest
            if line is None:
                line = self.lines[name] = Line(levels.source, value, now_ns, rest)
                if value:
                    self.emit(now_ns, NEWS, name, TakenOver(name, value))
            elif line.raw != value:
                self._contradict(name, line, value, now_ns)
            line.source, line.gap = levels.source, None
            if line.first is None:
                line.last_ns = now_ns
            if levels.u_ns is not None:
                line.u_ns, line.clock_u_ns = levels.u_ns, levels.clock_u_ns

    def _contradict(self, name: str, line: Line, value: int, now_ns: int) -> None:
        since, until = line.gap or (line.last_ns, now_ns)
        if line.first is not None:
            since = min(since, line.first.t_ns)
        line.first, line.pending, line.noisy, line.lock_ns = None, None, False, NEVER
        line.level = line.raw = value
        until = max(since, until)
        self.emit(self.settled_ns(now_ns), NEWS, name, Doubt(name, since, until))
        self.emit(now_ns, NEWS, name, TakenOver(name, value, since, until))
        self._open.pop(name, None)

    def _due_ns(self, line: Line) -> int | None:
        if line.first is not None:
            return line.last_ns + self._confirm_ns
        return line.lock_ns if line.pending is not None else None

    def _close(self, name: str, line: Line, first: Edge, at_ns: int) -> None:
        """Decide a train by its level."""
        line.first = None
        if line.noisy:
            line.noisy, line.lock_ns, line.level = False, NEVER, line.raw
            self.emit(at_ns, NEWS, name, TakenOver(name, line.raw))
        elif line.raw:
            line.pending = None
            del self._open[name]
            if not line.level:
                line.level, line.lock_ns = 1, first.t_ns + self._lockout_ns
                self.emit(first.t_ns, CHANGE, name, Change(name, 1, first, at_ns))
        elif not line.level:
            line.glitch = first.t_ns, at_ns
            del self._open[name]
        else:
            line.pending = line.pending or first
            self._release(name, line, at_ns)

    def _release(self, name: str, line: Line, at_ns: int) -> None:
        """Let a pending release count when the lockout has ended, else wait for that."""
        if line.pending is None or at_ns < line.lock_ns:
            heappush(self._due, (line.lock_ns, name))
            return
        self.emit(line.pending.t_ns, CHANGE, name, Change(name, 0, line.pending, at_ns))
        line.level, line.pending = 0, None
        del self._open[name]


def _unheard_of(edge: Edge) -> Line:
    """Return the line that *edge* is the first news of, at rest; a dock at the level that the edge leaves."""
    rest = rest_level(edge.line)
    away = edge.level ^ rest ^ 1 if edge.line.startswith("dock.") else 0
    return Line(edge.source, away, edge.t_ns, rest)
