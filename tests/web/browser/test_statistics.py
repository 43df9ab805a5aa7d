"""The page of figures, and margins as pages draw them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

import msgspec
import pytest
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from PIL import Image

from tests.support.fakes import FIGURES
from tests.support.margins import EVERYDAY, LINES, MARGINS_NS, SURE_NS, evening, held, known_ns
from tests.support.tables import served
from tests.web.browser.conftest import PHONE, Stage, Visits, expect, settle
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_evening import again, headline, play, playing
from tests.web.browser.test_pages import serious
from tests.web.browser.test_sheet import score, send, start


def test_figures_of_an_evening_are_drawn_and_follow_it(visit: Visits, evening: str) -> None:
    """Two rounds: who was last, who opened, dots, escapes; a third one comes without asking."""
    figures = visit(f"{evening}/statistics", **PHONE).page
    figures.get_by_text("No round so far.").wait_for()
    page = playing(visit, evening)
    play(page, "1", "2", "3")
    headline(page, "Élodie was last: P")
    expect(figures.locator(".bars .gauge i").first).to_have_css("print-color-adjust", "exact")
    again(page)
    play(page, "1", "3", "2")
    headline(page, "East was last: P")

    lasts = figures.locator("#lasts li")
    figures.locator("#lasts", has_text="1 of 2").wait_for()
    shown = {one.locator(".who").inner_text(): one.locator(".n").inner_text() for one in lasts.all()}
    assert {"North": "0 of 2", "East": "1 of 2", "Élodie": "1 of 2"} == shown
    expect(figures.locator("#openers li").first.locator(".who, .n")).to_have_text(
        ["North", "2 of 2"], use_inner_text=True
    )
    assert ["0.5", "0.5", "0"] == figures.locator("#lasts .gauge i").evaluate_all(
        "all => all.map(one => one.style.getPropertyValue('--part'))"
    )
    figures.locator(".fg-dot").nth(3).wait_for()
    settle(figures)
    expect(figures.locator(".fg-dot")).to_have_count(4)  # two rounds, everybody but the opener
    expect(figures.locator(".fg-median")).to_have_count(2)
    expect(figures.locator(".escapes li")).to_have_count(2)
    row = figures.locator("#everybody tbody tr", has_text="Élodie").locator("td").all_inner_texts()
    assert ["1", "0", "2", "1", "1", "0", "0"] == row[:7]
    assert [] == serious(figures)

    again(page)
    play(page, "2", "3", "1")
    headline(page, "North was last: P")
    figures.locator("#tiles", has_text="3").wait_for()
    assert 360 >= figures.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("place", ["/", "/statistics"])
def test_reactions_within_the_same_tenth_of_a_millisecond_are_drawn_at_the_left_end(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """All that were measured are 0 then, and so is what they are drawn to."""
    _, first, *_ = FIGURES.players
    soon = msgspec.structs.replace(first.reactions[0], after_ns=300)
    player = msgspec.structs.replace(first, reactions=(soon, soon), best=soon, median_ns=300)
    monkeypatch.setattr(stage, "statistics", lambda: msgspec.structs.replace(FIGURES, players=(player,)))
    page = stage.visit(place, **PHONE).page
    if place == "/":
        page.locator(".tabs [data-view=figures]").click()
    dots = page.locator("#reactions :is(.rx-dot, .fg-dot)")
    expect(dots.first).to_be_visible()
    usual = page.locator("#reactions :is(.rx-usual, .fg-median)").bounding_box()
    for dot in dots.all():
        box = dot.bounding_box()
        assert abs(box["x"] + box["width"] / 2 - usual["x"] - usual["width"] / 2) < 1


def test_the_picture_of_a_result_ranks_as_the_game_does_and_is_called_by_the_local_day(stage: Stage) -> None:
    """Behind East, who has won, by the places of the game; at 0:10 in Berlin it is 23:10 UTC."""
    places = {"North": 3, "East": 1, "South": 2}
    shown = Scenario("quiz", [*places]).snapshot
    rows = (
        msgspec.structs.replace(row, place=places[row.player], winner=row.player == "East")
        for row in shown.rows
    )
    stage.set(msgspec.structs.replace(shown, phase="won", rows=tuple(rows)))
    page = stage.visit("/statistics", timezone_id="Europe/Berlin").page
    page.clock.set_fixed_time(datetime(2026, 11, 30, 23, 10, tzinfo=UTC))
    page.evaluate(
        """() => {
          window.written = [];
          const drawn = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (words, ...at) {
            window.written.push(words);
            return drawn.call(this, words, ...at);
          };
        }"""
    )
    page.locator("#picture").click()
    page.locator("dialog.result canvas").wait_for()
    names = [one for one in page.evaluate("written") if one.removeprefix("★ ") in places]
    assert ["★ East", "South", "North"] == names[:3]
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save it").click()
    assert kept.value.suggested_filename == "last-nose-2026-12-01.png"


@pytest.mark.parametrize("width", [390, 320])
def test_long_names_leave_their_figures_in_view_on_a_phone(visit: Visits, evening: str, width: int) -> None:
    """Of 38 letters, one of them a single word: nothing lies beyond the edge, and the word is not broken."""
    names = ("Wolfgangamadeusvonundzuhohensteinburgs", "Ana Papadopoulou-Kyriakides van Zandt", "Zoë")
    page = playing(visit, evening, *names)
    play(page, "1", "2", "3")
    narrow = {"viewport": {"width": width, "height": 740}, "has_touch": True, "is_mobile": True}
    figures = visit.drawn(f"{evening}/statistics", **narrow)
    expect(figures.locator("#everybody td")).to_have_count(27)
    assert width == figures.evaluate("document.documentElement.scrollWidth")
    assert figures.locator("#everybody td, .bars .n").evaluate_all(
        "(all) => all.every((one) => one.getBoundingClientRect().right <= innerWidth)"
    )
    broken = """(all) => all.filter((one) => one.textContent.startsWith("Wolfgang")).map((one) => {
      const words = document.createRange();
      words.setStart(one.firstChild, 0);
      words.setEnd(one.firstChild, 38);
      return words.getClientRects().length;
    })"""
    places = figures.locator("#everybody th, .bars .who, .escapes a")
    assert {1} == set(places.evaluate_all(broken))
    assert [] == serious(figures)


def test_the_figures_of_an_evening_go_when_it_goes(visit: Visits, evening: str) -> None:
    """Beside the welcome, too, which asks who plays: they are not those of another one's."""
    page = playing(visit, evening, size=(1280, 900))
    play(page, "1", "2", "3")
    page.locator("#tonight", has_text="Rounds: 1 · Dead heats: ").wait_for()
    send(page, "new-evening")
    headline(page, "Who plays?")
    expect(page.locator("#tonight")).to_have_text("No round so far.")
    expect(page.locator("#lasts")).to_be_hidden()


def test_who_has_only_kept_a_sheet_is_listed_with_games_and_wins(visit: Visits, evening: str) -> None:
    """One hand of any other game: no pictures of rounds, and no “0 of 0”, but who has won."""
    page = visit(f"{evening}/setup").page
    start(page, "score-pad", ["Ana", "Zoë"], rounds=1)
    for seat, points in ((1, 30), (2, 10)):
        score(page, seat, points)
    page.goto(f"{evening}/statistics")
    rows = page.locator("#everybody tbody tr")
    expect(rows).to_have_count(2)
    assert ["1", "1", "–"] == rows.first.locator("td").all_inner_texts()[:3]
    expect(page.locator("#nothing")).to_be_hidden()
    expect(page.locator("#pictures")).to_be_hidden()
    assert [] == serious(page)


def test_the_result_is_a_picture_to_save_or_to_share(stage: Stage) -> None:
    """Drawn by the page, 1080 by 1350, with the red of the last one; shared only where the phone can."""
    stage.set(SCENES["won"])
    page = stage.visit("/statistics", **PHONE, accept_downloads=True).page
    page.get_by_role("button", name="The result as a picture…").click()
    page.evaluate(
        """() => {
          const made = HTMLCanvasElement.prototype.toBlob;
          HTMLCanvasElement.prototype.toBlob = function (...of) { window.make = () => made.apply(this, of); };
        }"""
    )
    page.get_by_role("button", name="Save it").click()
    expect(page.get_by_role("button", name="Making the picture…")).to_have_attribute("aria-busy", "true")
    with page.expect_download() as found:
        page.evaluate("make()")
    page.get_by_role("button", name="Save it").wait_for()
    page.reload()
    page.get_by_role("button", name="The result as a picture…").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save it").click()
    with Image.open(found.value.path()) as picture:
        assert ("PNG", (1080, 1350)) == (picture.format, picture.size)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or []}
    assert {(0xF7, 0xF4, 0xEE), (0x1D, 0x1B, 0x18), (0xC8, 0x32, 0x3C)} <= colours
    page.get_by_role("button", name="Close").last.click()
    page.evaluate(
        """() => {
          navigator.canShare = () => true;
          navigator.share = async ({ files }) => { window.shared = [files[0].name, files[0].type]; };
        }"""
    )
    page.get_by_role("button", name="The result as a picture…").click()
    page.get_by_role("button", name="Share…").click()
    page.wait_for_function("() => window.shared")
    name, kind = page.evaluate("window.shared")
    assert (True, "image/png") == (name.startswith("last-nose-"), kind)


PAIRS = list(product(MARGINS_NS, SURE_NS))[::3]
LOCALES = {"en": "en-GB", "fr": "fr-FR", "bs": "bs-BA"}
GAPS = "list => list.map(one => one.textContent)"


def plain(words: str) -> str:
    """Return *words* with spaces that break."""
    return " ".join(words.replace("\u202f", " ").replace("\u00a0", " ").split())


@pytest.mark.parametrize("language", LOCALES)
def test_a_list_of_rounds_prints_each_margin_by_the_one_rule(visit: Visits, language: str) -> None:
    """In sentences, on the strip, and on paper; in the open only where it was close."""
    with served(LINES, store=evening(PAIRS), tokens=False) as table:
        page = visit(f"{table.address}/history", locale=LOCALES[language], **PHONE).page
        rounds = page.locator("article")
        expect(rounds).to_have_count(len(PAIRS))
        for place, (ns, u_ns) in enumerate(reversed(PAIRS)):
            worth_ns, one = known_ns(ns, u_ns), rounds.nth(place)
            one.locator("photo-finish svg").wait_for()
            proof = plain(" ".join(one.locator(".proof li").all_inner_texts()))
            (gap,) = map(plain, one.locator(".pf-gap").evaluate_all(GAPS))
            budget = plain(one.locator(".inprint").text_content() or "").split(":")[0]
            if ns < 5 * worth_ns:
                sure = held(proof, ns, worth_ns, language)
                assert sure == held(gap, ns, worth_ns, language)
                assert sure[1] == held(f"{gap.split('±')[0]}{budget}", ns, worth_ns, language)[1]
            else:
                assert "±" not in proof + gap
                assert EVERYDAY.findall(proof)[0] == EVERYDAY.findall(gap)[0]
        visit.close()


@pytest.mark.parametrize("language", LOCALES)
def test_a_rounds_own_page_always_shows_the_plus_minus(visit: Visits, language: str) -> None:
    """412.345 ms, sure to 20 µs and 550 ppm of 412.365: 0.247 ms, printed as 412.34 ± 0.26."""
    with served(LINES, store=evening([(412_345_000, 20_000)]), tokens=False) as table:
        page = visit(f"{table.address}/history/3", locale=LOCALES[language]).page
        gap = page.locator("#verdict .pf-gap")
        gap.wait_for(state="attached")
        held(plain(gap.text_content() or ""), 412_345_000, 246_801, language)
        last = page.locator("#order tbody tr").nth(2).locator("td")
        held(plain(last.nth(0).inner_text()), 492_345_000, 290_801, language)  # 550 ppm of 492.365 ms
        assert plain(gap.text_content() or "") == plain(last.nth(1).inner_text()).removeprefix("+ ")
        visit.close()


@pytest.mark.parametrize("language", LOCALES)
def test_the_board_always_shows_the_plus_minus(visit: Visits, stage: Stage, language: str) -> None:
    """A dead heat, a close and a clear one, as they are replayed in slow motion."""
    for ns, u_ns in ((7_000, 20_000), (72_000, 20_227), (412_345_000, 20_000)):
        stage.set(SCENES["judging"])
        page = stage.drawn("/board", locale=LOCALES[language])
        stage.set(Table(evening([(ns, u_ns)]), LINES).snapshot)
        gap = page.locator(".rp-gap")
        gap.wait_for(state="attached")
        held(plain(gap.text_content() or ""), ns, known_ns(ns, u_ns), language)
        visit.close()
