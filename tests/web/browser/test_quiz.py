"""A question of a quiz through the page: opened, buzzed at, wrong, right, and closed by the host."""

from __future__ import annotations

from lastnose.companion.evening.commands import LeaveOut

from tests.support.page_table import waiting_for_south
from tests.support.streams import eventually
from tests.web.browser.conftest import PHONE, Stage, Visits, expect
from tests.web.browser.test_evening import decided, headline
from tests.web.browser.test_prompts import begin
from tests.web.browser.test_ruling import SEEN_MS


def test_a_question_is_opened_answered_wrongly_by_one_and_rightly_by_another(
    visit: Visits, evening: str
) -> None:
    """East is wrong, and it is open for North and South at once; X closes the second question."""
    page = visit(evening).page
    begin(page, evening, "Quiz", "North", "East", "South")
    board = visit(f"{evening}/board").page
    expect(board.locator("h1")).to_have_text("Question 1")
    close = page.locator("#view-play [data-do=close]")
    expect(close).to_be_hidden()
    page.get_by_role("button", name="Open the noses").click()
    expect(board.locator("h1")).to_have_text("Buzz!")
    expect(close).to_have_text("Nobody")
    page.keyboard.down("2")
    decided(page)
    page.keyboard.up("2")
    headline(page, "East was first")
    expect(close).to_be_hidden()
    keys = page.locator("#view-play .ruling button")
    expect(keys.locator("span")).to_have_text(["Right", "Wrong", "Nobody"])
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    headline(page, "Wrong. Who else?")
    page.keyboard.down("3")
    headline(page, "South was first")
    page.keyboard.up("3")
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("y")
    headline(page, "Right: South, + 10 points")
    expect(page.locator(".players .score")).to_have_text(["0", "0", "10"])
    page.get_by_role("button", name="Open the noses").click()
    headline(page, "Buzz!")
    page.keyboard.press("x")
    headline(page, "Nobody")


def test_the_figures_beside_a_quiz_are_of_who_was_first(visit: Visits, evening: str) -> None:
    """East is first of one question, and wrong; South of two; North, asked twice, of none."""
    page = visit(evening, size=(1920, 1080)).page
    begin(page, evening, "Quiz", "North", "East", "South")
    page.get_by_role("button", name="Open the noses").click()
    headline(page, "Buzz!")
    for key, name, ruled, says in (
        ("2", "East", "n", "Wrong. Who else?"),
        ("3", "South", "y", "Right: South, + 10 points"),
    ):
        page.keyboard.down(key)
        headline(page, f"{name} was first")
        page.keyboard.up(key)
        page.wait_for_timeout(SEEN_MS)
        page.keyboard.press(ruled)
        headline(page, says)
    expect(page.locator("#lasts h3")).to_have_text("Was first of the rounds each played", use_inner_text=True)
    expect(page.locator("#lasts li")).to_have_text(["East1 of 1", "South1 of 2", "North0 of 2"])


def test_the_host_sees_whose_phone_is_waited_for_and_goes_on_without_it(stage: Stage) -> None:
    """A large button, and W on a keyboard; everybody reads "Stop!", and whose phone it is only the host."""
    stage.set(waiting_for_south().shown)
    page, board = stage.visit(**PHONE).page, stage.visit("/board").page
    headline(page, "Stop! Somebody has pressed")
    expect(page.locator("#view-play .duty")).to_have_text("Waiting for South’s phone.")
    expect(board.locator("h1")).to_have_text("Stop! Somebody has pressed")
    expect(board.get_by_text("South’s phone")).to_have_count(0)
    without = page.locator("#view-play [data-do=without]")
    expect(without).to_have_text("Play this round without South")
    expect(without).to_be_in_viewport()
    expect(page.locator("#view-play [data-do=arm]")).to_be_hidden()
    page.wait_for_timeout(SEEN_MS)
    without.click()
    assert eventually(lambda: 1 == len(stage.commands))
    page.keyboard.press("w")
    assert eventually(lambda: 2 == len(stage.commands))
    assert [LeaveOut((3,))] * 2 == [command for command, _ in stage.commands]
