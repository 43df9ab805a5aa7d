"""A contested round on the pages: both verdicts, and the host decides with one touch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.evening import events as log
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.timing import judge

from tests.support.tables import served
from tests.web.browser.conftest import LINES, PHONE, Visits, expect

SEATS = (1, 2, 3)


def press(seat: int, t_ms: int) -> Press:
    """Return a touch at *t_ms*."""
    return Press(seat, t_ms * 1_000_000, 10_000, "gpio")


def judged(verdict: Verdict, at: float) -> log.RoundJudged:
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
        judged(named, 3.0),
        log.RoundArmed(by="box", at=4.0, t_ns=1_000_000_000, seats=SEATS),
        log.VerdictContested(by="box", at=5.0, of=3, verdict=meant),
        judged(named, 6.0),
    )
    return store


@pytest.fixture
def address(visit: Visits) -> Iterator[str]:
    """Serve a table at which a round is contested; return its address without a slash."""
    with served(LINES, store=contested(), tokens=False) as table:
        yield table.address
        visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_host_keeps_a_contested_round_with_one_touch(visit: Visits, address: str, scheme: str) -> None:
    """From the table's page to the round, on a phone; both verdicts are read, and the round stays."""
    phone: dict[str, Any] = {**PHONE, "color_scheme": scheme}
    page = visit(address, **phone).page
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


def test_the_host_voids_a_contested_round_from_the_history(visit: Visits, address: str) -> None:
    """The other round has no such buttons; what was taken out says who had been named."""
    page = visit(f"{address}/history").page
    expect(page.get_by_role("button", name="It does not count")).to_have_count(1)
    card = page.locator("article").nth(1)
    card.get_by_text("contested", exact=True).wait_for()
    card.get_by_role("button", name="It does not count").click()
    card.get_by_role("heading", name="This round does not count.").wait_for()
    card.get_by_text("The box had judged: North.").wait_for()
    page.get_by_role("button", name="It does not count").wait_for(state="hidden")
