"""A dead heat: the last two cannot be told apart, so nobody gets the letter."""

from collections.abc import Callable

from lastnose.companion.testing.scenario import Scenario


def test_a_dead_heat_is_played_again(new_table: Callable[..., Scenario]) -> None:
    """Stamps sure to 10 µs each: two noses 18 µs apart are within 20 µs of each other."""
    table = new_table("pig", ["North", "East", "South"], u_us=10)
    table.press("North", at_us=0)
    table.press("East", at_us=500)
    table.press("South", at_us=518)
    result = table.judge()
    assert result.dead_heat
    assert result.last == ("East", "South")
    assert [table.letters(player) for player in table.players] == ["", "", ""]

    # One microsecond more than the uncertainty, and it is South.
    table.press("North", at_us=0)
    table.press("East", at_us=500)
    table.press("South", at_us=521)
    assert table.judge().last == ("South",)


def test_a_dead_heat_can_be_shared(new_table: Callable[..., Scenario]) -> None:
    """By option both get the letter."""
    table = new_table("pig", ["North", "East", "South"], u_us=10, dead_heat="share")
    table.press("North", at_us=0)
    table.press("East", at_us=500)
    table.press("South", at_us=518)
    table.judge()
    assert [table.letters(player) for player in table.players] == ["", "P", "P"]
