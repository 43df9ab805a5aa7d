"""The zero test on its page: two noses are chosen, twenty plates fall, and what came of it stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Finish, Start
from lastnose.companion.system import host_clock

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import PHONE, Visits, expect

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
