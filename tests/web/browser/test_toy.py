"""A game that the product does not know, in one file, plays on the page as its own do."""

from __future__ import annotations

import pytest
from lastnose.companion.games import GAMES

from tests.support import toy
from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_evening import again, headline, play, view
from tests.web.browser.test_pages import serious
from tests.web.browser.test_prompts import begin


def test_a_toy_game_plays_on_the_page(
    visit: Visits, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """From set-up to the question at its end: pebbles, a thank you, and what is fetched."""
    monkeypatch.setitem(GAMES, toy.GAME.name, toy.GAME)
    evening = request.getfixturevalue("evening")
    page = visit(f"{evening}/setup", **PHONE).page
    page.get_by_text("Another game").click()
    page.get_by_text("Pebbles", exact=True).last.click()
    page.get_by_text("House rules").click()
    page.get_by_text("Polite", exact=True).click()
    begin(page, evening, "Pebbles", "North", "East")
    for number in range(3):
        play(page, "1", "2")
        if number == 0:
            headline(page, "East was last")
            expect(page.locator(".players .score").last).to_have_text("1", use_inner_text=True)
            view(page, "Host")
            page.get_by_role("button", name="Said thank you…").click()
            page.locator("dialog#seats").get_by_label("East").check()
            page.locator("dialog#seats .main").click()
            view(page, "Play")
            page.locator(".players .score", has_text="0").nth(1).wait_for(state="attached")
        again(page)
    play(page, "1", "2")
    headline(page, "East loses.")
    steps = page.locator("#steps")
    expect(steps.get_by_text("What shall it be?")).to_be_visible()
    assert [] == serious(page)
    steps.get_by_role("button", name="Tea").click()
    steps.wait_for(state="hidden")
    view(page, "Host")
    page.locator("[data-do=undo]:visible").click()
    view(page, "Play")
    steps.get_by_text("What shall it be?").wait_for()
    page.get_by_role("button", name="Again, same people").click()
    page.locator("#verdict[data-phase=ready]").wait_for()
