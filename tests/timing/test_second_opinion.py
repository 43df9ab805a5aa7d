"""What the referee's minutes decide, worked out another way: from whole lists, with no stream and no state.

The same rounds in which every stamp of every event is held to the nanosecond (`test_minutes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from lastnose.companion.core.model import (
    BrokenPromise,
    Edge,
    Gap,
    Input,
    Judged,
    Late,
    Levels,
    Press,
    Pressed,
    Released,
    UnseenChange,
)
from msgspec import structs

from tests.support import oracle, slow_judge, slow_modes
from tests.support.campaign import Told, rounds_of
from tests.support.explanations import outside
from tests.support.slow_modes import Rules
from tests.support.stream_minutes import FOLDER, StreamMinutes

FILES = sorted(FOLDER.glob("*.txt"))
CONFIRM_NS, LOCKOUT_NS = 1_000_000, 20_000_000
REMEMBERED = 16  # rounds that late evidence is weighed against

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def streams(file: Path) -> list[StreamMinutes]:
    """Return each referee of a file once all has been done before it."""
    all_minutes = [StreamMinutes()]
    for line in file.read_text().splitlines():
        if line.startswith("$ referee") and all_minutes[-1].told:
            all_minutes.append(StreamMinutes())
        if line.startswith("$ "):
            all_minutes[-1].does(line.removeprefix("$ "))
    return all_minutes


def watched(rules: Rules) -> list[str]:
    """Return the lines that a round looks at."""
    if rules.rack is None:
        return [f"nose.{seat}" for seat in rules.seats]
    kind = {"confirm": "nose", "dock": "dock"}.get(rules.rack.confirm)
    return [f"{kind}.{seat}" for seat in rules.seats if kind] + [
        f"spoon.{spoon}" for spoon in rules.rack.spoons
    ]


def evidence(minutes: StreamMinutes, lines: list[str]) -> list[Input]:
    """Return what was heard. Where a dock was never heard of its seat has none and touches its nose for it.

    Such a nose is told as a dock: at rest in use, and left for as long as it is touched.
    """
    told = {line for one in minutes.heard for line in lines_of(one)}
    stands_for = {
        dock.replace("dock", "nose"): dock for dock in lines if dock.startswith("dock") and dock not in told
    }
    return [as_dock(one, stands_for) for one in minutes.heard]


def lines_of(one: Input) -> tuple[str, ...]:
    """Return the lines that something is told of."""
    if isinstance(one, Edge):
        return (one.line,)
    return tuple(one.levels) if isinstance(one, Levels) else ()


def as_dock(one: Input, stands_for: Mapping[str, str]) -> Input:
    """Return what was told of a nose as if it were of a dock, whose levels are the other way round."""
    if isinstance(one, Edge) and one.line in stands_for:
        return structs.replace(one, line=stands_for[one.line], level=one.level ^ 1)
    if isinstance(one, Levels):
        levels = {
            stands_for.get(line, line): level ^ (line in stands_for) for line, level in one.levels.items()
        }
        return structs.replace(one, levels=levels)
    return one


def known(minutes: StreamMinutes, lines: list[str]) -> bool:
    """Tell whether somebody said of all *lines* how they lie; a dock shows itself with its first change."""
    told = {line for one in minutes.heard if isinstance(one, Levels) for line in one.levels}
    return told >= {line for line in lines if not line.startswith("dock")}


def plain(rules: Rules) -> bool:
    """Tell whether noses are touched once, without a rack."""
    return not rules.hold and rules.rack is None


def standing(minutes: StreamMinutes) -> Iterator[Told]:
    """Yield the rounds that were judged, and that nothing has shaken since."""
    rounds = rounds_of(minutes.told)
    for n, told in enumerate(rounds):
        if told.judged is not None and told.stands and len(rounds) - n <= REMEMBERED + 1:
            yield told


@every_file
def test_who_was_last_is_last_in_every_explanation(file: Path) -> None:
    """By the slow judge; whoever is not is in a dead heat with others, or the round is void."""
    for minutes in streams(file):
        for told in standing(minutes):
            assert told.judged is not None
            rules = minutes.rules_at[told.armed.t_ns]
            verdict, lines = told.judged.verdict, watched(rules)
            if not plain(rules) or verdict.void is not None or not known(minutes, lines):
                continue
            noses = dict(zip(lines, told.armed.seats, strict=True))
            lasts = slow_judge.possible_lasts(told.armed.t_ns, told.until_ns, noses, minutes.heard)
            if verdict.dead_heat:
                assert lasts <= set(verdict.last)
            else:
                assert lasts == set(verdict.last)


@every_file
def test_who_was_last_with_held_noses_or_spoons_is_so_in_every_reading(file: Path) -> None:
    """By the outline of the slow judge for these."""
    for minutes in streams(file):
        for told in standing(minutes):
            assert told.judged is not None
            rules = minutes.rules_at[told.armed.t_ns]
            verdict, lines = told.judged.verdict, watched(rules)
            if plain(rules) or verdict.void is not None or not verdict.last or not known(minutes, lines):
                continue
            heard = evidence(minutes, lines)
            lasts = slow_modes.possible_lasts(told.armed.t_ns, told.until_ns, lines, rules, heard)
            if verdict.dead_heat:
                assert all(one <= set(verdict.last) for one in lasts)
            else:
                assert {frozenset(verdict.last)} == lasts


def stamp(press: Press) -> oracle.Stamp:
    """Return a press as the oracle knows it."""
    return oracle.Stamp(press.t_ns, press.u_ns, press.source.partition("/")[0], press.clock_u_ns)


@every_file
def test_margins_and_their_worth_are_the_differences_of_two_presses(file: Path) -> None:
    """Where all have touched: law 4 of the stamps, by the oracle; the pair is the one that was closest."""
    for minutes in streams(file):
        lost = any(isinstance(one, Gap) for one in minutes.heard)  # then the slow judge is asked, below
        if lost or not all(map(plain, minutes.rules_at.values())):
            continue
        for one in minutes.told:
            if not isinstance(one, Judged | Late) or one.verdict.void is not None or one.verdict.unseen:
                continue
            verdict = one.verdict
            stamps = {press.seat: stamp(press) for press in verdict.presses}
            if verdict.margin_ns is None:
                assert {*verdict.last}.isdisjoint(verdict.order)
                continue
            assert oracle.last_of(stamps) == set(verdict.last)
            assert sorted(stamps, key=lambda seat: (stamps[seat].t, seat)) == [*verdict.order]
            latest = stamps[verdict.order[-1]]
            pairs = [
                (latest.t - stamps[seat].t, oracle.w(latest, stamps[seat])) for seat in verdict.order[:-1]
            ]
            closest = min(pairs, key=lambda pair: pair[0] - pair[1])
            assert closest == (verdict.margin_ns, verdict.u_ns)
            assert verdict.dead_heat == (verdict.margin_ns <= verdict.u_ns)


@every_file
def test_margin_rival_and_opener_are_what_every_explanation_allows(file: Path) -> None:
    """By the slow judge, of verdicts as they stand at the end; what it finds lies within what they say."""
    for minutes in streams(file):
        for told in standing(minutes):
            assert told.verdict is not None
            rules = minutes.rules_at[told.armed.t_ns]
            verdict, lines = told.verdict, watched(rules)
            if not plain(rules) or verdict.void is not None or not known(minutes, lines):
                continue
            noses = dict(zip(lines, told.armed.seats, strict=True))
            found = slow_judge.possible(told.armed.t_ns, told.until_ns, noses, minutes.heard)
            assert outside(verdict, found) == []


@every_file
def test_touches_and_releases_are_those_of_the_trains_of_edges(file: Path) -> None:
    """Law 2, read off a nose's whole list of edges, where none was lost, late or not to be seen."""
    for minutes in streams(file):
        lost = any(isinstance(one, Gap) for one in minutes.heard)
        if lost or any(isinstance(one, BrokenPromise | UnseenChange) for one in minutes.told):
            continue
        for seat in minutes.rules.seats:
            levels = [one.levels.get(f"nose.{seat}") for one in minutes.heard if isinstance(one, Levels)]
            expected, noisy = oracle.changes(edges_of(minutes, f"nose.{seat}"), CONFIRM_NS, LOCKOUT_NS)
            if [one for one in levels if one is not None] != [0] or noisy:
                continue
            pressed = [one.press for one in minutes.told if isinstance(one, Pressed)]
            told = [(press.t_ns, 1) for press in pressed if press.seat == seat]
            told += [(one.t_ns, 0) for one in minutes.told if isinstance(one, Released) and one.seat == seat]
            # The newest may be waiting still.
            assert sorted(told) == expected[: len(told)]
            assert len(expected) - len(told) <= 1


def edges_of(minutes: StreamMinutes, line: str) -> list[tuple[int, int]]:
    """Return times and levels of a line."""
    edges = [one for one in minutes.heard if isinstance(one, Edge) and one.line == line]
    return sorted((one.t_ns, one.level) for one in edges)


def test_every_round_of_the_minutes_gets_a_second_opinion() -> None:
    """So that nothing is left out above, now or later."""
    rounds = [(minutes, told) for file in FILES for minutes in streams(file) for told in standing(minutes)]
    named = [(minutes, told) for minutes, told in rounds if told.judged and told.judged.verdict.last]
    assert len(named) > 60
    assert [] == [
        told.armed
        for minutes, told in named
        if not known(minutes, watched(minutes.rules_at[told.armed.t_ns]))
    ]
