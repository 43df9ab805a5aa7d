"""What anybody in the network may do in a hall: not take the list away, nor fill it."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from lastnose.companion.event import commands
from lastnose.companion.link.hub import Hall
from lastnose.web.hall import context

from tests.support.hall_pages import pages_of, post
from tests.support.halls import arranged


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
