"""How sure a verdict is, in one tap: the sheet on the table's page, in history and on a round's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.core.model import Edge, Levels, Press
from lastnose.companion.evening import events as log
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.timing import judge

from tests.support.tables import served
from tests.web.browser.conftest import LINES, PHONE, Visits, expect

SEATS = (1, 2, 3)
US = 1_000


def judged(t_us: tuple[int, int, int], at: float) -> tuple[log.RoundArmed, log.RoundJudged]:
    """Return a round: seat after seat was touched at these times, each sure to 10 µs, 6 of them its own."""
    presses = [
        Press(seat, t * US, 10_000, "gpio", 0, 2_000, 2_000) for seat, t in zip(SEATS, t_us, strict=True)
    ]
    tape = (
        Levels(dict.fromkeys(LINES[:3], 0), 0, "gpio", 10_000),
        *(Edge(press.t_ns, "gpio", f"nose.{press.seat}", 1, 10_000) for press in presses),
    )
    return (
        log.RoundArmed(by="box", at=at, t_ns=0, seats=SEATS),
        log.RoundJudged(
            by="box",
            at=at,
            verdict=judge(presses),
            confirm_ns=1_000_000,
            lockout_ns=20_000_000,
            inputs=tape,
        ),
    )


def evening() -> MemoryStore:
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
    with served(LINES, store=evening(), tokens=False) as table:
        yield table.address
        visit.close()


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
