"""Two hosts at one table: who corrects what the other has just corrected is told, and presses once more."""

from __future__ import annotations

from tests.web.browser.conftest import PHONE, Visits, expect, settle
from tests.web.browser.test_evening import PLAYERS, headline, play, playing, ready, sit
from tests.web.browser.test_sheet import begin, says, score, send, start

TOLD = "has changed this meanwhile"


def test_two_who_correct_one_round_do_not_overwrite_each_other_unseen(visit: Visits, evening: str) -> None:
    """The second reads what the first has made of it, in the dialog; pressed again, theirs holds."""
    first, second = visit(evening, **PHONE).page, visit(evening, may_complain=True, **PHONE).page
    sit(first, evening, *PLAYERS)
    ready(first)
    play(first, "1", "3", "2")
    first.goto(f"{evening}/history")
    way = first.get_by_role("link", name="East was last: P").get_attribute("href")
    for page in (first, second):
        page.goto(f"{evening}{way}")
        settle(page)
        page.get_by_role("button", name="Correct it…").click()
        page.get_by_label("Somebody else").check()
    first.locator(".who").get_by_label("North").check()
    second.locator(".who").get_by_label("Élodie").check()
    first.get_by_role("button", name="Correct it", exact=True).click()
    headline(first, "North was last: P")
    second.get_by_role("button", name="Correct it", exact=True).click()
    expect(second.locator("dialog .wrong")).to_contain_text(f"{TOLD}: North was last: P.")
    headline(first, "North was last: P")
    second.get_by_role("button", name="Correct it", exact=True).click()
    headline(first, "Élodie was last: P")


def test_two_who_correct_one_cell_do_not_overwrite_each_other_unseen(visit: Visits, evening: str) -> None:
    """Of a sheet: cells that nobody else has touched go through at once."""
    one, two = visit(evening, **PHONE).page, visit(evening, **PHONE).page
    begin(one, evening)
    for seat, points in enumerate((60, 44, 0), 1):
        score(one, seat, points)
    two.goto(evening)
    for page in (one, two):
        page.get_by_role("button", name="East, hand 1: 44. Correct").click()
    two.get_by_role("textbox", name="East").fill("45")
    one.get_by_role("textbox", name="East").fill("46")
    two.get_by_role("button", name="Correct it", exact=True).click()
    one.get_by_role("button", name="East, hand 1: 45. Correct").wait_for()
    one.get_by_role("button", name="Correct it", exact=True).click()
    expect(one.locator(".notes")).to_contain_text(f"{TOLD}: East 45.")
    says(one, 1, "60", "45", "0")
    one.get_by_role("button", name="Correct it", exact=True).click()
    two.get_by_role("button", name="East, hand 1: 46. Correct").wait_for()


def test_who_is_let_go_is_who_was_ticked_also_when_another_host_was_faster(
    visit: Visits, evening: str
) -> None:
    """Zoë was ticked at seat 4; by then Björn has gone, and somebody else sits there."""
    page = playing(visit, evening, "Ana", "Björn", "Ines", "Zoë", "Dima", size=(1280, 900))
    page.get_by_role("button", name="Somebody comes or goes…").click()
    page.locator("#people").get_by_label("Zoë").check()
    send(page, "regroup", players=["Ana", "Ines", "Zoë", "Dima"])
    expect(page.locator(".players li")).to_have_count(4)
    page.locator("#people .main").click()
    expect(page.locator(".players li")).to_have_count(3)
    expect(page.locator(".players")).not_to_contain_text("Zoë")


def test_an_earlier_round_is_corrected_among_those_who_sat_there_then(visit: Visits, evening: str) -> None:
    """By now Vatra is played, in other seats: neither its people nor its own corrections are offered."""
    page = playing(visit, evening, "Ana", "Björn", "Zoë", size=(1280, 900))
    play(page, "1", "3", "2")
    headline(page, "Björn was last: P")
    start(page, "vatra", ["Zoë", "Eva", "Ana"])
    page.goto(f"{evening}/history")
    page.get_by_role("button", name="Game 1: Pig").click()
    page.get_by_role("link", name="Björn was last: P").click()
    page.get_by_role("button", name="Correct it…").click()
    expect(page.locator(".who label")).to_have_text(["1Ana", "2Björn", "3Zoë"])
    expect(page.locator(".kinds label")).to_have_text(
        ["Somebody else", "Dead heat", "Nobody was last", "It does not count", "Others sat there"]
    )
    page.get_by_label("Somebody else").check()
    page.locator(".who").get_by_label("Zoë").check()
    page.get_by_role("button", name="Correct it", exact=True).click()
    headline(page, "Zoë was last: P")
