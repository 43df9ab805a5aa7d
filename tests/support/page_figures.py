"""What the table page costs a phone: requests and bytes, first paint, and the way from a key to the verdict.

`python -m tests.support.page_figures` serves a real table on simulated noses and prints a line a figure; the
browser is slowed four times for the first paint. On a busy machine the times are upper bounds.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable
from typing import Any

from lastnose.companion.evening.commands import Start
from lastnose.hardware.sources.mock import DELAY_NS

from tests.support.tables import Served, served

LINES = ("nose.1", "nose.2", "nose.3")
NAMES = ("North", "East", "Élodie")
ROUNDS = 100
QUIET_MS = 1500
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
# From the event of the last key that decides to the headline that names the last one.
_WATCH = """() => {
  window.took = [];
  let at = 0;
  addEventListener("keydown", (event) => { at = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (at && document.querySelector("#verdict").dataset.phase === "verdict") {
      window.took.push(performance.now() - at);
      at = 0;
    }
  }).observe(document.querySelector("#verdict"), { subtree: true, attributes: true, childList: true });
}"""


def cost(browser: Any, address: str) -> tuple[int, int, list[str]]:
    """Return how many requests a first visit of *address* makes, their bytes, and what they were."""
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    asked: list[str] = []
    arrived: list[float] = []
    session.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    session.on("Network.loadingFinished", lambda event: arrived.append(event["encodedDataLength"]))
    page.goto(address)
    page.wait_for_timeout(QUIET_MS)
    asked, bytes_ = [url for url in asked if not url.startswith("data:")], round(sum(arrived))
    context.close()  # with which the page signs off: that is no part of the visit
    return len(asked), bytes_, asked


def first_paint_ms(browser: Any, address: str, *, slower: int = 4) -> float:
    """Return when a first visit of *address* paints, on a processor *slower* times slower."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address)
    page.wait_for_function(f"() => ({_PAINT}) > 0")
    found = float(page.evaluate(_PAINT))
    context.close()
    return found


def verdict_ms(page: Any, begin: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Play *rounds* on the keys of *page*; return how long each verdict took to stand in the document.

    A round is void, and has no figure, when the browser hands a key over later than the page has promised.
    *begin()* starts a game: every second round, before anybody is out.
    """
    page.evaluate(_WATCH)
    for number in range(rounds):
        if number % 2 == 0:
            begin()
            page.locator("#verdict[data-phase=ready]").wait_for()
        page.locator("[data-do=arm]:visible").first.click()
        page.locator("#verdict[data-phase=armed]").wait_for()
        for key in "12":
            page.keyboard.down(key)
            page.wait_for_timeout(70)
        page.locator("#verdict:is([data-phase=verdict], [data-phase=void])").wait_for()
        for key in "12":
            page.keyboard.up(key)
        page.wait_for_timeout(100)
    return list(page.evaluate("window.took"))


def begin(table: Served) -> None:
    """Start a game on *table*."""
    table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, served(LINES, tokens=False, late_ns=DELAY_NS) as table:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        begin(table)
        page = browser.new_page()
        page.goto(table.address)
        page.wait_for_timeout(QUIET_MS)
        took = sorted(verdict_ms(page, lambda: begin(table)))
        print(
            f"key to verdict, {len(took)} rounds of {ROUNDS}: median {statistics.median(took):.0f} ms, ",
            end="",
        )
        print(f"p99 {took[min(len(took) - 1, len(took) * 99 // 100)]:.0f} ms, longest {took[-1]:.0f} ms")
        page.close()
        requests, arrived, asked = cost(browser, table.address)
        print(f"table page with a verdict: {requests} requests, {arrived / 1000:.1f} kB")
        print("\n".join(f"  {url.removeprefix(table.address)}" for url in asked))
        paints = [first_paint_ms(browser, table.address) for _ in range(5)]
        print(f"first contentful paint, 4 times slower: median {statistics.median(paints):.0f} ms of 5")
        browser.close()


if __name__ == "__main__":
    main()
