"""The only page of a table, reloaded in the middle of a round: on a slow machine, or while it is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.evening.commands import Arm

from tests.support.streams import eventually
from tests.support.tables import Served
from tests.web.browser.conftest import Visits, settle
from tests.web.browser.noses import table_of_three


@pytest.fixture
def table(visit: Visits, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve a table of three with a game; on a busy machine a page may take longer to be loaded again.

    Touches are believed as late as elsewhere: what is told later counts because the page is the only one.
    """
    monkeypatch.setattr("lastnose.web.taps._HANDED_NS", 50_000_000)
    for name in (
        "lastnose.web.taps.ALONE_NS",
        "lastnose.web.page_sources.ALONE_NS",
        "lastnose.web.open_page.ALONE_NS",
        "lastnose.web.taps._VOWED_NS",
        "lastnose.web.open_page.LONGEST_DELAY_NS",
        "lastnose.hardware.sources.mock.FIRST_NS",
    ):
        monkeypatch.setattr(name, 100_000_000_000)
    with table_of_three(visit) as table:
        yield table


@pytest.mark.parametrize("way", ["refused", "held"])
def test_a_page_loaded_again_says_what_it_could_not_say_before(
    visit: Visits, table: Served, way: str
) -> None:
    """Second round of a game: touch and last word get through by the next page alone, with their numbers."""
    page = visit.drawn(table.address, may_complain=True)
    for key in "123":
        page.keyboard.down(key)
        page.keyboard.up(key)
    assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    table.table.submit(Arm(), "host").result(120)
    page.locator("#verdict[data-phase=armed]").wait_for()
    words: list[dict[str, Any]] = []
    page.on("request", lambda one: one.url.endswith("/taps") and words.append(one.post_data_json))
    page.route("**/api/v1/taps", lambda route: route.abort() if way == "refused" else None)
    page.keyboard.down("1")
    page.keyboard.up("1")
    assert eventually(lambda: any(word["taps"] for word in words) or page.wait_for_timeout(10))
    before = words[-1]["page"]
    page.evaluate("() => location.reload()")
    page.wait_for_event("domcontentloaded")
    page.unroute_all(behavior="ignoreErrors")
    settle(page)
    page.wait_for_function("(key) => !(key in sessionStorage)", arg=f"lastnose-left-{before}")

    def last_words() -> list[dict[str, Any]]:
        return [word for word in words if word["page"] == before and word["leaves"]]

    assert eventually(lambda: last_words() or page.wait_for_timeout(10))
    last = last_words()[-1]
    assert (8, [7, 8]) == (last["upto"], [tap["no"] for tap in last["taps"]])
    assert eventually(lambda: table.table.snapshot.rows[0].pressed)
    page.keyboard.down("2")
    page.keyboard.up("2")
    assert eventually(lambda: table.table.snapshot.phase in ("verdict", "void"))
    assert "Zoë was last: P" == str(table.table.snapshot.headline)


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("before", ["", "1"])
def test_noses_touched_as_soon_as_they_are_there_again_count_on_a_slow_machine(
    visit: Visits, table: Served, earlier: bool, before: str
) -> None:
    """Six times slower than this one, and nobody waits until the page knows the clock."""
    page = visit.drawn(table.address)

    def touch(keys: str) -> None:
        for key in keys:
            page.keyboard.down(key)
            page.keyboard.up(key)

    if earlier:
        touch("123")
        assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    table.table.submit(Arm(), "host").result(120)
    page.locator("#verdict[data-phase=armed]").wait_for()
    touch(before)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.evaluate("() => { setTimeout(() => location.reload()); }")
    page.wait_for_event("domcontentloaded")
    page.wait_for_function("() => document.querySelectorAll('.nose').length === 3")
    touch("12"[len(before) :])
    assert eventually(lambda: table.table.snapshot.phase in ("verdict", "void") or page.wait_for_timeout(20))
    assert "Zoë was last: P" == str(table.table.snapshot.headline)
