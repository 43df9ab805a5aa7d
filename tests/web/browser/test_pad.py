"""A game of cards laid one by one, on two phones at once: big keys, choices, a pile won, undo."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.browser.conftest import PHONE, WATCHER, Visits, expect
from tests.web.browser.test_evening import headline
from tests.web.browser.test_pages import serious
from tests.web.browser.test_sheet import send, start


def begin(page: Any, evening: str, names: str) -> None:
    """Set the table for a game without noses."""
    page.goto(f"{evening}/setup")
    page.locator("details#game").evaluate("one => { one.open = true; }")
    page.get_by_role("radio", name=re.compile("^Pig 10")).check()
    expect(page.locator("#after")).to_be_hidden()
    page.get_by_label("A name, or a list").fill(names)
    page.get_by_role("button", name="Add").click()
    page.locator("#start").click()
    page.get_by_role("heading", name="Ready to deal").wait_for()


def key(page: Any, name: str) -> Any:
    """Return the key of the pad that says *name*."""
    return page.locator("#pad .pd-keys button").filter(
        has=page.locator("b", has_text=re.compile(f"^{name}$"))
    )


def test_a_pile_is_laid_won_and_taken_back_on_two_phones(visit: Visits, evening: str) -> None:
    """Either phone lays the next card; a five asks what it makes; nothing of noses is shown."""
    one = visit(evening, **PHONE).page
    begin(one, evening, "North, East, South")
    two = visit(evening, **PHONE).page
    one.locator("#prompts").get_by_role("button", name="East").click()
    headline(two, "East’s turn")
    expect(two.locator("#prompts")).to_be_hidden()
    key(two, "5").click()
    headline(one, "South’s turn")
    key(one, "5").click()
    which = one.locator("#pad .pd-which button")
    expect(which).to_have_count(3)
    expect(which).to_have_text(
        [re.compile(f"^{sign}") for sign in ("PIG 10!", "0", "5")], use_inner_text=True
    )
    assert [] == serious(one)
    which.first.click()
    for page in (one, two):
        headline(page, "North’s turn")
        page.locator("#pad .pd-sign", has_text="PIG 10!").wait_for()
        expect(page.locator(".players li", has_text="South").locator(".score")).to_have_text(
            "2", use_inner_text=True
        )
    expect(one.locator("photo-finish")).to_be_hidden()
    expect(
        one.locator("[data-do=arm]:visible, [data-do=void]:visible, [data-do=rearm]:visible")
    ).to_have_count(0)
    expect(one.locator("#pad button:visible").first).to_be_visible()
    heights = one.locator("#pad button:visible").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert 44 <= min(heights)
    two.locator("#pad [data-do=undo]").click()
    headline(one, "South’s turn")
    expect(one.locator("#pad .pd-sign")).to_have_text("5", use_inner_text=True)


def test_a_question_that_is_open_closes_when_somebody_else_lays(visit: Visits, evening: str) -> None:
    """What a key makes is asked of the pile as it is."""
    one = visit(evening, **PHONE).page
    begin(one, evening, "North, East")
    one.locator("#prompts").get_by_role("button", name="North").click()
    key(one, "5").click()
    headline(one, "East’s turn")
    key(one, "5").click()
    one.locator("#pad .pd-which button").first.wait_for()
    two = visit(evening, **PHONE).page
    key(two, "1").click()
    headline(one, "North’s turn")
    expect(one.locator("#pad .pd-which button")).to_have_count(0)


def test_who_only_watches_sees_the_pile_and_cannot_lay(visit: Visits, evening: str) -> None:
    """The keys are shown, and none can be pressed."""
    one = visit(evening, **PHONE).page
    begin(one, evening, "North, East")
    one.locator("#prompts").get_by_role("button", name="North").click()
    headline(one, "North’s turn")
    watcher = visit(evening, **WATCHER).page
    headline(watcher, "North’s turn")
    expect(watcher.locator("#pad .pd-keys button:disabled")).to_have_count(11)
    expect(watcher.locator("#pad button:enabled:visible")).to_have_count(0)


EIGHT = ["Mamie", "Dominique", "Björn", "Zoë", "Anne-Sophie", "Maximiliane-Theodora", "Čedomir", "Élodie"]


@pytest.mark.parametrize(("height", "players"), [(640, EIGHT[:4]), (740, EIGHT)], ids=["four", "eight"])
def test_every_key_and_undo_stand_above_the_tabs_of_a_phone(
    visit: Visits, evening: str, height: int, players: list[str]
) -> None:
    """× 640 with four players, × 740 with eight: nobody scrolls for an 8, a 9 or a 10; Undo covers none."""
    page = visit(f"{evening}/setup", size=(360, height)).page
    start(page, "pig-10", players)
    seat = 6 if len(players) > 4 else 1  # Maximiliane-Theodora
    send(page, "play", move={"type": "starts", "seat": seat})
    page.goto(evening)
    page.locator(".pd-keys button").last.wait_for()
    undo = page.locator("#pad [data-do=undo]")
    undo.wait_for()
    floor, ceiling = page.locator(".tabs").bounding_box()["y"], undo.bounding_box()
    assert ceiling["y"] + ceiling["height"] <= floor
    for key in page.locator(".pd-keys button").all():
        box = key.bounding_box()
        assert box["y"] + box["height"] <= ceiling["y"]
