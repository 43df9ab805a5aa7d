"""Hands that lie, or nearly do: made of melds, so that brute force and solver have something to find."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pieces.cards import SUITS, Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.adding import lying
from lastnose.companion.games.swedish_gin.contracts.arrange import arrange, arrange_parts
from lastnose.companion.games.swedish_gin.contracts.laydown import lay_down
from lastnose.companion.games.swedish_gin.contracts.meld_judge import judge_meld
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, Contract
from lastnose.companion.games.swedish_gin.contracts.nearest import fit, nearest
from lastnose.companion.games.swedish_gin.contracts.packed import pack
from lastnose.companion.games.swedish_gin.contracts.solve import after

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

SEEDS = st.integers(0, 2**32)
TWOS = [Card("2", suit) for suit in "SHDC"] * 2


def a_set(rng: random.Random, size: int) -> list[Card]:
    """Return a set of about *size* cards, twos among them."""
    rank = rng.choice(["2", "3", "4", "5", "A"])
    naturals = rng.randint(size // 2 + 1, size)
    return [Card(rank, rng.choice("SHDC")) for _ in range(naturals)] + rng.sample(TWOS, size - naturals)


def a_run(rng: random.Random, size: int) -> list[Card]:
    """Return a run of about *size* cards, with twos in holes and at its ends."""
    suit, first = rng.choice("SH"), rng.randint(0, len(ORDER) - size)
    cards = [Card(rank, suit) for rank in ORDER[first : first + size]]
    for at in rng.sample(range(size), rng.randint(0, (size - 1) // 2)):
        cards[at] = rng.choice(TWOS)
    return cards


def dealt(cards: Sequence[Card], most: int) -> list[Card]:
    """Return *cards* as two packs can have them, and no more than *most*."""
    counts: Counter[Card] = Counter()
    found = []
    for card in cards:
        counts[card] += 1
        if counts[card] <= 2 and len(found) < most:
            found.append(card)
    return found


def nearly_laid(rng: random.Random) -> tuple[list[Card], Contract]:
    """Return a hand of the melds of a small contract, grown or lacking a card, and something else."""
    contract = rng.choice(
        [
            Contract(0, runs=1, run_size=rng.choice([3, 4, 5])),
            Contract(0, runs=2, run_size=3),
            Contract(0, sets=2, set_size=3),
            Contract(0, sets=1, set_size=rng.choice([3, 4, 5])),
            Contract(0, sets=1, set_size=3, runs=1, run_size=3),
            Contract(0, sets=1, set_size=4, runs=1, run_size=3),
            Contract(0, runs=1, run_size=rng.choice([3, 4]), pair=True),
            Contract(0, sets=1, set_size=rng.choice([3, 4]), pair=True),
        ]
    )
    cards = [
        card for _ in range(contract.sets) for card in a_set(rng, contract.set_size + rng.choice([0, 0, 1]))
    ]
    for _ in range(contract.runs):
        cards += a_run(rng, contract.run_size + rng.choice([0, 0, 1, 2]))
    if contract.pair:
        rank = rng.choice(ORDER)
        cards += [Card(rank, rng.choice("SHDC")) for _ in range(2)]
    if rng.random() < 0.2:
        cards.pop(rng.randrange(len(cards)))
    other = [rng.choice([*TWOS, *(Card(rank, suit) for rank in ORDER for suit in "SH")]) for _ in range(2)]
    return dealt([*cards, *other], 8), contract


@settings(max_examples=examples(200), deadline=None)
@given(SEEDS, st.booleans())
def test_the_best_lay_down_of_a_hand_of_melds_is_that_of_brute_force(seed: int, extras: bool) -> None:
    """Every subset as every meld: the same points, and what is laid is disjoint and legal."""
    cards, contract = nearly_laid(random.Random(seed))
    expected = fewest_points(cards, contract, extras)
    found = lay_down(pack(cards), contract, extras=extras)
    assert expected == (found[0] if found else None)
    if found is not None:
        arranged = arrange(pack(cards), found[1])
        laid = [card for meld in arranged.melds for card in meld.cards]
        assert Counter(cards) == Counter([*laid, arranged.discard, *arranged.left])
        assert expected == sum(map(points, arranged.left))
        assert all(judge_meld(meld.cards, pair=meld.kind == "pair").legal for meld in arranged.melds)


@pytest.mark.heavy
@settings(max_examples=examples(10), deadline=None)
@given(SEEDS)
def test_what_a_hand_of_melds_lacks_is_what_every_meld_of_two_packs_says(seed: int) -> None:
    """One set or one run at a time, which counting can still go through."""
    rng = random.Random(seed)
    cards, contract = nearly_laid(rng)
    if contract.sets + contract.runs > 1:
        kinds = [
            Contract(0, sets=1, set_size=contract.set_size),
            Contract(0, runs=1, run_size=contract.run_size),
        ]
        contract = rng.choice(kinds)
    cards = cards[: rng.randint(1, len(cards))]
    assert short_of(cards, contract) == nearest(pack(cards), contract)[0]


@settings(max_examples=examples(150), deadline=None)
@given(SEEDS, st.sampled_from(range(1, 15)))
def test_the_parts_of_a_contract_lack_what_the_hand_is_short_of(seed: int, number: int) -> None:
    """Cards of the hand, each once; melds of the contract's kinds and sizes; legal where they are whole."""
    rng, contract = random.Random(seed), CONTRACTS[number]
    cards = dealt([card for _ in range(4) for card in nearly_laid(rng)[0]], rng.randint(4, 15))
    missing, parts = nearest(pack(cards), contract)
    assert fit(pack(cards), contract, missing - 1) is None or not missing
    melds = arrange_parts(pack(cards), parts)
    assert missing == sum(meld.missing for meld in melds)
    assert not Counter(card for meld in melds for card in meld.cards) - Counter(cards)
    wanted = [("set", contract.set_size)] * contract.sets + [("run", contract.run_size)] * contract.runs
    assert [*wanted, *[("pair", 2)] * contract.pair] == [
        (meld.kind, len(meld.cards) + meld.missing) for meld in melds
    ]
    for meld in melds:
        naturals = [card for at, card in enumerate(meld.cards) if at not in meld.wilds]
        assert all(card.rank == "2" for card in meld.cards if card not in naturals)
        if not meld.missing:
            assert judge_meld(meld.cards, pair=meld.kind == "pair").legal
            assert meld.kind == "pair" or is_set(meld.cards) or any(run_patterns(meld.cards))
        elif meld.kind == "run" and naturals:
            ranks = [ORDER.index(card.rank) for card in naturals]
            assert 1 == len({card.suit for card in naturals})
            assert max(ranks) - min(ranks) < contract.run_size
        elif meld.kind != "run" and naturals:
            assert 1 == len({card.rank for card in naturals})
        own = (
            meld.kind == "run" and not naturals
        )  # of twos alone one stands at its own place, once all is there
        assert len(meld.wilds) - own <= (len(meld.cards) + meld.missing - 1) // 2


@settings(max_examples=examples(150), deadline=None)
@given(SEEDS)
def test_what_fits_melds_on_the_table_is_added_as_every_way_to_add_says(seed: int) -> None:
    """Cards that lengthen runs of two suits, also with holes, that join sets, and twos."""
    rng = random.Random(seed)
    table: list[tuple[str, list[str]]] = []
    for _ in range(rng.choice([1, 2, 2])):
        first = rng.randint(1, 9)
        run = (rng.choice("SSH"), ORDER[first : first + 3])
        table.append(run if rng.random() < 0.7 else ("", [rng.choice("4679")] * 3))
    lain = [[Card(rank, suit or "DCD"[at]) for at, rank in enumerate(ranks)] for suit, ranks in table]
    near: list[Card] = [rng.choice(TWOS) for _ in range(rng.choice([0, 1, 2, 3]))]
    for suit, ranks in table:
        low = ORDER.index(ranks[0])
        places = [*range(max(0, low - 4), low), *range(low + 3, min(13, low + 7))]
        fits = [Card(ORDER[at], suit) for at in places] if suit else [Card(ranks[0], each) for each in "SHDC"]
        near += rng.sample(fits, min(2, len(fits)))
    gone = Counter(card for meld in lain for card in meld)
    cards = [card for card in dealt([*near, Card("K", "D"), Card("4", "C")], 7) if gone[card] < 2]
    counts = Counter([*cards, *gone.elements()])
    cards = [card for card in cards if counts[card] <= 2]
    if len(cards) < 2 or max(gone.values()) > 2:
        return
    found = after(1, cards, lain)
    assert fewest_after(cards, table) == found.points_left == sum(map(points, found.left))
    laid = Counter(card for meld in found.melds for card in meld.cards)
    added = Counter(card for one in found.added for card in one.cards)
    assert Counter(cards) == laid + added + Counter(found.left) + Counter([found.discard])
    for one in found.added:
        ruling = judge_meld([*one.meld.cards, *one.cards])
        assert ruling.legal
        assert len(one.cards) == len(one.stands_for)
        assert all(not rank or card.rank == "2" for card, rank in zip(one.cards, one.stands_for, strict=True))


@pytest.mark.parametrize(
    ("cards", "wilds", "room", "ends"),
    [
        ("2S 3S 4S", (), 2, (2, 4)),  # a two is natural below the 3 of its suit: three against two more
        ("2H 3S 4S", (0,), 0, (2, 4)),
        ("3S 2H 5S", (1,), 0, (3, 5)),
        ("3S 4S 2S", (2,), 0, (3, 5)),  # behind the 4 it stands for the 5
        ("JS QS KS AS", (), 3, (11, 14)),
        ("QS KS AS 2H", (0,), 1, (11, 14)),  # behind the ace there is no place
        ("KS AS 2H", (0,), 0, (12, 14)),
        ("2H 2D 3S 4S 5S", (3, 4), 0, (3, 7)),  # below the two there is none either
        ("2H 3S 4S 5S", (0,), 1, (2, 5)),
        ("2S 3S 2H 5S 6S", (2,), 2, (2, 6)),
        ("3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", (), 1, (3, 14)),  # thirteen cards at the most
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", (), 0, (2, 14)),
    ],
)
def test_a_run_on_the_table_has_room_to_the_two_and_the_ace(
    cards: str, wilds: tuple[int, ...], room: int, ends: tuple[int, int]
) -> None:
    """SGR-3, SGR-4: given in an order in which it is none, it lies as the judge lays it, in its suit."""
    found = lying(read_cards([cards]))
    assert (wilds, room, ends) == (found.meld.wilds, found.room, (found.first, found.last))
    assert "S" == SUITS[found.suit]


@pytest.mark.parametrize(
    ("cards", "room", "place"),
    [("4S 4H 4D", 2, 4), ("4S 4H 2D", 0, 4), ("4S 4H 4D 2S", 1, 4), ("AS AH AD AC", 3, 14)],
)
def test_a_set_on_the_table_takes_twos_as_long_as_naturals_outnumber_them(
    cards: str, room: int, place: int
) -> None:
    """SGR-4."""
    found = lying(read_cards([cards]))
    assert (room, place, "set") == (found.room, found.place, found.kind)
