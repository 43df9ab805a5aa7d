"""What a game asks beside the noses, through the page: who did not shout, and a punishment step by step."""

from __future__ import annotations

import re
from typing import Any

from tests.web.browser.conftest import PHONE, Stage, Visits
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_evening import PLAYERS, headline, play, ready, view
from tests.web.browser.test_pages import WATCHER, serious, settle


def begin(page: Any, evening: str, game: str, *names: str) -> None:
    """Choose *game*, set the table for *names* (or who sits there already) and start."""
    page.goto(f"{evening}/setup")
    page.locator("details#game").evaluate("one => { one.open = true; }")
    page.get_by_role("radio", name=re.compile(rf"^{game}\b(?! \d)")).check()
    if names:
        page.get_by_label("Somebody new, or paste a list").fill(", ".join(names))
        page.get_by_role("button", name="Add").click()
    page.locator("#start").click()
    page.locator("#verdict[data-phase=armed]").wait_for()
    ready(page)


def test_who_did_not_shout_is_flagged_in_one_tap_and_each_flag_can_be_taken_back(
    visit: Visits, evening: str
) -> None:
    """The round is judged again from the same presses; undo judges it back."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Magarac", *PLAYERS)
    assert page.locator("#prompts").is_hidden()
    play(page, "1", "3", "2")
    headline(page, "East was last: M")
    asked = page.locator("#prompts")
    assert asked.get_by_text("Asked for 10 s; the host can say it").is_visible()
    assert re.fullmatch(r"(10|[5-9]) s", asked.locator(".left").inner_text())
    asked.get_by_role("button", name="North").click()
    page.locator(".players li", has_text="North").locator(".word .has").wait_for()
    assert ["3 Élodie", "2 East"] == [
        " ".join(one.inner_text().split()) for one in asked.get_by_role("button").all()
    ][::-1]
    view(page, "Host")
    page.locator("[data-do=undo]:visible", has_text="North did not shout").click()
    view(page, "Play")
    page.locator(".players li", has_text="East").locator(".word .has").wait_for()
    headline(page, "East was last: M")


def test_the_ten_seconds_are_counted_down_and_then_the_host_may_still_say_it(
    visit: Visits, evening: str
) -> None:
    """MAG-4: the question goes by itself; what the host may do has it from then on."""
    page = visit(evening, **PHONE).page
    page.clock.install()
    begin(page, evening, "Magarac", *PLAYERS)
    play(page, "1", "3", "2")
    headline(page, "East was last: M")
    assert page.locator("#prompts").is_visible()
    assert 0 == page.locator("#host .moves button", has_text="Did not shout").count()
    page.clock.fast_forward(6_000)
    page.wait_for_function("/^[1-4] s$/.test(document.querySelector('#prompts .left').textContent)")
    page.clock.fast_forward(6_000)
    page.locator("#prompts").wait_for(state="hidden")
    view(page, "Host")
    page.locator("#host .moves button", has_text="Did not shout").click()
    page.locator("dialog#seats").get_by_text("North").click()
    page.locator("dialog#seats").get_by_role("button", name="Did not shout").click()
    page.locator(".players li", has_text="North").locator(".word .has").wait_for(state="attached")


def test_a_punishment_is_played_card_by_card(visit: Visits, evening: str) -> None:
    """A card is named, an end said, suits tapped; the table waits, and the sum stays with the player."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Vatra", *PLAYERS)
    play(page, "1", "2", "3")
    said = page.locator("#verdict h1")
    assert "Élodie was last" == said.inner_text()
    steps = page.locator("#steps")
    assert 12 == steps.locator(".st-card").count()
    steps.get_by_role("button", name="Q spades").click()
    steps.get_by_role("button", name="Top").click()
    steps.get_by_role("button", name="Hammer").click()
    steps.get_by_role("button", name="Pat").click()
    steps.get_by_text("♠ 1 ♥ 1 ♦ 0 ♣ 0").wait_for()
    assert 0 == page.locator("[data-do=arm]:visible").count()
    assert [] == serious(page)
    steps.get_by_role("button", name="The card!").click()
    page.locator("[data-do=arm]:visible").wait_for()
    row = page.locator(".players li", has_text="Élodie")
    assert "1" == row.locator(".score").inner_text()
    row.locator(".also").wait_for()  # once the fingers are off the noses
    assert "Élodie was last" == said.inner_text()
    page.goto(f"{evening}/history")
    assert 5 == page.locator(".rounds .step").count()


def test_a_joker_and_suits_are_drawn(visit: Visits, address: str, stage: Stage) -> None:
    """No sign that a phone may lack or show as a toy."""
    stage.set(SCENES["asked"])
    page = visit(address).page
    settle(page)
    assert 2 == page.locator("#steps").get_by_role("button", name="joker").locator("path").count()
    assert 4 == page.locator("#steps .st-show .sign").count()


def test_who_only_watches_is_asked_nothing(visit: Visits, address: str, stage: Stage) -> None:
    """The question is shown, and no answer can be tapped."""
    stage.set(SCENES["asked"])
    page = visit(address, **WATCHER).page
    settle(page)
    assert page.get_by_text("What was turned?").is_visible()
    assert 0 == page.locator("#steps button:enabled, #prompts button:enabled").count()
