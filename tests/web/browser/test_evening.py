"""A whole first evening through the page, a real table and fingers; twenty-six noses on one page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Start
from lastnose.companion.system import host_clock

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import LINES, PHONE, Visits, expect, settle

PLAYERS = ("North", "East", "Élodie")


def sit(page: Any, evening: str, *names: str) -> None:
    """Set the table for *names* and start."""
    page.goto(f"{evening}/setup")
    for name in names:
        page.get_by_label("A name, or a list").fill(name)
        page.get_by_label("A name, or a list").press("Enter")
    page.locator("#start").click()
    page.locator("#verdict[data-phase=ready]").wait_for()


def set_up(page: Any, evening: str, game: str, *names: str, switch: str = "") -> None:
    """Choose *game*, a pattern, and *switch* on; set the table for *names*, or who sits there, and start."""
    page.goto(f"{evening}/setup")
    page.locator("details#game").evaluate("one => { one.open = true; }")
    page.get_by_role("radio", name=re.compile(f"^{game}")).check()
    if switch:
        option = page.locator("#at-hand").get_by_role("switch", name=switch)
        expect(option).not_to_be_checked()
        option.check()
    if names:
        page.get_by_label("A name, or a list").fill(", ".join(names))
        page.get_by_role("button", name="Add").click()
    page.locator("#start").click()


def ready(page: Any) -> None:
    """Wait until the page knows the host's clock."""
    with page.expect_response(lambda answer: "/clock" in answer.url and answer.request.method == "POST"):
        page.reload()
    settle(page)


def playing(visit: Visits, evening: str, *names: str, **how: Any) -> Any:
    """Open a page, start a game there of the three, or of *names*, and return it once it knows the clock."""
    page = visit(evening, **how).page
    sit(page, evening, *(names or PLAYERS))
    ready(page)
    return page


def seated(page: Any, *names: str) -> None:
    """Wait until these, and nobody else, sit in set-up's list in this order."""
    fields = page.locator(".seatlist input")
    expect(fields).to_have_count(len(names))
    for at, name in enumerate(names):
        expect(fields.nth(at)).to_have_value(name)


class Fingers:
    """Fingers on the noses of a page, put down and taken away together."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def touch(self, *seats: int) -> None:
        """Put a finger on the nose of each of *seats* in the same instant."""
        middles = [self._middle(self._page.locator(f".nose[data-line='nose.{seat}']")) for seat in seats]
        self._send("touchStart", [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(middles)])

    @staticmethod
    def _middle(nose: Any) -> tuple[float, float]:
        """Return where *nose* is once it is seen: a page that is drawn again has none for a moment."""
        box = None
        while box is None:
            nose.wait_for()
            box = nose.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def lift(self) -> None:
        """Take all of them away."""
        self._send("touchEnd", [])


def play(page: Any, *keys: str) -> None:
    """Say play, press *keys* in this order, 30 ms apart, and let go once the verdict is there."""
    if page.locator("#verdict").get_attribute("data-phase") not in ("armed", "judging"):
        again(page)
    for key in keys:
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    decided(page)
    for key in keys:
        page.keyboard.up(key)


def decided(page: Any) -> None:
    """Wait for the verdict; a void round says why."""
    page.locator("#verdict:not([data-phase=armed], [data-phase=judging])").wait_for(state="attached")
    said = page.locator("h1").inner_text(), page.locator(".proof").inner_text()
    assert page.locator("#verdict").get_attribute("data-phase") in ("verdict", "dead-heat", "won"), said


def again(page: Any) -> None:
    """Arm the next round now."""
    page.locator("[data-do=arm]:not([aria-disabled])").first.dispatch_event("click")
    page.locator("#verdict[data-phase=armed]").wait_for(state="attached")


def view(page: Any, name: str) -> None:
    """Turn to the view *name* of the table."""
    page.get_by_role("navigation", name="Table").get_by_role("button", name=name).click()


def headline(page: Any, words: str) -> None:
    """Wait for the sentence *words*."""
    page.get_by_role("heading", name=words, exact=True).wait_for()


def same_on_the_tape(page: Any) -> None:
    """A touch of a key is sure to 4 ms, beside its edge; how long after another to the sum of both."""
    touches = page.locator("#tape tbody tr").filter(has=page.get_by_role("cell", name="down", exact=True))
    expect(touches).to_have_count(3)
    own, both = re.compile(r"^±\s4(\.[01])?\sms$"), re.compile(r"^\d+(\.\d)?\sms\s±\s[89](\.\d)?\sms$")
    expect(touches.locator("td:nth-child(4)")).to_have_text([own] * 3, use_inner_text=True)
    expect(page.locator("#order td:nth-child(2)")).to_have_text(["0", both, both], use_inner_text=True)


@pytest.mark.journey
def test_a_first_evening(visit: Visits, evening: str) -> None:
    """From the empty table to the winners, on a phone, with undo, a void and a correction on the way."""
    page = visit(evening, **PHONE).page
    headline(page, "Who plays?")
    expect(page.get_by_text("In the order you sit")).to_be_visible()
    sit(page, evening, *PLAYERS)
    ready(page)

    play(page, "1", "3", "2")
    headline(page, "East was last: P")
    expect(page.get_by_text("North opened.")).to_be_visible()
    expect(page.locator(".players li.last .seat")).to_have_text(["2"], use_inner_text=True)
    sure_ns = page.request.get(f"{evening}/api/v1/state").json()["finish"]["u_ns"]
    assert sure_ns >= 8_000_000, "two keys of 4 ms each, and what a busy machine adds"

    view(page, "Host")
    page.locator("[data-do=undo]:visible").click()
    page.locator("#verdict[data-phase=ready], #verdict[data-phase=armed]").wait_for(state="attached")
    expect(page.locator(".players .has")).to_have_count(0)
    page.locator("[data-do=redo]:visible").click()
    view(page, "Play")
    headline(page, "East was last: P")

    again(page)
    play(page, "2", "1", "3")
    headline(page, "Élodie was last: P")
    view(page, "Host")
    page.get_by_role("button", name="It does not count…").click()
    expect(page.get_by_text("taken out of the count")).to_be_visible()
    page.get_by_role("button", name="A nose slipped").click()
    page.locator("dialog#void .main").click()
    view(page, "Play")
    headline(page, "This round does not count.")
    expect(page.get_by_text("A nose slipped").first).to_be_visible()

    page.goto(f"{evening}/history")
    page.get_by_role("link", name="East was last: P").click()
    page.wait_for_url("**/history/*")
    settle(page)
    same_on_the_tape(page)
    page.get_by_role("button", name="Correct it…").click()
    page.get_by_label("Somebody else").check()
    page.locator(".who").get_by_label("North").check()
    expect(page.get_by_text("Everything after it is counted again.")).to_be_visible()
    page.get_by_role("button", name="Correct it", exact=True).click()
    headline(page, "North was last: P")
    expect(page.get_by_text("corrected", exact=True)).to_be_visible()

    page.goto(evening)
    ready(page)
    for letter in "IG":
        again(page)
        play(page, "3", "2", "1")
        if letter == "I":
            headline(page, "North was last: I")
    headline(page, "East and Élodie win!")
    expect(page.locator(".players li.won .seat")).to_have_text(["2", "3"], use_inner_text=True)
    page.goto(f"{evening}/history")
    expect(page.locator(".rounds article")).to_have_count(4)
    figures(page, evening)


def figures(page: Any, evening: str) -> None:
    """Look at the figures of that evening: what was corrected, and the letters I and G, are North's."""
    page.goto(f"{evening}/statistics")
    page.locator("#lasts", has_text="3 of 3").wait_for()
    lasts = page.locator("#lasts li").filter(has_text="North").locator(".n")
    expect(lasts).to_have_text("3 of 3", use_inner_text=True)
    expect(page.locator(".escapes li").first).to_be_visible()


# What the page itself hears: a tap that Playwright holds back, as its target has moved, comes no further.
COUNTS_TAPS = """addEventListener("pointerdown", (event) => {
  const where = event.target.closest("button, [data-line], input");
  const what = where?.dataset.line ?? where?.textContent ?? "beside";
  sessionStorage.taps = `${sessionStorage.taps ?? ""}${what}|`;
});"""


def test_four_taps_after_the_names_bring_the_first_verdict(visit: Visits, evening: str) -> None:
    """Play with three; everybody has four; two noses. What was looked at earlier does not matter."""
    page = visit(evening, **PHONE).page
    page.add_init_script(COUNTS_TAPS)
    page.evaluate("localStorage.setItem('lastnose.view', 'host')")
    page.goto(evening)
    for name in PLAYERS:
        page.get_by_label("A name, or a list").fill(name)
        page.get_by_label("A name, or a list").press("Enter")
    page.get_by_role("button", name="Play Pig with 3").wait_for()  # Enter clicks too, in its own time
    settle(page)
    page.evaluate("delete sessionStorage.taps")
    with page.expect_response(lambda answer: "/clock" in answer.url and answer.request.method == "POST"):
        page.get_by_role("button", name="Play Pig with 3").tap()
    page.locator("#guide .now").get_by_text("North deals 4 cards each.").wait_for()
    page.get_by_role("button", name="Everybody has 4: play").tap()
    page.locator("#view-play[data-shows=race]").wait_for()
    settle(page)
    fingers = Fingers(page)
    for seat in (1, 3):
        fingers.touch(seat)
        page.locator(f".nose.down[data-line='nose.{seat}']").wait_for()
        page.wait_for_timeout(40)  # no finger is quicker, and what is shorter than 1 ms is a glitch
        fingers.lift()
    headline(page, "East was last: P")
    taps = page.evaluate("sessionStorage.taps").split("|")
    assert ["Play Pig with 3", "Everybody has 4: play", "nose.1", "nose.3", ""] == taps


def test_the_button_says_with_how_many_it_begins_also_while_a_name_is_typed(
    visit: Visits, evening: str
) -> None:
    """A name that is there, or twice in the list, is nobody more; a number before a name is no part of it."""
    page = visit(evening, **PHONE).page
    field, button = page.get_by_label("A name, or a list"), page.locator("#start span")
    field.fill("1. North, 2) East")
    expect(button).to_have_text("Play Pig with 2")
    field.press("Enter")
    for words, n in (("É", 3), ("north", 2), ("É, west, West", 4), ("", 2), ("3. Élodie", 3)):
        field.fill(words)
        expect(button).to_have_text(f"Play Pig with {n}")
    page.get_by_role("button", name="Play Pig with 3").tap()
    page.locator("#guide .now").get_by_text("North deals 4 cards each.").wait_for()
    expect(page.locator("#players .players > *")).to_have_count(3)


@pytest.mark.parametrize("comes", [True, False], ids=["after the stream", "never"])
def test_who_starts_the_first_game_plays_even_where_the_stream_is_faster_than_the_answer(
    visit: Visits, evening: str, comes: bool
) -> None:
    """Whatever was looked at before; the page that was for setting the table hears of the game, too."""
    page = visit(evening, may_complain=not comes, **PHONE).page
    page.evaluate("localStorage.setItem('lastnose.view', 'host')")
    page.get_by_label("A name, or a list").fill(", ".join(PLAYERS))
    page.get_by_label("A name, or a list").press("Enter")
    asked: list[Any] = []
    page.route("**/api/v1/commands", lambda route: asked.append(route))
    with page.expect_request("**/api/v1/commands"):
        page.get_by_role("button", name="Play Pig with 3").tap()
    while not asked:  # the route is told after the request
        page.wait_for_timeout(10)
    answer = asked[0].fetch()
    page.locator("#running").get_by_text("Pig is being played.").wait_for()
    expect(page.locator("#start")).to_be_disabled()
    if comes:
        asked[0].fulfill(response=answer)
    else:
        asked[0].abort()
    page.locator("#guide .now").get_by_text("North deals 4 cards each.").wait_for()
    assert 1 == len(asked)


PRESSES_AT_ONCE = """addEventListener("DOMContentLoaded", () =>
  new MutationObserver((_, observer) => {
    const button = [...document.querySelectorAll("[data-do=arm]")].find((one) => one.offsetHeight);
    if (!button) return;
    observer.disconnect();
    button.click();
    document.documentElement.dataset.pressed = "yes";
  }).observe(document.documentElement, { subtree: true, childList: true, attributes: true }));"""


def test_the_second_press_of_two_that_started_a_game_does_not_say_that_all_have_cards(
    visit: Visits, evening: str
) -> None:
    """The button stands where that of set-up stood; people cannot have seen it yet."""
    opened = visit(evening, **PHONE)
    page = opened.page
    page.add_init_script(PRESSES_AT_ONCE)
    sit(page, evening, *PLAYERS)
    page.locator("html[data-pressed]").wait_for()
    sent = [one for one in opened.asked if one.endswith("/commands")]
    assert 1 == len(sent), "the game itself"
    expect(page.locator("#view-play")).to_have_attribute("data-shows", "deal")
    page.get_by_role("button", name="Everybody has 4: play").tap()
    page.locator("#view-play[data-shows=race]").wait_for()


def test_a_verdict_moves_no_nose_under_the_fingers(visit: Visits, evening: str) -> None:
    """No button comes between them before all fingers are off."""
    page = playing(visit, evening, **PHONE)
    page.get_by_role("button", name="Everybody has 4: play").tap()
    page.locator("#view-play[data-shows=race]").wait_for()
    boxes = [page.locator(f".nose[data-line='nose.{seat}']") for seat in (1, 2, 3)]
    before = [box.bounding_box()["y"] for box in boxes]
    fingers = Fingers(page)
    fingers.touch(1, 2)
    decided(page)
    after = [box.bounding_box()["y"] for box in boxes]
    assert before == pytest.approx(after, abs=2), "a letter that lands may be a pixel higher than its slot"
    assert not page.locator("#view-play [data-do=arm]").is_visible()
    fingers.lift()
    page.locator("#view-play [data-do=arm]").wait_for()


def test_one_tap_that_everybody_has_cards_turns_every_page(visit: Visits, evening: str) -> None:
    """Also the big screen, which shows which cards to take until then."""
    page, other = (visit(evening, **PHONE).page for _ in range(2))
    sit(page, evening, *PLAYERS)
    board = visit(f"{evening}/board", **PHONE).page
    board.locator("[data-show=deal]").wait_for()
    other.locator("#view-play[data-shows=deal]").wait_for()
    page.get_by_role("button", name="Everybody has 4: play").tap()
    for one in (page, other):
        one.locator("#view-play[data-shows=race] .nose").first.wait_for()
    board.locator("[data-show=table]").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (1366, 768), (1024, 768)])
@pytest.mark.parametrize("more", [("Marguerite-Élise",), ("West", "Björn", "Ana")])
def test_on_a_small_desktop_no_step_lies_behind_the_button(
    visit: Visits, evening: str, width: int, height: int, more: tuple[str, ...]
) -> None:
    """Cards to take and all four steps in one look; the noses with them, or after them where it is low."""
    page = playing(visit, evening, *PLAYERS, *more, size=(width, height))
    page.locator("#guide .todo li").nth(3).wait_for()
    settle(page)
    bottoms = page.locator("#guide .todo li p").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    go = page.locator("#view-play .go").bounding_box()
    assert max(bottoms) <= go["y"]
    assert go["y"] + go["height"] <= height
    page.get_by_role("button", name="Everybody has 4: play").click()
    page.locator("#view-play[data-shows=race] .nose").first.wait_for()
    settle(page)
    names = page.locator("#noses .who").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert max(names) <= height


def test_a_new_game_turns_every_phone_to_what_to_do_now(visit: Visits, evening: str) -> None:
    """The host began it on the host's view, and was asked first; the other phone looked at figures."""
    page = playing(visit, evening, **PHONE)
    other = visit(evening, **PHONE).page
    view(other, "Figures")
    view(page, "Host")
    page.get_by_role("button", name="Start it again…").tap()
    expect(page.get_by_text("Its rounds stay in the history.")).to_be_visible()
    page.locator("dialog#restart .main").tap()
    for one in (page, other):
        one.locator("#view-play").wait_for()
        expect(one.locator("body")).to_have_attribute("data-view", "play")
    expect(page.locator(".players .has")).to_have_count(0)


def test_two_fingers_at_once_are_a_dead_heat(visit: Visits, evening: str) -> None:
    """Both touches carry one time; a page is sure to a millisecond only, so nobody gets the letter."""
    page = playing(visit, evening, **PHONE)
    again(page)
    page.keyboard.down("1")
    page.wait_for_timeout(60)
    fingers = Fingers(page)
    fingers.touch(2, 3)
    expect(page.locator(".nose.down[data-line='nose.2'], .nose.down[data-line='nose.3']")).to_have_count(2)
    decided(page)
    headline(page, "Dead heat: East and Élodie")
    expect(page.locator(".players .has")).to_have_count(0)
    fingers.lift()
    expect(page.locator(".nose.down[data-line='nose.2'], .nose.down[data-line='nose.3']")).to_have_count(0)
    page.keyboard.up("1")
    page.locator("photo-finish .pf-both").wait_for()  # once all fingers are off the noses


@pytest.mark.parametrize("screen", [PHONE, {}], ids=["phone", "desktop"])
def test_a_key_while_cards_go_round_opens_nothing_and_the_page_says_so(
    visit: Visits, evening: str, screen: dict[str, Any]
) -> None:
    """Before the first deal and between two rounds; it is no press of the round after it."""
    page = playing(visit, evening, **screen)
    headline(page, "First the cards.")
    said = page.locator("#view-play .early")
    expect(said).to_be_hidden()
    page.keyboard.press("1")
    expect(said).to_have_text("Not yet, North: the noses are off.")
    expect(page.locator("#verdict")).to_have_attribute("data-phase", "ready")
    play(page, "3", "2", "1")
    headline(page, "North was last: P")
    expect(said).to_be_hidden()
    page.wait_for_timeout(3_500)  # longer than a table of wires takes to arm itself
    page.keyboard.press("2")
    expect(said).to_have_text("Not yet, East: the noses are off.")
    headline(page, "North was last: P")
    play(page, "1", "2", "3")
    headline(page, "Élodie was last: P")


def test_set_up_says_what_is_wrong_where_it_is_and_loses_nothing(visit: Visits, evening: str) -> None:
    """Too few, the same name twice, an empty name, a word too long; and a reload keeps the names."""
    page = visit(f"{evening}/setup", **PHONE).page
    field = page.get_by_label("A name, or a list")
    page.locator("#start").click()
    page.get_by_text("Pig, 3 players or more; here 26 at most; you have 0.").wait_for()
    field.fill("Ada, Bo; Cy")
    page.get_by_role("button", name="Add").click()
    field.fill("ada")
    page.get_by_role("button", name="Add").click()
    page.get_by_text("“Ada” is there already. Add a letter to one.").wait_for()
    expect(field).to_have_value("ada")
    field.fill("")
    page.get_by_text("Seats, names and noses").click()
    page.get_by_label("Name: seat 2").fill("")
    page.locator("#start").click()
    page.get_by_text("Type a name first.").wait_for()
    page.get_by_label("Name: seat 2").fill("Bo")
    page.get_by_text("House rules").click()
    page.get_by_role("textbox", name="Word").fill("THIRTEENLETTERS")
    page.locator("#start").click()
    page.get_by_text("1 to 12 letters, please.").wait_for()
    assert page.url.endswith("/setup")
    page.reload()
    seated(page, "Ada", "Bo", "Cy")


def test_players_are_seated_with_buttons_keys_and_by_dragging(visit: Visits, evening: str) -> None:
    """Three ways to the same order, and focus stays on what was used."""
    page = visit(f"{evening}/setup").page
    page.get_by_label("A name, or a list").fill("Ada, Bo, Cy")
    page.get_by_role("button", name="Add").click()

    page.get_by_label("Move Cy up").click()
    seated(page, "Ada", "Cy", "Bo")
    page.get_by_label("Seat 1: drag to move Ada").press("ArrowDown")
    seated(page, "Cy", "Ada", "Bo")
    expect(page.get_by_label("Seat 2: drag to move Ada")).to_be_focused()

    def drag(grip: str, by: int) -> None:
        box = page.get_by_label(grip).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 20, box["y"] + 20 + by, steps=12)
        page.mouse.up()

    drag("Seat 3: drag to move Bo", -105)
    seated(page, "Bo", "Cy", "Ada")
    drag("Seat 1: drag to move Bo", 55)
    seated(page, "Cy", "Bo", "Ada")
    drag("Seat 2: drag to move Bo", -55)
    seated(page, "Bo", "Cy", "Ada")
    page.get_by_label("Remove Cy").click()
    seated(page, "Bo", "Ada")


def test_options_reach_the_game_and_names_are_remembered(visit: Visits, evening: str) -> None:
    """A word of one's own on the table; next time one tap adds a name."""
    page = visit(f"{evening}/setup").page
    page.get_by_role("textbox", name="Word").fill("ÂNE")
    sit(page, evening, *PLAYERS)
    expect(page.locator(".players .word").first).to_have_attribute("aria-label", "no letter yet")
    expect(page.locator(".players .word").first.locator("span")).to_have_count(3)
    ready(page)
    play(page, "1", "2", "3")
    headline(page, "Élodie was last: Â")
    page.goto(f"{evening}/setup")
    page.get_by_role("button", name="North", exact=True).click()
    page.get_by_role("button", name="North", exact=True).click()
    expect(page.locator(".seatlist input").last).to_have_value("North")
    expect(page.locator(".circle i")).to_have_text(["3", "1", "2"], use_inner_text=True)


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_nose_works_from_the_keyboard_with_focus(visit: Visits, evening: str, key: str) -> None:
    """Held while the key is held."""
    page = playing(visit, evening)
    nose = page.get_by_role("button", name="Nose of East, seat 2")
    nose.focus()
    page.keyboard.down(key)
    page.locator(".nose[data-line='nose.2'][aria-pressed=true]").wait_for()
    page.keyboard.up(key)
    page.locator(".nose[data-line='nose.2'][aria-pressed=false]").wait_for()


NAMES = tuple(f"P{number}" for number in range(1, 27))
TABLET = {"viewport": {"width": 1024, "height": 1366}, "has_touch": True, "is_mobile": True}
ACROSS = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1920, "height": 1080}}
SCREENS = {"phone": PHONE, "across": ACROSS, "tablet": TABLET, "desktop": DESKTOP}
PLACES = """() => [...document.querySelectorAll(".noses .nose")].map((nose) => {
  const { left, top, width } = nose.getBoundingClientRect();
  return [left, top + scrollY, width].map(Math.round);
})"""
OVER = ("verdict", "void")


def begin(evening: Served, players: int) -> None:
    """Start Pig among so many players."""
    evening.table.submit(Start("pig", NAMES[:players], {}, LINES[:players]), "host").result(60)


def arm(page: Any) -> None:
    """Ask for a round on the page, and wait until it is armed there."""
    page.locator("[data-do=arm]:not([aria-disabled]):visible").first.wait_for()
    page.evaluate("[...document.querySelectorAll('[data-do=arm]')].find((go) => go.offsetHeight).click()")
    page.locator("#verdict[data-phase=armed]").wait_for(state="attached")


def held(evening: Served) -> list[int]:
    """Return the seats whose noses are held."""
    return [row.seat for row in evening.table.snapshot.rows if row.held]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("players", [4, 26])
def test_no_nose_moves_from_the_arming_to_the_verdict(visit: Visits, screen: str, players: int) -> None:
    """Whatever sentence and photo finish say above them; twice, as the first verdict fills more room.

    Nor for a fault that comes and goes meanwhile.
    """
    with served(LINES, tokens=False) as evening:
        begin(evening, players)
        page = visit(evening.address, **SCREENS[screen]).page
        report = evening.table.reporter("a wire")

        def press(level: int, *seats: int) -> None:
            for seat in seats:
                evening.source.drive(f"nose.{seat}", level, host_clock.now_ns(), StampWorth(1_000))

        def places(phases: str) -> list[list[int]]:
            page.locator(f"#verdict:is({phases})").wait_for(state="attached")
            page.wait_for_function("() => document.querySelector('.noses .nose')?.offsetHeight > 0")
            return list(page.evaluate(PLACES))

        others = range(2, players)
        for _ in range(2):
            arm(page)
            armed = places("[data-phase=armed]")
            press(1, 1)
            assert _near(armed, places("[data-phase=judging]"))
            report(text("A touch was reported too late: the round may be void."))
            expect(page.locator(".faults li")).to_be_in_viewport()
            assert _near(armed, places("[data-phase=judging]"))
            report(None)
            expect(page.locator(".faults li")).to_have_count(0)
            press(1, *others)
            assert _near(armed, places("[data-phase=verdict], [data-phase=dead-heat], [data-phase=void]"))
            press(0, 1, *others)
            assert eventually(lambda: not held(evening))
        visit.close()


def _near(before: list[list[int]], after: list[list[int]]) -> bool:
    """Return whether no nose has moved by more than the pixel that rounding takes."""
    pairs = zip(before, after, strict=True)
    return all(abs(a - b) <= 1 for one, other in pairs for a, b in zip(one, other, strict=True))


def test_a_round_of_twenty_six_on_one_page_ends_and_leaves_no_nose_held(visit: Visits) -> None:
    """Ten keys and fifteen fingers, nobody at nose 26: it was last. A page held up too long is named instead.

    Twice in a row: no round hangs, and none begins with a nose that was let go.
    """
    with served(LINES, tokens=False) as evening:
        begin(evening, 26)
        page = visit(evening.address, **TABLET).page
        fingers = Fingers(page)
        for _ in range(2):
            arm(page)
            assert [] == held(evening)
            for key in "1234567890":
                page.keyboard.down(key)
            fingers.touch(*range(11, 26))
            assert pumped(page, lambda: evening.table.snapshot.phase in OVER), evening.table.snapshot.headline
            shown = evening.table.snapshot
            if shown.phase == "verdict":
                assert ([26], 25) == ([seat for seat, _ in shown.finish.missing], len(shown.finish.marks))
            else:
                assert any("phone or computer" in str(one) for one in (shown.headline, *shown.proof))
            fingers.lift()
            for key in "1234567890":
                page.keyboard.up(key)
            assert pumped(page, lambda: not held(evening))
        visit.close()


def pumped(page: Any, done: Callable[[], bool]) -> bool:
    """Return whether *done* comes true while the page goes on."""

    def turned() -> bool:
        page.evaluate("1")
        return done()

    return eventually(turned)
