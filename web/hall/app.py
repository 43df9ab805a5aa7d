"""The Flask app of a hall: pages and API over one event."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask
from lastnose.companion.link.hub import Hall
from lastnose.web.access import Access
from lastnose.web.app import bare_app
from lastnose.web.hall.api import ASK, JOIN, api, join
from lastnose.web.hall.context import HallContext
from lastnose.web.hall.pages import pages, papers
from lastnose.web.name_fonts import name_fonts


def create_hall_app(
    hall: Hall,
    access: Access,
    *,
    engine: Callable[[str], str],
    address: Callable[[], str | None],
    names: tuple[str, ...] = (),
    cookie: str = "lastnose-hall",
) -> Flask:
    """Return the app that serves *hall*.

    *engine* tells the message server's address for a table that reaches us under a host name, *address* that
    of our own pages in the network, None when there is none.
    """
    app = bare_app(access, names, cookie, frozenset({JOIN, ASK}))
    app.extensions["lastnose.hall"] = HallContext(hall, engine, address)
    for part in (api, pages, papers, name_fonts):
        app.register_blueprint(part)
    app.add_url_rule("/api/v1/join", "join", join, methods=["POST"])
    return app
