"""The contracts of Swedish Gin Rummy: an exact solver, and a judge of single melds. Pure."""

from lastnose.companion.games.swedish_gin.contracts.adding import MOST_MELDS, Addition
from lastnose.companion.games.swedish_gin.contracts.meld_judge import Ruling, judge_meld
from lastnose.companion.games.swedish_gin.contracts.melds import (
    CONTRACTS,
    MOST_CARDS,
    Contract,
    Meld,
    card_points,
    check_hand,
    contract_name,
    get_contract,
    hand_points,
    in_turn,
    rank_above,
)
from lastnose.companion.games.swedish_gin.contracts.solve import (
    ContractAnswer,
    Solution,
    after,
    asked,
    completing,
    help_with,
    solve,
    write,
)

__all__ = [
    "CONTRACTS",
    "MOST_CARDS",
    "MOST_MELDS",
    "Addition",
    "Contract",
    "ContractAnswer",
    "Meld",
    "Ruling",
    "Solution",
    "after",
    "asked",
    "card_points",
    "check_hand",
    "completing",
    "contract_name",
    "get_contract",
    "hand_points",
    "help_with",
    "in_turn",
    "judge_meld",
    "rank_above",
    "solve",
    "write",
]
