"""One contact on trial: asked for, heard or not, and what its edges say of it. Pure.

A press that another line answers is asked for once more: people press the wrong nose, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec
from lastnose.companion.core.model import Edge
from lastnose.companion.selftest.plan import Contact
from lastnose.companion.wiring.profile import ProfileTiming

# ---- Edges of one line in, trains out: what belongs together, and what that says of a contact. Pure.

# Contacts bounce for some milliseconds; fingers are slower.
TRAIN_GAP_NS = 5_000_000
# A voltage that crawls past the threshold toggles faster than any spring.
CRAWL_NS, CRAWL_EDGES = 100_000, 6


class Train(msgspec.Struct, frozen=True):
    """Edges of one line less than 5 ms apart, in order of time."""

    edges: tuple[Edge, ...]

    @property
    def t_ns(self) -> int:
        """When it began."""
        return self.edges[0].t_ns

    @property
    def end_ns(self) -> int:
        """When it ended."""
        return self.edges[-1].t_ns

    @property
    def span_ns(self) -> int:
        """How long it took: 0 for a clean change."""
        return self.end_ns - self.t_ns

    @property
    def level(self) -> int:
        """The level in which it left the line."""
        return self.edges[-1].level

    @property
    def crawls(self) -> bool:
        """Whether it toggled faster than a spring can."""
        times = [edge.t_ns for edge in self.edges]
        return any(
            last - first <= CRAWL_NS for first, last in zip(times, times[CRAWL_EDGES - 1 :], strict=False)
        )


def trains_of(edges: Iterable[Edge], line: str) -> tuple[Train, ...]:
    """Return the trains of *line*, whatever the order in which *edges* arrived.

    >>> made = [Edge(t_ns, "x", "nose.1", level, 0) for t_ns, level in ((0, 1), (400_000, 0), (900_000, 1))]
    >>> [(train.span_ns, train.level) for train in trains_of(made, "nose.1")]
    [(900000, 1)]
    """
    mine = sorted((edge for edge in edges if edge.line == line), key=lambda edge: edge.t_ns)
    groups: list[list[Edge]] = []
    for edge in mine:
        if groups and edge.t_ns - groups[-1][-1].t_ns < TRAIN_GAP_NS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return tuple(Train(tuple(group)) for group in groups)


def acted(trains: Sequence[Train], rest: int) -> bool:
    """Return whether the line left its rest for longer than a train, and came back."""
    away = [number for number, train in enumerate(trains) if train.level != rest]
    return bool(away) and any(train.level == rest for train in trains[away[0] :])


def is_away(trains: Sequence[Train], rest: int) -> bool:
    """Return whether the last train left the line away from its rest."""
    return bool(trains) and trains[-1].level != rest


MS = 1_000_000
SETTLE_NS = 300 * MS
HELD_NS = 10_000 * MS
PATIENCE_NS = 30_000 * MS
# Nobody lets go of a button and is back on it in this time.
REPRESS_NS = 40 * MS
# Two lines that change so close together are coupled, not pressed by two hands.
COUPLED_NS = 2 * MS
MOST_TRIES = 3
MOST_EDGES = 1_000
MOST_SHOWN = 200

Outcome = Literal[
    "ok", "bouncy", "slow", "bouncing", "weak", "bridged", "crosstalk", "wrong", "silent", "stuck", "skipped"
]
PASSED: tuple[Outcome, ...] = ("ok", "bouncy", "slow", "skipped")


class Swing(msgspec.Struct, frozen=True):
    """A change as a report has it: edges in its train, how long that took, how sure its stamp is (ns)."""

    edges: int
    span_ns: int
    u_ns: int


class ContactReading(msgspec.Struct, frozen=True):
    """What came of one contact.

    `heard`: the line that answered in its place. `others`: lines that moved along. `away` and `back`: its
    longest trains off and onto its rest; `presses` how often it left it. `trace`: the edges that show it.
    """

    line: str
    outcome: Outcome
    heard: str | None = None
    others: tuple[str, ...] = ()
    away: Swing | None = None
    back: Swing | None = None
    presses: int = 0
    trace: tuple[Edge, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the table should not be played with it as it is."""
        return self.outcome not in PASSED


class Trial:
    """The trial of one contact among *lines*, which are all that is listened to.

    `take` its edges, then ask `verdict` from time to time. `wrong` is the line that has answered instead, as
    yet; `weak` how often it only flickered.
    """

    def __init__(
        self,
        contact: Contact,
        lines: Mapping[str, Contact],
        levels: Mapping[str, int],
        timing: ProfileTiming,
        now_ns: int,
        restless: frozenset[str] = frozenset(),
    ) -> None:
        self.contact = contact
        self._lines = lines
        self._timing = timing
        self._since_ns = now_ns
        self._restless = restless - {contact.line}
        self._own = 0
        self._edges: list[Edge] = []
        self._before = {line: levels.get(line, lines[line].rest) for line in lines}
        self._answers: list[str] = []
        self.weak = 0

    @property
    def wrong(self) -> str | None:
        """The line that answered last in place of this one."""
        return self._answers[-1] if self._answers else None

    @property
    def blocked(self) -> bool:
        """Whether the line is away from its rest before anybody was to touch it."""
        mine = [edge for edge in self._edges if edge.line == self.contact.line]
        level = max(mine, key=lambda edge: edge.t_ns).level if mine else self._before[self.contact.line]
        began_away = self._before[self.contact.line] != self.contact.rest
        return began_away and level != self.contact.rest

    def take(self, edge: Edge) -> None:
        """Take an edge of any line; those of lines that never rest count no more than a flood does."""
        mine = edge.line == self.contact.line
        if edge.line in self._restless or (not mine and len(self._edges) >= MOST_EDGES):
            return
        self._own += mine
        self._edges.append(edge)

    def verdict(self, now_ns: int) -> ContactReading | None:
        """Return what has come of it by *now_ns*, None while it is still open."""
        mine = trains_of(self._edges, self.contact.line)
        rest = self.contact.rest
        if self._own > MOST_EDGES or (
            mine and now_ns - mine[-1].end_ns < SETTLE_NS < HELD_NS < now_ns - mine[0].t_ns
        ):
            return self._reading("bouncing", mine)
        if mine and now_ns - mine[-1].end_ns < SETTLE_NS:
            return None
        if acted(mine, rest) and not is_away(mine, rest):
            return self._heard(mine)
        if is_away(mine, rest):
            return self._reading("stuck", mine) if now_ns - mine[-1].t_ns > HELD_NS else None
        answer, settled = self._answer(now_ns)
        if answer is not None or not settled:
            return answer
        if mine and self._before[self.contact.line] == rest:
            return self._flickered(mine, now_ns)
        if now_ns - max([self._since_ns, *(edge.t_ns for edge in self._edges)]) > PATIENCE_NS:
            return self.give_up()
        return None

    def give_up(self) -> ContactReading:
        """Return what there is to say when nothing more is to come."""
        line = self.contact.line
        if self.blocked:
            return ContactReading(line, "stuck")
        if self._answers:
            return ContactReading(line, "wrong", heard=self._answers[-1])
        return ContactReading(line, "weak" if self.weak else "silent")

    def _ask_again(self, now_ns: int) -> None:
        self._edges.clear()
        self._since_ns = now_ns

    def _flickered(self, mine: tuple[Train, ...], now_ns: int) -> ContactReading | None:
        """Count a touch that was too short to be one; three of them are enough."""
        self.weak += 1
        reading = self._reading("weak", mine)
        self._ask_again(now_ns)
        return reading if self.weak >= MOST_TRIES else None

    def _answer(self, now_ns: int) -> tuple[ContactReading | None, bool]:
        """Note which line answered instead; twice the same, or three tries, are enough.

        The second value says whether no other line is held or moving just now.
        """
        others = {edge.line for edge in self._edges} - {self.contact.line}
        answered = []
        for line in others:
            trains = trains_of(self._edges, line)
            quiet_ns = now_ns - trains[-1].end_ns
            held = is_away(trains, self._lines[line].rest)
            if quiet_ns < (HELD_NS if held else SETTLE_NS):
                return None, False
            if held or acted(trains, self._lines[line].rest):
                answered.append((trains[0].t_ns, line))
        if not answered:
            return None, True
        heard = min(answered)[1]
        trace = _trace(edge for edge in self._edges if edge.line == heard)
        self._answers.append(heard)
        self._ask_again(now_ns)
        if self._answers.count(heard) < 2 and len(self._answers) < MOST_TRIES:
            return None, True
        return ContactReading(self.contact.line, "wrong", heard=heard, trace=trace), True

    def _heard(self, mine: tuple[Train, ...]) -> ContactReading:
        """Judge a contact that has left its rest and come back."""
        bridged, coupled = self._along(mine)
        if bridged:
            return self._reading("bridged", mine, others=bridged)
        if coupled:
            return self._reading("crosstalk", mine, others=coupled)
        judged = self._judged(mine)
        longest_ns = max(train.span_ns for train in judged)
        if longest_ns > self._timing.lockout_ns or _chatters(judged):
            return self._reading("bouncing", mine)
        if any(train.crawls for train in mine if train.level == 0):
            return self._reading("slow", mine)
        return self._reading("bouncy" if longest_ns > self._timing.lockout_ns // 2 else "ok", mine)

    def _judged(self, mine: tuple[Train, ...]) -> tuple[Train, ...]:
        """Return the trains that are judged: of a spoon its lift, for it rattles when it is laid back."""
        if self.contact.kind not in ("spoon", "dock"):
            return mine
        return tuple(train for train in mine if train.level != self.contact.rest)[:1]

    def _along(self, mine: tuple[Train, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the lines that went all the way along, and those that only flickered.

        A free pin may flicker: nothing hangs on it.
        """
        stamps = [edge.t_ns for train in mine for edge in train.edges]
        bridged: list[str] = []
        coupled: list[str] = []
        for line in sorted({edge.line for edge in self._edges} - {self.contact.line}):
            trains = trains_of(self._edges, line)
            near = [train for train in trains if _near(train, stamps)]
            if not near:
                continue
            rest = self._lines[line].rest
            if acted(trains, rest) and any(train.level != rest for train in near):
                bridged.append(line)
            elif self._lines[line].kind != "spare":
                coupled.append(line)
        return tuple(bridged), tuple(coupled)

    def _reading(
        self, outcome: Outcome, mine: tuple[Train, ...], others: tuple[str, ...] = ()
    ) -> ContactReading:
        away = [train for train in mine if train.level != self.contact.rest]
        back = [train for train in mine if train.level == self.contact.rest]
        shown = {self.contact.line, *others}
        return ContactReading(
            self.contact.line,
            outcome,
            others=others,
            away=_swing(away),
            back=_swing(back),
            presses=len(away),
            trace=_trace(edge for edge in self._edges if edge.line in shown),
        )


def _chatters(trains: tuple[Train, ...]) -> bool:
    """Return whether a contact changed its mind faster than a person: off and on again, or on and off."""
    pauses = [later.t_ns - train.end_ns for train, later in pairwise(trains)]
    return len(trains) > 2 and min(pauses) < REPRESS_NS


def _trace(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return *edges* in order of time, as many as a report shows."""
    return tuple(sorted(edges, key=lambda edge: edge.t_ns)[:MOST_SHOWN])


def _near(train: Train, stamps: Iterable[int]) -> bool:
    return any(abs(edge.t_ns - stamp) <= COUPLED_NS for edge in train.edges for stamp in stamps)


def _swing(trains: list[Train]) -> Swing | None:
    """Return the longest of *trains* as figures."""
    if not trains:
        return None
    longest = max(trains, key=lambda train: train.span_ns)
    return Swing(len(longest.edges), longest.span_ns, max(edge.u_ns for edge in longest.edges))
