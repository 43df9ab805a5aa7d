"""An evening has many games: again with the same people, others join and leave, rules kept under a name."""

from __future__ import annotations

from tests.browser.conftest import PHONE, Visits
from tests.browser.test_asks import begin
from tests.browser.test_evening import PLAYERS, headline, play, ready, sit
from tests.browser.test_pages import serious


def test_the_same_people_play_again_in_one_tap(visit: Visits, evening: str) -> None:
    """Same seats, same rules, and the history has both games."""
    page = visit(f"{evening}/setup", **PHONE).page
    page.get_by_text("House rules").click()
    page.get_by_text("Sudden death", exact=True).click()
    sit(page, evening, *PLAYERS)
    ready(page)
    play(page, "1", "2", "3")
    headline(page, "North and East win!")
    page.get_by_role("button", name="Again, same people").click()
    headline(page, "Play!")
    assert list(PLAYERS) == page.locator(".players .name > :first-child").all_inner_texts()
    assert 0 == page.locator(".players .word span").count()  # still sudden death
    assert "game 2" in page.locator(".where").inner_text()
    page.locator("#verdict[data-phase=armed]").wait_for()
    play(page, "3", "2", "1")
    headline(page, "East and Élodie win!")
    page.goto(f"{evening}/history")
    assert ["Game 2: Pig", "Game 1: Pig"] == page.locator(".rounds > h2").all_inner_texts()


def test_in_the_middle_of_a_game_it_is_asked_first(visit: Visits, evening: str) -> None:
    """The dialog says what becomes of the game; then it begins anew."""
    page = visit(evening).page
    sit(page, evening, *PLAYERS)
    ready(page)
    play(page, "1", "2", "3")
    headline(page, "Élodie was last: P")
    page.get_by_role("button", name="Start it again…").click()
    assert page.get_by_text("Its rounds stay in the history.").is_visible()
    page.locator("dialog#anew .main").click()
    page.locator("#verdict[data-phase=armed]").wait_for()
    assert 0 == page.locator(".players .has").count()


def test_people_join_and_leave_between_games(visit: Visits, evening: str) -> None:
    """Set-up knows who sits there and how they play."""
    page = visit(evening).page
    page.goto(f"{evening}/setup")
    page.get_by_role("textbox", name="Word").fill("SOW")
    sit(page, evening, *PLAYERS)
    page.get_by_role("link", name="Another game…").last.click()
    page.wait_for_url("**/setup")
    assert list(PLAYERS) == [one.input_value() for one in page.locator(".seatlist input").all()]
    assert "SOW" == page.get_by_role("textbox", name="Word").input_value()
    page.get_by_label("Remove East").click()
    sit_down = page.get_by_label("Name of a player to add")
    sit_down.fill("Zoë")
    sit_down.press("Enter")
    page.get_by_role("button", name="Start").click()
    headline(page, "Play!")
    assert ["North", "Élodie", "Zoë"] == page.locator(".players .name > :first-child").all_inner_texts()


def test_rules_are_kept_under_a_name_taken_in_one_tap_and_forgotten(visit: Visits, evening: str) -> None:
    """They outlive the page and stand among the games."""
    page = visit(f"{evening}/setup", may_complain=True).page
    page.get_by_text("With a stock").click()
    page.get_by_role("textbox", name="Word").fill("SOW")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_text("A variation needs a name").wait_for()
    page.get_by_label("Keep these rules under a name").fill("Sunday pig")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("button", name="Sunday pig", exact=True).wait_for()
    assert [] == serious(page)

    other = visit(f"{evening}/setup", **PHONE).page
    other.get_by_text("Donkey").first.click()
    other.get_by_role("button", name="Sunday pig", exact=True).click()
    assert "SOW · With a stock" == other.locator("#rules").inner_text()
    begin(other, evening, "Pig", *PLAYERS)
    assert 3 == other.locator(".players .word").first.locator("span").count()

    page.get_by_role("button", name="Forget Sunday pig").click()
    page.locator("dialog#forget .main").click()
    page.locator("#saved").wait_for(state="hidden")
