"""A house that is full, and phones at its door: what the host's page says, and how one is let in by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import PHONE, Visits, expect

PHONES = ("3f2a", "77c0")


@pytest.fixture
def evening(visit: Visits) -> Iterator[Served]:
    """Serve a table with three noses."""
    with served(("nose.1", "nose.2", "nose.3")) as made:
        yield made
        visit.close()


def hold(evening: Served, *phones: str) -> None:
    """Let too many wrong PINs come from *phones*, each at an address of its own."""
    access = evening.server._access
    for number, phone in enumerate(phones):
        access.hold(phone, f"192.168.100.{100 + number}")
    hub = evening.server._hub
    assert hub is not None
    hub.show_held(len(access.held()))


def test_the_host_sees_who_is_held_off_and_lets_one_in_by_name(evening: Served, visit: Visits) -> None:
    """On the narrowest phone nothing is cut off; who is let in is gone from the list, the others stay."""
    page: Any = visit(evening.address, **PHONE).page
    assert eventually(lambda: 1 == evening.server.viewers)
    hold(evening, *PHONES)
    note = page.locator(".held-off")
    note.get_by_text("Phone 3f2a (192.168.100.100)").wait_for()
    expect(note.locator("summary")).to_have_text(["Held off, wrong PINs: 2"], use_inner_text=True)
    for button in note.get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 44
    note.locator("li", has_text="3f2a").get_by_role("button").click()
    note.get_by_text("Phone 3f2a (192.168.100.100)").wait_for(state="detached")
    assert ["77c0"] == [one.phone for one in evening.server._access.held()]
    assert evening.server._access.may_come_in("3f2a")
    note.get_by_role("button").click()
    note.wait_for(state="detached")


def test_many_at_the_door_do_not_cover_the_table(evening: Served, visit: Visits) -> None:
    """Their number is told; the list opens with a touch, and stays open when it changes."""
    page: Any = visit(evening.address, **PHONE).page
    assert eventually(lambda: 1 == evening.server.viewers)
    hold(evening, *(f"{number:04x}" for number in range(30)))
    note = page.locator(".held-off")
    note.locator("summary").wait_for()
    assert note.bounding_box()["height"] < 100
    note.locator("summary").click()
    note.get_by_role("button").first.click()
    note.get_by_text("Held off, wrong PINs: 29").wait_for()
    expect(note.get_by_role("button").first).to_be_visible()
    assert note.bounding_box()["height"] < 0.7 * PHONE["viewport"]["height"]


def test_a_page_that_finds_no_room_says_so(
    evening: Served, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the table's words, while it tries again."""
    hub = evening.server._hub
    assert hub is not None
    monkeypatch.setattr(hub, "_has_room", lambda *_: False)
    page: Any = visit(evening.address, may_complain=True, **PHONE).page
    page.get_by_text("Too many are watching. This page tries again by itself.").wait_for()
