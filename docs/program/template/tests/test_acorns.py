"""Acorns keeps what every game promises, and its own rules."""

from lastnose.companion.testing.pytest_plugin import GameContract
from lastnose.companion.testing.scenario import Scenario
from lastnose_acorns import GAME


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
