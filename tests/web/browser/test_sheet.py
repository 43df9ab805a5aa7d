"""A score sheet on two phones: tiles tapped, numbers, a correction, a file taken up again; and on paper."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.views.snapshot import SeatPhone

from tests.support.game_moments import moments
from tests.support.phones import PIN
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect, settle
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_evening import headline, set_up, view
from tests.web.browser.test_names import BROKEN_OR_PARTED
from tests.web.browser.test_pages import LARGEST, serious, weights


def begin(page: Any, evening: str, game: str = "Chickenfoot", first: str = "Hand 1: double 9") -> None:
    """Set the table for three."""
    set_up(page, evening, game, *THREE)
    headline(page, first)


def whose(page: Any, name: str) -> None:
    """Write for *name*."""
    page.locator("#score-entry .se-seats button", has_text=name).click()
    page.get_by_role("heading", name=f"Left with {name}").wait_for()


def says(page: Any, hand: int, *cells: str) -> None:
    """Wait until the row of *hand* says this."""
    row = page.locator("#sheet tbody tr").nth(hand - 1).locator("td")
    expect(row).to_have_text(list(cells), use_inner_text=True)


def test_two_phones_fill_a_hand_and_correct_it(visit: Visits, evening: str) -> None:
    """What one writes does not disturb the other; tiles given to one are gone for the other."""
    one = visit(evening, **PHONE).page
    begin(one, evening)
    two = visit(evening, **PHONE).page
    whose(one, "North")
    whose(two, "East")
    one.get_by_role("button", name="5-5, 10 points").click()
    one.get_by_role("button", name="0-0, 50 points").click()
    expect(one.locator("#score-entry output")).to_have_text("60", use_inner_text=True)
    assert [] == serious(one)
    two.locator("#score-entry .se-sum input").fill("44")
    one.get_by_role("button", name="Done").click()
    two.get_by_role("button", name="5-5, 10 points").wait_for(state="detached")
    expect(two.locator("#score-entry .se-sum input")).to_have_value("44")
    two.get_by_role("button", name="Done").click()
    whose(one, "South")
    one.get_by_role("button", name="South went out").click()
    for page in (one, two):
        headline(page, "Hand 2: double 8")
        says(page, 1, "60", "44", "0")
    expect(one.locator("#sheet .sh-chart svg")).to_be_visible()
    two.get_by_role("button", name="East, hand 1: 44. Correct").click()
    two.get_by_role("textbox", name="East").fill("45")
    one.get_by_role("button", name="North, hand 1: 60. Correct").click()
    one.get_by_role("textbox", name="North").fill("0")
    one.get_by_role("textbox", name="South").fill("61")
    two.get_by_role("button", name="Correct it").click()
    one.get_by_role("button", name="East, hand 1: 45. Correct").wait_for()
    assert [] == serious(one)
    one.get_by_role("button", name="Correct it").click()
    two.get_by_role("button", name="South, hand 1: 61. Correct").wait_for()
    says(two, 1, "0", "45", "61")
    assert 360 >= one.evaluate("document.documentElement.scrollWidth")


def test_a_sheet_comes_back_from_its_file_and_is_printed_alone(visit: Visits, evening: str) -> None:
    """Nothing but the sheet is on the paper; a file that is none is refused in a sentence."""
    page = visit(evening, may_complain=True).page
    begin(page, evening)
    whose(page, "North")
    page.get_by_role("button", name="North went out").click()
    page.get_by_role("button", name="North, hand 1: 0. Correct").wait_for()
    kept = page.request.get(f"{evening}/api/v1/sheet.json").body()
    assert b"hand,about,North,East,South,notes" in page.request.get(f"{evening}/api/v1/sheet.csv").body()
    page.emulate_media(media="print")
    expect(page.locator("#sheet table")).to_be_visible()
    expect(
        page.locator("#verdict:visible, #score-entry:visible, #players:visible, #host:visible")
    ).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(media="screen")
    view(page, "Host")
    page.emulate_media(media="print")
    expect(page.locator("#sheet table")).to_be_visible()
    expect(page.locator(".tabs:visible, #view-host :visible")).to_have_count(0)
    page.emulate_media(media="screen")
    view(page, "Play")
    page.goto(f"{evening}/setup")
    page.get_by_text("Or go on with a sheet from a file").wait_for()
    field = page.locator("#take-up input")
    for wrong, why in (
        (b"hand,points", "not a score sheet"),
        (json.dumps({**json.loads(kept), "sheet": 9}).encode(), "format 9"),
    ):
        field.set_input_files({"name": "sheet.json", "mimeType": "application/json", "buffer": wrong})
        page.locator("#take-up .wrong", has_text=why).wait_for()
    field.set_input_files({"name": "sheet.json", "mimeType": "application/json", "buffer": kept})
    page.get_by_role("button", name="North, hand 1: 0. Correct").wait_for()


def test_who_only_watches_can_read_the_sheet(visit: Visits, evening: str) -> None:
    """And write nothing."""
    begin(visit(evening, **PHONE).page, evening)
    watcher = visit(evening, **WATCHER).page
    headline(watcher, "Hand 1: double 9")
    watcher.locator("#sheet table").wait_for()
    expect(watcher.locator("#score-entry")).to_be_hidden()
    expect(watcher.locator("#sheet td button")).to_have_count(0)


def test_anybody_asks_whether_a_double_can_be_completed(visit: Visits, evening: str) -> None:
    """Nine tiles beside the double: with four on the table five are left, and the first double takes six."""
    begin(visit(evening, **PHONE).page, evening)
    watcher = visit(evening, **PHONE, **WATCHER).page
    watcher.get_by_role("button", name="Is it blocked?").click()
    tiles = watcher.locator("dialog .se-piece")
    tiles.nth(8).wait_for()
    expect(tiles).to_have_count(9)
    for number in range(4):
        tiles.nth(number).click()
    watcher.locator(
        ".rq-says", has_text="If it still needs more than 5 tiles, nobody can complete it."
    ).wait_for()
    watcher.wait_for_function("() => document.querySelectorAll('.rq-cards svg').length === 5")
    assert [] == serious(watcher)
    watcher.locator("dialog select").select_option("4")
    watcher.locator(".rq-says", has_text="tapped: 0").wait_for()
    expect(tiles.first.locator("svg")).to_have_attribute("aria-label", "6-0")


def test_a_phone_takes_back_its_own_entry_and_the_history_any(visit: Visits, evening: str) -> None:
    """Each phone is offered its own; the sheet says who wrote what under the name that a phone was given."""
    host = visit(evening, **PHONE).page
    begin(host, evening)
    phone = visit(evening, **PHONE, **WATCHER).page
    phone.goto(f"{evening}/host")
    phone.locator("#pin").fill(PIN)
    phone.get_by_role("button", name="Host", exact=True).click()
    view(phone, "Host")
    phone.get_by_label("Whose is it?").fill("Élodie")
    phone.get_by_role("button", name="Keep", exact=True).click()
    phone.get_by_text("Kept.").wait_for()
    view(phone, "Play")
    for page, name, points in ((phone, "North", "60"), (host, "East", "44")):
        whose(page, name)
        page.locator("#score-entry .se-sum input").fill(points)
        page.get_by_role("button", name="Done").click()
    phone.get_by_role("button", name="East, hand 1: 44. Correct").wait_for()
    says(phone, 1, "60\nÉlodie", "44\nhost", "")
    expect(phone.locator("#score-entry [data-do=undo] small")).to_have_text(
        "Hand 1, North: 60", use_inner_text=True
    )
    expect(host.locator("#score-entry [data-do=undo] small")).to_have_text(
        "Hand 1, East: 44", use_inner_text=True
    )
    phone.locator("#score-entry [data-do=undo]").click()
    phone.get_by_role("button", name="North, hand 1: 60. Correct").wait_for(state="detached")
    says(phone, 1, "", "44", "")
    phone.goto(f"{evening}/history")
    phone.get_by_role("link", name="Hand 1, East: 44").click()
    step = phone.locator("dialog#step")
    for name, changes in (("Undo", "East: 0, and not 44"), ("Redo", "East: 44, and not 0")):
        phone.locator("#verdict").get_by_role("button", name=name).click()
        expect(step.locator(".behind li")).to_have_text([changes])
        step.get_by_role("button", name=name).click()
    phone.locator("#verdict").get_by_role("button", name="Undo").wait_for()


SEND = """async (wish) => (await fetch("/api/v1/commands", {
    method: "POST", body: JSON.stringify(wish), headers: { "Content-Type": "application/json",
        "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content } })).status"""
THREE = ["North", "East", "South"]


def send(page: Any, kind: str, **wish: object) -> None:
    """Send a command as the page would, without its buttons."""
    assert 200 == page.evaluate(SEND, {"type": kind, **wish})


def start(page: Any, game: str, players: Sequence[str], **options: object) -> None:
    """Start *game* with these *players*."""
    send(page, "start", game=game, players=list(players), options=options)


def score(page: Any, seat: int, points: int, hand: int = 1) -> None:
    """Write a cell of the sheet."""
    send(page, "play", move={"type": "score", "hand": hand, "seat": seat, "points": points})


def test_the_host_of_a_sheet_lets_people_come_and_go_as_with_noses(visit: Visits, evening: str) -> None:
    """The button for it is there, and no sentence that it cannot be."""
    page = visit(f"{evening}/setup").page
    why, button = page.locator("#nobody-comes"), page.locator("[data-do=people]")
    for game in ("score-pad", "pig", "pig-10"):
        start(page, game, THREE)
        page.goto(evening)
        expect(button).to_be_visible()
        expect(why).to_be_hidden()


def test_the_largest_sheet_is_light(visit: Visits, evening: str) -> None:
    """26 players and the largest set, in French: under 100 KB on the wire with all that the page loads."""
    host = visit(f"{evening}/setup").page
    start(host, "chickenfoot", [f"P{n}" for n in range(26)], set=15)
    for seat in range(1, 27):
        score(host, seat, seat - 1)
    seen: list[Any] = []
    page = visit("about:blank", locale="fr-FR").page
    page.on("response", lambda response: seen.append(response))
    page.goto(evening)
    page.locator("#sheet tbody tr").nth(15).wait_for()
    page.wait_for_timeout(300)
    assert LARGEST > sum(weights(seen).values()), weights(seen)


def test_what_cannot_be_is_written_all_the_same_with_a_reason(visit: Visits, evening: str) -> None:
    """Two hands of 1 are refused; a reason is asked for, and stays beside the number."""
    page = visit(evening, may_complain=True, **PHONE).page
    begin(page, evening)
    form = page.locator("#score-entry")
    for name in ("North", "East"):
        whose(page, name)
        form.get_by_role("textbox", name="Points").fill("1")
        form.get_by_role("button", name="Done").click()
    page.get_by_text("1-0 would be needed twice").wait_for()
    anyway = form.get_by_role("button", name="Write it all the same")
    expect(anyway).to_be_disabled()
    form.get_by_role("textbox", name="Why it is right").fill("two sets were mixed")
    assert [] == serious(page)
    anyway.click()
    page.locator("#sheet").get_by_text("all the same: two sets were mixed").wait_for()
    says(page, 1, "1", "1\nall the same: two sets were mixed", "")


def test_enter_writes_a_number_and_goes_on_to_the_next_player(visit: Visits, evening: str) -> None:
    """A round of the sheet for any other game, with one touch: minus points, a note."""
    page = visit(evening).page
    begin(page, evening, "Score pad", "Round 1")
    page.get_by_role("heading", name="Who?").wait_for()
    page.get_by_role("textbox", name="North").focus()
    for player, points in (("North", "10"), ("East", "−5"), ("South", "3")):
        page.get_by_role("heading", name=f"Points of {player}").wait_for()
        expect(page.get_by_role("textbox", name=player)).to_be_focused()
        if player == "East":
            page.get_by_label("Note").fill("bid nil")
        page.get_by_role("textbox", name=player).fill(points)
        page.get_by_role("textbox", name=player).press("Enter")
    page.get_by_role("heading", name="Points of North").wait_for()
    page.get_by_text("North leads by 7 points.").wait_for()
    expect(page.locator("#sheet tbody tr:first-child .sh-cell b")).to_have_text(
        ["10", "−5", "3"], use_inner_text=True
    )
    expect(page.locator("#sheet").get_by_text("“bid nil”")).to_be_visible()
    expect(page.locator("#sheet thead th").first).to_have_text("Round")
    page.get_by_role("button", name="East, round 1: −5. Correct").click()
    page.get_by_role("heading", name="Correct it: round 1").wait_for()
    field = page.get_by_role("textbox", name="East")
    expect(field).to_have_value("−5")
    field.fill("-6")
    expect(page.locator(".se-behind li")).to_have_text(["East: −6, and not −5"])
    page.get_by_role("button", name="Correct it").click()
    page.get_by_role("button", name="East, round 1: −6. Correct").wait_for()
    expect(page.locator("#sheet tfoot .sh-total td")).to_have_text(["10", "−6", "3"], use_inner_text=True)
    expect(page.locator("#sheet .sh-chart .sh-name", has_text="East −6")).to_be_visible()
    assert b",10,-6,3," in page.request.get(f"{evening}/api/v1/sheet.csv").body()
    assert -6 == page.request.get(f"{evening}/api/v1/state").json()["rows"][1]["score"]
    board = visit(f"{evening}/board").page
    expect(board.locator(".sc-ranks span")).to_have_text(["10", "3", "−6"], use_inner_text=True)


def test_a_hand_of_a_game_that_is_over_is_corrected_again_and_again(visit: Visits, evening: str) -> None:
    """Another number of the round that ended it, the same one again, and one after changing one's mind."""
    page = visit(f"{evening}/setup").page
    start(page, "score-pad", THREE, limit=100)
    for seat, points in ((1, 10), (2, 20), (3, 100)):
        score(page, seat, points)
    page.goto(evening)
    fields = page.locator("#score-entry .se-fix input")
    for name, was, now in (("North", 10, 11), ("East", 20, 21), ("East", 21, 22)):
        page.get_by_role("button", name=f"{name}, round 1: {was}. Correct").click()
        page.get_by_role("textbox", name=name).press_sequentially(f"{now}")
        page.get_by_role("button", name="Correct it").click()
        page.get_by_role("button", name=f"{name}, round 1: {now}. Correct").click()
        page.get_by_role("button", name="Never mind").click()
        expect(fields).to_have_count(0)
    assert [11, 22, 100] == [
        row["score"] for row in page.request.get(f"{evening}/api/v1/state").json()["rows"]
    ]


def test_the_big_screen_keeps_everybodys_total_when_a_sheet_is_over(visit: Visits, evening: str) -> None:
    """Under who has won, with a shower for them; a correction after the end counts there, too."""
    page = visit(f"{evening}/setup").page
    start(page, "score-pad", THREE, limit=100)
    board = visit(f"{evening}/board").page
    for seat, points in ((1, 10), (2, 20), (3, 100)):
        score(page, seat, points)
    board.get_by_role("heading", name="South wins!").wait_for()
    board.locator(".b-confetti .cf").first.wait_for(state="attached")
    expect(board.locator(".sc-ranks span")).to_have_text(["100", "20", "10"], use_inner_text=True)
    expect(board.locator(".sc-ranks .won bdi")).to_have_text(["South"])
    expect(board.locator(".sc-graph svg")).to_be_visible()
    send(page, "play", move={"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 120}]})
    board.get_by_role("heading", name="North wins!").wait_for()
    expect(board.locator(".sc-ranks span")).to_have_text(["120", "100", "20"], use_inner_text=True)


def test_the_big_screen_ranks_by_whole_rounds_while_another_is_written(visit: Visits, evening: str) -> None:
    """As its headline and its curve do: who has written first is not ahead for it, and green is one name."""
    page = visit(f"{evening}/setup").page
    start(page, "score-pad", THREE)
    board = visit(f"{evening}/board").page
    ranks = board.locator(".sc-ranks")
    for hand, seat, points in ((1, 1, 30), (1, 2, 10), (1, 3, 30), (2, 2, 50)):
        score(page, seat, points, hand)
    board.get_by_role("heading", name="Round 2").wait_for()
    expect(ranks.locator("li")).to_have_text(["1North30", "1South30", "3East10+20"])
    expect(ranks.locator(".lead bdi")).to_have_text(["North", "South"])
    expect(board.locator(".sh-name.lead")).to_have_text(["North 30", "South 30"])
    for seat in (1, 3):
        score(page, seat, 5, hand=2)
    expect(ranks.locator("li")).to_have_text(["1East60", "2North35+25", "2South35+25"])


SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


def test_the_first_tap_on_a_name_puts_the_cursor_into_its_points(visit: Visits, evening: str) -> None:
    """With the page's own keys in view, the phone's lie over none; ± turns a number, in a correction too."""
    page = visit(evening, **SMALL_PHONE).page
    begin(page, evening, "Score pad", "Round 1")
    page.locator(".se-seats button", has_text="North").tap()
    field = page.locator(".se-sum input")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    expect(field).to_have_attribute("inputmode", "none")
    turn = page.get_by_role("button", name="Plus or minus")
    for key in ("0", "1", "5", "Delete the last digit", "2"):
        page.get_by_role("button", name=key, exact=True).tap()
    turn.tap()
    expect(field).to_have_value("−12")
    page.get_by_role("button", name="Next: East").tap()
    page.get_by_role("heading", name="Points of East").wait_for()
    page.get_by_role("button", name="Never mind").tap()
    page.get_by_role("button", name="North, round 1: −12. Correct").tap()
    turn.tap()
    expect(page.get_by_role("textbox", name="North")).to_have_value("12")
    page.get_by_role("button", name="Correct it").tap()
    page.get_by_role("button", name="North, round 1: 12. Correct").wait_for()


def test_a_phone_goes_around_the_table_with_a_thumb_and_loses_nothing_that_was_typed(
    visit: Visits, evening: str
) -> None:
    """Keys and the way on stand above the tabs of a small phone; the last number ends the round."""
    page = visit(evening, **{**PHONE, "viewport": {"width": 320, "height": 568}}).page
    begin(page, evening, "Score pad", "Round 1")
    page.locator(".se-seats button", has_text="East").tap()
    heading, field = page.locator("#score-entry h2"), page.locator(".se-sum input")
    page.get_by_role("button", name="8", exact=True).tap()
    zero = page.get_by_role("button", name="0", exact=True).bounding_box()
    on = page.get_by_role("button", name="Next: South").bounding_box()
    tabs = page.locator(".tabs").bounding_box()
    assert zero["y"] + zero["height"] <= on["y"]
    assert on["y"] + on["height"] <= tabs["y"]
    assert [] == serious(page)
    page.get_by_role("button", name="Next player").tap()
    expect(heading).to_have_text("Points of South")
    expect(field).to_have_value("")
    page.get_by_role("button", name="7", exact=True).tap()
    page.get_by_role("button", name="Player before").tap()
    expect(heading).to_have_text("Points of East")
    expect(field).to_have_value("8")
    page.get_by_role("button", name="Next: South").tap()
    expect(heading).to_have_text("Points of South")
    expect(field).to_have_value("7")
    expect(page.locator(".se-seek i.in")).to_have_count(1)
    page.get_by_role("button", name="Next: North").tap()
    expect(heading).to_have_text("Points of North")
    page.get_by_role("button", name="9", exact=True).tap()
    page.get_by_role("button", name="Done").tap()
    expect(heading).to_have_text("Who?")
    says(page, 1, "9", "8", "7")


def test_on_a_wide_page_everybody_has_a_field_beside_the_sheet(visit: Visits, evening: str) -> None:
    """What is written stands in it, what was typed stays; any of them is written next, and ± is at hand."""
    page = visit(evening).page
    begin(page, evening, "Score pad", "Round 1")
    north, east, south = (page.get_by_role("textbox", name=name) for name in ("North", "East", "South"))
    north.click()
    page.keyboard.type("30")
    page.keyboard.press("Enter")
    expect(east).to_be_focused()
    page.keyboard.type("-4")
    south.click()
    page.get_by_role("heading", name="Points of South").wait_for()
    for field, says in ((north, "30"), (east, "-4"), (south, "")):
        expect(field).to_have_value(says)
    expect(north).to_be_disabled()
    expect(page.locator(".se-field[aria-current]")).to_have_text(re.compile("^3South"))
    assert [] == serious(page)
    page.keyboard.type("7")
    page.get_by_role("button", name="Plus or minus").click()
    expect(south).to_have_value("−7")
    page.get_by_role("button", name="Next: East").click()
    expect(east).to_be_focused()
    page.get_by_role("button", name="Done").click()
    says_it = page.locator("#sheet tbody tr:first-child .sh-cell b")
    expect(says_it).to_have_text(["30", "−4", "−7"], use_inner_text=True)
    widths = [one.bounding_box()["width"] for one in (north, east, south)]
    assert widths[0] == widths[1] == widths[2] >= 80


@pytest.mark.parametrize(("how", "there"), [(SMALL_PHONE, False), ({}, True)], ids=["phone", "keyboard"])
def test_a_phone_s_keys_do_not_hide_the_tiles_that_can_be_tapped(
    visit: Visits, evening: str, how: dict[str, Any], there: bool
) -> None:
    """Where nothing lies over them, the cursor is there all the same."""
    page = visit(evening, **how).page
    begin(page, evening)
    page.locator(".se-seats button", has_text="North").click()
    page.get_by_role("button", name="5-5, 10 points").wait_for()
    assert there is page.evaluate("document.activeElement.matches('.se-sum input')")
    if not there:
        done = page.get_by_role("button", name="Done").bounding_box()
        tabs = page.locator(".tabs").bounding_box()
        assert done["y"] + done["height"] <= tabs["y"], "the way on lies under nothing"


def test_the_keyboard_goes_on_where_a_round_was_written_or_a_game_was_armed(
    visit: Visits, evening: str
) -> None:
    """After the last number of a round at the first one's of the next; after *play* at what was said."""
    page = visit(f"{evening}/setup").page
    start(page, "score-pad", THREE[:2])
    page.goto(evening)
    page.get_by_role("textbox", name="North").focus()
    for name, points in (("North", "20"), ("East", "7")):
        page.get_by_role("heading", name=f"Points of {name}").wait_for()
        expect(page.get_by_role("textbox", name=name)).to_be_focused()
        page.keyboard.type(points)
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Round 2").wait_for()
    expect(page.get_by_role("textbox", name="North")).to_be_focused()
    start(page, "pig", THREE)
    play = page.locator(".go [data-do=arm]:visible:not([aria-disabled])")
    play.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict h1")).to_be_focused()


def test_an_empty_sheet_of_a_game_without_an_end_has_rows_for_an_evening(stage: Stage) -> None:
    """On paper no row is added as it comes; on the page it is as before."""
    stage.set(next(iter(moments("score-pad").values())))
    page = stage.visit().page
    rows = page.locator("#sheet tbody tr")
    expect(rows).to_have_count(1)
    page.evaluate("() => { print = () => { window.printed = document.querySelector('#sheet').innerText; }; }")
    page.get_by_role("button", name="Print it empty").click()
    assert "Round 15" in page.evaluate("window.printed")
    expect(rows).to_have_count(1)


def test_somebody_is_called_otherwise_in_all_of_the_evening(visit: Visits, evening: str) -> None:
    """East is Élodie, also in what was written; North she cannot be called, and why stands there."""
    page = visit(f"{evening}/setup", may_complain=True, **PHONE).page
    start(page, "score-pad", THREE)
    score(page, 2, 7)
    page.goto(evening)
    view(page, "Host")
    page.get_by_role("button", name="Correct a name…").click()
    dialog = page.locator("dialog#call")
    dialog.locator("label.pick", has_text="East").click()
    name = dialog.get_by_role("textbox", name="Name")
    expect(name).to_have_value("East")
    name.fill("north")
    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog.locator(".wrong")).to_have_text("“north” is there already. Add a letter to one.")
    assert [] == serious(page)
    name.fill("Élodie")
    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog).to_be_hidden()
    page.goto(f"{evening}/history")
    page.get_by_role("link", name="Round 1, Élodie: 7").wait_for()


def test_a_hand_of_somebody_who_has_left_is_corrected_in_the_history(visit: Visits, evening: str) -> None:
    """Zoë came with the average of North and South: with South's −4 that is 3. East had 8, and is gone."""
    page = visit(f"{evening}/setup", **PHONE).page
    start(page, "score-pad", THREE)
    for seat, points in ((1, 10), (2, 7), (3, 4)):
        score(page, seat, points)
    send(page, "regroup", players=["North", "South", "Zoë"])
    page.goto(f"{evening}/history")
    page.get_by_role("link", name="Round 1, South: 4").click()
    page.locator("#correct").click()
    dialog = page.locator("dialog#amend")
    field = dialog.get_by_role("textbox", name="Points")
    expect(field).to_have_value("4")
    field.fill("-4")
    expect(dialog.locator(".behind li")).to_have_text(["South: −4, and not 4", "Zoë: 3, and not 7"])
    dialog.get_by_role("button", name="Correct it").click()
    page.get_by_role("heading", name="Round 1, South: −4").wait_for()
    page.goto(f"{evening}/history")
    page.get_by_role("link", name="Round 1, East: 7").click()
    page.locator("#correct").click()
    field.fill("8")
    dialog.get_by_role("button", name="Correct it").click()
    page.get_by_role("heading", name="Round 1, East: 8").wait_for()
    assert [10, -4, 3] == [row["score"] for row in page.request.get(f"{evening}/api/v1/state").json()["rows"]]


def test_a_sheet_is_never_called_simulated_and_offers_no_zero_test(stage: Stage) -> None:
    """Nothing of it comes from noses; a game with noses that are pretended says so again at once."""
    stage.set(moments("score-pad")["score-pad 3: playing sheet CorrectHand EnterScore MarkHand"])
    page, board = (stage.visit(path).page for path in ("/", "/board"))
    for one in (page, board):
        settle(one)
        expect(one.locator(".pill.simulated")).to_be_hidden()
    zero = page.locator("#host .act[href='/zero']")
    expect(zero).to_be_hidden()
    for one in (page, board):  # two lead together, in green; all others are ink
        expect(one.locator(".sh-name.lead")).to_have_text([re.compile("^Anne.* 10$"), "Élodie 10"])
        expect(one.locator(".sh-run.lead")).to_have_count(2)
        expect(one.locator(".sh-run")).to_have_count(4)
    stage.set(SCENES["close"])
    for one in (page, board):
        expect(one.locator(".pill.simulated")).to_be_visible()
    expect(zero).to_be_visible()


NAMED = "#sheet thead th, .tk-purses .who, .se-seats span:nth-child(2)"


@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_eight_players_have_their_sheet_beside_what_they_write_and_whole_words_for_names(
    visit: Visits, evening: str, width: int
) -> None:
    """From 992 pixels on, without a way sideways; the leader is green in head, total and line."""
    page = visit(f"{evening}/setup", size=(width, 800)).page
    names = ["Mamie", "Dominique", "Anne-Sophie", "Björn", "Zoë", "Дима", "小雨", "Maximilian"]
    start(page, "score-pad", names)
    for seat, points in enumerate((5, 140, -12, 7, 0, 101, 3, 60), 1):
        score(page, seat, points)
    page.goto(evening)
    lead = page.locator("#sheet :is(th, td).lead")
    expect(lead).to_have_text(["Dominique", "140", "–"])
    expect(page.locator("#sheet .sh-chart .sh-name.lead")).to_have_text([re.compile("^Domini.* 140$")])
    green = lead.first.evaluate("one => getComputedStyle(one).color")
    inks = page.locator("#sheet td:not(.lead)").evaluate_all(
        "all => all.map(one => getComputedStyle(one).color)"
    )
    assert green not in inks
    assert [] == page.evaluate(BROKEN_OR_PARTED, NAMED)[1]
    page.get_by_text("Entries: 1").wait_for(state="attached")
    box, write = (page.locator(place).bounding_box() for place in ("#sheet table", "#score-entry"))
    if width == 360:
        assert write["y"] + write["height"] <= box["y"]
        return
    assert page.locator("#sheet .scroll").evaluate("one => one.scrollWidth <= one.clientWidth")
    assert write["x"] + write["width"] <= box["x"]
    assert write["y"] < box["y"] + box["height"]
    field = page.get_by_role("textbox", name="Björn")
    stood = field.bounding_box()
    field.click()
    on = page.get_by_role("button", name="Next: Zoë").bounding_box()
    assert stood == field.bounding_box(), "nothing moves under the pointer"
    expect(page.locator("#score-entry").get_by_role("button", name="Undo")).to_be_visible()
    assert on["y"] + on["height"] <= 800
    assert [] == serious(page)


@pytest.mark.parametrize("width", [320, 1280])
def test_no_name_is_broken_within_a_word_where_tokens_and_hands_are_written(
    visit: Visits, evening: str, width: int
) -> None:
    """A word that is too long ends in "…" and stays on its line."""
    page = visit(f"{evening}/setup", size=(width, 800)).page
    names = ["Mamie", "Dominique", "Jean-Baptiste", "Wolfeschlegelsteinhausenbergerdorff Adol"]
    start(page, "swedish-gin", names)
    page.goto(evening)
    expect(page.locator(".tk-purses .who")).to_have_text(names)
    expect(page.locator(".se-seats button")).to_have_count(4)
    assert [] == page.evaluate(BROKEN_OR_PARTED, NAMED)[1]
    assert width == page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize(("theme", "held"), [("light", 2), ("dark", 1)])
def test_where_noses_are_is_said_in_the_bar(stage: Stage, theme: str, held: int) -> None:
    """On phones once each is one; else on a page: on the one that has them, and on one that has none."""
    rows = SCENES["close"].rows[:2]
    phones = tuple(SeatPhone(row.line, "awake") for row in rows[:held])
    stage.set(msgspec.structs.replace(SCENES["close"], rows=rows, phones=phones))
    for path in ("/", "/board"):
        pill = stage.visit(path, color_scheme=theme).page.locator(".pill.simulated")
        expect(pill).to_have_text("Phones" if held == 2 else "On a page")


@pytest.mark.parametrize("path", ["/history", "/statistics", "/zero", "/devices"])
def test_on_a_phone_the_bar_cuts_neither_the_game_nor_where_noses_are(stage: Stage, path: str) -> None:
    """In French, where they are longest: the game stands in the place of our name, and that below it."""
    page = stage.visit(path, locale="fr-FR", **PHONE).page
    page.locator(".pill.simulated").wait_for()
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    assert [] == page.locator(".bar .where, .where span, .bar .pill").evaluate_all(cut)
    assert "none" == page.evaluate("getComputedStyle(document.querySelector('.bar'), '::before').display")


@pytest.mark.parametrize("game", ["score-pad", "chickenfoot", "swedish-gin"])
def test_four_short_names_are_whole_in_the_head_of_a_phones_sheet(
    visit: Visits, evening: str, game: str
) -> None:
    """On 360 px and in French; which hand it is still stands on one line."""
    page = visit(f"{evening}/setup", locale="fr-FR", **PHONE).page
    names = ["Ana", "Björn", "Zoë", "Dragan"]
    start(page, game, names)
    page.goto(evening)
    heads = page.locator("#sheet thead th:not(.left)")
    expect(heads).to_have_text(names)
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    assert [] == heads.evaluate_all(cut)
    if game != "swedish-gin":  # a contract is a sentence
        lines = "all => all.map((one) => one.getClientRects().length)"
        assert {1} == set(page.locator("#sheet tbody .about").evaluate_all(lines))
    assert 360 == page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_points_of_a_hand_stand_on_one_line_though_somebody_bought(stage: Stage, width: int) -> None:
    """Who bought has a second line below the points; the first lines of all are level."""
    stage.set(list(moments("swedish-gin").values())[-1])
    page = stage.visit("/", size=(width, 800)).page
    rows = page.locator("#sheet tbody tr")
    rows.first.wait_for()
    tops = rows.evaluate_all(
        "(all) => all.map((row) => [...row.querySelectorAll('.sh-cell b')].map((one) =>"
        " Math.round(one.getBoundingClientRect().bottom)))"
    )
    assert page.locator("#sheet td > small").count()
    assert {1} == {len(set(row)) for row in tops}


@pytest.mark.parametrize("path", ["/", "/join", "/board"])
def test_of_a_game_whose_name_is_long_the_bar_still_says_the_round(stage: Stage, path: str) -> None:
    """The name ends in "…", on one line; the round behind it is whole."""
    name = text("Fourchettes et couteaux de la maison")
    stage.set(msgspec.structs.replace(SCENES["close"], title=name, round_no=12))
    place = stage.visit(path, locale="fr-FR", **PHONE).page.locator(".where")
    expect(place).to_have_text("Fourchettes et couteaux de la maison · Manche 12")
    rights, low, space = place.evaluate(
        """(place) => {
            const round = document.createRange();
            round.selectNode(place.lastChild);
            const [box, said] = [place, round].map((one) => one.getBoundingClientRect());
            const letters = parseFloat(getComputedStyle(place).fontSize);
            round.setStart(place.lastChild, 0);
            round.setEnd(place.lastChild, 1);
            const space = round.getBoundingClientRect().width;
            return [[said.right, box.right, innerWidth], box.height / letters, space];
        }"""
    )
    assert rights == sorted(rights)
    assert low < 2
    assert space > 2, "what is between a name and its round"


@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("path", ["/", "/setup", "/history", "/zero", "/devices", "/nose", "/board"])
def test_a_note_lies_over_no_headline(stage: Stage, path: str, width: int) -> None:
    """A long one that goes by, and that the table does not answer."""
    page = stage.visit(path, size=(width, 900), locale="fr-FR").page
    page.locator("h1").first.wait_for()
    for kind, words in (
        ("note", "Quelqu’un d’autre l’a déjà changée. " * 3),
        ("note waiting", "Pas de connexion."),
    ):
        close = "" if "waiting" in kind else '<button type="button">Fermer</button>'
        says = f'<div class="{kind}"><p>{words}</p>{close}</div>'
        page.locator(".notes").evaluate("(box, says) => { box.innerHTML = says; }", says)
        note, head = (page.locator(one).first.bounding_box() for one in (".note", "h1"))
        assert note["y"] + note["height"] <= head["y"] + 2 or head["y"] + head["height"] <= note["y"]
