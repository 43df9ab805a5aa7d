"""Which cards a table needs (PIG-1, PIG-3, PIG-4, PIG-8, PIG-14), worked out by hand and by counting."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pieces.deck import cards_of, packs_for, sets_for, taken_out
from tests.support.commands import lastnose

PLAYERS = range(3, 27)


def written(cards: object) -> str:
    """Return cards as data writes them."""
    return " ".join(map(str, cards))


def test_seven_players_take_seven_ranks_from_the_ace_down() -> None:
    """The example of PIG-3."""
    deck = sets_for(7, 4)
    assert ("A", "K", "Q", "J", "10", "9", "8") == deck.ranks
    assert (1, 28, 4, ()) == (deck.packs, deck.cards, deck.each, deck.odd)


@pytest.mark.parametrize(("players", "packs"), [(3, 1), (13, 1), (14, 2), (26, 2)])
def test_without_stock_a_pack_serves_thirteen(players: int, packs: int) -> None:
    """PIG-1: ceil(N / 13)."""
    assert packs == sets_for(players, 4).packs


def test_the_second_pack_starts_again_from_its_ace() -> None:
    """PIG-3: fourteen players use thirteen ranks and the aces of a second pack."""
    assert (*"AKQJ", "10", *"98765432", "A") == sets_for(14, 4).ranks


def test_hands_of_three_take_three_cards_of_each_rank() -> None:
    """PIG-14: the clubs stay in the box."""
    deck = sets_for(4, 3)
    assert (("A", "K", "Q", "J"), 12, ()) == (deck.ranks, deck.cards, deck.odd)
    assert "AS AH AD KS KH KD QS QH QD JS JH JD" == written(cards_of(deck))


@pytest.mark.parametrize(
    ("players", "whole", "odd", "packs"),
    [
        (3, 3, "JS JH JD", 1),  # 15 = 3 x 4 + 3
        (4, 5, "", 1),  # 20 = 5 x 4
        (5, 6, "8S", 1),  # 25 = 6 x 4 + 1
        (6, 7, "7S 7H", 1),  # 30 = 7 x 4 + 2
        (10, 12, "2S 2H", 1),  # 50 = 12 x 4 + 2: the last that one pack serves
        (11, 13, "AS AH AD", 2),  # 55 = 13 x 4 + 3
        (20, 25, "", 2),  # 100
        (21, 26, "AS", 3),  # 105 = 2 x 52 + 1
        (26, 32, "8S 8H", 3),  # 130 = 32 x 4 + 2; the third pack gives A K Q J 10 9
    ],
)
def test_hands_of_five_take_whole_ranks_and_odd_cards(players: int, whole: int, odd: str, packs: int) -> None:
    """PIG-14: floor(5N / 4) whole ranks and 5N mod 4 odd cards of the next one."""
    deck = sets_for(players, 5)
    assert (whole, odd, packs) == (len(deck.ranks), written(deck.odd), deck.packs)


@pytest.mark.parametrize("each", [3, 4, 5])
def test_a_deck_without_stock_can_be_put_together_from_its_packs(each: int) -> None:
    """Exactly a hand for everybody, and no card more often than there are packs."""
    for players in PLAYERS:
        deck = sets_for(players, each)
        copies = Counter(cards_of(deck))
        assert players * each == deck.cards == copies.total()
        assert deck.packs == max(copies.values()), players
        assert 0 == deck.stock, players


@pytest.mark.parametrize(("each", "most"), [(3, 17), (4, 12), (5, 10)])
def test_with_stock_one_pack_serves_so_many(each: int, most: int) -> None:
    """PIG-14, PIG-1: 17 with three cards, 12 with four, 10 with five."""
    assert [1, 2] == [packs_for(players, each).packs for players in (most, most + 1)]


@pytest.mark.parametrize("each", [3, 4, 5])
def test_with_stock_the_fewest_packs_that_leave_a_card_are_used(each: int) -> None:
    """PIG-1: found by trying one pack more until a card is left."""
    for players in PLAYERS:
        fewest = next(packs for packs in count(1) if packs * 52 - players * each >= 1)
        deck = packs_for(players, each)
        assert (fewest, 52 * fewest) == (deck.packs, deck.cards), players
        assert 52 * fewest - players * each == deck.stock
        assert 13 == len(deck.ranks), players


@pytest.mark.parametrize(
    ("players", "each", "gone"),
    [
        (4, 4, "JS JH JD JC"),
        (7, 4, "8S 8H 8D 8C"),
        (14, 4, "AS AH AD AC"),  # the second pack goes first
        (4, 3, "JS JH JD"),
        (4, 5, "JC 10S 10H 10D 10C"),  # 15 stay: A K Q whole and three jacks
        (5, 5, "9S 9H 9D 9C 8S"),  # 20 stay: A K Q J 10
        (6, 5, "8H 8D 8C 7S 7H"),  # 25 stay: A to 9 whole and an eight
        (7, 5, "7D 7C 6S 6H 6D"),  # 30 stay: A to 8 whole and two sevens
    ],
)
def test_the_lowest_cards_leave_with_a_player(players: int, each: int, gone: str) -> None:
    """PIG-8: the lowest rank still in play; with five cards exactly what makes the smaller deck."""
    assert gone == written(taken_out(sets_for(players, each), sets_for(players - 1, each)))


@given(each=st.sampled_from([3, 4, 5]), players=st.integers(4, 26), leaving=st.integers(1, 24))
def test_what_stays_is_the_deck_that_fewer_players_would_have_taken(
    each: int, players: int, leaving: int
) -> None:
    """However many leave at once."""
    before, after = sets_for(players, each), sets_for(max(2, players - leaving), each)
    left = Counter(cards_of(before)) - Counter(taken_out(before, after))
    assert Counter(cards_of(after)) == left


def asked(*arguments: str) -> tuple[int, str, str]:
    """Run `lastnose deal` and return its status, what it printed and what it said on stderr."""
    result = lastnose("deal", *arguments)
    return result.exit_code, result.stdout, result.stderr


def test_the_command_gives_the_advice_as_json() -> None:
    """The keys that others rely on come first, as they stand in the design."""
    status, out, _ = asked("pig", "--players", "7", "--json")
    advice = json.loads(out)
    assert 0 == status
    assert ["packs", "ranks", "cards", "each", "spoons"] == list(advice)[:5]
    assert {"packs": 1, "cards": 28, "each": 4, "spoons": None, "dealer": 1} == {
        key: advice[key] for key in ("packs", "cards", "each", "spoons", "dealer")
    }
    assert ["A", "K", "Q", "J", "10", "9", "8"] == advice["ranks"]


def test_the_command_knows_stock_and_hand_size() -> None:
    """Thirteen with a stock need two packs; five cards each leave an odd card."""
    with_stock = json.loads(asked("pig", "--players", "13", "--stock", "--json")[1])
    assert (2, 104, 52, 13) == (
        with_stock["packs"],
        with_stock["cards"],
        with_stock["stock"],
        len(with_stock["ranks"]),
    )
    of_five = json.loads(asked("pig", "--players", "5", "--hand-size", "5", "--json")[1])
    assert (25, 5, ["8S"]) == (of_five["cards"], of_five["each"], of_five["odd"])


def test_the_command_counts_tiles() -> None:
    """CHK-2: 42 tiles among four; the other sets have a suggestion, and any option can be said."""
    advice = json.loads(asked("chickenfoot", "--players", "4", "--set", "9", "--json")[1])
    assert (11, 11, 55) == (advice["tiles_each"], advice["boneyard"], advice["cards"])
    of_six = json.loads(asked("chickenfoot", "--players", "4", "--set", "6", "--json")[1])
    assert of_six == json.loads(asked("chickenfoot", "--players", "4", "--option", "set=6", "--json")[1])
    assert (28, 5) == (of_six["cards"], of_six["tiles_each"])  # 42 * 28 / 55 / 4 = 5.3


def test_the_command_speaks_in_sentences() -> None:
    """Without --json it is read aloud."""
    status, out, err = asked("pig", "--players", "3", "--lang", "en")
    assert (0, "") == (status, err)
    assert [
        "From one pack, take all aces, kings and queens: 12 cards.",
        "Everybody gets 4 cards and collects four of a kind.",
        "Seat 1 deals.",
    ] == out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("pig", "--players", "7", "--travel-card"),
            (
                "Pig has no option “travel_card”. It has: sudden_death, word, stock, hand_size, hold, "
                "no_talking, winners, dead_heat."
            ),
        ),
        (("pig", "--players", "2"), "Pig is for 3 to 26 players, not 2."),
        (("pig", "--players", "27"), "Pig is for 3 to 26 players, not 27."),
        (
            ("pig", "--players", "4", "--hand-size", "6"),
            "Pig: the option “hand_size” is 3, 4 or 5, not 6.",
        ),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    """Bad input is exit status 2, a sentence on stderr with where help is, nothing on stdout."""
    assert (2, "", f"Error: {sentence} Try lastnose deal --help for help.\n") == asked(
        *arguments, "--lang", "en"
    )


def test_the_command_names_the_games_when_it_does_not_know_one() -> None:
    """The list is in the sentence."""
    status, out, err = asked("go", "--players", "4", "--lang", "en")
    assert (2, "") == (status, out)
    assert err.startswith("Error: There is no game “go”.")
    assert "pig" in err
