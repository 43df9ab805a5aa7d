"""Who is asking: the machine itself, a phone that has joined, an API token, or somebody who only watches.

The machine that runs the table is the host without a PIN: the request comes from a loopback address, to a
loopback name, and was not passed on by a proxy.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import msgspec
from flask import Flask, Request, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import MisdirectedRequest, RequestEntityTooLarge
from werkzeug.test import EnvironBuilder

from companion.core.errors import BadInput, StoreError
from companion.core.text import text
from companion.evening.authors import HOST, named
from web.access import COOKIE_LIFE_S, Access, NotJoined, TooManyTries, WrongPin
from web.guard import LARGEST_BODY
from web.hosts import host_of, is_loopback, may_be_called
from web.sessions import AgelessSessions

_PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
_csrf = CSRFProtect()


class Visitor(msgspec.Struct, frozen=True):
    """Who is asking; `by` is what the log writes down."""

    by: str
    may_control: bool
    token: bool = False


def protect(app: Flask, access: Access, names: tuple[str, ...], free: frozenset[str] = frozenset()) -> None:
    """Make *app* check Host header and length, know its visitor and demand a CSRF token (or an API token).

    Requests to *free* paths carry a credential of their own.
    """
    app.secret_key = access.key
    app.session_interface = AgelessSessions()
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=COOKIE_LIFE_S,
        SESSION_REFRESH_EACH_REQUEST=False,  # an answer on its way would bring back the phone's old name
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_CHECK_DEFAULT=False,
    )
    app.extensions["lastnose.access"] = access
    app.extensions["lastnose.names"] = names
    _csrf.init_app(app)

    @app.before_request
    def check() -> None:
        if not is_called(app, request.headers.get("Host", "")):
            raise MisdirectedRequest
        if (request.content_length or 0) > LARGEST_BODY:
            raise RequestEntityTooLarge
        g.visitor = _visitor(request, access)
        if not g.visitor.token and request.path not in free:
            _csrf.protect()


def is_called(app: Flask, header: str) -> bool:
    """Return whether a request with this Host *header* is meant for *app*."""
    return may_be_called(header, app.extensions["lastnose.names"])


def the_access() -> Access:
    """Return the access rules of the app that answers this request."""
    found = current_app.extensions["lastnose.access"]
    assert isinstance(found, Access)
    return found


def visitor() -> Visitor:
    """Return who is asking."""
    found = g.visitor
    assert isinstance(found, Visitor)
    return found


def join(pin: str) -> str:
    """Let this phone join with *pin*, or because it was let in, and return its name.

    No PIN at all is the question whether it has been let in, and no guess. Raises WrongPin or TooManyTries,
    which names the phone so that it can be let in.
    """
    access, address = the_access(), request.remote_addr or ""
    held = session.get("held", "")
    if held and access.may_come_in(held):
        phone = held
    elif not pin.strip():
        raise WrongPin(text("Nobody has let this phone in yet."))
    else:
        try:
            phone = access.join(pin, address)
        except TooManyTries as refused:
            session["held"] = access.hold(held, address)
            raise TooManyTries(refused.wait_s, session["held"]) from refused
    access.release(session.pop("held", ""))
    session["phone"] = phone
    session.permanent = True
    return _name_of(phone)


def keep_joined() -> None:
    """Let the cookie of a phone that has joined live as long from now on."""
    if "phone" in session:
        session.modified = True


def rename(name: str) -> str:
    """Let this phone go by *name* ("": by none) and return what the log writes from now on.

    Raise NotJoined for a program: its token was named when it was made.
    """
    if visitor().token:
        raise NotJoined(text("A program goes by the name of its token."))
    session["name"] = name
    session.permanent = True
    return _visitor(request, the_access()).by


def must_control() -> None:
    """Raise NotJoined for a visitor who may not change things."""
    if not visitor().may_control:
        raise NotJoined(text("This phone only watches so far. Join with the PIN first."))


class BadToken(BadInput):
    """An API token that is not known (any more)."""


def _visitor(request: Request, access: Access) -> Visitor:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        name = access.token_name(token.strip())
        if name is None:
            raise BadToken(text("This API token is not valid (any more). Make a new one."))
        return Visitor(by=f"token {name}", may_control=True, token=True)
    name = session.get("name", "")
    if _is_this_machine(request):
        return Visitor(by=named(HOST, name), may_control=True)
    phone = session.get("phone")
    if isinstance(phone, str):
        return Visitor(by=named(_name_of(phone), name), may_control=True)
    return Visitor(by="watcher", may_control=False)


def is_at_home(app: Flask, headers: Mapping[str, str], address: str) -> bool:
    """Return whether a request with these *headers* from *address* is one that may change things.

    For a server that has no room: it asks before the app answers, with names of headers in lower case.
    """
    passed_on = any(name.lower() in headers for name in _PASSED_ON)
    if not passed_on and is_loopback(address) and is_loopback(host_of(headers.get("host", ""))):
        return True
    asking = Request(EnvironBuilder(headers=list(headers.items())).get_environ())
    scheme, _, token = asking.headers.get("Authorization", "").partition(" ")
    access = app.extensions["lastnose.access"]
    with suppress(StoreError):  # damaged tokens let nobody in, and keep nobody else out
        if scheme.lower() == "bearer" and access.token_name(token.strip()) is not None:
            return True
    found = app.session_interface.open_session(app, asking)
    return found is not None and isinstance(found.get("phone"), str)


def _is_this_machine(request: Request) -> bool:
    passed_on = any(name in request.headers for name in _PASSED_ON)
    return not passed_on and is_loopback(request.remote_addr or "") and is_loopback(host_of(request.host))


def _name_of(phone: str) -> str:
    return f"phone {phone}"
