"""Games of a hall that get no result by themselves: what the table's page shows, and the desk's way on."""

from __future__ import annotations

import msgspec
from lastnose.companion.evening.events import Undone
from lastnose.companion.event import commands
from lastnose.companion.event.calls import said_of_stuck
from lastnose.companion.event.messages import StuckGame
from lastnose.companion.views.snapshot import HallView

from tests.support.halls import arranged, call_round, judged_game, known, let_in, rows, seated, take
from tests.web.browser.conftest import PHONE, OpenHall, Stage, expect
from tests.web.browser.scenes import CLOSE


def test_a_table_shows_which_of_its_games_has_no_result_any_more_as_long_as_that_is_so(stage: Stage) -> None:
    """On a phone, whole, whatever is shown of the game that is played."""
    view = HallView(7, stuck=(said_of_stuck(StuckGame("heat", 1, back=True)),))
    stage.set(msgspec.structs.replace(CLOSE, hall=view))
    page = stage.visit(**PHONE).page
    strip = page.locator("#hall .hall-stuck")
    expect(strip).to_have_text(
        "Round 1: no result any more, as an entry was taken back or corrected here. Put it back in the "
        "history, or let the hall’s desk type the result."
    )
    expect(strip).to_be_in_viewport(ratio=1)
    stage.set(msgspec.structs.replace(CLOSE, hall=HallView(7)))
    expect(strip).to_have_text("")


def test_the_desk_types_the_result_of_a_game_of_which_an_entry_was_taken_back(opened: OpenHall) -> None:
    """Its table plays the next round; one touch opens the game that waits, and that is typed."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë", rounds=2, tables=1, most=3, final=0)
    member = let_in(hall)
    call_round(hall)
    names, call = seated(hall)
    take(hall, member, rows(judged_game(names, call, 0)))
    hall.do(commands.Clear(1, 1), "Ann")
    call_round(hall)
    names, call = seated(hall)
    after = known(hall, member)
    begun = (*judged_game(names, call, after[0])[:3], Undone(by="host", at=9, of=4))
    take(hall, member, rows(begun, after))
    desk = opened.visit("/", size=(360, 740)).page
    desk.get_by_role("button", name="Type its result…").click()
    expect(desk.locator("#table-says")).to_contain_text(
        "put it back there, in its history, or type its result"
    )
    expect(desk.locator("#table-dialog [name=round]")).to_have_value("1")
    for place, field in enumerate(desk.locator("#table-dialog .places input").all(), 1):
        field.fill(str(place))
    desk.locator("#table-dialog [name=reason]").fill("from paper")
    desk.locator("#table-dialog [value=yes]").click()
    expect(desk.get_by_role("button", name="Type its result…")).to_have_count(0)
    assert [(1, 1)] == list(hall.state.typed)
