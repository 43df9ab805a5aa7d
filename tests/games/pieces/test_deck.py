"""Which cards a table needs (PIG-1, PIG-3, PIG-4, PIG-8, PIG-14), worked out by hand and by counting."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.games.pieces.deck import cards_of, sets_for, taken_out

from tests.support.commands import lastnose

PLAYERS = range(3, 27)


def written(cards: object) -> str:
    """Return cards as data writes them."""
    return " ".join(map(str, cards))


@pytest.mark.parametrize("each", [3, 4, 5])
def test_a_deck_without_stock_can_be_put_together_from_its_packs(each: int) -> None:
    """Exactly a hand for everybody, and no card more often than there are packs."""
    for players in PLAYERS:
        deck = sets_for(players, each)
        copies = Counter(cards_of(deck))
        assert players * each == deck.cards == copies.total()
        assert deck.packs == max(copies.values()), players
        assert 0 == deck.stock, players


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
        "Take all aces, kings and queens: 12 cards.",
        "Everybody gets 4 cards and collects four of a kind.",
        "Seat 1 deals 4 cards each.",
    ] == out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("pig", "--players", "7", "--travel-card"),
            (
                "Pig has no option “travel_card”; it has: sudden_death, word, stock, hand_size, hold, "
                "no_talking, winners, dead_heat."
            ),
        ),
        (("pig", "--players", "2"), "Pig is for 3 to 26 players, not 2."),
        (("pig", "--players", "27"), "Pig is for 3 to 26 players, not 27."),
        (("pig", "--players", "4", "--hand-size", "6"), "Pig: the option “hand_size” is 3, 4 or 5, not 6."),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    """Bad input is exit status 2, a sentence on stderr with where help is, nothing on stdout."""
    assert (2, "", f"Error: {sentence} Try lastnose deal --help for help.\n") == asked(
        *arguments, "--lang", "en"
    )
