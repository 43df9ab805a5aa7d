"""What a page costs a phone in requests and bytes; times are for `make bench`."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Arm
from lastnose.companion.system import host_clock

from tests.support.page_figures import LINES, begin, cost
from tests.support.streams import eventually
from tests.support.tables import served
from tests.web.browser.conftest import Stage, settle


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
