"""A game that asks who was first, at the table: what is shown until the verdict, and what is kept of it."""

from __future__ import annotations

import msgspec
import pytest
from lastnose.companion.core import model
from lastnose.companion.core.model import PAGE_SOURCE, Edge, FirstRules, Levels, Verdict, Watermark
from lastnose.companion.evening.commands import Arm, LeaveOut, Play, Start, Void
from lastnose.companion.evening.events import RoundArmed
from lastnose.companion.games import GAMES, Game, register
from lastnose.companion.games.rules.prompts import Prompt, WatchNoses
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.replay import replay, report
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing.tape import read_tape
from lastnose.companion.views.snapshot import SeatPhone

from tests.support import toy

NAMES = ("North", "East", "South")
MS = 1_000_000


class Quickest(toy.Pebbles):
    """Whoever is first gets the pebble."""

    name = "quickest"

    def play(self, state: toy.PebbleState, move: Verdict | toy.Thanked | toy.Ordered) -> toy.PebbleState:
        """Give the pebble to the first: the game of the last, told of another seat."""
        if isinstance(move, Verdict):
            move = msgspec.structs.replace(move, last=move.first, first=())
        return super().play(state, move)

    def asks(self, state: toy.PebbleState) -> tuple[Prompt, ...]:
        """Ask who is first."""
        return tuple(
            msgspec.structs.replace(ask, question="first") if isinstance(ask, WatchNoses) else ask
            for ask in super().asks(state)
        )


@pytest.fixture(autouse=True)
def quickest(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Register the game for one test."""
    monkeypatch.setattr("lastnose.companion.games.GAMES", GAMES.copy())
    return register(Quickest())


def pebbles(table: Scenario) -> tuple[int | None, ...]:
    """Return what everybody has."""
    return tuple(row.score for row in table.snapshot.rows)


def test_the_first_is_named_with_the_margin_to_the_second() -> None:
    """East 4.5 ms before South; North comes 0.6 s later, when it is decided, and joins the list."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=4_500)
    table.press("North", at_us=600_000)
    result = table.judge()
    assert (("East",), (), 4_500.0) == (result.first, result.last, result.margin_us)
    assert ("East", "South", "North") == result.order
    assert (0, 1, 0) == pebbles(table)
    assert "East was first" == str(table.table.queries.round(table.table.queries.last_judged()).headline)


def test_until_the_verdict_nothing_tells_seats_apart() -> None:
    """At the first press: Stop!, all lamps out, no row pressed or held; after it the nose is seen held."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    before = list(table.snapshot.rows)
    table._promise(table._start_ns + 1_000_001)  # the press has settled, and w has not passed
    shown = table.snapshot
    assert ("judging", "Stop! Somebody has pressed") == (shown.phase, str(shown.headline))
    assert ["off", "off", "off"] == [lamp.light for lamp in shown.lamps]
    assert [(row.held, row.pressed) for row in before] == [(row.held, row.pressed) for row in shown.rows]
    assert [(False, False)] * 3 == [(row.held, row.pressed) for row in shown.rows]
    table.wait(0.5)
    assert [False, True, False] == [row.held for row in table.snapshot.rows]
    assert "verdict" == table.snapshot.phase


class TwoSources:
    """A quiz of three: East and North on wires, South on a phone that says nothing any more."""

    def __init__(self) -> None:
        lines = ("nose.1", "nose.2", "nose.3")
        self.now_ns = 0
        self.table = Table(MemoryStore(), lines, clock_ns=lambda: self.now_ns, on_pages=("nose.3",))
        self.table.feed(Levels({"nose.1": 0, "nose.2": 0}, 0, "gpio", 1_000))
        self.table.feed(Levels({"nose.3": 0}, 0, f"{PAGE_SOURCE}s", 1_000))
        self.table.execute(Start("quiz", NAMES, {"buzz_s": 0, "answer_s": 0}), "host")
        self.table.execute(Arm(), "host")
        self.promise(100, "gpio", f"{PAGE_SOURCE}s")

    def promise(self, ms: int, *sources: str) -> None:
        """Let *sources* promise that nothing before *ms* is still coming."""
        self.now_ns = ms * MS
        for source in sources:
            self.table.feed(Watermark(self.now_ns, source))
        self.table.publish()

    def edge(self, ms: float, line: str, level: int, source: str = "gpio") -> None:
        """Tell of a change of *line*."""
        self.table.feed(Edge(round(ms * MS), source, line, level, 1_000))
        self.table.publish()

    @property
    def said(self) -> tuple[str, str, list[str]]:
        """The phase, the headline, and how the lamps shine."""
        shown = self.table.snapshot
        return shown.phase, str(shown.headline), [lamp.light for lamp in shown.lamps]


def test_stop_is_said_at_the_first_press_whatever_a_phone_has_yet_to_promise() -> None:
    """East presses at 110 ms; 1 ms later it was a press. South's phone may still tell of an earlier one."""
    round_ = TwoSources()
    assert ("armed", "Buzz!", ["on"] * 3) == round_.said
    round_.edge(110, "nose.2", 1)
    assert ("armed", "Buzz!", ["off"] * 3) == round_.said, "a spark puts out lamps, and stops no reader"
    round_.promise(112, "gpio")
    assert ("judging", "Stop! Somebody has pressed", ["off"] * 3) == round_.said
    assert [(False, False)] * 3 == [(row.held, row.pressed) for row in round_.table.snapshot.rows]
    assert round_.table.snapshot.voidable
    round_.promise(300, "gpio", f"{PAGE_SOURCE}s")
    assert "East was first" == round_.said[1]


def test_a_touch_on_a_page_stops_at_once() -> None:
    """A page has no contact that sparks; which of its touches counts says its promise."""
    round_ = TwoSources()
    round_.edge(110, "nose.3", 1, f"{PAGE_SOURCE}s")
    assert ("judging", "Stop! Somebody has pressed", ["off"] * 3) == round_.said


def test_a_spark_stops_nobody_though_a_phone_is_waited_for() -> None:
    """East's contact closes for half a millisecond: all that follows is that the lamps are lit again."""
    round_ = TwoSources()
    round_.edge(110, "nose.2", 1)
    round_.edge(110.5, "nose.2", 0)
    round_.promise(200, "gpio")
    assert ("armed", "Buzz!", ["off"] * 3) == round_.said
    round_.promise(250, "gpio", f"{PAGE_SOURCE}s")
    assert ("armed", "Buzz!", ["on"] * 3) == round_.said


@pytest.mark.parametrize("left_out", [False, True])
def test_a_stop_for_a_press_that_did_not_count_is_taken_back_in_words(left_out: bool) -> None:
    """South's phone has stopped everybody: for half a millisecond, or it is left out of the question then."""
    round_ = TwoSources()
    round_.edge(110, "nose.3", 1, f"{PAGE_SOURCE}s")
    assert "judging" == round_.said[0]
    if left_out:
        round_.table.show_phones((SeatPhone("nose.3", "silent", late=True),))
        round_.table.execute(LeaveOut((3,)), "a host")
    else:
        round_.edge(110.5, "nose.3", 0, f"{PAGE_SOURCE}s")
    round_.promise(250, "gpio", f"{PAGE_SOURCE}s")
    assert ("armed", "That press did not count: go on!") == round_.said[:2]
    assert "Buzz!" == str(round_.table.snapshot.proof[0])
    round_.edge(300, "nose.2", 1)
    round_.promise(500, "gpio", f"{PAGE_SOURCE}s")
    assert "East was first" == round_.said[1]
    assert "Buzz!" == str(quiz_opened_again(round_).snapshot.headline)


def quiz_opened_again(round_: TwoSources) -> Table:
    """Rule right, and open the next question; the phone is awake again."""
    round_.table.show_phones(())
    round_.edge(510, "nose.2", 0)
    round_.table.execute(Play({"type": "ruled", "value": "right"}), "host")
    round_.table.execute(Arm(), "host")
    round_.promise(1_000, "gpio", f"{PAGE_SOURCE}s")
    assert "armed" == round_.said[0]
    return round_.table


def test_what_was_said_to_be_a_press_before_the_phone_is_void_with_the_round_that_the_host_voids() -> None:
    """It is this round that does not count, not the one before; it is open no more."""
    round_ = TwoSources()
    round_.edge(110, "nose.2", 1)
    round_.promise(112, "gpio")
    round_.table.execute(Void(), "host")
    assert "void" == round_.said[0]


@pytest.mark.parametrize("stopped", [True, False])
def test_a_question_that_was_stopped_and_is_void_is_listed_and_said_when_it_opens_again(
    stopped: bool,
) -> None:
    """East presses, or its contact only sparks; then South's phone tells of a touch that it had ruled out."""
    round_ = TwoSources()
    round_.edge(110, "nose.2", 1)
    if not stopped:
        round_.edge(110.5, "nose.2", 0)
    round_.promise(112, "gpio")
    assert ("judging" if stopped else "armed") == round_.said[0]
    round_.edge(50, "nose.3", 1, f"{PAGE_SOURCE}s")
    round_.promise(114, f"{PAGE_SOURCE}s")
    assert ("void" if stopped else "ready") == round_.said[0]
    round_.promise(400, "gpio", f"{PAGE_SOURCE}s")
    shown = round_.table.snapshot
    assert ("armed", "Buzz!") == (shown.phase, str(shown.headline))
    before = "Before: This round does not count. A tap on a phone or computer came too late, and it could "
    assert ([f"{before}change the verdict."] if stopped else []) == [str(line) for line in shown.proof]
    match = round_.table.record.evening.match
    assert match is not None
    assert [stopped] == [entry.listed for entry in match.entries]


def test_who_went_on_without_a_phone_stands_in_the_log() -> None:
    """A host pressed it, on a page; what opened the question was the box's doing."""
    round_ = TwoSources()
    round_.table.show_phones((SeatPhone("nose.3", "silent", late=True),))
    round_.edge(110, "nose.2", 1)
    round_.promise(112, "gpio")
    round_.table.execute(LeaveOut((3,)), "a host")
    assert ("judging", "Stop! Somebody has pressed") == round_.said[:2]
    armed = [one for _, one in round_.table.record.store.events() if isinstance(one, RoundArmed)]
    assert [("box", (1, 2, 3)), ("a host", (1, 2))] == [(one.by, one.seats) for one in armed]


def test_the_host_button_rules_on_nothing_that_nobody_had_read_yet() -> None:
    """Pressed while South's phone was waited for, it is heard behind the name: it is refused, and says so."""
    round_ = TwoSources()
    table = round_.table
    round_.edge(110, "nose.2", 1)
    round_.promise(112, "gpio")
    round_.edge(300, "host", 1)
    round_.edge(400, "host", 0)
    round_.promise(500, "gpio")
    table.feed(Watermark(500 * MS, f"{PAGE_SOURCE}s"))
    table.publish()
    assert "East was first" == round_.said[1]
    assert table.snapshot.ruling is not None, "nothing was ruled"
    assert ["The button was pressed before the name was told: press it again."] == [
        str(fault) for fault in table.snapshot.faults
    ]
    round_.edge(600, "host", 1)
    round_.edge(700, "host", 0)
    round_.promise(800, "gpio", f"{PAGE_SOURCE}s")
    assert [0, 10, 0] == [row.score for row in table.snapshot.rows]
    assert () == table.snapshot.faults


def test_nobody_is_first_within_w_and_the_round_is_played_again() -> None:
    """Stamps are good to 1 µs each: 2 µs apart nobody can tell."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=2)
    result = table.judge()
    assert (("East", "South"), True) == (result.first, result.dead_heat)
    assert (0, 0, 0) == pebbles(table)
    proof = [str(line) for line in table.table.queries.round(table.table.queries.last_judged()).proof]
    assert "The round is played again." in proof


def test_the_table_says_that_somebody_else_was_first() -> None:
    """A correction is of the same kind as the question; the tape says what the box had judged."""
    table = Scenario("quickest", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=4_500)
    table.judge()
    table.amend({"type": "last", "seats": [3]})
    assert (0, 0, 1) == pebbles(table)
    seq = table.table.queries.last_judged()
    assert "South was first" == str(table.table.queries.round(seq).headline)
    assert (2,) == table.table.queries.judged_again(seq).first


def test_a_tape_says_who_was_first() -> None:
    """Replayed with nothing but its edges; the round is armed as one that asks for the first."""
    lines = [
        '{"tape":1,"game":"quickest","players":["North","East","South"]}',
        '{"arm":1000000000}',
        '{"t_ns":2000000000,"source":"gpio","line":"nose.3","level":1,"u_ns":1000}',
        '{"t_ns":2000700000,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}',
    ]
    (judged,) = report(replay(read_tape(lines)))["rounds"]
    assert ([3, 1], [], [3], 700_000, 2_000, False, None) == (
        judged["order"],
        judged["last"],
        judged["first"],
        judged["margin_ns"],
        judged["u_ns"],
        judged["dead_heat"],
        judged["void"],
    )


class Quizzed(toy.Pebbles):
    """Whoever is first answers, and is left out then; “water” is wrong, and the others go on at once."""

    name = "quizzed"
    rules = FirstRules(lock_ms=250, skips_held=True, within_ms=10_000)
    goes_on = False

    def play(self, state: toy.PebbleState, move: Verdict | toy.Thanked | toy.Ordered) -> toy.PebbleState:
        """Give the first a pebble; the answer is what was ordered."""
        if isinstance(move, toy.Ordered):
            return msgspec.structs.replace(state, drink=move.value)
        assert isinstance(move, Verdict)
        if not move.first or move.dead_heat:
            return state
        counts = tuple(count + (seat in move.first) for seat, count in enumerate(state.pebbles, start=1))
        return msgspec.structs.replace(state, pebbles=counts, drink="")

    def asks(self, state: toy.PebbleState) -> tuple[Prompt, ...]:
        """Ask what whoever was first has said, and then who is first of the others."""
        if any(state.pebbles) and not state.drink:
            return (toy._drinks(),)
        left = tuple(seat for seat, count in enumerate(state.pebbles, start=1) if not count)
        again = len(left) < len(state.pebbles)
        goes_on = again and self.goes_on
        return (
            WatchNoses(
                left, question="first", rules=self.rules, by_host=True, at_once=again, goes_on=goes_on
            ),
        )


@pytest.fixture
def quizzed(monkeypatch: pytest.MonkeyPatch) -> Quizzed:
    """Register it, and return it for its rules to be changed."""
    game = Quizzed()
    register(game)
    return game


def test_only_the_host_opens_and_a_ruling_opens_again_at_once(quizzed: Quizzed) -> None:
    """Noses are free for 20 s and nothing is armed; after a wrong answer it is, for the other two."""
    table = Scenario("quizzed", NAMES)
    table.wait(20)
    assert "ready" == table.snapshot.phase
    table.arm()
    table.press("East", at_us=0)
    table.release("East", at_us=200_000)
    assert ("East",) == table.judge().first
    table.move(type="ordered", value="water")
    table.wait(0.1)
    shown = table.snapshot
    assert "armed" == shown.phase
    armed = table.table.rounds.armed
    assert armed is not None
    assert (1, 3) == armed.seats


def test_the_question_goes_on_with_the_presses_that_were_made(quizzed: Quizzed) -> None:
    """South pressed 4.5 ms after East, North half a second: when East was wrong it is South's."""
    quizzed.goes_on = True
    table = Scenario("quizzed", NAMES)
    table.arm()
    table.press("East", at_us=0)
    table.press("South", at_us=4_500)
    table.press("North", at_us=500_000)
    assert ("East",) == table.judge().first
    table.move(type="ordered", value="water")
    table.wait(0.1)
    match = table.table.record.evening.match
    verdict = match.entries[-1].verdict if match is not None else None
    assert verdict is not None
    assert ((3,), (3, 1), 495_500_000) == (verdict.first, verdict.order, verdict.margin_ns)
    seq = table.table.queries.last_judged()
    assert (3,) == table.table.queries.judged_again(seq).first
    tape = read_tape(table.table.queries.tape(seq).splitlines())
    assert [(3, 1)] == [tuple(one["order"]) for one in report(replay(tape))["rounds"]]


def test_a_false_start_is_told_by_name_and_kept_with_the_round(quizzed: Quizzed) -> None:
    """North touched 150 ms before the opening, and is locked for 1.35 s: on screens, and on the tape."""
    quizzed.rules = FirstRules(lock_ms=1_500, skips_held=True)
    table = Scenario("quizzed", NAMES)
    table.press("North", at_us=0)
    table.release("North", at_us=50_000)
    table.wait(0.1)
    table.arm()
    assert [True, False, False] == [row.early for row in table.snapshot.rows]
    table.press("North", at_us=349_000)  # from a second after the opening
    table.press("South", at_us=360_000)
    result = table.judge()
    assert (("South",), ("South",)) == (result.first, result.order)
    seq = table.table.queries.last_judged()
    again = table.table.queries.judged_again(seq)
    assert ((3,), [1, 1]) == (again.first, [press.seat for press in again.early])
    tape = "".join(f"{line}\n" for line in table.table.queries.tape(seq).splitlines())
    assert [[3]] == [one["order"] for one in report(replay(read_tape(tape.splitlines())))["rounds"]]


def test_nobody_pressed_in_time_is_a_verdict_that_every_screen_can_say(quizzed: Quizzed) -> None:
    """Ten seconds from the opening; nothing is asked then, and the host opens the next."""
    table = Scenario("quizzed", NAMES)
    table.arm()
    table.wait(9.1)  # a second has passed with the arming
    shown = table.snapshot
    assert "Nobody pressed in time" == str(shown.headline)
    assert "verdict" == shown.phase
    assert (0, 0, 0) == pebbles(table)


def test_a_team_is_first_and_the_margin_is_to_another_team(quizzed: Quizzed) -> None:
    """East and North are a team, and pressed 1 µs apart, which nobody can tell; South 4.5 ms after East."""
    quizzed.rules = FirstRules(teams=((1, 2),))
    table = Scenario("quizzed", NAMES)
    table.arm()
    table.press("East", at_us=0)
    table.press("North", at_us=1)
    table.press("South", at_us=4_500)
    result = table.judge()
    assert (("North", "East"), False) == (result.first, result.dead_heat)
    assert abs(4_500 - (result.margin_us or 0)) <= 2
    view = table.table.queries.round(table.table.queries.last_judged())
    assert "North and East were first" == str(view.headline)
    assert view.finish is not None and view.finish.budget is not None


def test_a_second_touch_tells_nothing_before_the_verdict(quizzed: Quizzed) -> None:
    """East presses, lets go and presses again before anybody is named: no row shows it."""
    table = Scenario("quizzed", NAMES)
    table.arm()
    table.press("East", at_us=0)
    table._promise(table._start_ns + 1_000_001)
    assert [(False, False)] * 3 == [(row.held, row.pressed) for row in table.snapshot.rows]
    progress = table.table.rounds._progress
    progress.show(model.Released(2, table._start_ns + 100, counts=True))
    progress.show(
        model.Pressed(model.Press(2, table._start_ns + 200, 1, "script"), counts=False, opens=False)
    )
    table.table.publish()
    assert [(False, False)] * 3 == [(row.held, row.pressed) for row in table.snapshot.rows]
