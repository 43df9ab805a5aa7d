"""What is printed in a hall, while it stays open on a screen."""

from __future__ import annotations

import pytest
from lastnose.companion.event import commands
from lastnose.companion.link.hub import Hall

from tests.support.halls import begun, call_round
from tests.web.browser.conftest import OpenHall, expect

SO_FAR = "So far: not everything has been played yet."


def typed(hall: Hall, places: tuple[tuple[int, ...], ...]) -> None:
    """Let the only table of the newest round have a result."""
    now = hall.state.now
    hall.do(commands.TypeResult(now.number, 1, places, "paper"), "Ann")


@pytest.mark.parametrize("path", ["winners", "certificates?most=3"])
def test_who_has_won_is_said_so_far_and_again_when_the_list_changes(opened: OpenHall, path: str) -> None:
    """Nobody has to load the page again; what was typed beside a certificate, and its picture, stay."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=3, rounds=1)
    paper = opened.visit(f"/print/{path}").page
    paper.get_by_text("Nothing so far.").wait_for()
    typed(hall, ((1,), (2,), (3,)))
    names = paper.locator("#follows :is(.certificate h2, .prize) bdi")
    expect(names).to_have_count(3)
    expect(paper.locator(".so-far")).to_have_text(SO_FAR)
    if path != "winners":
        paper.get_by_label("Who signs").fill("The mayor")
        picture = {"name": "a.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
        paper.locator("#background").set_input_files(picture)
        expect(paper.locator(".certificate .ground")).to_have_count(3)
    call_round(hall)
    typed(hall, ((3,), (2,), (1,)))
    won = ["Zoë", "Ben", "Ana"]
    expect(names).to_have_text(won[::-1] if path == "winners" else won)
    expect(paper.locator(".so-far")).to_have_count(0)
    if path != "winners":
        expect(paper.get_by_label("Who signs")).to_have_value("The mayor")
        expect(paper.locator(".certificate .ground")).to_have_count(3)


def test_a_list_that_is_not_the_last_is_printed_as_such_and_no_certificate_is(opened: OpenHall) -> None:
    """The presenter reads it on paper, too; a certificate is as it was designed."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=3, rounds=1)
    typed(hall, ((1,), (2,), (3,)))
    for path, printed in (("winners", True), ("certificates", False)):
        paper = opened.visit(f"/print/{path}").page
        expect(paper.get_by_text(SO_FAR)).to_be_visible()
        paper.emulate_media(media="print")
        expect(paper.get_by_text(SO_FAR)).to_be_visible(visible=printed)


def test_a_list_without_a_result_says_so_until_one_counts(opened: OpenHall) -> None:
    """Instead of a head over nothing."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)
    page = opened.visit("/standings").page
    page.get_by_text("Nothing so far.").wait_for()
    typed(hall, ((1,), (2,), (3,)))
    page.get_by_text("Nothing so far.").wait_for(state="hidden")
    expect(page.locator("#lines tr")).to_have_count(3)
