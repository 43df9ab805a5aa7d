"""A quiz at the table: opened by the host, ruled, open for the others at once, closed, by page or button."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.model import HostPress
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings

NAMES = ("North", "East", "South")


def quiz(**options: Any) -> Scenario:
    """Return a quiz of which nothing is open yet."""
    return Scenario("quiz", NAMES, settings=Settings(rearm_ns=3_000_000_000), **options)


def points(table: Scenario) -> list[int | None]:
    """Return everybody's points."""
    return [row.score for row in table.snapshot.rows]


def host(table: Scenario, *, long: bool = False) -> None:
    """Press the host's button."""
    table.table.answer(HostPress(table._start_ns, long=long))


def buzz(table: Scenario, player: str, at_us: float) -> None:
    """Let *player* buzz, and the table name them."""
    table.press(player, at_us=at_us)
    assert (player,) == table.judge().first
    table.release(player, at_us=at_us + 300_000)
    table.wait(1)


def test_nothing_opens_a_question_but_the_host() -> None:
    """However long it lasts; then the question is open, and the host may close it."""
    table = quiz()
    table.wait(20)
    shown = table.snapshot
    assert ("ready", "Question 1", "Open question 1") == (shown.phase, str(shown.headline), str(shown.ready))
    table.arm()
    shown = table.snapshot
    assert ("armed", "Buzz!") == (shown.phase, str(shown.headline))
    assert shown.closing is not None
    assert "Nobody" == str(shown.closing.label)


def test_a_wrong_answer_opens_for_the_others_at_once_and_who_answered_it_buzzes_in_vain() -> None:
    """East is wrong; East's next buzz is nobody's; South's, later, is first, and right: ten points."""
    table = quiz()
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="wrong")
    shown = table.snapshot
    assert ("armed", "Wrong. Who else?") == (shown.phase, str(shown.headline))
    table.press("East", at_us=4_000_000)
    buzz(table, "South", 4_400_000)
    table.move(type="ruled", value="right")
    assert ([0, 0, 10], "Right: South, + 10 points") == (points(table), str(table.snapshot.headline))


def test_the_next_of_the_queue_answers_without_a_buzz_of_their_own() -> None:
    """North buzzed 0.2 s behind East; East is wrong, so North is first of the rest."""
    table = quiz(then="queue")
    table.arm()
    table.press("East", at_us=0)
    table.press("North", at_us=200_000)
    assert ("East",) == table.judge().first
    table.move(type="ruled", value="wrong")
    table.wait(1)
    shown = table.snapshot
    assert shown.ruling is not None
    assert ("North was first", "North answers.") == (str(shown.headline), str(shown.ruling.label))


def test_the_host_button_opens_closes_and_rules() -> None:
    """Short: open, and nobody; short: open, then right for East. Held: wrong for South."""
    table = quiz(then="close")
    host(table)
    table.wait(1)
    assert "armed" == table.snapshot.phase
    host(table)
    assert ("ready", "Open question 2") == (table.snapshot.phase, str(table.snapshot.ready))
    host(table)
    table.wait(1)
    buzz(table, "East", 3_000_000)
    host(table)
    assert [0, 10, 0] == points(table)
    host(table)
    table.wait(1)
    buzz(table, "South", 6_000_000)
    host(table, long=True)
    assert ([0, 10, 0], "Wrong: South") == (points(table), str(table.snapshot.headline))


def test_nobody_in_time_is_the_next_question() -> None:
    """Seven seconds from the opening."""
    table = quiz(buzz_s=7)
    table.arm()
    table.wait(9)
    shown = table.snapshot
    assert ("Time! Nobody", "Open question 2") == (str(shown.headline), str(shown.ready))


def test_a_dead_heat_is_a_duel_that_the_host_opens() -> None:
    """East and South press 1 µs apart; North's buzz counts for nothing in their duel."""
    table = quiz()
    table.arm()
    table.press("East", at_us=0)
    table.press("South", at_us=1)
    assert ("East", "South") == table.judge().first
    shown = table.snapshot
    assert ("Dead heat: East and South", "Open the duel") == (str(shown.headline), str(shown.ready))
    table.release("East", at_us=300_000)
    table.release("South", at_us=300_000)
    table.wait(1)
    table.arm()
    assert "A duel: buzz!" == str(table.snapshot.headline)
    table.press("North", at_us=3_000_000)
    buzz(table, "South", 3_500_000)
