"""Letters of a word on the page, in scripts that run from the right, join, or need room."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.words import letters_of
from tests.browser.conftest import PHONE, Stage, Visits
from tests.browser.scenes import SCENES
from tests.browser.test_pages import settle
from tests.script_scenes import WORDS, standings

SLOTS = "word => [...word.children].map(one => [one.textContent, one.getBoundingClientRect().left])"


def words(visit: Visits, address: str, stage: Stage, script: str) -> Any:
    """Show four players with letters of a word in *script* on a phone; return their words."""
    stage.set(SCENES["setup"])
    page = visit(address, **PHONE).page
    stage.set(standings(*WORDS[script]))
    page.locator(".players li").nth(3).wait_for()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return page.locator(".players .word")


def test_arabic_letters_stand_from_the_right_and_the_whole_word_is_joined(
    visit: Visits, address: str, stage: Stage
) -> None:
    """ح م ا one by one, the first at the right; with the last letter it is written as one: حمار."""
    shown = words(visit, address, stage, "arabic")
    slots = shown.nth(2).evaluate(SLOTS)
    assert ["ح", "م", "ا", ""] == [letter for letter, _ in slots]
    assert sorted((left for _, left in slots), reverse=True) == [left for _, left in slots]
    assert ["حمار"] == [letter for letter, _ in shown.nth(3).evaluate(SLOTS)]


@pytest.mark.parametrize("script", ["latin", "chinese", "korean", "devanagari"])
def test_other_letters_stand_from_the_left(visit: Visits, address: str, stage: Stage, script: str) -> None:
    """One slot a letter, as the rules count letters."""
    shown = words(visit, address, stage, script)
    slots = shown.nth(0).evaluate(SLOTS)
    assert len(letters_of(WORDS[script][0])) == len(slots)
    assert sorted(left for _, left in slots) == [left for _, left in slots]


def test_the_dashes_of_twelve_letters_stand_in_two_lines_of_full_height(
    visit: Visits, address: str, stage: Stage
) -> None:
    """Who has no letter yet takes as much room as who has eleven."""
    shown = words(visit, address, stage, "twelve-wide")
    heights = [box["height"] for box in (shown.nth(n).bounding_box() for n in (0, 2))]
    assert abs(heights[0] - heights[1]) <= 4
