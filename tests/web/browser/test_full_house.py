"""A house that is full, and a phone that asks for the seat of one that died."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lastnose.companion.evening.lobby import Guest

from tests.support.tables import Served, served
from tests.web.browser.conftest import PHONE, WATCHER, Visits


@pytest.fixture
def evening(visit: Visits) -> Iterator[Served]:
    """Serve a table with three noses."""
    with served(("nose.1", "nose.2", "nose.3")) as made:
        yield made
        visit.close()


def test_the_host_sees_who_asks_for_a_dead_phones_seat_and_lets_it_in(evening: Served, visit: Visits) -> None:
    """On the narrowest phone nothing is cut off; one touch, and the other phone is that nose."""
    devices = evening.server._access.devices
    devices.change(lambda guests: (*guests, Guest("z", "Zoë", "dead", "nose.1")))
    page = visit(evening.address, **PHONE).page
    other = visit(f"{evening.address}/join", **PHONE, **WATCHER).page
    other.get_by_label("Name").fill("Zoë")
    other.get_by_role("button", name="Sit down").click()
    other.get_by_text("Another phone is Zoë’s. A host is asked to let this one in.").wait_for()
    note = page.locator(".asking")
    note.get_by_text("Another phone wants to be Zoë’s.").wait_for()
    for button in note.get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 44
    note.get_by_role("button", name="Let it in").click()
    other.get_by_role("heading", name="You’re in, Zoë.").wait_for()
    note.wait_for(state="detached")


def test_a_page_that_finds_no_room_says_so(
    evening: Served, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the table's words, while it tries again."""
    hub = evening.server._hub
    assert hub is not None
    monkeypatch.setattr(hub, "_has_room", lambda *_: False)
    page = visit(evening.address, may_complain=True, **PHONE).page
    page.get_by_text("Too many ask at once. Try again in a few seconds.").wait_for()
