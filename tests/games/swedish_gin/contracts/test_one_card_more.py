"""The card that is still missing: which ones would do, how many of them there are, and the longest runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.swedish_gin.answers import counted
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS
from lastnose.companion.games.swedish_gin.contracts.solve import completing, help_with, solve

from tests.support.examples import examples
from tests.support.rummy_oracle import ORDER, SUITS, is_set, run_patterns

PACK = [Card(rank, suit) for rank in ORDER for suit in SUITS]
TWOS = PACK[:4]


# Two sets of three, and a run of spades with a hole at every second place: naturals 2 4 6 8 10 and ace.
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


@settings(max_examples=examples(12), deadline=None)
@given(hands("34567", 11, 11), st.sampled_from([1, 2, 3, 4, 6, 15]))
def test_so_many_of_the_cards_that_may_come_let_a_hand_lay(cards: list[Card], number: int) -> None:
    """SGR-6: each of the 93 that are not held is drawn once, and the hand of twelve asked again."""
    held = Counter(cards)
    let = sum(2 - held[card] for card in PACK if held[card] < 2 and solve(number, [*cards, card]).lays)
    told = help_with(number, cards)
    assert (let, 93, let == 93) == (told.lets, told.unseen, told.lays)


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


@settings(max_examples=examples(5, least=1), deadline=None)
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
