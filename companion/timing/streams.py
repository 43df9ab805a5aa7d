"""The two streams: inputs in any order in, inputs in order of time out; those in, changes of lines out.

*In which order?* An input waits until every source has promised that nothing earlier is coming (law 3). Equal
times come out in an order that does not depend on arrival: gaps, levels, then edges by line name. Only two
edges of one line, source and time keep the order in which they came.

Of the edges in that order changes are made, in order of their stamps: stamp early, confirm late (law 2).

*What is a touch?* The first closure of a train that ends closed. Contacts that meet bounce: openings of up
to half of `confirm_ns` (0.5 ms, in which published switches have settled) belong to it. What contradicts that
does not decide anything: an opening that was longer, or a train shortly before (within `lockout_ns`, one
movement of a hand) that ended open, may have been a light hand or a spark on the wire. Both readings stay
possible: the stamp is the train's first edge, and its `u_ns` reaches to the earliest and the latest closure
that could be meant. The same holds the other way round for a release, a lift, a spoon put back.

A change is held back until no line has an open train with an earlier first edge, so `settled_ns` lags by at
most the lockout (and a train's end). Lines that rest closed (spoons, docks) are read the other way round:
in here 1 is away from rest, so that a lift is debounced as a press is.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count

import msgspec
from lastnose.companion.core.model import (
    BrokenPromise,
    Edge,
    Gap,
    Levels,
    Noisy,
    Press,
    Watermark,
    rest_level,
)

NEVER = -(2**63)
FOREVER = 2**63 - 1
# The order of what falls on one instant: news of levels and losses, (requests, arming,) changes of lines.
NEWS, CHANGE = 0, 4
_MOST_STRAYS = 8

Item = Edge | Levels | Gap

# ---- the input stream


class Sequencer:
    """Holds inputs back until no source can send an earlier one.

    `low_ns` is the stream time: everything before it has come. A source is known once it is named here or has
    sent anything; a source that leaves says `Watermark(FOREVER, source)`. When all have left, time has ended.

    >>> s = Sequencer(["gpio"])
    >>> s.add(Edge(t_ns=7, source="gpio", line="nose.2", level=1, u_ns=0))
    >>> s.add(Edge(t_ns=5, source="gpio", line="nose.1", level=1, u_ns=0))
    >>> s.promise(Watermark(t_ns=7, source="gpio"))
    True
    >>> s.peek_ns(), s.pop().line, s.peek_ns()
    (5, 'nose.1', None)
    """

    def __init__(self, sources: Iterable[str] = ()) -> None:
        self._marks: dict[str, int] = dict.fromkeys(sources, NEVER)
        self._heap: list[tuple[int, int, str, str, int, Item]] = []
        self._count = count()
        self.low_ns = NEVER

    def add(self, edge: Edge) -> BrokenPromise | None:
        """Take an edge; return the broken promise when it is older than its source's watermark."""
        source = edge.source
        mark = self._marks.get(source)
        if mark is None:
            mark = self._marks[source] = self.low_ns
        if edge.t_ns < mark:
            late_ns = max(edge.t_ns, self.low_ns)
            return BrokenPromise(Gap(edge.t_ns, mark, source, late_ns=late_ns), edge.line)
        heappush(self._heap, (edge.t_ns, 2, edge.line, source, next(self._count), edge))
        return None

    def add_news(self, item: Levels | Gap) -> None:
        """Take levels or a gap; one from the past takes its place at stream time."""
        self._marks.setdefault(item.source, self.low_ns)
        at, rank = (item.from_ns, 0) if isinstance(item, Gap) else (item.t_ns, 1)
        at = at if item.late_ns is None else item.late_ns
        place = (max(at, self.low_ns), rank, "", item.source, next(self._count), item)
        heappush(self._heap, place)

    def promise(self, watermark: Watermark) -> bool:
        """Take a watermark; return whether stream time moved. One that goes back changes nothing."""
        source, t_ns = watermark.source, watermark.t_ns
        if t_ns == FOREVER:
            self._marks.pop(source, None)  # it may come back one day, as a new source
        else:
            self._marks[source] = max(t_ns, self._marks.get(source, self.low_ns))
        low_ns = min(self._marks.values(), default=FOREVER)
        moved = low_ns > self.low_ns
        self.low_ns = max(low_ns, self.low_ns)
        return moved

    def finish(self) -> int:
        """Let every watermark pass to the end of time; return the latest time heard of."""
        last_ns = max([self.low_ns, *(entry[0] for entry in self._heap)])
        self.low_ns = FOREVER
        return last_ns

    def peek_ns(self) -> int | None:
        """Return the time of the next released input, None when none is released."""
        heap = self._heap
        return heap[0][0] if heap and heap[0][0] < self.low_ns else None

    def pop(self) -> Item:
        """Return the next input; `peek_ns` says whether it is released."""
        return heappop(self._heap)[5]


# ---- the change stream


class Change(msgspec.Struct, frozen=True, gc=False):
    """A line's confirmed change: away from rest (`level` 1) or back.

    `edge` is the first of its train, `sure_ns` when the train had settled.
    """

    line: str
    level: int
    edge: Edge
    sure_ns: int

    def press(self, seat: int) -> Press:
        """Return it as a press of *seat*, by nose or dock, stamped and in error as its first edge is."""
        edge = self.edge
        parts = edge.skew_u_ns, edge.contact_u_ns, edge.button_u_ns, edge.wire_u_ns
        return Press(seat, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns, *parts)


class AssumedLevel(msgspec.Struct, frozen=True, gc=False):
    """A line is known to be away from rest (`level` 1) or not without a press.

    It changed in `[since_ns, until_ns]`, if known.
    """

    line: str
    level: int
    since_ns: int | None = None
    until_ns: int | None = None


class Stray(msgspec.Struct, frozen=True, gc=False):
    """A train that changed nothing: what changes this line by `until_ns` may have begun with it."""

    line: str
    until_ns: int


class LostEdges(msgspec.Struct, frozen=True, gc=False):
    """Edges of this line were lost in `[from_ns, to_ns]`, though its source may not have said so.

    `known`: what was lost has come since, too late. `u_ns`: the worst stamp of the
    train that the loss has cut.
    """

    line: str
    from_ns: int
    to_ns: int
    known: bool = False
    u_ns: int = 0


class DebouncedLine(msgspec.Struct, gc=False):
    """What is known of one line. `level` is confirmed, `raw` the last seen; `u_ns` None while not known.

    Both are 1 away from `rest`.
    """

    source: str
    level: int
    raw: int
    last_ns: int
    rest: int
    u_ns: int | None = None
    clock_u_ns: int = 0
    wire_u_ns: int | None = None
    first: Edge | None = None  # of the open train
    told_ns: int = NEVER  # of the newest edge or levels that said how it stands
    left_ns: int | None = None  # when the open train went back to where it had come from
    late_ns: int = NEVER  # the latest edge of the open train that may have been its change
    most_u_ns: int = 0  # the worst stamp of what may have been the change: one of them may be meant
    lock_ns: int = NEVER  # no new press, and no release, before
    pending: Edge | None = None  # a release that waits for the end of the lockout
    noisy: bool = False
    glitch: tuple[int, int] = (NEVER, NEVER)  # begin and end of the last train that changed nothing
    strays: tuple[int, ...] = ()  # when such trains began
    gap: tuple[int, int] | None = None  # that ended after the last news

    def stray(self, t_ns: int) -> None:
        """Note that a train that changed nothing began at *t_ns*."""
        self.strays = (*self.strays, t_ns)[-_MOST_STRAYS:]

    def expect(self, levels: Levels) -> None:
        """Learn by whose clock the next stamp is, and what it is worth, if that is said."""
        self.source = levels.source
        if levels.u_ns is not None:
            self.u_ns, self.clock_u_ns, self.wire_u_ns = levels.u_ns, levels.clock_u_ns, levels.wire_u_ns


class Debouncer:
    """Debounces every line. The caller keeps the order: `advance(t)` and then the item at t.

    `out` is a heap of `(stamp_ns, phase, line, n, what)`, with phase CHANGE for a Change, Stray or Noisy, and
    NEWS for a TakenOver, Doubt or Gap. Everything stamped before `settled_ns(t)` is in it.
    """

    def __init__(self, confirm_ns: int, lockout_ns: int) -> None:
        self.lines: dict[str, DebouncedLine] = {}
        self.out: list[tuple[int, int, str, int, object]] = []
        self._confirm_ns = confirm_ns
        self._lockout_ns = lockout_ns
        self._due: list[tuple[int, str]] = []
        self._open: dict[str, int] = {}  # line -> stamp that is not decided yet
        self._gaps: dict[str, tuple[int, int]] = {}  # by source, the loss that no levels have followed
        self._count = count()

    def settled_ns(self, now_ns: int) -> int:
        """Return the time before which all changes are known, when all edges before *now_ns* are."""
        return min(self._open.values()) if self._open else now_ns

    def emit(self, stamp_ns: int, phase: int, line: str, what: object) -> None:
        """Put something into `out` at its stamp."""
        heappush(self.out, (stamp_ns, phase, line, next(self._count), what))

    def advance(self, now_ns: int) -> int:
        """Decide every train that has been quiet long enough by *now_ns*; end lockouts.

        Returns the time before which all changes are known then.
        """
        due = self._due
        while due and due[0][0] <= now_ns:
            at, name = heappop(due)
            line = self.lines[name]
            if line.first is not None:
                real = line.last_ns + self._confirm_ns
            elif line.pending is not None:
                real = line.lock_ns
            else:
                continue
            if real > at:  # more edges came since it was put there: once a train, not once an edge
                heappush(due, (real, name))
            elif line.first is not None:
                self._close(name, line, line.first, at)
            else:
                self._release(name, line, at)
        return min(self._open.values()) if self._open else now_ns

    def edge(self, edge: Edge) -> None:
        """Take an edge: it begins a train or belongs to the open one. A repeated level is an edge as well."""
        name, t_ns = edge.line, edge.t_ns
        line = self.lines.get(name)
        if line is None:
            line = self.lines[name] = _unheard_of(edge)
        line.source, line.u_ns = edge.source, edge.u_ns
        line.clock_u_ns, line.wire_u_ns = edge.clock_u_ns, edge.wire_u_ns
        former, before_ns = line.raw, line.last_ns
        line.raw, line.last_ns, line.told_ns = edge.level ^ line.rest, t_ns, t_ns
        if line.gap is not None and line.gap[1] <= t_ns:
            line.gap = None
        first = line.first
        # A stray before it may have been the touch that is meant: then its stamp's worth counts, too.
        alone = first is None and (not line.strays or line.strays[-1] < t_ns - self._lockout_ns)
        line.most_u_ns = edge.u_ns if alone else max(line.most_u_ns, edge.u_ns)
        if first is None:
            line.first, line.left_ns, line.late_ns = edge, None, t_ns
            self._open.setdefault(name, t_ns)  # a release that waits is older, and holds its place
            heappush(self._due, (t_ns + self._confirm_ns, name))
        elif t_ns - first.t_ns > self._lockout_ns and not line.noisy:
            line.noisy, line.pending = True, None
            del self._open[name]  # told at once: no other line is held back by one that will not rest
            self.emit(first.t_ns, CHANGE, name, Noisy(name, first.t_ns))
        else:
            self._bounce(line, former, before_ns)

    def _bounce(self, line: DebouncedLine, former: int, before_ns: int) -> None:
        """Note whether the edge just taken, of an open train, ended a stay too long for bouncing contacts."""
        if line.raw == line.level:
            line.left_ns = line.last_ns if line.left_ns is None else line.left_ns
            return
        away_ns = before_ns if former == line.raw else line.left_ns
        if away_ns is not None and line.last_ns - away_ns > self._confirm_ns // 2:
            line.late_ns = line.last_ns
        line.left_ns = None

    def gap(self, gap: Gap, now_ns: int) -> None:
        """Remember that edges of the source's lines may be lost; trains open then are doubtful whole."""
        settled_ns = self.settled_ns(now_ns)
        self.emit(settled_ns, NEWS, "", gap)
        since, until = self._gaps.get(gap.source, (gap.from_ns, gap.to_ns))
        self._gaps[gap.source] = min(since, gap.from_ns), max(until, gap.to_ns)
        for name, line in self.lines.items():
            if line.source != gap.source if gap.lines is None else name not in gap.lines:
                continue
            since, until = line.gap or (gap.from_ns, gap.to_ns)
            line.gap = min(since, gap.from_ns), max(until, gap.to_ns)
            begun_ns = self._cut_ns(line, gap)
            if begun_ns is not None:
                self.emit(settled_ns, NEWS, name, LostEdges(name, begun_ns, gap.to_ns, u_ns=line.most_u_ns))

    def _cut_ns(self, line: DebouncedLine, gap: Gap) -> int | None:
        """Return when what a loss has cut began: a train, or a light hand before it; None for nothing."""
        begun_ns, ended_ns = line.glitch
        if line.first is not None and not line.noisy:
            begun_ns = line.first.t_ns
        elif ended_ns <= gap.from_ns:
            begun_ns = gap.from_ns
        touched_ns = begun_ns if line.level else self._touched_ns(line, begun_ns)
        cut = touched_ns < gap.from_ns or (line.first is not None and not line.noisy)
        return touched_ns if cut else None

    def _touched_ns(self, line: DebouncedLine, t_ns: int) -> int:
        """Return when a movement that shows at *t_ns* may have begun, with the strays before it."""
        return min([t_ns, *(stray_ns for stray_ns in line.strays if stray_ns >= t_ns - self._lockout_ns)])

    def outdates(self, levels: Levels) -> bool:
        """Return whether *levels*, made of a late edge, tell only of before what is known already."""
        known = (self.lines.get(name) for name in levels.levels)
        late = levels.late_ns is not None
        return late and all(line is not None and levels.t_ns < line.told_ns for line in known)

    def levels(self, levels: Levels, now_ns: int, *, known: bool = False) -> None:
        """Take levels over without a press. Where they contradict what is known, edges were lost.

        *known*: they are made of an edge that came too late. What is only expected tells of no level, so that
        an edge of before, which may come yet, is no older news.
        """
        lost = (None, None) if levels.expected else self._gaps.pop(levels.source, (None, None))
        for name, level in levels.levels.items():
            line = self.lines.get(name)
            rest = rest_level(name) if line is None else line.rest
            value = level ^ rest
            if line is None:
                line = self.lines[name] = DebouncedLine(levels.source, value, value, now_ns, rest)
                if value:
                    self.emit(now_ns, NEWS, name, AssumedLevel(name, value, *lost))
            elif levels.expected:
                pass
            elif levels.t_ns < line.told_ns:
                continue  # they tell of a time before what is known already
            elif line.raw != value:
                lost_ns = line.gap or (line.last_ns, now_ns)
                lost_ns = (levels.t_ns, now_ns) if known else lost_ns
                self._contradict(name, line, value, lost_ns, now_ns, known=known)
            line.expect(levels)
            if levels.expected:
                continue
            line.gap, line.told_ns = None, levels.t_ns
            if line.first is None:
                line.last_ns = max(line.last_ns, levels.t_ns) if known else now_ns

    def _contradict(
        self,
        name: str,
        line: DebouncedLine,
        value: int,
        lost_ns: tuple[int, int],
        now_ns: int,
        *,
        known: bool,
    ) -> None:
        since, until = lost_ns
        if line.first is not None:
            since = min(since, line.first.t_ns)
        if value:  # a light hand may have touched before, and stayed down from a closure that was lost
            since = self._touched_ns(line, since)
        line.first, line.pending, line.noisy, line.lock_ns = None, None, False, NEVER
        line.level = line.raw = value
        until, u_ns = max(since, until), line.most_u_ns
        self.emit(self.settled_ns(now_ns), NEWS, name, LostEdges(name, since, until, known, u_ns))
        self.emit(now_ns, NEWS, name, AssumedLevel(name, value, since, until))
        self._open.pop(name, None)

    def _close(self, name: str, line: DebouncedLine, first: Edge, at_ns: int) -> None:
        """Decide a train by its level."""
        line.first = None
        if line.noisy:
            line.noisy, line.lock_ns, line.level = False, NEVER, line.raw
            self.emit(at_ns, NEWS, name, AssumedLevel(name, line.raw))
        elif line.raw:
            line.pending = None
            del self._open[name]
            if not line.level:
                line.level, line.lock_ns = 1, first.t_ns + self._lockout_ns
                self.emit(first.t_ns, CHANGE, name, Change(name, 1, self._meant(line, first), at_ns))
            elif first.t_ns >= line.lock_ns:  # down before and after: it may have been let go for an instant
                line.stray(first.t_ns)
                self.emit(first.t_ns, CHANGE, name, Stray(name, first.t_ns + self._lockout_ns))
        elif not line.level:
            line.glitch = first.t_ns, at_ns
            line.stray(first.t_ns)
            del self._open[name]
            self.emit(first.t_ns, CHANGE, name, Stray(name, first.t_ns + self._lockout_ns))
        else:
            line.pending = line.pending or self._meant(line, first)
            self._release(name, line, at_ns)

    def _meant(self, line: DebouncedLine, first: Edge) -> Edge:
        """Return the *first* edge of a train that changed its line, as sure as it is what was meant."""
        if not line.strays and line.late_ns == first.t_ns:
            return first  # nothing else can have been meant
        early_ns = self._touched_ns(line, first.t_ns)
        line.strays = ()
        doubt_ns = max(first.t_ns - early_ns, line.late_ns - first.t_ns)
        if not doubt_ns:
            return first
        doubt_ns += line.most_u_ns - first.u_ns  # another of its stamps may be the one, and be worth less
        contact_u_ns = first.contact_u_ns + doubt_ns
        return msgspec.structs.replace(first, u_ns=first.u_ns + doubt_ns, contact_u_ns=contact_u_ns)

    def _release(self, name: str, line: DebouncedLine, at_ns: int) -> None:
        """Let a pending release count when the lockout has ended, else wait for that."""
        if line.pending is None or at_ns < line.lock_ns:
            heappush(self._due, (line.lock_ns, name))
            return
        self.emit(line.pending.t_ns, CHANGE, name, Change(name, 0, line.pending, at_ns))
        line.level, line.pending = 0, None
        del self._open[name]


def _unheard_of(edge: Edge) -> DebouncedLine:
    """Return the line that *edge* is the first news of, at rest; a dock at the level that the edge leaves."""
    rest = rest_level(edge.line)
    away = edge.level ^ rest ^ 1 if edge.line.startswith("dock.") else 0
    return DebouncedLine(edge.source, away, away, edge.t_ns, rest)
