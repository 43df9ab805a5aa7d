"""A score sheet that the product does not know, in one file, is filled in on the page as its own are."""

from __future__ import annotations

import json

import pytest
from lastnose.companion.games import GAMES

from tests.support import toy_sheet
from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_evening import headline, view
from tests.web.browser.test_pages import serious
from tests.web.browser.test_sheet import says, whose


def test_a_toy_sheet_is_filled_in_on_the_page(
    visit: Visits, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """From set-up to the winner on two phones: cards, numbers, a sour basket, a correction, undo, a file."""
    monkeypatch.setitem(GAMES, toy_sheet.GAME.name, toy_sheet.GAME)
    evening = request.getfixturevalue("evening")
    one = visit(f"{evening}/setup", may_complain=True, **PHONE).page
    one.locator("details#game").evaluate("one => { one.open = true; }")
    one.get_by_role("radio", name="Berries").check()
    one.get_by_text("House rules").click()
    one.get_by_role("radio", name="11 points").check()
    one.get_by_label("A name, or a list").fill("North, East")
    one.get_by_role("button", name="Add").click()
    one.locator("#start").click()
    headline(one, "Hand 1: raspberries")
    two = visit(evening, **PHONE).page
    whose(one, "North")
    one.get_by_role("button", name="A hearts, 11 points").click()
    one.get_by_role("button", name="10 hearts, 10 points").click()
    expect(one.locator("#score-entry output")).to_have_text("21", use_inner_text=True)
    assert [] == serious(one)
    one.get_by_role("button", name="Done").click()
    two.get_by_role("button", name="Sour Everything counts twice.").click()
    two.get_by_text("sour", exact=True).first.wait_for()
    whose(two, "East")
    two.get_by_role("button", name="East went out").click()
    headline(one, "Hand 2: currants")
    whose(one, "North")
    one.locator("#score-entry").get_by_role("textbox", name="Points").fill("99")
    one.get_by_role("button", name="Done").click()
    one.get_by_text("There are not so many berries: 99.", exact=True).wait_for()
    one.get_by_role("button", name="Never mind").click()
    says(one, 1, "21", "0")
    expect(one.locator(".players .score").first).to_have_text("42", use_inner_text=True)
    one.locator("#score-entry [data-do=undo]").click()
    headline(two, "Hand 1: raspberries")
    view(one, "Host")
    one.locator("[data-do=redo]:visible").first.click()
    view(one, "Play")
    headline(two, "Hand 2: currants")
    two.get_by_role("button", name="North, hand 1: 21. Correct").click()
    two.get_by_role("textbox", name="North").fill("20")
    two.get_by_role("button", name="Correct it").click()
    one.get_by_role("button", name="North, hand 1: 20. Correct").wait_for()
    kept = one.request.get(f"{evening}/api/v1/sheet.json").body()
    assert "berries" == json.loads(kept)["game"]
    one.goto(f"{evening}/setup")
    file = {"name": "sheet.json", "mimeType": "application/json", "buffer": kept}
    one.locator("#take-up input").set_input_files(file)
    one.get_by_role("button", name="North, hand 1: 20. Correct").wait_for()
    assert 360 >= one.evaluate("document.documentElement.scrollWidth")
    assert [] == serious(one)
