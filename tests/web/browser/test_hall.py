"""An organiser's evening in the browser: desk, phone and board over one hall, without a message server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.evening.events import Finished, SignedOff, Started
from companion.hall import commands
from companion.hall.hub import Hall
from companion.hall.store import HallStore
from companion.table.log_file import NO_HEAD
from tests.support.halls import arranged, judged_game, let_in, rows, seated, take
from tests.support.phones import make_access
from tests.web.browser.conftest import PHONE, Visits
from web.hall.server import HallServer


class OpenHall(NamedTuple):
    """A hall in which nothing has happened, its folder, and the address of its pages without a slash."""

    hall: Hall
    store: HallStore
    address: str


@pytest.fixture
def opened(visit: Visits, tmp_path: Path) -> Iterator[OpenHall]:
    """Serve a hall."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store, random=Random(3))
    server = HallServer(hall, make_access(), port=0, engine=lambda host: f"nats://{host}:4222")
    server.start()
    yield OpenHall(hall, store, f"http://127.0.0.1:{server.port}")
    visit.close()
    server.stop()
    store.close()


@pytest.mark.journey
def test_an_event_goes_from_the_door_to_the_prizes(visit: Visits, opened: OpenHall) -> None:
    """Set up, paste names, draw, call; a phone finds its seat; the result is signed off and looked at."""
    hall, store, address = opened
    desk = visit(f"{address}/").page
    desk.get_by_role("button", name="Set up…").click()
    desk.get_by_label("Name", exact=True).fill("Pig Cup")
    desk.get_by_label("Rounds", exact=True).fill("1")
    desk.get_by_label("Tables", exact=True).fill("1")
    desk.get_by_label("In the final (0: none)").fill("0")
    desk.get_by_role("button", name="That is how we play").click()
    desk.get_by_role("button", name="Comes…").click()
    desk.get_by_label("Names, one a line").fill("Ana\nדוד\nZoë")
    desk.get_by_role("button", name="Add").click()
    desk.get_by_text("3 play").wait_for()
    board = visit(f"{address}/board", viewport={"width": 1920, "height": 1080}).page
    phone = visit(f"{address}/where", **PHONE).page
    phone.get_by_label("Your name").fill("zoë")
    phone.get_by_role("heading", name="Not drawn yet").wait_for()
    desk.get_by_role("button", name="Draw: Round 1").click()
    member = let_in(hall)
    desk.get_by_role("button", name="Call: Round 1").click()
    board.get_by_role("heading", name="Round 1: 1 table still plays").wait_for()
    names, call = seated(hall)
    seat = names.index("Zoë") + 1
    phone.get_by_role("heading", name=f"Table 1, seat {seat}").wait_for()
    lines = ("nose.1", "nose.2", "nose.3")
    game = (
        Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call),
        Finished(by="host", at=1),
        SignedOff(by="host", at=2, of=1),
    )
    take(hall, store, member, rows(game, (0, NO_HEAD)))
    desk.get_by_role("heading", name="2 things need you.").wait_for()  # its link is away, too: nobody speaks
    desk.get_by_text("Look before it counts: The game was ended by hand.").wait_for()
    desk.get_by_role("button", name="It counts").click()
    board.get_by_role("heading", name="Standings").wait_for()
    assert ["0.50"] * 3 == board.locator(".stand li b").all_inner_texts()
    assert sorted(names) == sorted(board.locator(".stand li bdi").all_inner_texts())


def test_the_desk_is_worked_with_the_keyboard_alone_and_says_why_not(visit: Visits, opened: OpenHall) -> None:
    """Tab and Enter reach what is next; a round without people is refused in one sentence."""
    desk = visit(f"{opened.address}/", viewport={"width": 360, "height": 740}, may_complain=True).page
    arrange = desk.get_by_role("button", name="Set up…")
    for _ in range(40):
        desk.keyboard.press("Tab")
        if arrange.evaluate("button => button === document.activeElement"):
            break
    desk.keyboard.press("Enter")
    desk.locator("#arrange-dialog[open]").wait_for()
    desk.get_by_label("Name", exact=True).fill("Cup")
    desk.keyboard.press("Enter")
    desk.locator("#arrange-dialog:not([open])").wait_for(state="attached")
    desk.get_by_role("button", name="Draw: Round 1").press("Enter")
    desk.get_by_text("At least two people must be there to draw a round.").wait_for()
    assert 360 == desk.evaluate("document.documentElement.scrollWidth"), (
        "nothing sticks out of a phone's page"
    )


def test_the_board_replays_a_new_photo_finish_and_goes_back(visit: Visits, opened: OpenHall) -> None:
    """With no standings yet it stays; the words are those of the table; the picture is told in words, too."""
    hall, store, address = opened
    arranged(hall, "A,B,C", tables=1, final=0, rounds=1)
    member = let_in(hall)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    names, call = seated(hall)
    board = visit(f"{address}/board", viewport={"width": 1920, "height": 1080}).page
    board.clock.install()
    board.reload()
    take(hall, store, member, rows(judged_game(names, call, 0)[:3], (0, NO_HEAD)))
    board.clock.run_for(11_000)
    board.get_by_text(f"{names[2]} was last: P").wait_for()
    label = board.locator(".finish svg").get_attribute("aria-label")
    assert label is not None
    assert "412" in label
