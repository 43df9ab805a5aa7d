"""A network that dies without a word, with a page at one end and the table's server at the other."""

from __future__ import annotations

from lastnose.companion.evening.commands import Start

from tests.support.streams import eventually
from tests.support.tables import served
from tests.support.wifi import SilentWifi
from tests.web.browser.conftest import PHONE, Visits

WITHIN_S = 120


def test_a_page_whose_network_died_in_silence_says_so_and_catches_up(visit: Visits) -> None:
    """No error reaches the browser: 12 s after the last sign of life it gives up, and goes on trying."""
    with served(("nose.1", "nose.2", "nose.3")) as evening:
        wifi = SilentWifi(evening.server.port)
        try:
            page = visit("about:blank", may_complain=True, **PHONE).page
            page.clock.install()
            page.goto(f"http://127.0.0.1:{wifi.port}/")
            assert eventually(lambda: 1 == evening.server.viewers)
            lost = page.get_by_text("Not connected. Trying again…")
            wifi.stall()
            page.clock.run_for(13_000)
            lost.wait_for()
            evening.table.submit(Start("pig", ("North", "East", "South")), "test").result(WITHIN_S)
            page.clock.run_for(13_000)  # what was tried meanwhile hangs too
            assert lost.is_visible()
            assert 0 == page.get_by_text("North").count()
            wifi.recover()
            page.clock.run_for(13_000)
            lost.wait_for(state="detached")
            page.get_by_text("North").first.wait_for(state="attached")
        finally:
            visit.close()
            wifi.close()
