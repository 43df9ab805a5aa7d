"""Pages for everybody: no finding of an audit, keys alone, light, and what comes next in sight."""

from __future__ import annotations

import itertools
import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Arm
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.prompts import EnterScore
from lastnose.companion.system import host_clock
from lastnose.companion.testing.scenario import Scenario
from lastnose.web.context import WebContext

from tests.support.game_moments import moments
from tests.support.page_audit import HALL, LOOKS, PARTS, Auditor, Shown, audit, served_hall, whole
from tests.support.page_figures import LINES, begin, cost
from tests.support.streams import eventually
from tests.support.tables import served
from tests.web.browser.conftest import PHONE, Stage, Visits, expect, settle
from tests.web.browser.noses import SMALL
from tests.web.browser.scenes import ARMED, CLOSE, CROWD, SCENES
from tests.web.browser.test_board import FAULTS
from tests.web.browser.test_sheet import score, start

# What stands beside the name is in its line whole, or not at all: else the name is cut for it.
NAME_IS_READ = """who => {
    const [line, beside] = [who, who.lastElementChild].map((one) => one.getBoundingClientRect());
    return !beside.width || beside.right <= line.right + 1 || beside.top >= line.bottom - 1;
}"""


@pytest.mark.parametrize("path", ["/", "/nose", "/setup"])
def test_a_page_has_no_finding(chromium: Any, stage: Stage, path: str) -> None:
    """Axe with its best practices, in every look; thumbs and eyes; on the desktop Tab to everything."""
    auditor = Auditor(chromium, "fr-FR", stage, stage.address)
    assert [] == list(audit(auditor, Shown(path, path, CLOSE), LOOKS))
    auditor.close()


def test_what_a_hall_prints_is_white_paper_on_a_dark_screen_too(chromium: Any) -> None:
    """Cards, signs, winners, lists, results and certificates, in every look."""
    with served_hall() as (_, address):
        auditor = Auditor(chromium, "fr-FR", None, address)
        paths = [path for path in HALL if path.startswith(("/print/", "/results"))]
        assert [] == [says for path in paths for says in audit(auditor, Shown(path, path), LOOKS)]
        auditor.close()


def test_a_table_s_result_is_not_under_its_buttons_on_a_phone_held_across(chromium: Any) -> None:
    """The organiser's phone has 360 pixels for them all: they come after it."""
    with served_hall() as (_, address):
        auditor = Auditor(chromium, "en-GB", None, address)
        auditor.show(Shown("one table", "/", None, ("#tables button",)))
        page = auditor.page
        page.set_viewport_size({"width": 740, "height": 360})
        last = page.locator("#table-dialog tbody tr").last.locator("td").first
        last.scroll_into_view_if_needed()
        assert last.evaluate(
            """(one) => {
                const { x, y, width, height } = one.getBoundingClientRect();
                return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            }"""
        )
        auditor.close()


def test_what_a_phone_says_is_read_whole_after_it_was_turned(chromium: Any, stage: Stage) -> None:
    """A round that does not count and a warning: upright they need a smaller size."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("void, seated", "/nose", SCENES["void"], (".m-seats button",)))
    page = auditor.page
    page.locator("#seat .m-proof li").first.wait_for()
    for width, height in ((740, 740), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => innerWidth === width", arg=width)
        page.evaluate(
            "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )
        said = page.locator(".m-say").evaluate("one => one.scrollHeight - one.clientHeight")
        assert said <= 1, (width, height)
    auditor.close()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
@pytest.mark.parametrize("scene", ["close", "heat", "armed", "won"])
def test_what_a_phone_says_is_read_whole_in_letters_twice_as_large(
    stage: Stage, scene: str, width: int, height: int
) -> None:
    """Name, words and the sign that the table hears it; the nose keeps its half while it counts."""
    stage.set(SCENES[scene])
    page = stage.visit("/nose", **{**PHONE, "viewport": {"width": width, "height": height}}).page
    page.locator(".m-seats button", has_text="North").tap()
    page.locator("#sure:visible").wait_for()
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.evaluate("() => dispatchEvent(new Event('resize'))")
    over = "one => Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth)"
    for place in (".m-say", ".m-who bdi"):
        assert page.locator(place).evaluate(over) <= 1, place
    assert page.locator(".m-who").evaluate(NAME_IS_READ)
    assert page.locator("#link").bounding_box()["width"] >= 20
    nose = page.locator("#nose").bounding_box()
    assert scene == "won" or nose["height"] / height >= 0.46 or nose["width"] / width >= 0.45


@pytest.mark.parametrize("path", ["/print/winners", "/results"])
def test_what_is_on_paper_has_the_same_colours_on_a_dark_screen(chromium: Any, path: str) -> None:
    """First places in dark green and last ones in dark red: the pale ones of the dark theme are for black."""
    with served_hall() as (_, address):
        page = chromium.new_page()
        page.goto(address + path)
        colours = []
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            colours.append(
                page.evaluate(
                    """["paper", "raise", "sunk", "ink", "soft", "faint", "felt", "nose", "gold"].map(
                        (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`))"""
                )
            )
        page.close()
    light, dark = colours
    assert light == dark
    assert ["#fff", "#1f6b4a", "#c8323c"] == [dark[0], *dark[6:8]]


def test_games_are_a_part_each_in_the_place_of_all() -> None:
    """So that a long audit can be made piece by piece."""
    assert ["access", *GAMES, "hall"] == whole(["access", "games", "hall"])
    assert list(PARTS) == whole([])
    assert set(GAMES) < set(PARTS)


@pytest.mark.parametrize("game", ["swedish-gin", "chickenfoot"])
def test_a_printed_sheet_has_a_frame_around_every_cell(chromium: Any, stage: Stage, game: str) -> None:
    """No border is left out or transparent; the contracts' cards are white on paper, not black."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("sheet", "/", list(moments(game).values())[-1]))
    auditor.page.emulate_media(media="print")
    borders = auditor.page.evaluate(
        """[...document.querySelectorAll(".sheet :is(th, td)")].flatMap((one) => {
            const style = getComputedStyle(one);
            return ["Top", "Right", "Bottom", "Left"].map((side) =>
                `${style[`border${side}Style`]} ${style[`border${side}Color`]}`);
        })"""
    )
    cards = auditor.page.evaluate(
        "[...document.querySelectorAll('.sheet .gr-card')].map((one) => getComputedStyle(one).fill)"
    )
    auditor.close()
    assert {"solid rgb(136, 136, 136)"} == set(borders)
    assert set(cards) <= {"rgb(255, 255, 255)"}


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_picture_of_a_contract_stands_above_its_words_also_when_all_is_played(
    chromium: Any, stage: Stage, width: int
) -> None:
    """The page is loaded after the end: nothing of what is asked while it is played comes with it."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("sheet", "/", list(moments("swedish-gin").values())[-1]))
    page = auditor.page
    page.set_viewport_size({"width": width, "height": 740})
    apart = page.locator("#sheet tbody .th").evaluate_all(
        """(all) => all.map((one) => {
            const [picture, words] = [...one.children].map((each) => each.getBoundingClientRect());
            return words.top >= picture.bottom && words.left === picture.left;
        })"""
    )
    auditor.close()
    assert {True} == set(apart)


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs-BA"])
def test_the_contracts_and_the_total_are_on_one_sheet_of_paper(
    chromium: Any, stage: Stage, language: str
) -> None:
    """Four people, four who bought too seldom; A4 with 15 mm at each side is 180 by 267 mm."""
    auditor = Auditor(chromium, language, stage, stage.address)
    auditor.show(Shown("sheet", "/", list(moments("swedish-gin").values())[-1]))
    page, mm = auditor.page, 96 / 25.4
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(180 * mm), "height": int(267 * mm)})
    title, total = (page.locator(place).bounding_box() for place in ("#sheet .sh-title", "#sheet tfoot"))
    auditor.close()
    assert total["y"] + total["height"] - title["y"] < 267 * mm


@pytest.mark.parametrize(("game", "people"), [("swedish-gin", 6), ("swedish-gin", 8), ("score-pad", 26)])
def test_a_name_on_a_printed_sheet_is_read_whole_and_lies_on_nothing_else(
    stage: Stage, game: str, people: int
) -> None:
    """Names of nine letters are wider than their columns; so is who deals and starts, or a long note."""
    names = [f"{name}{n}" for n, name in zip(range(10, 36), itertools.cycle(("Dominique", "Katharina")))]
    stage.set(Scenario(game, names[:people]).snapshot)
    page, wide = stage.visit().page, 273 if people > 7 else 180
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(wide * 96 / 25.4), "height": 700})
    page.locator("#sheet thead th").nth(people).wait_for()
    beyond = page.locator("#sheet th").evaluate_all(
        """(all) => all.filter((one) => {
            const words = document.createRange();
            words.selectNodeContents(one);
            const [cell, text] = [one, words].map((each) => each.getBoundingClientRect());
            return text.right > cell.right + 1 || text.left < cell.left - 1 || text.top < cell.top - 1;
        }).map((one) => one.textContent)"""
    )
    assert [] == beyond


def test_totals_of_five_digits_stand_apart_on_a_phone(stage: Stage) -> None:
    """Two rounds of a game that pays by thousands, up and down."""
    table = Scenario("score-pad", ["Ana", "Ben", "Cem", "Dora", "Emma"])
    for hand, seat in itertools.product((1, 2), range(1, 6)):
        table.move(type="score", hand=hand, seat=seat, points=-9999 if seat == 3 else 9850)
    stage.set(table.snapshot)
    page = stage.visit(**PHONE).page
    page.locator("#sheet tfoot td").last.wait_for()
    beyond = page.locator("#sheet tfoot td").evaluate_all(
        """(all) => all.filter((one) => {
            const words = document.createRange();
            words.selectNodeContents(one);
            const [cell, text] = [one, words].map((each) => each.getBoundingClientRect());
            return text.left < cell.left || text.right > cell.right;
        }).map((one) => one.textContent)"""
    )
    assert [] == beyond


@pytest.mark.parametrize("wide_mm", [180, 273])
def test_a_printed_sheet_is_as_wide_as_its_paper(stage: Stage, wide_mm: int) -> None:
    """A4 with its margins, upright and lying: a phone's page would be narrower, a desktop's one of three."""
    stage.set(Scenario("score-pad", CROWD[:9]).snapshot)
    page, wide = stage.visit().page, int(wide_mm * 96 / 25.4)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": wide, "height": 700})
    assert wide == round(page.locator("#sheet table").bounding_box()["width"])


def test_an_audit_finds_what_is_wrong(chromium: Any, stage: Stage) -> None:
    """A page that was spoilt: pale words, a small button, a typewriter's apostrophe, a row too wide."""
    auditor = Auditor(chromium, "en-GB", stage, stage.address)
    auditor.show(Shown("spoilt", "/history", CLOSE))
    auditor.page.evaluate(
        """() => {
            const spoilt = [["p", "color: #999; background: #fff", "It's pale"],
                ["button", "min-height: 0; height: 20px", "x"], ["div", "width: 9999px", "wide"]];
            for (const [tag, style, words] of spoilt) {
                const one = document.createElement(tag);
                one.style.cssText = style;
                one.textContent = words;
                document.querySelector("main").append(one);
            }
        }"""
    )
    found = "\n".join(auditor.findings(next(look for look in LOOKS if look.width == 360)))
    auditor.close()
    for sign in ("color-contrast", "apostrophe: It's pale", "20 px to tap", "scrolls sideways"):
        assert sign in found


MANY = 60  # more stops than any page has


def tab_to(page: Any, name: str) -> None:
    """Go on with Tab until *name* (a pattern) has the focus, as its reader hears it."""
    heard = []
    for _ in range(MANY):
        page.keyboard.press("Tab")
        heard.append(str(page.locator(":focus").aria_snapshot()) if page.locator(":focus").count() else "")
        if re.search(name, heard[-1]):
            return
    raise AssertionError(f"{name} is not reached: {heard}")


def says(page: Any, words: str) -> None:
    """Wait until the headline, which is read aloud by itself, says *words*."""
    expect(page.get_by_role("heading", level=1, name=words)).to_be_visible()
    live = page.get_by_role("heading", level=1, name=words).locator("xpath=ancestor::*[@aria-live]")
    expect(live.first).to_have_attribute("aria-live", re.compile("polite|assertive"))


def deal(page: Any) -> None:
    """Say that everybody has cards, once that button may be pressed."""
    expect(page.get_by_role("button", name="Everybody has 4: play")).to_be_enabled()
    tab_to(page, 'button "Everybody has 4: play"')
    page.keyboard.press("Enter")
    says(page, "Pass to the left.")


def touch(page: Any, headline: str) -> None:
    """Touch the three noses by their keys, one after the other, and let go once it says *headline*."""
    for key in "123":
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    says(page, headline)
    for key in "123":
        page.keyboard.up(key)


def test_an_evening_is_played_by_keys_and_what_a_screen_reader_reads(visit: Visits, evening: str) -> None:
    """From names to the winner, with a verdict taken back on the way, the figures, and a new evening."""
    page = visit(evening).page
    tab_to(page, 'textbox "A name, or a list"')
    page.keyboard.type("North, East, South")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play Pig with 3")).to_be_enabled()
    tab_to(page, "Play Pig with 3")
    page.keyboard.press("Enter")
    deal(page)
    touch(page, "South was last: P")
    expect(page.get_by_role("listitem").filter(has_text="South").first).to_be_visible()
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="South was last: P")).to_have_count(0)
    for headline in ("South was last: P", "South was last: I", "North and East win!"):
        deal(page)
        touch(page, headline)
    tab_to(page, "Figures")
    tab_to(page, 'link "History"')
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="This evening").wait_for()
    page.get_by_role("link", name="South was last: P").first.wait_for()
    tab_to(page, "New evening…")
    page.keyboard.press("Enter")
    tab_to(page, 'button "New evening"$')
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Who plays?").wait_for()


def test_a_table_page_with_a_verdict_is_twelve_requests_and_a_hundred_kilobytes(chromium: Any) -> None:
    """Nothing was kept of an earlier visit; two of three noses decide it."""
    with served(LINES, tokens=False) as table:
        begin(table)
        table.table.submit(Arm(), "host").result(120)
        assert eventually(lambda: table.table.snapshot.phase == "armed")
        for line in LINES[:2]:
            table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
        assert eventually(lambda: table.table.snapshot.phase == "verdict")
        requests, arrived, asked = cost(chromium, table.address)
    assert requests <= 12, "\n".join(asked)
    assert arrived <= 100_000
    figures = [url.removeprefix(table.address) for url in asked if "statistics" in url]
    assert ["/api/v1/statistics/glance"] == figures  # all of them grow with an evening


_SHIFT = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    "path", ["/", "/setup", "/history", "/history/12", "/statistics", "/zero", "/devices", "/nose", "/board"]
)
def test_nothing_moves_where_scripts_come_long_after_the_page(
    chromium: Any, stage: Stage, path: str, width: int
) -> None:
    """At most 0.05 of layout shift, although they come only when the page has been painted without them."""
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    held: list[Any] = []
    painted: list[bool] = []

    def hold(route: Any) -> None:
        late = route.request.resource_type == "script" and not painted
        held.append(route) if late else route.continue_()

    page.route(f"{stage.address}/**", hold)
    page.goto(stage.address + path, wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByType('paint').length > 0")
    painted.append(True)
    for route in held:
        route.continue_()
    page.locator("html.drawn").wait_for(state="attached")
    settle(page)
    shift = page.evaluate(_SHIFT)
    context.close()
    assert held
    assert shift <= 0.05


# Each part of the one duty that is shown, and where it stands between the top and what lies at the bottom.
_DUTIES = """async (says) => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const duties = () => [...document.querySelectorAll(
        "#view-play .go :is(.main, .duty, .hands, .ruling button)")].filter(shown);
    for (let i = 0; i < 300 && !duties().some((one) => one.textContent.includes(says)); i++)
        await new Promise((done) => setTimeout(done, 20));
    const bottom = document.querySelector(".tabs").getBoundingClientRect().top;
    return [duties().some((one) => one.textContent.includes(says)), ...duties().map((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top >= 0 && end <= bottom;
    })];
}"""


# The buttons of whose points are to be written, and where they stand.
_ENTRY = """() => {
    const bottom = document.querySelector(".tabs").getBoundingClientRect().top;
    return [...document.querySelectorAll("#score-entry .se-seats button")].map((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top >= 0 && end <= bottom;
    });
}"""


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
@pytest.mark.parametrize("game", [game.name for game in GAMES.values() if not game.watched])
def test_what_a_sheet_asks_for_is_on_the_first_screen(stage: Stage, game: str, language: str) -> None:
    """Whose points are written next stands before questions of the rules, tokens and the sheet."""
    page = stage.visits("about:blank", **PHONE, locale=language).page
    for name, shown in moments(game).items():
        if not any(isinstance(one, EnterScore) for one in shown.entries):
            continue
        stage.set(shown)
        page.goto(stage.address)
        settle(page)
        page.locator("#score-entry .se-seats button").first.wait_for()
        assert all(page.evaluate(_ENTRY)), name


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("players", [4, 8])
def test_the_curve_of_a_sheet_of_tiles_begins_on_the_first_screen_beside_what_is_written(
    visit: Visits, evening: str, width: int, height: int, language: str, players: int
) -> None:
    """After five hands; whoever uses a finger hits a number and a name as before."""
    page = visit(f"{evening}/setup", size=(width, height), locale=language).page
    names = ["Mamie", "Dominique", "Anne-Sophie", "Björn", "Zoë", "Seán", "Ivana", "Maximilian"][:players]
    start(page, "chickenfoot", names)
    for hand, seat in itertools.product(range(1, 6), range(1, players + 1)):
        score(page, seat, 0 if seat == hand % players + 1 else 5 * seat, hand)
    page.goto(evening)
    settle(page)
    places = ("#score-entry", "#sheet table", "#sheet .sh-chart svg")
    entry, table, curve = (page.locator(place).bounding_box() for place in places)
    assert entry["x"] + entry["width"] <= min(table["x"], curve["x"])
    assert table["y"] + table["height"] <= curve["y"] <= height - 30
    assert curve["x"] + curve["width"] <= width
    for button in page.locator("#sheet td button, .se-seats button").all():
        assert 44 <= button.bounding_box()["height"]


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
@pytest.mark.parametrize("game", GAMES)
def test_no_duty_is_below_the_first_screen(stage: Stage, game: str, language: str) -> None:
    """At 360 x 740, above the tabs, and with the words that the snapshot has."""
    page = stage.visits("about:blank", **PHONE, locale=language).page
    hidden = []
    for name, shown in moments(game).items():
        if shown.due is None or shown.due.kind == "free":
            continue
        stage.set(shown)
        page.goto(stage.address)
        settle(page)
        if not all(found := page.evaluate(_DUTIES, str(shown.due.says) if language == "en-GB" else "")):
            hidden.append((name, shown.due.kind, str(shown.due.says), found))
    assert [] == hidden


# What a note that goes by lies over.
_UNDER = """(words) => {
    const box = document.querySelector(".notes");
    box.innerHTML = '<div class="note"><p></p><button type="button">Close</button></div>';
    box.querySelector("p").textContent = words;
    const note = box.firstChild.getBoundingClientRect();
    const needed = "#view-play h1, .nose, #view-play .go .main, .tabs";
    return [...document.querySelectorAll(needed)].filter((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return height && top < note.bottom - 1 && bottom > note.top + 1;
    }).map((one) => one.className || one.tagName);
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568)])
@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "bs"])
def test_a_long_note_lies_over_neither_headline_nor_nose_nor_the_green_button(
    stage: Stage, language: str, width: int, height: int
) -> None:
    """Nor over the tabs where something is due; where only noses are, it leaves those free."""
    how = {**PHONE, "viewport": {"width": width, "height": height}, "locale": language}
    page = stage.visits("about:blank", **how).page
    words = ("Quelqu’un d’autre l’a déjà changée entre-temps : regardez la table. " * 2)[:115]
    for name, under in (("close", []), ("won", []), ("armed", ["tabs"])):
        stage.set(SCENES[name])
        page.goto(stage.address)
        settle(page)
        assert under == page.evaluate(_UNDER, words), name


NARROW = ({"width": 360, "height": 740}, {"width": 320, "height": 640})


@pytest.mark.parametrize("viewport", NARROW, ids=str)
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_nothing_in_the_line_above_lies_on_anything_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, viewport: dict[str, int], language: str
) -> None:
    """The name, the rules, and the way for phones stand side by side; nothing is said of noses yet."""
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")  # so phones can be let in
    stage.set(SCENES["setup"])
    page = stage.drawn(viewport=viewport, locale=language)
    expect(page.locator(".bar .pill")).to_be_hidden()
    places = (".bar .brand", ".bar .rules svg", ".bar .plain")
    boxes = [page.locator(place).bounding_box() for place in places]
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]
    assert boxes[-1]["x"] + boxes[-1]["width"] <= viewport["width"]


def test_of_many_known_names_the_newest_are_offered_and_the_field_stays_in_view(stage: Stage) -> None:
    """Twelve of 26; a tap shows them all, and what is typed finds any of them."""
    stage.set(msgspec.structs.replace(SCENES["setup"], evening=2))  # nobody is at the table yet
    page = stage.drawn(viewport=NARROW[0])
    names = page.locator(".circle [aria-pressed] bdi")
    expect(names).to_have_text(list(CROWD[:12]), use_inner_text=True)
    field, start = (page.locator(place).bounding_box() for place in ("#newcomer", "#start"))
    assert field["y"] + field["height"] <= start["y"]
    page.get_by_role("button", name="Show all 26").click()
    expect(names).to_have_text(list(CROWD), use_inner_text=True)
    page.locator("#newcomer").fill("zo")
    expect(names).to_have_text(["Zoé"], use_inner_text=True)


def test_a_new_evening_begins_with_who_plays(visit: Visits, evening: str) -> None:
    """The history of the old one is closed; the page asks for names, and not for a look at nothing."""
    page = visit(f"{evening}/history").page
    page.get_by_role("button", name="New evening…").click()
    page.locator("dialog").get_by_role("button", name="New evening").click()
    page.wait_for_url(f"{evening}/setup")
    page.get_by_role("heading", name="Who plays?").wait_for()


@pytest.mark.parametrize("game", ["Snap", "Quiz", "Pig"])
def test_what_phones_are_worth_is_said_before_they_are_chosen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Where seats are picked and phones let in, and on the phone that sits down, or is a nose."""
    often = {"Snap": "half to four fifths of all rounds", "Quiz": "about 7 questions in 100"}.get(game)
    monkeypatch.setattr(WebContext, "join_address", "http://192.168.1.7:8080")
    stage.set(SCENES["setup"])
    page = stage.drawn(size=(1280, 800))
    page.locator(".games").get_by_text(game, exact=True).click()
    picker, letting_in = page.locator("#order .fair"), page.locator("#phones .fair")
    page.locator("#newcomer").fill("Ana, Zoë")
    page.locator("#add").click()
    page.locator("[data-do=phones]").click()
    begun = Scenario(game.lower(), ("North", "East", "South")).snapshot
    if often is None:
        expect(picker).to_be_hidden()
        expect(letting_in).to_be_hidden()
        assert () == begun.on_phones
        return
    for said in picker, letting_in:
        expect(said).to_contain_text(often)
        expect(said).to_contain_text("With a phone beside wires the phone’s uncertainty decides")
    page.goto("about:blank")
    stage.set(begun)
    for path, root in (("/nose", "#choose"), ("/join", "#sit"), ("/", "#phones")):
        page.goto(f"{stage.address}{path}")
        expect(page.locator(f"{root} .fair")).to_contain_text(often)


def test_on_a_small_phone_two_warnings_are_one_line_that_opens(stage: Stage) -> None:
    """Each of five noses is above the tabs; the line is as high as a finger needs, and closes again."""
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS))
    page = stage.drawn(**SMALL)
    tabs = page.locator(".tabs").bounding_box()
    noses = [one.bounding_box() for one in page.locator(".noses .nose").all()]
    assert 5 == len(noses)
    assert max(box["y"] + box["height"] for box in noses) <= tabs["y"]
    first, second = (page.get_by_text(str(one)) for one in FAULTS)
    expect(second).to_be_hidden()
    more = page.get_by_role("button", name="and 1 more")
    assert 44 <= more.bounding_box()["height"] == page.locator(".faults").bounding_box()["height"]
    more.click()
    expect(second).to_be_visible()
    assert second.bounding_box()["y"] >= first.bounding_box()["y"] + first.bounding_box()["height"]
    page.get_by_role("button", name="Close").click()
    expect(second).to_be_hidden()


def test_one_warning_and_two_on_a_desktop_stand_whole(stage: Stage) -> None:
    """There is nothing to open."""
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS[1:]))
    phone = stage.drawn(**SMALL)
    one = phone.get_by_text(str(FAULTS[1]))
    assert one.evaluate("one => one.scrollWidth <= one.clientWidth")
    expect(phone.locator(".faults button")).to_have_count(0)
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS))
    desktop = stage.drawn()
    for says in FAULTS:
        expect(desktop.get_by_text(str(says))).to_be_visible()
    expect(desktop.locator(".faults button")).to_be_hidden()
