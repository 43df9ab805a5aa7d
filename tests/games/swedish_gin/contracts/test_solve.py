"""The contract solver: every ruling by an example, and the whole against brute force."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.adding import lying
from lastnose.companion.games.swedish_gin.contracts.arrange import arrange
from lastnose.companion.games.swedish_gin.contracts.laydown import lay_down
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, Contract, Meld, contract_name
from lastnose.companion.games.swedish_gin.contracts.nearest import fit, nearest
from lastnose.companion.games.swedish_gin.contracts.packed import pack, size, unpack
from lastnose.companion.games.swedish_gin.contracts.solve import (
    Solution,
    after,
    completing,
    draws_that_let,
    help_with,
    solve,
)

from tests.support.examples import examples
from tests.support.rummy_oracle import (
    ORDER,
    fewest_after,
    fewest_points,
    is_set,
    points,
    run_patterns,
    short_of,
)

PACKS = [Card(rank, suit) for rank in RANKS for suit in SUITS] * 2
# Cards that get in each other's way: one or two suits, a stretch of ranks, and twos.
CLOSE = [Card(rank, suit) for rank in ("3", "4", "5", "6", "7", "8") for suit in "SH"] * 2
TWOS = [Card("2", suit) for suit in SUITS] * 2


def ask(number: int, cards: str, extras: bool = True) -> Solution:
    """Solve contract *number* for *cards* as people write them."""
    return solve(number, read_cards([cards]), extras=extras)


def written(melds: tuple[Meld, ...]) -> list[str]:
    """Return melds as strings."""
    return [" ".join(map(str, meld.cards)) for meld in melds]


def hands(pool: list[Card], least: int, most: int) -> st.SearchStrategy[list[Card]]:
    """Return hands from *pool*, no card more often than it is there."""
    return st.lists(st.sampled_from(range(len(pool))), unique=True, min_size=least, max_size=most).map(
        lambda picked: [pool[index] for index in picked]
    )


def test_contracts_are_those_of_the_sheet() -> None:
    """SGR-2: sizes as printed; with the discard they need the purchases of the asterisks."""
    sizes = {1: 6, 2: 7, 3: 8, 4: 8, 5: 11, 6: 9, 7: 10, 8: 10, 9: 12, 10: 12, 11: 12, 12: 15, 13: 15, 14: 12}
    assert sizes == {number: CONTRACTS[number].cards for number in range(1, 15)}
    assert {9: 1, 10: 1, 11: 1, 12: 2, 13: 2, 14: 1} == {
        number: contract.buys for number, contract in CONTRACTS.items() if contract.buys
    }


def test_each_contract_is_made_of_the_groups_of_the_sheet() -> None:
    """SGR-2, hand by hand: = a set, / a run."""
    told = """=3 =3|=3 /4|=4 =4|/4 /4|=3 =3 /5|=4 /5|=5 =5|/5 /5|=3 =3 =3 =3|/4 /4 /4|=4 =4 =4|/3 /3 /3 /3 /3
        |=3 =3 =3 =3 =3|=5 /5 =2|=3 =3 /*"""
    assert [one.strip() for one in told.split("|")] == [CONTRACTS[n].picture for n in range(1, 16)]


def test_contracts_have_names() -> None:
    """What is to be laid, in words."""
    assert "1 set of 5, 1 run of 5 and a pair" == str(contract_name(CONTRACTS[14]))
    assert "2 sets of 3 and a run of all the rest" == str(contract_name(CONTRACTS[15]))
    assert "2 sets of 3 and 1 run of 5" == str(contract_name(CONTRACTS[5]))
    assert "2 runs of 5" == str(contract_name(CONTRACTS[8]))
    assert "4 sets of 3" == str(contract_name(CONTRACTS[9]))


def test_a_hand_is_packed_and_unpacked() -> None:
    """Two packs fit, twos apart."""
    hand = pack(PACKS)
    assert (104, 96, (2, 2, 2, 2)) == (hand.cards, size(hand.naturals), hand.twos)
    assert Counter(card for card in PACKS if card.rank != "2") == Counter(unpack(hand.naturals))


def test_lay_down_has_melds_discard_and_what_is_left() -> None:
    """Two runs of 4; the king is thrown and its brother, the nine and the four stay: 20 points."""
    answer = ask(4, "3S 4S 5S 6S 8H 9H 10H 2C KD KS 9D 4C")
    assert answer.lays
    assert ["3S 4S 5S 6S", "8H 9H 10H 2C"] == written(answer.melds)
    assert (3,) == answer.melds[1].wilds
    assert ("K", 20, 0) == (answer.discard.rank if answer.discard else None, answer.points_left, answer.short)


def test_a_hand_that_does_not_lay_keeps_all_and_says_what_it_has() -> None:
    """One king is missing; the two sevens and kings are what there is."""
    answer = ask(1, "7S 7H 7D KS KH 3D 4D 9C 10C AD JS 5H")
    assert (False, (), None, 85, 1) == (
        answer.lays,
        answer.melds,
        answer.discard,
        answer.points_left,
        answer.short,
    )
    assert ["7S 7H 7D", "KS KH"] == written(answer.parts)
    assert [0, 1] == [part.missing for part in answer.parts]


def test_a_run_of_four_is_legal_before_it_grows() -> None:
    """Ruling 1: natural, wild, natural, wild, natural is a run of 5, and no run of 4 and one more."""
    rest = "8H 9H 10H JH KD QC"
    assert judge_meld(read_cards(["3S 2H 5S 2D 7S"])).legal
    assert not ask(4, f"3S 2H 5S 2D 7S {rest}").lays
    assert ask(4, f"3S 2H 5S 6S 2D {rest}").lays
    # A run of 5 may be just that.
    assert ask(6, "3S 2H 5S 2D 7S KH KD KC KS QC").lays


def test_a_long_run_does_not_stand_in_for_the_contract() -> None:
    """Ruling 1: 10♠ 2 Q♠ 2 A♠ would leave less, but the run of 4 is 4♥ 5♥ 6♥ and a two: 10 and queen stay."""
    answer = ask(2, "3S 3D 3C 10S 2H QS 2D AS 4H 5H 6H", extras=False)
    assert (15, "AS") == (answer.points_left, str(answer.discard))


def test_naturals_outnumber_wilds() -> None:
    """Ruling 2, SGR-4: a set of 3 takes one wild, a set of 5 two."""
    assert ask(1, "3S 3H 2C KS KH KD 4C").lays
    assert not ask(1, "3S 2H 2C KS KH KD 4C").lays
    assert ask(7, "3S 3H 3D 2C 2S KS KS KH KH KD 4C").lays
    assert 1 == ask(7, "3S 3H 2D 2C 2S KS KS KH KH KD 4C").short


def test_a_two_is_natural_below_the_three_of_its_suit() -> None:
    """Ruling 3: 2♠ 3♠ 2♥ 5♠ is a run of four with one wild; with 2♣ there would be two."""
    rest = "8H 9H 10H JH KD"
    assert ["2S 3S 2H 5S", "8H 9H 10H JH"] == written(ask(4, f"2S 3S 2H 5S {rest}").melds)
    assert not ask(4, f"2C 3S 2H 5S {rest}").lays


def test_twos_alone_are_a_set_of_any_size() -> None:
    """Ruling 3: eight twos are two sets of four."""
    assert ask(1, "2S 2H 2D KS KH KD 4C").lays
    assert ask(3, "2S 2S 2H 2H 2D 2D 2C 2C 4C").lays
    assert not ask(7, "2S 2S 2H 2H 2D 2D 2C 2C 4C 5C 6C").lays


def test_there_are_only_eight_twos() -> None:
    """Five of them are one set of 5; a second takes two of the others as wilds, and wants three naturals."""
    assert 3 == nearest(pack(TWOS), CONTRACTS[7])[0]


def test_a_run_that_is_not_begun_takes_a_natural_two_and_wilds() -> None:
    """Each of two runs of 4 takes two of four twos, one natural; the discard is missing as well."""
    assert 4 + 1 == ask(4, "2S 2H 2D 2C").short


def test_twos_that_no_meld_takes_are_a_set() -> None:
    """Two runs of four naturals take three each: seven are a set of their own, and the eighth is thrown."""
    twos = "2S 2S 2H 2H 2D 2D 2C 2C"
    answer = ask(4, f"9S 10S JS QS 9H 10H JH QH {twos}")
    assert (0, 3) == (answer.points_left, len(answer.melds))
    assert 25 == ask(4, f"9S 10S JS QS 9H 10H JH QH {twos}", extras=False).points_left


def test_the_ace_is_high_only() -> None:
    """Ruling 4: it follows the king, and does not come before the two."""
    rest = "5H 6H 7H 8H 9D"
    assert ask(4, f"JS QS KS AS {rest}").lays
    assert not ask(4, f"AS 2S 3S 4S {rest}").lays
    assert not ask(4, f"AS 3S 4S 5S {rest}").lays


def test_neighbouring_runs_and_sets_of_one_rank_are_two_melds() -> None:
    """Ruling 5: 3 to 10 of spades are two runs of 4, six kings two sets of 3."""
    assert ask(4, "3S 4S 5S 6S 7S 8S 9S 10S AD").lays
    assert ask(1, "KS KS KH KH KD KD 3C").lays


def test_equal_cards_share_a_set_and_never_a_run() -> None:
    """Ruling 5: K♠ K♠ K♥ is a set; a second 4♠ does not make a run longer."""
    assert ask(1, "KS KS KH 3S 3S 3H 5C").lays
    assert not ask(4, "3S 4S 4S 5S 8H 9H 10H JH 5C").lays


def test_further_sets_and_runs_go_down_in_the_same_turn() -> None:
    """Ruling 6: a third set goes too, unless the table lets it wait."""
    cards = "3S 3H 3D KS KH KD QS QH QC 4C 5H"
    assert (5, 3) == (ask(1, cards).points_left, len(ask(1, cards).melds))
    later = ask(1, cards, extras=False)
    # Better queens and kings now and the threes later: 25 points less the discard.
    assert (20, 2) == (later.points_left, len(later.melds))


def test_melds_grow_in_the_same_turn_even_where_further_ones_wait() -> None:
    """A fourth three and a two go on the set of threes."""
    answer = ask(1, "3S 3H 3D 3C 2S KS KH KD QS", extras=False)
    assert (0, "QS") == (answer.points_left, str(answer.discard))
    assert 8 == sum(len(meld.cards) for meld in answer.melds)


def test_the_pair_is_natural_and_does_not_grow() -> None:
    """Ruling 7, SGR-5: two twos are a pair, a king and a two are none, a third king stays in hand."""
    most = "3S 3H 3D 3C 3S 5H 6H 7H 8H 9H"
    assert ask(14, f"{most} KS KD QC").lays
    assert ask(14, f"{most} 2S 2D QC").lays
    assert not ask(14, f"{most} KS 2D QC").lays
    answer = ask(14, f"{most} KS KD KC QC")
    assert (10, "KS KD") == (answer.points_left, written(answer.melds)[-1])


def test_a_card_is_kept_for_the_discard() -> None:
    """Ruling 8: the contract alone is one card short; any card would do."""
    bare = ask(4, "3S 4S 5S 6S 7H 8H 9H 10H")
    assert (False, 1) == (bare.lays, bare.short)
    assert 52 == len(completing(4, read_cards(["3S 4S 5S 6S 7H 8H 9H 10H"])))
    assert ask(4, "3S 4S 5S 6S 7H 8H 9H 10H JH").points_left == 0


def test_the_last_card_that_fits_is_discarded_rather_than_laid() -> None:
    """All nine cards fit, and yet one must be thrown: the hand closes."""
    answer = ask(1, "3S 3H 3D 3C KS KH KD KC KS")
    assert (0, 8, ()) == (answer.points_left, sum(len(meld.cards) for meld in answer.melds), answer.left)


def test_a_two_is_thrown_when_nothing_else_is_left() -> None:
    """It would fit, but something must be thrown."""
    answer = ask(1, "KS KH KD AS AH AD 2H")
    assert ("2H", 0, 6) == (
        str(answer.discard),
        answer.points_left,
        sum(len(meld.cards) for meld in answer.melds),
    )


def test_hand_15_goes_down_whole_without_a_discard() -> None:
    """Two sets of exactly 3, and the run is everything else."""
    answer = ask(15, "KS KH KD 3S 3H 3D 5C 6C 7C 8C 9C 2S")
    assert (True, None, 0, ()) == (answer.lays, answer.discard, answer.points_left, answer.left)
    assert [3, 3, 6] == [len(meld.cards) for meld in answer.melds]
    # A fourth king has no place.
    assert not ask(15, "KS KH KD KC 3S 3H 3D 5C 6C 7C 8C 9C").lays


def test_hand_15_may_throw_what_is_in_the_way() -> None:
    """The fourth king goes for a four, a ten, a two, or a jack or three that the run reaches with none."""
    cards = read_cards(["KS KH KD KC 3S 3H 3D 5C 6C 7C 8C 9C"])
    assert 1 == solve(15, cards).short
    assert {"2S", "2H", "2D", "2C", "4C", "10C"} == {str(card) for card in completing(15, cards)}


def test_completing_cards_are_those_with_which_the_hand_lays() -> None:
    """A third king, or a two."""
    cards = read_cards(["7S 7H 7D KS KS KH 3D 4D"])
    assert () == completing(1, cards)
    fewer = read_cards(["7S 7H 7D KS KS 3D 4D"])
    assert ["2S", "2H", "2D", "2C", "KH", "KD", "KC"] == [str(card) for card in completing(1, fewer)]


def test_nothing_completes_a_hand_that_is_two_short() -> None:
    """One card is not enough."""
    cards = read_cards(["7S 7H 7D KS 3D 5H 9C"])
    assert 2 == solve(1, cards).short
    assert () == completing(1, cards)


@pytest.mark.parametrize(
    ("number", "cards", "sentence"),
    [
        (0, "3S", r"There is no contract 0: the hands go from 1 to 15\."),
        (16, "3S", r"There is no contract 16"),
        (1, "3S 3S 3S", r"3♠ is there 3 times; two packs have it twice\."),
        (1, " ".join(map(str, PACKS[:19])), r"19 cards are too many for one hand"),
    ],
)
def test_what_cannot_be_is_one_sentence_with_the_rule(number: int, cards: str, sentence: str) -> None:
    """Contracts, copies and hands that no two packs have."""
    with pytest.raises(BadInput, match=sentence):
        ask(number, cards)


CONTRACT = st.builds(
    Contract,
    number=st.just(0),
    sets=st.integers(0, 2),
    set_size=st.integers(3, 5),
    runs=st.integers(0, 2),
    run_size=st.integers(3, 5),
    pair=st.booleans(),
).filter(lambda contract: contract.cards > 0)


@settings(max_examples=examples(60), deadline=None)
@given(hands(CLOSE + TWOS, 5, 8), CONTRACT, st.booleans())
def test_best_lay_down_is_that_of_brute_force(cards: list[Card], contract: Contract, extras: bool) -> None:
    """Every subset of a small hand as every meld: the same points, and the same no."""
    expected = fewest_points(cards, contract, extras)
    found = lay_down(pack(cards), contract, extras=extras)
    assert expected == (found[0] if found else None)
    assert (expected is not None) == (
        len(cards) > contract.cards and fit(pack(cards), contract, 0) is not None
    )
    if found:
        melds, discard, left, _ = arrange(pack(cards), found[1])
        assert expected == sum(map(points, left))
        assert Counter(cards) == Counter([*(card for meld in melds for card in meld.cards), discard, *left])


@settings(max_examples=examples(12), deadline=None)
@given(
    hands(CLOSE + TWOS, 0, 8),
    st.sampled_from(
        [
            Contract(0, sets=1, set_size=4),
            Contract(0, sets=1, set_size=5),
            Contract(0, runs=1, run_size=3),
            Contract(0, runs=1, run_size=4),
            Contract(0, runs=1, run_size=5),
            Contract(0, runs=1, run_size=4, pair=True),
        ]
    ),
)
def test_cards_short_is_that_of_every_meld_in_two_packs(cards: list[Card], contract: Contract) -> None:
    """Counted over every meld there is, with every card that is still to be had."""
    assert short_of(cards, contract) == nearest(pack(cards), contract)[0]


@settings(max_examples=examples(60), deadline=None)
@given(hands(CLOSE + TWOS, 0, 16), st.sampled_from(range(1, 15)))
def test_each_missing_card_can_be_had(cards: list[Card], number: int) -> None:
    """There is always a card in the packs that brings a hand one nearer, until the contract is there."""
    contract = CONTRACTS[number]
    missing = nearest(pack(cards), contract)[0]
    while missing:
        held = Counter(cards)
        nearer = (
            card
            for card in PACKS[:52]
            if held[card] < 2 and nearest(pack([*cards, card]), contract)[0] == missing - 1
        )
        cards = [*cards, next(nearer)]
        missing -= 1
    assert fit(pack(cards), contract, 0) is not None


@settings(max_examples=examples(100), deadline=None)
@given(hands(PACKS, 9, 18), st.sampled_from(range(1, 16)))
def test_what_is_laid_is_legal_disjoint_and_the_contract(cards: list[Card], number: int) -> None:
    """Real hands: the contract's melds first, each at least its size, each legal to the table judge."""
    _check(cards, number)


@settings(max_examples=examples(60), deadline=None)
@given(hands(CLOSE + TWOS, 12, 18), st.sampled_from(range(1, 15)))
def test_what_is_laid_of_a_crowded_hand_is_legal(cards: list[Card], number: int) -> None:
    """Hands of two suits and many twos, where most contracts can be laid."""
    _check(cards, number)


def _check(cards: list[Card], number: int) -> None:
    contract, answer = CONTRACTS[number], solve(number, cards)
    laid = [card for meld in answer.melds for card in meld.cards]
    thrown = [answer.discard] if answer.discard else []
    assert Counter(cards) == Counter([*laid, *thrown, *answer.left])
    assert answer.points_left == sum(map(points, answer.left))
    assert answer.lays == (answer.short == 0) == bool(answer.melds)
    wanted = [*["set"] * contract.sets, *["run"] * contract.runs]
    found = Counter(meld.kind for meld in answer.melds)
    for meld in answer.melds:
        ruling = judge_meld(meld.cards, pair=meld.kind == "pair")
        assert ruling.legal, (meld, str(ruling.why))
        assert meld.wilds == () or 2 * len(meld.wilds) < len(meld.cards)
        assert meld.kind == "pair" or is_set(meld.cards) or any(run_patterns(meld.cards))
    if answer.lays:
        assert found["set"] >= wanted.count("set")
        assert found["run"] >= wanted.count("run")
        assert found["pair"] == contract.pair


@settings(max_examples=examples(40), deadline=None)
@given(hands(CLOSE[:12] + TWOS[:3], 9, 10))
def test_hand_15_is_that_of_brute_force(cards: list[Card]) -> None:
    """Every choice of two threes, and whether the rest is a run."""
    assert _closes(cards) == solve(15, cards).lays


def _closes(cards: list[Card]) -> bool:
    indices = range(len(cards))
    for first in combinations(indices, 3):
        if is_set([cards[index] for index in first]):
            others = [index for index in indices if index not in first]
            for second in combinations(others, 3):
                run = [cards[index] for index in others if index not in second]
                if is_set([cards[index] for index in second]) and any(run_patterns(run)):
                    return True
    return False


def test_hand_15_that_lies_is_found() -> None:
    """Brute force and solver agree on hands that lie, which random ones rarely do."""
    for cards in (
        "3S 3H 3S 4S 4H 4S 5S 6S 7S",
        "3S 3H 2S 4S 4H 2S 5S 2H 7S 8S",
        "2S 2S 2H 3S 3H 3S 4S 5S 6S",
    ):
        hand = list(read_cards([cards]))
        assert _closes(hand), cards
        assert solve(15, hand).lays, cards


@pytest.mark.parametrize(
    ("cards", "wilds", "room", "ends"),
    [
        ("2S 3S 4S", (), 2, (2, 4)),  # natural: three against two more
        ("2H 3S 4S", (0,), 0, (2, 4)),
        ("3S 2H 5S", (1,), 0, (3, 5)),
        ("3S 4S 2S", (2,), 0, (3, 5)),  # behind the 4 it stands for the 5
        ("JS QS KS AS", (), 3, (11, 14)),
    ],
)
def test_a_run_lies_as_it_was_laid(
    cards: str, wilds: tuple[int, ...], room: int, ends: tuple[int, int]
) -> None:
    """SGR-4: a two is natural below the 3 of its suit; naturals outnumber the wilds it still takes."""
    found = lying(read_cards([cards]))
    assert (wilds, room, ends) == (found.meld.wilds, found.room, (found.first, found.last))
    assert "S" == SUITS[found.suit], "a wild in front is of no suit"


def test_a_two_goes_below_the_three_of_its_suit_on_the_table() -> None:
    """It is natural there; the 4 of clubs is thrown."""
    found = after(1, read_cards(["2H 4C"]), [read_cards(["3H 4H 5H"])])
    assert (["2H"], "4C", 0) == (
        [str(card) for one in found.added for card in one.cards],
        str(found.discard),
        found.points_left,
    )


def test_the_highest_cards_are_added_to_a_run() -> None:
    """Queen, king and ace behind the jack; the 4 is thrown."""
    found = after(1, read_cards(["QS KS AS 4C"]), [read_cards(["9S 10S JS"])])
    assert (["QS KS AS"], "4C", 0) == (
        [" ".join(map(str, one.cards)) for one in found.added],
        str(found.discard),
        found.points_left,
    )


def test_one_natural_two_begins_one_run_only() -> None:
    """Contract 4 wants two runs of 4: of 2 3 4 5 and 3 4 5 of hearts the second lacks a card."""
    cards = read_cards(["2H 3H 4H 5H 3H 4H 5H KS KD QC JC 9D"])
    assert (False, 1) == (solve(4, cards).lays, solve(4, cards).short)
    assert solve(4, [*cards[:-1], Card("2", "H")]).lays


def test_no_third_card_of_a_kind_is_among_those_that_let_one_lay() -> None:
    """Hand 15: the two 3s of spades want a third, of any other suit, or a two."""
    cards = read_cards(["3S 3S 7S 7H 7D 4C 5C 6C 7C 8C 9C"])
    found = draws_that_let(15, cards, solve(15, cards))
    assert {"3H", "3D", "3C", "2S", "2H", "2D", "2C"} == {str(card) for card in found}


def test_where_any_card_would_do_nothing_is_said_to_stay() -> None:
    """Hand 12 takes its 15 cards; the sixteenth is still to be drawn, and is thrown."""
    told = help_with(12, read_cards(["3S 4S 5S 7S 8S 9S JS QS KS 3H 4H 5H 7H 8H 9H"]))
    assert (True, 5, 0, 0, ()) == (told.lays, len(told.melds), told.points_left, told.short, told.left)


def test_a_hand_that_cannot_be_is_refused_after_the_contract_too() -> None:
    """Three of one card are in no two packs."""
    with pytest.raises(BadInput):
        after(1, read_cards(["3S 3S 3S 4C"]))


def lying_melds() -> st.SearchStrategy[list[tuple[str, list[str]]]]:
    """Return melds on the table without wilds: runs of three to five in two suits, sets of three."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    runs = st.tuples(st.sampled_from("SH"), st.integers(1, 7), st.integers(3, 5)).map(
        lambda run: (run[0], ranks[run[1] : run[1] + run[2]])
    )
    sets = st.sampled_from(["2", "4", "6", "7"]).map(lambda rank: ("", [rank] * 3))
    return st.lists(runs | sets, min_size=1, max_size=2)


@settings(max_examples=80, deadline=None)
@given(hands([*CLOSE, *TWOS[:4]], 2, 7), lying_melds())
def test_the_cheapest_rest_is_that_of_every_way_to_add(
    cards: list[Card], melds: list[tuple[str, list[str]]]
) -> None:
    """Sets of the table are of diamonds and clubs, so that no card is there three times."""
    table = [[Card(rank, suit or "DCD"[index]) for index, rank in enumerate(ranks)] for suit, ranks in melds]
    counts = Counter([*cards, *(card for meld in table for card in meld)])
    assume(max(counts.values()) <= 2)
    found = after(1, cards, table)
    assert fewest_after(cards, melds) == found.points_left
    assert found.points_left == sum(map(points, found.left))
    laid = Counter(card for meld in found.melds for card in meld.cards)
    added = Counter(card for one in found.added for card in one.cards)
    assert Counter(cards) == laid + added + Counter(found.left) + Counter([found.discard])
    for one in found.added:
        assert judge_meld([*one.meld.cards, *one.cards]).legal
        stand = [rank or card.rank for card, rank in zip(one.cards, one.stands_for, strict=True)]
        if one.meld.kind == "set":
            assert {one.meld.cards[0].rank} == set(stand)
        else:
            places = sorted(ORDER.index(rank) for rank in (*stand, *(c.rank for c in one.meld.cards)))
            assert [*range(places[0], places[0] + len(places))] == places
        assert all(not rank or card.rank == "2" for card, rank in zip(one.cards, one.stands_for, strict=True))
