"""Who is asking: the machine itself, a phone that has joined, an API token, or somebody who only watches.

The machine that runs the table is the host without a PIN: the request comes from a loopback address, to a
loopback name, and was not passed on by a proxy.
"""

from __future__ import annotations

import msgspec
from flask import Flask, Request, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import MisdirectedRequest

from companion.access import COOKIE_LIFE_S, Access, NotJoined, host_of, is_loopback, may_be_called
from companion.authors import HOST, named
from companion.errors import BadInput
from companion.text import text

_PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
_csrf = CSRFProtect()


class Visitor(msgspec.Struct, frozen=True):
    """Who is asking; `by` is what the log writes down."""

    by: str
    may_control: bool
    token: bool = False


def protect(app: Flask, access: Access, names: tuple[str, ...]) -> None:
    """Make *app* check the Host header, know its visitor and demand a CSRF token (or an API token)."""
    app.secret_key = access.key
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=COOKIE_LIFE_S,
        SESSION_REFRESH_EACH_REQUEST=False,  # an answer on its way would bring back the phone's old name
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_CHECK_DEFAULT=False,
    )
    app.extensions["lastnose.access"] = access
    _csrf.init_app(app)

    @app.before_request
    def check() -> None:
        if not may_be_called(request.headers.get("Host", ""), names):
            raise MisdirectedRequest
        g.visitor = _visitor(request, access)
        if not g.visitor.token:
            _csrf.protect()


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
    """Let this phone join with *pin* and return its name; raise WrongPin or TooManyTries."""
    phone = the_access().join(pin, request.remote_addr or "")
    session["phone"] = phone
    session.permanent = True
    return _name_of(phone)


def keep_joined() -> None:
    """Let the cookie of a phone that has joined live as long from now on."""
    if "phone" in session:
        session.modified = True


def rename(name: str) -> str:
    """Let this phone go by *name* ("": by none) and return what the log writes from now on.

    Raise BadInput for a program: its token was named when it was made.
    """
    if visitor().token:
        raise BadInput(text("A program goes by the name of its token."))
    session["name"] = name
    session.permanent = True
    return _visitor(request, the_access()).by


def must_control() -> None:
    """Raise NotJoined for a visitor who may not change things."""
    if not visitor().may_control:
        raise NotJoined(text("This phone only watches so far. Join with the table's PIN first."))


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


def _is_this_machine(request: Request) -> bool:
    passed_on = any(name in request.headers for name in _PASSED_ON)
    return not passed_on and is_loopback(request.remote_addr or "") and is_loopback(host_of(request.host))


def _name_of(phone: str) -> str:
    return f"phone {phone}"
