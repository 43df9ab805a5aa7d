"""Browsers without a screen, for tests: on the table's own machine, or a phone in the network."""

from __future__ import annotations

import hashlib
from typing import Any, cast

from flask import Flask
from flask.testing import FlaskClient
from flask_wtf.csrf import generate_csrf
from lastnose.companion.table.thread import TableThread
from lastnose.web.access import Access, Token
from lastnose.web.app import create_app
from werkzeug.test import TestResponse

from tests.support.fakes import FakeTable

PIN = "4071"
TOKEN = "lastnose_0123456789"
TOKENS = (Token("board", hashlib.sha256(TOKEN.encode()).hexdigest()),)


class Clock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def make_access(*, lan: bool = False, clock: Clock | None = None, tokens: tuple[Token, ...] = ()) -> Access:
    """Return access rules with the PIN 4071."""
    return Access(pin=PIN, key=b"k" * 32, lan=lan, now_s=clock or Clock(), tokens=lambda: tokens)


def make_app(
    table: FakeTable | TableThread | None = None,
    access: Access | None = None,
    join_address: str | None = None,
    **more: Any,
) -> Flask:
    """Return an app under test; `/csrf` gives the token that a page would have in its head."""
    app = create_app(
        cast("Any", table or FakeTable()), access or make_access(), join_address=lambda: join_address, **more
    )
    app.testing = True
    app.add_url_rule("/csrf", view_func=generate_csrf)
    return app


class Phone:
    """One browser: keeps its cookies, sends the page's CSRF token unless told not to."""

    def __init__(self, app: Flask, *, address: str = "127.0.0.1", host: str = "localhost:8080") -> None:
        self.client: FlaskClient = app.test_client()
        self._environ = {"REMOTE_ADDR": address}
        self._host = host
        self._token = ""

    @classmethod
    def in_network(cls, app: Flask, address: str = "192.0.2.77") -> Phone:
        """Return a phone in the network of the table."""
        return cls(app, address=address, host="192.0.2.2:8080")

    def get(self, path: str, **headers: str) -> TestResponse:
        """Ask for *path*."""
        return self.client.get(
            path, headers=self._headers(headers), environ_overrides=self._environ, buffered=True
        )

    def post(self, path: str, body: Any, *, csrf: bool = True, **headers: str) -> TestResponse:
        """Post *body* as JSON to *path*."""
        return self._send("POST", path, body, csrf, headers)

    def put(self, path: str, body: Any, *, csrf: bool = True, **headers: str) -> TestResponse:
        """Put *body* as JSON to *path*."""
        return self._send("PUT", path, body, csrf, headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        """Delete what is at *path*."""
        return self._send("DELETE", path, None, True, headers)

    def _send(self, method: str, path: str, body: Any, csrf: bool, headers: dict[str, str]) -> TestResponse:
        if csrf:
            self._token = self._token or self.get("/csrf").get_data(as_text=True)
            headers = {"X_CSRFToken": self._token, **headers}
        return self.client.open(
            path, method=method, json=body, headers=self._headers(headers), environ_overrides=self._environ
        )

    def join(self, pin: str = PIN) -> TestResponse:
        """Try to join with *pin*."""
        return self.post("/api/v1/join", {"pin": pin})

    def command(self, kind: str = "arm", **rest: Any) -> TestResponse:
        """Send a command."""
        return self.post("/api/v1/commands", {"type": kind, **rest})

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        return {"Host": self._host, **{name.replace("_", "-"): value for name, value in headers.items()}}
