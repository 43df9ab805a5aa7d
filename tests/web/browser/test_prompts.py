"""What games ask beside the noses: punishments, a quiz, a ruling, spoons, and a game that nobody knows."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Arm, LeaveOut, Play
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.prompts import ChooseSeat
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.snapshot import Step

from tests.support import toy
from tests.support.game_moments import moments
from tests.support.page_table import waiting_for_south
from tests.support.streams import eventually
from tests.table.test_duel import duel
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect
from tests.web.browser.scenes import CROWD, SCENES
from tests.web.browser.test_evening import PLAYERS, again, decided, headline, play, ready, set_up, view
from tests.web.browser.test_pages import serious


def begin(page: Any, evening: str, game: str, *names: str) -> None:
    """Choose *game*, set the table for *names* (or who sits there already) and start."""
    set_up(page, evening, rf"{game}\b(?! \d)", *names)
    page.locator("#verdict[data-phase=ready]").wait_for()
    ready(page)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a minute in place of ten seconds: a busy machine is slower than people."""

    def asked(*what: Any, within_s: int = 0, **more: Any) -> ChooseSeat:
        return ChooseSeat(*what, within_s=6 * within_s, **more)

    monkeypatch.setattr("lastnose.companion.games.magarac_family.game.ChooseSeat", asked)


@pytest.mark.usefixtures("unhurried")
def test_who_did_not_shout_is_flagged_in_one_tap_and_each_flag_can_be_taken_back(
    visit: Visits, evening: str
) -> None:
    """The round is judged again from the same presses; undo judges it back."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Magarac", *PLAYERS)
    expect(page.locator("#prompts")).to_be_hidden()
    play(page, "1", "3", "2")
    headline(page, "East was last: M")
    asked = page.locator("#prompts")
    expect(asked.get_by_text("Can be said until the next round is judged")).to_be_visible()
    expect(asked.locator(".left")).to_have_text(re.compile(r"^[1-6]?\d s$"))
    asked.get_by_role("button", name="North").click()
    page.locator(".players li", has_text="North").locator(".word .has").wait_for()
    expect(asked.get_by_role("button")).to_have_text(["2 East", "3 Élodie"], use_inner_text=True)
    view(page, "Host")
    page.locator("[data-do=undo]:visible", has_text="North did not shout").click()
    view(page, "Play")
    page.locator(".players li", has_text="East").locator(".word .has").wait_for()
    headline(page, "East was last: M")


def test_the_table_counts_ten_seconds_down_for_each_page_and_then_the_host_may_still_say_it(
    stage: Stage,
) -> None:
    """MAG-4: a page that is opened late has what is left; then the question is among what the host may do."""
    table = Scenario("magarac", PLAYERS, settings=Settings(rearm_ns=None))
    table.arm()
    for name, at_us in zip(PLAYERS, (0, 700_000, 400_000), strict=True):
        table.press(name, at_us=at_us)
    table.wait(1)
    stage.set(table.snapshot)
    page = stage.drawn(**PHONE)
    headline(page, "East was last: M")
    left = page.locator("#prompts .left")
    expect(left).to_have_text("10 s")
    expect(page.locator("#host .moves button", has_text="Did not shout")).to_have_count(0)
    table.wait(6.5)
    stage.set(table.snapshot)
    expect(left).to_have_text("4 s")
    expect(stage.drawn(**PHONE).locator("#prompts .left")).to_have_text("4 s")
    table.wait(3.5)
    stage.set(table.snapshot)
    page.locator("#prompts").wait_for(state="hidden")
    view(page, "Host")
    page.locator("#host .moves button", has_text="Did not shout").click()
    page.locator("dialog#seats").get_by_text("North").click()
    page.locator("dialog#seats").get_by_role("button", name="Did not shout").click()
    assert eventually(
        lambda: [Play({"type": "did-not-shout", "seat": 1})] == [said for said, _ in stage.commands]
    )


def test_a_punishment_is_played_card_by_card(visit: Visits, evening: str) -> None:
    """A card is named, an end said, suits tapped; the table waits, and the sum stays with the player."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Vatra", *PLAYERS)
    play(page, "1", "2", "3")
    said = page.locator("#verdict h1")
    expect(said).to_have_text("Élodie was last", use_inner_text=True)
    steps = page.locator("#steps")
    expect(steps.locator(".st-card")).to_have_count(12)
    steps.get_by_role("button", name="Q spades").click()
    steps.get_by_role("button", name="From the top").click()
    steps.get_by_role("button", name="Hammer").click()
    steps.get_by_text("♠ 1 ♥ 0 ♦ 0 ♣ 0").wait_for()  # an answer to what was asked before would be refused
    steps.get_by_role("button", name="Pat").click()
    steps.get_by_text("♠ 1 ♥ 1 ♦ 0 ♣ 0").wait_for()
    expect(page.locator("[data-do=arm]:visible")).to_have_count(0)
    assert [] == serious(page)
    steps.get_by_role("button", name="The card!").click()
    page.locator("[data-do=arm]:visible").wait_for()
    row = page.locator(".players li", has_text="Élodie")
    expect(row.locator(".score")).to_have_text("1", use_inner_text=True)
    row.locator(".also").wait_for()  # once the fingers are off the noses
    expect(said).to_have_text("Élodie was last", use_inner_text=True)
    page.goto(f"{evening}/history")
    expect(page.locator(".rounds .step")).to_have_count(5)


def test_a_joker_and_suits_are_drawn(stage: Stage) -> None:
    """No sign that a phone may lack or show as a toy."""
    stage.set(SCENES["asked"])
    page = stage.drawn()
    expect(page.locator("#steps").get_by_role("button", name="joker").locator("path")).to_have_count(2)
    expect(page.locator("#steps .st-show .sign")).to_have_count(4)


def test_who_only_watches_is_asked_nothing(stage: Stage) -> None:
    """The question is shown, and no answer can be tapped."""
    stage.set(SCENES["asked"])
    page = stage.drawn(**WATCHER)
    expect(page.get_by_text("What was turned?")).to_be_visible()
    expect(page.locator("#steps button:enabled, #prompts button:enabled")).to_have_count(0)


def test_the_green_button_is_the_question_as_long_as_one_is_open(stage: Stage) -> None:
    """It leads to the first card; to play is possible, but no longer the green one."""
    stage.set(moments("vatra")["vatra 4: verdict Choose ChooseCard ChooseSeat Show"])
    page = stage.drawn(**PHONE)
    green = page.locator("#view-play .go .main:visible")
    expect(green).to_have_text(["Élodie, name a card"])
    expect(page.locator("#view-play [data-do=arm]")).to_be_visible()
    expect(green).not_to_have_attribute("aria-disabled", "true")
    green.click()
    expect(page.locator("#steps .st-card").first).to_be_focused()


def test_the_green_button_leads_to_the_question_from_the_host_s_view_too(stage: Stage) -> None:
    """On a phone the question stands in another view."""
    stage.set(moments("vatra")["vatra 4: verdict Choose ChooseCard ChooseSeat Show"])
    page = stage.drawn(**PHONE)
    view(page, "Host")
    green = page.locator("#view-host .go .main:visible")
    expect(green).to_have_text(["Élodie, name a card"])
    expect(green).not_to_have_attribute("aria-disabled", "true")
    green.click()
    expect(page.locator("#steps .st-card").first).to_be_focused()


def test_a_contested_round_is_decided_before_the_game_is_played_again(stage: Stage) -> None:
    """Only then it is known who has won; to play again is possible, but not the green one."""
    says = "Round 9 is contested: keep it, or void it."
    stage.set(msgspec.structs.replace(SCENES["won"], contest=Step(61, text(says))))
    page = stage.drawn(**PHONE)
    green = page.locator("#view-play .go .main:visible")
    expect(green).to_have_text([says])
    expect(green).to_have_attribute("href", "/history/61")
    expect(page.locator("#view-play [data-do=again]")).to_be_visible()
    stage.set(SCENES["won"])
    expect(green).to_have_text(["Again, same people"])


def test_a_question_is_opened_answered_wrongly_by_one_and_rightly_by_another(
    visit: Visits, evening: str
) -> None:
    """East is wrong, and it is open for North and South at once; X closes the second question."""
    page = visit(evening).page
    begin(page, evening, "Quiz", "North", "East", "South")
    board = visit(f"{evening}/board").page
    expect(board.locator("h1")).to_have_text("Question 1")
    close = page.locator("#view-play [data-do=close]")
    expect(close).to_be_hidden()
    page.get_by_role("button", name="Open the noses").click()
    expect(board.locator("h1")).to_have_text("Buzz!")
    expect(close).to_have_text("Nobody")
    page.keyboard.down("2")
    decided(page)
    page.keyboard.up("2")
    headline(page, "East was first")
    expect(close).to_be_hidden()
    keys = page.locator("#view-play .ruling button")
    expect(keys.locator("span")).to_have_text(["Right", "Wrong", "Nobody"])
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    headline(page, "Wrong. Who else?")
    page.keyboard.down("3")
    headline(page, "South was first")
    page.keyboard.up("3")
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("y")
    headline(page, "Right: South, + 10 points")
    expect(page.locator(".players .score")).to_have_text(["0", "0", "10"])
    page.get_by_role("button", name="Open the noses").click()
    headline(page, "Buzz!")
    page.keyboard.press("x")
    headline(page, "Nobody")


def test_the_figures_beside_a_quiz_are_of_who_was_first(visit: Visits, evening: str) -> None:
    """East is first of one question, and wrong; South of two; North, asked twice, of none."""
    page = visit(evening, size=(1920, 1080)).page
    begin(page, evening, "Quiz", "North", "East", "South")
    page.get_by_role("button", name="Open the noses").click()
    headline(page, "Buzz!")
    for key, name, ruled, says in (
        ("2", "East", "n", "Wrong. Who else?"),
        ("3", "South", "y", "Right: South, + 10 points"),
    ):
        page.keyboard.down(key)
        headline(page, f"{name} was first")
        page.keyboard.up(key)
        page.wait_for_timeout(SEEN_MS)
        page.keyboard.press(ruled)
        headline(page, says)
    expect(page.locator("#lasts h3")).to_have_text("Was first of the rounds each played", use_inner_text=True)
    expect(page.locator("#lasts li")).to_have_text(["East1 of 1", "South1 of 2", "North0 of 2"])


def test_the_host_sees_whose_phone_is_waited_for_and_goes_on_without_it(stage: Stage) -> None:
    """A large button, and W on a keyboard; everybody reads "Stop!", and whose phone it is only the host."""
    stage.set(waiting_for_south().shown)
    page, board = stage.visit(**PHONE).page, stage.visit("/board").page
    headline(page, "Stop! Somebody has pressed")
    expect(page.locator("#view-play .duty")).to_have_text("Waiting for South’s phone.")
    expect(board.locator("h1")).to_have_text("Stop! Somebody has pressed")
    expect(board.get_by_text("South’s phone")).to_have_count(0)
    without = page.locator("#view-play [data-do=without]")
    expect(without).to_have_text("Play this round without South")
    expect(without).to_be_in_viewport()
    expect(page.locator("#view-play [data-do=arm]")).to_be_hidden()
    page.wait_for_timeout(SEEN_MS)
    without.click()
    assert eventually(lambda: 1 == len(stage.commands))
    page.keyboard.press("w")
    assert eventually(lambda: 2 == len(stage.commands))
    seen = page.evaluate("fetch('/api/v1/state').then((answer) => answer.json())")["seq"]
    assert [LeaveOut((3,), seen)] * 2 == [command for command, _ in stage.commands]


SEEN_MS = 600  # what has just come up under the fingers is not pressed yet


def test_the_host_rules_by_large_keys_and_by_the_keyboard(visit: Visits, evening: str) -> None:
    """Nothing is counted before; N says wrong; the board keeps the name until the table has ruled."""
    page = visit(evening).page
    begin(page, evening, "Snap", "North", "East", "South")
    board = visit(f"{evening}/board").page
    play(page, "2")
    headline(page, "East was first")
    expect(board.locator("h1")).to_have_text("East was first")
    keys = page.locator("#view-play .ruling button")
    expect(keys.locator("span")).to_have_text(["Right", "Wrong", "Too late"])
    expect(page.locator(".players .score").nth(1)).to_have_text("0")
    phone = visit(evening, **PHONE).page
    key = phone.locator("#view-play .ruling button", has_text="Right")
    key.wait_for()
    phone.wait_for_timeout(SEEN_MS)
    key.click()
    headline(page, "Right: East")
    expect(board.locator("h1")).to_have_text("Right: East")
    expect(page.locator(".players .score").nth(1)).to_have_text("1")
    play(page, "3")
    keys.first.wait_for()
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    headline(page, "Wrong: South")
    expect(page.locator("#view-play .ruling")).to_be_hidden()


def test_both_halves_of_a_double_click_rule_on_the_same_call(stage: Stage) -> None:
    """North and East answer both: the second click, too, says that it has seen North asked."""
    table = Scenario("quiz", ("North", "East", "South"), tie="both", wrong=3)
    table.arm()
    table.press("North", at_us=0)
    table.press("East", at_us=1)
    table.judge()
    stage.set(table.snapshot)
    page = stage.visit().page
    said: list[Any] = []
    page.on("request", lambda asked: said.append(asked.post_data_json) if asked.method == "POST" else None)
    key = page.locator("#view-play .ruling button", has_text="Wrong")
    key.wait_for()
    page.wait_for_timeout(SEEN_MS)
    key.dblclick()
    wrong = {"type": "play", "move": {"type": "ruled", "value": "wrong"}, "seq": table.snapshot.seq}
    page.wait_for_timeout(0)
    assert [wrong] * 2 == [one for one in said if one and one.get("type") == "play"]


def bottom(page: Any, within: str) -> float:
    """Return where the lowest of *within* ends."""
    lowest: float = page.locator(within).evaluate_all(
        "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    return lowest


@pytest.mark.parametrize(("count", "high"), [(4, 740), (6, 740), (8, 740), (4, 640), (6, 640)])
def test_all_noses_stay_above_the_keys_while_a_finger_is_down(stage: Stage, count: int, high: int) -> None:
    """On a phone of 360 px, with the clock beside the name: no row of noses lies under a key."""
    names = ("North", "Dominique", "South", "West", "Ana", "Björn", "Zoë", "Emma")[:count]
    table = Scenario("quiz", names, settings=Settings(rearm_ns=None))
    table.arm()
    table.press("Dominique", at_us=1_000_000)
    table._promise(table._start_ns + 1_001_000_001)
    assert "judging" == table.snapshot.phase
    stage.set(table.snapshot)
    page = stage.visit(**{**PHONE, "viewport": {"width": 360, "height": high}}).page
    headline(page, "Stop! Somebody has pressed")
    table.wait(0.5)
    assert table.snapshot.ruling is not None
    assert table.snapshot.rows[1].held
    stage.set(table.snapshot)
    keys = page.locator("#view-play .ruling")
    keys.wait_for()
    assert count == page.locator("#noses .nose:visible").count()
    assert bottom(page, "#noses .who") <= keys.evaluate(
        "one => one.closest('.go').getBoundingClientRect().top"
    )


@pytest.mark.parametrize(
    ("game", "count", "width", "height"),
    [
        *((game, n, 740, 360) for game in ("pig", "quiz", "egyptian-ratscrew") for n in (4, 8)),
        *(("pig", n, *size) for n in (15, 26) for size in ((740, 360), (667, 375))),
    ],
)
def test_all_noses_stand_beside_what_to_do_on_a_phone_held_across(
    stage: Stage, game: str, count: int, width: int, height: int
) -> None:
    """Instructions and buttons of a game take none of the 360 px that noses need, up to 26 of them."""
    names = ("North", "Dominique", "South", "West", "Ana", "Björn", "Zoë", "Emma")
    table = Scenario(game, names[:count] if count <= len(names) else CROWD[:count])
    table.arm()
    stage.set(table.snapshot)
    page = stage.visit(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True).page
    page.locator("#noses .nose").last.wait_for()
    assert count == page.locator("#noses .nose:visible").count()
    assert bottom(page, "#noses .who") <= page.locator(".tabs").evaluate(
        "one => one.getBoundingClientRect().top"
    )
    reached = page.locator("#noses .nose").evaluate_all(
        """all => all.filter((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            return one.contains(document.elementFromPoint(x + width / 2, y + height * 0.8));
        }).length"""
    )
    assert count == reached


def test_the_nose_of_who_was_first_is_green_until_it_is_said_what_that_was_worth(stage: Stage) -> None:
    """Red is the last; where the first is asked nobody is. The green is that of "was first" elsewhere."""
    table = Scenario("quiz", ("North", "East", "South"), wrong=3)
    table.arm()
    table.press("East", at_us=0)
    table.judge()
    stage.set(table.snapshot)
    page = stage.visit(color_scheme="light", reduced_motion="reduce").page
    page.locator("#view-play .ruling:visible").wait_for()
    seen = "all => all.map((one) => getComputedStyle(one).fill)"
    assert ["none", "rgb(31, 107, 74)", "none"] == page.locator("#noses .body:visible").evaluate_all(seen)
    table.move(type="ruled", value="right")
    stage.set(table.snapshot)
    page.locator("#view-play .ruling").wait_for(state="hidden")
    assert "rgb(31, 107, 74)" not in page.locator("#noses .body").evaluate_all(seen)


def test_a_nose_that_was_too_early_does_not_look_as_if_it_counted(stage: Stage) -> None:
    """North touched before the signal of a duel: hollow on the page, said on the board. East is filled."""
    table = duel(ms=4_000)
    table.table.execute(Arm(), "host")
    table.press("North", at_us=500_000)
    table.release("North", at_us=600_000)
    table.wait(6)
    assert ("armed", "Now!") == (table.snapshot.phase, str(table.snapshot.headline))
    assert [True, False] == [row.locked for row in table.snapshot.rows]
    stage.set(table.snapshot)
    page, board = stage.visit().page, stage.visit("/board").page
    headline(page, "Now!")
    fills = page.locator("#noses .nose ellipse.body").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).fill)"
    )
    assert "none" == fills[0]
    assert "none" != fills[1]
    expect(board.locator(".counts")).to_have_count(1)
    expect(board.get_by_text("too early")).to_have_count(1)


# In one go, so that no busy machine comes between: longer than a bounce, shorter than what counts as taken.
TAKES_AND_PUTS_BACK = """(spoon) => {
  const press = (code) => spoon.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
  press("Space");
  for (const begun = performance.now(); performance.now() < begun + 40; );
  press("Enter");
}"""


def race(page: Any) -> None:
    """Let the third player and the first take a spoon and touch their noses; the second is left without."""
    for cradle, nose in ((2, "3"), (1, "1")):
        page.get_by_role("button", name=f"Cradle {cradle}", exact=True).tap()
        page.locator("#verdict[data-phase=judging]").wait_for()
        page.wait_for_timeout(40)
        page.keyboard.down(nose)
        page.wait_for_timeout(40)
    decided(page)
    headline(page, "East was last: X")


def test_a_round_of_spoons_is_played_on_the_page(visit: Visits, evening: str) -> None:
    """Take one, touch the nose; who has none was last. Then all of them are laid back in one tap."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Spoons", *PLAYERS)
    cradles = page.locator("#rack .cradle")
    expect(cradles).to_have_count(2)
    lay = page.get_by_role("button", name="Lay all of them back")
    expect(lay).to_be_hidden()
    page.get_by_role("button", name="Everybody has 4: play").click()
    page.locator("#view-play[data-shows=race]").wait_for()
    race(page)
    for nose in "31":
        page.keyboard.up(nose)
    for at in (0, 1):
        expect(cradles.nth(at)).to_have_attribute("aria-pressed", "true")
    page.locator("photo-finish .pf-taken").nth(2).wait_for()  # two on the axis, one in the legend
    assert [] == serious(page)
    play = page.get_by_role("button", name="Everybody has 4: play")
    lay.wait_for()
    expect(play).to_be_hidden()  # one green button: first the spoons, then the cards
    lay.click()
    play.wait_for()
    expect(lay).to_be_hidden()
    again(page)
    for at in (0, 1):
        expect(cradles.nth(at)).to_have_attribute("aria-pressed", "false")


def test_a_spoon_that_is_put_back_at_once_was_never_taken(visit: Visits, evening: str) -> None:
    """Also with the keyboard; the round goes on, and the verdict tells of a feint."""
    page = visit(evening, **PHONE).page
    begin(page, evening, "Spoons", *PLAYERS)
    page.get_by_role("button", name="Everybody has 4: play").click()
    page.locator("#view-play[data-shows=race]").wait_for()
    spoon = page.locator("#rack .cradle").first
    spoon.evaluate(TAKES_AND_PUTS_BACK)
    expect(spoon).to_have_attribute("aria-pressed", "false")
    race(page)
    page.locator("#verdict").get_by_text("1 feint: back at once.").wait_for()


def test_each_game_has_a_picture_of_its_own(visit: Visits, evening: str) -> None:
    """Forks and knives are no spoons."""
    drawn = []
    page = visit(evening).page
    for game in ("Spoons", "Forks and Knives"):
        begin(page, evening, game, *(PLAYERS if not drawn else ()))
        drawn.append(page.locator("#rack .cradle path").first.get_attribute("d"))
    assert drawn[0] and drawn[1] and drawn[0] != drawn[1]


def test_a_toy_game_plays_on_the_page(
    visit: Visits, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """From set-up to the question at its end: pebbles, a thank you, and what is fetched."""
    monkeypatch.setitem(GAMES, toy.GAME.name, toy.GAME)
    evening = request.getfixturevalue("evening")
    page = visit(f"{evening}/setup", **PHONE).page
    page.get_by_text("Another game").click()
    page.get_by_text("Pebbles", exact=True).last.click()
    page.get_by_text("House rules").click()
    page.get_by_text("Polite", exact=True).click()
    begin(page, evening, "Pebbles", "North", "East")
    for number in range(3):
        play(page, "1", "2")
        if number == 0:
            headline(page, "East was last")
            expect(page.locator(".players .score").last).to_have_text("1", use_inner_text=True)
            view(page, "Host")
            page.get_by_role("button", name="Said thank you…").click()
            page.locator("dialog#seats").get_by_label("East").check()
            page.locator("dialog#seats .main").click()
            view(page, "Play")
            page.locator(".players .score", has_text="0").nth(1).wait_for(state="attached")
        again(page)
    play(page, "1", "2")
    headline(page, "East loses.")
    steps = page.locator("#steps")
    expect(steps.get_by_text("What shall it be?")).to_be_visible()
    assert [] == serious(page)
    steps.get_by_role("button", name="Tea").click()
    steps.wait_for(state="hidden")
    view(page, "Host")
    page.locator("[data-do=undo]:visible").click()
    view(page, "Play")
    steps.get_by_text("What shall it be?").wait_for()
    page.get_by_role("button", name="Again, same people").click()
    page.locator("#verdict[data-phase=ready]").wait_for()


@pytest.mark.parametrize("place", ["#prompts .chips button", "#steps .st-choices button"])
def test_a_second_tap_of_a_quick_finger_answers_no_question_that_has_just_come(
    stage: Stage, place: str
) -> None:
    """Somebody else stands where who did not shout stood, or the next card is asked for: then it waits."""
    asked = SCENES["asked"]
    silent = msgspec.structs.replace(asked.acts[0], seats=asked.acts[0].seats[1:])
    stage.set(asked)
    page = stage.visit(**PHONE).page
    quick = "place => [...document.querySelectorAll(place)].find(one => one.getClientRects().length).click()"
    page.locator(place).first.wait_for()
    page.evaluate(quick, place)
    assert eventually(lambda: 1 == len(stage.commands))
    stage.set(
        msgspec.structs.replace(
            asked, acts=(silent, *asked.acts[1:]), steps=asked.steps[1:], seq=asked.seq + 1
        )
    )
    page.locator(f"{place}[aria-disabled=true]").first.wait_for()
    page.evaluate(quick, place)
    page.locator(f"{place}:not([aria-disabled])").first.click()
    assert eventually(lambda: 2 == len(stage.commands))
    assert [asked.seq, asked.seq + 1] == [
        command.seq for command, _ in stage.commands if isinstance(command, Play)
    ]
