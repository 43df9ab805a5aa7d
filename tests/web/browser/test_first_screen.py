"""What has to be done next is on a phone's first screen: every game, every kind of moment, every language."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.games import GAMES

from tests.support.game_moments import moments
from tests.web.browser.conftest import PHONE, Stage, Visits
from tests.web.browser.test_pages import settle

# Each part of the one duty that is shown, and where it stands between the top and what lies at the bottom.
_DUTIES = """async (says) => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const duties = () => [...document.querySelectorAll(
        "#view-play .go :is(.main, .duty, .hands, .ruling button)")].filter(shown);
    for (let i = 0; i < 300 && !duties().some((one) => one.textContent.includes(says)); i++)
        await new Promise((done) => setTimeout(done, 20));
    const bottom = document.querySelector(".tabs").getBoundingClientRect().top;
    return [duties().some((one) => one.textContent.includes(says)), ...duties().map((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top >= 0 && end <= bottom;
    })];
}"""


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
@pytest.mark.parametrize("game", GAMES)
def test_no_duty_is_below_the_first_screen(
    visit: Visits, address: str, stage: Stage, game: str, language: str
) -> None:
    """At 360 x 740, above the tabs, and with the words that the snapshot has."""
    page: Any = visit("about:blank", **PHONE, locale=language).page
    hidden = []
    for name, shown in moments(game).items():
        if shown.due is None or shown.due.kind == "free":
            continue
        stage.set(shown)
        page.goto(address)
        settle(page)
        if not all(found := page.evaluate(_DUTIES, str(shown.due.says) if language == "en-GB" else "")):
            hidden.append((name, shown.due.kind, str(shown.due.says), found))
    assert [] == hidden
