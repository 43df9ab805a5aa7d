"""A table that is measured on a page: the zero test and the self-test."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.app.selftest import SelfTestRun
from lastnose.companion.cli.selftest import make_plan
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Finish, Start
from lastnose.companion.system import host_clock

from tests.support.profiles import read_profile
from tests.support.selftest_rig import MS
from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_pages import serious

INSIDE = re.compile(
    r"Zero test: 20 of 20 inside ± [\d.]+ ms"
)  # two keys of ± 4 ms, and the grain of its clock
PLATE = """(level) => {
  const made = ["Digit1", "Digit2"].map((code) => new KeyboardEvent(level ? "keydown" : "keyup", { code }));
  for (const event of made) dispatchEvent(event);
}"""


def press(page: Any, n: int) -> None:
    """Press both keys in one instant, and let go once that has been heard."""
    page.evaluate(PLATE, 1)
    page.locator("#says", has_text=f"{n} of 20: " if n < 20 else "20 of 20 inside").wait_for()
    page.evaluate(PLATE, 0)
    page.wait_for_function(f"() => document.querySelectorAll('.zero .d').length === {n}")


def test_twenty_plates_are_counted_drawn_and_kept(visit: Visits, evening: str) -> None:
    """Two keys of one browser in one instant lie within their claim; a table page tells of it afterwards."""
    page = visit(f"{evening}/zero", **PHONE).page
    page.get_by_role("checkbox", name="Nose 2", exact=True).uncheck()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#pick .wrong")).to_have_text("Which two noses?")
    page.get_by_role("checkbox", name="Nose 2", exact=True).check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("Close both noses at once with one plate, 20 times: Nose 1 and Nose 2.").wait_for()
    press(page, 1)
    page.get_by_role("button", name="Stop, keep nothing").click()
    page.get_by_role("button", name="Stop, keep nothing").wait_for(state="hidden")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("Close both noses at once with one plate, 20 times: Nose 1 and Nose 2.").wait_for()
    for n in range(1, 21):
        press(page, n)
    page.get_by_text(INSIDE).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    page.get_by_text(INSIDE).wait_for()
    page.get_by_role("button", name="Start", exact=True).wait_for()


LINES = ("nose.1", "nose.2", "nose.3")
TOUCHES_NS = 2_000_000_000


@pytest.fixture
def phones(visit: Visits, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Served, list[Any]]]:
    """Serve a table of three whose game is over; return it with the phones of the first two.

    A phone that is silent for long ends the test of its nose, and is told so: other tests share the machine.
    """
    monkeypatch.setattr("lastnose.web.page_sources.PATIENCE_NS", 100_000_000_000)
    with served(LINES, tokens=False, late_ns=3 * TOUCHES_NS) as table:
        table.table.submit(Start("pig", ("Ana", "Björn", "Zoë"), {}, LINES), "host").result(120)
        pages = []
        for name in ("Ana", "Björn"):
            pages.append(visit(f"{table.address}/nose", **PHONE).page)
            pages[-1].get_by_role("button", name=name).click()
            pages[-1].locator("#seat").wait_for()
        assert eventually(lambda: 2 == len(table.table.snapshot.phones))
        table.table.submit(Finish(), "host").result(120)
        yield table, pages
        visit.close()


def touch_both(table: Served) -> None:
    """Touch both phones twenty times, 5 ms apart: all in the last two seconds."""
    first_ns = host_clock.now_ns() - TOUCHES_NS
    for n in range(20):
        for level in (1, 0):
            for apart_ns, line in enumerate(LINES[:2]):
                at_ns = first_ns + (2 * n + 1 - level) * 50_000_000 + apart_ns * 5_000_000
                table.source.drive(line, level, at_ns, StampWorth(1000))


@pytest.mark.heavy
def test_two_phones_are_offered_by_name_and_told_on_every_page_what_became_of_their_claim(
    visit: Visits, phones: tuple[Served, list[Any]]
) -> None:
    """No plate is spoken of; the two that are phones are chosen already; nobody has to guess the new ±."""
    table, pages = phones
    ana = pages[0]
    host = visit(f"{table.address}/zero", **PHONE).page
    expect(host.locator("#pick label")).to_have_text(
        ["Ana A phone", "Björn A phone", "3 Zoë"], use_inner_text=True
    )
    host.get_by_text("Two phones lie side by side").wait_for()
    assert ["1", "2"] == host.eval_on_selector_all(
        "#pick :checked", "all => all.map((one) => one.value.split('.')[1])"
    )
    expect(host.get_by_text("A metal plate")).to_be_hidden()
    host.get_by_role("button", name="Start", exact=True).click()
    host.get_by_text("0 of 20: touch both at once, with two fingers of one hand: Ana and Björn").wait_for()
    for page in pages:  # a phone tells what came of a test that it has seen begin
        page.get_by_text("Zero test: 0 of 20").wait_for()
    touch_both(table)
    # The phones' clocks go on being compared: which of the two holds may change while pages are read.
    claim = re.compile("Between these two ± |Ana and Björn were at most 5 ms apart")
    for page in (host, ana):
        page.get_by_text(claim).wait_for()
    host.get_by_text("Ana and Björn, both at once.").wait_for()
    table.table.submit(Start("pig", ("Ana", "Björn", "Zoë"), {}, LINES), "host").result(120)
    expect(ana.get_by_text(claim)).to_be_hidden()


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
    expect(page.locator(".phase")).to_have_text(re.compile(r"^\d of \d+ \S"), use_inner_text=True)
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
    expect(page.locator(".pill.simulated", has_text="On a page")).to_be_visible()
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
