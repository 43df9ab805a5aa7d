"""What pages draw of a margin, in three languages, is what every other screen prints of it."""

from __future__ import annotations

from itertools import product

import pytest
from lastnose.companion.table.table import Table

from tests.support.margins import EVERYDAY, LINES, MARGINS_NS, SURE_NS, evening, held, known_ns
from tests.support.tables import served
from tests.web.browser.conftest import PHONE, Stage, Visits, expect
from tests.web.browser.scenes import SCENES

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
