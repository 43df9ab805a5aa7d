"""The page of figures: pictures first, the same figures in a table, live."""

from __future__ import annotations

from tests.browser.conftest import PHONE, Visits
from tests.browser.test_evening import PLAYERS, again, headline, play, ready, sit
from tests.browser.test_pages import serious, settle


def test_figures_of_an_evening_are_drawn_and_follow_it(visit: Visits, evening: str) -> None:
    """Two rounds: who was last, who opened, dots, escapes; a third one comes without asking."""
    figures = visit(f"{evening}/statistics", **PHONE).page
    figures.get_by_text("No round so far. Play one, and look again.").wait_for()
    page = visit(evening).page
    sit(page, evening, *PLAYERS)
    ready(page)
    play(page, "1", "2", "3")
    headline(page, "Élodie was last: P")
    again(page)
    play(page, "1", "3", "2")
    headline(page, "East was last: P")

    lasts = figures.locator("#lasts li")
    figures.locator("#lasts", has_text="1 of 2").wait_for()
    shown = {one.locator(".who").inner_text(): one.locator(".n").inner_text() for one in lasts.all()}
    assert {"North": "0 of 2", "East": "1 of 2", "Élodie": "1 of 2"} == shown
    assert ["North", "2"] == figures.locator("#openers li").first.locator(".who, .n").all_inner_texts()
    figures.locator(".fg-dot").first.wait_for()
    settle(figures)
    assert 4 == figures.locator(".fg-dot").count()  # two rounds, everybody but the opener
    assert 2 == figures.locator(".fg-median").count()
    assert 2 == figures.locator(".escapes li").count()
    row = figures.locator("#everybody tbody tr", has_text="Élodie").locator("td").all_inner_texts()
    assert ["1", "2", "1", "1", "0", "0"] == row[:6]
    assert [] == serious(figures)

    again(page)
    play(page, "2", "3", "1")
    headline(page, "North was last: P")
    figures.locator("#tiles", has_text="3").wait_for()
    assert 360 >= figures.evaluate("document.documentElement.scrollWidth")
