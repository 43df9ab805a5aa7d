"""The contracts of Swedish Gin Rummy: an exact solver, and a judge of single melds. Pure."""

from companion.contracts.judge import Ruling, judge_meld
from companion.contracts.melds import (
    CONTRACTS,
    MOST_CARDS,
    Contract,
    Meld,
    card_points,
    check_hand,
    contract_name,
    get_contract,
    hand_points,
    rank_above,
)
from companion.contracts.solve import Answer, completing, solve
from companion.contracts.written import Written, asked, write

__all__ = [
    "CONTRACTS",
    "MOST_CARDS",
    "Answer",
    "Contract",
    "Meld",
    "Ruling",
    "Written",
    "asked",
    "card_points",
    "check_hand",
    "completing",
    "contract_name",
    "get_contract",
    "hand_points",
    "judge_meld",
    "rank_above",
    "solve",
    "write",
]
