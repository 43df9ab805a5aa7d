"""Two boxes on a sync wire, reckoned: crystals, cables, a wire that comes and goes, a host that is slewed.

Nothing is read from a clock. `Boxes.pairs` presses all along and tells how far the distance of two stamps is
off the truth, and what a verdict of the two claims: the order to `w`, the length as the margin's span.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from lastnose.companion.core.model import Edge, Press
from lastnose.companion.timing import judge
from lastnose.hardware.box.clock import ClockMap, Sample, Ticks, Timeline
from lastnose.hardware.box.sync import SteadyClock, SyncWire

US, MS, S = 1_000, 1_000_000, 1_000_000_000
TICK_NS, SLACK_TICKS = 200, 3
BEGIN_NS = 1_000 * S
HOST_PPM, BOX_PPM, SLEW_PPM = 50.0, 150.0, (50, 500)
READING_NS = 60
FROM_S, FOR_S = 6, 10  # when the host's clock is slewed


class Told(NamedTuple):
    """Two presses `true_ns` apart. `off_ns`: by how much their stamps are off; `w_ns`: what is claimed.

    `inside`: whether the margin has the truth in it; `wrong`: whether the earlier one was named. `wire`:
    how the sync wire was.
    """

    true_ns: int
    off_ns: int
    w_ns: int
    inside: bool
    wrong: bool
    wire: str


class _Box:
    """A crystal, its cable, and what the host knows of it."""

    def __init__(self, name: str, rng: random.Random, wire: SyncWire, slow_ns: int) -> None:
        self.name, self._rng, self._wire = name, rng, wire
        self._slow_ns = slow_ns
        self.rate = 1 + rng.uniform(-BOX_PPM, BOX_PPM) * 1e-6
        self.plug(BEGIN_NS)

    def plug(self, now_ns: int) -> None:
        """Begin a new time base: the ticks begin again."""
        self._since_ns = now_ns - self._rng.randrange(1 * S)
        self.clock = ClockMap(S // TICK_NS, slack_ns=SLACK_TICKS * TICK_NS)
        self.timeline = Timeline(self.clock)
        self.ticks = Ticks()
        self.answers = 0
        self._wire.joined(self.name, self.timeline)

    def tick(self, true_ns: int) -> int:
        """Return what the box counts."""
        return self.ticks.extend(int((true_ns - self._since_ns) * self.rate / TICK_NS) & 0xFFFF_FFFF)


class Boxes:
    """Two boxes, the first of them leading.

    `kind`: the wire is "whole", "cut", "flaky" or "none", by default any of them. With `replug` a box is
    pulled out and put back every 2 to 5 s, otherwise once in half of the evenings.
    """

    def __init__(self, seed: int, *, kind: str | None = None, replug: bool = False) -> None:
        rng = self._rng = random.Random(seed)
        self.now_ns = BEGIN_NS
        self._slew_ppm = rng.uniform(*SLEW_PPM) * rng.choice((-1, 1))
        self._host_rate = 1 + rng.uniform(-HOST_PPM, HOST_PPM) * 1e-6
        self.steady = SteadyClock(self._read_host, self._read_steady)
        wire = self._wire = SyncWire("box/1", self.steady)
        self.boxes = tuple(_Box(f"box/{n}", rng, wire, rng.choice((0, 300 * US, 800 * US))) for n in (1, 2))
        self.kind = rng.choice(("whole", "whole", "cut", "flaky", "none")) if kind is None else kind
        self._earlier: deque[tuple[int, Edge]] = deque(maxlen=20)
        self._again = replug
        self._replug_ns = BEGIN_NS + rng.randrange(5, 14) * S if replug or rng.random() < 0.5 else 0

    # The host's clocks, as functions of the truth

    def steady_of(self, true_ns: int) -> int:
        """Return the clock that nobody sets."""
        return BEGIN_NS + round((true_ns - BEGIN_NS) * self._host_rate)

    def host_of(self, true_ns: int) -> int:
        """Return the clock that stamps pins, which a time server slews for a while."""
        since_ns = BEGIN_NS + FROM_S * S
        slewed_ns = min(max(true_ns - since_ns, 0), FOR_S * S)
        return self.steady_of(true_ns) + round(slewed_ns * self._slew_ppm * 1e-6)

    def _read_steady(self) -> int:
        self.now_ns += READING_NS
        return self.steady_of(self.now_ns)

    def _read_host(self) -> int:
        self.now_ns += READING_NS
        return self.host_of(self.now_ns)

    # What happens

    def _delay_ns(self) -> int:
        delay_ns = self._rng.randrange(20, 200) * US
        return delay_ns + (self._rng.randrange(5 * MS) if self._rng.random() < 0.03 else 0)

    def ping(self, box: _Box) -> None:
        """Ask a box for its tick."""
        sent_ns = self.now_ns
        seen_ns = sent_ns + self._delay_ns() + box._slow_ns
        back_ns = seen_ns + self._delay_ns()
        box.answers += 1
        box.clock.add(Sample(self.steady_of(sent_ns), self.steady_of(back_ns), box.tick(seen_ns)))

    def pulse(self) -> None:
        """Let the first box drive the wire for once, if it is there."""
        second_s = (self.now_ns - BEGIN_NS) // S
        heard = self.kind in ("whole", "flaky") or (self.kind == "cut" and not 8 <= second_s < 14)
        if self.kind == "flaky" and self._rng.random() < 0.5:
            heard = False
        if self.kind == "none":
            return
        for box in self.boxes if heard else self.boxes[:1]:
            if box.clock.ready:
                tick = box.tick(self.now_ns)
                self._wire.pulse(box.name, tick, box.timeline.peek(tick))

    def edge(self, box: _Box, true_ns: int) -> Edge:
        """Return what the table is told of a press."""
        tick = box.tick(true_ns)
        reading, own_ns = self._wire.read(box.name, tick, box.timeline.read(tick))
        half_ns = TICK_NS // 2
        return self.steady.told(Edge(reading.t_ns, box.name, "nose.1", 1, half_ns + own_ns + 1, reading.u_ns))

    def pairs(self) -> Iterator[Told]:
        """Press ten pairs a second for 20 s, from the first that boxes can be asked for on."""
        rng, begin_ns = self._rng, self.now_ns
        for tenth in range(200):
            at_ns = begin_ns + tenth * 100 * MS
            if self._replug_ns and at_ns >= self._replug_ns:
                rng.choice(self.boxes).plug(at_ns)
                self._earlier.clear()  # its lines are in a gap, and the round is void
                self._replug_ns = at_ns + rng.randrange(2 * S, 5 * S) if self._again else 0
            self.now_ns = max(self.now_ns, at_ns)
            self.steady.now_ns()
            for box in self.boxes:
                for n in range(4 if box.answers < 12 else 1 if tenth % 10 == 3 else 0):
                    self.now_ns = max(self.now_ns, at_ns + n * 5 * MS)
                    self.ping(box)
            if tenth % 10 == 5:
                self.now_ns = max(self.now_ns, at_ns + 25 * MS)
                self.pulse()
            for n in range(3, 10):
                self.now_ns = max(self.now_ns, at_ns + n * 10 * MS)
                self.steady.now_ns()
            if all(box.answers >= 4 for box in self.boxes):
                yield from self._pair(at_ns)

    def _pair(self, at_ns: int) -> Iterator[Told]:
        """Press twice: on both boxes, or on one of them, up to 30 ms apart, and up to 2 s after others."""
        rng = self._rng
        apart_ns = rng.choice((0, rng.randrange(100 * US), rng.randrange(30 * MS)))
        one, other = rng.choice(((0, 1), (1, 0), (0, 0), (1, 1)))
        first_ns = at_ns + 50 * MS + rng.randrange(5 * MS)
        first = first_ns, self.edge(self.boxes[one], first_ns)
        second = first_ns + apart_ns, self.edge(self.boxes[other], first_ns + apart_ns)
        yield self._told(first, second)
        if self._earlier:
            yield self._told(rng.choice(self._earlier), second)
        self._earlier.append(first)

    def _told(self, first: tuple[int, Edge], second: tuple[int, Edge]) -> Told:
        apart_ns = second[0] - first[0]
        edges = first[1], second[1]
        verdict = judge(
            [
                Press(seat, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns)
                for seat, edge in enumerate(edges, 1)
            ]
        )
        span = verdict.span_ns
        assert span is not None
        assert span[1] is not None
        wrong = verdict.last == (1,) and apart_ns > 0
        inside = span[0] <= apart_ns <= span[1] and not wrong
        off_ns = abs(edges[1].t_ns - edges[0].t_ns - apart_ns)
        return Told(apart_ns, off_ns, edges[0].u_ns + edges[1].u_ns, inside, wrong, self.kind)
