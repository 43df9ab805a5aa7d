"""Cards as data writes them, as the eye reads them and as a sentence names them."""

from __future__ import annotations

from companion.cards import PACK, RANKS, SUITS, Card, corner, names, plural, row, shown


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
