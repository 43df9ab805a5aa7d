"""What a page costs a phone in requests and bytes; times are for `python -m tests.support.page_figures`."""

from __future__ import annotations

from typing import Any

from companion.core.ports import StampWorth
from companion.evening.commands import Arm
from companion.system import host_clock
from tests.support.page_figures import LINES, begin, cost
from tests.support.streams import eventually
from tests.support.tables import served


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
