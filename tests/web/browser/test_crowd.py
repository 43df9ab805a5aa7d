"""Many noses on one page: none moves under a finger, a round always ends, and none stays held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Start
from lastnose.companion.system import host_clock

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import LINES, PHONE, Visits
from tests.web.browser.test_evening import Fingers

NAMES = tuple(f"P{number}" for number in range(1, 27))
TABLET = {"viewport": {"width": 1024, "height": 1366}, "has_touch": True, "is_mobile": True}
SCREENS = {"phone": PHONE, "desktop": {"viewport": {"width": 1920, "height": 1080}}}
PLACES = """() => [...document.querySelectorAll(".noses .nose")].map((nose) => {
  const { left, top, width } = nose.getBoundingClientRect();
  return [left, top + scrollY, width].map(Math.round);
})"""
OVER = ("verdict", "void")


def begin(evening: Served, players: int) -> None:
    """Start Pig among so many players."""
    evening.table.submit(Start("pig", NAMES[:players], {}, LINES[:players]), "host").result(60)


def arm(page: Any) -> None:
    """Ask for a round on the page, and wait until it is armed there."""
    page.locator("[data-do=arm]:not([aria-disabled]):visible").first.wait_for()
    page.evaluate("[...document.querySelectorAll('[data-do=arm]')].find((go) => go.offsetHeight).click()")
    page.locator("#verdict[data-phase=armed]").wait_for(state="attached")


def held(evening: Served) -> list[int]:
    """Return the seats whose noses are held."""
    return [row.seat for row in evening.table.snapshot.rows if row.held]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("players", [4, 26])
def test_no_nose_moves_from_the_arming_to_the_verdict(visit: Visits, screen: str, players: int) -> None:
    """Whatever sentence and photo finish say above them; twice, as the first verdict fills more room."""
    with served(LINES, tokens=False) as evening:
        begin(evening, players)
        page = visit(evening.address, **SCREENS[screen]).page

        def press(level: int, *seats: int) -> None:
            for seat in seats:
                evening.source.drive(f"nose.{seat}", level, host_clock.now_ns(), StampWorth(1_000))

        def places(phases: str) -> list[list[int]]:
            page.locator(f"#verdict:is({phases})").wait_for(state="attached")
            page.wait_for_function("() => document.querySelector('.noses .nose')?.offsetHeight > 0")
            return list(page.evaluate(PLACES))

        others = range(2, players)
        for _ in range(2):
            arm(page)
            armed = places("[data-phase=armed]")
            press(1, 1)
            assert _near(armed, places("[data-phase=judging]"))
            press(1, *others)
            assert _near(armed, places("[data-phase=verdict], [data-phase=dead-heat], [data-phase=void]"))
            press(0, 1, *others)
            assert eventually(lambda: not held(evening))
        visit.close()


def _near(before: list[list[int]], after: list[list[int]]) -> bool:
    """Return whether no nose has moved by more than the pixel that rounding takes."""
    pairs = zip(before, after, strict=True)
    return all(abs(a - b) <= 1 for one, other in pairs for a, b in zip(one, other, strict=True))


def test_a_round_of_twenty_six_on_one_page_ends_and_leaves_no_nose_held(visit: Visits) -> None:
    """Ten keys and fifteen fingers, nobody at nose 26: it was last. A page held up too long is named instead.

    Twice in a row: no round hangs, and none begins with a nose that was let go.
    """
    with served(LINES, tokens=False) as evening:
        begin(evening, 26)
        page = visit(evening.address, **TABLET).page
        fingers = Fingers(page)
        for _ in range(2):
            arm(page)
            assert [] == held(evening)
            for key in "1234567890":
                page.keyboard.down(key)
            fingers.touch(*range(11, 26))
            assert pumped(page, lambda: evening.table.snapshot.phase in OVER), evening.table.snapshot.headline
            shown = evening.table.snapshot
            if shown.phase == "verdict":
                assert ([26], 25) == ([seat for seat, _ in shown.finish.missing], len(shown.finish.marks))
            else:
                assert any("phone or computer" in str(one) for one in (shown.headline, *shown.proof))
            fingers.lift()
            for key in "1234567890":
                page.keyboard.up(key)
            assert pumped(page, lambda: not held(evening))
        visit.close()


def pumped(page: Any, done: Callable[[], bool]) -> bool:
    """Return whether *done* comes true while the page goes on."""

    def turned() -> bool:
        page.evaluate("1")
        return done()

    return eventually(turned)
