"""Spoons on the page: taken and laid back by fingers and keys, shown in the game's own picture."""

from __future__ import annotations

from typing import Any

from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_evening import PLAYERS, again, decided, headline
from tests.web.browser.test_pages import serious
from tests.web.browser.test_prompts import begin

# In one go, so that no busy machine comes between: longer than a bounce, shorter than what counts as taken.
TAKES_AND_PUTS_BACK = """(spoon) => {
  const press = (code) => spoon.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
  press("Space");
  for (const begun = performance.now(); performance.now() < begun + 40; );
  press("Enter");
}"""


def race(page: Any) -> None:
    """Let the third player and the first take a spoon and touch their noses; the second is left without."""
    for cradle, nose in ((2, "3"), (1, "1")):
        page.get_by_role("button", name=f"Cradle {cradle}", exact=True).tap()
        page.locator("#verdict[data-phase=judging]").wait_for()
        page.wait_for_timeout(40)
        page.keyboard.down(nose)
        page.wait_for_timeout(40)
    decided(page)
    headline(page, "East was last: X")


def test_a_round_of_spoons_is_played_on_the_page(visit: Visits, evening: str) -> None:
    """Take one, touch the nose; who has none was last. Then all of them are laid back in one tap."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Spoons", *PLAYERS)
    cradles = page.locator("#rack .cradle")
    expect(cradles).to_have_count(2)
    lay = page.get_by_role("button", name="Lay all of them back")
    expect(lay).to_be_hidden()
    page.get_by_role("button", name="Everybody has 4: play").click()
    page.locator("#view-play[data-shows=race]").wait_for()
    race(page)
    for nose in "31":
        page.keyboard.up(nose)
    for at in (0, 1):
        expect(cradles.nth(at)).to_have_attribute("aria-pressed", "true")
    page.locator("photo-finish .pf-taken").nth(2).wait_for()  # two on the axis, one in the legend
    assert [] == serious(page)
    play = page.get_by_role("button", name="Everybody has 4: play")
    lay.wait_for()
    expect(play).to_be_hidden()  # one green button: first the spoons, then the cards
    lay.click()
    play.wait_for()
    expect(lay).to_be_hidden()
    again(page)
    for at in (0, 1):
        expect(cradles.nth(at)).to_have_attribute("aria-pressed", "false")


def test_a_spoon_that_is_put_back_at_once_was_never_taken(visit: Visits, evening: str) -> None:
    """Also with the keyboard; the round goes on, and the verdict tells of a feint."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Spoons", *PLAYERS)
    page.get_by_role("button", name="Everybody has 4: play").click()
    page.locator("#view-play[data-shows=race]").wait_for()
    spoon = page.locator("#rack .cradle").first
    spoon.evaluate(TAKES_AND_PUTS_BACK)
    expect(spoon).to_have_attribute("aria-pressed", "false")
    race(page)
    page.locator("#verdict").get_by_text("1 feint: back at once.").wait_for()


def test_each_game_has_a_picture_of_its_own(visit: Visits, evening: str) -> None:
    """Forks and knives are no spoons."""
    drawn = []
    page = visit(evening).page
    for game in ("Spoons", "Forks and Knives"):
        begin(page, evening, game, *(PLAYERS if not drawn else ()))
        drawn.append(page.locator("#rack .cradle path").first.get_attribute("d"))
    assert drawn[0] and drawn[1] and drawn[0] != drawn[1]
