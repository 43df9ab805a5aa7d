"""Flask's answer to a request, worked out on a thread that waits for nothing of the server's."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from a2wsgi.wsgi import build_environ
from werkzeug.test import run_wsgi_app

if TYPE_CHECKING:
    from web.server.live import Message, Scope


def flask_answer(flask_app: Any, scope: Scope, body: bytes) -> list[Message]:
    """Return what answers the request of *scope* with this whole *body*."""
    environ: Any = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
    parts, status, headers = run_wsgi_app(flask_app, environ, buffered=True)
    lines = [(name.strip().lower(), value.strip()) for name, value in headers]
    told = [(name.encode("latin1"), value.encode("latin1")) for name, value in lines]
    return [
        {"type": "http.response.start", "status": int(status.split(" ", 1)[0]), "headers": told},
        {"type": "http.response.body", "body": b"".join(parts)},
    ]
