"""The table judge: one meld, yes or no, and the rule that says so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld

from tests.support.examples import examples
from tests.support.rummy_oracle import is_set, run_patterns

WHOLE_SUIT = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"
FEW = [Card(rank, suit) for rank in ("2", "3", "4", "5", "7", "A") for suit in "SH"] * 2


@pytest.mark.parametrize(
    ("cards", "rule", "laid"),
    [
        ("KS KH KD", "SGR-3", "KS KH KD"),
        ("KS KS 2H", "SGR-4", "KS KS 2H"),
        ("3S 3H 3D 2C 2S", "SGR-4", "3S 3H 3D 2S 2C"),
        ("2S 2H 2C", "SGR-4", "2S 2H 2C"),
        ("QS AS KS", "SGR-3", "QS KS AS"),
        ("2S 3S 2H", "SGR-4", "2S 3S 2H"),
        ("5D 3D 2C", "SGR-4", "3D 2C 5D"),
        ("KD AD 2C", "SGR-4", "2C KD AD"),
        ("3S 2H 5S 2D 7S", "SGR-4", "3S 2H 5S 2D 7S"),
        ("2S 3S 4S", "SGR-3", "2S 3S 4S"),
        ("4S 5S 2S", "SGR-4", "4S 5S 2S"),
        (WHOLE_SUIT, "SGR-3", WHOLE_SUIT),
        ("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 2H", "SGR-4", WHOLE_SUIT.replace("2S", "2H")),
    ],
)
def test_legal_melds_are_laid_out(cards: str, rule: str, laid: str) -> None:
    """Sets with their wilds behind, runs in order with their wilds in place."""
    ruling = judge_meld(read_cards([cards]))
    assert (True, rule) == (ruling.legal, ruling.rule)
    assert ruling.meld
    assert laid == " ".join(map(str, ruling.meld.cards))


@pytest.mark.parametrize(
    ("cards", "rule", "why"),
    [
        ("KS KH", "SGR-5", "A set has at least three cards of one rank."),
        ("2S 2H 2C 3S 3D", "SGR-4", "natural cards outnumber wilds."),
        ("3S 2S 2H 2D", "SGR-4", "natural cards outnumber wilds."),
        ("3S 2C 2H", "SGR-4", "natural cards outnumber wilds."),
        ("3S 4S 4S 5S", "SGR-3", "cards of one suit in order, each once"),
        ("AS 3S 4S", "SGR-3", "the ace comes after the king."),
        ("AS 2S 3S", "SGR-3", "the ace comes after the king."),
        ("5S 6S 9S", "SGR-3", "Not consecutive: 2 cards are missing between 5♠ and 9♠."),
        ("3S 4S 9S", "SGR-3", "Not consecutive: 4 cards are missing between 3♠ and 9♠."),
        ("5S 6S 9S 2C", "SGR-3", "Not consecutive: 1 card is missing between 5♠ and 9♠."),
        ("5S 6H 7S", "SGR-3", "at least three cards of one suit"),
        ("KS QH 2S", "SGR-3", "at least three cards of one suit"),
        ("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 2S 2H", "SGR-3", "in order, each once"),
    ],
)
def test_illegal_melds_have_their_reason(cards: str, rule: str, why: str) -> None:
    """The rule, and what is wrong."""
    ruling = judge_meld(read_cards([cards]))
    assert (False, rule, None) == (ruling.legal, ruling.rule, ruling.meld)
    assert why in str(ruling.why)


@pytest.mark.parametrize(
    ("cards", "legal"), [("KS KH", True), ("2S 2S", True), ("KS 2H", False), ("KS QS", False)]
)
def test_a_pair_is_one_only_where_hand_14_asks_for_it(cards: str, legal: bool) -> None:
    """Two cards of one rank, both natural (SGR-2); elsewhere two cards are too few (SGR-5)."""
    assert (legal, "SGR-2") == (judge_meld(read_cards([cards]), pair=True).legal, "SGR-2")
    assert "SGR-5" == judge_meld(read_cards([cards])).rule


def test_where_a_pair_is_asked_for_three_cards_are_no_pair() -> None:
    """Hand 14 has a set of 5 and a run as well: more than two cards are judged as ever."""
    three = judge_meld(read_cards(["KS KH KD"]), pair=True)
    assert (True, "SGR-3", "set") == (three.legal, three.rule, three.meld.kind if three.meld else "")
    assert not judge_meld(read_cards(["KS KH QD"]), pair=True).legal


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(range(len(FEW))), unique=True, min_size=3, max_size=7))
def test_judge_agrees_with_brute_force(picked: list[int]) -> None:
    """Every suit, every start, every way for the twos."""
    cards = [FEW[index] for index in picked]
    assert (is_set(cards) or any(run_patterns(cards))) == judge_meld(cards).legal
