"""Late taps from real browsers: the slow one is waited for."""

from __future__ import annotations

from typing import Any

from tests.web.browser.conftest import PHONE, Visits, expect, settle
from tests.web.browser.test_evening import again, headline, play, ready, sit

PLAYERS = ("North", "East", "South", "West")


def hold_back(page: Any) -> list[Any]:
    """Let no tap of *page* get through, though its promises do; return the requests held back."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.post_data_json["taps"]:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/taps", hold)
    return held


def test_whoever_touches_first_on_a_slow_phone_is_not_last(visit: Visits, evening: str) -> None:
    """Seat 1's request takes half a second, the other three are pressed on another page meanwhile."""
    shared, phone = visit(evening).page, visit(evening, **PHONE).page
    sit(shared, evening, *PLAYERS)
    ready(shared)
    phone.goto(evening)
    ready(phone)
    again(shared)
    phone.keyboard.down("1")
    shared.locator("#verdict[data-phase=judging]").wait_for()
    shared.wait_for_timeout(80)
    play(shared, "2", "3", "4")
    phone.keyboard.up("1")
    again(shared)
    settle(phone)
    held = hold_back(phone)
    phone.keyboard.down("1")
    for key in ("2", "3", "4"):
        shared.wait_for_timeout(80)
        shared.keyboard.down(key)
    shared.wait_for_timeout(300)
    assert shared.locator("#verdict").get_attribute("data-phase") in ("armed", "judging")
    for route in held:
        route.continue_()
    headline(shared, "West was last: I")
    expect(shared.get_by_text("North opened.")).to_be_visible()
    phone.unroute("**/api/v1/taps")
    for key in ("2", "3", "4"):
        shared.keyboard.up(key)
    phone.keyboard.up("1")
    shared.locator(".nose.held").first.wait_for(state="detached")
