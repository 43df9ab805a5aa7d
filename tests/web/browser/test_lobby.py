"""A lobby: a name on a phone is a seat on the board; the host orders the table; a house may be full."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Finish, Start
from lastnose.companion.evening.lobby import Guest
from lastnose.companion.views.snapshot import Duty

from tests.support.tables import Served, served
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_evening import view

NAMES = ("Ana", "Björn", "小雨", "Zoë", "Дима", "يوسف")


def sit(visit: Visits, evening: str, name: str, *, may_complain: bool = False) -> Any:
    """Let *name* sit down on a phone of their own; return its page."""
    page = visit(f"{evening}/join", may_complain=may_complain, **PHONE, **WATCHER).page
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("heading", name=f"You’re in, {name}.").wait_for()
    return page


def box_of(place: Any) -> Any:
    """Return where *place* is on its page."""
    return place.bounding_box()


def seats(page: Any) -> list[str]:
    """Return who is listed on the host's page, in order."""
    found: list[str] = page.locator(".seatlist input").evaluate_all("all => all.map(one => one.value)")
    return found


def test_a_party_of_six_is_seated_from_six_phones(visit: Visits, evening: str) -> None:
    """They appear on board and host page as they come; one touch starts; how long it took is printed."""
    host, board = visit(f"{evening}/setup").page, visit(f"{evening}/board").page
    began_s, shown_ms = time.monotonic(), []
    phones = {}
    for name in NAMES:
        page = visit(f"{evening}/join", **PHONE, **WATCHER).page
        page.get_by_label("Name").fill(name)
        typed_s = time.monotonic()
        page.get_by_role("button", name="Sit down").click()
        board.locator(".oval li bdi", has_text=name).wait_for()
        shown_ms.append(round(1000 * (time.monotonic() - typed_s)))
        phones[name] = page
    for name in NAMES:
        expect(host.locator(".seatlist input")).to_have_count(len(NAMES))
        phones[name].get_by_role("heading", name=f"You’re in, {name}.").wait_for()
    expect(board.locator(".bl-n b")).to_have_text("6")
    assert [*NAMES] == seats(host)
    host.get_by_role("button", name="Play Pig with 6").click()
    for number, name in enumerate(NAMES, 1):
        phones[name].get_by_label(f"Nose of {name}, seat {number}").wait_for()
    took_s = time.monotonic() - began_s
    print(
        f"\nsix phones seated and started in {took_s:.1f} s; name typed to seat on the board: {shown_ms} ms"
    )


def test_the_host_orders_the_table_by_keys_and_every_screen_follows(visit: Visits, evening: str) -> None:
    """Up and down on a grip; who has no phone is typed in; a phone that comes meanwhile is not lost."""
    host, board = visit(f"{evening}/setup").page, visit(f"{evening}/board").page
    sit(visit, evening, "Ana")
    sit(visit, evening, "Zoë")
    host.get_by_label("Seat 2: drag to move Zoë").press("ArrowUp")
    expect(board.locator(".oval li bdi")).to_have_text(["Zoë", "Ana", "free"])
    host.locator("#newcomer").fill("Tom")
    host.locator("#newcomer").press("Enter")
    expect(board.locator(".oval li bdi")).to_have_text(["Zoë", "Ana", "Tom", "free"])
    sit(visit, evening, "Bo")
    expect(host.locator(".seatlist input")).to_have_count(4)
    assert ["Zoë", "Ana", "Tom", "Bo"] == seats(host)
    host.get_by_role("button", name="Remove Ana").click()
    expect(board.locator(".oval li bdi")).to_have_text(["Zoë", "Tom", "Bo", "free"])


def test_a_nose_is_tried_and_a_place_is_changed_in_the_lobby(visit: Visits, evening: str) -> None:
    """The board shows whose it is while it is touched; a touch on a place sits there."""
    board = visit(f"{evening}/board").page
    sit(visit, evening, "Ana")
    phone = sit(visit, evening, "Zoë")
    phone.locator("#nose text", has_text="try it").wait_for()
    phone.locator("#nose").dispatch_event("pointerdown", {"pointerId": 1, "isPrimary": True})
    board.locator(".oval .held bdi", has_text="Zoë").wait_for()
    phone.evaluate("dispatchEvent(new PointerEvent('pointerup', {pointerId: 1}))")
    expect(board.locator(".oval .held")).to_have_count(0)
    phone.get_by_role("button", name="seat 1: Ana").click()
    expect(board.locator(".oval li bdi")).to_have_text(["Zoë", "Ana", "free"])


def test_who_comes_late_is_told_so_and_who_leaves_is_a_watcher(visit: Visits, evening: str) -> None:
    """While noses are on the seat is kept until the next deal; Leave asks once more."""
    host = visit(f"{evening}/setup").page
    for name in ("Ana", "Bo", "Cleo"):
        sit(visit, evening, name)
    expect(host.locator(".seatlist input")).to_have_count(3)
    host.get_by_role("button", name="Play Pig with 3").click()
    host.wait_for_url(f"{evening}/")
    host.locator("[data-do=arm]:visible").first.click()
    host.locator("#verdict[data-phase=armed]").wait_for()  # before that who comes late just comes in
    late = visit(f"{evening}/join", **PHONE, **WATCHER).page
    late.get_by_label("Name").fill("Zoë")
    late.get_by_role("button", name="Sit down").click()
    late.get_by_role("heading", name="You’re in, Zoë.").wait_for()
    late.get_by_text("You play from the next deal.").wait_for()
    late.get_by_role("button", name="Leave").click()
    late.get_by_role("button", name="Sure? Tap again").click()
    late.wait_for_url(f"{evening}/")
    expect(late.get_by_role("link", name="Take a seat").first).to_be_visible()


def test_who_comes_after_a_game_is_in_and_tries_the_nose_before_the_next(visit: Visits) -> None:
    """What was played without them offers no seat to them."""
    lines = ("nose.1", "nose.2", "nose.3", "nose.4")
    with served(lines) as made:
        made.table.submit(Start("pig", NAMES[:3], {}, lines[:3]), "host").result(120)
        made.table.submit(Finish(), "host").result(120)
        phone = sit(visit, made.address, "Zoë")
        phone.locator("#nose text", has_text="try it").wait_for()
        expect(phone.locator("#choose")).to_be_hidden()
        visit.close()


def test_a_phone_that_is_put_out_is_off_at_once(visit: Visits, evening: str) -> None:
    """The host's list says how each is; the phone says who has done it, and how to come again."""
    phone = sit(visit, evening, "Zoë", may_complain=True)
    said: list[str] = []

    def heard(message: Any) -> None:
        if message.location["url"]:  # a service worker that is blocked has none
            said.append(f"{message.text} {message.location['url']}")

    phone.on("console", heard)
    phone.on("pageerror", lambda error: said.append(str(error)))
    host = visit(f"{evening}/devices").page
    host.locator(".d-one", has_text="Zoë").click()
    expect(host.get_by_role("radio", name="Plays")).to_be_checked()
    host.get_by_role("button", name="Rename…").click()
    host.get_by_role("textbox", name="Name").fill("Zora")
    host.get_by_role("textbox", name="Name").press("Enter")
    host.locator(".d-one", has_text="Zora").wait_for()
    host.get_by_role("button", name="Remove").click()
    phone.get_by_text("The host has taken you off the table.").wait_for()
    expect(host.locator(".d-one", has_text="Zora")).to_have_count(0)
    phone.get_by_role("link", name="Take a seat").click()
    phone.get_by_label("Name").wait_for()
    said = [one for one in said if not one.endswith("/api/v1/taps")]  # a word that was on its way
    assert 1 == len(said), "the page that says so is itself a refusal; nothing else is wrong"
    assert "403 (Forbidden)" in said[0]
    assert said[0].endswith("/nose")


def test_a_guest_before_the_first_game_sees_who_is_there_and_the_way_in(visit: Visits, evening: str) -> None:
    """Names appear as people sit down; the green button leads to a name of one's own."""
    guest = visit(evening, **PHONE, **WATCHER).page
    guest.get_by_text("At the table: 0").wait_for()
    sit(visit, evening, "Ana")
    guest.get_by_text("At the table: 1").wait_for()
    expect(guest.locator("#waiting li")).to_have_text(["Ana"])
    expect(guest.locator(".main:visible")).to_have_text(["Take a seat"])
    guest.locator("#way-in").click()
    guest.get_by_role("heading", name="What’s your name?").wait_for()


def test_the_host_is_told_first_of_a_silent_phone_and_acts_are_one_line_each(stage: Stage) -> None:
    """The sentence in gold is the headline, its remedy the only green; the phones stand above the acts."""
    silent = Duty(4, "West", "nose.4", text("West is silent."), text("Play West here"), text("Without West"))
    stage.set(msgspec.structs.replace(SCENES["close"], duty=silent))
    page = stage.visit(**PHONE).page
    view(page, "Host")
    host = page.locator("#view-host")
    host.get_by_role("heading", name="West is silent.").wait_for()
    expect(page.locator(".main:visible")).to_have_text(["Play West here"])
    phones, acts = (
        host.get_by_role("link", name="Phones…"),
        page.locator("#host button:not(.two):visible"),
    )
    tops, heights = zip(*((box["y"], box["height"]) for box in map(box_of, acts.all())), strict=True)
    assert box_of(phones)["y"] < min(tops)
    assert {44} == {round(height) for height in heights}
    stage.set(SCENES["close"])
    host.get_by_role("heading", name="Round 10").wait_for()


@pytest.fixture
def house(visit: Visits) -> Iterator[Served]:
    """Serve a table with three noses."""
    with served(("nose.1", "nose.2", "nose.3")) as made:
        yield made
        visit.close()


def test_the_host_sees_who_asks_for_a_dead_phones_seat_and_lets_it_in(house: Served, visit: Visits) -> None:
    """On the narrowest phone nothing is cut off; one touch, and the other phone is that nose."""
    devices = house.server._access.devices
    devices.change(lambda guests: (*guests, Guest("z", "Zoë", "dead", "nose.1")))
    page = visit(house.address, **PHONE).page
    other = visit(f"{house.address}/join", **PHONE, **WATCHER).page
    other.get_by_label("Name").fill("Zoë")
    other.get_by_role("button", name="Sit down").click()
    other.get_by_text("Zoë has a seat already. A host is asked to let this phone in.").wait_for()
    note = page.locator(".asking")
    note.get_by_text("A phone wants to be Zoë’s.").wait_for()
    for button in note.get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 44
    note.get_by_role("button", name="Let it in").click()
    other.get_by_role("heading", name="You’re in, Zoë.").wait_for()
    note.wait_for(state="detached")


def test_a_page_that_finds_no_room_says_so(
    house: Served, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the table's words, while it tries again."""
    hub = house.server._hub
    assert hub is not None
    monkeypatch.setattr(hub, "_has_room", lambda *_: False)
    page = visit(house.address, may_complain=True, **PHONE).page
    page.get_by_text("Too many ask at once. Try again in a few seconds.").wait_for()
