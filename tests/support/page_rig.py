"""The pages' own script (`web/static/lib/touches.js`, in node), the table's half, and a network that fails.

Time is made: a world is a heap of what happens when, by a true clock that nobody in it can read. Many worlds
run beside each other, so that one line to node serves them all.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.errors import CompanionError
from lastnose.web.page_sources import Pages
from lastnose.web.taps import PageClock, Taps

HOME = Path(__file__).parents[1] / "javascript"
MS = 1_000_000
ABORTED_NS = 6_000 * MS  # when a page gives up waiting for an answer

Op = list[Any]
Doing = Generator[Op, dict[str, Any], None]


class Node:
    """The pages of all worlds, in one process."""

    def __enter__(self) -> Node:
        command = ["node", "--import", str(HOME / "fake-document.js"), str(HOME / "many-pages.js")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def ask(self, happens: Sequence[Op]) -> list[dict[str, Any]]:
        """Let all of that happen; return what each page does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(happens).encode() + b"\n")
        self._process.stdin.flush()
        found: list[dict[str, Any]] = json.loads(self._process.stdout.readline())
        return found


def run(node: Node, worlds: Sequence[World]) -> None:
    """Run *worlds* to their ends, side by side."""
    doing = [world.run() for world in worlds]
    asked = [(one, next(one, None)) for one in doing]
    while live := [(one, op) for one, op in asked if op is not None]:
        answers = node.ask([[f"{id(one)}/{op[0]}", *op[1:]] for one, op in live])
        asked = [(one, _next(one, answer)) for (one, _), answer in zip(live, answers, strict=True)]


def _next(doing: Doing, answer: dict[str, Any]) -> Op | None:
    try:
        return doing.send(answer)
    except StopIteration:
        return None


class Way(NamedTuple):
    """How a network treats requests: delays each way, and in how many of them it fails, by how."""

    least_ms: float = 1.0
    most_ms: float = 12.0
    refused: float = 0.0  # answered with some status, not taken
    cut: float = 0.0  # taken, and the answer lost
    doubled: float = 0.0
    swallowed: float = 0.0  # neither taken nor answered
    stalls: float = 0.0  # of requests that take up to 3 s


class Phone:
    """A page on a device of its own: how its clocks go, and what its network does."""

    def __init__(self, name: str, rng: Random, way: Way, *, grain_ms: float = 0.1, device: str = "") -> None:
        self.name, self.rng, self.way, self.grain_ms = name, rng, way, grain_ms
        self.device = device or name
        self.line = ""
        self._behind_ns = rng.randrange(10**12)
        self._wall_ns = rng.randrange(10**15)
        self._rate = 1 + rng.uniform(-50e-6, 50e-6)
        self.jumped_ns = self.wall_jumped_ns = 0
        self.offline = self.dead = self.hidden = False
        self.timer = 0
        self.late_ns = 0  # from a finger to its event's stamp

    def ms(self, t_ns: int) -> float:
        """Return what the page's clock shows at true time *t_ns*."""
        exact_ms = ((t_ns + self._behind_ns) * self._rate + self.jumped_ns) / MS
        return exact_ms // self.grain_ms * self.grain_ms

    def wall_ms(self, t_ns: int) -> float:
        """Return what its other clock shows: whole milliseconds, and no finer than the first."""
        step_ms = max(1.0, self.grain_ms)
        return (t_ns + self._wall_ns + self.wall_jumped_ns) / MS // step_ms * step_ms


class World:
    """Pages, a network, the table's half (`pages`), and what happens; `now_ns` is the true time.

    The host's clock is the true one. *script(world)* puts in what is to happen.
    """

    def __init__(self, rng: Random, pages: Pages | None, script: Callable[[World], None]) -> None:
        self.rng = rng
        self.now_ns = 10**12
        self.end_ns = self.now_ns
        self.pages = pages
        self.phones: dict[str, Phone] = {}
        self.sent = self.failed = 0
        self.again_ms = 0  # the least that pages are told to wait between two promises
        self.ticks: Callable[[], None] = lambda: None  # after whatever the table has heard
        self._heap: list[tuple[int, int, Callable[[], Doing | None]]] = []
        self._count = count()
        self._script = script

    def at(self, t_ns: int, do: Callable[[], Doing | None]) -> None:
        """Let *do* happen at *t_ns*; what it yields happens to a page."""
        heappush(self._heap, (max(t_ns, self.now_ns), next(self._count), do))

    def run(self) -> Doing:
        """Let everything happen up to the end."""
        self._script(self)
        while self._heap and self._heap[0][0] <= self.end_ns:
            self.now_ns, _, do = heappop(self._heap)
            doing = do()
            if doing is not None:
                yield from doing
        for phone in self.phones.values():
            yield [phone.name, "close", 0, 0]

    # ---- pages

    def open(self, phone: Phone) -> Doing:
        """Open a page: it sets its clock, and introduces itself."""
        self.phones[phone.name] = phone
        yield [phone.name, "open", 0, 0, phone.grain_ms * MS]
        yield [phone.name, "carry", 0, 0, bool(phone.line)]
        self._ping(phone, 4, 0)

    def does(self, phone: Phone, what: str, *more: object) -> Doing:
        """Let something happen to a page, and what it does of it."""
        if phone.dead:
            return
        did = yield [phone.name, what, phone.ms(self.now_ns), phone.wall_ms(self.now_ns), *more]
        for word in did["words"]:
            self._send(phone, word)
        if did["needs_clock"]:
            self._ping(phone, 1, 0)
        phone.timer += 1
        if did["due_ms"] is not None:
            wait_ns = max(0, round((did["due_ms"] - phone.ms(self.now_ns)) * MS)) + self.rng.randrange(MS)
            self.at(self.now_ns + wait_ns, partial(self._turn, phone, phone.timer))

    def touch(self, phone: Phone, line: str, level: int, t_ns: int, handed_ns: int = MS) -> None:
        """Let a finger change *line* at *t_ns*: the page is told *handed_ns* after its event was stamped."""
        stamped_ns = t_ns + phone.late_ns

        def stamp() -> None:
            stamp_ms = phone.ms(self.now_ns)
            self.at(self.now_ns + handed_ns, lambda: self._touched(phone, line, level, stamp_ms))

        self.at(stamped_ns, stamp)

    def _touched(self, phone: Phone, line: str, level: int, stamp_ms: float) -> Doing:
        tap = {"line": line, "level": level, "stamp_ms": stamp_ms, "kind": "touch"}
        return self.does(phone, "touch", tap)

    def _turn(self, phone: Phone, timer: int) -> Doing | None:
        return self.does(phone, "turn") if timer == phone.timer else None

    def _ping(self, phone: Phone, more: int, slowest_ns: int) -> None:
        sent_ns, sent_ms, sent_wall_ms = self.now_ns, phone.ms(self.now_ns), phone.wall_ms(self.now_ns)
        there_ns, back_ns = self._delay(phone), self._delay(phone)

        def answered() -> Doing:
            if phone.offline:
                self.at(self.now_ns + 400 * MS, lambda: self._ping(phone, more, slowest_ns))
                return
            yield from self.does(phone, "note", sent_ms, sent_wall_ms, sent_ns + there_ns)
            slow_ns = max(slowest_ns, there_ns + back_ns)
            if more > 1:
                self._ping(phone, more - 1, slow_ns)
            else:
                self._introduce(phone, slow_ns)
                if more == 1 and not phone.hidden:
                    yield from self.does(phone, "wake")

        self.at(sent_ns + there_ns + back_ns, answered)

    def _introduce(self, phone: Phone, slow_ns: int) -> None:
        if self.pages is not None and not phone.dead:
            wish = PageClock(phone.name, owns=phone.line, echo_ns=self.now_ns - slow_ns)
            self.pages.introduce(wish, phone.device)
            self.ticks()

    # ---- the network

    def _delay(self, phone: Phone) -> int:
        way = phone.way
        ms = phone.rng.uniform(way.least_ms, way.least_ms + (way.most_ms - way.least_ms) * phone.rng.random())
        return round((ms + (phone.rng.uniform(0, 3000) if phone.rng.random() < way.stalls else 0)) * MS)

    def _send(self, phone: Phone, word: dict[str, Any]) -> None:
        self.sent += 1
        n, body, way, draw = word["n"], word["body"], phone.way, phone.rng.random
        there_ns, back_ns = self._delay(phone), self._delay(phone)
        back = self.now_ns + there_ns + back_ns
        if phone.offline or draw() < way.swallowed:
            wait_ns = ABORTED_NS if draw() < 0.5 else 20 * MS
            return self.at(self.now_ns + wait_ns, lambda: self._fails(phone, n))
        if draw() < way.refused:
            return self.at(back, lambda: self._fails(phone, n))
        cut, doubled = draw() < way.cut, draw() < way.doubled
        if doubled:
            late_ns = self._delay(phone) + self._delay(phone)
            self.at(self.now_ns + late_ns, lambda: self._again(phone, body))

        def arrives() -> None:
            heard = self._take(phone, body)
            if cut or heard is None:
                self.at(back, lambda: self._fails(phone, n))
            else:
                self.at(back, lambda: self.does(phone, "heard", n, heard))

        return self.at(self.now_ns + there_ns, arrives)

    def _take(self, phone: Phone, body: dict[str, Any]) -> Any:
        assert self.pages is not None
        try:
            heard = msgspec.structs.replace(
                self.pages.drive(msgspec.convert(body, Taps), phone.device), said=None
            )
        except CompanionError:
            return None
        finally:
            self.ticks()
        again_ms = max(self.again_ms, heard.again_ms)
        return msgspec.to_builtins(heard) | {"again_ms": again_ms}

    def _again(self, phone: Phone, body: dict[str, Any]) -> None:
        self._take(phone, body)

    def _fails(self, phone: Phone, n: int) -> Doing:
        self.failed += 1
        return self.does(phone, "failed", n)

    def every(self, step_ns: int, do: Callable[[], None]) -> None:
        """Do something again and again, up to the end."""

        def again() -> None:
            do()
            self.at(self.now_ns + step_ns, again)

        self.at(self.now_ns, again)


def seeds(first: int, many: int) -> Iterator[Random]:
    """Return generators that differ."""
    return (Random(first + n) for n in range(many))
