"""A first evening: four people play Pig until two are left. Read it as an example; it runs as a test."""

from lastnose.companion.testing.scenario import Scenario


def test_a_first_evening(table: Scenario) -> None:
    """North, East, South and West; times are microseconds after the deal."""
    # South does not look up in time: 412 µs behind East.
    table.press("North", at_us=0)
    table.press("West", at_us=181_000)
    table.press("East", at_us=245_588)
    table.press("South", at_us=246_000)
    result = table.judge()
    assert result.last == ("South",)
    assert result.margin_us == 412
    assert table.letters("South") == "P"

    # Twice more, and South is a pig.
    for opener in ("East", "West"):
        table.press(opener, at_us=0)
        for number, player in enumerate(p for p in ("North", "East", "West") if p != opener):
            table.press(player, at_us=90_000 + number * 1_000)
        table.press("South", at_us=300_000)
        assert table.judge().last == ("South",)
    assert table.letters("South") == "PIG"
    assert table.players_in == ("North", "East", "West")
    assert str(table.snapshot.advice.sentences[0]).startswith("South is out.")  # type: ignore[union-attr]

    # South's nose is still there, but it no longer counts.
    for _ in range(3):
        table.press("South", at_us=0)
        table.press("North", at_us=1_000)
        table.press("West", at_us=1_500)
        table.press("East", at_us=2_000)
        assert table.judge().last == ("East",)

    # Two remain, and both win.
    assert str(table.snapshot.headline) == "North and West win!"
