"""What the organiser settles in the desk's dialogs: options, the list, and games that get no result."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from lastnose.companion.evening.authors import WATCHER
from lastnose.companion.event import commands
from lastnose.companion.event.messages import Presence
from lastnose.companion.event.roster import Person

from tests.support.halls import (
    arranged,
    begun,
    call_round,
    call_to,
    decide,
    judged_game,
    let_in,
    play_called,
    rows,
    seated,
    take,
    type_result,
)
from tests.web.browser.conftest import PHONE, OpenHall, expect, settle
from tests.web.browser.test_pages import serious


def set_up(desk: Any, game: str) -> Any:
    """Open the event's dialog, name it, choose *game*; return the dialog."""
    desk.get_by_role("button", name="Set up the event…").click()
    dialog = desk.locator("#arrange-dialog[open]")
    dialog.get_by_label("Name", exact=True).fill("Cup")
    dialog.locator("select[name=game]").select_option(game)
    return dialog


def rules(dialog: Any, box: str) -> Any:
    """Open the house rules in *box* of the event's dialog; return their place."""
    place = dialog.locator(box)
    place.locator("summary").click()
    return place


@pytest.mark.journey
def test_a_score_sheet_gets_its_own_end_at_the_desk_and_the_final_another(opened: OpenHall) -> None:
    """On a phone: three rounds, the lowest wins; the final is of five. Opened again it all stands there."""
    desk = opened.visit("/", **PHONE).page
    dialog = set_up(desk, "Score pad")
    heats = rules(dialog, "#heat-rules")
    heats.get_by_label("Rounds").fill("3")
    heats.get_by_role("radio", name="The lowest total").check()
    final = rules(dialog, "#final-rules")
    expect(final.get_by_label("Rounds")).to_have_value("3")
    final.get_by_label("Rounds").fill("5")
    assert 360 == desk.evaluate("document.documentElement.scrollWidth")
    assert [] == serious(desk)
    dialog.get_by_role("button", name="Save it").click()
    desk.get_by_text("Score pad · Mixed heats and a final").wait_for()
    made = opened.hall.state.arrangement
    assert ("score-pad", {"rounds": 3, "wins": "lowest"}, {"rounds": 5}) == (
        made.game,
        made.options,
        made.final_options,
    )
    desk.get_by_role("button", name="Set up the event…").click()
    expect(dialog.locator("#heat-rules").get_by_label("Rounds")).to_have_value("3")
    expect(dialog.locator("#final-rules").get_by_label("Rounds")).to_have_value("5")


def test_two_buttons_lead_from_nothing_to_the_first_call_where_people_and_tables_are_there(
    opened: OpenHall,
) -> None:
    """Eight tables that are ready are proposed, and all of them are called; the headline says the round."""
    hall = opened.hall
    hall.do(commands.AddPeople(",".join(f"Player {n}" for n in range(32))), "Ann")
    for _ in range(8):
        hall.heard(let_in(hall).table, Presence(n=0))
    hall.tick()
    desk = opened.visit("/").page
    desk.get_by_role("button", name="Set up the event", exact=True).click()
    dialog = desk.locator("#arrange-dialog[open]")
    dialog.get_by_label("Name", exact=True).fill("Cup")
    expect(dialog.get_by_role("spinbutton", name="Tables")).to_have_value("8")
    dialog.get_by_role("button", name="Draw and call the first round").click()
    desk.get_by_role("heading", name="Round 1: 8 tables have no result yet").wait_for()
    (called,) = hall.state.called
    assert [4] * 8 == [len(seats) for seats in called.seats]
    desk.get_by_role("button", name="Set up the event…").click()
    expect(dialog.get_by_role("button", name="Draw and call the first round")).to_be_hidden()


def test_who_comes_onto_the_list_between_draw_and_call_is_drawn_in_and_called(opened: OpenHall) -> None:
    """By one button, and twice in a row: a hundred a minute may come."""
    hall = opened.hall
    hall.do(commands.AddPeople(",".join(f"Player {n}" for n in range(12))), "Ann")
    for _ in range(2):
        hall.heard(let_in(hall).table, Presence(n=0))
    hall.tick()
    late = iter(("Late", "Later"))

    def come(route: Any) -> None:
        if "call-round" in route.request.post_data and (name := next(late, None)) is not None:
            hall.do(commands.AddPerson(Person(name)), WATCHER)
        route.continue_()

    desk = opened.visit("/", may_complain=True).page  # of what was refused
    desk.route("**/commands", come)
    desk.get_by_role("button", name="Set up the event", exact=True).click()
    dialog = desk.locator("#arrange-dialog[open]")
    dialog.get_by_label("Name", exact=True).fill("Cup")
    dialog.get_by_role("button", name="Draw and call the first round").click()
    desk.get_by_role("heading", name="Round 1: 2 tables have no result yet").wait_for()
    (called,) = hall.state.called
    assert [7, 7] == [len(seats) for seats in called.seats]


def test_an_event_with_as_many_tables_as_usual_is_set_up_already(opened: OpenHall) -> None:
    """Of the two that are usual the pages are not told: three are in, one more was typed, and given up."""
    hall = opened.hall
    arranged(hall, "A,B,C,D,E,F", tables=2, final=0)
    for _ in range(3):
        hall.heard(let_in(hall).table, Presence(n=0))
    hall.tick()
    desk = opened.visit("/").page
    for _ in range(2):
        dialog = set_up(desk, "Pig")
        expect(dialog.get_by_label("Tables", exact=True)).to_have_value("2")
        expect(dialog.get_by_role("button", name="Draw and call the first round")).to_be_hidden()
        dialog.get_by_label("Tables", exact=True).fill("9")
        dialog.get_by_role("button", name="Cancel").click()


def test_letters_of_the_rounds_are_those_of_the_final_too_until_it_has_its_own(opened: OpenHall) -> None:
    """And a hall's table plays on to one winner unless told otherwise. Another game has other options."""
    desk = opened.visit("/").page
    dialog = set_up(desk, "Pig")
    heats = rules(dialog, "#heat-rules")
    heats.get_by_label("Word").fill("HOG")
    expect(dialog.locator("#final-rules .hint")).to_have_text("as the rounds")
    final = rules(dialog, "#final-rules")
    expect(final.get_by_label("Word")).to_have_value("HOG")
    final.get_by_role("switch", name="Sudden death").check()
    expect(final.get_by_label("Word")).to_be_hidden()
    expect(heats.get_by_label("Word")).to_be_visible()
    dialog.get_by_label("In the final (0: none)").fill("0")
    expect(final).to_be_hidden()
    dialog.get_by_label("In the final (0: none)").fill("4")
    dialog.locator("select[name=game]").select_option("Chickenfoot")
    expect(heats.get_by_label("Word")).to_have_count(0)
    dialog.locator("select[name=game]").select_option("Pig")
    dialog.get_by_role("button", name="Save it").click()
    desk.locator("#arrange-dialog:not([open])").wait_for(state="attached")
    made = opened.hall.state.arrangement
    assert ({"word": "HOG"}, {"sudden_death": True}) == (made.options, made.final_options)


def test_what_is_typed_wrong_is_led_to_and_what_is_refused_is_said_in_the_dialog(opened: OpenHall) -> None:
    """Nothing that was typed is lost."""
    desk = opened.visit("/", may_complain=True).page
    dialog = set_up(desk, "Pig")
    heats = rules(dialog, "#heat-rules")
    heats.get_by_label("Word").fill("123")
    heats.locator("summary").click()
    dialog.get_by_role("button", name="Save it").click()
    expect(heats.get_by_label("Word")).to_be_focused()
    heats.get_by_label("Word").fill("HOG")
    dialog.get_by_label("At most at a table").fill("2")
    dialog.get_by_role("button", name="Save it").press("Enter")
    dialog.get_by_text("Pig is played by 3 to 26 at a table.").wait_for()
    assert opened.hall.state.arrangement is None
    dialog.get_by_label("At most at a table").fill("6")
    dialog.get_by_role("button", name="Save it").press("Enter")
    desk.locator("#arrange-dialog:not([open])").wait_for(state="attached")
    made = opened.hall.state.arrangement
    assert {"word": "HOG"} == made.options


def test_a_set_up_that_another_changed_meanwhile_is_said_in_the_dialog_and_what_was_typed_stays(
    opened: OpenHall,
) -> None:
    """Bea arranges nine rounds while this dialog is open. Nothing is overwritten at the first touch."""
    hall = opened.hall
    arranged(hall, "Ann,Bop,Cid")
    desk = opened.visit("/", may_complain=True).page
    dialog = set_up(desk, "Pig")
    dialog.get_by_label("Rounds", exact=True).fill("4")
    made = hall.state.arrangement
    hall.do(commands.Arrange(msgspec.structs.replace(made, rounds=9)), "Bea")
    hall.do(commands.AddPeople("Dot"), "Bea")
    expect(desk.locator("#counts")).to_have_text("4")
    dialog.get_by_role("button", name="Save it").click()
    expect(dialog.locator("p.wrong")).to_have_text(
        "Bea has changed this meanwhile: Rounds: 9. Press once more, and yours holds instead."
    )
    expect(dialog.get_by_label("Rounds", exact=True)).to_have_value("4")
    assert 9 == hall.state.arrangement.rounds
    dialog.get_by_role("button", name="Save it").click()
    desk.locator("#arrange-dialog:not([open])").wait_for(state="attached")
    assert (4, "Cup") == (hall.state.arrangement.rounds, hall.state.arrangement.name)


@pytest.mark.parametrize("refused", [False, True])
def test_an_answer_that_comes_late_closes_no_dialog_of_another_table(opened: OpenHall, refused: bool) -> None:
    """What was typed of table 1 is on its way for long: it is closed, and table 2 is typed meanwhile."""
    hall = opened.hall
    begun(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", tables=2, final=0, rounds=1)
    desk, late = opened.visit("/", may_complain=refused).page, list[Any]()
    dialog = desk.locator("#table-dialog")
    desk.route("**/api/v1/hall/commands", lambda route: late.append(route))
    for number in (1, 2):
        desk.locator("#tables button").nth(number - 1).click()
        expect(desk.locator("#table-title")).to_have_text(f"Table {number}")
        for place, field in enumerate(dialog.locator(".places input").all(), 1):
            field.fill(str(place))
        dialog.locator("[name=reason]").fill("from paper")
        if number == 1:
            with desk.expect_request("**/api/v1/hall/commands"):
                dialog.locator("[value=yes]").click()
            dialog.get_by_role("button", name="Close").click()
    if refused:
        type_result(hall, 1, 1)
    with desk.expect_response("**/api/v1/hall/commands"):
        late[0].continue_()
    settle(desk)
    expect(dialog).to_be_visible()
    expect(dialog.locator("[name=reason]")).to_have_value("from paper")
    expect(dialog.locator("p.wrong")).to_be_empty()
    expect(desk.locator(".notes").get_by_text("Press once more")).to_have_count(int(refused))
    desk.unroute("**/api/v1/hall/commands")
    dialog.locator("[value=yes]").click()
    dialog.wait_for(state="hidden")
    assert {(1, 1), (1, 2)} == set(hall.state.typed)


@pytest.mark.parametrize("language", ["en", "fr", "bs"])
def test_a_tables_sheet_fits_on_a_phone_whoever_sits_there(opened: OpenHall, language: str) -> None:
    """With a name as long as names may be, and why each has their place; nothing is out of the dialog."""
    hall = opened.hall
    (member,) = begun(hall, f"{'Wilhelmina' * 4},Noor,Tom", tables=1, final=0, rounds=1)
    play_called(hall, member)
    desk = opened.visit(f"/?lang={language}", **PHONE).page
    desk.locator("#tables button").click()
    desk.locator("#table-sheet tbody tr").nth(2).wait_for()
    assert 360 == desk.locator("#table-dialog").evaluate("dialog => dialog.scrollWidth")


def test_a_sheet_that_comes_late_is_not_shown_as_that_of_the_table_opened_since(opened: OpenHall) -> None:
    """Table 1 is looked at, then table 2, whose sheet comes first."""
    hall = opened.hall
    begun(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", tables=2, final=0, rounds=1)
    for number in (1, 2):
        type_result(hall, 1, number)
    desk, late = opened.visit("/").page, list[Any]()
    desk.route("**/sheet?round=1&number=1", lambda route: late.append(route))
    desk.locator("#tables button").first.click()
    expect(desk.locator("#table-title")).to_have_text("Table 1")
    desk.locator("#table-dialog").get_by_role("button", name="Close").click()
    desk.locator("#tables button").last.click()
    names = desk.locator("#table-sheet tbody bdi")
    theirs = [hall.state.shown(one) for one in hall.state.rounds[0].at(2)]
    expect(names).to_have_text(theirs)
    with desk.expect_response("**/sheet?round=1&number=1"):
        late[0].continue_()
    settle(desk)
    expect(names).to_have_text(theirs)


def test_who_was_touched_last_on_the_list_is_written_though_another_comes_late(opened: OpenHall) -> None:
    """Aya is touched, then Noor, of whom is heard first: what is saved is Noor's alone."""
    hall = opened.hall
    arranged(hall, "name,born\nAya,1990\nNoor,2000")
    desk, late = opened.visit("/").page, list[Any]()
    desk.route("**/person?entrant=1", lambda route: late.append(route))
    desk.get_by_role("button", name="The list…").click()
    listed, one = desk.locator("#list-dialog"), desk.locator("#person-dialog[open]")
    listed.get_by_role("button", name="Aya").click()
    listed.get_by_role("button", name="Noor").click()
    one.get_by_label("Name").fill("Nora")
    with desk.expect_response("**/person?entrant=1"):
        late[0].continue_()
    settle(desk)
    one.get_by_role("button", name="Save it").click()
    expect(listed.locator(".ticks bdi")).to_have_text(["Aya", "Nora"])
    assert {1: Person("Aya", born=1990), 2: Person("Nora", born=2000)} == hall.state.people


def test_an_appeal_that_comes_late_is_not_decided_under_the_picture_of_another(opened: OpenHall) -> None:
    """Table 1's is touched, then table 2's, whose edges come first: the dialog stays with table 2."""
    hall = opened.hall
    members = begun(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", tables=2, final=0, rounds=1)
    for number, member in enumerate(members, 1):
        take(hall, member, rows(judged_game(*seated(hall, number), 0)[:3]))
        hall.do(commands.Object(number, 3, f"It was {number}."), "Ann")
    desk, late = opened.visit("/").page, list[Any]()
    desk.route(f"**/verdict?table={members[0].table}&*", lambda route: late.append(route))
    desk.evaluate("[...document.querySelectorAll('#needs .main')].map((look) => look.click())")
    why = desk.locator("#appeal-dialog[open] #appeal-why")
    expect(why).to_have_text("It was 2.")
    with desk.expect_response("**/verdict?**"):
        late[0].continue_()
    settle(desk)
    expect(why).to_have_text("It was 2.")


def test_a_game_that_is_played_again_by_one_touch_says_why_in_the_words_of_the_desk(opened: OpenHall) -> None:
    """At a French desk in French, as the reason that somebody types there would be; nobody has appealed."""
    hall = opened.hall
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
    names, call = seated(hall)
    take(hall, member, rows(judged_game((*names[:2], "Zoë"), call, 0)))
    desk = opened.visit("/", locale="fr").page
    again = desk.get_by_role("button", name="Rejouer", exact=True)
    again.click()
    expect(again).to_be_hidden()
    why = "Toutes les personnes tirées n’ont pas de rang : cela ne compte pas."
    assert why == call_to(hall, member).again


def test_results_that_are_looked_at_together_stand_one_a_line_over_the_whole_width(opened: OpenHall) -> None:
    """And how many there are stands in one piece beside them."""
    hall = opened.hall
    members = begun(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti", tables=2, final=0, rounds=1)
    for number, member in enumerate(members, 1):
        take(hall, member, rows(judged_game(*seated(hall, number), 0)))
    desk = opened.visit("/").page
    came = desk.locator("#needs .came:not(:empty)")
    assert ["Table 1", "Table 2"] == [one.partition(":")[0] for one in came.inner_text().splitlines()]
    assert 2 == came.evaluate(
        "it => Math.round(it.clientHeight / parseFloat(getComputedStyle(it).lineHeight))"
    )
    count = desk.locator("#needs .t", has_text="2×")
    assert count.evaluate("it => it.clientHeight < 2 * parseFloat(getComputedStyle(it).fontSize)")


def test_what_is_written_without_a_blank_makes_no_list_and_no_paper_wider(opened: OpenHall) -> None:
    """An address that is announced stands among what was done; an event's name on cards and certificates."""
    hall = opened.hall
    arranged(hall, "Aya,Noor,Tom", tables=1, name="W" * 60)
    hall.do(commands.Announce(f"https://example.org/{'photos-' * 8}"), "Ann")
    desk = opened.visit("/", **PHONE).page
    desk.get_by_role("button", name="Take back…").click()
    assert 360 == desk.locator("#done-dialog[open]").evaluate("dialog => dialog.scrollWidth")
    let_in(hall)
    call_round(hall)
    type_result(hall, 1, 1)
    for path, card in (("/print/cards", ".seat-card"), ("/print/certificates", ".certificate")):
        paper = opened.visit(path, size=(768, 1024)).page
        name = paper.locator(f"{card} .event bdi").first
        assert name.evaluate(
            "(name, card) => {"
            "  const written = document.createRange();"
            "  written.selectNodeContents(name);"
            "  const right = (one) => one.getBoundingClientRect().right;"
            "  return right(written) < right(name.closest(card));"
            "}",
            card,
        )


def test_who_is_written_wrong_is_written_right_at_the_desk(opened: OpenHall) -> None:
    """Name, club, family and guest of one person, on a phone; somebody is added, and taken back."""
    hall = opened.hall
    arranged(hall, "name,club\nAnn,Oak\nAnn,Elm\nBop,Oak")
    desk = opened.visit("/", may_complain=True, **PHONE).page
    desk.get_by_role("button", name="The list…").click()
    listed = desk.locator("#list-dialog[open]")
    listed.get_by_label("Search").fill("bop")
    expect(listed.locator(".ticks li:visible")).to_have_count(1)
    listed.get_by_role("button", name="Bop").press("Enter")
    one = desk.locator("#person-dialog[open]")
    one.get_by_label("Name").fill("")
    one.get_by_role("button", name="Save it").click()
    expect(one.get_by_label("Name")).to_be_focused()
    one.get_by_label("Name").fill("Bob")
    one.get_by_label("Club").fill("Elm")
    one.get_by_label("Family").fill("Ash")
    one.get_by_label("Guest: no rank").check()
    assert [] == serious(desk)
    assert 360 == desk.evaluate("document.documentElement.scrollWidth")
    one.get_by_label("Family").press("Enter")
    expect(listed.locator(".ticks bdi").nth(2)).to_have_text("Bob")
    assert Person("Bob", "Elm", "Ash", True) == hall.state.people[3]
    listed.get_by_label("Search").fill("")
    listed.get_by_role("button", name="Ann (Elm)").click()
    expect(one.get_by_label("Name")).to_have_value("Ann")
    one.get_by_label("Club").fill("Oak")
    one.get_by_role("button", name="Save it").click()
    one.get_by_text("Ann is there already").wait_for()
    one.get_by_role("button", name="Cancel").click()
    listed.get_by_role("button", name="Somebody new…").click()
    one.get_by_label("Name").fill("Zoë")
    one.get_by_label("Guest: no rank").check()
    one.get_by_role("button", name="Save it").click()
    listed.get_by_role("button", name="Zoë").wait_for()
    assert Person("Zoë", guest=True) == hall.state.people[4]
    listed.get_by_role("button", name="Close").click()
    desk.get_by_role("button", name="Take back…").click()
    done = desk.locator("#done-dialog[open]")
    done.get_by_role("button", name="Take back: At the door: Zoë").click()
    done.get_by_role("button", name="Let it hold: At the door: Zoë").wait_for()
    assert 4 not in hall.state.people
    assert [] == serious(desk)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_list_is_read_as_a_spreadsheet_saves_it(opened: OpenHall, encoding: str) -> None:
    """First and family name in two columns; who is left out is said, with the line and why."""
    desk = opened.visit("/").page
    desk.get_by_role("button", name="Add arrivals…").click()
    written = "Nom;Prénom;Club\r\nMüller;Zoë;Été\r\nMüller;Jean;Été\r\nMüller;Zoë;Été\r\n"
    file = {"name": "liste.csv", "mimeType": "text/csv", "buffer": written.encode(encoding)}
    desk.locator("#comes-dialog input[type=file]").set_input_files(files=[file])
    desk.get_by_role("button", name="Add", exact=True).click()
    desk.get_by_text("2 people were read. 1 line was left out. Line 4: Zoë Müller is").wait_for()
    people = opened.hall.state.people
    assert [Person("Zoë Müller", "Été"), Person("Jean Müller", "Été")] == [people[1], people[2]]


def test_a_list_that_cannot_be_read_is_refused_in_its_dialog(opened: OpenHall) -> None:
    """What was pasted stays there to be corrected."""
    desk = opened.visit("/", may_complain=True).page
    desk.get_by_role("button", name="Add arrivals…").click()
    field = desk.locator("#comes-dialog textarea")
    field.fill("Müller;Zoë\nMartin;Léa")
    desk.get_by_role("button", name="Add", exact=True).click()
    desk.locator("#comes-dialog[open] .wrong").get_by_text(
        "Headings that are known: name, or first name"
    ).wait_for()
    field.fill("Nom;Prénom\n" + field.input_value())
    desk.get_by_role("button", name="Add", exact=True).click()
    desk.get_by_text("2 people were read.").wait_for()
    expect(field).to_have_value("")


def test_a_line_without_a_blank_leaves_the_note_whole_and_its_button_at_hand(opened: OpenHall) -> None:
    """An address pasted by mistake, on a phone."""
    desk = opened.visit("/", **PHONE).page
    desk.get_by_role("button", name="Add arrivals…").click()
    desk.locator("#comes-dialog textarea").fill("Ana\n" + 90 * "x")
    desk.get_by_role("button", name="Add", exact=True).click()
    close = desk.locator(".note").get_by_role("button", name="Close")
    close.wait_for()
    box = close.bounding_box()
    assert 0 <= box["x"] < box["x"] + box["width"] <= desk.viewport_size["width"]


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


def test_the_green_button_of_every_dialog_is_its_last_at_the_desk_as_at_a_table(opened: OpenHall) -> None:
    """And Enter in a field is the green button's, though another stands before it."""
    desk = opened.visit("/").page
    last = "all => all.map((one) => one.querySelector('.do').lastElementChild.className)"
    assert {"main"} == set(desk.locator("dialog").evaluate_all(last))
    desk.get_by_role("button", name="The list…").click()
    desk.get_by_role("button", name="Somebody new…").click()
    desk.locator("#person-dialog").get_by_label("Name", exact=True).fill("Zoë")
    desk.locator("#person-dialog").get_by_label("Name", exact=True).press("Enter")
    desk.locator("#list-dialog").get_by_role("button", name="Zoë").wait_for()


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
    close = desk.locator("#invite-dialog[open]").get_by_role("button", name="Close")
    expect(close).to_be_focused()  # and not "New code", which ends the one that is shown
    close.press("Enter")
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
