"""Vatra: what minutes and umpire do not hold of punishment, virtual deck and forfeits (MAG-7, MAG-9)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.evening.commands import Finish
from lastnose.companion.games import get_game
from lastnose.companion.games.vatra.game import FORFEITS
from lastnose.companion.testing.scenario import Scenario
from lastnose.web.encoding import to_json

from tests.support.evenings import NAMES, PlayedGame
from tests.support.examples import examples

VATRA = get_game("vatra")
# Three players, kings queens aces, from the top.
ORDER = ("KS", "AH", "QD", "KC", "AS", "QS", "KH", "AD", "QC", "KD", "AC", "QH")


class Lot:
    """Chance that leaves things in their order, and draws the number it is told."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def pick(self, count: int) -> int:
        """Return the number."""
        return self.number

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers as they are."""
        return tuple(range(count))


def name(card: str) -> dict[str, Any]:
    """The loser names a card."""
    return {"type": "name-card", "card": card}


def end(value: str, order: tuple[str, ...] = ()) -> dict[str, Any]:
    """The loser says from which end."""
    return {"type": "from-end", "value": value, "order": order}


def turned(*values: str) -> list[dict[str, Any]]:
    """What was turned of the real deck."""
    return [{"type": "turned", "value": value} for value in values]


def play(evening: PlayedGame, *moves: dict[str, Any]) -> PlayedGame:
    """Make all *moves*."""
    for move in moves:
        evening.do(move)
    return evening


def suits(evening: PlayedGame, seat: int) -> list[str]:
    """Return what has been counted for *seat*."""
    return [str(note) for note in VATRA.standings(evening.state)[seat - 1].notes]


def test_the_table_ends_it() -> None:
    """MAG-9: as any game can be ended; the record stays to be read."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    scenario.table.execute(Finish(), "host")
    assert ("won", ()) == (scenario.snapshot.phase, scenario.snapshot.steps)
    assert [0, 0, 1] == [row.score for row in scenario.snapshot.rows]


# MAG-9: the punishment, with the real deck


def refusal_of(evening: PlayedGame, move: dict[str, Any]) -> str:
    """Return why *move* is refused."""
    return str(evening.refused(move)[1])


@pytest.mark.parametrize(("players", "extra"), [(3, "D"), (8, "joker")])
def test_the_travel_card_is_one_more_of_its_suit_or_a_joker(players: int, extra: str) -> None:
    """MAG-8: the seven of diamonds, or from eight players on a joker, once; without it there is none."""
    suits = {"S": players, "C": players, "D": players, "H": players}
    with_it = play(PlayedGame(VATRA, players, travel_card=True).last(2), name("AC"), end("top"))
    limits = suits | {"C": players - 1} | {extra: suits.get(extra, 0) + 1}
    for suit, most in limits.items():
        play(with_it, *turned(*[suit] * most))
        assert "is left in this deck" in refusal_of(with_it, turned(suit)[0]) or suit == [*limits][-1]
    without = play(PlayedGame(VATRA, players).last(2), name("AC"), end("top"))
    assert "No other Joker is left in this deck: look again." == refusal_of(without, turned("joker")[0])


# MAG-9: the virtual deck


@settings(max_examples=examples(40), deadline=None)
@given(data=st.data(), players=st.integers(3, 13), travel=st.booleans(), top=st.booleans())
def test_any_shuffle_punishes_by_what_comes_before(
    data: st.DataObject, players: int, travel: bool, top: bool
) -> None:
    """MAG-9: counted by another route, travel card included; jokers count nothing."""
    evening = PlayedGame(VATRA, players, punishment="virtual", travel_card=travel).last(1)
    card = str(data.draw(st.sampled_from(evening.steps["name-card"].cards)))
    play(evening, name(card))
    move = VATRA.by_chance(evening.state, VATRA.read_move(end("top" if top else "bottom")), Lot())
    order = data.draw(st.permutations(move.order))
    assert 4 * players + travel == len(order)
    play(evening, end("top" if top else "bottom", tuple(order)), {"type": "turn", "value": "all"})
    before = order[: order.index(card)] if top else order[order.index(card) + 1 :]
    counted = [sum(one.endswith(suit) for one in before) for suit in "SHDC"]
    expected = "♠ {}  ♥ {}  ♦ {}  ♣ {}".format(*counted)
    assert [expected] == (suits(evening, 1) or ["♠ 0  ♥ 0  ♦ 0  ♣ 0"])


def test_the_table_shuffles_and_the_log_holds_it() -> None:
    """MAG-9: whatever order a phone sends, the lot's own is kept; each step can be taken back."""
    scenario = Scenario("vatra", NAMES[:3], chance=Lot(), punishment="virtual")
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    scenario.move(**name("AD"))
    scenario.move(**end("top", ORDER))
    kept = [entry.move for entry in scenario.table.record.evening.match.entries if entry.move]
    assert ["AS", "AH", "AD", "AC"] == list(kept[-1]["order"])[:4]
    scenario.move(type="turn", value="all")
    assert ["♠ 1  ♥ 1  ♦ 0  ♣ 0"] == [str(note) for note in scenario.snapshot.rows[2].notes]
    assert ["A♦ appeared: it is over."] == [
        str(line) for step in scenario.snapshot.steps for line in step.lines[:1]
    ]
    scenario.undo()
    assert () == scenario.snapshot.rows[2].notes
    assert ["turn"] == [step.move for step in scenario.snapshot.steps if hasattr(step, "move")]


def test_the_table_arms_itself_again_after_the_punishment() -> None:
    """While cards are turned it waits, however long that takes."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    assert "armed" == scenario.snapshot.phase
    scenario.move(**name("AD"))
    scenario.wait(30)
    assert "armed" != scenario.snapshot.phase
    scenario.move(**end("top"))
    scenario.move(**turned("appeared")[0])
    scenario.wait(5)
    assert "armed" == scenario.snapshot.phase


# MAG-9: forfeits


def test_there_are_forfeits_enough() -> None:
    """About twenty, each different, each a whole sentence."""
    said = [str(forfeit) for forfeit in FORFEITS]
    assert 20 <= len(set(said)) == len(said)
    assert all(one.endswith(".") for one in said)


def test_a_page_can_draw_the_steps_without_knowing_the_game() -> None:
    """MAG-9: each step says what it is, in the reader's language, and which move it sends."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    show, cards, mercy = json.loads(to_json(scenario.snapshot.steps, "fr"))
    assert ("show", "cards", "choose") == (show["ask"], cards["ask"], mercy["ask"])
    assert ("name-card", {"rank": "A", "suit": "S"}) == (cards["move"], cards["cards"][0])
    assert ("mercy", "mercy") == (mercy["move"], mercy["choices"][0]["value"])
