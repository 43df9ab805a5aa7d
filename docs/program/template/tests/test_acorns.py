"""Acorns keeps what every game promises, and its own rules."""

from lastnose_acorns import GAME

from companion.testing.pytest_plugin import GameContract
from companion.testing.scenario import Scenario


class TestAcorns(GameContract):
    """What every game promises."""

    game = GAME


def test_whoever_is_last_gets_an_acorn() -> None:
    """South, by 412 µs."""
    table = Scenario("acorns", ["North", "East", "South"])
    for at_us, player in ((0, "North"), (300, "East"), (712, "South")):
        table.press(player, at_us=at_us)
    assert table.judge().last == ("South",)
    assert [row.score for row in table.snapshot.rows] == [0, 0, 1]
