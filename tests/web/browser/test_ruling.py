"""Who was first, and what that was worth: large keys, the keyboard, the board and a phone."""

from __future__ import annotations

from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_evening import headline, play
from tests.web.browser.test_prompts import begin

SEEN_MS = 600  # what has just come up under the fingers is not pressed yet


def test_the_host_rules_by_large_keys_and_by_the_keyboard(visit: Visits, evening: str) -> None:
    """Nothing is counted before; N says wrong; the board keeps the name until the table has ruled."""
    page = visit(evening).page
    begin(page, evening, "Snap", "North", "East", "South")
    board = visit(f"{evening}/board").page
    play(page, "2")
    headline(page, "East was first")
    expect(board.locator("h1")).to_have_text("East was first")
    keys = page.locator("#view-play .ruling button")
    expect(keys.locator("span")).to_have_text(["Right", "Wrong", "Too late"])
    expect(page.locator(".players .score").nth(1)).to_have_text("0")
    phone = visit(evening, **PHONE).page
    key = phone.locator("#view-play .ruling button", has_text="Right")
    key.wait_for()
    phone.wait_for_timeout(SEEN_MS)
    key.click()
    headline(page, "Right: East")
    expect(board.locator("h1")).to_have_text("Right: East")
    expect(page.locator(".players .score").nth(1)).to_have_text("1")
    play(page, "3")
    keys.first.wait_for()
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    headline(page, "Wrong: South")
    expect(page.locator("#view-play .ruling")).to_be_hidden()
