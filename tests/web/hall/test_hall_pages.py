"""The pages and the API of a hall, without a message server."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import datetime
from random import Random

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.events import Finished, SignedOff, Started, ZeroTested
from lastnose.companion.event import commands, roster
from lastnose.companion.event.roster import Person
from lastnose.companion.event.screen import ListedPerson, where_screen, whereabouts
from lastnose.companion.i18n import translator
from lastnose.companion.link import keys
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.store import HallStore
from lastnose.web.encoding import to_json
from lastnose.web.hall.context import HallContext, change
from lastnose.web.hall.pages import CARDS

from tests.support.hall_pages import pages_of, post
from tests.support.halls import (
    arranged,
    begun,
    call_round,
    judged_game,
    known,
    let_in,
    rows,
    screen,
    seated,
    take,
)

PAGES = (
    *("/", "/board", "/where", "/standings", "/overlay/headline", "/overlay/standings"),
    *("/overlay/tables?scale=2", "/print/cards", "/print/signs", "/print/winners", "/print/lists?by=name"),
    *("/print/lists?by=table&round=1", "/results", "/results?show=sheets", "/results?show=bracket"),
    *("/results?show=prizes", "/print/certificates?most=1&says=Bravo&sign=Ann", "/join"),
)


@pytest.fixture(scope="module")
def before_and_during(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, Flask]]:
    """Return the pages of a hall in which nothing has happened, and of one whose first round is called."""
    stores = [HallStore(tmp_path_factory.mktemp("halls") / name) for name in ("before", "during")]
    before, during = (Hall(store, random=Random(3)) for store in stores)
    begun(during, "Aya,<b>Noor</b>,Tom,Ewa,Kofi,Siti")
    yield pages_of(before), pages_of(during)
    for store in stores:
        store.close()


def played(hall: Hall, member: Membership, *, signed: bool = True) -> None:
    """Let a table play its match of the newest round: it is ended by hand."""
    names, call = seated(hall, member.number)
    lines = tuple(f"nose.{seat}" for seat in range(1, len(names) + 1))
    found = [
        Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call),
        Finished(by="host", at=1),
        *([SignedOff(by="host", at=2, of=1)] if signed else []),
    ]
    take(hall, member, rows(tuple(found)))


@pytest.mark.parametrize("language", ["en", "fr", "bs"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_there_before_and_during_an_event(
    before_and_during: tuple[Flask, Flask], path: str, language: str
) -> None:
    """In each language; names of people are escaped."""
    for pages in before_and_during:
        answer = pages.test_client().get(path, headers={"Accept-Language": language})
        body = answer.get_data(as_text=True)
        assert 200 == answer.status_code
        assert f'<html lang="{language}"' in body
        assert "<b>Noor</b>" not in body


def test_an_event_is_arranged_drawn_and_called_from_the_desk(hall: Hall, client: FlaskClient) -> None:
    """Each step is the next that the desk offers."""
    assert "arrange" == client.get("/api/v1/hall/state").json["step"]
    wish = {"name": "Cup", "rounds": 2, "tables": 2, "final": 3, "most": 6}
    post(client, "commands", {"command": {"type": "arrange", "arrangement": wish}})
    shown = post(client, "commands", {"command": {"type": "add-people", "written": "A,B,C,D,E,F"}})["state"]
    assert ("draw", 6) == (shown["step"], len(shown["people"]))
    assert "call" == post(client, "commands", {"command": {"type": "draw"}})["state"]["step"]
    said = post(client, "commands", {"command": {"type": "call-round"}}, 409)
    assert "2 tables are to play, and 0 are in the hall: let more in, or arrange fewer." == said["error"]
    let_in(hall)
    let_in(hall)
    assert "wait" == post(client, "commands", {"command": {"type": "call-round"}})["state"]["step"]


def test_a_result_waits_for_the_hosts_signature_and_for_a_look_at_what_is_doubtful(
    hall: Hall, client: FlaskClient
) -> None:
    """Ended by hand: unsigned, then doubtful, then it counts; all level share the first place."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    played(hall, member, signed=False)
    assert ["unsigned"] == [
        todo["kind"] for todo in client.get("/api/v1/hall/state").json["todos"] if todo["kind"] != "away"
    ]
    now = rows((SignedOff(by="host", at=2, of=1),), (2, known(hall, member)[1]))
    take(hall, member, now)
    shown = client.get("/api/v1/hall/state").json
    (todo,) = [one for one in shown["todos"] if one["kind"] == "doubtful"]
    assert "The game was ended by hand." == todo["says"]
    assert "standings" not in shown
    shown = post(client, "commands", {"command": todo["command"]})["state"]
    assert [(1, 0.5)] * 3 == [(one["place"], one["points"]) for one in shown["standings"]]
    assert "over" == shown["step"]


def test_who_organises_sees_a_result_before_it_counts_and_nobody_else_does(
    hall: Hall, client: FlaskClient
) -> None:
    """The thing to look at says all places, the table's sheet why; lists and results need the PIN."""
    (member,) = begun(hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
    names, call = seated(hall, 1)
    take(hall, member, rows(judged_game(names, call, 0)))
    (todo,) = [one for one in client.get("/api/v1/hall/state").json["todos"] if one["kind"] == "doubtful"]
    assert f"1. {names[0]}, 1. {names[1]}, 3. {names[2]}" == todo["places"]
    sheet = client.get("/api/v1/hall/sheet?round=1&number=1").json
    assert [(1, 0.75), (1, 0.75), (3, 0.0)] == [(one["place"], one["points"]) for one in sheet["lines"]]
    assert "in until the end, P" == sheet["lines"][2]["why"]
    assert 404 == client.get("/api/v1/hall/sheet?round=2&number=1").status_code
    assert '"2015"' not in client.get("/api/v1/hall/state").get_data(as_text=True)
    for what in ("sheets", "matrix", "bracket", "seats", "prizes"):
        assert 200 == client.get(f"/api/v1/hall/{what}").status_code
        found = client.get(f"/api/v1/hall/results.csv?what={what}").get_data().decode("utf-8-sig")
        assert found.splitlines()[0].startswith(("round,", "place,", "category,"))
    assert 400 == client.get("/api/v1/hall/results.csv?what=all").status_code
    assert "Aya" in client.get("/api/v1/hall/results.html").get_data(as_text=True)
    stranger = {"REMOTE_ADDR": "192.0.2.9"}
    for path in (
        *("sheet?round=1&number=1", "sheets", "matrix", "seats", "prizes", "results.html"),
        "person?entrant=1",
    ):
        assert 403 == client.get(f"/api/v1/hall/{path}", environ_base=stranger).status_code
    for path in ("/results", "/print/lists", "/print/winners", "/print/certificates"):
        assert "/join" == client.get(path, environ_base=stranger).headers["Location"]


def test_a_year_of_birth_is_seen_by_the_organiser_alone(hall: Hall, client: FlaskClient) -> None:
    """It is read from a list, for a prize; no screen has it."""
    arranged(hall, "name,born\nAya,3/4/2015\nTom,\nEwa,ten\n")
    assert 2 == len(hall.state.people)
    assert 2015 == client.get("/api/v1/hall/person?entrant=1").json["born"]
    assert "2015" not in client.get("/api/v1/hall/state").get_data(as_text=True)
    assert 404 == client.get("/api/v1/hall/person?entrant=9").status_code


def test_tables_come_in_with_the_code_of_the_evening_until_there_is_another(
    hall: Hall, client: FlaskClient
) -> None:
    """They have no page's token; a code that was renewed is none."""
    made = post(client, "invitations", {})
    assert f"http://192.0.2.2:8100/#{made['code']}" == made["address"]
    assert f"lastnose run --hall {made['address']}" == made["line"]
    assert made["qr"].startswith("<svg")
    wish = {"code": made["code"], "table": keys.random_id(10), "key": keys.public_key(keys.make_seed())}
    answer = client.post("/api/v1/hall/tables", json=wish)
    assert {"event": hall.event, "number": 1, "engine": "nats://localhost:4222"} == answer.json
    assert made == post(client, "invitations", {})
    again = client.post("/api/v1/hall/tables", json=wish | {"table": keys.random_id(10)})
    assert (200, 2) == (again.status_code, again.json["number"])
    assert made["code"] != post(client, "invitations", {"renew": True})["code"]
    late = client.post("/api/v1/hall/tables", json=wish | {"table": keys.random_id(10)})
    assert (422, True) == (late.status_code, "not the code of this evening" in late.json["error"])


@pytest.mark.parametrize("key", ["", "U" * 56, "SUAB", '"} permissions: {', "U" + "A" * 55])
def test_a_key_that_is_none_never_reaches_the_servers_configuration(
    hall: Hall, client: FlaskClient, key: str
) -> None:
    """One sentence; who has a key comes in with the same code."""
    code = hall.invite()
    wish = {"code": code, "table": keys.random_id(10), "key": key}
    assert 422 == client.post("/api/v1/hall/tables", json=wish).status_code
    wish["key"] = keys.public_key(keys.make_seed())
    assert 200 == client.post("/api/v1/hall/tables", json=wish).status_code


@pytest.mark.parametrize(
    ("back", "leads"), [("/board", "/board"), ("//evil.example", "/"), ("/%09/evil.example", "/")]
)
def test_a_language_is_remembered_and_leads_back_into_the_hall(
    client: FlaskClient, back: str, leads: str
) -> None:
    """A browser drops a tab in an address: with it "/", tab, "/" is another site."""
    answer = client.get(f"/lang/fr?next={back}")
    assert (303, leads) == (answer.status_code, answer.headers["Location"])
    assert "fr" == client.get("/board").headers["Content-Language"]


def test_who_only_watches_changes_nothing(hall: Hall, client: FlaskClient) -> None:
    """From the network, without the PIN: the desk leads to the seats, commands are refused."""
    outside = {"REMOTE_ADDR": "192.0.2.9"}
    assert "/where" == client.get("/", environ_overrides=outside).headers["Location"]
    page = client.get("/join", environ_overrides=outside).get_data(as_text=True)
    token = page.split('name="csrf-token" content="')[1].split('"')[0]
    for path in ("commands", "invitations"):
        answer = client.post(
            f"/api/v1/hall/{path}",
            json={"command": {"type": "draw"}},
            headers={"X-CSRFToken": token},
            environ_overrides=outside,
        )
        assert 403 == answer.status_code
    assert 0 == hall.state.seq


def test_the_later_of_two_organisers_is_told(hall: Hall, client: FlaskClient) -> None:
    """Ann changed something that this desk had not seen."""
    arranged(hall, "A,B,C")
    seen = hall.state.seq
    hall.do(commands.Announce("Pizza"), "Ann")
    said = post(client, "commands", {"command": {"type": "announce", "says": "Cake"}, "seen": seen}, 409)
    assert "Ann has just changed something: look again, then try again." == said["error"]
    assert "Pizza" == hall.state.said
    hall.do(commands.Announce("Pie"), "phone 3f9a Zoë")
    wish = {"command": {"type": "announce", "says": "Cake"}, "seen": hall.state.seq - 1}
    told = post(client, "commands?lang=fr", wish, 409)["error"]
    assert told.startswith("Zoë vient de changer quelque chose")


def test_whoever_organises_on_a_phone_is_told_of_the_halls_own_machine_in_their_language(hall: Hall) -> None:
    """The log writes "host", which is no word for an organiser, and no French."""
    hall.do(commands.Announce("Pizza"), "host")
    with pytest.raises(NotNow) as problem:
        hall.do(commands.Announce("Cake"), "phone 3f9a", seen=0)
    told = translator("fr")(problem.value.text)
    assert told.startswith("Quelqu’un à la machine de la salle vient de changer quelque chose")


@pytest.mark.parametrize("seen", [99_999, 3, -1])
def test_who_has_seen_what_never_was_is_told_to_look_again(
    hall: Hall, client: FlaskClient, seen: int
) -> None:
    """The log has two entries; a page of another event, or of one that was put back to a copy."""
    arranged(hall, "A,B,C")
    wish = {"command": {"type": "announce", "says": "Cake"}}
    for when in ("seen", "opened"):
        said = post(client, "commands", {**wish, when: seen}, 422)["error"]
        assert said == "Something has just changed: look again, then try again."
    assert 2 == hall.state.seq


@pytest.mark.parametrize(
    ("language", "day"), [("en", "Monday, 23 November 2026"), ("fr", "lundi 23 novembre 2026")]
)
def test_what_is_printed_has_the_day_of_the_first_call_before_its_month(
    store: HallStore, language: str, day: str
) -> None:
    """Nobody has to know how Americans write it."""
    noon = datetime(2026, 11, 23, 12).astimezone().timestamp()
    hall = Hall(store, random=Random(3), wall_s=lambda: noon)
    begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    client = pages_of(hall).test_client()
    for page in ("cards", "certificates"):
        assert day in client.get(f"/print/{page}?lang={language}").get_data(as_text=True)


def test_people_put_themselves_on_the_list_until_the_first_call(hall: Hall, client: FlaskClient) -> None:
    """Nobody becomes a guest, or twice the same, that way."""
    arranged(hall, "A,B", tables=1, final=0, rounds=1)
    post(client, "here", {"name": "Zoë", "guest": True})
    assert ("Zoë", False) == (hall.state.people[3].name, hall.state.people[3].guest)
    assert "is there already" in post(client, "here", {"name": "ZOË"}, 422)["error"]
    let_in(hall)
    call_round(hall)
    assert "ask at the desk" in post(client, "here", {"name": "Late"}, 409)["error"]


def test_everything_can_be_kept(hall: Hall, client: FlaskClient) -> None:
    """The document holds the tables' rows as they are; no cell of the list is a formula."""
    (member,) = begun(hall, "=A,B,C", tables=1, final=0, rounds=1)
    played(hall, member)
    found = json.loads(client.get("/api/v1/hall/export.json").data)
    assert ["started", "finished", "signed-off"] == [
        one["event"]["type"] for one in found["tables"][member.table]["log"]
    ]
    assert "'=A" in client.get("/api/v1/hall/standings.csv").get_data(as_text=True)


def test_the_list_of_one_event_is_read_by_the_next_with_the_same_names(
    hall: Hall, client: FlaskClient
) -> None:
    """Whatever they begin with, and however a spreadsheet is kept from taking them for a formula."""
    names = ("=1+1", "+Bob", "-Eva", "@Zoë", "'=Ana", "'t Hooft", "Ann")
    arranged(hall, "A,B,C")
    for name in names:
        hall.do(commands.AddPerson(Person(name, "-C")), "Ann")
    written = client.get("/api/v1/hall/standings.csv").get_data(as_text=True)
    cells = [cell for line in csv.reader(io.StringIO(written)) for cell in line]
    assert [] == [cell for cell in cells if cell[:1] in {*"=+-@"}]
    found = {(one.name, one.club) for one in roster.read(written).people}
    assert {(name, "-C") for name in names} | {("A", ""), ("B", ""), ("C", "")} == found


def test_the_description_names_every_call(client: FlaskClient) -> None:
    """OpenAPI, as the table's."""
    found = client.get("/api/v1/hall/openapi.json").json
    assert "/api/v1/hall/commands" in found["paths"]
    assert "/api/v1/hall/verdict" in found["paths"]
    assert 400 == client.post("/api/v1/hall/tables", json={"code": 1}).status_code
    stream = found["paths"]["/events"]["get"]
    assert "`GET /api/v1/hall/state` returns (`HallScreen`)" in stream["description"]
    assert ["lang"] == [one["name"] for one in stream["parameters"]]
    odd = client.get("/api/v1/hall/verdict?table=b&entry=x")
    assert (400, "This request cannot be read: entry must be a whole number, not a text.") == (
        odd.status_code,
        odd.json["error"],
    )


def test_the_board_shows_the_newest_photo_finish_and_the_certificate_that_of_the_final(
    hall: Hall, client: FlaskClient
) -> None:
    """One round, the final, of three at one table; the numbers are those of the table's own log."""
    arranged(hall, "A,B,C", tables=1, final=3, rounds=1)
    member = let_in(hall)
    zero = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=(4_000, -11_000), u_ns=20_000)
    take(hall, member, rows((zero,)))
    for number in (1, 2):
        call_round(hall)
        names, call = seated(hall)
        newest_row = known(hall, member)
        game = judged_game(names, call, newest_row[0])
        take(hall, member, rows(game, newest_row))
        shown = client.get("/api/v1/hall/state").json
        newest = shown["newest"]
        assert (number, 1, f"{names[2]} was last: P") == (newest["round"], newest["number"], newest["says"])
        assert newest["finish"]["margin_ns"] == 412_000
        assert 20_000 <= newest["finish"]["u_ns"] < 20_500, "two stamps, and the rate of a clock over 412 µs"
        hall.do(commands.Clear(round=number, number=1), "Ann")
    paper = client.get("/print/certificates").get_data(as_text=True)
    assert f"The last round of the final: {names[2]} was last: P." in paper
    assert "Zero test: 2 of 2 inside ± 20 µs; at most 11 µs apart." in paper
    assert "Judged by buttons and wires, not by eye." in paper
    assert "Pig, 1 round, 1 table, a final of 3" in paper
    assert '"margin_ns":412000' in paper
    people = hall.state.rounds[1].at(1)
    upside_down = tuple((one,) for one in reversed(people))
    hall.do(commands.TypeResult(2, 1, upside_down, "read wrong"), "Ann")
    assert "The last round of the final" not in client.get("/print/certificates").get_data(as_text=True)


@pytest.mark.parametrize(
    ("margin_us", "says"),
    [(412, "412 µs ± 21 µs"), (336_000, "336.00 ms ± 0.21 ms"), (1_250_000, "1250.00 ms ± 0.71 ms")],
)
def test_the_closest_verdict_is_said_in_the_unit_that_verdicts_use(
    hall: Hall, client: FlaskClient, margin_us: int, says: str
) -> None:
    """And as sure as they are: two stamps of ± 10 µs, and 550 ppm for the rate of a clock."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    take(hall, member, rows(judged_game(*seated(hall), 0, margin_us)))
    assert f"Closest so far, table 1: {says}" == client.get("/api/v1/hall/state").json["closest"]


def test_tables_that_never_came_are_one_thing_to_look_at(hall: Hall, client: FlaskClient) -> None:
    """Two are named each; three are one line, which blames no network that they have never used."""
    arranged(hall, "A,B,C,D,E,F,G,H,I", tables=3)
    for count, wanted in ((1, [1]), (2, [1, 2]), (3, [0])):
        let_in(hall)
        todos = [one for one in client.get("/api/v1/hall/state").json["todos"] if one["kind"] == "away"]
        assert wanted == [one["number"] for one in todos], count
    why = "Tables 1, 2, 3: A table that was let in on its command line comes once it is started again."
    assert ("It was let in, and has not come yet.", why) == (todos[0]["says"], todos[0]["why"])


def test_nobody_gets_two_prizes(hall: Hall, client: FlaskClient) -> None:
    """Who leads the heats wins the final, two share a name, one is renamed: each is read out once."""
    arranged(hall, "name,club\nAya,Ouest\nAya,Est\nTom,\nEwa,\nSiti,\nZoë,\n", rounds=1, final=3)
    for _ in range(2):
        let_in(hall)
    for _ in ("heats", "final"):
        call_round(hall)
        now = hall.state.now
        for number in now.numbers:
            places = tuple((one,) for one in sorted(now.at(number)))
            hall.do(commands.TypeResult(now.number, number, places, "from paper"), "Ann")
    hall.do(commands.Rewrite(3, Person("Thomas")), "Ann")
    assert "over" == hall.view.step.kind
    winners = client.get("/print/winners").get_data(as_text=True)
    read_out = re.findall(r"<li><bdi>(.*?)</bdi>(?: <small><bdi>(.*?)</bdi></small>)?", winners)
    people = [
        ("Aya (Ouest)", "Ouest"),
        ("Aya (Est)", "Est"),
        *((one, "") for one in ("Thomas", "Ewa", "Siti", "Zoë")),
    ]
    assert sorted(people) == sorted(read_out)
    assert [5, 4, 3, 2, 1] == [int(one) for one in re.findall(r"<h2>(\d+)\.</h2>", winners)]
    printed = client.get("/print/certificates?most=6").get_data(as_text=True)
    assert sorted(name for name, _ in people) == sorted(re.findall(r"<h2><bdi>(.*?)</bdi></h2>", printed))
    assert [1, 2, 3, 4, 5, 5] == [
        int(one) for one in re.findall(r'text-anchor="middle">(\d+)</text>', printed)
    ]


def test_a_certificate_tells_of_what_was_played_and_counts_no_tie_as_a_round(
    hall: Hall, client: FlaskClient
) -> None:
    """A round in which all six are level, a tie for the final's three seats; then Hog is set up."""
    begun(hall, "A,B,C,D,E,F", tables=1, rounds=1, final=3)
    hall.do(commands.TypeResult(1, 1, ((1, 2, 3, 4, 5, 6),), "paper"), "Ann")
    call_round(hall)
    assert "tie" == hall.state.rounds[1].kind
    hall.do(commands.TypeResult(2, 1, tuple((n,) for n in range(1, 7)), "paper"), "Ann")
    hall.do(commands.Arrange(msgspec.structs.replace(hall.state.arrangement, game="hog")), "Ann")
    printed = client.get("/print/certificates?most=1").get_data(as_text=True)
    assert "· Pig, 1 round, 1 table</p>" in printed


def test_the_desk_offers_a_games_options_as_a_hall_plays_it(hall: Hall, client: FlaskClient) -> None:
    """One winner a table, where alone three can win; what the final cannot have is said of the final."""
    page = client.get("/").get_data(as_text=True)
    found = re.search(r'<script type="application/json" id="games">(.*?)</script>', page)
    assert found
    options = {
        (game["name"], field["key"]): field["default"]
        for game in json.loads(found[1])
        for field in game["options"]
    }
    assert (1, "PIG", 0) == (
        options["pig", "winners"],
        options["pig", "word"],
        options["score-pad", "rounds"],
    )
    wish = {"name": "Cup", "game": "pig", "final_options": {"word": "123"}}
    said = post(client, "commands", {"command": {"type": "arrange", "arrangement": wish}}, 422)
    assert said["error"].startswith("The final: ")


def test_cards_of_a_large_event_are_asked_for_in_parts_and_by_round(hall: Hall, client: FlaskClient) -> None:
    """By name, accents or not; everybody has a card in one part, and odd wishes get the nearest."""
    names = [f"Person {n:03d}" for n in range(CARDS)]
    arranged(hall, "\n".join(["Zoë", "Émile", "Frank", *names]), tables=80, rounds=2, final=0)
    hall.do(commands.Draw(), "Ann")

    def shown(query: str = "") -> tuple[list[str], int]:
        body = client.get(f"/print/cards{query}").get_data(as_text=True)
        return re.findall("<h2><bdi>(.*?)</bdi>", body), body.count('scope="row"')

    everybody = ["Émile", "Frank", *names, "Zoë"]
    assert (everybody[:CARDS], 2 * CARDS) == shown()
    assert (everybody[CARDS:], 6) == shown("?part=2")
    assert (everybody[CARDS:], 3) == shown("?part=2&round=1")
    assert (everybody[CARDS:], 6) == shown("?part=99&round=x")
    page = client.get("/print/cards?part=2&round=1").get_data(as_text=True)
    assert '<option value="2" selected>2. Person 298 – Zoë</option>' in page
    assert '<option value="1" selected>Round 1</option>' in page


def test_a_phone_is_sent_its_own_person_and_not_the_whole_hall(hall: Hall, client: FlaskClient) -> None:
    """5,000 people at 1,000 tables: what it follows, and what it asks for, are each below 20 kB."""
    begun(hall, "Zoë,Zoe,Ann Oak,Ann Elm,Kofi,Siti", tables=2)
    headline = client.get("/api/v1/hall/state").json["headline"]
    found = client.get("/api/v1/hall/where?name=zoe").json
    assert ["Zoe"] == [one["name"] for one in found["people"]], (
        "their very name comes before one with accents"
    )
    assert ["Ann Oak", "Ann Elm"] == [
        one["name"] for one in client.get("/api/v1/hall/where?name= ANN ").json["people"]
    ]
    (me,) = found["people"]
    sat = {me["tables"][0]}
    assert sat <= {one["number"] for one in found["tables"]}
    assert me["entrant"] in [seat["entrant"] for one in found["tables"] for seat in one.get("seats", ())]
    assert {"people": [], "tables": [], "standings": []} == client.get("/api/v1/hall/where?name=Xu").json
    assert 400 == client.get("/api/v1/hall/where").status_code
    small = client.get("/api/v1/hall/summary").json
    assert ([1, 2], True, headline) == (small["numbers"], small["arranged"], small["headline"])
    page = client.get("/where").get_data(as_text=True)
    assert "Kofi" not in page
    assert "Kofi" in client.get("/board").get_data(as_text=True)
    one = screen(hall)
    many = msgspec.structs.replace(
        one,
        people=tuple(ListedPerson(9 + n, f"Person number {n}", tables=(n % 1000,) * 5) for n in range(5000)),
        tables=tuple(msgspec.structs.replace(one.tables[0], number=n) for n in range(1000)),
    )
    assert len(to_json(where_screen(many), "en")) < 20_000
    assert len(to_json(whereabouts(many, "Person"), "en")) < 20_000
    shown = HallContext(hall, str, lambda: None)
    assert b"Person" in shown.encoded(many, "en")
    assert b"Person" not in shown.encoded(many, "en/where")
    later = msgspec.structs.replace(many, says="Pizza", people=())
    assert {"says": "Pizza"} == json.loads(change(many, later, "en/where"))
