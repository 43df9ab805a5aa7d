"""The list and the hall's log: at the door, at the desk, on pages and papers, while an event is read."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError

import msgspec
import pytest
from flask.testing import FlaskClient
from lastnose.companion.evening.events import Started
from lastnose.companion.event import commands, events, history
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.messages import Presence
from lastnose.companion.event.orders import LASTING
from lastnose.companion.event.roster import Person
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import call_of
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.web.hall import context
from lastnose.web.hall.context import HallContext, change
from lastnose.web.hall.server import ReadingPage
from lastnose.web.server.addresses import listen

from tests.support.hall_pages import pages_of, post
from tests.support.halls import arranged, call_round, let_in, rows, take
from tests.support.ports import free_port


def test_what_was_left_out_of_a_list_is_said_with_the_answer(client: FlaskClient) -> None:
    """How many were read, how many lines were not, and the first of those; also when all went well."""
    wish = {"type": "add-people", "written": "Nom;Prénom\nMüller;Zoë\nMüller;ZOË\n;\n?;!\nDupont;Anaïs"}
    answer = post(client, "commands", {"command": wish})
    assert ["Zoë Müller", "Anaïs Dupont"] == [one["name"] for one in answer["state"]["people"]]
    assert answer["says"].startswith("2 people were read. 2 lines were left out. Line 3: ZOË Müller is")
    answer = post(client, "commands", {"command": {"type": "add-people", "written": "Bob"}})
    assert "1 person was read." == answer["says"]
    assert "says" not in post(client, "commands", {"command": {"type": "announce", "says": "Hi"}})


def test_what_is_not_known_in_an_organisers_command_is_named_and_nothing_is_done(
    hall: Hall, client: FlaskClient
) -> None:
    """At any depth; a machine of a newer version may say more of itself when it comes in."""
    for command, what in (
        ({"type": "add-people", "written": "Ann", "clubs": []}, "command.clubs"),
        ({"type": "add-person", "person": {"name": "Ann", "clubb": "A"}}, "command.person.clubb"),
    ):
        said = post(client, "commands", {"command": command}, 400)["error"]
        assert f"This request cannot be read: {what} is not a key that is known here." == said
    more = {"command": {"type": "announce", "says": "Hi"}, "seeen": 1}
    assert "seeen is not a key" in post(client, "commands", more, 400)["error"]
    assert "" == hall.state.said
    assert {} == hall.state.people
    wish = {"code": "a", "table": "b", "key": "U", "colour": "red"}
    assert "not a table of a Last Nose" in post(client, "tables", wish, 422)["error"]


def test_a_namesakes_own_name_is_told_without_the_club(hall: Hall, client: FlaskClient) -> None:
    """So that who writes it differently does not write the club into it."""
    arranged(hall, "name,club\nAnn,Oak\nAnn,Elm\nBob,Oak")
    people = client.get("/api/v1/hall/state").json["people"]
    assert [("Ann (Oak)", "Ann"), ("Ann (Elm)", "Ann"), ("Bob", None)] == [
        (one["name"], one.get("plain")) for one in people
    ]


def test_what_was_done_last_is_told_taken_back_and_holds_again(hall: Hall, client: FlaskClient) -> None:
    """The newest first; a table that came in is not among it; what later entries rest on says so."""
    arranged(hall, "Ann,Bob,Cy", tables=1, final=0, rounds=1)
    let_in(hall)
    hall.do(commands.Leave((2,)), "host")
    found = client.get("/api/v1/hall/done").json["entries"]
    assert ["Leaves: Bob", "At the door: Ann + 2", "The event: Pig Cup"] == [one["says"] for one in found]
    seq = found[0]["seq"]
    post(client, "commands", {"command": {"type": "take-back", "of": seq}})
    assert (seq, True) == tuple(
        client.get("/api/v1/hall/done").json["entries"][0][key] for key in ("seq", "back")
    )
    assert 2 in hall.state.there
    post(client, "commands", {"command": {"type": "renew", "of": seq}})
    assert 2 not in hall.state.there
    hall.do(commands.Return((2,)), "host")
    hall.do(commands.Draw(), "host")
    joined = {"type": "take-back", "of": found[1]["seq"]}
    said = post(client, "commands", {"command": joined}, 409)
    assert "Later entries rest on this one: take those back first." == said["error"]


def test_who_only_watches_is_not_told_what_was_done(client: FlaskClient) -> None:
    """It names who did it."""
    answer = client.get("/api/v1/hall/done", environ_overrides={"REMOTE_ADDR": "192.0.2.9"})
    assert 403 == answer.status_code


def test_everything_that_can_be_taken_back_has_its_words() -> None:
    """No event is forgotten."""
    told = {
        "by": "Ann",
        "at": 0.0,
        "arrangement": Arrangement("Pig Cup"),
        "first": 1,
        "people": (Person("Ann"),),
        "entrant": 1,
        "person": Person("Ann"),
        "entrants": (1,),
        "table": "jkmnpqrstu",
        "rounds": (),
        "round": 1,
        "number": 1,
        "numbers": (),
        "options": {},
        "reason": "bumped",
        "stands": True,
        "says": "Pizza",
        "closed": True,
        "places": ((1,),),
        "rests_on": (),
        "entry": 3,
        "appeal": 1,
        "decision": "void",
    }
    for kind in events.HallEvent.__subclasses__():
        if kind not in LASTING:
            wanted = (one.name for one in msgspec.structs.fields(kind) if one.required)
            made = kind(**{name: told[name] for name in wanted})
            assert str(history.newest([(1, made)], HallState())[0].says)
    for made, says in (
        (events.Went(by="host", at=0, entrants=(7,)), "Leaves: 7"),
        (events.Announced(by="host", at=0, says=""), "Say on every screen: –"),
    ):
        assert says == str(history.newest([(1, made)], HallState())[0].says)


def test_a_set_up_that_another_has_changed_since_it_was_opened_is_not_overwritten(
    hall: Hall, client: FlaskClient
) -> None:
    """Ann opens it, Zoë arranges five free rounds. Ann is told by whom and what, and then may insist."""
    arranged(hall, "A,B,C", rounds=2)
    made = hall.state.arrangement
    opened = hall.state.seq
    newer = msgspec.structs.replace(made, format="free", rounds=5, options={"word": "HOG"}, minutes=15)
    hall.do(commands.Announce("Pizza"), "phone 3f9a Zoë")
    hall.do(commands.Arrange(newer), "phone 3f9a Zoë")
    hall.do(commands.Announce("Cake"), "phone 77aa Bo")
    wish = {"type": "arrange", "arrangement": msgspec.to_builtins(made)}
    seen = hall.state.seq
    said = post(client, "commands", {"command": wish, "seen": seen, "opened": opened}, 409)["error"]
    assert (
        "Zoë has changed this meanwhile: Free play, Rounds: 5, Minutes a round (0: no clock): 15 and House "
        "rules. Press once more, and yours holds instead." == said
    )
    assert newer == hall.state.arrangement
    post(client, "commands", {"command": wish, "seen": seen, "opened": seen})
    assert made == hall.state.arrangement


def test_what_is_as_it_was_when_it_was_opened_is_written_whatever_else_has_happened(
    hall: Hall, client: FlaskClient
) -> None:
    """Others speak, arrange and take that back again: nothing is lost."""
    arranged(hall, "A,B,C")
    made = hall.state.arrangement
    opened = hall.state.seq
    hall.do(commands.Announce("Pizza"), "Bea")
    hall.do(commands.Arrange(msgspec.structs.replace(made, rounds=9)), "Bea")
    hall.do(commands.TakeBack(hall.state.seq), "Bea")
    wish = {"type": "arrange", "arrangement": {**msgspec.to_builtins(made), "rounds": 3}}
    post(client, "commands", {"command": wish, "seen": hall.state.seq, "opened": opened})
    assert 3 == hall.state.arrangement.rounds


def test_a_name_and_a_result_that_another_wrote_meanwhile_are_not_overwritten(
    hall: Hall, client: FlaskClient
) -> None:
    """Each says what is there now; another name, another table's result hinder nobody."""
    arranged(hall, "A,B,C", tables=1, rounds=1, final=0)
    let_in(hall, "")
    call_round(hall)
    opened = hall.state.seq
    hall.do(commands.Rewrite(1, Person("Aimée", "Oak")), "phone 3f9a Zoë")
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "host")
    seen = hall.state.seq

    def told(command: dict[str, object], status: int) -> str:
        wish = {"command": command, "seen": seen, "opened": opened}
        return str(post(client, "commands", wish, status).get("error", ""))

    rewritten = {"type": "rewrite", "entrant": 1, "person": {"name": "Amy"}}
    assert told(rewritten, 409).startswith("Zoë has changed this meanwhile: Aimée, Oak.")
    typed = {"type": "type-result", "round": 1, "number": 1, "places": [[3], [2], [1]], "reason": "seen"}
    assert told(typed, 409).startswith(
        "Somebody at the hall’s own machine has changed this meanwhile: This result counts."
    )
    assert ((1,), (2,), (3,)) == hall.state.typed[1, 1].places
    told({"type": "rewrite", "entrant": 2, "person": {"name": "Bob"}}, 200)
    assert ["Aimée", "Bob", "C"] == [hall.state.people[n].name for n in (1, 2, 3)]


def stranger(hall: Hall, *addresses: str) -> list[FlaskClient]:
    """Return phones in the network, that only watch, of one server."""
    pages = pages_of(hall)
    made = []
    for address in addresses:
        client = pages.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        made.append(client)
    return made


@pytest.mark.parametrize("path", ["export.json", "standings.csv"])
def test_only_an_organiser_takes_the_list_away(hall: Hall, client: FlaskClient, path: str) -> None:
    """Who won is not read from a file before it is said; the page shows no button that would be refused."""
    arranged(hall, "A,B,C")
    (phone,) = stranger(hall, "192.0.2.9")
    assert 403 == phone.get(f"/api/v1/hall/{path}").status_code
    assert "standings.csv" not in phone.get("/standings").get_data(as_text=True)
    assert 200 == client.get(f"/api/v1/hall/{path}").status_code
    assert "standings.csv" in client.get("/standings").get_data(as_text=True)


def test_a_phone_puts_some_names_on_the_list_and_not_a_thousand(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six a minute of one phone, a hundred of all; a minute later it goes on. Nobody else is held up."""
    now_s = [100.0]
    monkeypatch.setattr(context.time, "monotonic", lambda: now_s[0])
    arranged(hall, "A,B,C")
    first, second, *others = stranger(hall, *(f"192.0.2.{n}" for n in range(1, 30)))
    for n in range(6):
        post(first, "here", {"name": f"Zoë {n}"})
    said = post(first, "here", {"name": "Zoë 6"}, 409)["error"]
    assert "Too many names at once: wait a minute, or ask at the desk, please." == said
    assert 9 == len(hall.state.people)
    post(second, "here", {"name": "Ivo"})
    for n, one in enumerate(others[:18]):
        for m in range(6 if n < 15 else 1):
            post(one, "here", {"name": f"Ivo {n} {m}"})
    assert 3 + 100 == len(hall.state.people)
    post(second, "here", {"name": "Ana"}, 409)
    now_s[0] += 60
    post(first, "here", {"name": "Zoë 6"})


def test_who_puts_themselves_on_the_list_holds_no_organiser_up(hall: Hall, client: FlaskClient) -> None:
    """The desk had not seen them yet; what it then does rests on the list with them."""
    arranged(hall, "A,B,C")
    seen = hall.state.seq
    (phone,) = stranger(hall, "192.0.2.9")
    post(phone, "here", {"name": "Zoë"})
    post(client, "commands", {"command": {"type": "draw"}, "seen": seen})
    assert 4 == len(hall.state.rounds[0].entrants)
    post(phone, "here", {"name": "Ivo"})
    said = post(client, "commands", {"command": {"type": "call-round"}, "seen": seen + 2}, 409)["error"]
    assert "Something has just changed: look again, then try again." == said


def test_who_comes_onto_a_list_of_five_thousand_is_not_sent_all_of_it(
    hall: Hall, client: FlaskClient
) -> None:
    """A phone is shown its own part of the hall then, as it was before."""
    arranged(hall, ",".join(f"Player {n}" for n in range(1, 5000)))
    (phone,) = stranger(hall, "192.0.2.9")
    answer = post(phone, "here", {"name": "Zoë"})
    assert 5000 == len(hall.state.people)
    assert phone.get("/api/v1/hall/summary").json == answer


def test_the_list_is_closed_for_phones_and_open_at_the_desk(hall: Hall, client: FlaskClient) -> None:
    """One touch closes and opens it; the page of phones knows."""
    arranged(hall, "A,B,C")
    (phone,) = stranger(hall, "192.0.2.9")
    post(client, "commands", {"command": {"type": "close-list"}})
    assert client.get("/api/v1/hall/state").json["list_closed"]
    assert "ask at the desk" in post(phone, "here", {"name": "Zoë"}, 409)["error"]
    post(client, "here", {"name": "Ivo"})
    hall.do(commands.AddPeople("Ana"), "Ann")
    post(client, "commands", {"command": {"type": "close-list", "closed": False}})
    post(phone, "here", {"name": "Zoë"})
    assert {"A", "B", "C", "Ivo", "Ana", "Zoë"} == {one.name for one in hall.state.people.values()}


def put_together(before: Any, change: Any) -> Any:
    """Do what the page does."""
    left_out, items = change.pop("left_out", []), change.pop("items", {})
    assert left_out == change.pop("gone", []), "its old name, for a version"
    made = {key: value for key, value in {**before, **change}.items() if key not in left_out}
    tables = [items.get(str(n), one) for n, one in enumerate(made.get("tables", []))]
    return {**made, "tables": tables} if tables else made


@pytest.mark.parametrize("language", ["en", "fr"])
def test_changes_come_to_the_same_as_the_whole(tmp_path: Path, language: str) -> None:
    """Over everything that happens in an evening; a deal at one table of two sends little."""
    store = HallStore(tmp_path)
    hall = Hall(store, random=Random(3), now_s=lambda: 0.0)
    pages = HallContext(hall, str, lambda: None)
    shown = pages.screen()
    page = json.loads(pages.encoded(shown, language))
    sizes: dict[str, int] = {}

    def follow(name: str) -> None:
        nonlocal shown, page
        now = pages.screen()
        news = change(shown, now, language)
        sizes[name] = len(news)
        page, shown = put_together(page, json.loads(news)), now
        assert page == json.loads(pages.encoded(now, language))

    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti,Zoë,Nils")
    follow("arranged")
    one, other = let_in(hall), let_in(hall)
    follow("let in")
    hall.do(commands.Announce("Pizza"), "Ann")
    call_round(hall)
    follow("called")
    hall.do(commands.Announce(""), "Ann")
    follow("silence")
    now = hall.state.now
    for member in (one, other):
        names = tuple(now.names[entrant] for entrant in now.at(member.number))
        call, lines = call_of(hall.event, now.seq, now.nonce), tuple(f"nose.{n}" for n in range(1, 5))
        begun = Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call)
        take(hall, member, rows((begun,)))
        hall.heard(member.table, Presence(n=1, here=(1,)))
        hall.tick()
        follow(f"table {member.number}")
    hall.do(commands.PutTableOut(other.number), "Ann")
    follow("put out")
    store.close()
    assert sizes["table 2"] < len(pages.encoded(shown, language)) / 2
    assert "people" not in json.loads(change(shown, pages.screen(), language))


def test_a_certificate_counts_who_has_played(hall: Hall, client: FlaskClient) -> None:
    """Three of four: the first of 3. The fourth stands below on list and file, and says why."""
    arranged(hall, "Ann,Bob,Cid,Dee", rounds=1, tables=1, final=0)
    let_in(hall)
    hall.do(commands.Leave((4,)), "Ann")
    call_round(hall)
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    printed = client.get("/print/certificates?most=9").get_data(as_text=True)
    assert "Place 1 of 3" in printed
    assert "Place 3 of 3" in printed
    assert "<bdi>Dee</bdi>" not in printed
    below = client.get("/api/v1/hall/state").json["standings"][-1]
    assert ("Dee", None, "played no round") == (below["name"], below["place"], below["decided"])
    kept = client.get("/api/v1/hall/standings.csv").get_data(as_text=True).splitlines()
    assert ",Dee,,,0.0000,0,0,0,0,played no round" == kept[-1]


def _asked(port: int, language: str) -> tuple[int, str]:
    """Return status and body of the page."""
    wish = urllib.request.Request(f"http://127.0.0.1:{port}/where", headers={"Accept-Language": language})
    with pytest.raises(HTTPError) as found, urllib.request.urlopen(wish, timeout=60):
        pass
    with found.value as answer:
        return answer.code, answer.read().decode()


def test_the_page_says_how_far_the_reading_is_and_makes_room_for_the_halls_own() -> None:
    """Two of five tables are 40 %, in each language; then the port is free."""
    port, now_s = free_port(), [0.0]
    page = ReadingPage(port, lan=False, now_s=lambda: now_s[0])
    page.told(0, 5)
    for one in listen(port, lan=False):  # so early nothing is served yet: most starts are over by then
        one.close()
    now_s[0] = 1.0
    page.told(2, 5)
    assert (503, True) == (_asked(port, "en")[0], "Reading the event: 40 %" in _asked(port, "en")[1])
    page.told(4, 5)
    assert "80\u00a0%" in _asked(port, "fr")[1]
    page.close()
    page.close()
    for one in listen(port, lan=False):
        one.close()


def test_a_taken_port_is_left_to_who_says_so() -> None:
    """The pages themselves say it, with what to do."""
    port, now_s = free_port(), [0.0]
    taken = listen(port, lan=False)
    page = ReadingPage(port, lan=False, now_s=lambda: now_s[0])
    now_s[0] = 1.0
    page.told(1, 2)
    page.told(2, 2)
    page.close()
    for one in taken:
        one.close()
