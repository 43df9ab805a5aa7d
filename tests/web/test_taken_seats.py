"""A nose that another page becomes, and the end of a hold: no touch is forgotten, nobody waited for."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.web.page_sources import Pages
from lastnose.web.taps import PageClock, Tap, Taps

from tests.support.page_table import MS, PageTable

PHONES = ("p1", "p2", "p3", "p4")


def introduce(table: PageTable, page: str, seat: int, *, takes: bool = True) -> None:
    """Let *page*, each on a phone of its own, be the nose of *seat*."""
    clock = PageClock(page, owns=f"nose.{seat}", phone=f"phone-{page}", takes=takes)
    table.pages.introduce(clock)
    table.wait(0)


def four_phones(*, armed: bool = True) -> PageTable:
    """Return a table of four phones, where a round is open."""
    table = PageTable(4)
    for seat, page in enumerate(PHONES, 1):
        introduce(table, page, seat)
    table.wait(300, *PHONES)
    if armed:
        table.arm()
        assert "armed" == table.wait(300, *PHONES).phase
    return table


def each_touches(table: PageTable, seats: tuple[int, ...], pages: tuple[str, ...], level: int = 1) -> None:
    """Let those touch their own phones one after another, or let go, while *pages* promise."""
    for seat in seats:
        table.send(f"p{seat}", (seat, level, table.now_ns))
        table.wait(100, *pages)


def owners(table: PageTable) -> dict[str, str]:
    """Return which page is which nose."""
    return {phone.line: phone.page for phone in table.pages.phones if not phone.shared}


def test_a_phone_that_answers_keeps_its_nose_in_an_open_round() -> None:
    """Whoever wants it is told when to take it; between two rounds it is theirs."""
    table = four_phones()
    with pytest.raises(NotNow, match="take it when the round is over"):
        introduce(table, "thief", 4)
    assert "p4" == owners(table)["nose.4"]
    between = four_phones(armed=False)
    introduce(between, "thief", 4)
    assert "thief" == owners(between)["nose.4"]


@pytest.mark.parametrize("armed", [True, False])
def test_a_phone_that_wakes_does_not_take_back_what_somebody_has_taken_by_hand(armed: bool) -> None:
    """It slept; another phone is its nose. It is told, and asks again."""
    table = four_phones(armed=armed)
    table.send("p4", leaves=True)
    introduce(table, "other", 4)
    introduce(table, "p4", 4, takes=False)
    assert "other" == owners(table)["nose.4"]
    assert table.pages.drive(Taps("p4", MS, (), n=9)).replaced


def test_a_page_that_is_loaded_again_on_the_same_phone_has_its_nose_in_an_open_round() -> None:
    """By itself, also while the former page is still waited for."""
    table = four_phones()
    clock = PageClock("p4-again", owns="nose.4", phone="phone-p4")
    table.pages.introduce(clock)
    assert "p4-again" == owners(table)["nose.4"]
    assert ["awake"] * 4 == [one.state for one in table.pages.phones]


@pytest.mark.parametrize("instead", ["the host's page", "another phone"])
@pytest.mark.parametrize("next_armed", [False, True])
def test_a_touch_on_a_phone_that_woke_without_network_undoes_that_its_player_was_last(
    instead: str, next_armed: bool
) -> None:
    """Somebody else has its nose by the time the touch gets through; it was the first of all."""
    table = four_phones()
    table.send("p1", leaves=True)
    pages = PHONES[1:] if instead == "the host's page" else (*PHONES[1:], "other")
    table.wait(400, *pages)
    touched_ns = table.now_ns
    table.wait(200, *PHONES[1:])
    if instead == "the host's page":
        table.pages.forget("nose.1")
    else:
        introduce(table, "other", 1)
    each_touches(table, (2, 3, 4), pages)
    assert "verdict" == table.wait(600, *pages).phase
    assert (1,) == table.verdicts[-1].last
    each_touches(table, (2, 3, 4), pages, level=0)
    table.wait(600, *pages)
    if next_armed:
        table.arm()
        assert "armed" == table.wait(300, *pages).phase
    with pytest.raises(NotNow, match="Another page is this nose now"):
        table.send("p1", (1, 1, touched_ns))
    shown = table.wait(300, *pages)
    if next_armed:
        assert shown.contest is not None
    else:
        assert "void" == shown.phase
    assert not any(row.letters for row in shown.rows) or next_armed


def test_a_touch_that_such_a_phone_has_given_up_undoes_it_as_well() -> None:
    """The page promises beyond a number that it has not told of; its nose is somebody else's by then."""
    table = four_phones()
    table.send("p1", leaves=True)
    table.wait(400, *PHONES[1:])
    table.pages.forget("nose.1")
    each_touches(table, (2, 3, 4), PHONES[1:])
    assert "verdict" == table.wait(600, *PHONES[1:]).phase
    table.pages.drive(Taps("p1", MS, (), table.now_ns - 8 * MS, upto=1, n=5000))
    assert "void" == table.wait(300, "p1", "p2", "p3", "p4").phase


def test_a_touch_after_everybody_elses_changes_nothing() -> None:
    """West's phone woke, its player touched last of all: West was last as judged."""
    table = four_phones()
    table.send("p4", leaves=True)
    table.wait(400, *PHONES[:3])
    table.pages.forget("nose.4")
    each_touches(table, (1, 2, 3), PHONES[:3])
    table.wait(200, *PHONES[:3])
    touched_ns = table.now_ns
    assert "verdict" == table.wait(600, *PHONES[:3]).phase
    with pytest.raises(NotNow):
        table.send("p4", (4, 1, touched_ns))
    assert "verdict" == table.wait(300, *PHONES[:3]).phase


def test_a_touch_that_undoes_a_verdict_says_nothing_of_the_next_round() -> None:
    """It was armed after that touch: who is last in it is named."""
    table = four_phones()
    table.send("p1", leaves=True)
    table.wait(400, *PHONES[1:])
    touched_ns = table.now_ns
    table.pages.forget("nose.1")
    for level in (1, 0):
        each_touches(table, (2, 3, 4), PHONES[1:], level)
        table.wait(600, *PHONES[1:])
    table.armed(*PHONES[1:])
    with pytest.raises(NotNow):
        table.send("p1", (1, 1, touched_ns))
    each_touches(table, (2, 3, 4), PHONES)
    table.wait(600, *PHONES)
    assert (1,) == table.verdicts[-1].last
    assert table.verdicts[-1].void is None


@pytest.mark.parametrize("thief", ["thief", ""])
def test_nobody_speaks_for_a_page_of_another_device(thief: str) -> None:
    """Neither taps nor promises nor that it leaves; its id is no secret, and its own word still counts."""
    table = PageTable(3)
    table.pages.introduce(PageClock("p1", owns="nose.1"), "one")
    for word in (
        Taps("p1", MS, (Tap("nose.1", 1, table.now_ns),)),
        Taps("p1", MS, (), table.now_ns, n=2**62),
        Taps("p1", MS, (), leaves=True),
    ):
        with pytest.raises(NotNow, match="out of date"):
            table.pages.drive(word, thief)
    with pytest.raises(NotNow, match="out of date"):
        table.pages.introduce(PageClock("p1", leaves=True), thief)
    assert ("awake", "p1") == (table.pages.phones[0].state, owners(table)["nose.1"])
    table.pages.drive(Taps("p1", MS, (Tap("nose.1", 1, table.now_ns),), n=1), "one")
    table.wait(20)
    table.pages.drive(Taps("p1", MS, (), table.now_ns, n=2), "one")
    table.wait(20)
    assert {1} == table.held()


def test_a_device_that_was_put_out_is_waited_for_no_more_and_its_hand_is_no_absent_one() -> None:
    """Its page is forgotten at the next look; in an open round its nose is a gap: nobody is last so."""
    table, out = PageTable(3), set[str]()
    table.pages = Pages(table, lambda: table.now_ns, behind_ns=0, may=lambda device: device not in out)
    for seat, device in enumerate("abc", 1):
        table.pages.introduce(PageClock(device, owns=f"nose.{seat}"), device)

    def say(device: str, *taps: Tap) -> None:
        n = table.now_ns // MS
        table.pages.drive(Taps(device, MS, taps, table.now_ns - 8 * MS, n=n), device)

    def wait(ms: int) -> None:
        for _ in range(ms // 20):
            table.wait(20)
            for device in {"a", "b", "c"} - out:
                say(device)

    wait(300)
    table.arm()
    wait(200)
    assert "armed" == table.shown.phase
    out.add("c")
    for seat, device in ((1, "a"), (2, "b")):
        say(device, Tap(f"nose.{seat}", 1, table.now_ns))
        wait(100)
    assert {"nose.1", "nose.2"} == {phone.line for phone in table.pages.phones}
    wait(1000)
    assert [] == [verdict for verdict in table.verdicts if verdict.last]


def held_without_network() -> PageTable:
    """Return a table after a round; East's phone holds its nose, has lost its network, and is silent."""
    table = PageTable()
    table.pages.introduce(PageClock("phone", owns="nose.2", phone="east"))
    table.armed("phone", "shared")
    table.send("phone", (2, 1, table.now_ns))
    table.wait(100, "phone", "shared")
    table.touch("shared", 1, 3)
    table.touch("shared", 1, 3, level=0)
    table.wait(4000, "shared")
    assert (4,) == table.verdicts[-1].last
    assert {2} == table.held()
    return table


def test_a_phone_that_is_back_says_that_nothing_is_down() -> None:
    """Its release was waiting all the while: it is lost for the round, and the nose is free."""
    table = held_without_network()
    let_go = Tap("nose.2", 0, table.now_ns - 3000 * MS, no=7)
    table.pages.drive(Taps("phone", MS, (let_go,), table.now_ns - 8 * MS, upto=7, n=1000))
    table.wait(600, "phone", "shared")
    assert set() == table.held()
    assert "armed" == (table.arm() and table.wait(300, "phone", "shared")).phase


@pytest.mark.parametrize("how", ["given away", "loaded again", "another phone", "left"])
def test_a_nose_is_free_when_the_phone_that_held_it_is_that_no_more(how: str) -> None:
    """Nobody can ask a phone that is gone: what it held it does not hold."""
    table = held_without_network()
    if how == "given away":
        table.pages.forget("nose.2")
    elif how == "left":
        table.pages.introduce(PageClock("phone", leaves=True))
    else:
        phone = "east" if how == "loaded again" else "other"
        wish = PageClock("again", owns="nose.2", phone=phone, takes=phone == "other")
        table.pages.introduce(wish)
    table.wait(600, "shared", "again")
    assert set() == table.held()
    assert "armed" == (table.arm() and table.wait(300, "shared", "again")).phase


def test_a_phone_whose_seat_has_moved_lets_go_of_the_nose_that_it_held_and_touches_it_no_more() -> None:
    """Its words are answered all the same: it would repeat them for ever, and promise nothing meanwhile."""
    table = PageTable(3)
    table.pages.introduce(PageClock("p1", owns="nose.1"), "one")

    def says(n: int, only: str, *taps: Tap) -> list[str]:
        heard = table.pages.drive(Taps("p1", MS, taps, n=n), "one", only)
        table.wait(20)
        table.pages.drive(Taps("p1", MS, (), table.now_ns, upto=taps[-1].no, n=n), "one", only)
        table.wait(20)
        return [one.fate for one in heard.fates]

    assert ["driven"] == says(1, "nose.1", Tap("nose.1", 1, table.now_ns, no=1))
    assert {1} == table.held()
    let_go, again = (Tap("nose.1", level, table.now_ns, no=2 + level) for level in (0, 1))
    assert ["driven", "refused"] == says(2, "nose.2", let_go, again)
    assert set() == table.held()
    assert ["driven"] == says(3, "nose.2", Tap("nose.2", 1, table.now_ns, no=4))


@pytest.mark.parametrize(("only", "phase"), [("", "verdict"), (None, "void")])
def test_touches_that_a_guest_has_not_told_of_are_none_of_other_peoples_noses(
    only: str | None, phase: str
) -> None:
    """Who waits for the next deal has no nose, and undoes no verdict; a host's page may be any nose."""
    table = PageTable(3)
    table.armed("shared")
    table.touch("shared", 1, 2)
    table.wait(600, "shared")
    assert (3,) == table.verdicts[-1].last
    table.pages.drive(Taps("other", MS, (), table.now_ns, upto=1), "guest", only)
    assert phase == table.wait(300, "shared").phase
    table.pages.drive(Taps("other", MS, (Tap("nose.3", 1, table.now_ns - 900 * MS, no=2),)), "guest", only)
    assert phase == table.wait(300, "shared").phase
