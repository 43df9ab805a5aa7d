"""The card that is still missing: which ones would do, how many of them there are, and the longest runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import Card, read_cards
from lastnose.companion.games.swedish_gin.answers import counted
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS
from lastnose.companion.games.swedish_gin.contracts.solve import completing, help_with, solve

from tests.support.examples import examples
from tests.support.rummy_oracle import ORDER, SUITS, is_set, run_patterns

PACK = [Card(rank, suit) for rank in ORDER for suit in SUITS]
TWOS = PACK[:4]
# Two sets of three, and a run of spades with a hole at every second place: naturals 2 4 6 8 10 and ace.
LONG = "KH KD KC QH QD QC 2S 4S 6S 8S 10S AS 2S 2H 2H 2D 2D 2C"


def lies(cards: Sequence[Card], kinds: Sequence[tuple[str, int]]) -> bool:
    """Return whether melds of these *kinds* and sizes are among *cards*, by trying all there are."""
    if not kinds:
        return True
    (kind, size), *others = kinds
    for chosen in combinations(range(len(cards)), size):
        held = [cards[at] for at in chosen]
        if is_set(held) if kind == "set" else any(run_patterns(held)):
            rest = [card for at, card in enumerate(cards) if at not in chosen]
            if lies(rest, others):
                return True
    return False


def hands(ranks: str, least: int, most: int) -> st.SearchStrategy[list[Card]]:
    """Return hands of hearts and spades of a few *ranks* and twos, no card three times."""
    pool = [card for card in PACK if card.rank in ranks and card.suit in "SH"] * 2
    return st.permutations([*pool, *TWOS]).flatmap(
        lambda cards: st.integers(least, most).map(lambda count: cards[:count])
    )


@pytest.mark.parametrize(
    ("number", "kinds", "wanted", "ranks"),
    [(1, [("set", 3)] * 2, 6, "345"), (2, [("set", 3), ("run", 4)], 7, "3456")],
)
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_the_cards_that_complete_a_hand_are_those_with_which_it_lies(
    number: int, kinds: list[tuple[str, int]], wanted: int, ranks: str, data: st.DataObject
) -> None:
    """SGR-2, SGR-6: each card of a pack put to the hand, and every choice of melds; one is thrown."""
    cards = data.draw(hands(ranks, wanted - 1, wanted + 1))
    held = Counter(cards)
    expected = set()
    if len(cards) >= wanted and not (len(cards) > wanted and lies(cards, kinds)):
        expected = {card for card in PACK if held[card] < 2 and lies([*cards, card], kinds)}
    assert expected == set(completing(number, cards))


def test_with_its_last_card_a_hand_must_also_have_one_to_throw() -> None:
    """SGR-6: threes and two fours take a four or a two, if there is a king to throw.

    Without the king nothing does, and of seven cards that lie nothing is missing.
    """
    five = "3S 3H 3D 4S 4H"
    completed = [str(card) for card in completing(1, read_cards([f"{five} KC"]))]
    assert ["2S", "2H", "2D", "2C", "4S", "4H", "4D", "4C"] == completed
    assert () == completing(1, read_cards([five])) == completing(1, read_cards([f"{five} 4C KC"]))


@settings(max_examples=examples(12), deadline=None)
@given(hands("34567", 11, 11), st.sampled_from([1, 2, 3, 4, 6, 15]))
def test_so_many_of_the_cards_that_may_come_let_a_hand_lay(cards: list[Card], number: int) -> None:
    """SGR-6: each of the 93 that are not held is drawn once, and the hand of twelve asked again."""
    held = Counter(cards)
    let = sum(2 - held[card] for card in PACK if held[card] < 2 and solve(number, [*cards, card]).lays)
    told = help_with(number, cards)
    assert (let, 93, let == 93) == (told.lets, told.unseen, told.lays)


def test_a_run_of_all_thirteen_is_one_card_short_of_its_seventh_natural() -> None:
    """Hand 15 (SGR-2, SGR-4): six naturals and six twos want one natural more; a two would be one too many.

    As a run of twelve, without the ace or the 2 in its place, it would want two.
    """
    cards = read_cards([LONG])
    found = solve(15, cards)
    assert (False, 1) == (found.lays, found.short)
    assert ["3S", "5S", "7S", "9S", "JS", "QS", "KS"] == [str(card) for card in completing(15, cards)]


def test_a_run_of_twelve_goes_down_with_two_sets() -> None:
    """Hand 15: three kings, three queens, and 3 to ace of spades without a hole, the last of 18 cards."""
    spades = " ".join(f"{rank}S" for rank in ORDER[1:])
    assert solve(15, read_cards(["KH KD KC QH QD QC " + spades])).lays
    short = solve(15, read_cards(["KH KD KC QH QD QC 9H " + spades.removeprefix("3S ")]))
    assert (False, 1) == (short.lays, short.short)


def test_further_melds_go_down_unless_the_table_lets_them_wait() -> None:
    """SGR-5: two of three sets are the contract, the king is thrown; what waits are the threes, 15 points."""
    cards = read_cards(["3S 3H 3D 4S 4H 4D 9S 9H 9D KC"])
    assert (3, 0) == (len(help_with(1, cards).melds), help_with(1, cards).points_left)
    waits = help_with(1, cards, extras=False)
    assert (2, 15) == (len(waits.melds), waits.points_left)


# SGR-2's asterisks: buys with 12 cards in turn, with 14, and with 16. All others want none.
BUYS = {9: (1, 0, 0), 10: (1, 0, 0), 11: (1, 0, 0), 12: (2, 1, 0), 13: (2, 1, 0), 14: (1, 0, 0)}


@pytest.mark.parametrize("number", sorted(CONTRACTS))
def test_a_hand_too_small_for_its_contract_is_told_how_many_buys_it_wants(number: int) -> None:
    """SGR-6, SGR-9: 11 or 12 cards, 13 or 14, 15 or 16; each buy brings two."""
    told = partial(counted, CONTRACTS[number])
    for held, wants in zip(((11, 12), (13, 14), (15, 16)), BUYS.get(number, (0, 0, 0)), strict=True):
        more = f"you want {wants} more buy{'s' if wants > 1 else ''}."
        for count in held:
            assert [more] * (wants > 0) == [str(line).partition(": ")[2] for line in told(count)]
    for miscount in (10, 17):
        assert f"here are {miscount}." in str(told(miscount)[0])


def closes(cards: Sequence[Card]) -> bool:
    """Return whether all *cards* are two sets of three and a run (hand 15), by trying every choice."""
    places = range(len(cards))
    triples = [set(at) for at in combinations(places, 3) if is_set([cards[one] for one in at])]
    return any(
        not first & second and any(run_patterns([cards[at] for at in places if at not in first | second]))
        for first, second in combinations(triples, 2)
    )


def swaps(cards: Sequence[Card], card: Card) -> bool:
    """Return whether *cards* lie whole (hand 15) with *card* in the place of one of them, which is thrown."""
    throws = {thrown: at for at, thrown in enumerate(cards)}
    return any(closes([*cards[:at], *cards[at + 1 :], card]) for at in throws.values())


def near(data: st.DataObject) -> list[Card]:
    """Return twelve cards that lie whole in hand 15 but for one, which is another."""
    run = data.draw(st.integers(1, 7))
    cards = [Card(rank, "S") for rank in ORDER[run : run + 6]]
    for rank in data.draw(st.permutations(ORDER[1:]))[:2]:
        cards += [Card(rank, suit) for suit in "HDC"]
    for at in data.draw(st.sets(st.sampled_from([0, 1, 3, 5, 6, 9]), max_size=4)):
        two = data.draw(st.sampled_from(TWOS))
        cards[at] = two if cards.count(two) < 2 else cards[at]
    cards[data.draw(st.integers(0, 11))] = data.draw(st.sampled_from([c for c in PACK if c not in cards]))
    return cards


def test_in_its_turn_the_last_hand_is_offered_swaps_only() -> None:
    """SGR-2, SGR-6: with 5H thirteen cards would lie, but nothing is thrown when hand 15 goes down."""
    cards = read_cards(["2D JD 2C 2S JH 9H JH 2H 2D JS 10H 2S"])
    assert closes([*cards, Card("5", "H")])
    assert not swaps(cards, Card("5", "H"))
    found = completing(15, cards)
    assert ["6H", "7H", "8H", "QH", "KH", "AH"] == [str(card) for card in found]
    assert all(swaps(cards, card) for card in found)
    assert (False, 1) == (help_with(15, cards).lays, help_with(15, cards).short)


@settings(max_examples=examples(5), deadline=None)
@given(data=st.data())
def test_what_would_do_in_the_last_hand_is_what_a_thrown_card_makes_room_for(data: st.DataObject) -> None:
    """SGR-2, SGR-6: a few cards of two packs, each for every card of the hand."""
    cards = near(data)
    if not closes(cards):
        found = completing(15, cards)
        assert bool(found) == (solve(15, cards).short == 1)
        held = Counter(cards)
        for card in data.draw(st.permutations([card for card in PACK if held[card] < 2]))[:8]:
            assert swaps(cards, card) == (card in found), card
