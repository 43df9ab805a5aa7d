"""Names in every script: who is named on a page or in a picture can be read, whatever fonts there are.

Two names of two letters each look the same where a font has neither, for a box is a box.
"""

from __future__ import annotations

import msgspec
import pytest
from lastnose.companion.games import GAMES
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.views.snapshot import Snapshot
from lastnose.companion.views.statistics import Figures
from PIL import Image, ImageChops

from tests.support.fakes import FIGURES
from tests.web.browser.conftest import PHONE, Stage, expect, settle
from tests.web.browser.scenes import SCENES, crowd, rows

NOBODYS = "\U0010fffd"
TOLD_APART = """([one, other]) => {
  const drawn = (name) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `24px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(name, 10, 60);
    return pen.getImageData(0, 0, 120, 90).data.join();
  };
  return drawn(one) !== drawn(other);
}"""


@pytest.mark.parametrize("place", ["/statistics", "/statistics?evenings=all", "/"])
def test_who_is_not_in_this_game_can_be_read_too(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Figures of two who have left: in their tables, and in the table page's column."""
    gone = ("小雨", "大雪", "민준")
    players = tuple(
        msgspec.structs.replace(one, player=name) for one, name in zip(FIGURES.players, gone, strict=True)
    )

    def figures(*_: object) -> Figures:
        return msgspec.structs.replace(FIGURES, players=players)

    monkeypatch.setattr(stage, "statistics", figures)
    monkeypatch.setattr(stage, "statistics_of_all", figures, raising=False)
    page = stage.visit(place).page
    page.get_by_text("小雨").first.wait_for()
    page.wait_for_function(TOLD_APART, arg=["小雨", "大雪"])


def test_a_name_of_one_long_word_makes_no_sheet_wider_than_its_phone(stage: Stage) -> None:
    """It stands in the sentence of who deals and who starts."""
    names = ("Ana", "Wolfgangamadeusvonundzuhohensteinburgs", "Zoë")
    stage.set(Scenario("swedish-gin", names).snapshot)
    page = stage.visit(**PHONE).page
    page.locator(".rq-about p", has_text=names[1]).wait_for()
    assert 360 == page.evaluate("document.documentElement.scrollWidth")


def test_the_picture_of_a_result_has_the_letters_of_the_page(stage: Stage) -> None:
    """Pictures differ whose only difference is a name, in letters that most machines lack."""
    pictures = [picture_of(stage, name) for name in ("小雨", "大雪", "민준", "小雨")]
    assert [True, True, False] == [
        ImageChops.difference(pictures[0], other).getbbox() is not None for other in pictures[1:]
    ]


@pytest.mark.parametrize("there", [True, False])
def test_of_twenty_six_the_last_one_is_red_in_the_picture(stage: Stage, there: bool) -> None:
    """Whether it touched last or not at all."""
    won = msgspec.structs.replace(crowd(), phase="won")
    finish = won.finish
    if not there:
        *marks, last = finish.marks
        finish = msgspec.structs.replace(
            finish, marks=tuple(marks), missing=((last.seat, last.player),), margin_ns=None, u_ns=None
        )
    picture = picture_of(stage, "小雨", msgspec.structs.replace(won, finish=finish))
    red = sum(n for n, colour in picture.getcolors(1 << 20) or [] if colour == (0xC8, 0x32, 0x3C))
    assert red > 100


NUMBERED = tuple(f"Player number {n:02}" for n in range(1, 27))
# Of how many of the elements *which*, and how many of them are cut.
CUT = """(which) => {
  const all = [...document.querySelectorAll(which)].filter((one) => one.textContent.startsWith("Player"));
  return [all.length, all.filter((one) => one.scrollWidth > one.clientWidth).length];
}"""


@pytest.mark.parametrize("letters", [(0,), (1, 1, 2, 1, 3, 1, 1)])
def test_names_that_differ_at_the_end_stand_whole_on_the_big_screen(
    stage: Stage, letters: tuple[int, ...]
) -> None:
    """All 26 of them, with letters and without."""
    people = rows(NUMBERED, letters, 0)
    stage.set(msgspec.structs.replace(SCENES["armed"], rows=people))
    page = stage.visit("/board", size=(1920, 1080)).page
    expect(page.locator(".b-table li")).to_have_count(26)
    settle(page)
    assert [26, 0] == page.evaluate(CUT, ".b-table bdi")


def numbered() -> Snapshot:
    """Return a verdict of 26 whose names differ at the end."""
    scene = crowd()
    marks = tuple(msgspec.structs.replace(one, player=NUMBERED[one.seat - 1]) for one in scene.finish.marks)
    people = tuple(msgspec.structs.replace(one, player=NUMBERED[one.seat - 1]) for one in scene.rows)
    return msgspec.structs.replace(
        scene, rows=people, finish=msgspec.structs.replace(scene.finish, marks=marks)
    )


@pytest.mark.parametrize("width", [360, 1280])
def test_names_stand_whole_on_a_photo_finish_or_a_number_does(stage: Stage, width: int) -> None:
    """The opener and the last two are named, all others by seat where they have no room."""
    scene = numbered()
    stage.set(scene)
    page = stage.drawn(size=(width, 900))
    named = page.locator("photo-finish .pf-name").all_text_contents()
    first, *_, rival, last = scene.finish.marks
    assert {first.player, rival.player, last.player} <= set(named) <= set(NUMBERED)
    assert 26 == page.locator("photo-finish .pf-chip").count()


def test_a_name_whose_letters_come_later_is_measured_again(stage: Stage) -> None:
    """Six Chinese letters at the end of the axis are wider than six boxes: they end on the picture."""
    scene = SCENES["close"]
    first, *_ = scene.finish.marks
    end = msgspec.structs.replace(first, seat=5, player="小雨大雪民準", t_ns=245_000_000)
    marks = (*scene.finish.marks[:2], end, *scene.finish.marks[2:])
    finish = msgspec.structs.replace(scene.finish, marks=marks)
    stage.set(msgspec.structs.replace(scene, finish=finish))
    page = stage.visit(**PHONE).page
    page.wait_for_function(TOLD_APART, arg=["小雨", "大雪"])
    shown = page.locator("photo-finish").bounding_box()
    names = [one.bounding_box() for one in page.locator("photo-finish .pf-name").all()]
    assert [] == [one for one in names if one["x"] + one["width"] > shown["x"] + shown["width"] + 1]


def test_names_stand_whole_in_a_verdict_on_the_big_screen(stage: Stage) -> None:
    """On the replay, and below it with their letters."""
    stage.set(SCENES["judging"])
    page = stage.drawn("/board", reduced_motion="reduce")
    scene = numbered()
    stage.set(scene)
    expect(page.locator("#board[data-show=verdict] .replay")).to_have_count(1)
    named = page.locator(".replay .rp-name").all_text_contents()
    first, *_, rival, last = scene.finish.marks
    assert {first.player, rival.player, last.player} <= set(named) <= set(NUMBERED)
    below, cut = page.evaluate(CUT, ".b-few bdi")
    assert below >= 4
    assert 0 == cut


@pytest.mark.parametrize("place", ["/", "/statistics"])
def test_the_longest_name_stands_whole_beside_reactions(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Forty letters, above their line where they have no room beside it; a short one stays beside."""
    _, first, *_ = FIGURES.players
    names = ("Maximiliane-Theodora zu Hohenstein-Ernst", "Bob")
    assert 40 == len(names[0])
    players = tuple(msgspec.structs.replace(first, player=name) for name in names)
    monkeypatch.setattr(stage, "statistics", lambda: msgspec.structs.replace(FIGURES, players=players))
    page = stage.visit(place, **PHONE).page
    if place == "/":
        page.locator(".tabs [data-view=figures]").click()
    written = page.locator("#reactions :is(.rx-name, .fg-name)")
    expect(written).to_have_count(2)
    assert list(names) == sorted(written.all_text_contents(), reverse=True)
    long, short = (one.bounding_box() for one in written.all())
    upper, lower = (one.bounding_box() for one in page.locator("#reactions :is(.rx-usual, .fg-median)").all())
    assert long["x"] + long["width"] <= 360
    assert long["y"] + long["height"] <= upper["y"]
    assert short["x"] + short["width"] <= lower["x"]
    assert lower["y"] <= short["y"] + short["height"] / 2 <= lower["y"] + lower["height"]


def test_names_stand_whole_beside_the_bars_of_figures(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the narrow column of the table page at 1280, and on a phone: the bar gives way."""
    first, *_ = FIGURES.players
    players = tuple(msgspec.structs.replace(first, player=name) for name in NUMBERED)
    monkeypatch.setattr(stage, "statistics", lambda: msgspec.structs.replace(FIGURES, players=players))
    page = stage.visit().page
    expect(page.locator(".shares li")).to_have_count(26)
    assert [26, 0] == page.evaluate(CUT, ".shares bdi")
    phone = stage.visit("/statistics", **PHONE).page
    expect(phone.locator("#lasts li")).to_have_count(26)
    assert [26, 0] == phone.evaluate(CUT, "#lasts .who")


LONG = ("Maximiliane-Theodora von Hohenstein", "Donaudampfschifffahrtsgesellschaft", "Bo")


def test_a_long_name_has_two_lines_at_the_most_and_is_whole_in_its_title(stage: Stage) -> None:
    """Under a nose and in the host's list, on a phone; a short one has one line."""
    stage.set(msgspec.structs.replace(SCENES["armed"], rows=rows(LONG, (0,), 0)))
    page = stage.drawn(**PHONE)
    for view, place in (("play", ".noses .who"), ("host", ".view .seats bdi")):
        page.locator(f".tabs [data-view={view}]").click()
        names = page.locator(place)
        expect(names).to_have_count(3)
        *long, short = (one.bounding_box()["height"] for one in names.all())
        assert all(short < height <= 2 * short + 1 for height in long)
        assert list(LONG) == [one.get_attribute("title") for one in names.all()]


ARABIC, HEBREW = "عبد الرحمن المنصوري", "אברהם בן־יהודה"
WORDS = ("Bartholomew", "Wilhelmine", ARABIC, "Anne-Sophie", HEBREW, "Zoë", "Katarzyna")
# Of the elements *which*: how many, which words have two lines, what is cut, and which way each is written.
BROKEN = """(which) => {
  const all = [...document.querySelectorAll(which)];
  const lines = (text, from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
  };
  const broken = all.flatMap((one) => [...one.textContent.matchAll(/[^\\s־-]+/g)]
    .filter((word) => lines(one.firstChild, word.index, word.index + word[0].length) > 1)
    .map((word) => word[0]));
  // An accent above a capital has no room in a line that is lower.
  const low = (style) => parseFloat(style.lineHeight) < 1.2 * parseFloat(style.fontSize);
  const wide = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  const over = (one) => wide(one) || low(getComputedStyle(one));
  const cut = all.filter(over).map((one) => one.textContent);
  return [all.length, broken, cut, all.map((one) => getComputedStyle(one).direction)];
}"""
BROKEN_OR_PARTED = BROKEN.replace("־-]+", "־-]+-?")  # from its hyphen, too


@pytest.mark.parametrize(("scene", "place"), [("close", ".strip bdi"), ("armed", ".noses .who")])
def test_a_name_on_a_phone_breaks_where_its_parts_meet_and_is_whole(
    stage: Stage, scene: str, place: str
) -> None:
    """Among the letters, and under the noses: rather smaller than broken; Arabic begins at its right."""
    stage.set(msgspec.structs.replace(SCENES[scene], rows=rows(WORDS, (0, 1), 0)))
    page = stage.visit(**PHONE).page
    expect(page.locator(place)).to_have_count(len(WORDS))
    settle(page)
    ways = ["rtl" if name in (ARABIC, HEBREW) else "ltr" for name in WORDS]
    assert [len(WORDS), [], [], ways] == page.evaluate(BROKEN, place)


@pytest.mark.parametrize("width", [320, 360])
def test_no_name_of_twenty_six_is_broken_on_a_small_phone(stage: Stage, width: int) -> None:
    """One of them was last, and stands bold; another is double, of 20 letters."""
    stage.set(SCENES["crowd"])
    page = stage.visit(size=(width, 740)).page
    expect(page.locator(".strip bdi")).to_have_count(26)
    settle(page)
    assert [26, [], []] == page.evaluate(BROKEN, ".strip bdi")[:3]


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs-BA"])
def test_no_name_of_a_game_is_broken_where_it_is_chosen_on_a_small_phone(stage: Stage, language: str) -> None:
    """The button beside it gives way."""
    page = stage.visit("/setup", **PHONE, locale=language).page
    broken = {}
    for game in GAMES:
        page.locator(f"#game [value={game}]").dispatch_event("click")
        settle(page)
        broken[game] = page.evaluate(BROKEN, ".chosen b")[:2]
    assert {game: [1, []] for game in GAMES} == broken


@pytest.mark.parametrize("size", [(360, 560), (740, 360), (1280, 900)], ids=str)
def test_the_result_stands_whole_above_its_buttons(stage: Stage, size: tuple[int, int]) -> None:
    """Nothing of the dialog is beyond the screen, and nothing in it has to be scrolled to."""
    width, height = size
    stage.set(SCENES["won"])
    page = stage.visit("/statistics", size=(width, height)).page
    page.get_by_role("button", name="The result as a picture…").click()
    picture = page.locator("canvas.result").bounding_box()
    buttons = page.locator("dialog.result .do button").first.bounding_box()
    assert 0 <= picture["y"]
    assert picture["y"] + picture["height"] <= buttons["y"]
    assert buttons["y"] + buttons["height"] <= height
    assert page.locator("dialog.result").evaluate("one => one.scrollHeight <= one.clientHeight")


def test_a_chinese_name_in_a_sentence_stays_in_one_line(stage: Stage) -> None:
    """Its first letter has room at the end of a line, which is not enough."""
    page = stage.visit().page
    broken = page.evaluate(
        """() => {
          const line = document.createElement("p");
          line.style.cssText = "font: 20px monospace; width: 120px; position: absolute";
          line.innerHTML = "opened: <bdi>小雨</bdi>";
          document.body.append(line);
          return line.querySelector("bdi").getClientRects().length;
        }"""
    )
    assert 1 == broken


def picture_of(stage: Stage, name: str, won: Snapshot = SCENES["won"]) -> Image.Image:
    """Return the picture of the game that was *won*, its second player called *name*."""
    people = tuple(msgspec.structs.replace(row, player=name) if row.seat == 2 else row for row in won.rows)
    stage.set(msgspec.structs.replace(won, rows=people))
    page = stage.visits("about:blank", accept_downloads=True).page
    page.clock.set_fixed_time("2026-11-23T20:00:00")
    page.goto(f"{stage.address}/statistics")
    page.get_by_role("button", name="The result as a picture…").click()
    page.wait_for_function(TOLD_APART, arg=[name, 2 * NOBODYS])
    with page.expect_download() as found:
        page.get_by_role("button", name="Save it").click()
    with Image.open(found.value.path()) as picture:
        return picture.convert("RGB")


OUTSIDE = """() => [...document.querySelectorAll(".strip li")].flatMap((one) => {
    const [left, right] = [one.getBoundingClientRect().left, one.getBoundingClientRect().right];
    const slots = [...one.querySelectorAll(".word span")].map((slot) => slot.getBoundingClientRect());
    return slots.filter((slot) => slot.left < left - 0.5 || slot.right > right + 0.5)
        .map((slot) => slot.left);
})"""


def worded(word: str) -> Snapshot:
    """Return a verdict among four who play for so long a *word*."""
    people = tuple(
        msgspec.structs.replace(one, word=tuple(word), letters=tuple(word[: 3 * one.seat % 8]))
        for one in rows(("Ana", "Bob", "Zoë", "Dédé"))
    )
    return msgspec.structs.replace(SCENES["close"], rows=people)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("word", ["DONKEY", "MAGARAC"])
def test_a_long_word_stands_below_its_own_name(stage: Stage, width: int, word: str) -> None:
    """No letter of it reaches into the place of a neighbour, in a row of four or in two rows."""
    stage.set(worded(word))
    page = stage.visit(size=(width, 740)).page
    expect(page.locator(".strip .word span")).to_have_count(4 * len(word))
    settle(page)
    assert [] == page.evaluate(OUTSIDE)


@pytest.mark.parametrize("word", ["DONKEY", "MAGARAC"])
def test_a_long_word_pushes_nothing_off_a_phone_that_is_a_nose(stage: Stage, word: str) -> None:
    """Its slots and the sentence below end where the screen ends."""
    stage.set(worded(word))
    page = stage.visit("/nose", size=(390, 844)).page
    page.locator(".m-seats button").first.click()
    expect(page.locator(".m-say .word span")).to_have_count(len(word))
    ends = page.locator(".m-say .word span, .m-say h1, .m-say p").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert [] == [end for end in ends if end > 390]
