"""What a state means: worked out once, by whoever asks first; places, what is left, the cards as they lie."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.model import Verdict
from lastnose.companion.games import get_game
from lastnose.companion.games.chickenfoot.game import GAME as CHICKENFOOT
from lastnose.companion.games.pig_family import PIG
from lastnose.companion.games.score_pad import GAME as PAD
from lastnose.companion.games.sheet_game.state import Score

from tests.support import toy

THREE = ("Ana", "Björn", "Cléo")


def pad(played: list[tuple[int, int, int]], **options: Any) -> Any:
    """Return a score pad on which rounds were *played*."""
    state = PAD.new(THREE, PAD.read_options(options))
    for hand, points in enumerate(played, start=1):
        for seat, one in enumerate(points, start=1):
            state = PAD.play(state, Score(hand, seat, points=one))
    return state


@pytest.mark.parametrize(("wins", "places"), [("lowest", (2, 1, 2)), ("highest", (1, 3, 1))])
def test_equal_totals_share_a_place(wins: str, places: tuple[int, ...]) -> None:
    """30, 12 and 30: with the lowest one who is best and two seconds, with the highest two who are best."""
    assert places == PAD.moment(pad([(10, 12, 25), (20, 0, 5)], wins=wins)).places


def test_points_without_a_sheet_put_people_in_places_and_letters_nobody() -> None:
    """A duel to two that stands at 1 to 0; in Pig nobody is before anybody."""
    duel = get_game("reaction-duel")
    begun = duel.new(("Ana", "Ben"), duel.read_options({}))
    assert (1, 1) == duel.moment(begun).places
    led = duel.play(begun, Verdict(first=(2,)))
    assert (2, 1) == duel.moment(led).places
    state = PIG.play(PIG.new(THREE, PIG.read_options({})), Verdict(order=(1, 2, 3), last=(3,)))
    assert (0, 0, 0) == PIG.moment(state).places


def test_a_sheet_says_what_is_left_of_it() -> None:
    """How many are still to play; rounds played where nobody has said how many."""
    said = [PAD.moment(pad(played, rounds=2)).sheet.left for played in ([], [(1, 2, 3)])]
    assert ["still to play: 2", "still to play: 1"] == [*map(str, said)]
    assert "rounds played: 1" == str(PAD.moment(pad([(1, 2, 3)])).sheet.left)
    state = CHICKENFOOT.new(THREE, CHICKENFOOT.read_options({}))
    assert "still to play: 10" == str(CHICKENFOOT.moment(state).sheet.left)


def test_each_part_is_worked_out_once_and_only_when_asked_for() -> None:
    """Standings are counted by a game that counts how often it is asked."""
    asked: list[str] = []

    class Counting(toy.Pebbles):
        def standings(self, state: Any) -> Any:
            asked.append("standings")
            return super().standings(state)

        def outcome(self, state: Any) -> Any:
            asked.append("outcome")
            return super().outcome(state)

    game = Counting()
    moment = game.moment(game.new(THREE, game.read_options({})))
    assert [] == asked
    assert moment.standings is moment.standings
    assert (1, 2, 3) == moment.playing
    assert ["standings"] == asked


def test_the_steps_speak_of_the_cards_as_they_lie() -> None:
    """After a round that has changed nothing only the deal is left; the deck is put together once."""
    first = PIG.new(THREE, PIG.read_options({}))
    begins, again = PIG.moment(first), PIG.moment(first, first)
    assert begins.guide is not None
    assert again.guide is not None
    assert (begins.guide.before[-1:], begins.guide.then) == (again.guide.before, again.guide.then)
    assert [*begins.advice.sentences[-1:]] == [*again.advice.sentences]


def test_the_sentence_of_a_round_is_the_game_s() -> None:
    """A dead heat, a letter, the last one; Hog has a name for who was last, and for who is out."""
    said: dict[str, list[str]] = {"pig": [], "hog": []}
    for name, found in said.items():
        game = get_game(name)
        before = game.new(("Ana", "Björn", "Cléo", "Dora"), game.read_options({"word": "OX"}))
        for last in ((1, 2), (3,), (3,)):
            verdict = Verdict(order=(1, 2, 4, 3), last=last, dead_heat=len(last) > 1)
            after = game.moment(game.play(before, verdict))
            found.append(str(after.headline(game.moment(before), verdict, before.players)))
            before = after.state
    assert ["Dead heat: Ana and Björn", "Cléo was last: O", "Cléo was last: X"] == said["pig"]
    assert ["Dead heat: Ana and Björn", "Cléo is the hog: O", "Cléo is the hog: X, and a pig"] == said["hog"]


def test_the_end_is_said_in_the_game_s_words() -> None:
    """Who has won, who has together, who loses."""
    state = PIG.new(THREE, PIG.read_options({"word": "X"}))
    over = PIG.play(state, Verdict(order=(1, 2, 3), last=(3,)))
    if PIG.moment(over).outcome is None:
        over = PIG.play(over, Verdict(order=(1, 2), last=(2,)))
    assert "win" in str(PIG.moment(over).ending(THREE))
    pebbles = toy.GAME.new(THREE, toy.GAME.read_options({}))
    for _ in range(3):
        pebbles = toy.GAME.play(pebbles, Verdict(order=(1, 2, 3), last=(3,)))
    assert "Cléo loses." == str(toy.GAME.moment(pebbles).ending(THREE))
