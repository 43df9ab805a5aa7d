"""Games that may get no result, at the desk and on a phone: typed, called again, given to another machine."""

from __future__ import annotations

from lastnose.companion.event import commands

from tests.support.halls import (
    arranged,
    call_round,
    decide,
    judged_game,
    let_in,
    rows,
    seated,
    take,
    type_result,
)
from tests.web.browser.conftest import PHONE, OpenHall, expect


def test_a_game_of_an_earlier_round_is_typed_at_the_desk_by_the_keyboard_and_no_slip_loses_what_was_typed(
    opened: OpenHall,
) -> None:
    """An appeal has it played again; the step's sentence leads to it; a phone is told where that is."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë,Dan,Eve,Fay", rounds=3, final=0)
    first = let_in(hall)
    let_in(hall)
    call_round(hall)
    names, call = seated(hall, 1)
    take(hall, first, rows(judged_game(names, call, 0)))
    type_result(hall, 1, 1)
    type_result(hall, 1, 2)
    call_round(hall)
    hall.do(commands.TypeResult(1, 1, (), ""), "Ann")
    decide(hall, "again")
    for number in (1, 2):
        type_result(hall, 2, number)
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill(names[1])
    phone.get_by_role("heading", name="Table 1, seat 2").wait_for()
    phone.get_by_text(f"Round 1. Between {names[0]} and {names[2]}.").wait_for()
    desk = opened.visit("/", size=(360, 740), may_complain=True).page
    desk.get_by_text(f"It is called for that game: {', '.join(names)}.").wait_for()
    desk.get_by_role("button", name="Table 1 Round 1: 0 of 3 are here").wait_for()
    desk.get_by_role("button", name="Round 1: 1 table has no result yet").press("Enter")
    dialog = desk.locator("#table-dialog[open]")
    expect(dialog.get_by_label("Round")).to_have_value("1")
    counts = dialog.get_by_role("button", name="This result counts")
    counts.press("Enter")  # nothing is typed
    fields = [dialog.get_by_label(name, exact=True) for name in names]
    expect(fields[0]).to_be_focused()
    for place, field in zip(("2", "1", "2"), fields, strict=True):
        field.fill(place)
    counts.press("Enter")  # no reason
    expect(dialog.get_by_label("Why")).to_be_focused()
    dialog.get_by_label("Why").fill(" ")
    counts.press("Enter")
    dialog.get_by_text("Say why: it is read out and kept.").wait_for()
    expect(fields[2]).to_have_value("2")
    assert (1, 1) not in hall.state.typed
    dialog.get_by_label("Why").fill("The box is broken")
    counts.press("Enter")
    dialog.wait_for(state="detached")
    a, b, c = hall.state.rounds[0].at(1)
    assert ((b,), (a, c)) == hall.state.typed[1, 1].places
    desk.get_by_role("button", name="Call: Round 3").wait_for()
    desk.get_by_role("button", name="Table 1", exact=False).first.click()
    expect(dialog.get_by_label("Round")).to_have_value("2")
    dialog.get_by_label("Round").select_option("Round 1")
    assert ["2", "1", "2"] == [dialog.get_by_label(name, exact=True).input_value() for name in names]
    assert 360 == desk.evaluate("document.documentElement.scrollWidth")


def test_a_table_is_put_out_when_that_was_confirmed_and_its_people_stay_until_a_machine_comes(
    opened: OpenHall,
) -> None:
    """One touch puts nothing out; then its result can be typed, and a machine let in."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë,Dan,Eve,Fay", rounds=3, final=0)
    let_in(hall)
    let_in(hall)
    call_round(hall)
    type_result(hall, 1, 1)
    desk = opened.visit("/").page
    dialog, sure = desk.locator("#table-dialog[open]"), desk.locator("#out-dialog[open]")
    for answer in ("Cancel", "Remove it"):
        desk.get_by_role("button", name="Table 2 0 of 3 are here").click()
        dialog.get_by_role("button", name="Remove this table…").click()
        sure.get_by_role("heading", name="Remove this table").wait_for()
        assert (1, 2) == hall.state.numbers()
        sure.get_by_role("button", name=answer).click()
    desk.get_by_role("button", name="Table 2 away").wait_for()
    desk.get_by_text("Type its result, or let a machine in: it takes this number, and is called.").wait_for()
    desk.get_by_role("button", name="Round 1: 1 table has no result yet").click()
    expect(dialog.get_by_role("button", name="Remove this table…")).to_be_hidden()
    expect(dialog.get_by_role("spinbutton")).to_have_count(3)
    dialog.get_by_role("button", name="Let a table in…").click()
    desk.locator("#invite-dialog[open]").get_by_role("button", name="Close").click()
    assert 2 == let_in(hall).number
    desk.get_by_role("button", name="Table 2 0 of 3 are here").wait_for()


def test_two_who_settle_it_by_hand_are_told_so_on_phone_desk_and_board(opened: OpenHall) -> None:
    """Two tables' orders are alike, and the first leaves: two are level for the last seat of the final."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë,Dan,Eve,Fay,Gil,Hal", rounds=1, final=4, most=4)
    let_in(hall)
    let_in(hall)
    call_round(hall)
    for table in (1, 2):
        type_result(hall, 1, table)
    hall.do(commands.Leave(hall.state.rounds[0].at(1)[:1]), "Ann")
    call_round(hall)
    (level,) = hall.state.rounds[1].seats
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill(hall.state.shown(level[0]))
    phone.get_by_text("You are too few for the game: settle it by hand at the table").wait_for()
    desk = opened.visit("/", size=(360, 740)).page
    desk.get_by_role("button", name="they settle it by hand").wait_for()
    assert 360 == desk.evaluate("document.documentElement.scrollWidth")
    board = opened.visit("/board", size=(1280, 720)).page
    board.get_by_text("they settle it by hand").wait_for()


def test_nobody_at_a_table_with_a_score_sheet_is_told_to_touch_a_nose(opened: OpenHall) -> None:
    """On phone and card, drawn and called; the desk says that it has not begun."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë,Dan,Eve,Fay", game="score-pad", rounds=2, final=0)
    let_in(hall)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    phone = opened.visit("/where", **PHONE).page
    for _ in range(2):
        phone.get_by_label("Your name").fill("Zoë")
        phone.get_by_text("At the table, just sit down: the score sheet opens by itself.").wait_for()
        if not hall.state.called:
            hall.do(commands.CallRound(), "Ann")
            phone.get_by_text("Between").wait_for()
    desk = opened.visit("/").page
    desk.get_by_role("button", name="Table 1 has not begun").wait_for()
    cards = opened.visit("/print/cards").page
    expect(cards.get_by_text("the score sheet opens by itself.")).to_have_count(6)
    expect(cards.get_by_text("nose")).to_have_count(0)
