"""What a game asks beside the noses, through the page: who did not shout, and a punishment step by step."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.games.rules.prompts import ChooseSeat
from lastnose.companion.views.snapshot import Step

from tests.support.game_moments import moments
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_evening import PLAYERS, headline, play, ready, view
from tests.web.browser.test_pages import serious


def begin(page: Any, evening: str, game: str, *names: str) -> None:
    """Choose *game*, set the table for *names* (or who sits there already) and start."""
    page.goto(f"{evening}/setup")
    page.locator("details#game").evaluate("one => { one.open = true; }")
    page.get_by_role("radio", name=re.compile(rf"^{game}\b(?! \d)")).check()
    if names:
        page.get_by_label("A name, or a list").fill(", ".join(names))
        page.get_by_role("button", name="Add").click()
    page.locator("#start").click()
    page.locator("#verdict[data-phase=ready]").wait_for()
    ready(page)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a minute in place of ten seconds: a busy machine is slower than people."""

    def asked(*what: Any, within_s: int = 0, **more: Any) -> ChooseSeat:
        return ChooseSeat(*what, within_s=6 * within_s, **more)

    monkeypatch.setattr("lastnose.companion.games.magarac_family.game.ChooseSeat", asked)


@pytest.mark.usefixtures("unhurried")
def test_who_did_not_shout_is_flagged_in_one_tap_and_each_flag_can_be_taken_back(
    visit: Visits, evening: str
) -> None:
    """The round is judged again from the same presses; undo judges it back."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Magarac", *PLAYERS)
    expect(page.locator("#prompts")).to_be_hidden()
    play(page, "1", "3", "2")
    headline(page, "East was last: M")
    asked = page.locator("#prompts")
    expect(asked.get_by_text("Can be said until the next round is judged")).to_be_visible()
    expect(asked.locator(".left")).to_have_text(re.compile(r"^[1-6]?\d s$"))
    asked.get_by_role("button", name="North").click()
    page.locator(".players li", has_text="North").locator(".word .has").wait_for()
    expect(asked.get_by_role("button")).to_have_text(["2 East", "3 Élodie"], use_inner_text=True)
    view(page, "Host")
    page.locator("[data-do=undo]:visible", has_text="North did not shout").click()
    view(page, "Play")
    page.locator(".players li", has_text="East").locator(".word .has").wait_for()
    headline(page, "East was last: M")


@pytest.mark.usefixtures("unhurried")
def test_the_ten_seconds_are_counted_down_and_then_the_host_may_still_say_it(
    visit: Visits, evening: str
) -> None:
    """MAG-4: the question goes by itself; what the host may do has it from then on."""
    page = visit(evening, **PHONE).page
    page.clock.install()
    begin(page, evening, "Magarac", *PLAYERS)
    play(page, "1", "3", "2")
    headline(page, "East was last: M")
    expect(page.locator("#prompts")).to_be_visible()
    expect(page.locator("#host .moves button", has_text="Did not shout")).to_have_count(0)
    page.clock.fast_forward(30_000)
    expect(page.locator("#prompts .left")).to_have_text(re.compile(r"^[12]?\d s$"))
    page.clock.fast_forward(30_000)
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
    expect(said).to_have_text("Élodie was last", use_inner_text=True)
    steps = page.locator("#steps")
    expect(steps.locator(".st-card")).to_have_count(12)
    steps.get_by_role("button", name="Q spades").click()
    steps.get_by_role("button", name="From the top").click()
    steps.get_by_role("button", name="Hammer").click()
    steps.get_by_role("button", name="Pat").click()
    steps.get_by_text("♠ 1 ♥ 1 ♦ 0 ♣ 0").wait_for()
    expect(page.locator("[data-do=arm]:visible")).to_have_count(0)
    assert [] == serious(page)
    steps.get_by_role("button", name="The card!").click()
    page.locator("[data-do=arm]:visible").wait_for()
    row = page.locator(".players li", has_text="Élodie")
    expect(row.locator(".score")).to_have_text("1", use_inner_text=True)
    row.locator(".also").wait_for()  # once the fingers are off the noses
    expect(said).to_have_text("Élodie was last", use_inner_text=True)
    page.goto(f"{evening}/history")
    expect(page.locator(".rounds .step")).to_have_count(5)


def test_a_joker_and_suits_are_drawn(stage: Stage) -> None:
    """No sign that a phone may lack or show as a toy."""
    stage.set(SCENES["asked"])
    page = stage.drawn()
    expect(page.locator("#steps").get_by_role("button", name="joker").locator("path")).to_have_count(2)
    expect(page.locator("#steps .st-show .sign")).to_have_count(4)


def test_who_only_watches_is_asked_nothing(stage: Stage) -> None:
    """The question is shown, and no answer can be tapped."""
    stage.set(SCENES["asked"])
    page = stage.drawn(**WATCHER)
    expect(page.get_by_text("What was turned?")).to_be_visible()
    expect(page.locator("#steps button:enabled, #prompts button:enabled")).to_have_count(0)


def test_the_green_button_is_the_question_as_long_as_one_is_open(stage: Stage) -> None:
    """It leads to the first card; to play is possible, but no longer the green one."""
    stage.set(moments("vatra")["vatra 4: verdict Choose ChooseCard ChooseSeat Show"])
    page = stage.drawn(**PHONE)
    green = page.locator("#view-play .go .main:visible")
    expect(green).to_have_text(["Élodie, name a card"])
    expect(page.locator("#view-play [data-do=arm]")).to_be_visible()
    expect(green).not_to_have_attribute("aria-disabled", "true")
    green.click()
    expect(page.locator("#steps .st-card").first).to_be_focused()


def test_the_green_button_leads_to_the_question_from_the_host_s_view_too(stage: Stage) -> None:
    """On a phone the question stands in another view."""
    stage.set(moments("vatra")["vatra 4: verdict Choose ChooseCard ChooseSeat Show"])
    page = stage.drawn(**PHONE)
    view(page, "Host")
    green = page.locator("#view-host .go .main:visible")
    expect(green).to_have_text(["Élodie, name a card"])
    expect(green).not_to_have_attribute("aria-disabled", "true")
    green.click()
    expect(page.locator("#steps .st-card").first).to_be_focused()


def test_a_contested_round_is_decided_before_the_game_is_played_again(stage: Stage) -> None:
    """Only then it is known who has won; to play again is possible, but not the green one."""
    says = "Round 9 is contested: keep it, or void it."
    stage.set(msgspec.structs.replace(SCENES["won"], contest=Step(61, text(says))))
    page = stage.drawn(**PHONE)
    green = page.locator("#view-play .go .main:visible")
    expect(green).to_have_text([says])
    expect(green).to_have_attribute("href", "/history/61")
    expect(page.locator("#view-play [data-do=again]")).to_be_visible()
    stage.set(SCENES["won"])
    expect(green).to_have_text(["Again, same people"])
