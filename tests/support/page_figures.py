"""What a page costs a phone: its requests and their bytes, and when it paints on a slow processor."""

from __future__ import annotations

from typing import Any

from lastnose.companion.evening.commands import Start

from tests.support.tables import Served

LINES = ("nose.1", "nose.2", "nose.3")
NAMES = ("North", "East", "Élodie")
QUIET_MS = 1500
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


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


def first_paint_ms(browser: Any, address: str) -> float:
    """Return when a first visit of *address* paints, on a processor four times slower."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address)
    page.wait_for_function(f"() => ({_PAINT}) > 0")
    found = float(page.evaluate(_PAINT))
    context.close()
    return found


def begin(table: Served) -> None:
    """Start a game on *table*."""
    table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)
