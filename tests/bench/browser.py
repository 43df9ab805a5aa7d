"""How long after the key that decides a round its verdict stands on the page where it was pressed.

`lastnose run` in a process of its own with its log on the disk, and Debian's chromium without a window; three
of four press keys 40 to 120 ms apart, and the fourth is last by absence. The page's own clock measures both
ends: the key's event, and the frame after the verdict has come. And what a first visit of the pages costs:
requests, bytes, and when it paints on a processor four times slower; and how much of a core the browser that
shows the board takes while noses of a full table count, all its processes together, by Chromium's own clock.
Playwright is there in a checkout only.
"""

from __future__ import annotations

import http.client
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text

from tests.bench.figures import (
    SPREAD,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    rounded,
    spread,
)
from tests.bench.processes import RunningTable
from tests.support.page_figures import cost, first_paint_ms

P50_AIM_MS, P99_AIM_MS = 60.0, 150.0
PAINT_AIM_MS, REQUESTS_AIM, KB_AIM = 1_000, 12, 100  # of each page
VISITS, QUICK_VISITS = 5, 1
COLUMNS = (
    Column("paint_ms", "first paint, 4 times slower", "ms"),
    Column("requests", "requests", ""),
    Column("sent_kb", "sent", "kb"),
)
PAGES = {
    "table": ("/", "table"),
    "history": ("/history", "history"),
    "statistics": ("/statistics", "statistics"),
}
SHEET = ("Mamie", "Dominique", "Anne-Sophie", "Björn", "Zoë", "Дима", "小雨", "Maximilian")
HANDS = 10
BOARD_COLUMNS = (Column("browser_cpu_percent", "browser CPU", "percent"),)
BOARD_AIM_PERCENT, BOARD_SEATS = 2.0, 26
BOARD_S, QUICK_BOARD_S, SETTLED_MS = 20.0, 1.0, 3_000
ROUNDS, QUICK_ROUNDS = 100, 4
PLAYERS = ("North", "East", "South", "West")
WITHIN_MS = 30_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_WATCH = """
globalThis.pressed = 0;
globalThis.shown = [];
addEventListener("keydown", (event) => { globalThis.pressed = event.timeStamp; }, true);
new MutationObserver(() => {
  const verdict = document.querySelector("#verdict");
  const phase = verdict?.dataset.phase ?? "";
  if (phase === globalThis.phase) return;
  globalThis.phase = phase;
  if (phase === "verdict" || phase === "void" || phase === "dead-heat")
    requestAnimationFrame(() => globalThis.shown.push([phase, performance.now() - globalThis.pressed]));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase"] });
"""


def measure(plan: BenchPlan) -> FigureGroup:
    """Play rounds by keys on one page, then visit the pages; raise DeviceError where there is no browser."""
    times_ns, visits, board = press_to_page(plan.folder, plan.quick)
    figures = spread(times_ns, p50_aim_ms=P50_AIM_MS, p99_aim_ms=P99_AIM_MS)
    row = FigureRow("one_page", "a key on one page", figures)
    boards = FigureTable(BOARD_COLUMNS, (board,))
    return FigureGroup((FigureTable(SPREAD, (row,)), FigureTable(COLUMNS, visits), boards))


@contextmanager
def browsing() -> Iterator[Any]:
    """Yield a browser without a window, and end it; raise DeviceError where there is none."""
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        raise DeviceError(text("There is no browser to measure with: it wants chromium and Playwright."))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def press_to_page(folder: Path, quick: bool) -> tuple[list[int], tuple[FigureRow, ...], FigureRow]:
    """Return how long after its deciding key each verdict was on the page, in ns; what other pages cost."""
    from lastnose.web.access import make_token

    rounds, count = (QUICK_ROUNDS, QUICK_VISITS) if quick else (ROUNDS, VISITS)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=folder) as data, browsing() as browser:
        token = make_token(Path(data), "bench")
        with RunningTable(Path(data)) as table:
            wish = {"type": "start", "game": "vatra", "players": PLAYERS}
            _command(table.port, token, wish)
            page = browser.new_page(bypass_csp=True)  # Playwright is to wait for what the page has measured
            page.add_init_script(_WATCH)
            with page.expect_response(
                lambda answer: "/clock" in answer.url and answer.request.method == "POST"
            ):
                page.goto(f"http://127.0.0.1:{table.port}/")
            play = partial(_command, table.port, token, {"type": "arm"})
            times_ns = [_round(page, number, play) for number in range(rounds)]
            page.close()
            address = f"http://127.0.0.1:{table.port}"
            visits = [
                _visits(browser, key, address + path, name, count) for key, (path, name) in PAGES.items()
            ]
            _keep_sheet(partial(_command, table.port, token))
            visits.append(_visits(browser, "sheet", f"{address}/", "a sheet of eight", count))
            board = _board(browser, address, partial(_command, table.port, token), quick)
            return times_ns, tuple(visits), board


def _board(
    browser: Any, address: str, command: Callable[[Mapping[str, object]], None], quick: bool
) -> FigureRow:
    """Return what of a core the browser takes while its only page is the board of a full table."""
    command({"type": "start", "game": "pig", "players": [f"Player {n}" for n in range(1, BOARD_SEATS + 1)]})
    command({"type": "arm"})
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{address}/board")
    page.locator("#board[data-show=table][data-phase=armed]").wait_for(timeout=WITHIN_MS)
    page.wait_for_timeout(SETTLED_MS)
    session = browser.new_browser_cdp_session()

    def worked_s() -> float:
        return sum(float(one["cpuTime"]) for one in session.send("SystemInfo.getProcessInfo")["processInfo"])

    since_s, before_s = time.monotonic(), worked_s()
    page.wait_for_timeout((QUICK_BOARD_S if quick else BOARD_S) * 1_000)
    percent = 100 * (worked_s() - before_s) / (time.monotonic() - since_s)
    page.close()
    figure = Figure(rounded(percent), BOARD_AIM_PERCENT)
    return FigureRow("board", f"the board, {BOARD_SEATS} noses on", {"browser_cpu_percent": figure})


def _visits(browser: Any, key: str, address: str, label: str, count: int) -> FigureRow:
    """Visit a page for the first time, *count* times slowed; return what it costs, and the median paint."""
    requests, sent, _ = cost(browser, address)
    paints_ms = [first_paint_ms(browser, address) for _ in range(count)]
    figures = {
        "paint_ms": Figure(rounded(statistics.median(paints_ms)), PAINT_AIM_MS),
        "requests": Figure(requests, REQUESTS_AIM),
        "sent_kb": Figure(rounded(sent / 1_000), KB_AIM),
    }
    return FigureRow(key, label, figures)


def _keep_sheet(command: Callable[[Mapping[str, object]], None]) -> None:
    """Write ten hands of eight players."""
    command({"type": "start", "game": "score-pad", "players": SHEET})
    for hand in range(1, HANDS + 1):
        for seat in range(1, len(SHEET) + 1):
            points = seat * hand * 37 % 150 - 12
            move = {"type": "score", "hand": hand, "seat": seat, "points": points}
            command({"type": "play", "move": move})


def _command(port: int, token: str, wish: Mapping[str, object]) -> None:
    """Give the table a command."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN_MS / 1_000)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    try:
        connection.request("POST", "/api/v1/commands", json.dumps(wish), headers)
        answer = connection.getresponse()
        said = answer.read().decode(errors="replace")
    finally:
        connection.close()
    if answer.status != 200:
        raise DeviceError(text("The table refused: {why}", why=said))


def _round(page: Any, number: int, play: Callable[[], None]) -> int:
    """Say play, press three keys, wait for the verdict, and let go; return what the page measured."""
    chance = random.Random(number)
    keys = [str(1 + (number + place) % len(PLAYERS)) for place in range(len(PLAYERS) - 1)]
    play()
    page.wait_for_function('globalThis.phase === "armed"', timeout=WITHIN_MS)
    for key in keys:
        page.wait_for_timeout(chance.uniform(40, 120))
        page.keyboard.down(key)
    page.wait_for_function(f"globalThis.shown.length > {number}", timeout=WITHIN_MS)
    phase, ms = page.evaluate("globalThis.shown.at(-1)")
    for key in keys:
        page.keyboard.up(key)
    if phase != "verdict":
        why = page.locator("#verdict").inner_text()
        raise DeviceError(
            text("A round on the page ended without a verdict: {phase}: {why}", phase=str(phase), why=why)
        )
    return round(float(ms) * 1_000_000)
