"""The pages of a hall for tests, without a message server."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from lastnose.companion.link.hub import Hall
from lastnose.web.access import Access
from lastnose.web.hall.pages import create_hall_app


def pages_of(hall: Hall) -> Flask:
    """Return the pages of a hall."""
    access = Access(pin="2718", key=b"k" * 32, lan=True, now_s=lambda: 0.0)
    return create_hall_app(
        hall, access, engine=lambda host: f"nats://{host}:4222", address=lambda: "http://192.0.2.2:8100/"
    )


def post(client: FlaskClient, path: str, body: object, status: int = 200) -> Any:
    """Send *body* as the page does; return the answer's JSON."""
    token = client.environ_base.get("HTTP_X_CSRFTOKEN")
    if token is None:
        page = client.get("/join").get_data(as_text=True)
        token = page.split('name="csrf-token" content="')[1].split('"')[0]
        client.environ_base["HTTP_X_CSRFTOKEN"] = token
    answer = client.post(f"/api/v1/hall/{path}", json=body)
    assert status == answer.status_code, answer.get_data(as_text=True)
    return answer.json
