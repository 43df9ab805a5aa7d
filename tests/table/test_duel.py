"""A duel at the table: a signal at a time of its own, and what is touched before it."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.evening.commands import Amend, AnyCommand, Arm, LeaveOut, Rename, Undo
from lastnose.companion.table.replay import replay, report
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.timing.tape import read_tape
from lastnose.companion.views.news import lamps

NAMES = ("North", "East")
SIGNAL_US = 1_000_000  # 2 s after it was asked for, a second of which passes with the asking


class After:
    """Chance that lets the signal come *ms* milliseconds after its least."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
        self.asked: list[int] = []

    def pick(self, count: int) -> int:
        """Return it, of *count*."""
        self.asked.append(count)
        return self.ms


def duel(*names: str, ms: int = 1_500) -> Scenario:
    """Return a duel whose signal comes 2 s and *ms* after it is asked for."""
    table = Scenario("reaction-duel", names or NAMES, settings=Settings(rearm_ns=None))
    table.table.rounds._chance = After(ms)  # type: ignore[assignment]
    return table


def guessing(*names: str) -> Scenario:
    """Return a duel, its signal 2 s after it is asked for, in which a guess is a false start."""
    table = Scenario("reaction-duel", names or NAMES, settings=Settings(rearm_ns=None), guess=True)
    table.table.rounds._chance = After(0)  # type: ignore[assignment]
    return table


def points(table: Scenario) -> list[int | None]:
    """Return everybody's points."""
    return [row.score for row in table.snapshot.rows]


def test_nothing_shines_until_the_signal_comes_when_chance_says_so() -> None:
    """Asked for at 0: one of 4,001 moments from 2 to 6 s, here 3.5 s; then all lamps at once."""
    table = duel()
    assert ("ready", "Reaction duel") == (table.snapshot.phase, str(table.snapshot.headline))
    table.arm()  # and a second passes
    shown = table.snapshot
    assert ("ready", "Wait for the signal…", True) == (shown.phase, str(shown.headline), shown.hushed)
    assert ["off", "off"] == [lamp.light for lamp in lamps(shown)]
    table.arm()  # a second thumb moves nothing
    table.wait(1.4)
    assert table.snapshot.hushed
    table.wait(0.2)
    shown = table.snapshot
    assert ("armed", "Now!", False) == (shown.phase, str(shown.headline), shown.hushed)
    assert ["on", "on"] == [lamp.light for lamp in lamps(shown)]
    assert [4_001] == table.table.rounds._chance.asked  # type: ignore[union-attr]


def test_the_first_after_the_signal_has_the_point() -> None:
    """East 4.5 ms before North."""
    table = duel()
    table.arm()
    table.press("East", at_us=3_000_000)
    table.press("North", at_us=3_004_500)
    assert ("East",) == table.judge().first
    assert [0, 1] == points(table)


def test_a_press_before_the_signal_is_out_of_this_go_and_of_two_the_other_has_the_point() -> None:
    """North is too early; East need not press at all: after five seconds it is decided."""
    table = duel()
    table.arm()
    table.press("North", at_us=0)
    table.release("North", at_us=300_000)
    table.wait(3)
    assert "armed" == table.snapshot.phase
    table.press("North", at_us=4_000_000)
    table.wait(6)
    shown = table.snapshot
    assert ("False start: North", [0, 1]) == (str(shown.headline), points(table))


def after_a_go_of_east(points: int = 3) -> Scenario:
    """Return a duel in which East has a point; the signal of the next go is 2 s away."""
    table = Scenario("reaction-duel", NAMES, settings=Settings(rearm_ns=None), points=points)
    table.table.rounds._chance = After(0)  # type: ignore[assignment]
    table.arm()
    table.press("East", at_us=1_500_000)
    assert ("East",) == table.judge().first
    table.release("East", at_us=1_800_000)
    table.wait(1)
    return table


@pytest.mark.parametrize(
    ("command", "has"),
    [
        (Undo(), [0, 0]),
        (Rename("North", "Nora"), [0, 1]),
        (Amend(0, {"type": "last", "seats": [1]}), [1, 0]),
    ],
    ids=["undo", "rename", "amend"],
)
def test_a_false_start_is_one_whatever_is_changed_before_the_signal(
    command: AnyCommand, has: list[int]
) -> None:
    """North touches half a second before the signal, then something is taken back or set right."""
    table = after_a_go_of_east()
    began_us = (table._now_ns - table._start_ns) / 1_000
    table.table.execute(Arm(), "host")
    table.press("North", at_us=began_us + 1_500_000)
    table.release("North", at_us=began_us + 1_600_000)
    table.wait(0.2)
    if isinstance(command, Amend):
        command = Amend(table.table.queries.last_judged(), command.move)
    table.table.execute(command, "host")
    assert table.snapshot.hushed
    table.wait(0.5)
    assert ("armed", [True, False]) == (table.snapshot.phase, [row.locked for row in table.snapshot.rows])
    table.press("North", at_us=began_us + 3_000_000)
    table.wait(1)
    assert ("armed", has) == (table.snapshot.phase, points(table))


def test_a_duel_that_a_correction_ends_before_the_signal_can_go_on_when_it_is_taken_back() -> None:
    """East's point is worth the game; in between no signal is on its way, and a new one can be asked for."""
    table = after_a_go_of_east(points=2)
    table.table.execute(Arm(), "host")
    table.press("East", at_us=6_000_000)
    table.judge()
    assert ("won", [0, 2]) == (table.snapshot.phase, points(table))
    table.undo()
    table.table.execute(Arm(), "host")
    assert table.snapshot.hushed
    table.redo()
    assert ("won", False) == (table.snapshot.phase, table.snapshot.hushed)
    table.undo()
    assert not table.snapshot.hushed
    table.arm()
    table.wait(2)
    assert "armed" == table.snapshot.phase


def test_a_duel_that_is_over_goes_on_though_it_was_corrected_who_sat_there_meanwhile() -> None:
    """North has won; they sat the other way round; North's point goes back, and a signal can be asked for."""
    table = Scenario("reaction-duel", NAMES, settings=Settings(rearm_ns=3_000_000_000), points=1)
    table.arm()
    table.press("North", at_us=SIGNAL_US + 200_000)
    assert ("North",) == table.judge().first
    won = table.table.queries.last_judged()
    table.table.execute(Amend(1, {"type": "seats", "players": ["East", "North"]}), "host")
    table.wait(1)
    table.table.execute(Undo(won), "host")
    table.arm()
    assert table.snapshot.hushed
    table.wait(1.5)
    assert "Now!" == str(table.snapshot.headline)


def test_who_is_left_out_of_a_go_has_no_point_of_it() -> None:
    """Of three one sits out: the false start of one is the other's point, that of both is nobody's."""
    for early, has in ((("North",), [0, 1, 0]), (("North", "East"), [0, 0, 0])):
        table = duel("North", "East", "South")
        table.table.execute(LeaveOut((3,)), "host")
        table.arm()
        for name in early:
            table.press(name, at_us=0)
            table.release(name, at_us=300_000)
        table.wait(12)
        assert ("verdict", has) == (table.snapshot.phase, points(table))


def test_nobody_duels_alone() -> None:
    """too few to play; a question may be asked of one."""
    table = duel()
    with pytest.raises(CompanionError, match="too few to play"):
        table.table.execute(LeaveOut((2,)), "host")


def test_when_all_are_too_early_it_is_played_again() -> None:
    """Nobody has a point, and both are named."""
    table = duel()
    table.arm()
    for name in NAMES:
        table.press(name, at_us=0)
        table.release(name, at_us=300_000)
    table.wait(10)
    assert ("False start: North and East", [0, 0]) == (str(table.snapshot.headline), points(table))
    assert table.snapshot.ready is not None


def test_what_was_touched_before_one_is_ready_is_no_false_start() -> None:
    """North touched a second before the button was pressed, and wins."""
    table = duel()
    table.press("North", at_us=0)
    table.release("North", at_us=200_000)
    table.wait(1)
    table.arm()
    table.press("North", at_us=3_000_000)
    assert ("North",) == table.judge().first


@pytest.mark.parametrize(
    ("totals", "offered"),
    [
        ((9, 9, 7, 1), ["A duel for place 1: North and East"]),
        ((9, 8, 7, 6), []),
        ((9, 7, 7, 1), ["A duel for place 2: East and South"]),
        ((9, 9, 7, 7), ["A duel for place 1: North and East", "A duel for place 3: South and Zoë"]),
        ((9, 8, 7, 7), ["A duel for place 3: South and Zoë"]),
        ((9, 9, 9, 9), ["A duel for place 1: North, East, South and Zoë"]),
    ],
)
def test_those_who_share_a_place_are_offered_a_duel(totals: tuple[int, ...], offered: list[str]) -> None:
    """A sheet that they end with the same total: the winners, and who shares second or third place."""
    table = Scenario("score-pad", ("North", "East", "South", "Zoë"), rounds=1)
    for seat, points in enumerate(totals, start=1):
        table.move(type="score", hand=1, seat=seat, points=points)
    ties = table.snapshot.ties
    assert offered == [str(tie.says) for tie in ties]
    assert ["reaction-duel"] * len(ties) == [tie.game for tie in ties]


def test_below_place_three_people_share_it() -> None:
    """Fourth and fifth of five have nothing to play for."""
    table = Scenario("score-pad", ("North", "East", "South", "Zoë", "Lin"), rounds=1)
    for seat, points in enumerate((9, 8, 7, 1, 1), start=1):
        table.move(type="score", hand=1, seat=seat, points=points)
    assert () == table.snapshot.ties


def test_a_team_that_has_won_is_no_tie_of_its_people() -> None:
    """Two teams of two: one point more for North and East, and nobody is to play against their own."""
    table = Scenario("quiz", ("North", "East", "South", "Zoë"), teams="two", questions=1)
    table.arm()
    table.press("North", at_us=0)
    table.judge()
    table.move(type="ruled", value="right")
    outcome = table.table.record.evening.match
    assert outcome is not None and outcome.finished
    assert ("won", ()) == (table.snapshot.phase, table.snapshot.ties)


@pytest.mark.parametrize(("after_us", "winner"), [(99_980, "East"), (100_000, "North")])
def test_who_presses_under_a_tenth_of_a_second_after_the_signal_has_guessed(
    after_us: int, winner: str
) -> None:
    """DUEL-5: North a little before 100 ms and just then, each stamp within 1 µs; East after 300 ms."""
    table = guessing()
    table.arm()
    table.press("North", at_us=SIGNAL_US + after_us)
    table.press("East", at_us=SIGNAL_US + 300_000)
    assert (winner,) == table.judge().first
    assert [name == winner for name in NAMES] == [bool(one) for one in points(table)]


def test_a_guess_is_shown_as_a_false_start_and_the_other_need_not_press() -> None:
    """North 50 ms after the signal; five seconds later the point is East's. Judged again it is the same."""
    table = guessing()
    table.arm()
    table.press("North", at_us=SIGNAL_US + 50_000)
    table.wait(8)
    shown = table.snapshot
    assert ("False start: North", [0, 1]) == (str(shown.headline), points(table))
    (seq,) = [one.seq for one in table.table.queries.evening.match.entries]  # type: ignore[union-attr]
    again = table.table.queries.judged_again(seq)
    assert ((), [1]) == (again.first, [press.seat for press in again.early])


def test_without_the_option_fifty_milliseconds_after_the_signal_are_first() -> None:
    """It is off by default."""
    table = duel(ms=0)
    table.arm()
    table.press("North", at_us=SIGNAL_US + 50_000)
    assert ("North",) == table.judge().first


def test_no_cards_are_dealt_for_a_duel_and_it_says_so() -> None:
    """Its first state has a word of its own, and what is due is its own button."""
    shown = duel().snapshot
    assert ("deal", "Ready", "Ready") == (shown.stage, str(shown.stage_says), str(shown.due.says))  # type: ignore[union-attr]


@pytest.mark.parametrize("game", ["snap", "slapjack", "egyptian-ratscrew"])
def test_a_game_of_calls_asks_for_the_cards_first_then_to_go_on(game: str) -> None:
    """The green button, and what is due; the state is called what it is: people deal."""
    table = Scenario(game, NAMES, settings=Settings(rearm_ns=None))
    shown = table.snapshot
    assert ("Deal", "Everybody has cards: play") == (str(shown.stage_says), str(shown.due.says))  # type: ignore[union-attr]
    table.arm()
    table.press("North", at_us=0)
    table.press("East", at_us=900)
    table.judge()
    table.move(type="ruled", value="right")
    assert "Go on" == str(table.snapshot.ready)


def test_lamps_are_out_at_the_first_edge_before_anything_is_worked_out() -> None:
    """The edge alone, which nothing has promised yet; a spark lights them again, once it is read."""
    table = guessing()
    lit: list[set[str]] = []
    table.table.publisher.lights(lambda lamps: lit.append({one.light for one in lamps}))
    table.arm()
    table.wait(1.1)  # the signal has come
    before = len(lit)
    table.press("North", at_us=SIGNAL_US + 200_000)
    assert ([{"off"}], "armed") == (lit[before:], table.snapshot.phase)
    table.release("North", at_us=SIGNAL_US + 200_100)
    table.wait(0.5)
    assert [{"off"}] == lit[before:]
    assert ("armed", ["on", "on"]) == (table.snapshot.phase, [one.light for one in table.snapshot.lamps])
    table.press("East", at_us=SIGNAL_US + 900_000)
    assert ("East",) == table.judge().first
    assert [{"off"}, {"off"}] == lit[before:]


@pytest.mark.parametrize("up_us", [700_000, 1_300_000], ids=["let go before the signal", "held through it"])
def test_a_tape_says_as_the_table_did_who_was_too_early(up_us: float) -> None:
    """East touches half a second before the signal, and again after it: the point is North’s on both."""
    table = duel(ms=0)
    table.arm()
    table.press("East", at_us=500_000)
    table.release("East", at_us=up_us)
    table.press("East", at_us=1_700_000)
    table.wait(7)
    assert ("False start: East", [1, 0]) == (str(table.snapshot.headline), points(table))
    tape = table.table.queries.tape(table.table.queries.last_judged())
    told = report(replay(read_tape(tape.splitlines())))
    assert [1, 0] == [row["score"] for row in told["standings"]]
