"""The contract solver against brute force; every ruling has its examples in `minutes/contracts.txt`."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.arrange import arrange
from lastnose.companion.games.swedish_gin.contracts.laydown import lay_down
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, Contract
from lastnose.companion.games.swedish_gin.contracts.nearest import fit, nearest
from lastnose.companion.games.swedish_gin.contracts.packed import pack, size, unpack
from lastnose.companion.games.swedish_gin.contracts.solve import after, solve

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


def test_a_hand_is_packed_and_unpacked() -> None:
    """Two packs fit, twos apart."""
    hand = pack(PACKS)
    assert (104, 96, (2, 2, 2, 2)) == (hand.cards, size(hand.naturals), hand.twos)
    assert Counter(card for card in PACKS if card.rank != "2") == Counter(unpack(hand.naturals))


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
