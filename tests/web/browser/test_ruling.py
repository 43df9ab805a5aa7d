"""Who was first, and what that was worth: large keys, the keyboard, the board and a phone."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.evening.commands import Arm
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings

from tests.table.test_duel import duel
from tests.web.browser.conftest import PHONE, Stage, Visits, expect
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


def test_both_halves_of_a_double_click_rule_on_the_same_call(stage: Stage) -> None:
    """North and East answer both: the second click, too, says that it has seen North asked."""
    table = Scenario("quiz", ("North", "East", "South"), tie="both", wrong=3)
    table.arm()
    table.press("North", at_us=0)
    table.press("East", at_us=1)
    table.judge()
    stage.set(table.snapshot)
    page = stage.visit().page
    said: list[Any] = []
    page.on("request", lambda asked: said.append(asked.post_data_json) if asked.method == "POST" else None)
    key = page.locator("#view-play .ruling button", has_text="Wrong")
    key.wait_for()
    page.wait_for_timeout(SEEN_MS)
    key.dblclick()
    wrong = {"type": "play", "move": {"type": "ruled", "value": "wrong"}, "seq": table.snapshot.seq}
    page.wait_for_timeout(0)
    assert [wrong] * 2 == [one for one in said if one and one.get("type") == "play"]


def bottom(page: Any, within: str) -> float:
    """Return where the lowest of *within* ends."""
    lowest: float = page.locator(within).evaluate_all(
        "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    return lowest


@pytest.mark.parametrize(("count", "high"), [(4, 740), (6, 740), (8, 740), (4, 640), (6, 640)])
def test_all_noses_stay_above_the_keys_while_a_finger_is_down(stage: Stage, count: int, high: int) -> None:
    """On a phone of 360 px, with the clock beside the name: no row of noses lies under a key."""
    names = ("North", "Dominique", "South", "West", "Ana", "Björn", "Zoë", "Emma")[:count]
    table = Scenario("quiz", names, settings=Settings(rearm_ns=None))
    table.arm()
    table.press("Dominique", at_us=1_000_000)
    table._promise(table._start_ns + 1_001_000_001)
    assert "judging" == table.snapshot.phase
    stage.set(table.snapshot)
    page = stage.visit(**{**PHONE, "viewport": {"width": 360, "height": high}}).page
    headline(page, "Stop! Somebody has pressed")
    table.wait(0.5)
    assert table.snapshot.ruling is not None
    assert table.snapshot.rows[1].held
    stage.set(table.snapshot)
    keys = page.locator("#view-play .ruling")
    keys.wait_for()
    assert count == page.locator("#noses .nose:visible").count()
    assert bottom(page, "#noses .who") <= keys.evaluate(
        "one => one.closest('.go').getBoundingClientRect().top"
    )


def test_a_nose_that_was_too_early_does_not_look_as_if_it_counted(stage: Stage) -> None:
    """North touched before the signal of a duel: hollow on the page, said on the board. East is filled."""
    table = duel(ms=4_000)
    table.table.execute(Arm(), "host")
    table.press("North", at_us=500_000)
    table.release("North", at_us=600_000)
    table.wait(6)
    assert ("armed", "Now!") == (table.snapshot.phase, str(table.snapshot.headline))
    assert [True, False] == [row.locked for row in table.snapshot.rows]
    stage.set(table.snapshot)
    page, board = stage.visit().page, stage.visit("/board").page
    headline(page, "Now!")
    fills = page.locator("#noses .nose ellipse.body").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).fill)"
    )
    assert "none" == fills[0]
    assert "none" != fills[1]
    expect(board.locator(".counts")).to_have_count(1)
    expect(board.get_by_text("too early")).to_have_count(1)
