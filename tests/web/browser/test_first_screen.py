"""What has to be done next is on a phone's first screen: every game, every kind of moment, every language."""

from __future__ import annotations

import itertools

import pytest
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.prompts import EnterScore

from tests.support.game_moments import moments
from tests.web.browser.conftest import PHONE, Stage, Visits, settle
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_sheet import score, start

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


# The buttons of whose points are to be written, and where they stand.
_ENTRY = """() => {
    const bottom = document.querySelector(".tabs").getBoundingClientRect().top;
    return [...document.querySelectorAll("#score-entry .se-seats button")].map((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top >= 0 && end <= bottom;
    });
}"""


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
@pytest.mark.parametrize("game", [game.name for game in GAMES.values() if not game.watched])
def test_what_a_sheet_asks_for_is_on_the_first_screen(stage: Stage, game: str, language: str) -> None:
    """Whose points are written next stands before questions of the rules, tokens and the sheet."""
    page = stage.visits("about:blank", **PHONE, locale=language).page
    for name, shown in moments(game).items():
        if not any(isinstance(one, EnterScore) for one in shown.entries):
            continue
        stage.set(shown)
        page.goto(stage.address)
        settle(page)
        page.locator("#score-entry .se-seats button").first.wait_for()
        assert all(page.evaluate(_ENTRY)), name


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("players", [4, 8])
def test_the_curve_of_a_sheet_of_tiles_begins_on_the_first_screen_beside_what_is_written(
    visit: Visits, evening: str, width: int, height: int, language: str, players: int
) -> None:
    """After five hands; whoever uses a finger hits a number and a name as before."""
    page = visit(f"{evening}/setup", size=(width, height), locale=language).page
    names = ["Mamie", "Dominique", "Anne-Sophie", "Björn", "Zoë", "Seán", "Ivana", "Maximilian"][:players]
    start(page, "chickenfoot", names)
    for hand, seat in itertools.product(range(1, 6), range(1, players + 1)):
        score(page, seat, 0 if seat == hand % players + 1 else 5 * seat, hand)
    page.goto(evening)
    settle(page)
    places = ("#score-entry", "#sheet table", "#sheet .sh-chart svg")
    entry, table, curve = (page.locator(place).bounding_box() for place in places)
    assert entry["x"] + entry["width"] <= min(table["x"], curve["x"])
    assert table["y"] + table["height"] <= curve["y"] <= height - 30
    assert curve["x"] + curve["width"] <= width
    for button in page.locator("#sheet td button, .se-seats button").all():
        assert 44 <= button.bounding_box()["height"]


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
@pytest.mark.parametrize("game", GAMES)
def test_no_duty_is_below_the_first_screen(stage: Stage, game: str, language: str) -> None:
    """At 360 x 740, above the tabs, and with the words that the snapshot has."""
    page = stage.visits("about:blank", **PHONE, locale=language).page
    hidden = []
    for name, shown in moments(game).items():
        if shown.due is None or shown.due.kind == "free":
            continue
        stage.set(shown)
        page.goto(stage.address)
        settle(page)
        if not all(found := page.evaluate(_DUTIES, str(shown.due.says) if language == "en-GB" else "")):
            hidden.append((name, shown.due.kind, str(shown.due.says), found))
    assert [] == hidden


# What a note that goes by lies over.
_UNDER = """(words) => {
    const box = document.querySelector(".notes");
    box.innerHTML = '<div class="note"><p></p><button type="button">Close</button></div>';
    box.querySelector("p").textContent = words;
    const note = box.firstChild.getBoundingClientRect();
    const needed = "#view-play h1, .nose, #view-play .go .main, .tabs";
    return [...document.querySelectorAll(needed)].filter((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return height && top < note.bottom - 1 && bottom > note.top + 1;
    }).map((one) => one.className || one.tagName);
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568)])
@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
def test_a_long_note_lies_over_neither_headline_nor_nose_nor_the_green_button(
    stage: Stage, language: str, width: int, height: int
) -> None:
    """Nor over the tabs where something is due; where only noses are, it leaves those free."""
    how = {**PHONE, "viewport": {"width": width, "height": height}, "locale": language}
    page = stage.visits("about:blank", **how).page
    words = ("Quelqu’un d’autre l’a déjà changée entre-temps : regardez la table. " * 2)[:115]
    for name, under in (("close", []), ("won", []), ("armed", ["tabs"])):
        stage.set(SCENES[name])
        page.goto(stage.address)
        settle(page)
        assert under == page.evaluate(_UNDER, words), name
