"""An evening of a hall: its organiser and one table's people in browsers, the others through the API."""

from __future__ import annotations

import json
import os
import time
import urllib.request
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TimedOut
from playwright.sync_api import expect

from tests.bench.hall_evening import PatientTable, PlayedTable
from tests.bench.hall_list import compare
from tests.bench.measured_hall import MeasuredHall
from tests.bench.processes import RunningTable
from tests.support.halls import need_server
from tests.web.browser.conftest import PHONE, Visits

LONGEST_S = 1_100  # of the whole evening, and less than what ends a test without a word
CLICK_MS = 2_000
GAP_MS = 70  # between two touches: more than a page may err


class PageOfTable:
    """The people of a table at its page: keys are their noses, and its host signs off there."""

    def __init__(self, running: RunningTable, visit: Visits) -> None:
        self._address = f"http://127.0.0.1:{running.port}"
        self.page = visit(self._address).page
        self._random = Random(11)
        self.deals = 0

    def step(self) -> None:
        """Do what the page asks for, if anything."""
        with urllib.request.urlopen(f"{self._address}/api/v1/state", timeout=60) as answer:
            shown: dict[str, Any] = json.load(answer)
        hall = shown.get("hall") or {}
        if hall.get("signs"):
            button = self.page.locator("#hall button")
            button.click()
            button.wait_for(state="hidden")  # signed: what is asked next is asked after it
        elif not hall.get("match") or shown["phase"] == "won":
            return
        elif shown["phase"] == "armed":
            self.deals += 1
            self._touch([row["seat"] for row in shown["rows"] if not row.get("out")])
        elif shown["round_no"] <= 1 and len(hall.get("here", ())) < len(shown["rows"]):
            self._touch([row["seat"] for row in shown["rows"]])
        else:
            play = self.page.locator("#view-play [data-do=arm]:visible:not([aria-disabled])")
            with suppress(TimedOut):  # a page that goes on by itself meanwhile takes the button away
                play.first.click(timeout=CLICK_MS)

    def _touch(self, seats: list[int]) -> None:
        self._random.shuffle(seats)
        for seat in seats:
            self.page.keyboard.down(str(seat))
            self.page.wait_for_timeout(GAP_MS)
        for seat in seats:
            self.page.keyboard.up(str(seat))


class Desk:
    """The organiser at the desk's page."""

    def __init__(self, hall: MeasuredHall, visit: Visits) -> None:
        self._hall = hall
        self.page = visit(f"http://127.0.0.1:{hall.port}/").page

    def set_up(self, people: int, tables: int, rounds: int, final: int) -> None:
        """Arrange the event, and paste who comes."""
        self.page.get_by_role("button", name="Set up the event…").click()
        for label, value in (
            ("Name", "Pig Cup"),
            ("Rounds", rounds),
            ("Tables", tables),
            ("In the final (0: none)", final),
        ):
            self.page.locator("#arrange-dialog").get_by_label(label, exact=True).fill(str(value))
        self.page.get_by_role("button", name="Save it").click()
        self.page.get_by_role("button", name="Add arrivals…").click()
        names = "\n".join(f"Player {n}" for n in range(1, people + 1))
        self.page.get_by_label("Names, one a line").fill(names)
        self.page.get_by_role("button", name="Add", exact=True).click()
        expect(self.page.locator("#counts")).to_have_text(str(people))

    def step(self) -> bool:
        """Draw, call, look at what is doubtful; return whether all is played."""
        state = self._hall.asked("state")
        if state["step"] == "over":
            return True
        counts = self.page.get_by_role("button", name="It counts")
        for one in counts.all()[:1]:
            one.click()
        ready = self.page.locator("#next:not([hidden], [aria-disabled])")
        if ready.count() and (state["step"] != "call" or all(one["there"] for one in state["tables"])):
            with suppress(TimedOut):  # what was pressed just now is under way: there is nothing to press
                ready.click(timeout=2_000)
        return False


# 60 people at ten tables need both cores for some minutes: LASTNOSE_EVENING="60 10 5 6" plays that evening.
PLAYED = tuple(int(one) for one in os.environ.get("LASTNOSE_EVENING", "9 2 1 3").split())


@pytest.mark.parametrize(("people", "tables", "rounds", "final"), [PLAYED])
def test_an_evening_through_the_pages_ends_with_the_list_that_the_tables_files_prove(
    visit: Visits, tmp_path: Path, people: int, tables: int, rounds: int, final: int
) -> None:
    """Points and places of everybody are worked out again from the logs, by code that shares nothing."""
    need_server()
    with closing(MeasuredHall(tmp_path, 0)) as hall, ExitStack() as stack:
        desk = Desk(hall, visit)
        folders = [hall.folder_of(hall.member(number)) for number in range(1, tables + 1)]
        first = PageOfTable(stack.enter_context(PatientTable(folders[0])), visit)
        others = [PlayedTable(one, number, stack) for number, one in enumerate(folders[1:], 2)]
        desk.set_up(people, tables, rounds, final)
        end_s = time.monotonic() + LONGEST_S
        while not desk.step():
            assert time.monotonic() < end_s, hall.asked("state")["headline"]
            assert [] == [one.trouble for one in others if one.trouble is not None]
            first.step()
            first.page.wait_for_timeout(100)
        hall.wait(lambda: all(one["have"] == one["n"] for one in hall.asked("state")["tables"]))
        board = visit(f"http://127.0.0.1:{hall.port}/board", **PHONE).page
        winner = hall.asked("state")["standings"][0]["name"]
        board.get_by_role("heading", name=f"{winner} wins!").wait_for()
        found = compare(hall.asked("export.json"), folders)
        visit.close()
    assert (0, 0) == (found["wrong_points"].value, found["wrong_places"].value)
    assert found["deals"].value >= first.deals >= rounds * 2
