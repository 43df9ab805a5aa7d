"""An evening from the truth up: hands, contacts, clocks, kernels, radios, and the evidence that they leave.

It knows nothing of the product but the shape of its inputs. A touch is what happened; what a source says of
it is wrong by at most what it declares, may bounce, be merged, come late or not at all.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

from lastnose.companion.core.model import (
    NO_RULES,
    Edge,
    FirstRules,
    Gap,
    Input,
    Levels,
    Question,
    Rack,
    Watermark,
    rest_level,
)
from lastnose.companion.timing import ArmRequest

from tests.support.explanations import NEVER_NS, Possible, mirrored, together

US, MS, S = 1_000, 1_000_000, 1_000_000_000
FAULTS = ("bounce", "odd", "late", "lost", "merged", "drift", "sources", "early", "threads")
DRIFT_PPM = 1_000  # of a clock of its own, at most; 550 and 700 are declared of host and timeline together
THREAD_NS = 60 * US  # how late an interrupt thread is at most, where the self-test found that


class Touch(NamedTuple):
    """A hand on a nose, from `at_ns` to `until_ns`. People could argue that it began at `or_ns`."""

    at_ns: int
    until_ns: int
    or_ns: int


class Source(NamedTuple):
    """What stamps edges, each wrong by up to `u` and all of them by up to `c`; it promises after `grace`."""

    name: str
    u: int
    c: int
    grace: int


class Sent(NamedTuple):
    """An input, or the host's wish to arm (None: everybody), and when it arrives."""

    at_ns: int
    item: Input | ArmRequest | None


KINDS = (
    Source("gpio", 10 * US, 0, 5 * MS),
    Source("gpio", 1 * US, 0, 5 * MS),
    Source("box/1", 2 * US, 150 * US, 20 * MS),
    Source("box/2", 20 * US, 150 * US, 20 * MS),
    Source("page.a", 12 * MS, 3 * MS, 60 * MS),
    Source("page.b", 1 * MS, 20 * MS, 60 * MS),
)


class Evening:
    """Some rounds of a table: `touches` by seat (the truth) and `sent`, as it arrived (the evidence).

    `watched` are its lines, `hold` and `rack` how rounds are played; here the first touch counts.
    """

    all_faults: tuple[str, ...] = FAULTS
    kinds: tuple[Source, ...] = KINDS
    hold = False
    question: Question = "last"
    rules: FirstRules = NO_RULES

    def __init__(self, seed: int, faults: tuple[str, ...] | None = None, rounds: int = 3) -> None:
        rng = self.rng = random.Random(seed)
        if faults is None:
            faults = tuple(rng.sample(self.all_faults, rng.choice([0, 1, 1, 2, 3])))
        self.faults = faults
        self.seats = tuple(range(1, rng.choice([2, 3, 3, 4, 5, 8]) + 1))
        several = "sources" in faults
        self.sources = self._sources(rng.choice([2, 3]) if several else 1)
        self.watched = self._watched()
        self.of = {line: rng.choice(self.sources) for line in self.watched}
        self._course = {source.name.partition("/")[0]: self._clock(source) for source in self.sources}
        self.touches: dict[int, list[Touch]] = {seat: [] for seat in self.seats}
        self.sent: list[Sent] = []
        self._changes: list[tuple[int, str, int]] = []  # what the contacts did: when, line, away from rest
        self._play(rounds)
        self._changes.sort()
        self._tell()
        self.sent.sort(key=lambda sent: sent.at_ns)

    @property
    def lines(self) -> dict[str, int]:
        """By nose its seat."""
        return {f"nose.{seat}": seat for seat in self.seats}

    @property
    def rack(self) -> Rack | None:
        """The rack of a game with spoons."""
        return None

    def _watched(self) -> tuple[str, ...]:
        return tuple(self.lines)

    def _sources(self, count: int) -> tuple[Source, ...]:
        names: dict[str, Source] = {}
        for source in self.rng.sample(self.kinds, len(self.kinds)):
            names.setdefault(source.name, source)
        return tuple(list(names.values())[:count])

    def _clock(self, source: Source) -> tuple[float, float]:
        """Return the error of a clock at the beginning and at the end, within what it declares."""
        begin = self.rng.uniform(-source.c, source.c)
        return begin, self.rng.uniform(-source.c, source.c) if "drift" in self.faults else begin

    # What the hands do

    def _play(self, rounds: int) -> None:
        rng, t = self.rng, 1 * S
        spacing = rng.choice([20 * US, 200 * US, 2 * MS, 15 * MS, 60 * MS, 400 * MS])
        for _ in range(rounds):
            self.sent.append(Sent(t, None))
            t += rng.randint(300 * MS, 900 * MS)
            freed_ns = []
            absent = rng.choice([0, 0, *self.seats])
            for seat in rng.sample(self.seats, len(self.seats)):
                t += rng.randint(0, spacing)
                if seat != absent:
                    until_ns = t + rng.randint(60 * MS, 1500 * MS)
                    self._touch(seat, t, until_ns)
                    freed_ns.append(until_ns)
            t = max(freed_ns) + rng.randint(50 * MS, 900 * MS)
            if "early" in self.faults:
                t = max(freed_ns) + rng.randint(-1 * MS, 3 * MS)
        self.end_ns = t + 3 * S

    def _touch(self, seat: int, at_ns: int, until_ns: int) -> None:
        line = f"nose.{seat}"
        or_ns = self._close(line, at_ns)
        at_ns, or_ns = min(at_ns, or_ns), max(at_ns, or_ns)
        self.touches[seat].append(Touch(at_ns, until_ns, or_ns))
        self._open(line, until_ns)

    def _open(self, line: str, t: int) -> None:
        """Let a contact go at *t*."""
        rng = self.rng
        self._changes.append((t, line, 0))
        chatters = {"bounce", "early"} & set(self.faults) and not self.of[line].name.startswith("page.")
        for _ in range(rng.randint(0, 3) if chatters else 0):
            t += rng.randint(20 * US, 1600 * US)
            self._changes.append((t, line, 1))
            t += rng.randint(20 * US, 1600 * US)
            self._changes.append((t, line, 0))

    def _close(self, line: str, t: int) -> int:
        """Close a contact at *t*; return another time at which a table could say that the hand was there."""
        rng, glass = self.rng, self.of[line].name.startswith("page.")  # a page has no contacts
        odd = not glass and "odd" in self.faults and rng.random() < 0.4
        if odd and rng.random() < 0.5:  # a light hand: it closes, and opens for longer than contacts bounce
            self._changes.append((t, line, 1))
            opened = t + rng.randint(50 * US, 950 * US)
            self._changes.append((opened, line, 0))
            again = opened + rng.randint(550 * US, 12 * MS)
            self._changes.append((again, line, 1))
            return again
        if odd:  # a spark on the wire shortly before
            spark = t - rng.randint(600 * US, 15 * MS)
            self._changes += [(spark, line, 1), (spark + rng.randint(2 * US, 30 * US), line, 0)]
        begin = t
        self._changes.append((t, line, 1))
        for _ in range(rng.randint(0, 4) if "bounce" in self.faults and not glass else 0):
            t += rng.randint(5 * US, 300 * US)
            self._changes.append((t, line, 0))
            t += rng.randint(5 * US, 350 * US)
            self._changes.append((t, line, 1))
        return begin

    # What the sources say

    def _stamp(self, source: Source, t: int) -> int:
        """Return what *source* calls the time *t*, but for the error of the single stamp."""
        begin, end = self._course[source.name.partition("/")[0]]
        drift = max(-DRIFT_PPM, min((end - begin) * 1e6 / self.end_ns, DRIFT_PPM))
        return round(t + begin + drift * 1e-6 * t)

    def _tell(self) -> None:
        rng = self.rng
        for source in self.sources:
            mine = [line for line in self.watched if self.of[line] == source]
            worth = source.u, source.c
            rest = {line: rest_level(line) for line in mine}
            self.sent.append(Sent(0, Levels(rest, self._stamp(source, 0), source.name, *worth)))
            edges = self._edges(source, mine)
            told = edges
            gap = self._loss(edges) if "lost" in self.faults and rng.random() < 0.6 else None
            if "merged" in self.faults:
                edges = self._merge(source, edges)
            stall = gap if gap is not None and rng.random() < 0.5 else None
            late = rng.choice(edges)[0] if "late" in self.faults and edges else None
            for n, (t, edge) in enumerate(edges):
                if gap is not None and gap[0] <= t < gap[1]:
                    continue
                delay = rng.randint(0, source.grace // 3)
                if t == late or ("late" in self.faults and rng.random() < 0.03):
                    delay = rng.randint(50 * MS, 2500 * MS)
                elif stall is not None and stall[0] <= t < stall[1] + source.grace:
                    delay = stall[1] + source.grace - t + n
                self.sent.append(Sent(t + delay, edge))
            if gap is not None:
                self._own_up(source, gap, mine, told)
            self._promise(source, stall)

    def _edges(self, source: Source, mine: list[str]) -> list[tuple[int, Edge]]:
        """Return the edges with their true times; the stamps of one line keep their order."""
        latest: dict[str, int] = {}
        edges = []
        for t, line, away in self._changes:
            if line not in mine:
                continue
            error = self.rng.randint(-source.u, source.u) if source.u < MS else self.rng.randint(-MS, MS)
            late = self._late_thread_ns(source)
            stamp = max(self._stamp(source, t) + error + (late or 0), latest.get(line, 0) + 1)
            latest[line] = stamp
            level = away ^ rest_level(line)
            worth = source.u if late is None else source.u + THREAD_NS
            edges.append((t, Edge(stamp, source.name, line, level, worth, source.c)))
        return edges

    def _late_thread_ns(self, source: Source) -> int | None:
        """Return how late a stamp is where the first edge of a bounce passed before its thread ran.

        The kernel's numbering shows that one is missing, so the source declares THREAD_NS on top.
        """
        if "threads" not in self.faults or source.name != "gpio" or self.rng.random() < 0.6:
            return None
        return self.rng.randint(0, THREAD_NS)

    def _loss(self, edges: list[tuple[int, Edge]]) -> tuple[int, int] | None:
        """Return from when to when nothing of a source gets through."""
        if not edges:
            return None
        rng = self.rng
        begin = rng.choice(edges)[0] - rng.choice([1, 5 * MS, 400 * MS])
        return begin, begin + rng.choice([2 * MS, 80 * MS, 700 * MS])

    def _own_up(
        self, source: Source, gap: tuple[int, int], mine: list[str], edges: list[tuple[int, Edge]]
    ) -> None:
        """Let a source say what it missed, and how things stand by its own stamps, as soon as it can."""
        begin, end = gap
        low = self._stamp(source, begin) - source.u
        high = self._stamp(source, end) + source.u
        told_ns = end + self.rng.randint(0, source.grace // 3)
        if "late" in self.faults:
            told_ns += self.rng.choice([0, 900 * MS])
        levels = {line: rest_level(line) for line in mine}
        for t, edge in edges:
            if edge.t_ns <= high:  # stamped so, though it may come after the end: it is told with it
                levels[edge.line] = edge.level
                told_ns = max(told_ns, t)
        self.sent.append(Sent(told_ns, Gap(low, high, source.name)))
        self.sent.append(Sent(told_ns, Levels(levels, high, source.name, source.u, source.c)))

    def _merge(self, source: Source, edges: list[tuple[int, Edge]]) -> list[tuple[int, Edge]]:
        """Drop edges that came too soon after another for a kernel to see; numbers are then missing."""
        kept: list[tuple[int, Edge]] = []
        for t, edge in edges:
            if kept and t - kept[-1][0] < 60 * US and self.rng.random() < 0.3:
                u = max(kept[-1][1].u_ns, edge.u_ns)
                until_ns = edge.t_ns + u
                gap = Gap(min(kept[-1][1].t_ns, edge.t_ns) - u, until_ns, source.name)
                self.sent.append(Sent(t + source.grace // 3, gap))
                # The next edge of this line may be stamped by then: levels say how it stands at their time.
                stood = [one.level for _, one in edges if one.line == edge.line and one.t_ns <= until_ns + 1]
                levels = Levels({edge.line: stood[-1]}, until_ns + 1, source.name)
                self.sent.append(Sent(t + source.grace // 3, levels))
            else:
                kept.append((t, edge))
        return kept

    def _promise(self, source: Source, stall: tuple[int, int] | None) -> None:
        """Let a source promise every few ms, not while it is cut off, and say farewell at the end."""
        t, step = 0, self.rng.choice([4 * MS, 20 * MS, 50 * MS])
        while t < self.end_ns:
            cut_off = stall is not None and stall[0] <= t < stall[1] + source.grace
            if not cut_off:
                mark = self._stamp(source, t) - source.grace - source.u
                self.sent.append(Sent(t, Watermark(mark, source.name)))
            t += step
        self.sent.append(Sent(self.end_ns, Watermark(2**62, source.name)))

    # What was true

    def bound_ns(self, line: str) -> int:
        """Return how far a stamp of *line* may lie beside the truth."""
        return self.of[line].u + 2 * self.of[line].c

    def truly_named(self, armed_ns: int, until_ns: int) -> set[int]:
        """Return who is to be named: who was last, or first where that is asked."""
        if self.question == "last":
            return self.truly_last(armed_ns, until_ns)
        began = self._began(armed_ns, until_ns)
        return {
            seat
            for seat, (early, _) in began.items()
            if early < NEVER_NS and all(early <= late for other, (_, late) in began.items() if other != seat)
        }

    def truly_last(self, armed_ns: int, until_ns: int) -> set[int]:
        """Return who was last in a round, in every way in which people could see it.

        Somebody who did not touch a nose in it was later than all who did.
        """
        began = self._began(armed_ns, until_ns)
        return {
            seat
            for seat, (_, late) in began.items()
            if all(late >= early for other, (early, _) in began.items() if other != seat)
        }

    def truly(self, armed_ns: int, until_ns: int) -> Possible | None:
        """Return who was last, last but one and first, and by how much, in every way people could see it.

        None: nothing is known to hold a verdict to.
        """
        began = self._began(armed_ns, until_ns)
        return (mirrored if self.question == "first" else together)(
            dict(zip(began, ways, strict=True)) for ways in itertools.product(*map(set, began.values()))
        )

    def _began(self, armed_ns: int, until_ns: int) -> dict[int, tuple[int, int]]:
        """Return by seat when its touch began, the earliest and the latest that people could say."""
        began: dict[int, tuple[int, int]] = {}
        for seat in self.seats:
            bound = self.bound_ns(f"nose.{seat}")
            mine = [
                touch for touch in self.touches[seat] if armed_ns - bound <= touch.at_ns < until_ns - bound
            ]
            began[seat] = (mine[0].at_ns, mine[0].or_ns) if mine else (NEVER_NS, NEVER_NS)
        return began
