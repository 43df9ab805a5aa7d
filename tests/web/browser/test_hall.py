"""An organiser's evening in the browser: desk, phone, board, papers and appeals, without a message server."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.evening.events import Finished, SignedOff, Started, Undone
from lastnose.companion.event import commands
from lastnose.companion.event.calls import said_of_stuck
from lastnose.companion.event.messages import StuckGame
from lastnose.companion.event.roster import Person
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.companion.table.log_file import NO_HEAD
from lastnose.companion.views.snapshot import HallView
from lastnose.web.hall.result_file import result_file
from lastnose.web.hall.server import HallServer

from tests.support.halls import (
    arranged,
    begun,
    call_round,
    call_to,
    judged_game,
    known,
    let_in,
    rows,
    seated,
    take,
    type_result,
)
from tests.support.phones import make_access
from tests.support.ports import free_port
from tests.web.browser.conftest import PHONE, OpenHall, Stage, Visits, expect
from tests.web.browser.scenes import CLOSE


@pytest.mark.journey
def test_an_event_goes_from_the_door_to_the_prizes(opened: OpenHall) -> None:
    """Set up, paste names, draw, call; a phone finds its seat; the result is signed off and looked at."""
    hall = opened.hall
    desk = opened.visit("/").page
    desk.get_by_role("button", name="Set up the event", exact=True).click()
    desk.locator("#arrange-dialog").get_by_label("Name", exact=True).fill("Pig Cup")
    desk.get_by_label("Rounds", exact=True).fill("1")
    desk.get_by_label("Tables", exact=True).fill("1")
    desk.get_by_label("In the final (0: none)").fill("0")
    desk.get_by_role("button", name="Save it").click()
    desk.get_by_role("button", name="Add arrivals…").click()
    desk.get_by_label("Names, one a line").fill("Ana\nדוד\nZoë")
    desk.get_by_role("button", name="Add", exact=True).click()
    expect(desk.locator("#counts")).to_have_text("3")
    board = opened.visit("/board", size=(1920, 1080)).page
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill("zoë")
    phone.get_by_role("heading", name="Not drawn yet").wait_for()
    desk.get_by_role("button", name="Draw: Round 1").click()
    member = let_in(hall)
    desk.get_by_role("button", name="Call: Round 1").click()
    board.get_by_role("heading", name="Round 1: 1 table has no result yet").wait_for()
    names, call = seated(hall)
    seat = names.index("Zoë") + 1
    phone.get_by_role("heading", name=f"Table 1, seat {seat}").wait_for()
    lines = ("nose.1", "nose.2", "nose.3")
    game = (
        Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call),
        Finished(by="host", at=1),
        SignedOff(by="host", at=2, of=1),
    )
    take(hall, member, rows(game, (0, NO_HEAD)))
    desk.get_by_role("heading", name="Needs you: 2").wait_for()  # its link is away, too: nobody speaks
    desk.get_by_text("The game was ended by hand.").wait_for()
    desk.get_by_role("button", name="It counts").click()
    board.get_by_role("heading", name="Standings").wait_for()
    expect(board.locator(".stand li b")).to_have_text(["0.50"] * 3)
    for name in names:
        expect(board.locator(".stand li bdi").get_by_text(name, exact=True)).to_be_visible()


def test_the_desk_is_worked_with_the_keyboard_alone_and_says_why_not(opened: OpenHall) -> None:
    """Tab and Enter reach what is next; a round without people is refused in one sentence."""
    desk = opened.visit("/", size=(360, 740), may_complain=True).page
    arrange = desk.get_by_role("button", name="Set up the event…")
    for _ in range(40):
        desk.keyboard.press("Tab")
        if arrange.evaluate("button => button === document.activeElement"):
            break
    desk.keyboard.press("Enter")
    desk.locator("#arrange-dialog[open]").wait_for()
    desk.locator("#arrange-dialog").get_by_label("Name", exact=True).fill("Cup")
    desk.keyboard.press("Enter")
    desk.locator("#arrange-dialog:not([open])").wait_for(state="attached")
    desk.get_by_role("button", name="Draw: Round 1").press("Enter")
    desk.get_by_text("At least 3 people must be there to draw a round.").wait_for()
    assert 360 == desk.evaluate("document.documentElement.scrollWidth"), (
        "nothing sticks out of a phone's page"
    )


def test_every_screen_shows_an_announcement_and_forgets_it(opened: OpenHall) -> None:
    """Board, phones, standings, pictures for OBS but one told not to; tables hear it in their call."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)
    member = let_in(hall)
    desk = opened.visit("/").page
    paths = ("board", "where", "standings", "overlay/headline", "overlay/standings", "overlay/tables")
    shown = [opened.visit(f"/{path}").page for path in paths]
    desk.get_by_label("Say on every screen").fill("Pizza at nine")
    desk.get_by_role("button", name="Say it").click()
    for page in shown:
        page.get_by_text("Pizza at nine", exact=True).wait_for()
    call = call_to(hall, member)
    assert "Pizza at nine" == call.says
    quiet = opened.visit("/overlay/headline?says=no").page
    quiet.get_by_role("heading", name="Pig Cup").wait_for()
    expect(quiet.get_by_text("Pizza at nine", exact=True)).to_be_hidden()
    desk.get_by_role("button", name="Take it away").click()
    for page in shown:
        page.get_by_text("Pizza at nine", exact=True).wait_for(state="hidden")


@pytest.mark.parametrize("name", ["headline", "standings", "tables"])
def test_a_picture_for_obs_says_when_it_is_not_live_and_when_it_is_again(
    visit: Visits, tmp_path: Path, name: str
) -> None:
    """The hall ends: the picture grows pale and says so, no note lies across it; both go when it is back."""
    store, port = HallStore(tmp_path / "hall"), free_port()
    hall = Hall(store, random=Random(3))
    arranged(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)

    def serve() -> HallServer:
        made = HallServer(hall, make_access(), port=port, engine=lambda host: f"nats://{host}:4222")
        made.start()
        return made

    server = serve()
    page = visit(f"http://127.0.0.1:{port}/overlay/{name}", may_complain=True).page
    page.locator("main:not(.stale)").wait_for()
    expect(page.get_by_text("Not connected", exact=True)).to_be_hidden()
    server.stop()
    page.get_by_text("Not connected", exact=True).wait_for()
    expect(page.locator("main.stale")).to_be_visible()
    expect(page.locator(".notes")).to_be_hidden()
    server = serve()
    try:
        page.get_by_text("Not connected", exact=True).wait_for(state="hidden")
        page.locator("main:not(.stale)").wait_for()
    finally:
        visit.close()
        server.stop()
        store.close()


def test_an_appeal_opens_its_photo_finish_at_the_desk_is_judged_again_and_decided(opened: OpenHall) -> None:
    """Picture, raw edges and what judging again says stand in one place; the decision needs a reason."""
    hall = opened.hall
    (member,) = begun(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)
    names, call = seated(hall)
    start, armed, judged = judged_game(names, call, 0)[:3]
    stood = Levels({f"nose.{seat}": 0 for seat in (1, 2, 3)}, 0, "gpio")
    touches = [
        Edge(1_000 * t_us, "gpio", f"nose.{seat}", 1, 10_000) for seat, t_us in ((1, 10), (2, 90), (3, 502))
    ]
    edges = (stood, *touches, Watermark(1_000_000_000, "gpio"))
    take(hall, member, rows((start, armed, msgspec.structs.replace(judged, inputs=edges))))
    hall.do(commands.Object(1, 3, "I was first."), "Ann")
    desk = opened.visit("/", may_complain=True).page
    desk.locator("#needs .main", has_text="Look").click()
    dialog = desk.locator("#appeal-dialog[open]")
    dialog.get_by_role("heading", name=f"Table 1: {names[2]} was last").wait_for()
    dialog.get_by_text(f"Judged again: {names[2]}, as before.").wait_for()
    label = dialog.locator("photo-finish svg").first.get_attribute("aria-label")
    assert "412" in label
    dialog.get_by_text("The raw edges").click()
    assert dialog.locator("#appeal-tape").inner_text().count('"nose.3"') >= 1
    dialog.get_by_label("The verdict stands").check()
    why = dialog.get_by_label("Why", exact=True)
    dialog.get_by_role("button", name="Decide").click()
    expect(why).to_be_focused()  # nothing is sent without a reason
    why.fill(" ")
    dialog.get_by_role("button", name="Decide").click()
    dialog.get_by_text("Say why: it is read out and kept.").wait_for()
    assert "" == next(iter(hall.state.appeals.values())).decision
    dialog.get_by_label("Why", exact=True).fill("The strip is clear")
    dialog.get_by_role("button", name="Decide").click()
    desk.locator("#needs .main", has_text="Look").wait_for(state="hidden")
    decided = next(iter(hall.state.appeals.values()))
    assert ("stands", "The strip is clear") == (decided.decision, decided.why)


def test_the_board_says_where_people_sit_in_the_round_that_waits_for_them(opened: OpenHall) -> None:
    """Both rounds are drawn at once: the second is shown when nobody is waited for in the first."""
    hall = opened.hall
    (member,) = begun(hall, "A,B,C", tables=1, rounds=2, final=0)
    board = opened.visit("/board", size=(1920, 1080)).page
    asks = board.locator(".next h2 > :first-child")
    expect(asks).to_have_text("Round 1: Where do I sit?")
    names, call = seated(hall)
    lines = ("nose.1", "nose.2", "nose.3")
    game = Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call)
    take(hall, member, rows((game,), (0, NO_HEAD)))
    expect(asks).to_have_text("Round 2: Where do I sit?")


def test_a_phone_at_the_door_has_a_long_event_beside_nothing_and_an_answer_for_a_strange_name(
    opened: OpenHall,
) -> None:
    """The name of the event is cut, not the page; a name that is not on the list is sent to the desk."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1, name=30 * "W" + " 2026")
    for path in ("where", "standings", "print/cards"):
        page = opened.visit(f"/{path}", **PHONE).page
        page.locator(".brand").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill("Nobody Here")
    phone.get_by_text("This name is not on the list: ask at the desk, please.").wait_for()
    expect(phone.locator("#here")).to_be_hidden()


def test_a_browser_that_may_keep_nothing_finds_a_seat_and_prints_certificates(opened: OpenHall) -> None:
    """As where cookies and site data are forbidden: to ask for what is kept is an error there."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)
    phone = opened.visit("/where", **PHONE).page
    forbidden = "{ get() { throw new DOMException('no', 'SecurityError'); } }"
    keeps_nothing = "".join(
        f"Object.defineProperty(window, '{kind}Storage', {forbidden});" for kind in ("local", "session")
    )
    phone.add_init_script(keeps_nothing)
    phone.reload()
    phone.get_by_label("Your name").fill("Zoë")
    phone.get_by_role("heading", name="Table 1, seat").wait_for()
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "from paper"), "Ann")
    paper = opened.visit("/print/certificates").page
    paper.add_init_script(keeps_nothing)
    paper.reload()
    paper.locator("#plain").wait_for(state="hidden")


def test_long_names_are_whole_on_a_neighbours_phone_on_cards_and_on_certificates(opened: OpenHall) -> None:
    """No name lies beside the phone's screen or the paper; on nobody's certificate it ends in dots.

    A name has forty letters at most, and few have wide ones.
    """
    hall = opened.hall
    names = "Maximilian Kowalczyk,Christiane Lindqvist,Ana,Élodie Saint-Germain,Bo"
    begun(hall, names, tables=1, final=0, rounds=1)
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill("Ana")
    beside = phone.locator(".nb bdi")
    expect(beside).to_have_count(2)
    cards = opened.visit("/print/cards", **PHONE).page
    whole = [(one, 360) for one in beside.all()]
    whole += [(one, 344) for one in cards.locator(".seat-card svg, .seat-card h2 bdi").all()]
    for one, right in whole:
        box = one.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= right
    expect(cards.locator(".seat-card tbody circle")).to_have_count(5 * (1 + 5))
    expect(cards.locator(".seat-card .me")).to_have_count(5)
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in range(1, 6)), "from paper"), "Ann")
    hall.do(commands.Rewrite(4, Person("Maximilien-Alexandre de la Rochefoucauld")), "Ann")
    hall.do(commands.Rewrite(5, Person("W" * 40)), "Ann")
    paper = opened.visit("/print/certificates?most=5").page
    for name in paper.locator(".certificate h2").all():
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_a_bracket_and_the_name_of_an_event_make_no_paper_wider_than_a_phone(
    opened: OpenHall, tmp_path: Path
) -> None:
    """Five rounds stand side by side: they are moved under the finger, and the page is not."""
    hall = opened.hall
    names = ",".join(f"Christiane Lindqvist {n}" for n in range(1, 33))
    begun(hall, names, tables=8, most=4, final=0, format="knock-out", name=58 * "W")
    while hall.view.step.kind != "over":
        for one in hall.view.outcomes:
            if one.open:
                type_result(hall, one.round, one.number)
        if hall.view.step.kind != "over":
            call_round(hall)
    assert 5 == len(hall.state.called)
    file = tmp_path / "results.html"
    file.write_text(result_file(hall.view, "en"), "utf-8")
    for address in (f"{opened.address}/results?show=bracket", f"{opened.address}/print/signs", file.as_uri()):
        page = opened.visits(address, **PHONE).page
        page.locator("h1").first.wait_for(state="attached")
        assert 360 >= page.evaluate("document.documentElement.scrollWidth"), address


@pytest.mark.parametrize("language", ["en", "fr", "bs"])
def test_what_prints_stands_beside_a_long_name_of_the_hall_on_a_phone(
    opened: OpenHall, language: str
) -> None:
    """One button needs no line of its own."""
    arranged(opened.hall, "A,B,C", name="The autumn cup of all villages at the river")
    page = opened.visits(f"{opened.address}/print/signs?lang={language}", **PHONE).page
    brand, button = (page.locator(one).bounding_box() for one in (".bar .brand", "#print"))
    assert abs(brand["y"] + brand["height"] / 2 - button["y"] - button["height"] / 2) <= 2
    assert brand["x"] + brand["width"] <= button["x"]
    assert 360 >= page.evaluate("document.documentElement.scrollWidth")


def test_a_table_at_the_desk_is_called_a_table_by_what_reads_aloud(opened: OpenHall) -> None:
    """A button says what it is of: table, winner or what is waited for, entries."""
    hall = opened.hall
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    names, call = seated(hall)
    desk = opened.visit("/").page
    desk.get_by_role("button", name="Table 1 0 of 3 are here", exact=True).wait_for()
    take(hall, member, rows(judged_game(names, call, 0), (0, NO_HEAD)))
    desk.get_by_role("button", name="Table 1 to look at 5 of 5", exact=True).wait_for()


def test_a_name_is_found_without_its_accents_and_has_its_place_when_all_is_played(opened: OpenHall) -> None:
    """With them it is found first, though another's is the same without."""
    hall = opened.hall
    begun(hall, "Inès,Ines,Zoë", tables=1, rounds=1, final=0)
    phone = opened.visit("/where", **PHONE).page
    found = phone.locator("#found button")
    phone.get_by_label("Your name").fill("zoe")
    phone.get_by_role("heading", name="Table 1, seat").wait_for()
    expect(found).to_have_count(0)
    phone.get_by_label("Your name").fill("ine")
    expect(found).to_have_text(["Inès", "Ines"])
    phone.get_by_label("Your name").fill("inès")
    phone.get_by_role("heading", name="Table 1, seat").wait_for()
    people = {one.name: entrant for entrant, one in hall.state.people.items()}
    places = tuple((people[name],) for name in ("Zoë", "Inès", "Ines"))
    hall.do(commands.TypeResult(1, 1, places, "paper"), "Ann")
    phone.get_by_role("heading", name="Rank 2").wait_for()
    phone.get_by_text("Zoë wins!").wait_for()


def test_who_has_come_since_the_draw_is_told_no_untruth_of_a_free_round(opened: OpenHall) -> None:
    """They may yet be drawn for it; once it is called without them they are free."""
    hall = opened.hall
    arranged(hall, "Ana,Ben,Zoë", tables=1, rounds=2, final=0)
    let_in(hall)
    hall.do(commands.Draw(), "Ann")
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill("Nouvelle")
    phone.get_by_role("button", name="Put me on the list").click()
    phone.get_by_role("heading", name="Not drawn yet").wait_for()
    phone.get_by_text("You are on the list.").wait_for()
    hall.do(commands.Draw(), "Ann")
    phone.get_by_role("heading", name="Table 1").wait_for()
    hall.do(commands.CallRound(), "Ann")
    hall.do(commands.AddPerson(Person("Tard")), "Ann")
    phone.get_by_label("Your name").fill("Tard")
    phone.get_by_role("heading", name="A free round").wait_for()


def test_two_desks_appeal_a_verdict_of_a_machine_that_was_replaced_and_the_later_one_is_told(
    opened: OpenHall,
) -> None:
    """Its dialog stays open with what was typed; pressed once more, its decision holds."""
    hall = opened.hall
    (member,) = begun(hall, "Ana,Ben,Zoë", tables=1, rounds=1, final=0)
    take(hall, member, rows(judged_game(*seated(hall), 0)))
    hall.do(commands.Clear(1, 1), "Ann")
    hall.do(commands.PutTableOut(1), "Ann")
    let_in(hall)
    desks = [opened.visit("/", may_complain=True).page for _ in range(2)]
    dialogs = []
    for desk, decision in zip(
        desks, ("This table’s game is played again", "The verdict stands"), strict=True
    ):
        desk.get_by_role("button", name="Table 1").click()
        desk.get_by_role("button", name="Appeal its newest verdict…").click()
        dialog = desk.locator("#appeal-dialog[open]")
        dialog.get_by_label(decision).check()
        dialog.get_by_label("Why", exact=True).fill(f"So it is: {decision}")
        dialogs.append(dialog)
    first, second = dialogs
    first.get_by_role("button", name="Decide").click()
    first.wait_for(state="detached")
    assert "waiting" == hall.view.outcomes[0].state
    second.get_by_role("button", name="Decide").click()
    second.get_by_text("has changed this meanwhile: This table’s game is played again").wait_for()
    expect(second.get_by_label("Why", exact=True)).to_have_value("So it is: The verdict stands")
    second.get_by_role("button", name="Decide").click()
    second.wait_for(state="detached")
    assert "counts" == hall.view.outcomes[0].state
    assert {member.table} == {one.table for one in hall.state.appeals.values()}


SO_FAR = "So far: not everything has been played yet."


def typed(hall: Hall, places: tuple[tuple[int, ...], ...]) -> None:
    """Let the only table of the newest round have a result."""
    now = hall.state.now
    hall.do(commands.TypeResult(now.number, 1, places, "paper"), "Ann")


@pytest.mark.parametrize("path", ["winners", "certificates?most=3"])
def test_who_has_won_is_said_so_far_and_again_when_the_list_changes(opened: OpenHall, path: str) -> None:
    """Nobody has to load the page again; what was typed beside a certificate, and its picture, stay."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=3, rounds=1)
    paper = opened.visit(f"/print/{path}").page
    paper.get_by_text("Nothing so far.").wait_for()
    typed(hall, ((1,), (2,), (3,)))
    names = paper.locator("#follows :is(.certificate h2, .prize) bdi")
    expect(names).to_have_count(3)
    expect(paper.locator(".so-far")).to_have_text(SO_FAR)
    if path != "winners":
        paper.get_by_label("Who signs").fill("The mayor")
        picture = {"name": "a.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
        paper.locator("#background").set_input_files(picture)
        expect(paper.locator(".certificate .ground")).to_have_count(3)
    call_round(hall)
    typed(hall, ((3,), (2,), (1,)))
    won = ["Zoë", "Ben", "Ana"]
    expect(names).to_have_text(won[::-1] if path == "winners" else won)
    expect(paper.locator(".so-far")).to_have_count(0)
    if path != "winners":
        expect(paper.get_by_label("Who signs")).to_have_value("The mayor")
        expect(paper.locator(".certificate .ground")).to_have_count(3)


def test_a_list_that_is_not_the_last_is_printed_as_such_and_no_certificate_is(opened: OpenHall) -> None:
    """The presenter reads it on paper, too; a certificate is as it was designed."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=3, rounds=1)
    typed(hall, ((1,), (2,), (3,)))
    for path, printed in (("winners", True), ("certificates", False)):
        paper = opened.visit(f"/print/{path}").page
        expect(paper.get_by_text(SO_FAR)).to_be_visible()
        paper.emulate_media(media="print")
        expect(paper.get_by_text(SO_FAR)).to_be_visible(visible=printed)


def test_a_list_without_a_result_says_so_until_one_counts(opened: OpenHall) -> None:
    """Instead of a head over nothing."""
    hall = opened.hall
    begun(hall, "Ana,Ben,Zoë", tables=1, final=0, rounds=1)
    page = opened.visit("/standings").page
    page.get_by_text("Nothing so far.").wait_for()
    typed(hall, ((1,), (2,), (3,)))
    page.get_by_text("Nothing so far.").wait_for(state="hidden")
    expect(page.locator("#lines tr")).to_have_count(3)


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
    (member,) = begun(hall, "Ana,Ben,Zoë", rounds=2, tables=1, most=3, final=0)
    names, call = seated(hall)
    take(hall, member, rows(judged_game(names, call, 0)))
    hall.do(commands.Clear(1, 1), "Ann")
    call_round(hall)
    names, call = seated(hall)
    after = known(hall, member)
    played = (*judged_game(names, call, after[0])[:3], Undone(by="host", at=9, of=4))
    take(hall, member, rows(played, after))
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


LONG = (
    *("Maximiliane-Theodora von Hohenfels", "Wolfeschlegelsteinhausenberger", "Bartholomew Featherstone"),
    *("Konstantinopolitanska", "Dragoslava Petrović-Njegoš", "Anna-Katharina Schmidt"),
)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_no_neighbours_name_lies_on_the_table_that_a_phone_shows(opened: OpenHall, count: int) -> None:
    """Long names, at tables of three to six; inside the table (its two half axes) is less than one."""
    begun(opened.hall, ",".join(LONG[:count]), tables=1)
    phone = opened.visit("/where", **PHONE).page
    phone.get_by_label("Your name").fill(LONG[0])
    expect(phone.locator(".tab .nb bdi")).to_have_count(2)
    within = phone.evaluate(
        """() => {
            const table = document.querySelector(".tab .tt").getBoundingClientRect();
            const from = (at, start, size) => (at - start - size / 2) / (size / 2);
            return [...document.querySelectorAll(".tab .nb bdi")].flatMap((name) => {
                const { left, right, top, bottom } = name.getBoundingClientRect();
                return [left, right].flatMap((x) => [top, bottom].map((y) =>
                    from(x, table.left, table.width) ** 2 + from(y, table.top, table.height) ** 2));
            });
        }"""
    )
    assert 8 == len(within)
    assert min(within) >= 1


def test_all_tables_stand_in_the_picture_of_a_stream(opened: OpenHall) -> None:
    """Ninety of them in 1280 by 720, and none too small for its number to be read."""
    arranged(opened.hall, ",".join(f"P{number}" for number in range(1, 271)), tables=90)
    for _ in range(90):
        let_in(opened.hall)
    page = opened.visit("/overlay/tables", size=(1280, 720)).page
    expect(page.locator(".overlay ul > li")).to_have_count(90)
    ends = page.locator(".overlay li svg").evaluate_all(
        """all => all.map((one) => {
            const { width, right, bottom } = one.getBoundingClientRect();
            return [width, right, bottom];
        })"""
    )
    assert 90 == len(ends)
    assert max(right for _, right, _ in ends) <= 1280
    assert max(bottom for *_, bottom in ends) <= 720
    assert min(width for width, *_ in ends) >= 40
