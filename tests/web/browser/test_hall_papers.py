"""What a hall prints, as long as an evening can make it: nothing is cut, and nothing is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.event import commands
from lastnose.companion.event.roster import Person
from lastnose.companion.link.hub import Hall
from lastnose.web.hall.context import HallContext
from lastnose.web.hall.result_file import result_file

from tests.support.halls import arranged, begun, call_round, play_called, type_result
from tests.web.browser.conftest import OpenHall, expect

PAPER = (703, 1000)  # A4 less 12 mm at each side, at 96 dots an inch: (210 - 24) / 25.4 * 96
SQUARE = '<svg viewBox="0 0 9 9"></svg>'  # in the place of a QR code
WHOLE = (".sheet", ".prize", ".bracket-table")
BREAKS = """(places) => places.map((one) => {
    const found = document.querySelector(one);
    return found === null ? null : getComputedStyle(found).breakInside;
})"""


def played(hall: Hall, rounds: int, **wishes: object) -> None:
    """Play an evening of three with long names and clubs, all results typed."""
    begun(hall, "Ana,Ben,Zoë", tables=1, rounds=rounds, final=0, **wishes)
    for one in (1, 2, 3):
        person = Person(f"Bartholomäus Papadopoulos-Hohenlohe {one}", "Turnverein Oberammergau 1897 e.V.")
        hall.do(commands.Rewrite(one, person), "Ann")
    type_result(hall, 1, 1)
    for number in range(2, rounds + 1):
        call_round(hall)
        type_result(hall, number, 1)


def papers(opened: OpenHall, folder: Path, *paths: str, language: str = "fr") -> list[str]:
    """Return the addresses of these pages of a hall, and that of its results as one file."""
    file = folder / "results.html"
    file.write_text(result_file(opened.hall.view, language), encoding="utf-8")
    return [*(opened.address + path for path in paths), file.as_uri()]


@pytest.mark.parametrize("rounds", [2, 8, 10, 13, 20])
def test_every_round_and_the_sum_are_on_the_paper(opened: OpenHall, tmp_path: Path, rounds: int) -> None:
    """Nobody scrolls there: the last column ends where the paper does, however long names and clubs are."""
    played(opened.hall, rounds)
    for address in papers(opened, tmp_path, "/results"):
        page = opened.visits(address, size=PAPER, locale="fr-FR").page
        page.emulate_media(media="print")
        heads = page.locator(".matrix thead th")
        assert rounds + 3 == heads.count()
        last = heads.last.bounding_box()
        assert last["x"] + last["width"] <= PAPER[0]


def test_a_table_and_a_prize_are_not_torn_in_two_on_paper(opened: OpenHall, tmp_path: Path) -> None:
    """Neither on the pages nor in the file: who has won stands below the place that was won."""
    played(opened.hall, 1, format="knock-out")
    shown = [f"/results?show={part}" for part in ("sheets", "prizes", "bracket")]
    *pages, file = papers(opened, tmp_path, *shown, "/print/winners")
    for address, places in zip(pages, [*WHOLE, ".prize"], strict=True):
        page = opened.visits(address).page
        page.emulate_media(media="print")
        assert ["avoid"] == page.evaluate(BREAKS, [places])
    page = opened.visits(file).page
    page.emulate_media(media="print")
    assert ["avoid"] * 3 == page.evaluate(BREAKS, WHOLE)


def test_a_knock_out_begins_below_its_heading(opened: OpenHall) -> None:
    """A round of more tables than a page holds goes on where the next one begins."""
    names = ",".join(f"Player {n}" for n in range(90))
    begun(opened.hall, names, tables=30, most=3, final=0, format="knock-out")
    page = opened.visit("/results?show=bracket").page
    page.emulate_media(media="print")
    first = page.locator(".bracket section").first
    assert "auto" == first.evaluate("one => getComputedStyle(one).breakInside")


def test_every_round_of_a_knock_out_is_on_the_paper(opened: OpenHall, tmp_path: Path) -> None:
    """Three stand beside each other and the others below, however long names are: nobody scrolls there."""
    hall = opened.hall
    names = "\n".join(f"Bartholomäus Papadopoulos-Hohenlohe {n}" for n in range(64))
    begun(hall, names, tables=8, most=8, rounds=1, final=0, format="knock-out")
    while hall.view.step.kind != "over":
        if hall.view.step.kind in ("draw", "call"):
            call_round(hall)
        now = hall.state.now
        for number in now.numbers:
            type_result(hall, now.number, number)
    assert 4 <= len(hall.state.called)
    for address in papers(opened, tmp_path, "/results?show=bracket"):
        page = opened.visits(address, size=PAPER).page
        page.emulate_media(media="print")
        rounds = [one.bounding_box() for one in page.locator(".bracket section").all()]
        assert len(hall.state.called) == len(rounds)
        assert max(box["x"] + box["width"] for box in rounds) <= PAPER[0]
        assert rounds[3]["y"] >= rounds[0]["y"] + rounds[0]["height"]


@pytest.mark.parametrize("signs", ["", "Ana", "Ana, for all who have played here: " * 3])
def test_both_lines_below_a_certificate_lie_at_one_height_whoever_signs(opened: OpenHall, signs: str) -> None:
    """One is for a hand that writes, one says where the final was played."""
    hall = opened.hall
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=3, rounds=1)
    play_called(hall, member)
    call_round(hall)
    play_called(hall, member)
    paper = opened.visit(f"/print/certificates?sign={signs}").page
    heights = (
        paper.locator(".certificate")
        .first.locator(".signed span")
        .evaluate_all("them => them.map((one) => Math.round(one.getBoundingClientRect().top))")
    )
    assert (2, 1) == (len(heights), len(set(heights)))


def test_a_table_and_its_number_are_on_one_line_of_the_wall(opened: OpenHall) -> None:
    """However narrow the column is for a name."""
    begun(opened.hall, "Ana,Ben,Zoë", tables=1, final=0)
    page = opened.visit("/print/lists").page
    wraps = "all => all.map((one) => getComputedStyle(one).whiteSpace)"
    assert {"nowrap"} == set(page.locator(".wall-names :is(b, small)").evaluate_all(wraps))


@pytest.mark.parametrize("rounds", [4, 5, 8])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_four_seating_cards_have_room_on_a_sheet_in_every_language(
    opened: OpenHall, monkeypatch: pytest.MonkeyPatch, rounds: int, locale: str
) -> None:
    """With long names, a club on two lines, a final and the page’s code: none is taller than half of A4."""
    monkeypatch.setattr(HallContext, "code", lambda self, path: SQUARE)
    club = "Association sportive de Saint-Étienne-du-Rouvray"
    names = "".join(f"Ann {n},{club}\nBartholomäus Hohenlohe {n},{club}\n" for n in range(6))
    arranged(opened.hall, f"name,club\n{names}", tables=3, rounds=rounds, final=6, name="Grand Prix " * 5)
    opened.hall.do(commands.Draw(), "Ann")
    page = opened.visit("/print/cards", size=(794, 1123), locale=locale).page
    page.emulate_media(media="print")
    cards = page.locator(".seat-card")
    expect(cards.nth(11)).to_be_visible()
    assert page.locator(".seat-card .hint svg").count() == 12
    heights_mm = [one.bounding_box()["height"] / 96 * 25.4 for one in cards.all()]
    assert max(heights_mm) <= 148.5
