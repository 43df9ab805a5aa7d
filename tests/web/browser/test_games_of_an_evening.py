"""An evening has many games, others join and leave, rules are kept; and two hosts correct at once."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.games import GAMES
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings

from tests.web.browser import scenes
from tests.web.browser.conftest import PHONE, Stage, Visits, expect, settle
from tests.web.browser.test_evening import PLAYERS, headline, play, playing, ready, seated, sit, view
from tests.web.browser.test_pages import serious
from tests.web.browser.test_prompts import begin
from tests.web.browser.test_sheet import THREE, says, score, send, start


def test_the_same_people_play_again_in_one_tap(visit: Visits, evening: str) -> None:
    """Same seats, same rules, and the history has both games."""
    page = visit(f"{evening}/setup", **PHONE).page
    page.get_by_text("House rules").click()
    page.get_by_text("Sudden death", exact=True).click()
    sit(page, evening, *PLAYERS)
    ready(page)
    play(page, "1", "2", "3")
    headline(page, "North and East win!")
    page.get_by_role("button", name="Again, same people").click()
    headline(page, "First the cards.")
    expect(page.locator(".players .name > :first-child")).to_have_text(list(PLAYERS), use_inner_text=True)
    expect(page.locator(".players .word span")).to_have_count(0)  # still sudden death
    page.locator("#verdict[data-phase=ready]").wait_for()
    assert 2 == page.request.get(f"{evening}/api/v1/state").json()["game_no"]
    expect(page.locator(".where")).to_have_text("Pig · Round 1", use_inner_text=True)
    play(page, "3", "2", "1")
    headline(page, "East and Élodie win!")
    page.goto(f"{evening}/history")
    expect(page.locator(".rounds > h2 span")).to_have_text(
        ["Game 2: Pig", "Game 1: Pig"], use_inner_text=True
    )


@pytest.mark.parametrize("asked", ["Again, same people", "Play again in other seats…"])
def test_a_wish_to_play_again_that_comes_late_breaks_off_no_game_that_another_host_has_begun(
    visit: Visits, evening: str, asked: str
) -> None:
    """It was pressed after the same game; who pressed it is told to look."""
    page = visit(f"{evening}/setup").page
    start(page, "pig", PLAYERS)
    send(page, "finish")
    page.goto(evening)
    other = visit(evening, may_complain=True).page
    held: list[Any] = []
    other.route("**/api/v1/commands", lambda route: held.append(route))
    other.get_by_role("button", name=asked).click()
    if asked != "Again, same people":
        other.locator("dialog#mixed .main").click()
    page.get_by_role("button", name="Again, same people").click()
    expect(other.get_by_role("button", name="Again, same people")).to_be_hidden()
    send(page, "arm")
    page.locator("#verdict[data-phase=armed]").wait_for()
    (late,) = held
    late.continue_()
    other.get_by_text("That has just changed: look again.").wait_for()
    state = page.request.get(f"{evening}/api/v1/state").json()
    assert (2, "armed") == (state["game_no"], state["phase"])


def test_people_join_and_leave_between_games(visit: Visits, evening: str) -> None:
    """Set-up knows who sits there and how they play."""
    page = visit(evening).page
    page.goto(f"{evening}/setup")
    page.get_by_role("textbox", name="Word").fill("SOW")
    sit(page, evening, *PLAYERS)
    page.get_by_role("link", name="Another game…").last.click()
    page.wait_for_url("**/setup")
    seated(page, *PLAYERS)
    expect(page.get_by_role("textbox", name="Word")).to_have_value("SOW")
    page.get_by_label("Remove East").click()
    sit_down = page.get_by_label("A name, or a list")
    sit_down.fill("Zoë")
    sit_down.press("Enter")
    page.locator("#start").click()
    headline(page, "First the cards.")
    expect(page.locator(".players .name > :first-child")).to_have_text(
        ["North", "Élodie", "Zoë"], use_inner_text=True
    )


def test_rules_are_kept_under_a_name_taken_in_one_tap_and_forgotten(visit: Visits, evening: str) -> None:
    """They outlive the page and stand among the games."""
    page = visit(f"{evening}/setup", may_complain=True).page
    page.get_by_text("With a stock").click()
    page.get_by_role("textbox", name="Word").fill("SOW")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_text("A name has 1 to 40 letters on one line.").wait_for()
    page.get_by_label("Keep these rules under a name").fill("Sunday pig")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("button", name="Sunday pig", exact=True).wait_for()
    assert [] == serious(page)

    other = visit(f"{evening}/setup", **PHONE).page
    other.get_by_text("Another game").click()
    other.get_by_text("Donkey").first.click()
    other.get_by_role("button", name="Sunday pig", exact=True).click()
    expect(other.locator("#rules")).to_have_text("SOW · With a stock", use_inner_text=True)
    begin(other, evening, "Pig", *PLAYERS)
    expect(other.locator(".players .word").first.locator("span")).to_have_count(3)

    page.get_by_role("button", name="Forget these rules: Sunday pig").click()
    page.locator("dialog#forget .main").click()
    page.locator("#saved").wait_for(state="hidden")


def test_history_names_games_and_winners_and_folds(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty rounds in two games: the newest twelve of the newest game are there, others when asked for."""
    one = scenes.rounds()[0]
    many = tuple(
        msgspec.structs.replace(
            one,
            seq=100 + number,
            number=number,
            game=1 if number <= 20 else 2,
            title=text("Pig"),
            winners=("North", "West") if number == 20 else (),
        )
        for number in range(1, 61)
    )
    monkeypatch.setattr(Stage, "rounds", lambda self: many)
    page = stage.visit("/history", **PHONE).page
    heads = page.locator(".rounds > h2")
    expect(heads.locator("span")).to_have_text(["Game 2: Pig", "Game 1: Pig"], use_inner_text=True)
    expect(heads.locator("small")).to_have_text(
        ["Entries: 40", "won: North and West · Entries: 20"], use_inner_text=True
    )
    expect(page.locator(".rounds article")).to_have_count(12)
    page.get_by_role("button", name="Show all 40").click()
    expect(page.locator(".rounds article")).to_have_count(40)
    heads.get_by_role("button", name="Game 1: Pig").click()
    expect(page.locator(".rounds article")).to_have_count(52)
    heads.get_by_role("button", name="Game 2: Pig").click()
    expect(page.locator(".rounds article")).to_have_count(12)
    assert [] == serious(page)


def test_a_round_of_the_history_shows_that_it_opens_and_its_corrections_stand_apart(stage: Stage) -> None:
    """An arrow at the end of its line, on paper none; what can be chosen has room around it."""
    page = stage.visit("/history", **PHONE).page
    line = page.locator(".rounds article h3 a").first
    expect(line).to_be_visible()
    assert line.bounding_box()["width"] > 300
    arrow = "(one) => getComputedStyle(one, '::after').content"
    assert '""' == line.evaluate(arrow)
    page.emulate_media(media="print")
    assert "none" == line.evaluate(arrow)
    page.emulate_media(media="screen")
    line.click()
    page.get_by_role("button", name="Correct it…").click()
    boxes = [one.bounding_box() for one in page.locator("dialog[open] .kinds .pick").all()]
    assert len(boxes) > 4
    assert [8] * (len(boxes) - 1) == [
        round(below["y"] - above["y"] - above["height"]) for above, below in itertools.pairwise(boxes)
    ]


PASTE = """(field, words) => {
  const data = new DataTransfer();
  data.setData("text", words);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
}"""


def test_a_list_of_any_length_is_pasted_and_what_does_not_fit_is_said(visit: Visits, evening: str) -> None:
    """Twenty-six names, one a line; one of 41 letters stays in the field with the reason."""
    page = visit(f"{evening}/setup", **PHONE).page
    names = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    field = page.get_by_label("A name, or a list")
    field.evaluate(PASTE, "\n".join([*names, "X" * 41]))
    page.get_by_text("is longer than 40 characters: shorten it.").wait_for()
    expect(field).to_have_value("X" * 41)
    expect(page.locator(".circle [aria-pressed=true] bdi")).to_have_text(names, use_inner_text=True)
    for at in (0, 25):
        expect(page.locator(".circle i").nth(at)).to_have_text(str(at + 1))


def test_somebody_comes_and_somebody_goes_between_two_rounds(visit: Visits, evening: str) -> None:
    """Letters stay; who comes has as many as whoever has most of who stays."""
    page = playing(visit, evening, *PLAYERS, "Zoë")
    play(page, "1", "2", "4", "3")
    headline(page, "Élodie was last: P")
    page.get_by_role("button", name="Somebody comes or goes…").click()
    page.locator("dialog#people").get_by_text("East").click()
    page.get_by_label("Who comes?").fill("Noor")
    page.locator("dialog#people .main").click()
    page.locator(".players li", has_text="Noor").locator(".has").wait_for()
    expect(page.locator(".players .name > :first-child")).to_have_text(
        ["North", "Élodie", "Zoë", "Noor"], use_inner_text=True
    )
    for at, letters in enumerate((0, 1, 0, 1)):
        expect(page.locator(".players li").nth(at).locator(".has")).to_have_count(letters)


def test_enter_in_a_field_of_a_dialog_does_what_its_main_button_does(visit: Visits, evening: str) -> None:
    """And not what its first does, which is "Never mind": whoever comes, a name, a round set right."""
    page = playing(visit, evening, *PLAYERS, "Zoë")
    play(page, "1", "2", "4", "3")
    headline(page, "Élodie was last: P")
    page.get_by_role("button", name="Somebody comes or goes…").click()
    page.get_by_label("Who comes?").fill("Noor")
    page.get_by_label("Who comes?").press("Enter")
    names = page.locator(".players .name > :first-child")
    expect(names).to_have_text([*PLAYERS, "Zoë", "Noor"])
    page.get_by_role("button", name="Correct a name…").click()
    dialog = page.locator("dialog#call")
    dialog.get_by_label("Noor").check()
    dialog.get_by_role("textbox").fill("Norah")
    dialog.get_by_role("textbox").press("Enter")
    expect(names).to_have_text([*PLAYERS, "Zoë", "Norah"])
    page.goto(f"{evening}/history")
    page.get_by_role("link", name="Élodie was last: P").click()
    page.get_by_role("button", name="Correct it…").click()
    page.get_by_label("Nobody was last").check()
    page.locator("dialog#amend").get_by_label("Why?").press("Enter")
    headline(page, "Nobody was last")


def test_a_list_of_who_comes_is_as_many_people_as_it_names(visit: Visits, evening: str) -> None:
    """Typed with commas or pasted with lines; a list that is refused stays to be corrected."""
    page = playing(visit, evening, may_complain=True, **PHONE)
    view(page, "Host")
    names = page.locator(".players .name > :first-child")
    field = page.get_by_label("Who comes?")
    for typed, sits in (
        ("Eva, Farid", ["Eva", "Farid"]),
        ("Zoë\nDima Ali", ["Eva", "Farid", "Zoë", "Dima Ali"]),
    ):
        page.get_by_role("button", name="Somebody comes or goes…").click()
        expect(field).to_have_value("")
        field.evaluate(PASTE, typed)
        if "," in typed:
            field.fill(typed)
        page.locator("dialog#people .main").click()
        expect(names).to_have_text([*PLAYERS, *sits])


def test_a_name_that_is_there_already_is_said_at_its_field_and_nothing_is_lost(
    visit: Visits, evening: str
) -> None:
    """Two wishes that cannot be, one found by the page and one by the table; corrected, all of it is done."""
    page = playing(visit, evening, may_complain=True, **PHONE)
    view(page, "Host")
    page.get_by_role("button", name="Somebody comes or goes…").click()
    dialog = page.locator("dialog#people")
    field = page.get_by_label("Who comes?")
    dialog.get_by_text("East").click()
    for typed, why in (
        ("Ivo, north", "“north” is there already. Add a letter to one."),
        ("X" * 41, "1 to 40 letters"),
    ):
        field.fill(typed)
        dialog.locator(".main").click()
        expect(dialog.locator(".wrong")).to_contain_text(why)
        expect(field).to_be_focused()
        for said in (dialog.locator(".wrong"), field):  # not below the buttons, either
            bottom = said.bounding_box()
            assert bottom["y"] + bottom["height"] <= dialog.locator(".main").bounding_box()["y"]
        expect(field).to_have_value(typed)
        expect(dialog.locator("input:checked")).to_have_count(1)
    field.fill("Ivo, Norah")
    dialog.locator(".main").click()
    expect(dialog).not_to_be_visible()
    expect(page.locator(".players .name > :first-child")).to_have_text(["North", "Élodie", "Ivo", "Norah"])
    page.get_by_role("button", name="Somebody comes or goes…").click()
    expect(field).to_have_value("")
    expect(dialog.locator(".wrong")).to_be_empty()


LONG_NAMES = (
    "Maximiliane-Theodora von Hohenstein",
    "Anne-Sophie Dupont-Lefèvre",
    "Bartholomew Featherstonehaugh",
)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568)])
def test_again_is_in_view_when_a_game_ends_whatever_the_names(stage: Stage, width: int, height: int) -> None:
    """On a small phone it stays at the thumb; the others come after the rest, and none lies on another."""
    table = Scenario("pig", LONG_NAMES, settings=Settings(rearm_ns=None), sudden_death=True)
    table.arm()
    for number, player in enumerate(LONG_NAMES):
        table.press(player, 1_000 + 180_000 * number)
    table.judge()
    stage.set(table.snapshot)
    page = stage.visit(**{**PHONE, "viewport": {"width": width, "height": height}}).page
    again = page.locator("#view-play [data-do=again]")
    expect(again).to_be_in_viewport(ratio=1)
    assert height < page.evaluate("document.documentElement.scrollHeight")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    buttons = page.locator("#view-play .go > :visible")
    expect(buttons).to_have_count(4)  # two have won: a duel is offered as well
    tabs = page.locator(".tabs").bounding_box()
    boxes = [buttons.nth(at).bounding_box() for at in range(4)] + [tabs]
    for above, below in itertools.pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"]


INKED = """(path) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 240;
  const pen = canvas.getContext("2d");
  pen.scale(10, 10);
  pen.fill(new Path2D(path));
  const { data } = pen.getImageData(0, 0, 240, 240);
  const inked = [...Array(240 * 240).keys()].filter((at) => data[4 * at + 3] > 127);
  const across = inked.map((at) => at % 240), down = inked.map((at) => Math.floor(at / 240));
  const span = (all) => all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b)) + 1;
  return inked.length / (span(across) * span(down));
}"""


def test_no_game_s_emblem_is_a_filled_box(stage: Stage) -> None:
    """Of the box around it some is paper: what is cut out of a shape turns against it."""
    page = stage.visit("/setup").page
    shares = {name: page.evaluate(INKED, game.emblem) for name, game in GAMES.items()}
    assert {} == {name: share for name, share in shares.items() if not 0.1 < share < 0.85}


def test_what_was_set_up_is_forgotten_however_early_the_table_says_that_it_has_begun(
    visit: Visits, evening: str
) -> None:
    """Its word over the stream may be there before the next page: another game begins with its people."""
    page = visit(f"{evening}/setup", service_workers="block", may_complain=True).page
    page.route(f"{evening}/", lambda route: route.fulfill(status=204))  # the next page does not come
    page.get_by_label("A name, or a list").fill("Ana, Björn, Chloé")
    page.get_by_role("button", name="Add").click()
    page.locator("#start").click()
    page.locator("#running").wait_for()
    assert page.evaluate("sessionStorage.getItem('lastnose.setup')") is None


def test_who_had_not_touched_can_be_named_again_after_a_correction(visit: Visits, evening: str) -> None:
    """Zoë's hand is not down yet; the table says that it was Ana, and then that it was Zoë after all."""
    page = playing(visit, evening, "Ana", "Björn", "Zoë", size=(1280, 900))
    play(page, "1", "2")
    headline(page, "Zoë was last: P")
    page.goto(f"{evening}/history")
    page.get_by_role("link", name="Zoë was last: P").click()
    for who in ("Ana", "Zoë"):
        page.get_by_role("button", name="Correct it…").click()
        page.get_by_label("Somebody else").check()
        page.locator(".who").get_by_label(who).check()
        page.get_by_role("button", name="Correct it", exact=True).click()
        headline(page, f"{who} was last: P")


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
    one = visit(f"{evening}/setup", **PHONE).page
    start(one, "chickenfoot", THREE)
    for seat, points in enumerate((60, 44, 0), 1):
        score(one, seat, points)
    one.goto(evening)
    two = visit(evening, **PHONE).page
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
