"""The web server: uvicorn in a thread of its own. It owns no signals, starts fast and stops within 2 s."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from companion.access import Access, may_be_called
from companion.i18n import translator
from companion.text import text
from web.live import Hub, Message, Pace, Receive, Scope, Send, headers_of, plain_answer, spoken_in
from web.net import lan_address, listen, own_names
from web.view import to_json

if TYPE_CHECKING:
    import uvicorn

    from companion.wifi import Wifi
    from web.house import House
    from web.seam import Screen, SelfTestLike, TableLike

LARGEST_BODY = 256 * 1024
_BODY_WITHIN_S = 10.0
_WORKERS = 8
_GRACE_S = 1
_log = logging.getLogger("lastnose.web")


class Server:
    """The pages, the API and the live stream of one table."""

    def __init__(
        self,
        table: TableLike,
        access: Access,
        *,
        port: int,
        screen: Screen | None = None,
        selftest: SelfTestLike | None = None,
        names: tuple[str, ...] = (),
        wifi: Wifi | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._table = table
        self._access = access
        self._port = port
        self._screen = screen
        self._selftest = selftest
        self._told_names = names
        self._names = (*names, *own_names()) if access.lan else names
        self._wifi = wifi
        self._pace = pace or Pace()
        self._pool = ThreadPoolExecutor(_WORKERS, "page")
        self._connections = Connections()
        self._thread: threading.Thread | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._hub: Hub | None = None
        self._house: House | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self.port = port

    @property
    def viewers(self) -> int:
        """Return how many live streams are open."""
        return self._hub.viewers if self._hub is not None else 0

    def start(self) -> tuple[str, ...]:
        """Take the port and begin to answer; return the addresses, this machine's own first.

        Raise DeviceError when the port is taken.
        """
        sockets = listen(self._port, lan=self._access.lan)
        self.port = sockets[0].getsockname()[1]
        application = self._build()
        ready = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(application, sockets, ready), name="web", daemon=True
        )
        self._thread.start()
        ready.wait()
        return self.urls

    @property
    def alive(self) -> bool:
        """Return whether requests are answered."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def urls(self) -> tuple[str, ...]:
        """Return the addresses at this moment: this machine's own, the network's if there is one, names."""
        urls = [self._url("127.0.0.1")]
        if self._access.lan:
            own = self._wifi.address if self._wifi is not None else None
            address = own or lan_address()
            if address is not None:
                urls += [self._url(address), *map(self._url, self._told_names)]
        return tuple(urls)

    def _url(self, host: str) -> str:
        return f"http://{host}/" if self.port == 80 else f"http://{host}:{self.port}/"

    def _join_address(self) -> str | None:
        urls = self.urls
        return urls[1] + "join" if len(urls) > 1 else None

    def stop(self) -> None:
        """End the streams, then the server; return within 2 s. May be called twice."""
        self._unsubscribe()
        self._unsubscribe = lambda: None
        if self._house is not None:
            self._house.closing.set()
        if self._loop is not None and self._hub is not None and self._uvicorn is not None:
            try:
                self._loop.call_soon_threadsafe(self._hub.close)
            except RuntimeError:
                _log.debug("the loop has ended before")
            self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout=_GRACE_S + 0.8)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _build(self) -> Application:
        from web.app import create_app

        app = create_app(
            self._table,
            self._access,
            screen=self._screen,
            selftest=self._selftest,
            join_address=self._join_address,
            wifi=self._wifi,
            names=self._names,
            cookie=f"lastnose-{self.port}",
        )
        self._house = app.extensions["lastnose.house"]
        self._hub = Hub(self._house.views, self._connections.cut, names=self._names, pace=self._pace)
        self._unsubscribe = self._table.subscribe(self._hub.publish)
        self._hub.publish(self._table.snapshot)
        return Application(app, self._hub, self._pool, self._names)

    def _run(self, application: Application, sockets: list[socket.socket], ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(application, sockets, ready))
        except Exception:
            _log.exception("the web server has stopped")
        finally:
            ready.set()

    async def _serve(
        self, application: Application, sockets: list[socket.socket], ready: threading.Event
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._uvicorn = _uvicorn(application, ready, self._connections, self._pace.first_request_s)
        assert self._hub is not None
        tending = asyncio.create_task(self._hub.run())
        try:
            await self._uvicorn.serve(sockets=sockets)
        finally:
            tending.cancel()
            self._connections.cut_all()
            await asyncio.sleep(0)


class Connections:
    """The open connections, so that one whose reader is asleep can be cut. Belongs to the loop's thread."""

    def __init__(self) -> None:
        self._open: dict[object, asyncio.Transport] = {}

    def opened(self, client: object, transport: asyncio.Transport) -> None:
        """Remember a connection by its client (address and port)."""
        self._open[client] = transport

    def closed(self, client: object) -> None:
        """Forget a connection."""
        self._open.pop(client, None)

    def cut(self, client: object) -> None:
        """End a connection at once, whatever it has not read."""
        found = self._open.get(client)
        if found is not None:
            found.abort()

    def cut_all(self) -> None:
        """End every connection at once."""
        for client in tuple(self._open):
            self.cut(client)


class Application:
    """The ASGI application: the stream and the clock are answered here, everything else by Flask in a thread.

    A request is read whole before a thread is given to it, and its answer is written after the thread is free
    again: a slow phone keeps no thread waiting.
    """

    def __init__(self, flask_app: Any, hub: Hub, pool: ThreadPoolExecutor, names: tuple[str, ...]) -> None:
        from a2wsgi import WSGIMiddleware

        self._hub = hub
        self._names = names
        self._pages: Any = WSGIMiddleware(flask_app, send_queue_size=1000)
        self._pages.executor.shutdown()
        self._pages.executor = pool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what goes wrong is logged, never raised into the server."""
        if scope["type"] != "http":
            return
        try:
            await self._answer(scope, receive, send)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/events":
            await self._hub.serve(scope, receive, send)
        elif self._asks_the_time(scope):
            body = b'{"t_ns":%d}' % time.monotonic_ns()
            await plain_answer(send, 200, body, b"application/json")
        else:
            await self._flask(scope, receive, send)

    def _asks_the_time(self, scope: Scope) -> bool:
        """Return whether this is the one question of many phones that Flask need not answer."""
        if (scope["method"], scope["path"], scope["query_string"]) != ("GET", "/api/v1/clock", b""):
            return False
        return may_be_called(headers_of(scope).get("host", ""), self._names)

    async def _flask(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(_BODY_WITHIN_S):
                body = await _whole_body(receive)
        except TimeoutError:
            await plain_answer(send, 408)
            return
        if body is None:
            await plain_answer(send, 413, *_too_large(scope))
            return
        made: list[Message] = []
        await self._pages(scope, _replay(body), _collect(made))
        for message in made:
            await send(message)


def _too_large(scope: Scope) -> tuple[bytes, bytes]:
    """Return what is said of a request that was not read to its end, and its media type."""
    says = text("This request is larger than the {n} KB that are allowed.", n=LARGEST_BODY // 1024)
    spoken = spoken_in(scope, headers_of(scope))
    if scope["path"].startswith("/api/"):
        return to_json({"error": says, "rule": None}, spoken), b"application/json"
    return translator(spoken)(says).encode() + b"\n", b"text/plain; charset=utf-8"


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


def _replay(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _collect(made: list[Message]) -> Send:
    async def send(message: Message) -> None:
        made.append(message)

    return send


def _uvicorn(
    application: Application, ready: threading.Event, connections: Connections, first_request_s: float
) -> uvicorn.Server:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Watched(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            connections.opened(self.client, transport)
            self.loop.call_later(first_request_s, self.cut_if_silent)

        def cut_if_silent(self) -> None:
            if getattr(self, "cycle", None) is None:
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self.client)
            super().connection_lost(exc)

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.set()

    config = uvicorn.Config(
        application,
        loop="asyncio",
        http=Watched,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return Announcing(config)
