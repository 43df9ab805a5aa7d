"""Who is asking: a device with its role, or a program with an API token.

The machine that runs the table is the host without a PIN: the request comes from a loopback address, to a
loopback name, from no page of another name, and was not passed on by a proxy. One that says nothing of whom
it asks for is known by its HTTP/1.0, as nginx speaks it by itself (`web.server.page_server`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from flask import Flask, Request, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf.csrf import CSRFProtect
from itsdangerous import BadSignature, URLSafeSerializer
from lastnose.companion.core.errors import BadInput, StoreError
from lastnose.companion.core.text import english, text
from lastnose.companion.evening.authors import HOST, WATCHER, named
from lastnose.companion.evening.lobby import Guest
from lastnose.web.access import COOKIE_LIFE_S, Access, NotAllowed
from lastnose.web.devices import ROLES, Role
from lastnose.web.hosts import LARGEST_BODY, host_of, is_loopback, may_be_called
from werkzeug.datastructures import Headers
from werkzeug.exceptions import MisdirectedRequest, RequestEntityTooLarge
from werkzeug.test import EnvironBuilder

if TYPE_CHECKING:
    from flask import Flask, Request, Response
    from flask.sessions import SessionMixin

# ---- Signed cookies without an age: a table without a clock chip may start weeks behind, and be put right
# later.
#
# The signature proves that the cookie is ours; how long a phone keeps it, the phone's own clock decides.


class AgelessSessions(SecureCookieSessionInterface):
    """Flask's sessions, but no time stands in them; a permanent one is kept for `Max-Age` seconds."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what the cookie of *request* holds, nothing when it is not ours."""
        try:
            held = _signer(app).loads(request.cookies.get(self.get_cookie_name(app), ""))
        except BadSignature:
            held = {}
        return self.session_class(held)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie when something in it has changed."""
        if session.accessed:
            response.vary.add("Cookie")
        if not session.modified:
            return
        response.set_cookie(
            self.get_cookie_name(app),
            _signer(app).dumps(dict(session)),
            max_age=int(app.permanent_session_lifetime.total_seconds()) if session.permanent else None,
            secure=request.is_secure,
            httponly=self.get_cookie_httponly(app),
            samesite=self.get_cookie_samesite(app),
        )


def _signer(app: Flask) -> URLSafeSerializer:
    return URLSafeSerializer(app.secret_key or "", salt="cookie-session-without-age")


_PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_KEY = "device"  # in the cookie
_ALWAYS = ("/join", "/static/", "/made/", "/lang/", "/names.json")  # for a removed device, to come again
_csrf = CSRFProtect()


class Visitor(msgspec.Struct, frozen=True):
    """Who is asking; `by` is what the log writes down, `device` its id, "" for none."""

    by: str
    role: Role
    device: str = ""
    token: bool = False
    removed: bool = False

    @property
    def may_control(self) -> bool:
        """Whether everything may be changed from here."""
        return self.role == "host"


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
        WTF_CSRF_SSL_STRICT=False,  # our pages send no referrer
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
        if g.visitor.removed and not request.path.startswith(_ALWAYS):
            raise NotAllowed(text("The host has taken you off the table. Scan the code to come again."))
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


def know_device() -> str:
    """Give the browser that asks a key of its own, if it has none; return what others see of it.

    One that a host has removed begins again, as another.
    """
    devices = the_access().devices
    if not isinstance(session.get(_KEY), str) or devices.removed(devices.id_of(session[_KEY])):
        session[_KEY] = devices.new_key()
    session.permanent = True
    session.modified = True  # it lives as long from now on
    g.visitor = _visitor(request, the_access())
    return visitor().device


def become_host(pin: str) -> str:
    """Let this device host with *pin*, or the secret; return its name. Raises WrongPin or TooManyTries."""
    access, address = the_access(), request.remote_addr or ""
    access.check_pin(pin, address)
    access.devices.make_host(know_device(), address)
    g.visitor = _visitor(request, access)
    return visitor().by


def rename(name: str) -> str:
    """Let this device go by *name* ("": by none) and return what the log writes from now on."""
    the_access().devices.rename(know_device(), name)
    return _visitor(request, the_access()).by


def my_guest() -> Guest | None:
    """Return who plays with this device."""
    return the_access().devices.guest(visitor().device)


def must_be(role: Role, *, by_token: bool = True) -> None:
    """Raise NotAllowed for a visitor who may do less than *role*, or for a program unless *by_token*.

    A program sits nowhere, and its token was named when it was made.
    """
    if visitor().token and not by_token:
        raise NotAllowed(english("A program has no seat, and goes by the name of its token."))
    if ROLES.index(visitor().role) >= ROLES.index(role):
        return
    if role == "player":
        raise NotAllowed(text("This phone only watches so far. Type your name to sit down."))
    raise NotAllowed(text("Only a host may do this. Type the PIN to become one."))


class BadToken(BadInput):
    """An API token that is not known (any more)."""


def _visitor(request: Request, access: Access) -> Visitor:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        name = access.token_name(token.strip())
        if name is None:
            raise BadToken(english("This API token is not valid (any more). Make a new one."))
        return Visitor(by=f"token {name}", role="host", token=True)
    devices, address = access.devices, request.remote_addr or ""
    key, home = session.get(_KEY), _is_this_machine(request.headers, address)
    device = devices.id_of(key) if isinstance(key, str) else ""
    if device:
        devices.see(device, address, home=home)
    name = devices.name(device)
    if home:
        return Visitor(by=named(HOST, name), role="host", device=device)
    if not device:
        return Visitor(by=WATCHER, role="watcher")
    role = devices.role(device, address)
    by = WATCHER if role == "watcher" else named(f"phone {device}", name)
    return Visitor(by=by, role=role, device=device, removed=devices.removed(device))


class Asking(msgspec.Struct, frozen=True):
    """Who asks a server before its app is asked: a device (its id), from an address."""

    device: str = ""
    address: str = ""
    home: bool = False
    program: bool = False


def who_asks(app: Flask, headers: Mapping[str, str], address: str) -> Asking:
    """Return who sends a request with these *headers* from *address*, with names of headers in lower case."""
    home = _is_this_machine(headers, address)
    asking = Request(EnvironBuilder(headers=list(headers.items())).get_environ())
    scheme, _, token = asking.headers.get("Authorization", "").partition(" ")
    access, program = app.extensions["lastnose.access"], False
    with suppress(StoreError):  # damaged tokens let nobody in, and keep nobody else out
        program = scheme.lower() == "bearer" and access.token_name(token.strip()) is not None
    found = app.session_interface.open_session(app, asking)
    key = found.get(_KEY) if found is not None else None
    return Asking(access.devices.id_of(key) if isinstance(key, str) else "", address, home, program)


def is_at_home(app: Flask, headers: Mapping[str, str], address: str) -> bool:
    """Return whether a request with these *headers* from *address* is one that belongs to the table.

    For a server that has no room: it asks before the app answers.
    """
    one = who_asks(app, headers, address)
    devices = app.extensions["lastnose.access"].devices
    return one.home or one.program or devices.role(one.device, address) != "watcher"


def _is_this_machine(headers: Mapping[str, str] | Headers, address: str) -> bool:
    """Return whether *headers* came from *address* without leaving this machine."""
    page = host_of(headers.get("origin", "").partition("://")[2])  # "" where no page asks, or none says which
    names = (address, host_of(headers.get("host", "")), *filter(None, (page,)))
    return not any(name in headers for name in _PASSED_ON) and all(map(is_loopback, names))
