"""Raw edges of one clock in, what the table is told out: levels first, losses as gaps, promises that hold.

No pin in here: the sources feed it, and send on what it returns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark

# How late an interrupt thread may be until somebody has measured it on this machine (self-test, `late_us`).
# It is what promises rest on anyway: a source waits for so long before it says that nothing is still coming.
LATE_NS = 5_000_000
# As many edges as a bouncing contact may make in that time, unseen.
SWALLOW_EVENTS = 8


class Handed:
    """How long after their stamps events were handed over: no interrupt thread was later than that."""

    def __init__(self) -> None:
        self.events = 0
        self.most_ns = 0

    def note(self, late_ns: int) -> None:
        """Take an event that was in our hands so long after its stamp."""
        self.events += 1
        self.most_ns = max(self.most_ns, late_ns)


class _Probe(msgspec.Struct, frozen=True):
    """The lines as they were read at some instant of `[from_ns, to_ns]`."""

    levels: dict[str, int]
    from_ns: int
    to_ns: int


class Stream:
    """Turn the raw edges of *source* into inputs.

    Call `edge` for every edge, `lost` when some are missing and `quiet` when nothing more was waiting; send
    on what they return, in that order. While `wants_levels` is true, read the lines and pass what they say
    to `levels`. Until the first levels stand, edges are kept back: a Levels always comes first.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.wants_levels = True
        self._started = False
        self._held: list[Edge] = []
        self._probe: _Probe | None = None
        self._recent: list[int] = []
        self._promised_ns: int | None = None
        self._hold_ns: int | None = None

    @property
    def promised_ns(self) -> int | None:
        """Return the latest watermark given, None before the first."""
        return self._promised_ns

    def edge(self, edge: Edge) -> list[Input]:
        """Take an edge; return it, or keep it back until the first levels stand."""
        if not self._started:
            self._held.append(edge)
            return []
        if self.wants_levels or self._probe is not None:
            self._recent.append(edge.t_ns)
        return [edge]

    def lost(self, from_ns: int, to_ns: int) -> list[Input]:
        """Say that edges in `[from_ns, to_ns]` may be missing; the lines will have to be read again.

        Before the first levels nothing is lost: what happened then does not count.
        """
        if not self._started:
            return []
        self.wants_levels = True
        self._probe = None
        self._hold_ns = to_ns if self._hold_ns is None else min(self._hold_ns, to_ns)
        return [Gap(from_ns, to_ns, self.source)]

    def levels(self, levels: Mapping[str, int], from_ns: int, to_ns: int) -> None:
        """Take the levels that were read at some instant of `[from_ns, to_ns]`."""
        self.wants_levels = False
        self._probe = _Probe(dict(levels), from_ns, to_ns)

    def quiet(self, horizon_ns: int) -> list[Input]:
        """Say that every edge up to *horizon_ns* has been passed in; return levels and promise that follow.

        The levels that were read count from the start of the reading, if no edge came while it went on;
        otherwise nobody knows whether they have seen it, and they are read again.
        """
        out = self._settle(horizon_ns)
        if not self._started:
            return []
        limit_ns = horizon_ns if self._hold_ns is None else min(horizon_ns, self._hold_ns)
        if self._promised_ns is None or limit_ns > self._promised_ns:
            self._promised_ns = limit_ns
            out.append(Watermark(limit_ns, self.source))
        return out

    def outage(self, from_ns: int, now_ns: int) -> list[Input]:
        """Say that the device has been away since *from_ns*; rounds in progress must not wait for it."""
        if not self._started:
            return []
        out = self.lost(from_ns, now_ns)
        self._hold_ns = None
        self._promised_ns = now_ns
        return [*out, Watermark(now_ns, self.source)]

    def _settle(self, horizon_ns: int) -> list[Input]:
        probe = self._probe
        if probe is None or horizon_ns < probe.to_ns:
            return []
        self._probe = None
        stamps = self._recent if self._started else [edge.t_ns for edge in self._held]
        if any(probe.from_ns <= t_ns <= probe.to_ns for t_ns in stamps):
            self.wants_levels = True
            return []
        held = [edge for edge in self._held if edge.t_ns > probe.to_ns]
        self._started, self._held, self._recent, self._hold_ns = True, [], [], None
        return [Levels(probe.levels, probe.from_ns, self.source), *held]


class _Hole:
    """A missing number: its edge happened in `[from_ns, to_ns]`, on none of the lines that are `cleared`."""

    __slots__ = ("cleared", "from_ns", "to_ns")

    def __init__(self, from_ns: int, to_ns: int) -> None:
        self.from_ns = from_ns
        self.to_ns = to_ns
        self.cleared: set[str] = set()


class Sequence:
    """Find the numbers that are missing from a kernel's sequence of events, and what that means.

    The kernel numbers an edge in its interrupt and queues it a little later, in a thread. So neighbours may
    arrive in exchanged order; only what is missing when everything of its time has arrived will never come.
    An edge that comes before the thread has seen the one before it, on the same line, takes its place: a
    number is missing, no line's last word is, and the stamp of the second is later than the first edge was.
    That is how a contact bounces, and no loss: it widens the stamp's error. Which line it was, nothing tells:
    of every line, the first event after the missing number may have taken its place, if a thread can be so
    late (*late_ns*). But when as many events waited as the kernel keeps, or many numbers are missing at once,
    edges were lost.
    """

    def __init__(self, start_ns: int, buffer_size: int, late_ns: int = LATE_NS) -> None:
        self._top = 0
        self._top_ns = start_ns
        self._buffer_size = buffer_size
        self._late_ns = late_ns
        self._waited = 0
        self._missing: dict[int, _Hole] = {}
        self._swallowed: dict[int, _Hole] = {}

    def take(self, seqno: int, t_ns: int) -> None:
        """Take the event with number *seqno* (32 bits, counting from 1), stamped *t_ns*."""
        self._waited += 1
        ahead = (seqno - self._top) & 0xFFFF_FFFF
        if ahead == 0 or ahead >= 1 << 31:
            self._missing.pop(seqno, None)
            self._swallowed.pop(seqno, None)
            return
        for step in range(1, min(ahead, self._buffer_size)):
            number = (self._top + step) & 0xFFFF_FFFF
            self._missing[number] = self._swallowed[number] = _Hole(self._top_ns, t_ns)
        self._top, self._top_ns = seqno, t_ns

    def error_ns(self, seqno: int, t_ns: int, line: str) -> int:
        """Return by how much *line*'s event may be late, having taken the place of an earlier edge.

        To be asked once for each event that was taken, those of a line in their order.
        """
        late_ns = 0
        for number, hole in self._swallowed.items():
            if line in hole.cleared or (seqno - number) & 0xFFFF_FFFF >= 1 << 31:
                continue
            hole.cleared.add(line)  # its thread has run since
            if t_ns - hole.to_ns <= self._late_ns:
                late_ns = max(late_ns, min(t_ns - hole.from_ns, self._late_ns))
        return late_ns

    def quiet(self, horizon_ns: int) -> tuple[int, int] | None:
        """Say that nothing waits and all up to *horizon_ns* has arrived; return when edges were lost."""
        full = self._waited >= self._buffer_size
        self._waited = 0
        over_ns = horizon_ns - self._late_ns
        self._swallowed = {n: hole for n, hole in self._swallowed.items() if hole.to_ns > over_ns}
        gone = {n: hole for n, hole in self._missing.items() if full or hole.to_ns <= horizon_ns}
        if not gone:
            return None
        self._missing = {n: hole for n, hole in self._missing.items() if n not in gone}
        if not full and len(gone) <= SWALLOW_EVENTS:
            return None
        return min(hole.from_ns for hole in gone.values()), max(hole.to_ns for hole in gone.values())

    def pending_ns(self) -> int | None:
        """Return the time up to which nothing can be promised while numbers are missing."""
        return min((hole.from_ns for hole in self._missing.values()), default=None)


class Backlog:
    """Prove, without sequence numbers, that a line's small kernel buffer cannot have run over.

    The buffer drops its oldest event when it is full. So a loss just before an event means that this event
    and the `depth − 1` after it waited together: it was handed over only after the last of them happened.
    """

    def __init__(self, depth: int, start_ns: int) -> None:
        self._depth = depth
        self._last_ns = start_ns
        self._events: list[tuple[int, int, int]] = []

    def take(self, t_ns: int, handed_ns: int) -> tuple[int, int] | None:
        """Take an event of the line; return the time in which earlier ones may have been lost."""
        self._events.append((self._last_ns, t_ns, handed_ns))
        self._last_ns = t_ns
        if len(self._events) < self._depth:
            return None
        before_ns, first_ns, first_handed_ns = self._events.pop(0)
        return (before_ns, first_ns) if first_handed_ns >= t_ns else None


# ---- how a source with a thread of its own begins, and how it ends


class Threaded:
    """A source that works in a thread of its own, called after it, until `_closing` is set."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def _spawn(self, work: Callable[..., None], *args: Any) -> None:
        self._thread = threading.Thread(target=work, args=args, name=f"source-{self.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let the thread end, and wait for that; from the thread itself there is nothing to wait for."""
        self._closing.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(1.0)
