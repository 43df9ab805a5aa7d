"""What contract help takes: for random hands, near-contract ones, and crowded ones of one or two suits."""

from __future__ import annotations

import time
from random import Random

from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, Contract
from lastnose.companion.games.swedish_gin.contracts.solve import completing, solve
from msgspec.structs import replace

from tests.bench.figures import SPREAD, BenchPlan, Figure, FigureGroup, FigureRow, FigureTable, spread

LEAST, MOST = 11, 18
AIM_P99_MS, AIM_MAX_MS = 40, 500
_PACKS = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS) * 2

_KINDS: dict[str, str] = {
    "random": "a random hand",
    "near": "a hand near its contract",
    "crowded": "one suit or two, and twos",
    "draws": "the cards that would do",
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure every contract with hands of 11 to 18 cards, in processor time."""
    hands = 6 if plan.quick else 100
    rows = tuple(_row(kind, hands) for kind in _KINDS)
    return FigureGroup((FigureTable(SPREAD, rows),))


def _row(kind: str, hands: int) -> FigureRow:
    figures = spread(times_ns(kind, hands), p99_aim_ms=AIM_P99_MS)
    figures["max_ms"] = replace(figures["max_ms"], aim=AIM_MAX_MS)
    return FigureRow(kind, _KINDS[kind], figures if kind != "draws" else _without_aims(figures))


def _without_aims(figures: dict[str, Figure]) -> dict[str, Figure]:
    return {key: Figure(figure.value) for key, figure in figures.items()}


def times_ns(kind: str, hands: int) -> list[int]:
    """Return what each of *hands* hands a contract took."""
    chance = Random(kind)
    took = []
    for contract in CONTRACTS.values():
        for _ in range(hands):
            cards = hand(kind, contract, chance)
            start_ns = time.process_time_ns()
            if kind == "draws":
                completing(contract.number, cards)
            else:
                solve(contract.number, cards)
            took.append(time.process_time_ns() - start_ns)
    return took


def hand(kind: str, contract: Contract, chance: Random) -> list[Card]:
    """Return a hand of 11 to 18 cards: "random", "crowded", or near *contract*."""
    size = chance.randint(LEAST, MOST)
    if kind == "random":
        return chance.sample(_PACKS, size)
    if kind == "crowded":
        suits, twos = chance.sample(SUITS, chance.randint(1, 2)), chance.randint(0, 8)
        others = [card for card in _PACKS if card.suit in suits and card.rank != "2"]
        return chance.sample([card for card in _PACKS if card.rank == "2"], twos) + chance.sample(
            others, size - twos
        )
    return _near(contract, size, chance)


def _near(contract: Contract, size: int, chance: Random) -> list[Card]:
    """Return the contract's melds less up to three cards, up to three twos, and others."""
    packs = chance.sample(_PACKS, len(_PACKS))
    held: list[Card] = []

    def take(fits: set[tuple[str, str]], count: int) -> None:
        for card in [card for card in packs if (card.rank, card.suit) in fits][:count]:
            packs.remove(card)
            held.append(card)

    for _ in range(contract.sets):
        rank = chance.choice(RANKS)
        take({(rank, suit) for suit in SUITS}, contract.set_size)
    run_size = size - 6 if contract.rest else contract.run_size
    for _ in range(contract.runs):
        suit, first = chance.choice(SUITS), chance.randint(0, len(RANKS) - run_size)
        for rank in RANKS[first : first + run_size]:
            take({(rank, suit)}, 1)
    for _ in range(chance.randint(0, 3)):
        held.remove(chance.choice(held))
    take({("2", suit) for suit in SUITS}, chance.randint(0, 3))
    return (held + packs)[:size]
