"""A server of pages: uvicorn in a thread of its own. It owns no signals, starts fast and stops within 2 s."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import uvicorn
from lastnose.companion.system.systemd import limit_logs
from lastnose.web.access import Access
from lastnose.web.server.addresses import lan_address, listen, own_names
from lastnose.web.server.application import Application
from lastnose.web.server.connections import Connections, ConnectionTiming, Pace, Room, room_here
from lastnose.web.server.live import MOST_VIEWERS, Frames, Hub, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from flask import Flask

_WORKERS = 8
_GRACE_S = 1
_AT_A_TIME = 64
_WAITING = 2048
_log = logging.getLogger("lastnose.web")


class PageServer:
    """Serves a Flask app and its live stream; who inherits says which, in `_build`.

    *names* are names of this machine beside its addresses, *own_address* the address of its own
    Wi-Fi, *tls* a certificate and its key (without them it is plain HTTP), *now_s* the clock of its patience
    with connections.
    """

    def __init__(
        self,
        access: Access,
        *,
        port: int,
        names: tuple[str, ...] = (),
        own_address: str | None = None,
        pace: Pace | None = None,
        room: Room | None = None,
        tls: tuple[Path, Path] | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._access = access
        self._port = port
        self._told_names = names
        self._names = (*names, *own_names()) if access.lan else names
        self._own_address = own_address
        self._pace = pace or Pace()
        self._pool = ThreadPoolExecutor(_WORKERS, "page")
        self._room = room
        self._tls = tls
        self._now_s = now_s
        self._connections = Connections()
        self._thread: threading.Thread | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._hub: Hub | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening = ExitStack()
        self.port = port

    def _build(self) -> Application:
        """Return what answers requests."""
        raise NotImplementedError

    @property
    def viewers(self) -> int:
        """Return how many live streams are open."""
        return self._hub.viewers if self._hub is not None else 0

    def start(self) -> tuple[str, ...]:
        """Take the port and begin to answer; return the addresses, this machine's own first.

        Raise DeviceError when the port is taken.
        """
        limit_logs("lastnose.web", "asyncio")
        self._connections = Connections(self._room or room_here(), self._now_s)
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
            address = self._own_address or lan_address()
            if address is not None:
                urls += [self._url(address), *map(self._url, self._told_names)]
        return tuple(urls)

    def _url(self, host: str) -> str:
        scheme, usual = ("http", 80) if self._tls is None else ("https", 443)
        return f"{scheme}://{host}/" if self.port == usual else f"{scheme}://{host}:{self.port}/"

    def _join_address(self) -> str | None:
        urls = self.urls
        return urls[1] + "join" if len(urls) > 1 else None

    def stop(self) -> None:
        """End the streams, then the server; return within 2 s. May be called twice."""
        self._listening.close()
        if self._loop is not None and self._hub is not None and self._uvicorn is not None:
            try:
                self._loop.call_soon_threadsafe(self._hub.close)
            except RuntimeError:
                _log.debug("the loop has ended before")
            self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout=_GRACE_S + 0.8)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _application(self, app: Flask, views: Frames) -> Application:
        """Return the application of *app*, with a live stream of *views*."""
        from lastnose.web.auth import is_called

        at_home = partial(_at_home, app)
        self._hub = Hub(
            views,
            self._connections.find,
            pace=self._pace,
            most=min(MOST_VIEWERS, max(4, self._connections.room.most * 3 // 5)),
            at_home=at_home,
            look_in=partial(_looking_in, app),
        )
        self._access.devices.listen(self._hub.tell_standings)
        return Application(app, self._hub, self._pool, self._connections, at_home, partial(is_called, app))

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
        self._loop.set_exception_handler(_log_trouble)
        self._uvicorn = server(application, watched(self._connections, self._pace), ready.set, self._tls)
        tending = [asyncio.create_task(chore) for chore in self._chores()]
        try:
            await self._uvicorn.serve(sockets=sockets)
        finally:
            for task in tending:
                task.cancel()
            self._connections.cut_all()
            await asyncio.sleep(0)

    def _chores(self) -> list[Coroutine[Any, Any, None]]:
        """Return what goes on beside the answers, until it is cancelled."""
        assert self._hub is not None
        return [self._hub.run(), self._tend()]

    async def _tend(self) -> None:
        """End connections whose time is over, until cancelled."""
        while True:
            await asyncio.sleep(self._pace.tick_s)
            self._connections.look_after()
            self._access.devices.settle()


@contextmanager
def _looking_in(app: Flask, scope: Scope, headers: dict[str, str]) -> Iterator[Callable[[], str]]:
    """Count a page of a device as long as it is open; give what tells what that device may do."""
    from lastnose.web.auth import who_asks

    asking = who_asks(app, headers, scope["client"][0] if scope.get("client") else "")
    devices = app.extensions["lastnose.access"].devices
    if not asking.device:
        yield str
        return
    devices.see(asking.device, asking.address, home=asking.home)
    devices.opened(asking.device)
    try:
        yield lambda: devices.standing(asking.device, asking.address)
    finally:
        devices.closed(asking.device)


def _log_trouble(loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
    """Log what asyncio complains of, without a traceback for each of a thousand connections."""
    problem = trouble.get("exception")
    if isinstance(problem, OSError):
        _log.warning("%s: %s", trouble.get("message"), problem)
    else:
        loop.default_exception_handler(trouble)


def _at_home(app: Flask, scope: Scope, headers: dict[str, str]) -> bool:
    """Return whether a request is from the table's own machine, a player, a host or a program."""
    from lastnose.web.auth import is_at_home

    address = scope["client"][0] if scope.get("client") else ""
    return is_at_home(app, headers, address)


# ---- uvicorn's protocol for one connection, watched: what it is doing is noted for `web.server.connections`.


def passed_on(scope: Any) -> None:
    """Let a request in HTTP/1.0 say that it was passed on: no browser speaks that.

    nginx does unless told otherwise, and asks in the name of this machine: everybody whom it lets in would
    be at home here.
    """
    if scope["http_version"] == "1.0":
        scope["headers"] = [*scope["headers"], (b"via", b"1.0")]


_WITH_HOST = re.compile(rb"https?://([^/]*)(.*)", re.IGNORECASE)


def without_host(scope: Any) -> None:
    """Let a request for a whole address, as some programs write it, be one for its path (RFC 9112, 3.2.2)."""
    found = _WITH_HOST.fullmatch(scope["raw_path"])
    if found is None:
        return
    host, path = found[1], found[2] or b"/"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope.update(path=unquote(path.decode("ascii")), raw_path=path, headers=[*others, (b"host", host)])


class Writable(H11Protocol):
    """A connection to which others may write what an answer goes on with: an `Outlet`."""

    @property
    def free(self) -> bool:
        return not self.flow.write_paused and not self.transport.is_closing()

    def push(self, written: bytes) -> None:
        self.transport.write(written)

    def end(self) -> None:
        self.transport.abort()


def watched(connections: Connections, pace: Pace) -> type[H11Protocol]:
    """Return the protocol whose connections belong to *connections*."""

    class Watched(Writable):
        timing: ConnectionTiming

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.timing = ConnectionTiming(pace, connections.now_s)
            connections.opened(self)

        def data_received(self, data: bytes) -> None:
            if not self.transport.is_closing():
                self.timing.asks()
                super().data_received(data)

        def handle_events(self) -> None:
            before = self.cycle
            super().handle_events()
            if self.cycle is not before:
                without_host(self.scope)
                passed_on(self.scope)
                self.timing.answers(self.scope["path"])

        def on_response_complete(self) -> None:
            self.timing.rests()
            super().on_response_complete()
            if self.conn.trailing_data[0]:  # the next one has begun to come before this was answered
                self.timing.asks()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self)
            super().connection_lost(exc)

    return Watched


def server(
    application: Callable[[Scope, Receive, Send], Awaitable[None]],
    protocol: type[H11Protocol],
    started: Callable[[], object],
    tls: tuple[Path, Path] | None,
) -> uvicorn.Server:
    """Return a server of *application* that owns no signals and calls *started* when it answers.

    *tls* are its certificate and the key, None for plain HTTP.
    """

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            for one in sockets or ():
                one.listen(_WAITING)
            started()

    config = uvicorn.Config(
        application,
        loop="asyncio",
        http=protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        # asyncio tries to take so many at a time, also when there is no room: few, so that it cannot spin.
        backlog=_AT_A_TIME,
        timeout_keep_alive=3600,  # `Connections` ends them before
        timeout_graceful_shutdown=_GRACE_S,
        ssl_certfile=tls[0] if tls is not None else None,
        ssl_keyfile=tls[1] if tls is not None else None,
    )
    return Announcing(config)
