"""Who deals when people have come and gone between two rounds."""

from __future__ import annotations

from lastnose.companion.games.rules.carried import Sat, passed_on, staying

ANA, BEN, CEM, DORA = 1, 2, 3, 4


def test_the_deal_stays_or_passes_to_the_first_on_the_left_who_still_can() -> None:
    """Cem was to deal: he does wherever he sits now; without him Dora, and after her from Ana on."""
    assert 1 == passed_on(CEM, 4, {CEM: 1, ANA: 2}, (1, 2))
    assert 2 == passed_on(CEM, 4, {ANA: 1, DORA: 2}, (1, 2))
    assert 3 == passed_on(CEM, 4, {BEN: 2, ANA: 3}, (1, 2, 3))


def test_who_is_out_deals_nothing_and_of_strangers_the_first_who_can_does() -> None:
    """Cem is there and out; of new people alone it is the first who is in, and seat 1 if nobody is."""
    assert 1 == passed_on(CEM, 4, {DORA: 1, CEM: 2}, (1,))
    assert 2 == passed_on(CEM, 4, {}, (2,))
    assert 1 == passed_on(CEM, 4, {}, ())


def test_who_comes_back_does_not_deal_because_they_once_sat_where_the_dealer_sits() -> None:
    """They are there again, and were not until now."""
    assert {DORA: 2} == staying((Sat(None, CEM, here=False), Sat(None, DORA), None))
