"""How busy a projector's browser is between verdicts: `python tests/support/board_cpu.py` measures it.

Chromium shows the big screen at rest: the table of 26 players, a verdict whose replay is over, the deal. For
each the share of time that all processes of the browser take from one core, and that the page's main thread
works when it is slowed down (4 times, `--slower`). Both are to stay under 10 %. Needs chromium and a quiet
machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import msgspec

from companion.table.thread import TableThread
from tests.support.fakes import FakeTable
from tests.support.phones import make_access
from tests.web.browser.conftest import CHROMIUM, QUIET
from tests.web.browser.scenes import SCENES
from web.server.server import Server

MOST_PERCENT = 10.0
SHOW_MS = 12_000  # longer than any replay; then a deal is shown for sixteen seconds


class Figures(msgspec.Struct, frozen=True):
    """What a scene costs, in percent of one core: the page slowed down, and the whole browser as it is."""

    page: float
    browser: float


def rest(page: Any, browser: Any, slower: float, seconds: float) -> Figures:
    """Return how busy *browser* is in one half of *seconds*, and *page*, slowed down, in the other.

    Not at once: what slows a page down takes time of the machine itself.
    """

    def busy_s() -> float:
        metrics = {one["name"]: one["value"] for one in page.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])

    def used_s() -> float:
        processes = browser.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(float(one["cpuTime"]) for one in processes)

    used = _percent(used_s, seconds / 2)
    page.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    busy = _percent(busy_s, seconds / 2)
    page.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return Figures(busy, used)


def _percent(spent_s: Callable[[], float], seconds: float) -> float:
    began, before = time.monotonic(), spent_s()
    time.sleep(seconds)
    after = spent_s()
    return 100 * (after - before) / (time.monotonic() - began)


@contextmanager
def projector(table: FakeTable) -> Iterator[tuple[Any, Any, Any]]:
    """Open the big screen of *table*; yield the page, its session and the browser's."""
    from playwright.sync_api import sync_playwright

    server = Server(cast("TableThread", table), make_access(), port=0)
    server.start()
    try:
        with sync_playwright() as playwright:
            opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
            page = opened.new_page(viewport={"width": 1920, "height": 1080})
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable")
            page.goto(f"http://127.0.0.1:{server.port}/board")
            yield page, session, opened.new_browser_cdp_session()
            opened.close()
    finally:
        server.stop()


def show(table: FakeTable, name: str) -> None:
    """Show the scene *name* as the next version of *table*."""
    scene = SCENES[name]
    table.show(**{field: getattr(scene, field) for field in scene.__struct_fields__ if field != "version"})


def await_scene(page: Any, name: str) -> None:
    """Wait until the big screen shows the scene *name*."""
    page.wait_for_selector(f"#board[data-show={name}]")


def measured(slower: float, seconds: float) -> Iterator[tuple[str, Figures]]:
    """Yield the scenes of the big screen at rest, and what each costs."""
    table = FakeTable(SCENES["crowd"])
    with projector(table) as (page, session, browser):
        await_scene(page, "table")
        page.wait_for_timeout(2000)
        yield "table of 26", rest(session, browser, slower, seconds)
        show(table, "close")
        await_scene(page, "verdict")
        page.wait_for_timeout(SHOW_MS * 2 / 3)
        yield "a verdict after its replay", rest(session, browser, slower, min(seconds, 4.0))
        await_scene(page, "deal")
        page.wait_for_timeout(1000)
        yield "the deal", rest(session, browser, slower, min(seconds, 12.0))


def main() -> int:
    """Measure and print; 1 when a screen at rest takes more than it may."""
    parser = argparse.ArgumentParser(description="How busy a projector's browser is between verdicts.")
    parser.add_argument("--slower", type=float, default=4.0, help="how many times slower scripts run")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each scene is watched")
    given = parser.parse_args()
    worst = 0.0
    for name, figures in measured(given.slower, given.seconds):
        worst = max(worst, figures.page, figures.browser)
        print(f"{name:28} page {figures.page:5.1f} %  browser {figures.browser:5.1f} %")
    return int(worst >= MOST_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
