"""Taps: checked against the host's clock, then driven with what they are worth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.timing import FOREVER
from lastnose.companion.views.snapshot import PhoneState, SeatPhone
from lastnose.web.open_page import OpenPage
from lastnose.web.page_sources import Pages
from lastnose.web.taps import OLDEST_NS, Account, Fate, PageClock, Tap, Taps

from tests.support.fakes import FakeDriver, FakeTable
from tests.support.phones import Clock, Phone, make_app

NOW_NS = 50_000_000_000


@pytest.fixture
def page(table: FakeTable) -> Phone:
    """Return a page on the machine of the table; the host's clock stands at 50 s."""
    app = make_app(table)
    app.extensions["lastnose.house"].pages = Pages(table.driver, lambda: NOW_NS, tell=table.tell_phones)
    return Phone(app)


def post(page: Phone, *taps: tuple[str, int, int], clock_u_ns: Any = 300_000, name: str = "p1") -> Any:
    """Post taps given as (line, level, t_ns)."""
    body = {
        "page": name,
        "clock_u_ns": clock_u_ns,
        "taps": [{"line": line, "level": level, "t_ns": t_ns} for line, level, t_ns in taps],
    }
    return page.post("/api/v1/taps", body)


def driver_of(table: FakeTable) -> FakeDriver:
    """Return the table's driver."""
    assert table.driver is not None
    return table.driver


def test_a_tap_moves_its_nose_at_its_own_time(table: FakeTable, page: Phone) -> None:
    """The time of the tap, what a touch is worth; the page's clock and its phone's delay beside it."""
    assert 200 == page.post("/api/v1/clock", {"page": "p1"}).status_code
    heard = {"fates": [], "t_ns": NOW_NS, "again_ms": 8, "replaced": False, "said": None}
    assert heard == post(page, ("nose.3", 1, NOW_NS - 7_000_000)).json
    expected = {
        "line": "nose.3",
        "level": 1,
        "t_ns": NOW_NS - 7_000_000,
        "u_ns": 8_500_000,
        "clock": "page.p1.1",
        "clock_u_ns": 25_300_000,
    }
    assert [expected] == driver_of(table).driven


def test_taps_of_one_moment_are_driven_in_the_order_of_their_times(table: FakeTable, page: Phone) -> None:
    """Two fingers at once arrive in any order."""
    post(page, ("nose.2", 1, NOW_NS - 1_000), ("nose.1", 1, NOW_NS - 5_000))
    assert ["nose.1", "nose.2"] == [edge["line"] for edge in driver_of(table).driven]


def test_a_slow_page_gets_more_time_but_never_more_than_a_quarter_second(
    table: FakeTable, page: Phone
) -> None:
    """Four round trips, between 100 and 250 ms; a better round trip later replaces it."""
    delays = []
    for way_ns in (2_000_000, 40_000_000, 900_000_000, 30_000_000):
        page.post("/api/v1/clock", {"page": "p1", "echo_ns": NOW_NS - way_ns - 500, "held_ns": 500})
        delays.append(driver_of(table).clocks["page.p1.1"])
    assert [100_000_000, 160_000_000, 250_000_000, 120_000_000] == delays


def test_a_way_is_the_slowest_since_a_page_introduced_itself_and_a_little_slower_is_no_news() -> None:
    """8 ms; 9 are none, 12 are; at the next introduction the slowest since is what counts, then its own."""
    page, shown = OpenPage(0), []
    for way_ms, introduces in ((8, True), (9, False), (12, False), (5, True), (6, True), (None, True)):
        page.took(None if way_ms is None else way_ms * 1_000_000, introduces=introduces)
        shown.append(page.rtt_ns // 1_000_000)
    assert [8, 8, 12, 12, 6, 6] == shown
    assert 5_000_000 == page.way_ns


def test_a_page_that_has_not_introduced_itself_gets_the_longest_delay(table: FakeTable, page: Phone) -> None:
    """After a restart of the table open pages go on; the fake driver refuses clocks it does not know."""
    assert 200 == post(page, name="old-page").status_code
    assert {"page.old-page.1": 250_000_000} == driver_of(table).clocks


def test_a_page_on_which_a_nose_was_touched_answers_for_itself(table: FakeTable, page: Phone) -> None:
    """From before its first edge on only its own promises count: none that is later than now."""
    assert 200 == post(page, ("nose.1", 1, NOW_NS)).status_code
    assert {"page.p1.1": None} == driver_of(table).clocks
    for promised_ns in (NOW_NS - 5, NOW_NS + 10**9):  # the second shows a clock that is wrong
        body = {"page": "p1", "clock_u_ns": 0, "taps": [], "promised_ns": promised_ns}
        assert 200 == page.post("/api/v1/taps", body).status_code
    assert [("page.p1.1", NOW_NS - 5)] == driver_of(table).vouched


def test_each_touch_is_answered_by_its_number_and_driven_once(table: FakeTable, page: Phone) -> None:
    """Also when the same word comes again, or another with the same touch."""
    numbered = [{"line": "nose.1", "level": 1, "t_ns": NOW_NS - 9, "no": 1}]
    for n in (1, 1, 2):
        body = {"page": "p1", "clock_u_ns": 0, "taps": numbered, "n": n}
        assert [{"no": 1, "fate": "driven"}] == page.post("/api/v1/taps", body).json["fates"]
    assert 1 == len(driver_of(table).driven)


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("back_ms", [50, 400, 60_000])
def test_who_lets_go_after_the_clock_went_back_holds_the_nose_no_more(together: bool, back_ms: int) -> None:
    """Numbers tell what came first; a time before the press is none, and its worth grows by as much."""
    driver, now_ns = FakeDriver(("nose.1",)), [10**12]
    pages = Pages(driver, lambda: now_ns[0])
    pages.introduce(PageClock("p", owns="nose.1"))
    back_ns, begun_ns = back_ms * 1_000_000, now_ns[0]
    touched = Tap("nose.1", 1, begun_ns, no=1)
    gone = Tap("nose.1", 0, begun_ns + 10_000_000 - back_ns, no=2, u_ns=min(2 * back_ns, 2**31))
    now_ns[0] += 20_000_000
    if together:
        pages.drive(Taps("p", 0, (touched, gone), n=1))
    else:
        pages.drive(Taps("p", 0, (touched,), begun_ns + 1, upto=1, n=1))
        now_ns[0] += 20_000_000
        pages.drive(Taps("p", 0, (gone,), n=2))
    (press, release) = driver.driven
    assert (1, 0) == (press["level"], release["level"])
    assert begun_ns == press["t_ns"] <= release["t_ns"] <= now_ns[0]
    assert release["u_ns"] >= release["t_ns"] - gone.t_ns


def test_a_promise_beyond_numbers_that_never_came_is_a_gap_of_all_that_the_page_has_carried() -> None:
    """Since its last good promise: numbers 2 and 3 may have been of either nose."""
    driver, clock = FakeDriver(("nose.1", "nose.2", "nose.3")), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    start_ns = pages._now_ns()
    touch = Tap("nose.1", 1, start_ns, no=1)
    pages.introduce(PageClock("p", owns="nose.2"))
    pages.drive(Taps("p", 0, (touch,), n=1))
    pages.drive(Taps("p", 0, (), promised_ns=start_ns, upto=1, n=2))
    clock.now_s += 1
    pages.drive(Taps("p", 0, (), promised_ns=start_ns + 900_000_000, upto=3, n=3))
    lost = ("page.p.1", start_ns, start_ns + 900_000_000, ("nose.1", "nose.2"))
    assert [lost] == driver.lost
    assert [(2, "lost")] == [(one.no, one.fate) for one in _again(pages, 2, start_ns)]


def _again(pages: Pages, no: int, t_ns: int) -> tuple[Fate, ...]:
    return pages.drive(Taps("p", 0, (Tap("nose.1", 0, t_ns, no=no),), n=4)).fates


def test_a_clock_that_has_jumped_is_another_clock_after_a_gap() -> None:
    """Since its last good promise nothing that it said is sure."""
    driver, clock = FakeDriver(("nose.1",)), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    start_ns = pages._now_ns()
    pages.introduce(PageClock("p", owns="nose.1"))
    pages.drive(Taps("p", 0, (), promised_ns=start_ns, n=1))
    clock.now_s += 0.5
    pages.drive(Taps("p", 0, (), n=2, epoch=1))
    assert [("page.p.1", start_ns, start_ns + 500_000_000, ("nose.1",))] == driver.lost
    assert (["page.p.1"], {"page.p.2": None}) == (driver.gone, driver.clocks)


@pytest.mark.parametrize(
    "word",
    [
        {"n": 2**62},
        {"n": 2_000_000},
        {"upto": 2**62},
        {"upto": 1_001},
        {"taps": [{"line": "nose.1", "level": 1, "t_ns": NOW_NS, "no": 5_000}]},
        {"epoch": -1},
    ],
)
def test_a_number_that_no_page_can_have_come_to_is_refused(
    table: FakeTable, page: Phone, word: dict[str, object]
) -> None:
    """So nobody can make a table deaf to the page's real words."""
    body = {"page": "p1", "clock_u_ns": 0, "taps": []}
    assert 200 == page.post("/api/v1/taps", body | {"n": 1}).status_code
    assert page.post("/api/v1/taps", body | {"n": 2} | word).status_code in (400, 422)
    assert 1 == len(driver_of(table).clocks)


def test_who_takes_a_nose_from_a_dead_page_leaves_nobody_to_wait_for() -> None:
    """What a page carries decides at once how its clock is heard: it is not waited for any more."""
    driver = FakeDriver(("nose.1",))
    pages = Pages(driver, lambda: 0)
    pages.introduce(PageClock("dead", owns="nose.1"))
    pages.introduce(PageClock("new", owns="nose.1", takes=True))
    assert {"page.dead.1": 250_000_000, "page.new.2": None} == driver.clocks
    pages.forget("nose.1")
    assert {"page.dead.1": 250_000_000, "page.new.2": 250_000_000} == driver.clocks


def test_the_more_pages_promise_the_less_often_each_may(table: FakeTable, page: Phone) -> None:
    """Sixty promises a second, over all; a page that is alone may promise twice as often."""
    told = [post(page, name=f"p{n}").json["again_ms"] for n in range(3)]
    assert [8, 32, 48] == told


def test_a_phone_that_is_a_nose_is_shown(table: FakeTable, page: Phone) -> None:
    """Awake, and asleep when it is hidden; sure to 33.5 ms, beside another phone like it to twice that."""

    def shown(state: PhoneState) -> SeatPhone:
        return SeatPhone("nose.2", state, 9_000_000, page="p1", u_ns=33_500_000, sure_ns=67_000_000)

    page.post("/api/v1/clock", {"page": "p1", "owns": "nose.2", "echo_ns": NOW_NS - 9_000_000})
    assert (shown("awake"),) == table.snapshot.phones
    page.post("/api/v1/taps", {"page": "p1", "clock_u_ns": 0, "taps": [], "leaves": True})
    assert (shown("asleep"),) == table.snapshot.phones
    answer = page.post("/api/v1/clock", {"page": "p1", "owns": "nose.77"})
    assert (422, "This table has no line “nose.77”.") == (answer.status_code, answer.json["error"])


def test_a_page_that_leaves_is_waited_for_no_more(table: FakeTable, page: Phone) -> None:
    """Its clock is let go; when it comes back it has a clock of another name."""
    for leaves in (False, True, True, False):
        body = {"page": "p1", "leaves": leaves}
        assert 200 == page.post("/api/v1/clock", body).status_code
    assert (["page.p1.1"], {"page.p1.2": 250_000_000}) == (driver_of(table).gone, driver_of(table).clocks)


def test_pages_that_fell_silent_are_let_go() -> None:
    """Half an hour without a word, and another page speaks; whatever it says is a word."""
    driver, clock = FakeDriver(("nose.1",)), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    pages.introduce(PageClock("silent"))
    pages.introduce(PageClock("heard"))
    clock.now_s += 1799
    pages.drive(Taps("heard", 0, ()))
    assert [] == driver.gone
    clock.now_s += 2
    pages.introduce(PageClock("new"))
    assert (["page.silent.1"], ["page.heard.2", "page.new.3"]) == (driver.gone, list(driver.clocks))


@pytest.mark.parametrize(("after_s", "in_time"), [(2.9, True), (3.1, False)])
def test_a_tap_that_comes_after_three_silent_seconds_is_late_though_nobody_has_looked_since(
    after_s: float, in_time: bool
) -> None:
    """Its page has told who touched that it did not count: it comes by another clock, after a gap."""
    driver, clock = FakeDriver(("nose.1",)), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    start_ns = pages._now_ns()
    pages.introduce(PageClock("p", owns="nose.1"))
    pages.drive(Taps("p", 0, (), promised_ns=start_ns))
    clock.now_s += after_s
    pages.drive(Taps("p", 0, (Tap("nose.1", 1, start_ns + 2_000_000_000, no=1),)))
    (tap,) = driver.driven
    assert in_time == (tap["clock"] == "page.p.1")
    assert ("page.p.1", FOREVER) == (driver.lost[0][0], driver.lost[0][2]) or in_time


@pytest.mark.parametrize("age_s", [2, 5])
def test_a_touch_that_the_only_page_tells_too_late_may_have_been_at_any_time_until_now(age_s: int) -> None:
    """It is waited for longer than others: so long it could say what time it likes."""
    driver, clock = FakeDriver(("nose.1",)), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    pages.drive(Taps("p", 0, (Tap("nose.1", 1, pages._now_ns(), no=1),)))
    pages.drive(Taps("p", 0, (Tap("nose.1", 0, pages._now_ns(), no=2),), promised_ns=pages._now_ns()))
    clock.now_s += 10
    now_ns = pages._now_ns()
    pages.drive(Taps("p", 0, (Tap("nose.1", 1, now_ns - age_s * 1_000_000_000, no=3),), upto=2))
    ((_, from_ns, to_ns, lines),) = driver.lost
    assert (now_ns, ("nose.1",)) == (to_ns, lines)
    assert from_ns <= now_ns - age_s * 1_000_000_000


def test_whom_to_expect_is_said_again_until_it_is_told_of_every_line() -> None:
    """How nose 2 stands is not known at first."""

    known, asked = {"nose.1"}, []

    class Driver(FakeDriver):
        def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
            asked.append(lines)
            return tuple(line for line in lines if line in known)

    driver, clock = Driver(("nose.1", "nose.2")), Clock()
    pages = Pages(driver, lambda: round(clock.now_s * 1e9))
    pages.introduce(PageClock("p"))
    pages.look()
    known.add("nose.2")
    pages.look()
    pages.look()
    assert [("nose.1", "nose.2"), ("nose.2",), ("nose.2",)] == asked


def test_reloading_all_evening_does_not_pile_up_clocks() -> None:
    """Every reload is a new page; at most 64 are waited for, and 8 of one device."""
    driver = FakeDriver(("nose.1",))
    pages = Pages(driver, lambda: 0)
    for n in range(100):
        pages.introduce(PageClock(f"p{n}"))
    assert (64, 36) == (len(driver.clocks), len(driver.gone))
    for n in range(9):
        pages.introduce(PageClock(f"q{n}"), "phone")
    assert 8 == sum(clock.startswith("page.q") for clock in driver.clocks)
    assert "page.p99.100" in driver.clocks


@pytest.mark.parametrize(
    ("taps", "says"),
    [
        ([("nose.9", 1, NOW_NS)], "no line “nose.9”"),
        ([("nose.1", 2, NOW_NS)], "level 0 or 1"),
    ],
)
def test_a_tap_that_cannot_be_moves_nothing(
    table: FakeTable, page: Phone, taps: list[tuple[str, int, int]], says: str
) -> None:
    """One sentence, and not even the good taps of the same post are driven."""
    answer = post(page, *taps)
    assert 422 == answer.status_code
    assert says in answer.json["error"].replace("\xa0", " ").replace("\u202f", " ")
    assert [] == driver_of(table).driven


@pytest.mark.parametrize(("clock_u_ns", "status"), [(-1, 422), (2 * 10**9 + 1, 422), (1.5, 400), ("1", 400)])
def test_a_page_says_how_well_it_knows_the_clock(
    table: FakeTable, page: Phone, clock_u_ns: object, status: int
) -> None:
    """Anything but 0 to 2 s in whole nanoseconds is refused."""
    assert status == post(page, ("nose.1", 1, NOW_NS), clock_u_ns=clock_u_ns).status_code
    assert [] == driver_of(table).driven


@pytest.mark.parametrize("name", ["", "x" * 41, "a page", "ünïcode"])
def test_a_page_has_a_plain_id(table: FakeTable, page: Phone, name: str) -> None:
    """Letters, digits, - and _."""
    assert 422 == page.post("/api/v1/clock", {"page": name}).status_code
    assert {} == driver_of(table).clocks


def test_real_noses_cannot_be_tapped() -> None:
    """Nothing real falls back to pretend."""
    answer = post(Phone(make_app(FakeTable(simulated=False))), ("nose.1", 1, 0))
    assert (409, "The noses of this table are real: press them.") == (
        answer.status_code,
        answer.json["error"],
    )


@given(
    age_ns=st.integers(-(10**10), OLDEST_NS + 5_000_000),
    clock_u_ns=st.integers(0, 3_000_000),
    own_ns=st.integers(0, 40_000_000),
)
def test_a_touch_is_never_in_the_future_and_counts_within_what_it_claims(
    age_ns: int, clock_u_ns: int, own_ns: int
) -> None:
    """Wherever it truly was within its claim, its way no longer than explained: inside, or lost with it."""
    tap = Tap("nose.1", 1, NOW_NS - age_ns, u_ns=own_ns)
    found = Account(0).weigh(tap, Taps("p", clock_u_ns, ()), NOW_NS, 150_000_000, NOW_NS - 200_000_000)
    assert found.t_ns <= NOW_NS
    if age_ns < -clock_u_ns - own_ns:
        assert found.t_ns == NOW_NS
        assert found.u_ns >= 150_000_000
    elif found.fate == "driven":
        assert age_ns <= 150_000_000 + clock_u_ns + own_ns
        assert abs(found.t_ns - tap.t_ns) <= clock_u_ns + own_ns
    else:
        assert found.from_ns <= tap.t_ns - clock_u_ns - own_ns
        assert found.to_ns >= tap.t_ns
