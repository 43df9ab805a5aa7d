"""Pages as sources: nobody is last because a tap is slow, and no page in a pocket holds up the table."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import LeaveOut, Play, Start, Void
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.replay import replay, report
from lastnose.companion.timing.tape import read_tape
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.taps import PageClock, Taps

from tests.support.examples import examples
from tests.support.page_table import MS, PageTable, waiting_for_south


def a_phone_and_a_page() -> PageTable:
    """Return a table with an armed round: North has a phone, the other three a page that they share."""
    table = PageTable()
    table.own("phone", 1)
    table.armed("phone", "shared")
    return table


@pytest.mark.parametrize(
    ("late_ms", "way_ms", "apart_ms", "last"),
    [(100, 10, 30, 4), (140, 10, 30, None), (140, 60, 40, 4), (1200, 60, 40, None), (330, 9000, 80, None)],
)
def test_a_slow_tap_is_waited_for_and_believed_as_far_as_its_way_explains(
    late_ms: int, way_ms: int, apart_ms: int, last: int | None
) -> None:
    """Seat 1 is first, its request is slow; the other three were pressed one by one on another page.

    100 ms and the shortest way that the host has measured are explained, 300 at the most, whatever the page
    says of itself. More is a doubt: else whoever is mute until the others have touched could say what time it
    likes.
    """
    table = PageTable()
    table.ways_ms["phone"] = way_ms
    table.own("phone", 1)
    table.send("shared", (2, 1, table.now_ns), (2, 0, table.now_ns + 0))
    table.armed("phone", "shared")
    first_ns = table.now_ns
    for n, seat in enumerate((2, 3, 4), 1):
        table.wait(apart_ms, "shared")
        table.send("shared", (seat, 1, first_ns + n * apart_ms * MS))
    assert "judging" != table.wait(10, "shared").phase, "nothing is told beyond what all have promised"
    table.wait(late_ms - 3 * apart_ms - 10, "shared")
    assert [] == table.verdicts
    with suppress(NotNow):
        table.send("phone", (1, 1, first_ns), promised_ns=first_ns)
    table.wait(300, "phone", "shared")
    assert [() if last is None else (last,)] == [verdict.last for verdict in table.verdicts]
    assert (last is None) == (table.verdicts[0].void is not None)


def test_a_page_that_always_pretends_a_slow_way_claims_what_that_could_hide() -> None:
    """Touched 200 ms after seat 2, told as 20 ms before it: 180 + 1 of clocks, 50 of phones, 8 of keys."""
    table = PageTable(3)
    table.ways_ms["liar"] = 200
    table.own("liar", 1)
    table.own("honest", 2)
    table.send("honest", (3, 1, table.now_ns), (3, 0, table.now_ns))
    table.armed("liar", "honest")
    second_ns = table.now_ns
    table.send("honest", (3, 1, second_ns), (2, 1, second_ns))
    table.wait(200, "honest")
    table.send("liar", (1, 1, second_ns - 20 * MS))
    table.wait(400, "liar", "honest")
    assert [True] == [verdict.dead_heat for verdict in table.verdicts]


def test_a_page_gains_nothing_by_what_it_says_of_its_own_way() -> None:
    """Slow when it comes and prompt afterwards, or silent of its way: the shortest explains, or none."""
    for ways_ms in (10_000, 10), (None, None):
        table = PageTable(3)
        for way_ms in ways_ms:
            table.ways_ms |= {"liar": way_ms} if way_ms else {}
            echo_ns = table.now_ns - way_ms * MS if way_ms else 0
            table.pages.introduce(PageClock("liar", owns="nose.1", echo_ns=echo_ns))
        table.own("honest", 2)
        table.send("honest", (3, 1, table.now_ns), (3, 0, table.now_ns))
        table.armed("liar", "honest")
        second_ns = table.now_ns
        table.send("honest", (3, 1, second_ns), (2, 1, second_ns))
        table.wait(150, "honest")
        with pytest.raises(NotNow, match="arrived 170 ms late"):
            table.send("liar", (1, 1, second_ns - 20 * MS))
        table.wait(400, "liar", "honest")
        assert [()] == [verdict.last for verdict in table.verdicts]


def test_a_phone_that_is_mute_until_the_others_have_touched_gains_nothing() -> None:
    """Whatever time it then says: it is not believed, and the round is void."""
    for said_ms in (650, 1300, 2650):
        table = PageTable(3)
        table.own("cheat", 3)
        table.armed("cheat", "shared")
        table.wait(2800 - said_ms, "shared")
        table.touch("shared", 1, 2, every_ms=50)
        table.wait(said_ms - 200, "shared")
        with suppress(NotNow):
            table.send("cheat", (3, 1, table.now_ns - said_ms * MS))
        table.wait(500, "cheat", "shared")
        (verdict,) = table.verdicts
        assert (True, ()) == (verdict.void is not None, verdict.last)


def test_a_nose_whose_phone_answers_is_touched_there_only() -> None:
    """A shared page is told so; what else it touched counts. Freed, the nose is anybody's."""
    table = PageTable()
    table.own("phone", 1)
    table.wait(30, "phone", "shared")
    with pytest.raises(NotNow, match="on a phone"):
        table.send("shared", (1, 1, table.now_ns), (2, 1, table.now_ns))
    table.wait(100, "phone", "shared")
    assert {2} == table.held()
    table.send("shared", (1, 0, table.now_ns))  # the finger that touched in vain lets go
    table.send("phone", (1, 1, table.now_ns))
    table.wait(100, "phone", "shared")
    assert {1, 2} == table.held()
    table.send("shared", (1, 0, table.now_ns))
    table.wait(100, "phone", "shared")
    assert {1, 2} == table.held(), "nobody else lets the phone's nose go"
    table.send("phone", (1, 0, table.now_ns))
    table.pages.forget("nose.1")
    table.send("shared", (1, 1, table.now_ns), (2, 0, table.now_ns))
    table.wait(100, "phone", "shared")
    assert {1} == table.held()


@pytest.mark.parametrize("away", ["asleep", "silent"])
def test_the_nose_of_a_phone_that_is_away_goes_on_with_a_shared_page(away: str) -> None:
    """Until the phone is back; what the page held then it still lets go."""
    table = PageTable()
    table.own("phone", 1)
    table.wait(30, "phone", "shared")
    if away == "asleep":
        table.send("phone", leaves=True)
    else:
        table.wait(4000, "shared")
    assert away == table.shown.phones[0].state
    table.send("shared", (1, 1, table.now_ns))
    table.wait(100, "shared")
    assert {1} == table.held()
    table.send("phone")
    with pytest.raises(NotNow, match="on a phone"):
        table.send("shared", (1, 0, table.now_ns), (1, 1, table.now_ns + 1))
    table.wait(200, "phone", "shared")
    assert set() == table.held()


@pytest.mark.parametrize("late", [0, 1], ids=["release", "touch"])
def test_a_finger_lifted_late_alarms_nobody_and_a_late_touch_is_told(late: int) -> None:
    """What seat 3's phone tells of comes in time, or 20 ms after it had promised."""
    table = PageTable(3)
    table.own("phone", 3)
    table.arm()
    for level in (1, 0):
        table.wait(300, "phone")
        table.send("phone", (3, level, table.now_ns - (28 * MS if level == late else 0)))
        table.wait(100, "phone")
        assert ({3} if level else set()) == table.held()
    said = [str(fault) for fault in table.shown.faults]
    assert ["A touch of South was reported too late: the round may be void."] * late == said
    table.table.execute(Void("tea", under_way=True), "host")
    assert [] == [str(fault) for fault in table.shown.faults], "the verdict says what came of it"


def test_a_phone_whose_nose_the_host_gave_away_has_it_again_only_when_somebody_takes_that_seat() -> None:
    """It comes back in an armed round: the touch on the host's page counts, its own is refused."""
    table = PageTable(3)
    table.own("phone", 3, takes=True)
    table.wait(4000, "host")
    table.pages.forget("nose.3")
    table.arm()
    table.wait(300, "host")
    for again in ("phone", "phone"):
        table.own(again, 3)
        assert () == table.pages.phones
    assert table.pages.drive(Taps("phone", MS, (), n=1)).replaced
    with pytest.raises(NotNow, match="Another page is this nose now: take a seat again"):
        table.send("phone", (3, 1, table.now_ns))
    assert set() == table.held()
    table.touch("host", 1, 3, 2)
    table.wait(1000, "host")
    assert [((1, 3), (2,))] == [(verdict.order, verdict.last) for verdict in table.verdicts]
    table.own("phone", 3, takes=True)
    assert ["nose.3"] == [one.line for one in table.pages.phones]
    assert not table.pages.drive(Taps("phone", MS, (), n=2)).replaced


def test_a_phone_that_was_given_away_goes_along_again_once_it_has_taken_any_seat() -> None:
    """It takes seat 1 by hand; in the next game its person sits at 3, which the host once gave away."""
    table = PageTable(3)
    table.own("phone", 3, takes=True)
    table.pages.forget("nose.3")
    table.own("phone", 1, takes=True)
    table.own("phone", 3)
    assert ["nose.3"] == [one.line for one in table.pages.phones]


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_touch_refused_for_a_phone_that_came_back_in_the_round_makes_the_round_void(by_hand: bool) -> None:
    """The table was started again and knows of no phone. What is refused is lost, however the phone came."""
    table = PageTable(3)
    table.send("host", (1, 1, table.now_ns), (1, 0, table.now_ns))
    table.arm()
    table.wait(300, "host")
    table.own("phone", 3, takes=by_hand)
    table.touch("host", 1, also=("phone",))
    with pytest.raises(NotNow, match="This nose is on a phone"):
        table.send("host", (3, 1, table.now_ns))
    table.touch("host", 2, also=("phone",))
    table.wait(1000, "host", "phone")
    assert [(True, ())] == [(one.void is not None, one.last) for one in table.verdicts]


def test_a_touch_told_of_after_the_verdict_is_said_not_to_count_until_the_next_round() -> None:
    """South was last without touching, and touched 28 ms before it had promised that nothing was coming."""
    table = PageTable(3)
    table.own("phone", 3)
    table.arm()
    table.wait(300, "phone")
    table.send("phone", (1, 1, table.now_ns), (2, 1, table.now_ns))
    table.wait(1000, "phone")
    assert [(3,)] == [verdict.last for verdict in table.verdicts]
    table.send("phone", (3, 1, table.now_ns - 28 * MS))
    table.wait(100, "phone")
    assert ["A touch of South was reported too late and does not count."] == [
        str(fault) for fault in table.shown.faults
    ]
    assert [(3,)] == [verdict.last for verdict in table.verdicts]
    for seat in (1, 2, 3):
        table.send("phone", (seat, 0, table.now_ns))
    table.armed("phone")
    assert () == table.shown.faults


@pytest.mark.parametrize(
    ("when", "least_ms"),
    [
        ("before the game", 176.5),
        ("in the round", 167.5),
        ("only to own a nose", 84.5),
        ("and is gone", 21.5),
        ("never", 21.5),
        ("never, and nose 3 was touched", 17),
    ],
)
def test_with_another_page_who_never_touched_may_come_by_another_clock(when: str, least_ms: float) -> None:
    """A key's 4 ms and a finger's 8.5; 25 ms and the clock's error each (1 ms; 3 of one that may move, 12 of
    one that has not said); 1 ms of rest; 8 that a page looks back, 100 for one on which nobody has touched.
    Where there is but one page it is as soon as may be; a finger is not expected where a key was pressed.
    """
    table = PageTable(4)
    table.own("p")
    owns = when == "only to own a nose"
    if when in ("before the game", "only to own a nose", "and is gone"):
        table.own("q", 4 * owns)
    if when == "and is gone":
        table.send("q", leaves=True)
    if when.endswith("touched"):
        table.send("p", (3, 1, table.now_ns), (3, 0, table.now_ns + 0))
    table.armed("p", *["q"] * owns)
    if when == "in the round":
        table.own("q")
    if owns:
        table.send("q", (4, 1, table.now_ns))
    pressed_ns = _touch(table, "p", 1, 2, *(() if owns else (4,)))
    while not table.verdicts:
        table.wait(1, "p", *["q"] * owns)
    assert (3,) == table.verdicts[0].last
    assert least_ms * MS <= table.now_ns - pressed_ns <= (least_ms + 10.5) * MS


def _touch(table: PageTable, page: str, *seats: int) -> int:
    """Let *page* touch *seats* one after the other; return when it touched the last."""
    touched_ns = 0
    for seat in seats:
        touched_ns = table.now_ns
        table.send(page, (seat, 1, touched_ns))
        table.wait(2, page)
    return touched_ns


@settings(max_examples=examples(100), deadline=None)
@example(third_ms=-1, comes_ms=None, arrives_ms=21, off_ms=(-20, 20), own_ms=(0, -1, 1), promises_ms=2)
@example(third_ms=-5, comes_ms=None, arrives_ms=23, off_ms=(-20, 20), own_ms=(2, -3, 4), promises_ms=8)
@example(third_ms=-1, comes_ms=12, arrives_ms=7, off_ms=(-20, 20), own_ms=(-1, 3, -3), promises_ms=11)
@given(
    third_ms=st.integers(-25, 25) | st.integers(-60, 90),
    comes_ms=st.none() | st.integers(0, 60),
    arrives_ms=st.integers(1, 60),
    off_ms=st.sampled_from(((-20, 20), (20, -20), (0, 0), (-20, -20))),
    own_ms=st.tuples(*[st.integers(-4, 4)] * 3),
    promises_ms=st.integers(1, 15),
)
def test_a_page_that_comes_in_the_middle_of_a_round_makes_nobody_last_who_was_not(
    third_ms: int,
    comes_ms: int | None,
    arrives_ms: int,
    off_ms: tuple[int, int],
    own_ms: tuple[int, int, int],
    promises_ms: int,
) -> None:
    """Seats 1 and 2 touch on the only page there is, the third so long after on one that nobody has met.

    Whatever the two phones' delays within what they declare, and in whatever order the news arrives: once all
    has arrived, who has a letter was truly last.
    """
    table = PageTable(3)
    table.own("p")
    table.armed("p")
    true_ms = {1: 0, 2: 30, 3: 30 + third_ms}
    stamp_ms = {seat: true_ms[seat] + off_ms[seat == 3] + own_ms[seat - 1] for seat in true_ms}
    begin_ns = table.now_ns + 100 * MS
    third_at = stamp_ms[3] + arrives_ms
    due = [(third_at, "q"), *((stamp_ms[n] + 5, n) for n in (1, 2))]
    due += [] if comes_ms is None else [(third_at - comes_ms, "comes")]
    news = sorted([*due, *((at, "promise") for at in range(-90, 260, promises_ms))], key=lambda one: one[0])
    for at_ms, what in news:
        table.wait((begin_ns + at_ms * MS - table.now_ns) / MS)
        if what == "comes":
            table.own("q")
        elif what == "q":
            table.send("q", (3, 1, min(table.now_ns, begin_ns + stamp_ms[3] * MS)), promised_ns=0)
        elif what == "promise":
            queued = [begin_ns + stamp_ms[n] * MS for at, n in due if n in (1, 2) and at >= at_ms]
            table.send("p", promised_ns=min([table.now_ns - 8 * MS, *queued]))
        else:
            table.send("p", (int(what), 1, begin_ns + stamp_ms[int(what)] * MS), promised_ns=0)
    for _ in range(20):
        table.send("q")
        table.wait(10, "p")
    lettered = {row.seat for row in table.shown.rows if row.letters}
    last = max(true_ms, key=lambda seat: true_ms[seat])
    assert lettered <= {last}, (lettered, last, table.verdicts)


def test_a_page_that_fell_silent_in_a_round_is_a_gap_and_is_named() -> None:
    """Its nose may have been touched: void, with the reason; the next round goes on without it."""
    table = a_phone_and_a_page()
    table.touch("shared", 2, 3, 4, every_ms=50)
    assert [] == table.verdicts
    shown = table.wait(3500, "shared")
    (verdict,) = table.verdicts
    assert "A phone or computer fell silent, and a tap on it could change the verdict." == str(verdict.void)
    assert ["North’s phone has fallen silent: is it in the network?"] == [str(one) for one in shown.faults]
    table.touch("shared", 2, 3, 4, level=0)
    table.armed("shared")
    table.touch("shared", 2, 3, 1, every_ms=50)
    assert (4,) == table.verdicts[-1].last


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("touched", [(), (2,), (2, 3)])
def test_a_round_is_said_to_be_lost_before_it_is_void(touched: tuple[int, ...], back: bool) -> None:
    """As soon as the phone is missed, also when it is back; seat 1 touches in vain."""
    table = a_phone_and_a_page()
    table.touch("shared", *touched, every_ms=50, also=("phone",))
    assert not table.wait(2900, "shared").phones[0].lost
    assert table.wait(200, "shared").phones[0].lost
    silent = ["North’s phone has fallen silent: is it in the network?"]
    if back:
        silent = []
        table.send("phone")
    lost = "This round will not count: for a while nothing came from North."
    assert [*silent, lost] == [str(one) for one in table.shown.faults]
    also = ("phone",) if back else ()
    table.send("phone" if back else "shared", (1, 1, table.now_ns))
    table.touch("shared", *({2, 3, 4} - {*touched}), also=also)
    assert "void" == table.wait(1000, "shared", *also).phase
    assert not table.shown.phones[0].lost


def two_pages() -> PageTable:
    """Arm a round at a table with two shared pages; in a round before, seats 1 and 2 touched on the first."""
    table = PageTable()
    for seat, page in ((1, "one"), (2, "one"), (3, "two")):
        for level in (1, 0):
            table.send(page, (seat, level, table.now_ns))
            table.wait(20, "one", "two")
    table.armed("one", "two")
    return table


@pytest.mark.parametrize("back", [False, True])
def test_a_shared_page_that_falls_silent_in_a_round_is_said_to_cost_it_like_a_phone(back: bool) -> None:
    """Seat 1 has touched, seat 2 may have: said by name, also once the page is back, until it is void."""
    table = two_pages()
    table.send("one", (1, 1, table.now_ns))
    table.wait(100, "one", "two")
    assert [] == [str(one) for one in table.shown.faults]
    table.wait(3200, "two")
    silent = ["The page on which North and East touched noses has fallen silent."]
    if back:
        silent = []
        table.send("one")
    lost = "This round will not count: for a while nothing came from North and East."
    assert [*silent, lost] == [str(one) for one in table.shown.faults]
    also = ("one",) if back else ()
    table.touch("two", 2, 3, also=also)
    assert "void" == table.wait(1000, "two", *also).phase
    assert not any(phone.lost for phone in table.shown.phones)


def test_a_shared_page_whose_noses_have_all_been_touched_costs_no_round() -> None:
    """It is named, and West, who has not touched on the other page, is last."""
    table = two_pages()
    table.touch("one", 1, 2, also=("two",))
    shown = table.wait(3200, "two")
    said = "The page on which North and East touched noses has fallen silent."
    assert [said] == [str(one) for one in shown.faults]
    table.send("two", (3, 1, table.now_ns))
    table.wait(1000, "two")
    assert (4,) == table.verdicts[-1].last


@pytest.mark.parametrize("back", [False, True])
def test_a_nose_freed_in_the_round_that_was_lost_with_it_stays_named_until_that_is_void(back: bool) -> None:
    """Whoever frees it without ending the round; the next round goes with the page."""
    table = a_phone_and_a_page()
    table.wait(3100, "shared")
    also = ("phone",) if back else ()
    if back:
        table.send("phone")
    table.pages.forget("nose.1")
    silent = [] if back else ["The page on which North touched noses has fallen silent."]
    lost = "This round will not count: for a while nothing came from North."
    assert [*silent, lost] == [str(one) for one in table.shown.faults]
    for voided in (True, False):
        table.touch("shared", 1, 2, 3, also=also)
        shown = table.wait(1000, "shared", *also)
        assert voided == (table.verdicts[-1].void is not None)
        assert not any("will not count" in str(one) for one in shown.faults)
        table.touch("shared", 1, 2, 3, also=also, level=0)
        table.armed("shared", *also)


@pytest.mark.parametrize(("settled_ms", "counts"), [(0, False), (50, True)])
def test_a_touch_that_a_silent_phone_has_vouched_for_counts_and_another_costs_the_round(
    settled_ms: int, counts: bool
) -> None:
    """Said as it is in both cases, and the page that takes the seat over changes nothing of it."""
    table = a_phone_and_a_page()
    table.send("phone", (1, 1, table.now_ns), promised_ns=table.now_ns)
    table.wait(settled_ms, "phone", "shared")
    shown = table.wait(3200, "shared")
    assert counts != any("This round will not count" in str(one) for one in shown.faults)
    table.pages.forget("nose.1")
    table.touch("shared", 2, 3)
    table.wait(1000, "shared")
    assert ((4,) if counts else ()) == table.verdicts[-1].last


def test_a_phone_that_was_missed_before_the_arming_or_after_its_touch_costs_no_round() -> None:
    """Nor one that is hidden, and says so: its nose goes on with another page."""
    table = PageTable()
    table.own("phone", 1)
    table.wait(3100, "shared")
    table.arm()
    assert ("armed", False) == (table.wait(300, "shared").phase, table.shown.phones[0].lost)
    table.send("phone")
    table.send("phone", (1, 1, table.now_ns))
    table.wait(50, "phone", "shared")
    table.wait(3100, "shared")
    assert ("silent", False) == (table.shown.phones[0].state, table.shown.phones[0].lost)
    table.send("phone", leaves=True)
    assert ("asleep", False) == (table.shown.phones[0].state, table.shown.phones[0].lost)


@pytest.mark.parametrize("taps", [(1, 2, 3), (1, 2, 3, 4)])
def test_a_page_that_falls_silent_right_after_a_tap_does_not_hold_the_round_for_ever(
    taps: tuple[int, ...],
) -> None:
    """Its last taps may have been sparks, for ever: what has no end is not waited for; the round is void.

    The only page there is may be loading itself again: that takes 20 s at the most.
    """
    table = PageTable()
    table.arm()
    table.wait(300)
    for seat in taps:
        table.send("shared", (seat, 1, table.now_ns))
        table.wait(1)
    assert "void" != table.wait(19_500).phase
    shown = table.wait(1_000)
    (verdict,) = table.verdicts
    assert "A phone or computer fell silent, and a tap on it could change the verdict." == str(verdict.void)
    assert "void" == shown.phase
    assert ["The page on which"] == [str(one)[:17] for one in shown.faults]


def test_a_phone_in_a_pocket_does_not_hold_up_the_table() -> None:
    """It says nothing more, not even goodbye, between two rounds: the table arms itself all the same."""
    table = PageTable(rearm_ns=3_000 * MS)
    table.own("phone", 1)
    table.wait(4000, "phone", "shared")
    assert "armed" == table.shown.phase
    for seat in (1, 2, 3):
        table.send("phone" if seat == 1 else "shared", (seat, 1, table.now_ns))
        table.wait(40, "phone", "shared")
    table.wait(100, "phone", "shared")
    for seat in (1, 2, 3):
        table.send("phone" if seat == 1 else "shared", (seat, 0, table.now_ns))
    table.wait(100, "phone", "shared")
    assert "verdict" == table.shown.phase
    assert "armed" == table.wait(7000, "shared").phase


def test_another_game_begins_with_no_pages_to_wait_for() -> None:
    """What was touched in the game before says nothing about this one."""
    table = PageTable(3)
    table.send("p", (3, 1, table.now_ns), (3, 0, table.now_ns + 0))
    table.wait(50, "p")
    assert None in table.clocks.values()
    table.table.execute(_pig(("A", "B", "C")), "host")
    assert None not in table.clocks.values()


@settings(max_examples=examples(25), deadline=None)
@given(
    order=st.permutations((1, 2, 3, 4)),
    gaps_ms=st.lists(st.integers(70, 400), min_size=3, max_size=3),
    late_ms=st.lists(st.integers(0, 89) | st.integers(0, 2500), min_size=4, max_size=4),
)
def test_however_late_taps_come_whoever_is_named_was_last_and_all_in_time_name_somebody(
    order: list[int], gaps_ms: list[int], late_ms: list[int]
) -> None:
    """Everybody has a phone and touches it, further apart than phones are unsure; 100 ms are explained."""
    table = PageTable()
    phones = {seat: f"phone{seat}" for seat in order}
    for seat, phone in phones.items():
        table.own(phone, seat)
    table.armed(*phones.values())
    tapped = {order[0]: table.now_ns}
    for seat, before, gap_ms in zip(order[1:], order, gaps_ms, strict=False):
        tapped[seat] = tapped[before] + gap_ms * MS
    arrives = {seat: tapped[seat] + (1 + ms) * MS for seat, ms in zip(order, late_ms, strict=True)}
    while not table.verdicts:
        for seat, phone in phones.items():
            if table.now_ns - 10 * MS < arrives[seat] <= table.now_ns:
                with suppress(NotNow):
                    table.send(phone, (seat, 1, tapped[seat]), promised_ns=tapped[seat])
            elif tapped[seat] >= table.now_ns - 8 * MS or arrives[seat] <= table.now_ns:
                table.send(phone)
        table.wait(10)
        assert table.now_ns < max(arrives.values()) + 4_000 * MS
    (verdict,) = table.verdicts
    assert verdict.last in ((order[-1],), ())
    assert bool(verdict.void) or (order[-1],) == verdict.last
    if max(late_ms) < 90:  # and the table looks every 10 ms
        assert verdict.void is None


def _pig(players: tuple[str, ...]) -> Start:
    return Start("pig", players, {}, tuple(f"nose.{seat}" for seat in range(1, len(players) + 1)))


# ---- Who was first: whose phone is waited for, and going on without it (F33)


@pytest.mark.parametrize("presser", [1, 2])
def test_a_page_that_goes_quiet_after_a_touch_tells_nobody_whose_it_was(presser: int) -> None:
    """F32: *Stop!* and no name, whoever of the two has pressed; the duty tells the host alone."""
    table = PageTable(3, game="quiz")
    table.arm()
    table.wait(300, "one")
    table.send("one", (presser, 1, table.now_ns))
    shown = table.wait(500)
    assert ("judging", "Stop! Somebody has pressed", ()) == (shown.phase, str(shown.headline), shown.faults)


def test_it_is_said_whose_phone_a_question_waits_for_and_it_goes_on_without_it() -> None:
    """Nobody is named while South's promise is missing; without her North is, and it stays so on the tape."""
    table = waiting_for_south()
    shown = table.shown
    assert ("judging", "Stop! Somebody has pressed", ()) == (shown.phase, str(shown.headline), shown.proof)
    assert ["off"] * 3 == [lamp.light for lamp in shown.lamps]
    assert "Waiting for South’s phone." == str(shown.duty.says)
    assert (3, "Play this round without South", None) == (
        shown.duty.seat,
        str(shown.duty.without),
        shown.duty.use,
    )
    assert [] == table.verdicts
    seen: list[Snapshot] = []
    table.table.subscribe(seen.append)
    table.table.execute(LeaveOut((3,)), "host")
    table.wait(100, "n", "e")
    before = [one for one in seen if one.phase != "verdict"]
    assert before
    assert not any(row.held or row.pressed for one in before for row in one.rows), (
        "until then nobody is told apart"
    )
    (verdict,) = table.verdicts
    assert ((1,), (1,), None) == (verdict.first, verdict.order, verdict.void)
    shown = table.shown
    assert shown.duty is None
    assert "It went on without South, whose phone could not be heard." in [str(line) for line in shown.proof]
    seq = table.table.queries.last_judged()
    assert (1,) == table.table.queries.judged_again(seq).first
    (taped,) = report(replay(read_tape(table.table.queries.tape(seq).splitlines())))["rounds"]
    assert ([1], [1, 2]) == (taped["first"], taped["order"])
    again = EveningRecord(table.table.record.store).evening.match
    assert (3,) == again.entries[-1].left_out, "the log says who was left out"


def test_what_was_touched_on_a_phone_that_was_left_out_does_not_count_and_contests_nothing() -> None:
    """South touched before North, on a phone that tells of it only when it was gone on without her."""
    table = waiting_for_south()
    table.table.execute(LeaveOut((3,)), "host")
    table.wait(100, "n", "e")
    with suppress(NotNow):
        table.send("s", (3, 1, table.now_ns - 700 * MS))
    table.wait(500, "n", "e", "s")
    assert [(1,)] == [verdict.first for verdict in table.verdicts]
    assert table.shown.contest is None
    assert "verdict" == table.shown.phase


def test_only_a_phone_that_is_waited_for_can_be_left_out_of_a_question_under_way() -> None:
    """North and East are heard of; nobody at all must not be left either."""
    table = waiting_for_south()
    for seats in ((1,), (2, 3), ()):
        with pytest.raises(NotNow, match="round is under way"):
            table.table.execute(LeaveOut(seats), "host")
    assert 3 == len([row for row in table.shown.rows if not row.aside])


def test_a_phone_that_comes_back_is_waited_for_no_more_by_name() -> None:
    """South's phone speaks again before anybody decided anything: the verdict is what it would have been."""
    table = waiting_for_south()
    table.wait(100, "n", "e", "s")
    assert table.shown.duty is None
    assert [(1,)] == [verdict.first for verdict in table.verdicts]
    table.table.execute(Play({"type": "ruled", "value": "right"}), "host")
    assert [10, 0, 0] == [row.score for row in table.shown.rows]


def test_a_phone_that_has_pressed_and_fallen_silent_is_left_out_with_its_press() -> None:
    """North buzzed and is not heard of again; without North it is East's."""
    table = PageTable(3, game="quiz")
    for seat, page in enumerate(("n", "e", "s"), 1):
        table.own(page, seat)
    table.armed("n", "e", "s")
    table.send("n", (1, 1, table.now_ns), promised_ns=table.now_ns - 40 * MS)
    table.wait(120, "e", "s")
    table.send("e", (2, 1, table.now_ns))
    table.wait(400, "e", "s")
    assert "Stop! Somebody has pressed" == str(table.shown.headline)
    assert "Waiting for North’s phone." == str(table.shown.duty.says)
    table.table.execute(LeaveOut((1,)), "host")
    table.wait(200, "e", "s")
    assert [(2,)] == [verdict.first for verdict in table.verdicts]
