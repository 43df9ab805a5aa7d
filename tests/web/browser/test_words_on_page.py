"""Letters of a word on the page, in scripts that run from the right, join, or need room."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.games.rules.checks import letters_of

from tests.support.script_scenes import WORDS, standings
from tests.web.browser.conftest import PHONE, Stage, expect, settle
from tests.web.browser.scenes import SCENES

SLOTS = "word => [...word.children].map(one => [one.textContent, one.getBoundingClientRect().left])"


def words(stage: Stage, script: str) -> Any:
    """Show four players with letters of a word in *script* on a phone; return their words."""
    stage.set(SCENES["setup"])
    page = stage.visit(**PHONE).page
    stage.set(standings(*WORDS[script]))
    page.locator(".players li").nth(3).wait_for()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return page.locator(".players .word")


def test_arabic_letters_stand_from_the_right_and_the_whole_word_is_joined(stage: Stage) -> None:
    """ح م ا one by one, the first at the right; with the last letter it is written as one: حمار."""
    shown = words(stage, "arabic")
    slots = shown.nth(2).evaluate(SLOTS)
    assert ["ح", "م", "ا", ""] == [letter for letter, _ in slots]
    assert sorted((left for _, left in slots), reverse=True) == [left for _, left in slots]
    assert ["حمار"] == [letter for letter, _ in shown.nth(3).evaluate(SLOTS)]


@pytest.mark.parametrize("script", ["latin", "chinese", "korean", "devanagari"])
def test_other_letters_stand_from_the_left(stage: Stage, script: str) -> None:
    """One slot a letter, as the rules count letters."""
    shown = words(stage, script)
    slots = shown.nth(0).evaluate(SLOTS)
    assert len(letters_of(WORDS[script][0])) == len(slots)
    assert sorted(left for _, left in slots) == [left for _, left in slots]


def test_the_dashes_of_twelve_letters_stand_in_two_lines_of_full_height(stage: Stage) -> None:
    """Who has no letter yet takes as much room as who has eleven."""
    shown = words(stage, "twelve-wide")
    heights = [box["height"] for box in (shown.nth(n).bounding_box() for n in (0, 2))]
    assert abs(heights[0] - heights[1]) <= 4


def test_set_up_says_at_once_what_is_no_word(stage: Stage) -> None:
    """Figures, emoji and a thirteenth letter are none; a word of any script is one, and the hint goes."""
    stage.set(SCENES["setup"])
    page = stage.visit("/setup", **PHONE).page
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    field = page.locator("[data-option=word] input")
    hint = page.locator("[data-option=word] .wrong")
    for word in ("A1", "🐴🐴", "ABCDEFGHIJKLM", ""):
        field.fill(word)
        expect(hint).to_have_text("1 to 12 letters, please.", use_inner_text=True)
    for word in ("हिंदुस्तानीभाषापरिवार", "نمستے", "我爱玩牌今天晚上一起来吧", "PIG"):
        field.fill(word)
        expect(hint).to_have_text("", use_inner_text=True)


def test_a_hint_beside_the_newcomer_goes_when_the_name_is_mended(stage: Stage) -> None:
    """Two of one name cannot be; typing on says no more of it."""
    stage.set(SCENES["setup"])
    page = stage.visit("/setup", **PHONE).page
    field = page.get_by_label("A name, or a list")
    for _ in range(2):
        field.fill("王小明")
        page.get_by_role("button", name="Add").click()
    hint = page.locator("#newcomer-wrong")
    expect(hint).to_contain_text("王小明", use_inner_text=True)
    field.press_sequentially("2")
    expect(hint).to_have_text("", use_inner_text=True)
