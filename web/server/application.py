"""The ASGI application: the stream and the clock are answered here, everything else by Flask in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import re
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
from lastnose.companion.games import GAMES
from lastnose.companion.system import host_clock
from lastnose.web.hosts import LARGEST_BODY, is_loopback, network_of
from lastnose.web.server.connections import Connections
from lastnose.web.server.live import (
    Hub,
    Message,
    Receive,
    Scope,
    Send,
    busy_answer,
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
            await busy_answer(scope, send)
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
                body = await _whole_body(scope, receive)
        except TimeoutError:
            await plain_answer(send, 408, more=_CLOSE)
            return
        too_large = body is None
        scope = _declared(scope, LARGEST_BODY + 1 if body is None else len(body))
        made = await asyncio.get_running_loop().run_in_executor(
            self._pool, self._work_out, scope, body or b""
        )
        if too_large:
            await _refuse_rest(made, receive, send)
            return
        for message in made:
            await send(message)


def _declared(scope: Scope, length: int) -> Scope:
    """Return the request with the length of its body: Flask reads nothing of one that came in chunks."""
    framing = (b"content-length", b"transfer-encoding")
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in framing]
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


async def _whole_body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the body of a request, None when it is too large, or says that it will be."""
    if int(headers_of(scope).get("content-length", 0)) > LARGEST_BODY:
        return None
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


# ---- Flask’s answer, on a thread that waits for nothing of the server’s


def flask_answer(flask_app: Any, scope: Scope, body: bytes) -> list[Message]:
    """Return what answers the request of *scope* with this whole *body*."""
    from a2wsgi.wsgi import build_environ
    from werkzeug.test import run_wsgi_app

    environ: Any = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
    parts, status, headers = run_wsgi_app(flask_app, environ, buffered=True)
    lines = [(name.strip().lower(), value.strip()) for name, value in headers]
    told = [(name.encode("latin1"), value.encode("latin1")) for name, value in lines]
    return [
        {"type": "http.response.start", "status": int(status.split(" ", 1)[0]), "headers": told},
        {"type": "http.response.body", "body": b"".join(parts)},
    ]


# ---- a gate before what takes long: one at a time, in turn by address, with a breath between two


_CALLS = (
    "sheet/rules-query",
    "sheet/counsel",
    "points",
    "statistics",
    "rounds",
    "export",
    "qr.svg",
    "wifi.svg",
)
_PAGES = ("history", "statistics", "oled.png")


def heavy_paths() -> re.Pattern[str]:
    """Return what the path of a request that takes long looks like.

    >>> [bool(heavy_paths().match(path)) for path in ("/api/v1/statistics", "/history/7", "/", "/api/v1")]
    [True, True, False, False]
    """
    worked_out = (one.name for game in GAMES.values() for one in game.calculations)
    calls = "|".join(map(re.escape, (*_CALLS, *worked_out)))
    return re.compile(rf"/(api/v1/({calls})|{'|'.join(map(re.escape, _PAGES))})\b")


class Breath(msgspec.Struct, frozen=True):
    """How the gate breathes, in seconds, and how many wait.

    After a request it stays closed for `rest_s`; one that has waited `patience_s` is refused, and so is one
    more than `most` of all, or than `most_of_one` of one address in the network. A refusal comes after
    `slow_s`, so that nobody asks again at once.
    """

    rest_s: float = 0.03
    patience_s: float = 8.0
    slow_s: float = 1.0
    most: int = 64
    most_of_one: int = 4


class Gate:
    """One request inside, the others in their queues."""

    def __init__(self, breath: Breath | None = None) -> None:
        self._breath = breath or Breath()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._taken = False

    @property
    def waiting(self) -> int:
        """Return how many wait."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def passing(self, address: str) -> AsyncIterator[bool]:
        """Wait for the turn of a request from *address*; give whether it may pass."""
        may = await self._turn(network_of(address))
        try:
            yield may
        finally:
            if may:
                asyncio.get_running_loop().call_later(self._breath.rest_s, self._open)

    async def _turn(self, place: str) -> bool:
        if not self._taken:
            self._taken = True
            return True
        queue = self._queues.get(place, deque())
        too_many = len(queue) >= self._breath.most_of_one and not is_loopback(place)
        if too_many or self.waiting >= self._breath.most:
            await asyncio.sleep(self._breath.slow_s)
            return False
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(place, queue).append(turn)
        try:
            async with asyncio.timeout(self._breath.patience_s):
                await turn
        except TimeoutError:
            self._leave(place, turn)
            return turn.done() and not turn.cancelled()  # it was let in at that very moment
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._open()  # it was just let in
            self._leave(place, turn)
            raise
        return True

    def _leave(self, place: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(place)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[place]

    def _open(self) -> None:
        """Let the next one in: of the address whose turn it is, the one that has waited longest."""
        while self._queues:
            place, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[place] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False
