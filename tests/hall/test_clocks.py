"""Wall clocks that are wrong, or are set in the evening: what rests on them, and what is said of them."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import msgspec
import pytest
from lastnose.companion.evening.events import AnyEvent, RoundArmed, RoundJudged, Undone
from lastnose.companion.event import commands
from lastnose.companion.event.calls import said_of_call
from lastnose.companion.event.messages import Presence
from lastnose.companion.event.pictures import HallFinish
from lastnose.companion.event.screen import HallScreen, Screens
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.halls import (
    arranged,
    call_round,
    call_to,
    judged_game,
    let_in,
    live_hall,
    rows,
    screen,
    seated,
    take,
    todos,
    until,
)

DAY_S = 86_400.0
NOW_S = 1_800_000_000.0


class Clocks:
    """The clocks of the hall's machine: the wall's, what has passed, and that without sleep."""

    def __init__(self) -> None:
        self.wall_s, self.now_s, self.elapsed_s = NOW_S, 500.0, 700.0

    def go(self, seconds: float) -> None:
        """Let time pass."""
        self.sleep(seconds)
        self.now_s += seconds

    def sleep(self, seconds: float) -> None:
        """Let time pass while the machine sleeps."""
        self.wall_s += seconds
        self.elapsed_s += seconds

    def hall(self, store: HallStore) -> Hall:
        """Return the hall in *store*, on these clocks."""
        return Hall(
            store,
            wall_s=lambda: self.wall_s,
            now_s=lambda: self.now_s,
            elapsed_s=lambda: self.elapsed_s,
            random=Random(1),
        )


@pytest.fixture
def clocks() -> Clocks:
    """Return clocks that stand."""
    return Clocks()


@pytest.fixture
def hall(store: HallStore, clocks: Clocks) -> Hall:
    """Return a hall in which nothing has happened."""
    return clocks.hall(store)


def at(found: tuple[AnyEvent, ...], *walls: float) -> tuple[AnyEvent, ...]:
    """Return these events as a table with such a wall clock writes them; the last goes on."""
    times = [*walls, *[walls[-1]] * len(found)]
    return tuple(msgspec.structs.replace(one, at=wall) for one, wall in zip(found, times, strict=False))


def called(hall: Hall, tables: int) -> None:
    """Let tables of three be called."""
    arranged(hall, ",".join(f"P{n}" for n in range(3 * tables)), tables=tables, final=0, rounds=1)
    call_round(hall)


def test_standings_and_the_newest_finish_are_the_same_whatever_the_tables_clocks_say(
    tmp_path: Path, clocks: Clocks
) -> None:
    """Forty days behind, forty ahead, and one that jumps by 56 years in its game, and later back."""
    told = []
    right = (NOW_S, NOW_S, NOW_S + 60), (NOW_S, NOW_S, NOW_S + 90), (NOW_S, NOW_S + 120)
    behind, ahead = NOW_S - 40 * DAY_S, NOW_S + 40 * DAY_S
    wrong = (behind, behind, behind + 60), (ahead, ahead, ahead + 90), (0.0, 120.0, 120.0, NOW_S, 130.0)
    for number, walls in enumerate((right, wrong)):
        store = HallStore(tmp_path / str(number))
        hall = clocks.hall(store)
        members, screens = [let_in(hall) for _ in walls], Screens()
        called(hall, 3)
        newest = []
        for member, wall in zip(members, walls, strict=True):
            game = judged_game(*seated(hall, member.number), 0)
            take(hall, member, rows(at(game, *wall)))
            hall.do(commands.Clear(1, member.number), "Ann")
            newest.append(of(screens.screen(hall.view, hall.logs)).number)
        assert [1, 2, 3] == newest, "as they were played"
        told.append([(line.place, line.points, line.rounds) for line in hall.view.lines])
        store.close()
    assert told[0] == told[1]
    assert 9 == len(told[0])


def of(screen: HallScreen) -> HallFinish:
    """Return the finish on the board."""
    assert screen.newest is not None
    return screen.newest


def test_when_the_newest_verdict_is_taken_back_the_one_before_it_is_shown_by_a_later_hub_too(
    hall: Hall,
) -> None:
    """That of table 2, whose clock is forty days behind, not that of table 1 before it; as all along."""
    one, other = let_in(hall), let_in(hall)
    called(hall, 2)
    screens, shown = Screens(), []

    def look() -> None:
        found = of(screens.screen(hall.view, hall.logs))
        later = Hall(hall._store)
        assert found == of(screen(later))
        shown.append((found.number, found.entry))

    heads = {}
    for member, wall, after_s in ((one, NOW_S, 100), (other, NOW_S - 40 * DAY_S, 200)):
        game = judged_game(*seated(hall, member.number), 0)[:3]
        found = rows(at(game, wall, wall, wall + after_s))
        take(hall, member, found)
        heads[member.number] = found[-1].head
        look()
    judged = next(e for e in judged_game(("A", "B", "C"), "", 0) if isinstance(e, RoundJudged))
    armed = RoundArmed(by="box", at=NOW_S, t_ns=0, seats=(1, 2, 3))
    again = at((armed, judged, Undone(by="host", at=0, of=5)), NOW_S + 300)
    more = rows(again, (3, heads[1]))
    for part in (more[:2], more[2:]):
        take(hall, one, part)
        look()
    assert [(1, 3), (2, 3), (1, 5), (2, 3)] == shown


def test_a_table_that_was_cut_off_shows_no_finish_of_an_hour_ago_as_the_newest(hall: Hall) -> None:
    """Its verdicts come all at once; of two of the same moment the closer one is shown."""
    members = [let_in(hall) for _ in range(3)]
    called(hall, 3)
    shown = []
    for member, after_s, margin_us in zip(members, (200, 100, 200), (412, 300, 200), strict=True):
        game = judged_game(*seated(hall, member.number), 0, margin_us)[:3]
        take(hall, member, rows(at(game, NOW_S, NOW_S, NOW_S + after_s)))
        shown.append(of(screen(hall)).number)
    assert [1, 1, 3] == shown


def test_the_rounds_clock_goes_on_when_the_halls_own_clock_is_set(
    hall: Hall, store: HallStore, clocks: Clocks
) -> None:
    """It has run for a minute, stands for two in which the clock is put forward by 40 days, and runs on."""
    let_in(hall)
    called(hall, 1)

    def shown(known: Hall) -> tuple[float, float | None]:
        """Return how long the round has lasted by the page's rule, and where it stands."""
        (one,) = screen(known).rounds
        return clocks.wall_s - one.called_at - one.paused_s, one.stands_s

    clocks.go(60)
    hall.look_at_tables()
    assert (60.0, None) == shown(hall)
    hall.do(commands.Pause(), "Ann")
    clocks.go(60)
    clocks.wall_s += 40 * DAY_S
    hall.look_at_tables()
    hall.tick()
    assert 60.0 == shown(hall)[1]
    clocks.go(60)
    hall.do(commands.Pause(stands=False), "Ann")
    clocks.go(5)
    clocks.wall_s -= 41 * DAY_S
    hall.look_at_tables()
    hall.tick()
    assert (65.0, None) == shown(hall) == shown(clocks.hall(store))


def test_the_rounds_clock_is_right_when_a_hall_without_a_clock_of_its_own_begins_again_and_hears_the_time(
    hall: Hall, store: HallStore, clocks: Clocks
) -> None:
    """Without power for two minutes, it begins with an old time, and half a minute later is put right."""
    let_in(hall)
    called(hall, 1)
    clocks.go(600)
    hall.do(commands.Announce("Pizza"), "Ann")
    clocks.go(120)
    clocks.wall_s -= 3_420
    again = clocks.hall(store)
    clocks.go(30)
    again.look_at_tables()
    clocks.wall_s += 3_420
    for _ in range(2):
        again.look_at_tables()
        again.tick()
        (one,) = screen(again).rounds
        assert 750 == clocks.wall_s - one.called_at - one.paused_s
        clocks.wall_s += 900  # a step of now: the round goes on as it did


def test_a_round_that_was_called_before_its_hall_heard_the_time_goes_on_as_it_did(
    hall: Hall, store: HallStore, clocks: Clocks
) -> None:
    """The hall begins again with an hour-old time, calls, and is put right a minute later."""
    let_in(hall)
    arranged(hall, "A,B,C", tables=1, final=0)
    clocks.wall_s -= 3_600
    again = clocks.hall(store)
    call_round(again)
    clocks.go(60)
    clocks.wall_s += 3_600
    again.look_at_tables()
    again.tick()
    (one,) = [one for one in screen(again).rounds if one.called]
    assert 60 == clocks.wall_s - one.called_at


def test_a_pause_is_told_to_the_hall_and_to_every_table(hall: Hall) -> None:
    """Its table plays round 1: the headline says so, and so does the table, until the clock goes on."""
    member = let_in(hall)
    called(hall, 1)

    def told() -> tuple[str, list[str]]:
        return str(screen(hall).headline), [str(one) for one in said_of_call(call_to(hall, member))]

    assert ("Round 1: 1 table has no result yet", []) == told()
    hall.do(commands.Pause(), "Ann")
    assert ("Round 1: Pause", ["The hall is taking a break: the round’s clock is stopped."]) == told()
    hall.do(commands.Pause(stands=False), "Ann")
    assert ("Round 1: 1 table has no result yet", []) == told()


@pytest.mark.parametrize(("ahead_s", "says"), [(3_456_000, "40 days"), (-7_200, "2 hours")])
def test_a_table_with_another_time_is_said_and_many_are_one_line(hall: Hall, ahead_s: int, says: str) -> None:
    """Of three at once it may be the hall that is wrong; a table that is away is away by the hall's clock."""
    members = [let_in(hall) for _ in range(3)]
    off = f"This table’s clock is off by {says}: set it. Times in its history are wrong"
    many = "Tables 1, 2, 3 have another time than the hall: is its own clock right? Results are right."
    for count, wanted in ((1, [(1, f"{off}, its results are right.")]), (3, [(0, many)])):
        for member in members[:count]:
            hall.heard(member.table, Presence(n=0, ahead_s=ahead_s))
        hall.tick()
        found = [(todo.number, str(todo.says)) for todo in todos(hall, "clock")]
        assert wanted == found
        assert [True] * count == [one.there for one in screen(hall).tables][:count]


@pytest.mark.heavy
def test_tables_with_wrong_clocks_play_a_round_and_say_so_where_it_was_caused(tmp_path: Path) -> None:
    """One is forty days behind, the other right until its clock jumps ahead in the game; results hold."""
    jumped = [0.0]
    with live_hall(tmp_path) as live:
        behind = live.add_table(wall_s=lambda: time.time() - 40 * DAY_S)
        jumps = live.add_table(wall_s=lambda: time.time() + jumped[0])
        arranged(live.hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", final=0, rounds=1)
        call_round(live.hall)
        until(lambda: jumps.step() == "played", "the second table to play")
        jumped[0] = 40 * DAY_S
        live.play()
        until(live.level, "the hall to have everything")
        assert [1, 1, 0.5, 0.5, 0, 0] == [line.points for line in live.hall.view.lines]
        for table, ahead_s, says in (
            (behind, -3_456_000, "This table’s clock is off by 40 days: set it."),
            (jumps, 3_456_000, "This table’s clock is off by 40 days: set it."),
        ):

            def told(member: str = table.member.table, wanted: int = ahead_s) -> bool:
                seen = live.hall.view.seen[member].presence
                return seen is not None and seen.ahead_s == wanted

            until(told, "the hall to know of the clock")
            until(lambda table=table, says=says: says in link(table), "the table to say so")


def link(table: object) -> str:
    """Return what the table's page says of its link."""
    hall = table.thread.snapshot.hall
    return "" if hall is None or hall.link is None else str(hall.link)


@pytest.mark.parametrize("leads", [True, False])
def test_a_clock_that_is_set_is_written_down_only_where_a_round_goes_on_by_it(
    hall: Hall, clocks: Clocks, leads: bool
) -> None:
    """Not before one is called, nor by a hub that does not lead any more."""
    if not leads:
        let_in(hall)
        called(hall, 1)
        hall.fence()
    hall.look_at_tables()
    before = hall.state.seq
    clocks.wall_s += 3_600
    hall.look_at_tables()
    assert before == hall.state.seq


def test_a_laptop_that_slept_in_a_round_has_not_set_its_clock(hall: Hall, clocks: Clocks) -> None:
    """Closed for half an hour: nothing is written, and the round has lasted so much longer."""
    let_in(hall)
    called(hall, 1)
    before = hall.state.seq
    clocks.go(60)
    clocks.sleep(1_800)
    hall.look_at_tables()
    assert before == hall.state.seq
    assert 1_860 == clocks.wall_s - hall.state.now.called_at
    clocks.wall_s += 1_800
    hall.look_at_tables()
    assert before + 1 == hall.state.seq
    assert 1_860 == clocks.wall_s - hall.state.now.called_at
