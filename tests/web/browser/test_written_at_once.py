"""What is typed on one page while others write, come and go, take back, or the network fails."""

from __future__ import annotations

from typing import Any

from tests.web.browser.conftest import PHONE, Visits, expect
from tests.web.browser.test_lobby import sit
from tests.web.browser.test_sheet import THREE, begin, says, score, send, start, whose

FOUR = (*THREE, "West")


def a_pad(visit: Visits, evening: str, *players: str) -> tuple[Any, Any]:
    """Return a wide page and a host's phone on a new score pad."""
    wide = visit(f"{evening}/setup", may_complain=True).page
    start(wide, "score-pad", players)
    wide.goto(evening)
    return wide, visit(evening, **PHONE).page


def test_what_was_typed_for_others_stays_when_somebody_else_writes_the_cell_in_hand(
    visit: Visits, evening: str
) -> None:
    """Their number stands; what was not written yet is still in its field, and with "Never mind" it goes."""
    wide, phone = a_pad(visit, evening, *THREE)
    north, east, south = (wide.get_by_role("textbox", name=name) for name in THREE)
    north.fill("17")
    south.fill("25")
    score(phone, 3, 9)
    wide.get_by_text("South has 9 points already").wait_for()
    for field, words in ((north, "17"), (east, ""), (south, "9")):
        expect(field).to_have_value(words)
    send(phone, "undo", seq=None)
    expect(south).to_have_value("25")
    east.click()
    wide.get_by_role("button", name="Never mind").click()
    for field in (north, east, south):
        expect(field).to_have_value("")


def test_what_was_typed_in_a_game_that_has_ended_is_not_in_the_next(visit: Visits, evening: str) -> None:
    """The same people, the same round, another sheet."""
    wide, phone = a_pad(visit, evening, *THREE)
    wide.get_by_role("textbox", name="North").fill("17")
    score(phone, 1, 5)
    wide.get_by_text("North has 5 points already").wait_for()
    wide.get_by_role("textbox", name="East").fill("18")
    phone.locator(".se-seats button", has_text="South").tap()
    phone.get_by_role("button", name="4", exact=True).tap()
    third = visit(evening).page
    third.get_by_role("button", name="North, round 1: 5. Correct").click()
    start(wide, "score-pad", THREE)
    expect(wide.locator("#sheet .sh-cell")).to_have_count(0)
    expect(phone.locator("#score-entry h2")).to_have_text("Who?")
    expect(third.locator(".se-fix")).to_have_count(0)
    expect(third.locator(".notes .note")).to_have_count(0)
    for name in THREE:
        expect(wide.get_by_role("textbox", name=name)).to_have_value("")


def test_what_is_typed_stays_with_its_player_when_others_come_and_go(visit: Visits, evening: str) -> None:
    """Who is typed for sits elsewhere now: in the fields of a wide page, on a phone, and in a correction."""
    wide, phone = a_pad(visit, evening, *FOUR)
    wide.get_by_role("textbox", name="East").fill("17")
    phone.locator(".se-seats button", has_text="South").tap()
    phone.get_by_role("button", name="4", exact=True).tap()
    send(phone, "regroup", players=FOUR[1:])
    expect(wide.locator("#sheet thead th")).to_have_count(4)
    for name, words in (("East", "17"), ("South", ""), ("West", "")):
        expect(wide.get_by_role("textbox", name=name)).to_have_value(words)
    expect(wide.get_by_role("textbox", name="East")).to_be_focused()
    expect(phone.locator("#score-entry h2")).to_have_text("Points of South")
    expect(phone.locator(".se-sum input")).to_have_value("4")
    wide.keyboard.press("Enter")
    wide.get_by_role("button", name="East, round 1: 17. Correct").wait_for()
    phone.get_by_role("button", name="Next: West").tap()
    phone.get_by_role("button", name="South, round 1: 4. Correct").wait_for()
    score(wide, 3, 30)
    wide.get_by_role("button", name="South, round 1: 4. Correct").click()
    wide.locator(".se-fix").get_by_role("textbox", name="South").fill("5")
    send(phone, "regroup", players=("North", *FOUR[1:]))
    expect(wide.locator(".se-fix input")).to_have_count(4)
    expect(wide.locator(".se-behind li")).to_have_text(["South: 5, and not 4"])
    wide.get_by_role("button", name="Correct it").click()
    wide.get_by_role("button", name="South, round 1: 5. Correct").wait_for()
    assert ["17", "5", "30"] == wide.locator("#sheet tbody tr:first-child .sh-cell b").all_inner_texts()[1:]


def test_nobody_is_named_as_the_writer_of_points_that_the_table_gives(visit: Visits, evening: str) -> None:
    """A latecomer's first points are nobody's number."""
    wide, phone = a_pad(visit, evening, *THREE)
    for seat in (1, 2, 3):
        score(phone, seat, 10 * seat)
    send(phone, "regroup", players=FOUR)
    wide.get_by_role("button", name="North, round 1: 10. Correct").click()
    expect(wide.locator(".se-fix small")).to_have_text(
        ["Written by: host", "Written by: host", "Written by: host", ""]
    )


def test_only_what_a_rule_forbids_is_written_all_the_same(visit: Visits, evening: str) -> None:
    """What did not get through needs no reason; what answers may be somebody else, and says nothing."""
    wide, phone = a_pad(visit, evening, *THREE)
    for how, said in (
        (lambda route: route.abort(), "The table has not answered yet."),
        (lambda route: route.fulfill(status=502, body="<p>Bad gateway"), "That did not work: 502"),
        (lambda route: route.fulfill(body="<p>Welcome"), "Not connected: nothing was sent"),
    ):
        wide.route("**/api/v1/commands", how)
        wide.get_by_role("textbox", name="North").fill("17")
        wide.keyboard.press("Enter")
        wide.get_by_text(said).wait_for()
        expect(wide.locator(".notes .note")).to_have_count(1)
        expect(wide.get_by_role("textbox", name="North")).to_have_value("17")
        expect(wide.locator(".se-anyway")).to_be_hidden()
        wide.locator(".notes button").click()
        wide.unroute("**/api/v1/commands")
    expect(phone.locator("#sheet .sh-cell")).to_have_count(0)


def test_enter_after_the_reason_writes_what_the_table_said_cannot_be(visit: Visits, evening: str) -> None:
    """Of a number that is written, and of a correction."""
    page = visit(evening, may_complain=True).page
    begin(page, evening)
    why = page.get_by_role("textbox", name="Why it is right")
    for name in ("North", "East"):
        whose(page, name)
        page.get_by_role("textbox", name="Points").fill("1")
        page.get_by_role("button", name="Done").click()
    why.press("Enter")
    why.fill("two sets")
    why.press("Enter")
    says(page, 1, "1", "1\nall the same: two sets", "")
    page.get_by_role("button", name="North, hand 1: 1. Correct").click()
    page.locator(".se-fix").get_by_role("textbox", name="North").fill("0")
    page.locator(".se-fix").get_by_role("textbox", name="East").fill("0")
    page.get_by_role("button", name="Correct it").click()
    why.fill("both")
    why.press("Enter")
    says(page, 1, "0\nall the same: both", "0\nall the same: both", "")


def test_a_correction_of_what_is_taken_back_elsewhere_says_so(visit: Visits, evening: str) -> None:
    """The form goes, and not without a word."""
    wide, phone = a_pad(visit, evening, *THREE)
    score(phone, 1, 10)
    wide.get_by_role("button", name="North, round 1: 10. Correct").click()
    wide.locator(".se-fix").get_by_role("textbox", name="North").fill("11")
    send(phone, "undo", seq=None)
    wide.get_by_text("Round 1: taken back").wait_for()
    expect(wide.locator(".se-fix")).to_have_count(0)


def test_who_was_chosen_in_a_dialog_is_meant_wherever_they_sit_by_then(visit: Visits, evening: str) -> None:
    """Another host lets somebody go in front of them."""
    page = visit(f"{evening}/setup").page
    start(page, "pig", FOUR)
    page.goto(evening)
    page.locator("#host .moves button").first.click()
    page.locator("dialog#seats label", has_text="South").click()
    other = visit(evening, **PHONE).page
    send(other, "regroup", players=FOUR[1:])
    expect(page.locator("#players .players li")).to_have_count(3)
    page.locator("dialog#seats .main").click()
    page.locator("#players li", has_text="South").locator(".has").wait_for()


def test_a_player_takes_back_what_their_own_phone_has_just_written(visit: Visits, evening: str) -> None:
    """Nothing more is asked of them then; who came for their nose is led to the sheet, and not to a seat."""
    phone = sit(visit, evening, "East")
    host = visit(f"{evening}/setup", may_complain=True).page
    start(host, "score-pad", THREE)
    phone.get_by_text("This game is played without noses.").wait_for()
    expect(phone.get_by_role("link", name="Take a seat")).to_have_count(0)
    phone.locator("#choose").get_by_role("link", name="Table", exact=True).last.tap()
    phone.locator(".se-seats button", has_text="East").tap()
    phone.get_by_role("button", name="7", exact=True).tap()
    phone.get_by_role("button", name="Done").tap()
    says(phone, 1, "", "7", "")
    expect(phone.locator("#score-entry")).to_be_hidden()
    phone.get_by_role("button", name="Undo Round 1, East: 7").tap()
    says(phone, 1, "", "", "")
    start(host, "pig-10", THREE)
    send(host, "play", move={"type": "starts", "seat": 2})
    phone.locator(".pd-keys [data-key='4']").tap()
    phone.get_by_role("button", name="Undo East lays 4. The pile is worth 4.").tap()
    expect(phone.locator(".pd-keys")).to_be_visible()


def test_what_got_through_at_last_is_not_said_to_be_unsent(visit: Visits, evening: str) -> None:
    """The note goes with the next thing that the table takes, though the stream never broke."""
    wide, _ = a_pad(visit, evening, *THREE)
    wide.route("**/api/v1/commands", lambda route: route.abort())
    wide.get_by_role("textbox", name="North").fill("17")
    wide.keyboard.press("Enter")
    wide.get_by_text("The table has not answered yet.").wait_for()
    wide.unroute("**/api/v1/commands")
    wide.keyboard.press("Enter")
    wide.get_by_role("button", name="North, round 1: 17. Correct").wait_for()
    expect(wide.locator(".notes .note")).to_have_count(0, timeout=2000)


def test_what_a_key_makes_is_no_wider_than_the_key(visit: Visits, evening: str) -> None:
    """Also where it makes one of two, on the narrowest phone."""
    page = visit(f"{evening}/setup", **{**PHONE, "viewport": {"width": 320, "height": 568}}).page
    start(page, "pig-10", THREE)
    page.goto(evening)
    send(page, "play", move={"type": "starts", "seat": 1})
    send(page, "play", move={"type": "lay", "seat": 1, "key": 3, "value": 3})
    page.locator(".pd-keys [data-key='3'] small", has_text="/").wait_for()
    widths = page.locator(".pd-keys small").evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().width, one.parentElement.clientWidth])"
    )
    assert [] == [(own, key) for own, key in widths if own > key]


def test_nothing_is_said_to_be_unsent_that_was_written_though_its_answer_was_lost(
    visit: Visits, evening: str
) -> None:
    """Lost as a whole, or cut in the middle: the page says where to look, and there the number stands."""
    wide, _ = a_pad(visit, evening, *THREE)

    def lost(route: Any) -> None:
        route.fetch()
        route.abort()

    def cut(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text()[:100])

    for name, points, how in (("North", "17", lost), ("East", "25", cut)):
        wide.route("**/api/v1/commands", how)
        wide.get_by_role("textbox", name=name).fill(points)
        wide.keyboard.press("Enter")
        wide.get_by_text("The table has not answered yet. Look at what it shows").wait_for()
        wide.get_by_role("button", name=f"{name}, round 1: {points}. Correct").wait_for()
        expect(wide.get_by_text("nothing was sent")).to_have_count(0)
        wide.locator(".notes button").first.click()
        wide.unroute("**/api/v1/commands")


def test_what_is_typed_stays_with_a_player_whose_name_is_corrected(visit: Visits, evening: str) -> None:
    """In the fields of a wide page, on a phone, in a correction; not for somebody else in the last seat."""
    wide, phone = a_pad(visit, evening, *THREE)
    wide.get_by_role("textbox", name="South").fill("30")
    send(phone, "regroup", players=("North", "East", "West"))
    expect(wide.get_by_role("textbox", name="West")).to_have_value("")
    wide.get_by_role("textbox", name="East").fill("17")
    phone.locator(".se-seats button", has_text="East").tap()
    phone.get_by_role("button", name="4", exact=True).tap()
    send(phone, "rename", player="East", name="Esther")
    expect(wide.get_by_role("textbox", name="Esther")).to_have_value("17")
    expect(wide.get_by_role("textbox", name="Esther")).to_be_focused()
    expect(phone.locator("#score-entry h2")).to_have_text("Points of Esther")
    expect(phone.locator(".se-sum input")).to_have_value("4")
    wide.keyboard.press("Enter")
    wide.get_by_role("button", name="Esther, round 1: 17. Correct").click()
    wide.locator(".se-fix").get_by_role("textbox", name="Esther").fill("18")
    send(phone, "rename", player="Esther", name="East")
    expect(wide.locator(".se-behind li")).to_have_text(["East: 18, and not 17"])
    wide.get_by_role("button", name="Never mind").click()
    wide.get_by_role("textbox", name="West").fill("30")
    send(phone, "rename", player="West", name="Walt")
    expect(wide.get_by_role("textbox", name="Walt")).to_have_value("30")


def test_who_presses_once_more_reads_no_longer_that_they_should(visit: Visits, evening: str) -> None:
    """The other's change is said once, and that note goes when theirs holds instead."""
    wide, phone = a_pad(visit, evening, *THREE)
    score(phone, 1, 10)
    wide.get_by_role("button", name="North, round 1: 10. Correct").click()
    wide.locator(".se-fix").get_by_role("textbox", name="North").fill("11")
    send(phone, "play", move={"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 12}]})
    wide.get_by_role("button", name="North, round 1: 12. Correct").wait_for()
    wide.get_by_role("button", name="Correct it").click()
    wide.get_by_text("Press once more, and yours holds instead.").wait_for()
    wide.get_by_role("button", name="Correct it").click()
    wide.get_by_role("button", name="North, round 1: 11. Correct").wait_for()
    expect(wide.locator(".notes .note")).to_have_count(0, timeout=2000)
