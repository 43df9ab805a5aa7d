"""The whole timing core against the truth and an independent oracle, on random evenings."""

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
CONFIRM, LOCKOUT = 1 * MS, 20 * MS
ONCE = Settings(rearm_ns=None)
SEEDS = st.integers(0, 2**48)
FEW = settings(max_examples=examples(120), deadline=None)


class Evening:
    """A random round with its truth: who pressed when, and every edge the sources stamped."""

    def __init__(self, seed: int, *, exact: bool, quiet: bool = False) -> None:
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
        self.truth: dict[int, int] = {}
        self.edges: list[Edge] = []
        t = 5 * S
        for seat in rng.sample(self.seats, len(self.seats)):
            t += rng.randint(0, spacing)
            self.truth[seat] = t
            u, c = self.worth[self.source[seat]]
            error = 0 if exact else offset[self.source[seat]] + rng.randint(-u, u)
            for edge_t, level in self.life(t, quiet):
                self.edges.append(Edge(edge_t + error, self.source[seat], f"nose.{seat}", level, u, c))
        self.silent = rng.choice([None, None, *self.seats])
        if self.silent:
            self.edges = [edge for edge in self.edges if edge.line != f"nose.{self.silent}"]
        rng.shuffle(self.edges)

    def life(self, t: int, quiet: bool) -> Iterable[tuple[int, int]]:
        """Yield a nose's edges: perhaps a glitch long before, a bouncing press at *t*, perhaps a release."""
        rng = self.rng
        if quiet:
            yield t, 1
            return
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

    def stamps(self) -> dict[int, oracle.Stamp | None]:
        """Return each seat's first press as the oracle reads its edges."""
        found: dict[int, oracle.Stamp | None] = {}
        for seat in self.seats:
            mine = sorted(
                ((e.t_ns, e.level) for e in self.edges if e.line == f"nose.{seat}"), key=lambda e: e[0]
            )
            changes, noisy = oracle.changes(mine, CONFIRM, LOCKOUT)
            assert not noisy
            u, c = self.worth[self.source[seat]]
            found[seat] = oracle.Stamp(changes[0][0], u, self.source[seat], c) if changes else None
        return found


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
@given(SEEDS)
def test_verdict_is_what_law_4_says_of_all_presses(seed: int) -> None:
    """With every edge known, the streamed verdict is the one the oracle reads off the whole list."""
    evening = Evening(seed, exact=True)
    stamps = evening.stamps()
    said = tell(referee_of(evening), [ArmRequest(2 * S), *evening.start(), *evening.edges])
    verdict = final(said)
    if len(evening.seats) == 2 and evening.silent:
        assert set(verdict.last) == {evening.silent}
    assert oracle.last_of(stamps) == set(verdict.last)
    assert (len(verdict.last) > 1) == verdict.dead_heat
    assert verdict.void is None
    pressed = sorted((stamp.t, seat) for seat, stamp in stamps.items() if stamp)
    assert tuple(seat for _, seat in pressed) == verdict.order
    if verdict.margin_ns is not None and verdict.u_ns is not None:
        assert verdict.dead_heat == (verdict.margin_ns <= verdict.u_ns)
    assert (verdict.margin_ns is None) == (evening.silent is not None)


@FEW
@given(SEEDS)
def test_no_verdict_contradicts_the_true_last(seed: int) -> None:
    """With stamps wrong by up to what they declare, the truly last seat is always among the named."""
    evening = Evening(seed, exact=False, quiet=True)
    verdict = final(tell(referee_of(evening), [ArmRequest(2 * S), *evening.start(), *evening.edges]))
    true_last = evening.silent or max(evening.truth, key=lambda seat: evening.truth[seat])
    if list(evening.truth.values()).count(max(evening.truth.values())) == 1:
        assert true_last in verdict.last


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


def hold_evening(rng: random.Random) -> tuple[dict[int, list[tuple[int, int]]], dict[int, tuple[int, int]]]:
    """Return true holds (pressed, released) by seat, all times different, and each seat's (source, u)."""
    seats = range(1, rng.randint(2, 6) + 1)
    spacing = rng.choice([200 * US, 3 * MS, 40 * MS])
    holds: dict[int, list[tuple[int, int]]] = {}

    def own(t: int) -> int:
        """Return a time from *t* on that this seat shares with no other: seats count within 8 ns."""
        return t // 8 * 8 + seat

    for seat in seats:
        t, mine = 5 * S, []
        for _ in range(rng.randint(1, 4)):
            pressed = own(t + rng.randint(1, 6) * spacing + rng.randint(0, 3000))
            t = own(pressed + 25 * MS + rng.randint(0, 8) * spacing + rng.randint(0, 3000))
            mine.append((pressed, t))
            t += 25 * MS
        if rng.random() < 0.5:
            mine[-1] = mine[-1][0], 1000 * S
        holds[seat] = mine
    worth = {seat: rng.choice([(0, 0), (1, 10 * US), (1, 10 * US), (2, 2 * MS)]) for seat in seats}
    return holds, worth


@FEW
@given(SEEDS, st.booleans())
def test_with_hold_nobody_is_named_who_was_not_missing(seed: int, exact: bool) -> None:
    """The named seat is the one truly missing when all but one were held; doubt is void or a dead heat."""
    rng = random.Random(seed)
    holds, worth = hold_evening(rng)
    edges: list[Edge] = []
    for seat, intervals in holds.items():
        source, u = worth[seat]
        for pressed, released in intervals:
            for t, level in ((pressed, 1), (released, 0)):
                if t < 1000 * S:
                    error = 0 if exact else rng.randint(-u, u)
                    edges.append(Edge(t + error, f"s{source}", f"nose.{seat}", level, u))
    sources = sorted({f"s{source}" for source, _ in worth.values()})
    lines = {f"nose.{seat}": seat for seat in holds}
    start = [
        Levels({f"nose.{seat}": 0 for seat in holds if f"s{worth[seat][0]}" == source}, 0, source, u)
        for source, u in sorted({(f"s{source}", u) for source, u in worth.values()})
    ]
    referee = Referee(lines, ONCE, sources)
    referee.watch(tuple(holds), hold=True)
    said = tell(referee, [ArmRequest(2 * S), *start, *edges])
    verdicts = [one.verdict for one in said if isinstance(one, Judged)]
    truth = oracle.last_of_held(holds)
    if truth is None:
        assert all(verdict.void is not None for verdict in verdicts)
        return
    assert len(verdicts) == 1
    if verdicts[0].void is None:
        assert truth in verdicts[0].last
    if all(u == 0 for _, u in worth.values()):
        assert verdicts[0].void is None
        assert (truth,) == verdicts[0].last
    armed = next(one for one in said if isinstance(one, Armed))
    judged = next(one for one in said if isinstance(one, Judged))
    again = rejudge(judged.inputs, armed, lines, ONCE, hold=True)
    assert judged.verdict.last == again.last
    assert judged.verdict.void == again.void


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
@given(SEEDS, st.booleans())
def test_lost_edges_never_name_the_wrong_last(seed: int, admitted: bool) -> None:
    """A source loses edges, and says so or is given away by its levels: nobody is named wrongly."""
    evening = Evening(seed, exact=True)
    rng = evening.rng
    begin = rng.choice(list(evening.truth.values())) + rng.randint(-50 * MS, 5 * MS)
    end = begin + rng.choice([1 * MS, 30 * MS, 500 * MS])
    loser = rng.choice(sorted(evening.worth))
    lost = [edge for edge in evening.edges if edge.source == loser and begin < edge.t_ns < end]
    if not admitted:
        lost = [edge for edge in lost if rng.random() < 0.5]
    levels = {f"nose.{seat}": 0 for seat in evening.seats if evening.source[seat] == loser}
    known = dict(levels)
    for edge in sorted(evening.edges, key=lambda edge: edge.t_ns):
        if edge.source == loser and edge.t_ns < end:
            levels[edge.line] = edge.level
            if edge not in lost:
                known[edge.line] = edge.level
    if not admitted and any(levels[edge.line] == known[edge.line] for edge in lost):
        return  # nothing gives this loss away
    news: list[Input] = [Levels(levels, end, loser)]
    if admitted:
        news.append(Gap(begin, end, loser))
    kept = [edge for edge in evening.edges if edge not in lost]
    said = tell(referee_of(evening), [ArmRequest(2 * S), *evening.start(), *kept, *news])
    true_last = oracle.last_of(evening.stamps())
    for one in said:
        found_out = admitted or (isinstance(one, Judged) and one.t_ns > end)
        if isinstance(one, Judged) and one.verdict.void is None and found_out:
            assert set(one.verdict.last) == true_last
    armed = next(one for one in said if isinstance(one, Armed))
    for one in said:
        if isinstance(one, Judged) and str(one.verdict.void) != "tape ended":
            again = rejudge(one.inputs, armed, evening.lines, ONCE)
            assert (one.verdict.last, one.verdict.void) == (again.last, again.void)
    assert any(isinstance(one, Judged) for one in said) or len(evening.truth) - len(lost) <= 0


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
