"""`lastnose zero`: two noses are closed at once, twenty times; the log keeps what came of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from lastnose.companion.cli.frame import (
    argument,
    data_option,
    define,
    json_option,
    language,
    print_json,
    say,
    say_pin,
)
from lastnose.companion.cli.table_options import (
    beside_option,
    boxes_option,
    lan_option,
    oled_option,
    phones_option,
    port_option,
    profile_option,
    source_option,
)
from lastnose.companion.core.text import text
from lastnose.companion.selftest.plan import read_pair

if TYPE_CHECKING:
    from lastnose.companion.table.thread import TableThread
    from lastnose.companion.views.snapshot import Snapshot, ZeroView


class News(Protocol):
    """Snapshots as they come, from any thread; None is the end."""

    def put(self, item: Snapshot | None) -> None:
        """Add one."""

    def get(self) -> Snapshot | None:
        """Take the oldest one, waiting for it."""


@define(
    "zero",
    examples=[
        "lastnose zero nose.1,nose.2 --profile home6",
        "lastnose zero nose.3,nose.4 --source box --json",
        "lastnose zero nose.4,nose.5 --profile home4 --phones 1 --lan",
    ],
)
@argument("lines", metavar="LINE,LINE")
@source_option()
@profile_option
@boxes_option
@beside_option
@phones_option()
@data_option
@port_option
@lan_option
@oled_option
@json_option
def command(lines: str, as_json: bool, **given: Any) -> int:
    """Start the table, make the test, say what came of it."""
    from lastnose.companion.app.app import App
    from lastnose.companion.cli.run import told_to_leave
    from lastnose.companion.config.settings import run_settings

    settings = run_settings(language=language(), **given)
    pair = read_pair(lines, settings.noses, what=lines[:60])
    told = told_to_leave()
    app = App(settings)
    try:
        urls = app.start()
        say(text("The page is at {url}", url=f"{urls[0]}zero"), err=as_json)
        if app.access.lan:
            say_pin(app.access.pin, settings.data_dir, err=as_json)
        news: SimpleQueue[Snapshot | None] = SimpleQueue()
        threading.Thread(target=_end_when, args=(told, news), daemon=True).start()
        zero = make(app.table, pair, news, quiet=as_json)
    finally:
        app.stop()
    if zero is None:
        say(text("Stopped: nothing is kept."), err=True)
        return 1
    return say_result(zero, as_json=as_json)


def _end_when(told: Callable[[], int], news: News) -> None:
    """End *news* when somebody wants to leave."""
    told()
    news.put(None)


def make(table: TableThread, pair: tuple[str, str], news: News, *, quiet: bool) -> ZeroView | None:
    """Make the test, telling what is to be done; return it when it is kept, None if *news* end first."""
    from lastnose.companion.evening.commands import TestZero

    before = table.snapshot.zero
    before_s = before.at if before is not None else 0.0
    end = table.subscribe(news.put)
    try:
        table.submit(TestZero(pair), "host").result()
        told = ""
        while (snapshot := news.get()) is not None:
            zero = snapshot.zero
            if zero is not None and zero.at and zero.at != before_s:
                break  # what it has made of a claim is on the way to the table: before what is asked next
            if zero is not None and not zero.at and zero.says is not None and str(zero.says) != told:
                told = str(zero.says)
                say(zero.says, err=quiet)
        left = table.submit(TestZero(None), "host").result()
        return None if snapshot is None else left.zero
    finally:
        end()


def say_result(zero: ZeroView, *, as_json: bool) -> int:
    """Print what came of it; return the status."""
    inside = sum(abs(off_ns) <= zero.u_ns for off_ns in zero.off_ns)
    if as_json:
        print_json(
            {
                "lines": zero.lines,
                "off_ns": zero.off_ns,
                "u_ns": zero.u_ns,
                "inside": inside,
                "missed": zero.missed,
            }
        )
    else:
        for said in (zero.says, zero.claim):
            if said is not None:
                say(said)
    return 0 if inside == len(zero.off_ns) else 1
