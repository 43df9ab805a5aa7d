"""A bouncing button: the first touch counts, however long the contact chatters; a wire's twitch does not."""

from lastnose.companion.testing.scenario import Scenario


def test_a_press_counts_from_its_first_edge(table: Scenario) -> None:
    """East's contact opens and closes for half a millisecond; East was still there before South."""
    table.press("North", at_us=0)
    table.press("West", at_us=100)
    table.press("East", at_us=200)
    table.bounce("East", at_us=200, gaps_us=[35, 20, 180, 60, 120, 85])
    table.press("South", at_us=260)
    result = table.judge()
    assert result.order == ("North", "West", "East", "South")
    assert result.margin_us == 60


def test_a_twitch_is_no_press(table: Scenario) -> None:
    """South's line goes down for 300 µs and comes back: nobody touched anything."""
    table.press("South", at_us=0)
    table.release("South", at_us=300)
    table.press("North", at_us=50_000)
    table.press("East", at_us=60_000)
    table.press("West", at_us=60_500)
    assert table.judge().last == ("South",)


def test_a_line_that_will_not_rest_voids_the_round(table: Scenario) -> None:
    """Thirty milliseconds of chatter is a loose wire, not a press; the round does not count."""
    table.press("North", at_us=0)
    table.press("East", at_us=1_000)
    table.bounce("East", at_us=1_000, gaps_us=[500] * 60)
    table.press("West", at_us=40_000)
    table.press("South", at_us=50_000)
    result = table.judge()
    assert result.last == ()
    assert "nose.2" in (result.void or "")
