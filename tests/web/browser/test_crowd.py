"""Twenty-six noses on browsers that hardly get on: the round ends, and no nose stays held into the next."""

from __future__ import annotations

from typing import Any

import pytest

from companion.evening.commands import Arm, Start
from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import LINES, Visits
from tests.web.browser.test_evening import Fingers
from tests.web.browser.test_pages import settle

TABLET = {"viewport": {"width": 1024, "height": 1366}, "has_touch": True, "is_mobile": True}
SLOWER = 6  # times than this machine, which others use as well
LEFT, RIGHT = range(1, 14), range(14, 26)
NAMES = tuple(f"P{number}" for number in range(1, 27))


def tablet(visit: Visits, evening: Served) -> tuple[Any, Fingers]:
    """Open the table on a slow tablet that shows all noses, and lay hands beside it."""
    page = visit(evening.address, **TABLET).page
    settle(page)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.locator(".nose[data-line='nose.26']").scroll_into_view_if_needed()
    return page, Fingers(page)


def phase(evening: Served) -> str:
    """Return the phase that the table is in."""
    return evening.table.snapshot.phase


def test_a_round_of_twenty_six_on_slow_tablets_ends_and_leaves_no_nose_held(
    visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirteen hands on one tablet, twelve on the other, nobody at nose 26: it is last, twice in a row.

    People touch what they see: each page shows the armed round before its noses are touched.
    """
    monkeypatch.setattr("web.taps._SHORTEST_DELAY_NS", 250_000_000)
    with served(LINES, tokens=False) as evening:
        evening.table.submit(Start("pig", NAMES, {}, LINES), "host").result(30)
        tablets = [tablet(visit, evening) for _ in range(2)]
        for _ in range(2):
            evening.table.submit(Arm(), "host").result(30)
            assert eventually(lambda: "armed" == phase(evening)), evening.table.snapshot.headline
            assert [] == [row.seat for row in evening.table.snapshot.rows if row.held or row.pressed]
            for (page, fingers), seats in zip(tablets, (LEFT, RIGHT), strict=True):
                page.locator("#verdict[data-phase=armed], #verdict[data-phase=judging]").wait_for(
                    state="attached"
                )
                fingers.touch(*seats)
            assert eventually(lambda: "verdict" == phase(evening)), evening.table.snapshot.headline
            finish = evening.table.snapshot.finish
            assert finish is not None
            assert ([26], 25) == ([seat for seat, _ in finish.missing], len(finish.marks))
            for _, fingers in tablets:
                fingers.lift()
        assert eventually(lambda: not any(row.held for row in evening.table.snapshot.rows))
        visit.close()
