"""Quiz: what minutes and umpire do not hold of duels, teams, comings, goings and its end."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.core.text import Text
from lastnose.companion.games import get_game
from lastnose.companion.games.first_family.quiz import Quiz, QuizState
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.rules.prompts import Choose, WatchNoses

NAMES = ("Ana", "Ben", "Cem", "Dora")
GAME = get_game("quiz")


def begun(players: tuple[str, ...] = NAMES, **options: Any) -> QuizState:
    """Return a quiz before its first question."""
    state = GAME.new(players, GAME.read_options(options))
    assert isinstance(state, QuizState)
    return state


def first(state: QuizState, *seats: int, early: tuple[int, ...] = ()) -> QuizState:
    """Return the state after *seats* were first, several in a dead heat; *early* began too early."""
    locked = tuple(Press(seat, 0, 0, "gpio") for seat in early)
    verdict = Verdict(order=seats, first=seats, dead_heat=len(seats) > 1, early=locked)
    after: QuizState = GAME.play(state, verdict)
    return after


def rule(state: QuizState, *values: str) -> QuizState:
    """Return the state after the host has said each of *values*."""
    for value in values:
        state = GAME.play(state, GAME.read_move({"type": "ruled", "value": value}))
    return state


def noses(state: QuizState) -> WatchNoses:
    """Return what is asked of noses."""
    found = GAME.moment(state).noses
    assert found is not None
    return found


def scores(state: QuizState) -> tuple[int | None, ...]:
    """Return everybody's points."""
    return tuple(one.score for one in GAME.moment(state).standings)


def asked(state: QuizState) -> list[str]:
    """Return what the host may say."""
    (ask,) = (one for one in GAME.moment(state).asks if isinstance(one, Choose))
    return [str(choice.value) for choice in ask.choices]


@pytest.mark.parametrize(
    ("early", "opens", "lock_ms", "out"),
    [
        ("lock", "after", 250, False),
        ("out", "after", 3_000, True),
        ("none", "after", 0, False),
        ("lock", "reading", 0, False),
    ],
)
def test_a_false_start_locks_or_shuts_out(early: str, opens: str, lock_ms: int, out: bool) -> None:
    """QUIZ-4: of a question's first opening only."""
    state = begun(early=early, opens=opens)
    assert (lock_ms, out) == (noses(state).rules.lock_ms, noses(state).rules.shuts_out)
    again = rule(first(state, 2, early=(4,)), "wrong")
    assert 0 == noses(again).rules.lock_ms
    assert ((1, 3) if out else (1, 3, 4)) == noses(again).seats


def test_first_together_is_a_duel_and_after_three_both_answer() -> None:
    """QUIZ-7."""
    state = begun()
    for _ in range(3):
        state = first(state, 1, 3)
        assert ((1, 3), False) == (noses(state).seats, noses(state).at_once)
    state = first(state, 1, 3)
    assert (1,) == state.called
    state = rule(state, "wrong", "right")
    assert ((0, 0, 10, 0), 2) == (scores(state), state.question)


def test_in_a_queue_the_others_of_a_duel_answer_next_in_its_order() -> None:
    """QUIZ-3, QUIZ-7: 2 wins the duel of three, 3 is next there; 1 heard what was wrong, and has half."""
    state = first(begun(then="queue", half=True), 1, 2, 3)
    state = GAME.play(state, Verdict(first=(2,), order=(2, 3)))
    assert (2,) == state.called
    state = rule(state, "wrong")
    assert (3,) == state.called
    state = rule(state, "wrong")
    assert (1,) == state.called
    assert ((5, 0, 0, 0), 2) == (scores(rule(state, "right")), rule(state, "right").question)
    won = first(first(begun(then="queue"), 1, 2), 2)
    assert 2 == rule(won, "right").question


def test_both_answer_and_each_right_answer_counts() -> None:
    """QUIZ-7: wrong ones shut out, and the others go on."""
    state = rule(first(begun(tie="both"), 1, 3), "right", "right")
    assert ((10, 0, 10, 0), 2) == (scores(state), state.question)
    state = rule(first(begun(tie="both", half=True), 1, 3), "wrong", "right")
    assert (0, 0, 10, 0) == scores(state)  # no half: nobody heard the other's answer
    state = rule(first(begun(tie="both"), 1, 3), "wrong", "wrong")
    assert ((2, 4), 1) == (noses(state).seats, state.question)


def test_a_question_is_replaced_and_not_counted() -> None:
    """QUIZ-7: it keeps its number, and is armed again all the same."""
    state = begun(tie="replace")
    after = first(state, 1, 3)
    assert (1, (1, 2, 3, 4)) == (after.question, noses(after).seats)
    assert noses(state).number != noses(after).number


def test_teams_may_be_said_and_each_keeps_its_number_where_another_is_not_asked() -> None:
    """Ana plays with Cem. Team 1 is wrong: Team 2 is still the second. Teams that cannot be are refused."""
    state = GAME.in_teams(begun(teams="two"), ((1, 3), (2, 4)))
    after = rule(first(state, 1, 3), "wrong")
    assert ((2, 4), ((1, 3), (2, 4))) == (noses(after).seats, noses(after).rules.teams)
    for options, teams in (
        ("two", ((1, 2), (2, 3))),
        ("two", ((1, 5), (2, 3))),
        ("two", ((1, 2, 3, 4), ())),
        ("two", ((1,), (2,), (3, 4))),
    ):
        with pytest.raises(BadInput, match="do not fit: 2 at most"):
            GAME.in_teams(begun(teams=options), teams)
    with pytest.raises(BadInput, match="played alone"):
        GAME.in_teams(begun(teams="alone"), ((1, 2), (3, 4)))


def test_it_ends_after_the_last_question_or_at_the_limit_and_equals_share_or_play_on() -> None:
    """QUIZ-8."""
    state = rule(first(rule(first(begun(questions=2), 1), "right"), 2), "right")
    outcome = GAME.moment(state).outcome
    assert outcome is not None
    assert ((1, 2), ()) == (outcome.winners, outcome.losers)
    assert () == GAME.moment(state).asks
    state = rule(first(rule(first(begun(questions=2, equal="more"), 1), "right"), 2), "right")
    assert (None, (1, 2)) == (GAME.moment(state).outcome, noses(state).seats)
    outcome = GAME.moment(rule(first(state, 2), "right")).outcome
    assert outcome is not None
    assert (2,) == outcome.winners
    outcome = GAME.moment(rule(first(begun(limit=10), 4), "right")).outcome
    assert outcome is not None
    assert (4,) == outcome.winners


def test_who_is_equal_at_the_top_is_asked_five_more_at_most_and_then_shares() -> None:
    """QUIZ-8: a wrong answer that costs points lets nobody else in; a question thrown out counts nowhere."""
    state = rule(first(rule(first(begun(questions=2, equal="more", wrong=5), 1), "right"), 2), "right")
    again = rule(first(state, 2), "wrong")
    assert ((1,), (10, 5, 0, 0)) == (noses(again).seats, scores(again))
    assert (1,) == GAME.moment(GAME.play(again, Verdict(nobody=True))).outcome.winners
    for _ in range(5):
        assert (None, (1, 2)) == (GAME.moment(state).outcome, noses(state).seats)
        state = GAME.play(state, Verdict(nobody=True))
    assert (1, 2) == GAME.moment(state).outcome.winners
    state = first(begun(questions=1, equal="more", tie="replace"), 1, 2)
    assert (1, (1, 2, 3, 4)) == (state.question, noses(state).seats)


def test_a_ruling_on_a_round_that_is_void_counts_no_more() -> None:
    """The verdict was taken back: what was ruled on it goes with it."""
    assert isinstance(GAME, Quiz)
    void: QuizState = GAME.play(begun(), Verdict(void=Text("An edge came too late.")))
    assert GAME.moot(void, GAME.read_move({"type": "ruled", "value": "right"}))  # type: ignore[arg-type]


def came(state: QuizState, *who: int | None) -> QuizState:
    """Return the state when those sit there *who* sat in these seats, None for who is new."""
    sat = tuple(None if one is None else Sat(state, one) for one in who)
    names = tuple(f"New {at}" if one is None else state.players[one - 1] for at, one in enumerate(who))
    gone: QuizState = GAME.gone_on(state, names, sat)
    return gone


@pytest.mark.parametrize(("given", "points"), [("zero", 0), ("average", 7), ("worst", 0)])
def test_who_comes_alone_begins_with_what_the_table_gives(given: str, points: int) -> None:
    """Ana 20, Ben 0, Dora 0 stay, Cem goes: on average 20/3 = 6.67, so 7. The question is still the third."""
    state = rule(first(rule(first(begun(latecomers=given), 1), "right"), 1), "right")
    after = came(state, 4, 1, 2, None)
    assert (0, 20, 0, points) == scores(after)
    assert (3, (1, 2, 3, 4)) == (after.question, noses(after).seats)


def test_teams_stay_as_they_are_and_who_comes_joins_the_smallest() -> None:
    """Ana and Ben are Team 1 with 10, Cem and Dora Team 2. Cem goes, two come: Team 2, then Team 1."""
    state = came(rule(first(begun(teams="two"), 2), "right"), 1, 2, 4, None, None)
    assert (10, 10, 0, 0, 10) == scores(state)
    assert ((1, 2, 5), (3, 4)) == noses(state).rules.teams
    alone = came(state, 1, 3)
    assert ((1,), (2,)) == noses(alone).rules.teams
    with pytest.raises(NotNow, match="Two teams at least need players"):
        came(state, 1, 2, 5)


def test_nobody_comes_while_a_question_is_open() -> None:
    """After a wrong answer it is open for the others; before a ruling somebody is waited for."""
    called = first(begun(), 2)
    with pytest.raises(IllegalMove, match="Say first whether it was right"):
        came(called, 1, 2, 3, 4, None)
    with pytest.raises(NotNow, match="A question is open: end it first"):
        came(rule(called, "wrong"), 1, 2, 3, 4, None)
    with pytest.raises(NotNow, match="Somebody who still plays has to stay"):
        came(begun(), None, None)


def test_who_goes_leaves_the_play_off_to_the_others() -> None:
    """After one question Ana, Ben, Cem and Dora are equal at 0; with Ben gone three are asked once more."""
    state: QuizState = GAME.play(begun(questions=1, equal="more"), GAME.read_move({"type": "closed"}))
    assert (1, 2, 3, 4) == noses(state).seats
    assert (1, 2, 3) == noses(came(state, 1, 3, 4, None)).seats, "who comes is not of it"
    won = GAME.moment(came(state, 1, None, None)).outcome
    assert won is not None
    assert (1, 2, 3) == won.winners, "0 points each, and nobody left to play it off"


def test_no_answer_in_time_counts_as_wrong_where_that_is_played_and_else_nobody_can_say_so() -> None:
    """QUIZ-6: Ben pays 3, and the others may buzz; where it is only said, the box has no such ruling."""
    state = rule(first(begun(late="wrong", wrong=3), 2), "time")
    assert ((0, -3, 0, 0), (1, 3, 4), 1) == (scores(state), noses(state).seats, state.question)
    with pytest.raises(IllegalMove):
        rule(first(begun(late="host"), 2), "time")
    with pytest.raises(IllegalMove):
        rule(first(begun(late="wrong", answer_s=0), 2), "time")


def test_who_was_first_together_writes_without_a_clock() -> None:
    """QUIZ-6, QUIZ-7: Ana and Cem both answer in writing; at the next question it runs again."""
    state = first(begun(tie="both", answer_s=7, late="wrong"), 1, 3)
    for _ in (1, 3):
        (ask,) = (one for one in GAME.moment(state).asks if isinstance(one, Choose))
        assert (0, "") == (ask.within_s, ask.overdue)
        state = rule(state, "right")
    (ask,) = (one for one in GAME.moment(first(state, 2)).asks if isinstance(one, Choose))
    assert (7, "time", 2) == (ask.within_s, ask.overdue, ask.side)


def test_who_buzzes_alone_after_two_who_wrote_has_the_clock() -> None:
    """Ana and Ben, first together, are both wrong; Cem, alone, has the 7 s of the quiz."""
    state = first(rule(first(begun(tie="both", answer_s=7), 1, 2), "wrong", "wrong"), 3)
    assert [7] == [one.within_s for one in GAME.moment(state).asks if isinstance(one, Choose)]


def test_the_host_ends_it_between_two_questions_and_equals_are_asked_one_more_where_that_is_played() -> None:
    """QUIZ-8: not before a question is over, nor within one; Ana and Ben are equal, and Ben has the last."""
    ends = GAME.read_move({"type": "ended"})
    for state in (begun(), rule(first(rule(first(begun(), 1), "right"), 2), "wrong")):
        with pytest.raises(IllegalMove) as refused:
            GAME.play(state, ends)
        assert "QUIZ-8" == refused.value.rule
    equal = rule(first(rule(first(begun(equal="more"), 1), "right"), 2), "right")
    state = GAME.play(equal, ends)
    assert ((1, 2), None) == (noses(state).seats, GAME.moment(state).outcome)
    outcome = GAME.moment(rule(first(state, 2), "right")).outcome
    assert outcome is not None
    assert (2,) == outcome.winners
    shared = GAME.moment(GAME.play(state, ends)).outcome
    assert shared is not None
    assert (1, 2) == shared.winners
