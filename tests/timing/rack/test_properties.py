"""Spoons against the truth, on random rounds; with faults they are played in `test_campaign`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Input,
    Judged,
    Late,
    Levels,
    Rack,
    RefereeEvent,
    Verdict,
    Watermark,
)
from lastnose.companion.timing import ArmRequest, Referee, Settings, rejudge

from tests.support.examples import examples

US, MS, S = 1_000, 1_000_000, 1_000_000_000
SEEDS = st.integers(0, 2**48)
FEW = settings(max_examples=examples(150), deadline=None)
ONCE = Settings(rearm_ns=None)


class Event(NamedTuple):
    """A lift (seat 0) or a touch of a seat."""

    seat: int
    t_ns: int


def left_in(order: Sequence[Event], seats: Sequence[int]) -> tuple[int | None, list[int]]:
    """Return who is left without a spoon, if one alone is, and who touched while there was none to be had."""
    lying, without, phantoms = 0, list(seats), list[int]()
    for event in order:
        if event.seat == 0:
            lying += 1
        elif event.seat in without and len(without) > 1:
            if lying > 0:
                lying -= 1
                without.remove(event.seat)
            else:
                phantoms.append(event.seat)
    return without[0] if len(without) == 1 else None, phantoms


class Round:
    """A random round: lifts and touches in true order, and every edge as stamped.

    Players take a spoon and touch; some touch without one, and again when they have one; some feint.
    """

    def __init__(self, seed: int, *, crowd: bool) -> None:
        rng = self.rng = random.Random(seed)
        self.seats = tuple(range(1, rng.randint(3, 5) + 1))
        self.worth = {
            name: (rng.choice([0, 1 * US, 10 * US, 2 * MS]), rng.choice([0, 0, 1 * MS]))
            for name in ("s0", "s1")[: rng.choice([1, 1, 2])]
        }
        self.lines = [f"nose.{seat}" for seat in self.seats] + [f"spoon.{n}" for n in self.seats[:-1]]
        self.source = {line: rng.choice(sorted(self.worth)) for line in self.lines}
        self.noses = {f"nose.{seat}": seat for seat in self.seats}
        self.events: list[Event] = []
        self.edges: list[Edge] = []
        self.feints = 0
        spacing = rng.choice([0, 3, 5 * US, 15 * US, 3 * MS] if crowd else [25 * MS])
        least = 0 if crowd else 10 * MS
        t = 5 * S
        pending = list(rng.sample(self.seats, len(self.seats)))
        spoons = [f"spoon.{n}" for n in self.seats[:-1]]
        rng.shuffle(spoons)
        free_ns = dict.fromkeys(self.lines, 0)
        while pending and len(self.events) < 9:
            t += least + rng.randint(0, spacing) + rng.choice([0, 0, 400 * MS])
            seat = pending[0]
            nose = f"nose.{seat}"
            kind = rng.random()
            if kind < 0.15 and free_ns[nose] < t:
                self._act(nose, t, seat)  # a bluff
                free_ns[nose] = self._end(nose, t)
            elif kind < 0.25 and spoons and not crowd:
                self._feint(spoons[0], t)
                t += 400 * MS
            elif spoons:
                self._act(spoons.pop(), t, 0)
                t += least + rng.randint(0, spacing)
                t = max(t, free_ns[nose] + 1)
                self._act(nose, t, seat)
                pending.pop(0)
            else:
                t = max(t, free_ns[nose] + 1)
                self._act(nose, t, seat)
                pending.pop(0)
        rng.shuffle(self.edges)

    def _act(self, line: str, t: int, seat: int) -> None:
        """Let a line leave its rest at *t*, bouncing perhaps."""
        self.events.append(Event(seat, t))
        self._train(line, t, 0 if line.startswith("spoon") else 1)

    def _train(self, line: str, t: int, level: int) -> None:
        source = self.source[line]
        u, c = self.worth[source]
        self.edges.append(Edge(t, source, line, level, u, c))
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            for bounce in (1 - level, level):
                t += self.rng.randint(5 * US, 300 * US)
                self.edges.append(Edge(t, source, line, bounce, u, c))

    def _end(self, line: str, t: int) -> int:
        """Let a touch end 30 ms later; return when the line may be touched again."""
        self._train(line, t + 30 * MS, 0)
        return t + 60 * MS

    def _feint(self, line: str, t: int) -> None:
        """Lift a spoon and put it back within 300 ms, with nothing else in between."""
        self.feints += 1
        self._train(line, t, 0)
        self._train(line, t + self.rng.randint(25 * MS, 290 * MS), 1)

    def start(self) -> list[Input]:
        """Return what the sources say first."""
        return [
            Levels(
                {line: int("spoon" in line) for line in self.lines if self.source[line] == name},
                0,
                name,
                *worth,
            )
            for name, worth in sorted(self.worth.items())
        ]

    def told(self, stream: Iterable[Input] | None = None) -> list[RefereeEvent]:
        """Return what a referee says of it, to the end."""
        referee = Referee(self.noses, ONCE, self.worth)
        referee.watch(self.seats, rack=Rack(tuple(self.seats[:-1])))
        items = [ArmRequest(2 * S), *self.start(), *(self.edges if stream is None else stream)]
        said = [one for item in items for one in referee.feed(item)]
        return said + list(referee.end())


def verdict_of(said: Iterable[RefereeEvent]) -> Verdict | None:
    """Return the verdict, None when the round was not decided."""
    (judged,) = [one for one in said if isinstance(one, Judged)] or [None]
    return None if judged is None or str(judged.verdict.void) == "tape ended" else judged.verdict


@FEW
@given(SEEDS)
def test_feints_and_touches_without_a_spoon_are_shown_and_change_nothing(seed: int) -> None:
    """Everybody keeps 10 ms apart: the verdict is the true one, with every feint and phantom told apart."""
    the_round = Round(seed, crowd=False)
    verdict = verdict_of(the_round.told())
    left, phantoms = left_in(sorted(the_round.events, key=lambda event: event.t_ns), the_round.seats)
    if verdict is None:
        assert left is None
        return
    assert (left,) == verdict.last
    assert the_round.feints == len(verdict.feints)
    assert sum(1 for event in the_round.events if not event.seat) == len(verdict.lifts)
    assert phantoms == [press.seat for press in verdict.phantoms]


@FEW
@given(SEEDS, st.integers(0, 30))
def test_arrival_between_watermarks_and_pieces_change_nothing(seed: int, pieces: int) -> None:
    """Shuffled and cut by any watermarks, or all at once: the same happenings; judged again, the same."""
    the_round = Round(seed, crowd=bool(seed % 2))
    done = [Watermark(10**15, name) for name in the_round.worth]
    whole = the_round.told([*the_round.edges, *done])
    cuts = sorted(the_round.rng.randint(4 * S, 9 * S) for _ in range(pieces))
    stream: list[Input] = []
    for low, high in zip([-1, *cuts], [*cuts, 10**15], strict=True):
        part: list[Input] = [edge for edge in the_round.edges if low <= edge.t_ns < high]
        the_round.rng.shuffle(part)
        stream += [*part, *(Watermark(high, name) for name in the_round.worth)]
    assert whole == the_round.told(stream)
    verdict = verdict_of(whole)
    if verdict is not None:
        judged = next(one for one in whole if isinstance(one, Judged))
        armed = next(one for one in whole if isinstance(one, Armed))
        late = [one for one in whole if isinstance(one, Late)]
        inputs = [*judged.inputs, *(item for one in late for item in one.inputs)]
        again = rejudge(inputs, armed, the_round.noses, ONCE, rack=Rack(tuple(the_round.seats[:-1])))
        assert [*late, judged][0].verdict == again


@FEW
@given(SEEDS, st.sampled_from(["dock", "rack-only"]))
def test_docks_and_the_rack_alone_say_what_happened(seed: int, way: Literal["dock", "rack-only"]) -> None:
    """Spoons come to docks, some leaving again within 1 s; or the rack is emptied, with feints."""
    rng = random.Random(seed)
    seats = tuple(range(1, rng.randint(3, 8) + 1))
    order = rng.sample(seats, len(seats) - 1)
    edges: list[Edge] = []
    t, feints = 5 * S, 0
    for cradle, seat in enumerate(order, 1):
        t += rng.randint(50, 900) * MS
        if rng.random() < 0.3:
            edges += [Edge(t, "a", f"spoon.{cradle}", level, 0) for level in (0,)]
            edges.append(Edge(t + rng.randint(25, 300) * MS, "a", f"spoon.{cradle}", 1, 0))
            t, feints = t + 400 * MS, feints + 1
        edges.append(Edge(t, "a", f"spoon.{cradle}", 0, 0))
        t += rng.randint(50, 400) * MS
        if rng.random() < 0.3:
            edges.append(Edge(t, "a", f"dock.{seat}", 0, 0))
            t += rng.randint(30, 999) * MS
            edges.append(Edge(t, "a", f"dock.{seat}", 1, 0))
            t += 50 * MS
        edges.append(Edge(t, "a", f"dock.{seat}", 0, 0))
    rng.shuffle(edges)
    referee = Referee({f"nose.{seat}": seat for seat in seats}, ONCE, ["a"])
    referee.watch(seats, rack=Rack(seats[:-1], way))
    items: list[Input | ArmRequest] = [Levels({}, 0, "a"), ArmRequest(1), *edges]
    verdict = verdict_of([*(one for item in items for one in referee.feed(item)), *referee.end()])
    assert verdict is not None
    assert feints == len(verdict.feints)
    assert list(range(1, len(seats))) == [lift.cradle for lift in verdict.lifts]
    if way == "dock":
        assert (tuple(order), set(seats) - set(order)) == (verdict.order, set(verdict.last))
    else:
        assert ((), ()) == (verdict.order, verdict.last)


@FEW
@given(SEEDS)
def test_doubt_about_a_touch_and_its_lift_costs_nobody_the_round(seed: int) -> None:
    """All but one take a spoon and touch at once, stamped in any order: it ends, and names nobody else."""
    rng = random.Random(seed)
    seats = tuple(range(1, rng.randint(3, 6) + 1))
    u = rng.choice([0, 1 * US, 10 * US, 2 * MS])
    order = rng.sample(seats, len(seats))
    edges: list[Edge] = []
    t = 5 * S
    for spoon, seat in enumerate(order[:-1], 1):
        t += rng.choice([3 * US, 5 * MS, 300 * MS])
        for line, at in ((f"spoon.{spoon}", t), (f"nose.{seat}", t + rng.choice([0, 1, 4 * US]))):
            edges.append(Edge(at + rng.randint(-u, u), "a", line, int("nose" in line), u))
    start = {f"nose.{seat}": 0 for seat in seats} | {f"spoon.{n}": 1 for n in seats[:-1]}
    referee = Referee({f"nose.{seat}": seat for seat in seats}, ONCE, ["a"])
    referee.watch(seats, rack=Rack(seats[:-1]))
    said = referee.feed(ArmRequest(2 * S), Levels(start, 0, "a", u), *edges, Watermark(60 * S, "a"))
    (judged,) = [one for one in said if isinstance(one, Judged)]
    if judged.verdict.void is None:
        assert order[-1] in judged.verdict.last
