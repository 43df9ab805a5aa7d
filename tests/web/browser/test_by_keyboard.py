"""An evening by keys alone, read in the tree that a screen reader reads: no pointer, no picture."""

from __future__ import annotations

import re
from typing import Any

from tests.web.browser.conftest import Visits, expect

MANY = 60  # more stops than any page has


def tab_to(page: Any, name: str) -> None:
    """Go on with Tab until *name* (a pattern) has the focus, as its reader hears it."""
    heard = []
    for _ in range(MANY):
        page.keyboard.press("Tab")
        heard.append(str(page.locator(":focus").aria_snapshot()) if page.locator(":focus").count() else "")
        if re.search(name, heard[-1]):
            return
    raise AssertionError(f"{name} is not reached: {heard}")


def says(page: Any, words: str) -> None:
    """Wait until the headline, which is read aloud by itself, says *words*."""
    expect(page.get_by_role("heading", level=1, name=words)).to_be_visible()
    live = page.get_by_role("heading", level=1, name=words).locator("xpath=ancestor::*[@aria-live]")
    expect(live.first).to_have_attribute("aria-live", re.compile("polite|assertive"))


def deal(page: Any) -> None:
    """Say that everybody has cards, once that button may be pressed."""
    expect(page.get_by_role("button", name="Everybody has 4: play")).to_be_enabled()
    tab_to(page, 'button "Everybody has 4: play"')
    page.keyboard.press("Enter")
    says(page, "Pass to the left.")


def touch(page: Any, headline: str) -> None:
    """Touch the three noses by their keys, one after the other, and let go once it says *headline*."""
    for key in "123":
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    says(page, headline)
    for key in "123":
        page.keyboard.up(key)


def test_an_evening_is_played_by_keys_and_what_a_screen_reader_reads(visit: Visits, evening: str) -> None:
    """From names to the winner, with a verdict taken back on the way, the figures, and a new evening."""
    page = visit(evening).page
    tab_to(page, 'textbox "A name, or a list"')
    page.keyboard.type("North, East, South")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play Pig with 3")).to_be_enabled()
    tab_to(page, "Play Pig with 3")
    page.keyboard.press("Enter")
    deal(page)
    touch(page, "South was last: P")
    expect(page.get_by_role("listitem").filter(has_text="South").first).to_be_visible()
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="South was last: P")).to_have_count(0)
    for headline in ("South was last: P", "South was last: I", "North and East win!"):
        deal(page)
        touch(page, headline)
    tab_to(page, "Figures")
    tab_to(page, 'link "History"')
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="This evening").wait_for()
    page.get_by_role("link", name="South was last: P").first.wait_for()
    tab_to(page, "New evening…")
    page.keyboard.press("Enter")
    tab_to(page, 'button "New evening"$')
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Who plays?").wait_for()
