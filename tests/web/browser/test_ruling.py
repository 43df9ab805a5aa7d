"""Who was first, and what that was worth: large keys, the keyboard, the board and a phone."""

from __future__ import annotations

from typing import Any

from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_evening import headline
from tests.web.browser.test_prompts import begin


def buzz(page: Any, *keys: str) -> None:
    """Arm, press the noses with these keys in this order, and let go."""
    page.locator("#view-play [data-do=arm]").click()
    headline(page, "Play!")
    for key in keys:
        page.keyboard.down(key)
    page.locator("#view-play .ruling:not([hidden])").wait_for()
    for key in keys:
        page.keyboard.up(key)


def test_the_host_rules_by_large_keys_and_by_the_keyboard(visit: Visits, evening: str) -> None:
    """Nothing is counted before; N says wrong; the board keeps the name until the table has ruled."""
    page = visit(f"{evening}/setup").page
    begin(page, evening, "Snap", "North", "East", "South")
    board = visit(f"{evening}/board").page
    phone = visit(evening, **PHONE).page
    buzz(page, "2")
    headline(page, "East was first")
    expect(board.locator("h1")).to_have_text("East was first")
    expect(phone.locator("#view-play .ruling .asks")).to_have_text("East was first. Was it right?")
    keys = page.locator("#view-play .ruling button")
    assert ["Right", "Wrong", "Too late"] == keys.locator("span").all_inner_texts()
    expect(page.locator(".players .score").nth(1)).to_have_text("0")
    page.wait_for_timeout(600)  # what has just come up under the fingers is not pressed yet
    phone.locator("#view-play .ruling button", has_text="Right").click()
    headline(page, "Right: East")
    expect(board.locator("h1")).to_have_text("Right: East")
    expect(page.locator(".players .score").nth(1)).to_have_text("1")
    buzz(page, "3")
    page.wait_for_timeout(600)
    page.keyboard.press("n")
    headline(page, "Wrong: South")
    expect(page.locator("#view-play .ruling")).to_be_hidden()
