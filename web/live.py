"""The live stream: one ASGI endpoint, every message a whole snapshot, the newest wins.

A viewer who reads slowly skips to the newest snapshot, so nothing piles up; one who has stopped reading is
dropped after a while and finds the newest when it comes back. All methods but `publish` belong to the loop's
thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import msgspec

from companion.access import may_be_called
from companion.snapshot import Snapshot
from web.speech import COOKIE, pick
from web.view import Views

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MOST_VIEWERS = 900
_HEARTBEAT = b":\n\n"
_HELLO = b"retry: 1000\n\n"
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),
]


class Pace(msgspec.Struct, frozen=True):
    """How long to be patient with the other side, in seconds.

    A stream that is silent for `heartbeat_s` gets a sign of life; a viewer may leave a message unread for
    `patience_s`; a connection must begin to ask for something within `first_request_s`.
    """

    heartbeat_s: float = 15.0
    patience_s: float = 10.0
    tick_s: float = 1.0
    first_request_s: float = 20.0


class Viewer:
    """One open stream. Its mailbox has room for one thing: that there is something newer."""

    def __init__(self, language: str, client: object, now_s: float) -> None:
        self.language = language
        self.client = client
        self.news = asyncio.Event()
        self.sent_at_s = now_s
        self.writing_since_s: float | None = None
        self.gone = False

    def wake(self) -> None:
        """Tell the viewer that there is something newer."""
        self.news.set()


class Hub:
    """Every open stream, and the newest snapshot for all of them.

    *cut* ends a connection, named by the request's `client`, without waiting for its reader.
    """

    def __init__(
        self,
        views: Views,
        cut: Callable[[object], None],
        *,
        names: tuple[str, ...] = (),
        pace: Pace | None = None,
        most: int = MOST_VIEWERS,
    ) -> None:
        self._views = views
        self._cut = cut
        self._names = names
        self._pace = pace or Pace()
        self._most = most
        self._loop: asyncio.AbstractEventLoop | None = None
        self._latest: Snapshot | None = None
        self._viewers: set[Viewer] = set()
        self._frames: dict[str, tuple[Snapshot, bytes]] = {}
        self._closing = False

    @property
    def viewers(self) -> int:
        """Return how many streams are open."""
        return len(self._viewers)

    def publish(self, snapshot: Snapshot) -> None:
        """Show *snapshot* to everybody soon. For any thread; never waits."""
        self._latest = snapshot
        loop = self._loop
        if loop is not None:
            # The loop may close at this very moment: then nobody is left to see it.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._wake_all)

    async def run(self) -> None:
        """Keep the streams alive until cancelled."""
        self._loop = asyncio.get_running_loop()
        self._wake_all()
        while True:
            await asyncio.sleep(self._pace.tick_s)
            self._look_after()

    def close(self) -> None:
        """End every stream."""
        self._closing = True
        for viewer in tuple(self._viewers):
            self._end(viewer)

    def _wake_all(self) -> None:
        for viewer in self._viewers:
            viewer.wake()

    def _look_after(self) -> None:
        """Drop who has stopped reading; send a sign of life to who has heard nothing for long."""
        now_s = time.monotonic()
        for viewer in tuple(self._viewers):
            writing_since_s = viewer.writing_since_s
            if writing_since_s is not None:
                if now_s - writing_since_s > self._pace.patience_s:
                    self._end(viewer)
            elif now_s - viewer.sent_at_s > self._pace.heartbeat_s:
                viewer.wake()

    def _end(self, viewer: Viewer) -> None:
        viewer.gone = True
        viewer.wake()
        if viewer.writing_since_s is not None:
            self._cut(viewer.client)

    def _frame(self, snapshot: Snapshot, language: str) -> bytes:
        found = self._frames.get(language)
        if found is None or found[0] is not snapshot:
            number = b"id: %d\n" % snapshot.seq if snapshot.seq else b""
            found = snapshot, number + b"data: " + self._views.state(snapshot, language) + b"\n\n"
            self._frames[language] = found
        return found[1]

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for `/events`: stream until the reader goes, or is dropped, or the hub closes."""
        headers = headers_of(scope)
        if not may_be_called(headers.get("host", ""), self._names):
            await plain_answer(send, 421)
        elif scope["method"] != "GET":
            await plain_answer(send, 405)
        elif self._closing or len(self._viewers) >= self._most:
            await plain_answer(send, 503)
        else:
            viewer = Viewer(spoken_in(scope, headers), scope["client"], time.monotonic())
            await self._stream(viewer, receive, send)

    async def _stream(self, viewer: Viewer, receive: Receive, send: Send) -> None:
        self._viewers.add(viewer)
        watch = asyncio.create_task(_until_gone(viewer, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await self._feed(viewer, send)
        finally:
            self._viewers.discard(viewer)
            watch.cancel()

    async def _feed(self, viewer: Viewer, send: Send) -> None:
        await self._write(viewer, send, _HELLO)
        shown: Snapshot | None = None
        while not viewer.gone:
            latest = self._latest
            if latest is not None and latest is not shown:
                shown = latest
                await self._write(viewer, send, self._frame(latest, viewer.language))
            elif time.monotonic() - viewer.sent_at_s > self._pace.heartbeat_s:
                await self._write(viewer, send, _HEARTBEAT)
            else:
                await viewer.news.wait()
                viewer.news.clear()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, viewer: Viewer, send: Send, body: bytes) -> None:
        viewer.writing_since_s = time.monotonic()
        await send({"type": "http.response.body", "body": body, "more_body": True})
        viewer.writing_since_s = None
        viewer.sent_at_s = time.monotonic()


async def _until_gone(viewer: Viewer, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.gone = True
    viewer.wake()


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers of an ASGI request, names in lower case."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def spoken_in(scope: Scope, headers: dict[str, str]) -> str:
    """Return the language of who asks: by `?lang=`, by the phone's cookie, by the browser."""
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [None])[0]
    jar: SimpleCookie = SimpleCookie()
    with contextlib.suppress(CookieError):
        jar.load(headers.get("cookie", ""))
    remembered = jar[COOKIE].value if COOKIE in jar else None
    return pick(asked, remembered, headers.get("accept-language"))


async def plain_answer(
    send: Send, status: int, body: bytes = b"", content_type: bytes = b"text/plain; charset=utf-8"
) -> None:
    """Send a whole small answer."""
    headers = [
        (b"content-type", content_type),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
