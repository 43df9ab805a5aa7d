"""Quizzes: questions that are opened, touches too early, teams, an end, and openings for who is left.

As in `simulator` the truth comes first. What an opening decrees goes by the stamp (F20 to F23, F26): so a
touch is of the question if its stamp lies in its seat's window, and who was first of those is what hands did.
When a window begins says a second reading of the evidence, written down as the law reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from lastnose.companion.core.model import Armed, Edge, FirstRules, Gap, Input, Levels
from lastnose.companion.timing import FOREVER, ArmRequest

from tests.support.campaign import WAITED, Told, listen, rounds_of
from tests.support.explanations import NEVER_NS, Possible, mirrored, outside
from tests.support.simulator import MS, US, Evening, S, Sent
from tests.support.slow_judge import explained, touches, trains

SETTLE_NS = 150 * MS
OPENING_FAULTS = ("bounce", "late", "lost", "merged", "drift", "sources", "threads")
ANSWER_MS = 300
LATE_NS = 45 * MS  # an edge that took so long to come was told too late


class QuizEvening(Evening):
    """Three questions, each opened once or twice more for who is left, some with the touches made before."""

    all_faults = OPENING_FAULTS
    question = "first"

    def __init__(self, seed: int, faults: tuple[str, ...] | None = None, rounds: int = 3) -> None:
        self.stamped: dict[str, list[tuple[int, int]]] = {}
        super().__init__(seed, faults, rounds)

    def _play(self, rounds: int) -> None:
        rng, t = self.rng, 1 * S
        pairs = ((1, 2), (3, 4)) if len(self.seats) > 3 else ((1, 2),) if len(self.seats) > 2 else ()
        self.rules = FirstRules(
            teams=pairs if rng.random() < 0.4 else (),
            lock_ms=rng.choice([0, 250, 250, 1_000]),
            skips_held=True,
            within_ms=rng.choice([0, 0, 300, 2_000]),
        )
        self._rule()
        self.free_ns = dict.fromkeys(self.seats, t)
        for _ in range(rounds):
            t = self._too_early(t) if rng.random() < 0.6 else t
            self.sent.append(Sent(t, ArmRequest(t)))
            left, spacing = (
                list(self.seats),
                rng.choice([20 * US, 200 * US, 2 * MS, 15 * MS, 60 * MS, 400 * MS]),
            )
            t = self._race(left, t, spacing)
            for _ in range(rng.choice([0, 1, 1, 2])):
                left.remove(rng.choice(left))
                if self.rules.teams:
                    left = [seat for seat in left if rng.random() < 0.8] or left
                t += ANSWER_MS * MS
                goes_on = rng.random() < 0.5
                self.sent.append(Sent(t, ArmRequest(t, tuple(left), goes_on=goes_on)))
                t = self._race(left, t, spacing) if not goes_on or rng.random() < 0.5 else t + ANSWER_MS * MS
                if len(left) < 2:
                    break
            t = max([t, *self.free_ns.values()]) + rng.randint(200 * MS, 900 * MS)
        self.end_ns = t + 5 * S

    def _rule(self) -> None:
        """Change the rules, without a draw that would change what hands do."""

    def _too_early(self, t: int) -> int:
        """Let some touch before the opening, which comes soon; return when it comes. Some still hold then."""
        rng = self.rng
        opening = t + rng.randint(100 * MS, 600 * MS)
        for seat in self.seats:
            if rng.random() < 0.4:
                at_ns = max(
                    self.free_ns[seat], opening - rng.randint(0, rng.choice([50 * US, 20 * MS, 400 * MS]))
                )
                self._held(seat, at_ns, rng.choice([30 * MS, 90 * MS, 700 * MS]))
        return opening

    def _race(self, seats: Sequence[int], t: int, spacing: int) -> int:
        """Let *seats* touch, one after the other; return when all have pressed."""
        rng = self.rng
        t += rng.randint(1 * MS, 700 * MS)
        for seat in rng.sample(seats, len(seats)):
            t += rng.randint(0, spacing)
            if rng.random() < 0.8 and self.free_ns[seat] <= t:
                self._held(seat, t, rng.choice([40 * MS, 200 * MS, 1_500 * MS]))
        return t

    def _held(self, seat: int, at_ns: int, for_ns: int) -> None:
        self._touch(seat, at_ns, at_ns + for_ns)
        self.free_ns[seat] = at_ns + for_ns + 60 * MS

    def _edges(self, source, mine):  # type: ignore[no-untyped-def]
        edges = super()._edges(source, mine)
        for t, edge in edges:
            self.stamped.setdefault(edge.line, []).append((t, edge.t_ns))
        return edges

    def first_touches(self, windows: Mapping[int, tuple[int, int]]) -> dict[int, int]:
        """Return by seat when its first touch that counts truly began, NEVER_NS where it has none."""
        found = {}
        for seat, (from_ns, until_ns) in windows.items():
            stamp_of = dict(self.stamped.get(f"nose.{seat}", ()))
            counts = [one.at_ns for one in self.touches[seat] if from_ns <= stamp_of[one.at_ns] < until_ns]
            found[seat] = min(counts, default=NEVER_NS)
        return found


class GuessingEvening(QuizEvening):
    """The same, with what is touched very soon after an opening taken for a guess, which locks.

    Some guess, and touch once more while they are locked, or a little after.
    """

    def _rule(self) -> None:
        self.rules = msgspec.structs.replace(self.rules, guess_ms=self.rng.choice([50, 100, 300]))

    def _race(self, seats: Sequence[int], t: int, spacing: int) -> int:
        rng = self.rng
        for seat in seats:
            at_ns = t + rng.randint(0, (self.rules.guess_ms + 10) * MS)
            if rng.random() < 0.4 and self.free_ns[seat] <= at_ns:
                self._held(seat, at_ns, 30 * MS)
        return super()._race(seats, t, spacing)


def windows_of(
    evening: QuizEvening,
    armed: Armed,
    evidence: Sequence[Input],
    counted: set[tuple[str, int]],
    *,
    told_all: bool = True,
) -> dict[int, int]:
    """Return by seat from when on its touches count in a question that was opened, as the law reads.

    *counted* are the touches, by line and stamp, of questions before it: they are no false starts. Where
    edges were lost or came late before the opening, what was known then is the referee's to say; and without
    *told_all*, where a question before it was void or taken back, with what had counted in it.
    """
    opening, lock_ns = armed.from_ns, armed.rules.lock_ms * MS
    free, false_starts = dict[int, int](), list[tuple[str, int]]()
    dim = murky(evening, opening) if told_all else set(evening.lines)
    for line, seat in evening.lines.items():
        mine = trains([one for one in evidence if isinstance(one, Edge) and one.line == line])
        if line in dim:
            free[seat] = dict(armed.barred).get(seat, opening)
            false_starts += [(line, one.t_ns) for one in armed.early if one.seat == seat]
            if free[seat] == FOREVER:
                locks = [one.t_ns + lock_ns for one in armed.early if _of_one_side(one.seat, seat, armed)]
                free[seat] = max([_freed(line, opening, mine, evidence), *locks])
            continue
        down, freed_ns = False, -FOREVER
        free[seat] = opening
        for train in mine:
            first = train[0]
            if first.t_ns >= opening:
                break
            if train[-1].level and not down:
                down = True
                sure = first.t_ns + first.u_ns + first.clock_u_ns < opening < first.t_ns + lock_ns
                touch = first.t_ns >= freed_ns + SETTLE_NS and (line, first.t_ns) not in counted
                false_starts += [(line, first.t_ns)] if sure and touch and seat in armed.seats else []
            elif not train[-1].level:
                down, freed_ns = False, first.t_ns
                free[seat] = max(opening, freed_ns + SETTLE_NS)
        if down:
            free[seat] = _freed(line, opening, mine, evidence)
    sides = armed.rules.sides(evening.seats)
    for line, t_ns in false_starts:
        for seat in evening.seats:
            if sides[seat] == sides[evening.lines[line]]:
                free[seat] = max(free[seat], t_ns + lock_ns)
    return _guessed(free, evening, armed, evidence) if armed.rules.guess_ms else free


def _guessed(
    free: dict[int, int], evening: QuizEvening, armed: Armed, evidence: Sequence[Input]
) -> dict[int, int]:
    """Return *free* with those locked who touched surely sooner than anybody can react (DUEL-5)."""
    opening, lock_ns = armed.from_ns, armed.rules.lock_ms * MS
    plays_ns = opening + armed.rules.guess_ms * MS
    sides = armed.rules.sides(evening.seats)
    seen = [
        (train[0].t_ns, evening.lines[line], train[0])
        for line in evening.lines
        for train in touches(line, evidence, opening, plays_ns)
        if train[-1].level
    ]
    for t_ns, seat, edge in sorted(seen, key=lambda one: one[:2]):
        sure = t_ns + edge.u_ns + edge.clock_u_ns < plays_ns
        if sure and free[seat] <= t_ns and seat in armed.seats:
            for other in evening.seats:
                if sides[other] == sides[seat] and free[other] != FOREVER:
                    free[other] = max(free[other], t_ns + lock_ns)
    return {seat: max(t_ns, plays_ns) for seat, t_ns in free.items()}


def _of_one_side(seat: int, other: int, armed: Armed) -> bool:
    return seat == other or any(seat in team and other in team for team in armed.rules.teams)


def _freed(line: str, opening: int, mine: Sequence[Sequence[Edge]], evidence: Sequence[Input]) -> int:
    """Return from when on touches count of a line that was down at the opening: 150 ms after it is up."""
    up_ns = [train[0].t_ns for train in mine if train[0].t_ns >= opening and not train[-1].level]
    up_ns += [
        one.t_ns
        for one in evidence
        if isinstance(one, Levels) and one.levels.get(line) == 0 and one.t_ns >= opening
    ]
    return min(up_ns) + SETTLE_NS if up_ns else FOREVER


def until_of(told: Told) -> int:
    """Return when a question had ended, exclusive: with the next arming, or at the end of its time."""
    within_ms = told.armed.rules.within_ms
    return min(told.until_ns, told.armed.from_ns + within_ms * MS + 1) if within_ms else told.until_ns


def murky(evening: QuizEvening, opening: int) -> set[str]:
    """Return the lines of which edges were lost, or came late, shortly before an opening."""
    found = set()
    for at_ns, item in evening.sent:
        if isinstance(item, Gap) and item.from_ns <= opening + 1 * MS:
            found |= {line for line in evening.lines if evening.of[line].name == item.source}
        if isinstance(item, Edge) and item.t_ns <= opening + 1 * MS and at_ns - item.t_ns > LATE_NS:
            found.add(item.line)
    return found


def weigh_quiz(evening: QuizEvening) -> Counter[str]:
    """Count the questions of an evening by what became of them, and what was said too sharply or not."""
    evidence = [sent.item for sent in evening.sent if isinstance(sent.item, Edge | Gap | Levels)]
    counts: Counter[str] = Counter()
    counted, free, told_all = set[tuple[str, int]](), dict[int, int](), True
    for told in rounds_of(listen(evening)):
        counts["rounds"] += 1
        counts["gone on" if told.armed.since_ns is not None else "opened"] += 1
        counts["false starts"] += len(told.armed.early)
        if told.armed.since_ns is None:
            opened = told.armed
            free = windows_of(evening, told.armed, evidence, counted, told_all=told_all)
        windows = {seat: (free[seat], until_of(told)) for seat in told.armed.seats}
        counted = counted | first_presses(evening, windows, evidence)
        told_all = told_all and told.stands and (told.verdict is None or told.verdict.void is None)
        if told.verdict is None or told.verdict.void == WAITED or not told.stands:
            counts["withdrawn" if not told.stands else "open"] += 1
            continue
        if released_late(evening, told, opened):
            counts["unclear"] += 1
            continue
        counts += _held_to(evening, told, windows, evidence)
    return counts


def released_late(evening: QuizEvening, told: Told, opened: Armed) -> bool:
    """Return whether the release of a nose that was held at the opening, as far as was known, came late.

    *opened*: the question's opening, where *told* only goes on with it: by then it may be known as let go.

    By decree its seat plays from 150 ms after that was told on, and when that was is the referee's to say;
    also where by its stamp it was let go before the opening.
    """
    held = {f"nose.{seat}" for seat, t_ns in opened.barred if t_ns == FOREVER}
    return any(
        isinstance(item, Edge) and item.line in held and at_ns - item.t_ns > LATE_NS and not item.level
        for at_ns, item in evening.sent
        if isinstance(item, Edge) and told.armed.from_ns <= at_ns and item.t_ns < told.until_ns
    )


def first_presses(
    evening: QuizEvening, windows: Mapping[int, tuple[int, int]], evidence: Sequence[Input]
) -> set[tuple[str, int]]:
    """Return, by line and stamp, the touches that counted in a question."""
    found = set()
    for line, seat in evening.lines.items():
        from_ns, until_ns = windows.get(seat, (0, 0))
        presses = [train[0].t_ns for train in touches(line, evidence, from_ns, until_ns) if train[-1].level]
        found |= {(line, t_ns) for t_ns in presses[:1]}
    return found


def _held_to(
    evening: QuizEvening, told: Told, windows: dict[int, tuple[int, int]], evidence: Sequence[Input]
) -> Counter[str]:
    """Hold a verdict to the truth, and to each explanation of the evidence."""
    verdict, sides = told.verdict, told.armed.rules.sides(told.armed.seats)
    assert verdict is not None
    touched = _of_sides(evening.first_touches(windows), sides)
    pressed = {side: t for side, t in touched.items() if t < NEVER_NS}
    truth = {side for side, t in pressed.items() if t == min(pressed.values())}
    named = {sides[seat] for seat in verdict.first}
    counts: Counter[str] = Counter()
    found: Possible | None = None
    if len(told.armed.seats) <= 4:
        found = mirrored(_of_sides(one, sides) for one in explained(windows, evening.lines, evidence))
    if verdict.void is not None:
        nobody = found is not None and found.high_ns == 0 and not pressed
        return Counter(
            {"void": 1, "needless void": found is not None and len(found.lasts) == 1 and not nobody}
        )
    if verdict.nobody:
        return Counter({"nobody": 1, "wrong": bool(pressed)})
    counts["dead heat" if verdict.dead_heat else "named"] += 1
    counts["wrong"] += not truth <= named if verdict.dead_heat else truth != named
    counts["wrong"] += verdict.dead_heat != (len(named) > 1)
    if len(pressed) > 1:
        counts += Counter(outside(verdict, mirrored([touched]), sides))
    if found is not None:
        counts += Counter({f"{what} against the law": 1 for what in outside(verdict, found, sides)})
        counts["against the law"] += not found.lasts <= named if verdict.dead_heat else found.lasts != named
        counts["needless dead heat"] += verdict.dead_heat and len(found.lasts) == 1
    return counts


def _of_sides(moments: Mapping[int, int], sides: Mapping[int, int]) -> dict[int, int]:
    """Return when the first of each side touched."""
    found: dict[int, int] = {}
    for seat, t_ns in moments.items():
        found[sides[seat]] = min(t_ns, found.get(sides[seat], NEVER_NS))
    return found if len(found) > 1 else {**found, 0: NEVER_NS}  # beside one alone nobody presses
