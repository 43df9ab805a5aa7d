"""The ASGI application: the stream and the clock are answered here, everything else by Flask in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from companion.system import host_clock
from web.guard import LARGEST_BODY
from web.server.connections import Connections
from web.server.gate import Gate, heavy_paths
from web.server.live import (
    Hub,
    Message,
    Receive,
    Scope,
    Send,
    busy_answer,
    full_answer,
    headers_of,
    plain_answer,
    request_of,
)

_BODY_WITHIN_S = 10.0
_SWALLOW_S = 2.0
_CLOSE = ((b"connection", b"close"),)
_log = logging.getLogger("lastnose.web")


class Application:
    """The ASGI application: the stream and the clock are answered here, everything else by Flask in a thread.

    A request is read whole before a thread is given to it, and its answer is written after the thread is free
    again: a slow phone keeps no thread waiting.
    """

    def __init__(
        self,
        flask_app: Any,
        hub: Hub,
        pool: ThreadPoolExecutor,
        connections: Connections,
        at_home: Callable[[Scope, dict[str, str]], bool],
        is_called: Callable[[str], bool],
    ) -> None:
        from web.server.answer import flask_answer

        self._hub = hub
        self._connections = connections
        self._at_home = at_home
        self._gate = Gate()
        self._heavy = heavy_paths()
        self._is_called = is_called
        self._pool = pool
        self._work_out: Callable[[Scope, bytes], list[Message]] = partial(flask_answer, flask_app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what goes wrong is logged, never raised into the server."""
        if scope["type"] != "http":
            return
        try:
            await self._answer(scope, receive, send)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._connections.is_extra(scope["client"]) and not self._at_home(scope, headers_of(scope)):
            await full_answer(scope, send)
        elif scope["path"] == "/events" and self._is_for_us(scope):
            await self._hub.serve(scope, receive, send)
        elif self._asks_the_time(scope) and self._is_for_us(scope):
            body = b'{"t_ns":%d}' % host_clock.now_ns()
            await plain_answer(send, 200, body, b"application/json")
        elif self._heavy.match(scope["path"]):
            address = scope["client"][0] if scope["client"] else ""
            async with self._gate.passing(address) as may:
                await (self._flask(scope, receive, send) if may else busy_answer(scope, send))
        else:
            await self._flask(scope, receive, send)

    def _is_for_us(self, scope: Scope) -> bool:
        """Return whether the request is meant for us; what is not, Flask refuses in a sentence."""
        return self._is_called(request_of(scope).headers.get("host", ""))

    @staticmethod
    def _asks_the_time(scope: Scope) -> bool:
        """Return whether this is the one question of many phones that Flask need not answer."""
        return (scope["method"], scope["path"], scope["query_string"]) == ("GET", "/api/v1/clock", b"")

    async def _flask(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(_BODY_WITHIN_S):
                body = await _whole_body(receive)
        except TimeoutError:
            await plain_answer(send, 408, more=_CLOSE)
            return
        too_large = body is None
        if body is None:
            scope, body = _declared(scope, LARGEST_BODY + 1), b""
        made = await asyncio.get_running_loop().run_in_executor(self._pool, self._work_out, scope, body)
        if too_large:
            await _refuse_rest(made, receive, send)
            return
        for message in made:
            await send(message)


def _declared(scope: Scope, length: int) -> Scope:
    """Return the request with a declared length of its own, for Flask to refuse."""
    kept = [(name, value) for name, value in scope["headers"] if name.lower() != b"content-length"]
    return {**scope, "headers": [*kept, (b"content-length", b"%d" % length)]}


async def _refuse_rest(made: list[Message], receive: Receive, send: Send) -> None:
    """Send an answer to a body that is still coming, and close.

    What was sent meanwhile is swallowed, a little while: a connection that is closed on unread data loses
    the answer too.
    """
    for message in made:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *_CLOSE]
        else:
            message["more_body"] = True
        await send(message)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_SWALLOW_S):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _whole_body(receive: Receive) -> bytes | None:
    """Return the body of a request, None when it is too large."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)
