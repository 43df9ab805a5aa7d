"""A part of `python -m tests.support.page_audit`: no finding of any severity, and everything by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.games import GAMES

from tests.support.game_moments import moments
from tests.support.page_audit import HALL, PARTS, Auditor, Shown, audit, served_hall, whole
from tests.support.page_checks import LOOKS
from tests.web.browser.conftest import Stage
from tests.web.browser.scenes import CLOSE


@pytest.mark.parametrize("path", ["/", "/nose", "/setup"])
def test_a_page_has_no_finding(chromium: Any, stage: Stage, path: str) -> None:
    """Axe with its best practices, in every look; thumbs and eyes; on the desktop Tab to everything."""
    auditor = Auditor(chromium, "fr-FR", stage, stage.address)
    assert [] == list(audit(auditor, Shown(path, path, CLOSE), LOOKS))
    auditor.close()


def test_what_a_hall_prints_is_white_paper_on_a_dark_screen_too(chromium: Any) -> None:
    """Cards, signs, winners and certificates, in every look."""
    with served_hall() as (_, address):
        auditor = Auditor(chromium, "fr-FR", None, address)
        paths = [path for path in HALL if path.startswith("/print/")]
        assert [] == [says for path in paths for says in audit(auditor, Shown(path, path), LOOKS)]
        auditor.close()


def test_games_are_a_part_each_in_the_place_of_all() -> None:
    """So that a long audit can be made piece by piece."""
    assert ["access", *GAMES, "hall"] == whole(["access", "games", "hall"])
    assert list(PARTS) == whole([])
    assert set(GAMES) < set(PARTS)


@pytest.mark.parametrize("game", ["swedish-gin", "chickenfoot"])
def test_a_printed_sheet_has_a_frame_around_every_cell(chromium: Any, stage: Stage, game: str) -> None:
    """No border is left out or transparent; the contracts' cards are white on paper, not black."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("sheet", "/", list(moments(game).values())[-1]))
    auditor.page.emulate_media(media="print")
    borders = auditor.page.evaluate(
        """[...document.querySelectorAll(".sheet :is(th, td)")].flatMap((one) => {
            const style = getComputedStyle(one);
            return ["Top", "Right", "Bottom", "Left"].map((side) =>
                `${style[`border${side}Style`]} ${style[`border${side}Color`]}`);
        })"""
    )
    cards = auditor.page.evaluate(
        "[...document.querySelectorAll('.sheet .gr-card')].map((one) => getComputedStyle(one).fill)"
    )
    auditor.close()
    assert {"solid rgb(136, 136, 136)"} == set(borders)
    assert set(cards) <= {"rgb(255, 255, 255)"}


def test_an_audit_finds_what_is_wrong(chromium: Any, stage: Stage) -> None:
    """A page that was spoilt: pale words, a small button, a typewriter's apostrophe, a row too wide."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("spoilt", "/history", CLOSE))
    auditor.page.evaluate(
        """() => {
            const spoilt = [["p", "color: #999; background: #fff", "It's pale"],
                ["button", "min-height: 0; height: 20px", "x"], ["div", "width: 9999px", "wide"]];
            for (const [tag, style, words] of spoilt) {
                const one = document.createElement(tag);
                one.style.cssText = style;
                one.textContent = words;
                document.querySelector("main").append(one);
            }
        }"""
    )
    found = "\n".join(auditor.findings(next(look for look in LOOKS if look.width == 360)))
    auditor.close()
    for sign in ("color-contrast", "apostrophe: It's pale", "20 px to tap", "scrolls sideways"):
        assert sign in found
