"""The list and the hall's log as the desk mends them through the API."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.hall import commands, events, told
from companion.hall.hub import Hall
from companion.hall.orders import LASTING
from companion.hall.state import HallState
from tests.support.halls import arranged, let_in
from tests.web.hall.test_hall_pages import client, hall, post, store

__all__ = ["client", "hall", "store"]


def test_what_was_left_out_of_a_list_is_said_with_the_answer(client: FlaskClient) -> None:
    """How many were read, how many lines were not, and the first of those; also when all went well."""
    wish = {"type": "add-people", "written": "Nom;Prénom\nMüller;Zoë\nMüller;ZOË\n;\n?;!\nDupont;Anaïs"}
    answer = post(client, "commands", {"command": wish})
    assert ["Zoë Müller", "Anaïs Dupont"] == [one["name"] for one in answer["state"]["people"]]
    assert answer["says"].startswith(
        "2 people were read; 2 lines were left out, the first is line 3: ZOË Müller is"
    )
    answer = post(client, "commands", {"command": {"type": "add-people", "written": "Bob"}})
    assert "1 person was read." == answer["says"]
    assert "says" not in post(client, "commands", {"command": {"type": "announce", "says": "Hi"}})


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
    assert ["Left: Bob", "Came: Ann and 2 others", "Set up: Pig Cup"] == [one["says"] for one in found]
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
    kinds = {kind for kind in events.HallEvent.__subclasses__() if kind not in LASTING}
    assert kinds <= told._says.registry.keys()
    assert "Left: 7" == str(
        told.newest([(1, events.Went(by="host", at=0, entrants=(7,)))], HallState())[0].says
    )
