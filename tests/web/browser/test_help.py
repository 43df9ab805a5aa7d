"""The rules of a game, within reach of the table and read aloud by the browser."""

from __future__ import annotations

import pytest

from tests.web.browser.conftest import Stage, Visits, expect, settle
from tests.web.browser.test_pages import serious

# A voice that has said its sentence when `next` is called and remembers what it said; `cancel` ends it, as
# browsers do.
VOICE = """
window.said = [];
window.next = () => current.onend();
class Utterance { constructor(text) { this.text = text; } }
Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
let current = null;
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "fr-FR", name: "Amélie" }, { lang: "en-GB", name: "Alan" }],
  speak: (one) => {
    current = one;
    window.said.push([one.text.trim(), one.lang, one.voice?.name]);
  },
  cancel: () => { const one = current; current = null; one?.onerror?.(); },
} });
"""


@pytest.mark.journey
def test_set_up_leads_to_the_rules_as_set_there(visit: Visits, evening: str) -> None:
    """An option that is changed changes the page; a thumb hits the link on a wide screen too."""
    page = visit(f"{evening}/setup").page
    page.get_by_text("With a stock").click()
    rules = page.locator("#rulebook")
    assert rules.bounding_box()["height"] >= 44
    rules.click()
    page.get_by_text("The dealer draws from the stock").wait_for()
    expect(page.get_by_role("heading", name="Pig")).to_be_visible()
    assert [] == serious(page)


def test_rules_are_read_aloud_and_cut_short(stage: Stage) -> None:
    """In the page's language, marked as they are read; signs of suits are not spelled."""
    opened = stage.visits("about:blank", locale="fr-FR")
    opened.page.add_init_script(VOICE)
    opened.page.goto(f"{stage.address}/help/vatra")
    settle(opened.page)
    button = opened.page.get_by_role("button", name="Lire à voix haute")
    button.click()
    for _ in range(3):  # the name, what it is about, a title
        opened.page.evaluate("window.next()")
    opened.page.locator(".rulebook section:nth-of-type(1) p.now").wait_for()
    opened.page.wait_for_function("() => window.said.length === 4")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(opened.page.locator(".now")).to_have_count(1)
    assert ["Vatra", "fr", "Amélie"] == opened.page.evaluate("window.said[0]")
    button.click()
    opened.page.locator("#aloud[aria-pressed=false]").wait_for()
    assert 4 == opened.page.evaluate("window.said.length")
    expect(opened.page.locator(".now")).to_have_count(0)


def test_a_browser_that_cannot_speak_offers_no_voice(stage: Stage) -> None:
    """The rules can still be read."""
    opened = stage.visits("about:blank")
    opened.page.add_init_script("delete window.SpeechSynthesisUtterance")
    opened.page.goto(f"{stage.address}/help/vatra")
    settle(opened.page)
    expect(opened.page.locator("#aloud")).to_be_hidden()
