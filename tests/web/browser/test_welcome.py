"""The page that asks who plays, on a phone: everything of it has room, however many have played before."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from lastnose.companion.testing.scenario import Scenario
from lastnose.web.context import WebContext

from tests.web.browser.conftest import Stage, Visits, expect
from tests.web.browser.scenes import CROWD, SCENES

NARROW = ({"width": 360, "height": 740}, {"width": 320, "height": 640})


@pytest.mark.parametrize("viewport", NARROW, ids=str)
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_nothing_in_the_line_above_lies_on_anything_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, viewport: dict[str, int], language: str
) -> None:
    """The name, the rules, and the way for phones stand side by side; nothing is said of noses yet."""
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")  # so phones can be let in
    stage.set(SCENES["setup"])
    page = stage.drawn(viewport=viewport, locale=language)
    expect(page.locator(".bar .pill")).to_be_hidden()
    places = (".bar .brand", ".bar .rules svg", ".bar .plain")
    boxes = [page.locator(place).bounding_box() for place in places]
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]
    assert boxes[-1]["x"] + boxes[-1]["width"] <= viewport["width"]


def test_of_many_known_names_the_newest_are_offered_and_the_field_stays_in_view(stage: Stage) -> None:
    """Twelve of 26; a tap shows them all, and what is typed finds any of them."""
    stage.set(msgspec.structs.replace(SCENES["setup"], evening=2))  # nobody is at the table yet
    page = stage.drawn(viewport=NARROW[0])
    names = page.locator(".circle [aria-pressed] bdi")
    expect(names).to_have_text(list(CROWD[:12]), use_inner_text=True)
    field, start = (page.locator(place).bounding_box() for place in ("#newcomer", "#start"))
    assert field["y"] + field["height"] <= start["y"]
    page.get_by_role("button", name="Show all 26").click()
    expect(names).to_have_text(list(CROWD), use_inner_text=True)
    page.locator("#newcomer").fill("zo")
    expect(names).to_have_text(["Zoé"], use_inner_text=True)


def test_a_new_evening_begins_with_who_plays(visit: Visits, evening: str) -> None:
    """The history of the old one is closed; the page asks for names, and not for a look at nothing."""
    page = visit(f"{evening}/history").page
    page.get_by_role("button", name="New evening…").click()
    page.locator("dialog").get_by_role("button", name="New evening").click()
    page.wait_for_url(f"{evening}/setup")
    page.get_by_role("heading", name="Who plays?").wait_for()


@pytest.mark.parametrize("game", ["Snap", "Quiz", "Pig"])
def test_what_phones_are_worth_is_said_before_they_are_chosen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Where seats are picked and phones let in, and on the phone that sits down, or is a nose."""
    often = {"Snap": "half to four fifths of all rounds", "Quiz": "about 7 questions in 100"}.get(game)
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")
    stage.set(SCENES["setup"])
    page = stage.drawn(size=(1280, 800))
    page.locator(".games").get_by_text(game, exact=True).click()
    picker, letting_in = page.locator("#order .fair"), page.locator("#phones .fair")
    page.locator("#newcomer").fill("Ana, Zoë")
    page.locator("#add").click()
    page.locator("[data-do=phones]").click()
    begun = Scenario(game.lower(), ("North", "East", "South")).snapshot
    if often is None:
        expect(picker).to_be_hidden()
        expect(letting_in).to_be_hidden()
        assert () == begun.on_phones
        return
    for said in picker, letting_in:
        expect(said).to_contain_text(often)
        expect(said).to_contain_text("With a phone beside wires the phone’s uncertainty decides")
    page.goto("about:blank")
    stage.set(begun)
    for path, root in (("/nose", "#choose"), ("/join", "#sit"), ("/", "#phones")):
        page.goto(f"{stage.address}{path}")
        expect(page.locator(f"{root} .fair")).to_contain_text(often)
