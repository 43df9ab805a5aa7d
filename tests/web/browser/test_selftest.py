"""The self-test on a page: fingers on simulated contacts, answers, what was found, and the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.app.selftest import SelfTestRun
from lastnose.companion.cli.selftest import make_plan
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.ports import StampWorth

from tests.support.profiles import read_profile
from tests.support.selftest_rig import MS
from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_pages import serious

PROFILE = """
name = "small"
board = "pi"
pins.noses = [5, 6]
pins.spoons = [23]
pins.lamps = [17, 27]
"""


@pytest.fixture
def run(tmp_path: Path, visit: Visits, monkeypatch: pytest.MonkeyPatch) -> Iterator[SelfTestRun]:
    """Run a self-test of a small simulated table, with its page on a free port."""
    monkeypatch.setattr("lastnose.companion.selftest.course.REST_NS", 50 * MS)
    settings = RunSettings("mock", read_profile(PROFILE, "small.toml"), tmp_path, port=0)
    made = SelfTestRun(settings, make_plan(settings, None, None))
    made.address = made.start()[0]
    yield made
    visit.close()
    made.stop()


def hold(page: Any, line: Any) -> None:
    """Hold a contact for a moment, as a finger does."""
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(120)
    page.mouse.up()


def asks(page: Any, prompt: str) -> None:
    """Wait until the page asks for this."""
    page.get_by_role("heading", name=prompt).wait_for()


def test_a_table_is_tested_with_fingers_and_keys(visit: Visits, run: SelfTestRun) -> None:
    """A wrong nose is asked for again; a spoon on a free pin is found; the page tells what and where."""
    page = visit(run.address, **PHONE).page
    assert page.url.endswith("/selftest")
    asks(page, "Touch nose 1, and let go.")
    assert [] == serious(page)
    heights = page.locator("button:visible, a.button:visible").evaluate_all(
        "all => all.map(one => one.offsetHeight)"
    )
    assert 44 <= min(heights)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    hold(page, page.locator('[data-line="nose.2"]'))
    page.get_by_text("That was nose 2, GPIO6 (pin 31). Once more: nose 1.").wait_for()
    page.keyboard.down("1")
    page.wait_for_timeout(120)
    page.keyboard.up("1")
    asks(page, "Touch nose 2, and let go.")
    hold(page, page.locator('[data-line="nose.2"]'))
    asks(page, "Take spoon 1 out, and lay it back.")
    page.locator("#noses summary").click()
    wrong = page.get_by_role("button", name="free pin GPIO26")
    hold(page, wrong)
    page.get_by_text("That was GPIO26 (pin 37). Once more: spoon 1.").wait_for()
    hold(page, wrong)
    asks(page, "Do the lamps light one after the other, from 1 to 2?")
    assert "✗" in page.locator("[data-came=bad] .came").evaluate(
        "one => getComputedStyle(one, '::before').content"
    )
    page.get_by_role("button", name="Yes").click()
    asks(page, "Not all is well yet.")
    found = page.locator("#found li")
    expect(found.locator("b")).to_have_text(["spoon 1: heard elsewhere."])
    expect(found).to_contain_text(
        "It is heard at GPIO26 (pin 37): move its brown/black wire to GPIO23 (pin 16).",
        use_inner_text=True,
    )
    assert [] == serious(page)
    assert {"nose.1": "ok", "nose.2": "ok", "spoon.1": "wrong"} == {
        line: reading.outcome for line, reading in run.course.readings.items()
    }
    page.get_by_role("button", name="Finish").click()
    assert run.wait(120)


@pytest.mark.journey
def test_who_only_watches_sees_it_move(visit: Visits, run: SelfTestRun) -> None:
    """Two pages; what one answers the other shows."""
    one, other = (visit(run.address).page for _ in range(2))
    asks(one, "Touch nose 1, and let go.")
    one.get_by_role("button", name="Leave it out").click()
    asks(other, "Touch nose 2, and let go.")
    expect(other.locator("#contacts [data-came=out] .came")).to_have_text("left out", use_inner_text=True)


def test_a_trace_is_drawn_as_it_was_seen(visit: Visits, run: SelfTestRun) -> None:
    """Two noses that move as one: a step for each, up and down again."""
    page = visit(run.address).page
    asks(page, "Touch nose 1, and let go.")
    for level in (1, 0):
        now_ns = time.monotonic_ns()
        for line in ("nose.1", "nose.2"):
            run.driver.drive(line, level, now_ns, StampWorth(1_000))
        page.wait_for_timeout(80)
    page.get_by_text("nose 1: takes others along.").wait_for()
    expect(page.locator("#found .trace path")).to_have_count(2)
    steps = page.locator("#found .trace path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert [2, 2] == [step.count("V") for step in steps]
    for n in (0, 1):
        expect(page.locator("#found .trace text").nth(n)).to_have_text(f"nose {n + 1}")
    assert [] == serious(page)
