"""The zero test on its page: two noses are chosen, twenty plates fall, and what came of it stays."""

from __future__ import annotations

from typing import Any

from tests.web.browser.conftest import PHONE, Visits

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
    """Two keys of one browser in one instant lie within ± 8 ms; a table page tells of it afterwards."""
    page = visit(f"{evening}/zero", **PHONE).page
    page.get_by_role("checkbox", name="Nose 2", exact=True).uncheck()
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Choose two noses, no more and no fewer.").wait_for()
    page.get_by_role("checkbox", name="Nose 2", exact=True).check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Close noses 1 and 2 at once with one plate, 20 times.").wait_for()
    press(page, 1)
    page.get_by_role("button", name="Stop, keep nothing").click()
    page.get_by_text("Choose two noses, and lay a plate on both.").wait_for()
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Close noses 1 and 2 at once with one plate, 20 times.").wait_for()
    for n in range(1, 21):
        press(page, n)
    page.get_by_text("Zero test: 20 of 20 inside ± 8 ms").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    page.get_by_text("Zero test: 20 of 20 inside ± 8 ms").wait_for()
    page.get_by_role("button", name="Begin").wait_for()
