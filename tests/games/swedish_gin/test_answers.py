"""Contract help and table judge as the page gets them; by examples they are in `minutes/contracts.txt`."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.sheet_game.state import SheetState
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS
from lastnose.companion.games.swedish_gin.game import GAME

from tests.bench import contracts as bench
from tests.support.examples import examples


def table(**options: Any) -> SheetState:
    """Return an empty sheet for three."""
    return GAME.new(("North", "East", "South"), GAME.read_options(options))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(CONTRACTS)))
def test_what_is_shown_is_the_hand_and_nothing_else(seed: int, number: int) -> None:
    """A hand near its contract: every card in one group, and every whole meld is one for the judge, too."""
    cards = bench.hand("near", CONTRACTS[number], Random(seed))
    found = GAME.answer_query(table(), "contract", number, [str(card) for card in cards])
    groups = [group for group in found.groups if str(group.label) != "Any of these would do"]
    shown = Counter(piece.name for group in groups for piece in group.pieces)
    held = Counter(map(str, cards))
    assert (shown == held) if found.good else (shown <= held)
    for group in groups:
        names = [piece.name for piece in group.pieces]
        if str(group.label) in ("A set", "A run") and not group.missing:
            ruling = GAME.answer_query(table(), "meld", number, names)
            assert (True, 1) == (ruling.good, len(ruling.groups))
    assert not (len(cards) in (11, 13, 15) and any("closes" in str(line) for line in found.lines))
    if found.good and number != 15 and len(cards) in (12, 14, 16):  # in its turn, and no miscount
        left = [p.name for group in groups if str(group.label) == "Left in hand" for p in group.pieces]
        points = GAME.count_hand(left, table().options).points
        ends = "Nothing is left: that closes the hand." if not left else f"{points} points stay in hand."
        assert ends == str(found.lines[1])
