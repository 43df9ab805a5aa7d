"""The photo finish: a true axis, labels that never collide, a lens that shows why."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from lastnose.companion.evening.commands import Start

from tests.support.streams import eventually
from tests.web.browser.conftest import Stage, expect, settle
from tests.web.browser.scenes import CLOSE, HEAT, MISSING, MS, SCENES, US, crowd, finish

BOXES = """() => [...document.querySelectorAll('photo-finish .pf-chip')].map(chip => {
  const box = chip.parentElement.getBBox(); return [box.x, box.y, box.x + box.width, box.y + box.height];
})"""


def inner(page: Any, what: str) -> list[str]:
    """Return the words at *what* in the photo finish."""
    return [
        words.replace("\u202f", " ") for words in page.locator(f"photo-finish {what}").all_text_contents()
    ]


@pytest.mark.parametrize("width", [360, 768, 1920])
def test_no_label_lies_on_another_and_no_type_is_small(stage: Stage, width: int) -> None:
    """26 seats in a crowd, and every other moment; never under 12 px, never outside."""
    page = stage.drawn(size=(width, 900))
    for seed in (7, 8, 9):
        stage.set(crowd(seed))
        page.wait_for_function(
            "n => document.querySelectorAll('photo-finish .pf-dot').length === n", arg=len(crowd(seed).rows)
        )
        page.get_by_role("heading", name=str(crowd(seed).headline)).wait_for()
        settle(page)
        boxes = page.evaluate(BOXES)
        assert 26 == len(boxes)
        for one, other in itertools.combinations(boxes, 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)
        space = page.evaluate("document.querySelector('photo-finish svg').viewBox.baseVal.width")
        assert all(-2.5 <= box[0] and box[2] <= space + 2.5 for box in boxes)
        sizes = page.evaluate(
            """[...document.querySelectorAll('photo-finish text')]
            .map(text => parseFloat(text.getAttribute('font-size')))"""
        )
        assert 12 <= min(sizes)


def test_the_axis_is_true(stage: Stage) -> None:
    """Marks lie where their times say: West at 181 of 246 ms."""
    stage.set(CLOSE)
    page = stage.drawn()
    north, west, east, south = sorted(
        page.evaluate(
            "[...document.querySelectorAll('photo-finish .pf-dot')].map(dot => +dot.getAttribute('cx'))"
        )
    )
    assert (west - north) / (south - north) == pytest.approx(181 / 246, abs=1e-6)
    assert (east - north) / (south - north) == pytest.approx(245.588 / 246, abs=1e-6)
    assert ["0", "50", "100", "150", "200 ms"] == inner(page, ".pf-scale")[:5]
    scale = page.evaluate(
        "[...document.querySelectorAll('photo-finish .pf-scale')].map(words => +words.getAttribute('x'))"
    )[1:5]
    assert [50 / 246, 100 / 246, 150 / 246, 200 / 246] == pytest.approx(
        [(x - north) / (south - north) for x in scale], abs=1e-6
    )


def test_a_lens_opens_only_where_the_last_two_cannot_be_told_apart_by_eye(stage: Stage) -> None:
    """412 µs in 246 ms need it, 140 ms in 320 ms are measured on the strip itself."""
    stage.set(CLOSE)
    page = stage.drawn()
    expect(page.locator("photo-finish .pf-lens")).to_have_count(1)
    assert ["0.4 ms: clear"] == inner(page, ".pf-gap")
    expect(page.locator("photo-finish .pf-both")).to_have_count(0)
    stage.set(SCENES["wide"])
    page.get_by_role("heading", name="Maximiliane-Theodora").wait_for()
    settle(page)
    expect(page.locator("photo-finish .pf-lens")).to_have_count(0)
    assert ["0.1 s: clear"] == inner(page, ".pf-gap")


def test_a_dead_heat_shows_the_overlap_and_nobody_in_red(stage: Stage) -> None:
    """One sees why: the bands lie on each other; the red is for who was last, and nobody was."""
    stage.set(HEAT)
    page = stage.drawn()
    expect(page.locator("photo-finish .pf-both")).to_have_count(1)
    expect(page.locator("photo-finish .pf-last")).to_have_count(0)
    picture = page.locator("photo-finish svg").get_attribute("aria-label").replace("\u202f", " ")
    assert picture.endswith("Margin 12 µs, sure to ± 20 µs. The bands overlap: a dead heat.")


def test_who_has_not_pressed_stands_at_the_far_right(stage: Stage) -> None:
    """In red, after the end of the axis, with the words “not yet”."""
    stage.set(MISSING)
    page = stage.drawn(size=(360, 900))
    assert ["3"] == inner(page, ".pf-last .pf-no")
    assert "not yet" in inner(page, ".pf-scale")
    label = page.locator("photo-finish svg").get_attribute("aria-label").replace("\u202f", " ")
    assert "Photo finish: North 0; West 181.000 ms; East 245.000 ms; Not yet: South." == label


def test_the_picture_is_said_in_words(stage: Stage) -> None:
    """Times at the step of what they are sure to, who was last, a clear margin in words; in French too."""
    stage.set(CLOSE)
    page = stage.drawn()
    label = page.locator("photo-finish svg").get_attribute("aria-label").replace("\u202f", " ")
    assert (
        "Photo finish: North 0; West 181.000 ms; East 245.588 ms; South 246.000 ms, last. "
        "0.4 ms: clear." == label
    )
    french = stage.drawn(locale="fr-FR").locator("photo-finish svg").get_attribute("aria-label")
    assert "East 245,588" in french


def test_a_corrected_round_claims_no_margin(stage: Stage) -> None:
    """Without a margin there is neither lens nor measure."""
    shown = msgspec.structs.replace(finish((1, 0), (4, 10 * MS), (2, 10 * MS + 5 * US)), margin_ns=None)
    stage.show(finish=shown)
    page = stage.drawn()
    expect(page.locator(".pf-lens, photo-finish .pf-gap")).to_have_count(0)


def test_the_result_is_offered_as_a_picture_when_a_game_is_over(stage: Stage) -> None:
    """One button on the table's page, and only then."""
    stage.set(SCENES["won"])
    page = stage.drawn()
    page.get_by_role("button", name="The result as a picture…").click()
    expect(page.get_by_role("img", name="Pig: North and West win!")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    stage.set(CLOSE)
    page.get_by_role("button", name="The result as a picture…").wait_for(state="hidden")


def test_the_picture_shows_who_was_not_there_in_red_and_no_word_of_what_the_noses_are(stage: Stage) -> None:
    """South has not touched: the axis goes on in dots to her; its figures are round ones."""
    stage.set(msgspec.structs.replace(MISSING, phase="won", simulated=True))
    page = stage.drawn()
    page.evaluate(
        """() => {
          window.written = [];
          const write = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (said, x, y) {
            window.written.push([said.replaceAll("\u202f", " "), this.fillStyle, Math.round(y)]);
            return write.call(this, said, x, y);
          };
        }"""
    )
    page.get_by_role("button", name="The result as a picture…").click()
    written = page.evaluate("window.written")
    said = [words for words, _, _ in written]
    assert "Last Nose" in said
    assert ["#c8323c"] == [ink for words, ink, y in written if words == "South"][:1]
    assert "not yet" in said
    assert {"100 ms", "200 ms"} <= set(said)
    assert "245 ms" not in said


def test_a_rematch_in_other_seats_says_who_sits_where_before_it_begins(stage: Stage) -> None:
    """Mixed until all agree, never the seats of before; noses that are no phones stay where they are."""
    stage.set(SCENES["won"])
    before = [row.player for row in SCENES["won"].rows]
    page = stage.drawn()
    page.get_by_role("button", name="Play again in other seats…").click()
    dialog = page.get_by_role("dialog")
    assert before != dialog.locator("li bdi").all_text_contents()
    dialog.get_by_role("button", name="Mix the seats").click()
    order = dialog.locator("li bdi").all_text_contents()
    assert (sorted(before), True) == (sorted(order), order != before)
    dialog.get_by_role("button", name="Play").click()
    expect(dialog).to_be_hidden()
    assert eventually(lambda: stage.commands and isinstance(stage.commands[-1][0], Start))
    start = stage.commands[-1][0]
    assert (tuple(order), tuple(row.line for row in SCENES["won"].rows)) == (start.players, start.lines)
