"""Cards as data writes them, as the eye reads them and as a sentence names them."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.games.pieces.cards import (
    PACK,
    RANKS,
    SUITS,
    Card,
    corner,
    names,
    plural,
    read_card,
    read_cards,
    row,
    shown,
)


def test_a_pack_has_thirteen_ranks_from_the_ace_down_in_four_suits() -> None:
    """The order is the one in which decks are put together."""
    assert ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"] == list(RANKS)
    assert 52 == PACK == len({Card(rank, suit) for rank in RANKS for suit in SUITS})


def test_a_card_is_written_with_letters_and_shown_with_signs() -> None:
    """Data says `10H`, a sentence says `10♥`."""
    ten = Card("10", "H")
    assert "10H" == str(ten)
    assert "10♥" == str(shown(ten))
    assert ["A♠", "A♥", "A♦", "A♣"] == [str(shown(Card("A", suit))) for suit in SUITS]


def test_letters_in_the_corner_can_be_translated_and_figures_stay() -> None:
    """A French pack prints R D V, and 10 like everybody else."""
    assert ["A", "K", "Q", "J"] == [getattr(corner(rank), "id", None) for rank in RANKS[:4]]
    assert list(RANKS[4:]) == [corner(rank) for rank in RANKS[4:]]


def test_every_rank_has_a_name() -> None:
    """Thirteen ranks, thirteen different names."""
    assert 13 == len({str(plural(rank)) for rank in RANKS})


def test_ranks_are_named_in_a_sentence_and_laid_side_by_side() -> None:
    """One, two and many, without a superfluous comma."""
    assert "aces" == str(names(["A"]))
    assert "aces and twos" == str(names(["A", "2"]))
    assert "aces, tens and twos" == str(names(["A", "10", "2"]))
    assert "A" == str(row([corner("A")]))
    assert "A K 10" == str(row([corner("A"), corner("K"), "10"]))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("7S", "7S"),
        ("10h", "10H"),
        ("kD", "KD"),
        ("2♣", "2C"),
        ("10♥", "10H"),
        ("A♠", "AS"),
        ("As♠", "AS"),
        ("asd", "AD"),
        ("AS", "AS"),
        ("ASS", "AS"),
        ("V♣", "JC"),
        ("D♦", "QD"),
        ("DD", "QD"),
        ("r♡", "KH"),
        ("9♢", "9D"),
        ("Q♥️", "QH"),
    ],
)
def test_cards_are_read_as_people_write_them(written: str, read: str) -> None:
    """Letters or signs, in any case, in English or French."""
    assert read == str(read_card(written))


@pytest.mark.parametrize("written", ["", "1S", "11S", "S7", "7", "♠", "8K", "7SS", "JOKER", "7 S"])
def test_what_is_no_card_says_what_is_expected(written: str) -> None:
    """One sentence with examples."""
    with pytest.raises(BadInput, match=rf"^“{written}” is not a card\. Write its rank .*: 7S, 10♥, KD\.$"):
        read_card(written)


def test_several_cards_may_stand_in_one_string() -> None:
    """With spaces or commas, as a shell or a form has them."""
    assert ["7S", "10H", "KD", "2C"] == [str(card) for card in read_cards(["7S 10H", "KD,2C", " "])]


def test_every_card_is_read_back_from_data_and_from_its_signs() -> None:
    """Both ends."""
    for card in (Card(rank, suit) for rank in RANKS for suit in SUITS):
        assert card == read_card(str(card)) == read_card(str(shown(card)))
