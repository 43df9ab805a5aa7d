"""Signed cookies without an age: a table without a clock chip may start weeks behind, and be put right later.

The signature proves that the cookie is ours; how long a phone keeps it, the phone's own clock decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature, URLSafeSerializer

if TYPE_CHECKING:
    from flask import Flask, Request, Response
    from flask.sessions import SessionMixin


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
