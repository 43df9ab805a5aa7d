"""The end of a game on the projector: the replay is heard, winners are celebrated, buttons cover nothing."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.games.rules.game import Guide
from lastnose.companion.views.snapshot import Duty, Snapshot

from tests.support.game_moments import moments
from tests.web.browser.conftest import Stage, expect, settle
from tests.web.browser.scenes import SCENES, rows

SCREEN = (1920, 1080)
# Remembers the frequency of every tone, and how many seconds after now it is begun.
TONES = """
window.tones = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.tones.push([this.frequency.value, at - this.context.currentTime]);
  return begin.call(this, at);
};
"""
GUIDE = Guide((), (), text("Everybody has four"), text("Pass to the left."), ())
NOSE, LAST, WON = 988, (440, 330), (523, 659, 784, 1047)


def projector(stage: Stage) -> Any:
    """Return the big screen with its sounds on, and an ear at its tones."""
    page = stage.visits("about:blank", size=SCREEN).page
    page.add_init_script(TONES)
    page.goto(f"{stage.address}/board")
    settle(page)
    page.mouse.move(300, 300)
    page.get_by_role("button", name="Sounds").click()
    page.wait_for_function("() => window.tones.length === 2")  # what it will sound like
    return page


def test_the_end_of_a_game_is_heard_as_it_is_replayed(stage: Stage) -> None:
    """246 ms at 1 : 20: a tick a nose, who was last 1.4 s later in the lens, then the fanfare."""
    stage.set(SCENES["judging"])
    page = projector(stage)
    stage.set(SCENES["won"])
    page.wait_for_function("() => window.tones.length === 2 + 4 + 2 + 4")
    heard = page.evaluate("window.tones.slice(2)")
    assert [*[NOSE] * 4, *LAST, *WON] == [frequency for frequency, _ in heard]
    begun = [0.3, 0.3 + 3.62, 0.3 + 4.912, 0.3 + 4.92, 6.62, 6.77, *(8.52 + k * 0.14 for k in range(4))]
    first = heard[0][1] - 0.3
    assert [after - first for _, after in heard] == pytest.approx(begun, abs=0.1)


@pytest.mark.parametrize("winner", [True, False])
def test_winners_are_celebrated_for_some_seconds_and_then_it_is_still(stage: Stage, winner: bool) -> None:
    """It begins as the letter lands, 7.62 s after the verdict, for winners only; 9 s later it is over."""
    won = SCENES["won"]
    if not winner:  # the game was broken off
        won = msgspec.structs.replace(
            won, rows=tuple(msgspec.structs.replace(row, winner=False) for row in won.rows)
        )
    stage.set(SCENES["judging"])
    page = stage.visits("about:blank", size=SCREEN).page
    page.clock.install()
    page.goto(f"{stage.address}/board")
    settle(page)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    stage.set(won)
    page.wait_for_selector("#board[data-show=verdict]")
    pieces = page.locator(".b-confetti .cf")
    page.clock.run_for(7000)
    expect(pieces).to_have_count(0)
    page.clock.run_for(1500)
    expect(pieces).to_have_count(44 if winner else 0)
    page.clock.run_for(9000)
    expect(pieces).to_have_count(0)


def test_no_winner_is_left_out_for_who_was_last(stage: Stage) -> None:
    """Thirteen with long names: only two have room below the verdict."""
    names = tuple(f"Maximiliane-Theodora zu Hohenstein {n:02}" for n in range(1, 14))
    seated = (
        msgspec.structs.replace(row, out=row.seat > 2, winner=row.seat < 3) for row in rows(names, last=3)
    )
    stage.set(msgspec.structs.replace(SCENES["won"], rows=tuple(seated)))
    page = stage.drawn("/board", size=(1024, 768))
    expect(page.locator(".b-few li.won bdi")).to_have_text(list(names[:2]))


def test_the_buttons_of_the_projector_cover_nothing_of_its_line(stage: Stage) -> None:
    """It says that the table is simulated while a pointer moves, too."""
    page = stage.drawn("/board", size=SCREEN)
    page.mouse.move(300, 300)
    page.wait_for_function("() => getComputedStyle(document.querySelector('.b-do')).opacity === '1'")
    pill = page.locator(".b-bar .pill").bounding_box()
    buttons = page.locator(".b-do").bounding_box()
    assert pill["x"] + pill["width"] <= buttons["x"]
    assert buttons["x"] + buttons["width"] <= SCREEN[0]


def test_the_buttons_have_room_on_the_narrowest_screen(stage: Stage) -> None:
    """By keyboard, where they have a line of their own."""
    page = stage.drawn("/board", size=(320, 568))
    page.keyboard.press("Tab")
    buttons = page.locator(".b-do").bounding_box()
    assert 0 <= buttons["x"] <= buttons["x"] + buttons["width"] <= 320


def scored(scene: Snapshot) -> Snapshot:
    """Return *scene* in a game that counts points: 11, 22, … and no letters."""
    with_points = (
        msgspec.structs.replace(row, letters=(), word=(), score=11 * row.seat) for row in scene.rows
    )
    return msgspec.structs.replace(scene, rows=tuple(with_points))


@pytest.mark.parametrize(
    ("path", "merits"),
    [("/", "#noses .word"), ("/", ".players li > :last-child"), ("/board", ".b-few li > :first-child")],
)
def test_the_game_before_leaves_neither_its_points_nor_its_letters(
    stage: Stage, path: str, merits: str
) -> None:
    """A page that stays open through Pig, a game of points, and Pig again."""
    points = [""] * 5 if "#noses" in merits else ["11", "22", "33", "44", "55"]
    page = stage.visit(path, size=SCREEN).page
    for game_no in range(1, 5):
        letters = game_no % 2 == 1
        for name in ("judging", "won"):
            scene = msgspec.structs.replace(SCENES[name], game_no=game_no)
            stage.set(scene if letters else scored(scene))
        expect(page.locator(merits)).to_have_text(["P", "PIG", "PIG", "", "PIG"] if letters else points)


def test_nobody_is_told_to_pass_on_the_projector_before_cards_are_dealt(stage: Stage) -> None:
    """The table arms itself after a verdict; somebody deals meanwhile."""
    armed = msgspec.structs.replace(SCENES["armed"], headline=text("Noses on: deal, then play!"), guide=GUIDE)
    stage.set(armed)
    page = stage.visit("/board", size=SCREEN).page
    expect(page.locator("h1")).to_have_text("Noses on: deal, then play!", use_inner_text=True)
    stage.set(msgspec.structs.replace(armed, dealt=True))
    expect(page.locator("h1")).to_have_text("Pass to the left.", use_inner_text=True)


def test_what_has_to_be_done_first_is_the_projectors_headline_until_it_is_done(stage: Stage) -> None:
    """A phone fell silent after the verdict; where all is well the verdict stands there."""
    silent = Duty(4, "West", "nose.4", text("West is silent."), None, None)
    stage.set(msgspec.structs.replace(SCENES["close"], duty=silent))
    page = stage.visit("/board", size=SCREEN).page
    expect(page.locator("h1")).to_have_text("West is silent.", use_inner_text=True)
    stage.set(msgspec.structs.replace(SCENES["close"], duty=None))
    expect(page.locator("h1")).to_have_text("South was last: G", use_inner_text=True)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_finish_that_stands_still_is_not_called_slow_motion(stage: Stage, motion: str) -> None:
    """Whoever wants no motion sees the end at once, and nothing of a scale of time."""
    stage.set(SCENES["judging"])
    page = stage.drawn("/board", size=SCREEN, reduced_motion=motion)
    stage.set(SCENES["close"])
    expect(page.locator("svg.replay")).to_have_count(1)
    slow = page.locator("svg.replay .rp-scale", has_text="slow motion")
    expect(slow).to_have_count(int(motion != "reduce"))


def test_a_streamer_has_verdict_and_standings_on_a_ground_of_nothing(stage: Stage) -> None:
    """As large as the address says; nothing to press; each verdict at once, the letters as they land."""
    says, list_ = (stage.visit(f"/overlay/{name}?scale=2").page for name in ("verdict", "standings"))
    for page in (says, list_):
        settle(page)
        assert "rgba(0, 0, 0, 0)" == page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert "51.2px" == page.locator("main").evaluate("one => getComputedStyle(one).fontSize")
        expect(page.locator("button:visible, a:visible")).to_have_count(0)
    says.get_by_role("heading", name="South was last: G").wait_for()
    expect(says.locator("photo-finish svg")).to_be_visible()
    assert says.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(list_.get_by_role("heading")).to_be_hidden()
    expect(list_.locator("ol li")).to_have_text(
        [re.compile(each) for each in ("^NorthP", "^EastPI", "^SouthPIG", "^West$", "^ÉlodiePIG")]
    )
    expect(list_.locator("li.last")).to_have_text(re.compile("^South"))
    sheet = moments("score-pad")["score-pad 3: playing sheet CorrectHand EnterScore MarkHand"]
    stage.set(sheet)
    expect(says.locator("photo-finish")).to_be_hidden()
    best = sorted(sheet.rows, key=lambda row: (row.place, row.seat))
    expect(list_.locator("ol li")).to_have_text([f"{row.place}{row.player}{row.score}" for row in best])
    lost = stage.visit("/overlay/tables", may_complain=True).page
    lost.get_by_text("There are overlays for verdict and standings.").wait_for()
