"""What zero tests of phones do to their claims; figures by hand, and a race on a clock moved by hand."""

from __future__ import annotations

import random

import pytest
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.evening.commands import Finish, Start, TestZero
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.views.phones import too_close
from lastnose.companion.views.snapshot import ZeroView
from lastnose.web.page_sources import Pages
from lastnose.web.phone_claims import PhoneClaims
from lastnose.web.taps import PageClock

from tests.support.page_table import MS, PageTable

LINES = {"nose.1": "a", "nose.2": "b", "nose.3": "c", "nose.4": ""}


def zero(one: int, other: int, *off_ms: float, at: float) -> ZeroView:
    """Return a finished test of two noses."""
    off_ns = tuple(round(off * MS) for off in off_ms)
    return ZeroView((f"nose.{one}", f"nose.{other}"), off_ns, 60 * MS, 0, 20, at)


def claims(*tests: ZeroView) -> PhoneClaims:
    """Return what an evening with *tests* knows."""
    made = PhoneClaims()
    made.learn(1, None, LINES)
    for test in tests:
        made.learn(1, test, LINES)
    return made


def widest(shares: dict[str, int]) -> float:
    """Return what two phones may differ by at the most, in ms; 50 as long as nothing counts."""
    return sum(sorted(shares.values())[-2:]) / MS if shares else 50


@pytest.mark.parametrize(
    ("tests", "phones", "expected"),
    [
        ((), "ab", 50),
        ((zero(1, 2, 4, -12, at=1),), "ab", 12),
        ((zero(1, 2, 4, -12, at=1),), "abc", 50),
        ((zero(1, 2, 12, at=1), zero(2, 3, 9, at=2)), "abc", 21),
        ((zero(1, 2, 12, at=1), zero(2, 3, 9, at=2)), "ac", 21),
        ((zero(1, 2, 25, at=1), zero(2, 3, 20, at=2)), "abc", 45),
        ((zero(1, 2, 31, at=1), zero(2, 3, 20, at=2)), "abc", 50),
        ((zero(1, 2, 12, at=1), zero(1, 2, 5, at=2)), "ab", 5),
        ((zero(1, 2, 78, at=1),), "ab", 78),
        ((zero(1, 2, 78, at=1),), "abc", 78),
        ((zero(1, 2, 78, at=1), zero(1, 3, 9, at=2)), ("a", "c", ""), 50),
        ((zero(1, 4, 3, at=1),), "a", 50),
        ((zero(1, 4, 3, at=1),), ("a", ""), 50),
    ],
)
def test_shares_add_up_to_what_was_measured(
    tests: tuple[ZeroView, ...], phones: tuple[str, ...], expected: float
) -> None:
    """The newest counts; over a third phone both add up; more than usual widens."""
    assert expected == widest(claims(*tests).shares_ns(set(phones)))


def test_who_comes_after_the_arming_is_worth_no_less_than_a_test_has_shown() -> None:
    """b was 78 ms from a, which is taken for usual while b does not play; c was never tested."""
    known = claims(zero(1, 2, 78, at=1))
    known.settle({"a", ""})
    assert [25, 78, 25] == [known.worth(phone).share_ns / MS for phone in "abc"]
    narrow = claims(zero(1, 2, 78, at=1), zero(1, 3, 5, at=2))
    narrow.settle({"a", "c"})
    assert [0, 5] == sorted(narrow.worth(phone).share_ns / MS for phone in "ac")
    assert [78, 50] == [narrow.worth(phone).share_ns / MS for phone in "bd"]


def test_a_test_counts_this_evening_and_in_this_run_only() -> None:
    """What the log has left of before says nothing of these phones; nor does one that is going on."""
    old = PhoneClaims()
    old.learn(1, zero(1, 2, 3, at=1), LINES)
    old.learn(1, zero(1, 2, 3, at=1), LINES)
    assert {} == old.shares_ns("ab")
    running = claims(zero(1, 2, 3, at=0))
    assert {} == running.shares_ns("ab")
    known = claims(zero(1, 2, 3, at=1))
    known.learn(2, None, LINES)
    assert {} == known.shares_ns("ab")


def race(table: PageTable, apart_ms: int) -> Verdict:
    """Let seat 3 be touched first, then 1, then 2; return the verdict."""
    pages = ("one", "two", "three")
    table.arm()
    assert "armed" == table.wait(400, *pages).phase
    for seat, wait_ms in ((3, 150), (1, apart_ms), (2, 0)):
        table.send(pages[seat - 1], (seat, 1, table.now_ns), promised_ns=table.now_ns)
        table.wait(wait_ms, *pages)
    table.wait(600, *pages)
    for seat, page in enumerate(pages, 1):
        table.send(page, (seat, 0, table.now_ns))
    table.wait(300, *pages)
    return table.verdicts[-1]


def test_a_zero_test_of_all_phones_decides_what_was_a_dead_heat() -> None:
    """Keys of 8 ms and clocks of 2 ms beside 50 ms of phones: 60; after tests of 5 and 6 ms: 21."""
    table = PageTable(3)
    for seat, page in enumerate(("one", "two", "three"), 1):
        table.pages.introduce(PageClock(page, owns=f"nose.{seat}", phone=f"phone-{page}"))
    before = race(table, 30)
    assert before.dead_heat
    assert 60 * MS == before.u_ns
    assert "Too close for phones" in str(too_close(before)[0])
    for one, other, off_ms in ((1, 2, 5), (2, 3, 6)):
        zero_test(table, one, other, off_ms)
        assert 20 == len(table.shown.zero.off_ns)
    table.table.execute(Start("pig", ("North", "East", "South"), {}, ("nose.1", "nose.2", "nose.3")), "host")
    table.wait(50, "one", "two", "three")
    after = race(table, 30)
    assert (2,) == after.last
    assert 8 * MS + 2 * MS + 5 * MS <= (after.u_ns or 0) <= 21 * MS
    assert () == too_close(after)


def zero_test(table: PageTable, one: int, other: int, off_ms: int) -> ZeroView:
    """Make a zero test of two noses; return what is shown of it at its beginning."""
    if table.shown.phase != "won":
        table.table.execute(Finish(), "host")
    asked = table.table.execute(TestZero((f"nose.{one}", f"nose.{other}")), "host").zero
    touch_together(table, one, other, off_ms)
    assert asked is not None
    return asked


def claimed_after(table: PageTable, off_ms: int) -> list[str]:
    """Make a zero test of the first two phones; return what was asked, what came of it, and of the claim."""
    asked = zero_test(table, 1, 2, off_ms)
    zero = table.shown.zero
    assert asked.by_hand
    assert zero.by_hand
    return [str(asked.says), str(zero.says), str(zero.claim)]


def two_phones(*more: str) -> PageTable:
    """Return a table with two phones at the first two noses, and others."""
    table = PageTable(3)
    for seat, page in enumerate(("one", "two", *more), 1):
        table.pages.introduce(PageClock(page, owns=f"nose.{seat}", phone=f"phone-{page}"))
        table.send(page, clock_u_ns=3 * MS)
    return table


NARROWER = (
    "Between these two ± 73 ms has become ± 28 ms, for this evening, in games in which every nose has a "
    "tested phone or a wire. 20 touches show this: at least 86 % of all lie inside, with 95 % confidence."
)
STAYS = (
    "North and East were at most 5 ms apart. ± 73 ms stays all the same, for all phones, as long as a nose "
    "in the game has neither a tested phone nor a wire: South."
)
WIDER = (
    "Between these two ± 73 ms has become ± 100 ms: they were up to 77 ms apart. "
    "A calmer test takes its place."
)
NO_NARROWER = "North and East were at most 50 ms apart. All tests make it no narrower: ± 73 ms stays."


@pytest.mark.parametrize(
    ("third", "off_ms", "sum_ms", "claim"),
    [
        ("tested", 5, 28, NARROWER),
        ("shared page", 5, 73, STAYS),
        ("tested", 77, 100, WIDER),
        ("untested", 5, 73, STAYS),
        ("untested", 77, 100, WIDER),
        ("tested", 50, 73, NO_NARROWER),
    ],
)
def test_a_zero_test_of_phones_says_whose_and_what_it_has_made_of_their_claim(
    third: str, off_ms: int, sum_ms: int, claim: str
) -> None:
    """Two screens of 8.5 ms, two clocks of 3 ms and 50 ms of phones: 73; with 5 for those 28, with 77 100."""
    table = two_phones(*([] if third == "shared page" else ["three"]))
    if third == "tested":
        zero_test(table, 2, 3, 0)
    said = claimed_after(table, off_ms)
    assert "0 of 20: touch both at once, with two fingers of one hand: North and East." == said[0]
    assert claim == said[2]
    assert sum_ms * MS == sum(phone.u_ns for phone in table.shown.phones if phone.line != "nose.3")


def test_a_zero_test_that_measured_no_phone_says_nothing_of_their_claim() -> None:
    """One phone and a nose that only a shared page touches: nothing is known of two phones."""
    table = two_phones()
    zero_test(table, 1, 3, 5)
    zero = table.shown.zero
    assert (True, None) == (zero.at > 0, zero.claim)


def test_with_a_nose_on_a_shared_page_every_round_is_judged_alike_and_the_page_says_so() -> None:
    """Two tested phones, 30 ms apart: 60 ms from the first round on; decided once South's is tested too."""
    table = two_phones()
    zero_test(table, 1, 2, 5)
    assert [True, True] == [one.dead_heat and one.u_ns == 60 * MS for one in game(table)]
    assert "a nose in the game has neither a tested phone nor a wire: South." in str(table.shown.zero.claim)
    table.pages.introduce(PageClock("three", owns="nose.3", phone="phone-three"))
    zero_test(table, 2, 3, 6)
    assert [(2,), (2,)] == [one.last for one in game(table)]


def test_a_phone_that_is_a_shared_page_again_is_as_wide_as_it_was_found_from_the_first_round_on() -> None:
    """East's was 77 ms later than North's; South is touched on it 80 ms after North: too close, by 87 ms."""
    table = two_phones()
    zero_test(table, 1, 2, 77)
    table.pages.introduce(PageClock("two", phone="phone-two"))
    start(table)
    table.arm()
    assert "armed" == table.wait(400, "one", "two").phase
    for page, seat, wait_ms in (("one", 1, 70), ("two", 2, 10), ("two", 3, 300)):
        table.send(page, (seat, 1, table.now_ns), promised_ns=table.now_ns)
        table.wait(wait_ms, "one", "two")
    verdict = table.verdicts[-1]
    assert ((1, 3), 80 * MS, (77 + 8 + 2) * MS) == (verdict.last, verdict.margin_ns, verdict.u_ns)


def test_what_a_test_has_made_of_the_claim_is_said_as_it_counts_now() -> None:
    """28 ms before any game; 73 as soon as one begins in which South's nose is on a page."""
    table = two_phones()
    table.pages.introduce(PageClock("three", owns="nose.3", phone="phone-three"))
    zero_test(table, 2, 3, 0)
    zero_test(table, 1, 2, 5)
    assert "has become ± 28 ms" in str(table.shown.zero.claim)
    table.pages.introduce(PageClock("three"))
    game(table)
    table.table.execute(Finish(), "host")
    assert "± 73 ms stays all the same" in str(table.shown.zero.claim)


def test_a_zero_test_waits_for_its_phone_and_takes_no_other_page_for_it() -> None:
    """The shared page's touches count nothing; its own phone, loaded again, goes on; another begins again."""
    table = two_phones("host")
    lines = "nose.1", "nose.2"
    table.table.execute(Finish(), "host")
    table.table.execute(TestZero(lines), "host")

    def touched(second: str, times: int) -> tuple[int, str]:
        for _ in range(times):
            for page, seat in (("one", 1), (second, 2)):
                table.send(page, (seat, 1, table.now_ns))
            table.wait(100, "one", "host", second)
            for page, seat in (("one", 1), (second, 2)):
                table.send(page, (seat, 0, table.now_ns))
            table.wait(300, "one", "host", second)
        zero = table.shown.zero
        return len(zero.off_ns), str(zero.says)

    assert 3 == touched("two", 3)[0]
    table.wait(4000, "one", "host")
    waits = "Waiting for East’s phone."
    assert (3, waits) == touched("host", 2)
    table.send("two")
    assert 4 == touched("two", 1)[0]
    table.send("two", leaves=True)
    table.pages.introduce(PageClock("two-again", owns="nose.2", phone="phone-two"))
    assert (5, "5 of 20: touch both at once, with") == (lambda n, says: (n, says[:33]))(
        *touched("two-again", 1)
    )
    table.send("two-again", leaves=True)
    table.pages.introduce(PageClock("other", owns="nose.2", phone="phone-other", takes=True))
    said = "The nose of East is on another screen now: the test starts again. "
    asks = "touch both at once, with two fingers of one hand: North and East."
    assert (0, f"{said}0 of 20: {asks}") == touched("other", 0)
    assert (2, f"2 of 20: {asks}") == touched("other", 2)


def start(table: PageTable) -> None:
    """Begin another game."""
    table.table.execute(Start("pig", ("North", "East", "South"), {}, ("nose.1", "nose.2", "nose.3")), "host")
    table.wait(50, "one", "two", "three")


def game(table: PageTable) -> list[Verdict]:
    """Play two rounds of a new game, seats 1 and 2 being 30 ms apart."""
    start(table)
    return [race(table, 30) for _ in range(2)]


def touch_together(table: PageTable, one: int, other: int, off_ms: int) -> None:
    """Touch two noses twenty times, the second one a little later."""
    pages = ("one", "two", "three", "four")
    for _ in range(20):
        table.send(pages[one - 1], (one, 1, table.now_ns))
        table.wait(off_ms, *pages)
        table.send(pages[other - 1], (other, 1, table.now_ns))
        table.wait(100, *pages)
        for seat in (one, other):
            table.send(pages[seat - 1], (seat, 0, table.now_ns))
        table.wait(300, *pages)


def test_a_dead_heat_is_a_phones_fault_where_one_is_in_it() -> None:
    """Not one on a single page, nor one of wires alone; beside a wire it asks for another wire."""

    def heat(*sources: str) -> Verdict:
        presses = tuple(Press(seat, 0, 1, source) for seat, source in enumerate(sources, 1))
        return Verdict((1, 2), (1, 2), 0, 2, True, None, presses=presses)

    assert "Too close for phones: wire buttons" in str(too_close(heat("page.a", "gpio"))[0])
    assert () == too_close(heat("gpio", "box"))
    assert () == too_close(heat("page.a", "page.a"))
    assert 1 == len(too_close(heat("page.a", "page.b")))


def test_two_pairs_that_no_test_joins_are_told_which_test_is_missing() -> None:
    """North and East, South and West: for whose sake ± stays is said, until one of each is tested too."""
    table = PageTable(4)
    table.table.execute(Finish(), "host")
    for seat, page in enumerate(("one", "two", "three", "four"), 1):
        table.pages.introduce(PageClock(page, owns=f"nose.{seat}", phone=f"phone-{page}"))
    for pair in ((1, 2), (3, 4)):
        zero_test(table, *pair, 5)
    missing = "as long as no test joins them to North and East: touch one of each together, too."
    assert str(table.shown.zero.claim).endswith(missing)
    zero_test(table, 2, 3, 5)
    assert "has become" in str(table.shown.zero.claim)


def started_again(table: PageTable) -> None:
    """Let the table forget its pages, as one that was started again; its evening it knows from the log."""
    table.pages = Pages(table, lambda: table.now_ns, behind_ns=0, tell=table.table.show_phones)
    table.pages.follow(table.shown)
    table.pages.remember(table.table.record.evening.zeros)


@pytest.mark.parametrize(("off_ms", "before_ms", "after_ms"), [(77, 100, 100), (5, 28, 73)])
def test_after_a_restart_a_wide_test_counts_and_a_narrow_one_is_forgotten(
    off_ms: int, before_ms: int, after_ms: int
) -> None:
    """Known by what the phones call themselves; another phone on the same nose is untested."""
    table = two_phones("three")
    zero_test(table, 2, 3, 0)
    zero_test(table, 1, 2, off_ms)
    zero_test(table, 2, 3, 1)

    def together_ms() -> float:
        return sum(phone.u_ns for phone in table.pages.phones if phone.line != "nose.3") / MS

    assert before_ms == together_ms()
    started_again(table)
    for seat, page in enumerate(("one", "two", "three"), 1):
        table.pages.introduce(PageClock(f"{page}-again", owns=f"nose.{seat}", phone=f"phone-{page}"))
        table.send(f"{page}-again", clock_u_ns=3 * MS)
    table.pages.follow(table.shown)
    assert after_ms == together_ms()
    table.pages.introduce(PageClock("new", owns="nose.1", phone="phone-new", takes=True))
    table.send("new", clock_u_ns=3 * MS)
    table.pages.follow(table.shown)
    assert 73 == together_ms()


def test_a_calmer_test_takes_the_place_of_a_wide_one_also_after_a_restart() -> None:
    """The newest of a pair counts; a test of which nobody knows the phones says nothing."""
    wide, calm, old = (
        ZeroTested(by="box", at=at, lines=("nose.1", "nose.2"), off_ns=(off,), u_ns=64 * MS, phones=phones)
        for at, off, phones in ((1, 78 * MS, ("a", "b")), (2, 9 * MS, ("a", "b")), (3, 90 * MS, ("", "")))
    )
    for tests, expected in (((wide,), 78), ((wide, calm), 50), ((calm, wide), 78), ((old,), 50)):
        known = PhoneClaims()
        known.remember(tests)
        assert expected == widest(known.shares_ns("ab"))


@pytest.mark.parametrize(
    ("late_ms", "then", "after"),
    [
        ((40,), (40, 20), (50, 50)),
        ((16, 24), (20, 24), (50, 50)),
        ((110, 120), (115, 25), (50, 50)),
        ((110, 130), (75, 75), (75, 75)),
        ((130,), (75, 75), (75, 75)),
        ((-20, 0), (0, 40), (50, 50)),
        ((-30, 10), (25, 75), (25, 75)),
    ],
)
def test_what_a_wire_shows_of_a_phone_is_taken_with_the_fingers_and_refused_where_it_cannot_be(
    late_ms: tuple[int, ...], then: tuple[int, int], after: tuple[int, int]
) -> None:
    """Taken: its width and 20 ms to both sides. Refused outside -20 to 120: then that and 0 to 100 count.

    After a restart only what was refused is known still: it makes the claim wider, the others narrower.
    """
    off_ns = tuple((ms - 50) * MS for ms in late_ms)
    at, lines, u_ns = 1, ("nose.1", "nose.2"), 64 * MS
    known, later = PhoneClaims(wires=("nose.1",)), PhoneClaims(wires=("nose.1",))
    known.learn(1, None, {"nose.2": "b"})
    assert known.learn(1, ZeroView(lines, off_ns, u_ns, 0, 20, at), {"nose.2": "b"})
    later.remember([ZeroTested(by="box", at=at, lines=lines, off_ns=off_ns, u_ns=u_ns, phones=("", "b"))])
    for claims, expected in ((known, then), (later, after)):
        claims.settle("b")
        worth = claims.worth("b")
        assert expected == (worth.late_ns / MS, (worth.wire_ns or 0) / MS)


def test_a_phone_like_no_other_is_as_wide_beside_another_phone_as_both_are_beside_a_wire() -> None:
    """75 ± 75 and 50 ± 50: up to 125 ms between the two, also when it comes after the arming."""
    known = PhoneClaims(wires=("nose.1",))
    known.learn(1, None, {"nose.2": "b"})
    known.learn(1, zero(1, 2, 80, at=1), {"nose.2": "b"})
    known.settle("bc")
    assert 125 == sum(known.worth(phone).share_ns for phone in "bc") / MS
    known.settle("cd")
    assert 125 <= sum(known.worth(phone).share_ns for phone in "bc") / MS
    assert 75 * MS == known.worth("b").wire_ns


@pytest.mark.parametrize("seed", range(40))
def test_a_finger_that_is_always_first_stays_inside_the_claim_beside_a_wire(seed: int) -> None:
    """Up to 20 ms of bias, in twenty pairs alike: the phone's own lateness is inside what is claimed."""
    chance = random.Random(seed)
    late_ms, bias_ms = chance.uniform(0, 100), chance.choice((-20, -15, 15, 20, chance.uniform(-20, 20)))
    told = [late_ms + chance.uniform(-4, 4) for _ in range(18)] + [late_ms - 4, late_ms + 4]
    known = PhoneClaims(wires=("nose.1",))
    known.learn(1, None, {"nose.2": "b"})
    known.learn(1, zero(1, 2, *(ms + bias_ms - 50 for ms in told), at=1), {"nose.2": "b"})
    known.settle("b")
    worth = known.worth("b")
    assert worth.wire_ns is not None
    assert all(abs(ms * MS - worth.late_ns) <= worth.wire_ns + 2 for ms in told)
