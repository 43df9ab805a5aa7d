"""The list and the hall's log as the desk mends them through the API."""

from __future__ import annotations

import msgspec
from flask.testing import FlaskClient
from lastnose.companion.event import commands, events, history
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.orders import LASTING
from lastnose.companion.event.roster import Person
from lastnose.companion.event.state import HallState
from lastnose.companion.link.hub import Hall

from tests.support.hall_pages import post
from tests.support.halls import arranged, call_round, let_in


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
    assert "Leaves: 7" == str(
        history.newest([(1, events.Went(by="host", at=0, entrants=(7,)))], HallState())[0].says
    )


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
