"""A table of three whose noses are phones, and what fingers do on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lastnose.companion.evening.commands import Arm, Start

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import Visits

LINES = ("nose.1", "nose.2", "nose.3")
NAMES = ("Ana", "Björn", "Zoë")
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
HIDE = """() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


FREE = """async (line) => (await fetch("/api/v1/phones/free", {
    method: "POST",
    headers: { "Content-Type": "application/json",
        "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content },
    body: JSON.stringify({ line }),
})).json()"""


@contextmanager
def table_of_three(visit: Visits) -> Iterator[Served]:
    """Serve a table of three with a game; end all pages before it."""
    with served(LINES, tokens=False) as table:
        table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)
        yield table
        visit.close()


def sit(page: Any, table: Served, name: str) -> None:
    """Let the phone take the seat of *name*, and wait until the table knows."""
    page.get_by_role("button", name=name).tap()
    line = LINES[NAMES.index(name)]
    assert eventually(
        lambda: any(one.line == line and one.state == "awake" for one in table.table.snapshot.phones)
    )
    page.locator("#seat").wait_for()


def armed_phone(visit: Visits, table: Served) -> Any:
    """Let a phone, which may lose its network, be the nose of Björn, and arm; return its page."""
    page = visit(f"{table.address}/nose", may_complain=True, **SMALL).page
    sit(page, table, "Björn")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    return page


def touch(page: Any, x: float, y: float) -> Any:
    """Put a finger down, given as shares of the screen; return what takes it away."""
    session = page.context.new_cdp_session(page)
    size = page.viewport_size
    point = {"x": x * size["width"], "y": y * size["height"]}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    return lambda: session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
