"""Games without noses on phones: contracts and the rules asked, a pile laid card by card, a toy sheet."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from lastnose.companion.games import GAMES

from tests.support import toy_sheet
from tests.web.browser.conftest import PHONE, WATCHER, Visits, expect
from tests.web.browser.test_evening import headline, set_up, view
from tests.web.browser.test_pages import serious
from tests.web.browser.test_sheet import THREE, says, send, start, whose

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def begin_contracts(page: Any, evening: str) -> None:
    """Set the table for three; the exact cut is one touch away, and off until then."""
    set_up(page, evening, "Swedish Gin", *THREE, switch="Exact cut")
    headline(page, "Hand 1: 2 sets of 3")


def tap(box: Any, cards: str) -> None:
    """Tap *cards* in *box*."""
    for card in cards.split():
        name = f"{card[:-1]} {SUITS[card[-1]]}"
        box.get_by_role("button", name=re.compile(f"^{name}(,|$)")).click()


def ask(page: Any, what: str) -> Any:
    """Open what can be asked of the rules; return the dialog."""
    page.get_by_role("button", name=re.compile(f"^{re.escape(what)}")).click()
    return page.get_by_role("dialog", name=what)


def test_a_hand_is_dealt_bought_and_written_with_cards(visit: Visits, evening: str) -> None:
    """Who deals is asked first; a token spent is seen on the other phone; two packs have a card twice."""
    one = visit(evening, **PHONE).page
    begin_contracts(one, evening)
    two = visit(evening, **PHONE).page
    one.locator("#prompts").get_by_role("button", name="South").click()
    two.locator("#rules-query").get_by_text("South deals, North starts.").wait_for()
    one.get_by_role("button", name="East buys; 11 cards, tokens left: 2").click()
    two.get_by_role("button", name="East buys; 13 cards, tokens left: 1").wait_for()
    two.get_by_role("button", name=re.compile("^Exact cut")).click()
    one.locator("#sheet").get_by_text("Exact cut").wait_for()
    whose(one, "North")
    one.get_by_role("button", name="North went out").click()
    whose(one, "East")
    tap(one.locator("#score-entry"), "KS KS 2D 9H")
    expect(one.locator("#score-entry output")).to_have_text("50", use_inner_text=True)
    assert [] == serious(one)
    whose(two, "South")
    tap(two.locator("#score-entry"), "KS")
    one.get_by_role("button", name="Done").click()
    two.get_by_role("button", name="K spades, 10 points").wait_for(state="detached")
    tap(two.locator("#score-entry"), "AS")
    two.get_by_role("button", name="Done").click()
    headline(one, "Hand 2: 1 set of 3 and 1 run of 4")
    says(one, 1, "0", "50\n1 buy", "15\nExact cut")
    expect(one.locator("#sheet .sh-total td")).to_have_text(["0", "50", "−85"], use_inner_text=True)
    assert 360 >= one.evaluate("document.documentElement.scrollWidth")


def test_a_hand_is_corrected_card_by_card(visit: Visits, evening: str) -> None:
    """What was tapped is there to be tapped again; a card of another player is not; a forgotten cut, too."""
    page = visit(evening, **PHONE).page
    begin_contracts(page, evening)
    whose(page, "North")
    page.get_by_role("button", name="North went out").click()
    whose(page, "East")
    tap(page.locator("#score-entry"), "KS KS 2D 9H")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="East, hand 1: 50. Correct").click()
    form = page.locator("#score-entry")
    form.get_by_role("button", name="Left with East").click()
    expect(form.locator("[aria-pressed=true]")).to_have_count(3)
    assert [] == serious(page)
    tap(form, "2D 2D 3C")  # a second, then none
    expect(form.get_by_role("textbox", name="East")).to_have_value("30")
    form.get_by_role("button", name="Left with North").click()
    expect(form.get_by_role("button", name=re.compile("^K spades"))).to_have_count(0)
    form.get_by_role("switch", name="Exact cut").check()
    form.get_by_role("button", name="Correct it").click()
    page.get_by_role("button", name="East, hand 1: 30. Correct").wait_for()
    expect(page.locator("#sheet .sh-total td")).to_have_text(["−100", "30", "0"], use_inner_text=True)
    page.get_by_role("button", name="East, hand 1: 30. Correct").click()
    form.get_by_role("textbox", name="East").fill("35")
    form.get_by_role("button", name="Correct it").click()
    page.get_by_role("button", name="East, hand 1: 35. Correct").wait_for()
    assert 360 >= page.evaluate("document.documentElement.scrollWidth")


def test_anybody_asks_the_rules_in_mid_game(visit: Visits, evening: str) -> None:
    """Who only watches, too: two jacks and no third; with it the hand lays. Nothing is written."""
    begin_contracts(visit(evening, **PHONE).page, evening)
    page = visit(evening, **{**WATCHER, **PHONE}).page
    headline(page, "Hand 1: 2 sets of 3")
    box = ask(page, "Can I lay down?")
    for width in (320, 360):  # as narrow as phones are, no card is too narrow for a finger
        page.set_viewport_size({"width": width, "height": 740})
        cards = box.locator(".se-pieces button:visible")
        assert 44 <= min(cards.evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)"))
    tap(box, "7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C")
    box.get_by_role("status").get_by_text("You cannot lay down yet: 1 card short.").wait_for()
    answers = box.locator("figure", has_text="Any of these would do")
    assert ["2 spades", "2 hearts", "2 diamonds", "2 clubs", "J spades", "J diamonds", "J clubs"] == [
        one.get_attribute("aria-label") for one in answers.locator("svg").all()
    ]
    assert [] == serious(page)
    tap(box, "JC")
    box.get_by_role("status").get_by_text("You can lay down.").wait_for()
    expect(box.locator("figure", has_text="Discard").locator("svg").first).to_be_visible()
    box.get_by_label("Hand", exact=True).select_option("4")
    box.get_by_role("status").get_by_text(re.compile("You cannot lay down yet")).wait_for()
    box.get_by_role("button", name="Done").click()
    judge = ask(page, "Is this meld legal?")
    tap(judge, "2S 2H 2D 3S 3H")
    judge.get_by_text("In each meld natural cards outnumber wilds.").wait_for()
    expect(judge.get_by_role("status").get_by_text("It is not legal.")).to_be_visible()
    expect(judge.get_by_text("SGR-4.")).to_be_visible()
    assert [] == page.request.get(f"{evening}/api/v1/rounds").json()["rounds"]


def test_what_lies_on_the_table_is_told_once_for_every_question(visit: Visits, evening: str) -> None:
    """A run is tapped together and laid there; the hand lengthens it, and it can be taken away again."""
    page = visit(evening, **PHONE).page
    begin_contracts(page, evening)
    box = ask(page, "What can I still lay?")
    box.get_by_role("button", name="Add what lies there").click()
    tap(box, "5S 6S 7S")
    box.get_by_role("button", name="On the table").click()
    tap(box, "8S KD")
    box.locator("figure", has_text="To 5♠ 6♠ 7♠").locator("svg[aria-label='8 spades']").wait_for()
    assert [] == serious(page)
    box.get_by_role("button", name="Done").click()
    other = ask(page, "Can I lay down?")
    expect(other.locator(".ly-groups svg")).to_have_count(3)
    other.get_by_role("button", name="Remove").click()
    expect(other.locator(".ly-groups svg")).to_have_count(0)


def test_the_rules_are_asked_with_the_keyboard_alone(visit: Visits, evening: str) -> None:
    """Open, tap with the space bar, hear the answer, close; what was tapped is still there afterwards."""
    page = visit(evening).page
    begin_contracts(page, evening)
    page.get_by_role("button", name=re.compile("^Is this meld legal")).focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("dialog")
    for name in ("Q spades", "K spades", "A spades"):
        box.get_by_role("button", name=name).focus()
        page.keyboard.press("Space")
    box.get_by_role("status").get_by_text("It is legal.").wait_for()
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    assert page.get_by_role("button", name=re.compile("^Is this meld legal")).evaluate(
        "one => one === document.activeElement"
    )
    page.keyboard.press("Enter")
    expect(box.locator("[aria-pressed=true]")).to_have_count(3)


def test_an_answer_that_comes_late_does_not_overwrite_a_newer_one(visit: Visits, evening: str) -> None:
    """The first question is held up; the second is answered; then the first answer arrives."""
    page = visit(evening, **PHONE).page
    begin_contracts(page, evening)
    held: list[Any] = []
    page.route("**/sheet/rules-query*", lambda route: route.continue_() if held else held.append(route))
    judge = ask(page, "Is this meld legal?")
    with page.expect_request("**/sheet/rules-query*"):
        tap(judge, "QS KS AS")
    tap(judge, "3D")
    judge.get_by_role("status").get_by_text("It is not legal.").wait_for()
    with page.expect_response("**/sheet/rules-query*"):
        held[0].continue_()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(judge.get_by_role("status").get_by_text("It is not legal.")).to_be_visible()


def begin_pile(page: Any, evening: str, names: str) -> None:
    """Set the table for a game without noses."""
    page.goto(f"{evening}/setup")
    page.locator("details#game").evaluate("one => { one.open = true; }")
    page.get_by_role("radio", name=re.compile("^Pig 10")).check()
    expect(page.locator("#after")).to_be_hidden()
    page.get_by_label("A name, or a list").fill(names)
    page.get_by_role("button", name="Add").click()
    page.locator("#start").click()
    page.get_by_role("heading", name="Ready to deal").wait_for()


def key(page: Any, name: str) -> Any:
    """Return the key of the pad that says *name*."""
    return page.locator("#pad .pd-keys button").filter(
        has=page.locator("b", has_text=re.compile(f"^{name}$"))
    )


def test_a_pile_is_laid_won_and_taken_back_on_two_phones(visit: Visits, evening: str) -> None:
    """Either phone lays the next card; a five asks what it makes; nothing of noses is shown."""
    one = visit(evening, **PHONE).page
    begin_pile(one, evening, "North, East, South")
    two = visit(evening, **PHONE).page
    one.locator("#prompts").get_by_role("button", name="East").click()
    headline(two, "East’s turn")
    expect(two.locator("#prompts")).to_be_hidden()
    key(two, "5").click()
    headline(one, "South’s turn")
    key(one, "5").click()
    which = one.locator("#pad .pd-which button")
    expect(which).to_have_count(3)
    expect(which).to_have_text(
        [re.compile(f"^{sign}") for sign in ("PIG 10!", "0", "5")], use_inner_text=True
    )
    assert [] == serious(one)
    which.first.click()
    for page in (one, two):
        headline(page, "North’s turn")
        page.locator("#pad .pd-sign", has_text="PIG 10!").wait_for()
        expect(page.locator(".players li", has_text="South").locator(".score")).to_have_text(
            "2", use_inner_text=True
        )
    expect(one.locator("photo-finish")).to_be_hidden()
    expect(
        one.locator("[data-do=arm]:visible, [data-do=void]:visible, [data-do=rearm]:visible")
    ).to_have_count(0)
    expect(one.locator("#pad button:visible").first).to_be_visible()
    heights = one.locator("#pad button:visible").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert 44 <= min(heights)
    two.locator("#pad [data-do=undo]").click()
    headline(one, "South’s turn")
    expect(one.locator("#pad .pd-sign")).to_have_text("5", use_inner_text=True)


def test_a_question_that_is_open_closes_when_somebody_else_lays(visit: Visits, evening: str) -> None:
    """What a key makes is asked of the pile as it is."""
    one = visit(evening, **PHONE).page
    begin_pile(one, evening, "North, East")
    one.locator("#prompts").get_by_role("button", name="North").click()
    key(one, "5").click()
    headline(one, "East’s turn")
    key(one, "5").click()
    one.locator("#pad .pd-which button").first.wait_for()
    two = visit(evening, **PHONE).page
    key(two, "1").click()
    headline(one, "North’s turn")
    expect(one.locator("#pad .pd-which button")).to_have_count(0)


def test_who_only_watches_sees_the_pile_and_cannot_lay(visit: Visits, evening: str) -> None:
    """The keys are shown, and none can be pressed."""
    one = visit(evening, **PHONE).page
    begin_pile(one, evening, "North, East")
    one.locator("#prompts").get_by_role("button", name="North").click()
    headline(one, "North’s turn")
    watcher = visit(evening, **WATCHER).page
    headline(watcher, "North’s turn")
    expect(watcher.locator("#pad .pd-keys button:disabled")).to_have_count(11)
    expect(watcher.locator("#pad button:enabled:visible")).to_have_count(0)


EIGHT = ["Mamie", "Dominique", "Björn", "Zoë", "Anne-Sophie", "Maximiliane-Theodora", "Čedomir", "Élodie"]


@pytest.mark.parametrize(
    ("size", "players"),
    [((360, 640), EIGHT[:4]), ((360, 740), EIGHT), ((740, 360), EIGHT)],
    ids=["four", "eight", "across"],
)
def test_every_key_and_undo_stand_above_the_tabs_of_a_phone(
    visit: Visits, evening: str, size: tuple[int, int], players: list[str]
) -> None:
    """× 640 with four players, × 740 with eight: nobody scrolls for an 8, a 9 or a 10; Undo covers none."""
    page = visit(f"{evening}/setup", size=size).page
    start(page, "pig-10", players)
    seat = 6 if len(players) > 4 else 1  # Maximiliane-Theodora
    send(page, "play", move={"type": "starts", "seat": seat})
    page.goto(evening)
    page.locator(".pd-keys button").last.wait_for()
    undo = page.locator("#pad [data-do=undo]")
    undo.wait_for()
    floor, ceiling = page.locator(".tabs").bounding_box()["y"], undo.bounding_box()
    assert ceiling["y"] + ceiling["height"] <= floor
    for key in page.locator(".pd-keys button").all():
        box = key.bounding_box()
        assert box["y"] + box["height"] <= ceiling["y"]


def test_a_toy_sheet_is_filled_in_on_the_page(
    visit: Visits, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """From set-up to the winner on two phones: cards, numbers, a sour basket, a correction, undo, a file."""
    monkeypatch.setitem(GAMES, toy_sheet.GAME.name, toy_sheet.GAME)
    evening = request.getfixturevalue("evening")
    one = visit(f"{evening}/setup", may_complain=True, **PHONE).page
    one.locator("details#game").evaluate("one => { one.open = true; }")
    one.get_by_role("radio", name="Berries").check()
    one.get_by_text("House rules").click()
    one.get_by_role("radio", name="11 points").check()
    one.get_by_label("A name, or a list").fill("North, East")
    one.get_by_role("button", name="Add").click()
    one.locator("#start").click()
    headline(one, "Hand 1: raspberries")
    two = visit(evening, **PHONE).page
    whose(one, "North")
    one.get_by_role("button", name="A hearts, 11 points").click()
    one.get_by_role("button", name="10 hearts, 10 points").click()
    expect(one.locator("#score-entry output")).to_have_text("21", use_inner_text=True)
    assert [] == serious(one)
    one.get_by_role("button", name="Done").click()
    two.get_by_role("button", name="Sour Everything counts twice.").click()
    two.get_by_text("sour", exact=True).first.wait_for()
    whose(two, "East")
    two.get_by_role("button", name="East went out").click()
    headline(one, "Hand 2: currants")
    whose(one, "North")
    one.locator("#score-entry").get_by_role("textbox", name="Points").fill("99")
    one.get_by_role("button", name="Done").click()
    one.get_by_text("There are not so many berries: 99.", exact=True).wait_for()
    one.get_by_role("button", name="Never mind").click()
    says(one, 1, "21", "0")
    expect(one.locator(".players .score").first).to_have_text("42", use_inner_text=True)
    one.locator("#score-entry [data-do=undo]").click()
    headline(two, "Hand 1: raspberries")
    view(one, "Host")
    one.locator("[data-do=redo]:visible").first.click()
    view(one, "Play")
    headline(two, "Hand 2: currants")
    two.get_by_role("button", name="North, hand 1: 21. Correct").click()
    two.get_by_role("textbox", name="North").fill("20")
    two.get_by_role("button", name="Correct it").click()
    one.get_by_role("button", name="North, hand 1: 20. Correct").wait_for()
    kept = one.request.get(f"{evening}/api/v1/sheet.json").body()
    assert "berries" == json.loads(kept)["game"]
    one.goto(f"{evening}/setup")
    file = {"name": "sheet.json", "mimeType": "application/json", "buffer": kept}
    one.locator("#take-up input").set_input_files(file)
    one.get_by_role("button", name="North, hand 1: 20. Correct").wait_for()
    assert 360 >= one.evaluate("document.documentElement.scrollWidth")
    assert [] == serious(one)
