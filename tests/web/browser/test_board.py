"""The projector: room for whatever is shown on it, and the end of a game, heard and celebrated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.games.rules.game import Guide
from lastnose.companion.games.rules.prompts import Choose, Show
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.lobby import GuestView, LobbyView
from lastnose.companion.views.snapshot import Duty, Snapshot
from lastnose.web.context import WebContext

from tests.support.game_moments import moments
from tests.web.browser.conftest import Stage, expect, settle
from tests.web.browser.scenes import CROWD, SCENES, rows

SCREENS = ((1280, 720), (1024, 768), (1366, 768), (1920, 1080))
FAULTS = (
    text("nose.3 keeps changing: check its button and wires."),
    text("The screen does not answer, and is tried again. The game goes on; the verdict is on every page."),
)
LONG = tuple(f"Maximiliane-Theodora zu Hohenstein {n:02}" for n in range(1, 27))
# Of all that is to be seen, what lies on another, or beyond the edge, by more than what rounding takes.
OVERLAPS = """() => {
  const places = [
    ".b-bar .where", ".b-also", ".b-bar .pill", ".b-faults li", ".b-says h1", ".b-says .proof",
    ".b-replay svg", ".b-few li", ".b-word", ".b-join img", ".b-join figcaption", ".dl-fan", ".dl-stay h2",
    ".dl-stack",
    ".dl-steps li", ".dl-lines li", ".stages li", ".b-table li > svg", ".b-table bdi", ".b-table small",
    ".b-table .word span", ".tb-middle b", ".tb-middle > span",
  ];
  const shown = places.flatMap((place) => [...document.querySelectorAll(place)].map((one, i) => {
    const box = one.getBoundingClientRect();
    return { name: `${place} ${i}`, box, shown: box.width > 0 && one.checkVisibility() };
  })).filter((one) => one.shown && (one.box.width || one.box.height));
  const found = [];
  for (const [i, { name, box }] of shown.entries()) {
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      found.push(`${name} leaves the screen`);
    for (const other of shown.slice(i + 1)) {
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (wide > 1 && high > 1) found.push(`${name}, ${other.name}: ${wide} x ${high} px`);
    }
  }
  return found;
}"""


# Words of the photo finish that lie on others or on a band, by more than rounding; the size of the smallest.
FINISH = """() => {
  const svg = document.querySelector("svg.replay");
  const words = [...svg.querySelectorAll("text")].map((one) => {
    const { x, width } = one.getBBox();
    const [y, size] = ["y", "font-size"].map((name) => Number(one.getAttribute(name)));
    const [top, bottom] = [y - 0.72 * size, y + 0.15 * size];
    return { name: one.textContent, left: x, right: x + width, top, bottom, size };
  });
  const bands = [...svg.querySelectorAll(".rp-band")].map((one) => {
    const { x, y, width, height } = one.getBBox();
    return { name: "a band", left: x, right: x + width, top: y, bottom: y + height };
  });
  const found = [];
  for (const [i, one] of words.entries())
    for (const other of [...words.slice(i + 1), ...bands]) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 1 && high > 1) found.push(`${one.name} lies on ${other.name}`);
    }
  const smallest = Math.min(...words.map((one) => one.size)) * svg.getBoundingClientRect().height;
  return [found, (100 * smallest) / svg.getAttribute("height") / innerHeight];
}"""


def played(
    names: tuple[str, ...], *, behind_us: int = 700, u_us: float = 1
) -> tuple[Snapshot, Snapshot, Snapshot]:
    """Return Pig before the first deal, as it is judged, and its first verdict."""
    table = Scenario("pig", names, settings=Settings(rearm_ns=None), u_us=u_us)
    ready = table.snapshot
    table.arm()
    table.press(names[0], 1_000)
    table.wait(0.01)
    judging = table.snapshot
    for number, name in enumerate(names[1:-1], 1):
        table.press(name, 180_000 + 20_000 * number)
    table.press(names[-1], 180_000 + 20_000 * (len(names) - 2) + behind_us)
    table.judge()
    return ready, judging, table.snapshot


def evenings() -> Iterator[tuple[str, tuple[Snapshot, Snapshot, Snapshot]]]:
    """Return what is shown of few and many, with short and long names, without warnings and with two."""
    number = 1
    for people in (CROWD, LONG):
        for players in (3, 5, 8, 26):
            scenes = played(people[:players])
            for faults in ((), FAULTS):
                number += 1
                ready, judging, verdict = (
                    msgspec.structs.replace(scene, faults=faults, evening=number) for scene in scenes
                )
                yield f"{players} of {people[0]}, {len(faults)} warnings", (ready, judging, verdict)


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_nothing_on_the_big_screen_lies_on_anything_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int]
) -> None:
    """Before the deal, while noses go down, at the verdict, at the next deal, at the table after it."""
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")  # there is a code for phones
    width, height = screen
    page = stage.visits("about:blank", size=(width, height), reduced_motion="reduce").page
    page.clock.install()
    page.goto(f"{stage.address}/board")
    settle(page)
    expect(page.locator(".b-join img")).to_have_count(1)
    found: dict[str, list[str]] = {}

    def look(name: str, show: str) -> None:
        expect(page.locator(f"#board[data-show={show}]")).to_have_count(1)
        page.clock.run_for(50)
        if overlaps := page.evaluate(OVERLAPS):
            found[f"{name}, {show}"] = overlaps

    for name, (ready, judging, verdict) in evenings():
        stage.set(ready)
        page.get_by_role("heading", name="First the cards.").wait_for()
        look(f"{name}, first", "deal")
        stage.set(judging)
        look(f"{name}, judging", "table")
        stage.set(verdict)
        look(name, "verdict")
        page.clock.run_for(9_000)
        look(f"{name}, next", "deal")
        page.clock.run_for(16_000)
        look(name, "table")
    assert {} == found


@pytest.mark.parametrize("screen", [*SCREENS, (768, 1024)], ids=str)
@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs-BA"])
def test_the_lobby_has_the_code_and_all_three_steps_on_the_screen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], language: str
) -> None:
    """Below a headline that makes room for them."""
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")
    stage.set(SCENES["setup"])
    page = stage.drawn("/board", size=screen, locale=language)
    steps = page.locator(".bl-way li")
    expect(steps).to_have_count(3)
    low = [box["y"] + box["height"] for box in (one.bounding_box() for one in steps.all())]
    assert max(low) <= screen[1]


@pytest.mark.parametrize("screen", [*SCREENS, (768, 1024)], ids=str)
def test_a_lobby_without_a_code_has_the_whole_screen(stage: Stage, screen: tuple[int, int]) -> None:
    """No phone can come to a table that nobody else sees; its players are typed, and no name is cut."""
    stage.set(
        msgspec.structs.replace(SCENES["setup"], lobby=LobbyView(tuple(GuestView(n, n) for n in CROWD[:4])))
    )
    page = stage.drawn("/board", size=screen)
    expect(page.locator(".bl-way")).to_have_count(0)
    names = page.locator(".bl-table bdi")
    expect(names.first).to_have_text(CROWD[0])
    assert page.locator(".bl-table").bounding_box()["width"] > 0.9 * screen[0]
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert 0 == names.evaluate_all(cut)


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_margin_and_every_name_stand_apart_from_the_bands(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int]
) -> None:
    """On wires and phones, clear and too close, any names; no words under 2.4 hundredths of the height."""
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")
    width, height = screen
    page = stage.drawn("/board", size=(width, height), reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    for number, (people, players, behind_us, u_us) in enumerate(
        product((CROWD, LONG), (3, 6, 26), (700, 16_400, 70_000), (1, 32_000)), 100
    ):
        _, judging, verdict = (
            msgspec.structs.replace(one, evening=number)
            for one in played(people[:players], behind_us=behind_us, u_us=u_us)
        )
        stage.set(judging)
        page.locator("#board[data-show=table]").wait_for()
        stage.set(verdict)
        page.locator("#board[data-show=verdict] svg.replay").wait_for()
        lies, smallest = page.evaluate(FINISH)
        small = [f"words of {smallest:.2f} hundredths of the height"] if smallest < 2.4 else []
        if lies or small:
            found[f"{players} of {people[0]}, {behind_us} ± {u_us} us"] = [*lies, *small]
    assert {} == found


CUT_OFF = """() => [...document.querySelectorAll(".b-table bdi, .b-bar .where, .b-also, .b-faults li")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


@pytest.mark.parametrize(
    ("players", "screen"), [(13, (1024, 768)), (26, (1024, 768)), (13, (1920, 1080)), (26, (1920, 1080))]
)
@pytest.mark.parametrize("people", ["one long name", "long names"])
def test_no_name_no_head_and_no_warning_is_cut_while_there_is_room(
    stage: Stage, people: str, players: int, screen: tuple[int, int]
) -> None:
    """A name that is far longer than the others is smaller than they are; a long warning has more lines."""
    names = LONG[:players] if people == "long names" else (LONG[0], *CROWD[1:players])
    _, judging, _ = played(names)
    why = text("{a}, {b} and {c} have phones that have fallen silent.", a=LONG[0], b=LONG[1], c=LONG[2])
    stage.set(msgspec.structs.replace(judging, faults=(why, *FAULTS), game_no=12, evening=70 + players))
    width, height = screen
    page = stage.drawn("/board", size=(width, height), reduced_motion="reduce")
    page.locator("#board[data-show=table] .b-table bdi").first.wait_for()
    assert [] == page.evaluate(CUT_OFF)
    assert [] == page.evaluate(OVERLAPS)


# How large each name at the table is, in pixels, and whether it is cut.
NAMES = """() => [...document.querySelectorAll(".b-table bdi")].map((one) =>
  [one.textContent, parseFloat(getComputedStyle(one).fontSize), one.scrollWidth > one.clientWidth + 1])"""


@pytest.mark.parametrize("players", [4, 7])
def test_on_a_screen_that_stands_upright_few_sit_all_around(stage: Stage, players: int) -> None:
    """One at each end, the others above and below them; the table is in the middle of its room."""
    _, judging, _ = played(CROWD[:players])
    stage.set(msgspec.structs.replace(judging, evening=60 + players))
    page = stage.drawn("/board", size=(768, 1024), reduced_motion="reduce")
    noses = [one.bounding_box() for one in page.locator(".b-table li > svg").all()]
    middle = [(round(one["x"] + one["width"] / 2), round(one["y"] + one["height"] / 2)) for one in noses]
    half, upper = middle[0][1], (players - 2 + 1) // 2
    assert len(middle) == players
    assert half == middle[1 + upper][1]
    assert all(y < half for _, y in middle[1 : 1 + upper])
    assert all(y > half for _, y in middle[2 + upper :])
    room = page.locator(".b-table").bounding_box()
    assert half == pytest.approx(room["y"] + room["height"] / 2, abs=2)
    assert [] == page.evaluate(OVERLAPS)


@pytest.mark.parametrize("screen", [(1280, 720), (1920, 1080), (768, 1024)], ids=str)
def test_at_a_table_of_3_to_26_one_name_of_forty_letters_makes_nobody_elses_smaller(
    stage: Stage, screen: tuple[int, int]
) -> None:
    """It gives way itself: theirs are as large as beside a short one, none is cut, and nothing overlaps."""
    width, height = screen
    page = stage.drawn("/board", size=(width, height), reduced_motion="reduce")
    long = "Bartholomäus-Maximilian von Hohenlohe XI"
    assert 40 == len(long)
    found: dict[int, object] = {}
    for players in range(3, 27):
        others = CROWD[1:players]
        sizes = {}
        for number, name in enumerate((CROWD[0], long)):
            _, judging, _ = played((name, *others))
            stage.set(msgspec.structs.replace(judging, evening=100 + 2 * players + number))
            expect(page.locator(".b-table bdi")).to_have_count(players)
            expect(page.locator(".b-table bdi").first).to_have_text(name)
            sizes[name] = page.evaluate(NAMES)
        if sizes[CROWD[0]][1:] != sizes[long][1:] or any(cut for _, _, cut in sizes[long][1:]):
            found[players] = sizes
        if overlaps := page.evaluate(OVERLAPS):
            found[players] = overlaps
    assert {} == found


@pytest.mark.parametrize("game", ["score-pad", "chickenfoot", "swedish-gin"])
def test_no_name_beside_a_sheet_is_cut_though_nobody_leads_yet(stage: Stage, game: str) -> None:
    """Where no hand is whole there is no curve, and the names have its room."""
    page = stage.visits("about:blank").page
    for name, shown in moments(game).items():
        stage.set(shown)
        for width, height in (*SCREENS, (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{stage.address}/board")
            settle(page)
            cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
            assert 0 == page.locator(".sc-ranks bdi").evaluate_all(cut), (name, width)


def test_a_sheet_that_begins_under_an_open_big_screen_has_its_names_at_once(stage: Stage) -> None:
    """As large as on a screen that was opened later: nothing comes before the first number is written."""
    stage.set(SCENES["setup"])
    page = stage.drawn("/board", size=(1920, 1080))
    stage.set(next(iter(moments("chickenfoot").values())))
    names = page.locator(".sc-ranks bdi")
    expect(names.first).to_be_visible()
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    at_once = names.first.evaluate(size)
    page.reload()
    settle(page)
    assert names.first.evaluate(size) == at_once > 40


def test_what_a_question_of_the_cards_is_about_is_said_once(stage: Stage) -> None:
    """Who was last is the headline already."""
    asked = [one for one in moments("vatra").values() if [type(step) for step in one.steps] == [Show, Choose]]
    stage.set(asked[0])
    page = stage.drawn("/board", size=(1920, 1080), reduced_motion="reduce")
    expect(page.get_by_role("heading", name=re.compile("which end|turned"))).to_be_visible()
    expect(page.get_by_text(str(asked[0].headline), exact=True).locator("visible=true")).to_have_count(1)


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
    proof = says.locator(".proof li")
    lines = proof.evaluate_all("all => all.map((one) => getComputedStyle(one.parentElement).display)")
    assert ["block"] * 3 == lines, "a space between sentences is one only where they are words of a line"
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
