"""What the family says to do between two verdicts, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.model import Verdict
from companion.games import get_game

NAMES = ("Ana", "Björn", "Ines", "Dima", "Zoë", "Yusuf")


def started(game: str, players: int = 6, **options: Any) -> Any:
    """Return a game with *players* before its first deal."""
    rules = get_game(game)
    return rules.new(NAMES[:players], rules.read_options(options))


def said(game: str, state: Any) -> list[str]:
    """Return the steps as sentences."""
    guide = get_game(game).guide(state)
    assert guide is not None
    return [str(step.says) for step in (*guide.before, *guide.then)]


def test_first_the_cards_then_the_deal_then_passing_then_the_nose() -> None:
    """Six players take six ranks of four, from the ace down, each shown by one card (PIG-2, PIG-3)."""
    state = started("pig")
    assert [
        "Take these, all four suits: 24 cards.",
        "Ana deals, four to each.",
        "Pass one card to the left, all together.",
        "Four of a kind? Touch your nose.",
    ] == said("pig", state)
    guide = get_game("pig").guide(state)
    assert guide is not None
    assert ["A", "K", "Q", "J", "10", "9"] == [card.rank for card in guide.before[0].cards]
    assert guide.before[0].stacks
    assert "Everybody has four: play" == str(guide.ready)


def test_whoever_leaves_takes_a_rank_along() -> None:
    """The lowest still in play, as pictures; five ranks stay (PIG-8)."""
    state = started("pig", sudden_death=True)
    after = get_game("pig").play(state, Verdict(order=(1, 2, 3, 4, 6, 5), last=(5,), margin_ns=1, u_ns=1))
    assert ["Zoë is out: take the nines away.", "Björn deals, four to each."] == said("pig", after)[:2]
    guide = get_game("pig").guide(after)
    assert guide is not None
    assert ["9S", "9H", "9D", "9C"] == [str(card) for card in guide.before[0].cards]
    assert "20 cards stay: A K Q J 10" == str(guide.before[0].more)


@pytest.mark.parametrize(
    ("game", "options", "last"),
    [
        ("pig", {"hand_size": 3}, "Three of a kind? Touch your nose."),
        ("spoons", {}, "Four of a kind? Take one spoon."),
        ("magarac", {}, "Four of a kind? Slap, and shout “Vatra!”"),
    ],
)
def test_the_last_step_is_what_the_race_is_about(game: str, options: dict[str, Any], last: str) -> None:
    """Noses, spoons, or a slap and a shout."""
    assert last == said(game, started(game, **options))[-1]


def test_a_game_that_is_over_has_no_steps() -> None:
    """Two of three are left: both have won (PIG-9)."""
    state = started("pig", 3, sudden_death=True)
    after = get_game("pig").play(state, Verdict(order=(1, 2, 3), last=(3,), margin_ns=1, u_ns=1))
    assert get_game("pig").guide(after) is None
