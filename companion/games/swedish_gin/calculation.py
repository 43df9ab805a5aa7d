"""Whether a hand lays its contract, asked without a table (SGR-2 to SGR-6)."""

from __future__ import annotations

import msgspec

from companion.games.rules.calculation import Calculation
from companion.games.swedish_gin import contracts


class ContractQuery(msgspec.Struct, frozen=True):
    """A hand and the number of its contract; one of 11, 13 or 15 cards still draws.

    Without `extras` further sets and runs wait for a later turn. `table`: the melds that lie there, one each.
    With `laid` the contract lies already: what can be added and laid then, the drawn card included?
    """

    number: int
    cards: tuple[str, ...]
    extras: bool = True
    table: tuple[str, ...] = ()
    laid: bool = False


def _answer(query: ContractQuery) -> contracts.ContractAnswer:
    found = contracts.asked(
        query.number, query.cards, extras=query.extras, table=query.table, laid=query.laid
    )
    return contracts.write(*found)


_CONTRACT = Calculation(
    name="contract",
    says="Say whether a hand lays its contract, how, and else how many cards it is short.",
    takes=ContractQuery,
    gives=contracts.ContractAnswer,
    answer=_answer,
    example={"number": 4, "cards": ["3S", "4S", "5S", "6S", "8H", "9H", "10H", "2C", "KD", "KS", "9D", "4C"]},
)
CALCULATIONS: tuple[Calculation, ...] = (_CONTRACT,)
