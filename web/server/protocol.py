"""uvicorn's protocol for one connection, watched: what it is doing is noted for `web.server.connections`.

Imported when the server starts, because uvicorn takes its time.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.server.connections import Connections, ConnectionTiming, Pace
from web.server.live import Receive, Scope, Send


class Writable(H11Protocol):
    """A connection to which others may write what an answer goes on with (see `web.server.live.Outlet`)."""

    @property
    def free(self) -> bool:
        """Return whether something can be written without waiting for the reader."""
        return not self.flow.write_paused and not self.transport.is_closing()

    def push(self, written: bytes) -> None:
        """Write this as it is, never waiting."""
        self.transport.write(written)

    def end(self) -> None:
        """Close it at once, whatever has not been read."""
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
    grace_s: int,
    tls: tuple[Path, Path] | None = None,
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
        timeout_graceful_shutdown=grace_s,
        ssl_certfile=tls[0] if tls is not None else None,
        ssl_keyfile=tls[1] if tls is not None else None,
    )
    return Announcing(config)


_AT_A_TIME = 64
_WAITING = 2048
