"""A phone whose tab dies, at every moment of a round: does the table arm again, or say whom it waits for?

Real pages in Debian's chromium without a window, a real table with its server. The renderer of one page is
killed, so it says no last word. Then nothing more happens, or its person takes the seat on another page, or
the host frees it, each within 3 s; the host asks for the next round until it is armed or the phone is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from lastnose.companion.core.errors import CompanionError, DeviceError
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Arm, Start, Void
from lastnose.companion.system import host_clock

from tests.bench.browser import browsing
from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.support.tables import Served, served

PHASES = {
    "ready": "before the first deal",
    "armed": "noses on",
    "judging": "in the middle of a round",
    "verdict": "at the verdict",
}
KILLS, QUICK_KILLS = 20, 1
AIM_S, GIVE_UP_S = 5.0, 60.0
LINES, NAMES = ("nose.1", "nose.2", "nose.3"), ("Ana", "Björn", "Zoë")
COLUMNS = (
    Column("kills", "tabs killed", ""),
    Column("armed", "armed again", ""),
    Column("named", "phone named", ""),
    Column("stuck", "neither in 60 s", ""),
    Column("p50_s", "after", "s"),
    Column("worst_s", "at the worst", "s"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Kill tabs in each phase; raise DeviceError where there is no browser."""
    kills = QUICK_KILLS if plan.quick else KILLS
    with browsing() as browser:
        rows = tuple(_row(phase, [_killed(browser, phase, n) for n in range(kills)]) for phase in PHASES)
    return FigureGroup((FigureTable(COLUMNS, rows),))


def _row(phase: str, found: list[tuple[str, float]]) -> FigureRow:
    took_s = sorted(s for _, s in found)
    count = {what: sum(one == what for one, _ in found) for what in ("armed", "named", "stuck")}
    figures = {
        "kills": Figure(float(len(found))),
        "armed": Figure(float(count["armed"])),
        "named": Figure(float(count["named"])),
        "stuck": Figure(float(count["stuck"]), 0.0),
        "p50_s": Figure(rounded(took_s[len(took_s) // 2])),
        "worst_s": Figure(rounded(took_s[-1]), AIM_S),
    }
    return FigureRow(phase, PHASES[phase], figures)


def _killed(browser: Any, phase: str, number: int) -> tuple[str, float]:
    """Kill a tab in *phase*; return what the table did, and how long after the last that people did."""
    chance = Random(f"{phase}{number}")
    with served(LINES, tokens=False) as table:
        table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(60)
        page = _seated(browser, table)
        _play(table, phase)
        before = table.table.snapshot.seq
        _crash(page)
        if number % 3:
            time.sleep(chance.uniform(0.1, 2.5))
        if number % 3 == 1:
            _seated(browser, table)
        elif number % 3 == 2:
            assert table.server._house is not None
            table.server._house.pages.forget(LINES[1])
        found = _goes_on(table, before)
        for context in browser.contexts:
            context.close()
        return found


def _seated(browser: Any, table: Served) -> Any:
    """Open a page that is Björn's nose; where his phone answers it asks once more."""
    page = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True).new_page()
    page.goto(f"{table.address}/nose")
    button = page.get_by_role("button", name=NAMES[1])
    button.tap()
    if button.is_visible():
        button.tap()
    _until(lambda: any(one.line == LINES[1] for one in table.table.snapshot.phones))
    return page


def _play(table: Served, phase: str) -> None:
    """Play until the table is in *phase*: Ana touches, then Zoë; Björn, who does not, is last."""
    if phase == "ready":
        return
    table.table.submit(Arm(), "host").result(60)
    _until(lambda: table.table.snapshot.phase == "armed")
    for line in LINES[: 1 if phase == "judging" else 0] or (LINES[::2] if phase == "verdict" else ()):
        table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
    _until(lambda: table.table.snapshot.phase in (phase, "dead-heat", "void"))
    for line in LINES[::2]:
        table.source.drive(line, 0, host_clock.now_ns(), StampWorth(1000))


def _crash(page: Any) -> None:
    from playwright.sync_api import Error

    try:
        page.goto("chrome://crash", timeout=5_000)
    except Error:
        return
    raise DeviceError(text("The browser does not let its tabs be killed."))


def _goes_on(table: Served, before: int) -> tuple[str, float]:
    """Ask for the next round as a host does, until it is armed or Björn's phone is named."""
    began_s = time.monotonic()
    while (took_s := time.monotonic() - began_s) < GIVE_UP_S:
        shown = table.table.snapshot
        if any(NAMES[1] in str(one) for one in shown.faults):
            return "named", took_s
        if shown.phase == "armed" and shown.seq > before:
            return "armed", took_s
        with suppress(CompanionError):  # something is in the way, which the pages say
            wish = Void(under_way=True) if shown.phase in ("armed", "judging") else Arm()
            table.table.submit(wish, "host").result(60)
        time.sleep(0.05)
    return "stuck", took_s


def _until(so: Callable[[], bool]) -> None:
    end_s = time.monotonic() + GIVE_UP_S
    while not so():
        if time.monotonic() > end_s:
            raise DeviceError(text("The table was not so far in a minute."))
        time.sleep(0.02)
