"""The timing core on random evenings: told in any pieces, judged again, with losses that are tried out."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Gap,
    Input,
    Judged,
    Late,
    Levels,
    RefereeEvent,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.timing import FOREVER, ArmRequest, Referee, Rejudging, Settings, rejudge

from tests.support import oracle
from tests.support.examples import examples

US, MS, S = 1_000, 1_000_000, 1_000_000_000
CONFIRM = 1 * MS
ONCE = Settings(rearm_ns=None)
SEEDS = st.integers(0, 2**48)
FEW = settings(max_examples=examples(120), deadline=None)


class Evening:
    """A random round: every edge that the sources stamped."""

    def __init__(self, seed: int, *, exact: bool) -> None:
        rng = self.rng = random.Random(seed)
        self.seats = tuple(range(1, rng.randint(2, 26) + 1))
        self.lines = {f"nose.{seat}": seat for seat in self.seats}
        self.worth = {
            f"s{n}": (rng.choice([0, 1 * US, 10 * US, 3 * MS]), rng.choice([0, 50 * US, 1 * MS]))
            for n in range(rng.choice([1, 1, 2, 3]))
        }
        self.source = {seat: rng.choice(sorted(self.worth)) for seat in self.seats}
        offset = {source: 0 if exact else rng.randint(-c, c) for source, (_, c) in self.worth.items()}
        spacing = rng.choice([0, 1, 500, 20 * US, 900 * US, 5 * MS, 300 * MS, 2 * S])
        self.edges: list[Edge] = []
        t = 5 * S
        for seat in rng.sample(self.seats, len(self.seats)):
            t += rng.randint(0, spacing)
            u, c = self.worth[self.source[seat]]
            error = 0 if exact else offset[self.source[seat]] + rng.randint(-u, u)
            for edge_t, level in self.life(t):
                self.edges.append(Edge(edge_t + error, self.source[seat], f"nose.{seat}", level, u, c))
        silent = rng.choice([None, None, *self.seats])
        if silent:
            self.edges = [edge for edge in self.edges if edge.line != f"nose.{silent}"]
        rng.shuffle(self.edges)

    def life(self, t: int) -> Iterable[tuple[int, int]]:
        """Yield a nose's edges: perhaps a glitch long before, a bouncing press at *t*, perhaps a release."""
        rng = self.rng
        if rng.random() < 0.3:
            early = t - rng.randint(30 * MS, 2 * S)
            yield from [(early, 1), (early + rng.randint(1, 900 * US), 0)]
        yield t, 1
        for _ in range(rng.choice([0, 0, 1, 3])):
            t += rng.randint(5 * US, 400 * US)
            yield t, 0
            t += rng.randint(5 * US, 400 * US)
            yield t, 1
        if rng.random() < 0.2:
            t += rng.randint(1, 400 * US)
            yield t, 1  # a repeated level
        if rng.random() < 0.5:
            t += rng.choice([rng.randint(2 * MS, 30 * MS), rng.randint(30 * MS, 3 * S)])
            yield t, 0
            if rng.random() < 0.5:
                yield t + rng.randint(5 * US, 400 * US), 1
                yield t + rng.randint(400 * US, 800 * US), 0

    def start(self) -> list[Input]:
        """Return what sources say first: levels, and what their stamps are worth."""
        return [
            Levels(
                {f"nose.{seat}": 0 for seat in self.seats if self.source[seat] == source},
                0,
                source,
                *self.worth[source],
            )
            for source in sorted(self.worth)
        ]


def tell(referee: Referee, inputs: Iterable[Input | ArmRequest]) -> list[RefereeEvent]:
    """Feed everything to the end and return what happened."""
    said = [happening for one in inputs for happening in referee.feed(one)]
    return said + list(referee.end())


def with_promises(
    edges: Sequence[Edge], sources: Iterable[str], rng: random.Random, pieces: int
) -> list[Input]:
    """Return the edges, shuffled between watermarks that all keep what they promise."""
    cuts = sorted(rng.randint(4 * S, 60 * S) for _ in range(pieces))
    stream: list[Input] = []
    for low, high in zip([-(10**18), *cuts], [*cuts, 10**18], strict=True):
        part: list[Input] = [edge for edge in edges if low <= edge.t_ns < high]
        rng.shuffle(part)
        stream += part
        stream += [Watermark(high, source) for source in sources]
    return stream


def referee_of(evening: Evening) -> Referee:
    """Return a referee that waits for all sources of the evening and watches all its seats."""
    referee = Referee(evening.lines, ONCE, evening.worth)
    referee.watch(evening.seats)
    return referee


def final(said: Sequence[RefereeEvent]) -> Verdict:
    """Return the one verdict, completed if a late press completed it."""
    verdicts = [one.verdict for one in said if isinstance(one, Judged | Late)]
    assert 1 == len([one for one in said if isinstance(one, Judged)])
    return verdicts[-1]


@FEW
@given(SEEDS, st.integers(0, 40))
def test_arrival_between_watermarks_and_pieces_change_nothing(seed: int, pieces: int) -> None:
    """Shuffled and cut by any watermarks, or all at once: the same happenings, inputs and all."""
    evening = Evening(seed, exact=True)
    start = [ArmRequest(2 * S), *evening.start()]
    whole = tell(referee_of(evening), [*start, *evening.edges])
    rng = random.Random(seed + 1)
    cut = with_promises(evening.edges, evening.worth, rng, pieces)
    assert whole == tell(referee_of(evening), [*start, *cut])


@FEW
@given(SEEDS)
def test_a_round_judged_again_from_its_inputs_is_judged_the_same(seed: int) -> None:
    """What Judged and Late carry suffices for an appeal; with the same settings it changes nothing."""
    evening = Evening(seed, exact=True)
    said = tell(referee_of(evening), [ArmRequest(2 * S), *evening.start(), *evening.edges])
    armed = next(one for one in said if isinstance(one, Armed))
    judged = next(one for one in said if isinstance(one, Judged))
    late = [item for one in said if isinstance(one, Late) for item in one.inputs]
    again = rejudge(judged.inputs, armed, evening.lines, ONCE)
    assert judged.verdict.last == again.last
    assert judged.verdict.order == again.order[: len(judged.verdict.order)]
    assert final(said) == rejudge([*judged.inputs, *late], armed, evening.lines, ONCE)


def handed_over(seed: int) -> list[Input | ArmRequest]:
    """Return a round in which noses pass from page to page: some edges are late, some pages leave or lose."""
    rng = random.Random(seed)
    lines = [f"nose.{seat}" for seat in range(1, 5)]
    down = dict.fromkeys(lines, 0)
    t_ns = 1 * S
    items: list[Input | ArmRequest] = [
        Levels(down.copy(), 0, "page.a", 1 * US, 0),
        Watermark(0, "gpio"),
        ArmRequest(t_ns),
    ]
    for _ in range(rng.randint(4, 16)):
        t_ns += rng.choice([1, 10, 60, 200]) * MS
        page, line, what = rng.choice(["page.a", "page.b"]), rng.choice(lines), rng.random()
        if what < 0.15:
            items.append(Watermark(2**63 - 1, page))
        elif what < 0.5:
            items.append(Watermark(t_ns - rng.choice([0, 0, 5, 50]) * MS, rng.choice(["gpio", page])))
        elif what < 0.9:
            down[line] ^= 1
            late_ns = rng.choice([0, 0, 0, 5, 12, 80]) * MS
            u_ns, clock_u_ns = rng.choice([1 * US, 8 * MS]), rng.choice([0, 1 * MS])
            items.append(Edge(t_ns - late_ns, page, line, down[line], u_ns, clock_u_ns))
        else:
            items.append(Gap(t_ns - 10 * MS, t_ns, page, rng.choice([None, (line,)])))
            items.append(Levels(down.copy(), t_ns, page, 1 * US, 0))
    return [*items, *(Watermark(t_ns + 9 * S, page) for page in ("gpio", "page.a", "page.b"))]


@FEW
@given(SEEDS)
@example(192)
@example(461)
def test_a_round_whose_noses_passed_from_page_to_page_is_judged_again_as_it_was(seed: int) -> None:
    """Also where an edge came later than promised: on the tape is what was made of it, and when.

    A round may be void for an edge that came too late and is not on its tape, but nobody is named so.
    """
    lines = {f"nose.{seat}": seat for seat in range(1, 5)}
    referee = Referee(lines, ONCE)
    referee.watch(tuple(lines.values()))
    kinds = Armed | Judged | Late | Withdrawn
    said = [one for one in referee.feed(*handed_over(seed)) if isinstance(one, kinds)]
    for armed, judged, after in zip(said, said[1:], [*said[2:], None], strict=False):
        if (
            not isinstance(armed, Armed)
            or not isinstance(judged, Judged)
            or isinstance(after, Late | Withdrawn)
        ):
            continue
        told, again = judged.verdict, rejudge(judged.inputs, armed, lines, ONCE)
        if told.void is None:
            assert (told.last, None) == (again.last, again.void)
            assert told.order == again.order[: len(told.order)]


@FEW
@given(SEEDS)
def test_a_gap_voids_exactly_when_a_press_in_it_could_change_the_last(seed: int) -> None:
    """Every placing of every doubtful press is tried: the round is void exactly if one of them matters."""
    rng = random.Random(seed)
    seats = tuple(range(1, rng.randint(2, 5) + 1))
    worth = {"a": (rng.choice([0, 1, 3]), 0), "b": (rng.choice([0, 2]), rng.choice([0, 2]))}
    source = {seat: rng.choice("aab") for seat in seats}
    unit, base = 40 * MS, 10 * S  # so far apart that trains cannot touch; w spans a few units
    worth = {name: (u * unit, c * unit) for name, (u, c) in worth.items()}
    stamps: dict[int, oracle.Stamp | None] = {
        seat: oracle.Stamp(
            base + rng.randint(0, 12) * unit, worth[source[seat]][0], source[seat], worth[source[seat]][1]
        )
        for seat in seats
    }
    if rng.random() < 0.4:
        stamps[rng.choice(seats)] = None
    gaps = [
        Gap(base + at * unit + 1, base + (at + rng.randint(0, 4)) * unit + unit // 2, rng.choice("ab"))
        for at in rng.sample(range(-3, 12), rng.choice([1, 1, 2]))
    ]
    edges = [
        Edge(stamp.t, stamp.source, f"nose.{seat}", 1, stamp.u, stamp.c)
        for seat, stamp in stamps.items()
        if stamp
    ]
    evening_start = [
        Levels({f"nose.{seat}": 0 for seat in seats if source[seat] == name}, 0, name, *worth[name])
        for name in "ab"
    ]
    lines = {f"nose.{seat}": seat for seat in seats}
    referee = Referee(lines, ONCE, "ab")
    referee.watch(seats)
    armed_ns = base - 4 * unit  # before all gaps: nothing would be armed in one
    said = tell(referee, [ArmRequest(armed_ns), *evening_start, *edges, *gaps])
    judged = next(one for one in said if isinstance(one, Judged))

    doubtful: dict[int, list[int]] = {}
    for seat in seats:
        stamp = stamps[seat]
        for gap in gaps:
            reach = range(max(gap.from_ns, armed_ns), gap.to_ns + 1, unit // 4)
            unsettled = stamp is None or stamp.t + CONFIRM > gap.from_ns
            if gap.source == source[seat] and unsettled and reach:
                doubtful.setdefault(seat, []).extend([*reach, gap.to_ns])
    whole = dict(stamps)
    moved = {seat: [*places] for seat, places in doubtful.items()}
    assert (judged.verdict.void is not None) == can_change_with_worth(whole, moved, source, worth)
    armed = next(one for one in said if isinstance(one, Armed))
    again = rejudge(judged.inputs, armed, lines, ONCE)
    assert judged.verdict.last == again.last
    assert judged.verdict.void == again.void


def can_change_with_worth(
    stamps: dict[int, oracle.Stamp | None],
    doubtful: dict[int, list[int]],
    source: dict[int, str],
    worth: dict[str, tuple[int, int]],
) -> bool:
    """Ask the oracle, with a missing press placed at the worth of its own line."""
    return oracle.can_change(
        stamps,
        doubtful,
        {seat: oracle.Stamp(0, worth[name][0], name, worth[name][1]) for seat, name in source.items()},
    )


@FEW
@given(SEEDS, st.integers(1, 60), st.booleans())
def test_a_wild_stream_tells_the_same_however_it_is_cut_and_shuffled(
    seed: int, pieces: int, hold: bool
) -> None:
    """Chatter, held noses, host, gaps, contradicting levels, requests, several rounds: all deterministic."""
    rng = random.Random(seed)
    sources = ["a", "b"]
    items: list[Edge | Levels | Gap] = [Levels({}, 0, "a")]  # the first thing seen, which may arm
    for n, line in enumerate(["nose.1", "nose.2", "nose.3", "nose.4", "host"]):
        t = rng.randint(0, 2 * S)
        for _ in range(rng.randint(0, 60)):
            t += rng.choice([300 * US, 700 * US, 1 * MS, 5 * MS, 25 * MS, 400 * MS, 1 * S]) + rng.randint(
                1, 900
            )
            items.append(Edge(t, sources[n % 2], line, rng.randint(0, 1), rng.choice([0, 10 * US])))
    for _ in range(rng.choice([0, 1, 4])):
        t, source = rng.randint(0, 20 * S), rng.choice(sources)
        items.append(Gap(t, t + rng.choice([0, 5 * MS, 1 * S]), source))
        items.append(Levels({f"nose.{rng.randint(1, 4)}": rng.randint(0, 1)}, t + 1, source))
    requests = [ArmRequest(rng.randint(0, 20 * S)) for _ in range(rng.choice([0, 0, 2]))]

    def run(stream: Iterable[Input]) -> list[RefereeEvent]:
        lines = {f"nose.{seat}": seat for seat in (1, 2, 3, 4)}
        referee = Referee(lines, Settings(rearm_ns=rng_rearm), sources)
        referee.watch((1, 2, 4), hold)
        return tell(referee, [*requests, *stream])

    rng_rearm = rng.choice([None, 0, 50 * MS, 3 * S])
    whole = run([*items, *(Watermark(10**15, source) for source in sources)])
    cuts = sorted(rng.randint(0, 30 * S) for _ in range(pieces))
    stream: list[Input] = []
    for low, high in zip([-1, *cuts], [*cuts, 10**15], strict=True):
        part: list[Input] = [
            item for item in items if low <= (item.from_ns if isinstance(item, Gap) else item.t_ns) < high
        ]
        rng.shuffle(part)
        stream += part
        marks = [Watermark(high, source) for source in sources]
        rng.shuffle(marks)
        stream += marks[: rng.randint(1, 2)] if high < 10**15 else marks
    assert whole == run(stream)


@FEW
@given(SEEDS, st.booleans())
def test_a_round_that_is_judged_again_as_it_comes_is_judged_as_if_all_had_come_at_once(
    seed: int, ordered: bool
) -> None:
    """Whatever comes late: a touch after all others, or edges older than what was taken as settled."""
    evening = Evening(seed, exact=False)
    edges = sorted(evening.edges, key=lambda edge: edge.t_ns) if ordered else evening.edges
    cut = evening.rng.randint(0, len(edges))
    before, late = (*evening.start(), *edges[:cut]), tuple(edges[cut:])
    armed = Armed(1 * S, evening.seats)
    made = Rejudging(armed, evening.lines, ONCE)
    assert rejudge(before, armed, evening.lines, ONCE) == made.begin(before)
    assert rejudge((*before, *late), armed, evening.lines, ONCE) == made.end(before, late)


def test_a_forged_stamp_at_the_end_of_time_is_judged_again_as_any_other() -> None:
    """It is a number of 64 bits, and nothing is due after it: whoever forges it cannot hold the hall up."""
    lines = {f"nose.{seat}": seat for seat in (1, 2, 3)}
    armed = Armed(1 * S, (1, 2, 3))
    for forged_ns in (FOREVER, FOREVER - ONCE.confirm_ns):
        touches = tuple(
            Edge(t_ns, "gpio", f"nose.{seat}", 1, 1_000) for seat, t_ns in ((1, 2 * S), (2, forged_ns))
        )
        again = rejudge(touches, armed, lines, ONCE)
        assert "tape ended" == str(again.void)
        assert again == Rejudging(armed, lines, ONCE).begin(touches)
