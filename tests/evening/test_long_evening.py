"""A long evening costs as much a round as a short one, and is taken up again soon: counted, not timed."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from lastnose.companion.core.model import Press
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import Start
from lastnose.companion.evening.events import ENCODER, RoundArmed, RoundJudged, Started
from lastnose.companion.evening.undo import offered
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.store import Store
from lastnose.companion.timing import judge

from tests.bench.long import fill
from tests.table.test_table import FOUR, Box


def steps_of(work: Callable[[], Any]) -> int:
    """Return how many lines of Python *work* goes through: no clock, so the same on any machine."""
    count = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


def evening_of(rounds: int) -> MemoryStore:
    """Return a log of so many rounds of a game that never ends."""
    store = MemoryStore()
    store.append(
        Started(
            by="host",
            at=1.0,
            game="vatra",
            players=FOUR,
            options={},
            lines=("nose.1", "nose.2", "nose.3", "nose.4"),
            rearm_ns=500_000_000,
        )
    )
    for number in range(rounds):
        presses = [Press(seat % 4 + 1, 1_000_000 * seat, 0, "gpio") for seat in range(number, number + 4)]
        store.append(
            RoundArmed(by="box", at=2.0, t_ns=number, seats=(1, 2, 3, 4)),
            RoundJudged(
                by="box", at=3.0, verdict=judge(presses), confirm_ns=1_000_000, lockout_ns=20_000_000
            ),
        )
    return store


def test_a_round_costs_the_same_after_ten_rounds_and_after_a_thousand() -> None:
    """From the first press to the next arming, with what the screens show of it."""
    costs = []
    for before in (10, 1_000):
        box = Box(store=evening_of(before))
        box.wait(1_000)
        box.round(1, 2, 4, 3)
        costs.append(steps_of(lambda box=box: (box.round(1, 2, 4, 3), box.table.publish())))  # type: ignore[misc]
    assert costs[1] < 1.1 * costs[0]


def test_an_evening_is_taken_up_again_in_time_that_grows_with_its_rounds_alone() -> None:
    """Four times the rounds, about four times the steps."""
    short, long = (evening_of(rounds) for rounds in (100, 400))
    few, many = (steps_of(lambda kept=kept: log.fold(kept.events())) for kept in (short, long))  # type: ignore[misc]
    assert many < 4.5 * few


def test_what_undo_offers_is_found_from_the_newest_on() -> None:
    """The newest round, for the host and for anybody, and no more steps for it."""
    costs = []
    for rounds in (20, 500):
        evening = log.fold(evening_of(rounds).events())
        assert {"host": evening.seq, "box": evening.seq} == offered(evening, ("host", "box"))
        costs.append(steps_of(lambda evening=evening: offered(evening, ("host", "box"))))  # type: ignore[misc]
    assert costs[1] < 1.5 * costs[0]  # where to look is found by halving


def test_a_game_started_again_and_again_costs_no_more_either() -> None:
    """Three hundred games of an evening, as in a tournament."""
    costs = []
    for games in (3, 300):
        box = Box()
        for _ in range(games):
            box.do(Start("vatra", FOUR))
        box.wait(10)
        box.round(1, 2, 4, 3)
        costs.append(steps_of(lambda box=box: (box.round(1, 2, 4, 3), box.table.publish())))  # type: ignore[misc]
    assert costs[1] < 1.1 * costs[0]


def test_a_verdict_completed_late_costs_the_same_after_any_number_of_rounds() -> None:
    """West presses after South was named by absence: its entry, and no other, is written again."""
    costs = []
    for before in (200, 1_000):
        box = Box(store=evening_of(before))
        box.wait(1_000)
        for seat in (1, 2, 4):
            box.edge(seat, 1)
            box.wait(50)
        box.wait(50)
        costs.append(steps_of(lambda box=box: (box.edge(3, 1), box.wait(50), box.table.publish())))  # type: ignore[misc]
        match = box.table.record.evening.match
        assert match is not None
        assert (before + 1, 1, (3,)) == (
            len(match.entries),
            len(match.entries[-1].late),
            match.entries[-1].verdict.last,  # type: ignore[union-attr]
        )
    assert costs[1] < 1.1 * costs[0]


def test_a_round_copies_no_more_of_an_evening_than_where_its_entries_and_states_are(tmp_path: Path) -> None:
    """Eight bytes each of 4,000, at most three times at once; a copy of rows would be 32,000 bytes more."""
    peaks = []
    for before in (10, 4_000):
        fill(tmp_path / str(before), before)
        box = Box(store=Store(tmp_path / str(before)))
        box.wait(1_000)
        box.round(1, 2, 4, 3)
        found = []
        for _ in range(4):  # in one of them a list may be given more room
            tracemalloc.start()
            box.round(1, 2, 4, 3)
            box.table.publish()
            found.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        box.store.close()
        peaks.append(min(found))
    assert peaks[1] < peaks[0] + 3 * 8 * 4_000


@pytest.mark.heavy
def test_a_round_of_a_long_evening_takes_five_kilobytes_of_memory(tmp_path: Path) -> None:
    """Rows as they are to be written again, and entries: a tape alone has over two of them."""
    taken = []
    for rounds in (200, 1_200):
        folder = tmp_path / str(rounds)
        fill(folder, rounds)
        tracemalloc.start()
        store = Store(folder)
        evening = log.fold(store.events())
        assert evening.match is not None
        assert rounds == len(evening.match.entries)
        gc.collect()
        taken.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        whole = sum(len(ENCODER.encode(event)) for _, event in store.events())
        store.close()
    assert whole > 2_000 * 1_200
    assert taken[1] - taken[0] < 5_000 * 1_000
