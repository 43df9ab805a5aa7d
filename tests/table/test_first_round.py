"""A game that asks who was first, at the table: what is shown until the verdict, and what is kept of it."""

from __future__ import annotations

import msgspec
import pytest

from companion.core.model import Verdict
from companion.games import GAMES, Game, register
from companion.games.rules.prompts import Prompt, WatchNoses
from companion.table.replay import replay, report
from companion.testing.scenario import Scenario
from companion.timing import Settings
from companion.timing.tape import read_tape
from tests.support import toy

NAMES = ("North", "East", "South")


class Quickest(toy.Pebbles):
    """Whoever is first gets the pebble."""

    name = "quickest"

    def play(self, state: toy.State, move: Verdict | toy.Thanked | toy.Ordered) -> toy.State:
        """Give the pebble to the first: the game of the last, told of another seat."""
        if isinstance(move, Verdict):
            move = msgspec.structs.replace(move, last=move.first, first=())
        return super().play(state, move)

    def asks(self, state: toy.State) -> tuple[Prompt, ...]:
        """Ask who is first."""
        return tuple(
            msgspec.structs.replace(ask, question="first") if isinstance(ask, WatchNoses) else ask
            for ask in super().asks(state)
        )


@pytest.fixture(autouse=True)
def quickest(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Register the game for one test."""
    monkeypatch.setattr("companion.games.GAMES", GAMES.copy())
    return register(Quickest())


def pebbles(table: Scenario) -> tuple[int | None, ...]:
    """Return what everybody has."""
    return tuple(row.score for row in table.snapshot.rows)


def test_the_first_is_named_with_the_margin_to_the_second() -> None:
    """East 4.5 ms before South; North comes 0.6 s later, when it is decided, and joins the list."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=4_500)
    table.press("North", at_us=600_000)
    result = table.judge()
    assert (("East",), (), 4_500.0) == (result.first, result.last, result.margin_us)
    assert ("East", "South", "North") == result.order
    assert (0, 1, 0) == pebbles(table)
    assert "East was first" == str(table.table.queries.round(table.table.queries.last_judged()).headline)


def test_until_the_verdict_nothing_tells_seats_apart() -> None:
    """At the first press: Stop!, all lamps out, no row pressed or held; after it the nose is seen held."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    before = list(table.snapshot.rows)
    table._promise(table._start_ns + 1_000_001)  # the press has settled, and w has not passed
    shown = table.snapshot
    assert ("judging", "Stop! Somebody has pressed") == (shown.phase, str(shown.headline))
    assert ["off", "off", "off"] == [lamp.light for lamp in shown.lamps]
    assert [(row.held, row.pressed) for row in before] == [(row.held, row.pressed) for row in shown.rows]
    assert [(False, False)] * 3 == [(row.held, row.pressed) for row in shown.rows]
    table.wait(0.5)
    assert [False, True, False] == [row.held for row in table.snapshot.rows]
    assert "verdict" == table.snapshot.phase


def test_nobody_is_first_within_w_and_the_round_is_played_again() -> None:
    """Stamps are good to 1 µs each: 2 µs apart nobody can tell."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=2)
    result = table.judge()
    assert (("East", "South"), True) == (result.first, result.dead_heat)
    assert (0, 0, 0) == pebbles(table)
    proof = [str(line) for line in table.table.queries.round(table.table.queries.last_judged()).proof]
    assert "Nobody was first: the round is played again." in proof


def test_what_comes_too_late_and_was_earlier_takes_the_pebble_back() -> None:
    """North touched 0.3 ms before East and is told of a second later."""
    table = Scenario("quickest", NAMES)
    table.press("North", at_us=0, late_us=1_000_000)
    table.press("East", at_us=300)
    table.wait(0.5)
    assert (0, 1, 0) == pebbles(table)
    table.wait(1)
    assert (0, 0, 0) == pebbles(table)
    assert "void" == table.snapshot.phase


def test_a_loss_before_anybody_has_pressed_is_said_and_armed_again() -> None:
    """It is no round of the list; the next press counts."""
    table = Scenario("quickest", NAMES, settings=Settings(rearm_ns=None))
    table.arm()
    table.reboot(at_us=100_000, for_us=50_000)
    table.wait(1)
    assert "armed" == table.snapshot.phase
    table.press("South", at_us=2_000_000)
    assert ("South",) == table.judge().first


def test_the_table_says_that_somebody_else_was_first() -> None:
    """A correction is of the same kind as the question; the tape says what the box had judged."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=4_500)
    table.judge()
    table.amend({"type": "last", "seats": [3]})
    assert (0, 0, 1) == pebbles(table)
    seq = table.table.queries.last_judged()
    assert "South was first" == str(table.table.queries.round(seq).headline)
    assert (2,) == table.table.queries.judged_again(seq).first


def test_a_tape_says_who_was_first() -> None:
    """Replayed with nothing but its edges; the round is armed as one that asks for the first."""
    lines = [
        '{"tape":1,"game":"quickest","players":["North","East","South"]}',
        '{"arm":1000000000}',
        '{"t_ns":2000000000,"source":"gpio","line":"nose.3","level":1,"u_ns":1000}',
        '{"t_ns":2000700000,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}',
    ]
    (judged,) = report(replay(read_tape(lines)))["rounds"]
    assert ([3, 1], [], [3], 700_000, 2_000, False, None) == (
        judged["order"],
        judged["last"],
        judged["first"],
        judged["margin_ns"],
        judged["u_ns"],
        judged["dead_heat"],
        judged["void"],
    )
