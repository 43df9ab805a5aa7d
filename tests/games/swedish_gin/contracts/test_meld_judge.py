"""The table judge against brute force; each rule has its examples in `minutes/contracts.txt`."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld

from tests.support.examples import examples
from tests.support.rummy_oracle import is_set, run_patterns

FEW = [Card(rank, suit) for rank in ("2", "3", "4", "5", "7", "A") for suit in "SH"] * 2


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(range(len(FEW))), unique=True, min_size=3, max_size=7))
def test_judge_agrees_with_brute_force(picked: list[int]) -> None:
    """Every suit, every start, every way for the twos."""
    cards = [FEW[index] for index in picked]
    assert (is_set(cards) or any(run_patterns(cards))) == judge_meld(cards).legal
