"""Contract help and table judge as the page gets them: answers worked out by hand (SGR-2 to SGR-6)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text
from lastnose.companion.games.pig_family import PIG
from lastnose.companion.games.rules.game import Group, RulesAnswer
from lastnose.companion.games.sheet_game.state import SheetState
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS
from lastnose.companion.games.swedish_gin.game import GAME

from tests.bench import contracts as bench
from tests.support.examples import examples


def table(**options: Any) -> SheetState:
    """Return an empty sheet for three."""
    return GAME.new(("North", "East", "South"), GAME.read_options(options))


def asked(about: str, hand: int | None, cards: str, **options: Any) -> RulesAnswer:
    """Return what the rules say about *cards*."""
    return GAME.answer_query(table(**options), about, hand, cards.split())


def laid(group: Group) -> tuple[str, str, int]:
    """Return a group's label, its cards (what a wild stands for behind a stroke), and how many it wants."""
    cards = [f"{one.name}/{one.stands_for}" if one.stands_for else one.name for one in group.pieces]
    return str(group.label), " ".join(cards), group.missing


def test_a_hand_that_cannot_be_before_the_contract_lies_is_not_said_to_close() -> None:
    """Ten cards lie down whole, but between turns there are 11 and in one's turn 12 (SGR-6); 13 is a hand."""
    ten = "3S 3H 3D 7S 7H 7D 4C 5C 6C 7C"
    again = "Before the contract is down a hand has 11, 13 or 15 cards, and one more in its turn: "
    for cards in (ten, f"{ten} KS KD KH KC 9D 9C 8H"):
        n = len(cards.split())
        assert f"{again}here are {n}." == str(asked("contract", 1, cards).lines[-1])
        assert "closes" not in " ".join(map(str, asked("contract", 1, cards).lines))
    for more in ("KS", "KS KD", "KS KD KH KC 9D 9C"):
        assert not any(str(one).startswith(again) for one in asked("contract", 1, f"{ten} {more}").lines)


def test_a_hand_that_must_still_buy_is_told_so_and_not_that_any_card_would_do() -> None:
    """Four sets of three lie in 12 cards, but the 13th must be thrown: so 14 in turn, one buy (SGR-2)."""
    whole = "3S 3H 3D 7S 7H 7D KS KD KH JC JD JS"
    found = asked("contract", 9, whole)
    wants = "This contract takes 13 cards, the discard among them: you want 1 more buy."
    assert (False, wants) == (found.good, str(found.lines[-1]))
    assert "Any of these would do" not in [str(group.label) for group in found.groups]
    assert wants not in [str(one) for one in asked("contract", 9, f"{whole} 9D").lines]
    assert "you want 2 more buys." in str(asked("contract", 12, "3S 3H 3D 7S 7H 7D KS KD KH JC JD").lines[-1])


def test_the_third_hand_of_the_source_is_one_card_short() -> None:
    """Four sevens and two jacks: any two, or a jack; of jacks of hearts there is no third."""
    found = asked("contract", 1, "7♠ 7♣ 7♥ 7♦ 5♠ 6♠ 8♠ 9♠ J♥ J♥ 4♣")
    assert (False, "You cannot lay down yet: 1 card short.") == (found.good, str(found.says))
    assert ("Any of these would do", "2S 2H 2D 2C JS JD JC", 0) == laid(found.groups[-1])
    assert [0, 1] == sorted(group.missing for group in found.groups[:-1])


@pytest.mark.parametrize(
    ("about", "hand", "cards", "why"),
    [
        ("contract", 16, "3S", "There is no contract 16"),
        ("contract", 1, "", "Say which cards"),
        ("contract", 1, "1S", "“1S” is not a card"),
        ("meld", 1, "3S 3S 3S", "3♠ is there 3 times"),
        ("contract", 1, " ".join(f"{rank}{suit}" for rank in (3, 4, 5, 6, 7) for suit in "SHDC"), "20 cards"),
        ("weather", 1, "3S", "Ask about one of these: “contract”, “laid” and “meld”."),
    ],
)
def test_what_cannot_be_asked_is_refused(about: str, hand: int, cards: str, why: str) -> None:
    """One sentence that says what is wrong."""
    with pytest.raises(BadInput, match=why):
        asked(about, hand, cards)


def test_a_game_without_counsel_says_so() -> None:
    """Where noses decide there is nothing to ask."""
    state = PIG.new(("North", "East", "South"), PIG.read_options({}))
    with pytest.raises(BadInput, match="rules are not asked"):
        PIG.answer_query(state, "contract", 1, ("3S",))


def test_every_sentence_can_be_translated() -> None:
    """An answer has Texts, and nothing that only English knows."""
    found = asked("contract", 1, "7♠ 7♣ 7♥ 7♦ 5♠ 6♠ 8♠ 9♠ J♥ J♥ 4♣")
    assert all(isinstance(one, Text) for one in (found.says, *found.lines, *(g.label for g in found.groups)))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(CONTRACTS)))
def test_what_is_shown_is_the_hand_and_nothing_else(seed: int, number: int) -> None:
    """A hand near its contract: every card in one group, and every whole meld is one for the judge, too."""
    cards = bench.hand("near", CONTRACTS[number], Random(seed))
    found = GAME.answer_query(table(), "contract", number, [str(card) for card in cards])
    groups = [group for group in found.groups if str(group.label) != "Any of these would do"]
    shown = Counter(piece.name for group in groups for piece in group.pieces)
    held = Counter(map(str, cards))
    assert (shown == held) if found.good else (shown <= held)
    for group in groups:
        names = [piece.name for piece in group.pieces]
        if str(group.label) in ("A set", "A run") and not group.missing:
            ruling = GAME.answer_query(table(), "meld", number, names)
            assert (True, 1) == (ruling.good, len(ruling.groups))
    assert not (len(cards) in (11, 13, 15) and any("closes" in str(line) for line in found.lines))
    if found.good and number != 15 and len(cards) in (12, 14, 16):  # in its turn, and no miscount
        left = [p.name for group in groups if str(group.label) == "Left in hand" for p in group.pieces]
        points = GAME.count_hand(left, table().options).points
        ends = "Nothing is left: that closes the hand." if not left else f"{points} points stay in hand."
        assert ends == str(found.lines[1])


ELEVEN = "3S 3H 3D 7S 7H 7D 4C 5C 6C 7C "


def test_between_turns_one_card_is_still_drawn() -> None:
    """SGR-6: eleven cards lay contract 1 whatever is drawn; it is never said that they close the hand."""
    found = asked("contract", 1, ELEVEN + "KS")
    assert (True, "You can lay down once you have drawn.") == (found.good, str(found.says))
    assert () == found.lines[1:]
    assert ("Left in hand", "KS", 0) == laid(found.groups[-1])
    assert "Discard" not in [str(group.label) for group in found.groups]


def test_hand_fifteen_says_how_many_draws_would_let_it() -> None:
    """The run 4 to 8 of clubs takes a 3 or a 9 of clubs, two each, or a two of any suit, eight: 12 of 93."""
    found = asked("contract", 15, ELEVEN + "8C")
    assert (False, "You cannot lay down yet: 1 card short.") == (found.good, str(found.says))
    assert "12 of the 93 cards that you may draw let you lay down." == str(found.lines[1])
    assert ("Any of these would do", "2S 2H 2D 2C 3C 9C", 0) == laid(found.groups[-1])
    assert asked("contract", 15, ELEVEN + "8C 9C").good  # drawn: nothing more comes


def test_cards_on_the_table_are_drawn_no_more() -> None:
    """With both threes and nines of clubs on the table eight twos are left of 81 cards."""
    lying = ["3C 3C 3H", "9C 9C 9H", "KS KH KD", "QS QH QD"]
    found = GAME.answer_query(table(), "contract", 15, (ELEVEN + "8C").split(), lying)
    assert "8 of the 81 cards that you may draw let you lay down." == str(found.lines[1])


def test_a_hand_full_of_its_contract_wants_no_more_than_a_discard() -> None:
    """Hand 12 takes 15 cards; whichever card comes as the sixteenth is thrown."""
    runs = "3S 4S 5S 7S 8S 9S JS QS KS 3H 4H 5H 7H 8H 9H"
    found = asked("contract", 12, runs)
    assert (True, "You can lay down once you have drawn.") == (found.good, str(found.says))


@pytest.mark.parametrize(
    ("lying", "cards", "added"),
    [
        ("7S 7H 7D", "2H 4C", ("To 7♠ 7♥ 7♦", "2H/7", 0)),
        ("7S 7H 7D", "7C 2H 4C", ("To 7♠ 7♥ 7♦", "7C 2H/7", 0)),
        ("QS QH QD", "2H 2C 4C", ("To Q♠ Q♥ Q♦", "2H/Q 2C/Q", 0)),
        ("2S 2H 2D", "2C 4C", ("To 2♠ 2♥ 2♦", "2C", 0)),
    ],
)
def test_a_two_added_to_a_set_stands_for_its_rank_and_among_twos_for_itself(
    lying: str, cards: str, added: tuple[str, str, int]
) -> None:
    """SGR-4, SGR-5: three naturals take two twos; a set of twos takes any, and none is wild in it."""
    found = GAME.answer_query(table(), "laid", 1, cards.split(), [lying])
    assert [added, ("Discard", "4C", 0)] == [laid(one) for one in found.groups]


@pytest.mark.parametrize(
    ("hand", "lying", "why"),
    [
        (1, ["5S 7H 9C"], "5♠ 7♥ 9♣ is not a meld on the table: A set has"),
        (1, ["4C 4C 4C"], "4♣ is there 4 times"),
        (15, [], "In hand 15 everything goes down at once"),
        (1, ["3S 4S 5S"] * 25, "25 melds are too many"),
    ],
)
def test_a_table_that_cannot_be_is_refused(hand: int, lying: list[str], why: str) -> None:
    """One sentence that says what is wrong."""
    with pytest.raises(BadInput, match=why):
        GAME.answer_query(table(), "laid", hand, ["4C"], lying)
