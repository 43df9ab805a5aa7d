"""Inputs in any order in, inputs in order of time out, as far as every source has promised (law 3).

Equal times come out in an order that does not depend on arrival: gaps, levels, then edges by line name.
Only two edges of one line, source and time keep the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from lastnose.companion.core.model import BrokenPromise, Edge, Gap, Levels, Watermark

NEVER = -(2**63)
FOREVER = 2**63 - 1

Item = Edge | Levels | Gap


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
        self._count = 0
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
        self._count += 1
        heappush(self._heap, (edge.t_ns, 2, edge.line, source, self._count, edge))
        return None

    def add_news(self, item: Levels | Gap) -> None:
        """Take levels or a gap; one from the past takes its place at stream time."""
        self._marks.setdefault(item.source, self.low_ns)
        at, rank = (item.from_ns, 0) if isinstance(item, Gap) else (item.t_ns, 1)
        at = at if item.late_ns is None else item.late_ns
        self._count += 1
        heappush(self._heap, (max(at, self.low_ns), rank, "", item.source, self._count, item))

    def promise(self, watermark: Watermark) -> bool:
        """Take a watermark; return whether stream time moved. One that goes back changes nothing."""
        source, t_ns = watermark.source, watermark.t_ns
        former = self._marks.get(source)
        if t_ns == FOREVER:
            self._marks.pop(source, None)  # it may come back one day, as a new source
        elif former is None:
            self._marks[source] = max(t_ns, self.low_ns)
        elif t_ns <= former:
            return False
        else:
            self._marks[source] = t_ns
            if former > self.low_ns:
                return False  # a slower source holds the stream back, as before
        low_ns = min(self._marks.values()) if self._marks else FOREVER
        if low_ns <= self.low_ns:
            return False
        self.low_ns = low_ns
        return True

    def finish(self) -> int:
        """Let every watermark pass to the end of time; return the latest time heard of."""
        last_ns = max([self.low_ns, *(entry[0] for entry in self._heap)])
        self._marks = dict.fromkeys(self._marks, FOREVER)
        self.low_ns = FOREVER
        return last_ns

    def peek_ns(self) -> int | None:
        """Return the time of the next released input, None when none is released."""
        heap = self._heap
        return heap[0][0] if heap and heap[0][0] < self.low_ns else None

    def pop(self) -> Item:
        """Return the next input; `peek_ns` says whether it is released."""
        return heappop(self._heap)[5]
