"""Who deals when people have come and gone between two rounds."""

from __future__ import annotations

from companion.games.rules.carried import passed_on

BEFORE = ("Ana", "Ben", "Cem", "Dora")


def test_the_deal_stays_or_passes_to_the_first_on_the_left_who_still_can() -> None:
    """Cem was to deal: he does wherever he sits now; without him Dora, and after her from Ana on."""
    assert 1 == passed_on(BEFORE, 3, ("Cem", "Ana"), (1, 2))
    assert 2 == passed_on(BEFORE, 3, ("Ana", "Dora"), (1, 2))
    assert 3 == passed_on(BEFORE, 3, ("Eva", "Ben", "Ana"), (1, 2, 3))


def test_who_is_out_deals_nothing_and_of_strangers_the_first_who_can_does() -> None:
    """Cem is there and out; of new people alone it is the first who is in, and seat 1 if nobody is."""
    assert 1 == passed_on(BEFORE, 3, ("Dora", "Cem"), (1,))
    assert 2 == passed_on(BEFORE, 3, ("Eva", "Fred"), (2,))
    assert 1 == passed_on(BEFORE, 3, ("Eva", "Fred"), ())
