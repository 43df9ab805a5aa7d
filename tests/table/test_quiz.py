"""A quiz at the table: opened by the host, ruled, open for the others at once, closed, by page or button."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.model import HostPress
from lastnose.companion.evening.commands import (
    Amend,
    AnyCommand,
    Arm,
    LeaveOut,
    Play,
    Regroup,
    Rename,
    Start,
    Undo,
    Void,
)
from lastnose.companion.evening.events import RoundArmed
from lastnose.companion.table.replay import replay, report
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.timing.tape import read_tape

NAMES = ("North", "East", "South")


def quiz(**options: Any) -> Scenario:
    """Return a quiz of which nothing is open yet."""
    return Scenario("quiz", NAMES, settings=Settings(rearm_ns=3_000_000_000), **options)


def points(table: Scenario) -> list[int | None]:
    """Return everybody's points."""
    return [row.score for row in table.snapshot.rows]


def host(table: Scenario, *, long: bool = False) -> None:
    """Press the host's button."""
    table.table.answer(HostPress(table._start_ns, long=long))


def buzz(table: Scenario, player: str, at_us: float) -> None:
    """Let *player* buzz, and the table name them."""
    table.press(player, at_us=at_us)
    assert (player,) == table.judge().first
    table.release(player, at_us=at_us + 300_000)
    table.wait(1)


def queued(second: str, behind_us: int = 200_000, *, without: int | None = None) -> Scenario:
    """Return a quiz in which East was first and *second* buzzed behind; a seat may be left out of that."""
    table = quiz(then="queue")
    if without is not None:
        table.table.execute(LeaveOut((without,)), "host")
    table.arm()
    table.press("East", at_us=0)
    table.press(second, at_us=behind_us)
    assert ("East",) == table.judge().first
    return table


@pytest.mark.parametrize(
    "refused",
    [
        Start("nothing", NAMES),
        Start("pig", NAMES[:1]),
        Start("pig", ("North", "north", "East")),
        Start("pig", NAMES, {"word": 5}),
        Start("pig", NAMES, lines=("nose.1", "nose.1", "nose.2")),
        Start("pig", NAMES, lines=("nose.1", "nose.2")),
        Start("pig", NAMES, rearm_s=-1.0),
        Start("pig", NAMES, teams=((1,), (2, 3))),
        Start("quiz", NAMES, {"teams": "two"}, teams=((1, 2), (2, 3))),
    ],
)
def test_a_start_that_is_refused_ends_no_question_that_is_open(refused: Start) -> None:
    """East has pressed already, and is first."""
    table = quiz()
    table.arm()
    table.press("East", at_us=0)
    with pytest.raises(CompanionError):
        table.table.execute(refused, "host")
    assert ("East",) == table.judge().first


def test_nothing_opens_a_question_but_the_host() -> None:
    """However long it lasts; then the question is open, and the host may close it."""
    table = quiz()
    table.wait(20)
    shown = table.snapshot
    assert ("ready", "Question 1", "Open the noses") == (shown.phase, str(shown.headline), str(shown.ready))
    table.arm()
    shown = table.snapshot
    assert ("armed", "Buzz!") == (shown.phase, str(shown.headline))
    assert shown.closing is not None
    assert "Nobody" == str(shown.closing.label)


def test_a_wrong_answer_opens_for_the_others_at_once_and_who_answered_it_buzzes_in_vain() -> None:
    """East is wrong; East's next buzz is nobody's; South's, later, is first, and right: ten points."""
    table = quiz()
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="wrong")
    shown = table.snapshot
    assert ("armed", "Wrong. Who else?") == (shown.phase, str(shown.headline))
    table.press("East", at_us=4_000_000)
    buzz(table, "South", 4_400_000)
    table.move(type="ruled", value="right")
    assert ([0, 0, 10], "Right: South, + 10 points") == (points(table), str(table.snapshot.headline))


@pytest.mark.parametrize("taps", [0, 1])
def test_the_next_of_the_queue_answers_without_a_buzz_of_their_own(taps: int) -> None:
    """North buzzed 0.2 s behind East; East is wrong, so North is next; a second thumb says "open" then."""
    table = queued("North")
    table.wait(1)
    table.table.execute(Play({"type": "ruled", "value": "wrong"}), "host")
    for _ in range(taps):
        table.table.execute(Arm(), "host")
    table.wait(1)
    shown = table.snapshot
    assert shown.ruling is not None
    assert ("North was next", "North answers.") == (str(shown.headline), str(shown.ruling.label))


def test_whoever_was_left_out_of_a_question_is_not_asked_as_it_goes_on_and_the_queue_stands() -> None:
    """South is not there; East is wrong, so North, who buzzed next, answers; then South is asked again."""
    table = queued("North", without=3)
    table.move(type="ruled", value="wrong")
    table.wait(1)
    assert "North was next" == str(table.snapshot.headline)
    armed = [event for _, event in table.table.record.store.events() if isinstance(event, RoundArmed)]
    assert [(1, 2), (1,)] == [one.seats for one in armed]
    table.move(type="ruled", value="right")
    table.release("East", at_us=3_000_000)
    table.release("North", at_us=3_000_000)
    table.wait(1)
    table.arm()
    armed = [event for _, event in table.table.record.store.events() if isinstance(event, RoundArmed)]
    assert (1, 2, 3) == armed[-1].seats


def test_whoever_was_left_out_is_asked_the_next_question_though_a_ruling_was_taken_back() -> None:
    """South is not there for one question; Wrong is undone before it goes on, and East was right."""
    table = queued("North", without=3)
    table.release("East", at_us=500_000)
    table.release("North", at_us=500_000)
    table.wait(1)
    table.table.execute(Play({"type": "ruled", "value": "wrong"}), "host")
    table.table.execute(Undo(), "host")
    table.move(type="ruled", value="right")
    table.wait(1)
    table.arm()
    armed = [event for _, event in table.table.record.store.events() if isinstance(event, RoundArmed)]
    assert [(1, 2), (1, 2, 3)] == [one.seats for one in armed]


def test_a_ruling_that_is_taken_back_at_once_names_nobody_else() -> None:
    """Wrong, and undone before the box has said what it has: East still answers, South is not named."""
    table = queued("South")
    table.wait(1)
    table.table.execute(Play({"type": "ruled", "value": "wrong"}), "host")
    table.table.execute(Undo(), "host")
    table.wait(2)
    shown = table.snapshot
    assert ("verdict", "East was first") == (shown.phase, str(shown.headline))
    assert shown.ruling is not None
    table.move(type="ruled", value="right")
    assert [0, 10, 0] == points(table)


def test_each_undo_in_a_queue_takes_back_one_thing_more_and_names_nobody_again() -> None:
    """East, then South, 400 ms later. East is wrong, so South answers: that goes back, then East's ruling.

    Opened again South is the next as before. Where the verdict was voided, that goes back before the ruling.
    """
    table = queued("South", 400_000)

    def ask() -> str | None:
        table.wait(0.5)
        return None if table.snapshot.ruling is None else str(table.snapshot.ruling.label)

    for takes_back, before_it in ((Undo(), "East answers."), (Void("a knock"), "South answers.")):
        table.move(type="ruled", value="wrong")
        assert "South answers." == ask()
        table._execute(takes_back)
        assert (None, "Open the noses") == (ask(), str(table.snapshot.ready))
        assert table.snapshot.phase != "armed"
        table._execute(Arm())
        assert "South answers." == ask()
        table._execute(Undo())
        assert ask() is None
        table._execute(Undo())
        assert before_it == ask()


def test_the_host_button_opens_closes_and_rules() -> None:
    """Short: open, and nobody; short: open, then right for East. Held: wrong for South."""
    table = quiz(then="close")
    host(table)
    table.wait(1)
    assert "armed" == table.snapshot.phase
    host(table)
    assert ("ready", "Open the noses") == (table.snapshot.phase, str(table.snapshot.ready))
    host(table)
    table.wait(1)
    buzz(table, "East", 3_000_000)
    host(table)
    assert [0, 10, 0] == points(table)
    host(table)
    table.wait(1)
    buzz(table, "South", 6_000_000)
    host(table, long=True)
    assert ([0, 10, 0], "Wrong: South") == (points(table), str(table.snapshot.headline))


def test_a_dead_heat_is_a_duel_that_the_host_opens() -> None:
    """East and South press 1 µs apart; North's buzz counts for nothing in their duel."""
    table = quiz()
    table.arm()
    table.press("East", at_us=0)
    table.press("South", at_us=1)
    assert ("East", "South") == table.judge().first
    shown = table.snapshot
    assert ("Dead heat: East and South", "Open the noses") == (str(shown.headline), str(shown.ready))
    table.release("East", at_us=300_000)
    table.release("South", at_us=300_000)
    table.wait(1)
    table.arm()
    assert "Only East and South may buzz." == str(table.snapshot.headline)
    table.press("North", at_us=3_000_000)
    buzz(table, "South", 3_500_000)


def clock(table: Scenario) -> tuple[str, int] | None:
    """Return which clock runs, and the seconds that it shows."""
    shown = table.snapshot.clock
    return None if shown is None else (shown.kind, shown.left_s)


def test_the_time_to_buzz_runs_down_by_the_clock_of_the_table_and_is_heard_at_its_end() -> None:
    """Seven seconds, one has passed with the arming: 6 are begun after 1.5 s, 2 after 5.5 s, none at 7 s."""
    table = quiz(buzz_s=7)
    assert clock(table) is None
    table.arm()
    table.wait(0.5)
    shown = table.snapshot.clock
    assert shown is not None
    assert ("buzz", 6, 7, "6 seconds left") == (shown.kind, shown.left_s, shown.of_s, str(shown.says))
    table.wait(4)
    assert (("buzz", 2), ("tick",)) == (clock(table), table.snapshot.signals)
    table.wait(1)
    assert (("buzz", 1), ("tick",)) == (clock(table), table.snapshot.signals)
    table.wait(2)
    shown = table.snapshot
    assert (None, ("time",), "Nobody pressed in time") == (clock(table), shown.signals, str(shown.headline))


def test_the_table_says_when_its_clock_shows_another_second() -> None:
    """One and a half seconds after the opening five and a half are left: the next is due in half a second."""
    table = quiz(buzz_s=7)
    assert table.table.wakes_in_s() is None
    table.arm()
    table.wait(0.5)
    assert 0.5 == table.table.wakes_in_s()


def test_the_clock_stops_with_the_buzz_and_the_time_to_answer_begins_with_the_name() -> None:
    """Five seconds to answer, from the verdict; at its end “Time!” is said, and the host still rules."""
    table = quiz(buzz_s=10, answer_s=5)
    table.arm()
    table.press("East", at_us=0)
    table.wait(0.1)
    assert (("answer", 5), ("side-2",)) == (clock(table), table.snapshot.signals)
    table.wait(3)
    assert ("answer", 2) == clock(table)
    table.wait(2)
    shown = table.snapshot
    assert (("answer", 0), ("time",), "Time!") == (
        clock(table),
        shown.signals,
        str(shown.clock and shown.clock.says),
    )
    assert shown.ruling is not None
    table.wait(60)
    table.move(type="ruled", value="right")
    assert ([0, 10, 0], None) == (points(table), clock(table))


def test_who_does_not_answer_in_time_is_wrong_where_that_is_played() -> None:
    """Five seconds after the name the box says so: East pays 3, and the noses are open for the others."""
    table = quiz(answer_s=5, late="wrong", wrong=3)
    table.arm()
    table.press("East", at_us=0)
    table.wait(0.1)
    table.wait(4.9)
    assert [0, 0, 0] == points(table)
    table.wait(0.1)
    shown = table.snapshot
    assert ([0, -3, 0], ("time",)) == (points(table), shown.signals)
    table.wait(0.1)
    assert "Wrong. Who else?" == str(table.snapshot.headline)
    newest = table.table.queries.rounds()[-1]
    assert "Time! East, − 3 points" == str(newest.headline)
    table.undo()
    shown = table.snapshot
    assert ([0, 0, 0], True, None) == (points(table), shown.ruling is not None, clock(table))
    table.wait(10)
    assert table.snapshot.ruling is not None
    table.move(type="ruled", value="right")
    assert [0, 10, 0] == points(table)


def test_a_tape_of_a_question_that_the_clock_closed_says_the_same() -> None:
    """Nobody in seven seconds: judged again from its inputs, and replayed as a file."""
    table = quiz(buzz_s=7)
    table.arm()
    table.wait(9)
    seq = table.table.queries.last_judged()
    again = table.table.queries.judged_again(seq)
    assert (True, ()) == (again.nobody, again.first)
    (one,) = report(replay(read_tape(table.table.queries.tape(seq).splitlines())))["rounds"]
    assert (True, [], None) == (one["nobody"], one["first"], one["void"])


def test_a_tape_of_a_question_that_a_loss_voided_untouched_has_none_after_it() -> None:
    """The table opens it once more, and that is another question: this one's tape ends with it."""
    table = quiz(buzz_s=7)
    table.arm()
    table.press("East", at_us=0)
    table.release("East", at_us=600)  # it may have been a touch, of whose rest nobody knows
    table.lose("North", "East", "South", from_us=700, to_us=40_000)
    table.wait(1)
    (seq,) = (entry.seq for entry in table.table.record.evening.matches[0].entries)
    again = table.table.queries.judged_again(seq)
    assert again.void is not None
    played = replay(read_tape(table.table.queries.tape(seq).splitlines()))
    (entry,) = played.record.evening.matches[0].entries
    assert (again.void, []) == (entry.verdict.void if entry.verdict else None, report(played)["rounds"])


def test_a_tape_names_the_team_that_the_table_named_after_people_have_changed_seats() -> None:
    """Six in three teams; East of Team 1 and Zoë of Team 3 swap seats. South (2) and Lin (3) have a duel.

    Dealt by the seats of now it would be Teams 1 to 3 that were together; and a duel of Team 1 with Team 2.
    """
    table = Scenario("quiz", ("North", "East", "South", "West", "Lin", "Zoë"), teams="three")
    table.table.execute(Regroup(("North", "Zoë", "South", "West", "Lin", "East")), "host")
    table.arm()
    table.press("South", at_us=0)
    table.press("Lin", at_us=1)
    table.judge()
    told = [str(table.snapshot.headline), taped(table)]
    for player in ("South", "Lin"):
        table.release(player, at_us=300_000)
    table.wait(1)
    table.arm()
    table.press("Lin", at_us=3_000_000)
    table.judge()
    told += [str(table.snapshot.headline), taped(table)]
    assert ["Dead heat: Team 2 and Team 3"] * 2 + ["Team 3 was first"] * 2 == told


def taped(table: Scenario) -> str:
    """Return what the newest round's tape says, judged on a table of its own."""
    tape = read_tape(table.table.queries.tape(table.table.queries.last_judged()).splitlines())
    return str(replay(tape).snapshot.headline)


def test_it_is_the_team_of_who_pressed_that_was_first_when_it_is_corrected_who_sat_there() -> None:
    """North and East are a team, in seats 1 and 2. Seat 1 buzzes; but West was in seat 2, and East in 3."""
    table = Scenario("quiz", (*NAMES, "West"), teams="two")
    table.table.execute(Regroup(("East", "North", "West", "South")), "host")
    seated = table.table.record.store.newest()
    table.arm()
    table.press("East", at_us=0)
    assert ("East", "North") == table.judge().first
    table.move(type="ruled", value="right")
    assert [10, 10, 0, 0] == points(table)
    sat = ["North", "West", "East", "South"]
    table.table.execute(Amend(seated, {"type": "seats", "players": sat}), "host")
    table.wait(1)
    assert [*zip(sat, (10, 0, 10, 0), strict=True)] == [
        (one.player, one.score) for one in table.snapshot.rows
    ]


def test_the_host_says_that_it_was_the_last_question_and_the_ranking_stands() -> None:
    """After one question, which East has answered: East wins with ten points, of twenty questions one."""
    table = quiz()
    assert table.snapshot.ending is None
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="right")
    assert "That was the last question" == str(table.snapshot.ending and table.snapshot.ending.label)
    table.move(type="ended")
    shown = table.snapshot
    assert ("won", [False, True, False]) == (shown.phase, [row.winner for row in shown.rows])
    assert "10 points." in [str(line) for line in shown.proof]


def test_a_false_start_is_heard() -> None:
    """North touches before the opening: low, and not as a verdict."""
    table = quiz()
    table.press("North", at_us=0)
    table.wait(0.05)
    assert ("too-early",) == table.snapshot.signals


def lights(table: Scenario) -> list[str]:
    """Return the lamps, by seat."""
    return [lamp.light for lamp in table.snapshot.lamps]


def test_the_lamp_of_whoever_was_too_early_is_off_until_its_lock_is_over() -> None:
    """North touches 50 ms before the opening and lets go: locked for 250 ms from the touch, then free."""
    table = quiz()
    table.press("North", at_us=0)
    table.release("North", at_us=20_000)
    table.wait(0.05)
    touched_ns = 2_000_000_000
    table.table.execute(Arm(), "host")
    for after_ms, north in ((240, "off"), (251, "on")):
        table._promise(touched_ns + after_ms * 1_000_000)
        assert ("armed", [north, "on", "on"]) == (table.snapshot.phase, lights(table))


def test_the_lamp_of_whoever_has_answered_wrongly_stays_off_while_the_others_are_asked() -> None:
    """East was wrong: it is open for North and South."""
    table = quiz()
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="wrong")
    table.wait(1)
    assert ("armed", ["on", "off", "on"]) == (table.snapshot.phase, lights(table))


def test_a_nose_that_is_held_at_the_opening_has_its_lamp_off_until_it_is_let_go() -> None:
    """South held hers as the question was opened."""
    table = quiz()
    table.press("South", at_us=0)
    table.wait(5)
    table.arm()
    assert ["on", "on", "off"] == lights(table)
    table.release("South", at_us=6_000_000)
    table.wait(2)
    assert ["on", "on", "on"] == lights(table)


def test_all_lamps_go_out_with_the_time() -> None:
    """Time to buzz: nobody. Time to answer: East’s blinks, and is out with “Time!”."""
    table = quiz(buzz_s=7, answer_s=5)
    table.arm()
    table.wait(9)
    assert ("Nobody pressed in time", ["off"] * 3) == (str(table.snapshot.headline), lights(table))
    table.arm()
    table.press("East", at_us=500_000)
    table.wait(2)
    assert ["off", "blink", "off"] == lights(table)
    table.wait(6)
    assert ("Time!", ["off"] * 3) == (str(table.snapshot.clock and table.snapshot.clock.says), lights(table))


def test_that_nobody_pressed_is_said_of_a_verdict_that_is_taken_back() -> None:
    """East’s press is told of when the time is over and nobody has been judged: withdrawn, and so said."""
    table = quiz(buzz_s=7)
    table.arm()
    table.press("East", at_us=2_000_000, late_us=10_000_000)
    table.wait(8)
    assert "Nobody pressed in time" == str(table.snapshot.headline)
    table.wait(8)
    assert "void" == table.snapshot.phase
    assert "The box had judged: Nobody pressed in time." in [str(line) for line in table.snapshot.proof]


@pytest.mark.parametrize("game", ["quiz", "snap"])
def test_a_verdict_that_a_late_press_takes_back_is_shown_with_three_on_its_list(game: str) -> None:
    """East 3 ms, South 9 ms, then North's from the very beginning is told: nobody is first, all are shown."""
    table = Scenario(game, NAMES, settings=Settings(rearm_ns=3_000_000_000))
    if game == "quiz":
        table.arm()
    table.press("North", at_us=0, late_us=1_000_000)
    table.press("East", at_us=3_000)
    table.press("South", at_us=9_000)
    table.wait(2)
    shown = table.snapshot
    assert shown.phase == "void"
    assert shown.finish is not None
    assert {"North", "East", "South"} == {mark.player for mark in shown.finish.marks}
    assert not any(mark.last for mark in shown.finish.marks)


def test_the_points_of_a_ruling_are_said_once() -> None:
    """In the sentence, and not once more under it."""
    table = quiz()
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="right")
    shown = table.snapshot
    assert ("Right: East, + 10 points", []) == (str(shown.headline), [str(line) for line in shown.proof])


@pytest.mark.parametrize(
    "meanwhile", [None, Rename("North", "Nora"), Amend(3, {"type": "void", "reason": "a knock"})]
)
def test_the_list_goes_on_until_the_table_rules_whatever_else_is_done(meanwhile: AnyCommand | None) -> None:
    """Question 1 went to North. Of question 2 East was first; then a name or question 1 is corrected.

    South buzzes after that, North 1.2 s later: South is the next.
    """
    table = quiz(then="queue")
    table.arm()
    buzz(table, "North", 0)
    table.move(type="ruled", value="right")
    table.arm()
    table.press("East", at_us=0)
    table.wait(0.5)
    if meanwhile is not None:
        table._execute(meanwhile)
    table.press("South", at_us=1_000_000)
    table.press("North", at_us=2_200_000)
    table.wait(3)
    table.move(type="ruled", value="wrong")
    table.wait(0.5)
    assert "South was next" == str(table.snapshot.headline)


def test_an_evening_opens_again_though_its_last_question_ended_untouched() -> None:
    """Nobody had buzzed: the game is over, and a table that is started again on that log shows it."""
    table = quiz(questions=1)
    table.arm()
    table.move(type="closed")
    before = table.snapshot
    again = Table(table.table.record.store, table.table.rounds.lines, simulated=True).publish()
    assert ("won", before.headline, before.rows) == (again.phase, again.headline, again.rows)


def test_an_untouched_question_that_was_closed_is_no_round_of_a_table_that_starts_again() -> None:
    """Two are to come: what was said last is still said, and nothing of a round that does not count."""
    table = quiz(questions=3)
    table.arm()
    table.move(type="closed")
    before = table.snapshot
    again = Table(table.table.record.store, table.table.rounds.lines, simulated=True).publish()
    said = [(one.phase, str(one.headline), str(one.ready), one.round_no) for one in (before, again)]
    assert said[0] == said[1] == ("ready", "Question 2", "Open the noses", 1)


def test_screens_know_what_a_game_asks_before_its_first_round_and_after_a_power_cut() -> None:
    """A quiz asks who was first, also before it is opened; Pig after it asks who was last."""
    table = quiz(questions=1)
    asked = [table.snapshot.question]
    table.arm()
    table.move(type="closed")
    asked.append(table.snapshot.question)  # of the game that is over
    again = Table(table.table.record.store, table.table.rounds.lines, simulated=True)
    asked.append(again.publish().question)
    asked.append(table.table.execute(Start("pig", NAMES), "host").question)
    assert ["first", "first", "first", "last"] == asked


@pytest.mark.parametrize("pressed_at", ["first", "after right", "after undo"])
def test_who_has_buzzed_by_then_is_next_though_right_was_said_and_taken_back(pressed_at: str) -> None:
    """South buzzes before Right, between Right and Undo, or after that: Wrong, and South answers.

    So say log and tape, judged again.
    """
    table = quiz(then="queue")
    table.arm()
    table.press("East", at_us=0)
    now_us = 0.0
    for step, does in (
        ("first", Play({"type": "ruled", "value": "right"})),
        ("after right", Undo()),
        ("after undo", Play({"type": "ruled", "value": "wrong"})),
    ):
        table.wait(1)
        if step == pressed_at:
            table.press("South", at_us=now_us + 1_200_000)
        table.wait(1)
        now_us += 2_000_000
        table.table.execute(does, "host")
    table.wait(1)
    assert "South was next" == str(table.snapshot.headline)
    seq = table.table.queries.last_judged()
    assert (3,) == table.table.queries.judged_again(seq).first
    assert "South was first" == taped(table)
    (east,) = [one.seq for one in table.table.queries.rounds() if str(one.headline) == "East was first"]
    assert (2, 3) == table.table.queries.judged_again(east).order


def test_the_queue_of_another_question_is_nobodys_queue() -> None:
    """Question 1: East, right; question 2: North, then South. All taken back, and East was wrong in 1."""
    table = quiz(then="queue")
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value="right")
    table.arm()
    table.press("North", at_us=0)
    table.press("South", at_us=400_000)
    table.judge()
    table.wait(1)
    table._execute(Undo())
    table._execute(Undo())
    table.release("North", at_us=4_000_000)
    table.release("South", at_us=4_000_000)
    table.move(type="ruled", value="wrong")
    table.wait(2)
    shown = table.snapshot
    assert ("armed", "Wrong. Who else?") == (shown.phase, str(shown.headline))
    assert "Whoever had buzzed buzzes again." == str(shown.proof[0])


@pytest.mark.parametrize(
    ("early", "said"),
    [
        (NAMES[:2], "Nobody pressed in time"),
        (NAMES, "False start: North, East and South"),
    ],
)
def test_everybody_too_early_is_the_end_of_the_question(early: tuple[str, ...], said: str) -> None:
    """All three, or two, touch in the 3 s before the opening, and are out; after 1 s the others are, too."""
    table = quiz(early="out", buzz_s=0 if early == NAMES else 1)
    for at_us, player in enumerate(early):
        table.press(player, at_us=at_us * 1_000)
        table.release(player, at_us=at_us * 1_000 + 300_000)
    table.wait(1)
    table.arm()
    table.wait(2)
    shown = table.snapshot
    assert ("verdict", said, "Open the noses") == (shown.phase, str(shown.headline), str(shown.ready))
    assert table.table.queries.judged_again(table.table.queries.last_judged()).nobody
    assert said == taped(table)


@pytest.mark.parametrize(("opens", "value"), [("after", "wrong"), ("reading", "cut-in")])
def test_a_question_that_is_thrown_out_leaves_nobody_with_points_lost_on_it(opens: str, value: str) -> None:
    """East pays 3, or 5, and nothing once North and South are first together; on the next East pays."""
    table = quiz(tie="replace", opens=opens, wrong=3)
    table.arm()
    buzz(table, "East", 0)
    table.move(type="ruled", value=value)
    paid = {"wrong": -3, "cut-in": -5}[value]
    assert [0, paid, 0] == points(table)
    table.press("North", at_us=1_000_000)
    table.press("South", at_us=1_000_001)
    assert table.judge().dead_heat
    assert [0, 0, 0] == points(table)
    table.release("North", at_us=1_300_000)
    table.release("South", at_us=1_300_000)
    table.wait(1)
    table.arm()
    buzz(table, "East", 9_000_000)
    table.move(type="ruled", value=value)
    assert [0, paid, 0] == points(table)


def test_a_press_after_a_question_was_replaced_is_a_false_start_of_the_next() -> None:
    """North and East buzz together: nobody rules. South buzzes 1 s before the next opening: out of it."""
    table = quiz(tie="replace", opens="after", early="out")
    table.arm()
    table.press("North", at_us=0)
    table.press("East", at_us=1)
    assert table.judge().dead_heat
    table.press("South", at_us=0)
    table.release("South", at_us=100_000)
    table.wait(1)
    table.arm()
    (*_, armed) = (event for _, event in table.table.record.store.events() if isinstance(event, RoundArmed))
    assert [3] == [press.seat for press in armed.early]
