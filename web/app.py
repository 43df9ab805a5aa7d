"""The Flask app: pages and API over one table, with the headers and refusals that all of them share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, render_template, request
from flask.logging import default_handler
from flask_wtf.csrf import CSRFError
from lastnose.companion.core.errors import (
    Busy,
    CompanionError,
    DeviceError,
    IllegalMove,
    Missing,
    NotNow,
    StoreError,
)
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.i18n import gettext_for, ngettext_for, translator
from lastnose.companion.table.thread import TableThread
from lastnose.web import auth
from lastnose.web.access import Access, NotAllowed, TooManyTries, WrongPin
from lastnose.web.api.endpoint import Unreadable, answer, api, load
from lastnose.web.context import WebContext
from lastnose.web.delivery import deliver, installing
from lastnose.web.hosts import HEADERS, LARGEST_BODY
from lastnose.web.language import language
from lastnose.web.name_fonts import name_fonts
from lastnose.web.page import languages
from lastnose.web.pages import pages
from werkzeug.exceptions import HTTPException, MethodNotAllowed, MisdirectedRequest

# The first kind that fits an error decides its status; what can be read and still cannot be is 422.
_STATUS: tuple[tuple[type[CompanionError], int], ...] = (
    (Unreadable, 400),
    (auth.BadToken, 401),
    (TooManyTries, 429),
    (NotAllowed, 403),
    (WrongPin, 403),
    (Missing, 404),
    (IllegalMove, 409),
    (NotNow, 409),
    (StoreError, 503),
    (DeviceError, 503),
    (Busy, 503),
    (CompanionError, 422),
)


def create_app(
    table: TableThread,
    access: Access,
    *,
    names: tuple[str, ...] = (),
    cookie: str = "lastnose",
    **shared: Any,
) -> Flask:
    """Return the app that serves *table*, or a self-test of its wiring.

    *names* are this machine's names besides its addresses; *cookie* tells two tables on one machine apart;
    *shared* is what else a `WebContext` takes.
    """
    app = bare_app(access, names, cookie)
    house = WebContext(table, devices=access.devices, **shared)
    app.extensions["lastnose.house"] = house
    house.lobby.follow(table.snapshot)
    house.lobby.tell()  # those who were here when this table was ended
    load()
    app.register_blueprint(api)
    app.register_blueprint(pages)
    app.register_blueprint(installing)
    app.register_blueprint(name_fonts)
    return app


def bare_app(
    access: Access, names: tuple[str, ...], cookie: str, free: frozenset[str] = frozenset()
) -> Flask:
    """Return an app without pages: what looks after visitors, scripts, languages, refusals and headers.

    Requests to *free* paths need no page's token: they carry a credential of their own.
    """
    app = Flask("lastnose.web", static_folder=None, template_folder="templates")
    if logging.lastResort is not None:
        app.logger.addHandler(logging.lastResort)  # stderr; Flask by itself would take the server's stdout
        app.logger.removeHandler(default_handler)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, SESSION_COOKIE_NAME=cookie)
    auth.protect(app, access, names, free)
    deliver(app)
    _speak(app)
    _refuse(app)
    _guard_headers(app)
    app.register_blueprint(languages)
    return app


def _speak(app: Flask) -> None:
    """Give the templates `_`, `ngettext` and `say` (a Text) in the reader's language."""

    @app.context_processor
    def words() -> dict[str, Callable[..., str]]:
        spoken = language()
        return {"_": gettext_for(spoken), "ngettext": ngettext_for(spoken), "say": translator(spoken)}


def _refuse(app: Flask) -> None:
    """Turn every refusal into one sentence in the reader's language."""

    @app.errorhandler(CompanionError)
    def refused(error: CompanionError) -> Response:
        status = next(status for kind, status in _STATUS if isinstance(error, kind))
        made = _sentence(error.text, status, rule=error.rule if isinstance(error, IllegalMove) else None)
        if isinstance(error, auth.BadToken):
            made.headers["WWW-Authenticate"] = "Bearer"
        if isinstance(error, Busy):
            made.headers["Retry-After"] = "3"
        if isinstance(error, TooManyTries):
            made.headers["Retry-After"] = str(error.wait_s)
        return made

    @app.errorhandler(CSRFError)
    def stale(error: CSRFError) -> Response:
        stale_page = text("This page is out of date. Load it again.")
        no_page = english("Changes come from the pages themselves, or with an API token (lastnose token).")
        return _sentence(stale_page if "X-CSRFToken" in request.headers else no_page, 403)

    @app.errorhandler(HTTPException)
    def wrong(error: HTTPException) -> Any:
        if error.code is not None and error.code < 400:
            return error
        made = _sentence(_explain(error), error.code or 500)
        if isinstance(error, MethodNotAllowed):
            made.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
        return made


def _explain(error: HTTPException) -> Text:
    if isinstance(error, MisdirectedRequest):
        return text("This machine does not go by that name. Use the address that its terminal shows.")
    explained = {
        404: text("There is nothing at {path}.", path=request.path),
        405: english("{method} does not work at {path}.", method=request.method, path=request.path),
        413: english("This request is larger than the {n} KB that are allowed.", n=LARGEST_BODY // 1024),
        415: english("Send JSON, with the header Content-Type: application/json."),
    }
    if error.code in explained:
        return explained[error.code]
    if error.code is not None and error.code < 500:
        return english("This request cannot be read: {why}.", why=error.name)
    return text("Something went wrong inside. The terminal says what; what was kept is safe.")


def _sentence(message: Text, status: int, rule: str | None = None) -> Response:
    """Return the refusal: JSON for the API, a page for a browser that wants one, else a line of text."""
    if request.path.startswith("/api/"):
        return answer({"error": message, "rule": rule}, status)
    wanted = request.accept_mimetypes
    if wanted["text/html"] > wanted["text/plain"]:
        body = render_template("error.html", lang=language(), message=message, status=status)
        return Response(body, status, headers={"Cache-Control": "no-store"})
    return Response(translator(language())(message) + "\n", status, mimetype="text/plain")


def _guard_headers(app: Flask) -> None:
    """Send every answer with the headers that keep foreign content out."""

    @app.after_request
    def guard(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
