"""A verdict on pages: its photo finish, how sure it is, contested rounds, and a tape as an address."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.model import Edge, Levels, Press, Verdict
from lastnose.companion.evening import events as log
from lastnose.companion.evening.commands import Start
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.replay import packed
from lastnose.companion.timing import judge

from tests.support.evenings import judged_round
from tests.support.streams import eventually
from tests.support.tables import served
from tests.web.browser.conftest import LINES, PHONE, Stage, Visits, expect, settle
from tests.web.browser.scenes import CLOSE, HEAT, MISSING, MS, SCENES, US, crowd, finish
from tests.web.browser.test_pages import serious
from tests.web.test_appeal_link import tape_of

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


SEATS = (1, 2, 3)


def judged(t_us: tuple[int, int, int], at: float) -> tuple[log.RoundArmed, log.RoundJudged]:
    """Return a round: seat after seat was touched at these times, each sure to 10 µs, 6 of them its own."""
    presses = [
        Press(seat, t * US, 10_000, "gpio", 0, 2_000, 2_000) for seat, t in zip(SEATS, t_us, strict=True)
    ]
    tape = (
        Levels(dict.fromkeys(LINES[:3], 0), 0, "gpio", 10_000),
        *(Edge(press.t_ns, "gpio", f"nose.{press.seat}", 1, 10_000) for press in presses),
    )
    return judged_round(presses, tape, at=at)


def doubtful() -> MemoryStore:
    """Return the log of a zero test, a dead heat and a verdict with a margin of 412 µs."""
    store = MemoryStore()
    off_ns = (*(0,) * 9, *(4_000,) * 10, -25_000)
    store.append(
        log.ZeroTested(by="box", at=1.0, lines=("nose.1", "nose.2"), off_ns=off_ns, u_ns=20_000, missed=1),
        log.Started(
            by="host", at=2.0, game="pig", players=("North", "East", "Zoë"), options={}, lines=LINES[:3]
        ),
        *judged((10_000, 90_000, 90_012), 3.0),
        *judged((10_000, 90_000, 90_412), 4.0),
    )
    return store


@pytest.fixture
def address(visit: Visits) -> Iterator[str]:
    """Serve that evening; return its address without a slash."""
    with served(LINES, store=doubtful(), tokens=False) as table:
        yield table.address
        visit.close()


def test_two_taps_in_one_open_what_the_doubt_is_made_of_once(visit: Visits, address: str) -> None:
    """Nothing is complained about, and one tap closes it."""
    page = visit(address).page
    page.get_by_role("button", name="How sure?").dblclick()
    sheet = page.locator("dialog.doubt-sheet")
    sheet.get_by_text("19 of 21 inside").wait_for()
    expect(sheet).to_have_count(1)
    assert sheet.evaluate("box => box.matches(':modal')")
    sheet.locator(".back button").click()
    expect(sheet).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_tap_tells_what_the_doubt_is_made_of_and_a_second_protests(
    visit: Visits, address: str, scheme: str
) -> None:
    """12 + 4 + 4 µs of two stamps and less than one of the clock; the tape says it too, and the host why."""
    phone: dict[str, Any] = {**PHONE, "color_scheme": scheme}
    page = visit(address, **phone).page
    page.get_by_role("button", name="How sure?").tap()
    sheet = page.get_by_role("dialog", name="Zoë was last, by at least 20 times the uncertainty.")
    sheet.get_by_text("± 21 µs", exact=True).wait_for()
    lines = [line.split("\n") for line in sheet.locator(".madeof li").all_inner_texts()]
    assert ["Stamp", "Pin to pin", "Contact", "Pace of the clock"] == [line[0] for line in lines]
    assert ["12 µs", "4 µs", "4 µs", "1 µs"] == [line[-1] for line in lines]
    expect(sheet.locator(".zero .d")).to_have_count(20)
    expect(sheet.locator(".zero .d.wide")).to_have_count(1)
    sheet.get_by_text("19 of 21 inside").wait_for()
    sheet.get_by_text("this table judges contacts").wait_for()
    assert sheet.evaluate("box => box.scrollWidth <= box.clientWidth")
    sheet.get_by_role("button", name="Protest this verdict").tap()
    sheet.get_by_text("After a protest the tape was judged again: it says the same.").wait_for()
    sheet.get_by_label("Why?").fill("pressed twenty times, it always closed")
    sheet.get_by_role("button", name="Keep it as it was judged").tap()
    sheet.get_by_text("The table kept it as it was judged.").wait_for()
    sheet.get_by_text("pressed twenty times, it always closed", exact=True).wait_for()
    expect(sheet.get_by_role("button", name="Protest this verdict")).to_have_count(0)
    sheet.get_by_role("button", name="Round 2").tap()
    sheet.wait_for(state="hidden")


def test_history_and_a_rounds_page_tell_it_too_also_in_french_and_on_paper(
    visit: Visits, address: str
) -> None:
    """A dead heat overlaps; what is printed has the lines of every ± and the zero test of the evening."""
    page = visit(f"{address}/history", locale="fr-FR").page
    page.locator("article").nth(1).get_by_role("button", name="L’incertitude").click()
    sheet = page.get_by_role("dialog", name="Trop serré pour le dire")
    sheet.locator(".scale .u").nth(1).wait_for()
    first, second = (sheet.locator(".scale .u").nth(n).bounding_box() for n in (0, 1))
    assert first["x"] + first["width"] > second["x"]
    expect(sheet.get_by_role("button", name="Contester ce verdict")).to_have_count(0)
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    # The dead heat and the margin, each with the clock's pace over it.
    expect(page.get_by_text("± 21 µs : Horodatage 12 µs")).to_have_count(2)
    page.get_by_text("Essai à zéro : 19 sur 21").wait_for()
    page.emulate_media(media="screen")
    page.locator("article").first.get_by_role("link").click()
    page.locator("#doubt").get_by_text("Zoë en dernier : au moins 20 fois l’incertitude.").wait_for()


def press(seat: int, t_ms: int) -> Press:
    """Return a touch at *t_ms*."""
    return Press(seat, t_ms * 1_000_000, 10_000, "gpio")


def told(verdict: Verdict, at: float) -> log.RoundJudged:
    """Return that a round was judged."""
    return log.RoundJudged(by="box", at=at, verdict=verdict, confirm_ns=1_000_000, lockout_ns=20_000_000)


def contested() -> MemoryStore:
    """Return the log of a round that North lost, and in which Élodie was last with what came later."""
    store = MemoryStore()
    named = judge([press(2, 50), press(3, 90), press(1, 300)])
    meant = judge([press(1, 10), press(2, 50), press(3, 90)])
    players = ("North", "East", "Élodie")
    store.append(
        log.Started(by="host", at=1.0, game="pig", players=players, options={}, lines=LINES[:3]),
        log.RoundArmed(by="box", at=2.0, t_ns=0, seats=SEATS),
        told(named, 3.0),
        log.RoundArmed(by="box", at=4.0, t_ns=1_000_000_000, seats=SEATS),
        log.VerdictContested(by="box", at=5.0, of=3, verdict=meant),
        told(named, 6.0),
    )
    return store


@pytest.fixture
def contested_at(visit: Visits) -> Iterator[str]:
    """Serve a table at which a round is contested; return its address without a slash."""
    with served(LINES, store=contested(), tokens=False) as table:
        yield table.address
        visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_host_keeps_a_contested_round_with_one_touch(
    visit: Visits, contested_at: str, scheme: str
) -> None:
    """From the table's page to the round, on a phone; both verdicts are read, and the round stays."""
    phone: dict[str, Any] = {**PHONE, "color_scheme": scheme}
    page = visit(contested_at, **phone).page
    expect(page.locator(".tabs i")).to_have_text("1", use_inner_text=True)
    page.get_by_role("button", name="Host").click()
    page.locator("#host").get_by_role("link", name="Round 1 is contested: keep it, or void it.").click()
    page.get_by_role("heading", name="North was last: P").wait_for()
    page.get_by_text("Contested. With what came later: Élodie.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Keep it as it was judged").tap()
    page.get_by_text("The table kept it as it was judged.").wait_for()
    page.get_by_role("button", name="It does not count").wait_for(state="hidden")
    page.get_by_role("heading", name="North was last: P").wait_for()


def test_the_host_voids_a_contested_round_from_the_history(visit: Visits, contested_at: str) -> None:
    """The other round has no such buttons; what was taken out says who had been named."""
    page = visit(f"{contested_at}/history").page
    expect(page.get_by_role("button", name="It does not count")).to_have_count(1)
    card = page.locator("article").nth(1)
    card.get_by_text("contested", exact=True).wait_for()
    card.get_by_role("button", name="It does not count").click()
    card.get_by_role("heading", name="This round does not count.").wait_for()
    card.get_by_text("The box had judged: North.").wait_for()
    page.get_by_role("button", name="It does not count").wait_for(state="hidden")


def test_a_round_is_judged_from_its_address(stage: Stage) -> None:
    """Zoë is 20 ms and 111 µs behind Björn: (2² − 1²) · 37 = 111. What is cut off is said."""
    link = packed(tape_of(("Ana", "Björn", "Zoë")))
    opened = stage.visit(f"/appeal#{link}")
    page, opened.may_complain = opened.page, True  # of the answer that refuses
    expect(page.locator("h3.big")).to_have_text("Zoë was last: P")
    expect(page.locator("#rounds photo-finish")).to_be_visible()
    expect(page.locator("#rounds")).to_contain_text("20 ms")
    expect(page.locator(".doubt h2")).to_be_visible()
    assert [] == serious(page)
    page.evaluate("location.hash = '#1AAAA'")
    expect(page.locator("#appeal-wrong")).to_have_text(
        "This address holds no tape: copy all of it, to its last letter."
    )
    expect(page.locator("h3.big")).to_have_count(0)
